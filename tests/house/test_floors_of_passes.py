"""Inside `wfc/passes` too imports go downwards only.

What is known stands below the passes that ask for it; a pass knows no other family but one below its own.
"""

from tests.house.imports import PACKAGE, Import, imports

# From the ground up. `state` stands above `bindings` because what a write brings is also bound.
FLOORS = (
    ("examples", "spelling", "types"),
    ("graph",),
    ("values",),
    ("facts",),
    ("repairs",),
    ("bindings", "control", "lineages", "outside"),
    ("state",),
    ("pipeline",),
    ("around", "lowering"),
    ("__init__",),
)
FLOOR = {room: number for number, rooms in enumerate(FLOORS) for room in rooms}
ROOMS = sorted(path.name for path in (PACKAGE / "passes").iterdir() if (path / "__init__.py").exists())


def inside() -> list[tuple[Import, str, str]]:
    """Each import from one place of `wfc/passes` in another, with the rooms of both."""
    found = []
    for each in imports():
        if each.file.startswith("passes/") and f"{each.module}.".startswith("wfc.passes."):
            target = each.module.removeprefix("wfc.passes").removeprefix(".").split(".")[0] or "__init__"
            found.append((each, each.file.split("/")[1].removesuffix(".py"), target))
    return found


def test_every_room_has_a_floor() -> None:
    assert {room for _, room, _ in inside()} - FLOOR.keys() == set()
    assert set(ROOMS) - FLOOR.keys() == set()


def test_imports_go_downwards() -> None:
    wrong = [str(found) for found, room, target in inside() if target != room and FLOOR[target] >= FLOOR[room]]
    assert wrong == []
