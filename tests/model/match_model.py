"""What every command does to a match, written from protocol.md alone: nothing here is shared with the server.

A method of Match that is named after a command takes the player who sends it and returns whether the server has to
accept it, or None where that depends on time; with accept=True the match changes. Each command of `help` that is no
such method stands in READS, or in OTHERS, which world.py does.
"""
import copy
import re

COLORS = ("white", "black")
READS = {"help", "games", "lessons", "explain", "puzzle", "list", "record", "records", "moves", "state", "who", "top", "history", "review", "analyse", "seeks", "ping", "stats",
         "tournaments", "tokens"}
OTHERS = {"hello", "new", "seek", "unseek", "tournament", "quit", "watch", "leave", "say", "set", "device", "revoke"}


def other(color):
    return COLORS[1 - COLORS.index(color)]


class Match:
    def __init__(self, number, game, start, seats, creator, referee, **options):
        self.number, self.game, self.start, self.creator = number, game, start, creator
        self.referee = referee
        self.seats = dict(seats)
        self.joined = {color: seats[color] is not None and options.get("joined", seats[color] == creator)
                       for color in COLORS}
        self.was_open = dict.fromkeys(COLORS, False)
        self.rated = options.get("rated", True)
        self.code, self.clock = options.get("code"), options.get("clock")
        self.tournament, self.private = options.get("tournament"), options.get("private", False)
        self.moves, self.notes, self.offers, self.kicked = [], [], set(), set()
        self.status, self.result, self.reason = "open", "*", None
        self.start_if_full()

    # What follows from it

    def at(self):
        """Returns (position, result, reason) by the rules."""
        return self.referee.ask(self.game, self.start, self.moves)

    def turn(self):
        return "white" if re.sub(r"\[[^]]*\]", "", self.at()[0]).split()[1] == "w" else "black"

    def colors_of(self, who):
        return [color for color in COLORS if self.seats[color] == who and self.joined[color]]

    def seen(self):
        """Returns what `state` has to say."""
        position, _, _ = self.at()
        return {"status": self.status, "ply": len(self.moves), "position": position, "result": self.result,
                "reason": self.reason, "rated": self.rated, "players": dict(self.seats),
                "offers": sorted(self.offers)}

    def recorded(self):
        """Returns what `record` has to say."""
        return {"start": self.start, "moves": self.moves, "result": self.result, "reason": self.reason,
                "white": self.seats["white"], "black": self.seats["black"], "rated": self.rated,
                "evals": [note[0] for note in self.notes], "pvs": [note[1] for note in self.notes]}

    # What happens to it

    def start_if_full(self):
        if self.status == "open" and all(self.joined.values()):
            self.status = "playing"
            self.end_by_rules()

    def end(self, result, reason):
        self.status, self.result, self.reason = "over", result, reason
        self.offers = set()

    def end_by_rules(self):
        _, result, reason = self.at()
        if result not in ("*", "none"):
            self.end(result, reason)

    def lose(self, color, reason):
        self.end("0-1" if color == "white" else "1-0", reason)

    def free(self, color):
        """The player loses the seat, and the match begins anew."""
        self.kicked.add(self.seats[color])
        self.seats[color] = None
        self.joined[color] = self.was_open[color] = False
        self.status = "open"
        self.moves, self.notes, self.offers = [], [], set()

    def copied(self):
        copied = copy.copy(self)
        for name in ("seats", "joined", "was_open", "moves", "notes", "offers", "kicked"):
            setattr(copied, name, copy.copy(getattr(self, name)))
        return copied

    def by_itself(self, guests):
        """Returns what may have become of it without a command, each as a match."""
        found = []

        def add(change):
            found.append(self.copied())
            change(found[-1])

        if self.status == "over":
            return found
        side = self.turn()
        if self.status == "playing" and self.clock is not None and self.clock < 60 and self.moves:
            add(lambda match: match.lose(side, "timeout"))
        if (self.status == "playing" and self.clock is not None and self.clock < 60 and not self.moves
                and self.tournament is None and self.seats["white"] != self.seats["black"]):
            add(lambda match: match.end("*", "aborted"))
        if self.status == "playing" and len(self.moves) < 2 and self.was_open[side]:
            add(lambda match: match.free(side))
        if self.tournament is not None and self.status == "playing":
            for color in COLORS:
                add(lambda match, color=color: match.lose(color, "forfeit"))
        for color in COLORS:
            if self.seats[color] in guests:
                add(lambda match: match.end("*", "aborted"))
                if len(self.moves) >= 2:
                    add(lambda match, color=color: match.lose(color, "forfeit"))
        return found

    # Commands

    def join(self, who, color=None, code=None, accept=False):
        if self.status == "over":
            return False
        wanted = [color] if color else list(COLORS)
        mine = [c for c in wanted if self.seats[c] == who and not self.joined[c]]
        free = mine + [c for c in wanted if self.seats[c] is None]
        if not free:
            return False
        taken = free[0]
        stranger = self.seats[taken] is None and self.creator != who
        if stranger and (who in self.kicked or (self.code is not None and code != self.code)):
            return False
        if accept:
            self.seats[taken], self.joined[taken] = who, True
            self.was_open[taken] = stranger
            self.start_if_full()
        return True

    def decline(self, who, accept=False):
        asked = [c for c in COLORS if self.seats[c] == who and not self.joined[c]]
        if self.status == "open" and asked:
            if accept:
                self.end("*", "aborted")
            return True
        own = self.colors_of(who)
        refused = {offer for offer in self.offers if own and offer[1] not in own}
        if accept:
            self.offers -= refused
        return bool(refused)

    def kick(self, who, color=None, accept=False):
        freed = [c for c in ([color] if color else COLORS) if self.was_open[c]]
        good = self.status != "over" and self.creator == who and len(self.moves) < 2 and bool(freed)
        if good and accept:
            for taken in freed:
                self.free(taken)
        return good

    def may_play(self, who):
        return self.status == "playing" and bool(self.colors_of(who))

    def move(self, who, move, note=(None, None), ply=None, accept=False):
        good = (self.may_play(who) and self.turn() in self.colors_of(who) and ply in (None, len(self.moves)) and
                self.referee.ask(self.game, self.start, self.moves + [move]) is not None)
        if good and accept:
            mover = self.turn()
            self.moves = self.moves + [move]
            self.notes.append(note)
            self.offers = {(what, by) for what, by in self.offers if what != "undo" and by == mover}
            self.end_by_rules()
        return good

    def resign(self, who, accept=False):
        good = self.may_play(who)
        if good and accept:
            own = self.colors_of(who)
            self.lose(own[0] if len(own) == 1 else self.turn(), "resign")
        return good

    def abort(self, who, accept=False):
        good = (self.status != "over" and (bool(self.colors_of(who)) or self.creator == who) and len(self.moves) < 2)
        if good and accept:
            self.end("*", "aborted")
        return None if good and self.tournament is not None else good  # not while the tournament goes on

    def claim(self, who, away_s=None, accept=False):
        """`away_s`: for how long the other side has been away; None: it is here; NaN: who knows."""
        own = self.colors_of(who)
        good = self.status == "playing" and len(own) == 1 and away_s is not None
        if good and accept:
            self.lose(other(own[0]), "forfeit")
        return None if good and not away_s > 1.3 else good

    def offer(self, what, who, accept):
        """Returns whether it may be made, and whether that accepts the other side's."""
        own = self.colors_of(who)
        takes = len(own) == 2 or (len(own) == 1 and (what, other(own[0])) in self.offers)
        if len(own) == 1 and not takes and (what, own[0]) in self.offers:
            return False, False
        if accept and takes:
            self.offers = {offer for offer in self.offers if offer[0] != what}
        elif accept:
            self.offers.add((what, own[0]))
        return True, takes

    def draw(self, who, accept=False):
        if not self.may_play(who):
            return False
        good, takes = self.offer("draw", who, accept)
        if accept and good and takes:
            self.end("1/2-1/2", "draw-agreed")
        return good

    def undo(self, who, accept=False):
        if not self.may_play(who):
            return False
        own = self.colors_of(who)
        asker = [other(own[0])] if len(own) == 1 and ("undo", other(own[0])) in self.offers else own
        plies = 1 if len(own) == 2 else 2 if self.turn() in asker else 1
        if plies > len(self.moves):
            return False
        good, takes = self.offer("undo", who, accept)
        if accept and good and takes:
            self.moves = self.moves[:-plies]
            del self.notes[-plies:]
            self.offers, self.rated = set(), False
        return good

    def hint(self, who, accept=False):
        """There are no house bots here."""
        counts = (self.rated and self.seats["white"] != self.seats["black"] and self.start == self.referee.start(self.game)
                  and not any((name or "").startswith("guest-") for name in self.seats.values()))
        good = self.may_play(who) and not (counts and len(self.moves) >= 2)
        if good and accept:
            self.rated = False
        return None if good and self.tournament is not None else good  # not while the tournament goes on

    def rematch(self, who, accept=False):
        """What it opens, where it accepts the other side's, is rematch_of()."""
        if self.status != "over" or not self.colors_of(who) or not all(self.joined.values()):
            return False
        return self.offer("rematch", who, accept)[0]

    def rematch_of(self, number, opener):
        return Match(number, self.game, self.start, {color: self.seats[other(color)] for color in COLORS}, opener,
                     self.referee, rated=self.rated, clock=self.clock, private=self.private, joined=True)
