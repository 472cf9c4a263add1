/*
 * Backup of a store, also while a server uses it, and restoring one.
 *
 * A server has its store locked, so it makes the copy itself, in small steps, as a file in the
 * directory of the store, and the program that asked for it (net/control.h) takes that to where it
 * belongs. A backup FILE is the database; where matches have been retired, FILE.archive has the
 * files of months.
 */
#ifndef LUDUS_BACKUP_H
#define LUDUS_BACKUP_H

#include <stdbool.h>
#include <time.h>

#include "common/text.h"

struct store;
struct backup;

/* Begins to copy a store that is in use into a file of its directory. What the store keeps
 * meanwhile comes with it. NULL with the cause. */
struct backup *backup_begin(struct store *store, struct cause *cause);

enum backup_state { BACKUP_GOES_ON, BACKUP_DONE, BACKUP_FAILED };

/* Copies for some milliseconds. BACKUP_FAILED comes with the cause. */
enum backup_state backup_step(struct backup *backup, struct cause *cause);

/* Frees it, and removes the copy from the directory. NULL is allowed. */
void backup_free(struct backup *backup);

/* Copies a store that no server uses. NULL with the cause. */
struct backup *backup_make(struct store *store, struct cause *cause);

/* Returns whether a backup may be written to `file`. Files of this store, the database of one that
 * a server uses, or one with a log beside it would be lost; links are not followed. False with the
 * cause. */
bool backup_may_take(const char *folder, const char *file, struct cause *cause);

/* Copies the copy in the directory of a store to `file`, with the files of months beside it, and
 * has all on disk. What was there is replaced once all is written: the months first, which only
 * grow, so that a backup of the same store is whole at any time. The files of other months stay.
 * False with the cause, and then nothing is replaced unless that very step failed. */
bool backup_take(const char *folder, const char *file, struct cause *cause);

enum { BACKUP_WORK_MAX = 4200 }; /* bytes of the path of a directory */

/* Whether a store is there that this process cannot write, such as a mounted backup. */
bool backup_is_read_only(const char *folder);

/* Opens a copy of it, in a new directory of $TMPDIR, whose path is written to `work`. NULL with the
 * cause. */
struct store *backup_open_copy(const char *folder, char work[BACKUP_WORK_MAX], struct cause *cause);

/* Removes the directory of such a copy, which is closed. */
void backup_remove_copy(const char *work);

/* Puts a backup in the place of a store that no server uses, after checking it as `ludusd check`
 * does, and reports on standard output. It is made ready in a new directory, `before-` and the
 * date, and exchanged for what is there: first the files of months, then the database, each at
 * once. So the old files are in that directory then, as they were; where the program is killed
 * between the two, only the old months are. No server can open the store meanwhile. False with the
 * cause, and then all is as before; *locked tells whether a server uses the store. */
bool backup_restore(const char *folder, const char *file, time_t now_s, bool *locked,
                    struct cause *cause);

#endif
