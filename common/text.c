#include "text.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

bool number_parse(const char *text, size_t length, long min, long max, long *value)
{
    long number = 0;

    if (length == 0 || (length > 1 && text[0] == '0'))
        return false;
    for (size_t i = 0; i < length; i++) {
        int digit = text[i] - '0';
        if (digit < 0 || digit > 9 || number > (max - digit) / 10)
            return false;
        number = number * 10 + digit;
    }
    if (number < min || number > max)
        return false;
    *value = number;
    return true;
}

size_t number_format(uint64_t value, char *text)
{
    size_t length = 1;

    for (uint64_t limit = 10; length < NUMBER_DIGITS_MAX && value >= limit; limit *= 10)
        length++;
    for (size_t at = length; at > 0; value /= 10)
        text[--at] = (char)('0' + value % 10);
    return length;
}

/* Reads a well-formed character: its length in bytes, or 0. */
static size_t decode(const char *text, size_t length, unsigned *code)
{
    static const unsigned least[] = {0, 0, 0x80, 0x800, 0x10000};
    unsigned char first = (unsigned char)text[0];
    size_t bytes = first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;

    *code = first;
    if (bytes == 1)
        return 1;
    if (first < 0xc2 || first > 0xf4 || bytes > length)
        return 0;
    *code = first & (0x7fu >> bytes);
    for (size_t i = 1; i < bytes; i++) {
        if (((unsigned char)text[i] & 0xc0) != 0x80)
            return 0;
        *code = *code << 6 | (text[i] & 0x3f);
    }
    bool surrogate = *code >= 0xd800 && *code <= 0xdfff;
    return *code >= least[bytes] && *code <= 0x10ffff && !surrogate ? bytes : 0;
}

size_t utf8_length(const char *text, size_t length)
{
    unsigned code;

    return decode(text, length, &code);
}

size_t utf8_character(const char *text, size_t length)
{
    unsigned code;
    size_t bytes = decode(text, length, &code);
    bool control = code < 0x20 || (code >= 0x7f && code <= 0x9f);
    /* It may make a terminal reorder the text around it or end the line: Unicode's property
     * Bidi_Control, and the line and paragraph separators. */
    bool turning = code == 0x61c || code == 0x200e || code == 0x200f ||
                   (code >= 0x2028 && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);

    return control || turning ? 0 : bytes;
}

bool utf8_is_clean(const char *text, size_t length)
{
    for (size_t i = 0; i < length;) {
        bool printable = text[i] >= ' ' && text[i] <= '~'; /* nearly all: the shortest way */
        size_t bytes = printable ? 1 : utf8_character(text + i, length - i);
        if (bytes == 0)
            return false;
        i += bytes;
    }
    return true;
}

void utf8_clean(char *text)
{
    size_t length = strlen(text);

    for (size_t i = 0; i < length;) {
        size_t bytes = utf8_character(text + i, length - i);
        if (bytes == 0)
            text[i++] = '?';
        else
            i += bytes;
    }
}

static const struct translator *translator; /* NULL: English */

void text_translate_by(const struct translator *other)
{
    translator = other;
}

const char *text_translated(const char *sentence)
{
    const char *found =
        translator != NULL && sentence[0] != '\0' ? translator->sentence(sentence) : sentence;
    const char *meaning = found == sentence ? strchr(sentence, '\4') : NULL;

    return meaning != NULL ? meaning + 1 : found;
}

const char *text_counted(const char *one, const char *many, unsigned long count)
{
    if (translator != NULL)
        return translator->counted(one, many, count);
    return count == 1 ? one : many;
}

void cause_vset(struct cause *cause, const char *format, va_list args)
{
    vsnprintf(cause->text, sizeof cause->text, text_translated(format), args);
    utf8_clean(cause->text);
}

bool cause_set(struct cause *cause, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    cause_vset(cause, format, args);
    va_end(args);
    return false;
}

char *text_line_trim(char *text)
{
    char *end = text + strlen(text);

    while (end > text && strchr(" \t\r\n", end[-1]) != NULL)
        *--end = '\0';
    return text + strspn(text, " \t");
}

void text_line_squeeze(char *text)
{
    static const char blanks[] = " \t\r\n\v\f";
    const char *word = text + strspn(text, blanks);
    char *end = text;

    while (*word != '\0') {
        size_t length = strcspn(word, blanks);
        if (end > text)
            *end++ = ' ';
        memmove(end, word, length);
        end += length;
        word += length;
        word += strspn(word, blanks);
    }
    *end = '\0';
}

/* Takes off the quotes of a value that is quoted as a whole. */
static char *unquote(char *value)
{
    size_t length = strlen(value);
    char quote = value[0];

    if ((quote != '"' && quote != '\'') || length < 2 ||
        strchr(value + 1, quote) != value + length - 1)
        return value;
    value[length - 1] = '\0';
    return value + 1;
}

bool text_line_setting(char *line, char **name, char **value, struct cause *cause)
{
    static const char mark[] = "\xef\xbb\xbf"; /* a byte order mark: some editors begin files so */
    bool marked = strncmp(line, mark, sizeof mark - 1) == 0;
    char *text = text_line_trim(marked ? line + sizeof mark - 1 : line);
    char *equals = strchr(text, '=');

    *name = NULL;
    if (*text == '\0' || *text == '#')
        return true;
    if (equals == NULL)
        return cause_set(cause, "'%.40s': not a setting: write name = value", text);
    *equals = '\0';
    *name = text_line_trim(text);
    *value = unquote(text_line_trim(equals + 1));
    return true;
}

enum { MEANT_MAX = 24, FAR = 100 };

static int smallest(int a, int b, int c)
{
    int smaller = a < b ? a : b;

    return smaller < c ? smaller : c;
}

static bool is_letter_same(char a, char b)
{
    return tolower((unsigned char)a) == tolower((unsigned char)b);
}

/* How many letters to add, drop, replace or swap with their neighbour to make `a` of `b`
 * (the optimal string alignment distance). FAR for long words. */
static int count_mistakes(const char *a, const char *b)
{
    int rows[MEANT_MAX + 1][MEANT_MAX + 1];
    size_t long_a = strlen(a), long_b = strlen(b);

    if (long_a > MEANT_MAX || long_b > MEANT_MAX)
        return FAR;
    for (size_t i = 0; i <= long_a; i++)
        rows[i][0] = (int)i;
    for (size_t j = 0; j <= long_b; j++)
        rows[0][j] = (int)j;
    for (size_t i = 1; i <= long_a; i++)
        for (size_t j = 1; j <= long_b; j++) {
            int other = !is_letter_same(a[i - 1], b[j - 1]);
            rows[i][j] =
                smallest(rows[i - 1][j] + 1, rows[i][j - 1] + 1, rows[i - 1][j - 1] + other);
            if (i > 1 && j > 1 && is_letter_same(a[i - 1], b[j - 2]) &&
                is_letter_same(a[i - 2], b[j - 1]))
                rows[i][j] = smallest(rows[i][j], rows[i - 2][j - 2] + 1, FAR);
        }
    return rows[long_a][long_b];
}

void meant_begin(struct meant_word *meant, const char *typed)
{
    /* Two mistakes at most, in a short word one. */
    *meant = (struct meant_word){.typed = typed, .distance = strlen(typed) > 4 ? 3 : 2};
}

void meant_try(struct meant_word *meant, const char *word)
{
    int distance = count_mistakes(word, meant->typed);

    if (distance >= meant->distance)
        return;
    meant->distance = distance;
    meant->word = word;
}

const char *meant_text(const struct meant_word *meant, const char *before,
                       char text[MEANT_TEXT_MAX])
{
    text[0] = '\0';
    if (meant->word != NULL)
        snprintf(text, MEANT_TEXT_MAX, _(" (did you mean %s%s?)"), before, meant->word);
    return text;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

char *text_line_word(char **text)
{
    char *word = *text + strspn(*text, " \t");
    char *end = word + strcspn(word, " \t");

    *text = end + strspn(end, " \t");
    *end = '\0';
    return word;
}

char *text_line_cut_at(char *text, const char *word)
{
    size_t length = strlen(word);
    char *at = text;

    while ((at = strstr(at, word)) != NULL) {
        char *end = at + length;
        if ((at == text || is_blank(at[-1])) && (*end == '\0' || is_blank(*end)))
            break;
        at = end;
    }
    if (at == NULL)
        return NULL;
    char *rest = at + length + strspn(at + length, " \t");
    while (at > text && is_blank(at[-1]))
        at--;
    *at = '\0';
    return rest;
}

const struct packed_file *packed_find(const struct packed_file *table, const char *name)
{
    for (; table->name != NULL; table++)
        if (strcmp(table->name, name) == 0)
            return table;
    return NULL;
}
