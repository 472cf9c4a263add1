/*
 * The rules of the games: each line of the .txt files in tests/positions, or of those named, is one
 * check. Blank lines and lines that start with '#' are ignored; every other line is a keyword with
 * arguments:
 *
 *     game xadrersi:touch          the following lines are about this game and variant; the variant
 *     may be left out
 *     case TITLE                   starts a case; the title names the clause of the rules
 *     position POSITION            the lines below are about it; "start" is the start position
 *     moves M M ...                exactly these moves are legal, in any order; "-" for none
 *     legal M M ...                these are among the legal moves
 *     illegal MOVE = SENTENCE      the move is refused with exactly this sentence
 *     after MOVE = POSITION        playing it gives this position
 *     result RESULT [REASON]       such as "0-1 no-moves", or "*"
 *     check yes|no                 in games with check
 *     score WHITE BLACK            in games with points
 *     advice SENTENCE              what the side to move is told; "-" when the game is over
 *     perft DEPTH NODES            from the position
 *     refuse POSITION = SENTENCE   the position is refused with exactly this sentence
 */
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "common/game.h"
#include "common/move.h"
#include "common/text.h"

struct reader {
    const char *path;
    int line;
    const struct game *game; /* NULL before the first game line */
    bool has_variant;
    char variant[VARIANT_NAME_MAX];
    bool has_position;
    struct position position;
};

/* One check, reported at the present line of data. */
#define EXPECT(reader, passed, ...) check_at((reader)->path, (reader)->line, (passed), __VA_ARGS__)

static const char *reader_variant(const struct reader *r)
{
    return r->has_variant ? r->variant : NULL;
}

/* Cuts `args` at the first " = " and returns what follows it, or NULL when there is none. */
static char *cut_at_equals(char *args)
{
    char *equals = strstr(args, " = ");

    if (equals == NULL)
        return NULL;
    *equals = '\0';
    return equals + 3;
}

static void line_game(struct reader *r, char *args)
{
    struct position start;
    struct cause cause;
    const char *colon = strchr(args, ':');

    r->has_position = false;
    r->game = game_open(args, &start, NULL, &cause);
    if (r->game == NULL) {
        EXPECT(r, false, "%s", cause.text);
        return;
    }
    r->has_variant = colon != NULL;
    snprintf(r->variant, sizeof r->variant, "%s", colon != NULL ? colon + 1 : "");
}

static void line_case(struct reader *r, char *args)
{
    r->has_position = false;
    check_about("%s", args);
}

static void line_position(struct reader *r, char *args)
{
    char text[POSITION_TEXT_MAX];
    struct cause cause;

    if (strcmp(args, "start") == 0) {
        r->has_position = r->game->start(reader_variant(r), &r->position, &cause);
        EXPECT(r, r->has_position, "no start position: %s", cause.text);
        return;
    }
    r->has_position = r->game->parse(reader_variant(r), args, &r->position, &cause);
    if (!r->has_position) {
        EXPECT(r, false, "the position is refused: %s", cause.text);
        return;
    }
    r->game->format(&r->position, text);
    EXPECT(r, strcmp(text, args) == 0, "the position is written back as %s", text);
}

static void line_moves(struct reader *r, char *args)
{
    struct move moves[MOVES_MAX], move;
    bool listed[MOVES_MAX] = {false};
    char extra[400] = "", text[MOVE_TEXT_MAX];
    struct cause cause;
    int count = r->game->legal(&r->position, moves);

    if (strcmp(args, "-") == 0)
        args = NULL;
    for (char *word; (word = strsep(&args, " ")) != NULL;) {
        if (!move_parse(r->game, &r->position, word, &move, &cause)) {
            EXPECT(r, false, "%s is not legal: %s", word, cause.text);
            return;
        }
        for (int i = 0; i < count; i++)
            listed[i] = listed[i] || move_equal(moves[i], move);
    }
    for (int i = 0; i < count; i++) {
        size_t length = strlen(extra);
        move_format(&r->position, moves[i], text);
        if (!listed[i])
            snprintf(extra + length, sizeof extra - length, " %s", text);
    }
    EXPECT(r, extra[0] == '\0', "legal as well:%s", extra);
}

static void line_legal(struct reader *r, char *args)
{
    struct move move;
    struct cause cause;

    for (char *word; (word = strsep(&args, " ")) != NULL;) {
        bool legal = move_parse(r->game, &r->position, word, &move, &cause);
        if (!EXPECT(r, legal, "%s is not legal: %s", word, cause.text))
            return;
    }
}

static void line_illegal(struct reader *r, char *args)
{
    const char *sentence = cut_at_equals(args);
    struct move move;
    struct cause cause;

    if (sentence == NULL)
        EXPECT(r, false, "write illegal MOVE = SENTENCE");
    else if (move_parse(r->game, &r->position, args, &move, &cause))
        EXPECT(r, false, "%s is legal", args);
    else
        EXPECT(r, strcmp(cause.text, sentence) == 0, "%s is refused with: %s", args, cause.text);
}

static void line_after(struct reader *r, char *args)
{
    const char *want = cut_at_equals(args);
    struct position next = r->position;
    char text[POSITION_TEXT_MAX];
    struct move move;
    struct cause cause;

    if (want == NULL) {
        EXPECT(r, false, "write after MOVE = POSITION");
        return;
    }
    if (!move_parse(r->game, &r->position, args, &move, &cause)) {
        EXPECT(r, false, "%s is not legal: %s", args, cause.text);
        return;
    }
    r->game->apply(&next, move);
    r->game->format(&next, text);
    EXPECT(r, strcmp(text, want) == 0, "after %s the position is %s", args, text);
}

static void line_result(struct reader *r, char *args)
{
    struct outcome outcome = r->game->outcome(&r->position);
    const char *reason = reason_text(outcome.reason);
    size_t length = strlen(args);
    char text[64];

    snprintf(text, sizeof text, "%s%s%s", result_text(outcome.result), reason != NULL ? " " : "",
             reason != NULL ? reason : "");
    bool same = strncmp(text, args, length) == 0 && (text[length] == '\0' || text[length] == ' ');
    EXPECT(r, same, "the result is %s", text);
}

static void line_check(struct reader *r, char *args)
{
    if (r->game->check == NULL) {
        EXPECT(r, false, "there is no check in %s", r->game->name);
        return;
    }
    const char *text = r->game->check(&r->position) ? "yes" : "no";
    EXPECT(r, strcmp(text, args) == 0, "check: %s", text);
}

static void line_score(struct reader *r, char *args)
{
    int points[2];
    char text[32];

    if (r->game->score == NULL) {
        EXPECT(r, false, "there are no points in %s", r->game->name);
        return;
    }
    r->game->score(&r->position, points);
    snprintf(text, sizeof text, "%d %d", points[WHITE], points[BLACK]);
    EXPECT(r, strcmp(text, args) == 0, "the score is %s", text);
}

static void line_advice(struct reader *r, char *args)
{
    char text[ADVICE_MAX];
    bool told = game_advise(r->game, &r->position, text);

    EXPECT(r, told ? strcmp(text, args) == 0 : strcmp(args, "-") == 0, "the advice is: %s", text);
}

static void line_perft(struct reader *r, char *args)
{
    const char *nodes_text = strchr(args, ' ');
    long depth, nodes;

    if (nodes_text == NULL || !number_parse(args, (size_t)(nodes_text - args), 0, 20, &depth) ||
        !number_parse(nodes_text + 1, strlen(nodes_text + 1), 0, 1000000000, &nodes)) {
        EXPECT(r, false, "write perft DEPTH NODES");
        return;
    }
    uint64_t counted = perft(r->game, &r->position, (int)depth);
    EXPECT(r, counted == (uint64_t)nodes, "perft %ld is %llu", depth, (unsigned long long)counted);
}

static void line_refuse(struct reader *r, char *args)
{
    const char *sentence = cut_at_equals(args);
    struct position position = r->position;
    struct cause cause;

    if (sentence == NULL)
        EXPECT(r, false, "write refuse POSITION = SENTENCE");
    else if (r->game->parse(reader_variant(r), args, &position, &cause))
        EXPECT(r, false, "the position is accepted");
    else if (memcmp(&position, &r->position, sizeof position) != 0)
        EXPECT(r, false, "parse() changed the position that it refused");
    else
        EXPECT(r, strcmp(cause.text, sentence) == 0, "refused with: %s", cause.text);
}

static const struct keyword {
    const char *name;
    void (*run)(struct reader *, char *args);
    bool needs_game, needs_position;
} keywords[] = {
    {"game", line_game, false, false},        {"case", line_case, true, false},
    {"position", line_position, true, false}, {"moves", line_moves, true, true},
    {"legal", line_legal, true, true},        {"illegal", line_illegal, true, true},
    {"after", line_after, true, true},        {"result", line_result, true, true},
    {"check", line_check, true, true},        {"score", line_score, true, true},
    {"perft", line_perft, true, true},        {"refuse", line_refuse, true, false},
    {"advice", line_advice, true, true},
};

static void run_line(struct reader *r, char *args)
{
    const char *name = strsep(&args, " ");

    for (size_t i = 0; i < LENGTH(keywords); i++) {
        if (strcmp(name, keywords[i].name) != 0)
            continue;
        if (args == NULL)
            EXPECT(r, false, "%s without arguments", name);
        else if (keywords[i].needs_game && r->game == NULL)
            EXPECT(r, false, "%s without a game before it", name);
        else if (keywords[i].needs_position && !r->has_position)
            EXPECT(r, false, "%s without a position before it", name);
        else
            keywords[i].run(r, args);
        return;
    }
    EXPECT(r, false, "'%s' is no keyword", name);
}

static void run_file(const char *path)
{
    struct reader reader = {.path = path};
    FILE *file = fopen(path, "r");
    char *text = NULL;
    size_t size = 0;

    if (file == NULL) {
        EXPECT(&reader, false, "cannot be read");
        return;
    }
    check_about("%s", "");
    while (getline(&text, &size, file) >= 0) {
        text[strcspn(text, "\n")] = '\0';
        reader.line++;
        if (text[0] != '\0' && text[0] != '#')
            run_line(&reader, text);
    }
    free(text);
    fclose(file);
}

int main(int argc, char *argv[])
{
    glob_t paths;

    for (int i = 1; i < argc; i++)
        run_file(argv[i]);
    if (argc == 1 && glob("tests/positions/*.txt", 0, NULL, &paths) == 0) {
        for (size_t i = 0; i < paths.gl_pathc; i++)
            run_file(paths.gl_pathv[i]);
        globfree(&paths);
    }
    return check_end("test_rules");
}
