/* Waiting for engines, and for a few descriptors more. */
#ifndef LUDUS_ENGINE_POLL_SET_H
#define LUDUS_ENGINE_POLL_SET_H

#include <poll.h>

#include "process.h"

/* What is polled. A zeroed set is empty. */
struct poll_set {
    struct pollfd *entries; /* owned; with room for `size` */
    int size;
};

/* Waits until one of the `count` descriptors (-1 is passed over) or of the engines has something
 * to read, at most to the time due_ms (INT64_MAX: no limit), or a minute. Notes in ready[] which
 * descriptors do, and in each engine whether it does. */
void poll_set_wait(struct poll_set *set, struct process_list *engines, const int fds[],
                   bool ready[], int count, int64_t due_ms);

void poll_set_release(struct poll_set *set);

/* Goes on with the end of the engines that nobody talks with. */
void processes_reap(struct process_list *engines, int64_t now_ms, const struct log *log);

/* When the next engine that is leaving is to be killed; INT64_MAX: none is. */
int64_t processes_due_ms(const struct process_list *engines);

/* Milliseconds of the monotonic clock, which all times here are of. */
int64_t process_clock_ms(void);

#endif
