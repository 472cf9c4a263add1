#include "seek.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "common/xmalloc.h"
#include "table.h"

enum {
    BALANCED_MATCHES = 10, /* of the last ones that count for a player's colours */
    SEATS_LOOKED_AT = 40   /* at most, for them */
};

struct seek_label seek_label(struct seek_id id)
{
    struct seek_label label;

    if (id.node != 0)
        snprintf(label.text, sizeof label.text, "%" PRId64 "@%d", id.number, id.node);
    else
        snprintf(label.text, sizeof label.text, "%" PRId64, id.number);
    return label;
}

/* Returns the first place from which on all seeks stand behind a rating and a number. */
static int place_of(const struct seek_row *row, int rating, int64_t number)
{
    int from = 0, to = row->count;

    while (from < to) {
        int middle = from + (to - from) / 2;
        const struct seek *seek = row->seeks[middle];
        if (seek->rating < rating || (seek->rating == rating && seek->number < number))
            from = middle + 1;
        else
            to = middle;
    }
    return from;
}

void seek_row_add(struct seek_row *row, struct seek *seek)
{
    int place = place_of(row, seek->rating, seek->number);

    if (row->count == row->capacity) {
        row->capacity = row->capacity > 0 ? 2 * row->capacity : 16;
        row->seeks = xreallocarray(row->seeks, (size_t)row->capacity, sizeof *row->seeks);
    }
    memmove(row->seeks + place + 1, row->seeks + place,
            (size_t)(row->count - place) * sizeof *row->seeks);
    row->seeks[place] = seek;
    row->count++;
}

void seek_row_remove(struct seek_row *row, const struct seek *seek)
{
    int place = place_of(row, seek->rating, seek->number);

    row->count--;
    memmove(row->seeks + place, row->seeks + place + 1,
            (size_t)(row->count - place) * sizeof *row->seeks);
}

/* Whether one takes the other for an opponent. */
static bool takes(const struct seek *one, const struct seek *other)
{
    const struct seek_wish *wish = &one->wish;

    if (!bots_wanted_fit(wish->bots, other->player->bot))
        return false;
    return !wish->ranged ||
           (!other->is_guests && other->rating >= wish->low && other->rating <= wish->high);
}

static bool fit(const struct seek *one, const struct seek *other)
{
    bool colors = one->wish.color < 0 || one->wish.color != other->wish.color;

    return one->player != other->player && colors && takes(one, other) && takes(other, one) &&
           (one->there.node == 0 || other->there.node == 0);
}

/* The player's latest match that has begun; NULL: memory has none. */
static const struct table *last_match(const struct player *player)
{
    const struct seat *seat;
    int looked = 0;

    TAILQ_FOREACH_REVERSE (seat, &player->seats, seat_list, link)
        if (seat->table->started && seat->table->broken == NULL)
            return seat->table;
        else if (++looked == SEATS_LOOKED_AT)
            break;
    return NULL;
}

/* The id of the opponent in the player's latest match. */
static int64_t last_opponent(const struct seek *seek)
{
    const struct table *table;

    if (seek->there.node != 0)
        return seek->past.opponent;
    table = last_match(seek->player);
    if (table == NULL)
        return 0;
    enum color color = table->seats[WHITE].player == seek->player ? WHITE : BLACK;
    return table->seats[!color].player->id;
}

/* Whether the latest match of either was against the other. */
static bool have_just_played(const struct seek *one, const struct seek *other)
{
    return last_opponent(one) == other->player->id || last_opponent(other) == one->player->id;
}

/* Goes through a row from a rating on outwards, rating by rating. */
struct tour {
    const struct seek_row *row;
    int rating;
    int left, right; /* what lies outside has not been visited: below left, from right on */
};

/* Sets the seeks of the next nearest rating. False after the last. */
static bool next_rating(struct tour *tour, int *from, int *to)
{
    const struct seek_row *row = tour->row;
    bool below = tour->left > 0, above = tour->right < row->count;

    if (!below && !above)
        return false;
    if (below && above)
        below = tour->rating - row->seeks[tour->left - 1]->rating <
                row->seeks[tour->right]->rating - tour->rating;
    if (below) {
        *to = tour->left;
        *from = tour->left = place_of(row, row->seeks[tour->left - 1]->rating, 0);
    } else {
        *from = tour->right;
        *to = tour->right = place_of(row, row->seeks[tour->right]->rating + 1, 0);
    }
    return true;
}

struct seek *seek_row_nearest(const struct seek_row *row, const struct seek *seek)
{
    int start = place_of(row, seek->rating, 0), from, to;
    struct tour tour = {row, seek->rating, start, start};
    struct seek *second = NULL; /* they have just played each other */

    while (next_rating(&tour, &from, &to))
        for (int i = from; i < to; i++) {
            struct seek *other = row->seeks[i];
            if (other->blocked || !fit(seek, other))
                continue;
            if (!have_just_played(seek, other))
                return other;
            if (second == NULL)
                second = other;
        }
    return second;
}

/* Returns how many more of the player's last matches they played as white than as black. */
static int lead_of_white(const struct player *player)
{
    const struct seat *seat;
    int lead = 0, matches = 0, looked = 0;

    TAILQ_FOREACH_REVERSE (seat, &player->seats, seat_list, link) {
        if (looked++ == SEATS_LOOKED_AT || matches == BALANCED_MATCHES)
            break;
        if (!seat->table->started || seat->table->broken != NULL)
            continue;
        matches++;
        lead += seat->color == WHITE ? 1 : -1;
    }
    return lead;
}

/* The colour of the player's latest match, as a step of lead_of_white(). */
static int last_step(const struct player *player)
{
    const struct table *table = last_match(player);
    unsigned seats = table != NULL ? table_seats_of(table, player) : SEATS_NONE;

    return seats == SEATS_WHITE ? 1 : seats == SEATS_BLACK ? -1 : 0;
}

struct seek_past seek_past(const struct seek *seek)
{
    if (seek->there.node != 0)
        return seek->past;
    return (struct seek_past){.opponent = last_opponent(seek),
                              .lead = lead_of_white(seek->player),
                              .last = last_step(seek->player)};
}

enum color seek_color(const struct seek *seek, const struct seek *partner)
{
    struct seek_past past = seek_past(seek), other = seek_past(partner);

    if (seek->wish.color >= 0)
        return seek->wish.color;
    if (partner->wish.color >= 0)
        return !partner->wish.color;
    int lead = past.lead - other.lead;
    if (lead == 0)
        lead = past.last - other.last;
    if (lead == 0) /* the one that has waited longer begins */
        return seek->number < partner->number ? WHITE : BLACK;
    return lead > 0 ? BLACK : WHITE;
}

struct seek *seek_find(const struct seek_list *list, int64_t number)
{
    struct seek *seek;

    TAILQ_FOREACH (seek, list, by_session)
        if (seek->number == number)
            return seek;
    return NULL;
}

int seek_count(const struct seek_list *list)
{
    const struct seek *seek;
    int count = 0;

    TAILQ_FOREACH (seek, list, by_session)
        count++;
    return count;
}
