/* Reviews of finished matches. */
#include "server/play/house_bots.h"
#include "server/play/rate_limit.h"
#include "server/play/request.h"

enum { RETRY_MS = 5000 }; /* when the queue may have room again */

/* Whether the player sits at the match, which may be a copy from the store. */
static bool has_played(const struct player *player, const struct table *table)
{
    for (int color = WHITE; color <= BLACK; color++) {
        const struct player *seated = table->seats[color].player;
        if (seated == player || (seated != NULL && seated->id != 0 && seated->id == player->id))
            return true;
    }
    return false;
}

/* Whether the player may have the match reviewed. */
static enum status may_review(struct request *request, const struct table *table)
{
    if (request->server->house.count == 0 || request->server->house.program[0] == '\0')
        return request_fail(request, STATUS_NOT_ALLOWED,
                            "this server runs no bots, which would review it");
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

/* Finds the review or begins one, and has the line sleep until it is done. */
static enum status show_review(struct request *request, const struct table *table)
{
    struct server *server = request->server;
    struct review_job *job = review_jobs_find(&server->reviews, table->id);
    const struct origin *origin = rate_limit_origin(request->session);

    if (job == NULL && !review_jobs_have_share(&server->reviews, origin))
        return request_too_early(request, "too many reviews at a time from your address", RETRY_MS);
    if (job == NULL && !review_jobs_have_room(&server->reviews))
        return request_too_early(request, "too many reviews at a time", RETRY_MS);
    if (job == NULL) {
        job = review_jobs_add(&server->reviews, table, origin);
        review_jobs_work(&server->reviews, server->house.program, server->now_ms);
    }
    if (job->state == REVIEW_FAILED)
        return request_fail(request, STATUS_INTERNAL, "the review has failed");
    if (job->state == REVIEW_DONE) {
        wire_review(request_begin(request), table, job->lines, job->count);
        request->rows = (int)(request->reply.out->length / BYTES_A_ROW);
    } else {
        request->blocked = &job->lock;
    }
    return STATUS_OK;
}

static enum status run_review(struct request *request)
{
    const struct table *table;

    enum status status = request_record(request, request->arguments.words[0], &table);
    if (status != STATUS_OK || table == NULL)
        return status;
    status = may_review(request, table);
    return status == STATUS_OK ? show_review(request, table) : status;
}

const struct command review_commands[] = {
    {.verb = "review",
     .usage = "MATCH",
     .summary = "tells who stood better at each move of a match that is over, and what was better; "
                "takes some seconds",
     .min = 1,
     .max = 1,
     .cost = COST_OPENS,
     .run = run_review},
    {0},
};
