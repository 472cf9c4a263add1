"""Measurements of a server process in a soak test, and their statistics."""
import csv
import os
import resource
import statistics
import threading
import time
import urllib.request

PAGE_KIB = resource.getpagesize() // 1024
COLUMNS = ("s", "phase", "rss_kib", "descriptors", "cpu_s", "cpu_percent", "connections", "refused",
           "names", "pending_kib", "matches_open", "matches_playing", "commands", "store_mib", "running",
           "finished", "verified", "faults", "ping_p50_ms", "ping_p99_ms", "ping_max_ms", "move_p50_ms",
           "move_p99_ms", "move_max_ms")


def rss_kib(pid):
    with open(f"/proc/{pid}/statm") as file:
        return int(file.read().split()[1]) * PAGE_KIB


def descriptors(pid):
    return len(os.listdir(f"/proc/{pid}/fd"))


def cpu_s(pid):
    with open(f"/proc/{pid}/stat") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def socket_kib(port):
    """Returns the kernel's buffers for the connections of a port of 127.0.0.1: data not yet sent or
    read."""
    kept = 0
    with open("/proc/net/tcp") as file:
        for line in file.readlines()[1:]:
            words = line.split()
            if int(words[1].split(":")[1], 16) == port and words[3] == "01":  # established
                kept += sum(int(part, 16) for part in words[4].split(":"))
    return kept / 1024


def cpu_ns(pid):
    """Returns the processor time exactly, from the clock of that process."""
    return time.clock_gettime_ns(~pid << 3 | 2)


def metrics(port):
    """Returns the server's metrics, added up by name."""
    sums = {}
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=60) as answer:
        for line in answer.read().decode().splitlines():
            if line and not line.startswith("#"):
                name, value = line.rsplit(" ", 1)
                for key in {name, name.split("{")[0]}:
                    sums[key] = sums.get(key, 0) + float(value)
                if 'status="' in name:
                    key = "matches_" + name.split('status="')[1].split('"')[0]
                    sums[key] = sums.get(key, 0) + float(value)
    return sums


def folder_mib(folder):
    sizes = 0
    for entry in os.scandir(folder):
        sizes += entry.stat().st_size
    return round(sizes / 1024 / 1024, 1)


def share(values, part):
    """Returns the value that the given share of the values does not exceed; 0 without values."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(part * len(ordered)))] if ordered else 0


class Waits:
    """Latencies of a probe since the last call. A thread fills it."""

    def __init__(self):
        self.lock, self.pings, self.moves = threading.Lock(), [], []

    def add(self, told):
        with self.lock:
            self.pings += told["pings"]
            self.moves += told["moves"]

    def take(self):
        with self.lock:
            taken = self.pings, self.moves
            self.pings, self.moves = [], []
        return taken


class Samples:
    """The table of samples, written row by row."""

    def __init__(self, path):
        self.rows = []
        self.file = open(path, "w", newline="")
        self.writer = csv.DictWriter(self.file, COLUMNS)
        self.writer.writeheader()

    def add(self, row):
        row["cpu_percent"] = 0
        if self.rows and row["s"] > self.rows[-1]["s"]:
            last = self.rows[-1]
            row["cpu_percent"] = round((row["cpu_s"] - last["cpu_s"]) * 100 / (row["s"] - last["s"]), 1)
        self.rows.append(row)
        self.writer.writerow(row)
        self.file.flush()


def slope(points):
    """Returns the Theil-Sen slope of (x, y), the median of the slopes of all pairs, which ignores
    outliers. 0 for less than two points."""
    slopes = [(y2 - y1) / (x2 - x1) for i, (x1, y1) in enumerate(points)
              for x2, y2 in points[i + 1:] if x2 > x1]
    return statistics.median(slopes) if slopes else 0
