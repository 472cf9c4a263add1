"""The server for attackers: with metrics, and with TLS if openssl is installed."""
import os
import shutil
import subprocess
import sys

sys.path.insert(1, sys.path[0] + "/../support")
from harness import Server


def certificate(folder):
    """Returns options for TLS with a new certificate in the directory; none without openssl."""
    key, path = (os.path.join(folder, name) for name in ("tls.key", "tls.pem"))
    if shutil.which("openssl") is None:
        return []
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt",
                    "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-subj", "/CN=ludus",
                    "-keyout", key, "-out", path], check=True, capture_output=True)
    return ["--tls-cert", path, "--tls-key", key, "--tls-port", "127.0.0.1:0"]


def start(build, folder, *options):
    """Returns a Server with tls_port (or None) and metrics_port that applies the limits of an address to
    loopback, too. It logs warnings and errors."""
    server = Server(build, "--limit-loopback", "--metrics", "0", "--log-level", "warn",
                    *certificate(folder), *options)
    server.tls_port = server.port6 = None
    for line in iter(server.process.stdout.readline, ""):
        if "TLS on" in line:
            server.tls_port = int(line.rsplit(":", 1)[1])
        if "listening on 127.0.0.1:" in line:  # the line before, which was read, is that of [::]
            server.port6, server.port = server.port, int(line.rsplit(":", 1)[1])
            server.address = f"127.0.0.1:{server.port}"
        if "metrics on" in line:
            server.metrics_port = int(line.rsplit(":", 1)[1].split("/")[0])
            break
    return server
