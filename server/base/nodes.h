/* The servers that share a lobby, as this one knows them, and how they number what they open. */
#ifndef LUDUS_NODES_H
#define LUDUS_NODES_H

#include <stdbool.h>
#include <stdint.h>

enum {
    NODES_MAX = 32,
    NODE_ID_MAX = 999,
    NODE_SILENT_MS =
        1500, /* a server that is silent for longer may have lost its way to the keeper */
    NODE_ADDRESS_MAX = 128 /* bytes with the final NUL */
};

struct node {
    int id;                         /* from 1 */
    char address[NODE_ADDRESS_MAX]; /* ADDR:PORT, where clients reach it */
    int64_t silent_ms;              /* how long it has kept nothing */
};

struct nodes {
    int own; /* the id of this server; 0: it shares its lobby with nobody */
    int count;
    struct node list[NODES_MAX]; /* those that are alive, with this one, by id */
};

/* Returns whether a server is one of them. */
static inline bool nodes_have(const struct nodes *nodes, int id)
{
    for (int i = 0; i < nodes->count; i++)
        if (nodes->list[i].id == id)
            return true;
    return false;
}

/* For how long a server has kept nothing; 0 if it is none of them. */
static inline int64_t nodes_silence_ms(const struct nodes *nodes, int id)
{
    for (int i = 0; i < nodes->count; i++)
        if (nodes->list[i].id == id)
            return nodes->list[i].silent_ms;
    return 0;
}

/* Numbers that are counted up. Servers that share a lobby count in blocks of their own, and get the
 * next block before one is used up. */
struct numbers {
    int64_t end;              /* the last one of the block; 0: there is no end */
    int64_t spare, spare_end; /* the next block: from after `spare`; 0: there is none */
};

/* Returns whether there is another number after `last`. */
static inline bool numbers_left(const struct numbers *numbers, int64_t last)
{
    return numbers->end == 0 || last < numbers->end || numbers->spare_end > 0;
}

/* Returns the next number after `last`; there must be one. */
static inline int64_t numbers_next(struct numbers *numbers, int64_t last)
{
    if (numbers->end == 0 || last < numbers->end)
        return last + 1;
    last = numbers->spare;
    numbers->end = numbers->spare_end;
    numbers->spare_end = 0;
    return last + 1;
}

#endif
