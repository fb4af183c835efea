"""Which planner is meant: by the options of a command, else by `[plan]` of the configuration."""

from __future__ import annotations

import shlex

from wfc.planner.command import Command
from wfc.planner.planners import Planner
from wfc.project import ConfigFault, Project

_KINDS = "`openai`, `anthropic` or a command line"


def chosen_planner(project: Project, named: str | None, model: str | None, base_url: str | None) -> Planner:
    """The planner that answers. Raises `ConfigFault` where none is named, or its model is not."""
    settings = project.settings.plan
    kind = named or settings.planner
    if kind is None:
        raise ConfigFault(f"no planner is named; give `--planner`, or `planner` in `[plan]`: {_KINDS}")
    if kind not in ("openai", "anthropic"):
        return Command(_words(kind))
    wanted, address = model or settings.model, base_url or settings.base_url
    if wanted is None:
        raise ConfigFault(f"the planner `{kind}` needs a model; give `--model`, or `model` in `[plan]`")
    from wfc.planner.http import ANTHROPIC_URL, OPENAI_URL, Anthropic, OpenAi

    if kind == "openai":
        return OpenAi(wanted, address or OPENAI_URL)
    return Anthropic(wanted, address or ANTHROPIC_URL)


def _words(line: str) -> tuple[str, ...]:
    try:
        words = tuple(shlex.split(line))
    except ValueError as wrong:
        raise ConfigFault(f"the planner `{line}` is no command line: {wrong}") from None
    if not words:
        raise ConfigFault(f"the planner is empty; expected {_KINDS}")
    return words
