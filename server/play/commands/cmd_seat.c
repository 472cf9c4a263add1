/* Commands that take a seat in a match, and free it. */
#include <strings.h>

#include "server/play/rate_limit.h"
#include "server/play/referee.h"
#include "server/play/request.h"

/* Reads a colour, or NULL for none: *seats is left alone then. */
static enum status read_seat(struct request *request, const char *text, unsigned *seats)
{
    if (text == NULL)
        return STATUS_OK;
    if (strcasecmp(text, "white") != 0 && strcasecmp(text, "black") != 0)
        return request_fail(request, STATUS_BAD_ARGUMENTS, "invalid seat: write white or black");
    *seats = strcasecmp(text, "white") == 0 ? SEATS_WHITE : SEATS_BLACK;
    return STATUS_OK;
}

/* Whether the player may sit down there: nobody sits, and nobody else is asked to. */
static bool seat_is_for(const struct seat *seat, const struct player *player)
{
    return seat->player == NULL || (seat->player == player && !seat->joined);
}

/* Picks the seat to join: one to which the player is challenged, else one of `wanted` that is free.
 * With one seat wanted, that or none. Returns WHITE, BLACK, or -1 if there is none. */
static int choose_seat(const struct table *table, const struct player *player, unsigned wanted)
{
    unsigned asked = table_challenges_of(table, player) & wanted;

    if (asked != SEATS_NONE)
        return asked & SEATS_WHITE ? WHITE : BLACK;
    for (int color = WHITE; color <= BLACK; color++)
        if (wanted & 1u << color && seat_is_for(&table->seats[color], player))
            return color;
    return -1;
}

/* Checks the word of the match, if it has one. Wrong ones count as wrong join codes. */
static enum status check_word(struct request *request)
{
    const char *word = arguments_option(&request->arguments, "code");
    struct origin *origin = request->session->origin;
    int64_t now_ms = request->server->now_ms;

    if (request->table->code[0] == '\0')
        return STATUS_OK;
    if (word == NULL)
        return request_fail(request, STATUS_CODE_NEEDED, "match %s needs a word: join %s code=WORD",
                            request->table->id, request->table->id);
    int64_t wait_ms = origin != NULL ? origin_code_wait_ms(origin, now_ms) : 0;
    if (wait_ms > 0)
        return request_too_early(request, "too many wrong codes", wait_ms);
    if (secret_equal(request->table->code, word))
        return STATUS_OK;
    if (origin != NULL)
        origin_wrong_code(origin, now_ms);
    return request_fail(request, STATUS_BAD_CODE, "that is not the word of match %s",
                        request->table->id);
}

/* Whether somebody whom the opener has not asked may take a seat. */
static enum status may_join_open(struct request *request)
{
    const struct origin *origin = rate_limit_origin(request->session);

    if (table_is_kicked(request->table, request->player, origin))
        return request_fail(request, STATUS_NOT_ALLOWED,
                            "you or your address have lost a seat in match %s", request->table->id);
    enum status status = check_word(request);
    if (status != STATUS_OK)
        return status;
    int64_t wait_ms = rate_limit_join(request->session);
    return wait_ms > 0 ? request_too_early(
                             request, "guests from your address join too many matches", wait_ms)
                       : STATUS_OK;
}

static enum status run_join(struct request *request)
{
    const char *color = request->arguments.count > 1 ? request->arguments.words[1] : NULL;
    const struct table *table = request->table;
    unsigned wanted = SEATS_BOTH;

    enum status status = read_seat(request, color, &wanted);
    if (status != STATUS_OK || table->match.status == MATCH_OVER)
        return status != STATUS_OK ? status : STATUS_MATCH_OVER;
    int seat = choose_seat(table, request->player, wanted);
    if (seat < 0)
        return STATUS_SEAT_TAKEN;
    bool open = table->seats[seat].player == NULL && table->creator != request->player;
    status = open ? may_join_open(request) : STATUS_OK;
    if (status != STATUS_OK)
        return status;
    struct table *next = request_edit(request);
    request->unit->joins = open;
    table_give_seat(next, seat, request->player, true);
    next->seats[seat].was_open = open && !request_is_shared(request);
    return request_ok(request, (struct ok){.match = next->id, .color = color_name(seat)});
}

static enum status may_kick(struct request *request)
{
    const struct table *table = request->table;

    if (request_is_shared(request))
        return request_fail(request, STATUS_NOT_ALLOWED, "servers that share a lobby cannot kick");
    if (table->match.status == MATCH_OVER)
        return STATUS_MATCH_OVER;
    if (table->creator != request->player)
        return request_fail(request, STATUS_NOT_ALLOWED, "match %s was opened by somebody else",
                            table->id);
    return table->match.ply_count < 2
               ? STATUS_OK
               : request_fail(request, STATUS_NOT_ALLOWED,
                              "both sides have moved: resign, or offer a draw");
}

static enum status run_kick(struct request *request)
{
    unsigned wanted = SEATS_BOTH, freed = SEATS_NONE;
    const struct table *table = request->table;

    enum status status =
        read_seat(request, arguments_option(&request->arguments, "color"), &wanted);
    if (status == STATUS_OK)
        status = may_kick(request);
    if (status != STATUS_OK)
        return status;
    for (int color = WHITE; color <= BLACK; color++)
        if (table->seats[color].was_open)
            freed |= wanted & 1u << color;
    if (freed == SEATS_NONE)
        return request_fail(request, STATUS_NOT_ALLOWED, "nobody has joined match %s there",
                            table->id);
    struct table *next = request_edit(request);
    for (int color = WHITE; color <= BLACK; color++)
        if (freed & 1u << color)
            referee_free_seat(next, color);
    return request_ok(request, (struct ok){.match = next->id});
}

const struct command seat_commands[] = {
    {.verb = "join",
     .usage = "MATCH [white|black] [code=WORD]",
     .summary = "takes an open seat, or accepts a challenge",
     .options = "code",
     .min = 1,
     .max = 2,
     .match = MATCH_FIRST,
     .cost = COST_BOARD,
     .run = run_join},
    {.verb = "kick",
     .usage = "[MATCH] [color=white|black]",
     .summary = "frees the seat of a player who joined your match, before each side has moved",
     .options = "color",
     .max = 1,
     .match = MATCH_OPTIONAL,
     .wanted = MATCHES_UNFINISHED,
     .cost = COST_BOARD,
     .run = run_kick},
    {0},
};
