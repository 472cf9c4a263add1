/* Commands about tournaments. Starting, pairing and ending them is up to tournaments.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/opening.h"
#include "common/text.h"
#include "server/play/dispatch.h"
#include "server/play/rate_limit.h"
#include "server/tournament/rounds.h"

enum {
    TOURNAMENTS_OF_ONE = 5, /* not over, opened by one player or from one address */
    TOURNAMENTS_SHARE = 10, /* the last ones are for those who have none */
    START_MOST_S = 30 * 86400,
    OPENING_ROWS = 3 * ROWS_A_COMMAND,
    PAIRINGS_A_ROW = 100, /* pairings that are gone through cost as much as a row, */
    SCORES_A_ROW = 6      /* and so do players of a series that a store reads */
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

static enum status read_openings(struct request *request, struct tournament_plan *plan)
{
    const char *text = arguments_option(&request->arguments, "openings");

    if (text == NULL)
        return STATUS_OK;
    if (!openings_parse(text, &plan->openings))
        return request_fail(
            request, STATUS_BAD_ARGUMENTS,
            "openings=: write balanced, or random: and a number of plies from 1 to %d",
            RANDOM_PLIES_MAX);
    plan->openings_known = opening_count(plan->game, &plan->start);
    if (plan->openings == OPENINGS_BALANCED && plan->openings_known == 0)
        return request_fail(
            request, STATUS_BAD_ARGUMENTS,
            "openings=: no balanced ones are known of this variant; random: has some");
    if (arguments_option(&request->arguments, "cycles") == NULL &&
        plan->format == FORMAT_ROUND_ROBIN)
        plan->cycles = 2;
    if (plan->cycles % 2 != 0)
        return request_fail(
            request, STATUS_BAD_ARGUMENTS,
            "cycles=: write an even number: each opening is played with both colours");
    return STATUS_OK;
}

/* Refuses a tournament that does not fit its series. */
static enum status check_series(struct request *request, const struct tournament_plan *plan,
                                const struct series *series)
{
    char variant[VARIANT_NAME_MAX];

    plan->game->variant_name(&plan->start, variant);
    if (series->director_id != request->player->id)
        return request_fail(request, STATUS_NOT_ALLOWED,
                            "series=: only %s, who has begun series %s, may add to it",
                            series->director, series->name);
    if (series->game != plan->game || strcmp(series->variant, variant) != 0)
        return request_fail(request, STATUS_BAD_ARGUMENTS, "series=: series %s is of %s:%s",
                            series->name, series->game->name, series->variant);
    return STATUS_OK;
}

/* Reads the series, which the keeper has been asked for. Another tournament of it may have been
 * opened just now. */
static enum status read_series(struct request *request, struct tournament_plan *plan)
{
    const struct look_up *found = request->found;
    const char *text = arguments_option(&request->arguments, "series");

    if (text == NULL)
        return STATUS_OK;
    if (!series_name_read(text, plan->series))
        return request_fail(request, STATUS_BAD_NAME,
                            "invalid name of a series: use 1 to %d of A-Z a-z 0-9 _ - .",
                            TOURNAMENT_NAME_MAX - 1);
    if (found == NULL || found->question.kind != LOOK_SERIES || found->state != LOOK_FOUND)
        return request_fail(request, STATUS_NOT_ALLOWED,
                            "series=: this server keeps nothing, and so no series");
    if (found->series.game != NULL)
        return check_series(request, plan, &found->series);
    const struct tournament *first =
        tournaments_find_opening(&request->server->lobby.tournaments, plan->series);
    if (first == NULL)
        return STATUS_OK;
    struct series series = {.game = first->plan.game, .director_id = first->plan.director->id};
    memcpy(series.name, plan->series, sizeof series.name);
    memcpy(series.director, first->plan.director->name, sizeof series.director);
    first->plan.game->variant_name(&first->plan.start, series.variant);
    return check_series(request, plan, &series);
}

static enum status read_start_time(struct request *request, struct tournament_plan *plan)
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

static enum status read_plan(struct request *request, struct tournament_plan *plan)
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
    if (status == STATUS_OK)
        status = read_openings(request, plan);
    if (status == STATUS_OK)
        status = read_series(request, plan);
    return status == STATUS_OK ? read_start_time(request, plan) : status;
}

static enum status may_take_part(struct request *request)
{
    if (request->player->kind != PLAYER_NAMED)
        return request_fail(request, STATUS_NOT_ALLOWED,
                            "tournaments are for players with a name: take one with hello");
    return STATUS_OK;
}

/* Counts the tournaments of a list that are not over and that the player opened, or somebody at
 * `origin` (NULL: no address counts). */
static int count_tournaments(const struct tournament *first, const struct player *player,
                             const struct origin *origin)
{
    int own = 0;

    for (const struct tournament *tournament = first; tournament != NULL;
         tournament = TAILQ_NEXT(tournament, link)) {
        const struct tournament_plan *plan = &tournament->plan;
        own += !tournament_is_over(tournament) &&
               (plan->director == player ||
                (origin != NULL && plan->has_address && origin_has(origin, &plan->address)));
    }
    return own;
}

static enum status may_open_tournament(struct request *request)
{
    const struct tournaments *tournaments = &request->server->lobby.tournaments;
    const struct origin *origin = rate_limit_origin(request->session);
    const struct tournament *opening;
    int own, all = tournaments->unfinished;

    do { /* for the player, then for each network around their address */
        int scale = origin != NULL ? origin->scale : 1;
        own = count_tournaments(TAILQ_FIRST(&tournaments->list), request->player, origin) +
              count_tournaments(TAILQ_FIRST(&tournaments->opening), request->player, origin);
        if (own >= TOURNAMENTS_OF_ONE * scale)
            return request_fail(request, STATUS_LIMIT_REACHED,
                                "%d tournaments from you or your address are not over", own);
    } while (origin != NULL && (origin = origin->wider) != NULL);
    TAILQ_FOREACH (opening, &tournaments->opening, link)
        all++;
    if (all >= TOURNAMENTS_MAX - (own > 0 ? TOURNAMENTS_SHARE : 0))
        return request_fail(request, STATUS_SERVER_BUSY, "%d tournaments are not over", all);
    return may_take_part(request);
}

static enum status open_tournament(struct request *request)
{
    const struct origin *origin = rate_limit_origin(request->session);
    const char *code;
    struct tournament_plan plan = {.director = request->player,
                                   .created_s = request->server->wall_s};

    enum status status = lobby_has_number(&request->server->lobby)
                             ? may_open_tournament(request)
                             : request_fail(request, STATUS_SERVER_BUSY, "try again");
    if (status == STATUS_OK && !tournament_name_read(request->arguments.words[1], plan.name))
        status = request_fail(request, STATUS_BAD_NAME,
                              "invalid name of a tournament: use 1 to %d of A-Z a-z 0-9 _ - .",
                              TOURNAMENT_NAME_MAX - 1);
    if (status == STATUS_OK)
        status = request_start(request, request->arguments.words[2], &plan.game, &plan.start);
    if (status == STATUS_OK)
        status = read_plan(request, &plan);
    if (status == STATUS_OK)
        status = request_read_word(request, &code);
    if (status != STATUS_OK)
        return status;
    snprintf(plan.code, sizeof plan.code, "%s", code != NULL ? code : "");
    plan.has_address = origin != NULL;
    if (origin != NULL)
        plan.address = origin->key;
    struct lobby *lobby = &request->server->lobby;
    if (lobby->tournaments.derived) /* the servers share no count of tournaments */
        lobby->tournaments.last = lobby_take_number(lobby) - 1;
    struct tournament *tournament = tournament_new(&lobby->tournaments, &plan, 0);
    unit_change(request_unit(request), tournament_change_new(tournament, CHANGE_OPENED), false);
    request->rows = OPENING_ROWS;
    return request_ok(request, (struct ok){.tournament = tournament->id});
}

/* Adds a change of a tournament that is not locked, and answers. */
static enum status add_and_reply(struct request *request, struct tournament_change *wanted)
{
    unit_change(request_unit(request), wanted, true);
    return request_ok(request, (struct ok){.tournament = wanted->tournament->id});
}

static bool tournament_has_room(const struct tournament *tournament)
{
    int players = tournament->contest.entrant_count + 1;

    return players <= ENTRANTS_MAX &&
           (tournament->plan.format != FORMAT_ROUND_ROBIN ||
            berger_pairings(players, tournament->plan.cycles) <= PAIRINGS_MAX);
}

static enum status join_tournament(struct request *request)
{
    struct tournament *tournament = request->tournament;
    int entrant = tournament_entrant(tournament, request->player);

    enum status status = may_take_part(request);
    if (status != STATUS_OK)
        return status;
    if (entrant != NOBODY && !tournament->contest.entrants[entrant].left)
        return request_ok(request, (struct ok){.tournament = tournament->id});
    if (tournament->status != TOURNAMENT_OPEN && !round_takes_late(tournament->plan.format))
        return request_fail(request, STATUS_NOT_ALLOWED, "it has started without you");
    if (tournament_bars(tournament, request->player))
        return request_fail(request, STATUS_NOT_ALLOWED, "%s has removed you",
                            tournament->plan.director->name);
    if (!bots_wanted_fit(tournament->plan.bots, request->player->bot))
        return request_fail(request, STATUS_NOT_ALLOWED, "it is for %s",
                            request->player->bot ? "people" : "bots");
    if (entrant == NOBODY && !tournament_has_room(tournament))
        return request_fail(request, STATUS_LIMIT_REACHED, "it has %d players, and no room",
                            tournament->contest.entrant_count);
    if (tournament->plan.director != request->player)
        status = request_check_word(request, tournament->plan.code, "tournament", tournament->id,
                                    "tournament join");
    if (status != STATUS_OK)
        return status;
    struct tournament_change *joins = tournament_change_new(tournament, CHANGE_JOINED);
    tournament_change_set_player(joins, request->player);
    return add_and_reply(request, joins);
}

static enum status leave_tournament(struct request *request)
{
    struct tournament *tournament = request->tournament;
    int entrant = tournament_entrant(tournament, request->player);

    if (entrant == NOBODY || tournament->contest.entrants[entrant].left)
        return request_fail(request, STATUS_NOT_ALLOWED, "you do not take part");
    struct tournament_change *leaves = tournament_change_new(tournament, CHANGE_LEFT);
    tournament_change_set_player(leaves, request->player);
    return add_and_reply(request, leaves);
}

/* Removes a player, who need not take part, for good. */
static enum status kick_from_tournament(struct request *request)
{
    const char *name = request->arguments.words[2];
    struct tournament *tournament = request->tournament;
    struct player *player = players_find(&request->server->players, name);

    if (player == NULL || player->kind == PLAYER_GUEST || player_is_stranger(player))
        return request_fail(request, STATUS_UNKNOWN_PLAYER, "unknown player '%.32s'", name);
    if (player == request->player)
        return request_fail(request, STATUS_NOT_ALLOWED, "you are the director: leave instead");
    if (tournament_bars(tournament, player))
        return request_fail(request, STATUS_NOT_ALLOWED, "%s is removed already", player->name);
    if (tournament->barred_count >= BARRED_MAX)
        return request_fail(request, STATUS_LIMIT_REACHED, "you have removed %d players",
                            tournament->barred_count);
    struct tournament_change *bars = tournament_change_new(tournament, CHANGE_BARRED);
    tournament_change_set_player(bars, player);
    return add_and_reply(request, bars);
}

static enum status start_tournament(struct request *request)
{
    struct tournament *tournament = request->tournament;
    int players = contest_active(&tournament->contest);

    if (tournament->status != TOURNAMENT_OPEN)
        return request_fail(request, STATUS_NOT_ALLOWED, "it has started already");
    if (players < ENTRANTS_MIN)
        return request_fail(request, STATUS_NOT_ALLOWED, "it has %d player%s: %d are needed",
                            players, players == 1 ? "" : "s", ENTRANTS_MIN);
    return add_and_reply(request, tournament_start(tournament, request->server->wall_s));
}

static enum status change_status(struct request *request, struct tournament *tournament,
                                 enum tournament_status status)
{
    struct tournament_change *sets = tournament_change_new(tournament, CHANGE_STATUS);

    sets->status = status;
    sets->at_s = request->server->wall_s;
    return add_and_reply(request, sets);
}

static enum status abort_tournament(struct request *request)
{
    return change_status(request, request->tournament, TOURNAMENT_ABORTED);
}

static enum status pause_tournament(struct request *request)
{
    struct tournament *tournament = request->tournament;

    if (tournament->status != TOURNAMENT_RUNNING)
        return request_fail(request, STATUS_NOT_ALLOWED, "it is %s",
                            tournament_status_text(tournament->status));
    return change_status(request, tournament, TOURNAMENT_PAUSED);
}

static enum status resume_tournament(struct request *request)
{
    struct tournament *tournament = request->tournament;

    if (tournament->status != TOURNAMENT_PAUSED)
        return request_fail(request, STATUS_NOT_ALLOWED, "it is %s",
                            tournament_status_text(tournament->status));
    return change_status(request, tournament, TOURNAMENT_RUNNING);
}

/* Reads from which row on a list is wanted, from 1; -1 without the option. */
static enum status read_first_row(struct request *request, const char *option, long *from)
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

static enum status show_tournament(struct request *request)
{
    struct tournament *tournament = request->tournament;
    const struct contest *contest = &tournament->contest;
    int pairings = contest->pairings.count;
    long player, pairing;

    enum status status = read_first_row(request, "players", &player);
    if (status == STATUS_OK)
        status = read_first_row(request, "pairings", &pairing);
    if (status != STATUS_OK)
        return status;
    struct tournament_pages pages = {.player = player > 0 ? (int)player - 1 : 0};
    pages.pairing = pairings > REPLY_ROWS_MAX ? pairings - REPLY_ROWS_MAX : 0;
    if (pairing > 0)
        pages.pairing = (int)pairing - 1;
    pages.players = rows_from(pages.player, contest->entrant_count);
    pages.pairings = rows_from(pages.pairing, pairings);
    bool is_league = contest->format == FORMAT_ARENA && tournament->plan.minutes == 0;
    struct standing *rows = standings_make(contest, is_league);
    wire_tournament(request_begin(request), tournament, rows, &pages);
    free(rows);
    request->rows = pages.players + pages.pairings + pairings / PAIRINGS_A_ROW;
    return STATUS_OK;
}

/* Shows a series, from a row of its standings on, as the keeper has found it. */
static enum status show_series(struct request *request)
{
    const struct look_up *found = request->found;

    if (found == NULL || found->state != LOOK_FOUND || found->series.game == NULL)
        return request_fail(request, STATUS_UNKNOWN_TOURNAMENT, "unknown series '%.32s'",
                            request->arguments.words[1]);
    wire_series(request_begin(request), &found->series, found->scores, found->count);
    request->rows = ROWS_A_LOOK_UP + found->count + found->series.players / SCORES_A_ROW;
    return STATUS_OK;
}

/* The second words of `tournament`. */
static const struct action {
    const char *word;
    int words;           /* of the whole command */
    bool directs;        /* only its opener may */
    bool changes;        /* it must not be over, and nobody else may be changing it */
    bool keeps;          /* as of a command */
    const char *options; /* that it takes, with a space before and behind each; NULL: none */
    enum status (*run)(struct request *request);
} actions[] = {
    {.word = "new",
     .words = 3,
     .keeps = true,
     .options = " format rounds cycles minutes clock start bots rated openings series code ",
     .run = open_tournament},
    {.word = "join",
     .words = 2,
     .changes = true,
     .keeps = true,
     .options = " code ",
     .run = join_tournament},
    {.word = "leave", .words = 2, .changes = true, .run = leave_tournament},
    {.word = "kick",
     .words = 3,
     .directs = true,
     .changes = true,
     .keeps = true,
     .run = kick_from_tournament},
    {.word = "start",
     .words = 2,
     .directs = true,
     .changes = true,
     .keeps = true,
     .run = start_tournament},
    {.word = "abort", .words = 2, .directs = true, .changes = true, .run = abort_tournament},
    {.word = "pause",
     .words = 2,
     .directs = true,
     .changes = true,
     .keeps = true,
     .run = pause_tournament},
    {.word = "resume",
     .words = 2,
     .directs = true,
     .changes = true,
     .keeps = true,
     .run = resume_tournament},
    {.word = "show", .words = 2, .options = " players pairings ", .run = show_tournament},
    {.word = "series", .words = 2, .options = " players ", .run = show_series},
};

/* The action that a line asks for, with as many words and the options that it takes; or NULL. */
static const struct action *find_action(const struct arguments *arguments)
{
    const struct action *action = actions, *end = actions + sizeof actions / sizeof actions[0];
    char option[32];

    while (action < end && strcasecmp(arguments->words[0], action->word) != 0)
        action++;
    if (action == end || arguments->count != action->words)
        return NULL;
    for (int i = 0; i < arguments->option_count; i++) {
        snprintf(option, sizeof option, " %s ", arguments->option_names[i]);
        if (action->options == NULL || strstr(action->options, option) == NULL)
            return NULL;
    }
    return action;
}

/* Asks the keeper for the series that a line names. */
static enum status ask_for_series(struct request *request, const char *name, int rows_max)
{
    struct question *question = &request->question;
    long player;

    enum status status = read_first_row(request, "players", &player);
    if (status != STATUS_OK)
        return status;
    *question = (struct question){
        .kind = LOOK_SERIES, .rows_max = rows_max, .filter.from = player > 0 ? (int)player - 1 : 0};
    request->asks = name != NULL && series_name_read(name, question->key);
    return STATUS_OK;
}

/* Asks the keeper for what an action needs and memory has not: a number, or a player. */
static void ask_for_more(struct request *request, const struct action *action)
{
    const struct server *server = request->server;
    const char *name = request->arguments.words[2];

    if (!request_is_shared(request) || request->found != NULL)
        return;
    if (action->run == open_tournament && !lobby_has_number(&server->lobby))
        request->question = (struct question){.kind = LOOK_NUMBERS};
    else if (action->run == kick_from_tournament && strlen(name) < NAME_TEXT_MAX &&
             players_find(&server->players, name) == NULL)
        request->question = (struct question){.kind = LOOK_NAME};
    else
        return;
    request->asks = true;
    if (request->question.kind == LOOK_NAME)
        snprintf(request->question.key, sizeof request->question.key, "%s", name);
}

static enum status find_tournament(struct request *request)
{
    const char *id = request->arguments.words[1];
    const struct action *action = find_action(&request->arguments);

    enum status status = STATUS_OK;
    if (action == NULL)
        return request_fail(request, STATUS_BAD_ARGUMENTS, "usage: %s %s", request->command->verb,
                            request->command->usage);
    if (action->keeps && (status = request_may_keep(request)) != STATUS_OK)
        return status;
    if (action->run == show_series)
        return ask_for_series(request, id, REPLY_ROWS_MAX);
    ask_for_more(request, action);
    if (action->run == open_tournament)
        return request->asks
                   ? STATUS_OK
                   : ask_for_series(request, arguments_option(&request->arguments, "series"), 0);
    status = request_find_tournament(request, id);
    struct tournament *tournament = request->tournament;
    if (tournament == NULL)
        return status;
    if (action->directs && tournament->plan.director != request->player)
        return request_fail(request, STATUS_NOT_ALLOWED, "only %s may do that",
                            tournament->plan.director->name);
    if (action->changes && tournament_is_over(tournament))
        return request_fail(request, STATUS_NOT_ALLOWED, "it is over");
    if (action->changes && tournament->broken)
        return request_fail(request, STATUS_NOT_ALLOWED, "it is damaged, and read-only");
    request->lock = action->changes ? &tournament->lock : NULL;
    return STATUS_OK;
}

static enum status run_tournament(struct request *request)
{
    return find_action(&request->arguments)->run(request);
}

static enum status run_tournaments(struct request *request)
{
    const struct tournaments *tournaments = &request->server->lobby.tournaments;
    int total = tournaments->unfinished + tournaments->over;

    request->rows = total < REPLY_ROWS_MAX ? total : REPLY_ROWS_MAX;
    wire_tournaments(request_begin(request), tournaments, request->rows);
    return STATUS_OK;
}

const struct command tournament_commands[] = {
    {.verb = "tournament",
     .usage = "new NAME GAME[:VARIANT] format=FORMAT [rounds=N] [cycles=N] [minutes=N] "
              "[clock=BASE+INC] [start=SECONDS|manual] [bots=yes|no|only] [rated=no] "
              "[openings=balanced|random:N] [series=NAME] [code=WORD], or "
              "join ID [code=WORD], or kick ID NAME, or leave|start|abort|pause|resume ID, or "
              "show ID [players=N] [pairings=N], or series NAME [players=N]",
     .summary = "opens, plays, directs or shows a tournament, or shows a series of them; FORMAT is "
                "round-robin, swiss, knockout or arena",
     .options = "format rounds cycles minutes clock start bots rated openings series code players "
                "pairings",
     .min = 2,
     .max = 3,
     .cost = COST_BOARD,
     .find = find_tournament,
     .run = run_tournament},
    {.verb = "tournaments", .summary = "lists the tournaments", .run = run_tournaments},
    {0},
};
