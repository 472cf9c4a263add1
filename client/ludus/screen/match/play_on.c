#include "play_on.h"

#include <stdio.h>
#include <string.h>

#include "client/link/json_read.h"
#include "client/ludus/screen/stage/dialog.h"
#include "client/ludus/talk/client.h"
#include "client/ludus/talk/hosting.h"
#include "client/ludus/talk/match_words.h"
#include "client/ludus/talk/play.h"

/* Returns why nobody can play on now; NULL: one can. */
static const char *why_not(const struct client *client, const struct game *game,
                           const struct position *position)
{
    const struct match_state *view = &client->view;

    if (!uplink_is_up(&client->uplink))
        return _("Playing on needs a server: start ludus, and open the file from its menu.");
    if (view->match[0] != '\0' && view->status == STATE_PLAYING && match_state_seated(view))
        return _("Your game still runs: end it before you play on from here.");
    return game->legal(position, NULL) == 0 ? _("The game is over here: step back to play on.")
                                            : NULL;
}

/* Whom to play, by the words of `new` for a seat. */
struct opponents {
    struct pick pick;
    char seats[PICK_MAX][PLAYER_NAME_MAX];
    int elsewhere; /* the row for which a server is opened to the network first; -1: none */
};

static void add_opponent(struct opponents *opponents, const char *seat, const char *label,
                         const char *words)
{
    struct pick *pick = &opponents->pick;

    if (pick->count == PICK_MAX)
        return;
    snprintf(opponents->seats[pick->count], PLAYER_NAME_MAX, "%s", seat);
    pick_add(pick, "%s%s%s", label, words != NULL ? ": " : "", words != NULL ? words : "");
}

/* Adds the bots, whoever comes first, and the people who are here. */
static void list_opponents(struct client *client, struct opponents *opponents)
{
    char shown[PLAYER_DISPLAY_MAX];
    struct bot_choice bots;
    const cJSON *row;

    play_list_bots(client, &bots);
    for (int i = 0; i < bots.count; i++)
        add_opponent(opponents, bots.names[i], bots.names[i], play_bot_words(bots.names[i]));
    opponents->pick.at = bots.usual;
    if (!hosting_is_private(client))
        add_opponent(opponents, "open", _("A friend"), _("whoever joins the match"));
    opponents->elsewhere = hosting_would_help(client) ? opponents->pick.count : -1;
    if (opponents->elsewhere >= 0)
        add_opponent(opponents, "open", _("A friend on this network"),
                     _("starts a server for both of you"));
    cJSON *reply = client_request(client, "who bot=no");
    cJSON_ArrayForEach (row, json_member(reply, "players")) {
        const char *name = json_text_or(row, "name", "");
        if (name[0] != '\0' && strcmp(name, client->uplink.name) != 0)
            add_opponent(opponents, name, names_cut_of(&client->names, row, "name", "", shown),
                         _("a challenge"));
    }
    cJSON_Delete(reply);
}

/* Goes to a server of the player's that friends on the network can reach. False after a message. */
static bool go_to_network(struct stage *stage)
{
    struct cause cause;

    if (!invite_begin(stage->client, &cause)) {
        stage_notice(stage, "%s", cause.text);
        return false;
    }
    said_detach(&stage->log);
    return true;
}

void play_on_run(struct stage *stage, const struct game *game, const struct position *position)
{
    struct opponents opponents = {.pick = {.title = _("Play on from here")}};
    char detail[80], where[GAME_CHOICE_MAX], variant[VARIANT_NAME_MAX], text[POSITION_TEXT_MAX];

    const char *why = why_not(stage->client, game, position);
    if (why != NULL) {
        stage_notice(stage, "%s", why);
        return;
    }
    list_opponents(stage->client, &opponents);
    snprintf(detail, sizeof detail, _("You are %s, who is to move. Against whom?"),
             color_title(position->side));
    opponents.pick.detail = detail;
    int at = pick_run(stage, &opponents.pick);
    if (at < 0)
        return;
    const char *other = opponents.seats[at];
    if (at == opponents.elsewhere && !go_to_network(stage))
        return;
    game->variant_name(position, variant);
    game->format(position, text);
    snprintf(where, sizeof where, "%s:%s", game->name, variant);
    bool white = position->side == WHITE;
    play_open(stage->client, &(struct new_match){.game = where,
                                                 .white = white ? "me" : other,
                                                 .black = white ? other : "me",
                                                 .rated = RATED_NO,
                                                 .position = text});
}

const char *play_on_word(const struct stage *stage)
{
    return uplink_is_up(&stage->client->uplink) ? key_rows[ACTION_PLAY_ON].word : NULL;
}
