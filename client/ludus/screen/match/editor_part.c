#include "editor_part.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "client/games/guide.h"
#include "client/ludus/screen/board/board_view.h"
#include "client/ludus/screen/board/exercise.h"
#include "client/ludus/talk/match_words.h"
#include "common/buffer.h"

enum { CONTENTS_MAX = 16, HAND_MAX = 64, DELETE_KEY = 127, BACKSPACE_KEY = '\b' };

struct editor_part {
    struct stage *stage;
    struct part face; /* towards the stage */
    const struct game *game;
    struct scene scene; /* its board is what the player sets up; there are no moves */
    struct selection selection;
    struct board_view view;
    char contents[CONTENTS_MAX]; /* what a square can hold, as letters; '.' is the last: nothing */
    char content;                /* what a click puts on a square */
    int row;                     /* of the screen, where the first of the contents is; 0: nowhere */
    char pieces[HAND_MAX];       /* all that there are, where they come from the hand; else "" */
    enum color side;
    int last;                     /* the square of the piece that was put last; -1: none */
    char rest[POSITION_TEXT_MAX]; /* the fields behind the side, each with a blank before it */
    bool flip;
    struct position *position;
};

static int squares_of(const struct editor_part *part)
{
    return part->scene.board.width * part->scene.board.height;
}

/* ---- The position ---- */

static void add_content(struct editor_part *part, char letter)
{
    size_t count = strlen(part->contents);

    if (strchr(part->contents, letter) == NULL && count + 1 < sizeof part->contents)
        part->contents[count] = letter;
}

/* Finds what squares can hold, and the pieces in hand, in the start position of the variant. */
static void find_contents(struct editor_part *part)
{
    char variant[VARIANT_NAME_MAX], text[POSITION_TEXT_MAX];
    struct position start;
    struct cause cause;
    enum color color;

    part->game->variant_name(part->position, variant);
    if (!part->game->start(variant, &start, &cause))
        start = *part->position;
    part->game->format(&start, text);
    text[strcspn(text, " ")] = '\0';
    const char *hand = strchr(text, '[');
    if (hand != NULL)
        snprintf(part->pieces, sizeof part->pieces, "%.*s", (int)strcspn(hand + 1, "]"), hand + 1);
    for (int white = 1; white >= 0; white--)
        for (const char *at = text; *at != '\0'; at++)
            if (scene_piece(*at, &color) && (color == WHITE) == white)
                add_content(part, *at);
    if (strchr(text, '*') != NULL)
        add_content(part, '*');
    add_content(part, '.');
}

static void begin_editor(struct editor_part *part)
{
    char text[POSITION_TEXT_MAX];

    part->game->board(part->position, &part->scene.board);
    part->side = part->position->side;
    part->game->format(part->position, text);
    const char *side = strchr(text, ' ');
    snprintf(part->rest, sizeof part->rest, "%s",
             side != NULL ? side + 1 + strcspn(side + 1, " ") : "");
    find_contents(part);
    part->content = part->contents[0];
    part->selection = (struct selection){.cursor = squares_of(part) / 2, .from = -1};
    part->last = -1;
}

/* How many more of a piece there are to put; squares can always be emptied. */
static int left_of(const struct editor_part *part, char content)
{
    int left = 0;

    if (part->pieces[0] == '\0' || !isalpha((unsigned char)content))
        return 1;
    for (const char *at = part->pieces; *at != '\0'; at++)
        left += *at == content;
    for (int square = 0; square < squares_of(part); square++)
        left -= part->scene.board.cell[square] == content;
    return left;
}

/* Adds the placement, and behind it in brackets what is in hand. */
static void add_placement(const struct editor_part *part, struct buffer *text, char hand[HAND_MAX])
{
    const struct board *board = &part->scene.board;
    int count = 0;

    for (int rank = board->height - 1; rank >= 0; rank--) {
        int empty = 0;
        for (int file = 0; file < board->width; file++) {
            char cell = board->cell[rank * board->width + file];
            if (cell == '.') {
                empty++;
                continue;
            }
            if (empty > 0)
                buffer_printf(text, "%d", empty);
            empty = 0;
            buffer_printf(text, "%c", cell);
        }
        if (empty > 0)
            buffer_printf(text, "%d", empty);
        buffer_printf(text, "%s", rank > 0 ? "/" : "");
    }
    for (const char *at = part->pieces; *at != '\0'; at++)
        /* of several the first are on the board */
        if ((at[1] != *at && left_of(part, *at) > 0) || (at[1] == *at && left_of(part, *at) > 1))
            hand[count++] = *at;
    hand[count] = '\0';
    if (part->pieces[0] != '\0')
        buffer_printf(text, "[%s]", hand);
}

/* Reads what stands on the board as a position of the variant. False: the rules refuse it, and the
 * player is told why. */
static bool read_board(struct editor_part *part)
{
    const struct guide *guide = guide_of(part->game);
    char variant[VARIANT_NAME_MAX], hand[HAND_MAX], sentence[SENTENCE_MAX];
    struct buffer text = {.bytes = NULL};
    struct cause cause;

    add_placement(part, &text, hand);
    if (guide != NULL && guide->set_up_fields != NULL)
        guide->set_up_fields(&part->scene.board, hand, part->side, part->last, part->rest);
    buffer_printf(&text, " %c%s", part->side == WHITE ? 'w' : 'b', part->rest);
    part->game->variant_name(part->position, variant);
    bool good = part->game->parse(variant, text.bytes, part->position, &cause);
    buffer_release(&text);
    if (!good)
        stage_notice(part->stage, "%s", sentence_of(cause.text, sentence));
    return good;
}

/* ---- What the player does ---- */

static void put_content(struct editor_part *part, int square, char content)
{
    enum color color;

    if (part->scene.board.cell[square] == content)
        return;
    if (left_of(part, content) < 1) {
        stage_notice(part->stage, _("There is no %c left to put."), content);
        return;
    }
    part->scene.board.cell[square] = content;
    part->last = scene_piece(content, &color) ? square : -1;
}

static void clear_board(struct editor_part *part)
{
    for (int square = 0; square < squares_of(part); square++)
        if (part->scene.board.cell[square] != '*')
            part->scene.board.cell[square] = '.';
    part->last = -1;
}

/* A click on a square puts what was chosen, or takes it away again; one beside the board chooses.
 */
static void take_click(struct editor_part *part)
{
    const struct keyboard *keyboard = &part->stage->keyboard;
    int square = board_view_square(&part->view, keyboard->mouse_y, keyboard->mouse_x);
    int row = keyboard->mouse_y - part->row;

    if (square >= 0) {
        bool there = part->scene.board.cell[square] == part->content;
        part->selection.cursor = square;
        put_content(part, square, there ? '.' : part->content);
    } else if (part->row > 0 && row >= 0 && row < (int)strlen(part->contents)) {
        part->content = part->contents[row];
    }
}

/* A letter puts its piece where the cursor is. */
static void take_letter(struct editor_part *part, int key)
{
    char content = key == ' ' || key == DELETE_KEY || key == BACKSPACE_KEY || key == FN(KEY_DC) ||
                           key == FN(KEY_BACKSPACE)
                       ? '.'
                   : key > ' ' && key < DELETE_KEY ? (char)key
                                                   : '\0';

    if (content == '\0')
        return;
    if (strchr(part->contents, content) == NULL) {
        stage_notice(part->stage, _("No piece here is called %c."), content);
        return;
    }
    part->content = content;
    put_content(part, part->selection.cursor, content);
}

static void move_cursor(struct editor_part *part, enum action action)
{
    int forward = part->flip ? -1 : 1;

    select_step(&part->selection, &part->scene,
                forward * ((action == ACTION_RIGHT) - (action == ACTION_LEFT)),
                forward * ((action == ACTION_UP) - (action == ACTION_DOWN)));
}

static bool take_press(struct stage *stage, void *context, struct press press)
{
    struct editor_part *part = context;

    if (board_view_take(&part->view, stage, press.action))
        return false;
    switch (press.action) {
    case ACTION_NONE:
        take_letter(part, press.key);
        return false;
    case ACTION_CLICK:
        take_click(part);
        return false;
    case ACTION_NEXT:
    case ACTION_PREVIOUS:
        part->side = !part->side;
        return false;
    case ACTION_UNDO:
        clear_board(part);
        return false;
    case ACTION_FLIP:
        part->flip = !part->flip;
        return false;
    case ACTION_CHOOSE:
        return read_board(part);
    default:
        move_cursor(part, press.action);
        return false;
    }
}

static const char *editor_word(const struct stage *stage, const void *context, enum action action)
{
    (void)stage;
    (void)context;
    switch (action) {
    case ACTION_CHOOSE:
        return _("done");
    case ACTION_NEXT:
        return _("other side");
    case ACTION_UNDO:
        return _("clear");
    default:
        return key_rows[action].word;
    }
}

/* ---- The screen ---- */

/* Paints a row for each thing that a square can hold, as many as there is room for. */
static void paint_contents(struct editor_part *part, struct area *area)
{
    const struct theme *theme = &part->stage->theme;
    const struct guide *guide = guide_of(part->game);
    enum color color;

    part->row = area->y;
    for (const char *at = part->contents; *at != '\0' && area->height > 0; at++) {
        const struct look *look = guide_look(guide, *at);
        bool piece = scene_piece(*at, &color);
        attr_t ink = left_of(part, *at) > 0 ? theme_text(theme) : theme_faint(theme);
        if (*at == part->content)
            ink |= A_REVERSE;
        if (piece)
            paint_format(area->y, area->x, area->width, ink,
                         color == WHITE ? _("%c  White's %s") : _("%c  Black's %s"), *at,
                         look != NULL ? _(look->name) : _("piece"));
        else
            paint_text(area->y, area->x, area->width, ink,
                       *at == '*' ? _("*  hole") : _("Space  nothing"));
        area_drop_rows(area, 1);
    }
}

static void paint_editor(struct stage *stage, void *context)
{
    const char *help = _("Letters put a piece on the square of the cursor, capitals White's.");
    struct editor_part *part = context;
    const struct theme *theme = &stage->theme;
    const struct marks marks = {.by_side = false};
    const struct board_paint paint = {.theme = theme,
                                      .scene = &part->scene,
                                      .guide = guide_of(part->game),
                                      .selection = &part->selection,
                                      .marks = &marks};
    struct area area;

    erase();
    paint_text(0, 1, COLS - 2, theme_text(theme) | A_BOLD,
               part->side == WHITE ? _("Set up a position (White to move)")
                                   : _("Set up a position (Black to move)"));
    part->row = 0;
    area = exercise_fit_board(&part->view, theme, &part->scene.board, part->flip);
    board_view_paint(&part->view, &paint);
    if (exercise_is_wide()) {
        area_drop_rows(
            &area,
            paint_rows(area.y, area.x, area.width, area.height, theme_text(theme), help) + 1);
        paint_contents(part, &area);
    } else {
        paint_rows(area.y, area.x, area.width, area.height, theme_text(theme), help);
    }
    stage_paint_line(stage);
}

bool editor_part_run(struct stage *stage, const struct game *game, struct position *position)
{
    struct editor_part part = {.stage = stage, .game = game, .position = position};

    part.face = (struct part){.place = IN_EDITOR,
                              .paint = paint_editor,
                              .take = take_press,
                              .word = editor_word,
                              .context = &part,
                              .typing = true};
    part.flip = position->side == BLACK;
    begin_editor(&part);
    return stage_run(stage, &part.face);
}
