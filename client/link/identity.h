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

#include "common/cause.h"

/* Bytes with the final NUL. */
enum { OWN_NAME_MAX = 25, TOKEN_MAX = 128, RECORD_MAX = 1024 };

enum record { RECORD_FOUND, RECORD_MISSING, RECORD_FAILED };

/* Whether the text has the form of a name. */
bool identity_is_name(const char *text);

/* Writes the path of a file in the state directory, and makes the directory. False, with the
 * cause, when that is not possible. */
bool identity_path(const char *file, char path[PATH_MAX], struct cause *cause);

/* Finds the value of a key. RECORD_FAILED comes with the cause. */
enum record record_load(const char *file, const char *key, char value[RECORD_MAX],
                        struct cause *cause);

/* Adds the record, or replaces the one with its key. False with the cause. */
bool record_save(const char *file, const char *key, const char *value, struct cause *cause);

/* The name the person goes by on this machine, of letters that a server takes; "player" if there
 * is none. From number 2 on the number is added: "anna-2". */
void identity_default_name(int number, char name[OWN_NAME_MAX]);

/* The token kept for that name at that server; false when there is none. */
bool token_load(const char *server, const char *name, char token[TOKEN_MAX]);

/* Keeps it. False, with the cause, when the file could not be written. */
bool token_save(const char *server, const char *name, const char *token, struct cause *cause);

/* Marks the name as in use by this process for as long as it runs, so that a second client of the
 * same person takes another name instead of pushing this one out. False when another process has
 * it; true as well where no such mark can be set. */
bool identity_claim(const char *name);

#endif
