"""What CLUSTER.md says of going back to a moment, command by command.

usage: test_back_to_a_moment.py BUILD_DIR

Skipped without PostgreSQL.
"""
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(1, sys.path[0] + "/../support")
sys.path.insert(1, sys.path[0] + "/../cluster")
sys.path.insert(1, sys.path[0] + "/../crash")
import postgres
from harness import Checks, Connection, build_folder, wait_until
from lend_postgres import One
from nodes import Node, on_database
from ports import hold_port

GAME, MOVE = "clobber:2x3", "b1a1"
machine = None
CLUSTER = os.path.join(os.path.dirname(__file__), "../../server/CLUSTER.md")


def read_manual(folder):
    """Returns the settings and the commands, in that folder."""
    with open(CLUSTER) as file:
        part = file.read().split("\n## Back to a moment\n")[1].split("\n## ")[0]
    part = part.replace("/var/backups/ludus", folder)
    lines = [line.strip() for line in part.splitlines() if line.startswith("    ")]
    settings = dict(re.fullmatch(r'(\w+): "?(.*?)"?', line).groups() for line in lines if re.match(r"\w+: ", line))
    return settings, [line for line in lines if line.split()[0] in ("sudo", "until", "pg_dump")]


class Machine:
    """A PostgreSQL that archives its log, and a server; runs the commands of the manual."""

    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix="moment-")
        os.chmod(self.folder, 0o755)
        self.one = One(self.folder)
        self.backups = os.path.join(self.folder, "postgres", "backups")
        for path in (self.backups, os.path.join(self.backups, "wal")):
            os.mkdir(path, 0o700)
            self.one.postgres.account.own(path)
        settings, self.commands = read_manual(self.backups)
        self.one.postgres.stop()
        with open(self.one.postgres.config, "a") as file:
            file.writelines(f"{name} = '{value}'\n" for name, value in settings.items())
        self.one.postgres.start()
        self.passfile = os.path.join(self.folder, "passfile")
        with open(self.passfile, "w") as file:
            os.fchmod(file.fileno(), 0o600)
            file.write("*:*:*:ludus:secret\n")
        self.conninfo = self.make_database("ludus")
        self.port = hold_port()

    def make_database(self, name):
        return self.one.conninfo(name).replace("password=secret", f"passfile={self.passfile}")

    def run(self, command, moment):
        """Runs a command with the ports, passwords and paths of this machine; returns what went wrong."""
        primary = self.one.postgres
        text = re.sub(r"recovery_target_time='[^']*'", f"recovery_target_time='{moment}'", command)
        text = text.replace("-p 5433", f"-p {self.port}")
        text = text.replace("port=5433", f"port={self.port} passfile={self.passfile}")
        text = text.replace("host=10.0.0.1 user=replicator", f"host=127.0.0.1 port={primary.port} user=postgres")
        text = text.replace("/usr/lib/postgresql/15/bin", postgres.binaries())
        path = f"{postgres.binaries()}:{os.environ['PATH']}"
        text = text.replace("ludus.dump", os.path.join(self.folder, "ludus.dump"))
        words = ["bash", "-c", text] if text.startswith("until ") else shlex.split(text)
        prefix = []
        if words[0] == "sudo":
            words = words[3:]
            prefix = [word for word in primary.account.prefix if word not in ("--pdeathsig", "QUIT")]
        with tempfile.TemporaryFile("w+") as said:  # what pg_ctl starts keeps it open
            done = subprocess.run([*prefix, *words], stdin=subprocess.DEVNULL, stdout=said, stderr=said, cwd="/",
                                  timeout=60, env={**os.environ, "PATH": path, "PGPASSFILE": primary.passfile})
            said.seek(0)
            return "" if done.returncode == 0 else said.read() or "failed"

    def sql(self, statement):
        return self.one.postgres.sql(statement)[0][0]

    def close(self):
        subprocess.run([*self.one.postgres.account.prefix, os.path.join(postgres.binaries(), "pg_ctl"), "stop", "-m",
                        "immediate", "-D", os.path.join(self.backups, "then")], cwd="/", capture_output=True)
        self.one.postgres.kill()
        shutil.rmtree(self.folder)


def goes_back(checks):
    """To the moment between a move and the end of the match."""
    node = Node(build_folder(), machine.folder, 1, ["--no-bots"])
    node.words += on_database(machine.conninfo, 1, node.address)
    node.start()
    node.wait()
    copy, *others = machine.commands
    programs = [command.split()[3 if command.startswith("sudo") else 0] for command in machine.commands]
    checks.equal([os.path.basename(program) for program in programs],
                 ["pg_basebackup", "cp", "touch", "pg_ctl", "until", "pg_dump", "pg_ctl"], "the commands of the manual")
    checks.equal(machine.run(copy, ""), "", copy)
    anna = Connection(node.port, "anna")
    match = anna.do(f"new {GAME} white=me black=me")["match"]
    anna.do(f"move {match} {MOVE}")
    moment = machine.sql("SELECT clock_timestamp() + interval '10 ms'")
    machine.sql("SELECT pg_sleep(0.5)")
    anna.do(f"resign {match}")
    last = machine.sql("SELECT pg_walfile_name(pg_switch_wal())")
    wait_until(lambda: os.path.exists(os.path.join(machine.backups, "wal", last)), "the log is archived")
    node.stop()
    for command in others:
        checks.equal(machine.run(command, moment), "", command)
    then = machine.make_database("restored")
    done = subprocess.run([os.path.join(postgres.binaries(), "pg_restore"), "-d", then,
                           os.path.join(machine.folder, "ludus.dump")], capture_output=True, text=True)
    checks.equal((done.returncode, done.stderr), (0, ""), "restored")
    again = Node(build_folder(), machine.folder, 2, ["--no-bots"])
    again.words += on_database(then, 2, again.address)
    again.start()
    again.wait()
    back = Connection(again.port)
    checks.equal(back.ask(f"hello anna token={anna.token}")["type"], "ok", "tokens come back")
    state = back.do(f"state {match}")
    checks.equal((state["ply"], state["status"]), (1, "playing"), "the match stands as it did then")
    again.stop()


def main():
    global machine
    checks = Checks("test_back_to_a_moment")
    if why := postgres.why_not():
        print(f"test_back_to_a_moment: SKIPPED: {why}")
        print("test_back_to_a_moment: 1 passed, 0 failed")
        return 0
    machine = Machine()
    try:
        return checks.run([goes_back])
    finally:
        machine.close()


if __name__ == "__main__":
    sys.exit(main())
