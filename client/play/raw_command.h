/* Lines that go to the server as they are, such as /stats. */
#ifndef LUDUS_RAW_COMMAND_H
#define LUDUS_RAW_COMMAND_H

#include "client/talk/client.h"

/* Sends the line and shows the reply: in line mode as a line of JSON, in full screen in words. */
void raw_command_run(struct client *client, const char *line);

#endif
