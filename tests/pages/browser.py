"""A page in Chromium, spoken to over two pipes: sizes, colours, what is drawn, a mouse, paper."""
import base64
import json
import os
import shutil
import subprocess
import tempfile
import time


class Browser:
    def __init__(self):
        to_it, self._out = os.pipe()
        self._in, from_it = os.pipe()
        self._home = tempfile.mkdtemp(prefix="rv-browser-")

        def wire():  # the browser reads on 3 and writes on 4
            a, b = os.dup(to_it), os.dup(from_it)
            os.dup2(a, 3)
            os.dup2(b, 4)

        self._process = subprocess.Popen(
            ["chromium", "--headless=new", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe", "--no-first-run",
             "--disable-dev-shm-usage", "--hide-scrollbars", f"--user-data-dir={self._home}", "about:blank"],
            preexec_fn=wire, close_fds=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_it)
        os.close(from_it)
        self._number, self._rest, self.events, self._session = 0, b"", [], None
        page = next(one for one in self.ask("Target.getTargets")["targetInfos"] if one["type"] == "page")
        self._session = self.ask("Target.attachToTarget", targetId=page["targetId"], flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.ask(domain + ".enable")

    def close(self):
        self._process.kill()
        self._process.wait()
        for _ in range(100):  # its own children end a moment later, and write until then
            shutil.rmtree(self._home, ignore_errors=True)
            if not os.path.exists(self._home):
                return
            time.sleep(0.1)
        shutil.rmtree(self._home)

    def _next(self):
        while b"\0" not in self._rest:
            part = os.read(self._in, 1 << 20)
            if not part:
                raise RuntimeError("the browser is gone")
            self._rest += part
        line, self._rest = self._rest.split(b"\0", 1)
        return json.loads(line)

    def ask(self, method, **params):
        self._number += 1
        message = {"id": self._number, "method": method, "params": params}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._out, json.dumps(message).encode() + b"\0")
        while True:
            said = self._next()
            if said.get("id") == self._number:
                if "error" in said:
                    raise RuntimeError(f"{method}: {said['error']}")
                return said["result"]
            self.events.append(said)

    def open(self, path, width=1400, height=900, dark=False, paper=False, scripts=True):
        """Seconds from the call to the page's load event and the frame after it."""
        self.ask("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.ask("Emulation.setScriptExecutionDisabled", value=not scripts)
        self.ask("Emulation.setEmulatedMedia", media="print" if paper else "screen",
                 features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])
        self.events = []
        began = time.monotonic()
        self.ask("Page.navigate", url="file://" + os.path.abspath(path))
        while not any(event.get("method") == "Page.loadEventFired" for event in self.events):
            self.events.append(self._next())
        if scripts:
            self.run("new Promise((done) => requestAnimationFrame(() => setTimeout(done, 0)))")
        return time.monotonic() - began

    def run(self, script):
        """What a script in the page comes to; a promise is waited for."""
        said = self.ask("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in said:
            raise RuntimeError(f"{script}: {said['exceptionDetails']}")
        return said["result"].get("value")

    def until(self, script, seconds=10):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if self.run(script):
                return True
            time.sleep(0.05)
        return False

    def mouse(self, kind, x, y, button="none"):
        self.ask("Input.dispatchMouseEvent", type=kind, x=x, y=y, button=button, clickCount=0 if button == "none" else 1,
                 buttons=1 if button == "left" else 0)

    def drag(self, start, end, y):
        self.mouse("mouseMoved", start, y)
        self.mouse("mousePressed", start, y, "left")
        for i in range(1, 9):
            self.mouse("mouseMoved", start + (end - start) * i / 8, y, "left")
        self.mouse("mouseReleased", end, y, "left")

    def errors(self):
        """Exceptions and errors that the page has caused so far."""
        kinds = {"Runtime.exceptionThrown", "Log.entryAdded"}
        return [event["params"] for event in self.events if event.get("method") in kinds]

    def requests(self):
        """All that was asked for, the page itself aside."""
        asked = [event["params"]["request"]["url"] for event in self.events
                 if event.get("method") == "Network.requestWillBeSent"]
        return asked[1:]

    def picture(self, path, whole=True):
        data = self.ask("Page.captureScreenshot", format="png", captureBeyondViewport=whole)["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))
