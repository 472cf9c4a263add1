#!/bin/sh
# Runs one test for test.sh, which is its only caller.
# usage: sh tests/one_test.sh BUILD_DIR LOG_DIR SOURCE
#
# Prints how the test has ended and how long it took, and writes how many checks have passed and failed into
# LOG_DIR/*.counts.
set -u

build=$1
source=$3
name=$(basename "$source")
name=${name%.*}
log=$2/$(echo "$source" | tr / -)
last_line='s/^[^ ]*: \([0-9][0-9]*\) passed, \([0-9][0-9]*\) failed$/\1 \2/p'

[ -e "$source" ] || exit 0
case $source in
*.c) set -- "$build/tests/$name" ;;
# make coverage leaves the objects of the bots in the directory above.
*/structure/*) set -- python3 "$source" "$build" "$(dirname "$build")" ;;
*) set -- python3 "$source" "$build" ;;
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
