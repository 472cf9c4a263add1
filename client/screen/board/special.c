#include "special.h"

#include <stdarg.h>
#include <stdio.h>

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

const int special_steps[8][2] = {{1, 0}, {-1, 0}, {0, 1},  {0, -1},
                                 {1, 1}, {1, -1}, {-1, 1}, {-1, -1}};

bool special_step(const struct board *board, int *square, const int step[2])
{
    int file = *square % board->width + step[0], rank = *square / board->width + step[1];

    if (file < 0 || file >= board->width || rank < 0 || rank >= board->height)
        return false;
    *square = rank * board->width + file;
    return true;
}

int special_neighbours(const struct board *board, int square, int squares[4])
{
    int count = 0;

    for (int i = 0; i < 4; i++) {
        squares[count] = square;
        count += special_step(board, &squares[count], special_steps[i]);
    }
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
