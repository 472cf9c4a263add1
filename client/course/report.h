/*
 * `ludus course report`: the results of a course as a static folder, DIR/report/, for any web
 * server or for none. Everybody may read all of it but the pages of the students, each of which
 * lies at an address that only the student knows.
 */
#ifndef LUDUS_REPORT_H
#define LUDUS_REPORT_H

#include <stdbool.h>

#include "common/text.h"

/* The script and the style of all pages, made by pack_board.py. */
extern const char report_script[], report_style[];

/* Writes DIR/report/ anew, from what DIR has of results, verdicts, logs and keys. The folder of the
 * last time is replaced at once, at the end. False with the cause when it could not be written, or
 * when the table does not follow from the matches: then it is written nevertheless. */
bool course_report(const char *dir, struct cause *cause);

#endif
