#include "tournament_part.h"

#include <stdio.h>
#include <string.h>

#include "client/link/json_read.h"
#include "client/model/tournament_words.h"
#include "client/play/play.h"
#include "client/screen/stage/paint.h"
#include "client/screen/stage/pick.h"
#include "client/screen/stage/scroll.h"
#include "client/screen/stage/ticker.h"
#include "client/talk/client_request.h"
#include "replay_part.h"

enum { FIRST_ROW = 4, AGAIN_MS = 1000 /* between two questions to the server */ };

/* The table on the screen. */
struct table_part {
    struct stage *stage;
    cJSON *shown;     /* owned: the last reply to `tournament show`; NULL: none */
    unsigned seen;    /* the news that it has */
    int64_t asked_ms; /* when the server was asked for it */
    int64_t login_ms; /* of the connection on which the tournament is watched */
    int top;          /* the first row shown */
};

static const char *me(const struct table_part *part)
{
    return part->stage->client->uplink.hello.name;
}

static const char *text_of(const struct table_part *part, const char *name)
{
    return json_text_or(part->shown, name, "");
}

static int count_players(const struct table_part *part)
{
    return cJSON_GetArraySize(json_member(part->shown, "players"));
}

/* Asks for the standings. */
static void ask(struct table_part *part)
{
    struct client *client = part->stage->client;

    part->seen = client->tournament_news;
    part->asked_ms = clock_ms();
    cJSON *reply = client_ask(client, "tournament show %s", part->stage->tournament);
    if (reply == NULL)
        return;
    cJSON_Delete(part->shown);
    part->shown = reply;
}

/* Asks for news, after each login. */
static void watch(struct table_part *part)
{
    struct client *client = part->stage->client;

    part->login_ms = client->uplink.in_ms;
    if (client_do(client, "watch tournament %s", part->stage->tournament))
        ask(part);
}

static void keep_up(struct table_part *part)
{
    const struct client *client = part->stage->client;

    if (client->uplink.in_ms != part->login_ms)
        watch(part);
    else if (client->tournament_news != part->seen && clock_ms() - part->asked_ms >= AGAIN_MS)
        ask(part);
}

/* The rows below the titles: the standings, a gap, the name of the round, its pairings. */
static int count_rows(const struct table_part *part)
{
    int round, pairings = cJSON_GetArraySize(tournament_last_round(part->shown, &round));

    return count_players(part) + (pairings > 0 ? 2 + pairings : 0);
}

/* Writes a row. Returns whether it is about the player. */
static bool write_row(const struct table_part *part, int row, char line[TOURNAMENT_LINE_MAX])
{
    int players = count_players(part), round;
    const cJSON *pairings = tournament_last_round(part->shown, &round);

    line[0] = '\0';
    if (row < players) {
        tournament_standing(part->shown, row, line);
        const cJSON *player = cJSON_GetArrayItem(json_member(part->shown, "players"), row);
        return strcmp(json_text_or(player, "name", ""), me(part)) == 0;
    }
    if (row == players + 1)
        snprintf(line, TOURNAMENT_LINE_MAX, "Round %d", round);
    if (row <= players + 1)
        return false;
    const cJSON *pairing = cJSON_GetArrayItem(pairings, row - players - 2);
    tournament_pairing(pairing, line);
    return strcmp(json_text_or(pairing, "white", ""), me(part)) == 0 ||
           strcmp(json_text_or(pairing, "black", ""), me(part)) == 0;
}

static int rows_shown(void)
{
    return LINES - FIRST_ROW - 4;
}

static void paint(struct stage *stage, void *context)
{
    const struct table_part *part = context;
    attr_t text = theme_text(&stage->theme);
    char line[TOURNAMENT_LINE_MAX];

    tournament_title(part->shown, line);
    stage_paint_frame(stage, line);
    tournament_state(part->shown, line);
    paint_text(2, 2, COLS - 4, theme_faint(&stage->theme), line);
    tournament_titles(part->shown, line);
    paint_text(FIRST_ROW, 2, COLS - 4, theme_faint(&stage->theme), line);
    for (int i = 0; i < rows_shown() && part->top + i < count_rows(part); i++) {
        bool mine = write_row(part, part->top + i, line);
        paint_text(FIRST_ROW + 1 + i, 2, COLS - 4, mine ? text | A_BOLD : text, line);
    }
    paint_rows(LINES - 3, 2, COLS - 4, 2, text, stage_new_line(stage));
}

/* What one can do with a tournament, and when. */
static const struct deed {
    const char *word, *label; /* `tournament WORD ID` */
    const char *statuses;
    bool of_director, of_players, of_others;
} deeds[] = {
    {"join", "Take part", "open running paused", .of_others = true},
    {"leave", "Withdraw", "open running paused", .of_players = true},
    {"start", "Start it", "open", .of_director = true},
    {"pause", "Pause it: nobody is paired", "running", .of_director = true},
    {"resume", "Resume it", "paused", .of_director = true},
};

enum { DEEDS = sizeof deeds / sizeof deeds[0] };

static bool is_possible(const struct table_part *part, const struct deed *deed)
{
    bool directs = strcmp(text_of(part, "director"), me(part)) == 0;
    bool plays = tournament_has(part->shown, me(part));

    return strstr(deed->statuses, text_of(part, "status")) != NULL &&
           ((deed->of_director && directs) || (deed->of_players && plays) ||
            (deed->of_others && !plays));
}

static void do_deed(struct table_part *part, const struct deed *deed)
{
    if (deed->of_players && !stage_confirm(part->stage, "Withdraw from the tournament?"))
        return;
    client_do(part->stage->client, "tournament %s %s", deed->word, part->stage->tournament);
    ask(part);
}

/* Shows the match of a pairing: as it is played, or step by step. */
static void open_match(struct stage *stage, const cJSON *pairing)
{
    char match[MATCH_ID_MAX];

    json_copy(match, sizeof match, pairing, "match");
    if (strcmp(json_text_or(pairing, "result", "*"), "*") == 0)
        play_watch(stage->client, match);
    else
        replay_part_match(stage, match);
}

/* Lists what can be done now: with the tournament, and with the matches of the round. */
static void choose(struct table_part *part)
{
    struct pick pick = {.title = "Tournament"};
    const struct deed *possible[DEEDS];
    const cJSON *matches[PICK_MAX], *pairing;
    char line[TOURNAMENT_LINE_MAX];
    int count = 0, round;

    for (int i = 0; i < DEEDS; i++)
        if (is_possible(part, &deeds[i])) {
            possible[count++] = &deeds[i];
            pick_add(&pick, "%s", deeds[i].label);
        }
    cJSON_ArrayForEach (pairing, tournament_last_round(part->shown, &round)) {
        if (!match_id_is_valid(json_text(pairing, "match")) || pick.count == PICK_MAX)
            continue;
        matches[pick.count] = pairing;
        tournament_pairing(pairing, line);
        pick_add(&pick, "See %.80s", line);
    }
    int at = pick.count > 0 ? pick_run(part->stage, &pick) : PICK_NONE;
    if (pick.count == 0)
        stage_notice(part->stage, "There is nothing to do here now.");
    else if (at >= count)
        open_match(part->stage, matches[at]);
    else if (at >= 0)
        do_deed(part, possible[at]);
}

/* Handles a press, or what has come instead. The clock stands still in what it leads to, as a
 * review waits in the same place. */
static bool take(struct stage *stage, void *context, struct press press)
{
    struct table_part *part = context;

    keep_up(part);
    if (press.action == ACTION_CHOOSE) {
        ticker_stop(stage->client);
        choose(part);
        ticker_start(stage->client);
    }
    part->top = scroll_top(part->top, press.action, count_rows(part), rows_shown());
    return false;
}

void tournament_part_follow(struct stage *stage)
{
    struct table_part part = {.stage = stage};
    struct part face = {.place = IN_PAGE, .paint = paint, .take = take, .context = &part};

    watch(&part);
    if (part.shown != NULL) {
        ticker_start(stage->client);
        stage_run(stage, &face);
        ticker_stop(stage->client);
    }
    if (!stage_is_over(stage)) {
        cJSON_Delete(client_request(stage->client, "leave tournament %s", stage->tournament));
        stage->tournament[0] = '\0';
    }
    cJSON_Delete(part.shown);
}

void tournament_part_list(struct stage *stage)
{
    struct pick pick = {.title = "Tournaments", .detail = "Enter shows the table, and follows it"};
    char ids[PICK_MAX][MATCH_ID_MAX], line[TOURNAMENT_LINE_MAX];
    cJSON *reply = client_ask(stage->client, "tournaments");
    const cJSON *row, *rows = json_member(reply, "tournaments");

    cJSON_ArrayForEach (row, rows) {
        if (!match_id_is_valid(json_text(row, "tournament")) || pick.count == PICK_MAX)
            continue;
        json_copy(ids[pick.count], MATCH_ID_MAX, row, "tournament");
        tournament_row(row, line);
        pick_add(&pick, "%.90s", line);
    }
    cJSON_Delete(reply);
    if (pick.count == 0)
        stage_say(stage, "There are no tournaments. `ludus tournament new` opens one.");
    int at = pick.count > 0 ? pick_run(stage, &pick) : PICK_NONE;
    if (at < 0)
        return;
    snprintf(stage->tournament, sizeof stage->tournament, "%s", ids[at]);
    tournament_part_follow(stage);
}
