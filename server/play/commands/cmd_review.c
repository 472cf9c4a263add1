/* Commands that judge: the review of a match that is over, and the analysis of a position. House
 * bots do it, in processes of their own (reviews.h). */
#include <string.h>

#include "common/move.h"
#include "server/play/dispatch.h"
#include "server/play/house.h"
#include "server/play/rate_limit.h"

enum { REVIEW_RETRY_MS = 5000 }; /* when the queue may have room again */

/* Returns whether the player sits at the match, which may be a copy from the store. */
static bool has_played(const struct player *player, const struct table *table)
{
    for (int color = WHITE; color <= BLACK; color++) {
        const struct player *seated = table->seats[color].player;
        if (seated == player || (seated != NULL && seated->id != 0 && seated->id == player->id))
            return true;
    }
    return false;
}

static enum status fail_without_bots(struct request *request)
{
    return request_fail(request, STATUS_NOT_ALLOWED,
                        "this server runs no bots, which would review it");
}

/* Checks whether anything could be judged now, unless it was or is already. `kept`: the keeper may
 * have it, so that it needs no bots. */
static enum status may_judge(struct request *request, const char *subject, bool kept)
{
    const struct server *server = request->server;
    const struct origin *origin = rate_limit_origin(request->session);

    if (house_bots_program(&server->house) == NULL && !kept)
        return fail_without_bots(request);
    if (review_jobs_find(&server->reviews, subject) != NULL)
        return STATUS_OK;
    if (!review_jobs_have_share(&server->reviews, origin))
        return request_too_early(request, "too many reviews at a time from your address",
                                 REVIEW_RETRY_MS);
    return review_jobs_have_room(&server->reviews)
               ? STATUS_OK
               : request_too_early(request, "too many reviews at a time", REVIEW_RETRY_MS);
}

static enum status check_review(struct request *request)
{
    request->plies_max = REVIEW_PLIES_MAX;
    return may_judge(request, request->arguments.words[0],
                     request->server->keeper->kind->look_up != NULL);
}

/* Checks whether the player may have the match reviewed. */
static enum status may_review(struct request *request, const struct table *table)
{
    if (table->match.status != MATCH_OVER)
        return request_fail(request, STATUS_NOT_ALLOWED, "the match is not over");
    if (table->is_private && !has_played(request->player, table))
        return request_fail(request, STATUS_NOT_A_PLAYER,
                            "the match is private: only its players may have it reviewed");
    if (table->match.ply_count > REVIEW_PLIES_MAX)
        return request_fail(request, STATUS_LIMIT_REACHED,
                            "the match is too long: reviews take at most %d moves",
                            REVIEW_PLIES_MAX);
    return STATUS_OK;
}

/* Finds the review or begins one: the line sleeps until it is done. */
static enum status find_review(struct request *request)
{
    struct server *server = request->server;
    const struct table *table = request->record;
    struct review_job *job = review_jobs_find(&server->reviews, table->id);

    enum status status = may_review(request, table);
    if (status != STATUS_OK)
        return status;
    if (job == NULL) {
        bool keeps = rate_limit_keep_wait_ms(request->session) == 0;
        job = review_jobs_add(&server->reviews, server->keeper, table,
                              rate_limit_origin(request->session), keeps);
        if (job->is_new && job->state != REVIEW_DONE)
            rate_limit_keep(request->session, REVIEW_PLY_BYTES * job->count);
        review_jobs_work(&server->reviews, server->keeper, house_bots_program(&server->house),
                         server->now_ms);
    }
    request->lock = &job->lock;
    return STATUS_OK;
}

static enum status run_review(struct request *request)
{
    const struct table *table = request->record;
    const struct review_job *job = review_jobs_find(&request->server->reviews, table->id);

    if (job->has_no_bot)
        return fail_without_bots(request);
    if (job->state == REVIEW_FAILED)
        return request_fail(request, STATUS_INTERNAL, "the review has failed");
    wire_review(request_begin(request), table, job->rows, job->count);
    request->rows += (int)(request->reply.out->length / BYTES_A_ROW);
    return STATUS_OK;
}

/* What is to be analysed. */
struct analysis {
    const struct game *game;
    struct position position;
    bool judges; /* the move, too */
    struct move move;
    char subject[REVIEW_SUBJECT_MAX];
};

static enum status read_analysis(struct request *request, struct analysis *analysis)
{
    const struct arguments *arguments = &request->arguments;

    enum status status = request_position(request, &analysis->game, &analysis->position);
    if (status != STATUS_OK)
        return status;
    analysis->judges = arguments->count > 1;
    if (analysis->judges && !move_parse(analysis->game, &analysis->position, arguments->words[1],
                                        &analysis->move, &request->cause))
        return STATUS_ILLEGAL_MOVE;
    review_subject(analysis->game, &analysis->position, analysis->judges ? &analysis->move : NULL,
                   analysis->subject);
    return STATUS_OK;
}

/* Finds a running match that counts, in which the player has this position before them. */
static const struct table *find_rated(const struct player *player, const struct game *game,
                                      const struct position *position)
{
    const struct seat *seat;

    TAILQ_FOREACH (seat, &player->seats, link) {
        const struct match *match = &seat->table->match;
        if (seat->joined && match->status == MATCH_PLAYING && match->game == game &&
            memcmp(&match->position, position, sizeof *position) == 0 &&
            (table_can_be_rated(seat->table) || seat->table->tournament != 0))
            return seat->table;
    }
    return NULL;
}

/* Finds the analysis or begins one: the line sleeps until it is done. */
static enum status find_analysis(struct request *request)
{
    struct server *server = request->server;
    struct analysis analysis;

    enum status status = read_analysis(request, &analysis);
    if (status != STATUS_OK)
        return status;
    const struct table *rated = find_rated(request->player, analysis.game, &analysis.position);
    if (rated != NULL)
        return request_fail(request, STATUS_NOT_ALLOWED,
                            "match %s stands there, and counts: analyse it when it is over",
                            rated->id);
    status = may_judge(request, analysis.subject, false);
    if (status != STATUS_OK)
        return status;
    struct review_job *job = review_jobs_find(&server->reviews, analysis.subject);
    if (job == NULL) {
        job = review_jobs_add_position(&server->reviews, analysis.game, &analysis.position,
                                       analysis.judges ? &analysis.move : NULL,
                                       rate_limit_origin(request->session));
        review_jobs_work(&server->reviews, server->keeper, house_bots_program(&server->house),
                         server->now_ms);
    }
    request->lock = &job->lock;
    return STATUS_OK;
}

static enum status run_analyse(struct request *request)
{
    struct analysis analysis;

    enum status status = read_analysis(request, &analysis);
    if (status != STATUS_OK)
        return status;
    const struct review_job *job = review_jobs_find(&request->server->reviews, analysis.subject);
    if (job->state == REVIEW_FAILED)
        return request_fail(request, STATUS_INTERNAL, "the analysis has failed");
    wire_analysis(request_begin(request), analysis.game, &analysis.position, &job->rows[0]);
    return STATUS_OK;
}

const struct command review_commands[] = {
    {.verb = "review",
     .usage = "MATCH",
     .summary = "tells who stood better at each move of a match that is over, and what was better; "
                "takes some seconds",
     .min = 1,
     .max = 1,
     .cost = COST_OPENS,
     .check = check_review,
     .match = MATCH_RECORD,
     .find = find_review,
     .run = run_review},
    {.verb = "analyse",
     .usage = "GAME[:VARIANT] [MOVE] [position=POSITION]",
     .summary = "tells who stands better in a position, and what is best there, or what a move "
                "loses; takes a second",
     .options = "position*",
     .min = 1,
     .max = 2,
     .cost = COST_OPENS,
     .find = find_analysis,
     .run = run_analyse},
    {0},
};
