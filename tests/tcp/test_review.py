#!/usr/bin/env python3
"""`ludus review`: where a match of a file or of the server was lost, in words, JSON and PGN.

usage: python3 tests/tcp/test_review.py BUILD_DIR [TEST...]
"""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile

sys.path.insert(1, sys.path[0] + "/../support")
from harness import wait_until
from stage import Tests, run_tests
from terminal import BUILD, LIMIT_S, expect_in_order, expect_that

test = Tests()

# White and black give the win away in turn; the solver proves all of it.
SEE_SAW = """[Game "clobber"]
[Variant "3x4"]
[White "anna"]
[Black "bob"]

1. c2c3 b2b3 2. a2a1 b3c3 3. a4a3 c3c4 4. b1c1 1-0
"""
MOVES = SEE_SAW.split("\n\n")[1]
WORDS = """Clobber 3x4, anna - bob, 1-0

                White's chance to win
   1. c2c3        0 % ....................
      b2b3   ?? 100 % ####################  better: a3a2
   2. a2a1      100 % ####################
      b3c3      100 % ####################
   3. a4a3   ??   0 % ....................  better: b1c1
      c3c4   ?? 100 % ####################  better: c1b1; the last moment to win
   4. b1c1      100 % ####################

Mistakes (?): white 0, black 0. Blunders (??): white 1, black 2.
"""


def without_replies(shown):
    """Leaves out what would follow a better move: the loser's moves depend on how far the first look came."""
    return re.sub(r"(better: \w+)[ \w]*", r"\1", shown)


class Folder:
    """A directory with the client, and a program of ours as its bot."""

    def __init__(self, bot=None):
        self.path = tempfile.mkdtemp(prefix="ludus-test-")
        self.program = os.path.join(self.path, "ludus")
        # By a process: a child of another thread would inherit the open file, and keep it from running.
        subprocess.run(["cp", os.path.join(BUILD, "ludus"), self.path], check=True)
        if bot is not None:
            with open(os.path.join(self.path, "ludus-bot"), "w") as file:
                file.write("#!/bin/sh\n" + bot)
            os.chmod(file.name, 0o755)

    def review(self, *words):
        done = subprocess.run([self.program, "review", "-", *words], input=SEE_SAW, capture_output=True,
                              text=True, timeout=LIMIT_S, env={**os.environ, "PATH": "/bin:/usr/bin"})
        return done.returncode, done.stdout, done.stderr

    def close(self):
        shutil.rmtree(self.path)


@test
def a_file_in_words(bench):
    shown = bench.piped(["review", "-"], SEE_SAW)
    expect_that(without_replies(shown) == WORDS, shown)
    shown = bench.piped(["review", "-"], SEE_SAW + "\n" + SEE_SAW)
    expect_that(without_replies(shown) == WORDS + "\n" + WORDS, shown)


@test
def a_file_in_json_and_pgn(bench):
    review = json.loads(bench.piped(["review", "-", "--json"], SEE_SAW))
    plies = review.pop("plies")
    expect_that(review == {"type": "review", "match": None, "game": "clobber", "variant": "3x4"}, review)
    expect_that([ply["ply"] for ply in plies] == list(range(8)), plies)
    expect_that([ply["chance"] for ply in plies] == [0, 0, 100, 100, 100, 0, 100, 100], plies)
    expect_that([ply["ply"] for ply in plies if ply.get("last_win")] == [5], plies)
    expect_that(all(ply["exact"] and ply["deep"] for ply in plies), plies)
    pgn = bench.piped(["review", "-", "--pgn"], SEE_SAW)
    expect_in_order(pgn, "\n\n1. c2c3 { [%eval #-", "b2b3 $4", "(1... a3a2 ", "a4a3 $4\n{ [%eval #-2] }", "(3. b1c1 ",
                    "4. b1c1 { [%eval #0] } 1-0\n")
    expect_in_order(bench.piped(["replay", "-"], pgn), ": ok, clobber, 7 plies, 1-0")
    marked = bench.piped(["review", "-", "--pgn"], SEE_SAW.replace("c2c3", "c2c3!?").replace("b2b3", "b2b3??").replace("a4a3", "a4a3 $13"))
    expect_in_order(marked, "1. c2c3 $5 {", "b2b3 $4 {", "a4a3 $13 $4\n{")


@test
def a_match_of_the_server(bench):
    peer = bench.peer("rev1")
    match = peer.do("new clobber:3x4 white=me black=me private=yes")["match"]
    for move in (word for word in MOVES.split()[:-1] if not word.endswith(".")):
        peer.do(f"move {match} {move}")
    shown = bench.piped(["review", match])
    expect_in_order(without_replies(shown), "Clobber 3x4, rev1 - rev1, 1-0 no-moves\n", WORDS.split("\n\n")[1])
    expect_in_order(bench.piped(["review", "nosuch"], status=1), "ludus: review nosuch: unknown match 'nosuch'")


@test
def the_end_in_full_screen(bench):
    """The end says who has won, why, and what it has done to the rating; `review` shows where it was lost."""
    peer = bench.peer("rev2")
    match = peer.do("new clobber:2x2 black=me white=open")["match"]
    full = bench.full("--name", "rev3", "--join", match, columns=120, rows=40).expect("Your turn").keys("review", "enter")
    full.expect("No review: the game is still running.").keys("a2a1", "enter").expect("Waiting for rev2")
    peer.do(f"move {match} b2b1")
    full.expect("Your turn").keys("a1b1", "enter")
    full.expect("You win! rev2 has no moves left. Your rating: 1500 -> 1662 (+162).")
    full.keys("review", "enter").expect("Review of Clobber: rev3 - rev2, 1-0").expect("Mistakes: White ")
    lines = bench.ludus("--name", "rev3", "--watch", match)
    lines.expect("over: 1-0, white wins (no-moves)").line("quit").end()


# Positions in which a short look is wrong, and the move that it finds.
TRAPS = (("xadrersi", "8/8/8/B1R1QRN1/1nbq4/1Kb1n3/8/8[BNkrr] b - g5", "R@f2"),
         ("latrunculi", "2ssss2/2sd2S1/4S2S/s5s1/8/8/3D4/SSSS2S1 b 0", "d7e7"),
         ("shakti", "*1W3*/7/1*1***1/2**w2/1k1wW2/5*1/*2K2* w 0", "e3e2"))


def judged(bench, game, position, move=None):
    """Plays a move, by default the hint, and returns it and what the review says of it."""
    match = bench.piped(["new", game, "--white", "me", "--black", "me", "--position", position]).strip()
    move = move or bench.piped(["hint", match]).strip()
    bench.piped(["move", match, move])
    bench.piped(["resign", match])
    return move, json.loads(bench.piped(["review", match, "--json"]))["plies"][0]


@test
def the_review_is_of_one_mind_with_the_hint(bench):
    """Both search as long: what was a hint is no mistake, and what a shorter look would play is one."""
    for game, position, short in TRAPS:
        hint, ply = judged(bench, game, position)
        expect_that((ply["move"], ply["best"], ply["mark"]) == (hint, hint, "") and hint != short, f"{game}: {hint} {ply}")
        _, ply = judged(bench, game, position, short)
        expect_that((ply["best"], ply["mark"] != "") == (hint, True), f"{game}: {hint} {ply}")


@test
def refusals(bench):
    for text, error in (("", "ludus: -: line 1: no match found"),
                        (SEE_SAW.replace("b2b3", "b2b1"), "ludus: match ? (line 1): move 2... b3c3 (ply 4): ")):
        expect_in_order(bench.piped(["review", "-"], text, status=1), error)
    expect_in_order(bench.piped(["review", "./none.pgn"], status=1),
                    "ludus: ./none.pgn: No such file or directory")


@test
def a_bot_that_fails(bench):
    good = '{"ply":%d,"move":"c2c3","eval_cp":1,"chance":50,"best":null,"pv":[],"mark":"","deep":true}'
    rows = "".join(f"echo '{good % ply}'\n" for ply in range(8))
    for bot, words, output, error in (
            (None, (), "", "ludus-bot: No such file or directory"),
            ("exit 1\n", (), "", "ludus-bot has ended early"),
            ("cat >/dev/null\n" + rows, (), "", "ludus-bot has ended early"),
            ("cat >/dev/null\n" + rows + "echo '{\"done\":true}'\nsleep 600\n", (), "50 %", ""),
            # Nonsense among the lines counts for nothing.
            ("cat >/dev/null\necho\necho '[5]'\necho '{\"ply\":8}'\necho '{\"ply\":-1}'\n"
             "echo '{\"ply\":\"1\"}'\nhead -c 40000 /dev/zero\necho\n" + rows +
             "echo '{\"ply\":3,\"chance\":7,\"pv\":[1],\"mark\":5}'\necho '{\"done\":true}'\n", (),
             "7 %", "")):
        folder = bench.keep(Folder(bot))
        code, shown, errors = folder.review(*words)
        expect_that(code == (1 if error else 0), f"{bot}: {code} {shown} {errors}")
        expect_that(output in shown and (shown == "") == (output == ""), f"{bot}: {shown}")
        expect_that((f"ludus: review: {error}" if error.startswith("ludus-bot has") else error) in errors,
                    f"{bot}: {errors}")


@test
def without_the_bot_full_screen_says_so(bench):
    folder, path = bench.keep(Folder()), os.path.join(bench.home.path, "match.pgn")
    with open(path, "w", encoding="utf-8") as file:
        file.write(SEE_SAW)
    full = bench.full("review", path, program=folder.program, PATH="/bin:/usr/bin")
    full.end(1)
    expect_that("ludus: review: " in full.plain and "No such file" in full.plain, full.plain)


@test
def without_the_bot_the_server_reviews_its_matches(bench):
    folder, peer = bench.keep(Folder()), bench.peer("rev4")
    match = peer.do("new clobber:2x2 white=me black=me")["match"]
    client = {"program": folder.program, "PATH": "/bin:/usr/bin"}
    full = bench.full("--watch", match, **client).expect("White")
    full.keys(f"review {match}", "enter").expect("No review: the game is still running.")
    for move in ("a2a1", "b2b1", "a1b1"):
        peer.do(f"move {match} {move}")
    full.expect("White wins").keys("f6").expect("Reviewed. Mistakes: White 0, Black ").keys("home")
    full.expect("Start of the game").expect("wins (proven)").keys("q").expect("> Review")
    bench.ludus("--line", **client).expect("> ").line(f"review {match}").expect("a1b1").line("quit").end()
    expect_in_order(bench.ludus("review", match, "--line", **client).end().screen, "rev4 - rev4", "Blunders (??):")
    server = bench.new_server("--no-bots")
    peer = bench.keep(server.connect("rev5"))
    match = peer.do("new clobber:2x2 white=me black=me")["match"]
    peer.do(f"resign {match}")
    full = bench.full("--watch", match, address=server.address, **client).expect("resigned").keys("f6")
    full.expect("No review: this server runs no bots")


@test
def while_the_server_reviews_the_time_is_shown(bench):
    row = "%d - 1 50 0 - - deep -"
    slow = bench.keep(Folder('[ "$1" = review ] || exec sleep 600\ncat >/dev/null\n'
                             'until [ -e "$0.go" ]; do sleep 0.1; done\n' +
                             "".join(f"echo '{row % ply}'\n" for ply in range(2))))
    program = os.path.join(slow.path, "ludus-bot")
    server = bench.new_server("--bots", "random", "--bot-program", program)
    peer = bench.keep(server.connect("rev6"))
    match = peer.do("new clobber:2x1 white=me black=me")["match"]
    peer.do(f"move {match} b1a1")
    full = bench.full("--watch", match, program=bench.keep(Folder()).program, address=server.address, PATH="/bin:/usr/bin")
    full.expect("White wins").keys("f6").expect("The server reviews the match.").expect("] 0 of 2 seconds")
    full.until(lambda screen: re.search(r"\] [12] of 2 seconds|: \d+ seconds so far", screen), "time stands still")
    open(program + ".go", "w").close()
    full.expect("Reviewed. Mistakes").keys("q").expect("White wins")


@test
def ctrl_c_ends_it_and_the_bot(bench):
    folder = bench.keep(Folder("cat >/dev/null\necho $$ >\"$0.pid\"\nexec sleep 600\n"))
    with subprocess.Popen([folder.program, "review", "-"], stdin=subprocess.PIPE) as process:
        process.stdin.write(SEE_SAW.encode())
        process.stdin.close()
        path = os.path.join(folder.path, "ludus-bot.pid")
        wait_until(lambda: os.path.exists(path) and open(path).read().strip(), "the bot")
        process.send_signal(signal.SIGINT)
        expect_that(process.wait(LIMIT_S) == -signal.SIGINT, process.returncode)
    os.kill(int(open(path).read()), signal.SIGKILL)  # this one does not look whether anybody reads


if __name__ == "__main__":
    sys.exit(run_tests("test_review", test))
