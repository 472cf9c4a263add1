#include "hint.h"

#include <string.h>
#include <unistd.h>

#include "client/link/clock_ms.h"
#include "common/move.h"
#include "match_words.h"

/* The nodes that a review gives to a position, unless the match is long (`ludus-bot review`): it
 * should not call a mistake what was a hint. The time is for machines that are slow or busy. */
enum { THINK_NODES = 100000, THINK_MS = 5000 };

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

static void on_bot_ready(void *context);

/* Lets the client wait for the bot, a hanging one included. */
static void await_bot(struct hint *hint)
{
    const struct process *engine = hint->driver.engine;

    hint->client->waiting = (struct waiting){.fd = engine != NULL ? engine->out : -1,
                                             .due_ms = hint->driver.deadline_ms,
                                             .ready = on_bot_ready,
                                             .context = hint};
}

static void on_bot_ready(void *context)
{
    struct hint *hint = context;
    enum driver_event event;

    hint->driver.engine->ready = true;
    while ((event = driver_next(&hint->driver, clock_ms())) != DRIVER_NOTHING) {
        if (event == DRIVER_IS_INTRODUCED) {
            /* Choose the game by its variant; the position comes with the question. */
            const struct game *game = hint->course.game;
            char variant[VARIANT_NAME_MAX];
            struct position start;
            struct cause cause;
            game->variant_name(&hint->course.position, variant);
            if (game->start(variant, &start, &cause))
                driver_choose(&hint->driver, game, &start, NULL, clock_ms());
        } else if (event == DRIVER_IS_READY) {
            const struct budget budget = {.nodes = THINK_NODES, .movetime_ms = THINK_MS};
            driver_think(&hint->driver, &hint->course, &budget, clock_ms());
        } else {
            const struct course *course = &hint->course;
            hint->found = event == DRIVER_HAS_MOVED &&
                          move_parse(course->game, &course->position, hint->driver.best,
                                     &hint->move, &hint->cause);
            if (event == DRIVER_HAS_FAILED)
                hint->cause = hint->driver.cause;
            hint_end(hint);
            hint->done(hint->context);
            return;
        }
    }
    await_bot(hint);
}

/* Starts the course at the position, without what came before. */
static bool begin_hint_here(struct hint *hint)
{
    const struct match_state *view = &hint->client->view;
    const struct game *game = game_find(view->game, strlen(view->game));
    struct position position;

    if (!match_state_my_turn(view))
        return cause_set(&hint->cause, "it is not your turn");
    if (game == NULL)
        return cause_set(&hint->cause, "this program does not know the game");
    if (!game->parse(view->variant, view->position, &position, &hint->cause))
        return false;
    course_begin(&hint->course, game, &position, view->ply);
    return true;
}

/* Makes the course that of the whole match, if the moves lead to its position. */
static void add_past(struct hint *hint, const struct played *played)
{
    const struct position now = hint->course.position;
    const struct game *game = hint->course.game;
    struct position start;
    struct cause cause;
    struct move move;

    if (!played->known || played->count > COURSE_MOVES_MAX ||
        !played_position(played, &hint->client->view, 0, &start, &cause))
        return;
    course_begin(&hint->course, game, &start, 0);
    for (int i = 0; i < played->count; i++) {
        if (!move_parse(game, &hint->course.position, played->moves[i].text, &move, &cause))
            break;
        course_play(&hint->course, move);
    }
    if (memcmp(&hint->course.position, &now, sizeof now) != 0)
        course_begin(&hint->course, game, &now, played->count);
}

/* Tells the server of the hint, as such a match does not count for the ratings. False if it allows
 * none, as in a tournament, which is shown. */
static bool may_hint(struct client *client)
{
    const struct match_state *view = &client->view;

    return (!match_is_rated(view) && !view->of_tournament) ||
           client_do(client, "hint %s", view->match);
}

bool hint_begin(struct hint *hint, const struct played *played)
{
    static char verb[] = "ugi";

    hint->found = false;
    hint->cause.text[0] = '\0';
    if (!begin_hint_here(hint) || !may_hint(hint->client))
        return false;
    add_past(hint, played);
    process_find("ludus-bot", hint->path);
    hint->command[0] = hint->path;
    hint->command[1] = verb;
    hint->command[2] = NULL;
    hint->program = (struct engine_program){.command = hint->command, .quiet = true};
    TAILQ_INIT(&hint->engines);
    hint->thinking = driver_start(&hint->driver, &hint->program, "hint", &ugi, &hint->engines,
                                  clock_ms(), &hint->cause);
    if (hint->thinking)
        await_bot(hint);
    return hint->thinking;
}
