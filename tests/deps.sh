#!/bin/sh
# Looks for what the build and the tests need, and installs what is missing (Debian, Ubuntu).
# Silent when all is there. Exits 1 when something is missing and could not be installed.
set -u

missing=

need() { # PACKAGE, then a command that succeeds when it is there
    package=$1
    shift
    "$@" >/dev/null 2>&1 && return
    echo "deps: $package is missing"
    missing="$missing $package"
}

need gcc command -v "${CC:-cc}"
need libc6-dev test -e /usr/include/stdio.h
need pkg-config command -v pkg-config
need python3 command -v python3
need libevent-dev pkg-config --exists libevent_core libevent_openssl libevent_extra
need libssl-dev pkg-config --exists libssl
need openssl command -v openssl
need libcjson-dev pkg-config --exists libcjson
need libedit-dev pkg-config --exists libedit
need libncurses-dev pkg-config --exists ncursesw
need libsqlite3-dev pkg-config --exists sqlite3
need libsodium-dev pkg-config --exists libsodium

[ -n "$missing" ] || exit 0

if [ "$(id -u)" = 0 ]; then
    sudo=
elif sudo -n true 2>/dev/null; then
    sudo=sudo
else
    echo "deps: to install it, run: sudo apt-get install$missing"
    exit 1
fi

log=$(mktemp) || exit 1
trap 'rm -f "$log"' EXIT

install() {
    # shellcheck disable=SC2086 # one word a package
    $sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $missing
}

echo "deps: installing$missing"
if ! install >"$log" 2>&1; then # the lists of packages may be missing or old
    if ! { $sudo apt-get update && install; } >>"$log" 2>&1; then
        cat "$log"
        echo "deps: the installation failed; it was: apt-get install$missing"
        exit 1
    fi
fi
