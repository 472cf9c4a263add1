#include "attempt.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "client/link/identity.h"
#include "common/move.h"

#define KEPT_FILE "puzzles"
#define DAILY_KEY "daily"

enum { DAY_SECONDS = 86400, DAYS_MAX = 10000000, DATE_MAX = 32, GAME_KEY_MAX = 48 };

long attempt_today(void)
{
    return (long)(time(NULL) / DAY_SECONDS);
}

/* The number that is kept of a game; 1 at first, and after the last puzzle. */
static int next_number(const struct game *game)
{
    char value[RECORD_MAX];
    struct cause cause;
    long number;

    if (record_load(KEPT_FILE, game->name, value, &cause) == RECORD_FOUND &&
        number_parse(value, strlen(value), 1, puzzle_count(game), &number))
        return (int)number;
    return 1;
}

bool attempt_begin(struct attempt *attempt, const struct game *game, int number)
{
    *attempt = (struct attempt){.number = number > 0 ? number : next_number(game)};
    return puzzle_find(game, attempt->number, &attempt->puzzle);
}

static void write_key(const char *word, const struct game *game, char key[GAME_KEY_MAX])
{
    snprintf(key, GAME_KEY_MAX, "%s-%s", word, game->name);
}

/* Whether the answer of a game's puzzle of a day was shown in an earlier attempt. */
static bool was_shown(const struct game *game, long day)
{
    char key[GAME_KEY_MAX], value[RECORD_MAX];
    struct cause cause;
    long shown;

    write_key("shown", game, key);
    return record_load(KEPT_FILE, key, value, &cause) == RECORD_FOUND &&
           number_parse(value, strlen(value), 1, DAYS_MAX, &shown) && shown == day;
}

static void keep_shown(const struct game *game, long day)
{
    char key[GAME_KEY_MAX], value[RECORD_MAX];
    struct cause cause;

    write_key("shown", game, key);
    snprintf(value, sizeof value, "%ld", day);
    record_save(KEPT_FILE, key, value, &cause);
}

bool attempt_begin_daily(struct attempt *attempt, const struct game *game)
{
    long day = attempt_today();

    if (game == NULL && (game = puzzle_daily_game(day)) == NULL)
        return false;
    int number = puzzle_daily_number(game, day);
    if (number == 0 || !attempt_begin(attempt, game, number))
        return false;
    attempt->day = day;
    attempt->shown = was_shown(game, day);
    return true;
}

/* Reads the last day solved, and how many in a row it made; 0 and 0 where none is kept. */
static void load_days(long *last, long *streak)
{
    char value[RECORD_MAX];
    struct cause cause;

    *last = *streak = 0;
    if (record_load(KEPT_FILE, DAILY_KEY, value, &cause) != RECORD_FOUND)
        return;
    size_t length = strcspn(value, " ");
    const char *rest = value + length + strspn(value + length, " ");
    if (!number_parse(value, length, 1, DAYS_MAX, last) ||
        !number_parse(rest, strlen(rest), 1, DAYS_MAX, streak))
        *last = *streak = 0;
}

bool attempt_is_done_today(int *streak)
{
    long last, days;

    load_days(&last, &days);
    *streak = last >= attempt_today() - 1 ? (int)days : 0;
    return last == attempt_today();
}

/* Notes that today is solved, and finds how many days in a row that makes. */
static bool keep_day(struct attempt *attempt, struct cause *cause)
{
    char value[RECORD_MAX];
    long last, streak;

    load_days(&last, &streak);
    if (last != attempt->day)
        streak = last == attempt->day - 1 ? streak + 1 : 1;
    attempt->streak = (int)streak;
    snprintf(value, sizeof value, "%ld %ld", attempt->day, streak);
    return record_save(KEPT_FILE, DAILY_KEY, value, cause);
}

static bool keep_number(const struct attempt *attempt, struct cause *cause)
{
    char value[RECORD_MAX];

    snprintf(value, sizeof value, "%d", attempt->number % puzzle_count(attempt->puzzle.game) + 1);
    return record_save(KEPT_FILE, attempt->puzzle.game->name, value, cause);
}

/* Notes what is solved, and says how it went. */
static void note_solved(struct attempt *attempt, char text[ATTEMPT_TEXT_MAX])
{
    size_t used = strlen(text);
    struct cause cause;

    bool kept = attempt->day > 0 ? keep_day(attempt, &cause) : keep_number(attempt, &cause);
    if (!kept)
        snprintf(text + used, ATTEMPT_TEXT_MAX - used, _(" It cannot be noted: %s"), cause.text);
    else if (attempt->day > 0)
        snprintf(text + used, ATTEMPT_TEXT_MAX - used, _(" Days in a row: %d."), attempt->streak);
}

void attempt_try(struct attempt *attempt, struct move move, struct attempt_answer *answer)
{
    const struct puzzle *puzzle = &attempt->puzzle;
    char verdict[PUZZLE_VERDICT_MAX];

    *answer = (struct attempt_answer){.right = move_equal(move, puzzle->answer)};
    answer->refuted = !answer->right && puzzle_refutation(puzzle, move, &answer->reply);
    puzzle_verdict(puzzle, move, answer->refuted ? &answer->reply : NULL, verdict);
    snprintf(answer->text, sizeof answer->text, "%s", verdict);
    if (!answer->right) {
        attempt->wrong += !attempt->solved;
        return;
    }
    attempt->solved = true;
    if (!attempt->shown) /* what was shown is no merit of the player's */
        note_solved(attempt, answer->text);
}

void attempt_show(struct attempt *attempt, char text[ATTEMPT_TEXT_MAX])
{
    char line[PUZZLE_VERDICT_MAX];

    if (attempt->day > 0 && !attempt->solved)
        keep_shown(attempt->puzzle.game, attempt->day);
    attempt->shown = attempt->solved = true;
    puzzle_tell(&attempt->puzzle, line);
    snprintf(text, ATTEMPT_TEXT_MAX, "%s", line);
}

int attempt_best_storm(const struct game *game)
{
    char key[GAME_KEY_MAX], value[RECORD_MAX];
    struct cause cause;
    long solved;

    write_key("storm", game, key);
    return record_load(KEPT_FILE, key, value, &cause) == RECORD_FOUND &&
                   number_parse(value, strlen(value), 1, STORM_PUZZLES, &solved)
               ? (int)solved
               : 0;
}

bool attempt_keep_storm(const struct game *game, int solved, struct cause *cause)
{
    char key[GAME_KEY_MAX], value[16];

    write_key("storm", game, key);
    snprintf(value, sizeof value, "%d", solved);
    return record_save(KEPT_FILE, key, value, cause);
}

static void write_date(long day, char text[DATE_MAX])
{
    time_t seconds = (time_t)day * DAY_SECONDS;
    struct tm date;

    if (gmtime_r(&seconds, &date) == NULL || strftime(text, DATE_MAX, "%Y-%m-%d", &date) == 0)
        text[0] = '\0';
}

void attempt_title(const struct attempt *attempt, char text[ATTEMPT_TEXT_MAX])
{
    const struct game *game = attempt->puzzle.game;
    char variant[VARIANT_NAME_MAX], label[64], date[DATE_MAX];

    game->variant_name(&attempt->puzzle.position, variant);
    write_date(attempt->day, date);
    if (game->variants[1] != NULL)
        snprintf(label, sizeof label, "%s %s", _(game->title), variant);
    else
        snprintf(label, sizeof label, "%s", _(game->title));
    if (attempt->day > 0)
        snprintf(text, ATTEMPT_TEXT_MAX, _("%s, puzzle of %s"), label, date);
    else
        snprintf(text, ATTEMPT_TEXT_MAX, _("%s, puzzle %d of %d"), label, attempt->number,
                 puzzle_count(game));
}

void attempt_share(const struct attempt *attempt, char text[ATTEMPT_TEXT_MAX])
{
    char title[ATTEMPT_TEXT_MAX], how[64], streak[48] = "";

    attempt_title(attempt, title);
    snprintf(how, sizeof how,
             attempt->shown     ? _("answer shown")
             : !attempt->solved ? _("not solved")
             : attempt->wrong == 0
                 ? _("solved at the first try")
                 : text_counted("solved after %d wrong move", "solved after %d wrong moves",
                                (unsigned long)attempt->wrong),
             attempt->wrong);
    if (attempt->streak > 1)
        snprintf(streak, sizeof streak, _(", %d days in a row"), attempt->streak);
    snprintf(text, ATTEMPT_TEXT_MAX, "Ludus: %.120s: %s%s", title, how, streak);
}
