#include "settings.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "client/link/identity.h"
#include "common/options.h"

enum { SETTING_LINE_MAX = 128 };

static const struct option_row rows[] = {
    {.name = "theme", TO_TEXT(settings, theme)},
    {.name = "language", TO_TEXT(settings, language)},
    {.name = "pieces", .argument = "symbols|letters", TO_CHOICE(settings, letters)},
    {.name = "board-rows", TO_NUMBER(settings, board_rows, 0, 7)},
    {.name = "bell", .argument = "off|on", TO_CHOICE(settings, bell)},
    {.name = "game", TO_TEXT(settings, setup.game)},
    {.name = "variant", TO_TEXT(settings, setup.variant)},
    {.name = "clock", TO_TEXT(settings, setup.clock)},
    {.name = "bot", TO_TEXT(settings, setup.bot)},
    {.name = NULL},
};

/* Passes over what it does not know: another version may have written it. */
static void read_line(struct settings *settings, char *line)
{
    char *value = line + strcspn(line, " \n");
    struct cause cause;

    if (*value != '\0')
        *value++ = '\0';
    const struct option_row *row = option_find(rows, line);
    value[strcspn(value, "\n")] = '\0';
    if (row != NULL)
        option_set(row, settings, value, SOURCE_FILE, &cause);
}

void settings_load(struct settings *settings)
{
    char path[PATH_MAX], line[SETTING_LINE_MAX];
    struct cause cause;
    FILE *file;

    *settings = (struct settings){.theme = ""};
    if (!identity_path("settings", path, &cause) || (file = fopen(path, "re")) == NULL)
        return;
    while (fgets(line, sizeof line, file) != NULL)
        read_line(settings, line);
    fclose(file);
}

static bool write_file(const struct settings *settings, const char *path)
{
    char value[OPTION_VALUE_MAX];
    struct safe_file file;

    if (!safe_file_open(&file, path))
        return false;
    for (const struct option_row *row = rows; row->name != NULL; row++) {
        option_value(row, settings, value);
        if (value[0] != '\0')
            fprintf(file.draft, "%s %s\n", row->name, value);
    }
    return safe_file_keep(&file);
}

bool settings_save(const struct settings *settings, struct cause *cause)
{
    char path[PATH_MAX];

    if (!identity_path("settings", path, cause))
        return false;
    return write_file(settings, path) || cause_set(cause, "%.150s: %s", path, strerror(errno));
}
