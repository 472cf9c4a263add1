"""Judges random Swiss events by the rules of FIDE's Dutch system (Handbook C.04.1 and C.04.3, with the
numbers of its criteria), one by one, and prints a table.
usage: swiss_rules.py BUILD_DIR [EVENTS] [SEED]

Nothing of the program is used but the events that tools/swiss_events prints. What a round could have
been is found by trying all of them, in events of at most ALL_ROUNDS_MAX players.
"""
import subprocess
import sys
from functools import lru_cache

ALL_ROUNDS_MAX = 10


class Player:
    def __init__(self):
        self.points2 = 0
        self.met = set()
        self.byes = 0
        self.colors = []  # 1: white, -1: black
        self.floats = []  # for each round -1: down, 1: up, 0: neither, None: not paired

    def difference(self):
        return sum(self.colors)

    def absolute(self):
        """The colour that C.04.3 A.6.a says they must have; 0: none."""
        if abs(self.difference()) > 1:
            return -1 if self.difference() > 0 else 1
        if len(self.colors) > 1 and self.colors[-1] == self.colors[-2]:
            return -self.colors[-1]
        return 0

    def preference(self):
        """The colour they should have; 0: none."""
        if self.absolute() or not self.colors:
            return self.absolute()
        if self.difference():
            return -1 if self.difference() > 0 else 1
        return -self.colors[-1]


def can_pair(players, who):
    """Whether all of `who` can be paired without a second meeting."""
    @lru_cache(maxsize=None)
    def rest(left):
        if not left:
            return True
        first, *others = left
        return any(other not in players[first].met and
                   rest(tuple(x for x in others if x != other)) for other in others)
    return rest(tuple(sorted(who)))


def rounds_of(players, who):
    """All rounds of an even number without a second meeting."""
    if not who:
        yield []
        return
    first, *others = who
    for other in others:
        if other not in players[first].met:
            for more in rounds_of(players, [x for x in others if x != other]):
                yield [(first, other)] + more


class Table:
    def __init__(self):
        self.rows = {}

    def count(self, rule, broken, cases=1):
        row = self.rows.setdefault(rule, [0, 0])
        row[0] += broken
        row[1] += cases

    def show(self):
        width = max(len(rule) for rule in self.rows)
        print(f"| {'rule'.ljust(width)} | broken | of |")
        print(f"|{'-' * (width + 2)}|-------:|---:|")
        for rule, (broken, cases) in self.rows.items():
            print(f"| {rule.ljust(width)} | {broken} | {cases} |")


def judge(table, players, active, pairs, round_number):
    """One round. `pairs` are (white, black or None)."""
    everybody = sorted(active)
    byes = [white for white, black in pairs if black is None]
    matches = [(white, black) for white, black in pairs if black is not None]
    table.count("everybody is paired, one bye where the number is odd",
                sorted(x for pair in pairs for x in pair if x is not None) != everybody or
                len(byes) != len(everybody) % 2)
    table.count("C.1: nobody meets anybody twice", sum(b in players[a].met for a, b in matches), len(matches))
    if byes:
        bye = byes[0]
        table.count("C.2: nobody has two byes", players[bye].byes > 0)
        lower = [x for x in everybody if players[x].byes == 0 and players[x].points2 < players[bye].points2 and
                 can_pair(players, [y for y in everybody if y != x])]
        table.count("C.4, C.5: the bye has the lowest score that lets the others be paired", bool(lower))
    table.count("C.3: no two with the same absolute preference, but for the last round's leaders",
                sum(players[a].absolute() * players[b].absolute() == 1 for a, b in matches), len(matches))
    for color, side in ((1, 0), (-1, 1)):
        for pair in matches:
            player = players[pair[side]]
            table.count("C.04.1 f: colours differ by 2 at most", abs(player.difference() + color) > 2)
            table.count("colours differ by 1 at most", abs(player.difference() + color) > 1)
            table.count("C.04.1 g: no colour three times in a row", player.colors[-2:] == [color, color])
            if player.preference():
                table.count("C.12: the colour that was due", player.preference() != color)
    floats = sum(players[a].points2 != players[b].points2 for a, b in matches)
    paired = [x for x in everybody if x not in byes]
    if len(paired) <= ALL_ROUNDS_MAX:
        def fair(a, b):
            """Whether the two can play without colours that differ by 2."""
            return players[a].difference() * players[b].difference() <= 0
        legal = list(rounds_of(players, paired))
        fewest = min(sum(players[a].points2 != players[b].points2 for a, b in way) for way in legal)
        table.count("C.6: as few pairs of different score as any round has", floats > fewest)
        balanced = [way for way in legal if all(fair(a, b) for a, b in way)]
        if balanced:
            fewest = min(sum((players[a].points2 - players[b].points2) ** 2 for a, b in way) for way in balanced)
            here = sum((players[a].points2 - players[b].points2) ** 2 for a, b in matches)
            table.count("C.6, C.7: scores as near as any round has whose colours differ by 1 at most", here > fewest)
    for a, b in matches:
        gap = players[a].points2 - players[b].points2
        for x, way in ((a, (gap < 0) - (gap > 0)), (b, (gap > 0) - (gap < 0))):
            for ago, rules in ((1, "C.14, C.15"), (2, "C.16, C.17")):
                if way and len(players[x].floats) >= ago:
                    table.count(f"{rules}: the same float as {ago} before", players[x].floats[-ago] == way)
            players[x].floats.append(way)
    for x in byes:
        players[x].floats.append(-1)


def main():
    build, events, seed = (sys.argv[1:] + ["1000", "1"][len(sys.argv) - 2:])[:3]
    text = subprocess.run([f"{build}/tools/swiss_events", events, seed], check=True, text=True,
                          stdout=subprocess.PIPE).stdout
    table, stuck = Table(), 0
    players, active, pairs, number = {}, set(), [], 0

    def end_round():
        nonlocal pairs
        if not pairs:
            return
        judge(table, players, active, [(white, black) for white, black, _, _ in pairs], number)
        for white, black, points, other in pairs:
            players[white].points2 += points
            if black is None:
                players[white].byes += 1
                continue
            players[black].points2 += other
            players[white].met.add(black)
            players[black].met.add(white)
            players[white].colors.append(1)
            players[black].colors.append(-1)
        pairs = []

    for line in text.splitlines():
        word, *rest = line.split()
        if word == "pair":
            if int(rest[0]) != number:
                end_round()
            number = int(rest[0])
            white, black = int(rest[1]), None if rest[2] == "-" else int(rest[2])
            points = [int(x) for x in rest[3].split("-")]
            pairs.append((white, black, *points))
            continue
        end_round()
        if word == "event":
            players = {i: Player() for i in range(int(rest[2]))}
            active, number = set(players), 0
        elif word == "late":
            players[int(rest[0])] = Player()
            active.add(int(rest[0]))
        elif word == "left":
            active.discard(int(rest[0]))
        elif word == "stuck":
            stuck += 1
            table.count("an event ends early only where no round is left",
                        len(active) > 1 and (can_pair(players, active) if len(active) % 2 == 0 else
                                             any(players[x].byes == 0 and can_pair(players, active - {x}) for x in active)))
    table.show()
    print(f"\n{events} events of seed {seed}; {stuck} ended early")
    absolute = ("everybody", "C.1:", "C.2:", "C.4,", "an event")
    return any(broken for rule, (broken, _) in table.rows.items() if rule.startswith(absolute))


if __name__ == "__main__":
    sys.exit(main())
