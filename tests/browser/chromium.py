"""A headless Chromium, driven through the DevTools protocol over two pipes (no network, no library)."""

import json
import os
import shutil
import subprocess
import tempfile
import time

# What a page may cost at most before the browser counts as hung.
TIMEOUT_SECONDS = 120


def find():
    """The browser's path, or None."""
    return shutil.which("chromium") or shutil.which("chromium-browser")


class ProtocolError(Exception):
    pass


class Browser:
    """One browser and one page in it. Use as a context manager."""

    def __init__(self, path):
        self.profile = tempfile.mkdtemp(prefix="nandlife-browser-")
        to_browser, self.write_fd = os.pipe()
        self.read_fd, from_browser = os.pipe()

        def place_pipes():
            # the browser reads descriptor 3 and writes descriptor 4; 10 and up are out of the way
            os.dup2(to_browser, 10)
            os.dup2(from_browser, 11)
            os.dup2(10, 3)
            os.dup2(11, 4)

        self.process = subprocess.Popen(
            [
                path,
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--disable-background-networking",
                "--disable-component-update",
                "--no-first-run",
                "--hide-scrollbars",
                "--remote-debugging-pipe",
                f"--user-data-dir={self.profile}",
                "about:blank",
            ],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            close_fds=False,
            preexec_fn=place_pipes,
        )
        os.close(to_browser)
        os.close(from_browser)
        self.buffer = b""
        self.number = 0
        self.session = None
        self.events = []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.call(f"{domain}.enable")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        os.close(self.write_fd)
        os.close(self.read_fd)
        shutil.rmtree(self.profile, ignore_errors=True)

    def _receive(self):
        while b"\0" not in self.buffer:
            chunk = os.read(self.read_fd, 1 << 20)
            if not chunk:
                raise ProtocolError("the browser ended")
            self.buffer += chunk
        message, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(message)

    def call(self, method, **params):
        self.number += 1
        message = {"id": self.number, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.write_fd, json.dumps(message).encode() + b"\0")
        deadline = time.monotonic() + TIMEOUT_SECONDS
        while time.monotonic() < deadline:
            answer = self._receive()
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise ProtocolError(f"{method}: {answer['error'].get('message')}")
                return answer.get("result", {})
            self.events.append(answer)
        raise ProtocolError(f"{method}: no answer")

    def open(self, url):
        """Load a page and wait until it is there. Returns what happened meanwhile, as events."""
        self.events = []
        self.call("Page.navigate", url=url)
        deadline = time.monotonic() + TIMEOUT_SECONDS
        while not any(e.get("method") == "Page.loadEventFired" for e in self.events):
            if time.monotonic() > deadline:
                raise ProtocolError(f"{url} does not load")
            self.events.append(self._receive())
        return self.events

    def evaluate(self, expression):
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise ProtocolError(answer["exceptionDetails"].get("text", "exception"))
        return answer["result"].get("value")

    def size(self, width, height=900):
        self.call(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=width < 600,
        )

    def scheme(self, scheme, media="screen"):
        """scheme: "light" or "dark"; media: "screen" or "print"."""
        self.call(
            "Emulation.setEmulatedMedia",
            media=media,
            features=[{"name": "prefers-color-scheme", "value": scheme}],
        )

    def screenshot(self):
        """PNG of the whole page, base64."""
        return self.call("Page.captureScreenshot", format="png", captureBeyondViewport=True)["data"]

    def pdf(self):
        """The printed page, base64."""
        return self.call("Page.printToPDF", printBackground=True, preferCSSPageSize=True)["data"]
