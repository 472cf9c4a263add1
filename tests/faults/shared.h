/* A mapped file, shared by a library for LD_PRELOAD and the test that controls it.
 */
#ifndef LUDUS_FAULTS_SHARED_H
#define LUDUS_FAULTS_SHARED_H

#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/* Maps the first `size` bytes of the file named by the environment variable, until the process
 * ends. Returns NULL when it is not set. */
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
