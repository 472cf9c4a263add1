"""The test's side of sockets.c: chooses the faults of a running program, and counts them."""
import errno
import mmap
import os
import struct

CALLS = ("read", "write", "wait", "accept")
FAULTS_MAX = 4
HEAD = struct.Struct("=Q4Q")
FAULT = struct.Struct("=IIiIQ")
SHORT = 0  # no errno: only a part of the bytes


class SocketFaults:
    """One control file, for one program or for many."""

    def __init__(self, build, path, seed=1):
        size = HEAD.size + len(CALLS) * FAULTS_MAX * FAULT.size
        with open(path, "wb") as file:
            file.write(bytes(size))
        with open(path, "r+b") as file:
            self.map = mmap.mmap(file.fileno(), size)
        self.map[0:8] = struct.pack("=Q", seed)
        self.environment = {
            "LD_PRELOAD": os.path.realpath(os.path.join(build, "tests", "sockets.so")),
            "LUDUS_SOCKET_FAULTS": os.path.realpath(path),
            # The sanitizers want to come first, but need not.
            "ASAN_OPTIONS": "quarantine_size_mb=1:verify_asan_link_order=0"}

    @staticmethod
    def place(call, index):
        return HEAD.size + (CALLS.index(call) * FAULTS_MAX + index) * FAULT.size

    def set(self, call, *faults):
        """From now on these faults of a kind of call: each (errno or SHORT, of a thousand calls,
        of the next ones)."""
        for index in range(FAULTS_MAX):
            error, permille, following = faults[index] if index < len(faults) else (0, 0, 0)
            at = self.place(call, index)
            self.map[at:at + 12] = struct.pack("=IIi", 0, 0, error)
            self.map[at:at + 8] = struct.pack("=II", permille, following)

    def next(self, call, error, count=1):
        """The next calls of that kind, and no others, meet this fault."""
        self.set(call, (error, 0, count))

    def off(self):
        for call in CALLS:
            self.set(call)

    def bad_line(self):
        """All that a sound program must not even notice: bytes come and go in parts, waiting is
        interrupted, and what was ready is not."""
        self.set("read", (SHORT, 500, 0), (errno.EINTR, 100, 0), (errno.EAGAIN, 50, 0))
        self.set("write", (SHORT, 500, 0), (errno.EINTR, 100, 0), (errno.EAGAIN, 100, 0))
        self.set("wait", (errno.EINTR, 200, 0))

    def waits(self, call):
        """Of the faults that were to meet the next calls, how many have not happened yet."""
        return sum(FAULT.unpack_from(self.map, self.place(call, i))[1] for i in range(FAULTS_MAX))

    def count(self, call):
        """How many faults such calls have met."""
        return sum(FAULT.unpack_from(self.map, self.place(call, i))[4] for i in range(FAULTS_MAX))

    def calls(self, call):
        """How many calls of that kind there were, where they could fail."""
        return HEAD.unpack_from(self.map, 0)[1 + CALLS.index(call)]

    def close(self):
        self.map.close()
