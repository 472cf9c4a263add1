"""The load generator against a server: it plays, its counts are the server's, and it fails loudly.

usage: test_load.py BUILD_DIR
"""
import json
import os
import socket
import subprocess
import sys
import threading

from harness import Checks, LIMIT_S, Server, build_folder

BUILD = build_folder()


def load(address, *options):
    """Exit code, the line of JSON (None if there is none), what it says on standard error."""
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


def every_game(checks):
    with Server(BUILD, "--no-bots", "--data", "none", checks=checks) as server:
        for game in ("xadrersi", "xadrersi:attack", "latrunculi", "shakti", "clobber:10x10"):
            code, told, said = load(server.address, "--matches", "2", "--moves", "40", "--game",
                                    game)
            checks.equal((code, told and told["moves"], said), (0, 40, ""), game)


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
            pass  # it has seen enough


def no_such_server(checks):
    """Peers that are no server of this protocol, or go away."""
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
                    ["more"]):
        code, told, said = load("127.0.0.1:1", *options)
        checks.check(code == 2 and told is None and said, f"{options} is refused",
                     f"exit code {code}: {said}")


if __name__ == "__main__":
    sys.exit(Checks("test_load").run([counts_are_the_servers, every_game, an_error_is_told,
                                      no_such_server, bad_usage]))
