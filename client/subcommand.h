/*
 * The words with which `ludus` does one thing and ends, instead of bringing up the client: `ludus
 * record 12`. Each is a row of the table in subcommand.c; its function is in a file of its own.
 */
#ifndef LUDUS_SUBCOMMAND_H
#define LUDUS_SUBCOMMAND_H

#include "common/usage.h"

/* All of them; ends with a row without a word. */
extern const struct usage_command subcommands[];

#endif
