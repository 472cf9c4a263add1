#include "match_words.h"

#include <stdio.h>
#include <string.h>

#include "client/link/json_read.h"
#include "clock_text.h"

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

/* The sentence for each reason: after the colour of the loser (or winner), and for a draw. */
static const struct {
    const char *reason;
    bool of_winner;
    const char *won, *drawn;
} endings[] = {
    {"no-moves", false, " cannot move", "neither side can move"},
    {"score", true, " has more points", "both have as many points"},
    {"dux-immobilised", false, "'s dux is immobilised", ""},
    {"no-soldiers", false, " has no soldiers left", ""},
    {"checkmate", false, " is in check and cannot move", ""},
    {"repetition", false, "", "the same position came for the third time"},
    {"no-capture", false, "", "100 plies went by without a capture"},
    {"resign", false, " has resigned", ""},
    {"draw-agreed", false, "", "both agreed to it"},
    {"timeout", false, " is out of time", ""},
    {"forfeit", false, " has gone", ""},
};

static int find_ending(const char *reason)
{
    int count = sizeof endings / sizeof endings[0], i = 0;

    while (i < count && strcmp(endings[i].reason, reason) != 0)
        i++;
    return i < count ? i : -1;
}

static void write_win(const struct match_state *view, enum color winner, char line[RESULT_LINE_MAX])
{
    int ending = find_ending(view->reason);
    const char *name = view->seats[winner].name;
    bool told = ending >= 0 && endings[ending].won[0] != '\0';
    enum color subject = told && endings[ending].of_winner ? winner : !winner;

    snprintf(line, RESULT_LINE_MAX, "%s (%s): %s (%s) wins%s%s%s", view->result, view->reason,
             color_name(winner), name, told ? ", " : "", told ? color_name(subject) : "",
             told ? endings[ending].won : "");
}

void result_line(const struct match_state *view, char line[RESULT_LINE_MAX])
{
    int ending = find_ending(view->reason);

    if (strcmp(view->result, result_text(RESULT_WHITE)) == 0)
        write_win(view, WHITE, line);
    else if (strcmp(view->result, result_text(RESULT_BLACK)) == 0)
        write_win(view, BLACK, line);
    else if (strcmp(view->result, result_text(RESULT_DRAW)) == 0)
        snprintf(line, RESULT_LINE_MAX, "%s (%s): a draw%s%s", view->result, view->reason,
                 ending >= 0 ? ", " : "", ending >= 0 ? endings[ending].drawn : "");
    else
        snprintf(line, RESULT_LINE_MAX, "%s (%s): the match was broken off", view->result,
                 view->reason);
}
