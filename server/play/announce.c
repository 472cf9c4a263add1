#include "announce.h"

/* Whether the player sits in both seats and this is the black one. */
static bool is_second_seat(const struct seat *seat, bool challenged)
{
    const struct seat *white = &seat->table->seats[WHITE];

    return seat->color == BLACK && white->player == seat->player && (white->joined || challenged);
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
    const struct seat *seat = &table->seats[color];

    if (seat->player == NULL || !(seat->joined || challenged) || is_second_seat(seat, challenged))
        return NULL;
    if (seat->player->kind == PLAYER_HOUSE && !is_served(seat))
        return NULL;
    struct session *session = seat->player->session;
    if (session == NULL || session_is_closing(session))
        return NULL;
    return seat->joined || !session_is_behind(session) ? session : NULL;
}

void announce_state_to(struct session *session, const struct table *table)
{
    struct instant instant = server_instant(session->server);
    struct wire wire = session_wire(session, NULL);

    wire_state(&wire, &instant, table, table_seats_of(table, session->player), !session->no_legal);
    session_send(session, &wire);
}

/* Whether the one who is challenged to this seat watches, too. */
static bool is_watching(const struct table *table, const struct session *session, enum color color)
{
    return !table->seats[color].joined && table_find_watch(table, &session->watches) != NULL;
}

/* The sessions that are told something, in order: those at a table, players first, or those who
 * watch the lobby. */
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

/* The next session; NULL after the last. */
static struct session *audience_next(struct audience *audience)
{
    struct session *session;

    do {
        session = audience->table != NULL ? next_at_table(audience) : audience->next_in_lobby;
        if (audience->table == NULL && session != NULL)
            audience->next_in_lobby = LIST_NEXT(session, lobby_link);
    } while (session != NULL && session == audience->but);
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
    struct session *session; /* that is told now; NULL at first */
    struct wire wire;
};

/* Sends what was written, and begins a message to the next. False when all have been told. */
static bool news_next(struct news *news)
{
    if (news->session != NULL)
        session_send(news->session, &news->wire);
    news->session = audience_next(&news->audience);
    if (news->session != NULL)
        news->wire = session_wire(news->session, NULL);
    return news->session != NULL;
}

void announce_chat(const struct table *table, const struct player *from, const char *text)
{
    struct news news = {.audience = {.table = table}};

    while (news_next(&news))
        if (session_is_behind(news.session))
            news.wire.out->length = 0; /* it is to hear of moves before chat */
        else
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

    if (!session->welcoming && session_is_behind(session))
        return;
    wire_challenge(&wire, seat);
    session_send(session, &wire);
}

/* Whether somebody is asked to take this seat and has not answered yet. */
static bool is_challenge(const struct seat *seat)
{
    return seat->player != NULL && !seat->joined && seat->table->match.status == MATCH_OPEN &&
           seat->table->broken == NULL;
}

void announce_challenges(const struct table *table)
{
    for (int color = WHITE; color <= BLACK; color++) {
        const struct seat *seat = &table->seats[color];
        if (is_challenge(seat) && seat->player->session != NULL)
            challenge(seat);
    }
}

void announce_declined(const struct table *table, const struct player *from, const char *reason)
{
    struct news news = {.audience = {.table = table, .but = from->session}};

    while (news_next(&news))
        wire_declined(&news.wire, table, from->name, reason);
}

void announce_paired(const struct table *table, const struct paired *paired)
{
    for (int color = WHITE; color <= BLACK; color++) {
        struct session *session = seat_session(table, color, false);
        if (session == NULL)
            continue;
        struct wire wire = session_wire(session, NULL);
        wire_paired(&wire, &table->seats[color], paired->seeks[color], paired->tournament,
                    paired->round);
        session_send(session, &wire);
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

void announce_to_house(const struct player *player)
{
    const struct seat *seat;

    if (player->kind == PLAYER_HOUSE)
        return;
    TAILQ_FOREACH (seat, &player->seats, link) {
        const struct table *table = seat->table;
        struct session *house = seat_session(table, !seat->color, false);
        if (table->match.status != MATCH_OVER && house != NULL &&
            house->player->kind == PLAYER_HOUSE)
            announce_state_to(house, table);
    }
}

void announce_welcome(struct session *session)
{
    struct seat *seat;

    session->welcoming = true;
    TAILQ_FOREACH (seat, &session->player->seats, link) {
        if (is_challenge(seat)) {
            challenge(seat);
        } else if (seat->table->match.status != MATCH_OVER && !is_second_seat(seat, false) &&
                   (seat->player->kind != PLAYER_HOUSE || is_served(seat))) {
            announce_state_to(session, seat->table);
        }
    }
    session->welcoming = false;
}
