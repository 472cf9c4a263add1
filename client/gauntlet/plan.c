#include "plan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/bot/bot.h"
#include "client/games/guide.h"
#include "common/rng.h"
#include "common/xmalloc.h"
#include "score.h"

#define DEFAULT_PAIRS      "100"
#define DEFAULT_SPRT_PAIRS "10000"

enum { ELO_MAX = 2000 };

static bool read_sprt(void *context, const struct option_input *input, struct cause *cause)
{
    struct plan *plan = context;
    const char *value = input->value;
    int elos = 0, all = 0;

    plan->sprt = true;
    plan->alpha = plan->beta = 0.05;
    /* strspn() refuses what else sscanf() takes: blanks, hexadecimal, infinity. */
    bool good = strspn(value, "+-.0123456789,") == strlen(value) &&
                sscanf(value, "%lf,%lf%n,%lf,%lf%n", &plan->elo0, &plan->elo1, &elos, &plan->alpha,
                       &plan->beta, &all) >= 2 &&
                value[all > 0 ? all : elos] == '\0';
    if (!good || plan->elo0 < -ELO_MAX || plan->elo1 > ELO_MAX || plan->elo0 >= plan->elo1)
        return cause_set(cause, "'%.80s' is not ELO0,ELO1 with ELO0 below ELO1", value);
    return (plan->alpha > 0 && plan->beta > 0 && plan->alpha < 0.5 && plan->beta < 0.5) ||
           cause_set(cause, "'%.80s': ALPHA and BETA are between 0 and 0.5", value);
}

/* Reads the K of K:REST, a player from 1, and returns the rest; NULL with the cause. */
static char *read_player_number(struct plan *plan, const char *value, long *number,
                                const char *form, struct cause *cause)
{
    char *rest;

    *number = strtol(value, &rest, 10);
    if (*number < 1 || *number > GAUNTLET_PLAYERS_MAX || *rest != ':') {
        cause_set(cause, "'%.80s' is not K:%s, K being 1 for the first player", value, form);
        return NULL;
    }
    if (*number > plan->highest_option) {
        plan->highest_option = (int)*number;
        plan->highest_by = strcmp(form, "KEY=VALUE") == 0 ? "--player" : "--option";
    }
    return rest + 1;
}

/* The player of that number, or `other`, if it is none of these two. */
static struct contestant *player_of(struct plan *plan, long number, struct contestant *other)
{
    for (int i = 0; i < 2; i++)
        if (number - 1 == plan->pairing[i])
            return &plan->players[i];
    return other;
}

static bool read_engine_option(void *context, const struct option_input *input, struct cause *cause)
{
    struct plan *plan = context;
    struct contestant other = {.program.quiet = true};
    long number;

    const char *option = read_player_number(plan, input->value, &number, "NAME=VALUE", cause);
    return option != NULL &&
           program_add_option(&player_of(plan, number, &other)->program, option, cause);
}

static bool read_limit(struct move_limit *limit, enum limit kind, const char *value,
                       struct cause *cause)
{
    limit->kind = kind;
    if (kind == LIMIT_MOVETIME)
        return option_number(value, 1, 3600000, &limit->movetime_ms, cause);
    if (kind == LIMIT_NODES)
        return option_number(value, 1, 1000000000, &limit->nodes, cause);
    return time_control_parse(value, &limit->clock, cause);
}

/* Reads KEY=VALUE about one player. */
static bool read_player(void *context, const struct option_input *input, struct cause *cause)
{
    static const char *const limits[] = {
        [LIMIT_MOVETIME] = "movetime=", [LIMIT_NODES] = "nodes=", [LIMIT_CLOCK] = "clock="};
    struct plan *plan = context;
    struct contestant other = {.name = NULL};
    long number;

    const char *text = read_player_number(plan, input->value, &number, "KEY=VALUE", cause);
    if (text == NULL)
        return false;
    struct contestant *player = player_of(plan, number, &other);
    const char *value = strchr(text, '=') != NULL ? strchr(text, '=') + 1 : "";
    for (enum limit kind = LIMIT_MOVETIME; kind <= LIMIT_CLOCK; kind++)
        if (strncmp(text, limits[kind], strlen(limits[kind])) == 0) {
            player->own_limit = true;
            return read_limit(&player->limit, kind, value, cause);
        }
    if (*value == '\0')
        return cause_set(cause, "'%.80s' is not KEY=VALUE", text);
    if (strncmp(text, "name=", 5) == 0)
        player->name = value;
    else if (strncmp(text, "folder=", 7) == 0)
        player->program.folder = option_path(value);
    else if (strncmp(text, "protocol=", 9) == 0)
        player->dialect = dialect_find(value);
    else
        return cause_set(cause,
                         "'%.80s': the keys are name, movetime, nodes, clock, folder and "
                         "protocol",
                         text);
    return strncmp(text, "protocol=", 9) != 0 || player->dialect != NULL ||
           cause_set(cause, "'%.80s' is not ugi, uci or gtp", value);
}

static bool read_game(void *context, const struct option_input *input, struct cause *cause)
{
    struct plan *plan = context;

    plan->game = game_open(input->value, &plan->start, NULL, cause);
    return plan->game != NULL;
}

/* Reads the limit of all players, of which there is one. */
static bool read_own_limit(struct plan *plan, enum limit kind, const struct option_input *input,
                           struct cause *cause)
{
    static const char *const names[] = {
        [LIMIT_MOVETIME] = "--movetime", [LIMIT_NODES] = "--nodes", [LIMIT_CLOCK] = "--clock"};

    if (plan->limit_given && plan->limit.kind != kind)
        return cause_set(cause, "there is %s already: give one of the two",
                         names[plan->limit.kind]);
    plan->limit_given = input->source != SOURCE_DEFAULT;
    return read_limit(&plan->limit, kind, input->value, cause);
}

static bool read_movetime(void *context, const struct option_input *input, struct cause *cause)
{
    return read_own_limit(context, LIMIT_MOVETIME, input, cause);
}

static bool read_nodes(void *context, const struct option_input *input, struct cause *cause)
{
    return read_own_limit(context, LIMIT_NODES, input, cause);
}

static bool read_clock(void *context, const struct option_input *input, struct cause *cause)
{
    return read_own_limit(context, LIMIT_CLOCK, input, cause);
}

static bool read_engine_log(void *context, const struct option_input *input, struct cause *cause)
{
    struct plan *plan = context;

    return trace_plan_read(&plan->trace, input->value, cause);
}

const struct option_row gauntlet_rows[] = {
    {OPTION("game", "GAME[:VARIANT]", "the game"), .read = read_game, .standard = "clobber:5x6"},
    {OPTION("movetime", "MS", "milliseconds for each move"), .read = read_movetime,
     .standard = "100"},
    {OPTION("nodes", "N", "nodes for each move, instead of a time"), .read = read_nodes},
    {OPTION("clock", "BASE+INC", "a clock instead of a time for each move, in seconds"),
     .read = read_clock},
    {OPTION("margin", "MS", "milliseconds of delay after which a move is late"),
     TO_NUMBER(plan, margin_ms, 0, 60000), .standard = "200"},
    STARTUP_ROW(plan, startup_s),
    RESTART_ROW(plan, restarts),
    MEMORY_ROW(plan, memory_mb),
    {OPTION("pairs", "N",
            "pairs of matches to play (" DEFAULT_PAIRS
            ");\nwith --sprt at most N (" DEFAULT_SPRT_PAIRS ")"),
     TO_NUMBER(plan, pairs, 1, PAIRS_MAX)},
    {OPTION("parallel", "N", "matches at a time"), TO_NUMBER(plan, parallel, 1, 64),
     .standard = "1"},
    {OPTION("opening", "PLIES", "random moves at the start, of both sides together"),
     TO_NUMBER(plan, opening_plies, 0, OPENING_PLIES_MAX), .standard = "4"},
    {OPTION("openings", "FILE|balanced",
            "openings from FILE instead, in its order: a line each of\n"
            "startpos or POSITION [moves MOVE...]; or PGN, of which the\n"
            "first --opening moves count. Or balanced ones that are built\n"
            "in. --pairs is by default their number"),
     TO_WORD(plan, openings_path), .path = true},
    {OPTION("adjudicate-score", "CP", "a match is won once both engines' scores say so by CP"),
     TO_NUMBER(plan, score_cp, 1, SCORE_MATE_CP)},
    {OPTION("adjudicate-draw", "CP", "a match is drawn once both scores are as near to 0 as CP"),
     TO_NUMBER(plan, draw_cp, 1, SCORE_MATE_CP)},
    {OPTION("draw-from", "PLY", "... but not before that many moves"),
     TO_NUMBER(plan, draw_from, 0, COURSE_MOVES_MAX), .standard = "60"},
    {OPTION("adjudicate-plies", "N", "moves in a row that the scores must say so"),
     TO_NUMBER(plan, score_plies, 2, 100), .standard = "6"},
    {OPTION("adjudicate-solver", "NODES",
            "a match of Clobber ends once the solver knows within NODES\n"
            "who wins; about 500 take a millisecond"),
     TO_NUMBER(plan, solver_nodes, 1, 50000)},
    {OPTION("plies", "N", "moves after which a match is a draw"),
     TO_NUMBER(plan, plies_max, 1, COURSE_MOVES_MAX), .standard = "600"},
    {OPTION("sprt", "ELO0,ELO1[,ALPHA,BETA]",
            "stop once it is clear whether the first player is rather ELO0\n"
            "or ELO1 stronger. ALPHA is the chance to accept ELO1 wrongly,\n"
            "BETA to accept ELO0 wrongly; 0.05 each"),
     .read = read_sprt},
    {OPTION("gauntlet", NULL, "of more than two players, the first plays all others"),
     TO_FLAG(plan, first_only)},
    {OPTION("seed", "N", "choose other openings and other chances of the levels"),
     TO_NUMBER(plan, seed, 0, 1000000000), .standard = "1"},
    {OPTION("option", "K:NAME=VALUE",
            "set an option of the engine of player K, from 1;\nmay be repeated"),
     .read = read_engine_option, .repeats = true},
    {OPTION("player", "K:KEY=VALUE",
            "say about player K: name=NAME, movetime=MS, nodes=N,\nclock=BASE+INC, folder=DIR, or "
            "protocol=ugi, uci or gtp;\nmay be repeated"),
     .read = read_player, .repeats = true},
    {OPTION("engine-log", "FILE",
            "log what each engine reads and writes to FILE.MATCH-COLOR;\n"
            "failed:FILE keeps the logs of engines that failed"),
     .read = read_engine_log},
    {OPTION("pgn", "FILE", "write the matches to FILE, replacing it"), TO_WORD(plan, pgn_path),
     .path = true},
    {OPTION("resume", "FILE",
            "keep each match in FILE, and continue what is there;\nas PGN if it is called *.pgn"),
     TO_WORD(plan, state_path), .path = true},
    {OPTION("event", "TEXT", "the tag Event of the matches"), TO_WORD(plan, event),
     .standard = "Ludus gauntlet"},
    {OPTION("site", "TEXT", "the tag Site of the matches"), TO_WORD(plan, site), .standard = "?"},
    {OPTION("progress", "S",
            "seconds between lines of progress; 0: none. By default one a\n"
            "match on a terminal, else one a minute"),
     TO_NUMBER(plan, progress_s, 0, 86400)},
    {OPTION("json", NULL, "print the report as one JSON object"), TO_FLAG(plan, json)},
    OPTIONS_LAST_ROWS,
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
    puts("\nThe status is 0 when all is played, or ELO1 accepted; with --sprt 3 when ELO0 is, and\n"
         "4 when that stays undecided; 1 when it fails or is interrupted.");
    bot_print_levels();
}

static void use_level(struct contestant *player)
{
    /* This very program, even if its file has been replaced since it started. */
    static char program[] = "/proc/self/exe", ugi_word[] = "ugi", level[] = "--level";
    char *const words[] = {program, ugi_word, level, player->words, NULL};

    player->is_level = true;
    memcpy(player->argv, words, sizeof words);
    if (player->dialect == NULL)
        player->dialect = &ugi;
}

static bool use_command(struct contestant *player)
{
    struct cause cause;

    return command_split(player->words, player->argv, COMMAND_WORDS_MAX, &cause) ||
           bot_error("PLAYER", "'%.80s' is neither a level nor a command: %s", player->text,
                     cause.text);
}

static bool use_player(struct contestant *player, const char *text)
{
    const struct engine *level = engine_find(text);

    player->text = level != NULL ? level->name : text;
    player->words = xstrdup(player->text);
    player->program.command = player->argv;
    player->program.quiet = true;
    snprintf(player->label, sizeof player->label, "%.*s", LABEL_TEXT_MAX,
             player->name != NULL ? player->name : player->text);
    if (level == NULL)
        return use_command(player);
    use_level(player);
    return true;
}

/* Whether another player is given by this text, too, or by one that its label does not tell from
 * it.
 */
static bool is_double(char *const words[], int count, int player)
{
    for (int i = 0; i < count; i++)
        if (i != player && strncmp(words[i], words[player], LABEL_TEXT_MAX) == 0)
            return true;
    return false;
}

bool plan_keeps_pgn(const struct plan *plan)
{
    size_t length = plan->state_path != NULL ? strlen(plan->state_path) : 0;

    return length > 4 && strcmp(plan->state_path + length - 4, ".pgn") == 0;
}

/* Gives each state file of a round robin its name; records are all in one. */
static void name_state(struct plan *plan)
{
    struct buffer path = {0};

    if (plan->state_path == NULL || plan->player_count == 2 || plan_keeps_pgn(plan))
        return;
    buffer_printf(&path, "%s.%d-%d%c", plan->state_path, plan->pairing[0] + 1, plan->pairing[1] + 1,
                  '\0');
    plan->state_path = plan->owned_path = path.bytes;
}

static bool use_players(struct plan *plan, char *const words[], int count)
{
    struct contestant *players = plan->players;

    if (count < 2 || count > GAUNTLET_PLAYERS_MAX)
        return bot_error("PLAYER", "two players are needed, or up to %d, not %d: see --help",
                         GAUNTLET_PLAYERS_MAX, count);
    if (plan->highest_option > count)
        return bot_error(plan->highest_by, "there is no player %d", plan->highest_option);
    for (int i = 0; i < count; i++)
        if (words[i][strspn(words[i], " ")] == '\0' || option_fault(words[i]) != NULL)
            return bot_error("PLAYER", "'%.80s' is neither a level nor a command", words[i]);
    plan->player_count = count;
    name_state(plan);
    for (int i = 0; i < 2; i++) {
        int number = plan->pairing[i];
        players[i].program.trace = plan->trace;
        players[i].program.startup_s = plan->startup_s;
        players[i].program.restarts = plan->restarts;
        players[i].program.memory_mb = plan->memory_mb;
        if (!players[i].own_limit)
            players[i].limit = plan->limit;
        if (!use_player(&players[i], words[number]))
            return false;
        if (players[i].name == NULL && is_double(words, count, number))
            snprintf(players[i].label, sizeof players[i].label, "%.*s (%d)", LABEL_TEXT_MAX,
                     players[i].text, number + 1);
    }
    return strcmp(players[0].label, players[1].label) != 0 ||
           bot_error("--player", "two players are called %s", players[0].label);
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
    if (plan->draw_cp > 0 && plan->game->drawless)
        return bot_error("--adjudicate-draw", "%s has no draws", plan->game->title);
    if (plan->solver_nodes > 0 && plan->game != &clobber)
        return bot_error("--adjudicate-solver", "is for Clobber");
    if (plan->pairs == 0 && !plan->sprt)
        plan->pairs = plan->list.count;
    if (plan->pairs == 0)
        plan->pairs = atol(plan->sprt ? DEFAULT_SPRT_PAIRS : DEFAULT_PAIRS);
    return longest_opening(plan) < plan->plies_max ||
           bot_error("--plies", "must be more than the plies of an opening");
}

void limit_text(const struct move_limit *limit, char text[PLAN_LIMIT_MAX])
{
    if (limit->kind == LIMIT_NODES)
        snprintf(text, PLAN_LIMIT_MAX, "nodes %ld", limit->nodes);
    else if (limit->kind == LIMIT_MOVETIME)
        snprintf(text, PLAN_LIMIT_MAX, "movetime %ld ms", limit->movetime_ms);
    else
        snprintf(text, PLAN_LIMIT_MAX, "clock %g+%g s", (double)limit->clock.base_ms / 1000,
                 (double)limit->clock.increment_ms / 1000);
}

static void write_settings(struct plan *plan)
{
    struct buffer *text = &plan->settings;
    char variant[VARIANT_NAME_MAX], limit[PLAN_LIMIT_MAX];

    plan->game->variant_name(&plan->start, variant);
    limit_text(&plan->limit, limit);
    buffer_printf(text, "%s:%s %s margin %ld opening %ld plies %ld seed %ld", plan->game->name,
                  variant, limit, plan->margin_ms, plan->opening_plies, plan->plies_max,
                  plan->seed);
    if (plan->list.count > 0)
        buffer_printf(text, " openings %016llx", (unsigned long long)plan->list.hash);
    if (plan->draw_cp > 0)
        buffer_printf(text, " draw %ld from %ld for %ld", plan->draw_cp, plan->draw_from,
                      plan->score_plies);
    if (plan->score_cp > 0)
        buffer_printf(text, " score %ld for %ld", plan->score_cp, plan->score_plies);
    if (plan->solver_nodes > 0)
        buffer_printf(text, " solver %ld", plan->solver_nodes);
    for (int i = 0; i < 2; i++) {
        const struct engine_program *program = &plan->players[i].program;
        buffer_printf(text, " | %s", plan->players[i].text);
        limit_text(&plan->players[i].limit, limit);
        if (plan->players[i].own_limit)
            buffer_printf(text, " ; %s", limit);
        for (int j = 0; j < program->engine_option_count; j++)
            buffer_printf(text, " ; %s", program->engine_options[j]);
    }
}

int plan_read(struct plan *plan, int first, int second, int argc, char *argv[])
{
    *plan = (struct plan){.pairing = {first, second}, .progress_s = -1};
    int status = options_read("ludus-bot", gauntlet_rows, OPTIONS_ANYWHERE, argc, argv, plan);
    if (status == OPTIONS_HELP) {
        print_help();
        return 0;
    }
    if (status != OPTIONS_RUN)
        return status;
    if (!use_players(plan, argv + optind, argc - optind) || !read_openings(plan) ||
        !check_together(plan))
        return EXIT_USAGE;
    write_settings(plan);
    return OPTIONS_RUN;
}

void plan_release(struct plan *plan)
{
    free(plan->players[0].words);
    free(plan->players[1].words);
    free(plan->owned_path);
    opening_list_release(&plan->list);
    buffer_release(&plan->settings);
}

void player_seed(const struct plan *plan, int player, int number, char text[SEED_TEXT_MAX])
{
    uint64_t rng = (uint64_t)plan->seed;

    text[0] = '\0';
    rng = rng_next(&rng) + (uint64_t)number * 2 + (uint64_t)player;
    if (plan->players[player].is_level)
        snprintf(text, SEED_TEXT_MAX, "Seed=%llu", (unsigned long long)(rng_next(&rng) >> 33));
}
