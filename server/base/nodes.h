/* The servers that share a lobby, as this one knows them. */
#ifndef LUDUS_NODES_H
#define LUDUS_NODES_H

#include <stdbool.h>

enum {
    NODES_MAX = 32,
    NODE_ID_MAX = 999,
    NODE_ADDRESS_MAX = 128 /* bytes with the final NUL */
};

struct node {
    int id;                         /* from 1 */
    char address[NODE_ADDRESS_MAX]; /* ADDR:PORT, where clients reach it */
};

struct nodes {
    int own; /* the id of this server; 0: it shares its lobby with nobody */
    int count;
    struct node list[NODES_MAX]; /* those that are alive, with this one, by id */
};

/* Whether a server is one of them. */
static inline bool nodes_have(const struct nodes *nodes, int id)
{
    for (int i = 0; i < nodes->count; i++)
        if (nodes->list[i].id == id)
            return true;
    return false;
}

#endif
