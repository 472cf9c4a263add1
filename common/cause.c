#include "cause.h"

#include <stdarg.h>
#include <stdio.h>

bool cause_set(struct cause *cause, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vsnprintf(cause->text, sizeof cause->text, format, args);
    va_end(args);
    return false;
}
