/*
 * What the client knows of a match: a `state` from the server, read into plain values. Nothing
 * in it is trusted: a state that lacks what is needed is refused, texts are cut to size, and
 * whatever may be missing has a value that means so.
 *
 * It knows JSON and nothing of the screen; match_draw.h draws it.
 */
#ifndef LUDUS_MATCH_VIEW_H
#define LUDUS_MATCH_VIEW_H

#include <cjson/cJSON.h>
#include <stdbool.h>

#include "clock_view.h"
#include "common/game.h"

/* Bytes with the final NUL. */
enum { MATCH_ID_MAX = 40, PLAYER_NAME_MAX = 40, GAME_NAME_MAX = 24, REASON_TEXT_MAX = 24 };

enum view_status { VIEW_OPEN, VIEW_PLAYING, VIEW_OVER };

enum offer { OFFER_DRAW, OFFER_UNDO, OFFER_REMATCH, OFFER_KINDS, OFFER_NONE = OFFER_KINDS };

struct view_seat {
    char name[PLAYER_NAME_MAX]; /* "" while the seat is open */
    bool bot, online;
    int64_t claim_ms; /* away: until the others may claim the win; -1: not known */
    bool seated;      /* false with a name: challenged, has not accepted yet */
    bool mine;
};

struct view {
    char match[MATCH_ID_MAX]; /* "" for no match at all */
    bool known;               /* a state has come; without it nothing below counts */
    char game[GAME_NAME_MAX], variant[VARIANT_NAME_MAX];
    enum view_status status;
    int ply;
    enum color turn;
    char position[POSITION_TEXT_MAX];
    char rows[BOARD_SIDE_MAX][BOARD_SIDE_MAX + 1]; /* the highest rank first */
    int height;
    char last[MOVE_TEXT_MAX]; /* "" before the first move */
    struct view_seat seats[2];
    bool offers[OFFER_KINDS][2]; /* what stands, by the colour that offered it */
    bool has_score;
    int score[2];
    bool check;
    struct clock_view clock;
    char result[8], reason[REASON_TEXT_MAX];
    char legal[MOVES_MAX][MOVE_TEXT_MAX]; /* when it is my turn and the server told them */
    int legal_count;
};

/* Reads a state message that has come at now_ms of a monotonic clock. False, with *view
 * unchanged, when it is no state one can show. */
bool view_read(struct view *view, const cJSON *state, int64_t now_ms);

/* The kind of offer of that word, or OFFER_NONE. */
enum offer offer_find(const char *word);
const char *offer_word(enum offer offer);

/* Whether I sit in the match; whether it runs and I am to move. */
bool view_seated(const struct view *view);
bool view_my_turn(const struct view *view);

/* My only colour in *color; false when I watch or hold both. */
bool view_my_color(const struct view *view, enum color *color);

/* Whether such an offer of the other side waits for my answer. */
bool view_asked(const struct view *view, enum offer what);

#endif
