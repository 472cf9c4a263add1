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

static void add_boards(char text[VALUES_TEXT_MAX])
{
    add_variants(text, &clobber);
}

static void add_levels_of(char text[VALUES_TEXT_MAX], const char *prefix)
{
    for (const char *const *level = level_names; *level != NULL; level++)
        add_word(text, prefix, *level);
}

static void add_levels(char text[VALUES_TEXT_MAX])
{
    add_levels_of(text, "");
}

static void add_seats(char text[VALUES_TEXT_MAX])
{
    add_word(text, "", "me");
    add_word(text, "", "open");
    add_levels_of(text, "bot:");
}

/* What names stand for; one of two kinds has two rows. */
static const struct {
    const char *name;
    enum value_kind kind;
    void (*add)(char text[VALUES_TEXT_MAX]); /* the words, of the kinds that have some */
} names[] = {
    {"GAME", VALUES_WORDS, add_games},
    {"GAME[:VARIANT]", VALUES_WORDS, add_games},
    {"GAMES", VALUES_LIST, add_games},
    {"clobber:WxH", VALUES_WORDS, add_boards},
    {"LEVEL", VALUES_WORDS, add_levels},
    {"LEVELS", VALUES_LIST, add_levels},
    {"SEAT", VALUES_WORDS, add_seats},
    {"FILE", VALUES_FILES, NULL},
    {"DIR", VALUES_FOLDERS, NULL},
    {"HOST:PORT", VALUES_HOSTS, NULL},
    {"HOST[:PORT]", VALUES_HOSTS, NULL},
    {"COMMAND", VALUES_COMMANDS, NULL},
    {"ARG", VALUES_FILES, NULL},
    {"PLAYER", VALUES_WORDS, add_levels}, /* a level of ours, or an engine */
    {"PLAYER", VALUES_FILES, NULL},
};

/* One of the names that stand beside each other. */
static bool read_name(struct values *values, const char *name, size_t length)
{
    bool known = false;

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strlen(names[i].name) == length && memcmp(names[i].name, name, length) == 0) {
            known = values->is[names[i].kind] = true;
            if (names[i].add != NULL)
                names[i].add(values->words[names[i].kind]);
        }
    if (known || length == 0 || !islower((unsigned char)name[0]))
        return known;
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
