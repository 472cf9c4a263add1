#!/bin/sh
# Uses the installed packages in the fresh Debian of deb_test.sh. Without systemd there, it starts the
# server according to its unit.
# usage: sh deb_use.sh first|again
set -eux
visit=$1
export HOME=/tmp/anna # who plays
unit=/lib/systemd/system/ludusd.service

from_unit() { # NAME
    sed -n "s/^$1=//p" $unit
}

# Enabled, as services of Debian are.
test -L /etc/systemd/system/multi-user.target.wants/ludusd.service
test -L /etc/systemd/system/sockets.target.wants/ludusd.socket

ludusd --check-config --config /etc/ludus/ludusd.conf
systemd-analyze verify $unit /lib/systemd/system/ludusd.socket
for page in ludus ludus-bot ludus-bridge ludusd ludusd.conf; do
    man $page | grep -q '^NAME'
done

# Links in the documents lead somewhere.
find /usr/share/doc/ludus/ -name '*.md' >/tmp/pages
grep -q /README.md /tmp/pages
while read -r page; do
    grep -oE '\]\([^)#]+|src="[^"]+' "$page" | sed -e 's/^](//' -e 's/^src="//' >/tmp/links || true
    while read -r link; do
        case $link in *://*) ;; *) test -f "${page%/*}/$link" ;; esac
    done </tmp/links
done </tmp/pages

# The user and the directory of the unit.
user=$(from_unit User)
state=/var/lib/$(from_unit StateDirectory)
id "$user"
[ -d "$state" ] || install -d -m "$(from_unit StateDirectoryMode)" -o "$user" -g "$user" "$state"
export STATE_DIRECTORY="$state" CONFIGURATION_DIRECTORY=/etc/ludus
command=$(from_unit ExecStart)
# On its own port, because there is no socket unit.
# shellcheck disable=SC2086
setpriv --reuid "$user" --regid "$user" --clear-groups --no-new-privs \
    $command --listen 127.0.0.1:0 >/tmp/out 2>/tmp/log &
server=$!
trap 'kill $server || true' EXIT
for _ in $(seq 600); do
    ! grep -q listening /tmp/out || break
    kill -0 $server || { cat /tmp/log; exit 1; }
    sleep 0.1
done
address=$(sed -n 's/^ludusd: listening on //p' /tmp/out)
test "$(stat -c %U /proc/$server)" = "$user"

# A named bot plays a house bot, a client watches, and the record follows.
ludus-bot --connect "$address" --name "hal-$visit" --level easy --retry 0 >/tmp/hal 2>&1 &
bot=$!
for _ in $(seq 600); do
    ! grep -q connected /tmp/hal || break
    sleep 0.1
done
timeout 120 ludus --connect "$address" --line --play clobber:4x5 --white "hal-$visit" \
    --black bot:greedy </dev/null >/tmp/match
tail -n 3 /tmp/match
match=1
[ "$visit" = first ] || match=2
ludus record $match --connect "$address" --pgn | ludus replay - --all
ludus record 1 --connect "$address" | grep -q hal-first # also after the upgrade
kill $bot
wait $bot || true

# An ordinary user without sbin in PATH hosts a server for a friend.
install -d -o "$user" /tmp/bert
HOME=/tmp/bert PATH=/usr/local/bin:/usr/bin:/bin:/usr/local/games:/usr/games timeout 120 \
    setpriv --reuid "$user" --regid "$user" --clear-groups \
    ludus host clobber:2x2 --line --name bert </dev/null >/tmp/bert/out
grep 'ludus join ' /tmp/bert/out

trap - EXIT
kill $server
wait $server
cat /tmp/log
grep -q 'event=stopped' /tmp/log
ludusd check --user "$user" --data "$state"
rm -rf /tmp/pages /tmp/links /tmp/out /tmp/log /tmp/hal /tmp/match /tmp/anna /tmp/bert
