#!/usr/bin/env python3
"""The client's line mode: terminals, pipes and typed input.

usage: python3 tests/tcp/test_terminal.py BUILD_DIR

Starts BUILD_DIR/ludusd on a free port. Each step waits for the text that shows its success, for LIMIT_S
at most.
"""

import os
import re
import signal
import subprocess
import sys
import termios

from stage import Tests, run_tests
from terminal import BUILD, LIMIT_S, expect_in_order, expect_that

PLAY_SELF = ("--play", "clobber:2x2", "--vs", "me")
test = Tests()


def widest(text):
    return max(map(len, text.splitlines()))


@test
def lines_are_broken_between_words(bench):
    before = bench.ludus("--name", "anna14", "--play", "clobber:2x1", "--vs", "me")
    before.answer(("white to move> ", "b1a1"), ("menu> ", "q")).end()
    client = bench.ludus("--name", "anna14", "--play", "xadrersi", "--vs", "me", columns=40,
                         TERM="dumb")
    client.expect("  8  . . . . . . . .\n").expect("     a b c d e f g h\n")
    client.expect("In hand: white KQRRBBNN, black kqrrbbnn\n").expect("Type a\n    move, such as")
    for command in ("moves", "rules", "history", "top", "who", "xyzzy", "say " + "word " * 30):
        client.answer(("white to move> ", command))
    client.expect("<anna14> word word").answer(("white to move> ", "help"))
    client.expect("  say TEXT         chat with players and\n                   watchers\n")
    client.expect("/LINE").expect("as /stats\n")
    typed = client.screen.replace("say " + "word " * 30, "")
    expect_that(widest(typed) <= 40, f"{widest(typed)} columns of 40:\n{typed}")
    client.resize(0).answer(("white to move> ", "help"))  # of unknown width: 80
    client.expect("challenge) if\n                   several wait\n").expect("such as /stats\n")
    client.resize(20).answer(("white to move> ", "say " + "ä" * 16 + " " + "ä" * 8 + " bc ä"))
    client.expect("<anna14>\n    " + "ä" * 16 + "\n    " + "ä" * 8 + " bc ä\n")
    client.answer(("white to move> ", "/list")).expect('{"type":"list"').expect("}\n")
    client.answer(("white to move> ", "quit")).end()
    output = bench.piped(["--name", "anna14", *PLAY_SELF], "help\n")
    expect_that(widest(output) > 80, "lines into a pipe are not broken")


@test
def typed_text_survives_chat(bench):
    client = bench.ludus("--name", "anna3", "--play", "clobber:3x2").expect("--join ")
    peer = bench.peer("bob3")
    client.expect("\n").expect("waiting> ")
    match = re.search(r"--join (\S+)", client.screen).group(1)
    peer.do(f"join {match}")
    client.expect("white to move> ").type("say half a wo").expect("say half a wo")
    peer.do(f"say {match} are you there")
    client.expect("<bob3> are you there\nwhite to move> say half a wo").type("rd\r")
    client.expect("<anna3> half a word")
    # Longer than the line, with the cursor in the middle: it is removed and restored as a whole.
    long = "say " + "long " * 30 + "end"
    client.expect("white to move> ").type(long).expect("end").type("\x1b[D" * 3)
    peer.do(f"say {match} once more")
    client.expect("<bob3> once more\nwhite to move> say long").expect("end").type("the \r")
    client.expect("long the end")
    # A lone Escape delays nothing.
    client.expect("white to move> ").type("b1\x1b")
    peer.do(f"say {match} and again")
    client.expect("<bob3> and again\nwhite to move> b1").type("\x15\x15b1a1\r").expect("(ply 1)")
    client.line("quit").end()


@test
def editing_history_and_completion(bench):
    client = bench.ludus("--play", "clobber:3x2", "--vs", "me")
    client.expect("white to move> ").type("b1a2\x7f1\r").expect("by white (ply 1)")
    client.expect("black to move> ").type("undo\r").expect("Taken back").expect("white to move> ")
    client.type("\x1b[A\x1b[A\r").expect("by white (ply 1)").expect("black to move> ")
    client.type("b2\t\t").expect("b2a2  b2c2").type("A\t").expect("a2").type("\r")
    client.expect("Last move: b2a2 by black (ply 2)").answer(("white to move> ", "quit")).end()
    expect_that("b1a1" in open(bench.home.file("history")).read(), "no history was kept")
    again = bench.ludus(*PLAY_SELF).expect("white to move> ").type("\x1b[A\x1b[A\x1b[A\r")
    again.expect("Last move: b1a1").answer(("black to move> ", "quit")).end()


@test
def interrupts_and_end_of_input(bench):
    client = bench.ludus(*PLAY_SELF).expect("white to move> ").type("rubbish\x03")
    client.expect("(Ctrl-C again, or quit, ends the program.)").expect("white to move> ")
    client.line("a2a1").expect("by white (ply 1)").expect("black to move> ").type("\x03")
    client.expect("(Ctrl-C again").type("\x03").end(0)
    bench.ludus(*PLAY_SELF).expect("white to move> ").type("\x04").end(0)
    bench.ludus().expect("menu> ").type("\x04").end(0)
    bench.ludus(*PLAY_SELF).expect("white to move> ").signal(signal.SIGTERM).end(1)
    bench.ludus(*PLAY_SELF).expect("white to move> ").type("\x1c").end(1)


@test
def signals_leave_a_sane_terminal(bench):
    for number, status in ((signal.SIGTERM, 1), (signal.SIGHUP, 1), (signal.SIGSEGV, -signal.SIGSEGV),
                           (signal.SIGABRT, -signal.SIGABRT), (signal.SIGBUS, -signal.SIGBUS)):
        ludus = bench.ludus(*PLAY_SELF).expect("white to move>")
        ludus.signal(number).end(status)


@test
def suspended_and_continued(bench):
    client = bench.ludus(*PLAY_SELF).expect("white to move> ").type("a2").expect("a2").type("\x1a")
    os.waitid(os.P_PID, client.process.pid, os.WSTOPPED | os.WNOWAIT)
    expect_that(termios.tcgetattr(client.slave)[3] & termios.ICANON, "raw while it is stopped")
    client.signal(signal.SIGCONT).expect("white to move> a2").type("a1\r").expect("(ply 1)")
    client.answer(("black to move> ", "quit")).end()


@test
def colours_on_a_terminal_only(bench):
    for environment, colored in (({}, True), ({"NO_COLOR": "1"}, False), ({"NO_COLOR": ""}, True),
                                 ({"TERM": "dumb"}, False)):
        client = bench.ludus(*PLAY_SELF, **environment)
        client.expect("white to move> ").line("a2a1").expect("by white (ply 1)")
        client.answer(("black to move> ", "quit")).end()
        marked = b"\x1b[1m\x1b[7mP\x1b[0m" in client.raw
        expect_that(marked == colored, f"{environment}: colours {marked}")
        expect_that((b"\x1b[35mp" in client.raw) == colored, f"{environment}: black pieces")
        if environment.get("TERM") == "dumb":
            expect_that(b"\x1b" not in client.raw, "escape sequences on a dumb terminal")


@test
def pipes_get_plain_text(bench):
    text = "foo\na2a1\nmoves\nb1a1\nb1b2\r\na1b1\nquit\n"
    output = bench.piped(["--play", "clobber:2x2", "--vs", "me"], text)
    expect_in_order(output, "white to move> foo\n\"foo\" is not a move", "white to move> a2a1",
                    "by white (ply 1)", "black to move> moves", "black to move> b1a1",
                    "The stone on b1 is not yours", "black to move> b1b2")
    expect_that(not re.search(r"[\x00-\x09\x0b-\x1f\x7f]", output), "control characters")


@test
def moves_typed_ahead_wait_for_their_turn(bench):
    position = "PpPpPp/pPpPpP w"
    moves = "\n".join(["moves"] + ["a2b2", "b1a1", "c2d2", "f1f2", "d1d2", "e2e1", "c2b2"] * 3)
    for vs, color in (("bot:random", "white"), ("bot:greedy", "black")):
        output = bench.piped(["--play", "clobber", "--position", position, "--vs", vs, "--color",
                              color], moves + "\nresign\n")
        expect_in_order(output, "legal moves:", "Result: ")
        for line in re.findall(r"^(\w+) to move> ", output, re.M):
            expect_that(line == color, f"a line was read at the turn of {line}:\n{output}")
        expect_that("'s turn" not in output, "a move was sent out of turn")


@test
def the_menu_by_a_pipe(bench):
    output = bench.piped([], "2\n\n2x1\n\nb1a1\nrecord\n8\nq\n")
    expect_in_order(output, "menu> 2", "Game [clobber]> \n", "Variant [5x6]> 2x1",
                    "white to move> b1a1",
                    "Result: 1-0 (no-moves)", "menu> record",
                    "\n1. b1a1 1-0\n", "menu> 8", "Shakti", "menu> q")
    expect_in_order(bench.piped([], "7"), "menu> 7")
    expect_in_order(bench.piped([], ""), f"Playing as {bench.me} on ")


@test
def the_end_of_a_pipe_does_not_hang(bench):
    output = bench.piped(["--play", "clobber:2x2", "--vs", "bot:greedy"], "")
    expect_in_order(output, "White to move", "The input has ended; match")
    output = bench.piped(["--play", "clobber:2x2", "--vs", "bot:greedy"], "a2a1")
    expect_in_order(output, "by white (ply 1)", "by black (ply 2)", "The input has ended")
    output = bench.piped(["--play", "clobber:2x1", "--vs", "bot:greedy"], "b1a1")
    expect_in_order(output, "by white (ply 1)", "Result: 1-0")
    output = bench.piped(["--play", "clobber"], "")
    expect_in_order(output, "Waiting for an opponent", "The input has ended")
    bench.peer("eve4")
    output = bench.piped(["--play", "clobber", "--vs", "eve4"], "")
    expect_in_order(output, "waiting for eve4")


@test
def nobody_reads_the_output(bench):
    reading, writing = os.pipe()
    os.close(reading)
    client = subprocess.Popen([os.path.join(BUILD, "ludus"), "--connect", bench.server.address,
                               *PLAY_SELF], stdin=subprocess.PIPE, stdout=writing,
                              stderr=subprocess.DEVNULL, env=bench.home.environment())
    os.close(writing)
    expect_that(client.wait(LIMIT_S) == 1, "exit status")
    client.stdin.close()


if __name__ == "__main__":
    sys.exit(run_tests("test_terminal", test))
