"""Runs three servers on a PostgreSQL primary with two standbys, until Ctrl-C.

usage: run_cluster.py BUILD

Everything lies in a new folder in BUILD, which goes at the end.
"""
import os
import shutil
import signal
import sys
import tempfile

from lobby import Lobby
from postgres import why_not

SERVERS = 3


def show(build, lobby):
    print("Three servers with one lobby. Play at any of them, against each other:\n")
    for node in lobby.nodes:
        print(f"    {build}/ludus --connect {node.address}      # process {node.process.pid}")
    print("\nThey share a PostgreSQL primary with two standbys:\n")
    for member in lobby.databases.members:
        kind = "primary" if member is lobby.databases.primary else "standby"
        print(f"    {kind} {member.name:6} port {member.port}      # process {member.process.pid}")
    print(f"\nKill a server (kill -9), and its players go on at the next one. Logs: "
          f"{lobby.folder}/server-N.log\nCtrl-C ends everything and removes the data.", flush=True)


def main():
    if reason := why_not():
        print(f"cluster: {reason}")
        return 1
    build = sys.argv[1]
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    folder = tempfile.mkdtemp(prefix="cluster-", dir=build)
    os.chmod(folder, 0o755)
    lobby = None
    try:
        lobby = Lobby(build, folder, SERVERS, relayed=False, options=())
        lobby.start()
        show(build, lobby)
        signal.pause()
    except KeyboardInterrupt:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # a second Ctrl-C leaves nothing behind, either
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        print()
    finally:
        if lobby is not None:
            lobby.close()
        shutil.rmtree(folder, ignore_errors=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
