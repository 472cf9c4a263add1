/*
 * What has happened in a course so far, read from DIR/results, DIR/keys and DIR/course.conf: the
 * nights, the matches, the verdicts, and what they come to for each student.
 */
#ifndef LUDUS_COURSE_RESULTS_H
#define LUDUS_COURSE_RESULTS_H

#include <cjson/cJSON.h>
#include <limits.h>
#include <stdbool.h>

#include "common/buffer.h"
#include "common/text.h"

enum { COURSE_KEY_MAX = 65, COURSE_TITLE_MAX = 128, COURSE_NIGHTS_MAX = 366 };

/* The kinds of verdicts, in the order in which they are counted. */
enum { COURSE_VERDICTS = 8 };
extern const char *const course_verdicts[COURSE_VERDICTS];

struct course_student {
    const char *name;         /* borrowed from the results */
    char key[COURSE_KEY_MAX]; /* of the student's own page; "": none */
    int points2;              /* half points of all nights */
    int matches, wins, draws, losses;
    bool rated; /* whether there is a performance, as the server's series has it */
    int performance, performance_error;
    int verdicts[COURSE_VERDICTS];
    int verdict_count; /* unknown kinds included */
};

struct course_results {
    char title[COURSE_TITLE_MAX];
    cJSON *nights[COURSE_NIGHTS_MAX]; /* the `tournament` of each, night 1 first; owned */
    int night_count;
    cJSON *series;                   /* owned; NULL: none */
    cJSON *matches, *verdicts;       /* arrays; owned */
    struct course_student *students; /* by points, then performance, then name; owned */
    int student_count;
};

/* Reads a folder. False with the cause if a file cannot be read or makes no sense; either way
 * course_results_release() must follow. A torn last line of a file of lines is passed over. */
bool course_results_read(struct course_results *results, const char *dir, struct cause *cause);
void course_results_release(struct course_results *results);

/* Adds up the matches once more: whether each night's points are what its matches, byes and
 * walkovers come to, and whether each match is recorded once, with the same result. False with the
 * first cause that there is. */
bool course_results_audit(const struct course_results *results, struct cause *cause);

/* The half points that a result, such as 1-0, brings to a side. */
int course_points2(const char *result, bool white);

/* The half points of a student in a night, counted from 0; -1: they did not take part. */
int course_night_points2(const struct course_results *results, int night, const char *name);

/* The line of matches.jsonl about a match, or NULL. */
const cJSON *course_match(const struct course_results *results, const char *match);

/* Reads a whole file into a buffer. False with errno if that fails. */
bool course_read_file(const char *path, struct buffer *text);

/* Writes a file anew, as a whole or not at all. */
bool course_write_file(const char *path, const struct buffer *text, struct cause *cause);

/* A text of JSON objects, a line each. What follows the last line end is a line that is still being
 * written, or was when the power went: it is passed over. */
struct course_lines {
    struct buffer text; /* owned */
    size_t taken;
    int number;
    bool good;
    char path[PATH_MAX];
    struct cause cause;
};

/* Reads a file of them; one that is not there has no line. */
void course_lines_open(struct course_lines *lines, const char *path);

/* Returns the next object, owned by the caller; NULL at the end, and where a line is none. */
cJSON *course_lines_next(struct course_lines *lines);

/* Frees the text. False with the cause: it could not be read to its end. */
bool course_lines_close(struct course_lines *lines, struct cause *cause);

/* Adds an object to a file of them, at once. False with the cause; nothing is added then. */
bool course_lines_add(const char *path, const cJSON *object, struct cause *cause);

/* Takes off a last line that was cut when a program was killed. False with the cause. */
bool course_lines_cut(const char *path, struct cause *cause);

#endif
