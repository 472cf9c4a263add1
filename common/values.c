#include "values.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "game.h"
#include "levels.h"

static void add(char text[VALUES_TEXT_MAX], const char *prefix, const char *word, size_t length)
{
    size_t used = strlen(text);

    snprintf(text + used, VALUES_TEXT_MAX - used, "%s%s%.*s", used > 0 ? " " : "", prefix,
             (int)length, word);
}

static void add_word(char text[VALUES_TEXT_MAX], const char *prefix, const char *word)
{
    add(text, prefix, word, strlen(word));
}

static void add_variants(char text[VALUES_TEXT_MAX], const struct game *game)
{
    char prefix[32];

    snprintf(prefix, sizeof prefix, "%s:", game->name);
    for (const char *const *variant = game->variants; *variant != NULL; variant++)
        add_word(text, prefix, *variant);
}

static void add_games(char text[VALUES_TEXT_MAX])
{
    for (const struct game *const *game = games; *game != NULL; game++) {
        add_word(text, "", (*game)->name);
        add_variants(text, *game);
    }
}

static void add_levels(char text[VALUES_TEXT_MAX], const char *prefix)
{
    for (const char *const *level = level_names; *level != NULL; level++)
        add_word(text, prefix, *level);
}

static void read_game(struct values *values)
{
    values->is[VALUES_WORDS] = true;
    add_games(values->words[VALUES_WORDS]);
}

static void read_game_list(struct values *values)
{
    values->is[VALUES_LIST] = true;
    add_games(values->words[VALUES_LIST]);
}

static void read_board(struct values *values)
{
    values->is[VALUES_WORDS] = true;
    add_variants(values->words[VALUES_WORDS], &clobber);
}

static void read_level(struct values *values)
{
    values->is[VALUES_WORDS] = true;
    add_levels(values->words[VALUES_WORDS], "");
}

static void read_level_list(struct values *values)
{
    values->is[VALUES_LIST] = true;
    add_levels(values->words[VALUES_LIST], "");
}

static void read_seat(struct values *values)
{
    values->is[VALUES_WORDS] = true;
    add_word(values->words[VALUES_WORDS], "", "me");
    add_word(values->words[VALUES_WORDS], "", "open");
    add_levels(values->words[VALUES_WORDS], "bot:");
}

static void read_file(struct values *values)
{
    values->is[VALUES_FILES] = true;
}

static void read_folder(struct values *values)
{
    values->is[VALUES_FOLDERS] = true;
}

static void read_host(struct values *values)
{
    values->is[VALUES_HOSTS] = true;
}

static void read_command(struct values *values)
{
    values->is[VALUES_COMMANDS] = true;
}

/* A level of ours, or an engine. */
static void read_player(struct values *values)
{
    read_level(values);
    read_file(values);
}

static const struct {
    const char *name;
    void (*read)(struct values *values);
} names[] = {
    {"GAME", read_game},         {"GAME[:VARIANT]", read_game}, {"GAMES", read_game_list},
    {"clobber:WxH", read_board}, {"LEVEL", read_level},         {"LEVELS", read_level_list},
    {"SEAT", read_seat},         {"FILE", read_file},           {"DIR", read_folder},
    {"HOST:PORT", read_host},    {"HOST[:PORT]", read_host},    {"COMMAND", read_command},
    {"ARG", read_file},          {"PLAYER", read_player},
};

/* One of the names that stand beside each other. */
static bool read_name(struct values *values, const char *name, size_t length)
{
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strlen(names[i].name) == length && memcmp(names[i].name, name, length) == 0) {
            names[i].read(values);
            return true;
        }
    if (length == 0 || !islower((unsigned char)name[0]))
        return false;
    values->is[VALUES_WORDS] = true;
    add(values->words[VALUES_WORDS], "", name, length);
    return true;
}

/* Takes off the dots of what may be repeated and the brackets of what may be left out. */
static size_t strip(const char **name)
{
    size_t length = strlen(*name);

    if (length >= 3 && strcmp(*name + length - 3, "...") == 0)
        length -= 3;
    if (length >= 2 && (*name)[0] == '[' && (*name)[length - 1] == ']') {
        ++*name;
        length -= 2;
    }
    return length;
}

bool values_read(struct values *values, const char *argument)
{
    size_t left = strip(&argument);
    bool any = false;

    *values = (struct values){.is = {false}};
    for (;;) {
        const char *bar = memchr(argument, '|', left);
        size_t length = bar != NULL ? (size_t)(bar - argument) : left;
        any = read_name(values, argument, length) || any;
        if (bar == NULL)
            return any;
        argument += length + 1;
        left -= length + 1;
    }
}
