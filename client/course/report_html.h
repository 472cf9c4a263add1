/*
 * HTML: text that is as untrusted as any bot, and the charts of a report. Nothing that people or
 * bots have written gets into a page but through html_text() and html_lines().
 */
#ifndef LUDUS_REPORT_HTML_H
#define LUDUS_REPORT_HTML_H

#include "course_results.h"

/* The script and the style of all pages, made by pack_board.py. */
extern const char report_script[], report_style[];

/* Begins a page. `up` leads to the folder of the report: "" or "../". `apart`: nobody else is to
 * learn its address, so that links do not tell it and no machine lists it. */
void html_begin(struct buffer *page, const char *title, const char *up, bool apart);
void html_end(struct buffer *page);

/* Adds text for an element or for an attribute in double quotes. What is no character to be shown
 * becomes U+FFFD: invalid UTF-8, controls, and what turns the direction of writing. */
void html_text(struct buffer *page, const char *text);

/* The same for text of several lines, in a <pre>. */
void html_lines(struct buffer *page, const char *text, size_t length);

/* Adds half points: 3, 3½. */
void html_points(struct buffer *page, int points2);

/* Adds the curves of the students' ratings at the server, from night to night; of one student by
 * itself over the others', if `student` is not NULL. Nothing where no match was rated. */
void html_curves(struct buffer *page, const struct course_results *results, const char *student);

/* Adds a bar that shows a performance with its error on the scale from `least` to `most`. */
void html_error_bar(struct buffer *page, const struct course_student *student, int least, int most);

#endif
