"""What the grammar's rules for statements make: the keys of a definition or a step, and the edges that it names.

Each function has the name of its rule and takes what that rule holds, marks and keywords included.
"""

from __future__ import annotations

from typing import Any

from wfc.frontend.text.build_clauses import Said, Way, add, at_
from wfc.frontend.text.build_types import a_record, json_value, put
from wfc.frontend.text.build_values import array_of, assigned, read_path, to_next
from wfc.frontend.text.lexer import Lexeme
from wfc.frontend.text.parts import Part, an_array, an_object
from wfc.records import dataclass, field

# Words on the line of a step, and the outcome that they stand for, by type of step.
_OUTCOMES = {
    "then": {"condition": "true", "foreach": "done"},
    "else": {"condition": "false"},
    "do": {"foreach": "item"},
}


@dataclass(slots=True)
class Statement:
    """A statement as read. `part` is what it says, `ways` the edges in it.

    `outcomes` are outcomes with their schemas, which belong to several keys.
    """

    kind: str
    part: Part | None = None
    word: Lexeme | None = None
    ways: list[Way] = field(default_factory=list)
    outcomes: list[tuple[Part, Part | None]] | None = None
    source: Part | None = None
    start: int = 0
    end: int = 0


# -- around workflows -------------------------------------------------------------------------------------------------


def main_is(children: list[Any]) -> Statement:
    return Statement("main", children[1], children[0])


def extra(children: list[Any]) -> Statement:
    return Statement("with", json_value(children[1]), children[1])


def raw(children: list[Any]) -> Statement:
    return Statement("json", json_value(children[1]), children[0])


def head(children: list[Any]) -> Statement:
    main, word, name, desc, _ = children
    made = an_object((main or word).start, (desc or name).end)
    made.put("name", name)
    if desc is not None:
        made.put("desc", json_value(desc))
    return Statement("head", made, main)


def close(children: list[Any]) -> Statement:
    return Statement("close", None, children[0])


def section(children: list[Any]) -> Statement:
    return Statement("section", children[1], children[0])


def outcome_list(children: list[Any]) -> Statement:
    return Statement("outcomes", None, children[0], outcomes=children[1])


def start(children: list[Any]) -> Statement:
    return Statement("start", children[1] if isinstance(children[1], Part) else None, children[0])


# -- definitions ------------------------------------------------------------------------------------------------------


def definition(children: list[Any]) -> Statement:
    _, name, desc, given_, arrow, output, *clauses = children
    made = an_object(children[0].start, name.end)
    clashes = children[0].clashes
    put(made, "name", name, name.stretch, clashes)
    if desc is not None:
        put(made, "desc", json_value(desc), at_(desc), clashes)
    if given_ is not None:
        put(made, "input_schema", given_, given_.stretch, clashes)
    if output is not None:
        put(made, "output_schema", output, at_(arrow), clashes)
    found = Statement("def", made, children[0])
    add(found, clauses)
    if output is not None and found.outcomes is None:
        put(made, "outcomes", an_array([Part("ok", *output.stretch)], *output.stretch), output.stretch, clashes)
    return found


def raw_definition(children: list[Any]) -> Statement:
    return Statement("def", json_value(children[2]), children[0])


def given(children: list[Any]) -> Part:
    opener, entries, closer, only = children
    made = a_record(opener, entries or [], closer)
    if only is not None:
        put(made, "additionalProperties", Part(False, *at_(only)), at_(only), only.clashes)
    return made


def given_type(children: list[Any]) -> Part:
    return children[1]  # type: ignore[no-any-return]


# -- steps ------------------------------------------------------------------------------------------------------------


def step(children: list[Any]) -> Statement:
    name, desc, colon, action, *clauses = children
    made = an_object(name.start, name.end)
    clashes = colon.clashes
    made.put("id", name)
    if desc is not None:
        made.put("desc", json_value(desc), at_(desc))
    found = Statement("step", made, colon)
    for said in action:
        if isinstance(said, Way):
            found.ways.append(said)
        else:
            put(made, said.key, said.part, said.at, clashes)
    kind = made.value["type"]
    taken = {"interrupt": "resume"}.get(kind, "output")
    add(found, [_meant(one, kind, taken) for one in clauses if one is not None])
    return found


def _meant(clause_: Any, kind: str, taken: str) -> Any:
    """A clause as a step of this type means it."""
    if isinstance(clause_, Part):
        return Said(taken, clause_, clause_.stretch)
    if isinstance(clause_, Way) and clause_.outcome.mark == "word":
        meant = _OUTCOMES[clause_.outcome.value].get(kind, "ok" if clause_.outcome.value == "then" else None)
        named = Part(meant or clause_.outcome.value, *clause_.outcome.stretch)
        return Way(named, clause_.target, clause_.start, clause_.end)
    return clause_


def way(children: list[Any]) -> Way:
    word, target = children
    if isinstance(target, Lexeme):
        target = to_next(word.end)
    return Way(Part(word.text, word.start, word.end, None, "word"), target, word.start, target.end)


def _type(kind: str, word: Lexeme | Part) -> Said:
    return Said("type", Part(kind, word.start, word.end), (word.start, word.end))


def node(children: list[Any]) -> list[Said]:
    name, arguments = children
    return [_type("node", name), Said("node", name, name.stretch), *_input("input", arguments)]


def _input(key: str, arguments: Part | None) -> list[Said]:
    return [] if arguments is None else [Said(key, arguments, arguments.stretch)]


def set(children: list[Any]) -> list[Said]:
    word = children[0]
    given_, taken = assigned(children[1::2])
    said = Part("wf.std.record", word.start, word.end)
    return [
        _type("node", word),
        Said("node", said, at_(word)),
        Said("input", given_, given_.stretch),
        Said("output", taken, taken.stretch),
    ]


def condition_step(children: list[Any]) -> list[Said]:
    return [_type("condition", children[0]), Said("check", children[1], children[1].stretch)]


def foreach(children: list[Any]) -> list[Said]:
    word, alias, _, over = children
    if isinstance(over, Lexeme):
        array = an_object(over.start, over.end)
        array.put("value", json_value(over))
        over = array
    else:
        over = read_path(over)
    return [_type("foreach", word), Said("as", alias, alias.stretch), Said("over", over, over.stretch)]


def fork(children: list[Any]) -> list[Said | Way]:
    branches: list[tuple[Part, Way | None]] = children[1::2]
    said = Said("branches", array_of([one for one, _ in branches]), (branches[0][0].start, branches[-1][0].end))
    return [_type("fork", children[0]), said, *(leads for _, leads in branches if leads is not None)]


def branch(children: list[Any]) -> tuple[Part, Way | None]:
    name, _, target, when, condition = children
    leads = None if target is None else Way(name, target, name.start, target.end)
    if condition is None:
        return name, leads
    made = an_object(name.start, condition.end)
    made.put("outcome", Part(name.value, *name.stretch))
    made.put("when", condition, at_(when))
    return made, leads


def raw_branch(children: list[Any]) -> tuple[Part, Way | None]:
    return json_value(children[1]), None


def join(children: list[Any]) -> list[Said]:
    return [_type("join", children[0])]


def wait(children: list[Any]) -> list[Said]:
    word, seconds = children
    if isinstance(seconds.value, str):
        made = an_object(*seconds.stretch)
        made.put("path", read_path(seconds))
        seconds = made
    return [_type("wait", word), Said("seconds", seconds, seconds.stretch)]


def interrupt(children: list[Any]) -> list[Said]:
    word, kind, arguments = children
    return [_type("interrupt", word), Said("kind", kind, kind.stretch), *_input("request", arguments)]


def subgraph(children: list[Any]) -> list[Said]:
    word, name, arguments = children
    ref = an_object(*name.stretch)
    ref.put("name", name)
    return [_type("subgraph", word), Said("workflow", ref, name.stretch), *_input("input", arguments)]


def artifact(children: list[Any]) -> list[Said]:
    word, _, name, version, arguments = children
    ref = an_object(name.start, version.end)
    ref.put("artifact_id", name)
    ref.put("version", json_value(version))
    return [_type("subgraph", word), Said("workflow", ref, ref.stretch), *_input("input", arguments)]


def end(children: list[Any]) -> list[Said]:
    word, outcome = children
    named = outcome or Part("ok", *at_(word))
    return [_type("end", word), Said("outcome", named, named.stretch)]


# -- edges ------------------------------------------------------------------------------------------------------------


def way_out(children: list[Any]) -> list[Way]:
    outcomes_, _, target, _, more = children
    start_ = outcomes_[0].start
    return [
        Way(one, target, one.start if len(outcomes_) > 1 else start_, more.end if more else target.end, more)
        for one in outcomes_
    ]


def edges(children: list[Any]) -> Statement:
    return Statement("edges", ways=[way_ for ways in children[::2] for way_ in ways])


def loose_edge(children: list[Any]) -> Statement:
    word, source, outcome_, _, target, _, more = children
    leads = Way(outcome_, target, word.start, more.end if more else target.end, more)
    return Statement("edge", None, word, [leads], source=source)


def raw_edge(children: list[Any]) -> Statement:
    return Statement("edge", json_value(children[2]), children[0])
