#include "match_picture.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "move.h"

enum {
    SQUARE = 100, /* in units of a picture, as the rest of these */
    MARGIN = 60,
    HEADING = 80,
    TITLE_SIZE = 28,
    RADIUS = 38
};

static const char *name_or_nobody(const char *name)
{
    return name != NULL ? name : "?";
}

void match_picture_title(const struct match_picture *picture, char title[MATCH_TITLE_MAX])
{
    enum result result = picture->outcome.result;
    const char *reason = reason_text(picture->outcome.reason);
    char variant[VARIANT_NAME_MAX], moves[48];

    picture->game->variant_name(&picture->position, variant);
    if (picture->ply < picture->plies)
        snprintf(moves, sizeof moves, "after %d of %d moves", picture->ply, picture->plies);
    else
        snprintf(moves, sizeof moves, "%d %s", picture->plies,
                 picture->plies == 1 ? "move" : "moves");
    snprintf(title, MATCH_TITLE_MAX, "%s %s: %s - %s, %s%s%s%s, %s", picture->game->title, variant,
             name_or_nobody(picture->names[WHITE]), name_or_nobody(picture->names[BLACK]),
             result != RESULT_NONE ? result_text(result) : "not over yet",
             reason != NULL ? " (" : "", reason != NULL ? reason : "", reason != NULL ? ")" : "",
             moves);
}

void match_picture_squares(const struct match_picture *picture,
                           struct picture_square squares[BOARD_SQUARES_MAX], int *width,
                           int *height)
{
    struct board board;
    bool last[BOARD_SQUARES_MAX];

    picture->game->board(&picture->position, &board);
    move_mark_squares(picture->last, board.width, board.height, last);
    int count = board.width * board.height;
    for (int i = 0; i < count; i++) {
        unsigned char cell = (unsigned char)board.cell[i];
        squares[i] = (struct picture_square){
            .ground = cell == '*'                                    ? SQUARE_NONE
                      : last[i]                                      ? SQUARE_LAST
                      : (i % board.width + i / board.width) % 2 == 0 ? SQUARE_DARK
                                                                     : SQUARE_LIGHT,
            .piece = (char)(isalpha(cell) ? toupper(cell) : 0),
            .color = isupper(cell) ? WHITE : BLACK};
    }
    *width = board.width;
    *height = board.height;
}

void markup_puts(struct buffer *markup, const char *text)
{
    for (; *text != '\0'; text++) {
        if (strchr("&<>\"'", *text) != NULL)
            buffer_printf(markup, "&#%d;", *text);
        else
            buffer_add(markup, text, 1);
    }
}

static void put_label(struct buffer *svg, int x, int y, int size, unsigned fill, const char *text)
{
    buffer_printf(svg,
                  "<text x=\"%d\" y=\"%d\" font-size=\"%d\" fill=\"#%06x\" text-anchor=\"middle\" "
                  "dominant-baseline=\"central\">",
                  x, y, size, fill);
    markup_puts(svg, text);
    buffer_puts(svg, "</text>\n");
}

static void put_square(struct buffer *svg, const struct picture_square *square, int x, int y)
{
    static const unsigned grounds[] = {
        [SQUARE_DARK] = PICTURE_DARK, [SQUARE_LIGHT] = PICTURE_LIGHT, [SQUARE_LAST] = PICTURE_LAST};
    char letter[2] = {square->piece};
    bool white = square->color == WHITE;

    if (square->ground != SQUARE_NONE)
        buffer_printf(svg, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"#%06x\"/>\n",
                      x, y, SQUARE, SQUARE, grounds[square->ground]);
    if (square->piece == 0)
        return;
    buffer_printf(svg,
                  "<circle cx=\"%d\" cy=\"%d\" r=\"%d\" fill=\"#%06x\" stroke=\"#%06x\" "
                  "stroke-width=\"4\"/>\n",
                  x + SQUARE / 2, y + SQUARE / 2, RADIUS,
                  white ? (unsigned)PICTURE_WHITE : (unsigned)PICTURE_BLACK,
                  white ? (unsigned)PICTURE_WHITE_EDGE : (unsigned)PICTURE_BLACK_EDGE);
    put_label(svg, x + SQUARE / 2, y + SQUARE / 2, RADIUS,
              white ? PICTURE_WHITE_EDGE : PICTURE_WHITE, letter);
}

static void put_coordinates(struct buffer *svg, int width, int height)
{
    char text[16];

    for (int file = 0; file < width; file++) {
        snprintf(text, sizeof text, "%c", 'a' + file);
        put_label(svg, MARGIN + file * SQUARE + SQUARE / 2, HEADING + height * SQUARE + MARGIN / 2,
                  MARGIN / 2, PICTURE_LIGHT, text);
    }
    for (int rank = 0; rank < height; rank++) {
        snprintf(text, sizeof text, "%d", rank + 1);
        put_label(svg, MARGIN / 2, HEADING + (height - 1 - rank) * SQUARE + SQUARE / 2, MARGIN / 2,
                  PICTURE_LIGHT, text);
    }
}

void match_picture_svg(const struct match_picture *picture, struct buffer *svg)
{
    struct picture_square squares[BOARD_SQUARES_MAX];
    char title[MATCH_TITLE_MAX];
    int files, ranks;

    match_picture_squares(picture, squares, &files, &ranks);
    match_picture_title(picture, title);
    int width = files * SQUARE + 2 * MARGIN, height = ranks * SQUARE + HEADING + MARGIN;
    buffer_printf(svg,
                  "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" "
                  "font-family=\"sans-serif\">\n"
                  "<title>",
                  width, height);
    markup_puts(svg, title);
    buffer_printf(svg,
                  "</title>\n<rect width=\"%d\" height=\"%d\" fill=\"#%06x\"/>\n"
                  "<text x=\"%d\" y=\"%d\" font-size=\"%d\" fill=\"#%06x\" "
                  "dominant-baseline=\"central\"",
                  width, height, PICTURE_FRAME, MARGIN, HEADING / 2, TITLE_SIZE, PICTURE_TITLE);
    if ((int)strlen(title) * TITLE_SIZE / 2 > width - 2 * MARGIN) /* about what it takes */
        buffer_printf(svg, " textLength=\"%d\" lengthAdjust=\"spacingAndGlyphs\"",
                      width - 2 * MARGIN);
    buffer_puts(svg, ">");
    markup_puts(svg, title);
    buffer_puts(svg, "</text>\n");
    for (int i = 0; i < files * ranks; i++)
        put_square(svg, &squares[i], MARGIN + i % files * SQUARE,
                   HEADING + (ranks - 1 - i / files) * SQUARE);
    put_coordinates(svg, files, ranks);
    buffer_puts(svg, "</svg>\n");
}
