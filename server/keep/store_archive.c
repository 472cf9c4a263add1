/* A store as an archive. */
#include <string.h>

#include "store.h"

static bool visit_matches(void *source, match_visit *visit, void *context, struct cause *cause)
{
    return store_visit(source, "ORDER BY m.number", SQL_NULL, visit, context, cause);
}

static bool visit_players(void *source, text_visit *visit, void *context, struct cause *cause)
{
    struct store *store = source;
    struct query *query = database_query(
        store->database,
        "SELECT json_object('name', name, 'bot', json(iif(bot, 'true', 'false')), 'ratings',"
        " (SELECT json_group_array(json_object('game', game, 'variant', variant, 'rating', rating,"
        " 'deviation', deviation, 'volatility', volatility, 'matches', matches))"
        " FROM rating WHERE player = player.id)) FROM player WHERE kind <> 'guest' ORDER BY id");

    while (query_next(query))
        visit(context, query_text(query, 0));
    return store_finish(store, query, cause);
}

static void check_players(struct store *store, text_visit *tell, void *findings)
{
    struct query *query = database_query(store->database, "SELECT name, id, seen_s FROM player");
    struct cause cause;

    while (query_next(query))
        if (!store_is_player(query_text(query, 0), query_integer(query, 1), query_integer(query, 2),
                             &cause))
            tell(findings, cause.text);
    if (!store_finish(store, query, &cause))
        tell(findings, cause.text);
}

static void check_ratings(struct store *store, text_visit *tell, void *findings)
{
    struct query *query =
        database_query(store->database, "SELECT name, game, variant, rating, deviation, volatility"
                                        " FROM rating JOIN player ON player.id = rating.player");
    struct cause cause;

    while (query_next(query)) {
        const char *game = query_text(query, 1);
        const struct glicko glicko = {query_real(query, 3), query_real(query, 4),
                                      query_real(query, 5)};
        bool known = game_find(game, strlen(game)) != NULL;
        if (known && glicko_in_range(&glicko))
            continue;
        cause_set(&cause, "the rating of %.32s in %.32s:%.16s: %s", query_text(query, 0), game,
                  query_text(query, 2), known ? "out of range" : "unknown game");
        tell(findings, cause.text);
    }
    if (!store_finish(store, query, &cause))
        tell(findings, cause.text);
}

static void verify(void *source, text_visit *visit, void *context)
{
    struct store *store = source;

    database_verify(store->database, visit, context);
    check_players(store, visit, context);
    check_ratings(store, visit, context);
    store_check_retired(store, visit, context);
}

static bool repair(void *source, int64_t number, struct cause *cause)
{
    return store_repair(source, number, cause);
}

struct archive store_archive(struct store *store)
{
    return (struct archive){.source = store,
                            .matches = visit_matches,
                            .players = visit_players,
                            .repair = repair,
                            .verify = verify};
}
