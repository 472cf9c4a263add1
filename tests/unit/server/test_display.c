/* Display names: which texts are some, and which look alike. */
#include <string.h>

#include "check.h"
#include "server/model/display.h"

/* A text, and the display name that it is; NULL: none. */
static const struct {
    const char *given, *display;
} texts[] = {
    {"Jo\u00E3o", "Jo\u00E3o"},
    {"Joa\u0303o", "Jo\u00E3o"}, /* NFC */
    {"  Jo\u00E3o   Pessoa ", "Jo\u00E3o Pessoa"},
    {"", ""},
    {"   ", ""},
    {"J.-P. Sartre", "J.-P. Sartre"},
    {"O'Brien 2", "O'Brien 2"},
    {"O\u2019Brien", "O\u2019Brien"},
    {"Gal\u00B7la", "Gal\u00B7la"},
    {"\u0110\u1EB7ng V\u0103n L\u00E2m", "\u0110\u1EB7ng V\u0103n L\u00E2m"},
    {"\u03A3\u03C9\u03BA\u03C1\u03AC\u03C4\u03B7\u03C2",
     "\u03A3\u03C9\u03BA\u03C1\u03AC\u03C4\u03B7\u03C2"},
    {"\u0418\u0432\u0430\u043D", "\u0418\u0432\u0430\u043D"},
    {"\u05D0\u05D1\u05D2", "\u05D0\u05D1\u05D2"},
    {"\u0645\u062D\u0645\u062F", "\u0645\u062D\u0645\u062F"},
    {"\u7530\u4E2D", "\u7530\u4E2D"},
    {"\u7530\u4E2D\u3055\u304F\u3089", "\u7530\u4E2D\u3055\u304F\u3089"},
    {"\u30DE\u30EA\u30FC Tanaka", "\u30DE\u30EA\u30FC Tanaka"},
    {"\uAE40\uBBFC\uC218", "\uAE40\uBBFC\uC218"},
    {"\u0928\u0940\u0924\u093E", "\u0928\u0940\u0924\u093E"},
    {"\u0E19\u0E49\u0E33", "\u0E19\u0E49\u0E33"}, /* its last letter is one of two parts */
    {"abcdefghijklmnopqrstuvwxyzabcdef", "abcdefghijklmnopqrstuvwxyzabcdef"},
    {"abcdefghijklmnopqrstuvwxyzabcdefg", NULL},
    {"\U00020000\U00020000\U00020000\U00020000\U00020000\U00020000\U00020000\U00020000"
     "\U00020000\U00020000\U00020000\U00020000\U00020000\U00020000\U00020000\U00020000"
     "\U00020000\U00020000\U00020000\U00020000\U00020000\U00020000\U00020000\U00020000"
     "\U00020000\U00020000\U00020000\U00020000\U00020000\U00020000\U00020000\U00020000",
     "\U00020000\U00020000\U00020000\U00020000\U00020000\U00020000\U00020000\U00020000"
     "\U00020000\U00020000\U00020000\U00020000\U00020000\U00020000\U00020000\U00020000"
     "\U00020000\U00020000\U00020000\U00020000\U00020000\U00020000\U00020000\U00020000"
     "\U00020000\U00020000\U00020000\U00020000\U00020000\U00020000\U00020000\U00020000"},
    {"a\u0301\u0302\u0303b", "\u00E1\u0302\u0303b"}, /* one mark is of the letter now */
    {"a\u0301\u0302\u0303\u0304\u0305b", NULL},
    {"\u0301a", NULL},
    {"a \u0301b", NULL},
    {"a\u20DD", NULL},        /* encloses */
    {"a\u1AB0b", "a\u1AB0b"}, /* accents of other blocks */
    {"a\u1DC4b", "a\u1DC4b"},
    {"a\u20D7b", "a\u20D7b"},
    {"a\uFE20b", "a\uFE20b"},
    {"\u0E02\u0E49\u0E32", "\u0E02\u0E49\u0E32"},
    {"\u0E99\u0EB3", "\u0E99\u0EB3"}, /* as in Thai */
    {"Anna\u2019s", "Anna\u2019s"},
    {"Gal\u00B7la", "Gal\u00B7la"},
    {"a\uFE0F", NULL}, /* variation selector */
    {"a\u034Fb", NULL},
    {"\xC3", NULL},
    {"a\xFF"
     "b",
     NULL},
    {"\xED\xA0\x80", NULL},
    {"\xC0\xAF", NULL},
    {"a\u202Eb", NULL},
    {"a\u2066b", NULL},
    {"a\u200Bb", NULL},
    {"a\u200Db", NULL},
    {"a\u00ADb", NULL},
    {"a\uFEFFb", NULL},
    {"a\u00A0b", NULL},
    {"a\u3000b", NULL},
    {"\u3164", NULL}, /* a filler that is a letter */
    {"\u115Fa", NULL},
    {"a\tb", NULL},
    {"\uE000a", NULL},
    {"\u0378a", NULL}, /* nobody's yet */
    {"\uFFFDa", NULL},
    {"1234", NULL},
    {".", NULL},
    {"a...b", NULL},
    {"a@b", NULL},
    {"<b>", NULL},
    {"a\"b", NULL},
    {"a\\b", NULL},
    {"bot:max", NULL},
    {"a/b", NULL},
    {"x=1", NULL},
    {"a\U0001F600", NULL},
    {"\u2168", NULL},
    {"a\u0661", NULL},        /* a digit that looks like others */
    {"\uFF2Ao\u00E3o", NULL}, /* wide */
    {"\U0001D409oao", NULL},  /* mathematical */
    {"\uFB01x", NULL},        /* a ligature */
    {"a\u02B0", NULL},        /* raised */
    {"\u01C0x", NULL},        /* a click that looks like l */
    {"\u13AA\u13B3", NULL},   /* Cherokee, which looks like Latin */
    {"\u10428x", NULL},
    {"J\u043E\u00E3o", NULL}, /* with a Cyrillic o */
    {"\u0391nna", NULL},      /* with a Greek A */
    {"\u05D0b", NULL},
    {"\u7530\u0430", NULL},
    {"\uAC00\u3042", NULL},
    {"\u0199afa", "\u0199afa"}, /* Hausa */
    {"Nyad\u0259", "Nyad\u0259"},
    {"\u01ADom", NULL}, /* letters that only linguists write */
    {"\u0266arry", NULL},
    {"\u0441\u1C82\u0441\u1C82", NULL}, /* an o of old Cyrillic */
    {"\u0441\uA669\u0441", NULL},
    {"\u0391\u03F8", NULL},           /* old Greek */
    {"B\u110Bb", NULL},               /* a part of a syllable, which looks like o */
    {"\u1112\u1161\u11AB", "\uD55C"}, /* all parts of one */
};

/* Names, the second of ASCII with `name`, and whether they look alike. */
static const struct {
    const char *one, *other;
    bool alike;
} pairs[] = {
    {"Jo\u00E3o", "joao", true},
    {"Jo\u00E3o", "J.-o a'O", true},
    {"Joao", "Joan", false},
    {"\u0441\u043E\u0441\u043E", "coco", true},
    {"\u0421\u041E\u0421\u041E", "coco", true},
    {"\u0410\u043D\u043D\u0430", "Ahha", true},
    {"\u039F\u03A1\u0391", "opa", true},
    {"\u03BF\u03C1\u03B1", "opa", true},
    {"\u0555\u0585\u0585", "ooo", true},
    {"\u0141ukasz", "lukasz", true},
    {"\u00C6on", "aeon", true},
    {"Stra\u00DFe", "strasse", true},
    {"Ivan", "lvan", true},
    {"a\u1AB0b", "ab", true},
    {"a\u1DC4b", "ab", true},
    {"a\u20D7b", "ab", true},
    {"a\uFE20b", "ab", true},
    {"b0b", "bob", true},
    {"Modern", "modem", true},
    {"vvalter", "walter", true},
    {"x_y-z", "xyz", true},
    {"\u30ED", "\u53E3", true},
    {"\u30D9", "\u3079", true},
    {"\u4E05om", "tom", true},
    {"\u3112om", "tom", true},
    {"\u4E28van", "ivan", true},
    {"\u0199afa", "kafa", true},
    {"\u7530\u4E2D", "\u7530\u5DDD", false},
    {"\u0928\u0940", "\u0928\u093E", false},
    {"\u304B", "\u304C", false},
    {"\u0645\u064F\u062D", "\u0645\u062D", true},
};

static const char *const reserved[] = {"me",
                                       "Me",
                                       "M\u00EA",
                                       "open",
                                       "\u043E\u0440\u0435\u043F",
                                       "You",
                                       "guest",
                                       "guest-5",
                                       "Guest 1O",
                                       "Gu\u00E8st",
                                       "Bot",
                                       "B\u043Et",
                                       "Bot Greedy",
                                       "bot-x",
                                       "Greedy bot",
                                       "Max\u00B7B\u00F6t",
                                       "x B0T y",
                                       "Open seat",
                                       "Nobody",
                                       "Somebody"};
static const char *const free_words[] = {"Gustav",   "guestbook", "Botond", "Talbot",
                                         "Open Air", "Mea",       "Young"};

int main(void)
{
    char display[DISPLAY_TEXT_MAX], looks[LOOKS_TEXT_MAX], other[LOOKS_TEXT_MAX];
    struct cause cause;

    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        cause.text[0] = '\0';
        bool good = display_read(texts[i].given, display, &cause);
        CHECK_TEXT(good ? display : "(none)",
                   texts[i].display != NULL ? texts[i].display : "(none)");
        CHECK(good == (cause.text[0] == '\0'));
        CHECK(utf8_is_clean(cause.text, strlen(cause.text)));
    }
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        display_looks(pairs[i].one, looks);
        display_looks(pairs[i].other, other);
        CHECK_INT(strcmp(looks, other) == 0, pairs[i].alike);
    }
    display_looks("Mo\u00ED 01", looks);
    name_looks("m_OI-0:1", other);
    CHECK_TEXT(looks, "rnolol");
    CHECK_TEXT(other, "rnolol");
    for (size_t i = 0; i < sizeof reserved / sizeof reserved[0]; i++) {
        CHECK_INT(display_is_reserved(reserved[i]), 1);
    }
    for (size_t i = 0; i < sizeof free_words / sizeof free_words[0]; i++) {
        CHECK_INT(display_is_reserved(free_words[i]), 0);
    }
    display_looks("", looks);
    CHECK_TEXT(looks, "");
    return check_end("test_display");
}
