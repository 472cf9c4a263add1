/*
 * The names by which people see players: the display name, in any letters, where the terminal has
 * them, else the name that people and programs type. The server tells display names beside some
 * names only: lists, states and a few events have them. What it told last stands for the others.
 * Commands, scripts and PGN have typed names.
 */
#ifndef LUDUS_NAMES_H
#define LUDUS_NAMES_H

#include <cjson/cJSON.h>

#include "client/link/match_state.h"

/* The display names told last; beyond NAMES_MAX the oldest go. A zeroed one is empty. */
enum { NAMES_MAX = 1024 };

struct known_name {
    char name[PLAYER_NAME_MAX], display[PLAYER_DISPLAY_MAX];
};

struct names {
    struct known_name *known; /* owned */
    int count, oldest;
};

void names_release(struct names *names);

/* Notes that the player has this display name; "": none any more. */
void names_note(struct names *names, const char *name, const char *display);

/* Notes the display names in a message of the server, and which players it tells of have none. */
void names_learn(struct names *names, const cJSON *message);

/* The name by which one is shown who has that display name; "": none. Borrowed from these two. */
const char *name_shown(const char *name, const char *display);

/* The name by which a player is shown; `name` itself, or borrowed until the next names_note(). */
const char *names_shown(const struct names *names, const char *name);

/* The same for a row or a message that names a player in a member: "name", "white", "from". NULL:
 * it names nobody there. */
const char *names_shown_of(const struct names *names, const cJSON *row, const char *member);

enum { NAME_COLUMNS = 24 }; /* of the longest name that can be typed, and of any in a list */

/* Copies a name, cut for lists and for sentences that need their room. Returns `text`. */
const char *name_cut(const char *shown, char text[PLAYER_DISPLAY_MAX]);

/* Writes the name that names_shown_of() finds, or else `otherwise`, cut for a list. Returns `text`.
 */
const char *names_cut_of(const struct names *names, const cJSON *row, const char *member,
                         const char *otherwise, char text[PLAYER_DISPLAY_MAX]);

/* The columns of the longest name in a list of players, at most NAME_COLUMNS. */
int names_width(const struct names *names, const cJSON *players);

#endif
