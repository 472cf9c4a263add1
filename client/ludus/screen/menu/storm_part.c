#include "storm_part.h"

#include <stdio.h>
#include <time.h>

#include "client/ludus/learn/attempt.h"
#include "client/ludus/screen/board/exercise.h"
#include "common/move.h"

struct storm_part {
    struct stage *stage;
    struct part face; /* towards the stage */
    struct exercise exercise;
    const struct game *game;
    uint64_t seed;
    int place; /* of the puzzle in the storm, from 0 */
    struct puzzle puzzle;
    int solved, wrong;
    int64_t end_ms; /* by clock_ms() */
    bool over;
};

/* The storm has ended by its clock, or as there are no more puzzles. */
static void end_storm(struct storm_part *storm)
{
    struct cause cause;
    int best = attempt_best_storm(storm->game);
    bool kept = storm->solved <= best || attempt_keep_storm(storm->game, storm->solved, &cause);

    storm->over = storm->exercise.done = true;
    snprintf(storm->exercise.said, sizeof storm->exercise.said,
             storm->place < STORM_PUZZLES ? _("Time is up: %d solved, %d wrong. %s%s")
                                          : _("That was the last one: %d solved, %d wrong. %s%s"),
             storm->solved, storm->wrong, storm->solved > best ? _("Your best so far.") : "",
             kept ? "" : _(" It cannot be noted."));
}

/* Shows the puzzle at the place of the storm, below what is said of the one before. */
static void show_storm(struct storm_part *storm, const char *said)
{
    int number = puzzle_storm_number(storm->game, storm->seed, storm->place);

    if (!puzzle_find(storm->game, number, &storm->puzzle)) {
        end_storm(storm);
        return;
    }
    storm->exercise.flip = storm->puzzle.position.side == BLACK;
    exercise_begin(&storm->exercise, &storm->puzzle.position);
    snprintf(storm->exercise.said, sizeof storm->exercise.said, "%s", said);
}

static void begin_storm(struct storm_part *storm)
{
    storm->seed = (uint64_t)clock_ms() ^ (uint64_t)time(NULL) << 20;
    storm->place = storm->solved = storm->wrong = 0;
    storm->over = false;
    storm->end_ms = clock_ms() + STORM_MS;
    show_storm(storm, "");
}

static void try_storm(struct storm_part *storm, struct move move)
{
    bool right = move_equal(move, storm->puzzle.answer);
    char tried[MOVE_TEXT_MAX], answer[MOVE_TEXT_MAX], said[NOTICE_MAX];

    snprintf(said, sizeof said, "%s", _("Right."));

    move_format(&storm->puzzle.position, move, tried);
    move_format(&storm->puzzle.position, storm->puzzle.answer, answer);
    storm->solved += right;
    storm->wrong += !right;
    if (!right) {
        storm->end_ms -= STORM_WRONG_MS;
        snprintf(said, sizeof said, _("%s does not win, %s does: %d s less."), tried, answer,
                 STORM_WRONG_MS / 1000);
    }
    storm->place++;
    show_storm(storm, said);
}

static bool take_storm_press(struct stage *stage, void *context, struct press press)
{
    struct storm_part *storm = context;
    struct move move;

    (void)stage;
    if (storm->over) {
        if (press.action == ACTION_UNDO) /* not Enter: it may be meant for a move */
            begin_storm(storm);
    } else if (clock_ms() >= storm->end_ms) {
        end_storm(storm);
    } else if (exercise_take(&storm->exercise, press, &move)) {
        try_storm(storm, move);
    }
    return false;
}

static const char *storm_word(const struct stage *stage, const void *context, enum action action)
{
    const struct storm_part *storm = context;

    (void)stage;
    switch (action) {
    case ACTION_CHOOSE:
        return storm->over ? NULL : _("choose");
    case ACTION_NEXT:
        return select_has_choice(&storm->exercise.scene) && !storm->over ? _("piece") : NULL;
    case ACTION_UNDO:
        return storm->over ? _("again") : NULL;
    case ACTION_HINT:
    case ACTION_EARLIER:
    case ACTION_LATER:
    case ACTION_OVERLAY:
    case ACTION_FLIP:
        return NULL;
    default:
        return key_rows[action].word;
    }
}

static void paint_storm(struct stage *stage, void *context)
{
    struct storm_part *storm = context;
    int64_t left_ms = storm->over ? 0 : storm->end_ms - clock_ms();
    int left_s = left_ms > 0 ? (int)((left_ms + 999) / 1000) : 0;
    char title[NOTICE_MAX], task[NOTICE_MAX], what[PUZZLE_TASK_MAX], more[80];

    (void)stage;
    if (exercise_is_wide())
        snprintf(title, sizeof title, _("Storm of %s: %d solved, %d:%02d left"),
                 _(storm->game->title), storm->solved, left_s / 60, left_s % 60);
    else
        snprintf(title, sizeof title, _("%d solved, %d:%02d"), storm->solved, left_s / 60,
                 left_s % 60);
    puzzle_task(&storm->puzzle, what);
    snprintf(task, sizeof task, _("Puzzle %d. %s"),
             puzzle_storm_number(storm->game, storm->seed, storm->place), what);
    snprintf(more, sizeof more, _("Wrong: %d. Your best: %d."), storm->wrong,
             attempt_best_storm(storm->game));
    exercise_paint(&storm->exercise, title, storm->over ? "" : task, more);
}

void storm_part_run(struct stage *stage, const struct game *game)
{
    struct storm_part storm = {.stage = stage, .game = game, .exercise = {.stage = stage}};

    storm.exercise.game = game;
    storm.face = (struct part){.place = IN_LEARN,
                               .paint = paint_storm,
                               .take = take_storm_press,
                               .word = storm_word,
                               .context = &storm,
                               .game = game};
    storm.exercise.face = &storm.face;
    begin_storm(&storm);
    ticker_start(stage->client);
    stage_run(stage, &storm.face);
    ticker_stop(stage->client);
}
