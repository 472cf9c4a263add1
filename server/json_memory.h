/*
 * Memory for messages. cJSON leaves out of a message what it has no memory for, and tells nobody.
 * So it takes its memory from here: there is a reserve that small messages always fit into, such
 * as the news of a move, and where even that does not do it is noted. encode() sends nothing that
 * is not whole.
 */
#ifndef LUDUS_JSON_MEMORY_H
#define LUDUS_JSON_MEMORY_H

#include <stdbool.h>

enum { JSON_RESERVE_BYTES = 65536 };

/* From now on cJSON takes its memory from here. What it gives is freed by cJSON_free() only. */
void json_memory_watch(void);

/* A message is begun: what was missing before was missing in others. */
void json_memory_begin(void);

/* Whether memory ran out since then. */
bool json_memory_failed(void);

#endif
