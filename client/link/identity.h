/*
 * The identity of a person: their name, the tokens that prove it, and the files of the state
 * directory, $XDG_STATE_HOME/ludus (~/.local/state/ludus), that outlast the program. Only their
 * owner may read them.
 *
 * A record is a line "KEY VALUE" of such a file. The file tokens has the records "SERVER NAME
 * TOKEN".
 */
#ifndef LUDUS_IDENTITY_H
#define LUDUS_IDENTITY_H

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>

#include "common/text.h"

/* Bytes with the final NUL. */
enum { OWN_NAME_MAX = 25, PLAYER_DISPLAY_MAX = 129, TOKEN_MAX = 128, RECORD_MAX = 1024 };

enum record { RECORD_FOUND, RECORD_MISSING, RECORD_FAILED };

/* Whether the text is a valid name. */
bool identity_is_name(const char *text);

/* Writes the path of a file in the state directory, and creates the directory. False with the
 * cause. */
bool identity_path(const char *file, char path[PATH_MAX], struct cause *cause);

/* Takes a lock of that name, which keeps out other programs of the player on this state directory
 * until it is closed. -1: there is none, and nobody is kept out. */
int identity_lock(const char *file);

/* Finds the value of a key. RECORD_FAILED comes with the cause. */
enum record record_load(const char *file, const char *key, char value[RECORD_MAX],
                        struct cause *cause);

/* Adds the record, or replaces the one with its key. False with the cause. */
bool record_save(const char *file, const char *key, const char *value, struct cause *cause);

/* Removes the record of that key, and the file with its last one. */
void record_drop(const char *file, const char *key);

/* Makes a valid name from the login name; "player" if there is none. From 2 on, the number is
 * appended: "anna-2". */
void identity_default_name(int number, char name[OWN_NAME_MAX]);

/* Loads the token of a name at a server; false if there is none. */
bool token_load(const char *server, const char *name, char token[TOKEN_MAX]);

/* Saves it. False with the cause. */
bool token_save(const char *server, const char *name, const char *token, struct cause *cause);

/* A file that is replaced as a whole: the text goes into a draft beside it, which then takes its
 * place. Readers see the old text or the new one. Only the owner may read the file. */
struct safe_file {
    FILE *draft; /* to write to */
    const char *path;
    char draft_path[PATH_MAX + 8];
};

/* Begins to replace the file `path`, which is borrowed until safe_file_keep(). False with errno. */
bool safe_file_open(struct safe_file *file, const char *path);

/* Puts the draft in the place of the file. False with errno when this or an earlier write failed;
 * the file is then unchanged, and the draft is deleted. */
bool safe_file_keep(struct safe_file *file);

#endif
