"""Kills the server again and again while people play, and compares its state after each start with what
the players were told. See `--help`.

The server must have everything that it acknowledged, nothing that nobody did, and each command without
an answer at most once. model.py says what may have become of a match, table.py compares, player.py
plays.
"""
import argparse
import os
import random
import selectors
import shutil
import sys
import tempfile
import time
from collections import Counter

from ludusd import LIMIT_S, Ludusd, free_port, house_bots
from model import OPEN, OVER, PLAYING, other
from player import Player
from referee import Referee
from table import Table

PROBLEMS_MAX = 20
UNFINISHED_MAX = 3  # matches that one player opens
REFUSALS = {"not-your-turn", "stale-ply", "not-allowed", "match-over", "match-not-started",
            "nothing-to-answer", "seat-taken", "not-a-player"}


class GiveUp(Exception):
    """Ends the run."""


class World:
    def __init__(self, build, folder, seed, people, tolerance_ms, bots=("bot:random", "bot:greedy")):
        self.rng = random.Random(seed)
        self.seed, self.tolerance_ms, self.bots = seed, tolerance_ms, bots
        self.server = Ludusd(build, folder, free_port(self.rng))
        self.referee = Referee(build)
        self.players = [Player(self, f"p{i}") for i in range(people)]
        self.tables, self.live, self.archive = {}, [], []
        self.count, self.problems = Counter(), 0
        self.verdict = None  # the final output of `ludusd check`
        self.selector = selectors.DefaultSelector()
        self.todo = set()
        self.closing = False  # all matches should end now
        self.up_before_s, self.started_s, self.woken_s = 0.0, 0.0, 0.0

    def problem(self, what, *shown):
        self.problems += 1
        self.count["problems"] += 1
        print(f"\nPROBLEM (seed {self.seed}, after {self.count['kills']} kills): {what}")
        for thing in shown:
            print(f"    {thing}")
        if self.problems >= PROBLEMS_MAX:
            raise GiveUp("too many problems")

    # Time: clocks of matches run only while the server is up

    def life_s(self):
        return time.monotonic() - self.started_s

    def up_s(self):
        return self.up_before_s + (self.life_s() if self.server.process else 0)

    # What players hear about matches

    def name_of(self, state):
        return f"{state['game']}:{state['variant']}"

    def add_table(self, match, game, seats, clock, opener, old=False):
        full = all(seats.values()) and any(s == opener or s.startswith("bot:")
                                           for s in seats.values())
        bot = any(s and s.startswith("bot:") for s in seats.values())
        table = Table(self, match, game, self.referee.start(game), seats, clock,
                      PLAYING if full and bot else OPEN)
        table.opener, table.old = opener, old
        self.tables[match] = table
        self.live.append(table)
        return table

    def table_of(self, player, state):
        """Returns the table of a state. An unknown match may come from a `new` or a `rematch` without an
        answer."""
        table = self.tables.get(state["match"])
        if table is None:
            names = {color: seat and seat["name"] for color, seat in state["players"].items()}
            table = self.adopt(state["match"], self.name_of(state), names)
        if table is None:
            self.problem(f"{player.name} is told of a match that nobody wanted", state)
        return table

    def adopt(self, match, game, names):
        for player in self.players:
            for wish in player.lost_news:
                wanted, seats, clock, _ = wish
                if wanted == game and all(seats[c] in (None, names[c]) for c in seats):
                    player.lost_news.remove(wish)
                    return self.add_table(match, game, seats, read_clock(clock), player.name, True)
        for table in self.live:
            swapped = {color: table.seats[other(color)] for color in table.seats}
            if table.game == game and swapped == names and table.may_have_rematch():
                return self.add_rematch(table, match, old=True)
        return None

    def hear_opened(self, player, match, game, seats, clock):
        table = self.tables.get(match) or self.add_table(match, game, seats, read_clock(clock),
                                                         player.name)
        self.wake(player, table)

    def hear_challenge(self, player, event):
        table = self.tables.get(event["match"])
        if table is None:
            seats = {event["color"]: player.name, other(event["color"]): event["from"]}
            if player.ready:
                clock = event["clock"]
                table = self.add_table(event["match"], self.name_of(event), seats, clock and
                                       (clock["base_ms"], clock["increment_ms"]), event["from"])
            else:
                table = self.adopt(event["match"], self.name_of(event), seats)
            if table is None:
                self.problem(f"{player.name} is challenged, but nobody did that", event)
                return
        if not table.old:
            table.place.setdefault(player.name, 0)
        self.wake(player, table)

    def add_rematch(self, table, match, old=False):
        seats = {color: table.seats[other(color)] for color in table.seats}
        new = self.add_table(match, table.game, seats, table.clock, None, old)
        new.told = [new.known._replace(status=PLAYING)]
        return new

    def hear_rematch(self, event):
        if event["new"] not in self.tables:
            self.add_rematch(self.tables[event["match"]], event["new"])

    def hear_refusal(self, player, table, reply):
        if reply["code"] not in REFUSALS:
            table.problem(f"{player.name} is refused", reply)
        if table.joiner == player.name and table.color_of(player.name) is None:
            table.joiner = None  # another player was faster, or the match is gone
            table.place.pop(player.name, None)

    def rename(self, player):
        """Takes another name, because the token for the wanted one was lost."""
        player.name = f"p{self.players.index(player)}-{self.count['kills']}"

    def tables_of(self, player):
        return [table for table in self.live if player.name in table.people()]

    def sample_archived(self, count):
        return self.rng.sample(self.archive, min(count, len(self.archive)))

    def wake(self, player, table):
        self.todo.add((player, table))

    # One life of the server

    def start(self):
        self.started_s = time.monotonic()
        self.selector.register(self.server.start(), selectors.EVENT_READ, None)

    def come(self):
        """The server listens, so everyone comes back."""
        for player in self.players:
            player.connect()
            self.selector.register(player.socket, selectors.EVENT_READ, player)

    def poll(self, timeout_s):
        """Reads all input, and returns whether the server has said that it listens."""
        listening = False
        for key, _ in self.selector.select(max(0, timeout_s)):
            if key.data is not None:
                if not key.data.read():
                    self.note_end(key.data)
                key.data.flush()
            else:
                line = self.server.process.stdout.readline()
                self.selector.unregister(self.server.process.stdout)
                if not line.startswith(b"ludusd: listening on "):
                    raise GiveUp(f"the server does not start: {self.server.read_log()[-1000:]}")
                listening = True
        return listening

    def note_end(self, player):
        code = self.server.process.poll()
        raise GiveUp(f"{player.name} lost the connection; the server's exit code is {code}; log: "
                     f"{self.server.read_log()[-1500:]}")

    def wait(self, done, end_s):
        """Reads until done() or the time; returns whether it was done."""
        while not done():
            left_s = end_s - time.monotonic()
            if left_s <= 0:
                return False
            if self.poll(min(left_s, 0.5)):
                self.come()
        return True

    def has_all(self):
        return all(player.ready for player in self.players)

    def live_until(self, start_s, play_s):
        """Starts the server and kills it: start_s after the start or, if play_s is not None, play_s
        after all players are back."""
        self.start()
        end_s = self.started_s + (LIMIT_S if play_s is not None else start_s)
        back = self.wait(self.has_all, end_s)
        if back:
            self.begin_play()
        if play_s is not None:
            if not back:
                raise GiveUp(f"not all come back in {LIMIT_S} s")
            end_s = time.monotonic() + play_s
        self.play(end_s)

    def begin_play(self):
        for table in list(self.live):
            if table.old and not table.fresh:
                table.problem("nobody was told of it after the start")
            if table.try_archive():
                self.live.remove(table)
                self.archive.append(table)
        for player in self.players:
            player.lost_news = []
        self.wake_all()

    def wake_all(self):
        self.woken_s = time.monotonic()
        for table in self.live:
            if table.known.status == OPEN and not all(table.seats.values()):
                self.find_joiner(table)
            for player in self.players:
                if player.name in table.people():
                    self.wake(player, table)

    def find_joiner(self, table):
        if table.joiner is None and not self.closing:
            player = self.rng.choice([p for p in self.players if p.name != table.opener])
            table.joiner = player.name
            table.place[player.name] = len(table.told) - 1

    def play(self, end_s, done=lambda: False):
        while time.monotonic() < end_s and not done():
            if self.has_all():
                if not self.closing:
                    self.open_matches()
                todo, self.todo = self.todo, set()
                for player, table in todo:
                    if not table.archived:  # it may have ended before all were back
                        player.decide(table)
                if time.monotonic() > self.woken_s + 0.2:
                    self.wake_all()
            self.poll(min(0.05, end_s - time.monotonic()))

    def open_matches(self):
        opened = Counter(t.opener for t in self.live if t.known.status != OVER)
        for player in self.players:
            if opened[player.name] + len(player.news) < UNFINISHED_MAX:
                player.open_match()

    def kill(self):
        up_s = self.life_s()
        self.server.kill()
        self.up_before_s += up_s
        self.count["kills"] += 1
        self.leave()

    def leave(self):
        """All players read their remaining input and are away."""
        self.server.process = None
        for player in self.players:
            if player.socket is not None:
                self.selector.unregister(player.socket)
                player.socket.settimeout(LIMIT_S)
                while player.read():
                    pass
                player.close()
            player.lost_news += player.news
            player.reset()
        for key in list(self.selector.get_map().values()):
            self.selector.unregister(key.fileobj)
        self.todo.clear()
        for table in self.live:
            table.restart()

    # The end

    def play_to_the_end(self):
        self.closing = True
        self.live_until(0, 0)
        over = lambda: all(t.known.status == OVER and not t.pending for t in self.live)
        self.play(time.monotonic() + 300, over)
        for table in self.live:
            if table.known.status != OVER:
                table.problem("does not come to an end", table.known, table.pending)
        self.compare_records()
        code = self.server.stop()
        self.leave()
        if code != 0:
            self.problem(f"the server ends with {code}", self.server.read_log()[-1500:])
        self.wait_for_bots()
        code, self.verdict = self.server.check()
        if code != 0:
            self.problem("ludusd check finds", self.verdict)

    def compare_records(self):
        """Compares the records of all matches."""
        player = self.players[0]
        tables = list(self.tables.values())
        for i in range(0, len(tables), 50):
            for table in tables[i:i + 50]:
                player.ask_record(table)
            self.wait(lambda: not player.asked, time.monotonic() + LIMIT_S)
        if player.asked:
            self.problem("records that are not answered", player.asked)

    def wait_for_bots(self):
        end_s = time.monotonic() + LIMIT_S
        while house_bots(self.server.port):
            if time.monotonic() > end_s:
                self.problem("house bots outlive the server", house_bots(self.server.port))
                return
            time.sleep(0.05)


def read_clock(option):
    """Returns (base_ms, increment_ms) of the options of `new`; None without a clock."""
    if not option:
        return None
    base, increment = option.split("=")[1].split("+")
    return round(float(base) * 1000), round(float(increment) * 1000)


def plan(rng):
    """Returns when to kill: (seconds after the start, None), or (0, seconds after all are back)."""
    kind = rng.random()
    if kind < 0.12:
        return rng.uniform(0, 0.05), None  # while it starts, or shortly after
    if kind < 0.2:
        return rng.uniform(0.02, 0.15), None  # while people come back
    return 0, rng.random() ** 2 * 0.3


def show_progress(world, wanted, began_s):
    if sys.stdout.isatty():
        print(f"\r{world.count['kills']}/{wanted} kills, {world.count['moves acknowledged']} moves, "
              f"{world.count['states compared']} states compared, {world.problems} problems, "
              f"{time.monotonic() - began_s:.0f} s", end="", flush=True)


def run(world, kills):
    """Kills the server `kills` times, then plays to the end."""
    began_s = time.monotonic()
    try:
        while world.count["kills"] < kills:
            world.live_until(*plan(world.rng))
            world.kill()
            show_progress(world, kills, began_s)
        world.play_to_the_end()
    except GiveUp as reason:
        print(f"\nThe run ends here: {reason}")
        world.problems += 1
    finally:
        world.server.end()
        world.referee.close()


def main():
    parser = argparse.ArgumentParser(description="Kills the server while people play.")
    parser.add_argument("build", nargs="?", default="build", help="where the programs are")
    parser.add_argument("--kills", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=None, help="of the players' whims")
    parser.add_argument("--people", type=int, default=8)
    parser.add_argument("--tolerance-ms", type=float, default=1500, help="of clocks")
    parser.add_argument("--keep", action="store_true", help="keep the folder of the store")
    options = parser.parse_args()
    seed = options.seed if options.seed is not None else random.SystemRandom().randrange(1 << 32)
    folder = tempfile.mkdtemp(prefix="crash-", dir=options.build)
    world = World(options.build, os.path.join(folder, "data"), seed, options.people,
                  options.tolerance_ms)
    began_s = time.monotonic()
    run(world, options.kills)
    report(world, time.monotonic() - began_s)
    if world.problems == 0 and not options.keep:
        shutil.rmtree(folder)
    else:
        print(f"the store and the log are kept in {folder}")
    return 1 if world.problems else 0


def report(world, took_s):
    finished = sum(table.known.status == OVER for table in world.tables.values())
    print(f"\nseed {world.seed}, {took_s:.0f} s\n"
          f"kills {world.count['kills']}\nmoves acknowledged {world.count['moves acknowledged']}\n"
          f"matches finished {finished}\nstates compared {world.count['states compared']}\n"
          f"records compared {world.count['records compared']}\n"
          f"ludusd check: {world.verdict}\nproblems {world.problems}")


if __name__ == "__main__":
    sys.exit(main())
