/* Standard output as scripts need it: what could not be written there is an error of the program.
 */
#ifndef LUDUS_OUTPUT_H
#define LUDUS_OUTPUT_H

/* At the start of the program: where a standard file is closed, puts one in its place that cannot
 * be used, so that no connection takes its number. */
void output_begin(void);

/* At the end: writes out what is left. The exit status: 1, with a message on standard error, when
 * not everything could be written, else the one given. */
int output_end(int status);

#endif
