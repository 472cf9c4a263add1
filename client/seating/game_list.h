/* The games of an option: GAME or GAME:VARIANT, separated by commas. */
#ifndef LUDUS_GAME_LIST_H
#define LUDUS_GAME_LIST_H

#include "common/game.h"

enum { GAME_LIST_MAX = 32 };

struct listed_game {
    const struct game *game;
    bool every_variant;    /* none was named */
    struct position start; /* of the variant, or of the default one */
};

struct game_list {
    struct listed_game items[GAME_LIST_MAX];
    int count;
};

/* Reads the value of the option. False with the cause, if a game is unknown or the list too long.
 */
bool game_list_read(struct game_list *list, const char *text, struct cause *cause);

/* Whether the list has the game in the variant that begins with this position. */
bool game_list_has(const struct game_list *list, const struct game *game,
                   const struct position *start);

#endif
