#include "first_game.h"

#include <stdio.h>
#include <string.h>

#include "client/link/json_read.h"
#include "client/model/match_words.h"
#include "client/talk/client_request.h"
#include "common/levels.h"
#include "play.h"

/* The match to open. */
struct choice {
    char game[GAME_LABEL_MAX];
    int level; /* in level_names */
};

enum { FIRST_LEVEL = 1 /* greedy: it takes what it can, and sees no further */ };

static int level_count(void)
{
    int count = 0;

    while (level_names[count] != NULL)
        count++;
    return count;
}

static int clamp_level(int level)
{
    if (level < 0)
        return 0;
    return level < level_count() ? level : level_count() - 1;
}

/* The index of the level of a house bot; -1 for other players. */
static int level_of(const char *player)
{
    int level = strncmp(player, "bot:", 4) == 0 ? level_count() - 1 : -1;

    while (level >= 0 && strcmp(level_names[level], player + 4) != 0)
        level--;
    return level;
}

/* Takes game and level after a finished match; false if it was not against a house bot. */
static bool follow(const cJSON *row, struct choice *choice)
{
    const char *white = json_text_or(row, "white", ""), *black = json_text_or(row, "black", "");
    const char *result = json_text_or(row, "result", "*");
    bool bot_is_white = level_of(white) >= 0;
    int level = level_of(bot_is_white ? white : black);

    if (level < 0)
        return false;
    bool lost = strcmp(result, bot_is_white ? "1-0" : "0-1") == 0;
    bool won = strcmp(result, bot_is_white ? "0-1" : "1-0") == 0;
    choice->level = clamp_level(level + won - lost);
    snprintf(choice->game, sizeof choice->game, "%s:%s", json_text_or(row, "game", ""),
             json_text_or(row, "variant", ""));
    return true;
}

/* Chooses by the latest match against a house bot. */
static void choose(struct client *client, struct choice *choice)
{
    cJSON *reply = client_request(client, "history");
    const cJSON *row, *rows = json_member(reply, "matches");

    *choice = (struct choice){.game = "clobber", .level = FIRST_LEVEL};
    cJSON_ArrayForEach (row, rows) {
        if (follow(row, choice))
            break;
    }
    cJSON_Delete(reply);
}

/* The bot of that level or, where it is not connected, of the next weaker or else the weakest one.
 */
static const char *find_bot(const struct bot_choice *bots, int level)
{
    const char *name = bots->names[0];

    for (int i = 0; i < bots->count; i++) {
        int other = level_of(bots->names[i]);
        if (other >= 0 && other <= level)
            name = bots->names[i];
    }
    return name;
}

bool first_game_open(struct client *client)
{
    struct bot_choice bots;
    struct choice choice;

    choose(client, &choice);
    play_list_bots(client, &bots);
    return play_open(client, &(struct new_match){.game = choice.game,
                                                 .white = "me",
                                                 .black = find_bot(&bots, choice.level)});
}
