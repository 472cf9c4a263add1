#include "config.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "common/xmalloc.h"

enum { LINE_MAX_BYTES = 8192 };

bool config_default_path(char path[FOLDER_TEXT_MAX])
{
    const char *service = getenv("CONFIGURATION_DIRECTORY");
    const char *config = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
    int length;

    if (service != NULL && service[0] == '/' && strchr(service, ':') == NULL)
        length = snprintf(path, FOLDER_TEXT_MAX, "%s/ludusd.conf", service);
    else if (config != NULL && config[0] == '/') /* the specification ignores relative ones */
        length = snprintf(path, FOLDER_TEXT_MAX, "%s/ludus/ludusd.conf", config);
    else if (home != NULL && home[0] == '/')
        length = snprintf(path, FOLDER_TEXT_MAX, "%s/.config/ludus/ludusd.conf", home);
    else
        return false;
    return length < FOLDER_TEXT_MAX;
}

bool config_exists(const char *path)
{
    struct stat found;

    return stat(path, &found) == 0 || (errno != ENOENT && errno != ENOTDIR);
}

/* Takes spaces off both ends. */
static char *trim(char *text)
{
    char *end = text + strlen(text);

    while (end > text && strchr(" \t\r\n", end[-1]) != NULL)
        *--end = '\0';
    return text + strspn(text, " \t");
}

/* Reads one line; `lines` says on which line an option stood already, by its place in the table. */
static bool read_line(struct options *options, char *line, int number, int *lines,
                      struct cause *cause)
{
    char *name = trim(line), *equals = strchr(name, '=');

    if (*name == '\0' || *name == '#')
        return true;
    if (equals == NULL)
        return cause_set(cause, "'%.40s': not a setting: write name = value", name);
    *equals = '\0';
    name = trim(name);
    const struct option_row *row = option_find(name);
    if (row == NULL)
        return cause_set(cause, "'%.40s': unknown option: see ludusd --help", name);
    if (row->not_in_file)
        return cause_set(cause, "%s: not allowed in a file: give it on the command line", name);
    int *before = &lines[row - option_rows];
    if (*before != 0 && row->kind != OPTION_LISTEN)
        return cause_set(cause, "%s: already set in line %d", name, *before);
    *before = number;
    return option_set(options, row, trim(equals + 1), cause);
}

/* Reads the lines. On failure *number is that of the line. */
static bool read_lines(struct options *options, FILE *file, int *number, struct cause *cause)
{
    int *lines = xcalloc((size_t)option_row_count, sizeof *lines);
    char line[LINE_MAX_BYTES];
    bool good = true;

    for (*number = 1; good && fgets(line, sizeof line, file) != NULL; *number += good) {
        bool whole = strchr(line, '\n') != NULL || feof(file);
        good = whole ? read_line(options, line, *number, lines, cause)
                     : cause_set(cause, "line too long, or not text");
    }
    free(lines);
    return good;
}

bool config_read(struct options *options, const char *path, struct cause *cause)
{
    FILE *file = fopen(path, "re");
    struct cause why;
    int number;

    if (file == NULL)
        return cause_set(cause, "%.120s: %s", path, strerror(errno));
    bool good = read_lines(options, file, &number, &why);
    if (!good)
        cause_set(cause, "%.80s:%d: %.100s", path, number, why.text);
    else if (ferror(file))
        good = cause_set(cause, "%.120s: %s", path, strerror(errno));
    fclose(file);
    return good;
}
