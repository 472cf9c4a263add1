/* The list of games. */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "common/game.h"

const struct game *const games[] = {&clobber, &xadrersi, &latrunculi, &shakti, NULL};

const struct game *game_find(const char *name, unsigned long length)
{
    for (const struct game *const *game = games; *game != NULL; game++)
        if (strlen((*game)->name) == length && strncasecmp((*game)->name, name, length) == 0)
            return *game;
    return NULL;
}

/* Sets a cause that lists the games. Returns NULL. */
static const struct game *no_such_game(const char *text, size_t length, struct cause *cause)
{
    char names[120] = "";
    size_t used = 0;

    for (int i = 0; games[i] != NULL && used < sizeof names; i++)
        used += (size_t)snprintf(names + used, sizeof names - used, "%s%s",
                                 i == 0                 ? ""
                                 : games[i + 1] != NULL ? ", "
                                                        : " and ",
                                 games[i]->name);
    cause_set(cause, "unknown game '%.*s': the games are %s", length < 24 ? (int)length : 24, text,
              names);
    return NULL;
}

const struct game *game_open(const char *text, struct position *position, bool *unknown_game,
                             struct cause *cause)
{
    size_t length = strcspn(text, ":");
    const struct game *game = game_find(text, length);

    if (unknown_game != NULL)
        *unknown_game = game == NULL;
    if (game == NULL)
        return no_such_game(text, length, cause);
    const char *variant = text[length] == ':' ? text + length + 1 : NULL;
    return game->start(variant, position, cause) ? game : NULL;
}
