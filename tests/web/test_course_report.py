"""The report of a course in a browser, opened as a folder and from a web server: matches are stepped through, and everything can
be read on a small phone.

usage: test_course_report.py BUILD_DIR
"""
import functools
import http.server
import os
import sys
import threading

sys.dont_write_bytecode = True
from web_stage import BROWSER, Checks, build_folder

from course_folder import Course
from page import KEYS

SHOWN = "return document.querySelector('#match')?.dataset.ply"
# The pieces of the board as rows, from what is drawn.
PIECES = """
    const rows = {};
    for (const cell of document.querySelectorAll('#match [data-square]')) {
        const [name] = cell.getAttribute('aria-label').split(',');
        (rows[cell.dataset.square.slice(1)] ??= []).push([cell.dataset.square, name.startsWith('white') ? 'P' : name.startsWith('black') ? 'p' : '.']);
    }
    return Object.keys(rows).sort((a, b) => b - a).map(rank => rows[rank].sort().map(([, piece]) => piece).join(''));"""
ACROSS = "return [document.documentElement.scrollWidth, innerWidth]"


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


def rows_of(position):
    rows = position.split()[0].split("/")
    return ["".join("." * int(piece) if piece.isdigit() else piece for piece in row) for row in rows]


def steps(t, window, address, record):
    """Steps through a match by keys, by buttons and by its list of moves."""
    last = len(record["moves"])
    window.go(f"{address}match/{record['match']}.html")
    window.wait(SHOWN + f" === '{last}'", what="the end of the match")
    t.equal(window.run(PIECES), rows_of(record["positions"][-1]), f"{address}: the last position")
    for key, ply in (("home", 0), ("right", 1), ("right", 2), ("left", 1), ("end", last)):
        window.type(KEYS[key])
        window.wait(SHOWN + f" === '{ply}'", what=f"{key} to {ply}")
        t.equal(window.run(PIECES), rows_of(record["positions"][ply]), f"{address}: the position by {key}")
    window.run("document.querySelector('[data-step=back]').click()")
    window.wait(SHOWN + f" === '{last - 1}'")
    t.check(window.run("return location.hash") == f"#{last - 1}", "the address leads to the move")
    window.run("document.querySelector('#moves [data-ply=\"1\"]').click()")
    window.wait(SHOWN + " === '1'")
    t.check("Move 1 of" in window.run("return document.querySelector('#status').innerText"), "what is shown is said")
    window.run("document.querySelector('[data-pace=run]').click()")
    window.wait(SHOWN + f" === '{last}'", what="the moves are played to the end")
    window.go(f"{address}match/{record['match']}.html#2")
    window.wait(SHOWN + " === '2'", what="a link to a move")


def widths(t, window, address, course, record):
    """No page is wider than a small phone; tables that are scroll by themselves."""
    for width, height in ((320, 568), (1280, 900)):
        window.devtools("Emulation.setDeviceMetricsOverride", width=width, height=height, mobile=False, deviceScaleFactor=1, screenWidth=width,
                        screenHeight=height)
        window.wait("return innerWidth === arguments[0]", width)
        for page in ("index.html", f"{course.keys['ana']}.html", f"match/{record['match']}.html"):
            window.go(address + page)
            window.wait("return document.readyState === 'complete'")
            whole, shown = window.run(ACROSS)
            t.check(whole <= shown, f"{page} at {width}", f"{whole} of {shown}")
            t.check(window.run("return getComputedStyle(document.querySelector('main')).maxWidth !== '' && document.styleSheets.length > 0"), f"{address}{page}: it has its style")


def main():
    checks = Checks("test_course_report")
    if BROWSER.missing():
        print(f"test_course_report: SKIPPED: apt-get install {' '.join(BROWSER.missing())}")
        return checks.run([])
    course = Course(build_folder())
    course.judge()
    checks.equal(course.report()[0], 0, "the report is written")
    record = max(course.lines("results/matches.jsonl"), key=lambda line: len(line["moves"]))
    folder = os.path.abspath(course.path("report"))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=folder))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with BROWSER.Driver() as driver:
        window = driver.window()
        cases = []
        for address in (f"file://{folder}/", f"http://127.0.0.1:{server.server_port}/"):
            cases += [lambda t, address=address: steps(t, window, address, record), lambda t, address=address: widths(t, window, address, course, record)]
        code = checks.run(cases)
    server.shutdown()
    course.close()
    return code


if __name__ == "__main__":
    sys.exit(main())
