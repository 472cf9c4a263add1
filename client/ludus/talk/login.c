#include "login.h"

#include <stdio.h>
#include <string.h>

#include "client.h"
#include "client/link/json_read.h"
#include "client/ludus/lan/search.h"
#include "hosting.h"

/* Whether a later program can take the name again. */
static bool has_kept_name(const struct client *client)
{
    const struct hello *hello = &client->uplink.hello;
    char token[TOKEN_MAX];

    return hello->name[0] != '\0' && token_load(hosting_realm(client), hello->name, token);
}

/* Whether a running match is on the screen. */
static bool shows_match(const struct client *client)
{
    return client->view.known && client->view.status != STATE_OVER;
}

enum { MATCH_LIST_MAX = (SITTINGS_MAX + 1) * (MATCH_ID_MAX + 2) };

/* Prints "match 22 is still there; ": the player's matches, and one more unless it is "". */
static void print_matches(const struct client *client, const char *more)
{
    int count = sitting_count(client) + (more[0] != '\0');
    char list[MATCH_LIST_MAX];

    if (count == 0)
        return;
    size_t used = (size_t)snprintf(list, sizeof list, "%s", more);
    for (int i = 0; i < SITTINGS_MAX; i++)
        if (client->sittings[i].match[0] != '\0' && used < sizeof list)
            used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", used > 0 ? ", " : "",
                                     client->sittings[i].match);
    fprintf(stderr,
            text_counted("match %s is still there; ", "matches %s are still there; ",
                         (unsigned long)count),
            list);
}

static void print_way_back(struct client *client, bool named, bool watches, const char *when)
{
    const struct hello *hello = &client->uplink.hello;
    const struct match_state *view = &client->view;
    bool seated = shows_match(client) && match_state_seated(view);
    bool more = (watches || seated) && !sitting_has(client, view->match);

    client_uncover(client);
    input_hide(&client->input);
    fflush(stdout);
    fputs("ludus: ", stderr);
    print_matches(client, more ? view->match : "");
    fputs(when, stderr);
    fputs(_("come back with\n  "), stderr);
    if (hosting_command(client) != NULL)
        fputs(hosting_command(client), stderr);
    else
        fprintf(stderr, "ludus --connect %s", client->uplink.address);
    if (hello->code[0] != '\0' && hosting_command(client) == NULL)
        fprintf(stderr, " --code %s", hello->code);
    if (named)
        fprintf(stderr, " --name %s", hello->name);
    if (watches)
        fprintf(stderr, " --watch %s", view->match);
    fputs("\n", stderr);
}

static void tell_way_back(struct client *client, const char *when)
{
    bool watches = shows_match(client) && !match_state_seated(&client->view);
    bool named = has_kept_name(client);

    if (named || watches)
        print_way_back(client, named, watches, when);
}

void login_tell_way_back(struct client *client)
{
    if (sitting_count(client) > 0 && has_kept_name(client) && hosting_command(client) == NULL)
        print_way_back(client, true, false, "");
}

enum { RETRY_MINUTES = 10, NAME_TRIES = 50, PONG_MS = 10000, LATER_MOST_MS = 60000 };

/* Waits until the server has let the client in (true), refused it, or is gone for good. */
static bool await_welcome(struct client *client)
{
    struct uplink *uplink = &client->uplink;

    while (!client->quit) {
        cJSON *message;
        enum uplink_event event = client_next(client, &message);
        if (event == UPLINK_WELCOME || event == UPLINK_REFUSED)
            return event == UPLINK_WELCOME;
        if (event == UPLINK_MESSAGE)
            client->handlers->message(client, message);
        else if (uplink->stage == UPLINK_ENDED)
            return false;
        else if (event == UPLINK_NOTHING)
            client_turn(client, INT64_MAX);
        cJSON_Delete(message);
    }
    return false;
}

static bool ask_code(struct client *client)
{
    struct uplink *uplink = &client->uplink;
    struct pasted pasted;

    if (!input_is_typed(&client->input)) {
        client_fail(client, "%s: this server wants its join code: give --code CODE",
                    uplink->address);
        return false;
    }
    do {
        uplink_send(uplink, "%s", ""); /* a sign of life: a person takes time */
        const char *line = client_await_line(client, _("Join code: "));
        if (line == NULL)
            return false;
        pasted_read(line, &pasted);
    } while (pasted.code[0] == '\0');
    snprintf(uplink->hello.code, sizeof uplink->hello.code, "%s", pasted.code);
    return true;
}

/* Finds the code if the server wants one: it is known where a program of the player hosts.
 * Otherwise it is asked for. */
static bool find_code(struct client *client, const struct login_terms *terms)
{
    const struct uplink *uplink = &client->uplink;

    if (!uplink->code_needed || uplink->hello.code[0] != '\0')
        return true;
    if (terms->unnamed && hosting_find_private(client) &&
        strcmp(client->host->address, uplink->address) == 0) {
        client_aim(client, client->host->address, client->host->code);
        return true;
    }
    if (input_is_typed(&client->input))
        console_say(&client->console, "The server at %s wants its join code.", uplink->address);
    return ask_code(client);
}

/* Asks again: a person may have mistyped the code. */
static bool ask_code_again(struct client *client)
{
    if (client->front != NULL || !input_is_typed(&client->input))
        return false;
    console_say(&client->console, "That is not the join code of this server.");
    return ask_code(client);
}

/* Whether the server let this client in: the code may be right although the name is not. */
static bool is_in(struct client *client)
{
    cJSON *reply = client_exchange(client, PONG_MS, "ping");
    bool in = strcmp(json_text_or(reply, "type", ""), "pong") == 0;

    cJSON_Delete(reply);
    return in;
}

/* Waits, once the server has said for how long: somebody else at this address may have guessed at
 * codes, and who stays connected gets in. A full screen shows the refusal instead. */
static bool wait_to_ask_again(struct client *client)
{
    struct uplink *uplink = &client->uplink;
    int64_t until_ms = clock_ms() + uplink->later_ms;

    if (client->front != NULL || !uplink->code_needed || uplink->later_ms <= 0 ||
        uplink->later_ms > LATER_MOST_MS || is_in(client))
        return false;
    fprintf(stderr, _("ludus: %s; trying again then.\n"), uplink->cause.text);
    while (!client->quit && uplink_is_up(uplink) && clock_ms() < until_ms) {
        cJSON *message;
        if (client_next(client, &message) == UPLINK_NOTHING)
            client_turn(client, until_ms);
        cJSON_Delete(message);
    }
    return !client->quit && uplink_is_up(uplink);
}

/* Asks for a name, with the token that is kept for it. HELLO_NONE: there was no answer. */
static enum hello_answer take_name(struct client *client, const char *name)
{
    struct uplink *uplink = &client->uplink;
    struct hello *hello = &uplink->hello;
    bool in;

    snprintf(hello->name, sizeof hello->name, "%s", name);
    if (!token_load(hosting_realm(client), name, hello->token))
        hello->token[0] = '\0';
    do {
        uplink_hello(uplink, clock_ms());
        in = await_welcome(client);
    } while (uplink->answer == HELLO_BAD_CODE ? hello->device[0] == '\0' && ask_code_again(client)
                                              : !in && wait_to_ask_again(client));
    if (!in)
        hello->name[0] = hello->token[0] = '\0';
    return uplink->answer;
}

static enum hello_answer take_own_name(struct client *client)
{
    enum hello_answer answer = HELLO_TAKEN;
    char name[OWN_NAME_MAX];

    for (int number = 1; answer == HELLO_TAKEN && number <= NAME_TRIES; number++) {
        identity_default_name(number, name);
        answer = take_name(client, name);
    }
    return answer;
}

void login_keep_token(const struct client *client, bool tell)
{
    const struct uplink *uplink = &client->uplink;
    struct cause cause;

    if (uplink->new_token &&
        !token_save(hosting_realm(client), uplink->hello.name, uplink->hello.token, &cause) && tell)
        fprintf(stderr, _("ludus: %s: the name will not be known next time\n"), cause.text);
}

static const char no_server[] =
    N_("No server there. Start one: ludusd. Play with a friend: ludus host.\n"
       "Find a friend's: ludus join.");

/* Forgets an attempt that failed. */
static void begin_anew(struct uplink *uplink)
{
    const char *program = uplink->hello.program;

    uplink_close(uplink);
    *uplink = (struct uplink){.hello = {.program = program}, .link = {.fd = -1}};
}

/* Connects and waits for the greeting. A failure is reported and ends the program. */
static bool connect_first(struct client *client, const struct login_terms *terms)
{
    struct uplink *uplink = &client->uplink;

    uplink_open(uplink, clock_ms());
    if (await_welcome(client))
        return true;
    if (client->quit)
        return false;
    bool nobody = uplink->tries > 0 && !uplink->link.reached;
    if (nobody && terms->alone) {
        begin_anew(uplink);
        return hosting_start_private(client) &&
               connect_first(client, &(struct login_terms){.alone = false});
    }
    if (nobody && terms->unnamed && hosting_find_private(client)) {
        begin_anew(uplink);
        client_aim(client, client->host->address, client->host->code);
        return connect_first(client, &(struct login_terms){.alone = false});
    }
    client_fail(client, "%s", uplink->cause.text);
    if (uplink->link.unreachable)
        fprintf(stderr, "ludus: %s\n", _(terms->advice != NULL ? terms->advice : no_server));
    return false;
}

/* Takes a name, or with NULL the player's own. If none of their own names is free, they play as a
 * guest if the code is right. False when that ends the program. */
static bool introduce(struct client *client, const char *name)
{
    const struct uplink *uplink = &client->uplink;

    enum hello_answer answer = name != NULL ? take_name(client, name) : take_own_name(client);
    struct cause cause = uplink->cause;
    if (client->quit)
        return false;
    if (answer == HELLO_WELCOME)
        login_keep_token(client, name != NULL);
    else if (name != NULL || answer == HELLO_NONE || (uplink->code_needed && !is_in(client)))
        client_fail(client, "%s", cause.text);
    return !client->quit;
}

void login(struct client *client, const struct login_terms *terms)
{
    struct uplink *uplink = &client->uplink;

    if (!connect_first(client, terms) || !find_code(client, terms))
        return;
    if (terms->device != NULL)
        snprintf(uplink->hello.device, sizeof uplink->hello.device, "%s", terms->device);
    bool named = !terms->guest || uplink->code_needed;
    if (named && !introduce(client, terms->name))
        return;
    uplink->comes_back = true;
    uplink->retry_ms = RETRY_MINUTES * 60000;
    /* The player's matches come right after the name; the reply says that they have come. */
    if (named)
        client_do(client, "ping");
}

/* Goes in over the new uplink, under the old name if it is free there. */
static enum hello_answer enter(struct client *client, const char *name)
{
    struct uplink *uplink = &client->uplink;
    enum hello_answer answer = HELLO_TAKEN;

    uplink_open(uplink, clock_ms());
    if (!await_welcome(client))
        return HELLO_NONE;
    if (uplink->code_needed && uplink->hello.code[0] == '\0') {
        cause_set(&uplink->cause, "%.100s: this server wants its join code", uplink->address);
        return HELLO_REFUSED;
    }
    if (name[0] != '\0')
        answer = take_name(client, name);
    return answer == HELLO_TAKEN ? take_own_name(client) : answer;
}

bool login_elsewhere(struct client *client, const char *address, const char *code, bool *wants_code,
                     struct cause *cause)
{
    struct uplink before = client->uplink;
    struct sitting sittings[SITTINGS_MAX];
    struct names names = client->names; /* of that server */

    memcpy(sittings, client->sittings, sizeof sittings);
    memset(client->sittings, 0, sizeof client->sittings);
    client->names = (struct names){.count = 0};
    client->uplink = (struct uplink){.hello = {.program = before.hello.program}};
    client_aim(client, address, code);
    bool in = enter(client, before.hello.name) == HELLO_WELCOME;
    *wants_code =
        client->uplink.code_needed && (code == NULL || client->uplink.answer == HELLO_BAD_CODE);
    if (!in) {
        *cause = client->uplink.cause;
        uplink_close(&client->uplink);
        client->uplink = before;
        memcpy(client->sittings, sittings, sizeof sittings);
        names_release(&client->names);
        client->names = names;
        return false;
    }
    client->uplink.comes_back = before.comes_back;
    client->uplink.retry_ms = before.retry_ms;
    uplink_close(&before);
    names_release(&names);
    login_keep_token(client, false);
    client->challenge[0] = client->rematch[0] = '\0';
    client_show(client, "");
    return client_do(client, "ping");
}

/* Reports the end and, unless the server refused the client, the way back. */
static void tell_end(struct client *client)
{
    const struct uplink *uplink = &client->uplink;
    bool replaced = strcmp(uplink->bye, "replaced") == 0;
    bool closed = strcmp(uplink->bye, "closed") == 0;
    bool refused = uplink->stage == UPLINK_GREETED || farewell(uplink->bye) != NULL;

    if (!client->quit)
        client_fail(client, "%s", uplink->cause.text);
    client->status = 1;
    if (replaced)
        tell_way_back(client, "");
    else if (closed)
        tell_way_back(client, _("when your friend hosts again, "));
    else if (!refused)
        tell_way_back(client, _("once the server answers again, "));
}

void login_again(struct client *client)
{
    struct uplink *uplink = &client->uplink;

    if (uplink->stage == UPLINK_ENDED && strcmp(uplink->bye, "quit") == 0) {
        client->quit = true;
        return;
    }
    if (uplink->stage != UPLINK_ENDED) {
        console_say(&client->console,
                    "The connection is lost; trying to come back for %d minutes (Ctrl-C ends "
                    "that).",
                    RETRY_MINUTES);
        memset(client->sittings, 0, sizeof client->sittings); /* the server sends them again */
        client->windows = 0;                                  /* that, too */
        hosting_replace_private(client);
        if (client->quit)
            return;
    }
    if (uplink->stage == UPLINK_ENDED || !await_welcome(client)) {
        tell_end(client);
        return;
    }
    login_keep_token(client, false); /* a restarted server gives a new one */
    /* Show the match on the screen again as it stands now. */
    bool over = client->view.known && client->view.status == STATE_OVER;
    if (servers_is_home(&client->uplink.servers, client->uplink.address))
        console_say(&client->console, "Connected again.");
    else
        console_say(&client->console, "Connected again, to %s.", client->uplink.servers.at);
    client->looks_again = client->view.match[0] != '\0' && !over;
    if (client->looks_again)
        client_post(client, "watch %s", client->view.match);
}
