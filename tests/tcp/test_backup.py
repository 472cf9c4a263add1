"""Backups: `ludusd backup` beside a server and without one, `ludusd restore`, and stores that cannot be written."""
import contextlib
import os
import re
import resource
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import threading
import zlib

sys.path.insert(1, sys.path[0] + "/../support")
from harness import LIMIT_S, Checks, Connection, Server, build_folder, wait_until

PROGRAM = os.path.join(build_folder(), "ludusd")
MOVES = ["a2a1", "b2b1", "a1b1"]
ENVIRONMENT = {**os.environ, "ASAN_OPTIONS": "quarantine_size_mb=1"}
TRACED = {"ASAN_OPTIONS": "detect_leaks=0"}  # a tracer keeps that from working


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
        wait_until(lambda: "backup.db" not in os.listdir(place.data), "the copy that nobody takes goes")
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
            checks.equal((status, errors), (1, f"ludusd: {file}: not restored: its -wal has changes that it lacks, as in a "
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


def contents(folder):
    """Returns what is below a directory: the paths, with a digest of what is in files."""
    paths = [os.path.join(at, name) for at, folders, names in os.walk(folder) for name in folders + names]
    return {path: zlib.crc32(open(path, "rb").read()) if os.path.isfile(path) else None for path in paths}


def odd_servers(checks):
    """What a server does instead of answering is said."""
    closed, unfit = "the server has closed the connection: no backup", "unexpected answer from the server: no backup"
    deaf = ["strace", "-o", "/dev/null", "-e", "trace=sendto", "-e", "inject=sendto:error=EPIPE"]
    with Place() as place, socket.socket(socket.AF_UNIX) as listener:
        os.mkdir(place.data)
        folder = os.open(place.data, os.O_RDONLY)
        listener.bind(f"/proc/self/fd/{folder}/control")
        os.close(folder)
        listener.listen()
        for prefix, answer, why in (
                ([], b"", closed), ([], b"ok", closed), ([], b"error half", closed), ([], b"x" * 1000, unfit),
                ([], b"okay\n", unfit), ([], b"error full\n", "full"),
                ([], b"ok\n", f"{place.data}/backup.db: No such file or directory"),
                *([(deaf, b"", closed)] if can_trace() else [])):
            asking = subprocess.Popen([*prefix, PROGRAM, "backup", place.file, "--data", place.data], text=True,
                                      stderr=subprocess.PIPE, env={**ENVIRONMENT, **(TRACED if prefix else {})})
            peer = listener.accept()[0]
            if not prefix:
                checks.equal(peer.recv(100), b"backup\n", "what it asks")
                peer.sendall(answer)
            peer.close()
            said = asking.communicate(timeout=LIMIT_S)[1]
            checks.equal((said, asking.returncode), (f"ludusd: {why}\n", 1), f"{answer[:20]} {prefix[:1]}")
        checks.equal(os.listdir(place.folder), ["data"], "nothing is left")


def retired(data):
    folder = os.path.join(data, "archive")
    names = os.listdir(folder) if os.path.isdir(folder) else []
    texts = [open(os.path.join(folder, name), encoding="ascii").read() for name in names]
    return sorted(int(number) for text in texts for number in re.findall(r'Match "(\d+)"', text))


def is_sound(checks, data, matches, what):
    checks.equal(run("check", "--data", data)[:2], (0, f"matches: {matches}, moves: {3 * matches}, problems: 0\n"), what)


def retire(data, checks):
    """Has the server move five of six matches into the files of months; the newest stays in memory."""
    with contextlib.closing(sqlite3.connect(os.path.join(data, "ludus.db"))) as store, store:
        store.execute("UPDATE match SET changed_s = 1767225600 + 86400 * number")
    with Server(build_folder(), "--no-bots", "--data", data, "--keep-days", "1", "--keep-finished", "1", checks=checks):
        wait_until(lambda: retired(data) == [1, 2, 3, 4, 5], "matches in files")


def archived(data, player, checks):
    """Makes a store with files of months."""
    with Server(build_folder(), "--no-bots", "--data", data, checks=checks) as server:
        played(server.connect(player), 6)
    retire(data, checks)


def retired_months(checks):
    """A backup gets the months that it knows, no more and no less; the others are aside."""
    with Place() as place:
        with place.server(checks) as server:
            played(server.connect("anna"), 6)
        early, late = place.file + "-early", place.file + "-late"
        checks.equal(run("backup", early, "--data", place.data)[0], 0, "before they were retired")
        retire(place.data, checks)
        checks.equal(run("backup", late, "--data", place.data)[0], 0, "and afterwards")
        with restored(place.data, early, checks):
            checks.equal(retired(place.data), [], "it knew of none")
        aside = os.path.join(place.data, *place.aside())
        checks.equal(retired(aside), [1, 2, 3, 4, 5], "the old ones are aside")
        is_sound(checks, aside, 1, "with their store")
        is_sound(checks, place.data, 6, "the restored one")
        retire(place.data, checks)
        is_sound(checks, place.data, 1, "which retires them again")
        shutil.rmtree(aside)
        with open(os.path.join(late + ".archive", "2026-02.pgn"), "w", encoding="ascii") as month:
            month.write("of a later backup, whose database was not replaced")
        with restored(place.data, late, checks):
            checks.equal(retired(place.data), [1, 2, 3, 4, 5], "those of the backup")
        checks.equal(os.listdir(os.path.join(place.data, "archive")), ["2026-01.pgn"], "and no more")
        shutil.rmtree(os.path.join(place.data, *place.aside()))
        shutil.rmtree(late + ".archive")
        with open(os.path.join(place.data, "archive", "2026-01.pgn"), "a", encoding="ascii") as month:
            month.write("what came later")
        with restored(place.data, late, checks):
            checks.equal(retired(place.data), [1, 2, 3, 4, 5], "those that are there, up to where it knew them")
        is_sound(checks, place.data, 1, "it is sound")


def checked(file, data):
    """Has a backup restored into a directory by a server that cannot listen. Returns what the check says, and errors."""
    _, said, errors = run("restore", file, "--data", data, "--no-bots", "--listen", "nowhere:0")
    return said.split("\n")[0], errors


WHOLE = "matches: 1, moves: 3, problems: 0"  # the five others are in the files of months


def replaces_nothing_else(checks):
    """A backup that fails leaves the older one whole, though it is of another store; no file of others changes."""
    with Place() as place:
        kept, other = os.path.join(place.folder, "kept"), os.path.join(place.folder, "other")
        os.mkdir(kept)
        file = os.path.join(kept, "ludus.backup")
        archived(place.data, "anna", checks)
        archived(other, "gloria", checks)
        checks.equal(run("backup", file, "--data", place.data), (0, "", ""), "the older one")

        def refuses(title, why, target=file, words=("backup",), **more):
            before = contents(kept)
            status, said, errors = run(*words, target, "--data", other if words == ("backup",) else place.data, **more)
            checks.check((status, said) == (1, "") and re.fullmatch(f"ludusd: {why}\n", errors), title, errors)
            checks.equal(contents(kept), before, f"{title}: all is as it was")

        with Server(build_folder(), "--no-bots", "--data", other, checks=checks) as server:
            refuses("full before the database is written", rf"{file}\.\w{{6}}/ludus.db: File too large",
                    preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 15, 1 << 15)))
            limits = resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE)
            resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (1 << 15, limits[1]))
            refuses("full for the server", f"{other}/backup.db: .+")
            resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, limits)
            os.mkdir(os.path.join(other, "backup.db"))
            refuses("the server cannot copy", f"{other}/backup.db: Is a directory")
            os.rmdir(os.path.join(other, "backup.db"))
            for target, why in ((os.path.join(kept, "missing", "file"), "No such file or directory"),
                                (os.path.join(file, "file"), "Not a directory"), ("/proc/file", ".+"), ("x" * 300, ".+")):
                refuses(why, f"{target[:120]}: {why}", target)
            for name, to, why in (("ludus.backup", os.path.join(place.data, "ludus.db"), f"{file}: not a file"),
                                  ("ludus.backup.archive", os.path.join(place.data, "archive"),
                                   f"{file}.archive: not a directory"),
                                  ("ludus.backup.archive", os.path.join(other, "archive"),
                                   f"{file}: it is in the store: name a file elsewhere")):
                os.rename(os.path.join(kept, name), os.path.join(kept, "aside"))
                os.symlink(os.path.abspath(to), os.path.join(kept, name))
                before = contents(place.data), contents(os.path.join(other, "archive"))
                refuses(f"{name} is a link to {to}", why)
                checks.equal((contents(place.data), contents(os.path.join(other, "archive"))), before, "where it leads to")
                os.unlink(os.path.join(kept, name))
                os.rename(os.path.join(kept, "aside"), os.path.join(kept, name))
            for end in ("-wal", "-journal"):
                with open(file + end, "w", encoding="ascii") as log:
                    log.write("more of it")
                refuses(f"beside {end}", f"{file}: its {end} has changes that it lacks, as in a store: name another file")
                refuses(f"beside {end}: no restoring", f"{file}: not restored: its {end} has changes that it lacks, as in a "
                        "store: serve that with --data", words=("restore",))
                os.unlink(file + end)
            os.symlink(os.path.abspath(os.path.join(place.data, "ludus.db")), file + ".new")
            for end in ("-wal", "-shm"):
                open(file + end, "w", encoding="ascii").close()
            month = os.path.join(kept, "ludus.backup.archive", "2026-01.pgn")
            os.unlink(month)
            os.link(os.path.join(other, "archive", "2026-01.pgn"), month)
            names = sorted(contents(kept))
            before = contents(place.data)
            checks.equal(run("backup", file, "--data", other), (0, "", ""), "at last")
            checks.equal((sorted(contents(kept)), contents(place.data)), (names, before), "nothing else changes")
            checks.equal(os.stat(month).st_nlink, 1, "a month of its own")
            written = os.stat(month).st_ino, os.stat(month).st_mtime_ns
            checks.equal(run("backup", file, "--data", other), (0, "", ""), "and again")
            checks.equal((os.stat(month).st_ino, os.stat(month).st_mtime_ns), written, "a month that has not changed is not written again")
        checks.equal(checked(file, place.data)[0], WHOLE, "it can be restored")
        with open(os.path.join(place.data, "archive", "2026-01.pgn"), encoding="ascii") as file:
            checks.check("gloria" in file.read(), "the other store")


def restored_again(checks):
    """A restore that fails, or comes in the same second as another, loses nothing."""
    with Place() as place:
        archived(place.data, "anna", checks)
        checks.equal(run("backup", place.file, "--data", place.data), (0, "", ""), "backup")
        month = os.path.join(place.file + ".archive", "2026-01.pgn")
        with open(month, "rb") as file:
            whole = file.read()
        with open(month, "wb") as file:
            file.write(whole[:-1])
        before = contents(place.data)
        said, errors = checked(place.file, place.data)
        checks.check("archive/2026-01.pgn: " in said + errors and errors.endswith(": not restored: it is damaged\n"),
                     "a short file of a month", said + errors)
        checks.equal(contents(place.data), before, "the store stays")
        os.unlink(month)
        checks.equal(checked(place.file, place.data), ("", f"ludusd: {month}: missing: not restored without it\n"),
                     "a file of a month that was moved away")
        checks.equal(contents(place.data), before, "the store stays, too")
        with open(month, "wb") as file:
            file.write(whole)
        checks.equal(checked(os.path.join(place.data, "ludus.db"), place.data),
                     ("", f"ludusd: {place.data}/ludus.db: not restored: it is the store\n"), "the store itself")
        with Server(build_folder(), "--no-bots", "--data", os.path.join(place.folder, "live"), checks=checks):
            live = os.path.join(place.folder, "live", "ludus.db")
            checks.equal(checked(live, place.data), ("", f"ludusd: {live}: not restored: a server is using it\n"),
                         "a live one")
        found = [checked(place.file, place.data) for _ in range(3)]
        checks.equal({said for said, errors in found if "File exists" not in errors}, {WHOLE}, "restored")
        checks.equal(len(place.aside()), len([errors for _, errors in found if "File exists" not in errors]),
                     "each has a directory of its own")
        for data in [place.data] + [os.path.join(place.data, name) for name in place.aside()]:
            is_sound(checks, data, 1, "each is whole")
            checks.equal(retired(data), [1, 2, 3, 4, 5], "with its months")


def killed_backup(checks):
    """A backup that is killed at any of its calls leaves the older one whole, and the next one succeeds."""
    with Place() as place:
        archived(place.data, "anna", checks)
        checks.equal(run("backup", place.file, "--data", place.data), (0, "", ""), "the older one")
        new = os.path.join(place.folder, "new")
        with open(os.path.join(place.data, "archive", "2026-02.pgn"), "w", encoding="ascii") as month:
            month.write("new")
        for call, count in (("mkdir", 1), ("unlink", 1), ("mkdir", 2), ("fsync", 2), ("fsync", 4), ("rename", 1),
                            ("rename", 2)):
            status = injected(f"{call}:signal=KILL:when={count}", "backup", place.file, "--data", place.data)[0]
            checks.equal(status, -signal.SIGKILL, "it is killed")
            checks.equal(checked(place.file, new)[0], WHOLE, f"killed at {call} {count}")
            shutil.rmtree(new)
        checks.equal(run("backup", place.file, "--data", place.data), (0, "", ""), "the next one")
        checks.equal(sorted(os.listdir(place.data)), ["archive", "ludus.db"], "nothing is left in the store")


def months_are_on_disk(checks):
    """The files of months that a backup knows are on disk before they are exchanged."""
    with Place() as place:
        with place.server(checks) as server:
            played(server.connect("anna"), 6)
        retire(place.data, checks)
        checks.equal(run("backup", place.file, "--data", place.data)[0], 0, "backup")
        shutil.rmtree(place.file + ".archive")
        with open(os.path.join(place.data, "archive", "2026-01.pgn"), "a", encoding="ascii") as month:
            month.write("what came later")
        trace = os.path.join(place.folder, "trace")
        subprocess.run(["strace", "-f", "-y", "-o", trace, "-e", "trace=fsync,renameat2", PROGRAM,
                        "restore", place.file, "--data", place.data, "--no-bots", "--listen", "nowhere:0"],
                       capture_output=True, timeout=LIMIT_S, check=False)
        with open(trace, encoding="utf-8") as file:
            calls = re.findall(r"(fsync|renameat2)\(.*(?:(2026-01\.pgn|archive)>|archive\"|ludus\.db\")", file.read())
        checks.equal(calls, [("fsync", "2026-01.pgn"), ("fsync", "archive"), ("renameat2", ""), ("renameat2", "")],
                     "synced, exchanged")


def can_trace():
    """Tells whether strace is there, and may trace."""
    return shutil.which("strace") is not None and \
        subprocess.run(["strace", "-o", "/dev/null", "true"], capture_output=True, check=False).returncode == 0


def injected(fault, *words, paths=(), **more):
    """Runs a program with a fault in its calls, where paths are given in those with one of them."""
    done = subprocess.run(["strace", "-o", "/dev/null", *(f"-P{path}" for path in paths),
                           "-e", f"trace={fault.partition(':')[0]}", "-e", f"inject={fault}",
                           PROGRAM, *words, "--config", "none"],
                          capture_output=True, text=True, timeout=LIMIT_S, check=False,
                          env={**ENVIRONMENT, **TRACED}, **more)
    return done.returncode, done.stdout, done.stderr


def failing_calls(checks):
    """A call that fails is said, and the copy of the store goes."""
    with Place() as place:
        with place.server(checks) as server:
            played(server.connect("anna"), 2)
        copy, months = os.path.join(place.data, "backup.db"), os.path.join(place.data, "archive")
        open(months, "w", encoding="ascii").close()
        checks.equal(run("backup", place.file, "--data", place.data), (1, "", f"ludusd: {months}: Not a directory\n"),
                     "a file")
        os.unlink(months)
        os.makedirs(os.path.join(months, "2026-01.pgn"))
        status, said, errors = run("backup", place.file, "--data", place.data)
        checks.check((status, said) == (1, "") and errors.endswith("/archive/2026-01.pgn: Is a directory\n"),
                     "no file", errors)
        os.rmdir(os.path.join(months, "2026-01.pgn"))
        for name in ("2026-01.pgn", "letters.txt"):
            with open(os.path.join(months, name), "w", encoding="ascii") as file:
                file.write("text")
        os.makedirs(os.path.join(place.file + ".archive", "2026-01.pgn"))
        checks.equal(run("backup", place.file, "--data", place.data),
                     (1, "", f"ludusd: {place.file}.archive/2026-01.pgn: Is a directory\n"), "a directory in the backup")
        checks.equal(os.listdir(place.file + ".archive"), ["2026-01.pgn"], "which stays, and no letters")
        shutil.rmtree(place.file + ".archive")
        paths = (copy, os.path.abspath(copy))
        for fault, of, why in (("openat:error=EMFILE:when=2+", paths, f"{copy}: unable to open database file"),
                               ("openat:error=EACCES:when=3", paths, f"{copy}: Permission denied"),
                               ("unlink:error=EACCES:when=1", paths, f"{copy}: Permission denied"),
                               ("mkdir:error=EACCES:when=2", (), f"{place.file}.*/archive: Permission denied"),
                               ("rename:error=EIO:when=1", (), f"{place.file}.archive/2026-01.pgn: Input/output error"),
                               ("rename:error=EIO:when=2", (), f"{place.file}: Input/output error"),
                               ("fsync:error=EIO:when=2+", (), ".+")):
            code, said, errors = injected(fault, "backup", place.file, "--data", place.data, paths=of)
            checks.check((code, said) == (1, "") and re.fullmatch(f"ludusd: {why}\n", errors), fault, errors)
            shutil.rmtree(place.file + ".archive", ignore_errors=True)
            checks.equal((sorted(os.listdir(place.data)), os.listdir(place.folder)), (["archive", "ludus.db"], ["data"]),
                         f"{fault}: nothing is left")


def failing_restores(checks):
    """A restore that cannot exchange the stores puts everything back, also where the old one is damaged."""
    def found():
        return {path: digest for path, digest in contents(place.data).items() if digest != 0}  # an empty log may come

    with Place() as place:
        archived(place.data, "anna", checks)
        checks.equal(run("backup", place.file, "--data", place.data), (0, "", ""), "backup")
        for damaged in (False, True):
            if damaged:
                for name in ("ludus.db", "ludus.db-wal"):
                    with open(os.path.join(place.data, name), "w", encoding="ascii") as file:
                        file.write(f"garbage of {name}")
            before = found()
            for fault, said in (("renameat2:error=EINVAL:when=1", WHOLE), ("renameat2:error=EINVAL:when=2", WHOLE),
                                ("mkdir:error=EACCES:when=3", ""), ("fsync:error=EIO:when=3", "")):
                status, text, _ = injected(fault, "restore", place.file, "--data", place.data)
                checks.equal((status, text.partition("\n")[0]), (1, said), f"{fault}: refused")
                for name in place.aside():
                    shutil.rmtree(os.path.join(place.data, name))
                checks.equal(found(), before, f"{fault}: all is as it was")
        checks.equal(checked(place.file, place.data)[0], WHOLE, "restored over a damaged one")
        aside = os.path.join(place.data, *place.aside())
        for name in ("ludus.db", "ludus.db-wal"):
            with open(os.path.join(aside, name), encoding="ascii") as file:
                checks.equal(file.read(), f"garbage of {name}", "which is aside, with its log")
        is_sound(checks, place.data, 1, "it is whole")


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
            if os.geteuid() == 0:
                os.chmod(place.folder, 0o711)
                for path in (place.data, os.path.join(place.data, "ludus.db")):
                    os.chmod(path, 0o755)
                checks.equal(run("check", "--data", place.data, user=65534, group=65534),
                             (1, "", f"ludusd: {place.data}/ludus.db: a server is using it\n"), "not below a server")
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
                ENVIRONMENT["TMPDIR"] = os.path.join(temporary, "missing")
                status, said, errors = run("check", "--data", place.data, **as_nobody)
                checks.check((status, said) == (1, "") and errors.endswith(": No such file or directory\n"),
                             "no TMPDIR", errors)
                os.environ["TMPDIR"] = ENVIRONMENT["TMPDIR"] = temporary
                exported = os.path.join(temporary, "exported")
                checks.equal(run("check", "--data", place.data, **as_nobody)[:2],
                             (0, "matches: 5, moves: 15, problems: 0\n"), "check")
                checks.equal(run("--export", exported, "--data", place.data, **as_nobody)[0], 0, "export")
                checks.equal(run("check", "--repair", "--data", place.data, **as_nobody)[0], 1, "no repair")
                if can_trace():
                    fault = f"{'readlink,' * (os.uname().machine == 'x86_64')}readlinkat:error=EACCES"
                    found = injected(fault, "check", "--data", place.data, paths=[os.path.abspath(place.data)], **as_nobody)
                    checks.equal(found, (1, "", f"ludusd: {place.data}: Permission denied\n"), "no archive")
                checks.equal(os.listdir(temporary), ["exported"], "the copies are gone")
                del os.environ["TMPDIR"], ENVIRONMENT["TMPDIR"]
            os.chmod(place.data, 0o700)
            for name in os.listdir(place.data):
                os.chmod(os.path.join(place.data, name), 0o600)
            server.again()


if __name__ == "__main__":
    tests = [while_it_runs, asked_twice, large_store, without_server, takes_no_store, bad_backups, odd_servers,
             retired_months, replaces_nothing_else, restored_again, read_only]
    if can_trace():
        tests += [months_are_on_disk, failing_calls, failing_restores, killed, killed_backup]
    sys.exit(Checks("test_backup").run(tests))
