/*
 * `ludus course submit`: a student's new files take the place of the old ones once their bot has
 * shown in its box that it is a good citizen.
 */
#ifndef LUDUS_SUBMIT_H
#define LUDUS_SUBMIT_H

#include <stdbool.h>

#include "common/text.h"

/* Checks a file or a folder by `ludus-bot check-bot`, which prints, and makes it DIR/bots/NAME.
 * What was there becomes DIR/bots/NAME.before. False with the cause; then all is as it was. */
bool course_submit(const char *dir, const char *name, const char *file, struct cause *cause);

/* Runs what is to be checked, in its box, against the server at `address`, until it ends or this
 * process gets SIGTERM. check-bot calls this program for it. */
bool course_try(const char *dir, const char *name, const char *address, struct cause *cause);

#endif
