"""What a run of the cluster test came to: faults, changes, and how long people waited after a failure."""
from bisect import bisect
from collections import Counter, defaultdict

CHANGES = ("move", "new", "join", "draw", "decline", "resign", "abort")


class Summary:
    def __init__(self, told, nemesis):
        self.told, self.nemesis = told, nemesis
        self.faults = Counter(entry["fault"] for entry in nemesis.log if not entry["ended"])
        self.acknowledged = Counter({verb: len(list(told.acknowledged(verb))) for verb in CHANGES})
        self.missed = sum(event.get("event") == "missed" for event in told.events)
        self.homes, self.stays = self.find_stays()

    def find_stays(self):
        """Returns when each person was let in, and each stay as (who, node, from, until)."""
        homes, opened, stays = defaultdict(list), {}, []
        windows = {event["conn"] for event in self.told.events if event.get("event") == "window"}
        for said in self.told.acknowledged("hello"):
            if said.who.startswith("p") and said.conn not in windows:
                homes[said.who].append((said.reply_t, said.node))
        for event in self.told.events:
            if event.get("event") == "open" and event["conn"] not in windows:
                opened[event["conn"]] = event
            elif event.get("event") == "close" and event["conn"] in opened and event["who"].startswith("p"):
                stays.append((event["who"], event["node"], opened.pop(event["conn"])["t"], event["t"]))
        return homes, stays

    def after_killed_servers(self):
        """Returns for each person of a killed server when it was killed and when they were let in elsewhere."""
        waits = []
        for entry in self.faults_of("server killed"):
            for who, node, since, until in self.stays:
                if node == entry["what"] - 1 and since < entry["t"] < until < entry["t"] + 60:
                    waits += [(entry["t"], t) for t, _ in self.homes[who] if t > entry["t"]][:1]
        return waits

    def broken(self):
        """Returns the times (from, until) in which something was broken."""
        found, since = [], {}
        lasting = {entry["fault"] for entry in self.nemesis.log if entry["ended"]}
        for entry in self.nemesis.log:
            if entry["fault"] not in lasting:
                continue
            what = entry["what"][0] if isinstance(entry["what"], list) else entry["what"]
            if not entry["ended"]:
                since[entry["fault"], what] = entry["t"]
            elif (entry["fault"], what) in since:
                found.append((since.pop((entry["fault"], what)), entry["t"]))
        return found + [(start, float("inf")) for start in since.values()]

    def undisturbed(self, waits):
        """Returns those of the waits (from, until) in which nothing broke or was broken but their server."""
        broken = self.broken()
        return [(start, end) for start, end in waits
                if all(until < start or since > end or since == start for since, until in broken)]

    def after_killed_primaries(self):
        """Returns the seconds until each person had something acknowledged that they said afterwards."""
        changes = defaultdict(list)
        for verb in CHANGES:
            for said in self.told.acknowledged(verb):
                changes[said.who].append((said.t, said.reply_t))
        waits = []
        for entry in self.faults_of("primary killed"):
            for who, rows in changes.items():
                if any(t < entry["t"] for t, _ in rows):
                    waits += [min((end - entry["t"] for t, end in rows if t > entry["t"]), default=None)]
        return [wait for wait in waits if wait is not None]

    def after_promotions(self):
        """Returns the seconds from when a killed primary was replaced until anybody's change was acknowledged."""
        replies = sorted(said.reply_t for verb in CHANGES for said in self.told.acknowledged(verb))
        promoted = [entry["t"] for entry in self.nemesis.log if entry["fault"] == "primary killed" and entry["ended"]]
        return [replies[place] - t for t in promoted if (place := bisect(replies, t)) < len(replies)]

    def faults_of(self, fault):
        return [entry for entry in self.nemesis.log if entry["fault"] == fault and not entry["ended"]]

    def across(self):
        """Returns the share of moves whose mover was not at the server of the mover before."""
        by_ply = {(s.reply["match"], s.reply["ply"]): s.node for s in self.told.acknowledged("move")}
        pairs = [(node, by_ply[match, ply - 1]) for (match, ply), node in by_ply.items()
                 if (match, ply - 1) in by_ply]
        return sum(a != b for a, b in pairs) / max(1, len(pairs))

    def show(self, problems):
        for fault, count in sorted(self.faults.items()):
            print(f"  {fault:24} {count}")
        print(f"  rewound / copied anew    {self.nemesis.rewound[True]} / {self.nemesis.rewound[False]}")
        print(f"acknowledged changes {sum(self.acknowledged.values())}, of which moves "
              f"{self.acknowledged['move']}, {100 * self.across():.0f} % of them answer another server's")
        print(f"commands said again {self.told.resends}; states that had to be asked for {self.missed}")
        most = Counter(name for name, _ in self.told.came.values())
        print(f"connections of players {sum(most.values())}, at most {max(most.values(), default=0)} of one; only=yes "
              f"{sum('only=yes' in said.line for said in self.told.acknowledged('hello'))}, codes taken "
              f"{sum('device=' in said.line for said in self.told.acknowledged('hello'))}, tokens ended "
              f"{len(list(self.told.acknowledged('revoke')))}")
        print(f"matches {len(self.told.records)}, names {len(self.told.histories)}, states told "
              f"{len(self.told.states)}")
        print(f"lost {len(problems['lost'])}, twice {len(problems['twice'])}, other violations "
              f"{sum(map(len, problems.values())) - len(problems['lost']) - len(problems['twice'])}")
        killed = self.after_killed_servers()
        show_waits("killed servers, until let in elsewhere", lengths(killed))
        show_waits("  while nothing else was broken", lengths(self.undisturbed(killed)))
        show_waits("killed primaries, until a change was acknowledged", self.after_killed_primaries())
        show_waits("  from the promotion until anybody's was", self.after_promotions(), "times")


def lengths(waits):
    return [end - start for start, end in waits]


def show_waits(what, waits, of="people"):
    if waits:
        ordered = sorted(waits)
        print(f"{what}: median {ordered[len(ordered) // 2]:.2f} s, "
              f"p99 {ordered[min(len(ordered) - 1, int(0.99 * len(ordered)))]:.2f} s, {len(waits)} {of}")
