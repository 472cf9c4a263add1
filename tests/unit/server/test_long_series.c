/* The standings of a series with many players: a store reads them in turns of the loop, and what it
 * then tells is what sorting them all would. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "check.h"
#include "server/keep/store.h"

enum { PLAYERS = 5000, OF_A_TURN = 1000, PAGE = 200 };

static int found;

static void on_found(void *context, struct look_up *look_up)
{
    (void)context, (void)look_up;
    found++;
}

static void run_sql(struct store *store, const char *sql)
{
    struct query *query = database_query(store->database, sql);

    CHECK(query_run(query));
    query_free(query);
}

/* Many have the same points, and some as many matches, too. */
static void fill(struct store *store)
{
    char sql[600];

    CHECK(database_begin(store->database));
    snprintf(sql, sizeof sql,
             "INSERT INTO player (id, name, kind, bot, seen_s) WITH RECURSIVE c(n) AS (SELECT 1"
             " UNION ALL SELECT n + 1 FROM c WHERE n < %d) SELECT n, 'p' || n, 'guest', n %% 2, 0"
             " FROM c",
             PLAYERS);
    run_sql(store, sql);
    run_sql(store, "INSERT INTO series VALUES ('winter', 1, 'clobber', '2x2', 3),"
                   " ('summer', 2, 'clobber', '4x5', 1), ('autumn', 2, 'shakti', 'standard', 0)");
    run_sql(store, "INSERT INTO series_score SELECT 'winter', id, id % 3 + 1, id * 7919 % 101,"
                   " id * 31 % 7, id * 31 % 7, id + 0.5 FROM player");
    run_sql(store, "INSERT INTO series_score SELECT 'summer', id, 1, 9000 + id, 1, 2, 1500"
                   " FROM player WHERE id < 4");
    CHECK(database_commit(store->database));
}

/* Asks for a page. Returns the answer, which the caller frees, and after how many turns it came. */
static struct look_up *ask(struct store *store, const char *name, int from, int rows, int *turns)
{
    struct question question = {.kind = LOOK_SERIES, .rows_max = rows, .filter.from = from};

    snprintf(question.key, sizeof question.key, "%s", name);
    struct look_up *look_up = look_up_new(&question);
    look_up->asker = &found;
    *turns = 1;
    found = 0;
    for (bool answered = store->keeper.kind->look_up(&store->keeper, look_up);
         !answered && found == 0 && *turns <= PLAYERS; ++*turns)
        store->keeper.kind->work(&store->keeper, 0);
    CHECK_INT(look_up->state, LOOK_FOUND);
    return look_up;
}

/* A page is that of all scores in order. */
static void check_page(struct store *store, int from, int rows)
{
    struct query *query = database_query(
        store->database, "SELECT rank() OVER (ORDER BY points2 DESC), name, bot, tournaments,"
                         " points2, matches, opponents FROM series_score JOIN player ON id = player"
                         " WHERE series = 'winter' ORDER BY points2 DESC, matches, player"
                         " LIMIT ? OFFSET ?");
    int turns, row = 0;
    struct look_up *look_up = ask(store, "winter", from, rows, &turns);

    check_about("%d rows from %d", rows, from);
    CHECK_THAT(turns >= PLAYERS / OF_A_TURN, "%d turns", turns);
    CHECK_INT(look_up->series.players, PLAYERS);
    CHECK_INT(look_up->series.tournaments, 3);
    QUERY_BIND(query, SQL_INTEGER(rows), SQL_INTEGER(from));
    for (; query_next(query) && row < look_up->count; row++) {
        const struct series_row *got = &look_up->scores[row];
        CHECK_INT(got->rank, query_integer(query, 0));
        CHECK_TEXT(got->name, query_text(query, 1));
        CHECK_INT(got->bot, query_integer(query, 2));
        CHECK_INT(got->score.tournaments, query_integer(query, 3));
        CHECK_INT(got->score.points2, query_integer(query, 4));
        CHECK_INT(got->score.matches, query_integer(query, 5));
        CHECK(got->score.opponents == query_real(query, 6));
    }
    CHECK_INT(look_up->count, row);
    CHECK_INT(row, PLAYERS - from < rows ? PLAYERS > from ? PLAYERS - from : 0 : rows);
    query_free(query);
    look_up_free(look_up);
}

/* A short, empty or unknown series, or a question for its game alone, is answered at once. */
static void check_short(struct store *store)
{
    static const struct {
        const char *name;
        int rows, count, players;
        bool there;
    } short_ones[] = {{"summer", PAGE, 3, 3, true},
                      {"autumn", PAGE, 0, 0, true},
                      {"spring", PAGE, 0, 0, false},
                      {"winter", 0, 0, 0, true}};

    for (size_t i = 0; i < LENGTH(short_ones); i++) {
        int turns;
        struct look_up *look_up = ask(store, short_ones[i].name, 0, short_ones[i].rows, &turns);
        check_about("%s, %d rows", short_ones[i].name, short_ones[i].rows);
        CHECK_INT(turns, 1);
        CHECK_INT(look_up->count, short_ones[i].count);
        CHECK_INT(look_up->series.players, short_ones[i].players);
        CHECK_INT(look_up->series.game != NULL, short_ones[i].there);
        look_up_free(look_up);
    }
}

/* A client that asks and leaves holds up nobody else. */
static void check_leaver(struct store *store)
{
    struct question question = {.kind = LOOK_SERIES, .rows_max = PAGE, .key = "winter"};
    struct look_up *left = look_up_new(&question);
    int turns;

    check_about("somebody who leaves");
    left->asker = &found;
    CHECK(!store->keeper.kind->look_up(&store->keeper, left));
    left->asker = NULL;
    struct look_up *look_up = ask(store, "summer", 0, PAGE, &turns);
    CHECK_INT(look_up->count, 3);
    look_up_free(look_up);
    store->keeper.kind->work(&store->keeper, 0);
    CHECK_INT(left->state, LOOK_NOTHING);
    look_up_free(left);
}

int main(void)
{
    static const struct keeper_calls calls = {.found = on_found};
    static const int pages[] = {0, 1, PAGE, 2345, PLAYERS - 50, PLAYERS, PLAYERS + 7};
    char folder[] = "/tmp/ludus-series-XXXXXX", file[60];
    struct cause cause = {.text = ""};

    if (!CHECK(mkdtemp(folder) != NULL))
        return check_end("test_long_series");
    struct store *store = store_open(folder, DURABILITY_PROCESS, NULL, &cause);
    if (CHECK_THAT(store != NULL, "%s", cause.text)) {
        keeper_sqlite(store)->calls = &calls;
        fill(store);
        for (size_t i = 0; i < LENGTH(pages); i++)
            check_page(store, pages[i], PAGE);
        check_page(store, 3, 2);
        check_short(store);
        check_leaver(store);
        store_close(store);
    }
    for (const char *const *end = (const char *const[]){"", "-wal", "-shm", NULL}; *end != NULL;
         end++) {
        snprintf(file, sizeof file, "%s/ludus.db%s", folder, *end);
        unlink(file);
    }
    rmdir(folder);
    return check_end("test_long_series");
}
