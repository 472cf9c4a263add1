/*
 * Tournaments. Every server has all of them in memory, and any may change them. The log of a
 * tournament has a line for each change but those of pairings, and its people by their ids; a
 * change is the insert of (tournament, version + 1), as in the log of a match. Which match a
 * pairing has, and how it ended, is in the row of the match alone: two servers cannot open two for
 * one pairing, and every server counts results as it reads them there, so that each counts once. Of
 * a tournament that was imported the log has what was so before.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/json_text.h"
#include "common/pgn.h"
#include "common/xmalloc.h"
#include "postgres.h"
#include "server/base/log.h"
#include "server/tournament/standings.h"

enum { PAIRINGS_A_LINE = 5000 }; /* of an imported tournament */

/* A line of a log: a letter, then words. A plan with openings begins with O and those, and one of a
 * series with S and that, before the o or O. */
static void put_plan(struct buffer *line, const struct tournament_plan *plan)
{
    char variant[VARIANT_NAME_MAX], openings[OPENINGS_TEXT_MAX];

    plan->game->variant_name(&plan->start, variant);
    openings_format_kept(plan, openings);
    if (plan->series[0] != '\0')
        buffer_printf(line, "S %s ", plan->series);
    if (openings[0] != '\0')
        buffer_printf(line, "O %s", openings);
    else
        buffer_puts(line, "o");
    buffer_printf(line, " %" PRId64 " %s %s %s %s %d %d %d", plan->director->id, plan->name,
                  plan->game->name, variant, contest_format_text(plan->format), plan->rounds,
                  plan->cycles, plan->minutes);
    buffer_printf(line, " %" PRId64 " %" PRId64 " %s %d %" PRId64 " %" PRId64, plan->clock.base_ms,
                  plan->clock.increment_ms, bots_wanted_text(plan->bots), plan->casual,
                  (int64_t)plan->created_s, (int64_t)plan->starts_s);
    if (plan->code[0] != '\0')
        buffer_printf(line, " %s", plan->code);
}

static void put_entry(struct buffer *line, const struct tournament_entry *entry)
{
    buffer_printf(line, " %" PRId64 " %.17g", entry->player->id, entry->rating);
}

/* Pairings that have matches already begin with P, and each with its match. */
static void put_pairings(struct buffer *line, const struct tournament_change *change)
{
    buffer_puts(line, change->matches != NULL ? "P" : "p");
    for (int i = 0; i < change->pairings.count; i++) {
        const struct contest_pairing *row = &change->pairings.rows[i];
        if (change->matches != NULL)
            buffer_printf(line, " %" PRId64, change->matches[i]);
        buffer_printf(line, " %d %d %d %d %d", row->round, row->white, row->black,
                      (int)row->walkover, (int)row->result);
    }
}

static void put_line(struct buffer *line, const struct tournament_change *change)
{
    switch (change->kind) {
    case CHANGE_OPENED:
        put_plan(line, &change->tournament->plan);
        break;
    case CHANGE_JOINED:
        buffer_puts(line, "j");
        put_entry(line, &change->entry);
        break;
    case CHANGE_LEFT:
        buffer_printf(line, "l %" PRId64, change->entry.player->id);
        break;
    case CHANGE_BARRED:
        buffer_printf(line, "b %" PRId64, change->entry.player->id);
        break;
    case CHANGE_STARTED:
        buffer_printf(line, "t %" PRId64 " %d", (int64_t)change->at_s, change->rounds);
        for (int i = 0; i < change->entry_count; i++)
            put_entry(line, &change->entries[i]);
        break;
    case CHANGE_STATUS:
        buffer_printf(line, "s %s %" PRId64, tournament_status_text(change->status),
                      (int64_t)change->at_s);
        break;
    case CHANGE_PAIRED:
        put_pairings(line, change);
        break;
    case CHANGE_PAIRING:
        break; /* the match says it */
    }
}

/* Adds what the opening or the end of a tournament means for its series. */
static void put_series(struct buffer *json, const struct tournament_change *change)
{
    const struct tournament *tournament = change->tournament;
    const struct tournament_plan *plan = &tournament->plan;
    bool ends = change->kind == CHANGE_STATUS && change->status == TOURNAMENT_OVER;
    char variant[VARIANT_NAME_MAX];

    if (plan->series[0] == '\0' || (!ends && change->kind != CHANGE_OPENED))
        return;
    plan->game->variant_name(&plan->start, variant);
    json_open(json, "series", '{');
    json_string(json, "name", plan->series);
    json_integer(json, "director", plan->director->id);
    json_string(json, "game", plan->game->name);
    json_string(json, "variant", variant);
    if (ends) {
        struct standing *rows = standings_make(&tournament->contest, false);
        json_open(json, "scores", '[');
        for (int i = 0; i < tournament->contest.entrant_count; i++) {
            const struct standing *row = &rows[i];
            char opponents[40];
            if (!standing_counts(row))
                continue;
            snprintf(opponents, sizeof opponents, "%.17g", row->opponents);
            json_open(json, NULL, '{');
            json_integer(json, "player", tournament->players[row->entrant]->id);
            json_integer(json, "points2", row->points2);
            json_integer(json, "matches", row->matches);
            json_integer(json, "played2", row->played2);
            json_value(json, "opponents", opponents, strlen(opponents));
            json_close(json, '}');
        }
        json_close(json, ']');
        free(rows);
    }
    json_close(json, '}');
}

/* Writes a row of the log, without its end. */
static void put_row(struct buffer *json, const struct tournament_change *change, int version)
{
    struct buffer line = {0};

    put_line(&line, change);
    buffer_add(&line, "", 1);
    json_integer(json, "tournament", change->tournament->number);
    json_integer(json, "version", version);
    json_string(json, "line", line.bytes);
    json_open(json, "players", '[');
    if (change->kind == CHANGE_OPENED)
        json_integer(json, NULL, change->tournament->plan.director->id);
    if (change->entry.player != NULL)
        json_integer(json, NULL, change->entry.player->id);
    for (int i = 0; i < change->entry_count; i++)
        json_integer(json, NULL, change->entries[i].player->id);
    json_close(json, ']');
    buffer_release(&line);
}

void change_put_json(struct buffer *json, const struct tournament_change *change)
{
    if (change->kind == CHANGE_PAIRING)
        return;
    json_open(json, "change", '{');
    put_row(json, change, change->tournament->version + 1);
    json_bool(json, "ends", change->kind == CHANGE_STATUS && change->status >= TOURNAMENT_OVER);
    put_series(json, change);
    json_close(json, '}');
}

/* A log that is written as a whole. */
struct tournament_log {
    struct buffer *json;
    struct tournament *tournament;
    int version;
};

static void add_row(struct tournament_log *log, struct tournament_change change)
{
    change.tournament = log->tournament;
    json_open(log->json, NULL, '{');
    put_row(log->json, &change, ++log->version);
    json_close(log->json, '}');
}

/* Adds the rows of who takes part, who started it, and who has left. */
static void add_entrants(struct tournament_log *log)
{
    const struct tournament *tournament = log->tournament;
    const struct contest *contest = &tournament->contest;
    int count = contest->entrant_count;
    bool started = tournament->started_s != 0;
    struct tournament_entry *entries = xcalloc((size_t)count + 1, sizeof *entries);

    for (int i = 0; i < count; i++) {
        entries[i] = (struct tournament_entry){tournament->players[i], contest->entrants[i].rating};
        if (!started)
            add_row(log, (struct tournament_change){.kind = CHANGE_JOINED, .entry = entries[i]});
    }
    if (started)
        add_row(log, (struct tournament_change){.kind = CHANGE_STARTED,
                                                .at_s = tournament->started_s,
                                                .rounds = contest->rounds,
                                                .entries = entries,
                                                .entry_count = count});
    for (int i = 0; i < count; i++)
        if (contest->entrants[i].left)
            add_row(log, (struct tournament_change){.kind = CHANGE_LEFT, .entry = entries[i]});
    free(entries);
}

int tournament_log_put_json(struct buffer *json, const struct tournament *tournament)
{
    struct tournament_log log = {json, (struct tournament *)tournament, 0};
    const struct pairing_list *list = &tournament->contest.pairings;
    enum tournament_status begun =
        tournament->started_s != 0 ? TOURNAMENT_RUNNING : TOURNAMENT_OPEN;

    add_row(&log, (struct tournament_change){.kind = CHANGE_OPENED});
    add_entrants(&log);
    for (int i = 0; i < tournament->barred_count; i++) {
        struct player barred = {.id = tournament->barred[i]};
        add_row(&log, (struct tournament_change){.kind = CHANGE_BARRED, .entry.player = &barred});
    }
    for (int first = 0; first < list->count; first += PAIRINGS_A_LINE) {
        int left = list->count - first;
        add_row(&log, (struct tournament_change){
                          .kind = CHANGE_PAIRED,
                          .pairings = {.rows = list->rows + first,
                                       .count = left < PAIRINGS_A_LINE ? left : PAIRINGS_A_LINE},
                          .matches = tournament->matches + first});
    }
    if (tournament->status != begun)
        add_row(&log, (struct tournament_change){.kind = CHANGE_STATUS,
                                                 .status = tournament->status,
                                                 .at_s = tournament->ended_s});
    return log.version;
}

static struct player *read_player(const struct players *players, struct words *words)
{
    struct player *player = players_find_id(players, words_integer(words));

    if (player == NULL)
        words->at = NULL;
    return player;
}

static bool read_plan(const struct players *players, const char *line, struct tournament_plan *plan)
{
    char game[TOURNAMENT_NAME_MAX], variant[VARIANT_NAME_MAX], format[16], bots[16];
    char openings[OPENINGS_TEXT_MAX] = "";
    struct words rest = {line + 1}, *words = &rest;
    struct cause cause;

    *plan = (struct tournament_plan){.openings = OPENINGS_NONE};
    if (line[0] == 'S') {
        words_text(words, plan->series, sizeof plan->series);
        if (words->at == NULL || strlen(words->at) < 2)
            return false;
        line = words->at + 1;
        words->at += 2;
    }
    if (line[0] == 'O')
        words_text(words, openings, sizeof openings);
    if ((line[0] != 'o' && line[0] != 'O') ||
        (openings[0] != '\0' && !openings_parse_kept(openings, plan)))
        return false;
    plan->director = read_player(players, words);
    words_text(words, plan->name, sizeof plan->name);
    words_text(words, game, sizeof game);
    words_text(words, variant, sizeof variant);
    words_text(words, format, sizeof format);
    plan->game = game_find(game, strlen(game));
    plan->rounds = (int)words_integer(words);
    plan->cycles = (int)words_integer(words);
    plan->minutes = (int)words_integer(words);
    struct clock clock = {.base_ms = words_integer(words)};
    clock.increment_ms = words_integer(words);
    plan->clock = clock_fresh(&clock);
    words_text(words, bots, sizeof bots);
    plan->casual = words_integer(words) != 0;
    plan->created_s = words_integer(words);
    plan->starts_s = words_integer(words);
    if (words->at != NULL && *words->at == ' ')
        words_text(words, plan->code, sizeof plan->code);
    return words->at != NULL && plan->game != NULL &&
           plan->game->start(variant, &plan->start, &cause) &&
           contest_format_parse(format, &plan->format) && bots_wanted_parse(bots, &plan->bots);
}

/* Reads the entrants up to the end of the line. */
static void read_entries(const struct players *players, struct words *words,
                         struct tournament_change *change)
{
    change->entries = xcalloc(ENTRANTS_MAX, sizeof *change->entries);
    while (words->at != NULL && *words->at == ' ' && change->entry_count < ENTRANTS_MAX) {
        struct player *player = read_player(players, words);
        double rating = words_real(words);
        if (words->at == NULL)
            return;
        player_hold(player);
        change->entries[change->entry_count++] = (struct tournament_entry){player, rating};
    }
}

static void read_pairings(struct words *words, bool with_matches, struct tournament_change *change)
{
    const struct contest *contest = &change->tournament->contest;
    int before = contest_round(contest);
    struct buffer matches = {0};

    while (words->at != NULL && *words->at == ' ') {
        int64_t match = with_matches ? words_integer(words) : 0;
        struct contest_pairing row = {.round = (int)words_integer(words)};
        row.white = (int)words_integer(words);
        row.black = (int)words_integer(words);
        row.walkover = words_integer(words) != 0;
        row.result = (enum pairing_result)words_integer(words);
        if (words->at == NULL || !contest_takes(contest, before, &row))
            words->at = NULL;
        else
            pairing_list_add(&change->pairings, row);
        before = row.round;
        if (with_matches)
            buffer_add(&matches, (const char *)&match, sizeof match);
    }
    change->matches = (int64_t *)(void *)matches.bytes;
}

static void read_status(struct words *words, struct tournament_change *change)
{
    char status[16];

    words_text(words, status, sizeof status);
    change->at_s = words_integer(words);
    if (!tournament_status_parse(status, &change->status))
        words->at = NULL;
}

/* Reads the change of a line; NULL: it cannot be read. The caller owns it. */
static struct tournament_change *read_change(const struct players *players,
                                             struct tournament *tournament, const char *line)
{
    static const char letters[] = {
        [CHANGE_OPENED] = 'o', [CHANGE_JOINED] = 'j',  [CHANGE_LEFT] = 'l',  [CHANGE_BARRED] = 'b',
        [CHANGE_STATUS] = 's', [CHANGE_STARTED] = 't', [CHANGE_PAIRED] = 'p'};
    const char *letter = memchr(letters + 1, line[0] == 'P' ? 'p' : line[0], sizeof letters - 1);
    struct words words = {line + 1};
    struct player *player;

    if (letter == NULL)
        return NULL;
    struct tournament_change *change =
        tournament_change_new(tournament, (enum tournament_change_kind)(letter - letters));
    switch (change->kind) {
    case CHANGE_JOINED:
    case CHANGE_LEFT:
    case CHANGE_BARRED:
        player = read_player(players, &words);
        if (player == NULL)
            break;
        tournament_change_set_player(change, player);
        if (change->kind == CHANGE_JOINED)
            change->entry.rating = words_real(&words);
        else if (change->kind == CHANGE_LEFT &&
                 change->entrant == tournament->contest.entrant_count)
            words.at = NULL;
        break;
    case CHANGE_STARTED:
        change->status = TOURNAMENT_RUNNING;
        change->at_s = words_integer(&words);
        change->rounds = (int)words_integer(&words);
        read_entries(players, &words, change);
        break;
    case CHANGE_PAIRED:
        read_pairings(&words, line[0] == 'P', change);
        break;
    default:
        read_status(&words, change);
    }
    if (words.at != NULL)
        return change;
    tournament_change_free(change);
    return NULL;
}

/* Adds the tournament that the first line of a log opens. NULL: the line cannot be read. */
static struct tournament *open_tournament(struct tournaments *tournaments,
                                          const struct players *players, int64_t number,
                                          const char *line)
{
    struct tournament_plan plan;

    if (!read_plan(players, line, &plan))
        return NULL;
    struct tournament *tournament = tournament_new(tournaments, &plan, number);
    tournament->version = 1;
    tournament->due = tournaments->due = true;
    tournaments_add(tournaments, tournament);
    return tournament;
}

/* Whether no unit of this server changes the tournament, or one that is stale. */
static bool is_free(const struct tournament *tournament)
{
    const struct unit *unit = tournament->lock.owner;

    return unit == NULL || unit->kept == KEPT_STALE;
}

/* Adds a tournament that another server has opened. */
static bool add_tournament(struct postgres *postgres, int64_t number, const char *line)
{
    struct tournaments *tournaments = &postgres->lobby->tournaments;

    return tournaments_is_opening(tournaments, number) || /* it comes with its batch */
           open_tournament(tournaments, postgres->players, number, line) != NULL;
}

/* Takes a line of a log, if it is the next one. False: it cannot be read, as is found once. */
static bool take_entry(struct postgres *postgres, int64_t number, int version, const char *line)
{
    struct tournament *tournament = tournaments_find_number(&postgres->lobby->tournaments, number);

    if (tournament == NULL)
        return version == 1 ? add_tournament(postgres, number, line) : true;
    if (version != tournament->version + 1 || tournament->broken)
        return true;
    if (!is_free(tournament)) {
        tournament->is_unread = true; /* once the batch is settled */
        return true;
    }
    struct tournament_change *change = read_change(postgres->players, tournament, line);
    if (change == NULL) {
        tournament->broken = true;
        return false;
    }
    tournament->is_unread = true; /* its matches */
    postgres->keeper.calls->contested(postgres->keeper.context, change);
    return true;
}

/* Takes the people whom lines name, then the lines. */
static void take_entries(void *context, const struct answer *answer)
{
    struct postgres *postgres = context;

    if (answer->state != ANSWER_ROWS && answer->state != ANSWER_LOST)
        log_line(LOG_ERROR, "event=store-error error=%s", log_quote(answer->message).text);
    for (int row = 0; row < answer_rows(answer); row++) {
        int64_t number = answer_integer(answer, row, 1);
        int version = (int)answer_integer(answer, row, 2);
        if (answer_is_null(answer, row, 1))
            row_to_player(postgres, answer, row);
        else if (!take_entry(postgres, number, version, answer_text(answer, row, 3)) &&
                 number != postgres->broken_tournament) {
            log_line(LOG_ERROR, "event=tournament-broken tournament=t%" PRId64 " version=%d",
                     number, version);
            if (version == 1)
                postgres->broken_tournament = number;
        }
    }
}

void postgres_ask_tournaments(struct postgres *postgres, struct postgres_link *link)
{
    struct number_text most = number_text(TOURNAMENTS_OVER_MAX);
    struct buffer numbers = {0}, versions = {0};
    const struct tournament *tournament;

    array_add(&numbers, 0);
    array_add(&versions, 0);
    TAILQ_FOREACH (tournament, &postgres->lobby->tournaments.list, link) {
        array_add(&numbers, tournament->number);
        array_add(&versions, tournament->version);
    }
    const char *const values[] = {array_end(&numbers), array_end(&versions), most.text};
    link_ask(link,
             "WITH news AS MATERIALIZED (SELECT * FROM tournament_news($1, $2, $3))"
             " SELECT person, NULL AS tournament, NULL AS version, NULL AS line FROM player_row"
             "  WHERE id IN (SELECT unnest(players) FROM news)"
             " UNION ALL SELECT NULL, tournament, version, line FROM news"
             " ORDER BY tournament NULLS FIRST, version",
             values, 3, false, take_entries, postgres);
    buffer_release(&numbers);
    buffer_release(&versions);
}

/* How a match has ended that has this result and reason; PAIRING_OPEN: they are unknown. */
static enum pairing_result read_result(const char *result, const char *reason, bool *forfeit)
{
    static const enum pairing_result results[] = {[RESULT_NONE] = PAIRING_VOID,
                                                  [RESULT_WHITE] = PAIRING_WHITE_WINS,
                                                  [RESULT_BLACK] = PAIRING_BLACK_WINS,
                                                  [RESULT_DRAW] = PAIRING_DRAW};
    struct outcome outcome;

    if (!pgn_outcome(result, reason, &outcome))
        return PAIRING_OPEN;
    *forfeit = outcome.reason == REASON_FORFEIT;
    return results[outcome.result];
}

/* Makes the change that a pairing without a result has a match, which has ended if it has a
 * result. NULL: that is known. */
static struct tournament_change *pairing_change(struct tournament *tournament, int pairing,
                                                int64_t match, const char *result,
                                                const char *reason)
{
    struct tournament_change *change = tournament_change_new(tournament, CHANGE_PAIRING);

    change->pairing = pairing;
    if (tournament->matches[pairing] == 0)
        change->match = match;
    if (result != NULL)
        change->result = read_result(result, reason, &change->forfeit);
    if (change->match != 0 || change->result != PAIRING_OPEN)
        return change;
    tournament_change_free(change);
    return NULL;
}

static bool is_open_pairing(const struct tournament *tournament, int pairing)
{
    return pairing >= 0 && pairing < tournament->contest.pairings.count &&
           tournament->contest.pairings.rows[pairing].result == PAIRING_OPEN;
}

static void take_pairings(void *context, const struct answer *answer)
{
    struct postgres *postgres = context;

    postgres->asked &= ~(unsigned)ASKED_TOURNAMENTS;
    for (int row = 0; row < answer_rows(answer); row++) {
        struct tournament *tournament =
            tournaments_find_number(&postgres->lobby->tournaments, answer_integer(answer, row, 0));
        int pairing = (int)answer_integer(answer, row, 1);
        int64_t match = answer_integer(answer, row, 2);
        bool ended = !answer_is_null(answer, row, 3);
        if (tournament == NULL || !is_open_pairing(tournament, pairing) ||
            lobby_is_opening(postgres->lobby, match))
            continue;
        struct tournament_change *change =
            pairing_change(tournament, pairing, match, ended ? answer_text(answer, row, 3) : NULL,
                           answer_text(answer, row, 4));
        if (change != NULL)
            postgres->keeper.calls->contested(postgres->keeper.context, change);
    }
}

/* Applies a change, and frees it. */
static void replay_change(struct tournaments *tournaments, struct tournament_change *change)
{
    tournament_apply(tournaments, change);
    tournament_change_free(change);
}

bool tournament_log_replay_line(struct tournaments *tournaments, const struct players *players,
                                int64_t number, const char *line)
{
    struct tournament *tournament = tournaments_find_number(tournaments, number);

    if (tournament == NULL)
        return open_tournament(tournaments, players, number, line) != NULL;
    struct tournament_change *change = read_change(players, tournament, line);
    if (change != NULL)
        replay_change(tournaments, change);
    return change != NULL;
}

void tournament_log_replay_match(struct tournaments *tournaments, int64_t number, int pairing,
                                 int64_t match, const char *result, const char *reason)
{
    struct tournament *tournament = tournaments_find_number(tournaments, number);
    struct tournament_change *change =
        tournament != NULL && is_open_pairing(tournament, pairing)
            ? pairing_change(tournament, pairing, match, result, reason)
            : NULL;

    if (change != NULL)
        replay_change(tournaments, change);
}

/* Asks for the matches of all pairings without a result. */
static void ask_pairings(struct postgres *postgres)
{
    struct buffer numbers = {0}, pairings = {0}, known = {0};
    struct tournament *tournament;

    array_add(&numbers, 0);
    array_add(&pairings, 0);
    buffer_puts(&known, "{f");
    TAILQ_FOREACH (tournament, &postgres->lobby->tournaments.list, link) {
        const struct contest *contest = &tournament->contest;
        for (int i = 0; i < contest->pairings.count && contest->open > 0 && tournament->is_unread;
             i++) {
            if (contest->pairings.rows[i].result != PAIRING_OPEN)
                continue;
            array_add(&numbers, tournament->number);
            array_add(&pairings, i);
            buffer_puts(&known, tournament->matches[i] != 0 ? ",t" : ",f");
        }
        tournament->is_unread = false;
    }
    const char *const values[] = {array_end(&numbers), array_end(&pairings), array_end(&known)};
    link_ask(postgres->reader, "SELECT * FROM pairing_news($1, $2, $3)", values, 3, false,
             take_pairings, postgres);
    buffer_release(&numbers);
    buffer_release(&pairings);
    buffer_release(&known);
}

static void take_entries_then_ask(void *context, const struct answer *answer)
{
    (void)answer;
    ask_pairings(context);
}

void postgres_read_tournaments(struct postgres *postgres)
{
    if (!postgres->tournaments_unread || (postgres->asked & ASKED_TOURNAMENTS) != 0 ||
        postgres->reading < READ_DOUBTS)
        return;
    postgres->tournaments_unread = false;
    postgres->asked |= ASKED_TOURNAMENTS;
    postgres_ask_tournaments(postgres, postgres->reader);
    link_ask(postgres->reader, "SELECT", NULL, 0, false, take_entries_then_ask, postgres);
}

void postgres_note_tournament(struct postgres *postgres, int64_t number)
{
    struct tournament *tournament;

    postgres->tournaments_unread = true;
    TAILQ_FOREACH (tournament, &postgres->lobby->tournaments.list, link)
        if (number == 0 || tournament->number == number)
            tournament->is_unread = true;
}

void postgres_note_unit(struct postgres *postgres, const struct unit *unit)
{
    if (unit->change != NULL)
        postgres_note_tournament(postgres, unit->change->tournament->number);
    for (int i = 0; i < unit->table_count; i++)
        if (unit->tables[i].next->tournament != 0 &&
            unit->tables[i].next->match.status == MATCH_OVER)
            postgres_note_tournament(postgres, unit->tables[i].next->tournament);
}

static void take_moved_entrants(void *context, const struct answer *answer)
{
    struct postgres *postgres = context;

    for (int row = 0; row < answer_rows(answer); row++)
        array_add(&postgres->to_place, answer_integer(answer, row, 0));
}

void postgres_ask_entrants(struct postgres *postgres)
{
    struct buffer ids = {0}, here = {0};
    const struct tournament *tournament;

    TAILQ_FOREACH (tournament, &postgres->lobby->tournaments.list, link) {
        const struct contest *contest = &tournament->contest;
        for (int i = NOBODY; i < contest->entrant_count && !tournament_is_over(tournament); i++) {
            const struct player *player =
                i == NOBODY ? tournament->plan.director : tournament->players[i];
            array_add(&ids, player->id);
            buffer_puts(&here, here.length == 0 ? "{" : ",");
            buffer_puts(&here, player->here ? "t" : "f");
        }
    }
    if (ids.length > 0) {
        const char *const values[] = {array_end(&ids), array_end(&here)};
        link_ask(postgres->reader,
                 "SELECT DISTINCT p.id FROM unnest($1::bigint[], $2::bool[]) AS k (id, here)"
                 " JOIN player p USING (id) WHERE (p.node IS NOT NULL) <> k.here",
                 values, 2, false, take_moved_entrants, postgres);
    }
    buffer_release(&ids);
    buffer_release(&here);
}
