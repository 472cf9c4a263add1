#include "match_words.h"

#include <stdio.h>
#include <string.h>

#include "client/link/json_read.h"
#include "clock_words.h"

enum { TENTHS_BELOW_MS = 20000, HOUR_MS = 3600000 };

void clock_format(int64_t left_ms, char text[CLOCK_TEXT_MAX])
{
    long long minutes = left_ms / 60000 % 60, seconds = left_ms / 1000 % 60;

    if (left_ms < TENTHS_BELOW_MS)
        snprintf(text, CLOCK_TEXT_MAX, "0:%02lld.%lld", seconds, (long long)left_ms / 100 % 10);
    else if (left_ms < HOUR_MS)
        snprintf(text, CLOCK_TEXT_MAX, "%lld:%02lld", minutes, seconds);
    else
        snprintf(text, CLOCK_TEXT_MAX, "%lld:%02lld:%02lld", (long long)left_ms / HOUR_MS, minutes,
                 seconds);
}

void clock_line(const struct match_clock *clock, int64_t now_ms, char line[CLOCK_LINE_MAX])
{
    char left[2][CLOCK_TEXT_MAX], increment[32] = "";

    for (enum color color = WHITE; color <= BLACK; color++)
        clock_format(match_clock_left_ms(clock, color, now_ms), left[color]);
    if (clock->increment_ms > 0)
        snprintf(increment, sizeof increment, ", +%g s a move", (double)clock->increment_ms / 1000);
    snprintf(line, CLOCK_LINE_MAX, "white %s%s, black %s%s%s", left[WHITE],
             clock->runs && clock->running == WHITE ? " (running)" : "", left[BLACK],
             clock->runs && clock->running == BLACK ? " (running)" : "", increment);
}

const char *clock_control(const cJSON *json, char text[CLOCK_LINE_MAX])
{
    int64_t base_ms = json_ms(json, "base_ms"), increment_ms = json_ms(json, "increment_ms");

    char words[CLOCK_WORDS_MAX];

    text[0] = '\0';
    if (base_ms > 0) {
        clock_words_write(base_ms, increment_ms > 0 ? increment_ms : 0, words);
        snprintf(text, CLOCK_LINE_MAX, ", clock %s", words);
    }
    return text;
}

/* The title of a game, or its name where the game is not known. */
static const char *game_title(const char *name)
{
    const struct game *game = game_find(name, strlen(name));

    return game != NULL ? game->title : name;
}

const char *game_label(const char *game, const char *variant, char label[GAME_LABEL_MAX])
{
    snprintf(label, GAME_LABEL_MAX, "%s %s", game_title(game), variant);
    return label;
}

void row_words(const cJSON *row, char words[ROW_WORDS_MAX])
{
    char label[GAME_LABEL_MAX], clock[CLOCK_LINE_MAX];

    snprintf(words, ROW_WORDS_MAX, "%s%s, white %.40s, black %.40s",
             game_label(json_text_or(row, "game", ""), json_text_or(row, "variant", ""), label),
             clock_control(json_member(row, "clock"), clock), json_text_or(row, "white", "free"),
             json_text_or(row, "black", "free"));
}

const char *color_title(enum color color)
{
    return color == WHITE ? "White" : "Black";
}

const char *offer_request(enum offer offer)
{
    static const char *const requests[] = {"offers a draw", "asks to take back the last move",
                                           "asks for a rematch"};
    return requests[offer];
}

/* The sentence for each reason: after the colour of the loser, and for a draw. */
static const struct ending {
    const char *reason;
    const char *won, *drawn;
} endings[] = {
    {"no-moves", " cannot move", "neither side can move"},
    {"score", " has fewer points", "both have as many points"},
    {"dux-immobilised", "'s dux is immobilised", ""},
    {"no-soldiers", " has no soldiers left", ""},
    {"checkmate", " is in check and cannot move", ""},
    {"repetition", "", "the same position came for the third time"},
    {"no-capture", "", "100 plies went by without a capture"},
    {"resign", " has resigned", ""},
    {"draw-agreed", "", "both agreed to it"},
    {"timeout", " is out of time", ""},
    {"forfeit", " has gone", ""},
    {NULL, "", ""},
};

/* The last row, without sentences, is for all other reasons. */
static const struct ending *find_ending(const char *reason)
{
    const struct ending *ending = endings;

    while (ending->reason != NULL && strcmp(ending->reason, reason) != 0)
        ending++;
    return ending;
}

static void write_win(const struct match_state *view, enum color winner, char line[RESULT_LINE_MAX])
{
    const char *why = find_ending(view->reason)->won;
    bool told = why[0] != '\0';

    snprintf(line, RESULT_LINE_MAX, "%s (%s): %s (%s) wins%s%s%s", view->result, view->reason,
             color_name(winner), view->seats[winner].name, told ? ", " : "",
             told ? color_name(!winner) : "", why);
}

void result_line(const struct match_state *view, char line[RESULT_LINE_MAX])
{
    const char *drawn = find_ending(view->reason)->drawn;

    if (strcmp(view->result, result_text(RESULT_WHITE)) == 0)
        write_win(view, WHITE, line);
    else if (strcmp(view->result, result_text(RESULT_BLACK)) == 0)
        write_win(view, BLACK, line);
    else if (strcmp(view->result, result_text(RESULT_DRAW)) == 0)
        snprintf(line, RESULT_LINE_MAX, "%s (%s): a draw%s%s", view->result, view->reason,
                 drawn[0] != '\0' ? ", " : "", drawn);
    else
        snprintf(line, RESULT_LINE_MAX, "%s (%s): the match was broken off", view->result,
                 view->reason);
}
