/* The limits on what clients may use. They change on SIGHUP. limits_table.h says what each means.
 */
#ifndef LUDUS_LIMITS_H
#define LUDUS_LIMITS_H

#include <stdbool.h>

struct limits {
#define LIMIT(member, ...)      int member;
#define LIMIT_FLAG(member, ...) bool member;
#include "limits_table.h"
#undef LIMIT
#undef LIMIT_FLAG
};

#endif
