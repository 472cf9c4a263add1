#!/usr/bin/env python3
"""A round robin of eight bots of every kind on one server, which is killed in the middle and started again.

usage: python3 tests/bench/tournament.py BUILD_DIR [GAME[:VARIANT] [CLOCK]]

Prints the cross table. Needs fairy-stockfish and node.
"""
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
EXAMPLES = os.path.join(ROOT, "client", "examples")
FAIRY = shutil.which("fairy-stockfish", path=os.environ["PATH"] + ":/usr/games")
BUILD = os.path.abspath(sys.argv[1])
GAME = sys.argv[2] if len(sys.argv) > 2 else "clobber:5x6"
CLOCK = sys.argv[3] if len(sys.argv) > 3 else "60+1"
HOURS_MAX = 2


def program(name):
    return os.path.join(BUILD, name)


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()[1]


def start(folder, name, *words):
    log = open(os.path.join(folder, name + ".log"), "a")
    return subprocess.Popen(words, cwd=folder, stdout=log, stderr=log, env={**os.environ, "XDG_STATE_HOME": folder})


def start_server(folder, port):
    server = start(folder, "server", program("ludusd"), "--config", "none", "--listen", f"127.0.0.1:{port}",
                   "--data", os.path.join(folder, "store"), "--no-bots")
    for _ in range(200):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return server
        time.sleep(0.05)
    sys.exit(f"no server: see {folder}/server.log")


def bots(address, tournament):
    """The command of each bot."""
    connect = ["--connect", address, "--tournament", tournament]
    for level in ("greedy", "easy", "medium", "max"):
        yield level, [program("ludus-bot"), *connect, "--name", level, "--level", level]
    game = GAME.split(":")[0]
    yield "fairy", [program("ludus-bridge"), *connect, "--name", "fairy", "--games", game, "--", FAIRY]
    yield "gtp", [program("ludus-bridge"), *connect, "--name", "gtp", "--games", game, "--", sys.executable,
                  os.path.join(EXAMPLES, "gtp_clobber.py")]
    yield "python", [sys.executable, os.path.join(EXAMPLES, "player.py"), "python", address, "tournament=" + tournament]
    yield "javascript", ["node", os.path.join(EXAMPLES, "player.js"), "javascript", address, "tournament=" + tournament]


def play(folder, port):
    address = f"127.0.0.1:{port}"

    def ludus(*words):
        return subprocess.run([program("ludus"), "tournament", *words, "--connect", address], check=True, text=True,
                              stdout=subprocess.PIPE, env={**os.environ, "XDG_STATE_HOME": folder}).stdout

    def shown():
        return json.loads(ludus("show", tournament, "--json"))

    def played(whole):
        return sum(pairing["result"] != "*" for row in whole["rounds"] for pairing in row["pairings"])

    def wait(condition, what):
        end = time.monotonic() + HOURS_MAX * 3600
        while not condition(shown()):
            if time.monotonic() > end:
                sys.exit(f"{what} did not come: see the logs in {folder}")
            time.sleep(0.2)

    processes = [start_server(folder, port)]
    try:
        tournament = ludus("new", "Eight", GAME, "format=round-robin", "clock=" + CLOCK, "--name", "director").strip()
        for name, words in bots(address, tournament):
            processes.append(start(folder, name, *words))
        wait(lambda whole: whole["entrants"] == 8, "eight bots")
        ludus("start", tournament, "--name", "director")
        wait(lambda whole: played(whole) >= 14, "half of the matches")
        processes[0].kill()
        processes[0].wait()
        processes[0] = start_server(folder, port)
        print(f"killed, and {played(shown())} of 28 results are there", flush=True)
        wait(lambda whole: whole["status"] == "over", "the end")
        print(ludus("export", tournament))
        return shown()
    finally:
        for process in reversed(processes):
            process.terminate()
        for process in processes:
            process.wait(20)


def main():
    with tempfile.TemporaryDirectory() as folder:
        whole = play(folder, free_port())
    pairings = [pairing for row in whole["rounds"] for pairing in row["pairings"]]
    print(f"{len(whole['rounds'])} rounds, {len(pairings)} matches, "
          f"{sum(pairing['walkover'] for pairing in pairings)} by walkover")


if __name__ == "__main__":
    main()
