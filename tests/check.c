#include "check.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static char about[200];
static int passes, failures;

void check_about(const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vsnprintf(about, sizeof about, format, args);
    va_end(args);
}

bool check_at(const char *file, int line, bool passed, const char *format, ...)
{
    va_list args;

    if (passed) {
        passes++;
        return true;
    }
    failures++;
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
    printf("%s: %d passed, %d failed\n", name, passes, failures);
    return failures > 0 || passes == 0;
}
