"""Drives Firefox through WebDriver BiDi, which it speaks by itself: JSON over a WebSocket. For tests that know only webdriver.py."""
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile

from browser import Browser, frame, new_key, request
import webdriver
from webdriver import LIMIT_S, Problem

PREFERENCES = {
    "app.update.auto": False, "browser.shell.checkDefaultBrowser": False, "browser.startup.page": 0, "datareporting.policy.dataSubmissionEnabled": False,
    "dom.ipc.processCount": 2, "fission.autostart": False, "intl.accept_languages": "en-GB", "layout.css.prefers-color-scheme.content-override": 1,
    "network.captive-portal-service.enabled": False, "network.connectivity-service.enabled": False, "toolkit.telemetry.enabled": False,
}
# Calls a function and puts its result into JSON.
CALL = """async function () {
    const [values] = arguments;
    return JSON.stringify(await (function () { %s }).apply(null, JSON.parse(values)) ?? null);
}"""


def missing():
    """Returns the Debian packages that are not installed."""
    return [] if shutil.which("firefox-esr") else ["firefox-esr"]


class Driver:
    """A Firefox, whose windows have storages of their own; a context manager that ends it."""

    def __init__(self):
        self.home = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        with open(os.path.join(self.home.name, "user.js"), "w", encoding="utf-8") as file:
            file.writelines(f'user_pref("{name}", {json.dumps(value)});\n' for name, value in PREFERENCES.items())
        self.process = subprocess.Popen(
            ["firefox-esr", "--headless", "--no-remote", "--profile", self.home.name, "--remote-debugging-port", "0", "about:blank"],
            text=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, start_new_session=True,
            env={**os.environ, "HOME": self.home.name, "MOZ_HEADLESS_WIDTH": "1280", "MOZ_HEADLESS_HEIGHT": "900"})
        self.windows, self.count = [], 0
        for line in self.process.stderr:
            found = re.search(r"BiDi listening on ws://127\.0\.0\.1:(\d+)", line)
            if found:
                break
        else:
            raise Problem("Firefox does not start")
        self.socket = Browser(int(found[1]))
        self.socket.socket.settimeout(2 * LIMIT_S)
        answer = self.socket.ask(request("/session", host=f"127.0.0.1:{found[1]}", headers=[
            "Upgrade: websocket", "Connection: Upgrade", f"Sec-WebSocket-Key: {new_key()}", "Sec-WebSocket-Version: 13"]))
        if answer.status != 101:
            raise Problem(f"no WebSocket: {answer}")
        self.command("session.new", capabilities={"alwaysMatch": {"acceptInsecureCerts": True}})
        self.command("session.subscribe", events=["log.entryAdded", "network.beforeRequestSent"])

    def __enter__(self):
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that no browser is left behind
        return self

    def __exit__(self, *_):
        self.process.terminate()  # the program is a script around it on some systems: its children go, too
        try:
            os.killpg(self.process.pid, signal.SIGTERM)
        except ProcessLookupError:
            pass
        self.process.wait(LIMIT_S)
        self.home.cleanup()

    def command(self, method, **parameters):
        """Sends a command and returns its result; events that come before it are noted."""
        self.count += 1
        self.socket.send(frame(json.dumps({"id": self.count, "method": method, "params": parameters})))
        while (message := self.socket.message()) is not None:
            if message.get("id") == self.count:
                if message["type"] == "error":
                    raise Problem(f"{message['error']}: {message['message'].splitlines()[0]}")
                return message["result"]
            if message["type"] == "event":
                self.note(message["method"], message["params"])
        raise Problem("Firefox has ended")

    def note(self, method, event):
        """Notes what a page logs and what it asks for, as Chromium tells of it."""
        context = event["source"].get("context") if method == "log.entryAdded" else event["context"]
        window = next((each for each in self.windows if context in each.tabs), None)
        if window is None or event.get("request", {}).get("url", "").endswith(("icon.svg", "icon-turn.svg")):
            return  # icons are asked for later, when another test may run
        if method == "network.beforeRequestSent":
            row = {"message": {"method": "Network.requestWillBeSent", "params": {"request": {"url": event["request"]["url"]}}}}
            window.logs["performance"].append({"message": json.dumps(row)})
        elif event["level"] in ("error", "warn"):
            window.logs["browser"].append({"message": event["text"]})

    def window(self):
        """Opens a window with a storage of its own, with nothing kept from before."""
        self.windows.append(Window(self))
        return self.windows[-1]


class Window(webdriver.Window):
    """A window with one tab or more, of which one at a time is driven."""

    def __init__(self, driver):
        self.driver, self.tabs, self.logs = driver, [], {"browser": [], "performance": []}
        self.user = driver.command("browser.createUserContext")["userContext"]
        self.create("window")

    def create(self, kind):
        self.current = self.driver.command("browsingContext.create", type=kind, userContext=self.user)["context"]
        self.tabs.append(self.current)
        return self.current

    def here(self, method, **parameters):
        """Sends a command about the tab that is driven."""
        return self.driver.command(method, context=self.current, **parameters)

    def post(self, command, **_):
        if command != "refresh":
            raise Problem(f"Firefox is not asked for {command}")
        self.here("browsingContext.reload", wait="complete")

    def devtools(self, command, **parameters):
        """Of Chromium's commands only those that every test sends; a light system is among the preferences."""
        if command == "Emulation.setDeviceMetricsOverride":
            self.here("browsingContext.setViewport", viewport={side: parameters[side] for side in ("width", "height")})
        elif command not in ("Emulation.setTouchEmulationEnabled", "Emulation.setEmulatedMedia"):
            raise Problem(f"Firefox is not asked for {command}")

    def go(self, address):
        self.here("browsingContext.navigate", url=address, wait="complete")

    def run(self, script, *values):
        answer = self.driver.command("script.callFunction", functionDeclaration=CALL % script, awaitPromise=True, target={"context": self.current},
                                     arguments=[{"type": "string", "value": json.dumps(values)}])
        if answer["type"] == "exception":
            raise Problem(answer["exceptionDetails"]["text"])
        return json.loads(answer["result"]["value"])

    def log(self, kind):
        self.run("return 1")  # what has happened before is told before
        found, self.logs[kind] = self.logs[kind], []
        return found

    def new_tab(self):
        return self.create("tab")

    def close_tab(self):
        self.here("browsingContext.close")
        self.tabs.remove(self.current)

    def tab(self):
        return self.current

    def use(self, handle):
        self.current = handle
        self.here("browsingContext.activate")

    def act(self, kind, *steps, pointer=None):
        source = {"type": kind, "id": pointer or kind, "actions": list(steps)}
        if pointer:
            source["parameters"] = {"pointerType": pointer}
        self.here("input.performActions", actions=[source])
