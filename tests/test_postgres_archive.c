/* An engine that is checked and exported, and a store that is brought into one, where any statement
 * fails. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "fixture.h"
#include "postgres_stage.h"
#include "server/keep/postgres/archive/postgres_archive.h"
#include "server/keep/store.h"
#include "test_limits.h"

#define LOG "s 0 0 -1 -1 0 \ns 0 0 -1 -1 0 \nm 1 7 -1 -1 0 a2a1"

static const char conninfo[] = "hostaddr=127.0.0.1,127.0.0.2";

/* What a visit of an archive has found. */
struct found {
    int matches, broken, texts;
    int most; /* matches, then it has enough */
    char text[100];
};

static bool visit_match(void *context, struct table *stored, const struct cause *broken)
{
    struct found *found = context;

    found->matches++;
    found->broken += broken != NULL;
    CHECK_TEXT(stored->id, broken != NULL ? "78" : "77");
    CHECK(broken != NULL || strcmp(stored->seats[BLACK].player->name, "bob") == 0);
    return found->matches < found->most;
}

static void visit_text(void *context, const char *text)
{
    struct found *found = context;

    found->texts++;
    snprintf(found->text, sizeof found->text, "%s", text);
}

/* An engine with a good match and a broken one, which come in two parts, and a player. */
static void answer_archive(void)
{
    static const struct match_row good = {77, 3, "playing", LOG, .bob = NULL};
    static const struct match_row bad = {78, 3, "playing", "nonsense", .bob = NULL};

    stage_answers();
    libpq.step_us = 100000;
    libpq_answer_next("FETCH", 1, LIBPQ_ROWS, match_row_text(&bad));
    libpq_answer_next("FETCH", 1, LIBPQ_ROWS, match_row_text(&good));
    libpq_answer("json_build_object", LIBPQ_ROWS, "{\"name\":\"bob\"};");
}

static void test_visits(void)
{
    struct found found = {.most = 9};
    struct cause cause;

    check_about("an engine as an archive");
    answer_archive();
    struct postgres_archive *source = postgres_archive_open(conninfo, &cause);
    if (!CHECK(source != NULL))
        return;
    struct archive archive = postgres_archive(source);
    CHECK(archive.matches(archive.source, visit_match, &found, &cause));
    CHECK(archive.players(archive.source, visit_text, &found, &cause));
    CHECK_TEXT(found.text, "{\"name\":\"bob\"}");
    archive.verify(archive.source, visit_text, &found);
    CHECK(found.matches == 2 && found.broken == 1 && found.texts == 1);
    libpq_answer("its log has gaps", LIBPQ_ROWS, "match 77: its log has gaps;");
    archive.verify(archive.source, visit_text, &found);
    CHECK_TEXT(found.text, "match 77: its log has gaps");
    check_about("a visit that has enough");
    answer_archive();
    found = (struct found){.most = 1};
    CHECK(archive.matches(archive.source, visit_match, &found, &cause));
    CHECK_INT(found.matches, 1);
    CHECK_INT(libpq_sent("ROLLBACK"), 1);
    postgres_archive_close(source);
}

/* Statements, and whether the archive is not even opened without them. */
static const struct {
    const char *part;
    bool opens;
} steps[] = {{"SELECT version", false}, {"SET search_path = ludus", false},
             {"BEGIN ISOLATION", true}, {"DECLARE", true},
             {"FETCH", true},           {"ROLLBACK", true},
             {"json_build", true},      {"its log has gaps", true}};

static void test_failures(void)
{
    static const char error[] = "XX000the engine fails";
    struct cause cause;

    for (size_t i = 0; i < LENGTH(steps); i++)
        for (int breaks = 0; breaks < 2; breaks++) {
            struct found found = {.most = 9};
            check_about("'%s' %s", steps[i].part, breaks ? "breaks the connection" : "fails");
            answer_archive();
            cause.text[0] = '\0';
            libpq_answer(steps[i].part, breaks ? LIBPQ_BREAK : LIBPQ_ERROR, error);
            struct postgres_archive *source = postgres_archive_open(conninfo, &cause);
            CHECK_INT(source != NULL, steps[i].opens);
            CHECK((source == NULL) == (cause.text[0] != '\0'));
            if (source == NULL)
                continue;
            struct archive archive = postgres_archive(source);
            bool good = archive.matches(archive.source, visit_match, &found, &cause) &&
                        archive.players(archive.source, visit_text, &found, &cause);
            archive.verify(archive.source, visit_text, &found);
            CHECK(!good || found.texts > 1);
            postgres_archive_close(source);
        }
    check_about("no conninfo");
    CHECK(postgres_archive_open("nonsense", &cause) == NULL);
    check_about("the first host is not there");
    answer_archive();
    libpq_answer_next("SET search_path = ludus", 1, LIBPQ_ERROR, error);
    struct postgres_archive *source = postgres_archive_open(conninfo, &cause);
    CHECK(source != NULL);
    postgres_archive_close(source);
}

/* Imports with what it prints as a text, to be freed. */
static int import(const char *where, struct store *store, char **printed)
{
    FILE *streams[] = {stdout, stderr};
    size_t size;

    stdout = stderr = open_memstream(printed, &size);
    int status = postgres_import(where, store);
    fclose(stdout);
    stdout = streams[0];
    stderr = streams[1];
    return status;
}

/* What the engine answers, and what is printed then. */
static const struct {
    const char *part;
    enum libpq_how how;
    const char *text, *printed;
} imports[] = {
    {"none such", LIBPQ_ROWS, "", "2 players, 2 matches\n"},
    {"SELECT version", LIBPQ_ERROR, "42501no rights", "ludusd: engine: no rights\n"},
    {"LOCK match", LIBPQ_ERROR, "42P01no such table", "ludusd: engine: no such table\n"},
    {"LOCK match", LIBPQ_ROWS, "3;", "ludusd: engine: it has matches or players already\n"},
    {"DELETE FROM player", LIBPQ_ERROR, "XX000no", "ludusd: engine: no\n"},
    {"INSERT INTO player", LIBPQ_ERROR, "23505there", "ludusd: engine: there\n"},
    {"INSERT INTO rating", LIBPQ_ERROR, "23505there", "ludusd: engine: there\n"},
    {"INSERT INTO match", LIBPQ_ERROR, "23505there", "ludusd: engine: there\n"},
    {"setval(", LIBPQ_ERROR, "XX000no", "ludusd: engine: no\n"}};

static void tell(struct fixture *fixture, struct peer *peer, const char *line)
{
    skip(peer);
    CHECK(say(peer, line));
    fixture_settle(fixture);
    CHECK_THAT(count(peer, "\"type\":\"ok\"") == 1, "%s: %s", line, peer->output);
}

static void test_imports(void)
{
    static struct fixture fixture;
    static struct peer anna, bob;
    char *printed;

    check_about("a store with two matches");
    fixture_begin(&fixture, &test_limits, false);
    open_peer(&fixture.server, &anna);
    open_peer(&fixture.server, &bob);
    tell(&fixture, &anna, "hello anna");
    tell(&fixture, &bob, "hello bob");
    tell(&fixture, &anna, "new clobber:2x2 clock=60 once=key");
    tell(&fixture, &bob, "join 1");
    tell(&fixture, &anna, "move 1 a2a1 eval=7 pv=b2b1");
    tell(&fixture, &bob, "move 1 b2b1");
    tell(&fixture, &anna, "move 1 a1b1");
    tell(&fixture, &anna, "new shakti");
    struct store *store = (struct store *)fixture.keeper;
    for (size_t i = 0; i < LENGTH(imports); i++) {
        check_about("import: '%s' is answered '%s'", imports[i].part, imports[i].text);
        stage_answers();
        libpq_answer(imports[i].part, imports[i].how, imports[i].text);
        CHECK_INT(import(conninfo, store, &printed), i > 0);
        CHECK_TEXT(printed, imports[i].printed);
        CHECK_INT(libpq_sent("COMMIT") > 1, i == 0 || i + 1 == LENGTH(imports));
        free(printed);
    }
    check_about("a match that is broken");
    struct query *query =
        database_query(store->database, "UPDATE match SET game = 'it''s' WHERE number = 1");
    CHECK(query_run(query));
    query_free(query);
    stage_answers();
    CHECK_INT(import(conninfo, store, &printed), 1);
    CHECK_TEXT(printed, "ludusd: match 1: unknown game 'it's'\n");
    free(printed);
    check_about("no conninfo");
    CHECK_INT(import("nonsense", store, &printed), 1);
    free(printed);
    fixture_end(&fixture);
}

int main(void)
{
    test_visits();
    test_failures();
    test_imports();
    libpq_reset();
    return check_end("test_postgres_archive");
}
