/* Commands about the connection itself and the server as a whole. */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "common/xmalloc.h"
#include "server/base/log.h"
#include "server/play/presence.h"
#include "server/play/rate_limit.h"
#include "server/play/request.h"

enum { LOG_TEXT_MAX = 512 };

/* Copies a code that fits, with ASCII letters in lower case. */
static void fold_code(char folded[CODE_TEXT_MAX], const char *code)
{
    int i = 0;

    for (; code[i] != '\0'; i++)
        folded[i] = (char)(code[i] >= 'A' && code[i] <= 'Z' ? code[i] - 'A' + 'a' : code[i]);
    folded[i] = '\0';
}

/* Whether the code is right; people may type it in either case. */
static bool is_code(const struct server *server, const char *given)
{
    char code[CODE_TEXT_MAX], typed[CODE_TEXT_MAX];

    if (strlen(given) >= CODE_TEXT_MAX)
        return false;
    fold_code(code, server->code);
    fold_code(typed, given);
    return secret_equal(code, typed);
}

/* Checks the join code, if one is needed and has not been given. After wrong codes an address waits
 * before the next one is looked at. */
static enum status check_code(struct request *request)
{
    const char *code = arguments_option(&request->arguments, "code");
    struct origin *origin = request->session->origin;
    int64_t now_ms = request->server->now_ms;

    if (session_is_admitted(request->session))
        return STATUS_OK;
    if (code == NULL)
        return STATUS_CODE_NEEDED;
    int64_t wait_ms = origin != NULL ? origin_code_wait_ms(origin, now_ms) : 0;
    if (wait_ms > 0)
        return request_too_early(request, "too many wrong join codes", wait_ms);
    if (is_code(request->server, code)) {
        session_change(request->session, SESSION_ADMITTED);
        return STATUS_OK;
    }
    if (origin != NULL)
        origin_wrong_code(origin, now_ms);
    return STATUS_BAD_CODE;
}

static enum status reply_hello(struct request *request, const char *name, bool has_token)
{
    session_change(request->session, SESSION_ADMITTED); /* house bots need no code */
    return request_ok(
        request, (struct ok){.name = name, .token = has_token ? request->session->token : NULL});
}

/* Whether the player has joined a match that is not over. A challenge binds nobody. */
static bool is_seated(const struct player *player)
{
    const struct seat *seat;

    TAILQ_FOREACH (seat, &player->seats, link)
        if (seat->joined && seat->table->match.status != MATCH_OVER && seat->table->broken == NULL)
            return true;
    return false;
}

/* Remembers the token that the session has shown or was given. */
static void keep_token(struct request *request, const char *token)
{
    snprintf(request->session->token, sizeof request->session->token, "%s", token);
}

/* Writes the line for the log, without token and code. */
static void log_hello(const struct request *request, const char *name, bool bot, char text[],
                      size_t size)
{
    const char *client = arguments_option(&request->arguments, "client");

    snprintf(text, size, "event=hello peer=%s bot=%s client=%s", name, bot ? "yes" : "no",
             log_quote(client != NULL ? client : "").text);
}

/* Whether the player is in a unit: then the request has to wait for it. */
static bool is_locked(struct request *request, struct player *player)
{
    if (!lock_is_free_for(&player->lock, &request->session->waiter))
        request->blocked = &player->lock;
    return request->blocked != NULL;
}

/* A guest with matches cannot become somebody else. */
static enum status may_come_back(struct request *request)
{
    if (request->player->unfinished == 0 && !is_seated(request->player))
        return STATUS_OK;
    return request_fail(request, STATUS_NOT_ALLOWED,
                        "%s has matches here: come back on a new connection",
                        request->player->name);
}

/* Has the guest of this session go on as a player who was here before, under this login. */
static enum status come_back(struct request *request, struct player *player, int login, bool bot)
{
    char text[LOG_TEXT_MAX];
    bool newly_bot = bot && !player->bot;

    if (is_locked(request, player))
        return STATUS_OK;
    enum status status = may_come_back(request);
    if (status != STATUS_OK)
        return status;
    player->bot = player->bot || bot;
    if (player->login < login)
        player->login = login;
    log_hello(request, player->name, player->bot, text, sizeof text);
    if (rate_limit_log(request->server, request->session->origin, LOG_HELLO))
        log_line(LOG_INFO, "%s", text);
    reply_hello(request, player->name, player->kind == PLAYER_NAMED);
    request_send(request);
    presence_come_back(request->session, player);
    if (newly_bot)
        presence_note_seen(request->server, player); /* the keeper learns of it when it can */
    return STATUS_OK;
}

/* Admits a house bot by its secret alone. Anyone else learns nothing without the join code. */
static enum status hello_house(struct request *request, const char *name, const char *token)
{
    struct player *player = players_find(&request->server->players, name);

    if (player != NULL && token != NULL && is_locked(request, player))
        return STATUS_OK;
    if (player != NULL && token != NULL &&
        house_bots_admit(&request->server->house, name + strlen("bot:"), token)) {
        session_trust(request->session);
        return come_back(request, player, player->login, true);
    }
    enum status status = check_code(request);
    if (status != STATUS_OK)
        return status;
    return token != NULL ? STATUS_BAD_TOKEN
                         : request_fail(request, STATUS_BAD_NAME,
                                        "invalid name: names with bot: belong to house bots");
}

static enum status hello_again(struct request *request, const char *name, const char *token)
{
    const struct player *player = request->player;

    if (strcasecmp(player->name, name) != 0)
        return request_fail(request, STATUS_NOT_ALLOWED, "you are already %s on this connection",
                            player->name);
    if (token != NULL && !player_token_matches(player, token))
        return STATUS_BAD_TOKEN;
    return reply_hello(request, player->name, player->kind == PLAYER_NAMED);
}

/* Gives the guest of this session a new name. */
static enum status take_name(struct request *request, const char *name, bool bot)
{
    struct server *server = request->server;
    struct player *taker = players_find_naming(&server->players, name);
    char token[TOKEN_TEXT_MAX], text[LOG_TEXT_MAX];

    /* The name is free again if that is not kept. */
    if ((taker != NULL && is_locked(request, taker)) || is_locked(request, request->player))
        return STATUS_OK;
    if (!request_is_shared(request) && !players_have_room(&server->players))
        return request_fail(request, STATUS_SERVER_BUSY,
                            "too many names on this server: try again later");
    int64_t wait_ms = rate_limit_name(request->session);
    if (wait_ms > 0)
        return request_too_early(request, "too many new names from your address", wait_ms);
    struct identity identity = player_named(request->player, name, bot, token);
    identity.seen_s = server->wall_s;
    unit_identify(request_unit(request), request->player, &identity);
    log_hello(request, name, bot, text, sizeof text);
    request->unit->log = xstrdup(text);
    keep_token(request, token);
    return reply_hello(request, name, true);
}

static enum status unknown_name(struct request *request)
{
    return request_fail(request, STATUS_BAD_TOKEN, "unknown name: say hello without a token");
}

/* Comes back to a name that any server may know: the keeper decides. */
static enum status claim_name(struct request *request, const char *name, const char *token,
                              bool bot)
{
    struct question question = {.kind = LOOK_CLAIM};

    enum status status = may_come_back(request);
    if (status != STATUS_OK)
        return status;
    if (strlen(token) >= sizeof question.token)
        return STATUS_BAD_TOKEN;
    snprintf(question.key, sizeof question.key, "%s", name);
    snprintf(question.token, sizeof question.token, "%s", token);
    const struct look_up *found = request_look_up(request, &question);
    if (found == NULL)
        return STATUS_OK;
    if (found->state == LOOK_NOTHING)
        return unknown_name(request);
    if (found->state != LOOK_FOUND)
        return found->state == LOOK_REFUSED ? STATUS_BAD_TOKEN : STATUS_INTERNAL;
    struct player *player = players_find(&request->server->players, name);
    if (player == NULL)
        return STATUS_INTERNAL; /* forgotten since: too many came at once */
    if (player->login > found->login)
        return request_fail(request, STATUS_NOT_ALLOWED,
                            "%s has come back on another connection since", player->name);
    keep_token(request, token);
    return come_back(request, player, found->login, bot);
}

/* hello where names are known to many servers. */
static enum status hello_shared(struct request *request, const char *name, const char *token,
                                bool bot)
{
    struct player *player;

    if (token != NULL)
        return claim_name(request, name, token, bot);
    enum status status = request_find_player(request, name, &player);
    if (status != STATUS_OK || request->waits_for_answer)
        return status;
    return player != NULL ? STATUS_NAME_TAKEN : take_name(request, name, bot);
}

static enum status run_hello(struct request *request)
{
    const char *name = request->arguments.words[0];
    const char *token = arguments_option(&request->arguments, "token");
    bool bot = false;

    if (strncmp(name, "bot:", 4) == 0)
        return hello_house(request, name, token);
    enum status status = check_code(request);
    if (status != STATUS_OK)
        return status;
    if (!name_is_valid(name))
        return STATUS_BAD_NAME;
    if (name_is_reserved(name))
        return request_fail(request, STATUS_BAD_NAME, "%s: reserved name", name);
    status = request_choice(request, "bot", "yes", "no", &bot);
    if (status != STATUS_OK)
        return status;
    if (request->player->kind != PLAYER_GUEST)
        return hello_again(request, name, token);
    if (request_is_shared(request))
        return hello_shared(request, name, token, bot);
    struct player *player = players_find(&request->server->players, name);
    if (player == NULL && token != NULL)
        return unknown_name(request);
    if (player == NULL)
        return take_name(request, name, bot);
    if (token == NULL)
        return STATUS_NAME_TAKEN;
    if (!player_token_matches(player, token))
        return STATUS_BAD_TOKEN;
    keep_token(request, token);
    return come_back(request, player, player->login, bot);
}

static enum status run_games(struct request *request)
{
    wire_games(request_begin(request));
    return STATUS_OK;
}

static enum status run_set(struct request *request)
{
    struct session *session = request->session;
    bool json = !session->text, legal = !session->no_legal, challenges = !session->no_challenges;

    if (request->arguments.option_count == 0)
        return request_fail(
            request, STATUS_BAD_ARGUMENTS,
            "nothing to set: write format=json or text, legal=on or off, challenges=on or off");
    enum status status = request_choice(request, "format", "json", "text", &json);
    if (status == STATUS_OK)
        status = request_choice(request, "legal", "on", "off", &legal);
    if (status == STATUS_OK)
        status = request_choice(request, "challenges", "on", "off", &challenges);
    if (status != STATUS_OK)
        return status;
    session_set_text(session, !json);
    session->no_legal = !legal;
    session->no_challenges = !challenges;
    return request_ok(request, (struct ok){0});
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
        {"connections_total", (int64_t)server->tally.connections},
        {"commands_total", (int64_t)server->tally.commands},
        {"errors_total", (int64_t)tally_errors(&server->tally)},
        {"moves_total", (int64_t)tally_sum(server->tally.moves, TALLY_GAMES_MAX)},
        {"matches_total", (int64_t)tally_sum(server->tally.finished, TALLY_GAMES_MAX)},
        {"matches_broken", server->lobby.broken},
        {"node", server->nodes.own}, /* from here on only where others share the lobby */
        {"nodes", server->nodes.count},
        {"engine_ms", server->engine_us / 1000},
    };
    size_t count = sizeof rows / sizeof rows[0];

    wire_stats(request_begin(request), rows, server->nodes.own != 0 ? count : count - 3);
    return STATUS_OK;
}

static enum status run_quit(struct request *request)
{
    wire_bye(request_begin(request), "quit");
    request_send(request);
    presence_end(request->session);
    return STATUS_OK;
}

const struct command session_commands[] = {
    {.verb = "hello",
     .usage = "NAME [token=T] [code=C] [bot=yes] [client=TEXT]",
     .summary = "takes a name, or comes back to it with its token",
     .options = "token code bot client",
     .min = 1,
     .max = 1,
     .before_code = true,
     .cost = COST_OPENS,
     .run = run_hello},
    {.verb = "games",
     .summary = "lists the games and their variants",
     .cost = COST_BOARD,
     .run = run_games},
    {.verb = "set",
     .usage = "[format=json|text] [legal=on|off] [challenges=on|off]",
     .summary =
         "sets the format of answers, with or without the legal moves, and whether you can be "
         "challenged",
     .options = "format legal challenges",
     .run = run_set},
    {.verb = "ping",
     .usage = "[TEXT]",
     .summary = "answers with pong",
     .max = 1,
     .free_text = true,
     .run = run_ping},
    {.verb = "stats",
     .summary = "shows counters of connections, matches and more",
     .run = run_stats},
    {.verb = "quit", .summary = "closes the connection", .before_code = true, .run = run_quit},
    {0},
};
