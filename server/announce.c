#include "announce.h"

#include <string.h>

#include "encode.h"
#include "json_memory.h"
#include "list_json.h"
#include "log.h"
#include "rate.h"
#include "referee.h"
#include "state_json.h"
#include "turn.h"
#include "view.h"

/* A state on its way to many. As JSON what is the same for all is written once, and behind it what
 * the present receiver sees; as text it is made when first needed, by seats held and legal moves.
 */
struct broadcast {
    const struct server *server;
    const struct table *table;
    size_t common_length; /* 0: not written yet */
    struct json_text json;
    char space[STATE_BYTES_MAX];
    struct encoded text[4][2];
};

static void broadcast_begin(struct broadcast *broadcast, const struct server *server,
                            const struct table *table)
{
    broadcast->server = server;
    broadcast->table = table;
    broadcast->common_length = 0;
    broadcast->json = json_begin(broadcast->space, sizeof broadcast->space);
    memset(broadcast->text, 0, sizeof broadcast->text);
}

static void broadcast_end(struct broadcast *broadcast)
{
    for (int seats = 0; seats < 4; seats++)
        for (int legal = 0; legal < 2; legal++)
            encoded_release(&broadcast->text[seats][legal]);
}

/* Writes the state as JSON for one who holds `seats`. */
static bool write_json(struct broadcast *broadcast, unsigned seats, bool legal)
{
    struct json_text *json = &broadcast->json;

    if (broadcast->common_length == 0) {
        state_json_common(json, broadcast->server, broadcast->table);
        broadcast->common_length = json->length;
    }
    json->length = broadcast->common_length;
    state_json_own(json, broadcast->table, seats, legal);
    json_raw(json, "\n", 1);
    return json_finish(json);
}

static bool encode_text(struct broadcast *broadcast, unsigned seats, bool legal,
                        struct encoded *encoded)
{
    cJSON *state = view_state(broadcast->server, broadcast->table, seats, legal);
    bool done = state != NULL && encode(state, true, NULL, 0, encoded);

    cJSON_Delete(state);
    return done;
}

static void broadcast_to(struct broadcast *broadcast, struct session *session)
{
    const struct table *table = broadcast->table;
    const struct match *match = &table->match;
    unsigned seats = table_seats_of(table, session->player);
    bool legal =
        !session->no_legal && match->status == MATCH_PLAYING && seats & 1u << match->position.side;
    struct encoded *text = &broadcast->text[seats][legal];

    if (!session->text && write_json(broadcast, seats, legal))
        session_write(session, broadcast->json.bytes, broadcast->json.length);
    else if (session->text && (text->bytes != NULL || encode_text(broadcast, seats, legal, text)))
        session_write(session, text->bytes, text->length);
    else
        session_lose(session);
}

/* The session of the one in a seat, or NULL; `challenged` counts those who have not joined, too.
 * For one player in both seats only once. */
static struct session *seat_session(const struct table *table, enum color color, bool challenged)
{
    const struct seat *seat = &table->seats[color], *white = &table->seats[WHITE];

    if (seat->player == NULL || !(seat->joined || challenged))
        return NULL;
    if (color == BLACK && white->player == seat->player && (white->joined || challenged))
        return NULL;
    struct session *session = seat->player->session;
    return session != NULL && !session->closing ? session : NULL;
}

void announce_state_to(struct session *session, const struct table *table)
{
    struct broadcast broadcast;

    broadcast_begin(&broadcast, session->server, table);
    broadcast_to(&broadcast, session);
    broadcast_end(&broadcast);
}

/* Whether the one who is challenged to this seat watches, too. */
static bool is_watching(const struct table *table, const struct session *session, enum color color)
{
    return !table->seats[color].joined && table_find_watch(table, &session->watches) != NULL;
}

static void announce_state(const struct server *server, const struct table *table)
{
    struct broadcast broadcast;
    bool just_ended = table->match.status == MATCH_OVER && !table->finished;
    struct watch *watch;

    broadcast_begin(&broadcast, server, table);
    for (int color = WHITE; color <= BLACK; color++) {
        /* Who is challenged is told only that it has come to nothing. */
        struct session *session = seat_session(table, color, just_ended);
        if (session != NULL && !is_watching(table, session, color))
            broadcast_to(&broadcast, session);
    }
    LIST_FOREACH (watch, &table->watches, by_table)
        broadcast_to(&broadcast, watch->session);
    broadcast_end(&broadcast);
}

/* An event on its way to many, encoded once for each format when first needed. */
struct news {
    const cJSON *event;
    struct encoded encoded[2];
};

static void news_to(struct news *news, struct session *session)
{
    struct encoded *encoded = &news->encoded[session->text];

    if (encoded->bytes != NULL || encode(news->event, session->text, NULL, 0, encoded))
        session_write(session, encoded->bytes, encoded->length);
    else
        session_lose(session);
}

static void news_release(struct news *news)
{
    encoded_release(&news->encoded[false]);
    encoded_release(&news->encoded[true]);
}

/* Sends an event to all at the table but one session (NULL: to all). */
static void announce_event_but(const struct table *table, const cJSON *event,
                               const struct session *but)
{
    struct news news = {.event = event};
    struct watch *watch;

    for (int color = WHITE; color <= BLACK; color++) {
        struct session *session = seat_session(table, color, false);
        if (session != NULL && session != but)
            news_to(&news, session);
    }
    LIST_FOREACH (watch, &table->watches, by_table)
        news_to(&news, watch->session);
    news_release(&news);
}

void announce_event(const struct table *table, const cJSON *event)
{
    announce_event_but(table, event, NULL);
}

void announce_offer(const struct table *table, enum offer what, enum color from,
                    enum offer_news news)
{
    cJSON *event = view_offer(table, what, from, news);

    announce_event(table, event);
    cJSON_Delete(event);
}

static cJSON *lobby_event(const struct table *table, const char *what)
{
    char space[LIST_ROW_BYTES_MAX + 64];
    struct json_text json = json_begin(space, sizeof space);

    json_memory_begin();
    json_open(&json, NULL, '{');
    json_word(&json, "type", "lobby");
    json_word(&json, "what", what);
    list_row_json(&json, table);
    json_close(&json, '}');
    return json_finish(&json) ? cJSON_Parse(json.bytes) : NULL;
}

static void announce_lobby(struct server *server, const struct table *table, const char *what)
{
    struct session *session;

    if (table->is_private || LIST_EMPTY(&server->lobby_watchers))
        return;
    cJSON *event = lobby_event(table, what);
    struct news news = {.event = event};
    LIST_FOREACH (session, &server->lobby_watchers, lobby_link)
        news_to(&news, session);
    news_release(&news);
    cJSON_Delete(event);
}

void announce_opened(struct server *server, const struct table *table)
{
    turn_log(server, "event=opened match=%s game=%s by=%s", table_label(table).text,
             table->match.game->name, table->creator->name);
    announce_lobby(server, table, "opened");
}

static void finish(struct server *server, struct table *table)
{
    const struct match *match = &table->match;

    turn_log(server, "event=over match=%s result=%s reason=%s plies=%d", table_label(table).text,
             result_text(match->outcome.result), reason_text(match->outcome.reason),
             match->ply_count);
    turn_count(server, &server->counters.matches);
    turn_count(server, tally_finished(&server->tally, match->game));
    announce_lobby(server, table, "over");
    lobby_finish(&server->lobby, table);
}

static void rate(struct server *server, struct table *table)
{
    struct rating_change changes[2];

    if (rate_match(table, changes) && !turn_rated(server, table, changes))
        log_line(LOG_ERROR, "event=not-rated match=%s error=\"out of memory\"",
                 table_label(table).text);
}

void announce_change(struct server *server, struct table *table)
{
    /* Before anyone is told: the last state shows the new ratings. */
    if (table->match.status == MATCH_OVER && !table->finished)
        rate(server, table);
    table->changed_s = server->wall_s;
    announce_state(server, table);
    if (table->match.status == MATCH_OVER && !table->finished)
        finish(server, table);
    else
        referee_watch(server, table);
}

/* Measures the lag of those who play, so that it is known when the clock starts. */
static void measure_lags(const struct table *table)
{
    for (int color = WHITE; color <= BLACK; color++) {
        struct session *session = seat_session(table, color, false);
        if (session != NULL)
            session_measure_lag(session);
    }
}

void announce_start_or_state(struct server *server, struct table *table)
{
    bool started = lobby_start_if_full(&server->lobby, table, server->now_ms);

    if (started) {
        turn_log(server, "event=started match=%s white=%s black=%s", table_label(table).text,
                 table->seats[WHITE].player->name, table->seats[BLACK].player->name);
        announce_lobby(server, table, "started");
    }
    announce_change(server, table);
    if (started && table->match.clock.base_ms > 0 && table->match.status == MATCH_PLAYING)
        measure_lags(table);
}

static void challenge(const struct seat *seat)
{
    cJSON *event = view_challenge(seat->table, seat->color);

    session_send(seat->player->session, event);
    cJSON_Delete(event);
}

/* Whether somebody is asked to take this seat and has not answered yet. */
static bool is_challenge(const struct seat *seat)
{
    return seat->player != NULL && !seat->joined && seat->table->match.status == MATCH_OPEN;
}

void announce_challenges(const struct table *table)
{
    for (int color = WHITE; color <= BLACK; color++) {
        const struct seat *seat = &table->seats[color];
        if (is_challenge(seat) && seat->player->session != NULL)
            challenge(seat);
    }
}

void announce_presence(const struct server *server, const struct player *player)
{
    const struct seat *seat;

    TAILQ_FOREACH (seat, &player->seats, link) {
        if (!seat->joined || seat->table->match.status == MATCH_OVER)
            continue;
        cJSON *event = view_presence(server, seat);
        announce_event_but(seat->table, event, player->session);
        cJSON_Delete(event);
    }
}

/* Whether he sits in both seats, and this one is black's. */
static bool is_second_seat(const struct seat *seat)
{
    const struct seat *white = &seat->table->seats[WHITE];

    return seat->color == BLACK && white->player == seat->player && white->joined;
}

void announce_welcome(struct session *session)
{
    struct seat *seat;

    session->welcoming = true;
    TAILQ_FOREACH (seat, &session->player->seats, link) {
        if (is_challenge(seat)) {
            challenge(seat);
        } else if (seat->table->match.status != MATCH_OVER && !is_second_seat(seat)) {
            announce_state_to(session, seat->table);
        }
    }
    session->welcoming = false;
    if (session->player->timed > 0)
        session_measure_lag(session);
}
