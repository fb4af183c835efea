"""Running a compiled file that calls nothing outside imports none of the heavy packages (reference 6)."""

import json
import subprocess
import sys
from pathlib import Path

from wfc.ir import encode, parse_program

HEAVY = {"asyncio", "click", "jsonschema", "lark", "mcp", "networkx", "psycopg", "pydantic", "rich", "sqlalchemy"}
# Of the standard library: together these take as long as all the work of a small run.
HEAVY |= {"ast", "base64", "copy", "dataclasses", "datetime", "dis", "hashlib", "inspect", "pathlib", "tokenize"}
# Of ours: what reads and compiles workflows, asks people, and tells what went wrong.
HEAVY |= {"wfc.cli.faults", "wfc.cli.questions", "wfc.configured", "wfc.driver", "wfc.ir.capabilities", "wfc.loading"}
# Each file costs as much as a dozen steps, whatever is in it.
MOST_FILES = 95

PROGRAM = """\
program sorted_out

routine sorted_out: #0 -> #1 state #1 outcomes ok|many start size
  definition wf.std.count: #2 -> #3 outcomes ok uses count from wf.std effects pure

  block size: node
    bind    array <- input.names as #2
    call    wf.std.count
    commit  state.count <- count
    switch  ok -> check

  block check: condition
    decide  lt(state.count, 3): false -> many, true -> __end__

  block many: end
    finish  many

schema #0 {"properties":{"names":{"type":"array"}},"required":["names"],"type":"object"}
schema #1 {"properties":{"count":{"type":"integer"}},"type":"object"}
schema #2 {"properties":{"array":{"type":"array"}},"required":["array"],"type":"object"}
schema #3 {"properties":{"count":{"type":"integer"}},"required":["count"],"type":"object"}
"""

# The command as the console script calls it, and then whether its modules are kept from being looked through for
# garbage at the end, which would take a tenth of it, and the names of everything that it imported.
CODE = """\
import gc, sys
from wfc.cli import main
try:
    main()
finally:
    print(gc.get_freeze_count() > 0, *sorted(sys.modules), file=sys.stderr)
"""


def test_a_run_of_a_compiled_file_is_light(tmp_path: Path) -> None:
    (tmp_path / "program.wfir.json").write_text(encode(parse_program(PROGRAM)))
    command = ["run", "program.wfir.json", "--json", "--input", '{"names": ["a", "b"]}']
    done = subprocess.run([sys.executable, "-c", CODE, *command], cwd=tmp_path, capture_output=True, text=True)
    assert (done.returncode, json.loads(done.stdout or "{}").get("output")) == (0, {"count": 2}), done.stderr[-2000:]
    is_frozen, *imported = done.stderr.splitlines()[-1].split()
    assert (is_frozen, HEAVY & set(imported)) == ("True", set())
    assert len([one for one in imported if one.split(".")[0] == "wfc"]) <= MOST_FILES


def test_to_import_the_package_costs_nothing() -> None:
    code = "import sys; before = {*sys.modules}; import wfc; print(*sorted({*sys.modules} - before))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert set(done.stdout.split()) <= {"__future__", "wfc", "wfc.version"}, done.stderr
