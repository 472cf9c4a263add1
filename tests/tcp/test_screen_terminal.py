#!/usr/bin/env python3
"""The client in full screen when the terminal changes or goes, signals come, the connection is lost, or the
server misbehaves.

usage: python3 tests/tcp/test_screen_terminal.py BUILD_DIR [TEST...]
"""

import os
import random
import re
import signal
import socket
import sys
import termios
import time

sys.path.insert(1, sys.path[0] + "/../support")
from answering_server import OK, showing, state
from emulator import Emulator
from full_screen import ASCII, HERE, KEYS, POSITIONS, UTF8, YOUR_TURN, leave
from stage import Tests, run_tests
from terminal import LIMIT_S, expect_that

test = Tests()


@test
def it_gets_larger_and_smaller(bench):
    full = bench.full("--play", "latrunculi", *HERE, **ASCII).expect(YOUR_TURN)
    full.resize(30, 10).expect("Ludus needs 40x16").resize(40, 16).expect(YOUR_TURN)
    full.resize(3, 2).resize(200, 60).expect(YOUR_TURN).expect("White: 8 soldiers")


def dies_of(bench, number):
    full = bench.full("--play", "clobber:2x2", *HERE).expect(YOUR_TURN)
    expect_that(full.emulator.alternate and not full.emulator.cursor_shown, "no full screen")
    full.signal(number)
    return full


@test
def signals_leave_a_sane_terminal(bench):
    for number in (signal.SIGTERM, signal.SIGHUP):
        dies_of(bench, number).end(1)
    for number in (signal.SIGSEGV, signal.SIGABRT, signal.SIGBUS):
        dies_of(bench, number).end(-number)


@test
def stopped_and_continued(bench):
    full = bench.full("--play", "clobber:2x2", *HERE).expect(YOUR_TURN).control("z")
    os.waitid(os.P_PID, full.process.pid, os.WSTOPPED)
    full.until(lambda _: not full.emulator.alternate, "stopped in full screen")
    full.signal(signal.SIGCONT)
    full.until(lambda _: full.emulator.alternate, "not in full screen again").expect(YOUR_TURN)
    leave(full)


@test
def stopped_without_a_word(bench):
    full = bench.full("--play", "clobber:2x2", *HERE).expect(YOUR_TURN)
    modes = termios.tcgetattr(full.slave)
    full.signal(signal.SIGSTOP)
    os.waitid(os.P_PID, full.process.pid, os.WSTOPPED)
    termios.tcsetattr(full.slave, termios.TCSANOW, full.before)  # as a shell does
    full.emulator.resize(80, 24)  # and overwrites the screen
    full.signal(signal.SIGCONT).expect(YOUR_TURN).expect("Clobber 2x2")
    expect_that(termios.tcgetattr(full.slave)[:4] == modes[:4], "the modes are the shell's")
    leave(full)


@test
def the_terminal_goes(bench):
    full = bench.full("--play", "clobber:2x2", *HERE).expect(YOUR_TURN)
    os.close(full.slave)
    os.close(full.master)
    full.descriptors = ()
    expect_that(full.process.wait(LIMIT_S) == 1, "it ends otherwise")


@test
def a_lost_connection_comes_back(bench):
    proxy = bench.proxy()
    full = bench.full("--play", "clobber:5x6", *HERE, address=proxy.address).expect(YOUR_TURN)
    full.keys("b1a1", "enter").expect("(Black)")
    proxy.refusing = True
    proxy.drop()
    full.expect("No connection").resize(100, 30).expect("No connection")
    proxy.refusing = False
    full.expect("Your turn (Black)").expect("1. b1a1").expect("Connected again")


@test
def a_silent_server_is_told(bench):
    """A move that was sent is shown as sent; after 5 s it is told that nothing answers, whatever is typed, until something
    does. So it is in the menu."""
    server = bench.new_server()
    full = bench.full("--play", "clobber:5x6", *HERE, address=server.address).expect(YOUR_TURN).drawn()
    server.process.send_signal(signal.SIGSTOP)
    full.keys("b1a1", "enter").expect("b1a1 is sent").expect_gone(YOUR_TURN).expect("b1a1 is sent. No answer for 5 s")
    full.keys("f1", "up").expect("No answer for 6 s")
    server.process.send_signal(signal.SIGCONT)
    full.expect("list the keys").expect_gone("No answer").keys("q").expect("1. b1a1").expect("Your turn (Black)")
    expect_that("is sent" not in full.screen, full.screen)
    full.keys("escape").expect("Back to the menu?").keys("y").expect("> Back to match").drawn()
    server.process.send_signal(signal.SIGSTOP)
    full.pick("Ratings").expect("No answer for 5 s")
    server.process.send_signal(signal.SIGCONT)
    full.expect("Nobody has a rating yet.").expect_gone("No answer")


@test
def no_page_comes_over_the_board_with_the_connection(bench):
    """What is said on coming back is no reply to the command that was lost, which can be sent again."""
    proxy = bench.proxy()
    full = bench.full("--play", "clobber:5x6", *HERE, address=proxy.address).expect(YOUR_TURN)
    for lost in ("command", "reply"):
        proxy.lose_next(lost, b"say" if lost == "command" else b'"cmd":"say"')
        full.keys("say hi", "enter").expect("> say hi").expect("Connected again.").expect(YOUR_TURN)
        expect_that("Clobber 5x6, casual match" in full.drawn().screen, full.screen)
        full.control("u").expect("Arrows and Enter")
    proxy.lose_next("command", b"move")
    full.keys("b1a1", "enter").expect("1. b1a1").expect("Your turn (Black)").expect("Arrows and Enter")
    expect_that(not any("Esc back" in frame for frame in frames_of(full)), "there was a page")


@test
def a_server_that_stays_away(bench):
    proxy = bench.proxy()
    full = bench.full("--play", "clobber:5x6", *HERE, address=proxy.address).expect(YOUR_TURN)
    proxy.refusing = True
    proxy.drop()
    full.expect("No connection").control("c")
    full.end(1)
    expect_that("come back with" in full.screen, full.screen)


@test
def a_server_that_is_killed_and_starts_anew(bench):
    server = bench.new_server("--data", os.path.join(bench.home.path, "data"))
    full = bench.full("--play", "clobber:5x6", *HERE, address=server.address).expect(YOUR_TURN)
    full.keys("b1a1", "enter").expect("(Black)")
    server.kill()
    full.expect("No connection")
    server.again()
    full.expect("Your turn (Black)").keys("c1d1", "enter").expect("1. b1a1    c1d1")


@test
def killed_while_it_connects(bench):
    proxy = bench.proxy()
    full = bench.full("--play", "clobber:5x6", *HERE, address=proxy.address).expect(YOUR_TURN)
    port = proxy.listener.getsockname()[1]
    proxy.listener.shutdown(socket.SHUT_RDWR)  # or it would stay open until the next client
    proxy.close()
    full.expect("No connection")
    with socket.socket() as deaf:  # accepts nobody once its queue is full
        deaf.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        deaf.bind(("127.0.0.1", port))
        deaf.listen(0)
        callers = [socket.socket() for _ in range(3)]
        for caller in callers:
            caller.setblocking(False)
            caller.connect_ex(("127.0.0.1", port))
        full.read_some(time.monotonic() + 1.5)
        full.signal(signal.SIGTERM)
        end = time.monotonic() + LIMIT_S
        while full.process.poll() is None and time.monotonic() < end:
            full.read_some(time.monotonic() + 0.05)
        for caller in callers:
            caller.close()
    expect_that(full.process.returncode in (1, -signal.SIGTERM), "it goes on")
    full.end(full.process.returncode)  # 1 when the signal came between two attempts


@test
def random_keys_do_no_harm(bench):
    chance = random.Random(7)
    controls = [chr(ord(letter) & 31) for letter in "adfglnoprtu"]
    pool = [KEYS[name] for name in ("up", "down", "left", "right", "tab", "enter", "f1", "f2", "f3", "f4",
                                    "f5", "pgup", "backtab", "backspace")] + list("abcdefghjkl12345678KQRBN@n? ") + controls
    for game in POSITIONS:
        full = bench.full("--name", game[:4], "--play", POSITIONS[game][0], *HERE)
        full.expect(YOUR_TURN)
        for _ in range(60):
            full.type("".join(chance.choice(pool) for _ in range(4)))
            full.type(f"\x1b[<0;{chance.randint(1, 80)};{chance.randint(1, 24)}M")
            full.read_some(time.monotonic() + 0.01)
        expect_that(full.process.poll() is None, full.screen)
        leave(full)


@test
def without_colours(bench):
    full = bench.full("--play", "clobber:5x6", *HERE, NO_COLOR="1").expect(YOUR_TURN)
    expect_that(not re.search(rb"\x1b\[[0-9;]*[34][0-9]m", full.raw), "colours")
    full = bench.full("--play", "clobber:5x6", *HERE).expect(YOUR_TURN)
    expect_that(re.search(rb"\x1b\[[0-9;]*[34][0-9]", full.raw), "no colours")


@test
def dumb_terminals_get_lines(bench):
    for options in ({"TERM": "dumb"}, {"TERM": "no-such-terminal"}):
        full = bench.full("--play", "clobber:2x2", *HERE, **options).expect("white to move: your move")
        expect_that(not full.emulator.alternate, "full screen")


def frames_of(full):
    """All screens that were painted, one after the other."""
    emulator, frames = Emulator(full.emulator.columns, full.rows), []
    for letter in full.raw.decode("utf-8", "replace"):
        emulator.feed(letter)
        if (emulator.y, emulator.x) == (full.rows - 1, 0):
            frames.append(emulator.text())
    return frames


@test
def an_answer_that_comes_at_once_is_seen(bench):
    """The board and the moves show the player's own move for a moment; turn and clocks do not wait."""
    players = {color: {"name": color, "online": True} for color in ("white", "black")}
    answer = [state(players=players, ply=1, turn="black", position="1p/PP b", board=[".p", "PP"], last="a2a1"),
              state(players=players, ply=2, position="2/Pp w", board=["..", "Pp"], last="b2b1")]
    server = bench.keep(showing(state(players=players), move=[OK, *answer]))
    full = bench.full("--watch", "1", address=server.address, **ASCII).expect(YOUR_TURN)
    full.keys("a2a1", "enter").expect("b2b1")
    paused = [frame for frame in frames_of(full) if "1. a2a1" in frame and "b2b1" not in frame]
    expect_that(paused and YOUR_TURN in paused[-1], "\n".join(frames_of(full)))


@test
def what_others_send_is_only_text(bench):
    wide = "\u4f60\u597d" * 30
    evil = "\x1b[2J\x1b]0;x\x07\u009b31m" + wide
    players = {"white": {"name": "me", "online": True}, "black": {"name": evil, "online": True}}
    lines = [state(players=players),
             {"type": "chat", "match": "1", "from": evil, "text": evil * 3 + "done"}]
    for locale in (ASCII, UTF8):
        server = bench.keep(showing(*lines))
        full = bench.full("--watch", "1", address=server.address, **locale)
        full.expect("Black").expect("a             b")
        rows = [line for line in full.screen.split("\n") if "2 " in line[:8] or "1 " in line[:8]]
        expect_that("p" in rows[0] or "█" in rows[0], full.screen)


@test
def odd_states_do_no_harm(bench):
    lines = [state(game="go", position="nonsense", board=["*****"] * 10),
             state(position="pP/Pp w junk", ply=5),
             state(ply=-3, last="\u00e9"), state(ply=2000000000, last="a1b99"),
             state(game="xadrersi", position="8 w", board=["........"] * 8),
             state(game="xadrersi", variant="touch", board=["." * 8] * 8,
                   position="8/8/8/8/8/8/8/8[KQRRBBNNkqrrbbnn] w - -"),
             state(game="xadrersi", variant="touch", position="?", board=["\u00e9" * 5] * 10),
             state(board=["pP", "Pp"], clock={"white_ms": 1e300, "black_ms": -5}),
             state(game="shakti", position="*5*/7/7/7/7/7/*5* w 0", board=["*" * 7] * 7),
             {"type": "chat", "match": "1", "from": "x", "text": "the end"}]
    full = bench.full("--watch", "1", address=bench.keep(showing(*lines)).address).expect("<x> the end")
    full.keys("enter", "up", "tab", "f3", "escape").expect("Back to the menu?").keys("y").expect("Back to match 1")


if __name__ == "__main__":
    sys.exit(run_tests("test_screen_terminal", test))
