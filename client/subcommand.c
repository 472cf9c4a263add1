#include "subcommand.h"

#include <stddef.h>

#include "record.h"
#include "replay.h"

const struct usage_command subcommands[] = {
    {"record", "MATCH", "prints the record of a match, as JSON or PGN", record_rows, record_main},
    {"replay", "FILE", "steps through the matches of a PGN file", replay_rows, replay_main},
    {.word = NULL},
};
