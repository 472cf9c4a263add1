"""Courses that are played: a folder with bots, what runs for it, and whether its results add up."""
import json
import os
import shutil
import subprocess
import tempfile
import time

from harness import LIMIT_S, build_folder

BUILD = os.path.abspath(build_folder())
NOBODY = 65534

RANDOM_BOT = """
import json, os, random, socket
server = socket.create_connection((os.environ["LUDUS_HOST"], int(os.environ["LUDUS_PORT"])))
def send(line): server.sendall((line + "\\n").encode())
send(f"hello {os.environ['LUDUS_NAME']} bot=yes only=yes token={os.environ['LUDUS_TOKEN']}")
print("here", flush=True)
for line in server.makefile():
    message = json.loads(line)
    if message["type"] == "state" and message["status"] == "playing" and message.get("legal"):
        %s
        send(f"move {message['match']} {random.choice(message['legal'])} ply={message['ply']}")
    elif message["type"] == "ping":
        send("ping")
"""


class Course:
    """A folder with students who move at random, and with further lines of course.conf."""

    def __init__(self, bots, more="", user=None, **settings):
        self.dir, self.user = tempfile.mkdtemp(prefix="ludus-run-"), user
        os.chmod(self.dir, 0o755)
        self.environment = {**os.environ, "XDG_STATE_HOME": self.dir + "/state"}
        if user is not None:
            os.chown(self.dir, user, user)
        assert self.call("init", *bots).returncode == 0
        for name, text in bots.items():
            self.write(f"bots/{name}/bot.py", text)
        settings = {"every": "0", "nights": "1", "clock": "3+0.1", "rounds": "2", "game": "clobber:4x5", "openings": "none", **settings}
        lines = [line for line in self.read("course.conf").splitlines() if line.split(" ")[0] not in settings]
        self.write("course.conf", "".join(f"{line}\n" for line in [*lines, *(f"{key} = {value}" for key, value in settings.items())]) + more)

    def path(self, name):
        return os.path.join(self.dir, name)

    def read(self, name):
        with open(self.path(name)) as file:
            return file.read()

    def write(self, name, text):
        with open(self.path(name), "w") as file:
            file.write(text)

    def lines(self, name):
        return [json.loads(line) for line in self.read("results/" + name).splitlines()]

    def start(self, action, *words):
        who = {} if self.user is None else {"user": self.user, "group": self.user, "extra_groups": []}
        return subprocess.Popen([BUILD + "/ludus", "course", action, self.dir, *words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                text=True, env=self.environment, **who)

    def call(self, action, *words):
        process = self.start(action, *words)
        output = process.communicate(timeout=LIMIT_S)[0]
        return subprocess.CompletedProcess([], process.returncode, output)

    def processes(self):
        """Returns what runs for this course: its server, its bots."""
        found = []
        for entry in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open(f"/proc/{entry}/environ", "rb") as environ, open(f"/proc/{entry}/cmdline", "rb") as words:
                    both = environ.read() + words.read()
            except OSError:
                continue
            if f"HOME={self.dir}/work".encode() in both or f"{self.dir}/server".encode() in both:
                found.append(entry)
        return found

    def close(self):
        shutil.rmtree(self.dir)


def wait_gone(course):
    end = time.monotonic() + LIMIT_S
    while course.processes() and time.monotonic() < end:
        time.sleep(0.05)
    return course.processes()


def audit(t, course, nights, what):
    """Compares the results with each other, and with what the report adds up."""
    records, seen = course.lines("matches.jsonl"), {}
    for record in records:
        t.check(record["match"] not in seen, f"{what}: each match once", record["match"])
        seen[record["match"]] = record
    for number in range(1, nights + 1):
        night = json.loads(course.read(f"results/{number}.json"))
        t.equal(night["status"], "over", f"{what}: the night is over")
        points = {player["name"]: 0 for player in night["players"]}
        for pairing in (pairing for round in night["rounds"] for pairing in round["pairings"]):
            record = seen.get(pairing["match"])
            if record is not None:
                t.equal((record["night"], record["result"]), (number, pairing["result"]), f"{what}: the results are those of the table")
            if pairing["black"] is None:
                points[pairing["white"]] += 1
            for name, result in ((pairing["white"], "1-0"), (pairing["black"], "0-1")):
                if name is not None and pairing["black"] is not None:
                    points[name] += {result: 1, "1/2-1/2": 0.5}.get(pairing["result"], 0)
        t.equal(points, {player["name"]: player["score"] for player in night["players"]}, f"{what}: the table adds up")
    t.equal(json.loads(course.read("results/series.json"))["tournaments"], nights, f"{what}: a tournament a night")
    t.check(not os.path.exists(course.path(f"results/{nights + 1}.json")), f"{what}: no night more")
