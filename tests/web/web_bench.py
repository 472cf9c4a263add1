#!/usr/bin/env python3
"""Measures the page on loopback: until it paints, until one can play, and until a move is seen elsewhere.

usage: python3 tests/web/web_bench.py BUILD_DIR [OTHER_BUILD_DIR]

Prints medians, the slowest, and whether the goals are met. Other work on the machine makes all of them worse:
to judge a change there, give the build without it, too; both are measured in turn.
"""
import os
import statistics
import sys

from page import by_click
from test_page import MATCHES, seated
from web_stage import Tests, run_tests

LOADS = 9
GOALS = {"first paint": 150, "first playable board": 400, "from a click to the other page": 40}  # in ms
test = Tests()

# Notes when a frame with a piece that may be picked up is drawn.
PLAYABLE = """
    new MutationObserver(() => {
        if (!window.found && document.querySelector('#match[data-mine="true"] .cell.own')) {
            window.found = true;
            requestAnimationFrame(() => { window.playable = performance.now(); });
        }
    }).observe(document, {subtree: true, childList: true, attributes: true});"""
TIMES = """
    const paint = performance.getEntriesByName('first-paint')[0];
    return paint && window.playable && [paint.startTime, window.playable];"""
# Notes when the pointer last went up, and when a frame with the next ply is drawn; by the clock that pages share.
WATCH = """
    window.released = window.seen = 0;
    addEventListener('pointerup', event => {
        window.released = performance.timeOrigin + event.timeStamp;
    }, {capture: true});
    new MutationObserver(() => requestAnimationFrame(() => {
        window.seen = performance.timeOrigin + performance.now();
    })).observe(document.querySelector('#match'), {attributeFilter: ['data-ply']});"""


def say(build, what, times):
    median = statistics.median(times)
    goal = GOALS[what]
    print(f"{build}: {what}: median {median:.0f} ms of {len(times)}, slowest {max(times):.0f} ms; "
          f"the goal of {goal} ms is {'met' if median <= goal else 'missed'}")


def load(page, match):
    """Opens a match with an empty cache; returns when the page has painted and can be played on."""
    page.window.go("about:blank")
    page.devtools("Network.clearBrowserCache")
    page.window.go(f"{page.top}#/m/{match}")
    return page.wait(TIMES)


def own_match(page):
    page.take_name("anna")
    match = page.start("clobber", opponent="both")
    page.devtools("Page.enable").devtools("Network.enable")
    page.devtools("Page.addScriptToEvaluateOnNewDocument", source=PLAYABLE)
    return page, match


@test
def loading(stage):
    matches = {build: own_match(stage.page(stage.server("--no-bots", build=build))) for build in BUILDS}
    times = {build: [] for build in BUILDS}
    for _ in range(LOADS):
        for build, match in matches.items():
            times[build].append(load(*match))
    for build in BUILDS:
        for what, column in zip(GOALS, zip(*times[build])):
            say(build, what, column)
        stage.checks.equal(len(times[build]), LOADS, "loads")


def move(player, other, ply, text):
    """Plays a move; returns how long the other page took to show it."""
    by_click(player.mine(ply), text)
    other.at(ply + 1).run("return new Promise(done => requestAnimationFrame(() => setTimeout(done)))")
    return other.run("return seen") - player.run("return released")


@test
def moving(stage):
    pairs = {build: seated(stage, stage.server(build=build), "xadrersi:touch")[:2] for build in BUILDS}
    times = {build: [] for build in BUILDS}
    for page in (page for pair in pairs.values() for page in pair):
        page.run(WATCH)
    for ply, text in enumerate(MATCHES["xadrersi:touch"][0].split()):
        for build, pair in pairs.items():
            times[build].append(move(pair[ply % 2], pair[1 - ply % 2], ply, text))
    for build in BUILDS:
        stage.checks.check(min(times[build]) > 0, "moves", times[build])
        say(build, "from a click to the other page", times[build])


if __name__ == "__main__":
    print(f"load average {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")
    BUILDS = [sys.argv[1], *sys.argv[2:]]
    del sys.argv[2:]
    sys.exit(run_tests("web_bench", test))
