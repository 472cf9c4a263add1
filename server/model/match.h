/*
 * A match: one game being played between white and black. It keeps the moves and the offers,
 * applies the rules, and ends by them or by the players' word.
 *
 * It knows no names, sessions, JSON or sockets, and reads no clock: the time comes in as
 * now_ms, milliseconds of any monotonic clock. Who sits where is the lobby's affair; callers
 * pass the seats of the one who asks as a set of colours.
 */
#ifndef LUDUS_MATCH_H
#define LUDUS_MATCH_H

#include <stddef.h>
#include <stdint.h>

#include "clock.h"
#include "common/game.h"
#include "server/base/status.h"

/* A set of colours: the seats somebody holds. */
enum { SEATS_NONE = 0, SEATS_WHITE = 1 << WHITE, SEATS_BLACK = 1 << BLACK, SEATS_BOTH = 3 };

enum match_status { MATCH_OPEN, MATCH_PLAYING, MATCH_OVER };

enum offer { OFFER_DRAW, OFFER_UNDO, OFFER_REMATCH, OFFER_KINDS };
enum offer_news { OFFER_MADE, OFFER_ACCEPTED, OFFER_REFUSED };

struct ply {
    struct move move;
    uint32_t took_ms;
    uint64_t key; /* of the position after the move */
};

enum { PLIES_MAX = 10000 }; /* of one match; no game played to win comes near */

struct match {
    const struct game *game;
    struct position start, position;
    struct ply *plies; /* owned, or shared by a draft with the match it was drafted from */
    int ply_count, ply_capacity;
    bool shares_plies; /* of a draft; a shared array may grow at its end only */
    enum match_status status;
    struct outcome outcome;      /* result `*` with a reason: aborted */
    bool offers[OFFER_KINDS][2]; /* what stands, by the colour that offered it */
    int64_t turn_ms;             /* when the present turn began */
    uint32_t revision;           /* grows with every change */

    struct clock clock; /* all zero without one; set after match_init() by who opens the match */
};

/* Sets up an open match from a position. Where the position is over by itself, the match is
 * over as soon as it starts. */
void match_init(struct match *match, const struct game *game, const struct position *start);

/* Frees what the match owns. */
void match_release(struct match *match);

/*
 * A draft of a match: a copy to be changed, which shares the plies and so costs the same however
 * long the match is. It ends by match_settle(), which makes the match what the draft is, or by
 * match_release(draft), after which the match is as it was. Until then the match must not change,
 * and a draft either plays a move or takes moves back, not both.
 */
struct match match_draft(const struct match *match);
void match_settle(struct match *match, struct match *draft);

/* Both seats are taken: play begins. */
void match_start(struct match *match, int64_t now_ms);

/* OK for a player of a running match; else NOT_A_PLAYER, MATCH_NOT_STARTED or MATCH_OVER. */
enum status match_must_be_playing(const struct match *match, unsigned seats);

/* Reads a move text of whoever holds `seats` into *move, which then is legal. ply >= 0: only if so
 * many plies have been played. Fails with MATCH_NOT_STARTED, MATCH_OVER, NOT_A_PLAYER, STALE_PLY,
 * NOT_YOUR_TURN, or ILLEGAL_MOVE with the rule in *cause; LIMIT_REACHED beyond PLIES_MAX;
 * MATCH_OVER also when the mover's flag has fallen, which match_timeout() is to find first. */
enum status match_read_move(const struct match *match, unsigned seats, const char *text, long ply,
                            int64_t now_ms, struct move *move, struct cause *cause);

/* Plays a move that match_read_move() has found legal. It ends every undo offer and the other
 * side's draw offer, and presses the clock: the first move costs no time and starts it; every move
 * earns the increment. */
void match_play(struct match *match, struct move move, int64_t now_ms);

/* Reads a move and plays it: fails as match_read_move(), with nothing changed. */
enum status match_play_text(struct match *match, unsigned seats, const char *text, long ply,
                            int64_t now_ms, struct cause *cause);

/* The holder of `seats` offers a draw, an undo or a rematch, or accepts the one that the other
 * side offered: then it takes effect and *agreed is true. A holder of both seats agrees with
 * himself. An agreed rematch changes nothing here. An undo gives no time back: the clock of the
 * side that is to move runs on, or stops until the first move when that was taken back. Fails with
 * NOT_A_PLAYER, MATCH_NOT_STARTED, MATCH_OVER (NOT_ALLOWED for a rematch of a match that runs),
 * NOT_ALLOWED when there is no move to take back or the offer stands already. */
enum status match_offer(struct match *match, unsigned seats, enum offer what, int64_t now_ms,
                        bool *agreed, struct cause *cause);

/* Refuses every offer that stands from the other side; *refused is the set of them, as bits
 * 1 << enum offer. Fails with NOT_A_PLAYER or NOTHING_TO_ANSWER. */
enum status match_refuse(struct match *match, unsigned seats, unsigned *refused);

/* The side of `seats` resigns; with both seats, the side to move. */
enum status match_resign(struct match *match, unsigned seats, int64_t now_ms);

/* Charges the side to move for the time so far: what is kept of the clock is then up to date. */
void match_charge(struct match *match, int64_t now_ms);

/* The match goes on now, after a time that is charged to nobody and in which its clock stood. */
void match_resume(struct match *match, int64_t now_ms);

/* Ends the match without a result: open, or before each side has moved. */
enum status match_abort(struct match *match, int64_t now_ms, struct cause *cause);

/* Ends the match by timeout if the flag of the side to move has fallen; whether it did. */
bool match_timeout(struct match *match, int64_t now_ms);

/* Ends the match with this outcome and stops its clock; it must not be over. */
void match_end(struct match *match, struct outcome outcome, int64_t now_ms);

const char *match_status_text(enum match_status status);
const char *offer_text(enum offer what);

#endif
