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

enum { LOBBY_MS = 100 };

enum { NEWS_MAX = 489 }; /* bytes of a line that goes with a batch: keep() sends 16 at once */

struct tell {
    STAILQ_ENTRY(tell) next;
    int64_t about; /* the number of a match; 0: none */
    char line[];
};

/* Appends numbers, each after a space. */
static void put_numbers(struct buffer *line, const int64_t numbers[], int count)
{
    for (int i = 0; i < count; i++) {
        buffer_puts(line, " ");
        buffer_integer(line, numbers[i]);
    }
}

static void put_word(struct buffer *line, const char *before, const char *word)
{
    buffer_puts(line, before);
    buffer_puts(line, word);
}

/* Sets the state after the last ply. */
static void begin_news(struct buffer *line, const char *kind, const struct table *next)
{
    const struct match *match = &next->match;
    int64_t took_ms = match->ply_count > 0 ? match->plies[match->ply_count - 1].took_ms : 0;
    const int64_t before[] = {next->number, next->version, match->ply_count};
    const int64_t after[] = {took_ms, entry_left_ms(match, WHITE), entry_left_ms(match, BLACK),
                             match_offer_bits(match)};
    char move[MOVE_TEXT_MAX] = "-";

    if (match->ply_count > 0)
        entry_last_move(match, move);
    line->length = 0;
    buffer_puts(line, kind);
    put_numbers(line, before, 3);
    put_word(line, " ", move);
    put_numbers(line, after, 4);
}

/* Appends what the player of the last move thought of it, if there was one. */
static void put_last_note(struct buffer *line, const struct match *match)
{
    const struct ply_note *note = &match->plies[match->ply_count - 1].note;
    char pv[PV_TEXT_MAX];

    if (note->eval != EVAL_NONE) {
        buffer_puts(line, " e");
        buffer_integer(line, note->eval);
    }
    if (note->pv_count > 0)
        put_word(line, " p", pv_text(match, note, ',', pv));
}

static void end_news(struct buffer *line)
{
    if (line->length > NEWS_MAX)
        line->length = NEWS_MAX; /* the end of what somebody thought is lost */
    buffer_add(line, "", 1);
}

void news_of_move(struct buffer *line, const struct table *next)
{
    begin_news(line, "m", next);
    put_last_note(line, &next->match);
    end_news(line);
}

/* Appends a rating after so many matches; 0: there is none. */
static void put_rating(struct buffer *line, const struct glicko *now, int matches)
{
    buffer_printf(line, " %a %a %a %d", now->rating, now->deviation, now->volatility, matches);
}

void news_of_end(struct buffer *line, const struct unit *unit)
{
    static const struct rating_draft none;
    const struct table *next = unit->tables[0].next;
    const struct match *match = &next->match;

    begin_news(line, "t", next);
    put_word(line, " ", result_text(match->outcome.result));
    put_word(line, " ", reason_text(match->outcome.reason));
    for (int color = WHITE; color <= BLACK; color++) {
        const struct rating_draft *draft = unit->rating_count > 0 ? &unit->ratings[color] : &none;
        buffer_printf(line, " %a", next->rated[color]);
        put_rating(line, &draft->now, draft->matches);
    }
    if (entry_kind(&unit->tables[0]) == 'm')
        put_last_note(line, match);
    end_news(line);
}

void news_of_start(struct buffer *line, const struct postgres *postgres, const struct table *next,
                   enum color color)
{
    static const struct rating none;
    const struct match *match = &next->match;
    const struct player *player = next->seats[color].player;
    const int64_t who[] = {
        color,         player->id,   player->session != NULL ? postgres->nodes.own : player->node,
        player->login, player->kind, player->bot};
    char variant[VARIANT_NAME_MAX];

    match->game->variant_name(&match->start, variant);
    const struct rating *rating = rating_find(&player->ratings, match->game, variant);
    if (rating == NULL)
        rating = &none;
    begin_news(line, "t", next);
    put_word(line, " ", NEWS_START);
    put_numbers(line, who, 6);
    put_word(line, " ", player->name);
    put_rating(line, &rating->now, rating->matches);
    end_news(line);
}

void news_to_read(struct buffer *line, const struct table *next)
{
    const int64_t numbers[] = {next->number, next->version};

    line->length = 0;
    buffer_puts(line, "t");
    put_numbers(line, numbers, 2);
    end_news(line);
}

/* Appends an element to an array of texts. */
static void put_text(struct buffer *array, const char *text)
{
    char *at = buffer_room(array, sizeof ",\"\"" + 2 * strlen(text));

    if (array->length > 1)
        *at++ = ',';
    *at++ = '"';
    for (; *text != '\0'; text++) {
        if (*text == '"' || *text == '\\')
            *at++ = '\\';
        *at++ = *text;
    }
    *at++ = '"';
    array->length = (size_t)(at - array->bytes);
}

/* Moves the lines to the arrays. */
static void take_lines(struct tells *tells, struct buffer *abouts, struct buffer *lines)
{
    struct tell *tell;

    while ((tell = STAILQ_FIRST(tells)) != NULL) {
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
    postgres->urgent = false;
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
