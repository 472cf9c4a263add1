#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "args.h"
#include "client/ludus/learn/lesson.h"
#include "client/ludus/screen/full.h"
#include "client/ludus/talk/match_words.h"
#include "client/ludus/talk/record.h"
#include "client/ludus/term/wrap.h"
#include "common/move.h"
#include "common/pgn.h"
#include "common/position_text.h"
#include "subcommands.h"

const struct option_row rules_rows[] = {HELP_ROW, {.name = NULL}};

static const char rules_help[] =
    N_("Prints the rules of a game, or without a GAME those of all. Needs no server.");

/* Refuses a name that no game has; the cause names those that there are. */
static void refuse_game(const char *subcommand, const char *name, int *status)
{
    struct position position;
    struct cause cause = {.text = ""};

    if (game_open(name, &position, NULL, &cause) == NULL)
        args_refuse(status, "%s: %s", subcommand, cause.text);
}

enum { RULES_COLUMNS = 78 };

/* Prints a paragraph in rows that a terminal of 80 columns shows, into a pipe, too. */
static void print_paragraph(const char *text)
{
    while (*text != '\0') {
        size_t bytes = wrap_row(text, strlen(text), RULES_COLUMNS);
        printf("%.*s\n", (int)bytes, text);
        text += bytes + strspn(text + bytes, " ");
    }
}

static void print_rules(const struct game *game)
{
    char text[256];

    snprintf(text, sizeof text, "%s: %s", _(game->title), _(game->summary));
    print_paragraph(text);
    for (const char *const *paragraph = game->rules; *paragraph != NULL; paragraph++) {
        putchar('\n');
        print_paragraph(_(*paragraph));
    }
    if (game->variants[1] == NULL)
        return;
    snprintf(text, sizeof text, _("\nVariants: %s."), _(game->variants_text));
    print_paragraph(text);
}

int rules_main(const struct usage_command *command, int argc, char *argv[])
{
    struct command_line line = {.command = command, .text = rules_help, .most = 1};
    int status;

    if (!args_read_line(&line, argc, argv, &status))
        return status;
    const char *name = line.word_count > 0 ? line.words[0] : NULL;
    const struct game *game = name != NULL ? game_find(name, strcspn(name, ":")) : NULL;
    if (name != NULL && game == NULL) {
        refuse_game("rules", name, &status);
        return status;
    }
    for (int i = 0; games[i] != NULL; i++) {
        if (game != NULL && games[i] != game)
            continue;
        if (game == NULL && i > 0)
            fputs("\n\n", stdout);
        print_rules(games[i]);
    }
    return 0;
}

const struct option_row learn_rows[] = {
    LINE_ROW,
    HELP_ROW,
    {.name = NULL},
};

static const char learn_help[] =
    N_("Teaches a game on boards that each ask for one move, and explain it. Without a\n"
       "GAME it asks which; `ludus --help` lists them. Needs no server. With --line, and\n"
       "into a pipe, all lessons are printed with their answers.");

enum { GAMES_ASKED = 16 };

/* Asks for one of the games with lessons; NULL at the end of input. */
static const struct game *ask_taught(void)
{
    const struct game *taught[GAMES_ASKED];
    const char *names[GAMES_ASKED];
    int count = 0;

    for (int i = 0; count < GAMES_ASKED && games[i] != NULL; i++)
        if (games[i]->lesson_count > 0) {
            taught[count] = games[i];
            names[count++] = _(games[i]->title);
        }
    int row = ask_row(_("Which game?"), names, count);
    return row >= 0 ? taught[row] : NULL;
}

static void print_position(const struct game *game, const struct position *position)
{
    char text[BOARD_TEXT_MAX];
    struct board board;

    game->board(position, &board);
    board_text(&board, false, text);
    fputs(text, stdout);
}

/* Prints all lessons to be read: each with its board, a move that does what is asked for, and the
 * board after it. */
static void print_lessons(const struct game *game)
{
    for (int i = 0; i < game->lesson_count; i++) {
        const struct lesson *lesson = &game->lessons[i];
        struct position position;
        char answer[MOVE_TEXT_MAX];
        struct cause cause;
        struct move move;

        if (i > 0)
            puts("");
        printf(_("%s, lesson %d of %d: %s"), _(game->title), i + 1, game->lesson_count,
               _(lesson->title));
        printf("\n%s\n", _(lesson->task));
        lesson_begin(game, i, &position);
        print_position(game, &position);
        lesson_answer(lesson, answer);
        printf(_("Answer: %s. %s\n"), answer, _(lesson->done));
        if (move_parse(game, &position, answer, &move, &cause)) {
            game->apply(&position, move);
            print_position(game, &position);
        }
    }
}

static int show_lessons(const struct game *game, bool by_lines)
{
    struct client client;

    if (!by_lines) {
        client_open(&client, NULL, "", NULL, NULL);
        bool shown = full_learn(&client, game);
        client_close(&client);
        if (shown)
            return client.status;
    }
    print_lessons(game);
    return 0;
}

int learn_main(const struct usage_command *command, int argc, char *argv[])
{
    struct command_line line = {.command = command, .text = learn_help, .most = 1};
    int status;

    if (!args_read_line(&line, argc, argv, &status))
        return status;
    const char *name = line.word_count > 0 ? line.words[0] : NULL;
    const struct game *game = name != NULL ? game_find(name, strcspn(name, ":")) : NULL;
    if (name == NULL)
        game = ask_taught();
    else if (game == NULL)
        refuse_game("learn", name, &status);
    else if (game->lesson_count == 0)
        args_refuse(&status, "learn: %s has no lessons", game->name);
    if (name != NULL && (game == NULL || game->lesson_count == 0))
        return status;
    return game != NULL ? show_lessons(game, line.options.line) : 1;
}

const struct option_row replay_rows[] = {
    {OPTION("all", NULL, "only check"), TO_FLAG(options, all)},
    LINE_ROW,
    HELP_ROW,
    {.name = NULL},
};

static const char replay_help[] =
    N_("Checks each match of a PGN file against the rules, names those that are wrong, then\n"
       "steps through the others.\n"
       "With --all, and from or into a pipe, it only checks and prints one line a match;\n"
       "with --line it prints the board after every move.\n"
       "FILE is what `ludus record MATCH --pgn` writes; - stands for standard input.");

/* Prints a line for each match, or with only_wrong for each invalid one. Returns how many are
 * invalid. */
static int check_all(const struct pgn_file *file, FILE *stream, bool only_wrong)
{
    int wrong = 0;

    for (int i = 0; i < file->count; i++) {
        const struct pgn_match *match = &file->matches[i];
        const char *reason = reason_text(match->outcome.reason);
        struct cause cause;
        bool good = pgn_check(match, &cause);
        wrong += !good;
        if (good && only_wrong)
            continue;
        fprintf(stream, "match %s (line %d): ", match->match != NULL ? match->match : "?",
                match->line);
        if (good)
            fprintf(stream, "ok, %s, %d %s, %s%s%s\n", match->game->name, match->plies,
                    match->plies == 1 ? "ply" : "plies", result_text(match->outcome.result),
                    reason != NULL ? " " : "", reason != NULL ? reason : "");
        else
            fprintf(stream, "%s\n", cause.text);
    }
    return wrong;
}

static const char *or_unknown(const char *text)
{
    return text != NULL ? text : "?";
}

/* Prints a match to be read: the board after every move. */
static void print_match(const struct pgn_match *match)
{
    const char *reason = reason_text(match->outcome.reason);
    char text[BOARD_TEXT_MAX], variant[VARIANT_NAME_MAX];
    struct board board;

    match->game->variant_name(&match->start, variant);
    printf(_("\n%s %s, match %s: white %s, black %s\n"), _(match->game->title), variant,
           or_unknown(match->match), or_unknown(match->white), or_unknown(match->black));
    for (int ply = 0; ply <= match->plies; ply++) {
        struct position position = record_position(match, ply);
        if (ply > 0)
            printf(_("\nMove %d: %s\n"), ply, match->moves[ply - 1].text);
        match->game->board(&position, &board);
        board_text(&board, false, text);
        fputs(text, stdout);
    }
    printf(reason != NULL ? _("Result: %s %s\n") : _("Result: %s\n"),
           result_text(match->outcome.result), reason_words(reason));
}

/* Puts the matches that can be replayed first. Returns how many they are. */
static int sort_out(struct pgn_file *file)
{
    struct cause cause;
    int good = 0;

    for (int i = 0; i < file->count; i++)
        if (pgn_check(&file->matches[i], &cause)) {
            struct pgn_match match = file->matches[i];
            file->matches[i] = file->matches[good];
            file->matches[good++] = match;
        }
    return good;
}

/* Steps through the first `count` matches, or prints them. */
static int show_matches(const struct pgn_file *whole, int count, bool by_lines)
{
    const struct pgn_file part = {.matches = whole->matches, .count = count}, *file = &part;
    struct client client;

    if (!by_lines) {
        client_open(&client, NULL, "", NULL, NULL);
        bool shown = full_replay(&client, file);
        client_close(&client);
        if (shown)
            return client.status;
    }
    for (int i = 0; i < file->count; i++)
        print_match(&file->matches[i]);
    return 0;
}

static int run_replay(const struct command_line *line, struct pgn_file *file)
{
    /* Nobody can type where the file itself comes from standard input. */
    bool steps = !line->options.all && strcmp(line->words[0], "-") != 0 && isatty(STDIN_FILENO) &&
                 isatty(STDOUT_FILENO);
    int wrong = check_all(file, steps ? stderr : stdout, steps);

    if (fflush(stdout) != 0)
        return 0; /* main() reports that */
    if (steps && wrong < file->count) {
        int status = show_matches(file, sort_out(file), line->options.line);
        return status != 0 ? status : wrong > 0;
    }
    return wrong > 0;
}

int replay_main(const struct usage_command *command, int argc, char *argv[])
{
    struct command_line line = {.command = command, .text = replay_help, .least = 1, .most = 1};
    struct pgn_file file;
    struct cause cause;
    int status;

    if (!args_read_line(&line, argc, argv, &status))
        return status;
    if (!record_read_file(line.words[0], &file, &cause)) {
        fprintf(stderr, "ludus: %s: %s\n", line.words[0], cause.text);
        return 1;
    }
    status = run_replay(&line, &file);
    pgn_release(&file);
    return status;
}
