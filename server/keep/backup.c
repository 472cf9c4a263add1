#include "backup.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "common/xmalloc.h"
#include "maintain.h"
#include "server/base/folder.h"
#include "store.h"

enum { STEP_PAGES = 256, /* a megabyte */ PATH_MAX_BYTES = FOLDER_TEXT_MAX + 300 };

static const char copy_name[] = "backup.db";

struct backup {
    struct database_copy *copy;
    char path[PATH_MAX_BYTES];
};

/* Writes FOLDER/NAME. Of what is too long nothing is there. */
static const char *in_folder(char path[PATH_MAX_BYTES], const char *folder, const char *name)
{
    if (snprintf(path, PATH_MAX_BYTES, "%s/%s", folder, name) >= PATH_MAX_BYTES)
        path[0] = '\0';
    return path;
}

static bool fail_at(struct cause *cause, const char *path)
{
    return cause_set(cause, "%.120s: %.70s", path, strerror(errno));
}

struct backup *backup_begin(struct store *store, struct cause *cause)
{
    struct backup *backup = xcalloc(1, sizeof *backup);

    in_folder(backup->path, store->folder, copy_name);
    if (unlink(backup->path) == 0 || errno == ENOENT)
        backup->copy = database_copy_begin(store->database, backup->path, cause);
    else
        fail_at(cause, backup->path);
    if (backup->copy != NULL)
        return backup;
    backup_free(backup);
    return NULL;
}

enum backup_state backup_step(struct backup *backup, struct cause *cause)
{
    bool done;

    if (!database_copy_step(backup->copy, STEP_PAGES, &done, cause))
        return BACKUP_FAILED;
    if (!done)
        return BACKUP_GOES_ON;
    bool good = database_copy_end(backup->copy);
    backup->copy = NULL;
    if (good)
        return BACKUP_DONE;
    cause_set(cause, "%.120s: cannot be written", backup->path);
    return BACKUP_FAILED;
}

void backup_free(struct backup *backup)
{
    if (backup == NULL)
        return;
    if (backup->copy != NULL)
        database_copy_end(backup->copy);
    unlink(backup->path);
    free(backup);
}

struct backup *backup_make(struct store *store, struct cause *cause)
{
    struct backup *backup = backup_begin(store, cause);
    enum backup_state state = BACKUP_GOES_ON;

    while (backup != NULL && state == BACKUP_GOES_ON)
        state = backup_step(backup, cause);
    if (state != BACKUP_FAILED)
        return backup;
    backup_free(backup);
    return NULL;
}

/* Writes the directory of a file. */
static const char *parent_of(char parent[PATH_MAX_BYTES], const char *path)
{
    const char *slash = strrchr(path, '/');

    snprintf(parent, PATH_MAX_BYTES, "%.*s", slash > path ? (int)(slash - path) : 1,
             slash != NULL ? path : ".");
    return parent;
}

/* Syncs the folder of a file, so that the entry is on disk. */
static bool sync_parent(const char *path)
{
    char parent[PATH_MAX_BYTES];

    return folder_sync(parent_of(parent, path));
}

static bool copy_bytes(int from, int to, int64_t most)
{
    char bytes[1 << 16];
    ssize_t length = 0;

    for (; most > 0; most -= length) {
        length = read(from, bytes, most < (int64_t)sizeof bytes ? (size_t)most : sizeof bytes);
        if (length <= 0)
            break;
        for (ssize_t done = 0, now; done < length; done += now)
            if ((now = write(to, bytes + done, (size_t)(length - done))) < 0)
                return false;
    }
    return length >= 0 && fsync(to) == 0;
}

/* Copies at most `most` bytes of a file into a new one, and has them on disk. */
static bool copy_file(const char *from, const char *to, int64_t most, struct cause *cause)
{
    int source = open(from, O_RDONLY | O_CLOEXEC);

    if (source < 0)
        return fail_at(cause, from);
    int target = open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    bool good =
        (target >= 0 && copy_bytes(source, target, most) && sync_parent(to)) || fail_at(cause, to);
    if (target >= 0)
        close(target);
    close(source);
    return good;
}

/* Whether two names are of one file or directory. */
static bool is_same_file(const char *one, const char *other)
{
    struct stat a, b;

    return stat(one, &a) == 0 && stat(other, &b) == 0 && a.st_dev == b.st_dev &&
           a.st_ino == b.st_ino;
}

/* Whether a file has been copied: another one has its bytes. */
static bool is_copied(const char *from, const char *to)
{
    char bytes[1 << 16], others[sizeof bytes];
    int source = open(from, O_RDONLY | O_CLOEXEC), target = open(to, O_RDONLY | O_CLOEXEC);
    bool same = source >= 0 && target >= 0 && !is_same_file(from, to);
    ssize_t length = 1;

    while (same && length > 0) {
        length = read(source, bytes, sizeof bytes);
        same = length >= 0 && read(target, others, sizeof others) == length &&
               memcmp(bytes, others, (size_t)length) == 0;
    }
    if (source >= 0)
        close(source);
    if (target >= 0)
        close(target);
    return same;
}

static bool is_month(const char *name)
{
    return strlen(name) == strlen("2026-11.pgn") && strstr(name, ".pgn") != NULL;
}

/* Returns the next entry of a directory; NULL at its end and, with *good false, when that fails. */
static struct dirent *next_entry(DIR *directory, const char *path, bool *good, struct cause *cause)
{
    errno = 0;
    struct dirent *entry = readdir(directory);
    if (entry == NULL && errno != 0)
        *good = fail_at(cause, path);
    return entry;
}

/* Copies the files of months, if there are any, that are not in a backup as they are, into a new
 * directory. */
static bool draft_months(const char *from, const char *backup, const char *to, struct cause *cause)
{
    char source[PATH_MAX_BYTES], target[PATH_MAX_BYTES], old[PATH_MAX_BYTES];
    DIR *directory = opendir(from);
    struct dirent *entry;

    if (directory == NULL)
        return errno == ENOENT || fail_at(cause, from);
    bool good = mkdir(to, 0700) == 0 || fail_at(cause, to);
    while (good && (entry = next_entry(directory, from, &good, cause)) != NULL)
        if (is_month(entry->d_name) && !is_copied(in_folder(source, from, entry->d_name),
                                                  in_folder(old, backup, entry->d_name)))
            good = copy_file(source, in_folder(target, to, entry->d_name), INT64_MAX, cause);
    closedir(directory);
    return good;
}

/* Moves the files of months, if there are any, into a directory that is made for them. */
static bool place_months(const char *from, const char *to, struct cause *cause)
{
    char source[PATH_MAX_BYTES], target[PATH_MAX_BYTES];
    DIR *directory = opendir(from);
    struct dirent *entry;

    if (directory == NULL)
        return errno == ENOENT || fail_at(cause, from);
    bool good = mkdir(to, 0700) == 0 || errno == EEXIST || fail_at(cause, to);
    while (good && (entry = next_entry(directory, from, &good, cause)) != NULL)
        if (is_month(entry->d_name))
            good = rename(in_folder(source, from, entry->d_name),
                          in_folder(target, to, entry->d_name)) == 0 ||
                   fail_at(cause, target);
    closedir(directory);
    return good && ((folder_sync(to) && sync_parent(to)) || fail_at(cause, to));
}

/* Returns the end of the name of a file beside a database that has changes it lacks, or NULL. What
 * has the end -shm has nothing that lasts. */
static const char *log_beside(const char *file)
{
    static const char *const ends[] = {"-wal", "-journal"};
    char path[PATH_MAX_BYTES];
    struct stat found;

    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        snprintf(path, sizeof path, "%s%s", file, ends[i]);
        if (stat(path, &found) == 0 && found.st_size > 0)
            return ends[i];
    }
    return NULL;
}

bool backup_may_take(const char *folder, const char *file, struct cause *cause)
{
    char parent[PATH_MAX_BYTES], months[PATH_MAX_BYTES], beside[PATH_MAX_BYTES];
    struct stat found;

    in_folder(months, folder, "archive");
    snprintf(beside, sizeof beside, "%s.archive", file);
    parent_of(parent, file);
    if (is_same_file(parent, folder) || is_same_file(parent, months) ||
        is_same_file(beside, months))
        return cause_set(cause, "%.120s: it is in the store: name a file elsewhere", file);
    if (lstat(file, &found) == 0 && !S_ISREG(found.st_mode))
        return cause_set(cause, "%.120s: not a file", file);
    if (lstat(beside, &found) == 0 && !S_ISDIR(found.st_mode))
        return cause_set(cause, "%.120s: not a directory", beside);
    if (database_is_used(file))
        return cause_set(cause, "%.120s: a server is using it", file);
    const char *log = log_beside(file);
    return log == NULL ||
           cause_set(cause,
                     "%.100s: its %s has changes that it lacks, as in a store: name another file",
                     file, log);
}

bool backup_take(const char *folder, const char *file, struct cause *cause)
{
    char copy[PATH_MAX_BYTES], months[PATH_MAX_BYTES], beside[PATH_MAX_BYTES];
    char work[PATH_MAX_BYTES], draft[PATH_MAX_BYTES], drafts[PATH_MAX_BYTES];

    snprintf(beside, sizeof beside, "%s.archive", file);
    snprintf(work, sizeof work, "%s.XXXXXX", file);
    if (mkdtemp(work) == NULL)
        return fail_at(cause, file);
    bool good = copy_file(in_folder(copy, folder, copy_name), in_folder(draft, work, "ludus.db"),
                          INT64_MAX, cause);
    unlink(copy); /* at once: its space may be needed */
    good = good &&
           draft_months(in_folder(months, folder, "archive"), beside,
                        in_folder(drafts, work, "archive"), cause) &&
           place_months(drafts, beside, cause) &&
           ((rename(draft, file) == 0 && sync_parent(file)) || fail_at(cause, file));
    backup_remove_copy(work);
    return good;
}

/* Removes the files of months of a copy, or the link to them. */
static void remove_months(const char *work)
{
    char folder[PATH_MAX_BYTES], path[PATH_MAX_BYTES];
    struct dirent *entry;

    if (unlink(in_folder(folder, work, "archive")) == 0)
        return;
    DIR *directory = opendir(folder);
    while (directory != NULL && (entry = readdir(directory)) != NULL)
        if (is_month(entry->d_name))
            unlink(in_folder(path, folder, entry->d_name));
    if (directory != NULL)
        closedir(directory);
    rmdir(folder);
}

void backup_remove_copy(const char *work)
{
    static const char *const names[] = {"ludus.db", "ludus.db-wal"};
    char path[PATH_MAX_BYTES];

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        unlink(in_folder(path, work, names[i]));
    remove_months(work);
    rmdir(work);
}

bool backup_is_read_only(const char *folder)
{
    char path[PATH_MAX_BYTES];

    in_folder(path, folder, "ludus.db");
    return access(path, R_OK) == 0 && (access(path, W_OK) != 0 || access(folder, W_OK) != 0);
}

struct store *backup_open_copy(const char *folder, char work[BACKUP_WORK_MAX], struct cause *cause)
{
    static const char *const names[] = {"ludus.db", "ludus.db-wal"};
    const char *top = getenv("TMPDIR");
    char from[PATH_MAX_BYTES], to[PATH_MAX_BYTES];
    struct store *store = NULL;
    bool good = true;

    if (database_is_used(in_folder(from, folder, "ludus.db"))) {
        cause_set(cause, "%.120s: a server is using it", from);
        return NULL;
    }
    snprintf(work, BACKUP_WORK_MAX, "%s/ludus-XXXXXX", top != NULL ? top : "/tmp");
    if (mkdtemp(work) == NULL) { /* or it has been cut */
        fail_at(cause, work);
        return NULL;
    }
    for (size_t i = 0; good && i < sizeof names / sizeof names[0]; i++)
        if (access(in_folder(from, folder, names[i]), F_OK) == 0)
            good = copy_file(from, in_folder(to, work, names[i]), INT64_MAX, cause);
    char *real = realpath(folder, NULL);
    if (good)
        good = (real != NULL &&
                symlink(in_folder(from, real, "archive"), in_folder(to, work, "archive")) == 0) ||
               fail_at(cause, folder);
    free(real);
    if (good)
        store = store_open_existing(work, cause);
    if (store == NULL)
        backup_remove_copy(work);
    return store;
}

/* ---- Restoring ---- */

/* Whether a file may be restored as the store whose database is `path`. */
static bool may_restore(const char *path, const char *file, struct cause *cause)
{
    if (database_is_used(file))
        return cause_set(cause, "%.120s: not restored: a server is using it", file);
    const char *log = log_beside(file);
    if (log != NULL)
        return cause_set(cause,
                         "%.90s: not restored: its %s has changes that it lacks, as in a store: "
                         "serve that with --data",
                         file, log);
    return !is_same_file(path, file) ||
           cause_set(cause, "%.120s: not restored: it is the store", file);
}

struct known_months {
    const char *from, *to;
    struct cause *cause;
};

/* Copies what a store knows of the file of a month. */
static bool copy_known(void *context, const char *name, int64_t bytes)
{
    const struct known_months *months = context;
    char source[PATH_MAX_BYTES], target[PATH_MAX_BYTES];

    if (access(in_folder(source, months->from, name), F_OK) != 0)
        return cause_set(months->cause, "%.120s: missing: not restored without it", source);
    if (mkdir(months->to, 0700) != 0 && errno != EEXIST)
        return fail_at(months->cause, months->to);
    return copy_file(source, in_folder(target, months->to, name), bytes, months->cause);
}

/* Makes a store of the backup in a directory of its own, with the months that it knows: those
 * beside the backup, or else those in `folder`. Checks it. */
static bool make_restored(const char *folder, const char *file, const char *work,
                          struct cause *cause)
{
    char path[PATH_MAX_BYTES], from[PATH_MAX_BYTES];
    struct known_months months = {.from = from, .to = path, .cause = cause};
    struct cause why;

    if (!copy_file(file, in_folder(path, work, "ludus.db"), INT64_MAX, cause))
        return false;
    struct store *store = store_open_existing(work, &why);
    if (store == NULL) { /* of the file that was given, not of its copy */
        const char *reason = strstr(why.text, "ludus.db: ");
        return cause_set(cause, "%.100s: not restored: %.80s", file,
                         reason != NULL ? reason + strlen("ludus.db: ") : why.text);
    }
    snprintf(from, sizeof from, "%s.archive", file);
    if (access(from, F_OK) != 0)
        in_folder(from, folder, "archive");
    in_folder(path, work, "archive");
    bool good = store_visit_retired(store, copy_known, &months, cause);
    const struct archive archive = store_archive(store);
    if (good && maintain_check(&archive, MAINTAIN_RESTORE) != 0)
        good = cause_set(cause, "%.120s: not restored: it is damaged", file);
    store_close(store);
    return good;
}

/* Exchanges two files or directories, either of which may be missing, at once. */
static bool exchange(const char *one_folder, const char *other_folder, const char *name)
{
    char one[PATH_MAX_BYTES], other[PATH_MAX_BYTES];
    bool has_one = access(in_folder(one, one_folder, name), F_OK) == 0;
    bool has_other = access(in_folder(other, other_folder, name), F_OK) == 0;

    if (!has_one && !has_other)
        return true;
    unsigned flags = has_one && has_other ? RENAME_EXCHANGE : RENAME_NOREPLACE;
    return renameat2(AT_FDCWD, has_other ? other : one, AT_FDCWD, has_other ? one : other, flags) ==
           0;
}

/* Exchanges the store in a directory for the one in `work`. `old` keeps every server away
 * meanwhile; NULL: none can open what is there, or there is nothing. */
static bool exchange_stores(const char *folder, const char *work, struct database *old,
                            struct cause *cause)
{
    char from[PATH_MAX_BYTES], to[PATH_MAX_BYTES];

    in_folder(from, folder, "ludus.db-wal");
    if (old != NULL && !database_leave_log(old))
        return cause_set(cause, "%.120s: %.70s", folder, database_error(old));
    if (old == NULL && rename(from, in_folder(to, work, "ludus.db-wal")) != 0 && errno != ENOENT)
        return fail_at(cause, from);
    bool moved = exchange(folder, work, "archive");
    if (moved && exchange(folder, work, "ludus.db")) {
        if (!folder_sync(work) || !folder_sync(folder))
            fprintf(stderr, "ludusd: %s: %s\n", folder, strerror(errno));
        return true;
    }
    fail_at(cause, folder);
    if (moved)
        exchange(folder, work, "archive");
    if (old == NULL)
        rename(to, from);
    return false;
}

bool backup_restore(const char *folder, const char *file, time_t now_s, bool *locked,
                    struct cause *cause)
{
    char work[PATH_MAX_BYTES], path[PATH_MAX_BYTES];
    struct database *old = NULL;
    struct cause unused;
    struct tm date;

    if (!folder_make(folder, cause))
        return false;
    in_folder(path, folder, "ludus.db");
    if (!may_restore(path, file, cause))
        return false;
    if (!database_is_used(path))
        old = store_hold(folder, &unused);
    *locked = old == NULL && database_is_used(path);
    if (*locked)
        return cause_set(cause, "%.120s: a server is using it: stop that one first", folder);
    gmtime_r(&now_s, &date);
    size_t length = (size_t)snprintf(work, sizeof work, "%s/before-", folder);
    strftime(work + length, sizeof work - length, "%Y-%m-%dT%H%M%SZ", &date);
    if (mkdir(work, 0700) != 0) {
        database_close(old);
        return fail_at(cause, work);
    }
    bool made = make_restored(folder, file, work, cause);
    bool good = made && exchange_stores(folder, work, old, cause);
    database_close(old);
    if (good)
        printf("ludusd: restored; what was there before is in %s\n", work);
    if (!made) /* else it may have files of the old store */
        backup_remove_copy(work);
    return good;
}
