#include "levels.h"

#include <stddef.h>
#include <string.h>

const char *const level_names[] = {"random", "greedy", "gentle", "easy", "medium",
                                   "hard",   "expert", "master", "max",  NULL};

bool level_is_known(const char *name)
{
    for (const char *const *level = level_names; *level != NULL; level++)
        if (strcmp(*level, name) == 0)
            return true;
    return false;
}
