#include "load_samples.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

void samples_add(struct samples *samples, int64_t ns)
{
    if (samples->count == samples->room) {
        size_t room = samples->room > 0 ? samples->room * 2 : 65536;
        int64_t *taken_ns = realloc(samples->taken_ns, room * sizeof *taken_ns);
        if (taken_ns == NULL) {
            fprintf(stderr, "load: out of memory\n");
            exit(EXIT_FAILURE);
        }
        samples->taken_ns = taken_ns;
        samples->room = room;
    }
    samples->taken_ns[samples->count++] = ns;
}

static int compare(const void *a, const void *b)
{
    const int64_t *x = a, *y = b;

    return (*x > *y) - (*x < *y);
}

void samples_sort(struct samples *samples)
{
    if (samples->count > 0)
        qsort(samples->taken_ns, samples->count, sizeof samples->taken_ns[0], compare);
}

double samples_us(const struct samples *samples, double share)
{
    if (samples->count == 0)
        return 0;
    size_t rank = (size_t)ceil(share * (double)samples->count);
    return (double)samples->taken_ns[rank > 0 ? rank - 1 : 0] / 1e3;
}

void samples_release(struct samples *samples)
{
    free(samples->taken_ns);
    *samples = (struct samples){0};
}

static int64_t read_clock(clockid_t clock)
{
    struct timespec now;

    clock_gettime(clock, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

int64_t clock_ns(void)
{
    return read_clock(CLOCK_MONOTONIC);
}

int64_t own_cpu_ns(void)
{
    return read_clock(CLOCK_PROCESS_CPUTIME_ID);
}

bool process_cpu_ns(long pid, int64_t *cpu_ns)
{
    char path[64], text[1024];
    unsigned long user_ticks, system_ticks;

    snprintf(path, sizeof path, "/proc/%ld/stat", pid);
    FILE *file = fopen(path, "r");
    if (file == NULL)
        return false;
    size_t length = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[length] = '\0';
    /* The name of the program, in parentheses, may hold anything; utime and stime are the 12th and
     * 13th field after it. */
    const char *name_end = strrchr(text, ')');
    if (name_end == NULL ||
        sscanf(name_end + 1, " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &user_ticks,
               &system_ticks) != 2)
        return false;
    *cpu_ns = (int64_t)(user_ticks + system_ticks) * (1000000000 / sysconf(_SC_CLK_TCK));
    return true;
}
