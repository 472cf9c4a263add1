#include "table.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/xmalloc.h"

struct table *table_draft(struct table *table)
{
    assert(table->broken == NULL);
    struct table *draft = xmalloc(sizeof *draft);
    size_t kicked = (size_t)table->kicked_count * sizeof table->kicked[0];

    memcpy(draft, table, offsetof(struct table, kicked) + kicked); /* hardly ever any */
    draft->match = match_draft(&table->match);
    for (int color = WHITE; color <= BLACK; color++) {
        draft->seats[color].table = draft;
        if (draft->seats[color].player != NULL)
            player_hold(draft->seats[color].player);
    }
    return draft;
}

void table_let_go(struct table *table)
{
    for (int color = WHITE; color <= BLACK; color++) {
        struct seat *seat = &table->seats[color];
        if (seat->player == NULL)
            continue;
        seat->player->drafted -= seat->is_drafted;
        seat->is_drafted = false;
        player_let_go(seat->player);
    }
}

void table_drop(struct table *draft)
{
    match_release(&draft->match);
    table_let_go(draft);
    free(draft);
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

const char *seat_name(const struct seat *seat)
{
    return seat->player != NULL ? seat->player->name : NULL;
}

int64_t seat_claim_ms(const struct seat *seat, const struct instant *instant)
{
    return seat->table->match.status == MATCH_PLAYING ? player_claim_ms(seat->player, instant) : -1;
}

static int64_t stall_limit_ms(const struct instant *instant)
{
    return instant->stall_days * INT64_C(86400000);
}

int64_t seat_stall_ms(const struct seat *seat, const struct instant *instant)
{
    const struct table *table = seat->table;
    const struct match *match = &table->match;
    const struct seat *other = &table->seats[!seat->color];

    if (match->status != MATCH_PLAYING || match->clock.runs || table->tournament != 0 ||
        match->position.side != seat->color || table->broken != NULL || instant->stall_days == 0 ||
        seat->player->bot || other->player == seat->player)
        return -1;
    int64_t left_ms =
        stall_limit_ms(instant) - ((int64_t)instant->wall_s - table->changed_s) * 1000;
    return left_ms > 0 ? left_ms : 0;
}

int64_t stall_told_ms(const struct instant *instant)
{
    return stall_limit_ms(instant) / 2;
}

bool table_has_moved(const struct table *table, const struct table *draft)
{
    bool same = table->match.ply_count == draft->match.ply_count &&
                table->match.status == draft->match.status;

    for (int color = WHITE; color <= BLACK; color++)
        same = same && table->seats[color].player == draft->seats[color].player &&
               table->seats[color].joined == draft->seats[color].joined;
    return !same;
}

void table_set_seat(struct table *table, enum color color, struct player *player, bool joined)
{
    struct seat *seat = &table->seats[color];

    assert(seat->player == NULL);
    seat->player = player;
    seat->joined = joined;
    player_hold(player);
}

void table_give_seat(struct table *draft, enum color color, struct player *player, bool joined)
{
    struct seat *seat = &draft->seats[color];

    assert(draft->match.status == MATCH_OPEN && !seat->joined);
    if (seat->player != player) {
        table_set_seat(draft, color, player, joined);
        seat->is_drafted = draft->seats[!color].player != player; /* both are one match */
        player->drafted += seat->is_drafted;
    }
    seat->joined = joined;
    draft->match.revision++;
}

/* Remembers who has lost their seat; the oldest makes room. */
static void note_kicked(struct table *draft, const struct player *player,
                        const struct origin *origin)
{
    struct kicked kicked = {.player = player->id, .is_guest = player->kind == PLAYER_GUEST};

    if (kicked.is_guest && origin != NULL)
        kicked.from = origin->key;
    if (draft->kicked_count == KICKED_MAX)
        memmove(draft->kicked, draft->kicked + 1, (size_t)--draft->kicked_count * sizeof kicked);
    draft->kicked[draft->kicked_count++] = kicked;
}

void table_free_seat(struct table *draft, enum color color, const struct origin *origin)
{
    struct seat *seat = &draft->seats[color];

    assert(seat->was_open);
    note_kicked(draft, seat->player, origin);
    player_let_go(seat->player);
    seat->player = NULL;
    seat->joined = seat->was_open = draft->started = false;
    draft->match.revision++;
    if (draft->match.status == MATCH_PLAYING)
        match_reopen(&draft->match);
}

bool table_is_kicked(const struct table *table, const struct player *player,
                     const struct origin *origin)
{
    static const struct origin_key nowhere;

    for (int i = 0; i < table->kicked_count; i++) {
        const struct origin_key *from = &table->kicked[i].from;
        if (table->kicked[i].player == player->id ||
            (origin != NULL && memcmp(from, &nowhere, sizeof nowhere) != 0 &&
             memcmp(from, &origin->key, sizeof *from) == 0))
            return true;
    }
    return false;
}

void table_make_casual(struct table *draft)
{
    if (draft->casual)
        return;
    draft->casual = true;
    draft->match.revision++;
}

bool table_can_be_rated(const struct table *table)
{
    const struct player *white = table->seats[WHITE].player, *black = table->seats[BLACK].player;

    return !table->casual && white != NULL && black != NULL && white != black &&
           white->kind != PLAYER_GUEST && black->kind != PLAYER_GUEST &&
           (match_is_from_start(&table->match) || table->tournament != 0);
}

static unsigned seats_where(const struct table *table, const struct player *player, bool joined)
{
    unsigned seats = SEATS_NONE;

    for (int color = WHITE; color <= BLACK; color++)
        if (table->seats[color].player == player && table->seats[color].joined == joined &&
            table->broken == NULL)
            seats |= 1u << color;
    return seats;
}

bool table_is_unplayed(const struct table *table)
{
    return table->match.status == MATCH_OVER && table->match.ply_count == 0;
}

unsigned table_seats_of(const struct table *table, const struct player *player)
{
    return seats_where(table, player, true);
}

unsigned table_challenges_of(const struct table *table, const struct player *player)
{
    return seats_where(table, player, false);
}

static bool is_house_seat(const struct seat *seat)
{
    return seat->player != NULL && seat->player->kind == PLAYER_HOUSE;
}

bool table_is_openers_own(const struct table *table)
{
    return table->match.status == MATCH_OPEN ||
           (is_house_seat(&table->seats[WHITE]) && is_house_seat(&table->seats[BLACK]));
}

static bool is_gone_guest(const struct player *player)
{
    return player != NULL && player->kind == PLAYER_GUEST && !player_is_connected(player) &&
           player->elsewhere == NULL;
}

struct player *table_gone_guest(const struct table *table)
{
    if (table->broken != NULL)
        return NULL;
    for (int color = WHITE; color <= BLACK; color++)
        if (is_gone_guest(table->seats[color].player))
            return table->seats[color].player;
    return is_gone_guest(table->creator) && table_is_openers_own(table) ? table->creator : NULL;
}

void table_watch(struct table *table, struct session *session, struct watch_list *list)
{
    struct watch *watch = xcalloc(1, sizeof *watch);

    watch->table = table;
    watch->session = session;
    LIST_INSERT_HEAD(&table->watches, watch, by_table);
    LIST_INSERT_HEAD(list, watch, by_session);
    table->watcher_count++;
}

struct watch *table_find_watch(const struct table *table, const struct watch_list *list)
{
    struct watch *watch;

    LIST_FOREACH (watch, list, by_session)
        if (watch->table == table)
            return watch;
    return NULL;
}

int watch_count(const struct watch_list *list)
{
    const struct watch *watch;
    int count = 0;

    LIST_FOREACH (watch, list, by_session)
        count++;
    return count;
}

void table_unwatch(struct watch *watch)
{
    watch->table->watcher_count--;
    LIST_REMOVE(watch, by_table);
    LIST_REMOVE(watch, by_session);
    free(watch);
}

void deadlines_release(struct deadlines *deadlines)
{
    free(deadlines->heap);
    *deadlines = (struct deadlines){0};
}

static void put_deadline(struct deadlines *deadlines, int place, struct deadline *deadline)
{
    deadlines->heap[place - 1] = deadline;
    deadline->place = place;
}

static int64_t time_at(const struct deadlines *deadlines, int place)
{
    return deadlines->heap[place - 1]->at_ms;
}

/* Puts a deadline at a free place, or as far above as it belongs. */
static void raise_deadline(struct deadlines *deadlines, int place, struct deadline *deadline)
{
    while (place > 1 && deadline->at_ms < time_at(deadlines, place / 2)) {
        put_deadline(deadlines, place, deadlines->heap[place / 2 - 1]);
        place /= 2;
    }
    put_deadline(deadlines, place, deadline);
}

/* Puts a deadline at a free place, or as far below as it belongs. */
static void sink_deadline(struct deadlines *deadlines, int place, struct deadline *deadline)
{
    for (int child; (child = 2 * place) <= deadlines->count; place = child) {
        if (child < deadlines->count && time_at(deadlines, child + 1) < time_at(deadlines, child))
            child++;
        if (deadline->at_ms <= time_at(deadlines, child))
            break;
        put_deadline(deadlines, place, deadlines->heap[child - 1]);
    }
    put_deadline(deadlines, place, deadline);
}

/* Puts a deadline where it belongs, from a free place on. */
static void place_deadline(struct deadlines *deadlines, int place, struct deadline *deadline)
{
    raise_deadline(deadlines, place, deadline);
    sink_deadline(deadlines, deadline->place, deadline);
}

void deadline_set(struct deadlines *deadlines, struct deadline *deadline, int64_t at_ms)
{
    if (deadline->place == 0) {
        if (deadlines->count == deadlines->capacity) {
            deadlines->capacity = deadlines->capacity * 2 + 64;
            deadlines->heap = xreallocarray(deadlines->heap, (size_t)deadlines->capacity,
                                            sizeof(struct deadline *));
        }
        deadline->place = ++deadlines->count;
    }
    deadline->at_ms = at_ms;
    place_deadline(deadlines, deadline->place, deadline);
}

void deadline_clear(struct deadlines *deadlines, struct deadline *deadline)
{
    int place = deadline->place;

    if (place == 0)
        return;
    struct deadline *last = deadlines->heap[--deadlines->count];
    deadline->place = 0;
    if (last != deadline)
        place_deadline(deadlines, place, last);
}

struct deadline *deadlines_first(const struct deadlines *deadlines)
{
    return deadlines->count > 0 ? deadlines->heap[0] : NULL;
}
