/* All dialects. */
#ifndef LUDUS_DIALECTS_H
#define LUDUS_DIALECTS_H

#include "dialect.h"
#include "gtp.h"

/* NULL-terminated. */
extern const struct dialect *const dialects[];

/* Finds a dialect by its name, in any case, or NULL. */
const struct dialect *dialect_find(const char *name);

#endif
