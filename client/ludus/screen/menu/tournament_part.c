#include "tournament_part.h"

#include <stdio.h>
#include <string.h>

#include "client/link/json_read.h"
#include "client/ludus/screen/stage/dialog.h"
#include "client/ludus/screen/stage/paint.h"
#include "client/ludus/talk/client.h"
#include "client/ludus/talk/match_words.h"
#include "client/ludus/talk/play.h"
#include "client/ludus/term/wrap.h"
#include "replay_part.h"
#include "setup_form.h"

enum { TOURNAMENT_LINE_MAX = 512 }; /* bytes with the final NUL */

/* A word of the protocol, for people. */
static const char *word_of(const cJSON *row, const char *member)
{
    static const char *const words[] = {
        N_("round-robin"), N_("swiss"),  N_("knockout"), N_("arena"),   N_("open"),
        N_("running"),     N_("paused"), N_("finished"), N_("aborted"), N_("over")};

    (void)words; /* those that there are */
    return _(json_text_or(row, member, "?"));
}

static void write_entrants(int count, char text[48])
{
    snprintf(text, 48, text_counted("%d player", "%d players", (unsigned long)count), count);
}

/* Writes what is played: "Cup: Clobber 5x6, swiss". */
static void tournament_title(const cJSON *row, char line[TOURNAMENT_LINE_MAX])
{
    char label[GAME_LABEL_MAX];

    game_label(json_text_or(row, "game", "?"), json_text_or(row, "variant", ""), label);
    snprintf(line, TOURNAMENT_LINE_MAX, "%.40s: %s, %.30s", json_text_or(row, "name", "?"), label,
             word_of(row, "format"));
}

/* The rounds that a tournament will have; 0: not known. */
static int rounds_of(const cJSON *shown)
{
    int players = json_int_or(shown, "total_players", 0);

    if (strcmp(json_text_or(shown, "format", ""), "round-robin") == 0)
        return json_int_or(shown, "cycles", 0) * (players - 1 + players % 2);
    return json_int_or(shown, "rounds_planned", 0);
}

/* Writes the state: "running, round 3 of 7, 8 players, clock 1 + 1". */
static void tournament_state(const cJSON *shown, char line[TOURNAMENT_LINE_MAX])
{
    char rounds[48] = "", players[48], clock[CLOCK_LINE_MAX];
    int round = json_int_or(shown, "round", 0), entrants = json_int_or(shown, "entrants", 0);

    if (round > 0)
        snprintf(rounds, sizeof rounds,
                 rounds_of(shown) > 0 ? _(", round %d of %d") : _(", round %d"), round,
                 rounds_of(shown));
    write_entrants(entrants, players);
    snprintf(line, TOURNAMENT_LINE_MAX, "%.30s%s, %s%s", word_of(shown, "status"), rounds, players,
             clock_control(json_member(shown, "clock"), clock));
}

enum { NAME_WIDTH_MIN = 6, NUMBERS_WIDTH = 30 /* of the standings, up to the matches */ };

/* The columns of names. They are cut before the scores would be. */
static int name_width(const struct names *names, const cJSON *shown)
{
    int width = names_width(names, json_member(shown, "players")), room = COLS - 4 - NUMBERS_WIDTH;

    width = width < room ? width : room;
    return width > NAME_WIDTH_MIN ? width : NAME_WIDTH_MIN;
}

/* Writes a number with one decimal at most, as scores are. */
static void write_score(const cJSON *player, char text[16])
{
    const cJSON *score = json_member(player, "score");

    snprintf(text, 16, "%g", cJSON_IsNumber(score) ? score->valuedouble : 0);
}

/* Writes the index-th row of the standings. */
static void tournament_standing(const struct names *names, const cJSON *shown, int index,
                                char line[TOURNAMENT_LINE_MAX])
{
    const cJSON *player = cJSON_GetArrayItem(json_member(shown, "players"), index), *cell;
    char whole[PLAYER_DISPLAY_MAX], name[PLAYER_DISPLAY_MAX], score[16], rating[16] = "";
    int value, width = name_width(names, shown);

    write_score(player, score);
    if (json_int(player, "rating", &value))
        snprintf(rating, sizeof rating, "%d", value);
    wrap_cut(names_cut_of(names, player, "name", "?", whole), width, name, sizeof name);
    int blanks = width - wrap_columns(name, strlen(name));
    int used = snprintf(line, TOURNAMENT_LINE_MAX, "%4d %3d %s%*s %6s %5s %6d  ",
                        json_int_or(player, "rank", 0), json_int_or(player, "number", 0), name,
                        blanks, "", rating, score, json_int_or(player, "matches", 0));
    if (json_true(player, "left"))
        used += snprintf(line + used, (size_t)(TOURNAMENT_LINE_MAX - used), _("(left) "));
    cJSON_ArrayForEach (cell, cJSON_GetArrayItem(json_member(shown, "crosstable"), index))
        if (cJSON_IsString(cell) && used < TOURNAMENT_LINE_MAX - 16)
            used += snprintf(line + used, 16, "%.10s ", cell->valuestring);
}

/* Writes a pairing: "anna - bob  1-0", "carl has a bye". */
static void tournament_pairing(const struct names *names, const cJSON *pairing,
                               char line[TOURNAMENT_LINE_MAX])
{
    char white[PLAYER_DISPLAY_MAX], black[PLAYER_DISPLAY_MAX];
    const char *result = json_text_or(pairing, "result", "*");

    names_cut_of(names, pairing, "white", "?", white);
    names_cut_of(names, pairing, "black", "?", black);
    if (json_text(pairing, "black") == NULL)
        snprintf(line, TOURNAMENT_LINE_MAX, _("%s has a bye"), white);
    else
        snprintf(line, TOURNAMENT_LINE_MAX,
                 json_true(pairing, "walkover") ? _("%s - %s  %.20s by walkover")
                                                : "%s - %s  %.20s",
                 white, black, strcmp(result, "*") == 0 ? _("playing") : result);
}

/* Whether a player of that name takes part, and has not left. */
static bool tournament_has(const cJSON *shown, const char *name)
{
    const cJSON *player;

    cJSON_ArrayForEach (player, json_member(shown, "players"))
        if (strcmp(json_text_or(player, "name", ""), name) == 0)
            return !json_true(player, "left");
    return false;
}

/* The pairings of the last round; NULL: none has begun. Sets *round. */
static const cJSON *tournament_last_round(const cJSON *shown, int *round)
{
    const cJSON *rounds = json_member(shown, "rounds");
    const cJSON *last = cJSON_GetArrayItem(rounds, cJSON_GetArraySize(rounds) - 1);

    *round = json_int_or(last, "round", 0);
    return json_member(last, "pairings");
}

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

static const char *my_name(const struct table_part *part)
{
    return part->stage->client->uplink.hello.name;
}

static const struct names *names_in_table(const struct table_part *part)
{
    return &part->stage->client->names;
}

static const char *text_in_table(const struct table_part *part, const char *name)
{
    return json_text_or(part->shown, name, "");
}

static int count_players(const struct table_part *part)
{
    return cJSON_GetArraySize(json_member(part->shown, "players"));
}

/* Asks for the standings. */
static void ask_standings(struct table_part *part)
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
static void watch_tournament(struct table_part *part)
{
    struct client *client = part->stage->client;

    part->login_ms = client->uplink.in_ms;
    if (client_do(client, "watch tournament %s", part->stage->tournament))
        ask_standings(part);
}

/* The rows below the titles: the standings, a gap, the name of the round, its pairings. */
static int count_rows(const struct table_part *part)
{
    int round, pairings = cJSON_GetArraySize(tournament_last_round(part->shown, &round));

    return count_players(part) + (pairings > 0 ? 2 + pairings : 0);
}

/* Writes a row. Returns whether it is about the player. */
static bool write_table_row(const struct table_part *part, int row, char line[TOURNAMENT_LINE_MAX])
{
    int players = count_players(part), round;
    const cJSON *pairings = tournament_last_round(part->shown, &round);

    line[0] = '\0';
    if (row < players) {
        tournament_standing(names_in_table(part), part->shown, row, line);
        const cJSON *player = cJSON_GetArrayItem(json_member(part->shown, "players"), row);
        return strcmp(json_text_or(player, "name", ""), my_name(part)) == 0;
    }
    if (row == players + 1)
        snprintf(line, TOURNAMENT_LINE_MAX, _("Round %d"), round);
    if (row <= players + 1)
        return false;
    const cJSON *pairing = cJSON_GetArrayItem(pairings, row - players - 2);
    tournament_pairing(names_in_table(part), pairing, line);
    return strcmp(json_text_or(pairing, "white", ""), my_name(part)) == 0 ||
           strcmp(json_text_or(pairing, "black", ""), my_name(part)) == 0;
}

static int rows_shown(void)
{
    return LINES - FIRST_ROW - 4;
}

static void paint_table(struct stage *stage, void *context)
{
    const struct table_part *part = context;
    attr_t text = theme_text(&stage->theme);
    char line[TOURNAMENT_LINE_MAX];

    tournament_title(part->shown, line);
    /* Where there is no room for all of it the format goes, then the game. */
    for (const char *mark = ",:"; *mark != '\0'; mark++) {
        char *end = strrchr(line, *mark);
        if (end != NULL && wrap_columns(line, strlen(line)) > COLS - 4)
            *end = '\0';
    }
    stage_paint_frame(stage, line);
    tournament_state(part->shown, line);
    paint_text(2, 2, COLS - 4, theme_faint(&stage->theme), line);
    snprintf(line, TOURNAMENT_LINE_MAX, "%4s %3s %-*s %6s %5s %6s  %s", _("rank"), _(" no"),
             name_width(names_in_table(part), part->shown), _("player"), _("rating"), _("score"),
             _("played"), _("matches"));
    paint_text(FIRST_ROW, 2, COLS - 4, theme_faint(&stage->theme), line);
    for (int i = 0; i < rows_shown() && part->top + i < count_rows(part); i++) {
        bool mine = write_table_row(part, part->top + i, line);
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
    {"join", N_("Take part"), "open running paused", .of_others = true},
    {"leave", N_("Withdraw"), "open running paused", .of_players = true},
    {"start", N_("Start it"), "open", .of_director = true},
    {"pause", N_("Pause it: nobody is paired"), "running", .of_director = true},
    {"resume", N_("Resume it"), "paused", .of_director = true},
    {"kick", N_("Remove a player"), "open running paused", .of_director = true},
    {"abort", N_("End it: no result counts"), "open running paused", .of_director = true},
};

enum { DEEDS = sizeof deeds / sizeof deeds[0] };

static bool is_possible(const struct table_part *part, const struct deed *deed)
{
    bool directs = strcmp(text_in_table(part, "director"), my_name(part)) == 0;
    bool plays = tournament_has(part->shown, my_name(part));

    return strstr(deed->statuses, text_in_table(part, "status")) != NULL &&
           ((deed->of_director && directs) || (deed->of_players && plays) ||
            (deed->of_others && !plays));
}

/* Asks which player is to go; false if the director changes their mind. */
static bool choose_player(struct table_part *part, char name[PLAYER_NAME_MAX])
{
    struct pick pick = {.title = _("Remove whom?"),
                        .detail = _("A removed player cannot come back")};
    char names[PICK_MAX][PLAYER_NAME_MAX], question[PLAYER_DISPLAY_MAX + 32];
    char shown[PLAYER_DISPLAY_MAX];
    const cJSON *player;

    cJSON_ArrayForEach (player, json_member(part->shown, "players")) {
        if (json_true(player, "left") || pick.count == PICK_MAX)
            continue;
        json_copy(names[pick.count], PLAYER_NAME_MAX, player, "name");
        pick_add(&pick, "%s", names_cut_of(names_in_table(part), player, "name", "?", shown));
    }
    if (pick.count == 0)
        stage_notice(part->stage, "Nobody takes part yet.");
    int at = pick.count > 0 ? pick_run(part->stage, &pick) : PICK_NONE;
    if (at < 0)
        return false;
    snprintf(name, PLAYER_NAME_MAX, "%s", names[at]);
    snprintf(question, sizeof question, _("Remove %s for good?"),
             name_cut(names_shown(names_in_table(part), name), shown));
    return stage_confirm(part->stage, question);
}

/* Does it, after a question where it cannot be taken back. */
static void do_deed(struct table_part *part, const struct deed *deed)
{
    struct stage *stage = part->stage;
    char name[PLAYER_NAME_MAX] = "";
    bool kicks = strcmp(deed->word, "kick") == 0, ends = strcmp(deed->word, "abort") == 0;

    if ((deed->of_players && !stage_confirm(stage, _("Withdraw from the tournament?"))) ||
        (ends && !stage_confirm(stage, _("End the tournament? No result counts."))) ||
        (kicks && !choose_player(part, name)))
        return;
    client_do(stage->client, "tournament %s %s%s%s", deed->word, stage->tournament,
              kicks ? " " : "", name);
    ask_standings(part);
}

/* Lists what can be done now: with the tournament, and with the matches of the round. */
static void choose_deed(struct table_part *part)
{
    struct pick pick = {.title = _("Tournament")};
    const struct deed *possible[DEEDS];
    const cJSON *matches[PICK_MAX], *pairing;
    char line[TOURNAMENT_LINE_MAX];
    int count = 0, round;

    for (int i = 0; i < DEEDS; i++)
        if (is_possible(part, &deeds[i])) {
            possible[count++] = &deeds[i];
            pick_add(&pick, "%s", _(deeds[i].label));
        }
    cJSON_ArrayForEach (pairing, tournament_last_round(part->shown, &round)) {
        if (!match_id_is_valid(json_text(pairing, "match")) || pick.count == PICK_MAX)
            continue;
        matches[pick.count] = pairing;
        tournament_pairing(names_in_table(part), pairing, line);
        pick_add(&pick, "See %s", line);
    }
    int at = pick.count > 0 ? pick_run(part->stage, &pick) : PICK_NONE;
    if (pick.count == 0)
        stage_notice(part->stage, "There is nothing to do here now.");
    else if (at >= count) {
        /* Show the match of a pairing: as it is played, or step by step. */
        char match[MATCH_ID_MAX];

        json_copy(match, sizeof match, matches[at], "match");
        if (strcmp(json_text_or(matches[at], "result", "*"), "*") == 0)
            play_watch(part->stage->client, match);
        else
            replay_part_match(part->stage, match);
    } else if (at >= 0) {
        do_deed(part, possible[at]);
    }
}

/* Handles a press, or what has come instead. The clock stands still in what it leads to, as a
 * review waits in the same place. */
static bool take_table_press(struct stage *stage, void *context, struct press press)
{
    struct table_part *part = context;

    const struct client *client = part->stage->client;
    if (client->uplink.in_ms != part->login_ms)
        watch_tournament(part);
    else if (client->tournament_news != part->seen && clock_ms() - part->asked_ms >= AGAIN_MS)
        ask_standings(part);
    if (press.action == ACTION_CHOOSE) {
        ticker_stop(stage->client);
        choose_deed(part);
        ticker_start(stage->client);
    }
    part->top = scroll_top(part->top, press.action, count_rows(part), rows_shown());
    return false;
}

void tournament_part_follow(struct stage *stage)
{
    struct table_part part = {.stage = stage};
    struct part face = {
        .place = IN_PAGE, .paint = paint_table, .take = take_table_press, .context = &part};

    watch_tournament(&part);
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
    struct pick pick = {.title = _("Tournaments"),
                        .detail = _("Enter shows the table, and follows it")};
    char ids[PICK_MAX][MATCH_ID_MAX], line[TOURNAMENT_LINE_MAX];
    cJSON *reply = client_ask(stage->client, "tournaments");
    const cJSON *row, *rows = json_member(reply, "tournaments");

    cJSON_ArrayForEach (row, rows) {
        if (!match_id_is_valid(json_text(row, "tournament")) || pick.count == PICK_MAX - 1)
            continue;
        json_copy(ids[pick.count], MATCH_ID_MAX, row, "tournament");
        /* Write a row of the list: "Cup: Clobber 5x6, swiss, clock 1 + 1, 8 players, open". */
        char clock[CLOCK_LINE_MAX], players[48];
        int entrants = json_int_or(row, "entrants", 0);
        tournament_title(row, line);
        size_t used = strlen(line);
        write_entrants(entrants, players);
        snprintf(line + used, TOURNAMENT_LINE_MAX - used, "%s, %s, %.30s",
                 clock_control(json_member(row, "clock"), clock), players, word_of(row, "status"));
        pick_add(&pick, "%s", line);
    }
    cJSON_Delete(reply);
    int listed = pick.count;
    if (listed == 0)
        pick.detail = _("There are no tournaments.");
    pick_add(&pick, "Open a tournament");
    int at = pick_run(stage, &pick);
    if (at == listed)
        setup_form_run(stage, SETUP_TOURNAMENT);
    else if (at >= 0)
        snprintf(stage->tournament, sizeof stage->tournament, "%s", ids[at]);
    if (stage->tournament[0] != '\0')
        tournament_part_follow(stage);
}
