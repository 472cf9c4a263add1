#include "match_paint.h"

#include <stdio.h>
#include <string.h>

#include "client/ludus/talk/hosting.h"
#include "client/ludus/talk/match_words.h"
#include "client/ludus/term/wrap.h"
#include "common/move.h"
#include "common/qr_code.h"
#include "panel.h"

enum { END_BOX_ROWS = 6 };

/* Paints two rows of modules on a row of the screen. */
static void paint_qr_row(const struct qr_code *code, int y, int x, int first, attr_t ink)
{
    static const wchar_t *const blocks[] = {L" ", L"▄", L"▀", L"█"};
    cchar_t cell;

    for (int i = -QR_MARGIN; i < code->width + QR_MARGIN; i++) {
        int which = qr_code_is_dark(code, first, i) * 2 + qr_code_is_dark(code, first + 1, i);
        setcchar(&cell, blocks[which], A_NORMAL, (short)PAIR_NUMBER(ink), NULL);
        mvadd_wch(y, x++, &cell);
    }
}

/* Paints a row of modules, each as two spaces. */
static void paint_qr_spaces(const struct qr_code *code, int y, int x, int row, attr_t ink)
{
    for (int i = -QR_MARGIN; i < code->width + QR_MARGIN; i++, x += 2)
        paint_blank(y, x, 2, qr_code_is_dark(code, row, i) ? ink | A_REVERSE : ink);
}

/* Paints the code in the middle of the area if the match on the screen waits at the player's own
 * server. False where there is none, it is not wanted, or the terminal cannot show it. */
static bool paint_qr_code(const struct stage *stage, const struct area *area)
{
    const struct theme *theme = &stage->theme;
    char page[HOSTING_LINE_MAX];
    struct qr_code code;
    attr_t ink;

    const struct match_state *view = &stage->client->view;
    if (!view->known || view->status != STATE_OPEN || stage->client->no_qr ||
        !theme_black_on_white(theme, &ink) || !hosting_page(stage->client, page) ||
        !qr_code_make(&code, page))
        return false;
    int modules = code.width + 2 * QR_MARGIN, each = theme->unicode ? 1 : 2;
    int width = modules * each, height = (modules + 2 - each) / (3 - each);
    if (width > area->width || height > area->height)
        return false;
    int y = area->y + (area->height - height) / 2, x = area->x + (area->width - width) / 2;
    for (int i = 0; i < height; i++)
        if (theme->unicode)
            paint_qr_row(&code, y + i, x, 2 * i - QR_MARGIN, ink);
        else
            paint_qr_spaces(&code, y + i, x, i - QR_MARGIN, ink);
    return true;
}

static const struct end_choice {
    enum action action;
    const char *text;
} choices[] = {
    {ACTION_REMATCH, N_("Rematch")},
    {ACTION_REVIEW, N_("Review")},
    {ACTION_SAVE, N_("Save")},
    {ACTION_BACK, N_("Menu")},
};

enum { CHOICES = sizeof choices / sizeof choices[0], BUTTON_WIDTH = 10, BOX_WIDTH = 24 };

/* Whether the box is to be shown: the match is over and nothing is being typed. */
static bool shows_end_box(const struct match_part *part)
{
    const struct match_state *view = &part->stage->client->view;

    return view->known && view->status == STATE_OVER && part->edit.text[0] == '\0' &&
           !(part->is_paced && part->looks_back);
}

/* The first choice: watchers have no rematch. */
static int first_choice(const struct match_part *part)
{
    return match_state_seated(&part->stage->client->view) ? 0 : 1;
}

static void paint_choice_row(const struct match_part *part, const struct area *area)
{
    attr_t ink = theme_text(&part->stage->theme);

    for (int i = first_choice(part); i < CHOICES; i++)
        paint_format(area->y, area->x + i * BUTTON_WIDTH, BUTTON_WIDTH,
                     i == part->end.at ? ink | A_REVERSE : ink, i == part->end.at ? "[%s]" : " %s ",
                     _(choices[i].text));
}

/* Paints a row of the frame: its left end, what is between, its right end. */
static void paint_edge(const struct match_part *part, int y, const char *const pieces[3])
{
    const struct area *area = &part->end.area;
    attr_t ink = theme_faint(&part->stage->theme);

    paint_text(y, area->x, 1, ink, pieces[0]);
    for (int x = 1; x < BOX_WIDTH - 1; x++)
        paint_text(y, area->x + x, 1, ink, pieces[1]);
    paint_text(y, area->x + BOX_WIDTH - 1, 1, ink, pieces[2]);
}

static void paint_choice_box(const struct match_part *part)
{
    static const char *const ascii[3][3] = {{"+", "-", "+"}, {"|", " ", "|"}, {"+", "-", "+"}};
    static const char *const lines[3][3] = {{"┌", "─", "┐"}, {"│", " ", "│"}, {"└", "─", "┘"}};
    const struct theme *theme = &part->stage->theme;
    const char *const(*frame)[3] = theme->unicode ? lines : ascii;
    int y = part->end.area.y;

    paint_edge(part, y, frame[0]);
    for (int i = first_choice(part); i < CHOICES; i++) {
        bool chosen = i == part->end.at;
        const char *text = _(choices[i].text);
        int room = BOX_WIDTH - 11 - wrap_columns(text, strlen(text));
        paint_edge(part, ++y, frame[1]);
        paint_format(y, part->end.area.x + 1, BOX_WIDTH - 2,
                     chosen ? theme_text(theme) | A_REVERSE : theme_text(theme), "%c %s%*s %5s ",
                     chosen ? '>' : ' ', text, room > 0 ? room : 0, "",
                     _(key_rows[choices[i].action].label));
    }
    paint_edge(part, y + 1, frame[2]);
}

/* Paints the box at the bottom of an area, or as a row in an area of height 1. */
static void paint_end_box(struct match_part *part, const struct area *area)
{
    bool box = area->height > 1;

    if (part->end.at < first_choice(part))
        part->end.at = first_choice(part);
    part->end.area = *area;
    if (box) {
        part->end.area.height = END_BOX_ROWS - first_choice(part);
        part->end.area.y = area->y + area->height - part->end.area.height;
        paint_choice_box(part);
    } else {
        paint_choice_row(part, area);
    }
}

/* The choice under the mouse; -1 for none. */
static int choice_at(const struct match_part *part)
{
    const struct area *area = &part->end.area;
    int y = part->stage->keyboard.mouse_y - area->y, x = part->stage->keyboard.mouse_x - area->x;
    bool row = area->height == 1;
    int choice = row ? x / BUTTON_WIDTH : y - 1 + first_choice(part);

    if (y < 0 || y >= area->height || x < 0 || (!row && x >= BOX_WIDTH))
        return -1;
    return choice >= first_choice(part) && choice < CHOICES ? choice : -1;
}

static int choice_step_of(enum action action)
{
    switch (action) {
    case ACTION_UP:
    case ACTION_LEFT:
    case ACTION_PREVIOUS:
        return -1;
    case ACTION_DOWN:
    case ACTION_RIGHT:
    case ACTION_NEXT:
        return 1;
    default:
        return 0;
    }
}

bool match_end_take(struct match_part *part, struct press press, enum action *chosen)
{
    int step = choice_step_of(press.action);
    int clicked = press.action == ACTION_CLICK ? choice_at(part) : -1;

    *chosen = ACTION_NONE;
    if (!shows_end_box(part) || part->end.area.height == 0 || part->looks_back)
        return false;
    int first = first_choice(part), count = CHOICES - first;
    if (step != 0) /* around the ends */
        part->end.at = first + (part->end.at - first + step + count) % count;
    else if (press.action == ACTION_CHOOSE)
        *chosen = choices[part->end.at].action;
    else if (clicked >= 0)
        *chosen = choices[clicked].action;
    else
        return false;
    return true;
}

enum { STATUS_MAX = RESULT_LINE_MAX, STATUS_ROWS_MAX = 3, SIDE_MAX = 40, BOX_FROM_ROWS = 14 };

enum { TITLE_MAX = 2 * SIDE_MAX + GAME_LABEL_MAX + MATCH_ID_MAX };

/* Writes what is played. Where there is no room for all of it the variant goes, then whether it is
 * rated, but never the number. */
static void write_title(const struct match_state *view, char title[TITLE_MAX])
{
    bool watches = !match_state_seated(view);
    char label[GAME_LABEL_MAX];

    game_label(view->game, view->variant, label);
    for (int try = 0; try < 3; try++) {
        char *variant = try == 1 ? strrchr(label, ' ') : NULL;
        if (variant != NULL)
            *variant = '\0';
        snprintf(title, TITLE_MAX,
                 !view->known || try == 2
                     ? watches ? _("%s, match %s, watching") : _("%s, match %s")
                 : match_is_rated(view)
                     ? watches ? _("%s, rated match %s, watching") : _("%s, rated match %s")
                 : watches ? _("%s, casual match %s, watching")
                           : _("%s, casual match %s"),
                 label, view->match);
        if (wrap_columns(title, strlen(title)) <= COLS - 2)
            return;
    }
}

static void paint_title(const struct match_part *part)
{
    const struct client *client = part->stage->client;
    char me[CLIENT_ME_MAX], title[TITLE_MAX];
    attr_t ink = theme_text(&part->stage->theme);

    client_me(client, _("guest"), me);
    write_title(&client->view, title);
    int width = wrap_columns(me, strlen(me));
    if (wrap_columns(title, strlen(title)) > COLS - width - 4) /* who plays is said below, too */
        width = 0;
    paint_text(0, 1, COLS - 2 - (width > 0 ? width + 2 : 0), ink | A_BOLD, title);
    if (width > 0)
        paint_text(0, COLS - width - 1, width, theme_faint(&part->stage->theme), me);
}

/* Writes an own offer that stands. */
static bool write_waiting(const struct match_state *view, char *text, size_t size)
{
    char name[PLAYER_DISPLAY_MAX];
    enum color mine;

    if (!match_state_my_color(view, &mine))
        return false;
    for (enum offer what = OFFER_DRAW; what < OFFER_KINDS; what++)
        if (view->offers[what][mine])
            return sentence_about(offer_made(what), name_cut(seat_shown(&view->seats[!mine]), name),
                                  text, size)[0];
    return false;
}

static void write_turn(const struct match_part *part, char *text, size_t size)
{
    const struct match_state *view = &part->stage->client->view;
    const struct match_seat *seat = &view->seats[view->turn];
    char side[SIDE_MAX], name[PLAYER_DISPLAY_MAX];
    struct move pass;

    snprintf(side, sizeof side, view->check ? _("(%s), in check") : "(%s)",
             color_title(view->turn));
    if (part->premove[0] != '\0')
        snprintf(text, size, _("Your premove: %s (Esc takes it back)"), part->premove);
    else if (match_state_my_turn(view) && select_must_pass(&part->scene, &pass))
        snprintf(text, size, _("You have no move %s. Enter passes"), side);
    else if (match_state_my_turn(view) && part->selection.piece != 0)
        snprintf(text, size,
                 COLS > 42 && select_has_choice(&part->scene) ? _("Your turn %s, placing %c (Tab)")
                                                              : _("Your turn %s, placing %c"),
                 side, part->selection.piece);
    else if (match_state_my_turn(view))
        snprintf(text, size, _("Your turn %s"), side);
    else if (seat->bot)
        snprintf(text, size, _("%s %s is thinking ..."), name_cut(seat_shown(seat), name), side);
    else
        snprintf(text, size, _("Waiting for %s %s"), name_cut(seat_shown(seat), name), side);
}

/* Whether there is room for a panel beside the board. */
static bool is_wide(const struct match_part *part)
{
    return COLS >= 3 + part->scene.board.width * 3 + 3 + PANEL_MIN;
}

/* Writes how a friend joins. */
static void write_open(const struct match_part *part, char *text, size_t size)
{
    const struct client *client = part->stage->client;
    const struct match_state *view = &client->view;
    char line[HOSTING_LINE_MAX], name[PLAYER_DISPLAY_MAX];

    for (enum color color = WHITE; color <= BLACK; color++)
        if (view->seats[color].name[0] != '\0' && !view->seats[color].seated) {
            snprintf(text, size, _("Waiting for %s to accept the challenge"),
                     name_cut(seat_shown(&view->seats[color]), name));
            return;
        }
    if (hosting_page(client, line)) {
        if (is_wide(part))
            snprintf(text, size, _("In a browser: %.250s"), line);
        else
            snprintf(text, size, "%s", _("Waiting for your friend ..."));
        return;
    }
    const char *words = hosting_write_join(client, line);
    snprintf(text, size, "%s: %.250s", words, line);
}

/* Writes the sentence that matters now; true when it wants attention. */
static bool write_status(const struct match_part *part, char *text, size_t size)
{
    const struct client *client = part->stage->client;
    const struct match_state *view = &client->view;
    char result[RESULT_LINE_MAX];

    if (part->stage->trouble[0] != '\0')
        return snprintf(text, size, "%s", part->stage->trouble) > 0;
    if (client->sent_move[0] != '\0')
        return snprintf(text, size, _("%s is sent ..."), client->sent_move) < 0;
    if (part->stage->notice[0] != '\0')
        return snprintf(text, size, "%s", part->stage->notice) > 0;
    if (match_ask_question(part, text, size) != NULL)
        return true;
    if (part->log_hidden && stage_new_line(part->stage)[0] != '\0')
        return snprintf(text, size, "%s", stage_new_line(part->stage)) > 0;
    if (part->looks_back && part->is_paced) {
        snprintf(text, size,
                 part->pace.runs ? _("Played back: move %d") : _("Paused after move %d"),
                 part->past_ply);
        return false;
    }
    if (part->looks_back) {
        int count = part->stage->played.count;
        bool turn = match_state_my_turn(&part->stage->client->view);
        if (part->past_ply == 0)
            snprintf(text, size,
                     turn ? _("Looking back: the start (0 of %d) (your turn). Enter: back to the "
                              "game")
                          : _("Looking back: the start (0 of %d). Enter: back to the game"),
                     count);
        else
            snprintf(text, size,
                     turn ? _("Looking back: move %d of %d (your turn). Enter: back to the game")
                          : _("Looking back: move %d of %d. Enter: back to the game"),
                     part->past_ply, count);
        return true;
    }
    if (!view->known) {
        snprintf(text, size, "%s", _("One moment ..."));
    } else if (view->status == STATE_OPEN) {
        write_open(part, text, size);
    } else if (view->status == STATE_OVER) {
        if (write_waiting(view, text, size))
            return false;
        result_line(view, result);
        return snprintf(text, size, "%s", result) > 0;
    } else if (!write_waiting(view, text, size)) {
        write_turn(part, text, size);
        size_t used = strlen(text);
        if (view->clock.known && !view->clock.runs)
            snprintf(text + used, size - used, "%s", _(". The clocks start with the first move."));
    }
    return false;
}

/* Paints the pieces that can be placed, the chosen one in brackets. */
static void paint_hand(struct match_part *part)
{
    const struct theme *theme = &part->stage->theme;
    char pieces[PIECES_MAX];

    part->hand_y = LINES - 2;
    part->hand_x = 5 + paint_text(LINES - 2, 5, COLS - 6, theme_faint(theme), _("Place "));
    select_list_pieces(match_part_choice(part), pieces);
    for (int i = 0; pieces[i] != '\0'; i++) {
        bool chosen = pieces[i] == part->selection.piece;
        paint_format(LINES - 2, part->hand_x + i * HAND_WIDTH, HAND_WIDTH,
                     chosen ? theme_text(theme) | A_BOLD : theme_text(theme),
                     chosen ? "[%c]" : " %c ", pieces[i]);
    }
}

/* The rows that the sentence takes above the input row. */
static int status_rows(const struct match_part *part)
{
    char text[STATUS_MAX];

    write_status(part, text, sizeof text);
    int rows = paint_rows(0, 0, COLS - 2, 0, A_NORMAL, text);
    return rows < 1 ? 1 : rows < STATUS_ROWS_MAX ? rows : STATUS_ROWS_MAX;
}

static void paint_status(const struct match_part *part)
{
    char text[STATUS_MAX];
    bool alert = write_status(part, text, sizeof text);
    int rows = status_rows(part), y = LINES - 2 - rows;
    attr_t ink = theme_text(&part->stage->theme);

    for (int i = 0; i < rows; i++)
        paint_blank(y + i, 0, COLS, ink);
    paint_rows(y, 1, COLS - 2, rows, alert ? ink | A_REVERSE : ink | A_BOLD, text);
}

static void paint_bottom(struct match_part *part)
{
    const struct stage *stage = part->stage;
    attr_t ink = theme_text(&stage->theme);
    bool empty = part->edit.text[0] == '\0';

    part->hand_y = 0;
    paint_status(part);
    if (shows_end_box(part) && part->end.area.height == 0) {
        paint_end_box(part, &(struct area){LINES - 2, 0, COLS, 1});
        return;
    }
    paint_text(LINES - 2, 1, 2, ink, ">");
    edit_paint(&part->edit, &stage->theme, LINES - 2, 3, COLS - 4);
    bool mine = match_state_my_turn(&stage->client->view), ahead = match_part_ahead(part);
    if (empty && (mine || ahead) && part->selection.piece != 0)
        paint_hand(part);
    else if (empty)
        paint_text(LINES - 2, 5, COLS - 6, theme_faint(&stage->theme),
                   mine    ? _("Arrows and Enter, or type a move")
                   : ahead ? _("Premove, or type a command")
                           : _("Type a command: say, help ..."));
}

static void mark_hint(struct match_part *part)
{
    if (!part->has_hint || part->looks_back)
        return;
    part->marks.left[part->hint.move.to] = part->marks.right[part->hint.move.to] = '?';
    if (part->hint.move.kind == MOVE_STEP)
        part->marks.left[part->hint.move.from] = part->marks.right[part->hint.move.from] = '?';
}

static void paint_board(struct match_part *part)
{
    const struct scene *scene = match_part_scene(part);
    bool ahead = match_part_ahead(part), present = scene == &part->scene;
    bool chooses = present && (ahead || match_state_my_turn(&part->stage->client->view));
    struct scene shown = chooses ? *match_part_choice(part) : *scene;
    const struct board_paint paint = {.theme = &part->stage->theme,
                                      .scene = &shown,
                                      .guide = part->guide,
                                      .selection = chooses ? &part->selection : NULL,
                                      .marks = &part->marks};

    memset(&part->marks, 0, sizeof part->marks);
    if (part->guide != NULL && part->guide->mark != NULL)
        part->guide->mark(scene, part->overlay, &part->marks);
    mark_hint(part);
    premove_show(part, &shown.board);
    board_view_paint(&part->board, &paint);
}

enum { REPLAYED_MAX = 1000 }; /* plies, each time that the screen is painted */

/* Says what the last move has taken from elsewhere than where it ended: one would have to compare
 * two boards to see it. */
static void add_captures(const struct match_part *part, struct lines *lines)
{
    const struct stage *stage = part->stage;
    const struct played *played = &stage->played;
    int ply = part->looks_back ? part->past_ply : part->ply;
    char captures[CAPTURES_MAX], line[CAPTURES_MAX + MOVE_TEXT_MAX + 24];
    struct position before;
    struct cause cause;
    struct move move;

    if (part->pause_ms != 0 || ply < 1 || ply > played->count || ply > REPLAYED_MAX ||
        part->scene.game == NULL ||
        !played_position(played, &stage->client->view, ply - 1, &before, &cause) ||
        !move_parse(part->scene.game, &before, played->moves[ply - 1].text, &move, &cause) ||
        !guide_captures(part->scene.game, &before, move, captures))
        return;
    snprintf(line, sizeof line, _("%s takes %s"), played->moves[ply - 1].text, captures);
    lines_add(lines, line);
}

static void add_facts(const struct match_part *part, struct lines *lines)
{
    char facts[FACTS_MAX];

    add_captures(part, lines);
    guide_facts(part->guide, match_part_scene(part), part->overlay, facts);
    lines_write(lines, facts);
    board_view_add_legend(&part->stage->theme, part->guide, &part->scene.board, lines);
}

/* Tells who is new to the game what they can do now, where there is room for the whole sentence.
 * Returns the rows that it takes. */
static int paint_advice(const struct match_part *part, const struct area *area)
{
    const struct game *game = part->scene.game;
    attr_t ink = theme_text(&part->stage->theme);
    char advice[ADVICE_MAX];

    if (!part->is_new || part->looks_back || part->pause_ms != 0 || game == NULL ||
        !match_state_my_turn(&part->stage->client->view) ||
        !game_advise(game, &part->scene.position, advice) ||
        paint_rows(0, 0, area->width, 0, ink, advice) > area->height)
        return 0;
    return paint_rows(area->y, area->x, area->width, area->height, ink, advice);
}

/* Adds the ways to a match that waits at the player's own server; beside a panel, the sentence at
 * the bottom has the address for browsers. False where it does not wait there. */
static bool add_ways(const struct match_part *part, bool has_code, struct lines *lines)
{
    const struct client *client = part->stage->client;
    char page[HOSTING_LINE_MAX], line[HOSTING_LINE_MAX + 32], join[HOSTING_LINE_MAX];

    if (client->view.status != STATE_OPEN || !hosting_page(client, page))
        return false;
    size_t room = (size_t)COLS - 2, used = 0;
    if (!is_wide(part)) { /* the whole address: a line that is too long would be cut */
        snprintf(line, sizeof line, _("In a browser: %s"), page);
        if (strlen(line) <= room)
            lines_add(lines, line);
        else
            lines_add(lines, _("In a browser:"));
        for (; strlen(line) > room && used < strlen(page); used += strlen(join)) {
            snprintf(join, sizeof join, "%.*s", (int)room, page + used);
            lines_add(lines, join);
        }
    }
    hosting_write_join(client, join);
    snprintf(line, sizeof line, _("In a terminal: %s"), join);
    lines_add(lines,
              has_code ? _("On a phone: scan the code") : _("On a phone: open that address, too"));
    lines_add(lines, line);
    return true;
}

/* The log leaves out what the sentence at the bottom says. */
static void paint_log(const struct match_part *part, const struct area *area)
{
    char text[STATUS_MAX];

    write_status(part, text, sizeof text);
    panel_log(part->stage, area, text);
}

/* Paints the panel beside the board: players, facts, moves, chat. */
static void paint_side(struct match_part *part, struct area area, bool flip, bool has_code)
{
    struct panel moves = match_part_moves(part);
    struct lines *lines = &(struct lines){.count = 0};

    if (shows_end_box(part) && area.height >= BOX_FROM_ROWS) {
        paint_end_box(part, &area);
        area.height -= END_BOX_ROWS;
    }
    panel_player(part->stage, part->guide, &(struct area){area.y, area.x, area.width, 1},
                 flip ? WHITE : BLACK);
    panel_player(part->stage, part->guide, &(struct area){area.y + 1, area.x, area.width, 1},
                 flip ? BLACK : WHITE);
    area_drop_rows(&area, 3);
    if (!add_ways(part, has_code, lines))
        add_facts(part, lines);
    area_drop_rows(&area, panel_lines(part->stage, &area, lines) + (lines->count > 0));
    lines_clear(lines);
    int told = paint_advice(part, &area);
    area_drop_rows(&area, told + (told > 0));
    int log_rows = area.height / 3;
    part->moves = area;
    part->moves.height = area.height > 0 ? area.height - log_rows - 1 : 0;
    panel_moves(part->stage, &part->moves, &moves);
    area_drop_rows(&area, part->moves.height + 1);
    area.height = log_rows;
    paint_log(part, &area);
}

/* Paints below the board what fits there, if there is no room beside it. */
static void paint_below(struct match_part *part, int y)
{
    struct lines *lines = &(struct lines){.count = 0};
    struct area area = {y, 1, COLS - 2, LINES - 3 - y};

    add_facts(part, lines);
    int used = panel_lines(part->stage, &area, lines), rows = area.height;
    area_drop_rows(&area, used);
    area.height -= status_rows(part) - 1;
    int told = paint_advice(part, &area);
    area_drop_rows(&area, told);
    part->log_hidden = used + told + 1 >= rows;
    if (!part->log_hidden)
        paint_log(part, &area);
    lines_clear(lines);
}

/* The row that the board begins in: one higher where a long sentence would cover its end. */
static int board_top(const struct match_part *part)
{
    return 2 + part->board.height > LINES - 2 - status_rows(part) ? 1 : 2;
}

/* Where the board begins higher, the players take the row of the title. */
static void paint_stacked(struct match_part *part)
{
    board_view_fit(&part->board, &part->stage->theme, &part->scene.board, LINES - 5, COLS);
    if (part->board.height == LINES - 5)
        part->log_hidden = true;
    part->board.y = board_top(part);
    int y = part->board.y - 1;
    struct area white = {y, 0, COLS / 2, 1}, black = {y, COLS / 2, COLS - COLS / 2 - 1, 1};
    if (y == 0)
        paint_blank(y, 0, COLS, theme_text(&part->stage->theme));
    panel_player(part->stage, part->guide, &white, WHITE);
    panel_player(part->stage, part->guide, &black, BLACK);
    part->board.x = (COLS - part->board.width) / 2;
    struct lines *lines = &(struct lines){.count = 0};
    struct area area = {2, 1, COLS - 2, LINES - 5};
    if (add_ways(part, paint_qr_code(part->stage, &(struct area){5, 0, COLS, LINES - 8}), lines)) {
        panel_lines(part->stage, &area, lines);
        lines_clear(lines);
        return; /* the board can wait as well */
    }
    paint_board(part);
    paint_below(part, part->board.y + part->board.height);
}

/* The panel takes what the board leaves, up to PANEL_MAX columns. */
static void paint_wide(struct match_part *part)
{
    int room = LINES - 5;

    part->log_hidden = false;
    board_view_fit(&part->board, &part->stage->theme, &part->scene.board, room,
                   COLS - PANEL_MIN - 3);
    int panel = COLS - part->board.width - 5;
    panel = panel < PANEL_MAX ? panel : PANEL_MAX;
    part->board.y = board_top(part);
    part->board.x = (COLS - part->board.width - 3 - panel) / 2;
    struct area side = {2, part->board.x + part->board.width + 3, panel, room - status_rows(part)};
    bool has_code = paint_qr_code(part->stage, &(struct area){2, 0, COLS - PANEL_MIN - 2, room});
    if (has_code)
        side = (struct area){2, COLS - PANEL_MIN - 1, PANEL_MIN, room - 1};
    else
        paint_board(part);
    paint_side(part, side, part->board.flip, has_code);
}

void match_paint(struct stage *stage, void *context)
{
    struct match_part *part = context;

    part->moves.height = 0;
    part->end.area.height = 0;
    paint_title(part);
    if (stage->client->view.known && part->ply >= 0) {
        /* Paint the match itself, once it is known. */
        part->board.flip = match_part_from_black(part);
        if (is_wide(part))
            paint_wide(part);
        else
            paint_stacked(part);
    }
    paint_bottom(part);
}
