/*
 * What `ludus course` does with the folder of a course (course_folder.h): plays its nights, takes
 * in what students hand in, and reports. Each returns false with the cause.
 */
#ifndef LUDUS_COURSE_ACTIONS_H
#define LUDUS_COURSE_ACTIONS_H

#include <stdbool.h>

#include "common/text.h"

/* Plays the nights that have not been played until all are over, and says what happens on standard
 * output. What was played stands in the store of the server and in DIR/results, whose files are
 * written as wholes or by whole lines, so that another run goes on after any end. False: something
 * fails, or a signal has ended it. */
bool course_run(const char *dir, struct cause *cause);

/* Checks a file or a folder in its box by `ludus-bot check-bot`, which prints, and makes it
 * DIR/bots/NAME. What was there becomes DIR/bots/NAME.before. False: then all is as it was. */
bool course_submit(const char *dir, const char *name, const char *file, struct cause *cause);

/* Runs what is to be checked, in its box, against the server at `address`, until it ends or this
 * process gets SIGTERM. check-bot calls this program for it. */
bool course_try(const char *dir, const char *name, const char *address, struct cause *cause);

/* Writes DIR/report/ anew, from what DIR has of results, verdicts, logs and keys: a static folder
 * for any web server or for none. Everybody may read all of it but the pages of the students, each
 * of which lies at an address that only the student knows. The folder of the last time is replaced
 * at once, at the end. False: it could not be written, or the table does not follow from the
 * matches; then it is written nevertheless. */
bool course_report(const char *dir, struct cause *cause);

/* Tells the course that runs in a folder an order, and prints its answer:
 *   expel NAME      the student takes part no more, in this night and all that follow
 *   replay          the night is called off, and is played again from its first round
 *   pause, resume   matches that run go on, and nobody is paired meanwhile
 * False: it does not run, or refuses. */
bool course_order(const char *dir, const char *order, const char *name, struct cause *cause);

#endif
