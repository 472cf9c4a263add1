#include "engine.h"

#include <stddef.h>
#include <strings.h>

const struct engine *const engines[] = {
    &random_engine, &greedy_engine, &easy_engine, &medium_engine, &hard_engine, &max_engine, NULL};

const struct engine *engine_find(const char *name)
{
    for (const struct engine *const *engine = engines; *engine != NULL; engine++)
        if (strcasecmp((*engine)->name, name) == 0)
            return *engine;
    return NULL;
}
