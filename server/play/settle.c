#include "settle.h"

#include <stdlib.h>
#include <string.h>

#include "announce.h"
#include "common/xmalloc.h"
#include "due.h"
#include "rate_limit.h"
#include "relay.h"
#include "server/base/log.h"
#include "server/play/pairing/tournament_events.h"

enum { BATCH_UNITS_MAX = 4096 };

struct wire settle_error(struct session *session, const char *id, const char *verb, int command,
                         enum status status, const char *text, int64_t retry_ms)
{
    struct server *server = session->server;
    struct wire error = session_wire(session, id);

    wire_error(&error, verb, status_word(status), text != NULL ? text : status_sentence(status),
               status == STATUS_RATE_LIMITED ? retry_ms : -1);
    tally_reply(&server->tally, command, status);
    session->errors_in_row++;
    /* A verb that is none may be anything, such as a token in the wrong place. */
    if (session->player != NULL)
        log_line(LOG_DEBUG, "event=refused peer=%s cmd=%s code=%s", session->player->name,
                 command != 0 ? verb : "none", status_word(status));
    return error;
}

void settle_reply(struct session *session, const struct wire *reply)
{
    if (session->unsettled == 0) {
        session_send(session, reply);
        return;
    }
    struct unit *unit = unit_new();
    unit->session = session;
    unit_set_reply(unit, reply->out->bytes, reply->out->length);
    settle_add(session->server, unit);
}

void settle_add(struct server *server, struct unit *unit)
{
    TAILQ_INSERT_TAIL(&server->ready.units, unit, link);
    server->ready.count++;
    if (unit->session != NULL)
        unit->session->unsettled++;
    if (server->keeper->kind->at_once || server->ready.count >= BATCH_UNITS_MAX)
        settle_ready(server);
}

void settle_ready(struct server *server)
{
    if (server->keeping != NULL || TAILQ_EMPTY(&server->ready.units))
        return;
    struct batch *batch = xmalloc(sizeof *batch);
    batch->count = server->ready.count;
    TAILQ_INIT(&batch->units);
    TAILQ_CONCAT(&batch->units, &server->ready.units, link);
    server->ready.count = 0;
    server->keeping = batch;
    server->keeping_us = tally_now_us();
    server->keeper->kind->keep(server->keeper, batch);
}

void settle_now(struct server *server)
{
    if (!server->keeper->kind->shared)
        settle_ready(server);
}

/* What a table was before a unit: the difference tells what has happened. */
struct before {
    enum match_status status; /* of a new match: open */
    bool started;
    struct player *opener; /* of a new match, held; else NULL */
    unsigned joined;       /* the seats that were taken, */
    struct player *sat[2]; /* and by whom, held; else NULL */
    int plies;
    uint32_t revision;
    bool offers[OFFER_KINDS][2];
};

static unsigned joined_seats(const struct table *table)
{
    return table->seats[WHITE].joined + 2u * table->seats[BLACK].joined;
}

static struct before look_before(const struct table_draft *draft)
{
    const struct table *table = draft->table;

    if (table == NULL) {
        player_hold(draft->next->creator);
        return (struct before){.status = MATCH_OPEN, .opener = draft->next->creator};
    }
    struct before before = {.status = table->match.status,
                            .started = table->started,
                            .joined = joined_seats(table),
                            .plies = table->match.ply_count,
                            .revision = table->match.revision};
    for (int color = WHITE; color <= BLACK; color++) {
        if (!table->seats[color].joined)
            continue;
        before.sat[color] = table->seats[color].player;
        player_hold(before.sat[color]);
    }
    memcpy(before.offers, table->match.offers, sizeof before.offers);
    return before;
}

static void let_go_of_before(const struct before *before)
{
    if (before->opener != NULL)
        player_let_go(before->opener);
    for (int color = WHITE; color <= BLACK; color++)
        if (before->sat[color] != NULL)
            player_let_go(before->sat[color]);
}

/* Tells those who watch the lobby, here and elsewhere. */
static void tell_lobby(struct server *server, const struct table *table, const char *what)
{
    announce_lobby(server, table, what);
    relay_lobby(server, table, what);
}

static void tell_opened(struct server *server, const struct table *table,
                        const struct player *opener)
{
    if (rate_limit_log(server, table->origin, LOG_OPENED))
        log_line(LOG_INFO, "event=opened match=%s game=%s by=%s", table_label(table).text,
                 table->match.game->name, opener->name);
    tell_lobby(server, table, "opened");
    announce_challenges(table);
}

static void tell_started(struct server *server, const struct table *table)
{
    if (rate_limit_log(server, table->origin, LOG_STARTED))
        log_line(LOG_INFO, "event=started match=%s white=%s black=%s", table_label(table).text,
                 table->seats[WHITE].player->name, table->seats[BLACK].player->name);
    tell_lobby(server, table, "started");
}

/* Players whose seeks have brought them here seek again, if they are to be repeated. */
static void repeat_seeks(struct server *server, const struct table *table)
{
    for (int color = WHITE; color <= BLACK; color++) {
        const struct player *player = table->seats[color].player;
        if (player != NULL && player->session != NULL)
            seeks_match_over(&server->seeks, &player->session->seeks, table->number);
    }
}

static void tell_over(struct server *server, const struct table *table)
{
    const struct match *match = &table->match;

    if (rate_limit_log(server, table->origin, LOG_OVER))
        log_line(LOG_INFO, "event=over match=%s result=%s reason=%s plies=%d",
                 table_label(table).text, result_text(match->outcome.result),
                 reason_text(match->outcome.reason), match->ply_count);
    tally_game(server->tally.finished, match->game);
    tell_lobby(server, table, "over");
}

/* Shows the state to players who have lost their seats: it is the last that they get. */
static void tell_kicked(const struct table *table, const struct before *before)
{
    for (int color = WHITE; color <= BLACK; color++) {
        const struct player *player = before->sat[color];
        if (player == NULL || table_seats_of(table, player) != SEATS_NONE ||
            player->session == NULL || session_is_closing(player->session))
            continue;
        announce_state_to(player->session, table);
    }
}

/* Measures the lag of those who play, so that it is known when the clock starts. */
static void measure_lags(const struct table *table)
{
    for (int color = WHITE; color <= BLACK; color++) {
        const struct player *player = table->seats[color].player;
        if (player->here && player->session != NULL)
            session_measure_lag(player->session);
    }
}

/* Players who have taken a seat watch no more; whoever opens a match for others watches it. */
static void settle_watches(struct table *table, const struct player *opener,
                           struct session *session)
{
    for (int color = WHITE; color <= BLACK; color++) {
        const struct seat *seat = &table->seats[color];
        if (!seat->joined || seat->player->session == NULL)
            continue;
        struct watch *watch = table_find_watch(table, &seat->player->session->watches);
        if (watch != NULL)
            table_unwatch(watch);
    }
    if (opener != NULL && session != NULL && opener == session->player &&
        table_seats_of(table, opener) == SEATS_NONE && watch_count(&session->watches) < WATCHES_MAX)
        table_watch(table, session, &session->watches);
}

/* Tells what has happened at a table. What another server has done it has counted, logged and told
 * the lobby itself. */
static void tell_table(struct server *server, struct table *table, const struct before *before,
                       bool quiet, bool elsewhere)
{
    bool over = table->match.status == MATCH_OVER && before->status != MATCH_OVER;
    bool started = table->started && !before->started;

    if (table->match.ply_count > before->plies && !elsewhere)
        tally_game(server->tally.moves, table->match.game);
    if (before->opener != NULL) {
        tell_opened(server, table, before->opener);
        relay_ask_presence(server, table);
    }
    if (started && !elsewhere)
        tell_started(server, table);
    /* Challenged players who have not joined get a state only when the match ends. */
    if (!quiet)
        announce_state(server, table, over);
    tell_kicked(table, before);
    if (before->started && !table->started && !elsewhere)
        tell_lobby(server, table, "opened");
    if (over)
        repeat_seeks(server, table);
    if (over && !elsewhere)
        tell_over(server, table);
    if (started && table->match.clock.base_ms > 0 && table->match.status == MATCH_PLAYING)
        measure_lags(table);
}

/* Tells what has happened at the tables of a unit, in order. */
static void tell_tables(struct server *server, const struct unit *unit,
                        const struct before before[UNIT_TABLES_MAX])
{
    bool elsewhere = unit->kept == KEPT_STALE && keeper_has_more(server->keeper);

    for (int i = 0; i < unit->table_count; i++) {
        struct table *table = unit->tables[i].table;
        if (table == NULL)
            continue; /* a new match of a stale unit: it never was */
        if (table->match.status != MATCH_OVER && table_gone_guest(table) != NULL)
            server->guests_wait = true; /* they left while it was in the unit */
        if (before[i].opener == NULL && before[i].revision == table->match.revision) {
            due_set(server, table); /* a stale unit, but nothing has changed elsewhere */
            continue;
        }
        if (i > 0) {
            announce_rematch(unit->tables[0].table, table);
            relay_rematch(server, unit->tables[0].table, table);
        }
        if (before[i].joined != joined_seats(table) || before[i].opener != NULL)
            settle_watches(table, before[i].opener, unit->session);
        tell_table(server, table, &before[i], unit->tables[i].quiet, elsewhere);
        due_watch(server, table);
    }
}

/* Whether an offer that is gone was accepted or refused, rather than ended by a move or the end. */
static bool was_answered(enum offer what, const struct before *before, const struct match *match,
                         enum offer_news *news)
{
    bool drawn = match->status == MATCH_OVER && match->outcome.reason == REASON_DRAW_AGREED;
    bool taken_back = match->ply_count < before->plies;

    *news = OFFER_REFUSED;
    if ((what == OFFER_DRAW && drawn) || (what == OFFER_UNDO && taken_back))
        *news = OFFER_ACCEPTED;
    /* The server where it is answered tells what has become of a rematch. */
    return what != OFFER_REMATCH &&
           (*news == OFFER_ACCEPTED ||
            (match->status == before->status && match->ply_count == before->plies));
}

/* Finds the news of offers in what another server has changed. */
static void find_offers(struct unit *unit, const struct before *before)
{
    const struct match *match = &unit->tables[0].table->match;
    enum offer_news news;

    unit->offer_count = 0;
    for (int what = 0; what < OFFER_KINDS; what++)
        for (int color = WHITE; color <= BLACK && unit->offer_count < OFFER_KINDS; color++) {
            bool was = before->offers[what][color], is = match->offers[what][color];
            if (is && !was)
                unit_tell_offer(unit, what, color, OFFER_MADE);
            else if (was && !is && was_answered(what, before, match, &news))
                unit_tell_offer(unit, what, color, news);
        }
    unit->tables[0].quiet = memcmp(before->offers, match->offers, sizeof before->offers) != 0 &&
                            match->status == before->status && match->ply_count == before->plies &&
                            joined_seats(unit->tables[0].table) == before->joined;
}

/* Tells the news of offers. Other servers find them in what is kept, unless it is a rematch. */
static void tell_offers(struct server *server, const struct unit *unit)
{
    for (int i = 0; i < unit->offer_count; i++) {
        const struct offer_event *offer = &unit->offers[i];
        announce_offer(unit->tables[0].table, offer->what, offer->from, offer->news);
        if (unit->kept == KEPT && offer->what == OFFER_REMATCH && offer->news != OFFER_MADE)
            relay_offer(server, unit->tables[0].table, offer);
    }
}

/* Where the keeper takes its time, a player learns of their turn only now. */
static void begin_turns(const struct server *server, struct unit *unit)
{
    if (!server->keeper->kind->shared)
        return;
    for (int i = 0; i < unit->table_count; i++)
        if (unit->tables[i].table != NULL)
            match_begin_turn(&unit->tables[i].next->match, &unit->tables[i].table->match,
                             server->now_ms);
}

/* Tells whoever has made the unit what has become of it. */
static void end_unit(const struct unit *unit)
{
    if (unit->ended != NULL)
        unit->ended(unit->context, unit);
}

/* Tells the challenger that a match was declined. */
static void tell_declined(struct server *server, const struct unit *unit)
{
    const struct table *table = unit->tables[0].table;

    if (unit->kept != KEPT || unit->declined_by == NULL)
        return;
    announce_declined(table, unit->declined_by, unit->why_declined);
    relay_declined(server, table, unit->declined_by, unit->why_declined);
}

/* The drafts take effect, and everyone is told. */
static void take_effect(struct server *server, struct unit *unit)
{
    struct before before[UNIT_TABLES_MAX];
    bool was_guest = unit->player != NULL && unit->player->kind == PLAYER_GUEST;

    for (int i = 0; i < unit->table_count; i++)
        before[i] = look_before(&unit->tables[i]);
    if (unit->kept == KEPT_STALE) {
        unit_settle_stale(unit, &server->lobby);
    } else {
        begin_turns(server, unit);
        unit_settle(unit, &server->lobby);
    }
    if (unit->log != NULL &&
        (unit->session == NULL || rate_limit_log(server, unit->session->origin, LOG_HELLO)))
        log_line(LOG_INFO, "%s", unit->log);
    if (unit->reply != NULL && unit->session != NULL)
        session_write(unit->session, unit->reply, unit->reply_length);
    if (unit->kept == KEPT_STALE && unit->table_count > 0 && unit->tables[0].table != NULL)
        find_offers(unit, &before[0]);
    end_unit(unit);
    if (unit->pairs && unit->kept == KEPT)
        announce_paired(unit->tables[0].table, &unit->paired);
    tell_declined(server, unit);
    tell_offers(server, unit);
    tell_tables(server, unit, before);
    if (unit->change != NULL && unit->change->applied)
        tournament_tell(unit->change);
    for (int i = 0; i < unit->table_count; i++)
        let_go_of_before(&before[i]);
    if (was_guest && unit->player->kind == PLAYER_NAMED) {
        announce_presence(server, unit->player);
        relay_presence(server, unit->player);
        due_watch_all_of(server, unit->player);
    }
}

/* The session has one unit less, and whatever waited for that goes on. */
static void leave_session(struct unit *unit)
{
    struct session *session = unit->session;

    if (session == NULL)
        return;
    unit->session = NULL;
    if (--session->unsettled == 0 && session->waits_for_own) {
        session->waits_for_own = false;
        session_wake(session);
    }
}

enum { MATCH_BYTES = 500, MOVE_BYTES = 50, LINE_BYTES = 40, PLAYER_BYTES = 200 };

/* Returns about how many bytes the latest move of a match adds. */
static int bytes_of_move(const struct match *match)
{
    return MOVE_BYTES + (match->plies[match->ply_count - 1].note.pv_count > 0 ? LINE_BYTES : 0);
}

/* Returns about how many bytes a unit adds to a store. */
static int bytes_to_keep(const struct unit *unit)
{
    int bytes = (unit->player != NULL || unit->change != NULL) ? PLAYER_BYTES : 0;

    for (int i = 0; i < unit->table_count; i++)
        if (unit->tables[i].table == NULL)
            bytes += MATCH_BYTES;
        else if (unit->tables[i].next->match.ply_count > unit->tables[i].table->match.ply_count)
            bytes += bytes_of_move(&unit->tables[i].next->match);
    return bytes;
}

static void settle_kept(struct server *server, struct unit *unit)
{
    struct session *session = unit->session;

    if (session != NULL)
        rate_limit_keep(session, bytes_to_keep(unit));
    if (session != NULL && unit->command != 0)
        tally_reply(&server->tally, unit->command, STATUS_OK);
    take_effect(server, unit);
    leave_session(unit);
}

/* A name that was to be taken is not, nobody is challenged and no match joined: that does not
 * count. */
static void return_counts(const struct unit *unit)
{
    if (unit->joins)
        rate_limit_return_join(unit->session);
    for (int i = 0; i < unit->table_count; i++)
        for (int color = WHITE; color <= BLACK && unit->tables[i].table == NULL; color++) {
            const struct seat *seat = &unit->tables[i].next->seats[color];
            if (seat->player != NULL && !seat->joined)
                rate_limit_return_challenge(unit->session, seat->player);
        }
    if (unit->player != NULL && unit->player->kind != unit->identity.kind)
        rate_limit_return_name(unit->session);
}

/* The drafts hold what another server has kept. The line runs again on that, before others. */
static void settle_stale(struct server *server, struct unit *unit)
{
    struct session *session = unit->session;

    free(unit->reply);
    free(unit->log);
    unit->reply = unit->log = NULL;
    unit->offer_count = 0;
    for (int i = 0; i < unit->table_count; i++)
        unit->tables[i].quiet = false;
    if (session != NULL) {
        return_counts(unit);
        session->again_arrived_ms = unit->arrived_ms;
        session->again = xmalloc(unit->line_length + 1);
        memcpy(session->again, unit->line, unit->line_length);
        session->again[unit->line_length] = '\0';
        if (unit->table_count > 0 && unit->tables[0].table != NULL)
            waiter_sleep_first(&session->waiter, &unit->tables[0].table->lock);
        else
            session_wake(session);
    }
    take_effect(server, unit);
    leave_session(unit);
}

/* Nothing of the unit is kept: it never was. */
static void settle_failed(struct server *server, struct unit *unit)
{
    struct session *session = unit->session;
    struct message message;
    struct cause cause;

    for (int i = 0; i < unit->table_count; i++)
        if (unit->tables[i].table != NULL)
            due_retry(server, unit->tables[i].table);
    end_unit(unit);
    server->guests_wait = true; /* perhaps it ended because one left */
    if (session == NULL)
        return;
    return_counts(unit);
    message_parse(&message, unit->line, unit->line_length, &cause);
    struct wire error =
        settle_error(session, message.id, unit->verb, unit->command, STATUS_INTERNAL,
                     "the server could not save that; nothing has changed", 0);
    session_send(session, &error);
    server->some_erring |= session->errors_in_row >= server->limits.errors;
    leave_session(unit);
}

/* Says once that the keeper fails, and once that it works again. */
static void note_health(struct server *server, bool wrote, bool failed)
{
    if (!wrote || failed == server->keeper_fails)
        return;
    server->keeper_fails = failed;
    if (failed)
        log_line(LOG_ERROR,
                 "event=store-fails error=%s text=\"changes are refused until it works again\"",
                 log_quote(server->keeper->kind->error(server->keeper)).text);
    else
        log_line(LOG_INFO, "event=store-works");
}

void settle_batch(struct server *server, struct batch *batch)
{
    bool wrote = false, failed = false;
    struct unit *unit;

    server->keeping = NULL;
    server->engine_us = tally_now_us() - server->keeping_us;
    TAILQ_FOREACH (unit, &batch->units, link) {
        wrote = wrote || unit_writes(unit);
        failed = failed || unit->kept == KEPT_FAILED;
    }
    note_health(server, wrote, failed);
    while ((unit = TAILQ_FIRST(&batch->units)) != NULL) {
        TAILQ_REMOVE(&batch->units, unit, link);
        if (unit->kept == KEPT)
            settle_kept(server, unit);
        else if (unit->kept == KEPT_STALE)
            settle_stale(server, unit);
        else
            settle_failed(server, unit);
        unit_free(unit, &server->lobby);
    }
    free(batch);
}

void settle_change(struct server *server, struct table *table, struct table *fresh)
{
    struct unit *unit = unit_new();

    unit->kept = KEPT_STALE;
    unit_replace(unit, table, fresh);
    take_effect(server, unit);
    unit_free(unit, &server->lobby);
}

static void forget_session(struct batch *batch, const struct session *session)
{
    struct unit *unit;

    TAILQ_FOREACH (unit, &batch->units, link)
        if (unit->session == session)
            unit->session = NULL;
}

void settle_drop_ready(struct server *server)
{
    struct unit *unit;

    while ((unit = TAILQ_FIRST(&server->ready.units)) != NULL) {
        TAILQ_REMOVE(&server->ready.units, unit, link);
        unit_free(unit, &server->lobby);
    }
    server->ready.count = 0;
}

void settle_for(struct session *session)
{
    struct server *server = session->server;

    if (session->unsettled > 0)
        settle_ready(server);
    if (session->unsettled == 0)
        return;
    forget_session(&server->ready, session);
    if (server->keeping != NULL)
        forget_session(server->keeping, session);
    session->unsettled = 0;
}
