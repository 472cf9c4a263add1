"""The fixture of the tests of the terminal client, and running and counting them."""

import sys
from concurrent.futures import ThreadPoolExecutor

from full_screen import FullScreen
from harness import Server, Tests, build_folder
from terminal import Home, Proxy, Terminal, piped


class Bench:
    """The fixture of a test; closes all that the test has opened."""

    def __init__(self, server):
        self.server = server
        self.homes = []
        self.servers = []
        self.things = []
        self.home = self.new_home()
        self.me = self.home.user

    def new_home(self):
        home = Home()
        self.homes.append(home)
        return home

    def new_server(self, *options):
        self.servers.append(Server(build_folder(), *options))
        return self.servers[-1]

    def keep(self, thing):
        self.things.append(thing)
        return thing

    def ludus(self, *arguments, address=None, home=None, **environment):
        return self.keep(Terminal(address or self.server.address, *arguments,
                                  home=home or self.home, **environment))

    def full(self, *arguments, address=None, home=None, **options):
        return self.keep(FullScreen(address or self.server.address, *arguments,
                                    home=home or self.home, **options))

    def piped(self, arguments, text="", address=None, home=None, status=0, **environment):
        return piped(address or self.server.address, arguments, text, home or self.home, status,
                     **environment)

    def peer(self, name):
        return self.keep(self.server.connect(name))

    def proxy(self):
        return self.keep(Proxy(self.server.port))

    def close(self):
        for thing in self.things:
            thing.close()
        for server in self.servers:
            server.stop()
        for home in self.homes:
            home.remove()


def run(function, server):
    bench = Bench(server)
    try:
        function(bench)
        return True
    except Exception as error:  # an exception fails this test, and the others go on
        print(f"FAILED {function.__name__}: {type(error).__name__}: {error}", flush=True)
        return False
    finally:
        bench.close()


def run_tests(name, tests, *options, at_once=1):
    """Runs the tests named on the command line after the build directory, or all, with a server of these
    options. Returns the exit status."""
    chosen = [function for function in tests
              if len(sys.argv) < 3 or function.__name__ in sys.argv[2:]]
    server = Server(build_folder(), *options)
    try:
        with ThreadPoolExecutor(at_once) as pool:
            results = list(pool.map(run, chosen, [server] * len(chosen)))
    finally:
        server.stop()
    passed = sum(results)
    print(f"{name}: {passed} passed, {len(results) - passed} failed")
    return 0 if results and all(results) else 1
