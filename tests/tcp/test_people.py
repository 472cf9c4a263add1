"""Many people at once: truncated lists, and ranks.

usage: test_people.py BUILD_DIR
"""
import sys

sys.path.insert(1, sys.path[0] + "/../support")
from harness import Checks, Server, build_folder, wait_until

SHOWN = 200  # rows of a list (protocol.md)


def start(checks, *options):
    return Server(build_folder(), "--no-bots", *options, checks=checks)


def who(checks):
    with start(checks, "--limit-loopback=no", "--max-connections", "300") as server:
        people = [server.connect() for _ in range(SHOWN + 3)]
        told = people[0].ask("who")
        checks.equal((len(told["players"]), told["total"]), (SHOWN, SHOWN + 3), "who is here")
        people.pop().ask("quit")
        wait_until(lambda: people[0].ask("who")["total"] == SHOWN + 2, "one is gone")


def play(winner, loser, name):
    """Plays a match with known moves."""
    match = winner.ask(f"new clobber:2x2 black={name}")["match"]
    loser.ask(f"join {match}")
    for player, move in ((winner, "a2a1"), (loser, "b2b1"), (winner, "a1b1")):
        player.ask(f"move {match} {move}")


def top(checks):
    """`top` lists all players of one variant, or the best ten of each; equals by name."""
    with start(checks) as server:
        names = [f"p{number:02}" for number in range(14)]
        people = [server.connect(name) for name in reversed(names)]
        for i in range(0, len(people), 2):
            play(people[i], people[i + 1], names[len(names) - 2 - i])
        rows = people[0].ask("top clobber:2x2")["players"]
        checks.equal([row["name"] for row in rows], names[1::2] + names[0::2], "winners, losers")
        checks.equal([row["rank"] for row in rows], list(range(1, 15)), "ranks")
        checks.equal(len({row["rating"] for row in rows}), 2, "two ratings")
        rows = people[0].ask("top")["players"]
        checks.equal([row["name"] for row in rows], (names[1::2] + names[0::2])[:10], "the best ten")
        checks.equal(people[0].ask("top shakti")["players"], [], "of another game")


def top_of_all(checks):
    """Every size of board is a group, in numeric order."""
    sizes = [(files, ranks) for files in range(2, 9) for ranks in range(2, 8)]
    with start(checks, "--rate", "0", "--challenges", "0") as server:
        anna, bob = server.connect("anna"), server.connect("bob")
        for files, ranks in reversed(sizes):
            match = anna.ask(f"new clobber:{files}x{ranks} black=bob")["match"]
            bob.ask(f"join {match}")
            for player in (anna, bob):
                player.ask(f"move {match} {player.ask(f'moves {match}')['moves'][0]}")
            bob.ask(f"resign {match}")
        rows = anna.ask("top")["players"]
        checks.equal([(row["variant"], row["name"]) for row in rows],
                     [(f"{files}x{ranks}", name) for files, ranks in sizes
                      for name in ("anna", "bob")], "all groups")
        checks.equal(anna.ask("top clobber")["players"], rows, "they are of one game")


if __name__ == "__main__":
    sys.exit(Checks("test_people").run([who, top, top_of_all]))
