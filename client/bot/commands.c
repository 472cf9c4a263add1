#include <stddef.h>

#include "bot.h"

const struct usage_command bot_commands[] = {
    {"ugi", "", "an engine on standard input and output", ugi_rows, ugi_main},
    {"gauntlet", "PLAYER PLAYER", "plays two engines against each other", gauntlet_rows,
     gauntlet_main},
    {"solve", "clobber:WxH|\"POSITION\"", "finds who wins a position of Clobber", solve_rows,
     solve_main},
    {.word = NULL},
};
