#include "learn_part.h"

#include <stdio.h>

#include "client/ludus/learn/lesson.h"
#include "client/ludus/screen/board/exercise.h"
#include "client/ludus/screen/match/analysis_part.h"
#include "client/ludus/screen/match/play_on.h"
#include "client/ludus/screen/stage/dialog.h"
#include "common/move.h"

struct learn_part {
    struct stage *stage;
    struct part face; /* towards the stage */
    const struct game *game;
    int index;
    struct exercise exercise;
};

static const struct lesson *lesson_of(const struct learn_part *part)
{
    return &part->game->lessons[part->index];
}

static void begin_lesson(struct learn_part *part, int index)
{
    struct position position;

    part->index = index;
    lesson_begin(part->game, index, &position);
    exercise_begin(&part->exercise, &position);
}

static void go_to_lesson(struct learn_part *part, int step)
{
    int index = part->index + step;

    if (index >= 0 && index < part->game->lesson_count)
        begin_lesson(part, index);
}

/* Shows what a move leads to if it does what the lesson asks for. Any other is not played. */
static void play_move(struct learn_part *part, struct move move)
{
    struct exercise *exercise = &part->exercise;
    struct position position = exercise->scene.position;
    char text[MOVE_TEXT_MAX];

    move_format(&position, move, text);
    if (!lesson_is_done_by(lesson_of(part), text)) {
        snprintf(exercise->said, sizeof exercise->said,
                 _("%s is legal, but not what is asked for. Try again."), text);
        exercise_drop(exercise);
        return;
    }
    part->game->apply(&position, move);
    exercise_show(exercise, &position, text);
    snprintf(exercise->said, sizeof exercise->said, _("Right. %s"), _(lesson_of(part)->done));
}

/* Chooses the answer on the board, so that Enter plays it. */
static void show_answer(struct learn_part *part)
{
    struct exercise *exercise = &part->exercise;
    char text[MOVE_TEXT_MAX];
    struct cause cause;
    struct move move;

    lesson_answer(lesson_of(part), text);
    if (exercise->done || !move_parse(part->game, &exercise->scene.position, text, &move, &cause))
        return;
    exercise_choose(exercise, move);
    snprintf(exercise->said, sizeof exercise->said, _("One way is %s: Enter plays it."), text);
}

/* Enter plays or goes on; after the last lesson it ends the part. */
static bool take_lesson_press(struct stage *stage, void *context, struct press press)
{
    struct learn_part *part = context;
    bool last = part->index == part->game->lesson_count - 1;
    bool goes_on = press.action == ACTION_CHOOSE && part->exercise.done;
    struct move move;

    if (goes_on && last)
        return true;
    if (goes_on)
        go_to_lesson(part, 1);
    else if (press.action == ACTION_HINT)
        show_answer(part);
    else if (press.action == ACTION_UNDO)
        begin_lesson(part, part->index);
    else if (press.action == ACTION_LATER || press.action == ACTION_EARLIER)
        go_to_lesson(part, press.action == ACTION_LATER ? 1 : -1);
    else if (press.action == ACTION_ANALYSE)
        analysis_part_position(stage, part->game, &part->exercise.scene.position);
    else if (press.action == ACTION_PLAY_ON_TYPING)
        play_on_run(stage, part->game, &part->exercise.scene.position);
    else if (exercise_take(&part->exercise, press, &move))
        play_move(part, move);
    return false;
}

static const char *lesson_word(const struct stage *stage, const void *context, enum action action)
{
    const struct learn_part *part = context;

    (void)stage;
    switch (action) {
    case ACTION_CHOOSE:
        return part->exercise.done ? _("go on") : _("choose");
    case ACTION_NEXT:
        return select_has_choice(&part->exercise.scene) ? _("piece") : NULL;
    case ACTION_HINT:
        return part->exercise.done ? NULL : _("show me");
    case ACTION_UNDO:
        return part->exercise.done ? _("again") : NULL;
    case ACTION_EARLIER:
        return part->index > 0 ? _("previous") : NULL;
    case ACTION_LATER:
        return part->index < part->game->lesson_count - 1 ? _("next") : NULL;
    case ACTION_ANALYSE: /* they count, but lessons come first */
    case ACTION_PLAY_ON_TYPING:
    case ACTION_OVERLAY:
    case ACTION_FLIP:
        return NULL;
    default:
        return key_rows[action].word;
    }
}

static void paint_lesson(struct stage *stage, void *context)
{
    struct learn_part *part = context;
    bool wide = exercise_is_wide();
    char title[128];

    (void)stage;
    int number = part->index + 1, count = part->game->lesson_count;
    const char *about = _(lesson_of(part)->title);
    if (wide)
        snprintf(title, sizeof title, _("%s, lesson %d of %d: %s"), _(part->game->title), number,
                 count, about);
    else
        snprintf(title, sizeof title, _("%d of %d: %s"), number, count, about);
    exercise_paint(&part->exercise, title, _(lesson_of(part)->task), "");
}

void learn_part_run(struct stage *stage, const struct game *game)
{
    struct learn_part part = {
        .stage = stage, .game = game, .exercise = {.stage = stage, .game = game}};

    part.face = (struct part){.place = IN_LEARN,
                              .paint = paint_lesson,
                              .take = take_lesson_press,
                              .word = lesson_word,
                              .context = &part,
                              .game = game};
    part.exercise.face = &part.face;
    begin_lesson(&part, 0);
    stage_run(stage, &part.face);
}

void learn_part_choose(struct stage *stage)
{
    struct pick pick = {.title = _("Learn which game?")};
    const struct game *taught[PICK_MAX];
    int at;

    for (int i = 0; games[i] != NULL && pick.count < PICK_MAX; i++)
        if (games[i]->lesson_count > 0) {
            taught[pick.count] = games[i];
            pick_add(&pick, "%s", _(games[i]->title));
        }
    while ((at = pick_run(stage, &pick)) >= 0)
        learn_part_run(stage, taught[at]);
}
