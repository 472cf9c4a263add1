#include "sqlite.h"

#include <assert.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/xmalloc.h"

struct query {
    struct database *database;
    sqlite3_stmt *statement; /* NULL: it could not be prepared */
    bool failed;             /* preparing it, or the last step */
    struct query *next;
};

struct database {
    sqlite3 *sqlite;
    struct query *queries;
    struct query *begin, *commit;
    char *wal_path;  /* owned */
    struct stat wal; /* as the first transaction found it */
    int wal_file;    /* to have it written early; -1: not open */
    int wal_parts;   /* that were */
    char error[256];
};

/* Returns whether a call succeeded, and keeps the reason if it did not. */
static bool note(struct database *database, int code)
{
    if (code == SQLITE_OK || code == SQLITE_DONE || code == SQLITE_ROW)
        return true;
    if (code == SQLITE_NOMEM || sqlite3_extended_errcode(database->sqlite) == SQLITE_IOERR_NOMEM)
        xmalloc_end();
    snprintf(database->error, sizeof database->error, "%s (%d)", sqlite3_errmsg(database->sqlite),
             sqlite3_extended_errcode(database->sqlite));
    return false;
}

static bool run_sql(struct database *database, const char *sql)
{
    return note(database, sqlite3_exec(database->sqlite, sql, NULL, NULL, NULL));
}

/* Sets the cause for a database that cannot be used. */
static bool refuse(const struct database *database, const char *path, struct cause *cause)
{
    const char *why;

    if (sqlite3_db_readonly(database->sqlite, "main") == 1)
        return cause_set(cause, "%.120s: read-only", path);
    switch (sqlite3_errcode(database->sqlite)) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        why = "another ludusd is using it: stop that one, or choose another directory";
        break;
    case SQLITE_CORRUPT:
        why = "damaged file";
        break;
    case SQLITE_NOTADB:
        why = "not a database of ludusd";
        break;
    case SQLITE_FULL:
        why = "disk full";
        break;
    case SQLITE_CANTOPEN:
        why = "cannot be opened or created";
        break;
    default:
        why = sqlite3_errmsg(database->sqlite);
    }
    return cause_set(cause, "%.120s: %.100s", path, why);
}

/* Returns the number that a pragma or another query gives; -1 on failure. */
static int64_t number(struct database *database, const char *sql)
{
    struct query *query = database_query(database, sql);
    int64_t value = query_next(query) ? query_integer(query, 0) : -1;

    query_free(query);
    return value;
}

/* Finds the version of the file; 0: it is new. False with the cause: this server cannot use it. */
static bool read_version(struct database *database, const char *path, const struct schema *schema,
                         int newest, int *version, struct cause *cause)
{
    int64_t found = number(database, "PRAGMA user_version");
    int64_t mark = number(database, "PRAGMA application_id");
    int64_t tables = number(database, "SELECT count(*) FROM sqlite_schema");

    *version = (int)found;
    if (found < 0 || mark < 0 || tables < 0)
        return refuse(database, path, cause);
    if (found == 0 && tables == 0)
        return true;
    if (mark != schema->mark)
        return cause_set(cause, "%.120s: not a database of ludusd", path);
    if (found > newest)
        return cause_set(cause,
                         "%.120s: written by a newer ludusd (version %d, this one reads up to %d)",
                         path, *version, newest);
    return found >= schema->first ||
           cause_set(cause,
                     "%.120s: written by an older ludusd (version %d, this one reads %d and up): "
                     "start ludusd 0.1.0 of revision be9ede2d once, which converts it",
                     path, *version, schema->first);
}

/* Takes the steps that the file lacks. */
static bool take_steps(struct database *database, const struct schema *schema, int version,
                       int newest)
{
    char numbers[96];
    int from = version > 0 ? version - schema->first + 1 : 0;

    /* Setting the mark also proves that the file can be written. */
    snprintf(numbers, sizeof numbers, "PRAGMA application_id = %d; PRAGMA user_version = %d",
             (int)schema->mark, newest);
    if (!run_sql(database, "BEGIN IMMEDIATE"))
        return false;
    for (const char *const *step = schema->steps + from; *step != NULL; step++)
        if (!run_sql(database, *step))
            return false;
    return run_sql(database, numbers) && run_sql(database, "COMMIT");
}

enum { QUICK_CHECK_MAX = 256 << 20 }; /* bytes that are read in a second or less */

/* Returns whether the file is undamaged; sets the cause to the first finding if not. Believes it of
 * a large file: what is damaged there is found when it is read. */
static bool is_whole(struct database *database, const char *path, struct cause *cause)
{
    if (number(database, "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size") >
        QUICK_CHECK_MAX)
        return true;
    struct query *query = database_query(
        database, "SELECT quick_check FROM pragma_quick_check(1) WHERE quick_check <> 'ok'");
    const char *finding = query_next(query) ? query_text(query, 0) : NULL;

    if (query_failed(query))
        finding = database->error;
    if (finding != NULL) {
        const char *last_line = strrchr(finding, '\n');
        cause_set(cause, "%.120s: damaged file: %.100s", path,
                  last_line != NULL ? last_line + 1 : finding);
    }
    query_free(query);
    return finding == NULL;
}

static bool is_locked(const struct database *database)
{
    int code = sqlite3_errcode(database->sqlite);

    return code == SQLITE_BUSY || code == SQLITE_LOCKED;
}

/* Makes a file that only its owner may read, if there is none. SQLite tells what is wrong, and
 * gives the log the same rights. */
static void make_private(const char *path)
{
    int file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

    if (file >= 0)
        close(file);
}

/* Opens a file that is locked from then on, and finds its version. False with the cause. */
static bool open_file(struct database *database, const char *path, const struct schema *schema,
                      int newest, int *version, struct cause *cause)
{
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
    struct stat wal;

    make_private(path);
    /* The first read takes the lock for good; WAL then needs no shared memory. */
    if (!note(database, sqlite3_open_v2(path, &database->sqlite, flags, NULL)) ||
        !run_sql(database, "PRAGMA locking_mode = EXCLUSIVE"))
        return refuse(database, path, cause);
    if (read_version(database, path, schema, newest, version, cause))
        return true;
    /* It stays as it is, with what its log has; an empty one goes. */
    if (stat(database->wal_path, &wal) == 0 && wal.st_size > 0)
        sqlite3_db_config(database->sqlite, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
    return false;
}

enum {
    WAL_PAGES = 4000, /* 16 MiB: pages that change often go to the file less often */
    WAL_PART_PAGES = 100
};

/* Moves the log into the file when it is long. SQLite waits for the disk before, and whoever plays
 * waits with it: so the disk begins early, part by part, to write the log. */
static int check_log(void *context, sqlite3 *sqlite, const char *name, int pages)
{
    struct database *database = context;

    if (pages >= WAL_PAGES)
        sqlite3_wal_checkpoint(sqlite, name); /* one that fails is tried again */
    else if (pages / WAL_PART_PAGES != database->wal_parts)
        sync_file_range(database->wal_file, 0, 0, SYNC_FILE_RANGE_WRITE); /* it may fail, too */
    database->wal_parts = pages / WAL_PART_PAGES;
    return SQLITE_OK;
}

/* Makes the file ready to be written. False with the cause. */
static bool prepare(struct database *database, const char *path, enum durability durability,
                    const struct schema *schema, int version, int newest, struct cause *cause)
{
    return (run_sql(database, "PRAGMA journal_mode = WAL;"
                              "PRAGMA foreign_keys = ON; PRAGMA temp_store = MEMORY") &&
            run_sql(database, durability == DURABILITY_POWER ? "PRAGMA synchronous = FULL"
                                                             : "PRAGMA synchronous = NORMAL") &&
            take_steps(database, schema, version, newest)) ||
           refuse(database, path, cause);
}

/* The version that all steps lead to. */
static int newest_version(const struct schema *schema)
{
    int newest = schema->first - 1;

    for (const char *const *step = schema->steps; *step != NULL; step++)
        newest++;
    return newest;
}

static struct database *new_database(const char *path)
{
    struct database *database = xcalloc(1, sizeof *database);
    size_t wal_size = strlen(path) + sizeof "-wal";

    database->wal_file = -1;
    database->wal_path = xmalloc(wal_size);
    snprintf(database->wal_path, wal_size, "%s-wal", path);
    /* Counting memory under a lock costs as much as taking it. A second call has no effect. */
    sqlite3_config(SQLITE_CONFIG_SINGLETHREAD);
    sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
    return database;
}

struct database *database_hold(const char *path, const struct schema *schema, struct cause *cause)
{
    struct database *database = new_database(path);
    int version = 0;

    if (open_file(database, path, schema, newest_version(schema), &version, cause))
        return database;
    database_close(database);
    return NULL;
}

struct database *database_open(const char *path, enum durability durability,
                               const struct schema *schema, bool *locked, struct cause *cause)
{
    struct database *database = new_database(path);
    int version = 0, newest = newest_version(schema);

    if (!open_file(database, path, schema, newest, &version, cause) ||
        !prepare(database, path, durability, schema, version, newest, cause) ||
        !is_whole(database, path, cause)) {
        if (locked != NULL)
            *locked = is_locked(database);
        database_close(database);
        return NULL;
    }
    database->wal_file = open(database->wal_path, O_RDONLY | O_CLOEXEC);
    sqlite3_wal_hook(database->sqlite, check_log, database);
    database->begin = database_query(database, "BEGIN IMMEDIATE");
    database->commit = database_query(database, "COMMIT");
    return database;
}

void database_close(struct database *database)
{
    if (database == NULL)
        return;
    while (database->queries != NULL)
        query_free(database->queries);
    sqlite3_close(database->sqlite);
    if (database->wal_file >= 0)
        close(database->wal_file);
    free(database->wal_path);
    free(database);
}

bool database_is_used(const char *path)
{
    /* The bytes that SQLite locks: https://www.sqlite.org/src/file/src/os.h, PENDING_BYTE. */
    struct flock lock = {
        .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = 0x40000000, .l_len = 512};
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    bool used = descriptor >= 0 && fcntl(descriptor, F_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;

    if (descriptor >= 0)
        close(descriptor);
    return used;
}

bool database_leave_log(struct database *database)
{
    return number(database, "PRAGMA wal_checkpoint(TRUNCATE)") == 0 &&
           note(database,
                sqlite3_db_config(database->sqlite, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL));
}

const char *database_error(const struct database *database)
{
    return database->error;
}

/* Reports each row of a query, and its failure. */
static void verify_by(struct database *database, const char *sql,
                      void (*tell)(void *context, const char *finding), void *context)
{
    struct query *query = database_query(database, sql);

    while (query_next(query))
        tell(context, query_text(query, 0));
    if (query_failed(query))
        tell(context, database->error);
    query_free(query);
}

void database_verify(struct database *database, void (*tell)(void *context, const char *finding),
                     void *context)
{
    verify_by(database,
              "SELECT integrity_check FROM pragma_integrity_check(20)"
              " WHERE integrity_check <> 'ok'",
              tell, context);
    verify_by(database,
              "SELECT 'a row of ' || \"table\" || ' refers to a missing row of ' || parent"
              " FROM pragma_foreign_key_check LIMIT 20",
              tell, context);
}

struct database_copy {
    sqlite3 *target;
    sqlite3_backup *backup;
    const char *path; /* borrowed */
    bool done;
};

struct database_copy *database_copy_begin(struct database *database, const char *path,
                                          struct cause *cause)
{
    struct database_copy *copy = xcalloc(1, sizeof *copy);
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;

    copy->path = path;
    make_private(path);
    if (sqlite3_open_v2(path, &copy->target, flags, NULL) == SQLITE_OK &&
        sqlite3_exec(copy->target, "PRAGMA journal_mode = OFF", NULL, NULL, NULL) == SQLITE_OK)
        copy->backup = sqlite3_backup_init(copy->target, "main", database->sqlite, "main");
    if (copy->backup != NULL)
        return copy;
    cause_set(cause, "%.120s: %.70s", path, sqlite3_errmsg(copy->target));
    database_copy_end(copy);
    return NULL;
}

bool database_copy_step(struct database_copy *copy, int pages, bool *done, struct cause *cause)
{
    int code = sqlite3_backup_step(copy->backup, pages);

    *done = copy->done = code == SQLITE_DONE;
    return *done || code == SQLITE_OK || code == SQLITE_BUSY || code == SQLITE_LOCKED ||
           cause_set(cause, "%.120s: %.70s", copy->path, sqlite3_errstr(code));
}

bool database_copy_end(struct database_copy *copy)
{
    bool good = sqlite3_backup_finish(copy->backup) == SQLITE_OK && copy->done;

    good = sqlite3_close(copy->target) == SQLITE_OK && good;
    free(copy);
    return good;
}

/* Returns whether the write-ahead log is the file that the first transaction found. */
static bool wal_is_in_place(struct database *database)
{
    struct stat found, *first = &database->wal;

    if (stat(database->wal_path, &found) != 0)
        return false;
    if (first->st_ino == 0)
        *first = found;
    return found.st_ino == first->st_ino && found.st_dev == first->st_dev;
}

/* Returns whether the files are still where they were opened: writes to a file that was moved or
 * deleted would be missing after the next start. */
static bool is_in_place(struct database *database)
{
    int moved = 0;

    if (sqlite3_file_control(database->sqlite, "main", SQLITE_FCNTL_HAS_MOVED, &moved) ==
            SQLITE_OK &&
        !moved && wal_is_in_place(database))
        return true;
    snprintf(database->error, sizeof database->error, "a file was moved or deleted");
    return false;
}

void database_rollback(struct database *database)
{
    if (!sqlite3_get_autocommit(database->sqlite)) /* else SQLite has rolled back */
        sqlite3_exec(database->sqlite, "ROLLBACK", NULL, NULL, NULL);
}

bool database_begin(struct database *database)
{
    database_rollback(database);
    return is_in_place(database) && query_run(database->begin);
}

bool database_commit(struct database *database)
{
    return query_run(database->commit);
}

struct query *database_query(struct database *database, const char *sql)
{
    struct query *query = xcalloc(1, sizeof *query);

    query->database = database;
    query->failed =
        !note(database, sqlite3_prepare_v3(database->sqlite, sql, -1, SQLITE_PREPARE_PERSISTENT,
                                           &query->statement, NULL));
    query->next = database->queries;
    database->queries = query;
    return query;
}

void query_free(struct query *query)
{
    struct query **link = &query->database->queries;

    while (*link != query)
        link = &(*link)->next;
    *link = query->next;
    sqlite3_finalize(query->statement);
    free(query);
}

static int bind(sqlite3_stmt *statement, int place, const struct value *value)
{
    switch (value->type) {
    case VALUE_INTEGER:
        return sqlite3_bind_int64(statement, place, value->integer);
    case VALUE_REAL:
        return sqlite3_bind_double(statement, place, value->real);
    case VALUE_TEXT:
        return sqlite3_bind_text(statement, place, value->bytes, -1, SQLITE_STATIC);
    case VALUE_BLOB:
        return sqlite3_bind_blob64(statement, place, value->bytes, value->length, SQLITE_STATIC);
    default:
        return SQLITE_OK; /* it is null: query_finish() has cleared all of them */
    }
}

void query_bind(struct query *query, const struct value values[], int count)
{
    for (int i = 0; query->statement != NULL && i < count; i++) {
        int code = bind(query->statement, i + 1, &values[i]);
        if (code == SQLITE_NOMEM)
            xmalloc_end();
        assert(code == SQLITE_OK);
    }
}

bool query_run(struct query *query)
{
    bool rows = query_next(query);

    if (rows)
        query_finish(query);
    return !rows && !query->failed;
}

bool query_run_one(struct query *query)
{
    struct database *database = query->database;

    if (!query_run(query))
        return false;
    if (sqlite3_changes(database->sqlite) == 1)
        return true;
    snprintf(database->error, sizeof database->error, "a row is missing");
    return false;
}

bool query_next(struct query *query)
{
    if (query->statement == NULL)
        return false;
    int code = sqlite3_step(query->statement);
    query->failed = !note(query->database, code);
    if (code == SQLITE_ROW)
        return true;
    query_finish(query);
    return false;
}

bool query_failed(const struct query *query)
{
    return query->failed;
}

void query_finish(struct query *query)
{
    if (query->statement == NULL)
        return;
    sqlite3_reset(query->statement);
    sqlite3_clear_bindings(query->statement); /* they point to the caller's texts */
}

int64_t query_integer(struct query *query, int column)
{
    return sqlite3_column_int64(query->statement, column);
}

double query_real(struct query *query, int column)
{
    return sqlite3_column_double(query->statement, column);
}

/* Ends the program if there was no memory for a value, which must not pass for an empty one. */
static void check_taken(const struct query *query)
{
    if (sqlite3_errcode(query->database->sqlite) == SQLITE_NOMEM)
        xmalloc_end();
}

const char *query_text(struct query *query, int column)
{
    const unsigned char *text = sqlite3_column_text(query->statement, column);

    check_taken(query);
    return text != NULL ? (const char *)text : "";
}

struct value query_value(struct query *query, int column)
{
    switch (sqlite3_column_type(query->statement, column)) {
    case SQLITE_INTEGER:
        return SQL_INTEGER(sqlite3_column_int64(query->statement, column));
    case SQLITE_FLOAT:
        return SQL_REAL(sqlite3_column_double(query->statement, column));
    case SQLITE_TEXT:
        return SQL_TEXT(query_text(query, column));
    case SQLITE_BLOB:
        return SQL_BLOB(sqlite3_column_blob(query->statement, column),
                        (size_t)sqlite3_column_bytes(query->statement, column));
    default:
        return SQL_NULL;
    }
}
