#include "told.h"

#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/move.h"
#include "common/text.h"
#include "fuzz.h"

/* The conversation to which a message belongs. */
struct hearing {
    struct told *told;
    const struct world *world;
    struct peer *peer;
    const struct asked *asked, *asked_end; /* the requests without a reply so far */
    bool alone;                            /* all output came from a single line */
    bool decimals;                         /* it may have numbers that are not integers */
    const char *line;                      /* the message as received */
};

#define REQUIRE_TOLD(hearing, condition)                                                           \
    REQUIRE(condition, "told %s (not %s)", (hearing)->line, #condition)

static const char *text(const cJSON *object, const char *name)
{
    return cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, name));
}

static bool is_text(const cJSON *object, const char *name, const char *wanted)
{
    const char *got = text(object, name);

    return wanted == NULL || got == NULL ? got == wanted : strcmp(got, wanted) == 0;
}

static bool is_number(const cJSON *object, const char *name, double wanted)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, name);

    return cJSON_IsNumber(item) && item->valuedouble == wanted;
}

static int count(const cJSON *object, const char *name)
{
    const cJSON *array = cJSON_GetObjectItemCaseSensitive(object, name);

    return cJSON_IsArray(array) ? cJSON_GetArraySize(array) : -1;
}

static bool is_in(const char *word, const char *const *words)
{
    for (; *words != NULL; words++)
        if (strcmp(*words, word) == 0)
            return true;
    return false;
}

/* Scores and tie breaks of a tournament are quarters of a point. */
static bool is_round(const cJSON *number)
{
    double quarters = number->valuedouble * 4;

    return quarters == (double)(int64_t)quarters;
}

/* Members are unique, and numbers are integers, but in tournaments. */
static void check_shape(const struct hearing *hearing, const cJSON *item)
{
    const cJSON *member, *other;

    if (cJSON_IsNumber(item))
        REQUIRE_TOLD(hearing, hearing->decimals
                                  ? is_round(item)
                                  : item->valuedouble == (double)(int64_t)item->valuedouble);
    cJSON_ArrayForEach (member, item) {
        check_shape(hearing, member);
        for (other = member->next; cJSON_IsObject(item) && other != NULL; other = other->next)
            REQUIRE_TOLD(hearing, strcmp(member->string, other->string) != 0);
    }
}

/* Returns the legal moves as the state must list them. */
static void check_legal(const struct hearing *hearing, const cJSON *array,
                        const struct match *match)
{
    struct move moves[MOVES_MAX];
    char move[MOVE_TEXT_MAX];
    const cJSON *item;
    int i = 0, legal = match->game->legal(&match->position, moves);

    REQUIRE_TOLD(hearing, cJSON_IsArray(array) && cJSON_GetArraySize(array) == legal);
    cJSON_ArrayForEach (item, array) {
        move_format(&match->position, moves[i++], move);
        REQUIRE_TOLD(hearing, cJSON_IsString(item) && strcmp(item->valuestring, move) == 0);
    }
}

static void check_seat(const struct hearing *hearing, const cJSON *player, const struct seat *seat)
{
    if (seat->player == NULL) {
        REQUIRE_TOLD(hearing, cJSON_IsNull(player));
        return;
    }
    REQUIRE_TOLD(hearing, is_text(player, "name", seat->player->name));
    REQUIRE_TOLD(hearing,
                 cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(player, "seated")) == seat->joined);
}

static void check_board(const struct hearing *hearing, const cJSON *state,
                        const struct match *match)
{
    const cJSON *rows = cJSON_GetObjectItemCaseSensitive(state, "board"), *row;
    struct board board;

    match->game->board(&match->position, &board);
    REQUIRE_TOLD(hearing, count(state, "board") == board.height);
    int rank = board.height;
    cJSON_ArrayForEach (row, rows) {
        rank--;
        REQUIRE_TOLD(hearing, cJSON_IsString(row));
        REQUIRE_TOLD(hearing, strlen(row->valuestring) == (size_t)board.width);
        REQUIRE_TOLD(hearing, memcmp(row->valuestring, board.cell + rank * board.width,
                                     (size_t)board.width) == 0);
    }
}

static const char *you_are(unsigned seats)
{
    static const char *const words[] = {NULL, "white", "black", "both"};

    return words[seats];
}

static int count_offers(const struct match *match)
{
    int offers = 0;

    for (int what = 0; what < OFFER_KINDS; what++)
        offers += match->offers[what][WHITE] + match->offers[what][BLACK];
    return offers;
}

/* The state describes the present match. */
static void check_state(const struct hearing *hearing, const cJSON *state)
{
    const struct session *session = hearing->peer->session;
    const struct table *table = lobby_find(&hearing->world->server->lobby, text(state, "match"));
    char position[POSITION_TEXT_MAX], last[MOVE_TEXT_MAX] = "";

    if (table == NULL)
        return; /* it is over and no longer kept */
    const struct match *match = &table->match;
    match->game->format(&match->position, position);
    if (match->ply_count > 0)
        move_format(&match->position, match->plies[match->ply_count - 1].move, last);
    REQUIRE_TOLD(hearing, is_number(state, "ply", match->ply_count));
    REQUIRE_TOLD(hearing, is_text(state, "status", match_status_text(match->status)));
    REQUIRE_TOLD(hearing, is_text(state, "position", position));
    REQUIRE_TOLD(hearing, is_text(state, "turn", color_name(match->position.side)));
    REQUIRE_TOLD(hearing, is_text(state, "last", last[0] != '\0' ? last : NULL));
    REQUIRE_TOLD(hearing, is_text(state, "result", result_text(match->outcome.result)));
    REQUIRE_TOLD(hearing, is_text(state, "reason", reason_text(match->outcome.reason)));
    REQUIRE_TOLD(hearing, count(state, "offers") == count_offers(match));
    check_board(hearing, state, match);
    const cJSON *players = cJSON_GetObjectItemCaseSensitive(state, "players");
    for (int color = WHITE; color <= BLACK; color++)
        check_seat(hearing, cJSON_GetObjectItemCaseSensitive(players, color_name(color)),
                   &table->seats[color]);
    if (session_is_closing(session))
        return;
    unsigned seats = table_seats_of(table, session->player);
    const cJSON *legal = cJSON_GetObjectItemCaseSensitive(state, "legal");
    bool mine = match->status == MATCH_PLAYING && seats & 1u << match->position.side;
    REQUIRE_TOLD(hearing, is_text(state, "you", you_are(seats)));
    REQUIRE_TOLD(hearing, (legal != NULL) == (mine && !session->no_legal));
    if (legal != NULL)
        check_legal(hearing, legal, match);
}

static void check_error(const struct hearing *hearing, const cJSON *error)
{
    const char *code = text(error, "code"), *message = text(error, "message");
    bool known = false;

    REQUIRE_TOLD(hearing, code != NULL && message != NULL && message[0] != '\0');
    for (int status = STATUS_OK + 1; status <= STATUS_INTERNAL; status++)
        known = known || strcmp(status_word(status), code) == 0;
    REQUIRE_TOLD(hearing, known);
    REQUIRE_TOLD(hearing, (cJSON_GetObjectItemCaseSensitive(error, "retry_ms") != NULL) ==
                              (strcmp(code, "rate-limited") == 0));
    if (strcmp(code, "internal") != 0)
        return;
    const struct command *command = hearing->asked->command;
    REQUIRE_TOLD(hearing, hearing->world->disk_full);
    /* what only reads needs no disk */
    REQUIRE_TOLD(hearing,
                 command != NULL && (command->edits || strcmp(command->verb, "hello") == 0 ||
                                     strcmp(command->verb, "revoke") == 0 ||
                                     strcmp(command->verb, "tournament") == 0));
}

static void copy_id(char id[TABLE_ID_MAX], const cJSON *object)
{
    const char *match = text(object, "match");

    if (match != NULL && strlen(match) < TABLE_ID_MAX)
        memcpy(id, match, strlen(match) + 1);
}

static void note_deed(const struct hearing *hearing, const cJSON *ok, int least, int most)
{
    struct told *told = hearing->told;

    REQUIRE_TOLD(hearing, told->deed_count < DEEDS_MAX && text(ok, "match") != NULL);
    struct deed *deed = &told->deeds[told->deed_count++];
    copy_id(deed->match, ok);
    deed->least = least;
    deed->most = most;
}

static void check_ok(const struct hearing *hearing, const cJSON *ok)
{
    const struct command *command = hearing->asked->command;
    const char *verb = command != NULL ? command->verb : "", *token = text(ok, "token");

    REQUIRE_TOLD(hearing, is_text(ok, "cmd", verb));
    if (strcmp(verb, "new") == 0 || strcmp(verb, "join") == 0) {
        copy_id(hearing->peer->match, ok);
        REQUIRE_TOLD(hearing, hearing->peer->match[0] != '\0');
    }
    if (strcmp(verb, "move") == 0)
        note_deed(hearing, ok, 1, 1);
    if (strcmp(verb, "undo") == 0 && cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(ok, "agreed")))
        note_deed(hearing, ok, -2, -1);
    if (strcmp(verb, "kick") == 0)
        note_deed(hearing, ok, -1, 0);
    if (token != NULL && strlen(token) < TOKEN_TEXT_MAX)
        memcpy(hearing->peer->token, token, strlen(token) + 1);
}

static int count_public(const struct lobby *lobby)
{
    const struct table *table;
    int public = 0;

    TAILQ_FOREACH (table, &lobby->unfinished, link)
    public += !table->is_private;
    return public;
}

/* A list has all rows that there are, or those that a filter takes. */
static void check_all(const struct hearing *hearing, const cJSON *reply, const char *rows, int all)
{
    const cJSON *total = cJSON_GetObjectItemCaseSensitive(reply, "total");

    REQUIRE_TOLD(hearing, cJSON_IsNumber(total) && total->valuedouble <= all);
    REQUIRE_TOLD(hearing, count(reply, rows) >= 0 && count(reply, rows) <= total->valuedouble);
    if (hearing->asked->bare)
        REQUIRE_TOLD(hearing, count(reply, rows) == all && is_number(reply, "total", all));
}

static void check_list(const struct hearing *hearing, const cJSON *reply)
{
    check_all(hearing, reply, "matches", count_public(&hearing->world->server->lobby));
}

static void check_who(const struct hearing *hearing, const cJSON *reply)
{
    const struct session *session;
    int here = 0;

    TAILQ_FOREACH (session, &hearing->world->server->sessions, link)
        here += session->player != NULL && session_is_admitted(session) &&
                session == first_session_of(session->player);
    check_all(hearing, reply, "players", here);
}

static void check_moves(const struct hearing *hearing, const cJSON *reply)
{
    const struct table *table = lobby_find(&hearing->world->server->lobby, text(reply, "match"));

    REQUIRE_TOLD(hearing, table != NULL && is_number(reply, "ply", table->match.ply_count));
    REQUIRE_TOLD(hearing, is_text(reply, "turn", color_name(table->match.position.side)));
    REQUIRE_TOLD(hearing,
                 count(reply, "moves") <= table->match.game->legal(&table->match.position, NULL));
    REQUIRE_TOLD(hearing, count(reply, "moves") >= 0);
}

static void check_record(const struct hearing *hearing, const cJSON *reply)
{
    const struct table *table = lobby_find(&hearing->world->server->lobby, text(reply, "match"));
    const cJSON *moves = cJSON_GetObjectItemCaseSensitive(reply, "moves"), *item;
    char start[POSITION_TEXT_MAX], move[MOVE_TEXT_MAX];
    int i = 0;

    REQUIRE_TOLD(hearing, table != NULL || hearing->world->keeper != NULL);
    if (table == NULL)
        return; /* the store has it */
    const struct match *match = &table->match;
    match->game->format(&match->start, start);
    REQUIRE_TOLD(hearing, is_text(reply, "start", start));
    REQUIRE_TOLD(hearing, count(reply, "moves") == match->ply_count);
    REQUIRE_TOLD(hearing, count(reply, "times_ms") == match->ply_count);
    REQUIRE_TOLD(hearing, is_text(reply, "result", result_text(match->outcome.result)));
    cJSON_ArrayForEach (item, moves) {
        move_format(&match->start, match->plies[i++].move, move);
        REQUIRE_TOLD(hearing, strcmp(cJSON_GetStringValue(item), move) == 0);
    }
}

static void check_stats(const struct hearing *hearing, const cJSON *reply)
{
    const struct server *server = hearing->world->server;
    const struct table *table;
    int open = 0, playing = 0;

    TAILQ_FOREACH (table, &server->lobby.unfinished, link) {
        open += !table->is_private && table->match.status == MATCH_OPEN;
        playing += !table->is_private && table->match.status == MATCH_PLAYING;
    }
    REQUIRE_TOLD(hearing, is_number(reply, "connections", server->session_count));
    REQUIRE_TOLD(hearing, is_number(reply, "names", server->players.named));
    REQUIRE_TOLD(hearing, is_number(reply, "matches_open", open));
    REQUIRE_TOLD(hearing, is_number(reply, "matches_playing", playing));
}

static void check_pong(const struct hearing *hearing, const cJSON *reply)
{
    REQUIRE_TOLD(hearing, cJSON_GetArraySize(reply) >= 1);
}

static void check_rows(const struct hearing *hearing, const cJSON *reply)
{
    static const char *const arrays[] = {"games",       "players", "matches", "commands",
                                         "tournaments", "seeks",   "seeks"};
    int rows = -1;

    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++)
        if (count(reply, arrays[i]) > rows)
            rows = count(reply, arrays[i]);
    REQUIRE_TOLD(hearing, rows >= 0 && rows <= REPLY_ROWS_MAX);
}

/* A reply without a check of its own. */
static void check_device(const struct hearing *hearing, const cJSON *reply)
{
    const char *code = text(reply, "code");

    REQUIRE_TOLD(hearing, code != NULL && strlen(code) == DEVICE_CODE_MAX - 1);
    memcpy(hearing->peer->code, code, strlen(code) + 1);
}

/* A player with a name has a token, and nobody more than they may. */
static void check_tokens(const struct hearing *hearing, const cJSON *reply)
{
    const struct player *player = hearing->peer->session->player;
    int count = player != NULL ? player_token_count(player) : 0;

    if (player == NULL)
        return;
    REQUIRE_TOLD(hearing, count <= TOKENS_MAX && (count > 0 || player->kind != PLAYER_NAMED));
    check_all(hearing, reply, "tokens", count);
}

static void check_lessons(const struct hearing *hearing, const cJSON *reply)
{
    REQUIRE_TOLD(hearing, count(reply, "lessons") >= 5);
}

static void check_explain(const struct hearing *hearing, const cJSON *reply)
{
    bool judges = cJSON_GetObjectItemCaseSensitive(reply, "legal") != NULL;
    bool legal = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(reply, "legal"));

    REQUIRE_TOLD(hearing, judges == (count(reply, "symbols") < 0));
    REQUIRE_TOLD(hearing, !judges || legal == (text(reply, "why") == NULL));
}

static void check_puzzle(const struct hearing *hearing, const cJSON *reply)
{
    REQUIRE_TOLD(hearing, count(reply, "legal") > 1);
}

static void check_storm(const struct hearing *hearing, const cJSON *reply)
{
    REQUIRE_TOLD(hearing, count(reply, "puzzles") > 0);
}

/* Only the answer comes with a line, and only a wrong move with a reply to it; each move has the
 * position after it. Only an attempt that is rated changes a rating. */
static void check_attempt(const struct hearing *hearing, const cJSON *reply)
{
    const cJSON *solver = cJSON_GetObjectItemCaseSensitive(reply, "solver");
    bool right = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(reply, "right"));
    bool rated = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(reply, "rated"));

    REQUIRE_TOLD(hearing, rated == cJSON_HasObjectItem(solver, "change"));

    REQUIRE_TOLD(hearing, right == (count(reply, "line") > 0));
    REQUIRE_TOLD(hearing, !right || text(reply, "reply") == NULL);
    REQUIRE_TOLD(hearing, count(reply, "positions") == (right ? count(reply, "line")
                                                        : text(reply, "reply") != NULL ? 2
                                                                                       : 1));
}

static void check_nothing(const struct hearing *hearing, const cJSON *reply)
{
    (void)hearing, (void)reply;
}

/* Replies that are never events, and their verbs (NULL: any). Any other is named as its verb. */
static const struct reply {
    const char *type, *verb;
    void (*check)(const struct hearing *hearing, const cJSON *reply);
} replies[] = {{"ok", NULL, check_ok},
               {"error", NULL, check_error},
               {"games", "games", check_rows},
               {"lessons", "lessons", check_lessons},
               {"explain", "explain", check_explain},
               {"puzzle", "puzzle", check_puzzle},
               {"attempt", "puzzle", check_attempt},
               {"storm", "puzzle", check_storm},
               {"list", "list", check_list},
               {"who", "who", check_who},
               {"top", "top", check_rows},
               {"history", "history", check_rows},
               {"tournaments", "tournaments", check_rows},
               {"series", "tournament", check_nothing},
               {"seeks", "seeks", check_rows},
               {"device", "device", check_device},
               {"tokens", "tokens", check_tokens},
               {"moves", "moves", check_moves},
               {"record", "record", check_record},
               {"stats", "stats", check_stats},
               {"help", "help", check_rows},
               {"pong", "ping", check_pong}};

static const struct reply *find_reply(const char *type)
{
    for (size_t i = 0; i < sizeof replies / sizeof replies[0]; i++)
        if (strcmp(replies[i].type, type) == 0)
            return &replies[i];
    return NULL;
}

static bool was_asked(const struct hearing *hearing, const char *verb)
{
    const struct command *command = hearing->asked->command;

    return command != NULL && strcmp(command->verb, verb) == 0;
}

static bool has_id(const cJSON *message, const struct asked *asked)
{
    return is_text(message, "id", asked->id[0] != '\0' ? asked->id : NULL);
}

/* Requests whose replies cannot be told from events: a blank line, and among other lines a `state`
 * without an id. */
static bool is_silent(const struct hearing *hearing, const struct asked *asked)
{
    return asked->blank || (!hearing->alone && asked->id[0] == '\0' && asked->command != NULL &&
                            strcmp(asked->command->verb, "state") == 0);
}

/* Such a request may be refused: a blank line that comes too early, or a state of no match. */
static bool is_refused(const struct asked *asked, const cJSON *message)
{
    if (!is_text(message, "type", "error") || !has_id(message, asked))
        return false;
    if (asked->blank)
        return is_text(message, "code", "rate-limited") && is_text(message, "cmd", NULL);
    return is_text(message, "cmd", asked->command->verb);
}

static void skip_silent(struct hearing *hearing, const cJSON *message)
{
    while (hearing->asked < hearing->asked_end && is_silent(hearing, hearing->asked) &&
           !is_refused(hearing->asked, message))
        hearing->asked++;
}

/* The next request has been answered. */
static void note_reply(struct hearing *hearing, bool refused)
{
    hearing->told->replies++;
    hearing->told->done += !refused && !hearing->asked->looks;
    hearing->asked++;
}

static void check_reply(struct hearing *hearing, const struct reply *reply, const cJSON *message)
{
    skip_silent(hearing, message);
    REQUIRE_TOLD(hearing, hearing->asked < hearing->asked_end);
    REQUIRE_TOLD(hearing, has_id(message, hearing->asked));
    REQUIRE_TOLD(hearing, reply->verb == NULL || was_asked(hearing, reply->verb));
    if (hearing->alone || reply->verb == NULL)
        reply->check(hearing, message);
    note_reply(hearing, strcmp(reply->type, "error") == 0);
}

/* A state or a bye counts as a reply when one is due next. */
static bool is_reply(struct hearing *hearing, const cJSON *message, const char *type)
{
    const struct asked *before = hearing->asked;
    bool state = strcmp(type, "state") == 0;

    if (!state && !(strcmp(type, "bye") == 0 && is_text(message, "reason", "quit")))
        return false;
    skip_silent(hearing, message);
    if (hearing->asked < hearing->asked_end && was_asked(hearing, state ? "state" : "quit") &&
        has_id(message, hearing->asked))
        return true;
    hearing->asked = before;
    return false;
}

static bool is_event(const char *type)
{
    static const char *const types[] = {"hello",  "state",    "challenge", "offer", "rematch",
                                        "lobby",  "presence", "chat",      "ping",  "bye",
                                        "paired", "declined", "windows",   "name",  NULL};

    return is_in(type, types);
}

static void check_event(struct hearing *hearing, const cJSON *message, const char *type,
                        bool latest)
{
    if (is_reply(hearing, message, type))
        note_reply(hearing, false);
    else
        REQUIRE_TOLD(hearing, cJSON_GetObjectItemCaseSensitive(message, "id") == NULL);
    if (latest && hearing->alone)
        check_state(hearing, message);
    if (strcmp(type, "challenge") == 0)
        copy_id(hearing->peer->match, message);
}

/* Checks one line of JSON. */
static void hear(struct hearing *hearing, bool latest)
{
    const char *end;
    cJSON *message = cJSON_ParseWithOpts(hearing->line, &end, true);

    REQUIRE(message != NULL && cJSON_IsObject(message), "told what is no JSON: %s", hearing->line);
    const char *type = text(message, "type");
    REQUIRE_TOLD(hearing, type != NULL);
    bool tournament = strcmp(type, "tournament") == 0;
    hearing->decimals = tournament || strcmp(type, "series") == 0;
    check_shape(hearing, message);
    const struct reply *reply = find_reply(type);
    if (reply != NULL)
        check_reply(hearing, reply, message);
    else if (is_event(type) || (tournament && text(message, "what") != NULL))
        check_event(hearing, message, type, latest);
    else
        check_reply(hearing, &(struct reply){type, type, check_nothing}, message);
    cJSON_Delete(message);
}

/* Returns whether no later state of this match follows the line of `length` bytes. */
static bool is_latest(const char *line, size_t length, const char *end)
{
    static const char begin[] = "{\"type\":\"state\",\"match\":\"";
    size_t key = strlen(begin);
    const char *quote = length > key ? memchr(line + key, '"', length - key) : NULL;

    if (quote == NULL || memcmp(line, begin, key) != 0)
        return false;
    key = (size_t)(quote - line) + 1;
    return memmem(line + length, (size_t)(end - line) - length, line, key) == NULL;
}

/* Requires that the peer got all replies, unless the server closed the connection first. */
static void check_end(struct hearing *hearing)
{
    while (hearing->asked < hearing->asked_end && is_silent(hearing, hearing->asked))
        hearing->asked++;
    if (!hearing->peer->closed && !hearing->peer->texts)
        REQUIRE(hearing->asked == hearing->asked_end, "%d commands are not answered",
                (int)(hearing->asked_end - hearing->asked));
}

/* Returns whether the line tells of a match that was ended so that another one can be opened. */
static bool is_room_made(const struct asked *asked, const char *line)
{
    bool opens = asked->command != NULL && asked->command->opens;
    bool state = strncmp(line, "{\"type\":\"state\"", 15) == 0 &&
                 strstr(line, "\"reason\":\"aborted\"") != NULL;
    static const char lobby[] = "{\"type\":\"lobby\",\"what\":\"over\"";

    return opens && (state || strncmp(line, lobby, sizeof lobby - 1) == 0);
}

void told_take(struct told *told, struct world *world, struct peer *peer, const struct asked *asked,
               int count, bool alone)
{
    struct hearing hearing = {told, world, peer, asked, asked + count, alone, false, NULL};

    for (size_t at = 0; at < peer->length;) {
        char *line = peer->output + at;
        size_t length = (size_t)((char *)memchr(line, '\n', peer->length - at) - line);
        bool latest = is_latest(line, length, peer->output + peer->length);
        REQUIRE(utf8_is_clean(line, length), "told what is no clean text: %.*s", (int)length, line);
        line[length] = '\0';
        hearing.line = line;
        if (!peer->texts)
            hear(&hearing, latest);
        if (!peer->texts && alone && count > 0 && !is_room_made(asked, line))
            REQUIRE_TOLD(&hearing, told->replies > 0); /* it comes before the events */
        at += length + 1;
    }
    peer->length = 0;
    check_end(&hearing);
}
