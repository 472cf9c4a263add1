#!/usr/bin/env python3
"""The pictures in tests/shots/ match the program's screens; otherwise run `make shots`.

usage: python3 tests/tcp/test_shots.py BUILD_DIR
"""

import os
import subprocess
import sys

SHOTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "shots", "shots.py")

sys.exit(subprocess.run([sys.executable, SHOTS, sys.argv[1], "--check"], check=False).returncode)
