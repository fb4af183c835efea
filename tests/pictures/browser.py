"""A real browser without a window, told what to do through a pair of pipes."""

from __future__ import annotations

import json
import os
import select
import shutil
import subprocess
import time
from pathlib import Path
from typing import Any

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
PATIENCE = 300.0


def installed() -> str | None:
    """Where a browser is, if there is one."""
    return next((found for name in NAMES if (found := shutil.which(name))), None)


class Browser:
    """One browser with one page."""

    def __init__(self, program: str, home: Path, size: tuple[int, int] = (1200, 800)) -> None:
        to_browser, self._write = os.pipe()
        self._read, from_browser = os.pipe()
        command = [program, "--headless=new", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe"]
        command += [f"--window-size={size[0]},{size[1]}", f"--user-data-dir={home}", "--no-first-run"]
        # It takes commands from descriptor 3 and gives its answers to 4.
        shell = f'exec "$0" "$@" 3<&{to_browser} 4>&{from_browser}'
        with (home / "told.txt").open("wb") as told:
            self._process = subprocess.Popen(
                ["bash", "-c", shell, *command], pass_fds=(to_browser, from_browser), stdout=told, stderr=told
            )
        os.close(to_browser)
        os.close(from_browser)
        self._left = b""
        self._number = 0
        self._session: str | None = None
        self.faults: list[str] = []
        self.asked_for: list[str] = []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")
        self.call(
            "Emulation.setDeviceMetricsOverride", width=size[0], height=size[1], deviceScaleFactor=1, mobile=False
        )

    def close(self) -> None:
        self._process.terminate()
        self._process.wait(timeout=PATIENCE)
        os.close(self._write)
        os.close(self._read)

    def call(self, method: str, **given: Any) -> Any:
        """Ask for something and wait for the answer; what happens meanwhile is noted."""
        self._number += 1
        message = {"id": self._number, "method": method, "params": given}
        if self._session is not None:
            message["sessionId"] = self._session
        os.write(self._write, json.dumps(message).encode() + b"\0")
        until = time.monotonic() + PATIENCE
        while True:
            answer = self._next(until)
            if answer.get("id") == self._number:
                assert "error" not in answer, answer["error"]
                return answer["result"]
            self._note(answer)

    def _next(self, until: float) -> Any:
        while b"\0" not in self._left:
            ready, _, _ = select.select([self._read], [], [], max(0.0, until - time.monotonic()))
            assert ready, "the browser does not answer"
            got = os.read(self._read, 2**16)
            assert got, "the browser is gone"
            self._left += got
        message, _, self._left = self._left.partition(b"\0")
        return json.loads(message)

    def _note(self, event: Any) -> None:
        given = event.get("params", {})
        match event.get("method"):
            case "Runtime.exceptionThrown":
                self.faults.append(json.dumps(given["exceptionDetails"]))
            case "Log.entryAdded":
                self.faults.append(given["entry"]["text"])
            case "Network.requestWillBeSent":
                self.asked_for.append(given["request"]["url"])

    def show(self, page: Path) -> None:
        """Open a page and wait until its script has said that it is ready."""
        self.call("Page.navigate", url=page.resolve().as_uri())
        until = time.monotonic() + PATIENCE
        while self.get("document.body && document.body.dataset.ready") != "yes":
            assert time.monotonic() < until, "the page never got ready"
            time.sleep(0.05)

    def get(self, expression: str) -> Any:
        """What an expression gives in the page."""
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True)
        assert "exceptionDetails" not in answer, answer
        return answer["result"].get("value")

    def press(self, key: str, *, shift: bool = False) -> None:
        text = {"text": key} if len(key) == 1 else {"text": "\r"} if key == "Enter" else {}
        modifiers = 8 if shift else 0
        code = {"Enter": 13, "Escape": 27}.get(key, 0)
        self.call(
            "Input.dispatchKeyEvent", type="keyDown", key=key, modifiers=modifiers, windowsVirtualKeyCode=code, **text
        )
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key, modifiers=modifiers, windowsVirtualKeyCode=code)

    def type(self, text: str) -> None:
        for one in text:
            self.press(one)

    def mouse(self, kind: str, x: float, y: float, **given: Any) -> None:
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, **given)

    def click(self, x: float, y: float) -> None:
        for kind in ("mousePressed", "mouseReleased"):
            self.mouse(kind, x, y, button="left", clickCount=1)

    def drag(self, x: float, y: float, by_x: float, by_y: float) -> None:
        self.mouse("mousePressed", x, y, button="left", clickCount=1)
        self.mouse("mouseMoved", x + by_x / 2, y + by_y / 2, button="left", buttons=1)
        self.mouse("mouseMoved", x + by_x, y + by_y, button="left", buttons=1)
        self.mouse("mouseReleased", x + by_x, y + by_y, button="left", clickCount=1)
