/* Commands about tournaments. Starting, pairing and ending them is up to tournament_run.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/number.h"
#include "server/model/tournament/berger.h"
#include "server/model/tournament/next_round.h"
#include "server/play/rate_limit.h"
#include "server/play/request.h"

enum {
    TOURNAMENTS_OF_ONE = 5, /* not over, opened by one player or from one address */
    START_MOST_S = 30 * 86400,
    OPENING_ROWS = 3 * ROWS_A_COMMAND,
    PAIRINGS_A_ROW = 100 /* so many that are gone through cost as much as a row */
};

static const char DEFAULT_CLOCK[] = "300+3";

/* Reads an option that is a number, which only some formats have; 0 without it. */
static enum status read_number(struct request *request, const char *option, bool fits, long most,
                               int *number)
{
    const char *text = arguments_option(&request->arguments, option);
    long value = 0;

    if (text != NULL && !fits)
        return request_fail(request, STATUS_BAD_ARGUMENTS, "%s=: not in this format", option);
    if (text != NULL && !number_parse(text, strlen(text), 1, most, &value))
        return request_fail(request, STATUS_BAD_ARGUMENTS, "%s=: write a number from 1 to %ld",
                            option, most);
    *number = (int)value;
    return STATUS_OK;
}

static enum status read_format(struct request *request, struct tournament_plan *plan)
{
    const char *format = arguments_option(&request->arguments, "format");

    if (format == NULL || !contest_format_parse(format, &plan->format))
        return request_fail(request, STATUS_BAD_ARGUMENTS,
                            "format=: write round-robin, swiss, knockout or arena");
    enum status status =
        read_number(request, "rounds", plan->format == FORMAT_SWISS, ROUNDS_MAX, &plan->rounds);
    if (status == STATUS_OK)
        status = read_number(request, "cycles", plan->format == FORMAT_ROUND_ROBIN, CYCLES_MAX,
                             &plan->cycles);
    if (status == STATUS_OK)
        status = read_number(request, "minutes", plan->format == FORMAT_ARENA,
                             TOURNAMENT_MINUTES_MAX, &plan->minutes);
    plan->cycles += plan->format == FORMAT_ROUND_ROBIN && plan->cycles == 0;
    return status;
}

static enum status read_start(struct request *request, struct tournament_plan *plan)
{
    const char *text = arguments_option(&request->arguments, "start");
    long seconds;

    if (text == NULL || strcasecmp(text, "manual") == 0)
        return STATUS_OK;
    if (!number_parse(text, strlen(text), 1, START_MOST_S, &seconds))
        return request_fail(request, STATUS_BAD_ARGUMENTS,
                            "start=: write manual, or seconds from 1 to %d", START_MOST_S);
    plan->starts_s = plan->created_s + seconds;
    return STATUS_OK;
}

static enum status read_options(struct request *request, struct tournament_plan *plan)
{
    const char *clock = arguments_option(&request->arguments, "clock");
    const char *bots = arguments_option(&request->arguments, "bots");
    bool rated = true;

    if (!clock_parse(clock != NULL ? clock : DEFAULT_CLOCK, &plan->clock, &request->cause))
        return STATUS_BAD_ARGUMENTS;
    if (bots != NULL && !bots_wanted_parse(bots, &plan->bots))
        return request_fail(request, STATUS_BAD_ARGUMENTS, "bots=: write yes, no or only");
    enum status status = request_choice(request, "rated", "yes", "no", &rated);
    plan->casual = !rated;
    if (status == STATUS_OK)
        status = read_format(request, plan);
    return status == STATUS_OK ? read_start(request, plan) : status;
}

/* Whether a tournament was opened by the player of the request, or where they are. */
static bool is_own(const struct request *request, const struct tournament *tournament)
{
    const struct origin *origin = rate_limit_origin(request->session);
    const struct tournament_plan *plan = &tournament->plan;

    return plan->director == request->player ||
           (origin != NULL && plan->has_address &&
            memcmp(&plan->address, &origin->key, sizeof origin->key) == 0);
}

static enum status may_take_part(struct request *request)
{
    int64_t wait_ms = rate_limit_keep_wait_ms(request->session);

    if (request->player->kind != PLAYER_NAMED)
        return request_fail(request, STATUS_NOT_ALLOWED,
                            "tournaments are for players with a name: take one with hello");
    return wait_ms > 0 ? request_too_early(
                             request, "the server keeps no more for your address today", wait_ms)
                       : STATUS_OK;
}

static enum status may_open(struct request *request)
{
    const struct tournaments *tournaments = &request->server->lobby.tournaments;
    const struct tournament *tournament;
    int own = 0, all = tournaments->unfinished;

    TAILQ_FOREACH (tournament, &tournaments->list, link)
        own += !tournament_is_over(tournament) && is_own(request, tournament);
    TAILQ_FOREACH (tournament, &tournaments->opening, link) {
        own += is_own(request, tournament);
        all++;
    }
    if (own >= TOURNAMENTS_OF_ONE)
        return request_fail(request, STATUS_LIMIT_REACHED,
                            "%d tournaments from you or your address are not over", own);
    if (all >= TOURNAMENTS_MAX)
        return request_fail(request, STATUS_SERVER_BUSY, "%d tournaments are not over", all);
    return may_take_part(request);
}

static enum status run_open(struct request *request)
{
    const struct origin *origin = rate_limit_origin(request->session);
    const char *name = request->arguments.words[1];
    struct tournament_plan plan = {.director = request->player,
                                   .created_s = request->server->wall_s};

    enum status status = may_open(request);
    if (status == STATUS_OK && !tournament_name_is_valid(name))
        status = request_fail(request, STATUS_BAD_NAME,
                              "invalid name of a tournament: use 1 to %d of A-Z a-z 0-9 _ - .",
                              TOURNAMENT_NAME_MAX - 1);
    if (status == STATUS_OK)
        status = request_start(request, request->arguments.words[2], &plan.game, &plan.start);
    if (status == STATUS_OK)
        status = read_options(request, &plan);
    if (status != STATUS_OK)
        return status;
    snprintf(plan.name, sizeof plan.name, "%s", name);
    plan.has_address = origin != NULL;
    if (origin != NULL)
        plan.address = origin->key;
    struct tournament *tournament = tournament_new(&request->server->lobby.tournaments, &plan, 0);
    unit_change(request_unit(request), tournament_change_new(tournament, CHANGE_OPENED), false);
    request->rows = OPENING_ROWS;
    return request_ok(request, (struct ok){.tournament = tournament->id});
}

/* Has a unit change a tournament that is not locked, and answers. */
static enum status change(struct request *request, struct tournament_change *wanted)
{
    unit_change(request_unit(request), wanted, true);
    return request_ok(request, (struct ok){.tournament = wanted->tournament->id});
}

static bool has_room(const struct tournament *tournament)
{
    int players = tournament->contest.entrant_count + 1;

    return players <= ENTRANTS_MAX &&
           (tournament->plan.format != FORMAT_ROUND_ROBIN ||
            berger_pairings(players, tournament->plan.cycles) <= PAIRINGS_MAX);
}

static enum status run_join(struct request *request, struct tournament *tournament)
{
    int entrant = tournament_entrant(tournament, request->player);

    enum status status = may_take_part(request);
    if (status != STATUS_OK)
        return status;
    if (tournament->status != TOURNAMENT_OPEN && !next_round_takes_late(tournament->plan.format))
        return request_fail(request, STATUS_NOT_ALLOWED, "it has started without you");
    if (!bots_wanted_fit(tournament->plan.bots, request->player->bot))
        return request_fail(request, STATUS_NOT_ALLOWED, "it is for %s",
                            request->player->bot ? "people" : "bots");
    if (entrant != NOBODY && !tournament->contest.entrants[entrant].left)
        return request_fail(request, STATUS_NOT_ALLOWED, "you take part already");
    if (entrant == NOBODY && !has_room(tournament))
        return request_fail(request, STATUS_LIMIT_REACHED, "it has %d players, and no room",
                            tournament->contest.entrant_count);
    struct tournament_change *joins = tournament_change_new(tournament, CHANGE_JOINED);
    tournament_change_set_player(joins, request->player);
    return change(request, joins);
}

static enum status run_leave(struct request *request, struct tournament *tournament)
{
    int entrant = tournament_entrant(tournament, request->player);

    if (entrant == NOBODY || tournament->contest.entrants[entrant].left)
        return request_fail(request, STATUS_NOT_ALLOWED, "you do not take part");
    struct tournament_change *leaves = tournament_change_new(tournament, CHANGE_LEFT);
    tournament_change_set_player(leaves, request->player);
    return change(request, leaves);
}

static enum status run_start(struct request *request, struct tournament *tournament)
{
    int players = contest_active(&tournament->contest);

    if (tournament->status != TOURNAMENT_OPEN)
        return request_fail(request, STATUS_NOT_ALLOWED, "it has started already");
    if (players < ENTRANTS_MIN)
        return request_fail(request, STATUS_NOT_ALLOWED, "it has %d players: %d are needed",
                            players, ENTRANTS_MIN);
    return change(request, tournament_start(tournament, request->server->wall_s));
}

static enum status set_status(struct request *request, struct tournament *tournament,
                              enum tournament_status status)
{
    struct tournament_change *sets = tournament_change_new(tournament, CHANGE_STATUS);

    sets->status = status;
    sets->at_s = request->server->wall_s;
    return change(request, sets);
}

static enum status run_abort(struct request *request, struct tournament *tournament)
{
    return set_status(request, tournament, TOURNAMENT_ABORTED);
}

static enum status run_pause(struct request *request, struct tournament *tournament)
{
    if (tournament->status != TOURNAMENT_RUNNING)
        return request_fail(request, STATUS_NOT_ALLOWED, "it is %s",
                            tournament_status_text(tournament->status));
    return set_status(request, tournament, TOURNAMENT_PAUSED);
}

static enum status run_resume(struct request *request, struct tournament *tournament)
{
    if (tournament->status != TOURNAMENT_PAUSED)
        return request_fail(request, STATUS_NOT_ALLOWED, "it is %s",
                            tournament_status_text(tournament->status));
    return set_status(request, tournament, TOURNAMENT_RUNNING);
}

/* Reads from which row on a list is wanted, from 1; -1 without the option. */
static enum status read_from(struct request *request, const char *option, long *from)
{
    const char *text = arguments_option(&request->arguments, option);

    *from = -1;
    if (text != NULL && !number_parse(text, strlen(text), 1, 2 * PAIRINGS_MAX, from))
        return request_fail(request, STATUS_BAD_ARGUMENTS, "%s=: not a number from 1 on", option);
    return STATUS_OK;
}

/* Counts the rows of a list from one on, REPLY_ROWS_MAX at most. */
static int rows_from(int from, int count)
{
    int left = count > from ? count - from : 0;

    return left < REPLY_ROWS_MAX ? left : REPLY_ROWS_MAX;
}

static enum status run_show(struct request *request, struct tournament *tournament)
{
    const struct contest *contest = &tournament->contest;
    int pairings = contest->pairings.count;
    long player, pairing;

    enum status status = read_from(request, "players", &player);
    if (status == STATUS_OK)
        status = read_from(request, "pairings", &pairing);
    if (status != STATUS_OK)
        return status;
    struct tournament_pages pages = {.player = player > 0 ? (int)player - 1 : 0};
    pages.pairing = pairings > REPLY_ROWS_MAX ? pairings - REPLY_ROWS_MAX : 0;
    if (pairing > 0)
        pages.pairing = (int)pairing - 1;
    pages.players = rows_from(pages.player, contest->entrant_count);
    pages.pairings = rows_from(pages.pairing, pairings);
    struct standing *rows = standings_make(contest, tournament_is_league(tournament));
    wire_tournament(request_begin(request), tournament, rows, &pages);
    free(rows);
    request->rows = pages.players + pages.pairings + pairings / PAIRINGS_A_ROW;
    return STATUS_OK;
}

/* The second words of `tournament`, but `new`. */
static const struct action {
    const char *word;
    bool directs;  /* only its opener may */
    bool changes;  /* it must not be over, and nobody else may be changing it */
    bool has_more; /* it takes options */
    enum status (*run)(struct request *request, struct tournament *tournament);
} actions[] = {
    {.word = "join", .changes = true, .run = run_join},
    {.word = "leave", .changes = true, .run = run_leave},
    {.word = "start", .directs = true, .changes = true, .run = run_start},
    {.word = "abort", .directs = true, .changes = true, .run = run_abort},
    {.word = "pause", .directs = true, .changes = true, .run = run_pause},
    {.word = "resume", .directs = true, .changes = true, .run = run_resume},
    {.word = "show", .has_more = true, .run = run_show},
};

static enum status act(struct request *request, const struct action *action)
{
    const char *id = request->arguments.words[1];
    struct tournament *tournament = tournaments_find(&request->server->lobby.tournaments, id);

    if (tournament == NULL)
        return request_fail(request, STATUS_UNKNOWN_TOURNAMENT, "unknown tournament '%.24s'", id);
    if (action->directs && tournament->plan.director != request->player)
        return request_fail(request, STATUS_NOT_ALLOWED, "only %s may do that",
                            tournament->plan.director->name);
    if (action->changes && tournament_is_over(tournament))
        return request_fail(request, STATUS_NOT_ALLOWED, "it is over");
    if (action->changes && !lock_is_free_for(&tournament->lock, &request->session->waiter)) {
        request->blocked = &tournament->lock;
        return STATUS_OK;
    }
    return action->run(request, tournament);
}

static enum status refuse_usage(struct request *request)
{
    return request_fail(request, STATUS_BAD_ARGUMENTS, "usage: %s %s", request->command->verb,
                        request->command->usage);
}

static bool shows(const struct arguments *arguments)
{
    return arguments->option_count == 0 ||
           (arguments_option(arguments, "players") != NULL) +
                   (arguments_option(arguments, "pairings") != NULL) ==
               arguments->option_count;
}

static enum status may_use(struct request *request)
{
    if (request_is_shared(request))
        return request_fail(request, STATUS_NOT_ALLOWED,
                            "servers that share a lobby host no tournaments");
    return STATUS_OK;
}

static enum status run_tournament(struct request *request)
{
    const struct arguments *arguments = &request->arguments;
    const char *word = arguments->words[0];

    enum status status = may_use(request);
    if (status != STATUS_OK)
        return status;
    if (strcasecmp(word, "new") == 0)
        return arguments->count == 3 && arguments_option(arguments, "players") == NULL &&
                       arguments_option(arguments, "pairings") == NULL
                   ? run_open(request)
                   : refuse_usage(request);
    for (size_t i = 0; i < sizeof actions / sizeof actions[0]; i++)
        if (strcasecmp(word, actions[i].word) == 0)
            return arguments->count == 2 &&
                           (actions[i].has_more ? shows(arguments) : arguments->option_count == 0)
                       ? act(request, &actions[i])
                       : refuse_usage(request);
    return refuse_usage(request);
}

static enum status run_tournaments(struct request *request)
{
    const struct tournaments *tournaments = &request->server->lobby.tournaments;
    int total = tournaments->unfinished + tournaments->over;

    enum status status = may_use(request);
    if (status != STATUS_OK)
        return status;
    request->rows = total < REPLY_ROWS_MAX ? total : REPLY_ROWS_MAX;
    wire_tournaments(request_begin(request), tournaments, request->rows);
    return STATUS_OK;
}

const struct command tournament_commands[] = {
    {.verb = "tournament",
     .usage = "new NAME GAME[:VARIANT] format=FORMAT [rounds=N] [cycles=N] [minutes=N] "
              "[clock=BASE+INC] [start=SECONDS|manual] [bots=yes|no|only] [rated=no], or "
              "join|leave|start|abort|pause|resume ID, or show ID [players=N] [pairings=N]",
     .summary = "opens, plays, directs or shows a tournament; FORMAT is round-robin, swiss, "
                "knockout or arena",
     .options = "format rounds cycles minutes clock start bots rated players pairings",
     .min = 2,
     .max = 3,
     .cost = COST_BOARD,
     .run = run_tournament},
    {.verb = "tournaments", .summary = "lists the tournaments", .run = run_tournaments},
    {0},
};
