/* QR codes: what is printed is what was made, black on white in either way. */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "common/qr_code.h"

static const char page[] = "http://192.168.100.100:7117/#code=abcdefgh";

/* Returns whether the square of 7 modules at a corner is there, by which readers find a code. */
static bool has_finder(const struct qr_code *code, int top, int left)
{
    for (int y = -1; y <= 7; y++)
        for (int x = -1; x <= 7; x++) {
            int out_y = abs(y - 3), out_x = abs(x - 3), ring = out_y > out_x ? out_y : out_x;
            if (qr_code_is_dark(code, top + y, left + x) != (ring == 3 || ring <= 1))
                return false;
        }
    return true;
}

static void test_made(void)
{
    static char longest[272], longer[273];
    struct qr_code code;

    CHECK(qr_code_make(&code, page));
    CHECK_INT(code.width, 29);
    CHECK(has_finder(&code, 0, 0) && has_finder(&code, 0, 22) && has_finder(&code, 22, 0));
    CHECK(!has_finder(&code, 22, 22));
    memset(longest, 'x', sizeof longest - 1);
    memset(longer, 'x', sizeof longer - 1);
    CHECK(qr_code_make(&code, longest));
    CHECK_INT(code.width, QR_MODULES_MAX);
    CHECK(!qr_code_make(&code, longer));
}

static char *print(const struct qr_code *code, bool utf8)
{
    char *text = NULL;
    size_t length;
    FILE *file = open_memstream(&text, &length);

    qr_code_print(code, file, utf8);
    fclose(file);
    return text;
}

/* Requires a text next, and passes over it. */
static bool take(const char **text, const char *want)
{
    bool there = strncmp(*text, want, strlen(want)) == 0;

    *text += there ? strlen(want) : 0;
    return there;
}

static void test_blocks(const struct qr_code *code)
{
    static const char *const blocks[] = {" ", "▄", "▀", "█"};
    char *printed = print(code, true);
    const char *text = printed;

    for (int y = -QR_MARGIN; y < code->width + QR_MARGIN; y += 2) {
        check_about("blocks, row %d", y);
        CHECK(take(&text, "\x1b[38;5;16;48;5;231m"));
        for (int x = -QR_MARGIN; x < code->width + QR_MARGIN; x++)
            CHECK(take(&text,
                       blocks[qr_code_is_dark(code, y, x) * 2 + qr_code_is_dark(code, y + 1, x)]));
        CHECK(take(&text, "\x1b[0m\n"));
    }
    CHECK_TEXT(text, "");
    free(printed);
}

static void test_spaces(const struct qr_code *code)
{
    char *printed = print(code, false);
    const char *text = printed;

    for (int y = -QR_MARGIN; y < code->width + QR_MARGIN; y++) {
        check_about("spaces, row %d", y);
        for (int x = -QR_MARGIN; x < code->width + QR_MARGIN; x++)
            CHECK(
                take(&text, qr_code_is_dark(code, y, x) ? "\x1b[48;5;16m  " : "\x1b[48;5;231m  "));
        CHECK(take(&text, "\x1b[0m\n"));
    }
    CHECK_TEXT(text, "");
    free(printed);
}

int main(void)
{
    struct qr_code code;

    test_made();
    qr_code_make(&code, page);
    test_blocks(&code);
    test_spaces(&code);
    return check_end("test_qr_code");
}
