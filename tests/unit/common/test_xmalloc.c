/* Allocations that end the program: the message and the exit status. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "common/xmalloc.h"
#include "server/base/log.h"

/* The allocator of AddressSanitizer aborts by itself without this. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "allocator_may_return_null=1:detect_leaks=0";
}

/* Hidden from the compiler, which would warn. */
static volatile size_t too_much = PTRDIFF_MAX;

static void exhaust_malloc(void)
{
    free(xmalloc(too_much));
}

static void exhaust_calloc(void)
{
    free(xcalloc(too_much, 1));
}

static void exhaust_calloc_by_overflow(void)
{
    free(xcalloc(too_much, 8));
}

static void exhaust_realloc(void)
{
    static void *block; /* no leak when the program ends */

    block = xmalloc(8);
    free(xrealloc(block, too_much));
}

static void exhaust_reallocarray_by_overflow(void)
{
    free(xreallocarray(NULL, too_much / 4 + 2, 8)); /* 8 modulo 2^64 */
}

static void exhaust_in_exit_handler(void)
{
    atexit(exhaust_malloc);
    exhaust_malloc();
}

static void exhaust_with_log(void)
{
    xmalloc_set_report(log_out_of_memory);
    exhaust_malloc();
}

/* Copies the last line of a text that is not a warning of AddressSanitizer. */
static void copy_last_line(char *text, char *line, size_t size)
{
    line[0] = '\0';
    for (char *next = strtok_r(text, "\n", &text); next != NULL; next = strtok_r(NULL, "\n", &text))
        if (next[0] != '=')
            snprintf(line, size, "%.150s", next);
}

/* Runs a function in a child process. Fills in the last line that it wrote to standard error, and
 * returns its exit status. */
static int run_child(void (*run)(void), char *line, size_t size)
{
    char text[4096];
    size_t used = 0;
    ssize_t got;
    int pipe_ends[2], status = -1;

    if (!CHECK(pipe(pipe_ends) == 0))
        return -1;
    pid_t child = fork();
    if (child == 0) {
        dup2(pipe_ends[1], STDERR_FILENO);
        run();
        _exit(0);
    }
    close(pipe_ends[1]);
    while ((got = read(pipe_ends[0], text + used, sizeof text - 1 - used)) > 0)
        used += (size_t)got;
    close(pipe_ends[0]);
    text[used] = '\0';
    copy_last_line(text, line, size);
    CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status));
    return WEXITSTATUS(status);
}

static void test_exhaustion(void)
{
    static const struct {
        const char *title;
        void (*run)(void);
    } rows[] = {
        {"xmalloc", exhaust_malloc},
        {"xcalloc", exhaust_calloc},
        {"xcalloc, overflow", exhaust_calloc_by_overflow},
        {"xrealloc", exhaust_realloc},
        {"xreallocarray, overflow", exhaust_reallocarray_by_overflow},
        {"again while exiting", exhaust_in_exit_handler},
    };
    char line[200];

    for (size_t i = 0; i < LENGTH(rows); i++) {
        check_about("%s", rows[i].title);
        CHECK_INT(run_child(rows[i].run, line, sizeof line), 1);
        CHECK_TEXT(line, "test_xmalloc: out of memory");
    }
}

static void test_log(void)
{
    char line[200];

    check_about("the server's log");
    CHECK_INT(run_child(exhaust_with_log, line, sizeof line), 1);
    CHECK_THAT(strncmp(line, "time=20", 7) == 0, "%s", line);
    CHECK_TEXT(strchr(line, ' '), " level=error event=out-of-memory");
}

static void test_memory(void)
{
    check_about("sizes");
    char *text = xstrdup("abc");
    CHECK_TEXT(text, "abc");
    text = xreallocarray(text, 1000, 4);
    CHECK_TEXT(text, "abc");
    text = xrealloc(text, 0);
    CHECK(text != NULL);
    free(text);
    int *numbers = xcalloc(100, sizeof *numbers);
    for (int i = 0; i < 100; i++)
        CHECK_INT(numbers[i], 0);
    free(numbers);
    char *nothing = xmalloc(0);
    CHECK(nothing != NULL);
    free(nothing);
}

int main(void)
{
    test_memory();
    test_exhaustion();
    test_log();
    return check_end("test_xmalloc");
}
