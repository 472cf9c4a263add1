#!/usr/bin/env python3
"""The page in other languages than English: their catalogues, what is left in English, how it looks, and how one is chosen.

usage: python3 tests/web/test_languages.py BUILD_DIR [TEST...]
"""
import json
import os
import re
import subprocess
import sys
import tempfile

TOP = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
sys.path.insert(1, os.path.join(TOP, "server"))

from page import action, by_click, square
from screens import Gallery
from test_coach import coach, reviewed
from test_looks import COVERED, CUT, OVERFLOW, found
from web_language import CONVERSION, languages_in, numbered, read_po, sentences_of_page, table_of, texts_of_server
from web_stage import Tests, run_tests

test = Tests()
LANGUAGES = os.path.join(TOP, "client", "languages")
PAGE, SERVER = sentences_of_page(os.path.join(TOP, "client", "web")), texts_of_server(os.path.join(TOP, "common"))


def values_in(text):
    return sorted(set(re.findall(r"\{\w+\}", text)))


def catalogues(checks):
    """What the page says has the same plurals and the same values in it in each language; test_catalogues.py looks for what is missing."""
    checks.check(len(PAGE) > 500, "sentences are found in the sources", len(PAGE))
    checks.check("pt" in languages_in(LANGUAGES), "there is Portuguese", languages_in(LANGUAGES))
    for tag, file in languages_in(LANGUAGES).items():
        for english, plural, strings in read_po(file):
            if english in PAGE:
                checks.equal(plural, PAGE[english][1], f"{tag}: the plural of {english!r}")
                for text in strings if len(strings) == 1 else strings[1:]:
                    checks.equal(values_in(text), values_in(english), f"{tag}: values in {text!r}")


PSEUDO_PO = '''msgid ""
msgstr ""
"Plural-Forms: nplurals=3; plural=(n%10==1 && n%100!=11 ? 0 : n%10>=2 && n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2);\\n"

msgid "Settings"
msgstr "Agordoj"

msgid "Language"
msgstr "Lingvo"

msgid "Play"
msgstr "Ludi"

msgid "Players"
msgstr "Ludantoj"

msgid "Rules"
msgstr "Reguloj"

msgid "Tournaments"
msgstr "Turniroj"

msgid "Light"
msgstr "Hela"

msgid "Dark"
msgstr "Malhela"

msgid "%s is empty"
msgstr "%s estas malplena"

msgid "{count} day"
msgid_plural "{count} days"
msgstr[0] "{count} tago"
msgstr[1] "{count} tagoj"
msgstr[2] "{count} tagojn"
'''


def another_language(checks):
    """One more file is one more language of the page, with its own plurals."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "eo.po")
        with open(path, "w", encoding="utf-8") as file:
            file.write(PSEUDO_PO)
        table = table_of(path, PAGE, SERVER)
        checks.equal((len(table["texts"]), table["texts"]["Play"], table["formats"]), (9, "Ludi", [("{1} is empty", "{1} estas malplena")]), "its table")
        checks.equal([table["plurals"][n] for n in (1, 2, 5, 11, 21, 22, 112, 101)], list("01220120"), "its plurals")
        packed = subprocess.run([sys.executable, os.path.join(TOP, "server", "web_page.py"), os.path.join(TOP, "client", "web"), folder, os.path.join(TOP, "common")],
                                capture_output=True, text=True, check=True).stdout
    rows = re.findall(r'^    \{"([^"]+)", "([^"]+)"', packed, re.M)
    checks.check(("/languages/eo.json", "application/json") in rows, "it is served", rows[-5:])
    index = packed.split(f"plain_{[path for path, _ in rows].index('/')}[] = {{\n")[1].split("};")[0]
    text = bytes(int(number) for number in re.findall(r"\d+", index)).decode()
    checks.equal(re.findall(r'rel="languages" href="\w+/([^"]+)"', text), ["languages/eo.json"], "index.html names it")


def shadow():
    """Returns a table in which everything is translated: what the page and the server say is in brackets, what they put into it is not."""
    def bracketed(text):
        return "⟦" + re.sub(r"\{\w+\}", r"⟧\g<0>⟦", text) + "⟧"
    texts = {english: bracketed(english.split("\4")[-1]) if many is None else [bracketed(english), bracketed(many)] for english, (_, many) in PAGE.items()}
    formats = [text for text in SERVER if CONVERSION.search(text) and re.search("[a-z]{2}", CONVERSION.sub("", text))]
    texts.update({text: bracketed(text) for text in SERVER if not CONVERSION.search(text) and re.search("[a-z]", text) and text not in texts})
    return {"plurals": "10" + "1" * 198, "texts": texts,
            "formats": [(numbered(text, kinds=True), bracketed(numbered(text))) for text in sorted(formats, key=lambda text: -len(CONVERSION.sub("", text)))]}


# Has a page that keeps `shadow` get a table instead of the one of its language.
TABLE_IS = """
    {const ask = window.fetch;
    window.fetch = (url, ...rest) => String(url).includes('languages/') && localStorage.getItem('shadow') ? Promise.resolve({json: () => Promise.resolve(%s)}) : ask(url, ...rest);}"""

# Texts, labels and titles that can be seen or heard and have letters outside of brackets. Names, moves, what people write and addresses are left out.
LEFT = """
    const bare = text => { let depth = 0, out = ''; for (const sign of text) { if (sign === '⟦') depth++; else if (sign === '⟧') depth--; else if (depth <= 0) out += sign; else out += ' '; } return out; };
    const names = /\\b(Ludus|Clobber|Xadrersi|Latrunculi( XXI)?|Shakti|anna|bob|carla|carol|dora|Friday-cup|guest-\\d+|English|Português|S\\.-B\\.)(?![\\w-])|\\b[a-j]\\d+([a-j]\\d+)?\\b|[KQRBN]@[a-j]\\d+|[KQRBN]@|\\b[a-zA-Z]\\b/g;
    const none = text => !/\\p{L}/u.test(bare(text).replace(names, ''));
    const skipped = '[data-about=chat], textarea, script, style, svg, noscript, #chat-lines, #crosstable td, #variations, #position, input[type=hidden], select[name=kind]';
    const left = [];
    for (const node of document.querySelectorAll('body, body *')) {
        if (node.closest(skipped) || !(node.checkVisibility() || node.closest('.unseen'))) continue;
        for (const child of node.childNodes) if (child.nodeType === 3 && !none(child.nodeValue)) left.push(child.nodeValue.trim());
        for (const name of ['aria-label', 'title', 'placeholder', 'alt'])
            if (node.hasAttribute(name) && !none(node.getAttribute(name))) left.push(`${name}: ${node.getAttribute(name)}`);
    }
    if (!none(document.title)) left.push(`title: ${document.title}`);
    return [...new Set(left)];"""


def in_language(page, tag):
    """Shows the page in a language from now on."""
    page.run("localStorage.setItem('ludus.language', JSON.stringify(arguments[0]))", tag)
    page.window.post("refresh")
    return page.here()


def in_brackets(page):
    """Shows the page by the table of shadow() from now on."""
    page.devtools("Page.addScriptToEvaluateOnNewDocument", source=TABLE_IS % json.dumps(shadow()))
    page.run("localStorage.setItem('shadow', 'yes')")
    return in_language(page, "pt")


def played_screens(page):
    """Those that come by playing, without bots."""
    page.go("#/storm/clobber").there('#storm [data-action="start"]').click('#storm [data-action="start"]')
    yield "a storm", page.there('#storm[data-state="running"]')
    page.go("#/puzzle/clobber/1").there('#puzzle [data-action="answer"]').click('#puzzle [data-action="answer"]')
    yield "a puzzle's answer", page.there('#puzzle[data-state="solved"]')
    page.go("#/learn/clobber/1").there("#lesson [data-square]").click('[data-action="hint"]')
    yield "a hint", page.press("?").there("dialog#keys")
    page.click("dialog .primary").go("#/analysis/clobber").there('#analysis [data-action="edit"]').click('[data-action="edit"]')
    yield "the editor", page.there(".editor [data-put]")


def judged_screens(page):
    """Those of bots that think: of the page that reviewed() has shown."""
    page.there('[data-status="over"]').click(action("review")).there(".curve .chances")
    page.click('[data-step="mistake"]').there("#coach")
    yield "a mistake", page
    page.click(coach("answer")) if page.run("return document.querySelector('#coach').dataset.state") == "asked" else None
    yield "its answer", page.there('#coach[data-state="told"]').click(coach("better")).there('#coach[data-state="line"]')
    page.go("#/analysis/clobber:3x4").there('[data-action="engine"]').click('[data-action="engine"]')
    yield "an analysis", page.there("#verdict").there("#line")


def every_screen(stage, prepare):
    """Yields the screens of the page, after each of its servers' pages was prepared."""
    page = prepare(reviewed(stage)[0])
    yield from judged_screens(page)
    gallery = Gallery(stage)
    prepare(gallery.page)
    yield from played_screens(gallery.page)
    for name, page in gallery.screens():
        if name == "a join code":  # of another server
            prepare(page).there("#code-form")
        yield name, page


@test
def nothing_left(stage):
    """Nothing that the page shows or says is put together without a table."""
    for name, page in every_screen(stage, in_brackets):
        stage.checks.equal(page.run(LEFT), [], f"{name}: left in English")
        stage.checks.check(page.run("return document.querySelector('header').innerText.includes('⟦Rules⟧')"), f"{name}: the header is translated")


@test
def portuguese_fits(stage):
    """Nothing is cut off or covers anything in longer words."""
    for name, page in every_screen(stage, lambda page: in_language(page, "pt")):
        for width, height, phone in ((320, 640, True), (1280, 800, False)):
            page.screen(width, height, phone)
            place = f"{name} at {width}x{height} in Portuguese"
            found(stage.checks, page, place, "sticks out", OVERFLOW)
            found(stage.checks, page, place, "text is cut off", CUT)
            found(stage.checks, page, place, "covers each other", COVERED)
        page.plain()


LANGUAGE = "return [document.documentElement.lang, document.querySelector('header nav a').textContent, document.querySelector('header [href=\"#/settings\"]').title]"
ENGLISH, PORTUGUESE = ["en", "Play", "Settings"], ["pt", "Jogar", "Definições"]


@test
def choosing(stage):
    """It is the first of the browser's that there is, unless one is chosen, here or in English."""
    page = stage.page(stage.server("--no-bots"))
    agent = page.run("return navigator.userAgent")
    stage.checks.equal(page.run(LANGUAGE), ENGLISH, "an English browser")
    for wanted, expected in (("fr,pt-PT,en", PORTUGUESE), ("PT", PORTUGUESE), ("en-GB,pt", ENGLISH), ("fr,ja", ENGLISH), ("pt-BR,en", PORTUGUESE)):
        page.devtools("Network.setUserAgentOverride", userAgent=agent, acceptLanguage=wanted)
        page.window.post("refresh")
        page.here()
        stage.checks.equal(page.run(LANGUAGE), expected, f"a browser of {wanted}")
    page.go("#/settings").there("#settings").choose(language="en")
    page.wait("return document.documentElement.lang === 'en'")
    page.here().there("#settings")
    stage.checks.equal(page.run(LANGUAGE), ENGLISH, "English is chosen")
    stage.checks.equal(page.run("return [...document.querySelectorAll('[data-field=language] span')].map(node => node.textContent)"), ["As the browser", "English", "Português"], "the choices")
    page.choose(language="")
    page.wait("return document.documentElement.lang === 'pt'")
    stage.checks.equal(page.here().run(LANGUAGE), PORTUGUESE, "as the browser again")


@test
def in_portuguese(stage):
    """What a player reads in a match: sentences with names, plurals, and refusals of the server."""
    gallery = Gallery(stage)
    in_language(gallery.page, "pt")
    page = gallery.page
    gallery.match("clobber")
    page.mine(0).expect("É a sua vez", "#status")
    page.write("#move", "a1a1x").press("enter").there("#problem")
    by_click(page, "b5b6")
    page.at(1).expect("Joga bob", "#status")
    stage.checks.equal(page.run("return document.querySelector(arguments[0]).getAttribute('aria-label')", square("b6")), "peça das brancas, b6", "a square for ears")
    stage.checks.equal(page.run("return document.title"), "Clobber 5\u00a0×\u00a06 contra bob · Ludus", "title")
    plurals = page.run("return import('./js/language.js').then(it => it.languageKnown.then(() => [0, 1, 2, 101].map(n => it.sayPlural('{count} day', '{count} days', n))))")
    stage.checks.equal(plurals, ["0 dias", "1 dia", "2 dias", "101 dias"], "plurals")
    page.go("#/m/4711").expect("Essa partida não existe", "main h1")
    page.go("#/you").there("#name").write("#name", "bob").press("enter").there("#name-form .sure").press("enter").expect("Nome ocupado: escolha outro", "#problem")


if __name__ == "__main__":
    sys.exit(run_tests("test_languages", test, [catalogues, another_language]))
