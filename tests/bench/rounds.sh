# Sourced by the measurements over TCP: servers in $work, numbers from the generator's line of JSON,
# medians, and the load from other work on the machine. Needs $build, $rounds (odd, for the median) and
# $title.
# shellcheck shell=sh disable=SC2034,SC2154

# Under the build directory, because /tmp may be in memory, where writes cost nothing.
work=$(mktemp -d "$build/$title.XXXXXX") || exit 1
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
    echo "$title: $*" >&2
    [ ! -e "$work/log" ] || tail -n 10 "$work/log" >&2
    exit 1
}

start() { # COMMAND…, which prints that it is listening; sets $server and $address
    : >"$work/out"
    "$@" >"$work/out" 2>"$work/log" &
    server=$!
    address=
    for _ in $(seq 100); do
        address=$(sed -n 's/^[a-z]*: listening on //p' "$work/out")
        [ -z "$address" ] || return 0
        kill -0 "$server" 2>/dev/null || break
        sleep 0.1
    done
    fail "$1 does not start"
}

# The generator asks more than any person or bot, so rate limits are switched off, if there are any.
start_ludusd() { # OPTION…
    unlimited=
    ! "$build/ludusd" --help | grep -q -e '--rate N' || unlimited="--rate 0"
    # shellcheck disable=SC2086 # two words or none
    start "$build/ludusd" --listen 127.0.0.1:0 --no-bots $unlimited "$@"
}

number() { # NAME: from the line of JSON in $result
    echo "$result" | sed -n 's/.*"'"$1"'":\(-\{0,1\}[0-9.]*\)[,}].*/\1/p'
}

keep() { # FILE NAME…: adds a row of these numbers, from $result
    kept=
    kept_in=$work/$1
    shift
    for name; do
        value=$(number "$name")
        [ -n "$value" ] || fail "no $name: $result"
        kept="$kept$value "
    done
    echo "$kept" >>"$kept_in"
}

median() { # FILE COLUMN
    awk -v column="$2" '{ print $column }' "$work/$1" | sort -n | sed -n $(((rounds + 1) / 2))p
}

# Prints the busy seconds of all processors together, and their total seconds.
processors() {
    awk -v ticks="$(getconf CLK_TCK)" '/^cpu / {
        busy = $2 + $3 + $4 + $7 + $8 + $9
        print busy / ticks, (busy + $5 + $6) / ticks
    }' /proc/stat
}

# Warns when other work slowed the rounds down, each by a different amount. $before is the output of
# processors() at their start.
print_others() {
    times >"$work/times" # children's times on the second line: 0m36.160s 0m0.080s
    awk -v before="$before" -v after="$(processors)" 'NR == 2 {
        split(before, b); split(after, a); split($1, user, /[ms]/); split($2, sys, /[ms]/)
        ours = 60 * (user[1] + sys[1]) + user[2] + sys[2]
        others = 100 * (a[1] - b[1] - ours) / (a[2] - b[2])
        printf "\nOther programs and the system used %.0f %% of the processors meanwhile", others
        print others < 10 ? "." : ": do not rely on this, run it\nagain when the machine is quiet."
    }' "$work/times"
}
