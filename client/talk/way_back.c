#include "way_back.h"

#include <stdio.h>

#include "hosting.h"
#include "sitting.h"

/* Whether a later program can take the name again. */
static bool has_kept_name(const struct client *client)
{
    const struct hello *hello = &client->uplink.hello;
    char token[TOKEN_MAX];

    return hello->name[0] != '\0' && token_load(client->uplink.address, hello->name, token);
}

/* Whether a running match is on the screen. */
static bool shows_match(const struct client *client)
{
    return client->view.known && client->view.status != STATE_OVER;
}

/* Prints "match 22 is still there; ": the player's matches, and one more unless it is "". */
static void print_matches(const struct client *client, const char *more)
{
    int count = sitting_count(client) + (more[0] != '\0');

    if (count == 0)
        return;
    fprintf(stderr, "%s %s", count > 1 ? "matches" : "match", more);
    const char *between = more[0] != '\0' ? ", " : "";
    for (int i = 0; i < SITTINGS_MAX; i++) {
        if (client->sittings[i].match[0] == '\0')
            continue;
        fprintf(stderr, "%s%s", between, client->sittings[i].match);
        between = ", ";
    }
    fputs(count > 1 ? " are still there; " : " is still there; ", stderr);
}

static void tell(struct client *client, bool named, bool watches, const char *when)
{
    const struct hello *hello = &client->uplink.hello;
    const struct match_state *view = &client->view;
    bool seated = shows_match(client) && match_state_seated(view);
    bool more = (watches || seated) && !sitting_has(client, view->match);

    client_uncover(client);
    input_hide(&client->input);
    fflush(stdout);
    fputs("ludus: ", stderr);
    print_matches(client, more ? view->match : "");
    fprintf(stderr, "%scome back by\n  ludus --connect %s", when, client->uplink.address);
    if (hello->code[0] != '\0')
        fprintf(stderr, " --code %s", hello->code);
    if (named)
        fprintf(stderr, " --name %s", hello->name);
    if (watches)
        fprintf(stderr, " --watch %s", view->match);
    fputs("\n", stderr);
}

void way_back_tell(struct client *client, const char *when)
{
    bool watches = shows_match(client) && !match_state_seated(&client->view);
    bool named = has_kept_name(client);

    if (named || watches)
        tell(client, named, watches, when);
}

void way_back_tell_at_end(struct client *client)
{
    if (sitting_count(client) > 0 && has_kept_name(client) && hosting_invitation(client) == NULL)
        tell(client, true, false, "");
}
