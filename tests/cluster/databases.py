"""A primary and two standbys on this machine: the database that the servers of a cluster share.

A commit counts once the primary and any one standby have it. fail_over() does by hand what Patroni does in
a real cluster: it ends the primary, asks both standbys how far they are, and promotes the one that is ahead.
"""
import atexit
import os
import secrets
import shutil
import tempfile
import time

from ports import hold_port
from postgres import LIMIT_S, Account, Postgres

NAMES = ("one", "two", "three")
ROLE = DATABASE = "ludus"


class Databases:
    """`primary` is the Postgres that takes changes; `members` are all three, always in the order of NAMES."""

    def __init__(self, folder):
        """Makes and starts all three, and the role and the empty database of the servers. Uses a folder
        elsewhere when PostgreSQL's user cannot enter that one."""
        self.account = Account()
        os.makedirs(folder, exist_ok=True)
        self.elsewhere = not self.account.reaches(folder)
        self.folder = tempfile.mkdtemp(prefix="cluster-") if self.elsewhere else os.path.abspath(folder)
        home = os.path.join(self.folder, "postgres")
        os.mkdir(home, 0o700)
        self.account.own(home)
        if self.elsewhere:
            os.chmod(self.folder, 0o711)
        self.passfile, superuser = self.write_passwords(home)
        standbys = f"ANY 1 ({', '.join(NAMES)})"
        self.members = [Postgres(home, name, hold_port(), self.account, superuser, standbys)
                        for name in NAMES]
        self.primary = self.members[0]
        atexit.register(self.kill)
        self.make(home)

    def write_passwords(self, home):
        """Returns the password files of the servers and of the superuser."""
        self.passwords = {user: secrets.token_hex(16) for user in ("postgres", ROLE)}
        own, theirs = os.path.join(self.folder, "passfile"), os.path.join(home, "passfile")
        with open(own, "w") as file:
            os.fchmod(file.fileno(), 0o600)
            file.write(f"*:*:*:{ROLE}:{self.passwords[ROLE]}\n")
        self.account.write(theirs, f"*:*:*:postgres:{self.passwords['postgres']}\n")
        return own, theirs

    def make(self, home):
        password = os.path.join(home, "password")
        self.account.write(password, self.passwords["postgres"])
        self.primary.make(password)
        os.unlink(password)
        self.primary.follow(None)
        self.primary.start()
        for standby in self.standbys():
            standby.copy(self.primary)
            standby.follow(self.primary)
            standby.start()
        self.wait_for_standbys()
        self.primary.sql(f"CREATE ROLE {ROLE} LOGIN PASSWORD '{self.passwords[ROLE]}'")
        self.create(DATABASE)

    def standbys(self):
        return [member for member in self.members if member is not self.primary]

    def wait_for_standbys(self, count=2):
        """Waits until `count` standbys confirm what the primary commits."""
        end_s = time.monotonic() + LIMIT_S
        confirming = ("SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'quorum' AND "
                      "state = 'streaming'")
        while int(self.primary.sql(confirming)[0][0]) < count:
            if time.monotonic() > end_s:
                raise RuntimeError("the standbys do not follow the primary")
            time.sleep(0.05)

    def create(self, name):
        """Creates another database for the servers, everywhere."""
        self.primary.sql(f"CREATE DATABASE {name} OWNER {ROLE}")
        self.wait_for_database(name)

    def wait_for_database(self, name):
        """Waits until the standbys have it: a client that asks one of them first would be refused."""
        end_s = time.monotonic() + LIMIT_S
        for standby in self.standbys():
            while not standby.sql(f"SELECT 1 FROM pg_database WHERE datname = '{name}'"):
                if time.monotonic() > end_s:
                    raise RuntimeError(f"{standby.name} does not get {name}")
                time.sleep(0.05)

    def conninfo(self, ports=None):
        """Returns how a server reaches the database, through other ports if they are given."""
        ports = ports or [member.port for member in self.members]
        return (f"hostaddr={','.join(['127.0.0.1'] * len(ports))} port={','.join(map(str, ports))} "
                f"dbname={DATABASE} user={ROLE} passfile={self.passfile} "
                "target_session_attrs=read-write connect_timeout=2")

    def sql(self, statement):
        """Asks the servers' database, at the primary."""
        return self.primary.sql(statement, DATABASE)

    # Failures

    def fail_over(self, fence=True):
        """Promotes the standby that is ahead. Both must be asked, because either may be the one that
        confirmed the last commit. `fence` kills the old primary first; without it, it must be frozen."""
        if fence:
            self.primary.kill()
        standbys = self.standbys()
        for standby in standbys:
            standby.thaw()
            standby.follow(None)
            if not standby.runs():
                standby.start()
        ahead = max(standbys, key=has_up_to)
        ahead.sql("SELECT pg_promote()")
        for member in standbys:
            if member is not ahead:
                member.follow(ahead)
        self.primary = ahead

    def bring_back(self, member):
        """Makes a former primary a standby. Returns whether pg_rewind could."""
        member.kill()
        member.follow(self.primary)
        rewound = member.rewind(self.primary)
        member.start()
        return rewound

    def kill(self):
        for member in self.members:
            member.kill()

    def close(self):
        """Ends all three and removes their folder."""
        self.kill()
        atexit.unregister(self.kill)
        shutil.rmtree(os.path.join(self.folder, "postgres"), ignore_errors=True)
        os.unlink(self.passfile)
        if self.elsewhere:
            os.rmdir(self.folder)


def has_up_to(standby):
    """Returns how much of the log a standby without a primary has, in bytes, once it is still."""
    known = ("SELECT (SELECT count(*) FROM pg_stat_wal_receiver), greatest(pg_last_wal_receive_lsn(), "
             "pg_last_wal_replay_lsn()) - '0/0', pg_last_wal_replay_lsn() - '0/0'")
    end_s = time.monotonic() + LIMIT_S
    before = None
    while time.monotonic() < end_s:
        now = standby.sql(known)[0]
        if now == before and now[0] == "0":
            return int(now[1])
        before = now
        time.sleep(0.05)
    raise RuntimeError(f"{standby.name} is never still")
