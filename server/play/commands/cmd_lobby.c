/* Commands that open matches, and bring people to them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/number.h"
#include "common/xmalloc.h"
#include "server/play/announce.h"
#include "server/play/rate_limit.h"
#include "server/play/request.h"

enum { CHALLENGES_MAX = 5 /* unanswered, from one player or address to another */ };

/* Finds who is wished for one seat of a new match: *player is NULL for an open one. */
static enum status read_wish(struct request *request, const char *text, struct player **player)
{
    if (strcasecmp(text, "open") == 0) {
        *player = NULL;
        return STATUS_OK;
    }
    *player = request->player;
    if (strcasecmp(text, "me") != 0) {
        enum status status = request_find_player(request, text, player);
        if (status != STATUS_OK || request->waits_for_answer)
            return status;
    }
    const struct session *session = *player != NULL ? (*player)->session : NULL;
    if (*player == NULL || !request_can_come(request, *player) ||
        (session != NULL && !session_is_admitted(session)))
        return request_fail(
            request, STATUS_UNKNOWN_PLAYER,
            "unknown player '%.32s': a seat is me, open, bot:LEVEL or a player's name", text);
    return STATUS_OK;
}

/* With neither seat given the creator takes white, with one given the other one. */
static enum status read_wishes(struct request *request, struct player *wishes[2])
{
    const char *white = arguments_option(&request->arguments, "white");
    const char *black = arguments_option(&request->arguments, "black");

    if (white == NULL && black == NULL)
        black = "open";
    enum status status = read_wish(request, white != NULL ? white : "me", &wishes[WHITE]);
    if (status == STATUS_OK && !request->waits_for_answer)
        status = read_wish(request, black != NULL ? black : "me", &wishes[BLACK]);
    return status;
}

/* Reads the game, its variant and the position that may be given instead of the start. */
static enum status read_game(struct request *request, const struct game **game,
                             struct position *start)
{
    const char *text = arguments_option(&request->arguments, "position");
    const char *word = request->arguments.words[0];
    const char *colon = strchr(word, ':');

    enum status status = request_start(request, word, game, start);
    if (status != STATUS_OK || text == NULL ||
        (*game)->parse(colon != NULL ? colon + 1 : NULL, text, start, &request->cause))
        return status;
    if (strchr(text, '=') != NULL)
        cause_set(&request->cause, "position= must come last: it takes the rest of the line");
    return STATUS_BAD_POSITION;
}

static enum status check_new(struct request *request, struct clock *clock, bool *is_private,
                             bool *rated)
{
    const char *clock_text = arguments_option(&request->arguments, "clock");

    if (clock_text != NULL && !clock_parse(clock_text, clock, &request->cause))
        return STATUS_BAD_ARGUMENTS;
    enum status status =
        request_may_open(request, request->player, rate_limit_origin(request->session));
    if (status != STATUS_OK || request->waits_for_answer)
        return status;
    status = request_choice(request, "private", "yes", "no", is_private);
    return status != STATUS_OK ? status : request_choice(request, "rated", "yes", "no", rated);
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
    if (player->session != NULL && player->session->no_challenges)
        return request_fail(request, STATUS_NOT_ALLOWED, "%s does not take challenges now",
                            player->name);
    if (standing_challenges(request, player) >= CHALLENGES_MAX)
        return request_fail(request, STATUS_LIMIT_REACHED,
                            "%s has not answered %d challenges from you or your address yet",
                            player->name, CHALLENGES_MAX);
    int64_t wait_ms = rate_limit_challenge(request->session, player);
    return wait_ms > 0 ? request_too_early(request, "too many challenges", wait_ms) : STATUS_OK;
}

/* Reads code=WORD: NULL if there is none. */
static enum status read_code(struct request *request, const char **code)
{
    *code = arguments_option(&request->arguments, "code");
    if (*code == NULL || (**code != '\0' && strlen(*code) < JOIN_CODE_MAX))
        return *code == NULL || !request_is_shared(request)
                   ? STATUS_OK
                   : request_fail(request, STATUS_NOT_ALLOWED,
                                  "servers that share a lobby do not take code=");
    return request_fail(request, STATUS_BAD_ARGUMENTS, "code=: write 1 to %d bytes",
                        JOIN_CODE_MAX - 1);
}

static enum status open_match(struct request *request, const char *once)
{
    const struct game *game = NULL;
    struct position start;
    struct player *wishes[2] = {NULL, NULL};
    struct clock clock = {0};
    const char *code = NULL;
    bool is_private = false, rated = true;

    enum status status = check_new(request, &clock, &is_private, &rated);
    if (request->waits_for_answer)
        return status;
    if (status == STATUS_OK)
        status = read_code(request, &code);
    if (status == STATUS_OK)
        status = read_game(request, &game, &start);
    if (status == STATUS_OK)
        status = read_wishes(request, wishes);
    if (request->waits_for_answer)
        return status;
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
                                    .casual = !rated,
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

/* The match was opened by an earlier line, whose reply its sender may not have got. */
static enum status show_again(struct request *request, const struct table *table)
{
    request_ok(request, (struct ok){.match = table->id});
    request_send(request);
    announce_state_to(request->session, table);
    return STATUS_OK;
}

/* Finds the match that the key has opened: NULL if there is none, or where the line has to sleep.
 */
static enum status find_once(struct request *request, const char *key, const struct table **table)
{
    struct question question = {.kind = LOOK_ONCE};

    *table = lobby_find_once(&request->server->lobby, request->player, key);
    if (*table != NULL || !request_is_shared(request))
        return STATUS_OK;
    once_text(question.key, request->player, key);
    const struct look_up *found = request_look_up(request, &question);
    if (found == NULL || found->state == LOOK_NOTHING)
        return STATUS_OK;
    *table = lobby_find_once(&request->server->lobby, request->player, key);
    return found->state == LOOK_FAILED ? STATUS_INTERNAL : STATUS_OK;
}

static enum status run_new(struct request *request)
{
    const char *key;

    enum status status = read_once(request, &key);
    if (status != STATUS_OK || key == NULL)
        return status != STATUS_OK ? status : open_match(request, NULL);
    if (request->session->unsettled > 0) { /* it may be opened by one of those lines */
        request->waits_for_own = true;
        return STATUS_OK;
    }
    const struct table *table;
    status = find_once(request, key, &table);
    if (status != STATUS_OK || request->waits_for_answer)
        return status;
    return table != NULL ? show_again(request, table) : open_match(request, key);
}

/* Adds the public matches that the filter takes to `rows`, the newest first: those whose opener is
 * here, or those whose opener is away. `total` counts all of them, the rows those of a page. */
static int add_rows(const struct lobby *lobby, const struct row_filter *filter, bool away,
                    struct list_row *rows, int count, int *total)
{
    const struct table *table;

    TAILQ_FOREACH_REVERSE (table, &lobby->unfinished, table_list, link)
        if (opener_is_away(table) == away && filter_takes_match(filter, table) &&
            (*total)++ >= filter->from && count < REPLY_ROWS_MAX)
            list_row_of_table(&rows[count++], table);
    return count;
}

/* Answers with what memory has. Matches whose opener is away come last. */
static enum status list_memory(struct request *request, const struct row_filter *filter)
{
    const struct lobby *lobby = &request->server->lobby;
    struct list_row rows[REPLY_ROWS_MAX];
    int total = 0;

    int count = add_rows(lobby, filter, false, rows, 0, &total);
    count = add_rows(lobby, filter, true, rows, count, &total);
    request->rows = count;
    wire_list(request_begin(request), rows, count, total);
    return STATUS_OK;
}

/* Fills in the watchers, as far as they are here: the keeper does not know them. */
static void count_watchers(const struct server *server, const struct look_up *found)
{
    for (int i = 0; i < found->count; i++) {
        const struct table *table = lobby_find(&server->lobby, found->list[i].id);
        found->list[i].watchers = table != NULL ? table->watcher_count : 0;
    }
}

static enum status read_list(struct request *request, struct row_filter *filter)
{
    const char *status_text = arguments_option(&request->arguments, "status");
    bool open;
    int bots;

    enum status status = request_from(request, filter);
    if (status == STATUS_OK && request->arguments.count > 0)
        status = request_game(request, request->arguments.words[0], filter);
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

static enum status run_list(struct request *request)
{
    struct question question = {.kind = LOOK_LIST, .rows_max = REPLY_ROWS_MAX};
    const struct look_up *found;

    enum status status = read_list(request, &question.filter);
    if (status != STATUS_OK)
        return status;
    if (!request_is_shared(request))
        return list_memory(request, &question.filter);
    status = request_rows(request, &question, &found);
    if (found != NULL)
        count_watchers(request->server, found);
    if (found != NULL)
        wire_list(request_begin(request), found->list, found->count, found->total);
    return status;
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
    request->unit->tables[0].quiet = true;
    return request_ok(request, (struct ok){.match = request->table->id});
}

/* Reads the reason: NULL if it is none. */
static const char *read_reason(const struct arguments *arguments)
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
    const char *reason = read_reason(&request->arguments);
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

/* Reads positions=PLY: *from is -1 without it. */
static enum status read_positions(struct request *request, long *from)
{
    const char *text = arguments_option(&request->arguments, "positions");

    *from = -1;
    if (text != NULL && !number_parse(text, strlen(text), 0, PLIES_MAX, from))
        return request_fail(request, STATUS_BAD_ARGUMENTS, "positions=: not a ply");
    return STATUS_OK;
}

static void show_record(struct request *request, const struct table *table)
{
    int count = 0;
    long from;

    if (read_positions(request, &from) == STATUS_OK && from >= 0) {
        int left = table->match.ply_count + 1 - (int)from;
        count = left < 0 ? 0 : left < REPLY_ROWS_MAX ? left : REPLY_ROWS_MAX;
    }
    wire_record(request_begin(request), table, (int)from, count);
    request->rows += (int)(request->reply.out->length / BYTES_A_ROW);
}

static enum status run_record(struct request *request)
{
    const struct table *table;
    long from;

    enum status status = read_positions(request, &from);
    if (status == STATUS_OK)
        status = request_record(request, request->arguments.words[0], &table);
    if (status == STATUS_OK && table != NULL)
        show_record(request, table);
    return status;
}

const struct command lobby_commands[] = {
    {.verb = "new",
     .usage = "GAME[:VARIANT] [white=SEAT] [black=SEAT] [clock=BASE+INC] [private=yes] "
              "[rated=no] [code=WORD] [once=KEY] [position=POSITION]",
     .summary = "opens a match; SEAT is me, open, bot:LEVEL or a player's name; the clock is in "
                "seconds",
     .options = "white black clock private rated code once position*",
     .min = 1,
     .max = 1,
     .match = MATCH_NEW,
     .cost = COST_OPENS,
     .keeps = true,
     .run = run_new},
    {.verb = "list",
     .usage = "[GAME[:VARIANT]] [status=open|playing] [bot=yes|no] [from=N]",
     .summary = "lists the open and running matches; from=N skips the first N",
     .options = "status bot from",
     .max = 1,
     .run = run_list},
    {.verb = "decline",
     .usage = "MATCH [REASON]",
     .summary = "refuses a challenge, or the other player's offers; REASON is later, game, clock, "
                "rated, casual, no-bots, only-bots, busy or no",
     .min = 1,
     .max = 2,
     .match = MATCH_FIRST,
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
     .run = run_record},
    {0},
};
