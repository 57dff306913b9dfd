"""A real Chromium without a window, driven over its own debugging protocol: no driver, no library."""

from __future__ import annotations

import base64
import fcntl
import itertools
import json
import os
import select
import shutil
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
CHROMIUM = next(filter(None, map(shutil.which, NAMES)), None)
FLAGS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars"),
    *("--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"),
    *("--disable-quic", "--remote-debugging-pipe"),
)


class Browser:
    """One tab. ``with Browser() as browser: browser.open(path)``."""

    def __init__(self, seconds: float = 60) -> None:
        self.seconds = seconds
        self.events: list[dict[str, Any]] = []

    def __enter__(self) -> Browser:
        assert CHROMIUM
        self.folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        theirs_in, self.writer = os.pipe()
        self.reader, theirs_out = os.pipe()
        # the browser reads commands from descriptor 3 and answers on 4; ours are moved out of the way
        theirs = [fcntl.fcntl(descriptor, fcntl.F_DUPFD, 10) for descriptor in (theirs_in, theirs_out)]
        command = [CHROMIUM, *FLAGS, f"--user-data-dir={self.folder.name}", "about:blank"]
        self.process = subprocess.Popen(
            ["bash", "-c", f'exec "$@" 3<&{theirs[0]} 4>&{theirs[1]}', "bash", *command],
            pass_fds=theirs,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        for descriptor in (theirs_in, theirs_out, *theirs):
            os.close(descriptor)
        self.buffer, self.session, self.numbers = b"", "", itertools.count(1)
        try:
            self._attach()
        except BaseException:
            self.__exit__()
            raise
        return self

    def _attach(self) -> None:
        targets = self.send("Target.getTargets")["targetInfos"]
        page = next(target["targetId"] for target in targets if target["type"] == "page")
        self.session = self.send("Target.attachToTarget", targetId=page, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.send(f"{domain}.enable")

    def __exit__(self, *_: object) -> None:
        os.close(self.writer)  # Chromium ends with its pipe
        os.close(self.reader)
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.folder.cleanup()

    def _read(self) -> dict[str, Any]:
        deadline = time.monotonic() + self.seconds
        while b"\0" not in self.buffer:
            ready, _, _ = select.select([self.reader], [], [], max(0, deadline - time.monotonic()))
            assert ready, "Chromium does not answer"
            chunk = os.read(self.reader, 1 << 16)
            assert chunk, "Chromium has gone"
            self.buffer += chunk
        line, self.buffer = self.buffer.split(b"\0", 1)
        message: dict[str, Any] = json.loads(line)
        if "method" in message:
            self.events.append(message)
        return message

    def send(self, method: str, **params: object) -> dict[str, Any]:
        """Call a method of the protocol and wait for its answer."""
        number = next(self.numbers)
        message = {"id": number, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.writer, json.dumps(message).encode() + b"\0")
        while (answer := self._read()).get("id") != number:
            pass
        assert "error" not in answer, answer
        return answer["result"]  # type: ignore[no-any-return]

    def open(self, page: Path, width: int = 1280, height: int = 900, fragment: str = "") -> None:
        """Load a file in a window of this size (pixels)."""
        self.send(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=width < 600,
        )
        for url in ("about:blank", page.as_uri() + fragment):  # else a new fragment alone would load nothing
            self.events.clear()
            self.send("Page.navigate", url=url)
            while not any(event["method"] == "Page.loadEventFired" for event in self.events):
                self._read()

    def run(self, script: str) -> Any:
        """The value of a JavaScript expression in the page."""
        answer = self.send("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")

    def press(self, key: str) -> None:
        """One key, as from a keyboard."""
        text = {"text": key} if len(key) == 1 else {}
        self.send(
            "Input.dispatchKeyEvent", type="keyDown", key=key, code="Space" if key == " " else key, **text
        )
        self.send("Input.dispatchKeyEvent", type="keyUp", key=key, code="Space" if key == " " else key)

    def click(self, selector: str) -> None:
        """A click with the mouse in the middle of an element."""
        x, y = self.run(
            f"(() => {{ const b = document.querySelector({selector!r}).getBoundingClientRect();"
            "return [b.x + b.width / 2, b.y + b.height / 2]; })()"
        )
        for kind in ("mousePressed", "mouseReleased"):
            self.send("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def picture(self, path: Path, whole: bool = False) -> None:
        """Save what the window shows, or the whole page, as PNG."""
        answer = self.send("Page.captureScreenshot", format="png", captureBeyondViewport=whole)
        path.write_bytes(base64.b64decode(answer["data"]))

    def complaints(self) -> list[str]:
        """Errors and warnings of the page, and whatever it has asked of the network."""
        found = []
        for event in self.events:
            params = event["params"]
            if event["method"] == "Runtime.exceptionThrown":
                found.append(str(params["exceptionDetails"]))
            elif event["method"] == "Log.entryAdded":
                found.append(params["entry"]["text"])
            elif event["method"] == "Runtime.consoleAPICalled":
                found.append(str(params["args"]))
            elif event["method"] == "Network.requestWillBeSent" and params["type"] != "Document":
                found.append(f"asked for {params['request']['url']}")
        return found
