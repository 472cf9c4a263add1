/* The options of ludusd, from the command line and from the configuration file. */
#ifndef LUDUS_OPTIONS_H
#define LUDUS_OPTIONS_H

#include <stdbool.h>

#include "common/cause.h"
#include "server.h"
#include "store.h"

enum { LISTEN_MAX = 16, ADDRESS_TEXT_MAX = 128 };

struct options {
    struct limits limits;
    char listen[LISTEN_MAX][ADDRESS_TEXT_MAX]; /* ADDR:PORT as given; none: the defaults */
    int listen_count;
    bool lan;                   /* all addresses, with a join code */
    bool open;                  /* no join code */
    char code[CODE_TEXT_MAX];   /* "" : a random one where one is needed */
    char data[FOLDER_TEXT_MAX]; /* folder of the store; "none": in memory; "": the default */
    enum durability durability;
    char export[FOLDER_TEXT_MAX]; /* "": no export */
    bool check;                   /* the word `check` */
    bool no_bots;
    struct house house;     /* the levels of its bots */
    char bot_program[4096]; /* "" : ludus-bot beside ludusd */
};

enum options_result { OPTIONS_RUN, OPTIONS_DONE, OPTIONS_BAD };

/* Reads the command line and the file that --config names; the command line wins. --help and
 * --version print and give OPTIONS_DONE. OPTIONS_BAD comes with the cause. */
enum options_result options_read(struct options *options, int argc, char *argv[],
                                 struct cause *cause);

#endif
