/*
 * `ludus share`: a match as others like to get it. Without an option a few lines for a chat, with
 * the board and a link; with --svg a picture of the board; with --cast a recording of all moves in
 * the form of asciinema (version 2: a header and then events, each a line of JSON).
 */
#include <stdio.h>
#include <string.h>

#include "client/link/json_read.h"
#include "client/ludus/talk/record.h"
#include "common/match_picture.h"
#include "common/position_text.h"
#include "common/text.h"
#include "script.h"
#include "subcommands.h"

/* clang-format off */
const struct option_row share_rows[] = {
    CONNECT_ROW, TLS_ROW, CODE_ROW,
    {OPTION("name", "NAME", "your name there; a private match is shared by its\n"
                            "players only"), TO_WORD(options, name)},
    {OPTION("ply", "N", "the board after N moves; by default after the last"), TO_WORD(options, ply)},
    {OPTION("svg", NULL, "print a picture of the board"), TO_FLAG(options, svg)},
    {OPTION("cast", NULL, "print a recording of all moves, for asciinema"), TO_FLAG(options, cast)},
    HELP_ROW,
    {.name = NULL},
};
/* clang-format on */

static const char help[] =
    N_("Prints a match to send to others: who played, how it ended, the board, and a link to\n"
       "it. With --svg it is a picture, with --cast a recording:\n"
       "  ludus share 12 --svg >match.svg\n"
       "  ludus share 12 --cast >match.cast && asciinema play match.cast");

enum {
    SHORTEST_MS = 400, /* of a recorded move */
    LONGEST_MS = 3000,
    UNKNOWN_MS = 1000, /* where its time is not known */
    END_MS = 3000
};

/* Whether a match has an id that cannot be guessed. */
static bool match_id_is_private(const char *id)
{
    return id[0] == 'x' && strlen(id) > 20;
}

static const char *or_nobody(const char *name)
{
    return name != NULL ? name : "?";
}

/* The match as it was after that many moves. */
static struct match_picture picture_of(const struct pgn_match *match, int ply)
{
    struct match_picture picture = {.game = match->game,
                                    .position = record_position(match, ply),
                                    .names = {match->white, match->black},
                                    .outcome = match->outcome,
                                    .ply = ply,
                                    .plies = match->plies};

    if (ply > 0)
        snprintf(picture.last, sizeof picture.last, "%s", match->moves[ply - 1].text);
    return picture;
}

/* ---- As text ---- */

static void print_text(const struct script *script, const struct pgn_match *match, int ply,
                       const char *id)
{
    struct match_picture picture = picture_of(match, ply);
    char title[MATCH_TITLE_MAX], text[BOARD_TEXT_MAX], route[96], page[SCRIPT_PAGE_MAX];
    struct board board;

    match_picture_title(&picture, title);
    match->game->board(&picture.position, &board);
    board_text(&board, false, text);
    snprintf(route, sizeof route, ply < match->plies ? "m/%.40s?ply=%d" : "m/%.40s", id, ply);
    script_page(script->client.uplink.address, route, page);
    printf("%s\n%s%s\n", title, text, page);
    if (match_id_is_private(id))
        puts(_("The match is private: whoever has this link can see it."));
}

/* ---- As a picture ---- */

static void print_picture(const struct pgn_match *match, int ply)
{
    struct match_picture picture = picture_of(match, ply);
    struct buffer svg = {.length = 0};

    match_picture_svg(&picture, &svg);
    fwrite(svg.bytes, 1, svg.length, stdout);
    buffer_release(&svg);
}

/* ---- As a recording ---- */

/* Prints what the terminal shows from that time on, as a line of JSON. */
static void print_event(int64_t at_ms, const char *shown)
{
    cJSON *event = cJSON_CreateArray();

    cJSON_AddItemToArray(event, cJSON_CreateNumber((double)at_ms / 1000));
    cJSON_AddItemToArray(event, cJSON_CreateString("o"));
    cJSON_AddItemToArray(event, cJSON_CreateString(shown));
    char *text = cJSON_PrintUnformatted(event);
    puts(text);
    cJSON_free(text);
    cJSON_Delete(event);
}

/* How long a move is waited for: as long as it took, within reason. */
static int64_t wait_ms(const struct pgn_match *match, int ply)
{
    int64_t took_ms = match->times_ms != NULL ? match->times_ms[ply] : -1;

    return took_ms < 0             ? UNKNOWN_MS
           : took_ms < SHORTEST_MS ? SHORTEST_MS
           : took_ms > LONGEST_MS  ? LONGEST_MS
                                   : took_ms;
}

static void print_header(const char *title, const struct board *board)
{
    cJSON *header = cJSON_CreateObject();
    int wide = (int)strlen(title) + 2, least = 4 * board->width;

    cJSON_AddNumberToObject(header, "version", 2);
    cJSON_AddNumberToObject(header, "width", wide > least ? wide : least);
    cJSON_AddNumberToObject(header, "height", board->height + 5);
    cJSON_AddStringToObject(header, "title", title);
    char *text = cJSON_PrintUnformatted(header);
    puts(text);
    cJSON_free(text);
    cJSON_Delete(header);
}

static void print_recording(const struct pgn_match *match)
{
    struct match_picture picture = picture_of(match, match->plies);
    char title[MATCH_TITLE_MAX], text[BOARD_TEXT_MAX], shown[2 * BOARD_TEXT_MAX + MATCH_TITLE_MAX];
    struct board board;
    int64_t at_ms = 0;

    match_picture_title(&picture, title);
    for (int ply = 0; ply <= match->plies; ply++) {
        struct position position = record_position(match, ply);
        match->game->board(&position, &board);
        if (ply == 0)
            print_header(title, &board);
        else
            at_ms += wait_ms(match, ply - 1);
        board_text(&board, false, text);
        size_t used = (size_t)snprintf(shown, sizeof shown, "\033[2J\033[H%s\r\n\r\n", title);
        for (const char *line = text; *line != '\0';) { /* a terminal needs CR LF */
            int length = (int)strcspn(line, "\n");
            used += (size_t)snprintf(shown + used, sizeof shown - used, "%.*s\r\n", length, line);
            line += length + (line[length] != '\0');
        }
        if (ply > 0)
            snprintf(shown + used, sizeof shown - used, "\r\n%d. %s", ply,
                     match->moves[ply - 1].text);
        print_event(at_ms, shown);
    }
    print_event(at_ms + END_MS, "\r\n");
}

/* ---- The subcommand ---- */

/* Whether the match may be shared by whom the reply was for. */
static bool may_share(const struct script *script, const struct pgn_match *match, const char *id)
{
    const char *name = script->client.uplink.name; /* as the server writes it */

    return !match_id_is_private(id) || strcmp(or_nobody(match->white), name) == 0 ||
           strcmp(or_nobody(match->black), name) == 0;
}

static void share(struct script *script, const struct pgn_match *match, const char *id)
{
    const struct options *options = &script->line.options;
    long ply = match->plies;

    if (!may_share(script, match, id))
        client_fail(&script->client, "%s: the match is private, and shared by its players only",
                    script->what);
    else if (options->ply != NULL &&
             !number_parse(options->ply, strlen(options->ply), 0, match->plies, &ply))
        client_fail(&script->client, "%s: --ply: a number from 0 to %d", script->what,
                    match->plies);
    else if (options->svg)
        print_picture(match, (int)ply);
    else if (options->cast)
        print_recording(match);
    else
        print_text(script, match, (int)ply, id);
}

int share_main(const struct usage_command *command, int argc, char *argv[])
{
    struct script script = {.line = {.command = command, .text = help, .least = 1, .most = 1}};
    const struct options *options = &script.line.options;
    struct pgn_file file;
    struct cause cause;
    int status;

    if (!args_read_line(&script.line, argc, argv, &status) ||
        !args_check_blanks(&script.line, &status))
        return status;
    if (options->cast && (options->svg || options->ply != NULL)) {
        args_refuse(&status, "--cast: it shows all moves, and goes with neither --svg nor --ply");
        return status;
    }
    if (!script_begin(&script, SCRIPT_NAMED))
        return script_end(&script);
    cJSON *reply = script_ask(&script, "record %s", script.line.words[0]);
    if (reply != NULL && !record_read_reply(reply, &file, &cause)) {
        client_fail(&script.client, "%s: %s", script.what, cause.text);
    } else if (reply != NULL) {
        share(&script, &file.matches[0], json_text_or(reply, "match", ""));
        pgn_release(&file);
    }
    cJSON_Delete(reply);
    return script_end(&script);
}
