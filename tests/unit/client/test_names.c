/* The names by which players are shown: in which locales, how they are cut, what the server has
 * told. */
#include <locale.h>
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "client/ludus/talk/match_words.h"
#include "client/ludus/term/names.h"
#include "client/ludus/term/wrap.h"

#define WIDE_8  "田中田中田中田中"
#define WIDE_32 WIDE_8 WIDE_8 WIDE_8 WIDE_8

static void begin_locale(const char *locale)
{
    check_about("in %s", locale);
    CHECK(setlocale(LC_CTYPE, locale) != NULL);
}

static void learn(struct names *names, const char *text)
{
    cJSON *message = cJSON_Parse(text);

    CHECK(message != NULL);
    names_learn(names, message);
    cJSON_Delete(message);
}

static const char *cut(const char *text, int width, size_t size)
{
    static char copy[256];

    memset(copy, '!', sizeof copy);
    return wrap_cut(text, width, copy, size);
}

static void test_cut(void)
{
    begin_locale("C.UTF-8");
    CHECK_TEXT(cut("anna", 4, 64), "anna");
    CHECK_TEXT(cut("annas", 4, 64), "ann~");
    CHECK_TEXT(cut("Jo\u00e3o", 4, 64), "Jo\u00e3o");
    CHECK_TEXT(cut("Jo\u00e3os", 4, 64), "Jo\u00e3~");
    CHECK_TEXT(cut("田中田", 6, 64), "田中田");
    CHECK_TEXT(cut("田中田", 5, 64), "田中~");
    CHECK_TEXT(cut("田中田", 4, 64), "田~"); /* three columns: half a letter would not fit */
    CHECK_TEXT(cut("田中田", 1, 64), "~");
    CHECK_TEXT(cut("ab\u0301\u0323cd", 4, 64), "ab\u0301\u0323cd"); /* marks take no column ... */
    CHECK_TEXT(cut("ab\u0301\u0323cd", 3, 64), "ab\u0301\u0323~");  /* and stay with their letter */
    CHECK_TEXT(cut("ab\u0301\u0323cd", 2, 64), "a~");
    check_about("no more bytes than there is room for");
    CHECK_TEXT(cut("annas", 9, 6), "annas");
    CHECK_TEXT(cut("annas", 9, 5), "ann~");
    CHECK_TEXT(cut("a田", 9, 5), "a田");
    CHECK_TEXT(cut("a田", 9, 4), "a~");
    CHECK_TEXT(cut("ab\u0301\u0323cd", 9, 8), "ab\u0301\u0323~");
    CHECK_TEXT(cut("ab\u0301\u0323cd", 9, 7), "a~");
    CHECK_TEXT(cut("ab", 9, 2), "~");
    begin_locale("C"); /* which knows no other letter, but keeps each whole */
    CHECK_TEXT(cut("田中田", 3, 64), "田中田");
    CHECK_TEXT(cut("田中田", 2, 64), "田~");
    CHECK_TEXT(cut("a\xf2\x91\x91\x91z", 2, 64), "a~");
}

static void test_shown(void)
{
    begin_locale("C.UTF-8");
    CHECK_TEXT(name_shown("joao", ""), "joao");
    CHECK_TEXT(name_shown("joao", "Jo\u00e3o"), "Jo\u00e3o");
    CHECK_TEXT(name_shown("taro", "田中"), "田中");
    CHECK_TEXT(name_shown("david", "\u05d3\u05d5\u05d3"), "david"); /* from right to left */
    CHECK_TEXT(name_shown("eve", "a\u202eb"), "eve");
    CHECK_TEXT(name_shown("eve", "a\x1b[2J"), "eve");
    CHECK_TEXT(name_shown("eve", "a\xe7"), "eve");
    CHECK_TEXT(name_shown("eve", "\u0301"), "eve");
    begin_locale("C");
    CHECK_TEXT(name_shown("joao", "Jo\u00e3o"), "joao");
    CHECK_TEXT(name_shown("taro", "田中"), "taro");
    CHECK_TEXT(name_shown("joe", "Joe Smith"), "Joe Smith");
}

static void test_told(void)
{
    static struct names names;
    cJSON *row =
        cJSON_Parse("{\"name\":\"taro\",\"white\":\"taro\",\"black\":\"joao\",\"from\":\"joao\","
                    "\"white_display\":\"太郎\",\"director\":null}");

    begin_locale("C.UTF-8");
    check_about("what each message tells");
    CHECK_TEXT(names_shown(&names, "joao"), "joao");
    learn(&names, "{\"type\":\"state\",\"players\":{\"white\":{\"name\":\"joao\",\"display\":"
                  "\"Jo\u00e3o\"},\"black\":null}}");
    CHECK_TEXT(names_shown(&names, "joao"), "Jo\u00e3o");
    learn(&names, "{\"type\":\"who\",\"players\":[{\"name\":\"taro\",\"display\":\"田中\"},{"
                  "\"name\":\"anna\"}]}");
    CHECK_TEXT(names_shown(&names, "taro"), "田中");
    CHECK_TEXT(names_shown(&names, "anna"), "anna");
    CHECK_TEXT(names_shown(&names, "joao"), "Jo\u00e3o");
    check_about("a row that has it itself, one that has not, and what is no player");
    CHECK_TEXT(names_shown_of(&names, row, "white"), "太郎");
    CHECK_TEXT(names_shown_of(&names, row, "black"), "Jo\u00e3o");
    CHECK_TEXT(names_shown_of(&names, row, "from"), "Jo\u00e3o");
    CHECK_TEXT(names_shown_of(&names, row, "name"), "taro");
    CHECK(names_shown_of(&names, row, "director") == NULL);
    CHECK(names_shown_of(&names, NULL, "white") == NULL);
    check_about("new ones, and none any more");
    learn(&names, "{\"type\":\"list\",\"matches\":[{\"white\":\"joao\",\"black\":\"taro\",\"black_"
                  "display\":\"太郎\"}]}");
    CHECK_TEXT(names_shown(&names, "joao"), "joao");
    CHECK_TEXT(names_shown(&names, "taro"), "太郎");
    static const char *const events[][2] = {
        {"presence", "name"}, {"challenge", "from"}, {"paired", "opponent"}, {"lobby", "white"}};
    for (size_t i = 0; i < sizeof events / sizeof events[0]; i++) {
        char text[128];
        const char *prefix = strcmp(events[i][1], "white") == 0 ? "white_" : "";
        check_about("%s", events[i][0]);
        for (int with = 1; with >= 0; with--) {
            snprintf(text, sizeof text, "{\"type\":\"%s\",\"%s\":\"eva\",\"%sdisplay\":\"%s\"}",
                     events[i][0], events[i][1], prefix, with ? "\u00c9va" : "");
            learn(&names, text);
            CHECK_TEXT(names_shown(&names, "eva"), with ? "\u00c9va" : "eva");
        }
    }
    check_about("what tells of no player");
    learn(&names,
          "{\"type\":\"tournaments\",\"name\":\"taro\",\"tournaments\":[{\"name\":\"taro\"}]}");
    learn(&names, "{\"type\":\"chat\",\"from\":\"taro\"}");
    learn(&names, "{\"type\":\"who\",\"players\":7}");
    learn(&names, "{\"type\":\"who\",\"players\":[7,null,{\"name\":8,\"display\":\"x\"}]}");
    CHECK_TEXT(names_shown(&names, "taro"), "太郎");
    cJSON_Delete(row);
    names_release(&names);
    CHECK_TEXT(names_shown(&names, "taro"), "taro");
}

static void test_many(void)
{
    static struct names names;
    char name[16];

    check_about("more than are kept: the oldest go");
    for (int i = 0; i < NAMES_MAX + 3; i++) {
        snprintf(name, sizeof name, "p%d", i);
        names_note(&names, name, "Jo\u00e3o");
    }
    CHECK_INT(names.count, NAMES_MAX);
    CHECK_TEXT(names_shown(&names, "p2"), "p2");
    CHECK_TEXT(names_shown(&names, "p3"), "Jo\u00e3o");
    CHECK_TEXT(names_shown(&names, name), "Jo\u00e3o");
    names_release(&names);
}

static void test_rows(void)
{
    static struct names names;
    char words[ROW_WORDS_MAX];
    cJSON *row =
        cJSON_Parse("{\"game\":\"clobber\",\"variant\":\"5x6\",\"white\":\"joao\",\"black\":null,"
                    "\"white_display\":\"Jo\u00e3o\"}");
    cJSON *wide =
        cJSON_Parse("{\"game\":\"clobber\",\"variant\":\"5x6\",\"white\":\"w\",\"black\":\"b\","
                    "\"white_display\":\"" WIDE_32 "\",\"black_display\":\"" WIDE_32 "\"}");
    cJSON *players =
        cJSON_Parse("[{\"name\":\"anna\"},{\"name\":\"taro\",\"display\":\"田中田\"}]");
    cJSON *many = cJSON_Parse("[{\"name\":\"anna\"},{\"name\":\"w\",\"display\":\"" WIDE_32 "\"}]");

    begin_locale("C.UTF-8");
    row_words(&names, row, words);
    CHECK_TEXT(words, "Clobber 5x6, white Jo\u00e3o, black free");
    row_words(&names, wide, words);
    CHECK_TEXT(words, "Clobber 5x6, white " WIDE_8 "田中田~, black " WIDE_8 "田中田~");
    CHECK_INT(names_width(&names, players), 6);
    CHECK_INT(names_width(&names, many), NAME_COLUMNS - 1); /* half a letter is not shown */
    begin_locale("C");
    row_words(&names, row, words);
    CHECK_TEXT(words, "Clobber 5x6, white joao, black free");
    row_words(&names, wide, words);
    CHECK_TEXT(words, "Clobber 5x6, white w, black b");
    CHECK_INT(names_width(&names, players), 4);
    cJSON_Delete(row);
    cJSON_Delete(wide);
    cJSON_Delete(players);
    cJSON_Delete(many);
}

/* A result with two of the longest names is a whole sentence. */
static void test_result(void)
{
    static struct match_state view = {.result = "1-0", .reason = "timeout", .status = STATE_OVER};
    char line[RESULT_LINE_MAX];

    begin_locale("C.UTF-8");
    for (enum color color = WHITE; color <= BLACK; color++) {
        snprintf(view.seats[color].name, PLAYER_NAME_MAX, color == WHITE ? "w" : "b");
        snprintf(view.seats[color].display, PLAYER_DISPLAY_MAX, WIDE_32);
    }
    result_line(&view, line);
    CHECK_TEXT(line, WIDE_8 "田中田~ wins: " WIDE_8 "田中田~ ran out of time.");
}

int main(void)
{
    test_cut();
    test_shown();
    test_told();
    test_many();
    test_rows();
    test_result();
    return check_end("test_names");
}
