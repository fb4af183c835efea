"""What is said about a document that is JSON and not, in every part, what the language has (WF010 to WF021, WF706)."""

from __future__ import annotations

from wfc.diagnostics import Code, Example, Severity

UNKNOWN_FIELD = Code(
    code="WF010",
    rule="unknown-field",
    severity=Severity.ERROR,
    message="found key `{got}` in {owner}, expected one that it has; nearest: `{nearest}`",
    help="rename the key or remove it; a note of your own may stand under a key that begins with `x-`",
    why=(
        "A key that nobody reads is most often a misspelt one, and what it was to say is then silently lost: a retry "
        "that never happens, a list of steps that is empty. So every key is known, or marked as the author's own by "
        "`x-`."
    ),
    example=Example(
        bad="""\
{"name": "a", "start": "s", "outcome": ["ok"],
                            ^^^^^^^^^
 "nodes": [{"id": "s", "type": "end", "outcome": "ok"}]}
""",
        good="""\
{"name": "a", "start": "s", "outcomes": ["ok"],
 "nodes": [{"id": "s", "type": "end", "outcome": "ok"}]}
""",
    ),
)
MISSING_FIELD = Code(
    code="WF011",
    rule="missing-field",
    severity=Severity.ERROR,
    message="found {owner} without {missing}, expected {required}",
    help="add {missing}; everything else has a default",
    why=(
        "Some keys have no value that could be assumed: a workflow has to begin somewhere, a step needs a name to be "
        "reached by. Everything else has a default."
    ),
    example=Example(
        bad="""\
{"name": "a", "start": "s",
 "nodes": [{"id": "s", "type": "end"}]}
           ^^^^^^^^^^^^^^^^^^^^^^^^^^
""",
        good="""\
{"name": "a", "start": "s",
 "nodes": [{"id": "s", "type": "end", "outcome": "ok"}]}
""",
    ),
)
BAD_VALUE = Code(
    code="WF012",
    rule="bad-value",
    severity=Severity.ERROR,
    message="found {got}, expected {expected}",
    help="write a value of the kind that the place asks for",
    why=(
        "A value of another kind than its place asks for cannot be used as it stands, and converting it would be a "
        "guess about what was meant."
    ),
    example=Example(
        bad="""\
{"name": "a", "start": "s", "outcomes": "ok",
                                        ^^^^
 "nodes": [{"id": "s", "type": "end", "outcome": "ok"}]}
""",
        good="""\
{"name": "a", "start": "s", "outcomes": ["ok"],
 "nodes": [{"id": "s", "type": "end", "outcome": "ok"}]}
""",
    ),
)
EXCLUSIVE_FIELDS = Code(
    code="WF013",
    rule="exclusive-fields",
    severity=Severity.ERROR,
    message="found {got} in {owner}, expected {expected}",
    help="keep one of them and remove what contradicts it",
    why=(
        "These keys answer the same question, so two of them contradict each other and none leaves it open. Neither "
        "is preferred silently, and they are never merged."
    ),
    example=Example(
        bad="""\
{"name": "a", "start": "c",
 "input_schema": {"type": "object", "properties": {"n": {"type": "number", "minimum": 0}}, "required": ["n"]},
 "nodes": [{"id": "c", "type": "condition", "check":
    {"op": "eq", "left": {"path": "input.n", "value": 1}, "right": 2}}],
                         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
 "edges": [{"from": "c", "outcome": "true", "to": "__end__"},
           {"from": "c", "outcome": "false", "to": "__end__"}]}
""",
        good="""\
{"name": "a", "start": "c",
 "input_schema": {"type": "object", "properties": {"n": {"type": "number", "minimum": 0}}, "required": ["n"]},
 "nodes": [{"id": "c", "type": "condition", "check":
    {"op": "eq", "left": {"path": "input.n"}, "right": 2}}],
 "edges": [{"from": "c", "outcome": "true", "to": "__end__"},
           {"from": "c", "outcome": "false", "to": "__end__"}]}
""",
    ),
)
BAD_NAME = Code(
    code="WF015",
    rule="bad-name",
    severity=Severity.ERROR,
    message="found `{got}` as {what}, expected {expected}",
    help="choose another name, and write it wherever this one is referred to",
    why=(
        "Names are written in paths, in the text form, in traces and as keys of other systems, so they share one "
        "alphabet. Names that begin with two underscores belong to the language itself, like `__end__`."
    ),
    example=Example(
        bad="""\
{"name": "a", "start": "s 1",
 "nodes": [{"id": "s 1", "type": "end", "outcome": "ok"}]}
                  ^^^^^
""",
        good="""\
{"name": "a", "start": "s_1",
 "nodes": [{"id": "s_1", "type": "end", "outcome": "ok"}]}
""",
    ),
)
UNKNOWN_STEP_TYPE = Code(
    code="WF018",
    rule="unknown-step-type",
    severity=Severity.ERROR,
    message="found step type `{got}`, expected {expected}",
    help="use one of the step types; an action is a `node` step, a decision a `condition` step",
    why=(
        "The type says how a step runs and which outcomes leave it, so nothing can be said about a step whose type "
        "the language does not have. New kinds of work are node definitions, not new types."
    ),
    example=Example(
        bad="""\
{"name": "a", "start": "s",
 "nodes": [{"id": "s", "type": "finish", "outcome": "ok"}]}
                               ^^^^^^^^
""",
        good="""\
{"name": "a", "start": "s",
 "nodes": [{"id": "s", "type": "end", "outcome": "ok"}]}
""",
    ),
)
BAD_PATH = Code(
    code="WF020",
    rule="bad-path",
    severity=Severity.ERROR,
    message="{problem}; expected {expected}",
    help="write names with dots between them, of letters, digits and `_`, no digit first; an element of an array is "
    "taken by a `wf.std.index` step",
    why=(
        "Paths name fields and nothing else: no wildcards, no indexes, no template braces. That is what makes it "
        "possible to know before a run what a step reads and writes."
    ),
    example=Example(
        bad="""\
{"name": "a", "start": "s",
 "input_schema": {"type": "object", "properties": {"n": {"type": "number", "minimum": 0}}, "required": ["n"]},
 "nodes": [{"id": "s", "type": "wait", "seconds": {"path": "$.input.n"}}],
                                                           ^^^^^^^^^^^
 "edges": [{"from": "s", "outcome": "ok", "to": "__end__"}]}
""",
        good="""\
{"name": "a", "start": "s",
 "input_schema": {"type": "object", "properties": {"n": {"type": "number", "minimum": 0}}, "required": ["n"]},
 "nodes": [{"id": "s", "type": "wait", "seconds": {"path": "input.n"}}],
 "edges": [{"from": "s", "outcome": "ok", "to": "__end__"}]}
""",
    ),
)
WRONG_PATH_ROOT = Code(
    code="WF021",
    rule="wrong-path-root",
    severity=Severity.ERROR,
    message="{problem}; expected {expected}",
    help="begin with the root that the place asks for: steps read `input`, `state` and `context`, and write `state`",
    why=(
        "The first segment says whose value a path means. Input and context are read-only, a payload has fields "
        "without a root; a path of another kind would read or write something else than its place can reach."
    ),
    example=Example(
        bad="""\
{"name": "a", "start": "s",
 "state_schema": {"type": "object", "properties": {"n": {"type": "integer"}}},
 "output_schema": {"type": "object", "properties": {"n": {"type": "integer"}}},
 "nodes": [{"id": "s", "type": "node", "node": "wf.std.count", "input": [{"target": "array", "value": [1]}],
    "output": [{"source": "count", "target": "input.n"}]}],
                                             ^^^^^^^^^
 "edges": [{"from": "s", "outcome": "ok", "to": "__end__"}]}
""",
        good="""\
{"name": "a", "start": "s",
 "state_schema": {"type": "object", "properties": {"n": {"type": "integer"}}},
 "output_schema": {"type": "object", "properties": {"n": {"type": "integer"}}},
 "nodes": [{"id": "s", "type": "node", "node": "wf.std.count", "input": [{"target": "array", "value": [1]}],
    "output": [{"source": "count", "target": "state.n"}]}],
 "edges": [{"from": "s", "outcome": "ok", "to": "__end__"}]}
""",
    ),
)
SKIPPED_FILE = Code(
    code="WF706",
    rule="skipped-file",
    severity=Severity.NOTE,
    message="`{file}` was passed over while `{got}` was looked for, because it cannot be read ({problem})",
    help="mend the file; if it holds `{got}` as well, the name stands for two workflows",
    why=(
        "A workflow that is not in the module is looked for in the files around. One of them that is no document may "
        "hold the name or not: nobody can tell until it is mended."
    ),
    unrepaired="the fault is in the other file, where it is reported with its repairs",
    example=Example(
        bad="""\
{"name": "parent", "start": "go",
 "nodes": [{"id": "go", "type": "subgraph", "workflow": {"name": "child"}}],
                                                        ^^^^^^^^^^^^^^^^^
 "edges": [{"from": "go", "outcome": "ok", "to": "__end__"}]}
""",
        good="""\
{"main": "parent", "workflows": [
 {"name": "parent", "start": "go",
  "nodes": [{"id": "go", "type": "subgraph", "workflow": {"name": "child"}}],
  "edges": [{"from": "go", "outcome": "ok", "to": "__end__"}]},
 {"name": "child", "start": "pause",
  "nodes": [{"id": "pause", "type": "wait", "seconds": 1}],
  "edges": [{"from": "pause", "outcome": "ok", "to": "__end__"}]}]}
""",
        beside={
            "child.wf.json": """\
{"name": "child", "start": "pause",
 "nodes": [{"id": "pause", "type": "wait", "seconds": 1}],
 "edges": [{"from": "pause", "outcome": "ok", "to": "__end__"}]}
""",
            "notes.wf.json": """\
{"name": "notes", "start": }
""",
        },
    ),
)
CODES = (
    UNKNOWN_FIELD,
    MISSING_FIELD,
    BAD_VALUE,
    EXCLUSIVE_FIELDS,
    BAD_NAME,
    UNKNOWN_STEP_TYPE,
    BAD_PATH,
    WRONG_PATH_ROOT,
    SKIPPED_FILE,
)
