/* The resources of a process: processor time, memory, descriptors. */
#ifndef LUDUS_LOAD_PROCESS_H
#define LUDUS_LOAD_PROCESS_H

#include <stdbool.h>
#include <stdint.h>

#include "common/text.h"

enum { PROCESS_MAX = 1 << 22 }; /* the largest process id */

/* Returns the user and system time of this process. */
int64_t own_cpu_ns(void);

/* Reads the user and system time of another process with its threads. Returns false when there is
 * no such process. */
bool process_cpu_ns(long pid, int64_t *cpu_ns);

/* Reads the resident memory of a process, without the kernel's socket buffers. Returns false when
 * there is no such process. */
bool process_resident_bytes(long pid, int64_t *bytes);

/* Raises the soft limit on descriptors to the hard one. Returns false with the cause when that
 * leaves no room for the connections. */
bool descriptors_reserve(long connections, struct cause *cause);

#endif
