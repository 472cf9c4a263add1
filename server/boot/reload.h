/*
 * Reloads the configuration of a running server (SIGHUP). Live options change at once; the log
 * names those that need a restart. If anything is wrong with the new configuration, the log says so
 * and nothing changes.
 */
#ifndef LUDUS_RELOAD_H
#define LUDUS_RELOAD_H

#include "server_options.h"

/* Applies the live ones of the wanted options: changes `options`, the server and the log's
 * level. */
void reload_apply(struct server *server, struct server_options *options,
                  const struct server_options *wanted);

/* Reopens the log's file, if there is one, then reads the command line and the file of
 * options->config again and applies them. */
void reload(struct server *server, struct server_options *options, int argc, char *argv[]);

#endif
