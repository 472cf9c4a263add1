#include "help.h"

#include <stdio.h>
#include <string.h>

#include "client/play/player_command.h"
#include "client/screen/stage/page.h"
#include "client/screen/stage/pick.h"
#include "common/position_text.h"

static const char keys_text[] =
    "Arrows       move the cursor over the board\n"
    "Enter        choose a piece, then where it goes\n"
    "Tab          another piece, where pieces are placed\n"
    "mouse        click on a square; the wheel scrolls the moves\n"
    "b2b3 Enter   a move can be typed as well\n"
    "?            hint: what a bot would play\n"
    "Esc          drop the piece; go back to the menu\n"
    "y, n         answer the question in the bottom lines\n"
    "\n"
    "Ctrl-F       turn the board\n"
    "Ctrl-O       attacks, locked soldiers, groups: on or off\n"
    "Ctrl-T       other colours\n"
    "Ctrl-P       pieces as letters or symbols\n"
    "Ctrl-B       a bell when it is your turn: on or off\n"
    "< >          look back and forward, a move at a time\n"
    "Home, End    look at the start, return to the present\n"
    "PgUp, PgDn   scroll the moves\n"
    "Ctrl-G       all messages of this match\n"
    "\n"
    "Ctrl-U       ask to take back your last move\n"
    "Ctrl-D       offer a draw\n"
    "Ctrl-R       resign\n"
    "Ctrl-N       after the end: play again, colours swapped\n"
    "Ctrl-C twice ends the program\n"
    "\n"
    "Marks: [ ] cursor, { } chosen, ( ) last move, o where it can go, x where that takes "
    "something, > < what it can take, ? hint. Capital letters are white's.\n"
    "\n"
    "Commands that can be typed:\n";

void help_keys(struct stage *stage)
{
    struct lines *lines = &(struct lines){.count = 0};

    lines_write(lines, keys_text);
    stage_begin_page(stage);
    player_command_run(stage->client, "help");
    stage->paging = false;
    for (int i = 0; i < stage->page.count; i++)
        lines_add(lines, stage->page.texts[i]);
    page_show(stage, "Keys and commands", lines);
    lines_clear(lines);
}

static void write_board(const struct special *special, struct lines *lines)
{
    char text[BOARD_TEXT_MAX];
    struct position position;
    struct board board;
    struct cause cause;

    if (!special->game->parse(NULL, special->example, &position, &cause))
        return;
    special->game->board(&position, &board);
    board_text(&board, false, text);
    lines_write(lines, text);
}

void help_rules(struct stage *stage, const struct special *special)
{
    struct lines *lines = &(struct lines){.count = 0};
    char title[64];

    for (int i = 0; special->rules[i] != NULL; i++) {
        lines_add(lines, special->rules[i]);
        lines_add(lines, "");
    }
    write_board(special, lines);
    lines_add(lines, "");
    lines_add(lines, special->example_text);
    snprintf(title, sizeof title, "The rules of %s", special->game->title);
    page_show(stage, title, lines);
    lines_clear(lines);
}

void help_all_rules(struct stage *stage)
{
    struct pick pick = {.title = "The rules of which game?"};
    int at;

    for (int i = 0; games[i] != NULL; i++)
        pick_add(&pick, "%s", games[i]->title);
    while ((at = pick_run(stage, &pick)) >= 0)
        if (special_find(games[at]) != NULL)
            help_rules(stage, special_find(games[at]));
}
