"""`ludus course run`: nights with real bots, cheats among them; it goes on after kill -9, as root and as somebody else.

usage: test_course_run.py BUILD_DIR
"""
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
sys.path.insert(1, sys.path[0] + "/../support")
from harness import LIMIT_S, Checks, Tests, build_folder

BUILD = os.path.abspath(build_folder())
CHECKS = Checks("test_course_run")
TESTS = Tests()
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
SPY_BOT = """
for path in ("../ana/bot.py", "../../keys", "../../server/tokens", "/proc/1/environ"):
    try:
        print("read", open(path).read()[:80])
    except OSError as error:
        print("refused", path, type(error).__name__, flush=True)
""" + RANDOM_BOT % "pass"
LATE_BOT = RANDOM_BOT % "message['ply'] > 3 and __import__('time').sleep(5)"
TOOLS = f"""
bot = easy {BUILD}/ludus-bot --connect {{host}}:{{port}} --name {{name}} --token {{token}} --tournament {{tournament}} --level easy
engine = ugi {BUILD}/ludus-bot ugi --level greedy
bot = crash sh -c 'echo boom; exit 3'
bot = loud sh -c 'while :; do echo 0123456789012345678901234567890123456789; done'
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


def play_nights(t, user, what):
    course = Course({"ana": RANDOM_BOT % "pass", "rui": RANDOM_BOT % "pass", "spy": SPY_BOT, "late": LATE_BOT}, TOOLS, user, nights="2")
    done = course.call("run")
    t.equal(done.returncode, 0, f"{what}: all nights are played")
    t.check(done.returncode == 0, f"{what}: all nights are played", done.stdout)
    audit(t, course, 2, what)
    verdicts = {name: {verdict["verdict"] for verdict in course.lines("verdicts.jsonl") if verdict["bot"] == name}
                for name in ("ana", "rui", "spy", "easy", "ugi", "crash", "loud", "late")}
    t.equal(verdicts, {**dict.fromkeys(("ana", "rui", "spy", "easy", "ugi"), set()), "crash": {"no-start"}, "loud": {"output"}, "late": {"time"}},
            f"{what}: verdicts")
    for number in (1, 2):
        players = json.loads(course.read(f"results/{number}.json"))["players"]
        t.equal({player["name"] for player in players if player["left"]}, {"crash", "loud"}, f"{what}: who is out leaves")
        t.equal(len(players), 8, f"{what}: and stays in the table")
    late = next(verdict for verdict in course.lines("verdicts.jsonl") if verdict["bot"] == "late")
    t.check(late["match"] and late["position"] and late["ply"] >= 0, f"{what}: the match that was lost on time", late)
    t.equal(course.read("logs/1/crash.log"), "boom\n", f"{what}: the log of a bot")
    t.check(1 << 20 < os.path.getsize(course.path("logs/1/loud.log")) < (1 << 20) + 100, f"{what}: a long log is cut")
    said = course.read("logs/1/spy.log")
    t.check(said.count("refused") == 4 and "read" not in said.split(), f"{what}: nobody reads others' files", said)
    t.equal(wait_gone(course), [], f"{what}: nothing is left running")
    again = course.call("run")
    t.check(again.returncode == 0 and "night" not in again.stdout.replace("nights", ""), f"{what}: nothing is played again", again.stdout)
    course.close()


@TESTS
def nights(t):
    play_nights(t, None, "nights")


@TESTS
def nights_without_root(t):
    if os.geteuid() == 0:
        play_nights(t, NOBODY, "without root")


@TESTS
def killed(t):
    slow = RANDOM_BOT % "__import__('time').sleep(0.1)"
    course = Course({"ana": slow, "rui": slow, "eva": slow, "tom": slow}, format="round-robin", nights="2", clock="30+1")
    for matches in (1, 4, 8):  # killed three times, ever later
        process = course.start("run")
        end = time.monotonic() + LIMIT_S
        while time.monotonic() < end and process.poll() is None:
            log = course.read("server/log") if os.path.exists(course.path("server/log")) else ""
            if log.count("event=over") >= matches:
                break
            time.sleep(0.02)
        process.kill()
        process.communicate()
        t.equal(wait_gone(course), [], "nothing outlives a run that is killed")
    with open(course.path("results/verdicts.jsonl"), "a") as file:
        file.write('{"night":1,"bot":"torn')
    done = course.call("run")
    t.check(done.returncode == 0, "it goes on after kill -9", done.stdout)
    audit(t, course, 2, "after kill -9")
    t.equal(len(course.lines("matches.jsonl")), 12, "no match is lost")
    t.equal(course.lines("verdicts.jsonl"), [], "nobody lost time, and what was torn is cut")
    course.close()


@TESTS
def crashes(t):
    frail = RANDOM_BOT % "message['ply'] > 5 and os._exit(7)"
    course = Course({"ana": RANDOM_BOT % "pass", "frail": frail}, format="round-robin")
    done = course.call("run")
    t.check(done.returncode == 0, "a night with a bot that crashes", done.stdout)
    audit(t, course, 1, "a bot that crashes")
    verdicts = course.lines("verdicts.jsonl")
    t.equal([(verdict["bot"], verdict["verdict"], verdict["text"]) for verdict in verdicts], [("frail", "crash", "it ended with status 7")],
            "one verdict about a match")
    t.check(verdicts[0]["match"] and verdicts[0]["ply"] > 5 and verdicts[0]["position"], "where it crashed", verdicts[0])
    t.equal(course.read("logs/1/frail.log"), "here\n" * 4, "it starts again three times")
    course.close()


@TESTS
def stopped(t):
    course = Course({"ana": RANDOM_BOT % "pass", "rui": RANDOM_BOT % "pass"}, nights="2", every="24h")
    process = course.start("run")
    said = ""
    while "night 2 begins at" not in said and (line := process.stdout.readline()):
        said += line
    t.check("night 1 is over" in said, "a night waits for its time", said)
    second = course.call("run")
    t.check(second.returncode == 1 and "running already" in second.stdout, "a course runs once", second.stdout)
    process.send_signal(signal.SIGTERM)
    output = process.communicate(timeout=LIMIT_S)[0]
    t.equal((process.returncode, output), (1, "ludus: course run: stopped: the same command goes on from here\n"), "it can be stopped")
    t.equal(wait_gone(course), [], "what is stopped leaves nothing")
    course.close()


@TESTS
def refusals(t):
    course = Course({"ana": ""})
    for text, why in (("bot = ana socket\n", "fewer than two bots"), ("bot = teacher socket\n", "taken already"), ("gmae = x\n", "did you mean game?")):
        course.write("course.conf", text)
        done = course.call("run")
        t.check(done.returncode == 1 and why in done.stdout, why, done.stdout)
    course.close()


sys.exit(CHECKS.run(TESTS, at_once=3))
