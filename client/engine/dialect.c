#include "dialect.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

/* What follows these words (any case) at the start of `line`, or NULL. */
static const char *after(const char *line, const char *words)
{
    size_t length = strlen(words);

    if (strncasecmp(line, words, length) != 0 || (line[length] != ' ' && line[length] != '\0'))
        return NULL;
    return line + length;
}

/* Whether a combo option has this value. */
static bool has_value(const char *rest, const char *value)
{
    while ((rest = strstr(rest, " var ")) != NULL) {
        rest += strlen(" var ");
        if (after(rest, value) != NULL)
            return true;
    }
    return false;
}

void profile_note(struct profile *profile, const char *line)
{
    const char *rest;

    if ((rest = after(line, "id name")) != NULL)
        snprintf(profile->name, sizeof profile->name, "%s", rest + strspn(rest, " "));
    else if (after(line, "option name Game type") != NULL)
        profile->offers_game = true;
    else if (after(line, "option name VariantPath type") != NULL)
        profile->offers_variant_path = true;
    else if ((rest = after(line, "option name UCI_Variant type")) != NULL) {
        profile->offers_variants = true;
        profile->offers_clobber = has_value(rest, "clobber");
    }
}

void setup_release(struct setup *setup)
{
    if (setup->ini_path[0] != '\0')
        unlink(setup->ini_path);
    setup->ini_path[0] = '\0';
}
