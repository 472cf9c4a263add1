#!/usr/bin/env python3
"""Draws the page: each game on a phone and on a desktop, light and dark.

usage: python3 tests/web/web_shots.py BUILD_DIR

Writes tests/shots/web-*.webp.
"""
import os
import sys

from pictures import whole
from screens import POSITIONS, Gallery
from web_stage import Tests, run_tests

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "shots")
SIZES = {"phone": (390, 844), "desktop": (1440, 900)}
test = Tests()


def shoot(page, name):
    for size, (width, height) in SIZES.items():
        page.screen(width, height, phone=size == "phone")
        for scheme in ("light", "dark"):
            page.prefer(color_scheme=scheme, reduced_motion="reduce")
            with open(os.path.join(FOLDER, f"web-{name}-{size}-{scheme}.webp"), "wb") as file:
                file.write(whole(page))


@test
def shots(stage):
    gallery = Gallery(stage)
    for game in POSITIONS:
        gallery.page.plain()
        match = gallery.board(game)
        gallery.bob.ask(f"say {match} Good luck!")
        gallery.page.expect("Good luck!", "#chat-lines")
        shoot(gallery.page, game)
        stage.checks.check(True, game)
    shoot(gallery.page.plain().go("#/"), "start")


if __name__ == "__main__":
    sys.exit(run_tests("web_shots", test))
