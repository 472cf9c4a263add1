#include "session.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "announce.h"
#include "command.h"
#include "common/utf8.h"
#include "log.h"
#include "pace.h"
#include "referee.h"
#include "server.h"
#include "turn.h"
#include "wire_event.h"

struct session *session_open(struct server *server, struct sink sink, struct origin *origin)
{
    struct session *session = calloc(1, sizeof *session);

    if (session == NULL)
        return NULL;
    turn_end(server);
    struct player *player = players_add_guest(&server->players);
    if (player == NULL) {
        free(session);
        return NULL;
    }
    session->server = server;
    session->sink = sink;
    session->admitted = server->code[0] == '\0';
    session->origin = origin;
    session->opened_ms = session->heard_ms = server->now_ms;
    session->lag_ms = -1;
    LIST_INIT(&session->watches);
    session->player = player;
    player_set_session(&server->players, player, session);
    TAILQ_INSERT_TAIL(&server->sessions, session, link);
    server->session_count++;
    server->counters.connections++;
    log_line(LOG_DEBUG, "event=connected peer=%s", player->name);

    struct wire greeting = session_wire(session, NULL);
    wire_greeting(&greeting, server, player);
    session_send(session, &greeting);
    return session;
}

void session_lose(struct session *session)
{
    if (session->closing || session->lost)
        return;
    log_line(LOG_ERROR, "event=lost peer=%s error=\"out of memory\"", session->player->name);
    session->lost = session->server->some_lost = true;
}

void session_close_lost(struct server *server)
{
    struct session *session;

    while (server->some_lost) {
        server->some_lost = false; /* to tell of one who leaves may fail for others */
        TAILQ_FOREACH (session, &server->sessions, link)
            if (session->lost)
                session_close(session, "internal");
        turn_end(server);
    }
}

struct wire session_wire(const struct session *session, const char *id)
{
    struct buffer *out = &session->server->event;

    out->length = 0;
    return (struct wire){out, session->text, id};
}

void session_send(struct session *session, const struct wire *wire)
{
    const struct buffer *out = wire->out;

    if (session->closing || session->lost || out->length == 0)
        return;
    if (!turn_hold(session->server, session, out->bytes, out->length))
        session->sink.write(session->sink.context, out->bytes, out->length);
}

void session_watch_lobby(struct session *session, bool watch)
{
    if (watch && !session->in_lobby)
        LIST_INSERT_HEAD(&session->server->lobby_watchers, session, lobby_link);
    if (!watch && session->in_lobby)
        LIST_REMOVE(session, lobby_link);
    session->in_lobby = watch;
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

/* How heavy the newest measurement weighs: 1 in so many. */
enum { LAG_WEIGHT = 4 };

/* Only what nobody sends for another reason counts as the answer to a ping. */
static void measure_answer(struct session *session, const struct message *message)
{
    bool blank = message->verb == NULL && message->id == NULL;
    int64_t took_ms = session->server->now_ms - session->ping_ms;

    if (!session->measuring ||
        !(blank || (message->verb != NULL && strcasecmp(message->verb, "ping") == 0)))
        return;
    session->measuring = false;
    if (took_ms > CLOCK_LAG_MAX_MS)
        took_ms = CLOCK_LAG_MAX_MS; /* one hiccup is not to be felt for minutes */
    if (session->lag_ms < 0)
        session->lag_ms = took_ms;
    else
        session->lag_ms += (took_ms - session->lag_ms) / LAG_WEIGHT;
}

void session_ping(struct session *session)
{
    struct wire ping = session_wire(session, NULL);

    wire_ping(&ping);
    session_send(session, &ping);
    session->pinged = true;
    session->measuring = !session->text;
    session->ping_ms = session->server->now_ms;
}

bool session_lag_is_due(const struct session *session)
{
    return !session->text && session->player->timed > 0 &&
           session->server->now_ms - session->ping_ms >= LAG_EVERY_MS;
}

void session_measure_lag(struct session *session)
{
    if (!session->text && !session->measuring)
        session_ping(session);
}

void session_set_text(struct session *session, bool text)
{
    session->text = text;
    if (!text)
        return;
    session->measuring = false;
    session->lag_ms = -1;
}

bool player_is_here(const struct player *player)
{
    return player->session != NULL && !player->session->closing;
}

/* A sign of life. */
static void heard(struct session *session)
{
    session->heard_ms = session->server->now_ms;
    session->pinged = false;
    session->spoken = true;
}

bool session_is_mute(const struct session *session)
{
    int64_t age_ms = session->server->now_ms - session->opened_ms;

    return (!session->spoken && age_ms >= session->server->limits.first_line_s * 1000LL) ||
           (!session->admitted &&
            age_ms >= session->server->limits.idle_s * (int64_t)ADMISSION_IDLES * 1000);
}

void session_trust(struct session *session)
{
    session->trusted = true;
    if (session->origin != NULL)
        origins_leave(&session->server->origins, session->origin);
    session->origin = NULL;
}

bool session_line(struct session *session, const char *line, size_t length)
{
    struct message message = {.verb = NULL};
    struct cause cause;

    if (session->closing)
        return true;
    bool clean = utf8_is_clean(line, length);
    bool good = clean && message_parse(&message, line, length, &cause);
    if (!clean)
        parse_id(&message, line, length);
    const struct command *command = message.verb != NULL ? command_find(message.verb) : NULL;
    int cost = good && command != NULL ? command->cost : 1;
    int64_t early_ms = pace_wait_ms(session, cost);
    if (turn_must_wait(session->server, good && early_ms == 0 ? command : NULL))
        return false;
    heard(session);
    if (good)
        measure_answer(session, &message);
    if (early_ms > 0) {
        command_error_rate(session, message.id, message.verb, early_ms);
        return true;
    }
    pace_count(session, cost);
    if (!clean)
        command_error(session, message.id, NULL, STATUS_BAD_ENCODING, NULL);
    else if (!good)
        command_error(session, NULL, message.verb, STATUS_BAD_ARGUMENTS, cause.text);
    else if (message.verb != NULL)
        command_run(session, command, &message);
    else if (message.id != NULL)
        command_error(session, message.id, NULL, STATUS_BAD_ARGUMENTS,
                      "a command follows the id: #7 help");
    return true;
}

bool session_line_too_long(struct session *session)
{
    struct cause cause;

    if (session->closing)
        return true;
    if (turn_must_wait(session->server, NULL))
        return false;
    heard(session);
    pace_count(session, 1);
    cause_set(&cause, "a line has at most %d bytes, its end included",
              session->server->limits.line_bytes);
    command_error(session, NULL, NULL, STATUS_LINE_TOO_LONG, cause.text);
    return true;
}

void session_note_seen(struct server *server, struct player *player)
{
    if (player->kind != PLAYER_GUEST && turn_touch_player(server, player))
        player->seen_s = server->wall_s;
}

/* Gives up the watches and the player. What others see of it is announced. */
static void leave(struct session *session)
{
    struct player *player = session->player;

    while (!LIST_EMPTY(&session->watches))
        table_unwatch(LIST_FIRST(&session->watches));
    session_watch_lobby(session, false);
    session->player = NULL;
    if (player == NULL)
        return;
    log_line(LOG_DEBUG, "event=left peer=%s", player->name);
    player->away_ms = session->server->now_ms;
    player->seen_s = session->server->wall_s;
    if (!session->server->stopping) { /* else nobody has left: the server has */
        referee_gone(session->server, player);
        session_note_seen(session->server, player);
    }
    player_set_session(&session->server->players, player, NULL);
}

/* Nothing more is sent or heard. */
static void stop(struct session *session)
{
    session->closing = true;
    session->sink.close(session->sink.context);
}

void session_say_bye(struct session *session, const char *reason)
{
    struct wire bye = session_wire(session, NULL);

    if (session->player != NULL)
        log_line(LOG_DEBUG, "event=bye peer=%s reason=%s", session->player->name, reason);
    wire_bye(&bye, reason);
    if (!session->closing) /* at once: the sink is asked to close now, and nothing may come later */
        session->sink.write(session->sink.context, bye.out->bytes, bye.out->length);
    stop(session);
}

void session_end(struct session *session)
{
    stop(session);
    leave(session);
}

void session_close(struct session *session, const char *reason)
{
    if (session->closing)
        return;
    /* What it was told before goes out before the bye. Many may leave in one turn. */
    turn_end_for(session->server, session);
    if (session->closing)
        return; /* an `internal` was one error too many */
    session_say_bye(session, reason);
    leave(session);
}

void session_free(struct session *session)
{
    struct server *server = session->server;

    turn_end_for(server, session);
    session->closing = true;
    leave(session);
    if (session->origin != NULL)
        origins_leave(&server->origins, session->origin);
    TAILQ_REMOVE(&server->sessions, session, link);
    server->session_count--;
    free(session);
}

void session_become(struct session *session, struct player *player)
{
    struct server *server = session->server;
    struct player *guest = session->player;
    struct session *former = player->session;

    if (former != NULL) {
        former->player = NULL; /* so that it leaves as nobody */
        session_close(former, "replaced");
    }
    session->player = player;
    player_set_session(&server->players, guest, NULL);
    player_set_session(&server->players, player, session);
    for (struct watch *watch = LIST_FIRST(&session->watches), *next; watch != NULL; watch = next) {
        next = LIST_NEXT(watch, by_session);
        if (table_seats_of(watch->table, player) != SEATS_NONE)
            table_unwatch(watch);
    }
}
