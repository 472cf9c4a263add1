/*
 * Groups of processes that the kernel holds to their limits: cgroup v2, where it is mounted and
 * this process may make groups. Elsewhere boxes do without.
 */
#ifndef LUDUS_CGROUP_H
#define LUDUS_CGROUP_H

#include <limits.h>
#include <stdbool.h>
#include <sys/types.h>

#include "course_folder.h"

/* Finds the folder in which groups can be made, and turns on what they limit: beneath the group of
 * this process, which moves into one of its own, or else at the top, where root may. `mount` is
 * /sys/fs/cgroup, and `own` /proc/self/cgroup, but for tests. False: there is none. */
bool cgroup_find(const char *mount, const char *own, char base[PATH_MAX]);

/* Makes a group with the limits of memory and processes. False: it cannot be. */
bool cgroup_make(const char *base, const char *name, const struct course_limits *limits,
                 char path[PATH_MAX]);

/* Puts this process into a group; what it starts is in it, too. */
bool cgroup_enter(const char *path);

/* Whether a process of the group was ended as it had no memory. */
bool cgroup_lacked_memory(const char *path);

/* Ends all that is in the group, and removes it. */
void cgroup_remove(const char *path);

#endif
