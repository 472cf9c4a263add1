/*
 * A finished match as a row of `history`: a plain value, wherever it is read from.
 */
#ifndef LUDUS_HISTORY_H
#define LUDUS_HISTORY_H

#include <stdbool.h>
#include <time.h>

#include "lobby.h"

struct history_row {
    char id[TABLE_ID_MAX];
    const struct game *game;
    char variant[VARIANT_NAME_MAX];
    char names[2][NAME_TEXT_MAX]; /* by colour */
    struct outcome outcome;
    time_t date; /* when it was opened */
    int plies;
    double rated[2]; /* the ratings after it, by colour; 0: it was not rated */
    bool is_private;
};

/* Fills a row from a match that was started and is over. */
void history_row_of_table(struct history_row *row, const struct table *table);

#endif
