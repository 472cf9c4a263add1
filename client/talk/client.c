#include "client.h"

#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/signalfd.h>
#include <unistd.h>

enum { UNATTENDED_ANSWER_MS = 10000 };

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
}

static void open_rest(struct client *client, const struct client_handlers *handlers,
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
    open_rest(client, handlers, address, code);
    client->console.input = &client->input;
    client->answer_ms = UNATTENDED_ANSWER_MS;
}

void client_open(struct client *client, const struct client_handlers *handlers, const char *address,
                 const char *code, const char *history)
{
    open_rest(client, handlers, address, code);
    settings_load(&client->settings);
    input_open(&client->input, history);
    console_open(&client->console, &client->input);
}

void client_close(struct client *client)
{
    input_close(&client->input);
    uplink_close(&client->uplink);
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

void client_uncover(struct client *client)
{
    tell_front(client, FRONT_LEAVE);
    client_face(client, NULL);
}

static void end(struct client *client, int status)
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
    vfprintf(stderr, format, args);
    fputs("\n", stderr);
    va_end(args);
    end(client, 1);
}

void client_ring(struct client *client)
{
    if (!client->settings.bell)
        return;
    tell_front(client, FRONT_RING);
    if (client->front == NULL && input_prompts(&client->input))
        putchar('\a');
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
                                      : "The bell is off.");
    client_keep_settings(client);
    client_ring(client);
}

/* The first Ctrl-C clears the line, the second ends the program. Where nobody types, the first
 * does. */
static void interrupt(struct client *client)
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
    end(client, input_is_typed(&client->input) && connected ? 0 : 1);
}

static void suspend(struct client *client)
{
    tell_front(client, FRONT_SUSPEND);
    input_hide(&client->input);
    fflush(stdout);
    input_release(&client->input);
    raise(SIGSTOP);
    input_resume(&client->input);
    tell_front(client, FRONT_RESUME);
}

static void resize(struct client *client)
{
    tell_front(client, FRONT_RESIZE);
    if (client->front == NULL)
        input_resize(&client->input);
}

static void handle_signals(struct client *client)
{
    struct signalfd_siginfo info;

    while (read(client->signals, &info, sizeof info) == (ssize_t)sizeof info) {
        if (info.ssi_signo == SIGINT) {
            interrupt(client);
        } else if (info.ssi_signo == SIGTSTP) {
            suspend(client);
        } else if (info.ssi_signo == SIGCONT) {
            tell_front(client, FRONT_RESUME); /* after a stop without warning */
        } else if (info.ssi_signo == SIGWINCH) {
            resize(client);
        } else {
            end(client, 1);
        }
    }
}

/* Flushes the output; the program ends when nobody reads it. */
static bool put_out(struct client *client)
{
    if (client->front != NULL) {
        client->front->paint(client->front->context);
        return true;
    }
    if (fflush(stdout) == 0)
        return true;
    end(client, 1);
    return false;
}

static void read_keys(struct client *client, short events)
{
    if (client->front == NULL) {
        client->interrupts = 0;
        input_read(&client->input);
    } else if ((events & POLLIN) != 0) {
        client->front->keys(client->front->context);
    } else { /* the terminal is gone */
        end(client, 1);
    }
}

/* Connects. That may take long, so Ctrl-C and the terminal work as usual meanwhile. */
static void dial(struct client *client)
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

static void tick(struct client *client)
{
    const struct uplink *uplink = &client->uplink;

    if (uplink->stage == UPLINK_DOWN && uplink_due_ms(uplink) <= clock_ms())
        dial(client);
    else
        uplink_tick(&client->uplink, clock_ms());
}

/* Handles everything that is ready. */
static void handle_ready(struct client *client, const struct pollfd fds[4])
{
    if (fds[0].revents != 0)
        handle_signals(client);
    if (fds[1].revents != 0 && !client->quit)
        read_keys(client, fds[1].revents);
    if (fds[3].revents != 0 && client->waiting.fd == fds[3].fd)
        client->waiting.ready(client->waiting.context);
    if (fds[2].revents != 0 && client->uplink.link.fd == fds[2].fd)
        uplink_receive(&client->uplink, clock_ms());
}

/* One turn of the loop, which ends at due_ms at the latest. uplink_next() reports a broken
 * connection, perhaps later while the client is paced. */
static void turn(struct client *client, bool keys, int64_t due_ms)
{
    if (!put_out(client))
        return;
    bool broken = client->uplink.broken;
    bool reading = keys && (client->front != NULL || input_wants(&client->input));
    struct pollfd fds[] = {{.fd = client->signals, .events = POLLIN},
                           {.fd = reading ? STDIN_FILENO : -1, .events = POLLIN},
                           {.fd = broken ? -1 : client->uplink.link.fd, .events = POLLIN},
                           {.fd = client->waiting.fd, .events = POLLIN}};

    if (!broken)
        due_ms = sooner_ms(due_ms, uplink_due_ms(&client->uplink));
    if (poll(fds, sizeof fds / sizeof fds[0], until_ms(due_ms)) > 0)
        handle_ready(client, fds);
    if (!client->quit)
        tick(client);
}

void client_turn(struct client *client, int64_t due_ms)
{
    turn(client, false, due_ms);
}

void client_show(struct client *client, const char *match)
{
    client->view = (struct match_state){0};
    snprintf(client->view.match, sizeof client->view.match, "%s", match);
    client->turned = false;
    client->awaiting = false;
    client->claim_due_ms = 0;
    client->go = match[0] != '\0';
}

static bool is_paced(const struct client *client)
{
    return client->paced_ms > clock_ms();
}

/* Handles messages, or the loss of the connection. Returns whether there was any. */
static bool handle_messages(struct client *client)
{
    enum uplink_event event = UPLINK_MESSAGE;
    bool any = false;
    cJSON *message;

    while (event == UPLINK_MESSAGE && !client->quit && !is_paced(client)) {
        event = uplink_next(&client->uplink, clock_ms(), &message);
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

    if (is_paced(client))
        due_ms = sooner_ms(due_ms, client->paced_ms);
    if (client->waiting.fd >= 0)
        due_ms = sooner_ms(due_ms, client->waiting.due_ms);
    if (client->front != NULL)
        due_ms = sooner_ms(due_ms, client->front->due_ms(client->front->context));
    return due_ms;
}

void client_wait(struct client *client, const char *prompt)
{
    if (client->claim_due_ms != 0 && until_ms(client->claim_due_ms) == 0)
        client->handlers->claim_due(client);
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
    turn(client, prompt != NULL || client->input.mode != INPUT_EDITED, next_due_ms(client));
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
