/* A database that is checked and exported, and a store that is brought into one, where any
 * statement fails. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "fixture.h"
#include "postgres_stage.h"
#include "server/keep/postgres/postgres_archive.h"
#include "server/keep/store.h"
#include "server/play/presence.h"
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

static bool visit_player(void *context, const struct value player[], const struct value rating[])
{
    struct found *found = context;
    const unsigned char *hash = player[PLAYER_COLUMN_TOKEN_HASH].bytes;
    bool rated = rating[RATING_COLUMN_PLAYER].type != VALUE_NULL;

    found->texts++;
    CHECK_TEXT(value_text(&player[PLAYER_COLUMN_NAME]), "bob");
    CHECK_INT(value_integer(&player[PLAYER_COLUMN_BOT]), 1);
    CHECK_INT(player[PLAYER_COLUMN_TOKEN_HASH].length, TOKEN_HASH_BYTES);
    CHECK(hash[0] == 1 && hash[TOKEN_HASH_BYTES - 1] == 0x20);
    CHECK_INT(rated, found->texts == 1);
    CHECK_TEXT(value_text(&player[PLAYER_COLUMN_DISPLAY]), rated ? "Jo\u00E3o" : "");
    CHECK(!rated || value_real(&rating[RATING_COLUMN_RATING]) == 1234.5);
    CHECK_INT(value_integer(&rating[RATING_COLUMN_MATCHES]), rated ? 3 : 0);
    return found->texts < found->most;
}

static void visit_text(void *context, const char *text)
{
    struct found *found = context;

    found->texts++;
    snprintf(found->text, sizeof found->text, "%s", text);
}

/* A database with a good match and a broken one, which come in two parts, and a player. */
static void answer_archive(void)
{
    static const struct match_row good = {77, 3, "playing", LOG, .bob = NULL};
    static const struct match_row bad = {78, 3, "playing", "nonsense", .bob = NULL};

    stage_answers();
    libpq.step_us = 100000;
    libpq_answer_next("FETCH", 1, LIBPQ_ROWS, match_row_text(&bad));
    libpq_answer_next("FETCH", 1, LIBPQ_ROWS, match_row_text(&good));
    libpq_answer("LEFT JOIN rating", LIBPQ_ROWS,
                 "7|bob|named|t|\\x" BOBS_HASH "|1|João|joao|7|clobber|5x6|1234.5|60|0.06|3;"
                 "7|bob|named|t|\\x" BOBS_HASH "|1|~|~|~|~|~|~|~|~|~;");
}

static void test_visits(void)
{
    struct found found = {.most = 9};
    struct cause cause;

    check_about("a database as an archive");
    answer_archive();
    struct postgres_archive *source = postgres_archive_open(conninfo, &cause);
    if (!CHECK(source != NULL))
        return;
    struct archive archive = postgres_archive(source);
    CHECK(archive.matches(archive.source, visit_match, &found, &cause));
    CHECK(archive.players(archive.source, visit_player, &found, &cause));
    archive.verify(archive.source, visit_text, &found);
    CHECK(found.matches == 2 && found.broken == 1 && found.texts == 2);
    libpq_answer("its log has gaps", LIBPQ_ROWS, "match 77: its log has gaps;");
    archive.verify(archive.source, visit_text, &found);
    CHECK_TEXT(found.text, "match 77: its log has gaps");
    check_about("a visit that has enough");
    answer_archive();
    found = (struct found){.most = 1};
    CHECK(archive.matches(archive.source, visit_match, &found, &cause));
    CHECK_INT(found.matches, 1);
    CHECK_INT(libpq_sent("ROLLBACK"), 1);
    CHECK(archive.players(archive.source, visit_player, &found, &cause));
    CHECK_INT(found.texts, 1);
    postgres_archive_close(source);
}

/* Rows of which neither their moves nor the schema say that they are wrong, and what is. */
static const struct {
    struct match_row row;
    const char *wrong;
} unsound[] = {{{79, 3, "playing", PLAYING_LOG, .timed = true}, "invalid clock"},
               {{79, 3, "playing", OPEN_LOG "\ns 0 0 60000 9223372036854775807 0 ", .timed = true},
                "invalid clock"},
               {{79, 3, "playing", PLAYING_LOG, .opened_s = "-1"}, "invalid date"},
               {{79, 3, "playing", PLAYING_LOG, .opened_s = "253402300800"}, "invalid date"},
               {{79, 4, "over", MOVED_LOG, .result = "1-0", .reason = "resign",
                 .ended = "9223372036854775807"},
                "too high to continue from"},
               {{79, 3, "playing", PLAYING_LOG, .bob = "~"}, "the player of black is missing"},
               {{79, 3, "playing", PLAYING_LOG, .alone = true}, "started with an empty seat"},
               {{79, 3, "open", PLAYING_LOG, .bob = NULL}, ""}};

static bool visit_unsound(void *context, struct table *stored, const struct cause *broken)
{
    snprintf(context, sizeof(struct cause), "%s", broken != NULL ? broken->text : "");
    CHECK(record_is_date(stored->date) && stored->match.clock.left_ms[WHITE] >= 0);
    return true;
}

static void test_unsound(void)
{
    struct cause wrong, cause;

    for (size_t i = 0; i < LENGTH(unsound); i++) {
        check_about("a row that is unsound: %s", unsound[i].wrong);
        stage_answers();
        libpq.step_us = 100000;
        libpq_answer_next("FETCH", 1, LIBPQ_ROWS, match_row_text(&unsound[i].row));
        struct postgres_archive *source = postgres_archive_open(conninfo, &cause);
        if (!CHECK(source != NULL))
            return;
        struct archive archive = postgres_archive(source);
        CHECK(archive.matches(archive.source, visit_unsound, &wrong, &cause));
        CHECK_THAT(strstr(wrong.text, unsound[i].wrong) != NULL &&
                       (wrong.text[0] == '\0') == (unsound[i].wrong[0] == '\0'),
                   "%s", wrong.text);
        postgres_archive_close(source);
    }
}

/* Statements of a repair. */
static const char *const mending[] = {
    "BEGIN", "FOR UPDATE", "m.number = 77", "UPDATE match SET", "tell_again", "COMMIT"};
static const enum libpq_how ways[] = {LIBPQ_UNSENT, LIBPQ_UNSYNCED, LIBPQ_ERROR, LIBPQ_BREAK,
                                      LIBPQ_UNFLUSHED};

static void test_repairs(void)
{
    static const struct match_row bad = {77,           3, "playing", MOVED_LOG, .result = "1-0",
                                         .reason = "x"};
    static const struct match_row ended = {77,           3, "over", MOVED_LOG, .result = "1-0",
                                           .reason = "x"};
    static const struct match_row good = {77, 3, "playing", MOVED_LOG, .bob = NULL};
    struct cause cause;

    for (size_t i = 0; i < LENGTH(mending) * LENGTH(ways); i++) {
        const char *part = mending[i / LENGTH(ways)];
        check_about("a repair fails at '%s' in way %zu; the next one does not", part,
                    i % LENGTH(ways));
        stage_answers();
        libpq.step_us = 100000;
        struct postgres_archive *source = postgres_archive_open(conninfo, &cause);
        if (!CHECK(source != NULL))
            return;
        libpq_answer("m.number = 77", LIBPQ_ROWS, match_row_text(&good));
        libpq_forget_sent();
        libpq_answer_next(part, 1, ways[i % LENGTH(ways)], "XX000the database fails");
        struct archive archive = postgres_archive(source);
        cause.text[0] = '\0';
        CHECK(!archive.repair(archive.source, 77, &cause));
        CHECK(strncmp(cause.text, "database: ", 10) == 0);
        CHECK(strcmp(part, "COMMIT") == 0 || libpq_sent("COMMIT") == 0);
        libpq_answer_next("m.number = 77", 1, LIBPQ_ROWS, match_row_text(&bad));
        libpq_forget_sent();
        CHECK_THAT(archive.repair(archive.source, 77, &cause), "%s", cause.text);
        CHECK_INT(libpq_sent("BEGIN"), 1);
        CHECK_INT(libpq_sent("COMMIT"), 1);
        check_about("what cannot be repaired changes nothing, and what follows can");
        libpq_answer_next("m.number = 77", 1, LIBPQ_ROWS, match_row_text(&ended));
        CHECK(!archive.repair(archive.source, 77, &cause));
        CHECK_TEXT(cause.text, "its moves do not lead to the result 1-0 by x");
        CHECK(archive.repair(archive.source, 77, &cause));
        postgres_archive_close(source);
    }
}

/* Statements, and whether the archive is not even opened without them. */
static const struct {
    const char *part;
    bool opens;
} steps[] = {{"SELECT version", false},
             {"SET search_path = ludus", false},
             {"BEGIN ISOLATION", true},
             {"DECLARE", true},
             {"FETCH", true},
             {"ROLLBACK", true},
             {"LEFT JOIN rating", true},
             {"its log has gaps", true}};

static void test_failures(void)
{
    static const char error[] = "XX000the database fails";
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
                        archive.players(archive.source, visit_player, &found, &cause);
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
    struct archive from = store_archive(store);
    struct cause cause;
    FILE *streams[] = {stdout, stderr};
    size_t size;

    stdout = stderr = open_memstream(printed, &size);
    struct postgres_archive *source = postgres_archive_open(where, &cause);
    int status = 1;
    if (source != NULL) {
        struct archive to = postgres_archive(source);
        status = maintain_import(&from, &to);
        postgres_archive_close(source);
    } else {
        fprintf(stderr, "ludusd: %s\n", cause.text);
    }
    fclose(stdout);
    stdout = streams[0];
    stderr = streams[1];
    return status;
}

/* What the database answers, and what is printed then. */
static const struct {
    const char *part;
    enum libpq_how how;
    const char *text, *printed;
} imports[] = {
    {"none such", LIBPQ_ROWS, "", "2 players, 2 matches, 1 tournaments\n"},
    {"SELECT version", LIBPQ_ERROR, "42501no rights", "ludusd: database: no rights\n"},
    {"LOCK match", LIBPQ_ERROR, "42P01no such table", "ludusd: database: no such table\n"},
    {"SELECT (SELECT count", LIBPQ_ERROR, "XX000no", "ludusd: database: no\n"},
    {"SELECT (SELECT count", LIBPQ_ROWS, "3;",
     "ludusd: database: it has matches or players already\n"},
    {"DELETE FROM player", LIBPQ_ERROR, "XX000no", "ludusd: database: no\n"},
    {"INSERT INTO player", LIBPQ_ERROR, "23505there", "ludusd: database: there\n"},
    {"INSERT INTO rating", LIBPQ_ERROR, "23505there", "ludusd: database: there\n"},
    {"INSERT INTO tournament SELECT", LIBPQ_ERROR, "23505there", "ludusd: database: there\n"},
    {"INSERT INTO tournament_entry", LIBPQ_ERROR, "23505there", "ludusd: database: there\n"},
    {"INSERT INTO series", LIBPQ_ERROR, "23505there", "ludusd: database: there\n"},
    {"INSERT INTO match", LIBPQ_ERROR, "23505there", "ludusd: database: there\n"},
    {"INSERT INTO entry", LIBPQ_ERROR, "23505there", "ludusd: database: there\n"},
    {"setval('player_id'", LIBPQ_ERROR, "XX000no", "ludusd: database: no\n"},
    {"setval('ended'", LIBPQ_ERROR, "XX000no", "ludusd: database: no\n"},
    {"COMMIT", LIBPQ_IN_DOUBT, "", "ludusd: the wait for a standby was cancelled: check it\n"}};

static void send_line(struct fixture *fixture, struct peer *peer, const char *line)
{
    skip(peer);
    CHECK(say(peer, line));
    fixture_settle(fixture);
    CHECK_THAT(count(peer, "\"type\":\"ok\"") == 1, "%s: %s", line, peer->output);
}

/* Says hello with a device code of another peer, under the same name. */
static void tell_device(struct fixture *fixture, struct peer *from, struct peer *peer,
                        const char *name)
{
    char line[80], code[DEVICE_CODE_MAX] = "";

    skip(from);
    CHECK(say(from, "device"));
    const char *at = strstr(from->output, "\"code\":\"");
    if (CHECK(at != NULL))
        snprintf(code, sizeof code, "%.9s", at + strlen("\"code\":\""));
    snprintf(line, sizeof line, "hello %s device=%s", name, code);
    skip(peer);
    CHECK(!say(peer, line)); /* until the token is kept */
    fixture_settle(fixture);
    CHECK(say(peer, line));
    CHECK_INT(count(peer, "\"token\":"), 1);
}

static int64_t count_rows(struct store *store, const char *sql)
{
    struct query *query = database_query(store->database, sql);
    int64_t rows = query_next(query) ? query_integer(query, 0) : -1;

    query_free(query);
    return rows;
}

/* Returns whether the tokens that an import has sent are those of a player. */
static bool are_sent(const struct player *player)
{
    const char *sent = libpq_value("INSERT INTO token", 0);
    char hex[2 * TOKEN_HASH_BYTES + 1], number[40];
    bool all = sent != NULL;

    for (int i = 0; all && i < player_token_count(player); i++) {
        const struct token token = player_token_at(player, i);
        for (int j = 0; j < TOKEN_HASH_BYTES; j++)
            snprintf(hex + 2 * j, 3, "%02x", token.hash[j]);
        snprintf(number, sizeof number, "\"number\":%d,", token.number);
        all = strstr(sent, hex) != NULL && strstr(sent, number) != NULL;
    }
    return all;
}

/* All tokens are imported, but those of names that are freed. */
static void test_tokens(void)
{
    static struct fixture fixture;
    static struct peer anna, phone, eve, other;
    struct limits limits = test_limits;
    char *printed;

    limits.names = 2;
    fixture_begin(&fixture, &limits, false);
    struct store *store = (struct store *)fixture.keeper;
    open_peer(&fixture.server, &anna);
    open_peer(&fixture.server, &phone);
    send_line(&fixture, &anna, "hello anna");
    tell_device(&fixture, &anna, &phone, "anna");
    check_about("two tokens");
    const struct player *player = players_find(&fixture.server.players, "anna");
    stage_answers();
    CHECK_INT(import(conninfo, store, &printed), 0);
    CHECK_INT(player_token_count(player), 2);
    CHECK(are_sent(player));
    free(printed);

    check_about("the only token, though it is the second");
    send_line(&fixture, &phone, "revoke 1");
    stage_answers();
    CHECK_INT(import(conninfo, store, &printed), 0);
    CHECK_TEXT(printed, "1 players, 0 matches, 0 tournaments\n");
    CHECK_INT(player_token_at(player, 0).number, 2);
    CHECK(are_sent(player));
    free(printed);

    check_about("who has lost their name has no tokens any more");
    open_peer(&fixture.server, &eve);
    send_line(&fixture, &eve, "hello eve");
    open_peer(&fixture.server, &other);
    tell_device(&fixture, &eve, &other, "eve");
    presence_free(eve.session);
    presence_free(other.session);
    fixture_settle(&fixture);
    open_peer(&fixture.server, &eve);
    send_line(&fixture, &eve, "hello bob"); /* one too many: eve is forgotten */
    presence_free(eve.session);
    fixture_settle(&fixture);
    open_peer(&fixture.server, &other);
    send_line(&fixture, &other, "hello EVE");
    CHECK_INT(count_rows(store, "SELECT count(*) FROM player WHERE kind = 'guest'"), 1);
    CHECK_INT(count_rows(store, "SELECT count(*) FROM token WHERE player NOT IN"
                                " (SELECT id FROM player WHERE kind = 'named')"),
              0);
    stage_answers();
    CHECK_INT(import(conninfo, store, &printed), 0);
    CHECK_TEXT(printed, "4 players, 0 matches, 0 tournaments\n");
    free(printed);
    fixture_end(&fixture);
}

static void test_imports(void)
{
    static struct fixture fixture;
    static struct peer anna, bob;
    char *printed;

    check_about("a store with two matches and a tournament");
    fixture_begin(&fixture, &test_limits, false);
    open_peer(&fixture.server, &anna);
    open_peer(&fixture.server, &bob);
    send_line(&fixture, &anna, "hello anna");
    send_line(&fixture, &bob, "hello bob");
    send_line(&fixture, &anna, "new clobber:2x2 clock=60 once=key");
    send_line(&fixture, &bob, "join 1");
    send_line(&fixture, &anna, "move 1 a2a1 eval=7 pv=b2b1");
    send_line(&fixture, &bob, "move 1 b2b1");
    send_line(&fixture, &anna, "move 1 a1b1");
    send_line(&fixture, &anna, "new shakti");
    send_line(&fixture, &anna, "tournament new Cup clobber:2x2 format=swiss series=winter");
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
    test_unsound();
    test_repairs();
    test_tokens();
    test_imports();
    libpq_reset();
    return check_end("test_postgres_archive");
}
