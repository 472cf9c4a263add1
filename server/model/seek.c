#include "seek.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/xmalloc.h"
#include "table.h"

enum {
    BALANCED_MATCHES = 10, /* of the last ones that count for a player's colours */
    SEATS_LOOKED_AT = 40   /* at most, for them */
};

/* Seeks that wait, and are alike in game, variant, clock and kind of rating, sorted by rating:
 * looking for the nearest does not go through all. All zero: empty. */
struct seek_row {
    struct seek **seeks; /* owned array, borrowed seeks; by rating, then by number */
    int count, capacity;
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
static int place_in_row(const struct seek_row *row, int rating, int64_t number)
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

static void add_to_row(struct seek_row *row, struct seek *seek)
{
    int place = place_in_row(row, seek->rating, seek->number);

    if (row->count == row->capacity) {
        row->capacity = row->capacity > 0 ? 2 * row->capacity : 16;
        row->seeks = xreallocarray(row->seeks, (size_t)row->capacity, sizeof *row->seeks);
    }
    memmove(row->seeks + place + 1, row->seeks + place,
            (size_t)(row->count - place) * sizeof *row->seeks);
    row->seeks[place] = seek;
    row->count++;
}

/* Returns whether a player accepts the other as an opponent. */
static bool accepts_opponent(const struct seek *one, const struct seek *other)
{
    const struct seek_wish *wish = &one->wish;

    if (!bots_wanted_fit(wish->bots, other->player->bot))
        return false;
    return !wish->ranged ||
           (!other->is_guests && other->rating >= wish->low && other->rating <= wish->high);
}

static bool fit_each_other(const struct seek *one, const struct seek *other)
{
    bool colors = one->wish.color < 0 || one->wish.color != other->wish.color;

    return one->player != other->player && colors && accepts_opponent(one, other) &&
           accepts_opponent(other, one) && (one->there.node == 0 || other->there.node == 0);
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
        *from = tour->left = place_in_row(row, row->seeks[tour->left - 1]->rating, 0);
    } else {
        *from = tour->right;
        *to = tour->right = place_in_row(row, row->seeks[tour->right]->rating + 1, 0);
    }
    return true;
}

struct seek *seek_partner(const struct seek *seek)
{
    const struct seek_row *row = seek->row;
    int start = place_in_row(row, seek->rating, 0), from, to;
    struct tour tour = {row, seek->rating, start, start};
    struct seek *second = NULL; /* they have just played each other */

    while (next_rating(&tour, &from, &to))
        for (int i = from; i < to; i++) {
            struct seek *other = row->seeks[i];
            if (other->blocked || !fit_each_other(seek, other))
                continue;
            if (last_opponent(seek) != other->player->id &&
                last_opponent(other) != seek->player->id)
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

enum { GROUP_KEY_MAX = 96 };

struct seek_group {
    struct seek_row row; /* first: a seek leads to it */
    char key[GROUP_KEY_MAX];
    UT_hash_handle hh; /* in seeks.groups */
};

void seeks_init(struct seeks *seeks)
{
    *seeks = (struct seeks){.groups = NULL};
    TAILQ_INIT(&seeks->all);
    TAILQ_INIT(&seeks->fresh);
}

void seeks_release(struct seeks *seeks)
{
    while (!TAILQ_EMPTY(&seeks->all))
        seeks_drop_foreign(seeks, TAILQ_FIRST(&seeks->all));
    free(seeks->withdrawn.numbers);
}

static struct seek_group *find_or_add_group(struct seeks *seeks, const struct seek_wish *wish)
{
    char key[GROUP_KEY_MAX];
    struct seek_group *group;

    snprintf(key, sizeof key, "%s:%s %" PRId64 "+%" PRId64 " %d", wish->game->name, wish->variant,
             wish->clock.base_ms, wish->clock.increment_ms, wish->casual);
    HASH_FIND_STR(seeks->groups, key, group);
    if (group != NULL)
        return group;
    group = xcalloc(1, sizeof *group);
    memcpy(group->key, key, sizeof key);
    HASH_ADD_STR(seeks->groups, key, group);
    return group;
}

static void set_fresh(struct seeks *seeks, struct seek *seek, bool fresh)
{
    if (fresh && !seek->is_fresh)
        TAILQ_INSERT_TAIL(&seeks->fresh, seek, fresh);
    else if (!fresh && seek->is_fresh)
        TAILQ_REMOVE(&seeks->fresh, seek, fresh);
    seek->is_fresh = fresh;
}

static void set_blocked(struct seeks *seeks, struct seek *seek, bool blocked)
{
    seeks->blocked += blocked - seek->blocked;
    seek->blocked = blocked;
}

/* Puts a seek among those that wait, at its rating. */
static void put_in_row(struct seeks *seeks, struct seek *seek)
{
    seek->stage = SEEK_WAITS;
    seek->row = &find_or_add_group(seeks, &seek->wish)->row;
    add_to_row(seek->row, seek);
    seeks->waiting++;
}

static void start_waiting(struct seeks *seeks, struct seek *seek)
{
    struct glicko glicko = glicko_start();

    seek->is_guests = !player_glicko(seek->player, seek->wish.game, seek->wish.variant, &glicko);
    seek->rating = (int)lround(glicko.rating);
    put_in_row(seeks, seek);
}

static void stop_waiting(struct seeks *seeks, struct seek *seek)
{
    struct seek_row *row = seek->row;
    int place = place_in_row(row, seek->rating, seek->number);

    row->count--;
    memmove(row->seeks + place, row->seeks + place + 1,
            (size_t)(row->count - place) * sizeof *row->seeks);
    if (row->count == 0) {
        struct seek_group *group = (struct seek_group *)row;
        HASH_DEL(seeks->groups, group);
        free(group->row.seeks);
        free(group);
    }
    seek->row = NULL;
    set_fresh(seeks, seek, false);
    set_blocked(seeks, seek, false);
    seeks->waiting--;
}

/* Other servers that may pair it are to be told that it does not wait any more. */
static void withdraw_seek(struct seeks *seeks, struct seek *seek)
{
    struct seek_numbers *gone = &seeks->withdrawn;

    if (!seek->offered)
        return;
    seek->offered = seek->changed = false;
    if (gone->count == gone->capacity) {
        gone->capacity = gone->capacity > 0 ? 2 * gone->capacity : 16;
        gone->numbers = xreallocarray(gone->numbers, (size_t)gone->capacity, sizeof *gone->numbers);
    }
    gone->numbers[gone->count++] = seek->number;
}

static struct seek *new_seek(struct seeks *seeks)
{
    struct seek *seek = xcalloc(1, sizeof *seek);

    seek->number = seek->there.number = ++seeks->last;
    TAILQ_INSERT_TAIL(&seeks->all, seek, link);
    return seek;
}

struct seek *seeks_add(struct seeks *seeks, struct seek_list *list, struct session *session,
                       struct player *player, struct origin *origin, const struct seek_wish *wish)
{
    struct seek *seek = new_seek(seeks);

    seek->session = session;
    seek->player = player;
    seek->origin = origin;
    seek->wish = *wish;
    if (origin != NULL)
        origin_count_seeks(origin, +1);
    TAILQ_INSERT_TAIL(list, seek, by_session);
    start_waiting(seeks, seek);
    set_fresh(seeks, seek, true);
    return seek;
}

void seeks_add_foreign(struct seeks *seeks, const struct foreign_seek *foreign)
{
    struct seek *seek = new_seek(seeks);

    seek->there = foreign->there;
    seek->player = foreign->player;
    player_hold(seek->player);
    seek->wish = foreign->wish;
    seek->past = foreign->past;
    seek->rating = foreign->rating;
    seek->is_guests = foreign->is_guests;
    seek->text = xstrdup(foreign->text);
    put_in_row(seeks, seek);
    set_fresh(seeks, seek, true);
}

struct seek *seeks_find_foreign(const struct seeks *seeks, struct seek_id id)
{
    struct seek *seek;

    TAILQ_FOREACH (seek, &seeks->all, link)
        if (seek->there.node == id.node && seek->there.number == id.number)
            return seek;
    return NULL;
}

struct seek *seeks_find_own(const struct seeks *seeks, int64_t number)
{
    return seeks_find_foreign(seeks, (struct seek_id){0, number});
}

void seeks_drop_foreign(struct seeks *seeks, struct seek *seek)
{
    if (seek->stage == SEEK_WAITS)
        stop_waiting(seeks, seek);
    TAILQ_REMOVE(&seeks->all, seek, link);
    player_let_go(seek->player);
    free(seek->text);
    free(seek);
}

void seeks_offer_again(struct seeks *seeks, struct seek *seek)
{
    seek->changed = true;
    if (seek->stage == SEEK_WAITS && !seek->blocked)
        set_fresh(seeks, seek, true);
}

void seeks_rename(struct seeks *seeks, struct seek_list *list)
{
    struct seek *seek;

    TAILQ_FOREACH (seek, list, by_session)
        if (seek->offered)
            seeks_offer_again(seeks, seek);
}

void seeks_drop(struct seeks *seeks, struct seek_list *list, struct seek *seek)
{
    withdraw_seek(seeks, seek);
    if (seek->stage == SEEK_WAITS)
        stop_waiting(seeks, seek);
    if (seek->origin != NULL)
        origin_count_seeks(seek->origin, -1);
    TAILQ_REMOVE(&seeks->all, seek, link);
    TAILQ_REMOVE(list, seek, by_session);
    free(seek);
}

void seeks_drop_all(struct seeks *seeks, struct seek_list *list)
{
    while (!TAILQ_EMPTY(list))
        seeks_drop(seeks, list, TAILQ_FIRST(list));
}

struct seek *seeks_next_fresh(struct seeks *seeks)
{
    struct seek *seek = TAILQ_FIRST(&seeks->fresh);

    if (seek != NULL)
        set_fresh(seeks, seek, false);
    return seek;
}

void seeks_pair(struct seeks *seeks, struct seek *seek)
{
    stop_waiting(seeks, seek);
    seek->stage = SEEK_IS_PAIRED;
}

void seeks_play(struct seeks *seeks, struct seek *seek, int64_t match)
{
    withdraw_seek(seeks, seek);
    seek->stage = SEEK_PLAYS;
    seek->match = match;
}

void seeks_wait(struct seeks *seeks, struct seek *seek, bool blocked)
{
    if (seek->there.node != 0)
        put_in_row(seeks, seek); /* with the rating that its server tells */
    else
        start_waiting(seeks, seek);
    if (blocked)
        set_blocked(seeks, seek, true);
    else
        set_fresh(seeks, seek, true);
}

void seeks_block(struct seeks *seeks, struct seek *seek)
{
    set_fresh(seeks, seek, false);
    set_blocked(seeks, seek, true);
}

void seeks_unblock(struct seeks *seeks)
{
    struct seek *seek;

    if (seeks->blocked == 0)
        return;
    TAILQ_FOREACH (seek, &seeks->all, link)
        if (seek->blocked) {
            set_blocked(seeks, seek, false);
            set_fresh(seeks, seek, true);
        }
}

void seeks_match_over(struct seeks *seeks, struct seek_list *list, int64_t match)
{
    struct seek *seek;

    TAILQ_FOREACH (seek, list, by_session)
        if (seek->stage == SEEK_PLAYS && seek->match == match)
            seeks_wait(seeks, seek, false);
}
