"""Catalogues of sentences: reading them, and programs that speak a language made for a test."""

import os
import shutil
import subprocess
import sys
import tempfile

from harness import build_folder

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
LANGUAGES = os.path.join(ROOT, "client", "languages")
sys.path.insert(1, LANGUAGES)
import update  # noqa: E402

# Every letter gets a mark, so that no word of a sentence is left as it was. One column each.
STRANGE = str.maketrans("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ",
                        "áƀçďéƒğĥíĵķĺṁñóṗɋŕşţúṽŵẋýžÁƁÇĎÉƑĞĤÍĴĶĹṀÑÓṖɊŔŞŢÚṼŴẊÝŽ")


def read(path):
    """The catalogue as {sentence: [translations]}."""
    with open(path, encoding="utf-8") as file:
        return {sentence: texts for sentence, _, _, texts, _ in update.entries(file.read()) if sentence}


def strange(sentence):
    """The sentence with marked letters; what printf() replaces stays."""
    kept, at = [], 0
    for match in update.CONVERSION.finditer(sentence):
        kept += [sentence[at:match.start()].translate(STRANGE), match.group(0)]
        at = match.end()
    return "".join(kept) + sentence[at:].translate(STRANGE)


def quoted(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\r", "\\r") + '"'


def strange_catalogue():
    """A catalogue of all sentences of the sources, in which no word stays as it is."""
    template = update.template()
    blocks = [template.split("\n\n", 1)[0]]
    for sentence, plural, _, _, _ in update.entries(template):
        if sentence:
            meaning, _, sentence = sentence.rpartition("\4")
            block = (f"msgctxt {quoted(meaning)}\n" if meaning else "") + f"msgid {quoted(sentence)}\n"
            if plural is None:
                block += f"msgstr {quoted(strange(sentence))}"
            else:
                block += (f"msgid_plural {quoted(plural)}\nmsgstr[0] {quoted(strange(sentence))}\n"
                          f"msgstr[1] {quoted(strange(plural))}")
            blocks.append(block)
    return "\n\n".join(blocks) + "\n"


class Speaking:
    """A folder with the programs, which know one more language."""

    def __init__(self, language, catalogue):
        self.path = tempfile.mkdtemp(prefix="ludus-test-")
        for program in ("ludus", "ludusd", "ludus-bot"):
            os.symlink(os.path.abspath(os.path.join(build_folder(), program)), os.path.join(self.path, program))
        os.remove(os.path.join(self.path, "ludus"))
        shutil.copy(os.path.join(build_folder(), "ludus"), self.path)  # it looks beside itself
        self.add(language, catalogue)
        self.program = os.path.join(self.path, "ludus")

    def add(self, language, catalogue):
        folder = os.path.join(self.path, "locale", language, "LC_MESSAGES")
        os.makedirs(folder)
        subprocess.run(["msgfmt", "--check", "-o", os.path.join(folder, "ludus.mo"), "-"], input=catalogue, text=True,
                       check=True)

    def remove(self):
        shutil.rmtree(self.path)
