#include "seat.h"

#include <stdlib.h>
#include <string.h>

#include "client/link/json_read.h"
#include "common/xmalloc.h"

/* A number from 0 to max, or -1 when it is missing or anything else. */
static int64_t read_number(const cJSON *object, const char *name, double max)
{
    const cJSON *number = cJSON_GetObjectItemCaseSensitive(object, name);

    if (!cJSON_IsNumber(number) || !(number->valuedouble >= 0 && number->valuedouble <= max))
        return -1;
    return (int64_t)number->valuedouble;
}

/* The place of the text in the list, which NULL ends; -1 when it is missing or not there. */
static int read_choice(const cJSON *object, const char *name, const char *const choices[])
{
    const char *text = json_text(object, name);

    for (int i = 0; text != NULL && choices[i] != NULL; i++)
        if (strcmp(choices[i], text) == 0)
            return i;
    return -1;
}

static bool read_position(struct seat *seat, const cJSON *state, struct cause *cause)
{
    const char *name = json_text(state, "game"), *text = json_text(state, "position");

    if (name == NULL || text == NULL)
        return cause_set(cause, "the game or its position is missing");
    seat->game = game_find(name, strlen(name));
    if (seat->game == NULL)
        return cause_set(cause, "there is no game '%.24s'", name);
    return seat->game->parse(json_text(state, "variant"), text, &seat->position, cause);
}

static void read_clock(struct seat *seat, const cJSON *state)
{
    const double most_ms = 1e12;
    const cJSON *clock = cJSON_GetObjectItemCaseSensitive(state, "clock");
    const char *name = seat->position.side == WHITE ? "white_ms" : "black_ms";

    seat->left_ms = read_number(clock, name, most_ms);
    seat->increment_ms = read_number(clock, "increment_ms", most_ms);
    if (seat->increment_ms < 0)
        seat->increment_ms = 0;
    seat->told_ms = clock_ms();
}

bool seat_read(struct seat *seat, const cJSON *state, struct cause *cause)
{
    static const char *const statuses[] = {"open", "playing", "over", NULL};
    static const char *const colors[] = {"white", "black", "both", NULL};
    const char *match = json_text(state, "match");
    int status = read_choice(state, "status", statuses);

    *seat = (struct seat){.owes_move = false};
    seat->ply = (int)read_number(state, "ply", 1e6);
    if (!match_id_is_valid(match) || status < 0 || seat->ply < 0)
        return cause_set(cause, "the match, its status or its ply is missing");
    memcpy(seat->match, match, strlen(match) + 1);
    seat->status = (enum seat_status)status;
    seat->colors = (unsigned)read_choice(state, "you", colors) + 1;
    if (!read_position(seat, state, cause))
        return false;
    read_clock(seat, state);
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

/* Sets the key of the present ply. Plies taken back are forgotten; after a gap the history
 * begins anew. */
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
    seat->owes_move = seat->status == SEAT_PLAYING &&
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
