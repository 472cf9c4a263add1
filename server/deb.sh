#!/bin/sh
# Builds the Debian packages from the archive of `make dist` and server/debian/, and checks them with
# lintian, if installed. Nothing is signed. DEBFULLNAME and DEBEMAIL name the maintainer.
# usage: sh server/deb.sh VERSION ARCHIVE FOLDER [yes, to run the tests]
set -eu
version=$1 archive=$2 folder=$3 check=${4:-}

for tool in dpkg-buildpackage dh; do
    command -v $tool >/dev/null && continue
    echo "deb: $tool is not installed: apt-get install build-essential debhelper" >&2
    exit 1
done

. server/epoch.sh
maintainer="${DEBFULLNAME:-The Ludus authors} <${DEBEMAIL:-ludus@localhost}>"
date=$(LC_ALL=C date -u -R -d "@$SOURCE_DATE_EPOCH")

rm -rf "$folder"
mkdir -p "$folder"
tar -xf "$archive" -C "$folder"
cp "$archive" "$folder/ludus_$version.orig.tar.gz"
cp -R "$folder/ludus-$version/server/debian" "$folder/ludus-$version/debian"
sed -i -e "s|@VERSION@|$version|" -e "s|@MAINTAINER@|$maintainer|" -e "s|@DATE@|$date|" \
    -e "s|@DISTRIBUTION@|${DISTRIBUTION:-unstable}|" \
    "$folder/ludus-$version/debian/control" "$folder/ludus-$version/debian/changelog"

if [ "$check" = yes ]; then options=; else options=nocheck; fi
# The make in the package must not see the options of this one.
unset MAKEFLAGS MFLAGS MAKELEVEL BUILD
log=$folder/build.log
echo "deb: building; the log is $log"
if ! (cd "$folder/ludus-$version" && DEB_BUILD_OPTIONS="$options" nice \
    dpkg-buildpackage -us -uc --jobs-try=auto) >"$log" 2>&1; then
    tail -n 30 "$log"
    echo "deb: the packages could not be built" >&2
    exit 1
fi
if grep -n 'warning:' "$log"; then
    echo "deb: there were warnings" >&2
    exit 1
fi
if command -v lintian >/dev/null; then
    # Without an address the maintainer is on this machine, which Debian's archive would not accept.
    if [ -z "${DEBEMAIL:-}" ]; then
        set -- --suppress-tags bogus-mail-host,bogus-mail-host-in-debian-changelog
    else
        set --
    fi
    lintian --fail-on error,warning --allow-root "$@" "$folder"/ludus_*.changes
    echo "deb: lintian found no errors or warnings"
else
    echo "deb: lintian is not installed: packages not checked"
fi
ls "$folder"/*.deb
