/*
 * The conversation with one engine, in either dialect: greeting, options, the game, and then a
 * move for each position. Knows nothing of servers and matches.
 *
 * The owner calls talk_receive() when the engine has output, talk_tick() in every turn of his
 * loop, and after either talk_next() until nothing is left. Every wait is bounded: an engine that
 * does not answer in time, ends, or floods makes the talk fail, for good.
 */
#ifndef LUDUS_ENGINE_DRIVER_H
#define LUDUS_ENGINE_DRIVER_H

#include "course.h"
#include "dialect.h"
#include "process.h"
#include "traffic_log.h"

enum {
    BEST_MAX = 32, /* bytes of a move as an engine writes it, with the final NUL */
    ENGINE_OPTIONS_MAX = 64
};

/* What is run, and how it is set. Texts are borrowed. */
struct program {
    char *const *command;                           /* NULL-terminated */
    const char *engine_options[ENGINE_OPTIONS_MAX]; /* NAME=VALUE */
    int engine_option_count;
    struct log log; /* quiet: its standard error is dropped, too */
};

enum talk_state {
    TALK_GREETING,   /* waits for ugiok or uciok */
    TALK_OPTIONS,    /* waits for readyok */
    TALK_INTRODUCED, /* idle: waits for talk_choose() */
    TALK_CHOOSING,   /* waits for readyok */
    TALK_READY,      /* idle: waits for talk_think() */
    TALK_THINKING,   /* waits for bestmove */
    TALK_STOPPING,   /* was told to stop: waits for bestmove */
    TALK_FAILED
};

/* What the owner is told. */
enum talk_event {
    TALK_NOTHING,
    TALK_IS_INTRODUCED,
    TALK_IS_READY,
    TALK_HAS_MOVED,
    TALK_HAS_FAILED
};

/* The time for one move. */
struct budget {
    bool clock;     /* the match has one; else movetime_ms counts */
    uint64_t nodes; /* unless 0, what the engine is asked for in place of a time; then movetime_ms
                     * is how long it may take at most */
    int64_t movetime_ms;
    int64_t left_ms[2], increment_ms; /* by colour */
};

struct talk {
    const struct program *program;
    struct process *engine;        /* borrowed from the list; NULL after talk_end() */
    const struct dialect *dialect; /* NULL: not found out yet */
    enum talk_state state;
    int64_t deadline_ms; /* of the state */
    bool said_uci;       /* the second try to find the dialect out */
    bool ended;          /* its output is at its end */
    bool wanted;         /* TALK_STOPPING: its move counts yet */
    struct profile profile;
    struct setup setup;
    struct cause complaint; /* the last error that the engine spoke of; "" : none */
    struct cause cause;     /* TALK_FAILED: why */
    char best[BEST_MAX];    /* TALK_HAS_MOVED: its move as it wrote it, perhaps nonsense */
};

/* Starts the program and greets it; dialect NULL: finds out which it speaks. False
 * with the cause when it cannot be started. Comes to TALK_IS_INTRODUCED. */
bool talk_start(struct talk *talk, const struct program *program, const struct dialect *dialect,
                struct process_list *engines, int64_t now_ms, struct cause *cause);

/* Whether the engine, as it introduced itself, can be asked to play this; if not, the cause says
 * why. */
bool talk_can_play(const struct talk *talk, const struct game *game, const struct position *start,
                   struct cause *cause);

/* Sets an introduced engine up for a game from this start position. Comes to TALK_IS_READY, or
 * fails if it does not take it. */
void talk_choose(struct talk *talk, const struct game *game, const struct position *start,
                 int64_t now_ms);

/* Asks a ready engine for a move in the last position of the course. Comes to TALK_HAS_MOVED; it
 * is ready again then. */
void talk_think(struct talk *talk, const struct course *course, const struct budget *budget,
                int64_t now_ms);

/* The move is not wanted any more. An engine that is thinking comes to TALK_IS_READY. */
void talk_forget(struct talk *talk, int64_t now_ms);

/* Reads what the engine wrote, once. */
void talk_receive(struct talk *talk);

/* Lets time pass: stops an engine that thinks too long, and fails when it is past that. */
void talk_tick(struct talk *talk, int64_t now_ms);

/* The next thing to tell, or TALK_NOTHING. TALK_HAS_FAILED comes again and again. */
enum talk_event talk_next(struct talk *talk, int64_t now_ms);

/* When talk_tick() is due; INT64_MAX: never. */
int64_t talk_due_ms(const struct talk *talk);

/* Lets go of the engine: asks it to quit, or kills it at once. May be called again. */
void talk_end(struct talk *talk, bool at_once, int64_t now_ms);

#endif
