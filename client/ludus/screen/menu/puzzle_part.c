#include "puzzle_part.h"

#include <stdio.h>

#include "client/ludus/learn/attempt.h"
#include "client/ludus/screen/board/exercise.h"
#include "client/ludus/screen/match/analysis_part.h"
#include "client/ludus/screen/match/pace.h"
#include "client/ludus/screen/match/play_on.h"
#include "client/ludus/screen/stage/dialog.h"
#include "common/move.h"

struct puzzle_part {
    struct stage *stage;
    struct part face; /* towards the stage */
    struct attempt attempt;
    bool refuted; /* what is shown is a wrong move and the reply to it */
    struct exercise exercise;
    /* What is played back: a wrong move and the reply to it, or the line that wins. */
    struct move moves[PUZZLE_PLIES_MAX];
    int count, shown;
    struct pace pace;
};

static void show_puzzle(struct puzzle_part *part)
{
    part->refuted = false;
    part->count = part->shown = 0;
    part->exercise.game = part->face.game = part->attempt.puzzle.game;
    part->exercise.flip = part->attempt.puzzle.position.side == BLACK;
    exercise_begin(&part->exercise, &part->attempt.puzzle.position);
}

/* Shows what the next of the moves leads to. */
static void play_next(struct puzzle_part *part)
{
    const struct game *game = part->attempt.puzzle.game;
    struct position position =
        part->shown == 0 ? part->attempt.puzzle.position : part->exercise.scene.position;
    char text[MOVE_TEXT_MAX];

    move_format(&position, part->moves[part->shown], text);
    game->apply(&position, part->moves[part->shown++]);
    exercise_show(&part->exercise, &position, text);
}

/* Begins to play moves back. */
static void play_back(struct puzzle_part *part, int count)
{
    part->count = count;
    part->shown = 0;
    part->pace = (struct pace){.runs = true};
    play_next(part);
}

static void try_move(struct puzzle_part *part, struct move move)
{
    struct attempt_answer answer;

    attempt_try(&part->attempt, move, &answer);
    snprintf(part->exercise.said, sizeof part->exercise.said, "%s", answer.text);
    part->refuted = !answer.right;
    part->moves[0] = move;
    part->moves[1] = answer.reply;
    if (answer.right)
        play_back(part, puzzle_line(&part->attempt.puzzle, part->moves));
    else
        play_back(part, answer.refuted ? 2 : 1);
}

static void show_answer(struct puzzle_part *part)
{
    char text[ATTEMPT_TEXT_MAX];

    attempt_show(&part->attempt, text);
    snprintf(part->exercise.said, sizeof part->exercise.said, "%s", text);
    part->refuted = false;
    play_back(part, puzzle_line(&part->attempt.puzzle, part->moves));
}

/* Goes to the next puzzle or the one before; from the one of the day to those of its game. */
static void go_to_puzzle(struct puzzle_part *part, int step)
{
    const struct game *game = part->attempt.puzzle.game;
    int count = puzzle_count(game), number = 0;

    if (part->attempt.day == 0)
        number = (part->attempt.number - 1 + step + count) % count + 1;
    if (attempt_begin(&part->attempt, game, number))
        show_puzzle(part);
}

static bool take_puzzle_press(struct stage *stage, void *context, struct press press)
{
    struct puzzle_part *part = context;
    struct move move;

    bool goes_on = press.action == ACTION_CHOOSE && part->exercise.done;
    if ((goes_on && part->refuted) || press.action == ACTION_UNDO)
        show_puzzle(part);
    else if (goes_on || press.action == ACTION_LATER)
        go_to_puzzle(part, 1);
    else if (press.action == ACTION_EARLIER)
        go_to_puzzle(part, -1);
    else if (press.action == ACTION_HINT && !part->attempt.solved)
        show_answer(part);
    else if (press.action == ACTION_ANALYSE)
        analysis_part_position(stage, part->face.game, &part->exercise.scene.position);
    else if (press.action == ACTION_PLAY_ON)
        play_on_run(stage, part->face.game, &part->exercise.scene.position);
    else if (exercise_take(&part->exercise, press, &move))
        try_move(part, move);
    if (pace_is_due(&part->pace, stage, part->shown < part->count))
        play_next(part);
    return false;
}

static const char *puzzle_word(const struct stage *stage, const void *context, enum action action)
{
    const struct puzzle_part *part = context;

    switch (action) {
    case ACTION_CHOOSE:
        return !part->exercise.done ? "choose" : part->refuted ? "try again" : "next";
    case ACTION_NEXT:
        return part->exercise.selection.piece != 0 ? "piece" : NULL;
    case ACTION_HINT:
        return part->attempt.solved ? NULL : "show me";
    case ACTION_UNDO:
        return part->exercise.done && !part->refuted ? "again" : NULL;
    case ACTION_EARLIER:
        return part->attempt.day == 0 ? "previous" : NULL;
    case ACTION_LATER:
        return part->exercise.done && !part->refuted ? NULL : "next";
    case ACTION_ANALYSE:
        return part->exercise.done ? key_rows[action].word : NULL;
    case ACTION_PLAY_ON:
        return part->exercise.done ? play_on_word(stage) : NULL;
    case ACTION_OVERLAY:
    case ACTION_FLIP:
        return NULL;
    default:
        return key_rows[action].word;
    }
}

static void paint_puzzle(struct stage *stage, void *context)
{
    struct puzzle_part *part = context;
    char title[ATTEMPT_TEXT_MAX], task[PUZZLE_TASK_MAX], share[ATTEMPT_TEXT_MAX] = "";

    (void)stage;
    if (exercise_is_wide())
        attempt_title(&part->attempt, title);
    else if (part->attempt.day > 0)
        snprintf(title, sizeof title, "Today");
    else
        snprintf(title, sizeof title, "%d of %d", part->attempt.number,
                 puzzle_count(part->attempt.puzzle.game));
    puzzle_task(&part->attempt.puzzle, task);
    if (part->attempt.solved)
        attempt_share(&part->attempt, share);
    exercise_paint(&part->exercise, title, task, share);
}

/* Shows a puzzle that was begun, and those that the player goes on to. */
static void run_puzzles(struct puzzle_part *part)
{
    part->face = (struct part){.place = IN_LEARN,
                               .paint = paint_puzzle,
                               .take = take_puzzle_press,
                               .word = puzzle_word,
                               .context = part};
    show_puzzle(part);
    stage_run(part->stage, &part->face);
    part->stage->wake_ms = 0;
}

/* Adds the rows of the list: the puzzle of today, then that of each game which comes next. */
static void add_rows(struct pick *pick, const struct game *rows[PICK_MAX])
{
    char title[ATTEMPT_TEXT_MAX], days[48] = "";
    struct attempt attempt;
    int streak;

    pick->count = 0;
    if (attempt_begin_daily(&attempt, NULL)) {
        attempt_title(&attempt, title);
        if (attempt_is_done_today(&streak))
            snprintf(days, sizeof days, " (solved, days in a row: %d)", streak);
        rows[pick->count] = NULL;
        pick_add(pick, "Today: %.60s%s", title, days);
    }
    for (int i = 0; games[i] != NULL && pick->count < PICK_MAX; i++)
        if (attempt_begin(&attempt, games[i], 0)) {
            attempt_title(&attempt, title);
            rows[pick->count] = games[i];
            pick_add(pick, "%s", title);
        }
}

void puzzle_part_choose(struct stage *stage)
{
    struct pick pick = {.title = "Puzzles", .detail = "One move wins: find it"};
    struct puzzle_part part;
    const struct game *rows[PICK_MAX];
    int at;

    for (add_rows(&pick, rows); (at = pick_run(stage, &pick)) >= 0; add_rows(&pick, rows)) {
        part = (struct puzzle_part){.stage = stage, .exercise = {.stage = stage}};
        bool begun = rows[at] == NULL ? attempt_begin_daily(&part.attempt, NULL)
                                      : attempt_begin(&part.attempt, rows[at], 0);
        if (begun)
            run_puzzles(&part);
    }
}
