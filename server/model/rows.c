#include "rows.h"

#include <stdio.h>

void list_row_of_table(struct list_row *row, const struct table *table)
{
    const struct match *match = &table->match;

    *row = (struct list_row){.game = match->game,
                             .status = match->status,
                             .plies = match->ply_count,
                             .watchers = table->watcher_count,
                             .base_ms = match->clock.base_ms,
                             .increment_ms = match->clock.increment_ms,
                             .code = table->code[0] != '\0' && match->status == MATCH_OPEN,
                             .casual = table->casual};
    snprintf(row->id, sizeof row->id, "%s", table->id);
    match->game->variant_name(&match->start, row->variant);
    for (int color = WHITE; color <= BLACK; color++)
        if (table->seats[color].player != NULL)
            snprintf(row->names[color], NAME_TEXT_MAX, "%s", table->seats[color].player->name);
}

void who_row_of_player(struct who_row *row, const struct player *player)
{
    const struct rating *rating = rating_main(&player->ratings);

    *row = (struct who_row){.bot = player->bot, .playing = player->playing};
    snprintf(row->name, sizeof row->name, "%s", player->name);
    if (rating == NULL)
        return;
    row->game = rating->game;
    row->rating = rating->now.rating;
    snprintf(row->variant, sizeof row->variant, "%s", rating->variant);
}

void history_row_of_table(struct history_row *row, const struct table *table)
{
    const struct match *match = &table->match;

    *row = (struct history_row){.game = match->game,
                                .outcome = match->outcome,
                                .date = table->date,
                                .plies = match->ply_count,
                                .casual = table->casual,
                                .rated = {table->rated[WHITE], table->rated[BLACK]}};
    snprintf(row->id, sizeof row->id, "%s", table->id);
    match->game->variant_name(&match->start, row->variant);
    for (int color = WHITE; color <= BLACK; color++)
        snprintf(row->names[color], NAME_TEXT_MAX, "%s", table->seats[color].player->name);
}
