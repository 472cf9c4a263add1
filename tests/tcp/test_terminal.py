#!/usr/bin/env python3
"""The client's line mode: the server's text at a terminal and in pipes, and typed input.

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

sys.path.insert(1, sys.path[0] + "/../support")
from stage import Tests, run_tests
from terminal import BUILD, LIMIT_S, expect_in_order, expect_that

PLAY_SELF = ("--play", "clobber:2x2", "--vs", "me")
YOURS = "your move\n> "
test = Tests()


def widest(text):
    return max(map(len, text.splitlines()))


@test
def lines_are_broken_between_words(bench):
    client = bench.ludus("--name", "anna14", "--play", "xadrersi", "--vs", "me", columns=40, TERM="dumb")
    client.expect("  8  . . . . . . . .\n").expect("     a b c d e f g h\n").expect("in hand: KQRRBBNNkqrrbbnn\n")
    for command in ("moves", "games", "who", "xyzzy", "say " + "word " * 30):
        client.answer(("> ", command))
    client.expect("] anna14: word word").answer(("> ", "help")).expect("\nquit\n")
    # What was typed is echoed by the terminal, perhaps in the midst of what the server says, which may then
    # come behind a prompt.
    shown = "\n".join(line.removeprefix("> ") for line in client.screen.splitlines()
                      if "anna14:" in line or "word " * 9 not in line)
    expect_that(widest(shown) <= 40, f"{widest(shown)} columns of 40:\n{shown}")
    client.resize(0).answer(("> ", "say " + "word " * 20)).expect("word\n    word")  # of unknown width: 80
    client.resize(20).answer(("> ", "say " + "\u00e4" * 16 + " " + "\u00e4" * 8 + " bc \u00e4"))
    client.expect(" anna14:\n    " + "\u00e4" * 16 + "\n    " + "\u00e4" * 8 + " bc \u00e4\n")
    client.answer(("> ", "quit")).end()
    output = bench.piped(["--name", "anna14", *PLAY_SELF], "say " + "word " * 30 + "\n")
    expect_that(widest(output) > 150, "lines into a pipe are not broken")


@test
def typed_text_survives_chat(bench):
    client = bench.ludus("--name", "anna3", "--play", "clobber:3x2").expect("--join ")
    peer = bench.peer("bob3")
    client.expect("waiting for the players\n> ")
    match = re.search(r"--join (\S+)", client.screen).group(1)
    peer.do(f"join {match}")
    client.expect(YOURS).type("say half a wo").expect("say half a wo")
    peer.do(f"say {match} are you there")
    client.expect("bob3: are you there\n> say half a wo").type("rd\r")
    client.expect("anna3: half a word")
    # Longer than the line, with the cursor in the middle: it is removed and restored as a whole.
    long = "say " + "long " * 30 + "end"
    client.expect("> ").type(long).expect("end").type("\x1b[D" * 3)
    peer.do(f"say {match} once more")
    client.expect("bob3: once more\n> say long").expect("end").type("the \r")
    client.expect("long the end")
    # A lone Escape delays nothing.
    client.expect("> ").type("b1\x1b")
    peer.do(f"say {match} and again")
    client.expect("bob3: and again\n> b1").type("\x15\x15b1a1\r").expect("ply 1")
    client.line("quit").end()


@test
def editing_history_and_completion(bench):
    client = bench.ludus("--play", "clobber:3x2", "--vs", "me")
    client.expect(YOURS).type("b1a2\x7f1\r").expect("last move: b1a1").expect(YOURS)
    client.line("undo").expect("ply 0").expect(YOURS)
    client.type("\x1b[A\x1b[A\r").expect("last move: b1a1").expect(YOURS)
    client.type("se\t\t").expect("seek").expect("set").type("\x15mov\t").expect("move")
    client.type("\x15MOVE B2A2\r").expect("last move: b2a2").line("resign").expect("over: ").line("quit").end()
    expect_that("b1a1" in open(bench.home.file("history")).read(), "no history was kept")
    again = bench.ludus(*PLAY_SELF).expect(YOURS).type("\x1b[A\x1b[A\x15a2a1\r")
    again.expect("ply 1").line("quit").end()


@test
def interrupts_and_end_of_input(bench):
    client = bench.ludus(*PLAY_SELF).expect(YOURS).type("rubbish\x03")
    client.expect("(Ctrl-C again, or quit, ends the program.)").expect("> ")
    client.line("a2a1").expect("ply 1").expect(YOURS).type("\x03")
    client.expect("(Ctrl-C again").type("\x03").end(0)
    bench.ludus(*PLAY_SELF).expect(YOURS).type("\x04").end(0)
    bench.ludus().expect("> ").type("\x04").end(0)
    bench.ludus(*PLAY_SELF).expect(YOURS).signal(signal.SIGTERM).end(1)
    bench.ludus(*PLAY_SELF).expect(YOURS).type("\x1c").end(1)


@test
def signals_leave_a_sane_terminal(bench):
    for number, status in ((signal.SIGTERM, 1), (signal.SIGHUP, 1), (signal.SIGSEGV, -signal.SIGSEGV),
                           (signal.SIGABRT, -signal.SIGABRT), (signal.SIGBUS, -signal.SIGBUS)):
        ludus = bench.ludus(*PLAY_SELF).expect(YOURS)
        ludus.signal(number).end(status)


@test
def suspended_and_continued(bench):
    client = bench.ludus(*PLAY_SELF).expect(YOURS).type("a2").expect("a2").type("\x1a")
    os.waitid(os.P_PID, client.process.pid, os.WSTOPPED | os.WNOWAIT)
    expect_that(termios.tcgetattr(client.slave)[3] & termios.ICANON, "raw while it is stopped")
    client.signal(signal.SIGCONT).expect("> a2").type("a1\r").expect("ply 1")
    client.answer(("> ", "quit")).end()


@test
def a_dumb_terminal_gets_plain_text(bench):
    client = bench.ludus(*PLAY_SELF, TERM="dumb")
    client.expect(YOURS).line("a2a1").expect("ply 1").answer(("> ", "quit")).end()
    expect_that(b"\x1b" not in client.raw, "escape sequences on a dumb terminal")


@test
def pipes_get_plain_text(bench):
    text = "foo\na2a1\nmoves\nb1a1\nb2b1\r\na1b1\nquit\n"
    output = bench.piped(["--play", "clobber:2x2", "--vs", "me"], text)
    for part in ("> foo\n", "! unknown command 'foo'", "> a2a1\n", "> moves\n", "> b2b1\n",
                 "! the stone on b1 is not yours: black moves (illegal-move)"):
        expect_in_order(output, part)
    expect_in_order(output, "Playing as", "ply 1", "moves of black in match", "last move: b2b1", "over: 1-0, white wins (no-moves)")
    expect_that(not re.search(r"[\x00-\x09\x0b-\x1f\x7f]", output), "control characters")


@test
def the_end_of_a_pipe_does_not_hang(bench):
    output = bench.piped(["--play", "clobber:2x2", "--vs", "bot:greedy"], "")
    expect_in_order(output, "white to move: your move")
    output = bench.piped(["--name", "eve5", "--play", "clobber:2x1", "--vs", "bot:greedy"], "b1a1")
    expect_in_order(output, "ply 1", "over: 1-0, white wins (no-moves)")
    output = bench.piped(["--play", "clobber"], "")
    expect_in_order(output, "Waiting for an opponent", "waiting for the players")
    bench.peer("eve4")
    output = bench.piped(["--play", "clobber", "--vs", "eve4"], "")
    expect_in_order(output, "waiting for eve4", "eve4 (asked)")
    expect_in_order(bench.piped([], ""), f"Playing as {bench.me} on ")


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


@test
def a_friend_by_lines(bench):
    """Everything by the server's words: a match is opened, found, joined, played, talked and agreed about."""
    anna = bench.ludus("--name", "anna1").answer(("> ", "new clobber:3x2 white=open black=me"))
    anna.expect("white (capitals): open (join ").expect("waiting for the players")
    bob = bench.ludus("--name", "bob1", home=bench.new_home()).answer(("> ", "list"))
    match = re.search(r"(\d+) +open", bob.expect("open     clobber:3x2  (open) - anna1").screen).group(1)
    bob.line(f"join {match}").expect("white to move: your move")
    anna.expect("white (capitals): bob1").expect("     c b a").expect("white to move\n> ").line("a1a2")
    anna.expect("! not your turn: the other side moves")
    bob.line("say hello anna").expect("bob1: hello anna")
    anna.expect("bob1: hello anna")
    bob.line("draw").expect("bob1 offers in match")
    anna.expect(f"draw {match} accepts").line(f"decline {match}").expect("was refused: draw")
    bob.expect("was refused: draw").line("b1a1")
    anna.expect("ply 1").line("b2a2")
    bob.expect("ply 2").line("undo")
    anna.expect("bob1 offers in match").line("undo").expect("ply 0").line("resign")
    bob.expect("over: 1-0, white wins (resign)").line("say good game")
    anna.expect("bob1: good game").line("rematch")
    bob.expect("anna1 offers in match").line("rematch").expect("white (capitals): anna1   black: bob1")
    anna.expect("white to move: your move").line("castle").expect("! unknown command 'castle'").line("quit").end()
    bob.expect("anna1 (white) is away").line("quit").end()


@test
def matches_and_challenges_are_there_again(bench):
    """Who comes gets their matches and the challenge that waits; a bot, a seek, a watch, a record, the ratings."""
    peer = bench.peer("carl20")
    anna = bench.ludus("--name", "anna20", "--play", "clobber:2x2", "--vs", "me").expect(YOURS).line("a2a1")
    anna.expect("ply 1").line("quit").end()
    challenge = peer.do("new clobber:3x2 white=anna20")["match"]
    anna = bench.ludus("--name", "anna20").expect(f"`join {challenge}` accepts the challenge")
    anna.expect("ply 1").expect("black to move: your move").line(f"join {challenge}").expect("black: carl20")
    peer.do(f"resign {challenge}")
    anna.expect("over: 1-0").line(f"record {challenge}").expect("1-0 resign").line("who").expect("anna20")
    anna.line("history").expect("no finished matches of anna20").line("new clobber:2x1 black=bot:greedy").expect(YOURS)
    anna.line("move b1a1 ply=7").expect("(ambiguous-match)").line("tournaments").expect("no tournaments")
    other = peer.do("new clobber:2x2 white=me black=me")["match"]
    anna.line(f"watch {other}").expect("white (capitals): carl20   black: carl20")
    peer.do(f"move {other} a2a1")
    anna.expect("last move: a2a1").line("seek clobber:2x3").expect("unseek").line("unseek").expect("ok").line("quit").end()


@test
def a_watched_match_ends_the_program(bench):
    """Such a match may be over before it is watched, but hardly three of them."""
    shown_in_play = 0
    for game in ("clobber:3x3", "xadrersi", "latrunculi", "shakti"):
        seats = ("--white", "bot:greedy", "--black", "bot:random")
        if game == "clobber:3x3":
            bench.ludus("--play", game, *seats).expect("over: ").end()
        else:
            shown = bench.piped(["--play", game, *seats])
            expect_in_order(shown, "last move: ", "over: ")
            shown_in_play += "to move" in shown
    expect_that(shown_in_play > 0, "moves are shown as they are made")
    expect_that(not os.path.exists(bench.home.file("tokens")), "watching bots needs no name")


@test
def a_win_to_claim_needs_no_front(bench):
    """The opponent of a match on the screen is away; the time to claim comes while the server sends text."""
    server = bench.new_server("--no-bots", "--grace", "1")
    bob = server.connect("bob21")
    anna = bench.ludus("--name", "anna21", "--play", "clobber:3x2", "--vs", "bob21", address=server.address).expect("waiting for bob21")
    match = bob.wait_for("challenge")["match"]
    bob.do(f"join {match}")
    anna.expect(YOURS).line("quit").end()
    bob.close()
    anna = bench.ludus("--name", "anna21", "--join", match, address=server.address).expect("bob21 is away").expect(YOURS)
    while "claim now" not in anna.screen:
        anna.line(f"state {match}").expect(YOURS)
    anna.line(f"claim {match}").expect("over: ").line("quit").end()


@test
def a_lost_quit_is_sent_again(bench):
    proxy = bench.proxy()
    proxy.lose_next("command", b"quit")
    output = bench.piped(["--name", "anna22", *PLAY_SELF], "", address=proxy.address)
    expect_in_order(output, "The connection is lost", "Connected again.", "white to move: your move")
    proxy.close()


@test
def long_lines_are_refused(bench):
    """With what is put in front of them; their ends are no lines."""
    too_long = "That line is too long: 999 bytes at most."
    client = bench.ludus("--name", "anna23", *PLAY_SELF).expect(YOURS)
    for text in ("new " + "x" * 1100, "new " + "x" * 996, "a1" + "b" * 993):
        client.line(text).expect(too_long)
    for text in ("new " + "x" * 995, "a1" + "b" * 992):
        client.line(text).expect("! ")
    client.line("a2a1").expect("ply 1").line("quit").end()
    for length in (1100, 4095, 5000):
        text = "say " + "x" * (length - 4)
        output = bench.piped(["--name", f"anna23-{length}", *PLAY_SELF], text + "\n" + text + " resign\na2a1\n")
        expect_in_order(output, too_long, too_long, "ply 1")
        expect_that(output.count(too_long) == 2 and "lost" not in output, output)


@test
def matches_are_shown_after_coming_back(bench):
    """All of the player's, each as it stands, those that were not on the screen, too."""
    peer, proxy = bench.peer("carl24"), bench.proxy()
    first = bench.ludus("--name", "anna24", *PLAY_SELF, address=proxy.address).expect(YOURS).line("a2a1")
    first.expect("ply 1").line("quit").end()
    client = bench.ludus("--name", "anna24", address=proxy.address).expect("ply 1").expect(YOURS)
    challenge = peer.do("new clobber:3x2 white=anna24")["match"]
    client.expect("carl24 asks you to play").line(f"join {challenge}").expect("black: carl24")
    for _ in range(2):
        proxy.drop()
        client.expect("Connected again.")
        come = client.found
        client.expect("last move: a2a1").found = come
        client.expect("black: carl24")
    peer.do(f"resign {challenge}")
    client.expect("over: 1-0").line("quit").end()


@test
def replies_stay_text_and_the_name_stays(bench):
    client = bench.ludus("--name", "anna25", *PLAY_SELF).expect(YOURS)
    for line in ("set format=json", "SET legal=on FORMAT=JSON", "set format=text format=json", "set format=textual"):
        client.line(line).expect("Replies must stay text here.")
    for line in ("hello bob25", "Hello anna25 token=x"):
        client.line(line).expect("You have a name here. For another start the program with --name NAME.")
    client.line("set format=text").expect("ok").line("say hello format=json").expect("anna25: hello format=json")
    client.line("a2a1").expect("ply 1").line("quit").end()


if __name__ == "__main__":
    sys.exit(run_tests("test_terminal", test))
