"""A match as all its players together know it, compared with the server's messages."""
from model import (BLACK, OPEN, OVER, PLAYING, WHITE, Known, Rules, end, known_from_state, other,
                   reachable, same, take_back)

RULE_REASONS = {"no-moves", "score", "dux-immobilised", "no-soldiers", "repetition", "no-capture",
                "checkmate"}
ROUNDING_MS = 5


class Pending:
    """A command on its way: it may have been executed until its reply is read, it has been after an
    `ok`, and the first news after that includes it."""

    def __init__(self, command):
        self.command, self.acknowledged = command, False
        self.behind = False  # others have read more than the sender, perhaps its effect


class Table:
    """`told` has all announcements since the last start, in order; each player has read a prefix of it.
    Until a player has seen the match again after a start, its last entry is from before."""

    def __init__(self, world, match, game, start, seats, clock, status):
        self.world, self.match, self.game = world, match, game
        self.rules = Rules(world.referee, game, start)
        self.seats = dict(seats)  # by colour: a name, or None for an open seat
        self.clock = clock  # (base_ms, increment_ms) or None
        self.told = [Known((), frozenset(), status, "*", None)]
        self.place = {}  # by player: the index in `told` of the last entry read
        self.old = False  # known from before the last start
        self.fresh = False  # and seen again since
        self.pending = {}  # by player
        self.legal = {}  # by player: the latest list of legal moves
        self.reading = {}  # by colour: the latest clock as (left_ms, up time in s, own moves)
        self.done = set()  # players that want no rematch
        self.opener = None
        self.joiner = None  # the player that will take the open seat
        self.archived = False
        self.patience = world.rng.choice((12, 25, 50, 90))

    @property
    def known(self):
        return self.told[-1]

    def people(self):
        names = {*self.seats.values(), *self.pending, self.joiner, self.opener}
        return {name for name in names if name and not name.startswith("bot:")}

    def color_of(self, name):
        return next((color for color, seat in self.seats.items() if seat == name), None)

    def bot_color(self):
        return next((color for color, seat in self.seats.items()
                     if seat and seat.startswith("bot:")), None)

    def problem(self, what, *shown):
        self.world.problem(f"match {self.match} ({self.game}): {what}", *shown)

    # What players read

    def restart(self):
        """The server was killed, and no player has seen the match since."""
        if self.fresh or not self.old:
            for name, pending in self.pending.items():
                pending.behind = self.place.get(name, -1) < len(self.told) - 1
        self.told = [self.known]
        self.place, self.legal = {}, {}
        self.old, self.fresh = True, False

    def see_again(self, name, state, moves):
        """The first state that a player reads after a start, with the moves of the record."""
        target = known_from_state(state, tuple(moves))
        if target is None:
            self.problem("state and record differ", state, moves)
            return
        if not self.fresh:
            self.compare(target, state)
            self.told, self.fresh, self.pending = [target], True, {}
            self.place = {name: 0}
        else:
            self.find_place(name, target)
        self.take_seats(state)
        self.check_state(target, state, self.world.life_s() * 1000)
        self.settle(name, state, target)

    def compare(self, target, state):
        """Compares with what was known before the start, and drops commands without effect."""
        must = [p.command for p in self.pending.values() if p.acknowledged and not p.behind]
        may = [p.command for p in self.pending.values() if not p.acknowledged or p.behind]
        self.world.count["states compared"] += 1
        if not reachable(self.rules, self.known, must, may, self.bot_color(),
                         self.clock is not None, target):
            self.problem("is not what was told", "told:", self.known, "obeyed:", must,
                         "unanswered:", may, "found:", target)
        for color, name in self.seats.items():
            found = state["players"][color] and state["players"][color]["name"]
            if name is not None and found != name:
                self.problem(f"{color} was {name}, is {found}")

    def find_place(self, name, target):
        for i, known in enumerate(self.told):
            if same(known, target):
                self.place[name] = i
                return
        if reachable(self.rules, self.known, [], [], self.bot_color(), self.clock is not None,
                     target):
            self.told.append(target)
            self.place[name] = len(self.told) - 1
        elif reachable(self.rules, target, [], [], None, self.clock is not None, self.told[0]):
            self.place[name] = -1  # a flag fell after that message
        else:
            self.problem("players see different states", self.told, target)

    def hear_state(self, name, state):
        """Handles an announced state."""
        if self.old and name not in self.place:
            return  # this player has not seen the match since the start
        before = self.told[max(self.place.get(name, 0), 0)]
        known = known_from_state(state, before.moves)
        if known is None:
            self.problem("a state that does not follow", before, state)
            return
        self.take_seats(state)
        self.advance(name, known)
        self.check_state(known, state)
        self.settle(name, state, known)

    def hear_offer(self, name, event):
        """Handles an offer or its answer. An agreement is effective at once; the state follows."""
        if name not in self.place:
            return
        known = self.told[max(self.place[name], 0)]
        what, color = event["what"], event["color"]
        if event["open"]:
            known = known._replace(offers=known.offers | {(what, color)})
        elif event["accepted"] and what == "undo":
            known = take_back(known, color)
        elif event["accepted"] and what == "draw":
            known = end(known, "1/2-1/2", "draw-agreed")
        else:
            known = known._replace(offers=known.offers - {(what, color)})
        self.advance(name, known)
        self.forget_pending(name)

    def advance(self, name, known):
        """A player reads the next entry, which must equal what the others read."""
        at = self.place.get(name)
        if at is None:  # a new match: opened, challenged or joined
            at = next((i for i, told in enumerate(self.told) if same(told, known)), None)
            if at is not None:
                self.place[name] = at
                return
            at = len(self.told) - 1
        if at >= 0 and same(self.told[at], known):
            self.place[name] = at
        elif at + 1 < len(self.told):
            self.place[name] = at + 1
            if not same(self.told[at + 1], known):
                self.problem("two players were told different things", self.told[at + 1], known)
        else:
            self.told.append(known)
            self.place[name] = at + 1

    def settle(self, name, state, known):
        self.legal[name] = state.get("legal")
        self.forget_pending(name)
        if known.status == OVER:
            self.reading = {}

    def forget_pending(self, name):
        if name in self.pending and self.pending[name].acknowledged:
            del self.pending[name]

    def take_seats(self, state):
        for color in (WHITE, BLACK):
            if self.seats[color] is None and state["players"][color] is not None:
                self.seats[color] = state["players"][color]["name"]

    # Invariants of every state

    def check_state(self, known, state, late_ms=0):
        """late_ms: the greatest age of the match's last stored change."""
        self.world.count["states"] += 1
        answer = self.rules.ask(known.moves)
        if answer is None:
            self.problem("an illegal move was played", known)
            return
        position, result, reason = answer
        if state["position"] != position:
            self.problem("the position is not where the moves lead", known, state["position"],
                         position)
        by_rules = result != "*" and known.status != OPEN
        if by_rules and (known.status, known.result, known.reason) != (OVER, result, reason):
            self.problem("the rules end it otherwise", known, result, reason)
        if not by_rules and known.reason in RULE_REASONS:
            self.problem("the rules do not end it", known)
        if same(known, self.known):  # not one that others have read before
            self.check_clock(known, state, late_ms)

    def check_clock(self, known, state, late_ms):
        clock, now_s = state.get("clock"), self.world.up_s()
        if (clock is None) != (self.clock is None):
            self.problem("has a clock or has none", self.clock, clock)
        if clock is None:
            return
        if clock["increment_ms"] != self.clock[1]:
            self.problem("the increment has changed", self.clock, clock)
        if known.reason == "timeout":
            self.check_timeout(known, now_s)
        if known.status != PLAYING:
            return
        if clock["running"] is not None and len(clock["running"]) != 5:
            self.problem("whose clock runs?", clock)
        for color in (WHITE, BLACK):
            self.check_left(known, color, clock[f"{color}_ms"], now_s, late_ms)

    def check_left(self, known, color, left_ms, now_s, late_ms):
        """Compares one side's time with the latest message."""
        own = (len(known.moves) + (color == WHITE)) // 2
        before = self.reading.get(color, (self.clock[0], now_s, 0, self.clock[0]))
        told_ms, told_s, told_own, high_ms = before
        high_ms += max(0, own - told_own) * self.clock[1]
        low_ms = told_ms - (now_s - told_s) * 1000 - self.world.tolerance_ms
        if left_ms < 0 or left_ms > high_ms + ROUNDING_MS or left_ms < low_ms:
            self.problem(f"the clock of {color} shows {left_ms} ms, expected {low_ms:.0f} to "
                         f"{high_ms} ms", known)
        if own != told_own:  # from here on it can only run down, even across a restart
            high_ms = min(high_ms, left_ms + late_ms)
        self.reading[color] = (left_ms, now_s, own, high_ms)

    def check_timeout(self, known, now_s):
        loser = WHITE if known.result == "0-1" else BLACK
        if loser in self.reading:
            left_ms, told_s = self.reading[loser][:2]
            if left_ms - (now_s - told_s) * 1000 > self.world.tolerance_ms:
                self.problem(f"{loser} had {left_ms} ms and lost on time", known)

    def check_record(self, record):
        """Checks the record of a finished match, at any later time."""
        known = self.known
        found = (tuple(record["moves"]), record["result"], record["reason"],
                 record[WHITE], record[BLACK])
        told = (known.moves, known.result, known.reason, self.seats[WHITE], self.seats[BLACK])
        self.world.count["records compared"] += 1
        if found != told:
            self.problem("the record has changed", "told:", told, "found:", found)
        if len(record["times_ms"]) != len(record["moves"]):
            self.problem("the record has not a time for each move", record)

    def see_forgotten(self, record):
        """The server keeps only the record, because many matches have ended since."""
        self.check_record(record)
        self.fresh, self.pending = True, {}
        self.told = [self.known._replace(offers=frozenset())]

    def may_be_unplayed(self):
        """Returns whether the match may have ended without a move: then the server does not keep it."""
        return not self.known.moves and (self.known.status == OVER or bool(self.pending))

    def see_unplayed(self):
        self.fresh, self.pending = True, {}
        self.told = [self.known._replace(status=OVER, offers=frozenset())]

    def may_have_rematch(self):
        """Returns whether the players may have agreed on a rematch since the last message."""
        offered = any(what == "rematch" for what, _ in self.known.offers)
        return offered and self.bot_color() is not None or \
            any(p.command.verb == "rematch" for p in self.pending.values())

    def try_archive(self):
        """Archives a finished match without anything left to expect."""
        if self.known.status == OVER and not self.pending and \
                not any(what == "rematch" for what, _ in self.known.offers):
            self.archived = True
        return self.archived

    def opponent(self, name):
        return self.seats[other(self.color_of(name))]
