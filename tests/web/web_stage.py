"""The fixture of the tests in a browser: servers, pages, and running and counting them."""
import importlib
import os
import re
import shutil
import sys
import tempfile

sys.path.insert(1, sys.path[0] + "/../support")

from harness import Checks, Server, Tests, build_folder
from page import Page, by_typing

BROWSER = importlib.import_module("firefox" if os.environ.get("BROWSER") == "firefox" else "webdriver")


class Stage:
    """The fixture of a test, and its checks. A server has a port of its own, so nothing is left in the
    storage of a browser from the test before."""

    def __init__(self, driver, checks):
        self.driver, self.checks = driver, checks
        self.servers, self.pages, self.peers, self.folders = [], [], [], []

    def server(self, *options, build=None):
        return self.keep(Server(build or build_folder(), *options, checks=self.checks))

    def keep(self, server):
        """Stops a server at the end."""
        self.servers.append(server)
        return server

    def page(self, server):
        """Opens the page in the next browser, as a new player."""
        count = len(self.pages)
        windows = self.driver.windows
        window = windows[count] if count < len(windows) else self.driver.window()
        page = Page(window, server)
        self.pages.append(page)
        return page.plain().go()

    def pair(self, *options):
        """Returns two pages, of two players, at a new server."""
        server = self.server(*options)
        return self.page(server), self.page(server)

    def met(self, game="clobber", moves=""):
        """Returns two pages, of anna and bob, that have played these moves against each other."""
        pages = self.pair("--no-bots")
        for player, name in zip(pages, ("anna", "bob")):
            player.take_name(name)
        pages[0].seek(game, color="white")
        pages[1].go().click("#lobby [data-seek]")
        for player in pages:
            player.match()
        for ply, move in enumerate(moves.split()):
            by_typing(pages[ply % 2].mine(ply), move)
        for player in pages:
            player.at(len(moves.split()))
        return pages

    def peer(self, server, name=None):
        """Returns a connection that speaks lines, as netcat does."""
        self.peers.append(server.connect(name))
        return self.peers[-1]

    def folder(self):
        """Returns a new directory."""
        self.folders.append(tempfile.mkdtemp(prefix="ludus-web-"))
        return self.folders[-1]

    def quiet(self, page, but=None):
        """Checks that the console is empty, but for lines that match, and that only the server was asked."""
        lines = [entry["message"] for entry in page.window.log("browser")]
        self.checks.equal([line for line in lines if not but or not re.search(but, line)], [], "console")
        places = "|".join(map(re.escape, (page.server.address, page.top.split("/")[2])))
        ours = re.compile(rf"(blob:)?(http|ws)://({places})/|about:blank")
        self.checks.equal([url for url in page.requests() if not ours.match(url)], [], "requests elsewhere")

    def close(self):
        for page in self.pages:
            self.quiet(page)
            page.window.go("about:blank")
        for peer in self.peers:
            peer.close()
        for server in self.servers:
            code = server.stop()
            self.checks.check(code == 0, "exit code of the server", f"{code}: {server.read_log()[-2000:]}")
        for folder in self.folders:
            shutil.rmtree(folder)


def run_case(function, driver, checks):
    stage = Stage(driver, checks)
    try:
        function(stage)
    except Exception as error:  # an exception fails this test, and the others go on
        checks.check(False, function.__name__, f"{type(error).__name__}: {error}")
    finally:
        stage.close()


def run_tests(name, tests, bare=()):
    """Runs the tests named on the command line after the build directory, or all; those in `bare` need
    no browser and get the checks. Returns the exit status."""
    checks = Checks(name)
    chosen = [test for test in tests if len(sys.argv) < 3 or test.__name__ in sys.argv[2:]]
    for test in bare:
        test(checks)
    if BROWSER.missing():
        print(f"{name}: the browser SKIPPED: apt-get install {' '.join(BROWSER.missing())}")
        return checks.run([])
    with BROWSER.Driver() as driver:
        return checks.run([lambda _, test=test: run_case(test, driver, checks) for test in chosen])
