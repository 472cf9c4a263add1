/* What a library that stands in for others shares with the test that steers it: a file in memory.
 */
#ifndef LUDUS_FAULTS_SHARED_H
#define LUDUS_FAULTS_SHARED_H

#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/* The first `size` bytes of the file that the variable of the environment names, for as long as the
 * process lives; NULL when it names none. */
static inline void *shared_map(const char *variable, size_t size)
{
    const char *path = getenv(variable);
    int file = path != NULL ? open(path, O_RDWR | O_CLOEXEC) : -1;

    if (file < 0)
        return NULL;
    void *mapped = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    if (mapped == MAP_FAILED)
        return NULL;
    return mapped;
}

#endif
