/* Commands about a match: to watch it, to play it, and to talk there. The match may be left out
 * where only one comes into question. */
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "common/move.h"
#include "common/text.h"
#include "server/play/announce.h"
#include "server/play/dispatch.h"
#include "server/play/rate_limit.h"
#include "server/play/referee.h"

/* Finds the tournament in `tournament ID`. Other second words are refused. */
static enum status find_watched_tournament(struct request *request)
{
    const struct arguments *arguments = &request->arguments;

    if (strcasecmp(arguments->words[0], "tournament") != 0)
        return arguments->count == 1
                   ? STATUS_OK
                   : request_fail(request, STATUS_BAD_ARGUMENTS, "usage: %s %s",
                                  request->command->verb, request->command->usage);
    return request_find_tournament(request, arguments->count == 2 ? arguments->words[1] : "");
}

static enum status watch_tournament(struct request *request, struct tournament *tournament)
{
    struct session *session = request->session;

    if (tournament_find_watch(tournament, &session->tournaments) == NULL) {
        if (tournament_watch_count(&session->tournaments) >= TOURNAMENT_WATCHES_MAX)
            return request_fail(request, STATUS_LIMIT_REACHED,
                                "you already watch %d tournaments: leave one",
                                TOURNAMENT_WATCHES_MAX);
        if (tournament->watcher_count >= request->server->limits.watchers)
            return request_fail(request, STATUS_LIMIT_REACHED,
                                "tournament %s already has %d watchers", tournament->id,
                                tournament->watcher_count);
        tournament_watch(tournament, session, &session->tournaments);
    }
    return request_ok(request, (struct ok){.tournament = tournament->id});
}

static enum status run_watch(struct request *request)
{
    struct session *session = request->session;
    struct table *table = request->table;

    if (request->tournament != NULL)
        return watch_tournament(request, request->tournament);
    if (table == NULL) {
        session_watch_lobby(session, true);
        return request_ok(request, (struct ok){0});
    }
    if (table_seats_of(table, request->player) == SEATS_NONE &&
        table_find_watch(table, &session->watches) == NULL) {
        enum status status = request_may_watch(request);
        if (status != STATUS_OK)
            return status;
        if (table->watcher_count >= request->server->limits.watchers)
            return request_fail(request, STATUS_LIMIT_REACHED, "match %s already has %d watchers",
                                table->id, table->watcher_count);
        table_watch(table, session, &session->watches);
    }
    request_ok(request, (struct ok){.match = table->id});
    request_send(request);
    announce_state_to(session, table);
    announce_past_chat(session, table);
    return STATUS_OK;
}

static enum status run_leave(struct request *request)
{
    const struct tournament *tournament = request->tournament;
    struct session *session = request->session;
    struct table *table = request->table;

    if (tournament != NULL) {
        struct tournament_watch *watch =
            tournament_find_watch(tournament, &request->session->tournaments);
        if (watch == NULL)
            return request_fail(request, STATUS_NOT_ALLOWED, "you do not watch tournament %s",
                                tournament->id);
        tournament_unwatch(watch);
        return request_ok(request, (struct ok){.tournament = tournament->id});
    }
    if (table == NULL) {
        session_watch_lobby(session, false);
        return request_ok(request, (struct ok){0});
    }
    struct watch *watch = table_find_watch(table, &session->watches);
    if (watch == NULL)
        return request_fail(request, STATUS_NOT_ALLOWED, "you do not watch match %s", table->id);
    table_unwatch(watch);
    return request_ok(request, (struct ok){0});
}

/* Reads eval= and pv=. */
static enum status read_note(struct request *request, struct ply_note *note)
{
    const char *eval_text = arguments_option(&request->arguments, "eval");
    const char *pv = arguments_option(&request->arguments, "pv");
    bool minus = eval_text != NULL && *eval_text == '-';
    long eval = 0;

    *note = (struct ply_note){.eval = EVAL_NONE};
    if (eval_text != NULL &&
        !number_parse(eval_text + minus, strlen(eval_text + minus), 0, EVAL_MAX, &eval))
        return request_fail(request, STATUS_BAD_ARGUMENTS, "eval=: write hundredths from -%d to %d",
                            EVAL_MAX, EVAL_MAX);
    if (eval_text != NULL)
        note->eval = (int16_t)(minus ? -eval : eval);
    if (pv != NULL)
        match_read_pv(&request->table->match, pv, note);
    return STATUS_OK;
}

static enum status run_move(struct request *request)
{
    const struct table *table = request->table;
    const char *text = request->arguments.words[request->arguments.count - 1];
    const char *ply_text = arguments_option(&request->arguments, "ply");
    int64_t now_ms = request->arrived_ms;
    struct clock clock = table->match.clock;
    int64_t lag_ms = table->lags_ms[request->session->window.slot];
    struct ply_note note;
    struct move move;
    long ply = -1;

    if (ply_text != NULL && !number_parse(ply_text, strlen(ply_text), 0, 1000000, &ply))
        return request_fail(request, STATUS_BAD_ARGUMENTS, "ply=: not a number");
    enum status status = match_read_move(&table->match, table_seats_of(table, request->player),
                                         text, ply, now_ms, &move, &request->cause);
    if (status == STATUS_OK)
        status = read_note(request, &note);
    /* By the lag of this window, which is less than that by which the flag waits for another one.
     */
    if (lag_ms < clock.lag_ms)
        clock_forgive(&clock, lag_ms);
    if (status == STATUS_OK && clock_flag_ms(&clock) <= now_ms)
        status = STATUS_MATCH_OVER;
    if (status != STATUS_OK)
        return status;
    struct table *next = request_edit(request);
    next->match.clock.lag_ms = clock.lag_ms;
    match_play(&next->match, move, now_ms);
    match_annotate(&next->match, &note);
    return request_ok(request, (struct ok){.match = next->id, .ply = next->match.ply_count});
}

static enum status run_moves(struct request *request)
{
    const struct arguments *arguments = &request->arguments;
    bool names_square = arguments->count > (request->match_id != NULL);
    int square = -1;

    if (names_square) {
        square = square_parse(&request->table->match.position,
                              arguments->words[arguments->count - 1], &request->cause);
        if (square < 0)
            return STATUS_BAD_ARGUMENTS;
    }
    wire_moves(request_begin(request), request->table, square);
    return STATUS_OK;
}

static enum status run_state(struct request *request)
{
    struct instant instant = server_instant(request->server);

    wire_state(request_begin(request), &instant, request->table,
               table_seats_of(request->table, request->player), !request->session->no_legal);
    return STATUS_OK;
}

static enum status run_resign(struct request *request)
{
    unsigned seats = table_seats_of(request->table, request->player);
    struct table *next = request_edit(request);

    request_ok(request, (struct ok){.match = request->table->id});
    return match_resign(&next->match, seats, request->arrived_ms);
}

/* The tournament that the match counts for; NULL: none, or one that is over. */
static const struct tournament *tournament_of(const struct request *request)
{
    const struct tournament *tournament =
        tournaments_find_number(&request->server->lobby.tournaments, request->table->tournament);

    return tournament != NULL && !tournament_is_over(tournament) ? tournament : NULL;
}

static enum status run_abort(struct request *request)
{
    const struct table *table = request->table;

    if (table_seats_of(table, request->player) == SEATS_NONE && table->creator != request->player)
        return STATUS_NOT_A_PLAYER;
    const struct tournament *tournament = tournament_of(request);
    if (tournament != NULL)
        return request_fail(request, STATUS_NOT_ALLOWED,
                            "this match belongs to tournament %s: you can only resign",
                            tournament->id);
    struct table *next = request_edit(request);
    request_ok(request, (struct ok){.match = request->table->id});
    return match_abort(&next->match, request->arrived_ms, &request->cause);
}

static enum status run_claim(struct request *request)
{
    unsigned seats = table_seats_of(request->table, request->player);
    enum color winner = seats == SEATS_WHITE ? WHITE : BLACK;

    enum status status = referee_may_claim(request->server, request->table, seats, &request->cause);
    if (status != STATUS_OK)
        return status;
    struct table *next = request_edit(request);
    match_end(&next->match, (struct outcome){result_win(winner), REASON_FORFEIT},
              request->arrived_ms);
    return request_ok(request, (struct ok){.match = request->table->id});
}

/* Makes an offer in the draft, or accepts what the other side has offered. */
static enum status make_offer(struct request *request, enum offer what, bool *agreed)
{
    unsigned seats = table_seats_of(request->table, request->player);
    enum color own = seats == SEATS_BLACK ? BLACK : WHITE;
    struct table *next = request_edit(request);

    enum status status =
        match_offer(&next->match, seats, what, request->arrived_ms, agreed, &request->cause);
    if (status != STATUS_OK)
        return status;
    if (!*agreed)
        unit_tell_offer(request->unit, what, own, OFFER_MADE);
    else if (seats != SEATS_BOTH)
        unit_tell_offer(request->unit, what, !own, OFFER_ACCEPTED);
    return request_ok(request, (struct ok){.match = next->id, .is_offer = true, .agreed = *agreed});
}

static enum status run_draw(struct request *request)
{
    bool agreed;

    return make_offer(request, OFFER_DRAW, &agreed);
}

static enum status run_undo(struct request *request)
{
    bool agreed;

    enum status status = make_offer(request, OFFER_UNDO, &agreed);
    if (status == STATUS_OK && agreed)
        table_make_casual(request_edit(request));
    return status;
}

/* Who asks their own program for a move plays with help: such a match does not count. Against
 * somebody who plays for the rating it is too late for that once both sides have moved; a point of
 * a tournament counts in any case. */
static enum status run_hint(struct request *request)
{
    const struct table *table = request->table;
    unsigned seats = table_seats_of(table, request->player);
    const struct player *other = table->seats[seats == SEATS_WHITE ? BLACK : WHITE].player;

    enum status status = match_must_be_playing(&table->match, seats);
    if (status != STATUS_OK)
        return status;
    const struct tournament *tournament = tournament_of(request);
    if (tournament != NULL)
        return request_fail(request, STATUS_NOT_ALLOWED,
                            "no hints here: this match belongs to tournament %s", tournament->id);
    if (table_can_be_rated(table) && match_both_have_moved(&table->match) &&
        other->kind != PLAYER_HOUSE)
        return request_fail(request, STATUS_NOT_ALLOWED,
                            "no hints here: this match is rated, and both sides have moved");
    if (!table->casual)
        table_make_casual(request_edit(request));
    return request_ok(request, (struct ok){.match = table->id});
}

/* The player who answers for the second match of a pair is the one that asked for it first. */
static struct player *rematch_opener(const struct request *request)
{
    const struct table *table = request->table;

    for (int color = WHITE; color <= BLACK; color++)
        if (table->match.offers[OFFER_REMATCH][color])
            return table->seats[color].player;
    return request->player;
}

/* Returns the origin for which that match counts: the one that asked for it. */
static struct origin *rematch_origin(const struct request *request, const struct player *opener)
{
    return opener == request->player ? rate_limit_origin(request->session)
                                     : request->table->asked_from;
}

/* Checks everything but the rules of offers. */
static enum status check_rematch(struct request *request, const struct player *opener)
{
    const struct table *table = request->table;

    enum status status = request_may_open(request, opener, rematch_origin(request, opener));
    if (status != STATUS_OK)
        return status;
    for (int color = WHITE; color <= BLACK; color++) {
        const struct player *player = table->seats[color].player;
        if (player == NULL || !table->seats[color].joined)
            return request_fail(request, STATUS_NOT_ALLOWED, "the match was never played");
        if ((player->kind == PLAYER_GUEST && !player->here) || !request_can_come(request, player))
            return request_fail(request, STATUS_NOT_ALLOWED, "the other player is gone for good");
    }
    return STATUS_OK;
}

/* Opens the second match of a pair, with colours swapped. */
static void open_rematch(struct request *request, struct player *opener)
{
    struct server *server = request->server;
    const struct table *table = request->table;
    const struct table_plan plan = {.game = table->match.game,
                                    .start = &table->match.start,
                                    .clock = clock_fresh(&table->match.clock),
                                    .is_private = table->is_private,
                                    .casual = table->casual,
                                    .creator = opener,
                                    .origin = rematch_origin(request, opener),
                                    .date = server->wall_s};
    struct table *next = unit_open(request->unit, &server->lobby, &plan);

    table_give_seat(next, WHITE, table->seats[BLACK].player, true);
    table_give_seat(next, BLACK, table->seats[WHITE].player, true);
}

static enum status run_rematch(struct request *request)
{
    struct table *table = request->table;
    struct player *opener = rematch_opener(request);
    enum status status = STATUS_OK;
    bool agreed;

    if (table_seats_of(table, request->player) != SEATS_NONE && table->match.status == MATCH_OVER)
        status = check_rematch(request, opener);
    if (status == STATUS_OK)
        status = make_offer(request, OFFER_REMATCH, &agreed);
    if (status == STATUS_OK && agreed)
        status = request_make_room(request, opener, rematch_origin(request, opener));
    if (status != STATUS_OK)
        return status;
    if (agreed)
        open_rematch(request, opener);
    else
        lobby_note_asked(&request->server->lobby, table, rate_limit_origin(request->session));
    return STATUS_OK;
}

/* Splits `[MATCH] TEXT`: the first word is a match if it names one that the speaker is in. */
static enum status find_chat(struct request *request, struct table **table, const char **text)
{
    char *rest = request->message->rest;
    size_t word = strcspn(rest, " ");

    *text = rest;
    if (rest[word] == ' ') {
        rest[word] = '\0';
        struct table *named = lobby_find(&request->server->lobby, rest);
        if (named != NULL && (table_seats_of(named, request->player) != SEATS_NONE ||
                              table_find_watch(named, &request->session->watches) != NULL)) {
            *table = named;
            *text = rest + word + 1 + strspn(rest + word + 1, " ");
            return STATUS_OK;
        }
        rest[word] = ' ';
    }
    return request_only_match(request, MATCHES_ANY | MATCHES_WATCHED, table);
}

/* Reads `to=ROOM` before the text; any other word belongs to the text. Players talk to each other
 * and those who watch to each other unless a player says otherwise: nobody else can talk to the
 * players. */
static enum status find_room(struct request *request, const struct table *table, const char **text,
                             enum room *room)
{
    bool plays = table_seats_of(table, request->player) != SEATS_NONE;
    size_t word = strcspn(*text, " ");

    *room = plays ? ROOM_PLAYERS : ROOM_WATCHERS;
    if (word < 3 || strncasecmp(*text, "to=", 3) != 0 || !room_parse(*text + 3, word - 3, room))
        return STATUS_OK;
    *text += word + strspn(*text + word, " ");
    if (**text == '\0')
        return request_fail(request, STATUS_BAD_ARGUMENTS, "usage: say %s",
                            request->command->usage);
    if (*room == ROOM_PLAYERS && !plays)
        return request_fail(request, STATUS_NOT_A_PLAYER,
                            "only the players of match %s talk to the players", table->id);
    return STATUS_OK;
}

static enum status may_say(struct request *request, struct table *table, const char *text)
{
    int most = request->server->limits.chat_bytes;

    if (strlen(text) > (size_t)most)
        return request_fail(request, STATUS_LIMIT_REACHED, "chat line too long: at most %d bytes",
                            most);
    int64_t wait_ms = rate_limit_chat(request->session, table);
    return wait_ms > 0 ? request_too_early(request, "chat rate limit exceeded", wait_ms)
                       : STATUS_OK;
}

static enum status run_say(struct request *request)
{
    struct table *table;
    struct talk_line line;
    const char *text;

    enum status status = find_chat(request, &table, &text);
    if (status == STATUS_OK)
        status = find_room(request, table, &text, &line.room);
    if (status == STATUS_OK)
        status = may_say(request, table, text);
    if (status != STATUS_OK)
        return status;
    request_ok(request, (struct ok){.match = table->id});
    request_send(request);
    snprintf(line.from, sizeof line.from, "%s", request->player->name);
    line.text = text;
    announce_chat(request->server, table, &line);
    return STATUS_OK;
}

const struct command match_commands[] = {
    {.verb = "watch",
     .usage = "MATCH|lobby|tournament ID",
     .summary = "watches a match, the lobby or a tournament",
     .min = 1,
     .max = 2,
     .cost = COST_OPENS,
     .match = MATCH_OR_LOBBY,
     .find = find_watched_tournament,
     .run = run_watch},
    {.verb = "leave",
     .usage = "MATCH|lobby|tournament ID",
     .summary = "stops watching",
     .min = 1,
     .max = 2,
     .match = MATCH_OR_LOBBY,
     .find = find_watched_tournament,
     .run = run_leave},
    {.verb = "move",
     .usage = "[MATCH] MOVE [ply=N] [eval=CP] [pv=M,M,…]",
     .summary = "plays a move; with ply= only at that ply; eval= and pv= are what you think of it, "
                "for the record",
     .options = "ply eval pv",
     .min = 1,
     .max = 2,
     .keeps = true,
     .match = MATCH_OPTIONAL,
     .wanted = MATCHES_ANY, /* the move may have crossed the end on its way */
     .edits = true,
     .run = run_move},
    {.verb = "moves",
     .usage = "[MATCH] [SQUARE]",
     .summary = "lists the legal moves, or those of one square",
     .max = 2,
     .cost = COST_BOARD,
     .match = MATCH_OR_SQUARE,
     .wanted = MATCHES_ANY | MATCHES_WATCHED,
     .run = run_moves},
    {.verb = "state",
     .usage = "[MATCH]",
     .summary = "shows the match again",
     .max = 1,
     .cost = COST_BOARD,
     .match = MATCH_OPTIONAL,
     .wanted = MATCHES_ANY | MATCHES_WATCHED,
     .run = run_state},
    {.verb = "resign",
     .usage = "[MATCH]",
     .summary = "gives up the match",
     .max = 1,
     .match = MATCH_OPTIONAL,
     .wanted = MATCHES_UNFINISHED,
     .edits = true,
     .run = run_resign},
    {.verb = "abort",
     .usage = "[MATCH]",
     .summary = "ends a match without a result, before each side has moved",
     .max = 1,
     .match = MATCH_OPTIONAL,
     .wanted = MATCHES_UNFINISHED,
     .edits = true,
     .run = run_abort},
    {.verb = "claim",
     .usage = "[MATCH]",
     .summary = "claims the win against a player who has been away too long",
     .max = 1,
     .match = MATCH_OPTIONAL,
     .wanted = MATCHES_ANY,
     .edits = true,
     .run = run_claim},
    {.verb = "draw",
     .usage = "[MATCH]",
     .summary = "offers a draw, or accepts one",
     .max = 1,
     .match = MATCH_OPTIONAL,
     .wanted = MATCHES_UNFINISHED,
     .edits = true,
     .run = run_draw},
    {.verb = "undo",
     .usage = "[MATCH]",
     .summary = "asks to take back your last move, or allows it: the match is rated no longer then",
     .max = 1,
     .match = MATCH_OPTIONAL,
     .wanted = MATCHES_UNFINISHED,
     .edits = true,
     .run = run_undo},
    {.verb = "hint",
     .usage = "[MATCH]",
     .summary = "says that your program shows you a move: the match is rated no longer then",
     .max = 1,
     .match = MATCH_OPTIONAL,
     .wanted = MATCHES_UNFINISHED,
     .edits = true,
     .run = run_hint},
    {.verb = "rematch",
     .usage = "[MATCH]",
     .summary = "offers another match with colours swapped, or accepts it",
     .max = 1,
     .cost = COST_OPENS,
     .keeps = true,
     .match = MATCH_OPTIONAL,
     .wanted = MATCHES_OVER,
     .edits = true,
     .opens = true,
     .run = run_rematch},
    {.verb = "say",
     .usage = "[MATCH] [to=players|watchers] TEXT",
     .summary = "chats: players with each other, or with those who watch; these with each other",
     .min = 1,
     .max = 1,
     .free_text = true,
     .cost = COST_BOARD,
     .run = run_say},
    {0},
};
