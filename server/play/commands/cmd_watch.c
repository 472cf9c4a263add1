/* Commands that begin and end to watch: matches, the lobby, tournaments. */
#include <strings.h>

#include "server/play/announce.h"
#include "server/play/request.h"

static bool is_lobby(const char *word)
{
    return strcasecmp(word, "lobby") == 0;
}

/* Whether the words are `tournament ID`. Other second words are refused. */
static enum status read_tournament(struct request *request, struct tournament **tournament)
{
    const struct arguments *arguments = &request->arguments;

    *tournament = NULL;
    if (strcasecmp(arguments->words[0], "tournament") != 0)
        return arguments->count == 1
                   ? STATUS_OK
                   : request_fail(request, STATUS_BAD_ARGUMENTS, "usage: %s %s",
                                  request->command->verb, request->command->usage);
    const char *id = arguments->count == 2 ? arguments->words[1] : "";
    *tournament = tournaments_find(&request->server->lobby.tournaments, id);
    return *tournament != NULL
               ? STATUS_OK
               : request_fail(request, STATUS_UNKNOWN_TOURNAMENT, "unknown tournament '%.24s'", id);
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

static enum status leave_tournament(struct request *request, const struct tournament *tournament)
{
    struct tournament_watch *watch =
        tournament_find_watch(tournament, &request->session->tournaments);

    if (watch == NULL)
        return request_fail(request, STATUS_NOT_ALLOWED, "you do not watch tournament %s",
                            tournament->id);
    tournament_unwatch(watch);
    return request_ok(request, (struct ok){.tournament = tournament->id});
}

static enum status run_watch(struct request *request)
{
    struct session *session = request->session;
    struct tournament *tournament;
    struct table *table;

    enum status status = read_tournament(request, &tournament);
    if (status != STATUS_OK || tournament != NULL)
        return status != STATUS_OK ? status : watch_tournament(request, tournament);
    if (is_lobby(request->arguments.words[0])) {
        session_watch_lobby(session, true);
        return request_ok(request, (struct ok){0});
    }
    status = request_match(request, request->arguments.words[0], 0, false, &table);
    if (status != STATUS_OK || table == NULL)
        return status;
    if (table_seats_of(table, request->player) == SEATS_NONE &&
        table_find_watch(table, &session->watches) == NULL) {
        status = request_may_watch(request);
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
    return STATUS_OK;
}

static enum status run_leave(struct request *request)
{
    struct session *session = request->session;
    struct tournament *tournament;
    struct table *table;

    enum status status = read_tournament(request, &tournament);
    if (status != STATUS_OK || tournament != NULL)
        return status != STATUS_OK ? status : leave_tournament(request, tournament);
    if (is_lobby(request->arguments.words[0])) {
        session_watch_lobby(session, false);
        return request_ok(request, (struct ok){0});
    }
    status = request_match(request, request->arguments.words[0], 0, false, &table);
    if (status != STATUS_OK || table == NULL)
        return status;
    struct watch *watch = table_find_watch(table, &session->watches);
    if (watch == NULL)
        return request_fail(request, STATUS_NOT_ALLOWED, "you do not watch match %s", table->id);
    table_unwatch(watch);
    return request_ok(request, (struct ok){0});
}

const struct command watch_commands[] = {
    {.verb = "watch",
     .usage = "MATCH|lobby|tournament ID",
     .summary = "watches a match, the lobby or a tournament",
     .min = 1,
     .max = 2,
     .cost = COST_OPENS,
     .run = run_watch},
    {.verb = "leave",
     .usage = "MATCH|lobby|tournament ID",
     .summary = "stops watching",
     .min = 1,
     .max = 2,
     .run = run_leave},
    {0},
};
