#include "charges.h"

#include "rate_limit.h"
#include "session.h"

enum { MATCH_BYTES = 500, MOVE_BYTES = 50, LINE_BYTES = 40, PLAYER_BYTES = 200 };

/* Returns about how many bytes the latest move of a match adds. */
static int bytes_of_move(const struct match *match)
{
    return MOVE_BYTES + (match->plies[match->ply_count - 1].note.pv_count > 0 ? LINE_BYTES : 0);
}

/* Returns about how many bytes a unit adds to a store. */
static int bytes_to_keep(const struct unit *unit)
{
    int bytes = (unit->player != NULL || unit->change != NULL) ? PLAYER_BYTES : 0;

    for (int i = 0; i < unit->table_count; i++)
        if (unit->tables[i].table == NULL)
            bytes += MATCH_BYTES;
        else if (unit->tables[i].next->match.ply_count > unit->tables[i].table->match.ply_count)
            bytes += bytes_of_move(&unit->tables[i].next->match);
    return bytes;
}

void charges_count_pair(struct session *session)
{
    if (session != NULL)
        rate_limit_keep(session, MATCH_BYTES / 2);
}

void charges_count(const struct unit *unit)
{
    if (unit->session != NULL)
        rate_limit_keep(unit->session, bytes_to_keep(unit));
    for (int color = WHITE; color <= BLACK && unit->pairs; color++)
        charges_count_pair(unit->tables[0].next->seats[color].player->session);
}

void charges_return(const struct unit *unit)
{
    if (unit->joins)
        rate_limit_return_join(unit->session);
    for (int i = 0; i < unit->table_count; i++)
        for (int color = WHITE; color <= BLACK && unit->tables[i].table == NULL; color++) {
            const struct seat *seat = &unit->tables[i].next->seats[color];
            if (seat->player != NULL && !seat->joined)
                rate_limit_return_challenge(unit->session, seat->player);
        }
    if (unit->player != NULL && unit->player->kind != unit->identity.kind)
        rate_limit_return_name(unit->session);
}
