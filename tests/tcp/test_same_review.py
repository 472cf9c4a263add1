"""A match has one review: the server, ludus-bot and ludus, in lines and in full screen, mark the same moves. The first one at
a server stays, and is sent without an engine from then on.

usage: test_same_review.py BUILD_DIR [--whole]

Forty matches of bots are compared with fewer nodes for each position, which a program in between asks for; some short ones as
everybody sees them. With --whole the forty are not cut short after a few moves, and each is looked at in every way, which takes
some minutes.
"""
import json
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(1, sys.path[0] + "/../support")
from full_screen import FullScreen
from harness import Checks, LIMIT_S, Server, build_folder
from terminal import Home

BUILD = build_folder()
GAMES = ("clobber:4x5", "xadrersi", "latrunculi", "shakti")
WHOLE = "--whole" in sys.argv
EACH, PLIES, NODES = 10, 80 if WHOLE else 8, 60
SIGNS = {"$2": "?", "$4": "??"}


class Folder:
    """The client, and in place of its bot a program that tells its words, and thinks less where `nodes` says so."""

    def __init__(self, nodes=None):
        self.place = tempfile.TemporaryDirectory()
        self.bot, self.calls = os.path.join(self.place.name, "ludus-bot"), os.path.join(self.place.name, "calls")
        subprocess.run(["cp", os.path.join(BUILD, "ludus"), self.place.name], check=True)
        subprocess.run(["cp", os.path.join(BUILD, "ludus-bot"), os.path.join(self.place.name, "thinker")], check=True)
        with open(self.bot, "w") as file:
            file.write(f'#!/bin/sh\n[ "$1" = review ] || exec {self.place.name}/thinker "$@"\n'
                       f'echo "asked: $@" >>{self.calls}\n'
                       f'exec {self.place.name}/thinker "$@" {f"--nodes {nodes}" if nodes else ""}\n')
        os.chmod(self.bot, 0o755)

    def asked(self):
        """Returns with which words the bot was asked for reviews, by the server and by others."""
        with open(self.calls) as file:
            return re.findall("^asked: (.*)$", file.read(), re.M)


def selfplay(game, count):
    done = subprocess.run([os.path.join(BUILD, "ludus-bot"), "selfplay", game, "--games", str(count), "--nodes", "5", "--seed", "11", "--jsonl"],
                          capture_output=True, text=True, timeout=LIMIT_S * 4, check=True)
    return [json.loads(line)["moves"] for line in done.stdout.splitlines()]


def play(player, game, moves):
    match = player.do(f"new {game} white=me black=me")["match"]
    for move in moves:
        player.do(f"move {match} {move}")
    if player.do(f"record {match}")["result"] == "*":
        player.do(f"resign {match}")
    return match


class Ways:
    """Asks for the review of a match in each way, and returns its plies, or the marks of its moves."""

    def __init__(self, server, folder, home):
        self.server, self.folder, self.home = server, folder, home

    def run(self, *words, program="ludus", text=""):
        return subprocess.run([os.path.join(self.folder.place.name, program), *words], input=text, capture_output=True, text=True,
                              timeout=LIMIT_S * 4, check=True, env=self.home.environment(PATH=self.folder.place.name + ":/bin:/usr/bin")).stdout

    def client(self, *words):
        return self.run(*words, "--connect", self.server.address)

    def by_server(self, player, match):
        return player.ask(f"review {match}").get("plies")

    def by_client(self, match):
        return json.loads(self.client("review", match, "--json"))["plies"]

    def by_bot(self, match, threads):
        lines = self.run("review", "--threads", str(threads), program="ludus-bot", text=self.client("record", match, "--pgn")).splitlines()
        return list({row["ply"]: row for row in sorted(map(json.loads, lines[:-1]), key=lambda row: row["ply"])}.values())

    def marks_of_lines(self, match):
        return [mark or "" for mark in re.findall(r"^ *(?:\d+\.+)? +\S+ +(\?\??)? +\d+ % [#.]{20}", self.client("review", match, "--line"), re.M)]

    def marks_of_screen(self, match):
        path = os.path.join(self.home.path, f"{match}.pgn")
        full = FullScreen(self.server.address, "review", match, home=self.home, program=os.path.join(self.folder.place.name, "ludus"))
        try:
            full.expect("Reviewed. Mistakes: ").keys("f7").expect("Save as which file?").control("u").keys(path, "enter").expect("Saved as ")
        finally:
            full.close()
        with open(path) as file:
            moves = re.sub(r"\[[^]]*\]\n|\([^)]*\)|\{[^}]*\}", "", file.read()).split()[:-1]
        moves = [word for word in moves if not word.endswith(".")]
        return [SIGNS.get(after, "") for word, after in zip(moves, moves[1:] + [""]) if word not in SIGNS]


def start(checks, folder, *options):
    return Server(BUILD, "--rate", "0", *options, *(["--no-fence", "--bots", "greedy", "--bot-program", folder.bot] if folder else ["--no-bots"]), checks=checks)


def forty_matches(checks):
    folder, home = Folder(NODES), Home()
    with tempfile.TemporaryDirectory() as store:
        reviews, marked = {}, 0
        with start(checks, folder, "--data", store) as server:
            anna, ways = server.connect("anna"), Ways(server, folder, home)
            for game in GAMES:
                for number, moves in enumerate(selfplay(game, EACH)):
                    match = play(anna, game, moves[:PLIES])
                    reviews[match] = plies = ways.by_server(anna, match)
                    marks, what = [ply["mark"] for ply in plies[:-1]], f"{game} {match}"
                    checks.equal(ways.by_client(match), plies, f"{what}: ludus review")
                    checks.equal(ways.by_bot(match, 1 + number % 4), plies, f"{what}: ludus-bot review")
                    marked += any(marks)
                    if WHOLE or number < 2:
                        checks.equal(ways.marks_of_lines(match), marks, f"{what}: in lines")
                    if WHOLE or number == 0:
                        checks.equal(ways.marks_of_screen(match), marks, f"{what}: in full screen")
            checks.check(len(reviews) == 40 and marked >= 20, "matches with mistakes", marked)
            asked = folder.asked()
            checks.equal({re.sub(r" ?--(words|threads \d+)", "", words) for words in asked}, {"review"}, "nobody asks for another effort")
            checks.equal({match: ways.by_server(anna, match) for match in reviews}, reviews, "the same again")
            checks.equal(len(folder.asked()), len(asked), "without an engine")
        with start(checks, None, "--data", store, "--keep-finished", "5") as server:
            bob, carl = server.connect("bob"), server.connect("carl")
            checks.equal({match: bob.ask(f"review {match}").get("plies") for match in reviews}, reviews, "after a restart, by a server without bots")
            new = play(carl, "clobber:2x2", ["a2a1", "b2b1", "a1b1"])
            checks.equal(carl.ask(f"review {new}").get("code"), "not-allowed", "which reviews no other match")
    home.remove()


def as_everybody_sees(checks):
    """With all the nodes of a review: the server and the client have the same, number by number."""
    folder, home = Folder(), Home()
    with start(checks, folder) as server:
        anna, ways = server.connect("anna"), Ways(server, folder, home)
        for game in ("clobber:3x4", "shakti"):
            match = play(anna, game, selfplay(game, 1)[0][:2])
            checks.equal(ways.by_client(match), ways.by_server(anna, match), game)
    home.remove()


if __name__ == "__main__":
    raise SystemExit(Checks("test_same_review").run([forty_matches, as_everybody_sees], at_once=2))
