"""Bots on a server."""
import os
import random
import re
import signal
import sys

sys.dont_write_bytecode = True
sys.path.insert(1, sys.path[0] + "/../support")
from bots import Bot, play_on, wait_for_player
from harness import Checks, Server, build_folder, kept_token, wait_until


def challenges(t):
    with Server(build_folder(), "--no-bots", checks=t) as server, \
            Bot(server.address, "--name", "gus", "--level", "random") as bot:
        anna = server.connect("anna")
        wait_for_player(anna, "gus")
        t.equal([p["bot"] for p in anna.ask("who")["players"] if p["name"] == "gus"], [True],
                "it says that it is a bot")
        match = anna.ask("new clobber black=gus")["match"]
        state = anna.wait_for("state", match=match, status="playing")
        state = play_on(anna, match, state)
        t.equal(state["reason"], "no-moves", "a challenge is accepted and played")
        anna.ask(f"rematch {match}")
        follow = anna.wait_for("rematch", match=match)["new"]
        state = anna.wait_for("state", match=follow, status="playing")
        t.equal(state["players"]["white"]["name"], "gus", "a rematch, with colours swapped")
        t.equal(play_on(anna, follow, state)["reason"], "no-moves", "and it is played")
        bot.process.send_signal(signal.SIGTERM)
        shown = bot.end()[1]
        t.check(re.search(r"^connected to \S+ as gus$", shown, re.M), "tells who it is", shown)
        token = kept_token(server.address, "gus")
        t.check("token" not in shown, "does not tell its token", shown)
        t.equal(server.connect().ask(f"hello gus token={token}")["name"], "gus", "keeps it")
        t.check(f"match {match}: clobber, playing black\n" in shown, "tells of a match", shown)
        t.check(re.search(rf"^match {match}: over, [01]-[01] no-moves$", shown, re.M),
                "tells of its end", shown)
        anna.close()


def thoughts(t):
    """What our bots think of their moves is in the record, once the match is over."""
    with Server(build_folder(), "--bots", "greedy,easy,random", checks=t) as server:
        anna = server.connect("anna")
        for white, black in (("easy", "greedy"), ("random", "greedy")):
            match = anna.ask(f"new clobber:4x4 white=bot:{white} black=bot:{black}")["match"]
            anna.wait_for("state", match=match, status="over")
            record = anna.ask(f"record {match}")
            for side, level in enumerate((white, black)):
                evals, pvs, moves = record["evals"][side::2], record["pvs"][side::2], record["moves"][side::2]
                if level == "random":
                    t.check(not any(evals) and not any(pvs), "random thinks nothing", record)
                    continue
                t.check(None not in evals and all(pv[0] == move for pv, move in zip(pvs, moves)), f"what {level} thought", record)
        t.equal(abs(record["evals"][-1] or 30000) > 20000, True, "the last move wins")
        anna.close()


# Draw offers to the bot, which is black and clearly better, worse or equal, a little worse, or in a game without draws.
# White moves.
DRAWS = [
    ("latrunculi", "ssssssss/3d4/8/8/8/8/4D3/4S3 w 0", "decline"),
    ("latrunculi", "3s4/3d4/8/8/8/8/4D3/SSSSSSSS w 0", "draw-agreed"),
    ("clobber", "pP1pP w", "decline"),
    ("clobber", "pP3/5/PpP2/3pP w", "decline"),
    ("shakti", "*5*/1w1k1w1/7/7/7/3K3/*5* w 0", "decline"),
    ("shakti", "*5*/3k3/7/7/7/1W1K1W1/*5* w 0", "draw-agreed"),
    ("xadrersi", None, "decline"),
    ("shakti", "*5*/1w1k1w1/7/3W3/7/1W1K3/*5* w 0", "decline"),
]


def draws(t):
    with Server(build_folder(), "--bots", "greedy", checks=t) as server:
        anna = server.connect("anna")
        for game, position, answer in DRAWS:
            words = f" position={position}" if position else ""
            match = anna.ask(f"new {game} black=bot:greedy{words}")["match"]
            anna.send(f"draw {match}")
            if answer == "decline":
                event = anna.wait_for("offer", match=match, open=False)
                t.equal(event and event["what"], "draw", f"{game}: a draw is answered")
                t.equal(anna.ask(f"state {match}")["status"], "playing", f"{game}: declined")
                anna.ask(f"resign {match}")
            else:
                state = anna.wait_for("state", match=match, status="over")
                t.equal(state["reason"], answer, f"{game}: a draw is accepted")
        anna.close()


def draws_by_search(t):
    """On the board both are equal, but the bot has seen that it is mated: it takes the draw."""
    with Server(build_folder(), "--bots", "hard", checks=t) as server:
        anna = server.connect("anna")
        match = anna.ask("new shakti black=bot:hard position=*5*/2*W1k1/1*w2*1/3W*2/1*5/7/*1K2w* w 0")["match"]
        anna.wait_for("state", match=match, status="playing")
        anna.send(f"move {match} d4f4")
        anna.wait_for("state", match=match, ply=2)
        anna.send(f"draw {match}")
        t.equal(anna.wait_for("state", match=match, status="over")["reason"], "draw-agreed", "a lost match ends as a draw")


def anchored(t):
    """No match moves the rating of a house bot that has an anchor; those of others move by it."""
    with Server(build_folder(), "--bots", "greedy,max", checks=t) as server:
        anna = server.connect("anna")
        for level, fixed in (("greedy", True), ("max", False)):
            match = anna.ask(f"new clobber:5x6 black=bot:{level} clock=60+0 rated=yes")["match"]
            state = anna.wait_for("state", match=match, ply=0)
            before = state["players"]["black"]
            anna.send(f"move {match} {state['legal'][0]}")
            anna.wait_for("state", match=match, ply=2)
            anna.send(f"resign {match}")
            players = anna.wait_for("state", match=match, status="over")["players"]
            after = players["black"]
            if fixed:
                t.equal((before["rating"], before["rating_deviation"]), (1000, 20), "greedy has its anchor before its first match")
                t.equal((after["rating"], after["rating_deviation"]), (1000, 20), "and after it")
                t.check(players["white"]["rating"] < 1400 and players["white"]["rating_deviation"] < 350, "its opponent is rated", players)
                t.equal([(row["name"], row["rating"]) for row in anna.ask("top clobber:5x6")["players"] if row["bot"]],
                        [("bot:greedy", 1000)], "the list has it, too")
            else:
                t.check(before["rating"] == 1500 and after["rating"] > 1500, "what takes a second is rated as everybody", players)


def undo(t):
    with Server(build_folder(), "--bots", "greedy", checks=t) as server:
        anna = server.connect("anna")
        rated = anna.ask("new clobber:4x5 black=bot:greedy rated=yes")["match"]
        anna.send(f"move {rated} {anna.wait_for('state', match=rated, ply=0)['legal'][0]}")
        anna.wait_for("state", match=rated, ply=2)
        anna.send(f"undo {rated}")
        t.equal(anna.wait_for("offer", match=rated, open=False)["what"], "undo", "no move of a rated match is taken back")
        t.equal(anna.ask(f"state {rated}")["ply"], 2, "the moves stand")
        match = anna.ask("new clobber:4x5 black=bot:greedy rated=no")["match"]
        state = anna.wait_for("state", match=match, ply=0)
        first = state["legal"][0]
        anna.send(f"move {match} {first}")
        anna.wait_for("state", match=match, ply=2)
        anna.send(f"undo {match}")
        state = anna.wait_for("state", match=match, ply=0)
        t.equal(state["turn"], "white", "the last two plies are taken back")
        anna.send(f"move {match} {state['legal'][1]}")
        state = anna.wait_for("state", match=match, ply=2)
        t.equal(play_on(anna, match, state)["reason"], "no-moves", "and play goes on")
        anna.close()


def undo_while_it_thinks(t):
    """The bot answers a take-back and a draw offer at once, not after the minute that its move takes."""
    with Server(build_folder(), "--bots", "max", checks=t) as server:
        anna = server.connect("anna")
        match = anna.ask("new clobber:10x10 black=bot:max clock=3600 rated=no")["match"]
        state = anna.wait_for("state", match=match, ply=0)
        anna.send(f"move {match} {state['legal'][0]}")
        anna.wait_for("state", match=match, ply=1)
        anna.send(f"undo {match}")
        state = anna.wait_for("state", match=match)
        t.equal(state["ply"], 0, "the take-back does not wait for the move")
        anna.send(f"move {match} {state['legal'][1]}")
        anna.wait_for("state", match=match, ply=1)
        anna.send(f"draw {match}")
        message = {}
        while message.get("open") is not False and message.get("status") != "over" \
                and message.get("ply") != 2:
            message = anna.read()
        t.check(message.get("ply") != 2, "a draw is answered before the move", message)
        anna.close()


def many_clocks(t):
    """One bot in fifty matches at once loses none on time."""
    with Server(build_folder(), "--bots", "random,max", checks=t) as server:
        anna = server.connect("anna")
        anna.send("set legal=off")
        matches = []
        for i in range(50):
            white, black = ["max", "random"] if i % 2 else ["random", "max"]
            reply = anna.ask(f"new clobber:4x5 white=bot:{white} black=bot:{black} clock=20+0")
            matches.append(reply["match"])
        reasons = {}

        def all_over():
            for match in set(matches) - set(reasons):
                reason = anna.ask(f"record {match}")["reason"]
                if reason is not None:
                    reasons[match] = reason
            return len(reasons) == len(matches)

        wait_until(all_over, "50 matches at once come to their ends")
        t.equal(set(reasons.values()), {"no-moves"}, "how they end")
        anna.close()


def many_matches(t):
    games = ["clobber", "xadrersi:touch", "xadrersi:attack", "latrunculi", "shakti"]
    with Server(build_folder(), checks=t) as server:
        anna = server.connect("anna")
        anna.send("set legal=off")
        greedy_white, results = {}, {}
        for i in range(60):
            white, black = ["greedy", "random"] if i % 2 else ["random", "greedy"]
            reply = anna.ask(f"new {games[i % 5]} white=bot:{white} black=bot:{black}")
            greedy_white[reply["match"]] = white == "greedy"

        def all_over():
            for match in set(greedy_white) - set(results):
                record = anna.ask(f"record {match}")
                if record["reason"] is not None:
                    results[match] = record["result"]
            return len(results) == len(greedy_white)

        wait_until(all_over, "60 matches at once come to their ends")
        won = sum(results[match] == ("1-0" if greedy_white[match] else "0-1") for match in results)
        t.check(won >= 50, "greedy beats random", f"{won} of 60")
        t.equal(anna.ask("stats")["errors_total"], 0, "no command was refused")
        anna.close()


def killed_in_mid_match(t):
    with Server(build_folder(), "--bots", "greedy", checks=t) as server:
        anna = server.connect("anna")
        match = anna.ask("new shakti black=bot:greedy")["match"]
        state = anna.wait_for("state", match=match, ply=0)
        child = server.children()["greedy"]
        anna.send(f"move {match} {state['legal'][0]}")
        state = anna.wait_for("state", match=match, ply=2)
        os.kill(child, signal.SIGKILL)
        t.check(anna.wait_for("presence", match=match, online=False), "it is gone")
        anna.send(f"move {match} {state['legal'][0]}")
        state = anna.wait_for("state", match=match, ply=4)
        t.check(state, "the next one plays on")
        t.check(server.children()["greedy"] != child, "another process")
        for ply in range(4, 200, 2):  # random moves, because the first legal one may repeat for ever
            if state["status"] == "over":
                break
            anna.send(f"move {match} {random.choice(state['legal'])} ply={ply}")
            while state["status"] != "over" and state["ply"] < ply + 2:
                state = anna.wait_for("state", match=match)
        if state["status"] != "over":
            anna.send(f"resign {match}")
            state = anna.wait_for("state", match=match, status="over")
        t.equal(state["status"], "over", "the match ends")
        anna.close()


def stopped(t):
    """House bots that ignore SIGTERM do not delay the server's exit."""
    with Server(build_folder(), "--bots", "random,greedy", checks=t) as server:
        seen = []
        wait_until(lambda: seen.append(server.children()) or len(seen[-1]) == 2, "the house bots")
        children = seen[-1]
        for child in children.values():
            os.kill(child, signal.SIGSTOP)
    for level, child in children.items():
        t.check(not os.path.exists(f"/proc/{child}"), f"{level} is gone")


def options(t):
    with Server(build_folder(), "--no-bots", "--code", "sesame", checks=t) as server:
        anna = server.connect()
        anna.ask("hello anna code=sesame")
        match = anna.ask("new clobber:3x3 white=me black=open")["match"]
        with Bot(server.address, "--name", "gus", "--code", "sesame", "--join", match,
                 "--level", "hard", "--threads", "2"):
            state = anna.wait_for("state", match=match, status="playing")
            t.equal(state["players"]["black"]["name"], "gus", "--join")
            play_on(anna, match, state)
        for words, error in [
                (["--name", "bob"], f"{server.address}: join code required: "
                                    "hello NAME code=CODE"),
                (["--name", "bob", "--code", "x"],
                 f"{server.address}: wrong join code"),
                (["--name", "anna", "--code", "sesame"], "anna: name taken: choose another"),
                (["--name", "anna", "--code", "sesame", "--token", "x"],
                 "anna: name taken: choose another"),
                (["--name", "bob", "--code", "sesame", "--join", "99"],
                 "join: unknown match '99'"),
                ([], f"{server.address}: this server wants a join code: give --name and --code")]:
            with Bot(server.address, *words) as bot:
                code, _, errors = bot.end()
                t.check(code == 1 and errors.startswith(f"ludus-bot: {error}"), f"{words}",
                        (code, errors))
        anna.close()
    for words, error in [
            (["-xy"], "-x: unknown option: see --help"),
            (["-\xe9\xe9"], "-?: unknown option: see --help"),
            (["--connect", ""], "--connect: value missing: HOST:PORT"),
            (["--token", ""], "--token: value missing: "),
            (["--token", "x"], "--token: a token belongs to a name: give --name"),
            (["--token-file", "x"], "--token-file: a token belongs to a name: give --name"),
            (["--name", "b b"], "--name: 'b b' is not one word of at most 24 bytes"),
            (["--seek", "chess"], "--seek: unknown game 'chess'"),
            (["--clock", "60+1"], "--clock: give --seek, too"),
            (["--seek", "shakti", "--clock", "x"], "--clock: "),
            (["--tournament", "1"], "--tournament: guests cannot take part: give --name"),
            (["--accept-games", "shakti,chess"], "--accept-games: unknown game 'chess'"),
            (["--accept-clocks", "none,x"], "--accept-clocks: "),
            (["--opponents", "list"], "--opponents: 'list' is not allow:FILE or block:FILE"),
            (["--config", "/nonexistent"], "--config: /nonexistent: No such file or directory"),
            (["--name", "bob\nquit"], "--name: control characters")]:
        with Bot(server.address, *words) as bot:
            code, shown, errors = bot.end()
            t.check((code, shown, errors.count("\n")) == (2, "", 1) and
                    errors.startswith(f"ludus-bot: {error}"), f"{words}", errors)
    with Bot(server.address, "--threads", "0") as bot:
        t.equal(bot.end(), (2, "", "ludus-bot: --threads: invalid value '0': write a number from 1 to 16\n"),
                "no threads")
    with Bot(server.address, "--name", "gus", "--retry", "0") as bot:
        t.equal(bot.end(), (1, "", f"ludus-bot: {server.address}: Connection refused\n"),
                "nobody listens")
    with Bot(server.address) as bot:
        t.equal(bot.end(), (1, "", f"ludus-bot: {server.address}: Connection refused\n"),
                "a guest does not wait")


def kicked(t):
    """A bot that loses its seat says so, and may play other matches with it."""
    with Server(build_folder(), "--no-bots", checks=t) as server:
        anna = server.connect("anna")
        match = anna.ask("new clobber white=me black=open")["match"]
        with Bot(server.address, "--name", "gus", "--join", match, "--max-matches", "1") as bot:
            anna.wait_for("state", match=match, status="playing")
            anna.ask(f"kick {match}")
            anna.wait_for("state", match=match, status="open")
            other = anna.ask("new clobber black=gus")["match"]
            t.equal(anna.wait_for("state", match=other, status="playing")["status"], "playing", "it plays on")
            bot.process.send_signal(signal.SIGINT)
            bot.process.send_signal(signal.SIGINT)
            t.check(f"match {match}: the seat was freed\n" in bot.end()[1], "it says so")


def meets_by_seeking(t):
    """Two bots seek, the server pairs them again and again; a real server declines with reasons."""
    with Server(build_folder(), "--no-bots", checks=t) as server:
        anna = server.connect("anna")
        words = ["--level", "random", "--seek", "clobber:3x3", "--clock", "60+1", "--accept-games", "shakti"]
        with Bot(server.address, "--name", "gus", *words), Bot(server.address, "--name", "hal", *words):
            wait_until(lambda: anna.ask("history gus").get("total", 0) >= 3, "three matches in a row")
            players = {match[color] for match in anna.ask("history gus")["matches"] for color in ("white", "black")}
            t.equal(players, {"gus", "hal"}, "of these two")
            match = anna.ask("new latrunculi black=gus")["match"]
            t.equal(anna.wait_for("declined")["reason"], "game", "the challenger hears why")
            t.equal(anna.wait_for("state", match=match, status="over")["reason"], "aborted", "and it is over")


def seeks_on(t):
    """A bot that seeks goes on to the next opponent when one never moves, or leaves."""
    for first_move, reason in (("1", "aborted"), ("0", "forfeit")):
        seeks_on_after(t, first_move, reason)


def seeks_on_after(t, first_move, reason):
    with Server(build_folder(), "--no-bots", "--grace", "1", checks=t) as server, \
            Bot(server.address, "--name", "gus", "--level", "random", "--seek", "clobber:4x4", "--first-move", first_move):
        reasons = []
        moves = reason == "forfeit"
        for name in ("anna", "bob"):
            peer = server.connect(name)
            peer.ask("seek clobber:4x4")
            match = peer.wait_for("paired")["match"]
            state = peer.wait_for("state", match=match, status="playing")
            while moves and state["ply"] < 3:
                if "legal" in state:
                    peer.send(f"move {match} {state['legal'][0]} ply={state['ply']}")
                state = peer.wait_for("state", match=match)
            if moves:
                peer.close()
                peer = server.connect()
            wait_until(lambda: peer.ask(f"state {match}")["status"] == "over", f"{name}'s match ends")
            reasons.append(peer.ask(f"state {match}")["reason"])
        t.equal(reasons, [reason] * 2, "how they end")


def tournament(t):
    """Bots play a tournament to its end, and leave."""
    with Server(build_folder(), "--no-bots", checks=t) as server:
        anna = server.connect("anna")
        cup = anna.ask("tournament new cup clobber:3x3 format=round-robin clock=60+1 start=manual")["tournament"]
        bots = [Bot(server.address, "--name", name, "--level", "random", "--tournament", cup)
                for name in ("gus", "hal", "ida")]
        wait_until(lambda: anna.ask(f"tournament show {cup}")["entrants"] == 3, "all take part")
        t.check("error" != anna.ask(f"tournament start {cup}")["type"], "it starts")
        for bot in bots:
            code, shown, errors = bot.end()
            t.equal((code, errors), (0, ""), "a bot ends with its tournament")
            t.equal(shown.count(": over, "), 2, "and has met both others")
        shown = anna.ask(f"tournament show {cup}")
        t.equal((shown["status"], sum(player["score"] for player in shown["players"])), ("over", 3), "its end")
        with Bot(server.address, "--name", "late", "--tournament", cup) as bot:
            t.equal(bot.end()[0], 0, "one that comes too late leaves")
        words = "clobber:3x3 format=round-robin clock=60+1 start=manual"
        people = anna.ask(f"tournament new people {words} bots=no")["tournament"]
        started = anna.ask(f"tournament new started {words}")["tournament"]
        bob = server.connect("bob")
        for player in (anna, bob):
            player.ask(f"tournament join {started}")
        anna.ask(f"tournament start {started}")
        for wrong, why in (("t99", "unknown tournament 't99'"), (people, "it is for people"),
                           (started, "it has started without you")):
            with Bot(server.address, "--name", "lost", "--tournament", wrong) as bot:
                t.equal(bot.end()[::2], (1, f"ludus-bot: --tournament: {why}\n"), f"it cannot take part: {why}")


def guest(t):
    with Server(build_folder(), "--no-bots", checks=t) as server:
        anna = server.connect("anna")
        match = anna.ask("new xadrersi black=open")["match"]
        with Bot(server.address, "--join", match) as bot:
            play_on(anna, match, anna.wait_for("state", match=match, status="playing"))
            anna.close()
            server.stop()
            code, shown, errors = bot.end()
            t.equal((code, errors), (0, ""), "a guest ends with its connection")
            t.check("score" in shown, "and has played", shown)


if __name__ == "__main__":
    sys.exit(Checks("test_bot").run([
        challenges, thoughts, draws, draws_by_search, anchored, undo, undo_while_it_thinks, many_clocks, many_matches,
        killed_in_mid_match, stopped, options, kicked, meets_by_seeking, seeks_on, tournament, guest]))
