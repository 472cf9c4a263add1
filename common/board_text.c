#include "board_text.h"

#include <stdio.h>
#include <string.h>

void board_text(const char *const rows[], int height, bool flip, char text[BOARD_TEXT_MAX])
{
    int width = (int)strlen(rows[0]);
    size_t length = 0;

    for (int i = 0; i < height; i++) {
        int row = flip ? height - 1 - i : i;
        length += (size_t)snprintf(text + length, BOARD_TEXT_MAX - length, " %2d ", height - row);
        for (int j = 0; j < width; j++)
            length += (size_t)snprintf(text + length, BOARD_TEXT_MAX - length, " %c",
                                       rows[row][flip ? width - 1 - j : j]);
        length += (size_t)snprintf(text + length, BOARD_TEXT_MAX - length, "\n");
    }
    length += (size_t)snprintf(text + length, BOARD_TEXT_MAX - length, "    ");
    for (int j = 0; j < width; j++)
        length += (size_t)snprintf(text + length, BOARD_TEXT_MAX - length, " %c",
                                   'a' + (flip ? width - 1 - j : j));
    snprintf(text + length, BOARD_TEXT_MAX - length, "\n");
}
