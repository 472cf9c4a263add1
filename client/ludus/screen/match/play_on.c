#include "play_on.h"

#include <stdio.h>

#include "client/ludus/screen/stage/dialog.h"
#include "client/ludus/talk/client.h"
#include "client/ludus/talk/match_words.h"
#include "client/ludus/talk/play.h"

/* Returns why nobody can play on now; NULL: one can. */
static const char *why_not(const struct client *client, const struct game *game,
                           const struct position *position)
{
    const struct match_state *view = &client->view;

    if (!uplink_is_up(&client->uplink))
        return "Playing on needs a server: start ludus, and open the file from its menu.";
    if (view->match[0] != '\0' && view->status == STATE_PLAYING && match_state_seated(view))
        return "Your game still runs: end it before you play on from here.";
    return game->legal(position, NULL) == 0 ? "The game is over here: step back to play on." : NULL;
}

void play_on_run(struct stage *stage, const struct game *game, const struct position *position)
{
    struct pick pick = {.title = "Play on from here"};
    char detail[80], where[GAME_CHOICE_MAX], variant[VARIANT_NAME_MAX], text[POSITION_TEXT_MAX];
    struct bot_choice bots;

    const char *why = why_not(stage->client, game, position);
    if (why != NULL) {
        stage_notice(stage, "%s", why);
        return;
    }
    play_list_bots(stage->client, &bots);
    for (int i = 0; i < bots.count; i++) {
        const char *words = play_bot_words(bots.names[i]);
        pick_add(&pick, "%s%s%s", bots.names[i], words != NULL ? ": " : "",
                 words != NULL ? words : "");
    }
    snprintf(detail, sizeof detail, "You are %s, who is to move. Against which bot?",
             color_title(position->side));
    pick.detail = detail;
    pick.at = bots.usual;
    int at = pick_run(stage, &pick);
    if (at < 0)
        return;
    game->variant_name(position, variant);
    game->format(position, text);
    snprintf(where, sizeof where, "%s:%s", game->name, variant);
    bool white = position->side == WHITE;
    play_open(stage->client, &(struct new_match){.game = where,
                                                 .white = white ? "me" : bots.names[at],
                                                 .black = white ? bots.names[at] : "me",
                                                 .position = text});
}

const char *play_on_word(const struct stage *stage)
{
    return uplink_is_up(&stage->client->uplink) ? key_rows[ACTION_PLAY_ON].word : NULL;
}
