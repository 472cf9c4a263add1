"""The rules, according to `ludus-bot ugi`: the position after a line of moves, if legal."""
import os
import subprocess


class Referee:
    """One engine process for each variant, with a cache of its answers."""

    def __init__(self, build):
        self.program = os.path.join(build, "ludus-bot")
        self.engines = {}
        self.known, self.starts = {}, {}

    def ask(self, game, start, moves):
        """Returns (position, result, reason) after the moves; None when one of them is illegal."""
        key = (game, start, tuple(moves))
        if key not in self.known:
            if len(self.known) > 200000:
                self.known.clear()
            self.known[key] = self.ask_engine(game, start, moves)
        return self.known[key]

    def start(self, game):
        """Returns the start position of that game and variant."""
        if game not in self.starts:
            engine = self.engine(game)
            engine.stdin.write("uginewgame\n")
            self.starts[game] = self.read_answer(engine)[0]
        return self.starts[game]

    def engine(self, game):
        if game not in self.engines:
            engine = subprocess.Popen([self.program, "ugi"], stdin=subprocess.PIPE,
                                      stdout=subprocess.PIPE, text=True)
            engine.stdin.write(f"setoption name Game value {game}\n")
            self.engines[game] = engine
        return self.engines[game]

    def ask_engine(self, game, start, moves):
        engine = self.engine(game)
        line = f"position fen {start}" + (" moves " + " ".join(moves) if moves else "")
        engine.stdin.write(line + "\n")
        return self.read_answer(engine)

    def read_answer(self, engine):
        """Asks the engine for its position; None if it has refused a move."""
        engine.stdin.write("d\n")
        engine.stdin.flush()
        legal, position = True, None
        while True:
            line = engine.stdout.readline()
            if not line:
                raise RuntimeError("the engine has ended")
            if line.startswith("info string error"):
                legal = False
            elif line.startswith("position: "):
                position = line.split(" ", 1)[1].strip()
            elif line.startswith("result: "):
                result, _, reason = line.split(" ", 1)[1].strip().partition(" ")
                return (position, result, reason or None) if legal else None

    def close(self):
        for engine in self.engines.values():
            engine.stdin.close()
            engine.stdout.close()
            engine.wait()
