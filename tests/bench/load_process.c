#include "load_process.h"

#include <stdio.h>
#include <sys/resource.h>
#include <time.h>

enum { OTHER_DESCRIPTORS = 16 };

static int64_t read_clock(clockid_t clock)
{
    struct timespec now;

    clock_gettime(clock, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

int64_t own_cpu_ns(void)
{
    return read_clock(CLOCK_PROCESS_CPUTIME_ID);
}

bool process_cpu_ns(long pid, int64_t *cpu_ns)
{
    clockid_t clock;

    /* Exact, unlike /proc/PID/stat, which counts ticks of 10 ms. Process 0 would be this one. */
    if (pid <= 0 || pid > PROCESS_MAX || clock_getcpuclockid((pid_t)pid, &clock) != 0)
        return false;
    *cpu_ns = read_clock(clock);
    return true;
}

bool process_resident_bytes(long pid, int64_t *bytes)
{
    char path[64], line[256];
    long long kib = -1;

    /* Exact, unlike /proc/PID/status, which may lag by some pages. */
    snprintf(path, sizeof path, "/proc/%ld/smaps_rollup", pid);
    FILE *file = fopen(path, "r");
    if (file == NULL)
        return false;
    while (kib < 0 && fgets(line, sizeof line, file) != NULL)
        if (sscanf(line, "Rss: %lld", &kib) != 1)
            kib = -1;
    fclose(file);
    *bytes = kib * 1024;
    return kib >= 0;
}

bool descriptors_reserve(long connections, struct cause *cause)
{
    struct rlimit limit;
    rlim_t needed = (rlim_t)connections + OTHER_DESCRIPTORS;

    if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
        return true; /* a later call then reports what is missing */
    limit.rlim_cur = limit.rlim_max;
    (void)setrlimit(RLIMIT_NOFILE, &limit);
    if (limit.rlim_max >= needed)
        return true;
    return cause_set(cause, "%ld connections need %lu descriptors, and the hard limit is %lu: %s",
                     connections, (unsigned long)needed, (unsigned long)limit.rlim_max,
                     "raise it with ulimit -Hn");
}
