/* Questions before there is a client. */
#ifndef LUDUS_CLI_ASK_H
#define LUDUS_CLI_ASK_H

/* Prints the rows with numbers from 1, and asks for one by its number or its first letters; the
 * first row is the default. Returns the index from 0; -1 at the end of input. */
int ask_row(const char *question, const char *const rows[], int count);

#endif
