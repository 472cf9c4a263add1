"""Compares all that clients were told, at all servers, with what the servers know in the end.

Each rule_... yields a line for each violation. The rules know nothing of how servers share matches.
"""
import sys
from bisect import bisect_left, bisect_right
from collections import defaultdict

sys.path.insert(1, sys.path[0] + "/../crash")
import glicko
from nemesis import QUIET_S
from table import RULE_REASONS

CHARGED_MORE_MS = 500   # than anyone can have waited while their server could commit
ROUNDED = 1             # ratings are told as whole numbers
GIVEN_UP_S = 15         # after which a dead server's connections count no more: silence is noticed, and told of
READ_S = 5              # in which a server that has come back compares everything once
UNTOLD_S = 10           # in which a server that can commit says nothing of a change, but other things
LATE_S, LATE_MOST = 1.5, 2  # while nothing is broken, one in ten may be told later, or so many
LOST_S, LOST_IN_S = 4, 20  # a server that could commit nothing for less in this time is not taken for dead
ARRIVED_S, ARRIVED_MOST, ARRIVED_IN_S = 1.0, 2, 20  # one in twenty may be told later, or so many, of those who came before
CALM_S = 6              # without anything broken, before and after: servers have read everything
SCORES = {"1-0": 1.0, "0-1": 0.0, "1/2-1/2": 0.5}
WON_BY_OTHER = {"white": "0-1", "black": "1-0"}


def once_key(line):
    return next((word for word in line.split() if word.startswith("once=")), None)


def may_be_gone(told, match):
    """Whether a match may be over without a move, by what people were told, or guests left: it need not be kept. A move
    that was sent, and of which nobody heard, was none."""
    over = (match, "over") in told.first_told or match in told.of_guests
    return over and match not in told.moved


def rule_lost(told):
    """Whatever was acknowledged is in the record, in its place."""
    for said in told.acknowledged("move"):
        match, move = said.line.split()[1:3]
        record, ply = told.record(match), said.reply["ply"]
        if match in told.undone:
            continue
        if record is None or len(record["moves"]) < ply or record["moves"][ply - 1] != move:
            yield f"match {match}: {said.who} got ok for {move} as ply {ply}, the record has {record}"
    for said in told.acknowledged("new"):
        if told.record(said.reply["match"]) is None and not may_be_gone(told, said.reply["match"]):
            yield f"match {said.reply['match']}: {said.who} got ok for it, and it is gone"
    for said in told.acknowledged("resign"):
        record = told.record(match := said.line.split()[1])
        if record is None and may_be_gone(told, match):
            continue
        if record is None or record["reason"] != "resign" or \
                record["result"] != WON_BY_OTHER[color_of(told, said, record)]:
            yield f"{said.who} got ok for {said.line}, the record has {record}"
    for said in told.acknowledged("draw"):
        record = told.record(said.line.split()[1])
        if said.reply["agreed"] and (record is None or record["reason"] != "draw-agreed"):
            yield f"{said.who} got ok for {said.line}, the record has {record}"


def color_of(told, said, record):
    return "white" if record["white"] == told.name_at.get(said.conn) else "black"


def rule_twice(told):
    """One command is acknowledged for each ply, and one match for each key."""
    seen = {}
    for said in told.acknowledged("move"):
        key = (said.reply["match"], said.reply["ply"])
        if key in seen and key[0] not in told.undone:
            yield f"match {key[0]}: ply {key[1]} is acknowledged twice: {seen[key]} and {said}"
        seen[key] = said
    opened = {}
    for said in told.acknowledged("new"):
        key = (said.who, once_key(said.line))
        if key[1] and opened.setdefault(key, said.reply["match"]) != said.reply["match"]:
            yield f"{key}: opened {opened[key]} and {said.reply['match']}"


def rule_uninvited(told):
    """Every match of people with names was asked for once, and every move was played by its player."""
    asked_for = {said.reply["match"] for said in told.acknowledged("new")} | told.paired
    lost = defaultdict(set)
    for said in told.said:
        if said.line.startswith("new ") and said.reply is None:
            seats = dict(word.split("=") for word in said.line.split() if word[:6] in ("white=", "black="))
            me = told.name_at.get(said.conn)
            names = tuple(me if seats[color] == "me" else seats[color] for color in ("white", "black"))
            lost[names].add(once_key(said.line))
    for match, names in sorted(matches_of(told).items()):
        if match not in asked_for and not any(name is None or name.startswith("guest-") for name in names):
            if not lost[names]:
                yield f"match {match} of {names}: nobody opened it, or one `new` opened two"
            else:
                lost[names].pop()
    for match in told.records:
        for ply, move in enumerate((told.record(match) or {"moves": ()})["moves"]):
            color = ("white", "black")[ply % 2]
            if not any(said.line.split()[2] == move and told.name_at.get(said.conn) ==
                       told.record(match)[color] for said in told.moves[match, ply]):
                yield f"match {match}: {color} never played {move} at ply {ply}"


def matches_of(told):
    """Returns {match: (white, black)} of all that any server lists, or anyone was told of."""
    found = {}
    for match in told.records:
        if (record := told.record(match)) is not None:
            found[match] = (record["white"], record["black"])
    for _, message in (row for rows in (told.lists, *told.histories.values()) for row in rows):
        for row in message.get("matches", ()):
            found[row["match"]] = (row["white"], row["black"])
    return found


def rule_one_history(told):
    """All states of a ply are equal, and in the record; and no connection goes back."""
    positions, latest = {}, {}
    for event, state in told.states:
        match, ply = state["match"], state["ply"]
        if match in told.undone:
            continue
        shown = (state["position"], state["last"])
        if positions.setdefault((match, ply), shown) != shown:
            yield f"match {match}, ply {ply}: {positions[match, ply]} and {shown}"
        record = told.record(match)
        gone = record is None and may_be_gone(told, match)
        if not gone and (record is None or len(record["moves"]) < ply or
                         state["last"] != (record["moves"][ply - 1] if ply else None)):
            yield f"match {match}: {event['who']} was told of {state['last']} as ply {ply}, not in {record}"
        now = (state["status"] == "over", ply)
        if now < latest.get((event["conn"], match), now):
            yield f"match {match}: {event['who']} was taken back from {latest[event['conn'], match]} to {now}"
        latest[event["conn"], match] = now


def rule_one_result(told):
    """A match has one end, everywhere and for ever."""
    ends = {}
    for event, state in told.states:
        if state["status"] == "over":
            end = (state["result"], state["reason"])
            if ends.setdefault(state["match"], end) != end:
                yield f"match {state['match']}: {ends[state['match']]}, and {end} to {event['who']}"
    for match, rows in told.records.items():
        for node, record in rows:
            if record["type"] != "record" and may_be_gone(told, match):
                continue
            if record["type"] != "record":
                yield f"match {match}: server {node} has no record: {record}"
            elif record != {**told.record(match), "id": record["id"]}:
                yield f"match {match}: servers differ: {told.record(match)} and {record}"
            elif match in ends and ends[match] != (record["result"], record["reason"]):
                yield f"match {match}: told {ends[match]}, recorded {record}"


def rule_ended(told):
    """In the end no match is left over."""
    for event in told.events:
        if event.get("event") == "unfinished":
            yield f"{event['who']} waits for {event['matches'] or 'a server'}"
    for node, message in told.lists:
        for row in message["matches"]:
            yield f"server {node} still lists {row}"


def rule_servers(told):
    """In the end each server knows all."""
    for node, known in told.nodes.items():
        if known != len(told.nodes):
            yield f"server {node} knows {known} of {len(told.nodes)}"


def rule_one_owner(told):
    """A name is given away once."""
    given = {}
    for said in told.acknowledged("hello"):
        name, token = said.reply["name"].lower(), said.reply.get("token")
        if "token=" not in said.line and "device=" not in said.line and not said.reply["name"].startswith("guest-"):
            if given.setdefault(name, (said.who, token)) != (said.who, token):
                yield f"{name} belongs to {given[name]} and {(said.who, token)}"


def rule_one_seat(told):
    """A seat is given away once."""
    taken = {}
    for said in told.acknowledged("join"):
        seat = (said.reply["match"], said.reply["color"])
        if taken.setdefault(seat, said.who) != said.who:
            yield f"match {seat[0]}: {seat[1]} was given to {taken[seat]} and {said.who}"


def rule_by_the_rules(told, referee):
    """The moves of every record are legal and lead to its result."""
    for match in told.records:
        record = told.record(match)
        if record is None:
            continue
        found = referee.ask_engine(f"{record['game']}:{record['variant']}", record["start"], record["moves"])
        by_game = found and found[1] != "*"
        if found is None or by_game != (record["reason"] in RULE_REASONS) or \
                by_game and found[1:] != (record["result"], record["reason"]):
            yield f"match {match}: the rules say {found}, the record {record}"


def rule_ratings(told):
    """Every rating is what the results before it add up to."""
    queues = {name: [row["match"] for row in reversed(rows[0][1]["matches"])]
              for name, rows in told.histories.items() if rows[0][1]["type"] == "history"}
    for name, rows in told.histories.items():
        for node, message in rows:
            if message.get("matches") != rows[0][1].get("matches"):
                yield f"{name}: servers {rows[0][0]} and {node} tell different histories"
    for match in told.records:
        record = told.record(match)
        if record is not None and record["result"] != "*":
            for name in (record["white"], record["black"]):
                if name in queues and match not in queues[name]:
                    yield f"{name}: the history has no match {match}"
    ratings, heads = {}, [name for name in queues]
    while heads:
        name = heads.pop()
        while queues[name]:
            match = queues[name][0]
            record = told.record(match)
            players = (record["white"], record["black"]) if record else ()
            if record is None or any(queues.get(player, [])[:1] != [match] for player in players):
                break
            for player in players:
                queues[player].pop(0)
                heads += [player] if player != name else []
            yield from fold(ratings, match, record)
    for name, left in queues.items():
        if left:
            yield f"{name}: the histories of two players have {left[0]} in different orders, or it is lost"


def fold(ratings, match, record):
    """Adds a match to the ratings; yields a line if its record tells others."""
    if record["result"] == "*" or len(record["moves"]) < 2 or not record["rated"]:  # as moves were taken back
        for color in ("white", "black"):
            if record[f"{color}_rating"] is not None:
                yield f"match {match}: {record[color]} is rated, though it does not count"
        return
    variant, score = f"{record['game']}:{record['variant']}", SCORES[record["result"]]
    before = [ratings.get((record[color], variant), glicko.START) for color in ("white", "black")]
    for color, own, other, points in (("white", *before, score), ("black", *before[::-1], 1 - score)):
        ratings[record[color], variant] = now = glicko.update(own, other, points)
        said = record[f"{color}_rating"]
        if said is None or abs(said - now[0]) > ROUNDED:
            yield f"match {match}: {record[color]} is told {said}, the results give {now[0]:.2f}"


def rule_tournaments(told):
    """All servers show the same of a tournament: its results are those of its matches, and make up the scores."""
    for number, rows in told.tournaments.items():
        tables = [(node, table_of(message)) for node, message in rows]
        for node, table in tables:
            if table != tables[0][1]:
                yield f"tournament {number}: server {tables[0][0]} shows {tables[0][1]}, {node} {table}"
        yield from wrong_scores(told, number, rows[0][1])


def table_of(message):
    """Returns what must be equal at all servers: not who is connected."""
    players = [{**row, "online": None} for row in message.get("players", ())]
    return {**message, "id": None, "players": players}


def wrong_scores(told, number, message):
    scores, matches = defaultdict(float), []
    for pairing in (one for turn in message.get("rounds", ()) for one in turn["pairings"]):
        white, black, match = pairing["white"], pairing["black"], pairing["match"]
        if black is None:
            scores[white] += 1
            continue
        if match is not None:
            matches.append(match)
            record = told.record(match)
            went_on = message["status"] == "aborted" and pairing["result"] == "*"  # as a match of its own
            if (record is None or record["result"] != pairing["result"]) and pairing["result"] != "0-0" and not went_on:
                yield f"tournament {number}: {pairing}, the record has {record}"
        won = SCORES.get(pairing["result"], 0)
        scores[white] += won
        scores[black] += 1 - won if pairing["result"] in SCORES else 0
    if len(set(matches)) != len(matches):
        yield f"tournament {number}: a match counts twice: {matches}"
    for row in message.get("players", ()):
        if row["score"] != scores[row["name"]] and message["status"] != "aborted":
            yield f"tournament {number}: {row['name']} has {row['score']}, the results give {scores[row['name']]}"


def rule_clocks(told):
    """Nobody is charged for more time than passed, and no flag falls early."""
    for match in told.records:
        record = told.record(match)
        if record is None or record["clock"] is None or match in told.undone:
            continue
        times = record["times_ms"]
        for ply in range(1, len(times)):
            servers = set().union(*({(said.node, said.conn)} | told.seen_at[match, ply, said.who]
                                    for said in told.moves.get((match, ply), ())))
            passed = passed_ms(told, match, ply, (match, ply + 1), servers)
            if passed is not None and times[ply] > passed + CHARGED_MORE_MS:
                yield f"match {match}: ply {ply} is charged {times[ply]} ms, at most {passed:.0f} passed"
        if record["reason"] == "timeout":
            yield from early_flag(told, match, record)


def passed_ms(told, match, ply, key, servers):
    """Returns the time from the first time that the ply before was sent until anyone was told of `key`,
    without the time in which none of `servers` can have committed anything. None if nobody was told."""
    sent = told.moves.get((match, ply - 1))
    if not sent or key not in told.first_told:
        return None
    since, until = sent[0].t, told.first_told[key]
    away_s = min((time_away(told, server, conn, since, until) for server, conn in servers), default=0)
    return (until - since - away_s) * 1000


def time_away(told, server, conn, since, until):
    """Returns for how long the server could commit nothing: no primary answered, or it was cut off while this player was
    connected to it."""
    opened = told.opened.get(conn, until)
    cuts = [(max(start, opened), end) for start, end in told.cuts[server] if start < until and end > since]
    return length_of([span for span in told.outages[server] if span[0] < until and span[1] > since] + cuts, since, until)


def length_of(spans, since, until):
    """Returns how much of that time is in any of the spans."""
    length_s = 0
    for start, end in sorted(spans):
        start = max(start, since)
        end = min(end, until)
        if start < end:
            length_s += end - start
            since = end
    return length_s


def early_flag(told, match, record):
    loser = 0 if record["result"] == "0-1" else 1
    times, clock = record["times_ms"], record["clock"]
    own = [ply for ply in range(len(times)) if ply % 2 == loser]
    left = clock["base_ms"] + clock["increment_ms"] * len(own) - sum(times[ply] for ply in own if ply)
    passed = passed_ms(told, match, len(times), (match, "over"), {(server, None) for server in told.outages})
    if passed is not None and passed + CHARGED_MORE_MS < left:
        yield f"match {match}: the flag fell after {passed:.0f} ms, there were {left} left"


def stage_of(state):
    """Returns how far a match is; None while it is open."""
    rank = ("open", "playing", "over").index(state["status"])
    return (rank, state["ply"]) if rank else None


def first_stages(told):
    """Returns the matches of each name: {name: {match: [(when anybody was first told of it, stage)]}}."""
    first, players = {}, defaultdict(set)
    for event, state in told.states:
        stage = stage_of(state)
        if stage is not None:
            key = (state["match"], stage)
            first[key] = min(event["t"], first.get(key, event["t"]))
        players[state["match"]] |= {seat["name"] for seat in state.get("players", {}).values() if seat and seat["seated"]}
    found = defaultdict(lambda: defaultdict(list))
    for (match, stage), t in first.items():
        for name in players[match]:
            if match not in told.undone:
                found[name][match].append((t, stage))
    return found


def rule_untold(told):
    """Who is connected to a server that can commit is told, without asking, how their matches stand."""
    stages = first_stages(told)
    for conn, name in told.name_at.items():
        heard = told.heard[conn]
        since = next(e["t"] for e in heard if e["hear"]["type"] == "ok" and e["hear"].get("name") == name)
        node, until = heard[0]["node"], heard[-1]["t"]
        pushed = defaultdict(list)
        for event in heard:
            asked = "id" in event["hear"] and event["t"] > since + 2  # else they look what was before they came
            if event["hear"]["type"] == "state" and not asked and stage_of(event["hear"]):
                pushed[event["hear"]["match"]].append((event["t"], stage_of(event["hear"])))
        times = [event["t"] for event in heard]
        for match, changes in stages[name].items():
            for t, stage in changes:
                if not since < t < until:
                    continue
                over = told.first_told.get((match, "over"), until)
                is_new = not any(at <= t for at, _ in pushed[match])
                if is_new and over < t + UNTOLD_S:
                    continue  # a match that is over before their server could tell of it is not told
                end = min((at for at, then in pushed[match] if then >= stage), default=until)
                meanwhile = heard[bisect_right(times, t):bisect_left(times, end)]
                seconds = {int(e["t"]) for e in meanwhile if
                           not any(start <= e["t"] <= stop for start, stop in [*told.outages[node], *told.cuts[node]])}
                if len(seconds) > UNTOLD_S:
                    yield f"match {match}: {name} at server {node} is not told of {stage} in {len(seconds)} s"
                    break


def shown(state):
    """Returns what a state says of its match. Of offers events tell, too."""
    return {key: state.get(key) for key in ("status", "ply", "turn", "position", "last", "result", "reason")}


def standstills(told):
    """Yields each event `stood` with the states that the audit was told, as {match: [(server, state)]}."""
    heard_by_audit = [(heard, state) for heard, state in told.states if heard["who"] == "audit"]
    for event in told.stood:
        answers = defaultdict(list)
        for heard, state in heard_by_audit:
            if event["asked"] <= heard["t"] <= event["t"]:
                answers[state["match"]].append((heard["node"], state))
        yield event, answers


def rule_converged(told):
    """When nobody says anything and nothing is broken any more, all servers soon tell the same of a match, and have told
    it to everyone in it who is connected. A clock may end it meanwhile."""
    for event, answers in standstills(told):
        if event["answering"] != len(told.nodes):
            yield f"at {event['t']} {event['answering']} of {len(told.nodes)} servers answer"
        for match, rows in answers.items():
            if event["asked"] - 1 < told.first_told.get((match, "over"), 0) < event["t"]:
                continue
            kept = shown(rows[0][1])
            for node, state in rows:
                if (shown(state), state.get("offers")) != (kept, rows[0][1].get("offers")):
                    yield f"match {match}: at {event['t']} server {rows[0][0]} tells {rows[0][1]}, {node} {state}"
            yield from not_told(told, event, match, rows[0][1])


def not_told(told, event, match, kept):
    """Yields a line for each connection that was there all the time and was not told of how a match stands."""
    names = {seat["name"] for seat in kept.get("players", {}).values() if seat and seat["seated"]}
    for conn in (conn for name in names for conn in told.conns[name]):
        if told.came[conn][1] > event["since"] or told.ended(conn) < event["t"]:
            continue
        heard = [e["hear"] for e in told.heard[conn] if e["hear"]["type"] == "state" and e["hear"]["match"] == match and
                 e["t"] < event["asked"]]
        if shown(heard[-1]) != shown(kept) if heard else kept["status"] == "playing":
            yield f"match {match}: at {event['t']} connection {conn} was told {shown(heard[-1]) if heard else None}, it " \
                  f"stands {shown(kept)}"


def rule_soon(told):
    """While nothing is broken, people are told at once of what was done at another server."""
    first = {}  # by (match, stage): the first time that anybody was told of it
    for event, state in sorted(told.states, key=lambda row: row[0]["t"]):
        if (stage := stage_of(state)) is not None:
            first.setdefault((state["match"], stage), (event["t"], event["node"], state.get("players", {})))
    for event in told.stood:
        since, until = event["t"], event["t"] + QUIET_S
        waits = [wait for (match, stage), (t, node, players) in first.items() if since < t < until - 2 * LATE_S
                 for conn in connections_of(told, players, node, since, until)
                 for wait in [when_told(told, conn, match, stage, until) - t]]
        late = sum(wait > LATE_S for wait in waits)
        if late > max(LATE_MOST, len(waits) / 10):
            yield f"from {since} on, {late} of {len(waits)} changes are told later than {LATE_S} s, the latest after " \
                  f"{max(waits):.1f} s"


def connections_of(told, players, node, since, until):
    """Returns the connections of players at other servers than `node` that were there all that time."""
    return [conn for seat in players.values() if seat and seat["seated"] for conn in told.conns[seat["name"]]
            if told.heard[conn][0]["node"] != node and told.came[conn][1] < since and told.ended(conn) > until]


def when_told(told, conn, match, stage, until):
    """Returns when a connection was told of a match that it was so far, or further; `until` if it was not."""
    return min((e["t"] for e in told.heard[conn] if e["hear"]["type"] == "state" and e["hear"]["match"] == match and
                (stage_of(e["hear"]) or (0, 0)) >= stage), default=until)


def spans_of(told, node):
    """Returns the times in which something was broken at a server, or the database for it."""
    return [*told.outages[node], *told.cuts[node], *told.stops[node]]


def is_calm(told, node, since, until):
    return not any(start < until and end > since for start, end in spans_of(told, node))


def rule_arrivals(told):
    """Who comes to a server where nobody of their match was is told at once of the next thing that is done elsewhere."""
    changes, opened, names, waits = defaultdict(dict), {}, defaultdict(set), []
    for event, state in sorted(told.states, key=lambda row: row[0]["t"]):
        match = state["match"]
        opened.setdefault(match, event["t"])
        names[match] |= {seat["name"] for seat in state.get("players", {}).values() if seat and seat["seated"]}
        if (stage := stage_of(state)) is not None:
            changes[match].setdefault(stage, (event["t"], event["node"]))
    for match, players in names.items():
        if match in told.undone or not changes[match]:
            continue
        last = max(t for t, _ in changes[match].values())
        conns = [conn for name in players for conn in told.conns[name]
                 if told.came[conn][1] < last and told.ended(conn) > opened[match] - 1]
        for conn in conns:
            came, node, end = told.came[conn][1], told.heard[conn][0]["node"], told.ended(conn) - CALM_S
            was_known = came < opened[match] or any(
                told.heard[other][0]["node"] == node and other != conn and told.came[other][1] <= came for other in conns)
            stage, (t, where) = min(((stage, at) for stage, at in changes[match].items() if at[0] > came + ARRIVED_S / 4),
                                    key=lambda row: row[1][0], default=(None, (0, node)))
            if not was_known and where != node and t < min(end, came + ARRIVED_IN_S) and \
                    is_calm(told, node, came - CALM_S, t + CALM_S / 2) and is_calm(told, where, t - CALM_S, t + 1):
                waits.append(when_told(told, conn, match, stage, end + CALM_S) - t)
    late = sum(wait > ARRIVED_S for wait in waits)
    if late > max(ARRIVED_MOST, len(waits) / 20):
        yield f"{late} of {len(waits)} who came to a server were told later than {ARRIVED_S} s, the latest after {max(waits):.1f} s"


def rule_returns(told):
    """Who comes back to the server that they have just left is not gone: what others who stay are told in the end is that
    they are here."""
    said = defaultdict(list)  # by name: (when, connection, server, whether they are here)
    for event in told.events:
        heard = event.get("hear", {})
        if heard.get("type") == "presence":
            said[heard["name"]].append((event["t"], event["conn"], event["node"], heard["online"]))
        elif heard.get("type") == "state":
            for seat in heard.get("players", {}).values():
                if seat and "online" in seat:
                    said[seat["name"]].append((event["t"], event["conn"], event["node"], seat["online"]))
    for name, conns in told.conns.items():
        for conn in conns:
            came, node = told.came[conn][1], told.heard[conn][0]["node"]
            left = any(told.heard[other][0]["node"] == node and came - 1 < told.ended(other) < came for other in conns)
            if not left or told.ended(conn) < came + CALM_S or not is_calm(told, node, came - CALM_S, came + CALM_S):
                continue
            span = slice(*(bisect_left(said[name], (t,)) for t in (came - 1, came + CALM_S / 2)))
            last = {listener: (where, here) for _, listener, where, here in said[name][span]}
            yield from (f"{name} comes back to server {node} at {came}, and connection {listener} at server {where} is told "
                        f"that they are gone" for listener, (where, here) in last.items()
                        if not here and told.ended(listener) > came + CALM_S / 2 and
                        is_calm(told, where, came - CALM_S, came + CALM_S))


def rule_node_lost(told):
    """A server sends everyone elsewhere only after it could commit nothing for a while."""
    seen = set()
    for event in told.events:
        heard, node, t = event.get("hear", {}), event.get("node"), event["t"]
        if heard.get("type") != "bye" or heard["reason"] != "node-lost" or (node, int(t)) in seen:
            continue
        seen.add((node, int(t)))  # it says so to all at once
        if (broken_s := length_of(spans_of(told, node), t - LOST_IN_S, t)) < LOST_S:
            yield f"server {node} sends everyone elsewhere at {t}, though it could commit nothing for {broken_s:.1f} s only"


def healthy_seconds(told, conn, since, until=float("inf")):
    """Returns the seconds in which a connection heard something other than its end, while its server could commit."""
    heard = told.heard[conn]
    broken = [*told.outages[heard[0]["node"]], *told.cuts[heard[0]["node"]]] if heard else []
    return {int(e["t"]) for e in heard if since < e["t"] < until and e["hear"]["type"] != "bye" and
            not any(start <= e["t"] <= stop for start, stop in broken)}


def rule_ended_connections(told):
    """Connections of a token that has ended, and others where one is to be the only one, end at all servers; and a code
    is taken once."""
    for event in told.events:
        if event.get("event") == "revoked" and len(healthy_seconds(told, event["conn"], event["t"])) > UNTOLD_S:
            yield f"{event['who']} at server {event['node']} goes on with a token that has ended"
    for said in told.acknowledged("hello"):
        if "only=yes" not in said.line:
            continue
        for conn, (name, since) in told.came.items():
            if name == said.reply["name"] and conn != said.conn and since < said.t and \
                    len(healthy_seconds(told, conn, said.reply_t)) > UNTOLD_S:
                yield f"{name}: connection {conn} goes on, though {said.conn} is the only one since {said.reply_t}"
    codes = {}
    for said in told.acknowledged("hello"):
        if "device=" in said.line and codes.setdefault(key := said.line.split()[2], said.conn) != said.conn:
            yield f"{key} was taken by {codes[key]} and {said.conn}"


def is_blind(told, node, t):
    """Whether a server may not have read everything since it was cut off, or stopped."""
    return not is_calm(told, node, t - READ_S, t)


def rule_presence(told):
    """Nobody is said to be gone of whom a server has had a connection all the time, by one that could read of it."""
    for event in told.events:
        heard = event.get("hear", {})
        if heard.get("type") == "presence":
            gone = [heard["name"]] if not heard["online"] else []
        elif heard.get("type") == "state" and heard["status"] == "playing":
            gone = [seat["name"] for seat in heard["players"].values() if seat and not seat.get("online", True)]
        else:
            continue
        if is_blind(told, event["node"], event["t"]):
            continue
        for name in gone:
            for conn in told.conns[name]:
                since = told.came[conn][1]
                if since < event["t"] - UNTOLD_S and told.heard[conn][-1]["t"] > event["t"] + 2 and \
                        len(healthy_seconds(told, conn, event["t"] - UNTOLD_S, event["t"] + 2)) >= UNTOLD_S:
                    yield f"{event['who']} at server {event['node']} is told at {event['t']} that {name} is gone, who " \
                          f"is there by connection {conn} since {since}"
                    break


def is_given_up(told, conn, since, until):
    """Whether the server of a connection was stopped, or cut off, for some of that time."""
    node = told.heard[conn][0]["node"]
    return any(start < until and end > since for start, end in (*told.stops[node], *told.cuts[node]))


def rule_windows(told):
    """Who is connected is told how many connections the player has, soon after the last one came or went. One whose
    hello got no answer may be among them, until a while after its end, and one at a server that is stopped or cut off,
    until that is given up."""
    for name, conns in told.conns.items():
        if len(conns) < 2:
            continue
        changes = sorted([told.came[conn][1] for conn in conns] + [told.ended(conn) for conn in conns])
        for since, until in zip(changes, changes[1:]):
            there = [conn for conn in conns if told.came[conn][1] <= since and told.ended(conn) >= until]
            maybe = {conn for conn, when in told.asked[name] if when < until and told.ended(conn) > since - UNTOLD_S}
            given_up = {conn for conn in there if is_given_up(told, conn, since - GIVEN_UP_S, until)}
            maybe |= given_up
            there = [conn for conn in there if conn not in given_up]
            for conn in there:
                if len(healthy_seconds(told, conn, since, until)) <= GIVEN_UP_S:
                    continue
                counts = [e["hear"]["count"] for e in told.heard[conn] if e["hear"]["type"] == "windows" and
                          e["t"] < until - 1]  # the next one may be told of before it knows that it is in
                if not len(there) <= (counts or [1])[-1] <= len(there) + len(maybe):
                    yield f"{name}: connection {conn} knows {counts[-1:]} of {len(there)} from {since} to {until}"


def rule_versions(versions):
    """Rows of the database: match, entries, first version, last version."""
    for match, count, first, last in versions:
        if int(first) not in (0, 1) or int(last) - int(first) + 1 != int(count):
            yield f"match {match}: {count} entries from version {first} to {last}"


RULES = {function.__name__[5:]: function for function in (
    rule_lost, rule_twice, rule_uninvited, rule_one_history, rule_one_result, rule_ended, rule_servers,
    rule_one_owner, rule_one_seat, rule_ratings, rule_tournaments, rule_clocks, rule_untold, rule_converged, rule_soon,
    rule_arrivals, rule_returns, rule_node_lost, rule_ended_connections, rule_presence, rule_windows)}


def check(told, referee, versions):
    """Returns {rule: violations}."""
    found = {name: list(rule(told)) for name, rule in RULES.items()}
    found["by_the_rules"] = list(rule_by_the_rules(told, referee))
    found["versions"] = list(rule_versions(versions))
    return found
