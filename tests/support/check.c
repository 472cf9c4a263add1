#include "check.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { PLACES = 1 << 16 };

static char about[200];
static int failures;
/* A test case is a place at which something is checked, however often it is passed. */
static struct place {
    uint64_t key; /* 0: unused */
    bool failed;
} places[PLACES];
static int cases, failed_cases;

void check_about(const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vsnprintf(about, sizeof about, format, args);
    va_end(args);
}

/* Returns the place of a line. The hash of its name stands for it: two of some thousand places
 * share one of 64 bits never. */
static struct place *find_place(const char *file, int line)
{
    uint64_t key = 14695981039346656037u ^ (uint64_t)line;

    for (; *file != '\0'; file++)
        key = (key ^ (unsigned char)*file) * 1099511628211u;
    key |= 1;
    for (size_t i = 0; i < PLACES; i++) {
        struct place *place = &places[((key >> 32) + i) % PLACES];
        if (place->key == 0) {
            place->key = key;
            cases++;
        }
        if (place->key == key)
            return place;
    }
    printf("more than %d places are checked\n", PLACES);
    exit(1);
}

bool check_at(const char *file, int line, bool passed, const char *format, ...)
{
    struct place *place = find_place(file, line);
    va_list args;

    if (passed)
        return true;
    failures++;
    failed_cases += !place->failed;
    place->failed = true;
    printf("%s:%d: %s%s", file, line, about, about[0] != '\0' ? ": " : "");
    va_start(args, format);
    vprintf(format, args);
    va_end(args);
    printf("\n");
    fflush(stdout); /* so that a later crash does not lose it */
    return false;
}

bool check_int_at(const char *file, int line, const char *what, long long got, long long want)
{
    return check_at(file, line, got == want, "%s is %lld, expected %lld", what, got, want);
}

bool check_text_at(const char *file, int line, const char *what, const char *got, const char *want)
{
    bool equal = got == NULL || want == NULL ? got == want : strcmp(got, want) == 0;

    return check_at(file, line, equal, "%s is\n    %s\n  expected\n    %s", what,
                    got != NULL ? got : "(null)", want != NULL ? want : "(null)");
}

int64_t check_cpu_ms(void)
{
    struct timespec taken;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &taken);
    return (int64_t)taken.tv_sec * 1000 + taken.tv_nsec / 1000000;
}

int check_failures(void)
{
    return failures;
}

int check_end(const char *name)
{
    printf("%s: %d passed, %d failed\n", name, cases - failed_cases, failed_cases);
    return failures > 0 || cases == 0;
}
