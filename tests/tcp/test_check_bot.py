"""`ludus-bot check-bot`: our bots are good citizens, and it says what others lack.

usage: test_check_bot.py BUILD_DIR
"""
import concurrent.futures
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(1, sys.path[0] + "/../support")
from harness import LIMIT_S, Checks, build_folder

PROGRAM = os.path.join(os.path.abspath(build_folder()), "ludus-bot")
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
EXAMPLES = os.path.join(ROOT, "client", "examples")

OTHER_GAMES = ("clobber:10x10", "xadrersi:attack", "latrunculi", "shakti")

# A bot with a fault: argv[1].
FAULTY = """
import json, signal, socket, sys, threading, time
fault, address = sys.argv[1], sys.argv[2].split(":")
if fault == "deathless": signal.signal(signal.SIGTERM, signal.SIG_IGN)
token, moves = "", {}
while True:
    try:
        server = socket.create_connection((address[0], int(address[1])))
        def send(line):
            try: server.sendall((line + "\\n").encode())
            except OSError: pass
        def later(ms, line): threading.Timer(ms / 1000, send, [line]).start()
        send("hello faulty" + ("" if fault == "human" else " bot=yes only=yes") + token)
        for m in map(json.loads, server.makefile()):
            kind = m["type"]
            if kind == "ok" and "token" in m and fault != "forgetful": token = " token=" + m["token"]
            if kind == "challenge" and fault != "shy" and not (fault == "single" and m["match"] == "2"): send("join " + m["match"])
            if kind == "state" and m.get("legal"):
                if fault == "once" and str(m["ply"]) in moves: continue
                moves[str(m["ply"])] = moves["last"] = f"move {m['match']} {'a1a1' if fault == 'cheat' else m['legal'][0]}" + (
                    "" if fault == "plyless" else f" ply={m['ply']}")
                send(moves["last"])
            if kind == "error" and "retry_ms" in m and fault != "sulky":
                later(0 if fault == "hasty" else m["retry_ms"] + 50, moves["last"])
            if kind == "offer" and m["open"] and fault != "rude": send("decline " + m["match"])
            if kind == "presence" and m["claim_ms"] is not None and fault != "patient": later(m["claim_ms"], "claim " + m["match"])
            if kind == "ping" and fault != "asleep": send("ping")
            if kind == "weather" and fault == "fragile": sys.exit("what is weather?")
    except OSError: pass
    if fault == "lost": time.sleep(1000)
    time.sleep(0.2)
"""


def check(folder, *command, game="clobber:5x6"):
    """The exit status, the names of the checks that are bad, and all output."""
    done = subprocess.run([PROGRAM, "check-bot", "--game", game, "--", *command], capture_output=True, text=True, timeout=2 * LIMIT_S, cwd=folder,
                          stdin=subprocess.DEVNULL, env={**os.environ, "XDG_STATE_HOME": folder})
    return done.returncode, re.findall(r"^BAD +([A-Za-z -]+?)  ", done.stdout, re.M), done.stdout + done.stderr


def good_bots(t):
    bots = [[PROGRAM, "--connect", "{}", "--name", "ours", "--level", "random", "--quiet"],
            [os.path.join(os.path.dirname(PROGRAM), "ludus-bridge"), "--connect={}", "--name", "bridged", "--games", "clobber",
             "--movetime", "20", "--", PROGRAM, "ugi", "--level", "random"],
            [sys.executable, os.path.join(EXAMPLES, "player.py"), "python"]]
    for program, example in (("node", "player.js"), ("bash", "player.sh"), ("swipl", "player.pl"), ("java", "Player.java")):
        if shutil.which(program):
            bots.append([program, os.path.join(EXAMPLES, example), f"my-{program}"])
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(4) as pool:
        for bot, run in [(bot, pool.submit(check, folder, *bot)) for bot in bots]:
            code, bad, shown = run.result()
            t.check((code, bad) == (0, []) and "good: 14 of 14 checks passed" in shown, f"{bot}", shown)
        player = [sys.executable, os.path.join(EXAMPLES, "player.py")]
        for game, run in [(game, pool.submit(check, folder, *player, game.replace(":", "-"), game=game)) for game in OTHER_GAMES]:
            code, bad, shown = run.result()
            t.check((code, bad) == (0, []) and "good: 14 of 14 checks passed" in shown, f"{game}", shown)


def bad_bots(t):
    faults = {"none": [], "human": ["hello"], "forgetful": ["cut"], "shy": ["challenge"], "single": ["two"], "cheat": ["moves"],
              "plyless": ["moves"], "once": ["take-back"], "hasty": ["rate limit"], "sulky": ["rate limit"], "rude": ["offer", "offer"],
              "patient": ["absent"], "asleep": ["ping"], "fragile": ["unknown"], "lost": ["cut"], "deathless": ["SIGTERM"]}
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(8) as pool:
        path = os.path.join(folder, "faulty.py")
        with open(path, "w") as file:
            file.write(FAULTY)
        runs = {fault: pool.submit(check, folder, sys.executable, path, fault) for fault in faults}
        for fault, wanted in faults.items():
            code, bad, shown = runs[fault].result()
            t.check(code == bool(wanted) and bad[:len(wanted)] == wanted, f"fault {fault}", shown)
        code, bad, shown = check(folder, "true")
        t.equal((code, bad), (1, ["hello"]), f"one that ends at once: {shown}")
        code, bad, shown = check(folder, sys.executable, os.path.join(EXAMPLES, "bot.py"))
        t.equal((code, bad), (1, ["challenge"]), f"one that plays a match of its own: {shown}")


def usage(t):
    for words in ([], ["--"], ["--speed"], ["--game", "go", "--", "true"]):
        done = subprocess.run([PROGRAM, "check-bot", *words], capture_output=True, text=True, timeout=LIMIT_S)
        t.check((done.returncode, done.stdout) == (2, "") and done.stderr.startswith("ludus-bot: "), f"{words}", done)


if __name__ == "__main__":
    sys.exit(Checks("test_check_bot").run([good_bots, bad_bots, usage], at_once=2))
