"""The languages of the page for browsers: a table of sentences for each, made of the .po files of client/languages.

English is what the sources say: a sentence that is not translated stays as it is. In a table are only the sentences that the
page can show: those that its modules say, the texts of index.html, and what the server tells of games or refuses.
"""
import gettext
import glob
import html.parser
import json
import os
import re

STRING = r"'(?:[^'\\\n]|\\.)*'"
SAID = re.compile(rf"(?<![.\w])(say|sayIn|sayAs|sayPlural|sayAtStart)\((\s*{STRING})?(?:,\s*({STRING}))?")
C_TEXT = re.compile(r'"(?:[^"\\\n]|\\.)*"(?:\s*"(?:[^"\\\n]|\\.)*")*')
COMMENT = re.compile(rf"""{STRING}|"(?:[^"\\\n]|\\.)*"|/\*.*?\*/|//[^\n]*""", re.S)  # or a string, which may look as if it had one
CONVERSION = re.compile(r"%(?:(\d+)\$)?[-0]?(?:\d+|\*)?(?:\.(?:\d+|\*))?(?:l|z)?[sdcuf]")
PLURALS = 200  # a rule depends on the last two digits, and on whether there are more
SERVER = ("games/*.c", "merit.c", "move.c", "position_text.c", "puzzle.c", "../client/link/refusal.c")
SHOWN = ("aria-label", "title", "placeholder", "alt")


def unquoted(text):
    """Returns what a string says: escapes are those that C, JavaScript and .po files have in common."""
    return re.sub(r"\\(.)", lambda escape: {"n": "\n", "t": "\t"}.get(escape[1], escape[1]), text.strip()[1:-1])


class Texts(html.parser.HTMLParser):
    """The texts of index.html that may be another language's."""

    def __init__(self):
        super().__init__()
        self.found, self.inside = [], []

    def handle_starttag(self, tag, attrs):
        if tag not in ("meta", "link", "path", "circle", "rect", "input"):
            self.inside.append(tag)
        self.found += [value for name, value in attrs if name in SHOWN]

    def handle_endtag(self, tag):
        if tag in self.inside:
            self.inside.remove(tag)

    def handle_data(self, data):
        if "body" in self.inside and not {"script", "noscript", "svg"} & set(self.inside):
            self.found.append(data.strip())


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def without_comments(text):
    """Returns a module or a C file with the same lines."""
    return COMMENT.sub(lambda found: "\n" * found[0].count("\n") if found[0][0] == "/" else found[0], text)


def said_by(path):
    """Yields the sentences that a module says, each with its plural or None. What is said with a meaning has that before
    it, and between them the character 4, as in compiled catalogues. Raises ValueError for one that is no plain string."""
    text = without_comments(read(path))
    for found in SAID.finditer(text):
        verb, one, other = found.groups()
        before = text[:found.start()].rpartition("\n")[2]
        if before.endswith("function ") or before.strip() in ("", "async") and one is None:
            continue  # what is defined there, not said
        if one is None or (verb in ("sayAs", "sayPlural") and other is None):
            line = text.count("\n", 0, found.start()) + 1
            raise ValueError(f"{path}:{line}: {verb}() is given something else than a string")
        if verb == "sayAs":
            yield unquoted(one) + "\4" + unquoted(other), None
        else:
            yield unquoted(one), unquoted(other) if verb == "sayPlural" else None


def sentences_of_page(top):
    """Returns the sentences that the page says, by the place where it does, with their plurals."""
    found = {}
    for folder, _, names in os.walk(os.path.join(top, "js")):
        for name in sorted(names):
            if name.endswith(".js") and name != "language.js":
                path = os.path.join(folder, name)
                found.update({one: (path, many) for one, many in said_by(path)})
    index = os.path.join(top, "index.html")
    if os.path.exists(index):
        texts = Texts()
        texts.feed(read(index))
        found.update({text: (index, None) for text in texts.found if re.search("[a-z]", text) and text != "Ludus"})
    return found


def texts_of_server(folder):
    """Returns all strings in the C files that have what the server tells of games, and in the list of its refusals."""
    files = [file for name in SERVER for file in glob.glob(os.path.join(folder, name))]
    strings = (string for file in files for string in C_TEXT.findall(without_comments(read(file))))
    return {"".join(unquoted(part) for part in re.findall(r'"(?:[^"\\\n]|\\.)*"', string)) for string in strings}


def read_po(path):
    """Yields the entries of a .po file that are translated: the sentence, its plural or None, and the translations."""
    entry, key = {}, ""
    for row in read(path).splitlines() + [""]:
        word, _, rest = row.partition(" ")
        if row.startswith('"'):
            entry[key] += unquoted(row)
        elif re.fullmatch(r"msgid|msgid_plural|msgctxt|msgstr(\[\d\])?", word):
            key = word
            entry[key] = unquoted(rest)
        elif row == "" and entry:
            strings = [text for name, text in entry.items() if name.startswith("msgstr")]
            if all(strings) and "msgid" in entry:
                meaning = entry["msgctxt"] + "\4" if "msgctxt" in entry else ""
                yield meaning + entry["msgid"], entry.get("msgid_plural"), strings
            entry = {}


def numbered(text, kinds=False):
    """Returns a format of printf() with {1}, {2}, ... for its values; with `kinds` {1#} for a number."""
    count = iter(range(1, 100))
    kind = {True: lambda sign: "#" if sign in "du" else "", False: lambda _: ""}[kinds]
    return CONVERSION.sub(lambda found: "{%s%s}" % (found[1] or next(count), kind(found[0][-1])), text).replace("%%", "%")


def plural_forms(header):
    """Returns for 0, 1, ... the number of the form that a language uses, as digits."""
    rule = re.search(r"plural=([^;\n]+)", header)
    choose = gettext.c2py(rule[1] if rule else "n != 1")
    return "".join(str(choose(n)) for n in range(PLURALS))


def add_told(table, english, translation):
    if CONVERSION.search(english):
        table["formats"].append((numbered(english, kinds=True), translation))
    else:
        table["texts"][english] = translation


def table_of(file, page, server):
    """Returns the table of a language. `texts`: a sentence by the English one, or its forms; `formats`: pairs of what
    the server may send with {1}, {2#}, ... in it, and what that is, or its forms. The longest comes first."""
    table = {"plurals": plural_forms(""), "texts": {}, "formats": []}
    for english, plural, strings in read_po(file):
        if english == "":
            table["plurals"] = plural_forms(strings[0])
        elif english in page:
            table["texts"][english] = strings if plural is not None else strings[0]
        elif english in server:
            add_told(table, english, numbered(strings[int(table["plurals"][1])] if plural else strings[0]))
            if plural:
                add_told(table, plural, [numbered(text) for text in strings])
    table["formats"].sort(key=lambda pair: (-len(re.sub(r"\{\d#?\}", "", pair[0])), pair[0]))
    return table


def languages_in(folder):
    """Returns the file of each language, by its tag such as pt or pt-BR."""
    files = sorted(glob.glob(os.path.join(folder, "*.po")))
    return {os.path.basename(file).removesuffix(".po").replace("_", "-"): file for file in files}


def tables(top, languages, common):
    """Yields the path on the server and the contents of the table of each language."""
    page, server = sentences_of_page(top), texts_of_server(common)
    for tag, file in languages_in(languages).items():
        text = json.dumps(table_of(file, page, server), ensure_ascii=False, separators=(",", ":"), sort_keys=True)
        yield f"/languages/{tag}.json", text.encode()


def entry_of(english, path, plural):
    """Returns the entry of a sentence in a .po file, without a translation."""
    meaning, _, text = english.rpartition("\4")
    rows = [f"#: {path}", f"msgctxt {quoted(meaning)}" if meaning else "", f"msgid {quoted(text)}"]
    rows += [f"msgid_plural {quoted(plural)}", 'msgstr[0] ""', 'msgstr[1] ""'] if plural else ['msgstr ""']
    return "\n".join(row for row in rows if row) + "\n"


def quoted(text):
    return json.dumps(text, ensure_ascii=False)
