#include "learn_lines.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "common/move.h"
#include "common/position_text.h"

/* A lesson on the screen. */
struct task {
    struct client *client;
    const struct tutorial *tutorial;
    int index;
    struct position position;
};

static const struct lesson *lesson_of(const struct task *task)
{
    return &task->tutorial->lessons[task->index];
}

static void say(const struct task *task, const char *text)
{
    console_say(&task->client->console, "%s", text);
}

static void show_board(const struct task *task)
{
    char text[BOARD_TEXT_MAX];
    struct board board;

    task->tutorial->game->board(&task->position, &board);
    board_text(&board, false, text);
    console_text(&task->client->console, text);
}

static void show_task(struct task *task)
{
    const struct lesson *lesson = lesson_of(task);

    lesson_begin(task->tutorial, task->index, &task->position);
    console_say(&task->client->console, "\n%s, lesson %d of %d: %s", task->tutorial->game->title,
                task->index + 1, task->tutorial->count, lesson->title);
    say(task, lesson->task);
    show_board(task);
}

/* Goes to another lesson; the one after the last ends the lessons. */
static void go(struct task *task, int step)
{
    task->index += step;
    if (task->index < 0)
        task->index = 0;
    if (task->index < task->tutorial->count)
        show_task(task);
}

static void play(struct task *task, const char *line)
{
    const struct game *game = task->tutorial->game;
    char text[MOVE_TEXT_MAX];
    struct cause cause;
    struct move move;

    if (!move_parse(game, &task->position, line, &move, &cause)) {
        say(task, cause.text);
        return;
    }
    move_format(&task->position, move, text);
    if (!lesson_is_done_by(lesson_of(task), text)) {
        console_say(&task->client->console,
                    "%s is legal, but not what is asked for. Try again; h shows a way.", text);
        return;
    }
    game->apply(&task->position, move);
    show_board(task);
    console_say(&task->client->console, "Right. %s", lesson_of(task)->done);
    go(task, 1);
}

static void show_answer(const struct task *task)
{
    char answer[MOVE_TEXT_MAX];

    lesson_answer(lesson_of(task), answer);
    say(task, answer);
}

static void obey(struct task *task, const char *line)
{
    line += strspn(line, " \t");
    if (strcasecmp(line, "q") == 0 || strcasecmp(line, "quit") == 0)
        task->client->quit = true;
    else if (line[0] == '\0' || strcasecmp(line, "n") == 0)
        go(task, 1);
    else if (strcasecmp(line, "p") == 0)
        go(task, -1);
    else if (strcasecmp(line, "h") == 0)
        show_answer(task);
    else
        play(task, line);
}

void learn_lines_run(struct client *client, const struct tutorial *tutorial)
{
    struct task task = {.client = client, .tutorial = tutorial};
    const char *line;

    say(&task,
        "Type a move, such as b2b3 or N@c3. n: next lesson, p: previous, h: show a move, q: quit.");
    show_task(&task);
    while (!client->quit && task.index < tutorial->count)
        if ((line = client_await_line(client, "> ")) != NULL)
            obey(&task, line);
    if (task.index == tutorial->count)
        say(&task, "That was the last lesson.");
}
