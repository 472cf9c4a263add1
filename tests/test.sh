#!/bin/sh
# Runs all tests: the programs in BUILD_DIR/tests, which replay tests/fuzz/corpus too,
# tests/structure, tests/tcp, tests/install and the short one of tests/web; or only the tests in Python
# that are named.
# usage: sh tests/test.sh BUILD_DIR [PYTHON_TEST...]
#
# Two tests run at a time (one_test.sh). Each prints a last line "NAME: N passed, N failed". The whole output
# of a failing test is shown, and its last lines again at the end. A test that crashes, hangs or prints no
# such line counts as at least one failure. Lines "NAME: SKIPPED ..." are always shown, and at the end the ten
# slowest tests.
set -u

build=$1
shift
logs=$(mktemp -d) || exit 1
# Ignore the configuration of this machine.
export XDG_CONFIG_HOME=/nonexistent
trap 'rm -rf "$logs"' EXIT

# These begin first, as the end would have to wait for them.
longest="tcp/test_gauntlet.py tcp/test_bridge_engines.py tcp/test_nemesis.py test_play.c web/test_page.py
    test_transcripts.c test_search.c tcp/test_bridge.py tcp/test_engine_rules.py structure/test_structure.py"

if [ $# = 0 ]; then
    for name in $longest; do
        set -- "$@" "tests/$name"
    done
    set -- "$@" tests/test_*.c tests/fuzz/fuzz_*.c tests/structure/check_structure.py \
        tests/structure/test_*.py tests/tcp/test_*.py tests/install/test_*.py tests/web/test_page.py
fi
printf '%s\n' "$@" | awk '!seen[$0]++' | xargs -n 1 -P 2 sh tests/one_test.sh "$build" "$logs"

echo
echo "The slowest:"
tail -qn 1 "$logs"/*.shown | awk '{ print $(NF - 1), "s", $1 }' | sort -rn | head -n 10
echo
grep -l ' [1-9][0-9]* failed' "$logs"/*.shown | xargs -r tail -n 8
cat "$logs"/*.counts | awk '{ passed += $1; failed += $2 }
    END { printf "%d passed, %d failed\n", passed, failed; exit failed > 0 || passed == 0 }'
