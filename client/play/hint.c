#include "hint.h"

#include <stdio.h>
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
    hint->thinking = driver_start(&hint->driver, &hint->program, &ugi, &hint->engines,
                                  process_clock_ms(), cause);
    return hint->thinking;
}

int hint_descriptor(const struct hint *hint)
{
    return hint->thinking && hint->driver.engine != NULL ? hint->driver.engine->out : -1;
}

int64_t hint_due_ms(const struct hint *hint)
{
    return hint->thinking ? driver_due_ms(&hint->driver) : INT64_MAX;
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
        driver_choose(&hint->driver, game, &start, process_clock_ms());
}

static void think(struct hint *hint)
{
    const struct budget budget = {.movetime_ms = THINK_MS};

    driver_think(&hint->driver, &hint->course, &budget, process_clock_ms());
}

bool hint_step(struct hint *hint, struct move *move, bool *found, struct cause *cause)
{
    const struct course *course = &hint->course;
    enum driver_event event;

    driver_receive(&hint->driver);
    driver_tick(&hint->driver, process_clock_ms());
    while ((event = driver_next(&hint->driver, process_clock_ms())) != DRIVER_NOTHING) {
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
    driver_end(&hint->driver, true, process_clock_ms());
    while (engine != NULL && !process_reap(&hint->engines, engine, process_clock_ms(), true))
        usleep(1000);
}
