#!/usr/bin/env python3
"""Measures the levels of ludus-bot: what server/model/anchor.c and tests/bench/STRENGTH.md say of them.

usage: anchors.py BUILD_DIR FOLDER PAIRS GAME:VARIANT...

In each variant every level plays the next one, and the one after that, from balanced openings, each twice with colours
swapped. Interrupted it goes on with what FOLDER has. It prints rows of the table of STRENGTH.md, then of anchor.c.

The ratings are those under which the points are likeliest by the Bradley-Terry model, a draw being half a win; each
pairing counts one draw more than was played, as in `ludus-bot gauntlet` of many players. `greedy` is 1000, wherever that
puts the others. The errors are Ordo's: all matches are played again by chance, with the ratings found, and rated; 95 %
of these ratings lie within the error.
"""
import json
import math
import os
import random
import subprocess
import sys

# Those that think for so many nodes are the same on every machine; max takes a second.
LEVELS = ("random", "greedy", "gentle", "easy", "medium", "hard", "expert", "master")
ANCHOR, ANCHOR_RATING = 1, 1000
NODES = 400000  # more than any of them takes for a move
ROUNDS, SIMULATIONS = 3000, 400


def play(bot, folder, variant, pairs, first, second):
    """Plays a pairing. Returns the points of the first, and the number of matches."""
    state = os.path.join(folder, f"{variant}-{LEVELS[first]}-{LEVELS[second]}-{pairs}")
    command = [bot, "gauntlet", "--game", variant, "--openings", "balanced", "--pairs", str(pairs), "--nodes", str(NODES),
               "--margin", "60000", "--progress", "0", "--json", "--resume", state, LEVELS[first], LEVELS[second]]
    told = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    one = told.get("pairings", [told])[0]
    return one["wins"] + one["draws"] / 2, one["matches"]


def fit(results):
    """The ratings (Hunter, "MM algorithms for generalized Bradley-Terry models", 2004)."""
    strength = [1.0] * len(LEVELS)
    for _ in range(ROUNDS):
        before = list(strength)
        for player in range(len(LEVELS)):
            points = weight = 0
            for (one, other), (won, matches) in results.items():
                if player in (one, other):
                    points += (won if player == one else matches - won) + 0.5
                    weight += (matches + 1) / (strength[one] + strength[other])
            strength[player] = points / weight
        if max(abs(math.log(a / b)) for a, b in zip(strength, before)) < 1e-7:
            break
    return [ANCHOR_RATING + 400 * math.log10(one / strength[ANCHOR]) for one in strength]


def errors(results, ratings):
    rng = random.Random(1)
    found = [[] for _ in LEVELS]
    for _ in range(SIMULATIONS):
        again = {}
        for (one, other), (_, matches) in results.items():
            chance = 1 / (1 + 10 ** ((ratings[other] - ratings[one]) / 400))
            again[one, other] = (sum(rng.random() < chance for _ in range(matches)), matches)
        for level, rating in enumerate(fit(again)):
            found[level].append(abs(rating - ratings[level]))
    return [sorted(differences)[int(0.95 * SIMULATIONS)] for differences in found]


def main():
    build, folder, pairs, *variants = sys.argv[1:]
    rows = []
    os.makedirs(folder, exist_ok=True)
    for variant in variants:
        results = {(first, first - below): play(os.path.join(build, "ludus-bot"), folder, variant, int(pairs) // below, first, first - below)
                   for below in (1, 2) for first in range(below, len(LEVELS))}
        ratings = fit(results)
        error = errors(results, ratings)
        matches = sum(count for _, count in results.values())
        print(f"| {variant} | {matches} | " + " | ".join(f"{rating:.0f} ± {off:.0f}" for rating, off in zip(ratings, error)) + " |", flush=True)
        rows.append('    {"%s", "%s", {%s}, {%s}},' % (*variant.split(":"), ", ".join(f"{rating:.0f}" for rating in ratings),
                                                      ", ".join(f"{off:.0f}" for off in error)))
    print("\n".join(rows))


if __name__ == "__main__":
    main()
