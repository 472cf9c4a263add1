/*
 * What this server tells the others: lines that go with a batch, and over the second connection
 * what the engine does not keep.
 *
 * One statement is in flight. What there is to tell meanwhile goes together in the next, which
 * costs the engine little more than one line. News of the lobby waits until others were told
 * nothing for LOBBY_MS.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/xmalloc.h"
#include "postgres.h"

/* Of the lines that go together, and what is put before each. A notification takes 7999 bytes. */
enum { TELL_BYTES_MAX = 7000, TELL_PREFIX_BYTES = 24, LOBBY_MS = 100 };

struct tell {
    STAILQ_ENTRY(tell) next;
    int64_t about; /* the number of a match; 0: none */
    char line[];
};

/* Appends what the player of the last move thought of it; the line ends in it. */
static void add_last_note(char line[NEWS_MAX], size_t length, const struct match *match)
{
    const struct ply_note *note = &match->plies[match->ply_count - 1].note;
    char pv[PV_TEXT_MAX];

    if (note->eval != EVAL_NONE)
        length += (size_t)snprintf(line + length, NEWS_MAX - length, " e%d", note->eval);
    if (note->pv_count > 0)
        snprintf(line + length, NEWS_MAX - length, " p%s", pv_text(match, note, ',', pv));
}

/* Begins a line with the state after the last ply. Returns its length. */
static size_t begin_news(char line[NEWS_MAX], char kind, const struct table *next)
{
    const struct match *match = &next->match;
    char move[MOVE_TEXT_MAX] = "-";
    uint32_t took_ms = 0;

    if (match->ply_count > 0) {
        entry_last_move(match, move);
        took_ms = match->plies[match->ply_count - 1].took_ms;
    }
    return (size_t)snprintf(
        line, NEWS_MAX, "%c %" PRId64 " %d %d %s %" PRIu32 " %" PRId64 " %" PRId64 " %d", kind,
        next->number, next->version, match->ply_count, move, took_ms, entry_left_ms(match, WHITE),
        entry_left_ms(match, BLACK), match_offer_bits(match));
}

void news_of_move(char line[NEWS_MAX], const struct table *next)
{
    size_t length = begin_news(line, 'm', next);

    add_last_note(line, length, &next->match);
}

void news_of_end(char line[NEWS_MAX], const struct unit *unit)
{
    const struct table *next = unit->tables[0].next;
    const struct match *match = &next->match;
    size_t length = begin_news(line, 't', next);

    length +=
        (size_t)snprintf(line + length, NEWS_MAX - length, " %s %s",
                         result_text(match->outcome.result), reason_text(match->outcome.reason));
    for (int color = WHITE; color <= BLACK; color++) {
        struct rating_draft none = {.matches = 0};
        const struct rating_draft *draft = unit->rating_count > 0 ? &unit->ratings[color] : &none;
        length += (size_t)snprintf(line + length, NEWS_MAX - length, " %.17g %.17g %.17g %.17g %d",
                                   next->rated[color], draft->now.rating, draft->now.deviation,
                                   draft->now.volatility, draft->matches);
    }
    if (entry_kind(&unit->tables[0]) == 'm')
        add_last_note(line, length, match);
}

void news_to_read(char line[NEWS_MAX], const struct table *next)
{
    snprintf(line, NEWS_MAX, "t %" PRId64 " %d", next->number, next->version);
}

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
    int64_t now_ms = postgres_real_ms();

    if (postgres->telling || STAILQ_EMPTY(&postgres->tells) ||
        (!postgres->urgent && now_ms - postgres->told_ms < LOBBY_MS))
        return;
    buffer_puts(&abouts, "{");
    buffer_puts(&lines, "{");
    take_lines(&postgres->tells, &abouts, &lines);
    buffer_add(&abouts, "}", 2); /* with the final NUL */
    buffer_add(&lines, "}", 2);
    const char *const values[] = {node.text, abouts.bytes, lines.bytes};
    postgres->telling = true;
    postgres->told_ms = now_ms;
    postgres->urgent = !STAILQ_EMPTY(&postgres->tells); /* what is left goes next */
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
    postgres->urgent = postgres->urgent || table != NULL;
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
