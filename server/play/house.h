/*
 * The house bots: child processes that connect back over loopback like any other player. Each
 * start hands the child a secret on its standard input, good for one `hello bot:LEVEL`. A child
 * that ends is started again; its seats wait for it.
 *
 * Knows processes, but no sockets and no event loop: the loop tells it when children have ended
 * and, every second, what time it is.
 */
#ifndef LUDUS_HOUSE_H
#define LUDUS_HOUSE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

enum { LEVELS_MAX = 16, LEVEL_NAME_MAX = 16, SECRET_TEXT_MAX = 33 };

struct house_bot {
    char level[LEVEL_NAME_MAX];
    char secret[SECRET_TEXT_MAX]; /* "" when used, or no child runs */
    pid_t pid;                    /* 0: not running */
    int64_t started_ms;
    int64_t start_ms; /* when to start it again */
    int quick_ends;   /* how often in a row it ended soon after its start */
};

struct house_bots {
    struct house_bot bots[LEVELS_MAX];
    int count;
    char program[4096]; /* path of ludus-bot */
    char address[128];  /* where the children connect to; "" until the server listens */
    bool stopping;
};

/* Adds levels separated by commas. False, with those before it added, at one that is no word of a-z
 * and digits, doubled, or one too many. */
bool house_bots_add_levels(struct house_bots *house, const char *levels);

bool house_bots_have_level(const struct house_bots *house, const char *level);

/* Sets the program: `wanted`, or where that is "", ludus-bot beside this program or where it is
 * installed. False when there is no such program; then `program` is where it was looked for. */
bool house_bots_find_program(struct house_bots *house, const char *wanted);

/* Starts children that are to start by now. */
void house_bots_tick(struct house_bots *house, int64_t now_ms);

/* Collects children that have ended and plans their next start. */
void house_bots_reap(struct house_bots *house, int64_t now_ms);

/* Returns whether `secret` is the unused one of the running bot of that level; it is used up by
 * this. */
bool house_bots_admit(struct house_bots *house, const char *level, const char *secret);

/* Ends all children; those that take longer than a second are killed. */
void house_bots_stop(struct house_bots *house);

/* The program of the bots, or NULL if there are none. */
const char *house_bots_program(const struct house_bots *house);

/* Starts the program arguments[0] (a path; the list ends with NULL) in a process group of its own,
 * with these as standard input and output; output -1: the server's own. It gets the environment
 * without what is for libpq, such as a password. Returns 0 with *pid, or an errno with *pid 0. */
int bot_process_start(pid_t *pid, char *const arguments[], int input, int output);

#endif
