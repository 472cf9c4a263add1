/*
 * The reviews of a server: which matches may be reviewed, how many wait, and what happens to those
 * that fail. tests/tcp/test_server_review.py has bots that succeed.
 */
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "common/merit.h"
#include "common/move.h"
#include "fixture.h"
#include "server/base/log.h"
#include "server/keep/store.h"
#include "server/play/session.h"
#include "server/wire/wire.h"
#include "test_limits.h"

static struct fixture fixture;
static struct peer anna;

static void begin_jobs(void)
{
    fixture_begin(&fixture, &test_limits, false);
    fixture.server.house.count = 1;
    snprintf(fixture.server.house.program, sizeof fixture.server.house.program, "/nowhere/bot");
    open_peer(&fixture.server, &anna);
}

/* Plays a short match; returns its table. */
static struct table *play(void)
{
    char line[64];

    skip(&anna);
    say(&anna, "new clobber:2x1 white=me black=me");
    fixture_settle(&fixture);
    snprintf(line, sizeof line, "move %lld b1a1", (long long)fixture.server.lobby.opened);
    say(&anna, line);
    fixture_settle(&fixture);
    snprintf(line, sizeof line, "%lld", (long long)fixture.server.lobby.opened);
    struct table *table = lobby_find(&fixture.server.lobby, line);
    CHECK(table != NULL && table->match.status == MATCH_OVER);
    return table;
}

/* Asks for a review. Returns whether the line sleeps. */
static bool ask(const struct table *table)
{
    char line[64];

    skip(&anna);
    snprintf(line, sizeof line, "review %s", table->id);
    return !say(&anna, line);
}

static void test_length(void)
{
    begin_jobs();
    struct table *table = play();
    check_about("a match that is too long");
    int plies = table->match.ply_count;
    table->match.ply_count = REVIEW_PLIES_MAX + 1;
    CHECK(!ask(table));
    CHECK_INT(count(&anna, "\"limit-reached\""), 1);
    table->match.ply_count = plies;
    fixture_end(&fixture);
}

/* Sets how long a match was, where only the store has it, and what its moves are. */
static void evict(const char *sql)
{
    struct database *database = ((struct store *)fixture.keeper)->database;
    struct query *query = database_query(database, sql);

    CHECK(query_run_one(query));
    query_free(query);
    fixture.server.lobby.finished_max = 0;
    lobby_trim(&fixture.server.lobby);
}

/* What is refused of a long match is refused unread, or it would be found to be damaged. */
static void test_length_in_store(void)
{
    begin_jobs();
    play();
    evict("UPDATE match SET moves = 'none', plies = 501 WHERE number = 1");
    check_about("a match that is too long, in the store");
    skip(&anna);
    CHECK(say(&anna, "review 1"));
    CHECK_INT(count(&anna, "\"limit-reached\""), 1);
    CHECK(say(&anna, "record 1 positions=0"));
    CHECK_INT(count(&anna, "\"broken\":"), 1);
    evict("UPDATE match SET plies = 1001 WHERE number = 1");
    CHECK(say(&anna, "record 1 positions=0"));
    CHECK_INT(count(&anna, "\"limit-reached\""), 2);
    CHECK(say(&anna, "record 1"));
    CHECK_INT(count(&anna, "\"broken\":"), 2);
    check_about("one that may be long enough");
    evict("UPDATE match SET plies = 500 WHERE number = 1");
    skip(&anna);
    CHECK(say(&anna, "review 1"));
    CHECK_INT(count(&anna, "\"limit-reached\""), 0);
    fixture_end(&fixture);
}

/* Nothing is read for who is refused anyhow. */
static void test_unread(void)
{
    begin_jobs();
    const struct table *table = play();
    check_about("a server with neither bots nor a store looks for no match");
    fixture.server.house.count = 0;
    fixture.server.memory = keeper_none();
    fixture.server.keeper = &fixture.server.memory;
    skip(&anna);
    CHECK(say(&anna, "review 9"));
    CHECK_INT(count(&anna, "\"not-allowed\""), 1);
    fixture.server.keeper = fixture.keeper;
    check_about("the store of one without bots may have a review");
    CHECK(say(&anna, "review 9"));
    CHECK_INT(count(&anna, "\"unknown-match\""), 1);
    ask(table);
    CHECK_INT(count(&anna, "\"not-allowed\""), 1);
    skip(&anna);
    check_about("nor does one that has no room for a review");
    fixture.server.house.count = 1;
    while (review_jobs_have_room(&fixture.server.reviews))
        review_jobs_add(&fixture.server.reviews, fixture.server.keeper, table, NULL, true);
    CHECK(say(&anna, "review 9"));
    CHECK_INT(count(&anna, "\"rate-limited\""), 1);
    check_about("a ply that is none is no reason to read one either");
    CHECK(say(&anna, "record 9 positions=x"));
    CHECK_INT(count(&anna, "\"bad-arguments\""), 1);
    fixture_end(&fixture);
}

/* A program that cannot be run fails at once; for a while nobody tries again. */
static void test_failure(void)
{
    struct server *server = &fixture.server;

    begin_jobs();
    const struct table *table = play();
    check_about("a program that cannot be run");
    CHECK(!ask(table));
    CHECK_INT(count(&anna, "\"internal\""), 1);
    CHECK(review_jobs_find(&server->reviews, table->id) != NULL);
    CHECK(!ask(table));
    CHECK_INT(count(&anna, "\"internal\""), 1);
    server->now_ms += 60000;
    review_jobs_work(&server->reviews, server->keeper, server->house.program, server->now_ms);
    CHECK(review_jobs_find(&server->reviews, table->id) == NULL);
    CHECK_INT(server->reviews.counts[REVIEW_FAILED], 0);
    fixture_end(&fixture);
}

static void test_room(void)
{
    struct review_jobs jobs;
    int added = 0;

    begin_jobs();
    const struct table *table = play();
    check_about("room");
    review_jobs_init(&jobs);
    for (; review_jobs_have_room(&jobs) && added < 100; added++)
        review_jobs_add(&jobs, fixture.server.keeper, table, NULL, true);
    CHECK_INT(added, REVIEWS_AT_ONCE + REVIEWS_WAITING);
    CHECK(review_jobs_have_share(&jobs, NULL));
    review_jobs_release(&jobs);
    fixture_end(&fixture);
}

/* A position is a match that begins there; with a move and without it is another one. They take the
 * room of reviews. */
static void test_positions(void)
{
    char subject[REVIEW_SUBJECT_MAX];
    struct review_jobs jobs;
    struct position position;
    struct cause cause;
    struct move move;

    begin_jobs();
    check_about("positions");
    review_jobs_init(&jobs);
    CHECK(clobber.parse(NULL, "3/1Pp/3 w", &position, &cause));
    CHECK(move_parse(&clobber, &position, "b2c2", &move, &cause));
    struct review_job *job = review_jobs_add_position(&jobs, &clobber, &position, &move, NULL);
    CHECK(strstr(job->pgn, "[FEN \"3/1Pp/3 w\"]\n") != NULL);
    CHECK(strstr(job->pgn, "\n\n1. b2c2 1-0\n") != NULL);
    CHECK_INT(job->count, 2);
    review_subject(&clobber, &position, &move, subject);
    CHECK(review_jobs_find(&jobs, subject) == job);
    review_subject(&clobber, &position, NULL, subject);
    CHECK(review_jobs_find(&jobs, subject) == NULL);
    job = review_jobs_add_position(&jobs, &clobber, &position, NULL, NULL);
    CHECK(review_jobs_find(&jobs, subject) == job);
    CHECK(strstr(job->pgn, "\n\n*\n") != NULL);
    while (review_jobs_have_room(&jobs))
        review_jobs_add_position(&jobs, &clobber, &position, NULL, NULL);
    CHECK_INT(jobs.counts[REVIEW_WAITS], REVIEWS_AT_ONCE + REVIEWS_WAITING);
    review_jobs_release(&jobs);
    CHECK_INT(jobs.counts[REVIEW_WAITS], 0);
    fixture_end(&fixture);
}

/* An address, or all addresses of a network, may have some of the reviews at a time, not all. */
static void test_share(void)
{
    const struct origin_key near = {.bytes = {0x20, 1}}, far = {.bytes = {0x20, 2}};
    struct server *server = &fixture.server;

    begin_jobs();
    const struct table *first = play(), *second = play();
    struct origin *origin = origins_enter(&server->origins, &near);
    struct origin *other = origins_enter(&server->origins, &far);
    check_about("the share of an address");
    anna.session->origin = origin;
    for (int i = 0; i < REVIEWS_OF_ORIGIN; i++) {
        CHECK(review_jobs_have_share(&server->reviews, origin));
        review_jobs_add(&server->reviews, server->keeper, first, origin, true);
    }
    CHECK(!review_jobs_have_share(&server->reviews, origin));
    CHECK(review_jobs_have_share(&server->reviews, other));
    CHECK(!ask(second));
    CHECK_INT(count(&anna, "too many reviews at a time from your address"), 1);
    origins_leave(&server->origins, other);
    fixture_end(&fixture);
}

/* Nothing that a client sends is read while its line waits for a review: it is not silent. */
static void test_patience(void)
{
    struct server *server = &fixture.server;

    begin_jobs();
    const struct table *table = play();
    check_about("who waits for a review");
    server->limits.idle_s = 60;
    snprintf(server->house.program, sizeof server->house.program, "/bin/true");
    CHECK(ask(table));
    anna.session->pinged = true;
    server->now_ms += 200000;
    CHECK(session_tick(anna.session));
    fixture_end(&fixture);
}

/* Analyses of the start of Clobber 2x2 as people read them. */
static const struct {
    struct review_row row;
    const char *text;
} analyses[] = {
    {{.eval = 40, .chance = 61}, "white's chance to win: 61%\n"},
    {{.eval = 40, .chance = 61, .line_plies = 1, .line = {"a1a2"}},
     "white's chance to win: 61%; best: a1a2\n"},
    {{.eval = 40, .chance = 61, .line_plies = 3, .line = {"a1a2", "b1b2", "a2b2"}},
     "white's chance to win: 61%; best: a1a2; then b1b2 a2b2\n"},
    {{.eval = EVAL_WIN - 1, .chance = 100}, "white wins, in at most 1 ply\n"},
    {{.eval = 3 - EVAL_WIN, .chance = 0}, "black wins, in at most 3 plies\n"},
    {{.eval = -EVAL_WIN, .chance = 0}, "black has won\n"},
    {{.eval = 40, .chance = 61, .move = "a1b1", .loss = 250, .mark = REVIEW_BLUNDER},
     "white's chance to win: 61%; a1b1 loses 250 ??\n"},
};

static void test_words(void)
{
    struct position start;
    struct cause cause;

    CHECK(clobber.start("2x2", &start, &cause));
    for (size_t i = 0; i < LENGTH(analyses); i++) {
        struct buffer out = {0};
        wire_analysis(&(struct wire){.out = &out, .text = true}, &clobber, &start,
                      &analyses[i].row);
        buffer_printf(&out, "%c", '\0');
        check_about("an analysis");
        CHECK_TEXT(out.bytes, analyses[i].text);
        buffer_release(&out);
    }
}

int main(void)
{
    log_set_level(LOG_ERROR);
    test_words();
    test_length();
    test_length_in_store();
    test_unread();
    test_failure();
    test_room();
    test_positions();
    test_share();
    test_patience();
    return check_end("test_review_jobs");
}
