"""Two machines on one network, as network namespaces, and datagrams between them.

Creating them needs root and the command `ip`.
"""
import contextlib
import ctypes
import os
import shutil
import socket
import struct
import subprocess

from harness import LIMIT_S

GROUP, PORT = "239.255.71.17", 7117
CLONE_NEWNET = 0x40000000


def question(nonce="ab12", size=400):
    return f"ludus-find 1 nonce={nonce}".ljust(size - 1).encode() + b"\n"


def asker(interface, address):
    """A socket that sends questions on that interface, from that address."""
    asking = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    asking.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF,
                      struct.pack("4s4si", bytes(4), socket.inet_aton(address),
                                  socket.if_nametoindex(interface)))
    asking.bind((address, 0))
    asking.settimeout(LIMIT_S)
    return asking


def why_not():
    """Returns why this machine cannot create namespaces; None when it can."""
    if os.geteuid() != 0:
        return "not run by root"
    if shutil.which("ip") is None:
        return "no command ip"
    name = f"ludus-{os.getpid()}"
    if subprocess.run(["ip", "netns", "add", name], capture_output=True).returncode != 0:
        return "no network namespaces"
    # Entering one needs more rights, and a root directory that is a mount.
    used = subprocess.run(["ip", "-n", name, "link", "set", "lo", "up"], capture_output=True)
    subprocess.run(["ip", "netns", "del", name], check=True)
    return None if used.returncode == 0 else "no way into network namespaces"


class Machine:
    def __init__(self, letter, address):
        self.address = address
        self.name, self.interface = f"ludus-{os.getpid()}-{letter}", f"v{letter}"
        subprocess.run(["ip", "netns", "add", self.name], check=True)

    def ip(self, *words):
        subprocess.run(["ip", "-n", self.name, *words], check=True)

    def command(self, *words):
        return ["ip", "netns", "exec", self.name, *words]

    @contextlib.contextmanager
    def inside(self):
        """Sockets opened inside the `with` belong to that machine."""
        libc = ctypes.CDLL(None, use_errno=True)
        with open("/proc/self/ns/net") as here, open(f"/run/netns/{self.name}") as there:
            if libc.setns(there.fileno(), CLONE_NEWNET) != 0:
                raise OSError(ctypes.get_errno(), "setns")
            try:
                yield
            finally:
                libc.setns(here.fileno(), CLONE_NEWNET)

    def asker(self, address=None):
        with self.inside():
            return asker(self.interface, address or self.address)

    def close(self):
        subprocess.run(["ip", "netns", "del", self.name], check=False)


class Network:
    """Two machines, 10.77.0.1 and 10.77.0.2."""

    def __init__(self):
        self.a, self.b = Machine("a", "10.77.0.1"), Machine("b", "10.77.0.2")
        self.machines = (self.a, self.b)
        subprocess.run(["ip", "link", "add", "va", "netns", self.a.name, "type", "veth",
                        "peer", "name", "vb", "netns", self.b.name], check=True)
        for machine in self.machines:
            machine.ip("addr", "add", f"{machine.address}/24", "dev", machine.interface)
            machine.ip("link", "set", "lo", "up")
            # An address of IPv6 would come a moment later, and a browser drops what it is loading then.
            machine.ip("link", "set", machine.interface, "addrgenmode", "none")
            machine.ip("link", "set", machine.interface, "up")

    def close(self):
        for machine in self.machines:
            machine.close()
