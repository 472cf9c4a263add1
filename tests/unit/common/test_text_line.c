/* Lines of configuration files, and of engines. */
#include <stdio.h>

#include "check.h"
#include "common/text.h"

static const struct {
    const char *line, *name, *value; /* a name of NULL: it sets nothing */
} lines[] = {
    {"a = b\n", "a", "b"},
    {"  a=b c \t\r\n", "a", "b c"},
    {"a =\n", "a", ""},
    {"\n", NULL, NULL},
    {" # a = b\n", NULL, NULL},
    {"\xef\xbb\xbf"
     "a = b\n",
     "a", "b"},
    {"\xef\xbb\xbf# a\n", NULL, NULL},
    {"\xef\xbb\xbf\n", NULL, NULL},
    {"code = \"sesame\"\n", "code", "sesame"},
    {"code = 'open sesame'\n", "code", "open sesame"},
    {"code = \"\"\n", "code", ""},
    {"code = \"\n", "code", "\""},
    {"code = \"sesame'\n", "code", "\"sesame'"},
    {"code = \"it's\"\n", "code", "it's"},
    {"engine = 'a' 'b'\n", "engine", "'a' 'b'"},
    {"engine = host='/a b' dbname='c'\n", "engine", "host='/a b' dbname='c'"},
};

static void test_settings(void)
{
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        char line[80], *name, *value = NULL;
        struct cause cause;
        snprintf(line, sizeof line, "%s", lines[i].line);
        check_about("%s", lines[i].line);
        CHECK(text_line_setting(line, &name, &value, &cause));
        CHECK_TEXT(name, lines[i].name);
        if (lines[i].name != NULL)
            CHECK_TEXT(value, lines[i].value);
    }
}

static void test_squeezed(void)
{
    static const char *const texts[][2] = {{"", ""},
                                           {" ", ""},
                                           {"\t \r\n", ""},
                                           {"uciok ", "uciok"},
                                           {"\t uciok", "uciok"},
                                           {"bestmove\ta1b1", "bestmove a1b1"},
                                           {" a \t b\v\fc ", "a b c"},
                                           {"a b", "a b"}};

    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        char text[40];
        snprintf(text, sizeof text, "%s", texts[i][0]);
        check_about("'%s'", texts[i][0]);
        text_line_squeeze(text);
        CHECK_TEXT(text, texts[i][1]);
    }
}

static void test_no_setting(void)
{
    char line[] = "sesame\n", *name, *value;
    struct cause cause;

    check_about("no =");
    CHECK(!text_line_setting(line, &name, &value, &cause));
    CHECK_TEXT(cause.text, "'sesame': not a setting: write name = value");
}

int main(void)
{
    test_settings();
    test_no_setting();
    test_squeezed();
    return check_end("test_text_line");
}
