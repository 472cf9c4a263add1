#include "network.h"

#include <stdio.h>

#include "client/lan/search.h"
#include "client/play/joining.h"
#include "client/screen/stage/edit.h"
#include "client/screen/stage/paint.h"
#include "client/screen/stage/pick.h"
#include "client/talk/login.h"

static void paint_search(struct stage *stage, void *context)
{
    (void)context;
    erase();
    paint_format(1, 2, COLS - 4, theme_text(&stage->theme) | A_BOLD,
                 "Looking for servers on the network, %d seconds ...", SEARCH_MS / 1000);
}

/* The screen stands still during the search. */
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

static bool ask_code(struct stage *stage, char code[HELLO_CODE_MAX])
{
    struct edit edit = {""};

    return edit_ask(stage, "The join code, which your friend has been told:", &edit) &&
           sscanf(edit.text, "%128s", code) == 1;
}

static void paint_going(struct stage *stage, void *context)
{
    attr_t ink = theme_text(&stage->theme);

    erase();
    paint_format(1, 2, COLS - 4, ink | A_BOLD, "Going to %s ...", (const char *)context);
    paint_text(LINES - 1, 2, COLS - 4, theme_faint(&stage->theme), "Ctrl-C ends the program");
}

/* The screen stands still until the connection is up. */
static bool go_to(struct stage *stage, char *address, const char *code, bool *code_missing)
{
    struct painter painter = {paint_going, address, NULL};
    struct cause cause;

    stage_push(stage, &painter);
    stage->front.paint(stage);
    bool there = login_elsewhere(stage->client, address, code, code_missing, &cause);
    stage_pop(stage);
    clearok(stdscr, TRUE); /* what TLS says of a new key was not written by curses */
    if (!there && !*code_missing)
        stage_say(stage, cause.text);
    if (there)
        said_detach(&stage->log);
    return there;
}

/* Goes to a server, with a code if it wants one, and takes the match that is open. */
static enum beginning join_at(struct stage *stage, char *address, bool wants_code)
{
    char code[HELLO_CODE_MAX];
    bool there = !wants_code && go_to(stage, address, NULL, &wants_code);

    if (!there && wants_code && ask_code(stage, code))
        there = go_to(stage, address, code, &wants_code);
    return there ? joining_begin(stage->client) : BEGIN_MENU;
}

enum beginning network_join(struct stage *stage)
{
    char address[LINK_ADDRESS_MAX];
    struct found_list found;

    search(stage, &found);
    if (found.count == 0) {
        stage_say(stage, "No server was found: your friend starts one by `ludus host`.");
        return BEGIN_MENU;
    }
    const struct found *server = choose_server(stage, &found);
    if (server == NULL)
        return BEGIN_MENU;
    found_address(server, address);
    return join_at(stage, address, server->about.code);
}

enum beginning network_join_typed(struct stage *stage)
{
    char address[LINK_ADDRESS_MAX];
    struct edit edit = {""};

    if (!edit_ask(stage, "Your friend's address, such as 192.168.1.5 or tls://HOST:PORT:", &edit) ||
        sscanf(edit.text, "%319s", address) != 1)
        return BEGIN_MENU;
    return join_at(stage, address, false);
}
