"""A tournament of many players at three servers, each of which is killed once between a pairing and the end.

usage: tournament_test.py BUILD [--players N] [--format FORMAT]

Everybody plays on a connection of their own, and goes on at the next server when it ends. In the end all servers must
show the same tournament, in which each result is what its players were told, and each score the sum of these.
"""
import argparse
import asyncio
import collections
import json
import os
import random
import shutil
import sys
import tempfile
import time

from lobby import Lobby
from postgres import why_not

SERVERS = 3
LIMIT_S = 900
POINTS = {"1-0": (1, 0), "0-1": (0, 1), "1/2-1/2": (0.5, 0.5), "0-0": (0, 0)}


class Player:
    """Plays its first legal move whenever it has the turn."""

    def __init__(self, name, nodes):
        self.name, self.nodes, self.token = name, nodes, None
        self.results = {}  # as told, by match; of one that runs None
        self.cut = set()   # matches that ran when a connection ended: what became of them may not be told
        self.answer = None
        self.is_here = asyncio.Event()

    async def run(self, number):
        while True:
            node = self.nodes[number % SERVERS]
            try:
                self.reader, self.writer = await asyncio.open_connection("127.0.0.1", node.port, limit=1 << 20)
                await self.listen()
            except (OSError, EOFError, ConnectionError):
                pass
            self.is_here.clear()
            self.cut |= {match for match, result in self.results.items() if result is None}
            if self.answer is not None and not self.answer.done():
                self.answer.set_result(None)
            number += 1
            await asyncio.sleep(0.2)

    async def listen(self):
        self.send(f"hello {self.name}" + (f" token={self.token}" if self.token else ""))
        while line := await self.reader.readline():
            self.take(json.loads(line))

    def send(self, line):
        self.writer.write(line.encode() + b"\n")

    def take(self, message):
        kind = message["type"]
        if message.get("id") == "a":
            if not self.answer.done():
                self.answer.set_result(message)
        elif message.get("cmd") == "hello":
            if kind == "error":
                raise EOFError
            self.token = message["token"]
            self.is_here.set()
        elif kind == "ping":
            self.send("pong")
        elif kind == "state" and message["status"] == "over":
            self.results[message["match"]] = message["result"]
        elif kind == "state":
            self.results[message["match"]] = None
            if message.get("legal"):
                self.send(f"move {message['match']} {random.choice(message['legal'])} ply={message['ply']}")

    async def ask(self, line):
        """Sends a command until it is answered, at whatever server."""
        while True:
            await self.is_here.wait()
            self.answer = asyncio.get_running_loop().create_future()
            self.send("#a " + line)
            if (message := await self.answer) is not None:
                return message


async def show(player, tournament):
    """Returns the standings and the pairings, all pages of them."""
    players, pairings, whole = [], [], None
    while whole is None or len(players) < whole["total_players"] or len(pairings) < whole["total_pairings"]:
        pages = f"players={len(players) + 1} pairings={len(pairings) + 1}"
        whole = await player.ask(f"tournament show {tournament} {pages}")
        players += whole["players"]
        pairings += [dict(pairing, round=one["round"]) for one in whole["rounds"] for pairing in one["pairings"]]
    return whole["status"], players, pairings


def compare(players, everybody, pairings):
    """Returns what is wrong with the table: each score is to be the sum of what the players were told."""
    problems, scores = [], collections.Counter()
    by_name = {player.name: player for player in everybody}
    for pairing in pairings:
        white, black, match = pairing["white"], pairing["black"], pairing["match"]
        if black is None:
            scores[white] += 1
            continue
        if match is not None:
            for name in (white, black):
                player = by_name[name]
                told = player.results.get(match)
                may_miss = match in player.cut or match not in player.results
                if told != pairing["result"] and not (told is None and may_miss):
                    problems.append(f"{match}: {pairing['result']} in the table, {name} was told {told}")
        for name, points in zip((white, black), POINTS[pairing["result"]]):
            scores[name] += points
    matches = [pairing["match"] for pairing in pairings if pairing["match"] is not None]
    if len(matches) != len(set(matches)):
        problems.append("a match counts twice")
    known = set(matches)
    for player in everybody:
        problems += [f"{match} of {player.name} is not in the table" for match in player.results if match not in known]
    problems += [f"{row['name']}: {row['score']} in the table, {scores[row['name']]} by the sum" for row in players
                 if row["score"] != scores[row["name"]]]
    return problems


async def wait_for_pairings(director, tournament, count):
    """Waits until there are as many, or the tournament is over."""
    while True:
        whole = await director.ask(f"tournament show {tournament} players=1 pairings=1")
        if whole["total_pairings"] >= count or whole["status"] == "over":
            return whole
        await asyncio.sleep(0.1)


async def play(lobby, count, form):
    director = Player("director", lobby.nodes)
    everybody = [Player(f"p{number}", lobby.nodes) for number in range(count)]
    tasks = [asyncio.create_task(player.run(number)) for number, player in enumerate([director, *everybody])]
    for player in (director, *everybody):
        await player.is_here.wait()
    extra = " rounds=4" if form == "swiss" else " minutes=1" if form == "arena" else ""
    opened = await director.ask(f"tournament new Many clobber:3x4 format={form}{extra} clock=60")
    tournament = opened["tournament"]
    began = time.monotonic()
    for joined in await asyncio.gather(*(player.ask(f"tournament join {tournament}") for player in everybody)):
        if joined["type"] != "ok":
            raise RuntimeError(joined)
    print(f"{count} have joined in {time.monotonic() - began:.1f} s", flush=True)
    await director.ask(f"tournament start {tournament}")
    begun = time.monotonic()
    for number, node in enumerate(lobby.nodes):
        await wait_for_pairings(director, tournament, number * (count // 2) + 1)
        await asyncio.sleep(random.uniform(0, 1))
        node.kill()
        print(f"server {number + 1} is killed", flush=True)
        await asyncio.sleep(3)
        node.start()
    whole = await wait_for_pairings(director, tournament, 1 << 30)
    print(f"over after {time.monotonic() - begun:.1f} s: {whole['total_pairings']} pairings", flush=True)
    await asyncio.sleep(3)
    tables = []
    for number, node in enumerate(lobby.nodes):
        node.wait()
        guest = Player(f"looker{number}", [node] * SERVERS)
        tasks.append(asyncio.create_task(guest.run(0)))
        tables.append(await show(guest, tournament))
    for task in tasks:
        task.cancel()
    status, players, pairings = tables[0]
    problems = compare(players, everybody, pairings)
    for row in players:
        row["online"] = None
    for number, (_, others, _) in enumerate(tables):
        for row in others:
            row["online"] = None
        if tables[number] != tables[0]:
            problems.append(f"server {number + 1} shows another table")
    rows = lobby.databases.sql("SELECT count(*), count(DISTINCT pairing) FROM ludus.match WHERE tournament IS NOT NULL")
    if int(rows[0][0]) != sum(pairing["match"] is not None for pairing in pairings) or rows[0][0] != rows[0][1]:
        problems.append(f"matches in the database: {rows}")
    return problems


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build")
    parser.add_argument("--players", type=int, default=1000)
    parser.add_argument("--format", default="swiss")
    options = parser.parse_args()
    if reason := why_not():
        print(f"cluster: {reason}")
        return 1
    folder = tempfile.mkdtemp(prefix="tournament-", dir=options.build)
    os.chmod(folder, 0o755)
    lobby = Lobby(options.build, folder, SERVERS, relayed=False)
    try:
        lobby.start()
        problems = asyncio.run(asyncio.wait_for(play(lobby, options.players, options.format), LIMIT_S))
        for problem in problems[:20]:
            print(problem)
        print(f"tournament_test: {len(problems)} problems")
    finally:
        lobby.close()
    if not problems:
        shutil.rmtree(folder, ignore_errors=True)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
