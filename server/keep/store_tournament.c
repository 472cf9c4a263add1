/* Writes tournaments into the store, and reads them when the server starts. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "server/base/log.h"
#include "store.h"

/* Writes the row of a tournament as a change leaves it. */
static bool put_tournament(struct store *store, const struct tournament_change *change)
{
    const struct tournament *tournament = change->tournament;
    const struct tournament_plan *plan = &tournament->plan;
    bool starts = change->kind == CHANGE_STARTED;
    bool sets_status = starts || change->kind == CHANGE_STATUS;
    enum tournament_status status = sets_status ? change->status : tournament->status;
    bool ends = sets_status && status >= TOURNAMENT_OVER;
    char variant[VARIANT_NAME_MAX];

    plan->game->variant_name(&plan->start, variant);
    QUERY_BIND(
        store->put_tournament, SQL_INTEGER(tournament->number), SQL_TEXT(plan->name),
        SQL_TEXT(plan->game->name), SQL_TEXT(variant), SQL_TEXT(contest_format_text(plan->format)),
        SQL_INTEGER(starts ? change->rounds : tournament->contest.rounds),
        SQL_INTEGER(plan->cycles), SQL_INTEGER(plan->minutes), SQL_INTEGER(plan->clock.base_ms),
        SQL_INTEGER(plan->clock.increment_ms), SQL_TEXT(bots_wanted_text(plan->bots)),
        SQL_INTEGER(!plan->casual), SQL_INTEGER(plan->director->id),
        SQL_TEXT(tournament_status_text(status)), SQL_INTEGER(plan->created_s),
        SQL_INTEGER(plan->starts_s), SQL_INTEGER(starts ? change->at_s : tournament->started_s),
        SQL_INTEGER(ends ? change->at_s : tournament->ended_s));
    return query_run(store->put_tournament);
}

static bool put_entrant(struct store *store, const struct tournament *tournament, int number,
                        const struct tournament_entry *entry, bool gone)
{
    QUERY_BIND(store->put_entrant, SQL_INTEGER(tournament->number), SQL_INTEGER(number),
               SQL_INTEGER(entry->player->id), SQL_REAL(entry->rating), SQL_INTEGER(gone));
    return query_run(store->put_entrant);
}

static bool put_start(struct store *store, const struct tournament_change *change)
{
    QUERY_BIND(store->drop_entrants, SQL_INTEGER(change->tournament->number));
    if (!put_tournament(store, change) || !query_run(store->drop_entrants))
        return false;
    for (int i = 0; i < change->entry_count; i++)
        if (!put_entrant(store, change->tournament, i, &change->entries[i], false))
            return false;
    return true;
}

static bool put_pairing(struct store *store, const struct tournament *tournament, int number,
                        const struct contest_pairing *pairing, int64_t match)
{
    QUERY_BIND(store->put_pairing, SQL_INTEGER(tournament->number), SQL_INTEGER(number),
               SQL_INTEGER(pairing->round), SQL_INTEGER(pairing->white),
               SQL_INTEGER(pairing->black), SQL_INTEGER(pairing->walkover),
               match != 0 ? SQL_INTEGER(match) : SQL_NULL, SQL_INTEGER(pairing->result));
    return query_run(store->put_pairing);
}

static bool put_pairings(struct store *store, const struct tournament_change *change)
{
    int first = change->tournament->contest.pairings.count;

    for (int i = 0; i < change->pairings.count; i++)
        if (!put_pairing(store, change->tournament, first + i, &change->pairings.rows[i], 0))
            return false;
    return true;
}

static bool put_outcome(struct store *store, const struct tournament_change *change)
{
    const struct tournament *tournament = change->tournament;
    struct contest_pairing pairing = tournament->contest.pairings.rows[change->pairing];
    int64_t match = change->match != 0 ? change->match : tournament->matches[change->pairing];

    pairing.result = change->result;
    return put_pairing(store, tournament, change->pairing, &pairing, match);
}

bool store_put_change(struct store *store, const struct tournament_change *change)
{
    switch (change->kind) {
    case CHANGE_JOINED:
    case CHANGE_LEFT:
        return put_entrant(store, change->tournament, change->entrant, &change->entry,
                           change->kind == CHANGE_LEFT);
    case CHANGE_STARTED:
        return put_start(store, change);
    case CHANGE_PAIRED:
        return put_pairings(store, change);
    case CHANGE_PAIRING:
        return put_outcome(store, change);
    default:
        return put_tournament(store, change);
    }
}

/* Returns the player that a row names, who may be one whose name another has taken since. */
static struct player *find_player(struct players *players, struct query *query, int column)
{
    struct player *player = players_find(players, query_text(query, column));

    if (player != NULL)
        return player;
    return players_add_stored(players, query_integer(query, column + 1),
                              store_kind(query_text(query, column + 2)), query_text(query, column));
}

/* Reads what is not checked by the schema. */
static bool read_plan(struct query *query, struct tournament_plan *plan, struct cause *cause)
{
    const char *game = query_text(query, 2);

    *plan = (struct tournament_plan){.game = game_find(game, strlen(game)),
                                     .rounds = (int)query_integer(query, 5),
                                     .cycles = (int)query_integer(query, 6),
                                     .minutes = (int)query_integer(query, 7),
                                     .casual = query_integer(query, 11) == 0,
                                     .created_s = query_integer(query, 13),
                                     .starts_s = query_integer(query, 14)};
    const struct clock clock = {.base_ms = query_integer(query, 8),
                                .increment_ms = query_integer(query, 9)};
    plan->clock = clock_fresh(&clock);
    snprintf(plan->name, sizeof plan->name, "%s", query_text(query, 1));
    return (plan->game != NULL && plan->game->start(query_text(query, 3), &plan->start, cause) &&
            contest_format_parse(query_text(query, 4), &plan->format) &&
            bots_wanted_parse(query_text(query, 10), &plan->bots)) ||
           cause_set(cause, "invalid tournament %" PRId64, query_integer(query, 0));
}

static bool load_rows(struct store *store, struct players *players, struct lobby *lobby,
                      struct cause *cause)
{
    struct query *query = database_query(
        store->database,
        "SELECT number, t.name, game, variant, format, rounds, cycles, minutes, base_ms,"
        " increment_ms, bots, rated, status, created_s, starts_s, started_s, ended_s,"
        " p.name, p.id, p.kind FROM tournament AS t JOIN player AS p ON p.id = director"
        " WHERE status NOT IN ('over', 'aborted') OR number IN (SELECT number FROM tournament"
        " WHERE status IN ('over', 'aborted') ORDER BY number DESC LIMIT ?) ORDER BY number");
    struct tournament_plan plan;
    struct cause unread;
    bool good = true;

    QUERY_BIND(query, SQL_INTEGER(TOURNAMENTS_OVER_MAX));
    while (good && query_next(query)) {
        good = read_plan(query, &plan, cause);
        if (!good)
            break;
        plan.director = find_player(players, query, 17);
        struct tournament *tournament =
            tournament_new(&lobby->tournaments, &plan, query_integer(query, 0));
        tournament_status_parse(query_text(query, 12), &tournament->status);
        tournament->started_s = query_integer(query, 15);
        tournament->ended_s = query_integer(query, 16);
        tournament->due = true;
        tournaments_add(&lobby->tournaments, tournament);
    }
    lobby->tournaments.due = true;
    return store_finish(store, query, good ? cause : &unread) && good;
}

static bool load_entrants(struct store *store, struct players *players,
                          struct tournament *tournament, struct cause *cause)
{
    struct query *query = database_query(
        store->database, "SELECT rating, gone, p.name, p.id, p.kind FROM entrant AS e JOIN player"
                         " AS p ON p.id = e.player WHERE tournament = ? ORDER BY number");

    QUERY_BIND(query, SQL_INTEGER(tournament->number));
    while (query_next(query))
        tournament_add_entrant(tournament, find_player(players, query, 2), query_real(query, 0),
                               query_integer(query, 1) != 0);
    return store_finish(store, query, cause);
}

/* Has the match of an open pairing know where it belongs. */
static void tie_match(struct lobby *lobby, struct tournament *tournament, int pairing)
{
    char id[TABLE_ID_MAX];

    snprintf(id, sizeof id, "%" PRId64, tournament->matches[pairing]);
    struct table *table = lobby_find(lobby, id);
    if (table != NULL && table->match.status != MATCH_OVER) {
        table->tournament = tournament->number;
        table->pairing = pairing;
        return;
    }
    log_line(LOG_ERROR, "event=tournament-match-missing tournament=%s match=%s", tournament->id,
             id);
    contest_score(&tournament->contest, pairing, PAIRING_VOID);
}

static bool load_pairings(struct store *store, struct lobby *lobby, struct tournament *tournament,
                          struct cause *cause)
{
    const struct contest *contest = &tournament->contest;
    struct query *query = database_query(
        store->database, "SELECT round, white, black, walkover, result, match FROM pairing"
                         " WHERE tournament = ? ORDER BY number");
    bool good = true;
    struct cause unread;

    QUERY_BIND(query, SQL_INTEGER(tournament->number));
    while (good && query_next(query)) {
        struct contest_pairing pairing = {.round = (int)query_integer(query, 0),
                                          .white = (int)query_integer(query, 1),
                                          .black = (int)query_integer(query, 2),
                                          .walkover = query_integer(query, 3) != 0,
                                          .result = (enum pairing_result)query_integer(query, 4)};
        good = (pairing.white < contest->entrant_count && pairing.black < contest->entrant_count &&
                contest->pairings.count < 2 * PAIRINGS_MAX) ||
               cause_set(cause, "invalid pairing of tournament %s", tournament->id);
        if (good)
            tournament_add_pairing(tournament, pairing, query_integer(query, 5));
    }
    bool runs = !tournament_is_over(tournament); /* else its last matches counted no more */
    for (int i = 0; good && runs && i < contest->pairings.count; i++)
        if (contest->pairings.rows[i].result == PAIRING_OPEN && tournament->matches[i] != 0)
            tie_match(lobby, tournament, i);
    return store_finish(store, query, good ? cause : &unread) && good;
}

bool store_load_tournaments(struct store *store, struct players *players, struct lobby *lobby,
                            struct cause *cause)
{
    struct tournament *tournament;

    if (!load_rows(store, players, lobby, cause))
        return false;
    TAILQ_FOREACH (tournament, &lobby->tournaments.list, link)
        if (!load_entrants(store, players, tournament, cause) ||
            !load_pairings(store, lobby, tournament, cause))
            return false;
    return true;
}
