/*
 * Retires finished matches: they go from the store into the PGN file of the month in which they
 * ended, DIR/archive/2026-11.pgn. First they are on disk there, then one transaction takes them out
 * of the store and keeps the new length of the file, so that a crash loses none and leaves none
 * twice: a process that ends in between leaves a tail, which the next one writes again in its
 * place.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "common/buffer.h"
#include "common/pgn.h"
#include "common/xmalloc.h"
#include "server/base/folder.h"
#include "server/base/log.h"
#include "store.h"

enum { MONTH_PATH_MAX = FOLDER_TEXT_MAX + 32 };

/* Limits of a step, so that it takes milliseconds. A match that is begun is finished. */
enum { STEP_MATCHES = 64, STEP_PLIES = 2000 };

/* The month of a date, UTC, such as 202611. */
static int month_of(time_t date_s)
{
    struct tm date;

    gmtime_r(&date_s, &date);
    return (date.tm_year + 1900) * 100 + date.tm_mon + 1;
}

static void month_path(const char *folder, int month, char path[MONTH_PATH_MAX])
{
    snprintf(path, MONTH_PATH_MAX, "%s/archive/%04d-%02d.pgn", folder, month / 100, month % 100);
}

static bool fail_at(struct cause *cause, const char *path, const char *why)
{
    return cause_set(cause, "%.120s: %.80s", path, why);
}

/* Opens the file, and makes the directory and the file if they are missing. Returns a descriptor,
 * or -1 with the cause. */
static int open_month(const char *path, struct cause *cause)
{
    char folder[MONTH_PATH_MAX];

    snprintf(folder, sizeof folder, "%.*s", (int)(strrchr(path, '/') - path), path);
    if (mkdir(folder, 0700) != 0 && errno != EEXIST) {
        fail_at(cause, folder, strerror(errno));
        return -1;
    }
    int descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (descriptor >= 0 && folder_sync(folder))
        return descriptor;
    fail_at(cause, path, strerror(errno));
    if (descriptor >= 0)
        close(descriptor);
    return -1;
}

/* Whether a tail of the file, which is at most as long as the text, is how the text begins. */
static bool is_tail_of(int descriptor, int64_t from, size_t tail, const char *text)
{
    char *bytes = xmalloc(tail + 1);
    bool same =
        pread(descriptor, bytes, tail, from) == (ssize_t)tail && memcmp(bytes, text, tail) == 0;

    free(bytes);
    return same;
}

static bool write_all(int descriptor, const char *text, size_t length, int64_t at)
{
    while (length > 0) {
        ssize_t written = pwrite(descriptor, text, length, at);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return false;
        text += written;
        length -= (size_t)written;
        at += written;
    }
    return true;
}

/* Writes the text where the file ended when its length was last kept. */
static bool append_at(int descriptor, const char *path, const char *text, size_t length, int64_t at,
                      struct cause *cause)
{
    struct stat found;

    if (fstat(descriptor, &found) != 0)
        return fail_at(cause, path, strerror(errno));
    if (found.st_size < at)
        return fail_at(cause, path, "shorter than it was: move it away");
    size_t tail = (size_t)(found.st_size - at);
    if (!is_tail_of(descriptor, at, tail < length ? tail : length, text))
        return fail_at(cause, path, "goes on with something else: move it away");
    if (!write_all(descriptor, text, length, at) ||
        (tail > length && ftruncate(descriptor, at + (int64_t)length) != 0) ||
        fdatasync(descriptor) != 0)
        return fail_at(cause, path, strerror(errno));
    return true;
}

/* Appends a text to the file of a month, which is *bytes long, and has it on disk. Sets *bytes to
 * the new length. A file that is missing begins anew, and *is_new is true. False with the cause,
 * such as a file that is shorter, or that goes on with something else. */
static bool month_append(const char *folder, int month, const char *text, size_t length,
                         int64_t *bytes, bool *is_new, struct cause *cause)
{
    char path[MONTH_PATH_MAX];

    month_path(folder, month, path);
    *is_new = access(path, F_OK) != 0 && errno == ENOENT;
    if (*is_new)
        *bytes = 0;
    int descriptor = open_month(path, cause);
    if (descriptor < 0)
        return false;
    bool good = append_at(descriptor, path, text, length, *bytes, cause);
    close(descriptor);
    if (good)
        *bytes += (int64_t)length;
    return good;
}

struct retiree {
    int64_t number, ended;
    char id[TABLE_ID_MAX];
    bool is_private;
    int64_t players[2]; /* by colour; 0: a guest, or the one who played white, too */
};

struct step {
    int64_t before_s; /* those that ended earlier go */
    int month;        /* of all of them; 0: none so far */
    struct buffer text;
    struct retiree list[STEP_MATCHES];
    int count, plies;
    int64_t guests; /* the highest id of a guest in these matches */
    int64_t broken; /* the end of the last broken match, which stays */
};

static void note_player(struct step *step, const struct table *stored, enum color color)
{
    struct retiree *retiree = &step->list[step->count - 1];
    const struct player *player = stored->seats[color].player;

    if (player == NULL)
        return;
    if (player->kind == PLAYER_GUEST)
        step->guests = player->id > step->guests ? player->id : step->guests;
    else if (player->id != retiree->players[WHITE])
        retiree->players[color] = player->id;
}

/* Takes a match into the step. False when it, or the next one, is for another step or for none. */
static bool add_retiree(void *context, struct table *stored, const struct cause *broken)
{
    struct step *step = context;
    int month = month_of(stored->changed_s);

    if (broken != NULL) {
        record_log_broken(stored->number, broken);
        step->broken = stored->ended;
        return true;
    }
    if (stored->changed_s >= step->before_s || (step->month != 0 && step->month != month))
        return false;
    struct retiree *retiree = &step->list[step->count++];
    *retiree = (struct retiree){
        .number = stored->number, .ended = stored->ended, .is_private = stored->is_private};
    memcpy(retiree->id, stored->id, sizeof retiree->id);
    note_player(step, stored, WHITE);
    note_player(step, stored, BLACK);
    char *pgn = table_pgn(stored);
    buffer_puts(&step->text, pgn);
    buffer_puts(&step->text, "\n");
    free(pgn);
    step->month = month;
    step->plies += stored->match.ply_count;
    return step->plies < STEP_PLIES;
}

static int64_t read_number(struct store *store, const char *sql, struct value value)
{
    struct query *query = database_query(store->database, sql);

    query_bind(query, &value, value.type != VALUE_NULL);
    int64_t found = query_next(query) ? query_integer(query, 0) : 0;
    query_free(query);
    return found;
}

/* Pages that are free are used again before the file grows. */
static bool is_full(struct store *store, int64_t bytes_max)
{
    return bytes_max > 0 &&
           read_number(store,
                       "SELECT (page_count - freelist_count) * page_size"
                       " FROM pragma_page_count, pragma_freelist_count, pragma_page_size",
                       SQL_NULL) > bytes_max;
}

static bool count_for_players(struct query *query, const struct retiree *retiree)
{
    for (int color = WHITE; color <= BLACK; color++) {
        if (retiree->players[color] == 0)
            continue;
        QUERY_BIND(query, SQL_INTEGER(retiree->players[color]), SQL_INTEGER(!retiree->is_private),
                   SQL_INTEGER(retiree->is_private));
        if (!query_run(query))
            return false;
    }
    return true;
}

static bool take_out(struct store *store, const struct step *step)
{
    struct query *retired =
        database_query(store->database, "INSERT INTO retired (id, month) VALUES (?, ?)");
    struct query *of = database_query(
        store->database, "INSERT INTO retired_of (player, public, private) VALUES (?, ?, ?)"
                         " ON CONFLICT (player) DO UPDATE SET public = public + excluded.public,"
                         " private = private + excluded.private");
    bool good = true;

    for (int i = 0; good && i < step->count; i++) {
        const struct retiree *retiree = &step->list[i];
        QUERY_BIND(retired, SQL_TEXT(retiree->id), SQL_INTEGER(step->month));
        good = query_run(retired) && count_for_players(of, retiree) &&
               store_drop(store, retiree->number, retiree->ended);
    }
    query_free(retired);
    query_free(of);
    return good;
}

static bool keep_length(struct store *store, const struct step *step, int64_t bytes, bool is_new)
{
    struct query *query = database_query(
        store->database,
        "INSERT INTO retired_file (month, bytes, matches) VALUES (?1, ?2, ?3) ON CONFLICT (month)"
        " DO UPDATE SET bytes = ?2, matches = iif(?4, 0, matches) + ?3");

    QUERY_BIND(query, SQL_INTEGER(step->month), SQL_INTEGER(bytes), SQL_INTEGER(step->count),
               SQL_INTEGER(is_new));
    bool good = query_run(query);
    query_free(query);
    return good;
}

static bool keep_guests(struct store *store, const struct step *step)
{
    struct query *query = database_query(
        store->database, "UPDATE counter SET guests_retired = max(guests_retired, ?)");

    QUERY_BIND(query, SQL_INTEGER(step->guests));
    bool good = query_run(query);
    query_free(query);
    return good;
}

static bool retire_step(struct store *store, const struct step *step, struct cause *cause)
{
    int64_t bytes = read_number(store, "SELECT bytes FROM retired_file WHERE month = ?",
                                SQL_INTEGER(step->month));
    bool is_new;

    if (!month_append(store->folder, step->month, step->text.bytes, step->text.length, &bytes,
                      &is_new, cause))
        return false;
    bool good = database_begin(store->database) && take_out(store, step) &&
                keep_length(store, step, bytes, is_new) && keep_guests(store, step) &&
                database_commit(store->database);
    if (!good)
        database_rollback(store->database);
    return good || cause_set(cause, "the store: %.150s", database_error(store->database));
}

int store_retire(struct keeper *keeper, const struct retention *retention, struct cause *cause)
{
    struct store *store = (struct store *)keeper;
    struct step step = {.before_s =
                            is_full(store, retention->bytes_max) ? INT64_MAX : retention->before_s,
                        .broken = store->retired_to};
    char where[128];

    if (step.before_s == 0)
        return 0;
    snprintf(where, sizeof where,
             "WHERE m.ended > %" PRId64 " AND m.ended < ? ORDER BY m.ended LIMIT %d",
             store->retired_to, STEP_MATCHES);
    bool good = store_visit(store, where, SQL_INTEGER(retention->before_ended), add_retiree, &step,
                            cause) &&
                (step.count == 0 || retire_step(store, &step, cause));
    if (good)
        store->retired_to = step.broken;
    buffer_release(&step.text);
    return good ? step.count : -1;
}

/* A file that is compared with what the store knows of it. */
struct reading {
    char path[MONTH_PATH_MAX];
    int64_t bytes, matches; /* so far */
    struct buffer match;    /* the lines of the present one */
    bool in_moves;
    text_visit *tell;
    void *context;
};

static void tell_of_match(const struct reading *reading, const char *what)
{
    struct cause cause;

    cause_set(&cause, "%.120s: match %" PRId64 ": %.90s", reading->path, reading->matches, what);
    reading->tell(reading->context, cause.text);
}

/* Replays the match that has been read. */
static void end_read_match(struct reading *reading)
{
    struct pgn_file file;
    struct cause cause;

    if (reading->match.length == 0)
        return;
    reading->matches++;
    if (!pgn_read(&file, reading->match.bytes, reading->match.length, &cause)) {
        tell_of_match(reading, cause.text);
    } else {
        if (file.count != 1 || !pgn_check(&file.matches[0], &cause))
            tell_of_match(reading, file.count == 1 ? cause.text : "not one match");
        pgn_release(&file);
    }
    reading->match.length = 0;
    reading->in_moves = false;
}

static void read_line(struct reading *reading, const char *line, size_t length)
{
    if (line[0] == '[' && reading->in_moves)
        end_read_match(reading);
    reading->in_moves = line[0] != '[' && reading->match.length > 0;
    buffer_add(&reading->match, line, length);
    reading->bytes += (int64_t)length;
}

static void read_month(struct reading *reading, int64_t bytes)
{
    FILE *file = fopen(reading->path, "re");
    char *line = NULL;
    size_t size = 0;
    ssize_t length;

    while (file != NULL && reading->bytes < bytes && (length = getline(&line, &size, file)) > 0)
        read_line(reading, line, (size_t)length);
    end_read_match(reading);
    free(line);
    if (file != NULL)
        fclose(file);
}

static void check_month(struct store *store, int month, int64_t bytes, int64_t matches,
                        text_visit *tell_finding, void *context)
{
    struct reading reading = {.tell = tell_finding, .context = context};
    struct cause cause;

    month_path(store->folder, month, reading.path);
    read_month(&reading, bytes);
    if (reading.bytes != bytes || reading.matches != matches) {
        cause_set(&cause,
                  "%.100s: %" PRId64 " bytes, %" PRId64 " matches instead of %" PRId64 ", %" PRId64,
                  reading.path, reading.bytes, reading.matches, bytes, matches);
        tell_finding(context, cause.text);
    }
    buffer_release(&reading.match);
}

void store_check_retired(struct store *store, text_visit *tell_finding, void *context)
{
    struct query *query =
        database_query(store->database, "SELECT month, bytes, matches FROM retired_file");
    struct cause cause;

    while (query_next(query))
        check_month(store, (int)query_integer(query, 0), query_integer(query, 1),
                    query_integer(query, 2), tell_finding, context);
    if (!store_finish(store, query, &cause))
        tell_finding(context, cause.text);
}

bool store_visit_retired(struct store *store, retired_visit *visit, void *context,
                         struct cause *cause)
{
    struct query *query = database_query(store->database, "SELECT month, bytes FROM retired_file");
    char path[MONTH_PATH_MAX];
    bool good = true;

    while (good && query_next(query)) {
        month_path(store->folder, (int)query_integer(query, 0), path);
        good = visit(context, strrchr(path, '/') + 1, query_integer(query, 1));
    }
    return store_finish(store, query, cause) && good;
}
