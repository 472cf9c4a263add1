#include "seat.h"

#include <stdlib.h>
#include <string.h>

#include "common/xmalloc.h"

bool seat_read(struct seat *seat, const struct match_state *state, struct cause *cause)
{
    const struct match_clock *clock = &state->clock;

    *seat = (struct seat){.status = state->status,
                          .colors = (unsigned)state->seats[WHITE].mine << WHITE |
                                    (unsigned)state->seats[BLACK].mine << BLACK,
                          .ply = state->ply,
                          .left_ms = -1,
                          .told_ms = clock->told_ms};
    memcpy(seat->match, state->match, sizeof seat->match);
    if (!match_state_parse(state, &seat->game, &seat->position, cause))
        return false;
    if (clock->known)
        seat->left_ms = clock->left_ms[seat->position.side];
    if (clock->increment_ms > 0)
        seat->increment_ms = clock->increment_ms;
    return true;
}

struct seat *seats_find(const struct seats *seats, const char *match)
{
    struct seat *seat;

    TAILQ_FOREACH (seat, seats, link)
        if (strcmp(seat->match, match) == 0)
            return seat;
    return NULL;
}

/* Records the key of the current ply. Plies taken back are dropped; after a gap the history starts
 * over. */
static void record_ply(struct seat *seat)
{
    int plies = seat->ply - seat->first_ply;

    if (plies < 0 || plies > seat->history.count) {
        seat->first_ply = seat->ply;
        plies = 0;
    }
    seat->history.count = plies;
    history_add(&seat->history, seat->game->key(&seat->position));
}

struct seat *seats_update(struct seats *seats, const struct seat *read)
{
    struct seat *seat = seats_find(seats, read->match);

    if (seat == NULL) {
        seat = xmalloc(sizeof *seat);
        *seat = *read;
        seat->first_ply = read->ply;
    } else {
        struct history history = seat->history;
        int first_ply = seat->first_ply;
        TAILQ_REMOVE(seats, seat, link);
        *seat = *read;
        seat->history = history;
        seat->first_ply = first_ply;
    }
    record_ply(seat);
    seat->owes_move = seat->status == STATE_PLAYING &&
                      (seat->colors & 1u << seat->position.side) != 0 &&
                      seat->game->legal(&seat->position, NULL) > 0;
    TAILQ_INSERT_TAIL(seats, seat, link);
    return seat;
}

void seats_remove(struct seats *seats, struct seat *seat)
{
    TAILQ_REMOVE(seats, seat, link);
    history_release(&seat->history);
    free(seat);
}
