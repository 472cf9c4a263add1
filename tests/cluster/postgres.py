"""One PostgreSQL server for tests: on loopback, in a folder of its own, without systemd or root.

Started by root it runs as another user, because PostgreSQL refuses to run as root. Its configuration lies
beside its data, so that a copy of the data brings none along.
"""
import glob
import os
import pwd
import shutil
import signal
import subprocess
import time

LIMIT_S = 180  # for anything that should happen at once
SUPERUSER = "postgres"

# Small, and quick to notice that a peer is gone. The other settings are PostgreSQL's own.
SETTINGS = """\
listen_addresses = '127.0.0.1'
port = {port}
unix_socket_directories = ''
hba_file = '{hba}'
cluster_name = '{name}'
synchronous_standby_names = '{standbys}'
synchronous_commit = on
primary_conninfo = '{primary}'
max_connections = 60
shared_buffers = 32MB
wal_keep_size = 512MB
wal_log_hints = on
wal_sender_timeout = 5s
wal_receiver_timeout = 5s
wal_retrieve_retry_interval = 200ms
"""
HBA = "host all all 127.0.0.1/32 scram-sha-256\nhost replication all 127.0.0.1/32 scram-sha-256\n"


def binaries():
    """Returns the folder of the newest PostgreSQL from 15 on; None if none is installed."""
    found = [path for path in glob.glob("/usr/lib/postgresql/*/bin/postgres")
             if path.split("/")[4].isdigit() and int(path.split("/")[4]) >= 15]
    if found:
        return os.path.dirname(max(found, key=lambda path: int(path.split("/")[4])))
    program = shutil.which("postgres")
    return os.path.dirname(program) if program else None


def why_not():
    """Returns why no PostgreSQL can be started here; None if one can."""
    if binaries() is None:
        return "PostgreSQL is not installed (postgresql, 15 or newer)"
    if shutil.which("setpriv") is None:
        return "setpriv is not installed (util-linux)"
    return None


class Account:
    """The user who runs PostgreSQL: ours, or when we are root an unprivileged one."""

    def __init__(self):
        self.uid, self.gid = os.geteuid(), os.getegid()
        self.prefix = ["setpriv", "--pdeathsig", "QUIT"]
        if self.uid == 0:
            entry = next(filter(None, map(find_user, (SUPERUSER, "nobody"))))
            self.uid, self.gid = entry.pw_uid, entry.pw_gid
            self.prefix += ["--reuid", str(self.uid), "--regid", str(self.gid), "--clear-groups"]

    def reaches(self, folder):
        """Returns whether the user may enter that folder."""
        return subprocess.run([*self.prefix, "test", "-x", folder]).returncode == 0

    def own(self, path):
        if os.geteuid() == 0:
            os.chown(path, self.uid, self.gid)

    def write(self, path, text, mode=0o600):
        with open(path, "w") as file:
            os.fchmod(file.fileno(), mode)
            file.write(text)
        self.own(path)


def find_user(name):
    try:
        return pwd.getpwnam(name)
    except KeyError:
        return None


class Postgres:
    """States: without data; stopped; running, perhaps frozen. Methods that start or stop wait for it."""

    def __init__(self, folder, name, port, account, passfile, standbys):
        self.name, self.port, self.account = name, port, account
        self.passfile, self.standbys = passfile, standbys
        self.data, self.config, self.hba, self.log_path = (
            os.path.join(folder, name + end) for end in ("", ".conf", ".hba", ".log"))
        self.process = None
        self.frozen = False
        account.write(self.hba, HBA)

    # Commands of PostgreSQL

    def run(self, program, *arguments, check=True):
        """Runs a program of PostgreSQL as its user and returns what it printed."""
        done = subprocess.run(
            [*self.account.prefix, os.path.join(binaries(), program), *arguments], text=True,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=LIMIT_S,
            env={**os.environ, "PGPASSFILE": self.passfile, "LC_ALL": "C"}, cwd="/")
        if check and done.returncode != 0:
            raise RuntimeError(f"{program} for {self.name}: {done.stdout}")
        return done.stdout if check else done

    def conninfo(self, user=SUPERUSER, database="postgres"):
        return (f"host=127.0.0.1 port={self.port} user={user} dbname={database} connect_timeout=5 "
                f"passfile={self.passfile} application_name={self.name}")

    def sql(self, statement, database="postgres"):
        """Returns the rows as lists of strings."""
        text = self.run("psql", "-XAtq", "-F", "\t", "-v", "ON_ERROR_STOP=1", "-d",
                        self.conninfo(database=database), "-c", statement)
        return [line.split("\t") for line in text.splitlines()]

    # Data

    def make(self, password_file):
        """Makes new data."""
        self.run("initdb", "-D", self.data, "-U", SUPERUSER, "--pwfile", password_file, "-A", "scram-sha-256",
                 "-E", "UTF8", "--locale", "C", "--no-sync")

    def copy(self, primary):
        """Replaces the data by a copy of the primary's, as a standby."""
        shutil.rmtree(self.data, ignore_errors=True)
        self.run("pg_basebackup", "-D", self.data, "-d", primary.conninfo(), "-c", "fast", "--no-sync")
        self.become_standby()

    def rewind(self, primary):
        """Makes stopped data a standby of the primary, after both went different ways. Returns whether
        that was possible without a copy of everything."""
        # Until the first checkpoint after a promotion, pg_rewind does not see that the ways parted.
        primary.sql("CHECKPOINT")
        done = self.run("pg_rewind", "-D", self.data, f"--source-server={primary.conninfo()}",
                        f"--config-file={self.config}", "--no-sync", check=False)
        if done.returncode != 0:
            self.copy(primary)
        self.become_standby()
        return done.returncode == 0

    def become_standby(self):
        self.account.write(os.path.join(self.data, "standby.signal"), "")

    def follow(self, primary):
        """Lets a standby, stopped or running, follow that primary; None: nobody."""
        self.account.write(self.config, SETTINGS.format(
            port=self.port, hba=self.hba, name=self.name, standbys=self.standbys,
            primary=primary.conninfo().replace(f"application_name={primary.name}",
                                               f"application_name={self.name}") if primary else ""))
        if self.runs():
            self.process.send_signal(signal.SIGHUP)

    # Running

    def start(self):
        """Starts the server and waits until it answers."""
        with open(self.log_path, "a") as log:
            self.process = subprocess.Popen(
                [*self.account.prefix, os.path.join(binaries(), "postgres"), "-D", self.data, "-c",
                 f"config_file={self.config}"], stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd="/",
                start_new_session=True, env={**os.environ, "LC_ALL": "C"})
        self.frozen = False
        end_s = time.monotonic() + LIMIT_S
        while not self.answers():
            if self.process.poll() is not None or time.monotonic() > end_s:
                raise RuntimeError(f"{self.name} does not start: {self.read_log()[-1500:]}")
            time.sleep(0.05)

    def answers(self):
        return self.run("pg_isready", "-q", "-d", self.conninfo(), check=False).returncode == 0

    def runs(self):
        return self.process is not None and self.process.poll() is None

    def stop(self):
        """Stops the server in good order; at once if that takes too long."""
        if not self.runs():
            return
        self.thaw()
        self.process.send_signal(signal.SIGINT)
        try:
            self.process.wait(LIMIT_S)
        except subprocess.TimeoutExpired:
            self.kill()

    def processes(self):
        """Returns the ids of the server's processes, its main one first."""
        return processes_of(self.process.pid)

    def kill(self):
        """Kills all processes."""
        if self.runs():
            pids = signal_server(self.process.pid, signal.SIGKILL)
            self.process.wait()
            while any(state_of(pid) != "Z" for pid in pids):  # they hold the shared memory until then
                time.sleep(0.01)
        self.frozen = False

    def freeze(self):
        """Stops all processes where they are."""
        signal_server(self.process.pid, signal.SIGSTOP)
        self.frozen = True

    def thaw(self):
        if self.frozen:
            signal_server(self.process.pid, signal.SIGCONT)
        self.frozen = False

    def read_log(self):
        with open(self.log_path) as file:
            return file.read()


def processes_of(main):
    """Returns the ids of a server's processes, its main one first."""
    return [main, *(int(entry) for entry in os.listdir("/proc") if entry.isdigit() and parent_of(int(entry)) == main)]


def signal_server(main, number):
    """Sends a signal to all processes of a server and returns their ids; the main one is held meanwhile, so that none
    is born."""
    os.kill(main, signal.SIGSTOP)
    while state_of(main) not in "TZ":
        time.sleep(0.001)
    pids = processes_of(main)
    for pid in reversed(pids):
        try:
            os.kill(pid, number)
        except ProcessLookupError:
            pass
    return pids


def state_of(pid):
    """Returns the letter of a process's state; Z for one that has ended."""
    return (stat_of(pid) or "Z")[0]


def parent_of(pid):
    """Returns the parent's process id; None for a process that has ended."""
    fields = stat_of(pid)
    return int(fields[1]) if fields else None


def stat_of(pid):
    """Returns what /proc says of a process, from its state on; None for one that has ended."""
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rsplit(")", 1)[1].split()
    except OSError:
        return None
