"""The short one of `make course-trial`: a night with two cheats, killed once.

usage: test_course_trial.py BUILD_DIR
"""
import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(1, os.path.join(sys.path[0], "..", "course"))
import trial

sys.argv.append("--short")
sys.exit(trial.main())
