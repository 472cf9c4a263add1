#include "special.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static int bytes_of(const char *symbol)
{
    int bytes = 1;

    while (((unsigned char)symbol[bytes] & 0xc0) == 0x80)
        bytes++;
    return bytes;
}

const char *special_symbol(const struct special *special, char piece, int *bytes)
{
    const char *at = special != NULL ? special->symbols : "";

    while (*at != '\0') {
        *bytes = bytes_of(at + 1);
        if (*at == piece)
            return at + 1;
        at += 1 + *bytes;
    }
    return NULL;
}

char special_piece(const struct special *special, enum color color)
{
    const char *at = special != NULL ? special->symbols : "";
    enum color side;

    while (*at != '\0' && !(scene_piece(*at, &side) && side == color))
        at += 1 + bytes_of(at + 1);
    return *at;
}

int special_neighbours(const struct board *board, int square, int squares[4])
{
    int file = square % board->width, rank = square / board->width, count = 0;

    if (file > 0)
        squares[count++] = square - 1;
    if (file < board->width - 1)
        squares[count++] = square + 1;
    if (rank > 0)
        squares[count++] = square - board->width;
    if (rank < board->height - 1)
        squares[count++] = square + board->width;
    return count;
}

void special_say(struct lines *lines, const char *format, ...)
{
    char text[128];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    lines_add(lines, text);
}
