/* Commands about seeks: standing wishes to be paired. */
#include <limits.h>
#include <string.h>
#include <strings.h>

#include "common/number.h"
#include "server/play/rate_limit.h"
#include "server/play/request.h"

enum { RATING_MAX = 9999 };

static enum status read_game(struct request *request, struct seek_wish *wish)
{
    struct position start;

    enum status status = request_start(request, request->arguments.words[0], &wish->game, &start);
    if (status == STATUS_OK)
        wish->game->variant_name(&start, wish->variant);
    return status;
}

/* Reads LOW-HIGH. */
static bool read_range(const char *text, struct seek_wish *wish)
{
    const char *dash = strchr(text, '-');
    long low, high;

    if (dash == NULL || !number_parse(text, (size_t)(dash - text), 0, RATING_MAX, &low) ||
        !number_parse(dash + 1, strlen(dash + 1), low, RATING_MAX, &high))
        return false;
    wish->ranged = true;
    wish->low = (int)low;
    wish->high = (int)high;
    return true;
}

static enum status read_choices(struct request *request, struct seek_wish *wish)
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

static enum status read_wish(struct request *request, struct seek_wish *wish)
{
    const char *clock = arguments_option(&request->arguments, "clock");
    const char *rating = arguments_option(&request->arguments, "rating");
    const char *bots = arguments_option(&request->arguments, "bots");

    *wish = (struct seek_wish){.color = -1};
    if (clock != NULL && !clock_parse(clock, &wish->clock, &request->cause))
        return STATUS_BAD_ARGUMENTS;
    if (rating != NULL && !read_range(rating, wish))
        return request_fail(request, STATUS_BAD_ARGUMENTS,
                            "rating=: write the lowest and the highest, such as 1400-1600");
    if (bots != NULL && !bots_wanted_parse(bots, &wish->bots))
        return request_fail(request, STATUS_BAD_ARGUMENTS, "bots=: write yes, no or only");
    enum status status = read_choices(request, wish);
    return status != STATUS_OK ? status : read_game(request, wish);
}

static enum status may_seek(struct request *request, const struct origin *origin)
{
    if (seek_count(&request->session->seeks) >= SEEKS_OF_SESSION_MAX)
        return request_fail(request, STATUS_LIMIT_REACHED,
                            "you have %d seeks already: unseek takes one back",
                            SEEKS_OF_SESSION_MAX);
    for (const struct origin *at = origin; at != NULL; at = at->wider)
        if (at->seeks >= SEEKS_OF_ORIGIN_MAX * at->scale)
            return request_fail(request, STATUS_LIMIT_REACHED,
                                "too many seeks: from your %s come %d, the limit is %d",
                                at == origin ? "address" : "network", at->seeks,
                                SEEKS_OF_ORIGIN_MAX * at->scale);
    return request_may_open(request, request->player, origin);
}

static enum status run_seek(struct request *request)
{
    struct session *session = request->session;
    struct origin *origin = rate_limit_origin(session);
    struct seek_wish wish;

    enum status status = read_wish(request, &wish);
    if (status == STATUS_OK)
        status = may_seek(request, origin);
    if (status != STATUS_OK || request->waits_for_answer)
        return status;
    const struct seek *seek = seeks_add(&request->server->seeks, &session->seeks, session,
                                        request->player, origin, &wish);
    return request_ok(request, (struct ok){.seek = seek->number});
}

static enum status run_unseek(struct request *request)
{
    struct session *session = request->session;
    struct seeks *seeks = &request->server->seeks;
    struct seek *seek = NULL;
    long number;

    if (request->arguments.count == 0) {
        seeks_drop_all(seeks, &session->seeks);
        return request_ok(request, (struct ok){0});
    }
    const char *word = request->arguments.words[0];
    if (number_parse(word, strlen(word), 1, LONG_MAX, &number))
        seek = seek_find(&session->seeks, number);
    if (seek == NULL)
        return request_fail(request, STATUS_NOT_ALLOWED, "you have no seek '%.24s'", word);
    seeks_drop(seeks, &session->seeks, seek);
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
              "[rated=yes|no] [bots=yes|no|only] [repeat=yes]",
     .summary = "waits for an opponent who seeks the same; repeat=yes seeks again after each match",
     .options = "clock color rating rated bots repeat",
     .min = 1,
     .max = 1,
     .cost = COST_OPENS,
     .keeps = true,
     .run = run_seek},
    {.verb = "unseek",
     .usage = "[SEEK]",
     .summary = "takes back one of your seeks, or all",
     .max = 1,
     .run = run_unseek},
    {.verb = "seeks", .summary = "lists the seeks that wait", .run = run_seeks},
    {0},
};
