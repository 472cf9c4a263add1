#include "client.h"

#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "client/link/json_read.h"
#include "client/link/refusal.h"
#include "match_words.h"

enum {
    UNATTENDED_ANSWER_MS = 10000,
    QUIET_MS = 15000, /* people see a dead connection earlier than bots do */
    SLOW_MS = 5000    /* a reply that takes so long is told of */
};

/* Signals are read like any other input, so that no handler needs a global. */
static int open_signals(void)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGCONT, SIGWINCH};
    sigset_t set;

    sigemptyset(&set);
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        sigaddset(&set, numbers[i]);
    sigprocmask(SIG_BLOCK, &set, NULL);
    return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

void client_aim(struct client *client, const char *address, const char *code)
{
    struct uplink *uplink = &client->uplink;

    snprintf(uplink->address, sizeof uplink->address, "%s", address != NULL ? address : "");
    snprintf(uplink->hello.code, sizeof uplink->hello.code, "%s", code != NULL ? code : "");
    uplink->quiet_ms = QUIET_MS;
}

static void open_client(struct client *client, const struct client_handlers *handlers,
                        const char *address, const char *code)
{
    *client = (struct client){.handlers = handlers, .answer_ms = -1, .waiting.fd = -1};
    client->uplink.link.fd = -1;
    client->uplink.hello.program = "ludus/" LUDUS_VERSION;
    client_aim(client, address, code);
    signal(SIGPIPE, SIG_IGN);
    client->signals = open_signals();
}

void client_open_unattended(struct client *client, const struct client_handlers *handlers,
                            const char *address, const char *code)
{
    open_client(client, handlers, address, code);
    client->input.ended = true;
    console_open(&client->console, &client->input, &client->names);
    client->answer_ms = UNATTENDED_ANSWER_MS;
}

void client_open(struct client *client, const struct client_handlers *handlers, const char *address,
                 const char *code, const char *history)
{
    open_client(client, handlers, address, code);
    settings_load(&client->settings);
    input_open(&client->input, history);
    console_open(&client->console, &client->input, &client->names);
}

void client_close(struct client *client)
{
    input_close(&client->input);
    uplink_close(&client->uplink);
    names_release(&client->names);
    close(client->signals);
}

void client_face(struct client *client, const struct front *front)
{
    if (front != NULL)
        input_hand_over(&client->input);
    client->front = client->console.front = front;
}

/* Without a front this does nothing. */
static void tell_front(const struct client *client, enum front_event event)
{
    if (client->front != NULL)
        client->front->event(client->front->context, event);
}

void client_ask_to_quit(struct client *client)
{
    tell_front(client, FRONT_ASK_TO_QUIT);
}

void client_uncover(struct client *client)
{
    tell_front(client, FRONT_LEAVE);
    client_face(client, NULL);
}

static void end_client(struct client *client, int status)
{
    client->quit = true;
    client->status = status;
}

void client_fail(struct client *client, const char *format, ...)
{
    va_list args;

    client_uncover(client);
    input_hide(&client->input);
    fflush(stdout);
    va_start(args, format);
    fputs("ludus: ", stderr);
    vfprintf(stderr, text_translated(format), args);
    fputs("\n", stderr);
    va_end(args);
    end_client(client, 1);
}

void client_ring(struct client *client)
{
    if (!client->settings.bell)
        return;
    tell_front(client, FRONT_RING);
}

void client_me(const struct client *client, const char *guest, char text[CLIENT_ME_MAX])
{
    const char *name = client->uplink.hello.name, *shown = names_shown(&client->names, name);
    int others = client->windows - 1, used;
    char cut[PLAYER_DISPLAY_MAX];

    if (shown != name)
        used = snprintf(text, CLIENT_ME_MAX, "%s (%s)", name_cut(shown, cut), name);
    else
        used = snprintf(text, CLIENT_ME_MAX, "%s", name[0] != '\0' ? name : guest);
    if (others > 0)
        snprintf(text + used, CLIENT_ME_MAX - (size_t)used,
                 text_counted(", also here: %d window", ", also here: %d windows",
                              (unsigned long)others),
                 others);
}

/* Since when the server owes an answer; 0: it owes none. */
static int64_t owed_since_ms(const struct client *client)
{
    const struct uplink *uplink = &client->uplink;

    if (uplink->stage != UPLINK_IN)
        return 0;
    if (uplink->asked && (client->sent_ms == 0 || uplink->asked_ms < client->sent_ms))
        return uplink->asked_ms;
    return client->sent_ms;
}

bool client_trouble(const struct client *client, char text[TROUBLE_MAX])
{
    int64_t since_ms = owed_since_ms(client), owed_ms = clock_ms() - since_ms;

    text[0] = '\0';
    if (client->uplink.was_in && client->uplink.stage != UPLINK_IN &&
        client->uplink.stage != UPLINK_ENDED)
        snprintf(text, TROUBLE_MAX, "%s",
                 _("No connection. Trying to reconnect ... (Ctrl-C stops)"));
    else if (since_ms != 0 && owed_ms >= SLOW_MS && client->sent_move[0] != '\0')
        snprintf(text, TROUBLE_MAX, _("%s is sent. No answer for %lld s"), client->sent_move,
                 (long long)owed_ms / 1000);
    else if (since_ms != 0 && owed_ms >= SLOW_MS)
        snprintf(text, TROUBLE_MAX, _("No answer for %lld s"), (long long)owed_ms / 1000);
    return text[0] != '\0';
}

/* When client_trouble() has something else to say, as long as nothing comes. */
static int64_t trouble_due_ms(const struct client *client)
{
    int64_t since_ms = owed_since_ms(client), owed_ms = clock_ms() - since_ms;

    if (client->front == NULL || since_ms == 0)
        return INT64_MAX;
    return since_ms + (owed_ms < SLOW_MS ? SLOW_MS : (owed_ms / 1000 + 1) * 1000);
}

void client_keep_settings(struct client *client)
{
    struct cause cause;

    if (!settings_save(&client->settings, &cause))
        console_say(&client->console, "The setting was not saved: %s.", cause.text);
}

void client_change_bell(struct client *client)
{
    client->settings.bell = !client->settings.bell;
    console_say(&client->console, client->settings.bell
                                      ? "The bell is on: it rings when it is your turn."
                                      : N_("The bell is off."));
    client_keep_settings(client);
    client_ring(client);
}

/* The first Ctrl-C clears the line, the second ends the program. Where nobody types, the first
 * does. */
static void on_interrupt(struct client *client)
{
    bool connected = client->uplink.link.fd >= 0;

    client->interrupts++;
    if (client->interrupts == 1 && connected && client->handlers->interrupted != NULL)
        client->handlers->interrupted(client);
    if (client->front != NULL && connected) {
        tell_front(client, FRONT_INTERRUPT);
        return;
    }
    if (client->interrupts == 1 && input_is_typed(&client->input) && connected) {
        input_clear(&client->input);
        console_say(&client->console, "(Ctrl-C again, or quit, ends the program.)");
        return;
    }
    end_client(client, input_is_typed(&client->input) && connected ? 0 : 1);
}

static void handle_signals(struct client *client)
{
    struct signalfd_siginfo info;

    while (read(client->signals, &info, sizeof info) == (ssize_t)sizeof info) {
        if (info.ssi_signo == SIGINT) {
            on_interrupt(client);
        } else if (info.ssi_signo == SIGTSTP) {
            tell_front(client, FRONT_SUSPEND);
            input_hide(&client->input);
            fflush(stdout);
            input_release(&client->input);
            raise(SIGSTOP);
            input_resume(&client->input);
            tell_front(client, FRONT_RESUME);
        } else if (info.ssi_signo == SIGCONT) {
            tell_front(client, FRONT_RESUME); /* after a stop without warning */
        } else if (info.ssi_signo == SIGWINCH) {
            tell_front(client, FRONT_RESIZE);
            if (client->front == NULL)
                input_resize(&client->input);
        } else {
            end_client(client, 1);
        }
    }
}

/* Flushes the output; the program ends when nobody reads it. */
static bool flush_output(struct client *client)
{
    if (client->front != NULL) {
        client->front->paint(client->front->context);
        return true;
    }
    if (fflush(stdout) == 0)
        return true;
    end_client(client, 1);
    return false;
}

/* Connects. That may take long, so Ctrl-C and the terminal work as usual meanwhile. */
static void dial_uplink(struct client *client)
{
    sigset_t usual, blocked;

    sigemptyset(&usual);
    if (client->front != NULL) { /* the front must hear of these */
        sigaddset(&usual, SIGTSTP);
        sigaddset(&usual, SIGWINCH);
    }
    input_hide(&client->input);
    fflush(stdout);
    input_release(&client->input);
    sigprocmask(SIG_SETMASK, &usual, &blocked);
    uplink_tick(&client->uplink, clock_ms());
    sigprocmask(SIG_SETMASK, &blocked, NULL);
    input_resume(&client->input);
}

/* One turn of the loop, which ends at due_ms at the latest. client_next() reports a broken
 * connection. */
static void run_turn(struct client *client, bool keys, int64_t due_ms)
{
    if (!flush_output(client))
        return;
    bool broken = client->uplink.broken;
    bool reading = keys && (client->front != NULL || input_wants(&client->input));
    struct pollfd fds[] = {{.fd = client->signals, .events = POLLIN},
                           {.fd = reading ? STDIN_FILENO : -1, .events = POLLIN},
                           {.fd = broken ? -1 : client->uplink.link.fd, .events = POLLIN},
                           {.fd = client->waiting.fd, .events = POLLIN}};

    if (!broken)
        due_ms = sooner_ms(due_ms, uplink_due_ms(&client->uplink));
    due_ms = sooner_ms(due_ms, trouble_due_ms(client));
    if (poll(fds, sizeof fds / sizeof fds[0], until_ms(due_ms)) > 0) {
        /* Handle everything that is ready. */
        if (fds[0].revents != 0)
            handle_signals(client);
        if (fds[1].revents != 0 && !client->quit) {
            if (client->front == NULL) {
                client->interrupts = 0;
                input_read(&client->input);
            } else if ((fds[1].revents & POLLIN) != 0) {
                client->front->keys(client->front->context);
            } else { /* the terminal is gone */
                end_client(client, 1);
            }
        }
        if (fds[3].revents != 0 && client->waiting.fd == fds[3].fd)
            client->waiting.ready(client->waiting.context);
        if (fds[2].revents != 0 && client->uplink.link.fd == fds[2].fd)
            uplink_receive(&client->uplink, clock_ms());
    }
    if (!client->quit) {
        const struct uplink *uplink = &client->uplink;

        if (uplink->stage == UPLINK_DOWN && uplink_due_ms(uplink) <= clock_ms())
            dial_uplink(client);
        else
            uplink_tick(&client->uplink, clock_ms());
    }
}

void client_turn(struct client *client, int64_t due_ms)
{
    run_turn(client, false, due_ms);
}

void client_show(struct client *client, const char *match)
{
    client->view = (struct match_state){0};
    snprintf(client->view.match, sizeof client->view.match, "%s", match);
    client->looks_again = false;
    client->claim_due_ms = 0;
    client->go = match[0] != '\0';
}

enum uplink_event client_next(struct client *client, cJSON **message)
{
    enum uplink_event event = uplink_next(&client->uplink, clock_ms(), message);

    if (event == UPLINK_MESSAGE)
        names_learn(&client->names, *message);
    else if (event == UPLINK_WELCOME)
        names_note(&client->names, client->uplink.name, client->uplink.display);
    return event;
}

/* Handles messages, or the loss of the connection. Returns whether there was any. */
static bool handle_messages(struct client *client)
{
    enum uplink_event event = UPLINK_MESSAGE;
    bool any = false;
    cJSON *message;

    while (event == UPLINK_MESSAGE && !client->quit) {
        event = client_next(client, &message);
        if (event == UPLINK_MESSAGE)
            client->handlers->message(client, message);
        else if (event == UPLINK_LOST)
            client->handlers->lost(client);
        any = any || event != UPLINK_NOTHING;
        cJSON_Delete(message);
    }
    return any;
}

/* When something is due next; INT64_MAX: never. */
static int64_t next_due_ms(const struct client *client)
{
    int64_t due_ms = client->claim_due_ms != 0 ? client->claim_due_ms : INT64_MAX;

    if (client->waiting.fd >= 0)
        due_ms = sooner_ms(due_ms, client->waiting.due_ms);
    if (client->front != NULL)
        due_ms = sooner_ms(due_ms, client->front->due_ms(client->front->context));
    return due_ms;
}

void client_wait(struct client *client, const char *prompt)
{
    if (client->claim_due_ms != 0 && until_ms(client->claim_due_ms) == 0) {
        client->claim_due_ms = 0;
        if (client->handlers->claim_due != NULL)
            client->handlers->claim_due(client);
    }
    if (client->waiting.fd >= 0 && until_ms(client->waiting.due_ms) == 0) {
        client->waiting.ready(client->waiting.context);
        return;
    }
    if (handle_messages(client) || client->quit)
        return;
    if (prompt != NULL)
        input_show(&client->input, prompt);
    else
        input_hide(&client->input);
    /* Without line editing nothing is lost by reading ahead, and the end of input is noticed. */
    run_turn(client, prompt != NULL || client->input.mode != INPUT_EDITED, next_due_ms(client));
}

const char *client_line(struct client *client, const char *prompt)
{
    const char *line = input_take(&client->input, prompt);

    if (line != NULL)
        client->interrupts = 0;
    return line;
}

const char *client_await_line(struct client *client, const char *prompt)
{
    const char *line = NULL;

    while (!client->quit && !client->go && (line = client_line(client, prompt)) == NULL) {
        if (input_has_more(&client->input))
            client_wait(client, prompt);
        else
            client->quit = true;
    }
    return line;
}

cJSON *client_message(struct client *client, int timeout_ms)
{
    int64_t end_ms = timeout_ms < 0 ? INT64_MAX : clock_ms() + timeout_ms;
    cJSON *message;

    while (client_next(client, &message) == UPLINK_NOTHING) {
        if (client->quit || clock_ms() >= end_ms || !uplink_is_up(&client->uplink))
            return NULL;
        client_turn(client, end_ms);
    }
    return message; /* NULL when the connection is lost */
}

cJSON *client_exchange(struct client *client, int timeout_ms, const char *line)
{
    bool aside = client->aside;
    char id[16];
    cJSON *message;

    snprintf(id, sizeof id, "%u", ++client->requests);
    uplink_send(&client->uplink, "#%s %s", id, line);
    while ((message = client_message(client, timeout_ms)) != NULL) {
        if (strcmp(json_text_or(message, "id", ""), id) == 0)
            return message;
        client->aside = true;
        client->handlers->message(client, message);
        client->aside = aside;
        cJSON_Delete(message);
    }
    return NULL;
}

const char *client_line_fault(const struct client *client, const char *line)
{
    bool keeps_text = client->uplink.link.keeps_text;
    const char *format = keeps_text ? "format=text" : "format=json";

    for (int word = 0; *(line += strspn(line, " \t")) != '\0'; word++) {
        size_t length = strcspn(line, " \t");
        if (word == 0 && length == 5 && strncasecmp(line, "hello", length) == 0)
            return _("You have a name here. For another start the program with --name NAME.");
        if (word == 0 && (length != 3 || strncasecmp(line, "set", length) != 0))
            break;
        /* This program reads the replies as it has asked for them. */
        if (strncasecmp(line, format, 7) == 0 &&
            (length != strlen(format) || strncasecmp(line, format, length) != 0))
            return keeps_text ? _("Replies must stay text here.")
                              : _("Replies must stay JSON here.");
        line += length;
    }
    return strchr(line, '\r') != NULL ? _("A line cannot have a line break in it.") : NULL;
}

void client_tell_too_long(struct client *client)
{
    char message[96];

    snprintf(message, sizeof message, _("that line is too long: %d bytes at most"),
             TYPED_LINE_MAX - 1);
    client_say_refusal(client, message);
}

static cJSON *send_request(struct client *client, const char *format, va_list args)
    __attribute__((format(printf, 2, 0)));

static cJSON *send_request(struct client *client, const char *format, va_list args)
{
    char line[TYPED_LINE_MAX];

    if (vsnprintf(line, sizeof line, format, args) >= TYPED_LINE_MAX) {
        client_tell_too_long(client);
        return NULL;
    }
    int64_t before_ms = client->sent_ms; /* of a request that has led to this one */
    client->sent_ms = before_ms != 0 ? before_ms : clock_ms();
    cJSON *reply = client_exchange(client, client->answer_ms, line);
    client->sent_ms = before_ms;
    bool aside = client->aside;
    client->aside = true;
    if (reply == NULL && !client->quit)
        client->handlers->lost(client);
    client->aside = aside;
    return reply;
}

cJSON *client_request(struct client *client, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    cJSON *reply = send_request(client, format, args);
    va_end(args);
    return reply;
}

void client_say_refusal(struct client *client, const char *message)
{
    char sentence[SENTENCE_MAX];

    if (client->asks == NULL) {
        console_say(&client->console, "%s", sentence_of(message, sentence));
        return;
    }
    fflush(stdout);
    fprintf(stderr, "ludus: %s%s%s\n", client->asks, client->asks[0] != '\0' ? ": " : "", message);
}

bool client_accepted(struct client *client, const cJSON *reply)
{
    if (strcmp(json_text_or(reply, "type", ""), "error") != 0)
        return true;
    const struct match_state *view = &client->view;
    struct cause why;

    refusal_read_move(reply, game_find(view->game, strlen(view->game)), view->position,
                      view->variant, client->sent_move, &why);
    client->refusals++;
    client_say_refusal(client, why.text);
    return false;
}

/* The reply; NULL if it is a refusal. */
static cJSON *accept_reply(struct client *client, cJSON *reply)
{
    if (reply == NULL || client_accepted(client, reply))
        return reply;
    cJSON_Delete(reply);
    return NULL;
}

cJSON *client_vask(struct client *client, const char *format, va_list args)
{
    return accept_reply(client, send_request(client, format, args));
}

cJSON *client_ask(struct client *client, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    cJSON *reply = client_vask(client, format, args);
    va_end(args);
    return reply;
}

bool client_do(struct client *client, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    cJSON *reply = client_vask(client, format, args);
    va_end(args);
    bool done = reply != NULL;
    cJSON_Delete(reply);
    return done;
}

void client_post(struct client *client, const char *format, ...)
{
    char line[TYPED_LINE_MAX];
    va_list args;

    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    uplink_send(&client->uplink, "%s", line);
}

static int find_sitting(const struct client *client, const char *match)
{
    int i = 0;

    while (i < SITTINGS_MAX && strcmp(client->sittings[i].match, match) != 0)
        i++;
    return i;
}

/* "Clobber 5x6 against bob" */
static void write_label(const struct match_state *view, char *label, size_t size)
{
    char game[GAME_LABEL_MAX];
    enum color mine;

    game_label(view->game, view->variant, game);
    if (!match_state_my_color(view, &mine))
        snprintf(label, size, _("%s, both sides"), game);
    else if (view->seats[!mine].name[0] == '\0')
        snprintf(label, size, _("%s, waiting for somebody"), game);
    else
        snprintf(label, size, _("%s against %s"), game, seat_shown(&view->seats[!mine]));
}

/* "bob, Clobber 5x6": where the row is cut, the name stays. */
static void write_row(const struct match_state *view, struct sitting *sitting)
{
    char game[GAME_LABEL_MAX];
    enum color mine;

    game_label(view->game, view->variant, game);
    if (match_state_my_color(view, &mine) && view->seats[!mine].name[0] != '\0')
        snprintf(sitting->row, sizeof sitting->row, "%s, %s", seat_shown(&view->seats[!mine]),
                 game);
    else
        memcpy(sitting->row, sitting->label, sizeof sitting->row);
}

static void note_offers(const struct match_state *view, struct sitting *sitting)
{
    enum color mine;
    bool against = match_state_my_color(view, &mine);

    snprintf(sitting->other, sizeof sitting->other, "%s", against ? view->seats[!mine].name : "");
    for (enum offer what = OFFER_DRAW; what < OFFER_KINDS; what++)
        sitting->asked[what] = match_state_asked(view, what);
}

struct sitting *sitting_note(struct client *client, const struct match_state *view)
{
    int i = find_sitting(client, view->match);

    if (!match_state_seated(view) || view->status == STATE_OVER) {
        if (i < SITTINGS_MAX)
            client->sittings[i] = (struct sitting){.match = ""};
        return NULL;
    }
    if (i == SITTINGS_MAX)
        i = find_sitting(client, "");
    if (i == SITTINGS_MAX)
        return NULL;
    struct sitting *sitting = &client->sittings[i];
    if (sitting->match[0] == '\0')
        sitting->told_ply = -1;
    snprintf(sitting->match, sizeof sitting->match, "%s", view->match);
    write_label(view, sitting->label, sizeof sitting->label);
    write_row(view, sitting);
    note_offers(view, sitting);
    sitting->ply = view->ply;
    snprintf(sitting->game, sizeof sitting->game, "%s", view->game);
    snprintf(sitting->counts, sizeof sitting->counts, "%s",
             match_is_rated(view) || view->of_tournament ? view->position : "");
    sitting->my_turn = match_state_my_turn(view);
    enum color mine;
    sitting->with_person = view->status == STATE_PLAYING && match_state_my_color(view, &mine) &&
                           !view->seats[!mine].bot;
    return sitting;
}

int sitting_count(const struct client *client)
{
    int count = 0;

    for (int i = 0; i < SITTINGS_MAX; i++)
        count += client->sittings[i].match[0] != '\0';
    return count;
}

bool sitting_has(const struct client *client, const char *match)
{
    return match[0] != '\0' && find_sitting(client, match) < SITTINGS_MAX;
}

struct sitting *sitting_find(struct client *client, const char *match)
{
    return sitting_has(client, match) ? &client->sittings[find_sitting(client, match)] : NULL;
}

const char *sitting_other(const struct client *client)
{
    const char *other = NULL;

    for (int i = 0; i < SITTINGS_MAX; i++) {
        const char *match = client->sittings[i].match;
        if (match[0] == '\0' || strcmp(match, client->view.match) == 0)
            continue;
        if (other != NULL)
            return NULL;
        other = match;
    }
    return other;
}
