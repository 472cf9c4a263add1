#include "dialects.h"

#include <strings.h>

const struct dialect *const dialects[] = {&ugi, &uci, &gtp, NULL};

const struct dialect *dialect_find(const char *name)
{
    for (const struct dialect *const *dialect = dialects; *dialect != NULL; dialect++)
        if (strcasecmp(name, (*dialect)->name) == 0)
            return *dialect;
    return NULL;
}
