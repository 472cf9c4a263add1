/* A server whose database fails: what becomes of a line and of the server at each answer. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "postgres_stage.h"
#include "server/keep/postgres/postgres.h"
#include "server/play/due.h"
#include "server/play/lifecycle.h"
#include "server/play/metrics.h"

/* How the database answers as a server starts, and what that server says. */
static const struct {
    const char *part;
    enum libpq_how how;
    const char *text, *why;
} starts[] = {
    {"SELECT version FROM service", LIBPQ_ROWS, "99;",
     "database: its schema is of version 99: this "},
    {"FROM join_nodes", LIBPQ_ROWS, "~|192.0.2.9:7117;",
     "database: node 1 is 192.0.2.9:7117, which is alive"},
    {"FROM join_nodes", LIBPQ_ERROR, "42883no such function", "database: no such function"},
    {"FROM join_nodes", LIBPQ_BREAK, "", "database: server closed the connection unexpectedly"},
    {"CALL keep", LIBPQ_ERROR, "42883no such procedure", "database: no such procedure"},
    {"CALL keep", LIBPQ_SILENCE, "", "database: no answer"},
    {"nextval('match_number')", LIBPQ_ERROR, "42501no rights", "database: no answer in time"},
    {"nextval('player_id')", LIBPQ_ERROR, "42501no rights", "database: no answer in time"},
    {"p.kind = 'house'", LIBPQ_SILENCE, "", "database: "},
    {"FROM pg_settings", LIBPQ_ROWS, "fsync = 'off': acknowledged changes can get lost;", NULL},
    {"p.kind = 'house'", LIBPQ_ROWS, "5 bot:greedy house t 0 - 0 0 f 0;", NULL}};

static void test_starting(void)
{
    static struct stage stage;
    struct cause cause;

    for (size_t i = 0; i < LENGTH(starts); i++) {
        check_about("a server starts: '%s' is answered '%s'", starts[i].part, starts[i].text);
        stage_answers();
        libpq_answer(starts[i].part, starts[i].how, starts[i].text);
        libpq.step_us = 100000;
        cause.text[0] = '\0';
        bool started = stage_start(&stage, &cause);
        CHECK_INT(started, starts[i].why == NULL);
        if (starts[i].why != NULL)
            CHECK_THAT(strncmp(cause.text, starts[i].why, strlen(starts[i].why)) == 0, "%s",
                       cause.text);
        stage_end(&stage);
    }
}

/* How the database answers the next calls of keep(), and what the one who moved hears.
 * The row of the server tells whether the call has run. */
static const struct {
    const char *title;
    enum libpq_how how;
    const char *text;
    int times;
    const char *hears;
    bool runs_late;
} calls[] = {
    {"it is kept", LIBPQ_ROWS, "{};", 1, "\"type\":\"ok\"", true},
    {"somebody was first", LIBPQ_ERROR, "40001conflict", 3, "\"type\":\"ok\"", false},
    {"somebody is always first", LIBPQ_ERROR, "40001conflict", 0, "\"code\":\"internal\"", false},
    {"an error, once", LIBPQ_ERROR, "53100disk full", 1, "\"type\":\"ok\"", false},
    {"an error, always", LIBPQ_ERROR, "53100disk full", 0, "\"code\":\"internal\"", false},
    {"an error after the commit", LIBPQ_ERROR, "53100disk full", 1, "\"type\":\"ok\"", true},
    {"a break before the commit", LIBPQ_BREAK, "", 1, "\"type\":\"ok\"", false},
    {"a break after the commit", LIBPQ_BREAK, "", 1, "\"type\":\"ok\"", true},
    {"kept before", LIBPQ_ROWS, "~;", 1, "\"type\":\"ok\"", true},
    {"no answer", LIBPQ_ROWS, "", 1, "\"type\":\"ok\"", false},
    {"kept, but perhaps not safe", LIBPQ_IN_DOUBT, "{};", 1, "\"type\":\"ok\"", true}};

/* Starts a match between anna and carl; 1001 is its number. */
static void start_match(struct stage *stage)
{
    CHECK(stage_say(stage, &stage->anna, "new clobber:2x2"));
    CHECK(stage_say(stage, &stage->carl, "join 1001"));
    skip(&stage->anna);
    skip(&stage->carl);
}

static void test_calls(void)
{
    static struct stage stage;

    for (size_t i = 0; i < LENGTH(calls); i++) {
        check_about("a move: %s", calls[i].title);
        stage_begin(&stage);
        start_match(&stage);
        own_row.runs_late = calls[i].runs_late;
        libpq_answer_next("CALL keep", calls[i].times, calls[i].how, calls[i].text);
        bool kept = strstr(calls[i].hears, "ok") != NULL;
        say(&stage.anna, "#m move a2a1 eval=30 pv=b2b1,a1b1");
        stage_work(&stage);
        stage_pass(&stage, 250);
        stage_pass(&stage, 250);
        CHECK_INT(count(&stage.anna, "\"id\":\"m\""), 1);
        GETS(stage.anna, calls[i].hears);
        CHECK_INT(count(&stage.carl, "\"ply\":1"), kept);
        CHECK_INT(lobby_find(&stage.server.lobby, "1001")->match.ply_count, kept);
        libpq_answer("CALL keep", LIBPQ_ROWS, "{};");
        stage_end(&stage);
    }
}

/* A commit counts when one that nobody cancels has come after it. */
static void test_doubt(void)
{
    static struct stage stage;

    check_about("a move whose wait for a standby is cancelled, as is the next one");
    stage_begin(&stage);
    start_match(&stage);
    own_row.runs_late = true;
    libpq_answer_next("CALL keep", 1, LIBPQ_IN_DOUBT, "{};");
    libpq_answer_next("FROM own", 1, LIBPQ_IN_DOUBT, "1|2|{};");
    libpq_answer_next("FROM own", 1, LIBPQ_SILENCE, "");
    say(&stage.anna, "#m move a2a1");
    stage_work(&stage);
    CHECK_INT(count(&stage.anna, "\"id\":\"m\""), 0);
    CHECK_INT(count(&stage.carl, "\"ply\":1"), 0);
    CHECK(
        !stage_say(&stage, &stage.carl, "#r record 999")); /* what is not safe could be looked up */
    stage_pass(&stage, 6000);
    stage_pass(&stage, 250);
    stage_pass(&stage, 250);
    CHECK_INT(count(&stage.anna, "\"id\":\"m\""), 1);
    CHECK_INT(count(&stage.carl, "\"ply\":1"), 1);
    CHECK(stage_say(&stage, &stage.carl, "#r record 999"));
    stage_end(&stage);
}

static void test_parts(void)
{
    static struct stage stage;

    check_about("of two lines in a batch that fails, the good one is kept alone");
    stage_begin(&stage);
    start_match(&stage);
    libpq_answer_next("CALL keep", 2, LIBPQ_ERROR, "22023bad value");
    say(&stage.anna, "#m move a2a1");
    say(&stage.carl, "#n new clobber:2x2");
    stage_work(&stage);
    GETS(stage.anna, "\"id\":\"m\",\"cmd\":\"move\",\"code\":\"internal\"");
    GETS(stage.carl, "\"type\":\"ok\",\"id\":\"n\"");
    stage_end(&stage);

    check_about("a batch of lines that change nothing needs no database");
    stage_begin(&stage);
    int sent = libpq_sent("CALL keep");
    CHECK(stage_say(&stage, &stage.anna, "ping x"));
    GETS(stage.anna, "pong");
    CHECK_INT(libpq_sent("CALL keep"), sent);
    stage_end(&stage);
}

/* What a move hears whose match another server has changed first. */
static void test_stale(void)
{
    static const struct match_row moved = {1001, 4, "playing", MOVED_LOG, .bob = NULL};
    static const struct {
        const char *title;
        enum libpq_how how;
        const char *text;
    } reads[] = {{"it is read", LIBPQ_ROWS, ""},
                 {"it cannot be read at first", LIBPQ_ERROR, "57014cancelled"},
                 {"the connection breaks as it is read", LIBPQ_BREAK, ""}};
    static struct stage stage;

    for (size_t i = 0; i < LENGTH(reads); i++) {
        check_about("a stale move: %s", reads[i].title);
        stage_begin(&stage);
        start_match(&stage);
        libpq_answer("WHERE m.number = ANY", LIBPQ_ROWS, match_row_text(&moved));
        if (reads[i].how != LIBPQ_ROWS)
            libpq_answer_next("WHERE m.number = ANY", 1, reads[i].how, reads[i].text);
        libpq_answer_next("CALL keep", 1, LIBPQ_ROWS, "{1001};");
        own_row.number++;
        say(&stage.anna, "#m move a2a1 ply=0");
        stage_work(&stage);
        stage_pass(&stage, 250);
        stage_pass(&stage, 250);
        GETS(stage.anna, "\"id\":\"m\",\"cmd\":\"move\",\"code\":\"stale-ply\"");
        CHECK_INT(lobby_find(&stage.server.lobby, "1001")->version, 4);
        CHECK_INT((int)stage.server.tally.stale_units, 1);
        stage_end(&stage);
    }

    check_about("a new match and a new name that are stale run again");
    stage_begin(&stage);
    libpq_answer_next("CALL keep", 1, LIBPQ_ROWS, "{-1,-2,7};");
    own_row.number++;
    say(&stage.anna, "#n new clobber:2x2");
    say(&stage.carl, "#r new clobber:3x3 clock=60");
    stage_work(&stage);
    GETS(stage.anna, "\"type\":\"ok\",\"id\":\"n\"");
    GETS(stage.carl, "\"type\":\"ok\",\"id\":\"r\"");
    stage_end(&stage);
}

/* Starts such a match with a clock, in which it is carl's turn then. Returns when that began. */
static int64_t start_timed_match(struct stage *stage)
{
    CHECK(stage_say(stage, &stage->anna, "new clobber:3x3 clock=60"));
    CHECK(stage_say(stage, &stage->carl, "join 1001"));
    CHECK(stage_say(stage, &stage->anna, "move 1001 b1c1 ply=0"));
    const struct clock *clock = &lobby_find(&stage->server.lobby, "1001")->match.clock;
    CHECK(clock->runs);
    return clock->since_ms;
}

/* Match 1002, which is on its way from now on. */
static const char *hold_moved(const char *const *values)
{
    static const struct match_row moved = {1002, 4, "playing", MOVED_LOG, .bob = NULL};

    (void)values;
    libpq.holds = true;
    return match_row_text(&moved);
}

static void test_stale_waits(void)
{
    enum { HELD_MS = 2800, STEP_MS = 400 };
    static struct stage stage;

    check_about("nobody is charged for the time in which a stale match is read");
    stage_begin(&stage);
    int64_t since_ms = start_timed_match(&stage);
    CHECK(stage_say(&stage, &stage.anna, "new clobber:2x2"));
    CHECK(stage_say(&stage, &stage.carl, "join 1002"));
    libpq_answer_by("WHERE m.number = ANY", hold_moved);
    libpq_answer_next("CALL keep", 1, LIBPQ_ROWS, "{1002};");
    own_row.number++;
    say(&stage.anna, "#m move 1002 a2a1 ply=0");
    stage_work(&stage);
    for (int passed_ms = 0; passed_ms < HELD_MS; passed_ms += STEP_MS)
        stage_pass(&stage, STEP_MS);
    CHECK(stage.keeper->kind->is_stalled(stage.keeper));
    libpq.holds = false;
    stage_work(&stage);
    GETS(stage.anna, "\"id\":\"m\",\"cmd\":\"move\",\"code\":\"stale-ply\"");
    CHECK(!stage.keeper->kind->is_stalled(stage.keeper));
    const struct table *table = lobby_find(&stage.server.lobby, "1001");
    CHECK_INT(table->match.clock.since_ms - since_ms, HELD_MS);
    stage_end(&stage);
}

static void test_forgiven_meanwhile(void)
{
    enum { PASSED_MS = 6000, CUT_MS = 4000 };
    static struct stage stage;

    check_about("a player comes, and is forgiven, while what the other one offers is kept");
    stage_begin(&stage);
    int64_t since_ms = start_timed_match(&stage);
    stage_pass(&stage, PASSED_MS);
    libpq.holds = true;
    say(&stage.anna, "#o draw 1001");
    stage_work(&stage);
    struct table *table = lobby_find(&stage.server.lobby, "1001");
    CHECK(table->lock.owner != NULL);
    due_forgive_cut(&stage.server, table->seats[BLACK].player, CUT_MS);
    libpq.holds = false;
    stage_work(&stage);
    GETS(stage.anna, "\"type\":\"ok\",\"id\":\"o\"");
    CHECK(table->lock.owner == NULL);
    CHECK_INT(table->match.clock.since_ms - since_ms, CUT_MS);
    CHECK_INT(table->match.turn_ms - since_ms, CUT_MS);
    stage_end(&stage);
}

/* A line that ends the match, and changes ratings, comes too late. */
static void test_stale_end(void)
{
    static const struct match_row played = {1001, 3, "playing", TWICE_LOG, .bob = NULL};
    static const struct match_row later = {1001, 4, "playing", TWICE_LOG "\no 2 0 -1 -1 1 ",
                                           .bob = NULL};
    static struct stage stage;

    check_about("an end that is stale is an end of what is kept then");
    stage_begin(&stage);
    CHECK(stage_say(&stage, &stage.anna, "new clobber:2x2"));
    libpq_answer("WHERE m.number = ANY", LIBPQ_ROWS, match_row_text(&played));
    libpq_notify("t 1001 3");
    stage_work(&stage);
    libpq_answer("WHERE m.number = ANY", LIBPQ_ROWS, match_row_text(&later));
    libpq_answer_next("CALL keep", 1, LIBPQ_ROWS, "{-1};");
    own_row.number++;
    say(&stage.anna, "#r resign 1001");
    stage_work(&stage);
    GETS(stage.anna, "\"type\":\"ok\",\"id\":\"r\"");
    GETS(stage.anna, "\"reason\":\"resign\"");
    const struct table *table = lobby_find(&stage.server.lobby, "1001");
    CHECK_INT(table->version, 5);
    CHECK_INT((int)stage.server.tally.stale_units, 1);
    const struct player *bob = table->seats[BLACK].player;
    CHECK_INT(rating_find(&bob->ratings, table->match.game, "2x2")->matches, 4);
    stage_end(&stage);
}

static void test_lost(void)
{
    static struct stage stage;

    check_about("a server that was taken for dead");
    stage_begin(&stage);
    start_match(&stage);
    own_row.epoch++;
    libpq_answer_next("CALL keep", 1, LIBPQ_ROWS, "~;");
    say(&stage.anna, "#m move a2a1");
    stage_work(&stage);
    GETS(stage.anna, "\"reason\":\"node-lost\"");
    GETS(stage.carl, "\"reason\":\"node-lost\"");
    CHECK(lobby_find(&stage.server.lobby, "1001") == NULL);
    check_about("it joins again");
    stage_pass(&stage, 250);
    stage_pass(&stage, 250);
    CHECK(stage.keeper->kind->is_current(stage.keeper));
    stage_end(&stage);

    check_about("a match that it was opening may have been seen: its number is not used again");
    stage_begin(&stage);
    own_row.epoch++;
    libpq_answer_next("CALL keep", 1, LIBPQ_ROWS, "~;");
    say(&stage.anna, "#n new clobber:2x2");
    stage_work(&stage);
    GETS(stage.anna, "\"reason\":\"node-lost\"");
    CHECK_INT((int)stage.server.lobby.opened, 1001);
    stage_end(&stage);

    check_about("while it has no batch");
    stage_begin(&stage);
    own_row.number += 2;
    libpq_break_all();
    stage_pass(&stage, 250);
    stage_pass(&stage, 250);
    GETS(stage.anna, "\"reason\":\"node-lost\"");
    stage_end(&stage);

    check_about("while a line has changed a match that the database does not have yet");
    stage_begin(&stage);
    start_match(&stage);
    own_row.epoch++;
    libpq_answer_next("CALL keep", 1, LIBPQ_ROWS, "~;");
    libpq.now_us += 1000000;
    stage.keeper->kind->tick(stage.keeper, stage.server.now_ms + 1000);
    say(&stage.anna, "#m move a2a1");
    for (int i = 0; i < 9; i++)
        stage.keeper->kind->work(stage.keeper, stage.server.now_ms);
    GETS(stage.anna, "\"reason\":\"node-lost\"");
    CHECK(server_is_settled(&stage.server));
    stage_end(&stage);

    check_about("the database is silent for a while, and everyone leaves");
    stage_begin(&stage);
    libpq_answer("CALL keep", LIBPQ_SILENCE, "");
    for (int i = 0; i < 12; i++)
        stage_pass(&stage, 1000);
    GETS(stage.anna, "\"reason\":\"node-lost\"");
    CHECK(!stage.keeper->kind->is_current(stage.keeper));
    CHECK(stage.keeper->kind->is_stalled(stage.keeper));
    CHECK(stage.server.database_away);
    libpq_answer_next("FROM own", 1, LIBPQ_ERROR, "XX000no");
    libpq_answer_next("CALL keep", 0, LIBPQ_ROWS, "{};");
    for (int i = 0; i < 90; i++)
        stage_pass(&stage, 1000);
    CHECK(!stage.server.database_away);
    stage_end(&stage);
}

/* The database answers nothing for some seconds, from when carl's turn has begun, and he moves. */
static const struct {
    const char *title;
    int before_ms, until_ms; /* of the outage as he moves, and as it ends */
    bool sleeps;             /* his line does */
} outages[] = {{"he moves before that is noticed", 300, 4800, false},
               {"he moves meanwhile", 3000, 4800, true},
               {"he moves afterwards", 4800, 4800, false}};

static void test_charges(void)
{
    static struct stage stage;

    for (size_t i = 0; i < LENGTH(outages); i++) {
        check_about("time in which nothing can be kept is charged to nobody: %s", outages[i].title);
        stage_begin(&stage);
        CHECK(stage_say(&stage, &stage.anna, "new clobber:2x2 clock=4"));
        CHECK(stage_say(&stage, &stage.carl, "join 1001"));
        CHECK(stage_say(&stage, &stage.anna, "move a2a1"));
        skip(&stage.carl);
        libpq_answer("CALL keep", LIBPQ_SILENCE, "");
        stage_pass(&stage, 400); /* a sign of life is sent */
        bool done = false;
        for (int passed_ms = 0; passed_ms < outages[i].until_ms; passed_ms += 100) {
            if (passed_ms == outages[i].before_ms)
                CHECK(say(&stage.carl, "move b2b1") == !outages[i].sleeps);
            stage_pass(&stage, 100);
            done = done || count(&stage.carl, "\"cmd\":\"move\"") > 0;
        }
        CHECK(!done);
        CHECK_INT(lobby_find(&stage.server.lobby, "1001")->match.status, MATCH_PLAYING);
        libpq_answer_next("CALL keep", 0, LIBPQ_ROWS, "{};");
        for (int tries = 0; tries < 20; tries++)
            stage_pass(&stage, 100);
        if (outages[i].sleeps || outages[i].before_ms >= outages[i].until_ms)
            CHECK(stage_say(&stage, &stage.carl, "move b2b1"));
        GETS(stage.carl, "\"cmd\":\"move\"");
        const struct match *match = &lobby_find(&stage.server.lobby, "1001")->match;
        CHECK_INT(match->ply_count, 2);
        CHECK_THAT(match->clock.left_ms[BLACK] >= 4000 - (outages[i].before_ms < 4800 ? 500 : 2000),
                   "%d ms are left", (int)match->clock.left_ms[BLACK]);
        CHECK_THAT(match->plies[1].took_ms <= 2000, "%u ms", match->plies[1].took_ms);
        stage_end(&stage);
    }
}

/* What metrics and /healthz have of the server now. */
static bool shows(const struct stage *stage, const char *metric, const char *health, bool healthy)
{
    struct buffer text = {0};
    bool shown = true;

    metrics_write(&text, &stage->server, 0);
    buffer_add(&text, "", 1);
    shown = CHECK_THAT(strstr(text.bytes, metric) != NULL, "no %s in %s", metric, text.bytes);
    text.length = 0;
    shown = CHECK_INT(metrics_write_health(&text, &stage->server), healthy) && shown;
    buffer_add(&text, "", 1);
    shown =
        CHECK_THAT(strstr(text.bytes, health) != NULL, "no %s in %s", health, text.bytes) && shown;
    buffer_release(&text);
    return shown;
}

static void report_nothing(const struct keeper *keeper, struct keeper_report *report)
{
    (void)keeper;
    *report = (struct keeper_report){.committed_ms = -1, .standbys = -1};
}

static void test_reports(void)
{
    static struct stage stage;

    check_about("who is in charge sees that the database has kept nothing yet");
    stage_begin(&stage);
    struct keeper_kind kind = *stage.keeper->kind;
    const struct keeper_kind *usual = stage.keeper->kind;
    kind.report = report_nothing;
    stage.keeper->kind = &kind;
    shows(&stage, "\nludus_database_up 0\n", "the database has kept no changes yet\n", false);
    stage.keeper->kind = usual;
    stage_end(&stage);

    check_about("who is in charge sees that the database answers");
    stage_begin(&stage);
    stage_pass(&stage, 1000);
    shows(&stage, "\nludus_database_up 1\n", "ok\n", true);
    shows(&stage, "\nludus_database_last_commit_seconds 0\n", "ok\n", true);
    check_about("that it is not safe, for as long as it is not");
    libpq_answer("pg_settings", LIBPQ_ROWS, "fsync|fsync = 'off'|;synchronous_commit|off|;");
    libpq_answer("pg_stat_replication", LIBPQ_ROWS, "t|2|1500|;");
    for (int i = 0; i < 10; i++)
        stage_pass(&stage, 1000);
    shows(&stage, "\nludus_database_unsafe{setting=\"fsync\"} 1\n", "warning: fsync", true);
    shows(&stage, "{setting=\"synchronous_commit\"} 1\n", "warning: synchronous_commit", true);
    shows(&stage, "{setting=\"full_page_writes\"} 0\n", "warning", true);
    shows(&stage, "\nludus_database_standbys 2\n", "warning", true);
    shows(&stage, "\nludus_database_standby_lag_seconds 1.5\n", "warning", true);
    libpq_answer("pg_settings", LIBPQ_ROWS, "");
    for (int i = 0; i < 10; i++)
        stage_pass(&stage, 1000);
    shows(&stage, "{setting=\"fsync\"} 0\n", "ok\n", true);
    check_about("that it keeps changes waiting, and lines with them");
    start_match(&stage);
    libpq_answer("CALL keep", LIBPQ_SILENCE, "");
    for (int i = 0; i < 6; i++)
        stage_pass(&stage, 500);
    CHECK(!say(&stage.anna, "move a2a1"));
    shows(&stage, "\nludus_database_up 0\n", "the database has kept no changes for 3.0 s\n", false);
    shows(&stage, "\nludus_database_last_commit_seconds 3\n", "3.0 s\n", false);
    shows(&stage, "\nludus_waiting_lines{cause=\"database\"} 1\n", "3.0 s\n", false);
    stage_end(&stage);
}

/* A commit is only a barrier if it begins after the second connection has come back. */
static void test_barrier(void)
{
    static struct stage stage;

    check_about("the second connection comes back again while a commit runs");
    stage_begin(&stage);
    struct postgres *postgres = (struct postgres *)stage.keeper;
    int commits = libpq_sent("CALL keep"), reads = libpq_sent("UNION SELECT number");
    postgres_reader_calls.up(postgres);
    CHECK_INT(libpq_sent("CALL keep"), commits + 1);
    postgres_reader_calls.up(postgres);
    CHECK(!postgres_follows(postgres));
    stage_work(&stage);
    CHECK_INT(libpq_sent("CALL keep"), commits + 2);
    CHECK_INT(libpq_sent("UNION SELECT number"), reads + 1);
    CHECK(postgres_follows(postgres));
    stage_end(&stage);
}

/* What the server does by itself as time passes. */
static void test_rounds(void)
{
    static const struct match_row due = {88, 4, "playing", PLAYING_LOG "\nm 1 7 0 0 0 a2a1",
                                         .timed = true};
    static const struct match_row joined = {1001, 3, "playing", PLAYING_LOG, .bob = NULL};
    static struct stage stage;

    check_about("servers come and go");
    stage_begin(&stage);
    libpq_answer("FROM node WHERE alive", LIBPQ_ROWS, "1|192.0.2.1:7117|7;2|192.0.2.2:7117|3;");
    stage_pass(&stage, 1000);
    CHECK_INT(stage.server.nodes.count, 2);
    GETS(stage.anna, "192.0.2.2:7117");
    meet_bob(&stage);
    check_about("one that has come back has lost its players");
    libpq_answer("FROM node WHERE alive", LIBPQ_ROWS, "1|192.0.2.1:7117|7;2|192.0.2.2:7117|4;");
    stage_pass(&stage, 1000);
    CHECK_INT(stage.server.nodes.count, 2);
    CHECK(!players_find(&stage.server.players, "bob")->here);
    libpq_answer("FROM node WHERE alive", LIBPQ_ERROR, "XX000broken");
    stage_pass(&stage, 1000);
    CHECK_INT(stage.server.nodes.count, 2);
    libpq_answer("FROM node WHERE alive", LIBPQ_ROWS, "1|192.0.2.1:7117|7;");
    stage_pass(&stage, 1000);
    CHECK_INT(stage.server.nodes.count, 1);

    check_about("a match where something is due, which nobody looks after, is this server's");
    libpq_answer_next("FROM take_due", 1, LIBPQ_ROWS, "{88};");
    libpq_answer("WHERE m.number = ANY", LIBPQ_ROWS, match_row_text(&due));
    for (int i = 0; i < 3; i++)
        stage_pass(&stage, 1000);
    CHECK(lobby_find(&stage.server.lobby, "88") != NULL);
    for (int i = 0; i < 12; i++)
        stage_pass(&stage, 1000);
    CHECK_INT(libpq_sent("UPDATE match SET due"), 1);

    check_about("a match that nobody here needs is let go, and taken again");
    CHECK(stage_say(&stage, &stage.anna, "quit"));
    for (int i = 0; i < 60 && lobby_find(&stage.server.lobby, "1001") != NULL; i++)
        stage_pass(&stage, 1000);
    CHECK(lobby_find(&stage.server.lobby, "1001") == NULL);
    stage_pass(&stage, 1000);
    CHECK_INT(libpq_sent_with("DELETE FROM interest", 1, "{1001}"), 1);
    libpq_answer("WHERE m.number = $1", LIBPQ_ROWS, match_row_text(&joined));
    libpq_notify("m 1001 3 1 a2a1 7 -1 -1 0");
    stage_work(&stage);
    CHECK(lobby_find(&stage.server.lobby, "1001") != NULL);
    stage_end(&stage);
}

static const char undone[] = "DELETE FROM interest";

static const char *over_row(const char *const *values)
{
    const struct match_row over = {.number = (int)strtol(values[0], NULL, 10),
                                   .version = 4,
                                   .status = "over",
                                   .log = MOVED_LOG,
                                   .result = "1-0",
                                   .reason = "resign"};

    return match_row_text(&over);
}

/* Anna looks at a match that is over, and leaves it. */
static void look_at(struct stage *stage, int number)
{
    char line[32];

    snprintf(line, sizeof line, "watch %d", number);
    CHECK(stage_say(stage, &stage->anna, line));
    snprintf(line, sizeof line, "leave %d", number);
    CHECK(stage_say(stage, &stage->anna, line));
    stage_work(stage);
}

/* All that is over is let go: at_once of them together, and the rest with the next round. */
static void let_all_go(struct stage *stage, int at_once, const char *rest)
{
    int before = libpq_sent(undone);

    stage->server.lobby.finished_max = 0;
    server_end_turn(&stage->server);
    CHECK_INT(libpq_sent(undone), before + at_once);
    stage_pass(stage, 1000);
    CHECK_INT(libpq_sent(undone), before + at_once + 1);
    CHECK_TEXT(libpq_value(undone, 1), rest);
}

static void test_let_go(void)
{
    static struct stage stage;

    check_about("matches that are over are let go together, unless they are here again");
    stage_begin(&stage);
    libpq_answer_by("WHERE m.number = $1", over_row);
    stage.server.lobby.finished_max = 1;
    look_at(&stage, 1001);
    look_at(&stage, 1002);
    CHECK(lobby_find(&stage.server.lobby, "1001") == NULL);
    look_at(&stage, 1001);
    CHECK(lobby_find(&stage.server.lobby, "1002") == NULL);
    CHECK_INT(libpq_sent(undone), 0);
    stage_pass(&stage, 1000);
    CHECK_INT(libpq_sent(undone), 1);
    CHECK_TEXT(libpq_value(undone, 1), "{1002}");
    let_all_go(&stage, 0, "{1001}");
    stage_pass(&stage, 1000);
    CHECK_INT(libpq_sent(undone), 2);

    check_about("64 at a time");
    stage.server.lobby.finished_max = 100;
    for (int number = 2001; number <= 2070; number++)
        look_at(&stage, number);
    let_all_go(&stage, 1, "{2065,2066,2067,2068,2069,2070}");

    check_about("not while one of them may be asked for");
    look_at(&stage, 3001);
    libpq_answer_next("WHERE m.number = $1", 1, LIBPQ_SILENCE, "");
    CHECK(!stage_say(&stage, &stage.anna, "watch 3002"));
    stage_pass(&stage, 1000);
    CHECK_INT(libpq_sent(undone), 4);
    for (int i = 0; i < 30; i++)
        stage_pass(&stage, 1000);
    CHECK_TEXT(libpq_value(undone, 1), "{3001,3002}");
    CHECK_INT(libpq_sent(undone), 5);
    stage_end(&stage);
}

int main(void)
{
    test_starting();
    test_calls();
    test_doubt();
    test_parts();
    test_stale();
    test_stale_waits();
    test_forgiven_meanwhile();
    test_stale_end();
    test_lost();
    test_charges();
    test_reports();
    test_barrier();
    test_rounds();
    test_let_go();
    libpq_reset();
    return check_end("test_postgres_keeper");
}
