#!/bin/sh
# Runs tests: the programs in BUILD_DIR/tests, which replay tests/fuzz/corpus too, tests/structure, tests/tcp,
# tests/install, tests/games and the short one of tests/web. Without a word all but the long ones, with --long those,
# with --all both; or those that are named.
# usage: sh tests/test.sh BUILD_DIR [--long | --all | TEST...]
#
# Three tests run at a time for each processor, as most wait more than they compute, and two with --long. Each prints a
# last line "NAME: N passed, N failed", which counts its test cases. The whole output of a failing test is shown, and its last
# lines again at the end. A test that crashes, hangs or prints no such line has at least one failed case. Lines
# "NAME: SKIPPED ..." are always shown, and at the end the ten slowest tests.
#
# Tests drive programs through terminals, sockets and browsers on a machine that is busy with others. Up to four
# that fail there run once more, alone. What passes then counts, and its first output and a line "UNSTEADY NAME" stay:
# it is a fault, of the test or of what it tests, but not one that this change has to have made. What a sanitizer has
# said is never tried again.
set -u

# Runs one test. Prints how it has ended and how long it took, and writes how many cases have passed and failed
# into LOG_DIR/*.counts.
run_test() { # BUILD_DIR LOG_DIR SOURCE
    build=$1
    source=$3
    name=$(basename "$source")
    name=${name%.*}
    log=$2/$(echo "$source" | tr / -)
    last_line='s/^[^ ]*: \([0-9][0-9]*\) passed, \([0-9][0-9]*\) failed$/\1 \2/p'

    case $source in
    *.c) set -- "$build/tests/$name" ;;
    # make coverage leaves the objects of the bots in the directory above.
    */structure/*) set -- "$PYTHON" "$source" "$build" "$(dirname "$build")" ;;
    *) set -- "$PYTHON" "$source" "$build" ;;
    esac
    most_s=900 # only a test that hangs takes so long, on the slowest machine, too
    begun=$(date +%s)
    timeout -k 10 $most_s "$@" >"$log" 2>&1 </dev/null
    status=$?
    took=$(($(date +%s) - begun))

    counts=$(sed -n "$last_line" "$log" | tail -n 1)
    passed=${counts% *}
    failed=${counts#* }
    how=
    if [ $status = 124 ] || [ $status = 137 ]; then
        how=" (stopped after $most_s s)"
    elif [ -z "$counts" ]; then
        how=" (exit status $status, no last line)"
    elif [ "$passed" = 0 ] && [ "$failed" = 0 ]; then
        how=" (nothing ran)"
    elif [ $status -gt 1 ] || { [ $status = 1 ] && [ "$failed" = 0 ]; }; then
        how=" (exit status $status)"
    fi
    [ -z "$how" ] || [ "${failed:-0}" != 0 ] || failed=1
    echo "${passed:-0} $failed" >"$log.counts"
    {
        if [ "$failed" = 0 ]; then grep '^[^ ]*: SKIPPED' "$log"; else cat "$log"; fi
        echo "$name: ${passed:-0} passed, $failed failed$how, $took s"
    } >"$log.shown"
    cat "$log.shown"
}

if [ "$1" = --one ]; then # as xargs below calls it
    run_test "$2" "$3" "$4"
    exit
fi

build=$1
shift
logs=$(mktemp -d) || exit 1
# Ignore the configuration of this machine.
export XDG_CONFIG_HOME=/nonexistent LC_ALL=C.UTF-8
# What python3 may have to look for at each start.
PYTHON=$(python3 -c 'import sys; print(sys.executable)')
export PYTHON
trap 'rm -rf "$logs"' EXIT

# These run by themselves. They compute or play for long, each for a part that few changes touch: strength, proofs and
# puzzles of the bots, gauntlets, what checks engines and bots, the examples, the course, people, storms and failing
# databases at several servers, damaged stores, backups, completion in shells, installing, attacks, and what checks the structure.
long="tcp/test_engine_failures.py unit/client/test_search.c tcp/test_maintain.py tcp/test_backup.py tcp/test_course_run.py tcp/test_nemesis.py tcp/test_check_bot.py tcp/test_check.py
    unit/client/test_solve.c tcp/test_solve_program.py unit/client/test_box.c unit/server/test_cluster_people.c tcp/test_example_players.py tcp/test_gauntlet.py
    unit/client/test_clobber_bot.c tcp/test_puzzles.py tcp/test_same_review.py tcp/test_course_guide.py
    tcp/test_course_relay.py unit/server/test_cluster_storm.c unit/client/test_clobber_book.c tcp/test_course_trial.py
    tcp/test_openings.py tcp/test_course_report.py tcp/test_course_submit.py tcp/test_bridge_engines.py
    tcp/test_completion.py tcp/test_soak.py tcp/test_back_to_a_moment.py
    install/test_install.py structure/test_structure.py"
# These begin first, as the end would have to wait for them.
longest="tcp/test_engine_rules.py web/test_page.py
    tcp/test_every_key.py tcp/test_bridge.py tcp/test_languages.py games/test_breakthrough.py
    tcp/test_lan.py unit/server/test_cluster.c unit/common/test_play.c unit/server/test_transcripts.c tcp/test_screen.py tcp/test_limits.py
    tcp/test_script.py tcp/test_server_review.py tcp/test_review_program.py tcp/test_python_player.py tcp/test_model.py"

list_long() {
    printf 'tests/%s\n' $long
}

# Lists all tests, the longest of the others first.
list_tests() {
    printf 'tests/%s\n' $longest
    printf '%s\n' tests/unit/*/test_*.c tests/bench/test_*.c tests/fuzz/fuzz_*.c tests/structure/check_structure.py \
        tests/structure/test_*.py tests/tcp/test_*.py tests/install/test_*.py tests/games/test_*.py tests/web/test_page.py
}

at_once=3 # for each processor
[ "${1-}" != --long ] || at_once=2
case ${1-} in
"") list_tests | grep -vxF "$(list_long)" ;;
--long) list_long ;;
--all) list_long && list_tests ;;
*) printf '%s\n' "$@" ;;
esac | awk '!seen[$0]++' | xargs -n 1 -P "$((at_once * $(nproc)))" sh "$0" --one "$build" "$logs"

grep -l ' [1-9][0-9]*$' "$logs"/*.counts >"$logs/again"
if [ "$(wc -l <"$logs/again")" -le 4 ]; then
    while read -r failing; do
        if grep -q 'Sanitizer\|runtime error' "${failing%.counts}.shown"; then continue; fi
        again=$(basename "$failing" .counts | sed 's|-|/|g')
        cp "${failing%.counts}.shown" "$logs/first"
        echo
        echo "Once more, alone: $again"
        run_test "$build" "$logs" "$again"
        if grep -q " 0\$" "$failing"; then sed "\$ s/^/UNSTEADY /" "$logs/first" >"${failing%.counts}.unsteady"; fi
    done <"$logs/again"
fi

echo
echo "The slowest:"
tail -qn 1 "$logs"/*.shown | awk '{ print $(NF - 1), "s", $1 }' | sort -rn | head -n 10
echo
grep -l ' [1-9][0-9]* failed' "$logs"/*.shown | xargs -r tail -n 8
find "$logs" -name '*.unsteady' -exec tail -qn 8 {} +
cat "$logs"/*.counts | awk '{ passed += $1; failed += $2; programs++ }
    END { printf "%d test cases in %d programs, %d failed\n", passed + failed, programs, failed
          printf "%d passed, %d failed\n", passed, failed; exit failed > 0 || passed == 0 }'
