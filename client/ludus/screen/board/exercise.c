#include "exercise.h"

#include <stdio.h>
#include <string.h>

#include "client/ludus/screen/stage/paint.h"
#include "client/ludus/talk/match_words.h"
#include "common/move.h"

enum { WIDE_COLUMNS = 72, TEXT_WIDTH = 33 };

static void show_position(struct exercise *exercise, const struct position *position,
                          const char *last)
{
    scene_set(&exercise->scene, exercise->game, position, last);
    exercise->selection.piece = 0;
    select_begin(&exercise->selection, &exercise->scene);
}

void exercise_go_on(struct exercise *exercise, const struct position *position, const char *last)
{
    exercise->side = position->side;
    exercise->done = false;
    exercise->said[0] = '\0';
    exercise->edit.text[0] = '\0';
    if (exercise->face != NULL)
        exercise->face->typing = false;
    show_position(exercise, position, last);
}

void exercise_begin(struct exercise *exercise, const struct position *position)
{
    exercise->selection = (struct selection){.from = -1};
    exercise_go_on(exercise, position, "");
    const struct move *first = &exercise->scene.legal[0];
    exercise->selection.cursor = first->kind == MOVE_STEP ? first->from : first->to;
}

void exercise_show(struct exercise *exercise, const struct position *position, const char *last)
{
    show_position(exercise, position, last);
    exercise->scene.legal_count = 0;
    exercise->done = true;
}

bool exercise_read(const struct exercise *exercise, const char *line, struct move *move,
                   struct cause *cause)
{
    const struct scene *scene = &exercise->scene;
    char completed[MOVE_TEXT_MAX], text[PLAYER_MOVE_MAX];

    line = select_complete(&exercise->selection, scene, line, completed);
    if (!player_move_read(exercise->game, line, text))
        return cause_set(cause, "\"%.40s\" is not a move", line);
    return move_parse(exercise->game, &scene->position, text, move, cause);
}

/* Takes a key of what is typed, or Escape, which drops it; false for others. */
static bool take_letter(struct exercise *exercise, struct press press)
{
    struct edit *edit = &exercise->edit;
    bool drops = press.action == ACTION_BACK && edit->text[0] != '\0';
    bool taken =
        drops || (press.action == ACTION_NONE && !exercise->done && edit_take(edit, press.key));

    if (drops)
        edit->text[0] = '\0';
    return taken;
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

/* Does what a press means on the board, of a part that has taken what is typed. */
static bool take_press(struct exercise *exercise, struct press press, struct move *move)
{
    char sentence[SENTENCE_MAX], line[EDIT_BYTES_MAX];
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
    if (press.action == ACTION_CHOOSE && exercise->edit.text[0] != '\0')
        chosen = exercise_read(exercise, edit_take_line(&exercise->edit, line), move, &cause);
    else if (press.action == ACTION_CHOOSE)
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

bool exercise_take(struct exercise *exercise, struct press press, struct move *move)
{
    bool chosen = false;

    if (exercise->face == NULL || !take_letter(exercise, press))
        chosen = take_press(exercise, press, move);
    if (exercise->face != NULL)
        exercise->face->typing = exercise->edit.text[0] != '\0';
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
    const struct guide *guide = guide_of(exercise->game);
    struct marks marks = {.by_side = false};
    const struct board_paint paint = {.theme = &exercise->stage->theme,
                                      .scene = &exercise->scene,
                                      .guide = guide,
                                      .selection = exercise->done ? NULL : &exercise->selection,
                                      .marks = &marks};

    if (exercise->overlay && guide != NULL && guide->mark != NULL)
        guide->mark(&exercise->scene, true, &marks);
    board_view_paint(&exercise->view, &paint);
}

struct area exercise_fit_board(struct board_view *view, const struct theme *theme,
                               const struct board *board, bool flip)
{
    int beside = COLS - TEXT_WIDTH - 1, height = board->height + 1, rows = LINES - 2 - height;

    if (exercise_is_wide()) {
        *view = (struct board_view){.y = 2, .x = 1, .flip = flip};
        board_view_fit(view, theme, board, LINES - 4, beside - 3);
        return (struct area){2, beside, TEXT_WIDTH, LINES - 4};
    }
    *view = (struct board_view){.y = 1 + rows, .x = 1, .flip = flip};
    board_view_fit(view, theme, board, height, COLS - 2);
    return (struct area){1, 1, COLS - 2, rows};
}

struct area exercise_paint_board(struct exercise *exercise, const char *title)
{
    attr_t ink = theme_text(&exercise->stage->theme) | A_BOLD;
    const char *side = color_title(exercise->side);

    erase();
    if (exercise->selection.piece != 0 && !exercise->done)
        paint_format(0, 1, COLS - 2, ink, _("%s (%s, placing %c)"), title, side,
                     exercise->selection.piece);
    else
        paint_format(0, 1, COLS - 2, ink, "%s (%s)", title, side);
    struct area area = exercise_fit_board(&exercise->view, &exercise->stage->theme,
                                          &exercise->scene.board, exercise->flip);
    paint_board(exercise);
    return area;
}

/* Where the text is narrow, the answer stands in place of the task, else below it. */
void exercise_paint(struct exercise *exercise, const char *title, const char *task,
                    const char *more)
{
    const struct theme *theme = &exercise->stage->theme;
    attr_t ink = theme_text(theme);
    bool answered = exercise->said[0] != '\0';
    struct area area = exercise_paint_board(exercise, title);

    if (exercise_is_wide()) {
        area_drop_rows(&area, paint_rows(area.y, area.x, area.width, area.height, ink, task) + 1);
        area_drop_rows(
            &area,
            paint_rows(area.y, area.x, area.width, area.height, ink | A_BOLD, exercise->said) + 1);
        paint_rows(area.y, area.x, area.width, area.height, theme_faint(theme), more);
    } else {
        paint_rows(area.y, area.x, area.width, area.height, answered ? ink | A_BOLD : ink,
                   answered ? exercise->said : task);
    }
    if (exercise->edit.text[0] != '\0') {
        paint_blank(LINES - 2, 0, COLS, ink);
        paint_text(LINES - 2, 1, 2, ink, ">");
        edit_paint(&exercise->edit, theme, LINES - 2, 3, COLS - 4);
    }
    stage_paint_line(exercise->stage);
}
