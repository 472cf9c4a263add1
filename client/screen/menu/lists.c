#include "lists.h"

#include <stdio.h>
#include <string.h>

#include "client/link/json_read.h"
#include "client/model/match_words.h"
#include "client/play/play.h"
#include "client/talk/client_request.h"
#include "replay_part.h"
#include "setup_form.h"

enum { HISTORY_ROWS = 16 }; /* left for finished matches below others */

/* Notes the match of the row that comes next; false when there is no room. */
static bool note_match(struct match_list *list, const cJSON *row, enum state_status status,
                       int most)
{
    if (list->pick.count >= most)
        return false;
    json_copy(list->ids[list->pick.count], MATCH_ID_MAX, row, "match");
    list->statuses[list->pick.count] = status;
    return true;
}

/* Adds the matches of a reply to `list` that have that status. */
static void add_listed(struct match_list *list, const cJSON *reply, enum state_status status,
                       int most)
{
    const cJSON *row, *rows = json_member(reply, "matches");
    char words[ROW_WORDS_MAX];

    cJSON_ArrayForEach (row, rows) {
        if (!play_is_listed(row, status == STATE_OPEN ? "open" : "playing") ||
            !note_match(list, row, status, most))
            continue;
        row_words(row, words);
        pick_add(&list->pick, "%s: %s%s", json_text_or(row, "match", "?"), words,
                 status == STATE_PLAYING ? ", running" : "");
    }
}

/* Adds the player's finished matches. */
static void add_history(struct stage *stage, struct match_list *list)
{
    cJSON *reply = client_ask(stage->client, "history");
    const cJSON *row, *rows = json_member(reply, "matches");
    char label[GAME_LABEL_MAX];

    cJSON_ArrayForEach (row, rows) {
        if (!note_match(list, row, STATE_OVER, PICK_MAX))
            break;
        game_label(json_text_or(row, "game", "?"), json_text_or(row, "variant", ""), label);
        pick_add(&list->pick, "%.10s %s: %.24s - %.24s %s %s", json_text_or(row, "date", "?"),
                 label, json_text_or(row, "white", "?"), json_text_or(row, "black", "?"),
                 json_text_or(row, "result", "?"), json_text_or(row, "reason", ""));
    }
    cJSON_Delete(reply);
}

void lists_add_open(struct stage *stage, struct match_list *list, int most)
{
    cJSON *reply = client_request(stage->client, "list");

    add_listed(list, reply, STATE_OPEN, most);
    cJSON_Delete(reply);
}

/* Goes to the match of a row. */
static void go_to_match(struct stage *stage, const struct match_list *list, int at)
{
    if (list->statuses[at] == STATE_OPEN)
        play_join(stage->client, list->ids[at]);
    else if (list->statuses[at] == STATE_PLAYING)
        play_watch(stage->client, list->ids[at]);
    else
        replay_part_match(stage, list->ids[at]);
}

/* Fills the list with all matches. */
static void fill_matches(struct stage *stage, struct match_list *list)
{
    cJSON *reply = client_request(stage->client, "list");

    list->pick.count = 0;
    add_listed(list, reply, STATE_OPEN, PICK_MAX - HISTORY_ROWS);
    add_listed(list, reply, STATE_PLAYING, PICK_MAX - HISTORY_ROWS);
    cJSON_Delete(reply);
    add_history(stage, list);
}

void lists_matches(struct stage *stage)
{
    struct match_list list = {
        .pick = {.title = "Matches", .detail = "Enter joins, watches or steps through a match"}};
    int at = 0;

    while (at >= 0 && !stage_is_over(stage)) {
        fill_matches(stage, &list);
        if (list.pick.count == 0)
            stage_say(stage, "No match waits or runs, and you have not finished one yet.");
        if (list.pick.at >= list.pick.count)
            list.pick.at = 0;
        at = list.pick.count > 0 ? pick_run(stage, &list.pick) : PICK_BACK;
        if (at >= 0)
            go_to_match(stage, &list, at);
    }
}

void lists_history(struct stage *stage)
{
    struct match_list list = {
        .pick = {.title = "My games", .detail = "Enter steps through a game"}};
    int at;

    add_history(stage, &list);
    if (list.pick.count == 0)
        stage_say(stage, "You have not finished a game yet.");
    while (list.pick.count > 0 && !stage_is_over(stage) && (at = pick_run(stage, &list.pick)) >= 0)
        go_to_match(stage, &list, at);
}

/* Adds the players of a reply to `who`, and notes their names. */
static void add_players(struct pick *pick, const cJSON *reply, char names[][PLAYER_NAME_MAX])
{
    const cJSON *row, *rows = json_member(reply, "players");
    int rating, width = names_width(rows);

    cJSON_ArrayForEach (row, rows) {
        if (pick->count == PICK_MAX)
            return;
        json_copy(names[pick->count], PLAYER_NAME_MAX, row, "name");
        bool rated = json_int(row, "rating", &rating);
        bool busy = json_int_or(row, "playing", 0) > 0;
        char text[16] = "";
        if (rated)
            snprintf(text, sizeof text, "%d", rating);
        pick_add(pick, "%-*s %4s%s%s", width, names[pick->count], text,
                 json_true(row, "bot") ? "  bot" : "", busy ? "  playing" : "");
    }
}

static void challenge(struct stage *stage, const char *name)
{
    if (strcmp(name, stage->client->uplink.hello.name) == 0)
        stage_notice(stage, "That is you.");
    else
        setup_form_challenge(stage, name);
}

void lists_players(struct stage *stage)
{
    struct pick pick = {.title = "Players online", .detail = "Enter challenges a player"};
    char names[PICK_MAX][PLAYER_NAME_MAX];
    int at = 0;

    while (at >= 0 && !stage_is_over(stage)) {
        cJSON *reply = client_ask(stage->client, "who");
        pick.count = 0;
        add_players(&pick, reply, names);
        cJSON_Delete(reply);
        if (pick.at >= pick.count)
            pick.at = 0;
        at = pick.count > 0 ? pick_run(stage, &pick) : PICK_BACK;
        if (at >= 0)
            challenge(stage, names[at]);
    }
}
