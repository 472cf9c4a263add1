#include "panel.h"

#include <stdio.h>
#include <string.h>

#include "client/ludus/screen/board/board_view.h"
#include "client/ludus/screen/stage/paint.h"
#include "client/ludus/talk/match_words.h"
#include "client/ludus/term/wrap.h"

enum {
    ROOMY = 24, /* columns that have room for a name */
    PIECE_WIDTH = 3,
    NUMBER_WIDTH = 5,
    MOVE_WIDTH = 8
};

/* Paints a piece of that side, if it is known; returns the columns used. */
static int paint_side(const struct stage *stage, const struct guide *guide, enum color color, int y,
                      int x)
{
    const struct piece_view view = {&stage->theme, guide, guide_piece(guide, color), GROUND_LIGHT};

    if (view.piece == 0)
        return 0;
    paint_blank(y, x, PIECE_WIDTH, theme_ink(&stage->theme, OF_TEXT, GROUND_LIGHT));
    piece_view_paint(&view, y, x + 1);
    return PIECE_WIDTH;
}

void panel_player(const struct stage *stage, const struct guide *guide, const struct area *area,
                  enum color color)
{
    const struct match_state *view = &stage->client->view;
    const struct match_seat *seat = &view->seats[color];
    bool turn = view->status == STATE_PLAYING && view->turn == color;
    attr_t ink = theme_text(&stage->theme) | (turn ? A_BOLD : A_NORMAL);
    char clock[CLOCK_TEXT_MAX] = "";

    if (view->clock.known)
        clock_format(match_clock_left_ms(&view->clock, color, clock_ms()), clock);
    int clock_width = (int)strlen(clock), left = area->width - clock_width - 1;
    char who[PLAYER_DISPLAY_MAX + 16];
    const char *name = seat_shown(seat);
    if (wrap_columns(name, strlen(name)) + 16 > left)
        name = seat->name;
    snprintf(who, sizeof who, "%s%s%s", name[0] != '\0' ? name : _("(nobody yet)"),
             seat->mine ? _(", you") : "", seat->seated && !seat->online ? _(", away") : "");
    bool fits = wrap_columns(who, strlen(who)) + 10 <= left || area->width >= ROOMY;
    const char *side = fits ? color_title(color) : color == WHITE ? _("W") : _("B");
    int used = 2 + paint_side(stage, guide, color, area->y, area->x + 2);
    used += area->width >= ROOMY;
    paint_text(area->y, area->x, 1, ink, turn ? ">" : " ");
    paint_format(area->y, area->x + used, left - used, ink, "%s %s", side, who);
    paint_text(area->y, area->x + area->width - clock_width, clock_width,
               turn ? ink | A_REVERSE : ink, clock);
}

static void paint_pair(const struct stage *stage, const struct area *row, const struct panel *panel,
                       int pair)
{
    attr_t text = theme_text(&stage->theme);
    attr_t mark = panel->shown < panel->count ? A_REVERSE : A_BOLD;

    paint_format(row->y, row->x, 6, theme_faint(&stage->theme), "%3d. ", pair + 1);
    for (int ply = pair * 2; ply < pair * 2 + 2 && ply < panel->count; ply++)
        paint_text(row->y, row->x + NUMBER_WIDTH + ply % 2 * MOVE_WIDTH, MOVE_WIDTH - 1,
                   ply == panel->shown - 1 ? text | mark : text, panel->moves[ply].text);
}

/* The first row shown: scrolled back, and with the move shown in view unless that is the last. */
static int first_pair(const struct panel *panel, int rows)
{
    int pairs = (panel->count + 1) / 2, pair = panel->shown > 0 ? (panel->shown - 1) / 2 : 0;
    int first = pairs - panel->back - rows;

    if (panel->shown < panel->count && pair < first)
        first = pair;
    if (panel->shown < panel->count && pair >= first + rows)
        first = pair - rows + 1;
    return first > 0 ? first : 0;
}

void panel_moves(const struct stage *stage, const struct area *area, const struct panel *panel)
{
    int first = first_pair(panel, area->height);

    for (int i = first; i * 2 < panel->count && i < first + area->height; i++)
        paint_pair(stage, &(struct area){area->y + i - first, area->x, area->width, 1}, panel, i);
}

int panel_ply_at(const struct area *area, const struct panel *panel, int y, int x)
{
    int column = x - area->x - NUMBER_WIDTH;

    if (y < area->y || y >= area->y + area->height || column < 0 || column >= 2 * MOVE_WIDTH)
        return -1;
    int ply = (first_pair(panel, area->height) + y - area->y) * 2 + column / MOVE_WIDTH + 1;
    return ply <= panel->count ? ply : -1;
}

void panel_log(const struct stage *stage, const struct area *area, const char *elsewhere)
{
    attr_t ink = theme_text(&stage->theme);
    const struct said *said = &stage->log;
    int end = area->y + area->height, y = end;

    for (int i = said->lines.count - 1; i >= 0 && y > area->y; i--) {
        const char *line = said->lines.texts[i];
        if (!said_in(said, i, stage->client->view.match) || strcmp(line, elsewhere) == 0)
            continue;
        int rows = paint_rows(0, 0, area->width, 0, ink, line);
        if (y - rows < area->y) {
            if (y < end)
                return;
            rows = area->height; /* at least the beginning of the last line */
        }
        y -= rows;
        paint_rows(y, area->x, area->width, rows, ink, line);
    }
}

int panel_lines(const struct stage *stage, const struct area *area, const struct lines *lines)
{
    attr_t ink = theme_text(&stage->theme);
    int used = 0, i;

    for (i = 0; i < lines->count && used < area->height; i++)
        used += paint_rows(area->y + used, area->x, area->width, area->height - used, ink,
                           lines->texts[i]);
    if (i < lines->count && used > 0)
        paint_text(area->y + used - 1, area->x + area->width - 1, 1, ink, "~");
    return used;
}
