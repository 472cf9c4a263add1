#include "game_list.h"

#include <stdio.h>
#include <string.h>

/* Adds the game that the first `length` bytes name. */
static bool add(struct game_list *list, const char *text, size_t length, struct cause *cause)
{
    struct listed_game *item = &list->items[list->count];
    char name[128]; /* longer ones name nothing */

    if (list->count == GAME_LIST_MAX)
        return cause_set(cause, "more than %d games", GAME_LIST_MAX);
    snprintf(name, sizeof name, "%.*s", (int)length, text);
    item->game = game_open(name, &item->start, NULL, cause);
    item->every_variant = strchr(name, ':') == NULL;
    list->count++;
    return item->game != NULL;
}

bool game_list_read(struct game_list *list, const char *text, struct cause *cause)
{
    list->count = 0;
    for (;;) {
        size_t length = strcspn(text, ",");
        if (!add(list, text, length, cause))
            return false;
        if (text[length] == '\0')
            return true;
        text += length + 1;
    }
}

bool game_list_has(const struct game_list *list, const struct game *game,
                   const struct position *start)
{
    for (int i = 0; i < list->count; i++) {
        const struct listed_game *item = &list->items[i];
        if (item->game == game &&
            (item->every_variant || memcmp(&item->start, start, sizeof *start) == 0))
            return true;
    }
    return false;
}
