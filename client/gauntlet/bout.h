/*
 * One match of a gauntlet: an engine process for each side, who are asked by turns until the
 * rules end it or one of them fails. The owner calls bout_run() whenever an engine has output or
 * the bout is due.
 */
#ifndef LUDUS_GAUNTLET_BOUT_H
#define LUDUS_GAUNTLET_BOUT_H

#include "../engine/course.h"
#include "client/bot/base/key_history.h"
#include "opening.h"
#include "result.h"
#include "setup.h"

struct bout {
    int number;
    const struct plan *plan;   /* borrowed */
    struct player *players[2]; /* by colour; borrowed */
    struct talk talks[2];      /* by colour */
    struct course course;
    struct history history;
    bool thinking;             /* the side to move was asked */
    int64_t asked_ms, flag_ms; /* when it was, and when it has lost on time */
    int64_t left_ms[2];        /* on a clock */
    bool over;
    struct outcome outcome; /* when it is over */
    enum ending ending;
    struct cause note;
    bool is_hopeless; /* over, because an engine never got as far as to play */
};

/* Starts the engines. False with the cause when one cannot be run; bout_end() even then. The
 * plan's players are changed: their seeds, and what is found out about them. */
bool bout_start(struct bout *bout, struct plan *plan, int number, const struct opening *opening,
                struct process_list *processes, int64_t now_ms, struct cause *cause);

/* Hears the engines and lets time pass. */
void bout_run(struct bout *bout, int64_t now_ms);

/* When bout_run() is due even if no engine says anything. */
int64_t bout_due_ms(const struct bout *bout);

/* The result of a bout that is over, which the caller owns. */
struct result_of_match *bout_result(const struct bout *bout);

/* Lets go of the engines, and of all that the bout owns. */
void bout_end(struct bout *bout, int64_t now_ms);

#endif
