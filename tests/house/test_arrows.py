"""Imports go downwards only, rooms are entered by front doors, and each third-party package has one door a room."""

import sys
from collections import defaultdict

from tests.house.imports import PACKAGE, Import, imports

BACKENDS = ("backends/drivers", "backends/emit", "backends/sources", "backends/stores")

# From the ground up: a room may import from the floors below its own, never from its neighbours.
FLOORS = (
    ("digests", "doors", "engine", "records", "replacing", "version"),
    ("source", "paths"),
    ("diagnostics",),
    ("ir", "report"),
    ("edits", "nodes", "observing"),
    ("frontend", "passes", "vm", "project", *BACKENDS),
    ("checking", "comparing", "loading", "telemetry"),
    ("driver", "opaque", "runs"),
    ("publishing",),
    ("deploying", "formats"),
    ("pinning",),
    ("building", "drawing", "compared", "nested", "preparing"),
    ("configured",),
    ("deployed", "linting", "testing", "tools"),
    ("briefing",),
    ("services", "planner"),
    ("wfc",),
    ("cli",),
    ("__main__",),
)
FLOOR = {room: number for number, rooms in enumerate(FLOORS) for room in rooms}

# A door of its own: whoever asks for a noun should not load the contracts of the built-in nodes, nor the other way.
SIDE_DOORS = {"wfc.ir.std", "wfc.frontend.builder", "wfc.backends.emit.pictures"}

# Packages that one room alone knows; in `cli` every file holds commands.
OWN = {"click": "cli", "networkx": "passes"}

# What the machine is kept from (reference 2.1): clocks, chance, threads, files, processes, networks.
WORLD = {"anyio", "asyncio", "concurrent", "datetime", "http", "httpx2", "mcp", "multiprocessing", "os"}
WORLD |= {"pathlib", "psycopg", "random", "secrets", "shutil", "socket", "sqlalchemy", "sqlite3", "ssl", "subprocess"}
WORLD |= {"tempfile", "threading", "time", "uuid"}


def allowed(found: Import) -> bool:
    if found.target in (None, found.room):
        return True
    return FLOOR[found.target] < FLOOR[found.room]


def test_every_room_has_a_floor() -> None:
    assert {found.room for found in imports()} - FLOOR.keys() == set()


def test_imports_go_downwards() -> None:
    assert [str(found) for found in imports() if not allowed(found)] == []


def test_the_planner_runs_nothing_and_what_runs_does_not_plan() -> None:
    """Neither has anything of the other within reach; a command alone knows both."""
    running = {"vm", "runs", "deployed", "configured", "testing", "tools", "backends/drivers", "backends/sources"}
    assert [str(found) for found in imports() if found.room == "planner" and found.target in running] == []
    assert [str(found) for found in imports() if found.room in running and found.target == "planner"] == []


def test_rooms_are_entered_by_their_front_doors() -> None:
    """`wfc.ir` is a front door, `wfc.ir.program` is not."""
    outside = [found for found in imports() if found.target not in (None, found.room, "wfc")]
    doors = {f"wfc.{found.target}".replace("/", ".") for found in outside} | SIDE_DOORS
    assert [str(found) for found in outside if found.module not in doors] == []


def test_the_machine_knows_nothing_of_the_world() -> None:
    inside = [found for found in imports() if found.room in ("ir", "vm")]
    assert inside
    assert [str(found) for found in inside if found.module.split(".")[0] in WORLD] == []


def test_every_folder_has_a_front_door() -> None:
    folders = {file.parent for file in PACKAGE.rglob("*.py")}
    assert [str(folder) for folder in sorted(folders) if not (folder / "__init__.py").exists()] == []


def test_third_party_packages_have_one_door_a_room() -> None:
    doors: dict[tuple[str, str], set[str]] = defaultdict(set)
    for found in imports():
        package = found.module.split(".")[0]
        if package not in sys.stdlib_module_names and package != "wfc" and OWN.get(package) != "cli":
            doors[found.room, package].add(found.file)
    assert {key: sorted(files) for key, files in doors.items() if len(files) > 1} == {}


def test_packages_of_one_room_are_imported_there_only() -> None:
    packages = [(found, found.module.split(".")[0]) for found in imports()]
    assert [str(found) for found, package in packages if OWN.get(package, found.room) != found.room] == []
