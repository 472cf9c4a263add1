/* Commands that open matches, bring people to them, and list them. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/levels.h"
#include "common/text.h"
#include "common/xmalloc.h"
#include "server/play/announce.h"
#include "server/play/dispatch.h"
#include "server/play/rate_limit.h"
#include "server/play/referee.h"
#include "server/play/settle.h"

enum {
    CHALLENGES_MAX = 5,         /* unanswered, from one player or address to another */
    POSITIONS_PLIES_MAX = 1000, /* of a match that is read for them */
    RECORDS_MAX = 16,           /* in one reply, */
    RECORDS_PLIES_MAX = 1000    /* with which a reply ends before that */
};

/* Refuses a seat for somebody who is not here. Says which house bot was meant. */
static enum status refuse_seat(struct request *request, const char *text)
{
    bool is_bot = strncasecmp(text, "bot:", 4) == 0;
    struct meant_word meant;
    char meaning[MEANT_TEXT_MAX];

    meant_begin(&meant, is_bot ? text + 4 : "");
    for (const char *const *level = level_names; is_bot && *level != NULL; level++)
        if (strcmp(*level, text + 4) != 0)
            meant_try(&meant, *level);
    return request_fail(
        request, STATUS_UNKNOWN_PLAYER,
        "unknown player '%.32s'%s: a seat is me, open, bot:LEVEL or a player's name", text,
        meant_text(&meant, "bot:", meaning));
}

/* Finds who is wished for one seat of a new match: *player is NULL for an open one. */
static enum status read_seat_wish(struct request *request, const char *text, enum color color,
                                  struct player **player)
{
    if (strcasecmp(text, "open") == 0) {
        *player = NULL;
        return STATUS_OK;
    }
    *player = strcasecmp(text, "me") == 0 ? request->player : request->players[color];
    if (*player == NULL || !request_can_come(request, *player) || player_is_stranger(*player))
        return refuse_seat(request, text);
    return STATUS_OK;
}

/* With neither seat given the creator takes white, with one given the other one. */
static enum status read_seat_wishes(struct request *request, struct player *wishes[2])
{
    const char *white = arguments_option(&request->arguments, "white");
    const char *black = arguments_option(&request->arguments, "black");

    if (white == NULL && black == NULL)
        black = "open";
    enum status status =
        read_seat_wish(request, white != NULL ? white : "me", WHITE, &wishes[WHITE]);
    return status != STATUS_OK
               ? status
               : read_seat_wish(request, black != NULL ? black : "me", BLACK, &wishes[BLACK]);
}

/* The player has said how many matches it takes at once. */
static enum status may_play_more(struct request *request)
{
    return !player_is_full(request->player, 0)
               ? STATUS_OK
               : request_fail(request, STATUS_LIMIT_REACHED,
                              "you are in as many matches as you have said with max=");
}

/* Whether the match counts for the ratings if `rated=` (as request_yes_or_no() reads it) is not
 * given: not against a house bot, which is always there to practise with. */
static bool is_casual(int rated, struct player *const players[2])
{
    if (rated != 0)
        return rated == 2;
    for (int color = WHITE; color <= BLACK; color++)
        if (players[color] != NULL && players[color]->kind == PLAYER_HOUSE)
            return true;
    return false;
}

static enum status check_new(struct request *request, struct clock *clock, bool *is_private,
                             int *rated)
{
    const char *clock_text = arguments_option(&request->arguments, "clock");

    if (clock_text != NULL && !clock_parse(clock_text, clock, &request->cause))
        return STATUS_BAD_ARGUMENTS;
    enum status status =
        request_may_open(request, request->player, rate_limit_origin(request->session));
    if (status == STATUS_OK)
        status = may_play_more(request);
    if (status == STATUS_OK)
        status = request_choice(request, "private", "yes", "no", is_private);
    return status != STATUS_OK ? status : request_yes_or_no(request, "rated", rated);
}

static void seat_player(struct request *request, struct table *table, enum color color,
                        struct player *player)
{
    if (player != NULL)
        table_give_seat(table, color, player,
                        player == request->player || player->kind == PLAYER_HOUSE);
}

/* Counts the challenges of the sender, or from their address, that a player has not answered. */
static int standing_challenges(const struct request *request, const struct player *player)
{
    const struct origin *origin = rate_limit_origin(request->session);
    const struct seat *seat;
    int count = 0;

    TAILQ_FOREACH (seat, &player->seats, link) {
        const struct table *table = seat->table;
        if (!seat->joined && table->match.status == MATCH_OPEN &&
            (table->creator == request->player || (origin != NULL && table->origin == origin)))
            count++;
    }
    return count;
}

static enum status may_challenge(struct request *request, struct player *player)
{
    if (player == NULL || player == request->player || player->kind == PLAYER_HOUSE)
        return STATUS_OK;
    if (player_refuses_challenges(player))
        return request_fail(request, STATUS_NOT_ALLOWED, "%s does not take challenges now",
                            player->name);
    if (player_is_full(player, 0))
        return request_fail(request, STATUS_LIMIT_REACHED, "%s takes no more matches at once",
                            player->name);
    if (standing_challenges(request, player) >= CHALLENGES_MAX)
        return request_fail(request, STATUS_LIMIT_REACHED,
                            "%s has not answered %d challenges from you or your address yet",
                            player->name, CHALLENGES_MAX);
    int64_t wait_ms = rate_limit_take(request->session, RATE_CHALLENGE, player);
    return wait_ms > 0 ? request_too_early(request, "too many challenges", wait_ms) : STATUS_OK;
}

static enum status open_match(struct request *request, const char *once)
{
    const struct game *game = NULL;
    struct position start;
    struct player *wishes[2] = {NULL, NULL};
    struct clock clock = {0};
    const char *code = NULL;
    bool is_private = false;
    int rated;

    enum status status = check_new(request, &clock, &is_private, &rated);
    if (status == STATUS_OK)
        status = request_read_word(request, &code);
    if (status == STATUS_OK)
        status = request_position(request, &game, &start);
    if (status == STATUS_OK)
        status = read_seat_wishes(request, wishes);
    if (status == STATUS_OK)
        status = may_challenge(request, wishes[WHITE]);
    if (status == STATUS_OK && wishes[BLACK] != wishes[WHITE])
        status = may_challenge(request, wishes[BLACK]);
    bool watches = wishes[WHITE] != request->player && wishes[BLACK] != request->player;
    if (status == STATUS_OK && watches)
        status = request_may_watch(request);
    if (status == STATUS_OK)
        status = request_make_room(request, request->player, rate_limit_origin(request->session));
    if (status != STATUS_OK)
        return status;
    const struct table_plan plan = {.game = game,
                                    .start = &start,
                                    .clock = clock,
                                    .is_private = is_private,
                                    .casual = is_casual(rated, wishes),
                                    .creator = request->player,
                                    .origin = rate_limit_origin(request->session),
                                    .once = once,
                                    .code = code,
                                    .date = request->server->wall_s};
    struct table *next = unit_open(request_unit(request), &request->server->lobby, &plan);
    seat_player(request, next, WHITE, wishes[WHITE]);
    seat_player(request, next, BLACK, wishes[BLACK]);
    return request_ok(request, (struct ok){.match = next->id});
}

/* Reads once=KEY: NULL if there is none. */
static enum status read_once(struct request *request, const char **key)
{
    static const char letters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-";

    *key = arguments_option(&request->arguments, "once");
    if (*key == NULL ||
        (**key != '\0' && strlen(*key) < ONCE_KEY_MAX && strspn(*key, letters) == strlen(*key)))
        return STATUS_OK;
    return request_fail(request, STATUS_BAD_ARGUMENTS,
                        "once=: write 1 to %d letters, digits, _ or -", ONCE_KEY_MAX - 1);
}

/* With once=KEY, asks the keeper for the match that the key has opened. */
static enum status find_new(struct request *request)
{
    const char *key;

    enum status status = read_once(request, &key);
    if (status != STATUS_OK || key == NULL)
        return status;
    if (request->session->unsettled > 0) /* it may be opened by one of those lines */
        request->sleeps = SLEEPS_FOR_OWN;
    request->question = (struct question){.kind = LOOK_ONCE};
    once_text(request->question.key, request->player, key);
    const struct table *draft;
    TAILQ_FOREACH (draft, &request->server->lobby.drafts, link)
        if (strcmp(draft->once, request->question.key) == 0) {
            settle_now(request->server); /* another connection of theirs opens it */
            break;
        }
    request->is_opened = lobby_find_once(&request->server->lobby, request->player, key) != NULL;
    request->asks = request_is_shared(request) && !request->is_opened &&
                    request->line->stage != LINE_KEY_IS_NEW;
    return STATUS_OK;
}

static enum status run_new(struct request *request)
{
    const char *key = arguments_option(&request->arguments, "once");
    const struct table *table =
        key != NULL ? lobby_find_once(&request->server->lobby, request->player, key) : NULL;

    if (table == NULL)
        return open_match(request, key);
    /* It was opened by an earlier line, whose reply its sender may not have got. */
    request_ok(request, (struct ok){.match = table->id});
    request_send(request);
    announce_state_to(request->session, table);
    return STATUS_OK;
}

/* Answers with what memory has. */
static enum status list_memory(struct request *request, const struct row_filter *filter)
{
    struct list_row rows[REPLY_ROWS_MAX];
    int total;

    int count = lobby_list(&request->server->lobby, filter, rows, REPLY_ROWS_MAX, &total);
    request->rows = count;
    wire_list(request_begin(request), rows, count, total);
    return STATUS_OK;
}

/* Whether the line asks for the player's own matches: `list mine`. */
static bool asks_for_own(const struct arguments *arguments)
{
    return arguments->count > 0 && strcasecmp(arguments->words[0], "mine") == 0;
}

/* Answers with the player's own matches, and sends the challenges among them again. */
static enum status list_own(struct request *request, const struct row_filter *filter)
{
    struct list_row rows[REPLY_ROWS_MAX];
    int total;

    int count = lobby_list_own(request->player, filter, rows, REPLY_ROWS_MAX, &total);
    request->rows = count;
    wire_list(request_begin(request), rows, count, total);
    request_send(request);
    for (int i = 0; i < count; i++)
        announce_challenges_to(request->session, lobby_find(&request->server->lobby, rows[i].id));
    return STATUS_OK;
}

static enum status read_list(struct request *request, struct row_filter *filter)
{
    int words = request->arguments.count, own = asks_for_own(&request->arguments);
    const char *status_text = arguments_option(&request->arguments, "status");
    bool open;
    int bots;

    if (words > own + 1)
        return request_fail(request, STATUS_BAD_ARGUMENTS, "list takes one game");
    enum status status = request_from(request, filter);
    if (status == STATUS_OK && words > own)
        status = request_game(request, request->arguments.words[own], filter);
    if (status == STATUS_OK)
        status = request_yes_or_no(request, "bot", &bots);
    if (status == STATUS_OK)
        status = request_choice(request, "status", "open", "playing", &open);
    if (status != STATUS_OK)
        return status;
    filter->bots = bots;
    if (status_text != NULL)
        filter->status = open ? ONLY_OPEN : ONLY_PLAYING;
    return STATUS_OK;
}

static enum status find_list(struct request *request)
{
    request->question = (struct question){.kind = LOOK_LIST, .rows_max = REPLY_ROWS_MAX};
    /* All matches of who is here are in memory. */
    request->asks = request_is_shared(request) && !asks_for_own(&request->arguments);
    return read_list(request, &request->question.filter);
}

static enum status run_list(struct request *request)
{
    const struct look_up *found = request->found;

    if (asks_for_own(&request->arguments))
        return list_own(request, &request->question.filter);
    if (found == NULL)
        return list_memory(request, &request->question.filter);
    for (int i = 0; i < found->count; i++) { /* the keeper does not know the spectators */
        const struct table *table = lobby_find(&request->server->lobby, found->list[i].id);
        found->list[i].watchers = table != NULL ? table->watcher_count : 0;
    }
    request->rows = found->count + ROWS_A_LOOK_UP;
    wire_list(request_begin(request), found->list, found->count, found->total);
    return STATUS_OK;
}

/* Refuses the offers of the other side. */
static enum status refuse_offers(struct request *request, unsigned seats)
{
    struct table *next = request_edit(request);
    unsigned refused;

    enum status status = match_refuse(&next->match, seats, &refused);
    if (status != STATUS_OK)
        return status;
    for (int what = 0; what < OFFER_KINDS; what++)
        if (refused & 1u << what)
            unit_tell_offer(request->unit, what, seats == SEATS_WHITE ? BLACK : WHITE,
                            OFFER_REFUSED);
    return request_ok(request, (struct ok){.match = request->table->id});
}

/* Reads the reason: NULL if it is none. */
static const char *read_decline_reason(const struct arguments *arguments)
{
    static const char *const reasons[] = {"no",     "later",   "game",      "clock", "rated",
                                          "casual", "no-bots", "only-bots", "busy"};

    if (arguments->count < 2)
        return reasons[0];
    for (size_t i = 0; i < sizeof reasons / sizeof reasons[0]; i++)
        if (strcasecmp(arguments->words[1], reasons[i]) == 0)
            return reasons[i];
    return NULL;
}

static enum status run_decline(struct request *request)
{
    const char *reason = read_decline_reason(&request->arguments);
    const struct table *table = request->table;
    unsigned seats = table_seats_of(table, request->player);

    if (reason == NULL)
        return request_fail(request, STATUS_BAD_ARGUMENTS,
                            "unknown reason: help decline lists all");
    if (table->match.status == MATCH_OPEN &&
        table_challenges_of(table, request->player) != SEATS_NONE) {
        struct table *next = request_edit(request);
        request->unit->declined_by = request->player;
        request->unit->why_declined = reason;
        match_end(&next->match, (struct outcome){RESULT_NONE, REASON_ABORTED}, request->arrived_ms);
        return request_ok(request, (struct ok){.match = request->table->id});
    }
    return seats != SEATS_NONE ? refuse_offers(request, seats) : STATUS_NOTHING_TO_ANSWER;
}

/* Reads positions=PLY; -1 without it. */
static enum status read_positions(struct request *request, long *from)
{
    const char *text = arguments_option(&request->arguments, "positions");

    *from = -1;
    if (text != NULL && !number_parse(text, strlen(text), 0, PLIES_MAX, from))
        return request_fail(request, STATUS_BAD_ARGUMENTS, "positions=: not a ply");
    return STATUS_OK;
}

/* Who asks for positions asks again for each page: a long match would be read as often. */
static enum status check_record(struct request *request)
{
    long from;

    enum status status = read_positions(request, &from);
    request->plies_max = from >= 0 ? POSITIONS_PLIES_MAX : 0;
    return status;
}

static enum status run_record(struct request *request)
{
    const struct table *table = request->record;
    long from;
    int count = 0;

    read_positions(request, &from);
    if (from >= 0) {
        int left = table->match.ply_count + 1 - (int)from;
        count = left < 0 ? 0 : left < REPLY_ROWS_MAX ? left : REPLY_ROWS_MAX;
    }
    wire_record(request_begin(request), table, (int)from, count);
    request->rows += (int)(request->reply.out->length / BYTES_A_ROW);
    return STATUS_OK;
}

/* Reads since=YYYY-MM-DD, a day in UTC. */
static enum status read_since(struct request *request, int64_t *since_s)
{
    const char *text = arguments_option(&request->arguments, "since");
    struct tm day = {0};

    *since_s = 0;
    if (text == NULL)
        return STATUS_OK;
    const char *end = strptime(text, "%Y-%m-%d", &day);
    int day_of_month = day.tm_mday;
    *since_s = timegm(&day); /* makes the 30th of February one of March */
    if (end == NULL || *end != '\0' || day.tm_mday != day_of_month)
        return request_fail(request, STATUS_BAD_ARGUMENTS, "since=: write a day, as 2026-11-26");
    return STATUS_OK;
}

static enum status find_records(struct request *request)
{
    const char *after = arguments_option(&request->arguments, "after");
    struct question *question = &request->question;
    long number = 0;

    *question = (struct question){
        .kind = LOOK_RECORDS, .rows_max = RECORDS_MAX, .plies_max = RECORDS_PLIES_MAX};
    request->asks = request->server->keeper->kind->look_up != NULL;
    if (after != NULL && !number_parse(after, strlen(after), 0, LONG_MAX, &number))
        return request_fail(request, STATUS_BAD_ARGUMENTS, "after=: write the number of a match");
    question->after = number;
    enum status status = read_since(request, &question->since_s);
    if (status == STATUS_OK && request->arguments.count > 0)
        status = request_game(request, request->arguments.words[0], &question->filter);
    return status;
}

static bool is_record_wanted(const struct question *question, const struct table *table)
{
    return !table->is_private && table->match.ply_count > 0 && table->number > question->after &&
           table->date >= question->since_s && filter_takes_game(&question->filter, &table->match);
}

/* Finds the next of the matches in memory, which are in the order in which they ended. */
static const struct table *next_record(const struct lobby *lobby, const struct question *question)
{
    const struct table *table, *next = NULL;

    TAILQ_FOREACH (table, &lobby->finished, link)
        if ((next == NULL || table->number < next->number) && is_record_wanted(question, table))
            next = table;
    return next;
}

/* Answers with what memory has, which is all. */
static void show_remembered_records(struct request *request)
{
    const struct table *rows[RECORDS_MAX], *next = NULL;
    struct question question = request->question;
    int count = 0, plies = 0;

    while (count < RECORDS_MAX && plies < RECORDS_PLIES_MAX &&
           (next = next_record(&request->server->lobby, &question)) != NULL) {
        rows[count++] = next;
        plies += next->match.ply_count;
        question.after = next->number;
    }
    wire_records(request_begin(request), rows, count, next != NULL ? next->number : 0);
}

static enum status run_records(struct request *request)
{
    const struct look_up *found = request->found;
    const struct table *rows[RECORDS_MAX];
    int count = 0;

    if (found == NULL) {
        show_remembered_records(request);
    } else {
        for (const struct stored_match *at = found->records; at != NULL; at = at->next)
            rows[count++] = &at->table;
        wire_records(request_begin(request), rows, count, found->next);
    }
    request->rows = ROWS_A_LOOK_UP + (int)(request->reply.out->length / BYTES_A_ROW);
    return STATUS_OK;
}

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

/* Picks the seat to join: one to which the player is challenged, else one of `wanted` that is free.
 * With one seat wanted, that or none. Returns WHITE, BLACK, or -1 if there is none. */
static int choose_seat(const struct table *table, const struct player *player, unsigned wanted)
{
    unsigned asked = table_challenges_of(table, player) & wanted;

    if (asked != SEATS_NONE)
        return asked & SEATS_WHITE ? WHITE : BLACK;
    for (int color = WHITE; color <= BLACK; color++) {
        const struct seat *seat = &table->seats[color];
        if (wanted & 1u << color &&
            (seat->player == NULL || (seat->player == player && !seat->joined)))
            return color;
    }
    return -1;
}

/* Checks whether somebody whom the opener has not asked may take a seat. */
static enum status may_join_open(struct request *request)
{
    const struct origin *origin = rate_limit_origin(request->session);

    if (table_is_kicked(request->table, request->player, origin))
        return request_fail(request, STATUS_NOT_ALLOWED,
                            "you or your address have lost a seat in match %s", request->table->id);
    enum status status =
        request_check_word(request, request->table->code, "match", request->table->id, "join");
    if (status != STATUS_OK)
        return status;
    int64_t wait_ms = rate_limit_take(request->session, RATE_JOIN, NULL);
    return wait_ms > 0 ? request_too_early(request,
                                           request->player->kind == PLAYER_GUEST
                                               ? "guests from your address join too many matches"
                                               : "you join too many matches",
                                           wait_ms)
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
    bool is_theirs = (table_seats_of(table, request->player) |
                      table_challenges_of(table, request->player)) != SEATS_NONE;
    status = is_theirs ? STATUS_OK : may_play_more(request);
    if (status == STATUS_OK && open)
        status = may_join_open(request);
    if (status != STATUS_OK)
        return status;
    struct table *next = request_edit(request);
    request->unit->joins = open;
    table_give_seat(next, seat, request->player, true);
    next->seats[seat].was_open = open;
    return request_ok(request, (struct ok){.match = next->id, .color = color_name(seat)});
}

static enum status may_kick(struct request *request)
{
    const struct table *table = request->table;

    if (table->match.status == MATCH_OVER)
        return STATUS_MATCH_OVER;
    if (table->creator != request->player)
        return request_fail(request, STATUS_NOT_ALLOWED, "match %s was opened by somebody else",
                            table->id);
    return match_both_have_moved(&table->match)
               ? request_fail(request, STATUS_NOT_ALLOWED,
                              "both sides have moved: resign, or offer a draw")
               : STATUS_OK;
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

const struct command lobby_commands[] = {
    {.verb = "new",
     .usage = "GAME[:VARIANT] [white=SEAT] [black=SEAT] [clock=BASE+INC] [private=yes] "
              "[rated=yes|no] [code=WORD] [once=KEY] [position=POSITION]",
     .summary = "opens a match; SEAT is me, open, bot:LEVEL or a player's name; the clock is in "
                "seconds",
     .options = "white black clock private rated code once position*",
     .min = 1,
     .max = 1,
     .cost = COST_OPENS,
     .keeps = true,
     .edits = true,
     .players = {[WHITE] = "white", [BLACK] = "black"},
     .opens = true,
     .find = find_new,
     .run = run_new},
    {.verb = "list",
     .usage = "[mine] [GAME[:VARIANT]] [status=open|playing] [bot=yes|no] [from=N]",
     .summary = "lists the open and running matches, or your own; from=N skips the first N",
     .options = "status bot from",
     .max = 2,
     .find = find_list,
     .run = run_list},
    {.verb = "decline",
     .usage = "MATCH [REASON]",
     .summary = "refuses a challenge, or the other player's offers; REASON is later, game, clock, "
                "rated, casual, no-bots, only-bots, busy or no",
     .min = 1,
     .max = 2,
     .match = MATCH_FIRST,
     .edits = true,
     .run = run_decline},
    {.verb = "record",
     .usage = "MATCH [positions=PLY]",
     .summary =
         "shows a whole match, its moves and its result; positions= adds up to 200 positions "
         "from that ply on",
     .options = "positions",
     .min = 1,
     .max = 1,
     .cost = COST_BOARD,
     .check = check_record,
     .match = MATCH_RECORD,
     .run = run_record},
    {.verb = "records",
     .usage = "[GAME[:VARIANT]] [since=YYYY-MM-DD] [after=N]",
     .summary = "shows the finished public matches whole, a few at a time, from after number N on",
     .options = "since after",
     .max = 1,
     .cost = COST_BOARD,
     .find = find_records,
     .run = run_records},
    {.verb = "join",
     .usage = "MATCH [white|black] [code=WORD]",
     .summary = "takes an open seat, or accepts a challenge",
     .options = "code",
     .min = 1,
     .max = 2,
     .cost = COST_BOARD,
     .match = MATCH_FIRST,
     .edits = true,
     .run = run_join},
    {.verb = "kick",
     .usage = "[MATCH] [color=white|black]",
     .summary = "frees the seat of a player who joined your match, before each side has moved",
     .options = "color",
     .max = 1,
     .cost = COST_BOARD,
     .match = MATCH_OPTIONAL,
     .wanted = MATCHES_UNFINISHED,
     .edits = true,
     .run = run_kick},
    {0},
};
