/*
 * A match: one game being played between white and black. It has the moves and the offers, applies
 * the rules, and ends by them or by resignation, agreement, timeout or abort.
 *
 * It knows no names, sessions, JSON or sockets, and reads no clock: now_ms is milliseconds of any
 * monotonic clock. Callers pass the seats of the player who asks as a set of colours.
 */
#ifndef LUDUS_MATCH_H
#define LUDUS_MATCH_H

#include <stdint.h>

#include "clock.h"
#include "common/game.h"
#include "server/base/status.h"

/* Sets of colours: the seats that a player holds. */
enum { SEATS_NONE = 0, SEATS_WHITE = 1 << WHITE, SEATS_BLACK = 1 << BLACK, SEATS_BOTH = 3 };

enum match_status { MATCH_OPEN, MATCH_PLAYING, MATCH_OVER };

enum offer { OFFER_DRAW, OFFER_UNDO, OFFER_REMATCH, OFFER_KINDS };
enum offer_news { OFFER_MADE, OFFER_ACCEPTED, OFFER_REFUSED };

enum { PV_MAX = 6, EVAL_MAX = 30000, EVAL_NONE = INT16_MIN };

/* A player's judgement of their move. */
struct ply_note {
    int16_t eval; /* in hundredths, from the player's side; EVAL_NONE: not known */
    uint8_t pv_count;
    struct move pv[PV_MAX]; /* the line that they expected, from this move on */
};

struct ply {
    struct move move;
    uint32_t took_ms;
    uint64_t key; /* of the position after the move; 0 where repetitions do not count */
    struct ply_note note;
};

enum { PLIES_MAX = 10000 }; /* per match; no game played to win comes near */

/* A time that is charged to nobody, by the clock that turns go by. */
struct pause {
    int64_t from_ms, until_ms;
};

struct match {
    const struct game *game;
    struct position start, position;
    struct ply *plies; /* owned, or shared by a draft with its original */
    int ply_count, ply_capacity;
    bool shares_plies; /* of a draft; append to a shared array only */
    enum match_status status;
    struct outcome outcome;      /* result `*` with a reason: aborted */
    bool offers[OFFER_KINDS][2]; /* open offers, by the colour that made them */
    int64_t turn_ms;             /* when the current turn began */
    struct pause forgiven;       /* the last one that was; with those that it overlapped */
    uint32_t revision;           /* grows with every change */

    struct clock clock; /* all zero without one; to be set after match_init() */
};

/* Sets up an open match. If the rules end the game at this position, match_start() ends it. */
void match_init(struct match *match, const struct game *game, const struct position *start);

/* Returns whether it began at the start of its variant, rather than at a position of its own. */
bool match_is_from_start(const struct match *match);

/* Frees what the match owns. */
void match_release(struct match *match);

/*
 * Makes a draft: a copy that may change while the match must not. It shares the plies, so its cost
 * does not depend on the length of the match. match_settle() applies it to the match,
 * match_release(draft) drops it. A draft either plays a move or takes moves back, not both.
 */
struct match match_draft(const struct match *match);
void match_settle(struct match *match, struct match *draft);

/* Starts play, once both seats are taken. */
void match_start(struct match *match, int64_t now_ms);

/* Returns OK for a player of a running match, else NOT_A_PLAYER, MATCH_NOT_STARTED or MATCH_OVER.
 */
enum status match_must_be_playing(const struct match *match, unsigned seats);

/* Parses a move by the holder of `seats` into *move, which is legal if this succeeds. ply >= 0: the
 * number of plies that must have been played. Fails with MATCH_NOT_STARTED, MATCH_OVER,
 * NOT_A_PLAYER, STALE_PLY, NOT_YOUR_TURN, ILLEGAL_MOVE with the rule in *cause, LIMIT_REACHED
 * beyond PLIES_MAX, or MATCH_OVER when the flag has fallen: of a line that comes first,
 * dispatch has the referee end the match. */
enum status match_read_move(const struct match *match, unsigned seats, const char *text, long ply,
                            int64_t now_ms, struct move *move, struct cause *cause);

/* Whether each side has moved. Until then a match can be aborted; from then on it counts for the
 * ratings, its players have played, and who leaves loses. */
static inline bool match_both_have_moved(const struct match *match)
{
    return match->ply_count >= 2;
}

/* Plays a legal move. It ends every undo offer and the opponent's draw offer, and presses the
 * clock: the first move costs no time and starts it; every move earns the increment. */
void match_play(struct match *match, struct move move, int64_t now_ms);

/* Plays a legal move that another server has checked; the match goes on after it. */
void match_play_on(struct match *match, struct move move, int64_t now_ms);

/* Reads moves, separated by commas, that could be played now, one after the other, into note->pv:
 * as many as are legal, PV_MAX at most. */
void match_read_pv(const struct match *match, const char *text, struct ply_note *note);

/* Notes what the player thought of the latest move. */
void match_annotate(struct match *draft, const struct ply_note *note);

enum { PV_TEXT_MAX = PV_MAX * MOVE_TEXT_MAX };

/* Writes the line of a note, its moves with `between` between them. Returns the text. */
const char *pv_text(const struct match *match, const struct ply_note *note, char between,
                    char text[PV_TEXT_MAX]);

/* Returns whether any move has a note. */
bool match_has_notes(const struct match *match);

/* Parses and plays a move. Fails as match_read_move() does, with nothing changed. */
enum status match_play_text(struct match *match, unsigned seats, const char *text, long ply,
                            int64_t now_ms, struct cause *cause);

/* Offers a draw, an undo or a rematch for the holder of `seats`, or accepts the opponent's offer:
 * then it takes effect and *agreed is true. The holder of both seats agrees at once. An agreed
 * rematch changes nothing here. An undo gives no time back: the clock of the side to move runs on,
 * or, if the first move was taken back, stops until there is one. Fails with NOT_A_PLAYER,
 * MATCH_NOT_STARTED, MATCH_OVER, or NOT_ALLOWED: a rematch of a running match, no move to take
 * back, or an offer that is open already. */
enum status match_offer(struct match *match, unsigned seats, enum offer what, int64_t now_ms,
                        bool *agreed, struct cause *cause);

/* Refuses all open offers of the opponent; *refused is the set of them, as bits 1 << enum offer.
 * Fails with NOT_A_PLAYER or NOTHING_TO_ANSWER. */
enum status match_refuse(struct match *match, unsigned seats, unsigned *refused);

/* Resigns for the holder of `seats`; of both seats, for the side to move. Fails as
 * match_must_be_playing() does. */
enum status match_resign(struct match *match, unsigned seats, int64_t now_ms);

/* Charges the side to move for the time so far, so that clock.left_ms is up to date. */
void match_charge(struct match *match, int64_t now_ms);

/* Charges nobody for a pause, or for the part of it in the running turn. Pauses come in order; none
 * is forgiven twice, not even a part, if it overlaps the last one or is before that. */
void match_forgive(struct match *match, struct pause pause);

/* Gives back what the last move of a draft was charged for time after `since_ms`. */
void match_repay(struct match *draft, const struct match *match, int64_t since_ms);

/* Begins the turn of a draft now, when its player learns of it. */
void match_begin_turn(struct match *draft, const struct match *match, int64_t now_ms);

/* Continues a match after a pause that is charged to nobody, with its clock stopped. */
void match_resume(struct match *match, int64_t now_ms);

/* Aborts a match without a result, while it is open or before each side has moved. Fails with
 * MATCH_OVER or NOT_ALLOWED. */
enum status match_abort(struct match *match, int64_t now_ms, struct cause *cause);

/* Takes a running match back to its start, and opens it again: somebody has lost their seat. */
void match_reopen(struct match *match);

/* Returns whether the flag of the side to move has fallen in a match that goes on. */
bool match_flag_is_down(const struct match *match, int64_t now_ms);

/* Ends the match by timeout if the flag has fallen, and returns whether it has. */
bool match_timeout(struct match *match, int64_t now_ms);

/* Ends a match that is not over, and stops its clock. */
void match_end(struct match *match, struct outcome outcome, int64_t now_ms);

/* The open offers as bits, 2 * kind + color, as keepers have them. */
int match_offer_bits(const struct match *match);
void match_set_offers(struct match *match, int bits);

const char *match_status_text(enum match_status status);
const char *offer_text(enum offer what);

#endif
