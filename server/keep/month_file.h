/*
 * Files of matches by month, as PGN: DIR/archive/2026-11.pgn. Matches are only appended.
 *
 * Whoever appends also keeps how long the file is, in a transaction after that. A process that ends
 * in between leaves a tail, which the next one writes again in its place.
 */
#ifndef LUDUS_MONTH_FILE_H
#define LUDUS_MONTH_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "common/cause.h"
#include "server/base/folder.h"

enum { MONTH_PATH_MAX = FOLDER_TEXT_MAX + 32 };

/* Returns the month of a date, UTC, such as 202611. */
int month_of(time_t date_s);

/* Writes the path of the file of a month, in a directory. */
void month_path(const char *folder, int month, char path[MONTH_PATH_MAX]);

/* Appends a text to the file of a month, which is *bytes long, and has it on disk. Sets *bytes to
 * the new length. A file that is missing begins anew, and *is_new is true. False with the cause,
 * such as a file that is shorter, or that goes on with something else. */
bool month_append(const char *folder, int month, const char *text, size_t length, int64_t *bytes,
                  bool *is_new, struct cause *cause);

#endif
