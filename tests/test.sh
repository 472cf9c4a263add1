#!/bin/sh
# Runs all tests: the programs in BUILD_DIR/tests, which replay tests/fuzz/corpus too,
# tests/structure, tests/tcp, tests/install and the short one of tests/web; or only the tests in Python
# that are named.
# usage: sh tests/test.sh BUILD_DIR [PYTHON_TEST...]
#
# Two tests run at a time. Each prints a last line "NAME: N passed, N failed". The whole output of a failing
# test is shown. A test that crashes, hangs or prints no such line counts as at least one failure. Lines
# "NAME: SKIPPED ..." are always shown.
set -u

build=$1
shift
passed=0
failed=0
last_line='s/^[^ ]*: \([0-9][0-9]*\) passed, \([0-9][0-9]*\) failed$/\1 \2/p'
logs=$(mktemp -d) || exit 1
# Ignore the configuration of this machine.
export XDG_CONFIG_HOME=/nonexistent
trap 'rm -rf "$logs"' EXIT
running=

# Starts a test beside the one that is running, if any, and then waits for that one.
run() { # NAME COMMAND...
    name=$1
    shift
    timeout -k 10 300 "$@" >"$logs/$name" 2>&1 </dev/null &
    next="$name $!"
    finish
    running=$next
}

# Waits for the test that is running, and counts its result.
finish() {
    [ -n "$running" ] || return 0
    name=${running% *}
    log=$logs/$name
    wait "${running#* }"
    status=$?
    running=
    counts=$(sed -n "$last_line" "$log" | tail -n 1)
    p=${counts% *}
    f=${counts#* }
    how=
    if [ $status = 124 ] || [ $status = 137 ]; then
        how=" (stopped after 300 s)"
    elif [ -z "$counts" ]; then
        how=" (exit status $status, no last line)"
    elif [ "$p" = 0 ] && [ "$f" = 0 ]; then
        how=" (nothing ran)"
    elif [ $status -gt 1 ] || { [ $status = 1 ] && [ "$f" = 0 ]; }; then
        how=" (exit status $status)"
    fi
    [ -z "$how" ] || [ "${f:-0}" != 0 ] || f=1
    if [ "$f" = 0 ]; then grep '^[^ ]*: SKIPPED' "$log"; else cat "$log"; fi
    echo "$name: ${p:-0} passed, $f failed$how"
    passed=$((passed + ${p:-0}))
    failed=$((failed + f))
}

if [ $# = 0 ]; then
    for source in tests/test_*.c tests/fuzz/fuzz_*.c; do
        name=$(basename "$source" .c)
        run "$name" "$build/tests/$name"
    done
    # make coverage leaves the objects of the bots in the directory above.
    for name in check_structure test_structure; do
        run $name python3 tests/structure/$name.py "$build" "$(dirname "$build")"
    done
    set -- tests/tcp/test_*.py tests/install/test_*.py tests/web/test_page.py
fi
for source; do
    [ -e "$source" ] || continue
    run "$(basename "$source" .py)" python3 "$source" "$build"
done
finish

echo
echo "$passed passed, $failed failed"
[ $failed = 0 ] && [ $passed -gt 0 ]
