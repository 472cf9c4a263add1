/*
 * A match as the server tells it: the message `state` as plain values, for the client, the bots and
 * the bridge.
 *
 * The server is not trusted. A state without its required members is refused, texts are cut to fit,
 * and optional members have a value for "missing". Every text is clean UTF-8.
 */
#ifndef LUDUS_MATCH_STATE_H
#define LUDUS_MATCH_STATE_H

#include <cjson/cJSON.h>
#include <stdbool.h>

#include "common/game.h"
#include "identity.h"

/* Bytes with the final NUL. */
enum { MATCH_ID_MAX = 40, PLAYER_NAME_MAX = 40, GAME_NAME_MAX = 24, REASON_TEXT_MAX = 24 };

enum state_status { STATE_OPEN, STATE_PLAYING, STATE_OVER };

enum offer { OFFER_DRAW, OFFER_UNDO, OFFER_REMATCH, OFFER_KINDS, OFFER_NONE = OFFER_KINDS };

struct match_seat {
    char name[PLAYER_NAME_MAX];       /* "" while the seat is open */
    char display[PLAYER_DISPLAY_MAX]; /* as the player writes it, in any letters; "": as the name */
    bool bot, online;
    int64_t claim_ms; /* away: until the others may claim the win; -1: not known */
    int64_t stall_ms; /* silent for long: until they may, though the player is here; -1: not so */
    bool seated;      /* false with a name: challenged and not accepted yet */
    bool mine;
    int rating;       /* 0: not known */
    int rated_before; /* the match is over: the rating before its end, for those who set it */
};

struct match_clock {
    bool known;         /* the match has a clock; without it nothing below counts */
    int64_t left_ms[2]; /* at told_ms */
    int64_t increment_ms;
    bool runs; /* ... for the side `running` */
    enum color running;
    int64_t told_ms;
};

struct match_state {
    char match[MATCH_ID_MAX]; /* "" for no match at all */
    bool known;               /* a state has come; without it nothing below counts */
    char game[GAME_NAME_MAX], variant[VARIANT_NAME_MAX];
    enum state_status status;
    int ply;
    enum color turn;
    char position[POSITION_TEXT_MAX];
    struct board board;       /* as the server drew it: printable ASCII letters */
    char last[MOVE_TEXT_MAX]; /* "" before the first move */
    struct match_seat seats[2];
    bool offers[OFFER_KINDS][2]; /* which stand, by the colour that offered */
    bool has_score;
    int score[2];
    bool check;
    struct match_clock clock;
    bool rated; /* it counts for the ratings of players who have some */
    bool of_tournament;
    char result[8], reason[REASON_TEXT_MAX];
    char legal[MOVES_MAX][MOVE_TEXT_MAX]; /* if we are to move and the server sent them */
    int legal_count;
};

/* The event `offer`: an offer stands, or no longer does. */
struct match_offer {
    char match[MATCH_ID_MAX];
    enum offer what;
    enum color color;
    char from[PLAYER_NAME_MAX]; /* "somebody" if missing */
    bool open, accepted;
};

/* Reads a state that arrived at now_ms of a monotonic clock. False with the cause if it is invalid;
 * *state is then unchanged. */
bool match_state_read(struct match_state *state, const cJSON *message, int64_t now_ms,
                      struct cause *cause);

/* Finds the game and parses the position, for programs that play. False with the cause if the game
 * is unknown or the position invalid. */
bool match_state_parse(const struct match_state *state, const struct game **game,
                       struct position *position, struct cause *cause);

/* Reads the event `offer`. False if it is invalid. */
bool match_offer_read(struct match_offer *offer, const cJSON *message);

/* Whether the text can name a match in a command: 1 to MATCH_ID_MAX - 1 letters, digits, - and _.
 * NULL cannot. */
bool match_id_is_valid(const char *text);

/* Finds the kind of offer by its word, or OFFER_NONE. */
enum offer offer_find(const char *word);
const char *offer_word(enum offer offer);

/* Whether we have a seat in the match; whether it runs and we are to move. */
bool match_state_seated(const struct match_state *state);
bool match_state_my_turn(const struct match_state *state);

/* Sets *color to our only colour. False if we watch or have both. */
bool match_state_my_color(const struct match_state *state, enum color *color);

/* Whether an offer of the other side waits for our answer. */
bool match_state_asked(const struct match_state *state, enum offer what);

/* Returns the milliseconds that a side has left at now_ms, at least 0. */
int64_t match_clock_left_ms(const struct match_clock *clock, enum color color, int64_t now_ms);

/* Why a match has ended: in English the protocol's word, which may be NULL: then "". */
const char *reason_words(const char *reason);

#endif
