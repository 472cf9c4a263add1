#include "own_matches.h"

#include <stdio.h>
#include <stdlib.h>

#include "client/link/json_read.h"
#include "client/model/match_words.h"
#include "client/model/record.h"
#include "client/screen/stage/pick.h"
#include "client/talk/client_request.h"
#include "replay_part.h"

/* Writes the match of each row into ids[]. */
static void list(const cJSON *reply, struct pick *pick, char ids[PICK_MAX][MATCH_ID_MAX])
{
    const cJSON *row, *rows = json_member(reply, "matches");
    char label[GAME_LABEL_MAX];

    cJSON_ArrayForEach (row, rows) {
        if (pick->count == PICK_MAX)
            return;
        json_copy(ids[pick->count], MATCH_ID_MAX, row, "match");
        game_label(json_text_or(row, "game", "?"), json_text_or(row, "variant", ""), label);
        pick_add(pick, "%.10s %s: %.24s - %.24s %s %s", json_text_or(row, "date", "?"), label,
                 json_text_or(row, "white", "?"), json_text_or(row, "black", "?"),
                 json_text_or(row, "result", "?"), json_text_or(row, "reason", ""));
    }
}

static void replay(struct stage *stage, const char *match)
{
    char name[MATCH_ID_MAX + 8];
    struct cause cause = {""};
    cJSON *reply = client_ask(stage->client, "record %s", match);

    if (reply == NULL)
        return;
    char *text = record_pgn(reply, false, &cause);
    snprintf(name, sizeof name, "match %s", match);
    if (text != NULL)
        replay_part_text(stage, name, text);
    else
        console_say(&stage->client->console, "%s: %s", name, cause.text);
    free(text);
    cJSON_Delete(reply);
}

void own_matches_run(struct stage *stage)
{
    struct pick pick = {.title = "Your matches", .detail = "Enter steps through one"};
    char ids[PICK_MAX][MATCH_ID_MAX];
    int at;
    cJSON *reply = client_ask(stage->client, "history");

    list(reply, &pick, ids);
    if (reply != NULL && pick.count == 0)
        stage_say(stage, "You have not finished a match yet.");
    cJSON_Delete(reply);
    while (pick.count > 0 && !stage_is_over(stage) && (at = pick_run(stage, &pick)) >= 0)
        replay(stage, ids[at]);
}
