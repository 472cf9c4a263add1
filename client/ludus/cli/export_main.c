/*
 * `ludus export`: all finished public matches of a server, a line of JSON each, for those who study
 * them or let a program learn from them. Pages of `records` come one after the other, and nothing
 * of a page is kept once it is printed, so that it does not matter how many there are.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "client/link/json_read.h"
#include "common/game.h"
#include "common/move.h"
#include "script.h"
#include "subcommands.h"

/* clang-format off */
const struct option_row export_rows[] = {
    CONNECT_ROW, TLS_ROW, CODE_ROW,
    {OPTION("name", "NAME", "your name there; without it you are a guest"), TO_WORD(options, name)},
    {OPTION("jsonl", NULL, "print a line of JSON a match; the only form there is"),
     TO_FLAG(options, json)},
    {OPTION("from", "DATE", "only matches opened on that day, such as 2026-11-26,\n"
                            "or later (UTC)"), TO_WORD(options, since)},
    {OPTION("game", "GAME[:VARIANT]", "only matches of that game or variant"),
     TO_WORD(options, game)},
    {OPTION("after", "N", "go on after that number of a match"),
     TO_NUMBER(options, from, 0, LONG_MAX)},
    HELP_ROW,
    {.name = NULL},
};
/* clang-format on */

static const char help[] =
    N_("Prints the finished public matches of a server in the order in which they were\n"
       "opened: a line of JSON each, as `ludus record` prints it, and `positions`, the\n"
       "start and the position after each move. Matches that still run, that ended\n"
       "without a move or that are in the server's archive are left out. If it breaks\n"
       "off, --after with the last match printed goes on.");

/* Adds the positions of a match, by our own rules. False if they do not know it. */
static bool add_positions(cJSON *match)
{
    const char *name = json_text_or(match, "game", ""), *start = json_text_or(match, "start", "");
    const struct game *game = game_find(name, strlen(name));
    cJSON *positions = cJSON_CreateArray();
    char text[POSITION_TEXT_MAX];
    struct position position;
    struct cause cause;
    struct move move;
    const cJSON *word;

    cJSON_AddItemToObject(match, "positions", positions);
    if (game == NULL ||
        !game->parse(json_text_or(match, "variant", NULL), start, &position, &cause))
        return false;
    game->format(&position, text);
    cJSON_AddItemToArray(positions, cJSON_CreateString(text));
    cJSON_ArrayForEach (word, json_member(match, "moves")) {
        const char *played = cJSON_GetStringValue(word);
        if (played == NULL || !move_parse(game, &position, played, &move, &cause))
            return false;
        game->apply(&position, move);
        game->format(&position, text);
        cJSON_AddItemToArray(positions, cJSON_CreateString(text));
    }
    return true;
}

static void print_match(struct script *script, cJSON *match)
{
    const char *id = json_text_or(match, "match", "");

    if (json_text(match, "broken") == NULL && !add_positions(match))
        client_fail(&script->client, "%s: match %.24s makes no sense", script->what, id);
    else
        script_print_json(match);
}

enum { AGAIN_MAX = 100 };

/* Asks for the next page, and waits as long as the server wants first. NULL after an error was
 * reported. */
static cJSON *ask_page(struct script *script, double after)
{
    const struct options *options = &script->line.options;
    char game[64] = "", since[64] = "";

    if (options->game != NULL)
        snprintf(game, sizeof game, " %.40s", options->game);
    if (options->since != NULL)
        snprintf(since, sizeof since, " since=%.40s", options->since);
    for (int tries = 0; tries < AGAIN_MAX; tries++) {
        cJSON *page = client_request(&script->client, "records%s%s after=%.0f", game, since, after);
        bool later = page != NULL && strcmp(json_text_or(page, "code", ""), "rate-limited") == 0;
        if (!later && page != NULL && client_accepted(&script->client, page)) {
            if (cJSON_IsArray(json_member(page, "matches")))
                return page;
            client_fail(&script->client, "%s: unexpected reply", script->what);
        }
        int64_t wait_ms = json_ms(page, "retry_ms");
        cJSON_Delete(page);
        if (!later || script->client.quit)
            break;
        usleep((useconds_t)(wait_ms > 0 && wait_ms < 10000 ? wait_ms : 1000) * 1000);
    }
    script->client.quit = true;
    script->client.status = 1;
    return NULL;
}

/* Prints the matches of a page; returns after which number the next one begins, 0: it was the last.
 */
static double print_page(struct script *script, const cJSON *page)
{
    const cJSON *next = json_member(page, "next");
    cJSON *match;

    cJSON_ArrayForEach (match, json_member(page, "matches"))
        if (!script->client.quit)
            print_match(script, match);
    return cJSON_IsNumber(next) ? next->valuedouble : 0;
}

int export_main(const struct usage_command *command, int argc, char *argv[])
{
    struct script script = {.line = {.command = command, .text = help}};
    int status;

    if (!args_read_line(&script.line, argc, argv, &status))
        return status;
    if (!script_begin(&script, SCRIPT_AS_GIVEN))
        return script_end(&script);
    double after = (double)script.line.options.from;
    do {
        cJSON *page = ask_page(&script, after);
        if (page == NULL)
            break;
        after = print_page(&script, page);
        cJSON_Delete(page);
    } while (after > 0 && !script.client.quit && script_flush(&script));
    return script_end(&script);
}
