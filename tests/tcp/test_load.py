"""The load generator and a server: it plays, both count alike, and errors are reported.

usage: test_load.py BUILD_DIR
"""
import json
import os
import socket
import subprocess
import sys
import threading

sys.path.insert(1, sys.path[0] + "/../support")
from harness import Checks, LIMIT_S, Server, build_folder

BUILD = build_folder()


def load(address, *options):
    """Returns the exit code, the line of JSON or None, and standard error."""
    done = subprocess.run([os.path.join(BUILD, "bench", "load"), "--address", address, "--json",
                           *options], capture_output=True, text=True, timeout=LIMIT_S)
    return done.returncode, json.loads(done.stdout) if done.stdout else None, done.stderr


def counts_are_the_servers(checks):
    with Server(BUILD, "--no-bots", "--data", "none", checks=checks) as server:
        code, told, said = load(server.address, "--matches", "5", "--moves", "200", "--watchers",
                                "2", "--pid", str(server.process.pid))
        if not checks.equal((code, said), (0, ""), "exit code and standard error"):
            return
        stats = server.connect().ask("stats")
        checks.equal(told["moves"], 200, "moves")
        checks.equal(stats["moves_total"], 200, "the server's moves")
        checks.equal(told["errors"], 0, "errors")
        checks.equal(stats["errors_total"], 0, "the server's errors")
        checks.equal(stats["matches_total"], told["matches_over"], "matches over")
        checks.equal(stats["connections_total"], 5 * 4 + 1, "connections")
        # Of 200 moves in matches of at most 29, five unfinished ones cannot hold all.
        checks.check(told["matches_over"] >= 2, "matches are played to their end", told)
        for who in ("players", "watchers"):
            shares = [told[f"{who}_{share}_us"] for share in ("p50", "p99", "p99_9")]
            checks.check(0 < shares[0] <= shares[1] <= shares[2], f"what {who} wait", shares)
        checks.check(told["server_cpu_us"] >= 0 and told["own_cpu_us"] > 0, "processor time", told)


def matches_share_connections(checks):
    """Two players move in all their matches in turn, to the end of each."""
    with Server(BUILD, "--no-bots", "--data", "none", checks=checks) as server:
        code, told, said = load(server.address, "--matches", "6", "--share", "3", "--moves", "300")
        if not checks.equal((code, said), (0, ""), "exit code and standard error"):
            return
        client = server.connect()
        stats = client.ask("stats")
        checks.equal((told["moves"], stats["moves_total"]), (300, 300), "moves")
        checks.equal(stats["connections_total"], 2 * 2 + 1, "connections")
        checks.equal(stats["matches_total"], told["matches_over"], "matches over")
        # 300 moves in six matches are 50 in each place, and a match has 29 at most.
        checks.check(told["matches_over"] >= 6, "each place has had more than one", told)


def several_addresses(checks):
    """The two players of a match use the next address each; here both lead to one server."""
    with Server(BUILD, "--no-bots", "--data", "none", checks=checks) as server:
        code, told, said = load(f"{server.address},localhost:{server.port}", "--matches", "3", "--moves", "30")
        checks.equal((code, told and told["moves"], said), (0, 30, ""), "two addresses")
        for wrong in (f"{server.address},", f"{server.address},nonsense", ",".join([server.address] * 17)):
            code, told, said = load(wrong, "--moves", "1")
            checks.check(code == 1 and "HOST:PORT" in said or "16 addresses" in said, f"{wrong} is refused", said)


def every_game(checks):
    with Server(BUILD, "--no-bots", "--data", "none", checks=checks) as server:
        for game in ("xadrersi", "xadrersi:attack", "latrunculi", "shakti", "clobber:10x10"):
            code, told, said = load(server.address, "--matches", "2", "--moves", "40", "--game",
                                    game)
            checks.equal((code, told and told["moves"], said), (0, 40, ""), game)


def questions_with_moves(checks):
    """Every question is answered, also when there are more than the server handles in one turn."""
    with Server(BUILD, "--no-bots", "--data", "none", checks=checks) as server:
        for count, question in ((1, "ping"), (20, "state")):
            code, told, said = load(server.address, "--matches", "3", "--moves", "30", "--pipeline",
                                    str(count), "--question", question)
            if checks.equal((code, said), (0, ""), f"{count} times {question}"):
                checks.equal((told["moves"], told["answers"]), (30, 30 * 2 * count),
                             f"moves and answers, {count} times {question}")
                # A pong is a line of 25 bytes, a state one of more than 500.
                checks.check(told["bytes_per_move"] > (600 if question == "ping" else 20000),
                             "bytes are counted", told)


def lines_and_answers(checks):
    with Server(BUILD, "--no-bots", "--data", "none", checks=checks) as server:
        pid = str(server.process.pid)
        code, told, said = load(server.address, "--echo", "ping", "--connections", "5", "--lines",
                                "300", "--pipeline", "20", "--pid", pid)
        if checks.equal((code, said), (0, ""), "exit code and standard error"):
            checks.equal((told["lines"], told["bytes_per_line"]), (300, 16), "lines and bytes")
            checks.check(0 < told["answer_p50_us"] <= told["answer_p99_9_us"], "waiting", told)
            # Each connection sends one more before the count begins.
            checks.equal(server.connect().ask("stats")["commands_total"], 300 + 5 + 1,
                         "what the server counts")
        code, told, said = load(server.address, "--echo", "pong", "--lines", "1")
        checks.check(code == 1 and told is None and "unknown-command" in said,
                     "an error of the server is told", said)


def a_bare_peer(checks):
    bare = subprocess.Popen([os.path.join(BUILD, "bench", "bare"), "--bytes", "100", "--at-once"],
                            stdout=subprocess.PIPE, text=True)
    try:
        address = bare.stdout.readline().split()[-1]
        code, told, said = load(address, "--echo", "anything", "--connections", "3", "--lines",
                                "60", "--pipeline", "4", "--pid", str(bare.pid))
        checks.equal((code, said), (0, ""), "exit code and standard error")
        checks.equal(told and (told["lines"], told["bytes_per_line"]), (60, 100), "lines, bytes")
        code, told, said = load(address, "--idle", "20", "--seconds", "1", "--pid", str(bare.pid))
        checks.equal((code, said, told and told["connections"]), (0, "", 20), "idle connections")
    finally:
        bare.terminate()
        checks.equal(bare.wait(LIMIT_S), 0, "exit code of the bare peer")
        bare.stdout.close()


def doing_nothing(checks):
    with Server(BUILD, "--no-bots", "--data", "none", checks=checks) as server:
        code, told, said = load(server.address, "--idle", "30", "--named", "--matches", "100",
                                "--seconds", "1", "--pid", str(server.process.pid))
        if not checks.equal((code, said), (0, ""), "exit code and standard error"):
            return
        stats = server.connect().ask("stats")
        checks.equal(stats["connections_total"], 31, "connections")
        checks.equal(stats["errors_total"], 0, "the server's errors")
        checks.check(told["server_bytes"] > 0 and told["bytes_per_match"] > 0, "memory", told)
        checks.check(0 <= told["server_cpu_percent"] <= 100, "processor time", told)


def an_error_is_told(checks):
    with Server(BUILD, "--no-bots", "--data", "none", checks=checks) as server:
        code, told, said = load(server.address, "--game", "chess", "--moves", "1")
        checks.equal((code, told["errors"]), (1, 1), "a game that is not there")
        checks.check("unknown-game" in said, "the server's error is shown", said)


def serve_once(listener, answer):
    peer, _ = listener.accept()
    with peer:
        try:
            peer.recv(1000)
            peer.sendall(answer)
            peer.shutdown(socket.SHUT_WR)
            while peer.recv(1000):
                pass
        except ConnectionError:
            pass  # it disconnects on purpose


def no_such_server(checks):
    """Peers with another protocol, or that disconnect."""
    for answer, want in ((b"", "closed the connection"), (b"{\"type\":\"bye\"}\n", "bye"),
                         (b"HTTP/1.1 400 Bad Request\r\n\r\n", "no JSON"),
                         (b"x" * 40000, "a line of more than")):
        listener = socket.create_server(("127.0.0.1", 0))
        thread = threading.Thread(target=serve_once, args=(listener, answer))
        thread.start()
        code, _, said = load(f"127.0.0.1:{listener.getsockname()[1]}", "--matches", "1", "--moves",
                             "1")
        thread.join(LIMIT_S)
        listener.close()
        checks.check(code == 1 and want in said, f"a peer that says {answer[:20]!r}",
                     f"exit code {code}: {said}")


def bad_usage(checks):
    for options in (["--matches", "0"], ["--watchers", "x"], ["--nonsense"], ["--game", "a b"],
                    ["more"], ["--echo", ""], ["--idle", "5"], ["--echo", "x", "--idle", "5"],
                    ["--lines", "5"], ["--pipeline", "65"], ["--question", "who"],
                    ["--share", "3"], ["--share", "2", "--watchers", "1"],
                    ["--share", "2", "--echo", "x"]):
        code, told, said = load("127.0.0.1:1", *options)
        checks.check(code == 2 and told is None and said, f"{options} is refused",
                     f"exit code {code}: {said}")


if __name__ == "__main__":
    sys.exit(Checks("test_load").run([counts_are_the_servers, matches_share_connections, several_addresses,
                                      every_game, questions_with_moves, lines_and_answers, a_bare_peer,
                                      doing_nothing, an_error_is_told, no_such_server, bad_usage]))
