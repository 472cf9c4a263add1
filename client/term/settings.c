#include "settings.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "client/link/identity.h"

enum { SETTING_LINE_MAX = 128 };

/* The member that keeps that choice; NULL: none. */
static char *choice_of(struct setup_choices *setup, const char *name)
{
    if (strcmp(name, "game") == 0)
        return setup->game;
    if (strcmp(name, "variant") == 0)
        return setup->variant;
    if (strcmp(name, "clock") == 0)
        return setup->clock;
    return strcmp(name, "bot") == 0 ? setup->bot : NULL;
}

static void read_line(struct settings *settings, const char *line)
{
    char name[THEME_NAME_MAX], value[CHOICE_MAX];

    if (sscanf(line, "%15s %39[^\n]", name, value) != 2)
        return;
    char *choice = choice_of(&settings->setup, name);
    if (choice != NULL)
        memcpy(choice, value, strlen(value) + 1);
    if (strcmp(name, "theme") == 0)
        snprintf(settings->theme, sizeof settings->theme, "%.15s", value);
    if (strcmp(name, "pieces") == 0)
        settings->letters = strcmp(value, "letters") == 0;
    if (strcmp(name, "bell") == 0)
        settings->bell = strcmp(value, "on") == 0;
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

static void write_choice(FILE *file, const char *name, const char *value)
{
    if (value[0] != '\0')
        fprintf(file, "%s %s\n", name, value);
}

static bool write_file(const struct settings *settings, const char *path)
{
    struct safe_file file;

    if (!safe_file_open(&file, path))
        return false;
    if (settings->theme[0] != '\0')
        fprintf(file.draft, "theme %s\n", settings->theme);
    fprintf(file.draft, "pieces %s\n", settings->letters ? "letters" : "symbols");
    fprintf(file.draft, "bell %s\n", settings->bell ? "on" : "off");
    write_choice(file.draft, "game", settings->setup.game);
    write_choice(file.draft, "variant", settings->setup.variant);
    write_choice(file.draft, "clock", settings->setup.clock);
    write_choice(file.draft, "bot", settings->setup.bot);
    return safe_file_keep(&file);
}

bool settings_save(const struct settings *settings, struct cause *cause)
{
    char path[PATH_MAX];

    if (!identity_path("settings", path, cause))
        return false;
    return write_file(settings, path) || cause_set(cause, "%.150s: %s", path, strerror(errno));
}
