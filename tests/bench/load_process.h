/* What a process uses: processor time, memory, descriptors. */
#ifndef LUDUS_LOAD_PROCESS_H
#define LUDUS_LOAD_PROCESS_H

#include <stdbool.h>
#include <stdint.h>

#include "common/cause.h"

enum { PROCESS_MAX = 1 << 22 }; /* no number of a process is larger */

/* User and system time of this process. */
int64_t own_cpu_ns(void);

/* The same of another, its threads included. False when there is no such process. */
bool process_cpu_ns(long pid, int64_t *cpu_ns);

/* The memory of a process that is resident. What the system keeps for its sockets is not in it.
 * False when there is no such process. */
bool process_resident_bytes(long pid, int64_t *bytes);

/* Makes room for so many connections beside what a program needs anyway, by raising the soft limit
 * of descriptors to the hard one. False with the cause when that is too low. */
bool descriptors_reserve(long connections, struct cause *cause);

#endif
