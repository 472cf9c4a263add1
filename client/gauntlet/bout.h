/*
 * One match of a gauntlet: an engine process for each side. They move in turn until the rules end
 * the match or an engine fails. The owner calls bout_run() whenever an engine has output or the
 * bout is due.
 */
#ifndef LUDUS_GAUNTLET_BOUT_H
#define LUDUS_GAUNTLET_BOUT_H

#include "../engine/course.h"
#include "common/key_history.h"
#include "opening.h"
#include "results.h"

struct bout {
    const struct plan *plan;   /* borrowed */
    struct player *players[2]; /* by colour; borrowed */
    struct driver drivers[2];  /* by colour */
    struct course course;
    struct history history;
    bool thinking;             /* the side to move has been asked for a move */
    int64_t asked_ms, flag_ms; /* when it was asked, and when it loses on time */
    int64_t left_ms[2];        /* on a clock */
    long ahead_plies[2];       /* how many last plies all said that this colour wins */
    bool over;
    struct result_of_match result; /* once it is over, without the moves */
    bool is_hopeless;              /* over, because an engine has never accepted the game */
};

/* Starts the engines. Returns false with the cause if one cannot be run; call bout_end() even then.
 * Changes the plan's players: their seeds, and what is found out about them. */
bool bout_start(struct bout *bout, struct plan *plan, int number, const struct opening *opening,
                struct process_list *processes, int64_t now_ms, struct cause *cause);

/* Reads what the engines say and lets time pass. */
void bout_run(struct bout *bout, int64_t now_ms);

/* When bout_run() is due even if no engine has output. */
int64_t bout_due_ms(const struct bout *bout);

/* Returns the result of a bout that is over, with moves that the caller owns. */
struct result_of_match bout_result(const struct bout *bout);

/* Releases the engines and everything else the bout owns. */
void bout_end(struct bout *bout, int64_t now_ms);

#endif
