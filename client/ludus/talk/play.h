/*
 * Ways to a match: opens one, joins one or watches one; finds the bot of the player's strength;
 * lets the server seek an opponent; and opens a server of the player's own to friends.
 */
#ifndef LUDUS_PLAY_H
#define LUDUS_PLAY_H

#include "client.h"

/* Whether a match is to count for the ratings. */
enum rated_wish { RATED_USUAL /* against anybody but a house bot */, RATED_YES, RATED_NO };

/* A match to open, in the terms of the server's `new`. All texts are borrowed. */
struct new_match {
    const char *game;          /* GAME or GAME:VARIANT */
    const char *white, *black; /* NULL: not given */
    const char *clock;         /* BASE+INC in seconds; NULL: none */
    const char *position;      /* NULL: the start position */
    bool hidden;               /* in no list */
    enum rated_wish rated;
};

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

enum { HOUSE_BOTS_MAX = 16, HOUSE_BOT_NAME_MAX = 40, GAME_CHOICE_MAX = 64 };

/* The house bots of a server, to choose from. */
struct bot_choice {
    char names[HOUSE_BOTS_MAX][HOUSE_BOT_NAME_MAX]; /* the weakest first, unknown levels last */
    int count;
    int usual; /* the index of the default */
};

/* How strong a house bot is, in few words; NULL for other players and unknown levels. */
const char *play_bot_words(const char *name);

enum { PLAY_STRENGTH_MAX = 16 };
/* How strong a player is, for lists: people are 0, house bots from 1 on, the strongest and unknown
 * ones last, up to PLAY_STRENGTH_MAX. */
int play_strength(const char *name);

/* White or black by chance. */
enum color play_random_color(void);

/* Lists the house bots that are connected, or if there are none the two that every server has. */
void play_list_bots(struct client *client, struct bot_choice *bots);

/* A match against a bot of the player's strength. */
struct first_game {
    char game[GAME_CHOICE_MAX]; /* "clobber:5x6" */
    char bot[HOUSE_BOT_NAME_MAX];
};

/* Chooses it: the player's last game against a house bot, with a bot one level stronger after a win
 * and one weaker after a loss; before that Clobber against bot:gentle. */
void first_game_choose(struct client *client, struct first_game *first);

/* Opens it and brings it to the screen. The player is white, who moves first. False when the server
 * refuses, which is shown. */
bool first_game_open(struct client *client, const struct first_game *first);

enum { SEEK_LINE_MAX = 256 }; /* bytes with the final NUL */

/* What to seek. Texts are borrowed; NULL: any. */
struct new_seek {
    const char *game;
    const char *clock, *color, *rating, *bots; /* as the protocol has them */
    bool unrated;
};

struct seeking {
    char line[SEEK_LINE_MAX];  /* the command */
    char words[SEEK_LINE_MAX]; /* for people: "clobber:5x6, 5 + 3, against people" */
    int64_t since_ms;          /* by clock_ms() */
    int64_t login_ms;          /* of the connection on which it was asked */
    char id[MATCH_ID_MAX];     /* the server's */
    bool refused;
};

/* Seeks. False if the server refuses, which is shown, or the program ends. */
bool seeking_begin(struct seeking *seeking, struct client *client, const struct new_seek *what);

/* Seeks again if the connection has been lost and is back. Returns whether to wait on: nobody has
 * been found yet, and the server has not refused. */
bool seeking_keep(struct seeking *seeking, struct client *client);

/* Takes the seek back, unless somebody was found. */
void seeking_end(struct seeking *seeking, struct client *client);

/* Moves the client to an own server on the network, and says how friends join: the private one is
 * opened with all its matches, and the one on the screen stays there; from elsewhere a new server
 * is started. False with the cause; the client is then where it was, or the program ends. */
bool invite_begin(struct client *client, struct cause *cause);

/* The command `invite`: says how friends join, and before that opens the private server. */
void invite_tell(struct client *client);

#endif
