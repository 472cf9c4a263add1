"""The players' knowledge of a match, and the states that a restarted server may show.

A `Known` is a match as announced at one moment: moves, standing offers and result. apply() changes it by
a command, according to the protocol. reachable() tries everything that unanswered commands, house bots
and clocks can have done since; the state after a restart must be among the results.
"""
from collections import namedtuple

WHITE, BLACK = "white", "black"
LOST_BY = {WHITE: "0-1", BLACK: "1-0"}
OPEN, PLAYING, OVER = "open", "playing", "over"

# moves: tuple; offers: frozenset of (what, color); result and reason: "*" and None in play
Known = namedtuple("Known", "moves offers status result reason")

# A command from a player: verb, the player's colour, and for a move its text and ply
Command = namedtuple("Command", "verb color move ply", defaults=(None, None))


def other(color):
    return BLACK if color == WHITE else WHITE


def turn_of(known):
    return BLACK if len(known.moves) % 2 else WHITE


def known_from_state(state, before):
    """Returns the Known of a `state`, given the moves known before (a tuple). None if they do not fit
    together."""
    ply, last = state["ply"], state["last"]
    if ply == len(before) + 1:
        moves = before + (last,)
    elif ply <= len(before):
        moves = before[:ply]
    else:
        return None
    if last != (moves[-1] if moves else None):
        return None
    return Known(moves, offers_of(state), state["status"], state["result"], state["reason"])


def offers_of(state):
    return frozenset((offer["what"], offer["color"]) for offer in state["offers"])


def end(known, result, reason):
    return known._replace(offers=frozenset(), status=OVER, result=result, reason=reason)


class Rules:
    """One match's rules: the referee with the match's game and start."""

    def __init__(self, referee, game, start):
        self.referee, self.game, self.start = referee, game, start

    def ask(self, moves):
        return self.referee.ask(self.game, self.start, moves)

    def play(self, known, move):
        """Returns the match after a move of the side to move; None if it is illegal."""
        color = turn_of(known)
        moves = known.moves + (move,)
        answer = self.ask(moves)
        if answer is None:
            return None
        offers = frozenset(offer for offer in known.offers
                           if offer[0] != "undo" and offer != ("draw", other(color)))
        known = known._replace(moves=moves, offers=offers)
        return known if answer[1] == "*" else end(known, answer[1], answer[2])


def take_back(known, asker):
    plies = 2 if turn_of(known) == asker else 1
    return known._replace(moves=known.moves[:-plies], offers=frozenset())


def offer(known, what, color):
    """Makes an offer, or accepts that of the other side."""
    running = known.status == (OVER if what == "rematch" else PLAYING)
    if not running or (what, color) in known.offers:
        return None
    asker = other(color) if (what, other(color)) in known.offers else color
    if what == "undo" and len(known.moves) < (2 if turn_of(known) == asker else 1):
        return None
    if asker == color:
        return known._replace(offers=known.offers | {(what, color)})
    if what == "draw":
        return end(known, "1/2-1/2", "draw-agreed")
    if what == "undo":
        return take_back(known, asker)
    return known._replace(offers=known.offers - {(what, asker)})


def decline(known, color):
    if known.status == OPEN:
        return end(known, "*", "aborted")
    mine = frozenset(offer for offer in known.offers if offer[1] == color)
    return known._replace(offers=mine) if mine != known.offers else None


def apply(rules, known, command):
    """Returns the match after a command; None if the server refuses it."""
    verb, color = command.verb, command.color
    if verb == "move":
        fits = known.status == PLAYING and len(known.moves) == command.ply
        return rules.play(known, command.move) if fits and turn_of(known) == color else None
    if verb in ("draw", "undo", "rematch"):
        return offer(known, verb, color)
    if verb == "decline":
        return decline(known, color)
    if verb == "join":
        return known._replace(status=PLAYING) if known.status == OPEN else None
    if verb == "resign":
        return end(known, LOST_BY[color], "resign") if known.status == PLAYING else None
    assert verb == "abort", verb
    return end(known, "*", "aborted") if known.status != OVER and len(known.moves) < 2 else None


def bot_actions(rules, known, bot, target):
    """Returns what a house bot can have done by itself on the way to `target`."""
    found = [offer(known, what, bot) for what, color in known.offers if color != bot]
    if any(color != bot for _, color in known.offers):
        found.append(decline(known, bot))
    ply = len(known.moves)
    if known.status == PLAYING and turn_of(known) == bot and len(target.moves) > ply:
        found.append(rules.play(known, target.moves[ply]))
    return [after for after in found if after is not None]


def same(known, target):
    """In a finished match only offers of a rematch count."""
    return known.moves == target.moves and known[2:] == target[2:] and \
        relevant_offers(known) == relevant_offers(target)


def relevant_offers(known):
    return {offer for offer in known.offers if (offer[0] == "rematch") == (known.status == OVER)}


def reachable(rules, known, must, may, bot, clock, target):
    """Returns whether `target` is reachable from `known` by all commands of `must` and any of `may`, in
    any order, and any actions of the bot of colour `bot` (or None). clock: whether a flag may have
    fallen."""
    pending = tuple((command, True) for command in must) + tuple((c, False) for c in may)
    todo, seen = [(known, pending, 0)], set()
    while todo:
        now, left, bot_steps = todo.pop()
        if same(now, target) and not any(needed for _, needed in left):
            return True
        if (now, left) in seen:
            continue
        seen.add((now, left))
        for i, (command, _) in enumerate(left):
            after = apply(rules, now, command)
            if after is not None:
                todo.append((after, left[:i] + left[i + 1:], bot_steps))
        if bot is not None and bot_steps < 6:
            for after in bot_actions(rules, now, bot, target):
                todo.append((after, left, bot_steps + 1))
        if clock and now.status == PLAYING:
            todo.append((end(now, LOST_BY[turn_of(now)], "timeout"), left, bot_steps))
    return False
