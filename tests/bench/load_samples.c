#include "load_samples.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

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

int64_t clock_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}
