"""What a configuration says, as frozen values; the defaults here hold where there is no configuration.

Reference 4.2. Field names are the keys of `wfc.toml` with `_` for `-`. `wfc.project.parse` makes these from a file;
a value here is well-formed, whoever made it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Literal

from wfc.records import dataclass, field

Effects = Literal["pure", "read", "idempotent", "write"]
FailLevel = Literal["error", "warning", "note"]
# Headers whose values are credentials, whatever they look like.
CREDENTIAL_HEADERS = ("authorization", "proxy-authorization", "cookie", "x-api-key", "api-key")
# `json`, or a table such as `{"regex": "(?P<sha>\\w+)", "all": true}`; keys as they stand in the file.
Adapter = str | Mapping[str, Any]


class ConfigFault(Exception):
    """A configuration that cannot be used: one sentence with the file, the place and what was expected."""


@dataclass(frozen=True, slots=True)
class CheckSettings:
    """`[check]`: what `wfc check` reports and which findings make it fail.

    `baseline` names a file of findings that were there before; it is relative to the configuration.
    """

    strict: bool = False
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    per_file_ignores: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    fail_level: FailLevel = "error"
    baseline: str | None = None


@dataclass(frozen=True, slots=True)
class PlanSettings:
    """`[plan]`: which planner writes workflows, and how far it may go."""

    planner: str | None = None
    model: str | None = None
    base_url: str | None = None
    max_rounds: int = 3
    catalogue_tokens: int = 8000


@dataclass(frozen=True, slots=True)
class ToolSettings:
    """`[sources.NAME.tools.TOOL]`: a typed output for a tool that declares none, and names that paths can hold.

    `adapt` is applied left to right. `rename` maps a parameter of the tool to its name in workflows.
    """

    output: Mapping[str, Any] | bool | None = None
    adapt: tuple[Adapter, ...] = ()
    effects: Effects | None = None
    rename: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class _SourceSettings:
    """What every kind of source can be told. `allow`, `deny` are patterns over tool names."""

    allow: tuple[str, ...] = ("*",)
    deny: tuple[str, ...] = ()
    timeout_seconds: float | None = None
    max_concurrency: int | None = None
    effects: Mapping[str, Effects] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.timeout_seconds is not None and not 0 < self.timeout_seconds < math.inf:
            raise ValueError(f"`timeout_seconds` is {self.timeout_seconds}; expected a number above 0")
        if self.max_concurrency is not None and self.max_concurrency < 1:
            raise ValueError(f"`max_concurrency` is {self.max_concurrency}; expected 1 or more")


@dataclass(frozen=True, slots=True, kw_only=True)
class OAuthSettings:
    """`[sources.NAME.oauth]`: a client that gets its tokens with credentials of its own. `client_secret` is a reference
    to a variable of the environment; `issuer` is the one server that may ever see it."""

    client_id: str
    client_secret: str
    issuer: str
    scope: str | None = None
    method: Literal["client_secret_basic", "client_secret_post"] = "client_secret_basic"

    def __post_init__(self) -> None:
        if "${" not in self.client_secret:
            raise ValueError("`client_secret` is written out; expected a reference such as `${CLIENT_SECRET}`")


@dataclass(frozen=True, slots=True, kw_only=True)
class McpSettings(_SourceSettings):
    """An MCP server: a command to start, an address, or an entry of a file of MCP servers as other clients use it.

    `${NAME}` in `args`, `env`, `url` and `headers` is a variable of the environment: see `wfc.project.secrets`.
    `headers_from` is a command that prints headers.
    """

    kind: Literal["mcp"] = "mcp"
    command: str | None = None
    args: tuple[str, ...] = ()
    env: Mapping[str, str] = field(default_factory=dict)
    cwd: str | None = None
    url: str | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    headers_from: str | None = None
    oauth: OAuthSettings | None = None
    mcp_config: str | None = None
    tools: Mapping[str, ToolSettings] = field(default_factory=dict)

    def __post_init__(self) -> None:
        _SourceSettings.__post_init__(self)
        ways = [name for name in ("command", "url", "mcp_config") if getattr(self, name) is not None]
        if len(ways) != 1:
            given = " and ".join(f"`{name}`" for name in ways) or "none of them"
            raise ValueError(f"{given} is given; expected exactly one of `command`, `url`, `mcp_config`")
        of_url = [name for name in ("headers", "headers_from", "oauth") if getattr(self, name)]
        if self.command is not None and of_url:
            raise ValueError(f"`{of_url[0]}` goes with `url`; a `command` gets its credentials by `env`")
        for name, value in self.headers.items():
            if name.lower() in CREDENTIAL_HEADERS and "${" not in value:
                raise ValueError(f"the header `{name}` is written out; expected a reference such as `${{TOKEN}}`")


@dataclass(frozen=True, slots=True, kw_only=True)
class PythonSettings(_SourceSettings):
    """A Python module whose functions are marked with `@wfc.node`."""

    kind: Literal["python"] = "python"
    module: str


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkflowSettings(_SourceSettings):
    """Published workflows, each as one capability: `workflows` maps its name to `artifact:ID@N` or `deployment:NAME`.

    `store` is where they are published, by default the store of the project.
    """

    kind: Literal["workflow"] = "workflow"
    workflows: Mapping[str, str]
    store: str | None = None

    def __post_init__(self) -> None:
        _SourceSettings.__post_init__(self)
        for name, reference in self.workflows.items():
            kind, _, rest = reference.partition(":")
            identity, _, version = rest.rpartition("@")
            is_version = bool(identity) and version.isascii() and version.isdigit() and version[0] != "0"
            if not (kind == "artifact" and is_version) and not (kind == "deployment" and rest):
                expected = "expected `artifact:ID@N` or `deployment:NAME`"
                raise ValueError(f"`{name}` of `workflows` is `{reference}`; {expected}")


SourceSettings = McpSettings | PythonSettings | WorkflowSettings


@dataclass(frozen=True, slots=True)
class Settings:
    """A whole configuration. `step_limit` none means the language's own (reference 2.6)."""

    libraries: tuple[str, ...] = ()
    store: str | None = None
    step_limit: int | None = None
    check: CheckSettings = field(default_factory=CheckSettings)
    plan: PlanSettings = field(default_factory=PlanSettings)
    sources: Mapping[str, SourceSettings] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.step_limit is not None and self.step_limit < 1:
            raise ValueError(f"`step_limit` is {self.step_limit}; expected 1 or more")
