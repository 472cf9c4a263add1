"""The matches of a soak test: players that pause before each move, against ludus-bot, house bots and
each other. Each has two windows: a move goes out in either, and both must be told the same of each match. They check the
record of each finished match by the rules.

usage: players.py BUILD PORT FOLDER MATCHES PACE_S SEED all|GAME,... BOT...

Prints its status as a line of JSON each second. A line on standard input makes all matches end quickly,
then the program ends. FOLDER/matches then has a line for each finished match: its number and the
fingerprint of its record.
"""
import hashlib
import heapq
import itertools
import json
import os
import random
import selectors
import socket
import sys
import time

sys.path.insert(1, sys.path[0] + "/../crash")
from referee import Referee

GAMES = ("clobber:5x6", "clobber:6x6", "clobber:8x8", "xadrersi:touch", "xadrersi:attack",
         "latrunculi:standard", "shakti:standard")
QUICK_GAMES = "clobber:4x4,clobber:5x6,xadrersi:touch,xadrersi:attack"  # of at most 30 moves
PLAYERS = 10
UNANSWERED_MAX = 5  # challenges, as many as one address may have
DECLINE_S = 1       # between challenges that a player declines, as some are withdrawn and 100 errors are the end
FAULTS_SHOWN = 50
FOREIGN = "foreign"  # errors for challenges by strangers, which may be withdrawn meanwhile
STALLED_S = 120      # without a move, after which the match counts as stuck
FAST_S = 0.01        # between moves, at the end
END_S = 300          # for all matches to end then
DRAIN_S = 10         # for both windows of each player to be told of the last of them
BY_THE_GAME = ("no-moves", "score", "dux-immobilised", "no-soldiers", "repetition", "no-capture",
               "checkmate")


def fingerprint(record):
    """Returns what must never change in a finished match."""
    kept = [record[key] for key in ("game", "variant", "start", "moves", "white", "black", "result",
                                    "reason")]
    return hashlib.sha256(json.dumps(kept).encode()).hexdigest()[:32]


class Player:
    """A name, its connection, and its matches."""

    def __init__(self, world, name, token=None):
        self.world, self.name, self.buffer, self.out = world, name, b"", b""
        self.declined = 0
        self.window = None  # a second connection
        self.told = {}      # by match: how it stands
        self.socket = socket.create_connection(("127.0.0.1", world.port), 60)
        self.say(f"#hello hello {name}" + (f" token={token}" if token else ""))

    def say(self, line):
        self.out += line.encode() + b"\n"
        self.flush()

    def flush(self):
        try:
            while self.out:
                self.out = self.out[self.socket.send(self.out):]
        except BlockingIOError:
            pass

    def read(self):
        try:
            data = self.socket.recv(1 << 18)
        except BlockingIOError:
            return True
        except ConnectionError:
            data = b""
        *lines, self.buffer = (self.buffer + data).split(b"\n")
        for line in lines:
            self.hear(json.loads(line))
        return bool(data)

    def hear(self, message):
        world, kind = self.world, message["type"]
        if kind == "state":
            self.note(message)
            world.on_state(self, message)
        elif kind == "challenge":
            self.on_challenge(message)
        elif kind == "ping":
            self.say("ping")
        elif kind == "record":
            world.on_record(message)
        elif kind == "ok" and message["cmd"] == "hello":
            self.window = Window(world, self.name, message["token"])
            world.listen(self.window)
        elif kind == "ok" and message["cmd"] == "new":
            world.on_opened(self, message["match"])
        elif kind == "bye" or kind == "error" and message.get("id") != FOREIGN:
            world.fault(f"{self.name} is told {message}")
            world.opening -= message.get("cmd") == "new"
            world.awaited.pop(message.get("id"), None)  # this match will have no record

    def note(self, state):
        if state["you"] and state["ply"] > 0:
            self.told[state["match"]] = [state["ply"], state["position"], state["result"], state["reason"]]

    def on_challenge(self, challenge):
        """Accepts challenges of the other players, and declines some of strangers."""
        if challenge["from"] in self.world.names:
            self.say(f"join {challenge['match']}")
        elif time.monotonic() >= self.declined + DECLINE_S:
            self.declined = time.monotonic()
            self.say(f"#{FOREIGN} decline {challenge['match']}")


class Window(Player):
    """A further connection of a player, who is asked for moves in the first one."""

    def hear(self, message):
        kind = message["type"]
        if kind == "state":
            self.note(message)
        elif kind == "ping":
            self.say("ping")
        elif kind == "ok" and message["cmd"] == "hello":
            self.world.here += 1
        elif kind in ("bye", "error", "record"):
            self.world.fault(f"another window of {self.name} is told {message}")


class World:
    def __init__(self, build, port, folder, matches, pace_s, seed, games, bots):
        self.port, self.wanted, self.pace_s = port, matches, pace_s
        self.rng, self.games, self.bots = random.Random(seed), games, bots
        self.referee = Referee(build)
        self.names = [f"soak-{i}" for i in range(PLAYERS)]
        self.running = {}   # by match: the opener, the time of the last event, the last state
        self.unanswered = set()  # matches that the other player has not joined yet
        self.early = {}     # messages about a match before its opener knows its number
        self.awaited = {}   # by finished match, as announced; the record is still to come
        self.here = self.opening = self.finished = self.verified = self.plies = 0
        self.by_reason, self.faults, self.fault_count = {}, [], 0
        self.due = []       # moves: when, who, what
        self.count = itertools.count()
        self.closing = False
        self.file = open(os.path.join(folder, "matches"), "w")
        self.selector = selectors.DefaultSelector()
        self.players = [Player(self, name) for name in self.names]
        for player in self.players:
            self.listen(player)
        self.selector.register(sys.stdin, selectors.EVENT_READ, None)

    def listen(self, player):
        player.socket.setblocking(False)
        self.selector.register(player.socket, selectors.EVENT_READ, player)

    def fault(self, text):
        self.fault_count += 1
        if len(self.faults) < FAULTS_SHOWN:
            self.faults.append(text[:600])

    # Events of a match

    def open_matches(self, most=20):
        """Opens a few at a time up to the wanted number, once all players are connected."""
        if self.here < PLAYERS or not all(player.window for player in self.players):
            return
        while most > 0 and not self.closing and len(self.running) + self.opening < self.wanted and \
                len(self.unanswered) + self.opening < UNANSWERED_MAX:
            player = self.rng.choice(self.players)
            others = self.bots + [self.rng.choice([p.name for p in self.players if p is not player])]
            color = self.rng.choice(("white", "black"))
            clock = self.rng.choice(("", "", " clock=3600+60"))
            player.say(f"new {self.rng.choice(self.games)} {color}={self.rng.choice(others)}{clock}")
            self.opening += 1
            most -= 1

    def on_opened(self, player, match):
        self.opening -= 1
        self.running[match] = [player, time.monotonic(), None]
        self.unanswered.add(match)
        for other, state in self.early.pop(match, []):
            self.on_state(other, state)

    def on_state(self, player, state):
        match = state["match"]
        if match not in self.running:
            self.on_other_state(player, state)
            return
        is_declined = state["reason"] == "aborted" and match in self.unanswered
        if state["status"] != "open":
            self.unanswered.discard(match)
        if is_declined:  # a ludus-bot gives two places to each opponent
            del self.running[match]
            return
        if state["status"] == "over":
            self.on_over(match, state)
            return
        self.running[match][1:] = time.monotonic(), state
        if state["status"] == "playing" and state["turn"] == state["you"]:
            wait_s = FAST_S if self.closing else self.rng.uniform(0.5, 1.5) * self.pace_s
            move = f"move {match} {self.rng.choice(state['legal'])} ply={state['ply']}"
            heapq.heappush(self.due, (time.monotonic() + wait_s, next(self.count), player, move))

    def on_other_state(self, player, state):
        """Handles states of finished matches, of strangers, and of matches that their opener does not
        know yet."""
        seats = [seat and seat["name"] for seat in state["players"].values()]
        if state["status"] != "over" and all(seat in self.names for seat in seats):
            self.early.setdefault(state["match"], []).append((player, state))

    def on_over(self, match, state):
        player = self.running.pop(match)[0]
        self.finished += 1
        self.by_reason[state["reason"]] = self.by_reason.get(state["reason"], 0) + 1
        if state["reason"] not in BY_THE_GAME:
            self.fault(f"match {match} is lost: {state['result']} {state['reason']}")
        self.awaited[match] = state
        player.say(f"#{match} record {match}")

    def on_record(self, record):
        """Checks the match by the rules: legal, complete, and with the right result."""
        match, game = record["match"], f"{record['game']}:{record['variant']}"
        told = self.awaited.pop(match)
        self.plies += len(record["moves"])
        found = self.referee.ask_engine(game, record["start"], record["moves"])
        end = (told["position"], told["result"], told["reason"])
        if found != end or end[1:] != (record["result"], record["reason"]) or \
                not told["ply"] == len(record["moves"]) == len(record["times_ms"]) or \
                record["start"] != self.referee.start(game):
            self.fault(f"match {match} is not as the rules have it: {found} {json.dumps(record)}")
            return
        self.verified += 1
        self.file.write(f"{match} {fingerprint(record)}\n")

    # The loop

    def send_due(self):
        now = time.monotonic()
        while self.due and self.due[0][0] <= now:
            _, _, player, move = heapq.heappop(self.due)
            self.rng.choice((player, player.window)).say(move)

    def look_for_stalled(self):
        before = time.monotonic() - STALLED_S
        for match, (player, at, state) in list(self.running.items()):
            if at < before:
                self.fault(f"match {match} of {player.name} has stalled: {state}")
                self.running[match][1] = time.monotonic()

    def hurry(self):
        self.closing = True
        now = time.monotonic()
        self.due = [(min(at, now + FAST_S), *rest) for at, *rest in self.due]
        heapq.heapify(self.due)
        self.selector.unregister(sys.stdin)

    def turn(self):
        wait_s = min(0.1, max(0, self.due[0][0] - time.monotonic())) if self.due else 0.1
        for key, _ in self.selector.select(wait_s):
            if key.data is None:
                self.hurry()
            elif not key.data.read():
                self.fault(f"{key.data.name} is cut off")
                self.selector.unregister(key.fileobj)
        self.send_due()
        self.open_matches()
        for player in self.players:
            for window in (player, player.window):
                if window and window.out:
                    window.flush()

    def compare_windows(self):
        """Both windows of a player have been told the same, once they have read all."""
        def differ():
            return [player for player in self.players if player.told != player.window.told]

        end = time.monotonic() + DRAIN_S
        while differ() and time.monotonic() < end:
            self.turn()
        for player in differ():
            both = [(match, player.told.get(match), player.window.told.get(match))
                    for match in player.told.keys() | player.window.told.keys()
                    if player.told.get(match) != player.window.told.get(match)]
            self.fault(f"the windows of {player.name} are told differently: {both[:3]}")

    def report(self):
        print(json.dumps({"running": len(self.running), "finished": self.finished,
                          "verified": self.verified, "plies": self.plies, "faults": self.fault_count,
                          "shown": self.faults, "by_reason": self.by_reason}), flush=True)

    def run(self):
        told, end = 0, None
        while not (self.closing and not self.running and not self.awaited and not self.opening):
            self.turn()
            if self.closing and end is None:
                end = time.monotonic() + END_S
            if time.monotonic() - told >= 1:
                told = time.monotonic()
                self.look_for_stalled()
                self.report()
                if end is not None and told > end:
                    self.fault(f"{len(self.running)} matches do not end")
                    break
        self.compare_windows()
        self.file.close()
        self.report()
        self.referee.close()


def main():
    build, port, folder, matches, pace_s, seed, games, *bots = sys.argv[1:]
    World(build, int(port), folder, int(matches), float(pace_s), int(seed),
          GAMES if games == "all" else games.split(","), bots).run()


if __name__ == "__main__":
    main()
