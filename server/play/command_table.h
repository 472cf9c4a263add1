/* The families of commands, by file, each ended by a row without verb. */
#ifndef LUDUS_COMMAND_TABLE_H
#define LUDUS_COMMAND_TABLE_H

#include "request.h"

extern const struct command session_commands[], people_commands[], lobby_commands[],
    match_commands[];

#endif
