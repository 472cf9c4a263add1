#!/usr/bin/env python3
"""The page in a browser, behind nginx and Caddy as server/OPERATING.md has them: with TLS, under a path.

usage: python3 tests/web/test_proxies.py BUILD_DIR [TEST...]

What is not installed (packages nginx-light, caddy) is skipped.
"""
import os
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


class Proxy:
    """A proxy with TLS in front of two servers, under /ludus/ and under /other/."""

    def __init__(self):
        self.place, self.port = Place(), hold_port()
        self.place.certificate("a")

    def write(self, name, text):
        with open(self.place.file(name), "w") as file:
            file.write(text)

    def start(self, *command):
        with open(self.place.file("error.log"), "a") as log:
            self.process = subprocess.Popen(command, stdout=log, stderr=log, env={**os.environ, "HOME": self.place.folder})
        wait_until(self.answers, command[0])

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


def changed(text, *changes):
    """Returns an example with what holds for the test only; each change has to find its place."""
    for known, used in changes:
        if known not in text:
            raise RuntimeError(f"the example has no {known}")
        text = text.replace(known, used)
    return text


def twice(pattern, text, server, other):
    """Repeats the place of the one server for the other one."""
    place = re.search(pattern, text, re.DOTALL)[0]
    return text.replace(place, place + place.replace("/ludus/", "/other/").replace(server.address, other.address))


class Nginx(Proxy):
    def __init__(self, server, other):
        super().__init__()
        text = changed(example("nginx"), ("443 ssl", f"127.0.0.1:{self.port} ssl"), ("/etc/ssl/ludus.pem", self.place.file("a.pem")),
                       ("/etc/ssl/ludus.key", self.place.file("a.key")), ("127.0.0.1:7117", server.address))
        text = twice(r"    location .*?\n    }\n", text, server, other)
        self.write("nginx.conf", FRAME.format(folder=self.place.folder, server=text))
        self.start("nginx", "-c", self.place.file("nginx.conf"), "-g", "daemon off;")


class Caddy(Proxy):
    def __init__(self, server, other):
        super().__init__()
        certificate = f"    tls {self.place.file('a.pem')} {self.place.file('a.key')}\n"
        text = changed(example("Caddy"), ("ludus.example.org {\n", f"https://127.0.0.1:{self.port} {{\n{certificate}"),
                       ("127.0.0.1:7117", server.address))
        text = twice(r"    handle_path .*?\n    }\n", text, server, other)
        self.write("Caddyfile", "{\n    admin off\n    auto_https off\n}\n" + text)
        self.start("caddy", "run", "--adapter", "caddyfile", "--config", self.place.file("Caddyfile"))


def under_a_path(stage, proxy_class):
    """All of it lies there: page, modules, socket, links, and what the browser keeps."""
    if shutil.which(proxy_class.__name__.lower()) is None:
        print(f"test_proxies: {proxy_class.__name__} SKIPPED")
        stage.checks.check(True, "skipped")
        return
    server, other = (stage.server("--no-bots", "--trusted-proxy", "127.0.0.1", "--limit-loopback") for _ in range(2))
    proxy = proxy_class(server, other)
    stage.peers.append(proxy)
    top = f"https://127.0.0.1:{proxy.port}/ludus/"
    anna, bob = (Page(window, server) for window in (stage.driver.window(), stage.driver.window()))
    for page in (anna, bob):
        page.requests()
        page.top = top
        page.window.go(top)
        page.here().there(".cards")
    anna.take_name("anna").start("clobber", opponent="friend", color="white")
    link = anna.there("#invite .note, #invite .qr").run("return document.querySelector('#link').value")
    stage.checks.check(link.startswith(top + "m/"), "the invitation", link)
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
    places = re.compile(rf"(https|wss)://127\.0\.0\.1:{proxy.port}/(ludus|other)/|data:|about:")
    for page in (anna, bob):
        stage.checks.equal([entry["message"] for entry in page.window.log("browser")], [], "console")
        stage.checks.equal([url for url in page.requests() if not places.match(url)], [], "what is asked for elsewhere")
        page.window.go("about:blank")


@test
def behind_nginx(stage):
    under_a_path(stage, Nginx)


@test
def behind_caddy(stage):
    under_a_path(stage, Caddy)


if __name__ == "__main__":
    sys.exit(run_tests("test_proxies", test))
