"""The folder of a course, as `ludus course run` leaves it, with results of a real server whose players move at random."""
import json
import os
import random
import select
import shutil
import subprocess
import tempfile
import time

from harness import LIMIT_S, Server

NAMES = ["ana", "rui", "eva", "-tom", "lazy"]
TITLE = "Bots & <b>boards</b>, 2026"
NIGHTS = [("swiss", "rounds=3"), ("round-robin", "")]
HOSTILE = b"</pre><script>alert(1)</script>\x1b[31mred\x1b[0m \xe2\x80\xaeback\xff\x00 & \"quoted\"\r\nfourth\n"


class Course:
    """Plays the nights and writes the folder. `lazy` never moves, `ana` and `rui` agree to a draw; in the last night `-tom` leaves early."""

    def __init__(self, build, game="clobber:2x3", names=NAMES, nights=NIGHTS):
        self.build, self.names, self.random = build, names, random.Random(5)
        self.dir = tempfile.mkdtemp(prefix="course-", dir=build)
        self.keys = {name: f"{number:032x}" for number, name in enumerate(names, 0xabcdef0123456789)}
        for folder in ("results", "logs"):
            os.mkdir(os.path.join(self.dir, folder))
        with Server(build, "--no-bots", "--data", os.path.join(self.dir, "server")) as self.server:
            self.director = self.server.connect("teacher")
            self.peers = {name: self.server.connect(name) for name in names}
            for night, (form, more) in enumerate(nights, 1):
                self.play(night, form, more, game)
            self.write("results/series.json", self.client("tournament", "series", "course", "--json"))
        self.write("course.conf", f"# of a test\ntitle = {TITLE}\ngame = {game}\n")
        self.write("keys", "".join(f"{name} {key}\n" for name, key in self.keys.items()))

    def client(self, *words):
        return subprocess.run([os.path.join(self.build, "ludus"), *words, "--connect", self.server.address], capture_output=True,
                              text=True, timeout=LIMIT_S, check=True).stdout

    def path(self, name):
        return os.path.join(self.dir, name)

    def write(self, name, text):
        os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
        with open(self.path(name), "wb") as file:
            file.write(text if isinstance(text, bytes) else text.encode())

    def read(self, name):
        with open(self.path(name), "rb") as file:
            return file.read()

    def lines(self, name):
        return [json.loads(line) for line in self.read(name).splitlines()]

    def play(self, night, form, more, game):
        director = self.director
        number = director.do(" ".join(f"tournament new Night_{night} {game} format={form} {more} clock=2 series=course".split()))["tournament"]
        for peer in self.peers.values():
            peer.do(f"tournament join {number}")
        director.do(f"tournament start {number}")
        if night == len(NIGHTS) and "-tom" in self.names:
            self.peers["-tom"].send(f"tournament leave {number}")
        end = time.monotonic() + LIMIT_S
        while director.do(f"tournament show {number}")["status"] != "over" and time.monotonic() < end:
            ready = select.select([peer.socket for peer in self.peers.values()], [], [], 0.2)[0]
            for name, peer in self.peers.items():
                if peer.socket in ready:
                    self.hear(name, peer.read())
                while b"\n" in peer.buffer:
                    self.hear(name, peer.read())
        shown = json.loads(self.client("tournament", "export", number, "--json"))
        assert shown["status"] == "over", shown["status"]
        self.write(f"results/{night}.json", json.dumps(shown))
        known = set() if night == 1 else {line["match"] for line in self.lines("results/matches.jsonl")}
        records = [json.loads(line) for line in self.client("export", "--jsonl").splitlines()]
        with open(self.path("results/matches.jsonl"), "a") as file:
            for record in records:
                if record["match"] not in known:
                    file.write(json.dumps({**record, "night": night}) + "\n")

    def hear(self, name, message):
        if not message or message["type"] != "state" or message["status"] != "playing" or name == "lazy":
            return
        if {player["name"] for player in message["players"].values()} == {"ana", "rui"}:
            self.peers[name].send(f"draw {message['match']}")
        elif message.get("legal"):
            self.peers[name].send(f"move {message['match']} {self.random.choice(message['legal'])} ply={message['ply']}")

    def judge(self):
        """Writes a verdict and a log for everybody, with words of their own that nobody else may see."""
        matches = self.lines("results/matches.jsonl")
        rows = []
        for name in self.names:
            own = next((record for record in matches if name in (record["white"], record["black"])), None)
            rows.append({"night": 1, "bot": name, "match": own and own["match"], "ply": 1, "verdict": "time", "text": f"verdict-{name} <i>",
                         "position": "pPp/PpP w", "sent": [f"sent-{name} </pre><script>alert(2)</script>"],
                         "received": [f"received-{name} \u202e"]})
            self.write(f"logs/1/{name}.log", f"log-{name}\n".encode() + HOSTILE)
            self.write(f"logs/2/{name}.log", b"x" * (3 << 19) + f"\nlate-{name}\n".encode())
        rows.append({**rows[0], "verdict": "memory", "match": None, "ply": None, "position": None})
        self.write("results/verdicts.jsonl", "".join(json.dumps(row) + "\n" for row in rows) + '{"night":2,"bot":"torn')

    def report(self):
        """Runs `ludus course report`; returns the exit status, and what it has said."""
        done = subprocess.run([os.path.join(self.build, "ludus"), "course", "report", self.dir], capture_output=True, text=True,
                              timeout=LIMIT_S)
        return done.returncode, done.stdout + done.stderr

    def close(self):
        shutil.rmtree(self.dir)

