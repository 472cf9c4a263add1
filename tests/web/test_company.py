#!/usr/bin/env python3
"""The page in a browser, against and beside the other clients: terminal, netcat, bots.

usage: python3 tests/web/test_company.py BUILD_DIR [TEST...]
"""
import sys

sys.path.insert(1, sys.path[0] + "/../support")
import page as ways
from test_page import MATCHES
from harness import games_of
from web_stage import Tests, build_folder, run_tests
from terminal import Home, Terminal

test = Tests()


def moves_of(game):
    return enumerate(MATCHES[game][0].split())


@test
def terminal(stage):
    """The page is white, `ludus` is black; netcat watches in text format."""
    server = stage.server("--no-bots")
    page, watcher, home = stage.page(server).take_name("anna"), stage.peer(server), Home()
    match = page.start("shakti", opponent="friend", color="white")
    watcher.send("set format=text", f"watch {match}")
    client = Terminal(server.address, "--name", "carl", "--join", match, home=home)
    stage.peers.append(client)
    for ply, move in moves_of("shakti"):
        if ply % 2 == 0:
            ways.by_click(page.mine(ply), move)
        else:
            client.expect("your move\n").line(move)
        page.at(ply + 1)
    page.expect("You lost", "#status").expect("checkmated", "#status")
    client.expect("checkmate")
    text = watcher.buffer.decode()
    while "checkmate" not in text:
        text += watcher.socket.recv(65536).decode()
    stage.checks.check(all(move in text for _, move in moves_of("shakti")), "netcat saw every move", text[-500:])
    home.remove()


@test
def netcat(stage):
    """A person on netcat plays against the page, which moves by the keyboard alone."""
    server = stage.server("--no-bots")
    page, peer = stage.page(server).take_name("anna"), stage.peer(server, "bob")
    match = peer.ask("new latrunculi white=open black=me")["match"]
    page.go(f"#/m/{match}").tab_to('[data-action="join-white"]').press("enter")
    for ply, move in moves_of("latrunculi"):
        if ply % 2 == 0:
            ways.by_keys(page.mine(ply), move)
        else:
            stage.checks.equal(peer.ask(f"move {match} {move}")["type"], "ok", move)
        page.at(ply + 1)
    page.expect("You won", "#status").expect("immobilised", "#status")


@test
def only_the_keyboard(stage):
    """From the start page to the end of a match without a pointer."""
    page = stage.page(stage.server("--no-bots"))
    page.tab_to('.card[data-game="xadrersi"]').press("enter").there("#setup")
    page.tab_to('[name="opponent"]')
    while page.run("return document.activeElement.value") != "both":
        page.press("down")
    page.press("enter").there("#match")
    for ply, move in moves_of("xadrersi:touch"):
        page.mine(ply)
        color = ("white", "black")[ply % 2]
        page.tab_to(f'[data-seat="{color}"] [data-piece="{move[0]}"]').press("enter")
        ways.walk_to(page, move[2:])
        page.press("enter").at(ply + 1)
    page.expect("White wins", "#status")


@test
def bots(stage):
    """Every game against a bot, to the end; the page plays what its board offers first."""
    server = stage.server("--bots", "greedy")
    page, adviser = stage.page(server).take_name("anna"), stage.peer(server, "adviser")
    for game in games_of(build_folder()):
        match = page.start(game, opponent="bot", level="greedy", color="white")
        end_by_typing(page, adviser, match)
        stage.checks.check(page.text(".headline") in ("You won", "You lost", "A draw"), game)


def end_by_typing(page, adviser, match, most=400):
    """Types legal moves until a match is over, or resigns after a number of them."""
    for _ in range(most):
        reply = adviser.ask(f"moves {match}")
        if not reply["moves"]:
            break
        if reply["turn"] == "white":
            page.mine(reply["ply"]).run(
                "const line = document.querySelector('#move'); line.value = arguments[0]; line.form.requestSubmit()",
                reply["moves"][reply["ply"] % len(reply["moves"])])
        page.wait("const {ply, status} = document.querySelector('#match').dataset;"
                  "return Number(ply) > arguments[0] || status === 'over'", reply["ply"])
    else:
        page.click('[data-action="resign"]', '[data-action="resign"].sure')
    page.there('#match[data-status="over"]')


if __name__ == "__main__":
    sys.exit(run_tests("test_company", test))
