#include "uplink.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "clock_ms.h"
#include "json_read.h"
#include "refusal.h"

/* ---- The servers of a lobby ---- */

/* HOST:PORT without a scheme, which only the user chooses. */
static bool is_address(const char *text)
{
    const char *colon = strrchr(text, ':');
    size_t length = strlen(text);

    for (size_t i = 0; i < length; i++)
        if (text[i] <= ' ' || text[i] >= 0x7f || text[i] == '/')
            return false;
    return colon != NULL && colon > text && colon[1] != '\0' &&
           strspn(colon + 1, "0123456789") == strlen(colon + 1) &&
           length + LINK_TLS_PREFIX_BYTES < SERVER_TEXT_MAX;
}

/* The place of an address among all; 0 for one that is not there. */
static int find_server(const struct servers *servers, const char *address)
{
    for (int i = 0; i < servers->count; i++)
        if (strcmp(servers->others[i], address) == 0)
            return i + 1;
    return 0;
}

void servers_take(struct servers *servers, const char *home, const cJSON *message)
{
    const cJSON *nodes = json_member(message, "nodes"), *node;

    if (!cJSON_IsArray(nodes))
        return;
    servers->count = 0;
    cJSON_ArrayForEach (node, nodes) {
        if (cJSON_IsString(node) && is_address(node->valuestring) && servers->count < SERVERS_MAX) {
            char space[LINK_ADDRESS_MAX];
            const char *address = link_address(node->valuestring, link_has_tls(home), space);

            if (strcmp(address, home) != 0 && find_server(servers, address) == 0)
                snprintf(servers->others[servers->count++], SERVER_TEXT_MAX, "%s", address);
        }
    }
    servers->place = find_server(servers, servers->at);
}

bool servers_is_home(const struct servers *servers, const char *home)
{
    return strcmp(servers->at, home) == 0;
}

static void turn_to(struct servers *servers, const char *home, int place)
{
    servers->place = place % (servers->count + 1);
    snprintf(servers->at, sizeof servers->at, "%s",
             servers->place == 0 ? home : servers->others[servers->place - 1]);
}

void servers_init(struct servers *servers, const char *home)
{
    servers->count = 0;
    turn_to(servers, home, 0);
}

void servers_leave(struct servers *servers, const char *home, unsigned seed)
{
    if (servers->count > 0)
        turn_to(servers, home, servers->place + 1 + (int)(seed % (unsigned)servers->count));
}

bool servers_next(struct servers *servers, const char *home)
{
    turn_to(servers, home, servers->place + 1);
    return servers->place == 0;
}

/* ---- The connection ---- */

enum {
    PROTOCOL = 1,
    ANSWER_MS = 10000,  /* timeout for the greeting and for the reply to hello */
    SILENCE_MS = 60000, /* a ping is sent after so much silence, unless the owner says otherwise, */
    GONE_MS = 30000,    /* and the connection is lost if nothing follows within this time */
    /* Where there are other servers to go to: */
    OTHER_CONNECT_MS = 2000, /* to connect, to shake hands and to greet */
    OTHER_SILENCE_MS = 5000,
    OTHER_GONE_MS = 3000
};

void backoff_begin(struct backoff *backoff, int64_t now_ms, int64_t held_ms)
{
    backoff->lost_ms = now_ms;
    if (held_ms >= BACKOFF_LASTED_MS)
        backoff->pause_ms = 0;
}

int backoff_next_ms(struct backoff *backoff, int64_t now_ms)
{
    bool recent = now_ms - backoff->lost_ms < BACKOFF_SHORT_FOR_MS;
    int most_ms = recent ? BACKOFF_SHORT_MS : BACKOFF_LONG_MS;
    int pause_ms = backoff->pause_ms > 0 ? backoff->pause_ms * 2 : BACKOFF_FIRST_MS;

    backoff->pause_ms = pause_ms < most_ms ? pause_ms : most_ms;
    return backoff->pause_ms;
}

/* Checks the first message from a server; NULL counts as none. False with the cause unless it comes
 * from a Ludus server that speaks our protocol and accepts the connection. */
static bool greeting_check(const cJSON *greeting, const char *address, struct cause *cause)
{
    const char *type = json_text_or(greeting, "type", "");
    const cJSON *protocol = json_member(greeting, "proto");

    if (strcmp(type, "bye") == 0)
        return cause_set(cause, "%s: the server takes nobody in: %.40s", address,
                         json_text_or(greeting, "reason", "?"));
    if (strcmp(type, "error") == 0) {
        struct cause why;
        refusal_read(greeting, &why);
        return cause_set(cause, "%s: %.100s", address, why.text);
    }
    if (strcmp(type, "hello") != 0 || !cJSON_IsNumber(protocol))
        return cause_set(cause, "%s: no Ludus server answers there", address);
    if (protocol->valuedouble != PROTOCOL)
        return cause_set(cause, "%s: the server speaks protocol %g, this program %d", address,
                         protocol->valuedouble, PROTOCOL);
    return true;
}

bool refusal_may_pass(const char *code)
{
    return strcmp(code, "server-busy") == 0 || strcmp(code, "rate-limited") == 0 ||
           strcmp(code, "internal") == 0;
}

/* Classifies the reply. A refusal sets the cause: "NAME: why" or "ADDRESS: why". */
static enum hello_answer hello_read(struct uplink *uplink, const cJSON *reply)
{
    const char *code = json_text_or(reply, "code", "");

    uplink->later_ms = 0;
    if (strcmp(json_text_or(reply, "type", ""), "ok") == 0)
        return HELLO_WELCOME;
    /* Other errors are about anyone who comes. */
    bool taken = strcmp(code, "name-taken") == 0 || strcmp(code, "bad-token") == 0;
    bool is_about_name = taken || strcmp(code, "bad-name") == 0 || strcmp(code, "not-allowed") == 0;
    struct cause why;
    refusal_read(reply, &why);
    cause_set(&uplink->cause, "%.100s: %.150s",
              is_about_name ? uplink->hello.name : uplink->servers.at, why.text);
    if (refusal_may_pass(code)) {
        uplink->later_ms = json_ms(reply, "retry_ms");
        return HELLO_LATER;
    }
    if (strcmp(code, "bad-code") == 0)
        return HELLO_BAD_CODE;
    return taken ? HELLO_TAKEN : HELLO_REFUSED;
}

const char *farewell(const char *reason)
{
    static const struct {
        const char *reason, *sentence;
    } rows[] = {
        {"replaced", N_("another client has come back under this name")},
        {"revoked", N_("another device has ended the token of this one")},
        {"closed", N_("the host has ended the server")},
        {"too-many-errors", N_("the server closed the connection after too many errors")},
        {"limit", N_("the server takes no more connections")},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (strcmp(reason, rows[i].reason) == 0)
            return _(rows[i].sentence);
    return NULL;
}

bool uplink_is_up(const struct uplink *uplink)
{
    return uplink->stage >= UPLINK_CONNECTED;
}

void uplink_open(struct uplink *uplink, int64_t now_ms)
{
    uplink->link.fd = -1;
    uplink->stage = UPLINK_DOWN;
    uplink->try_ms = now_ms;
    uplink->give_up_ms = uplink->is_patient ? now_ms + uplink->retry_ms : INT64_MAX;
    backoff_begin(&uplink->backoff, now_ms, 0);
    servers_init(&uplink->servers, uplink->address);
}

static bool has_others(const struct uplink *uplink)
{
    return uplink->comes_back && uplink->servers.count > 0;
}

/* Schedules the next attempt, at the next server: a round through all of them takes no pause. */
static void try_again(struct uplink *uplink, int64_t now_ms)
{
    bool pauses = servers_next(&uplink->servers, uplink->address);

    uplink->try_ms = now_ms + (pauses ? backoff_next_ms(&uplink->backoff, now_ms) : 0);
}

void uplink_send(struct uplink *uplink, const char *format, ...)
{
    va_list args;

    if (uplink->broken || !uplink_is_up(uplink))
        return;
    va_start(args, format);
    uplink->broken = !link_vsend(&uplink->link, format, args);
    va_end(args);
}

void uplink_hello(struct uplink *uplink, int64_t now_ms)
{
    const struct hello *hello = &uplink->hello;
    const char *device = hello->device, *token = device[0] == '\0' ? hello->token : "";
    const char *code = hello->code, *program = hello->program;
    bool comes_back = uplink->was_in && has_others(uplink);

    uplink->answer = HELLO_NONE;
    uplink->wait_ms = now_ms + (comes_back ? OTHER_GONE_MS : ANSWER_MS);
    char most[24] = "";

    if (hello->matches_max > 0)
        snprintf(most, sizeof most, " max=%d", hello->matches_max);
    uplink_send(uplink, "hello %s%s%s%s%s%s%s%s%s%s%s", hello->name,
                device[0] != '\0' ? " device=" : "", device, token[0] != '\0' ? " token=" : "",
                token, code[0] != '\0' ? " code=" : "", code, hello->bot ? " bot=yes only=yes" : "",
                program != NULL ? " client=" : "", program != NULL ? program : "", most);
}

void uplink_receive(struct uplink *uplink, int64_t now_ms)
{
    uplink->heard_ms = now_ms;
    uplink->asked = false;
    if (!link_read(&uplink->link))
        uplink->broken = true;
}

static enum uplink_event enter_lobby(struct uplink *uplink, int64_t now_ms)
{
    uplink->stage = UPLINK_IN;
    uplink->was_in = true;
    uplink->in_ms = now_ms;
    uplink->wait_ms = 0;
    uplink->tries = 0;
    uplink->cause.text[0] = '\0';
    return UPLINK_WELCOME;
}

static enum uplink_event handle_greeting(struct uplink *uplink, const cJSON *greeting,
                                         int64_t now_ms)
{
    if (!greeting_check(greeting, uplink->servers.at, &uplink->cause)) {
        uplink->broken = true;
        return UPLINK_NOTHING;
    }
    uplink->code_needed = json_true(greeting, "code");
    json_copy(uplink->name, sizeof uplink->name, greeting, "name");
    servers_take(&uplink->servers, uplink->address, greeting);
    if (uplink->hello.name[0] == '\0')
        return enter_lobby(uplink, now_ms);
    uplink->stage = UPLINK_GREETED;
    uplink_hello(uplink, now_ms);
    return UPLINK_NOTHING;
}

static bool is_home(const struct uplink *uplink)
{
    return servers_is_home(&uplink->servers, uplink->address);
}

/* Takes the name that the server gives, and its token unless that is known. */
static void take_identity(struct uplink *uplink, const cJSON *message)
{
    const char *token = json_text_or(message, "token", "");
    size_t length = strlen(token);
    bool valid = length > 0 && length < TOKEN_MAX && strcspn(token, " \t\r\n") == length;

    json_copy(uplink->name, sizeof uplink->name, message, "name");
    json_copy(uplink->display, sizeof uplink->display, message, "display");
    uplink->new_token = valid && strcmp(token, uplink->hello.token) != 0 &&
                        (uplink->hello.token[0] == '\0' || is_home(uplink));
    if (uplink->new_token)
        memcpy(uplink->hello.token, token, length + 1);
}

static enum uplink_event handle_welcome(struct uplink *uplink, const cJSON *reply, int64_t now_ms)
{
    take_identity(uplink, reply);
    if (!json_int(reply, "matches", &uplink->matches))
        uplink->matches = 0;
    return enter_lobby(uplink, now_ms);
}

static enum uplink_event handle_answer(struct uplink *uplink, const cJSON *reply, int64_t now_ms)
{
    enum hello_answer answer = hello_read(uplink, reply);

    uplink->answer = answer;
    uplink->wait_ms = 0;
    if (answer == HELLO_WELCOME)
        uplink->hello.device[0] = '\0'; /* it has given a token, which comes back */
    if (answer == HELLO_WELCOME)
        return handle_welcome(uplink, reply, now_ms);
    if (answer == HELLO_TAKEN && uplink->hello.token[0] != '\0' && is_home(uplink)) {
        /* The server has forgotten the name, or the token is wrong: try as a new player. */
        uplink->hello.token[0] = '\0';
        uplink_hello(uplink, now_ms);
        return UPLINK_NOTHING;
    }
    bool may_pass = answer == HELLO_LATER || !is_home(uplink);
    if (!may_pass || uplink->stage == UPLINK_IN || !uplink->was_in)
        return UPLINK_REFUSED;
    uplink->broken = true; /* the server is busy, or no server of this lobby: try again later */
    return UPLINK_NOTHING;
}

static enum uplink_event handle_message(struct uplink *uplink, const cJSON *message, int64_t now_ms)
{
    const char *type = json_text_or(message, "type", "");
    bool is_reply = strcmp(type, "ok") == 0 || strcmp(type, "error") == 0;

    if (uplink->stage == UPLINK_CONNECTED)
        return handle_greeting(uplink, message, now_ms);
    /* The hello was sent without an id. */
    if (uplink->wait_ms != 0 && is_reply && strcmp(json_text_or(message, "cmd", ""), "hello") == 0)
        return handle_answer(uplink, message, now_ms);
    if (strcmp(type, "bye") == 0) {
        json_copy(uplink->bye, sizeof uplink->bye, message, "reason");
        /* With an id it is a reply to the owner. The server closes the connection after any other.
         */
        if (json_text(message, "id") != NULL)
            return UPLINK_MESSAGE;
        uplink->broken = uplink->broken || uplink->bye[0] != '\0';
        return UPLINK_NOTHING;
    }
    if (strcmp(type, "nodes") == 0) {
        servers_take(&uplink->servers, uplink->address, message);
        return UPLINK_NOTHING;
    }
    if (strcmp(type, "name") == 0 && uplink->stage == UPLINK_IN) {
        take_identity(uplink, message);
        snprintf(uplink->hello.name, sizeof uplink->hello.name, "%s", uplink->name);
    }
    if (strcmp(type, "ping") != 0)
        return UPLINK_MESSAGE;
    uplink_send(uplink, "ping");
    return UPLINK_NOTHING;
}

static const char *why_lost(const struct uplink *uplink)
{
    if (farewell(uplink->bye) != NULL)
        return farewell(uplink->bye);
    if (uplink->stage == UPLINK_CONNECTED)
        return _("no Ludus server answers there");
    return uplink->wait_ms != 0 ? _("the server does not answer") : _("the connection is lost");
}

/* Closes a broken connection and schedules the next attempt, if there is to be one. */
static enum uplink_event drop_connection(struct uplink *uplink, int64_t now_ms)
{
    link_close(&uplink->link);
    uplink->broken = false;
    if (uplink->cause.text[0] == '\0' && strcmp(uplink->bye, "quit") != 0)
        cause_set(&uplink->cause, "%.150s: %s", uplink->servers.at, why_lost(uplink));
    bool was_in = uplink->stage == UPLINK_IN;
    if (was_in) {
        uplink->give_up_ms = now_ms + uplink->retry_ms;
        backoff_begin(&uplink->backoff, now_ms, now_ms - uplink->in_ms);
    }
    if (!uplink->comes_back || !uplink->was_in || strcmp(uplink->bye, "quit") == 0 ||
        farewell(uplink->bye) != NULL) {
        uplink->stage = UPLINK_ENDED;
        return UPLINK_LOST;
    }
    uplink->stage = UPLINK_DOWN;
    if (was_in) {
        /* Another server needs no pause, unless one connection after the other is lost. */
        bool lasted = now_ms - uplink->in_ms >= BACKOFF_LASTED_MS;
        uplink->leaves = true;
        uplink->try_ms = now_ms;
        if (!has_others(uplink) || !lasted)
            uplink->try_ms += backoff_next_ms(&uplink->backoff, now_ms);
    } else {
        try_again(uplink, now_ms);
    }
    return UPLINK_LOST;
}

enum uplink_event uplink_next(struct uplink *uplink, int64_t now_ms, cJSON **message)
{
    while (uplink_is_up(uplink) && (*message = link_next(&uplink->link)) != NULL) {
        enum uplink_event event = handle_message(uplink, *message, now_ms);
        if (event == UPLINK_MESSAGE)
            return event;
        cJSON_Delete(*message);
        if (event != UPLINK_NOTHING) {
            *message = NULL;
            return event;
        }
    }
    *message = NULL;
    return uplink->broken && uplink_is_up(uplink) ? drop_connection(uplink, now_ms)
                                                  : UPLINK_NOTHING;
}

static void dial(struct uplink *uplink, int64_t now_ms)
{
    bool others = has_others(uplink);

    if (others && uplink->leaves)
        servers_leave(&uplink->servers, uplink->address, (unsigned)getpid());
    uplink->leaves = false;
    const struct tls_terms terms = {.wait_ms = others ? OTHER_CONNECT_MS : 0,
                                    .key = is_home(uplink) ? NULL : uplink->key};

    if (!link_connect(&uplink->link, uplink->servers.at, &terms, &uplink->cause)) {
        try_again(uplink, now_ms);
        uplink->tries++;
        bool waits = uplink->is_patient && uplink->link.unreachable && now_ms < uplink->give_up_ms;
        if (!uplink->was_in && !waits)
            uplink->stage = UPLINK_ENDED;
        return;
    }
    /* Others of its lobby may be known by the key of the server. */
    uplink->key[0] = '\0';
    if (uplink->link.tls != NULL)
        tls_key(uplink->link.tls, uplink->key);
    uplink->stage = UPLINK_CONNECTED;
    uplink->asked = false;
    uplink->bye[0] = uplink->cause.text[0] = '\0';
    uplink->heard_ms = now_ms;
    uplink->wait_ms = now_ms + (others ? OTHER_CONNECT_MS : ANSWER_MS);
    uplink_send(uplink, "%s", ""); /* tells that this is no browser: the greeting comes at once */
}

void uplink_tick(struct uplink *uplink, int64_t now_ms)
{
    if (uplink->broken || now_ms < uplink_due_ms(uplink))
        return;
    bool has_tried = uplink->was_in || uplink->tries > 0;
    if (uplink->stage == UPLINK_DOWN && has_tried && now_ms >= uplink->give_up_ms) {
        uplink->stage = UPLINK_ENDED;
    } else if (uplink->stage == UPLINK_DOWN) {
        dial(uplink, now_ms);
    } else if (uplink->wait_ms != 0 || uplink->asked) {
        uplink->broken = true;
    } else {
        uplink->asked = true;
        uplink->asked_ms = now_ms;
        uplink_send(uplink, "ping");
    }
}

int64_t uplink_due_ms(const struct uplink *uplink)
{
    if (uplink->stage == UPLINK_ENDED)
        return INT64_MAX;
    if (uplink->stage == UPLINK_DOWN)
        return sooner_ms(uplink->try_ms, uplink->give_up_ms);
    if (uplink->broken)
        return INT64_MIN; /* uplink_next() has something to tell */
    if (uplink->wait_ms != 0)
        return uplink->wait_ms;
    bool others = has_others(uplink);
    if (uplink->asked)
        return uplink->asked_ms + (others ? OTHER_GONE_MS : GONE_MS);
    int quiet_ms = uplink->quiet_ms > 0 ? uplink->quiet_ms : SILENCE_MS;
    return uplink->heard_ms + (others ? OTHER_SILENCE_MS : quiet_ms);
}

void uplink_close(struct uplink *uplink)
{
    if (uplink_is_up(uplink))
        link_close(&uplink->link);
    uplink->stage = UPLINK_ENDED;
}
