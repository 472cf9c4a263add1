/*
 * What another program of the same user can ask of a running server: the socket `control` in the
 * directory of its store. One line in, one line out:
 *
 *     backup      ok, once a copy of the store lies in the directory (keep/backup.h), or error WHY
 */
#ifndef LUDUS_CONTROL_H
#define LUDUS_CONTROL_H

#include <stdbool.h>

#include "common/text.h"

struct control;
struct event_base;
struct store;

/* Listens. The store and its directory are borrowed. NULL with the cause. */
struct control *control_open(struct event_base *base, struct store *store, const char *folder,
                             struct cause *cause);

/* Ends it; a backup that goes on is given up. NULL is allowed. */
void control_close(struct control *control);

/* Asks the server that uses the store in a directory for a backup, and waits for it. Returns a
 * descriptor, which the caller closes once they have taken the copy: until then no other is made,
 * and then it goes. -1 on failure; *found tells whether there is such a server, and if there is,
 * *cause says why. */
int control_ask_backup(const char *folder, bool *found, struct cause *cause);

#endif
