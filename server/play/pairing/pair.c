#include "pair.h"

#include <assert.h>

#include "server/play/conclude.h"
#include "server/play/rate_limit.h"
#include "server/play/referee.h"
#include "server/play/settle.h"

/* Whether there is a number for another match. If not, the keeper is asked, and the answer is
 * nobody's: the next try finds the numbers. */
static bool have_number(struct server *server)
{
    const struct question question = {.kind = LOOK_NUMBERS};

    if (lobby_has_number(&server->lobby))
        return true;
    if (server->keeper->kind->look_up == NULL)
        return false;
    struct look_up *look_up = look_up_new(&question);
    if (server->keeper->kind->look_up(server->keeper, look_up))
        look_up_free(look_up);
    return lobby_has_number(&server->lobby);
}

static bool origin_may_open(const struct server *server, const struct origin *origin)
{
    for (const struct origin *at = origin; at != NULL; at = at->wider)
        if (at->unfinished >= server->limits.address_matches * at->scale)
            return false;
    return true;
}

bool pair_may_open(struct server *server, const struct player *opener, const struct origin *origin)
{
    const struct lobby *lobby = &server->lobby;
    int most = server->limits.unfinished;
    int used = lobby->open + lobby->playing + lobby->opening;
    int own = origin != NULL ? origin_widest(origin)->unfinished : 0;

    return (opener == NULL || opener->unfinished < server->limits.matches) &&
           origin_may_open(server, origin) && rate_limit_leaves_share(used, most, own) &&
           have_number(server) && (used < most || referee_make_room(server));
}

struct table *pair_open(struct server *server, struct unit *unit, const struct pairing *pairing)
{
    const struct table_plan plan = {.game = pairing->game,
                                    .start = pairing->start,
                                    .clock = pairing->clock,
                                    .casual = pairing->casual,
                                    .creator = pairing->opener,
                                    .origin = pairing->origin,
                                    .date = server->wall_s};

    assert(unit->table_count == 0 && pairing->players[WHITE] != pairing->players[BLACK]);
    struct table *next = unit_open(unit, &server->lobby, &plan);
    for (int color = WHITE; color <= BLACK; color++)
        table_give_seat(next, color, pairing->players[color], true);
    unit->pairs = true;
    unit->paired = pairing->paired;
    return next;
}

void pair_settle(struct server *server, struct unit *unit)
{
    /* Nobody is rated: no match is over before each side has moved, if it begins at a start. */
    struct lock *lock = conclude(unit, &server->lobby, server->now_ms, server->wall_s);

    assert(lock == NULL);
    (void)lock;
    settle_add(server, unit);
}

void pair_start(struct server *server, const struct pairing *pairing,
                void (*ended)(void *context, const struct unit *unit), void *context)
{
    struct unit *unit = unit_new();

    unit->ended = ended;
    unit->context = context;
    pair_open(server, unit, pairing);
    pair_settle(server, unit);
}
