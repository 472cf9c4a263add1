#include "announce.h"

#include "server/wire/wire.h"

/* Sends a state to the receivers of one format. The part that all of them see is written once; the
 * receiver's own part follows it and is overwritten for the next. */
struct broadcast {
    struct instant instant;
    const struct table *table;
    struct wire wire;
    size_t common_length; /* 0: nothing is written yet */
    unsigned seats;       /* of the latest receiver */
    bool legal;           /* the legal moves are shown to them */
};

static struct broadcast broadcast_begin(struct server *server, const struct table *table, bool text)
{
    return (struct broadcast){.instant = server_instant(server),
                              .table = table,
                              .wire = {.out = &server->event, .text = text}};
}

/* Writes the state for a holder of `seats`, as far as it is not there already. */
static void write_state(struct broadcast *broadcast, unsigned seats, bool legal)
{
    struct buffer *out = broadcast->wire.out;

    if (broadcast->common_length == 0) {
        out->length = 0;
        wire_state_common(&broadcast->wire, &broadcast->instant, broadcast->table);
        broadcast->common_length = out->length;
    } else if (broadcast->seats == seats && broadcast->legal == legal) {
        return;
    }
    out->length = broadcast->common_length;
    wire_state_own(&broadcast->wire, &broadcast->instant, broadcast->table, seats, legal);
    broadcast->seats = seats;
    broadcast->legal = legal;
}

static void broadcast_to(struct broadcast *broadcast, struct session *session)
{
    const struct table *table = broadcast->table;
    const struct match *match = &table->match;
    unsigned seats = table_seats_of(table, session->player);
    bool legal =
        !session->no_legal && match->status == MATCH_PLAYING && seats & 1u << match->position.side;

    write_state(broadcast, seats, legal);
    session_send(session, &broadcast->wire);
}

/* Whether the house bot in a seat is to play here: each server has its own. That is where the other
 * player is connected, or, for matches between house bots, their opener. */
static bool is_served(const struct seat *seat)
{
    const struct table *table = seat->table;
    const struct player *other = table->seats[!seat->color].player;

    if (other == NULL || other->kind == PLAYER_HOUSE)
        other = table->creator;
    return other == NULL || other->node == 0;
}

/* The session of the player in a seat, or NULL. `challenged` includes a player who has not joined.
 * A player in both seats is found only once. */
static struct session *seat_session(const struct table *table, enum color color, bool challenged)
{
    const struct seat *seat = &table->seats[color], *white = &table->seats[WHITE];

    if (seat->player == NULL || !(seat->joined || challenged))
        return NULL;
    if (color == BLACK && white->player == seat->player && (white->joined || challenged))
        return NULL;
    if (seat->player->kind == PLAYER_HOUSE && !is_served(seat))
        return NULL;
    struct session *session = seat->player->session;
    return session != NULL && !session_is_closing(session) ? session : NULL;
}

void announce_state_to(struct session *session, const struct table *table)
{
    struct broadcast broadcast = broadcast_begin(session->server, table, session->text);

    broadcast_to(&broadcast, session);
}

/* Whether the one who is challenged to this seat watches, too. */
static bool is_watching(const struct table *table, const struct session *session, enum color color)
{
    return !table->seats[color].joined && table_find_watch(table, &session->watches) != NULL;
}

/* The sessions that are told something, in order: those at a table, players first, or those who
 * watch the lobby. To go through them again, take a copy. */
struct audience {
    const struct table *table; /* NULL: those who watch the lobby */
    bool challenged;           /* players who are challenged are told, too */
    const struct session *but; /* is not told */
    int color;                 /* of the next seat */
    const struct watch *watch; /* the latest */
    struct session *next_in_lobby;
};

static struct session *next_at_table(struct audience *audience)
{
    const struct table *table = audience->table;

    while (audience->color <= BLACK) {
        int color = audience->color++;
        struct session *session = seat_session(table, color, audience->challenged);
        if (session != NULL && !is_watching(table, session, color))
            return session;
    }
    audience->watch = audience->watch == NULL ? LIST_FIRST(&table->watches)
                                              : LIST_NEXT(audience->watch, by_table);
    return audience->watch != NULL ? audience->watch->session : NULL;
}

/* The next session that reads this format; NULL after the last. */
static struct session *audience_next(struct audience *audience, bool text)
{
    struct session *session;

    do {
        session = audience->table != NULL ? next_at_table(audience) : audience->next_in_lobby;
        if (audience->table == NULL && session != NULL)
            audience->next_in_lobby = LIST_NEXT(session, lobby_link);
    } while (session != NULL && (session == audience->but || session->text != text));
    return session;
}

void announce_state(struct server *server, const struct table *table, bool challenged)
{
    struct session *session;

    for (int text = false; text <= true; text++) {
        struct audience audience = {.table = table, .challenged = challenged};
        struct broadcast broadcast = broadcast_begin(server, table, text);
        while ((session = audience_next(&audience, text)) != NULL)
            broadcast_to(&broadcast, session);
    }
}

/* An event on its way to many. Write it to `wire` each time that news_next() is true: once for each
 * format that somebody reads. */
struct news {
    struct audience audience; /* from its beginning */
    int formats;              /* that were begun or that nobody reads */
    struct wire wire;
};

/* Sends what was written, and begins the next format. False when all have been told. */
static bool news_next(struct news *news)
{
    struct audience audience = news->audience;
    struct session *session;

    if (news->wire.out != NULL)
        while ((session = audience_next(&audience, news->wire.text)) != NULL)
            session_send(session, &news->wire);
    while (news->formats < 2) {
        bool text = news->formats++ == 1;
        audience = news->audience;
        session = audience_next(&audience, text);
        if (session == NULL)
            continue;
        news->wire = session_wire(session, NULL);
        return true;
    }
    return false;
}

void announce_chat(const struct table *table, const struct player *from, const char *text)
{
    struct news news = {.audience = {.table = table}};

    while (news_next(&news))
        wire_chat(&news.wire, table, from, text);
}

void announce_rematch(const struct table *table, const struct table *next)
{
    struct news news = {.audience = {.table = table}};

    while (news_next(&news))
        wire_rematch(&news.wire, table, next);
}

void announce_offer(const struct table *table, enum offer what, enum color from,
                    enum offer_news offer_news)
{
    struct news news = {.audience = {.table = table}};

    while (news_next(&news))
        wire_offer(&news.wire, table, what, from, offer_news);
}

void announce_lobby(struct server *server, const struct table *table, const char *what)
{
    struct news news = {.audience = {.next_in_lobby = LIST_FIRST(&server->lobby_watchers)}};

    if (table->is_private)
        return;
    while (news_next(&news))
        wire_lobby(&news.wire, what, table);
}

static void challenge(const struct seat *seat)
{
    struct session *session = seat->player->session;
    struct wire wire = session_wire(session, NULL);

    wire_challenge(&wire, seat);
    session_send(session, &wire);
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
    struct news news = {.audience = {.table = seat->table, .but = seat->player->session}};

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

void announce_arrival(struct server *server, struct table *table)
{
    announce_challenges(table);
    if (table->match.status != MATCH_OVER)
        announce_state(server, table, false);
}

void announce_to_house(struct server *server, const struct player *player)
{
    const struct seat *seat;

    (void)server;
    TAILQ_FOREACH (seat, &player->seats, link) {
        const struct table *table = seat->table;
        struct session *house = seat_session(table, !seat->color, false);
        if (table->match.status != MATCH_OVER && house != NULL &&
            house->player->kind == PLAYER_HOUSE)
            announce_state_to(house, table);
    }
}

/* Whether the player sits in both seats and this is the black one. */
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
        } else if (seat->table->match.status != MATCH_OVER && !is_second_seat(seat) &&
                   (seat->player->kind != PLAYER_HOUSE || is_served(seat))) {
            announce_state_to(session, seat->table);
        }
    }
    session->welcoming = false;
}
