#include "plan.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/bot/base/rng.h"
#include "client/bot/base/words.h"
#include "client/bot/bot.h"
#include "common/number.h"
#include "common/xmalloc.h"
#include "opening.h"

#define DEFAULT_GAME        "clobber:5x6"
#define DEFAULT_MOVETIME_MS 100
#define DEFAULT_MARGIN_MS   200
#define DEFAULT_PAIRS       100
#define DEFAULT_SPRT_PAIRS  10000
#define DEFAULT_PARALLEL    1
#define DEFAULT_OPENING     4
#define DEFAULT_PLIES       600
#define DEFAULT_SEED        1

enum {
    OPTION_GAME = OPTIONS_OWN,
    OPTION_MOVETIME,
    OPTION_NODES,
    OPTION_CLOCK,
    OPTION_MARGIN,
    OPTION_PAIRS,
    OPTION_PARALLEL,
    OPTION_OPENING,
    OPTION_PLIES,
    OPTION_SPRT,
    OPTION_PGN,
    OPTION_RESUME,
    OPTION_ENGINE
};

const struct usage_row gauntlet_rows[] = {
    {.name = "game",
     .argument = "GAME[:VARIANT]",
     .help = "the game (default " DEFAULT_GAME ")",
     .code = OPTION_GAME},
    {.name = "movetime",
     .argument = "MS",
     .help = "milliseconds for each move (default " BOT_TEXT_OF(DEFAULT_MOVETIME_MS) ")",
     .code = OPTION_MOVETIME},
    {.name = "nodes",
     .argument = "N",
     .help = "nodes for each move, instead of a time",
     .code = OPTION_NODES},
    {.name = "clock",
     .argument = "BASE+INC",
     .help = "a clock instead of a time for each move, in seconds",
     .code = OPTION_CLOCK},
    {.name = "margin",
     .argument = "MS",
     .help = "milliseconds of delay after which a move is late\n"
             "(default " BOT_TEXT_OF(DEFAULT_MARGIN_MS) ")",
     .code = OPTION_MARGIN},
    {.name = "pairs",
     .argument = "N",
     .help = "pairs of matches to play (default " BOT_TEXT_OF(
         DEFAULT_PAIRS) ");\n"
                        "with --sprt at most so many (default " BOT_TEXT_OF(DEFAULT_SPRT_PAIRS) ")",
     .code = OPTION_PAIRS},
    {.name = "parallel",
     .argument = "N",
     .help = "matches at a time (default " BOT_TEXT_OF(DEFAULT_PARALLEL) ")",
     .code = OPTION_PARALLEL},
    {.name = "opening",
     .argument = "PLIES",
     .help = "random moves at the start, of both sides together\n"
             "(default " BOT_TEXT_OF(DEFAULT_OPENING) ")",
     .code = OPTION_OPENING},
    {.name = "plies",
     .argument = "N",
     .help = "moves after which a match is a draw (default " BOT_TEXT_OF(DEFAULT_PLIES) ")",
     .code = OPTION_PLIES},
    {.name = "sprt",
     .argument = "ELO0,ELO1",
     .help = "stop once it is clear, with 5 % errors, whether the first\n"
             "player is rather ELO0 or ELO1 stronger",
     .code = OPTION_SPRT},
    {.name = "seed",
     .argument = "N",
     .help = "choose other openings and other chances of the levels\n"
             "(default " BOT_TEXT_OF(DEFAULT_SEED) ")",
     .code = OPTION_SEED},
    {.name = "option",
     .argument = "K:NAME=VALUE",
     .help = "set an option of the engine of player K, 1 or 2;\nmay be repeated",
     .code = OPTION_ENGINE},
    {.name = "pgn",
     .argument = "FILE",
     .help = "write the matches to FILE, replacing it",
     .code = OPTION_PGN},
    {.name = "resume",
     .argument = "FILE",
     .help = "keep what was played in FILE, and continue what is there",
     .code = OPTION_RESUME},
    {.name = "help", .help = "print this help", .code = OPTION_HELP},
    {.name = "version", .help = "print the version", .code = OPTION_VERSION},
    {.name = NULL},
};

static void print_help(void)
{
    puts("Usage: ludus-bot gauntlet [OPTION]... PLAYER PLAYER\n"
         "Plays two engines against each other and measures how much stronger the first one is. A\n"
         "PLAYER is a level, or the command of a UGI or UCI engine as one argument. Matches come\n"
         "in pairs with the same random opening and swapped colours.\n");
    usage_print_rows(gauntlet_rows);
    bot_print_levels();
}

static bool refuse(const char *option, const char *why)
{
    return bot_error(option, "'%.80s' %s", optarg, why);
}

static bool take_clock(struct plan *plan)
{
    struct cause cause;

    plan->limit = LIMIT_CLOCK;
    return time_control_parse(optarg, &plan->clock, &cause) ||
           bot_error("--clock", "%s", cause.text);
}

static bool read_elo(const char *text, char end, double *elo, const char **rest)
{
    char *stop;

    /* Refuses what else strtod() takes: blanks, hexadecimal, infinity. */
    if (strspn(text, "+-.0123456789,") != strlen(text))
        return false;
    *elo = strtod(text, &stop);
    *rest = stop + 1;
    return stop > text && *stop == end && fabs(*elo) <= 2000;
}

static bool take_sprt(struct plan *plan)
{
    const char *second, *rest;

    plan->sprt = true;
    if (!read_elo(optarg, ',', &plan->elo0, &second) ||
        !read_elo(second, '\0', &plan->elo1, &rest) || plan->elo0 >= plan->elo1)
        return refuse("--sprt", "is not ELO0,ELO1 with ELO0 below ELO1");
    return true;
}

static bool take_engine_option(struct plan *plan)
{
    int number = optarg[0] == '1' ? 0 : 1;
    struct program *program = &plan->players[number].program;

    if ((optarg[0] != '1' && optarg[0] != '2') || optarg[1] != ':' || optarg[2] == '=' ||
        strchr(optarg, '=') == NULL || strlen(optarg) > 1000)
        return refuse("--option", "is not 1:NAME=VALUE or 2:NAME=VALUE");
    for (const char *c = optarg; *c != '\0'; c++)
        if (iscntrl((unsigned char)*c))
            return refuse("--option", "has control characters");
    if (program->engine_option_count == ENGINE_OPTIONS_MAX)
        return refuse("--option", "is one option too many");
    program->engine_options[program->engine_option_count++] = optarg + 2;
    return true;
}

static bool take_game(struct plan *plan)
{
    struct cause cause;
    const struct game *game = game_open(optarg, &plan->start, NULL, &cause);

    if (game == NULL)
        return bot_error("--game", "%s", cause.text);
    plan->game = game;
    return true;
}

static bool take_path(const char *option, const char **path)
{
    *path = optarg;
    return optarg[0] != '\0' || bot_error(option, "no file given");
}

static bool take_option(void *context, int code, const char *option)
{
    struct plan *plan = context;

    switch (code) {
    case OPTION_GAME:
        return take_game(plan);
    case OPTION_MOVETIME:
        plan->limit = LIMIT_MOVETIME;
        return bot_take_number(option, 1, 3600000, &plan->movetime_ms);
    case OPTION_NODES:
        plan->limit = LIMIT_NODES;
        return bot_take_number(option, 1, 1000000000, &plan->nodes);
    case OPTION_CLOCK:
        return take_clock(plan);
    case OPTION_MARGIN:
        return bot_take_number(option, 0, 60000, &plan->margin_ms);
    case OPTION_PAIRS:
        return bot_take_number(option, 1, PAIRS_MAX, &plan->pairs);
    case OPTION_PARALLEL:
        return bot_take_number(option, 1, 64, &plan->parallel);
    case OPTION_OPENING:
        return bot_take_number(option, 0, OPENING_PLIES_MAX, &plan->opening_plies);
    case OPTION_PLIES:
        return bot_take_number(option, 1, COURSE_MOVES_MAX, &plan->plies_max);
    case OPTION_SPRT:
        return take_sprt(plan);
    case OPTION_SEED:
        return bot_take_number(option, 0, 1000000000, &plan->seed);
    case OPTION_PGN:
        return take_path(option, &plan->pgn_path);
    case OPTION_RESUME:
        return take_path(option, &plan->state_path);
    default:
        return take_engine_option(plan);
    }
}

static void use_level(struct player *player)
{
    /* This very program, even if its file has been replaced since it started. */
    static char program[] = "/proc/self/exe", ugi_word[] = "ugi", level[] = "--level",
                seed[] = "--seed";
    char *const words[] = {program, ugi_word, level, player->words, seed, player->seed, NULL};

    memcpy(player->argv, words, sizeof words);
    player->dialect = &ugi;
}

static bool use_command(struct player *player)
{
    char *rest = player->words;
    int count = 0;

    while (*rest != '\0' && count < COMMAND_WORDS_MAX)
        player->argv[count++] = next_word(&rest);
    return (count > 0 && player->argv[0][0] != '\0' && *rest == '\0') ||
           bot_error("PLAYER", "'%.80s' is neither a level nor a command", player->text);
}

static bool use_player(struct player *player, const char *text)
{
    const struct engine *level = engine_find(text);

    player->text = level != NULL ? level->name : text;
    player->words = xstrdup(player->text);
    player->program.command = player->argv;
    player->program.quiet = true;
    snprintf(player->label, sizeof player->label, "%.100s", player->text);
    for (const char *c = text; *c != '\0'; c++)
        if (iscntrl((unsigned char)*c))
            return bot_error("PLAYER", "control characters");
    if (level == NULL)
        return use_command(player);
    use_level(player);
    return true;
}

static bool use_players(struct plan *plan, char *const words[], int count)
{
    struct player *players = plan->players;

    if (count != 2)
        return bot_error("PLAYER", "two players are needed, not %d: see --help", count);
    for (int i = 0; i < 2; i++)
        if (!use_player(&players[i], words[i]))
            return false;
    if (strcmp(players[0].label, players[1].label) == 0)
        for (int i = 0; i < 2; i++)
            snprintf(players[i].label, sizeof players[i].label, "%.100s (%d)", players[i].text,
                     i + 1);
    return true;
}

static bool check_together(struct plan *plan)
{
    if (plan->pairs == 0)
        plan->pairs = plan->sprt ? DEFAULT_SPRT_PAIRS : DEFAULT_PAIRS;
    return plan->opening_plies < plan->plies_max ||
           bot_error("--plies", "must be more than the plies of --opening");
}

int plan_read(struct plan *plan, int argc, char *argv[])
{
    struct cause cause;

    *plan = (struct plan){.movetime_ms = DEFAULT_MOVETIME_MS,
                          .margin_ms = DEFAULT_MARGIN_MS,
                          .parallel = DEFAULT_PARALLEL,
                          .seed = DEFAULT_SEED,
                          .opening_plies = DEFAULT_OPENING,
                          .plies_max = DEFAULT_PLIES};
    plan->game = game_open(DEFAULT_GAME, &plan->start, NULL, &cause);
    int status = bot_read_options(gauntlet_rows, argc, argv, take_option, plan);
    if (status == OPTIONS_HELP) {
        print_help();
        return 0;
    }
    if (status != OPTIONS_READ)
        return status;
    return use_players(plan, argv + optind, argc - optind) && check_together(plan) ? PLAN_READ
                                                                                   : EXIT_USAGE;
}

void plan_release(struct plan *plan)
{
    free(plan->players[0].words);
    free(plan->players[1].words);
}

void plan_limit(const struct plan *plan, char text[PLAN_LIMIT_MAX])
{
    if (plan->limit == LIMIT_NODES)
        snprintf(text, PLAN_LIMIT_MAX, "nodes %ld", plan->nodes);
    else if (plan->limit == LIMIT_MOVETIME)
        snprintf(text, PLAN_LIMIT_MAX, "movetime %ld ms", plan->movetime_ms);
    else
        snprintf(text, PLAN_LIMIT_MAX, "clock %g+%g s", (double)plan->clock.base_ms / 1000,
                 (double)plan->clock.increment_ms / 1000);
}

/* Appends to a text of SETTINGS_MAX bytes, `length` of them in use. Cuts what does not fit. Returns
 * the new length. */
static size_t add(char *text, size_t length, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static size_t add(char *text, size_t length, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    int more = vsnprintf(text + length, SETTINGS_MAX - length, format, args);
    va_end(args);
    return more > 0 && (size_t)more < SETTINGS_MAX - length ? length + (size_t)more
                                                            : SETTINGS_MAX - 1;
}

void plan_settings(const struct plan *plan, char text[SETTINGS_MAX])
{
    char variant[VARIANT_NAME_MAX], limit[PLAN_LIMIT_MAX];
    size_t length = 0;

    plan->game->variant_name(&plan->start, variant);
    plan_limit(plan, limit);
    length =
        add(text, length, "%s:%s %s margin %ld opening %ld plies %ld seed %ld", plan->game->name,
            variant, limit, plan->margin_ms, plan->opening_plies, plan->plies_max, plan->seed);
    for (int i = 0; i < 2; i++) {
        const struct program *program = &plan->players[i].program;
        length = add(text, length, " | %s", plan->players[i].text);
        for (int j = 0; j < program->engine_option_count; j++)
            length = add(text, length, " ; %s", program->engine_options[j]);
    }
}

void player_prepare(struct player *player, const struct plan *plan, int number)
{
    uint64_t rng = (uint64_t)plan->seed;

    rng = rng_next(&rng) + (uint64_t)number * 2 + (player == &plan->players[1]);
    snprintf(player->seed, sizeof player->seed, "%llu", (unsigned long long)(rng_next(&rng) >> 2));
}
