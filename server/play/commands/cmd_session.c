/* Commands about the connection itself and the server as a whole. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/move.h"
#include "common/text.h"
#include "common/xmalloc.h"
#include "server/base/log.h"
#include "server/play/announce.h"
#include "server/play/dispatch.h"
#include "server/play/due.h"
#include "server/play/presence.h"
#include "server/play/rate_limit.h"
#include "server/play/settle.h"

enum {
    LOG_TEXT_MAX = 512,
    DEVICE_MS = DEVICE_S * 1000,
    NAMES_A_ROW = 20, /* that are compared are as much work as a row that is sent */
    TOKEN_BYTES = 200 /* about what a token adds to a store */
};

/* Copies a code that fits, with ASCII letters in lower case. */
static void fold_code(char folded[CODE_TEXT_MAX], const char *code)
{
    int i = 0;

    for (; code[i] != '\0'; i++)
        folded[i] = (char)(code[i] >= 'A' && code[i] <= 'Z' ? code[i] - 'A' + 'a' : code[i]);
    folded[i] = '\0';
}

/* Returns whether the code is right; people may type it in either case. */
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

    if (session_is_admitted(request->session))
        return STATUS_OK;
    if (code == NULL)
        return STATUS_CODE_NEEDED;
    enum status status = request_may_try_code(request, "too many wrong join codes");
    if (status != STATUS_OK)
        return status;
    if (is_code(request->server, code)) {
        session_change(request->session, SESSION_ADMITTED);
        return STATUS_OK;
    }
    request_wrong_code(request);
    return STATUS_BAD_CODE;
}

/* Writes the reply to somebody who has this number of matches, with a token unless it is "". They
 * are held to max=. */
static enum status reply_hello(struct request *request, const char *name, const char *token,
                               int matches)
{
    const struct player *player = players_find(&request->server->players, name);

    session_change(request->session, SESSION_ADMITTED); /* house bots need no code */
    request_matches_max(request, &request->session->matches_max);
    return request_ok(request,
                      (struct ok){.name = name,
                                  .display = player != NULL ? player_display(player) : NULL,
                                  .token = token[0] != '\0' ? token : NULL,
                                  .matches = matches > WELCOME_MATCHES_MAX ? matches : 0});
}

/* Remembers the token that the session has shown or was given. */
static void keep_token(struct request *request, const char *token, int number)
{
    struct session *session = request->session;

    snprintf(session->token, sizeof session->token, "%s", token);
    session->window.token = number;
}

/* Writes the line for the log, without token and code. */
static void log_hello(const struct request *request, const char *name, bool bot, char text[],
                      size_t size)
{
    const char *client = arguments_option(&request->arguments, "client");

    snprintf(text, size, "event=hello peer=%s bot=%s client=%s", name, bot ? "yes" : "no",
             log_quote(client != NULL ? client : "").text);
}

/* A guest with matches cannot become somebody else; a challenge binds nobody. */
static enum status may_come_back(struct request *request)
{
    const struct player *player = request->player;
    const struct seat *seat;
    bool plays = player->unfinished > 0;

    TAILQ_FOREACH (seat, &player->seats, link)
        plays |=
            seat->joined && seat->table->match.status != MATCH_OVER && seat->table->broken == NULL;
    if (!plays)
        return STATUS_OK;
    return request_fail(request, STATUS_NOT_ALLOWED,
                        "%s has matches here: come back on a new connection", player->name);
}

/* Brings the guest of this session back as a player who was here before, under this login. */
static enum status come_back(struct request *request, struct player *player, int login, bool bot,
                             bool only)
{
    char text[LOG_TEXT_MAX];
    bool newly_bot = bot && !player->bot;

    enum status status = may_come_back(request);
    if (status != STATUS_OK)
        return status;
    player_set(player, player->bot || bot, player->here);
    if (player->login < login)
        player->login = login;
    log_hello(request, player->name, player->bot, text, sizeof text);
    if (rate_limit_log(request->server, request->session->origin, LOG_HELLO))
        log_line(LOG_INFO, "%s", text);
    reply_hello(request, player->name, request->session->token,
                player->kind != PLAYER_HOUSE ? announce_welcome_count(player) : 0);
    request_send(request);
    presence_come_back(request->session, player, only);
    if (newly_bot)
        presence_note_seen(request->server, player); /* the keeper learns of it when it can */
    return STATUS_OK;
}

/* Admits a house bot by its secret alone. Anyone else learns nothing without the join code. */
static enum status hello_house(struct request *request, const char *name, const char *token)
{
    struct player *player = players_find(&request->server->players, name);

    if (player != NULL && token != NULL &&
        house_bots_admit(&request->server->house, name + strlen("bot:"), token)) {
        session_trust(request->session);
        return come_back(request, player, player->login, true, true);
    }
    enum status status = check_code(request);
    if (status != STATUS_OK)
        return status;
    return token != NULL ? STATUS_BAD_TOKEN
                         : request_fail(request, STATUS_BAD_NAME,
                                        "invalid name: names with bot: belong to house bots");
}

/* The tokens of a player who has just been given their first one. */
static struct tokens *first_token(const struct request *request, const char *token)
{
    const struct player nobody = {.kind = PLAYER_GUEST};
    int number;

    return tokens_with(&nobody, token, arguments_option(&request->arguments, "client"),
                       request->server->wall_s, &number);
}

/* Whether somebody has a display name that a name, which nobody has, looks like. */
static bool is_displayed(const struct request *request, const char *name)
{
    char looks[LOOKS_TEXT_MAX];

    if (request_is_shared(request))
        return request->found != NULL && request->found->state == LOOK_FOUND;
    name_looks(name, looks);
    return players_find_like(&request->server->players, request->player, looks, false) != NULL;
}

/* Gives the guest of this session a new name. */
static enum status take_name(struct request *request, const char *name, bool bot, bool only)
{
    struct server *server = request->server;
    char token[TOKEN_TEXT_MAX], text[LOG_TEXT_MAX];

    if (!request_is_shared(request) && !players_have_room(&server->players))
        return request_fail(request, STATUS_SERVER_BUSY,
                            "too many names on this server: try again later");
    int64_t wait_ms = rate_limit_take(request->session, RATE_NAME, NULL);
    if (wait_ms > 0)
        return request_too_early(request, "too many new names from your address", wait_ms);
    struct identity identity = player_named(request->player, name, bot, token);
    identity.seen_s = server->wall_s;
    struct unit *unit = request_unit(request);
    unit_identify(unit, request->player, &identity);
    unit->tokens = first_token(request, token);
    memcpy(unit->token, token, sizeof unit->token);
    unit->alone = only;
    log_hello(request, name, bot, text, sizeof text);
    unit->log = xstrdup(text);
    return reply_hello(request, name, token, 0);
}

static enum status unknown_name(struct request *request)
{
    return request_fail(request, STATUS_BAD_TOKEN, "unknown name: say hello without a token");
}

/* Comes back to a name that any server may know: the keeper has decided. */
static enum status claim_name(struct request *request, const char *name, const char *token,
                              bool bot, bool only)
{
    const struct look_up *found = request->found;

    if (found->state == LOOK_NOTHING)
        return unknown_name(request);
    if (found->state == LOOK_REFUSED)
        return STATUS_BAD_TOKEN;
    struct player *player = players_find(&request->server->players, name);
    if (player == NULL)
        return STATUS_INTERNAL; /* forgotten since: too many came at once */
    if (player->login > found->login && !player_is_connected(player))
        return request_fail(request, STATUS_NOT_ALLOWED,
                            "%s has come back on another connection since", player->name);
    keep_token(request, token, found->token);
    due_forgive_waited(request->server, player, request->session);
    due_forgive_cut(request->server, player, found->cut_ms);
    if (found->cut_ms > 0 && request->server->keeper->kind->forgave != NULL)
        request->server->keeper->kind->forgave(request->server->keeper, player);
    return come_back(request, player, found->login, bot, only);
}

/* Asks the keeper who has the name, where many servers know names, or claims it with its token. */
static enum status ask_for_name(struct request *request, const char *name, const char *token,
                                bool only)
{
    struct question *question = &request->question;

    if (token == NULL &&
        (players_find(&request->server->players, name) != NULL || strlen(name) >= NAME_TEXT_MAX))
        return STATUS_OK;
    *question = (struct question){.kind = token != NULL ? LOOK_CLAIM : LOOK_FREE,
                                  .only = token != NULL && only};
    snprintf(question->key, sizeof question->key, "%s", name);
    request->asks = true;
    if (token == NULL)
        return STATUS_OK;
    enum status status = may_come_back(request);
    if (status == STATUS_OK && strlen(token) >= sizeof question->token)
        status = STATUS_BAD_TOKEN;
    snprintf(question->token, sizeof question->token, "%s", token);
    return status;
}

/* Whether others than this server know who has the name: of a guest only the server knows it at
 * which they are. */
static bool is_shared_name(const struct request *request, const struct player *player)
{
    bool is_guest = player != NULL && player->kind == PLAYER_GUEST && player_is_connected(player);

    return request_is_shared(request) && !is_guest;
}

/* The lock of whoever has the name, or is about to take it or one that looks so, or else of the
 * guest who wants it. NULL where the name is taken. */
static struct lock *name_lock(const struct request *request, const char *name, const char *token)
{
    struct player *player = players_find(&request->server->players, name);

    if (player != NULL && token == NULL)
        return NULL;
    if (player == NULL)
        player = players_find_naming(&request->server->players, name);
    if (player == NULL && token == NULL) {
        char looks[LOOKS_TEXT_MAX];
        name_looks(name, looks);
        player = players_find_naming_like(&request->server->players, request->player, looks);
    }
    return player != NULL ? &player->lock : &request->player->lock;
}

/* What a device code has given is kept, or not: the line that waits for the lock runs again. */
static void on_device_kept(void *context, const struct unit *unit)
{
    struct player *player = unit->player;
    struct device *device = player->device;

    if (device == NULL || device->state != DEVICE_KEEPING)
        return;
    device->state = unit->kept == KEPT         ? DEVICE_KEPT
                    : unit->kept == KEPT_STALE ? DEVICE_STALE
                                               : DEVICE_FAILED;
    if (device->taker != 0)
        return;
    int token = device->state == DEVICE_KEPT ? device->number : 0;
    player_drop_device(player);
    if (token != 0)
        presence_end_token(context, player, token);
}

/* Gives this session a token of its own for the name, once it is kept. */
static void take_device(struct request *request, struct player *player)
{
    struct device *device = player->device;
    struct unit *unit = unit_new();

    if (keeper_has_more(request->server->keeper))
        memcpy(unit->device, device->code, sizeof unit->device);
    device->code[0] = '\0';
    device->taker = request->session->number;
    request->session->device_of = player->id;
    random_hex(device->token, (TOKEN_TEXT_MAX - 1) / 2);
    struct tokens *tokens =
        tokens_with(player, device->token, arguments_option(&request->arguments, "client"),
                    request->server->wall_s, &device->number);
    if (player->kind == PLAYER_GUEST) { /* whom no keeper knows */
        device->state = DEVICE_KEPT;
        player_set_tokens(player, tokens);
        unit_free(unit, &request->server->lobby);
        return;
    }
    device->state = DEVICE_KEEPING;
    struct identity identity = player_identity(player);
    unit_identify(unit, player, &identity);
    unit->tokens = tokens;
    unit->ended = on_device_kept;
    unit->context = request->server;
    rate_limit_keep(request->session, TOKEN_BYTES);
    settle_add(request->server, unit);
}

static bool has_taken_device(const struct request *request, const struct player *player)
{
    return player != NULL && player->device != NULL && player->device->state != DEVICE_OFFERED &&
           player->device->taker == request->session->number;
}

static enum status wrong_device(struct request *request)
{
    request_wrong_code(request);
    return request_fail(request, STATUS_BAD_CODE,
                        "that is no device code of %.32s, or it was used, or is too old",
                        request->arguments.words[0]);
}

/* Takes a device code that is right, unless this session can come to no name, or the player has too
 * many tokens. */
static enum status use_device(struct request *request, struct player *player)
{
    enum status status = may_come_back(request);

    if (status == STATUS_OK && player_token_count(player) >= TOKENS_MAX)
        status = request_fail(request, STATUS_LIMIT_REACHED, "%s has %d tokens already: revoke one",
                              player->name, TOKENS_MAX);
    if (status == STATUS_OK)
        take_device(request, player);
    return status;
}

/* The question that this line has put to the keeper, if it is of a kind; NULL: it has not. */
static const struct look_up *asked_before(const struct request *request, enum look_up_kind kind)
{
    const struct look_up *look_up = request->session->look_up;

    return look_up != NULL && look_up->question.kind == kind ? look_up : NULL;
}

/* Begins to ask the keeper about a player's tokens. */
static enum status ask_tokens(struct request *request, enum look_up_kind kind, const char *name,
                              const char *code)
{
    struct question *question = &request->question;

    *question = (struct question){.kind = kind};
    snprintf(question->key, sizeof question->key, "%s", name);
    snprintf(question->token, sizeof question->token, "%s", code);
    request->asks = true;
    return STATUS_OK;
}

/* As find_device(), where servers share names: reads whether the code is good and which tokens
 * there are, takes the code, and then comes in with the token that it gives. */
static enum status find_shared_device(struct request *request, struct player *player,
                                      const char *given, bool only)
{
    const char *name = request->arguments.words[0];
    const struct look_up *answer = asked_before(request, LOOK_TOKENS);
    char code[DEVICE_CODE_MAX];
    bool good = device_code_read(code, given) && strlen(name) < NAME_TEXT_MAX;

    if (has_taken_device(request, player) && player->device->state == DEVICE_STALE) {
        player_drop_device(player); /* all that was read is too old */
        session_drop_look_up(request->session);
        answer = NULL;
    }
    if (has_taken_device(request, player)) {
        request->lock = &player->lock;
        return player->device->state == DEVICE_KEPT
                   ? ask_for_name(request, name, player->device->token, only)
                   : STATUS_OK;
    }
    if (answer == NULL || answer->state == LOOK_WAITS) {
        enum status status = request_may_try_code(request, "too many wrong codes");
        return status != STATUS_OK ? status
               : good              ? ask_tokens(request, LOOK_TOKENS, name, code)
                                   : wrong_device(request);
    }
    if (answer->state == LOOK_FAILED)
        return STATUS_INTERNAL;
    if (!good || answer->state != LOOK_FOUND || !answer->code_is_good || player == NULL)
        return wrong_device(request);
    request->lock = &player->lock;
    if (!lock_is_free_for(&player->lock, &request->session->waiter))
        return STATUS_OK;
    player_offer_device(player, code, 0);
    return use_device(request, player);
}

/* Checks a device code, takes it, and waits until the token that it gives is kept. */
static enum status find_device(struct request *request, struct player *player, const char *code,
                               bool only)
{
    if (arguments_option(&request->arguments, "token") != NULL)
        return request_fail(request, STATUS_BAD_ARGUMENTS, "write token= or device=, not both");
    if (is_shared_name(request, player))
        return find_shared_device(request, player, code, only);
    if (player != NULL)
        request->lock = &player->lock;
    if (has_taken_device(request, player) ||
        (player != NULL && !lock_is_free_for(&player->lock, &request->session->waiter)))
        return STATUS_OK;
    enum status status = request_may_try_code(request, "too many wrong codes");
    if (status != STATUS_OK)
        return status;
    if (player == NULL || !player_device_matches(player, code, request->server->now_ms))
        return wrong_device(request);
    if (player == request->player)
        return request_fail(request, STATUS_NOT_ALLOWED, "you are %s already", player->name);
    return use_device(request, player);
}

/* The token that a device code gives is kept: comes in with it. */
static enum status join_by_device(struct request *request, struct player *player, bool bot,
                                  bool only)
{
    bool taken = has_taken_device(request, player) && player->device->state == DEVICE_KEPT;

    if (!taken)
        return request_fail(request, STATUS_INTERNAL,
                            "the server could not save that; nothing has changed");
    const struct device *device = player->device;
    enum status status = STATUS_OK;
    if (is_shared_name(request, player)) {
        status = claim_name(request, request->arguments.words[0], device->token, bot, only);
    } else {
        keep_token(request, device->token, device->number);
        status = come_back(request, player, player->login, bot, only);
    }
    if (status == STATUS_OK)
        player_drop_device(player); /* else the token ends with the line */
    return status;
}

/* Who says hello under the name that they have shows a token that the keeper has to know, or is to
 * be at no other server. */
static enum status find_own_hello(struct request *request, const char *token, bool only)
{
    const struct player *own = request->player;
    const char *name = request->arguments.words[0];

    if (!request_is_shared(request) || own->kind != PLAYER_NAMED ||
        strcasecmp(own->name, name) != 0 || arguments_option(&request->arguments, "device") != NULL)
        return STATUS_OK;
    if (token == NULL)
        return only ? ask_tokens(request, LOOK_ONLY, own->name, "") : STATUS_OK;
    if (strlen(token) >= TOKEN_TEXT_MAX)
        return STATUS_BAD_TOKEN;
    ask_tokens(request, LOOK_CLAIM, own->name, token);
    request->question.only = only;
    return STATUS_OK;
}

static enum status find_hello(struct request *request)
{
    const char *name = request->arguments.words[0];
    const char *token = arguments_option(&request->arguments, "token");
    const char *device = arguments_option(&request->arguments, "device");
    struct player *player = players_find(&request->server->players, name);
    bool bot, only = false;
    int most;

    if (strncmp(name, "bot:", 4) == 0) {
        request->lock = token != NULL ? name_lock(request, name, token) : NULL;
        return STATUS_OK;
    }
    enum status status = check_code(request);
    if (status != STATUS_OK)
        return status;
    if (!name_is_valid(name))
        return STATUS_BAD_NAME;
    bool is_known = player != NULL && player_token_count(player) > 0; /* a guest, too */
    if (name_is_reserved(name) && device == NULL && !(token != NULL && is_known))
        return request_fail(request, STATUS_BAD_NAME, "%s: reserved name", name);
    status = request_choice(request, "bot", "yes", "no", &bot);
    if (status == STATUS_OK)
        status = request_choice(request, "only", "yes", "no", &only);
    if (status == STATUS_OK)
        status = request_matches_max(request, &most);
    if (status != STATUS_OK)
        return status;
    if (request->player->kind != PLAYER_GUEST)
        return find_own_hello(request, token, only);
    if (device != NULL)
        return find_device(request, player, device, only);
    request->lock = name_lock(request, name, token);
    return is_shared_name(request, player) ? ask_for_name(request, name, token, only) : STATUS_OK;
}

/* The number of the own token that this text is; 0: it is none. */
static int number_of_own(const struct request *request, const char *token)
{
    if (request->found == NULL)
        return player_find_token(request->player, token);
    return request->found->state == LOOK_FOUND ? request->found->token : 0;
}

static enum status run_hello(struct request *request)
{
    const char *name = request->arguments.words[0];
    const char *token = arguments_option(&request->arguments, "token");
    struct player *player = players_find(&request->server->players, name);
    const struct player *own = request->player;
    bool bot = false, only = false;

    if (strncmp(name, "bot:", 4) == 0)
        return hello_house(request, name, token);
    if (own->kind != PLAYER_GUEST && strcasecmp(own->name, name) != 0)
        return request_fail(request, STATUS_NOT_ALLOWED, "you are already %s on this connection",
                            own->name);
    if (own->kind != PLAYER_GUEST && token != NULL && number_of_own(request, token) == 0)
        return STATUS_BAD_TOKEN;
    if (own->kind != PLAYER_GUEST && arguments_option(&request->arguments, "device") != NULL)
        return request_fail(request, STATUS_NOT_ALLOWED, "you are %s already", own->name);
    request_choice(request, "only", "yes", "no", &only);
    if (own->kind != PLAYER_GUEST) {
        if (token != NULL)
            keep_token(request, token, number_of_own(request, token));
        if (request->found != NULL && request->player->login < request->found->login)
            request->player->login = request->found->login;
        if (only)
            session_stay_alone(request->session);
        return reply_hello(request, own->name, request->session->token, 0);
    }
    request_choice(request, "bot", "yes", "no", &bot);
    if (arguments_option(&request->arguments, "device") != NULL)
        return join_by_device(request, player, bot, only);
    if (token != NULL && is_shared_name(request, player))
        return claim_name(request, name, token, bot, only);
    if (player == NULL && token == NULL && is_displayed(request, name))
        return request_fail(request, STATUS_NAME_TAKEN,
                            "that name is taken, or looks like somebody's display name");
    if (player == NULL)
        return token != NULL ? unknown_name(request) : take_name(request, name, bot, only);
    if (token == NULL)
        return STATUS_NAME_TAKEN;
    int number = player_find_token(player, token);
    if (number == 0)
        return STATUS_BAD_TOKEN;
    if (player == own)
        return request_fail(request, STATUS_NOT_ALLOWED, "you are %s already", player->name);
    keep_token(request, token, number);
    return come_back(request, player, player->login, bot, only);
}

/* A house bot has no device. Other servers may have changed the tokens of a name. */
static enum status find_own_tokens(struct request *request)
{
    const struct player *player = request->player;

    if (player->kind == PLAYER_HOUSE)
        return STATUS_NOT_ALLOWED;
    return is_shared_name(request, player) ? ask_tokens(request, LOOK_TOKENS, player->name, "")
                                           : STATUS_OK;
}

static enum status find_free_tokens(struct request *request)
{
    request->lock = &request->player->lock;
    return find_own_tokens(request);
}

/* Offers a code to all servers, the same one each time that the line runs. */
static enum status find_offer(struct request *request)
{
    const struct player *player = request->player;
    const struct look_up *asked = asked_before(request, LOOK_DEVICE);
    char code[DEVICE_CODE_MAX];

    request->lock = &request->player->lock;
    if (player->kind == PLAYER_HOUSE)
        return STATUS_NOT_ALLOWED;
    if (!is_shared_name(request, player))
        return STATUS_OK;
    if (asked != NULL)
        return ask_tokens(request, LOOK_DEVICE, player->name, asked->question.token);
    device_code_new(code);
    return ask_tokens(request, LOOK_DEVICE, player->name, code);
}

static enum status run_device(struct request *request)
{
    struct player *player = request->player;
    const struct look_up *found = request->found;
    char code[DEVICE_CODE_MAX];
    bool full =
        found != NULL ? found->state != LOOK_FOUND : player_token_count(player) >= TOKENS_MAX;

    if (full)
        return request_fail(request, STATUS_LIMIT_REACHED, "you have %d tokens already: revoke one",
                            TOKENS_MAX);
    if (found == NULL) {
        device_code_new(code);
        player_offer_device(player, code, request->server->now_ms + DEVICE_MS);
    }
    wire_device(request_begin(request), player, found != NULL ? found->question.token : code,
                DEVICE_MS);
    return STATUS_OK;
}

static enum status run_tokens(struct request *request)
{
    const struct player *player = request->player;
    int windows[TOKENS_MAX] = {0};

    if (request->found != NULL)
        memcpy(windows, request->found->windows, sizeof windows);
    for (const struct session *session = first_session_of(player); session != NULL;
         session = next_session_of(session))
        for (int i = 0; i < player_token_count(player); i++)
            windows[i] += player_token_at(player, i).number == session->window.token;
    wire_tokens(request_begin(request), player, request->session->window.token, windows);
    return STATUS_OK;
}

/* The last token of a name stays: without one, nobody could come back to the name. */
static enum status run_revoke(struct request *request)
{
    struct player *player = request->player;
    const char *word = request->arguments.words[0];
    struct tokens *tokens;
    long number;

    if (!number_parse(word, strlen(word), 1, INT_MAX, &number))
        return request_fail(request, STATUS_BAD_ARGUMENTS, "not the number of a token");
    tokens = tokens_without(player, (int)number);
    bool is_there = tokens->count < player_token_count(player);
    if (!is_there || (tokens->count == 0 && player->kind == PLAYER_NAMED)) {
        free(tokens);
        return request_fail(request, STATUS_NOT_ALLOWED,
                            is_there ? "that is your only token"
                                     : "you have no token %ld: tokens lists them",
                            number);
    }
    request_ok(request, (struct ok){0});
    if (player->kind == PLAYER_GUEST) {
        player_set_tokens(player, tokens);
        session_revoke_all(player, (int)number);
        return STATUS_OK;
    }
    struct identity identity = player_identity(player);
    if (number == 1) { /* the one that older servers know is nobody's from now on */
        char secret[TOKEN_TEXT_MAX];
        random_hex(secret, (TOKEN_TEXT_MAX - 1) / 2);
        token_hash(identity.token_hash, secret);
    }
    unit_identify(request_unit(request), player, &identity);
    request->unit->tokens = tokens;
    request->unit->revokes = (int)number;
    return STATUS_OK;
}

static enum status run_games(struct request *request)
{
    wire_games(request_begin(request));
    return STATUS_OK;
}

static enum status run_lessons(struct request *request)
{
    const struct game *game;
    struct position start;
    enum status status = request_start(request, request->arguments.words[0], &game, &start);

    if (status != STATUS_OK)
        return status;
    wire_lessons(request_begin(request), game);
    request->rows += (int)(request->reply.out->length / BYTES_A_ROW);
    return STATUS_OK;
}

static enum status run_explain(struct request *request)
{
    const char *word = request->arguments.words[1];
    const struct game *game;
    struct position position;
    struct move moves[MOVES_MAX], move;
    struct cause why;
    enum status status = request_position(request, &game, &position);

    if (status != STATUS_OK)
        return status;
    if (request->arguments.count == 1) {
        wire_advice(request_begin(request), game, &position);
        return STATUS_OK;
    }
    int square = square_parse(&position, word, &why);
    if (square >= 0 && moves_from(game, &position, square, moves) > 0) {
        wire_legal(request_begin(request), game, NULL);
    } else if (square >= 0) {
        move_explain_square(game, &position, square, &why);
        wire_illegal(request_begin(request), why.text);
    } else if (move_parse(game, &position, word, &move, &why)) {
        game->apply(&position, move);
        wire_legal(request_begin(request), game, &position);
    } else {
        wire_illegal(request_begin(request), why.text);
    }
    return STATUS_OK;
}

/* Reads display=, which takes the rest of the line, and finds who may have such a name. */
static enum status find_set(struct request *request)
{
    const char *given = arguments_option(&request->arguments, "display");
    const struct players *players = &request->server->players;
    struct player *player = request->player;
    char display[DISPLAY_TEXT_MAX], looks[LOOKS_TEXT_MAX];

    if (given == NULL)
        return STATUS_OK;
    if (player->kind != PLAYER_NAMED)
        return request_fail(request, STATUS_NOT_ALLOWED,
                            "a display name stands beside a name: take one with hello");
    if (!display_read(given, display, &request->cause))
        return STATUS_BAD_NAME;
    if (display_is_reserved(display))
        return request_fail(request, STATUS_BAD_NAME, "%s: reserved name", display);
    display_looks(display, looks);
    request->lock = &player->lock;
    if (looks[0] == '\0')
        return STATUS_OK;
    struct player *other = players_find_naming_like(players, player, looks);
    if (other != NULL)
        request->lock = &other->lock;
    if (request_is_shared(request)) {
        request->question = (struct question){.kind = LOOK_LIKE, .player = player->id};
        memcpy(request->question.key, looks, sizeof looks);
        request->asks = true;
    }
    return STATUS_OK;
}

/* Gives the player a display name, or takes it away, once that is kept. */
static enum status set_display(struct request *request, const char *given)
{
    struct player *player = request->player;
    const struct players *players = &request->server->players;
    struct identity identity = player_identity(player);
    char display[DISPLAY_TEXT_MAX];

    if (!display_read(given, display, &request->cause))
        return STATUS_BAD_NAME;
    if (strcmp(identity.display, display) != 0) {
        memcpy(identity.display, display, sizeof display);
        display_looks(display, identity.looks);
        bool taken = request->found != NULL && request->found->state == LOOK_FOUND;
        if (!request_is_shared(request) && display[0] != '\0') {
            request->rows = players->named / NAMES_A_ROW;
            taken = players_find_like(players, player, identity.looks, true) != NULL;
        }
        if (taken)
            return request_fail(request, STATUS_NAME_TAKEN,
                                "somebody else has that name, or one that looks like it");
        int64_t wait_ms = rate_limit_take(request->session, RATE_NAME, NULL);
        if (wait_ms > 0)
            return request_too_early(request, "too many new names from your address", wait_ms);
        unit_identify(request_unit(request), player, &identity);
    }
    return request_ok(request, (struct ok){.display = identity.display});
}

static enum status run_set(struct request *request)
{
    const char *display = arguments_option(&request->arguments, "display");
    struct session *session = request->session;
    bool json = !session->text, legal = !session->no_legal, challenges = !session->no_challenges;

    if (request->arguments.option_count == 0)
        return request_fail(
            request, STATUS_BAD_ARGUMENTS,
            "nothing to set: write format=json or text, legal=on or off, challenges=on or off, "
            "display=NAME");
    enum status status = request_choice(request, "format", "json", "text", &json);
    if (status == STATUS_OK)
        status = request_choice(request, "legal", "on", "off", &legal);
    if (status == STATUS_OK)
        status = request_choice(request, "challenges", "on", "off", &challenges);
    if (status == STATUS_OK && display != NULL)
        status = set_display(request, display);
    if (status != STATUS_OK)
        return status;
    session_set_text(session, !json);
    session->no_legal = !legal;
    session->no_challenges = !challenges;
    return display != NULL ? STATUS_OK : request_ok(request, (struct ok){0});
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
        {"matches_open", server->lobby.open - server->lobby.private_open},
        {"matches_playing", server->lobby.playing - server->lobby.private_playing},
        {"connections_total", (int64_t)server->tally.connections},
        {"commands_total", (int64_t)server->tally.commands},
        {"errors_total", (int64_t)tally_errors(&server->tally)},
        {"moves_total",
         (int64_t)(tally_sum(server->tally.moves, TALLY_GAMES_MAX) - server->tally.private_moves)},
        {"matches_total", (int64_t)(tally_sum(server->tally.finished, TALLY_GAMES_MAX) -
                                    server->tally.private_finished)},
        {"matches_broken", server->lobby.broken - server->lobby.private_broken},
        {"node", server->nodes.own}, /* from here on only where others share the lobby */
        {"nodes", server->nodes.count},
        {"engine_ms", server->database_us / 1000},
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
     .usage = "NAME [token=T] [code=C] [bot=yes] [client=TEXT] [only=yes] [device=CODE] [max=N]",
     .summary = "takes a name, or comes back to it with its token; only=yes ends your other "
                "connections; max=N takes part in at most N matches at once",
     .options = "token code bot client only device max",
     .min = 1,
     .max = 1,
     .before_code = true,
     .cost = COST_OPENS,
     .find = find_hello,
     .run = run_hello},
    {.verb = "device",
     .summary = "makes a code by which another device gets a token for your name",
     .cost = COST_OPENS,
     .keeps = true,
     .find = find_offer,
     .run = run_device},
    {.verb = "tokens",
     .summary = "lists your tokens: a device has one each",
     .find = find_own_tokens,
     .run = run_tokens},
    {.verb = "revoke",
     .usage = "TOKEN",
     .summary = "ends a token, and the connections that have come with it",
     .min = 1,
     .max = 1,
     .cost = COST_BOARD,
     .find = find_free_tokens,
     .run = run_revoke},
    {.verb = "games",
     .summary = "lists the games and their variants",
     .cost = COST_BOARD,
     .run = run_games},
    {.verb = "lessons",
     .usage = "GAME",
     .summary = "sends the lessons of a game: positions in which one move is asked for",
     .min = 1,
     .max = 1,
     .cost = COST_BOARD,
     .run = run_lessons},
    {.verb = "explain",
     .usage = "GAME[:VARIANT] [MOVE|SQUARE] [position=POSITION]",
     .summary = "tells what the side to move can do in a position; or whether a move is legal, or "
                "anything from a square, and if not, which rule forbids it",
     .options = "position*",
     .min = 1,
     .max = 2,
     .cost = COST_BOARD,
     .run = run_explain},
    {.verb = "set",
     .usage = "[format=json|text] [legal=on|off] [challenges=on|off] [display=NAME]",
     .summary = "sets the format of answers, with or without the legal moves, whether you can be "
                "challenged, and, last, your name in your own letters",
     .options = "format legal challenges display*",
     .find = find_set,
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
