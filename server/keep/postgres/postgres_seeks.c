/*
 * The second connection: seeks that servers offer each other.
 *
 * A seek is a row of its own from when its server offers it until that server takes it back. A unit
 * that pairs it writes its match there: only one can. The server where it began finds the match by
 * that, and takes the row back. What a broken connection or a promoted standby has lost is found
 * when all rows are read again.
 */
#include <stdlib.h>

#include "common/xmalloc.h"
#include "postgres.h"

void postgres_take_seek(struct postgres *postgres, struct words *words)
{
    struct offered_seek seek = {.text = NULL};

    seek.node = (int)words_integer(words);
    seek.number = words_integer(words);
    if (words->at == NULL)
        return;
    if (*words->at == ' ')
        seek.text = words->at + 1;
    postgres->keeper.calls->seek(postgres->keeper.context, &seek);
}

/* Reads the matches in which seeks of this server have ended. */
static void read_paired(struct postgres *postgres, const struct offered_seek *list, int count)
{
    struct buffer numbers = {0};

    for (int i = 0; i < count; i++)
        if (list[i].node == postgres->nodes.own && list[i].match != 0)
            array_add(&numbers, list[i].match);
    if (numbers.length > 0)
        postgres_look_after(postgres, "m.number = ANY ($1::bigint[])", array_end(&numbers),
                            postgres_take_matches, postgres);
    buffer_release(&numbers);
}

static void take_seeks(void *context, const struct answer *answer)
{
    struct postgres *postgres = context;
    int count = answer_rows(answer);

    if (answer_state(answer) != ANSWER_ROWS || !postgres->following)
        return;
    struct offered_seek *list = xcalloc((size_t)count + 1, sizeof *list);
    for (int row = 0; row < count; row++)
        list[row] = (struct offered_seek){.node = (int)answer_integer(answer, row, 0),
                                          .number = answer_integer(answer, row, 1),
                                          .text = answer_text(answer, row, 2),
                                          .match = answer_integer(answer, row, 3)};
    postgres->keeper.calls->seeks(postgres->keeper.context, list, count);
    read_paired(postgres, list, count);
    free(list);
}

void postgres_read_seeks(struct postgres *postgres)
{
    link_ask(postgres->reader, "SELECT node, number, line, match FROM seek ORDER BY node, number",
             NULL, 0, false, take_seeks, postgres);
}
