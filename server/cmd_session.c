/* Commands about the connection itself and the server as a whole. */
#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "announce.h"
#include "command.h"
#include "log.h"
#include "pace.h"
#include "referee.h"
#include "wire_event.h"

static bool is_house_name(const char *name)
{
    return strncmp(name, "bot:", 4) == 0;
}

/* Checks the join code, where one is needed and was not given yet. Who gave wrong ones has to wait
 * before the next is looked at. */
static enum status check_code(struct request *request)
{
    const char *code = arguments_option(&request->arguments, "code");
    struct origin *origin = request->session->origin;
    int64_t now_ms = request->server->now_ms;

    if (request->session->admitted)
        return STATUS_OK;
    if (code == NULL)
        return STATUS_CODE_NEEDED;
    int64_t wait_ms = origin != NULL ? origin_code_wait_ms(origin, now_ms) : 0;
    if (wait_ms > 0)
        return request_too_early(request, "too many wrong codes", wait_ms);
    request->session->admitted = secret_equal(request->server->code, code);
    if (request->session->admitted)
        return STATUS_OK;
    if (origin != NULL)
        origin_wrong_code(origin, now_ms);
    return STATUS_BAD_CODE;
}

static enum status reply_hello(struct request *request, const struct player *player)
{
    request->session->admitted = true; /* house bots need no code */
    const char *token = player->kind == PLAYER_NAMED ? request->session->token : NULL;
    request_ok(request, (struct ok){.name = player->name, .token = token});
    return STATUS_OK;
}

/* Whether he sits in a match that is not over: to be challenged binds nobody. */
static bool is_seated(const struct player *player)
{
    const struct seat *seat;

    TAILQ_FOREACH (seat, &player->seats, link)
        if (seat->joined && seat->table->match.status != MATCH_OVER)
            return true;
    return false;
}

/* The session's player has shown his token, or was given it. */
static void keep_token(struct request *request, const char *token)
{
    snprintf(request->session->token, sizeof request->session->token, "%s", token);
}

/* The token and the code that came with it are not for the log. */
static void log_hello(struct request *request, const struct player *player)
{
    const char *client = arguments_option(&request->arguments, "client");

    turn_log(request->server, "event=hello peer=%s bot=%s client=%s", player->name,
             player->bot ? "yes" : "no", log_quote(client != NULL ? client : "").text);
}

/* The guest of this session goes on as a player who was here before. */
static enum status come_back(struct request *request, struct player *player, bool bot)
{
    if (request->player->unfinished > 0 || is_seated(request->player))
        return request_fail(request, STATUS_NOT_ALLOWED,
                            "%s has matches here: come back on a new connection",
                            request->player->name);
    struct server *server = request->server;
    struct player *guest = request->player;
    turn_end_before(server);                      /* it could not be undone */
    bool was_asked = !TAILQ_EMPTY(&guest->seats); /* else the guest is forgotten with the session */
    bool was_away = player->session == NULL, newly_bot = bot && !player->bot;
    player->bot = player->bot || bot;
    log_hello(request, player);
    reply_hello(request, player);
    turn_answered(server);
    session_become(request->session, player);
    if (was_away)
        announce_presence(request->server, player);
    referee_here(request->server, player);
    announce_welcome(request->session);
    if (newly_bot)
        turn_touch_player(server, player); /* the store learns of it when it can */
    if (was_asked)
        referee_gone(server, guest); /* refuses */
    return STATUS_OK;
}

/* A house bot gets in by its secret alone. To all others the name says nothing without the code. */
static enum status hello_house(struct request *request, const char *name, const char *token)
{
    struct player *player = players_find(&request->server->players, name);

    if (player != NULL && token != NULL &&
        house_admit(&request->server->house, name + strlen("bot:"), token)) {
        session_trust(request->session);
        return come_back(request, player, true);
    }
    enum status status = check_code(request);
    if (status != STATUS_OK)
        return status;
    return token != NULL
               ? STATUS_BAD_TOKEN
               : request_fail(request, STATUS_BAD_NAME, "names with bot: are for the house bots");
}

static enum status hello_again(struct request *request, const char *name, const char *token)
{
    const struct player *player = request->player;

    if (strcasecmp(player->name, name) != 0)
        return request_fail(request, STATUS_NOT_ALLOWED, "you are %s on this connection",
                            player->name);
    if (token != NULL && !player_token_matches(player, token))
        return STATUS_BAD_TOKEN;
    return reply_hello(request, player);
}

static enum status take_name(struct request *request, const char *name, bool bot)
{
    struct server *server = request->server;
    char token[TOKEN_TEXT_MAX];

    /* Who has to go now goes for names that are kept; who makes room for this one, once it is. */
    if (server->players.fresh >= server->players.named_max) {
        turn_end_before(server);
        players_trim(&server->players);
    }
    if (!players_have_room(&server->players))
        return request_fail(request, STATUS_SERVER_BUSY, "the server remembers no more names");
    int64_t wait_ms = pace_count_name(request->session);
    if (wait_ms > 0)
        return request_too_early(request, "too many new names from your address", wait_ms);
    if (!turn_touch_player(server, request->player) ||
        !player_take_name(&server->players, request->player, name, bot, token)) {
        pace_return_name(request->session);
        return STATUS_INTERNAL;
    }
    keep_token(request, token);
    request->player->seen_s = server->wall_s;
    log_hello(request, request->player);
    reply_hello(request, request->player);
    announce_presence(request->server, request->player);
    referee_here(request->server, request->player);
    return STATUS_OK;
}

static enum status run_hello(struct request *request)
{
    const char *name = request->arguments.words[0];
    const char *token = arguments_option(&request->arguments, "token");
    bool bot = false;

    if (is_house_name(name))
        return hello_house(request, name, token);
    enum status status = check_code(request);
    if (status != STATUS_OK)
        return status;
    if (!name_is_valid(name))
        return STATUS_BAD_NAME;
    if (name_is_reserved(name))
        return request_fail(request, STATUS_BAD_NAME, "%s means something else here", name);
    status = request_choice(request, "bot", "yes", "no", &bot);
    if (status != STATUS_OK)
        return status;
    if (request->player->kind != PLAYER_GUEST)
        return hello_again(request, name, token);
    struct player *player = players_find(&request->server->players, name);
    if (player == NULL && token != NULL)
        return request_fail(request, STATUS_BAD_TOKEN,
                            "nobody of that name is known here: say hello without a token");
    if (player == NULL)
        return take_name(request, name, bot);
    if (token == NULL)
        return STATUS_NAME_TAKEN;
    if (!player_token_matches(player, token))
        return STATUS_BAD_TOKEN;
    keep_token(request, token);
    return come_back(request, player, bot);
}

static enum status run_games(struct request *request)
{
    wire_games(request_begin(request));
    return STATUS_OK;
}

static enum status run_set(struct request *request)
{
    struct session *session = request->session;
    bool json = !session->text, legal = !session->no_legal;

    if (request->arguments.option_count == 0)
        return request_fail(request, STATUS_BAD_ARGUMENTS,
                            "say what to set: format=json, format=text, legal=on or legal=off");
    enum status status = request_choice(request, "format", "json", "text", &json);
    if (status == STATUS_OK)
        status = request_choice(request, "legal", "on", "off", &legal);
    if (status != STATUS_OK)
        return status;
    session_set_text(session, !json);
    session->no_legal = !legal;
    request_ok(request, (struct ok){0});
    return STATUS_OK;
}

static enum status run_ping(struct request *request)
{
    wire_pong(request_begin(request), request->message->rest);
    return STATUS_OK;
}

static enum status run_stats(struct request *request)
{
    const struct server *server = request->server;
    const struct stat_row rows[] = {
        {"uptime_s", (server->now_ms - server->started_ms) / 1000},
        {"connections", server->session_count},
        {"names", server->players.named},
        {"matches_open", server->lobby.open},
        {"matches_playing", server->lobby.playing},
        {"connections_total", (int64_t)server->counters.connections},
        {"commands_total", (int64_t)server->counters.commands},
        {"errors_total", (int64_t)server->counters.errors},
        {"moves_total", (int64_t)server->counters.moves},
        {"matches_total", (int64_t)server->counters.matches},
    };

    wire_stats(request_begin(request), rows, sizeof rows / sizeof rows[0]);
    return STATUS_OK;
}

enum { HELP_ROWS_MAX = 64 };

/* The rows of all commands. */
static size_t help_rows(struct help_row rows[HELP_ROWS_MAX])
{
    size_t count = 0;

    for (const struct command *const *family = command_families; *family != NULL; family++)
        for (const struct command *row = *family; row->verb != NULL; row++) {
            assert(count < HELP_ROWS_MAX);
            rows[count++] = (struct help_row){row->verb, row->usage, row->summary};
        }
    return count;
}

static enum status run_help(struct request *request)
{
    struct help_row rows[HELP_ROWS_MAX];

    if (request->arguments.count == 0) {
        size_t count = help_rows(rows);
        wire_help(request_begin(request), rows, count);
        return STATUS_OK;
    }
    const struct command *command = command_find(request->arguments.words[0]);
    if (command == NULL)
        return request_fail(request, STATUS_UNKNOWN_COMMAND, "there is no command '%.24s'",
                            request->arguments.words[0]);
    rows[0] = (struct help_row){command->verb, command->usage, command->summary};
    wire_help(request_begin(request), rows, 1);
    return STATUS_OK;
}

static enum status run_quit(struct request *request)
{
    wire_bye(request_begin(request), "quit");
    request_reply(request);
    session_end(request->session);
    return STATUS_OK;
}

const struct command session_commands[] = {
    {"hello", "NAME [token=T] [code=C] [bot=yes] [client=TEXT]",
     "takes a name, or comes back to it with its token", "token code bot client", 1, 1, true, true,
     5, run_hello},
    {"games", "", "lists the games and their variants", "", 0, 0, false, false, 2, run_games},
    {"set", "[format=json|text] [legal=on|off]",
     "how you are answered: JSON or text, with or without the legal moves", "format legal", 0, 0,
     false, false, 1, run_set},
    {"ping", "[TEXT]", "is answered by pong", NULL, 0, 1, false, false, 1, run_ping},
    {"stats", "", "counts connections, matches and more", "", 0, 0, false, false, 1, run_stats},
    {"help", "[VERB]", "explains the commands", "", 0, 1, false, false, 5, run_help},
    {"quit", "", "closes the connection", "", 0, 0, true, false, 1, run_quit},
    {0},
};
