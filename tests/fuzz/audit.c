#include "audit.h"

#include <string.h>

#include "fuzz.h"
#include "server/play/session.h"

static void stir(uint64_t *digest, const void *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        *digest = (*digest ^ ((const uint8_t *)bytes)[i]) * UINT64_C(1099511628211);
}

static void stir_number(uint64_t *digest, int64_t number)
{
    stir(digest, &number, sizeof number);
}

/* rules.md: the outcome of the position, otherwise the third repetition in games that end by it. */
static struct outcome outcome_by_rules(const struct match *match)
{
    struct outcome outcome = match->game->outcome(&match->position);
    uint64_t key = match->game->key(&match->position);
    int times = match->game->key(&match->start) == key;

    for (int i = 0; i < match->ply_count; i++)
        times += match->plies[i].key == key;
    if (outcome.result == RESULT_NONE && match->game->repetition_draws && times >= 3)
        return (struct outcome){RESULT_DRAW, REASON_REPETITION};
    return outcome;
}

/* now_ms -1: a flag may have fallen already. */
static void check_match(const struct match *match, int64_t now_ms)
{
    struct position position = match->start;
    struct outcome outcome = outcome_by_rules(match);

    for (int i = 0; i < match->ply_count; i++) {
        REQUIRE(match->game->legal(&position, NULL) > 0, "a move after the end");
        match->game->apply(&position, match->plies[i].move);
        uint64_t key = match->game->repetition_draws ? match->game->key(&position) : 0;
        REQUIRE(match->plies[i].key == key, "a wrong key");
    }
    REQUIRE(memcmp(&position, &match->position, sizeof position) == 0, "the moves lead elsewhere");
    if (match->status == MATCH_PLAYING)
        REQUIRE(outcome.result == RESULT_NONE, "it goes on, but should be %s",
                result_text(outcome.result));
    if (match->status != MATCH_OVER)
        REQUIRE(match->outcome.reason == REASON_NONE, "not over: %s",
                reason_text(match->outcome.reason));
    if (match->status == MATCH_OVER && match->outcome.reason < REASON_RESIGN)
        REQUIRE(match->outcome.result == outcome.result && match->outcome.reason == outcome.reason,
                "over by the rules");
    REQUIRE(match->status == MATCH_PLAYING || !match->clock.runs, "a clock runs on");
    REQUIRE(now_ms < 0 || clock_flag_ms(&match->clock) > now_ms,
            "a flag has fallen, and nobody has noticed");
}

/* Whether what should have happened by itself could not be written: then it is late. */
static bool is_late(const struct server *server)
{
    return server->keeper_fails || server->guests_wait;
}

static bool has_seat(const struct player *player, const struct seat *wanted)
{
    const struct seat *seat;

    TAILQ_FOREACH (seat, &player->seats, link)
        if (seat == wanted)
            return true;
    return false;
}

static void check_table(const struct server *server, const struct table *table, bool settled)
{
    bool over = table->match.status == MATCH_OVER;
    const struct watch *watch;
    int watchers = 0;

    check_match(&table->match, settled && !is_late(server) ? server->now_ms : -1);
    REQUIRE(lobby_find(&server->lobby, table->id) == table, "match %s is not found", table->id);
    REQUIRE(table->lock.owner == NULL, "match %s is locked", table->id);
    REQUIRE(over == (table->ended != 0), "match %s is over: %d", table->id, over);
    REQUIRE(over == (table->creator == NULL), "match %s is still somebody's", table->id);
    for (int color = WHITE; color <= BLACK; color++) {
        const struct seat *seat = &table->seats[color];
        REQUIRE(seat->table == table && seat->color == color, "a seat elsewhere");
        REQUIRE(seat->player != NULL || !seat->joined, "nobody has joined");
        REQUIRE(seat->player == NULL || has_seat(seat->player, seat), "a seat is not in the list");
        if (table->match.status == MATCH_PLAYING)
            REQUIRE(seat->joined, "match %s runs without a player", table->id);
    }
    REQUIRE(table->match.status != MATCH_OPEN || !table->seats[0].joined || !table->seats[1].joined,
            "match %s does not start", table->id);
    LIST_FOREACH (watch, &table->watches, by_table) {
        REQUIRE(watch->table == table && !session_is_closing(watch->session), "a watch of nobody");
        REQUIRE(table_seats_of(table, watch->session->player) == SEATS_NONE, "a player watches");
        watchers++;
    }
    REQUIRE(watchers == table->watcher_count, "match %s has %d watchers, not %d", table->id,
            watchers, table->watcher_count);
}

static void note_table(struct audit *audit, const struct table *table)
{
    const struct match *match = &table->match;
    uint64_t sum = 0, *digest = &sum;
    bool has_guest = table->creator != NULL && table->creator->kind == PLAYER_GUEST;

    stir(digest, table->id, strlen(table->id));
    stir_number(digest, match->status);
    stir_number(digest, match->ply_count);
    stir_number(digest, match->outcome.result * 100 + (int)match->outcome.reason);
    stir(digest, match->offers, sizeof match->offers);
    stir_number(digest, match->clock.base_ms + match->clock.increment_ms * 7);
    stir(digest, match->clock.left_ms, sizeof match->clock.left_ms);
    stir_number(digest, table->watcher_count * 2 + table->casual);
    for (int color = WHITE; color <= BLACK; color++) {
        const struct seat *seat = &table->seats[color];
        stir_number(digest, seat->player != NULL ? seat->player->id * 2 + seat->joined : 0);
        has_guest = has_guest || (seat->player != NULL && seat->player->kind == PLAYER_GUEST);
    }
    audit->digest += sum;
    if (audit->count == AUDIT_TABLES_MAX)
        return;
    struct audited *audited = &audit->tables[audit->count++];
    memcpy(audited->id, table->id, sizeof audited->id);
    audited->status = match->status;
    audited->plies = match->ply_count;
    audited->outcome = match->outcome;
    audited->position = match->position;
    audited->has_guest = has_guest;
    audited->vacant = table->seats[WHITE].player == NULL || table->seats[BLACK].player == NULL;
}

/* Checks one of the lobby's lists and returns its length. */
static int take_tables(struct audit *audit, const struct server *server, bool settled,
                       const struct table_list *list, int counts[3])
{
    const struct table *table;
    int count = 0;

    TAILQ_FOREACH (table, list, link) {
        check_table(server, table, settled);
        note_table(audit, table);
        counts[table->match.status]++;
        count++;
    }
    return count;
}

static void check_unplayed(const struct lobby *lobby)
{
    const struct table *table;
    int unplayed = 0;

    TAILQ_FOREACH (table, &lobby->finished, link)
        unplayed += table->match.ply_count == 0;
    TAILQ_FOREACH (table, &lobby->unplayed, by_unplayed)
        unplayed--;
    REQUIRE(unplayed == 0, "%d matches without a move are not counted", unplayed);
}

/* Checks a player, connected or not. */
static void note_player(struct audit *audit, const struct player *player)
{
    const struct rating *rating;
    uint64_t sum = player->kind * 2 + player->bot;

    if (player->kind == PLAYER_GUEST)
        return; /* may come and go */
    stir(&sum, player->name, strlen(player->name));
    stir(&sum, player->token_hash, sizeof player->token_hash);
    for (int i = 0; i < player_token_count(player); i++)
        stir_number(&sum, player_token_at(player, i).number);
    audit->digest += sum;
    SLIST_FOREACH(rating, &player->ratings, link)
    {
        uint64_t rated = sum;
        if (rating->matches == 0)
            continue;
        stir(&rated, rating->variant, strlen(rating->variant));
        stir(&rated, &rating->now, sizeof rating->now);
        stir_number(&rated, rating->matches);
        audit->digest += rated;
    }
}

/* The counts of a player agree with their seats and matches. */
static void check_player(const struct server *server, const struct player *player)
{
    int playing = 0, timed = 0, unfinished = 0;
    const struct seat *seat;
    const struct table *table;

    TAILQ_FOREACH (seat, &player->seats, link) {
        REQUIRE(seat->player == player, "%s has the seat of another", player->name);
        bool plays = seat->table->match.status == MATCH_PLAYING;
        playing += plays && !seat->table->is_private; /* private matches are hidden */
        timed += plays && seat->table->match.clock.base_ms > 0;
    }
    TAILQ_FOREACH (table, &player->created, by_creator) {
        REQUIRE(table->creator == player, "%s has opened the match of another", player->name);
        unfinished++;
    }
    REQUIRE(player->playing == playing && player->timed == timed, "%s plays %d (%d), not %d (%d)",
            player->name, player->playing, player->timed, playing, timed);
    REQUIRE(player->unfinished == unfinished, "%s has opened %d, not %d", player->name,
            player->unfinished, unfinished);
    const struct session *own = first_session_of(player);
    int windows = 0;
    for (; own != NULL; own = next_session_of(own), windows++)
        REQUIRE(own->player == player && !session_is_closing(own), "%s is elsewhere", player->name);
    REQUIRE(windows == player->window_count && windows <= WINDOWS_MAX, "%s has %d windows, not %d",
            player->name, windows, player->window_count);
    REQUIRE(player->here == (windows > 0), "%s is here: %d", player->name, player->here);
    /* A disconnected guest has no unfinished match. */
    TAILQ_FOREACH (seat, &player->seats, link)
        REQUIRE(player->kind != PLAYER_GUEST || windows > 0 || !seat->joined ||
                    seat->table->match.status == MATCH_OVER || is_late(server),
                "%s is gone, and match %s waits", player->name, seat->table->id);
}

struct visit {
    struct audit *audit;
    const struct server *server;
};

static void take_player(const struct player *player, void *context)
{
    const struct visit *visit = context;

    check_player(visit->server, player);
    note_player(visit->audit, player);
}

static void take_session(struct audit *audit, const struct session *session)
{
    const struct watch *watch;
    uint64_t sum = 0;

    REQUIRE(session_is_closing(session) == (session->player == NULL), "a session without a player");
    if (session_is_closing(session)) {
        REQUIRE(LIST_EMPTY(&session->watches) && !session->in_lobby, "who has gone watches on");
        return;
    }
    const struct session *own = first_session_of(session->player);
    while (own != NULL && own != session)
        own = next_session_of(own);
    REQUIRE(own == session, "%s is elsewhere", session->player->name);
    stir_number(&sum, session->player->id);
    stir(&sum, session->player->name, strlen(session->player->name));
    /* Except admission: a peer that gave the join code is admitted, even if its command failed.
     */
    stir_number(&sum, session->player->bot * 8 + session->text * 4 + session->no_legal * 2 +
                          session->in_lobby);
    LIST_FOREACH (watch, &session->watches, by_session) {
        uint64_t watched = (uint64_t)session->player->id;
        stir(&watched, watch->table->id, strlen(watch->table->id));
        audit->digest += watched;
    }
    audit->digest += sum;
}

/* Counts the references to an origin from these tables, and the unfinished matches that it
 * opened. */
static void count_held(const struct table_list *tables, const struct origin *origin, int *held,
                       int *unfinished)
{
    const struct table *table;

    TAILQ_FOREACH (table, tables, link) {
        *held += (table->origin == origin) + (table->asked_from == origin);
        *unfinished += table->origin == origin && table->match.status != MATCH_OVER;
    }
}

static void check_origin(const struct server *server, const struct origin *origin)
{
    const struct session *session;
    const struct origin *idle;
    int held = 0, unfinished = 0, connections = 0;
    bool is_idle = false;

    count_held(&server->lobby.unfinished, origin, &held, &unfinished);
    count_held(&server->lobby.finished, origin, &held, &unfinished);
    TAILQ_FOREACH (session, &server->sessions, link)
        connections += session->origin == origin;
    TAILQ_FOREACH (idle, &server->origins.idle, idle)
        is_idle = is_idle || idle == origin;
    REQUIRE(origin->matches == held && origin->unfinished == unfinished &&
                origin->connections == connections,
            "an address counts %d %d %d, there are %d %d %d", origin->matches, origin->unfinished,
            origin->connections, held, unfinished, connections);
    REQUIRE(is_idle == (held == 0 && connections == 0), "an address is idle: %d", is_idle);
}

void audit_take(struct audit *audit, const struct server *server, bool settled)
{
    const struct lobby *lobby = &server->lobby;
    const struct session *session;
    int counts[3] = {0}, sessions = 0;

    audit->digest = 0;
    audit->count = 0;
    take_tables(audit, server, settled, &lobby->unfinished, counts);
    REQUIRE(counts[MATCH_OVER] == 0, "a match that is over is among the others");
    int over = take_tables(audit, server, settled, &lobby->finished, counts);
    REQUIRE(counts[MATCH_OVER] == over, "a match among the finished ones is not over");
    REQUIRE(lobby->open == counts[MATCH_OPEN] && lobby->playing == counts[MATCH_PLAYING] &&
                lobby->over == over,
            "the lobby counts %d %d %d, there are %d %d %d", lobby->open, lobby->playing,
            lobby->over, counts[MATCH_OPEN], counts[MATCH_PLAYING], over);
    REQUIRE(over <= lobby->finished_max, "%d finished matches are kept", over);
    check_unplayed(lobby);
    TAILQ_FOREACH (session, &server->sessions, link) {
        take_session(audit, session);
        sessions++;
    }
    REQUIRE(sessions == server->session_count, "%d sessions, not %d", sessions,
            server->session_count);
    players_each(&server->players, take_player, &(struct visit){audit, server});
    audit->digest += (uint64_t)server->players.named;
    for (const struct origin *origin = server->origins.by_key; origin != NULL;
         origin = origin->hh.next)
        check_origin(server, origin);
}

static const struct audited *find(const struct audit *audit, const char *id)
{
    for (int i = 0; i < audit->count; i++)
        if (strcmp(audit->tables[i].id, id) == 0)
            return &audit->tables[i];
    return NULL;
}

/* The action may have changed the plies from `least` to `most`. */
static void count_deeds(const struct told *told, const char *id, int *least, int *most)
{
    *least = *most = 0;
    for (int i = 0; i < told->deed_count; i++) {
        if (strcmp(told->deeds[i].match, id) != 0)
            continue;
        *least += told->deeds[i].least;
        *most += told->deeds[i].most;
    }
}

static void compare_table(const struct audited *was, const struct audited *is,
                          const struct told *told)
{
    int plies = is->plies - was->plies, least, most;

    /* A seat was freed; while more time passed, the open match may have been aborted. */
    if (was->status == MATCH_PLAYING && is->vacant) {
        REQUIRE(is->plies == 0, "match %s has a seat free at ply %d", is->id, is->plies);
        return;
    }
    REQUIRE(is->status >= was->status, "match %s is %s again", is->id,
            match_status_text(is->status));
    if (was->status == MATCH_OVER)
        REQUIRE(was->plies == is->plies && was->outcome.result == is->outcome.result &&
                    was->outcome.reason == is->outcome.reason,
                "match %s was over and has changed", is->id);
    count_deeds(told, is->id, &least, &most);
    REQUIRE(plies >= least && plies <= most, "match %s went from ply %d to %d", is->id, was->plies,
            is->plies);
    if (least == 0 && most == 0)
        REQUIRE(memcmp(&was->position, &is->position, sizeof is->position) == 0,
                "match %s has moved by itself", is->id);
}

static bool is_whole(const struct audit *audit)
{
    return audit->count < AUDIT_TABLES_MAX;
}

void audit_compare(const struct audit *before, const struct audit *after, const struct told *told)
{
    for (int i = 0; i < before->count && is_whole(before) && is_whole(after); i++) {
        const struct audited *was = &before->tables[i], *is = find(after, was->id);
        if (is != NULL) /* else it is over and was evicted */
            compare_table(was, is, told);
    }
}

void audit_compare_restarted(const struct audit *before, const struct audit *after)
{
    static const struct told nothing;

    for (int i = 0; i < before->count && is_whole(before) && is_whole(after); i++) {
        const struct audited *was = &before->tables[i], *is = find(after, was->id);
        REQUIRE(is != NULL || was->has_guest || was->status == MATCH_OVER, "match %s is gone",
                was->id);
        if (is != NULL)
            compare_table(was, is, &nothing);
    }
}
