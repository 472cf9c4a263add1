/*
 * A failing disk, as a library for LD_PRELOAD: every nth call that writes, creates or syncs files
 * in one directory fails. Only tests load it.
 *
 * LUDUS_FAULTS names a control file of `struct control`. The test maps it too, switches faults on
 * and off while the program runs, and reads their number, even after the program has ended.
 * LUDUS_FAULTS_FOLDER names the directory, without links in its path. Unless both are set, all
 * calls go through.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

#include "tests/faults/shared.h"

enum { FAIL_WRITE = 1, FAIL_SYNC = 2, FAIL_TRUNCATE = 4, FAIL_OPEN = 8 };

/* The control file; tests/crash/faults.py has the same layout. */
struct control {
    _Atomic uint32_t calls;     /* the calls that fail, a set of FAIL_*; 0: none */
    _Atomic int32_t error;      /* the errno */
    _Atomic uint32_t every;     /* the n of "every nth call" */
    _Atomic uint32_t halves;    /* 1: a failing write first writes half, and the next one fails */
    _Atomic uint64_t seen;      /* calls that could have failed */
    _Atomic uint64_t failed;    /* calls that did fail */
    _Atomic uint64_t shortened; /* writes that were cut in half */
    _Atomic uint32_t owed;      /* 1: the next write fails, as the last one was cut */
};

/* Set before main() and never changed: no caller passes state to a library that replaces others. */
static struct control *control;
static char folder[PATH_MAX];

__attribute__((constructor)) static void set_up(void)
{
    const char *below = getenv("LUDUS_FAULTS_FOLDER");

    if (below == NULL)
        return;
    snprintf(folder, sizeof folder, "%s/", below);
    control = shared_map("LUDUS_FAULTS", sizeof *control);
}

static bool is_on(uint32_t call)
{
    return control != NULL && (atomic_load(&control->calls) & call) != 0;
}

static bool is_below(const char *path)
{
    return strncmp(path, folder, strlen(folder)) == 0;
}

/* Returns whether the descriptor is a file in the directory. */
static bool is_ours(int fd)
{
    char link[64], path[PATH_MAX];

    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0)
        return false;
    path[length] = '\0';
    return is_below(path);
}

/* Counts a call. Returns whether it must fail. */
static bool is_due(void)
{
    uint32_t every = atomic_load(&control->every);
    uint64_t seen = atomic_fetch_add(&control->seen, 1) + 1;

    return every > 0 && seen % every == 0;
}

/* Fails with the errno of the control file. */
static int fail(void)
{
    atomic_fetch_add(&control->failed, 1);
    errno = atomic_load(&control->error);
    return -1;
}

/* Returns how many of the bytes to write, or -1 with errno. */
static ssize_t allowed(int fd, size_t count)
{
    if (!is_on(FAIL_WRITE) || !is_ours(fd))
        return (ssize_t)count;
    if (atomic_exchange(&control->owed, 0) != 0)
        return fail();
    if (!is_due())
        return (ssize_t)count;
    if (atomic_load(&control->halves) == 0 || count < 2)
        return fail();
    atomic_store(&control->owed, 1);
    atomic_fetch_add(&control->shortened, 1);
    return (ssize_t)(count / 2);
}

static int sync_or_fail(const char *name, uint32_t call, int fd)
{
    if (is_on(call) && is_ours(fd) && is_due())
        return fail();
    int (*real)(int) = (int (*)(int))dlsym(RTLD_NEXT, name);
    return real(fd);
}

/* Replacements for functions of the C library, whose headers use parameter names reserved to it.
 * NOLINTBEGIN(readability-inconsistent-declaration-parameter-name) */

/* A signal handler may write while this thread is in dlsym(), which would deadlock. */
ssize_t write(int fd, const void *bytes, size_t count)
{
    ssize_t length = allowed(fd, count);

    return length < 0 ? -1 : syscall(SYS_write, fd, bytes, (size_t)length);
}

static ssize_t write_at(const char *name, int fd, const void *bytes, size_t count, off_t offset)
{
    ssize_t (*real)(int, const void *, size_t, off_t) =
        (ssize_t(*)(int, const void *, size_t, off_t))dlsym(RTLD_NEXT, name);
    ssize_t length = allowed(fd, count);

    return length < 0 ? -1 : real(fd, bytes, (size_t)length, offset);
}

ssize_t pwrite(int fd, const void *bytes, size_t count, off_t offset)
{
    return write_at("pwrite", fd, bytes, count, offset);
}

ssize_t pwrite64(int fd, const void *bytes, size_t count, off64_t offset)
{
    return write_at("pwrite64", fd, bytes, count, offset);
}

int fsync(int fd)
{
    return sync_or_fail("fsync", FAIL_SYNC, fd);
}

int fdatasync(int fd)
{
    return sync_or_fail("fdatasync", FAIL_SYNC, fd);
}

static int truncate_to(const char *name, int fd, off_t length)
{
    if (is_on(FAIL_TRUNCATE) && is_ours(fd) && is_due())
        return fail();
    int (*real)(int, off_t) = (int (*)(int, off_t))dlsym(RTLD_NEXT, name);
    return real(fd, length);
}

int ftruncate(int fd, off_t length)
{
    return truncate_to("ftruncate", fd, length);
}

int ftruncate64(int fd, off64_t length)
{
    return truncate_to("ftruncate64", fd, length);
}

/* `rest` is the mode, where an open() has one. */
static int open_at(const char *name, int at, const char *path, int flags, va_list rest)
{
    bool makes = (flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE;
    bool writes = makes || (flags & O_ACCMODE) != O_RDONLY;
    mode_t mode = makes ? va_arg(rest, mode_t) : 0;

    if (writes && is_on(FAIL_OPEN) && is_below(path) && is_due())
        return fail();
    int (*real)(int, const char *, int, ...) =
        (int (*)(int, const char *, int, ...))dlsym(RTLD_NEXT, name);
    return real(at, path, flags, mode);
}

int open(const char *path, int flags, ...)
{
    va_list rest;

    va_start(rest, flags);
    int fd = open_at("openat", AT_FDCWD, path, flags, rest);
    va_end(rest);
    return fd;
}

int open64(const char *path, int flags, ...)
{
    va_list rest;

    va_start(rest, flags);
    int fd = open_at("openat64", AT_FDCWD, path, flags, rest);
    va_end(rest);
    return fd;
}

int openat(int at, const char *path, int flags, ...)
{
    va_list rest;

    va_start(rest, flags);
    int fd = open_at("openat", at, path, flags, rest);
    va_end(rest);
    return fd;
}

int openat64(int at, const char *path, int flags, ...)
{
    va_list rest;

    va_start(rest, flags);
    int fd = open_at("openat64", at, path, flags, rest);
    va_end(rest);
    return fd;
}

/* NOLINTEND(readability-inconsistent-declaration-parameter-name) */
