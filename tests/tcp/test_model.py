"""A short run of the model test, on both databases; `make model-test` is the long one. And that it can fail."""
import random
import shutil
import sys
import tempfile

sys.path.insert(1, sys.path[0] + "/../support")
sys.path.insert(1, sys.path[0] + "/../model")
import match_model
import model_test
import world as world_file
from harness import Checks, build_folder

RESTARTS, STEPS, SEED = 25, 30, 7


class Run:
    """A world with a server of its own; a context manager."""

    def __init__(self, kind, seed=SEED):
        self.folder = tempfile.mkdtemp(prefix="model-", dir=build_folder())
        self.server = kind(build_folder(), self.folder, random.Random(seed))
        self.world = world_file.World(build_folder(), self.server, seed)

    def __enter__(self):
        return self.world

    def __exit__(self, *error):
        self.world.referee.close()
        self.verdict = self.server.close()
        shutil.rmtree(self.folder)


def compare(checks, kind, restarts):
    run = Run(kind)
    with run as world:
        model_test.run(world, restarts, STEPS, 0)
        checks.equal(world.problems, 0, "differences")
        checks.equal(world.count["restarts"], restarts, "restarts")
        checks.check(world.count["compared"] > 10 * restarts, "comparisons", world.count["compared"])
    checks.equal(run.verdict[0], 0, f"ludusd check: {run.verdict[1]}")


def on_sqlite(checks):
    compare(checks, model_test.OnSqlite, RESTARTS)


def on_postgres(checks):
    if model_test.postgres.why_not() is not None:
        print(f"test_model: SKIPPED: {model_test.postgres.why_not()}")
    else:
        compare(checks, model_test.OnPostgres, 6)


def it_can_fail(checks):
    """A command that no model knows, one that was never sent, and a match that is not as it should be are found."""
    run = Run(model_test.OnSqlite)
    with run as world:
        world.server.start()
        world.come("anna")
        verbs = world.check_commands()
        checks.equal(world.problems, 0, "all commands are known")
        match_model.OTHERS.remove("seek")
        world.check_commands()
        match_model.OTHERS.add("seek")
        checks.equal(world.problems, 1, "a command that is in no model")
        world.check_used(verbs)
        checks.equal(world.problems, 2, "commands that were never sent")
        while not world.matches:
            world.open_match()
        number, match = next(iter(world.matches.items()))
        match.rated = not match.rated
        world.compare(number)
        checks.equal(world.problems, 3, "a match that differs")
        world.come("anna")
        number = world.ask("anna", "new clobber:2x3 white=me black=me")["match"]
        world.adopt(number, None, True)
        world.compare_windows()
        checks.equal(world.problems, 3, "both windows were told")
        del world.here["anna"][0].states[number]
        world.compare_windows()
        checks.equal(world.problems, 4, "a window that was not told")
    checks.equal(run.verdict[0], 0, "ludusd check")


if __name__ == "__main__":
    test_model = Checks("test_model")
    test_model.run_case(it_can_fail)  # alone, as it changes the model meanwhile
    sys.exit(test_model.run([on_sqlite, on_postgres], at_once=2))
