"""Backups: `ludusd backup` beside a server and without one, `ludusd restore`, and stores that cannot be written."""
import contextlib
import os
import re
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import threading

sys.path.insert(1, sys.path[0] + "/../support")
from harness import LIMIT_S, Checks, Connection, Server, build_folder, wait_until

PROGRAM = os.path.join(build_folder(), "ludusd")
MOVES = ["a2a1", "b2b1", "a1b1"]
ENVIRONMENT = {**os.environ, "ASAN_OPTIONS": "quarantine_size_mb=1"}


class Place:
    """A temporary directory; a context manager."""

    def __enter__(self):
        self.folder = tempfile.mkdtemp(prefix="backup-", dir=build_folder())
        self.data, self.file = os.path.join(self.folder, "data"), os.path.join(self.folder, "ludus.backup")
        return self

    def __exit__(self, *error):
        shutil.rmtree(self.folder)

    def server(self, checks):
        return Server(build_folder(), "--no-bots", "--data", self.data, checks=checks)

    def aside(self):
        return [name for name in os.listdir(self.data) if name.startswith("before-")]


def run(*words, **more):
    done = subprocess.run([PROGRAM, *words, "--config", "none"], capture_output=True, text=True, timeout=LIMIT_S, env=ENVIRONMENT, **more)
    return done.returncode, done.stdout, done.stderr


@contextlib.contextmanager
def restored(data, file, checks):
    """A server that serves a backup; gives a connection."""
    process = subprocess.Popen([PROGRAM, "restore", file, "--data", data, "--no-bots", "--listen", "127.0.0.1:0"],
                               stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=ENVIRONMENT)
    lines = []
    while not lines or (lines[-1] and not lines[-1].startswith("ludusd: listening on ")):
        lines.append(process.stdout.readline())
    checks.check(lines[0].startswith("matches: ") and "problems: 0" in lines[0], "it is checked first", lines)
    peer = Connection(int(lines[-1].rsplit(":", 1)[1]))
    yield peer
    process.send_signal(signal.SIGTERM)
    checks.equal(process.wait(LIMIT_S), 0, "it ends")
    process.stdout.close()


def played(peer, count):
    """Plays short matches against oneself, and returns their numbers."""
    numbers = []
    for _ in range(count):
        numbers.append(peer.ask("new clobber:2x2 white=me black=me")["match"])
        for move in MOVES:
            peer.ask(f"move {numbers[-1]} {move}")
    return numbers


def moves_of(peer, match):
    reply = peer.ask(f"record {match}")
    return reply.get("moves", reply.get("code"))


def while_it_runs(checks):
    """All that was acknowledged before is in it; playing goes on; a killed server's log does no harm."""
    with Place() as place, place.server(checks) as server:
        anna = server.connect("anna")
        before, after, ends = played(anna, 100), [], threading.Event()

        def play_on():
            with contextlib.suppress(OSError):
                bob = server.connect("bob")
                while not ends.is_set():
                    after.extend(played(bob, 1))

        player = threading.Thread(target=play_on)
        player.start()
        checks.equal(run("backup", place.file, "--data", place.data), (0, "", ""), "backup")
        ends.set()
        player.join()
        checks.check(after and oct(os.stat(place.file).st_mode)[-3:] == "600", "others play meanwhile")
        lost = played(anna, 3)
        checks.equal(run("restore", place.file, "--data", place.data)[0], 3, "no restoring below a server")
        server.kill()
        with restored(place.data, place.file, checks) as peer:
            checks.equal({tuple(moves_of(peer, match)) for match in before}, {tuple(MOVES)}, "what was before")
            checks.equal([moves_of(peer, match) for match in lost], ["unknown-match"] * 3, "what came later")
        aside = os.path.join(place.data, *place.aside())
        checks.equal(run("check", "--data", aside)[0], 0, "the old store is whole")
        with restored(os.path.join(place.folder, "elsewhere"), place.file, checks) as peer:
            checks.equal(moves_of(peer, before[0]), MOVES, "into a new directory")
        server.again()


def asked_twice(checks):
    """Two at once wait for each other; one who says nothing, or nonsense, keeps nobody waiting for long."""
    with Place() as place, place.server(checks) as server:
        played(server.connect("anna"), 50)
        folder = os.open(place.data, os.O_RDONLY)
        silent, mad = socket.socket(socket.AF_UNIX), socket.socket(socket.AF_UNIX)
        silent.connect(f"/proc/self/fd/{folder}/control")
        mad.connect(f"/proc/self/fd/{folder}/control")
        mad.sendall(b"x" * 1000)
        several = [subprocess.Popen([PROGRAM, "backup", f"{place.file}{i}", "--data", place.data], env=ENVIRONMENT)
                   for i in range(3)]
        checks.equal([each.wait(LIMIT_S) for each in several], [0] * 3, "three at once")
        for i in range(3):
            with restored(os.path.join(place.folder, str(i)), f"{place.file}{i}", checks) as peer:
                checks.equal(moves_of(peer, "50"), MOVES, "each is whole")
        checks.equal(sorted(os.listdir(place.data)), ["control", "ludus.db", "ludus.db-wal"], "nothing is left")
        silent.close()
        mad.close()
        os.close(folder)
    with Place() as place:
        place.data = os.path.join(place.data, "x" * 120, "y" * 120)
        with place.server(checks) as server:
            played(server.connect("anna"), 1)
            checks.equal(run("backup", place.file, "--data", place.data), (0, "", ""), "a long path")


def large_store(checks):
    """Copied in many steps, with pauses; the server plays on meanwhile and afterwards."""
    with Place() as place, place.server(checks) as server:
        played(server.connect("anna"), 3)
        server.stop()
        with sqlite3.connect(os.path.join(place.data, "ludus.db")) as store:
            store.execute("CREATE TABLE filler (bytes BLOB)")
            store.executemany("INSERT INTO filler VALUES (?)", [(os.urandom(1 << 20),) for _ in range(12)])
        store.close()
        server.again()
        anna = server.connect("bob")
        copying = subprocess.Popen([PROGRAM, "backup", place.file, "--data", place.data], env=ENVIRONMENT)
        meanwhile = played(anna, 20)
        checks.equal(copying.wait(LIMIT_S), 0, "backup")
        checks.equal(run("backup", place.file, "--data", place.data)[0], 0, "and another one")
        checks.check(os.stat(place.file).st_size > 12 << 20, "it is large")
        checks.equal(moves_of(anna, meanwhile[0]), MOVES, "the server is there")
        folder = os.open(place.data, os.O_RDONLY)
        with socket.socket(socket.AF_UNIX) as twice:
            twice.connect(f"/proc/self/fd/{folder}/control")
            for _ in range(2):
                twice.sendall(b"backup\n")
                checks.equal(twice.recv(100), b"ok\n", "on one connection")
        os.close(folder)
        with socket.socket(socket.AF_UNIX) as gone:
            folder = os.open(place.data, os.O_RDONLY)
            gone.connect(f"/proc/self/fd/{folder}/control")
            gone.sendall(b"backup\n")
            os.close(folder)
        checks.equal(run("backup", place.file, "--data", place.data)[0], 0, "after one who left")


def without_server(checks):
    with Place() as place:
        with place.server(checks) as server:
            played(server.connect("anna"), 5)
        checks.equal(run("backup", place.file, "--data", place.data), (0, "", ""), "backup")
        checks.equal(run("backup", place.file, "--data", place.data), (0, "", ""), "and again, in its place")
        with restored(place.data, place.file, checks) as peer:
            checks.equal(moves_of(peer, "5"), MOVES, "restored")
        missing = os.path.join(place.folder, "missing")
        for words, status, why in (
                (("backup", "/dev/null", "--data", place.data), 1, "/dev/null: not a file"),
                (("backup", place.folder, "--data", place.data), 1, f"{place.folder}: not a file"),
                (("backup", place.file, "--data", missing), 1, f"{missing}/ludus.db: No such file or directory"),
                (("backup",), 2, "backup: file missing, or its name too long"),
                (("restore",), 2, "restore: file missing, or its name too long"),
                (("backup", place.file, "--data", "none"), 2, "backup, restore: no store with data none"),
                (("backup", place.file, "--engine", "dbname=x"), 2,
                 "backup, restore: of PostgreSQL by pg_dump, pg_restore")):
            done = run(*words)
            checks.equal((done[0], done[2]), (status, f"ludusd: {why}\n"), words)


def takes_no_store(checks):
    """A file of a store is no place for a backup, and no backup: what was acknowledged stays."""
    with Place() as place, place.server(checks) as server:
        anna = server.connect("anna")
        played(anna, 2)
        database, log = os.path.join(place.data, "ludus.db"), os.path.join(place.data, "ludus.db-wal")
        linked = os.path.join(place.folder, "linked")
        os.symlink("data", linked)
        for file in (database, log, os.path.join(linked, "ludus.db"), os.path.join(place.data, "new"),
                     os.path.join(place.data, "archive", "2026-01.pgn")):
            os.makedirs(os.path.join(place.data, "archive"), exist_ok=True)
            status, _, errors = run("backup", file, "--data", place.data)
            checks.equal((status, errors), (1, f"ludusd: {file}: it is in the store: name a file elsewhere\n"), "refused")
        played(anna, 1)
        os.rmdir(os.path.join(place.data, "archive"))
        with Place() as other, other.server(checks) as beside:
            played(beside.connect("bob"), 1)
            own = os.path.join(other.data, "ludus.db")
            checks.equal(run("backup", own, "--data", place.data), (1, "", f"ludusd: {own}: a server is using it\n"),
                         "the store of another server")
        server.kill()
        copied = shutil.copytree(place.data, os.path.join(place.folder, "copied"), ignore=shutil.ignore_patterns("control"))
        checks.check(os.path.getsize(os.path.join(copied, "ludus.db-wal")) > 0, "its latest moves are beside it")
        for file in (database, os.path.join(copied, "ludus.db")):
            status, _, errors = run("restore", file, "--data", place.data)
            checks.equal((status, errors), (1, f"ludusd: {file}: not restored: there is a -wal with more of it, as of a "
                                               "store: serve that with --data\n"), "no backup")
        checks.equal(place.aside(), [], "nothing has moved")
        is_sound(checks, place.data, 3, "all is there")
        server.again()


def bad_backups(checks):
    """What is no good backup is refused, and the store stays as it is."""
    with Place() as place:
        with place.server(checks) as server:
            played(server.connect("anna"), 5)
        run("backup", place.file, "--data", place.data)
        with open(place.file, "rb") as file:
            whole = file.read()
        for title, text in (("nothing", b""), ("a text", b"garbage"), ("half of it", whole[:len(whole) // 2]),
                            ("a damaged one", whole.replace(b"a2a1", b"a2b9"))):
            with open(place.file, "wb") as file:
                file.write(text)
            status, _, errors = run("restore", place.file, "--data", place.data)
            checks.check(status == 1 and place.file in errors.splitlines()[-1], title, errors)
            is_sound(checks, place.data, 5, f"{title}: the store stays")
            checks.equal(sorted(os.listdir(place.data)), ["ludus.db"], f"{title}: nothing is left")


def retired(data):
    folder = os.path.join(data, "archive")
    names = os.listdir(folder) if os.path.isdir(folder) else []
    texts = [open(os.path.join(folder, name), encoding="ascii").read() for name in names]
    return sorted(int(number) for text in texts for number in re.findall(r'Match "(\d+)"', text))


def is_sound(checks, data, matches, what):
    checks.equal(run("check", "--data", data)[:2], (0, f"matches: {matches}, moves: {3 * matches}, problems: 0\n"), what)


def retire(place, checks):
    """Has the server move five of six matches into the files of months; the newest stays in memory."""
    with contextlib.closing(sqlite3.connect(os.path.join(place.data, "ludus.db"))) as store, store:
        store.execute("UPDATE match SET changed_s = 1767225600 + 86400 * number")
    with Server(build_folder(), "--no-bots", "--data", place.data, "--keep-days", "1", "--keep-finished", "1",
                checks=checks):
        wait_until(lambda: retired(place.data) == [1, 2, 3, 4, 5], "matches in files")


def retired_months(checks):
    """A backup gets the months that it knows, no more and no less; the others are aside."""
    with Place() as place:
        with place.server(checks) as server:
            played(server.connect("anna"), 6)
        early, late = place.file + "-early", place.file + "-late"
        checks.equal(run("backup", early, "--data", place.data)[0], 0, "before they were retired")
        retire(place, checks)
        checks.equal(run("backup", late, "--data", place.data)[0], 0, "and afterwards")
        with restored(place.data, early, checks):
            checks.equal(retired(place.data), [], "it knew of none")
        aside = os.path.join(place.data, *place.aside())
        checks.equal(retired(aside), [1, 2, 3, 4, 5], "the old ones are aside")
        is_sound(checks, aside, 1, "with their store")
        is_sound(checks, place.data, 6, "the restored one")
        retire(place, checks)
        is_sound(checks, place.data, 1, "which retires them again")
        shutil.rmtree(aside)
        with restored(place.data, late, checks):
            checks.equal(retired(place.data), [1, 2, 3, 4, 5], "those of the backup")
        shutil.rmtree(os.path.join(place.data, *place.aside()))
        shutil.rmtree(late + ".archive")
        with open(os.path.join(place.data, "archive", "2026-01.pgn"), "a", encoding="ascii") as month:
            month.write("what came later")
        with restored(place.data, late, checks):
            checks.equal(retired(place.data), [1, 2, 3, 4, 5], "those that are there, up to where it knew them")
        is_sound(checks, place.data, 1, "it is sound")


def cut_is_on_disk(checks):
    """A file of a month that is cut to what the backup knows is on disk before it is exchanged."""
    with Place() as place:
        with place.server(checks) as server:
            played(server.connect("anna"), 6)
        retire(place, checks)
        checks.equal(run("backup", place.file, "--data", place.data)[0], 0, "backup")
        shutil.rmtree(place.file + ".archive")
        with open(os.path.join(place.data, "archive", "2026-01.pgn"), "a", encoding="ascii") as month:
            month.write("what came later")
        trace = os.path.join(place.folder, "trace")
        subprocess.run(["strace", "-f", "-y", "-o", trace, "-e", "trace=truncate,ftruncate,fsync,renameat2", PROGRAM,
                        "restore", place.file, "--data", place.data, "--no-bots", "--listen", "nowhere:0"],
                       capture_output=True, timeout=LIMIT_S, check=False)
        with open(trace, encoding="utf-8") as file:
            calls = re.findall(r"(truncate|fsync|renameat2)\(.*(?:2026-01\.pgn|archive\"|ludus\.db\")", file.read())
        checks.equal(calls[calls.index("truncate"):], ["truncate", "fsync", "renameat2", "renameat2"], "cut, synced, exchanged")


def can_trace():
    """Tells whether strace is there, and may trace."""
    return shutil.which("strace") is not None and \
        subprocess.run(["strace", "-o", "/dev/null", "true"], capture_output=True, check=False).returncode == 0


def killed(checks):
    """A restore that is killed at any of its calls leaves the old store or the new one, whole."""
    with Place() as place:
        server = place.server(checks)
        anna = server.connect("anna")
        played(anna, 2)
        checks.equal(run("backup", place.file, "--data", place.data)[0], 0, "backup")
        played(anna, 3)
        server.kill()  # so that it leaves a log
        saved = os.path.join(place.folder, "saved")
        shutil.copytree(place.data, saved, ignore=shutil.ignore_patterns("control"))
        found = set()
        for call in ("renameat2", "rename", "fsync", "unlink", "rmdir", "mkdir", "ftruncate"):
            for count in range(1, 6):
                shutil.rmtree(place.data)
                shutil.copytree(saved, place.data)
                subprocess.run(["strace", "-f", "-o", "/dev/null", "-e", f"trace={call}", "-e",
                                f"inject={call}:signal=KILL:when={count}", PROGRAM, "restore", place.file, "--data",
                                place.data, "--no-bots", "--listen", "nowhere:0"],
                               capture_output=True, timeout=LIMIT_S, check=False)
                status, said, errors = run("check", "--data", place.data)
                checks.check(status == 0 and said.split(",")[0] in ("matches: 2", "matches: 5"), "old or new, whole",
                             f"{call} {count}: {said} {errors}")
                found.add(said.split(",")[0])
        checks.equal(found, {"matches: 2", "matches: 5"}, "both were seen")


def read_only(checks):
    """A store that cannot be written is checked and exported by a copy, with what its log has."""
    with Place() as place:
        with place.server(checks) as server:
            played(server.connect("anna"), 5)
            server.kill()
            os.chmod(place.data, 0o500)
            os.chmod(os.path.join(place.data, "ludus.db"), 0o400)
            as_nobody = {"user": 65534, "group": 65534} if os.geteuid() == 0 else {}
            if as_nobody:
                os.chmod(place.folder, 0o711)
                for name in os.listdir(place.data):
                    os.chmod(os.path.join(place.data, name), 0o444)
                os.chmod(place.data, 0o555)
            with tempfile.TemporaryDirectory() as temporary:
                os.chmod(temporary, 0o777)
                os.environ["TMPDIR"] = ENVIRONMENT["TMPDIR"] = temporary
                exported = os.path.join(temporary, "exported")
                checks.equal(run("check", "--data", place.data, **as_nobody)[:2],
                             (0, "matches: 5, moves: 15, problems: 0\n"), "check")
                checks.equal(run("--export", exported, "--data", place.data, **as_nobody)[0], 0, "export")
                checks.equal(run("check", "--repair", "--data", place.data, **as_nobody)[0], 1, "no repair")
                checks.equal(os.listdir(temporary), ["exported"], "the copies are gone")
                del os.environ["TMPDIR"], ENVIRONMENT["TMPDIR"]
            os.chmod(place.data, 0o700)
            for name in os.listdir(place.data):
                os.chmod(os.path.join(place.data, name), 0o600)
            server.again()


if __name__ == "__main__":
    tests = [while_it_runs, asked_twice, large_store, without_server, takes_no_store, bad_backups, retired_months, read_only]
    if can_trace():
        tests += [cut_is_on_disk, killed]
    sys.exit(Checks("test_backup").run(tests))
