"""An MCP server written by hand, for everything that a good library would never do. `raw.py [MANNER…]`.

It speaks the old handshake. A manner changes how it starts or ends; what a tool does wrong is told by its name.
"""

import json
import os
import random
import signal
import subprocess
import sys
import time

MANNERS = set(sys.argv[1:])
STATUS = {"type": "object", "properties": {"status": {"enum": ["a", "b"]}}, "required": ["status"]}
TOOLS = {}


def tool(**listed):
    def mark(function):
        TOOLS[function.__name__] = (function, listed)
        return function

    return mark


def send(message):
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def raw(data):
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def text(said, **more):
    return {"content": [{"type": "text", "text": said}], **more}


@tool()
def echo(params):
    """What arrived, as structured content."""
    return text("", structuredContent={"arguments": params["arguments"], "meta": params["_meta"]})


@tool()
def who(params):
    return text("", structuredContent={"pid": os.getpid(), "env": sorted(os.environ), "cwd": os.getcwd()})


@tool()
def say(params):
    return text(params["arguments"]["text"])


def strict_say(params):
    """Says what it is given, and leaves a mark that it was asked."""
    open("sent", "w").close()
    return text(params["arguments"]["text"])


@tool()
def exit_with(params):
    sys.stderr.write("out of cheese\n")
    sys.stderr.flush()
    os._exit(params["arguments"]["code"])


@tool()
def be_killed(params):
    os.kill(os.getpid(), signal.SIGKILL)


@tool()
def close_output(params):
    os.close(1)
    time.sleep(600)


@tool()
def hang(params):
    """Never answers, and tells a file when it is cancelled; before that another that it has begun."""
    sys.stderr.write("thinking\n")
    sys.stderr.flush()
    global cancelled_file
    cancelled_file = params["arguments"].get("file")
    if cancelled_file:
        open(f"{cancelled_file}.begun", "w").close()


@tool()
def stall(params):
    """Never answers and reads nothing more."""
    time.sleep(600)


@tool()
def garble(params):
    raw(b'{"jsonrpc": "2.0", "id": %d, "result": {"content": [\n' % params["id"])


@tool()
def chatter(params):
    """Everything that is no protocol, then the answer."""
    raw(b"plain line\n\n\xff\xfe\n" + b'{"level": "info", "msg": "hi"}\n')
    send({"jsonrpc": "2.0", "id": 9999, "result": {}})
    send({"jsonrpc": "2.0", "id": params["id"], "result": text("still here")})


@tool()
def babble(params):
    raw(b"let me think\nhm\n")


@tool()
def flood(params):
    for _ in range(40):
        sys.stderr.write("x" * 65536 + "\n")
    return text("done")


@tool()
def big(params):
    return text("y" * params["arguments"]["size"])


@tool()
def deep(params):
    raw(b'{"jsonrpc": "2.0", "id": %d, "result": {"content": [], "structuredContent": {"a": ' % params["id"])
    depth = params["arguments"]["depth"]
    raw(b"[" * depth + b"]" * depth + b"}}}\n")


@tool()
def digits(params):
    raw(b'{"jsonrpc": "2.0", "id": %d, "result": {"content": [], "structuredContent": {"a": ' % params["id"])
    raw(b"9" * 5000 + b"}}}\n")


@tool()
def fail(params):
    return text("no such file", isError=True)


@tool(outputSchema=STATUS)
def fail_with_content(params):
    return text("it broke", isError=True, structuredContent={"status": "a"})


@tool(outputSchema=STATUS)
def fail_without_content(params):
    return text("it broke", isError=True)


@tool()
def seem_to_fail(params):
    return text("Error: not really")


@tool(outputSchema=STATUS)
def status(params):
    return text("", structuredContent=params["arguments"]["content"])


@tool(outputSchema=STATUS)
def status_as_text(params):
    return text('{"status": "a"}')


@tool(outputSchema={"type": "object", "$ref": "#/$defs/nowhere"})
def lost_reference(params):
    return text("", structuredContent={})


@tool(outputSchema={"enum": [1]})
def misdeclared(params):
    """What it promises is no object: the protocol of its time does not know that."""
    return text("")


@tool()
def no_result(params):
    return {"foo": 1}


@tool()
def picture(params):
    return {"content": [{"type": "text", "text": "a"}, {"type": "image", "data": "", "mimeType": "image/png"},
                        {"type": "text", "text": "b"}]}  # fmt: skip


@tool()
def tell_secret(params):
    sys.stderr.write("token is " + os.environ["TOKEN"] + ", key is " + sys.argv[1] + "\n")
    sys.stderr.flush()
    os._exit(1)


@tool()
def reveal(params):
    """Gives away what it was given, in every way there is."""
    sys.stderr.write(os.environ["TOKEN"] + "\n")
    raw(f"my token is {os.environ['TOKEN']}\n".encode())
    known = {"token": os.environ["TOKEN"], "deep": [{sys.argv[1]: sys.argv[1]}], "text": sys.argv[1] + "!"}
    return text(os.environ["TOKEN"], structuredContent=known)


@tool(annotations={"readOnlyHint": True})
def read(params):
    return text("read")


@tool(annotations={"idempotentHint": True})
def put(params):
    return text("put")


@tool()
def count_up(params):
    """Tells how far it is."""
    for step in (1, 2):
        token = params["_meta"].get("progressToken")
        told = {"progressToken": token, "progress": step, "total": 2}
        send({"jsonrpc": "2.0", "method": "notifications/progress", "params": told})
    return text("done")


@tool()
def together(params):
    """Answers when that many calls of it are there."""
    waiting.append(params["id"])
    if len(waiting) < params["arguments"]["calls"]:
        return None
    for number in reversed(waiting[:-1]):
        send({"jsonrpc": "2.0", "id": number, "result": text(f"{len(waiting)} at once")})
    return text(f"{len(waiting)} at once")


def juggle(params):
    """Holds so many calls before it answers them, in another order than they came in, which a file is told."""
    held.append((params["id"], params["arguments"]["x"]))
    if len(held) < int(os.environ["HELD"]):
        return
    came, answered = list(held), random.Random(os.environ["ORDER"]).sample(held, len(held))
    held.clear()
    with open(os.environ["JUGGLED"], "a") as file:
        round = {"pid": os.getpid(), "came": [x for _, x in came], "answered": [x for _, x in answered]}
        file.write(json.dumps(round) + "\n")
    for number, x in answered:
        result = text(f"no {x}", isError=True) if x % 5 == 3 else text("", structuredContent={"x": x * x})
        send({"jsonrpc": "2.0", "id": number, "result": result})


@tool()
def change(params):
    """Has other tools from now on, and says so."""
    TOOLS["learned"] = (say, {})
    del TOOLS["forgotten"]
    reshape()
    send({"jsonrpc": "2.0", "method": "notifications/tools/list_changed"})
    return text("changed")


@tool()
def forgotten(params):
    return text("not yet")


def reshape():
    """What `say` takes is another thing from now on."""
    TOOLS["say"] = (say, {"inputSchema": {"type": "object", "required": ["text"]}})


waiting = []
held = []
cancelled_file = None


def answer(message):
    method, params = message["method"], message.get("params", {})
    if method == "initialize":
        version = next((manner for manner in MANNERS if manner[:2] == "20"), params["protocolVersion"])
        info = {"name": "raw", "version": "1"}
        return {"protocolVersion": version, "capabilities": {"tools": {}}, "serverInfo": info}
    if method == "tools/list":
        if "toolless" in MANNERS:
            return None
        listed = [{"name": name, "inputSchema": {"type": "object"}, **more} for name, (_, more) in TOOLS.items()]
        half = len(listed) // 2
        return {"tools": listed[half:]} if params.get("cursor") else {"tools": listed[:half], "nextCursor": "half"}
    if method == "tools/call":
        return TOOLS[params["name"]][0]({**params, "id": message["id"]})
    return None


def begin():
    if "crash" in MANNERS:
        sys.stderr.write("Traceback\nImportError: no module named `cheese`\n")
        sys.exit(7)
    if "banner" in MANNERS:
        raw(b"Welcome to raw!\n\n")
    if "stubborn" in MANNERS:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if "parent" in MANNERS:
        child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
        with open(os.environ["PIDS"], "a") as file:
            file.write(f"{os.getpid()}\n{child.pid}\n")
    if "starts" in MANNERS:
        with open(os.environ["PIDS"], "a+") as file:
            file.write(f"{os.getpid()}\n")
            file.seek(0)
            if "moody" in MANNERS and len(file.readlines()) > 1:
                reshape()


if "strict" in MANNERS:
    takes = {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}
    TOOLS["strict_say"] = (strict_say, {"inputSchema": takes})
if "juggling" in MANNERS:
    TOOLS["juggle"] = (juggle, {})
begin()
first = True
for line in sys.stdin:
    message = json.loads(line)
    if "mute" in MANNERS:
        continue
    if "touchy" in MANNERS and first and message["method"] != "initialize":
        sys.exit(1)
    if message["method"] == "notifications/cancelled" and cancelled_file:
        with open(cancelled_file, "w") as file:
            file.write(json.dumps(message["params"]))
    if "id" not in message:
        continue
    known = message["method"] in ("initialize", "tools/list", "tools/call")
    if not known or (message["method"] == "tools/list" and "toolless" in MANNERS):
        send({"jsonrpc": "2.0", "id": message["id"], "error": {"code": -32601, "message": "Method not found"}})
        continue
    result = answer(message)
    first = False
    if result is not None:
        send({"jsonrpc": "2.0", "id": message["id"], "result": result})
if "stubborn" in MANNERS:
    time.sleep(600)
