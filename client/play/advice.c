#include "advice.h"

#include <string.h>

#include "common/move.h"
#include "hint.h"

struct advice {
    struct hint hint;
    bool done, found;
    struct move move;
    struct cause cause;
};

static void on_ready(void *context)
{
    struct advice *advice = context;

    advice->done = hint_step(&advice->hint, &advice->move, &advice->found, &advice->cause);
}

static bool begin(struct advice *advice, const struct match_state *view, struct position *position)
{
    const struct game *game = game_find(view->game, strlen(view->game));

    if (!match_state_my_turn(view))
        return cause_set(&advice->cause, "it is not your turn");
    if (game == NULL)
        return cause_set(&advice->cause, "this program does not know the game");
    return game->parse(view->variant, view->position, position, &advice->cause) &&
           hint_begin(&advice->hint, game, position, &advice->cause);
}

/* Takes no input meanwhile: lines from a pipe come after the hint. */
static void think(struct client *client, struct advice *advice)
{
    while (!advice->done && !client->quit && client->interrupts == 0) {
        client->waiting = (struct waiting){hint_descriptor(&advice->hint),
                                           hint_due_ms(&advice->hint), on_ready, advice};
        client_wait(client, NULL);
    }
    client->waiting.fd = -1;
    hint_end(&advice->hint);
}

void advice_give(struct client *client)
{
    struct advice advice = {.done = false};
    struct position position;
    char text[MOVE_TEXT_MAX];

    int ply = client->view.ply;
    if (begin(&advice, &client->view, &position))
        think(client, &advice);
    if (client->quit || client->interrupts > 0 || client->view.ply != ply)
        return; /* too late to be of use */
    if (!advice.found) {
        console_say(&client->console, "No hint: %s.", advice.cause.text);
        return;
    }
    move_format(&position, advice.move, text);
    console_say(&client->console, "Hint: %s", text);
}
