#include "history.h"

#include <stdio.h>
#include <string.h>

#include "../json_read.h"

static bool ends_with(const struct history *history, int count, const char *last)
{
    if (count == 0)
        return last[0] == '\0';
    return strcmp(history->moves[count - 1].text, last) == 0;
}

static void begin(struct history *history, const char *match, bool known)
{
    snprintf(history->match, sizeof history->match, "%s", match);
    history->known = known;
    history->count = 0;
}

void history_follow(struct history *history, const struct view *view)
{
    if (strcmp(history->match, view->match) != 0)
        begin(history, view->match, view->ply == 0);
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
    begin(history, match, true);
    cJSON_ArrayForEach (move, moves) {
        const char *text = cJSON_GetStringValue(move);
        if (history->count < PGN_PLIES_MAX)
            snprintf(history->moves[history->count++].text, MOVE_TEXT_MAX, "%s",
                     text != NULL ? text : "?");
    }
}
