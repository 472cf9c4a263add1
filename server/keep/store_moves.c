/*
 * How moves are kept. The row of a match has a line for each:
 *
 *     MOVE TOOK_MS [PLAYED_S WHITE_MS BLACK_MS [EVAL PV]]
 *
 * when it was played (seconds since 1970), the clocks after it, the player's judgement, and the
 * line they expected, with commas; 0, EVAL_NONE and - stand for none. A match that goes on has its
 * latest moves in the journal: all moves of a transaction are one row of lines, each behind the
 * number of its match. The journal is folded into the rows of matches before a move is taken back,
 * when it is long, and when the store is opened or closed. A match that ends gets all of its lines,
 * and those in the journal no longer count.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/xmalloc.h"
#include "store.h"

enum { JOURNAL_BYTES_MAX = 256 << 10, MOVE_LINE_MAX = 256 };

static void add_number(struct buffer *lines, int64_t number)
{
    buffer_add(lines, " ", 1);
    buffer_integer(lines, number);
}

/* Adds the line of a move. Only the latest one has the time and the clocks. */
static void add_line(struct buffer *lines, const struct table *table, int ply, bool is_latest)
{
    const struct match *match = &table->match;
    const struct ply *made = &match->plies[ply - 1];
    const struct ply_note *note = &made->note;
    bool noted = note->eval != EVAL_NONE || note->pv_count > 0;
    bool timed = is_latest && match->clock.base_ms > 0;
    char move[MOVE_TEXT_MAX], pv[PV_TEXT_MAX];

    move_format(&match->start, made->move, move);
    buffer_puts(lines, move);
    add_number(lines, made->took_ms);
    if (is_latest || noted) {
        add_number(lines, is_latest ? table->changed_s : 0);
        add_number(lines, timed ? match->clock.left_ms[WHITE] : 0);
        add_number(lines, timed ? match->clock.left_ms[BLACK] : 0);
    }
    if (noted) {
        add_number(lines, note->eval);
        buffer_puts(lines, " ");
        buffer_puts(lines, note->pv_count > 0 ? pv_text(match, note, ',', pv) : "-");
    }
    buffer_puts(lines, "\n");
}

/* Ends the text that was added to the lines from `begin` on, and takes it off them. */
static const char *take_off(struct buffer *lines, size_t begin)
{
    buffer_add(lines, "", 1);
    lines->length = begin;
    return lines->bytes + begin;
}

const char *store_lines_of(struct store *store, const struct table *table)
{
    size_t begin = store->lines.length;

    for (int ply = 1; ply <= table->match.ply_count; ply++)
        add_line(&store->lines, table, ply, false);
    return take_off(&store->lines, begin);
}

/* The moves of one match, or one of them, in the journal. */
struct journal_line {
    int64_t number;
    const char *text;
    size_t length;
};

static int compare_lines(const void *one, const void *other)
{
    const struct journal_line *a = one, *b = other;

    if (a->number != b->number)
        return a->number < b->number ? -1 : 1;
    return a->text < b->text ? -1 : a->text > b->text;
}

/* Returns the numbers of the matches that go on, in order. */
static struct buffer read_going_on(struct store *store)
{
    struct buffer numbers = {.length = 0};

    while (query_next(store->read_going_on)) {
        int64_t number = query_integer(store->read_going_on, 0);
        buffer_add(&numbers, (const char *)&number, sizeof number);
    }
    return numbers;
}

static int compare_numbers(const void *one, const void *other)
{
    const int64_t *a = one, *b = other;

    return (*a > *b) - (*a < *b);
}

static bool is_among(const struct buffer *numbers, int64_t number)
{
    size_t count = numbers->length / sizeof number;

    return count > 0 &&
           bsearch(&number, numbers->bytes, count, sizeof number, compare_numbers) != NULL;
}

/* Splits the journal, most of which is of matches that are over. Returns how many lines it has of
 * those that go on. */
static size_t split(const struct buffer *journal, const struct buffer *going_on,
                    struct journal_line **lines)
{
    const char *end = journal->bytes + journal->length, *text = journal->bytes, *next;
    size_t count = 0, room = 0;

    *lines = NULL;
    for (; (next = memchr(text, '\n', (size_t)(end - text))) != NULL; text = next + 1) {
        char *move;
        int64_t number = strtoll(text, &move, 10);
        if (!is_among(going_on, number))
            continue;
        if (count == room) {
            room = room != 0 ? 2 * room : 256;
            *lines = xrealloc(*lines, room * sizeof **lines);
        }
        (*lines)[count++] = (struct journal_line){number, move + 1, (size_t)(next - move)};
    }
    return count;
}

/* Adds to each match that goes on what the journal has of it. */
static bool add_moves(struct store *store, const struct buffer *journal)
{
    struct buffer going_on = read_going_on(store), moves = {.length = 0};
    bool good = !query_failed(store->read_going_on);
    struct journal_line *lines;
    size_t count = split(journal, &going_on, &lines);

    if (count > 0)
        qsort(lines, count, sizeof *lines, compare_lines);
    for (size_t i = 0; good && i < count; i++) {
        buffer_add(&moves, lines[i].text, lines[i].length);
        if (i + 1 < count && lines[i + 1].number == lines[i].number)
            continue;
        QUERY_BIND(store->add_moves, SQL_TEXT(take_off(&moves, 0)), SQL_INTEGER(lines[i].number));
        good = query_run(store->add_moves);
    }
    buffer_release(&moves);
    free(lines);
    buffer_release(&going_on);
    return good;
}

static bool fold(struct store *store)
{
    struct buffer journal = {.length = 0};

    while (query_next(store->read_lines))
        buffer_puts(&journal, query_text(store->read_lines, 0));
    bool good = !query_failed(store->read_lines);
    if (good && journal.length > 0)
        good = add_moves(store, &journal) && query_run(store->drop_lines);
    buffer_release(&journal);
    store->journaled_bytes = 0;
    return good;
}

bool store_fold(struct store *store)
{
    if (database_begin(store->database) && fold(store) && database_commit(store->database))
        return true;
    database_rollback(store->database);
    return false;
}

bool store_put_moves(struct store *store, const struct table *table, const struct match *before)
{
    int count = table->match.ply_count, kept = before != NULL ? before->ply_count : 0;

    if (table->match.status == MATCH_OVER)
        return true; /* store_lines_of() has them */
    if (count < kept) {
        if (!fold(store))
            return false;
        QUERY_BIND(store->put_moves, SQL_TEXT(store_lines_of(store, table)),
                   SQL_INTEGER(table->number));
        return query_run_one(store->put_moves);
    }
    for (int ply = kept + 1; ply <= count; ply++) {
        buffer_integer(&store->lines, table->number);
        buffer_puts(&store->lines, " ");
        add_line(&store->lines, table, ply, true);
    }
    return true;
}

void store_begin_lines(struct store *store)
{
    store->lines.length = 0;
}

bool store_put_lines(struct store *store)
{
    size_t length = store->lines.length;

    if (length == 0)
        return true;
    QUERY_BIND(store->add_lines, SQL_TEXT(take_off(&store->lines, 0)));
    store->journaled_bytes += length;
    return query_run(store->add_lines) &&
           (store->journaled_bytes < JOURNAL_BYTES_MAX || fold(store));
}

_Static_assert(MOVE_TEXT_MAX == 8 && PV_TEXT_MAX == 48, "the widths of %s below are one less");

bool store_read_line(const char **text, struct kept_move *kept)
{
    char line[MOVE_LINE_MAX];
    size_t length = strcspn(*text, "\n");

    if (**text == '\0')
        return false;
    snprintf(line, sizeof line, "%.*s", (int)length, *text);
    *text += length + ((*text)[length] == '\n');
    *kept = (struct kept_move){.eval = EVAL_NONE};
    int count = sscanf(line, "%7s %" SCNd64 " %" SCNd64 " %" SCNd64 " %" SCNd64 " %" SCNd16 " %47s",
                       kept->move, &kept->took_ms, &kept->played_s, &kept->left_ms[WHITE],
                       &kept->left_ms[BLACK], &kept->eval, kept->pv);
    if (strcmp(kept->pv, "-") == 0)
        kept->pv[0] = '\0';
    bool good = (count == 2 || count == 5 || count == 7) && kept->took_ms >= 0 &&
                kept->took_ms <= UINT32_MAX;
    if (!good)
        *text = NULL;
    return good;
}
