/*
 * Drives one engine, in any dialect: greeting, options, the game, and then a move for each
 * position. Knows nothing of servers and matches.
 *
 * In every turn of its loop the owner sets engine->ready if there is output, and calls
 * driver_next() until nothing is left. Every wait is bounded: an engine that does not answer in
 * time, ends or floods makes the driver fail for good.
 */
#ifndef LUDUS_ENGINE_DRIVER_H
#define LUDUS_ENGINE_DRIVER_H

#include "dialect.h"
#include "process.h"

#define STARTUP_S_TEXT "30"

/* The option --startup of a program with a struct engine_program. */
#define STARTUP_ROW(type, member)                                                                  \
    {                                                                                              \
        OPTION("startup", "SECONDS",                                                               \
               "how long an engine may take for each answer until it is ready"),                   \
            TO_NUMBER(type, member, 1, 3600), .standard = STARTUP_S_TEXT                           \
    }

/* Those for engines that are kept between matches. */
#define RESTART_ROW(type, member)                                                                  \
    {                                                                                              \
        OPTION("restart", NULL, "a new engine process for each match, as for one that leaks"),     \
            TO_FLAG(type, member)                                                                  \
    }
#define MEMORY_ROW(type, member)                                                                   \
    {                                                                                              \
        OPTION("memory", "MB",                                                                     \
               "megabytes for the data of an engine; between matches, one that\n"                  \
               "has more than half of it is replaced"),                                            \
            TO_NUMBER(type, member, 1, 1 << 20)                                                    \
    }

enum {
    STARTUP_S = 30,
    PV_TEXT_MAX = 128, /* bytes of the beginning of a line, with the final NUL */
    BEST_MAX = 32,     /* bytes of a move in the words of an engine, with the final NUL */
    ENGINE_OPTIONS_MAX = 64,
    SCORE_MATE_CP = 30000 /* what `score mate` counts as */
};

/* The program to run and its options. Texts are borrowed. */
struct engine_program {
    char *const *command;                           /* NULL-terminated */
    const char *engine_options[ENGINE_OPTIONS_MAX]; /* NAME=VALUE */
    int engine_option_count;
    const char *folder; /* where it runs; NULL: where we do */
    long startup_s;     /* for each answer until it is set up; 0: STARTUP_S */
    struct trace_plan trace;
    long memory_mb; /* for the data of each process; 0: any amount */
    bool restarts;  /* no process plays in two matches */
    bool quiet;     /* logs warnings only, and drops its standard error */
};

/* Adds an option, which is borrowed. False with the cause unless it is NAME=VALUE, and there is
 * room.
 */
bool program_add_option(struct engine_program *program, const char *option, struct cause *cause);

enum driver_state {
    DRIVER_GREETING,   /* awaits the end of the greeting, such as ugiok */
    DRIVER_OPTIONS,    /* awaits readyok */
    DRIVER_INTRODUCED, /* idle: awaits driver_choose() */
    DRIVER_CHOOSING,   /* awaits readyok */
    DRIVER_READY,      /* idle: awaits driver_think() */
    DRIVER_THINKING,   /* awaits bestmove */
    DRIVER_STOPPING,   /* told to stop, if it can be, awaits bestmove */
    DRIVER_FAILED
};

/* What happens, for the owner. */
enum driver_event {
    DRIVER_NOTHING,
    DRIVER_IS_INTRODUCED,
    DRIVER_IS_READY,
    DRIVER_HAS_MOVED,
    DRIVER_HAS_RESIGNED, /* instead of a move */
    DRIVER_HAS_FAILED
};

struct driver {
    const struct engine_program *program;
    struct process *engine;        /* borrowed from the list; NULL after driver_end() */
    const struct dialect *dialect; /* NULL: not known yet */
    enum driver_state state;
    int64_t deadline_ms;              /* of the state: driver_next() is due; INT64_MAX: none */
    const struct dialect *greeted_in; /* DRIVER_GREETING: the dialect of the last greeting */
    char said[128];                   /* DRIVER_GREETING: its last line */
    bool ended;                       /* its output is at an end */
    bool wanted;                      /* DRIVER_STOPPING: its move still counts */
    struct profile profile;
    struct setup setup;
    struct cause complaint; /* the last error that the engine reported; "": none */
    struct cause cause;     /* DRIVER_FAILED: why */
    char best[BEST_MAX];    /* DRIVER_HAS_MOVED: its move in its own words, perhaps nonsense */
    bool has_score;         /* it gave the position a value: score_cp */
    int score_cp;           /* the last one for its own side; SCORE_MATE_CP: it wins */
    int depth_plies;        /* of the last report; 0: it told none */
    char pv[PV_TEXT_MAX];   /* its line, in the words of the engine; "": it told none */
};

/* Starts the program for this match (NULL: see driver_enter()) and greets it. With dialect NULL,
 * finds out which one it speaks. Returns false with the cause if it cannot be started. Leads to
 * DRIVER_IS_INTRODUCED. */
bool driver_start(struct driver *driver, const struct engine_program *program, const char *match,
                  const struct dialect *dialect, struct process_list *engines, int64_t now_ms,
                  struct cause *cause);

/* Sets an introduced or ready engine up for a new match of a game, from this start position, with
 * an option of this match, NAME=VALUE or NULL. Leads to DRIVER_IS_READY, or fails if the engine
 * refuses. */
void driver_choose(struct driver *driver, const struct game *game, const struct position *start,
                   const char *option, int64_t now_ms);

/* A match gets the engine that was started for none, or that has had its rest since another one.
 * Its log begins. */
void driver_enter(struct driver *driver, const char *match);

/* The match is over: cancels the move asked for, closes the log of the match, and keeps the engine
 * for another one. False if it is to end, as it has failed, is not set up, has taken too much
 * memory, or its program restarts. */
bool driver_rest(struct driver *driver, int64_t now_ms);

/* Whether a match may have the engine: it is introduced or ready, or will be by itself. */
bool driver_is_free(const struct driver *driver);

/* Asks a ready engine for a move in the last position of the course. Leads to DRIVER_HAS_MOVED,
 * after which the engine is ready again. */
void driver_think(struct driver *driver, const struct course *course, const struct budget *budget,
                  int64_t now_ms);

/* Cancels the move asked for. An engine that is thinking is led to DRIVER_IS_READY. */
void driver_forget(struct driver *driver, int64_t now_ms);

/* Reads what the engine wrote, stops it if it thinks too long, and fails if it does not stop.
 * Returns the next event, or DRIVER_NOTHING. A failed driver returns DRIVER_HAS_FAILED every time.
 */
enum driver_event driver_next(struct driver *driver, int64_t now_ms);

/* Lets go of the engine: asks it to quit, or kills it at once, since it failed. Another call does
 * nothing. */
void driver_end(struct driver *driver, bool at_once, int64_t now_ms);

#endif
