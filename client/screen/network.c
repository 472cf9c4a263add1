#include "network.h"

#include <stdio.h>

#include "../joining.h"
#include "../lan/search.h"
#include "../login.h"
#include "edit.h"
#include "paint.h"
#include "pick.h"
#include "start.h"

static void paint_search(struct stage *stage, void *context)
{
    (void)context;
    erase();
    paint_format(1, 2, COLS - 4, theme_ink(&stage->theme, OF_TEXT, GROUND_NONE) | A_BOLD,
                 "Looking for servers on the network, %d seconds ...", SEARCH_MS / 1000);
}

/* The screen stands still meanwhile. */
static void search(struct stage *stage, struct found_list *found)
{
    struct painter painter = {paint_search, NULL, NULL};

    stage_push(stage, &painter);
    stage->front.paint(stage);
    lan_search(found, SEARCH_MS);
    stage_pop(stage);
}

static const struct found *choose_server(struct stage *stage, const struct found_list *found)
{
    struct pick pick = {.title = "Servers on the network"};
    char line[FOUND_LINE_MAX];

    for (int i = 0; i < found->count; i++) {
        found_describe(&found->list[i], line);
        pick_add(&pick, "%.90s", line);
    }
    int at = pick_run(stage, &pick);
    return at >= 0 ? &found->list[at] : NULL;
}

static bool ask_code(struct stage *stage, char code[sizeof stage->client->typed_code])
{
    struct edit edit = {""};

    return edit_ask(stage, "The join code, which your friend has been told:", &edit) &&
           sscanf(edit.text, "%63s", code) == 1;
}

static void go_to(struct stage *stage, const struct found *server)
{
    struct client *client = stage->client;
    char address[LINK_ADDRESS_MAX], code[sizeof client->typed_code] = "";
    struct cause cause;

    found_address(server, address);
    if (server->about.code && !ask_code(stage, code))
        return;
    if (!login_elsewhere(client, address, code[0] != '\0' ? code : NULL, &cause)) {
        stage_say(stage, cause.text);
        return;
    }
    said_detach(&stage->log);
    enum beginning beginning = joining_begin(client);
    if (beginning == BEGIN_JOIN)
        start_join(stage);
    if (beginning == BEGIN_ALONE)
        joining_tell_alone(client);
}

void network_join(struct stage *stage)
{
    struct found_list found;

    search(stage, &found);
    if (found.count == 0) {
        stage_say(stage, "No server was found: your friend starts one by `ludus host`.");
        return;
    }
    const struct found *server = choose_server(stage, &found);
    if (server != NULL)
        go_to(stage, server);
}
