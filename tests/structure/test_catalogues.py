#!/usr/bin/env python3
"""The catalogues of client/languages: each has every sentence of the sources, once, and nothing else.

usage: python3 tests/structure/test_catalogues.py

A language that is being begun is in the first lines of its file with "# Unfinished": then it may lack sentences.
"""

import glob
import os
import re
import subprocess
import sys

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
sys.path[1:1] = [os.path.join(ROOT, "client", "languages"), os.path.join(ROOT, "tests", "support")]
import update
from harness import Checks

# What is the same in other languages: names, keys, formats, and words that players in Portugal say, too.
SAME = {"bot", "bots", "Bot", "  bot", "dux", "menu", "Menu", "rating", "Ratings", "rating %s", "arena", "Clobber",
        "Xadrersi", "Latrunculi XXI", "Shakti", "Tab", "Esc", "Enter", "PgUp", "PgDn", "key\4Home", "key\4End", "key\4Enter", "key\4Tab", "key\4Esc",
        "Rating", "{count} min", "{count} s", "{base} + {count} s", "Dux", "variant\4Touch", "variant\4Attack", "Perf.", "Buchholz", "Arena", "Bots", "Touch", "Shift-Tab",
        "Esc, q, Ctrl-D", "Esc, Ctrl-D", "PgUp, PgDn", "Home, End", "Tab, Shift-Tab", "F9, Ctrl +/-", "%s (y/n)", "MATCH", "W", "B",
        "%s, %d:%02d", "%s %s", "%s: %s"}


def is_same_everywhere(sentence):
    """Keys, and what is only made of options, commands and places to fill in."""
    rest = update.CONVERSION.sub("", sentence)
    rest = re.sub(r"--?[a-z]+|\bCtrl-\S|\bludus\b|\b(host|puzzle|course|tournament|TLS)\b", "", rest)
    return sentence in SAME or not re.search(r"[A-Za-z]", rest)


def conversions(text):
    """The types that printf() takes, in the order of the arguments."""
    found = [match.group(0) for match in update.CONVERSION.finditer(text) if match.group(0) != "%%"]
    places = [int(one[1:one.index("$")]) if "$" in one else at + 1 for at, one in enumerate(found)]
    return [re.sub(r"\d+\$", "", one) for _, one in sorted(zip(places, found))]


TEMPLATE = {sentence: plural for sentence, plural, _, _, _ in update.entries(update.template()) if sentence}


def check_catalogue(checks, path):
    name = os.path.basename(path)
    with open(path, encoding="utf-8") as file:
        text = file.read()
    entries = [entry for entry in update.entries(text) if entry[0]]
    known = {sentence: texts for sentence, _, _, texts, _ in entries}
    unfinished = re.match(r"(#.*\n)*# Unfinished", text) is not None
    checked = subprocess.run(["msgfmt", "--check", "--check-format", "-o", os.devnull, path], capture_output=True, text=True)

    checks.check(checked.returncode == 0, f"{name}: msgfmt takes it", checked.stderr)
    missing = [sentence for sentence in TEMPLATE if sentence not in known]
    checks.check(unfinished or not missing, f"{name}: has every sentence", f"missing: {missing[:5]}")
    gone = [sentence for sentence in known if sentence not in TEMPLATE]
    checks.check(not gone, f"{name}: has none that nobody says", f"not in the sources: {gone[:5]}")
    checks.check(not any(stale for _, _, stale, _, _ in entries), f"{name}: has none that is doubtful")
    empty = [sentence for sentence, texts in known.items() if not all(texts)]
    checks.check(not empty, f"{name}: has none that is empty", f"{empty[:5]}")
    english = [sentence for sentence, texts in known.items() if sentence.rpartition("\4")[2] in texts and not is_same_everywhere(sentence)]
    checks.check(not english, f"{name}: has none in English", f"{english[:5]}")
    wrong = [sentence for sentence, texts in known.items() for one in texts
             if conversions(one) not in (conversions(sentence), conversions(TEMPLATE.get(sentence) or sentence))]
    checks.check(not wrong, f"{name}: takes the same arguments", f"{wrong[:5]}")
    edges = [sentence for sentence, texts in known.items() for one in texts
             if (sentence[:1].isspace(), sentence[-1:].isspace()) != (one[:1].isspace(), one[-1:].isspace())
             and sentence != " no"]
    checks.check(not edges, f"{name}: begins and ends in the same blanks", f"{edges[:5]}")


def catalogues(checks):
    paths = sorted(glob.glob(os.path.join(ROOT, "client", "languages", "*.po")))
    checks.check(bool(paths), "there is a catalogue")
    checks.check(len(TEMPLATE) > 1000, "the sources have sentences", f"{len(TEMPLATE)}")
    for path in paths:
        check_catalogue(checks, path)


if __name__ == "__main__":
    sys.exit(Checks("test_catalogues").run([catalogues]))
