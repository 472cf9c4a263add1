#include "xmalloc.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void xmalloc_report(void)
{
    fprintf(stderr, "%s: out of memory\n", program_invocation_short_name);
}

static void (*report_exhaustion)(void) = xmalloc_report;

void xmalloc_set_report(void (*report)(void))
{
    report_exhaustion = report;
}

/* Exit handlers run, so that a terminal is restored. One that allocates must not call exit() again.
 */
_Noreturn void xmalloc_end(void)
{
    static bool ending;

    if (ending)
        _Exit(EXIT_FAILURE);
    ending = true;
    report_exhaustion();
    exit(EXIT_FAILURE);
}

static void *or_end(void *memory)
{
    if (memory == NULL)
        xmalloc_end();
    return memory;
}

enum { SMALL = 1024 }; /* bytes */

/* The C library may return NULL for size 0. */
static size_t at_least_one(size_t size)
{
    return size > 0 ? size : 1;
}

void *xmalloc(size_t size)
{
    return or_end(malloc(at_least_one(size)));
}

/* Small blocks are malloc()'s: it has freed ones at hand, which calloc() of glibc 2.36 passes by.
 */
void *xcalloc(size_t count, size_t size)
{
    if (size > 0 && size <= SMALL && count <= SMALL / size)
        return memset(xmalloc(count * size), 0, count * size);
    return or_end(calloc(at_least_one(count), at_least_one(size)));
}

void *xrealloc(void *old, size_t size)
{
    return or_end(realloc(old, at_least_one(size)));
}

void *xreallocarray(void *old, size_t count, size_t size)
{
    if (size > 0 && count > SIZE_MAX / size)
        xmalloc_end();
    return xrealloc(old, count * size);
}

void *xmalloc_at(size_t size, const char *file, int line)
{
    (void)file, (void)line;
    return xmalloc(size);
}

void *xrealloc_at(void *old, size_t size, const char *file, int line)
{
    (void)file, (void)line;
    if (size > 0)
        return xrealloc(old, size);
    free(old);
    return NULL;
}

void xfree_at(void *memory, const char *file, int line)
{
    (void)file, (void)line;
    free(memory);
}

char *xstrdup(const char *text)
{
    size_t bytes = strlen(text) + 1;

    return memcpy(xmalloc(bytes), text, bytes);
}

char *xstrndup(const char *text, size_t bytes)
{
    return or_end(strndup(text, bytes));
}
