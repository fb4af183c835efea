"""From a request to a workflow, with the compiler in the loop (reference 4.6)."""

from typing import TYPE_CHECKING, Any

from wfc.planner.chosen import chosen_planner
from wfc.planner.command import Command
from wfc.planner.forms import FORMS, JSON_FORM, TEXT_FORM, Form
from wfc.planner.loop import Options, plan
from wfc.planner.outcome import RESULT_FORMAT, SESSION_FORMAT, Plan, Round, replies_of
from wfc.planner.planners import Message, Planner, PlannerFault, Reply, Scripted
from wfc.planner.reading import Read, read_answer
from wfc.planner.schema import PLAN_SCHEMA
from wfc.planner.sessions import PLANS_FOLDER, SessionFault, Sessions

if TYPE_CHECKING:
    from wfc.planner.http import ANTHROPIC_URL, OPENAI_URL, Anthropic, OpenAi

_OF_HTTP = ("ANTHROPIC_URL", "OPENAI_URL", "Anthropic", "OpenAi")
__all__ = [
    "ANTHROPIC_URL",
    "FORMS",
    "JSON_FORM",
    "OPENAI_URL",
    "PLANS_FOLDER",
    "PLAN_SCHEMA",
    "RESULT_FORMAT",
    "SESSION_FORMAT",
    "TEXT_FORM",
    "Anthropic",
    "Command",
    "Form",
    "Message",
    "OpenAi",
    "Options",
    "Plan",
    "Planner",
    "PlannerFault",
    "Read",
    "Reply",
    "Round",
    "Scripted",
    "SessionFault",
    "Sessions",
    "chosen_planner",
    "plan",
    "read_answer",
    "replies_of",
]


def __getattr__(name: str) -> Any:
    if name not in _OF_HTTP:
        raise AttributeError(f"`wfc.planner` has no `{name}`")
    from wfc.planner import http

    return getattr(http, name)
