#!/usr/bin/env python3
"""The boards of the page look as in golden/, light and dark.

usage: python3 tests/web/test_golden.py BUILD_DIR       `make web-shots` draws the pictures anew

Both pictures are compared at a third of their size, so that the edges of letters do not count.
"""
import os
import sys

from pictures import difference, smaller
from screens import POSITIONS, Gallery
from web_stage import Tests, run_tests

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "golden")
WIDTH = 130
MOST = 12  # of 255, in each colour of a pixel
SHARE = 0.01  # of the pixels may differ by more
WRITING = "--write" in sys.argv
test = Tests()


def boards(stage):
    """Yields the name and the picture of each board."""
    gallery = Gallery(stage)
    page = gallery.page.screen(390, 844, phone=True)
    for game in POSITIONS:
        gallery.board(game)
        for scheme in ("light", "dark"):
            page.prefer(color_scheme=scheme, reduced_motion="reduce")
            yield f"{game}-{scheme}.png", page.window.picture(".match .scene")



def golden(name):
    with open(os.path.join(FOLDER, name), "rb") as file:
        return file.read()


@test
def boards_are_golden(stage):
    drawn = dict(boards(stage))
    window = stage.pages[0].window
    window.go("about:blank")  # where no policy holds
    for name, picture in drawn.items():
        if WRITING:
            with open(os.path.join(FOLDER, name), "wb") as file:
                file.write(smaller(window, picture, WIDTH))
        share = difference(window, picture, golden(name), WIDTH, MOST)
        stage.checks.check(share <= SHARE, f"{name} is as in golden/ (else look, and `make web-shots`)",
                           f"{share:.1%} of the pixels differ")
    for name, other in zip(drawn, [*list(drawn)[1:], list(drawn)[0]]):
        share = difference(window, drawn[name], golden(other), WIDTH, MOST)
        stage.checks.check(share > SHARE, f"{name} is not {other}", f"{share:.1%} of the pixels differ")


if __name__ == "__main__":
    if WRITING:
        sys.argv.remove("--write")
        os.makedirs(FOLDER, exist_ok=True)
    sys.exit(run_tests("test_golden", test))
