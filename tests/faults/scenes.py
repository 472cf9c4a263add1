"""Work for programs under a tool (valgrind.py, threads.py)."""
import subprocess

GAMES = ("clobber:4x5", "xadrersi:touch", "xadrersi:attack", "latrunculi", "shakti")
# Searches that end by themselves, are stopped at once or later, and meet other commands.
UGI = """ugi
setoption name Threads value {threads}
setoption name Level value max
setoption name Game value {game}
position startpos
go nodes 3000
isready
go infinite
isready
stop
go movetime 300
stop
position startpos
go p1time 1000 p2time 1000
isready
query gameover
d
stop
uginewgame
go depth 2
"""
ENDINGS = ("quit\n", "go infinite\nquit\n", "go infinite\n")  # the last one: end of input


def think(t, program, game, threads, limit_s, environment):
    """Runs an engine that searches, is stopped, and exits in different ways."""
    for ending in ENDINGS:
        done = subprocess.run([program, "ugi"], text=True, stdout=subprocess.PIPE,
                              input=UGI.format(game=game, threads=threads) + ending,
                              timeout=limit_s, env=environment)
        t.check(done.returncode == 0 and done.stdout.count("bestmove") >= 5,
                f"ludus-bot ugi, {game}, {threads} threads, then {ending.split()}",
                (done.returncode, done.stdout[-500:]))


def wait_for_end(connection, match):
    """Watches a match to the end."""
    while connection.wait_for("state", match=match)["status"] != "over":
        pass
