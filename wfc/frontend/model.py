"""The language as tables: what a document, a workflow, a definition, a step, a binding may hold (reference 1.1 to 1.8).

Whoever wants to know what can be written looks here; `reader` reads by these tables and `json_schema` publishes them.
"""

from __future__ import annotations

from typing import Any

from wfc.frontend import foreign_words
from wfc.frontend.foreign_conditions import condition_meant
from wfc.frontend.mapped import keyed, mapped_edges, mapped_inputs, mapped_names, mapped_outputs
from wfc.frontend.reader_codes import BAD_VALUE, EXCLUSIVE_FIELDS, UNKNOWN_STEP_TYPE
from wfc.frontend.shapes import (
    Again,
    Case,
    Choice,
    Either,
    Field,
    Integer,
    Json,
    ListOf,
    MapOf,
    Name,
    Number,
    Object,
    Only,
    PathText,
    SchemaText,
    Shape,
    Tagged,
    Text,
)
from wfc.ir import CATCHABLE, COMPARISONS, RETRIED_BY_DEFAULT
from wfc.ir.std import INTERRUPT_KINDS, RESERVED_KINDS
from wfc.paths import GraphSourcePath, LocalPath, StatePath

CONTEXT_NAMES = ("retry_count", "prior_outcome", "activated_incoming_edge", "loop_item", "loop_index")
RUN_ERROR = Choice(CATCHABLE, prefix="node_failed:")
OUTCOME = Name("an outcome")
OUTCOMES = ListOf(OUTCOME, 1, mapped_names)
READ = PathText(GraphSourcePath)
WRITE = PathText(StatePath)
LOCAL = PathText(LocalPath)
NODE_SCHEMA = SchemaText()
WORKFLOW_SCHEMA = SchemaText(objects=True)
DESC = Field("desc", Text("a description"), "What it is for, in words.")
STEP_REF = Text("the id of a step")
TARGET_REF = Text("the id of a step", meant=foreign_words.TARGETS)
OUTCOME_REF = Text("the name of an outcome", meant=foreign_words.NAMES)


def _path_in_object(written: Any) -> tuple[tuple[str, Any], ...]:
    path = written.get("path") if isinstance(written, dict) else None
    return (("Write the path by itself", path),) if isinstance(path, (str, dict)) else ()


def _operands(written: Any) -> tuple[tuple[str, Any], ...]:
    """A bare string may be a path or a text; a path comes first when it looks like one."""
    if not isinstance(written, str):
        return (("Write it as a value", {"value": written}),)
    return (("Read it as a path", {"path": written}), ("Take it as a text", {"value": written}))


# Bindings (reference 1.5)
INPUT_BINDING = Object(
    "input binding",
    (
        Field("target", LOCAL, "The field of the payload that is filled.", required=True),
        Field("path", READ, "The path that is read."),
        Field("value", Json(), "A literal; null is a value.", null_is_value=True),
    ),
    one_of=(("path",), ("value",)),
    meant=foreign_words.INPUT_BINDING,
)
OUTPUT_BINDING = Object(
    "output binding",
    (
        Field("source", LOCAL, "The field of the payload that is read.", required=True),
        Field("target", WRITE, "The state path that is written.", required=True),
        Field("on", ListOf(OUTCOME_REF, 1), "The outcomes that the binding applies to."),
    ),
    meant=foreign_words.OUTPUT_BINDING,
)
INPUT = ListOf(INPUT_BINDING, entries=mapped_inputs)
OUTPUT = ListOf(OUTPUT_BINDING, entries=mapped_outputs)

# Conditions (reference 1.8)
OPERAND_OBJECT = Object(
    "operand",
    (
        Field("path", READ, "The path that is read."),
        Field("value", Json(), "A literal; null is a value.", null_is_value=True),
    ),
    one_of=(("path",), ("value",)),
)
OPERAND = Either(
    "an operand: an object with `path` or `value`, or a bare number, boolean or null",
    (Case(("object",), OPERAND_OBJECT), Case(("number", "boolean", "null"), Json())),
    rewrites=_operands,
)
_OP = Field("op", Text("an operator"), "The operator.", required=True)
_LIST = Object("conjunction", (_OP, Field("args", ListOf(Again("condition"), 1), "The conditions.", required=True)))
_NOT = Object("not", (_OP, Field("arg", Again("condition"), "The condition that is negated.", required=True)))
_EXISTS = Object("exists", (_OP, Field("path", READ, "The path that is looked for.", required=True)))
_COMPARE = Object(
    "comparison",
    (
        _OP,
        Field("left", OPERAND, "The left operand.", required=True, null_is_value=True),
        Field("right", OPERAND, "The right operand.", required=True, null_is_value=True),
    ),
    meant=foreign_words.COMPARISON,
)
CONDITION = Tagged(
    "condition",
    "op",
    {"and": _LIST, "or": _LIST, "not": _NOT, "exists": _EXISTS, **dict.fromkeys(COMPARISONS, _COMPARE)},
    BAD_VALUE,
    foreign_words.OPERATORS,
    condition_meant,
)

# Definitions (reference 1.3)
RETRY_OBJECT = Object(
    "retry policy",
    (
        Field("max_attempts", Integer("a whole number of attempts, at least 1", 1), "Attempts in all.", required=True),
        Field("delay_seconds", Number("a number of seconds, 0 or more", 0), "Before the second attempt.", default=0),
        Field("backoff", Number("a factor, 1 or more", 1), "What each further delay is multiplied by.", default=1),
        Field("max_delay_seconds", Number("a number of seconds, 0 or more", 0), "No delay is longer."),
        Field("on", ListOf(RUN_ERROR, 1), "The errors that are tried again.", default=list(RETRIED_BY_DEFAULT)),
    ),
)
RETRY = Either(
    "a number of attempts, at least 1, or an object with `max_attempts`",
    (Case(("number",), Integer("a whole number of attempts, at least 1", 1)), Case(("object",), RETRY_OBJECT)),
)
CAPABILITY = Object(
    "capability reference",
    (
        Field("source", Text("the name of a source", 1), "The source of capabilities.", required=True),
        Field("capability_key", Text("a key in the source", 1), "What is called there.", required=True),
    ),
)
USES = Either(
    "`source.capability` or an object with `source` and `capability_key`",
    (
        Case(("string",), Text("a capability: a name, or `source.capability`", pattern=r"[^.]+(\.[^.].*)?")),
        Case(("object",), CAPABILITY),
    ),
)
_EFFECTS = Choice(("pure", "read", "idempotent", "write"), meant=foreign_words.EFFECTS)
TIMEOUT = Number("a number of seconds above 0", 0, open=True)
NODE_DEF = Object(
    "node definition",
    (
        Field("name", Name("a definition name", "_./-"), "What steps call it by.", required=True),
        DESC,
        Field("input_schema", NODE_SCHEMA, "JSON Schema of the payload."),
        Field("output_schema", NODE_SCHEMA, "JSON Schema of the output."),
        Field("outcomes", OUTCOMES, "Every outcome that the node may return, the usual one first."),
        Field("outcome_schemas", MapOf(OUTCOME_REF, NODE_SCHEMA), "The output schema of single outcomes."),
        Field("uses", USES, "The capability that implements it."),
        Field("effects", _EFFECTS, "What a repeated call would do."),
        Field("retry", RETRY, "How a failing call is made again."),
        Field("timeout_seconds", TIMEOUT, "The time for one attempt."),
    ),
    meant=foreign_words.NODE_DEF,
)

# Steps (reference 1.4)
OLD_INPUT = MapOf(READ, LOCAL)
OLD_VALUES = MapOf(LOCAL, Json())
OLD_OUTPUT = MapOf(LOCAL, WRITE)
CATCH = Object(
    "catch",
    (
        Field("codes", ListOf(RUN_ERROR, 1), "The run errors that are taken.", required=True),
        Field("outcome", OUTCOME, "The outcome that they become.", required=True),
    ),
    meant=foreign_words.CATCH,
)
OVER = Either(
    "a graph source path to an array, or an object with `value`",
    (
        Case(
            ("object",),
            Object("literal array", (Field("value", Json(), "The elements.", required=True, null_is_value=True),)),
            having=("value",),
        ),
        Case(("string",), READ),
        Case(("object",), READ, having=("root", "parts")),
    ),
    rewrites=_path_in_object,
)
BRANCH_OBJECT = Object(
    "branch",
    (
        Field("outcome", OUTCOME, "The name of the branch.", required=True),
        Field("when", CONDITION, "The condition on which it is activated."),
    ),
)
BRANCH = Either(
    "a branch name or an object with `outcome`", (Case(("string",), OUTCOME), Case(("object",), BRANCH_OBJECT))
)
SECONDS = Either(
    "a number of seconds, 0 or more, or an object with `path`",
    (
        Case(("number",), Number("a number of seconds, 0 or more", 0)),
        Case(("object",), Object("path of seconds", (Field("path", READ, "The path that is read.", required=True),))),
    ),
)
WORKFLOW_REF = Either(
    "an object with `name`, or with `artifact_id` and `version`",
    (
        Case(
            ("object",),
            Object(
                "workflow reference",
                (
                    Field("name", Text("the name of a workflow"), "A workflow in reach."),
                    Field("artifact_id", Text("the id of an artifact", 1), "A stored workflow."),
                    Field("version", Integer("a version, 1 or more", 1), "Its version."),
                ),
                one_of=(("name",), ("artifact_id", "version")),
            ),
        ),
        Case(("string",), Text("the name of a workflow"), old=True),
    ),
)


def _step(title: str, *fields: Field, rules: tuple[Only, ...] = ()) -> Object:
    common = (
        Field("id", Name("a step id"), "The name of the step in its workflow.", required=True),
        Field("type", Text("a step type"), "What kind of step it is.", required=True),
        DESC,
    )
    return Object(title, (*common, *fields), rules=rules, meant=foreign_words.STEPS[title.removesuffix(" step")])


_OLD_OUT_MAP = Field("out_map", OLD_OUTPUT, "Older spelling of the output bindings.", old=True)
_OLD_MAPS = (
    Field("in_map", OLD_INPUT, "Older spelling of input bindings that read paths.", old=True),
    Field("input_values", OLD_VALUES, "Older spelling of input bindings with values.", old=True),
    _OLD_OUT_MAP,
)
_INPUT = Field("input", INPUT, "How the payload is made.", default=())
_OUTPUT = Field("output", OUTPUT, "What is written to state.", default=())
_MODE = Choice(("serial", "parallel"), meant=foreign_words.MODES)
_ON_ITEM_ERROR = Choice(("fail", "collect", "skip"), meant=foreign_words.ON_ITEM_ERROR)
_CATCH = Field("catch", ListOf(CATCH), "Run errors that become outcomes.", default=())
_LOCALS = Field("locals", ListOf(WRITE), "State paths private to one item or branch.", default=())
_REQUEST_SCHEMA = Field("request_schema", NODE_SCHEMA, "JSON Schema of the request of an own kind.")
_RESUME_SCHEMA = Field("resume_schema", NODE_SCHEMA, "JSON Schema of the resume payload of an own kind.")
STEPS: dict[str, Object] = {
    "node": _step(
        "node step",
        Field("node", Text("the name of a node definition"), "The definition, or a built-in.", required=True),
        _INPUT,
        _OUTPUT,
        Field("retry", RETRY, "In place of the definition's."),
        Field("timeout_seconds", TIMEOUT, "In place of the definition's."),
        _CATCH,
        *_OLD_MAPS,
    ),
    "condition": _step("condition step", Field("check", CONDITION, "What is decided.", required=True)),
    "foreach": _step(
        "foreach step",
        Field("over", OVER, "The array.", required=True),
        Field(
            "as",
            Name("a loop alias", "_", CONTEXT_NAMES),
            "The name of the item in `context`.",
            required=True,
        ),
        Field("mode", _MODE, "One item after the other, or side by side.", default="serial"),
        Field("on_item_error", _ON_ITEM_ERROR, "What an item's failure does.", default="fail"),
        Field(
            "max_concurrency",
            Integer("a whole number, at least 1", 1),
            "Items at one time, in parallel mode.",
            default=8,
        ),
        _LOCALS,
        _OUTPUT,
        rules=(
            Only(
                ("max_concurrency",), "mode", ("parallel",), BAD_VALUE, 'no `max_concurrency`, or `"mode": "parallel"`'
            ),
        ),
    ),
    "fork": _step("fork step", Field("branches", ListOf(BRANCH, 1), "The branches, in order.", required=True), _LOCALS),
    "join": _step("join step"),
    "wait": _step("wait step", Field("seconds", SECONDS, "How long.", required=True)),
    "interrupt": _step(
        "interrupt step",
        Field("kind", Name("an interrupt kind", taken=RESERVED_KINDS), "What is asked for.", required=True),
        Field("request", INPUT, "How the request is made.", default=()),
        Field("resume", OUTPUT, "What the answer writes to state.", default=()),
        Field("outcomes", OUTCOMES, "The answers that are possible, the usual one first.", required=True),
        _REQUEST_SCHEMA,
        _RESUME_SCHEMA,
        Field("resume_schemas", MapOf(OUTCOME_REF, NODE_SCHEMA), "Resume schemas of outcomes after the first."),
        Field("request_map", OLD_INPUT, "Older spelling of the request.", old=True),
        _OLD_OUT_MAP,
        rules=(
            Only(
                ("request_schema", "resume_schema"),
                "kind",
                tuple(INTERRUPT_KINDS),
                EXCLUSIVE_FIELDS,
                "the schemas that the kind has by itself",
                none_of=True,
            ),
        ),
    ),
    "subgraph": _step(
        "subgraph step",
        Field("workflow", WORKFLOW_REF, "The workflow that runs as this step.", required=True),
        _INPUT,
        _OUTPUT,
        Field("outcomes", OUTCOMES, "The child's outcomes.", default=("ok",)),
        Field("input_schema", NODE_SCHEMA, "In place of the child's, with which it has to agree."),
        Field("output_schema", NODE_SCHEMA, "In place of the child's, with which it has to agree."),
        _CATCH,
        *_OLD_MAPS,
    ),
    "end": _step("end step", Field("outcome", OUTCOME_REF, "The outcome of the workflow.", required=True)),
}
STEP = Tagged(
    "step",
    "type",
    STEPS,
    UNKNOWN_STEP_TYPE,
    foreign_words.TYPES,
)
EDGE = Object(
    "edge",
    (
        Field("from", STEP_REF, "The step that it leaves.", required=True),
        Field("outcome", OUTCOME_REF, "The outcome that it is for.", required=True),
        Field("to", TARGET_REF, "The step that it leads to, or `__end__`.", required=True),
    ),
    meant=foreign_words.EDGE,
)

# Workflows and modules (reference 1.1, 1.2)
WORKFLOW = Object(
    "workflow",
    (
        Field("name", Name("a workflow name"), "The name of the workflow.", required=True),
        DESC,
        Field("input_schema", WORKFLOW_SCHEMA, "JSON Schema of the run input."),
        Field("state_schema", SchemaText(objects=True, old="fields"), "JSON Schema of the state, with reducers."),
        Field("output_schema", WORKFLOW_SCHEMA, "Its properties are taken from state as output."),
        Field("outcomes", OUTCOMES, "The terminal outcomes.", default=("ok",)),
        Field("node_defs", ListOf(NODE_DEF, entries=keyed("name")), "Reusable contracts.", default=()),
        Field("start", STEP_REF, "The first step.", required=True),
        Field("nodes", ListOf(STEP, 1, keyed("id")), "The steps.", required=True),
        Field("edges", ListOf(EDGE, entries=mapped_edges), "Which outcome leads where.", default=()),
    ),
    meant=foreign_words.WORKFLOW,
)
MODULE = Object(
    "module",
    (
        Field("main", Text("the name of a workflow"), "The workflow that runs; the first by default."),
        Field("workflows", ListOf(WORKFLOW, 1), "The workflows.", required=True),
    ),
)
DOCUMENT = Either(
    "a workflow, or a module with `workflows`",
    (Case(("object",), MODULE, having=("workflows", "main")), Case(("object",), WORKFLOW)),
)
AGAIN: dict[str, Shape] = {"condition": CONDITION}
