"""People who send any command that changes a match, one after the other, and what they have to hear.

After each command the match that it was about is compared with the model, and after each restart all are.
"""
import json
import math
import random
import sys
import time

sys.path.insert(1, sys.path[0] + "/../support")
sys.path.insert(1, sys.path[0] + "/../crash")
from harness import Connection
from match_model import COLORS, OTHERS, READS, Match, other
from referee import Referee

GAMES = ("clobber:2x3", "clobber:3x4", "clobber:5x6", "xadrersi:touch", "xadrersi:attack", "latrunculi:standard",
         "shakti:standard")
NAMES = ("anna", "bob", "carl", "dora", "emil")
LIVE_MAX = 14  # matches that are not over
FINISHED_MAX = 40  # that the server has in memory
PROBLEMS_MAX = 5
SECONDS = {"long": 600, "short": 1}


class GiveUp(Exception):
    """Too much is wrong to go on."""


class World:
    """`server` has start(), stop(), kill() and a port; `shared` says that it is on PostgreSQL."""

    def __init__(self, build, server, seed, shared):
        self.server, self.shared, self.seed = server, shared, seed
        self.rng = random.Random(seed)
        self.referee = Referee(build)
        self.tokens, self.here, self.away_since = {}, {}, {}
        self.guest, self.guests = None, set()
        self.matches, self.over, self.records, self.once = {}, {}, {}, {}
        self.perhaps = {}  # by number: what a match may be instead, as far as its last command tells
        self.tournaments, self.told = {}, {}
        self.count, self.problems, self.trail = {}, 0, []

    # What goes over the wire

    def problem(self, what, *shown):
        self.problems += 1
        print(f"PROBLEM (seed {self.seed}): {what}", *shown, "the last commands:", *self.trail[-12:], sep="\n    ")
        if self.problems >= PROBLEMS_MAX:
            raise GiveUp

    def ask(self, who, line):
        """Sends a line and returns its reply."""
        connection = self.here[who]
        connection.send(f"#q {line}")
        while True:
            message = connection.read()
            if message is None:
                raise GiveUp(f"{who} lost the connection after {line}")
            if message.get("id") == "q":
                break
            self.hear(who, message)
        kind = "good" if message["type"] != "error" else message["code"]
        self.trail.append(f"{who}: {line} -> {kind}")
        verb = line.split()[0]
        self.count[verb] = self.count.get(verb, 0) + 1
        return message

    def hear(self, who, message):
        if message["type"] == "paired":
            self.told[message["match"]] = message
        elif message["type"] == "rematch":
            self.told[message["match"]] = message

    def settle(self):
        """Has everyone hear what there is."""
        for who in list(self.here):
            self.ask(who, "ping")

    def come(self, who):
        """A player comes, or comes back."""
        self.here[who] = Connection(self.server.port)
        token = f" token={self.tokens[who]}" if who in self.tokens else ""
        reply = self.ask(who, f"hello {who}{token}")
        if reply["type"] == "error":
            raise GiveUp(f"{who}: {reply}")
        self.tokens[who] = reply["token"]
        self.away_since.pop(who, None)

    def go(self, who):
        self.here[who].send("quit")
        while self.here[who].read() is not None:
            pass
        self.here.pop(who).close()
        self.trail.append(f"{who}: quit")
        self.count["quit"] = self.count.get("quit", 0) + 1
        self.away_since[who] = time.monotonic()
        if who == self.guest:
            self.guests.add(who)
            self.guest = None

    # Comparisons

    def shown(self, state):
        return {"status": state["status"], "ply": state["ply"], "position": state["position"],
                "result": state["result"], "reason": state["reason"], "rated": state["rated"],
                "players": {color: seat and seat["name"] for color, seat in state["players"].items()},
                "offers": sorted((offer["what"], offer["color"]) for offer in state["offers"])}

    def reader(self):
        return next(who for who in self.here if who != self.guest)

    def outcomes(self, match):
        """Returns what a match may be by now: as it was, or after one or two things that happen by themselves."""
        first = match.by_itself(self.guests)
        return [match, *first, *(second for each in first for second in each.by_itself(self.guests))]

    def compare(self, number):
        """Compares what the server says of a match with the model, which follows what happens by itself."""
        match = self.matches[number]
        state = self.ask(self.reader(), f"state {number}")
        if state["type"] == "error":
            if state["code"] == "unknown-match" and (match.status == "over" or any(
                    each.status == "over" and not each.moves for each in self.outcomes(match))):
                self.perhaps.pop(number, None)
                return self.compare_record(number) if match.moves else self.matches.pop(number)
            self.problem(f"match {number} cannot be seen", state, match.seen())
            return None
        seen = self.shown(state)
        perhaps = self.perhaps.pop(number, [])
        for candidate in [each for one in (match, *perhaps) for each in self.outcomes(one)]:
            if candidate.seen() == seen:
                self.matches[number] = candidate
                return self.compare_record(number)
        self.problem(f"match {number}", f"the server: {seen}", f"the model: {match.seen()}", state)
        self.matches.pop(number)
        return None

    def compare_record(self, number):
        match = self.matches[number]
        record = self.ask(self.reader(), f"record {number}")
        record.pop("id", None)
        if record["type"] == "error":
            self.problem(f"match {number} has no record", record, match.recorded())
            return
        wanted = match.recorded()
        wanted["evals"] = wanted["evals"] if match.status == "over" and any(wanted["evals"]) else None
        wanted["pvs"] = None if wanted["evals"] is None else [pv or [] for pv in wanted["pvs"]]
        got = {name: record.get(name) for name in wanted}
        if wanted["evals"] is None:
            got["evals"] = got["pvs"] = None
        if got != wanted:
            self.problem(f"the record of match {number}", f"the server: {got}", f"the model: {wanted}")
        before = self.records.get(number)
        kept = {name: record[name] for name in ("times_ms", "date", "clock", "rating") if name in record}
        if before is not None and match.status == "over" and before != kept:
            self.problem(f"the record of match {number} has changed", before, kept)
        if match.status == "over":
            self.records[number] = kept
        self.count["compared"] = self.count.get("compared", 0) + 1

    def compare_tournaments(self):
        for number, status in self.tournaments.items():
            shown = self.ask(self.reader(), f"tournament show {number}")
            if shown["type"] == "error" or (status is not None and shown["status"] != status):
                self.problem(f"tournament {number}", shown, status)
            elif shown["status"] == "over":
                self.tournaments[number] = "over"

    def compare_all(self, whole):
        for number in list(self.matches):
            if whole or self.matches[number].status != "over" or self.rng.random() < 0.1:
                self.compare(number)
        self.compare_tournaments()

    # Commands

    def send(self, who, number, verb, line, **arguments):
        """Sends a command about a match of the model, and compares. Returns whether it was accepted."""
        match = self.matches[number]
        reply = self.ask(who, line)
        good = reply["type"] != "error"
        before = [each.copied() for each in self.outcomes(match)  # something may have happened before it came
                  if getattr(each, verb)(who, **arguments) in (good, None)]
        if not before:
            self.problem(f"{who}: {line}", reply, match.seen())
            return good
        for each in before if good else []:
            getattr(each, verb)(who, accept=True, **arguments)
        self.matches[number], *self.perhaps[number] = before
        return good

    def open_match(self):
        who = self.someone()
        game = self.rng.choice(GAMES)
        start, options, words = self.referee.start(game), {}, []
        seats = dict.fromkeys(COLORS)
        for color in COLORS:
            seats[color] = self.rng.choice([None, None, who, who, *NAMES[:3]])
        if self.rng.random() < 0.6:
            mine = self.rng.choice(COLORS)
            seats = {mine: who, other(mine): self.rng.choice([None, None, None, *NAMES])}
        for color in COLORS:
            words.append(f"{color}={'me' if seats[color] == who else seats[color] or 'open'}")
        if self.rng.random() < 0.3:
            options["clock"] = SECONDS[self.rng.choice(list(SECONDS))]
            words.append(f"clock={options['clock']}+{self.rng.randrange(2)}")
        if self.rng.random() < 0.2:
            options["private"] = True
            words.append("private=yes")
        if self.rng.random() < 0.3:
            options["rated"] = False
            words.append("rated=no")
        if self.rng.random() < 0.15:
            options["code"] = "sesame"
            words.append("code=sesame")
        once = f"k{len(self.once)}" if self.rng.random() < 0.2 else None
        words.append(f"once={once}" if once else "")
        if self.rng.random() < 0.2 and game.startswith("clobber:5x6"):
            start, _, _ = self.referee.ask(game, start, ["b1c1"])
            words.append(f"position={start}")
        reply = self.ask(who, f"new {game} {' '.join(words)}")
        if reply["type"] == "error":
            if reply["code"] not in ("limit-reached", "unknown-player"):
                self.problem("new is refused", reply)
            return
        match = Match(reply["match"], game, start, seats, who, self.referee, **options)
        self.matches[match.number] = match
        if once:
            self.once[once] = (who, game, match.number)
        self.compare(match.number)

    def open_again(self):
        """`new once=KEY` again gives the match that the first one opened."""
        key, (who, game, number) = self.rng.choice(list(self.once.items()))
        match = self.matches.get(number)
        if who not in self.here or match is None or match.status == "over":
            return
        reply = self.ask(who, f"new {game} once={key}")
        if reply.get("match") != number and self.compare(number) is None and number in self.matches and \
                self.matches[number].status != "over":
            self.problem(f"once={key} opened match {number}", reply)
        if reply["type"] != "error" and reply["match"] != number:
            seats = {"white": who, "black": None}
            self.matches[reply["match"]] = Match(reply["match"], game, self.referee.start(game), seats, who,
                                                 self.referee)
            self.once.pop(key)

    def move(self, who, number):
        match = self.matches[number]
        if self.rng.random() < 0.05:
            self.send(who, number, "move", f"move {number} a1a1", move="a1a1")
            return
        legal = self.ask(who, f"moves {number}").get("moves", [])
        if not legal:
            return
        move, note, words = self.rng.choice(legal), (None, None), ""
        if self.rng.random() < 0.3:
            after = self.referee.ask(match.game, match.start, match.moves + [move])
            note = (self.rng.randrange(-300, 300), [move] if after else None)
            words = f" eval={note[0]} pv={move}"
        ply = self.rng.choice([None, len(match.moves), len(match.moves) + 1])
        self.send(who, number, "move", f"move {number} {move}{words}" + (f" ply={ply}" if ply is not None else ""),
                  move=move, note=note, ply=ply)

    def rematch(self, who, number):
        match = self.matches[number]
        offers = set(match.offers)
        gone = [seat for seat in match.seats.values() if seat in self.guests]
        self.told.pop(number, None)
        if gone:
            return
        if self.send(who, number, "rematch", f"rematch {number}") and number in self.matches:
            match = self.matches[number]
            both = len(match.colors_of(who)) == 2
            if both or any(by not in match.colors_of(who) for what, by in offers if what == "rematch"):
                opener = who if both else match.seats[next(by for what, by in offers if what == "rematch")]
                self.settle()
                if number not in self.told:
                    self.problem(f"nobody is told of the rematch of match {number}")
                    return
                new = self.told.pop(number)["new"]
                self.matches[new] = match.rematch_of(new, opener)
                self.compare(new)
            elif not match.moves:
                self.matches.pop(number)  # nobody has played it, so that it is not kept

    def seek(self):
        """Two seek the same, and are paired; or one takes it back."""
        if len(self.named()) < 2:
            return
        one, two = self.rng.sample(self.named(), 2)
        game = self.rng.choice(GAMES)
        line = f"seek {game} clock=600+0 rated={self.rng.choice(('yes', 'no'))}"
        self.ask(one, line)
        if self.rng.random() < 0.3:
            self.ask(one, "unseek")
            return
        self.ask(two, line)
        self.settle()
        self.ask(one, "unseek")
        self.ask(two, "unseek")
        self.hear_of_pairings()

    def adopt(self, number, tournament, rated):
        """Takes up a match that the server has opened by itself."""
        state = self.ask(self.reader(), f"state {number}")
        if state["type"] == "error":
            return
        seats = {color: seat["name"] for color, seat in state["players"].items()}
        game = f"{state['game']}:{state['variant']}"
        match = Match(number, game, self.referee.start(game), seats, None, self.referee, clock=600,
                      rated=rated, tournament=tournament, joined=True)
        self.matches[number] = match
        self.compare(number)

    def tournament(self):
        """Opens one, or goes on with one."""
        who = self.someone()
        going = [number for number, status in self.tournaments.items() if status not in ("over", "aborted")]
        if self.shared or (len(going) < 2 and self.rng.random() < 0.5):
            reply = self.ask(who, f"tournament new cup {self.rng.choice(GAMES[:3])} start=manual clock=600+0 "
                                  f"format={self.rng.choice(('round-robin', 'swiss rounds=2', 'knockout'))} rated=no")
            if self.shared != (reply["type"] == "error"):
                self.problem("tournament new", reply)
            elif not self.shared:
                number = reply["tournament"]
                self.tournaments[number] = "open"
                for player in self.named():
                    if self.rng.random() < 0.7:
                        self.ask(player, f"tournament join {number}")
            return
        if not going:
            return
        number = self.rng.choice(going)
        action = self.rng.choice(("join", "leave", "start", "start", "pause", "resume", "abort"))
        after = {"start": None, "pause": "paused", "resume": None, "abort": "aborted"}
        if self.ask(who, f"tournament {action} {number}")["type"] != "error" and action in after:
            self.tournaments[number] = after[action]

    def another_device(self):
        """A name comes to another device by a code, and one of the two tokens ends, with its connection."""
        who = self.someone()
        made = self.ask(who, "device")
        if made["type"] != "device":
            self.problem("device", made)
            return
        window = Connection(self.server.port)
        window.send(f"#d hello {who} device={made['code']}")
        reply = window.wait_for("ok", id="d")
        tokens = {row["own"]: row["token"] for row in self.ask(who, "tokens")["tokens"]}
        if reply is None or reply["token"] == self.tokens[who] or len(tokens) != 2:
            self.problem("a token of its own", reply, tokens)
            return
        loser = window
        if self.rng.random() < 0.5:  # the other device goes on
            loser, self.here[who], self.tokens[who] = self.here[who], window, reply["token"]
            tokens = {not own: number for own, number in tokens.items()}
        self.ask(who, f"revoke {tokens[False]}")
        bye = loser.wait_for("bye")
        if bye is None or bye["reason"] != "revoked" or len(self.ask(who, "tokens")["tokens"]) != 1:
            self.problem("revoked", bye)
        loser.close()

    def hear_of_pairings(self):
        self.settle()
        for number, message in list(self.told.items()):
            if message["type"] == "paired" and number not in self.matches:
                self.told.pop(number)
                self.adopt(number, message.get("tournament"), message["rated"])

    # A step

    def named(self):
        return [who for who in self.here if who != self.guest]

    def someone(self):
        return self.rng.choice(self.named())

    def visit(self):
        """Somebody comes, goes, or opens another window and closes the first."""
        away = [name for name in NAMES if name not in self.here]
        choice = self.rng.random()
        if away and choice < 0.6:
            self.come(self.rng.choice(away))
        elif choice < 0.75 and len(self.named()) > 2:
            self.go(self.someone())
        elif choice < 0.9:
            who = self.someone()
            before = self.here[who]
            self.come(who)
            before.close()
        elif self.guest is None:
            connection = Connection(self.server.port)
            connection.send("#g new clobber:2x3 black=me white=open")
            reply = connection.wait_for("ok", id="g")
            state = connection.wait_for("state")
            self.guest = state["players"]["black"]["name"]
            self.here[self.guest] = connection
            match = Match(reply["match"], "clobber:2x3", self.referee.start("clobber:2x3"),
                          {"white": None, "black": self.guest}, self.guest, self.referee)
            self.matches[match.number] = match
            self.compare(match.number)
        else:
            self.go(self.guest)

    def away_s(self, name):
        if name in self.here:
            return None
        return time.monotonic() - self.away_since[name] if name in self.away_since else math.nan

    def act(self, number):
        """Somebody sends something about a match."""
        match = self.matches[number]
        people = [who for who in self.here if who in match.seats.values() or who == match.creator]
        who = self.rng.choice(people) if people and self.rng.random() < 0.85 else self.rng.choice(list(self.here))
        if match.status == "over":
            verb = self.rng.choice(("rematch", "rematch", "decline", "move", "resign", "join"))
        elif match.status == "open":
            verb = self.rng.choice(("join", "join", "join", "join", "abort", "kick", "decline", "draw"))
            if verb == "join":
                who = self.rng.choice(list(self.here))
        else:
            verb = self.rng.choice(("move",) * (12 if len(match.moves) > 1 else 4) + ("draw", "undo", "undo", "draw", "hint", "decline", "kick", "kick", "abort",
                                                    "resign", "claim", "join"))
        if verb == "move":
            turn = match.seats[match.turn()]
            self.move(turn if turn in self.here and self.rng.random() < 0.95 else who, number)
        elif verb == "rematch":
            self.rematch(who, number)
        elif verb == "join":
            color = self.rng.choice([None, *COLORS])
            code = match.code if self.rng.random() < 0.8 else None
            self.send(who, number, verb, f"join {number} {color or ''}" + (f" code={code}" if code else ""), color=color,
                      code=code)
        elif verb == "kick":
            color = self.rng.choice([None, None, *COLORS])
            self.send(who, number, verb, f"kick {number}" + (f" color={color}" if color else ""), color=color)
        elif verb == "claim":
            own = match.colors_of(who)
            away_s = self.away_s(match.seats[other(own[0])]) if len(own) == 1 else None
            self.send(who, number, verb, f"claim {number}", away_s=away_s)
        else:
            self.send(who, number, verb, f"{verb} {number}")
        if number in self.matches:
            self.compare(number)

    def step(self):
        live = [number for number, match in self.matches.items() if match.status != "over"]
        over = [number for number, match in self.matches.items() if match.status == "over"][-8:]
        choice = self.rng.random()
        if self.rng.random() < 0.004:
            time.sleep(1.2)  # for clocks, first moves and claims
        if choice < 0.06:
            self.visit()
        elif choice < 0.08:
            self.tournament()
            self.hear_of_pairings()
        elif choice < 0.10:
            self.seek()
        elif choice < 0.12 and self.once:
            self.open_again()
        elif choice < 0.14:
            if self.rng.random() < 0.3:
                self.another_device()
            self.ask(self.someone(), self.rng.choice(("watch lobby", "leave lobby", "say hello", "set legal=on", "stats")))
        elif choice < 0.22 and over:
            self.act(self.rng.choice(over))
        elif len(live) < 3 or (choice < 0.30 and len(live) < LIVE_MAX):
            self.open_match()
        elif live:
            self.act(self.rng.choice(live))
        if self.tournaments and self.rng.random() < 0.1:
            self.hear_of_pairings()

    # A restart

    def move_unheard(self):
        """Sends a move and does not wait for what becomes of it. Returns the match, the mover and the move; None: none."""
        for number, match in self.matches.items():
            if match.status != "playing" or match.seats[match.turn()] not in self.here:
                continue
            who = match.seats[match.turn()]
            legal = self.ask(who, f"moves {number}").get("moves", [])
            if legal:
                self.here[who].send(f"move {number} {legal[0]}")
                self.trail.append(f"{who}: move {number} {legal[0]} -> unheard")
                return number, who, legal[0]
        return None, None, None

    def restart(self):
        number, who, move = self.move_unheard() if self.rng.random() < 0.3 else (None, None, None)
        killed = self.rng.random() < 0.6
        (self.server.kill if killed else self.server.stop)()
        self.trail.append("SIGKILL" if killed else "SIGTERM")
        for connection in self.here.values():
            connection.close()
        back = [name for name in self.here if name != self.guest]
        if self.guest is not None:
            self.guests.add(self.guest)
        self.guest, self.here, self.away_since = None, {}, {}
        self.told.clear()
        self.server.start()
        for name in back:
            self.come(name)
        while len(self.here) < 3:
            self.come(self.rng.choice([name for name in NAMES if name not in self.here]))
        if move is not None:
            state = self.ask(self.reader(), f"state {number}")
            if state["type"] != "error" and state["ply"] == len(self.matches[number].moves) + 1:
                self.matches[number].move(who, move, accept=True)
        for gone in [n for n, match in self.matches.items() if match.status == "over" and not match.moves]:
            self.matches.pop(gone)  # never played, so not kept
        self.count["restarts"] = self.count.get("restarts", 0) + 1
        self.compare_all(self.count["restarts"] % 25 == 0)
        self.forget()

    def forget(self):
        """Keeps the model small: of finished matches, those that the server has in memory and some more."""
        over = [number for number, match in self.matches.items() if match.status == "over"]
        for number in over[:-3 * FINISHED_MAX]:
            self.matches.pop(number)

    def check_commands(self):
        """Each command of the server is one of the model's, or one that only reads."""
        reply = self.ask(self.reader(), "help")
        verbs = {row["verb"] for row in next(value for value in reply.values() if isinstance(value, list))}
        known = READS | OTHERS | {verb for verb in verbs if hasattr(Match, verb)}
        if verbs - known:
            self.problem("commands that are in no model", sorted(verbs - known))
        return verbs

    def check_used(self, verbs):
        """Each command that changes something was sent, so that the run has tried it."""
        unused = sorted(verb for verb in verbs - READS if not self.count.get(verb))
        if unused:
            self.problem("commands that were never sent", unused)
