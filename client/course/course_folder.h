/*
 * The folder of a course of bots, and its file course.conf, which the teacher edits:
 *
 *     DIR/course.conf           what is played, by whom, within which limits
 *     DIR/keys                  a line NAME KEY for each student: the secret part of the address
 *                               of their page in the report
 *     DIR/bots/NAME/            the files of a student's bot
 *     DIR/work/NAME/            where it may write while it runs
 *     DIR/server/               the store of the server
 *     DIR/claims/               what it was before new names were claimed there, meanwhile
 *     DIR/control               the socket for the teacher's orders (orders.h)
 *     DIR/lock                  held by the one `course run` that there may be
 *     DIR/logs/N/NAME.log       what the bot said in night N
 *     DIR/results/              what was played, for the report
 */
#ifndef LUDUS_COURSE_FOLDER_H
#define LUDUS_COURSE_FOLDER_H

#include <limits.h>
#include <stdbool.h>

#include "client/link/identity.h"

enum {
    COURSE_TEXT_MAX = 128,
    COURSE_SERIES_MAX = 33, /* bytes of a series' name, with the final NUL */
    COURSE_COMMAND_MAX = 512,
    COURSE_BOTS_MAX = 200
};

/* The player who opens the tournaments; no student. */
#define COURSE_DIRECTOR "teacher"

/* A student, and how their bot is started in bots/NAME/. */
struct course_bot {
    char name[OWN_NAME_MAX];
    char command[COURSE_COMMAND_MAX]; /* "": it connects by itself */
    bool engine;                      /* the command is an engine, which the bridge seats */
};

/* What each bot may use. */
struct course_limits {
    long start_s; /* until it has logged in */
    long cpu_s;   /* of the processor, in a night */
    long memory_mb, processes;
    long output_mb; /* of its log, in a night */
    long disk_mb;   /* of its folder to write in */
};

/* What a bot loses that errs. */
enum course_loss { COURSE_LOSE_MATCH, COURSE_LOSE_MOVE };

enum course_format { COURSE_ROUND_ROBIN, COURSE_SWISS };

/* What course.conf says. */
struct course_folder {
    const char *dir, *conf; /* the folder, borrowed; the file */
    char title[COURSE_TEXT_MAX], game[COURSE_TEXT_MAX];
    enum course_format format;
    int rounds; /* of a Swiss; 0: as many as it needs */
    char clock[COURSE_TEXT_MAX], openings[COURSE_TEXT_MAX];
    int nights;
    long every_s; /* from the beginning of a night to that of the next; 0: no pause */
    char series[COURSE_SERIES_MAX];
    char listen[COURSE_TEXT_MAX]; /* where the server does: ADDR:PORT */
    struct course_limits limits;
    enum course_loss lost;
    long move_s; /* COURSE_LOSE_MOVE: what a move may take; 0: any time */
    struct course_bot bots[COURSE_BOTS_MAX];
    int bot_count;
};

/* Makes a folder with the file and with these students, who may be none. It may exist, but must not
 * be a course yet. False with the cause; nothing that was there is changed then. */
bool course_init(const char *dir, char *const names[], struct cause *cause);

/* Adds a student to course.conf, whose bot is started as those of course_init(), with their folder
 * and key. False with the cause; nothing is changed then. */
bool course_add(const char *dir, const char *name, struct cause *cause);

/* Reads course.conf of a folder. False with the cause, which names the line. */
bool course_read(struct course_folder *course, const char *dir, struct cause *cause);

/* The student of that name, or NULL. */
const struct course_bot *course_find_bot(const struct course_folder *course, const char *name);

/* Makes the folders bots/NAME of the students who have none, and keys for those who lack one; the
 * others keep theirs. False with the cause. */
bool course_complete(const struct course_folder *course, struct cause *cause);

#endif
