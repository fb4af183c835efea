"""The card of the text form: within its budget, and every sentence of it is true."""

from __future__ import annotations

import re

import bpe_openai
import pytest

from wfc import driver
from wfc.briefing import RULES, TEXT_RULES, filled, text_card
from wfc.briefing.card import EXAMPLE_CAPABILITIES
from wfc.briefing.text_card import TEXT_EXAMPLES
from wfc.diagnostics import Severity
from wfc.frontend import workflow_schema
from wfc.frontend.text.syntax import language
from wfc.ir import CATCHABLE

# Keywords for what only JSON of others holds: keys that begin with x-, edges that lead nowhere, payloads that are no
# objects.
FOR_STRANGE_DOCUMENTS = {"with", "edge", "of"}
KNOWN = {one.name: one for one in EXAMPLE_CAPABILITIES}
_DEF = "def fs.read_file"
READ = 'r: fs.read_file(path = "a") -> state.a = content then end ok'


def found(text: str, *, strict: bool = False) -> set[str]:
    """Codes of errors and warnings, once the catalogue has had its say."""
    given = driver.loads(text, form="text", name="workflow.wf")
    if not given.root.readable:
        return {one.code.code for one in driver.check(given).diagnostics}
    report = driver.check(driver.from_value(filled(given.root.value, KNOWN)), strict=strict)
    return {one.code.code for one in report.diagnostics if one.severity is not Severity.NOTE}


def flow(*lines: str, state: str = "a: string", head: str = _DEF, more: str = "") -> str:
    """A workflow whose output is its state."""
    start = lines[0].split(":")[0]
    fields = ", ".join(f"{field.split(':')[0].strip()}?" for field in state.split(";")) if state else ""
    body = "\n ".join(lines)
    head = head if head != _DEF or "fs.read_file" in body else ""
    kept = state.replace(";", "\n  ")
    return (
        f"workflow w {{\n state {{\n  {kept}\n }}\n output {{ {fields} }}\n {head}\n start {start}\n {body}\n}}\n{more}"
    )


CHILD = "workflow child {\n state { y: integer }\n output { y }\n s: set state.y = 1 then end ok\n}\n"

NAMED = """workflow w {{
 state {{
  $Small: integer 0..9
  a: $Small
  n: integer by modulo_add {{"modulus": 10}}
 }}
 output {{ n }}
 s: set state.a = {value}, state.n = 11 then w
 w: wait state.a then end ok
}}
"""

DESCRIBED = """workflow w "what it is for" {{
 state {{
  a: string where {{"pattern": "^a"}}
  b: "x" | "y"
  c: {{ d: integer desc "of days" }} only
  e: json {{"type": "integer", "multipleOf": 2}}
 }}
 output {{ a, b, c, e }}
 start s
 w "waits": wait 1s then end ok
 s: set state.a = "{text}", state.b = "{status}", state.c = {{"d": 1}}, state.e = 4 then w
}}
"""

# Rule by its beginning: texts that it allows, and those that it forbids with what is found in them then.
PROOFS: dict[str, tuple[list[str], list[tuple[str, str]]]] = {
    "A step is a line:": (
        [
            flow(READ),
            flow(
                'p: wf.std.parse_json(text = "1") -> state.a = value on ok then end ok',
                " invalid -> end ok",
                state="a: any",
            ),
        ],
        [(flow('p: wf.std.parse_json(text = "1") -> state.a = value on ok then end ok', state="a: any"), "WF108")],
    ),
    "A call:": (
        [
            flow(READ),
            flow("c: wf.std.count(array = []) -> state.a = . then end ok", state="a: any"),
            flow(
                's: set state.a = "x" then j',
                "j: wf.std.to_json(value = state.a) -> state.text then end ok",
                state="a: string;text: string",
            ),
        ],
        [
            (
                flow(
                    'p: wf.std.parse_json(text = "1") -> state.a = value then end ok',
                    " invalid -> end ok",
                    state="a: any",
                ),
                "WF306",
            )
        ],
    ),
    "A tool needs a line": (
        [flow(READ), flow("c: wf.std.count(array = []) -> state.a = count then end ok", state="a: integer")],
        [(flow(READ.replace("read_file", "reed_file")), "WF105"), (flow("r: a.b-c(x = 1) then end ok"), "WF001")],
    ),
    "Types:": (
        [
            flow(
                's: set state.a = "x", state.b = [1], state.c = { "d": 1.5 }, state.e = true, state.f = null then end ok',
                state='a: "x" | "y";b: [integer] by extend = [];c: { d: number, e?: any };e: boolean = false;f: null | string',
            )
        ],
        [
            (flow('s: set state.a = "z" then end ok', state='a: "x" | "y"'), "WF310"),
            (flow(READ, state="a: string by added"), "WF410"),
        ],
    ),
    "def NAME uses": (
        [
            flow(READ.replace("fs.read_file", "get"), head=f"def get uses fs.read_file {more} timeout 30s")
            for more in ("retry 3 delay 2s", "retry 3 backoff 2 limit 60s on node_failed|node_timeout")
        ],
        [(flow(READ.replace("fs.read_file", "get"), head="def get uses fs.read_file effects write retry 3"), "WF600")],
    ),
    "catch node_failed": (
        [
            flow(
                f'r: fs.read_file(path = "a") -> state.a = error.message on bad catch {codes} as bad then end ok',
                " bad -> end ok",
            )
            for codes in ("|".join(CATCHABLE), '"node_failed:Gone"|node_timeout')
        ],
        [
            (
                flow(
                    'r: fs.read_file(path = "a") -> state.a = content catch failed as bad then end ok', " bad -> end ok"
                ),
                "WF012",
            )
        ],
    ),
    "if PATH": (
        [
            flow(
                's: set state.n = 1, state.a = "x" then c',
                f"c: if {check} then end ok else r",
                READ,
                state="a: string;n: integer",
            )
            for check in (
                'state.a == "x"',
                "state.n != 2 and (state.n <= 3 or state.n >= 4)",
                "not state.n < 2 or state.n > 5",
                "exists input.z",
            )
        ],
        [(flow('c: if state.a = "x" then end ok else end ok'), "WF001")],
    ),
    "foreach NAME": (
        [
            flow(
                "e: foreach p in state.in parallel max 4 errors skip do r then end ok",
                "r: fs.read_file(path = context.p) -> state.a = content then e",
                state='a: [string] by append = [];in: [string] = ["x"]',
            ),
            flow(
                "e: foreach p in state.in errors collect -> state.a = errors on done do r then end ok",
                "r: fs.read_file(path = context.p) then e",
                state='a: any;in: [string] = ["x"]',
            ),
        ],
        [
            (
                flow(
                    "e: foreach p in state.in do r then end ok",
                    "r: fs.read_file(path = context.p) -> state.a = content then end ok",
                    state='a: string;in: [string] = ["x"]',
                ),
                "WF205",
            ),
        ],
    ),
    "set x": (
        [
            flow(
                "s: set state.b = 1 then w",
                "w: wait 60s then t",
                "t: subgraph child -> state.a = y then end ok",
                state="a: integer;b: integer",
                more=CHILD,
            ),
        ],
        [(flow("t: subgraph child -> state.a = y then end ok", state="a: integer"), "WF700")],
    ),
    "def NAME(a: T": (
        [
            flow(
                'f: find(q = "a") -> state.a = c on ok, state.a = d on none then end ok',
                " none -> end ok",
                head="def find(q: string, b?: string) -> { c: string } outcomes ok, none -> { d: string }"
                " uses fs.read_file effects read",
            )
        ],
        [
            (
                flow(
                    'f: find(q = "a") -> state.a = c then end ok',
                    head="def find(q: string) -> { c: string } outcomes ok, none -> { d: string } effects read",
                ),
                "WF108",
            )
        ],
    ),
    "fork a -> STEP when": (
        [
            flow(
                "f: fork a -> x when state.a == 1, b -> y",
                "x: set state.b = 1 then j",
                "y: set state.c = 1 then j",
                "j: join then end ok",
                state="a: integer = 1;b: integer;c: integer",
            ),
            flow(
                "e: foreach p in state.in parallel locals state.a do r then end ok",
                "r: fs.read_file(path = context.p) -> state.a = content then s",
                "s: set state.out = state.a then e",
                state='a: string;out: [string] by append = [];in: [string] = ["x"]',
            ),
        ],
        [
            (
                flow(
                    "e: foreach p in state.in parallel locals state.tmp do r then end ok",
                    "r: fs.read_file(path = context.p) -> state.a = content then s",
                    "s: set state.out = state.a then e",
                    state='a: string;out: [string] by append = [];in: [string] = ["x"]',
                ),
                "WF307",
            )
        ],
    ),
    "errors collect:": (
        [
            flow(
                f"e: foreach p in state.in errors collect -> state.bad = errors, state.n = {source} do r then end ok",
                "r: fs.read_file(path = context.p) -> state.a = content then e",
                state='a: string;bad: any;n: any;in: [string] = ["x"]',
            )
            for source in ("count", "succeeded", "failed")
        ],
        [
            (
                flow(
                    "e: foreach p in state.in errors collect -> state.bad = results do r then end ok",
                    "r: fs.read_file(path = context.p) -> state.a = content then e",
                    state='a: string;bad: any;in: [string] = ["x"]',
                ),
                "WF306",
            )
        ],
    ),
    "A kind of your own:": (
        [
            flow(
                'o: interrupt survey(q = "?") request { q: string } -> state.a = n on given'
                " outcomes given -> { n: string }, none -> { why?: string }",
                " given | none -> end ok",
            )
        ],
        [
            (
                flow(
                    "o: interrupt survey(q = 1) request { q: string } -> state.a = n on given"
                    " outcomes given -> { n: string }, none -> { why?: string }",
                    " given | none -> end ok",
                ),
                "WF310",
            )
        ],
    ),
    "$Name: TYPE": ([NAMED.format(value=3)], [(NAMED.format(value=10), "WF310")]),
    "More types:": (
        [DESCRIBED.format(text="ab", status="x")],
        [
            (DESCRIBED.format(text="b", status="x"), "WF310"),
            (DESCRIBED.format(text="ab", status="z"), "WF310"),
            (DESCRIBED.format(text="ab", status="x").replace("start s", "start t"), "WF100"),
        ],
    ),
    "Several workflows": (
        [
            flow("t: subgraph child -> state.a = y then end ok", state="a: integer", more=CHILD),
            CHILD + "main " + flow("t: subgraph child -> state.a = y then end ok", state="a: integer"),
        ],
        [(flow("t: subgraph child -> state.a = y then end ok", state="a: integer", more=CHILD + CHILD), "WF103")],
    ),
}


def test_it_keeps_to_2000_tokens() -> None:
    assert len(bpe_openai.get_encoding("o200k_base").encode(text_card())) <= 2000


def test_every_rule_has_its_proof() -> None:
    told = {rule: [beginning for beginning in PROOFS if rule.startswith(beginning)] for rule in TEXT_RULES}
    assert {rule: proofs for rule, proofs in told.items() if len(proofs) != 1} == {}
    assert len(PROOFS) == len(TEXT_RULES)
    # The others are those of the other card, and are proved there.
    lines = [line.removeprefix("- ") for line in text_card().splitlines() if line.startswith("- ")]
    assert [line for line in lines if line not in (*TEXT_RULES, *RULES)] == []


@pytest.mark.parametrize("beginning", PROOFS)
def test_what_a_rule_allows_is_clean_and_what_it_forbids_is_found(beginning: str) -> None:
    allowed, forbidden = PROOFS[beginning]
    assert [found(one) for one in allowed] == [set()] * len(allowed)
    assert [code in found(one) for one, code in forbidden] == [True] * len(forbidden), [
        found(one) for one, _ in forbidden
    ]


@pytest.mark.parametrize("example", TEXT_EXAMPLES)
def test_the_examples_are_clean_strictly_and_stand_on_the_card(example: str) -> None:
    assert found(example, strict=True) == set()
    assert example in text_card()


def test_the_card_tells_every_keyword_of_the_grammar_and_every_choice() -> None:
    known = set(re.findall(r"[A-Za-z_]+", text_card()))
    choices = {
        value
        for step in ("foreach_step", "node_definition")
        for field in workflow_schema()["$defs"][step]["properties"].values()
        for value in field.get("enum", ())
    }
    words = {*language().words.keywords, *CATCHABLE, *choices, *workflow_schema()["$defs"]["module"]["properties"]}
    assert [word for word in sorted(words - FOR_STRANGE_DOCUMENTS - {"workflows"}) if word not in known] == []
    assert set(language().words.keywords) >= FOR_STRANGE_DOCUMENTS
    assert [sign for sign in language().words.signs if sign not in text_card()] == []
