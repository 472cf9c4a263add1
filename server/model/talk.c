#include "talk.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "common/xmalloc.h"

static const char *const room_names[] = {[ROOM_PLAYERS] = "players", [ROOM_WATCHERS] = "watchers"};

const char *room_name(enum room room)
{
    return room_names[room];
}

bool room_parse(const char *name, size_t length, enum room *room)
{
    for (int i = ROOM_PLAYERS; i <= ROOM_WATCHERS; i++) {
        if (strlen(room_names[i]) != length || memcmp(room_names[i], name, length) != 0)
            continue;
        *room = (enum room)i;
        return true;
    }
    return false;
}

static void drop_oldest(struct talk *talk)
{
    talk->bytes -= strlen(talk->lines[0].text);
    free((char *)(uintptr_t)talk->lines[0].text);
    talk->count--;
    memmove(&talk->lines[0], &talk->lines[1], (size_t)talk->count * sizeof talk->lines[0]);
}

void talk_add(struct talk *talk, const struct talk_line *line)
{
    size_t length = strlen(line->text);

    while (talk->count > 0 &&
           (talk->count == TALK_LINES_MAX || talk->bytes + length > TALK_BYTES_MAX))
        drop_oldest(talk);
    talk->lines = xreallocarray(talk->lines, (size_t)talk->count + 1, sizeof talk->lines[0]);
    talk->lines[talk->count] = *line;
    talk->lines[talk->count++].text = xstrdup(line->text);
    talk->bytes += length;
}

void talk_release(struct talk *talk)
{
    while (talk->count > 0)
        drop_oldest(talk);
    free(talk->lines);
    *talk = (struct talk){.count = 0};
}
