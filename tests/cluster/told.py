"""The history of a crowd, in the order that the checker needs."""
import json
from collections import defaultdict, namedtuple

# A command, when it was said, by whom; and its reply (None without one)
Said = namedtuple("Said", "t who conn node line reply reply_t")


def read(path):
    with open(path) as file:
        return [json.loads(line) for line in file]


class Told:
    """`said` has all commands; `states` all (event, state); `records`, `histories` and `tournaments` what the
    audit heard, by match, name or id: [(node, message)]; `paired` the matches of tournaments; `nodes` how many servers each knew then. `outages` has
    the times (from, until) without a database at which a server ran, by server; `cuts` those in which it was
    cut off, and `stops` those in which it was stopped. `stood` has the ends of standstills."""

    def __init__(self, events, outages=None, cuts=None, stops=None):
        self.events = events
        self.outages, self.cuts, self.stops = (defaultdict(list, spans or {}) for spans in (outages, cuts, stops))
        self.said, self.states, self.lists, self.nodes = [], [], [], {}
        self.records, self.histories, self.tournaments = (defaultdict(list) for _ in range(3))
        self.moves, self.resends = defaultdict(list), 0  # by (match, ply before): said moves
        self.name_at = {}                                # by connection
        self.came, self.conns = {}, defaultdict(list)    # by connection: (name, when); by name: connections
        self.asked = defaultdict(list)                   # by name: (connection, when) of each hello without an ok
        replies = {(e["conn"], e["hear"]["id"]): e for e in events if "id" in e.get("hear", {})}
        for event in events:
            if "say" in event:
                self.add_said(event, replies.get((event["conn"], event["id"])))
            elif event.get("hear", {}).get("type") == "state":
                self.states.append((event, event["hear"]))
        self.heard = defaultdict(list)   # by connection: events
        for event in events:
            if "hear" in event:
                self.heard[event["conn"]].append(event)
        self.stood = [event for event in events if event.get("event") == "stood"]
        self.closed = {event["conn"]: event["t"] for event in events if event.get("event") == "close"}
        self.ends = {}                   # by connection: when, as far as it was asked for
        self.opened = {}                 # by connection: when
        for event in events:
            if "conn" in event:
                self.opened.setdefault(event["conn"], event["t"])
        self.seen_at = defaultdict(set)  # by (match, ply, person): (server, connection) where they were told of it
        for event, state in self.states:
            self.seen_at[state["match"], state["ply"], event["who"]].add((event["node"], event["conn"]))
        self.first_told = self.find_first_told()
        self.moved = {match for match, what in self.first_told if what not in ("over", 0)}  # matches of which a ply was told
        self.of_guests = {said.reply["match"] for said in self.acknowledged("new") if said.who.startswith("g-")} | {
            state["match"] for _, state in self.states
            if any(player and player["name"].startswith("guest-") for player in state.get("players", {}).values())}
        self.paired = {state["match"] for _, state in self.states if "tournament" in state}
        # Matches in which moves may have been taken back, so that a ply may have been played twice.
        self.undone = {said.line.split()[1] for said in self.said if said.line.startswith("undo ") and
                       (said.reply is None or said.reply.get("agreed"))}

    def add_said(self, event, heard):
        reply = heard and heard["hear"]
        said = Said(event["t"], event["who"], event["conn"], event["node"], event["say"], reply,
                    heard and heard["t"])
        self.said.append(said)
        verb, *words = said.line.split()
        if verb == "move":
            key = (words[0], int(words[2].split("=")[1]))
            self.resends += bool(self.moves[key])
            self.moves[key].append(said)
        elif verb == "hello" and (not reply or reply["type"] != "ok"):
            self.asked[words[0]].append((said.conn, said.t))
        elif verb == "hello":
            self.name_at[said.conn] = reply["name"]
            if said.conn not in self.came:
                self.came[said.conn] = (reply["name"], said.reply_t)
                self.conns[reply["name"]].append(said.conn)
        elif said.who == "audit" and reply is not None:
            self.add_audit(said, verb, words, reply)

    def add_audit(self, said, verb, words, reply):
        if verb == "record":
            rows = self.records[words[0]]
            rows[:] = [row for row in rows if row[0] != said.node] + [(said.node, reply)]
        elif verb == "history":
            self.histories[words[0]].append((said.node, reply))
        elif verb == "tournament":
            self.tournaments[words[1]].append((said.node, reply))
        elif verb == "list":
            self.lists.append((said.node, reply))
        elif verb == "stats":
            self.nodes[said.node] = reply.get("nodes", 1)

    def find_first_told(self):
        """Returns when anyone was first told of a ply, by (match, ply), or of the end, by (match, "over")."""
        first = {}

        def note(key, t):
            first[key] = min(t, first.get(key, t))
        for event, state in self.states:
            note((state["match"], state["ply"]), event["t"])
            if state["status"] == "over":
                note((state["match"], "over"), event["t"])
        for said in self.acknowledged("move"):
            note((said.reply["match"], said.reply["ply"]), said.reply_t)
        return first

    def ended(self, conn):
        """Returns when a connection has ended, by what was heard there or by its person."""
        if conn not in self.ends:
            heard = self.heard[conn]
            byes = [e["t"] for e in heard if e["hear"]["type"] == "bye"]
            self.ends[conn] = min([*byes, self.closed.get(conn, heard[-1]["t"] if heard else self.opened[conn])])
        return self.ends[conn]

    def acknowledged(self, verb):
        """Yields the commands of that verb that got an `ok`."""
        for said in self.said:
            if said.line.startswith(verb + " ") and said.reply and said.reply["type"] == "ok":
                yield said

    def record(self, match):
        """Returns one server's record; None if none has one."""
        return next((m for _, m in self.records.get(match, ()) if m["type"] == "record"), None)
