/*
 * Takes what the keeper tells the server: batches that are settled, answers to look-ups, and, from
 * a keeper that many servers share, what the others do.
 */
#ifndef LUDUS_ANSWERS_H
#define LUDUS_ANSWERS_H

#include "server.h"

/* Has everything kept by this keeper from now on, which it borrows. */
void answers_set_keeper(struct server *server, struct keeper *keeper);

#endif
