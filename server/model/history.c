#include "history.h"

#include <stdio.h>

void history_row_of_table(struct history_row *row, const struct table *table)
{
    const struct match *match = &table->match;

    *row = (struct history_row){.game = match->game,
                                .outcome = match->outcome,
                                .date = table->date,
                                .plies = match->ply_count,
                                .rated = {table->rated[WHITE], table->rated[BLACK]},
                                .is_private = table->is_private};
    snprintf(row->id, sizeof row->id, "%s", table->id);
    match->game->variant_name(&match->start, row->variant);
    for (int color = WHITE; color <= BLACK; color++)
        snprintf(row->names[color], NAME_TEXT_MAX, "%s", table->seats[color].player->name);
}
