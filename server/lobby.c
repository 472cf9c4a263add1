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

void lobby_init(struct lobby *lobby, struct players *players, struct origins *origins,
                int finished_max)
{
    *lobby = (struct lobby){.players = players, .origins = origins, .finished_max = finished_max};
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

static void give_creator(struct table *table, struct player *creator)
{
    table->creator = creator;
    if (creator == NULL)
        return;
    TAILQ_INSERT_TAIL(&creator->created, table, by_creator);
    creator->unfinished++;
    if (table->origin != NULL)
        table->origin->unfinished++;
}

/* Nobody is answerable for the table any more. Who was, or NULL. */
static struct player *take_creator(struct table *table)
{
    struct player *creator = table->creator;

    if (creator == NULL)
        return NULL;
    TAILQ_REMOVE(&creator->created, table, by_creator);
    creator->unfinished--;
    if (table->origin != NULL)
        table->origin->unfinished--;
    table->creator = NULL;
    return creator;
}

static void leave_creator(struct lobby *lobby, struct table *table)
{
    struct player *creator = take_creator(table);

    if (creator != NULL)
        player_release_unused(lobby->players, creator);
}

void lobby_note_asked(struct lobby *lobby, struct table *table, struct origin *origin)
{
    if (origin != NULL)
        origin_hold_match(origin);
    if (table->asked_from != NULL)
        origins_drop_match(lobby->origins, table->asked_from);
    table->asked_from = origin;
}

/* Frees a table that is in no list any more. */
static void table_free(struct lobby *lobby, struct table *table)
{
    while (!LIST_EMPTY(&table->watches))
        table_unwatch(LIST_FIRST(&table->watches));
    leave_creator(lobby, table);
    leave_seat(lobby, &table->seats[WHITE]);
    leave_seat(lobby, &table->seats[BLACK]);
    deadline_clear(&lobby->deadlines, &table->deadline);
    tdelete(table, &lobby->by_id, compare_ids);
    match_release(&table->match);
    if (table->origin != NULL)
        origins_drop_match(lobby->origins, table->origin);
    lobby_note_asked(lobby, table, NULL);
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
    deadlines_release(&lobby->deadlines);
}

/* A table that nobody sits at, in none of the lists. NULL when memory ran out. */
static struct table *table_new(struct lobby *lobby, const char *id, int64_t number)
{
    struct table *table = calloc(1, sizeof *table);

    if (table == NULL)
        return NULL;
    snprintf(table->id, sizeof table->id, "%s", id);
    table->number = number;
    table->deadline.table = table;
    LIST_INIT(&table->watches);
    for (int color = WHITE; color <= BLACK; color++)
        table->seats[color] = (struct seat){.table = table, .color = (uint8_t)color};
    if (tsearch(table, &lobby->by_id, compare_ids) != NULL)
        return table;
    free(table);
    return NULL;
}

struct table *lobby_open(struct lobby *lobby, const struct game *game, const struct position *start,
                         bool is_private, struct player *creator, struct origin *origin,
                         time_t date)
{
    char id[TABLE_ID_MAX], secret[17];

    random_hex(secret, 8);
    if (is_private)
        snprintf(id, sizeof id, "x%s", secret);
    else
        snprintf(id, sizeof id, "%" PRId64, lobby->opened + 1);
    struct table *table = table_new(lobby, id, lobby->opened + 1);
    if (table == NULL)
        return NULL;
    lobby->opened++;
    lobby->open++;
    table->is_private = is_private;
    table->date = table->changed_s = date;
    match_init(&table->match, game, start);
    table->origin = origin;
    if (origin != NULL)
        origin_hold_match(origin);
    TAILQ_INSERT_TAIL(&lobby->unfinished, table, link);
    give_creator(table, creator);
    return table;
}

struct table_label table_label(const struct table *table)
{
    struct table_label label;

    if (table->is_private)
        snprintf(label.text, sizeof label.text, "private-%" PRId64, table->number);
    else
        snprintf(label.text, sizeof label.text, "%s", table->id);
    return label;
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
    table->match.revision++;
    TAILQ_INSERT_TAIL(&player->seats, seat, link);
}

void table_join_seat(struct table *table, enum color color)
{
    assert(table->seats[color].player != NULL && !table->seats[color].joined);
    table->seats[color].joined = true;
    table->match.revision++;
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

/* Counts a match that runs, by +1 or -1, where its players are counted. */
static void count_playing(const struct table *table, int by)
{
    for (int color = WHITE; color <= BLACK; color++) {
        if (!table->is_private)
            table->seats[color].player->playing += by;
        if (table->match.clock.base_ms > 0)
            table->seats[color].player->timed += by;
    }
}

bool lobby_start_if_full(struct lobby *lobby, struct table *table, int64_t now_ms)
{
    struct seat *seats = table->seats;

    if (table->match.status != MATCH_OPEN || !seats[WHITE].joined || !seats[BLACK].joined)
        return false;
    lobby->open--;
    lobby->playing++;
    count_playing(table, +1);
    table->started = true;
    match_start(&table->match, now_ms);
    return true;
}

void lobby_finish(struct lobby *lobby, struct table *table)
{
    assert(table->match.status == MATCH_OVER);
    if (table->started) {
        lobby->playing--;
        count_playing(table, -1);
    } else {
        lobby->open--;
    }
    lobby->over++;
    table->finished = true;
    table->ended = ++lobby->ended;
    table->match.revision++;
    deadline_clear(&lobby->deadlines, &table->deadline);
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
}

void lobby_trim(struct lobby *lobby)
{
    while (lobby->over > lobby->finished_max) {
        struct table *oldest = TAILQ_FIRST(&lobby->finished);
        TAILQ_REMOVE(&lobby->finished, oldest, link);
        lobby->over--;
        table_free(lobby, oldest);
    }
}

bool table_save(const struct table *table, struct table_copy *copy)
{
    *copy = (struct table_copy){.creator = table->creator,
                                .finished = table->finished,
                                .started = table->started,
                                .ended = table->ended,
                                .changed_s = table->changed_s};
    for (int color = WHITE; color <= BLACK; color++) {
        copy->players[color] = table->seats[color].player;
        copy->joined[color] = table->seats[color].joined;
        copy->rated[color] = table->rated[color];
    }
    return match_copy(&table->match, &copy->match);
}

void table_copy_release(struct table_copy *copy)
{
    match_release(&copy->match);
}

/* Where the table is counted. */
static int *count_of(struct lobby *lobby, const struct table *table)
{
    if (table->finished)
        return &lobby->over;
    return table->started ? &lobby->playing : &lobby->open;
}

static bool is_playing(const struct table *table)
{
    return table->started && !table->finished;
}

/* Whether both are over, and `table` ended after `other`. */
static bool ended_after(const struct table *table, const struct table *other)
{
    return table->finished && other->finished && table->ended > other->ended;
}

/* Among the unfinished ones by number, among the finished ones as they ended. */
static void insert_table(struct lobby *lobby, struct table *table)
{
    struct table_list *list = table->finished ? &lobby->finished : &lobby->unfinished;
    struct table *before;

    TAILQ_FOREACH_REVERSE (before, list, table_list, link)
        if (table->finished ? !ended_after(before, table) : before->number < table->number)
            break;
    if (before != NULL)
        TAILQ_INSERT_AFTER(list, before, table, link);
    else
        TAILQ_INSERT_HEAD(list, table, link);
}

/* Last, but before those of matches that have ended later: his latest finished one stands last. */
static void insert_seat(struct player *player, struct seat *seat)
{
    struct seat *before;

    TAILQ_FOREACH_REVERSE (before, &player->seats, seat_list, link)
        if (!ended_after(before->table, seat->table))
            break;
    if (before != NULL)
        TAILQ_INSERT_AFTER(&player->seats, before, seat, link);
    else
        TAILQ_INSERT_HEAD(&player->seats, seat, link);
}

/* Gives a table without people and lists what the copy says. */
static void attach(struct lobby *lobby, struct table *table, struct table_copy *copy)
{
    table->match = copy->match;
    copy->match.plies = NULL;
    table->finished = copy->finished;
    table->started = copy->started;
    table->ended = copy->ended;
    table->changed_s = copy->changed_s;
    for (int color = WHITE; color <= BLACK; color++) {
        struct seat *seat = &table->seats[color];
        seat->player = copy->players[color];
        seat->joined = copy->joined[color];
        table->rated[color] = copy->rated[color];
        if (seat->player != NULL)
            insert_seat(seat->player, seat);
    }
    give_creator(table, copy->creator);
    insert_table(lobby, table);
    ++*count_of(lobby, table);
    if (is_playing(table))
        count_playing(table, +1);
}

/* Takes the table out of all lists; its people are not released. */
static void detach(struct lobby *lobby, struct table *table)
{
    if (is_playing(table))
        count_playing(table, -1);
    --*count_of(lobby, table);
    deadline_clear(&lobby->deadlines, &table->deadline);
    if (table->finished)
        TAILQ_REMOVE(&lobby->finished, table, link);
    else
        TAILQ_REMOVE(&lobby->unfinished, table, link);
    for (int color = WHITE; color <= BLACK; color++) {
        struct seat *seat = &table->seats[color];
        if (seat->player != NULL)
            TAILQ_REMOVE(&seat->player->seats, seat, link);
        seat->player = NULL;
    }
    take_creator(table);
}

/* Those who were at a table that was detached may not be needed any more. */
static void release_people(struct lobby *lobby, struct player *people[3])
{
    for (int i = 0; i < 3; i++) {
        bool again = i > 0 && (people[i] == people[0] || (i > 1 && people[i] == people[1]));
        if (people[i] != NULL && !again)
            player_release_unused(lobby->players, people[i]);
    }
}

void lobby_restore(struct lobby *lobby, struct table *table, struct table_copy *copy)
{
    struct player *people[3] = {table->seats[WHITE].player, table->seats[BLACK].player,
                                table->creator};

    detach(lobby, table);
    if (table->ended != 0 && table->ended == lobby->ended && !copy->finished)
        lobby->ended--;
    match_release(&table->match);
    attach(lobby, table, copy);
    release_people(lobby, people);
}

void lobby_remove(struct lobby *lobby, struct table *table)
{
    struct player *people[3] = {table->seats[WHITE].player, table->seats[BLACK].player,
                                table->creator};

    detach(lobby, table);
    if (table->ended != 0 && table->ended == lobby->ended)
        lobby->ended--;
    if (table->number == lobby->opened)
        lobby->opened--;
    table_free(lobby, table);
    release_people(lobby, people);
}

struct table *lobby_add(struct lobby *lobby, const char *id, int64_t number, bool is_private,
                        time_t date, struct table_copy *copy)
{
    struct table *table = table_new(lobby, id, number);

    if (table == NULL)
        return NULL;
    table->is_private = is_private;
    table->date = date;
    attach(lobby, table, copy);
    if (lobby->opened < number)
        lobby->opened = number;
    if (lobby->ended < copy->ended)
        lobby->ended = copy->ended;
    return table;
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
