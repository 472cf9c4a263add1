"""A connection of the crowd: lines out, messages in, all of them in the history."""
import asyncio
import json
import time

CONNECT_S = 2.0
PATIENCE_S = 3.0  # with a server that does not answer
LINE_MAX = 1 << 20
UNSAID = ("board", "legal")  # long, and of no use to the checker


class Gone(Exception):
    """The connection has ended, or the server does not answer."""


class Connection:
    """`asked` has the commands without a reply, by id: (line, when)."""

    def __init__(self, crowd, who, node, streams):
        crowd.connections += 1
        self.crowd, self.who, self.node, self.number = crowd, who, node, crowd.connections
        self.reader, self.writer = streams
        self.asked, self.count = {}, 0

    @classmethod
    async def open(cls, crowd, who, node):
        """Connects, and reads the greeting."""
        try:
            streams = await asyncio.wait_for(
                asyncio.open_connection(*crowd.addresses[node], limit=LINE_MAX), CONNECT_S)
        except (OSError, asyncio.TimeoutError) as error:
            raise Gone(str(error)) from error
        connection = cls(crowd, who, node, streams)
        connection.note(event="open")
        connection.writer.write(b"\n")  # asks for the greeting at once
        try:
            await asyncio.wait_for(connection.read(), CONNECT_S)
        except (Gone, asyncio.TimeoutError) as error:
            connection.close("no greeting")
            raise Gone("no greeting") from error
        return connection

    def note(self, **what):
        self.crowd.note(who=self.who, conn=self.number, node=self.node, **what)

    def ask(self, line):
        """Sends a command and returns its id."""
        self.count += 1
        name = str(self.count)
        self.asked[name] = (line, time.monotonic())
        self.note(say=line, id=name)
        self.writer.write(f"#{name} {line}\n".encode())
        return name

    async def read(self):
        """Returns the next message, and for a reply the command."""
        try:
            line = await self.reader.readline()
        except (OSError, ValueError) as error:
            raise Gone(str(error)) from error
        if not line.endswith(b"\n"):
            raise Gone("end")
        message = json.loads(line)
        self.note(hear={key: value for key, value in message.items() if key not in UNSAID})
        if message["type"] == "ping":
            self.writer.write(b"\n")
        return message, self.asked.pop(message.get("id"), (None, 0))[0]

    def waits_s(self):
        """Returns how long the oldest command has waited for its reply."""
        return time.monotonic() - min((at for _, at in self.asked.values()), default=time.monotonic())

    def close(self, why):
        self.note(event="close", why=why)
        self.writer.transport.abort()

    async def drain(self, until_answered=False):
        """Reads what still comes on a connection that was left behind."""
        try:
            while self.asked or not until_answered:
                await asyncio.wait_for(self.read(), PATIENCE_S)
        except (Gone, asyncio.TimeoutError):
            pass
        self.close("left")
