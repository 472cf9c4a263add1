#include "cause.h"

#include <stdio.h>

#include "utf8.h"

void cause_vset(struct cause *cause, const char *format, va_list args)
{
    vsnprintf(cause->text, sizeof cause->text, format, args);
    utf8_clean(cause->text);
}

bool cause_set(struct cause *cause, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    cause_vset(cause, format, args);
    va_end(args);
    return false;
}
