#include "hint.h"

#include <string.h>
#include <unistd.h>

#include "common/move.h"

enum { THINK_MS = 1000 };

/* Chooses the game by its variant; the position comes with the question. */
static void choose(struct hint *hint)
{
    const struct game *game = hint->course.game;
    char variant[VARIANT_NAME_MAX];
    struct position start;
    struct cause cause;

    game->variant_name(&hint->course.position, variant);
    if (game->start(variant, &start, &cause))
        driver_choose(&hint->driver, game, &start, clock_ms());
}

static void think(struct hint *hint)
{
    const struct budget budget = {.movetime_ms = THINK_MS};

    driver_think(&hint->driver, &hint->course, &budget, clock_ms());
}

/* Kills the bot: nobody needs its last words, and the screen must not wait for it. */
void hint_end(struct hint *hint)
{
    struct process *engine = hint->thinking ? TAILQ_FIRST(&hint->engines) : NULL;

    if (!hint->thinking)
        return;
    hint->thinking = false;
    hint->client->waiting.fd = -1;
    driver_end(&hint->driver, true, clock_ms());
    while (engine != NULL && !process_reap(&hint->engines, engine, clock_ms(), true))
        usleep(1000);
}

static void finish(struct hint *hint, enum driver_event event)
{
    const struct course *course = &hint->course;

    hint->found =
        event == DRIVER_HAS_MOVED &&
        move_parse(course->game, &course->position, hint->driver.best, &hint->move, &hint->cause);
    if (event == DRIVER_HAS_FAILED)
        hint->cause = hint->driver.cause;
    hint_end(hint);
    if (hint->done != NULL)
        hint->done(hint->context);
}

static void on_ready(void *context);

/* Lets the client wait for the bot, a hanging one included. */
static void await(struct hint *hint)
{
    const struct process *engine = hint->driver.engine;

    hint->client->waiting = (struct waiting){.fd = engine != NULL ? engine->out : -1,
                                             .due_ms = hint->driver.deadline_ms,
                                             .ready = on_ready,
                                             .context = hint};
}

static void on_ready(void *context)
{
    struct hint *hint = context;
    enum driver_event event;

    hint->driver.engine->ready = true;
    while ((event = driver_next(&hint->driver, clock_ms())) != DRIVER_NOTHING) {
        if (event == DRIVER_IS_INTRODUCED) {
            choose(hint);
        } else if (event == DRIVER_IS_READY) {
            think(hint);
        } else {
            finish(hint, event);
            return;
        }
    }
    await(hint);
}

bool hint_begin(struct hint *hint, const struct game *game, const struct position *position)
{
    static char verb[] = "ugi";

    process_find("ludus-bot", hint->path);
    hint->command[0] = hint->path;
    hint->command[1] = verb;
    hint->command[2] = NULL;
    hint->program = (struct program){.command = hint->command, .quiet = true};
    TAILQ_INIT(&hint->engines);
    course_begin(&hint->course, game, position, 0);
    hint->found = false;
    hint->thinking = driver_start(&hint->driver, &hint->program, "hint", &ugi, &hint->engines,
                                  clock_ms(), &hint->cause);
    if (hint->thinking)
        await(hint);
    return hint->thinking;
}

static bool begin_here(struct hint *hint, struct position *position)
{
    const struct match_state *view = &hint->client->view;
    const struct game *game = game_find(view->game, strlen(view->game));

    if (!match_state_my_turn(view))
        return cause_set(&hint->cause, "it is not your turn");
    if (game == NULL)
        return cause_set(&hint->cause, "this program does not know the game");
    return game->parse(view->variant, view->position, position, &hint->cause) &&
           hint_begin(hint, game, position);
}

/* Takes no input meanwhile: lines from a pipe come after the hint. */
void hint_give(struct client *client)
{
    struct hint hint = {.client = client};
    struct position position;
    char text[MOVE_TEXT_MAX];

    int ply = client->view.ply;
    begin_here(&hint, &position);
    while (hint.thinking && !client->quit && client->interrupts == 0)
        client_wait(client, NULL);
    hint_end(&hint);
    if (client->quit || client->interrupts > 0 || client->view.ply != ply)
        return; /* too late to be of use */
    if (!hint.found) {
        console_say(&client->console, "No hint: %s.", hint.cause.text);
        return;
    }
    move_format(&position, hint.move, text);
    console_say(&client->console, "Hint: %s", text);
}
