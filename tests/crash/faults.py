"""The test's side of faults.c: switches faults on and off in a running server, and counts them."""
import errno
import mmap
import os
import struct

KINDS = {"write": 1, "sync": 2, "truncate": 4, "open": 8}
ERRORS = {"ENOSPC": errno.ENOSPC, "EIO": errno.EIO}
LAYOUT = struct.Struct("=IiIIQQQI4x")


class Faults:
    """The control file of one server."""

    def __init__(self, build, path, folder):
        with open(path, "wb") as file:
            file.write(bytes(LAYOUT.size))
        with open(path, "r+b") as file:
            self.map = mmap.mmap(file.fileno(), LAYOUT.size)
        self.environment = {
            "LD_PRELOAD": os.path.realpath(os.path.join(build, "tests", "faults.so"), strict=True),
            "LUDUS_FAULTS": os.path.realpath(path),
            "LUDUS_FAULTS_FOLDER": os.path.realpath(folder),
            # The sanitizers want to come first, but need not.
            "ASAN_OPTIONS": "quarantine_size_mb=1:verify_asan_link_order=0"}

    def turn_on(self, kinds, error, every, halves=False):
        """From now on every nth of these calls fails."""
        calls = sum(KINDS[kind] for kind in kinds)
        # Written last, because it turns the faults on.
        self.map[4:16] = struct.pack("=iII", ERRORS[error], every, int(halves))
        self.map[0:4] = struct.pack("=I", calls)

    def turn_off(self):
        self.map[0:4] = bytes(4)
        self.map[40:44] = bytes(4)

    def count(self):
        """Returns the number of failed calls so far, and of writes that were cut in half."""
        values = LAYOUT.unpack(self.map[:])
        return values[5], values[6]

    def close(self):
        self.map.close()
