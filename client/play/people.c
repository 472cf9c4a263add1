#include "people.h"

#include <stdio.h>
#include <string.h>

#include "client/link/json_read.h"
#include "client/model/match_words.h"

enum { NUMBER_MAX = 16, PERSON_MAX = 48 };

/* A number as text; "-" when it is missing. */
static const char *number_text(const cJSON *row, const char *name, char text[NUMBER_MAX])
{
    int number;

    if (json_int(row, name, &number))
        snprintf(text, NUMBER_MAX, "%d", number);
    else
        snprintf(text, NUMBER_MAX, "-");
    return text;
}

/* Says how many there are in all when the list is cut; `what` is a plural. */
static void show_rest(struct console *console, const cJSON *reply, int shown, const char *what)
{
    int total;

    if (json_int(reply, "total", &total) && total > shown)
        console_say(console, "  (%d of %d %s)", shown, total, what);
}

static const char *label_of(const cJSON *row, char label[GAME_LABEL_MAX])
{
    return game_label(json_text_or(row, "game", "?"), json_text_or(row, "variant", ""), label);
}

void people_show_who(struct console *console, const cJSON *reply)
{
    const cJSON *row, *rows = json_member(reply, "players");
    char rating[NUMBER_MAX], playing[NUMBER_MAX];

    console_say(console, "  %-24s %6s  %7s", "name", "rating", "playing");
    cJSON_ArrayForEach (row, rows)
        console_say(console, "  %-24s %6s  %7s%s", json_text_or(row, "name", "?"),
                    number_text(row, "rating", rating), number_text(row, "playing", playing),
                    json_true(row, "bot") ? "  bot" : "");
    show_rest(console, reply, cJSON_GetArraySize(rows), "players");
}

void people_show_top(struct console *console, const cJSON *reply)
{
    const cJSON *row, *rows = json_member(reply, "players");
    char rank[NUMBER_MAX], rating[NUMBER_MAX], deviation[NUMBER_MAX], matches[NUMBER_MAX];
    char label[GAME_LABEL_MAX];

    if (cJSON_GetArraySize(rows) == 0) {
        console_say(console, "Nobody has a rating there yet.");
        return;
    }
    console_say(console, "  %4s  %-24s %6s  %3s  %7s  game", "rank", "name", "rating", "+/-",
                "matches");
    cJSON_ArrayForEach (row, rows)
        console_say(console, "  %4s  %-24s %6s  %3s  %7s  %s", number_text(row, "rank", rank),
                    json_text_or(row, "name", "?"), number_text(row, "rating", rating),
                    number_text(row, "deviation", deviation), number_text(row, "matches", matches),
                    label_of(row, label));
}

/* "anna 1523", or the name alone. */
static const char *person_text(const cJSON *row, const char *name, const char *rating_name,
                               char text[PERSON_MAX])
{
    int rating;

    if (json_int(row, rating_name, &rating))
        snprintf(text, PERSON_MAX, "%.24s %d", json_text_or(row, name, "?"), rating);
    else
        snprintf(text, PERSON_MAX, "%.24s", json_text_or(row, name, "?"));
    return text;
}

static void show_match(struct console *console, const cJSON *row)
{
    char label[GAME_LABEL_MAX], white[PERSON_MAX], black[PERSON_MAX], plies[NUMBER_MAX];
    bool one = strcmp(number_text(row, "plies", plies), "1") == 0;

    console_say(console, "  %.10s  %s, match %s: white %s, black %s: %s %s, %s %s",
                json_text_or(row, "date", "?"), label_of(row, label),
                json_text_or(row, "match", "?"), person_text(row, "white", "white_rating", white),
                person_text(row, "black", "black_rating", black), json_text_or(row, "result", "?"),
                json_text_or(row, "reason", ""), plies, one ? "ply" : "plies");
}

void people_show_history(struct console *console, const cJSON *reply)
{
    const cJSON *row, *rows = json_member(reply, "matches");

    if (cJSON_GetArraySize(rows) == 0) {
        console_say(console, "%s has not finished a match yet.",
                    json_text_or(reply, "name", "Nobody"));
        return;
    }
    console_say(console, "Matches of %s, the latest first:", json_text_or(reply, "name", "?"));
    cJSON_ArrayForEach (row, rows)
        show_match(console, row);
    show_rest(console, reply, cJSON_GetArraySize(rows), "matches");
}
