#include "history.h"

#include <stdio.h>

#include "view.h"

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

cJSON *history_row_json(const struct history_row *row)
{
    cJSON *object = cJSON_CreateObject();

    cJSON_AddStringToObject(object, "match", row->id);
    cJSON_AddStringToObject(object, "game", row->game->name);
    cJSON_AddStringToObject(object, "variant", row->variant);
    cJSON_AddStringToObject(object, "white", row->names[WHITE]);
    cJSON_AddStringToObject(object, "black", row->names[BLACK]);
    view_outcome(object, row->outcome);
    view_date(object, row->date);
    cJSON_AddNumberToObject(object, "plies", row->plies);
    view_rated(object, row->rated);
    return object;
}
