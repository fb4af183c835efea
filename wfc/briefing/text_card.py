"""The language card for workflows as text: what the other card says, in a form that costs a third of the tokens.

The rules that hold in both forms, the reducers, kinds of interrupts and built-in nodes stand there; what stands here is
checked by a test, too. The page keeps to 2,000 tokens of `o200k_base`.
"""

from __future__ import annotations

from wfc.briefing.card import EXAMPLE_CAPABILITIES, RULES, shared_lines
from wfc.tools import signature

# Rules of the other card that say nothing about JSON.
_COMMON = (
    "Schemas are",
    "Names:",
    "Paths are",
    "Read a state",
    "fork:",
    "Parallel items",
    "An edge back",
    "interrupt asks",
)

TEXT_RULES: tuple[str, ...] = (
    "A step is a line: NAME: ACTION -> WRITES and its ways out: `then STEP` for the first outcome, the others below as"
    " OUTCOME -> STEP, …. STEP is a step or `end OUTCOME`, for ok `end`. `then` at the end of a line leads to the step"
    " below. Every outcome has exactly one way out.",
    "A call: SOURCE.TOOL(field = PATH, field = JSON) -> x = field, y = field on OUTCOME writes state.x and state.y."
    " `on` holds for its own write alone; what only some outcomes have needs it. The whole output is `.`. Where names"
    " are equal one is enough: (state.a) -> b.",
    "A tool needs a line `def SOURCE.TOOL`: its contract is known. wf.std needs none. A name with - inside is quoted:"
    ' "a.b-c".',
    'Types: string, integer, number, boolean, null, any, "a" | "b", [T], { a: T, b?: T }; `= JSON` is a default; in'
    " state `by REDUCER` says how writes meet.",
    "def NAME uses SOURCE.TOOL retry 3 delay 2s backoff 2 limit 60s on node_failed|node_timeout timeout 30s gives a"
    " tool another name; never retry a write.",
    "catch node_failed|node_timeout as NAME makes an outcome of errors, which has error.message; also"
    ' node_output_invalid, undeclared_outcome, capability_unavailable, "node_failed:TYPE".',
    "if PATH == JSON then STEP else STEP; also != < <= > >=, and, or, not, exists PATH, brackets. Without `else` (or"
    " `then`) that way leads to the step below.",
    "foreach NAME in PATH do BODY then NEXT, or without `do` when the body stands below; in it the item is context.NAME"
    " or NAME, every way through it leads back to"
    " the foreach step, with no other way out and no end. Options: serial|parallel max 4, errors fail|skip|collect.",
    "set x = PATH or JSON; wait 60s; join; subgraph NAME(field = PATH) -> x = field; subgraph artifact ID 1"
    " takes version 1 of a store.",
    "Several workflows may stand one after the other; the first is the main one, or that with `main` before it.",
    'More types: json SCHEMA; T where {"pattern": "^a"}; { a: T } only; T in [JSON]; T desc "TEXT". A string after the'
    " name of a workflow, definition or step describes it. `start STEP` where it is not the first.",
    "def NAME(a: T, b?: T) -> { c: T } outcomes ok, none -> { d: T } uses SOURCE.TOOL effects"
    " pure|read|idempotent|write says a contract itself; an outcome may have fields of its own.",
    "fork a -> STEP when CONDITION, b -> STEP leaves a branch out. `locals state.x` behind a fork or foreach makes that"
    " field scratch space of each branch or item.",
    "errors collect: after the last item the foreach step has errors, count, succeeded, failed: -> state.bad = errors.",
    "A kind of your own: interrupt KIND(q = PATH) request { q: T } -> state.x = n on given outcomes given -> { n: T },"
    " none -> { why?: T }.",
    "$Name: TYPE inside of state or input names a type; 1..9, 0.. are bounds; by modulo_add"
    ' {"modulus": 10}; wait PATH.',
)

_FIRST_EXAMPLE = """\
workflow digest "Digest files, ask, keep" {
 input { paths: [string] }
 state { texts: [string] by append = [], digest: string, tries: integer = 0, why: string = "" }
 output { digest, why }
 outcomes ok, rejected

 def fs.read_file
 def git.pull

 both: fork a -> each, b -> pull
 each: foreach path in input.paths parallel max 4 errors skip then meet
 read: fs.read_file(context.path) -> texts = content then each
 pull: git.pull -> why = error.message on failed catch node_failed as failed then
   failed -> meet
 meet: join then
 glue: wf.std.join_text(array = state.texts, separator = "\\n") -> digest = text then
 fine: if state.why == "" or state.tries >= 3 then ask
 more: wf.std.calculate(operator = "+", left = state.tries, right = 1) -> tries = value on ok then
   undefined -> ask
 rest: wait 60s then
 again: git.pull -> why = error.message on failed catch node_failed as failed then
   failed -> fine
 clear: set why = "" then fine
 ask: interrupt approval(prompt = "Keep?", data = state.digest)
   kept -> end, dropped -> end rejected
}
"""

_SECOND_EXAMPLE = """\
workflow halves {
 input { numbers: [integer] }
 state { halves: [number] by append = [], note: string }
 output { halves, note? }

 each: foreach n in input.numbers then ask
 half: subgraph half(context.n) -> halves = half then each
 ask: interrupt text_input(prompt = "A note?") -> note = text on given
   given | skipped -> end
}

workflow half {
 input { n: integer }
 state { half: number }
 output { half }

 divide: wf.std.calculate(operator = "/", left = input.n, right = 2) -> half = value on ok then end
   undefined -> zero
 zero: set half = 0 then end
}
"""
TEXT_EXAMPLES = (_FIRST_EXAMPLE, _SECOND_EXAMPLE)


def text_card() -> str:
    """The page. It is the same for every request."""
    common = [rule for rule in RULES if rule.startswith(_COMMON)]
    lines = [
        "# Workflow text (# begins a comment)",
        *(f"- {rule}" for rule in (*TEXT_RULES, *common)),
        "",
        *shared_lines(),
        "Examples, with " + " and ".join(signature(one) for one in EXAMPLE_CAPABILITIES) + ":",
        *TEXT_EXAMPLES,
    ]
    return "\n".join(lines)
