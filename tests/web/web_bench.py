#!/usr/bin/env python3
"""Measures the page on loopback: until it paints, until one can play, and until a move is seen elsewhere.

usage: python3 tests/web/web_bench.py BUILD_DIR

Prints medians, the slowest, and whether the goals are met. Other work on the machine makes all of them worse.
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


def say(what, times):
    median = statistics.median(times)
    goal = GOALS[what]
    print(f"{what}: median {median:.0f} ms of {len(times)}, slowest {max(times):.0f} ms; "
          f"the goal of {goal} ms is {'met' if median <= goal else 'missed'}")


@test
def loading(stage):
    page = stage.page(stage.server("--no-bots"))
    page.take_name("anna")
    match = page.start("clobber", opponent="both")
    page.devtools("Page.enable").devtools("Network.enable")
    page.devtools("Page.addScriptToEvaluateOnNewDocument", source=PLAYABLE)
    times = []
    for _ in range(LOADS):
        page.window.go("about:blank")
        page.devtools("Network.clearBrowserCache")
        page.window.go(f"{page.top}#/m/{match}")
        times.append(page.wait(TIMES))
    for what, column in zip(GOALS, zip(*times)):
        say(what, column)
    stage.checks.equal(len(times), LOADS, "loads")


@test
def moving(stage):
    white, black, _, _ = seated(stage, "xadrersi:touch")
    for page in (white, black):
        page.run(WATCH)
    times = []
    for ply, move in enumerate(MATCHES["xadrersi:touch"][0].split()):
        player, other = (white, black) if ply % 2 == 0 else (black, white)
        by_click(player.mine(ply), move)
        other.at(ply + 1).run("return new Promise(done => requestAnimationFrame(() => setTimeout(done)))")
        times.append(other.run("return seen") - player.run("return released"))
    stage.checks.check(min(times) > 0, "moves", times)
    say("from a click to the other page", times)


if __name__ == "__main__":
    print(f"load average {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")
    sys.exit(run_tests("web_bench", test))
