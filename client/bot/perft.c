/* `ludus-bot perft`: counts move sequences, to compare move generators. */
#include <stdio.h>
#include <string.h>

#include "bot.h"
#include "common/move.h"
#include "common/text.h"

enum { PERFT_PLIES_MAX = 1000 };

/* Counts like perft(), unless it is stopped, which leaves out the rest. */
static uint64_t count_leaves(const struct game *game, const struct position *position, int depth,
                             const atomic_bool *stop)
{
    struct move moves[MOVES_MAX];
    uint64_t leaves = 0;

    if (depth <= 1)
        return perft(game, position, depth);
    int count = game->legal(position, moves);
    for (int i = 0; i < count && !atomic_load(stop); i++) {
        struct position next = *position;
        game->apply(&next, moves[i]);
        leaves += count_leaves(game, &next, depth - 1, stop);
    }
    return leaves;
}

bool perft_each_move(const struct game *game, const struct position *position, int depth,
                     const atomic_bool *stop, perft_teller *tell, void *context, uint64_t *total)
{
    struct move moves[MOVES_MAX];
    int count = depth > 0 ? game->legal(position, moves) : 0;

    *total = depth > 0 ? 0 : 1;
    for (int i = 0; i < count; i++) {
        char text[MOVE_TEXT_MAX];
        struct position next = *position;
        game->apply(&next, moves[i]);
        uint64_t leaves = count_leaves(game, &next, depth - 1, stop);
        *total += leaves;
        if (atomic_load(stop))
            return false;
        move_format(position, moves[i], text);
        tell(context, text, leaves);
    }
    return true;
}

struct perft_options {
    const struct game *game; /* of the position; NULL: the game whose form it has */
    char variant[VARIANT_NAME_MAX];
};

static bool read_game(void *context, const struct option_input *input, struct cause *cause)
{
    struct perft_options *options = context;
    struct position start;

    options->game = game_open(input->value, &start, NULL, cause);
    if (options->game != NULL)
        options->game->variant_name(&start, options->variant);
    return options->game != NULL;
}

const struct option_row perft_rows[] = {
    {OPTION("game", "GAME[:VARIANT]",
            "the game of POSITION; without it, the game whose form it has"),
     .read = read_game},
    OPTIONS_LAST_ROWS,
};

static const char help[] =
    "Counts the sequences of N legal moves from the start of GAME or from a quoted\n"
    "POSITION. Prints a line for each move with its count, then `nodes: TOTAL`.\n"
    "The status is 0 only if all were counted.";

/* A position has fields, separated by spaces. */
static const struct game *open_position(const struct perft_options *options, const char *text,
                                        struct position *position, struct cause *cause)
{
    if (strchr(text, ' ') == NULL)
        return game_open(text, position, NULL, cause);
    if (options->game == NULL)
        return game_of_position(text, position, cause);
    return options->game->parse(options->variant, text, position, cause) ? options->game : NULL;
}

static void print_count(void *context, const char *move, uint64_t count)
{
    (void)context;
    printf("%s: %llu\n", move, (unsigned long long)count);
    fflush(stdout); /* one after the other, for people who look while it counts */
}

int perft_main(const struct usage_command *command, int argc, char **argv)
{
    struct perft_options options = {.game = NULL};
    int status = options_read("ludus-bot", perft_rows, OPTIONS_ANYWHERE, argc, argv, &options);
    static const atomic_bool never;
    struct position position;
    struct cause cause;
    uint64_t total;
    long plies;

    if (status == OPTIONS_HELP) {
        usage_print_command("ludus-bot", command, help);
        usage_print_games();
        return 0;
    }
    if (status != OPTIONS_RUN)
        return status;
    if (argc - optind != 2) {
        bot_error("perft", "give two arguments: GAME or a quoted position, and a number of plies");
        return EXIT_USAGE;
    }
    const struct game *game = open_position(&options, argv[optind], &position, &cause);
    if (game == NULL || !option_number(argv[optind + 1], 0, PERFT_PLIES_MAX, &plies, &cause)) {
        bot_error("perft", "%s", cause.text);
        return EXIT_USAGE;
    }
    perft_each_move(game, &position, (int)plies, &never, print_count, NULL, &total);
    printf("nodes: %llu\n", (unsigned long long)total);
    return 0;
}
