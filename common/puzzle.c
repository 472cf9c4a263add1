#include "puzzle.h"

#include <stdio.h>
#include <string.h>

#include "move.h"
#include "rng.h"

enum { FIELDS = 6, NODES_LIMIT = 1000000000, DAY_STRIDE = 197 };

/* Splits a line. False where it has not that many fields. */
static bool split_line(const char *text, struct field fields[FIELDS])
{
    for (int i = 0; i < FIELDS; i++) {
        const char *end = i < FIELDS - 1 ? strstr(text, "; ") : text + strlen(text);
        if (end == NULL || end == text)
            return false;
        fields[i] = (struct field){text, (size_t)(end - text)};
        text = end + 2;
    }
    return true;
}

/* Copies a field into a text of `size` bytes. False where it is too long. */
static bool copy_field(struct field field, char *text, size_t size)
{
    if (field.length >= size)
        return false;
    memcpy(text, field.text, field.length);
    text[field.length] = '\0';
    return true;
}

static bool read_number(struct field field, long max, long *value)
{
    return number_parse(field.text, field.length, 1, max, value);
}

/* Reads the move that begins a field. */
static bool read_first_move(struct field field, const struct puzzle *puzzle, struct move *move,
                            struct cause *cause)
{
    char text[MOVE_TEXT_MAX];
    const char *end = memchr(field.text, ' ', field.length);

    if (end != NULL)
        field.length = (size_t)(end - field.text);
    return copy_field(field, text, sizeof text) &&
           move_parse(puzzle->game, &puzzle->position, text, move, cause);
}

bool puzzle_read(const char *text, struct puzzle *puzzle, struct cause *cause)
{
    struct field fields[FIELDS];
    struct puzzle read = {.game = NULL};
    char position[POSITION_TEXT_MAX], variant[VARIANT_NAME_MAX];
    long plies;

    if (!split_line(text, fields))
        return cause_set(cause, "a puzzle has %d fields, with \"; \" between them", FIELDS);
    struct field name = fields[0];
    const char *colon = memchr(name.text, ':', name.length);
    if (colon != NULL)
        read.game = game_find(name.text, (size_t)(colon - name.text));
    if (read.game == NULL)
        return cause_set(cause, "a puzzle begins with GAME:VARIANT");
    name.length -= (size_t)(colon + 1 - name.text);
    name.text = colon + 1;
    if (!copy_field(name, variant, sizeof variant) ||
        !copy_field(fields[1], position, sizeof position))
        return cause_set(cause, "the variant or the position is too long");
    if (!read.game->parse(variant, position, &read.position, cause))
        return false;
    if (!read_number(fields[2], PUZZLE_PLIES_MAX, &plies) ||
        !read_number(fields[3], NODES_LIMIT, &read.nodes))
        return cause_set(cause, "plies and nodes are numbers");
    read.plies = (int)plies;
    cause_set(cause, "the answer is no move");
    if (!read_first_move(fields[4], &read, &read.answer, cause))
        return false;
    read.line = fields[4];
    read.replies = fields[5];
    *puzzle = read;
    return true;
}

int puzzle_count(const struct game *game)
{
    const struct packed_file *file = packed_find(puzzle_files, game->name);

    return file != NULL ? file->count : 0;
}

bool puzzle_find(const struct game *game, int number, struct puzzle *puzzle)
{
    const struct packed_file *file = packed_find(puzzle_files, game->name);
    struct cause cause;

    return file != NULL && number >= 1 && number <= file->count &&
           puzzle_read(file->lines[number - 1], puzzle, &cause);
}

const struct game *puzzle_daily_game(long day)
{
    int with_puzzles = 0;

    for (int i = 0; games[i] != NULL; i++)
        with_puzzles += puzzle_count(games[i]) > 0;
    if (with_puzzles == 0)
        return NULL;
    long place = (day % with_puzzles + with_puzzles) % with_puzzles;
    for (int i = 0;; i++)
        if (puzzle_count(games[i]) > 0 && place-- == 0)
            return games[i];
}

bool puzzle_key(const struct game *game, int number, int64_t *key, long *nodes)
{
    const struct packed_file *file = packed_find(puzzle_files, game->name);
    struct field fields[FIELDS];
    uint64_t hash = UINT64_C(0xcbf29ce484222325); /* FNV-1a */

    if (file == NULL || number < 1 || number > file->count ||
        !split_line(file->lines[number - 1], fields) || !read_number(fields[3], NODES_LIMIT, nodes))
        return false;
    const char *end = fields[1].text + fields[1].length;
    for (const char *at = fields[0].text; at < end; at++)
        hash = (hash ^ (unsigned char)*at) * UINT64_C(0x100000001b3);
    *key = (int64_t)(hash >> 1);
    return true;
}

/* A prime stride visits all of them, unless their number is a multiple of it, and goes from easy to
 * hard ones and back. */
int puzzle_daily_number(const struct game *game, long day)
{
    int count = puzzle_count(game);

    if (count == 0)
        return 0;
    return 1 + (int)((day % count + count) % count * DAY_STRIDE % count);
}

/* One out of each of equal parts of the file. */
int puzzle_storm_number(const struct game *game, uint64_t seed, int place)
{
    int part = puzzle_count(game) / STORM_PUZZLES;
    uint64_t rng = seed;

    if (part == 0 || place < 0 || place >= STORM_PUZZLES)
        return 0;
    for (int i = 0; i < place; i++)
        rng_next(&rng);
    return place * part + rng_below(&rng, part) + 1;
}

bool puzzle_refutation(const struct puzzle *puzzle, struct move wrong, struct move *reply)
{
    struct field replies = puzzle->replies, found = replies;
    char name[MOVE_TEXT_MAX], text[MOVE_TEXT_MAX];
    struct position next = puzzle->position;
    struct cause cause;

    move_format(&puzzle->position, wrong, name);
    size_t length = strlen(name);
    for (size_t at = 0; at < replies.length;) {
        struct field word = {replies.text + at, replies.length - at};
        const char *end = memchr(word.text, ' ', word.length);
        if (end != NULL)
            word.length = (size_t)(end - word.text);
        if (at == 0)
            found = word;
        else if (word.length > length && word.text[length] == ':' &&
                 memcmp(word.text, name, length) == 0) {
            found = (struct field){word.text + length + 1, word.length - length - 1};
            break;
        }
        at += word.length + 1;
    }
    puzzle->game->apply(&next, wrong);
    return copy_field(found, text, sizeof text) &&
           move_parse(puzzle->game, &next, text, reply, &cause);
}

int puzzle_line(const struct puzzle *puzzle, struct move moves[PUZZLE_PLIES_MAX])
{
    struct position position = puzzle->position;
    struct field left = puzzle->line;
    struct cause cause;
    int count = 0;

    while (left.length > 0 && count < PUZZLE_PLIES_MAX) {
        struct field word = left;
        const char *end = memchr(left.text, ' ', left.length);
        char text[MOVE_TEXT_MAX];
        if (end != NULL)
            word.length = (size_t)(end - left.text);
        if (!copy_field(word, text, sizeof text) ||
            !move_parse(puzzle->game, &position, text, &moves[count], &cause))
            break;
        puzzle->game->apply(&position, moves[count++]);
        left.text += word.length + (end != NULL);
        left.length -= word.length + (end != NULL);
    }
    return count;
}

int puzzle_moves(const struct puzzle *puzzle)
{
    return (puzzle->plies + 1) / 2;
}

void puzzle_task(const struct puzzle *puzzle, char text[PUZZLE_TASK_MAX])
{
    snprintf(text, PUZZLE_TASK_MAX,
             puzzle->position.side == WHITE
                 ? _("White to move and win in %d moves. Only one first move does it.")
                 : _("Black to move and win in %d moves. Only one first move does it."),
             puzzle_moves(puzzle));
}

void puzzle_verdict(const struct puzzle *puzzle, struct move move, const struct move *reply,
                    char text[PUZZLE_VERDICT_MAX])
{
    const struct game *game = puzzle->game;
    const char *other = _(color_name(!puzzle->position.side));
    char tried[MOVE_TEXT_MAX], refuting[MOVE_TEXT_MAX];
    struct position next = puzzle->position;
    int length = (int)puzzle->line.length;

    move_format(&puzzle->position, move, tried);
    game->apply(&next, move);
    if (move_equal(move, puzzle->answer)) {
        int first = (int)strlen(tried);
        snprintf(text, PUZZLE_VERDICT_MAX, _("Right: %s wins, as in%.*s."), tried, length - first,
                 puzzle->line.text + first);
        return;
    }
    if (reply == NULL) {
        snprintf(text, PUZZLE_VERDICT_MAX, _("%s does not win: the game ends %s."), tried,
                 result_text(game->outcome(&next).result));
        return;
    }
    move_format(&next, *reply, refuting);
    if (game->drawless)
        snprintf(text, PUZZLE_VERDICT_MAX, _("%s loses: %s plays %s."), tried, other, refuting);
    else if (game->score != NULL)
        snprintf(text, PUZZLE_VERDICT_MAX, _("%s does not win: %s plays %s."), tried, other,
                 refuting);
    else
        snprintf(text, PUZZLE_VERDICT_MAX, _("%s does not win in %d moves: %s plays %s."), tried,
                 puzzle_moves(puzzle), other, refuting);
}

void puzzle_tell(const struct puzzle *puzzle, char text[PUZZLE_VERDICT_MAX])
{
    snprintf(text, PUZZLE_VERDICT_MAX, _("The line that wins is %.*s."), (int)puzzle->line.length,
             puzzle->line.text);
}
