#include "match_part.h"

#include <stdarg.h>
#include <stdio.h>

void match_part_notice(struct match_part *part, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vsnprintf(part->notice, sizeof part->notice, format, args);
    va_end(args);
}

bool match_part_from_black(const struct match_part *part)
{
    const struct client *client = part->stage->client;
    enum color mine;
    bool black = match_state_my_color(&client->view, &mine) && mine == BLACK;

    return black != client->turned;
}
