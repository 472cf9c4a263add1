"""The relay of `ludus course run`: illegal moves and who sends them, moves at random, and bots that flood, stall, or connect without end.

usage: test_course_relay.py BUILD_DIR
"""
import json
import os
import sys
import time

sys.dont_write_bytecode = True
sys.path.insert(1, sys.path[0] + "/../support")
from course_run import RANDOM_BOT, Course, audit
from harness import LIMIT_S, Checks, Tests

CHECKS = Checks("test_course_relay")
TESTS = Tests()
TELL = """print("TURN", json.dumps([message["match"], message["ply"], message["legal"]]), flush=True)
        """
ILLEGAL = TELL + """%s and (send(f"move {message['match']} a1a9 ply={message['ply']}"), message.update(legal=["a1a9"]))"""
WORD = 64


def random_choice(seed, legal):
    """The same as relay.c: FNV-1a of the words is the seed of one step of SplitMix64."""
    state = 0xcbf29ce484222325
    for byte in seed.encode():
        state = (state ^ byte) * 0x100000001b3 % (1 << WORD)
    state = (state + 0x9e3779b97f4a7c15) % (1 << WORD)
    state = (state ^ state >> 30) * 0xbf58476d1ce4e5b9 % (1 << WORD)
    state = (state ^ state >> 27) * 0x94d049bb133111eb % (1 << WORD)
    return legal[(state ^ state >> 31) % len(legal)]


def marks_of(course):
    """The moves at random, by match: [number, by, why]."""
    return {record["match"]: [(mark["number"], mark["by"], mark["why"]) for mark in record.get("random", [])] for record in course.lines("matches.jsonl")}


@TESTS
def illegal_moves(t):
    """The match goes on after an illegal move, of which only the student's own page tells."""
    once = "message['ply'] in (2, 3) and send('ping ' + 'x' * 370 + ' ' + os.environ['LUDUS_TOKEN'])\n        " + ILLEGAL % "message['ply'] in (2, 3)"
    course = Course({"ana": RANDOM_BOT % "pass", "bad": RANDOM_BOT % once.replace('message.update(legal=["a1a9"])', "None")}, format="round-robin")
    done = course.call("run")
    t.check(done.returncode == 0, "a night with an illegal move", done.stdout)
    audit(t, course, 1, "an illegal move")
    verdicts = course.lines("verdicts.jsonl")
    t.equal([(verdict["bot"], verdict["verdict"]) for verdict in verdicts], [("bad", "illegal")], "its verdict")
    verdict = verdicts[0]
    t.check(verdict["text"].startswith("a1a9: ") and len(verdict["text"]) > 10, "what it sent, and which rule forbids it", verdict["text"])
    t.check(verdict["ply"] in (2, 3) and verdict["position"] and verdict["match"], "where", verdict)
    t.check("> move" in verdict["last"][-2] + verdict["last"][-3] and "a1a9" in "".join(verdict["last"]) and '"illegal-move"' in "".join(verdict["last"]),
            "the last lines", verdict["last"])
    t.check(len(verdict["last"]) <= 40 and "TURN" in verdict["log"], "what it had printed", verdict["log"])
    tokens = course.read("server/tokens").split()
    t.check("xxx " in course.read("results/verdicts.jsonl"), "the line in which it is cut")
    t.check(not any(token[:8] in course.read("results/verdicts.jsonl") for token in tokens if len(token) > 20), "no token is told, nor its beginning")
    t.equal(marks_of(course), {verdict["match"]: []}, "nothing is played at random")
    t.equal(course.call("report").returncode, 0, "the report")
    keys = dict(line.split() for line in course.read("keys").splitlines())
    own, other, index = (course.read(f"report/{name}.html") for name in (keys["bad"], keys["ana"], "index"))
    t.check("a1a9" in own and "&gt; move" in own and "What it had printed last" in own, "the page of who sent it")
    t.check("a1a9" not in other + index and "1 × illegal moves" in index, "others read only how many there are")
    course.close()


@TESTS
def moves_at_random(t):
    """By lost = move whoever errs loses the move: all of it is marked, and can be computed again."""
    bots = {"ana": RANDOM_BOT % "pass", "bad": RANDOM_BOT % (ILLEGAL % "True").replace('message.update(legal=["a1a9"])', 'message.update(legal=["a1a8"])'),
            "late": RANDOM_BOT % (TELL + "message['ply'] > 3 and __import__('time').sleep(1.3)"),
            "frail": RANDOM_BOT % (TELL + "message['ply'] in (4, 5) and os._exit(7)")}
    course = Course(bots, format="round-robin", clock="20+1", lost="move", move_time="1")
    done = course.call("run")
    t.check(done.returncode == 0, "a night with moves at random", done.stdout)
    audit(t, course, 1, "moves at random")
    kinds = {}
    for verdict in course.lines("verdicts.jsonl"):
        kinds.setdefault(verdict["bot"], set()).add(verdict["verdict"])
    t.equal(kinds, {"bad": {"illegal"}, "frail": {"crash"}}, "verdicts")
    records, told = {record["match"]: record for record in course.lines("matches.jsonl")}, {}
    for name in ("bad", "late", "frail"):
        for line in course.read(f"logs/1/{name}.log").splitlines():
            if line.startswith("TURN"):
                match, ply, legal = json.loads(line[5:])
                told[match, ply] = legal
    whys = {}
    for match, marks in marks_of(course).items():
        for number, by, why in marks:
            whys.setdefault(by, set()).add(why)
            legal = told.get((match, number - 1))
            if legal:
                t.equal(records[match]["moves"][number - 1], random_choice(f"course/1/{match}/{number - 1}", legal), f"{match}: move {number} by {by}")
    t.check("it was gone" in whys["frail"], "a crash costs a move", whys)
    whys["frail"] = {"it was gone"}  # where a start takes longer than a move may, it costs more
    t.equal(whys, {"bad": {"illegal move a1a9"}, "late": {"no move in 1 s"}, "frail": {"it was gone"}}, "why they were played")
    played = [name for match, record in records.items() for name in ("white", "black") if record[name] == "bad" for number in range(name == "black", len(record["moves"]), 2)]
    marked = [by for marks in marks_of(course).values() for _, by, _ in marks if by == "bad"]
    t.equal(len(marked), len(played), "each move of a bot that sends illegal ones only")
    t.check(all(record["reason"] == "no-moves" for record in records.values()), "no match is lost by it", [record["reason"] for record in records.values()])
    course.call("report")
    match = next(match for match, marks in marks_of(course).items() if marks)
    t.check('"random":[{' in course.read(f"report/match/{match}.html"), "the board's page has the marks")
    course.close()


@TESTS
def marked_once(t):
    """A bot that asks for the position between two illegal moves has a move played twice; it counts and is marked once."""
    twice = "(send(f\"move {message['match']} a1a9\\nstate {message['match']}\\nmove {message['match']} a1a9\"), message.update(legal=['a1a9']))"
    course = Course({"ana": RANDOM_BOT % "pass", "bad": RANDOM_BOT % twice}, format="round-robin", clock="20+1", lost="move")
    done = course.call("run")
    t.check(done.returncode == 0, "a night with a bot that asks", done.stdout)
    lines = [(line["match"], line["ply"]) for line in course.lines("random.jsonl")]
    t.check(len(lines) > len(set(lines)), "moves were sent twice", lines)
    t.equal(sorted((match, number - 1) for match, marks in marks_of(course).items() for number, _, _ in marks), sorted(set(lines)), "marked once")
    course.close()


FLOOD = """
import os, socket
server = socket.create_connection((os.environ["LUDUS_HOST"], int(os.environ["LUDUS_PORT"])))
server.sendall(f"hello {os.environ['LUDUS_NAME']} token={os.environ['LUDUS_TOKEN']}\\n".encode())
%s
"""
# What could cost others something: tokens, names of students to come, tournaments of nights to come, the server's engine, further matches,
# HTTP, behind which a WebSocket would hide everything else, and the ids of the relay's own commands.
REFUSED = ["device", "#7 revoke 1", " \tDevice", "# tokens", "hello tom", "#8 HELLO  tom bot=yes", "tournament new Night_2 clobber", "TOURNAMENT  New x clobber",
           "analyse clobber", "hint 1", "review 1", "new clobber opponent=ana", "seek clobber", "join 1", "rematch 1", "GET / HTTP/1.1", "HEAD / HTTP/1.1",
           "#ludus-relay-1 move 1 a1a9"]
HOSTILE = {
    "lines": FLOOD % "while True: server.sendall(b'games\\n' * 1000)",
    "long": FLOOD % "while True: server.sendall(b'x' * 65536)",
    "half": FLOOD % "server.sendall(b'mo'); import time; time.sleep(100)",
    "many": FLOOD % "kept = []\nwhile len(kept) < 200: kept.append(socket.create_connection(server.getpeername()))\nimport time; time.sleep(100)",
    "deaf": FLOOD % "for _ in range(5000): server.sendall(b'lessons clobber\\n')\nimport time; time.sleep(100)",
    "thief": FLOOD % """
for line in %r: server.sendall((line + "\\n").encode())
for line in server.makefile():
    if '"not-allowed"' in line or '"line-too-long"' in line or '"games"' in line: print(line[:60].strip(), flush=True)
""" % (REFUSED + ["GET /" + "x" * 1100 + " HTTP/1.1", "hello THIEF", "games"],),
}


@TESTS
def hostile_bots(t):
    """Bots that do their worst to the connection lose their own matches, and nobody else's."""
    course = Course({"ana": RANDOM_BOT % "pass", "rui": RANDOM_BOT % "pass", **HOSTILE}, format="round-robin", clock="2", nights="1")
    done = course.call("run")
    t.check(done.returncode == 0, "a night with hostile bots", done.stdout)
    audit(t, course, 1, "hostile bots")
    accused = {verdict["bot"] for verdict in course.lines("verdicts.jsonl")}
    t.check(not accused & {"ana", "rui"}, "no verdict about the others", course.read("results/verdicts.jsonl")[:2000])
    scores = {player["name"]: player["score"] for player in json.loads(course.read("results/1.json"))["players"]}
    t.check(min(scores["ana"], scores["rui"]) >= len(HOSTILE), "they win", scores)
    said = course.read("logs/1/thief.log")
    t.equal((said.count("not-allowed"), said.count("line-too-long")), (len(REFUSED), 1), "no bot gets at tokens, names or others")
    t.check('"id":"7"' in said and '"type":"games"' in said, "refusals have the id, and the rest passes", said)
    t.check("a connection too many" in course.read("results/verdicts.jsonl"), "connections are counted")
    t.check(os.path.exists(course.path("logs/1/many.log")), "all were started")
    course.close()


def cpu_s(pid):
    with open(f"/proc/{pid}/stat") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def find_relay(process):
    """The child of `course run` that is itself."""
    with open(f"/proc/{process.pid}/cmdline") as own, open(f"/proc/{process.pid}/task/{process.pid}/children") as children:
        words = own.read()
        for child in children.read().split():
            with open(f"/proc/{child}/cmdline") as file:
                if file.read() == words:
                    return child
    return None


@TESTS
def gone_to_move(t):
    """The relay does not turn in circles where it cannot play for a bot, whose connection the server has closed."""
    course = Course({"ana": RANDOM_BOT % "pass", "bad": RANDOM_BOT % (TELL + "send('quit') or __import__('time').sleep(100)")}, format="round-robin", clock="8", lost="move", move_time="1")
    process = course.start("run")
    end, log = time.monotonic() + LIMIT_S, course.path("logs/1/bad.log")
    while not (os.path.exists(log) and "TURN" in course.read("logs/1/bad.log")) and time.monotonic() < end:
        time.sleep(0.05)
    relay, begun, used = find_relay(process), time.monotonic(), 0
    before = cpu_s(relay)
    while process.poll() is None:
        try:
            used = cpu_s(relay) - before
        except (OSError, IndexError):
            break
        time.sleep(0.05)
    passed = time.monotonic() - begun
    output = process.communicate(timeout=LIMIT_S)[0]
    t.check(process.returncode == 0 and passed > 3, "it loses by its clock", output)
    t.check(used < passed / 10, "the relay waits", f"{used:.2f} s of the processor in {passed:.2f} s")
    course.close()


sys.exit(CHECKS.run(TESTS, at_once=3))
