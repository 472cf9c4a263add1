/* Keeps nothing: matches and players end with the server, and memory has all there are. */
#include <stdio.h>

#include "keeper.h"

static void keep(struct keeper *keeper, struct batch *batch)
{
    keeper->settled(keeper->context, batch); /* unit_new() has set KEPT */
}

static bool load(struct keeper *keeper, struct players *players, struct lobby *lobby,
                 int64_t now_ms, struct cause *cause)
{
    (void)keeper, (void)players, (void)lobby, (void)now_ms, (void)cause;
    return true;
}

/* Whether a seat is a row of its player's history: of a match that was played and is over, counted
 * once for both seats. Only its players see a private match. */
static bool is_history(const struct seat *seat, const struct player *asker)
{
    const struct table *table = seat->table;

    if (table->match.status != MATCH_OVER || !table->started)
        return false;
    if (seat->color == BLACK && table->seats[WHITE].player == seat->player)
        return false;
    return !table->is_private || table_seats_of(table, asker) != SEATS_NONE;
}

static struct history_row history_row(const struct table *table)
{
    const struct match *match = &table->match;
    struct history_row row = {.game = match->game,
                              .outcome = match->outcome,
                              .date = table->date,
                              .plies = match->ply_count,
                              .rated = {table->rated[WHITE], table->rated[BLACK]}};

    snprintf(row.id, sizeof row.id, "%s", table->id);
    match->game->variant_name(&match->start, row.variant);
    for (int color = WHITE; color <= BLACK; color++)
        snprintf(row.names[color], NAME_TEXT_MAX, "%s", table->seats[color].player->name);
    return row;
}

static int history(struct keeper *keeper, const struct player *player, const struct player *asker,
                   struct history_row *rows, int rows_max, int *total, struct cause *cause)
{
    const struct seat *seat;

    (void)keeper, (void)cause;
    *total = 0;
    TAILQ_FOREACH_REVERSE (seat, &player->seats, seat_list, link)
        if (is_history(seat, asker) && (*total)++ < rows_max)
            rows[*total - 1] = history_row(seat->table);
    return *total < rows_max ? *total : rows_max;
}

static const char *error(const struct keeper *keeper)
{
    (void)keeper;
    return "";
}

static void close_keeper(struct keeper *keeper)
{
    (void)keeper;
}

struct keeper keeper_none(void)
{
    static const struct keeper_kind kind = {.at_once = true,
                                            .keep = keep,
                                            .load = load,
                                            .history = history,
                                            .error = error,
                                            .close = close_keeper};

    return (struct keeper){.kind = &kind};
}
