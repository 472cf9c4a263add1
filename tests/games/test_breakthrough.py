#!/usr/bin/env python3
"""A game is one file: breakthrough.c beside this test plays everywhere, and no list but that of games.c names it.

usage: python3 tests/games/test_breakthrough.py BUILD_DIR

BUILD_DIR/five has the programs with this fifth game (see the Makefile). It has no guide for clients, and no pictures
for the page: bots search by its rules, screens show letters, the page stones with letters.
"""
import os
import random
import re
import subprocess
import sys

FOLDER = os.path.dirname(os.path.abspath(__file__))
sys.path[1:1] = [os.path.join(FOLDER, "..", name) for name in ("support", "tcp", "web")]
BUILD = sys.argv[1] = os.path.join(sys.argv[1] if len(sys.argv) > 1 else "build", "five")
from bridges import play_out, played_to_the_end
from full_screen import ASCII, UTF8, YOUR_TURN, FullScreen
from harness import LIMIT_S, Checks, Server, games_of
from page import by_click
from terminal import Home, Terminal
from test_completion import Folder, complete
from web_stage import run_case
from webdriver import Driver, missing

GAME = "breakthrough"
LEVELS = ("random", "greedy", "medium")
WON = ["g2g3", "b7b6", "g3g4", "b6b5", "g4g5", "b5b4", "g5g6", "b4b3", "g6f7", "b3a2", "f7g8"]


def run(*words, text=None):
    """Runs a program of the build, and returns what it prints; it must go well."""
    done = subprocess.run([os.path.join(BUILD, words[0]), *words[1:]], input=text, capture_output=True, text=True,
                          timeout=10 * LIMIT_S, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"{words}: {done.returncode} {done.stdout[-300:]} {done.stderr[-300:]}")
    return done.stdout


def rules(checks):
    """By the tests of the rules, which play at random, too; perft by a program of its own."""
    shown = run("tests/test_rules", os.path.join(FOLDER, "breakthrough.txt"))
    checks.check(" 0 failed" in shown, "rules and perft", shown)
    for name, *words in (["games"], ["play", GAME], ["special"], ["lessons"], ["lan"]):
        shown = run(f"tests/test_{name}", *words)
        checks.check(" 0 failed" in shown, f"test_{name} with five games", shown)


def lists(checks):
    checks.equal(games_of(BUILD)[GAME], ["standard"], "the help")
    with Folder() as folder:
        for line in ("ludus --play bre", "ludus host bre", "ludus-bot gauntlet --game bre", "ludus-bridge --games bre"):
            checks.equal(complete(folder, line), [GAME, f"{GAME}:standard"], f"Tab after {line}")
    done = subprocess.run([os.path.join(BUILD, "ludus"), "learn", GAME], capture_output=True, text=True, timeout=LIMIT_S)
    checks.equal((done.returncode, done.stderr), (2, f"ludus: learn: {GAME} has no lessons: see --help\n"), "no lessons")


def over_tcp(checks):
    """Matches against bots, and of bots, to the end; recorded and reviewed."""
    rng = random.Random(5)
    with Server(BUILD, "--bots", ",".join(LEVELS), checks=checks) as server:
        anna, eve = server.connect("anna"), server.connect("eve")
        anna.wait_for_bots(len(LEVELS))
        told, = [game for game in anna.ask("games")["games"] if game["name"] == GAME]
        checks.equal((told["title"], told["default"], len(told["rules"])), ("Breakthrough", "standard", 2), "`games`")
        for level in LEVELS:
            for colors in ("white=me black=bot:{}", "white=bot:{} black=me"):
                match = anna.do(f"new {GAME} {colors.format(level)}")["match"]
                state = play_out(anna, match, rng)
                played_to_the_end(checks, state, f"bot:{level}")
                checks.equal((state["reason"], state["check"] if "check" in state else None), ("no-moves", None), f"{level}: the end")
        match = eve.do(f"new {GAME} white=bot:greedy black=bot:medium")["match"]
        eve.do(f"watch {match}")
        checks.equal(eve.wait_for("state", match=match, status="over")["reason"], "no-moves", "bots against each other")
        record = eve.do(f"record {match}")
        checks.equal((record["game"], len(record["times_ms"])), (GAME, len(record["moves"])), "the record")
        pgn = run("ludus", "record", match, "--pgn", "--connect", server.address)
        checks.check(f'[Game "{GAME}"]' in pgn, "the record as PGN", pgn)
        judged = run("ludus-bot", "review", "--movetime", "10", text=pgn)
        checks.equal(len(set(re.findall(r'"ply":(\d+)', judged))), len(record["moves"]) + 1, "each ply is reviewed")
    shown = run("ludus-bot", "gauntlet", "--game", GAME, "--pairs", "2", "--nodes", "300", "medium", "random")
    checks.check("medium" in shown, "a gauntlet", shown)


def in_text(checks):
    """For people on netcat, and line by line."""
    with Server(BUILD, "--no-bots", checks=checks) as server:
        peer = server.connect()
        peer.send("set format=text", "games", f"new {GAME} white=me black=me", "move e2e3", "move e7e5", "quit")
        shown = b""
        while data := peer.socket.recv(65536):
            shown += data
        text = shown.decode()
        checks.check("Bring one of your pieces to the last rank." in text, "games as text", text)
        checks.check(" 7  p p p p p p p p\n" in text and " 3  . . . . P . . .\n" in text, "a board as text", text)
        checks.check("a piece moves one square ahead, straight or diagonally, not to e5" in text, "a refusal as text", text)
        home = Home()
        line = Terminal(server.address, "--play", GAME, "--vs", "me", home=home)
        try:
            line.expect("white to move: your move").line("a2b3").expect(" 3  . P . . . . . .").expect("black to move: your move")
        finally:
            line.close()
            home.remove()


def in_full_screen(checks):
    """By letters, with the rules; to the end by the cursor."""
    with Server(BUILD, "--no-bots", checks=checks) as server:
        for locale in (ASCII, UTF8):
            home = Home()
            full = FullScreen(server.address, "--play", GAME, "--vs", "me", home=home, **locale)
            try:
                full.expect("Breakthrough").expect(YOUR_TURN)
                letters = [sum(piece in word for word in full.drawn().screen.split()) for piece in "Pp"]
                checks.check(min(letters) >= 16, f"letters {locale}", full.screen)
                full.keys("f2").expect("The rules of Breakthrough").expect("diagonally ahead").keys("escape").expect(YOUR_TURN)
                # The hint chooses its piece, which may be the one that is moved next; Escape puts it down.
                full.keys("f3").expect("Enter plays it").keys("escape").expect_gone("Enter plays it")
                for ply, move in enumerate(WON):
                    if ply == 0:
                        full.play(move)
                    else:
                        full.keys(*move, "enter")
                    full.expect("White wins" if move == WON[-1] else ("(Black)", "(White)")[ply % 2])
                checks.check(True, f"played {locale}")
            finally:
                full.close()
                home.remove()


def on_the_page(stage):
    page = stage.page(stage.server("--bots", "random"))
    page.expect("5 small games").expect("Bring one of your pieces to the last rank.", f'.card[data-game="{GAME}"]')
    page.start(GAME, opponent="both")
    board = page.board()
    stage.checks.equal((board["a1"], board["h8"], len(board)), ("white piece", "black piece", 32), "what is heard of the board")
    shown = page.run("return [...document.querySelectorAll('#match .scene text.letter')].map(letter => letter.textContent).join('')")
    stage.checks.equal(shown, "P" * 32, "stones with letters")
    for ply, move in enumerate(WON):
        by_click(page, move)
        page.at(ply + 1)
    page.expect("White wins", "#status")
    page.go(f"#/rules/{GAME}").expect("captures an enemy piece diagonally ahead of it")
    stage.checks.check(True, "played on the page")


if __name__ == "__main__":
    everywhere = Checks("test_breakthrough")
    cases = [rules, lists, over_tcp, in_text, in_full_screen]
    if missing():
        print(f"test_breakthrough: the browser SKIPPED: apt-get install {' '.join(missing())}")
        sys.exit(everywhere.run(cases, at_once=3))
    with Driver() as chromium:
        sys.exit(everywhere.run([*cases, lambda checks: run_case(on_the_page, chromium, checks)], at_once=3))
