#include "starve.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "shared.h"

/* The sanitizers', where there are any, else the C library's own. */
void *__interceptor_malloc(size_t) __attribute__((weak));
void *__interceptor_calloc(size_t, size_t) __attribute__((weak));
void *__interceptor_realloc(void *, size_t) __attribute__((weak));
void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);

/* Set before main() and never changed: what stands in for others is handed nothing. */
static struct starve own, *control = &own;

struct starve *starve(void)
{
    return control;
}

__attribute__((constructor)) static void set_up(void)
{
    void *mapped = shared_map("LUDUS_STARVE", sizeof *control);

    if (mapped != NULL)
        control = mapped;
}

/* Counts a piece of memory; whether it is not given. */
static int is_refused(void)
{
    if (atomic_load(&control->on) == 0)
        return 0;
    uint64_t seen = atomic_fetch_add(&control->seen, 1) + 1;
    if (seen < atomic_load(&control->first) || seen > atomic_load(&control->last))
        return 0;
    atomic_fetch_add(&control->failed, 1);
    errno = ENOMEM;
    return 1;
}

/* What follows stands in for functions of the C library, whose headers name the parameters so that
 * no program could.
 * NOLINTBEGIN(readability-inconsistent-declaration-parameter-name) */

void *malloc(size_t size)
{
    if (is_refused())
        return NULL;
    return __interceptor_malloc != NULL ? __interceptor_malloc(size) : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    if (is_refused())
        return NULL;
    return __interceptor_calloc != NULL ? __interceptor_calloc(count, size)
                                        : __libc_calloc(count, size);
}

void *realloc(void *memory, size_t size)
{
    if (is_refused())
        return NULL;
    return __interceptor_realloc != NULL ? __interceptor_realloc(memory, size)
                                         : __libc_realloc(memory, size);
}

void *reallocarray(void *memory, size_t count, size_t size)
{
    size_t bytes;

    if (__builtin_mul_overflow(count, size, &bytes)) {
        errno = ENOMEM;
        return NULL;
    }
    return realloc(memory, bytes);
}

char *strdup(const char *text)
{
    size_t size = strlen(text) + 1;
    char *copy = malloc(size);

    return copy != NULL ? memcpy(copy, text, size) : NULL;
}

/* NOLINTEND(readability-inconsistent-declaration-parameter-name) */
