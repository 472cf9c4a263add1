/* What a gauntlet plays, as its command line says. */
#ifndef LUDUS_GAUNTLET_PLAN_H
#define LUDUS_GAUNTLET_PLAN_H

#include "client/engine/driver.h"
#include "common/buffer.h"
#include "common/game.h"
#include "common/time_control.h"
#include "opening_list.h"

enum {
    PAIRS_MAX = 100000,
    PLAN_LIMIT_MAX = 64,
    COMMAND_WORDS_MAX = 64,
    /* bytes with the final NUL: */
    LABEL_MAX = 128,
    LABEL_TEXT_MAX = 100 /* of a name or a text */
};

enum limit { LIMIT_MOVETIME, LIMIT_NODES, LIMIT_CLOCK };

/* What limits a move. */
struct move_limit {
    enum limit kind;
    long movetime_ms, nodes;
    struct time_control clock;
};

/* One of the two players. */
struct contestant {
    char label[LABEL_MAX]; /* the name given, else the text; with its number if both begin alike */
    const char *name;      /* NULL: none is given */
    struct move_limit limit;
    bool own_limit;   /* the limit is its own, not that of all */
    const char *text; /* as given: a level or a command */
    bool proven;      /* has once accepted the game */
    struct engine_program program;
    const struct dialect *dialect; /* NULL: not known yet */
    char *argv[COMMAND_WORDS_MAX + 1];
    char *words; /* owned: the text, split into argv */
    bool is_level;
};

struct plan {
    const struct game *game;
    struct position start;
    int pairing[2];         /* which of all players these are, from 0 */
    int player_count;       /* of all */
    int highest_option;     /* the last player, from 1, that --option or --player names; 0: none */
    const char *highest_by; /* which of the two */
    struct contestant players[2];
    struct move_limit limit;   /* of players that have none of their own */
    bool limit_given;          /* it is not the default */
    long margin_ms;            /* how late a move may be */
    long startup_s, memory_mb; /* of all engines */
    bool restarts;             /* no process plays in two matches */
    long pairs, parallel, seed, opening_plies, plies_max;
    const char *openings_path;  /* NULL: openings are random */
    struct opening_list list;   /* of that file */
    long score_cp, score_plies; /* adjudicate what both call won for so long; score_cp 0: nothing */
    long draw_cp, draw_from;    /* ... a draw, from that ply on; draw_cp 0: nothing */
    long solver_nodes;          /* for the solver to decide a match; 0: it does not */
    bool sprt;
    double elo0, elo1, alpha, beta;
    bool first_only; /* of more than two players, the first plays all others */
    bool json;
    long progress_s;                   /* between lines of progress; 0: none; -1: not given */
    const char *event, *site;          /* for records */
    const char *pgn_path, *state_path; /* NULL: none */
    bool appends_pgn;                  /* the file holds other matches of this gauntlet */
    struct trace_plan trace;
    char *owned_path; /* what state_path points to, with more than two players */
    /* Owned: all that decides the course of the matches, but not their number, as a line without
     * its end. A gauntlet can continue another one with the same text. */
    struct buffer settings;
};

/* Reads the command line, from which the texts borrow, for the match of two of its players, counted
 * from 0. Returns OPTIONS_RUN, or the exit status to end with after --help, --version or an error.
 * Release the plan in every case; do not copy it. */
int plan_read(struct plan *plan, int first, int second, int argc, char *argv[]);

void plan_release(struct plan *plan);

/* Whether --resume names a file of records, which is one for all pairings. */
bool plan_keeps_pgn(const struct plan *plan);

/* The opening of the match of that number, of the file; NULL: openings are random. */
const struct opening *plan_opening(const struct plan *plan, int number);

/* The start position of the match of that number. */
const struct position *plan_start(const struct plan *plan, int number);

/* Writes a limit of moves, such as "movetime 100 ms". */
void limit_text(const struct move_limit *limit, char text[PLAN_LIMIT_MAX]);

enum { SEED_TEXT_MAX = 32 };

/* Writes the option for the match of that number, as NAME=VALUE: the chances of a level, or "". */
void player_seed(const struct plan *plan, int player, int number, char text[SEED_TEXT_MAX]);

#endif
