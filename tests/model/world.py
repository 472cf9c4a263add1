"""People who send any command that changes a match, one after the other, and what they have to hear.

Each player has up to WINDOWS_MAX windows, some of them WebSockets, and sends each line through any of them. After each
command the match that it was about is compared with the model, and after each restart all are. Now and then every
window is asked for what it was told, which has to be what the model knows.
"""
import json
import math
import random
import sys
import time

sys.path.insert(1, sys.path[0] + "/../support")
sys.path.insert(1, sys.path[0] + "/../crash")
from browser import Browser, frame, request
from harness import Connection
from match_model import COLORS, OTHERS, READS, Match, other
from referee import Referee

GAMES = ("clobber:2x3", "clobber:3x4", "clobber:5x6", "xadrersi:touch", "xadrersi:attack", "latrunculi:standard",
         "shakti:standard")
NAMES = ("anna", "bob", "carl", "dora", "emil")
WINDOWS_MAX = 4
LIVE_MAX = 14  # matches that are not over
FINISHED_MAX = 40  # that the server has in memory
TOURNAMENTS_OVER_MAX = 100  # the same; protocol.md
PROBLEMS_MAX = 5
SECONDS = {"long": 600, "short": 1}


class GiveUp(Exception):
    """Too much is wrong to go on."""


class Told:
    """A window: what it was told of matches, without having asked."""

    def __init__(self, *arguments):
        self.states, self.token = {}, None
        super().__init__(*arguments)

    def hear(self, message):
        if message["type"] == "state" and "id" not in message:
            self.states[message["match"]] = [message[name] for name in ("status", "ply", "position", "rated")]

    def ends_with(self, reason):
        """Whether the server says goodbye for that reason."""
        while (message := self.read()) is not None and message["type"] != "bye":
            pass
        self.close()
        return message is not None and message["reason"] == reason


class LineWindow(Told, Connection):
    """A window over TCP."""


class WebWindow(Told, Browser):
    """A window over a WebSocket."""

    def __init__(self, port):
        super().__init__(port)
        self.upgrade()

    def send(self, line):
        super().send(line if isinstance(line, bytes) else frame(line))

    def read(self):
        return self.message()

    def close(self):
        self.socket.close()


class World:
    """`server` has start(), stop(), kill() and a port."""

    def __init__(self, build, server, seed):
        self.server, self.seed = server, seed
        self.rng = random.Random(seed)
        self.referee = Referee(build)
        self.tokens, self.away_since = {}, {}
        self.here = {}  # the windows of each player
        self.guest, self.guests = None, set()
        self.matches, self.over, self.records, self.once = {}, {}, {}, {}
        self.perhaps = {}  # by number: what a match may be instead, as far as its last command tells
        self.tournaments, self.told = {}, {}
        self.series = {}  # of each by its name, the tournaments that are over, with the scores in them
        self.count, self.problems, self.trail = {}, 0, []
        self.pauses = 0.004  # how likely a step begins with one

    # What goes over the wire

    def problem(self, what, *shown):
        self.problems += 1
        print(f"PROBLEM (seed {self.seed}): {what}", *shown, "the last commands:", *self.trail[-12:], sep="\n    ")
        if self.problems >= PROBLEMS_MAX:
            raise GiveUp

    def open_window(self):
        return self.rng.choice((LineWindow, LineWindow, WebWindow))(self.server.port)

    def ask(self, who, line, window=None):
        """Sends a line, from any window of the player unless it is given, and returns its reply."""
        window = window or self.rng.choice(self.here[who])
        window.send(f"#q {line}")
        while True:
            message = window.read()
            if message is None:
                raise GiveUp(f"{who} lost the connection after {line}")
            if message.get("id") == "q":
                break
            window.hear(message)
            if message["type"] in ("paired", "rematch"):
                self.told[message["match"]] = message
        kind = "good" if message["type"] != "error" else message["code"]
        self.trail.append(f"{who}: {line} -> {kind}")
        verb = line.split()[0]
        self.count[verb] = self.count.get(verb, 0) + 1
        return message

    def settle(self):
        """Has every window hear what there is."""
        for who, windows in self.here.items():
            for window in windows:
                self.ask(who, "ping", window)

    def come(self, who, words=""):
        """A player comes, comes back, or opens one more window."""
        window = self.open_window()
        self.here.setdefault(who, []).append(window)
        token = f" token={self.tokens[who]}" if who in self.tokens else ""
        reply = self.ask(who, f"hello {who}{token}{words}", window)
        if reply["type"] == "error":
            raise GiveUp(f"{who}: {reply}")
        self.tokens[who] = window.token = reply["token"]
        self.away_since.pop(who, None)

    def close_window(self, who, window):
        """It says goodbye, or just ends."""
        if self.rng.random() < 0.5 or len(self.here[who]) == 1:
            window.send("quit")
            while window.read() is not None:
                pass
            self.count["quit"] = self.count.get("quit", 0) + 1
        window.close()
        self.here[who].remove(window)
        self.trail.append(f"{who}: a window closes")

    def go(self, who):
        for window in list(self.here[who]):
            self.close_window(who, window)
        self.here.pop(who)
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

    def is_forgotten(self, number, reply):
        """Whether the match is unknown because it has ended without a move: such matches are not kept."""
        if reply.get("code") != "unknown-match" or not any(each.status == "over" and not each.moves
                                                           for each in self.outcomes(self.matches[number])):
            return False
        self.perhaps.pop(number, None)
        self.matches.pop(number)
        return True

    def compare(self, number, again=False):
        """Compares what the server says of a match with the model, which follows what happens by itself."""
        match = self.matches[number]
        state = self.ask(self.reader(), f"state {number}")
        if state["type"] == "error":
            if state["code"] == "unknown-match" and match.status == "over" and match.moves:
                self.perhaps.pop(number, None)
                return self.compare_record(number)
            if self.is_forgotten(number, state):
                return None
            self.problem(f"match {number} cannot be seen", state, match.seen())
            return None
        seen = self.shown(state)
        perhaps = self.perhaps.pop(number, [])
        for candidate in [each for one in (match, *perhaps) for each in self.outcomes(one)]:
            if candidate.seen() == seen:
                self.matches[number] = candidate
                return self.compare_record(number, again)
        self.problem(f"match {number}", f"the server: {seen}", f"the model: {match.seen()}", state)
        self.matches.pop(number)
        return None

    def compare_record(self, number, again=False):
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
        if got != wanted and not again:  # something may have happened by itself since the state
            self.compare(number, again=True)
            return
        if got != wanted:
            self.problem(f"the record of match {number}", f"the server: {got}", f"the model: {wanted}")
        before = self.records.get(number)
        kept = {name: record[name] for name in ("times_ms", "date", "clock", "rating") if name in record}
        if before is not None and match.status == "over" and before != kept:
            self.problem(f"the record of match {number} has changed", before, kept)
        if match.status == "over":
            self.records[number] = kept
        self.count["compared"] = self.count.get("compared", 0) + 1

    def untold(self):
        """Returns the windows of players that were not told how their match stands, as far as the model knows."""
        untold = []
        for number, match in self.matches.items():
            seen = [match.seen()[name] for name in ("status", "ply", "position", "rated")]
            for who in {*match.seats.values()} & {*self.here} if match.status != "open" else ():
                for window in self.here[who]:
                    told = window.states.get(number)
                    if told != seen and (told is not None or match.status == "playing"):
                        untold.append((number, who, window, told, seen))
        return untold

    def compare_windows(self):
        """What every window was told without having asked."""
        compared = set()
        while True:  # until nothing more happens by itself meanwhile
            self.settle()
            untold = self.untold()
            late = {number for number, *_ in untold}
            if not late or late & compared:
                break
            for number in late:
                self.compare(number)
            compared = late
        for number, who, window, told, seen in untold:
            self.problem(f"a window of {who}, {self.here[who].index(window) + 1} of {len(self.here[who])}, was told of match "
                         f"{number}: {told}", f"the model: {seen}")

    def compare_tournaments(self):
        forgotten = []
        for number, status in self.tournaments.items():
            shown = self.ask(self.reader(), f"tournament show {number}")
            if shown.get("code") == "unknown-tournament" and status in (None, "over", "aborted"):
                forgotten.append(number)
            elif shown["type"] == "error" or (status is not None and shown["status"] != status):
                self.problem(f"tournament {number}", shown, status)
            elif shown["status"] == "over":
                self.tournaments[number] = "over"
                self.series.setdefault(shown["series"], {})[number] = {
                    row["name"]: row["score"] for row in shown["players"] if row["matches"] > 0 or row["score"] > 0}
        self.compare_series()
        for number in forgotten:  # only the oldest, and only as more than TOURNAMENTS_OVER_MAX are over
            later = [other for other, status in self.tournaments.items()
                     if int(other[1:]) > int(number[1:]) and status in ("over", "aborted")]
            if len(later) < TOURNAMENTS_OVER_MAX:
                self.problem(f"tournament {number} is forgotten", self.tournaments[number], f"{len(later)} later ones are over")
            del self.tournaments[number]

    def compare_series(self):
        """Each has the sum of its tournaments that are over, but for one that has ended just now."""
        for name, scores in self.series.items():
            told = self.ask(self.reader(), f"tournament series {name}")
            sums = {}
            for score in scores.values():
                for player, points in score.items():
                    sums[player] = sums.get(player, 0) + points
            seen = {row["name"]: row["score"] for row in told.get("players", [])}
            if told["type"] == "error" or told["tournaments"] < len(scores) or (told["tournaments"] == len(scores) and seen != sums):
                self.problem(f"series {name}", told, scores)

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
        if self.is_forgotten(number, reply):
            return False
        good = reply["type"] != "error"
        before = [each.copied() for each in self.outcomes(match)  # something may have happened before it came
                  if getattr(each, verb)(who, **arguments) in (good, None)]
        if verb == "move" and reply.get("code") == "match-over" and match.clock is not None:
            before.append(match.copied())  # the flag waits for a slower window of theirs, for 0.1 s at most
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
        if len(going) < 2 and self.rng.random() < 0.5:
            game = self.rng.choice(GAMES[:3])
            series = f"{who}-{game}".replace(":", "-")
            reply = self.ask(who, f"tournament new cup {game} start=manual clock=600+0 series={series} "
                                  f"format={self.rng.choice(('round-robin', 'swiss rounds=2', 'knockout'))} rated=no")
            if reply["type"] == "error":
                self.problem("tournament new", reply)
            else:
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
        """A name comes to another device by a code, and one of the two tokens ends, with its windows."""
        who = self.someone()
        mine, window = self.rng.choice(self.here[who]), self.open_window()
        made = self.ask(who, "device", mine)
        if made["type"] != "device":
            self.problem("device", made)
            return
        self.here[who].append(window)
        window.token = self.ask(who, f"hello {who} device={made['code']}", window).get("token")
        tokens = {row["own"]: row["token"] for row in self.ask(who, "tokens", mine)["tokens"]}
        if window.token in (None, mine.token) or len(tokens) != 2:
            raise GiveUp(f"{who} wants a token of its own: {window.token}, {tokens}")
        stays = self.rng.choice((mine, window))
        self.tokens[who] = stays.token
        self.ask(who, f"revoke {tokens[stays is window]}", stays)
        ended = [each for each in self.here[who] if each.token != stays.token]
        self.here[who] = [each for each in self.here[who] if each.token == stays.token]
        if not all(each.ends_with("revoked") for each in ended) or len(self.ask(who, "tokens")["tokens"]) != 1:
            self.problem("revoked", who)

    def another_window(self):
        """A player opens one more, alone or beside the others, or closes one."""
        who = self.someone()
        windows = self.here[who]
        if len(windows) == WINDOWS_MAX or (len(windows) > 1 and self.rng.random() < 0.4):
            self.close_window(who, self.rng.choice(windows))
        elif self.rng.random() < 0.8:
            self.come(who)
        else:
            self.come(who, " only=yes")
            self.here[who] = windows[-1:]
            if not all(window.ends_with("replaced") for window in windows[:-1]):
                self.problem("replaced", who)

    def hear_of_pairings(self):
        self.settle()
        for number, message in list(self.told.items()):
            if message["type"] == "paired" and number not in self.matches:
                self.told.pop(number)
                self.adopt(number, message.get("tournament"), message["rated"])

    def fetch(self):
        """Something that is not a player, but a browser, asks for a page."""
        with Browser(self.server.port) as browser:
            answer = browser.ask(request(self.rng.choice(("/", "/m/1", "/nowhere"))))
        self.count["http"] = self.count.get("http", 0) + 1
        if answer is None or answer.status not in (200, 404):
            self.problem("a page", answer)

    # A step

    def named(self):
        return [who for who in self.here if who != self.guest]

    def someone(self):
        return self.rng.choice(self.named())

    def visit(self):
        """Somebody comes, goes, or opens or closes a window."""
        away = [name for name in NAMES if name not in self.here]
        choice = self.rng.random()
        if away and choice < 0.4:
            self.come(self.rng.choice(away))
        elif choice < 0.5 and len(self.named()) > 2:
            self.go(self.someone())
        elif choice < 0.9:
            self.another_window()
        elif self.guest is None:
            window = LineWindow(self.server.port)
            window.send("#g new clobber:2x3 black=me white=open")
            reply = window.wait_for("ok", id="g")
            state = window.wait_for("state")
            self.guest = state["players"]["black"]["name"]
            self.here[self.guest] = [window]
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
        if self.rng.random() < self.pauses:
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
            elif self.rng.random() < 0.2:
                self.fetch()
            self.ask(self.someone(), self.rng.choice(("watch lobby", "leave lobby", "say hello", "set legal=on", "stats")))
        elif choice < 0.22 and over:
            self.act(self.rng.choice(over))
        elif len(live) < 3 or (choice < 0.30 and len(live) < LIVE_MAX):
            self.open_match()
        elif live:
            self.act(self.rng.choice(live))
        if self.tournaments and self.rng.random() < 0.1:
            self.hear_of_pairings()
        if self.rng.random() < 0.05:
            self.compare_windows()
            self.forget()

    # A restart

    def move_unheard(self):
        """Sends a move and does not wait for what becomes of it. Returns the match, the mover and the move; None: none."""
        for number, match in self.matches.items():
            if match.status != "playing" or match.seats[match.turn()] not in self.here:
                continue
            who = match.seats[match.turn()]
            legal = self.ask(who, f"moves {number}").get("moves", [])
            if legal:
                self.rng.choice(self.here[who]).send(f"move {number} {legal[0]}")
                self.trail.append(f"{who}: move {number} {legal[0]} -> unheard")
                return number, who, legal[0]
        return None, None, None

    def restart(self):
        number, who, move = self.move_unheard() if self.rng.random() < 0.3 else (None, None, None)
        killed = self.rng.random() < 0.6
        (self.server.kill if killed else self.server.stop)()
        self.trail.append("SIGKILL" if killed else "SIGTERM")
        for window in (window for windows in self.here.values() for window in windows):
            window.close()
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
            moved = self.matches[number].copied()
            moved.move(who, move, accept=True)
            self.perhaps[number] = [moved, *self.perhaps.get(number, [])]
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
