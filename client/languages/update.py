#!/usr/bin/env python3
"""Brings the catalogues up to date with the sources: new sentences come without a translation, and those that nobody
says any more go.
usage: python3 client/languages/update.py [LANG.po...]   (all of this folder; `make languages`)
A new language: `python3 client/languages/update.py --template >client/languages/LANG.po`, and fill it in. Needs gettext."""

import glob
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, "..", "..")
sys.path.insert(1, os.path.join(ROOT, "server"))
import web_language  # noqa: E402

# What ludus says to people. The course's nights and PGN's errors are for who runs a server or writes a program.
SOURCES = ["client/ludus", "client/games", "client/link", "common"]
ENGLISH_ONLY = {"common/pgn.c", "common/pgn_read.c", "common/match_picture.c", "common/beacon.c", "common/message.c",
                "common/qr_code.c"}

# The functions whose formats are translated where they are used: the number of the argument.
FORMATS = {"cause_set": 2, "console_say": 2, "stage_notice": 2, "pick_add": 2, "args_refuse": 2, "paint_format": 5,
           "facts_add": 2, "client_fail": 2, "OPTION": 3}
MARKS = ["_", "N_", "NC_:1c,2", "text_counted:1,2"] + [f"{name}:{place}" for name, place in FORMATS.items()]

CONVERSION = re.compile(r"%(\d+\$)?[-+ #0-9.*]*(hh|h|ll|l|z|j)?[a-zA-Z%]")


def sources():
    found = []
    for folder in SOURCES:
        for pattern in ("*.c", "*/*.c", "*/*/*.c", "*.h", "*/*.h"):
            found += glob.glob(os.path.join(ROOT, folder, pattern))
    found = sorted({os.path.relpath(path, ROOT) for path in found})
    return [path for path in found if path not in ENGLISH_ONLY]


def has_words(sentence):
    """Whether there is anything to translate: not in "%s: %s"."""
    return re.search(r"[A-Za-z]", CONVERSION.sub("", sentence)) is not None


def unquote(text):
    return "".join(re.findall(r'"((?:[^"\\]|\\.)*)"', text)).encode().decode("unicode_escape").encode("latin-1").decode()


def entries(po):
    """The blocks of a catalogue: (msgid, with its msgctxt and \\4 before it if it has one, msgid_plural or None, whether it
    is obsolete or fuzzy, [translations], block)."""
    for block in po.split("\n\n"):
        found = re.search(r'^(#~ )?msgid ((?:(?:#~ )?".*"\n?)+)', block, re.M)
        if found is None:
            continue
        meaning = re.search(r'^msgctxt ((?:".*"\n?)+)', block, re.M)
        before = unquote(meaning.group(1)) + "\4" if meaning else ""
        plural = re.search(r'^msgid_plural ((?:".*"\n?)+)', block, re.M)
        translations = re.findall(r'^msgstr(?:\[\d\])? ((?:".*"\n?)+)', block, re.M)
        yield (before + unquote(found.group(2)), unquote(plural.group(1)) if plural else None,
               found.group(1) is not None or re.search(r"^#,.*fuzzy", block, re.M) is not None,
               [unquote(text) for text in translations], block)


def said_by_page(pot):
    """Yields the blocks of the sentences that only the page for browsers says."""
    known = {sentence for sentence, _, _, _, _ in entries(pot)}
    for sentence, (path, plural) in web_language.sentences_of_page(os.path.join(ROOT, "client", "web")).items():
        if sentence not in known:
            yield web_language.entry_of(sentence, os.path.relpath(path, ROOT), plural)


def template():
    """All sentences of the sources, as a catalogue without translations."""
    pot = subprocess.run(["xgettext", "--from-code=UTF-8", "--language=C", "--add-location=file", "--sort-by-file",
                          "--add-comments=Translators", "-k", *[f"-k{mark}" for mark in MARKS], "-o", "-", *sources()],
                         cwd=ROOT, capture_output=True, text=True, check=True).stdout
    kept = [block for sentence, _, _, _, block in entries(pot) if sentence and has_words(sentence)]
    head = ('msgid ""\nmsgstr ""\n"Project-Id-Version: ludus\\n"\n"PO-Revision-Date: 2026-11-29 00:00+0000\\n"\n'
            '"Last-Translator: NAME\\n"\n"Language-Team: NAME\\n"\n"Language: LANG\\n"\n"MIME-Version: 1.0\\n"\n'
            '"Content-Type: text/plain; charset=UTF-8\\n"\n"Content-Transfer-Encoding: 8bit\\n"\n'
            '"Plural-Forms: nplurals=2; plural=n != 1;\\n"')
    return "\n\n".join([head, *kept, *said_by_page(pot)])


def main():
    if sys.argv[1:] == ["--template"]:
        sys.stdout.write(template())
        return
    for path in sys.argv[1:] or sorted(glob.glob(os.path.join(HERE, "*.po"))):
        subprocess.run(["msgmerge", "--quiet", "--no-fuzzy-matching", "--no-wrap", "--add-location=file", "-o", path + ".new",
                        path, "-"], input=template(), text=True, check=True)
        subprocess.run(["msgattrib", "--no-obsolete", "--no-wrap", "-o", path + ".new", path + ".new"], check=True)
        os.replace(path + ".new", path)


if __name__ == "__main__":
    main()
