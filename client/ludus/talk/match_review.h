/*
 * The review of a match: runs `ludus-bot review`, from the directory of this program or else from
 * PATH, and keeps what it says about each ply. First it says a little about all plies, then more
 * about each. Where there is no bot the server reviews its matches.
 */
#ifndef LUDUS_MATCH_REVIEW_H
#define LUDUS_MATCH_REVIEW_H

#include <cjson/cJSON.h>

#include "client.h"
#include "client/engine/process.h"
#include "common/buffer.h"
#include "common/pgn.h"

enum {
    REVIEW_STANDARD =
        0, /* as movetime_ms: the bot's own measure, by which a match has one review */
    REVIEW_LINE_MAX = 8
};

/* A ply and the move played there; the last ply is the end of the match, and has no move. */
struct reviewed {
    bool known;    /* else nothing was said about it yet */
    bool deep;     /* this is the last word */
    bool exact;    /* the solver has proved who wins */
    bool last_win; /* the loser let the last proven win go here */
    int eval; /* the position before the move, for white: hundredths of the logarithm of the odds */
    int chance; /* of white to win, in percent */
    enum { PLAYED_WELL, PLAYED_MISTAKE, PLAYED_BLUNDER } mark;
    int line_plies;
    char line[REVIEW_LINE_MAX][MOVE_TEXT_MAX]; /* the best move, and what follows */
    char *json;                                /* owned: the last that was said, one object */
};

/* A zeroed one is not running. */
struct reviewer {
    struct process_list engines;
    struct process *engine; /* NULL: it has ended */
    struct reviewed *plies; /* owned: `count` of them */
    int count, deep;        /* plies of the match and one more, and how many of them are deep */
    bool missing;           /* there is no ludus-bot here */
    bool done;              /* all was said */
    struct cause cause;     /* why it ended before */
};

/* Starts to review a match that has passed pgn_check(), with movetime_ms of thought for each
 * position, or REVIEW_STANDARD. False with reviewer->cause if the bot cannot be run; release it
 * even then. */
bool reviewer_start(struct reviewer *reviewer, const struct pgn_match *match, int movetime_ms);

/* Takes what reviewer->engine->out has, once poll() says that there is something. Returns false
 * when the review has ended, done or not. */
bool reviewer_read(struct reviewer *reviewer);

/* Ends the bot at once; what was said stays. */
void reviewer_stop(struct reviewer *reviewer);

/* Stops and frees all. */
void reviewer_release(struct reviewer *reviewer);

/* "", "?" or "??". */
const char *review_mark(const struct reviewed *ply);

/* Whether a better move is worth showing: the move played was marked, and was another one. */
bool review_has_better(const struct pgn_match *match, const struct reviewed *plies, int ply);

/* Writes the match as PGN: with `{[%eval 0.25]}` behind each move, for white, in units of
 * 100; $2 and $4 for ? and ??; and what would have been better. The caller frees the text. */
char *review_pgn(const struct pgn_match *match, const struct reviewed *plies);

/* Appends the review as one line of JSON, in the form of the server's reply to `review`. */
void review_json(const struct pgn_match *match, const struct reviewed *plies, struct buffer *json);

/* Appends a line for each move, with a bar for white's chance to win after it, marks and better
 * moves, and how many mistakes each side has made. */
void review_words(const struct pgn_match *match, const struct reviewed *plies, struct buffer *text);

/* Gets a match that is over from the server, with its id there; release the file. False with the
 * cause, or "" for a refusal, which was shown. */
bool review_fetch(struct client *client, const char *match, char id[MATCH_ID_MAX],
                  struct pgn_file *file, struct cause *cause);

/* Asks the server for the review of its match, where the bot is missing here; waits some minutes at
 * most. False with reviewer->cause. */
bool review_give_by_server(struct client *client, const char *match, struct reviewer *reviewer);

/* Asks the server about a position, after reviewer_start() has failed for a match that begins and
 * ends with it; waits some minutes at most. False with reviewer->cause. */
bool review_position_by_server(struct client *client, const struct game *game,
                               const struct position *position, struct reviewer *reviewer);

#endif
