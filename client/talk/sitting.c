#include "sitting.h"

#include <stdio.h>
#include <string.h>

#include "client/model/match_words.h"

static int find(const struct client *client, const char *match)
{
    int i = 0;

    while (i < SITTINGS_MAX && strcmp(client->sittings[i].match, match) != 0)
        i++;
    return i;
}

/* "Clobber 5x6 against bob" */
static void write_label(const struct match_state *view, char *label, size_t size)
{
    char game[GAME_LABEL_MAX];
    enum color mine;

    game_label(view->game, view->variant, game);
    if (!match_state_my_color(view, &mine))
        snprintf(label, size, "%s, both sides", game);
    else if (view->seats[!mine].name[0] == '\0')
        snprintf(label, size, "%s, waiting for somebody", game);
    else
        snprintf(label, size, "%s against %s", game, view->seats[!mine].name);
}

static bool is_against_person(const struct match_state *view)
{
    enum color mine;

    return match_state_my_color(view, &mine) && !view->seats[!mine].bot;
}

static void note_offers(const struct match_state *view, struct sitting *sitting)
{
    enum color mine;
    bool against = match_state_my_color(view, &mine);

    snprintf(sitting->other, sizeof sitting->other, "%s", against ? view->seats[!mine].name : "");
    for (enum offer what = OFFER_DRAW; what < OFFER_KINDS; what++)
        sitting->asked[what] = match_state_asked(view, what);
}

static void forget(struct client *client, const char *match)
{
    int i = find(client, match);

    if (i < SITTINGS_MAX)
        client->sittings[i] = (struct sitting){.match = ""};
}

struct sitting *sitting_note(struct client *client, const struct match_state *view)
{
    int i = find(client, view->match);

    if (!match_state_seated(view) || view->status == STATE_OVER) {
        forget(client, view->match);
        return NULL;
    }
    if (i == SITTINGS_MAX)
        i = find(client, "");
    if (i == SITTINGS_MAX)
        return NULL;
    struct sitting *sitting = &client->sittings[i];
    if (sitting->match[0] == '\0')
        sitting->told_ply = -1;
    snprintf(sitting->match, sizeof sitting->match, "%s", view->match);
    write_label(view, sitting->label, sizeof sitting->label);
    note_offers(view, sitting);
    sitting->ply = view->ply;
    sitting->my_turn = match_state_my_turn(view);
    sitting->with_person = view->status == STATE_PLAYING && is_against_person(view);
    return sitting;
}

int sitting_count(const struct client *client)
{
    int count = 0;

    for (int i = 0; i < SITTINGS_MAX; i++)
        count += client->sittings[i].match[0] != '\0';
    return count;
}

bool sitting_has(const struct client *client, const char *match)
{
    return match[0] != '\0' && find(client, match) < SITTINGS_MAX;
}

struct sitting *sitting_find(struct client *client, const char *match)
{
    return sitting_has(client, match) ? &client->sittings[find(client, match)] : NULL;
}

const char *sitting_other(const struct client *client)
{
    const char *other = NULL;

    for (int i = 0; i < SITTINGS_MAX; i++) {
        const char *match = client->sittings[i].match;
        if (match[0] == '\0' || strcmp(match, client->view.match) == 0)
            continue;
        if (other != NULL)
            return NULL;
        other = match;
    }
    return other;
}
