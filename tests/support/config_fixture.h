/* A configuration file of the server in a folder of the test's own, and command lines that name a
 * file. */
#ifndef LUDUS_CONFIG_FIXTURE_H
#define LUDUS_CONFIG_FIXTURE_H

#include "server/boot/server_options.h"

extern char config_folder[];

/* Makes the folder. */
void config_begin(void);

/* Removes the folder with the file. */
void config_end(void);

/* Writes ludusd.conf in the folder, and returns its path. */
const char *config_write(const char *text);

/* Reads a command line of up to ten words. */
enum options_result config_read_words(struct server_options *options, const char *const words[10],
                                      struct cause *cause);

/* Reads --config FILE, followed by up to eight words, or NULL. */
enum options_result config_read(struct server_options *options, const char *file,
                                const char *const words[8], struct cause *cause);

#endif
