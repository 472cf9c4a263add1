#include "dispatch.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/utf8.h"
#include "common/xmalloc.h"
#include "conclude.h"
#include "presence.h"
#include "rate_limit.h"
#include "referee.h"
#include "settle.h"

static enum status run_help(struct request *request);

static const struct command help_commands[] = {
    {.verb = "help",
     .usage = "[VERB]",
     .summary = "explains the commands",
     .max = 1,
     .cost = COST_OPENS,
     .run = run_help},
    {0},
};

static const struct command *const families[] = {
    session_commands, people_commands, lobby_commands, seat_commands,       watch_commands,
    match_commands,   review_commands, seek_commands,  tournament_commands, help_commands};

enum { FAMILIES = sizeof families / sizeof families[0], HELP_ROWS_MAX = 64 };

const struct command *command_find(const char *verb)
{
    for (int i = 0; i < FAMILIES; i++)
        for (const struct command *command = families[i]; command->verb != NULL; command++)
            if (strcasecmp(command->verb, verb) == 0)
                return command;
    return NULL;
}

/* Returns the place of a command, as command_at() takes it; 0 for NULL. */
static int command_number(const struct command *command)
{
    int number = 1;

    for (int i = 0; i < FAMILIES; i++)
        for (const struct command *row = families[i]; row->verb != NULL; row++, number++)
            if (row == command)
                return number;
    return 0;
}

const struct command *command_at(int number)
{
    for (int i = 0; i < FAMILIES; i++)
        for (const struct command *row = families[i]; row->verb != NULL; row++)
            if (--number == 0)
                return row;
    return NULL;
}

static const char *usage_of(const struct command *command)
{
    return command->usage != NULL ? command->usage : "";
}

static struct help_row help_row(const struct command *command)
{
    return (struct help_row){command->verb, usage_of(command), command->summary};
}

static enum status run_help(struct request *request)
{
    struct help_row rows[HELP_ROWS_MAX];
    size_t count = 0;

    if (request->arguments.count > 0) {
        const struct command *command = command_find(request->arguments.words[0]);
        if (command == NULL)
            return request_fail(request, STATUS_UNKNOWN_COMMAND, "unknown command '%.24s'",
                                request->arguments.words[0]);
        rows[count++] = help_row(command);
    }
    for (int i = 0; i < FAMILIES && request->arguments.count == 0; i++)
        for (const struct command *command = families[i]; command->verb != NULL; command++) {
            assert(count < HELP_ROWS_MAX);
            rows[count++] = help_row(command);
        }
    wire_help(request_begin(request), rows, count);
    return STATUS_OK;
}

static enum status read_arguments(struct request *request)
{
    const struct command *command = request->command;
    char *rest = request->message->rest;
    int words = *rest != '\0';

    if (!command->free_text) {
        const char *options = command->options != NULL ? command->options : "";
        if (!arguments_parse(&request->arguments, rest, options, &request->cause))
            return STATUS_BAD_ARGUMENTS;
        words = request->arguments.count;
    }
    if (words < command->min || words > command->max)
        return request_fail(request, STATUS_BAD_ARGUMENTS, "usage: %s%s%s", command->verb,
                            command->usage != NULL ? " " : "", usage_of(command));
    return STATUS_OK;
}

/* Finds the match that the command changes. What is due there by now happens first. */
static enum status find_table(struct request *request)
{
    const struct command *command = request->command;
    const struct arguments *arguments = &request->arguments;
    const char *id = command->match == MATCH_FIRST || arguments->count == command->max
                         ? arguments->words[0]
                         : NULL;
    struct table *table;

    /* The match may be one that an earlier line of the same session opens or joins. */
    if (request->session->unsettled > 0 &&
        (id == NULL || lobby_find(&request->server->lobby, id) == NULL)) {
        request->waits_for_own = true;
        return STATUS_OK;
    }
    enum status status = request_match(request, id, command->wanted, false, &table);
    if (status != STATUS_OK || request->waits_for_answer)
        return status;
    if (table->broken != NULL)
        return request_fail(request, STATUS_NOT_ALLOWED,
                            "match %s is damaged, and read-only until it is repaired: %.120s",
                            table->id, table->broken);
    /* A line that came in time may have had to sleep until after the flag. */
    if (!match_flag_is_down(&table->match, request->server->now_ms) ||
        match_flag_is_down(&table->match, request->arrived_ms))
        referee_enforce(request->server, table);
    request->table = table;
    if (!lock_is_free_for(&table->lock, &request->session->waiter))
        request->blocked = &table->lock;
    else if (match_flag_is_down(&table->match, request->arrived_ms))
        return STATUS_MATCH_OVER; /* that could not be kept yet */
    return STATUS_OK;
}

static bool must_sleep(const struct request *request)
{
    return request->blocked != NULL || request->waits_for_own || request->waits_for_answer;
}

/* Checks what the table says of the command, finds its match, and runs the handler. */
static enum status run(struct request *request)
{
    const struct command *command = request->command;

    if (!session_is_admitted(request->session) && (command == NULL || !command->before_code))
        return STATUS_CODE_NEEDED;
    if (command == NULL)
        return request_fail(request, STATUS_UNKNOWN_COMMAND,
                            "unknown command '%.24s': help lists all; a move is written move b2b3",
                            request->message->verb);
    enum status status = read_arguments(request);
    int64_t wait_ms = command->keeps ? rate_limit_keep_wait_ms(request->session) : 0;
    if (status == STATUS_OK && wait_ms > 0)
        return request_too_early(request, "the server keeps no more for your address today",
                                 wait_ms);
    if (status == STATUS_OK && command->match > MATCH_NEW)
        status = find_table(request);
    if (status != STATUS_OK || must_sleep(request))
        return status;
    return command->run(request);
}

/* Hands the unit of a command that went well on, with the reply. */
static void finish_unit(struct request *request, const char *line, size_t length)
{
    struct server *server = request->server;
    struct unit *unit = request->unit;

    request->blocked = conclude(unit, &server->lobby, request->arrived_ms, server->wall_s);
    if (request->blocked != NULL)
        return;
    request->session->errors_in_row = 0;
    unit->session = request->session;
    unit->command = command_number(request->command);
    unit->verb = request->command->verb;
    unit->arrived_ms = request->arrived_ms;
    unit->line = xstrndup(line, length);
    unit_set_reply(unit, request->reply.out->bytes, request->reply.out->length);
    request->unit = NULL;
    settle_add(server, unit);
}

static void tell_error(const struct request *request, enum status status)
{
    const struct command *command = request->command;
    const char *text = request->cause.text[0] != '\0' ? request->cause.text : NULL;
    struct wire error = settle_error(request->session, request->message->id,
                                     command != NULL ? command->verb : request->message->verb,
                                     command_number(command), status, text, request->retry_ms);

    settle_reply(request->session, &error);
}

/* Answers a command that has changed nothing. */
static void tell_read(struct request *request)
{
    if (!request->replied)
        request_send(request);
    request->session->errors_in_row = 0;
    tally_reply(&request->server->tally, command_number(request->command), STATUS_OK);
}

/* Runs one parsed line: exactly one reply is sent, now or when its unit is settled. False when it
 * has to sleep; then nothing has happened. */
static bool run_command(struct session *session, const struct command *command,
                        struct message *message, const char *line, size_t length)
{
    struct request request = {.server = session->server,
                              .session = session,
                              .player = session->player,
                              .command = command,
                              .arrived_ms = session->arrived_ms,
                              .message = message};

    enum status status = run(&request);
    if (status == STATUS_OK && !must_sleep(&request)) {
        if (request.unit != NULL)
            finish_unit(&request, line, length);
        else
            tell_read(&request);
    }
    if (request.unit != NULL)
        unit_free(request.unit, &session->server->lobby);
    if (must_sleep(&request)) {
        session->waits_for_own = request.waits_for_own;
        if (request.blocked != NULL)
            waiter_sleep(&session->waiter, request.blocked);
        return false;
    }
    rate_limit_count(session, request.rows / ROWS_A_COMMAND);
    if (status != STATUS_OK)
        tell_error(&request, status);
    return true;
}

/* Answers a line that no handler gets. `text` and `retry_ms` as for settle_error(). */
static void refuse(struct session *session, const struct message *message, enum status status,
                   const char *text, int64_t retry_ms)
{
    const struct command *command = message->verb != NULL ? command_find(message->verb) : NULL;
    struct wire error = settle_error(session, message->id, message->verb, command_number(command),
                                     status, text, retry_ms);

    settle_reply(session, &error);
}

/* The id of a line that is no clean text, if the id is: it still tells which line it was. */
static void parse_id(struct message *message, const char *line, size_t length)
{
    struct cause cause;

    while (length > 0 && *line == ' ')
        line++, length--;
    const char *space = memchr(line, ' ', length);
    size_t word = space != NULL ? (size_t)(space - line) : length;
    if (word > 0 && line[0] == '#' && utf8_is_clean(line, word))
        message_parse(message, line, word, &cause);
}

/* A line as it was read. */
struct reading {
    struct message message;
    bool clean, good; /* it is text, and it has the form of a command */
    struct cause cause;
    const struct command *command; /* NULL: none, or none of ours */
};

static void read_line(struct reading *reading, const char *line, size_t length)
{
    reading->message.id = reading->message.verb = reading->message.rest = NULL;
    reading->clean = utf8_is_clean(line, length);
    reading->good =
        reading->clean && message_parse(&reading->message, line, length, &reading->cause);
    if (!reading->clean)
        parse_id(&reading->message, line, length);
    const char *verb = reading->message.verb;
    reading->command = verb != NULL ? command_find(verb) : NULL;
}

/* Whether a line has to wait until what its sender's earlier lines change is settled: it reads, or
 * their name is not kept yet, or the keeper is shared, so that those lines may have to run again.
 */
static bool must_wait_for_own(const struct session *session, const struct reading *reading)
{
    if (session->unsettled == 0)
        return false;
    return session->server->keeper->kind->shared || session->player->lock.owner != NULL ||
           (reading != NULL && reading->good && reading->command != NULL &&
            reading->command->match == MATCH_UNCHANGED);
}

/* Counts a line. False when it comes too early, and is answered by that. */
static bool admit(struct session *session, const struct reading *reading)
{
    static const int costs[] = {[COST_PLAIN] = 1, [COST_BOARD] = 2, [COST_OPENS] = 5};
    int cost = costs[reading->good && reading->command != NULL ? reading->command->cost : 0];
    int64_t early_ms = rate_limit_wait_ms(session, cost);

    if (early_ms > 0) {
        refuse(session, &reading->message, STATUS_RATE_LIMITED, NULL, early_ms);
        return false;
    }
    rate_limit_count(session, cost);
    session->server->tally.commands += reading->good && reading->message.verb != NULL;
    session->line = LINE_COUNTED;
    return true;
}

/* Runs a line, or refuses one that is no command. False when it has to sleep. */
static bool take(struct session *session, struct reading *reading, const char *line, size_t length)
{
    struct message *message = &reading->message;

    if (!reading->clean)
        refuse(session, message, STATUS_BAD_ENCODING, NULL, 0);
    else if (!reading->good)
        refuse(session, &(struct message){.verb = message->verb}, STATUS_BAD_ARGUMENTS,
               reading->cause.text, 0);
    else if (message->verb != NULL)
        return run_command(session, reading->command, message, line, length);
    else if (message->id != NULL)
        refuse(session, message, STATUS_BAD_ARGUMENTS, "no command after the id: write #7 help", 0);
    return true;
}

/* Has a line sleep until what its sender's earlier lines change is settled. */
static bool wait_for_own(struct session *session)
{
    session->waits_for_own = true;
    return false;
}

/* A line is answered, with an error or not: closes a session that has made too many. */
static void end_line(struct session *session, int errors_before)
{
    session->line = LINE_NEW;
    waiter_leave(&session->waiter);
    presence_give_back(session->server, session->look_up);
    session_drop_look_up(session);
    if (session->errors_in_row > errors_before &&
        session->errors_in_row >= session->server->limits.errors)
        presence_close(session, "too-many-errors");
}

bool dispatch_resume(struct session *session)
{
    struct reading reading;
    char *line = session->again;
    enum line_stage next = session->line; /* the line behind it keeps what it has come to */
    int64_t next_arrived_ms = session->arrived_ms;
    int errors = session->errors_in_row;

    if (line == NULL || session_is_closing(session))
        return true;
    read_line(&reading, line, strlen(line));
    session->arrived_ms = session->again_arrived_ms;
    bool taken = take(session, &reading, line, strlen(line));
    session->arrived_ms = next_arrived_ms;
    if (!taken)
        return false;
    session->again = NULL;
    free(line);
    end_line(session, errors);
    session->line = next;
    return true;
}

/* Has a line sleep while the engine does not answer: this server may count as dead. */
static bool must_wait_for_engine(struct session *session)
{
    const struct keeper *keeper = session->server->keeper;

    session->waits_for_engine =
        keeper->kind->is_current != NULL && !keeper->kind->is_current(keeper);
    return session->waits_for_engine;
}

bool dispatch_line(struct session *session, const char *line, size_t length)
{
    struct reading reading;
    int errors = session->errors_in_row;

    if (session_is_closing(session))
        return true;
    if (must_wait_for_engine(session))
        return false;
    if (!dispatch_resume(session))
        return false;
    read_line(&reading, line, length);
    if (session->line == LINE_NEW) {
        session_heard(session, reading.good ? &reading.message : NULL);
        session->arrived_ms = session->server->now_ms;
        session->line = LINE_HEARD;
    }
    if (must_wait_for_own(session, &reading))
        return wait_for_own(session);
    if ((session->line == LINE_COUNTED || admit(session, &reading)) &&
        !take(session, &reading, line, length))
        return false;
    end_line(session, errors);
    return true;
}

bool dispatch_too_long(struct session *session)
{
    struct cause cause;
    int errors = session->errors_in_row;

    if (session_is_closing(session))
        return true;
    if (!dispatch_resume(session))
        return false;
    if (must_wait_for_own(session, NULL))
        return wait_for_own(session);
    session_heard(session, NULL);
    rate_limit_count(session, 1);
    cause_set(&cause, "line too long: at most %d bytes with its end",
              session->server->limits.line_bytes);
    refuse(session, &(struct message){.verb = NULL}, STATUS_LINE_TOO_LONG, cause.text, 0);
    end_line(session, errors);
    return true;
}

bool dispatch_no_line(struct session *session)
{
    bool early = rate_limit_wait_ms(session, 1) > 0;

    rate_limit_count(session, 1);
    session->errors_in_row += early;
    return session->errors_in_row < session->server->limits.errors;
}
