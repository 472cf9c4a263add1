#include "move_list.h"

#include <stdio.h>
#include <string.h>

#include "client/link/json_read.h"
#include "common/move.h"

static bool ends_with(const struct history *history, int count, const char *last)
{
    if (count == 0)
        return last[0] == '\0';
    return strcmp(history->moves[count - 1].text, last) == 0;
}

static void begin(struct history *history, const char *match, bool known, const char *start)
{
    snprintf(history->match, sizeof history->match, "%s", match);
    snprintf(history->start, sizeof history->start, "%s", start);
    history->known = known;
    history->count = 0;
}

void history_follow(struct history *history, const struct match_state *view)
{
    if (strcmp(history->match, view->match) != 0)
        begin(history, view->match, view->ply == 0, view->ply == 0 ? view->position : "");
    if (!history->known || view->ply < 0 || view->ply > PGN_PLIES_MAX)
        return;
    if (view->ply == history->count + 1)
        snprintf(history->moves[history->count++].text, MOVE_TEXT_MAX, "%s", view->last);
    else if (view->ply <= history->count)
        history->count = view->ply;
    history->known = view->ply == history->count && ends_with(history, history->count, view->last);
}

void history_read(struct history *history, const cJSON *reply)
{
    const cJSON *move, *moves = json_member(reply, "moves");
    char match[MATCH_ID_MAX];

    json_copy(match, sizeof match, reply, "match");
    if (!cJSON_IsArray(moves))
        return;
    begin(history, match, true, json_text_or(reply, "start", ""));
    cJSON_ArrayForEach (move, moves) {
        const char *text = cJSON_GetStringValue(move);
        if (history->count < PGN_PLIES_MAX)
            snprintf(history->moves[history->count++].text, MOVE_TEXT_MAX, "%s",
                     text != NULL ? text : "?");
    }
}

bool history_position(const struct history *history, const struct match_state *view, int ply,
                      struct position *position, struct cause *cause)
{
    const struct game *game = game_find(view->game, strlen(view->game));
    struct move move;

    if (game == NULL || history->start[0] == '\0')
        return cause_set(cause, "the moves are not known here");
    if (!game->parse(view->variant, history->start, position, cause))
        return false;
    for (int i = 0; i < ply; i++) {
        if (!move_parse(game, position, history->moves[i].text, &move, cause))
            return false;
        game->apply(position, move);
    }
    return true;
}
