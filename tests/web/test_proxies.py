#!/usr/bin/env python3
"""The page in a browser, behind nginx as server/OPERATING.md has it: with TLS, under a path.

usage: python3 tests/web/test_proxies.py BUILD_DIR [TEST...]

Without nginx (package nginx-light) it is skipped.
"""
import re
import shutil
import signal
import socket
import subprocess
import sys

sys.path[1:1] = [sys.path[0] + "/../" + folder for folder in ("support", "tcp", "cluster")]
from harness import LIMIT_S, wait_until
from operating import example
from page import Page, action, by_click
from ports import hold_port
from test_tls import Place
from web_stage import Tests, run_tests

test = Tests()
FRAME = """
worker_processes 1;
pid {folder}/nginx.pid;
error_log {folder}/error.log;
events {{}}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    {server}
}}
"""


class Nginx:
    """nginx with TLS in front of two servers, under /ludus/ and under /other/."""

    def __init__(self, server, other):
        self.place, self.port = Place(), hold_port()
        self.place.certificate("a")
        text = example("nginx")
        for known, used in (("443 ssl", f"127.0.0.1:{self.port} ssl"), ("/etc/ssl/ludus.pem", self.place.file("a.pem")),
                            ("/etc/ssl/ludus.key", self.place.file("a.key")), ("127.0.0.1:7117", server.address)):
            if known not in text:
                raise RuntimeError(f"the example has no {known}")
            text = text.replace(known, used)
        location = re.search(r"    location .*?\n    }\n", text, re.DOTALL)[0]
        text = text.replace(location, location + location.replace("/ludus/", "/other/").replace(server.address, other.address))
        with open(self.place.file("nginx.conf"), "w") as file:
            file.write(FRAME.format(folder=self.place.folder, server=text))
        self.process = subprocess.Popen(["nginx", "-c", self.place.file("nginx.conf"), "-g", "daemon off;"],
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        wait_until(self.answers, "nginx")

    def answers(self):
        if self.process.poll() is not None:
            raise RuntimeError(open(self.place.file("error.log")).read())
        try:
            socket.create_connection(("127.0.0.1", self.port), LIMIT_S).close()
            return True
        except ConnectionError:
            return False

    def close(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(LIMIT_S)
        self.place.__exit__(None, None, None)


@test
def under_a_path(stage):
    """All of it lies there: page, modules, socket, links, and what the browser keeps."""
    server, other = (stage.server("--no-bots", "--trusted-proxy", "127.0.0.1", "--limit-loopback") for _ in range(2))
    nginx = Nginx(server, other)
    stage.peers.append(nginx)
    top = f"https://127.0.0.1:{nginx.port}/ludus/"
    anna, bob = (Page(window, server) for window in (stage.driver.window(), stage.driver.window()))
    for page in (anna, bob):
        page.requests()
        page.top = top
        page.window.go(top)
        page.here().there(".cards")
    anna.take_name("anna").start("clobber", opponent="friend", color="white")
    link = anna.there("#invite .note, #invite .qr").run("return document.querySelector('#link').value")
    stage.checks.check(link.startswith(top + "#/m/"), "the invitation", link)
    bob.window.go(link)
    bob.click(action("join-black"))
    by_click(anna.mine(0), "a2a1")
    bob.mine(1).go("#/players").there("#here").go("#/rules").there(".rules")
    manifest = anna.run("return fetch(document.querySelector('link[rel=manifest]').href).then(answer => answer.json())")
    stage.checks.equal((manifest["start_url"], manifest["scope"]), ("./", "./"), "where an installed page starts")
    anna.window.go(top.replace("/ludus/", "/other/"))
    anna.here().there(".cards")
    stage.checks.check(anna.name().startswith("guest-"), "the other server knows nobody", anna.name())
    anna.take_name("carla").window.go(top)
    anna.here().expect("anna", "#you").there("#mine .row")
    places = re.compile(rf"(https|wss)://127\.0\.0\.1:{nginx.port}/(ludus|other)/|data:|about:")
    for page in (anna, bob):
        stage.checks.equal([entry["message"] for entry in page.window.log("browser")], [], "console")
        stage.checks.equal([url for url in page.requests() if not places.match(url)], [], "what is asked for elsewhere")
        page.window.go("about:blank")


def main():
    if shutil.which("nginx") is None:
        print("test_proxies: nginx SKIPPED: apt-get install nginx-light")
        print("test_proxies: 1 passed, 0 failed")
        return 0
    return run_tests("test_proxies", test)


if __name__ == "__main__":
    sys.exit(main())
