/* Lists of matches and people, and `lobby`, whose members are those of a row of `list`. */
#ifndef LUDUS_WIRE_LIST_H
#define LUDUS_WIRE_LIST_H

#include "server/model/history.h"
#include "server/model/lobby.h"
#include "wire.h"

/* Shows `count` matches of `total` that there are. */
void wire_list(const struct wire *wire, const struct table *const tables[], int count, int total);

/* News for those who watch the lobby: a match was "opened", "started" or is "over". */
void wire_lobby(const struct wire *wire, const char *what, const struct table *table);

void wire_who(const struct wire *wire, const struct player *const players[], int count, int total);

struct top_row {
    int rank; /* among those of its game and variant, from 1 */
    const struct player *player;
    const struct rating *rating;
};
void wire_top(const struct wire *wire, const struct top_row rows[], int count);

/* The finished matches of the player `name`. */
void wire_history(const struct wire *wire, const char *name, const struct history_row rows[],
                  int count, int total);

#endif
