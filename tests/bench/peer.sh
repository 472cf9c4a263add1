#!/bin/sh
# Compares the server with a bare libevent server (bare.c) that only moves bytes: rounds of both in turn,
# then medians, ratios and whether each goal is met. redis-server, if installed, answers PING beside
# them. usage: sh tests/bench/peer.sh BUILD_DIR [ROUNDS [SECONDS]]
set -u

build=$1
rounds=${2:-5} # odd, for the median
seconds=${3:-1}
idle_connections=10000
idle_seconds=30 # the server's ping interval: one ping to each
matches=5000
few=50
connections_max=$((idle_connections + 100))
title=peer
. "$(dirname "$0")/rounds.sh"

load() { # OPTION…: sets $result
    result=$("$build/bench/load" --address "$address" --pid "$server" --json "$@") ||
        fail "the load generator failed with $*"
}

stop_well() {
    stop_server || fail "the server ended with an error"
}

# A line as long as the generator's moves, answered with as many bytes as ludusd writes for a move, in
# one line or in two halves: ludusd writes to two players.
peer_moves() { # FILE OPTION…
    file=$1
    shift
    for share in 1 2; do
        start "$build/bench/bare" --bytes $((move_bytes / share)) "$@"
        load --echo "move 123 b2b3 ply=12" --seconds "$seconds"
        keep "move_$file$share" server_cpu_us
        stop_well
    done
}

pings() { # FILE LINE
    load --echo "$2" --seconds "$seconds"
    keep "ping_$1" server_cpu_us lines_per_s
    ping_bytes=$(number bytes_per_line)
    load --echo "$2" --connections 1000 --seconds "$seconds"
    keep "crowd_$1" lines_per_s answer_p99_us server_cpu_us
}

peer_pings() { # FILE OPTION…
    file=$1
    shift
    start "$build/bench/bare" --bytes "${ping_bytes%.*}" "$@"
    pings "$file" ping
    stop_well
}

# redis-server cannot choose a free port.
redis_pings() {
    command -v redis-server >/dev/null || return 0
    port=$((20000 + $$ % 10000))
    redis-server --port $port --bind 127.0.0.1 --save '' --appendonly no >"$work/log" 2>&1 &
    server=$!
    address=127.0.0.1:$port
    for _ in $(seq 50); do
        "$build/bench/load" --address "$address" --echo PING --lines 1 >/dev/null 2>&1 && break
        sleep 0.1
    done
    pings redis PING
    stop_well
}

# Each run gets a new server, because matches remain on the old one.
play() { # FILE NAMES LOAD_OPTION…
    file=$1
    names=$2
    shift 2
    start_ludusd --data none --max-connections $connections_max
    load "$@"
    # shellcheck disable=SC2086 # a word each
    keep "$file" $names
}

round() {
    play play "server_cpu_us bytes_per_move moves_per_s players_p99_us" --seconds "$seconds"
    move_bytes=$(number bytes_per_move)
    move_bytes=${move_bytes%.*}
    stop_well
    start_ludusd --data none --max-connections $connections_max
    pings ludusd ping
    stop_well
    play fan "watchers_p50_us watchers_p99_us server_cpu_us" --matches 1 --watchers 1000 \
        --seconds "$seconds"
    stop_well
    peer_moves bare
    peer_moves at_once --at-once
    peer_pings bare
    peer_pings at_once --at-once
    redis_pings
    [ "$large" = yes ] || return 0
    scale
}

# Enough moves for most matches to end and be followed by others.
scale() {
    moves=$((40 * matches * seconds))
    play few server_cpu_us --matches $few --moves $moves
    stop_well
    play many_shared server_cpu_us --matches $matches --share $((matches / few)) --moves $moves
    stop_well
    play many server_cpu_us --matches $matches --moves $moves
    stop_well
    for count in $few $matches; do
        start "$build/bench/bare" --bytes $((move_bytes / 2)) --at-once
        load --echo "move 123 b2b3 ply=12" --connections $((2 * count)) --lines $moves
        keep "lines_$count" server_cpu_us
        stop_well
    done
}

idle() { # once, because repetition adds no precision
    start_ludusd --data none --max-connections $connections_max
    load --idle $idle_connections --seconds $idle_seconds
    keep idle_ludusd bytes_per_connection server_cpu_percent
    stop_well
    start "$build/bench/bare"
    load --idle $idle_connections --seconds 1
    keep idle_bare bytes_per_connection
    stop_well
}

idle_matches() {
    start_ludusd --data none --max-connections $connections_max
    load --idle 100 --matches $matches --seconds 1
    keep idle_matches bytes_per_match
    stop_well
}

row() {
    printf '%-44s %10s %10s %10s %10s\n' "$@"
}

figure() { # FILE COLUMN FORMAT: the median, or - without a measurement
    if [ -e "$work/$1" ]; then
        # shellcheck disable=SC2059 # the format is the caller's
        printf "$3" "$(median "$1" "$2")"
    else
        echo -
    fi
}

figures() { # TITLE KIND COLUMN FORMAT: of all four servers
    row "$1" "$(figure "$2_ludusd" "$3" "$4")" "$(figure "$2_bare" "$3" "$4")" \
        "$(figure "$2_at_once" "$3" "$4")" "$(figure "$2_redis" "$3" "$4")"
}

goal() { # TITLE FIGURE PEER_FIGURE AT_ONCE_FIGURE OP WANTED: their ratio, met or missed
    awk -v title="$1" -v ours="$2" -v bare="$3" -v at_once="$4" -v op="$5" -v wanted="$6" 'BEGIN {
        ratio = ours / bare
        met = op == "<=" ? ratio <= wanted : ratio >= wanted
        printf "%-58s %7.2f  %s %-5s %-7s", title, ratio, op, wanted, met ? "met" : "missed"
        if (at_once != "-") printf " %7.2f", ours / at_once
        print ""
    }'
}

print_figures() {
    row "" ludusd "bare" "bare, at" redis
    row "medians of $rounds rounds of $seconds s each" "" "" once ""
    row "processor, us a move of $move_bytes bytes" "$(figure play 1 %.2f)" - - -
    row "  one line answered by as many bytes" - "$(figure move_bare1 1 %.2f)" \
        "$(figure move_at_once1 1 %.2f)" -
    row "  a line answered by half as many" - "$(figure move_bare2 1 %.2f)" \
        "$(figure move_at_once2 1 %.2f)" -
    figures "processor, us a ping, 100 connections" ping 1 %.2f
    figures "processor, us a ping, 1000 connections" crowd 3 %.2f
    figures "pings a second, 100 connections" ping 2 %.0f
    figures "pings a second, 1000 connections" crowd 1 %.0f
    figures "p99 of a ping, us, 1000 connections" crowd 2 %.0f
    row "moves a second, 100 matches" "$(figure play 3 %.0f)" - - -
    row "p99 of a move, us, 100 matches" "$(figure play 4 %.0f)" - - -
    row "p50 to the last of 1000 watchers, us" "$(figure fan 1 %.0f)" - - -
    row "processor, us a move for 1000 watchers" "$(figure fan 3 %.0f)" - - -
}

print_goals() {
    printf '\n%-58s %7s  %-8s %-7s %7s\n' "goal" figure wanted "" "at once"
    play_us=$(median play 1)
    halves() {
        awk -v half="$(median "$1" 1)" 'BEGIN { print 2 * half }'
    }
    goal "processor: a move to a bare line of as many bytes" "$play_us" \
        "$(median move_bare1 1)" "$(median move_at_once1 1)" "<=" 1.5
    goal "processor: a move to two bare lines of half the bytes" "$play_us" \
        "$(halves move_bare2)" "$(halves move_at_once2)" "<=" 1.5
    goal "processor: a ping to a bare line" "$(median ping_ludusd 1)" \
        "$(median ping_bare 1)" "$(median ping_at_once 1)" "<=" 1.1
    goal "1000 connections: pings a second to bare lines" "$(median crowd_ludusd 1)" \
        "$(median crowd_bare 1)" "$(median crowd_at_once 1)" ">=" 0.8
    goal "1000 connections: p99 of a ping to that of a bare line" "$(median crowd_ludusd 2)" \
        "$(median crowd_bare 2)" "$(median crowd_at_once 2)" "<=" 1.25
    goal "one match, 1000 watchers: p99 to the last one, ms" "$(median fan 2)" 1000 - "<=" 20
    goal "memory of a match, KiB" "$(single idle_matches 1)" 1024 - "<=" 4
    if [ "$large" = yes ]; then
        print_large_goals
    else
        echo "Not measured: $idle_connections connections and $matches matches, as the hard limit of"
        echo "descriptors is too low (ulimit -Hn says $descriptors)."
    fi
}

ratio() { # FILE FILE: of their medians
    echo "$(median "$1" 1) $(median "$2" 1)" | awk '{ printf "%.2f\n", $1 / $2 }'
}

single() { # FILE COLUMN: of a single measurement
    awk -v column="$2" '{ print $column }' "$work/$1"
}

print_large_goals() {
    beyond=$(echo "$(single idle_ludusd 1) $(single idle_bare 1)" | awk '{ print $1 - $2 }')
    goal "memory of an idle connection beyond that of bare, KiB" "$beyond" 1024 - "<=" 2
    goal "$idle_connections idle connections: processor, % of a core" "$(single idle_ludusd 2)" 1 - \
        "<=" 1
    goal "processor: a move among $matches matches to one among $few" "$(median many_shared 1)" \
        "$(median few 1)" - "<=" 1.2
    echo "  (all on $((2 * few)) connections; beside that, on $((2 * matches)) connections to on $((2 * few)):" \
        "a move $(ratio many few), a bare line $(ratio lines_$matches lines_$few))"
}

# shellcheck disable=SC3045 # dash and bash have it
descriptors=$(ulimit -Hn)
large=yes
[ "$descriptors" = unlimited ] || [ "$descriptors" -gt $((2 * matches + 50)) ] || large=no

echo "The server beside a bare libevent server, 'at once': one that writes without waiting for"
echo "the socket, as ludusd does."
echo
before=$(processors)
idle_matches
[ "$large" = no ] || idle
for _ in $(seq "$rounds"); do
    round
done
print_figures
print_goals
print_others
