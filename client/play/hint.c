#include "hint.h"

#include <string.h>
#include <unistd.h>

#include "client/talk/client_request.h"
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

/* Starts the course at the position, without what came before. */
static bool begin_here(struct hint *hint)
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

bool hint_begin(struct hint *hint, const struct played *played)
{
    static char verb[] = "ugi";

    hint->found = false;
    if (!begin_here(hint))
        return false;
    add_past(hint, played);
    process_find("ludus-bot", hint->path);
    hint->command[0] = hint->path;
    hint->command[1] = verb;
    hint->command[2] = NULL;
    hint->program = (struct program){.command = hint->command, .quiet = true};
    TAILQ_INIT(&hint->engines);
    hint->thinking = driver_start(&hint->driver, &hint->program, "hint", &ugi, &hint->engines,
                                  clock_ms(), &hint->cause);
    if (hint->thinking)
        await(hint);
    return hint->thinking;
}

void hint_reason(const struct hint *hint, char text[MOVE_REASON_MAX])
{
    move_reason(hint->course.game, &hint->course.position, hint->move, text);
}

/* Asks for the moves of the match on the screen. */
static void ask_played(struct client *client, struct played *played)
{
    cJSON *reply = client_request(client, "record %s", client->view.match);

    played_read(played, reply);
    cJSON_Delete(reply);
}

static void say_hint(const struct hint *hint)
{
    char text[MOVE_TEXT_MAX], reason[MOVE_REASON_MAX];

    if (!hint->found) {
        console_say(&hint->client->console, "No hint: %s.", hint->cause.text);
        return;
    }
    move_format(&hint->course.position, hint->move, text);
    hint_reason(hint, reason);
    console_say(&hint->client->console, "Hint: %s %s.", text, reason);
}

/* Takes no input meanwhile: lines from a pipe come after the hint. */
void hint_give(struct client *client)
{
    struct hint hint = {.client = client};
    struct played played = {.known = false};
    int ply = client->view.ply;

    ask_played(client, &played);
    hint_begin(&hint, &played);
    while (hint.thinking && !client->quit && client->interrupts == 0)
        client_wait(client, NULL);
    hint_end(&hint);
    if (!client->quit && client->interrupts == 0 && client->view.ply == ply)
        say_hint(&hint); /* else it is too late to be of use */
}
