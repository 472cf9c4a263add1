"""HTTP requests to a server, and its metrics."""
import re
import socket

from harness import LIMIT_S


def http(port, text):
    """Returns the whole response to a request: status line, headers and body."""
    with socket.create_connection(("127.0.0.1", port), LIMIT_S) as peer:
        peer.sendall(text.encode())
        answer = b""
        while data := peer.recv(65536):
            answer += data
    head, _, body = answer.decode().partition("\r\n\r\n")
    first, *headers = head.split("\r\n")
    return first, dict(header.split(": ", 1) for header in headers), body


GET_METRICS = "GET /metrics HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"


def metrics_port(server):
    """Reads the port from the server's output."""
    line = server.process.stdout.readline()
    return int(re.fullmatch(r"ludusd: metrics on http://127.0.0.1:(\d+)/metrics\n", line)[1])
