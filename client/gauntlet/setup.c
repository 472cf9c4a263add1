#include "setup.h"

#include <ctype.h>
#include <getopt.h>
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
    {"game", "GAME[:VARIANT]", "what is played (clobber:5x6)", OPTION_GAME},
    {"movetime", "MS", "milliseconds for each move (100)", OPTION_MOVETIME},
    {"nodes", "N", "nodes for each move, instead of a time", OPTION_NODES},
    {"clock", "BASE+INC", "a clock instead of a time for each move, in seconds", OPTION_CLOCK},
    {"margin", "MS", "milliseconds of delay after which a move is late (200)", OPTION_MARGIN},
    {"pairs", "N", "at most N pairs (100; with --sprt 10000)", OPTION_PAIRS},
    {"parallel", "N", "matches at a time (1)", OPTION_PARALLEL},
    {"opening", "PLIES", "random moves at the start, of both sides together (4)", OPTION_OPENING},
    {"plies", "N", "moves after which a match is a draw (600)", OPTION_PLIES},
    {"sprt", "ELO0,ELO1",
     "stop once it is clear, with 5 % errors, whether the first player is\n"
     "rather ELO0 or ELO1 stronger",
     OPTION_SPRT},
    {"seed", "N", "choose other openings and other chances of the levels (1)", OPTION_SEED},
    {"option", "K:NAME=VALUE", "set an option of the engine of player K, 1 or 2; may be repeated",
     OPTION_ENGINE},
    {"pgn", "FILE", "write the matches to FILE, replacing it", OPTION_PGN},
    {"resume", "FILE", "keep what was played in FILE, and continue what is there", OPTION_RESUME},
    {"help", NULL, "print this help", OPTION_HELP},
    {"version", NULL, "print the version", OPTION_VERSION},
    {.name = NULL},
};

static void print_help(void)
{
    puts("Usage: ludus-bot gauntlet [OPTION]... PLAYER PLAYER\n"
         "Plays two engines against each other and measures how much stronger the first one is. A\n"
         "PLAYER is a level, or the command of a UGI or UCI engine as one argument. Matches come\n"
         "in pairs with the same random opening and swapped colours.\n");
    bot_print_help(gauntlet_rows);
}

static bool refuse(const char *option, const char *why)
{
    bot_error(option, "'%.80s' %s", optarg, why);
    return false;
}

static bool take_number(const char *option, long min, long max, long *number)
{
    if (number_parse(optarg, strlen(optarg), min, max, number))
        return true;
    bot_error(option, "invalid value '%.80s': write a number from %ld to %ld", optarg, min, max);
    return false;
}

static bool take_clock(struct plan *plan)
{
    struct cause cause;

    plan->limit = LIMIT_CLOCK;
    if (time_control_parse(optarg, &plan->clock, &cause))
        return true;
    bot_error("--clock", "%s", cause.text);
    return false;
}

static bool read_elo(const char *text, char end, double *elo, const char **rest)
{
    char *stop;

    /* What strtod() takes beyond this: blanks, hexadecimal, infinity. */
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
        return refuse("--option", "is one too many");
    program->engine_options[program->engine_option_count++] = optarg + 2;
    return true;
}

static bool take_game(struct plan *plan)
{
    struct cause cause;
    const struct game *game = game_open(optarg, &plan->start, NULL, &cause);

    if (game == NULL)
        bot_error("--game", "%s", cause.text);
    else
        plan->game = game;
    return game != NULL;
}

static bool take_path(const char *option, const char **path)
{
    *path = optarg;
    return optarg[0] != '\0' || refuse(option, "is no file");
}

static bool take(struct plan *plan, int option)
{
    switch (option) {
    case OPTION_GAME:
        return take_game(plan);
    case OPTION_MOVETIME:
        plan->limit = LIMIT_MOVETIME;
        return take_number("--movetime", 1, 3600000, &plan->movetime_ms);
    case OPTION_NODES:
        plan->limit = LIMIT_NODES;
        return take_number("--nodes", 1, 1000000000, &plan->nodes);
    case OPTION_CLOCK:
        return take_clock(plan);
    case OPTION_MARGIN:
        return take_number("--margin", 0, 60000, &plan->margin_ms);
    case OPTION_PAIRS:
        return take_number("--pairs", 1, PAIRS_MAX, &plan->pairs);
    case OPTION_PARALLEL:
        return take_number("--parallel", 1, 64, &plan->parallel);
    case OPTION_OPENING:
        return take_number("--opening", 0, OPENING_PLIES_MAX, &plan->opening_plies);
    case OPTION_PLIES:
        return take_number("--plies", 1, COURSE_MOVES_MAX, &plan->plies_max);
    case OPTION_SPRT:
        return take_sprt(plan);
    case OPTION_SEED:
        return take_number("--seed", 0, 1000000000, &plan->seed);
    case OPTION_PGN:
        return take_path("--pgn", &plan->pgn_path);
    case OPTION_RESUME:
        return take_path("--resume", &plan->state_path);
    default:
        return take_engine_option(plan);
    }
}

static void use_level(struct player *player)
{
    /* This very program, even when its file has been replaced meanwhile. */
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
    if (count > 0 && player->argv[0][0] != '\0' && *rest == '\0')
        return true;
    bot_error("PLAYER", "'%.80s' is neither a level nor a command", player->text);
    return false;
}

static bool use_player(struct player *player, const char *text)
{
    const struct engine *level = engine_find(text);

    player->text = level != NULL ? level->name : text;
    player->is_level = level != NULL;
    player->words = xstrdup(player->text);
    player->program.command = player->argv;
    player->program.log.quiet = true;
    snprintf(player->label, sizeof player->label, "%.100s", player->text);
    for (const char *c = text; *c != '\0'; c++)
        if (iscntrl((unsigned char)*c)) {
            bot_error("PLAYER", "control characters");
            return false;
        }
    if (!player->is_level)
        return use_command(player);
    use_level(player);
    return true;
}

static bool use_players(struct plan *plan, char *const words[], int count)
{
    struct player *players = plan->players;

    if (count != 2) {
        bot_error("PLAYER", "two players are needed, not %d: see --help", count);
        return false;
    }
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
        plan->pairs = plan->sprt ? 10000 : 100;
    if (plan->opening_plies < plan->plies_max)
        return true;
    bot_error("--plies", "is not more than those of the opening");
    return false;
}

enum plan_result plan_read(struct plan *plan, int argc, char *argv[])
{
    struct option longs[USAGE_ROWS_MAX];
    struct cause cause;
    int code;

    usage_longs(gauntlet_rows, longs);
    *plan = (struct plan){.movetime_ms = 100,
                          .margin_ms = 200,
                          .parallel = 1,
                          .seed = 1,
                          .opening_plies = 4,
                          .plies_max = 600};
    plan->game = game_open("clobber:5x6", &plan->start, NULL, &cause);
    while ((code = getopt_long(argc, argv, ":", longs, NULL)) != -1) {
        if (code == OPTION_HELP) {
            print_help();
            return PLAN_DONE;
        }
        if (code == OPTION_VERSION) {
            bot_print_version();
            return PLAN_DONE;
        }
        if (code == '?' || code == ':') {
            bot_bad_option(code, argv);
            return PLAN_BAD;
        }
        if (!take(plan, code))
            return PLAN_BAD;
    }
    return use_players(plan, argv + optind, argc - optind) && check_together(plan) ? PLAN_RUN
                                                                                   : PLAN_BAD;
}

void plan_release(struct plan *plan)
{
    free(plan->players[0].words);
    free(plan->players[1].words);
}

void plan_limit(const struct plan *plan, char *text)
{
    if (plan->limit == LIMIT_NODES)
        snprintf(text, 64, "nodes %ld", plan->nodes);
    else if (plan->limit == LIMIT_MOVETIME)
        snprintf(text, 64, "movetime %ld ms", plan->movetime_ms);
    else
        snprintf(text, 64, "clock %g+%g s", (double)plan->clock.base_ms / 1000,
                 (double)plan->clock.increment_ms / 1000);
}

/* Adds to a text of SETTINGS_MAX bytes, of which `length` are used; what does not fit is cut. */
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
    char variant[VARIANT_NAME_MAX], limit[64];
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
