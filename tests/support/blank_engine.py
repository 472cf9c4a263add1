#!/usr/bin/env python3
"""Passes on what an engine says, with blanks and tabs around its words as some engines have them; and so what it hears.

usage: blank_engine.py COMMAND...
"""
import subprocess
import sys
import threading


def pass_on(source, target):
    for line in source:
        target.write("\t " + line.strip().replace(" ", " \t") + " \t\n")
        target.flush()
    target.close()


engine = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
threading.Thread(target=pass_on, args=(sys.stdin, engine.stdin), daemon=True).start()
pass_on(engine.stdout, sys.stdout)
engine.wait()
