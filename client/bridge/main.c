/*
 * ludus-bridge: seats an engine that speaks UGI or UCI at a Ludus server.
 */
#include <stdio.h>

#include "bridge.h"
#include "bridge_options.h"
#include "client/link/link.h"

int main(int argc, char *argv[])
{
    struct bridge_options options;
    struct cause cause;

    link_use_xmalloc();
    switch (bridge_options_read(&options, argc, argv, &cause)) {
    case OPTIONS_DONE:
        return 0;
    case OPTIONS_BAD:
        fprintf(stderr, "ludus-bridge: %s\n", cause.text);
        return 2;
    default:
        return bridge_run(&options);
    }
}
