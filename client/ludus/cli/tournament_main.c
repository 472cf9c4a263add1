/* `ludus tournament`: opens, plays and directs tournaments, follows and exports them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "args.h"
#include "client/link/json_read.h"
#include "client/ludus/talk/client.h"
#include "client/ludus/talk/match_words.h"
#include "client/ludus/talk/record.h"
#include "client/ludus/term/console.h"
#include "common/text.h"
#include "script.h"
#include "subcommands.h"

enum { LINE_MAX_BYTES = 1024, RECORD_MS = 10000, CELL_MAX = 24 };

#define STANDINGS     "rank number name rating score matches wins sonneborn_berger buchholz direct"
#define PERFORMANCE   "performance performance_error"
#define LIST_FIELDS   "tournament name game variant format status director entrants round starts"
#define SERIES_FIELDS "rank name tournaments score matches " PERFORMANCE
#define NEW_ARGUMENTS "NAME GAME[:VARIANT] format=FORMAT [OPTION=VALUE]..."
#define NEWS_FIELDS   "what round white black match result name status"

/* clang-format off */
const struct option_row tournament_rows[] = {
    CONNECT_ROW,
    TLS_ROW,
    CODE_ROW,
    {OPTION("name", "NAME", "your name there (the name of your account). This\n"
                            "disconnects a client of the same name"), TO_WORD(options, name)},
    {OPTION("pgn", NULL, "export the matches as PGN, with the tags Event and Round"), TO_FLAG(options, pgn)},
    {OPTION("json", NULL, "print JSON"), TO_FLAG(options, json)},
    {OPTION("plain", NULL, "one tab between fields and no titles, even on a terminal"), TO_FLAG(options, plain)},
    HELP_ROW,
    {.name = NULL},
};
/* clang-format on */

static const char help_begin[] =
    N_("                  opens a tournament and prints its id; FORMAT is round-robin,\n"
       "                  swiss, knockout or arena; OPTION is rounds, cycles, minutes,\n"
       "                  clock, start, bots, rated, openings, series or code (see\n"
       "                  protocol.md). A blank in NAME becomes _\n"
       "  list            lists the tournaments, the newest first\n"
       "  show ID         prints the standings\n"
       "  series NAME     prints the standings over all tournaments of a series\n"
       "  watch ID        prints pairings and results until it is over\n"
       "  export ID       prints the cross table, with --json everything, with --pgn all\n"
       "                  matches\n"
       "  join ID [code=WORD]\n"
       "                  takes part. To play, connect with `ludus --name NAME`, or\n"
       "                  `ludus-bot`\n"
       "  leave ID        withdraws\n"
       "  kick ID NAME    removes a player for good from a tournament that you have\n"
       "                  opened\n"
       "  start|pause|resume|abort ID\n"
       "                  direct a tournament that you have opened\n"
       "\n"
       "The fields of the standings are");

enum { HELP_MAX = 4096 };

static void write_help(char help[HELP_MAX])
{
    snprintf(help, HELP_MAX, "  new %s\n%s\n  %s\n  %s\n%s\n  %s\n%s", NEW_ARGUMENTS, _(help_begin),
             STANDINGS, PERFORMANCE, _("those of a series"), SERIES_FIELDS,
             _("In the cross table 3w1 is a win with white against number 3, = a draw."));
}

static void do_words(struct script *script)
{
    cJSON *reply = script_ask_words(script, "tournament", 0);

    if (reply != NULL && script->line.options.json)
        script_print_json(reply);
    cJSON_Delete(reply);
}

static bool has_blank(const char *word)
{
    return word[strcspn(word, " \t")] != '\0';
}

/* The place of the word that names the game: the names of tournaments may have blanks, without
 * quotes, too. */
static int find_game_word(const struct command_line *line)
{
    int last = 1;

    for (int i = 2; i < line->word_count && strchr(line->words[i], '=') == NULL; i++) {
        last = i;
        if (game_find(line->words[i], strcspn(line->words[i], ":")) != NULL)
            break;
    }
    return last;
}

/* Refuses an option of a new tournament that is none, or that has a value with a blank. */
static bool check_plan_option(const char *word, int *status)
{
    static const char *const names[] = {"format", "rounds", "cycles",   "minutes", "clock", "start",
                                        "bots",   "rated",  "openings", "series",  "code"};
    char name[MEANT_TEXT_MAX], text[MEANT_TEXT_MAX];
    struct meant_word meant;

    if (strchr(word, '=') == NULL || has_blank(word))
        return args_refuse(status,
                           "tournament new: '%.40s' is no OPTION=VALUE (ludus tournament new %s)",
                           word, NEW_ARGUMENTS);
    snprintf(name, sizeof name, "%.*s", (int)strcspn(word, "="), word);
    meant_begin(&meant, name);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strcasecmp(name, names[i]) == 0)
            return true;
        meant_try(&meant, names[i]);
    }
    return args_refuse(status, "tournament new: unknown option '%.40s'%s", name,
                       meant_text(&meant, "", text));
}

static bool check_format(const char *value, int *status)
{
    static const char *const formats[] = {"round-robin", "swiss", "knockout", "arena"};
    struct meant_word meant;
    char text[MEANT_TEXT_MAX];

    meant_begin(&meant, value);
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        if (strcasecmp(value, formats[i]) == 0)
            return true;
        meant_try(&meant, formats[i]);
    }
    return args_refuse(
        status, "tournament new: format=%.40s is not round-robin, swiss, knockout or arena%s",
        value, meant_text(&meant, "", text));
}

/* Checks the words of a new tournament before there is a connection. */
static bool check_plan(const struct command_line *line, int *status)
{
    int game = find_game_word(line);
    const char *format = NULL;

    for (int i = game + 1; i < line->word_count; i++) {
        if (!check_plan_option(line->words[i], status))
            return false;
        if (strncasecmp(line->words[i], "format=", 7) == 0)
            format = line->words[i] + 7;
    }
    if (game < 2 || has_blank(line->words[game]))
        return args_refuse(status, "tournament new: the game is missing (ludus tournament new %s)",
                           NEW_ARGUMENTS);
    if (format == NULL)
        return args_refuse(
            status, "tournament new: format= is missing: round-robin, swiss, knockout or arena");
    return check_format(format, status);
}

/* Writes the name of the words before the game as it is sent. */
static void write_name(const struct command_line *line, int game, char name[TOURNAMENT_NAME_MAX])
{
    char typed[LINE_MAX_BYTES] = "";
    size_t used = 0;

    for (int i = 1; i < game && used < sizeof typed; i++)
        used += (size_t)snprintf(typed + used, sizeof typed - used, "%s%s", i > 1 ? " " : "",
                                 line->words[i]);
    if (!tournament_name(typed, name))
        fprintf(
            stderr,
            _("ludus: tournament new: its name is %s: it may have 1 to %d of A-Z a-z 0-9 _ - .\n"),
            name, TOURNAMENT_NAME_MAX - 1);
}

static void open_tournament(struct script *script)
{
    const struct command_line *line = &script->line;
    char name[TOURNAMENT_NAME_MAX], typed[LINE_MAX_BYTES] = "", options[LINE_MAX_BYTES];
    int game = find_game_word(line);
    struct cause cause;
    size_t used = 0;

    write_name(line, game, name);
    for (int i = game + 1; i < line->word_count && used < sizeof typed; i++)
        used += (size_t)snprintf(typed + used, sizeof typed - used, " %s", line->words[i]);
    if (!clock_line_read(typed, options, sizeof options, &cause)) {
        client_fail(&script->client, "%s: %s", script->what, cause.text);
        return;
    }
    cJSON *reply = script_ask(script, "tournament new %s %s%s", name, line->words[game], options);
    if (reply != NULL && line->options.json)
        script_print_json(reply);
    else if (reply != NULL)
        puts(json_text_or(reply, "tournament", "-"));
    cJSON_Delete(reply);
}

static void list_tournaments(struct script *script)
{
    cJSON *reply = script_ask(script, "tournaments");

    if (reply != NULL && script->line.options.json)
        script_print_json(reply);
    else if (reply != NULL)
        columns_print(&script->client.console, json_member(reply, "tournaments"), LIST_FIELDS,
                      script_is_aligned(script));
    cJSON_Delete(reply);
}

/* A member that may be changed, or NULL. */
static cJSON *own_member(cJSON *object, const char *name)
{
    return cJSON_GetObjectItemCaseSensitive(object, name);
}

static int length_of(const cJSON *object, const char *list)
{
    return cJSON_GetArraySize(json_member(object, list));
}

static int count_pairings(const cJSON *shown)
{
    const cJSON *round;
    int count = 0;

    cJSON_ArrayForEach (round, json_member(shown, "rounds"))
        count += length_of(round, "pairings");
    return count;
}

static void move_items(cJSON *from, cJSON *to)
{
    while (from != NULL && to != NULL && from->child != NULL)
        cJSON_AddItemToArray(to, cJSON_DetachItemFromArray(from, 0));
}

/* Moves the rows of one reply to the end of another. A round that goes on is one round. */
static void append_page(cJSON *whole, cJSON *part)
{
    cJSON *rounds = own_member(whole, "rounds"), *more = own_member(part, "rounds");
    cJSON *last = cJSON_GetArrayItem(rounds, cJSON_GetArraySize(rounds) - 1);
    cJSON *first = cJSON_GetArrayItem(more, 0);

    move_items(own_member(part, "players"), own_member(whole, "players"));
    if (last != NULL && first != NULL &&
        json_int_or(last, "round", 0) == json_int_or(first, "round", 0)) {
        move_items(own_member(first, "pairings"), own_member(last, "pairings"));
        cJSON_DeleteItemFromArray(more, 0);
    }
    move_items(more, rounds);
}

/* Asks for everything about a tournament, page by page. NULL after an error was reported. */
static cJSON *ask_all(struct script *script)
{
    const char *id = script->line.words[1];
    cJSON *whole = script_ask(script, "tournament show %s pairings=1", id);
    bool more = whole != NULL;

    while (more) {
        int players = length_of(whole, "players"), pairings = count_pairings(whole);
        if (players >= json_int_or(whole, "total_players", 0) &&
            pairings >= json_int_or(whole, "total_pairings", 0))
            return whole;
        cJSON *part = script_ask(script, "tournament show %s players=%d pairings=%d", id,
                                 players + 1, pairings + 1);
        if (part != NULL)
            append_page(whole, part);
        more = part != NULL &&
               (length_of(whole, "players") > players || count_pairings(whole) > pairings);
        cJSON_Delete(part);
    }
    if (whole != NULL && !script->client.quit)
        return whole;
    cJSON_Delete(whole);
    return NULL;
}

static void show_standings(struct script *script)
{
    cJSON *whole = ask_all(script);

    if (whole != NULL && script->line.options.json)
        script_print_json(whole);
    else if (whole != NULL)
        columns_print(&script->client.console, json_member(whole, "players"),
                      STANDINGS " " PERFORMANCE, script_is_aligned(script));
    cJSON_Delete(whole);
}

/* Prints the standings of a series, page by page. */
static void show_series(struct script *script)
{
    const char *name = script->line.words[1];
    cJSON *whole = script_ask(script, "tournament series %s", name);
    bool more = whole != NULL;

    while (more && length_of(whole, "players") < json_int_or(whole, "total_players", 0)) {
        int players = length_of(whole, "players");
        cJSON *part = script_ask(script, "tournament series %s players=%d", name, players + 1);
        if (part != NULL)
            move_items(own_member(part, "players"), own_member(whole, "players"));
        more = length_of(whole, "players") > players;
        cJSON_Delete(part);
    }
    if (whole != NULL && !script->client.quit && script->line.options.json)
        script_print_json(whole);
    else if (whole != NULL && !script->client.quit)
        columns_print(&script->client.console, json_member(whole, "players"), SERIES_FIELDS,
                      script_is_aligned(script));
    cJSON_Delete(whole);
}

static int number_of(const cJSON *whole, const char *name)
{
    const cJSON *player;

    cJSON_ArrayForEach (player, json_member(whole, "players"))
        if (strcmp(json_text_or(player, "name", ""), name) == 0)
            return json_int_or(player, "number", 0);
    return 0;
}

/* The result of a pairing for one of the two: 1, =, 0; + and - without a match; * while it runs. */
static char score_of(const cJSON *pairing, bool white)
{
    const char *result = json_text_or(pairing, "result", "*");
    bool walkover = cJSON_IsTrue(json_member(pairing, "walkover"));

    if (strcmp(result, "1/2-1/2") == 0)
        return '=';
    if (strcmp(result, white ? "1-0" : "0-1") == 0)
        return walkover ? '+' : '1';
    return strcmp(result, "*") == 0 ? '*' : walkover ? '-' : '0';
}

/* Adds the pairings of a player to their row, as the cells of the cross table. */
static void add_cells(const cJSON *whole, cJSON *player)
{
    const char *name = json_text_or(player, "name", "");
    cJSON *cells = cJSON_AddArrayToObject(player, "games");
    const cJSON *round, *pairing;
    char cell[CELL_MAX];

    cJSON_ArrayForEach (round, json_member(whole, "rounds"))
        cJSON_ArrayForEach (pairing, json_member(round, "pairings")) {
            const char *other = json_text_or(pairing, "black", NULL);
            bool white = strcmp(json_text_or(pairing, "white", ""), name) == 0;
            if (!white && (other == NULL || strcmp(other, name) != 0))
                continue;
            if (!white)
                other = json_text_or(pairing, "white", "");
            if (other == NULL)
                snprintf(cell, sizeof cell, "bye");
            else
                snprintf(cell, sizeof cell, "%d%c%c", number_of(whole, other), white ? 'w' : 'b',
                         score_of(pairing, white));
            cJSON_AddItemToArray(cells, cJSON_CreateString(cell));
        }
}

/* Prints one match with the tags that PGN has for tournaments. False: the server no longer has it.
 */
static bool print_pgn(struct script *script, const cJSON *whole, int round, const char *match)
{
    char line[LINE_MAX_BYTES], number[16];
    struct cause cause;

    snprintf(number, sizeof number, "%d", round);
    snprintf(line, sizeof line, "record %.40s", match);
    const struct record_about about = {.site = script->client.uplink.address,
                                       .event = json_text_or(whole, "name", NULL),
                                       .round = number,
                                       .with_times = true};
    cJSON *record = client_exchange(&script->client, RECORD_MS, line);
    char *text = record != NULL ? record_pgn(record, &about, &cause) : NULL;
    if (text != NULL)
        puts(text);
    cJSON_Delete(record);
    free(text);
    return text != NULL;
}

static void print_all_pgn(struct script *script, const cJSON *whole)
{
    const cJSON *round, *pairing;
    int missing = 0;

    cJSON_ArrayForEach (round, json_member(whole, "rounds"))
        cJSON_ArrayForEach (pairing, json_member(round, "pairings")) {
            const char *match = json_text_or(pairing, "match", NULL);
            if (match != NULL && !script->client.quit)
                missing += !print_pgn(script, whole, json_int_or(round, "round", 0), match);
        }
    if (missing > 0)
        fprintf(stderr, _("ludus: left out, as the server no longer has them: %d of the matches\n"),
                missing);
}

static void export_all(struct script *script)
{
    cJSON *whole = ask_all(script);

    if (whole != NULL && script->line.options.json)
        script_print_json(whole);
    else if (whole != NULL && script->line.options.pgn)
        print_all_pgn(script, whole);
    else if (whole != NULL) {
        cJSON *players = own_member(whole, "players"), *player;

        cJSON_ArrayForEach (player, players)
            add_cells(whole, player);
        columns_print(&script->client.console, players, STANDINGS " " PERFORMANCE " games",
                      script_is_aligned(script));
    }
    cJSON_Delete(whole);
}

static bool is_tournament_end(const cJSON *message)
{
    const char *status = json_text_or(message, "status", "");

    return strcmp(json_text_or(message, "type", ""), "tournament") == 0 &&
           (strcmp(status, "over") == 0 || strcmp(status, "aborted") == 0);
}

/* Prints events until the tournament is over, the connection ends or the output is closed. */
static void follow_tournament(struct script *script)
{
    struct client *client = &script->client;
    bool ended = false;

    while (!ended && !client->quit && script_flush(script)) {
        cJSON *message = client_message(client, -1);
        bool news = message != NULL && json_text_or(message, "what", NULL) != NULL;
        if (message == NULL && !client->quit)
            client_fail(client, "%s: the connection is lost", client->uplink.address);
        if (news && script->line.options.json)
            script_print_json(message);
        else if (news)
            columns_print_row(&client->console, message, NEWS_FIELDS);
        ended = message != NULL && is_tournament_end(message);
        cJSON_Delete(message);
    }
}

static void watch_tournament(struct script *script)
{
    const char *id = script->line.words[1];
    cJSON *watched = script_ask(script, "watch tournament %s", id);
    cJSON *shown = watched != NULL ? script_ask(script, "tournament show %s", id) : NULL;
    bool goes_on = shown != NULL && !is_tournament_end(shown);

    cJSON_Delete(watched);
    cJSON_Delete(shown);
    if (goes_on)
        follow_tournament(script);
}

static const struct action {
    const char *word, *arguments;
    int least, most; /* arguments; most < 0: any number */
    enum script_name as;
    void (*run)(struct script *script);
} actions[] = {
    {"new", NEW_ARGUMENTS, 2, -1, SCRIPT_NAMED, open_tournament},
    {"list", "", 0, 0, SCRIPT_AS_GIVEN, list_tournaments},
    {"show", "ID", 1, 1, SCRIPT_AS_GIVEN, show_standings},
    {"series", "NAME", 1, 1, SCRIPT_AS_GIVEN, show_series},
    {"watch", "ID", 1, 1, SCRIPT_AS_GIVEN, watch_tournament},
    {"export", "ID", 1, 1, SCRIPT_AS_GIVEN, export_all},
    {"join", "ID [code=WORD]", 1, 2, SCRIPT_NAMED, do_words},
    {"leave", "ID", 1, 1, SCRIPT_NAMED, do_words},
    {"kick", "ID NAME", 2, 2, SCRIPT_NAMED, do_words},
    {"start", "ID", 1, 1, SCRIPT_NAMED, do_words},
    {"pause", "ID", 1, 1, SCRIPT_NAMED, do_words},
    {"resume", "ID", 1, 1, SCRIPT_NAMED, do_words},
    {"abort", "ID", 1, 1, SCRIPT_NAMED, do_words},
};

enum { ACTIONS = sizeof actions / sizeof actions[0] };

/* Refuses an unknown action: says which was meant, and which there are. */
static void refuse_action(const char *word, int *status)
{
    char list[160] = "", text[MEANT_TEXT_MAX];
    struct meant_word meant;

    meant_begin(&meant, word);
    for (int i = 0; i < ACTIONS; i++) {
        meant_try(&meant, actions[i].word);
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", i > 0 ? ", " : "",
                 actions[i].word);
    }
    args_refuse(status, "tournament: unknown action '%.40s'%s: it is one of %s", word,
                meant_text(&meant, "", text), list);
}

/* Finds the action with the right number of arguments; refuses others, and returns NULL. */
static const struct action *find_action(const struct command_line *line, int *status)
{
    int i = 0, count = line->word_count - 1;

    while (i < ACTIONS && strcmp(actions[i].word, line->words[0]) != 0)
        i++;
    if (i == ACTIONS) {
        refuse_action(line->words[0], status);
        return NULL;
    }
    const struct action *action = &actions[i];
    bool too_few = count < action->least, too_many = action->most >= 0 && count > action->most;
    if (too_few || too_many)
        args_refuse(status, "tournament %s: %s (ludus tournament %s%s%s)", action->word,
                    too_few ? _("arguments are missing") : _("too many arguments"), action->word,
                    action->arguments[0] != '\0' ? " " : "", action->arguments);
    if (too_few || too_many)
        return NULL;
    if (action->run == open_tournament)
        return check_plan(line, status) ? action : NULL;
    for (i = 1; i <= count; i++)
        if (has_blank(line->words[i])) {
            args_refuse(status, "tournament %s: '%.40s' has a blank in it", action->word,
                        line->words[i]);
            return NULL;
        }
    return action;
}

static bool check_together(const struct options *options, int *status)
{
    if (options->json && (options->plain || options->pgn))
        return args_refuse(status, "--json: not with --plain or --pgn");
    return true;
}

int tournament_main(const struct usage_command *command, int argc, char *argv[])
{
    char help[HELP_MAX];
    struct script script = {.line = {.command = command, .text = help, .least = 1, .most = -1}};
    int status;

    write_help(help);
    if (!args_read_line(&script.line, argc, argv, &status) ||
        !check_together(&script.line.options, &status))
        return status;
    const struct action *action = find_action(&script.line, &status);
    if (action == NULL)
        return status;
    if (script_begin(&script, action->as))
        action->run(&script);
    return script_end(&script);
}
