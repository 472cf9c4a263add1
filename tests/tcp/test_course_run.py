"""`ludus course run`: nights with real bots, cheats among them; it goes on after kill -9, as root and as somebody else.

usage: test_course_run.py BUILD_DIR
"""
import json
import os
import signal
import socket
import sys
import time

sys.dont_write_bytecode = True
sys.path.insert(1, sys.path[0] + "/../support")
from course_run import BUILD, NOBODY, RANDOM_BOT, Course, audit, wait_gone
from harness import LIMIT_S, Checks, Tests

CHECKS = Checks("test_course_run")
TESTS = Tests()

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
def killed_at_claims(t):
    """The server tells the token of a new name once: a run that is killed before it has written it loses no name."""
    course = Course({name: RANDOM_BOT % "pass" for name in ("ana", "rui", "eva")}, rounds="1")
    conf, within = course.read("course.conf"), 0
    course.write("course.conf", conf + "".join(f"bot = student{number} socket\n" for number in range(190)))
    for wait_s in (number * 0.03 for number in range(30)):  # ever later
        process = course.start("run")
        end = time.monotonic() + LIMIT_S
        while time.monotonic() < end and process.poll() is None and not os.path.exists(course.path("claims/server")):
            time.sleep(0.002)
        copied = time.monotonic()
        while time.monotonic() < copied + wait_s and os.path.exists(course.path("claims/server")):
            time.sleep(0.002)
        process.kill()
        process.communicate()
        within += os.path.exists(course.path("claims/server"))
        t.equal(wait_gone(course), [], "nothing outlives it")
        if os.path.exists(course.path("server/tokens")):
            break
    course.write("course.conf", conf)
    t.check(within > 0, "it was killed while it claimed names", within)
    done = course.call("run")
    t.check(done.returncode == 0, "the names can be claimed", done.stdout)
    names = [line.split()[0] for line in course.read("server/tokens").splitlines()]
    t.check(set(names) >= {"teacher", "ana", "rui", "eva"} and len(names) == len(set(names)), "everybody has a token", names)
    t.check(not os.path.exists(course.path("claims")), "nothing is left of it")
    audit(t, course, 1, "after claims")
    course.close()


@TESTS
def crashes(t):
    frail = RANDOM_BOT % "message['ply'] > 5 and os._exit(7)"
    course = Course({"ana": RANDOM_BOT % "pass", "frail": frail}, format="round-robin", clock="15+0.1")
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
def orders(t):
    """The teacher expels, pauses and adds while a night is played."""
    slow = RANDOM_BOT % "__import__('time').sleep(0.1)"
    course = Course({"ana": slow, "rui": slow, "eva": slow, "bad": slow}, format="round-robin", clock="20+1", nights="2")
    done = course.call("pause")
    t.check(done.returncode == 1 and "no course is running there" in done.stdout, "nothing runs yet", done.stdout)
    process = course.start("run")
    said = ""
    while "night 1:" not in said and (line := process.stdout.readline()):
        said += line
    end = time.monotonic() + LIMIT_S
    while "event=over" not in course.read("server/log") and time.monotonic() < end:
        time.sleep(0.02)
    t.equal(course.call("pause").stdout, "night 1 is paused: matches that run go on\n", "a pause")
    t.equal(course.call("expel", "BAD").stdout, "BAD is expelled\n", "expelled")
    done = course.call("expel", "bad")
    t.check(done.returncode == 1 and "bad is expelled already" in done.stdout, "not twice", done.stdout)
    done = course.call("expel", "zoe")
    t.check(done.returncode == 1 and "course.conf has no bot called zoe" in done.stdout, "nobody", done.stdout)
    t.equal(course.call("add", "tom").stdout, f"{course.dir}/bots/tom\n", "added")
    course.write("bots/tom/bot.py", slow)
    done = course.call("add", "Tom")
    t.check(done.returncode == 1 and "taken already" in done.stdout, "not twice", done.stdout)
    t.equal(course.call("resume").stdout, "night 1 goes on\n", "resumed")
    said += process.communicate(timeout=LIMIT_S)[0]
    t.check(process.returncode == 0, "all nights are played", said)
    audit(t, course, 2, "with orders")
    t.equal([(order["night"], order["order"], order.get("name")) for order in course.lines("orders.jsonl")],
            [(1, "pause", None), (1, "expel", "bad"), (1, "resume", None)], "they are written")
    nights = [{player["name"]: player["left"] for player in json.loads(course.read(f"results/{number}.json"))["players"]} for number in (1, 2)]
    t.equal(nights, [{"ana": False, "rui": False, "eva": False, "bad": True}, {"ana": False, "rui": False, "eva": False, "tom": False}], "who plays")
    t.check(not os.path.exists(course.path("results/verdicts.jsonl")), "no verdict about anybody")
    t.equal(course.call("report").returncode, 0, "the report adds up")
    course.close()


@TESTS
def called_off(t):
    """A night is called off: it is played again, and nothing of the first time counts."""
    slow = RANDOM_BOT % "__import__('time').sleep(0.1)"
    course = Course({"ana": slow, "rui": slow, "eva": slow, "bad": "raise SystemExit(7)"}, format="round-robin", clock="20+1",
                    nights="1")
    process = course.start("run")
    said = ""
    while "night 1:" not in said and (line := process.stdout.readline()):
        said += line
    end = time.monotonic() + LIMIT_S
    while ("event=over" not in course.read("server/log") or "no-start" not in course.read("results/verdicts.jsonl")) and time.monotonic() < end:
        time.sleep(0.02)
    t.equal(course.call("replay").stdout, "night 1 is called off, and is played again\n", "the order")
    said += process.communicate(timeout=LIMIT_S)[0]
    t.check(process.returncode == 0 and said.count("night 1: t") == 2, "the night is played again", said)
    audit(t, course, 1, "played again")
    t.equal([order["order"] for order in course.lines("orders.jsonl")], ["replay"], "it is written")
    t.equal({match["tournament"] for match in course.lines("matches.jsonl")}, {json.loads(course.read("results/1.json"))["tournament"]},
            "the matches are those of the second time")
    t.equal([verdict["verdict"] for verdict in course.lines("verdicts.jsonl")], ["no-start"], "a verdict is that of the second time")
    t.equal(course.call("report").returncode, 0, "the report adds up")
    done = course.call("replay")
    t.check(done.returncode == 1 and "no course is running there" in done.stdout, "nothing runs any more", done.stdout)
    course.close()


@TESTS
def expelled_and_killed(t):
    """An order that was written before the run was killed is carried out by the next one."""
    slow = RANDOM_BOT % "__import__('time').sleep(0.1)"
    course = Course({"ana": slow, "rui": slow, "eva": slow, "bad": slow}, format="round-robin", clock="20+1")
    process = course.start("run")
    end = time.monotonic() + LIMIT_S
    while time.monotonic() < end and not (os.path.exists(course.path("server/log")) and "event=over" in course.read("server/log")):
        time.sleep(0.02)
    process.kill()
    process.communicate()
    course.write("results/orders.jsonl", '{"night":1,"order":"expel","name":"bad"}\n')
    done = course.call("run")
    t.check(done.returncode == 0, "it goes on", done.stdout)
    audit(t, course, 1, "expelled and killed")
    players = json.loads(course.read("results/1.json"))["players"]
    t.equal({player["name"] for player in players if player["left"]}, {"bad"}, "who is expelled has left")
    course.close()


@TESTS
def socket_students(t):
    """A bot that runs elsewhere reaches the server itself: neither a tournament of its own nor a token that it has revoked stops the course."""
    course = Course({"ana": RANDOM_BOT % "pass", "rui": RANDOM_BOT % "pass"}, "bot = eve socket\n", format="round-robin", start="3", nights="2")
    process = course.start("run")
    said = ""
    while "night 1:" not in said and (line := process.stdout.readline()):
        said += line
    port = int(next(line for line in said.splitlines() if line.startswith("the server is at")).rsplit(":", 1)[1])
    token = dict(line.split() for line in course.read("server/tokens").splitlines())["eve"]
    with socket.create_connection(("127.0.0.1", port)) as eve, eve.makefile() as lines:
        eve.sendall(f"hello eve token={token}\n#1 tournament new Night_2 clobber:4x5 format=round-robin\n".encode())
        reply = next(line for line in lines if '"id":"1"' in line)
        t.check('"type":"error"' not in reply, "it opens a tournament", reply)
    said += process.communicate(timeout=LIMIT_S)[0]
    t.check(process.returncode == 0, "the nights are the teacher's", said)
    audit(t, course, 2, "with a tournament of a student")
    course.write("server/tokens", course.read("server/tokens").replace(token, "0" * len(token)))
    course.write("course.conf", course.read("course.conf").replace("nights = 2", "nights = 3"))
    done = course.call("run")
    t.check(done.returncode == 0, "a night with a token that is invalid", done.stdout)
    audit(t, course, 3, "without a student")
    t.equal([(verdict["bot"], verdict["verdict"]) for verdict in course.lines("verdicts.jsonl") if verdict["night"] == 3], [("eve", "no-start")], "its verdict")
    course.close()


@TESTS
def refusals(t):
    course = Course({"ana": ""})
    for text, why in (("bot = ana socket\n", "fewer than two bots"), ("bot = teacher socket\n", "taken already"), ("gmae = x\n", "did you mean game?")):
        course.write("course.conf", text)
        done = course.call("run")
        t.check(done.returncode == 1 and why in done.stdout, why, done.stdout)
    course.write("course.conf", "bot = ana socket\nbot = rui socket\nstart = 1\n")
    course.write("results/orders.jsonl", '{"night":1,"order":"expel","name":"rui"}\n')
    done = course.call("run")
    t.check(done.returncode == 1 and "night 1 does not start: it has 1 player: 2 are needed" in done.stdout, "nobody to play with", done.stdout)
    course.close()


sys.exit(CHECKS.run(TESTS, at_once=3))
