"""No credential stands in a workflow or a configuration (reference 1.3, 4.2): sources get theirs by reference.

Guarantees: only shapes that are known to be credentials are reported, and the credential itself is never repeated.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from wfc.diagnostics import Code, Diagnostic, Place, Severity
from wfc.ir import (
    Compare,
    Condition,
    ConditionStep,
    ForeachStep,
    ForkStep,
    InterruptStep,
    Schema,
    Step,
    Value,
)
from wfc.passes.examples import example
from wfc.passes.facts import Facts
from wfc.passes.facts.returns import inputs_of
from wfc.passes.graph.flow import Flow
from wfc.records import replace
from wfc.source import pointer

SECRET_LITERAL = Code(
    code="WF800",
    rule="secret-literal",
    severity=Severity.WARNING,
    message="a literal here looks like {got}; expected no credential there",
    help="take it out and revoke it; a source gets its credentials by its configuration, as `${{NAME}}` there",
    why=(
        "A workflow is stored, shared, shown in traces and sent to models, and all of them would hold the credential "
        "as well. Calls get theirs from the configuration of their source, so that no payload and no state ever has "
        "one."
    ),
    unrepaired="a secret belongs into the configuration of its source, from where no change of the workflow "
    "can fetch it",
    example=example(
        """{"name": "greet", "start": "hello",
 "node_defs": [{"name": "send", "uses": "chat.send", "outcomes": ["ok"], "effects": "write", "input_schema": {
   "type": "object", "properties": {"text": {"type": "string"}, "key": {"type": "string"}}, "required": ["text"]}}],
 "nodes": [{"id": "hello", "type": "node", "node": "send", "input": [{"target": "text", "value": "Hello"},
   {"target": "key", "value": "ghp_Vt3Hn8QzLx5Rk2Wd9Ym4Bc7Jf1Pg6Ts0Aeuq"}]}],
                              ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
 "edges": [{"from": "hello", "outcome": "ok", "to": "__end__"}]}
""",
        (',\n   {"target": "key", "value": "ghp_Vt3Hn8QzLx5Rk2Wd9Ym4Bc7Jf1Pg6Ts0Aeuq"}', ""),
    ),
)
CODES = (SECRET_LITERAL,)

# What each shape is; its group is the part that has to look random.
_SHAPES: Mapping[str, str] = {
    "an AWS access key": r"\b(?:AKIA|ASIA)([A-Z2-7]{16})\b",
    "a GitHub token": r"\b(?:gh[opsur]_|github_pat_)([A-Za-z0-9_]{36,255})\b",
    "a GitLab token": r"\bgl(?:pat|dt|rt|ft|cbt|ptt)-([A-Za-z0-9_-]{20,64})",
    "a Slack token": r"\bxox[abeoprs]-([A-Za-z0-9-]{20,200})",
    "a Slack webhook": r"https://hooks\.slack\.com/(?:services|workflows)/([A-Za-z0-9/_-]{30,200})",
    "a Discord webhook": r"https://(?:ptb\.|canary\.)?discord(?:app)?\.com/api/webhooks/\d{15,21}/([\w-]{60,80})",
    "a Stripe key": r"\b[rs]k_live_([A-Za-z0-9]{16,200})\b",
    "an Anthropic key": r"\bsk-ant-[a-z]+\d\d-([A-Za-z0-9_-]{40,200})",
    "an OpenAI key": r"\bsk-(?:(?:proj|svcacct|admin)-)?([A-Za-z0-9_-]{20,150}T3BlbkFJ[A-Za-z0-9_-]{20,150})",
    "a Google key": r"\bAIza([A-Za-z0-9_-]{35})(?![A-Za-z0-9_-])",
    "a Google client secret": r"\bGOCSPX-([A-Za-z0-9_-]{28})(?![A-Za-z0-9_-])",
    "a Hugging Face token": r"\bhf_([A-Za-z0-9]{34})\b",
    "an npm token": r"\bnpm_([A-Za-z0-9]{36})\b",
    "a PyPI token": r"\bpypi-(AgEI[A-Za-z0-9_-]{50,300})",
    "a SendGrid key": r"\bSG\.([A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43})(?![A-Za-z0-9_-])",
    "a Telegram bot token": r"\b\d{8,10}:(AA[A-Za-z0-9_-]{33})(?![A-Za-z0-9_-])",
    "a DigitalOcean token": r"\bdo[opr]_v1_([a-f0-9]{64})\b",
    "a JSON Web Token": r"\beyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.([A-Za-z0-9_-]{20,})",
    "a private key": r"-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----\s*([A-Za-z0-9+/=\s]{40,})",
    "a storage account key": r"\bAccountKey=([A-Za-z0-9+/]{86}==)",
    "a password in an address": r"\b[a-z][a-z0-9+.-]*://[^\s/:@'\"]+:([^\s/:@'\"{}$<>*%]{8,})@[A-Za-z0-9]",
}
# Every shape has one of these, so that a text without them need not be tried.
_MARKS = re.compile(
    r"A[KS]IA|gh[opsur]_|github_pat_|gl[a-z]{2,3}-|xox|hooks\.slack|webhooks|_live_|sk-|AIza|GOCSPX|hf_|npm_|pypi-|SG\.|:AA"
    r"|_v1_|eyJ|PRIVATE KEY|AccountKey|://"
)
_SHORTEST, _LEAST, _VARIED = 16, 5, 10
_EXAMPLE = re.compile(
    r"example|sample|dummy|placeholder|your|xxxx|1234567|abcdef|changeme|password|secret|redacted", re.I
)


def check(facts: Facts) -> Iterator[Diagnostic]:
    """Report each literal that holds a credential: what steps bind and compare, what schemas and remarks say."""
    for flow in facts.flows:
        for value, place in _written(flow):
            for path, what in _credentials(value):
                here = Place(place.file, place.pointer + path, place.workflow, place.step, place.field)
                yield SECRET_LITERAL.at(here, confidence="likely", got=what, expected="no credential")
    catalogue = facts.module.catalogue
    for where, text in catalogue.texts:
        found = credential_in(text)
        if found is not None:
            place = Place(catalogue.file, where)
            yield SECRET_LITERAL.at(place, confidence="likely", got=found, expected="no credential")


Written = Iterator[tuple[Any, Place]]


def _written(flow: Flow) -> Written:
    """Every value that the author wrote into a workflow, with its place; of steps only those that can be reached."""
    workflow = flow.workflow
    at = workflow.at
    yield from ((workflow.desc, at.below("desc")), (workflow.extra, at))
    for field in ("input_schema", "state_schema", "output_schema"):
        yield from _schema(getattr(workflow, field), at.below(field))
    for definition in workflow.defs:
        if definition.written:
            yield from ((definition.desc, definition.at.below("desc")), (definition.extra, definition.at))
            yield from _schema(definition.input_schema, definition.at.below("input_schema"))
            yield from _schema(definition.output_schema, definition.at.below("output_schema"))
            for outcome, schema in definition.outcome_schemas.items():
                yield from _schema(schema, definition.at.below("outcome_schemas", outcome))
    for name in flow.reachable:
        step = flow.steps[name]
        if step.desc is not None:
            yield step.desc, step.at.below("desc")
        if step.extra:
            yield step.extra, step.at
        yield from _of_step(step)


def _schema(schema: Schema | None, place: Place) -> Written:
    if schema is not None and _MARKS.search(schema.text):
        yield schema.value, place


def _of_step(step: Step) -> Written:
    for binding in inputs_of(step):
        if isinstance(binding.source, Value):
            yield binding.source.value, binding.at.below("value")
    match step:
        case InterruptStep():
            yield from _schema(step.request_schema, step.at.below("request_schema"))
            yield from _schema(step.resume_schema, step.at.below("resume_schema"))
            for outcome, schema in step.resume_schemas.items():
                yield from _schema(schema, step.at.below("resume_schemas", outcome))
        case ForeachStep(over=Value(value)):
            yield value, step.at.below("over", "value")
        case ConditionStep():
            yield from _compared(step.check, step.at.below("check"))
        case ForkStep():
            for branch in step.branches:
                if branch.when is not None:
                    yield from _compared(branch.when, branch.at.below("when"))


def _compared(condition: Condition, place: Place) -> Written:
    for test, spot in zip(condition.tests, condition.spots, strict=False):
        if isinstance(test, Compare):
            here = replace(place, pointer=place.pointer + spot)
            for side in ("left", "right"):
                operand = test.left if side == "left" else test.right
                if isinstance(operand, Value):
                    yield operand.value, here.below(side, "value")


# -- shapes -----------------------------------------------------------------------------------------------------------


def _credentials(value: Any) -> Iterator[tuple[str, str]]:
    """The texts inside a value that hold a credential, by JSON pointer, and what each looks like."""
    waiting: list[tuple[str, Any]] = [("", value)]
    while waiting:
        path, item = waiting.pop()
        if isinstance(item, str):
            what = credential_in(item)
            if what is not None:
                yield path, what
        elif isinstance(item, Mapping):
            waiting += [(path + pointer(key), inner) for key, inner in item.items()]
        elif isinstance(item, list):
            waiting += [(f"{path}/{index}", inner) for index, inner in enumerate(item)]


def credential_in(text: str) -> str | None:
    """What a text holds that is surely no example: a known shape whose own part looks random."""
    if len(text) < _SHORTEST or not _MARKS.search(text):
        return None
    for what, shape in _SHAPES.items():
        for found in re.finditer(shape, text):
            if _is_random(next(part for part in found.groups() if part is not None)):
                return what
    return None


def _is_random(part: str) -> bool:
    """Whether a part is of many different characters, letters and digits among them, and says nothing."""
    varied = len(set(part)) >= min(_VARIED, max(_LEAST, len(part) // 2))
    return varied and not part.isalpha() and not part.isdigit() and not _EXAMPLE.search(part)
