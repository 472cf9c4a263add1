#!/bin/sh
# Starts the server for `make run`, and prints how to connect once it listens.
# usage: run.sh BUILD PORT [DATA]
set -eu
build=$1 port=$2 data=${3:-}
case $data in "~/"*) data=$HOME/${data#"~/"} ;; esac # not every shell expands it after DATA=

addresses="--listen 127.0.0.1:$port"
[ "$port" = 7117 ] && addresses= # the default, with IPv6 where there is some
[ -n "$data" ] && set -- --data "$data" || set --

trap '' INT # Ctrl-C is for the server to handle
result=$(mktemp)
# shellcheck disable=SC2086
{
    status=0
    "$build/ludusd" $addresses "$@" || status=$?
    echo $status >"$result"
} | while read -r line; do
    case $line in *"listening on 127.0.0.1:"*) ;; *) echo "$line" && continue ;; esac
    # One write, so that the log, which goes to the terminal by itself, does not run through it.
    cat <<END

Play in a browser:            http://localhost:$port/
or in another terminal:       $build/ludus$([ "$port" = 7117 ] || echo " --connect localhost:$port")
or with nothing but netcat:   nc localhost $port
                              then type:  set format=text
                                          new clobber black=bot:greedy
                                          help
Ctrl-C ends the server.

$line
END
done
status=$(cat "$result")
rm -f "$result"
[ "$status" != 1 ] || cat >&2 <<END
Another port: make run PORT=N (not 7118, which is for TLS); another store: make run DATA=DIR.
END
exit "$status"
