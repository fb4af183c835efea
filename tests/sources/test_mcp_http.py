"""MCP servers behind an address: every failure is the error of one call, and who calls is told to nobody else."""

import asyncio
import json
import sys

import pytest

from tests.sources.calling import ON_LOOP, called, invoke, with_source
from tests.sources.web import CLIENT, SECRET, TOKEN, web
from wfc.backends.sources import Circumstances, McpServer, OAuth, Progress
from wfc.ir import Completed, Failed


@pytest.fixture
def server():
    with web() as running:
        yield running


def at(running, **more):
    return McpServer("web", url=running.url, **more)


def text(answer):
    return answer.result.output["text"] if isinstance(answer, Completed) else (answer.code, answer.message)


def test_tools_are_listed_and_called_once_each(server):
    first, second = called(at(server), ("echo", {"text": "a"}), ("echo", {"text": "b"}))
    assert (text(first), text(second)) == ("a", "b")
    assert (server.calls("echo"), server.sessions) == (2, 1)
    assert server.requests[-1][0] == "DELETE"


def test_the_call_is_told_its_id_and_attempt(server):
    called(at(server), ("echo", {}))
    (params,) = [
        one["params"] for _, _, one in server.requests if isinstance(one, dict) and one["method"] == "tools/call"
    ]
    assert params["_meta"] == {"wfc/call_id": "call-1", "wfc/attempt": 1}


@pytest.mark.parametrize(
    ("tool", "code", "said"),
    [
        ("drop", "node_failed", "the connection to the server is lost: "),
        ("fail", "node_failed", "the server answers with status 500: out of cheese"),
        ("teapot", "node_failed", "no tea (error -32602)"),
        ("garble", "node_failed", "the server answers what cannot be read: {"),
        ("html", "node_failed", "Unexpected content type: text/html"),
        ("away", "node_failed", "Redirect to http://localhost:1/mcp not followed"),
    ],
)
def test_what_goes_wrong_is_the_error_of_its_call_alone(server, tool, code, said):
    wrong, after = called(at(server), (tool, {}), ("echo", {"text": "still here"}))
    assert (wrong.code, text(after)) == (code, "still here")
    assert wrong.message.startswith(f"source `web`: tool `{tool}`: {said}")
    assert (server.calls(tool), server.sessions) == (1, 1)


@pytest.mark.parametrize("stream", [False, True])
def test_megabytes(server, stream):
    (answer,) = called(at(server), ("big", {"size": 3_000_000, "stream": stream}))
    assert len(text(answer)) == 3_000_000


def test_many_calls_share_one_session(server):
    async def use(source):
        calls = (source.perform("slow", invoke({"together": 20}), ON_LOOP) for _ in range(20))
        return await asyncio.gather(*calls)

    assert [text(answer) for answer in with_source(at(server), use)] == ["20 at once"] * 20
    assert server.sessions == 1


def test_a_call_in_the_middle_of_which_the_server_is_silent(server):
    def ids(ending, of):
        messages = [one for _, _, one in server.requests if isinstance(one, dict) and one["method"].endswith(ending)]
        return [of(one) for one in messages if one["params"].get("name") in (None, "hang")]

    async def use(source):
        # What is not sent in its time, on a slow machine, is sent with more of it.
        for seconds in (0.2, 2, 20, 200):
            late = await source.perform("hang", invoke(timeout=seconds), ON_LOOP)
            if server.calls("hang"):
                break
        after = await source.perform("echo", invoke({"text": "b"}), ON_LOOP)
        sent = ids("tools/call", lambda one: one["id"])[-1]
        async with asyncio.timeout(120):
            while sent not in (told := ids("cancelled", lambda one: one["params"]["requestId"])):
                await asyncio.sleep(0.01)
        return seconds, late, after, told.count(sent)

    seconds, late, after, told = with_source(at(server), use)
    message = f"source `web`: tool `hang`: no answer within {seconds} seconds"
    assert (late.code, late.message, told) == ("node_timeout", message, 1)
    assert text(after) == "b"


def test_a_session_that_is_forgotten_is_begun_again_by_the_next_call(server):
    answers = called(at(server), ("forget", {}), ("echo", {"text": "b"}), ("echo", {"text": "c"}))
    assert text(answers[1]) == (
        "capability_unavailable",
        "source `web`: the server does not know the session any more; the next call begins another one",
    )
    assert text(answers[2]) == "c"
    assert (server.sessions, server.calls("echo")) == (2, 2)


def test_a_server_that_is_not_there():
    async def use(source):
        return source.missing("echo"), await source.perform("echo", invoke(), ON_LOOP)

    why, answer = with_source(McpServer("web", url="http://127.0.0.1:9/mcp"), use)
    assert why == "source `web`: the server cannot be reached: All connection attempts failed"
    assert (answer.code, answer.message) == ("capability_unavailable", why)


def test_a_server_that_goes_away_between_two_calls():
    async def use(source):
        before = await source.perform("echo", invoke({"text": "a"}), ON_LOOP)
        await asyncio.to_thread(stop)
        return before, await source.perform("echo", invoke({"text": "b"}), ON_LOOP)

    opened = web()
    running = opened.__enter__()

    def stop():
        opened.__exit__(None, None, None)

    before, after = with_source(at(running), use)
    assert text(before) == "a"
    assert (type(after), after.code) == (Failed, "capability_unavailable")


def test_an_address_that_is_none():
    async def use(source):
        return source.missing("echo")

    assert with_source(McpServer("web", url="ftp://127.0.0.1/mcp"), use).startswith(
        "source `web`: the server cannot be"
    )


def test_progress_is_passed_on(server):
    told = []
    circumstances = Circumstances("run-1", True, progress=lambda call, progress: told.append((call.node_id, progress)))

    async def use(source):
        return await source.perform("progress", invoke(), circumstances)

    assert text(with_source(at(server), use)) == "done"
    assert told == [("step", Progress(1, 2, "step 1")), ("step", Progress(2, 2, "step 2"))]


# -- authorisation ----------------------------------------------------------------------------------------------------


def test_a_token_in_a_header():
    with web(TOKEN) as running:
        source = at(running, headers={"Authorization": f"Bearer {TOKEN}"}, credentials=(TOKEN,))
        (answer,) = called(source, ("echo", {"text": f"my token is {TOKEN}"}))
    assert text(answer) == "my token is …"


def test_who_is_not_let_in_is_asked_for_authorisation():
    async def use(source):
        return source.missing("echo"), source.wants_authorisation, await source.perform("echo", invoke(), ON_LOOP)

    with web(TOKEN) as running:
        why, wants, answer = with_source(at(running), use)
    reason = "the server asks for authorisation (status 401: log in first)"
    assert (why, wants) == (None, f"source `web`: {reason}")
    assert (answer.code, answer.type) == ("node_failed", "tool_auth")
    assert answer.details == {"source": "web", "reason": reason}
    assert running.calls("echo") == 0


def test_a_server_that_wants_a_person_to_log_in(server):
    (answer,) = called(at(server), ("need_login", {}))
    assert (answer.code, answer.type) == ("node_failed", "tool_auth")
    assert answer.message == "source `web`: tool `need_login`: log in; see http://127.0.0.1/login"
    assert answer.details == {"source": "web", "reason": "log in", "url": "http://127.0.0.1/login"}


def oauth_of(running, secret=SECRET, issuer=None):
    oauth = OAuth(CLIENT, secret, issuer or running.root)
    return at(running, oauth=oauth, credentials=(secret,))


def test_a_client_gets_its_token_with_its_own_secret():
    with web(TOKEN, oauth=True) as running:
        first, second = called(oauth_of(running), ("echo", {"text": TOKEN}), ("echo", {"text": SECRET}))
    assert (text(first), text(second)) == ("…", "…")
    assert len([one for one in running.requests if one[0] == "TOKEN"]) == 1
    assert running.calls("echo") == 2


@pytest.mark.parametrize("wrong", ["secret", "issuer"])
def test_a_client_that_gets_no_token(wrong):
    with web(TOKEN, oauth=True) as running:
        bad = {"secret": "wr0ng-secret-of-the-client"} if wrong == "secret" else {"issuer": "http://127.0.0.1:9"}
        (answer,) = called(oauth_of(running, **bad), ("echo", {}))
    assert (answer.code, answer.type) == ("node_failed", "tool_auth")
    assert "no token is to be had: " in answer.message
    assert "wr0ng" not in json.dumps(answer.details) + answer.message
    if wrong == "issuer":
        assert [one for one in running.requests if one[0] == "TOKEN"] == []


def printing(code):
    return f'{sys.executable} -c "{code}"'


@pytest.mark.parametrize(
    "code",
    [
        f"import json; print(json.dumps(dict(Authorization='Bearer {TOKEN}')))",
        f"print('Authorization: Bearer {TOKEN}')",
    ],
)
def test_headers_that_a_command_prints(code):
    with web(TOKEN) as running:
        (answer,) = called(at(running, headers_from=printing(code)), ("echo", {"text": TOKEN}))
    assert text(answer) == "…"


@pytest.mark.parametrize(
    ("command", "why"),
    [
        (
            printing(f"print('{TOKEN}')"),
            "prints no headers; expected a JSON object of texts, or lines such as `Name: value`",
        ),
        (printing(f"import sys; sys.exit('{TOKEN}')"), "ended with exit code 1"),
        (f"nothing-there {TOKEN}", "cannot be run: FileNotFoundError"),
        ("'", "cannot be run: ValueError"),
    ],
)
def test_headers_that_are_not_to_be_had(server, command, why):
    async def use(source):
        return source.missing("echo")

    assert with_source(at(server, headers_from=command), use) == f"source `web`: `headers_from` {why}"
