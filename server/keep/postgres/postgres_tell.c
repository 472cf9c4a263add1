/*
 * The second connection: what this server tells the others, and the engine does not keep.
 *
 * One statement is in flight. What there is to tell meanwhile goes together in the next, which
 * costs the engine little more than one line.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/xmalloc.h"
#include "postgres.h"

/* Of the lines that go together, and what is put before each. A notification takes 7999 bytes. */
enum { TELL_BYTES_MAX = 7000, TELL_PREFIX_BYTES = 24 };

struct tell {
    STAILQ_ENTRY(tell) next;
    int64_t about; /* the number of a match; 0: none */
    char line[];
};

/* Appends an element to an array of texts. */
static void put_text(struct buffer *array, const char *text)
{
    buffer_puts(array, array->length > 1 ? ",\"" : "\"");
    for (; *text != '\0'; text++) {
        if (*text == '"' || *text == '\\')
            buffer_puts(array, "\\");
        buffer_add(array, text, 1);
    }
    buffer_puts(array, "\"");
}

/* Moves the first lines to the arrays, at least one. */
static void take_lines(struct tells *tells, struct buffer *abouts, struct buffer *lines)
{
    struct tell *tell;
    size_t bytes = 0;

    while ((tell = STAILQ_FIRST(tells)) != NULL) {
        bytes += strlen(tell->line) + TELL_PREFIX_BYTES;
        if (lines->length > 1 && bytes > TELL_BYTES_MAX)
            return;
        buffer_printf(abouts, "%s%" PRId64, abouts->length > 1 ? "," : "", tell->about);
        put_text(lines, tell->line);
        STAILQ_REMOVE_HEAD(tells, next);
        free(tell);
    }
}

static void take_answer(void *context, const struct answer *answer)
{
    struct postgres *postgres = context;

    (void)answer; /* what is told can get lost */
    postgres->telling = false;
    postgres_tell_waiting(postgres);
}

void postgres_tell_waiting(struct postgres *postgres)
{
    struct number_text node = number_text(postgres->nodes.own);
    struct buffer abouts = {0}, lines = {0};

    if (postgres->telling || STAILQ_EMPTY(&postgres->tells))
        return;
    buffer_puts(&abouts, "{");
    buffer_puts(&lines, "{");
    take_lines(&postgres->tells, &abouts, &lines);
    buffer_add(&abouts, "}", 2); /* with the final NUL */
    buffer_add(&lines, "}", 2);
    const char *const values[] = {node.text, abouts.bytes, lines.bytes};
    postgres->telling = true;
    link_ask(postgres->reader, "SELECT tell_all($1, $2, $3)", values, 3, false, take_answer,
             postgres);
    buffer_release(&abouts);
    buffer_release(&lines);
}

void postgres_tell(struct keeper *keeper, const struct table *table, const char *event)
{
    struct postgres *postgres = (struct postgres *)keeper;
    size_t size = strlen(event) + 1;
    struct tell *tell = xmalloc(sizeof *tell + size);

    tell->about = table != NULL ? table->number : 0;
    memcpy(tell->line, event, size);
    STAILQ_INSERT_TAIL(&postgres->tells, tell, next);
    if (!postgres->working)
        postgres_tell_waiting(postgres);
}

void postgres_forget_tells(struct postgres *postgres)
{
    struct tell *tell;

    while ((tell = STAILQ_FIRST(&postgres->tells)) != NULL) {
        STAILQ_REMOVE_HEAD(&postgres->tells, next);
        free(tell);
    }
}

void postgres_offer_seek(struct keeper *keeper, int64_t number, const char *text)
{
    struct postgres *postgres = (struct postgres *)keeper;
    struct number_text node = number_text(postgres->nodes.own);
    struct number_text epoch = number_text(postgres->epoch), which = number_text(number);
    const char *const values[] = {node.text, epoch.text, which.text, text};

    link_ask(postgres->reader, "SELECT offer_seek($1, $2, $3, $4)", values, 4, false,
             postgres_ignore, NULL);
}
