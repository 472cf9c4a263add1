#include "due.h"

#include <string.h>

#include "session.h"

enum {
    RETRY_MS = 1000,
    DAY_S = 86400,
    CUT_MAX_MS = 11000, /* a server that can keep nothing sends everyone elsewhere after 10 s */
    ELSEWHERE_MS = CUT_MAX_MS + 2000
};

static const struct player *player_to_move(const struct table *table)
{
    return table->seats[table->match.position.side].player;
}

/* Where only other servers have the player to move, these act exactly in time, by what they have
 * forgiven them, which nobody else knows. This one acts later, if they do not. */
static int64_t late_ms(const struct server *server, const struct table *table)
{
    const struct player *player = player_to_move(table);

    if (player == NULL || player_is_connected(player))
        return 0;
    if (player->elsewhere != NULL) {
        int64_t silent_ms = places_silence_ms(player->elsewhere, &server->nodes);
        return ELSEWHERE_MS + (silent_ms >= NODE_SILENT_MS ? silent_ms : 0);
    }
    if (player->cut_ms == 0)
        return 0;
    int64_t cut_ms = server->now_ms - player->cut_ms; /* for so long they could not play */
    return cut_ms < CUT_MAX_MS ? cut_ms : CUT_MAX_MS;
}

/* Forgives a pause in drafts of a match in which its turn goes on. */
static void forgive_turn_in(const struct batch *batch, const struct table *table,
                            struct pause pause)
{
    const struct unit *unit;

    TAILQ_FOREACH (unit, &batch->units, link)
        for (int i = 0; i < unit->table_count; i++) {
            struct match *next = &unit->tables[i].next->match;
            if (unit->tables[i].table == table && next->status == MATCH_PLAYING &&
                next->ply_count == table->match.ply_count && next->turn_ms == table->match.turn_ms)
                match_forgive(next, pause);
        }
}

/* Charges the side to move nothing for a pause, whatever is on its way that leaves it to move. */
static void forgive_turn(const struct server *server, struct table *table, struct pause pause)
{
    forgive_turn_in(&server->ready, table, pause);
    if (server->keeping != NULL)
        forgive_turn_in(server->keeping, table, pause);
    match_forgive(&table->match, pause);
}

void due_forgive_cut(struct server *server, struct player *player, int64_t cut_ms)
{
    const struct seat *seat;

    player->cut_ms = 0;
    if (cut_ms < NODE_SILENT_MS)
        return;
    if (cut_ms > CUT_MAX_MS)
        cut_ms = CUT_MAX_MS;
    TAILQ_FOREACH (seat, &player->seats, link)
        if (seat->table->match.status == MATCH_PLAYING && player_to_move(seat->table) == player) {
            forgive_turn(server, seat->table,
                         (struct pause){server->now_ms - cut_ms, server->now_ms});
            due_set(server, seat->table);
        }
}

/* Forgives what there was of each pause since the player has been connected here. */
static void forgive_since(const struct server *server, struct table *table, int64_t since_ms)
{
    for (int i = 0; i < server->pause_count; i++) {
        struct pause pause = server->pauses[i];
        if (pause.from_ms < since_ms)
            pause.from_ms = since_ms;
        forgive_turn(server, table, pause);
    }
}

void due_forgive_waited(struct server *server, struct player *player, const struct session *session)
{
    const struct seat *seat;

    TAILQ_FOREACH (seat, &player->seats, link)
        if (seat->table->match.status == MATCH_PLAYING && player_to_move(seat->table) == player) {
            forgive_since(server, seat->table, session->opened_ms);
            due_set(server, seat->table);
        }
}

void due_forgive_loaded(const struct server *server, struct table *table)
{
    const struct player *player = player_to_move(table);
    int64_t since_ms = INT64_MAX;

    for (const struct session *session = player != NULL ? first_session_of(player) : NULL;
         session != NULL; session = next_session_of(session))
        if (session->opened_ms < since_ms)
            since_ms = session->opened_ms;
    forgive_since(server, table, since_ms);
}

/* When this server is to say that the flag has fallen. */
static int64_t flag_ms(const struct server *server, const struct table *table)
{
    int64_t at_ms = clock_flag_ms(&table->match.clock);

    return at_ms < INT64_MAX ? at_ms + late_ms(server, table) : at_ms;
}

/* When the side to move, which took an open seat, has taken too long for its first move. Where a
 * clock runs, that is enough. */
static int64_t first_move_ms(const struct server *server, const struct table *table)
{
    const struct match *match = &table->match;

    if (match->status != MATCH_PLAYING || match->clock.runs || match_both_have_moved(match) ||
        !table->seats[match->position.side].was_open || server->limits.first_move_s == 0)
        return INT64_MAX;
    return match->turn_ms + server->limits.first_move_s * 1000LL + late_ms(server, table);
}

/* When a match with a clock has waited for its first move for the time on the clock. Tournaments
 * have a rule of their own, and who plays both sides keeps nobody waiting. */
static int64_t begin_ms(const struct server *server, const struct table *table)
{
    const struct match *match = &table->match;
    const struct clock *clock = &match->clock;

    if (match->status != MATCH_PLAYING || clock->base_ms == 0 || clock->runs ||
        match->ply_count > 0 || table->tournament != 0 ||
        table->seats[WHITE].player == table->seats[BLACK].player)
        return INT64_MAX;
    return match->turn_ms + clock->left_ms[match->position.side] + late_ms(server, table);
}

/* When the bot whose turn it is has taken too long. Where a clock runs, that is enough. */
static int64_t stall_ms(const struct server *server, const struct table *table)
{
    const struct match *match = &table->match;

    if (match->status != MATCH_PLAYING || match->clock.runs || !player_to_move(table)->bot)
        return INT64_MAX;
    return match->turn_ms + server->limits.bot_stall_s * 1000LL + late_ms(server, table);
}

/* When both players are told how long the one whose turn it is may think. */
static int64_t telling_ms(const struct server *server, const struct table *table)
{
    const struct instant instant = server_instant(server);
    int64_t left_ms = table->match.status == MATCH_PLAYING && table->told_s != table->changed_s
                          ? seat_stall_ms(&table->seats[table->match.position.side], &instant)
                          : -1;

    if (left_ms < 0)
        return INT64_MAX;
    int64_t at_ms = server->now_ms + left_ms - stall_told_ms(&instant);
    return at_ms >= server->started_ms ? at_ms : INT64_MAX; /* who comes back is told then */
}

/* Returns whether the match waits for this player and they are here; if they are not, *since_s
 * moves on to when they were. House bots are always there and keep nothing waiting. */
static bool attends(const struct player *player, time_t *since_s)
{
    if (player == NULL || player->kind == PLAYER_HOUSE)
        return false;
    if (player->here)
        return true;
    if (player->seen_s > *since_s)
        *since_s = player->seen_s;
    return false;
}

static bool is_attended(const struct table *table, time_t *since_s)
{
    bool attended = table->match.status == MATCH_OPEN && attends(table->creator, since_s);

    for (int color = WHITE; color <= BLACK; color++) {
        const struct seat *seat = &table->seats[color];
        attended = (seat->joined && attends(seat->player, since_s)) || attended;
    }
    return attended;
}

bool due_is_deserted(const struct table *table)
{
    time_t since_s = 0;

    return table->match.status == MATCH_OPEN && table->broken == NULL &&
           !is_attended(table, &since_s);
}

/* When the match, which nobody attends, has waited long enough. Counted by the calendar, so that
 * days in which the server was down count as well; but since it began all have the grace time to
 * come back, as a server that was killed does not know when they were last here. */
static int64_t abandon_ms(const struct server *server, const struct table *table)
{
    time_t since_s = table->changed_s;

    if (is_attended(table, &since_s) || table->match.clock.runs)
        return INT64_MAX;
    int64_t left_s = since_s + (int64_t)server->limits.abandon_days * DAY_S - server->wall_s;
    int64_t at_ms = server->now_ms + left_s * 1000; /* far below 0 if it was due long ago */
    int64_t soonest_ms = server->started_ms + server->limits.grace_s * 1000LL;
    return at_ms > soonest_ms ? at_ms : soonest_ms;
}

/* When a player loses a match of a tournament: one who is away, after the grace time, which begins
 * with the match at the earliest; and one who leaves the clock standing, after the time that is on
 * it. House bots are always there. */
static int64_t forfeit_ms(const struct server *server, const struct table *table, enum color color)
{
    const struct player *player = table->seats[color].player;
    const struct match *match = &table->match;
    struct instant instant = server_instant(server);
    int64_t at_ms = INT64_MAX;

    if (table->tournament == 0 || match->status != MATCH_PLAYING)
        return INT64_MAX;
    if (!player->here && player->kind != PLAYER_HOUSE) {
        int64_t begun_ms = match_both_have_moved(match) ? 0 : match->turn_ms;
        int64_t soonest_ms = begun_ms + server->limits.grace_s * 1000LL;
        at_ms = server->now_ms + player_claim_ms(player, &instant);
        at_ms = at_ms > soonest_ms ? at_ms : soonest_ms;
    }
    if (!match->clock.runs && match->position.side == color &&
        match->turn_ms + match->clock.left_ms[color] < at_ms)
        at_ms = match->turn_ms + match->clock.left_ms[color];
    return at_ms;
}

struct next_due due_next(const struct server *server, const struct table *table)
{
    struct next_due next = {DUE_NOTHING, INT64_MAX};

    if (table->match.status == MATCH_OVER || table->broken != NULL)
        return next;
    const struct next_due all[] = {{DUE_TIMEOUT, flag_ms(server, table)},
                                   {DUE_FIRST_MOVE, first_move_ms(server, table)},
                                   {DUE_BEGIN, begin_ms(server, table)},
                                   {DUE_STALL, stall_ms(server, table)},
                                   {DUE_TELLING, telling_ms(server, table)},
                                   {DUE_ABANDON, abandon_ms(server, table)},
                                   {DUE_WHITE, forfeit_ms(server, table, WHITE)},
                                   {DUE_BLACK, forfeit_ms(server, table, BLACK)}};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        if (all[i].at_ms < next.at_ms)
            next = all[i];
    return next;
}

static void set_deadline(struct server *server, struct table *table, struct next_due next)
{
    struct deadlines *deadlines = &server->lobby.deadlines;

    if (next.due == DUE_NOTHING)
        deadline_clear(deadlines, &table->deadline);
    else
        deadline_set(deadlines, &table->deadline, next.at_ms);
}

void due_set(struct server *server, struct table *table)
{
    set_deadline(server, table, due_next(server, table));
}

/* The flag waits for the slowest window of the player: any of them may move. How slow those at
 * other servers are is not known here. */
static void forgive_longest(struct table *table)
{
    const struct player *player = player_to_move(table);
    bool everywhere = player_is_connected(player) && player->elsewhere != NULL;
    int longest_ms = everywhere ? CLOCK_LAG_MAX_MS : 0;

    for (int slot = 0; slot <= WINDOWS_MAX; slot++)
        if (table->lags_ms[slot] > longest_ms)
            longest_ms = table->lags_ms[slot];
    clock_forgive(&table->match.clock, longest_ms);
}

void due_watch(struct server *server, struct table *table)
{
    if (table->match.clock.runs) {
        memset(table->lags_ms, 0, sizeof table->lags_ms);
        for (const struct session *session = first_session_of(player_to_move(table));
             session != NULL; session = next_session_of(session))
            if (session->lag_ms > 0)
                table->lags_ms[session->window.slot] =
                    (uint8_t)(session->lag_ms < CLOCK_LAG_MAX_MS ? session->lag_ms
                                                                 : CLOCK_LAG_MAX_MS);
        forgive_longest(table);
    }
    due_set(server, table);
}

void due_forget_lag(struct server *server, struct player *player, int slot)
{
    struct seat *seat;

    TAILQ_FOREACH (seat, &player->seats, link) {
        struct table *table = seat->table;
        if (!table->match.clock.runs || player_to_move(table) != player)
            continue;
        table->lags_ms[slot] = 0;
        forgive_longest(table);
        due_set(server, table);
    }
}

void due_retry(struct server *server, struct table *table)
{
    struct next_due next = due_next(server, table);

    if (next.at_ms < server->now_ms + RETRY_MS)
        next.at_ms = server->now_ms + RETRY_MS;
    set_deadline(server, table, next);
}

void due_watch_all_of(struct server *server, struct player *player)
{
    struct seat *seat;
    struct table *table;

    TAILQ_FOREACH (seat, &player->seats, link)
        if (seat->table->match.status != MATCH_OVER)
            due_watch(server, seat->table);
    TAILQ_FOREACH (table, &player->created, by_creator)
        due_watch(server, table);
}

void due_watch_all(struct server *server)
{
    struct table *table;

    TAILQ_FOREACH (table, &server->lobby.unfinished, link)
        due_set(server, table);
}

/* Gives back what moves were charged that came while nothing could be kept, and wait for that. */
static void repay_drafts(const struct batch *batch, int64_t since_ms)
{
    const struct unit *unit;

    TAILQ_FOREACH (unit, &batch->units, link)
        for (int i = 0; i < unit->table_count; i++) {
            const struct table_draft *draft = &unit->tables[i];
            if (draft->table != NULL &&
                draft->next->match.ply_count == draft->table->match.ply_count + 1)
                match_repay(&draft->next->match, &draft->table->match, since_ms);
        }
}

static void forgive_drafts(const struct batch *batch, struct pause pause)
{
    const struct unit *unit;

    TAILQ_FOREACH (unit, &batch->units, link)
        for (int i = 0; i < unit->table_count; i++)
            match_forgive(&unit->tables[i].next->match, pause);
}

static void note_pause(struct server *server, struct pause pause)
{
    if (pause.until_ms <= pause.from_ms)
        return;
    if (server->pause_count == PAUSES_MAX)
        memmove(server->pauses, server->pauses + 1,
                (size_t)--server->pause_count * sizeof server->pauses[0]);
    server->pauses[server->pause_count++] = pause;
}

void due_forgive_all(struct server *server, int64_t pause_ms)
{
    const struct pause pause = {server->now_ms - pause_ms, server->now_ms};
    struct table *table;

    note_pause(server, pause);
    repay_drafts(&server->ready, pause.from_ms);
    if (server->keeping != NULL && !server->keeping->is_sent)
        repay_drafts(server->keeping, pause.from_ms);
    TAILQ_FOREACH (table, &server->lobby.unfinished, link) {
        match_forgive(&table->match, pause);
        due_set(server, table);
    }
    forgive_drafts(&server->ready, pause);
    if (server->keeping != NULL)
        forgive_drafts(server->keeping, pause);
}
