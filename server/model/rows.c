#include "rows.h"

#include <stdio.h>
#include <string.h>

static bool is_game(const struct row_filter *filter, const struct match *match)
{
    char variant[VARIANT_NAME_MAX];

    if (filter->game[0] != '\0' && strcmp(match->game->name, filter->game) != 0)
        return false;
    if (filter->variant[0] == '\0')
        return true;
    match->game->variant_name(&match->start, variant);
    return strcmp(variant, filter->variant) == 0;
}

static bool is_bots(const struct seat *seat)
{
    return seat->player != NULL && seat->player->bot;
}

bool filter_takes_match(const struct row_filter *filter, const struct table *table)
{
    bool bots = is_bots(&table->seats[WHITE]) || is_bots(&table->seats[BLACK]);
    enum match_status wanted = filter->status == ONLY_OPEN ? MATCH_OPEN : MATCH_PLAYING;

    return !table->is_private && (filter->status == ANY_STATUS || table->match.status == wanted) &&
           (filter->bots == ANYBODY || bots == (filter->bots == ONLY_BOTS)) &&
           is_game(filter, &table->match);
}

bool filter_takes_player(const struct row_filter *filter, const struct player *player)
{
    return (filter->bots == ANYBODY || player->bot == (filter->bots == ONLY_BOTS)) &&
           (filter->playing == ANY_PLAYERS ||
            (player->playing > 0) == (filter->playing == ONLY_BUSY));
}

bool filter_takes_history(const struct row_filter *filter, const struct seat *seat)
{
    const struct player *other = seat->table->seats[!seat->color].player;

    return (filter->against == 0 || (other != NULL && other->id == filter->against)) &&
           is_game(filter, &seat->table->match);
}

bool opener_is_away(const struct table *table)
{
    return table->match.status == MATCH_OPEN && table->creator != NULL && !table->creator->here;
}

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
                             .casual = table->casual,
                             .broken = table->broken != NULL,
                             .away = opener_is_away(table)};
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
