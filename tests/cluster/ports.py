"""Ports of loopback that stay one test's own."""
import socket


class Port:
    """A port that nobody else gets until it is closed: its socket is bound and never listens, so that a server may
    listen there, end and come back, and connections are refused meanwhile."""

    def __init__(self):
        self.socket = socket.socket()
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self.socket.bind(("127.0.0.1", 0))
        self.number = self.socket.getsockname()[1]

    def close(self):
        self.socket.close()


held = []


def hold_port():
    """Returns the number of a port that this process holds until it ends."""
    held.append(Port())
    return held[-1].number
