#!/bin/sh
# Packs the sources into ludus-VERSION.tar.gz: the files in git or, in an unpacked archive, all files.
# The same sources give the same archive.
# usage: sh server/dist.sh VERSION ARCHIVE
set -eu
name=ludus-$1 archive=$2

. server/epoch.sh

list() {
    if [ -e .git ]; then
        git ls-files
    else
        find . -type f ! -path './build/*' ! -path './debian/*' ! -path '*/__pycache__/*' |
            sed 's|^\./||'
    fi
}

folder=$(dirname "$archive")
mkdir -p "$folder"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
list | LC_ALL=C sort >"$work/files"
tar --create --file "$work/tar" --format=ustar --transform "s|^|$name/|" \
    --mtime "@$SOURCE_DATE_EPOCH" --owner 0 --group 0 --numeric-owner --mode u=rwX,go=rX \
    --files-from "$work/files"
gzip -9 --no-name "$work/tar"
cp "$work/tar.gz" "$archive"
