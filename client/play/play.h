/* Brings a match to the screen: opens one, joins one, or watches one. */
#ifndef LUDUS_PLAY_H
#define LUDUS_PLAY_H

#include "client/talk/client.h"

/* A match to open, in the terms of the server's `new`. All texts are borrowed. */
struct new_match {
    const char *game;          /* GAME or GAME:VARIANT */
    const char *white, *black; /* NULL: not given */
    const char *clock;         /* BASE+INC in seconds; NULL: none */
    const char *position;      /* NULL: the start position */
    bool hidden;               /* in no list */
};

/* Adds " name=value" to a command of so many bytes at most, or nothing without a value. */
void play_add_option(char *line, size_t size, const char *name, const char *value);

enum { NEW_LINE_MAX = 1024 }; /* bytes with the final NUL */
/* Writes the command that opens the match. One that does not fit is too long for the server, too.
 */
void play_write_new(const struct new_match *new_match, char line[NEW_LINE_MAX]);

/* Open a match, join one, or watch one, and bring it to the screen. False when the server refuses,
 * which is shown. */
bool play_open(struct client *client, const struct new_match *new_match);
bool play_join(struct client *client, const char *match);
bool play_watch(struct client *client, const char *match);

/* At a friend's server: brings the player's match to the screen, the one they sit in or else the
 * only one with a free seat, or the only one that runs, to watch it. Returns what to ask or say
 * next.
 */
enum beginning play_join_any(struct client *client);

/* Says that no match is open, for BEGIN_ALONE. */
void play_tell_alone(struct client *client);

/* Whether a row of the server's `list` has that status. An open match also needs a free seat. */
bool play_is_listed(const cJSON *row, const char *status);

enum { HOUSE_BOTS_MAX = 16, HOUSE_BOT_NAME_MAX = 40 };

/* The house bots of a server, to choose from. */
struct bot_choice {
    char names[HOUSE_BOTS_MAX][HOUSE_BOT_NAME_MAX]; /* the weakest first, unknown levels last */
    int count;
    int usual; /* the index of the default */
};

/* Lists the house bots that are connected, or if there are none the two that every server has. */
void play_list_bots(struct client *client, struct bot_choice *bots);

#endif
