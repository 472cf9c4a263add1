/* The matches in the lobby, of whose changes the engine tells this server. */
#include <stdlib.h>

#include "common/xmalloc.h"
#include "postgres.h"

struct held *postgres_find_held(const struct postgres *postgres, int64_t number)
{
    struct held *held;

    HASH_FIND(hh, postgres->held, &number, sizeof number, held);
    return held;
}

void postgres_hold(void *context, struct table *table)
{
    struct postgres *postgres = context;
    struct held *held = xcalloc(1, sizeof *held);

    held->number = table->number;
    held->table = table;
    HASH_ADD(hh, postgres->held, number, sizeof held->number, held);
}

void postgres_let_go(void *context, struct table *table)
{
    static const char unplayed[] = "SELECT set_config('synchronous_commit', 'off', true),"
                                   " let_go_unplayed($2, $1)",
                      other[] = "DELETE FROM interest WHERE match = $1 AND node = $2";
    struct postgres *postgres = context;
    struct held *held = postgres_find_held(postgres, table->number);
    struct number_text number = number_text(table->number), node = number_text(postgres->nodes.own);
    const char *const values[] = {number.text, node.text};

    HASH_DELETE(hh, postgres->held, held);
    free(held);
    if (postgres->following)
        link_ask(postgres->reader, table_is_unplayed(table) ? unplayed : other, values, 2, false,
                 postgres_ignore, NULL);
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

bool postgres_is_opening(const struct postgres *postgres, int64_t number)
{
    const struct unit *unit;

    if (postgres->batch == NULL || postgres->lobby->opening == 0)
        return false;
    TAILQ_FOREACH (unit, &postgres->batch->units, link)
        for (int i = 0; i < unit->table_count; i++)
            if (unit->tables[i].table == NULL && unit->tables[i].next->number == number)
                return true;
    return false;
}

struct table *postgres_take_tables(struct postgres *postgres, const struct answer *answer)
{
    struct table *table = NULL;
    struct cause cause;

    for (int row = 0; row < answer_rows(answer); row++) {
        if (postgres_is_opening(postgres, row_number(answer, row))) {
            postgres->opens_known = true;
            continue;
        }
        const struct held *held = postgres_find_held(postgres, row_number(answer, row));
        table = held != NULL ? held->table : row_to_table(postgres, answer, row, &cause);
        if (table == NULL)
            postgres_log_broken(row_number(answer, row), &cause);
        if (table == NULL)
            continue;
        take_paired(postgres, row_seeks(answer, row), table);
        if (held == NULL)
            postgres->keeper.calls->loaded(postgres->keeper.context, table);
    }
    return table;
}
