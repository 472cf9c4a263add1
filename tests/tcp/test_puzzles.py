"""`ludus-bot puzzles`: what it prints is true by another proof, and the same seed gives the same puzzles.
Rules that share nothing with the programs (tests/tools/own_rules.c) agree with theirs, and prove puzzles that are shipped.

usage: test_puzzles.py BUILD_DIR
"""
import json
import os
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(1, sys.path[0] + "/../support")
import puzzle_files
from harness import LIMIT_S, Checks, build_folder

BUILD = build_folder()
PROGRAM, CHECK = os.path.join(BUILD, "ludus-bot"), os.path.join(BUILD, "tools", "check_puzzles")
PROVE = os.path.join(BUILD, "tools", "prove_puzzles")
for tool in (CHECK, PROVE):
    if not os.path.exists(tool):
        subprocess.run(["make", "-s", f"BUILD={BUILD}", tool], check=True)
POSITIONS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "positions", "positions.jsonl")
SHIPPED = {"clobber": "clobber:5x6", "xadrersi": "xadrersi:touch", "latrunculi": "latrunculi:standard", "shakti": "shakti:standard"}


def puzzles(*words, **more):
    done = subprocess.run([PROGRAM, "puzzles", *words], capture_output=True, text=True, timeout=LIMIT_S, stdin=subprocess.DEVNULL, **more)
    return done.returncode, done.stdout, done.stderr


def proved_again(t):
    for game, count in (("clobber:4x5", 2), ("xadrersi:touch", 1), ("xadrersi:attack", 1), ("latrunculi", 1), ("shakti", 2)):
        code, shown, said = puzzles(game, str(count), "--seed", "7")
        t.equal((code, said, shown.count("\n")), (0, "", count), f"{game}: a line a puzzle")
        for line in shown.splitlines():
            fields = line.split("; ")
            t.check(len(fields) == 6 and fields[0].startswith(game), f"{game}: its fields", line)
            t.equal(len(fields[4].split()), int(fields[2]), f"{game}: a line to the end")
        with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
            file.write(shown)
            file.flush()
            done = subprocess.run([CHECK, file.name], capture_output=True, text=True, timeout=LIMIT_S)
            t.check(done.returncode == 0 and f"{count} puzzles, 0 wrong" in done.stdout, f"{game}: proved again", done.stdout)


def prove(lines):
    """Lets the other rules prove lines; returns the status and what is printed."""
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
        file.write("".join(line + "\n" for line in lines))
        file.flush()
        done = subprocess.run([PROVE, file.name], capture_output=True, text=True, timeout=LIMIT_S)
    return done.returncode, done.stdout + done.stderr


def own_perft(named, depth):
    """Returns for each (GAME:VARIANT, position) the positions after the moves, by move, and the words of the last line."""
    done = subprocess.run([PROVE, "--perft", str(depth)], input="".join(f"{name}; {position}\n" for name, position in named),
                          capture_output=True, text=True, timeout=LIMIT_S)
    answers, moves = [], {}
    for line in done.stdout.splitlines():
        if line.startswith(("nodes: ", "refused: ")):
            answers.append((moves, line.split()[1:]))
            moves = {}
        else:
            move, _, after = line.split(": ", 2)
            moves[move] = after
    return answers


def own_rules_agree(t):
    with open(POSITIONS, encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    answers = own_perft([(row["game"] + (":" + row["variant"] if row.get("variant") else ""), row["position"]) for row in rows], 2)
    t.equal(len(answers), len(rows), "every position is answered")
    for row, (moves, words) in zip(rows, answers):
        t.equal(sorted(moves), sorted(row["moves"]), f"{row['position']}: the legal moves")
        t.equal(words, [str(row["perft2"] or 0), *(row["result"] or ["*"])], f"{row['position']}: perft 2 and the result")
        for move, after in row.get("after", {}).items():
            t.equal(moves.get(move), after, f"{row['position']}: after {move}")


def own_perft_agrees(t):
    starts = {"clobber:5x6": "PpPpP/pPpPp/PpPpP/pPpPp/PpPpP/pPpPp w", "xadrersi:touch": "8/8/8/8/8/8/8/8[KQRRBBNNkqrrbbnn] w - -",
              "xadrersi:attack": "8/8/8/8/8/8/8/8[KQRRBBNNkqrrbbnn] w - -", "latrunculi:standard": "ssssssss/3d4/8/8/8/8/4D3/SSSSSSSS w 0",
              "shakti:standard": "*5*/1w1k1w1/7/7/7/1W1K1W1/*5* w 0"}
    cases = [(name, position, name, 3 if name.startswith("latrunculi") else 4) for name, position in starts.items()]
    for game, name in SHIPPED.items():  # a position alone is one of the variant that is usual
        for fields in puzzle_files.puzzles(game)[5:400:197]:
            cases.append((name, fields[1], fields[1], 3 if game == "latrunculi" else 4))
    for name, position, asked, most in cases:
        for depth in range(1, most + 1):
            theirs = subprocess.run([PROGRAM, "perft", asked, str(depth)], capture_output=True, text=True, timeout=LIMIT_S)
            (_, words), = own_perft([(name, position)], depth)
            t.check(theirs.returncode == 0 and theirs.stdout.splitlines()[-1] == f"nodes: {words[0]}",
                    f"{asked}: perft {depth}", theirs.stdout[-40:] + theirs.stderr + words[0])
    for position in ("PpPp/5", "PpX w", "PpPp b 0", "p01P w"):
        (_, words), = own_perft([("clobber", position)], 1)
        t.check("*" not in words and "not" in words, f"{position} is refused", str(words))


def proved_by_own_rules(t):
    for game in SHIPPED:
        every = puzzle_files.puzzles(game)
        lines = ["; ".join(fields) for fields in every[3:303:60]]
        code, shown = prove(lines)
        t.check(code == 0 and f"{len(lines)} puzzles proved" in shown and " 0 wrong" in shown, f"{game}: those that are shipped", shown)


def false_puzzles_refused(t):
    for game in SHIPPED:
        fields = puzzle_files.puzzles(game)[20]
        move, *rest = fields[4].split()
        (moves, _), = own_perft([(fields[0], fields[1])], 1)
        other = next(wrong for wrong in sorted(moves) if wrong != move)
        words = fields[1].split(" ")
        words[1] = "b" if words[1] == "w" else "w"
        for what, at, value, why in (("another side", 1, " ".join(words), ""), ("another move", 4, " ".join([other, *rest]), "does not win"),
                                     ("more plies", 2, str(int(fields[2]) + 2), "in fewer plies"), ("fewer plies", 2, str(int(fields[2]) - 2), "does not win"),
                                     ("a line cut short", 4, " ".join([move, *rest[:-1]]), "its line"), ("no reply", 5, "-", "not refuted")):
            code, shown = prove(["; ".join([*fields[:at], value, *fields[at + 1:]])])
            t.check(code == 1 and " 1 wrong" in shown and why in shown, f"{game}: {what} is refused", shown)
    code, shown = prove(["clobber:5x6; no puzzle"])
    t.check(code == 1 and "2 fields" in shown, "a line that is no puzzle", shown)


def seeds(t):
    first = puzzles("shakti", "2")
    t.equal(puzzles("shakti", "2", "--seed", "1"), first, "the same puzzles again")
    t.equal(puzzles("shakti", "1")[1], first[1].splitlines(True)[0], "a puzzle does not depend on how many follow")
    t.check(puzzles("shakti", "1", "--seed", "2")[1] not in first[1], "another seed, other puzzles")


def bad_usage(t):
    for words, why in (([], "two arguments"), (["clobber"], "two arguments"), (["chess", "1"], "chess"), (["clobber", "0"], "from 1 to 100000"),
                       (["clobber", "1", "--seed", "x"], "--seed")):
        code, shown, said = puzzles(*words)
        t.check(code == 2 and shown == "" and said.startswith("ludus-bot: ") and why in said, f"{words} is refused", said)
    code, shown, said = puzzles("clobber:1x4", "1")
    t.check(code == 1 and shown == "" and "only 0 found" in said, "a board without puzzles", said)
    with open("/dev/full", "w") as full:
        done = subprocess.run([PROGRAM, "puzzles", "shakti", "50"], stdout=full, stderr=subprocess.PIPE, text=True, timeout=LIMIT_S)
    t.check(done.returncode == 1 and done.stderr.startswith("ludus-bot: "), "a full disk is said", done.stderr)
    t.check("--seed N" in puzzles("--help")[1], "help")


if __name__ == "__main__":
    sys.exit(Checks("test_puzzles").run([proved_again, own_rules_agree, own_perft_agrees, proved_by_own_rules, false_puzzles_refused, seeds, bad_usage]))
