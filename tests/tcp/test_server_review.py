#!/usr/bin/env python3
"""`review` and `analyse` at a server: by the program of the house bots, in the order of the replies, within limits.

usage: python3 tests/tcp/test_server_review.py BUILD_DIR
"""
import os
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(1, sys.path[0] + "/../support")
from harness import Checks, Server, build_folder, wait_until

# White and black give the win away in turn; the solver proves all of it.
MOVES = "c2c3 b2b3 a2a1 b3c3 a4a3 c3c4 b1c1".split()
AT_ONCE, WAITING = 2, 4  # reviews that run, and those that wait (protocol.md)


class Bot:
    """A program in place of the bots: as a house bot it sleeps, a review is up to `script`."""

    def __init__(self, script):
        self.folder = tempfile.TemporaryDirectory()
        self.path = os.path.join(self.folder.name, "bot")
        with open(self.path, "w") as file:
            file.write(f'#!/bin/sh\n[ "$1" = review ] || exec sleep 600\ncat >/dev/null\n{script}\n')
        os.chmod(self.path, 0o755)


def running(words):
    """Returns the ids of the processes with this command line."""
    found = []
    for entry in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{entry}/cmdline") as file:
                if file.read().split("\0")[:-1] == words:
                    found.append(int(entry))
        except OSError:
            pass
    return found


def start(t, *options):
    return Server(build_folder(), "--bots", "greedy", "--rate", "0", "--limit-loopback=no", *options, checks=t)


def play(peer, options="", moves=MOVES):
    match = peer.ask(f"new clobber:3x4 white=me black=me {options}")["match"]
    for move in moves:
        peer.ask(f"move {match} {move}")
    return match


def said(message):
    return message["type"], message.get("code"), message.get("message")


def reviews(t):
    with start(t) as server:
        anna, bob = server.connect("anna"), server.connect("bob")
        match = play(anna)
        anna.send(f"#r review {match}", "#p ping")
        t.equal(bob.ask("ping")["type"], "pong", "others are not held up")
        review = anna.wait_for("review")
        t.equal(anna.read()["id"], "p", "the next reply comes after it")
        t.equal((review["id"], review["match"], review["game"], review["variant"]),
                ("r", match, "clobber", "3x4"), "the reply")
        plies = review["plies"]
        t.equal([ply["ply"] for ply in plies], list(range(8)), "its plies")
        t.equal([ply["move"] for ply in plies], MOVES + [None], "the moves")
        t.equal([ply["mark"] for ply in plies], ["", "??", "", "", "??", "??", "", ""], "the marks")
        t.equal([ply["ply"] for ply in plies if ply.get("last_win")], [5], "the last moment to win")
        t.check(all(ply["exact"] and ply["deep"] for ply in plies), "all is proven", plies)
        t.equal({ply.get("why") for ply in plies if ply["mark"]} <= {"keeps the last move", "makes the last move"}, True, "why the best moves are")
        t.equal([plies[7]["best"], plies[7].get("why")], [None, None], "the end has neither")
        t.equal(bob.ask(f"review {match}")["plies"], plies, "the same again")
        anna.send("set format=text", f"review {match}")
        while b"\n   7. " not in anna.buffer:
            anna.buffer += anna.socket.recv(65536)
        t.check("match %s, clobber 3x4: white's chance to win before each move\n   1. c2c3     0%%   \n"
                "   2. b2b3     0%% ?? better: a3a2 keeps the last move\n" % match in anna.buffer.decode(), "as text", anna.buffer)
        t.check("   6. c3c4     0% ?? better: c1b1 keeps the last move, the last moment to win\n" in anna.buffer.decode(),
                "as text, the last moment", anna.buffer)


def analyses(t):
    """A position is judged as in a review, alike each time, and a move there by the same marks."""
    told = []
    for _ in range(2):
        with start(t) as server:
            anna = server.connect("anna")
            anna.send("#r analyse clobber:3x4", "#p ping")
            told.append([anna.wait_for("analysis"), *(anna.ask(line) for line in (
                "analyse xadrersi", "analyse latrunculi d1d3",
                "analyse shakti position=*W1*2*/1****2/2*1*2/kw****1/2****1/1W***2/*2w1K* w 0",
                "analyse clobber position=3/2P/3 b", "analyse clobber position=3/1pP/3 w"))])
            peer = server.connect("bob")
            review = peer.ask(f"review {play(peer)}")["plies"]
            t.equal([told[-1][0]["winner"], told[-1][0]["exact"]], ["white" if review[0]["eval_cp"] > 0 else "black", True], "who wins, as in a review")
            marks = []
            moves = [row["move"] for row in review[:-1]]
            position = anna.ask("explain clobber:3x4")["position"]
            for move in moves:
                marks.append(anna.ask(f"analyse clobber {move} position={position}")["mark"])
                position = anna.ask(f"explain clobber {move} position={position}")["position"]
            t.equal(marks, [row["mark"] for row in review[:-1]], "marks as in a review")
            anna.send("set format=text", "analyse clobber position=3/1Pp/3 w", "analyse clobber position=3/2P/3 b")
            while b"has won\n" not in anna.buffer:
                anna.buffer += anna.socket.recv(65536)
            t.check("white wins, in at most 1 ply; best: b2c2 makes the last move\nwhite has won\n" in anna.buffer.decode(), "as text", anna.buffer)
    t.equal(told[0], told[1], "the same at another server")
    first, touch, opening, mate, over, last = told[0]
    t.equal([first["id"], first["game"], first["variant"], first["turn"]], ["r", "clobber", "3x4", "white"], "the reply")
    t.check(first["position"].endswith(" w") and first["best"] == first["pv"][0] and "move" not in first, "the line", first)
    t.equal([touch["winner"], touch["plies"], touch["exact"]], [None, None, False], "nobody knows")
    t.equal([opening["move"], opening["mark"] in ("", "?", "??"), opening["loss_cp"] >= 0], ["d1d3", True, True], "of a move")
    t.equal([mate["winner"], mate["plies"], mate["best"], mate["why"]], ["white", 1, "b7b5", "mates"], "a mate")
    t.equal([over["winner"], over["plies"], over["best"], over["pv"]], ["white", 0, None, []], "a game that is over")
    t.equal([last["winner"], last["plies"], last["best"]], ["white", 1, "c2b2"], "the last move")


def refusals(t):
    with start(t) as server:
        anna, bob = server.connect("anna"), server.connect("bob")
        running, private = play(anna, moves=MOVES[:2]), play(anna, "private=yes")
        t.equal(said(anna.ask(f"review {running}")), ("error", "not-allowed", "the match is not over"), "running")
        t.equal(said(anna.ask("review nosuch"))[1], "unknown-match", "no such match")
        t.equal(said(bob.ask(f"review {private}"))[1], "not-a-player", "a stranger's private match")
        t.equal(anna.ask(f"review {private}")["type"], "review", "one's own private match")
    with Server(build_folder(), "--no-bots", checks=t) as server:
        anna = server.connect("anna")
        t.equal(said(anna.ask(f"review {play(anna)}"))[1], "not-allowed", "without bots")


def after_a_restart(t):
    """A private match from the store is still its players' own."""
    with tempfile.TemporaryDirectory() as folder:
        with start(t, "--data", folder) as server:
            anna = server.connect("anna")
            private, token = play(anna, "private=yes"), anna.token
        with start(t, "--data", folder, "--keep-finished", "1") as server:
            anna, bob = server.connect(), server.connect("bob")
            anna.ask(f"hello anna token={token}")
            t.equal(said(bob.ask(f"review {private}"))[1], "not-a-player", "a stranger's private match")
            t.equal(anna.ask(f"review {private}").get("match"), private, "one's own private match")


def queue(t):
    """Some run, some wait, more are refused; a line that sleeps goes with its connection."""
    words = ["sleep", f"600.{os.getpid()}"]
    bot = Bot("exec " + " ".join(words))
    with start(t, "--bot-program", bot.path) as server:
        anna = server.connect("anna")
        matches = [play(anna) for _ in range(AT_ONCE + WAITING + 1)]
        askers = [server.connect() for _ in matches]
        for asker, match in zip(askers[:-1], matches):
            asker.send(f"review {match}")
        wait_until(lambda: len(running(words)) == AT_ONCE, "reviews run")
        wait_until(lambda: askers[-1].ask(f"review {matches[-1]}")["type"] == "error", "no room")
        t.equal(said(askers[-1].ask("analyse clobber"))[1], "rate-limited", "an analysis takes the same room")
        refused = askers[-1].ask(f"review {matches[-1]}")
        t.equal(said(refused), ("error", "rate-limited", "too many reviews at a time: wait 5.0 s"), "no room")
        t.equal(refused["retry_ms"], 5000, "when to try again")
        askers[0].close()
        t.equal(anna.ask("ping")["type"], "pong", "the server goes on")
        t.equal(len(running(words)), AT_ONCE, "no more run at a time")
    t.equal(running(words), [], "none outlives the server")


def failures(t):
    """A bot that fails, or says nonsense, is no review."""
    good = "%d c2c3 0 50 0 - - deep -"
    lines = "".join(f"echo '{good % ply}'\n" for ply in range(8))
    for script, plies in (("exit 1", None), (lines + "exit 1", None), ("", None),
                          (lines.replace("'3 c2c3", "'33 c2c3"), None),
                          (lines.replace("'3 c2c3 0 50", "'3 c2c3 0"), None),
                          (lines.replace("'3 c2c3 0 50", "'3 c2c3 x 50"), None),
                          (lines.replace("'3 c2c3 0 50 0 - - deep -", "'3 c2c3 0 50 0 - - deep -" + 9 * " c2c3"), None),
                          ("echo '9 - 0 50 0 - - - -'\necho '1 c2c3'\nhead -c 300000 /dev/zero\necho\nprintf '\\377\\n'\n"
                           + lines, 8)):
        bot = Bot(script)
        with start(t, "--bot-program", bot.path) as server:
            anna = server.connect("anna")
            reply = anna.ask(f"review {play(anna)}")
            if plies is None:
                t.equal(said(reply), ("error", "internal", "the review has failed"), script[-40:])
                t.check("event=review-failed" in server.read_log(), "the log")
            else:
                t.equal([ply["ply"] for ply in reply.get("plies", [])], list(range(plies)), script[:40])
    bot = Bot("exit 1")
    with start(t, "--bot-program", bot.path) as server:
        t.equal(said(server.connect("anna").ask("analyse clobber")), ("error", "internal", "the analysis has failed"), "an analysis")
        t.check("event=review-failed plies=0" in server.read_log(), "the log of an analysis")


if __name__ == "__main__":
    sys.exit(Checks("test_server_review").run([reviews, analyses, refusals, after_a_restart, queue, failures]))
