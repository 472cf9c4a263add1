#include "login.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "client/link/backoff.h"
#include "client/link/json_read.h"
#include "way_back.h"

enum { RETRY_MINUTES = 10 };
enum { PROTOCOL = 1, ANSWER_MS = 10000, NAME_TRIES = 50, RETRY_TOTAL_MS = RETRY_MINUTES * 60000 };

enum answer { ANSWER_YES, ANSWER_TAKEN, ANSWER_BAD_CODE, ANSWER_NO, ANSWER_LATER, ANSWER_NONE };

/* Connecting may take long, so Ctrl-C and the terminal work as usual meanwhile. */
static bool connect_to(struct client *client, struct cause *cause)
{
    sigset_t usual, blocked;

    sigemptyset(&usual);
    if (client->front != NULL) { /* which has to hear of these */
        sigaddset(&usual, SIGTSTP);
        sigaddset(&usual, SIGWINCH);
    }
    input_hide(&client->input);
    fflush(stdout);
    input_release(&client->input);
    sigprocmask(SIG_SETMASK, &usual, &blocked);
    bool connected = link_connect(&client->link, client->address, cause);
    sigprocmask(SIG_SETMASK, &blocked, NULL);
    input_resume(&client->input);
    return connected;
}

static bool read_greeting(struct client *client, const cJSON *greeting, struct cause *cause)
{
    const char *type = json_text_or(greeting, "type", "");
    const cJSON *protocol = json_member(greeting, "proto");

    if (strcmp(type, "bye") == 0)
        return cause_set(cause, "%s: the server takes nobody in: %.40s", client->address,
                         json_text_or(greeting, "reason", "?"));
    if (strcmp(type, "hello") != 0 || !cJSON_IsNumber(protocol))
        return cause_set(cause, "%s: no Ludus server answers there", client->address);
    if (protocol->valuedouble != PROTOCOL)
        return cause_set(cause, "%s: the server speaks protocol %g, this program %d",
                         client->address, protocol->valuedouble, PROTOCOL);
    client->code_needed = json_true(greeting, "code");
    client->connected_ms = client_now_ms();
    return true;
}

static bool dial(struct client *client, struct cause *cause)
{
    client->bye[0] = '\0';
    if (!connect_to(client, cause))
        return false;
    cJSON *greeting = client_message(client, ANSWER_MS);
    bool good = read_greeting(client, greeting, cause);
    cJSON_Delete(greeting);
    return good;
}

/* Refusals that have to do with the moment, not with the name. */
static bool may_pass(const char *code)
{
    return strcmp(code, "server-busy") == 0 || strcmp(code, "rate-limited") == 0 ||
           strcmp(code, "internal") == 0;
}

static enum answer read_answer(const char *name, const cJSON *reply, struct cause *cause)
{
    const char *code = json_text_or(reply, "code", "");

    if (reply == NULL) {
        cause_set(cause, "the server does not answer");
        return ANSWER_NONE;
    }
    if (strcmp(json_text_or(reply, "type", ""), "error") != 0)
        return ANSWER_YES;
    cause_set(cause, "%s: %.150s", name, json_text_or(reply, "message", "the name was refused"));
    if (may_pass(code))
        return ANSWER_LATER;
    if (strcmp(code, "bad-code") == 0)
        return ANSWER_BAD_CODE;
    bool taken = strcmp(code, "name-taken") == 0 || strcmp(code, "bad-token") == 0;
    return taken ? ANSWER_TAKEN : ANSWER_NO;
}

static enum answer say_hello(struct client *client, const char *name, const char *token,
                             struct cause *cause)
{
    const char *code = client->code;
    char line[512];

    snprintf(line, sizeof line, "hello %s%s%s%s%s client=ludus/" LUDUS_VERSION, name,
             token[0] != '\0' ? " token=" : "", token, code != NULL ? " code=" : "",
             code != NULL ? code : "");
    cJSON *reply = client_exchange(client, ANSWER_MS, line);
    enum answer answer = read_answer(name, reply, cause);
    if (answer == ANSWER_YES) {
        snprintf(client->name, sizeof client->name, "%s", name);
        json_copy(client->token, sizeof client->token, reply, "token");
    }
    cJSON_Delete(reply);
    return answer;
}

/* With the token that was given for the name before, or, where the server does not know it any
 * more, as somebody new. */
static enum answer take_name(struct client *client, const char *name, const char *token,
                             struct cause *cause)
{
    enum answer answer = say_hello(client, name, token, cause);

    if (answer == ANSWER_TAKEN && token[0] != '\0')
        answer = say_hello(client, name, "", cause);
    return answer;
}

static bool ask_code(struct client *client)
{
    const char *line = NULL;

    if (!client->input.interactive) {
        client_fail(client, "%s: this server wants its join code: give --code CODE",
                    client->address);
        return false;
    }
    link_send(&client->link, "%s", ""); /* a sign of life: a person takes his time */
    while (!client->quit && (line = client_line(client, "Join code: ")) == NULL) {
        if (!input_has_more(&client->input))
            client->quit = true;
        else
            client_wait(client, "Join code: ");
    }
    if (line == NULL)
        return false;
    snprintf(client->typed_code, sizeof client->typed_code, "%s", line);
    client->code = client->typed_code;
    return true;
}

/* A person who was asked for the code may have mistyped it. */
static bool ask_code_again(struct client *client)
{
    if (client->front != NULL || client->code != client->typed_code)
        return false;
    console_say(&client->console, "That is not the join code of this server.");
    return ask_code(client);
}

static enum answer take_kept_name(struct client *client, const char *name, struct cause *cause)
{
    char token[TOKEN_MAX] = "";

    token_load(client->address, name, token);
    enum answer answer = take_name(client, name, token, cause);
    while (answer == ANSWER_BAD_CODE && ask_code_again(client))
        answer = take_name(client, name, token, cause);
    return answer;
}

static enum answer take_own_name(struct client *client, struct cause *cause)
{
    enum answer answer = ANSWER_TAKEN;
    char name[OWN_NAME_MAX];

    for (int number = 1; answer == ANSWER_TAKEN && number <= NAME_TRIES; number++) {
        identity_default_name(number, name);
        if (identity_claim(name))
            answer = take_kept_name(client, name, cause);
    }
    return answer;
}

/* Whether the server has let this client in: the code may have been right, if not the name. */
static bool is_in(struct client *client)
{
    cJSON *reply = client_exchange(client, ANSWER_MS, "ping");
    bool in = strcmp(json_text_or(reply, "type", ""), "pong") == 0;

    cJSON_Delete(reply);
    return in;
}

static void keep_token(struct client *client, bool tell)
{
    struct cause cause;

    if (client->token[0] != '\0' &&
        !token_save(client->address, client->name, client->token, &cause) && tell)
        fprintf(stderr, "ludus: %s: the name will not be known next time\n", cause.text);
}

static const char no_server[] =
    "is a server running there? `make run` starts one here, or `ludusd`;\n"
    "`ludus host` one for you and a friend, `ludus join` finds a friend's";

void login(struct client *client, const char *name, bool guest, const char *advice)
{
    struct cause cause = {""};

    if (!dial(client, &cause)) {
        client_fail(client, "%s", cause.text);
        if (!client->link.reached)
            fprintf(stderr, "ludus: %s\n", advice != NULL ? advice : no_server);
        return;
    }
    if (client->code_needed && client->code == NULL && !ask_code(client))
        return;
    if (name == NULL && guest && !client->code_needed)
        return;
    if (name != NULL)
        identity_claim(name); /* and when another client has it, this one takes its place */
    enum answer answer =
        name != NULL ? take_kept_name(client, name, &cause) : take_own_name(client, &cause);
    if (client->quit)
        return;
    if (answer == ANSWER_YES)
        keep_token(client, name != NULL);
    else if (name != NULL || answer == ANSWER_NONE || (client->code_needed && !is_in(client)))
        client_fail(client, "%s", cause.text);
    /* else a guest can play as well. The matches one sits in come right behind the name; now they
     * are here. */
    if (!client->quit)
        client_do(client, "ping");
}

/* What a move to another server changes. */
struct place {
    struct link link;
    const char *address, *code;
    char other_address[LINK_ADDRESS_MAX], typed_code[sizeof((struct client *)0)->typed_code];
    char name[OWN_NAME_MAX], token[TOKEN_MAX], bye[sizeof((struct client *)0)->bye];
    struct sitting sittings[SITTINGS_MAX];
    bool code_needed;
    int64_t connected_ms;
};

static void save_place(const struct client *client, struct place *place)
{
    *place = (struct place){.link = client->link,
                            .address = client->address,
                            .code = client->code,
                            .code_needed = client->code_needed,
                            .connected_ms = client->connected_ms};
    memcpy(place->other_address, client->other_address, sizeof place->other_address);
    memcpy(place->typed_code, client->typed_code, sizeof place->typed_code);
    memcpy(place->name, client->name, sizeof place->name);
    memcpy(place->token, client->token, sizeof place->token);
    memcpy(place->bye, client->bye, sizeof place->bye);
    memcpy(place->sittings, client->sittings, sizeof place->sittings);
}

static void restore_place(struct client *client, const struct place *place)
{
    link_close(&client->link);
    client->link = place->link;
    client->address = place->address;
    client->code = place->code;
    client->code_needed = place->code_needed;
    client->connected_ms = place->connected_ms;
    memcpy(client->other_address, place->other_address, sizeof place->other_address);
    memcpy(client->typed_code, place->typed_code, sizeof place->typed_code);
    memcpy(client->name, place->name, sizeof place->name);
    memcpy(client->token, place->token, sizeof place->token);
    memcpy(client->bye, place->bye, sizeof place->bye);
    memcpy(client->sittings, place->sittings, sizeof place->sittings);
}

/* The new link in place of the old one. */
static enum answer enter(struct client *client, struct cause *cause)
{
    char name[OWN_NAME_MAX];
    enum answer answer = ANSWER_TAKEN;

    memcpy(name, client->name, sizeof name);
    client->name[0] = client->token[0] = '\0';
    client->code_needed = false;
    memset(client->sittings, 0, sizeof client->sittings);
    if (!dial(client, cause))
        return ANSWER_NONE;
    if (client->code_needed && client->code == NULL) {
        cause_set(cause, "%.100s: this server wants its join code", client->address);
        return ANSWER_NO;
    }
    if (name[0] != '\0')
        answer = take_kept_name(client, name, cause);
    return answer == ANSWER_TAKEN ? take_own_name(client, cause) : answer;
}

bool login_elsewhere(struct client *client, const char *address, const char *code,
                     bool *code_missing, struct cause *cause)
{
    struct place before;

    save_place(client, &before);
    client->link = (struct link){.fd = -1};
    snprintf(client->other_address, sizeof client->other_address, "%s", address);
    snprintf(client->typed_code, sizeof client->typed_code, "%s", code != NULL ? code : "");
    client->address = client->other_address;
    client->code = code != NULL ? client->typed_code : NULL;
    enum answer answer = enter(client, cause);
    *code_missing = client->code_needed && code == NULL;
    if (answer != ANSWER_YES) {
        restore_place(client, &before);
        return false;
    }
    link_close(&before.link);
    keep_token(client, false);
    client->challenge[0] = client->rematch[0] = '\0';
    client_show(client, "");
    return client_do(client, "ping");
}

/* What the server said when it closed the connection for good; NULL when it did not. */
static const char *farewell(const char *reason)
{
    static const struct {
        const char *reason, *sentence;
    } rows[] = {
        {"replaced", "another client has come back under this name"},
        {"too-many-errors", "the server closed the connection after too many errors"},
        {"limit", "the server takes no more connections"},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (strcmp(reason, rows[i].reason) == 0)
            return rows[i].sentence;
    return NULL;
}

static enum answer try_again(struct client *client, struct cause *cause)
{
    char name[OWN_NAME_MAX], token[TOKEN_MAX];

    memcpy(name, client->name, sizeof name);
    memcpy(token, client->token, sizeof token);
    memset(client->sittings, 0, sizeof client->sittings); /* the server tells them anew */
    link_close(&client->link);
    if (!dial(client, cause))
        return ANSWER_NONE;
    if (name[0] == '\0')
        return ANSWER_YES;
    enum answer answer = take_name(client, name, token, cause);
    if (answer == ANSWER_YES)
        keep_token(client, false); /* a server that has started anew gives another one */
    return answer;
}

/* The match on the screen is shown again as it stands now. */
static void look_again(struct client *client)
{
    bool over = client->view.known && client->view.status == STATE_OVER;

    console_say(&client->console, "Connected again.");
    client->awaiting = client->redraw = client->view.match[0] != '\0' && !over;
    if (client->awaiting)
        client_post(client, "watch %s", client->view.match);
}

/* Tries until the server is there again or has refused; ANSWER_NONE or _LATER, with the cause,
 * when it stays away for too long or the person has had enough. */
static enum answer come_back(struct client *client, struct cause *cause)
{
    enum answer answer = ANSWER_NONE;
    struct backoff *backoff = &client->backoff;
    int64_t now_ms = client_now_ms(), end_ms = now_ms + RETRY_TOTAL_MS;

    backoff_begin(backoff, now_ms, now_ms - client->connected_ms);
    while ((answer == ANSWER_NONE || answer == ANSWER_LATER) && client_now_ms() < end_ms) {
        client_pause(client, backoff_next_ms(backoff, client_now_ms()));
        if (client->quit)
            break;
        answer = try_again(client, cause);
    }
    return answer;
}

void login_again(struct client *client)
{
    struct cause cause = {""};

    if (strcmp(client->bye, "quit") == 0) {
        client->quit = true;
        return;
    }
    if (farewell(client->bye) != NULL) {
        client_fail(client, "%s: %s", client->address, farewell(client->bye));
        if (strcmp(client->bye, "replaced") == 0)
            way_back_tell(client, "");
        return;
    }
    link_close(&client->link);
    console_say(&client->console,
                "The connection is lost; trying to come back for %d minutes (Ctrl-C ends that).",
                RETRY_MINUTES);
    enum answer answer = come_back(client, &cause);
    if (answer == ANSWER_YES && !client->quit) {
        look_again(client);
        return;
    }
    if (!client->quit)
        client_fail(client, "%s", cause.text);
    client->status = 1;
    if (answer != ANSWER_NO && answer != ANSWER_BAD_CODE && answer != ANSWER_TAKEN)
        way_back_tell(client, "once the server answers again, ");
}
