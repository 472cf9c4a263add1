#!/usr/bin/env python3
"""What a review teaches on the page: mistakes tried again, and better lines on the board.

usage: python3 tests/web/test_coach.py BUILD_DIR [TEST...]
"""
import json
import sys

sys.path.insert(1, sys.path[0] + "/../support")
from page import action, by_click
from test_looks import CUT, OVERFLOW, SMALL, THUMB
from web_stage import Tests, run_tests

test = Tests()
MOVES = "a2a1 b4b3 c2c3 b3c3 a4a3 b2b1 c4c3 b1a1".split()


def coach(name):
    return f'#coach [data-action="{name}"]'


def reviewed(stage):
    """Returns a page that shows the review of a match of others, what a peer is told of it, and the peer."""
    page = stage.page(stage.server("--bots", "random"))
    peer = stage.peer(page.server, "carol")
    match = peer.do("new clobber:3x4 white=me black=me")["match"]
    for move in MOVES:
        peer.do(f"move {match} {move}")
    rows = peer.ask(f"review {match}")["plies"]
    positions = peer.ask(f"record {match} positions=0")["positions"]
    page.go(f"#/m/{match}").there('[data-status="over"]').click(action("review")).there(".curve .chances").there("#coach")
    return page, peer, rows, positions


def marked(rows):
    return [ply for ply, row in enumerate(rows) if row["mark"]]


def judged(peer, rows, positions, ply):
    """Returns the legal moves of a position by their marks, without the one that was played and the best one."""
    legal = peer.ask(f"explain clobber position={positions[ply]}")["moves"]
    marks = {move: peer.ask(f"analyse clobber {move} position={positions[ply]}")["mark"] for move in legal}
    return {move: mark for move, mark in marks.items() if move not in (rows[ply]["move"], rows[ply]["best"])}


def pieces(position):
    """Returns the squares of the pieces in a position, as Page.board() tells them."""
    board, rows = {}, position.split(" ")[0].split("/")
    for rank, row in enumerate(rows):
        file = 0
        for cell in row:
            if cell.isdigit():
                file += int(cell)
                continue
            board[f"{'abcdefghij'[file]}{len(rows) - rank}"] = ("white " if cell.isupper() else "black ") + "stone"
            file += 1
    return board


@test
def retrying(stage):
    """The answer is hidden until it is found or asked for; what was played, what loses as well and what is illegal is refused."""
    page, peer, rows, positions = reviewed(stage)
    mistakes = marked(rows)
    ply = mistakes[0]
    row = rows[ply]
    page.there('#coach[data-state="told"]').there(".better[data-shape]").expect(f"{row['best']} was better", "#status").expect(f"it {row['why']}.", "#status")
    page.click(coach("retry")).there('#coach[data-state="asked"]').gone(".better[data-shape]")
    mover = "White" if positions[ply].endswith(" w") else "Black"
    page.expect(f"{mover} played {row['move']}: find a better move.", "#coach")
    stage.checks.check(row["best"] not in page.text("#coach") + page.text("#status"), "the answer is hidden")
    stage.checks.equal(page.board(), pieces(positions[ply]), "the position before the mistake")
    by_click(page, row["move"])
    page.expect(f"{row['move']} is the move that was played.", "#tried")
    others = judged(peer, rows, positions, ply)
    for move, mark in others.items():
        if mark:
            by_click(page, move)
            page.expect(f"{move} is {'a mistake' if mark == '?' else 'a blunder'}, too. Try again.", "#tried")
            stage.checks.equal(page.board(), pieces(positions[ply]), "it is taken back")
            break
    stage.checks.check(any(others.values()), "there is another mistake", others)
    by_click(page, row["best"])
    page.there('#coach[data-state="found"]').expect(f"Right: {row['best']}, which {row['why']}.", "#tried")
    after = peer.ask(f"explain clobber {row['best']} position={positions[ply]}")["position"]
    stage.checks.equal(page.board(), pieces(after), "the better move is on the board")
    page.click(coach("next-mistake")).there('#coach[data-state="asked"]').expect(f"played {rows[mistakes[1]]['move']}", "#coach")
    page.click(coach("answer")).there('#coach[data-state="told"]').expect(f"{rows[mistakes[1]]['best']} was better", "#status").there(".better[data-shape]")
    page.press("left").there("#match")
    stage.checks.equal(page.board(), pieces(positions[mistakes[1]]), "a step shows the match")


@test
def as_good(stage):
    """A move that keeps the result is taken, though the review prefers another one."""
    page, peer, rows, positions = reviewed(stage)
    for ply in marked(rows):
        good = [move for move, mark in judged(peer, rows, positions, ply).items() if not mark]
        if good:
            break
    else:
        stage.checks.check(False, "there is such a move")
        return
    page.click(f'#moves [data-ply="{ply + 1}"]').click(coach("retry")).there('#coach[data-state="asked"]')
    by_click(page, good[0])
    page.there('#coach[data-state="found"]').expect(f"{good[0]} is good, too. The review prefers {rows[ply]['best']}", "#tried")


@test
def own_mistakes(stage):
    """One's own mistakes are tried again before the answer is told, those of the other side are told."""
    page = stage.page(stage.server("--bots", "random"))
    peers = [stage.peer(page.server, name) for name in ("carol", "dave")]
    match = peers[0].do("new clobber:3x4 white=me black=dave")["match"]
    peers[1].do(f"join {match} black")
    for ply, move in enumerate(MOVES):
        peers[ply % 2].wait_for("state", match=match, ply=ply)
        peers[ply % 2].do(f"move {match} {move}")
    page.run("localStorage.setItem('ludus.player', JSON.stringify({name: 'carol', token: arguments[0]}))", peers[0].token)
    page.window.go("about:blank")
    page.go(f"#/m/{match}").there('[data-status="over"]').click(action("review")).there(".curve .chances").there("#coach")
    mistakes = marked(peers[1].ask(f"review {match}")["plies"])
    page.expect("? is a mistake, ?? a blunder.", "#legend")
    for i, ply in enumerate(mistakes):
        asked = ply % 2 == 0 or any(before % 2 == 0 for before in mistakes[:i])
        page.there(f'#coach[data-state="{"asked" if asked else "told"}"]').expect(f"{'You' if ply % 2 == 0 else 'Black'} played {MOVES[ply]}: find" if asked else f"of {'White' if ply % 2 == 0 else 'Black'}: ", ".side")
        page.click('[data-step="mistake"]')
    stage.checks.check(any(ply % 2 == 0 for ply in mistakes), "there is one")


@test
def better_line(stage):
    """The better line is stepped through by clicks and keys, to its end and back to the match."""
    page, peer, rows, positions = reviewed(stage)
    ply = marked(rows)[0]
    line, position = rows[ply]["pv"], positions[ply]
    after = [position := peer.ask(f"explain clobber {move} position={position}")["position"] for move in line]
    page.click(coach("better")).expect(f"The better line, move 1 of {len(line)}.", "#coach")
    stage.checks.equal(page.board(), pieces(after[0]), "its first move")
    page.press("right").expect("move 2 of", "#coach")
    stage.checks.equal(page.board(), pieces(after[1]), "its second move")
    page.click(f'#coach [data-line="{len(line) - 1}"]').expect(f"move {len(line)} of {len(line)}", "#coach")
    stage.checks.equal(page.board(), pieces(after[-1]), "its last move")
    page.press("right", "home").expect("move 1 of", "#coach").press("left").there('#coach[data-state="told"]')
    stage.checks.equal(page.board(), pieces(positions[ply + 1]), "the match again")
    page.tab_to(coach("better")).press("enter").there('#coach[data-state="line"]').tab_to(coach("stop")).press("enter").there('#coach[data-state="told"]')


@test
def lost_once(stage):
    """From where on a side is lost is said there, and nowhere else."""
    page, peer, rows, positions = reviewed(stage)
    sign = 1 if rows[-1]["eval_cp"] > 0 else -1
    first = max(ply for ply, row in enumerate(rows) if row["eval_cp"] * sign < 29000) + 1
    said = []
    for ply in range(1, len(rows)):
        page.click(f'#moves [data-ply="{ply}"]').there(f'#moves [data-ply="{ply}"][aria-current]')
        said += [ply] if f"From here on {'Black' if sign > 0 else 'White'} is lost." in page.text("#status") else []
    stage.checks.equal(said, [first], f"of {json.dumps([row['eval_cp'] for row in rows])}")


@test
def looks(stage):
    """On the smallest phone, in the dark, nothing sticks out, is cut, or is too small for a thumb."""
    page = reviewed(stage)[0]
    page.screen(320, 640, True).prefer(color_scheme="dark")
    for name, state in (("retry", "asked"), ("answer", "told"), ("better", "line")):
        page.click(coach(name)).there(f'#coach[data-state="{state}"]')
        stage.checks.equal([page.run(OVERFLOW)[:5], page.run(CUT)[:5], page.run(SMALL, THUMB, 0)[:5]], [[], [], []], state)


if __name__ == "__main__":
    sys.exit(run_tests("test_coach", test))
