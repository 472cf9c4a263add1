#include "language.h"

#include <ctype.h>
#include <dirent.h>
#include <langinfo.h>
#include <limits.h>
#include <locale.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/xmalloc.h"

enum { CATALOGUE_MAX = 4 << 20, FOLDERS = 2 };

/* A catalogue in the form that msgfmt writes: seven numbers of 32 bits, then two tables of lengths
 * and places, the sentences in the order of strcmp(). */
struct catalogue {
    char name[LANGUAGE_NAME_MAX];
    char *bytes; /* owned, with a NUL behind; NULL: English */
    size_t size;
    uint32_t count, english, translated; /* sentences, and where their tables are */
    const char *forms;                   /* "nplurals=2; plural=n != 1;" */
};

static struct catalogue present = {.name = "en"};

/* ---- How a language counts ---- */

/* A C expression in n, as in the header of a catalogue. */
struct expression {
    const char *at;
    unsigned long n;
    int depth;
};

static unsigned long read_choice(struct expression *e);

static bool take_text(struct expression *e, const char *text)
{
    e->at += strspn(e->at, " \t");
    if (strncmp(e->at, text, strlen(text)) != 0)
        return false;
    e->at += strlen(text);
    return true;
}

static unsigned long read_value(struct expression *e)
{
    unsigned long value = 0;

    if (e->depth > 64) /* a catalogue of any bytes must not use up the stack */
        return 0;
    if (take_text(e, "!")) {
        e->depth++;
        value = !read_value(e);
        e->depth--;
    } else if (take_text(e, "(")) {
        e->depth++;
        value = read_choice(e);
        e->depth--;
        take_text(e, ")");
    } else if (take_text(e, "n")) {
        value = e->n;
    } else {
        for (; isdigit((unsigned char)*e->at); e->at++)
            value = value * 10 + (unsigned long)(*e->at - '0');
    }
    return value;
}

static unsigned long compute(int operator, unsigned long a, unsigned long b)
{
    switch (operator) {
    case 0:
        return a || b;
    case 1:
        return a && b;
    case 2:
        return a == b;
    case 3:
        return a != b;
    case 4:
        return a <= b;
    case 5:
        return a >= b;
    case 6:
        return a < b;
    case 7:
        return a > b;
    case 8:
        return a + b;
    case 9:
        return a - b;
    case 10:
        return a * b;
    case 11:
        return b > 0 ? a / b : 0;
    default:
        return b > 0 ? a % b : 0;
    }
}

/* Reads operators that bind at least as strongly as `least`. */
static unsigned long read_binary(struct expression *e, int least)
{
    static const struct {
        const char *text;
        int strength;
    } operators[] = {{"||", 0}, {"&&", 1}, {"==", 2}, {"!=", 2}, {"<=", 3}, {">=", 3}, {"<", 3},
                     {">", 3},  {"+", 4},  {"-", 4},  {"*", 5},  {"/", 5},  {"%", 5}};
    enum { OPERATORS = sizeof operators / sizeof operators[0] };
    unsigned long value = read_value(e);

    for (int i = 0; i < OPERATORS; i++) {
        if (operators[i].strength < least || !take_text(e, operators[i].text))
            continue;
        value = compute(i, value, read_binary(e, operators[i].strength + 1));
        i = -1; /* the next operator may be any */
    }
    return value;
}

static unsigned long read_choice(struct expression *e)
{
    unsigned long value = read_binary(e, 0);

    if (e->depth > 64 || !take_text(e, "?"))
        return value;
    e->depth++;
    unsigned long yes = read_choice(e);
    take_text(e, ":");
    unsigned long no = read_choice(e);
    e->depth--;
    return value ? yes : no;
}

unsigned long language_plural(const char *forms, unsigned long count)
{
    const char *plural = forms != NULL ? strstr(forms, "plural=") : NULL;

    /* "nplurals=" ends in the same letters. */
    while (plural != NULL && plural > forms && isalpha((unsigned char)plural[-1]))
        plural = strstr(plural + 1, "plural=");
    if (plural == NULL)
        return 0;
    struct expression expression = {.at = plural + strlen("plural="), .n = count};
    return read_choice(&expression);
}

/* ---- A catalogue ---- */

static uint32_t number_at(const struct catalogue *catalogue, size_t place)
{
    uint32_t number = 0;

    if (place + sizeof number <= catalogue->size)
        memcpy(&number, catalogue->bytes + place, sizeof number);
    return number;
}

/* A text of one of the two tables; "" where the file is damaged. *bytes is its length. */
static const char *text_at(const struct catalogue *catalogue, uint32_t table, uint32_t index,
                           size_t *bytes)
{
    size_t row = (size_t)table + 8 * (size_t)index;
    size_t length = number_at(catalogue, row), place = number_at(catalogue, row + 4);

    if (place > catalogue->size || length > catalogue->size - place)
        place = catalogue->size, length = 0; /* the NUL behind */
    *bytes = length;
    return catalogue->bytes + place;
}

/* The translation of a sentence, or NULL; *bytes is its length, with all forms. */
static const char *find_sentence(const struct catalogue *catalogue, const char *english,
                                 size_t *bytes)
{
    uint32_t first = 0, behind = catalogue->count;

    while (first < behind) {
        uint32_t middle = first + (behind - first) / 2;
        int order = strcmp(english, text_at(catalogue, catalogue->english, middle, bytes));
        if (order == 0)
            return text_at(catalogue, catalogue->translated, middle, bytes);
        if (order < 0)
            behind = middle;
        else
            first = middle + 1;
    }
    return NULL;
}

static const char *say_sentence(const char *english)
{
    size_t bytes;
    const char *translated = find_sentence(&present, english, &bytes);

    return translated != NULL && bytes > 0 ? translated : english;
}

static const char *say_counted(const char *one, const char *many, unsigned long count)
{
    size_t bytes;
    const char *translated = find_sentence(&present, one, &bytes);
    const char *form = translated;

    if (translated == NULL || bytes == 0)
        return count == 1 ? one : many;
    for (unsigned long left = language_plural(present.forms, count); left > 0; left--) {
        const char *next = form + strlen(form) + 1;
        if (next > translated + bytes)
            break;
        form = next;
    }
    return form;
}

static const struct translator by_catalogue = {say_sentence, say_counted};

/* Reads a file of at most CATALOGUE_MAX bytes. */
static bool read_catalogue(const char *path, struct catalogue *catalogue)
{
    static const uint32_t magic = 0x950412de;
    FILE *file = fopen(path, "re");
    size_t room = 1 << 16, bytes;

    if (file == NULL)
        return false;
    catalogue->bytes = xmalloc(room + 1);
    while ((bytes = fread(catalogue->bytes + catalogue->size, 1, room - catalogue->size, file)) >
           0) {
        catalogue->size += bytes;
        if (catalogue->size == room && room < CATALOGUE_MAX)
            catalogue->bytes = xrealloc(catalogue->bytes, (room *= 2) + 1);
    }
    fclose(file);
    catalogue->bytes[catalogue->size] = '\0';
    catalogue->count = number_at(catalogue, 8);
    catalogue->english = number_at(catalogue, 12);
    catalogue->translated = number_at(catalogue, 16);
    if (number_at(catalogue, 0) == magic && catalogue->count < CATALOGUE_MAX / 16)
        return true;
    free(catalogue->bytes);
    return false;
}

/* ---- Where catalogues are, and which one is meant ---- */

/* Writes the folder of catalogues: beside the program, as after a build, or where `make install`
 * puts them, which is beside its folder. */
static bool locale_folder(int place, char path[PATH_MAX])
{
    static const char *const folders[FOLDERS] = {"locale", "../share/locale"};
    ssize_t bytes = readlink("/proc/self/exe", path, PATH_MAX - 1);

    path[bytes > 0 ? bytes : 0] = '\0';
    char *slash = strrchr(path, '/');
    if (slash == NULL || (size_t)(slash - path) + 64 > PATH_MAX)
        return false;
    snprintf(slash + 1, PATH_MAX - (size_t)(slash - path) - 1, "%s", folders[place]);
    return true;
}

/* Whether a name can be that of a folder of a language: letters, and _ between them. */
static bool is_name(const char *name, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (!isalpha((unsigned char)name[i]) && name[i] != '_')
            return false;
    return length >= 2 && length < LANGUAGE_NAME_MAX;
}

static bool has_catalogue(const char *name, size_t length, struct catalogue *catalogue)
{
    char folder[PATH_MAX], path[PATH_MAX + 64];

    for (int place = 0; place < FOLDERS; place++) {
        if (!is_name(name, length) || !locale_folder(place, folder))
            continue;
        snprintf(path, sizeof path, "%s/%.*s/LC_MESSAGES/ludus.mo", folder, (int)length, name);
        *catalogue = (struct catalogue){.bytes = NULL};
        if (read_catalogue(path, catalogue)) {
            snprintf(catalogue->name, sizeof catalogue->name, "%.*s", (int)length, name);
            return true;
        }
    }
    return false;
}

/* Finds the catalogue for a name such as "pt_PT.UTF-8": that of "pt_PT", or else of "pt". */
static bool find_catalogue(const char *name, struct catalogue *catalogue)
{
    size_t whole = strcspn(name, ".@"), language = strcspn(name, "_.@");

    return has_catalogue(name, whole, catalogue) ||
           (language < whole && has_catalogue(name, language, catalogue));
}

/* The locale that the environment names for a category; "" for none. */
static const char *locale_named(const char *category)
{
    const char *const variables[] = {"LC_ALL", category, "LANG"};

    for (size_t i = 0; i < sizeof variables / sizeof variables[0]; i++) {
        const char *value = getenv(variables[i]);
        if (value != NULL && value[0] != '\0')
            return value;
    }
    return "";
}

/* Libraries must know the encoding: that of the environment, or UTF-8 where that is meant by a
 * locale that this system does not have, and where the letters of a catalogue need it. */
static void set_encoding(bool english)
{
    bool known = setlocale(LC_CTYPE, "") != NULL;
    bool is_meant = !known && strcasestr(locale_named("LC_CTYPE"), "utf") != NULL;

    if (is_meant || (!english && strcmp(nl_langinfo(CODESET), "UTF-8") != 0))
        setlocale(LC_CTYPE, "C.UTF-8");
}

static void use_catalogue(const struct catalogue *catalogue)
{
    static const char entry[] = "Plural-Forms:";
    size_t bytes;

    free(present.bytes);
    present = *catalogue;
    const char *header = present.bytes != NULL ? find_sentence(&present, "", &bytes) : NULL;
    present.forms = header != NULL ? strstr(header, entry) : NULL;
    text_translate_by(present.bytes != NULL ? &by_catalogue : NULL);
    set_encoding(present.bytes == NULL);
}

bool language_choose(const char *wanted, struct cause *cause)
{
    const char *name = wanted != NULL ? wanted : locale_named("LC_MESSAGES");
    struct catalogue catalogue = {.name = "en"};
    size_t language = strcspn(name, "_.@");

    if (language == 2 && strncmp(name, "en", 2) == 0) {
        use_catalogue(&catalogue);
        return true;
    }
    if (find_catalogue(name, &catalogue)) {
        use_catalogue(&catalogue);
        return true;
    }
    if (wanted == NULL) {
        use_catalogue(&(struct catalogue){.name = "en"});
        return true;
    }
    char names[LANGUAGES_MAX][LANGUAGE_NAME_MAX], list[160] = "";
    int count = language_list(names);
    for (int i = 0; i < count; i++)
        if (strlen(list) + LANGUAGE_NAME_MAX + 2 < sizeof list)
            snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", i > 0 ? ", " : "",
                     names[i]);
    return cause_set(cause, "unknown language '%.40s': there are %s", wanted, list);
}

const char *language_name(void)
{
    return present.name;
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(a, b);
}

int language_list(char names[LANGUAGES_MAX][LANGUAGE_NAME_MAX])
{
    char path[PATH_MAX];
    int count = 1;

    snprintf(names[0], LANGUAGE_NAME_MAX, "en");
    for (int place = 0; place < FOLDERS; place++) {
        DIR *folder = locale_folder(place, path) ? opendir(path) : NULL;
        struct dirent *entry;
        while (folder != NULL && count < LANGUAGES_MAX && (entry = readdir(folder)) != NULL) {
            struct catalogue catalogue;
            bool known = false;
            for (int i = 0; i < count; i++)
                known = known || strcmp(names[i], entry->d_name) == 0;
            if (known || !has_catalogue(entry->d_name, strlen(entry->d_name), &catalogue))
                continue;
            snprintf(names[count++], LANGUAGE_NAME_MAX, "%s", catalogue.name);
            free(catalogue.bytes);
        }
        if (folder != NULL)
            closedir(folder);
    }
    qsort(names[1], (size_t)count - 1, sizeof names[0], compare_names);
    return count;
}

const char *language_option(int *argc, char *argv[])
{
    static const char option[] = "--language";
    const char *value = NULL;
    int kept = 1;

    for (int i = 1; i < *argc; i++) {
        size_t length = strlen(option);
        bool is_option = strncmp(argv[i], option, length) == 0;
        if (strcmp(argv[i], "--") == 0) {
            while (i < *argc)
                argv[kept++] = argv[i++];
        } else if (is_option && argv[i][length] == '=') {
            value = argv[i] + length + 1;
        } else if (is_option && argv[i][length] == '\0') {
            value = i + 1 < *argc ? argv[++i] : "";
        } else {
            argv[kept++] = argv[i];
        }
    }
    argv[kept] = NULL;
    *argc = kept;
    return value;
}
