#!/bin/sh
# Installs the Debian packages in a fresh Debian in a directory, uses, upgrades, removes and purges them,
# and looks for leftovers. Needs root, debootstrap, and a mirror of Debian (MIRROR=, or debootstrap's
# default).
# Its mounts and processes are in separate namespaces and end with it.
# usage: sh tests/install/deb_test.sh FOLDER_OF_THE_PACKAGES
set -eu
packages=$1
release=bookworm

stop() {
    echo "deb-test: $*" >&2
    exit 1
}

[ "$(id -u)" = 0 ] || stop "only root may do this"
command -v debootstrap >/dev/null || stop "debootstrap is not installed: apt-get install debootstrap"
if [ -z "${DEB_TEST_WORK:-}" ]; then
    work=$(mktemp -d)
    trap 'rm -rf --one-file-system "$work"' EXIT
    status=0
    DEB_TEST_WORK=$work timeout -k 10 1500 \
        unshare --mount --pid --fork --kill-child sh "$0" "$packages" &
    trap 'kill $!; wait $!; exit 1' INT TERM HUP
    wait $! || status=$?
    [ $status != 124 ] || stop "stopped after 1500 s"
    exit $status
fi
work=$DEB_TEST_WORK
root=$work/root

passed=0
failed=0
check() { # WHAT COMMAND...
    what=$1
    shift
    if "$@" >"$work/log" 2>&1; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "deb_test: FAILED: $what"
        sed 's/^/    /' "$work/log"
    fi
}

inside() {
    chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin:/usr/games HOME=/root LC_ALL=C.UTF-8 \
        DEBIAN_FRONTEND=noninteractive "$@"
}

apt() {
    inside apt-get --quiet --yes --no-install-recommends "$@"
}

no() {
    ! "$@"
}

# All files but those of apt and dpkg.
list_files() {
    (cd "$root" && find . -xdev ! -path './proc/*' ! -path './dev/*' ! -path './tmp/*' \
        ! -path './var/cache/*' ! -path './var/log/*' ! -path './var/lib/apt/*' \
        ! -path './run/*' ! -path './var/lib/dpkg/*-old' | LC_ALL=C sort)
}

deb() { # NAME: its file, under the root
    (cd "$root" && echo packages/"$1"_*.deb)
}

# Builds the packages with a higher version.
make_newer() {
    for name in ludus ludusd; do
        folder=$work/newer-$name
        dpkg-deb -R "$root/$(deb $name)" "$folder"
        version=$(sed -n 's/^Version: //p' "$folder/DEBIAN/control")
        sed -i "s/$version/$version+newer/" "$folder/DEBIAN/control"
        mkdir -p "$root/newer"
        dpkg-deb --root-owner-group -b "$folder" "$root/newer/$name.deb" >/dev/null
    done
}

echo "deb-test: a fresh Debian $release in $root"
debootstrap --variant=minbase "$release" "$root" ${MIRROR:+"$MIRROR"} >"$work/log" 2>&1 ||
    { tail -n 20 "$work/log"; stop "debootstrap has failed"; }
mount -t proc proc "$root/proc"
cp /etc/resolv.conf "$root/etc/resolv.conf"
echo "127.0.0.1 localhost" >"$root/etc/hosts" # which the installer of Debian writes
mkdir "$root/packages"
cp "$packages"/ludus_*.deb "$packages"/ludusd_*.deb "$root/packages/"
cp tests/install/deb_use.sh "$root/packages/use.sh"

# Dependencies of the packages, and man, are not compared.
needs=$(for name in ludus ludusd; do dpkg-deb -f "$root/$(deb $name)" Depends; done |
    sed 's/^ludus ([^)]*), //' | paste -s -d ,)
check "what the packages need" apt satisfy "$needs"
check "man" apt install man-db
list_files >"$work/before"

echo "deb-test: installing, using"
check "installing" apt install "./$(deb ludus)" "./$(deb ludusd)"
check "using it" inside sh /packages/use.sh first
echo "deb-test: upgrading, using"
echo "idle = 50" >>"$root/etc/ludus/ludusd.conf"
make_newer
check "upgrading" apt install ./newer/ludus.deb ./newer/ludusd.deb
check "the newer version" inside sh -c 'dpkg-query -W ludusd | grep -q newer'
check "the changed configuration is kept" grep -q '^idle = 50' "$root/etc/ludus/ludusd.conf"
check "using it again" inside sh /packages/use.sh again

echo "deb-test: removing, purging"
check "removing" apt remove ludus ludusd
check "no programs are left" no ls "$root/usr/bin/ludusd" "$root/usr/games/ludus"
check "the matches are" test -s "$root/var/lib/ludus/ludus.db"
check "the configuration is" test -s "$root/etc/ludus/ludusd.conf"
check "purging" apt purge ludus ludusd
rm -r "$root/newer"
list_files >"$work/after"
check "nothing is left" diff "$work/before" "$work/after"

echo "deb_test: $passed passed, $failed failed"
[ $failed = 0 ]
