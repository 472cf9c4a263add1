#!/bin/sh
# Plays a bot against a bot in every game and variant through a server, and draws the boards.
# usage: demo.sh BUILD
set -eu
build=$1
folder=$(mktemp -d)
"$build/ludusd" --listen 127.0.0.1:0 --data none >"$folder/out" 2>"$folder/log" &
server=$!
trap 'kill $server 2>/dev/null; wait $server 2>/dev/null; rm -rf "$folder"' EXIT
trap 'exit 1' INT TERM

tries=0
until grep -q listening "$folder/out"; do
    tries=$((tries + 1))
    if [ $tries -gt 100 ] || ! kill -0 $server 2>/dev/null; then
        echo "demo: the server does not start:" >&2
        cat "$folder/log" >&2
        exit 1
    fi
    sleep 0.1
done
address=$(sed -n 's/^ludusd: listening on //p' "$folder/out" | head -n 1)

for game in clobber xadrersi:touch xadrersi:attack latrunculi shakti; do
    "$build/ludus" --connect "$address" --play $game --white bot:greedy --black bot:random |
        tee "$folder/game"
    # The last line with a result is that of the match.
    printf '%-16s %s\n' $game "$(grep -E '1-0|0-1|1/2-1/2' "$folder/game" | tail -n 1)" \
        >>"$folder/results"
done

echo
echo "Results (bot:greedy was white, bot:random black):"
cat "$folder/results"
[ "$(grep -cE '1-0|0-1|1/2-1/2' "$folder/results")" = 5 ]
