"""The words that other workflow systems and programming languages use where this language has one of its own.

Guarantees: a word stands for a key of one object only, and only where that key is not there too.
"""

from __future__ import annotations

from collections.abc import Mapping

# From words to the value that each stands for.
Values = Mapping[str, str]
# From words to the keys that each may stand for, the likeliest first.
Keys = Mapping[str, tuple[str, ...]]


def _keys(**spellings: str) -> Keys:
    """From each word to what it may stand for; a trailing `_` only keeps a key from being a word of Python."""
    found: dict[str, tuple[str, ...]] = {}
    for key, words in spellings.items():
        for word in words.split():
            found[word] = (*found.get(word, ()), key.removesuffix("_"))
    return found


def _values(**spellings: str) -> Values:
    return {word: value.removesuffix("_") for value, words in spellings.items() for word in words.split()}


OPERATORS = _values(
    eq="== = ===", ne="!= <> !==", lt="<", le="<= lte", gt=">", ge=">= gte", and_="&&", or_="||", not_="!"
)
TYPES = _values(
    node="task tool action call function activity agent llm",
    condition="if switch branch choice decision gateway",
    foreach="loop map each for for_each",
    fork="parallel split",
    join="barrier",
    wait="delay sleep pause timer",
    interrupt="human human_input human_task user_task approval ask",
    subgraph="workflow subworkflow sub_workflow child",
    end="stop finish exit terminate terminal return",
)
MODES = _values(serial="sequential sequence series sync", parallel="concurrent concurrently async simultaneous")
ON_ITEM_ERROR = _values(
    fail="stop abort raise throw error fail_fast",
    skip="continue ignore skip_item drop",
    collect="collect_errors gather record",
)
# Keys of a step that lead elsewhere, by the outcome for which they do.
OUTCOMES = _values(
    true="then yes if_true on_true true_branch",
    false="else no otherwise if_false on_false false_branch",
    item="body do loop",
    done="after on_done",
    ok="on_success success",
)
EFFECTS = _values(pure="none", read="readonly read_only read-only", write="mutating")
_BOUND = "inputs args arguments params parameters with payload"
_WRITTEN = "outputs result results save writes returns assign"
_COMMON = {"id": "name key", "desc": "description summary doc comment"}
_CALL = {"input": _BOUND, "output": _WRITTEN, "retry": "retries", "timeout_seconds": "timeout", "catch": "catches"}
WORKFLOW = _keys(
    name="id title workflow",
    desc="description summary",
    input_schema="inputs input parameters params",
    state_schema="state variables",
    output_schema="outputs output result returns",
    node_defs="definitions node_definitions defs tools functions",
    start="initial entry entry_point entrypoint start_at startAt start_node first",
    nodes="steps tasks states",
    edges="transitions connections links",
)
NODE_DEF = _keys(
    name="id",
    desc="description summary",
    input_schema="input inputs parameters params args arguments inputSchema",
    output_schema="output outputs returns result outputSchema",
    outcomes="results statuses",
    uses="tool capability function implementation",
    effects="effect side_effects",
    retry="retries",
    timeout_seconds="timeout",
)
STEPS: Mapping[str, Keys] = {
    "node": _keys(**_COMMON, **_CALL, node="tool action function uses call definition def"),
    "condition": _keys(**_COMMON, check="condition if expr expression test when predicate"),
    "foreach": _keys(
        **_COMMON,
        over="items list collection in iterable array each",
        as_="item var variable alias item_name iterator",
        max_concurrency="concurrency parallelism max_parallel",
        on_item_error="on_error",
    ),
    "fork": _keys(**_COMMON, branches="paths lanes parallel"),
    "join": _keys(**_COMMON),
    "wait": _keys(**_COMMON, seconds="duration delay delay_seconds timeout for"),
    "interrupt": _keys(**_COMMON, outcomes="options choices answers", request="input inputs", resume="output outputs"),
    "subgraph": _keys(**_COMMON, **_CALL, workflow="ref graph child uses subgraph"),
    "end": _keys(**_COMMON, outcome="status result state"),
}
EDGE = _keys(
    from_="source src source_id step",
    outcome="on when condition label event result branch port",
    to="target dst dest destination target_id then goto next",
)
INPUT_BINDING = _keys(
    target="to into field name key argument arg param", path="from source ref expr expression", value="literal const"
)
OUTPUT_BINDING = _keys(source="from field output path key name", target="to into state path")
COMPARISON = _keys(left="lhs path field var", right="rhs value")
CATCH = _keys(codes="errors error code on", outcome="to")
# What an edge may be said to lead to or to be for, by the JSON text of values that are no names.
NAMES = {"true": "true", "false": "false"}
TARGETS = {"null": "__end__"}
