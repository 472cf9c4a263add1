/* The matches in the lobby, of whose changes the engine tells this server. */
#include <stdlib.h>

#include "common/xmalloc.h"
#include "postgres.h"

enum { LET_GO_MOST = 64 }; /* at once */

struct held *postgres_find_held(const struct postgres *postgres, int64_t number)
{
    struct held *held;

    HASH_FIND_BYHASHVALUE(hh, postgres->held, &number, sizeof number, hash_number(number), held);
    return held;
}

/* Has the registration for a match undone soon, with others. */
static void let_go_later(struct postgres *postgres, int64_t number)
{
    if (postgres->let_go_count == postgres->let_go_room) {
        postgres->let_go_room += LET_GO_MOST;
        postgres->let_go =
            xrealloc(postgres->let_go, (size_t)postgres->let_go_room * sizeof *postgres->let_go);
    }
    postgres->let_go[postgres->let_go_count++] = number;
}

/* A match that was let go is here again before its registration was undone. */
static void keep_registered(struct postgres *postgres, int64_t number)
{
    int kept = 0;

    for (int i = 0; i < postgres->let_go_count; i++)
        if (postgres->let_go[i] != number)
            postgres->let_go[kept++] = postgres->let_go[i];
    postgres->let_go_count = kept;
}

void postgres_hold(void *context, struct table *table)
{
    struct postgres *postgres = context;
    struct held *held = xcalloc(1, sizeof *held);

    keep_registered(postgres, table->number);
    held->number = table->number;
    held->table = table;
    HASH_ADD_BYHASHVALUE(hh, postgres->held, number, sizeof held->number, hash_number(held->number),
                         held);
}

static void let_go_unplayed(struct postgres *postgres, int64_t number)
{
    struct number_text text = number_text(number), node = number_text(postgres->nodes.own);
    const char *const values[] = {node.text, text.text};

    link_ask(postgres->reader,
             "SELECT set_config('synchronous_commit', 'off', true), let_go_unplayed($1, $2)",
             values, 2, false, postgres_ignore, NULL);
}

/* That it is registered can wait until there is more. */
void postgres_let_go(void *context, struct table *table)
{
    struct postgres *postgres = context;
    struct held *held = postgres_find_held(postgres, table->number);

    HASH_DELETE(hh, postgres->held, held);
    free(held);
    if (!postgres->following)
        return;
    if (table_is_unplayed(table)) {
        let_go_unplayed(postgres, table->number);
        return;
    }
    let_go_later(postgres, table->number);
    if (postgres->let_go_count >= LET_GO_MOST)
        postgres_unregister(postgres);
}

/* Passes on which seeks of this server have ended in a match: node and number of each. */
static void take_paired(struct postgres *postgres, const char *seeks, struct table *table)
{
    struct words words = {seeks};

    while (*words.at != '\0') {
        int64_t node = words_integer(&words), number = words_integer(&words);
        if (words.at == NULL)
            return;
        if (node == postgres->nodes.own)
            postgres->keeper.calls->seek_taken(postgres->keeper.context, number, table);
    }
}

struct table *postgres_take_tables(struct postgres *postgres, const struct answer *answer)
{
    struct table *table = NULL;
    struct cause cause;

    for (int row = 0; row < answer_rows(answer); row++) {
        if (lobby_is_opening(postgres->lobby, row_number(answer, row))) {
            postgres->opens_known = true;
            continue;
        }
        struct held *held = postgres_find_held(postgres, row_number(answer, row));
        int version = row_version(answer, row);
        if (held != NULL && held->table->version < version && held->behind < version) {
            held->behind = version; /* it was read twice at once, and this is the later reading */
            postgres->some_behind = true;
        }
        table = held != NULL ? held->table : row_to_table(postgres, answer, row, &cause);
        if (held == NULL && (table == NULL || table->broken != NULL))
            postgres_log_broken(row_number(answer, row), &cause);
        if (table == NULL) {
            let_go_later(postgres, row_number(answer, row));
            continue;
        }
        take_paired(postgres, row_seeks(answer, row), table);
        if (held == NULL)
            postgres->keeper.calls->loaded(postgres->keeper.context, table);
    }
    return table;
}

void postgres_take_matches(void *postgres, const struct answer *answer)
{
    postgres_take_tables(postgres, answer);
}

static void read_held(struct postgres *postgres, struct held *held);

/* The match of a held table, as it is kept now. */
static void apply_row(struct postgres *postgres, const struct answer *answer, int row,
                      struct held *held)
{
    struct cause cause;

    if (held->table->lock.owner != NULL) {
        postgres->some_behind = true;
        held->behind = row_version(answer, row);
        return;
    }
    if (row_version(answer, row) <= held->table->version || held->table->broken != NULL)
        return;
    struct table *fresh = row_to_draft(postgres, answer, row, held->table, &cause);
    if (fresh != NULL)
        postgres->keeper.calls->changed(postgres->keeper.context, held->table, fresh);
    else
        postgres_log_broken(held->number, &cause);
}

static void take_row(struct postgres *postgres, const struct answer *answer, int row)
{
    struct held *held = postgres_find_held(postgres, row_number(answer, row));

    if (held == NULL)
        return;
    held->reading = false;
    apply_row(postgres, answer, row, held);
    held = postgres_find_held(postgres, row_number(answer, row)); /* it may have been let go */
    if (held == NULL || held->behind <= held->table->version)
        return;
    bool is_old = held->table->version < held->awaited; /* than the news: not at once again */
    if (is_old)
        postgres->some_behind = true;
    else if (held->table->lock.owner == NULL)
        read_held(postgres, held);
}

static void take_held(void *context, const struct answer *answer)
{
    struct postgres *postgres = context;
    struct held *held, *next;

    postgres->reading = false;
    for (int row = 0; row < answer_rows(answer); row++)
        take_row(postgres, answer, row);
    if (answer_state(answer) == ANSWER_ROWS)
        return;
    HASH_ITER(hh, postgres->held, held, next)
    held->reading = false;
    link_break(postgres->reader, answer_message(answer)); /* once it is back, all is read again */
}

/* Has a match read, with all others that are to be. */
static void read_held(struct postgres *postgres, struct held *held)
{
    if (held->reading)
        return;
    held->reading = true;
    held->awaited = held->behind;
    array_add(&postgres->to_read, held->number);
}

void postgres_read_held(struct postgres *postgres)
{
    if (postgres->reading || postgres->to_read.length == 0)
        return;
    postgres->reading = true;
    postgres_ask_matches(postgres, "m.number = ANY ($1::bigint[])", array_end(&postgres->to_read),
                         take_held, postgres);
    postgres->to_read.length = 0;
}

void postgres_read_behind(struct postgres *postgres)
{
    struct held *held, *next;

    if (!postgres->some_behind)
        return;
    postgres->some_behind = false;
    HASH_ITER(hh, postgres->held, held, next)
    {
        if (held->behind <= held->table->version)
            continue;
        if (held->table->lock.owner == NULL)
            read_held(postgres, held);
        else
            postgres->some_behind = true;
    }
}

void postgres_fall_behind(struct postgres *postgres, struct held *held, int version)
{
    if (held->table->broken != NULL)
        return; /* it is read when somebody has repaired it */
    if (version <= held->table->version)
        return;
    if (held->behind < version)
        held->behind = version;
    if (held->table->lock.owner == NULL)
        read_held(postgres, held);
    else
        postgres->some_behind = true;
}
