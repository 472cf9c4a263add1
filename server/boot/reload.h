/*
 * A new configuration for a server that runs (SIGHUP). What can be changed is changed at once; of
 * the rest the log says that it needs a restart. When anything is wrong with the new configuration,
 * or the log cannot be opened, the log says so and the server stays as it was.
 */
#ifndef LUDUS_RELOAD_H
#define LUDUS_RELOAD_H

#include "options.h"

/* Compares the options in use with new ones and changes the server, the log's level and `options`
 * where that can be. */
void reload_apply(struct server *server, struct options *options, const struct options *wanted);

/* Opens the log's file anew, if there is one, then reads the command line and the file of
 * options->config again and applies them. */
void reload(struct server *server, struct options *options, int argc, char *argv[]);

#endif
