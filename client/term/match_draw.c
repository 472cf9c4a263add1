#include "match_draw.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "client/model/match_words.h"
#include "client/model/scene.h"
#include "common/position_text.h"

static enum ink ink_of(char piece)
{
    if (!isalpha((unsigned char)piece))
        return INK_FAINT;
    return isupper((unsigned char)piece) ? INK_WHITE : INK_BLACK;
}

/* Colours one rank of the drawing of board_text.h: a margin of four letters, then a space and a
 * letter for each file. marked[file] says which squares to mark. */
static void draw_row(struct console *console, const char *row, int width, const bool *marked,
                     bool flip)
{
    char margin[5];

    snprintf(margin, sizeof margin, "%.4s", row);
    console_text(console, margin);
    for (int i = 0; i < width; i++) {
        char piece = row[4 + 2 * i + 1];
        console_text(console, " ");
        console_letter(console, piece, ink_of(piece), marked[flip ? width - 1 - i : i]);
    }
    console_text(console, "\n");
}

static void draw_board(struct console *console, const struct match_state *view, bool flip)
{
    char text[BOARD_TEXT_MAX];
    const char *line = text;
    bool marked[BOARD_SQUARES_MAX];
    int width = view->board.width, height = view->board.height;

    scene_mark_move(view->last, width, height, marked);
    board_text(&view->board, flip, text);
    for (int i = 0; i < height; i++) {
        int rank = flip ? i : height - 1 - i;
        draw_row(console, line, width, marked + rank * width, flip);
        line = strchr(line, '\n') + 1;
    }
    console_text(console, line);
}

static void seat_label(const struct match_seat *seat, char *label, size_t size)
{
    if (seat->name[0] == '\0')
        snprintf(label, size, "nobody yet");
    else
        snprintf(label, size, "%s%s%s", seat->name, seat->mine ? " (you)" : "",
                 seat->seated && !seat->online ? " (away)" : "");
}

static void draw_heading(struct console *console, const struct match_state *view)
{
    char label[GAME_LABEL_MAX], white[PLAYER_NAME_MAX + 16], black[PLAYER_NAME_MAX + 16];

    seat_label(&view->seats[WHITE], white, sizeof white);
    seat_label(&view->seats[BLACK], black, sizeof black);
    console_say(console, "\n%s, match %s: white %s, black %s",
                game_label(view->game, view->variant, label), view->match, white, black);
}

/* A position of Xadrersi has the pieces in hand in brackets, white's capitals first. A Q behind
 * them says that the side to move must place its queen. */
static void draw_hands(struct console *console, const struct match_state *view)
{
    const char *open = strchr(view->position, '['), *close, *black;

    if (open == NULL || (close = strchr(open, ']')) == NULL)
        return;
    for (black = open + 1; black < close && isupper((unsigned char)*black);)
        black++;
    int whites = (int)(black - open) - 1, blacks = (int)(close - black);
    console_say(console, "In hand: white %.*s, black %.*s", whites > 0 ? whites : 1,
                whites > 0 ? open + 1 : "-", blacks > 0 ? blacks : 1, blacks > 0 ? black : "-");
    if (strstr(close, " Q ") != NULL)
        console_say(console, "The queen is called: %s places it now", color_name(view->turn));
}

static void draw_turn(struct console *console, const struct match_state *view)
{
    const char *check = view->check ? ", in check" : "";
    enum color mine;

    if (match_state_my_color(view, &mine) && mine == view->turn)
        console_say(console, "%s to move%s: it is your turn", color_title(view->turn), check);
    else
        console_say(console, "%s to move%s", color_title(view->turn), check);
}

void draw_match(struct console *console, const struct match_state *view, bool turned,
                int64_t now_ms)
{
    char clocks[CLOCK_LINE_MAX];
    enum color mine;
    bool from_black = match_state_my_color(view, &mine) && mine == BLACK;

    draw_heading(console, view);
    draw_board(console, view, from_black != turned);
    if (view->last[0] != '\0')
        console_say(console, "Last move: %s by %s (ply %d)", view->last, color_name(!view->turn),
                    view->ply);
    if (view->has_score)
        console_say(console, "Score: white %d, black %d", view->score[WHITE], view->score[BLACK]);
    draw_hands(console, view);
    if (view->clock.known) {
        clock_line(&view->clock, now_ms, clocks);
        console_say(console, "Clocks: %s", clocks);
    }
    if (view->status == STATE_PLAYING)
        draw_turn(console, view);
    if (view->status == STATE_OVER)
        draw_result(console, view);
}

void draw_result(struct console *console, const struct match_state *view)
{
    char line[RESULT_LINE_MAX];

    console_say(console, "Result: %s (%s)", view->result, view->reason);
    result_line(view, line);
    console_say(console, "%s", line);
}
