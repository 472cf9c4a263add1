#include "changes.h"

#include <string.h>

#include "announce.h"
#include "due.h"
#include "rate_limit.h"
#include "relay.h"
#include "server/base/log.h"
#include "server/play/pairing/tournament_events.h"
#include "session.h"

static unsigned joined_seats(const struct table *table)
{
    return table->seats[WHITE].joined + 2u * table->seats[BLACK].joined;
}

static struct table_before look_before(const struct table_draft *draft)
{
    const struct table *table = draft->table;

    if (table == NULL) {
        player_hold(draft->next->creator);
        return (struct table_before){.status = MATCH_OPEN, .opener = draft->next->creator};
    }
    struct table_before before = {.status = table->match.status,
                                  .started = table->started,
                                  .joined = joined_seats(table),
                                  .plies = table->match.ply_count,
                                  .revision = table->match.revision};
    for (int color = WHITE; color <= BLACK; color++) {
        if (!table->seats[color].joined)
            continue;
        before.sat[color] = table->seats[color].player;
        player_hold(before.sat[color]);
    }
    memcpy(before.offers, table->match.offers, sizeof before.offers);
    return before;
}

static void let_go_of_before(const struct table_before *before)
{
    if (before->opener != NULL)
        player_let_go(before->opener);
    for (int color = WHITE; color <= BLACK; color++)
        if (before->sat[color] != NULL)
            player_let_go(before->sat[color]);
}

/* Tells those who watch the lobby, here and elsewhere. */
static void tell_lobby(struct server *server, const struct table *table, const char *what)
{
    announce_lobby(server, table, what);
    relay_lobby(server, table, what);
}

static void tell_opened(struct server *server, const struct table *table,
                        const struct player *opener)
{
    if (rate_limit_log(server, table->origin, LOG_OPENED))
        log_line(LOG_INFO, "event=opened match=%s game=%s by=%s", table_label(table).text,
                 table->match.game->name, opener->name);
    tell_lobby(server, table, "opened");
    announce_challenges(table);
}

static void tell_started(struct server *server, const struct table *table)
{
    if (rate_limit_log(server, table->origin, LOG_STARTED))
        log_line(LOG_INFO, "event=started match=%s white=%s black=%s", table_label(table).text,
                 table->seats[WHITE].player->name, table->seats[BLACK].player->name);
    tell_lobby(server, table, "started");
}

/* Players whose seeks have brought them here seek again, if they are to be repeated. */
static void repeat_seeks(struct server *server, const struct table *table)
{
    for (int color = WHITE; color <= BLACK; color++) {
        const struct player *player = table->seats[color].player;
        if (player != NULL && player->session != NULL)
            seeks_match_over(&server->seeks, &player->session->seeks, table->number);
    }
}

static void tell_over(struct server *server, const struct table *table)
{
    const struct match *match = &table->match;

    if (rate_limit_log(server, table->origin, LOG_OVER))
        log_line(LOG_INFO, "event=over match=%s result=%s reason=%s plies=%d",
                 table_label(table).text, result_text(match->outcome.result),
                 reason_text(match->outcome.reason), match->ply_count);
    tally_game(server->tally.finished, match->game);
    tell_lobby(server, table, "over");
}

/* Shows the state to players who have lost their seats: it is the last that they get. */
static void tell_kicked(const struct table *table, const struct table_before *before)
{
    for (int color = WHITE; color <= BLACK; color++) {
        const struct player *player = before->sat[color];
        if (player == NULL || table_seats_of(table, player) != SEATS_NONE ||
            player->session == NULL || session_is_closing(player->session))
            continue;
        announce_state_to(player->session, table);
    }
}

/* Measures the lag of those who play, so that it is known when the clock starts. */
static void measure_lags(const struct table *table)
{
    for (int color = WHITE; color <= BLACK; color++) {
        const struct player *player = table->seats[color].player;
        if (player->here && player->session != NULL)
            session_measure_lag(player->session);
    }
}

/* Players who have taken a seat watch no more; whoever opens a match for others watches it. */
static void settle_watches(struct table *table, const struct player *opener,
                           struct session *session)
{
    for (int color = WHITE; color <= BLACK; color++) {
        const struct seat *seat = &table->seats[color];
        if (!seat->joined || seat->player->session == NULL)
            continue;
        struct watch *watch = table_find_watch(table, &seat->player->session->watches);
        if (watch != NULL)
            table_unwatch(watch);
    }
    if (opener != NULL && session != NULL && opener == session->player &&
        table_seats_of(table, opener) == SEATS_NONE && watch_count(&session->watches) < WATCHES_MAX)
        table_watch(table, session, &session->watches);
}

/* Tells what has happened at a table. What another server has done it has counted, logged and told
 * the lobby itself. */
static void tell_table(struct server *server, struct table *table,
                       const struct table_before *before, bool quiet, bool elsewhere)
{
    bool over = table->match.status == MATCH_OVER && before->status != MATCH_OVER;
    bool started = table->started && !before->started;

    if (table->match.ply_count > before->plies && !elsewhere)
        tally_game(server->tally.moves, table->match.game);
    if (before->opener != NULL) {
        tell_opened(server, table, before->opener);
        relay_ask_presence(server, table);
    }
    if (started && !elsewhere)
        tell_started(server, table);
    /* Challenged players who have not joined get a state only when the match ends. */
    if (!quiet)
        announce_state(server, table, over);
    tell_kicked(table, before);
    if (before->started && !table->started && !elsewhere)
        tell_lobby(server, table, "opened");
    if (over)
        repeat_seeks(server, table);
    if (over && !elsewhere)
        tell_over(server, table);
    if (started && table->match.clock.base_ms > 0 && table->match.status == MATCH_PLAYING)
        measure_lags(table);
}

/* Tells what has happened at the tables of a unit, in order. */
static void tell_tables(struct server *server, const struct unit *unit,
                        const struct table_before before[UNIT_TABLES_MAX])
{
    bool elsewhere = unit->kept == KEPT_STALE && keeper_has_more(server->keeper);

    for (int i = 0; i < unit->table_count; i++) {
        struct table *table = unit->tables[i].table;
        if (table == NULL)
            continue; /* a new match of a stale unit: it never was */
        if (table->match.status != MATCH_OVER && table_gone_guest(table) != NULL)
            server->guests_wait = true; /* they left while it was in the unit */
        if (before[i].opener == NULL && before[i].revision == table->match.revision) {
            due_set(server, table); /* a stale unit, but nothing has changed elsewhere */
            continue;
        }
        if (i > 0) {
            announce_rematch(unit->tables[0].table, table);
            relay_rematch(server, unit->tables[0].table, table);
        }
        if (before[i].joined != joined_seats(table) || before[i].opener != NULL)
            settle_watches(table, before[i].opener, unit->session);
        tell_table(server, table, &before[i], unit->tables[i].quiet, elsewhere);
        due_watch(server, table);
    }
}

/* Whether an offer that is gone was accepted or refused, rather than ended by a move or the end. */
static bool was_answered(enum offer what, const struct table_before *before,
                         const struct match *match, enum offer_news *news)
{
    bool drawn = match->status == MATCH_OVER && match->outcome.reason == REASON_DRAW_AGREED;
    bool taken_back = match->ply_count < before->plies;

    *news = OFFER_REFUSED;
    if ((what == OFFER_DRAW && drawn) || (what == OFFER_UNDO && taken_back))
        *news = OFFER_ACCEPTED;
    /* The server where it is answered tells what has become of a rematch. */
    return what != OFFER_REMATCH &&
           (*news == OFFER_ACCEPTED ||
            (match->status == before->status && match->ply_count == before->plies));
}

/* Finds the news of offers in what another server has changed. */
static void find_offers(struct unit *unit, const struct table_before *before)
{
    const struct match *match = &unit->tables[0].table->match;
    enum offer_news news;

    unit->offer_count = 0;
    for (int what = 0; what < OFFER_KINDS; what++)
        for (int color = WHITE; color <= BLACK; color++) {
            bool was = before->offers[what][color], is = match->offers[what][color];
            if (unit->offer_count == OFFER_KINDS)
                break; /* a unit has no room for more */
            if (is && !was)
                unit_tell_offer(unit, what, color, OFFER_MADE);
            else if (was && !is && was_answered(what, before, match, &news))
                unit_tell_offer(unit, what, color, news);
        }
    unit->tables[0].quiet = memcmp(before->offers, match->offers, sizeof before->offers) != 0 &&
                            match->status == before->status && match->ply_count == before->plies &&
                            joined_seats(unit->tables[0].table) == before->joined;
}

/* Tells the news of offers. Other servers find them in what is kept, unless it is a rematch. */
static void tell_offers(struct server *server, const struct unit *unit)
{
    for (int i = 0; i < unit->offer_count; i++) {
        const struct offer_event *offer = &unit->offers[i];
        announce_offer(unit->tables[0].table, offer->what, offer->from, offer->news);
        if (unit->kept == KEPT && offer->what == OFFER_REMATCH && offer->news != OFFER_MADE)
            relay_offer(server, unit->tables[0].table, offer);
    }
}

/* Tells the challenger that a match was declined. */
static void tell_declined(struct server *server, const struct unit *unit)
{
    const struct table *table = unit->tables[0].table;

    if (unit->kept != KEPT || unit->declined_by == NULL)
        return;
    announce_declined(table, unit->declined_by, unit->why_declined);
    relay_declined(server, table, unit->declined_by, unit->why_declined);
}

void changes_tell_move(struct server *server, struct table *table)
{
    announce_state(server, table, false);
    due_watch(server, table);
}

void changes_begin(struct changes *changes, const struct unit *unit)
{
    changes->was_guest = unit->player != NULL && unit->player->kind == PLAYER_GUEST;
    for (int i = 0; i < unit->table_count; i++)
        changes->before[i] = look_before(&unit->tables[i]);
}

/* Tells that a guest has a name now. */
static void tell_named(struct server *server, struct player *player)
{
    announce_presence(server, player);
    relay_presence(server, player);
    due_watch_all_of(server, player);
    if (player->session != NULL)
        seeks_rename(&server->seeks, &player->session->seeks);
}

void changes_tell(struct server *server, struct unit *unit, struct changes *changes)
{
    if (unit->kept == KEPT_STALE && unit->table_count > 0 && unit->tables[0].table != NULL)
        find_offers(unit, &changes->before[0]);
    if (unit->pairs && unit->kept == KEPT)
        announce_paired(unit->tables[0].table, &unit->paired);
    tell_declined(server, unit);
    tell_offers(server, unit);
    tell_tables(server, unit, changes->before);
    if (unit->change != NULL && unit->change->applied)
        tournament_tell(unit->change);
    for (int i = 0; i < unit->table_count; i++)
        let_go_of_before(&changes->before[i]);
    if (changes->was_guest && unit->player->kind == PLAYER_NAMED)
        tell_named(server, unit->player);
}
