#!/usr/bin/env python3
"""The page in a browser: what players do beside moving.

usage: python3 tests/web/test_deeds.py BUILD_DIR [TEST...]
"""
import contextlib
import os
import sqlite3
import sys
import time

from page import action, by_click, by_drag, by_typing, square
from web_stage import Tests, run_tests

test = Tests()


@test
def a_wrong_move(stage):
    """The page shows the server's sentence, and plays on."""
    server = stage.server("--no-bots")
    page, peer = stage.page(server), stage.peer(server)
    page.start("latrunculi", opponent="both")
    match = peer.ask("new latrunculi white=me black=me")["match"]
    for way, move in ((by_click, "a1b3"), (by_drag, "e2e8"), (by_typing, "a8a7")):
        reply = peer.ask(f"move {match} {move}")
        stage.checks.equal(reply["code"], "illegal-move", move)
        way(page.mine(0), move)
        page.expect(reply["message"][1:], "#problem")
    by_typing(page, "nonsense")
    page.expect(peer.ask(f"move {match} nonsense")["message"][1:], "#problem")
    before = page.board()
    by_drag(page, "a1a3")
    page.mine(1).gone("#problem")
    stage.checks.equal(page.board(), {**{k: v for k, v in before.items() if k != "a1"}, "a3": "white soldier"}, "board")


@test
def a_wrong_placement(stage):
    server = stage.server("--no-bots")
    page, peer = stage.page(server), stage.peer(server)
    page.start("xadrersi", opponent="both", variant="touch")
    match = peer.ask("new xadrersi:touch white=me black=me")["match"]
    by_click(page, "K@d4")
    peer.ask(f"move {match} K@d4")
    page.mine(1)
    said = peer.ask(f"move {match} Q@h8")["message"]
    page.click('[data-seat="black"] [data-piece="Q"]', square("h8")).expect(said[1:], "#problem")
    page.drag("mouse", '[data-seat="black"] [data-piece="Q"]', square("d5"))
    page.mine(2)
    stage.checks.equal(page.board(), {"d4": "white king", "d5": "black queen"}, "board")


@test
def reviewing(stage):
    """A match that is over is judged move by move, with a curve."""
    anna, bob = stage.pair("--bots", "random")
    anna.start("clobber", opponent="both", variant="4x5")
    for ply, move in enumerate("b1a1 b2a2 d1c1".split()):
        by_typing(anna.mine(ply), move)
    anna.mine(3).surely("resign").there('[data-status="over"]').click(action("review"))
    anna.there(".curve .chances").gone(action("review"))
    anna.expect("White’s chances: ", "#status").click('#moves [data-ply="2"]').expect("White’s chances: ", "#status")
    marks = anna.run("return [...document.querySelectorAll('#moves .move')].map(b => b.textContent.replace(/^[a-d0-9]+/, ''))")
    stage.checks.check(len(marks) == 3 and set(marks) <= {"", "?", "??"}, "marks", marks)


@test
def mistakes(stage):
    """A review begins at the first mistake, with the better move on the board; the next one comes by button, key or curve."""
    page = stage.page(stage.server("--bots", "random"))
    peer = stage.peer(page.server, "carol")
    match = peer.do("new clobber:3x4 white=me black=me")["match"]
    for move in "a2a1 b4b3 c2c3 b3c3 a4a3 b2b1 c4c3 b1a1".split():
        peer.do(f"move {match} {move}")
    page.go(f"#/m/{match}").there('[data-status="over"]').click(action("review")).there(".curve .chances")
    marked = [int(ply) for ply in page.run("return [...document.querySelectorAll('#moves .move')].filter(b => /[?]/.test(b.textContent)).map(b => b.dataset.ply)")]
    stage.checks.check(len(marked) > 1, "mistakes of", marked)
    for step in (None, "button", "key", "curve"):
        if step == "button":
            page.click('[data-step="mistake"]')
        elif step == "key":
            page.press("m")
        elif step == "curve":
            page.press("home").there('[data-step="first"]:disabled')
            page.run("const curve = document.querySelector('.curve'), { left, top, width } = curve.getBoundingClientRect();"
                     f"curve.dispatchEvent(new MouseEvent('click', {{ bubbles: true, clientX: left + width * {marked[0]} / 8, clientY: top + 5 }}))")
        count = {None: 0, "button": 1, "key": 2, "curve": 0}[step]
        ply = marked[count % len(marked)]
        page.there(f'#moves [data-ply="{ply}"][aria-current]' if ply < 8 else '[data-step="latest"]:disabled').there(".better[data-shape]")
    stage.checks.check(page.run("return location.hash").startswith("#/m/"), "address", page.run("return location.hash"))


@test
def address_of_a_move(stage):
    """The address follows the steps, and opens at that move."""
    anna, bob = stage.pair("--no-bots")
    anna.start("clobber", opponent="both", variant="4x5")
    for ply, move in enumerate("b1a1 b2a2 d1c1".split()):
        by_typing(anna.mine(ply), move)
    anna.mine(3)
    link = anna.run("return location.hash")
    anna.click('[data-step="back"]').there('#moves [data-ply="2"][aria-current]')
    stage.checks.equal(anna.run("return location.hash"), f"{link}/2", "address after a step")
    bob.go(f"{link}/1").there('#moves [data-ply="1"][aria-current]').expect("You are looking at move 1 of 3", "#status")
    bob.click('[data-step="latest"]').there('[data-step="latest"]:disabled')
    stage.checks.equal(bob.run("return location.hash"), link, "address of the latest")
    bob.go(f"{link}/99").there('#moves [data-ply="3"][aria-current]')


@test
def a_draw(stage):
    anna, bob = stage.met("xadrersi", "K@d4 Q@d5")
    anna.click(action("draw")).expect("You", '[data-offer="draw"]')
    bob.expect("anna", '[data-offer="draw"]').click(action("refuse"))
    anna.gone('[data-offer="draw"]').click(action("draw"))
    bob.click(action("accept"))
    for page in (anna, bob):
        page.expect("A draw", "#status")


@test
def a_move_back(stage):
    anna, bob = stage.met("clobber", "a2a1")
    before = anna.board()
    by_click(bob, "b2b1")
    bob.at(2).click(action("undo"))
    anna.expect("bob", '[data-offer="undo"]').click(action("accept"))
    for page in (anna, bob):
        page.at(1)
        stage.checks.equal(page.board(), before, "board after taking back")
    by_click(bob, "b2b3")
    anna.mine(2)


@test
def resigning_and_a_rematch(stage):
    anna, bob = stage.met("shakti", "f2d4 f6f4")
    match = anna.match()
    anna.click(action("resign")).expect("Really resign?", "#actions")
    anna.click(action("resign")).expect("You lost", "#status").expect("resigned", "#status")
    bob.expect("You won", "#status").click(action("rematch")).expect("You", '[data-offer="rematch"]')
    anna.expect("bob", '[data-offer="rematch"]').click(action("accept"))
    by_click(bob.mine(0), "d2d3")
    anna.mine(1)
    stage.checks.check(anna.match() == bob.match() != match, "a new match")
    stage.checks.equal(anna.run("return document.querySelector('#seat-near').dataset.seat"), "black", "her colour")


@test
def breaking_off(stage):
    anna, bob = stage.met()
    anna.surely("abort")
    for page in (anna, bob):
        page.expect("Broken off", "#status")


@test
def chatting(stage):
    anna, bob = stage.met()
    watcher = stage.peer(anna.server, "carla")
    watcher.ask(f"watch {anna.match()}")
    lines = ["hello", "<img src=x onerror=alert(1)> & <b>", "ä ß 漢 🙂", "a" * 200]
    for text in lines:
        anna.click("#say").run("document.querySelector('#say').value = arguments[0]", text)
        anna.press("enter").expect(text, "#chat-lines").wait("return document.querySelector('#say').value === ''")
        bob.expect(text, "#chat-lines")
        stage.checks.equal(watcher.wait_for("chat")["text"], text, "as netcat sees it")
    stage.checks.equal(bob.run("return document.querySelectorAll('#chat-lines img, #chat-lines b').length"), 0,
                       "text is never taken for elements")


@test
def rooms(stage):
    """Players talk undisturbed; watchers have a room of their own, which players can read when the match is over."""
    anna, bob = stage.met()
    match = anna.match()
    carla, dora = stage.page(anna.server).take_name("carla"), stage.peer(anna.server, "dora")
    dora.do(f"watch {match}")
    anna.write("#say", "good luck").press("enter")
    bob.expect("anna good luck", "#chat-lines")
    carla.go(f"#/m/{match}").there('[data-room="watchers"][aria-pressed="true"]').write("#say", "psst").press("enter")
    carla.expect("carla psst", "#chat-lines")
    stage.checks.equal(dora.wait_for("chat", to="watchers")["text"], "psst", "other watchers hear it")
    carla.click('[data-room="players"]').expect("anna good luck", "#chat-lines").gone("#say")
    dora.do(f"say {match} a2a1!")
    carla.expect("1", '[data-room="watchers"] .unread').click('[data-room="watchers"]').expect("dora a2a1!", "#chat-lines").gone(".unread")
    bob.write("#say", "thanks").press("enter")
    anna.expect("bob thanks", "#chat-lines")
    stage.checks.check("a2a1!" not in anna.text("#chat") and "psst" not in bob.text("#chat"), "players hear none of it")
    for page in (anna, carla):
        page.window.post("refresh")
        page.expect("anna good luck\nbob thanks" if page is anna else "carla psst\ndora a2a1!", "#chat-lines")
        stage.checks.equal(page.run("return document.querySelectorAll('#chat-lines li').length"), 2, "after a reload")
    dora.do(f"say {match} one more")
    carla.expect("one more", "#chat-lines").click('[data-action="mute"]').gone("#chat-lines").gone("#say")
    carla.window.post("refresh")
    carla.there('[data-action="mute"][aria-pressed="true"]').gone("#chat-lines").click('[data-action="mute"]').expect("one more", "#chat-lines")
    anna.surely("abort").there('#match[data-status="over"]')
    dora.do(f"say {match} well played")
    anna.expect("1", '[data-room="watchers"] .unread').click('[data-room="watchers"]').expect("dora well played", "#chat-lines")


@test
def words_out_of_sight(stage):
    """On a phone the chat is below the board: a badge counts what was said there."""
    anna, bob = stage.met()
    anna.screen(390, 844, phone=True).run("scrollTo(0, 0)")
    for text in ("one", "two"):
        bob.write("#say", text).press("enter").expect(text, "#chat-lines")
    anna.expect("2", "#unread").click("#unread").gone("#unread").plain()


@test
def claiming(stage):
    """A page may claim the win against a player who is gone for longer than the grace time."""
    server = stage.server("--no-bots", "--grace", "1")
    page, peer = stage.page(server), stage.peer(server, "bob")
    page.take_name("anna")
    match = page.start("clobber", opponent="friend", color="white")
    peer.ask(f"join {match}")
    by_click(page.mine(0), "a2a1")
    page.at(1)
    peer.close()
    page.expect("bob is gone", '[data-offer="claim"]').click(action("claim"))
    page.expect("You won", "#status").expect("left the match", "#status")


@test
def claiming_from_one_who_does_not_move(stage):
    """Where no clock runs, both are told in time, and the win may be claimed."""
    data = stage.folder()
    server = stage.server("--no-bots", "--data", data, "--stall", "20", "--grace", "86400")
    page, peer = stage.page(server), stage.peer(server, "bob")
    page.take_name("anna")
    mine, theirs = (page.start("clobber", opponent="friend", color=color) for color in ("white", "black"))
    for match in (mine, theirs):
        peer.ask(f"join {match}")
    for days, said in ((15, "bob has not moved for long. You may claim the win in 5 days."), (21, "bob has not moved for long.")):
        server.stop()
        with contextlib.closing(sqlite3.connect(os.path.join(data, "ludus.db"))) as database, database:
            database.execute("UPDATE match SET changed_s = ?", (int(time.time() - days * 86400) + 60,))
        server.again()
        stage.peer(server).ask(f"hello bob token={peer.token}")
        page.here().go(f"#/m/{theirs}").expect(said, '[data-offer="claim"]')
    page.click(action("claim"))
    page.expect("You won", "#status")
    page.go(f"#/m/{mine}").expect("It is your move for long. bob may claim the win now.", '[data-offer="claim"]').gone(action("claim"))
    stage.quiet(page, but=r"ERR_CONNECTION_REFUSED")


if __name__ == "__main__":
    sys.exit(run_tests("test_deeds", test))
