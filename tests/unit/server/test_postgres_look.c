/* What a server on PostgreSQL looks up, where any answer fails. */
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "postgres_stage.h"
#include "server/play/dispatch.h"
#include "server/play/lifecycle.h"
#include "server/play/presence.h"

enum { COLD = 13 }; /* the value of keep() that has other changes than moves */

/* Lines that ask the database, and the answers on which it is what they depend. */
static const struct {
    const char *line, *part, *good, *hears;
} questions[] = {
    {"state 77", "WHERE m.number = $1::text", "", "unknown-match"},
    {"state x77", "WHERE m.private", "", "unknown-match"},
    {"record 77", "WHERE m.number = $1::text", "", "unknown-match"},
    {"record 77 positions=0", "m.status = 'over' AND m.number", "1001;", "limit-reached"},
    {"record 77 positions=0", "m.status = 'over' AND m.number", "1000;", "unknown-match"},
    {"record x77 positions=0", "m.status = 'over' AND m.private", "", "unknown-match"},
    {"hello dora", "looks = $1 OR lower(name) = lower($2)", "", "\"name\":\"dora\""},
    {"new shakti black=bob", "lower(p.name) = lower($1)", "", "unknown-player"},
    {"hello bob token=0123", "log_in(", "", "unknown name"},
    {"hello bob token=0123", "log_in(", "7|~;", "wrong token for this name"},
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
     "8|chess|1|a|b|open|0|~|~|t|f|2;9|clobber|2x2|a|b|playing|3|60000|0|t|f|2;",
     "\"match\":\"9\""},
    {"list clobber", "row_number() OVER (ORDER BY m.number", "~|~|~|~|~|~|0|~|~|~|~|7;",
     "\"total\":7"}};

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

        check_about("%s: the database fails", questions[i].line);
        stage_begin(&stage);
        libpq_answer(questions[i].part, LIBPQ_ERROR, "XX000broken");
        CHECK(stage_say(&stage, &stage.eve, questions[i].line));
        GETS(stage.eve, "\"code\":\"internal\"");
        stage_end(&stage);
    }
}

/* Lets all three ask for a match in one turn of the loop. */
static void ask_together(struct stage *stage)
{
    libpq_forget_sent();
    int syncs = libpq.syncs;
    say(&stage->anna, "state 77");
    say(&stage->carl, "state 78");
    say(&stage->eve, "state 79");
    CHECK_INT(libpq_sent("WHERE m.number = $1::text"), 0);
    server_end_turn(&stage->server);
    CHECK_INT(libpq_sent("FROM match_row m"), 3);
    CHECK_INT(libpq_sent("INSERT INTO interest"), 3);
    CHECK_INT(libpq.syncs, syncs + 1);
}

static void test_together(void)
{
    static struct stage stage;

    check_about("what is looked up in a turn of the loop goes together");
    stage_begin(&stage);
    ask_together(&stage);
    stage_work(&stage);
    CHECK(stage_say(&stage, &stage.anna, "state 77"));
    GETS(stage.anna, "unknown-match");
    CHECK(stage_say(&stage, &stage.carl, "state 78"));
    GETS(stage.carl, "unknown-match");
    CHECK(stage_say(&stage, &stage.eve, "state 79"));
    GETS(stage.eve, "unknown-match");
    stage_end(&stage);

    check_about("nobody who comes waits behind a list that takes long");
    stage_begin(&stage);
    libpq_answer("PARTITION BY", LIBPQ_SILENCE, "");
    CHECK(!stage_say(&stage, &stage.anna, "top"));
    CHECK(stage_say(&stage, &stage.eve, "hello dora"));
    GETS(stage.eve, "\"name\":\"dora\"");
    libpq_answer_next("PARTITION BY", 0, LIBPQ_ROWS, "");
    for (int i = 0; i < 20; i++)
        stage_pass(&stage, 1000);
    CHECK(stage_say(&stage, &stage.anna, "top"));
    stage_end(&stage);

    check_about("only the one that fails does so");
    stage_begin(&stage);
    libpq_answer_next("FROM match_row m", 1, LIBPQ_ERROR, "XX000broken");
    ask_together(&stage);
    stage_work(&stage);
    CHECK(stage_say(&stage, &stage.anna, "state 77"));
    GETS(stage.anna, "internal");
    stage_pass(&stage, 250);
    stage_pass(&stage, 250);
    CHECK(stage_say(&stage, &stage.carl, "state 78"));
    GETS(stage.carl, "unknown-match");
    CHECK(stage_say(&stage, &stage.eve, "state 79"));
    GETS(stage.eve, "unknown-match");
    stage_end(&stage);
}

/* Takes all numbers of matches that the server has. */
static void use_up_numbers(struct stage *stage)
{
    stage->server.lobby.numbers.end = stage->server.lobby.opened;
    stage->server.lobby.numbers.spare_end = 0;
}

static void test_numbers(void)
{
    static struct stage stage;

    check_about("a match waits until the database has given a number");
    stage_begin(&stage);
    libpq_answer("nextval('match_number')", LIBPQ_ROWS, "5001;");
    use_up_numbers(&stage);
    CHECK(!say(&stage.anna, "new clobber:2x2"));
    CHECK(stage_say(&stage, &stage.anna, "new clobber:2x2"));
    GETS(stage.anna, "\"match\":\"5001\"");
    check_about("and is refused if it cannot");
    use_up_numbers(&stage);
    libpq_answer_next("nextval('match_number')", 1, LIBPQ_ERROR, "XX000broken");
    CHECK(stage_say(&stage, &stage.carl, "new clobber:2x2"));
    GETS(stage.carl, "\"code\":\"internal\"");
    check_about("a pair waits, too");
    libpq_answer("nextval('match_number')", LIBPQ_ROWS, "9001;");
    CHECK(stage_say(&stage, &stage.anna, "seek shakti"));
    CHECK(say(&stage.carl, "seek shakti"));
    use_up_numbers(&stage);
    server_end_turn(&stage.server);
    GETS_NOT(stage.anna, "\"type\":\"paired\"");
    stage_work(&stage);
    stage_pass(&stage, 1000);
    GETS(stage.anna, "\"match\":\"9001\"");
    stage_end(&stage);
}

static struct peer *first; /* who is to leave; NULL: has left */

static const char *close_first(const char *const *values)
{
    (void)values;
    if (first != NULL)
        presence_close(first->session, "idle");
    first = NULL;
    return "";
}

static const char *claim_elsewhere(const char *const *values)
{
    (void)values;
    libpq_notify("r 1000001 9 2");
    return "";
}

/* The time of each run of a line counts, also where the line sleeps for an answer then. */
static void test_time(void)
{
    enum { STEP_US = 1000, SHARE = 4 };
    static struct stage stage;
    int command = 0;

    check_about("the time of a line that sleeps for the database");
    stage_begin(&stage);
    stage.server.limits.rate = 10000;
    const struct session *session = stage.eve.session;
    const struct tally *tally = &stage.server.tally;
    while (strcmp(command_at(&stage.server, ++command)->verb, "history") != 0)
        ;
    libpq.step_us = STEP_US;
    CHECK(!say(&stage.eve, "history bob"));
    int64_t asleep_us = (int64_t)tally->busy_us[command];
    CHECK(asleep_us >= STEP_US);
    CHECK_INT(session->commands.full_us - stage.server.now_ms * 1000, SHARE * asleep_us);
    libpq.step_us = 0;
    CHECK(stage_say(&stage, &stage.eve, "history bob"));
    stage_end(&stage);
}

static void test_claims(void)
{
    static const char *const parts[] = {"log_in(", "WHERE lower(p.name) = lower($1)",
                                        "FROM match_row m"};
    static const char bob[] = "2000007 bob named f 0 1 1:1 f 0;";
    static const struct match_row own = {1001, 3, "playing", PLAYING_LOG, .bob = NULL};
    static struct stage stage;

    for (size_t i = 0; i <= LENGTH(parts); i++) {
        check_about("a player comes back; '%s' fails", i < LENGTH(parts) ? parts[i] : "nothing");
        stage_begin(&stage);
        libpq_answer("log_in(", LIBPQ_ROWS, "2000007|1;");
        libpq_answer("WHERE lower(p.name) = lower($1)", LIBPQ_ROWS, bob);
        libpq_answer("FROM match_row m", LIBPQ_ROWS, match_row_text(&own));
        if (i < LENGTH(parts))
            libpq_answer_next(parts[i], 1, LIBPQ_ERROR, "XX000broken");
        CHECK(stage_say(&stage, &stage.eve, "hello bob token=0123"));
        GETS(stage.eve, i < LENGTH(parts) ? "\"code\":\"internal\"" : "\"type\":\"ok\"");
        CHECK_INT(lobby_find(&stage.server.lobby, "1001") != NULL, i == LENGTH(parts));
        stage_end(&stage);
    }
    check_about("a player who is gone meanwhile");
    stage_begin(&stage);
    libpq_answer("log_in(", LIBPQ_ROWS, "2000007|1;");
    CHECK(stage_say(&stage, &stage.eve, "hello bob token=0123"));
    GETS(stage.eve, "unknown name");
    stage_end(&stage);

    for (int fails = 0; fails <= 1; fails++) {
        check_about("the player's session ends while another one claims them%s",
                    fails ? ", which fails" : "");
        stage_begin(&stage);
        libpq_answer("log_in(", LIBPQ_ROWS, "1000001|7;");
        libpq_answer("WHERE lower(p.name) = lower($1)", LIBPQ_ROWS,
                     "1000001 anna named f 0 7 1:1 f 0;");
        if (fails)
            libpq_answer_next("FROM match_row m", 1, LIBPQ_ERROR, "XX000broken");
        else
            libpq_answer_by("FROM match_row m", close_first);
        first = &stage.anna;
        CHECK(stage_say(&stage, &stage.eve, "hello anna token=0123"));
        GETS(stage.eve, fails ? "\"code\":\"internal\"" : "\"type\":\"ok\"");
        close_first(NULL);
        stage_work(&stage);
        const char *note = libpq_value("CALL keep", COLD);
        /* The database takes it only from the latest login. */
        CHECK_THAT(strstr(note, fails ? "\"login\":7," : "\"login\":0,") != NULL, "%s", note);
        stage_end(&stage);
    }
    check_about("the player comes back at another server before their matches are read");
    stage_begin(&stage);
    libpq_answer("log_in(", LIBPQ_ROWS, "1000001|7;");
    libpq_answer("WHERE lower(p.name) = lower($1)", LIBPQ_ROWS,
                 "1000001 anna named f 0 7 1:1 f 0;");
    libpq_answer_by("FROM match_row m", claim_elsewhere);
    CHECK(stage_say(&stage, &stage.eve, "hello anna token=0123"));
    GETS(stage.eve, "\"code\":\"not-allowed\"");
    GETS(stage.anna, "\"reason\":\"replaced\"");
    stage_end(&stage);

    check_about("a key of new that was used before");
    stage_begin(&stage);
    libpq_answer("m.once = $1", LIBPQ_ROWS, match_row_text(&own));
    CHECK(stage_say(&stage, &stage.anna, "new clobber:2x2 once=key"));
    GETS(stage.anna, "\"match\":\"1001\"");
    CHECK_TEXT(libpq_value("m.once = $1", 0), "1000001 key");
    stage_end(&stage);
}

/* Eve comes to bob's name while the server can keep nothing: how the match comes here in which it
 * is bob's turn, and what of hers waits. */
enum arrival { BY_HELLO, BEFORE, BY_WATCHER };
enum waiting {
    LINE_WAITS,
    QUESTION_WAITS, /* the server has not noticed yet */
    SOON_OVER       /* her line waits, but she is connected only by the end of it */
};
static const struct {
    const char *title;
    enum arrival arrival;
    enum waiting waiting;
    int pauses;
} stalls[] = {{"the line waits", BY_HELLO, LINE_WAITS, 1},
              {"the question waits", BY_HELLO, QUESTION_WAITS, 1},
              {"only since she is there", BY_HELLO, SOON_OVER, 1},
              {"the line waits, and the match is here", BEFORE, LINE_WAITS, 1},
              {"the question waits, and the match is here", BEFORE, QUESTION_WAITS, 1},
              {"the line waits, and somebody looks at the match first", BY_WATCHER, LINE_WAITS, 1},
              {"two in one turn", BY_HELLO, LINE_WAITS, 2},
              {"two in one turn, and the match is here", BEFORE, LINE_WAITS, 2}};

enum { AGE_MS = 20000, STALL_MS = 4000 };

static struct stage stalled;
static int64_t began_ms; /* the turn, by the server's time */

/* The match, as the database has it by now. */
static const char *bobs_turn(const char *const *values)
{
    const struct match_row row = {
        1001,          4,
        "playing",     PLAYING_LOG "\nm 1 7 60000 60000 0 a2a1",
        .timed = true, .turn_age_ms = (int)(stalled.server.now_ms - began_ms)};

    (void)values;
    return match_row_text(&row);
}

/* The connections fall silent, and come back once they are given up. Returns for how long Eve
 * waits meanwhile. */
static int64_t stall(struct stage *stage, enum waiting waiting)
{
    const struct server *server = &stage->server;
    int before = server->pause_count;

    libpq_answer_next("CALL keep", 1, LIBPQ_SILENCE, "");
    if (waiting == QUESTION_WAITS)
        libpq_answer_next("log_in(", 1, LIBPQ_SILENCE, "");
    stage_pass(stage, 400); /* a sign of life is sent */
    if (waiting == QUESTION_WAITS)
        CHECK(!say(&stage->eve, "hello bob token=0123"));
    for (int passed_ms = 0; passed_ms < STALL_MS; passed_ms += 1000)
        stage_pass(stage, 1000);
    if (waiting == SOON_OVER) {
        presence_free(stage->eve.session);
        open_peer(&stage->server, &stage->eve);
    }
    int64_t opened_ms = stage->eve.session->opened_ms;
    CHECK(!say(&stage->eve, "hello bob token=0123"));
    for (int tries = 0; tries < 40 && server->pause_count == before; tries++)
        stage_pass(stage, 100);
    const struct pause *last = &server->pauses[before];
    if (!CHECK_INT(server->pause_count, before + 1))
        return 0;
    return last->until_ms - (waiting == SOON_OVER ? opened_ms : last->from_ms);
}

static void test_stalls(void)
{
    struct stage *stage = &stalled;

    for (size_t i = 0; i < LENGTH(stalls); i++) {
        check_about("who comes while nothing can be kept is not charged for that, once: %s",
                    stalls[i].title);
        int64_t stalled_ms = 0;
        stage_begin(stage);
        began_ms = stage->server.now_ms - AGE_MS;
        libpq_answer("log_in(", LIBPQ_ROWS, "2000007|1|0;");
        libpq_answer("WHERE lower(p.name) = lower($1)", LIBPQ_ROWS,
                     "2000007 bob named f 0 1 1:1 f 0;");
        libpq_answer_by("FROM match_row m", bobs_turn);
        if (stalls[i].arrival == BEFORE)
            CHECK(stage_say(stage, &stage->carl, "state 1001"));
        for (int j = 0; j < stalls[i].pauses; j++)
            stalled_ms += stall(stage, stalls[i].waiting);
        if (stalls[i].arrival == BY_WATCHER)
            CHECK(stage_say(stage, &stage->carl, "state 1001"));
        bool came = false;
        for (int tries = 0; tries < 100 && !came; tries++) {
            came = stage_say(stage, &stage->eve, "hello bob token=0123");
            if (!came)
                stage_pass(stage, 100);
        }
        GETS(stage->eve, "\"match\":\"1001\"");
        const struct table *table = lobby_find(&stage->server.lobby, "1001");
        if (CHECK(table != NULL))
            CHECK_INT(table->match.clock.since_ms - began_ms, stalled_ms);
        stage_end(stage);
    }
}

int main(void)
{
    test_questions();
    test_together();
    test_numbers();
    test_time();
    test_claims();
    test_stalls();
    libpq_reset();
    return check_end("test_postgres_look");
}
