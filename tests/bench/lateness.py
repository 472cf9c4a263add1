"""How late `ludus-bot ugi` answers: over random positions of every game, after `go movetime` and
after `stop`. Usage: python3 tests/bench/lateness.py [BUILD [POSITIONS]]"""
import os
import random
import statistics
import subprocess
import sys
import time

# The games, with the most plies from the start: on the larger Clobber boards enough for the solver.
GAMES = {"clobber:5x6": 12, "clobber:8x8": 30, "clobber:10x10": 60, "xadrersi:touch": 12,
         "xadrersi:attack": 12, "latrunculi": 12, "shakti": 12}


class Engine:
    def __init__(self, build, *options):
        self.process = subprocess.Popen(
            [os.path.join(build, "ludus-bot"), "ugi", "--level", "max", "--seed", "1"], text=True,
            bufsize=1, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        for option in options:
            self.send(f"setoption name {option}")

    def send(self, line):
        self.process.stdin.write(line + "\n")

    def read_until(self, word):
        lines = []
        for line in self.process.stdout:
            lines.append(line.rstrip("\n"))
            if line.startswith(word):
                return lines
        sys.exit("lateness: the engine has ended")

    def legal_moves(self):
        self.send("go perft 1")
        return [line.split(":")[0] for line in self.read_until("nodes:")[:-1]]


def random_position(engine, game, rng):
    """Sets up a position. Returns false if its game is over."""
    engine.send(f"setoption name Game value {game}")
    moves = []
    for _ in range(rng.randrange(GAMES[game])):
        engine.send("position startpos" + (" moves " + " ".join(moves) if moves else ""))
        legal = engine.legal_moves()
        if len(legal) < 2:
            break
        moves.append(rng.choice(legal))
    engine.send("position startpos" + (" moves " + " ".join(moves) if moves else ""))
    return bool(engine.legal_moves())


def late_ms(engine, movetime_ms, stopped):
    """Returns the milliseconds after the time was up; negative for an early answer."""
    begun = time.monotonic()
    engine.send("go infinite" if stopped else f"go movetime {movetime_ms}")
    if stopped:
        time.sleep(movetime_ms / 1000)
        begun = time.monotonic()
        engine.send("stop")
        movetime_ms = 0
    engine.read_until("bestmove")
    return (time.monotonic() - begun) * 1000 - movetime_ms


def main():
    build = sys.argv[1] if len(sys.argv) > 1 else "build"
    positions = int(sys.argv[2]) if len(sys.argv) > 2 else 20
    print("game              limit        positions  median ms late  most ms late")
    for hash_mb in (16, 512):
        engine = Engine(build, f"Hash value {hash_mb}")
        for game in GAMES:
            for name, ms, stopped in [("20 ms", 20, False), ("100 ms", 100, False),
                                      ("stop", 20, True)]:
                rng, late = random.Random(game), []
                while len(late) < positions:
                    if random_position(engine, game, rng):
                        late.append(late_ms(engine, ms, stopped))
                print(f"{game:17} {name:7} {hash_mb:4}  {len(late):9}  {statistics.median(late):14.2f}"
                      f"  {max(late):12.2f}")
        engine.send("quit")
        engine.process.wait()


if __name__ == "__main__":
    main()
