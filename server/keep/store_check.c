/* What neither the schema of the store nor the rules of the games tell: whether what is read makes
 * sense. A store that was changed by hand may hold anything. */
#include <inttypes.h>
#include <string.h>

#include "store.h"

/* The last second of the year 9999, as far as dates have one form. */
static const int64_t date_max_s = INT64_C(253402300799);

bool store_counts_on(int64_t number, struct cause *cause)
{
    return number <= INT64_MAX / 2 ||
           cause_set(cause, "number %" PRId64 ": too high to continue from", number);
}

bool store_is_date(int64_t date_s)
{
    return date_s >= 0 && date_s <= date_max_s;
}

bool store_is_player(const char *name, int64_t id, int64_t seen_s, struct cause *cause)
{
    return store_counts_on(id, cause) &&
           (store_is_date(seen_s) || cause_set(cause, "%.32s: invalid last-seen time", name));
}

static bool clock_is_sound(const struct clock *clock)
{
    const int64_t left_max_ms = TIME_BASE_MAX_MS + (PLIES_MAX + 1) * (int64_t)TIME_INCREMENT_MAX_MS;

    return clock->base_ms <= TIME_BASE_MAX_MS && clock->increment_ms <= TIME_INCREMENT_MAX_MS &&
           clock->left_ms[WHITE] <= left_max_ms && clock->left_ms[BLACK] <= left_max_ms;
}

bool store_is_sound(const struct stored_match *stored, struct cause *cause)
{
    for (int color = WHITE; color <= BLACK; color++) {
        if (stored->joined[color] && stored->people[color].id == 0)
            return cause_set(cause, "the player of %s is missing", color_name(color));
        if (stored->started && !stored->joined[color])
            return cause_set(cause, "it has moves but an empty seat");
    }
    if (!store_is_date(stored->date) || !store_is_date(stored->changed_s))
        return cause_set(cause, "invalid date");
    if (!store_counts_on(stored->number, cause) || !store_counts_on(stored->ended, cause))
        return false;
    return clock_is_sound(&stored->match.clock) ||
           cause_set(cause, "invalid clock: more time than the limit");
}

void store_check_players(struct store *store, void (*tell)(void *context, const char *finding),
                         void *context)
{
    struct query *query = database_query(store->database, "SELECT name, id, seen_s FROM player");
    struct cause cause;

    while (query != NULL && query_next(query))
        if (!store_is_player(query_text(query, 0), query_integer(query, 1), query_integer(query, 2),
                             &cause))
            tell(context, cause.text);
    if (!store_finish(store, query, &cause))
        tell(context, cause.text);
}

void store_check_ratings(struct store *store, void (*tell)(void *context, const char *finding),
                         void *context)
{
    struct query *query =
        database_query(store->database, "SELECT name, game, variant, rating, deviation, volatility"
                                        " FROM rating JOIN player ON player.id = rating.player");
    struct cause cause;

    while (query != NULL && query_next(query)) {
        const char *game = query_text(query, 1);
        const struct glicko glicko = {query_real(query, 3), query_real(query, 4),
                                      query_real(query, 5)};
        bool known = game_find(game, strlen(game)) != NULL;
        if (known && glicko_in_range(&glicko))
            continue;
        cause_set(&cause, "the rating of %.32s in %.32s:%.16s is %s", query_text(query, 0), game,
                  query_text(query, 2), known ? "out of range" : "of no game");
        tell(context, cause.text);
    }
    if (!store_finish(store, query, &cause))
        tell(context, cause.text);
}
