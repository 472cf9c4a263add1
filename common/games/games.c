/* The list of games. */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "common/game.h"

/* A build of its own tries what a further game needs: see tests/games/. */
#ifdef FURTHER_GAME
extern const struct game FURTHER_GAME;
#define FURTHER_ROW &FURTHER_GAME,
#else
#define FURTHER_ROW
#endif

const struct game *const games[] = {&clobber, &xadrersi, &latrunculi, &shakti, FURTHER_ROW NULL};

const struct game *game_find(const char *name, unsigned long length)
{
    for (const struct game *const *game = games; *game != NULL; game++)
        if (strlen((*game)->name) == length && strncasecmp((*game)->name, name, length) == 0)
            return *game;
    return NULL;
}

/* Sets a cause that lists the games, or names the one that was meant. Returns NULL. */
static const struct game *no_such_game(const char *text, size_t length, struct cause *cause)
{
    char names[120] = "";
    char typed[25];
    struct meant_word meant;
    size_t used = 0;

    snprintf(typed, sizeof typed, "%.*s", (int)length, text);
    meant_begin(&meant, typed);
    for (int i = 0; games[i] != NULL; i++)
        meant_try(&meant, games[i]->name);
    if (meant.word != NULL) {
        cause_set(cause, "unknown game '%s' (did you mean %s?)", typed, meant.word);
        return NULL;
    }
    for (int i = 0; games[i] != NULL && used < sizeof names; i++)
        used += (size_t)snprintf(names + used, sizeof names - used, "%s%s",
                                 i == 0                 ? ""
                                 : games[i + 1] != NULL ? ", "
                                                        : " and ",
                                 games[i]->name);
    cause_set(cause, "unknown game '%s': the games are %s", typed, names);
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

const struct game *game_of_position(const char *text, struct position *position,
                                    struct cause *cause)
{
    for (const struct game *const *game = games; *game != NULL; game++)
        if ((*game)->parse(NULL, text, position, cause))
            return *game;
    cause_set(cause, "'%.100s' is not a position of any game", text);
    return NULL;
}
