/* The command line of the load generator. */
#ifndef LUDUS_LOAD_OPTIONS_H
#define LUDUS_LOAD_OPTIONS_H

#include "load_echo.h"
#include "load_idle.h"
#include "load_play.h"

enum load_mode { LOAD_PLAY, LOAD_ECHO, LOAD_IDLE, LOAD_HELP };

struct load_settings {
    enum load_mode mode;
    struct load_options play; /* what the mode needs is filled in: this, */
    struct echo_options echo; /* this, */
    struct idle_options idle; /* or this */
    bool json;
};

extern const char load_help[];

/* Reads the command line, whose texts are borrowed. Returns false after reporting an error on
 * standard error. */
bool load_options_read(struct load_settings *settings, int argc, char *argv[]);

#endif
