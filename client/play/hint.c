#include "hint.h"

#include <string.h>
#include <unistd.h>

#include "common/move.h"

enum { THINK_MS = 1000 };

/* Finds the bot in the directory of this program, or else in PATH. */
static void find_bot(char path[PATH_MAX])
{
    static const char name[] = "ludus-bot";
    ssize_t bytes = readlink("/proc/self/exe", path, PATH_MAX - sizeof name - 1);
    char *end;

    path[bytes > 0 ? bytes : 0] = '\0';
    end = strrchr(path, '/');
    if (end != NULL) {
        memcpy(end + 1, name, sizeof name);
        if (access(path, X_OK) == 0)
            return;
    }
    memcpy(path, name, sizeof name);
}

bool hint_begin(struct hint *hint, const struct game *game, const struct position *position,
                struct cause *cause)
{
    static char verb[] = "ugi";

    find_bot(hint->path);
    hint->command[0] = hint->path;
    hint->command[1] = verb;
    hint->command[2] = NULL;
    hint->program = (struct program){.command = hint->command, .quiet = true};
    TAILQ_INIT(&hint->engines);
    course_begin(&hint->course, game, position, 0);
    hint->thinking =
        driver_start(&hint->driver, &hint->program, &ugi, &hint->engines, clock_ms(), cause);
    return hint->thinking;
}

struct waiting hint_waiting(const struct hint *hint, void (*ready)(void *context), void *context)
{
    const struct process *engine = hint->thinking ? hint->driver.engine : NULL;

    return (struct waiting){.fd = engine != NULL ? engine->out : -1,
                            .due_ms = hint->thinking ? driver_due_ms(&hint->driver) : INT64_MAX,
                            .ready = ready,
                            .context = context};
}

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

bool hint_step(struct hint *hint, struct move *move, bool *found, struct cause *cause)
{
    const struct course *course = &hint->course;
    enum driver_event event;

    driver_receive(&hint->driver);
    driver_tick(&hint->driver, clock_ms());
    while ((event = driver_next(&hint->driver, clock_ms())) != DRIVER_NOTHING) {
        if (event == DRIVER_IS_INTRODUCED) {
            choose(hint);
        } else if (event == DRIVER_IS_READY) {
            think(hint);
        } else {
            *found = event == DRIVER_HAS_MOVED &&
                     move_parse(course->game, &course->position, hint->driver.best, move, cause);
            if (event == DRIVER_HAS_FAILED)
                *cause = hint->driver.cause;
            hint_end(hint);
            return true;
        }
    }
    return false;
}

/* Kills the bot: nobody needs its last words, and the screen must not wait for it. */
void hint_end(struct hint *hint)
{
    struct process *engine = hint->thinking ? TAILQ_FIRST(&hint->engines) : NULL;

    if (!hint->thinking)
        return;
    hint->thinking = false;
    driver_end(&hint->driver, true, clock_ms());
    while (engine != NULL && !process_reap(&hint->engines, engine, clock_ms(), true))
        usleep(1000);
}

/* A hint in line mode. */
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

static bool begin_advice(struct advice *advice, const struct match_state *view,
                         struct position *position)
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
static void await(struct client *client, struct advice *advice)
{
    while (!advice->done && !client->quit && client->interrupts == 0) {
        client->waiting = hint_waiting(&advice->hint, on_ready, advice);
        client_wait(client, NULL);
    }
    client->waiting.fd = -1;
    hint_end(&advice->hint);
}

void hint_give(struct client *client)
{
    struct advice advice = {.done = false};
    struct position position;
    char text[MOVE_TEXT_MAX];

    int ply = client->view.ply;
    if (begin_advice(&advice, &client->view, &position))
        await(client, &advice);
    if (client->quit || client->interrupts > 0 || client->view.ply != ply)
        return; /* too late to be of use */
    if (!advice.found) {
        console_say(&client->console, "No hint: %s.", advice.cause.text);
        return;
    }
    move_format(&position, advice.move, text);
    console_say(&client->console, "Hint: %s", text);
}
