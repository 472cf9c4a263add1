/*
 * Harness of the test programs in C: prints the checks that fail, and counts test cases. A test
 * case is a line of a source or of a data file that checks something. A loop that passes it a
 * thousand times makes one case, which fails if one of the checks does. tests/test.sh reads the
 * last line.
 */
#ifndef LUDUS_CHECK_H
#define LUDUS_CHECK_H

#include <stdbool.h>
#include <stdint.h>

/* Names the subject of the following checks, such as the title of a row of data. Each failure shows
 * it. */
void check_about(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Checks once, and returns `passed`. A failure prints FILE:LINE, the subject and the formatted
 * text. The file may be a data file. */
bool check_at(const char *file, int line, bool passed, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

bool check_int_at(const char *file, int line, const char *what, long long got, long long want);
/* Either text may be NULL, which equals only NULL. */
bool check_text_at(const char *file, int line, const char *what, const char *got, const char *want);

#define CHECK(condition)           check_at(__FILE__, __LINE__, (condition), "%s", #condition)
#define CHECK_THAT(condition, ...) check_at(__FILE__, __LINE__, (condition), __VA_ARGS__)
#define CHECK_INT(got, want)       check_int_at(__FILE__, __LINE__, #got, got, want)
#define CHECK_TEXT(got, want)      check_text_at(__FILE__, __LINE__, #got, got, want)

/* The number of rows of a table. */
#define LENGTH(array) (sizeof(array) / sizeof(array)[0])

/* Returns the time of a processor that this program has taken, in ms: what bounds work on a busy
 * machine, too. */
int64_t check_cpu_ms(void);

/* Returns how many checks have failed so far. */
int check_failures(void);

/* Prints "NAME: N passed, N failed", the numbers of test cases, and returns the exit status: 0, or
 * 1 when a check failed or none ran. */
int check_end(const char *name);

#endif
