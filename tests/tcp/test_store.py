"""The store across restarts: starts that must fail, and returning players."""
import contextlib
import hashlib
import os
import re
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile

sys.path.insert(1, sys.path[0] + "/../support")
sys.path.insert(1, sys.path[0] + "/../crash")
from harness import LIMIT_S, Checks, Connection, Server, build_folder, read_again, wait_until
from ludusd import Ludusd, free_port

FILE = "ludus.db"


class Place:
    """A temporary directory with a store; a context manager."""

    def __enter__(self):
        self.folder = tempfile.mkdtemp(prefix="store-", dir=build_folder())
        self.data = os.path.join(self.folder, "data")
        return self

    def __exit__(self, *error):
        shutil.rmtree(self.folder)

    @property
    def file(self):
        return os.path.join(self.data, FILE)

    def server(self, *options):
        return Ludusd(build_folder(), self.data, free_port(), options)

    def fill(self, matches=40):
        """Creates a store with contents and without a server."""
        server = self.server("--no-bots", "--challenges", "0")
        server.start_and_wait()
        anna, bob = Connection(server.port, "anna"), Connection(server.port, "bob")
        for _ in range(matches):
            match = anna.ask("new clobber:4x4 black=bob")["match"]
            bob.ask(f"join {match}")
            anna.ask(f"move {match} a2a1")
        server.stop()


def try_start(data, preexec=None):
    """Starts a server that must fail, and returns its exit code and output."""
    done = subprocess.Popen(
        [os.path.join(build_folder(), "ludusd"), "--listen", "127.0.0.1:0", "--no-bots",
         "--data", data], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        preexec_fn=preexec, env={**os.environ, "ASAN_OPTIONS": "quarantine_size_mb=1"})
    if done.stdout.readline():
        done.terminate()
        done.communicate(timeout=LIMIT_S)
        return 0, "it starts"
    said = done.communicate(timeout=LIMIT_S)[1]
    return done.returncode, said


def refused(checks, what, data, *words, preexec=None, status=1):
    code, said = try_start(data, preexec)
    said = re.sub(r"^libgcov profiling error:.*\n", "", said, flags=re.M)  # its counters do not fit either
    checks.check(code == status and said.startswith("ludusd: ") and said.count("\n") == 1 and
                 said.endswith("\n"), f"{what}: one sentence, exit {status}", (code, said))
    checks.check(all(word in said for word in words), f"{what}: says why", said)


# Starts that must fail


def locked(checks):
    with Place() as place:
        first = place.server("--no-bots")
        first.start_and_wait()
        refused(checks, "a second server", place.data, "another ludusd is using it", status=3)
        anna = Connection(first.port, "anna")
        checks.equal(anna.ask("new clobber")["type"], "ok", "the first one goes on")
        first.kill()
        first.start_and_wait()
        checks.equal(first.stop(), 0, "a killed server leaves no lock behind")


def files_of(folder):
    """Returns {name: bytes} of all files in a folder."""
    contents = {}
    for name in os.listdir(folder):
        with open(os.path.join(folder, name), "rb") as file:
            contents[name] = file.read()
    return contents


def other_version(place, version, data):
    """Makes a copy of the store that says it is of another version: in its log as long as that is not in the file."""
    with contextlib.closing(sqlite3.connect(place.file)) as database:
        database.execute("PRAGMA journal_mode = WAL")
        database.execute(f"PRAGMA user_version = {version}")
        database.commit()
        shutil.copytree(place.data, data + "-log", ignore=shutil.ignore_patterns("*-shm"))
    shutil.copytree(place.data, data)
    return data, data + "-log"


def other_versions(checks):
    """A store of a newer ludusd, or of one before the first version that is promised, stays as it is."""
    with Place() as place:
        place.fill(1)
        for version, *words in ((9999, "newer", "9999"), (12, "older", "version 12", "revision be9ede2d once, which converts"),
                                (1, "older", "version 1,")):
            for data in other_version(place, version, os.path.join(place.folder, f"of-{version}")):
                before = files_of(data)
                checks.equal(len(before), 1 + data.endswith("-log"), f"the files of {data}")
                refused(checks, f"{data}, which has another schema", data, *words)
                for command in (["check"], ["check", "--repair"], ["--export", data + "-export"]):
                    done = subprocess.run([os.path.join(build_folder(), "ludusd"), *command, "--data", data],
                                          capture_output=True, text=True, timeout=LIMIT_S)
                    checks.check(done.returncode == 1 and words[0] in done.stderr and done.stderr.count("\n") == 1,
                                 f"{command} of {data}", done)
                checks.check(files_of(data) == before, f"{data} stays as it is, byte for byte")


def before_tokens(checks):
    """A store of version 13, in which a name has one token and tournaments need no word, gets what it lacks at the start."""
    with Place() as place:
        server = place.server("--no-bots")
        server.start_and_wait()
        anna = Connection(server.port, "anna")
        anna.ask("new clobber")
        anna.ask("tournament new Cup clobber format=swiss")
        server.stop()
        with contextlib.closing(sqlite3.connect(place.file)) as database:
            database.execute("DROP TABLE token")
            database.execute("DROP TABLE barred")
            database.execute("DROP TABLE review")
            database.execute("DROP TABLE puzzle")
            database.execute("DROP TABLE attempt")
            database.execute("DROP TABLE series_score")
            database.execute("DROP TABLE series")
            for column in ("code", "openings", "series"):
                database.execute(f"ALTER TABLE tournament DROP COLUMN {column}")
            database.execute("ALTER TABLE counter DROP COLUMN player")
            database.execute("DROP INDEX player_looks")
            for column in ("display", "looks"):
                database.execute(f"ALTER TABLE player DROP COLUMN {column}")
            database.execute("PRAGMA user_version = 13")
            database.commit()
        server = place.server("--no-bots")
        server.start_and_wait()
        back, reply, told = come_back(server, "anna", anna.token, 1)
        checks.equal((reply["name"], len(told)), ("anna", 1), "the token is good")
        checks.equal([(row["token"], row["date"]) for row in back.ask("tokens")["tokens"]], [(1, None)], "and the only one")
        checks.check("code" not in back.ask("tournament show t1"), "the tournament needs no word")
        Connection(server.port, "bob")
        checks.equal(back.ask("tournament kick t1 bob")["type"], "ok", "and can be closed to somebody")
        code = back.ask("device")["code"]
        phone = Connection(server.port)
        phone.ask(f"hello anna device={code}")
        phone.wait_for("state")
        checks.equal(phone.ask("revoke 1")["type"], "ok", "and can end")
        checks.equal(back.wait_for("bye")["reason"], "revoked", "with its connection")
        server.stop()
        with contextlib.closing(sqlite3.connect(place.file)) as database:
            [(kept,)] = database.execute("SELECT token_hash FROM player WHERE name = 'anna'")
            checks.check(kept != hashlib.blake2b(anna.token.encode(), digest_size=32).digest(), "in no column")
        server.start_and_wait()
        checks.equal(Connection(server.port).ask(f"hello anna token={anna.token}").get("code"), "bad-token", "for good")
        server.stop()


def wrong_rows(checks):
    """The schema itself refuses values that no server writes."""
    wrong = ("UPDATE player SET kind = 'god'", "UPDATE match SET status = 'late'", "UPDATE match SET result = '2-0'",
             "UPDATE match SET status = 'over'", "UPDATE match SET white = 99999")
    with Place() as place:
        place.fill(1)
        with contextlib.closing(sqlite3.connect(place.file)) as database:
            database.execute("PRAGMA foreign_keys = ON")
            for statement in wrong:
                try:
                    database.execute(statement)
                    checks.check(False, statement)
                except sqlite3.IntegrityError:
                    database.rollback()
                    checks.check(True, statement)
            checks.equal(database.execute("PRAGMA integrity_check").fetchall(), [("ok",)], "the rest is sound")


def odd_texts(checks):
    """Texts of a damaged store break out of no message, log line or board."""
    odd = "o'x\"},\n{\\\x1b[2J\u202e"
    with Place() as place:
        place.fill(3)
        with contextlib.closing(sqlite3.connect(place.file)) as database:
            database.execute("UPDATE player SET name = ? WHERE name = 'bob'", (odd,))
            database.execute("UPDATE match SET id = ? WHERE number = 2", (odd,))
            database.execute("UPDATE match SET moves = ? WHERE number = 3", (odd,))
            database.commit()
        server = place.server("--no-bots")
        server.start_and_wait()
        peer = Connection(server.port)
        rows = peer.ask("list")["matches"]  # all of it is JSON, or it could not be read
        checks.equal(len(rows), 3, "rows")
        for row in rows:
            checks.equal(row["black"][:3], "o?x" if "'" not in row["black"] else "o'x", "a name")
            checks.check(all(" " < c <= "~" and c not in '"\\' for c in row["black"] + row["match"]), "words", row)
            for line in ("state", "record", "watch"):
                checks.equal(peer.ask(f"{line} {row['match']}")["type"] in ("state", "record", "ok"), True, line)
        peer.send("set format=text", *[f"state {row['match']}" for row in rows], "list")
        peer.socket.shutdown(1)
        text = peer.buffer + b"".join(iter(lambda: peer.socket.recv(65536), b""))
        checks.check(b"\x1b" not in text and "\u202e".encode() not in text, "boards", text)
        checks.check("\x1b" not in server.read_log() and "\u202e" not in server.read_log(), "the log")
        server.stop()


def other_program(checks):
    with Place() as place:
        os.mkdir(place.data)
        database = sqlite3.connect(place.file)
        database.execute("CREATE TABLE pets (name TEXT)")
        database.commit()
        database.close()
        before = files_of(place.data)
        refused(checks, "another program's database", place.data, "not a database of ludusd")
        checks.check(files_of(place.data) == before, "it stays as it is, byte for byte")
        checks.check(before[FILE][:16] == b"SQLite format 3\0", "it was one")


def damaged(checks):
    with Place() as place:
        place.fill()
        size = os.path.getsize(place.file)
        for part in (3, 2):  # pages in different trees
            with open(place.file, "r+b") as file:
                file.seek(size // part // 4096 * 4096)
                file.write(b"\xa5" * 4096)
            refused(checks, f"a page at 1/{part} of the file overwritten", place.data, "damaged")


def cut_short(checks):
    with Place() as place:
        place.fill()
        os.truncate(place.file, os.path.getsize(place.file) // 2)
        refused(checks, "half a file", place.data, "damaged")


def no_database(checks):
    with Place() as place:
        os.mkdir(place.data)
        with open(place.file, "w") as file:
            file.write("This is a letter, not a database.\n" * 200)
        refused(checks, "a text file", place.data, "not a database of ludusd")
        with open(place.file) as file:
            checks.check(file.read().startswith("This is a letter"), "the text is still there")


def empty_file(checks):
    """An empty file, as a server leaves it when killed at once, is a new store."""
    with Place() as place:
        os.mkdir(place.data)
        open(place.file, "w").close()
        checks.equal(try_start(place.data), (0, "it starts"), "an empty file is a new store")


def new_folder(checks):
    with Place() as place:
        deep = os.path.join(place.folder, "a", "b", "c")
        checks.equal(try_start(deep), (0, "it starts"), "missing folders are made")
        checks.check(os.path.exists(os.path.join(deep, FILE)), "with the store in it")
        checks.equal([os.stat(path).st_mode & 0o077 for path in (deep, os.path.join(deep, FILE))], [0, 0],
                     "both are nobody else's")


def no_folder(checks):
    with Place() as place:
        file = os.path.join(place.folder, "file")
        open(file, "w").close()
        refused(checks, "a file where the folder should be", file, "not a directory")
        refused(checks, "a folder in a file", os.path.join(file, "data"), file)
        refused(checks, "a folder that cannot be made", "/proc/ludus", "/proc/ludus")
        os.makedirs(place.file)
        refused(checks, "a folder where the file should be", place.data, FILE)


def mount(*words):
    return subprocess.run(["mount", *words], stderr=subprocess.DEVNULL).returncode == 0


def read_only(checks):
    with Place() as place:
        place.fill(1)
        if os.geteuid() != 0:
            os.chmod(place.file, 0o400)
            os.chmod(place.data, 0o500)
            refused(checks, "read-only", place.data, "read-only")
            os.chmod(place.data, 0o700)
        elif mount("--bind", place.data, place.data):
            try:
                if mount("-o", "remount,ro,bind", place.data):
                    refused(checks, "read-only", place.data)
                else:
                    print("test_store: read-only SKIPPED: cannot be mounted so")
            finally:
                subprocess.run(["umount", place.data], check=True)
        else:
            print("test_store: read-only SKIPPED: root may not mount here, and writes everywhere")


def full(checks):
    """No room for a new store, simulated by a limit on the size of files."""
    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (8192, 8192))

    with Place() as place:
        refused(checks, "files of 8 KiB at most", place.data, place.data, preexec=limit)
        checks.equal(try_start(place.data), (0, "it starts"), "with room again it starts")


def files_may_not_grow(checks):
    """The disk fills while the server runs: it refuses what it cannot store, until there is room."""
    with Place() as place, Server(build_folder(), "--no-bots", "--data", place.data,
                                  checks=checks) as server:
        anna = server.connect("anna")
        match = anna.ask("new clobber:10x10 white=me black=me")["match"]
        size = os.path.getsize(os.path.join(place.data, "ludus.db-wal"))
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))
        replies = [anna.ask(f"move {match} {move}") for move in ("b1c1", "d1e1")]
        checks.equal([reply.get("code") for reply in replies], ["internal"] * 2, "moves")
        checks.equal(anna.ask("ping")["type"], "pong", "what needs no writing")
        checks.equal(server.connect().ask("hello nobody")["code"], "internal", "a name")
        checks.check("peer=nobody" not in server.read_log(), "the log tells of no name that is not kept")
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY,) * 2)
        wait_until(lambda: anna.ask(f"move {match} b1c1")["type"] == "ok", "room again")


def full_disk(checks):
    with Place() as place:
        os.mkdir(place.data)
        if not mount("-t", "tmpfs", "-o", "size=16k", "ludus", place.data):
            print("test_store: a full tmpfs SKIPPED: nothing can be mounted here")
            return
        try:
            refused(checks, "a disk of 16 KiB", place.data, "full")
        finally:
            subprocess.run(["umount", place.data], check=True)
        place.fill(3)
        kept = os.path.join(place.folder, "kept")
        shutil.copytree(place.data, kept)
        mount("-t", "tmpfs", "-o", "size=2m", "ludus", place.data)
        try:
            shutil.copytree(kept, place.data, dirs_exist_ok=True)
            with open(os.path.join(place.data, "rest"), "wb", buffering=0) as rest, contextlib.suppress(OSError):
                while rest.write(bytes(4096)):
                    pass
            before = files_of(place.data)["ludus.db"]
            refused(checks, "a store on a disk without room", place.data, "full")
            checks.check(files_of(place.data)["ludus.db"] == before, "it stays as it was")
            os.remove(os.path.join(place.data, "rest"))
            checks.equal(try_start(place.data), (0, "it starts"), "with room again")
        finally:
            subprocess.run(["umount", place.data], check=True)


def moved_away(checks):
    """The server refuses changes when its file was moved away or deleted."""
    with Place() as place:
        server = place.server("--no-bots")
        server.start_and_wait()
        anna = Connection(server.port, "anna")
        anna.ask("new clobber")
        os.rename(place.data, place.data + "2")
        checks.equal(anna.ask("new clobber").get("code"), "internal", "the folder is gone")
        checks.equal(anna.ask("list").get("total"), 1, "what there is can still be looked at")
        os.rename(place.data + "2", place.data)
        checks.equal(anna.ask("new clobber")["type"], "ok", "the folder is back")
        os.rename(place.file + "-wal", place.file + "-wal2")
        checks.equal(anna.ask("new clobber").get("code"), "internal", "the log of the file is gone")
        shutil.copy(place.file + "-wal2", place.file + "-wal")
        checks.equal(anna.ask("new clobber").get("code"), "internal", "there is another log")
        os.rename(place.file + "-wal2", place.file + "-wal")
        checks.equal(anna.ask("new clobber")["type"], "ok", "the log is back")
        os.unlink(place.file)
        checks.equal(anna.ask("new clobber").get("code"), "internal", "the file is gone")
        checks.equal(server.stop(), 0, "such a server can be stopped")


def log_is_moved(checks):
    """The log goes into the file when it has 16 MiB, while people play, and begins anew."""
    with Place() as place, Server(build_folder(), "--no-bots", "--data", place.data, checks=checks) as server:
        anna = server.connect("anna")

        def play(matches):
            for _ in range(matches):
                match = anna.ask("new clobber:2x2 white=me black=me")["match"]
                for move in ("a2a1", "b2b1", "a1b1"):
                    anna.ask(f"move {match} {move}")
            return os.path.getsize(place.file + "-wal") >> 20
        size, sizes = os.path.getsize(place.file), []
        while os.path.getsize(place.file) == size and len(sizes) < 100:
            sizes.append(play(50))
        checks.check(15 <= sizes[-1] <= 20, "the log", sizes)
        checks.equal(anna.ask("history")["total"], 50 * len(sizes), "all is there")
        checks.equal(play(100), sizes[-1], "it begins anew")


# Coming back


def everything(person, matches):
    """Returns the server's view of the matches, without presence."""
    told = []
    for match in matches:
        state, record = person.ask(f"state {match}"), person.ask(f"record {match}")
        for player in state["players"].values():
            for gone in ("online", "claim_ms"):
                player and player.pop(gone, None)
        told.append((state, record))
    return told


def open_all_sorts(anna, bob):
    """Opens matches in every condition and returns their ids."""
    ids = {}
    for name in ("open", "running", "offers", "over", "resigned", "challenge", "private", "clock"):
        options = {"private": " private=yes", "clock": " clock=300+2"}.get(name, "")
        seat = "open" if name == "open" else "bob"
        ids[name] = anna.ask(f"new shakti black={seat}{options}")["match"]
        if name not in ("open", "challenge"):
            bob.ask(f"join {ids[name]}")
            anna.ask(f"move {ids[name]} d2d3")
            bob.ask(f"move {ids[name]} d6d5")
    anna.ask(f"draw {ids['offers']}")
    bob.ask(f"undo {ids['offers']}")
    anna.ask(f"draw {ids['over']}")
    bob.ask(f"draw {ids['over']}")
    bob.ask(f"resign {ids['resigned']}")
    bob.ask(f"rematch {ids['resigned']}")
    return ids


def come_back(server, name, token, unfinished):
    """Returns a connection that came back alone, and the matches that the server named at once."""
    person = Connection(server.port)
    reply = person.ask(f"hello {name} token={token} only=yes")
    told = [person.read()["match"] for _ in range(unfinished)]
    return person, reply, told


def restart(checks, end):
    with Place() as place:
        server = place.server()
        server.start_and_wait()
        anna, bob = Connection(server.port, "anna"), Connection(server.port, "bob")
        ids = open_all_sorts(anna, bob)
        # The running clock was stored when it started, so it is not compared exactly.
        still = [match for name, match in ids.items() if name != "clock"]
        before = {person: everything(person, still) for person in (anna, bob)}
        clock = anna.ask(f"state {ids['clock']}")["clock"]
        getattr(server, end)()
        server.start_and_wait()
        after_start(checks, server, end, (anna, bob), ids, still, before, clock)
        checks.equal(server.stop(), 0, f"{end}: the second server stops")
        hide_and_seek(checks, place, (anna, bob))
        code, said = server.check()
        checks.equal(code, 0, f"{end}: ludusd check ({said})")


def after_start(checks, server, end, people, ids, still, before, clock):
    anna, bob = people
    for wrong in ("0" * 32, bob.token, anna.token[:-1], anna.token.upper() + "x"):
        reply = Connection(server.port).ask(f"hello anna token={wrong}")
        checks.equal(reply.get("code"), "bad-token", f"{end}: a wrong token")
    checks.equal(Connection(server.port).ask("hello Anna").get("code"), "name-taken",
                 f"{end}: the name is kept")
    unfinished = [ids[n] for n in ("open", "running", "offers", "challenge", "private", "clock")]
    back, reply, told = come_back(server, "anna", anna.token, 6)
    checks.equal((reply["type"], reply.get("name")), ("ok", "anna"), f"{end}: anna comes back")
    checks.equal(sorted(told), sorted(unfinished), f"{end}: at once she is told of all she plays")
    checks.equal(everything(back, still), before[anna], f"{end}: anna sees what she saw")
    now = back.ask(f"state {ids['clock']}")["clock"]
    checks.check(0 < now["white_ms"] <= clock["white_ms"] + 5 and
                 now["black_ms"] == clock["black_ms"] and now["running"] == clock["running"],
                 f"{end}: the clock goes on", (clock, now))
    again, reply, told = come_back(server, "bob", bob.token, 5)
    checks.check(ids["challenge"] in told, f"{end}: bob is challenged again", told)
    checks.equal(everything(again, still), before[bob], f"{end}: bob sees what he saw")
    checks.equal(again.ask(f"draw {ids['offers']}").get("agreed"), True,
                 f"{end}: the offer that stands can be accepted")
    move = back.ask(f"moves {ids['running']}")["moves"][0]
    checks.equal(back.ask(f"move {ids['running']} {move} ply=2")["type"], "ok",
                 f"{end}: play goes on")
    third, reply, _ = come_back(server, "anna", anna.token, 0)
    checks.equal(reply["type"], "ok", f"{end}: anna comes from elsewhere")
    checks.check(back.wait_for("bye", reason="replaced") is not None, f"{end}: and is replaced")
    checks.equal(back.read(), None, f"{end}: the old connection is closed")


def hide_and_seek(checks, place, people):
    """The files do not let anybody come back as a player."""
    for name in os.listdir(place.data):
        with open(os.path.join(place.data, name), "rb") as file:
            content = file.read()
        for person in people:
            checks.check(person.token.encode() not in content and
                         bytes.fromhex(person.token) not in content, f"no token in {name}")


def after_stop(checks):
    restart(checks, "stop")


def after_kill(checks):
    restart(checks, "kill")


def guests(checks):
    """Guests cannot come back, so their unfinished matches are aborted."""
    with Place() as place:
        server = place.server("--no-bots")
        server.start_and_wait()
        anna, guest = Connection(server.port, "anna"), Connection(server.port)
        match = anna.ask("new shakti")["match"]
        guest.ask(f"join {match}")
        anna.ask(f"move {match} d2d3")
        guest.ask(f"move {match} d6d5")
        alone = guest.ask("new shakti")["match"]
        name = guest.greeting["name"]
        server.kill()
        server.start_and_wait()
        back = Connection(server.port)
        back.ask(f"hello anna token={anna.token}")
        for which in (match, alone):
            state = back.ask(f"state {which}")
            checks.equal((state.get("status"), state.get("result"), state.get("reason")),
                         ("over", "*", "aborted"), "the match of a guest after the start")
        checks.check(back.greeting["name"] != name, "no two guests have the same name", name)
        server.stop()


def who_is_kept(checks):
    """A start forgets guests to whom nothing refers, and no others."""
    with Place() as place:
        server = place.server("--no-bots")
        server.start_and_wait()
        anna, guests_there, matches = Connection(server.port, "anna"), [], []
        for seat in ("white", "black"):
            for last in ("state", "resign", "abort"):
                guests_there.append(guest := Connection(server.port))
                match = anna.ask(f"new clobber:4x4 {seat}=open")["match"]
                guest.ask(f"join {match}")
                players = (guest, anna) if seat == "white" else (anna, guest)
                for person, move in zip(players, () if last == "abort" else ("a2a1", "b2b1")):
                    person.ask(f"move {match} {move}")
                guest.ask(f"{last} {match}")
                if last != "abort":
                    matches.append((match, guest.greeting["name"], "resign" if last == "resign" else "aborted"))
        server.kill()
        server.start_and_wait()
        back = Connection(server.port)
        for match, name, reason in matches:
            state = back.ask(f"state {match}")
            checks.equal(state.get("reason"), reason, f"the match of {name}")
            checks.check(name in str(state.get("players")), f"{name} is still its player", state)
        server.stop()
        code, said = server.check()
        checks.equal(code, 0, f"ludusd check ({said})")
        with contextlib.closing(sqlite3.connect(place.file)) as database:
            names = {name for name, in database.execute("SELECT name FROM player WHERE kind = 'guest'")}
        checks.equal(names, {name for _, name, _ in matches}, "the guests that are kept")


# The join code of the store


def code_of(place, *options):
    """Starts a server on the network of loopback, and returns its join code."""
    with Server(build_folder(), "--lan", "--no-bots", "--data", place.data, *options) as server:
        return re.match("ludusd: join code (.*)\n", server.process.stdout.readline()).group(1)


def join_code(checks):
    """The code stays until it is replaced, whatever the file has become."""
    with Place() as place:
        code, path = code_of(place), os.path.join(place.data, "join-code")
        checks.equal(os.stat(path).st_mode & 0o777, 0o600, "only the owner may read it")
        checks.equal(code_of(place), code, "the next start")
        checks.equal(code_of(place, "--code", "sesame"), "sesame", "a given one")
        checks.equal(code_of(place), code, "which is not kept")
        changed = code_of(place, "--new-code")
        checks.check(changed != code, "a new one", changed)
        checks.equal(code_of(place), changed, "is kept")
        for text in ("", "short\n", "x" * 5000, changed, changed + "\n\n", "UPPERCAS\n", "with spa\n"):
            with open(path, "w") as file:
                file.write(text)
            checks.check(re.fullmatch("[a-z2-9]{8}", code_of(place)), "a file that is no code", text[:20])
        with open(os.path.join(place.folder, "journal"), "w+") as journal:
            stat = os.fstat(journal.fileno())
            server = subprocess.Popen([os.path.join(build_folder(), "ludusd"), "--lan", "--listen", "127.0.0.1:0", "--no-bots",
                                       "--data", place.data], stdout=journal, stderr=journal,
                                      env={**os.environ, "JOURNAL_STREAM": f"{stat.st_dev}:{stat.st_ino}"})
            wait_until(lambda: "a join code is required" in read_again(journal), "it says where the code is")
            server.terminate()
            server.wait(LIMIT_S)
            with open(path) as file:
                checks.check(file.read().strip() not in read_again(journal), "a journal does not get it")
        os.remove(path)
        os.mkdir(path)
        checks.check(re.fullmatch("[a-z2-9]{8}", code_of(place)), "a file that cannot be written")


# Fairness at the end of a turn


def everyone_gets_a_word_in(checks):
    """Counts the commands of others between two of one peer."""
    players, moves, asked = 6, 1500, 20
    with Place() as place:
        server = place.server("--no-bots", "--max-errors", "10000")
        server.start_and_wait()
        people = [Connection(server.port) for _ in range(players + 1)]
        matches = [person.ask("new clobber white=me black=me")["match"] for person in people]
        counts = [people[-1].ask("stats")["commands_total"]]
        os.kill(server.process.pid, signal.SIGSTOP)  # so that all lines arrive at once
        for person, match in zip(people[:-1], matches):
            person.send_bytes(f"move {match} a1a9\n".encode() * moves)
        people[-1].send_bytes(f"stats\nmove {matches[-1]} a1a9\n".encode() * asked)
        os.kill(server.process.pid, signal.SIGCONT)
        counts += [people[-1].wait_for("stats")["commands_total"] for _ in range(asked)]
        most = max(after - before for before, after in zip(counts, counts[1:]))
        checks.check(most <= 8 * 16 * players, "everyone gets a word in", (most, counts))
        checks.check(all(sum(person.wait_for("error") is not None for _ in range(moves)) == moves
                         for person in people[:-1]), "everyone is answered")
        server.stop()


if __name__ == "__main__":
    sys.exit(Checks("test_store").run(
        [locked, other_versions, before_tokens, wrong_rows, odd_texts, other_program, damaged, cut_short, no_database, empty_file, new_folder,
         no_folder, read_only, full, files_may_not_grow, full_disk, moved_away, log_is_moved, after_stop,
         after_kill, guests, who_is_kept, join_code, everyone_gets_a_word_in]))
