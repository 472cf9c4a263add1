/* Standard output for scripts: a failed write is an error of the program. */
#ifndef LUDUS_OUTPUT_H
#define LUDUS_OUTPUT_H

/* Call this first: replaces each closed standard file by one that cannot be used, so that no
 * connection takes its number. */
void output_begin(void);

/* Call this last: flushes the output. Returns the given exit status, or 1 with a message on
 * standard error when the output could not be written. */
int output_end(int status);

#endif
