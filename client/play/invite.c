#include "invite.h"

#include <string.h>

#include "client/talk/hosting.h"
#include "client/talk/login.h"
#include "client/talk/sitting.h"
#include "play.h"

/* Goes to the own server. A failure leaves the client where it was. */
static bool go(struct client *client, struct cause *cause)
{
    bool wants_code;

    return login_elsewhere(client, client->host->address, client->host->code, &wants_code, cause);
}

/* Starts the private server anew, open to the network. Its store has all matches. */
static bool open_private(struct client *client, struct cause *cause)
{
    char match[MATCH_ID_MAX];

    memcpy(match, client->view.match, sizeof match);
    uplink_close(&client->uplink);
    if (!hosting_launch(client, &(struct host_terms){.lan = true, .private_store = true}, cause) ||
        !go(client, cause)) {
        client_fail(client, "host: %s", cause->text); /* the old server is gone */
        return false;
    }
    if (match[0] != '\0')
        play_watch(client, match);
    client->go = false; /* it is the match that was on the screen */
    return true;
}

static bool begin(struct client *client, struct cause *cause)
{
    if (!hosting_is_private(client))
        return hosting_launch(client, &(struct host_terms){.lan = true}, cause) &&
               go(client, cause);
    if (!client->host->keeps && sitting_count(client) > 0)
        return cause_set(cause, "the private server keeps nothing: finish your matches first");
    return open_private(client, cause);
}

bool invite_begin(struct client *client, struct cause *cause)
{
    bool begun = begin(client, cause);

    if (begun)
        hosting_tell(client);
    return begun;
}

void invite_tell(struct client *client)
{
    struct cause cause;

    if (hosting_invitation(client) != NULL)
        hosting_tell(client);
    else if (!hosting_is_private(client))
        console_say(&client->console,
                    "This server is not yours to open; `ludus host` starts one for friends.");
    else if (!invite_begin(client, &cause) && !client->quit)
        console_say(&client->console, "Friends cannot join: %s.", cause.text);
}
