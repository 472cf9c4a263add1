#include "seek_pool.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/xmalloc.h"

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

static void free_group(struct seeks *seeks, struct seek_group *group)
{
    HASH_DEL(seeks->groups, group);
    free(group->row.seeks);
    free(group);
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
static void stand(struct seeks *seeks, struct seek *seek)
{
    seek->stage = SEEK_WAITS;
    seek->row = &find_or_add_group(seeks, &seek->wish)->row;
    seek_row_add(seek->row, seek);
    seeks->waiting++;
}

static void begin_to_wait(struct seeks *seeks, struct seek *seek)
{
    struct glicko glicko = glicko_start();

    seek->is_guests = !player_glicko(seek->player, seek->wish.game, seek->wish.variant, &glicko);
    seek->rating = (int)lround(glicko.rating);
    stand(seeks, seek);
}

static void end_to_wait(struct seeks *seeks, struct seek *seek)
{
    seek_row_remove(seek->row, seek);
    if (seek->row->count == 0)
        free_group(seeks, (struct seek_group *)seek->row);
    seek->row = NULL;
    set_fresh(seeks, seek, false);
    set_blocked(seeks, seek, false);
    seeks->waiting--;
}

/* Other servers that may pair it are to be told that it does not wait any more. */
static void withdraw(struct seeks *seeks, struct seek *seek)
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
    begin_to_wait(seeks, seek);
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
    stand(seeks, seek);
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
        end_to_wait(seeks, seek);
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
    withdraw(seeks, seek);
    if (seek->stage == SEEK_WAITS)
        end_to_wait(seeks, seek);
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

struct seek *seek_partner(const struct seek *seek)
{
    return seek_row_nearest(seek->row, seek);
}

void seeks_pair(struct seeks *seeks, struct seek *seek)
{
    end_to_wait(seeks, seek);
    seek->stage = SEEK_IS_PAIRED;
}

void seeks_play(struct seeks *seeks, struct seek *seek, int64_t match)
{
    withdraw(seeks, seek);
    seek->stage = SEEK_PLAYS;
    seek->match = match;
}

void seeks_wait(struct seeks *seeks, struct seek *seek, bool blocked)
{
    if (seek->there.node != 0)
        stand(seeks, seek); /* with the rating that its server tells */
    else
        begin_to_wait(seeks, seek);
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
