#include "display.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unicase.h>
#include <unictype.h>
#include <uninorm.h>
#include <unistr.h>

#include "common/xmalloc.h"

enum { MARKS_MAX = 3, SIGNS_MAX = 2 }; /* in a row */

/* The scripts in everyday use (UAX 31, table 5), as what looks like Latin in the others is endless.
 */
static const char *const scripts[] = {
    "Latin",   "Han",      "Hiragana",   "Katakana", "Bopomofo",  "Hangul",  "Arabic",   "Armenian",
    "Bengali", "Cyrillic", "Devanagari", "Ethiopic", "Georgian",  "Greek",   "Gujarati", "Gurmukhi",
    "Hebrew",  "Kannada",  "Khmer",      "Lao",      "Malayalam", "Myanmar", "Oriya",    "Sinhala",
    "Tamil",   "Telugu",   "Thaana",     "Thai",     "Tibetan",
};
enum {
    LATIN,
    HAN,
    HIRAGANA,
    KATAKANA,
    BOPOMOFO,
    HANGUL,
    CYRILLIC = 9,
    GREEK = 13,
    SCRIPTS = sizeof scripts / sizeof *scripts
};
#define SCRIPT(number) (UINT32_C(1) << (number))

/* What may stand together in one name: UTS 39, "highly restrictive". */
static const uint32_t mixtures[] = {
    SCRIPT(LATIN) | SCRIPT(HAN) | SCRIPT(HIRAGANA) | SCRIPT(KATAKANA),
    SCRIPT(LATIN) | SCRIPT(HAN) | SCRIPT(BOPOMOFO),
    SCRIPT(LATIN) | SCRIPT(HAN) | SCRIPT(HANGUL),
};

/* Letters, and what they look like, by their written case where the other one looks like something
 * else; a lower case letter stands for both. Without what NFKD takes apart. */
static const struct {
    ucs4_t letter;
    ucs4_t looks[2];
} look_alikes[] = {
    /* Latin */
    {0xDF, {'s', 's'}},
    {0xE6, {'a', 'e'}},
    {0xF0, {'d'}},
    {0xF8, {'o'}},
    {0xFE, {'p'}},
    {0x111, {'d'}},
    {0x127, {'h'}},
    {0x131, {'i'}},
    {0x138, {'k'}},
    {0x142, {'l'}},
    {0x14B, {'n'}},
    {0x153, {'o', 'e'}},
    {0x167, {'t'}},
    {0x180, {'b'}},
    {0x18F, {'e'}},
    {0x192, {'f'}},
    {0x199, {'k'}},
    {0x19A, {'l'}},
    {0x1A5, {'p'}},
    {0x1B6, {'z'}},
    {0x1BF, {'p'}},
    {0x1DD, {'e'}},
    {0x1E5, {'g'}},
    {0x237, {'j'}},
    {0x249, {'j'}},
    {0x24D, {'r'}},
    {0x24F, {'y'}},
    {0x251, {'a'}},
    {0x253, {'b'}},
    {0x254, {'o'}},
    {0x256, {'d'}},
    {0x257, {'d'}},
    {0x259, {'e'}},
    {0x25B, {'e'}},
    {0x260, {'g'}},
    {0x261, {'g'}},
    {0x263, {'y'}},
    {0x262, {'g'}},
    {0x268, {'i'}},
    {0x269, {'i'}},
    {0x26A, {'i'}},
    {0x272, {'n'}},
    {0x274, {'n'}},
    {0x275, {'o'}},
    {0x280, {'r'}},
    {0x289, {'u'}},
    {0x28A, {'u'}},
    {0x28B, {'v'}},
    {0x28F, {'y'}},
    {0x292, {'3'}},
    {0x299, {'b'}},
    {0x29C, {'h'}},
    {0x29F, {'l'}},
    /* Greek, whose small letters often look like others than its capitals */
    {0x392, {'b'}},
    {0x397, {'h'}},
    {0x39C, {'m'}},
    {0x39D, {'n'}},
    {0x3A5, {'y'}},
    {0x3B1, {'a'}},
    {0x3B2, {'b'}},
    {0x3B3, {'y'}},
    {0x3B5, {'e'}},
    {0x3B6, {'z'}},
    {0x3B7, {'n'}},
    {0x3B9, {'i'}},
    {0x3BA, {'k'}},
    {0x3BC, {'u'}},
    {0x3BD, {'v'}},
    {0x3BF, {'o'}},
    {0x3C1, {'p'}},
    {0x3C2, {0x3C3}},
    {0x3C4, {'t'}},
    {0x3C5, {'u'}},
    {0x3C7, {'x'}},
    {0x3C9, {'w'}},
    {0x3F3, {'j'}},
    /* Cyrillic */
    {0x430, {'a'}},
    {0x431, {'6'}},
    {0x432, {'b'}},
    {0x433, {'r'}},
    {0x435, {'e'}},
    {0x437, {'3'}},
    {0x43A, {'k'}},
    {0x43C, {'m'}},
    {0x43D, {'h'}},
    {0x43E, {'o'}},
    {0x43F, {'n'}},
    {0x440, {'p'}},
    {0x441, {'c'}},
    {0x442, {'t'}},
    {0x443, {'y'}},
    {0x445, {'x'}},
    {0x44C, {'b'}},
    {0x44B, {'b', 'l'}},
    {0x454, {'e'}},
    {0x455, {'s'}},
    {0x456, {'i'}},
    {0x458, {'j'}},
    {0x461, {'w'}},
    {0x475, {'v'}},
    {0x491, {'r'}},
    {0x49B, {'k'}},
    {0x4AF, {'y'}},
    {0x4BB, {'h'}},
    {0x4CF, {'l'}},
    {0x4D9, {'e'}},
    {0x4E9, {'o'}},
    {0x501, {'d'}},
    {0x51B, {'q'}},
    {0x51D, {'w'}},
    /* Armenian */
    {0x53C, {'l'}},
    {0x54D, {'u'}},
    {0x54F, {'s'}},
    {0x561, {'w'}},
    {0x563, {'q'}},
    {0x566, {'q'}},
    {0x56C, {'l'}},
    {0x570, {'h'}},
    {0x575, {'j'}},
    {0x578, {'n'}},
    {0x57D, {'u'}},
    {0x581, {'g'}},
    {0x584, {'f'}},
    {0x585, {'o'}},
    /* Arabic, where people write the same letter in several ways */
    {0x649, {0x64A}},
    {0x6A9, {0x643}},
    {0x6BE, {0x647}},
    {0x6C1, {0x647}},
    {0x6CC, {0x64A}},
    {0x6D5, {0x647}},
    /* Kana, Bopomofo and Han, which stand together, and with Latin */
    {0x30A8, {0x5DE5}},
    {0x30AB, {0x529B}},
    {0x30BF, {0x5915}},
    {0x30C1, {0x5343}},
    {0x30C8, {0x535C}},
    {0x30CB, {0x4E8C}},
    {0x30CE, {0x4E3F}},
    {0x30CF, {0x516B}},
    {0x30D2, {0x5315}},
    {0x30D8, {0x3078}},
    {0x30D9, {0x3079}},
    {0x30DA, {0x307A}},
    {0x30E0, {0x53B6}},
    {0x30EA, {0x308A}},
    {0x30ED, {0x53E3}},
    {0x30FC, {0x4E00}},
    {0x3112, {'t'}},
    {0x311A, {'y'}},
    {0x3127, {0x4E00}},
    {0x3128, {'x'}},
    {0x3119, {0x53B6}},
    {0x4E05, {'t'}},
    {0x4E28, {'l'}},
    {0x4E2B, {'y'}},
    {0x4E42, {'x'}},
    {0x4E59, {'z'}},
    {0x51F5, {'u'}},
    {0x531A, {'c'}},
};

/* The number of a letter's script among those that may be used; -1: it is none of them. */
static int script_of(ucs4_t letter)
{
    const uc_script_t *script = uc_script(letter);

    for (int i = 0; script != NULL && i < SCRIPTS; i++)
        if (strcmp(script->name, scripts[i]) == 0)
            return i;
    return -1;
}

static bool is_of_any_script(ucs4_t mark)
{
    const uc_script_t *script = uc_script(mark);

    return script != NULL && strcmp(script->name, "Inherited") == 0;
}

/* Whether it is another form of some letter, such as a wide, raised or mathematical one. Thai and
 * Lao write one vowel in such a way. */
static bool is_odd_form(ucs4_t letter)
{
    ucs4_t parts[UC_DECOMPOSITION_MAX_LENGTH];
    int form = UC_DECOMP_CANONICAL;

    return uc_decomposition(letter, &form, parts) > 0 && form != UC_DECOMP_CANONICAL &&
           letter != 0xE33 && letter != 0xEB3;
}

/* The row of a letter among the look-alikes; NULL: there is none. */
static const ucs4_t *look_of(ucs4_t letter)
{
    for (size_t i = 0; i < sizeof look_alikes / sizeof look_alikes[0]; i++)
        if (look_alikes[i].letter == letter)
            return look_alikes[i].looks;
    return NULL;
}

/* A mark without which the name is read as the same: accents, and the vowels of Arabic and Hebrew.
 * Those of other scripts tell one name from another. */
static bool is_accent(ucs4_t point)
{
    return (point >= 0x300 && point < 0x370) || (point >= 0x591 && point <= 0x5C7) ||
           (point >= 0x64B && point <= 0x65F) || point == 0x670 ||
           (point >= 0x1AB0 && point < 0x1B00) || (point >= 0x1DC0 && point < 0x1E00) ||
           (point >= 0x20D0 && point < 0x2100) || (point >= 0xFE20 && point < 0xFE30);
}

/* The letter without its accents, in a form that takes no more room. */
static ucs4_t without_accents(ucs4_t point)
{
    ucs4_t parts[UC_DECOMPOSITION_MAX_LENGTH];
    int form = UC_DECOMP_CANONICAL;
    int count;

    while ((count = uc_decomposition(point, &form, parts)) > 0 && form == UC_DECOMP_CANONICAL &&
           (count == 1 || is_accent(parts[1])))
        point = parts[0];
    return point;
}

/* The letters of Latin, Greek, Cyrillic and Hangul in everyday use (UTS 39, status "allowed"):
 * these scripts have many more, which look like them. */
static const struct {
    int script;
    ucs4_t first, last;
} common[] = {
    {LATIN, 'A', 0x17F},      {LATIN, 0x1CD, 0x1DC},    {LATIN, 0x1E6, 0x1F0},
    {LATIN, 0x1F4, 0x1F5},    {LATIN, 0x1F8, 0x21B},    {LATIN, 0x21E, 0x21F},
    {LATIN, 0x226, 0x233},    {LATIN, 0x1E00, 0x1EF9},  {GREEK, 0x386, 0x3CE},
    {GREEK, 0x1F00, 0x1FFF},  {CYRILLIC, 0x400, 0x45F}, {CYRILLIC, 0x48A, 0x52F},
    {HANGUL, 0xAC00, 0xD7A3},
};

/* Whether a letter of these is rare, and none of which it is known what it looks like. */
static bool is_rare(ucs4_t letter, int script)
{
    bool is_listed = false;

    if (script == LATIN && !uc_is_general_category(letter, UC_CATEGORY_Lu) &&
        !uc_is_general_category(letter, UC_CATEGORY_Ll))
        return true;
    for (size_t i = 0; i < sizeof common / sizeof common[0]; i++) {
        if (common[i].script != script)
            continue;
        if (letter >= common[i].first && letter <= common[i].last)
            return false;
        is_listed = true;
    }
    return is_listed && look_of(without_accents(letter)) == NULL &&
           look_of(uc_tolower(without_accents(letter))) == NULL;
}

/* A sign that belongs to names: . - ' and the one that phones write for it, middle dots. */
static bool is_sign(ucs4_t point)
{
    return point == '.' || point == '-' || point == '\'' || point == 0x2019 || point == 0xB7 ||
           point == 0x30FB;
}

static bool is_digit(ucs4_t point)
{
    return point >= '0' && point <= '9';
}

static bool is_letter(ucs4_t point)
{
    return uc_is_general_category(point, UC_CATEGORY_L) &&
           !uc_is_property(point, UC_PROPERTY_DEFAULT_IGNORABLE_CODE_POINT);
}

static bool is_mark(ucs4_t point)
{
    return (uc_is_general_category(point, UC_CATEGORY_Mn) ||
            uc_is_general_category(point, UC_CATEGORY_Mc)) &&
           !uc_is_property(point, UC_PROPERTY_DEFAULT_IGNORABLE_CODE_POINT);
}

/* A name that is read code point by code point. */
struct reading {
    uint32_t scripts;
    int points, letters;
    int marks, signs; /* in a row */
    bool on_letter;   /* a mark may follow */
};

static bool read_letter(struct reading *reading, ucs4_t point, struct cause *cause)
{
    int script = point == 0x30FC ? KATAKANA : script_of(point); /* kana's sign of a long vowel */

    if (script < 0 || is_odd_form(point) || is_rare(point, script))
        return cause_set(cause, "a display name has no letter U+%04X", (unsigned)point);
    reading->scripts |= SCRIPT(script);
    reading->letters++;
    reading->on_letter = true;
    return true;
}

static bool read_mark(struct reading *reading, ucs4_t point, struct cause *cause)
{
    int script = script_of(point);

    if (script < 0 && !is_of_any_script(point))
        return cause_set(cause, "a display name has no mark U+%04X", (unsigned)point);
    if (!reading->on_letter)
        return cause_set(cause, "a mark needs a letter before it");
    if (++reading->marks > MARKS_MAX)
        return cause_set(cause, "a letter has at most %d marks", MARKS_MAX);
    if (script >= 0)
        reading->scripts |= SCRIPT(script);
    return true;
}

static bool read_point(struct reading *reading, ucs4_t point, struct cause *cause)
{
    if (++reading->points > DISPLAY_POINTS_MAX)
        return cause_set(cause, "a display name has at most %d characters", DISPLAY_POINTS_MAX);
    if (is_mark(point))
        return read_mark(reading, point, cause);
    reading->marks = 0;
    reading->on_letter = false;
    reading->signs = is_sign(point) ? reading->signs + 1 : 0;
    if (reading->signs > SIGNS_MAX)
        return cause_set(cause, "a display name has at most %d signs in a row", SIGNS_MAX);
    if (is_letter(point))
        return read_letter(reading, point, cause);
    if (point == ' ' || is_sign(point) || is_digit(point))
        return true;
    if (point > ' ' && point < 0x7F)
        return cause_set(cause, "a display name has letters, digits, blanks, and . - ' : not %c",
                         (char)point);
    return cause_set(
        cause, "a display name has letters, digits from 0 to 9, blanks, and . - ' : not U+%04X",
        (unsigned)point);
}

/* Whether one language may write these scripts in one name. */
static bool go_together(uint32_t given)
{
    if ((given & (given - 1)) == 0)
        return true;
    for (size_t i = 0; i < sizeof mixtures / sizeof mixtures[0]; i++)
        if ((given & ~mixtures[i]) == 0)
            return true;
    return false;
}

/* Reads a text in NFC. */
static bool read_points(const uint8_t *text, size_t length, struct cause *cause)
{
    struct reading reading = {0};
    ucs4_t point;

    for (size_t i = 0; i < length;) {
        i += (size_t)u8_mbtouc(&point, text + i, length - i);
        if (!read_point(&reading, point, cause))
            return false;
    }
    if (reading.letters == 0)
        return cause_set(cause, "a display name needs a letter");
    return go_together(reading.scripts) ||
           cause_set(cause, "a display name is written in one script");
}

bool display_read(const char *given, char display[DISPLAY_TEXT_MAX], struct cause *cause)
{
    size_t length = 0;

    if (!utf8_is_clean(given, strlen(given)))
        return cause_set(cause, "a display name is UTF-8 without control characters");
    char *text = xstrdup(given);
    text_line_squeeze(text);
    display[0] = '\0';
    if (text[0] == '\0') {
        free(text);
        return true;
    }
    uint8_t *normal = u8_normalize(UNINORM_NFC, (const uint8_t *)text, strlen(text), NULL, &length);
    free(text);
    if (normal == NULL)
        return cause_set(cause, "a display name is UTF-8");
    bool good = read_points(normal, length, cause);
    if (good) {
        memcpy(display, normal, length); /* so few code points fit */
        display[length] = '\0';
    }
    free(normal);
    return good;
}

struct looks {
    char *text;
    size_t length;
};

static void put_point(struct looks *looks, ucs4_t point)
{
    int length = u8_uctomb((uint8_t *)looks->text + looks->length, point,
                           (ptrdiff_t)(LOOKS_TEXT_MAX - 1 - looks->length));

    if (length > 0)
        looks->length += (size_t)length;
}

/* Adds a character of ASCII in lower case; blanks and signs look like nothing. */
static void put_ascii(struct looks *looks, char character)
{
    switch (character) {
    case '0':
        put_point(looks, 'o');
        break;
    case '1':
    case 'i':
        put_point(looks, 'l');
        break;
    case 'm':
        put_point(looks, 'r');
        put_point(looks, 'n');
        break;
    case 'w':
        put_point(looks, 'v');
        put_point(looks, 'v');
        break;
    default:
        if ((character >= 'a' && character <= 'z') || is_digit((ucs4_t)character))
            put_point(looks, (ucs4_t)character);
    }
}

static void put_like(struct looks *looks, ucs4_t point)
{
    if (point < 0x80)
        put_ascii(looks, (char)point);
    else
        put_point(looks, point);
}

static bool put_look_alike(struct looks *looks, ucs4_t point)
{
    const ucs4_t *alike = look_of(point);

    if (alike == NULL)
        return false;
    put_like(looks, alike[0]);
    if (alike[1] != 0)
        put_like(looks, alike[1]);
    return true;
}

void display_looks(const char *display, char text[LOOKS_TEXT_MAX])
{
    struct looks looks = {.text = text};
    const uint8_t *at = (const uint8_t *)display;
    size_t left = strlen(display);
    ucs4_t point;

    while (left > 0) {
        size_t length = (size_t)u8_mbtouc(&point, at, left);
        at += length;
        left -= length;
        if (is_accent(point) || is_sign(point))
            continue;
        point = without_accents(point);
        if (put_look_alike(&looks, point))
            continue;
        point = uc_tolower(point);
        if (!put_look_alike(&looks, point))
            put_like(&looks, point);
    }
    looks.text[looks.length] = '\0';
}

void name_looks(const char *name, char text[LOOKS_TEXT_MAX])
{
    struct looks looks = {.text = text};

    for (; *name != '\0'; name++)
        put_ascii(&looks, (char)(*name >= 'A' && *name <= 'Z' ? *name - 'A' + 'a' : *name));
    looks.text[looks.length] = '\0';
}

/* Whether one of the words is "bot", as in "Bot Max" and "Max bot", by which clients show house
 * bots. */
static bool has_word_bot(const char *display)
{
    char word[DISPLAY_TEXT_MAX] = "", looks[LOOKS_TEXT_MAX];
    size_t length = 0, used;
    ucs4_t point;

    for (const char *at = display;; at += used) {
        used = *at == '\0' ? 0 : (size_t)u8_mbtouc(&point, (const uint8_t *)at, strlen(at));
        if (used > 0 && point != ' ' && !is_sign(point)) {
            memcpy(word + length, at, used);
            length += used;
            continue;
        }
        word[length] = '\0';
        display_looks(word, looks);
        if (strcmp(looks, "bot") == 0)
            return true;
        if (used == 0)
            return false;
        length = 0;
    }
}

bool display_is_reserved(const char *display)
{
    static const char *const words[] = {"rne", "you", "open", "openseat", "nobody", "sornebody"};
    char looks[LOOKS_TEXT_MAX];

    if (has_word_bot(display))
        return true;
    display_looks(display, looks);
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strcmp(looks, words[i]) == 0)
            return true;
    const char *behind = strncmp(looks, "guest", 5) == 0 ? looks + 5 : NULL;
    return behind != NULL && behind[strspn(behind, "ol23456789")] == '\0';
}
