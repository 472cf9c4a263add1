"""Plays on a server whose disk fails at every nth call (faults.c), and compares its state, then and
after a kill, with what it acknowledged.

usage: fault_test.py [BUILD] [--quick]
"""
import os
import random
import shutil
import sys
import tempfile
from collections import namedtuple

sys.path.insert(1, sys.path[0] + "/../support")
from faults import ERRORS, Faults
from harness import Checks, Connection, wait_until
from ludusd import Ludusd, free_port
from model import (BLACK, OVER, PLAYING, WHITE, Command, Known, Rules, apply, known_from_state,
                   reachable, turn_of)
from referee import Referee

# kinds: the calls that fail; halves: a failing write first writes half; power: --durability=power
Case = namedtuple("Case", "kinds error every halves power")

GAMES = ("clobber:4x4", "xadrersi:touch", "xadrersi:attack", "latrunculi:standard",
         "shakti:standard")
FAILURES_WANTED, COMMANDS_MAX = 12, 150

QUICK = (Case(("write",), "ENOSPC", 1, False, False), Case(("write",), "EIO", 4, False, False),
         Case(("write",), "ENOSPC", 3, True, False), Case(("sync",), "EIO", 2, False, True))


def full_cases():
    """Yields every kind and error with each n, and finally all kinds together."""
    for error in ERRORS:
        for power in (False, True):
            for every in (1, 2, 3, 4, 5, 7, 11):
                yield Case(("write",), error, every, False, power)
                yield Case(("write",), error, every, True, power)
                yield Case(("write", "sync", "truncate", "open"), error, every, True, power)
        for every in (1, 2, 3, 4, 5, 7, 11):
            yield Case(("sync",), error, every, False, True)


class Match:
    """A match and its acknowledged commands. `maybe` is the last failed command, which may turn out done
    after the server's end."""

    def __init__(self, number, game, rules, status):
        self.number, self.game, self.rules = number, game, rules
        self.known = Known((), frozenset(), status, "*", None)
        self.maybe = None
        self.has_bot = False


class Run:
    """One case: a server, two people and a bot."""

    def __init__(self, checks, build, folder, referee, case, seed):
        self.checks, self.case, self.referee = checks, case, referee
        self.rng = random.Random(seed)
        data = os.path.join(folder, "data")
        self.faults = Faults(build, os.path.join(folder, "control"), data)
        options = ["--bots", "random"] + ["--durability=power"] * case.power
        self.server = Ludusd(build, data, free_port(), options, self.faults.environment)
        self.matches, self.tokens, self.refused = [], {}, 0

    def check(self, good, what, *shown):
        return self.checks.check(good, f"{self.case}: {what}", shown if shown else "")

    # Conversations

    def come(self):
        self.people = {name: Connection(self.server.port) for name in ("anna", "bob")}
        for name, person in self.people.items():
            token = f" token={self.tokens[name]}" if name in self.tokens else ""
            reply = person.ask(f"hello {name}{token}")
            self.check(reply["type"] == "ok", f"{name} comes", reply)
            self.tokens[name] = reply["token"]
        self.seats = {WHITE: self.people["anna"], BLACK: self.people["bob"]}

    def leave(self):
        for person in self.people.values():
            person.close()

    def open_matches(self):
        for game in GAMES:
            number = self.seats[WHITE].ask(f"new {game} black=bob")["match"]
            self.seats[BLACK].ask(f"join {number}")
            self.add(number, game)
        number = self.seats[WHITE].ask("new latrunculi black=bot:random")["match"]
        self.add(number, "latrunculi:standard").has_bot = True

    def add(self, number, game):
        rules = Rules(self.referee, game, self.referee.start(game))
        self.matches.append(Match(number, game, rules, PLAYING))
        return self.matches[-1]

    def start_flag(self):
        """Opens a match whose time will run out, and returns its number."""
        number = self.seats[WHITE].ask("new shakti black=bob clock=0.5+0")["match"]
        self.seats[BLACK].ask(f"join {number}")
        self.seats[WHITE].ask(f"move {number} d2d3")
        return number

    def wait_for_flag(self, number, *wanted):
        def fallen():
            state = self.seats[BLACK].ask(f"state {number}")
            if not self.check(state["type"] == "state", "state is answered", state):
                return False
            return (state["status"], state["reason"], state["clock"]["black_ms"]) == wanted
        wait_until(fallen, f"{self.case}: {wanted} in match {number}")

    def look(self, match):
        """Returns the server's view of the match."""
        record = self.seats[WHITE].ask(f"record {match.number}")
        state = self.seats[WHITE].ask(f"state {match.number}")
        if not self.check(record["type"] == "record" and state["type"] == "state",
                          f"match {match.number} is told of", record, state):
            return match.known
        found = known_from_state(state, tuple(record["moves"]))
        answer = found and match.rules.ask(found.moves)
        self.check(answer is not None and answer[0] == state["position"],
                   f"match {match.number} is legal", record, state, answer)
        return found or match.known

    def choose(self, match):
        """Chooses the next command in a match."""
        color, known = turn_of(match.known), match.known
        kind = 1 if match.has_bot else self.rng.random()  # the bot may answer at any time
        if kind < 0.1 and known.moves and not known.offers:
            return Command("undo" if kind < 0.05 and len(known.moves) > 1 else "draw", color)
        if kind < 0.3 and known.offers:
            by = next(iter(known.offers))[1]
            return Command("decline", BLACK if by == WHITE else WHITE)
        legal = self.seats[color].ask(f"moves {match.number}")["moves"]
        return Command("move", color, self.rng.choice(legal), len(known.moves))

    def send(self, match, command):
        """Sends it and returns whether it was executed."""
        words = f"{command.verb} {match.number}"
        if command.verb == "move":
            words += f" {command.move} ply={command.ply}"
        reply = self.seats[command.color].ask(words)
        if reply["type"] == "ok":
            match.known, match.maybe = apply(match.rules, match.known, command), None
            return True
        if self.check(reply["code"] == "internal", "a failure is told as internal", reply, words):
            match.maybe = command
            self.refused += 1
            self.compare(match, self.look(match))
        return False

    def compare(self, match, found, *may):
        """Compares the server's view with what it acknowledged; the commands of `may` may be done."""
        bot = BLACK if match.has_bot else None
        self.check(reachable(match.rules, match.known, [], may, bot, False, found),
                   f"match {match.number} is as it was acknowledged", match.known, may, found)
        if match.has_bot:  # it continues by itself
            match.known = found

    # The parts of a case

    def play(self, failures):
        """Plays until that many calls have failed, or the commands run out."""
        for _ in range(COMMANDS_MAX):
            running = [m for m in self.matches if m.known.status == PLAYING]
            if not running or failures and sum(self.faults.count()) >= failures:
                return
            match = self.rng.choice(running)
            if match.has_bot:
                self.compare(match, self.look(match))
                if match.known.status == OVER or turn_of(match.known) != WHITE:
                    continue
            command = self.choose(match)
            self.send(match, command) or match.has_bot or self.try_again(match, command)

    def try_again(self, match, command):
        """Repeats a command as a program should: with ply=, so that it cannot be done twice."""
        for _ in range(3):
            if match.known.status != PLAYING or self.send(match, command):
                return

    def read_while_failing(self):
        for line, kind in (("ping", "pong"), ("list", "list"), ("who", "who"), ("stats", "stats"),
                           (f"state {self.matches[0].number}", "state"),
                           (f"record {self.matches[0].number}", "record")):
            reply = self.seats[BLACK].ask(line)
            self.check(reply["type"] == kind, f"{line} is answered while writing fails", reply)
        stranger = Connection(self.server.port)
        self.check(stranger.greeting["type"] == "hello", "a stranger is greeted")
        stranger.close()

    def read_log(self):
        """The log has the beginning and the end of a failure."""
        log = self.server.read_log()
        begins, ends = log.count("changes are refused"), log.count("event=store-works")
        self.check(ends <= begins <= ends + 1, "the log tells begin and end", begins, ends)
        if self.case.every == 1 and self.refused:
            self.check(begins == 1, "the log tells a failure that goes on once", begins)
        self.check(begins <= sum(self.faults.count()), "no failure is told that was none", begins)
        self.check("Sanitizer" not in log and "runtime error" not in log, "no crash", log[-3000:])

    def see_again(self):
        """After the kill, the last command answered with `internal` may be there or not."""
        for match in self.matches:
            found = self.look(match)
            self.compare(match, found, *([match.maybe] if match.maybe else []))
            match.known, match.maybe = found, None

    def bot_moves(self):
        """The bot repeats a refused move."""
        match = self.matches[-1]

        def moved():
            match.known = self.look(match)
            return match.known.status == OVER or turn_of(match.known) == WHITE
        wait_until(moved, f"{self.case}: the bot's move in match {match.number}")

    def works_again(self):
        before = self.refused
        self.bot_moves()
        self.play(0)
        self.check(self.refused == before, "everything works again")

    def run(self):
        self.server.start_and_wait()
        self.come()
        self.open_matches()
        flag = self.start_flag()
        self.faults.turn_on(self.case.kinds, self.case.error, self.case.every, self.case.halves)
        self.play(FAILURES_WANTED)
        self.check(sum(self.faults.count()) > 0, "calls did fail")
        if self.case.every == 1:
            self.check(self.refused > 0, "commands were refused")
            self.read_while_failing()
            # The end of a match on time also fails to be written, and is retried.
            self.wait_for_flag(flag, PLAYING, None, 0)
        if self.rng.random() < 0.5:
            self.faults.turn_off()
            self.works_again()
        self.read_log()
        self.check(self.server.process.poll() is None, "the server goes on")
        if self.rng.random() < 0.7:
            self.server.kill()
        else:
            self.check(self.server.stop() == 0, "the server stops on a failing disk")
        self.leave()
        self.faults.turn_off()
        self.server.start_and_wait()
        self.come()
        self.see_again()
        self.works_again()
        self.wait_for_flag(flag, OVER, "timeout", 0)
        self.leave()
        self.check(self.server.stop() == 0, "the server stops")
        code, text = self.server.check()
        self.check(code == 0, "ludusd check is content", text)
        self.faults.close()


def start_with_faults(checks, build, folder, every, kinds, error):
    """A start on a failing disk succeeds or is refused with a sentence. Then comes a good disk."""
    data = os.path.join(folder, "data")
    faults = Faults(build, os.path.join(folder, "control"), data)
    server = Ludusd(build, data, free_port(), ["--no-bots"], faults.environment)
    what = f"start with {error} at every {every}th of {kinds}"
    for life in ("new", "killed"):
        faults.turn_on(kinds, error, every)
        before = len(server.read_log()) if os.path.exists(server.log_path) else 0
        line = server.start().readline()
        if line:
            server.kill()
        else:
            code = server.reap()
            said = server.read_log()[before:]
            checks.check(code == 1 and said.count("\n") == 1 and said.startswith("ludusd: "),
                         f"{what}, {life}: one sentence", (code, said))
        faults.turn_off()
        server.start_and_wait()
        person = Connection(server.port)
        checks.equal(person.ask(f"hello {life}")["type"], "ok", f"{what}, {life}: works then")
        person.close()
        server.kill()
    code, text = server.check()
    checks.equal((code, code and text), (0, 0), f"{what}: ludusd check")
    faults.close()


def run_in_folder(build, work):
    folder = tempfile.mkdtemp(prefix="fault-", dir=build)
    try:
        work(folder)
    finally:
        shutil.rmtree(folder)


def cases(build, quick):
    """Returns the cases as functions that take the Checks."""
    def plays(checks):
        referee = Referee(build)
        for seed, case in enumerate(QUICK if quick else full_cases()):
            run_in_folder(build, lambda folder: Run(checks, build, folder, referee, case,
                                                    seed).run())
        referee.close()

    def starts(checks):
        kinds = (("write",), ("open",)) if quick else (("write",), ("open",), ("sync",),
                                                       ("truncate",))
        for every in (1, 2, 5) if quick else range(1, 40):
            for kind in kinds:
                run_in_folder(build, lambda folder: start_with_faults(
                    checks, build, folder, every, kind, "ENOSPC" if every % 2 else "EIO"))
    return [plays, starts]


if __name__ == "__main__":
    words = [word for word in sys.argv[1:] if word != "--quick"]
    run = cases(words[0] if words else "build", "--quick" in sys.argv)
    sys.exit(Checks("fault_test").run(run))
