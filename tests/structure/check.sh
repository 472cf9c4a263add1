#!/bin/sh
# Static analysis with cppcheck and clang-tidy, and of the page with TypeScript and eslint, if installed; and
# the structure (tests/structure), which needs the objects in BUILD_DIR. Prints its findings and exits 1 if there are any.
# usage: sh tests/structure/check.sh BUILD_DIR
set -u

build=$1
status=0
sources=$(find common server client tests -name '*.c' | sort)

# shellcheck disable=SC2086 # a word each
if command -v cppcheck >/dev/null; then
    echo "cppcheck"
    # It reads only the system headers with loop macros. ctuuninitvar mistakes a struct that a function
    # fills for one that it reads. The other suppressed checks are for programs with threads, unlike the
    # server.
    macros=
    for header in /usr/include/cjson/cJSON.h /usr/include/uthash.h /usr/include/sys/queue.h \
        /usr/include/*/sys/queue.h; do
        [ ! -e "$header" ] || macros="$macros --include=$header"
    done
    cppcheck --quiet --std=c11 --enable=warning,performance,portability --error-exitcode=1 \
        --library=posix --library=gnu $macros -I. -Itests/support --include=common/banned.h -D_GNU_SOURCE \
        -DLUDUS_VERSION='"check"' --suppress=missingIncludeSystem --suppress=ctuuninitvar \
        --suppress=readdirCalled --suppress=getpwnamCalled --suppress=getpwuidCalled \
        $sources || status=1
else
    echo "cppcheck is not installed: apt-get install cppcheck"
fi

if command -v clang-tidy >/dev/null; then
    echo "clang-tidy"
    # shellcheck disable=SC2086
    printf '%s\n' $sources |
        xargs -P "$(nproc)" -I FILE clang-tidy --quiet FILE -- -std=c11 -D_GNU_SOURCE \
            -DLUDUS_VERSION='"check"' -include common/banned.h -I. -Itests/support 2>/dev/null || status=1
else
    echo "clang-tidy is not installed: apt-get install clang-tidy"
fi

if [ -x tests/web/node_modules/.bin/eslint ]; then
    echo "tsc, eslint"
    (cd tests/web && npm run --silent check) || status=1
else
    echo "TypeScript and eslint are not installed: make web-tools"
fi

python3 tests/structure/check_structure.py "$build" || status=1
sh tests/structure/check_service.sh || status=1
exit $status
