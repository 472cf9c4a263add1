#include "command.h"

#include <stdarg.h>
#include <string.h>
#include <strings.h>

#include "log.h"
#include "pace.h"
#include "referee.h"

const struct command *const command_families[] = {session_commands, people_commands, lobby_commands,
                                                  match_commands, NULL};

const struct command *command_find(const char *verb)
{
    for (const struct command *const *family = command_families; *family != NULL; family++)
        for (const struct command *command = *family; command->verb != NULL; command++)
            if (strcasecmp(command->verb, verb) == 0)
                return command;
    return NULL;
}

int command_number(const struct command *command)
{
    int number = 1;

    for (const struct command *const *family = command_families; *family != NULL; family++)
        for (const struct command *row = *family; row->verb != NULL; row++, number++)
            if (row == command)
                return number;
    return 0;
}

enum status request_fail(struct request *request, enum status status, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    cause_vset(&request->cause, format, args);
    va_end(args);
    return status;
}

/* A verb that is none may be anything, such as a token in the wrong place. */
static void note_refusal(struct session *session, const char *verb, enum status status)
{
    const struct command *command = verb != NULL ? command_find(verb) : NULL;

    turn_count(session->server,
               tally_replies(&session->server->tally, command_number(command), status));
    if (session->player != NULL)
        log_line(LOG_DEBUG, "event=refused peer=%s cmd=%s code=%s", session->player->name,
                 command != NULL ? command->verb : "none", status_word(status));
}

enum status request_too_early(struct request *request, const char *what, int64_t retry_ms)
{
    request->retry_ms = retry_ms;
    return request_fail(request, STATUS_RATE_LIMITED, "%s: wait %.1f s", what,
                        (double)retry_ms / 1000);
}

enum status request_may_open(struct request *request, const struct player *opener,
                             const struct origin *origin)
{
    const struct limits *limits = &request->server->limits;

    if (opener->unfinished >= limits->matches)
        return request_fail(request, STATUS_LIMIT_REACHED,
                            "unfinished matches: %s %d, this server allows %d",
                            opener == request->player ? "you have" : "the other player has",
                            opener->unfinished, limits->matches);
    if (origin != NULL && origin->unfinished >= limits->address_matches)
        return request_fail(request, STATUS_LIMIT_REACHED,
                            "unfinished matches: from %s come %d, this server allows %d",
                            opener == request->player ? "your address" : "the other's address",
                            origin->unfinished, limits->address_matches);
    if (server_is_full(request->server))
        return request_fail(request, STATUS_SERVER_BUSY,
                            "there are as many unfinished matches as this server allows");
    return STATUS_OK;
}

static void tell_error(struct session *session, const char *id, const char *verb,
                       enum status status, const char *text, int64_t retry_ms)
{
    struct wire error = session_wire(session, id);

    note_refusal(session, verb, status);
    wire_error(&error, verb, status_word(status), text != NULL ? text : status_sentence(status),
               status == STATUS_RATE_LIMITED ? retry_ms : -1);
    session_send(session, &error);
    turn_count(session->server, &session->server->counters.errors);
    session->errors_in_row++;
}

void command_close_erring(struct session *session)
{
    if (session->errors_in_row < session->server->limits.errors)
        return;
    turn_answered(session->server); /* what he leaves behind is no part of the command */
    session_close(session, "too-many-errors");
}

static void send_error(struct session *session, const char *id, const char *verb,
                       enum status status, const char *text, int64_t retry_ms)
{
    tell_error(session, id, verb, status, text, retry_ms);
    command_close_erring(session);
}

void command_tell_error(struct session *session, const char *id, const char *verb,
                        enum status status, const char *text)
{
    tell_error(session, id, verb, status, text, 0);
}

void command_error(struct session *session, const char *id, const char *verb, enum status status,
                   const char *text)
{
    send_error(session, id, verb, status, text, 0);
}

void command_error_rate(struct session *session, const char *id, const char *verb, int64_t retry_ms)
{
    send_error(session, id, verb, STATUS_RATE_LIMITED, NULL, retry_ms);
}

const struct wire *request_begin(struct request *request)
{
    struct buffer *out = &request->server->reply;

    out->length = 0;
    request->reply = (struct wire){out, request->session->text, request->message->id};
    return &request->reply;
}

void request_reply(struct request *request)
{
    session_send(request->session, &request->reply);
    request->replied = true;
}

void request_ok(struct request *request, struct ok ok)
{
    wire_ok(request_begin(request), request->command->verb, &ok);
    request_reply(request);
}

static bool wants_text(const struct command *command)
{
    return command->options == NULL;
}

static enum status read_arguments(struct request *request)
{
    const struct command *command = request->command;
    char *rest = request->message->rest;
    int words = *rest != '\0';

    if (!wants_text(command)) {
        if (!arguments_parse(&request->arguments, rest, command->options, &request->cause))
            return STATUS_BAD_ARGUMENTS;
        words = request->arguments.count;
    }
    if (words < command->min || words > command->max)
        return request_fail(request, STATUS_BAD_ARGUMENTS, "usage: %s%s%s", command->verb,
                            command->usage[0] != '\0' ? " " : "", command->usage);
    return STATUS_OK;
}

static enum status run(struct request *request)
{
    const struct command *command = request->command;

    if (!request->session->admitted && (command == NULL || !command->before_code))
        return STATUS_CODE_NEEDED;
    if (command == NULL)
        return request_fail(request, STATUS_UNKNOWN_COMMAND,
                            "there is no command '%.24s': help lists them; moves are written as "
                            "move b2b3",
                            request->message->verb);
    enum status status = read_arguments(request);
    return status == STATUS_OK ? command->run(request) : status;
}

void command_run(struct session *session, const struct command *command, struct message *message)
{
    struct request request = {.server = session->server,
                              .session = session,
                              .player = session->player,
                              .command = command,
                              .message = message};
    const char *verb = command != NULL ? command->verb : message->verb;

    session->server->counters.commands++;
    turn_begin_command(session->server, session, message->id, verb);
    enum status status = run(&request);
    if (status == STATUS_OK && !request.replied)
        request_reply(&request);
    pace_count(session, request.rows / ROWS_A_COMMAND);
    if (status != STATUS_OK) {
        const char *text = request.cause.text[0] != '\0' ? request.cause.text : NULL;
        send_error(session, message->id, verb, status, text, request.retry_ms);
    } else {
        session->errors_in_row = 0;
        turn_count(session->server,
                   tally_replies(&session->server->tally, command_number(command), STATUS_OK));
    }
    turn_end_command(session->server);
}

enum status request_choice(struct request *request, const char *option, const char *first,
                           const char *second, bool *is_first)
{
    const char *value = arguments_option(&request->arguments, option);

    if (value == NULL)
        return STATUS_OK;
    if (strcasecmp(value, first) != 0 && strcasecmp(value, second) != 0)
        return request_fail(request, STATUS_BAD_ARGUMENTS, "%s= is %s or %s", option, first,
                            second);
    *is_first = strcasecmp(value, first) == 0;
    return STATUS_OK;
}

/* A table is one of the choices when no match was named. */
struct choice {
    struct table *table;
    int count;
};

static void choose(struct choice *choice, struct table *table)
{
    if (choice->table != table)
        choice->count++;
    choice->table = table;
}

static struct choice choose_seated(const struct request *request, enum match_status status)
{
    struct choice choice = {0};
    struct seat *seat;

    TAILQ_FOREACH (seat, &request->player->seats, link)
        if (seat->joined && seat->table->match.status == status)
            choose(&choice, seat->table);
    /* Among the finished ones the latest is meant: seats stand in the order they were taken. */
    if (status == MATCH_OVER && choice.count > 0)
        choice.count = 1;
    return choice;
}

static struct choice choose_watched(const struct request *request)
{
    struct choice choice = {0};
    struct watch *watch;

    LIST_FOREACH (watch, &request->session->watches, by_session)
        choose(&choice, watch->table);
    return choice;
}

/* Does what is due at the table. A command that changes nothing is answered whether that can be
 * kept or not, so it is no part of that turn. */
static void settle(struct request *request, struct table *table)
{
    bool looks = !request->command->joins_turn;

    if (looks)
        turn_answered(request->server);
    referee_settle(request->server, table);
    if (looks)
        turn_end(request->server);
}

enum status request_match(struct request *request, const char *id, unsigned wanted, bool watched,
                          struct table **table)
{
    static const enum match_status order[] = {MATCH_PLAYING, MATCH_OPEN, MATCH_OVER};
    struct choice choice = {0};

    if (id != NULL) {
        *table = lobby_find(&request->server->lobby, id);
        if (*table == NULL)
            return request_fail(request, STATUS_UNKNOWN_MATCH, "there is no match '%.24s'", id);
        settle(request, *table);
        return STATUS_OK;
    }
    for (int i = 0; i < 3 && choice.count == 0; i++)
        if (wanted & 1u << order[i])
            choice = choose_seated(request, order[i]);
    if (choice.count == 0 && watched)
        choice = choose_watched(request);
    if (choice.count == 0)
        return request_fail(request, STATUS_UNKNOWN_MATCH, "%s: name one",
                            wanted == 1u << MATCH_OVER ? "no match of yours is over"
                                                       : "you are in no match");
    if (choice.count > 1)
        return STATUS_AMBIGUOUS_MATCH;
    *table = choice.table;
    settle(request, *table);
    return STATUS_OK;
}
