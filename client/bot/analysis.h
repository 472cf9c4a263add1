/*
 * The analysis of a match: how good each position was, the best move in it, and what the move
 * played has lost.
 *
 * Each position is searched alone, in any order, by any number of threads, and may be searched
 * again with more effort; one thread proves who wins, from the end to the start. What they find
 * depends on the match and the nodes only. At last the verdicts are made to agree with each other.
 *
 * Values are those of searches (client/games/guide.h), seen by white: hundredths of the natural
 * logarithm of the odds that white wins. 0 is even, 100 means 73 %, 200 means 88 %. A certain win
 * is SCORE_WIN, less the plies it takes at most.
 */
#ifndef LUDUS_BOT_ANALYSIS_H
#define LUDUS_BOT_ANALYSIS_H

#include <pthread.h>

#include "client/bot/base/search_question.h"
#include "client/bot/clobber/clobber_solve.h"
#include "common/key_history.h"
#include "common/pgn.h"

enum { ANALYSIS_LINE_MAX = 8 }; /* plies of the line that follows from a position */

/* The judgement of a position. */
struct verdict {
    int eval;        /* seen by white */
    int depth_plies; /* of the search; 0: none yet */
    int line_plies;
    struct move line[ANALYSIS_LINE_MAX]; /* best play for both; the first move is the best one */
    bool exact;                          /* the solver has proved who wins */
    bool deep;                           /* by the full effort, or nothing is left to think about */
    bool guessed; /* the value follows from the move before; the line is only a guess */
};

struct analysis {
    const struct game *game;
    int plies;
    struct position *positions; /* owned, as are the other arrays: plies + 1 of them */
    struct move *moves;         /* the moves played */
    struct verdict *verdicts;   /* by lock; zeroed: not judged yet */
    bool *forced;               /* the move played was the only legal one */
    struct history history;     /* the keys of the positions */
    pthread_mutex_t lock;       /* of the verdicts */
};

/* The tools of a thread that judges. */
struct judge {
    struct tt tt;
    struct solver *solver; /* of Clobber; NULL: not made yet, or the system refuses its memory */
    uint64_t rng;
};

/* How much to think about a position. */
struct effort {
    int64_t time_ms;      /* INT64_MAX: no limit */
    uint64_t nodes;       /* of a search; UINT64_MAX: no limit */
    uint64_t proof_nodes; /* of the solver */
    bool deep;            /* the verdict is not searched again */
};

/* A position and the move played in it, as reviews tell it. */
struct ply_review {
    struct verdict verdict;
    bool judged; /* else the rest means nothing */
    int chance;  /* of white to win, in percent */
    int loss;    /* what the move has lost for its side, at least 0; 0 behind the last move */
    enum { MARK_NONE, MARK_MISTAKE, MARK_BLUNDER } mark; /* what that has cost */
};

/* Takes over a match that has passed pgn_check(). */
void analysis_open(struct analysis *analysis, const struct pgn_match *match);

/* Searches the position after `ply` plies and keeps the verdict, unless there is one as deep, or
 * nothing to think about. `stop` as in a question. */
void analysis_judge(struct analysis *analysis, struct judge *judge, int ply,
                    const struct effort *effort, const atomic_bool *stop);

/* Proves who wins the positions of a match of Clobber, from its end as far back as the effort for
 * each allows. Hands each ply whose verdict has changed to `tell`, which may be NULL. */
typedef void analysis_teller(void *context, int ply);
void analysis_prove(struct analysis *analysis, const struct effort *effort, const atomic_bool *stop,
                    analysis_teller *tell, void *context);

/* Makes the verdicts agree, once every position is judged and nobody else judges: what is proven
 * of a position holds for those that follow by its moves, and no position is worth less than the
 * move played made of it. Thinks again where the move that looked best was none. */
void analysis_settle(struct analysis *analysis, const struct effort *effort,
                     const atomic_bool *stop);

/* Tells what is known now about a ply, from 0 to `plies`: the last has no move. */
void analysis_tell(struct analysis *analysis, int ply, struct ply_review *review);

/* The ply at which the loser let the last proven win go, or -1 if there is none. */
int analysis_last_win(struct analysis *analysis);

void analysis_close(struct analysis *analysis);

/* Frees what a zeroed judge has made. */
void judge_release(struct judge *judge);

#endif
