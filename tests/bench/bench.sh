#!/bin/sh
# Perft of every game, then a comparison with Fairy-Stockfish on Clobber 5x6.
# usage: sh tests/bench/bench.sh BUILD_DIR
set -u

bench=$1/bench/perft_bench
depth=6
nodes=1816303198
rounds=3
goal=10
PATH=$PATH:/usr/games # where Debian puts it
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

"$bench" || exit 1

if ! command -v fairy-stockfish >/dev/null; then
    echo "The comparison needs Fairy-Stockfish: apt-get install fairy-stockfish"
    exit 0
fi

ours() {
    "$bench" clobber:5x6 $depth
}

theirs() {
    printf '%s\n' 'setoption name UCI_Variant value clobber' 'position startpos' \
        "go perft $depth" quit | fairy-stockfish | sed -n 's/^Nodes searched: //p'
}

# Runs one program and adds its processor seconds to the file of its name. `times` prints the children's
# times on its second line, such as "0m36.160s 0m0.080s".
round() {
    (
        counted=$($1)
        if [ "$counted" != $nodes ]; then
            echo "$1: perft $depth is '$counted', expected $nodes" >&2
            exit 1
        fi
        times >"$work/times"
    ) || exit 1
    awk 'NR == 2 { split($1, user, /[ms]/); split($2, sys, /[ms]/)
                   print 60 * (user[1] + sys[1]) + user[2] + sys[2] }' "$work/times" >>"$work/$1"
}

median() {
    sort -n "$work/$1" | sed -n $(((rounds + 1) / 2))p
}

echo "Clobber 5x6, perft $depth, $rounds rounds each in turn, processor time with start-up:"
echo
for _ in $(seq $rounds); do
    round ours || exit 1
    round theirs || exit 1
done
awk -v ours="$(median ours)" -v theirs="$(median theirs)" -v nodes=$nodes -v goal=$goal 'BEGIN {
    printf "%-16s %10s %22s\n", "", "seconds", "million nodes/s"
    printf "%-16s %10.2f %22.0f\n", "ludus", ours, nodes / ours / 1e6
    printf "%-16s %10.2f %22.0f\n", "fairy-stockfish", theirs, nodes / theirs / 1e6
    printf "\nratio of the medians: %.1f (goal: %d)\n", theirs / ours, goal
}'
