/*
 * The configuration file: lines `name = value`, with the options of options.h by their long names.
 * Blank lines and those that begin with # say nothing. An option stands there once, but `listen`.
 */
#ifndef LUDUS_CONFIG_H
#define LUDUS_CONFIG_H

#include <stdbool.h>

#include "options.h"

/* The file to read where none was named: ludusd.conf in $CONFIGURATION_DIRECTORY, which systemd
 * sets, else in ludus/ of $XDG_CONFIG_HOME or ~/.config. False when none of them is set. */
bool config_default_path(char path[FOLDER_TEXT_MAX]);

/* Whether there is such a file, be it unreadable. */
bool config_exists(const char *path);

/* Reads the file. False with the cause, which names file and line. */
bool config_read(struct options *options, const char *path, struct cause *cause);

#endif
