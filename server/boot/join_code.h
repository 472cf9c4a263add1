/* The join code of a store, which stays until it is replaced, so that friends come back by it. */
#ifndef LUDUS_JOIN_CODE_H
#define LUDUS_JOIN_CODE_H

#include <stdbool.h>

#include "server/net/invitation.h"

/* Reads the code from the file join-code in the directory of the store. Makes one and keeps it
 * there if there is none, or it is to be replaced. Without a directory (""), or where the file
 * cannot be written, which is logged, the code lasts as long as the server. */
void join_code_keep(const char *folder, bool replace, char code[JOIN_CODE_LETTERS + 1]);

#endif
