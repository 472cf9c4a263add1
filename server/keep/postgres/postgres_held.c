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
    struct postgres *postgres = context;
    struct held *held = postgres_find_held(postgres, table->number);
    struct number_text number = number_text(table->number), node = number_text(postgres->nodes.own);
    const char *const values[] = {number.text, node.text};

    HASH_DELETE(hh, postgres->held, held);
    free(held);
    if (postgres->following)
        link_ask(postgres->reader, "DELETE FROM interest WHERE match = $1 AND node = $2", values, 2,
                 false, postgres_ignore, NULL);
}

struct table *postgres_take_tables(struct postgres *postgres, const struct answer *answer)
{
    struct table *table = NULL;
    struct cause cause;

    for (int row = 0; row < answer_rows(answer); row++) {
        bool known = postgres_find_held(postgres, row_number(answer, row)) != NULL;
        table = row_to_table(postgres, answer, row, &cause);
        if (table == NULL)
            postgres_log_broken(row_number(answer, row), &cause);
        else if (!known)
            postgres->keeper.calls->loaded(postgres->keeper.context, table);
    }
    return table;
}
