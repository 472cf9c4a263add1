#include "announce.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "server/base/log.h"

/* Returns whether the player sits in both seats and this is the black one. */
static bool is_second_seat(const struct seat *seat, bool challenged)
{
    const struct seat *white = &seat->table->seats[WHITE];

    return seat->color == BLACK && white->player == seat->player && (white->joined || challenged);
}

/* Returns whether the house bot in a seat is to play here: each server has its own. That is where
 * the other player is connected, or, for matches between house bots, their opener: at the lowest of
 * these servers. */
static bool is_served(const struct seat *seat)
{
    const struct table *table = seat->table;
    const struct player *other = table->seats[!seat->color].player;

    if (other == NULL || other->kind == PLAYER_HOUSE)
        other = table->creator;
    return other == NULL || player_is_ours(other);
}

/* Returns `session`, or the next one of its player after it, that is told what happens in the seat;
 * NULL: none is. */
static struct session *listener_from(const struct seat *seat, struct session *session)
{
    while (session != NULL &&
           (session_is_closing(session) || (!seat->joined && session_is_behind(session))))
        session = next_session_of(session);
    return session;
}

/* The first session of the player in a seat, or NULL. `challenged` includes a player who has not
 * joined. A player in both seats is found only once. */
static struct session *first_in_seat(const struct seat *seat, bool challenged)
{
    if (seat->player == NULL || !(seat->joined || challenged) || is_second_seat(seat, challenged))
        return NULL;
    if (seat->player->kind == PLAYER_HOUSE && !is_served(seat))
        return NULL;
    return listener_from(seat, first_session_of(seat->player));
}

static struct session *next_in_seat(const struct seat *seat, const struct session *session)
{
    return listener_from(seat, next_session_of(session));
}

void announce_state_to(struct session *session, const struct table *table)
{
    struct instant instant = server_instant(session->server);
    struct wire wire = session_wire(session, NULL);

    wire_state(&wire, &instant, table, table_seats_of(table, session->player), !session->no_legal);
    session_send(session, &wire);
}

/* The sessions that are told something, in order: players, then spectators of a match; or those of
 * the lobby. */
struct audience {
    const struct table *table; /* NULL: those who watch the lobby */
    bool challenged;           /* players who are challenged are told, too */
    const struct player *but;  /* is not told, in none of their windows */
    int color;                 /* of the present seat */
    struct session *in_seat;   /* the latest of its player; NULL: the first comes next */
    const struct watch *watch; /* the latest */
    struct session *next_in_lobby;
};

/* The next session at the table or in the lobby, whether it is to be told or not. */
static struct session *next_listener(struct audience *audience)
{
    const struct table *table = audience->table;
    struct session *session;

    if (table == NULL) {
        session = audience->next_in_lobby;
        audience->next_in_lobby = session != NULL ? LIST_NEXT(session, lobby_link) : NULL;
        return session;
    }
    while (audience->color <= BLACK) {
        const struct seat *seat = &table->seats[audience->color];
        session = audience->in_seat == NULL ? first_in_seat(seat, audience->challenged)
                                            : next_in_seat(seat, audience->in_seat);
        audience->in_seat = session;
        if (session == NULL)
            audience->color++;
        /* One who is challenged to the seat may watch, too: they are told once. */
        else if (seat->joined || table_find_watch(table, &session->watches) == NULL)
            return session;
    }
    audience->watch = audience->watch == NULL ? LIST_FIRST(&table->watches)
                                              : LIST_NEXT(audience->watch, by_table);
    return audience->watch != NULL ? audience->watch->session : NULL;
}

/* The next session that is to be told; NULL after the last. */
static struct session *audience_next(struct audience *audience)
{
    struct session *session;

    do
        session = next_listener(audience);
    while (session != NULL && audience->but != NULL && session->player == audience->but);
    return session;
}

/* Sends the state to those of the audience who read one format; returns whether there are others.
 * The part that all of them see is written once; the receiver's own part follows it, and is written
 * again where the next one sees something else. */
static bool send_states(struct server *server, struct audience audience, bool text)
{
    const struct wire wire = {.out = &server->event, .text = text};
    struct instant instant = server_instant(server);
    const struct table *table = audience.table;
    size_t common_length = 0;
    unsigned seats = SEATS_NONE;
    bool no_legal = false, others = false;

    for (struct session *session; (session = audience_next(&audience)) != NULL;) {
        unsigned own_seats = table_seats_of(table, session->player);
        bool first = common_length == 0;
        if (session->text != text) {
            others = true;
            continue;
        }
        if (first) {
            wire.out->length = 0;
            wire_state_common(&wire, &instant, table);
            common_length = wire.out->length;
        }
        if (first || own_seats != seats || session->no_legal != no_legal) {
            seats = own_seats;
            no_legal = session->no_legal;
            wire.out->length = common_length;
            wire_state_own(&wire, &instant, table, seats, !no_legal);
        }
        session_send(session, &wire);
    }
    return others;
}

void announce_state(struct server *server, const struct table *table, bool challenged)
{
    const struct audience audience = {.table = table, .challenged = challenged};

    if (send_states(server, audience, false))
        send_states(server, audience, true);
}

/* An event on its way to many. Write it to `wire` each time that news_next() is true. */
struct news {
    struct audience audience;
    struct session *session; /* that is told now; NULL at first, and for other servers */
    struct wire wire;
    struct server
        *everywhere; /* the other servers are told, too, in both formats; NULL: they are not */
    const char
        *rematch; /* the id of the match that `rematch` is about; NULL: it is another event */
    struct buffer texts[2]; /* for other servers: as JSON, then for people */
    int formats;            /* that were begun */
};

/* Begins the next format for the other servers; after both, tells them and is false. */
static bool next_format(struct news *news)
{
    struct keeper *keeper = news->everywhere->keeper;
    struct buffer line = {.length = 0};

    if (news->formats < 2) {
        news->wire = (struct wire){.out = &news->texts[news->formats], .text = news->formats == 1};
        news->formats++;
        return true;
    }
    if (news->rematch != NULL)
        buffer_printf(&line, "r %s ", news->rematch);
    else
        buffer_puts(&line, "w ");
    for (int text = 0; text < 2; text++) {
        buffer_add(&line, news->texts[text].bytes, news->texts[text].length - 1);
        buffer_add(&line, text == 0 ? "\t" : "", 1);
        buffer_release(&news->texts[text]);
    }
    keeper->kind->tell(keeper, news->audience.table, line.bytes);
    buffer_release(&line);
    return false;
}

/* Sends what was written, and begins a message to the next. False when all have been told. */
static bool news_next(struct news *news)
{
    if (news->session != NULL)
        session_send(news->session, &news->wire);
    if (news->formats == 0 && (news->session = audience_next(&news->audience)) != NULL) {
        news->wire = session_wire(news->session, NULL);
        return true;
    }
    return news->everywhere != NULL && keeper_has_more(news->everywhere->keeper) &&
           next_format(news);
}

/* Returns whether a session hears what is said in a room. While they play, players do not hear
 * those who watch, but for their own words to them. */
static bool is_heard_by(const struct session *session, const struct table *table,
                        const struct talk_line *line)
{
    return line->room == ROOM_PLAYERS || table->match.status != MATCH_PLAYING ||
           table_seats_of(table, session->player) == SEATS_NONE ||
           strcmp(session->player->name, line->from) == 0;
}

void announce_heard_chat(struct table *table, const struct talk_line *line)
{
    struct news news = {.audience = {.table = table}};

    talk_add(&table->talk, line);
    while (news_next(&news))
        if (session_is_behind(news.session)) /* moves go before chat */
            news.wire.out->length = 0;
        else if (is_heard_by(news.session, table, line))
            wire_chat(&news.wire, table, line, false);
}

void announce_chat(struct server *server, struct table *table, const struct talk_line *line)
{
    struct keeper *keeper = server->keeper;
    struct buffer news = {.length = 0};

    announce_heard_chat(table, line);
    if (!keeper_has_more(keeper))
        return;
    buffer_printf(&news, "c %s %s %s", room_name(line->room), line->from, line->text);
    keeper->kind->tell(keeper, table, news.bytes);
    buffer_release(&news);
}

void announce_past_chat(struct session *session, const struct table *table)
{
    for (int i = 0; i < table->talk.count; i++) {
        struct wire wire = session_wire(session, NULL);
        if (!is_heard_by(session, table, &table->talk.lines[i]))
            continue;
        wire_chat(&wire, table, &table->talk.lines[i], true);
        session_send(session, &wire);
    }
}

void announce_rematch(struct server *server, const struct table *table, const struct table *next)
{
    struct news news = {.audience = {.table = table}, .everywhere = server, .rematch = next->id};

    while (news_next(&news))
        wire_rematch(&news.wire, table, next);
}

void announce_offer(struct server *server, const struct table *table,
                    const struct offer_event *offer, bool everywhere)
{
    struct news news = {.audience = {.table = table}, .everywhere = everywhere ? server : NULL};

    while (news_next(&news))
        wire_offer(&news.wire, table, offer->what, offer->from, offer->news);
}

void announce_lobby(struct server *server, const struct table *table, const char *what)
{
    struct news news = {.audience = {.next_in_lobby = LIST_FIRST(&server->lobby_watchers)},
                        .everywhere = server};

    if (table->is_private)
        return;
    while (news_next(&news))
        wire_lobby(&news.wire, what, table);
}

static void send_challenge(struct session *session, const struct seat *seat)
{
    struct wire wire = session_wire(session, NULL);

    if (!session->welcoming && session_is_behind(session))
        return;
    wire_challenge(&wire, seat);
    session_send(session, &wire);
}

/* Returns whether somebody is asked to take this seat and has not answered yet. */
static bool seat_is_challenge(const struct seat *seat)
{
    return seat->player != NULL && !seat->joined && seat->table->match.status == MATCH_OPEN &&
           seat->table->broken == NULL;
}

void announce_challenges(const struct table *table)
{
    for (int color = WHITE; color <= BLACK; color++) {
        const struct seat *seat = &table->seats[color];
        if (!seat_is_challenge(seat))
            continue;
        bool refuses = player_refuses_challenges(seat->player); /* at another server that shows */
        for (struct session *session = first_session_of(seat->player); session != NULL;
             session = next_session_of(session))
            if (refuses || !session->no_challenges)
                send_challenge(session, seat);
    }
}

void announce_declined(struct server *server, const struct table *table, const struct player *from,
                       const char *reason)
{
    struct news news = {.audience = {.table = table, .but = from}, .everywhere = server};

    while (news_next(&news))
        wire_declined(&news.wire, table, from->name, reason);
}

void announce_paired(const struct table *table, const struct paired *paired)
{
    for (int color = WHITE; color <= BLACK; color++) {
        const struct seat *seat = &table->seats[color];
        const struct seek_id seek = {paired->nodes[color], paired->seeks[color]};
        for (struct session *session = first_in_seat(seat, false); session != NULL;
             session = next_in_seat(seat, session)) {
            struct wire wire = session_wire(session, NULL);
            wire_paired(&wire, seat, seek, paired->tournament, paired->round);
            session_send(session, &wire);
        }
    }
}

void announce_written(struct server *server, const struct table *table, const char *json,
                      const char *text)
{
    struct news news = {.audience = {.table = table}};

    if (table == NULL)
        news.audience.next_in_lobby = LIST_FIRST(&server->lobby_watchers);
    while (news_next(&news))
        buffer_printf(news.wire.out, "%s\n", news.wire.text ? text : json);
}

void announce_presence_at(const struct server *server, const struct seat *seat)
{
    struct instant instant = server_instant(server);
    struct news news = {.audience = {.table = seat->table, .but = seat->player}};

    if (!seat->joined || seat->table->match.status == MATCH_OVER)
        return;
    while (news_next(&news))
        wire_presence(&news.wire, &instant, seat);
}

void announce_presence(const struct server *server, const struct player *player)
{
    const struct seat *seat;

    TAILQ_FOREACH (seat, &player->seats, link)
        announce_presence_at(server, seat);
}

struct presence_text presence_news_text(const struct server *server, const struct player *player)
{
    struct presence_text line;

    snprintf(line.text, sizeof line.text, "p %" PRId64 " %d %d %d %d %s", player->id,
             player_is_connected(player) ? server->nodes.own : 0, player->login, (int)player->kind,
             player->bot, player->name);
    return line;
}

void announce_ask_presence(struct server *server, const struct table *table)
{
    if (!keeper_has_more(server->keeper))
        return;
    for (int color = WHITE; color <= BLACK; color++) {
        const struct player *player = table->seats[color].player;
        struct question question = {.kind = LOOK_NAME};
        if (player == NULL || player_is_connected(player) || player->kind != PLAYER_NAMED)
            continue;
        snprintf(question.key, sizeof question.key, "%s", player->name);
        server->keeper->kind->look_up(server->keeper, look_up_new(&question));
    }
}

bool presence_news_read(struct presence_news *news, const char *line)
{
    int kind, bot;

    if (sscanf(line, "p %" SCNd64 " %d %d %d %d %31s", &news->id, &news->node, &news->login, &kind,
               &bot, news->name) != 6)
        return false;
    news->kind = kind == PLAYER_NAMED ? PLAYER_NAMED : PLAYER_GUEST;
    news->bot = bot != 0;
    return true;
}

void announce_to_house(const struct player *player)
{
    const struct seat *seat;

    if (player->kind == PLAYER_HOUSE)
        return;
    TAILQ_FOREACH (seat, &player->seats, link) {
        const struct table *table = seat->table;
        struct session *house = first_in_seat(&table->seats[!seat->color], false);
        if (table->match.status != MATCH_OVER && house != NULL &&
            house->player->kind == PLAYER_HOUSE) /* which has one window */
            announce_state_to(house, table);
    }
}

/* Returns whether somebody who comes back is told of the match of this seat. */
static bool is_welcome(const struct seat *seat)
{
    return seat_is_challenge(seat) ||
           (seat->table->match.status != MATCH_OVER && !is_second_seat(seat, false) &&
            (seat->player->kind != PLAYER_HOUSE || is_served(seat)));
}

int announce_welcome_count(const struct player *player)
{
    const struct seat *seat;
    int count = 0;

    TAILQ_FOREACH (seat, &player->seats, link)
        count += is_welcome(seat);
    return count;
}

void announce_welcome(struct session *session)
{
    struct player *player = session->player;
    int left = announce_welcome_count(player);
    struct seat *seat;

    session->welcoming = true;
    TAILQ_FOREACH (seat, &player->seats, link) {
        if (!is_welcome(seat) || (left-- > WELCOME_MATCHES_MAX && player->kind != PLAYER_HOUSE))
            continue;
        if (seat_is_challenge(seat))
            send_challenge(session, seat);
        else
            announce_state_to(session, seat->table);
        if (seat->joined && player->kind != PLAYER_HOUSE)
            announce_past_chat(session, seat->table);
    }
    session->welcoming = false;
}

void announce_challenges_to(struct session *session, const struct table *table)
{
    for (int color = WHITE; color <= BLACK; color++)
        if (table->seats[color].player == session->player &&
            seat_is_challenge(&table->seats[color]))
            send_challenge(session, &table->seats[color]);
}

/* Sends news to all who watch. Those who are slow to read ask for the standings anyway. */
static void send_tournament_news(const struct tournament *tournament,
                                 const struct tournament_news *news)
{
    const struct tournament_watch *watch;

    LIST_FOREACH (watch, &tournament->watches, by_tournament) {
        if (session_is_behind(watch->session))
            continue;
        struct wire wire = session_wire(watch->session, NULL);
        wire_tournament_news(&wire, tournament, news);
        session_send(watch->session, &wire);
    }
}

static void tell_pairing(const struct tournament *tournament,
                         const struct tournament_change *change)
{
    const struct contest_pairing *pairing = &tournament->contest.pairings.rows[change->pairing];
    struct tournament_news news = {.what = "paired",
                                   .round = pairing->round,
                                   .pairing = pairing,
                                   .match = tournament->matches[change->pairing]};

    if (change->match != 0)
        send_tournament_news(tournament, &news);
    if (change->result == PAIRING_OPEN)
        return;
    news.what = "result";
    news.result = true;
    send_tournament_news(tournament, &news);
}

/* Tells of a round, and of its results that need no match. */
static void tell_round(const struct tournament *tournament, const struct pairing_list *pairings)
{
    if (tournament->plan.format != FORMAT_ARENA)
        send_tournament_news(tournament, &(struct tournament_news){
                                             .what = "round", .round = pairings->rows[0].round});
    for (int i = 0; i < pairings->count; i++) {
        const struct contest_pairing *pairing = &pairings->rows[i];
        if (pairing->result != PAIRING_OPEN)
            send_tournament_news(tournament, &(struct tournament_news){.what = "result",
                                                                       .round = pairing->round,
                                                                       .pairing = pairing,
                                                                       .result = true});
    }
}

void announce_tournament(const struct tournament_change *change)
{
    static const char *const statuses[] = {[TOURNAMENT_OPEN] = "opened",
                                           [TOURNAMENT_RUNNING] = "resumed",
                                           [TOURNAMENT_PAUSED] = "paused",
                                           [TOURNAMENT_OVER] = "over",
                                           [TOURNAMENT_ABORTED] = "aborted"};
    const struct tournament *tournament = change->tournament;

    switch (change->kind) {
    case CHANGE_OPENED:
        break;
    case CHANGE_JOINED:
    case CHANGE_LEFT:
        send_tournament_news(
            tournament,
            &(struct tournament_news){.what = change->kind == CHANGE_JOINED ? "joined" : "left",
                                      .player = change->entry.player->name});
        return;
    case CHANGE_BARRED:
        if (change->entrant != NOBODY)
            send_tournament_news(
                tournament,
                &(struct tournament_news){.what = "left", .player = change->entry.player->name});
        return;
    case CHANGE_STARTED:
        send_tournament_news(tournament, &(struct tournament_news){.what = "started"});
        break;
    case CHANGE_STATUS:
        send_tournament_news(tournament,
                             &(struct tournament_news){.what = statuses[tournament->status]});
        break;
    case CHANGE_PAIRED:
        tell_round(tournament, &change->pairings);
        return;
    case CHANGE_PAIRING:
        tell_pairing(tournament, change);
        return;
    }
    log_line(LOG_INFO, "event=tournament tournament=%s status=%s format=%s players=%d",
             tournament->id, tournament_status_text(tournament->status),
             contest_format_text(tournament->plan.format), contest_active(&tournament->contest));
}
