/* A store of which any access can fail: what was acknowledged is there, what was not is not, and
 * nothing is told that was not read. */
#include <errno.h>
#include <inttypes.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"
#include "common/buffer.h"
#include "fixture.h"
#include "server/keep/backup.h"
#include "server/keep/maintain.h"
#include "server/keep/store.h"
#include "server/play/dispatch.h"
#include "server/play/lifecycle.h"
#include "server/play/presence.h"
#include "test_limits.h"

enum { FAULTS_MAX = 2000, TOKEN_BYTES = 80, DAY = 86400 };

/* Fails calls of SQLite: the next `left`-th one from now on, and those behind it, `times` in all.
 */
static struct {
    int left, times;
    bool hit;
} fault;

static bool fails(void)
{
    if (fault.times == 0 || --fault.left > 0)
        return false;
    fault.times--;
    fault.hit = true;
    return true;
}

static void arm(int left, int times)
{
    fault.left = left;
    fault.times = times;
    fault.hit = false;
}

/* The linker has calls of `name` go to wrapped_`name`, which fails as the call does, or makes it.
 */
#define WRAP(type, name, parameters, arguments, failed)                                            \
    type real_##name parameters __asm__("__real_" #name);                                          \
    type wrapped_##name parameters __asm__("__wrap_" #name);                                       \
    type wrapped_##name parameters                                                                 \
    {                                                                                              \
        if (!fails())                                                                              \
            return real_##name arguments;                                                          \
        errno = EIO;                                                                               \
        return failed;                                                                             \
    }

WRAP(int, sqlite3_step, (sqlite3_stmt * statement), (statement), SQLITE_IOERR)
WRAP(int, sqlite3_exec,
     (sqlite3 * sqlite, const char *sql, int (*take)(void *, int, char **, char **), void *context,
      char **error),
     (sqlite, sql, take, context, error), SQLITE_IOERR)
WRAP(int, sqlite3_prepare_v3,
     (sqlite3 * sqlite, const char *sql, int bytes, unsigned flags, sqlite3_stmt **statement,
      const char **tail),
     (sqlite, sql, bytes, flags, statement, tail), SQLITE_IOERR)
WRAP(ssize_t, pwrite, (int descriptor, const void *bytes, size_t size, off_t at),
     (descriptor, bytes, size, at), -1)
WRAP(ssize_t, pread, (int descriptor, void *bytes, size_t size, off_t at),
     (descriptor, bytes, size, at), -1)
WRAP(int, ftruncate, (int descriptor, off_t size), (descriptor, size), -1)
WRAP(int, fstat, (int descriptor, struct stat *found), (descriptor, found), -1)

/* Take the place of the C library's, for SQLite, too. What is on disk matters to nobody here. */
int fsync(int descriptor)
{
    (void)descriptor;
    errno = EIO;
    return fails() ? -1 : 0;
}

int fdatasync(int descriptor)
{
    return fsync(descriptor);
}

/* A server on a store in `folder`, with two players. */
static struct {
    char folder[32];
    struct store *store;
    struct server server;
    struct peer anna, bob;
} now;

static char tokens[2][TOKEN_BYTES];
static struct buffer filled; /* the file of the store to begin with */

static struct limits limits;

static void settle(void)
{
    server_end_turn(&now.server);
    server_end_turn(&now.server);
}

static void ask(struct peer *peer, const char *line)
{
    CHECK_THAT(say(peer, line), "'%s' sleeps", line);
    settle();
}

/* Opens the store and reads it. */
static bool open_server(struct cause *cause)
{
    server_init(&now.server, &limits);
    now.server.now_ms = 1000000;
    now.server.started_ms = 1000;
    now.server.wall_s = 1700000000;
    now.store = store_open(now.folder, DURABILITY_PROCESS, NULL, cause);
    return now.store != NULL && server_take_up(&now.server, keeper_sqlite(now.store), cause);
}

/* Ends the server as if it were killed. */
static void close_server(void)
{
    now.server.keeper = &now.server.memory;
    while (!TAILQ_EMPTY(&now.server.sessions))
        presence_free(TAILQ_FIRST(&now.server.sessions));
    server_release(&now.server);
    store_close(now.store);
    now.store = NULL;
}

static void path_of(char path[96], const char *name)
{
    snprintf(path, 96, "%s/%s", now.folder, name);
}

static void remove_files(void)
{
    static const char *const names[] = {"ludus.db", "ludus.db-wal", "archive/2023-11.pgn",
                                        "archive"};
    char path[96];

    for (size_t i = 0; i < LENGTH(names); i++) {
        path_of(path, names[i]);
        remove(path);
    }
}

/* Adds what is in a file; nothing if there is none. */
static void read_file(struct buffer *bytes, const char *name)
{
    char path[96];

    path_of(path, name);
    FILE *file = fopen(path, "re");
    for (size_t length = 1; file != NULL && length > 0;) {
        char *to = buffer_extend(bytes, 4096);
        length = fread(to, 1, 4096, file);
        bytes->length -= 4096 - length;
    }
    if (file != NULL)
        fclose(file);
}

/* Makes the store what it was to begin with. */
static void begin_again(void)
{
    char path[96];

    remove_files();
    path_of(path, "ludus.db");
    FILE *file = fopen(path, "we");
    CHECK(file != NULL && fwrite(filled.bytes, 1, filled.length, file) == filled.length);
    if (file != NULL)
        fclose(file);
}

static void take_player(struct buffer *text, const char *name)
{
    static const char *const variants[] = {"2x2", "3x3", "4x4"};
    const struct player *player = players_find(&now.server.players, name);

    buffer_puts(text, name);
    for (size_t i = 0; player != NULL && i < LENGTH(variants); i++) {
        const struct rating *rating =
            rating_find(&player->ratings, game_find("clobber", 7), variants[i]);
        if (rating != NULL)
            buffer_printf(text, " %s %.3f %d", variants[i], rating->now.rating, rating->matches);
    }
    buffer_puts(text, player != NULL ? "\n" : ": gone\n");
}

static void take_tables(struct buffer *text, const struct table *table)
{
    for (; table != NULL; table = TAILQ_NEXT(table, link))
        if (table->match.status != MATCH_OVER || table->match.ply_count > 0)
            buffer_printf(text, "%s %s %d %s %s\n", table->id,
                          match_status_text(table->match.status), table->match.ply_count,
                          result_text(table->match.outcome.result), table->once);
}

/* What the server has of all that is kept. */
static struct buffer digest(void)
{
    struct buffer text = {0};
    const struct tournament *tournament;

    take_tables(&text, TAILQ_FIRST(&now.server.lobby.unfinished));
    take_tables(&text, TAILQ_FIRST(&now.server.lobby.finished));
    TAILQ_FOREACH (tournament, &now.server.lobby.tournaments.list, link) {
        const struct contest *contest = &tournament->contest;
        buffer_printf(&text, "%s %s %d", tournament->id, tournament_status_text(tournament->status),
                      contest_active(contest));
        for (int i = 0; i < contest->pairings.count; i++)
            buffer_printf(&text, " %d-%d %d %" PRId64, contest->pairings.rows[i].white,
                          contest->pairings.rows[i].black, contest->pairings.rows[i].result,
                          tournament->matches[i]);
        buffer_puts(&text, "\n");
    }
    take_player(&text, "anna");
    take_player(&text, "bob");
    buffer_add(&text, "", 1);
    return text;
}

/* The store, read anew by a server that was started again, has this. */
static void check_kept(const struct buffer *want)
{
    struct cause cause = {.text = ""};

    arm(0, 0);
    if (CHECK_THAT(open_server(&cause), "%s", cause.text)) {
        struct buffer found = digest();
        CHECK_TEXT(found.bytes, want->bytes);
        buffer_release(&found);
    }
    close_server();
}

static void log_in(struct peer *peer, const char *name, const char *token)
{
    char line[160];

    open_peer(&now.server, peer);
    snprintf(line, sizeof line, "hello %s token=%s", name, token);
    ask(peer, line);
    skip(peer);
}

static void read_token(const struct peer *peer, char token[TOKEN_BYTES])
{
    const char *at = strstr(peer->output, "\"token\":\"");

    if (CHECK(at != NULL))
        snprintf(token, TOKEN_BYTES, "%.*s", (int)strcspn(at + 9, "\""), at + 9);
}

/* Fills a store with all kinds of rows. */
static void fill(void)
{
    static const char *const lines[] = {
        "anna new clobber:2x2 clock=300+5 once=one",
        "bob join 1",
        "anna move 1 a2a1 eval=3 pv=b2b1",
        "bob move 1 b2b1",
        "anna move 1 a1b1", /* which ends it */
        "anna new clobber:4x4 clock=300",
        "bob join 2",
        "anna move 2 a2a1",
        "bob move 2 b2b1",
        "anna new clobber:4x4",
        "bob join 3",
        "anna move 3 a2a1",
        "bob resign 3",
        "anna new clobber:4x4 private=yes code=word black=bob",
        "bob new shakti",
        "anna new clobber:3x3",
        "bob join 6",
        "anna move 6 a2a1",
        "bob resign 6",
        "anna new clobber:3x3",
        "bob join 7",
        "anna move 7 a2a1",
        "bob move 7 b2b1",
        "anna resign 7",
        "anna tournament new Cup clobber:2x2 format=round-robin",
        "anna tournament join t1",
        "bob tournament join t1",
        "anna tournament start t1",
        "bob tournament new Fair clobber:2x2 format=arena minutes=9",
        "anna tournament join t2",
        "anna tournament new None clobber:2x2 format=swiss",
        "anna tournament abort t3"};
    struct cause cause;

    snprintf(now.folder, sizeof now.folder, "/tmp/ludus-test-XXXXXX");
    if (mkdtemp(now.folder) == NULL)
        abort();
    CHECK(open_server(&cause));
    open_peer(&now.server, &now.anna);
    open_peer(&now.server, &now.bob);
    ask(&now.anna, "hello anna");
    ask(&now.bob, "hello bob");
    read_token(&now.anna, tokens[0]);
    read_token(&now.bob, tokens[1]);
    for (size_t i = 0; i < LENGTH(lines); i++) {
        struct peer *peer = lines[i][0] == 'a' ? &now.anna : &now.bob;
        skip(peer);
        ask(peer, strchr(lines[i], ' ') + 1);
        CHECK_THAT(count(peer, "\"type\":\"ok\"") == 1, "%s: %s", lines[i], peer->output);
    }
    server_end_turn(&now.server);
    close_server();
    read_file(&filled, "ludus.db");
}

static void test_reading(void)
{
    struct cause cause;

    check_about("the store is read");
    CHECK(open_server(&cause));
    struct buffer want = digest();
    close_server();
    fault.hit = true;
    for (int n = 1; fault.hit && n < FAULTS_MAX; n++) {
        check_about("the store is read, access %d fails", n);
        begin_again();
        cause.text[0] = '\0';
        arm(n, 1);
        bool opened = open_server(&cause);
        fault.times = 0;
        CHECK(opened || (fault.hit && cause.text[0] != '\0'));
        if (opened) {
            struct buffer found = digest();
            CHECK_TEXT(found.bytes, want.bytes);
            buffer_release(&found);
        }
        close_server();
        bool hit = fault.hit;
        if (n % 16 == 0)
            check_kept(&want);
        fault.hit = hit;
    }
    CHECK(!fault.hit);
    buffer_release(&want);
}

/* Rows that no server writes, and how it refuses them. */
static const struct {
    const char *sql, *why;
} bad_rows[] = {
    {"UPDATE tournament SET number = 1 << 62 WHERE number = 3",
     "number 4611686018427387904: too high to continue from"},
    {"UPDATE player SET seen_s = -1 WHERE name = 'anna'", "anna: invalid last-seen time"},
    {"UPDATE rating SET game = 'chess'", "invalid rating of anna in chess"}};

/* Changes the store as nobody should. */
static void change_store(const char *sql)
{
    struct cause cause;

    begin_again();
    now.store = store_open_existing(now.folder, &cause);
    struct query *query = database_query(now.store->database, sql);
    CHECK_THAT(query_run(query), "%s", database_error(now.store->database));
    query_free(query);
    store_close(now.store);
}

static void test_bad_rows(void)
{
    struct cause cause;

    for (size_t i = 0; i < LENGTH(bad_rows); i++) {
        check_about("%s", bad_rows[i].sql);
        change_store(bad_rows[i].sql);
        CHECK(!open_server(&cause));
        CHECK_TEXT(cause.text, bad_rows[i].why);
        close_server();
    }
    check_about("the match of a tournament is gone");
    change_store("UPDATE pairing SET match = 99");
    CHECK(open_server(&cause));
    const struct tournament *cup = TAILQ_FIRST(&now.server.lobby.tournaments.list);
    CHECK_INT(cup->contest.pairings.rows[0].result, PAIRING_VOID);
    close_server();
}

/* What people do while the store fails. */
static const char *const script[] = {"anna new clobber:2x2 once=two",
                                     "bob join 9",
                                     "anna move 9 a2a1 eval=5",
                                     "bob undo 2",
                                     "anna undo 2",
                                     "anna move 2 c2c1",
                                     "anna resign 2",
                                     "bob draw 9",
                                     "anna abort 4",
                                     "anna tournament leave t2",
                                     "bob tournament join t2",
                                     "bob tournament start t2",
                                     "bob move 8 a2a1",
                                     "anna move 8 a2a1",
                                     "bob resign 8",
                                     "anna tournament pause t1",
                                     "anna history bob",
                                     "anna record 1"};

static int play_script(void)
{
    int failed = 0;

    for (size_t i = 0; i < LENGTH(script); i++) {
        struct peer *peer = script[i][0] == 'a' ? &now.anna : &now.bob;
        skip(peer);
        ask(peer, strchr(script[i], ' ') + 1);
        failed += count(peer, "\"code\":\"internal\"");
    }
    return failed;
}

/* Plays while accesses fail from that one on. Returns whether one did. */
static bool play_with_faults(int n, int times)
{
    struct cause cause;

    check_about("the store is written, access %d and %d more fail", n, times - 1);
    begin_again();
    CHECK(open_server(&cause));
    log_in(&now.anna, "anna", tokens[0]);
    log_in(&now.bob, "bob", tokens[1]);
    now.store->journaled_bytes = 1 << 30; /* the first move makes the journal too long */
    arm(n, times);
    int failed = play_script();
    bool hit = fault.hit;
    CHECK(hit || failed == 0);
    arm(0, 0);
    server_tick(&now.server);
    settle();
    struct buffer want = digest();
    close_server();
    check_kept(&want);
    buffer_release(&want);
    return hit;
}

static void test_writing(void)
{
    bool hit = true;

    for (int n = 1; hit && n < FAULTS_MAX; n += 2)
        hit = play_with_faults(n, 1);
    CHECK(!hit);
    hit = true;
    for (int n = 1; hit && n < FAULTS_MAX; n += 5)
        hit = play_with_faults(n, 9);
}

/* Moves are taken back from the journal, and from the row behind it. */
static void test_taking_back(void)
{
    static const char *const moves[] = {"a2a1", "b2b1", "c2c1", "d2d1"};
    struct cause cause;

    for (int undone = 0; undone <= 4; undone++) {
        check_about("%d moves taken back", undone);
        begin_again();
        CHECK(open_server(&cause));
        log_in(&now.anna, "anna", tokens[0]);
        ask(&now.anna, "new clobber:5x2 white=me black=me once=taken-back");
        const struct table *table =
            lobby_find_once(&now.server.lobby, now.anna.session->player, "taken-back");
        if (!CHECK(table != NULL))
            return;
        char line[64];
        for (int ply = 0; ply < 4; ply++) { /* two in the row, two in the journal */
            snprintf(line, sizeof line, "move %s %s", table->id, moves[ply]);
            ask(&now.anna, line);
            CHECK(ply != 1 || store_fold(now.store));
        }
        snprintf(line, sizeof line, "undo %s", table->id);
        for (int i = 0; i < undone; i++)
            ask(&now.anna, line);
        CHECK_INT(table->match.ply_count, 4 - undone);
        if (undone > 0) {
            snprintf(line, sizeof line, "move %s %s", table->id, moves[4 - undone]);
            ask(&now.anna, line);
            CHECK_INT(table->match.ply_count, 5 - undone);
        }
        struct buffer want = digest();
        close_server();
        check_kept(&want);
        buffer_release(&want);
    }
}

static bool visit_match(void *context, struct table *stored, const struct cause *broken)
{
    (void)stored;
    CHECK(broken == NULL);
    ++*(int *)context;
    return true;
}

/* Counts those with a name; they come together with their ratings. */
static bool visit_player(void *context, const struct value player[], const struct value rating[])
{
    static int64_t last;
    int64_t id = value_integer(&player[PLAYER_COLUMN_ID]);
    bool named = strcmp(value_text(&player[PLAYER_COLUMN_KIND]), "named") == 0;

    CHECK(rating[RATING_COLUMN_PLAYER].type == VALUE_NULL ||
          value_integer(&rating[RATING_COLUMN_PLAYER]) == id);
    *(int *)context += named && (id != last || *(int *)context == 0);
    last = id;
    return true;
}

static void visit_text(void *context, const char *text)
{
    CHECK(text[0] != '\0');
    ++*(int *)context;
}

static void test_archive(void)
{
    struct cause cause;
    int matches = 0, players = 0, findings = 0;

    fault.hit = true;
    for (int n = 0; fault.hit && n < FAULTS_MAX; n++) {
        check_about("a store as an archive, access %d fails", n);
        int all = matches;
        matches = players = findings = 0;
        begin_again();
        now.store = store_open_existing(now.folder, &cause);
        struct archive archive = store_archive(now.store);
        arm(n, n > 0);
        fault.hit = n == 0;
        bool good = archive.matches(archive.source, visit_match, &matches, &cause) &&
                    archive.players(archive.source, visit_player, &players, &cause);
        archive.verify(archive.source, visit_text, &findings);
        fault.times = 0;
        CHECK(n == 0 || !fault.hit || !good || findings > 0);
        CHECK(n > 0 || (good && matches == 8 && players == 2 && findings == 0));
        CHECK(!good || n == 0 || matches == all || all == 0 || matches == 8);
        store_close(now.store);
        now.store = NULL;
    }
}

/* Imports one store into another, quietly. */
static int import(struct store *from, struct store *to)
{
    const struct archive source = store_archive(from), target = store_archive(to);
    FILE *streams[] = {stdout, stderr};
    char *printed;
    size_t size;

    stdout = stderr = open_memstream(&printed, &size);
    int status = maintain_import(&source, &target);
    fclose(stdout);
    stdout = streams[0];
    stderr = streams[1];
    CHECK(status == 0 || strncmp(printed, "ludusd: ", 8) == 0);
    free(printed);
    return status;
}

static void run_sql(struct store *store, const char *sql)
{
    struct query *query = database_query(store->database, sql);

    CHECK_THAT(query_run(query), "%s: %s", sql, database_error(store->database));
    query_free(query);
}

/* The series and the scores in them. */
static struct buffer series_of(struct store *store)
{
    struct query *query = database_query(
        store->database, "SELECT group_concat(series || ' ' || t.tournaments || ' ' || s.player ||"
                         " ' ' || points2 || ' ' || matches || ' ' || played2 || ' ' || opponents)"
                         " FROM series_score AS s JOIN series AS t ON name = series");
    struct buffer text = {.length = 0};

    CHECK(query_next(query));
    buffer_puts(&text, query_text(query, 0));
    buffer_add(&text, "", 1);
    CHECK(text.length > 1);
    query_free(query);
    return text;
}

/* What the server has that starts on a store in a directory. */
static struct buffer digest_of(const char *folder)
{
    struct cause cause;
    char was[sizeof now.folder];

    memcpy(was, now.folder, sizeof was);
    if (folder != now.folder)
        snprintf(now.folder, sizeof now.folder, "%s", folder);
    CHECK_THAT(open_server(&cause), "%s", cause.text);
    struct buffer text = digest();
    close_server();
    memcpy(now.folder, was, sizeof was);
    return text;
}

static void test_importing(void)
{
    struct cause cause;
    char folder[sizeof now.folder + 4], path[sizeof folder + 12];
    struct buffer want = {.length = 0};

    snprintf(folder, sizeof folder, "%.26s/to", now.folder);
    snprintf(path, sizeof path, "%s/ludus.db", folder);
    fault.hit = true;
    for (int n = 0; fault.hit && n < FAULTS_MAX; n++) {
        check_about("a store is imported, access %d fails", n);
        begin_again();
        struct store *from = store_open_existing(now.folder, &cause);
        struct store *to = store_open(folder, DURABILITY_PROCESS, NULL, &cause);
        run_sql(from, "INSERT INTO series VALUES ('winter', 1, 'clobber', '2x2', 3)");
        run_sql(from, "INSERT INTO series_score SELECT 'winter', id, 1, id, 2, 3, 0.5 FROM player");
        run_sql(to, "PRAGMA foreign_keys = OFF");
        run_sql(to,
                "INSERT INTO token SELECT 2, 1, zeroblob(32), '', 0"); /* of a player who went */
        run_sql(to, "PRAGMA foreign_keys = ON");
        arm(n, n > 0);
        fault.hit = n == 0;
        int status = import(from, to);
        bool hit = fault.hit;
        fault.times = 0;
        CHECK_INT(status, n > 0 && hit);
        if (status != 0)
            CHECK_INT(import(from, to), 0); /* nothing of it was kept */
        CHECK_INT(import(from, to), 1);
        run_sql(to, "UPDATE token SET number = 0 WHERE hash = zeroblob(32)"); /* there is none */
        struct buffer had = series_of(from), has = series_of(to);
        CHECK_TEXT(has.bytes, had.bytes);
        buffer_release(&had);
        buffer_release(&has);
        store_close(from);
        store_close(to);
        struct buffer found = digest_of(folder);
        if (n == 0)
            want = digest_of(now.folder);
        CHECK(strstr(want.bytes, "anna") != NULL);
        CHECK_TEXT(found.bytes, want.bytes);
        buffer_release(&found);
        remove(path);
        fault.hit = hit;
    }
    buffer_release(&want);
    rmdir(folder);
}

/* Reads the version of a store that is nobody's. */
static int64_t version_of(const char *folder)
{
    struct cause cause;
    struct database *database = store_hold(folder, &cause);

    if (!CHECK_THAT(database != NULL, "%s", cause.text))
        return -1;
    struct query *query = database_query(database, "PRAGMA user_version");
    int64_t version = query_next(query) ? query_integer(query, 0) : -1;
    query_free(query);
    database_close(database);
    return version;
}

/* A store of the first version stays that, whether a backup takes its place or cannot. */
static void test_restoring_over_older(void)
{
    const char *const first_step[] = {sqlite_schema[0], NULL};
    const struct schema schema = {
        .mark = 0x4c756475, .first = SQLITE_SCHEMA_FIRST, .steps = first_step};
    char folder[64], path[80], file[80], aside[112];
    struct cause cause;
    bool locked;

    check_about("a backup takes the place of an older store");
    begin_again();
    snprintf(folder, sizeof folder, "%.26s/older", now.folder);
    snprintf(path, sizeof path, "%s/ludus.db", folder);
    snprintf(file, sizeof file, "%.26s/backup", now.folder);
    CHECK_INT(mkdir(folder, 0700), 0);
    database_close(database_open(path, DURABILITY_PROCESS, &schema, NULL, &cause));
    struct store *store = store_open_existing(now.folder, &cause);
    struct backup *backup = store != NULL ? backup_make(store, &cause) : NULL;
    CHECK(backup != NULL);
    store_close(store);
    CHECK_INT(version_of(folder), SQLITE_SCHEMA_FIRST);
    CHECK(!backup_restore(folder, file, DAY, &locked, &cause));
    CHECK_INT(version_of(folder), SQLITE_SCHEMA_FIRST);
    CHECK_THAT(backup_take(now.folder, file, &cause), "%s", cause.text);
    backup_free(backup);
    CHECK_THAT(backup_restore(folder, file, DAY, &locked, &cause), "%s", cause.text);
    CHECK(version_of(folder) > SQLITE_SCHEMA_FIRST);
    snprintf(aside, sizeof aside, "%s/before-1970-01-02T000000Z", folder);
    CHECK_INT(version_of(aside), SQLITE_SCHEMA_FIRST);
    backup_remove_copy(aside);
    backup_remove_copy(folder);
    remove(file);
}

/* Retires all that can go, for a number of ticks. */
static void retire(int ticks)
{
    now.server.wall_s += 40 * DAY;
    for (int i = 0; i < ticks; i++)
        server_tick(&now.server);
}

static void test_retiring(void)
{
    struct buffer want = {0};
    struct cause cause;

    limits.finished = 1;
    limits.keep_days = 1;
    fault.hit = true;
    for (int n = 0; fault.hit && n < FAULTS_MAX; n++) {
        struct buffer found = {0};
        int findings = 0;
        check_about("matches retire, access %d fails", n);
        begin_again();
        CHECK_THAT(open_server(&cause), "%s", cause.text);
        arm(n, n > 0);
        retire(1);
        bool hit = n == 0 || fault.hit;
        arm(0, 0);
        retire(3);
        store_archive(now.store).verify(now.store, visit_text, &findings);
        CHECK_INT(findings, 0);
        CHECK(!now.server.retire_fails);
        close_server();
        read_file(&found, "archive/2023-11.pgn");
        buffer_add(&found, "", 1);
        if (n == 0)
            want = found;
        CHECK_TEXT(found.bytes, want.bytes);
        if (n > 0)
            buffer_release(&found);
        fault.hit = hit;
    }
    CHECK(strstr(want.bytes, "[Match \"3\"]") != NULL);
    buffer_release(&want);
}

/* What is asked about retired matches is refused while the store cannot be read, and answered
 * afterwards. */
static void test_asking_about_retired(const char *line, const char *answer)
{
    struct cause cause;

    begin_again();
    CHECK(open_server(&cause));
    retire(4);
    fault.hit = true;
    for (int n = 1; fault.hit && n < FAULTS_MAX; n++) {
        check_about("%s, access %d fails", line, n);
        open_peer(&now.server, &now.anna);
        skip(&now.anna);
        arm(n, 1);
        ask(&now.anna, line);
        fault.times = 0;
        CHECK_THAT(count(&now.anna, fault.hit ? "\"code\":\"internal\"" : answer) == 1, "%s",
                   now.anna.output);
    }
    CHECK(!fault.hit);
    close_server();
}

int main(void)
{
    limits = test_limits;
    fill();
    test_reading();
    test_bad_rows();
    test_taking_back();
    test_writing();
    test_archive();
    test_importing();
    test_restoring_over_older();
    test_retiring();
    test_asking_about_retired("record 3", "\"code\":\"match-archived\"");
    test_asking_about_retired("history anna", "\"archived\":");
    remove_files();
    rmdir(now.folder);
    buffer_release(&filled);
    return check_end("test_store_faults");
}
