#include "config_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/text_line.h"
#include "common/xmalloc.h"

enum { LINE_MAX_BYTES = 1024, CONFIG_LINES_MAX = 256 };

/* Finds the value of --config. It leaves complaints to usage_read(). */
static const char *find_path(const struct usage_row *rows, const char *order, int argc,
                             char *argv[])
{
    struct option longs[USAGE_ROWS_MAX];
    const char *path = NULL;
    int code, row = 0;

    usage_longs(rows, longs);
    while ((code = getopt_long(argc, argv, order, longs, &row)) != -1 && code != '?' && code != ':')
        if (strcmp(rows[row].name, "config") == 0)
            path = optarg;
    optind = 0; /* getopt_long() is to begin again */
    return path;
}

static const struct usage_row *find_row(const struct usage_row *rows, const char *name)
{
    for (; rows->name != NULL; rows++)
        if (strcmp(rows->name, name) == 0)
            return rows;
    return NULL;
}

/* Turns a line into an argument, which the caller owns; *argument is NULL if there is none. */
static bool read_line(const struct usage_row *rows, char *line, char **argument,
                      struct cause *cause)
{
    char *name, *value;

    *argument = NULL;
    if (!text_line_setting(line, &name, &value, cause))
        return false;
    if (name == NULL)
        return true;
    const struct usage_row *row = find_row(rows, name);
    if (row == NULL || row->code == USAGE_HELP || row->code == USAGE_VERSION ||
        strcmp(name, "config") == 0)
        return cause_set(cause, "%.40s: unknown option", name);
    bool is_flag = row->argument == NULL, is_yes = strcmp(value, "yes") == 0;
    if (is_flag && !is_yes && strcmp(value, "no") != 0)
        return cause_set(cause, "%.40s: write yes or no", name);
    if (is_flag && !is_yes)
        return true;
    size_t size = strlen(name) + strlen(value) + sizeof "--=";
    *argument = xmalloc(size);
    snprintf(*argument, size, is_flag ? "--%s" : "--%s=%s", name, value);
    return true;
}

/* Reads the lines of an open file into `arguments`, and counts them. */
static bool read_lines(const struct usage_row *rows, FILE *file, const char *path,
                       char *arguments[CONFIG_LINES_MAX], int *count, struct cause *cause)
{
    char line[LINE_MAX_BYTES];
    struct cause why;

    for (int number = 1; fgets(line, sizeof line, file) != NULL; number++) {
        bool good = strchr(line, '\n') != NULL || feof(file) ||
                    cause_set(&why, "longer than %d bytes", LINE_MAX_BYTES - 2);
        if (good && *count == CONFIG_LINES_MAX)
            good = cause_set(&why, "more than %d options", CONFIG_LINES_MAX);
        if (!good || !read_line(rows, line, &arguments[*count], &why))
            return cause_set(cause, "%.100s:%d: %.90s", path, number, why.text);
        *count += arguments[*count] != NULL;
    }
    return !ferror(file) || cause_set(cause, "%.100s: %s", path, strerror(errno));
}

/* Returns argv with the arguments after its first word, as one block with their texts, and frees
 * them. */
static char **join(char *argv[], int argc, char *arguments[], int count)
{
    size_t words = (size_t)(argc + count) + 1, bytes = 0;

    for (int i = 0; i < count; i++)
        bytes += strlen(arguments[i]) + 1;
    char **all = xcalloc(1, words * sizeof all[0] + bytes), *text = (char *)(all + words);
    all[0] = argv[0];
    for (int i = 0; i < count; i++) {
        size_t size = strlen(arguments[i]) + 1;
        memcpy(text, arguments[i], size);
        all[1 + i] = text;
        text += size;
        free(arguments[i]);
    }
    memcpy(all + 1 + count, argv + 1, (size_t)(argc - 1) * sizeof all[0]);
    return all;
}

char **config_file_add(const struct usage_row *rows, const char *order, int *argc, char *argv[],
                       struct cause *cause)
{
    const char *path = find_path(rows, order, *argc, argv);
    char *arguments[CONFIG_LINES_MAX];
    int count = 0;

    if (path == NULL)
        return argv;
    FILE *file = fopen(path, "re");
    if (file == NULL) {
        cause_set(cause, "%.100s: %s", path, strerror(errno));
        return NULL;
    }
    bool good = read_lines(rows, file, path, arguments, &count, cause);
    fclose(file);
    if (!good) {
        while (count > 0)
            free(arguments[--count]);
        return NULL;
    }
    char **all = join(argv, *argc, arguments, count);
    *argc += count;
    return all;
}
