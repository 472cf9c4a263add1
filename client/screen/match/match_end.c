#include "match_end.h"

#include <stdio.h>
#include <string.h>

static const struct choice {
    enum action action;
    const char *text;
} choices[] = {
    {ACTION_REMATCH, "Rematch"},
    {ACTION_REVIEW, "Review"},
    {ACTION_SAVE, "Save"},
    {ACTION_BACK, "Menu"},
};

enum { CHOICES = sizeof choices / sizeof choices[0], BUTTON_WIDTH = 10, BOX_WIDTH = 24 };

bool match_end_is_shown(const struct match_part *part)
{
    const struct match_state *view = &part->stage->client->view;

    return view->known && view->status == STATE_OVER && part->edit.text[0] == '\0';
}

/* The first choice: watchers have no rematch. */
static int first_choice(const struct match_part *part)
{
    return match_state_seated(&part->stage->client->view) ? 0 : 1;
}

/* Moves by a step, around the ends. */
static void move_by(struct match_part *part, int step)
{
    int first = first_choice(part), count = CHOICES - first;

    part->end.at = first + (part->end.at - first + step + count) % count;
}

static void paint_row(const struct match_part *part, const struct area *area)
{
    attr_t ink = theme_text(&part->stage->theme);

    for (int i = first_choice(part); i < CHOICES; i++)
        paint_format(area->y, area->x + i * BUTTON_WIDTH, BUTTON_WIDTH,
                     i == part->end.at ? ink | A_REVERSE : ink, i == part->end.at ? "[%s]" : " %s ",
                     choices[i].text);
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

static void paint_box(const struct match_part *part)
{
    static const char *const ascii[3][3] = {{"+", "-", "+"}, {"|", " ", "|"}, {"+", "-", "+"}};
    static const char *const lines[3][3] = {{"┌", "─", "┐"}, {"│", " ", "│"}, {"└", "─", "┘"}};
    const struct theme *theme = &part->stage->theme;
    const char *const(*frame)[3] = theme->unicode ? lines : ascii;
    int y = part->end.area.y;

    paint_edge(part, y, frame[0]);
    for (int i = first_choice(part); i < CHOICES; i++) {
        bool chosen = i == part->end.at;
        paint_edge(part, ++y, frame[1]);
        paint_format(y, part->end.area.x + 1, BOX_WIDTH - 2,
                     chosen ? theme_text(theme) | A_REVERSE : theme_text(theme), "%c %-13s %5s ",
                     chosen ? '>' : ' ', choices[i].text, key_rows[choices[i].action].label);
    }
    paint_edge(part, y + 1, frame[2]);
}

void match_end_paint(struct match_part *part, const struct area *area)
{
    bool box = area->height > 1;

    if (part->end.at < first_choice(part))
        part->end.at = first_choice(part);
    part->end.area = *area;
    if (box) {
        part->end.area.height = END_BOX_ROWS - first_choice(part);
        part->end.area.y = area->y + area->height - part->end.area.height;
        paint_box(part);
    } else {
        paint_row(part, area);
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

static int step_of(enum action action)
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
    int step = step_of(press.action);
    int clicked = press.action == ACTION_CLICK ? choice_at(part) : -1;

    *chosen = ACTION_NONE;
    if (!match_end_is_shown(part) || part->end.area.height == 0 || part->looks_back)
        return false;
    if (step != 0)
        move_by(part, step);
    else if (press.action == ACTION_CHOOSE)
        *chosen = choices[part->end.at].action;
    else if (clicked >= 0)
        *chosen = choices[clicked].action;
    else
        return false;
    return true;
}
