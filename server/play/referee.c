#include "referee.h"

#include "announce.h"
#include "due.h"
#include "rate_limit.h"
#include "settle.h"

enum { GUESTS_A_TICK = 100, HOUR_MS = 3600000 };

static const struct outcome aborted = {RESULT_NONE, REASON_ABORTED};

/* Nobody loses against themselves: such a match is aborted. */
static struct outcome lost_by(const struct table *table, enum color loser)
{
    if (table->seats[WHITE].player == table->seats[BLACK].player)
        return aborted;
    return (struct outcome){result_win(!loser), REASON_FORFEIT};
}

/* Takes a unit in which a match ends. False, and drops it, when a player of the match is in another
 * unit. */
static bool settle_ending(struct server *server, struct unit *unit)
{
    struct lobby *lobby = &server->lobby;

    bool blocked = conclude(unit, lobby, server->now_ms, server->wall_s) != NULL;
    if (blocked) {
        settle_now(server);
        blocked = conclude(unit, lobby, server->now_ms, server->wall_s) != NULL;
    }
    if (blocked)
        unit_free(unit, lobby);
    else
        settle_add(server, unit);
    return !blocked;
}

/* Ends a match that is not over, in a unit of its own. False as settle_ending(). */
static bool end_match(struct server *server, struct table *table, struct outcome outcome)
{
    struct unit *unit = unit_new();

    match_end(&unit_edit(unit, table)->match, outcome, server->now_ms);
    return settle_ending(server, unit);
}

void referee_free_seat(struct table *draft, enum color color)
{
    const struct session *session = latest_session_of(draft->seats[color].player);

    table_free_seat(draft, color, session != NULL ? rate_limit_origin(session) : NULL);
}

/* Acts on an expired deadline, in a unit of its own. False as settle_ending(). */
static bool fire_due(struct server *server, struct table *table, enum due due)
{
    struct unit *unit = unit_new();
    struct table *next = unit_edit(unit, table);
    enum color to_move = table->match.position.side;

    switch (due) {
    case DUE_NOTHING:
    case DUE_TELLING:
        break;
    case DUE_TIMEOUT:
        match_timeout(&next->match, server->now_ms);
        break;
    case DUE_FIRST_MOVE:
        referee_free_seat(next, to_move);
        break;
    case DUE_STALL:
        match_end(&next->match, lost_by(table, to_move), server->now_ms);
        break;
    case DUE_WHITE:
    case DUE_BLACK:
        match_end(&next->match, lost_by(table, due == DUE_WHITE ? WHITE : BLACK), server->now_ms);
        break;
    case DUE_BEGIN:
    case DUE_ABANDON:
        match_end(&next->match, aborted, server->now_ms);
        break;
    }
    return settle_ending(server, unit);
}

void referee_enforce(struct server *server, struct table *table)
{
    struct deadlines *deadlines = &server->lobby.deadlines;

    if (table->deadline.place == 0 || table->deadline.at_ms > server->now_ms)
        return;
    if (table->lock.owner != NULL) {
        deadline_clear(deadlines, &table->deadline);
        return;
    }
    struct next_due next = due_next(server, table);
    if (next.at_ms > server->now_ms) {
        due_watch(server, table);
        return;
    }
    if (next.due == DUE_TELLING) {
        table->told_s = table->changed_s;
        announce_state(server, table, false);
        due_watch(server, table);
        return;
    }
    deadline_clear(deadlines, &table->deadline);
    if (!fire_due(server, table, next.due))
        deadline_set(deadlines, &table->deadline, server->now_ms + RETRY_SOON_MS);
}

enum status referee_may_claim(const struct server *server, const struct table *table,
                              unsigned seats, struct cause *cause)
{
    enum status status = match_must_be_playing(&table->match, seats);
    struct instant instant = server_instant(server);

    if (status != STATUS_OK)
        return status;
    if (seats == SEATS_BOTH) {
        cause_set(cause, "both seats are yours");
        return STATUS_NOT_ALLOWED;
    }
    const struct player *other = table->seats[seats == SEATS_WHITE ? BLACK : WHITE].player;
    int64_t claim_ms = player_claim_ms(other, &instant);
    int64_t stall_ms = seat_stall_ms(&table->seats[seats == SEATS_WHITE ? BLACK : WHITE], &instant);
    if (stall_ms == 0)
        return STATUS_OK;
    if (claim_ms < 0 && stall_ms > 0 && stall_ms <= stall_told_ms(&instant))
        cause_set(cause, "%s is here, and may think for %lld h more: claim then", other->name,
                  (long long)(stall_ms + HOUR_MS - 1) / HOUR_MS);
    else if (claim_ms < 0)
        cause_set(cause, "%s is here", other->name);
    else if (claim_ms > 0)
        cause_set(cause, "%s may still come back: claim in %lld s", other->name,
                  (long long)(claim_ms + 999) / 1000);
    return claim_ms == 0 ? STATUS_OK : STATUS_NOT_ALLOWED;
}

/* Returns whether the table can be ended now; if not, only because of its lock, that is done later.
 */
static bool can_end(struct server *server, const struct table *table)
{
    if (table->match.status == MATCH_OVER || table->broken != NULL)
        return false;
    if (table->lock.owner != NULL)
        server->guests_wait = true;
    return table->lock.owner == NULL;
}

static struct seat *first_seat_to_end(struct server *server, struct player *guest)
{
    struct seat *seat;

    TAILQ_FOREACH (seat, &guest->seats, link)
        if (can_end(server, seat->table))
            return seat;
    return NULL;
}

static struct table *first_table_to_end(struct server *server, struct player *guest)
{
    struct table *table;

    TAILQ_FOREACH (table, &guest->created, by_creator)
        if (table_is_openers_own(table) && can_end(server, table))
            return table;
    return NULL;
}

/* A guest cannot come back, so what waits for them ends: it is lost if it has really begun. Each
 * match that ends is locked or over, and may have moved others in the lists, so each look begins
 * anew. */
static void end_matches_of(struct server *server, struct player *guest)
{
    struct seat *seat;
    struct table *table;
    bool good = true;

    player_hold(guest);
    while (good && (seat = first_seat_to_end(server, guest)) != NULL) {
        struct table *left = seat->table;
        bool begun = left->match.status == MATCH_PLAYING && match_both_have_moved(&left->match);
        good = end_match(server, left, begun ? lost_by(left, seat->color) : aborted);
    }
    while (good && (table = first_table_to_end(server, guest)) != NULL)
        good = end_match(server, table, aborted);
    server->guests_wait |= !good;
    player_let_go(guest);
}

void referee_gone(struct server *server, struct player *player)
{
    if (player->kind == PLAYER_GUEST) {
        end_matches_of(server, player);
        return;
    }
    announce_presence(server, player);
    due_watch_all_of(server, player);
}

/* The first guest who is gone and whose match is not in a unit; *some: there is any at all. */
static struct player *first_gone_guest(const struct server *server, bool *some)
{
    struct table *table;

    *some = false;
    TAILQ_FOREACH (table, &server->lobby.unfinished, link) {
        struct player *guest = table_gone_guest(table);
        *some = *some || guest != NULL;
        if (guest != NULL && table->lock.owner == NULL)
            return guest;
    }
    return NULL;
}

void referee_gone_late(struct server *server)
{
    struct player *guest;
    bool some = true;

    for (int i = 0; i < GUESTS_A_TICK && (guest = first_gone_guest(server, &some)) != NULL; i++)
        referee_gone(server, guest);
    server->guests_wait = some;
}

/* The open match that is here longest and whose people are all away; NULL: there is none. */
static struct table *first_deserted(const struct server *server)
{
    struct table *table;

    TAILQ_FOREACH (table, &server->lobby.unfinished, link)
        if (table->lock.owner == NULL && due_is_deserted(table))
            return table;
    return NULL;
}

bool referee_can_make_room(const struct server *server)
{
    return first_deserted(server) != NULL;
}

bool referee_make_room(struct server *server)
{
    struct table *table = first_deserted(server);

    return table != NULL && end_match(server, table, aborted);
}

void referee_take_up(struct server *server)
{
    struct table *table, *next;

    for (table = TAILQ_FIRST(&server->lobby.unfinished); table != NULL; table = next) {
        next = TAILQ_NEXT(table, link);
        if (table_gone_guest(table) != NULL)
            end_match(server, table, aborted);
        else
            due_watch(server, table);
    }
}
