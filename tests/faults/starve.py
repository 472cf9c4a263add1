"""The test's side of starve.c: lets memory run out in a program, and counts."""
import mmap
import os
import struct

LAYOUT = struct.Struct("=QQQQQ")
FOR_EVER = 2**64 - 1


class Starve:
    """The control file of one program."""

    def __init__(self, build, path):
        with open(path, "wb") as file:
            file.write(bytes(LAYOUT.size))
        with open(path, "r+b") as file:
            self.map = mmap.mmap(file.fileno(), LAYOUT.size)
        self.environment = {
            "LD_PRELOAD": os.path.realpath(os.path.join(build, "tests", "starve.so")),
            "LUDUS_STARVE": os.path.realpath(path),
            # The sanitizers want to come first, but need not.
            "ASAN_OPTIONS": "quarantine_size_mb=1:verify_asan_link_order=0"}

    def refuse(self, first, last=None):
        """From now on pieces of memory are counted, and these are not given."""
        self.map[0:8] = bytes(8)
        self.map[8:40] = struct.pack("=QQQQ", 0, first, last or first, 0)
        self.map[0:8] = struct.pack("=Q", 1)

    def off(self):
        self.map[0:8] = bytes(8)

    def seen(self):
        return LAYOUT.unpack(self.map[:])[1]

    def failed(self):
        return LAYOUT.unpack(self.map[:])[4]

    def close(self):
        self.map.close()
