#include "xmalloc.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void report_to_standard_error(void)
{
    fprintf(stderr, "%s: out of memory\n", program_invocation_short_name);
}

static void (*report_exhaustion)(void) = report_to_standard_error;

void xmalloc_set_report(void (*report)(void))
{
    report_exhaustion = report;
}

/* Exit handlers run, so that a terminal is restored. One that allocates must not call exit() again.
 */
static _Noreturn void end_program(void)
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
        end_program();
    return memory;
}

/* The C library may return NULL for size 0. */
static size_t at_least_one(size_t size)
{
    return size > 0 ? size : 1;
}

void *xmalloc(size_t size)
{
    return or_end(malloc(at_least_one(size)));
}

void *xcalloc(size_t count, size_t size)
{
    return or_end(calloc(at_least_one(count), at_least_one(size)));
}

void *xrealloc(void *old, size_t size)
{
    return or_end(realloc(old, at_least_one(size)));
}

void *xreallocarray(void *old, size_t count, size_t size)
{
    if (size > 0 && count > SIZE_MAX / size)
        end_program();
    return xrealloc(old, count * size);
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
