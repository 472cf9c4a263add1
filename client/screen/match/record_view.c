#include "record_view.h"

#include "client/model/record.h"

void record_view_begin(struct record_view *view, const struct pgn_match *match, int ply)
{
    view->match = match;
    view->special = special_find(match->game);
    view->overlay = view->special != NULL && view->special->overlay_at_first;
    record_view_go(view, ply);
}

void record_view_go(struct record_view *view, int ply)
{
    const struct pgn_match *match = view->match;

    view->ply = ply < 0 ? 0 : ply > match->plies ? match->plies : ply;
    struct position position = record_position(match, view->ply);
    scene_set(&view->scene, match->game, &position,
              view->ply > 0 ? match->moves[view->ply - 1].text : "");
}

/* The number of plies that an action steps by. */
static int plies_of(enum action action)
{
    static const int plies[ACTIONS] = {[ACTION_RIGHT] = 1,
                                       [ACTION_DOWN] = 1,
                                       [ACTION_LATER] = 1,
                                       [ACTION_WHEEL_DOWN] = 1,
                                       [ACTION_CHOOSE] = 1,
                                       [ACTION_LEFT] = -1,
                                       [ACTION_UP] = -1,
                                       [ACTION_EARLIER] = -1,
                                       [ACTION_WHEEL_UP] = -1,
                                       [ACTION_PAGE_DOWN] = 10,
                                       [ACTION_PAGE_UP] = -10,
                                       [ACTION_FIRST] = -PGN_PLIES_MAX,
                                       [ACTION_LAST] = PGN_PLIES_MAX};

    return plies[action];
}

bool record_view_take(struct record_view *view, enum action action)
{
    if (action == ACTION_FLIP)
        view->flip = !view->flip;
    else if (action == ACTION_OVERLAY)
        view->overlay = !view->overlay;
    else if (plies_of(action) != 0)
        record_view_go(view, view->ply + plies_of(action));
    else
        return false;
    return true;
}

void record_view_paint(const struct record_view *view, const struct theme *theme,
                       struct board_view *board, int rows, int columns)
{
    struct marks marks = {.by_side = false};

    board->flip = view->flip;
    if (view->special != NULL && view->special->mark != NULL)
        view->special->mark(&view->scene, view->overlay, &marks);
    board_view_fit(board, &view->scene.board, rows, columns);
    board_view_paint(board, &(struct board_paint){.theme = theme,
                                                  .scene = &view->scene,
                                                  .special = view->special,
                                                  .marks = &marks});
}
