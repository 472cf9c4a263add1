/*
 * The first connection: keeps batches, one at a time.
 *
 * A call of keep() moves this server's row on from one number to the next, in the transaction that
 * writes the batch. So after any trouble the row tells what has become of the last call, and the
 * call can be sent again without taking effect twice. A call is never cancelled.
 *
 * What a row says after a connection came back may be a commit that no standby has yet: visible,
 * but not safe. So is a commit whose wait for a standby somebody has cancelled. So one more commit
 * comes first, one that nobody cancels, and only then anybody is told.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "postgres.h"
#include "server/base/log.h"

enum { CONFLICTS_MAX = 100, SLOW_MS = 1000 };

int64_t postgres_current_ms(const struct postgres *postgres)
{
    return postgres->timeout_s * INT64_C(700);
}

static void go_on(struct postgres *postgres);

/* The engine has answered a call: it works. */
static void heard(struct postgres *postgres)
{
    int64_t now_ms = postgres_real_ms(), away_ms = 0;

    if (postgres->silent_since_ms != 0)
        away_ms = now_ms - postgres->silent_since_ms;
    else if (postgres->asked_ms != 0 && now_ms - postgres->asked_ms > SLOW_MS)
        away_ms = now_ms - postgres->asked_ms;
    bool tells = postgres->told_silent || away_ms > 0 ||
                 now_ms - postgres->heard_ms >= postgres_current_ms(postgres);
    postgres->silent_since_ms = 0;
    postgres->told_silent = false;
    postgres->heard_ms = now_ms;
    postgres->silences = 0;
    if (postgres->following)
        link_set_gate(postgres->reader, true); /* after a doubt */
    if (tells)
        postgres->keeper.calls->health(postgres->keeper.context, true, "", away_ms);
}

static void send_call(struct postgres *postgres);

/* Builds the call for the units from `from` to before `to`, or an empty one, and sends it. */
static void call(struct postgres *postgres)
{
    int index = 0;

    call_begin(&postgres->call, postgres, postgres->number + 1);
    for (struct unit *unit = postgres->from; unit != postgres->to; unit = TAILQ_NEXT(unit, link))
        if (unit_writes(unit))
            call_add(&postgres->call, postgres, unit, index++);
    call_end(&postgres->call);
    postgres->carries = true;
    postgres->asked_ms = postgres_real_ms();
    postgres->conflicts = 0;
    send_call(postgres);
}

/* Answers the batch: it is done. */
static void settle(struct postgres *postgres)
{
    struct batch *batch = postgres->batch;
    struct unit *unit;

    postgres->batch = NULL;
    postgres->from = postgres->to = NULL;
    postgres->alone = false;
    postgres->writing = WRITE_IDLE;
    if (batch == NULL)
        return;
    TAILQ_FOREACH (unit, &batch->units, link)
        if (unit->kept == KEPT)
            unit_note_kept(unit);
    postgres->keeper.calls->settled(postgres->keeper.context, batch);
    postgres->on_settled(postgres);
}

/* The units of the call are done: the next one, where they are kept one at a time, or all. */
static void next_part(struct postgres *postgres)
{
    struct unit *unit = postgres->alone ? postgres->to : NULL;

    postgres->carries = false;
    while (unit != NULL && !unit_writes(unit))
        unit = TAILQ_NEXT(unit, link);
    if (unit != NULL) {
        postgres->from = unit;
        postgres->to = TAILQ_NEXT(unit, link);
        call(postgres);
        return;
    }
    settle(postgres);
    go_on(postgres);
}

/* Fills the drafts of a stale unit from the row of one of its matches. */
static void fill_stale(struct postgres *postgres, const struct answer *answer, int row,
                       struct unit *unit)
{
    struct cause cause;

    for (int i = 0; i < unit->table_count; i++) {
        struct table_draft *draft = &unit->tables[i];
        if (draft->table == NULL || draft->table->number != row_number(answer, row))
            continue;
        struct table *fresh = row_to_draft(postgres, answer, row, draft->table, &cause);
        if (fresh == NULL)
            continue;
        if (draft->next->ended != draft->table->ended)
            lobby_return_end(postgres->lobby, draft->next->ended);
        table_drop(draft->next);
        draft->next = fresh;
    }
}

/* What was read with the matches is what counts. */
static void fill_ratings(struct unit *unit)
{
    for (int i = 0; i < unit->rating_count; i++) {
        struct rating_draft *draft = &unit->ratings[i];
        const struct rating *rating =
            rating_find(&draft->player->ratings, draft->game, draft->variant);
        draft->now = rating != NULL ? rating->now : glicko_start();
        draft->matches = rating != NULL ? rating->matches : 0;
    }
}

static void take_stale(void *context, const struct answer *answer)
{
    struct postgres *postgres = context;

    if (answer_state(answer) != ANSWER_ROWS) {
        if (answer_state(answer) != ANSWER_LOST)
            link_break(postgres->writer, answer_message(answer));
        return; /* they are read again when the connection is back */
    }
    for (struct unit *unit = postgres->from; unit != postgres->to; unit = TAILQ_NEXT(unit, link)) {
        if (unit->kept != KEPT_STALE)
            continue;
        for (int row = 0; row < answer_rows(answer); row++)
            fill_stale(postgres, answer, row, unit);
        fill_ratings(unit);
    }
    next_part(postgres);
}

/* Reads what is kept of the matches of stale units. */
static void read_stale(struct postgres *postgres)
{
    struct buffer numbers = {0}, sql = {0};

    buffer_puts(&numbers, "{0");
    for (struct unit *unit = postgres->from; unit != postgres->to; unit = TAILQ_NEXT(unit, link))
        for (int i = 0; unit->kept == KEPT_STALE && i < unit->table_count; i++)
            if (unit->tables[i].table != NULL)
                buffer_printf(&numbers, ",%" PRId64, unit->tables[i].table->number);
    buffer_puts(&numbers, "}");
    buffer_add(&numbers, "", 1);
    buffer_printf(&sql, "%sWHERE m.number = ANY ($1::bigint[])", postgres_match_sql);
    buffer_add(&sql, "", 1);
    const char *const values[] = {numbers.bytes};
    postgres->writing = WRITE_READ;
    link_ask(postgres->writer, sql.bytes, values, 1, false, take_stale, postgres);
    buffer_release(&numbers);
    buffer_release(&sql);
}

static int count_stale(const struct postgres *postgres)
{
    int count = 0;

    for (const struct unit *unit = postgres->from; unit != postgres->to;
         unit = TAILQ_NEXT(unit, link))
        count += unit->kept == KEPT_STALE;
    return count;
}

/* No call runs: stale units that could not be read are, or what waits begins. */
static void go_on_reading(struct postgres *postgres)
{
    if (postgres->carries) {
        read_stale(postgres);
        return;
    }
    postgres->writing = WRITE_IDLE;
    go_on(postgres);
}

/* A call has run, and is safe; the outcome is that of the units, if any wait for one. */
static void accept(struct postgres *postgres, const char *outcome)
{
    const struct unit *unit;

    if (!postgres->carries) {
        go_on_reading(postgres);
        return;
    }
    call_mark_stale(outcome, postgres->from, postgres->to);
    int stale = count_stale(postgres);
    for (unit = postgres->from; unit != postgres->to; unit = TAILQ_NEXT(unit, link))
        postgres->keeper.tally->kept_units += unit_writes(unit) && unit->kept == KEPT;
    postgres->keeper.tally->stale_units += (uint64_t)stale;
    if (stale > 0)
        read_stale(postgres);
    else
        next_part(postgres);
}

/* The call was rolled back for a reason of its own. Units are kept one at a time then, so that one
 * that fails does not take others with it. */
static void refused(struct postgres *postgres)
{
    postgres->called = postgres->refused = false;
    if (!postgres->carries) {
        link_break(postgres->writer, postgres->error);
        return;
    }
    if (!postgres->alone) {
        postgres->alone = true;
        postgres->to = TAILQ_FIRST(&postgres->batch->units);
    } else if (unit_writes(postgres->from)) {
        postgres->from->kept = KEPT_FAILED;
    }
    next_part(postgres);
}

/* A call that broke may have ended before it told the others. */
static void tell_again(struct postgres *postgres)
{
    struct number_text node = number_text(postgres->nodes.own);
    struct buffer numbers = {0};
    const struct unit *unit;

    buffer_puts(&numbers, "{0");
    for (unit = postgres->from; unit != postgres->to; unit = TAILQ_NEXT(unit, link))
        for (int i = 0; i < unit->table_count; i++)
            buffer_printf(&numbers, ",%" PRId64, unit->tables[i].next->number);
    buffer_puts(&numbers, "}");
    buffer_add(&numbers, "", 1);
    const char *const values[] = {node.text, numbers.bytes};
    link_ask(postgres->writer, "SELECT tell_again($1, $2)", values, 2, true, postgres_ignore, NULL);
    buffer_release(&numbers);
}

/* The call has run, and is safe. */
static void finish_call(struct postgres *postgres, const char *outcome)
{
    postgres->called = postgres->refused = false;
    postgres->number++;
    if (postgres->carries)
        tally_commit(postgres->keeper.tally, true,
                     1000 * (postgres_real_ms() - postgres->asked_ms));
    heard(postgres);
    if (postgres->barrier) {
        postgres->barrier = false;
        postgres->on_barrier(postgres);
    }
    accept(postgres, outcome);
}

static void ask_own_row(struct postgres *postgres);

/* Whether a wait for a standby was cancelled since the call, or the look at the row, was sent. */
static bool is_in_doubt(const struct postgres *postgres)
{
    if (link_doubts(postgres->writer) == postgres->doubts)
        return false;
    log_line(LOG_WARN,
             "event=in-doubt text=\"somebody has cancelled the wait for a standby: nothing "
             "is told before a standby has it\"");
    link_set_gate(postgres->reader, false); /* it could be looked up */
    return true;
}

static void take_call(void *context, const struct answer *answer)
{
    struct postgres *postgres = context;

    switch (answer_state(answer)) {
    case ANSWER_LOST:
        return; /* the row will tell */
    case ANSWER_CONFLICT:
        if (postgres->conflicts++ < CONFLICTS_MAX) {
            send_call(postgres);
            return;
        } /* fall through */
    case ANSWER_FAILED:
        snprintf(postgres->error, sizeof postgres->error, "%s", answer_message(answer));
        postgres->refused = true; /* unless it failed after its commit: the row tells */
        tally_commit(postgres->keeper.tally, false, 0);
        ask_own_row(postgres);
        return;
    case ANSWER_ROWS:
        break;
    }
    if (answer_rows(answer) != 1 || answer_is_null(answer, 0, 0) || is_in_doubt(postgres))
        ask_own_row(postgres); /* taken for dead, or kept before, or not safe yet */
    else
        finish_call(postgres, answer_text(answer, 0, 0));
}

static void send_call(struct postgres *postgres)
{
    const char *values[CALL_VALUES];

    for (int i = 0; i < CALL_VALUES; i++)
        values[i] = postgres->call.values[i].bytes;
    postgres->called = true;
    postgres->writing = WRITE_CALL;
    postgres->doubts = link_doubts(postgres->writer);
    link_ask(postgres->writer,
             "CALL keep($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17,"
             " $18)",
             values, CALL_VALUES, false, take_call, postgres);
}

/* Sends an empty call. */
static void call_empty(struct postgres *postgres)
{
    call_begin(&postgres->call, postgres, postgres->number + 1);
    call_end(&postgres->call);
    postgres->asked_ms = postgres_real_ms();
    postgres->conflicts = 0;
    postgres->barrier = postgres->barrier || postgres->wants_barrier;
    postgres->wants_barrier = false;
    send_call(postgres);
}

/* Forgets all matches, and all players who are not here. */
static void forget_everything(struct postgres *postgres)
{
    struct lobby *lobby = postgres->lobby;
    struct table *table;

    while ((table = TAILQ_FIRST(&lobby->unfinished)) != NULL ||
           (table = TAILQ_FIRST(&lobby->finished)) != NULL)
        lobby_forget(lobby, table);
    players_forget_unused(postgres->players);
}

/* This server was taken for dead. All leave, then it joins as a new one. */
static void lose(struct postgres *postgres)
{
    struct batch *batch = postgres->batch;
    struct unit *unit;

    postgres->epoch = 0;
    postgres->called = postgres->refused = postgres->carries = postgres->alone = false;
    postgres->following = false; /* what is let go now needs not be said: the row is new */
    postgres->barrier = postgres->wants_barrier = false;
    postgres->batch = NULL;
    postgres->from = postgres->to = NULL;
    postgres->writing = WRITE_AWAY;
    postgres->keeper.calls->lost(postgres->keeper.context);
    if (batch != NULL) {
        TAILQ_FOREACH (unit, &batch->units, link)
            unit->kept = KEPT_FAILED;
        postgres->keeper.calls->settled(postgres->keeper.context, batch);
    }
    forget_everything(postgres);
    link_break(postgres->reader, "taken for dead");
}

/* The row tells what has become of the last call. Reading it commits a sign of life in the row, and
 * the answer comes after that commit: what the row tells is safe by then. */
static void take_own_row(void *context, const struct answer *answer)
{
    struct postgres *postgres = context;

    if (answer_state(answer) == ANSWER_LOST)
        return;
    if (answer_state(answer) != ANSWER_ROWS) {
        link_break(postgres->writer, answer_message(answer));
        return;
    }
    if (is_in_doubt(postgres)) {
        ask_own_row(postgres);
        return;
    }
    int64_t number = answer_integer(answer, 0, 1);
    bool ran = number == postgres->number + 1;
    if (answer_integer(answer, 0, 0) != postgres->epoch ||
        (number != postgres->number && !(ran && postgres->called))) {
        lose(postgres);
        return;
    }
    if (ran) {
        tell_again(postgres);
        finish_call(postgres, answer_text(answer, 0, 2));
    } else if (postgres->refused) {
        refused(postgres);
    } else if (postgres->called) {
        send_call(postgres);
    } else {
        heard(postgres);
        go_on_reading(postgres);
    }
}

static void ask_own_row(struct postgres *postgres)
{
    char node[16], epoch[24];
    const char *const values[] = {node, epoch};

    snprintf(node, sizeof node, "%d", postgres->nodes.own);
    snprintf(epoch, sizeof epoch, "%" PRId64, postgres->epoch);
    postgres->writing = WRITE_OWN;
    postgres->doubts = link_doubts(postgres->writer);
    link_ask(postgres->writer, "SELECT * FROM own($1, $2)", values, 2, false, take_own_row,
             postgres);
}

static void take_join(void *context, const struct answer *answer)
{
    struct postgres *postgres = context;

    if (answer_state(answer) == ANSWER_LOST)
        return;
    postgres->writing = WRITE_AWAY;
    if (answer_state(answer) != ANSWER_ROWS) {
        link_break(postgres->writer, answer_message(answer));
        return;
    }
    snprintf(postgres->taken_by, sizeof postgres->taken_by, "%s", answer_text(answer, 0, 1));
    postgres->epoch = answer_integer(answer, 0, 0);
    if (postgres->epoch == 0)
        return; /* somebody else has the number; tick() tries again */
    postgres->number = 0;
    postgres->writing = WRITE_IDLE;
    heard(postgres);
    go_on(postgres);
}

void postgres_join(struct postgres *postgres)
{
    char node[16], timeout[16];
    const char *const values[] = {node, postgres->place, timeout};

    if (postgres->epoch != 0 || postgres->writing != WRITE_AWAY || !link_is_up(postgres->writer))
        return;
    snprintf(node, sizeof node, "%d", postgres->nodes.own);
    snprintf(timeout, sizeof timeout, "%d", postgres->timeout_s);
    postgres->writing = WRITE_JOIN;
    link_ask(postgres->writer, "SELECT * FROM join_nodes($1, $2, $3)", values, 3, false, take_join,
             postgres);
}

/* Begins what waits, if nothing runs. */
static void go_on(struct postgres *postgres)
{
    if (postgres->writing != WRITE_IDLE)
        return;
    if (postgres->wants_barrier)
        call_empty(postgres);
    else if (postgres->batch != NULL)
        call(postgres);
}

void postgres_keep(struct keeper *keeper, struct batch *batch)
{
    struct postgres *postgres = (struct postgres *)keeper;
    const struct unit *unit;
    bool writes = false;

    TAILQ_FOREACH (unit, &batch->units, link)
        writes = writes || unit_writes(unit);
    postgres->batch = batch;
    postgres->from = TAILQ_FIRST(&batch->units);
    postgres->to = NULL;
    if (!writes && postgres->writing == WRITE_IDLE)
        settle(postgres);
    else
        go_on(postgres);
}

void postgres_sign_of_life(struct postgres *postgres)
{
    if (postgres->writing == WRITE_IDLE && postgres->batch == NULL)
        call_empty(postgres);
}

void postgres_want_barrier(struct postgres *postgres)
{
    postgres->wants_barrier = true;
    go_on(postgres);
}

static void on_up(void *context)
{
    struct postgres *postgres = context;

    if (postgres->epoch == 0)
        postgres_join(postgres);
    else
        ask_own_row(postgres);
}

static void on_down(void *context, const char *why)
{
    struct postgres *postgres = context;

    snprintf(postgres->error, sizeof postgres->error, "%s", why);
    postgres->writing = WRITE_AWAY;
    if (postgres->silent_since_ms == 0)
        postgres->silent_since_ms = postgres->called ? postgres->asked_ms : postgres_real_ms();
}

static void on_notified(void *context, char *payload)
{
    (void)context, (void)payload;
}

const struct link_calls postgres_writer_calls = {
    .up = on_up, .down = on_down, .notified = on_notified};
