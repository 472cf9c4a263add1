"""Breaks a lobby, by a seed: kills and stops servers and databases, holds and cuts links.

Each fault is written to FOLDER/faults.jsonl when it happens: the monotonic time `t`, `fault`, `what`, and for
an end `ended` true. One database and one link or standby is broken at a time, and servers independently.
"""
import heapq
import itertools
import json
import os
import time

# fault: how often, compared with the others
SERVER_FAULTS = {"server killed": 4, "server stopped": 3, "link held": 3, "link cut": 1, "call delivered late": 3}
DATABASE_FAULTS = {"primary killed": 4, "primary started again": 2, "primary stopped": 2, "standby stopped": 2,
                 "old primary wakes": 2, "primary alone": 2, "statements cancelled": 2, "timeouts set": 1}
TIMEOUTS = ("statement_timeout", "lock_timeout", "idle_session_timeout", "idle_in_transaction_session_timeout")
CANCELS, CANCEL_S = 8, 0.25  # so often, after so long each
OUTAGES = ("primary killed", "primary started again", "primary stopped", "old primary wakes", "primary alone")
LINK_FAULTS = ("link held", "link cut", "call delivered late")
DETECTION_S = (0.3, 2.0)  # until a dead primary's place is taken
SERVICE_S = 2  # until a server that has ended starts again
START_S = 300  # until all servers listen
ROUND_S = 60   # of breaking, until everything is mended
QUIET_S = 6    # in which nothing is broken after that


def noticed(log, number):
    """Yields the times (from, until) in which no primary could answer and server `number` was not stopped."""
    return during(log, number, lambda entry: entry["fault"] in OUTAGES)


def cut_off(log, number):
    """Yields those in which server `number`, which was not stopped, could reach no primary."""
    return during(log, number, lambda entry: entry["fault"] in LINK_FAULTS and entry["what"][0] == number)


def stops(log, number):
    """Yields those in which server `number` was stopped."""
    since = None
    for entry in log:
        if (entry["fault"], entry["what"]) == ("server stopped", number):
            if entry["ended"]:
                yield since, entry["t"]
            since = entry["t"]


def during(log, number, is_meant):
    away, stopped, since = False, False, None
    for entry in log:
        if is_meant(entry):
            away = not entry["ended"]
        elif (entry["fault"], entry["what"]) == ("server stopped", number):
            stopped = not entry["ended"]
        if since is None and away and not stopped:
            since = entry["t"]
        elif since is not None and (stopped or not away):
            yield since, entry["t"]
            since = None


class Nemesis:
    def __init__(self, lobby, rng, longest_stop_s=60.0, pause_s=(1.0, 6.0)):
        self.lobby, self.rng = lobby, rng
        self.longest_stop_s, self.pause_s = longest_stop_s, pause_s
        self.due, self.order = [], itertools.count()
        self.broken = set()  # servers
        self.killed = set()  # those of them that are to start later
        self.crashes = []
        self.log = []
        self.file = open(os.path.join(lobby.folder, "faults.jsonl"), "w")
        self.rewound = {True: 0, False: 0}

    # The schedule

    def at(self, wait_s, what, *arguments):
        heapq.heappush(self.due, (time.monotonic() + wait_s, next(self.order), what, arguments))

    def pause(self):
        return self.rng.uniform(*self.pause_s)

    def stop_s(self):
        """Most stops are short: 1 s to the longest, evenly on a logarithmic scale."""
        return self.longest_stop_s ** self.rng.random()

    def run(self, seconds, stand_still=lambda: None):
        """Breaks and mends for so long. After each round all is mended, and `stand_still` called."""
        end_s = time.monotonic() + seconds
        while (now := time.monotonic()) < end_s:
            self.break_until(min(end_s, now + ROUND_S))
            self.mend()
            stand_still()
            time.sleep(QUIET_S)
        self.file.close()

    def break_until(self, end_s):
        self.at(self.pause(), self.break_server)
        for node in self.lobby.nodes:
            self.at(SERVICE_S, self.keep_running, node)
        if self.lobby.databases is not None:
            self.at(self.pause(), self.break_database)
        while self.due and self.due[0][0] < end_s:
            when, _, what, arguments = heapq.heappop(self.due)
            time.sleep(max(0.0, when - time.monotonic()))
            what(*arguments)
        time.sleep(max(0.0, end_s - time.monotonic()))

    def mend(self):
        """Does at once what was to be mended later, and waits until all servers listen."""
        while self.due:
            _, _, what, arguments = heapq.heappop(self.due)
            if what not in (self.break_server, self.break_database, self.keep_running):
                what(*arguments)
        end_s = time.monotonic() + START_S
        while not all([node.listens() for node in self.lobby.nodes]) and time.monotonic() < end_s:
            for node in self.lobby.nodes:
                self.start_ended(node)
            time.sleep(0.1)

    def note(self, fault, what, ended=False):
        entry = {"t": round(time.monotonic(), 4), "fault": fault, "what": what, "ended": ended}
        self.log.append(entry)
        self.file.write(json.dumps(entry) + "\n")
        self.file.flush()

    def outages(self):
        """Returns when no primary could answer each server, by the server's index."""
        return {index: list(noticed(self.log, node.number)) for index, node in enumerate(self.lobby.nodes)}

    def cuts(self):
        """Returns when each server was cut off, by its index."""
        return {index: list(cut_off(self.log, node.number)) for index, node in enumerate(self.lobby.nodes)}

    def stops(self):
        """Returns when each server was stopped, by its index."""
        return {index: list(stops(self.log, node.number)) for index, node in enumerate(self.lobby.nodes)}

    def choose(self, faults):
        return self.rng.choices(list(faults), faults.values())[0]

    # Servers and their links

    def break_server(self):
        self.at(self.pause(), self.break_server)
        whole = [node for node in self.lobby.nodes if node.number not in self.broken]
        if len(whole) <= len(self.lobby.nodes) // 3:
            return
        node = self.rng.choice(whole)
        fault = self.choose(SERVER_FAULTS)
        if self.lobby.relay is None and fault in LINK_FAULTS:
            return
        self.broken.add(node.number)
        if fault == "server killed":
            self.killed.add(node.number)
            node.kill()
            self.note(fault, node.number)
            self.at(self.pause(), self.start_server, node)
        elif fault == "server stopped":
            node.freeze()
            self.note(fault, node.number)
            self.at(self.stop_s(), self.thaw_server, node)
        elif fault == "call delivered late":
            self.note(fault, [node.number])
            self.lobby.relay.tell("strand", f"{node.number}-*")
            self.note(fault, [node.number], True)
            self.at(self.pause(), self.deliver_late, node, fault)
        else:
            way = self.rng.choice(["up", "down", "both"])
            self.lobby.relay.tell(*(["hold", f"{node.number}-*", way] if fault == "link held" else
                                    ["cut", f"{node.number}-*"]))
            self.note(fault, [node.number, way])
            self.at(self.stop_s() / 2, self.heal_link, node, fault)

    def start_server(self, node):
        node.start()
        self.note("server killed", node.number, True)
        self.broken.discard(node.number)
        self.killed.discard(node.number)

    def keep_running(self, node):
        self.at(SERVICE_S, self.keep_running, node)
        self.start_ended(node)

    def start_ended(self, node):
        """Does what ludusd.service has systemd do: a server that finds no database when it starts ends."""
        if node.runs() or node.number in self.killed:
            return
        if node.process.returncode != 1:
            self.crashes.append(f"server {node.number} ends with {node.process.returncode}")
        node.start()

    def thaw_server(self, node):
        node.thaw()
        self.note("server stopped", node.number, True)
        self.broken.discard(node.number)

    def deliver_late(self, node, fault):
        """What a server has sent before its connections broke arrives when it has gone on by others, and these break."""
        self.note(fault, [node.number])
        self.lobby.relay.tell("deliver", f"{node.number}-*")
        self.note(fault, [node.number], True)
        self.broken.discard(node.number)

    def heal_link(self, node, fault):
        self.lobby.relay.tell("heal", f"{node.number}-*")
        self.note(fault, [node.number], True)
        self.broken.discard(node.number)

    # Databases; one fault at a time, and the next comes when all three are there again

    def break_database(self):
        databases, fault = self.lobby.databases, self.choose(DATABASE_FAULTS)
        old = databases.primary
        if fault == "primary killed":
            old.kill()
            self.note(fault, old.name)
            self.at(self.rng.uniform(*DETECTION_S), self.fail_over, fault)
        elif fault == "primary started again":
            old.kill()
            self.note(fault, old.name)
            self.at(self.rng.uniform(0, 1), self.start_primary)
        elif fault == "primary stopped":
            old.freeze()
            self.note(fault, old.name)
            self.at(min(self.stop_s(), 15.0), self.thaw_primary)
        elif fault == "primary alone":
            for standby in databases.standbys():
                standby.kill()
            self.note(fault, old.name)
            self.at(self.rng.uniform(0.3, 1.5), self.restart_alone)
        elif fault == "old primary wakes":
            old.freeze()
            self.note(fault, old.name)
            self.at(self.rng.uniform(*DETECTION_S), self.fail_over, fault)
        elif fault == "statements cancelled":
            self.note(fault, old.name)
            self.at(0, self.cancel_statements, CANCELS)
        elif fault == "timeouts set":
            for name in TIMEOUTS:
                old.sql(f"ALTER SYSTEM SET {name} = '200ms'")
            old.sql("SELECT pg_reload_conf()")
            self.note(fault, old.name)
            self.at(min(self.stop_s(), 10.0), self.reset_timeouts)
        else:
            standby = self.rng.choice(databases.standbys())
            self.rng.choice([standby.stop, standby.freeze, standby.kill])()
            self.note(fault, standby.name)
            self.at(min(self.stop_s(), 15.0), self.start_standby, standby)

    def cancel_statements(self, left):
        """Cancels whatever runs for a server, also a commit that waits for a standby."""
        primary = self.lobby.databases.primary
        primary.sql("SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE usename = 'ludus' AND state = 'active'")
        if left > 1:
            self.at(CANCEL_S, self.cancel_statements, left - 1)
        else:
            self.note("statements cancelled", primary.name, True)
            self.whole_again()

    def reset_timeouts(self):
        primary = self.lobby.databases.primary
        for name in TIMEOUTS:
            primary.sql(f"ALTER SYSTEM RESET {name}")
        primary.sql("SELECT pg_reload_conf()")
        self.note("timeouts set", primary.name, True)
        self.whole_again()

    def restart_alone(self):
        """After this, commits of which no standby knows can be read. Then they are gone for good, so nobody
        may have been told of them."""
        self.lobby.databases.primary.kill()
        self.lobby.databases.primary.start()
        self.at(self.rng.uniform(0.3, 1.5), self.fail_over, "primary alone")

    def fail_over(self, fault):
        """Promotes a standby. The old primary may wake and stay for a while, with nobody to confirm its
        commits."""
        old = self.lobby.databases.primary
        self.lobby.databases.fail_over(fence=fault != "old primary wakes")
        self.note(fault, old.name, True)
        if fault == "old primary wakes":
            old.thaw()
        self.at(self.rng.uniform(1, 3), self.bring_back, old)

    def bring_back(self, old):
        self.rewound[self.lobby.databases.bring_back(old)] += 1
        self.note("old primary back", old.name)
        self.whole_again()

    def start_primary(self):
        self.lobby.databases.primary.start()
        self.note("primary started again", self.lobby.databases.primary.name, True)
        self.whole_again()

    def thaw_primary(self):
        self.lobby.databases.primary.thaw()
        self.note("primary stopped", self.lobby.databases.primary.name, True)
        self.whole_again()

    def start_standby(self, standby):
        standby.thaw()
        if not standby.runs():
            standby.start()
        self.note("standby stopped", standby.name, True)
        self.whole_again()

    def whole_again(self):
        self.lobby.databases.wait_for_standbys()
        self.at(self.pause(), self.break_database)
