#include "options.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text.h"
#include "xmalloc.h"

enum { LINE_MAX_BYTES = 8192 };

/* A value that is no word of the command line. Each is kept once, until the program ends, as
 * options may point to it. */
struct kept_value {
    struct kept_value *next;
    char text[];
};

static struct kept_value *kept_values;

static const char *keep_value(const char *start, size_t length, const char *rest)
{
    size_t size = length + strlen(rest) + 1;
    struct kept_value *value = kept_values;

    while (value != NULL &&
           (strncmp(value->text, start, length) != 0 || strcmp(value->text + length, rest) != 0))
        value = value->next;
    if (value != NULL)
        return value->text;
    value = xmalloc(sizeof *value + size);
    value->next = kept_values;
    kept_values = value;
    snprintf(value->text, size, "%.*s%s", (int)length, start, rest);
    return value->text;
}

const struct option_row *option_find(const struct option_row *rows, const char *name)
{
    for (; rows->name != NULL; rows++)
        if (strcmp(rows->name, name) == 0)
            return rows;
    return NULL;
}

const char *option_path(const char *path)
{
    size_t length = strcspn(path, "/");
    const char *home = NULL;

    if (path[0] != '~')
        return path;
    if (length == 1)
        home = getenv("HOME");
    if (home == NULL) {
        const char *name = keep_value(path + 1, length - 1, "");
        const struct passwd *user = length > 1 ? getpwnam(name) : NULL;
        home = user != NULL ? user->pw_dir : NULL;
    }
    return home != NULL ? keep_value(home, strlen(home), path + length) : path;
}

const char *option_fault(const char *value)
{
    if (value[0] == '\0')
        return _("needs a value");
    for (; *value != '\0'; value++)
        if (iscntrl((unsigned char)*value))
            return _("control characters");
    return NULL;
}

bool option_number(const char *value, long min, long max, long *number, struct cause *cause)
{
    return number_parse(value, strlen(value), min, max, number) ||
           cause_set(cause, "invalid value '%.60s': write a number from %ld to %ld", value, min,
                     max);
}

static bool set_number(const struct option_row *row, void *member, const char *value,
                       struct cause *cause)
{
    long number;

    if (!option_number(value, row->min, row->max, &number, cause))
        return false;
    if (row->size == sizeof(int))
        *(int *)member = (int)number;
    else
        *(long *)member = number;
    return true;
}

/* Returns a word of "one|two|three", from place 0, and its length: 0 at the end. */
static const char *choice(const char *words, int place, size_t *length)
{
    *length = strcspn(words, "|");
    for (; place > 0; place--) {
        words += *length + (words[*length] == '|');
        *length = strcspn(words, "|");
    }
    return words;
}

static bool set_choice(const struct option_row *row, void *member, const char *value,
                       struct cause *cause)
{
    const char *word;
    size_t length;

    for (int i = 0; word = choice(row->argument, i, &length), length > 0; i++)
        if (strlen(value) == length && strncmp(word, value, length) == 0) {
            if (row->size == sizeof(bool))
                *(bool *)member = i > 0;
            else
                *(int *)member = i;
            return true;
        }
    return cause_set(cause, "invalid value '%.40s': write %s", value, row->argument);
}

static bool set_flag(bool *member, const char *value, struct cause *cause)
{
    if (value != NULL && strcmp(value, "yes") != 0 && strcmp(value, "no") != 0)
        return cause_set(cause, "invalid value '%.60s': write yes or no", value);
    *member = value == NULL || strcmp(value, "yes") == 0;
    return true;
}

static bool set_text(const struct option_row *row, char *member, const char *value,
                     struct cause *cause)
{
    if (value[0] == '\0')
        return cause_set(cause, "value missing: %s", row->argument);
    if (strlen(value) >= row->size)
        return cause_set(cause, "invalid length: write 1 to %zu bytes", row->size - 1);
    snprintf(member, row->size, "%s", value);
    return true;
}

bool option_set(const struct option_row *row, void *context, const char *value,
                enum option_source source, struct cause *cause)
{
    void *member = (char *)context + row->offset;
    bool word = row->kind == OPTION_WORD || row->kind == OPTION_OWN;
    const char *fault = word && value != NULL ? option_fault(value) : NULL;

    if (fault != NULL)
        return value[0] == '\0' && row->argument != NULL
                   ? cause_set(cause, "value missing: %s", row->argument)
                   : cause_set(cause, "%s", fault);
    if (row->path)
        value = option_path(value);
    const struct option_input input = {value, source};
    if (row->read != NULL && !row->read(context, &input, cause))
        return false;
    switch (row->kind) {
    case OPTION_FLAG:
        return set_flag(member, value, cause);
    case OPTION_NUMBER:
        return set_number(row, member, value, cause);
    case OPTION_CHOICE:
        return set_choice(row, member, value, cause);
    case OPTION_TEXT:
        return set_text(row, member, value, cause);
    case OPTION_WORD:
        *(const char **)member = value;
        return true;
    default:
        return true;
    }
}

void option_value(const struct option_row *row, const void *context, char text[OPTION_VALUE_MAX])
{
    const void *member = (const char *)context + row->offset;
    const char *word = "";
    size_t length;

    switch (row->kind) {
    case OPTION_FLAG:
        word = *(const bool *)member ? "yes" : "no";
        break;
    case OPTION_NUMBER:
        snprintf(text, OPTION_VALUE_MAX, "%ld",
                 row->size == sizeof(int) ? *(const int *)member : *(const long *)member);
        return;
    case OPTION_CHOICE:
        word = choice(row->argument,
                      row->size == sizeof(bool) ? *(const bool *)member : *(const int *)member,
                      &length);
        snprintf(text, OPTION_VALUE_MAX, "%.*s", (int)length, word);
        return;
    case OPTION_TEXT:
        word = member;
        break;
    case OPTION_WORD:
        word = *(const char *const *)member != NULL ? *(const char *const *)member : "";
        break;
    default:
        break;
    }
    snprintf(text, OPTION_VALUE_MAX, "%s", word);
}

void options_set_defaults(const struct option_row *rows, void *context)
{
    struct cause cause;

    for (; rows->name != NULL; rows++)
        if (rows->standard != NULL)
            option_set(rows, context, rows->standard, SOURCE_DEFAULT, &cause);
}

/* A file that is being read. */
struct option_file {
    const char *program;
    const struct option_row *rows;
    void *context;
    int line;
    int set_in[OPTIONS_MAX]; /* for each row the line that set it; 0: none */
};

/* The name of the option that a mistyped one stands for, on a command line or in a file. */
static struct meant_word find_meant(const struct option_row *rows, const char *name, bool in_file)
{
    struct meant_word meant;

    meant_begin(&meant, name);
    for (; rows->name != NULL; rows++)
        if (!rows->hidden && !(in_file && rows->not_in_file))
            meant_try(&meant, rows->name);
    return meant;
}

static bool read_line(struct option_file *file, char *line, struct cause *cause)
{
    char *name, *value;
    struct cause why;

    if (!text_line_setting(line, &name, &value, cause))
        return false;
    if (name == NULL)
        return true;
    const struct option_row *row = option_find(file->rows, name);
    if (row == NULL || row->kind == OPTION_HELP || row->kind == OPTION_VERSION) {
        struct meant_word meant = find_meant(file->rows, name, true);
        char text[MEANT_TEXT_MAX];
        return cause_set(cause, "'%.40s': unknown option%s: see %s --help", name,
                         meant_text(&meant, "", text), file->program);
    }
    if (row->not_in_file || row->config)
        return cause_set(cause, "%s: not allowed in a file: give it on the command line", name);
    int *before = &file->set_in[row - file->rows];
    if (*before != 0 && !row->repeats)
        return cause_set(cause, "%s: already set in line %d", name, *before);
    *before = file->line;
    if (row->kind == OPTION_WORD || row->kind == OPTION_OWN)
        value = (char *)keep_value(value, strlen(value), "");
    return option_set(row, file->context, value, SOURCE_FILE, &why) ||
           cause_set(cause, "%s: %s", name, why.text);
}

static bool read_lines(struct option_file *file, FILE *stream, struct cause *cause)
{
    char line[LINE_MAX_BYTES];

    for (file->line = 1; fgets(line, sizeof line, stream) != NULL; file->line++) {
        if (strchr(line, '\n') == NULL && !feof(stream))
            return cause_set(cause, "line too long, or not text");
        if (!read_line(file, line, cause))
            return false;
    }
    return true;
}

/* Reads the file, which may be missing if `optional`: then *found is false. */
static bool read_file(struct option_file *file, const char *path, bool optional, bool *found,
                      struct cause *cause)
{
    FILE *stream = fopen(path, "re");
    struct cause why;

    *found = stream != NULL;
    if (stream == NULL && optional && (errno == ENOENT || errno == ENOTDIR))
        return true;
    if (stream == NULL)
        return cause_set(cause, "%.120s: %s", path, strerror(errno));
    bool good = read_lines(file, stream, &why) ||
                cause_set(cause, "%.80s:%d: %.100s", path, file->line, why.text);
    if (good && ferror(stream))
        good = cause_set(cause, "%.120s: %s", path, strerror(errno));
    fclose(stream);
    return good;
}

/* Says what is wrong with the word at which getopt_long() has stopped. optopt is the letter, a
 * char, of a single-letter option, within whose word it may still be; of other options it is the
 * place of the row, or 0. */
static bool refuse_word(const struct option_row *rows, int found, char *argv[], struct cause *cause)
{
    const char *word = argv[optind - 1];
    size_t length = strcspn(word, "=");

    if (optopt < 0 || (optopt > ' ' && optopt <= UCHAR_MAX))
        return cause_set(cause, "-%c: unknown option: see --help",
                         optopt > 0 && optopt < 0x7f ? optopt : '?');
    if (found == ':')
        return cause_set(cause, "%.60s: value missing: %s", word,
                         rows[optopt - UCHAR_MAX - 1].argument);
    for (const struct option_row *row = rows; row->name != NULL; row++)
        if (strncmp(row->name, word + 2, length - 2) == 0)
            /* A beginning of several names is refused, and a value that --help does not take. */
            return cause_set(cause, "%.60s: unknown option, or used wrongly: see --help", word);
    char name[MEANT_TEXT_MAX], text[MEANT_TEXT_MAX];
    snprintf(name, sizeof name, "%.*s", (int)(length - 2), word + 2);
    struct meant_word meant = find_meant(rows, name, false);
    return cause_set(cause, "%.60s: unknown option%s: see --help", word,
                     meant_text(&meant, "--", text));
}

/* Fills the table for getopt_long(), which gives back the place of a row above all letters. */
static void fill_long_options(const struct option_row *rows, struct option longs[OPTIONS_MAX])
{
    int count = 0;

    for (; count < OPTIONS_MAX - 1 && rows[count].name != NULL; count++) {
        const struct option_row *row = &rows[count];
        bool ends = row->kind == OPTION_HELP || row->kind == OPTION_VERSION;
        longs[count] = (struct option){.name = row->name,
                                       .has_arg = row->argument != NULL ? required_argument
                                                  : ends                ? no_argument
                                                                        : optional_argument,
                                       .val = UCHAR_MAX + 1 + count};
    }
    longs[count] = (struct option){.name = NULL};
}

/* Reads the command line: only the name of the configuration file, or all but that. */
static enum options_result read_words(const struct option_row *rows, enum options_order order,
                                      int argc, char *argv[], bool only_config, void *context,
                                      struct cause *cause)
{
    struct option longs[OPTIONS_MAX];
    struct cause why;
    int found;

    fill_long_options(rows, longs);
    optind = 0; /* GNU: start anew */
    opterr = 0;
    while ((found = getopt_long(argc, argv, order == OPTIONS_FIRST ? "+:" : ":", longs, NULL)) !=
           -1) {
        if (found == '?' && optopt == 'h')
            return OPTIONS_HELP;
        if (found <= UCHAR_MAX) {
            refuse_word(rows, found, argv, cause);
            return OPTIONS_BAD;
        }
        const struct option_row *row = &rows[found - UCHAR_MAX - 1];
        if (row->kind == OPTION_HELP || row->kind == OPTION_VERSION)
            return row->kind == OPTION_HELP ? OPTIONS_HELP : OPTIONS_VERSION;
        if (row->config == only_config && !option_set(row, context, optarg, SOURCE_WORDS, &why)) {
            cause_set(cause, "--%s: %s", row->name, why.text);
            return OPTIONS_BAD;
        }
    }
    return OPTIONS_RUN;
}

/* Reads the file that the row names, or else `path`. Afterwards the row names what was read. */
static bool read_config(const char *program, const struct option_row *rows, const char *path,
                        bool optional, void *context, struct cause *cause)
{
    const struct option_row *row = rows;
    char given[OPTION_VALUE_MAX];

    while (row->name != NULL && !row->config)
        row++;
    if (row->name == NULL)
        return true;
    option_value(row, context, given);
    if (given[0] != '\0') {
        path = given;
        optional = false;
    }
    void *member = (char *)context + row->offset;
    memset(member, 0, row->size);
    if (path == NULL || path[0] == '\0' || strcmp(path, "none") == 0)
        return true;
    struct option_file file = {.program = program, .rows = rows, .context = context};
    bool found;
    if (!read_file(&file, path, optional, &found, cause))
        return false;
    return !found ||
           option_set(row, context, keep_value(path, strlen(path), ""), SOURCE_FILE, cause);
}

enum options_result options_parse(const char *program, const struct option_row *rows,
                                  enum options_order order, int argc, char *argv[],
                                  const char *path, bool optional, void *context,
                                  struct cause *cause)
{
    options_set_defaults(rows, context);
    enum options_result result = read_words(rows, order, argc, argv, true, context, cause);
    if (result != OPTIONS_RUN)
        return result;
    if (!read_config(program, rows, path, optional, context, cause))
        return OPTIONS_BAD;
    return read_words(rows, order, argc, argv, false, context, cause);
}

int options_read(const char *program, const struct option_row *rows, enum options_order order,
                 int argc, char *argv[], void *context)
{
    struct cause cause;
    enum options_result result =
        options_parse(program, rows, order, argc, argv, NULL, false, context, &cause);

    if (result == OPTIONS_VERSION)
        printf("%s " LUDUS_VERSION "\n", program);
    if (result == OPTIONS_BAD) /* a word of the command line is named first, or else the file */
        fprintf(stderr, "%s: %s%s\n", program,
                cause.text[0] == '-' ? "" : "--config: ", cause.text);
    return result;
}
