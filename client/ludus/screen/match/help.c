#include "help.h"

#include <stdio.h>
#include <string.h>

#include "client/ludus/learn/lesson.h"
#include "client/ludus/screen/board/board_view.h"
#include "client/ludus/screen/stage/dialog.h"
#include "client/ludus/screen/stage/paint.h"
#include "client/ludus/term/wrap.h"
#include "commands.h"

enum { LINE_MAX_BYTES = 240, NAMES_WIDTH = 17 };

static const char marks_text[] =
    N_("Marks on the board: [ ] cursor, { } chosen, ( ) last move, o where it can go, x where that "
       "takes something, > < what it can take, ? hint, = premove. Capital letters are White's.");

/* The blanks behind the names of keys, so that their column has its width. */
static int name_room(const char *name)
{
    int room = NAMES_WIDTH - wrap_columns(name, strlen(name));

    return room > 0 ? room : 0;
}

/* Adds the keys of a place, and notes the action of each line. */
static void add_keys(const struct stage *stage, struct lines *lines, enum action actions[ACTIONS])
{
    const struct match_state *view = &stage->client->view;
    const struct guide *guide = guide_of(game_find(view->game, strlen(view->game)));
    unsigned place = stage->top->place;
    char line[LINE_MAX_BYTES], help[LINE_MAX_BYTES - 24];

    for (enum action action = ACTION_BACK; action < ACTIONS; action++) {
        const struct key_row *row = &key_rows[action];
        if (row->name == NULL || (row->places & place) == 0)
            continue;
        const char *name = keys_name(action, place);
        if (action == ACTION_OVERLAY && place == IN_MATCH && guide != NULL)
            snprintf(help, sizeof help, _("mark %s, on/off"), _(guide->overlay));
        else
            snprintf(help, sizeof help, "%s", _(row->help));
        snprintf(line, sizeof line, "%s%*s %s", name, name_room(name), "", help);
        actions[lines->count] = action;
        lines_add(lines, line);
    }
    lines_add(lines, _("Ctrl-C twice      end the program"));
}

static void add_commands(struct stage *stage, struct lines *lines)
{
    const struct match_state *view = &stage->client->view;

    lines_add(lines, "");
    lines_add(lines, _(marks_text));
    board_view_add_legend(&stage->theme, guide_of(game_find(view->game, strlen(view->game))),
                          &view->board, lines);
    lines_add(lines, "");
    lines_add(lines, _("Moves and commands can be typed, too:"));
    stage_begin_page(stage);
    player_command_run(stage->client, "help");
    stage->paging = false;
    for (int i = 0; i < stage->page.count; i++)
        lines_add(lines, stage->page.texts[i]);
}

void help_keys(struct stage *stage)
{
    struct lines *lines = &(struct lines){.count = 0};
    enum action actions[ACTIONS] = {ACTION_NONE};

    add_keys(stage, lines, actions);
    if (stage->top->place == IN_MATCH)
        add_commands(stage, lines);
    if ((stage->top->place & (IN_LEARN | IN_ANALYSIS)) != 0) {
        lines_add(lines, "");
        lines_add(lines, _("Letters are text here: type a move, such as b2b3, Q@d4 or pass."));
    }
    if (stage->top->place == IN_ANALYSIS)
        lines_add(lines, _("Type or paste a position to begin with it."));
    if (stage->top->place == IN_EDITOR) {
        lines_add(lines, "");
        lines_add(lines,
                  _("Letters put a piece on the square of the cursor, capitals White's; Space or "
                    "Delete empties it. Tab gives the move to the other side."));
    }
    int clicked = page_click(stage, _("Keys"), lines);
    lines_clear(lines);
    enum action action = clicked >= 0 && clicked < ACTIONS ? actions[clicked] : ACTION_NONE;
    if (action != ACTION_NONE && action != ACTION_CLICK &&
        (action != ACTION_YES || stage->top->asks)) /* the press of its key */
        keyboard_add(
            &stage->keyboard,
            key_rows[keys_named(action, stage->top->place, stage->keyboard.mouse_x - 1)].keys[0]);
}

static bool is_square(char letter)
{
    enum color color;

    return letter == '.' || letter == '*' || scene_piece(letter, &color);
}

/* Paints a letter of a row of squares: pieces, holes and the ground as on the board. */
static void paint_square(const struct piece_view *view, bool square, int y, int x)
{
    const struct theme *theme = view->theme;
    enum color color;

    if (scene_piece(view->piece, &color))
        piece_view_paint(view, y, x);
    else if (view->piece == '*')
        paint_text(y, x, 1, theme_ink(theme, OF_FAINT, GROUND_HOLE), theme->unicode ? "▓" : "#");
    else
        paint_format(y, x, 1, theme_ink(theme, OF_TEXT, square ? GROUND_LIGHT : GROUND_NONE), "%c",
                     view->piece);
}

static void paint_squares(const struct stage *stage, const void *context, int y, int x,
                          const char *line)
{
    for (int i = 1; line[i] != '\0'; i++) {
        bool between = line[i] == ' ' && is_square(line[i - 1]) && is_square(line[i + 1]);
        const struct piece_view view = {&stage->theme, context, line[i], GROUND_LIGHT};
        paint_square(&view, between || is_square(line[i]), y, x + i - 1);
    }
}

/* Returns the length of a task without its last sentence, which is an exercise: beside the rules
 * there is nothing to do. */
static int rule_length(const char *task)
{
    size_t length = strlen(task);

    for (size_t end = length; end > 2; end--)
        if (task[end - 2] == '.' && task[end - 1] == ' ')
            return (int)end - 1;
    return (int)length;
}

/* Adds the lessons that have pictures. */
static void add_pictures(const struct game *game, struct lines *lines)
{
    char text[PICTURE_MAX], line[LINE_BYTES_MAX];

    for (int i = 0; i < game->lesson_count; i++) {
        const struct lesson *lesson = &game->lessons[i];
        if (lesson->frame == NULL)
            continue;
        const char *task = _(lesson->task);
        snprintf(line, sizeof line, "%s: %.*s", _(lesson->title), rule_length(task), task);
        lines_add(lines, line);
        lines_add(lines, "");
        lesson_picture(game, i, text);
        lines_write(lines, text);
        lines_add(lines, "");
        lines_add(lines, _(lesson->done));
        lines_add(lines, "");
    }
}

/* Adds what stands on the board, with its symbols. */
static void add_symbols(const struct stage *stage, const struct game *game, struct lines *lines)
{
    char line[LINE_MAX_BYTES];

    for (const struct symbol *symbol = game->symbols; symbol != NULL && symbol->letter != '\0';
         symbol++) {
        const struct look *look =
            stage->theme.symbols ? guide_look(guide_of(game), symbol->letter) : NULL;
        const char letter[] = {symbol->letter, '\0'};
        const char *shown = symbol->letter == '*' && stage->theme.unicode ? "▓"
                            : symbol->letter == '*'                       ? "#"
                            : look != NULL                                ? look->symbol
                                                                          : letter;
        snprintf(line, sizeof line, "%s  %s: %s.", shown, _(symbol->name), _(symbol->does));
        lines_add(lines, line);
    }
    if (game->symbols != NULL)
        lines_add(lines, "");
}

void help_rules(struct stage *stage, const struct game *game)
{
    struct lines *lines = &(struct lines){.count = 0};
    char title[64];

    for (int i = 0; game->rules[i] != NULL; i++) {
        lines_add(lines, _(game->rules[i]));
        lines_add(lines, "");
    }
    add_symbols(stage, game, lines);
    add_pictures(game, lines);
    snprintf(title, sizeof title, _("The rules of %s"), _(game->title));
    page_show_pictures(stage, title, lines,
                       &(struct page_pictures){PICTURE_MARK, paint_squares, guide_of(game)});
    lines_clear(lines);
}

void help_all_rules(struct stage *stage)
{
    struct pick pick = {.title = _("The rules of which game?")};
    int at;

    for (int i = 0; games[i] != NULL; i++)
        pick_add(&pick, "%s", _(games[i]->title));
    while ((at = pick_run(stage, &pick)) >= 0)
        help_rules(stage, games[at]);
}

void help_game(struct stage *stage, const struct game *game)
{
    if (game != NULL)
        help_rules(stage, game);
    else
        help_all_rules(stage);
}
