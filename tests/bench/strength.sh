#!/bin/sh
# The strength of the levels: each one against the one below, max against greedy, and in Clobber max
# against Fairy-Stockfish, if installed. Prints the tables of STRENGTH.md, which takes hours; after an
# interruption it continues, unless ludus-bot has changed.
# usage: sh tests/bench/strength.sh BUILD_DIR PAIRS [GAME]...
set -eu

bot=$1/ludus-bot
pairs=$2
shift 2
[ $# -gt 0 ] || set -- clobber:5x6 clobber:8x8 xadrersi:touch xadrersi:attack latrunculi shakti
kept=$(dirname "$bot")/strength/$(cksum <"$bot" | cut -d ' ' -f 1)
PATH=$PATH:/usr/games # where Debian puts Fairy-Stockfish
mkdir -p "$kept"

# Prints a row from the report of the gauntlet. Faults are matches lost on time, by illegal moves or
# crashes, and those that reached the ply limit.
table_row() {
    awk -v game="$1" -v players="$2 | $3" '
        $1 == "wins" || $1 == "draws" || $1 == "losses" { count[$1] = $2 }
        $1 == "score" || $1 == "elo" { value[$1] = $0; gsub(/^[a-z]+ +|95 %: /, "", value[$1]) }
        $1 == "lost" || $1 == "illegal" || $1 == "crashes" || $1 == "ply" {
            for (i = 2; i <= NF; i++)
                if ($i ~ /^[0-9]+$/ && $(i + 1) != "plies")
                    faults += $i
        }
        END {
            printf "| %s | %s | %d | %d | %d | %s | %s | %d |\n", game, players, count["wins"],
                count["draws"], count["losses"], value["score"], value["elo"], faults
        }'
}

# GAME FIRST SECOND, as shown, then the players and options of the gauntlet.
row() {
    game=$1 first=$2 second=$3
    shift 3
    "$bot" gauntlet --game "$game" --pairs "$pairs" --opening 2 \
        --resume "$kept/$game-$first-$second-$pairs" "$@" | table_row "$game" "$first" "$second"
}

# GAME STRONGER WEAKER
levels_row() {
    case $1 in
    clobber*) nodes=400000 ;; # for max; the other levels search less
    *) nodes=100000 ;;
    esac
    row "$1" "$2" "$3" --nodes $nodes --parallel 2 "$2" "$3"
}

echo "| game | first | second | wins | draws | losses | score | Elo | faults |"
echo "|---|---|---|---|---|---|---|---|---|"
for game in "$@"; do
    below=random
    for level in greedy gentle easy medium hard expert master max; do
        levels_row "$game" $level $below
        below=$level
    done
    levels_row "$game" max greedy
done

fairy=$(command -v fairy-stockfish) || exit 0
for game in "$@"; do
    case $game in
    clobber*) row "$game" max Fairy-Stockfish --movetime 100 --margin 1000 --parallel 2 max "$fairy" ;;
    esac
done
