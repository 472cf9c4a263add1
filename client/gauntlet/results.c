#include "results.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "client/bot/base/words.h"
#include "common/number.h"
#include "common/xmalloc.h"

static const char first_line[] = "ludus-gauntlet 1";

const char *ending_text(enum ending ending)
{
    static const char *const texts[ENDINGS] = {
        [ENDING_RULES] = "rules",     [ENDING_PLIES] = "plies",   [ENDING_RESIGNED] = "resigned",
        [ENDING_SCORE] = "score",     [ENDING_SOLVER] = "solver", [ENDING_TIME] = "time",
        [ENDING_ILLEGAL] = "illegal", [ENDING_CRASH] = "crash"};

    return texts[ending];
}

bool is_adjudicated(enum ending ending)
{
    return ending == ENDING_PLIES || ending == ENDING_SCORE || ending == ENDING_SOLVER;
}

int white_player(int number)
{
    return number % 2;
}

int first_player_points(const struct result_of_match *result)
{
    enum result won = white_player(result->number) == 0 ? RESULT_WHITE : RESULT_BLACK;

    if (result->outcome.result == RESULT_DRAW)
        return 1;
    return result->outcome.result == won ? 2 : 0;
}

int player_at_fault(const struct result_of_match *result)
{
    if (result->ending < ENDING_TIME)
        return -1;
    return first_player_points(result) == 0 ? 0 : 1;
}

void results_init(struct results *results, int count)
{
    *results = (struct results){.count = count};
    results->matches = xcalloc((size_t)count, sizeof results->matches[0]);
}

void results_release(struct results *results)
{
    for (int i = 0; i < results->count; i++)
        free(results->matches[i].moves);
    free(results->matches);
    if (results->file != NULL)
        fclose(results->file);
}

static bool fail(const struct results *results, struct cause *cause)
{
    return cause_set(cause, "%.100s: %s", results->path, strerror(errno));
}

static bool open_file(struct results *results, struct cause *cause)
{
    int fd = open(results->path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);

    if (fd < 0)
        return fail(results, cause);
    if (flock(fd, LOCK_EX | LOCK_NB) != 0) {
        close(fd);
        return cause_set(cause, "%.100s: another gauntlet is using it", results->path);
    }
    results->file = fdopen(fd, "r+");
    if (results->file == NULL)
        close(fd);
    return results->file != NULL || fail(results, cause);
}

/* Reads a line and cuts off its end. Returns false at the end of the file or for a partial line. */
static bool read_line(FILE *file, char **line, size_t *size)
{
    ssize_t length = getline(line, size, file);

    if (length <= 0 || (*line)[length - 1] != '\n')
        return false;
    (*line)[length - 1] = '\0';
    return true;
}

static bool read_ending(const char *word, enum ending *ending)
{
    for (int i = 0; i < ENDINGS; i++)
        if (strcmp(word, ending_text(i)) == 0) {
            *ending = i;
            return true;
        }
    return false;
}

static bool read_number(const char *word, long max, long *number)
{
    return number_parse(word, strlen(word), 0, max, number);
}

static bool read_moves(struct result_of_match *result, char *moves)
{
    result->moves = xcalloc(strlen(moves) / 2 + 1, sizeof result->moves[0]);
    while (*moves != '\0') {
        const char *word = next_word(&moves);
        if (strlen(word) >= MOVE_TEXT_MAX || result->plies == COURSE_MOVES_MAX)
            return false;
        snprintf(result->moves[result->plies++].text, MOVE_TEXT_MAX, "%s", word);
    }
    return true;
}

/* Whether the moves lead to the result by the rules. */
static bool is_true(const struct result_of_match *result, const struct plan *plan)
{
    struct cause cause;

    return result->outcome.result != RESULT_NONE &&
           pgn_check(&(struct pgn_match){.game = plan->game,
                                         .start = *plan_start(plan, result->number),
                                         .plies = result->plies,
                                         .moves = result->moves,
                                         .outcome = result->outcome},
                     &cause);
}

static bool read_result(struct result_of_match *result, char *line, const struct plan *plan)
{
    char *note = cut_at_word(line, ";");
    long number, date;

    if (!read_number(next_word(&line), 2 * PAIRS_MAX - 1, &number) ||
        !read_number(next_word(&line), LONG_MAX, &date))
        return false;
    const char *outcome = next_word(&line), *ending = next_word(&line), *reason = next_word(&line);
    if (!read_ending(ending, &result->ending) ||
        !pgn_outcome(outcome, strcmp(reason, "-") != 0 ? reason : NULL, &result->outcome))
        return false;
    result->number = (int)number;
    result->date_s = date;
    if (note != NULL)
        cause_set(&result->note, "%s", note);
    return read_moves(result, line) && is_true(result, plan);
}

/* Takes a result of the file. This time there may be fewer pairs. */
static void take(struct results *results, struct result_of_match result)
{
    if (result.number >= results->count || results->matches[result.number].moves != NULL) {
        free(result.moves);
        return;
    }
    results->matches[result.number] = result;
    results->played++;
}

static bool read_results(struct results *results, const struct plan *plan, struct cause *cause)
{
    char *line = NULL;
    size_t size = 0;
    bool good = true;
    long end;

    /* From the third line on. */
    for (int number = 3; end = ftell(results->file), good && read_line(results->file, &line, &size);
         number++) {
        struct result_of_match result = {0};
        good = read_result(&result, line, plan);
        if (good) {
            take(results, result);
        } else {
            free(result.moves);
            cause_set(cause, "%.100s: line %d is broken", results->path, number);
        }
    }
    free(line);
    if (!good)
        return false;
    if (ftruncate(fileno(results->file), end) != 0 || fseek(results->file, end, SEEK_SET) != 0)
        return fail(results, cause);
    return true;
}

/* Whether the first two lines are those of this gauntlet. */
static bool check_head(struct results *results, const char *settings, struct cause *cause)
{
    char *line = NULL;
    size_t size = 0;

    bool is_state = read_line(results->file, &line, &size) && strcmp(line, first_line) == 0;
    bool is_same =
        is_state && read_line(results->file, &line, &size) && strcmp(line, settings) == 0;
    if (!is_state)
        cause_set(cause, "%.100s: not the state of a gauntlet", results->path);
    else if (!is_same)
        cause_set(cause, "%.80s: begun with other options: %.100s", results->path, line);
    free(line);
    return is_same;
}

static bool write_head(struct results *results, const char *settings, struct cause *cause)
{
    return (fprintf(results->file, "%s\n%s\n", first_line, settings) > 0 &&
            fflush(results->file) == 0) ||
           fail(results, cause);
}

bool results_open(struct results *results, const char *path, const struct plan *plan,
                  struct cause *cause)
{
    results->path = path;
    if (!open_file(results, cause))
        return false;
    if (fseek(results->file, 0, SEEK_END) != 0)
        return fail(results, cause);
    if (ftell(results->file) == 0)
        return write_head(results, plan->settings.bytes, cause);
    rewind(results->file);
    return check_head(results, plan->settings.bytes, cause) && read_results(results, plan, cause);
}

/* Appends a result to the file, if there is one. */
static bool write_result(struct results *results, const struct result_of_match *result,
                         struct cause *cause)
{
    const char *reason = reason_text(result->outcome.reason);

    if (results->file == NULL)
        return true;
    fprintf(results->file, "%d %lld %s %s %s", result->number, (long long)result->date_s,
            result_text(result->outcome.result), ending_text(result->ending),
            reason != NULL ? reason : "-");
    for (int i = 0; i < result->plies; i++)
        fprintf(results->file, " %s", result->moves[i].text);
    if (result->note.text[0] != '\0')
        fprintf(results->file, " ; %s", result->note.text);
    fputc('\n', results->file);
    /* fflush() also fails if the fprintf() above could not write. */
    return (fflush(results->file) == 0 && !ferror(results->file)) || fail(results, cause);
}

bool results_save(struct results *results, const char *path, const struct plan *plan,
                  struct cause *cause)
{
    bool saved = results_open(results, path, plan, cause);

    for (int i = 0; i < results->count && saved; i++)
        if (results->matches[i].moves != NULL)
            saved = write_result(results, &results->matches[i], cause);
    return saved;
}

bool results_add(struct results *results, struct result_of_match result, struct cause *cause)
{
    results->matches[result.number] = result;
    results->played++;
    return write_result(results, &result, cause);
}
