/* Commands of play. The match may be left out where only one comes into question. */
#include <string.h>

#include "announce.h"
#include "command.h"
#include "common/move.h"
#include "common/number.h"
#include "pace.h"
#include "referee.h"
#include "wire_state.h"

enum {
    PLAYING = 1u << MATCH_PLAYING,
    UNFINISHED = PLAYING | 1u << MATCH_OPEN,
    ANY = UNFINISHED | 1u << MATCH_OVER
};

/* The first word, or NULL. */
static const char *first_word(const struct request *request)
{
    return request->arguments.count > 0 ? request->arguments.words[0] : NULL;
}

static enum status run_move(struct request *request)
{
    const char *const *words = request->arguments.words;
    const char *id = request->arguments.count > 1 ? words[0] : NULL;
    const char *ply_text = arguments_option(&request->arguments, "ply");
    struct table *table;
    long ply = -1;

    if (ply_text != NULL && !number_parse(ply_text, strlen(ply_text), 0, 1000000, &ply))
        return request_fail(request, STATUS_BAD_ARGUMENTS, "ply= is a number");
    /* A match that has just ended is meant, too: the move crossed the end on its way. */
    enum status status = request_match(request, id, ANY, false, &table);
    if (status != STATUS_OK)
        return status;
    if (!turn_touch(request->server, table))
        return STATUS_INTERNAL;
    status = match_play(&table->match, table_seats_of(table, request->player), words[id != NULL],
                        ply, request->server->now_ms, &request->cause);
    if (status != STATUS_OK)
        return status;
    turn_count(request->server, &request->server->counters.moves);
    turn_count(request->server, tally_moves(&request->server->tally, table->match.game));
    request_ok(request, (struct ok){.match = table->id, .ply = table->match.ply_count});
    announce_change(request->server, table);
    return STATUS_OK;
}

static enum status run_moves(struct request *request)
{
    const char *id = first_word(request), *square_text = NULL;
    struct table *table;
    int square = -1;

    if (request->arguments.count == 2)
        square_text = request->arguments.words[1];
    else if (id != NULL && lobby_find(&request->server->lobby, id) == NULL)
        square_text = id, id = NULL;
    enum status status = request_match(request, id, ANY, true, &table);
    if (status != STATUS_OK)
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

    enum status status = request_match(request, first_word(request), ANY, true, &table);
    if (status != STATUS_OK)
        return status;
    unsigned seats = table_seats_of(table, request->player);
    wire_state(request_begin(request), request->server, table, seats, !request->session->no_legal);
    return STATUS_OK;
}

static enum status run_resign(struct request *request)
{
    struct table *table;

    enum status status = request_match(request, first_word(request), UNFINISHED, false, &table);
    if (status == STATUS_OK && !turn_touch(request->server, table))
        status = STATUS_INTERNAL;
    if (status == STATUS_OK)
        status = match_resign(&table->match, table_seats_of(table, request->player),
                              request->server->now_ms);
    if (status != STATUS_OK)
        return status;
    request_ok(request, (struct ok){0});
    announce_change(request->server, table);
    return STATUS_OK;
}

static enum status run_abort(struct request *request)
{
    struct table *table;

    enum status status = request_match(request, first_word(request), UNFINISHED, false, &table);
    if (status != STATUS_OK)
        return status;
    if (table_seats_of(table, request->player) == SEATS_NONE && table->creator != request->player)
        return STATUS_NOT_A_PLAYER;
    if (!turn_touch(request->server, table))
        return STATUS_INTERNAL;
    status = match_abort(&table->match, request->server->now_ms, &request->cause);
    if (status != STATUS_OK)
        return status;
    request_ok(request, (struct ok){0});
    announce_change(request->server, table);
    return STATUS_OK;
}

static enum status run_claim(struct request *request)
{
    struct table *table;

    enum status status = request_match(request, first_word(request), ANY, false, &table);
    if (status != STATUS_OK)
        return status;
    unsigned seats = table_seats_of(table, request->player);
    status = referee_may_claim(request->server, table, seats, &request->cause);
    if (status != STATUS_OK)
        return status;
    if (!turn_touch(request->server, table))
        return STATUS_INTERNAL;
    referee_claim(request->server, table, seats);
    request_ok(request, (struct ok){0});
    announce_change(request->server, table);
    return STATUS_OK;
}

/* Who answers for the second match of a pair: the one who asked for it first. */
static struct player *rematch_opener(const struct request *request, const struct table *table)
{
    for (int color = WHITE; color <= BLACK; color++)
        if (table->match.offers[OFFER_REMATCH][color])
            return table->seats[color].player;
    return request->player;
}

/* Where that match is counted: where it was asked for. */
static struct origin *rematch_origin(const struct request *request, const struct table *table,
                                     const struct player *opener)
{
    return opener == request->player ? pace_origin(request->session) : table->asked_from;
}

/* Opens the second match of a pair: the same start and clock, the colours swapped. */
static struct table *open_rematch(struct request *request, const struct table *table,
                                  struct player *opener)
{
    struct server *server = request->server;
    struct table *next =
        lobby_open(&server->lobby, table->match.game, &table->match.start, table->is_private,
                   opener, rematch_origin(request, table, opener), server->wall_s);

    if (next == NULL)
        return NULL;
    next->match.clock = clock_fresh(&table->match.clock);
    table_give_seat(next, WHITE, table->seats[BLACK].player, true);
    table_give_seat(next, BLACK, table->seats[WHITE].player, true);
    return turn_opened(server, next) ? next : NULL;
}

/* What forbids a rematch, beside the rules of offers. */
static enum status check_rematch(struct request *request, const struct table *table,
                                 const struct player *opener)
{
    enum status status = request_may_open(request, opener, rematch_origin(request, table, opener));

    if (status != STATUS_OK)
        return status;
    for (int color = WHITE; color <= BLACK; color++) {
        const struct player *player = table->seats[color].player;
        if (player == NULL || !table->seats[color].joined)
            return request_fail(request, STATUS_NOT_ALLOWED, "the match was never played");
        if ((player->kind == PLAYER_GUEST && player->session == NULL) ||
            !server_has_player(request->server, player))
            return request_fail(request, STATUS_NOT_ALLOWED, "the other player is gone for good");
    }
    return STATUS_OK;
}

static void start_rematch(struct request *request, struct table *table, struct table *next)
{
    announce_rematch(table, next);
    announce_opened(request->server, next);
    announce_start_or_state(request->server, next);
}

/* Replies to draw, undo or rematch, and tells the others what has become of the offer. */
static void reply_offer(struct request *request, const struct table *table, enum offer what,
                        unsigned seats, bool agreed)
{
    enum color own = seats == SEATS_BLACK ? BLACK : WHITE;

    request_ok(request, (struct ok){.match = table->id, .is_offer = true, .agreed = agreed});
    if (!agreed)
        announce_offer(table, what, own, OFFER_MADE);
    else if (seats != SEATS_BOTH)
        announce_offer(table, what, !own, OFFER_ACCEPTED);
}

/* draw and undo: offers it, or accepts what the other side has offered. */
static enum status run_offer(struct request *request, enum offer what)
{
    struct table *table;
    bool agreed;

    enum status status = request_match(request, first_word(request), UNFINISHED, false, &table);
    if (status != STATUS_OK)
        return status;
    if (!turn_touch(request->server, table))
        return STATUS_INTERNAL;
    unsigned seats = table_seats_of(table, request->player);
    status =
        match_offer(&table->match, seats, what, request->server->now_ms, &agreed, &request->cause);
    if (status != STATUS_OK)
        return status;
    reply_offer(request, table, what, seats, agreed);
    if (agreed)
        announce_change(request->server, table);
    return STATUS_OK;
}

static enum status run_draw(struct request *request)
{
    return run_offer(request, OFFER_DRAW);
}

static enum status run_undo(struct request *request)
{
    return run_offer(request, OFFER_UNDO);
}

static enum status run_rematch(struct request *request)
{
    struct table *table, *next;
    bool agreed;

    enum status status =
        request_match(request, first_word(request), 1u << MATCH_OVER, false, &table);
    if (status != STATUS_OK)
        return status;
    unsigned seats = table_seats_of(table, request->player);
    struct player *opener = rematch_opener(request, table);
    if (seats != SEATS_NONE && table->match.status == MATCH_OVER)
        status = check_rematch(request, table, opener);
    if (status == STATUS_OK && !turn_touch(request->server, table))
        status = STATUS_INTERNAL;
    if (status == STATUS_OK)
        status = match_offer(&table->match, seats, OFFER_REMATCH, request->server->now_ms, &agreed,
                             &request->cause);
    if (status != STATUS_OK)
        return status;
    if (!agreed) {
        lobby_note_asked(&request->server->lobby, table, pace_origin(request->session));
        reply_offer(request, table, OFFER_REMATCH, seats, false);
        return STATUS_OK;
    }
    next = open_rematch(request, table, opener);
    if (next == NULL) {
        table->match.offers[OFFER_REMATCH][seats == SEATS_WHITE ? BLACK : WHITE] =
            seats != SEATS_BOTH; /* as it was */
        return STATUS_INTERNAL;
    }
    reply_offer(request, table, OFFER_REMATCH, seats, true);
    start_rematch(request, table, next);
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
    return request_match(request, NULL, ANY, true, table);
}

static enum status may_say(struct request *request, const char *text)
{
    int most = request->server->limits.chat_bytes;

    if (strlen(text) > (size_t)most)
        return request_fail(request, STATUS_LIMIT_REACHED, "say it shorter: at most %d bytes",
                            most);
    int64_t wait_ms = pace_count_chat(request->session);
    return wait_ms > 0 ? request_too_early(request, "you say too much", wait_ms) : STATUS_OK;
}

static enum status run_say(struct request *request)
{
    struct table *table;
    const char *text;

    enum status status = find_chat(request, &table, &text);
    if (status == STATUS_OK)
        status = may_say(request, text);
    if (status != STATUS_OK)
        return status;
    request_ok(request, (struct ok){0});
    announce_chat(table, request->player, text);
    return STATUS_OK;
}

const struct command match_commands[] = {
    {"move", "[MATCH] MOVE [ply=N]", "plays a move; with ply= only at that ply", "ply", 1, 2, false,
     true, 1, run_move},
    {"moves", "[MATCH] [SQUARE]", "lists the legal moves, or those of one square", "", 0, 2, false,
     false, 2, run_moves},
    {"state", "[MATCH]", "shows the match again", "", 0, 1, false, false, 2, run_state},
    {"resign", "[MATCH]", "gives the match up", "", 0, 1, false, true, 1, run_resign},
    {"abort", "[MATCH]", "ends a match without a result, before each side has moved", "", 0, 1,
     false, true, 1, run_abort},
    {"claim", "[MATCH]", "claims the win against a player who has been away too long", "", 0, 1,
     false, true, 1, run_claim},
    {"draw", "[MATCH]", "offers a draw, or accepts one", "", 0, 1, false, true, 1, run_draw},
    {"undo", "[MATCH]", "asks to take back your last move, or allows it", "", 0, 1, false, true, 1,
     run_undo},
    {"rematch", "[MATCH]", "offers another match with colours swapped, or accepts it", "", 0, 1,
     false, true, 5, run_rematch},
    {"say", "[MATCH] TEXT", "chats with all who play or watch the match", NULL, 1, 1, false, false,
     2, run_say},
    {0},
};
