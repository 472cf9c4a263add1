#include "learn_part.h"

#include <stdio.h>

#include "client/ludus/learn/lesson.h"
#include "client/ludus/screen/board/board_view.h"
#include "client/ludus/screen/stage/dialog.h"
#include "client/ludus/screen/stage/paint.h"
#include "client/ludus/talk/match_words.h"
#include "common/move.h"

enum { WIDE_COLUMNS = 72, TEXT_WIDTH = 33 };

struct learn_part {
    struct stage *stage;
    struct part face; /* towards the stage */
    const struct game *game;
    const struct guide *guide;
    int index;
    bool done; /* the lesson on the screen */
    struct scene scene;
    struct selection selection;
    struct board_view view;
    char said[NOTICE_MAX]; /* about the last move; "": none yet */
};

static const struct lesson *lesson_of(const struct learn_part *part)
{
    return &part->game->lessons[part->index];
}

static void show_position(struct learn_part *part, const struct position *position,
                          const char *last)
{
    scene_set(&part->scene, part->game, position, last);
    part->selection.piece = 0;
    select_begin(&part->selection, &part->scene);
}

/* Begins a lesson, with the cursor in the middle of its pieces. */
static void begin_lesson(struct learn_part *part, int index)
{
    struct position position;

    part->index = index;
    part->done = false;
    part->said[0] = '\0';
    lesson_begin(part->game, index, &position);
    part->selection = (struct selection){.from = -1};
    show_position(part, &position, "");
    part->selection.cursor = part->scene.legal[0].kind == MOVE_STEP ? part->scene.legal[0].from
                                                                    : part->scene.legal[0].to;
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
    struct position position = part->scene.position;
    char text[MOVE_TEXT_MAX];

    move_format(&position, move, text);
    if (!lesson_is_done_by(lesson_of(part), text)) {
        snprintf(part->said, sizeof part->said,
                 "%s is legal, but not what is asked for. Try again.", text);
        part->selection.from = -1;
        return;
    }
    part->game->apply(&position, move);
    show_position(part, &position, text);
    part->scene.legal_count = 0;
    part->done = true;
    snprintf(part->said, sizeof part->said, "Right. %s", lesson_of(part)->done);
}

/* Plays the move that was chosen, or says why none was. */
static void play_chosen(struct learn_part *part, bool chosen, struct move move,
                        const struct cause *cause)
{
    char sentence[SENTENCE_MAX];

    part->said[0] = '\0';
    if (chosen)
        play_move(part, move);
    else if (cause->text[0] != '\0')
        snprintf(part->said, sizeof part->said, "%s", sentence_of(cause->text, sentence));
}

static void choose_square(struct learn_part *part)
{
    struct cause cause;
    struct move move;
    bool chosen = select_choose(&part->selection, &part->scene, &move, &cause);

    play_chosen(part, chosen, move, &cause);
}

/* Chooses the answer on the board, so that Enter plays it. */
static void show_answer(struct learn_part *part)
{
    char text[MOVE_TEXT_MAX];
    struct cause cause;
    struct move move;

    lesson_answer(lesson_of(part), text);
    if (part->done || !move_parse(part->game, &part->scene.position, text, &move, &cause))
        return;
    part->selection.cursor = move.to;
    part->selection.from = move.kind == MOVE_STEP ? move.from : -1;
    part->selection.piece = move.piece;
    snprintf(part->said, sizeof part->said, "One way is %s: Enter plays it.", text);
}

static void click_square(struct learn_part *part)
{
    const struct keyboard *keyboard = &part->stage->keyboard;
    int square = board_view_square(&part->view, keyboard->mouse_y, keyboard->mouse_x);

    if (square < 0 || part->done)
        return;
    part->selection.cursor = square;
    choose_square(part);
}

/* Plays the move of a piece that was dragged. */
static void drop_piece(struct learn_part *part)
{
    const struct keyboard *keyboard = &part->stage->keyboard;
    int from = board_view_square(&part->view, keyboard->press_y, keyboard->press_x);
    int to = board_view_square(&part->view, keyboard->mouse_y, keyboard->mouse_x);
    struct cause cause;
    struct move move;

    if (from < 0 || to < 0 || part->done)
        return;
    bool chosen = select_drop(&part->selection, &part->scene, from, to, &move, &cause);
    play_chosen(part, chosen, move, &cause);
}

/* Enter plays or goes on; after the last lesson it ends the part. */
static bool take_lesson_press(struct stage *stage, void *context, struct press press)
{
    struct learn_part *part = context;
    bool last = part->index == part->game->lesson_count - 1;

    if (press.action == ACTION_CHOOSE && part->done && last)
        return true;
    if (board_view_take(&part->view, stage, press.action))
        return false;
    if (press.action == ACTION_CHOOSE && part->done)
        go_to_lesson(part, 1);
    else if (press.action == ACTION_CHOOSE)
        choose_square(part);
    else if (press.action == ACTION_CLICK)
        click_square(part);
    else if (press.action == ACTION_DROP)
        drop_piece(part);
    else if (press.action == ACTION_HINT)
        show_answer(part);
    else if (press.action == ACTION_UNDO)
        begin_lesson(part, part->index);
    else if (press.action == ACTION_LATER || press.action == ACTION_EARLIER)
        go_to_lesson(part, press.action == ACTION_LATER ? 1 : -1);
    else if (press.action == ACTION_NEXT || press.action == ACTION_PREVIOUS)
        select_next_piece(&part->selection, &part->scene, press.action == ACTION_NEXT ? 1 : -1);
    else {
        /* Move the cursor by an arrow key. */
        int files = (press.action == ACTION_RIGHT) - (press.action == ACTION_LEFT);
        int ranks = (press.action == ACTION_UP) - (press.action == ACTION_DOWN);

        select_step(&part->selection, &part->scene, files, ranks);
    }
    return false;
}

static const char *lesson_word(const struct stage *stage, const void *context, enum action action)
{
    const struct learn_part *part = context;

    (void)stage;
    switch (action) {
    case ACTION_CHOOSE:
        return part->done ? "go on" : "choose";
    case ACTION_NEXT:
        return part->selection.piece != 0 ? "piece" : NULL;
    case ACTION_HINT:
        return part->done ? NULL : "show me";
    case ACTION_UNDO:
        return part->done ? "again" : NULL;
    case ACTION_EARLIER:
        return part->index > 0 ? "previous" : NULL;
    case ACTION_LATER:
        return part->index < part->game->lesson_count - 1 ? "next" : NULL;
    case ACTION_OVERLAY:
    case ACTION_FLIP:
        return NULL;
    default:
        return key_rows[action].word;
    }
}

static void paint_board(const struct stage *stage, const struct learn_part *part)
{
    struct marks marks = {.by_side = false};

    board_view_paint(&part->view,
                     &(struct board_paint){.theme = &stage->theme,
                                           .scene = &part->scene,
                                           .guide = part->guide,
                                           .selection = part->done ? NULL : &part->selection,
                                           .marks = &marks});
}

/* The text stands beside the board, the answer below the task. */
static void paint_wide(const struct stage *stage, struct learn_part *part)
{
    int x = COLS - TEXT_WIDTH - 1;
    attr_t ink = theme_text(&stage->theme);

    part->view = (struct board_view){.y = 2, .x = 1};
    board_view_fit(&part->view, &stage->theme, &part->scene.board, LINES - 4, x - 3);
    paint_board(stage, part);
    int rows = paint_rows(2, x, TEXT_WIDTH, LINES - 4, ink, lesson_of(part)->task);
    paint_rows(rows + 3, x, TEXT_WIDTH, LINES - 5 - rows, ink | A_BOLD, part->said);
}

/* The text stands above the board, the answer in place of the task. */
static void paint_narrow(const struct stage *stage, struct learn_part *part)
{
    const char *text = part->said[0] != '\0' ? part->said : lesson_of(part)->task;
    int height = part->scene.board.height + 1, rows = LINES - 2 - height;
    attr_t ink = theme_text(&stage->theme);

    paint_rows(1, 1, COLS - 2, rows, part->said[0] != '\0' ? ink | A_BOLD : ink, text);
    part->view = (struct board_view){.y = 1 + rows, .x = 1};
    board_view_fit(&part->view, &stage->theme, &part->scene.board, height, COLS - 2);
    paint_board(stage, part);
}

static void paint_lesson(struct stage *stage, void *context)
{
    struct learn_part *part = context;
    bool wide = COLS >= WIDE_COLUMNS;

    erase();
    /* Paint the title: which lesson, which side, and the piece in hand. */
    bool black = (part->scene.position.side == BLACK) != part->done; /* the move has been played */
    attr_t ink = theme_text(&stage->theme) | A_BOLD;
    char hand[16] = "";
    if (part->selection.piece != 0 && !part->done)
        snprintf(hand, sizeof hand, ", placing %c", part->selection.piece);
    paint_format(0, 1, COLS - 2, ink, "%s%s%d of %d: %s (%s%s)", wide ? part->game->title : "",
                 wide ? ", lesson " : "", part->index + 1, part->game->lesson_count,
                 lesson_of(part)->title, black ? "Black" : "White", hand);
    if (wide)
        paint_wide(stage, part);
    else
        paint_narrow(stage, part);
    stage_paint_line(stage);
}

void learn_part_run(struct stage *stage, const struct game *game)
{
    struct learn_part part = {.stage = stage, .game = game, .guide = guide_of(game)};

    part.face = (struct part){.place = IN_LEARN,
                              .paint = paint_lesson,
                              .take = take_lesson_press,
                              .word = lesson_word,
                              .context = &part,
                              .game = game};
    begin_lesson(&part, 0);
    stage_run(stage, &part.face);
}

void learn_part_choose(struct stage *stage)
{
    struct pick pick = {.title = "Learn which game?"};
    const struct game *taught[PICK_MAX];
    int at;

    for (int i = 0; games[i] != NULL && pick.count < PICK_MAX; i++)
        if (games[i]->lesson_count > 0) {
            taught[pick.count] = games[i];
            pick_add(&pick, "%s", games[i]->title);
        }
    while ((at = pick_run(stage, &pick)) >= 0)
        learn_part_run(stage, taught[at]);
}
