#include "plan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/bot/base/rng.h"
#include "client/bot/base/words.h"
#include "client/bot/bot.h"
#include "common/xmalloc.h"
#include "opening.h"
#include "rating_table.h"

#define DEFAULT_PAIRS      "100"
#define DEFAULT_SPRT_PAIRS "10000"

enum { ELO_MAX = 2000 };

enum {
    OPTION_GAME = OPTIONS_OWN,
    OPTION_MOVETIME,
    OPTION_NODES,
    OPTION_CLOCK,
    OPTION_SPRT,
    OPTION_ENGINE,
    OPTION_LOG
};

const struct usage_row gauntlet_rows[] = {
    {OPTION("game", "GAME[:VARIANT]", "the game"), .code = OPTION_GAME, .standard = "clobber:5x6"},
    {OPTION("movetime", "MS", "milliseconds for each move"), .code = OPTION_MOVETIME,
     .standard = "100"},
    {OPTION("nodes", "N", "nodes for each move, instead of a time"), .code = OPTION_NODES},
    {OPTION("clock", "BASE+INC", "a clock instead of a time for each move, in seconds"),
     .code = OPTION_CLOCK},
    {OPTION("margin", "MS", "milliseconds of delay after which a move is late"),
     TO_NUMBER(plan, margin_ms, 0, 60000), .standard = "200"},
    {OPTION("pairs", "N",
            "pairs of matches to play (" DEFAULT_PAIRS
            ");\nwith --sprt at most so many (" DEFAULT_SPRT_PAIRS ")"),
     TO_NUMBER(plan, pairs, 1, PAIRS_MAX)},
    {OPTION("parallel", "N", "matches at a time"), TO_NUMBER(plan, parallel, 1, 64),
     .standard = "1"},
    {OPTION("opening", "PLIES", "random moves at the start, of both sides together"),
     TO_NUMBER(plan, opening_plies, 0, OPENING_PLIES_MAX), .standard = "4"},
    {OPTION("openings", "FILE",
            "openings from FILE instead, in its order: a line each of\n"
            "startpos or POSITION [moves MOVE...]; or PGN, of which the\n"
            "first --opening moves count. --pairs is by default their number"),
     TO_TEXT(plan, openings_path)},
    {OPTION("adjudicate-score", "CP", "a match is won once both engines' scores say so by CP"),
     TO_NUMBER(plan, score_cp, 1, SCORE_MATE_CP)},
    {OPTION("adjudicate-plies", "N", "moves in a row that the scores must say so"),
     TO_NUMBER(plan, score_plies, 2, 100), .standard = "6"},
    {OPTION("adjudicate-solver", "NODES",
            "a match of Clobber ends once the solver knows within NODES\n"
            "who wins; about 500 take a millisecond"),
     TO_NUMBER(plan, solver_nodes, 1, 50000)},
    {OPTION("plies", "N", "moves after which a match is a draw"),
     TO_NUMBER(plan, plies_max, 1, COURSE_MOVES_MAX), .standard = "600"},
    {OPTION("sprt", "ELO0,ELO1",
            "stop once it is clear, with 5 % errors, whether the first\n"
            "player is rather ELO0 or ELO1 stronger"),
     .code = OPTION_SPRT},
    {OPTION("seed", "N", "choose other openings and other chances of the levels"),
     TO_NUMBER(plan, seed, 0, 1000000000), .standard = "1"},
    {OPTION("option", "K:NAME=VALUE",
            "set an option of the engine of player K, from 1;\nmay be repeated"),
     .code = OPTION_ENGINE},
    {OPTION("engine-log", "FILE",
            "log what each engine reads and writes to FILE.MATCH-COLOR;\n"
            "failed:FILE keeps the logs of engines that failed"),
     .code = OPTION_LOG},
    {OPTION("pgn", "FILE", "write the matches to FILE, replacing it"), TO_TEXT(plan, pgn_path)},
    {OPTION("resume", "FILE", "keep what was played in FILE, and continue what is there"),
     TO_TEXT(plan, state_path)},
    USAGE_LAST_ROWS,
};

static void print_help(void)
{
    puts(
        "Usage: ludus-bot gauntlet [OPTION]... PLAYER PLAYER...\n"
        "Plays two engines against each other and measures how much stronger the first one is;\n"
        "or up to 16, each against each, and rates them. A PLAYER is a level, or the command of a\n"
        "UGI, UCI or GTP engine as one argument. Matches come in pairs with the same opening and\n"
        "swapped colours.\n");
    usage_print_rows(gauntlet_rows);
    bot_print_levels();
}

static bool take_sprt(struct plan *plan, struct cause *cause)
{
    int end = 0;

    plan->sprt = true;
    /* strspn() refuses what else sscanf() takes: blanks, hexadecimal, infinity. */
    if (strspn(optarg, "+-.0123456789,") != strlen(optarg) ||
        sscanf(optarg, "%lf,%lf%n", &plan->elo0, &plan->elo1, &end) != 2 || optarg[end] != '\0' ||
        plan->elo0 < -ELO_MAX || plan->elo1 > ELO_MAX || plan->elo0 >= plan->elo1)
        return cause_set(cause, "'%.80s' is not ELO0,ELO1 with ELO0 below ELO1", optarg);
    return true;
}

static bool take_engine_option(struct plan *plan, struct cause *cause)
{
    struct program other = {.quiet = true};
    char *rest;

    long number = strtol(optarg, &rest, 10);
    if (number < 1 || number > GAUNTLET_PLAYERS_MAX || *rest != ':')
        return cause_set(cause, "'%.80s' is not K:NAME=VALUE, K being 1 for the first player",
                         optarg);
    if (number > plan->highest_option)
        plan->highest_option = (int)number;
    for (int i = 0; i < 2; i++)
        if (number - 1 == plan->pairing[i])
            return program_add_option(&plan->players[i].program, rest + 1, cause);
    return program_add_option(&other, rest + 1, cause);
}

static bool take_option(void *context, int code, struct cause *cause)
{
    struct plan *plan = context;

    switch (code) {
    case OPTION_GAME:
        plan->game = game_open(optarg, &plan->start, NULL, cause);
        return plan->game != NULL;
    case OPTION_MOVETIME:
        plan->limit = LIMIT_MOVETIME;
        return usage_number(1, 3600000, &plan->movetime_ms, cause);
    case OPTION_NODES:
        plan->limit = LIMIT_NODES;
        return usage_number(1, 1000000000, &plan->nodes, cause);
    case OPTION_CLOCK:
        plan->limit = LIMIT_CLOCK;
        return time_control_parse(optarg, &plan->clock, cause);
    case OPTION_SPRT:
        return take_sprt(plan, cause);
    case OPTION_LOG:
        trace_plan_read(&plan->trace, optarg);
        return true;
    default:
        return take_engine_option(plan, cause);
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
    if (level == NULL)
        return use_command(player);
    use_level(player);
    return true;
}

/* Whether another player is given by this text, too. */
static bool is_double(char *const words[], int count, int player)
{
    for (int i = 0; i < count; i++)
        if (i != player && strcmp(words[i], words[player]) == 0)
            return true;
    return false;
}

/* Gives each state file of a round robin its name. */
static void name_state(struct plan *plan)
{
    struct buffer path = {0};

    if (plan->state_path == NULL || plan->player_count == 2)
        return;
    buffer_printf(&path, "%s.%d-%d%c", plan->state_path, plan->pairing[0] + 1, plan->pairing[1] + 1,
                  '\0');
    plan->state_path = plan->owned_path = path.bytes;
}

static bool use_players(struct plan *plan, char *const words[], int count)
{
    struct player *players = plan->players;

    if (count < 2 || count > GAUNTLET_PLAYERS_MAX)
        return bot_error("PLAYER", "two players are needed, or up to %d, not %d: see --help",
                         GAUNTLET_PLAYERS_MAX, count);
    if (plan->highest_option > count)
        return bot_error("--option", "there is no player %d", plan->highest_option);
    for (int i = 0; i < count; i++)
        if (words[i][strspn(words[i], " ")] == '\0' || usage_fault(words[i]) != NULL)
            return bot_error("PLAYER", "'%.80s' is neither a level nor a command", words[i]);
    plan->player_count = count;
    name_state(plan);
    for (int i = 0; i < 2; i++) {
        int number = plan->pairing[i];
        players[i].program.trace = plan->trace;
        if (!use_player(&players[i], words[number]))
            return false;
        if (is_double(words, count, number))
            snprintf(players[i].label, sizeof players[i].label, "%.100s (%d)", players[i].text,
                     number + 1);
    }
    return true;
}

static bool read_openings(struct plan *plan)
{
    struct cause cause;

    return plan->openings_path == NULL ||
           opening_list_read(&plan->list, plan->openings_path, plan->game, &plan->start,
                             (int)plan->opening_plies, &cause) ||
           bot_error("--openings", "%s", cause.text);
}

static long longest_opening(const struct plan *plan)
{
    long longest = plan->list.count > 0 ? 0 : plan->opening_plies;

    for (int i = 0; i < plan->list.count; i++)
        if (plan->list.openings[i].plies > longest)
            longest = plan->list.openings[i].plies;
    return longest;
}

const struct opening *plan_opening(const struct plan *plan, int number)
{
    const struct opening_list *list = &plan->list;

    return list->count > 0 ? &list->openings[number / 2 % list->count] : NULL;
}

const struct position *plan_start(const struct plan *plan, int number)
{
    const struct opening *opening = plan_opening(plan, number);

    return opening != NULL ? &opening->start : &plan->start;
}

static bool check_together(struct plan *plan)
{
    if (plan->sprt && plan->player_count > 2)
        return bot_error("--sprt", "is for two players");
    if (plan->solver_nodes > 0 && plan->game != &clobber)
        return bot_error("--adjudicate-solver", "is for Clobber");
    if (plan->pairs == 0 && !plan->sprt)
        plan->pairs = plan->list.count;
    if (plan->pairs == 0)
        plan->pairs = atol(plan->sprt ? DEFAULT_SPRT_PAIRS : DEFAULT_PAIRS);
    return longest_opening(plan) < plan->plies_max ||
           bot_error("--plies", "must be more than the plies of an opening");
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

static void write_settings(struct plan *plan)
{
    struct buffer *text = &plan->settings;
    char variant[VARIANT_NAME_MAX], limit[PLAN_LIMIT_MAX];

    plan->game->variant_name(&plan->start, variant);
    plan_limit(plan, limit);
    buffer_printf(text, "%s:%s %s margin %ld opening %ld plies %ld seed %ld", plan->game->name,
                  variant, limit, plan->margin_ms, plan->opening_plies, plan->plies_max,
                  plan->seed);
    if (plan->list.count > 0)
        buffer_printf(text, " openings %016llx", (unsigned long long)plan->list.hash);
    if (plan->score_cp > 0)
        buffer_printf(text, " score %ld for %ld", plan->score_cp, plan->score_plies);
    if (plan->solver_nodes > 0)
        buffer_printf(text, " solver %ld", plan->solver_nodes);
    for (int i = 0; i < 2; i++) {
        const struct program *program = &plan->players[i].program;
        buffer_printf(text, " | %s", plan->players[i].text);
        for (int j = 0; j < program->engine_option_count; j++)
            buffer_printf(text, " ; %s", program->engine_options[j]);
    }
}

int plan_read(struct plan *plan, int first, int second, int argc, char *argv[])
{
    *plan = (struct plan){.pairing = {first, second}};
    optind = 0; /* the command line may have been read before */
    int status = usage_read("ludus-bot", gauntlet_rows, ":", argc, argv, take_option, plan);
    if (status == USAGE_HELP) {
        print_help();
        return 0;
    }
    if (status != USAGE_READ)
        return status;
    if (!use_players(plan, argv + optind, argc - optind) || !read_openings(plan) ||
        !check_together(plan))
        return EXIT_USAGE;
    write_settings(plan);
    return USAGE_READ;
}

void plan_release(struct plan *plan)
{
    free(plan->players[0].words);
    free(plan->players[1].words);
    free(plan->owned_path);
    opening_list_release(&plan->list);
    buffer_release(&plan->settings);
}

void player_prepare(struct player *player, const struct plan *plan, int number)
{
    uint64_t rng = (uint64_t)plan->seed;

    rng = rng_next(&rng) + (uint64_t)number * 2 + (player == &plan->players[1]);
    snprintf(player->seed, sizeof player->seed, "%llu", (unsigned long long)(rng_next(&rng) >> 2));
}
