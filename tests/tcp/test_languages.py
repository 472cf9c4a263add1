#!/usr/bin/env python3
"""The client in other languages: that it says nothing in English there, and that Portuguese has room on the screens.

usage: python3 tests/tcp/test_languages.py BUILD_DIR [TEST...]

A tour goes through the screens by keys, which are the same in all languages. It is made once in Portuguese, and once in a
language of which every letter has a mark: what is shown without marks then is a name, a move or a word to type, or else a
sentence that the sources do not mark.
"""

import os
import re
import sys

sys.path.insert(1, sys.path[0] + "/../support")
from catalogues import LANGUAGES, ROOT, Speaking, read, strange, strange_catalogue
from full_screen import HERE, POSITIONS
from stage import Tests, run_tests
from terminal import BUILD, expect_that

test = Tests()
PORTUGUESE = read(os.path.join(LANGUAGES, "pt.po"))

# Words that are shown as they are: names, words of commands, options and the protocol, file formats.
with open(os.path.join(ROOT, "client/ludus/screen/match/commands.c"), encoding="utf-8") as source:
    COMMANDS = re.findall(r'^    {"([a-z]+)", "([^"]*)"', source.read(), re.M)
PLAIN = {word for name, arguments in COMMANDS for word in (name, *re.findall(r"[a-z]+", arguments.lower()))}
PLAIN |= {"anna", "bob", "cup", "bot", "random", "greedy", "gentle", "easy", "medium", "hard", "expert", "master", "max",
          "touch", "attack", "standard", "localhost", "ludus", "pgn", "guest", "hello", "zz"}


def in_portuguese(sentence, place=0):
    return PORTUGUESE[sentence][place]


def strangely(sentence, place=0):
    del place
    return strange(sentence)


class Tour:
    """A client that is taken through its screens; `look` gets each of them."""

    tours = 0

    def __init__(self, bench, say, look, **options):
        Tour.tours += 1
        self.bench, self.say, self.look, self.options = bench, say, look, options
        self.me, self.other = f"anna-{Tour.tours}", f"bob-{Tour.tours}"

    def start(self, *arguments, **options):
        return self.bench.full(*arguments, **{"columns": 80, "rows": 24, **self.options, **options})

    def stop_at(self, full, sentence, *keys):
        """Presses keys, and looks at the screen when it says the sentence."""
        full.keys(*keys)
        start = re.split(r"%", self.say(sentence))[0] if not sentence.startswith("%") else self.say(sentence).split()[-1]
        full.expect(start.rstrip() if start.strip() else self.say(sentence)).drawn()
        self.look(full)
        return full

    def change(self, full, key):
        """Presses a key that changes something, and looks at it."""
        before = full.screen
        full.keys(key).until(lambda screen: screen != before, f"{key} does nothing").drawn()
        self.look(full)

    def pages(self, full):
        for _ in range(12):
            before = full.drawn().screen
            full.keys("pgdn").drawn()
            self.look(full)
            if full.screen == before:
                break

    def menu(self):
        full = self.stop_at(self.start("--name", f"{self.me}a"), "Quit")
        self.stop_at(full, "list the keys of this screen", "f1")
        full.keys("escape").expect(self.say("Quit")).drawn()
        for key, sentence in (("b", "Rated"), ("k", "Clock"), ("h", "You are"), ("f", "Against"), ("w", "Black")):
            self.stop_at(full, sentence, key)
            for _ in range(6):
                full.keys("down").drawn()
                self.look(full)
            full.keys("escape").expect(self.say("Quit")).drawn()
        for key, sentence in (("j", "Join a match"), ("o", "Players online"), ("l", "Learn which game?"), ("z", "One move wins: find it"),
                              ("a", "Analysis board"), ("r", "The rules of which game?")):
            self.stop_at(full, sentence, key)
            full.keys("escape").expect(self.say("Quit")).drawn()
        self.stop_at(full, "Nobody has a rating yet.", "s")
        self.stop_at(full, "Which command? (help lists them)", "c")
        full.keys("help", "enter").expect("analyse").drawn()
        self.look(full)
        self.pages(full)
        full.keys("escape").expect(self.say("Quit")).drawn()
        self.stop_at(full, "Leave Ludus? (y/n)", "escape")
        full.keys("y").end()

    def lessons(self):
        for game in POSITIONS:
            full = self.start("learn", game)
            full.until(lambda screen: re.match(r".*\b1 \w+ \d+:", screen), "no lesson").drawn()
            count = int(re.match(r".*\b1 \w+ (\d+):", full.screen)[1])
            for number in range(1, count + 1):
                full.until(lambda screen, at=number: re.match(rf".*\b{at} \w+ {count}:", screen), "no lesson").drawn()
                self.look(full)
                self.change(full, "f3")
                self.change(full, "enter")
                full.keys(">")
            full.keys("f2").drawn()
            self.look(full)
            self.pages(full)

    def puzzles(self):
        full = self.stop_at(self.start("--name", f"{self.me}p"), "Quit")
        self.stop_at(full, "Puzzles", "z")
        for game in POSITIONS:
            del game
            full.keys("enter")
            self.stop_at(full, "show me")
            full.keys("f3").drawn()
            self.look(full)
            full.keys("f6").drawn()
            full.keys("escape", "down")

    def matches(self):
        for game, (variant, position) in POSITIONS.items():
            full = self.start("--name", f"{self.me}m", "--play", variant, *HERE, "--position", position)
            self.stop_at(full, "Arrows and Enter, or type a move" if game != "xadrersi" else "Place ")
            self.stop_at(full, "list the keys of this screen", "f1")
            self.pages(full)
            full.keys("escape").drawn()
            full.keys("f2").drawn()
            self.look(full)
            self.pages(full)
            full.keys("escape").drawn().control("o").drawn()
            self.look(full)
            full.control("o")
            full.keys("f3").expect(self.say("Hint: %s %s. Enter plays it.").split()[0]).drawn()
            self.look(full)
            if game == "clobber":  # beside the others the message is cut in English, too
                full.control("u").drawn().keys("zz", "enter").expect('"zz"').drawn()
                self.look(full)
            full.control("u").keys("a1a1", "enter").drawn()
            self.look(full)
            full.control("u").keys("f5").drawn()
            self.look(full)
            full.keys("n").drawn().control("u").drawn()
            self.look(full)
            self.stop_at(full, "Resign? (y/n)", "f8")
            self.stop_at(full, "Rematch", "y")
            self.stop_at(full, "Review of %s, %s", "f6")
            full.drawn().keys("escape")

    def with_others(self):
        """A challenge, its match with chat and offers, and a tournament."""
        bob = self.bench.peer(self.other)
        full = self.stop_at(self.start("--name", self.me), "Quit")
        match = bob.do(f"new clobber:3x3 white=me black={self.me} clock=300+5")["match"]
        full.expect(match).drawn()
        self.look(full)
        full.keys("1").drawn()
        self.look(full)
        bob.do(f"move {match} b1a1")
        bob.do(f"say {match} hello")
        full.expect("hello").drawn()
        self.look(full)
        bob.do(f"undo {match}")
        self.stop_at(full, "%s asks to take back the last move. Accept? (y/n)")
        full.keys("n").drawn()
        self.look(full)
        for line in ("undo", "claim", "resign now", "seek chess", "moves z9", "tournament join 99", "accept", "hint"):
            full.keys(line, "enter").drawn()
            self.look(full)
        bob.do(f"resign {match}")
        self.stop_at(full, "Rematch")
        bob.do(f"rematch {match}")
        self.stop_at(full, "%s asks for a rematch. Accept? (y/n)")
        full.keys("n", "escape").expect(self.say("Quit")).drawn()
        for key in ("m", "g"):
            full.keys(key).drawn()
            self.look(full)
            full.keys("escape").expect(self.say("Quit")).drawn()
        bob.do(f"tournament new cup clobber:3x3 format=swiss start=manual clock=60+1")
        self.stop_at(full, "Tournaments", "t")
        full.keys("enter").expect("cup").drawn()
        self.look(full)
        full.keys("enter").drawn()
        self.look(full)
        full.keys("enter").drawn()
        self.look(full)
        full.keys("escape")

    def whole(self):
        for part in (self.menu, self.lessons, self.puzzles, self.matches, self.with_others):
            part()


@test
def portuguese_has_room_everywhere(bench):
    """What is cut ends in a ~."""
    def look(full):
        cut = [line for line in full.screen.split("\n") if re.search(r"\w~", line)]
        expect_that(not cut, "cut: " + " | ".join(cut) + "\n" + full.screen)
    Tour(bench, in_portuguese, look, LC_ALL="pt_PT.UTF-8").whole()


@test
def nothing_is_said_in_english(bench):
    speaking, found = Speaking("xx", strange_catalogue()), {}

    def look(full):
        for line in full.screen.split("\n"):
            for word in re.findall(r"(?<![\w@+-])[A-Za-z]{2,}(?![\w@])", line):
                if word.lower() not in PLAIN and not re.fullmatch("[KQRBNkqrbn]+", word):  # pieces in hand
                    found.setdefault(word, line)
    try:
        Tour(bench, strangely, look, program=speaking.program, LC_ALL="xx.UTF-8").whole()
    finally:
        speaking.remove()
    expect_that(not found, "not marked: " + "; ".join(f"{word!r} in {line.strip()!r}" for word, line in found.items()))


@test
def a_third_language_is_one_file(bench):
    """A few sentences are enough to begin with: the others stay English."""
    german = {"Quit": "Beenden", "Play a bot": "Gegen einen Bot", "Puzzles (today's: new)": "Aufgaben (heute: neu)", "Tournaments": "Turniere",
              "Learn a game": "Ein Spiel lernen", "Rules of the games": "Spielregeln", "Players online": "Wer da ist",
              "My games": "Meine Partien", "Type a command": "Einen Befehl eingeben", "Find an opponent": "Gegner suchen"}
    head = ('msgid ""\nmsgstr ""\n"Project-Id-Version: x\\n"\n"PO-Revision-Date: 2026-11-29\\n"\n"Last-Translator: x\\n"\n'
            '"Language-Team: x\\n"\n"Language: de\\n"\n"MIME-Version: 1.0\\n"\n"Content-Type: text/plain; charset=UTF-8\\n"\n'
            '"Content-Transfer-Encoding: 8bit\\n"\n')
    speaking = Speaking("de", head + "".join(f'\nmsgid "{english}"\nmsgstr "{text}"\n' for english, text in german.items()))
    try:
        full = bench.full(program=speaking.program, LC_ALL="de_AT.UTF-8")
        for text in (*german.values(), "Watch two bots", "Enter choose"):
            full.expect(text)
        full.keys("escape", "enter").end()
    finally:
        speaking.remove()


@test
def how_a_language_is_chosen(bench):
    portuguese, english = "Lista os jogadores ligados.", "Lists the connected players."

    def help_of_who(*words, **environment):
        return bench.piped(("who", "--help", *words), **environment)
    for words, environment, expected in (
            ((), {"LC_ALL": "C"}, english), ((), {"LC_ALL": "pt_PT.UTF-8"}, portuguese), ((), {"LC_ALL": "", "LANG": "pt_PT"}, portuguese),
            ((), {"LC_ALL": "", "LC_MESSAGES": "pt_BR.UTF-8", "LANG": "C"}, portuguese), ((), {"LC_ALL": "xx_XX.UTF-8"}, english),
            (("--language", "pt"), {"LC_ALL": "C"}, portuguese), (("--language=en",), {"LC_ALL": "pt_PT.UTF-8"}, english)):
        said = help_of_who(*words, **environment)
        expect_that(expected in said, f"{words} {environment}: {said}")


if __name__ == "__main__":
    sys.exit(run_tests("test_languages", test))
