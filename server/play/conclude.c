#include "conclude.h"

enum { RATED_PLIES_MIN = 2 }; /* each side has moved */

static bool can_be_rated(const struct player *player)
{
    return player != NULL && player->kind != PLAYER_GUEST;
}

/* Whether the match counts for the ratings, as conclude.h says. */
static bool is_rated(const struct table *table)
{
    const struct match *match = &table->match;
    const struct player *white = table->seats[WHITE].player, *black = table->seats[BLACK].player;

    return !table->casual && match->status == MATCH_OVER && match->outcome.result != RESULT_NONE &&
           match->ply_count >= RATED_PLIES_MIN && white != black && can_be_rated(white) &&
           can_be_rated(black) && match_is_from_start(match);
}

static double score_of(enum result result, enum color color)
{
    if (result == RESULT_DRAW)
        return 0.5;
    return result == result_win(color) ? 1 : 0;
}

/* Rates both players of a match that has just ended. Returns a lock as conclude() does. */
static struct lock *rate(struct unit *unit, struct table *next)
{
    struct rating_draft drafts[2];
    struct glicko before[2];

    for (int color = WHITE; color <= BLACK; color++) {
        struct player *player = next->seats[color].player;
        struct rating_draft *draft = &drafts[color];
        if (player->lock.owner != NULL && player->lock.owner != unit)
            return &player->lock;
        *draft = (struct rating_draft){.player = player, .game = next->match.game};
        next->match.game->variant_name(&next->match.start, draft->variant);
        const struct rating *rating = rating_find(&player->ratings, draft->game, draft->variant);
        before[color] = rating != NULL ? rating->now : glicko_start();
        draft->matches = (rating != NULL ? rating->matches : 0) + 1;
    }
    for (int color = WHITE; color <= BLACK; color++) {
        struct glicko_result result = {before[!color], score_of(next->match.outcome.result, color)};
        drafts[color].now = glicko_update(before[color], &result, 1);
        next->rated[color] = drafts[color].now.rating;
        unit_rate(unit, &drafts[color]);
    }
    return NULL;
}

static void start_if_full(struct table *next, int64_t now_ms)
{
    if (next->match.status != MATCH_OPEN || !next->seats[WHITE].joined ||
        !next->seats[BLACK].joined)
        return;
    next->started = true;
    match_start(&next->match, now_ms);
}

static enum pairing_result pairing_result_of(enum result result)
{
    static const enum pairing_result results[] = {[RESULT_NONE] = PAIRING_VOID,
                                                  [RESULT_WHITE] = PAIRING_WHITE_WINS,
                                                  [RESULT_BLACK] = PAIRING_BLACK_WINS,
                                                  [RESULT_DRAW] = PAIRING_DRAW};

    return results[result];
}

/* Scores a match that has just ended in its tournament, if that is not over. */
static void score(struct unit *unit, const struct lobby *lobby, const struct table *next)
{
    struct tournament *tournament = tournaments_find_number(&lobby->tournaments, next->tournament);

    if (tournament == NULL || tournament_is_over(tournament) ||
        tournament->contest.pairings.rows[next->pairing].result != PAIRING_OPEN)
        return;
    if (unit->change == NULL) { /* else it is the one that opens the match */
        struct tournament_change *change = tournament_change_new(tournament, CHANGE_PAIRING);
        change->pairing = next->pairing;
        unit_change(unit, change, false);
    }
    unit->change->result = pairing_result_of(next->match.outcome.result);
}

struct lock *conclude(struct unit *unit, struct lobby *lobby, int64_t now_ms, time_t wall_s)
{
    for (int i = 0; i < unit->table_count; i++) {
        const struct table_draft *draft = &unit->tables[i];
        struct table *next = draft->next;
        next->changed_s = wall_s;
        start_if_full(next, now_ms);
        if (next->match.status != MATCH_OVER || next->ended != 0)
            continue;
        struct lock *lock = is_rated(next) ? rate(unit, next) : NULL;
        if (lock != NULL)
            return lock;
        next->ended = ++lobby->ended;
        score(unit, lobby, next);
    }
    return NULL;
}
