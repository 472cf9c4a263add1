#include "lobby.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/xmalloc.h"

/* One of so many finished tables in memory may be without a move. */
enum { UNPLAYED_SHARE = 4 };

void lobby_init(struct lobby *lobby, struct origins *origins, int finished_max)
{
    *lobby = (struct lobby){.origins = origins, .finished_max = finished_max};
    TAILQ_INIT(&lobby->unfinished);
    TAILQ_INIT(&lobby->finished);
    TAILQ_INIT(&lobby->unplayed);
    TAILQ_INIT(&lobby->drafts);
    tournaments_init(&lobby->tournaments);
}

/* Frees a table that is in no list. */
static void table_free(struct lobby *lobby, struct table *table)
{
    while (!LIST_EMPTY(&table->watches))
        table_unwatch(LIST_FIRST(&table->watches));
    lock_destroy(&table->lock);
    deadline_clear(&lobby->deadlines, &table->deadline);
    match_release(&table->match);
    if (table->origin != NULL)
        origins_drop_match(lobby->origins, table->origin);
    lobby_note_asked(lobby, table, NULL);
    free(table->broken);
    free(table);
}

struct table *lobby_draft_stored(struct lobby *lobby, struct table *stored)
{
    struct table *table = xmalloc(sizeof *table);

    *table = *stored;
    stored->match.plies = NULL;
    stored->broken = NULL;
    table->creator = NULL;
    table->deadline.table = table;
    lock_init(&table->lock);
    LIST_INIT(&table->watches);
    for (int color = WHITE; color <= BLACK; color++)
        table->seats[color] = (struct seat){.table = table, .color = (uint8_t)color};
    TAILQ_INSERT_TAIL(&lobby->drafts, table, link);
    lobby->opening++;
    return table;
}

/* Adds +1 or -1 to the counts of unfinished matches that are limited. */
static void count_created(const struct table *table, int by)
{
    if (table->creator == NULL)
        return;
    table->creator->unfinished += by;
    if (table->origin != NULL)
        origin_count_unfinished(table->origin, by);
}

void lobby_set_creator(struct table *table, struct player *creator)
{
    table->creator = creator;
    player_hold(creator);
    count_created(table, +1);
}

void once_text(char text[ONCE_TEXT_MAX], const struct player *player, const char *key)
{
    snprintf(text, ONCE_TEXT_MAX, "%" PRId64 " %.*s", player->id, ONCE_KEY_MAX - 1, key);
}

struct table *lobby_draft(struct lobby *lobby, const struct table_plan *plan)
{
    struct table fresh = {.number = numbers_next(&lobby->numbers, lobby->opened),
                          .is_private = plan->is_private,
                          .casual = plan->casual,
                          .date = plan->date,
                          .changed_s = plan->date,
                          .origin = plan->origin};
    char secret[17];

    lobby->opened = fresh.number;
    random_hex(secret, 8);
    if (plan->is_private)
        snprintf(fresh.id, sizeof fresh.id, "x%s", secret);
    else
        snprintf(fresh.id, sizeof fresh.id, "%" PRId64, fresh.number);
    match_init(&fresh.match, plan->game, plan->start);
    fresh.match.clock = plan->clock;
    struct table *table = lobby_draft_stored(lobby, &fresh);
    if (plan->origin != NULL)
        origin_hold_match(plan->origin);
    if (plan->once != NULL)
        once_text(table->once, plan->creator, plan->once);
    if (plan->code != NULL)
        snprintf(table->code, sizeof table->code, "%s", plan->code);
    lobby_set_creator(table, plan->creator);
    return table;
}

/* Adds +1 or -1 to the counts of matches by status. */
static void count_table(struct lobby *lobby, const struct table *table, int by)
{
    if (table->broken != NULL) {
        lobby->broken += by;
        return;
    }
    if (table->match.status == MATCH_OVER)
        lobby->over += by;
    else if (table->match.status == MATCH_OPEN)
        lobby->open += by;
    if (table->match.status != MATCH_PLAYING)
        return;
    lobby->playing += by;
    for (int color = WHITE; color <= BLACK; color++) {
        if (!table->is_private)
            table->seats[color].player->playing += by;
        if (table->match.clock.base_ms > 0)
            table->seats[color].player->timed += by;
    }
}

static void list_finished(struct lobby *lobby, struct table *table)
{
    TAILQ_INSERT_TAIL(&lobby->finished, table, link);
    if (!table_is_unplayed(table))
        return;
    TAILQ_INSERT_TAIL(&lobby->unplayed, table, by_unplayed);
    lobby->unplayed_count++;
}

static void leave_drafts(struct lobby *lobby, struct table *table)
{
    TAILQ_REMOVE(&lobby->drafts, table, link);
    lobby->opening--;
}

void lobby_add(struct lobby *lobby, struct table *table)
{
    bool over = table->match.status == MATCH_OVER;

    leave_drafts(lobby, table);
    if (lobby->numbers.end == 0 && lobby->opened < table->number)
        lobby->opened = table->number;
    if (lobby->ended < table->ended)
        lobby->ended = table->ended;
    HASH_ADD_KEYPTR(by_id, lobby->by_id, table->id, strlen(table->id), table);
    if (table->once[0] != '\0')
        HASH_ADD_KEYPTR(by_once, lobby->by_once, table->once, strlen(table->once), table);
    for (int color = WHITE; color <= BLACK; color++) {
        struct seat *seat = &table->seats[color];
        if (seat->player != NULL)
            TAILQ_INSERT_TAIL(&seat->player->seats, seat, link);
    }
    struct player *creator = table->creator;
    if (creator != NULL && !over)
        TAILQ_INSERT_TAIL(&creator->created, table, by_creator);
    if (over) {
        count_created(table, -1);
        table->creator = NULL;
        list_finished(lobby, table);
    } else {
        TAILQ_INSERT_TAIL(&lobby->unfinished, table, link);
    }
    count_table(lobby, table, +1);
    table_let_go(table);
    if (creator != NULL)
        player_let_go(creator);
    if (lobby->observer.added != NULL)
        lobby->observer.added(lobby->observer.context, table);
}

bool lobby_is_opening(const struct lobby *lobby, int64_t number)
{
    const struct table *table;

    TAILQ_FOREACH (table, &lobby->drafts, link)
        if (table->number == number)
            return true;
    return false;
}

void lobby_discard(struct lobby *lobby, struct table *table)
{
    leave_drafts(lobby, table);
    if (table->number == lobby->opened && lobby->numbers.end == 0)
        lobby->opened--;
    if (table->ended != 0)
        lobby_return_end(lobby, table->ended);
    count_created(table, -1);
    table_let_go(table);
    player_let_go(table->creator);
    table_free(lobby, table);
}

void lobby_return_end(struct lobby *lobby, int64_t number)
{
    if (number == lobby->ended)
        lobby->ended--;
}

/* Gives the seats of a table to the players of a draft. */
static void settle_seats(struct table *table, const struct table *draft)
{
    for (int color = WHITE; color <= BLACK; color++) {
        struct seat *seat = &table->seats[color];
        struct player *player = draft->seats[color].player;
        seat->joined = draft->seats[color].joined;
        seat->was_open = draft->seats[color].was_open;
        if (seat->player == player)
            continue;
        if (seat->player != NULL)
            TAILQ_REMOVE(&seat->player->seats, seat, link);
        seat->player = player;
        if (player != NULL)
            TAILQ_INSERT_TAIL(&player->seats, seat, link);
    }
}

static void leave_creator(struct table *table)
{
    struct player *creator = table->creator;

    if (creator == NULL)
        return;
    count_created(table, -1);
    TAILQ_REMOVE(&creator->created, table, by_creator);
    table->creator = NULL;
    player_release_unused(creator);
}

/* Moves a table whose match has just ended: to the finished ones, and to the end of its players'
 * seats. */
static void finish(struct lobby *lobby, struct table *table)
{
    deadline_clear(&lobby->deadlines, &table->deadline);
    for (int color = WHITE; color <= BLACK; color++) {
        struct seat *seat = &table->seats[color];
        if (seat->player == NULL)
            continue;
        TAILQ_REMOVE(&seat->player->seats, seat, link);
        TAILQ_INSERT_TAIL(&seat->player->seats, seat, link);
    }
    leave_creator(table);
    TAILQ_REMOVE(&lobby->unfinished, table, link);
    list_finished(lobby, table);
}

void lobby_settle(struct lobby *lobby, struct table *table, struct table *draft)
{
    bool was_over = table->match.status == MATCH_OVER;

    count_table(lobby, table, -1);
    settle_seats(table, draft);
    match_settle(&table->match, &draft->match);
    table->version = draft->version;
    table->started = draft->started;
    table->ended = draft->ended;
    table->changed_s = draft->changed_s;
    table->kicked_count = draft->kicked_count;
    memcpy(table->kicked, draft->kicked, (size_t)draft->kicked_count * sizeof table->kicked[0]);
    memcpy(table->rated, draft->rated, sizeof table->rated);
    count_table(lobby, table, +1);
    if (table->match.status == MATCH_OVER && !was_over)
        finish(lobby, table);
    table_drop(draft);
}

void lobby_note_asked(struct lobby *lobby, struct table *table, struct origin *origin)
{
    if (origin != NULL)
        origin_hold_match(origin);
    if (table->asked_from != NULL)
        origins_drop_match(lobby->origins, table->asked_from);
    table->asked_from = origin;
}

struct table *lobby_find(const struct lobby *lobby, const char *id)
{
    struct table *table;

    HASH_FIND(by_id, lobby->by_id, id, strlen(id), table);
    return table;
}

struct table *lobby_find_once(const struct lobby *lobby, const struct player *player,
                              const char *key)
{
    char text[ONCE_TEXT_MAX];
    struct table *table;

    once_text(text, player, key);
    HASH_FIND(by_once, lobby->by_once, text, strlen(text), table);
    return table;
}

/* Removes and frees a table that is in neither list. */
static void remove_table(struct lobby *lobby, struct table *table)
{
    if (lobby->observer.leaves != NULL)
        lobby->observer.leaves(lobby->observer.context, table);
    HASH_DELETE(by_id, lobby->by_id, table);
    if (table->once[0] != '\0')
        HASH_DELETE(by_once, lobby->by_once, table);
    if (table_is_unplayed(table)) {
        TAILQ_REMOVE(&lobby->unplayed, table, by_unplayed);
        lobby->unplayed_count--;
    }
    leave_creator(table);
    for (int color = WHITE; color <= BLACK; color++) {
        struct seat *seat = &table->seats[color];
        struct player *player = seat->player;
        if (player == NULL)
            continue;
        TAILQ_REMOVE(&player->seats, seat, link);
        seat->player = NULL;
        player_release_unused(player);
    }
    table_free(lobby, table);
}

bool lobby_has_number(const struct lobby *lobby)
{
    return numbers_left(&lobby->numbers, lobby->opened);
}

void lobby_forget(struct lobby *lobby, struct table *table)
{
    count_table(lobby, table, -1);
    TAILQ_REMOVE(table->match.status == MATCH_OVER ? &lobby->finished : &lobby->unfinished, table,
                 link);
    remove_table(lobby, table);
}

/* False when the table is locked: later, then. */
static bool evict(struct lobby *lobby, struct table *table)
{
    bool locked = table->lock.owner != NULL;

    if (!locked)
        lobby_forget(lobby, table);
    return !locked;
}

void lobby_trim(struct lobby *lobby)
{
    int unplayed_max = (lobby->finished_max + UNPLAYED_SHARE - 1) / UNPLAYED_SHARE;

    while (lobby->unplayed_count > unplayed_max && evict(lobby, TAILQ_FIRST(&lobby->unplayed)))
        ;
    while (lobby->over > lobby->finished_max && evict(lobby, TAILQ_FIRST(&lobby->finished)))
        ;
}

void lobby_release(struct lobby *lobby)
{
    struct table *table;

    TAILQ_CONCAT(&lobby->finished, &lobby->unfinished, link);
    while ((table = TAILQ_FIRST(&lobby->finished)) != NULL) {
        TAILQ_REMOVE(&lobby->finished, table, link);
        remove_table(lobby, table);
    }
    deadlines_release(&lobby->deadlines);
    tournaments_release(&lobby->tournaments);
}
