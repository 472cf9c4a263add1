"""People who play against each other across the servers of a cluster, and write down all that they hear.

usage: crowd.py FOLDER SEED PAIRS THINK_MS ADDRESS...

The two of a pair prefer different servers, and have further connections at any. Each keeps to the protocol: moves with `ply=`, matches with
`once=`, the token, and when a server is gone or silent the next one. A `watcher` at each server looks on,
`racers` ask two servers for one name at a time, `devices` get tokens by codes and lose them, and a `contest` has tournaments. At a line `still` on
standard input nobody says anything until all have been told how their matches stand, every server is asked for them, and
`stood` is printed. The end of the input lets all matches end; then every server is asked for all matches, and the
crowd ends.

FOLDER/history.jsonl gets a line for each thing said, heard, or done: the monotonic time `t`, the person
`who`, the connection `conn`, the server `node` (from 0), and `say` or `hear` or `event`.
"""
import asyncio
import json
import os
import random
import sys
import time

from contest import Contest
from person import WINDOWS, Devices, Person, Racers, Watcher, Window
from wire import Connection, Gone

AUDITED_AT_ONCE = 50
TOURNAMENTS = 50  # audited; a server knows 100 that are over
END_S = 90  # until all matches are over, or a server answers
ANSWER_S = 10
CATCH_UP_S = 10
CONVERGE_S = 5  # until all have been told how their matches stand
LEAVE_S = 2  # until all servers know that the racers have left, and their matches are over


class Crowd:
    def __init__(self, folder, seed, pairs, think_s, addresses):
        self.rng = random.Random(seed)
        self.think_s, self.closing, self.still = think_s, False, False
        self.addresses = [(host, int(port)) for host, port in (a.rsplit(":", 1) for a in addresses)]
        self.file = open(os.path.join(folder, "history.jsonl"), "w")
        self.connections, self.left = 0, set()
        self.people = []
        for _ in range(pairs):
            opener, other = Person(self, len(self.people)), Person(self, len(self.people) + 1)
            opener.partner, other.partner, opener.opens = other, opener, True
            self.people += [opener, other]
        self.watchers = [Watcher(self, node) for node in range(len(addresses))]
        self.racers, self.devices, self.contest = Racers(self), Devices(self), Contest(self)
        self.windows = [Window(person) for person in self.people for _ in range(WINDOWS)]

    def note(self, **what):
        self.file.write(json.dumps({"t": round(time.monotonic(), 4), **what}) + "\n")

    def leave_behind(self, connection):
        """Goes on reading a connection whose person is elsewhere."""
        task = asyncio.create_task(connection.drain())
        self.left.add(task)
        task.add_done_callback(self.left.discard)

    async def follow_orders(self):
        lines = asyncio.StreamReader()
        await asyncio.get_running_loop().connect_read_pipe(
            lambda: asyncio.StreamReaderProtocol(lines), sys.stdin)
        while await lines.readline() == b"still\n":
            await self.stand_still()
            print("stood", flush=True)
        self.closing = True

    async def stand_still(self):
        """Writes down what every server says of the matches that go on, when all should have been told."""
        self.still, since = True, time.monotonic()
        await asyncio.sleep(CONVERGE_S)
        asked, matches = time.monotonic(), sorted(
            {match for person in (*self.people, *self.contest.players) for match in person.matches})
        answering = 0
        for node in range(len(self.addresses)):
            try:
                connection = await Connection.open(self, "audit", node)
                await self.ask(connection, [f"state {match}" for match in matches])
                connection.close("audited")
                answering += 1
            except (Gone, asyncio.TimeoutError):
                pass
        self.note(who="audit", event="stood", since=since, asked=asked, answering=answering)
        self.still = False

    async def run(self):
        print("ready", flush=True)
        side = [asyncio.create_task(who.live()) for who in (*self.watchers, self.racers, self.devices, *self.windows)]
        playing = [asyncio.create_task(who.live()) for who in (*self.people, self.contest)]
        await self.follow_orders()
        _, late = await asyncio.wait(playing, timeout=END_S)
        for person, task in zip(self.people, playing):
            if task in late:
                self.note(who=person.id, event="unfinished", matches=sorted(person.matches))
        if playing[-1] in late:
            self.note(who="contest", event="unfinished", matches=[m for one in self.contest.players for m in one.matches])
        for task in (*side, *late, *self.left):
            task.cancel()
        await asyncio.gather(*side, *playing, return_exceptions=True)
        for task in playing:
            if not task.cancelled() and task.exception():
                raise task.exception()
        self.file.flush()
        await asyncio.sleep(LEAVE_S)
        for node in range(len(self.addresses)):
            await self.audit_at_last(node)
        self.file.close()

    # At the end

    def known(self):
        """Returns all matches, names, and the newest tournaments that anyone has heard of."""
        matches, names, tournaments = {}, {}, {}
        with open(self.file.name) as file:
            for line in file:
                heard = json.loads(line).get("hear", {})
                if "match" in heard:
                    matches[heard["match"]] = True
                if heard.get("cmd") == "hello" and heard["type"] == "ok":
                    names[heard["name"]] = True
                if heard.get("type") == "ok" and "tournament" in heard:
                    tournaments[heard["tournament"]] = True
        return list(matches), list(names), list(tournaments)[-TOURNAMENTS:]

    async def audit_at_last(self, node):
        """Audits a server, which may still be on its way back."""
        end_s = time.monotonic() + END_S
        while time.monotonic() < end_s:
            try:
                return await self.audit(node)
            except (Gone, asyncio.TimeoutError):
                await asyncio.sleep(1)
        self.note(who="audit", event="unfinished", matches=[], node=node)

    async def audit(self, node):
        """Asks one server for all matches and histories, what is still open, and how many servers it knows. A
        server that was cut off until a moment ago may not know yet how a match has ended."""
        matches, names, tournaments = self.known()
        connection = await Connection.open(self, "audit", node)
        late = await self.ask(connection, [*(f"history {name}" for name in names),
                                           *(f"record {match}" for match in matches),
                                           *(f"tournament show {number}" for number in tournaments), "list", "stats"])
        end_s = time.monotonic() + CATCH_UP_S
        while late and time.monotonic() < end_s:
            self.note(who="audit", event="late", node=node, questions=late)
            await asyncio.sleep(1)
            late = await self.ask(connection, late)
        connection.close("audited")

    async def ask(self, connection, questions):
        """Returns those of the questions that were answered with what goes on, or without a server."""
        late = []
        for i in range(0, len(questions), AUDITED_AT_ONCE):
            for question in questions[i:i + AUDITED_AT_ONCE]:
                connection.ask(question)
            while connection.asked:
                message, question = await asyncio.wait_for(connection.read(), ANSWER_S)
                if message["type"] == "record" and message["reason"] is None or message.get("status") == "running" or \
                        message.get("nodes", len(self.addresses)) != len(self.addresses):
                    late.append(question)
        return late


def main():
    folder, seed, pairs, think_ms, *addresses = sys.argv[1:]
    crowd = Crowd(folder, int(seed), int(pairs), float(think_ms) / 1000, addresses)
    asyncio.run(crowd.run())


if __name__ == "__main__":
    main()
