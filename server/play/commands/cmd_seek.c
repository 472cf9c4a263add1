/* Commands about seeks: standing wishes to be paired. */
#include <limits.h>
#include <string.h>
#include <strings.h>

#include "common/text.h"
#include "server/play/dispatch.h"
#include "server/play/rate_limit.h"

/* Reads LOW-HIGH. */
static bool read_rating_range(const char *text, struct seek_wish *wish)
{
    const char *dash = strchr(text, '-');
    long low, high;

    if (dash == NULL || !number_parse(text, (size_t)(dash - text), 0, SEEK_RATING_MAX, &low) ||
        !number_parse(dash + 1, strlen(dash + 1), low, SEEK_RATING_MAX, &high))
        return false;
    wish->ranged = true;
    wish->low = (int)low;
    wish->high = (int)high;
    return true;
}

static enum status read_seek_choices(struct request *request, struct seek_wish *wish)
{
    bool white, rated = true;

    if (arguments_option(&request->arguments, "color") != NULL) {
        enum status status = request_choice(request, "color", "white", "black", &white);
        if (status != STATUS_OK)
            return status;
        wish->color = white ? WHITE : BLACK;
    }
    enum status status = request_choice(request, "rated", "yes", "no", &rated);
    wish->casual = !rated;
    return status != STATUS_OK ? status
                               : request_choice(request, "repeat", "yes", "no", &wish->repeat);
}

static enum status read_seek_wish(struct request *request, struct seek_wish *wish)
{
    const char *clock = arguments_option(&request->arguments, "clock");
    const char *rating = arguments_option(&request->arguments, "rating");
    const char *bots = arguments_option(&request->arguments, "bots");
    struct position start;

    *wish = (struct seek_wish){.color = -1};
    if (clock != NULL && !clock_parse(clock, &wish->clock, &request->cause))
        return STATUS_BAD_ARGUMENTS;
    if (rating != NULL && !read_rating_range(rating, wish))
        return request_fail(request, STATUS_BAD_ARGUMENTS,
                            "rating=: write the lowest and the highest, such as 1400-1600");
    if (bots != NULL && !bots_wanted_parse(bots, &wish->bots))
        return request_fail(request, STATUS_BAD_ARGUMENTS, "bots=: write yes, no or only");
    enum status status = request_matches_max(request, &wish->matches_max);
    if (status == STATUS_OK)
        status = read_seek_choices(request, wish);
    if (status == STATUS_OK)
        status = request_start(request, request->arguments.words[0], &wish->game, &start);
    if (status == STATUS_OK)
        wish->game->variant_name(&start, wish->variant);
    return status;
}

/* Checks whether there may be one more seek: of a player, or for guests of their address (NULL: it
 * has no limits). */
static enum status may_seek(struct request *request, const struct origin *origin)
{
    if (session_seeks_of(request->player) >= SEEKS_OF_PLAYER_MAX)
        return request_fail(request, STATUS_LIMIT_REACHED,
                            "you have %d seeks already: unseek takes one back",
                            SEEKS_OF_PLAYER_MAX);
    for (const struct origin *at = origin; at != NULL; at = at->wider)
        if (at->seeks >= SEEKS_OF_ORIGIN_MAX * at->scale)
            return request_fail(request, STATUS_LIMIT_REACHED,
                                "too many seeks: from your %s come %d, the limit is %d",
                                at == origin ? "address" : "network", at->seeks,
                                SEEKS_OF_ORIGIN_MAX * at->scale);
    return request_may_open(request, request->player, rate_limit_origin(request->session));
}

static enum status run_seek(struct request *request)
{
    struct session *session = request->session;
    bool is_guest = request->player->kind == PLAYER_GUEST;
    struct origin *origin = is_guest ? rate_limit_origin(session) : NULL;
    struct seek_wish wish;

    enum status status = read_seek_wish(request, &wish);
    if (status == STATUS_OK)
        status = may_seek(request, origin);
    if (status != STATUS_OK)
        return status;
    const struct seek *seek = seeks_add(&request->server->seeks, &session->seeks, session,
                                        request->player, origin, &wish);
    return request_ok(request, (struct ok){.seek = seek->number});
}

static enum status run_unseek(struct request *request)
{
    struct seeks *seeks = &request->server->seeks;
    struct session *session;
    struct seek *seek = NULL;
    long number;

    if (request->arguments.count == 0) {
        for (session = first_session_of(request->player); session != NULL;
             session = next_session_of(session))
            seeks_drop_all(seeks, &session->seeks);
        return request_ok(request, (struct ok){0});
    }
    const char *word = request->arguments.words[0];
    if (number_parse(word, strlen(word), 1, LONG_MAX, &number))
        seek = session_seek_of(request->player, number);
    if (seek == NULL)
        return request_fail(request, STATUS_NOT_ALLOWED, "you have no seek '%.24s'", word);
    seeks_drop(seeks, &seek->session->seeks, seek);
    return request_ok(request, (struct ok){0});
}

static enum status run_seeks(struct request *request)
{
    const struct seeks *seeks = &request->server->seeks;
    const struct seek *rows[REPLY_ROWS_MAX], *seek;
    int count = 0;

    TAILQ_FOREACH_REVERSE (seek, &seeks->all, all_seeks, link) {
        if (count == REPLY_ROWS_MAX)
            break;
        if (seek->stage == SEEK_WAITS)
            rows[count++] = seek;
    }
    request->rows = count;
    wire_seeks(request_begin(request), rows, count, seeks->waiting);
    return STATUS_OK;
}

const struct command seek_commands[] = {
    {.verb = "seek",
     .usage = "GAME[:VARIANT] [clock=BASE+INC] [color=white|black] [rating=LOW-HIGH] "
              "[rated=yes|no] [bots=yes|no|only] [repeat=yes] [max=N]",
     .summary =
         "waits for an opponent who seeks the same; repeat=yes seeks again after each match; "
         "with max=N not while you are in N matches",
     .options = "clock color rating rated bots repeat max",
     .min = 1,
     .max = 1,
     .cost = COST_OPENS,
     .keeps = true,
     .opens = true,
     .run = run_seek},
    {.verb = "unseek",
     .usage = "[SEEK]",
     .summary = "takes back one of your seeks, or all",
     .max = 1,
     .run = run_unseek},
    {.verb = "seeks", .summary = "lists the seeks that wait", .run = run_seeks},
    {0},
};
