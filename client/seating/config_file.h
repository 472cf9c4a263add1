/*
 * The options of a program in the file of --config: lines `name = value` with the long names, `yes`
 * or `no` for those without a value. Blank lines and lines that begin with # are comments. The
 * command line follows: its values replace those of the file. It cannot unset what has no value,
 * and options that may be repeated add up.
 */
#ifndef LUDUS_CONFIG_FILE_H
#define LUDUS_CONFIG_FILE_H

#include "common/usage.h"

/* Returns the command line with the options of the file before its own, for usage_read() with the
 * same rows and order; the given one if it has no --config, otherwise a block for the caller to
 * free after the last use of the options. NULL with the cause, which names file and line. */
char **config_file_add(const struct usage_row *rows, const char *order, int *argc, char *argv[],
                       struct cause *cause);

#endif
