/*
 * Who the person at this terminal is to a server: a name, the token that proves it, and the
 * files that keep tokens from one start of the program to the next.
 *
 * The tokens are in $XDG_STATE_HOME/ludus/tokens (~/.local/state/ludus/tokens), readable by their
 * owner only, a line "SERVER NAME TOKEN" each. Nothing here talks to the server.
 */
#ifndef LUDUS_IDENTITY_H
#define LUDUS_IDENTITY_H

#include <limits.h>
#include <stdbool.h>

#include "common/cause.h"

enum { OWN_NAME_MAX = 25, TOKEN_MAX = 128 }; /* bytes with the final NUL */

/* Whether the text has the form of a name. */
bool identity_is_name(const char *text);

/* Writes the path of a file in the state directory, and makes the directory. False, with the
 * cause, when that is not possible. */
bool identity_path(const char *file, char path[PATH_MAX], struct cause *cause);

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
