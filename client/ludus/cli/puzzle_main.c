/* `ludus puzzle`: positions in which one move wins, line by line. */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "args.h"
#include "client/games/guide.h"
#include "client/ludus/learn/attempt.h"
#include "common/move.h"
#include "common/position_text.h"
#include "subcommands.h"

const struct option_row puzzle_rows[] = {
    {OPTION("daily", NULL, "the puzzle of today (UTC), the same for everybody"),
     TO_FLAG(options, daily)},
    HELP_ROW,
    {.name = NULL},
};

static const char puzzle_help[] =
    N_("Shows a position in which exactly one move wins, and refutes every other move. It\n"
       "is the one of GAME after the last that you solved, or number N; without a GAME it\n"
       "asks which, or with --daily takes the game of the day. Type a move, ? for the\n"
       "answer, share for a line to send to others, next or quit. Needs no server.");

enum { GAMES_ASKED = 16, TYPED_MAX = 64 };

/* Asks for one of the games with puzzles; NULL at the end of input. */
static const struct game *ask_game(void)
{
    const struct game *asked[GAMES_ASKED];
    const char *names[GAMES_ASKED];
    int count = 0;

    for (int i = 0; count < GAMES_ASKED && games[i] != NULL; i++)
        if (puzzle_count(games[i]) > 0) {
            asked[count] = games[i];
            names[count++] = _(games[i]->title);
        }
    int row = ask_row(_("Which game?"), names, count);
    return row >= 0 ? asked[row] : NULL;
}

/* Prints the board, and where pieces are placed from hand what the guide tells of them. */
static void print_scene(const struct game *game, const struct position *position)
{
    char text[BOARD_TEXT_MAX], facts[FACTS_MAX];
    struct scene scene;

    scene_set(&scene, game, position, "");
    board_text(&scene.board, false, text);
    fputs(text, stdout);
    if (game->pieces[0] == '\0')
        return;
    guide_facts(guide_of(game), &scene, false, facts);
    if (facts[0] != '\0')
        printf("%s%s", facts, facts[strlen(facts) - 1] == '\n' ? "" : "\n");
}

static void print_puzzle(const struct attempt *attempt)
{
    char title[ATTEMPT_TEXT_MAX], task[PUZZLE_TASK_MAX];

    attempt_title(attempt, title);
    puzzle_task(&attempt->puzzle, task);
    printf("%s\n", title);
    print_scene(attempt->puzzle.game, &attempt->puzzle.position);
    printf("%s\n", task);
}

/* Prints what a move comes to; for a wrong one the board after the reply, too. */
static void print_answer(const struct attempt *attempt, struct move move,
                         const struct attempt_answer *answer)
{
    struct position position = attempt->puzzle.position;

    attempt->puzzle.game->apply(&position, move);
    if (answer->refuted)
        attempt->puzzle.game->apply(&position, answer->reply);
    print_scene(attempt->puzzle.game, &position);
    printf("%s\n", answer->text);
}

/* Takes a line. Returns false when the player goes on to the next puzzle. */
static bool take_line(struct attempt *attempt, const char *line)
{
    char text[ATTEMPT_TEXT_MAX];
    struct attempt_answer answer;
    struct cause cause;
    struct move move;

    if (strcasecmp(line, "next") == 0 || (line[0] == '\0' && attempt->solved))
        return false;
    if (strcasecmp(line, "share") == 0) {
        attempt_share(attempt, text);
        printf("%s\n", text);
    } else if (strcmp(line, "?") == 0 || strcasecmp(line, "answer") == 0) {
        attempt_show(attempt, text);
        printf("%s\n", text);
    } else if (strcasecmp(line, "help") == 0)
        puts(_("A move, ? for the answer, share, next or quit."));
    else if (line[0] == '\0')
        print_puzzle(attempt);
    else if (!move_parse(attempt->puzzle.game, &attempt->puzzle.position, line, &move, &cause))
        printf("%s\n", cause.text);
    else {
        attempt_try(attempt, move, &answer);
        print_answer(attempt, move, &answer);
    }
    return true;
}

/* Asks for moves until the player goes on. False at the end of all. */
static bool ask_moves(struct attempt *attempt)
{
    char line[TYPED_MAX];

    print_puzzle(attempt);
    do {
        fputs(attempt->solved ? _("next, share or quit [next]: ")
                              : _("Your move (? shows the answer): "),
              stdout);
        fflush(stdout);
        if (fgets(line, sizeof line, stdin) == NULL) {
            putchar('\n');
            return false;
        }
        line[strcspn(line, "\n")] = '\0';
        if (strcasecmp(line, "quit") == 0)
            return false;
    } while (take_line(attempt, line));
    return true;
}

/* Goes from one puzzle to the next; after the one of the day, on with those of its game. */
static int run_puzzles(struct attempt *attempt)
{
    const struct game *game = attempt->puzzle.game;

    while (ask_moves(attempt)) {
        int number = attempt->day > 0 ? 0 : attempt->number % puzzle_count(game) + 1;
        putchar('\n');
        if (!attempt_begin(attempt, game, number))
            return 1;
    }
    return 0;
}

/* Reads the arguments. False with *status set when the program must end now. */
static bool read_words(const struct command_line *line, const struct game **game, long *number,
                       int *status)
{
    const char *name = line->word_count > 0 ? line->words[0] : NULL;
    struct position start;
    struct cause cause;

    *number = 0;
    *game = NULL;
    if (name != NULL && (*game = game_open(name, &start, NULL, &cause)) == NULL)
        return args_refuse(status, "puzzle: %s", cause.text);
    if (*game != NULL && puzzle_count(*game) == 0)
        return args_refuse(status, "puzzle: there are no puzzles of %s", _((*game)->title));
    if (line->word_count < 2)
        return true;
    if (line->options.daily)
        return args_refuse(status, "puzzle: with --daily there is no number to choose");
    int count = puzzle_count(*game);
    return number_parse(line->words[1], strlen(line->words[1]), 1, count, number) ||
           args_refuse(status, "puzzle: the puzzles of %s have numbers from 1 to %d",
                       _((*game)->title), count);
}

int puzzle_main(const struct usage_command *command, int argc, char *argv[])
{
    struct command_line line = {.command = command, .text = puzzle_help, .most = 2};
    const struct game *game;
    struct attempt attempt;
    long number;
    int status;

    if (!args_read_line(&line, argc, argv, &status) || !read_words(&line, &game, &number, &status))
        return status;
    bool begun = line.options.daily ? attempt_begin_daily(&attempt, game)
                                    : (game != NULL || (game = ask_game()) != NULL) &&
                                          attempt_begin(&attempt, game, (int)number);
    return begun ? run_puzzles(&attempt) : 1;
}
