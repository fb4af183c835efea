"""The server of the protocol: the one door to the `mcp` SDK (reference 4.7).

Guarantees: a fault of the client's arguments is an answer that says so; a request that is cancelled, or whose stream is
lost, stops waiting and nothing else; the answer to a question finds its run by its id and never begins a second one.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from typing import Any

import anyio
import mcp_types as types
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.request_state import AESGCMRequestStateCodec, RequestStateBoundary, RequestStateSecurity
from mcp.server.stdio import stdio_server
from mcp.server.transport_security import TransportSecuritySettings
from mcp.shared.message import SessionMessage
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from wfc.diagnostics import close_match
from wfc.services.answers import text_of
from wfc.services.arguments import faults_of
from wfc.services.desk import Answer, Desk
from wfc.services.keys import project_key
from wfc.services.questions import answer_of, form_of, message_of
from wfc.services.tools import BY_NAME, TOOLS, ToolText
from wfc.version import VERSION

_NAME = "wfc"
_INSTRUCTIONS = (
    "Write a workflow (language_help), check it, mend it by its hash, plan it, run it. A run goes on by itself; when it"
    " is `interrupted` a person has to answer: control_run with action resume."
)
_LOCAL = ("127.0.0.1", "localhost", "[::1]")
_ANSWER = "answer"
_ASKING = ("run_workflow", "control_run")
_MOST_QUESTIONS = 10
# A person may answer days later; a question that was answered meanwhile is refused as such.
_SECONDS_OF_A_QUESTION = 7 * 24 * 3600.0

Context = ServerRequestContext[Any, Any]


def build(desk: Desk) -> Server[Any]:
    """A server that answers from a desk."""

    async def listed(ctx: Context, params: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[_listed(tool) for tool in TOOLS])

    async def called(
        ctx: Context, params: types.CallToolRequestParams
    ) -> types.CallToolResult | types.InputRequiredResult:
        return await _Request(desk, ctx).called(params)

    server: Server[Any] = Server(
        _NAME,
        version=VERSION,
        instructions=_INSTRUCTIONS,
        on_list_tools=listed,
        on_call_tool=called,
        get_tool_input_schema=lambda name: BY_NAME[name].input_schema if name in BY_NAME else None,
    )
    # What comes back with the answer to a question is sealed, so that nobody answers for a run that is not theirs.
    security = RequestStateSecurity(codec=_Seal(), ttl=_SECONDS_OF_A_QUESTION)
    server.middleware.append(RequestStateBoundary(security, default_audience=_NAME))
    return server


class _Seal:
    """Seals with the key of the project, which is looked for when something is sealed first."""

    def __init__(self) -> None:
        self._codec: AESGCMRequestStateCodec | None = None

    def seal(self, payload: bytes) -> str:
        return self._opened().seal(payload)

    def unseal(self, token: str) -> bytes:
        return self._opened().unseal(token)

    def _opened(self) -> AESGCMRequestStateCodec:
        if self._codec is None:
            self._codec = AESGCMRequestStateCodec([project_key()])
        return self._codec


async def serve_stdio(desk: Desk) -> None:
    """Serve one client over standard input and output, until it closes them."""
    server = build(desk)
    try:
        async with stdio_server() as (read, write), anyio.create_task_group() as beside:
            sound, understood = anyio.create_memory_object_stream[SessionMessage | Exception](0)
            beside.start_soon(_sifted, read, sound, write)
            await server.run(understood, write, server.create_initialization_options())
            beside.cancel_scope.cancel()
    finally:
        await desk.runs.close()


async def _sifted(read: Any, sound: Any, write: Any) -> None:
    """Pass messages on. A line that is none is answered, where the SDK alone would say nothing to it."""
    async with sound:
        async for message in read:
            if not isinstance(message, Exception):
                await sound.send(message)
                continue
            garbled = "json_invalid" in {one["type"] for one in getattr(message, "errors", list)()}
            code, told = (types.PARSE_ERROR, "Parse error") if garbled else (types.INVALID_REQUEST, "Invalid Request")
            error = types.JSONRPCError(jsonrpc="2.0", id=None, error=types.ErrorData(code=code, message=told))
            await write.send(SessionMessage(error))


def http_app(desk: Desk, origins: Sequence[str] | None) -> Any:
    """The application of the streamable HTTP transport, at `/mcp`.

    With `origins` it is of this machine only: requests that name another host, or come from pages of another origin,
    are refused. Without, somebody before it has to decide.
    """
    security = TransportSecuritySettings(
        enable_dns_rebinding_protection=origins is not None,
        allowed_hosts=[f"{host}:*" for host in _LOCAL],
        allowed_origins=[
            *(f"{scheme}://{host}:*" for scheme in ("http", "https") for host in _LOCAL),
            *(origins or ()),
        ],
    )
    return build(desk).streamable_http_app(transport_security=security)


def _listed(tool: ToolText) -> types.Tool:
    reads, destroys, repeats, opens = tool.hints
    return types.Tool(
        name=tool.name,
        description=tool.description,
        input_schema=tool.input_schema,
        output_schema=tool.output_schema,
        annotations=types.ToolAnnotations(
            read_only_hint=reads, destructive_hint=destroys, idempotent_hint=repeats, open_world_hint=opens
        ),
    )


class _Request:
    """One call of a tool."""

    def __init__(self, desk: Desk, ctx: Context) -> None:
        self._desk = desk
        self._ctx = ctx
        self._began = asyncio.get_running_loop().time()

    async def called(self, params: types.CallToolRequestParams) -> types.CallToolResult | types.InputRequiredResult:
        given = params.arguments or {}
        tool = BY_NAME.get(params.name)
        if tool is None:
            near = close_match(params.name, list(BY_NAME))
            return _faulty(f"`{params.name}` is no tool here" + (f"; nearest: `{near}`" if near else ""))
        faults = list(faults_of(tool.input_schema, given))
        if faults:
            return _faulty(f"the arguments of `{tool.name}` do not fit: {'; '.join(faults)}")
        response = (params.input_responses or {}).get(_ANSWER)
        if params.request_state is not None and isinstance(response, types.ElicitResult):
            answer = await self._answered(json.loads(params.request_state), response, given)
        else:
            answer = await self._desk.answer(tool.name, given, self._progress)
        return await self._told(answer, given) if tool.name in _ASKING else _result(answer)

    async def _told(self, answer: Answer, given: Mapping[str, Any]) -> types.CallToolResult | types.InputRequiredResult:
        """The answer, or the question of a run to whoever can answer it through this client."""
        for _ in range(_MOST_QUESTIONS):
            request = self._question(answer)
            if request is None:
                break
            state = {"run_id": answer["run_id"], "interrupt_id": answer["interrupt"]["id"]}
            if self._ctx.protocol_version in MODERN_PROTOCOL_VERSIONS:
                return types.InputRequiredResult(
                    input_requests={_ANSWER: types.ElicitRequest(params=request)}, request_state=json.dumps(state)
                )
            response = await self._ctx.session.elicit_form(
                request.message, request.requested_schema, self._ctx.request_id
            )
            answer = await self._answered(state, response, given)
        return _result(answer)

    def _question(self, answer: Answer) -> types.ElicitRequestFormParams | None:
        """The form for the question of an interrupted run, where the client can show one and nobody has declined it."""
        interrupt = answer.get("interrupt")
        if answer.get("status") != "interrupted" or not interrupt or answer.get("declined") or not self._can_ask():
            return None
        form = form_of(interrupt)
        if form is None:
            return None
        return types.ElicitRequestFormParams(message=message_of(interrupt), requested_schema=form)

    def _can_ask(self) -> bool:
        capabilities = self._ctx.session.client_capabilities
        elicitation = capabilities.elicitation if capabilities is not None else None
        if elicitation is None or (elicitation.form is None and elicitation.url is not None):
            return False
        return self._ctx.protocol_version in MODERN_PROTOCOL_VERSIONS or self._ctx.session.can_send_request

    async def _answered(
        self, state: Mapping[str, str], response: types.ElicitResult, given: Mapping[str, Any]
    ) -> Answer:
        """What comes of a run after a person has answered, or has declined to."""
        if response.action != "accept":
            read = await self._desk.answer("read_run", {"run_id": state["run_id"]}, self._progress)
            return {**read, "declined": True}
        outcome, payload = answer_of(response.content or {})
        wanted = {key: given[key] for key in ("wait_seconds",) if key in given}
        resumed = {**state, **wanted, "action": "resume", "outcome": outcome, "payload": payload}
        return await self._desk.answer("control_run", resumed, self._progress)

    async def _progress(self, calls: int, last: str) -> None:
        seconds = asyncio.get_running_loop().time() - self._began
        await self._ctx.session.report_progress(round(seconds, 3), None, f"{calls} calls, {last}")


def _result(answer: Answer) -> types.CallToolResult:
    return types.CallToolResult(
        content=[types.TextContent(type="text", text=text_of(answer))], structured_content=answer
    )


def _faulty(sentence: str) -> types.CallToolResult:
    return types.CallToolResult(content=[types.TextContent(type="text", text=sentence)], is_error=True)
