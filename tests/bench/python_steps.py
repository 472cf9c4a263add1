"""Measures how many random steps a second the Python package plays: one position at a time, and in batches.

usage: python_steps.py BUILD_DIR [SECONDS]        after make lib; one core; the
seconds are those of the processor, so that others on the machine count less
"""
import os
import random
import sys
import time

sys.path.insert(1, os.path.abspath("client/python"))
os.environ["LUDUS_LIBRARY"] = os.path.abspath(os.path.join(sys.argv[1], "libludus.so"))
from ludus import Batch, Position, games

SECONDS = float(sys.argv[2]) if len(sys.argv) > 2 else 2


def one_at_a_time(start):
    rng, steps, end = random.Random(1), 0, time.process_time() + SECONDS
    position = start
    while time.process_time() < end:
        actions = position.actions()
        position = position.play(actions[int(rng.random() * len(actions))]) if actions else start
        steps += 1
    return steps / SECONDS


def in_batches(start):
    batch, steps, end = Batch(start, 1024), 0, time.process_time() + SECONDS
    while time.process_time() < end:
        batch.step(batch.random_actions())
        steps += len(batch)
    return steps / SECONDS


for game, variants in games().items():
    start = Position(f"{game}:{variants[0]}")
    print(f"{start.game:22} {one_at_a_time(start):10,.0f} steps/s  {in_batches(start):12,.0f} in batches", flush=True)
