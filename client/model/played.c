#include "played.h"

#include <stdio.h>
#include <string.h>

#include "client/link/json_read.h"
#include "common/move.h"

static bool ends_with(const struct played *played, int count, const char *last)
{
    if (count == 0)
        return last[0] == '\0';
    return strcmp(played->moves[count - 1].text, last) == 0;
}

static void begin(struct played *played, const char *match, bool known, const char *start)
{
    snprintf(played->match, sizeof played->match, "%s", match);
    snprintf(played->start, sizeof played->start, "%s", start);
    played->known = known;
    played->count = 0;
}

void played_follow(struct played *played, const struct match_state *view)
{
    if (strcmp(played->match, view->match) != 0)
        begin(played, view->match, view->ply == 0, view->ply == 0 ? view->position : "");
    if (!played->known || view->ply < 0 || view->ply > PGN_PLIES_MAX)
        return;
    if (view->ply == played->count + 1)
        snprintf(played->moves[played->count++].text, MOVE_TEXT_MAX, "%s", view->last);
    else if (view->ply <= played->count)
        played->count = view->ply;
    played->known = view->ply == played->count && ends_with(played, played->count, view->last);
}

void played_read(struct played *played, const cJSON *reply)
{
    const cJSON *move, *moves = json_member(reply, "moves");
    char match[MATCH_ID_MAX];

    json_copy(match, sizeof match, reply, "match");
    if (!cJSON_IsArray(moves))
        return;
    begin(played, match, true, json_text_or(reply, "start", ""));
    cJSON_ArrayForEach (move, moves) {
        const char *text = cJSON_GetStringValue(move);
        if (played->count < PGN_PLIES_MAX)
            snprintf(played->moves[played->count++].text, MOVE_TEXT_MAX, "%s",
                     text != NULL ? text : "?");
    }
}

bool played_position(const struct played *played, const struct match_state *view, int ply,
                     struct position *position, struct cause *cause)
{
    const struct game *game = game_find(view->game, strlen(view->game));
    struct move move;

    if (game == NULL || played->start[0] == '\0')
        return cause_set(cause, "the moves are not known here");
    if (!game->parse(view->variant, played->start, position, cause))
        return false;
    for (int i = 0; i < ply; i++) {
        if (!move_parse(game, position, played->moves[i].text, &move, cause))
            return false;
        game->apply(position, move);
    }
    return true;
}
