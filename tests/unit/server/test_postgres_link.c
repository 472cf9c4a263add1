/* The connection to PostgreSQL: what becomes of a question when the connection breaks at any step.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "libpq_fake.h"
#include "server/keep/postgres/postgres.h"

enum { SILENCE_MS = 5000, TURNS = 12 };

struct stage {
    struct database_address *address;
    int poller;
    struct postgres_link *link;
    int64_t now_ms;
    int up, down;
    char why[200], notified[100], answers[1000];
};

static void add_text(char *texts, size_t size, const char *kind, const char *text)
{
    size_t length = strlen(texts);

    snprintf(texts + length, size - length, "%s%s%s%s", length > 0 ? ", " : "", kind,
             text[0] != '\0' ? ": " : "", text);
}

static void on_up(void *context)
{
    ((struct stage *)context)->up++;
}

static void on_down(void *context, const char *why)
{
    struct stage *stage = context;

    stage->down++;
    snprintf(stage->why, sizeof stage->why, "%s", why);
}

static void on_notified(void *context, char *payload)
{
    struct stage *stage = context;

    add_text(stage->notified, sizeof stage->notified, payload, "");
    if (strcmp(payload, "break") == 0)
        link_break(stage->link, "as it was told");
}

static void note_answer(void *context, const struct answer *answer)
{
    static const char *const states[] = {"rows", "conflict", "failed", "lost"};
    struct stage *stage = context;

    add_text(stage->answers, sizeof stage->answers, states[answer->state],
             answer_rows(answer) > 0 ? answer_text(answer, 0, 0) : answer->message);
}

static void take_and_break(void *context, const struct answer *answer)
{
    struct stage *stage = context;

    note_answer(context, answer);
    link_break(stage->link, "as the answer says");
}

static void work(struct stage *stage)
{
    for (int turn = 0; turn < TURNS; turn++)
        links_wait(stage->poller, stage->now_ms, 0);
}

static void pass(struct stage *stage, int64_t ms)
{
    stage->now_ms += ms;
    link_tick(stage->link, stage->now_ms, SILENCE_MS);
    work(stage);
}

/* Makes a connection that is not there yet. */
static void begin_stage(struct stage *stage, const char *conninfo)
{
    static const struct link_calls calls = {on_up, on_down, on_notified};
    struct cause cause;

    libpq_reset();
    *stage = (struct stage){.now_ms = 1000, .poller = links_open()};
    stage->address = address_new(conninfo, &cause);
    stage->link = link_new(stage->address, stage->poller, "LISTEN here", &calls, stage);
}

static void end_stage(struct stage *stage)
{
    link_free(stage->link);
    close(stage->poller);
    address_free(stage->address);
}

static void ask(struct stage *stage, const char *sql, bool again)
{
    const char *const values[] = {"1", NULL};

    link_ask(stage->link, sql, values, 2, again, note_answer, stage);
}

/* How a connection cannot be made, and why that is. */
enum trouble { REFUSES, BLOCKS, FAILS, NO_PIPELINE, UNREADABLE, NO_SOCKET, READS, GREETING };

static void make_trouble(enum trouble trouble)
{
    libpq.refuses = trouble == REFUSES;
    libpq.blocks = trouble == BLOCKS;
    libpq.fails = trouble == FAILS;
    libpq.no_pipeline = trouble == NO_PIPELINE;
    libpq.unreadable = trouble == UNREADABLE;
    libpq.no_socket = trouble == NO_SOCKET;
    libpq.reads = trouble == READS ? 1000 : 0;
}

static const struct {
    const char *title, *why;
    enum trouble trouble;
    enum libpq_how greeting;
    const char *text;
} connecting[] = {
    {"nobody is there", "connection to the database failed", REFUSES, LIBPQ_ROWS, ""},
    {"it would block", "connection to the database failed", BLOCKS, LIBPQ_ROWS, ""},
    {"it breaks as it is made", "connection to the database failed", FAILS, LIBPQ_ROWS, ""},
    {"an old database", "connection to the database failed", NO_PIPELINE, LIBPQ_ROWS, ""},
    {"it breaks as it is read", "connection to the database failed", UNREADABLE, LIBPQ_ROWS, ""},
    {"no socket", "no connection in time", NO_SOCKET, LIBPQ_ROWS, ""},
    {"it takes too long", "no connection in time", READS, LIBPQ_ROWS, ""},
    {"no greeting", "connection to the database failed", GREETING, LIBPQ_ERROR, "42501no rights"},
    {"silence", "no connection in time", GREETING, LIBPQ_SILENCE, ""},
    {"a greeting that is not sent", "connection to the database failed", GREETING, LIBPQ_UNSENT,
     ""},
    {"a greeting that breaks off", "connection to the database failed", GREETING, LIBPQ_UNFLUSHED,
     ""},
    {"an end instead", "connection to the database failed", GREETING, LIBPQ_BREAK, ""}};

static void test_connecting(void)
{
    struct stage stage;

    for (size_t i = 0; i < LENGTH(connecting); i++) {
        check_about("%s", connecting[i].title);
        begin_stage(&stage, "hostaddr=127.0.0.1");
        make_trouble(connecting[i].trouble);
        libpq_answer("LISTEN", connecting[i].greeting, connecting[i].text);
        libpq_answer("SELECT", LIBPQ_ROWS, "7;");
        ask(&stage, "SELECT", false);
        pass(&stage, 0);
        CHECK(!link_is_up(stage.link));
        pass(&stage, 2001);
        CHECK(stage.down > 0);
        CHECK_TEXT(stage.why, connecting[i].why);
        CHECK_TEXT(stage.answers, "");

        make_trouble(GREETING);
        libpq_answer("LISTEN", LIBPQ_ROWS, "");
        pass(&stage, 0);
        pass(&stage, 250);
        CHECK(link_is_up(stage.link));
        CHECK_INT(stage.up, 1);
        CHECK_TEXT(stage.answers, "rows: 7");
        end_stage(&stage);
    }
}

static void test_hosts(void)
{
    struct stage stage;

    check_about("the next host is tried at once, all of them before a pause");
    begin_stage(&stage, "hostaddr=127.0.0.1,127.0.0.2,127.0.0.3");
    libpq.fails = true;
    pass(&stage, 0);
    CHECK_INT(libpq.connects, 3);
    pass(&stage, 100);
    CHECK_INT(libpq.connects, 3);
    libpq.fails = false;
    libpq.reads = 3;
    libpq.left = libpq.partial = 2;
    pass(&stage, 150);
    CHECK_INT(libpq.connects, 4);
    CHECK(link_is_up(stage.link));
    CHECK_INT(stage.down, 3);
    end_stage(&stage);
    link_free(NULL);
}

/* How a statement is answered, and what the one who asked is told: once, or when it is to be sent
 * again after a break, which follows. */
static const struct {
    const char *title;
    enum libpq_how how;
    const char *text, *once, *again;
    bool breaks;
} answers[] = {
    {"rows", LIBPQ_ROWS, "7|x;8|y;", "rows: 7", "rows: 7", false},
    {"no rows", LIBPQ_ROWS, "", "rows", "rows", false},
    {"an error", LIBPQ_ERROR, "22012division by zero\nDETAIL", "failed: division by zero",
     "failed: division by zero", false},
    {"a statement that the database does not know", LIBPQ_UNKNOWN, "42883no such function",
     "failed: no such function", "failed: no such function", false},
    {"somebody was first", LIBPQ_ERROR, "40001serialization", "conflict: serialization",
     "conflict: serialization", false},
    {"a deadlock", LIBPQ_ERROR, "40P01deadlock", "conflict: deadlock", "conflict: deadlock", false},
    {"the database goes", LIBPQ_ERROR, "57P01terminating", "lost: terminating", "rows: 9", true},
    {"it has lost its own connection", LIBPQ_ERROR, "08006gone", "lost: gone", "rows: 9", true},
    {"it is a standby now", LIBPQ_ERROR, "25006read-only", "lost: read-only", "rows: 9", true},
    {"an error of libpq", LIBPQ_ERROR, "", "lost", "rows: 9", true},
    {"the connection breaks", LIBPQ_BREAK, "", "lost: server closed the connection unexpectedly",
     "rows: 9", true},
    {"it breaks as it is written to", LIBPQ_UNFLUSHED, "",
     "lost: connection to the database failed", "rows: 9", true},
    {"it breaks before that", LIBPQ_UNSENT, "", "rows: 9", "rows: 9", true},
    {"it breaks behind the statement", LIBPQ_UNSYNCED, "", "rows: 9", "rows: 9", true},
    {"silence", LIBPQ_SILENCE, "", "lost: no answer", "rows: 9", true}};

/* As ask(), behind a statement that leads. */
static void ask_led(struct stage *stage, const char *sql, bool again)
{
    const char *const values[] = {"2"};

    link_lead(stage->link, "INSERT", values, 1);
    link_lead(stage->link, sql, values, 1);
    ask(stage, "SELECT then", again);
    link_send(stage->link);
}

/* The same with a statement that leads: whatever is wrong with it breaks the connection. */
static void lead_one(size_t i, bool again, bool later)
{
    struct stage stage;
    const char *answer = again ? answers[i].again : answers[i].once;
    char want[200];

    check_about("%s, leading%s%s", answers[i].title, again ? ", asked again" : "",
                later ? ", later" : "");
    begin_stage(&stage, "hostaddr=127.0.0.1");
    libpq_answer("SELECT", LIBPQ_ROWS, "9;");
    libpq_answer_next("SELECT first", 1, answers[i].how, answers[i].text);
    if (!later)
        pass(&stage, 0);
    ask_led(&stage, "SELECT first", again);
    CHECK(!link_is_idle(stage.link));
    pass(&stage, 0);
    pass(&stage, SILENCE_MS + 1);
    CHECK_INT(stage.down, strncmp(answer, "rows", 4) != 0 || answers[i].breaks);
    pass(&stage, 250);
    CHECK(link_is_up(stage.link));
    CHECK(link_is_idle(stage.link));
    ask_led(&stage, "SELECT first", again);
    work(&stage);
    if (strncmp(answer, "rows", 4) == 0)
        answer = "rows: 9";
    snprintf(want, sizeof want, "%s, rows: 9", answer);
    CHECK_TEXT(stage.answers, want);
    CHECK_INT(libpq_sent("INSERT"), 0);
    CHECK_INT(libpq_sent("BEGIN"), libpq_sent("SELECT first") + (answers[i].how == LIBPQ_UNKNOWN));
    CHECK_TEXT(libpq_value("SELECT first", 0), "2");
    CHECK_TEXT(libpq_value("SELECT then", 0), "1");
    end_stage(&stage);
}

/* Asks one question over a connection that is there, or that comes later, and one behind it. */
static void ask_one(size_t i, bool again, bool later)
{
    struct stage stage;
    char want[200];

    check_about("%s%s%s", answers[i].title, again ? ", asked again" : "", later ? ", later" : "");
    begin_stage(&stage, "hostaddr=127.0.0.1");
    libpq_answer("SELECT", LIBPQ_ROWS, "9;");
    libpq_answer_next("SELECT first", 1, answers[i].how, answers[i].text);
    if (!later)
        pass(&stage, 0);
    ask(&stage, "SELECT first", again);
    pass(&stage, 0);
    pass(&stage, SILENCE_MS + 1);
    CHECK_INT(stage.down, answers[i].breaks);
    pass(&stage, 250);
    CHECK(link_is_up(stage.link));
    ask(&stage, "SELECT first", again);
    work(&stage);
    snprintf(want, sizeof want, "%s, rows: 9", again ? answers[i].again : answers[i].once);
    CHECK_TEXT(stage.answers, want);
    end_stage(&stage);
}

static void test_answers(void)
{
    for (size_t i = 0; i < LENGTH(answers); i++)
        for (int ways = 0; ways < 4; ways++) {
            ask_one(i, ways & 1, ways & 2);
            lead_one(i, ways & 1, ways & 2);
        }
}

static void test_leader(void)
{
    struct stage stage;

    check_about("what leads fails only what is asked behind it");
    begin_stage(&stage, "hostaddr=127.0.0.1");
    pass(&stage, 0);
    libpq_answer("SELECT then", LIBPQ_ERROR, "22012division by zero");
    ask_led(&stage, "SELECT first", true);
    ask(&stage, "SELECT 1", true);
    work(&stage);
    CHECK_TEXT(stage.answers, "failed: division by zero, rows");
    CHECK_INT(stage.down, 0);
    libpq_answer("SELECT first", LIBPQ_ERROR, "22012too early");
    ask_led(&stage, "SELECT first", true);
    ask(&stage, "SELECT 1", true);
    work(&stage);
    CHECK_TEXT(stage.why, "too early");
    pass(&stage, 250);
    CHECK_TEXT(stage.answers, "failed: division by zero, rows, failed: too early, rows");

    check_about("a statement that leads nothing");
    link_lead(stage.link, "SELECT 2", NULL, 0);
    end_stage(&stage);
}

/* As ask_led(), for what waits to go with others. */
static void ask_with_others(struct stage *stage, const char *sql)
{
    link_lead(stage->link, "INSERT", NULL, 0);
    ask(stage, sql, true);
}

static void test_together(void)
{
    struct stage stage;

    check_about("what waits goes together, and comes back together");
    begin_stage(&stage, "hostaddr=127.0.0.1");
    pass(&stage, 0);
    libpq_answer("SELECT 1", LIBPQ_ROWS, "1;");
    libpq_answer("SELECT 2", LIBPQ_ROWS, "2;");
    libpq_answer("SELECT 3", LIBPQ_ROWS, "3;");
    for (int round = 0; round < 2; round++) {
        ask_with_others(&stage, "SELECT 1");
        ask_with_others(&stage, "SELECT 2");
        ask_with_others(&stage, "SELECT 3");
        CHECK_INT(libpq_sent("SELECT"), 3 * round);
        link_send(stage.link);
        CHECK_INT(libpq_sent("SELECT"), 3 * round + 3);
        CHECK_INT(libpq.syncs, round + 1);
        CHECK(!link_is_idle(stage.link));
        work(&stage);
        CHECK(link_is_idle(stage.link));
    }
    CHECK_TEXT(stage.answers, "rows: 1, rows: 2, rows: 3, rows: 1, rows: 2, rows: 3");

    check_about("it is sent when something else is asked, or the connection works");
    stage.answers[0] = '\0';
    ask_with_others(&stage, "SELECT 1");
    ask(&stage, "SELECT 2", true);
    CHECK_INT(libpq.syncs, 4);
    ask_with_others(&stage, "SELECT 3");
    work(&stage);
    CHECK_TEXT(stage.answers, "rows: 1, rows: 2, rows: 3");

    check_about("16 at once");
    libpq.syncs = 0;
    for (int i = 0; i < 40; i++)
        ask_with_others(&stage, "SELECT 4");
    link_send(stage.link);
    CHECK_INT(libpq_sent("SELECT 4"), 40);
    CHECK_INT(libpq.syncs, 3);
    work(&stage);
    CHECK(link_is_idle(stage.link));
    end_stage(&stage);
}

/* How the second of three that go together fails, and how the third is answered then. */
static void fail_together(size_t i)
{
    struct stage stage;
    char want[200];

    check_about("%s, between two others", answers[i].title);
    begin_stage(&stage, "hostaddr=127.0.0.1");
    pass(&stage, 0);
    libpq_answer("SELECT", LIBPQ_ROWS, "9;");
    libpq_answer_next("SELECT 2", 1, answers[i].how, answers[i].text);
    ask_with_others(&stage, "SELECT 1");
    ask_with_others(&stage, "SELECT 2");
    ask_with_others(&stage, "SELECT 3");
    link_send(stage.link);
    pass(&stage, 0);
    pass(&stage, SILENCE_MS + 1);
    pass(&stage, 250);
    snprintf(want, sizeof want, "rows: 9, %s, rows: 9", answers[i].again);
    CHECK_TEXT(stage.answers, want);
    CHECK_INT(stage.down, strncmp(answers[i].again, "rows", 4) != 0 || answers[i].breaks);
    CHECK(link_is_idle(stage.link));
    end_stage(&stage);
}

static void test_breaks(void)
{
    struct stage stage;

    check_about("a connection that breaks while nothing was asked");
    begin_stage(&stage, "hostaddr=127.0.0.1");
    pass(&stage, 0);
    libpq_break_all();
    work(&stage);
    CHECK_INT(stage.down, 1);
    pass(&stage, 250);
    libpq.unreadable = true;
    work(&stage);
    CHECK_INT(stage.down, 2);
    link_break(stage.link, "again");
    link_work(stage.link, stage.now_ms);
    CHECK_INT(stage.down, 2);
    libpq.unreadable = false;

    check_about("who takes an answer breaks the connection");
    pass(&stage, 250);
    link_ask(stage.link, "SELECT 1", NULL, 0, false, take_and_break, &stage);
    ask(&stage, "SELECT 2", true);
    work(&stage);
    CHECK_TEXT(stage.answers, "rows");
    CHECK_TEXT(stage.why, "as the answer says");
    pass(&stage, 250);
    CHECK_TEXT(stage.answers, "rows, rows");

    check_about("who hears a notification breaks it");
    libpq_notify("one");
    libpq_notify("break");
    libpq_notify("two");
    work(&stage);
    CHECK_TEXT(stage.notified, "one, break");
    pass(&stage, 250);
    CHECK(link_is_up(stage.link));
    end_stage(&stage);
}

static void test_gate(void)
{
    struct stage stage;

    check_about("what is asked waits before a closed gate");
    begin_stage(&stage, "hostaddr=127.0.0.1");
    link_set_gate(stage.link, true);
    pass(&stage, 0);
    link_set_gate(stage.link, false);
    ask(&stage, "SELECT 1", false);
    ask(&stage, "SELECT 2", false);
    pass(&stage, 10);
    CHECK_INT(libpq_sent("SELECT"), 0);
    link_set_gate(stage.link, true);
    pass(&stage, 10);
    CHECK_TEXT(stage.answers, "rows, rows");
    CHECK_TEXT(libpq_value("SELECT 2", 0), "1");
    CHECK_TEXT(libpq_value("SELECT 2", 1), NULL);
    end_stage(&stage);
}

static void test_commit(void)
{
    struct stage stage;

    check_about("a statement is answered when it is committed, or was not");
    begin_stage(&stage, "hostaddr=127.0.0.1");
    pass(&stage, 0);
    libpq_answer("SELECT 1", LIBPQ_LATE, "40001conflict");
    ask(&stage, "SELECT 1", false);
    ask(&stage, "SELECT 2", false);
    pass(&stage, 10);
    CHECK_TEXT(stage.answers, "conflict: conflict, rows");
    check_about("doubts are counted");
    unsigned doubts = link_doubts(stage.link);
    libpq_answer("SELECT 3", LIBPQ_IN_DOUBT, "");
    ask(&stage, "SELECT 3", false);
    pass(&stage, 10);
    CHECK_INT(link_doubts(stage.link) - doubts, 1);
    end_stage(&stage);
}

static void test_many_statements(void)
{
    struct stage stage;
    char sql[32];

    check_about("more statements than a connection is told the names of");
    begin_stage(&stage, "hostaddr=127.0.0.1");
    libpq_answer("SELECT 69", LIBPQ_ROWS, "~|t|1.5;");
    pass(&stage, 0);
    for (int i = 0; i < 140; i++) {
        snprintf(sql, sizeof sql, "SELECT %d", i % 70);
        stage.answers[0] = '\0';
        ask(&stage, sql, false);
        work(&stage);
        CHECK_TEXT(stage.answers, "rows");
    }
    end_stage(&stage);
}

/* What a database that is asked once, and waited for, says. */
static void test_blocking(void)
{
    struct cause cause;
    struct database_address *address = address_new("hostaddr=127.0.0.1,127.0.0.2", &cause);
    int value = 5;

    check_about("a database that is waited for");
    libpq_reset();
    libpq.reads = 3;
    libpq_answer("SELECT 3", LIBPQ_ROWS, "3;");
    libpq_answer("SELECT x", LIBPQ_ERROR, "42703no x\nLINE 1");
    struct blocking *database = blocking_open(address, &cause);
    CHECK(database != NULL && blocking_run(database, "SELECT none", &value, &cause));
    CHECK_INT(value, 5);
    CHECK(blocking_run(database, "SELECT 3", &value, &cause));
    CHECK_INT(value, 3);
    CHECK(blocking_run(database, "SELECT 3", NULL, &cause));
    CHECK(!blocking_run(database, "SELECT x", &value, &cause));
    CHECK_TEXT(cause.text, "database: no x");
    blocking_close(database);
    blocking_close(NULL);

    for (enum trouble trouble = FAILS; trouble <= READS; trouble++) {
        if (trouble == NO_PIPELINE || trouble == UNREADABLE)
            continue;
        libpq_reset();
        make_trouble(trouble);
        libpq.step_us = 100000;
        CHECK(blocking_open(address, &cause) == NULL);
        CHECK_INT(libpq.connects, 2);
        CHECK_TEXT(cause.text, "database: connection to the database failed");
    }
    address_free(address);
}

/* How the schema is brought up to date, and what cannot be. */
static void test_schema(void)
{
    struct cause cause = {.text = ""};
    struct database_address *address = address_new("hostaddr=127.0.0.1", &cause);
    char newer[16], older[16];
    int count = 0;

    while (postgres_steps[count + 1] != NULL)
        count++;
    snprintf(newer, sizeof newer, "%d;", POSTGRES_SCHEMA_FIRST + count);
    snprintf(older, sizeof older, "%d;", POSTGRES_SCHEMA_FIRST - 1);
    check_about("a new schema");
    libpq_reset();
    libpq_answer("SELECT version", LIBPQ_ROWS, "0;");
    CHECK(postgres_migrate(address, &cause));
    CHECK_INT(libpq_sent("") - 3, count);
    check_about("one that is newer than this server");
    libpq_answer("SELECT version", LIBPQ_ROWS, newer);
    CHECK(!postgres_migrate(address, &cause));
    CHECK(strstr(cause.text, "this ludusd knows") != NULL);
    check_about("one from before the first version");
    libpq_reset();
    libpq_answer("SELECT version", LIBPQ_ROWS, older);
    CHECK(!postgres_migrate(address, &cause));
    CHECK_TEXT(cause.text,
               "database: its schema is of version 11, this ludusd reads 12 and up: start "
               "ludusd 0.1.0 of revision be9ede2d once, which converts it");
    CHECK_INT(libpq_sent(""), 1); /* it is not committed */
    check_about("steps that fail");
    static const char *const steps[] = {"SELECT version", "CREATE TABLE node", "note_gap() RETURNS",
                                        "UPDATE service SET version"};
    for (size_t i = 0; i < LENGTH(steps); i++) {
        libpq_reset();
        libpq_answer("SELECT version", LIBPQ_ROWS, "0;");
        libpq_answer(steps[i], LIBPQ_ERROR, "42501no rights");
        CHECK_THAT(!postgres_migrate(address, &cause), "%s", steps[i]);
        CHECK_TEXT(cause.text, "database: no rights");
    }
    check_about("no database");
    libpq.fails = true;
    CHECK(!postgres_migrate(address, &cause));
    address_free(address);
}

/* What people write behind --engine, and how many hosts that names, or why it is refused. */
static const struct {
    const char *conninfo;
    int hosts, files;
    int64_t wait_ms;
    const char *why;
} conninfos[] = {
    {"", 1, 0, 2000, NULL},
    {"host=/run/postgresql", 1, 0, 2000, NULL},
    {"host=@ludus application_name=x", 1, 0, 2000, NULL},
    {"host=127.0.0.1,/tmp port=1,2 connect_timeout=60", 2, 0, 60000, NULL},
    {"host=127.0.0.1 connect_timeout=61", 1, 0, 2000, NULL},
    {"host=127.0.0.1,127.0.0.1,127.0.0.1 port=1,2", 3, 0, 2000, NULL},
    {"host=,127.0.0.1 port=,5", 2, 0, 2000, NULL},
    {"host=no.such.name.invalid hostaddr=127.0.0.1,::1", 2, 0, 2000, NULL},
    {"hostaddr=127.0.0.1 passfile=/p sslrootcert=/r sslcert=/c sslkey=/k", 1, 4, 2000, NULL},
    {"nonsense", 0, 0, 0, "database: missing \"=\" after \"nonsense\" in connection info string"},
    {"hostaddr=1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17", 0, 0, 0, "database: at most 16 hosts"},
    {"host=no.such.name.invalid", 0, 0, 0, "database: no.such.name.invalid: "}};

static void test_conninfos(void)
{
    const char *files[KEEPER_FILES_MAX];
    struct cause cause;

    for (size_t i = 0; i < LENGTH(conninfos); i++) {
        check_about("--engine '%s'", conninfos[i].conninfo);
        struct database_address *address = address_new(conninfos[i].conninfo, &cause);
        if (conninfos[i].why != NULL) {
            CHECK(address == NULL);
            CHECK_THAT(strncmp(cause.text, conninfos[i].why, strlen(conninfos[i].why)) == 0, "%s",
                       cause.text);
            continue;
        }
        if (!CHECK_THAT(address != NULL, "%s", cause.text))
            continue;
        CHECK_INT(address_hosts(address), conninfos[i].hosts);
        CHECK_INT(address_files(address, files), conninfos[i].files);
        CHECK_INT(address_wait_ms(address), conninfos[i].wait_ms);
        address_free(address);
    }
    address_free(NULL);
}

int main(void)
{
    test_connecting();
    test_hosts();
    test_answers();
    test_leader();
    test_together();
    for (size_t i = 0; i < LENGTH(answers); i++)
        fail_together(i);
    test_breaks();
    test_gate();
    test_commit();
    test_many_statements();
    test_blocking();
    test_schema();
    test_conninfos();
    libpq_reset();
    return check_end("test_postgres_link");
}
