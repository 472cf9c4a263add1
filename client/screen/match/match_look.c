#include "match_look.h"

#include "client/screen/stage/page.h"

enum { SCROLL_ROWS = 5 };

bool match_look_click(struct match_part *part)
{
    const struct keyboard *keyboard = &part->stage->keyboard;
    struct panel moves = match_part_moves(part);
    int ply = panel_ply_at(&part->moves, &moves, keyboard->mouse_y, keyboard->mouse_x);

    if (ply >= 0)
        match_part_show(part, ply);
    return ply >= 0;
}

void match_look_turn(struct match_part *part)
{
    part->stage->client->turned = !part->stage->client->turned;
}

static void scroll_moves(struct match_part *part, int rows)
{
    int pairs = (part->stage->played.count + 1) / 2;

    part->back += rows;
    if (part->back > pairs - 1)
        part->back = pairs - 1;
    if (part->back < 0)
        part->back = 0;
}

static void show_log(struct match_part *part)
{
    struct lines *lines = &(struct lines){.count = 0};

    said_copy(&part->stage->log, part->stage->client->view.match, lines);
    page_show(part->stage, "What was said", lines);
    lines_clear(lines);
}

bool match_look_take(struct match_part *part, enum action action)
{
    switch (action) {
    case ACTION_FLIP:
        match_look_turn(part);
        return true;
    case ACTION_OVERLAY:
        part->overlay = !part->overlay;
        return true;
    case ACTION_LOG:
        show_log(part);
        return true;
    case ACTION_FIRST:
        match_part_show(part, 0);
        return true;
    case ACTION_LAST:
        part->looks_back = false;
        return true;
    case ACTION_EARLIER:
    case ACTION_LATER:
        match_part_step(part, action == ACTION_LATER ? 1 : -1);
        return true;
    case ACTION_PAGE_UP:
    case ACTION_PAGE_DOWN:
        scroll_moves(part, action == ACTION_PAGE_UP ? SCROLL_ROWS : -SCROLL_ROWS);
        return true;
    case ACTION_WHEEL_UP:
    case ACTION_WHEEL_DOWN:
        scroll_moves(part, action == ACTION_WHEEL_UP ? 1 : -1);
        return true;
    default:
        return false;
    }
}
