#!/bin/sh
# Checks the systemd units in server/ with systemd-analyze, if installed: they must be well-formed, and
# the exposure of the service at most 2.0 of 10 points.
set -u

if ! command -v systemd-analyze >/dev/null; then
    echo "systemd-analyze is not installed: apt-get install systemd"
    exit 0
fi
echo "systemd-analyze"
status=0
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT

# The program need not be installed here.
sed 's|/usr/local/bin/ludusd|/bin/true|; s|^User=.*||' server/ludusd.service >"$folder/ludusd.service"
cp server/ludusd.socket "$folder/"
said=$(systemd-analyze verify --man=no "$folder/ludusd.service" "$folder/ludusd.socket" 2>&1 |
    grep -F 'ludusd.')
if [ -n "$said" ]; then
    echo "$said"
    status=1
fi
if ! said=$(systemd-analyze security --offline=true --threshold=20 server/ludusd.service 2>&1); then
    echo "$said" | grep -e '✗' -e 'Overall'
    status=1
fi
exit $status
