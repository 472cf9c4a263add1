#include "qr_code.h"

#include <errno.h>
#include <qrencode.h>
#include <stdlib.h>
#include <string.h>

#include "xmalloc.h"

/* Black on white, whatever these are called in the terminal: numbers above 15 have fixed colours.
 */
static const char block_colors[] = "\x1b[38;5;16;48;5;231m", dark_color[] = "\x1b[48;5;16m",
                  light_color[] = "\x1b[48;5;231m", usual_colors[] = "\x1b[0m";

bool qr_code_make(struct qr_code *code, const char *text)
{
    QRcode *made = QRcode_encodeString8bit(text, 0, QR_ECLEVEL_L);

    if (made == NULL && errno == ENOMEM)
        xmalloc_end();
    if (made == NULL)
        return false;
    bool fits = made->width <= QR_MODULES_MAX;
    code->width = fits ? made->width : 0;
    for (int i = 0; i < code->width * code->width; i++)
        code->dark[i / code->width][i % code->width] = made->data[i] & 1;
    QRcode_free(made);
    return fits;
}

bool qr_code_is_dark(const struct qr_code *code, int y, int x)
{
    return y >= 0 && x >= 0 && y < code->width && x < code->width && code->dark[y][x];
}

static void print_blocks(const struct qr_code *code, FILE *file, int y)
{
    static const char *const blocks[] = {" ", "▄", "▀", "█"};

    fputs(block_colors, file);
    for (int x = -QR_MARGIN; x < code->width + QR_MARGIN; x++)
        fputs(blocks[qr_code_is_dark(code, y, x) * 2 + qr_code_is_dark(code, y + 1, x)], file);
}

void qr_code_print(const struct qr_code *code, FILE *file, bool utf8)
{
    for (int y = -QR_MARGIN; y < code->width + QR_MARGIN; y += utf8 ? 2 : 1) {
        if (utf8)
            print_blocks(code, file, y);
        else {
            for (int x = -QR_MARGIN; x < code->width + QR_MARGIN; x++)
                fprintf(file, "%s  ", qr_code_is_dark(code, y, x) ? dark_color : light_color);
        }
        fprintf(file, "%s\n", usual_colors);
    }
}
