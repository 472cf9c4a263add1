"""Relays TCP connections between loopback ports, and delays, holds or cuts them when told to.

usage: relay.py NAME:TARGET_PORT...

Prints the port of each link, on one line, once it listens at all of them. Each stays its own while its link is cut. Reads commands from standard input, a line each, and answers each with a line:

    hold NAME up|down|both     keeps what is sent up (to the target), down, or both ways, like a network
                               that loses every packet; the connections stay open
    delay NAME MS              lets everything wait so long
    cut NAME                   resets all connections and accepts no more
    strand NAME                resets all connections, but keeps what comes up over them just before, and accepts others
    deliver NAME               resets these, and what was kept arrives
    heal NAME                  ends all of that; what was held goes on

NAME may end in `*`. The relay ends with its input. `Relay` is its client.
"""
import asyncio
import fnmatch
import os
import signal
import subprocess
import sys

from ports import Port

DIRECTIONS = {"up": ("up",), "down": ("down",), "both": ("up", "down")}
CHUNK = 1 << 16
STRAND_S = 1.0  # in which something is kept


class Link:
    """One port and its target. `may_pass` has an event for each direction."""

    def __init__(self, name, target):
        self.name, self.port, self.target = name, Port(), target
        self.may_pass = {way: asyncio.Event() for way in DIRECTIONS["both"]}
        self.writers = set()
        self.connections = {}  # both ends, by an event: what goes up may pass
        self.server = None
        self.delay_s = 0.0
        self.release()

    def release(self):
        for event in self.may_pass.values():
            event.set()

    async def listen(self):
        if self.server is None:
            self.server = await asyncio.start_server(self.accept, "127.0.0.1", self.port.number)

    async def accept(self, reader, writer):
        self.writers.add(writer)
        try:
            there, back = await asyncio.open_connection("127.0.0.1", self.target)
        except (OSError, asyncio.CancelledError):  # nobody is there, or the relay ends
            self.drop(writer)
            return
        self.writers.add(back)
        passes, always = asyncio.Event(), asyncio.Event()
        passes.set()
        always.set()
        self.connections[passes] = (writer, back)
        try:
            await asyncio.gather(self.pump(reader, back, "up", passes), self.pump(there, writer, "down", always))
        except asyncio.CancelledError:
            pass  # the relay ends
        del self.connections[passes]
        self.drop(writer)
        self.drop(back)

    async def pump(self, reader, writer, way, passes):
        """Passes bytes on until the end of either side; the end is held like bytes."""
        try:
            while True:
                data = await reader.read(CHUNK)
                if self.delay_s:
                    await asyncio.sleep(self.delay_s)
                await self.may_pass[way].wait()
                await passes.wait()
                if not data:
                    writer.write_eof()
                    return
                writer.write(data)
                await writer.drain()
        except (OSError, RuntimeError):
            writer.transport.abort()

    def drop(self, writer):
        self.writers.discard(writer)
        writer.transport.abort()

    async def cut(self):
        if self.server is not None:
            self.server.close()
            self.server = None
        for writer in list(self.writers):
            self.drop(writer)

    async def strand(self):
        stranded = dict(self.connections)
        for passes in stranded:
            passes.clear()
        if stranded:
            await asyncio.sleep(STRAND_S)
        for writer, _ in stranded.values():
            self.drop(writer)

    def deliver(self):
        for passes, ends in list(self.connections.items()):
            if passes.is_set():
                for writer in ends:
                    self.drop(writer)
            passes.set()

    async def obey(self, verb, *words):
        if verb == "hold":
            for way in DIRECTIONS[words[0]]:
                self.may_pass[way].clear()
        elif verb == "delay":
            self.delay_s = float(words[0]) / 1000
        elif verb == "cut":
            await self.cut()
        elif verb == "strand":
            await self.strand()
        elif verb == "deliver":
            self.deliver()
        elif verb == "heal":
            self.delay_s = 0.0
            self.release()
            for passes in self.connections:
                passes.set()
            await self.listen()
        else:
            raise ValueError(verb)


async def serve(links):
    for link in links:
        await link.listen()
    print(*(link.port.number for link in links), flush=True)
    commands = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(commands), sys.stdin)
    while line := await commands.readline():
        verb, name, *words = line.decode().split()
        for link in links:
            if fnmatch.fnmatch(link.name, name):
                await link.obey(verb, *words)
        print("done", flush=True)


class Relay:
    """Runs a relay; `targets` is {name: target port}, and `ports` then {name: port}."""

    def __init__(self, targets):
        words = [f"{name}:{target}" for name, target in targets.items()]
        self.process = subprocess.Popen([sys.executable, os.path.abspath(__file__), *words], text=True,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        line = self.process.stdout.readline()
        self.ports = dict(zip(targets, map(int, line.split())))
        if len(self.ports) != len(targets):
            raise RuntimeError(f"the relay says {line!r}")

    def expect(self, word):
        if (line := self.process.stdout.readline().strip()) != word:
            raise RuntimeError(f"the relay says {line!r}")

    def tell(self, *words):
        self.process.stdin.write(" ".join(map(str, words)) + "\n")
        self.process.stdin.flush()
        self.expect("done")

    def close(self):
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()


def main():
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever started it ends it
    links = [word.split(":") for word in sys.argv[1:]]

    async def run():
        await serve([Link(name, int(target)) for name, target in links])
    asyncio.run(run())


if __name__ == "__main__":
    main()
