#include "names.h"

#include <langinfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "client/link/json_read.h"
#include "common/text.h"
#include "common/xmalloc.h"
#include "wrap.h"

/* Whether the letter is of a script that runs from right to left: terminals differ in where such a
 * name makes what is beside it go. */
static bool runs_left(wchar_t letter)
{
    return (letter >= 0x590 && letter < 0x900) || (letter >= 0xFB1D && letter < 0xFE00) ||
           (letter >= 0xFE70 && letter < 0xFF00) || (letter >= 0x10800 && letter < 0x11000) ||
           (letter >= 0x1E800 && letter < 0x1F000);
}

/* Whether the locale has the letters of a display name, which is as untrusted as any text of a
 * server. */
static bool is_showable(const char *display)
{
    bool utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
    const char *at = display, *end = display + strlen(display);
    mbstate_t state = {0};
    wchar_t letter;

    while (at < end) {
        size_t used = mbrtowc(&letter, at, (size_t)(end - at), &state);
        if (used == 0 || used > (size_t)(end - at) || wcwidth(letter) < 0 || runs_left(letter) ||
            (letter > 0x7e && !utf8))
            return false;
        at += used;
    }
    return utf8_is_clean(display, strlen(display)) && wrap_columns(display, strlen(display)) > 0;
}

/* The index of a name, or the count. */
static int find_known(const struct names *names, const char *name)
{
    int i = 0;

    while (i < names->count && strcmp(names->known[i].name, name) != 0)
        i++;
    return i;
}

void names_release(struct names *names)
{
    free(names->known);
    *names = (struct names){.count = 0};
}

void names_note(struct names *names, const char *name, const char *display)
{
    int i = find_known(names, name);

    if (i == names->count && display[0] == '\0')
        return;
    if (i == NAMES_MAX) {
        i = names->oldest;
        names->oldest = (i + 1) % NAMES_MAX;
    } else if (i == names->count) {
        if (names->known == NULL)
            names->known = xcalloc(NAMES_MAX, sizeof names->known[0]);
        names->count++;
    }
    struct known_name *known = &names->known[i];
    snprintf(known->name, sizeof known->name, "%s", name);
    snprintf(known->display, sizeof known->display, "%s", display);
    utf8_clean(known->display); /* a letter may have been cut */
}

/* The member that has the display name of the player whom another member names. */
static const char *display_member(const char *member)
{
    return strcmp(member, "white") == 0   ? "white_display"
           : strcmp(member, "black") == 0 ? "black_display"
                                          : "display";
}

static void learn_row(struct names *names, const cJSON *row, const char *const members[2])
{
    for (int i = 0; i < 2 && members[i] != NULL; i++) {
        const char *name = json_text(row, members[i]);
        if (name != NULL && strlen(name) < PLAYER_NAME_MAX)
            names_note(names, name, json_text_or(row, display_member(members[i]), ""));
    }
}

void names_learn(struct names *names, const cJSON *message)
{
    static const struct {
        const char *type;
        const char *list; /* the member that has the rows; NULL: the message is one itself */
        const char *members[2];
    } kinds[] = {
        {"state", "players", {"name"}},
        {"who", "players", {"name"}},
        {"top", "players", {"name"}},
        {"tournament", "players", {"name"}},
        {"series", "players", {"name"}},
        {"seeks", "seeks", {"name"}},
        {"list", "matches", {"white", "black"}},
        {"lobby", NULL, {"white", "black"}},
        {"history", NULL, {"name"}},
        {"presence", NULL, {"name"}},
        {"challenge", NULL, {"from"}},
        {"paired", NULL, {"opponent"}},
    };
    const char *type = json_text_or(message, "type", "");

    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        const cJSON *row;
        if (strcmp(type, kinds[i].type) != 0)
            continue;
        if (kinds[i].list == NULL)
            learn_row(names, message, kinds[i].members);
        else
            cJSON_ArrayForEach (row, json_member(message, kinds[i].list))
                learn_row(names, row, kinds[i].members);
    }
}

const char *name_shown(const char *name, const char *display)
{
    return is_showable(display) ? display : name;
}

const char *names_shown(const struct names *names, const char *name)
{
    int i = find_known(names, name);

    return i < names->count ? name_shown(name, names->known[i].display) : name;
}

const char *names_shown_of(const struct names *names, const cJSON *row, const char *member)
{
    const char *name = json_text(row, member);
    const char *display = json_text(row, display_member(member));

    if (name == NULL || (display == NULL && strcmp(member, "name") == 0))
        return name; /* who has no display name; or no player: tournaments have names, too */
    return display != NULL ? name_shown(name, display) : names_shown(names, name);
}

const char *name_cut(const char *shown, char text[PLAYER_DISPLAY_MAX])
{
    return wrap_cut(shown, NAME_COLUMNS, text, PLAYER_DISPLAY_MAX);
}

const char *names_cut_of(const struct names *names, const cJSON *row, const char *member,
                         const char *otherwise, char text[PLAYER_DISPLAY_MAX])
{
    const char *shown = names_shown_of(names, row, member);

    return name_cut(shown != NULL ? shown : otherwise, text);
}

int names_width(const struct names *names, const cJSON *players)
{
    char text[PLAYER_DISPLAY_MAX];
    const cJSON *player;
    int width = 0;

    cJSON_ArrayForEach (player, players) {
        names_cut_of(names, player, "name", "", text);
        int columns = wrap_columns(text, strlen(text));
        width = columns > width ? columns : width;
    }
    return width;
}
