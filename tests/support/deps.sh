#!/bin/sh
# Looks for the packages that the build and the tests need, and installs missing ones (Debian, Ubuntu).
# usage: sh tests/support/deps.sh [fuzz|valgrind|web|firefox|cluster|patroni]; with an argument also those of that target.
# Silent when all are installed. Exits 1 when one is missing and cannot be installed.
set -u

missing=

need() { # PACKAGE, then a command that succeeds when it is installed
    package=$1
    shift
    "$@" >/dev/null 2>&1 && return
    echo "deps: $package is missing"
    missing="$missing $package"
}

has() { # whether the compiler finds a header
    echo "#include <$1>" | ${CC:-cc} -E - # CC may be several words
}

need gcc ${CC:-cc} --version
need libc6-dev has stdio.h
need python3 command -v python3
need libevent-dev has event2/bufferevent_ssl.h
need libssl-dev has openssl/ssl.h
need openssl command -v openssl
need libcjson-dev has cjson/cJSON.h
need libedit-dev has editline/readline.h
need libncurses-dev has curses.h
need libsqlite3-dev has sqlite3.h
need libpq-dev has postgresql/libpq-fe.h
need uthash-dev has uthash.h
need libsodium-dev has sodium.h
need libunistring-dev has uninorm.h
need libwslay-dev has wslay/wslay.h
need zlib1g-dev has zlib.h
need gettext command -v msgfmt
need libqrencode-dev has qrencode.h

links_fuzzer() {
    echo 'int LLVMFuzzerTestOneInput(void); int LLVMFuzzerTestOneInput(void) { return 0; }' |
        clang -fsanitize=fuzzer,address -x c -o /dev/null -
}
if [ "${1:-}" = fuzz ]; then
    need clang command -v clang
    need libclang-rt-dev links_fuzzer
fi
if [ "${1:-}" = web ]; then
    need chromium command -v chromium
    need chromium-driver command -v chromedriver
fi
[ "${1:-}" != firefox ] || need firefox-esr command -v firefox-esr
[ "${1:-}" != valgrind ] || need valgrind command -v valgrind
if [ "${1:-}" = patroni ]; then
    need patroni command -v patroni
    need etcd-server command -v etcd
fi
[ "${1:-}" != cluster ] && [ "${1:-}" != patroni ] || need postgresql python3 -c \
    'import sys; sys.path.append("tests/cluster"); import postgres; sys.exit(postgres.why_not() is not None)'

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
if ! install >"$log" 2>&1; then # the package lists may be missing or old
    if ! { $sudo apt-get update && install; } >>"$log" 2>&1; then
        cat "$log"
        echo "deps: the installation failed; it was: apt-get install$missing"
        exit 1
    fi
fi
