#include "settle.h"

#include <stdlib.h>
#include <string.h>

#include "announce.h"
#include "common/message.h"
#include "common/xmalloc.h"
#include "due.h"
#include "rate_limit.h"
#include "server/base/log.h"

enum { BATCH_UNITS_MAX = 4096 };
/* What about a match, a move, a line that a player expects, a player, and an attempt at a puzzle
 * add to a store. */
enum {
    MATCH_BYTES = 500,
    MOVE_BYTES = 50,
    LINE_BYTES = 40,
    PLAYER_BYTES = 200,
    ATTEMPT_BYTES = 100
};

/* Returns whether the match counts for the ratings, as settle.h says. */
static bool is_rated(const struct table *table)
{
    const struct match *match = &table->match;

    return match->status == MATCH_OVER && match->outcome.result != RESULT_NONE &&
           match_both_have_moved(match) && table_can_be_rated(table);
}

/* Rates both players of a match that has just ended. Returns a lock as conclude() does. */
static struct lock *rate_players(struct unit *unit, struct table *next)
{
    struct rating_draft drafts[2];
    struct glicko before[2];

    for (int color = WHITE; color <= BLACK; color++) {
        struct player *player = next->seats[color].player;
        struct rating_draft *draft = &drafts[color];
        if (player->lock.owner != NULL && player->lock.owner != unit)
            return &player->lock;
        *draft = (struct rating_draft){.player = player, .game = next->match.game};
        next->match.game->variant_name(&next->match.start, draft->variant);
        const struct rating *rating = rating_find(&player->ratings, draft->game, draft->variant);
        player_glicko(player, draft->game, draft->variant, &before[color]);
        draft->matches = (rating != NULL ? rating->matches : 0) + 1;
    }
    for (int color = WHITE; color <= BLACK; color++) {
        enum result outcome = next->match.outcome.result;
        double score = outcome == RESULT_DRAW ? 0.5 : outcome == result_win(color) ? 1 : 0;
        struct glicko_result result = {before[!color], score};
        drafts[color].now = glicko_match(before[color], &result);
        player_anchor(drafts[color].player, drafts[color].game, drafts[color].variant,
                      &drafts[color].now);
        next->rating_after[color] = drafts[color].now.rating;
        unit_rate(unit, &drafts[color]);
    }
    return NULL;
}

/* Scores a match that has just ended in its tournament, if that is not over, and if nobody else
 * does. */
static void score_pairing(struct unit *unit, const struct lobby *lobby, const struct table *next)
{
    static const enum pairing_result results[] = {[RESULT_NONE] = PAIRING_VOID,
                                                  [RESULT_WHITE] = PAIRING_WHITE_WINS,
                                                  [RESULT_BLACK] = PAIRING_BLACK_WINS,
                                                  [RESULT_DRAW] = PAIRING_DRAW};
    struct tournament *tournament = tournaments_find_number(&lobby->tournaments, next->tournament);

    if (lobby->tournaments.derived || tournament == NULL || tournament_is_over(tournament) ||
        tournament->contest.pairings.rows[next->pairing].result != PAIRING_OPEN)
        return;
    if (unit->change == NULL) { /* else it is the one that opens the match */
        struct tournament_change *change = tournament_change_new(tournament, CHANGE_PAIRING);
        change->pairing = next->pairing;
        unit_change(unit, change, false);
    }
    unit->change->result = results[next->match.outcome.result];
}

struct lock *conclude(struct unit *unit, struct lobby *lobby, int64_t now_ms, time_t wall_s)
{
    for (int i = 0; i < unit->table_count; i++) {
        const struct table_draft *draft = &unit->tables[i];
        struct table *next = draft->next;
        if (draft->table == NULL || table_has_moved(draft->table, next))
            next->changed_s = wall_s;
        if (next->match.status == MATCH_OPEN && next->seats[WHITE].joined &&
            next->seats[BLACK].joined) {
            next->started = true;
            match_start(&next->match, now_ms);
        }
        if (next->match.status != MATCH_OVER || next->ended != 0)
            continue;
        struct lock *lock = is_rated(next) ? rate_players(unit, next) : NULL;
        if (lock != NULL)
            return lock;
        next->ended = ++lobby->ended;
        score_pairing(unit, lobby, next);
    }
    return NULL;
}

struct wire settle_error(struct session *session, const char *id, const char *verb, int command,
                         enum status status, const char *text, int64_t retry_ms)
{
    struct server *server = session->server;
    struct wire error = session_wire(session, id);

    wire_error(&error, verb, status_word(status), text != NULL ? text : status_sentence(status),
               status == STATUS_RATE_LIMITED ? retry_ms : -1);
    tally_reply(&server->tally, command, status);
    session->errors_in_row++;
    /* A verb that is none may be anything, such as a token in the wrong place. */
    if (session->player != NULL)
        log_line(LOG_DEBUG, "event=refused peer=%s cmd=%s code=%s", session->player->name,
                 command != 0 ? verb : "none", status_word(status));
    return error;
}

void settle_reply(struct session *session, const struct wire *reply)
{
    if (session->unsettled == 0) {
        session_send(session, reply);
        return;
    }
    struct unit *unit = unit_new();
    unit->session = session;
    unit_set_reply(unit, reply->out->bytes, reply->out->length);
    settle_add(session->server, unit);
}

void settle_add(struct server *server, struct unit *unit)
{
    TAILQ_INSERT_TAIL(&server->ready.units, unit, link);
    server->ready.count++;
    if (unit->session != NULL)
        unit->session->unsettled++;
    if (server->keeper->kind->at_once || server->ready.count >= BATCH_UNITS_MAX)
        settle_ready(server);
}

void settle_ready(struct server *server)
{
    if (server->keeping != NULL || TAILQ_EMPTY(&server->ready.units))
        return;
    struct batch *batch = xmalloc(sizeof *batch);
    batch->count = server->ready.count;
    batch->is_sent = false;
    TAILQ_INIT(&batch->units);
    TAILQ_CONCAT(&batch->units, &server->ready.units, link);
    server->ready.count = 0;
    server->keeping = batch;
    server->keeping_us = tally_now_us();
    server->keeper->kind->keep(server->keeper, batch);
}

void settle_now(struct server *server)
{
    if (!server->keeper->kind->shared)
        settle_ready(server);
}

/* What a unit has changed at a table. */
struct table_news {
    enum {
        TABLE_OPENED = 1,
        TABLE_SEATED = 2, /* somebody took or lost a seat */
        TABLE_STARTED = 4,
        TABLE_REOPENED = 8, /* a player who had joined lost the seat */
        TABLE_MOVED = 16,
        TABLE_UNDONE = 32, /* moves were taken back; others may have come since */
        TABLE_ENDED = 64,
        TABLE_OFFERED = 128,      /* offers were made or answered: they have events of their own */
        TABLE_CASUAL = 256,       /* it no longer counts for the ratings */
        TABLE_CLOCKED = 512       /* nothing but the clock */
    } what;                       /* a set; 0: nothing */
    struct player *opener;        /* of a new match, held until all is told; else NULL */
    const struct player *left[2]; /* those who are here and lose their seats; NULL: nobody */
};

/* Finds what a draft changes, before it takes effect: whether this server or another one has made
 * it, the difference says what has happened. */
static struct table_news find_news(const struct table_draft *draft)
{
    const struct table *old = draft->table, *new = draft->next;
    struct table_news news = {.what = 0};

    if (old == NULL) {
        news.opener = new->creator;
        player_hold(news.opener);
        news.what = TABLE_OPENED | (new->started ? TABLE_STARTED : 0) |
                    (new->match.status == MATCH_OVER ? TABLE_ENDED : 0);
        return news;
    }
    if (old->match.revision == new->match.revision)
        return news; /* a stale unit, but nothing has changed elsewhere */
    if (old->started != new->started)
        news.what |= new->started ? TABLE_STARTED : TABLE_REOPENED;
    if (new->match.ply_count > old->match.ply_count)
        news.what |= TABLE_MOVED;
    else if (new->match.ply_count < old->match.ply_count ||
             memcmp(&new->match.position, &old->match.position, sizeof new->match.position) != 0)
        news.what |= TABLE_UNDONE;
    if (new->match.status == MATCH_OVER && old->match.status != MATCH_OVER)
        news.what |= TABLE_ENDED;
    if (memcmp(old->match.offers, new->match.offers, sizeof old->match.offers) != 0)
        news.what |= TABLE_OFFERED;
    if (new->casual != old->casual)
        news.what |= TABLE_CASUAL;
    for (int color = WHITE; color <= BLACK; color++) {
        const struct player *player = old->seats[color].player;
        if (old->seats[color].joined != new->seats[color].joined)
            news.what |= TABLE_SEATED;
        if (old->seats[color].joined && table_seats_of(new, player) == SEATS_NONE &&
            player_is_connected(player))
            news.left[color] = player;
    }
    if (news.what == 0)
        news.what = TABLE_CLOCKED;
    return news;
}

/* Finds the news of offers in what another server has changed. An offer that is gone was answered,
 * unless a move or the end of the match has ended it. The server where a rematch is answered tells
 * of it. */
static void find_offers(struct unit *unit, const struct table_news *news)
{
    const struct match *old = &unit->tables[0].table->match, *new = &unit->tables[0].next->match;
    bool drawn = news->what & TABLE_ENDED && new->outcome.reason == REASON_DRAW_AGREED;
    bool undone = new->ply_count < old->ply_count;
    bool goes_on = new->status == old->status &&new->ply_count == old->ply_count;

    unit->offer_count = 0;
    for (int what = 0; what < OFFER_KINDS; what++)
        for (int color = WHITE; color <= BLACK; color++) {
            bool was = old->offers[what][color], is = new->offers[what][color];
            bool accepted = (what == OFFER_DRAW && drawn) || (what == OFFER_UNDO && undone);
            if (unit->offer_count == OFFER_KINDS)
                return; /* a unit has no room for more */
            if (is && !was)
                unit_tell_offer(unit, what, color, OFFER_MADE);
            else if (was && !is && what != OFFER_REMATCH && (accepted || goes_on))
                unit_tell_offer(unit, what, color, accepted ? OFFER_ACCEPTED : OFFER_REFUSED);
        }
}

/* Players who have taken a seat watch no more; whoever opens a match for others watches it. */
static void settle_watches(struct table *table, const struct player *opener,
                           struct session *session)
{
    for (int color = WHITE; color <= BLACK; color++) {
        const struct seat *seat = &table->seats[color];
        if (!seat->joined)
            continue;
        for (struct session *own = first_session_of(seat->player); own != NULL;
             own = next_session_of(own)) {
            struct watch *watch = table_find_watch(table, &own->watches);
            if (watch != NULL)
                table_unwatch(watch);
        }
    }
    if (opener != NULL && session != NULL && opener == session->player &&
        table_seats_of(table, opener) == SEATS_NONE && watch_count(&session->watches) < WATCHES_MAX)
        table_watch(table, session, &session->watches);
}

/* Tells what has happened at a table of a unit. What another server has done it has counted, logged
 * and told the lobby itself. */
static void tell_table(struct server *server, const struct unit *unit, int i,
                       const struct table_news *news)
{
    struct table *table = unit->tables[i].table;
    bool stale = unit->kept == KEPT_STALE, elsewhere = stale && keeper_has_more(server->keeper);
    unsigned what = news->what, unseen = TABLE_OFFERED | (stale ? 0 : TABLE_CLOCKED);

    if (table == NULL)
        return; /* a new match of a stale unit: it does not exist */
    const struct match *match = &table->match;
    if (match->status != MATCH_OVER && table_gone_guest(table) != NULL)
        server->guests_wait = true; /* they left while it was in the unit */
    if (what == 0) {
        due_set(server, table);
        return;
    }
    if (i > 0)
        announce_rematch(server, unit->tables[0].table, table);
    if (what & (TABLE_OPENED | TABLE_SEATED))
        settle_watches(table, news->opener, unit->session);
    if (what & TABLE_MOVED && !elsewhere)
        tally_game(server->tally.moves, match->game);
    server->tally.private_moves += what & TABLE_MOVED && !elsewhere && table->is_private;
    if (what & TABLE_OPENED) {
        if (rate_limit_log_match(server, table, LOG_OPENED))
            log_line(LOG_INFO, "event=opened match=%s game=%s by=%s", table_label(table).text,
                     match->game->name, news->opener->name);
        announce_lobby(server, table, "opened");
        announce_challenges(table);
        announce_ask_presence(server, table);
    }
    if (what & TABLE_STARTED && !elsewhere) {
        if (rate_limit_log_match(server, table, LOG_STARTED))
            log_line(LOG_INFO, "event=started match=%s white=%s black=%s", table_label(table).text,
                     table->seats[WHITE].player->name, table->seats[BLACK].player->name);
        announce_lobby(server, table, "started");
    }
    /* Challenged players who have not joined get a state only when the match ends. */
    if (what & ~unseen)
        announce_state(server, table, what & TABLE_ENDED);
    for (int color = WHITE; color <= BLACK; color++)
        for (struct session *left = news->left[color] != NULL ? first_session_of(news->left[color])
                                                              : NULL;
             left != NULL; left = next_session_of(left))
            if (!session_is_closing(left))
                announce_state_to(left, table); /* the last one that they get */
    if (what & TABLE_REOPENED && !elsewhere)
        announce_lobby(server, table, "opened");
    for (int color = WHITE; color <= BLACK; color++) {
        const struct player *player = table->seats[color].player;
        bool timed =
            what & TABLE_STARTED && match->clock.base_ms > 0 && match->status == MATCH_PLAYING;
        for (struct session *own = player != NULL ? first_session_of(player) : NULL; own != NULL;
             own = next_session_of(own)) {
            if (what &
                TABLE_ENDED) /* a seek that has brought them here is perhaps to be repeated */
                seeks_match_over(&server->seeks, &own->seeks, table->number);
            if (timed && !session_is_closing(own)) /* their lag is to be known at the start */
                session_measure_lag(own);
        }
    }
    if (what & TABLE_ENDED && !elsewhere) {
        if (rate_limit_log_match(server, table, LOG_OVER))
            log_line(LOG_INFO, "event=over match=%s result=%s reason=%s plies=%d",
                     table_label(table).text, result_text(match->outcome.result),
                     reason_text(match->outcome.reason), match->ply_count);
        tally_game(server->tally.finished, match->game);
        server->tally.private_finished += table->is_private;
        announce_lobby(server, table, "over");
    }
    due_watch(server, table);
}

void settle_moved(struct server *server, struct table *table)
{
    announce_state(server, table, false);
    due_watch(server, table);
}

/* A guest has taken a name in one window. Their others, whose tokens have ended, have that of the
 * name from now on; or they end, if the window that took it is there to stay alone. */
static void tell_name(struct server *server, const struct unit *unit)
{
    struct player *player = unit->player;
    bool alone = unit->alone && unit->session != NULL;

    announce_presence(server, player);
    due_watch_all_of(server, player);
    for (struct session *own = first_session_of(player); own != NULL; own = next_session_of(own)) {
        struct wire wire = session_wire(own, NULL);
        seeks_rename(&server->seeks, &own->seeks);
        memcpy(own->token, unit->token, sizeof own->token);
        own->window.token = 1;
        if (own == unit->session || alone)
            continue;
        wire_name(&wire, player->name, own->token);
        session_send(own, &wire);
    }
    if (alone)
        session_stay_alone(unit->session);
}

/* The drafts take effect, and everyone is told. */
static void apply_unit(struct server *server, struct unit *unit)
{
    struct table_news news[UNIT_TABLES_MAX];
    bool was_guest = unit->player != NULL && unit->player->kind == PLAYER_GUEST;

    for (int i = 0; i < unit->table_count; i++)
        news[i] = find_news(&unit->tables[i]);
    if (unit->kept == KEPT_STALE) {
        if (unit->table_count > 0 && unit->tables[0].table != NULL)
            find_offers(unit, &news[0]);
        unit_settle_stale(unit, &server->lobby);
    } else {
        /* Where the keeper takes its time, a player learns of their turn only now. */
        for (int i = 0; i < unit->table_count && server->keeper->kind->shared; i++)
            if (unit->tables[i].table != NULL)
                match_begin_turn(&unit->tables[i].next->match, &unit->tables[i].table->match,
                                 server->now_ms);
        unit_settle(unit, &server->lobby);
    }
    if (unit->log != NULL &&
        (unit->session == NULL || rate_limit_log(server, unit->session->origin, LOG_HELLO)))
        log_line(LOG_INFO, "%s", unit->log);
    if (unit->reply != NULL && unit->session != NULL)
        session_write(unit->session, unit->reply, unit->reply_length);
    if (unit->ended != NULL)
        unit->ended(unit->context, unit);
    if (unit->kept == KEPT && unit->revokes != 0)
        session_revoke_all(unit->player, unit->revokes);

    const struct table *table = unit->tables[0].table;
    if (unit->kept == KEPT && unit->pairs)
        announce_paired(table, &unit->paired);
    if (unit->kept == KEPT && unit->declined_by != NULL)
        announce_declined(server, table, unit->declined_by, unit->why_declined);
    for (int i = 0; i < unit->offer_count; i++) {
        const struct offer_event *offer = &unit->offers[i];
        announce_offer(server, table, offer,
                       unit->kept == KEPT && offer->what == OFFER_REMATCH &&
                           offer->news != OFFER_MADE);
    }
    for (int i = 0; i < unit->table_count; i++)
        tell_table(server, unit, i, &news[i]);
    if (unit->change != NULL && unit->change->applied)
        announce_tournament(unit->change);
    for (int i = 0; i < unit->table_count; i++)
        if (news[i].opener != NULL)
            player_let_go(news[i].opener);
    if (was_guest && unit->player->kind == PLAYER_NAMED)
        tell_name(server, unit);
}

/* The session has one unit less. A line that waited for the last of them goes on. */
static void release_session(struct unit *unit)
{
    struct session *session = unit->session;

    if (session == NULL)
        return;
    unit->session = NULL;
    if (--session->unsettled == 0 && session->sleeps == SLEEPS_FOR_OWN)
        session_wake(session);
}

void settle_charge_pair(struct session *session)
{
    if (session != NULL)
        rate_limit_keep(session, MATCH_BYTES / 2);
}

/* Charges about what a unit adds to the store to the addresses of its players. */
static void charge_unit(const struct unit *unit)
{
    int bytes = (unit->player != NULL || unit->change != NULL) ? PLAYER_BYTES : 0;

    bytes += unit->attempt.puzzle != NULL ? ATTEMPT_BYTES : 0;
    for (int i = 0; i < unit->table_count; i++) {
        const struct table_draft *draft = &unit->tables[i];
        const struct match *next = &draft->next->match;
        if (draft->table == NULL)
            bytes += MATCH_BYTES;
        else if (next->ply_count < draft->table->match.ply_count)
            bytes += MOVE_BYTES;
        else if (next->ply_count > draft->table->match.ply_count)
            bytes +=
                MOVE_BYTES + (next->plies[next->ply_count - 1].note.pv_count > 0 ? LINE_BYTES : 0);
    }
    if (unit->session != NULL)
        rate_limit_keep(unit->session, bytes);
    for (int color = WHITE; unit->pairs && color <= BLACK; color++)
        settle_charge_pair(latest_session_of(unit->tables[0].next->seats[color].player));
}

/* Takes back what was counted when the command ran, as it has had no effect: a name that was not
 * taken, players who were not challenged, a match that was not joined. */
static void return_charges(const struct unit *unit)
{
    if (unit->joins)
        rate_limit_give_back(unit->session, RATE_JOIN, NULL);
    for (int i = 0; i < unit->table_count; i++) {
        if (unit->tables[i].table != NULL)
            continue; /* only who opens a match challenges */
        for (int color = WHITE; color <= BLACK; color++) {
            const struct seat *seat = &unit->tables[i].next->seats[color];
            if (seat->player != NULL && !seat->joined)
                rate_limit_give_back(unit->session, RATE_CHALLENGE, seat->player);
        }
    }
    if (unit->player != NULL && unit->player->kind != unit->identity.kind)
        rate_limit_give_back(unit->session, RATE_NAME, NULL);
}

/* The drafts hold what another server has kept. The line runs again on that, before others. */
static void settle_stale(struct server *server, struct unit *unit)
{
    struct session *session = unit->session;

    free(unit->reply);
    free(unit->log);
    unit->reply = unit->log = NULL;
    unit->offer_count = 0;
    if (session != NULL) {
        return_charges(unit);
        session->again = (struct pending_line){
            .stage = LINE_COUNTED, .arrived_ms = unit->arrived_ms, .text = unit->line};
        unit->line = NULL;
        if (unit->table_count > 0 && unit->tables[0].table != NULL)
            waiter_sleep_first(&session->waiter, &unit->tables[0].table->lock);
        else
            session_wake(session);
    }
    apply_unit(server, unit);
    release_session(unit);
}

/* Nothing of the unit is kept: the drafts are dropped with it. */
static void settle_failed(struct server *server, struct unit *unit)
{
    struct session *session = unit->session;
    struct message message;
    struct cause cause;

    for (int i = 0; i < unit->table_count; i++)
        if (unit->tables[i].table != NULL)
            due_retry(server, unit->tables[i].table);
    if (unit->ended != NULL)
        unit->ended(unit->context, unit);
    server->guests_wait = true; /* perhaps it ended because one left */
    if (session == NULL)
        return;
    return_charges(unit);
    const char *line = unit->line != NULL ? unit->line : "";
    message_parse(&message, line, strlen(line), &cause);
    struct wire error =
        settle_error(session, message.id, unit->verb, unit->command, STATUS_INTERNAL,
                     "the server could not save that; nothing has changed", 0);
    session_send(session, &error);
    server->some_to_close |= session->errors_in_row >= server->limits.errors;
    release_session(unit);
}

/* Says once that the keeper fails, and once that it works again. */
static void note_health(struct server *server, bool wrote, bool failed)
{
    if (!wrote || failed == server->keeper_fails)
        return;
    server->keeper_fails = failed;
    if (failed)
        log_line(LOG_ERROR,
                 "event=store-fails error=%s text=\"changes are refused until it works again\"",
                 log_quote(server->keeper->kind->error(server->keeper)).text);
    else
        log_line(LOG_INFO, "event=store-works");
}

void settle_batch(void *context, struct batch *batch)
{
    struct server *server = context;
    bool wrote = false, failed = false;
    struct unit *unit;

    server->keeping = NULL;
    server->database_us = tally_now_us() - server->keeping_us;
    TAILQ_FOREACH (unit, &batch->units, link) {
        wrote = wrote || unit_writes(unit);
        failed = failed || unit->kept == KEPT_FAILED;
    }
    note_health(server, wrote, failed);
    while ((unit = TAILQ_FIRST(&batch->units)) != NULL) {
        TAILQ_REMOVE(&batch->units, unit, link);
        if (unit->kept == KEPT) {
            charge_unit(unit);
            if (unit->session != NULL && unit->command != 0)
                tally_reply(&server->tally, unit->command, STATUS_OK);
            apply_unit(server, unit);
            release_session(unit);
        } else if (unit->kept == KEPT_STALE) {
            settle_stale(server, unit);
        } else {
            settle_failed(server, unit);
        }
        unit_free(unit, &server->lobby);
    }
    free(batch);
}

void settle_change(struct server *server, struct table *table, struct table *fresh)
{
    struct unit *unit = unit_new();

    unit->kept = KEPT_STALE;
    unit_replace(unit, table, fresh);
    apply_unit(server, unit);
    unit_free(unit, &server->lobby);
}

static void forget_session(struct batch *batch, const struct session *session)
{
    struct unit *unit;

    TAILQ_FOREACH (unit, &batch->units, link)
        if (unit->session == session)
            unit->session = NULL;
}

void settle_drop_ready(struct server *server)
{
    struct unit *unit;

    while ((unit = TAILQ_FIRST(&server->ready.units)) != NULL) {
        TAILQ_REMOVE(&server->ready.units, unit, link);
        server->ready.count--;
        release_session(unit);
        unit_free(unit, &server->lobby);
    }
}

void settle_for(struct session *session)
{
    struct server *server = session->server;

    if (session->unsettled > 0)
        settle_ready(server);
    if (session->unsettled == 0)
        return;
    forget_session(&server->ready, session);
    if (server->keeping != NULL)
        forget_session(server->keeping, session);
    session->unsettled = 0;
}
