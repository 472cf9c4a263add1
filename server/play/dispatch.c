#include "dispatch.h"

#include <assert.h>
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/text.h"
#include "common/xmalloc.h"
#include "house.h"
#include "presence.h"
#include "rate_limit.h"
#include "referee.h"
#include "server/base/log.h"
#include "settle.h"

enum { HELP_ROWS_MAX = 64 };

/* --- What handlers use --- */

struct unit *request_unit(struct request *request)
{
    if (request->unit == NULL)
        request->unit = unit_new();
    return request->unit;
}

struct table *request_edit(struct request *request)
{
    return unit_edit(request_unit(request), request->table);
}

bool request_is_shared(const struct request *request)
{
    return keeper_has_more(request->server->keeper);
}

const struct wire *request_begin(struct request *request)
{
    struct buffer *out = &request->server->reply;

    out->length = 0;
    request->reply = (struct wire){out, request->session->text, request->message->id};
    return &request->reply;
}

enum status request_ok(struct request *request, struct ok ok)
{
    wire_ok(request_begin(request), request->command->verb, &ok);
    return STATUS_OK;
}

void request_send(struct request *request)
{
    settle_reply(request->session, &request->reply);
    request->replied = true;
}

enum status request_fail(struct request *request, enum status status, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    cause_vset(&request->cause, format, args);
    va_end(args);
    return status;
}

enum status request_too_early(struct request *request, const char *what, int64_t retry_ms)
{
    request->retry_ms = retry_ms;
    return request_fail(request, STATUS_RATE_LIMITED, "%s: wait %.1f s", what,
                        (double)retry_ms / 1000);
}

enum status request_may_keep(struct request *request)
{
    int64_t wait_ms = rate_limit_keep_wait_ms(request->session);

    return wait_ms > 0 ? request_too_early(
                             request, "the server keeps no more for your address today", wait_ms)
                       : STATUS_OK;
}

enum status request_may_watch(struct request *request)
{
    if (watch_count(&request->session->watches) < WATCHES_MAX)
        return STATUS_OK;
    return request_fail(request, STATUS_LIMIT_REACHED, "you already watch %d matches: leave one",
                        WATCHES_MAX);
}

/* Says which limit stands against another match of the opener. */
static enum status refuse_to_open(struct request *request, enum opening_limit limit,
                                  const struct player *opener, const struct origin *origin,
                                  const struct origin *full)
{
    const struct limits *limits = &request->server->limits;
    bool own = opener == request->player;

    switch (limit) {
    case OPENING_OF_PLAYER:
        return request_fail(
            request, STATUS_LIMIT_REACHED, "too many unfinished matches: %s %d, the limit is %d",
            own ? "you have" : "the other player has", opener->unfinished, limits->matches);
    case OPENING_OF_ADDRESS:
        return request_fail(request, STATUS_LIMIT_REACHED,
                            "too many unfinished matches: from %s %s come %d, the limit is %d",
                            own ? "your" : "the other's", full == origin ? "address" : "network",
                            full->unfinished, limits->address_matches * full->scale);
    case OPENING_SHARE:
        return request_fail(request, STATUS_SERVER_BUSY,
                            "the last places for matches are for others: finish some of yours");
    default:
        return request_fail(request, STATUS_SERVER_BUSY,
                            "too many unfinished matches on this server: try again later");
    }
}

enum status request_may_open(struct request *request, const struct player *opener,
                             const struct origin *origin)
{
    const struct origin *full;
    enum opening_limit limit = opening_limit(request->server, opener, origin, &full);

    if (limit != OPENING_FREE && limit != OPENING_FULL)
        return refuse_to_open(request, limit, opener, origin, full);
    if (limit == OPENING_FREE)
        return STATUS_OK;
    request->rows = ROWS_A_LOOK_UP;
    return referee_can_make_room(request->server)
               ? STATUS_OK
               : refuse_to_open(request, limit, opener, origin, full);
}

enum status request_make_room(struct request *request, const struct player *opener,
                              const struct origin *origin)
{
    struct server *server = request->server;
    enum opening_limit limit = opening_limit(server, opener, origin, NULL);

    return limit != OPENING_FULL || referee_make_room(server)
               ? STATUS_OK
               : refuse_to_open(request, limit, opener, origin, NULL);
}

bool request_can_come(const struct request *request, const struct player *player)
{
    return player->kind != PLAYER_HOUSE ||
           house_bots_have_level(&request->server->house, player->name + strlen("bot:"));
}

enum status request_choice(struct request *request, const char *option, const char *first,
                           const char *second, bool *is_first)
{
    const char *value = arguments_option(&request->arguments, option);

    if (value == NULL)
        return STATUS_OK;
    if (strcasecmp(value, first) != 0 && strcasecmp(value, second) != 0)
        return request_fail(request, STATUS_BAD_ARGUMENTS, "%s=: write %s or %s", option, first,
                            second);
    *is_first = strcasecmp(value, first) == 0;
    return STATUS_OK;
}

enum status request_matches_max(struct request *request, int *most)
{
    enum { MATCHES_MOST = 1000 };
    const char *value = arguments_option(&request->arguments, "max");
    long number;

    if (value == NULL)
        return STATUS_OK;
    if (!number_parse(value, strlen(value), 1, MATCHES_MOST, &number))
        return request_fail(request, STATUS_BAD_ARGUMENTS, "max=: write a number from 1 to %d",
                            MATCHES_MOST);
    *most = (int)number;
    return STATUS_OK;
}

enum status request_from(struct request *request, struct row_filter *filter)
{
    const char *text = arguments_option(&request->arguments, "from");
    long from = 0;

    if (text != NULL && !number_parse(text, strlen(text), 0, ROWS_FROM_MAX, &from))
        return request_fail(request, STATUS_BAD_ARGUMENTS, "from=: write a number of rows");
    filter->from = (int)from;
    return STATUS_OK;
}

enum status request_start(struct request *request, const char *word, const struct game **game,
                          struct position *start)
{
    bool unknown_game;

    *game = game_open(word, start, &unknown_game, &request->cause);
    if (*game != NULL)
        return STATUS_OK;
    return unknown_game ? STATUS_UNKNOWN_GAME : STATUS_UNKNOWN_VARIANT;
}

enum status request_position(struct request *request, const struct game **game,
                             struct position *start)
{
    const char *text = arguments_option(&request->arguments, "position");
    const char *word = request->arguments.words[0];
    const char *colon = strchr(word, ':');

    enum status status = request_start(request, word, game, start);
    if (status != STATUS_OK || text == NULL ||
        (*game)->parse(colon != NULL ? colon + 1 : NULL, text, start, &request->cause))
        return status;
    if (strchr(text, '=') != NULL)
        cause_set(&request->cause, "position= must come last: it takes the rest of the line");
    return STATUS_BAD_POSITION;
}

enum status request_game(struct request *request, const char *word, struct row_filter *filter)
{
    const struct game *game;
    struct position start;

    enum status status = request_start(request, word, &game, &start);
    if (status != STATUS_OK)
        return status;
    snprintf(filter->game, sizeof filter->game, "%s", game->name);
    if (strchr(word, ':') != NULL)
        game->variant_name(&start, filter->variant);
    return STATUS_OK;
}

enum status request_yes_or_no(struct request *request, const char *option, int *choice)
{
    bool yes = false;

    *choice = 0;
    if (arguments_option(&request->arguments, option) == NULL)
        return STATUS_OK;
    enum status status = request_choice(request, option, "yes", "no", &yes);
    *choice = yes ? 1 : 2;
    return status;
}

enum status request_read_word(struct request *request, const char **word)
{
    *word = arguments_option(&request->arguments, "code");
    if (*word == NULL || (**word != '\0' && strlen(*word) < JOIN_CODE_MAX))
        return STATUS_OK;
    return request_fail(request, STATUS_BAD_ARGUMENTS, "code=: write 1 to %d bytes",
                        JOIN_CODE_MAX - 1);
}

enum status request_may_try_code(struct request *request, const char *what)
{
    const struct session *session = request->session;
    int64_t now_ms = request->server->now_ms;
    int64_t wait_ms = session->origin != NULL ? origin_code_wait_ms(session->origin, now_ms) : 0;
    int64_t patience_ms = session->opened_ms + CODE_WAIT_MAX_MS - now_ms;

    if (!session->guessed_wrong && wait_ms > patience_ms)
        wait_ms = patience_ms;
    return wait_ms > 0 ? request_too_early(request, what, wait_ms) : STATUS_OK;
}

void request_wrong_code(struct request *request)
{
    request->session->guessed_wrong = true;
    if (request->session->origin != NULL)
        origin_wrong_code(request->session->origin, request->server->now_ms);
}

enum status request_check_word(struct request *request, const char *needed, const char *what,
                               const char *id, const char *command)
{
    const char *word = arguments_option(&request->arguments, "code");

    if (needed[0] == '\0')
        return STATUS_OK;
    if (word == NULL)
        return request_fail(request, STATUS_CODE_NEEDED, "%s %s needs a word: %s %s code=WORD",
                            what, id, command, id);
    enum status status = request_may_try_code(request, "too many wrong codes");
    if (status != STATUS_OK || secret_equal(needed, word))
        return status;
    request_wrong_code(request);
    return request_fail(request, STATUS_BAD_CODE, "that is not the word of %s %s", what, id);
}

enum status request_only_match(struct request *request, unsigned wanted, struct table **table)
{
    static const enum match_status order[] = {MATCH_PLAYING, MATCH_OPEN, MATCH_OVER};
    const struct watch_list *watches = &request->session->watches;
    struct seat *seat;
    int count = 0;

    *table = NULL;
    for (int i = 0; i < 3 && count == 0; i++) {
        if (!(wanted & 1u << order[i]))
            continue;
        TAILQ_FOREACH (seat, &request->player->seats, link)
            if (seat->joined && seat->table->match.status == order[i] &&
                seat->table->broken == NULL) {
                count += seat->table != *table; /* a player may have both seats */
                *table = seat->table;
            }
        /* Among the finished ones the latest is meant: seats stand in the order they were taken. */
        if (order[i] == MATCH_OVER && count > 0)
            count = 1;
    }
    if (count == 0 && wanted & MATCHES_WATCHED && !LIST_EMPTY(watches)) {
        count = watch_count(watches);
        *table = LIST_FIRST(watches)->table;
    }
    if (count == 0)
        return request_fail(request, STATUS_UNKNOWN_MATCH, "%s: name one",
                            wanted == MATCHES_OVER ? "you have no finished match here"
                                                   : "you are in no match");
    return count == 1 ? STATUS_OK : STATUS_AMBIGUOUS_MATCH;
}

/* --- The commands --- */

const struct command *command_find(const struct server *server, const char *verb)
{
    for (const struct command *const *family = server->commands; *family != NULL; family++)
        for (const struct command *command = *family; command->verb != NULL; command++)
            if (strcasecmp(command->verb, verb) == 0)
                return command;
    return NULL;
}

/* Returns the place of a command, as command_at() takes it; 0 for NULL. */
static int command_number(const struct server *server, const struct command *command)
{
    int number = 1;

    for (const struct command *const *family = server->commands; *family != NULL; family++)
        for (const struct command *row = *family; row->verb != NULL; row++, number++)
            if (row == command)
                return number;
    return 0;
}

const struct command *command_at(const struct server *server, int number)
{
    for (const struct command *const *family = server->commands; *family != NULL; family++)
        for (const struct command *row = *family; row->verb != NULL; row++)
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
        const struct command *command = command_find(request->server, request->arguments.words[0]);
        if (command == NULL)
            return request_fail(request, STATUS_UNKNOWN_COMMAND, "unknown command '%.24s'",
                                request->arguments.words[0]);
        rows[count++] = help_row(command);
    }
    for (int number = 1; request->arguments.count == 0; number++) {
        const struct command *command = command_at(request->server, number);
        if (command == NULL)
            break;
        assert(count < HELP_ROWS_MAX);
        rows[count++] = help_row(command);
    }
    wire_help(request_begin(request), rows, count);
    return STATUS_OK;
}

const struct command help_commands[] = {
    {.verb = "help",
     .usage = "[VERB]",
     .summary = "explains the commands",
     .max = 1,
     .cost = COST_OPENS,
     .run = run_help},
    {0},
};

/* --- What a command needs: found in memory, or asked of the keeper while the line sleeps --- */

/* Puts a question to the keeper. Returns the answer, which is the session's until its line is
 * answered; NULL: the line sleeps, and gets the answer when it runs again. */
static const struct look_up *ask_keeper(struct request *request, const struct question *question)
{
    struct session *session = request->session;
    struct keeper *keeper = request->server->keeper;
    struct look_up *answer = session->look_up;

    if (answer == NULL || !question_is_same(&answer->question, question)) {
        session_drop_look_up(session);
        answer = session->look_up = look_up_new(question);
        answer->asker = session;
        answer->wake = session_wake;
        if (keeper->kind->look_up == NULL)
            answer->state = LOOK_NOTHING;
        else
            keeper->kind->look_up(keeper, answer);
        if (answer->state == LOOK_FAILED)
            log_line(LOG_ERROR, "event=store-error error=%s", log_quote(answer->cause.text).text);
    }
    if (answer->state != LOOK_WAITS)
        return answer;
    request->sleeps = SLEEPS_FOR_ANSWER;
    return NULL;
}

/* Reads the id of the match: NULL where the line names none. */
static const char *read_match_id(const struct request *request)
{
    const struct command *command = request->command;
    const struct arguments *arguments = &request->arguments;
    const char *word = arguments->count > 0 ? arguments->words[0] : NULL;

    switch (command->match) {
    case MATCH_OR_LOBBY:
        return arguments->count == 1 && strcasecmp(word, "lobby") != 0 &&
                       strcasecmp(word, "tournament") != 0
                   ? word
                   : NULL;
    case MATCH_OR_SQUARE: /* a match that is not here may be at the keeper: its id begins with a
                             digit */
        if (arguments->count == 1 && lobby_find(&request->server->lobby, word) == NULL &&
            !(request_is_shared(request) && isdigit((unsigned char)word[0])))
            return NULL;
        return word;
    case MATCH_OPTIONAL:
        return arguments->count == command->max ? word : NULL;
    default:
        return word;
    }
}

/* Finds a match that the line names, in the lobby or at the keeper. */
static enum status find_named_match(struct request *request)
{
    const struct lobby *lobby = &request->server->lobby;
    struct question question = {.kind = LOOK_TABLE};

    request->table = lobby_find(lobby, request->match_id);
    if (request->table == NULL && request_is_shared(request) &&
        strlen(request->match_id) < TABLE_ID_MAX) {
        snprintf(question.key, sizeof question.key, "%s", request->match_id);
        const struct look_up *answer = ask_keeper(request, &question);
        if (answer == NULL || answer->state == LOOK_FAILED)
            return answer == NULL ? STATUS_OK : STATUS_INTERNAL;
        request->table = lobby_find(lobby, request->match_id);
    }
    return request->table != NULL ? STATUS_OK
                                  : request_fail(request, STATUS_UNKNOWN_MATCH,
                                                 "unknown match '%.24s'", request->match_id);
}

/* Finds a match, over or not, for its record. */
static enum status find_record(struct request *request)
{
    struct question question = {.kind = LOOK_RECORD, .plies_max = request->plies_max};

    request->record = lobby_find(&request->server->lobby, request->match_id);
    if (request->record != NULL)
        return STATUS_OK;
    snprintf(question.key, sizeof question.key, "%s", request->match_id);
    const struct look_up *answer = ask_keeper(request, &question);
    if (answer == NULL)
        return STATUS_OK;
    if (request->server->keeper->kind->look_up != NULL)
        request->rows = ROWS_A_LOOK_UP;
    if (answer->state == LOOK_FAILED)
        return STATUS_INTERNAL;
    if (answer->state == LOOK_FOUND) {
        request->record = &answer->stored->table;
        return STATUS_OK;
    }
    if (answer->state == LOOK_TOO_LONG)
        return request_fail(request, STATUS_LIMIT_REACHED,
                            "match %s is too long for this: it may have %d moves",
                            request->match_id, request->plies_max);
    if (answer->archived != 0)
        return request_fail(request, STATUS_MATCH_ARCHIVED,
                            "match %s is in the server's archive, file %04d-%02d.pgn",
                            request->match_id, answer->archived / 100, answer->archived % 100);
    if (answer->cause.text[0] != '\0')
        return request_fail(request, STATUS_INTERNAL, "match %s is damaged: %.120s",
                            request->match_id, answer->cause.text);
    return request_fail(request, STATUS_UNKNOWN_MATCH, "unknown match '%.24s'", request->match_id);
}

/* Makes sure that the match can be edited: it is whole, and no unit and no earlier line has it. An
 * expired clock is handled first. */
static enum status prepare_edit(struct request *request)
{
    const struct keeper *keeper = request->server->keeper;
    struct table *table = request->table;

    if (table->broken != NULL)
        return request_fail(request, STATUS_NOT_ALLOWED,
                            "match %s is damaged, and read-only until it is repaired: %.120s",
                            table->id, table->broken);
    /* Nobody is charged for time in which nothing can be kept: the line counts as if it came then.
     */
    if (keeper->kind->is_stalled != NULL && keeper->kind->is_stalled(keeper)) {
        request->sleeps = SLEEPS_FOR_DATABASE;
        return STATUS_OK;
    }
    /* A line that came in time may have had to sleep until after the flag. */
    if (!match_flag_is_down(&table->match, request->server->now_ms) ||
        match_flag_is_down(&table->match, request->arrived_ms))
        referee_enforce(request->server, table);
    if (!lock_is_free_for(&table->lock, &request->session->waiter)) {
        request->lock = &table->lock;
        request->sleeps = SLEEPS_FOR_LOCK;
    } else if (match_flag_is_down(&table->match, request->arrived_ms)) {
        return STATUS_MATCH_OVER; /* that could not be kept yet */
    }
    return STATUS_OK;
}

static enum status find_match(struct request *request)
{
    const struct command *command = request->command;

    if (command->match == MATCH_NONE)
        return STATUS_OK;
    request->match_id = read_match_id(request);
    if (command->match == MATCH_RECORD)
        return find_record(request);
    if (command->match == MATCH_OR_LOBBY && request->match_id == NULL)
        return STATUS_OK;
    /* The match may be one that an earlier line of the same session opens or joins. */
    if (request->session->unsettled > 0 &&
        (request->match_id == NULL ||
         lobby_find(&request->server->lobby, request->match_id) == NULL)) {
        request->sleeps = SLEEPS_FOR_OWN;
        return STATUS_OK;
    }
    enum status status = request->match_id != NULL
                             ? find_named_match(request)
                             : request_only_match(request, command->wanted, &request->table);
    if (status != STATUS_OK || request->sleeps != AWAKE || !command->edits)
        return status;
    return prepare_edit(request);
}

/* Finds the players whom the line names, up to the first whom nobody knows. */
static enum status find_players(struct request *request)
{
    const struct arguments *arguments = &request->arguments;
    const struct players *players = &request->server->players;

    for (int i = 0; i < 2 && request->command->players[i] != NULL && !request->is_opened; i++) {
        const char *option = request->command->players[i];
        const char *name = arguments_option(arguments, option);
        struct question question = {.kind = LOOK_NAME};
        if (option[0] == '\0' && arguments->count > 0 &&
            (arguments->count > 1 ||
             game_find(arguments->words[0], strcspn(arguments->words[0], ":")) == NULL))
            name = arguments->words[0];
        if (name == NULL || strcasecmp(name, "me") == 0 || strcasecmp(name, "open") == 0)
            continue;
        request->players[i] = players_find(players, name);
        if (request->players[i] == NULL && request_is_shared(request) &&
            strlen(name) < NAME_TEXT_MAX) {
            snprintf(question.key, sizeof question.key, "%s", name);
            const struct look_up *answer = ask_keeper(request, &question);
            if (answer == NULL || answer->state == LOOK_FAILED)
                return answer == NULL ? STATUS_OK : STATUS_INTERNAL;
            request->players[i] = players_find(players, name);
        }
        if (request->players[i] == NULL) {
            request->unknown_player = name;
            return STATUS_OK;
        }
    }
    return STATUS_OK;
}

/* Makes sure that the lobby has a number for a match that is to be opened. */
static enum status find_number(struct request *request)
{
    if (!request->command->opens || request->is_opened || request->unknown_player != NULL ||
        lobby_has_number(&request->server->lobby))
        return STATUS_OK;
    const struct question question = {.kind = LOOK_NUMBERS};
    const struct look_up *answer = ask_keeper(request, &question);
    if (answer != NULL && answer->state == LOOK_FOUND) { /* others have used up what came */
        session_drop_look_up(request->session);
        answer = ask_keeper(request, &question);
    }
    return answer == NULL ? STATUS_OK : STATUS_INTERNAL;
}

enum status request_find_tournament(struct request *request, const char *id)
{
    const struct tournaments *tournaments = &request->server->lobby.tournaments;
    struct question question = {.kind = LOOK_TOURNAMENT};

    request->tournament = tournaments_find(tournaments, id);
    if (request->tournament == NULL && request_is_shared(request) &&
        strlen(id) < TOURNAMENT_ID_MAX) {
        snprintf(question.key, sizeof question.key, "%s", id);
        const struct look_up *answer = ask_keeper(request, &question);
        if (answer == NULL || answer->state == LOOK_FAILED)
            return answer == NULL ? STATUS_OK : STATUS_INTERNAL;
        request->tournament = tournaments_find(tournaments, id);
    }
    return request->tournament != NULL
               ? STATUS_OK
               : request_fail(request, STATUS_UNKNOWN_TOURNAMENT, "unknown tournament '%.24s'", id);
}

/* Finds what only this command needs, as its row says. A command that opens a match has that done
 * first: what it names counts no more if once=KEY has opened one. */
static enum status find_more(struct request *request, bool first)
{
    if (request->command->find == NULL || request->command->opens != first)
        return STATUS_OK;
    enum status status = request->command->find(request);
    if (status != STATUS_OK || request->sleeps != AWAKE)
        return status;
    if (request->asks && request->unknown_player == NULL) {
        request->found = ask_keeper(request, &request->question);
        if (request->found == NULL || request->found->state == LOOK_FAILED)
            return request->found == NULL ? STATUS_OK : STATUS_INTERNAL;
        if (request->question.kind == LOOK_ONCE) {
            request->is_opened = request->found->state == LOOK_FOUND;
            request->line->stage = LINE_KEY_IS_NEW;
            request->found = NULL; /* the next question drops it */
        }
    }
    if (request->lock != NULL && !lock_is_free_for(request->lock, &request->session->waiter))
        request->sleeps = SLEEPS_FOR_LOCK;
    return STATUS_OK;
}

static enum status find_first(struct request *request)
{
    return find_more(request, true);
}

static enum status find_last(struct request *request)
{
    return find_more(request, false);
}

/* --- A line --- */

/* Reads the words of a line. On an error `message` has at least the id, if that can be told. */
static enum status parse_line(struct request *request, const char *line, size_t length)
{
    struct message *message = request->message;

    message->id = message->verb = message->rest = NULL;
    if (!utf8_is_clean(line, length)) {
        struct cause cause;
        while (length > 0 && *line == ' ')
            line++, length--;
        const char *space = memchr(line, ' ', length);
        size_t word = space != NULL ? (size_t)(space - line) : length;
        if (word > 0 && line[0] == '#' && utf8_is_clean(line, word))
            message_parse(message, line, word, &cause);
        return STATUS_BAD_ENCODING;
    }
    if (!message_parse(message, line, length, &request->cause))
        return STATUS_BAD_ARGUMENTS;
    if (message->verb != NULL)
        request->command = command_find(request->server, message->verb);
    else if (message->id != NULL)
        return request_fail(request, STATUS_BAD_ARGUMENTS,
                            "no command after the id: write #7 help");
    return STATUS_OK;
}

/* Checks what the command's row says of its words and of who may use it. */
static enum status check_usage(struct request *request)
{
    const struct command *command = request->command;
    char *rest = request->message->rest;
    int words = *rest != '\0';

    if (!session_is_admitted(request->session) && (command == NULL || !command->before_code))
        return STATUS_CODE_NEEDED;
    if (command == NULL)
        return request_fail(request, STATUS_UNKNOWN_COMMAND,
                            "unknown command '%.24s': help lists all; a move is written move b2b3",
                            request->message->verb);
    if (!command->free_text) {
        const char *options = command->options != NULL ? command->options : "";
        if (!arguments_parse(&request->arguments, rest, options, &request->cause))
            return STATUS_BAD_ARGUMENTS;
        words = request->arguments.count;
    }
    if (words < command->min || words > command->max)
        return request_fail(request, STATUS_BAD_ARGUMENTS, "usage: %s%s%s", command->verb,
                            command->usage != NULL ? " " : "", usage_of(command));
    enum status status = command->keeps ? request_may_keep(request) : STATUS_OK;
    return status == STATUS_OK && command->check != NULL ? command->check(request) : status;
}

/* Returns whether a line waits until its sender's earlier lines are settled: it does more than edit
 * drafts, or their name is not kept yet, or the keeper is shared, so that those lines may have to
 * run again.
 */
static bool must_wait_for_own(const struct session *session, const struct command *command)
{
    if (session->unsettled == 0)
        return false;
    return session->server->keeper->kind->shared || session->player->lock.owner != NULL ||
           (command != NULL && !command->edits);
}

/* Hands over what a command has changed, with its reply; or answers one that has changed nothing.
 * `text` is its line, should it have to run again. */
static void finish_request(struct request *request, const char *text, size_t length)
{
    struct server *server = request->server;
    struct session *session = request->session;
    struct unit *unit = request->unit;
    int number = command_number(server, request->command);

    if (unit != NULL) {
        request->lock = conclude(unit, &server->lobby, request->arrived_ms, server->wall_s);
        if (request->lock != NULL) {
            request->sleeps = SLEEPS_FOR_LOCK;
            return;
        }
        unit->session = session;
        unit->command = number;
        unit->verb = request->command->verb;
        unit->arrived_ms = request->arrived_ms;
        unit->line = xstrndup(text, length);
        unit_set_reply(unit, request->reply.out->bytes, request->reply.out->length);
        request->unit = NULL;
        session->errors_in_row = 0;
        settle_add(server, unit);
        return;
    }
    if (!request->replied)
        request_send(request);
    session->errors_in_row = 0;
    tally_reply(&server->tally, number, STATUS_OK);
}

static void send_error(const struct request *request, enum status status)
{
    const struct command *command = request->command;
    const char *text = request->cause.text[0] != '\0' ? request->cause.text : NULL;
    struct wire error =
        settle_error(request->session, request->message->id,
                     command != NULL ? command->verb : request->message->verb,
                     command_number(request->server, command), status, text, request->retry_ms);

    settle_reply(request->session, &error);
}

/* A line is answered, with an error or not: closes a session that has made too many. */
static void end_line(struct session *session, struct pending_line *line, int errors_before)
{
    free(line->text);
    *line = (struct pending_line){.stage = LINE_NEW};
    session->sleeps = AWAKE;
    waiter_leave(&session->waiter);
    presence_end_line(session);
    if (session->errors_in_row > errors_before &&
        session->errors_in_row >= session->server->limits.errors)
        presence_close(session, "too-many-errors");
}

/* Counts the time of a run of the line, which was charged as this number of commands. */
static void count_time(const struct request *request, int64_t begun_us, int commands)
{
    struct server *server = request->server;
    struct pending_line *line = request->line;
    int64_t busy_us = tally_now_us() - begun_us;

    tally_busy(&server->tally, command_number(server, request->command), busy_us);
    rate_limit_count_time(request->session, line->busy_us, busy_us, commands);
    line->busy_us += busy_us;
}

/* Puts a line to sleep. Nothing has happened but to drafts, which are dropped: it runs from its
 * beginning when it is woken. */
static bool sleep_line(const struct request *request, int64_t begun_us, int commands)
{
    struct session *session = request->session;

    count_time(request, begun_us, commands);
    session->sleeps = request->sleeps;
    if (request->sleeps == SLEEPS_FOR_LOCK)
        waiter_sleep(&session->waiter, request->lock);
    return false;
}

/* Runs a line: exactly one reply is sent, now or when its unit is settled; a blank line gets none.
 * False when the line has to sleep. */
static bool process_line(struct session *session, struct pending_line *line, const char *text,
                         size_t length)
{
    static const int costs[] = {[COST_PLAIN] = 1, [COST_BOARD] = 2, [COST_OPENS] = 5};
    /* Each finds what the command's row names, unless the line has to sleep for something. */
    static enum status (*const finds[])(struct request *) = {find_match, find_first, find_players,
                                                             find_number, find_last};
    struct server *server = session->server;
    int errors_before = session->errors_in_row;
    int64_t begun_us = tally_now_us();
    struct message message;
    struct request request = {.server = server,
                              .session = session,
                              .line = line,
                              .player = session->player,
                              .message = &message};

    enum status status = parse_line(&request, text, length);
    bool blank = status == STATUS_OK && message.verb == NULL;
    if (line->stage == LINE_NEW) {
        session_heard(session, message.rest != NULL ? &message : NULL);
        line->arrived_ms = server->now_ms;
        line->stage = LINE_HEARD;
    }
    request.arrived_ms = line->arrived_ms;

    int cost = costs[request.command != NULL ? request.command->cost : COST_PLAIN];
    if (line != &session->again && must_wait_for_own(session, request.command)) {
        request.sleeps = SLEEPS_FOR_OWN;
        return sleep_line(&request, begun_us, cost);
    }
    if (line->stage == LINE_HEARD) {
        request.retry_ms = rate_limit_take_commands(session, cost);
        if (request.retry_ms == 0) {
            server->tally.commands += message.verb != NULL;
            line->stage = LINE_COUNTED;
        } else {
            status = STATUS_RATE_LIMITED;
            request.cause.text[0] = '\0';
        }
    }
    if (status == STATUS_OK && !blank)
        status = check_usage(&request);
    for (size_t i = 0; i < sizeof finds / sizeof finds[0]; i++)
        if (status == STATUS_OK && !blank && request.sleeps == AWAKE)
            status = finds[i](&request);
    if (request.sleeps != AWAKE)
        return sleep_line(&request, begun_us, cost);

    if (status == STATUS_OK && !blank)
        status = request.command->run(&request);
    if (status == STATUS_OK && !blank)
        finish_request(&request, text, length);
    if (request.unit != NULL)
        unit_free(request.unit, &server->lobby);
    if (request.sleeps != AWAKE) /* a player who is to be rated is in another unit */
        return sleep_line(&request, begun_us, cost);

    if (request.rows >= ROWS_A_COMMAND)
        rate_limit_count(session, request.rows / ROWS_A_COMMAND);
    count_time(&request, begun_us, cost + request.rows / ROWS_A_COMMAND);
    if (status != STATUS_OK)
        send_error(&request, status);
    end_line(session, line, errors_before);
    return true;
}

bool dispatch_resume(struct session *session)
{
    struct pending_line *line = &session->again;

    return line->text == NULL || session_is_closing(session) ||
           process_line(session, line, line->text, strlen(line->text));
}

bool dispatch_line(struct session *session, const char *text, size_t length)
{
    const struct keeper *keeper = session->server->keeper;

    if (session_is_closing(session))
        return true;
    /* While the database does not answer, this server may count as dead. */
    if (keeper->kind->is_current != NULL && !keeper->kind->is_current(keeper)) {
        session->sleeps = SLEEPS_FOR_DATABASE;
        return false;
    }
    if (!dispatch_resume(session))
        return false;
    return session_is_closing(session) || process_line(session, &session->line, text, length);
}

bool dispatch_too_long(struct session *session)
{
    struct message message = {.verb = NULL};
    struct request request = {.server = session->server, .session = session, .message = &message};
    int errors_before = session->errors_in_row;

    if (!dispatch_resume(session))
        return false;
    if (session_is_closing(session))
        return true;
    if (must_wait_for_own(session, NULL)) {
        session->sleeps = SLEEPS_FOR_OWN;
        return false;
    }
    session_heard(session, NULL);
    rate_limit_count(session, 1);
    cause_set(&request.cause, "line too long: at most %d bytes with its end",
              session->server->limits.line_bytes);
    send_error(&request, STATUS_LINE_TOO_LONG);
    end_line(session, &session->line, errors_before);
    return true;
}

bool dispatch_no_line(struct session *session)
{
    if (rate_limit_take_commands(session, RECORD_COST) > 0) {
        rate_limit_count(session, RECORD_COST);
        session->errors_in_row++;
    }
    return session->errors_in_row < session->server->limits.errors;
}
