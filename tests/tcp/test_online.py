#!/usr/bin/env python3
"""The client finds opponents and plays tournaments, by lines and in full screen.

usage: python3 tests/tcp/test_online.py BUILD_DIR [TEST...]
"""

import re
import sys

sys.path.insert(1, sys.path[0] + "/../support")
from stage import Tests, run_tests
from terminal import expect_that

ASCII = {"LC_ALL": "C"}

test = Tests()


def seek(peer, line):
    """Lets a peer seek; returns the match that it gets."""
    peer.do("seek " + line)
    return peer.wait_for("paired")["match"]


def waiting(peer):
    """Returns the seeks that wait."""
    return peer.do("seeks")["seeks"]


@test
def seeks_in_full_screen(bench):
    bob = bench.peer("bob-seeks")
    full = bench.full("--name", "anna-seeks", **ASCII).expect("> Play now").pick("Find an opponent")
    full.expect("Find an opponent").expect("< 5 + 3 >").keys("down", "e").expect("files x ranks")
    full.keys("3x3", "enter").expect("< 3x3 >").keys("down", "down", "down", "right").expect("< people >")
    full.keys("enter").expect("Waiting for an opponent").expect("clobber:3x3, clock 5 + 3, people only")
    full.until(lambda screen: re.search(r"0:(0[1-9]|[1-5]\d)", screen), "no seconds").keys("escape").expect("< people >")
    expect_that(waiting(bob) == [], "Esc takes the seek back")
    full.keys("enter").expect("Waiting for an opponent")
    match = seek(bob, "clobber:3x3 clock=300+3")
    full.expect("Clobber 3x3").expect("bob-seeks").expect("5:00")
    bob.do(f"resign {match}")
    full.expect("resigned").keys("escape").expect("> Find an opponent")


@test
def seeks_from_the_command_line(bench):
    bob = bench.peer("bob-line")
    full = bench.full("seek", "shakti", "--name", "anna-line", "--clock", "60+1", "--color", "black", "--unrated",
                      "--rating", "1000-2000", "--bots", "no", **ASCII)
    full.expect("Waiting for an opponent").expect("shakti, clock 1 + 1, you are black, rating 1000-2000, people only")
    row = waiting(bob)[0]
    expect_that((row["color"], row["range"], row["rated"], row["bots"]) == ("black", [1000, 2000], False, "no"), row)
    match = seek(bob, "shakti clock=60+1 rated=no")
    full.expect("Shakti").expect("anna-line")
    bob.do(f"resign {match}")
    full.expect("resigned")
    output = bench.piped(("seek", "chess", "--name", "anna-pipe"), status=1)
    expect_that("chess" in output, output)


@test
def seeks_line_by_line(bench):
    bob = bench.peer("bob-by-line")
    ludus = bench.ludus("seek", "clobber:2x2", "--line", "--name", "anna-by-line")
    ludus.expect("The server looks for an opponent; `unseek` stops that.").line("unseek").expect("ok\n")
    expect_that(waiting(bob) == [], "`unseek` takes the seek back")
    ludus.line("seek clobber:2x2").expect("you seek an opponent")
    match = seek(bob, "clobber:2x2")
    ludus.expect(f"against bob-by-line as white: match {match}").expect("white to move: your move")
    bob.do(f"resign {match}")
    ludus.expect("over: 1-0")


@test
def seeks_again_after_a_lost_connection(bench):
    bob, proxy = bench.peer("bob-lost"), bench.proxy()
    full = bench.full("seek", "clobber:2x2", "--name", "anna-lost", address=proxy.address, **ASCII)
    full.expect("Waiting for an opponent")
    proxy.drop()
    full.expect("Connected again")
    seek(bob, "clobber:2x2")
    full.expect("Clobber 2x2").expect("bob-lost")


def paired(peer, number):
    """Returns the match in which a peer plays that round."""
    return peer.wait_for("paired", round=number)["match"]


@test
def a_tournament_in_full_screen(bench):
    bob, carl = bench.peer("bob-cup"), bench.peer("carl-cup")
    full = bench.full("--name", "anna-cup", **ASCII).expect("> Play now").pick("Tournaments")
    full.expect("There are no tournaments.")
    cup = carl.do("tournament new Cup clobber:2x2 format=round-robin clock=300+3")["tournament"]
    bob.do(f"tournament join {cup}")
    full.keys("escape").pick("Tournaments").expect("Cup: Clobber 2x2, round-robin, clock 5 + 3, 1 player, open").keys("enter")
    full.expect("open, 1 player").expect("bob-cup").keys("enter").expect("> Take part").keys("enter")
    full.expect("open, 2 players").expect("anna-cup").keys("enter").pick("Withdraw")
    full.expect("Withdraw from the tournament?").keys("n").expect_gone("Withdraw from").expect("open, 2 players")
    carl.do(f"tournament join {cup}")
    full.expect("open, 3 players").expect("carl-cup")
    carl.do(f"tournament start {cup}")
    full.expect("Black carl-cup").expect("5:00")
    carl.do(f"resign {paired(carl, 1)}")
    full.expect("bob-cup").expect_gone("carl-cup")
    bob.do(f"resign {paired(bob, 2)}")
    match = paired(bob, 3)
    full.expect("You win!").keys("escape").expect("running, round 3 of 3, 3 players").expect("Round 3")
    full.expect("carl-cup - bob-cup  playing").keys("enter").pick("See carl-cup")
    full.expect("White carl-cup")
    bob.do(f"resign {match}")
    full.expect("bob-cup resigned").keys("escape").expect("over, round 3 of 3").expect("carl-cup - bob-cup  1-0")
    full.expect("   1   2 anna-cup   1500     2      2  3w1 1b1").keys("escape").expect("> Tournaments")


@test
def a_tournament_directed_in_full_screen(bench):
    bob = bench.peer("bob-led")
    cup = bench.piped(("tournament", "new", "Led", "shakti", "format=arena", "--name", "anna-led")).strip()
    full = bench.full("--name", "anna-led", **ASCII).expect("> Play now").pick("Tournaments").pick("Led: Shakti")
    full.expect("open, 0 players")
    bob.do(f"tournament join {cup}")
    full.expect("bob-led").keys("enter").pick("Take part").expect("2 players").keys("enter").pick("Start it")
    bob.do(f"resign {paired(bob, 1)}")
    full.expect("Shakti")


@test
def a_tournament_opened_in_full_screen(bench):
    """The form opens it, a name gets what fits on the wire, and its director removes players and ends it."""
    bob = bench.peer("bob-open")
    full = bench.full("--name", "anna-open", **ASCII).expect("> Play now").pick("Tournaments")
    full.pick("Open a tournament").expect("< Cup_of_anna-open >").keys("e").expect("The name of the tournament")
    full.keys("My first cup", "enter").expect("It is called My_first_cup: names have").expect("< My_first_cup >")
    full.keys("down", "down", "down").expect("Everybody plays everybody").keys("right", "down", "right")
    full.expect("Rounds").expect("< 3 >").keys("down", "right").expect("< balanced >").expect("Whoever meets plays two")
    full.keys("down", "right").expect("< 10 + 5 >").keys("down", "down", "down", "down").expect("add up to one table")
    full.keys("e").expect("The name of the series").keys("My league", "enter").expect("It is called My_league")
    full.expect("< My_league >").keys("enter").expect("this server keeps nothing, and so no series")
    full.keys("right").expect("Series    < none >").keys("enter")
    full.expect("My_first_cup: Clobber 5x6, swiss").expect("open, 0 players, clock 10 + 5")
    cup, = [cup for cup in bob.do("tournaments")["tournaments"] if cup["name"] == "My_first_cup"]
    shown = bob.do(f"tournament show {cup['tournament']}")
    expect_that((shown["director"], shown["rounds_planned"], shown["bots"], shown["rated"], shown["starts"]) ==
                ("anna-open", 3, "yes", True, None), shown)
    expect_that((shown["openings"], shown.get("series")) == ("balanced", None), shown)
    full.keys("enter").pick("Remove a player").expect("Nobody takes part yet.")
    bob.do(f"tournament join {cup['tournament']}")
    full.expect("bob-open").keys("enter").pick("Remove a player").expect("Remove whom?").pick("bob-open")
    full.expect("Remove bob-open for good?").keys("y").expect("open, 0 players")
    expect_that(bob.ask(f"tournament join {cup['tournament']}")["code"] == "not-allowed", "bob is removed")
    full.keys("enter").pick("End it").expect("No result counts").keys("n").expect_gone("No result counts")
    full.keys("enter").pick("End it").expect("No result counts").keys("y").expect("aborted, 0 players")


if __name__ == "__main__":
    sys.exit(run_tests("test_online", test))
