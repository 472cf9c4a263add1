/*
 * A bad network, as a library for LD_PRELOAD: calls on TCP sockets, and waiting for them, do only
 * part of their work or fail, as the system allows at any time. All other calls go through. Only
 * tests load it.
 *
 * LUDUS_SOCKET_FAULTS names a control file of `struct control`. The test maps it too
 * (socket_faults.py), chooses the faults while the program runs, and reads their number. Without it
 * all calls go through.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "tests/faults/shared.h"

enum call { READ, WRITE, WAIT, ACCEPT, CALLS };
enum { FAULTS_MAX = 4 }; /* of one kind of call at a time */

struct fault {
    _Atomic uint32_t permille; /* random faults per thousand calls */
    _Atomic uint32_t next;     /* this many of the next calls fail for sure */
    _Atomic int32_t error;     /* the errno; 0: only part of the bytes is taken */
    uint32_t unused;
    _Atomic uint64_t count; /* number of faults so far */
};

/* The control file; socket_faults.py has the same layout. */
struct control {
    _Atomic uint64_t random; /* the state of the random numbers */
    _Atomic uint64_t calls[CALLS];
    struct fault faults[CALLS][FAULTS_MAX];
};

/* Set before main() and never changed: no caller passes state to a library that replaces others. */
static struct control *control;

__attribute__((constructor)) static void set_up(void)
{
    control = shared_map("LUDUS_SOCKET_FAULTS", sizeof *control);
}

/* SplitMix64 by Sebastiano Vigna, public domain (prng.di.unimi.it). */
static uint64_t random_number(void)
{
    const uint64_t step = UINT64_C(0x9e3779b97f4a7c15);
    uint64_t z = atomic_fetch_add(&control->random, step) + step;

    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static bool is_tcp(int fd)
{
    struct sockaddr_storage address;
    socklen_t length = sizeof address;

    return control != NULL && getsockname(fd, (struct sockaddr *)&address, &length) == 0 &&
           (address.ss_family == AF_INET || address.ss_family == AF_INET6);
}

static bool is_due(struct fault *fault)
{
    uint32_t next = atomic_load(&fault->next), permille = atomic_load(&fault->permille);

    while (next > 0)
        if (atomic_compare_exchange_weak(&fault->next, &next, next - 1))
            return true;
    return permille > 0 && random_number() % 1000 < permille;
}

/* Returns the fault of this call, or NULL. */
static const struct fault *meet(enum call call)
{
    if (control == NULL)
        return NULL;
    atomic_fetch_add(&control->calls[call], 1);
    for (int i = 0; i < FAULTS_MAX; i++) {
        struct fault *fault = &control->faults[call][i];
        if (is_due(fault)) {
            atomic_fetch_add(&fault->count, 1);
            return fault;
        }
    }
    return NULL;
}

static bool fails(enum call call)
{
    const struct fault *fault = meet(call);

    if (fault == NULL)
        return false;
    errno = fault->error;
    return true;
}

/* Returns how many of the bytes a call on a socket takes; -1 with errno when it must fail. */
static ssize_t allowed(enum call call, int fd, size_t length)
{
    const struct fault *fault = length > 0 && is_tcp(fd) ? meet(call) : NULL;

    if (fault == NULL)
        return (ssize_t)length;
    if (fault->error != 0) {
        errno = fault->error;
        return -1;
    }
    /* Half of the time one byte, otherwise any part. */
    uint64_t number = random_number();
    return number & 1 ? 1 : (ssize_t)(1 + (number >> 1) % length);
}

static size_t sum(const struct iovec *parts, int count)
{
    size_t length = 0;

    for (int i = 0; i < count; i++)
        length += parts[i].iov_len;
    return length;
}

/* Copies the first parts, `length` bytes in all; returns how many parts. */
static int shorten(struct iovec *copy, const struct iovec *parts, int count, size_t length)
{
    int used = 0;

    for (; used < count && used < IOV_MAX && length > 0; used++) {
        copy[used] = parts[used];
        if (copy[used].iov_len > length)
            copy[used].iov_len = length;
        length -= copy[used].iov_len;
    }
    return used;
}

static ssize_t vector(enum call call, const char *name, int fd, const struct iovec *parts,
                      int count)
{
    ssize_t (*real)(int, const struct iovec *, int) =
        (ssize_t(*)(int, const struct iovec *, int))dlsym(RTLD_NEXT, name);
    struct iovec copy[IOV_MAX];
    size_t length = sum(parts, count);
    ssize_t some = allowed(call, fd, length);

    if (some < 0)
        return -1;
    if ((size_t)some == length)
        return real(fd, parts, count);
    return real(fd, copy, shorten(copy, parts, count, (size_t)some));
}

/* Replacements for functions of the C library, whose headers use parameter names reserved to it.
 * NOLINTBEGIN(readability-inconsistent-declaration-parameter-name) */

ssize_t read(int fd, void *bytes, size_t count)
{
    ssize_t (*real)(int, void *, size_t) =
        (ssize_t(*)(int, void *, size_t))dlsym(RTLD_NEXT, "read");
    ssize_t length = allowed(READ, fd, count);

    return length < 0 ? -1 : real(fd, bytes, (size_t)length);
}

ssize_t recv(int fd, void *bytes, size_t count, int flags)
{
    ssize_t (*real)(int, void *, size_t, int) =
        (ssize_t(*)(int, void *, size_t, int))dlsym(RTLD_NEXT, "recv");
    ssize_t length = allowed(READ, fd, count);

    return length < 0 ? -1 : real(fd, bytes, (size_t)length, flags);
}

ssize_t readv(int fd, const struct iovec *parts, int count)
{
    return vector(READ, "readv", fd, parts, count);
}

/* A signal handler may write while this thread is in dlsym(), which would deadlock. */
ssize_t write(int fd, const void *bytes, size_t count)
{
    ssize_t length = allowed(WRITE, fd, count);

    return length < 0 ? -1 : syscall(SYS_write, fd, bytes, (size_t)length);
}

ssize_t send(int fd, const void *bytes, size_t count, int flags)
{
    ssize_t (*real)(int, const void *, size_t, int) =
        (ssize_t(*)(int, const void *, size_t, int))dlsym(RTLD_NEXT, "send");
    ssize_t length = allowed(WRITE, fd, count);

    return length < 0 ? -1 : real(fd, bytes, (size_t)length, flags);
}

ssize_t writev(int fd, const struct iovec *parts, int count)
{
    return vector(WRITE, "writev", fd, parts, count);
}

int poll(struct pollfd *fds, nfds_t count, int timeout_ms)
{
    int (*real)(struct pollfd *, nfds_t, int) =
        (int (*)(struct pollfd *, nfds_t, int))dlsym(RTLD_NEXT, "poll");

    return fails(WAIT) ? -1 : real(fds, count, timeout_ms);
}

int epoll_wait(int epoll, struct epoll_event *events, int most, int timeout_ms)
{
    int (*real)(int, struct epoll_event *, int, int) =
        (int (*)(int, struct epoll_event *, int, int))dlsym(RTLD_NEXT, "epoll_wait");

    return fails(WAIT) ? -1 : real(epoll, events, most, timeout_ms);
}

/* A connection that fails for good is gone; one that is only delayed stays in the queue. */
int accept4(int fd, struct sockaddr *address, socklen_t *length, int flags)
{
    int (*real)(int, struct sockaddr *, socklen_t *, int) =
        (int (*)(int, struct sockaddr *, socklen_t *, int))dlsym(RTLD_NEXT, "accept4");

    if (!fails(ACCEPT))
        return real(fd, address, length, flags);
    int error = errno;
    if (error == ECONNABORTED) {
        int lost = real(fd, address, length, flags);
        if (lost >= 0)
            close(lost);
    }
    errno = error;
    return -1;
}

int accept(int fd, struct sockaddr *address, socklen_t *length)
{
    int (*real)(int, struct sockaddr *, socklen_t *) =
        (int (*)(int, struct sockaddr *, socklen_t *))dlsym(RTLD_NEXT, "accept");

    return fails(ACCEPT) ? -1 : real(fd, address, length);
}

/* NOLINTEND(readability-inconsistent-declaration-parameter-name) */
