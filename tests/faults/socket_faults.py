"""The test's side of sockets.c: chooses the faults of a running program, and counts them."""
import errno
import mmap
import os
import struct

CALLS = ("read", "write", "wait", "accept")
FAULTS_MAX = 4
HEAD = struct.Struct("=Q4Q")
FAULT = struct.Struct("=IIiIQ")
SHORT = 0  # no errno: a partial read or write


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
            "LD_PRELOAD": os.path.realpath(os.path.join(build, "tests", "sockets.so"), strict=True),
            "LUDUS_SOCKET_FAULTS": os.path.realpath(path),
            # The sanitizers want to come first, but need not.
            "ASAN_OPTIONS": "quarantine_size_mb=1:verify_asan_link_order=0"}

    @staticmethod
    def place(call, index):
        return HEAD.size + (CALLS.index(call) * FAULTS_MAX + index) * FAULT.size

    def set(self, call, *faults):
        """Sets the faults of a kind of call from now on, each as (errno or SHORT, per thousand calls,
        number of next calls)."""
        for index in range(FAULTS_MAX):
            error, permille, following = faults[index] if index < len(faults) else (0, 0, 0)
            at = self.place(call, index)
            self.map[at:at + 12] = struct.pack("=IIi", 0, 0, error)
            self.map[at:at + 8] = struct.pack("=II", permille, following)

    def next(self, call, error, count=1):
        """Makes only the next calls of that kind fail."""
        self.set(call, (error, 0, count))

    def off(self):
        for call in CALLS:
            self.set(call)

    def bad_line(self):
        """Sets all faults that a correct program tolerates: partial reads and writes, interrupted waits,
        and EAGAIN after readiness."""
        self.set("read", (SHORT, 500, 0), (errno.EINTR, 100, 0), (errno.EAGAIN, 50, 0))
        self.set("write", (SHORT, 500, 0), (errno.EINTR, 100, 0), (errno.EAGAIN, 100, 0))
        self.set("wait", (errno.EINTR, 200, 0))

    def waits(self, call):
        """Returns how many of the faults for the next calls have not happened yet."""
        return sum(FAULT.unpack_from(self.map, self.place(call, i))[1] for i in range(FAULTS_MAX))

    def count(self, call):
        """Returns the number of faults in calls of that kind."""
        return sum(FAULT.unpack_from(self.map, self.place(call, i))[4] for i in range(FAULTS_MAX))

    def calls(self, call):
        """Returns the number of calls of that kind that could have failed."""
        return HEAD.unpack_from(self.map, 0)[1 + CALLS.index(call)]

    def close(self):
        self.map.close()
