#include "referee.h"

#include "announce.h"
#include "session.h"
#include "turn.h"

enum { RETRY_MS = 1000, DAY_S = 86400 };

enum due { DUE_NOTHING, DUE_TIMEOUT, DUE_STALL, DUE_ABANDON };

/* What happens next at a table by itself, and when. */
struct next {
    enum due due;
    int64_t at_ms; /* INT64_MAX with DUE_NOTHING */
};

static const struct player *player_to_move(const struct table *table)
{
    return table->seats[table->match.position.side].player;
}

/* When the bot whose turn it is has taken too long. Where a clock runs, that is enough. */
static int64_t stall_ms(const struct server *server, const struct table *table)
{
    const struct match *match = &table->match;

    if (match->status != MATCH_PLAYING || match->clock.runs || !player_to_move(table)->bot)
        return INT64_MAX;
    return match->turn_ms + server->limits.bot_stall_s * 1000LL;
}

/* Whether the match waits for this player and he is here; if he is not, *since_s moves on to when
 * he was. House bots are always there and keep nothing waiting. */
static bool attends(const struct player *player, time_t *since_s)
{
    if (player == NULL || player->kind == PLAYER_HOUSE)
        return false;
    if (player_is_here(player))
        return true;
    if (player->seen_s > *since_s)
        *since_s = player->seen_s;
    return false;
}

/* When the match, which nobody attends, has waited long enough. Counted by the calendar, so that
 * days in which the server was down count as well; but since it began all have the grace time to
 * come back, as a server that was killed does not know when they were here last. */
static int64_t abandon_ms(const struct server *server, const struct table *table)
{
    time_t since_s = table->changed_s;
    bool attended = table->match.status == MATCH_OPEN && attends(table->creator, &since_s);

    for (int color = WHITE; color <= BLACK; color++) {
        const struct seat *seat = &table->seats[color];
        attended = (seat->joined && attends(seat->player, &since_s)) || attended;
    }
    if (attended || table->match.clock.runs)
        return INT64_MAX;
    int64_t left_s = since_s + (int64_t)server->limits.abandon_days * DAY_S - server->wall_s;
    int64_t at_ms = server->now_ms + left_s * 1000; /* far below 0 if it was due long ago */
    int64_t soonest_ms = server->started_ms + server->limits.grace_s * 1000LL;
    return at_ms > soonest_ms ? at_ms : soonest_ms;
}

static struct next find_next(const struct server *server, const struct table *table)
{
    struct next next = {DUE_NOTHING, INT64_MAX};

    if (table->match.status == MATCH_OVER)
        return next;
    const struct next all[] = {{DUE_TIMEOUT, clock_flag_ms(&table->match.clock)},
                               {DUE_STALL, stall_ms(server, table)},
                               {DUE_ABANDON, abandon_ms(server, table)}};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        if (all[i].at_ms < next.at_ms)
            next = all[i];
    return next;
}

static void set_deadline(struct server *server, struct table *table, struct next next)
{
    struct deadlines *deadlines = &server->lobby.deadlines;

    if (next.due == DUE_NOTHING)
        deadline_clear(deadlines, &table->deadline);
    else
        deadline_set(deadlines, &table->deadline, next.at_ms);
}

static void forgive_lag(struct table *table)
{
    const struct player *player = player_to_move(table);

    if (table->match.clock.runs)
        clock_forgive(&table->match.clock, player_is_here(player) ? player->session->lag_ms : 0);
}

void referee_watch(struct server *server, struct table *table)
{
    forgive_lag(table);
    set_deadline(server, table, find_next(server, table));
}

void referee_limits_changed(struct server *server)
{
    struct table *table;

    TAILQ_FOREACH (table, &server->lobby.unfinished, link)
        set_deadline(server, table, find_next(server, table));
}

void referee_retry(struct server *server, struct table *table)
{
    struct next next = find_next(server, table);

    if (next.at_ms < server->now_ms + RETRY_MS)
        next.at_ms = server->now_ms + RETRY_MS;
    set_deadline(server, table, next);
}

/* One who plays against himself cannot lose. */
static struct outcome lost_by(const struct table *table, enum color loser)
{
    if (table->seats[WHITE].player == table->seats[BLACK].player)
        return (struct outcome){RESULT_NONE, REASON_ABORTED};
    return (struct outcome){result_win(!loser), REASON_FORFEIT};
}

/* Ends a match that is not over, and tells everyone. False when memory ran out. */
static bool end(struct server *server, struct table *table, struct outcome outcome)
{
    if (!turn_touch(server, table))
        return false;
    match_end(&table->match, outcome, server->now_ms);
    announce_change(server, table);
    return true;
}

static void happen(struct server *server, struct table *table, enum due due)
{
    switch (due) {
    case DUE_TIMEOUT:
        if (turn_touch(server, table) && match_timeout(&table->match, server->now_ms))
            announce_change(server, table);
        break;
    case DUE_STALL:
        end(server, table, lost_by(table, table->match.position.side));
        break;
    default:
        end(server, table, (struct outcome){RESULT_NONE, REASON_ABORTED});
        break;
    }
}

void referee_settle(struct server *server, struct table *table)
{
    if (table->deadline.place == 0 || table->deadline.at_ms > server->now_ms)
        return;
    struct next next = find_next(server, table);
    bool is_due = next.at_ms <= server->now_ms;
    if (is_due) /* in case that what happens now is undone and the table stays as it is */
        next.at_ms = server->now_ms + RETRY_MS;
    set_deadline(server, table, next);
    if (is_due)
        happen(server, table, next.due);
}

int64_t referee_claim_ms(const struct server *server, const struct player *player)
{
    int64_t since_ms = player->away_ms > server->started_ms ? player->away_ms : server->started_ms;
    int64_t left_ms = since_ms + server->limits.grace_s * 1000LL - server->now_ms;

    if (player_is_here(player))
        return -1;
    return left_ms > 0 ? left_ms : 0;
}

enum status referee_may_claim(const struct server *server, const struct table *table,
                              unsigned seats, struct cause *cause)
{
    enum status status = match_must_be_playing(&table->match, seats);

    if (status != STATUS_OK)
        return status;
    if (seats == SEATS_BOTH) {
        cause_set(cause, "both seats are yours");
        return STATUS_NOT_ALLOWED;
    }
    const struct player *other = table->seats[seats == SEATS_WHITE ? BLACK : WHITE].player;
    int64_t claim_ms = referee_claim_ms(server, other);
    if (claim_ms < 0)
        cause_set(cause, "%s is here", other->name);
    else if (claim_ms > 0)
        cause_set(cause, "%s may still come back: claim in %lld s", other->name,
                  (long long)(claim_ms + 999) / 1000);
    return claim_ms == 0 ? STATUS_OK : STATUS_NOT_ALLOWED;
}

void referee_claim(struct server *server, struct table *table, unsigned seats)
{
    enum color winner = seats == SEATS_WHITE ? WHITE : BLACK;

    match_end(&table->match, (struct outcome){result_win(winner), REASON_FORFEIT}, server->now_ms);
}

/* Ends a match whose player in `seat` is gone for good: he loses it if it has really begun. False
 * when memory ran out. */
static bool end_without(struct server *server, const struct seat *seat)
{
    struct table *table = seat->table;
    struct outcome outcome = {RESULT_NONE, REASON_ABORTED};

    if (table->match.status == MATCH_PLAYING && table->match.ply_count >= 2)
        outcome = lost_by(table, seat->color);
    return end(server, table, outcome);
}

static struct seat *first_unfinished_seat(struct player *player)
{
    struct seat *seat;

    TAILQ_FOREACH (seat, &player->seats, link)
        if (seat->table->match.status != MATCH_OVER)
            return seat;
    return NULL;
}

static bool is_house(const struct seat *seat)
{
    return seat->player != NULL && seat->player->kind == PLAYER_HOUSE;
}

/* Whether a match is nobody's but that of the one who opened it: still open, or between house bots.
 */
static bool is_openers_own(const struct table *table)
{
    return table->match.status == MATCH_OPEN ||
           (is_house(&table->seats[WHITE]) && is_house(&table->seats[BLACK]));
}

static struct table *first_orphan(struct player *player)
{
    struct table *table;

    TAILQ_FOREACH (table, &player->created, by_creator)
        if (is_openers_own(table))
            return table;
    return NULL;
}

/* A guest cannot come back, so what waits for him ends. */
static void end_matches_of(struct server *server, struct player *guest)
{
    struct seat *seat;
    struct table *table;

    /* Ending one match can free others, so each look begins anew. */
    while ((seat = first_unfinished_seat(guest)) != NULL)
        if (!end_without(server, seat)) {
            server->guests_wait = true;
            return;
        }
    while ((table = first_orphan(guest)) != NULL)
        if (!end(server, table, (struct outcome){RESULT_NONE, REASON_ABORTED})) {
            server->guests_wait = true;
            return;
        }
}

void referee_here(struct server *server, struct player *player)
{
    struct seat *seat;
    struct table *table;

    TAILQ_FOREACH (seat, &player->seats, link)
        if (seat->table->match.status != MATCH_OVER)
            referee_watch(server, seat->table);
    TAILQ_FOREACH (table, &player->created, by_creator)
        referee_watch(server, table);
}

void referee_gone(struct server *server, struct player *player)
{
    if (player->kind == PLAYER_GUEST) {
        end_matches_of(server, player);
        return;
    }
    announce_presence(server, player);
    referee_here(server, player);
}

static bool is_gone_guest(const struct player *player)
{
    return player != NULL && player->kind == PLAYER_GUEST && player->session == NULL;
}

/* The guest who is gone and without whom the match cannot go on, or NULL. */
static struct player *gone_guest(const struct table *table)
{
    for (int color = WHITE; color <= BLACK; color++)
        if (is_gone_guest(table->seats[color].player))
            return table->seats[color].player;
    return is_gone_guest(table->creator) && is_openers_own(table) ? table->creator : NULL;
}

void referee_gone_late(struct server *server)
{
    struct table *table;

    TAILQ_FOREACH (table, &server->lobby.unfinished, link) {
        struct player *guest = gone_guest(table);
        if (guest == NULL)
            continue;
        referee_gone(server, guest);
        return;
    }
    server->guests_wait = false;
}

void referee_take_up(struct server *server)
{
    struct table *table, *next;

    for (table = TAILQ_FIRST(&server->lobby.unfinished); table != NULL; table = next) {
        next = TAILQ_NEXT(table, link);
        if (gone_guest(table) != NULL)
            end(server, table, (struct outcome){RESULT_NONE, REASON_ABORTED});
        else
            referee_watch(server, table);
    }
}
