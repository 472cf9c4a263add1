#include "rate.h"

#include <string.h>

#include "log.h"

static bool can_be_rated(const struct player *player)
{
    return player != NULL && player->kind != PLAYER_GUEST;
}

static bool began_at_the_start(const struct match *match)
{
    char variant[VARIANT_NAME_MAX];
    struct position start;
    struct cause cause;

    match->game->variant_name(&match->start, variant);
    return match->game->start(variant, &start, &cause) &&
           memcmp(&start, &match->start, sizeof start) == 0;
}

bool match_is_rated(const struct table *table)
{
    const struct match *match = &table->match;
    const struct player *white = table->seats[WHITE].player, *black = table->seats[BLACK].player;

    return match->status == MATCH_OVER && match->outcome.result != RESULT_NONE &&
           match->ply_count >= RATED_PLIES_MIN && white != black && can_be_rated(white) &&
           can_be_rated(black) && began_at_the_start(match);
}

static double score_of(enum result result, enum color color)
{
    if (result == RESULT_DRAW)
        return 0.5;
    return result == result_win(color) ? 1 : 0;
}

/* Finds or makes what is to change, so that nothing can fail after the first change. */
static bool prepare(const struct table *table, struct rating_change changes[2])
{
    char variant[VARIANT_NAME_MAX];

    table->match.game->variant_name(&table->match.start, variant);
    for (int color = WHITE; color <= BLACK; color++) {
        struct rating_change *change = &changes[color];
        change->player = table->seats[color].player;
        change->rating = rating_find_or_add(&change->player->ratings, table->match.game, variant);
        if (change->rating == NULL) {
            log_line(LOG_ERROR, "event=not-rated match=%s error=\"out of memory\"",
                     table_label(table).text);
            return false;
        }
        change->glicko_before = change->rating->now;
    }
    return true;
}

bool rate_match(struct table *table, struct rating_change changes[2])
{
    if (table->rated[WHITE] > 0 || !match_is_rated(table) || !prepare(table, changes))
        return false;
    for (int color = WHITE; color <= BLACK; color++) {
        struct rating *rating = changes[color].rating;
        struct glicko_result result = {changes[!color].glicko_before,
                                       score_of(table->match.outcome.result, color)};
        rating->now = glicko_update(rating->now, &result, 1);
        rating->matches++;
        table->rated[color] = rating->now.rating;
    }
    return true;
}

void rate_undo(const struct rating_change *change)
{
    change->rating->now = change->glicko_before;
    change->rating->matches--;
}
