/*
 * The second connection: how many matches a filter of `list` takes.
 *
 * Counting many takes long. So a total over EXACT_MAX may be a few seconds old, and is counted anew
 * behind the rows of those who ask.
 */
#include <stdlib.h>
#include <string.h>

#include "common/xmalloc.h"
#include "postgres.h"

enum { EXACT_MAX = 2000, FRESH_MS = 1000, OLD_MS = 10000 };

/* What a taker needs. */
struct counting {
    struct postgres *postgres;
    struct row_filter filter;
};

static bool is_same(const struct row_filter *one, const struct row_filter *other)
{
    return strcmp(one->game, other->game) == 0 && strcmp(one->variant, other->variant) == 0 &&
           one->status == other->status && one->bots == other->bots;
}

static struct total *find(struct postgres *postgres, const struct row_filter *filter)
{
    for (int i = 0; i < TOTALS_MAX; i++)
        if (postgres->totals[i].counted_ms != 0 && is_same(&postgres->totals[i].filter, filter))
            return &postgres->totals[i];
    return NULL;
}

/* The one that was counted first, or none yet. */
static struct total *oldest(struct postgres *postgres)
{
    struct total *total = &postgres->totals[0];

    for (int i = 1; i < TOTALS_MAX; i++)
        if (postgres->totals[i].counted_ms < total->counted_ms)
            total = &postgres->totals[i];
    return total;
}

static void take_count(void *context, const struct answer *answer)
{
    struct counting counting = *(struct counting *)context;
    struct total *total = find(counting.postgres, &counting.filter);

    free(context);
    if (answer_state(answer) != ANSWER_ROWS)
        return; /* those who ask are told so by their own question */
    if (total == NULL)
        total = oldest(counting.postgres);
    *total = (struct total){.filter = counting.filter,
                            .count = (int)answer_integer(answer, 0, 0),
                            .counted_ms = postgres_real_ms()};
}

static void count(struct postgres *postgres, const struct count_question *question)
{
    struct counting *counting = xmalloc(sizeof *counting);

    *counting = (struct counting){postgres, *question->filter};
    link_ask(postgres->reader, question->sql, question->values, question->value_count, true,
             take_count, counting);
}

void postgres_count_before(struct postgres *postgres, const struct count_question *question)
{
    struct total *total = find(postgres, question->filter);

    if (total != NULL && total->count > EXACT_MAX &&
        postgres_real_ms() - total->counted_ms <= OLD_MS)
        return;
    if (total != NULL)
        total->counting = true;
    count(postgres, question);
}

void postgres_count_behind(struct postgres *postgres, const struct count_question *question)
{
    struct total *total = find(postgres, question->filter);

    if (total == NULL || total->count <= EXACT_MAX || total->counting ||
        postgres_real_ms() - total->counted_ms < FRESH_MS)
        return;
    total->counting = true;
    count(postgres, question);
}

int postgres_total(struct postgres *postgres, const struct row_filter *filter)
{
    const struct total *total = find(postgres, filter);

    return total != NULL ? total->count : 0;
}
