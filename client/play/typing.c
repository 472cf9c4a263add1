#include "typing.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "client/talk/client_request.h"
#include "player_command.h"

enum { MOVE_TYPED_MAX = 32 }; /* bytes with the final NUL; no move is longer */

/* Sends the move until it is known to have arrived. The ply keeps it from counting twice: after a
 * lost connection the next state shows whether it has counted. */
static void send_move(struct client *client, const char *move)
{
    int ply = client->view.ply;
    cJSON *reply = NULL;

    while (!client->quit && match_state_my_turn(&client->view) && client->view.ply == ply) {
        reply = client_request(client, "move %s %s ply=%d", client->view.match, move, ply);
        if (reply != NULL)
            break;
        while (!client->quit && client->awaiting)
            client_wait(client, NULL);
    }
    if (reply != NULL && client_accepted(client, reply))
        client->awaiting = true;
    cJSON_Delete(reply);
}

/* Reads "B2 b3" and "move b2b3" as b2b3. False for text that cannot be a move: every move but the
 * pass names a square. */
static bool read_move(const char *line, char move[MOVE_TYPED_MAX])
{
    size_t length = 0;

    if (strncasecmp(line, "move ", 5) == 0)
        line += 5;
    for (; *line != '\0'; line++) {
        if (isspace((unsigned char)*line))
            continue;
        if (length == MOVE_TYPED_MAX - 1)
            return false;
        move[length++] = *line;
    }
    move[length] = '\0';
    return strpbrk(move, "0123456789") != NULL || strcasecmp(move, "pass") == 0;
}

static void play_move(struct client *client, const char *line)
{
    const struct match_state *view = &client->view;
    struct console *console = &client->console;
    char move[MOVE_TYPED_MAX];

    if (!read_move(line, move))
        console_say(console, "'%.40s' is neither a move nor a command; `help` lists the commands.",
                    line);
    else if (!match_state_seated(view))
        console_say(console, "You are watching: only the players move.");
    else if (view->status == STATE_OPEN)
        console_say(console, "The match has not begun: it waits for the other player.");
    else if (!match_state_my_turn(view))
        console_say(console, "It is %s's turn: wait for %s to move.", color_name(view->turn),
                    view->seats[view->turn].name);
    else
        send_move(client, move);
}

void typing_take(struct client *client, const char *line)
{
    line += strspn(line, " \t");
    input_remember(&client->input, line);
    if (line[0] != '\0' && !player_command_run(client, line))
        play_move(client, line);
}

const char *typing_candidate(const void *context, int index)
{
    const struct match_state *view = &((const struct client *)context)->view;

    if (index < view->legal_count)
        return view->legal[index];
    return player_command_name(index - view->legal_count);
}
