#include "exercise.h"

#include <stdio.h>

#include "client/ludus/screen/stage/paint.h"
#include "client/ludus/talk/match_words.h"

enum { WIDE_COLUMNS = 72, TEXT_WIDTH = 33 };

static void show_position(struct exercise *exercise, const struct position *position,
                          const char *last)
{
    scene_set(&exercise->scene, exercise->game, position, last);
    exercise->selection.piece = 0;
    select_begin(&exercise->selection, &exercise->scene);
}

void exercise_begin(struct exercise *exercise, const struct position *position)
{
    exercise->side = position->side;
    exercise->done = false;
    exercise->said[0] = '\0';
    exercise->selection = (struct selection){.from = -1};
    show_position(exercise, position, "");
    const struct move *first = &exercise->scene.legal[0];
    exercise->selection.cursor = first->kind == MOVE_STEP ? first->from : first->to;
}

void exercise_show(struct exercise *exercise, const struct position *position, const char *last)
{
    show_position(exercise, position, last);
    exercise->scene.legal_count = 0;
    exercise->done = true;
}

static bool choose_square(struct exercise *exercise, struct move *move, struct cause *cause)
{
    return select_choose(&exercise->selection, &exercise->scene, move, cause);
}

static bool click_square(struct exercise *exercise, struct move *move, struct cause *cause)
{
    const struct keyboard *keyboard = &exercise->stage->keyboard;
    int square = board_view_square(&exercise->view, keyboard->mouse_y, keyboard->mouse_x);

    if (square < 0)
        return false;
    exercise->selection.cursor = square;
    return choose_square(exercise, move, cause);
}

/* Chooses the move of a piece that was dragged. */
static bool drop_piece(struct exercise *exercise, struct move *move, struct cause *cause)
{
    const struct keyboard *keyboard = &exercise->stage->keyboard;
    int from = board_view_square(&exercise->view, keyboard->press_y, keyboard->press_x);
    int to = board_view_square(&exercise->view, keyboard->mouse_y, keyboard->mouse_x);

    return from >= 0 && to >= 0 &&
           select_drop(&exercise->selection, &exercise->scene, from, to, move, cause);
}

/* Moves the cursor by a key. */
static void move_cursor(struct exercise *exercise, enum action action)
{
    if (action == ACTION_NEXT || action == ACTION_PREVIOUS) {
        select_next_piece(&exercise->selection, &exercise->scene, action == ACTION_NEXT ? 1 : -1);
        return;
    }
    int forward = exercise->flip ? -1 : 1;
    int files = forward * ((action == ACTION_RIGHT) - (action == ACTION_LEFT));
    int ranks = forward * ((action == ACTION_UP) - (action == ACTION_DOWN));
    select_step(&exercise->selection, &exercise->scene, files, ranks);
}

bool exercise_take(struct exercise *exercise, struct press press, struct move *move)
{
    char sentence[SENTENCE_MAX];
    struct cause cause = {.text = ""};
    bool chosen = false;

    if (board_view_take(&exercise->view, exercise->stage, press.action))
        return false;
    bool chooses = press.action == ACTION_CHOOSE || press.action == ACTION_CLICK ||
                   press.action == ACTION_DROP;
    if (!chooses)
        move_cursor(exercise, press.action);
    if (!chooses || exercise->done)
        return false;
    if (press.action == ACTION_CHOOSE)
        chosen = choose_square(exercise, move, &cause);
    else if (press.action == ACTION_CLICK)
        chosen = click_square(exercise, move, &cause);
    else
        chosen = drop_piece(exercise, move, &cause);
    exercise->said[0] = '\0';
    if (!chosen && cause.text[0] != '\0')
        snprintf(exercise->said, sizeof exercise->said, "%s", sentence_of(cause.text, sentence));
    return chosen;
}

void exercise_choose(struct exercise *exercise, struct move move)
{
    exercise->selection.cursor = move.to;
    exercise->selection.from = move.kind == MOVE_STEP ? move.from : -1;
    exercise->selection.piece = move.piece;
}

void exercise_drop(struct exercise *exercise)
{
    exercise->selection.from = -1;
}

bool exercise_is_wide(void)
{
    return COLS >= WIDE_COLUMNS;
}

static void paint_board(const struct exercise *exercise)
{
    struct marks marks = {.by_side = false};
    const struct board_paint paint = {.theme = &exercise->stage->theme,
                                      .scene = &exercise->scene,
                                      .guide = guide_of(exercise->game),
                                      .selection = exercise->done ? NULL : &exercise->selection,
                                      .marks = &marks};

    board_view_paint(&exercise->view, &paint);
}

/* The text stands beside the board, the answer below the task. */
static void paint_wide(struct exercise *exercise, const char *task, const char *more)
{
    const struct theme *theme = &exercise->stage->theme;
    int x = COLS - TEXT_WIDTH - 1, y = 2;
    attr_t ink = theme_text(theme);

    exercise->view = (struct board_view){.y = 2, .x = 1, .flip = exercise->flip};
    board_view_fit(&exercise->view, theme, &exercise->scene.board, LINES - 4, x - 3);
    paint_board(exercise);
    y += paint_rows(y, x, TEXT_WIDTH, LINES - 2 - y, ink, task) + 1;
    y += paint_rows(y, x, TEXT_WIDTH, LINES - 2 - y, ink | A_BOLD, exercise->said) + 1;
    paint_rows(y, x, TEXT_WIDTH, LINES - 2 - y, theme_faint(theme), more);
}

/* The text stands above the board, the answer in place of the task. */
static void paint_narrow(struct exercise *exercise, const char *task)
{
    const struct theme *theme = &exercise->stage->theme;
    bool answered = exercise->said[0] != '\0';
    int height = exercise->scene.board.height + 1, rows = LINES - 2 - height;
    attr_t ink = theme_text(theme);

    paint_rows(1, 1, COLS - 2, rows, answered ? ink | A_BOLD : ink,
               answered ? exercise->said : task);
    exercise->view = (struct board_view){.y = 1 + rows, .x = 1, .flip = exercise->flip};
    board_view_fit(&exercise->view, theme, &exercise->scene.board, height, COLS - 2);
    paint_board(exercise);
}

void exercise_paint(struct exercise *exercise, const char *title, const char *task,
                    const char *more)
{
    const struct stage *stage = exercise->stage;
    char hand[16] = "";

    erase();
    if (exercise->selection.piece != 0 && !exercise->done)
        snprintf(hand, sizeof hand, ", placing %c", exercise->selection.piece);
    paint_format(0, 1, COLS - 2, theme_text(&stage->theme) | A_BOLD, "%s (%s%s)", title,
                 color_title(exercise->side), hand);
    if (exercise_is_wide())
        paint_wide(exercise, task, more);
    else
        paint_narrow(exercise, task);
    stage_paint_line(stage);
}
