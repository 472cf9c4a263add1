/* A value of a column of a database. */
#ifndef LUDUS_VALUE_H
#define LUDUS_VALUE_H

#include <stddef.h>
#include <stdint.h>

struct value {
    enum { VALUE_NULL, VALUE_INTEGER, VALUE_REAL, VALUE_TEXT, VALUE_BLOB } type;
    union {
        int64_t integer;
        double real;
        struct {
            const void *bytes; /* borrowed */
            size_t length;     /* of a blob */
        };
    };
};
#define SQL_NULL            ((struct value){.type = VALUE_NULL})
#define SQL_INTEGER(number) ((struct value){.type = VALUE_INTEGER, .integer = (number)})
#define SQL_REAL(number)    ((struct value){.type = VALUE_REAL, .real = (number)})
/* A NULL pointer gives the value null. */
#define SQL_TEXT(text)       ((struct value){.type = VALUE_TEXT, .bytes = (text)})
#define SQL_BLOB(blob, size) ((struct value){.type = VALUE_BLOB, .bytes = (blob), .length = (size)})

/* What null stands for: 0, or "". */
static inline int64_t value_integer(const struct value *value)
{
    return value->type == VALUE_INTEGER ? value->integer : 0;
}

static inline double value_real(const struct value *value)
{
    return value->type == VALUE_REAL ? value->real : 0;
}

static inline const char *value_text(const struct value *value)
{
    return value->type == VALUE_TEXT && value->bytes != NULL ? value->bytes : "";
}

#endif
