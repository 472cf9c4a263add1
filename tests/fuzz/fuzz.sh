#!/bin/sh
# Runs fuzz targets under libFuzzer, one after the other.
# usage: sh tests/fuzz/fuzz.sh BUILD_DIR SECONDS TARGET...
#
# Each one starts from tests/fuzz/corpus/TARGET and the findings of earlier runs in
# BUILD_DIR/corpus/TARGET. Prints a line for each; exits 1 when one has found a bug, and puts its input
# into BUILD_DIR/crashes.
set -u

build=$1
seconds=$2
shift 2
status=0
export ASAN_OPTIONS=quarantine_size_mb=64 UBSAN_OPTIONS=print_stacktrace=1
mkdir -p "$build/crashes"

# Prints a figure from libFuzzer's final statistics.
stat_of() {
    sed -n "s/^stat::$1: *//p" "$log"
}

for target; do
    found=$build/corpus/$target
    seeds=tests/fuzz/corpus/$target
    log=$build/$target.log
    mkdir -p "$found" "$seeds"
    "$build/fuzz_$target" -max_total_time="$seconds" -max_len=4096 -timeout=20 -rss_limit_mb=1024 \
        -print_final_stats=1 -artifact_prefix="$build/crashes/$target-" \
        -dict="tests/fuzz/$target.dict" "$found" "$seeds" >"$log" 2>&1
    result=$?
    coverage=$(sed -n 's/.* cov: \([0-9]*\) .*/\1/p' "$log" | tail -n 1)
    echo "$target: $(stat_of number_of_executed_units) runs in $seconds s," \
        "coverage ${coverage:-0} edges, $(find "$found" -type f | wc -l) inputs kept," \
        "$(stat_of peak_rss_mb) MB"
    if [ $result != 0 ]; then
        status=1
        grep -av '^#' "$log" | tail -n 60
        echo "$target: failed with exit status $result; the input is" \
            "$(sed -n 's/.*Test unit written to //p' "$log" | tail -n 1), the log $log"
    fi
done
exit $status
