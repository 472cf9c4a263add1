/* What a server does at the engine once a second. */
#include "postgres.h"

enum {
    UNUSED_MS = 30000,
    DUE_MOST = 50,
    DUE_EVERY = 2,
    UNUSED_EVERY = 10,
    MISSED_EVERY = 30,
    DAY_S = 86400
};

static void sweep(struct postgres *postgres)
{
    struct number_text node = number_text(postgres->nodes.own);
    struct number_text timeout = number_text(postgres->timeout_s);
    const char *const values[] = {node.text, timeout.text};

    link_ask(postgres->reader, "SELECT sweep($1, $2)", values, 2, false, postgres_ignore, NULL);
}

/* An echo, by which the lag of news is measured. */
static void tell_self(struct postgres *postgres)
{
    struct number_text node = number_text(postgres->nodes.own), now = number_text(tally_now_us());
    const char *const values[] = {node.text, now.text};

    link_ask(postgres->reader,
             "SELECT set_config('synchronous_commit', 'off', true),"
             " pg_notify('ludus' || $1, 'e ' || $2)",
             values, 2, false, postgres_ignore, NULL);
}

static void take_due_tables(void *context, const struct answer *answer)
{
    struct postgres *postgres = context;

    postgres_take_tables(postgres, answer);
    for (int row = 0; row < answer_rows(answer); row++) {
        struct held *held = postgres_find_held(postgres, row_number(answer, row));
        if (held != NULL)
            held->due = true;
    }
}

/* Matches where something is due, and that no server holds: this one does from now on. */
static void take_due(void *context, const struct answer *answer)
{
    struct postgres *postgres = context;
    const char *numbers = answer_rows(answer) == 1 ? answer_text(answer, 0, 0) : "";

    if (numbers[0] == '\0')
        return;
    postgres_look_after(postgres, "m.number = ANY ($1::bigint[])", numbers, take_due_tables,
                        postgres);
}

static void look_for_due(struct postgres *postgres)
{
    struct number_text most = number_text(DUE_MOST);
    const char *const values[] = {most.text};

    link_ask(postgres->reader, "SELECT array_agg(x) FROM take_due($1) x", values, 1, false,
             take_due, postgres);
}

/* Nothing was due there yet: the engine is told when it will be. */
static void note_due(struct postgres *postgres, struct held *held)
{
    const struct table *table = held->table;
    struct number_text number = number_text(held->number);
    int64_t left_ms = table->deadline.place != 0 ? table->deadline.at_ms - postgres->now_ms
                                                 : DAY_S * INT64_C(1000);
    struct number_text left = number_text(left_ms > 0 ? left_ms / 1000 + 1 : 1);
    const char *const values[] = {number.text, left.text};

    held->due = false;
    if (table->match.status != MATCH_OVER)
        link_ask(postgres->reader,
                 "UPDATE match SET due = service_now() + make_interval(secs => $2)"
                 " WHERE number = $1 AND status <> 'over'",
                 values, 2, false, postgres_ignore, NULL);
}

static bool is_house(const struct player *player)
{
    return player != NULL && player->kind == PLAYER_HOUSE;
}

static bool is_here(const struct player *player)
{
    return player != NULL && !is_house(player) && player->session != NULL;
}

/* Whether somebody here needs the match. */
static bool is_needed(const struct table *table)
{
    const struct player *white = table->seats[WHITE].player, *black = table->seats[BLACK].player;

    return table->lock.owner != NULL || !TAILQ_EMPTY(&table->lock.queue) ||
           !LIST_EMPTY(&table->watches) || is_here(white) || is_here(black) ||
           is_here(table->creator) || (is_house(white) && is_house(black)) ||
           (table->deadline.place != 0 && table->match.clock.runs);
}

/* Lets a match go that nobody here has needed for a while. */
static void let_go_unused(struct postgres *postgres, struct held *held)
{
    if (is_needed(held->table) || held->reading || held->due)
        held->unused_ms = 0;
    else if (held->unused_ms == 0)
        held->unused_ms = postgres->now_ms;
    else if (postgres->now_ms - held->unused_ms > UNUSED_MS)
        lobby_forget(postgres->lobby, held->table);
}

void postgres_make_round(struct postgres *postgres)
{
    struct held *held, *next;

    postgres->ticks++;
    if (!postgres->following)
        return;
    postgres_unregister(postgres);
    postgres_ask_numbers(postgres);
    postgres_read_behind(postgres);
    sweep(postgres);
    postgres_read_nodes(postgres);
    tell_self(postgres);
    if (postgres->ticks % DUE_EVERY == 0)
        look_for_due(postgres);
    if (postgres->ticks % UNUSED_EVERY != 0)
        return;
    postgres_read_seeks(postgres); /* what is told can get lost */
    HASH_ITER(hh, postgres->held, held, next)
    {
        if (held->due && held->table->lock.owner == NULL)
            note_due(postgres, held);
        if (held->table->match.status != MATCH_OVER)
            let_go_unused(postgres, held);
    }
    if (postgres->ticks % MISSED_EVERY == 0)
        postgres_read_missed(postgres);
}
