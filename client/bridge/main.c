/*
 * ludus-bridge: seats an engine that speaks UGI or UCI at a Ludus server.
 */
#include <stdio.h>

#include "bridge.h"
#include "options.h"

int main(int argc, char *argv[])
{
    struct options options;
    struct cause cause;

    switch (options_read(&options, argc, argv, &cause)) {
    case OPTIONS_DONE:
        return 0;
    case OPTIONS_BAD:
        fprintf(stderr, "ludus-bridge: %s\n", cause.text);
        return 2;
    default:
        return bridge_run(&options);
    }
}
