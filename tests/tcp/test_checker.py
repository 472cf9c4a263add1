"""The checker of the cluster test: each rule reports the violation that is planted for it, and a good history
has none.

usage: test_checker.py BUILD_DIR
"""
import copy
import sys

sys.path.insert(1, sys.path[0] + "/../support")
sys.path.insert(1, sys.path[0] + "/../cluster")
sys.path.insert(1, sys.path[0] + "/../crash")
import checker
import glicko
import nemesis
from harness import Checks, build_folder
from referee import Referee
from told import Told

GAME = {"game": "clobber", "variant": "2x2"}
MOVES = ("a2a1", "b2b1", "a1b1")
POSITIONS = ("Pp/pP w", "1p/PP b", "2/Pp w", "2/1P b")
CLOCK = {"base_ms": 10000, "increment_ms": 500}


class Story:
    """A match between anna at server 0 and bob at server 1, as the crowd would write it down: `events`."""

    def __init__(self):
        self.events, self.t, self.ids = [], 0.0, 0
        self.outages, self.cuts, self.stops = {}, {}, {}
        self.say(1, "anna", "hello anna", {"type": "ok", "cmd": "hello", "name": "anna", "token": "a" * 32})
        self.say(2, "bob", "hello bob", {"type": "ok", "cmd": "hello", "name": "bob", "token": "b" * 32})
        self.say(1, "anna", "new clobber:2x2 white=me black=bob clock=10+0.5 once=k1",
                 {"type": "ok", "cmd": "new", "match": "7"})
        self.say(2, "bob", "join 7", {"type": "ok", "cmd": "join", "match": "7", "color": "black"})
        self.tell_state(0)
        for ply, move in enumerate(MOVES):
            conn, who = ((1, "anna"), (2, "bob"))[ply % 2]
            self.t += 1
            self.say(conn, who, f"move 7 {move} ply={ply}", {"type": "ok", "cmd": "move", "match": "7",
                                                            "ply": ply + 1})
            self.tell_state(ply + 1)
        self.audit()

    def add(self, conn, who, **what):
        self.t = round(self.t + 0.01, 3)
        self.events.append({"t": self.t, "who": who, "conn": conn, "node": conn - 1, **what})

    def say(self, conn, who, line, reply):
        self.ids += 1
        self.add(conn, who, say=line, id=str(self.ids))
        if reply is not None:
            self.add(conn, who, hear={**reply, "id": str(self.ids)})

    def tell_state(self, ply):
        over = ply == len(MOVES)
        for conn, who in ((1, "anna"), (2, "bob")):
            self.add(conn, who, hear={
                "players": {color: {"name": name, "seated": True} for color, name in (("white", "anna"), ("black", "bob"))},
                "type": "state", "match": "7", **GAME, "status": "over" if over else "playing", "ply": ply,
                "position": POSITIONS[ply], "last": MOVES[ply - 1] if ply else None,
                "result": "1-0" if over else "*", "reason": "no-moves" if over else None})

    def audit(self):
        winner = glicko.update(glicko.START, glicko.START, 1)[0]
        record = {"type": "record", "match": "7", **GAME, "start": POSITIONS[0], "moves": list(MOVES),
                  "times_ms": [0, 1000, 1000], "white": "anna", "black": "bob", "date": "d", "clock": CLOCK,
                  "result": "1-0", "reason": "no-moves", "rated": True, "white_rating": round(winner),
                  "black_rating": round(3000 - winner)}
        row = {"match": "7", "white": "anna", "black": "bob"}
        for conn in (1, 2):
            self.say(conn, "audit", "list", {"type": "list", "matches": [], "total": 0})
            self.say(conn, "audit", "stats", {"type": "stats", "nodes": 2})
            for name in ("anna", "bob"):
                self.say(conn, "audit", f"history {name}",
                         {"type": "history", "name": name, "matches": [row]})
            self.say(conn, "audit", "record 7", copy.deepcopy(record))

    # What plants violations

    def heard(self, kind, **fields):
        """Returns the messages of that type with those fields."""
        return [event["hear"] for event in self.events if event.get("hear", {}).get("type") == kind and
                all(event["hear"].get(key) == value for key, value in fields.items())]

    def in_records(self, **fields):
        for record in self.heard("record"):
            record.update(copy.deepcopy(fields))


def lost_move(story):
    story.in_records(moves=[*MOVES[:2]], times_ms=[0, 1000], result="0-1", reason="resign")


def lost_match(story):
    for record in story.heard("record"):
        record.update(type="error", code="unknown-match")


def lost_resignation(story):
    story.say(2, "bob", "resign 7", {"type": "ok", "cmd": "resign"})


def lost_draw(story):
    story.say(2, "bob", "draw 7", {"type": "ok", "cmd": "draw", "match": "7", "agreed": True})


def move_twice(story):
    story.say(1, "anna", "move 7 a2a1 ply=0", {"type": "ok", "cmd": "move", "match": "7", "ply": 1})


def key_twice(story):
    story.say(1, "anna", "new clobber:2x2 white=me black=bob clock=10+0.5 once=k1",
              {"type": "ok", "cmd": "new", "match": "8"})


def match_from_nowhere(story):
    row = {"match": "9", "white": "anna", "black": "bob"}
    for message in story.heard("history"):
        message["matches"].insert(0, row)


def move_from_nowhere(story):
    story.events = [event for event in story.events if "b2b1" not in event.get("say", "")]


def two_positions(story):
    story.heard("state", ply=1)[1]["position"] = "pp/PP b"


def untold_move(story):
    for state in story.heard("state", ply=2):
        state["last"] = "b2a2"


def back_again(story):
    states = [event for event in story.events if event.get("hear", {}).get("type") == "state"]
    story.events.insert(story.events.index(states[-1]) + 1, copy.deepcopy(states[0]))
    story.events[story.events.index(states[-1]) + 1].update(conn=states[-1]["conn"])


def two_results(story):
    story.heard("state", ply=3)[1].update(result="0-1", reason="timeout")


def servers_differ(story):
    story.heard("record")[1]["times_ms"] = [0, 1000, 2000]


def left_over(story):
    story.heard("list")[0]["matches"].append({"match": "7", "white": "anna", "black": "bob"})


def never_ended(story):
    story.add(1, "anna", event="unfinished", matches=["7"])


def two_owners(story):
    story.say(2, "bob", "hello ANNA", {"type": "ok", "cmd": "hello", "name": "ANNA", "token": "c" * 32})


def two_in_a_seat(story):
    story.say(3, "eve", "join 7", {"type": "ok", "cmd": "join", "match": "7", "color": "black"})


def rated_all_the_same(story):
    story.in_records(rated=False)


def wrong_rating(story):
    story.in_records(white_rating=1700)


def other_order(story):
    for message in story.heard("history", name="bob"):
        message["matches"] = [{"match": "7", "white": "anna", "black": "bob"}] * 2


def overcharged(story):
    story.in_records(times_ms=[0, 1000, 2300])


def pause_before_third(story, server):
    """Ten seconds pass before anna's second move, at server 0; `server` can see that the engine is away."""
    late = next(event["t"] for event in story.events if "a1b1" in event.get("say", ""))
    for event in story.events:
        event["t"] += 10 * (event["t"] >= late)
    story.outages = {server: [(late - 0.5, late + 9.5)]}
    story.in_records(times_ms=[0, 1000, 9500])


def charged_for_an_outage(story):
    pause_before_third(story, 0)


def charged_while_cut_off(story):
    pause_before_third(story, 0)
    story.outages, story.cuts = {}, story.outages


def charged_for_part_of_it(story):
    pause_before_third(story, 0)
    story.in_records(times_ms=[0, 1000, 2500])


def early_flag(story):
    for state in story.heard("state", ply=3):
        state.update(ply=2, position=POSITIONS[2], last=MOVES[1], result="0-1", reason="timeout")
    story.events = [event for event in story.events if "a1b1" not in event.get("say", "")]
    story.in_records(moves=[*MOVES[:2]], times_ms=[0, 1000], result="0-1", reason="timeout")


def never_told(story, ply=3):
    """Bob is not told of a change, and hears other things meanwhile; asking does not count."""
    story.events = [event for event in story.events if event["who"] != "bob" or event.get("hear", {}).get("ply") != ply
                    or event["hear"]["type"] != "state"]
    late = max(event["t"] for event in story.events if event["who"] == "bob") + 1
    for second in range(12):
        story.events.append({"t": late + second, "who": "bob", "conn": 2, "node": 1, "hear": {"type": "ping"}})
    story.events.append({"t": late + 13, "who": "bob", "conn": 2, "node": 1, "hear": {"type": "state", "id": "99", "match": "7",
                         **GAME, "status": "over", "ply": 3, "position": POSITIONS[3], "last": MOVES[2], "result": "1-0",
                         "reason": "no-moves"}})


def told_after_an_outage(story):
    never_told(story)
    story.outages = {1: [(0, 1000)]}


def stand_still(story, plies=(3, 3), answering=2):
    """Each server is asked for the match, and tells this ply of it."""
    story.t += 10
    since, story.t = story.t, story.t + 5
    asked = story.t
    for conn, ply in enumerate(plies, 1):
        state = copy.deepcopy(next(state for state in story.heard("state", ply=ply)))
        story.add(conn, "audit", hear={**state, "id": "1"})
    story.add(1, "audit", event="stood", since=since, asked=asked, answering=answering)
    for conn, who in ((1, "anna"), (2, "bob")):  # they are still there
        story.add(conn, who, hear={"type": "pong"})


def servers_disagree(story):
    stand_still(story, (3, 2))


def does_not_answer(story):
    stand_still(story, answering=1)


def told_too_little(story):
    for event in story.events:
        if event["who"] == "bob" and event.get("hear", {}).get("ply") == 3 and event["hear"]["type"] == "state":
            event["hear"]["match"] = "8"
    stand_still(story)


def told_late(story, late_s=2.0):
    """After a standstill moves that anna is told of at once come to bob's server late."""
    stand_still(story)
    for ply in range(8):
        state = {**story.heard("state", ply=1)[0], "match": "8", "ply": ply + 1}
        story.add(1, "anna", hear=state)
        story.events.append({"t": story.t + late_s, "who": "bob", "conn": 2, "node": 1, "hear": dict(state)})
    story.t += 10
    for conn, who in ((1, "anna"), (2, "bob")):
        story.add(conn, who, hear={"type": "pong"})


def show_tournament(story, conn=1, result="1-0", points=1.0, status="over"):
    pairing = {"white": "anna", "black": "bob", "match": "7", "result": result}
    rows = [{"name": name, "score": score, "online": conn == 1} for name, score in (("anna", points), ("bob", 0.0))]
    story.say(conn, "audit", "tournament show t1", {"type": "tournament", "tournament": "t1", "status": status,
                                                    "players": rows, "rounds": [{"round": 1, "pairings": [pairing]}]})


def other_table(story):
    show_tournament(story)
    show_tournament(story, 2, status="running")


def other_score(story):
    show_tournament(story, points=0.5)


def other_result(story):
    show_tournament(story, result="1/2-1/2", points=0.5)


def illegal(story):
    for event in story.events:
        if "say" in event:
            event["say"] = event["say"].replace("b2b1", "b2a2")
    for state in story.heard("state", ply=2):
        state["last"] = "b2a2"
    story.in_records(moves=["a2a1", "b2a2", "a1b1"])


def goes_on(story, conn, who, seconds=15):
    """A connection, which its server answers all the time."""
    for _ in range(2 * seconds):
        story.t += 0.5
        story.add(conn, who, hear={"type": "pong"})


def second_window(story, conn=2, options=""):
    """Another connection of anna, at another server; the first is told of it."""
    story.say(conn + 10, "anna", f"hello anna token={'a' * 32}{options}", {"type": "ok", "cmd": "hello", "name": "anna"})


def revoked_in_vain(story):
    second_window(story)
    story.add(12, "anna", event="revoked")
    goes_on(story, 12, "anna")


def only_in_vain(story):
    second_window(story, options=" only=yes")
    goes_on(story, 1, "anna")


def code_taken_twice(story):
    for conn in (13, 14):
        story.say(conn, "x", "hello anna device=ABCD-2345", {"type": "ok", "cmd": "hello", "name": "anna"})


def gone_though_here(story):
    goes_on(story, 1, "anna")
    story.add(2, "bob", hear={"type": "presence", "match": "7", "name": "anna", "online": False})
    goes_on(story, 1, "anna", 3)


def shown_as_gone(story):
    goes_on(story, 1, "anna")
    story.add(2, "bob", hear={"type": "state", "match": "8", "status": "playing", "ply": 0, "position": "", "last": None,
                              "players": {"white": {"name": "anna", "online": False, "seated": True}, "black": None}})
    goes_on(story, 1, "anna", 3)


def windows_not_told(story, count=None):
    second_window(story)
    if count is not None:
        story.add(1, "anna", hear={"type": "windows", "count": count})
    for _ in range(40):
        goes_on(story, 1, "anna", 1)
        story.add(12, "anna", hear={"type": "pong"})
    story.add(12, "anna", event="close", why="")
    story.add(1, "anna", event="close", why="")


def windows_miscounted(story):
    windows_not_told(story, 3)


def told_late_of_moves(story, wait_s=1.5):
    """Anna comes to a third server, and is told late of the next move in each of her matches."""
    story.say(3, "anna", f"hello anna token={'a' * 32}", {"type": "ok", "cmd": "hello", "name": "anna"})
    for match in ("8", "9", "10"):
        for ply in (1, 2):
            state = {**story.heard("state", ply=1)[0], "match": match, "ply": ply}
            if ply == 1:  # before she comes
                story.events.insert(0, {"t": 0.0, "who": "bob", "conn": 2, "node": 1, "hear": state})
                continue
            story.t += 1
            story.add(2, "bob", hear=state)
            story.events.append({"t": story.t + wait_s, "who": "anna", "conn": 3, "node": 2, "hear": dict(state)})
    story.t += 10
    story.add(3, "anna", hear={"type": "pong"})


def comes_back(story, here=False, stays=True):
    """Anna leaves, comes back to the same server, and bob is told first that she is gone, then this. Does he stay?"""
    story.add(1, "anna", event="close", why="")
    story.say(3, "anna", f"hello anna token={'a' * 32}", {"type": "ok", "cmd": "hello", "name": "anna"})
    for online in (False, here):
        story.add(2, "bob", hear={"type": "presence", "match": "7", "name": "anna", "online": online})
    story.t += 10
    for conn, name in ((2, "bob"), (3, "anna"))[not stays:]:
        story.add(conn, name, hear={"type": "pong"})
    for event in story.events:
        event["node"] = 0 if event["conn"] == 3 else event["node"]


def sent_elsewhere(story):
    story.cuts[0] = [(story.t - 1, story.t)]
    story.add(1, "anna", hear={"type": "bye", "reason": "node-lost"})


def alone(story):
    story.heard("stats")[0]["nodes"] = 1


PLANTED = {
    "lost": (lost_move, lost_match, lost_resignation, lost_draw), "twice": (move_twice, key_twice),
    "uninvited": (match_from_nowhere, move_from_nowhere),
    "one_history": (two_positions, untold_move, back_again), "one_result": (two_results, servers_differ),
    "ended": (left_over, never_ended), "servers": (alone,), "one_owner": (two_owners,),
    "one_seat": (two_in_a_seat,), "untold": (never_told,),
    "converged": (servers_disagree, does_not_answer, told_too_little), "soon": (told_late,),
    "tournaments": (other_table, other_score, other_result),
    "ratings": (wrong_rating, rated_all_the_same, other_order),
    "clocks": (overcharged, charged_for_an_outage, charged_for_part_of_it, charged_while_cut_off, early_flag),
    "ended_connections": (revoked_in_vain, only_in_vain, code_taken_twice), "presence": (gone_though_here, shown_as_gone),
    "windows": (windows_not_told, windows_miscounted), "by_the_rules": (illegal,),
    "arrivals": (told_late_of_moves,), "returns": (comes_back,), "node_lost": (sent_elsewhere,),
}
VERSIONS = [("7", "4", "1", "4")]


def check(story, versions):
    referee = Referee(build_folder())
    try:
        return checker.check(Told(story.events, story.outages, story.cuts, story.stops), referee, versions)
    finally:
        referee.close()


def a_good_history(checks):
    for rule, lines in check(Story(), VERSIONS).items():
        checks.equal(lines, [], f"violations of {rule} in a good history")
    for rule in ("converged", "soon", "tournaments"):
        story = Story()
        told_late(story, 0.2)
        for conn in (1, 2):
            show_tournament(story, conn)
        checks.equal(check(story, VERSIONS)[rule], [], f"violations of {rule} when all is told at once")
    for rule, plant in (("arrivals", lambda story: told_late_of_moves(story, 0.2)), ("returns", lambda story: comes_back(story, True)),
                        ("returns", lambda story: comes_back(story, stays=False)),
                        ("tournaments", lambda story: show_tournament(story, result="*", points=0.0, status="aborted"))):
        story = Story()
        plant(story)
        checks.equal(check(story, VERSIONS)[rule], [], f"no violation of {rule}")
    story = Story()
    sent_elsewhere(story)
    story.stops[0] = [(story.t - 6, story.t)]
    checks.equal(check(story, VERSIONS)["node_lost"], [], "a server that was stopped sends everyone elsewhere")


def each_violation(checks):
    for rule, plants in PLANTED.items():
        for plant in plants:
            story = Story()
            plant(story)
            checks.check(check(story, VERSIONS)[rule], f"{plant.__name__} violates {rule}")
    checks.equal(set(PLANTED) | {"versions"}, set(check(Story(), [])), "rules with a violation")


def windows_are_told(checks):
    """Two connections that know of each other, or one of which is at a server that is stopped or cut off; and one whose
    server could commit nothing."""
    for count, broken in ((2, None), (1, "stops"), (2, "stops"), (1, "cuts"), (2, "cuts")):
        story = Story()
        if broken:
            getattr(story, broken)[11] = [(story.t, story.t + 100)]
        windows_not_told(story, count)
        found = [line for line in check(story, VERSIONS)["windows"] if "connection 1 " in line]
        checks.equal(found, [], f"the first knows of {count}, the second is broken: {broken}")
    story = Story()
    second_window(story)
    story.outages[11] = [(story.t, story.t + 100)]
    story.add(12, "anna", event="revoked")
    goes_on(story, 12, "anna")
    checks.equal(check(story, VERSIONS)["ended_connections"], [], "a server that cannot know")


def who_cannot_be_told(checks):
    story = Story()
    gone_though_here(story)
    story.cuts[1] = [(story.t - 20, story.t - 3)]
    checks.equal(check(story, VERSIONS)["presence"], [], "violations by a server that is just back")
    story = Story()
    told_after_an_outage(story)
    checks.equal(check(story, VERSIONS)["untold"], [], "violations by a server that could commit nothing")


def an_outage_that_only_others_notice(checks):
    story = Story()
    pause_before_third(story, 1)
    checks.equal(check(story, VERSIONS)["clocks"], [], "violations where the server of the move was stopped")


def what_a_server_notices(checks):
    """The database is away from 1 to 4 and from 5 to 6, server 2 is stopped from 2 to 3, and server 1 cut off from 5.5
    to 8."""
    log = [{"t": t, "fault": fault, "what": what, "ended": ended} for t, fault, what, ended in (
        (1, "primary killed", "one", False), (2, "server stopped", 2, False), (3, "server stopped", 2, True),
        (4, "primary killed", "one", True), (5, "primary alone", "two", False),
        (5.5, "link held", [1, "up"], False), (6, "primary alone", "two", True), (8, "link held", [1], True))]
    for number, times in ((1, [(1, 4), (5, 6)]), (2, [(1, 2), (3, 4), (5, 6)])):
        checks.equal(list(nemesis.noticed(log, number)), times, f"outages that server {number} notices")
        checks.equal(list(nemesis.cut_off(log, number)), [(5.5, 8)] if number == 1 else [], f"when server {number} is cut off")


def gaps_in_versions(checks):
    for rows in ([("7", "3", "1", "4")], [("7", "4", "2", "5")]):
        checks.equal(len(check(Story(), rows)["versions"]), 1, f"violations in {rows}")


def the_example_of_the_paper(checks):
    """A win against an equal, worked out by the server and told in protocol.md: 1662 and 290."""
    rating, deviation, _ = glicko.update(glicko.START, glicko.START, 1)
    checks.equal((round(rating), round(deviation)), (1662, 290), "rating and deviation")


if __name__ == "__main__":
    sys.exit(Checks("test_checker").run([a_good_history, each_violation, an_outage_that_only_others_notice, who_cannot_be_told,
                                         windows_are_told,
                                         what_a_server_notices, gaps_in_versions, the_example_of_the_paper]))
