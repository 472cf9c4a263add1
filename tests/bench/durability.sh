#!/bin/sh
# What keeping every move costs: the load generator against a server that keeps nothing, one whose
# answers outlive the process, and one whose answers outlive a loss of power, round by round in
# turn. usage: sh tests/bench/durability.sh BUILD_DIR
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

# Under the build folder: /tmp may be in memory, where a disk costs nothing.
work=$(mktemp -d "$build/durability.XXXXXX") || exit 1
server=
stop_server() {
    [ -z "$server" ] || kill "$server" 2>/dev/null
    [ -z "$server" ] || wait "$server"
    stopped=$?
    server=
    return $stopped
}
trap 'stop_server; rm -rf "$work"' EXIT
trap 'exit 1' INT TERM HUP

fail() {
    echo "durability: $*" >&2
    [ ! -e "$work/log" ] || tail -n 10 "$work/log" >&2
    exit 1
}

start_server() { # MODE, with a store of its own; sets $server and $address
    rm -rf "$work/data"
    case $1 in
    none) set -- --data none ;;
    *) set -- --data "$work/data" --durability="$1" ;;
    esac
    : >"$work/out"
    "$build/ludusd" --listen 127.0.0.1:0 --no-bots "$@" >"$work/out" 2>"$work/log" &
    server=$!
    address=
    for _ in $(seq 100); do
        address=$(sed -n 's/^ludusd: listening on //p' "$work/out")
        [ -z "$address" ] || return 0
        kill -0 "$server" 2>/dev/null || break
        sleep 0.1
    done
    fail "the server does not start"
}

number() { # NAME: from the line of JSON in $result
    echo "$result" | sed -n 's/.*"'"$1"'":\([0-9.]*\)[,}].*/\1/p'
}

round() { # MODE: one row more in the file of its name: moves/s, CPU us, p50 us, p99 us
    start_server "$1"
    result=$("$build/bench/load" --address "$address" --pid "$server" --matches $matches \
        --seconds $seconds --seed "$n" --json) || fail "the load generator failed with $1"
    stop_server || fail "the server ended with an error with $1"
    row="$(number moves_per_s) $(number server_cpu_us) $(number players_p50_us)"
    row="$row $(number players_p99_us)"
    echo "$row" | grep -qx '[0-9.][0-9.]* [0-9.][0-9.]* [0-9.][0-9.]* [0-9.][0-9.]*' || fail "no numbers with $1: $result"
    echo "$row" >>"$work/$1"
}

# Seconds that all processors together were at work, and that they were there.
processors() {
    awk -v ticks="$(getconf CLK_TCK)" '/^cpu / {
        busy = $2 + $3 + $4 + $7 + $8 + $9
        print busy / ticks, (busy + $5 + $6) / ticks
    }' /proc/stat
}

# Whoever else is at work slows the rounds down, and each by something else.
print_others() {
    times >"$work/times" # in the second line those of the children: 0m36.160s 0m0.080s
    awk -v before="$before" -v after="$(processors)" 'NR == 2 {
        split(before, b); split(after, a); split($1, user, /[ms]/); split($2, sys, /[ms]/)
        ours = 60 * (user[1] + sys[1]) + user[2] + sys[2]
        others = 100 * (a[1] - b[1] - ours) / (a[2] - b[2])
        printf "\nOther programs and the system used %.0f %% of the processors meanwhile", others
        print others < 10 ? "." : ": do not rely on this, run it\nagain when the machine is quiet."
    }' "$work/times"
}

median() { # MODE COLUMN
    awk -v column="$2" '{ print $column }' "$work/$1" | sort -n | sed -n $(((rounds + 1) / 2))p
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
