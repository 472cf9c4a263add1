/* Waits for engines and for other descriptors. */
#ifndef LUDUS_ENGINE_POLL_SET_H
#define LUDUS_ENGINE_POLL_SET_H

#include <poll.h>

#include "process.h"

/* The polled descriptors. A zeroed set is empty. */
struct poll_set {
    struct pollfd *entries; /* owned; with room for `size` */
    int size;
};

/* Waits until one of `count` descriptors (-1: ignored) or an engine is readable, until due_ms
 * (INT64_MAX: no limit), or for a minute. Sets ready[] for each descriptor, and `ready` of each
 * engine. */
void poll_set_wait(struct poll_set *set, struct process_list *engines, const int fds[],
                   bool ready[], int count, int64_t due_ms);

void poll_set_release(struct poll_set *set);

/* Carries on ending the engines that were let go. */
void processes_reap(struct process_list *engines, int64_t now_ms, const struct log *log);

/* When the next leaving engine must be killed; INT64_MAX: none. */
int64_t processes_due_ms(const struct process_list *engines);

/* Milliseconds of the monotonic clock, for all times here. */
int64_t process_clock_ms(void);

#endif
