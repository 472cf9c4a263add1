"""The server limits the time, memory and connections that each peer may use.

usage: test_limits.py BUILD_DIR
"""
import os
import resource
import signal
import sys
import time
from random import Random

sys.path.insert(1, sys.path[0] + "/../support")
sys.path.insert(1, sys.path[0] + "/../soak")
from samples import socket_kib
from harness import Checks, Connection, Server, build_folder, wait_until

BUILD = build_folder()
ANY_RATE = ["--rate", "0", "--chat-rate", "0", "--max-chat", "1000"]


def start(checks, *options):
    return Server(BUILD, "--no-bots", *options, checks=checks)


def reasons(peer):
    """Returns the types of all remaining messages, and the reasons in bye."""
    found = []
    while (message := peer.read()) is not None:
        found.append(message.get("reason", message["type"]))
    return found


def fast_matches(checks):
    """No limit slows a bot that plays fifty matches at full speed."""
    with Server(BUILD, "--bots", "random", checks=checks) as server:
        anna = server.connect("anna")
        wait_until(lambda: any(p["name"] == "bot:random" for p in anna.ask("who")["players"]), "a bot")
        anna.send(*["new clobber:5x6 black=bot:random"] * 50)
        over, refused = set(), []
        while len(over) < 50:
            message = anna.read()
            if message is None or message["type"] == "error":
                refused.append(message)
                break
            if message["type"] == "state" and message["status"] == "over":
                over.add(message["match"])
            elif message["type"] == "state" and message.get("legal"):
                anna.send(f"move {message['match']} {message['legal'][0]} ply={message['ply']}")
        checks.equal((len(over), refused), (50, []), "fifty fast matches")


def rate(checks):
    """A flooding peer is told when to try again, and disconnected if it goes on."""
    with start(checks, "--rate", "10") as server:
        peer = server.connect(silent=True)
        peer.send(*[f"#{i} ping" for i in range(300)])
        replies = []
        while (message := peer.read()) is not None:
            replies.append(message)
        kinds = [reply.get("code", reply["type"]) for reply in replies]
        # And what has come in during the seconds that the server takes.
        checks.check(20 <= kinds.count("pong") < 100, "two seconds' worth", kinds.count("pong"))
        checks.check(kinds.count("rate-limited") >= 100, "then no more", kinds)
        checks.equal(replies[-1], {"type": "bye", "reason": "too-many-errors"}, "the end of it")
        limited = [reply for reply in replies if reply.get("code") == "rate-limited"]
        checks.check(all(0 < reply["retry_ms"] <= 100 for reply in limited), "how long to wait")
        patient = server.connect()
        checks.equal(patient.ask("ping")["type"], "pong", "others are served")
    with start(checks, "--rate", "0") as server:
        peer = server.connect()
        peer.send(*["ping"] * 5000)
        checks.equal({peer.read()["type"] for _ in range(5000)}, {"pong"}, "no limit")


def connections_of_an_address(checks):
    with start(checks, "--limit-loopback", "--address-connections", "3") as server:
        peers = [server.connect() for _ in range(3)]
        late = server.connect()
        checks.equal(late.greeting["code"], "server-busy", "one too many")
        checks.equal(late.read(), {"type": "bye", "reason": "limit"}, "and closed")
        peers.pop().close()
        wait_until(lambda: peers[0].ask("stats")["connections"] == 2, "room")
        checks.equal(server.connect().greeting["type"], "hello", "one who left makes room")
    with start(checks, "--address-connections", "3") as server:
        peers = [server.connect() for _ in range(5)]
        checks.equal({peer.greeting["type"] for peer in peers}, {"hello"}, "loopback is trusted")


def connections_of_a_player(checks):
    """One more closes the oldest, whose place is then free."""
    with start(checks, "--player-connections", "2") as server:
        anna = server.connect("anna")
        checks.equal(anna.greeting["limits"]["player_connections"], 2, "the greeting tells")
        second, third = server.connect(), server.connect()
        checks.equal(second.ask(f"hello anna token={anna.token}")["type"], "ok", "a second one")
        checks.equal(third.ask(f"hello anna token={anna.token}")["type"], "ok", "a third one")
        checks.equal([anna.read() for _ in range(3)], [{"type": "windows", "count": 2}, {"type": "bye", "reason": "limit"}, None],
                     "closes the first")
        checks.equal(second.ask("who")["total"], 1, "one player")
        last = server.connect()
        last.ask(f"hello anna token={anna.token} only=yes")
        checks.equal([peer.wait_for("bye")["reason"] for peer in (second, third)], ["replaced"] * 2, "only=yes")


def full_of_strangers(checks):
    """The last tenth of the places is for networks with few connections. When the server is full, one
    from a network with many goes for one from another, if it has neither a name nor a match."""
    with start(checks, "--limit-loopback", "--max-connections", "20", "--no-web") as server:
        anna = Connection(server.port, "anna", address="127.0.0.2")
        bertha = Connection(server.port, "bertha", address="127.0.0.3")
        crowd = [Connection(server.port, address="127.0.0.3") for _ in range(16)]
        crowd[0].ask("new clobber")
        checks.equal(Connection(server.port, address="127.0.0.3").greeting.get("code"), "server-busy",
                     "the crowd leaves two places")
        others = [Connection(server.port, address=f"127.0.0.{i}") for i in (4, 5, 6)]
        checks.equal([other.greeting["type"] for other in others], ["hello"] * 3, "for others, and one more")
        checks.equal(crowd[1].read(), {"type": "bye", "reason": "limit"}, "one of the crowd goes")
        checks.equal(crowd[1].read(), None, "at once")
        for peer in (anna, bertha, crowd[0], *crowd[2:]):
            checks.equal(peer.ask("ping")["type"], "pong", "the others stay")


def rematches_with_house_bots(checks):
    """A rematch with a house bot counts for the address that asked, even after its peer has left."""
    with Server(BUILD, "--bots", "random", "--limit-loopback", "--address-matches", "2",
                checks=checks) as server:
        anna = server.connect("anna")
        wait_until(lambda: "bot:random" in [player["name"] for player in anna.ask("who")["players"]],
                   "the bot")
        match = anna.ask("new latrunculi white=bot:random black=me")["match"]
        anna.ask(f"resign {match}")
        anna.ask("new clobber")
        anna.send(f"rematch {match}", "quit")
        bob = server.connect("bob")
        wait_until(lambda: bob.ask("list")["total"] == 2, "a rematch")
        checks.equal(bob.ask("new clobber").get("code"), "limit-reached", "a match more")


def house_bots_are_free(checks):
    """A house bot needs no join code. Once admitted it has no limits: it does not count among the
    connections of its address, and may play faster than others."""
    with Server(BUILD, "--bots", "random", "--limit-loopback", "--address-connections", "2",
                "--rate", "10", "--code", "sesam", checks=checks) as server:
        anna = server.connect()
        anna.send("hello anna code=sesam")
        anna.send("new clobber:10x10 white=bot:random black=bot:random")
        over = anna.wait_for("state", status="over")
        checks.check(over["ply"] > 20, "longer than the burst", over["ply"])
        checks.equal(server.connect().greeting["type"], "hello", "there is another place")
        while (stats := anna.ask("stats"))["type"] == "error":
            time.sleep(stats["retry_ms"] / 1000)
        checks.equal(stats["errors_total"], 0, "the bot was never refused")


def mute(checks):
    with start(checks, "--first-line", "1") as server:
        half = server.connect(silent=True)
        half.send_bytes(b"pi")
        silent, talker = server.connect(silent=True), server.connect()
        checks.equal(silent.read(), {"type": "bye", "reason": "idle"}, "says nothing")
        checks.equal(half.read(), {"type": "bye", "reason": "idle"}, "says half a line")
        checks.equal(talker.ask("ping")["type"], "pong", "says something")


def slow_for_long(checks):
    """A quarter of the output limit, unread for too long, ends the connection."""
    with start(checks, "--slow", "1", *ANY_RATE) as server:
        lazy = Connection(server.port, receive_buffer=4096)
        lazy.send(*["new clobber"] * 100, *["list"] * 1000)
        wait_until(lambda: "slow-reader" in server.read_log(), "the slow reader's end")
        checks.equal(reasons(lazy)[-1:], ["slow-reader"], "it is told why")
        checks.equal(server.connect().ask("ping")["type"], "pong", "the server answers")


def others_do_not_close(checks):
    """A player that reads slowly is not closed for the chat and the challenges of others, which it may
    miss."""
    with start(checks, "--max-pending", "65536", "--watch-chat", "0", "--challenges", "0", "--max-matches",
               "10000", "--max-unfinished", "100000", *ANY_RATE) as server:
        victim = Connection(server.port, "victim", receive_buffer=4096)
        match = victim.ask("new latrunculi black=open")["match"]
        for i in range(20):
            peer = server.connect(f"watcher-{i}")
            peer.send(f"watch {match}", *[f"say {match} {'x' * 900}"] * 40)
            for _ in range(40):
                peer.ask(f"abort {peer.ask('new clobber black=victim')['match']}")
        checks.check("slow-reader" not in server.read_log(), "it is not closed")
        checks.equal(victim.ask("ping")["type"], "pong", "and reads on")


def never_reads_its_bye(checks):
    """A connection that is closed does not wait for its peer for ever."""
    with start(checks, *ANY_RATE) as server:
        witness = server.connect()
        lazy = Connection(server.port, receive_buffer=4096)
        lazy.send(*["new clobber"] * 100, *["list"] * 12, "quit")
        wait_until(lambda: witness.ask("stats")["commands_total"] >= 113, "all commands")
        wait_until(lambda: witness.ask("stats")["connections"] == 1, "the end")
        checks.equal(lazy.read()["type"], "ok", "though it has read nothing")


def kept_by_the_system(checks):
    """The kernel buffers little for a peer that does not read."""
    with start(checks, *ANY_RATE) as server:
        lazy = Connection(server.port, receive_buffer=4096)
        lazy.send(*["new clobber"] * 100, *["list"] * 400)
        kept = [0, -1]
        while len(set(kept[-10:])) > 1 or kept[-1] < 64:  # until it no longer changes
            time.sleep(0.05)
            kept.append(socket_kib(server.port))
        checks.check(max(kept) < 512, "KiB that wait to be read", max(kept))


def lines_before_answer(peer):
    """Returns how many lines come before the answer to #1."""
    count = 0
    while peer.read().get("id") != "1":
        count += 1
    return count



def others_come_first(checks):
    """However many commands one peer has sent, others wait for only a few of them."""
    with start(checks, *ANY_RATE) as server:
        flooder, others = server.connect(), [server.connect() for _ in range(8)]
        match = flooder.ask("new clobber")["match"]
        for other in others:
            other.ask(f"watch {match}")
        flooder.ask("ping")
        server.process.send_signal(signal.SIGSTOP)
        flooder.send(*[f"say {i}" for i in range(1000)])
        for other in others:
            other.send("#1 ping")
        server.process.send_signal(signal.SIGCONT)
        waited = [lines_before_answer(other) for other in others]
        checks.check(max(waited) <= 32, "at most two turns of the flooder", waited)


def work_counts(checks):
    """An expensive command counts as several, so others wait for fewer of these."""
    with start(checks, "--max-matches", "1000", *ANY_RATE) as server:
        flooder, others = server.connect(), [server.connect() for _ in range(8)]
        for other in others:
            other.ask("watch lobby")
        flooder.ask("ping")
        server.process.send_signal(signal.SIGSTOP)
        flooder.send(*["new clobber"] * 500)
        for other in others:
            other.send("#1 ping")
        server.process.send_signal(signal.SIGCONT)
        waited = [lines_before_answer(other) for other in others]
        checks.check(max(waited) <= 8, "at most two turns, each of four `new`", waited)


def long_match(anna, plies):
    """Plays legal moves at one keyboard until a match has `plies` plies; returns its id."""
    random = Random(1)
    for _ in range(100):
        match, state = anna.ask("new latrunculi white=me black=me")["match"], {"status": "open"}
        while state["status"] != "over":
            state = anna.wait_for("state", match=match)
            if state["ply"] == plies:
                return match
            if state["status"] == "playing":
                anna.send(f"move {match} {random.choice(state['legal'])}")
    raise AssertionError(f"no match of {plies} plies")


def positions_of_a_record(checks):
    """A record brings at most 200 positions."""
    with start(checks, *ANY_RATE) as server:
        anna = server.connect("anna")
        match = long_match(anna, 210)
        for first, count in ((0, 200), (10, 200), (11, 200), (12, 199), (210, 1)):
            record = anna.ask(f"record {match} positions={first}")
            checks.equal((len(record["moves"]), len(record["positions"])), (210, count), f"from {first}")


def resident_kib(server):
    with open(f"/proc/{server.process.pid}/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize() // 1024


ATTACKERS = 16


def never_reads(server, name):
    peer = Connection(server.port, receive_buffer=4096)
    peer.send(f"hello {name}", *["new clobber:10x10 black=open"] * 10, *["list"] * 500)
    return peer


def sends_no_line_end(server, _name):
    peer = server.connect()
    for _ in range(40):
        peer.send_bytes(b"x" * 65536)
    return peer


def opens_all(server, name):
    peer = server.connect(name)
    for _ in range(100):
        peer.ask("new xadrersi black=open")
    for row in peer.ask("list")["matches"]:
        peer.ask(f"watch {row['match']}")
    peer.ask("watch lobby")
    for row in peer.ask("list")["matches"]:
        if row["white"] == name:
            peer.ask(f"abort {row['match']}")
    return peer


def settle(witness):
    """Waits until the server has nothing more to do."""
    last, now = -1, 0
    while now > last + 1:
        last, now = now, witness.ask("stats")["commands_total"]
        time.sleep(0.05)


def one_wave(server, attack, wave):
    """Returns the memory in KiB before and with all attackers."""
    witness = server.connect()
    before = resident_kib(server)
    peers = [attack(server, f"a{wave}-{i}") for i in range(ATTACKERS)]
    settle(witness)
    most = resident_kib(server)
    for peer in peers:
        peer.close()
    wait_until(lambda: witness.ask("stats")["connections"] == 1, "the attackers' end")
    witness.close()
    return before, most


def memory(checks):
    """An attacker occupies less than 1 MiB, which the next one reuses."""
    for attack in (never_reads, sends_no_line_end, opens_all):
        with start(checks, "--keep-finished", "100", *ANY_RATE) as server:
            start_kib, most = one_wave(server, attack, 0)
            share = (most - start_kib) / ATTACKERS
            checks.check(share < 1024, f"{attack.__name__}: KiB of one attacker", round(share))
            for wave in range(1, 4):
                after, _ = one_wave(server, attack, wave)
            grown = after - start_kib
            if os.environ.get("SHOW"):
                print(attack.__name__, "share", round(share), "kept after three waves", grown)
            # Without reuse the memory of three waves would still be in use here.
            checks.check(grown < 2 * (most - start_kib) + 1024, f"{attack.__name__}: KiB left",
                         grown)


if __name__ == "__main__":
    sys.exit(Checks("test_limits").run([
        fast_matches, rate, connections_of_an_address, connections_of_a_player, full_of_strangers, house_bots_are_free,
        rematches_with_house_bots, mute, slow_for_long, others_do_not_close, never_reads_its_bye, kept_by_the_system,
        others_come_first, work_counts, positions_of_a_record, memory]))
