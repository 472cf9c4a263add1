"""Metrics for Prometheus: format, values, and invalid requests.

usage: test_metrics.py BUILD_DIR
"""
import os
import resource
import re
import select
import socket
import subprocess
import sys
import tempfile
import time

sys.path.insert(1, sys.path[0] + "/../support")
from harness import Checks, LIMIT_S, Server, build_folder, wait_until
from metrics import GET_METRICS, http, metrics_port

BUILD = build_folder()


SAMPLE = re.compile(r'([a-z_]+)(\{[a-z]+="[^"]*"(,[a-z]+="[^"]*")*\})? (\S+)')


def samples(checks, body):
    """Parses the text format; every sample belongs to the latest metric."""
    found, name, kind = {}, None, None
    checks.check(body.endswith("\n"), "the text ends in a line end")
    lines = body.splitlines()
    for line, after in zip(lines, lines[1:] + [""]):
        if line.startswith("# HELP "):
            name = line.split()[2]
            checks.check(after.startswith(f"# TYPE {name} ") and name not in found,
                         "help, type, once", line)
            continue
        if line.startswith("# TYPE "):
            kind = line.split()[3]
            checks.equal(kind == "counter", name.endswith("_total"), f"the name of {name}")
            continue
        match = SAMPLE.fullmatch(line)
        if not checks.check(match is not None and line not in found, "a sample", line):
            continue
        base = re.sub("_(bucket|sum|count)$", "", match[1]) if kind == "histogram" else match[1]
        checks.equal(base, name, f"where {line} stands")
        found[match[1] + (match[2] or "")] = float(match[4])
    return found


def metrics(checks):
    with tempfile.TemporaryDirectory() as folder, \
            Server(BUILD, "--data", folder, "--metrics", "0", "--bots", "random",
                   checks=checks) as server:
        port = metrics_port(server)
        first, headers, body = http(port, GET_METRICS)
        checks.equal(first, "HTTP/1.1 200 OK", "the first line")
        checks.equal(headers["Content-Type"], "text/plain; version=0.0.4; charset=utf-8", "type")
        before = samples(checks, body)
        checks.equal(before['ludus_matches{game="shakti",status="open"}'], 0, "no matches")
        anna = server.connect("anna")
        match = anna.ask("new clobber:2x2 black=bot:random")["match"]
        anna.ask(f"move {match} b1b2")
        anna.wait_for("state", match=match, ply=2)
        anna.ask(f"resign {match}")
        anna.ask("new shakti")
        anna.ask("fly")
        anna.ask("watch nothing")
        for request in ("GET /", "GET /x", "POST /"):
            http(server.port, request + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        after = samples(checks, http(port, GET_METRICS)[2])
        grown = {name: value - before.get(name, 0) for name, value in after.items()}
        for name, value in (
                ('ludus_matches{game="shakti",status="open"}', 1),
                ('ludus_matches{game="clobber",status="playing"}', 0),
                ('ludus_matches_finished_total{game="clobber"}', 1),
                ('ludus_moves_total{game="clobber"}', 2), ('ludus_moves_total{game="shakti"}', 0),
                ('ludus_commands_total{command="new",result="ok"}', 2),
                ('ludus_commands_total{command="move",result="ok"}', 2),
                ('ludus_commands_total{command="none",result="unknown-command"}', 1),
                ('ludus_commands_total{command="watch",result="unknown-match"}', 1),
                ('ludus_http_answers_total{status="2xx"}', 1), ('ludus_http_answers_total{status="3xx"}', 0),
                ('ludus_http_answers_total{status="4xx"}', 2)):
            checks.equal(grown.get(name), value, name)
        for name, value in (("ludus_connections", 2), ('ludus_house_bot_up{level="random"}', 1),
                            ("ludus_pending_bytes", 0), ("ludus_store_failures_total", 0),
                            ('ludus_build_info{version="0.1.0"}', 1)):
            checks.equal(after.get(name), value, name)
        histogram = "ludus_store_commit_duration_seconds"
        checks.check(after[histogram + "_count"] >= 5 and after[histogram + "_sum"] > 0,
                     "transactions")
        buckets = [value for name, value in after.items() if name.startswith(histogram + "_bucket")]
        checks.equal(buckets, sorted(buckets), "the buckets grow")
        checks.equal(buckets[-1], after[histogram + "_count"], "the last has all")
        checks.check(after["process_resident_memory_bytes"] > 1e6, "memory")
        starts = set()
        for _ in range(30):
            time.sleep(0.05)
            anna.ask("ping")
            starts.add(samples(checks, http(port, GET_METRICS)[2])["process_start_time_seconds"])
        checks.check(len(starts) == 1 and abs(starts.pop() - time.time()) < 100,
                     "the start, always the same")
        for text, status in (
                ("GET / HTTP/1.0\r\n\r\n", 404), ("GET /metrics/x HTTP/1.0\r\n\r\n", 404),
                ("GET /../metrics HTTP/1.0\r\n\r\n", 404),
                ("POST /metrics HTTP/1.0\r\nContent-Length: 0\r\n\r\n", 405),
                ("DELETE /metrics HTTP/1.0\r\n\r\n", 405),
                ("POST /metrics HTTP/1.0\r\nContent-Length: 5000\r\n\r\n" + "x" * 5000, 413),
                ("GET\r\n\r\n", 400), ("nonsense and more\r\n\r\n", 400),
                ("GET /metrics HTTP/1.0\r\nno colon\r\n\r\n", 400),
                ("GET /metrics HTTP/2.0\r\n\r\n", 505),
                ("GET /metrics HTTP/1.0\r\nX: " + "x" * 10000 + "\r\n\r\n", 431),
                ("x" * 100000, 431)):
            first = http(port, text)[0]
            checks.equal(first.split()[1:2], [str(status)], f"the answer to {text[:60]!r}")
        checks.equal(http(port, "PUT /metrics HTTP/1.0\r\n\r\n")[1]["Allow"], "GET, HEAD", "Allow")
        first, headers, body = http(port, "GET /healthz HTTP/1.0\r\n\r\n")
        checks.equal((first, headers["Content-Type"], body), ("HTTP/1.1 200 OK", "text/plain; charset=utf-8", "ok\n"), "health")
        checks.equal(http(port, "POST /healthz HTTP/1.0\r\n\r\n")[0].split()[1], "405", "health is only read")
        first, headers, body = http(port, "HEAD /metrics HTTP/1.0\r\n\r\n")
        checks.equal((first.split()[1], body), ("200", ""), "HEAD")
        checks.check(int(headers["Content-Length"]) > 3000, "the length it would have", headers)
        for hang in (b"", b"GET /metrics HTTP/1.1\r\nHost: x\r\n"):
            socket.create_connection(("127.0.0.1", port)).sendall(hang)
        checks.equal(http(port, GET_METRICS)[0], "HTTP/1.1 200 OK", "others hang, it is answered")
        done = subprocess.run([os.path.join(BUILD, "ludusd"), "--listen", "127.0.0.1:0", "--no-bots",
                               "--data", "none", "--metrics", str(port)],
                              capture_output=True, text=True, timeout=LIMIT_S)
        checks.equal((done.returncode, done.stderr), (1, f"ludusd: metrics on 127.0.0.1:{port}: "
                                                         "Address already in use\n"), "in use")


def callers(checks):
    """Requests in pieces and from half-closed connections are answered; the number of clients at a time
    is limited."""
    with Server(BUILD, "--no-bots", "--metrics", "0", checks=checks) as server:
        port = metrics_port(server)
        with socket.create_connection(("127.0.0.1", port), LIMIT_S) as peer:
            for byte in "GET /metrics?x HTTP/1.1\r\n\r":
                peer.sendall(byte.encode())
                time.sleep(0.001)
            peer.sendall(b"\nGET /again HTTP/1.1\r\n\r\n")
            peer.shutdown(socket.SHUT_WR)
            answer = b""
            while data := peer.recv(65536):
                answer += data
        checks.check(answer.startswith(b"HTTP/1.1 200 OK\r\n") and answer.count(b"HTTP/1.1 ") == 1,
                     "one answer", answer[:200])
        hanging = [socket.create_connection(("127.0.0.1", port), LIMIT_S) for _ in range(32)]
        with socket.create_connection(("127.0.0.1", port), LIMIT_S) as late:
            checks.equal(late.recv(1), b"", "one too many is let go")
        checks.equal(server.connect().ask("ping")["type"], "pong", "players are not concerned")
        for peer in hanging:
            peer.close()
        wait_until(lambda: is_answered(port), "room again")


def crowd(checks):
    """So many clients at a time and no more, and each for so long: silent ones make room."""
    with Server(BUILD, "--no-bots", "--metrics", "0", checks=checks) as server:
        port = metrics_port(server)
        silent = [socket.create_connection(("127.0.0.1", port), LIMIT_S) for _ in range(32)]
        with socket.create_connection(("127.0.0.1", port), LIMIT_S) as late:
            checks.equal(late.recv(1), b"", "one too many is closed at once")
            checks.equal(len(select.select(silent, [], [], 0)[0]), 0, "before all others")
        checks.equal({peer.recv(1) for peer in silent}, {b""}, "the silent ones are closed in the end")
        checks.equal(http(port, GET_METRICS)[0], "HTTP/1.1 200 OK", "then there is room")
        for peer in silent:
            peer.close()


def is_answered(port):
    try:
        return http(port, GET_METRICS)[0] == "HTTP/1.1 200 OK"
    except ConnectionError:
        return False


def out_of_descriptors(checks):
    """A client that connects while no descriptor is left gets its answer once there is one."""
    with Server(BUILD, "--no-bots", "--metrics", "0", checks=checks) as server:
        port = metrics_port(server)
        anna = server.connect("anna")
        _, most = resource.prlimit(server.process.pid, resource.RLIMIT_NOFILE)
        resource.prlimit(server.process.pid, resource.RLIMIT_NOFILE, (3, most))
        with socket.create_connection(("127.0.0.1", port), LIMIT_S) as asker:
            asker.sendall(GET_METRICS.encode())
            before = cpu_s(server)
            for _ in range(20):  # turns of the loop, and pauses between attempts
                checks.equal(anna.ask("ping")["type"], "pong", "others are served")
                time.sleep(0.05)
            checks.check(cpu_s(server) - before < 0.5, "it does not spin", cpu_s(server) - before)
            resource.prlimit(server.process.pid, resource.RLIMIT_NOFILE, (most, most))
            checks.equal(asker.recv(12), b"HTTP/1.1 200", "the answer")


def cpu_s(server):
    with open(f"/proc/{server.process.pid}/stat") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    sys.exit(Checks("test_metrics").run([metrics, callers, crowd, out_of_descriptors], at_once=4))
