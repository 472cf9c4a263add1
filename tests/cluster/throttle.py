"""Holds a process to a share of one core: by a cgroup where it can be made, else by stopping it in turns."""
import os
import signal
import threading
import time

PERIOD_S = 0.01
V1, V2 = "/sys/fs/cgroup/cpu", "/sys/fs/cgroup"


def make_group(name, share):
    """Returns the folder of a new group that gets that share of a core; None if that is not allowed."""
    quota, period = int(share * PERIOD_S * 1e6), int(PERIOD_S * 1e6)
    for top, limits in ((V1, {"cpu.cfs_period_us": period, "cpu.cfs_quota_us": quota}),
                        (V2, {"cpu.max": f"{quota} {period}"})):
        folder = os.path.join(top, name)
        try:
            os.mkdir(folder)
        except OSError:
            continue
        try:
            for file_name, value in limits.items():
                with open(os.path.join(folder, file_name), "r+") as file:
                    file.write(str(value))
            return folder
        except OSError:
            os.rmdir(folder)
    return None


class Throttle:
    """Ends the limit with close(). `way` says how it is held."""

    def __init__(self, pid, share):
        self.pid, self.share = pid, share
        self.group = make_group(f"ludus-{os.getpid()}-{pid}", share)
        self.way = "cgroup" if self.group else "stopped and continued"
        self.ending = threading.Event()
        self.thread = None
        if self.group:
            with open(os.path.join(self.group, "cgroup.procs"), "w") as file:
                file.write(str(pid))
        else:
            self.thread = threading.Thread(target=self.take_turns, daemon=True)
            self.thread.start()

    def take_turns(self):
        """Lets the process run until it has had its share of the time so far, and stops it until it may
        again, like cpulimit."""
        clock = ~self.pid << 3 | 2
        used_ns, begun_ns = time.clock_gettime_ns(clock), time.monotonic_ns()
        while not self.ending.wait(PERIOD_S / 4):
            try:
                had_ns = time.clock_gettime_ns(clock) - used_ns
                ahead_ns = had_ns - self.share * (time.monotonic_ns() - begun_ns)
                os.kill(self.pid, signal.SIGSTOP if ahead_ns > 0 else signal.SIGCONT)
            except (OSError, ProcessLookupError):
                return

    def close(self):
        self.ending.set()
        if self.thread is not None:
            self.thread.join()
            try:
                os.kill(self.pid, signal.SIGCONT)
            except ProcessLookupError:
                pass
            return
        with open(os.path.join(os.path.dirname(self.group), "cgroup.procs"), "w") as file:
            try:
                file.write(str(self.pid))
            except OSError:
                pass  # it has ended
        os.rmdir(self.group)
