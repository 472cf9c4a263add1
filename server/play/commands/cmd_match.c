/* Commands of play. The match may be left out where only one comes into question. */
#include <ctype.h>
#include <string.h>

#include "common/move.h"
#include "common/number.h"
#include "server/play/announce.h"
#include "server/play/rate_limit.h"
#include "server/play/referee.h"
#include "server/play/relay.h"
#include "server/play/request.h"

/* The first word, or NULL. */
static const char *first_word(const struct request *request)
{
    return request->arguments.count > 0 ? request->arguments.words[0] : NULL;
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
    struct ply_note note;
    struct move move;
    long ply = -1;

    if (ply_text != NULL && !number_parse(ply_text, strlen(ply_text), 0, 1000000, &ply))
        return request_fail(request, STATUS_BAD_ARGUMENTS, "ply=: not a number");
    enum status status = match_read_move(&table->match, table_seats_of(table, request->player),
                                         text, ply, now_ms, &move, &request->cause);
    if (status == STATUS_OK)
        status = read_note(request, &note);
    if (status != STATUS_OK)
        return status;
    struct table *next = request_edit(request);
    match_play(&next->match, move, now_ms);
    match_annotate(&next->match, &note);
    return request_ok(request, (struct ok){.match = next->id, .ply = next->match.ply_count});
}

static enum status run_moves(struct request *request)
{
    const char *id = first_word(request), *square_text = NULL;
    struct table *table;
    int square = -1;

    if (request->arguments.count == 2)
        square_text = request->arguments.words[1];
    else if (id != NULL && lobby_find(&request->server->lobby, id) == NULL &&
             !(request_is_shared(request) && isdigit((unsigned char)id[0])))
        square_text = id, id = NULL;
    enum status status = request_match(request, id, MATCHES_ANY, true, &table);
    if (status != STATUS_OK || table == NULL)
        return status;
    const struct match *match = &table->match;
    if (square_text != NULL) {
        square = square_parse(&match->position, square_text, &request->cause);
        if (square < 0)
            return STATUS_BAD_ARGUMENTS;
    }
    wire_moves(request_begin(request), table, square);
    return STATUS_OK;
}

static enum status run_state(struct request *request)
{
    struct table *table;

    enum status status = request_match(request, first_word(request), MATCHES_ANY, true, &table);
    if (status != STATUS_OK || table == NULL)
        return status;
    unsigned seats = table_seats_of(table, request->player);
    struct instant instant = server_instant(request->server);
    wire_state(request_begin(request), &instant, table, seats, !request->session->no_legal);
    return STATUS_OK;
}

static enum status run_resign(struct request *request)
{
    unsigned seats = table_seats_of(request->table, request->player);
    struct table *next = request_edit(request);

    request_ok(request, (struct ok){.match = request->table->id});
    return match_resign(&next->match, seats, request->arrived_ms);
}

static enum status run_abort(struct request *request)
{
    const struct table *table = request->table;

    if (table_seats_of(table, request->player) == SEATS_NONE && table->creator != request->player)
        return STATUS_NOT_A_PLAYER;
    const struct tournament *tournament =
        tournaments_find_number(&request->server->lobby.tournaments, table->tournament);
    if (tournament != NULL && !tournament_is_over(tournament))
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

/* Answers draw, undo or rematch, and has the others told what has become of the offer. */
static void reply_offer(struct request *request, enum offer what, unsigned seats, bool agreed)
{
    enum color own = seats == SEATS_BLACK ? BLACK : WHITE;

    request_ok(request,
               (struct ok){.match = request->table->id, .is_offer = true, .agreed = agreed});
    if (!agreed)
        unit_tell_offer(request->unit, what, own, OFFER_MADE);
    else if (seats != SEATS_BOTH)
        unit_tell_offer(request->unit, what, !own, OFFER_ACCEPTED);
    request->unit->tables[0].quiet = !agreed || what == OFFER_REMATCH;
}

/* Makes an offer in the draft, or accepts what the other side has offered. */
static enum status offer(struct request *request, enum offer what, bool *agreed)
{
    unsigned seats = table_seats_of(request->table, request->player);
    struct table *next = request_edit(request);

    enum status status =
        match_offer(&next->match, seats, what, request->arrived_ms, agreed, &request->cause);
    if (status == STATUS_OK)
        reply_offer(request, what, seats, *agreed);
    return status;
}

static enum status run_draw(struct request *request)
{
    bool agreed;

    return offer(request, OFFER_DRAW, &agreed);
}

static enum status run_undo(struct request *request)
{
    bool agreed;

    return offer(request, OFFER_UNDO, &agreed);
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
    if (status != STATUS_OK || request->waits_for_answer)
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
    if (request->waits_for_answer)
        return status;
    if (status == STATUS_OK)
        status = offer(request, OFFER_REMATCH, &agreed);
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

static bool takes_part(const struct request *request, const struct table *table)
{
    return table_seats_of(table, request->player) != SEATS_NONE ||
           table_find_watch(table, &request->session->watches) != NULL;
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
        if (named != NULL && takes_part(request, named)) {
            *table = named;
            *text = rest + word + 1 + strspn(rest + word + 1, " ");
            return STATUS_OK;
        }
        rest[word] = ' ';
    }
    return request_match(request, NULL, MATCHES_ANY, true, table);
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
    const char *text;

    enum status status = find_chat(request, &table, &text);
    if (status == STATUS_OK)
        status = may_say(request, table, text);
    if (status != STATUS_OK)
        return status;
    request_ok(request, (struct ok){.match = table->id});
    request_send(request);
    announce_chat(table, request->player, text);
    relay_chat(request->server, table, request->player, text);
    return STATUS_OK;
}

const struct command match_commands[] = {
    {.verb = "move",
     .usage = "[MATCH] MOVE [ply=N] [eval=CP] [pv=M,M,…]",
     .summary = "plays a move; with ply= only at that ply; eval= and pv= are what you think of it, "
                "for the record",
     .options = "ply eval pv",
     .min = 1,
     .max = 2,
     .match = MATCH_OPTIONAL,
     .wanted = MATCHES_ANY, /* the move may have crossed the end on its way */
     .keeps = true,
     .run = run_move},
    {.verb = "moves",
     .usage = "[MATCH] [SQUARE]",
     .summary = "lists the legal moves, or those of one square",
     .max = 2,
     .cost = COST_BOARD,
     .run = run_moves},
    {.verb = "state",
     .usage = "[MATCH]",
     .summary = "shows the match again",
     .max = 1,
     .cost = COST_BOARD,
     .run = run_state},
    {.verb = "resign",
     .usage = "[MATCH]",
     .summary = "gives up the match",
     .max = 1,
     .match = MATCH_OPTIONAL,
     .wanted = MATCHES_UNFINISHED,
     .run = run_resign},
    {.verb = "abort",
     .usage = "[MATCH]",
     .summary = "ends a match without a result, before each side has moved",
     .max = 1,
     .match = MATCH_OPTIONAL,
     .wanted = MATCHES_UNFINISHED,
     .run = run_abort},
    {.verb = "claim",
     .usage = "[MATCH]",
     .summary = "claims the win against a player who has been away too long",
     .max = 1,
     .match = MATCH_OPTIONAL,
     .wanted = MATCHES_ANY,
     .run = run_claim},
    {.verb = "draw",
     .usage = "[MATCH]",
     .summary = "offers a draw, or accepts one",
     .max = 1,
     .match = MATCH_OPTIONAL,
     .wanted = MATCHES_UNFINISHED,
     .run = run_draw},
    {.verb = "undo",
     .usage = "[MATCH]",
     .summary = "asks to take back your last move, or allows it",
     .max = 1,
     .match = MATCH_OPTIONAL,
     .wanted = MATCHES_UNFINISHED,
     .run = run_undo},
    {.verb = "rematch",
     .usage = "[MATCH]",
     .summary = "offers another match with colours swapped, or accepts it",
     .max = 1,
     .match = MATCH_OPTIONAL,
     .wanted = MATCHES_OVER,
     .cost = COST_OPENS,
     .keeps = true,
     .run = run_rematch},
    {.verb = "say",
     .usage = "[MATCH] TEXT",
     .summary = "chats with all who play or watch the match",
     .min = 1,
     .max = 1,
     .free_text = true,
     .cost = COST_BOARD,
     .run = run_say},
    {0},
};
