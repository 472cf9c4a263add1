#!/bin/sh
# The cost of durability: the load generator against a server without a store, one whose answers survive
# a crash of the process, and one whose answers survive a power failure, in turns.
# usage: sh tests/bench/durability.sh BUILD_DIR
set -u

build=$1
rounds=5 # odd, for the median
seconds=4
matches=100
modes="none process power"

if ! "$build/ludusd" --help | grep -q -e --durability; then
    echo "durability: $build/ludusd has no --durability" >&2
    exit 1
fi

title=durability
. "$(dirname "$0")/rounds.sh"

start_server() { # MODE, with a store of its own; sets $server and $address
    rm -rf "$work/data"
    case $1 in
    none) set -- --data none ;;
    *) set -- --data "$work/data" --durability="$1" ;;
    esac
    start_ludusd "$@"
}

round() { # MODE: adds a row to the file of its name: moves/s, CPU us, p50 us, p99 us
    start_server "$1"
    result=$("$build/bench/load" --address "$address" --pid "$server" --matches $matches \
        --seconds $seconds --seed "$n" --json) || fail "the load generator failed with $1"
    stop_server || fail "the server ended with an error with $1"
    keep "$1" moves_per_s server_cpu_us players_p50_us players_p99_us
}

echo "What durability costs: $matches matches of clobber:5x6 at a time, medians of $rounds rounds of"
echo "$seconds s each in turn. The store is on $(df -PT "$work" | awk 'NR == 2 { print $2 }')."
echo
before=$(processors)
for n in $(seq $rounds); do
    for mode in $modes; do
        round "$mode"
    done
done

least_and_most() { # MODE COLUMN
    awk -v column="$2" '{ print $column }' "$work/$1" | sort -n |
        awk '{ last = $1 } NR == 1 { first = $1 } END { printf "%.0f-%.0f", first, last }'
}

row='%-10s %10s %15s %10s %10s %10s %12s %12s\n'
# shellcheck disable=SC2059 # the format is the one above
{
    printf "$row" durability moves/s "least-most" "CPU us" "answer us" "" "moves/s to" "CPU to"
    printf "$row" "" median "of the rounds" "a move" p50 p99 "that of none" "that of none"
}
for mode in $modes; do
    awk -v row="$row" -v mode="$mode" -v range="$(least_and_most "$mode" 1)" \
        -v moves="$(median "$mode" 1)" -v cpu="$(median "$mode" 2)" \
        -v p50="$(median "$mode" 3)" -v p99="$(median "$mode" 4)" \
        -v none_moves="$(median none 1)" -v none_cpu="$(median none 2)" 'BEGIN {
        printf row, mode, sprintf("%.0f", moves), range, sprintf("%.1f", cpu),
            sprintf("%.0f", p50), sprintf("%.0f", p99), sprintf("%.2f", moves / none_moves),
            sprintf("%.2f", cpu / none_cpu) }'
done
print_others
