#include "seek_lines.h"

#include <strings.h>

#include "client/play/player_command.h"

static const char prompt[] = "looking for an opponent> ";

/* Waits for a line or news. Returns false when the player cancels. */
static bool wait(struct client *client)
{
    bool typed = input_is_typed(&client->input);
    const char *line = typed ? client_line(client, prompt) : NULL;

    if (line == NULL && typed && !input_has_more(&client->input))
        client->quit = true;
    else if (line == NULL)
        client_wait(client, typed ? prompt : NULL);
    else if (line[0] == '\0' || strcasecmp(line, "unseek") == 0)
        return false;
    else if (!player_command_run(client, line))
        console_say(&client->console, "An empty line stops looking.");
    return true;
}

void seek_lines_wait(struct client *client, struct seeking *seeking)
{
    bool goes_on = true;

    console_say(&client->console, "Looking for an opponent: %s.%s", seeking->words,
                input_is_typed(&client->input) ? " An empty line stops." : "");
    while (goes_on && seeking_keep(seeking, client))
        goes_on = wait(client);
    seeking_end(seeking, client);
}
