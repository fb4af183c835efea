"""Which links of a picture lead back: what comes first is then drawn above."""

from __future__ import annotations

from wfc.backends.emit.pictures.picture import Picture


def backwards(picture: Picture) -> set[int]:
    """The links, by their numbers, that lead back to where a way has come from: to a loop, above all.

    Graphviz is told of them the other way round, so that what comes first stands above.
    """
    links: dict[str, list[tuple[int, str]]] = {}
    for number, link in enumerate(picture.links):
        links.setdefault(link.source, []).append((number, link.target))
    found: set[int] = set()
    done: set[str] = set()
    for node in picture.nodes:
        way = {node.id: iter(links.get(node.id, ()))} if node.id not in done else {}
        done.add(node.id)
        while way:
            current, ahead = next(reversed(way.items()))
            step = next(ahead, None)
            if step is None:
                del way[current]
            elif step[1] in way:
                found.add(step[0])
            elif step[1] not in done:
                done.add(step[1])
                way[step[1]] = iter(links.get(step[1], ()))
    return found
