/* Every lesson held against the rules: its moves are exactly the legal moves that have its effect.
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "client/ludus/learn/lesson.h"
#include "common/move.h"

/* What to look at in one position. */
struct subject {
    const struct game *game;
    const struct position *before;
    char what[64]; /* the effect without its first word */
};

static bool is_of(char cell, enum color color)
{
    return isalpha((unsigned char)cell) && (isupper((unsigned char)cell) != 0) == (color == WHITE);
}

/* Writes the squares that lose an enemy piece or a tile, a1 first. */
static void find_taken(const struct subject *subject, const struct position *after, char text[64])
{
    enum color own = (enum color)subject->before->side;
    struct board boards[2];
    char square[SQUARE_TEXT_MAX];
    size_t used = 0;

    subject->game->board(subject->before, &boards[0]);
    subject->game->board(after, &boards[1]);
    text[0] = '\0';
    for (int i = 0; i < boards[0].width * boards[0].height; i++) {
        char was = boards[0].cell[i], is = boards[1].cell[i];
        if (was == is || !(is_of(was, !own) || is == '*'))
            continue;
        square_format(boards[0].width, i, square);
        used += (size_t)snprintf(text + used, 64 - used, "%s%s", used > 0 ? " " : "", square);
    }
}

static bool takes(const struct subject *subject, struct move move, const struct position *after)
{
    char taken[64];

    (void)move;
    find_taken(subject, after, taken);
    return strcmp(taken, subject->what) == 0;
}

static bool ends(const struct subject *subject, struct move move, const struct position *after)
{
    struct outcome outcome = subject->game->outcome(after);
    char text[64];

    (void)move;
    if (outcome.result == RESULT_NONE)
        return false;
    snprintf(text, sizeof text, "%s %s", result_text(outcome.result), reason_text(outcome.reason));
    return strcmp(text, subject->what) == 0;
}

static int square_of(const struct subject *subject)
{
    struct cause cause;

    return square_parse(subject->before, subject->what, &cause);
}

static bool moves(const struct subject *subject, struct move move, const struct position *after)
{
    (void)after;
    return move.kind == MOVE_STEP && move.from == square_of(subject);
}

static bool goes_to(const struct subject *subject, struct move move, const struct position *after)
{
    (void)after;
    return move.kind != MOVE_PASS && move.to == square_of(subject);
}

static bool places(const struct subject *subject, struct move move, const struct position *after)
{
    (void)after;
    return move.kind == MOVE_PLACE && move.piece == subject->what[0];
}

static bool checks(const struct subject *subject, struct move move, const struct position *after)
{
    (void)move;
    return subject->game->check(after);
}

/* Whether the player to move loses against best play. */
static bool is_lost(const struct game *game, const struct position *position)
{
    struct move legal[MOVES_MAX];
    int count = game->legal(position, legal);

    if (count == 0)
        return game->outcome(position).result == result_win(!position->side);
    for (int i = 0; i < count; i++) {
        struct position next = *position;
        game->apply(&next, legal[i]);
        if (is_lost(game, &next))
            return false;
    }
    return true;
}

static bool wins(const struct subject *subject, struct move move, const struct position *after)
{
    (void)move;
    return is_lost(subject->game, after);
}

/* How many points the player to move in `before` is ahead. */
static int lead(const struct subject *subject, const struct position *position)
{
    int points[2], own = subject->before->side;

    subject->game->score(position, points);
    return points[own] - points[!own];
}

static bool gains(const struct subject *subject, struct move move, const struct position *after)
{
    struct move legal[MOVES_MAX];
    int count = subject->game->legal(subject->before, legal);

    (void)move;
    for (int i = 0; i < count; i++) {
        struct position next = *subject->before;
        subject->game->apply(&next, legal[i]);
        if (lead(subject, &next) > lead(subject, after))
            return false;
    }
    return true;
}

typedef bool effect_test(const struct subject *subject, struct move move,
                         const struct position *after);

static effect_test *effect_find(const char *effect)
{
    static const struct {
        const char *word;
        effect_test *test;
    } rows[] = {{"takes", takes},   {"ends", ends},     {"moves", moves}, {"to", goes_to},
                {"places", places}, {"checks", checks}, {"wins", wins},   {"gains", gains}};

    for (size_t i = 0; i < LENGTH(rows); i++)
        if (strncmp(effect, rows[i].word, strcspn(effect, " ")) == 0)
            return rows[i].test;
    return NULL;
}

/* Each move that is legal has the effect exactly if the lesson names it. */
static int count_right(const struct lesson *lesson, const struct subject *subject)
{
    effect_test *test = effect_find(lesson->effect);
    struct move legal[MOVES_MAX];
    int count = subject->game->legal(subject->before, legal), right = 0;
    char text[MOVE_TEXT_MAX];

    for (int i = 0; i < count && CHECK(test != NULL); i++) {
        struct position after = *subject->before;
        subject->game->apply(&after, legal[i]);
        move_format(subject->before, legal[i], text);
        bool good = test(subject, legal[i], &after);
        right += good;
        CHECK_THAT(lesson_is_done_by(lesson, text) == good, "%s %s", text,
                   good ? "has the effect" : "has not the effect");
    }
    return right;
}

static int count_words(const char *text)
{
    int count = 0;

    for (; *text != '\0'; text += strcspn(text, " "), text += strspn(text, " "))
        count++;
    return count;
}

enum { NARROW_COLUMNS = 38, NARROW_ROWS = 14 };

/* The rows of a text on the narrowest screen. */
static int count_rows(const char *text)
{
    int rows = 1, column = 0;

    for (; *text != '\0'; text += strspn(text, " ")) {
        int word = (int)strcspn(text, " ");
        if (column > 0 && column + 1 + word > NARROW_COLUMNS) {
            rows++;
            column = 0;
        }
        column += (column > 0) + word;
        text += word;
    }
    return rows;
}

/* Texts are seen whole above the board, on the smallest screen, too. */
static void check_texts(const struct lesson *lesson, const struct position *position)
{
    int rows = NARROW_ROWS - (position->height + 1);
    char said[300];

    CHECK(lesson->title[0] != '\0' && lesson->task[0] != '\0' && lesson->done[0] != '\0');
    CHECK_THAT(count_rows(lesson->task) <= rows, "the task takes %d rows",
               count_rows(lesson->task));
    CHECK(snprintf(said, sizeof said, "Right. %s", lesson->done) < 256);
    CHECK_THAT(count_rows(said) <= rows, "the end takes %d rows", count_rows(said));
}

static void check_picture(const struct game *game, int index)
{
    char text[PICTURE_MAX];

    lesson_picture(game, index, text);
    CHECK(strlen(text) < PICTURE_MAX);
    for (const char *row = text; *row != '\0'; row += strcspn(row, "\n") + 1)
        CHECK_THAT(strcspn(row, "\n") <= 39, "the row %.*s", (int)strcspn(row, "\n"), row);
}

static void check_lesson(const struct game *game, int index)
{
    const struct lesson *lesson = &game->lessons[index];
    struct position position;
    char text[POSITION_TEXT_MAX], answer[MOVE_TEXT_MAX];
    struct cause cause;

    check_about("%s: %s", game->name, lesson->title);
    if (!CHECK(game->parse(lesson->variant, lesson->position, &position, &cause)))
        return;
    lesson_begin(game, index, &position);
    game->format(&position, text);
    CHECK_TEXT(text, lesson->position);
    struct subject subject = {game, &position, ""};
    const char *space = strchr(lesson->effect, ' ');
    snprintf(subject.what, sizeof subject.what, "%s", space != NULL ? space + 1 : "");
    int right = count_right(lesson, &subject);
    CHECK(right > 0);
    CHECK_INT(count_words(lesson->moves), right); /* none is named that is illegal */
    lesson_answer(lesson, answer);
    CHECK(lesson_is_done_by(lesson, answer));
    check_texts(lesson, &position);
    if (lesson->frame != NULL)
        check_picture(game, index);
}

int main(void)
{
    int taught = 0;

    for (int i = 0; games[i] != NULL; i++) {
        const struct game *game = games[i];
        check_about("%s", game->name);
        if (game->lesson_count == 0) /* a game need not have lessons */
            continue;
        taught++;
        CHECK(game->lesson_count >= 5 && game->lesson_count <= 12);
        for (int lesson = 0; lesson < game->lesson_count; lesson++)
            check_lesson(game, lesson);
    }
    check_about("no game");
    CHECK(taught >= 4);
    return check_end("test_lessons");
}
