#include "script.h"

#include <ctype.h>
#include <errno.h>
#include <langinfo.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "client/link/json_read.h"
#include "client/ludus/lan/search.h"
#include "client/ludus/talk/event.h"
#include "client/ludus/talk/login.h"
#include "client/ludus/talk/match_words.h"
#include "client/ludus/talk/play.h"
#include "client/ludus/talk/record.h"
#include "common/position_text.h"
#include "common/qr_code.h"
#include "common/text.h"
#include "subcommands.h"

static void seat_label(const struct match_seat *seat, char *label, size_t size)
{
    if (seat->name[0] == '\0')
        snprintf(label, size, "%s", _("nobody yet"));
    else
        snprintf(label, size, "%s%s%s", seat_shown(seat), seat->mine ? _(" (you)") : "",
                 seat->seated && !seat->online ? _(" (away)") : "");
}

/* A position of Xadrersi has the pieces in hand in brackets, white's capitals first. A Q behind
 * them says that the side to move must place its queen. */
static void draw_hands(struct console *console, const struct match_state *view)
{
    const char *open = strchr(view->position, '['), *close, *black;

    if (open == NULL || (close = strchr(open, ']')) == NULL)
        return;
    for (black = open + 1; black < close && isupper((unsigned char)*black);)
        black++;
    int whites = (int)(black - open) - 1, blacks = (int)(close - black);
    console_say(console, "In hand: white %.*s, black %.*s", whites > 0 ? whites : 1,
                whites > 0 ? open + 1 : "-", blacks > 0 ? blacks : 1, blacks > 0 ? black : "-");
    if (strstr(close, " Q ") != NULL)
        console_say(console, view->turn == WHITE
                                 ? N_("Black placed its queen: white places its own now")
                                 : N_("White placed its queen: black places its own now"));
}

static void draw_turn(struct console *console, const struct match_state *view)
{
    const char *side = color_title(view->turn);
    enum color mine;

    if (match_state_my_color(view, &mine) && mine == view->turn)
        console_say(console,
                    view->check ? N_("%s to move, in check: it is your turn")
                                : N_("%s to move: it is your turn"),
                    side);
    else
        console_say(console, view->check ? N_("%s to move, in check") : N_("%s to move"), side);
}

void draw_match(struct console *console, const struct match_state *view, int64_t now_ms)
{
    char clocks[CLOCK_LINE_MAX], board[BOARD_TEXT_MAX], line[RESULT_LINE_MAX];
    enum color mine;

    char label[GAME_LABEL_MAX], white[PLAYER_DISPLAY_MAX + 16], black[PLAYER_DISPLAY_MAX + 16];
    seat_label(&view->seats[WHITE], white, sizeof white);
    seat_label(&view->seats[BLACK], black, sizeof black);
    console_say(console, "\n%s, match %s: white %s, black %s",
                game_label(view->game, view->variant, label), view->match, white, black);
    board_text(&view->board, match_state_my_color(view, &mine) && mine == BLACK, board);
    console_text(console, board);
    if (view->last[0] != '\0')
        console_say(console, "Last move: %s by %s (ply %d)", view->last, color_name(!view->turn),
                    view->ply);
    if (view->has_score)
        console_say(console, "Score: white %d, black %d", view->score[WHITE], view->score[BLACK]);
    draw_hands(console, view);
    if (view->clock.known) {
        clock_line(&view->clock, now_ms, clocks);
        console_say(console, "Clocks: %s", clocks);
    }
    if (view->status == STATE_PLAYING)
        draw_turn(console, view);
    if (view->status == STATE_OVER) {
        console_say(console, "Result: %s (%s)", view->result, reason_words(view->reason));
        result_line(view, line);
        console_say(console, "%s", line);
    }
}

static void ignore_message(struct client *client, const cJSON *message)
{
    (void)client;
    (void)message;
}

static void fail_silent_server(struct client *client)
{
    client_fail(client, "%s: the server does not answer", client->uplink.address);
}

static void draw_state(struct client *client)
{
    draw_match(&client->console, &client->view, clock_ms());
}

static const struct client_handlers handlers = {
    .message = ignore_message, .lost = fail_silent_server, .draw = draw_state};

bool script_begin(struct script *script, enum script_name as)
{
    const struct options *options = &script->line.options;
    const char *name = options->name;
    const char *address = link_address(options->connect, options->tls, script->tls_address);

    /* Set the subject of error messages: the command and its first argument. */
    const struct command_line *line = &script->line;
    bool has = line->word_count > 0;
    snprintf(script->what, sizeof script->what, "%s%s%.40s", line->command->word, has ? " " : "",
             has ? line->words[0] : "");
    utf8_clean(script->what);
    if (name == NULL && as == SCRIPT_NAMED) {
        identity_default_name(1, script->own_name);
        name = script->own_name;
    }
    client_open_unattended(&script->client, &handlers, address, options->code);
    script->client.asks = script->what;
    bool guest = as == SCRIPT_GUEST || (as == SCRIPT_AS_GIVEN && name == NULL);
    login(
        &script->client,
        &(struct login_terms){.name = name, .guest = guest, .unnamed = !args_name_server(options)});
    return !script->client.quit;
}

cJSON *script_ask(struct script *script, const char *format, ...)
{
    struct client *client = &script->client;
    va_list args;

    va_start(args, format);
    cJSON *reply = client_vask(client, format, args);
    va_end(args);
    if (reply == NULL) { /* that was reported */
        client->quit = true;
        client->status = 1;
    }
    cJSON_DeleteItemFromObjectCaseSensitive(reply, "id");
    return reply;
}

void script_print_json(const cJSON *message)
{
    char *text = cJSON_PrintUnformatted(message);

    puts(text);
    cJSON_free(text);
}

bool script_is_aligned(const struct script *script)
{
    return !script->line.options.plain && isatty(STDOUT_FILENO);
}

bool script_flush(struct script *script)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return true;
    client_fail(&script->client, "standard output: %s", strerror(errno));
    return false;
}

int script_end(struct script *script)
{
    if (!script->client.quit)
        script_flush(script);
    client_close(&script->client);
    free(script->client.host); /* that of another program of the player, if any: it goes on */
    return script->client.status;
}

enum { LINE_MAX_BYTES = 1024, HELP_MAX = 2048, ROUTE_MAX = 128 };

/* Rows of the option tables: the server, the name, and the form of the output. */
/* clang-format off */
#define SERVER_ROWS CONNECT_ROW, TLS_ROW, CODE_ROW
#define GUEST_ROW {OPTION("name", "NAME", "your name there; without it you are a guest"), TO_WORD(options, name)}
#define NAME_ROW {OPTION("name", "NAME", "your name there (the name of your account)"), TO_WORD(options, name)}
#define JSON_ROW {OPTION("json", NULL, "print the server's JSON, one object a line"), TO_FLAG(options, json)}
/* clang-format on */

const struct option_row ask_rows[] = {
    SERVER_ROWS,
    GUEST_ROW,
    JSON_ROW,
    {OPTION("plain", NULL, "one tab between fields and no titles, even on a terminal"),
     TO_FLAG(options, plain)},
    HELP_ROW,
    {.name = NULL},
};

const struct option_row list_rows[] = {
    SERVER_ROWS,
    GUEST_ROW,
    {OPTION("from", "N", "pass over the first N"), TO_NUMBER(options, from, 0, INT_MAX)},
    {OPTION("limit", "N", "list at most N"), TO_NUMBER(options, limit, 1, INT_MAX)},
    {OPTION("all", NULL, "list all, as into a pipe, not just the first 200"),
     TO_FLAG(options, all)},
    JSON_ROW,
    {OPTION("plain", NULL, "one tab between fields and no titles, even on a terminal"),
     TO_FLAG(options, plain)},
    HELP_ROW,
    {.name = NULL},
};

const struct option_row new_rows[] = {
    SERVER_ROWS,
    NAME_ROW,
    VS_ROW,
    COLOR_ROW,
    {OPTION("white", "SEAT", "who plays white, as for --vs"), TO_WORD(options, match.white)},
    {OPTION("black", "SEAT",
            "who plays black; without --white or --black you play\n"
            "white, and black is open"),
     TO_WORD(options, match.black)},
    CLOCK_ROW,
    POSITION_ROW,
    RATED_ROW,
    UNRATED_ROW,
    {OPTION("private", NULL, "hide the match from lists; its id cannot be guessed"),
     TO_FLAG(options, match.hidden)},
    JSON_ROW,
    HELP_ROW,
    {.name = NULL},
};

const struct option_row inbox_rows[] = {
    SERVER_ROWS,
    NAME_ROW,
    JSON_ROW,
    {OPTION("plain", NULL, "one tab between fields and no titles, even on a terminal"),
     TO_FLAG(options, plain)},
    HELP_ROW,
    {.name = NULL},
};

const struct option_row move_rows[] = {
    SERVER_ROWS,
    NAME_ROW,
    {OPTION("ply", "N", "play only if exactly N moves have been played"), TO_WORD(options, ply)},
    JSON_ROW,
    HELP_ROW,
    {.name = NULL},
};

const struct option_row say_rows[] = {SERVER_ROWS, GUEST_ROW, JSON_ROW, HELP_ROW, {.name = NULL}};

/* clang-format off */
#define PLAIN_STATE_ROW {OPTION("plain", NULL, "print a line for each state, one tab between fields"), TO_FLAG(options, plain)}
/* clang-format on */

const struct option_row state_rows[] = {SERVER_ROWS,     GUEST_ROW, JSON_ROW,
                                        PLAIN_STATE_ROW, HELP_ROW,  {.name = NULL}};

const struct option_row watch_rows[] = {
    SERVER_ROWS,
    GUEST_ROW,
    JSON_ROW,
    PLAIN_STATE_ROW,
    {OPTION("pace", "SECONDS", "let that much time pass after each move, as bots are fast"),
     TO_WORD(options, pace)},
    HELP_ROW,
    {.name = NULL},
};

const struct option_row record_rows[] = {
    SERVER_ROWS,
    GUEST_ROW,
    {OPTION("pgn", NULL, "print PGN, which `ludus replay` reads"), TO_FLAG(options, pgn)},
    {OPTION("times", NULL, "add the time of each move to PGN"), TO_FLAG(options, times)},
    {OPTION("json", NULL, "print JSON, the default"), TO_FLAG(options, json)},
    HELP_ROW,
    {.name = NULL},
};

const struct option_row device_rows[] = {SERVER_ROWS, NAME_ROW, JSON_ROW, HELP_ROW, {.name = NULL}};

#define STATE_FIELDS "match status ply turn last result reason position"
#define LOBBY_FIELDS "what match game variant white black status ply"

/* A subcommand. The word is its verb to the server, too. */
struct action {
    const char *word;
    int least, most; /* arguments; a negative `most`: any number */
    enum script_name as;
    void (*run)(struct script *script, const struct action *action);
    /* Prints the reply for people; NULL: nothing to print. */
    void (*print)(struct script *script, const struct action *action, const cJSON *reply);
    const char *list;          /* of print_list: the member of the reply; NULL: all members */
    const char *fields;        /* of print_list: the first names items that are no objects */
    const char *text;          /* of --help */
    const char *plain, *lobby; /* fields that follow it there */
    bool has_pages;            /* the list goes on with from=N */
    bool tells;                /* the exit status tells whether there is any: 1 none, 2 an error */
};

/* Makes a row of each plain value of the reply, or of each text of the list. */
static cJSON *make_rows(const struct action *action, const cJSON *reply)
{
    const cJSON *list = action->list != NULL ? json_member(reply, action->list) : reply;
    const cJSON *item;
    cJSON *rows = cJSON_CreateArray();

    cJSON_ArrayForEach (item, list) {
        if (action->list == NULL && strcmp(item->string, "type") == 0)
            continue;
        cJSON *row = cJSON_CreateObject();
        if (action->list == NULL)
            cJSON_AddStringToObject(row, "name", item->string);
        cJSON_AddItemReferenceToObject(row, action->list == NULL ? "value" : action->fields,
                                       (cJSON *)item);
        cJSON_AddItemToArray(rows, row);
    }
    return rows;
}

static void print_list(struct script *script, const struct action *action, const cJSON *reply)
{
    struct console *console = &script->client.console;
    const cJSON *list = action->list != NULL ? json_member(reply, action->list) : NULL;
    bool objects = list != NULL && cJSON_IsObject(list->child);
    cJSON *made = objects ? NULL : make_rows(action, reply);

    columns_print(console, objects ? list : made, action->fields, script_is_aligned(script));
    int total, end = (int)script->line.options.from + cJSON_GetArraySize(list);
    bool more = script_is_aligned(script) && json_int(reply, "total", &total) && total > end;
    if (more && action->has_pages)
        console_say(console, "(%d of %d %s: --from=%d lists the next, --all all)", end, total,
                    action->list, end);
    else if (more)
        columns_print_rest(console, reply, action->list);
    cJSON_Delete(made);
}

static void print_match(struct script *script, const struct action *action, const cJSON *reply)
{
    (void)script;
    (void)action;
    puts(json_text_or(reply, "match", "-"));
}

static void print_state(struct script *script, const struct action *action, const cJSON *state)
{
    struct match_state view;
    struct cause cause;

    (void)action;
    if (script->line.options.plain)
        columns_print_row(&script->client.console, state, STATE_FIELDS);
    else if (match_state_read(&view, state, clock_ms(), &cause))
        draw_match(&script->client.console, &view, clock_ms());
    else
        client_fail(&script->client, "%s: %s", script->what, cause.text);
}

static void print_record(struct script *script, const struct action *action, const cJSON *reply)
{
    bool pgn = script->line.options.pgn;
    struct cause cause;
    const struct record_about about = {.site = script->client.uplink.address,
                                       .with_times = script->line.options.times};
    char *text = pgn ? record_pgn(reply, &about, &cause) : NULL;

    (void)action;
    if (!pgn)
        script_print_json(reply);
    else if (text == NULL)
        client_fail(&script->client, "%s: %s", script->what, cause.text);
    else
        fputs(text, stdout);
    free(text);
}

/* Says whether a draw or an undo is agreed, or waits for the other side. */
static void print_offer(struct script *script, const struct action *action, const cJSON *reply)
{
    (void)script;
    (void)action;
    puts(json_true(reply, "agreed") ? "agreed" : "offered");
}

/* Appends a join code to the address of a page, where letters, digits, dashes and the like may
 * stand as they are. */
static void add_code(char page[SCRIPT_PAGE_MAX], const char *code)
{
    size_t used = strlen(page);

    used += (size_t)snprintf(page + used, SCRIPT_PAGE_MAX - used, "&code=");
    for (; *code != '\0' && used < SCRIPT_PAGE_MAX; code++)
        used += (size_t)snprintf(
            page + used, SCRIPT_PAGE_MAX - used,
            isalnum((unsigned char)*code) || strchr("-_.~", *code) != NULL ? "%c" : "%%%02X",
            (unsigned char)*code);
}

void script_page(const char *address, const char *route, char page[SCRIPT_PAGE_MAX])
{
    bool tls = link_has_tls(address);
    const char *host = address + (tls ? LINK_TLS_PREFIX_BYTES : 0);
    const char *port = strrchr(host, ':');
    bool has_port = port != NULL && strchr(port, ']') == NULL;

    snprintf(page, SCRIPT_PAGE_MAX, "%s://%s%s/%s", tls ? "https" : "http", host,
             has_port ? ""
             : tls    ? ":" DEFAULT_TLS_PORT_TEXT
                      : ":" DEFAULT_PORT_TEXT,
             route);
}

/* Says what to open or type on the other device, which finds this machine by its address in the
 * network. */
static void print_device(struct script *script, const struct action *action, const cJSON *reply)
{
    const struct uplink *uplink = &script->client.uplink;
    const struct hello *hello = &uplink->hello;
    const char *device = json_text_or(reply, "code", "-");
    char address[LINK_ADDRESS_MAX], route[ROUTE_MAX], page[SCRIPT_PAGE_MAX];
    struct qr_code code;
    int expires_ms = 0;

    (void)action;
    json_int(reply, "expires_ms", &expires_ms);
    if (!lan_is_loopback(uplink->address) || !lan_address_of(uplink->address, address))
        snprintf(address, sizeof address, "%s", uplink->address);
    bool elsewhere = !lan_is_loopback(address);
    snprintf(route, sizeof route, "#/device/%s/%s", hello->name, device);
    script_page(address, route, page);
    if (hello->code[0] != '\0')
        add_code(page, hello->code);
    if (!elsewhere)
        puts(_(
            "This server answers on this machine only, so the other device has to be here, too."));
    bool scans = elsewhere && script->client.console.color && qr_code_make(&code, page);
    printf(scans ? _("On the other device, within %d minutes, scan this:\n")
                 : _("On the other device, within %d minutes, in a browser:\n"),
           expires_ms / 60000);
    if (scans) {
        qr_code_print(&code, stdout, strcmp(nl_langinfo(CODESET), "UTF-8") == 0);
        puts(_("or in a browser:"));
    }
    printf(_("  %s\nor in a terminal:\n  ludus --connect %s%s%s --name %s --device %s\n"), page,
           address, hello->code[0] != '\0' ? " --code " : "", hello->code, hello->name, device);
}

cJSON *script_ask_words(struct script *script, const char *verb, int from)
{
    const char *ply = script->line.options.ply;
    char text[LINE_MAX_BYTES];
    size_t used = (size_t)snprintf(text, sizeof text, "%s", verb);

    for (int i = 0; i < script->line.word_count && used < sizeof text; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, " %s", script->line.words[i]);
    if (from > 0 && used < sizeof text)
        snprintf(text + used, sizeof text - used, " from=%d", from);
    return script_ask(script, "%s%s%s", text, ply != NULL ? " ply=" : "", ply != NULL ? ply : "");
}

/* Prints and frees a reply; NULL was reported. */
static void finish_reply(struct script *script, const struct action *action, cJSON *reply)
{
    if (reply != NULL && script->line.options.json)
        script_print_json(reply);
    else if (reply != NULL && action->print != NULL)
        action->print(script, action, reply);
    cJSON_Delete(reply);
}

enum { PAGE_ROWS = 200 }; /* of a list, in one reply */

/* Whether one of the last rows has that name or number. */
static bool is_on_last_page(const cJSON *rows, const char *key, const char *id)
{
    const cJSON *row = rows->child != NULL ? rows->child->prev : NULL; /* the last */

    for (int i = 0; i < PAGE_ROWS && row != NULL; i++) {
        if (strcmp(json_text_or(row, key, ""), id) == 0)
            return true;
        row = row != rows->child ? row->prev : NULL;
    }
    return false;
}

/* Moves rows of a page behind those that are there, and returns how many. What has begun or ended
 * meanwhile shifts the pages, so that rows may come again. */
static int append_rows(cJSON *rows, cJSON *page, const char *key)
{
    int count = 0;

    while (page != NULL && page->child != NULL) {
        cJSON *row = cJSON_DetachItemFromArray(page, 0);
        if (is_on_last_page(rows, key, json_text_or(row, key, ""))) {
            cJSON_Delete(row);
            continue;
        }
        cJSON_AddItemToArray(rows, row);
        count++;
    }
    return count;
}

/* Adds the pages that follow a reply, as far as they are wanted. False after an error was reported.
 */
static bool add_pages(struct script *script, const struct action *action, cJSON *reply)
{
    cJSON *rows = cJSON_GetObjectItemCaseSensitive(reply, action->list);
    long limit = script->line.options.limit;
    int total, count = cJSON_GetArraySize(rows), from = (int)script->line.options.from + count;
    char key[16];

    snprintf(key, sizeof key, "%.*s", (int)strcspn(action->fields, " "), action->fields);
    while (count > 0 && json_int(reply, "total", &total) && from < total &&
           (limit == 0 || cJSON_GetArraySize(rows) < limit)) {
        cJSON *page = script_ask_words(script, action->word, from);
        if (page == NULL)
            return false;
        cJSON *more = cJSON_GetObjectItemCaseSensitive(page, action->list);
        from += cJSON_GetArraySize(more);
        count = append_rows(rows, more, key);
        cJSON_Delete(page);
    }
    while (limit > 0 && cJSON_GetArraySize(rows) > limit)
        cJSON_DeleteItemFromArray(rows, (int)limit);
    return true;
}

/* Asks for something; the reply has the type that the command is called. Programs get all pages of
 * a list. */
static void run_ask(struct script *script, const struct action *action)
{
    const struct options *options = &script->line.options;
    cJSON *reply = script_ask_words(script, action->word, (int)options->from);
    bool all =
        action->has_pages && (options->all || options->limit > 0 || !script_is_aligned(script));

    if (reply == NULL || strcmp(json_text_or(reply, "type", ""), action->word) == 0) {
        if (reply == NULL || !all || add_pages(script, action, reply))
            finish_reply(script, action, reply);
        else
            cJSON_Delete(reply);
        return;
    }
    client_fail(&script->client, "%s: unexpected reply", script->what);
    cJSON_Delete(reply);
}

/* Notes whose matches are wanted where the line names nobody: the player's own. */
static void set_own_name(struct script *script)
{
    const char *name = script->line.options.name;

    if (name != NULL)
        snprintf(script->own_name, sizeof script->own_name, "%s", name);
    else
        identity_default_name(1, script->own_name);
}

/* Asks for a history by name: that needs no token. */
static void run_history(struct script *script, const struct action *action)
{
    if (script->line.word_count == 0) {
        set_own_name(script);
        script->own = script->own_name;
        script->line.words = &script->own;
        script->line.word_count = 1;
    }
    run_ask(script, action);
}

/* Adds the row of a match if it is the player's move there. */
static void add_if_to_move(struct script *script, cJSON *rows, cJSON *state)
{
    struct match_state view;
    struct cause cause;
    char left[CLOCK_TEXT_MAX] = "-";

    if (!match_state_read(&view, state, clock_ms(), &cause) || view.status != STATE_PLAYING ||
        strcasecmp(view.seats[view.turn].name, script->own_name) != 0)
        return;
    script->found++;
    if (script->line.options.json) {
        cJSON_DeleteItemFromObjectCaseSensitive(state, "id");
        script_print_json(state);
        return;
    }
    if (view.clock.known)
        clock_format(match_clock_left_ms(&view.clock, view.turn, clock_ms()), left);
    cJSON *row = cJSON_CreateObject();
    cJSON_AddStringToObject(row, "match", view.match);
    cJSON_AddStringToObject(row, "game", view.game);
    cJSON_AddStringToObject(row, "variant", view.variant);
    cJSON_AddStringToObject(row, "color", color_name(view.turn));
    cJSON_AddStringToObject(row, "opponent", view.seats[!view.turn].name);
    cJSON_AddNumberToObject(row, "ply", view.ply);
    cJSON_AddStringToObject(row, "last", view.last[0] != '\0' ? view.last : "-");
    cJSON_AddStringToObject(row, "left", left);
    cJSON_AddItemToArray(rows, row);
}

/* Looks at the player's matches of a page of the list. */
static void look_at_page(struct script *script, cJSON *rows, const cJSON *page)
{
    const cJSON *match;

    cJSON_ArrayForEach (match, json_member(page, "matches")) {
        const char *id = json_text_or(match, "match", "");
        if (script->client.quit || !match_id_is_valid(id) ||
            (strcasecmp(json_text_or(match, "white", ""), script->own_name) != 0 &&
             strcasecmp(json_text_or(match, "black", ""), script->own_name) != 0))
            continue;
        cJSON *state = client_request(&script->client, "state %s", id); /* it may be over by now */
        if (state != NULL)
            add_if_to_move(script, rows, state);
        cJSON_Delete(state);
    }
}

/* Asks as a guest, by name: a status line does this again and again, and opponents are not to see
 * the player come and go each time. */
static void run_inbox(struct script *script, const struct action *action)
{
    cJSON *rows = cJSON_CreateArray();
    int from = 0, total = 0, count;

    set_own_name(script);
    do {
        cJSON *page = script_ask(script, "list status=playing from=%d", from);
        count = cJSON_GetArraySize(json_member(page, "matches"));
        json_int(page, "total", &total);
        from += count;
        look_at_page(script, rows, page);
        cJSON_Delete(page);
    } while (count > 0 && from < total && !script->client.quit);
    if (cJSON_GetArraySize(rows) > 0)
        columns_print(&script->client.console, rows, action->fields, script_is_aligned(script));
    cJSON_Delete(rows);
}

static void run_new(struct script *script, const struct action *action)
{
    struct options *options = &script->line.options;
    char line[NEW_LINE_MAX];

    options->match.game = script->line.words[0];
    if (options->vs != NULL || options->color != NULL)
        args_set_seats(options);
    play_write_new(&options->match, line);
    finish_reply(script, action, script_ask(script, "%s", line));
}

/* Does in one of the player's matches what the command says. */
static void run_move(struct script *script, const struct action *action)
{
    finish_reply(script, action, script_ask_words(script, action->word, 0));
}

/* No draw is offered in a game that has none; a server lets programs agree on one all the same. */
static void run_draw(struct script *script, const struct action *action)
{
    cJSON *state = script_ask_words(script, "state", 0);
    const char *name = json_text_or(state, "game", "");
    const struct game *game = game_find(name, strlen(name));

    if (game != NULL && game->drawless)
        client_fail(&script->client, "%s: %s has no draws: one side always wins", script->what,
                    _(game->title));
    else if (state != NULL)
        run_move(script, action);
    cJSON_Delete(state);
}

/* The server shows how it writes it: an empty TEXT takes it away. */
static void run_display(struct script *script, const struct action *action)
{
    finish_reply(script, action, script_ask_words(script, "set display=", 0));
}

static void print_display(struct script *script, const struct action *action, const cJSON *reply)
{
    const char *display = json_text_or(reply, "display", "");

    (void)script;
    (void)action;
    if (display[0] != '\0')
        puts(display);
}

/* Watches first: only players and watchers may talk. */
static void run_say(struct script *script, const struct action *action)
{
    cJSON *reply = script_ask(script, "watch %s", script->line.words[0]);

    if (reply != NULL)
        finish_reply(script, action, script_ask_words(script, action->word, 0));
    cJSON_Delete(reply);
}

/* Shows a message, but no reply to the program's own commands. */
static void show_message(struct script *script, const cJSON *message)
{
    const char *type = json_text_or(message, "type", "");

    if (strcmp(type, "pong") == 0 || strcmp(type, "ok") == 0)
        return;
    if (script->line.options.json)
        script_print_json(message);
    else if (strcmp(type, "lobby") == 0)
        columns_print_row(&script->client.console, message, LOBBY_FIELDS);
    else if (!script->line.options.plain)
        event_handle(&script->client, message);
    else if (strcmp(type, "state") == 0)
        print_state(script, NULL, message);
}

/* Returns the next message to be shown. With a pace, those that come in the meantime wait in
 * `waiting`, so that the server need not wait for us. NULL: the connection has ended. */
static cJSON *next_paced(struct client *client, cJSON *waiting, int64_t due_ms)
{
    for (;;) {
        int64_t left_ms = due_ms - clock_ms();
        if (left_ms <= 0 && cJSON_GetArraySize(waiting) > 0)
            return cJSON_DetachItemFromArray(waiting, 0);
        cJSON *message = client_message(client, left_ms > 0 ? (int)left_ms : -1);
        if (message != NULL)
            cJSON_AddItemToArray(waiting, message);
        else if (left_ms <= 0 || client->quit || client->uplink.broken)
            return NULL;
    }
}

/* Shows what comes until the match is over, the connection ends or the output is closed. */
static void follow_match(struct script *script)
{
    struct client *client = &script->client;
    cJSON *waiting = cJSON_CreateArray();
    int64_t due_ms = 0;
    bool ended = false;

    while (!ended && !client->quit && script_flush(script)) {
        cJSON *message = next_paced(client, waiting, due_ms);
        if (strcmp(json_text_or(message, "type", ""), "state") == 0)
            due_ms = clock_ms() + script->pace_ms;
        if (message != NULL)
            show_message(script, message);
        else if (!client->quit && client->uplink.bye[0] != '\0')
            client_fail(client, "%s: the server ends the connection: %s", client->uplink.address,
                        client->uplink.bye);
        else if (!client->quit)
            client_fail(client, "%s: the connection is lost", client->uplink.address);
        ended = strcmp(json_text_or(message, "type", ""), "state") == 0 &&
                strcmp(json_text_or(message, "match", ""), client->view.match) == 0 &&
                strcmp(json_text_or(message, "status", ""), "over") == 0;
        cJSON_Delete(message);
    }
    cJSON_Delete(waiting);
}

static void run_watch(struct script *script, const struct action *action)
{
    cJSON *reply = script_ask_words(script, action->word, 0);

    if (reply == NULL)
        return;
    client_show(&script->client, json_text_or(reply, "match", ""));
    cJSON_Delete(reply);
    follow_match(script);
}

static const struct action actions[] = {
    {.word = "list",
     .run = run_ask,
     .print = print_list,
     .list = "matches",
     .fields = "match game variant white black status ply watchers clock",
     .text = N_("Lists open and running matches, the newest first."),
     .has_pages = true},
    {.word = "who",
     .run = run_ask,
     .print = print_list,
     .list = "players",
     .fields = "name bot rating rating_game playing",
     .text = N_("Lists the connected players."),
     .has_pages = true},
    {.word = "top",
     .most = 1,
     .run = run_ask,
     .print = print_list,
     .list = "players",
     .fields = "game variant rank name bot rating deviation matches",
     .text = N_("Lists the best players of a game, a variant, or all games.")},
    {.word = "history",
     .most = 1,
     .run = run_history,
     .print = print_list,
     .list = "matches",
     .fields = "match date game variant white black result reason plies white_rating black_rating",
     .text = N_("Lists the finished matches of a player, the latest first. Without NAME it lists\n"
                "your own, by your name on this machine."),
     .has_pages = true},
    {.word = "inbox",
     .as = SCRIPT_GUEST,
     .run = run_inbox,
     .fields = "match game variant color opponent ply last left",
     .text = N_("Lists the matches where it is your move, for a status line or a prompt. The exit\n"
                "status is 0 if there are any, 1 if there are none, 2 after an error. It asks by\n"
                "name, without logging in unless the server needs a join code: your opponents do\n"
                "not see you come and go. Private matches are not listed."),
     .tells = true},
    {.word = "games",
     .run = run_ask,
     .print = print_list,
     .list = "games",
     .fields = "name title default variants",
     .text = N_("Lists the games of the server.")},
    {.word = "stats",
     .run = run_ask,
     .print = print_list,
     .fields = "name value",
     .text = N_("Prints the counters of the server.")},
    {.word = "moves",
     .least = 1,
     .most = 2,
     .run = run_ask,
     .print = print_list,
     .list = "moves",
     .fields = "move",
     .text = N_("Prints the legal moves of the side to move; with SQUARE those from or onto it.")},
    {.word = "new",
     .least = 1,
     .most = 1,
     .as = SCRIPT_NAMED,
     .run = run_new,
     .print = print_match,
     .text = N_("Opens a match and prints its id. The match goes on after the program has ended:\n"
                "`ludus move` plays in it, `ludus --name NAME` shows it.")},
    {.word = "move",
     .least = 2,
     .most = 2,
     .as = SCRIPT_NAMED,
     .run = run_move,
     .text = N_("Plays a move in one of your matches. Prints nothing on success.")},
    {.word = "draw",
     .least = 1,
     .most = 1,
     .as = SCRIPT_NAMED,
     .run = run_draw,
     .print = print_offer,
     .text =
         N_("Offers a draw in one of your matches, or accepts one. Prints `offered` or `agreed`.\n"
            "Clobber has no draws.")},
    {.word = "undo",
     .least = 1,
     .most = 1,
     .as = SCRIPT_NAMED,
     .run = run_move,
     .print = print_offer,
     .text =
         N_("Asks to take back your last move in one of your matches, or accepts that the other\n"
            "side takes one back. Prints `offered` or `agreed`.")},
    {.word = "resign",
     .least = 1,
     .most = 1,
     .as = SCRIPT_NAMED,
     .run = run_move,
     .text = N_("Gives up one of your matches. Prints nothing on success.")},
    {.word = "say",
     .least = 2,
     .most = -1,
     .run = run_say,
     .text = N_(
         "Sends a line of chat: from a player to the players, from others to those who watch.\n"
         "A TEXT that begins with to=watchers goes to those from a player, too. Write -- before\n"
         "a TEXT with words that begin with a dash.")},
    {.word = "state",
     .least = 1,
     .most = 1,
     .run = run_ask,
     .print = print_state,
     .text = N_("Prints a match. The fields of --plain are"),
     .plain = STATE_FIELDS},
    {.word = "watch",
     .least = 1,
     .most = 1,
     .run = run_watch,
     .text = N_("Prints each state of a match and its chat until the match is over. With lobby\n"
                "it prints matches that are opened, started and over until it is interrupted.\n"
                "The fields of --plain are"),
     .plain = STATE_FIELDS,
     .lobby = LOBBY_FIELDS},
    {.word = "display",
     .least = 1,
     .most = -1,
     .as = SCRIPT_NAMED,
     .run = run_display,
     .print = print_display,
     .text =
         N_("Shows your name to others in your own letters, beside the one that they type: up to\n"
            "32 letters of one script, digits, blanks, and . - '. Prints it as the server has it.\n"
            "An empty TEXT takes it away.")},
    {.word = "device",
     .as = SCRIPT_NAMED,
     .run = run_ask,
     .print = print_device,
     .text = N_(
         "Makes a code by which a browser or `ludus --device` on another device plays under your\n"
         "name, once and for five minutes. Prints the address of the page, as a QR code, too, on\n"
         "a terminal with colours. That device then has a token of its own.")},
    {.word = "record",
     .least = 1,
     .most = 1,
     .run = run_ask,
     .print = print_record,
     .text = N_("Prints the record of a match: the server's JSON in one line, or PGN.")},
};

static const struct action *find_action(const char *word)
{
    const struct action *action = actions;

    while (strcmp(action->word, word) != 0)
        action++;
    return action;
}

/* Refuses a mistyped `lobby`, which is too short for the id of a match with letters. */
static bool check_lobby(const char *word, int *status)
{
    struct meant_word meant;

    meant_begin(&meant, word);
    meant_try(&meant, "lobby");
    return meant.word == NULL || meant.distance == 0 ||
           args_refuse(status, "watch: '%s' is no match (did you mean lobby?)", word);
}

enum { PACE_MAX_S = 3600 };

/* Reads --pace, if it is given. */
static bool read_pace(struct script *script, int *status)
{
    const char *text = script->line.options.pace;
    char *end;

    if (text == NULL)
        return true;
    double pace_s = strtod(text, &end);
    if (end == text || *end != '\0' || !(pace_s >= 0 && pace_s <= PACE_MAX_S))
        return args_refuse(status, "--pace: '%.40s' is not a number of seconds from 0 to %d", text,
                           PACE_MAX_S);
    script->pace_ms = (int)(pace_s * 1000);
    return true;
}

static bool check_together(const struct options *options, int *status)
{
    if (options->times && !options->pgn)
        return args_refuse(status, "--times: only with --pgn");
    if (options->all && options->limit > 0)
        return args_refuse(status, "--all, --limit: only one of them");
    if (options->json && options->plain)
        return args_refuse(status, "--json, --plain: only one of them");
    if (options->json && options->pgn)
        return args_refuse(status, "--json, --pgn: only one of them");
    return args_check_seats(options, status);
}

static void write_help(const struct action *action, char help[HELP_MAX])
{
    int used = snprintf(help, HELP_MAX, "%s", _(action->text));

    if (action->fields != NULL)
        used += snprintf(help + used, HELP_MAX - (size_t)used,
                         _("\n\nColumns:\n  %s\n"
                           "In a pipe: tab-separated, no header, - for empty."),
                         action->fields);
    if (action->plain != NULL)
        used += snprintf(help + used, HELP_MAX - (size_t)used, "\n  %s", action->plain);
    if (action->lobby != NULL)
        snprintf(help + used, HELP_MAX - (size_t)used,
                 _("\nthose of the lobby, always with one tab between them, are\n  %s"),
                 action->lobby);
}

int script_main(const struct usage_command *command, int argc, char *argv[])
{
    const struct action *action = find_action(command->word);
    char help[HELP_MAX];
    struct script script = {
        .line = {.command = command, .text = help, .least = action->least, .most = action->most}};
    int status;

    write_help(action, help);
    if (!args_read_line(&script.line, argc, argv, &status) ||
        !check_together(&script.line.options, &status) ||
        (action->most >= 0 && !args_check_blanks(&script.line, &status)) ||
        !read_pace(&script, &status) ||
        (action->run == run_watch && !check_lobby(script.line.words[0], &status)))
        return status;
    if (script_begin(&script, action->as))
        action->run(&script, action);
    status = script_end(&script);
    if (action->tells)
        return status != 0 ? EXIT_USAGE : script.found == 0;
    return status;
}
