#include "pair.h"

#include <assert.h>

#include "server/play/conclude.h"
#include "server/play/opening_limit.h"
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

bool pair_may_open(struct server *server, const struct player *opener, const struct origin *origin)
{
    enum opening_limit limit = opening_limit(server, opener, origin, NULL);

    return (limit == OPENING_FREE || limit == OPENING_FULL) && have_number(server) &&
           (limit == OPENING_FREE || referee_make_room(server));
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
