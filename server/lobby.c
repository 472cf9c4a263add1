#include "lobby.h"

#include <assert.h>
#include <inttypes.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int compare_ids(const void *a, const void *b)
{
    return strcmp(((const struct table *)a)->id, ((const struct table *)b)->id);
}

void lobby_init(struct lobby *lobby, struct players *players, int finished_max)
{
    *lobby = (struct lobby){.players = players, .finished_max = finished_max};
    TAILQ_INIT(&lobby->unfinished);
    TAILQ_INIT(&lobby->finished);
}

static void leave_seat(struct lobby *lobby, struct seat *seat)
{
    struct player *player = seat->player;

    if (player == NULL)
        return;
    TAILQ_REMOVE(&player->seats, seat, link);
    seat->player = NULL;
    player_release_unused(lobby->players, player);
}

static void leave_creator(struct lobby *lobby, struct table *table)
{
    struct player *creator = table->creator;

    if (creator == NULL)
        return;
    TAILQ_REMOVE(&creator->created, table, by_creator);
    creator->unfinished--;
    table->creator = NULL;
    player_release_unused(lobby->players, creator);
}

/* Frees a table that is in no list any more. */
static void table_free(struct lobby *lobby, struct table *table)
{
    while (!LIST_EMPTY(&table->watches))
        table_unwatch(LIST_FIRST(&table->watches));
    leave_creator(lobby, table);
    leave_seat(lobby, &table->seats[WHITE]);
    leave_seat(lobby, &table->seats[BLACK]);
    tdelete(table, &lobby->by_id, compare_ids);
    match_release(&table->match);
    free(table);
}

void lobby_release(struct lobby *lobby)
{
    struct table *table;

    while ((table = TAILQ_FIRST(&lobby->unfinished)) != NULL) {
        TAILQ_REMOVE(&lobby->unfinished, table, link);
        table_free(lobby, table);
    }
    while ((table = TAILQ_FIRST(&lobby->finished)) != NULL) {
        TAILQ_REMOVE(&lobby->finished, table, link);
        table_free(lobby, table);
    }
}

struct table *lobby_open(struct lobby *lobby, const struct game *game, const struct position *start,
                         bool is_private, struct player *creator, time_t date)
{
    struct table *table = calloc(1, sizeof *table);
    char secret[17];

    if (table == NULL)
        return NULL;
    random_hex(secret, 8);
    if (is_private)
        snprintf(table->id, sizeof table->id, "x%s", secret);
    else
        snprintf(table->id, sizeof table->id, "%" PRIu64, lobby->opened + 1);
    if (tsearch(table, &lobby->by_id, compare_ids) == NULL) {
        free(table);
        return NULL;
    }
    lobby->opened++;
    lobby->open++;
    table->is_private = is_private;
    table->date = date;
    LIST_INIT(&table->watches);
    for (int color = WHITE; color <= BLACK; color++)
        table->seats[color] = (struct seat){.table = table, .color = (uint8_t)color};
    match_init(&table->match, game, start);
    TAILQ_INSERT_TAIL(&lobby->unfinished, table, link);
    table->creator = creator;
    TAILQ_INSERT_TAIL(&creator->created, table, by_creator);
    creator->unfinished++;
    return table;
}

struct table *lobby_find(const struct lobby *lobby, const char *id)
{
    struct table wanted;

    if (strlen(id) >= sizeof wanted.id)
        return NULL;
    snprintf(wanted.id, sizeof wanted.id, "%s", id);
    struct table **found = tfind(&wanted, &lobby->by_id, compare_ids);
    return found != NULL ? *found : NULL;
}

void table_give_seat(struct table *table, enum color color, struct player *player, bool joined)
{
    struct seat *seat = &table->seats[color];

    assert(seat->player == NULL && table->match.status == MATCH_OPEN);
    seat->player = player;
    seat->joined = joined;
    TAILQ_INSERT_TAIL(&player->seats, seat, link);
}

void table_join_seat(struct table *table, enum color color)
{
    assert(table->seats[color].player != NULL && !table->seats[color].joined);
    table->seats[color].joined = true;
}

static unsigned seats_where(const struct table *table, const struct player *player, bool joined)
{
    unsigned seats = SEATS_NONE;

    for (int color = WHITE; color <= BLACK; color++)
        if (table->seats[color].player == player && table->seats[color].joined == joined)
            seats |= 1u << color;
    return seats;
}

unsigned table_seats_of(const struct table *table, const struct player *player)
{
    return seats_where(table, player, true);
}

unsigned table_challenges_of(const struct table *table, const struct player *player)
{
    return seats_where(table, player, false);
}

bool lobby_start_if_full(struct lobby *lobby, struct table *table, int64_t now_ms)
{
    struct seat *seats = table->seats;

    if (table->match.status != MATCH_OPEN || !seats[WHITE].joined || !seats[BLACK].joined)
        return false;
    lobby->open--;
    lobby->playing++;
    seats[WHITE].player->playing++;
    seats[BLACK].player->playing++;
    table->started = true;
    match_start(&table->match, now_ms);
    return true;
}

/* Frees the oldest finished tables beyond the limit, except the one that ended just now. */
static void forget_oldest(struct lobby *lobby, const struct table *newest)
{
    struct table *oldest;

    while (lobby->over > lobby->finished_max &&
           (oldest = TAILQ_FIRST(&lobby->finished)) != newest) {
        TAILQ_REMOVE(&lobby->finished, oldest, link);
        lobby->over--;
        table_free(lobby, oldest);
    }
}

void lobby_finish(struct lobby *lobby, struct table *table)
{
    assert(table->match.status == MATCH_OVER);
    if (table->started) {
        lobby->playing--;
        table->seats[WHITE].player->playing--;
        table->seats[BLACK].player->playing--;
    } else {
        lobby->open--;
    }
    lobby->over++;
    table->finished = true;
    for (int color = WHITE; color <= BLACK; color++) { /* his latest finished match stands last */
        struct seat *seat = &table->seats[color];
        if (seat->player == NULL)
            continue;
        TAILQ_REMOVE(&seat->player->seats, seat, link);
        TAILQ_INSERT_TAIL(&seat->player->seats, seat, link);
    }
    leave_creator(lobby, table);
    TAILQ_REMOVE(&lobby->unfinished, table, link);
    TAILQ_INSERT_TAIL(&lobby->finished, table, link);
    forget_oldest(lobby, table);
}

bool table_watch(struct table *table, struct session *session, struct watch_list *list)
{
    struct watch *watch = calloc(1, sizeof *watch);

    if (watch == NULL)
        return false;
    watch->table = table;
    watch->session = session;
    LIST_INSERT_HEAD(&table->watches, watch, by_table);
    LIST_INSERT_HEAD(list, watch, by_session);
    table->watcher_count++;
    return true;
}

struct watch *table_find_watch(const struct table *table, const struct watch_list *list)
{
    struct watch *watch;

    LIST_FOREACH (watch, list, by_session)
        if (watch->table == table)
            return watch;
    return NULL;
}

void table_unwatch(struct watch *watch)
{
    watch->table->watcher_count--;
    LIST_REMOVE(watch, by_table);
    LIST_REMOVE(watch, by_session);
    free(watch);
}
