#include "settle.h"

#include <stdlib.h>
#include <string.h>

#include "changes.h"
#include "common/message.h"
#include "common/xmalloc.h"
#include "due.h"
#include "rate_limit.h"
#include "server/base/log.h"

enum { BATCH_UNITS_MAX = 4096 };
/* What about a match, a move, a line that a player expects, and a player add to a store. */
enum { MATCH_BYTES = 500, MOVE_BYTES = 50, LINE_BYTES = 40, PLAYER_BYTES = 200 };

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

/* The drafts take effect, and everyone is told. */
static void take_effect(struct server *server, struct unit *unit)
{
    struct changes changes;

    changes_begin(&changes, unit);
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
    end_unit(unit);
    changes_tell(server, unit, &changes);
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

void settle_charge_pair(struct session *session)
{
    if (session != NULL)
        rate_limit_keep(session, MATCH_BYTES / 2);
}

/* Charges what a unit adds to the store to the addresses of its players. */
static void charge_unit(const struct unit *unit)
{
    if (unit->session != NULL)
        rate_limit_keep(unit->session, bytes_to_keep(unit));
    if (!unit->pairs)
        return;
    for (int color = WHITE; color <= BLACK; color++)
        settle_charge_pair(unit->tables[0].next->seats[color].player->session);
}

/* Takes back what was counted when the command ran, as it has had no effect: a name that was not
 * taken, players who were not challenged, a match that was not joined. */
static void return_charges(const struct unit *unit)
{
    if (unit->joins)
        rate_limit_return_join(unit->session);
    for (int i = 0; i < unit->table_count; i++) {
        if (unit->tables[i].table != NULL)
            continue; /* only who opens a match challenges */
        for (int color = WHITE; color <= BLACK; color++) {
            const struct seat *seat = &unit->tables[i].next->seats[color];
            if (seat->player != NULL && !seat->joined)
                rate_limit_return_challenge(unit->session, seat->player);
        }
    }
    if (unit->player != NULL && unit->player->kind != unit->identity.kind)
        rate_limit_return_name(unit->session);
}

static void settle_kept(struct server *server, struct unit *unit)
{
    struct session *session = unit->session;

    charge_unit(unit);
    if (session != NULL && unit->command != 0)
        tally_reply(&server->tally, unit->command, STATUS_OK);
    take_effect(server, unit);
    leave_session(unit);
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
        return_charges(unit);
        session->again_arrived_ms = unit->arrived_ms;
        session->again = unit->line;
        unit->line = NULL;
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
    return_charges(unit);
    const char *line = unit->line != NULL ? unit->line : "";
    message_parse(&message, line, strlen(line), &cause);
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
        server->ready.count--;
        leave_session(unit);
        unit_free(unit, &server->lobby);
    }
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
