/* A server whose engine fails: what becomes of a line, of a match and of the server at each answer.
 */
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "postgres_stage.h"
#include "server/play/lifecycle.h"

#define OPEN_LOG    "s 0 0 -1 -1 0 "
#define PLAYING_LOG OPEN_LOG "\ns 0 0 -1 -1 0 "
#define MOVED_LOG   PLAYING_LOG "\nm 1 7 -1 -1 0 a2a1"
#define TWICE_LOG   MOVED_LOG "\nm 2 9 -1 -1 0 b2b1 e30 pa1b1"

/* How the engine answers as a server starts, and what that server says. */
static const struct {
    const char *part;
    enum libpq_how how;
    const char *text, *why;
} starts[] = {
    {"SELECT version FROM service", LIBPQ_ROWS, "99;",
     "engine: its schema is of version 99: this "},
    {"FROM join_nodes", LIBPQ_ROWS, "~|192.0.2.9:7117;",
     "engine: node 1 is 192.0.2.9:7117, which is alive"},
    {"FROM join_nodes", LIBPQ_ERROR, "42883no such function", "engine: no such function"},
    {"FROM join_nodes", LIBPQ_BREAK, "", "engine: server closed the connection unexpectedly"},
    {"CALL keep", LIBPQ_ERROR, "42883no such procedure", "engine: no such procedure"},
    {"CALL keep", LIBPQ_SILENCE, "", "engine: no answer"},
    {"nextval('match_number')", LIBPQ_ERROR, "42501no rights", "engine: no answer in time"},
    {"nextval('player_id')", LIBPQ_ERROR, "42501no rights", "engine: no answer in time"},
    {"p.kind = 'house'", LIBPQ_SILENCE, "", "engine: "},
    {"FROM pg_settings", LIBPQ_ROWS, "fsync = 'off': acknowledged changes can get lost;", NULL},
    {"p.kind = 'house'", LIBPQ_ROWS, "5|bot:greedy|house|t|0|0|~|~|~|~;", NULL}};

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

/* How the engine answers a call of keep(), for so many times, and what the one who moved hears. The
 * row of the server tells whether the call has run. */
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
    {"no answer", LIBPQ_ROWS, "", 1, "\"type\":\"ok\"", false}};

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

    check_about("a batch of lines that change nothing needs no engine");
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

    check_about("while it has no batch");
    stage_begin(&stage);
    own_row.number += 2;
    libpq_break_all();
    stage_pass(&stage, 250);
    stage_pass(&stage, 250);
    GETS(stage.anna, "\"reason\":\"node-lost\"");
    stage_end(&stage);

    check_about("the engine is silent for a while, and everyone leaves");
    stage_begin(&stage);
    libpq_answer("CALL keep", LIBPQ_SILENCE, "");
    for (int i = 0; i < 12; i++)
        stage_pass(&stage, 1000);
    GETS(stage.anna, "\"reason\":\"node-lost\"");
    CHECK(!stage.keeper->kind->is_current(stage.keeper));
    CHECK(stage.keeper->kind->silence_ms(stage.keeper) >= 10000);
    CHECK(stage.server.engine_away);
    libpq_answer_next("FROM own", 1, LIBPQ_ERROR, "XX000no");
    libpq_answer_next("CALL keep", 0, LIBPQ_ROWS, "{};");
    for (int i = 0; i < 90; i++)
        stage_pass(&stage, 1000);
    CHECK(!stage.server.engine_away);
    stage_end(&stage);
}

/* Lines that ask the engine, and the answers on which it is what they depend. */
static const struct {
    const char *line, *part, *good, *hears;
} questions[] = {
    {"state 77", "WHERE m.number = $1::text", "", "unknown-match"},
    {"state x77", "WHERE m.private", "", "unknown-match"},
    {"record 77", "WHERE m.number = $1::text", "", "unknown-match"},
    {"hello dora", "lower(p.name) = lower($1)", "", "\"name\":\"dora\""},
    {"new shakti black=bob", "lower(p.name) = lower($1)", "", "unknown-player"},
    {"hello bob token=0123", "claim(", "", "unknown name"},
    {"hello bob token=0123", "claim(", "7|~;", "wrong token for this name"},
    {"who", "FROM player p", "bert|t|clobber|5x6|1600|1|3;~|f|~|~|~|0|3;", "\"name\":\"bert\""},
    {"top", "PARTITION BY",
     "a|f|chess|1|1|1|0.06|1|1;b|f|shakti|8x8|1500|90|0.06|9|1;a|f|clobber|8x8|1400|80|0.06|7|1;"
     "c|f|clobber|8x8|1500|80|0.06|7|2;",
     "\"name\":\"b\""},
    {"history anna", "ORDER BY m.ended", "~|~|~|~|~|~|~|~|~|~|~|~|5|6;", "\"total\":5"},
    {"history anna", "ORDER BY m.ended",
     "5|chess|1|a|b|1-0|resign|1700000000|9|1500|1500|t|3|3;"
     "6|clobber|2x2|a|b|1-0|nonsense|1700000000|9|1500|1500|t|3|3;"
     "7|clobber|2x2|a|b|1-0|resign|1700000000|9|1500|1500|t|3|3;",
     "\"match\":\"7\""},
    {"list clobber", "row_number() OVER (ORDER BY m.number",
     "8|chess|1|a|b|open|0|~|~|t|f;9|clobber|2x2|a|b|playing|3|60000|0|t|f;", "\"match\":\"9\""}};

static void test_questions(void)
{
    static struct stage stage;

    for (size_t i = 0; i < LENGTH(questions); i++) {
        check_about("%s", questions[i].line);
        stage_begin(&stage);
        libpq_answer(questions[i].part, LIBPQ_ROWS, questions[i].good);
        CHECK(stage_say(&stage, &stage.eve, questions[i].line));
        GETS(stage.eve, questions[i].hears);
        stage_end(&stage);

        check_about("%s: the connection breaks first", questions[i].line);
        stage_begin(&stage);
        libpq_answer(questions[i].part, LIBPQ_ROWS, questions[i].good);
        libpq_answer_next(questions[i].part, 1, LIBPQ_BREAK, "");
        say(&stage.eve, questions[i].line);
        stage_work(&stage);
        GETS_NOT(stage.eve, questions[i].hears);
        stage_pass(&stage, 250);
        stage_pass(&stage, 250);
        CHECK(stage_say(&stage, &stage.eve, questions[i].line));
        GETS(stage.eve, questions[i].hears);
        stage_end(&stage);

        check_about("%s: the engine fails", questions[i].line);
        stage_begin(&stage);
        libpq_answer(questions[i].part, LIBPQ_ERROR, "XX000broken");
        CHECK(stage_say(&stage, &stage.eve, questions[i].line));
        GETS(stage.eve, "\"code\":\"internal\"");
        stage_end(&stage);
    }
}

/* What comes by notification, after a match of anna and bob was read, which is to move. */
static const struct {
    const char *line;
    int ply, version;  /* of the match then */
    const char *hears; /* anna */
} news[] = {
    {"m 1001 4 1 a2a1 7 -1 -1 0 e5 pb2b1", 1, 4, "\"ply\":1"},
    {"m 1001 4 1 a2a1 7 -1 -1", 0, 3, NULL},
    {"m 1001 4 2 a2a1 7 -1 -1 0", 1, 4, "\"ply\":1"}, /* read instead */
    {"m 1001 4 1 a1a2 7 -1 -1 0", 1, 4, "\"ply\":1"},
    {"m 1001 5 1 a2a1 7 -1 -1 0", 1, 4, "\"ply\":1"},
    {"m 1001 3 1 a2a1 7 -1 -1 0", 0, 3, NULL},
    {"t 1001 4 1 a2a1 7 -1 -1 0 0-1 resign 1500 1662 290 0.06 1 1500 1338 290 0.06 1", 1, 4,
     "\"reason\":\"resign\""},
    {"t 1001 4 0 - 0 -1 -1 0 1-0 resign 0 0 0 0 0 0 0 0 0 0", 0, 4, "\"reason\":\"resign\""},
    {"t 1001 4 0 - 0 -1 -1 0 1-0 nonsense 0 0 0 0 0 0 0 0 0 0", 1, 4, "\"ply\":1"},
    {"t 1001 4 0 - 0 -1 -1 0 1-0 resign 0 0 0 0", 1, 4, "\"ply\":1"},
    {"t 1001 4 3 a2a1 0 -1 -1 0 1-0 resign 0 0 0 0 0 0 0 0 0 0", 1, 4, "\"ply\":1"},
    {"t 1001 4", 1, 4, "\"ply\":1"},
    {"t 1001 3", 0, 3, NULL},
    {"t 1001", 0, 3, NULL},
    {"t x", 0, 3, NULL},
    {"c 1001 w {\"type\":\"chat\",\"text\":\"hi\"}\tbob: hi", 0, 3, "\"text\":\"hi\""},
    {"c 1001 w no tab", 0, 3, NULL},
    {"c 1002 w {\"type\":\"chat\"}\tbob: hi", 0, 3, NULL},
    {"c 1001x w {\"type\":\"chat\"}\tbob: hi", 0, 3, NULL},
    {"c 0 r 1001 {}\t-", 0, 3, NULL},
    {"c 1001 r 1001 {\"type\":\"rematch\"}\trematch", 0, 3, "\"type\":\"rematch\""},
    {"c 1001 r 1077 {\"type\":\"rematch\"}\trematch", 0, 3, "\"type\":\"rematch\""},
    {"c 1001 r", 0, 3, NULL},
    {"c 1001 p 2000007 0 9 1 0 bob", 0, 3, "\"online\":false"},
    {"c 1001 p 2000009 0 9 1 0 eve", 0, 3, NULL},
    {"c 1001 p nobody", 0, 3, NULL},
    {"r 1000001 9 2", 0, 3, "\"type\":\"bye\""},
    {"r 1000001 -9 2", 0, 3, NULL},
    {"r 77 9 2", 0, 3, NULL},
    {"r 77 9", 0, 3, NULL},
    {"e 1000", 0, 3, NULL},
    {"e x", 0, 3, NULL},
    {"s 2", 0, 3, NULL},
    {"s 2 5 nonsense", 0, 3, NULL},
    {"", 0, 3, NULL},
    {"z", 0, 3, NULL}};

/* Opens a match of anna that bob has joined at server 2. */
static void meet_bob(struct stage *stage)
{
    static const struct match_row joined = {1001, 3, "playing", PLAYING_LOG, .bob = NULL};

    CHECK(stage_say(stage, &stage->anna, "new clobber:2x2"));
    libpq_answer("WHERE m.number = ANY", LIBPQ_ROWS, match_row_text(&joined));
    libpq_notify("t 1001 3");
    stage_work(stage);
    GETS(stage->anna, "\"name\":\"bob\"");
    skip(&stage->anna);
}

static void test_news(void)
{
    static const struct match_row moved = {1001, 4, "playing", MOVED_LOG, .bob = NULL};
    static struct stage stage;

    for (size_t i = 0; i < LENGTH(news); i++) {
        check_about("a server is told '%s'", news[i].line);
        stage_begin(&stage);
        meet_bob(&stage);
        libpq_answer("WHERE m.number = ANY", LIBPQ_ROWS, match_row_text(&moved));
        libpq_notify(news[i].line);
        stage_work(&stage);
        const struct table *table = lobby_find(&stage.server.lobby, "1001");
        CHECK_INT(table->match.ply_count, news[i].ply);
        CHECK_INT(table->version, news[i].version);
        if (news[i].hears != NULL)
            GETS(stage.anna, news[i].hears);
        else
            CHECK_TEXT(stage.anna.output, "");
        stage_end(&stage);
    }
}

/* News of a match that is locked, or that is being read. */
static void test_busy(void)
{
    static const struct match_row moved = {1001, 4, "playing", MOVED_LOG, .bob = NULL};
    static const struct match_row offered = {1001, 5, "playing", MOVED_LOG "\no 1 0 -1 -1 8 ",
                                             .bob = NULL};
    static struct stage stage;

    check_about("a match changes elsewhere while a line changes it here");
    stage_begin(&stage);
    meet_bob(&stage);
    libpq_answer("WHERE m.number = ANY", LIBPQ_ROWS, match_row_text(&moved));
    libpq_answer_next("CALL keep", 1, LIBPQ_ROWS, "{1001};");
    own_row.number++;
    say(&stage.anna, "#m move a2a1 ply=0");
    server_end_turn(&stage.server);
    libpq_notify("m 1001 4 1 a2a1 7 -1 -1 0\nt 1001 4");
    stage_work(&stage);
    GETS(stage.anna, "\"code\":\"stale-ply\"");
    CHECK_INT(lobby_find(&stage.server.lobby, "1001")->version, 4);

    check_about("another change comes while it is read");
    libpq_answer_next("WHERE m.number = ANY", 1, LIBPQ_ROWS, match_row_text(&moved));
    libpq_notify("t 1001 5");
    stage.keeper->kind->work(stage.keeper, stage.server.now_ms);
    libpq_answer("WHERE m.number = ANY", LIBPQ_ROWS, match_row_text(&offered));
    libpq_notify("t 1001 5");
    stage_work(&stage);
    CHECK_INT(lobby_find(&stage.server.lobby, "1001")->version, 5);

    check_about("it cannot be read: the connection is made anew, and what is newer read");
    libpq_answer_next("WHERE m.number = ANY", 1, LIBPQ_ERROR, "XX000broken");
    libpq_answer("SELECT match, max(version)", LIBPQ_ROWS, "1001|6;1077|9;");
    libpq_notify("t 1001 6");
    int connects = libpq.connects;
    stage_work(&stage);
    stage_pass(&stage, 250);
    stage_pass(&stage, 250);
    CHECK(libpq.connects > connects);
    CHECK(libpq_sent("SELECT match, max(version)") >= 2);
    stage_end(&stage);
}

/* Rows of a match that cannot be, or can. */
static const struct {
    const char *title;
    struct match_row row;
    const char *hears;
} rows[] = {
    {"a match", {77, 4, "playing", TWICE_LOG, .bob = NULL}, "\"ply\":2"},
    {"its clock runs", {77, 4, "playing", MOVED_LOG, .timed = true}, "\"ply\":1"},
    {"one that is over",
     {77, 4, "over", MOVED_LOG, .result = "1-0", .reason = "resign"},
     "\"reason\":\"resign\""},
    {"one that is open", {77, 1, "open", OPEN_LOG, .alone = true}, "\"status\":\"open\""},
    {"a take-back", {77, 5, "playing", MOVED_LOG "\nb 0 0 -1 -1 0 ", .bob = NULL}, "\"ply\":0"},
    {"no game of ours", {77, 4, "playing", MOVED_LOG, .game = "chess"}, "unknown-match"},
    {"no position", {77, 4, "playing", MOVED_LOG, .start = "P"}, "unknown-match"},
    {"a move that is illegal",
     {77, 4, "playing", PLAYING_LOG "\nm 1 7 -1 -1 0 a1a2", .bob = NULL},
     "unknown-match"},
    {"a log that is none", {77, 4, "playing", "nonsense", .bob = NULL}, "unknown-match"},
    {"a log with a gap",
     {77, 4, "playing", PLAYING_LOG "\nm 2 7 -1 -1 0 a2a1", .bob = NULL},
     "unknown-match"},
    {"a log that goes ahead",
     {77, 4, "playing", PLAYING_LOG "\nb 3 0 -1 -1 0 ", .bob = NULL},
     "unknown-match"},
    {"a log that goes below",
     {77, 4, "playing", PLAYING_LOG "\nb -1 0 -1 -1 0 ", .bob = NULL},
     "unknown-match"},
    {"a log that is too long",
     {77, 4, "playing", PLAYING_LOG "\nm 99999 0 -1 -1 0 a2a1", .bob = NULL},
     "unknown-match"},
    {"a result that is none",
     {77, 4, "over", MOVED_LOG, .result = "1-0", .reason = "x"},
     "unknown-match"},
    {"a status that is none", {77, 4, "nonsense", MOVED_LOG, .bob = NULL}, "unknown-match"},
    {"a kind that is none",
     {77, 4, "playing", MOVED_LOG, .bob = "2000007|bob|x|f|0|1|~|01|5|clobber 2x2"},
     "\"name\":\"bob\""}};

static void test_rows(void)
{
    static struct stage stage;
    char line[16];

    for (size_t i = 0; i < LENGTH(rows); i++)
        for (int record = 0; record < 2; record++) {
            check_about("%s: %s", record ? "record" : "state", rows[i].title);
            stage_begin(&stage);
            libpq_answer("WHERE m.number = $1::text", LIBPQ_ROWS, match_row_text(&rows[i].row));
            snprintf(line, sizeof line, "%s 77", record ? "record" : "state");
            CHECK(stage_say(&stage, &stage.carl, line));
            if (!record || strcmp(rows[i].hears, "unknown-match") == 0)
                GETS(stage.carl, rows[i].hears);
            else
                GETS(stage.carl, "\"type\":\"record\"");
            stage_end(&stage);
        }
}

/* What the server does by itself as time passes. */
static void test_rounds(void)
{
    static const struct match_row due = {88, 4, "playing", MOVED_LOG, .timed = true};
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
    for (int i = 0; i < 60; i++)
        stage_pass(&stage, 1000);
    CHECK(lobby_find(&stage.server.lobby, "1001") == NULL);
    CHECK(libpq_sent("DELETE FROM interest") > 0);
    libpq_answer("WHERE m.number = $1", LIBPQ_ROWS, match_row_text(&joined));
    libpq_notify("m 1001 3 1 a2a1 7 -1 -1 0");
    stage_work(&stage);
    CHECK(lobby_find(&stage.server.lobby, "1001") != NULL);
    stage_end(&stage);
}

/* Seeks of both servers. */
static void test_seeks(void)
{
    static const struct match_row paired = {1002,        1,           "playing",
                                            PLAYING_LOG, "1 1 2 9 x", .bob = NULL};
    static const char seek[] =
        "s 2 9 clobber 5x6 0 0 0 -1 0 0 0 0 0 1500 0 0 0 0 p 2000007 2 1 1 0 bob";
    static struct stage stage;

    check_about("a seek of this server is offered, and paired by another");
    stage_begin(&stage);
    CHECK(stage_say(&stage, &stage.anna, "seek clobber:2x2"));
    CHECK_INT(libpq_sent("SELECT offer_seek"), 1);
    libpq_answer("WHERE m.number = $1", LIBPQ_ROWS, match_row_text(&paired));
    libpq_notify("t 1002 1");
    stage_work(&stage);
    GETS(stage.anna, "\"type\":\"paired\"");
    CHECK(libpq_sent("SELECT offer_seek") >= 2);

    check_about("a seek of another server is known here until it is gone");
    libpq_notify(seek);
    stage_work(&stage);
    CHECK(stage_say(&stage, &stage.carl, "seeks"));
    GETS(stage.carl, "\"seek\":\"9@2\"");
    skip(&stage.carl);
    libpq_notify("s 2 9");
    stage_work(&stage);
    CHECK(stage_say(&stage, &stage.carl, "seeks"));
    GETS_NOT(stage.carl, "\"seek\":\"9@2\"");

    check_about("all of them are read from time to time");
    libpq_answer(
        "FROM seek ORDER BY", LIBPQ_ROWS,
        "1|55|x|~;1|56|x|1003;2|9|clobber 5x6 0 0 0 -1 0 0 0 0 0 1500 0 0 0 0 p 2000008 2 1 1 "
        "0 bert|~;2|10|x|1004;3|1|nonsense|~;");
    libpq_answer_next("FROM seek ORDER BY", 1, LIBPQ_ERROR, "XX000broken");
    for (int i = 0; i < 21; i++)
        stage_pass(&stage, 1000);
    skip(&stage.carl);
    CHECK(stage_say(&stage, &stage.carl, "seeks"));
    GETS(stage.carl, "\"seek\":\"9@2\"");
    CHECK_INT(libpq_sent_with("SELECT offer_seek", 2, "55"), 1);
    stage_end(&stage);
}

int main(void)
{
    test_starting();
    test_calls();
    test_parts();
    test_stale();
    test_lost();
    test_questions();
    test_news();
    test_busy();
    test_rows();
    test_rounds();
    test_seeks();
    libpq_reset();
    return check_end("test_postgres_keeper");
}
