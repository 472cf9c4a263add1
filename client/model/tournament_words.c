#include "tournament_words.h"

#include <stdio.h>
#include <string.h>

#include "client/link/json_read.h"
#include "match_words.h"

static const char *plural(int count)
{
    return count == 1 ? "" : "s";
}

void tournament_title(const cJSON *row, char line[TOURNAMENT_LINE_MAX])
{
    char label[GAME_LABEL_MAX];

    game_label(json_text_or(row, "game", "?"), json_text_or(row, "variant", ""), label);
    snprintf(line, TOURNAMENT_LINE_MAX, "%.40s: %s, %.20s", json_text_or(row, "name", "?"), label,
             json_text_or(row, "format", "?"));
}

void tournament_row(const cJSON *row, char line[TOURNAMENT_LINE_MAX])
{
    char clock[CLOCK_LINE_MAX];
    int entrants = json_int_or(row, "entrants", 0);

    tournament_title(row, line);
    size_t used = strlen(line);
    snprintf(line + used, TOURNAMENT_LINE_MAX - used, "%s, %d player%s, %.20s",
             clock_control(json_member(row, "clock"), clock), entrants, plural(entrants),
             json_text_or(row, "status", "?"));
}

/* The rounds that a tournament will have; 0: not known. */
static int rounds_of(const cJSON *shown)
{
    int players = json_int_or(shown, "total_players", 0);

    if (strcmp(json_text_or(shown, "format", ""), "round-robin") == 0)
        return json_int_or(shown, "cycles", 0) * (players - 1 + players % 2);
    return json_int_or(shown, "rounds_planned", 0);
}

void tournament_state(const cJSON *shown, char line[TOURNAMENT_LINE_MAX])
{
    char rounds[32] = "", of[32] = "", clock[CLOCK_LINE_MAX];
    int round = json_int_or(shown, "round", 0), entrants = json_int_or(shown, "entrants", 0);

    if (rounds_of(shown) > 0)
        snprintf(of, sizeof of, " of %d", rounds_of(shown));
    if (round > 0)
        snprintf(rounds, sizeof rounds, ", round %d", round);
    snprintf(line, TOURNAMENT_LINE_MAX, "%.20s%s%s, %d player%s%s",
             json_text_or(shown, "status", "?"), rounds, round > 0 ? of : "", entrants,
             plural(entrants), clock_control(json_member(shown, "clock"), clock));
}

enum { NAME_WIDTH_MIN = 6 };

static int name_width(const cJSON *shown)
{
    int width = names_width(json_member(shown, "players"));

    return width > NAME_WIDTH_MIN ? width : NAME_WIDTH_MIN;
}

void tournament_titles(const cJSON *shown, char line[TOURNAMENT_LINE_MAX])
{
    snprintf(line, TOURNAMENT_LINE_MAX, "%4s %3s %-*s %6s %5s %6s  %s", "rank", "no",
             name_width(shown), "player", "rating", "score", "played", "matches");
}

/* Writes a number with one decimal at most, as scores are. */
static void write_score(const cJSON *player, char text[16])
{
    const cJSON *score = json_member(player, "score");

    snprintf(text, 16, "%g", cJSON_IsNumber(score) ? score->valuedouble : 0);
}

void tournament_standing(const cJSON *shown, int index, char line[TOURNAMENT_LINE_MAX])
{
    const cJSON *player = cJSON_GetArrayItem(json_member(shown, "players"), index), *cell;
    char score[16], rating[16] = "";
    int value;

    write_score(player, score);
    if (json_int(player, "rating", &value))
        snprintf(rating, sizeof rating, "%d", value);
    int width = name_width(shown);
    int used = snprintf(line, TOURNAMENT_LINE_MAX, "%4d %3d %-*.*s %6s %5s %6d  ",
                        json_int_or(player, "rank", 0), json_int_or(player, "number", 0), width,
                        width, json_text_or(player, "name", "?"), rating, score,
                        json_int_or(player, "matches", 0));
    if (json_true(player, "left"))
        used += snprintf(line + used, (size_t)(TOURNAMENT_LINE_MAX - used), "(left) ");
    cJSON_ArrayForEach (cell, cJSON_GetArrayItem(json_member(shown, "crosstable"), index))
        if (cJSON_IsString(cell) && used < TOURNAMENT_LINE_MAX - 16)
            used += snprintf(line + used, 16, "%.10s ", cell->valuestring);
}

void tournament_pairing(const cJSON *pairing, char line[TOURNAMENT_LINE_MAX])
{
    const char *white = json_text_or(pairing, "white", "?");
    const char *black = json_text_or(pairing, "black", NULL);
    const char *result = json_text_or(pairing, "result", "*");

    if (black == NULL)
        snprintf(line, TOURNAMENT_LINE_MAX, "%.24s has a bye", white);
    else
        snprintf(line, TOURNAMENT_LINE_MAX, "%.24s - %.24s  %.8s%s", white, black,
                 strcmp(result, "*") == 0 ? "playing" : result,
                 json_true(pairing, "walkover") ? " by walkover" : "");
}

bool tournament_has(const cJSON *shown, const char *name)
{
    const cJSON *player;

    cJSON_ArrayForEach (player, json_member(shown, "players"))
        if (strcmp(json_text_or(player, "name", ""), name) == 0)
            return !json_true(player, "left");
    return false;
}

const cJSON *tournament_last_round(const cJSON *shown, int *round)
{
    const cJSON *rounds = json_member(shown, "rounds");
    const cJSON *last = cJSON_GetArrayItem(rounds, cJSON_GetArraySize(rounds) - 1);

    *round = json_int_or(last, "round", 0);
    return json_member(last, "pairings");
}
