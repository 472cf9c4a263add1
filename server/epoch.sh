# shellcheck shell=sh
# Sets SOURCE_DATE_EPOCH, unless it is set, to the time of the last change: from git or, in an
# archive, from its files. Use: . server/epoch.sh
if [ -z "${SOURCE_DATE_EPOCH:-}" ]; then
    if [ -e .git ]; then
        SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
    else
        SOURCE_DATE_EPOCH=$(stat -c %Y Makefile)
    fi
fi
export SOURCE_DATE_EPOCH
