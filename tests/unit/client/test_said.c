/* The chat lines that the screen keeps for each match. */
#include <stdio.h>

#include "check.h"
#include "client/ludus/screen/stage/lines.h"

/* Returns the lines of a match as one text. */
static const char *text_of(const struct said *said, const char *match)
{
    static char text[256];
    struct lines lines = {.count = 0};
    int used = 0;

    text[0] = '\0';
    said_copy(said, match, &lines);
    for (int i = 0; i < lines.count && used < (int)sizeof text; i++)
        used += snprintf(text + used, sizeof text - (size_t)used, "%s|", lines.texts[i]);
    lines_clear(&lines);
    return text;
}

static void test_matches(void)
{
    static struct said said;

    check_about("two matches and the menu");
    said_add(&said, "8", "hello");
    said_add(&said, "", "no command");
    said_write(&said, "9", "No: ");
    CHECK_TEXT(text_of(&said, "9"), "");
    said_write(&said, "9", "a1 is empty\nand more\nbeg");
    said_write(&said, "8", "un\n");
    CHECK_TEXT(text_of(&said, "8"), "hello|begun|");
    CHECK_TEXT(text_of(&said, "9"), "No: a1 is empty|and more|");
    CHECK_TEXT(text_of(&said, ""), "no command|");
    CHECK_TEXT(text_of(&said, "1"), "");
    said_detach(&said);
    CHECK_TEXT(text_of(&said, "8"), "");
    said_add(&said, "8", "of another server");
    CHECK_TEXT(text_of(&said, "8"), "of another server|");
    lines_clear(&said.lines);
}

static void test_many(void)
{
    static struct said said;
    char line[16];

    check_about("more lines than are kept");
    for (int i = 0; i < LINES_MAX + 7; i++) {
        snprintf(line, sizeof line, "%d", i);
        said_add(&said, i % 100 == 6 || i % 100 == 7 ? "8" : "9", line);
    }
    CHECK_TEXT(text_of(&said, "8"), "7|106|107|206|207|306|307|406|407|506|");
    CHECK_INT(said.lines.count, LINES_MAX);
    lines_clear(&said.lines);
}

int main(void)
{
    test_matches();
    test_many();
    return check_end("test_said");
}
