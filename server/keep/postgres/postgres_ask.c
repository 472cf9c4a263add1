/* The second connection: questions that several files ask. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/xmalloc.h"
#include "postgres.h"
#include "server/base/log.h"

int64_t postgres_real_ms(void)
{
    return tally_now_us() / 1000;
}

struct number_text number_text(int64_t number)
{
    struct number_text text;

    snprintf(text.text, sizeof text.text, "%" PRId64, number);
    return text;
}

void array_add(struct buffer *array, int64_t number)
{
    buffer_printf(array, "%s%" PRId64, array->length > 0 ? "," : "{", number);
}

const char *array_end(struct buffer *array)
{
    buffer_add(array, "}", 2);
    return array->bytes;
}

void postgres_ignore(void *context, const struct answer *answer)
{
    (void)context, (void)answer;
}

void postgres_log_broken(int64_t number, const struct cause *cause)
{
    log_line(LOG_ERROR, "event=broken-match number=%" PRId64 " error=%s", number,
             log_quote(cause->text).text);
}

void postgres_ask_matches(struct postgres *postgres, const char *which, const char *value,
                          answer_taker *taker, void *context)
{
    const char *const values[] = {value};
    size_t length = strlen(postgres_match_sql) + strlen("WHERE ") + strlen(which) + 1;
    char *sql = xmalloc(length);

    snprintf(sql, length, "%sWHERE %s", postgres_match_sql, which);
    link_ask(postgres->reader, sql, values, 1, true, taker, context);
    free(sql);
}

void postgres_unregister(struct postgres *postgres)
{
    struct number_text node = number_text(postgres->nodes.own);
    struct buffer numbers = {0};

    if (postgres->let_go_count == 0 || !link_is_idle(postgres->reader))
        return;
    for (int i = 0; i < postgres->let_go_count; i++)
        array_add(&numbers, postgres->let_go[i]);
    const char *const values[] = {node.text, array_end(&numbers)};
    link_ask(postgres->reader,
             "DELETE FROM interest WHERE node = $1 AND match = ANY ($2::bigint[])", values, 2,
             false, postgres_ignore, NULL);
    postgres->let_go_count = 0;
    buffer_release(&numbers);
}

void postgres_look_after(struct postgres *postgres, const char *which, const char *value,
                         answer_taker *taker, void *context)
{
    struct number_text node = number_text(postgres->nodes.own);
    const char *const values[] = {value, node.text};
    char sql[320];

    snprintf(sql, sizeof sql,
             "INSERT INTO interest (match, node) SELECT m.number, $2 FROM match m WHERE %s"
             " ON CONFLICT DO NOTHING",
             which);
    link_lead(postgres->reader, sql, values, 2);
    postgres_ask_matches(postgres, which, value, taker, context);
}

void postgres_answer(struct postgres *postgres, struct look_up *look_up, enum look_up_state state)
{
    look_up->state = state;
    postgres->asked--;
    postgres->keeper.calls->found(postgres->keeper.context, look_up);
}

bool postgres_has_failed(struct postgres *postgres, struct look_up *look_up,
                         const struct answer *answer)
{
    if (answer_state(answer) == ANSWER_ROWS)
        return false;
    cause_set(&look_up->cause, "%.150s", answer_message(answer));
    postgres_answer(postgres, look_up, LOOK_FAILED);
    return true;
}
