#include "match_words.h"

#include <ctype.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "client/link/json_read.h"

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
    char left[2][CLOCK_TEXT_MAX], increment[48] = "";

    for (enum color color = WHITE; color <= BLACK; color++)
        clock_format(match_clock_left_ms(clock, color, now_ms), left[color]);
    if (clock->increment_ms > 0)
        snprintf(increment, sizeof increment, _(", +%g s a move"),
                 (double)clock->increment_ms / 1000);
    snprintf(line, CLOCK_LINE_MAX,
             !clock->runs              ? _("white %s, black %s%s")
             : clock->running == WHITE ? _("white %s (running), black %s%s")
                                       : _("white %s, black %s (running)%s"),
             left[WHITE], left[BLACK], increment);
}

const char *clock_control(const cJSON *json, char text[CLOCK_LINE_MAX])
{
    int64_t base_ms = json_ms(json, "base_ms"), increment_ms = json_ms(json, "increment_ms");

    char words[CLOCK_WORDS_MAX];

    text[0] = '\0';
    if (base_ms > 0) {
        clock_words_write(base_ms, increment_ms > 0 ? increment_ms : 0, words);
        snprintf(text, CLOCK_LINE_MAX, _(", clock %s"), words);
    }
    return text;
}

/* The title of a game, or its name where the game is not known. */
static const char *game_title(const char *name)
{
    const struct game *game = game_find(name, strlen(name));

    return game != NULL ? _(game->title) : name;
}

const char *game_label(const char *game, const char *variant, char label[GAME_LABEL_MAX])
{
    snprintf(label, GAME_LABEL_MAX, "%s %s", game_title(game), variant);
    return label;
}

const char *seat_shown(const struct match_seat *seat)
{
    return name_shown(seat->name, seat->display);
}

void row_words(const struct names *names, const cJSON *row, char words[ROW_WORDS_MAX])
{
    char label[GAME_LABEL_MAX], clock[CLOCK_LINE_MAX];
    char white[PLAYER_DISPLAY_MAX], black[PLAYER_DISPLAY_MAX];

    snprintf(words, ROW_WORDS_MAX, _("%s%s, white %s, black %s"),
             game_label(json_text_or(row, "game", ""), json_text_or(row, "variant", ""), label),
             clock_control(json_member(row, "clock"), clock),
             names_cut_of(names, row, "white", _("free"), white),
             names_cut_of(names, row, "black", _("free"), black));
}

bool tournament_name(const char *typed, char name[TOURNAMENT_NAME_MAX])
{
    size_t used = 0;

    for (const char *at = typed; *at != '\0' && used < TOURNAMENT_NAME_MAX - 1; at++) {
        bool fits = isalnum((unsigned char)*at) || strchr("_-.", *at) != NULL;
        bool goes_on = ((unsigned char)*at & 0xc0) == 0x80; /* within a character */
        if (!goes_on)
            name[used++] = fits ? *at : '_';
    }
    name[used] = '\0';
    return strcmp(typed, name) == 0;
}

const char *sentence_of(const char *message, char sentence[SENTENCE_MAX])
{
    size_t length = strlen(message);
    bool ends = length > 0 && strchr(".?!", message[length - 1]) != NULL;
    bool option = message[strcspn(message, " =")] == '=';

    snprintf(sentence, SENTENCE_MAX, "%s%s", message, ends ? "" : ".");
    if (!option && islower((unsigned char)sentence[0]) &&
        (islower((unsigned char)sentence[1]) || sentence[1] == ' '))
        sentence[0] = (char)toupper((unsigned char)sentence[0]);
    return sentence;
}

const char *sentence_about(const char *sentence, const char *name, char *text, size_t size)
{
    const char *place = strstr(sentence, "%s");
    int before = (int)(place != NULL ? place - sentence : (ptrdiff_t)strlen(sentence));

    snprintf(text, size, "%.*s%s%s", before, sentence, place != NULL ? name : "",
             place != NULL ? place + 2 : "");
    return text;
}

const char *color_title(enum color color)
{
    return color == WHITE ? _("White") : _("Black");
}

const char *offer_request(enum offer offer)
{
    static const char *const requests[] = {N_("%s offers a draw."),
                                           N_("%s asks to take back the last move."),
                                           N_("%s asks for a rematch.")};
    return _(requests[offer]);
}

const char *offer_choice(enum offer offer)
{
    static const char *const choices[] = {
        N_("%s offers a draw: accept or decline?"),
        N_("%s asks to take back the last move: accept or decline?"),
        N_("%s asks for a rematch: accept or decline?")};
    return _(choices[offer]);
}

const char *offer_question(enum offer offer)
{
    static const char *const questions[] = {N_("%s offers a draw. Accept? (y/n)"),
                                            N_("%s asks to take back the last move. Accept? (y/n)"),
                                            N_("%s asks for a rematch. Accept? (y/n)")};
    return _(questions[offer]);
}

const char *offer_made(enum offer offer)
{
    static const char *const made[] = {N_("You offered a draw. Waiting for %s."),
                                       N_("You asked to take back a move. Waiting for %s."),
                                       N_("You asked for a rematch. Waiting for %s.")};
    return _(made[offer]);
}

const char *offer_declined(enum offer offer)
{
    static const char *const declined[] = {N_("%s declines the draw."),
                                           N_("%s declines to take back a move."),
                                           N_("%s declines the rematch.")};
    return _(declined[offer]);
}

/* Why a match has ended: what the loser is said to have done, of others and of you, or why it is a
 * draw. */
static const struct ending {
    const char *reason;
    const char *they, *you, *drawn;
} endings[] = {
    {"no-moves", N_("%s has no moves left."), N_("You have no moves left."),
     N_("Draw: neither side has a move left.")},
    {"score", N_("%s has fewer points."), N_("You have fewer points."),
     N_("Draw: both have the same points.")},
    {"dux-immobilised", N_("%s's dux is surrounded."), N_("Your dux is surrounded."), NULL},
    {"no-soldiers", N_("%s has no soldiers left."), N_("You have no soldiers left."), NULL},
    {"checkmate", N_("%s is checkmated."), N_("You are checkmated."), NULL},
    {"repetition", NULL, NULL, N_("Draw: the same position came up three times.")},
    {"no-capture", NULL, NULL, N_("Draw: 100 moves without a capture.")},
    {"resign", N_("%s resigned."), N_("You resigned."), NULL},
    {"draw-agreed", NULL, NULL, N_("Draw: both agreed.")},
    {"timeout", N_("%s ran out of time."), N_("You ran out of time."), NULL},
    {"forfeit", N_("%s left the game."), N_("You left the game."), NULL},
    {NULL, N_("%s lost."), N_("You lost."), NULL},
};

/* The last row is for all other reasons. */
static const struct ending *find_ending(const char *reason)
{
    const struct ending *ending = endings;

    while (ending->reason != NULL && strcmp(ending->reason, reason) != 0)
        ending++;
    return ending;
}

/* Writes the name of a side; its colour where both have the same name. */
static const char *side_name(const struct match_state *view, enum color color,
                             char text[PLAYER_DISPLAY_MAX])
{
    bool same = strcmp(view->seats[WHITE].name, view->seats[BLACK].name) == 0;

    return same || view->seats[color].name[0] == '\0'
               ? color_title(color)
               : name_cut(seat_shown(&view->seats[color]), text);
}

static void write_win(const struct match_state *view, enum color winner, char line[RESULT_LINE_MAX])
{
    const struct ending *ending = find_ending(view->reason);
    const char *they = ending->they != NULL ? ending->they : N_("%s lost.");
    const char *you = ending->you != NULL ? ending->you : N_("You lost.");
    char texts[2][PLAYER_DISPLAY_MAX], why[RESULT_LINE_MAX - 80];
    const char *name = side_name(view, winner, texts[winner]);
    const char *loser = side_name(view, !winner, texts[!winner]);
    enum color mine;

    bool seated = match_state_my_color(view, &mine);
    bool counted = view->has_score && strcmp(view->reason, "score") == 0;
    int most = view->score[winner], least = view->score[!winner];
    sentence_about(_(they), loser, why, sizeof why);
    if (counted && !seated)
        snprintf(line, RESULT_LINE_MAX, _("%s wins %d to %d."), name, most, least);
    else if (counted && mine == winner)
        snprintf(line, RESULT_LINE_MAX, _("You win %d to %d."), most, least);
    else if (counted)
        snprintf(line, RESULT_LINE_MAX, _("You lost %d to %d. %s wins."), least, most, name);
    else if (!seated)
        snprintf(line, RESULT_LINE_MAX, _("%s wins: %s"), name, why);
    else if (mine == winner)
        snprintf(line, RESULT_LINE_MAX, _("You win! %s"), why);
    else
        snprintf(line, RESULT_LINE_MAX, _("%s %s wins."), _(you), name);
}

void result_line(const struct match_state *view, char line[RESULT_LINE_MAX])
{
    const char *drawn = find_ending(view->reason)->drawn;

    if (strcmp(view->result, result_text(RESULT_WHITE)) == 0)
        write_win(view, WHITE, line);
    else if (strcmp(view->result, result_text(RESULT_BLACK)) == 0)
        write_win(view, BLACK, line);
    else if (strcmp(view->result, result_text(RESULT_DRAW)) == 0)
        snprintf(line, RESULT_LINE_MAX, "%s", drawn != NULL ? _(drawn) : _("Draw."));
    else
        snprintf(line, RESULT_LINE_MAX, "%s", _("Game aborted."));
    /* Add what the match has done to your rating. */
    size_t used = strlen(line);
    enum color mine;
    if (!match_state_my_color(view, &mine))
        return;
    int before = view->seats[mine].rated_before, now = view->seats[mine].rating;
    if (before > 0 && now > 0 && before != now)
        snprintf(line + used, RESULT_LINE_MAX - used, _(" Your rating: %d -> %d (%+d)."), before,
                 now, now - before);
}

enum { SECOND_MS = 1000, MINUTE_MS = 60000 };

static const char *skip_spaces(const char *text)
{
    return text + strspn(text, " \t");
}

/* The unit of time that the text goes on with, and moves *text past it; else `bare_ms`. */
static int64_t read_unit(const char **text, int64_t bare_ms)
{
    static const struct {
        const char *word;
        int64_t ms;
    } units[] = {
        {"s", SECOND_MS}, {"sec", SECOND_MS}, {"m", MINUTE_MS}, {"min", MINUTE_MS}, {"h", HOUR_MS}};
    const char *word = skip_spaces(*text);
    size_t length = 0;

    while (isalpha((unsigned char)word[length]))
        length++;
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
        if (strlen(units[i].word) == length && strncasecmp(units[i].word, word, length) == 0) {
            *text = word + length;
            return units[i].ms;
        }
    return bare_ms;
}

/* Reads a time, such as 5, 0.5, 300s, 5m or 1:30, and moves *text past it. Without a unit 1 is
 * `bare_ms`. */
static bool read_time(const char **text, int64_t bare_ms, int64_t *ms)
{
    int64_t thousandths, seconds_ms;

    if (!seconds_read(text, &thousandths)) /* the same form of number */
        return false;
    if (**text == ':') {
        ++*text;
        if (!seconds_read(text, &seconds_ms) || seconds_ms >= MINUTE_MS)
            return false;
        *ms = thousandths * (MINUTE_MS / SECOND_MS) + seconds_ms;
        return true;
    }
    *ms = thousandths * (read_unit(text, bare_ms) / SECOND_MS);
    return true;
}

static bool read_control(const char *text, int64_t bare_ms, struct time_control *control)
{
    *control = (struct time_control){0};
    text = skip_spaces(text);
    if (!read_time(&text, bare_ms, &control->base_ms))
        return false;
    text = skip_spaces(text);
    if (*text == '+') {
        text = skip_spaces(text + 1);
        if (!read_time(&text, SECOND_MS, &control->increment_ms))
            return false;
    }
    return *skip_spaces(text) == '\0';
}

/* Writes the clock for the protocol. False with the cause for one that no match may have. */
static bool write_control(struct time_control control, char clock[CLOCK_WORDS_MAX],
                          struct cause *cause)
{
    snprintf(clock, CLOCK_WORDS_MAX, "%.10g+%.10g", (double)control.base_ms / SECOND_MS,
             (double)control.increment_ms / SECOND_MS);
    return time_control_parse(clock, &control, cause);
}

bool clock_words_read(const char *text, char clock[CLOCK_WORDS_MAX], struct cause *cause)
{
    struct time_control control;

    if (!read_control(text, MINUTE_MS, &control))
        return cause_set(cause, "'%.20s' is not a clock: write minutes + seconds a move, as 5 + 3",
                         text);
    return write_control(control, clock, cause);
}

bool clock_option_read(const char *text, char clock[CLOCK_WORDS_MAX], struct cause *cause)
{
    struct time_control control;

    if (!read_control(text, SECOND_MS, &control))
        return cause_set(cause,
                         "invalid clock '%.32s': write BASE or BASE+INC in seconds, such as 300+5, "
                         "or 5m+5",
                         text);
    return write_control(control, clock, cause);
}

bool clock_line_read(const char *line, char *sent, size_t size, struct cause *cause)
{
    static const char name[] = "clock=";
    char value[CLOCK_WORDS_MAX], clock[CLOCK_WORDS_MAX];
    const char *word = line;

    while (*word != '\0' && strncasecmp(word, name, sizeof name - 1) != 0) {
        word += strcspn(word, " \t");
        word = skip_spaces(word);
    }
    const char *start = *word != '\0' ? word + sizeof name - 1 : word;
    size_t length = strcspn(start, " \t");
    snprintf(value, sizeof value, "%.*s", (int)length, start);
    clock[0] = '\0';
    if (*word != '\0' && !clock_option_read(value, clock, cause))
        return false;
    return snprintf(sent, size, "%.*s%s%s", (int)(start - line), line, clock, start + length) <
               (int)size ||
           cause_set(cause, "that line is too long");
}

void clock_words_write(int64_t base_ms, int64_t increment_ms, char text[CLOCK_WORDS_MAX])
{
    char seconds[24] = "";

    if (base_ms % MINUTE_MS != 0)
        snprintf(seconds, sizeof seconds, ":%s%.10g", base_ms % MINUTE_MS < 10000 ? "0" : "",
                 (double)(base_ms % MINUTE_MS) / 1000);
    snprintf(text, CLOCK_WORDS_MAX, "%lld%s + %.10g", (long long)(base_ms / MINUTE_MS), seconds,
             (double)increment_ms / 1000);
}

bool match_is_rated(const struct match_state *view)
{
    bool counts = view->rated && !(view->seats[WHITE].mine && view->seats[BLACK].mine);

    for (enum color color = WHITE; color <= BLACK; color++)
        counts = counts && (view->seats[color].name[0] == '\0' || view->seats[color].rating > 0);
    return counts;
}

bool match_is_of_bots(const struct match_state *view)
{
    return !match_state_seated(view) && view->seats[WHITE].bot && view->seats[BLACK].bot;
}
