#include "state_file.h"

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

static bool fail(const struct state *state, struct cause *cause)
{
    return cause_set(cause, "%.100s: %s", state->path, strerror(errno));
}

static bool open_file(struct state *state, struct cause *cause)
{
    int fd = open(state->path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);

    if (fd < 0)
        return fail(state, cause);
    if (flock(fd, LOCK_EX | LOCK_NB) != 0) {
        close(fd);
        return cause_set(cause, "%.100s: another gauntlet is using it", state->path);
    }
    state->file = fdopen(fd, "r+");
    if (state->file == NULL)
        close(fd);
    return state->file != NULL || fail(state, cause);
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
                                         .start = plan->start,
                                         .plies = result->plies,
                                         .moves = result->moves,
                                         .outcome = result->outcome},
                     &cause);
}

static bool read_result(struct result_of_match *result, char *line, const struct plan *plan)
{
    char none[] = "", *note = cut_at_word(line, ";");
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
    cause_set(&result->note, "%s", note != NULL ? note : none);
    return read_moves(result, line) && is_true(result, plan);
}

static bool read_results(struct state *state, const struct plan *plan,
                         void (*take)(void *context, struct result_of_match *result), void *context,
                         struct cause *cause)
{
    char *line = NULL;
    size_t size = 0;
    bool good = true;
    long end;

    /* From the third line on. */
    for (int number = 3; end = ftell(state->file), good && read_line(state->file, &line, &size);
         number++) {
        struct result_of_match *result = xcalloc(1, sizeof *result);
        good = read_result(result, line, plan);
        if (good) {
            take(context, result);
        } else {
            result_free(result);
            cause_set(cause, "%.100s: line %d is broken", state->path, number);
        }
    }
    free(line);
    if (!good)
        return false;
    if (ftruncate(fileno(state->file), end) != 0 || fseek(state->file, end, SEEK_SET) != 0)
        return fail(state, cause);
    return true;
}

/* Whether the first two lines are those of this gauntlet. */
static bool check_head(struct state *state, const char *settings, struct cause *cause)
{
    char *line = NULL;
    size_t size = 0;

    bool is_state = read_line(state->file, &line, &size) && strcmp(line, first_line) == 0;
    bool is_same = is_state && read_line(state->file, &line, &size) && strcmp(line, settings) == 0;
    if (!is_state)
        cause_set(cause, "%.100s: not the state of a gauntlet", state->path);
    else if (!is_same)
        cause_set(cause, "%.80s: begun with other options: %.100s", state->path, line);
    free(line);
    return is_same;
}

static bool write_head(struct state *state, const char *settings, struct cause *cause)
{
    return (fprintf(state->file, "%s\n%s\n", first_line, settings) > 0 &&
            fflush(state->file) == 0) ||
           fail(state, cause);
}

bool state_open(struct state *state, const char *path, const struct plan *plan,
                void (*take)(void *context, struct result_of_match *result), void *context,
                struct cause *cause)
{
    char settings[SETTINGS_MAX];

    *state = (struct state){.path = path};
    if (!open_file(state, cause))
        return false;
    plan_settings(plan, settings);
    if (fseek(state->file, 0, SEEK_END) != 0)
        return fail(state, cause);
    if (ftell(state->file) == 0)
        return write_head(state, settings, cause);
    rewind(state->file);
    return check_head(state, settings, cause) && read_results(state, plan, take, context, cause);
}

bool state_add(struct state *state, const struct result_of_match *result, struct cause *cause)
{
    const char *reason = reason_text(result->outcome.reason);

    if (state->file == NULL)
        return true;
    fprintf(state->file, "%d %lld %s %s %s", result->number, (long long)result->date_s,
            result_text(result->outcome.result), ending_text(result->ending),
            reason != NULL ? reason : "-");
    for (int i = 0; i < result->plies; i++)
        fprintf(state->file, " %s", result->moves[i].text);
    if (result->note.text[0] != '\0')
        fprintf(state->file, " ; %s", result->note.text);
    fputc('\n', state->file);
    /* fflush() also fails if the fprintf() above could not write. */
    return (fflush(state->file) == 0 && !ferror(state->file)) || fail(state, cause);
}

void state_close(struct state *state)
{
    if (state->file != NULL)
        fclose(state->file);
    state->file = NULL;
}
