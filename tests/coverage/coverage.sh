#!/bin/sh
# Runs all tests, and the transcripts on PostgreSQL, with the programs in BUILD_DIR, which count their
# branches, and reports.
# usage: sh tests/coverage/coverage.sh BUILD_DIR
#        sh tests/coverage/coverage.sh --needs      only checks for gcovr
# Exit status 1 when a test fails, or too few branches are taken (see report.py).
set -u

if ! command -v gcovr >/dev/null; then
    echo "coverage: gcovr is missing, which reads the counters: apt-get install gcovr"
    exit 1
fi
[ "$1" != --needs ] || exit 0
build=$1
status=0

trap 'rm -f ./*.gcov' EXIT # gcovr leaves them behind when it is interrupted

find "$build/obj" -name '*.gcda' -delete
# Creates all counters of the server, so that it can write them as another user, too.
chmod o+rx "$build/obj"
(umask 0 && "$build/ludusd" --version >/dev/null)

sh tests/test.sh "$build" --all || status=1
python3 tests/cluster/engine_transcripts.py "$build" || status=1
echo
gcovr --root . --object-directory "$build/obj" --filter 'server/' --filter 'common/' \
    --json "$build/coverage.json" "$build/obj" || exit 1
python3 tests/coverage/report.py "$build/coverage.json" "$build/missed.txt" || status=1
exit $status
