"""Drives Chromium through chromedriver, in the W3C WebDriver protocol: JSON over HTTP."""
import base64
import http.client
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

LIMIT_S = 180  # for anything that should happen at once
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"  # the key of an element in the protocol
OPTIONS = ["--headless=new", "--disable-gpu", "--disable-dev-shm-usage", "--disable-background-networking",
           "--disable-component-update", "--disable-extensions", "--disable-sync", "--no-first-run",
           "--force-color-profile=srgb", "--hide-scrollbars", "--lang=en-GB",
           "--window-size=1280,900"]


def missing():
    """Returns the Debian packages that are not installed."""
    packages = {"chromium": "chromium", "chromedriver": "chromium-driver"}
    return [package for program, package in packages.items() if shutil.which(program) is None]


class Problem(Exception):
    """What chromedriver answers to a command that fails."""


class Driver:
    """A chromedriver on a free port; a context manager that ends it and its browsers."""

    def __init__(self):
        # Chromium makes directories there, even where there should be none.
        self.home = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        places = dict.fromkeys(("HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"), self.home.name)
        self.windows = []
        for _ in range(3):  # the port that it finds free for IPv4 may be taken for IPv6
            self.process = subprocess.Popen(["chromedriver", "--port=0"], text=True, stdin=subprocess.DEVNULL,
                                            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                            env={**os.environ, **places})
            for line in self.process.stdout:
                found = re.search(r"started successfully on port (\d+)", line)
                if found:
                    self.port = int(found.group(1))
                    return
            self.process.wait(LIMIT_S)
        raise Problem("chromedriver does not start")

    def __enter__(self):
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that no browser is left behind
        return self

    def __exit__(self, *_):
        for window in self.windows:
            window.close()
        self.process.terminate()
        self.process.wait(LIMIT_S)
        self.home.cleanup()

    def ask(self, method, path, body=None):
        """Sends a command and returns the value of its answer."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=2 * LIMIT_S)
        connection.request(method, path, json.dumps(body or {}) if method == "POST" else None)
        value = json.loads(connection.getresponse().read())["value"]
        connection.close()
        if isinstance(value, dict) and "error" in value:
            raise Problem(f"{value['error']}: {value['message'].splitlines()[0]}")
        return value

    def window(self):
        """Starts a browser of its own, with nothing kept from before."""
        sandbox = ["--no-sandbox"] if os.geteuid() == 0 else []
        self.windows.append(Window(self, {
            "browserName": "chrome", "acceptInsecureCerts": True,
            "goog:chromeOptions": {"binary": shutil.which("chromium"), "args": OPTIONS + sandbox},
            "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"}}))
        return self.windows[-1]


class Window:
    """A browser with one tab or more, of which one at a time is driven."""

    def __init__(self, driver, capabilities):
        answer = driver.ask("POST", "/session", {"capabilities": {"alwaysMatch": capabilities}})
        self.driver, self.path, self.open = driver, f"/session/{answer['sessionId']}", True

    def close(self):
        if self.open:
            self.open = False
            self.driver.ask("DELETE", self.path)

    def post(self, command, **body):
        return self.driver.ask("POST", f"{self.path}/{command}", body)

    def get(self, command):
        return self.driver.ask("GET", f"{self.path}/{command}")

    def devtools(self, command, **parameters):
        """Sends a command of the DevTools protocol."""
        return self.post("goog/cdp/execute", cmd=command, params=parameters)

    def go(self, address):
        self.post("url", url=address)

    def run(self, script, *values):
        """Runs the body of a function; `values` are its arguments."""
        return self.post("execute/sync", script=script, args=list(values))

    def wait(self, script, *values, what=None):
        """Runs a script until it returns something, and returns that."""
        end = time.monotonic() + LIMIT_S
        while not (found := self.run(script, *values)):
            if time.monotonic() > end:
                raise Problem(f"waited in vain: {what or script} {values}")
            time.sleep(0.01)
        return found

    def log(self, kind):
        """Returns what has been logged since the last call: `browser` is the console."""
        return self.post("se/log", type=kind)

    def new_tab(self):
        """Opens a tab and drives it; returns its handle."""
        handle = self.post("window/new", type="tab")["handle"]
        self.post("window", handle=handle)
        return handle

    def close_tab(self):
        """Closes the tab that is driven; another one has to be used then."""
        self.driver.ask("DELETE", f"{self.path}/window")

    def tab(self):
        return self.get("window")

    def use(self, handle):
        self.post("window", handle=handle)

    def picture(self, selector):
        """Returns the PNG of an element."""
        element = self.post("element", using="css selector", value=selector)[ELEMENT]
        return base64.b64decode(self.get(f"element/{element}/screenshot"))

    def act(self, kind, *steps, pointer=None):
        """Performs the steps of an input device: `pointer` is `mouse` or `touch`."""
        source = {"type": kind, "id": pointer or kind, "actions": list(steps)}
        if pointer:
            source["parameters"] = {"pointerType": pointer}
        self.post("actions", actions=[source])

    def type(self, *keys):
        """Presses keys in turn."""
        self.act("key", *({"type": step, "value": key} for key in keys for step in ("keyDown", "keyUp")))


def press(x, y, *rest):
    """Returns the steps of a pointer that goes down at a point, by way of the others, and up at the last."""
    steps = [{"type": "pointerMove", "duration": 0, "x": x, "y": y}, {"type": "pointerDown", "button": 0}]
    for to_x, to_y in rest:
        steps.append({"type": "pointerMove", "duration": 0, "x": to_x, "y": to_y})
    return [*steps, {"type": "pointerUp", "button": 0}]
