/*
 * What a program knows of a match: a `state` from the server, read into plain values. The client,
 * the bots and the bridge all read it here.
 *
 * A server is not trusted. A state that lacks what is needed is refused, texts are cut to fit, and
 * what may be missing has a value that says so. Every text is clean UTF-8.
 */
#ifndef LUDUS_MATCH_STATE_H
#define LUDUS_MATCH_STATE_H

#include <cjson/cJSON.h>
#include <stdbool.h>

#include "common/game.h"

/* Bytes with the final NUL. */
enum { MATCH_ID_MAX = 40, PLAYER_NAME_MAX = 40, GAME_NAME_MAX = 24, REASON_TEXT_MAX = 24 };

enum state_status { STATE_OPEN, STATE_PLAYING, STATE_OVER };

enum offer { OFFER_DRAW, OFFER_UNDO, OFFER_REMATCH, OFFER_KINDS, OFFER_NONE = OFFER_KINDS };

struct match_seat {
    char name[PLAYER_NAME_MAX]; /* "" while the seat is open */
    bool bot, online;
    int64_t claim_ms; /* away: until the others may claim the win; -1: not known */
    bool seated;      /* false with a name: challenged, has not accepted yet */
    bool mine;
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
    char rows[BOARD_SIDE_MAX][BOARD_SIDE_MAX + 1]; /* the highest rank first */
    int height;
    char last[MOVE_TEXT_MAX]; /* "" before the first move */
    struct match_seat seats[2];
    bool offers[OFFER_KINDS][2]; /* which stand, by the colour that offered */
    bool has_score;
    int score[2];
    bool check;
    struct match_clock clock;
    char result[8], reason[REASON_TEXT_MAX];
    char legal[MOVES_MAX][MOVE_TEXT_MAX]; /* when it is my turn and the server told them */
    int legal_count;
};

/* What an `offer` event tells: that an offer stands, or no longer does. */
struct match_offer {
    char match[MATCH_ID_MAX];
    enum offer what;
    enum color color;           /* who offers, */
    char from[PLAYER_NAME_MAX]; /* "somebody" if that is not told */
    bool open, accepted;
};

/* Reads a state message that has come at now_ms of a monotonic clock. False with the cause, and
 * *state unchanged, when it makes no sense. */
bool match_state_read(struct match_state *state, const cJSON *message, int64_t now_ms,
                      struct cause *cause);

/* Finds the game and parses the position, for programs that play. False with the cause when the
 * game is unknown or the position is not one of it. */
bool match_state_parse(const struct match_state *state, const struct game **game,
                       struct position *position, struct cause *cause);

/* Reads an `offer` event. False when it makes no sense. */
bool match_offer_read(struct match_offer *offer, const cJSON *message);

/* Whether the text can stand for a match in a command: letters, digits, - and _, at most
 * MATCH_ID_MAX - 1 of them. NULL cannot. */
bool match_id_is_valid(const char *text);

/* The kind of offer of that word, or OFFER_NONE. */
enum offer offer_find(const char *word);
const char *offer_word(enum offer offer);

/* Whether I sit in the match; whether it runs and I am to move. */
bool match_state_seated(const struct match_state *state);
bool match_state_my_turn(const struct match_state *state);

/* My only colour in *color; false when I watch or hold both. */
bool match_state_my_color(const struct match_state *state, enum color *color);

/* Whether such an offer of the other side waits for my answer. */
bool match_state_asked(const struct match_state *state, enum offer what);

/* What a side has left at now_ms, at least 0. */
int64_t match_clock_left_ms(const struct match_clock *clock, enum color color, int64_t now_ms);

#endif
