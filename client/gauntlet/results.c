#include "results.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

#include "common/text.h"
#include "common/xmalloc.h"

static const char first_line[] = "ludus-gauntlet 1";

const char *ending_text(enum ending ending)
{
    static const char *const texts[ENDINGS] = {
        [ENDING_RULES] = "rules", [ENDING_PLIES] = "plies",     [ENDING_RESIGNED] = "resigned",
        [ENDING_SCORE] = "score", [ENDING_SOLVER] = "solver",   [ENDING_DRAW] = "draw",
        [ENDING_TIME] = "time",   [ENDING_ILLEGAL] = "illegal", [ENDING_CRASH] = "crash"};

    return texts[ending];
}

bool is_adjudicated(enum ending ending)
{
    return ending == ENDING_PLIES || (ending >= ENDING_SCORE && ending <= ENDING_DRAW);
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

static void free_match(struct result_of_match *result)
{
    for (int i = 0; i < result->plies && result->notes != NULL; i++)
        free(result->notes[i]);
    free(result->notes);
    free(result->moves);
}

void results_close(struct results *results)
{
    if (results->file != NULL)
        fclose(results->file);
    results->file = NULL;
}

void results_release(struct results *results)
{
    for (int i = 0; i < results->count; i++)
        free_match(&results->matches[i]);
    free(results->matches);
    results_close(results);
}

/* ---- Records ---- */

char *result_pgn(const struct result_of_match *result, const struct plan *plan)
{
    int white = white_player(result->number);
    char number[16], date[32], round[24], termination[PGN_VALUE_MAX];
    time_t seconds = (time_t)result->date_s;
    struct tm utc;
    const struct time_control *clock = &plan->limit.clock;
    bool has_clock = plan->limit.kind == LIMIT_CLOCK;

    snprintf(number, sizeof number, "%d", result->number + 1);
    snprintf(round, sizeof round, "%d.%d", result->number / 2 + 1, result->number % 2 + 1);
    strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&seconds, &utc));
    snprintf(termination, sizeof termination, "%s%s%s%.200s",
             is_adjudicated(result->ending) ? "adjudication: " : "", ending_text(result->ending),
             result->note.text[0] != '\0' ? ": " : "", result->note.text);
    return pgn_write(&(struct pgn_match){.game = plan->game,
                                         .start = *plan_start(plan, result->number),
                                         .match = number,
                                         .event = plan->event,
                                         .site = plan->site,
                                         .date = date,
                                         .round = round,
                                         .white = plan->players[white].label,
                                         .black = plan->players[!white].label,
                                         .base_ms = has_clock ? clock->base_ms : 0,
                                         .increment_ms = has_clock ? clock->increment_ms : 0,
                                         .plies = result->plies,
                                         .moves = result->moves,
                                         .notes = (const char *const *)result->notes,
                                         .outcome = result->outcome,
                                         .termination = is_adjudicated(result->ending) ||
                                                                result->ending >= ENDING_TIME
                                                            ? termination
                                                            : NULL},
                     false);
}

/* ---- Files ---- */

static bool fail_with_errno(const struct results *results, struct cause *cause)
{
    return cause_set(cause, "%.100s: %s", results->path, strerror(errno));
}

static bool open_file(struct results *results, struct cause *cause)
{
    int fd = open(results->path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);

    if (fd < 0)
        return fail_with_errno(results, cause);
    if (flock(fd, LOCK_EX | LOCK_NB) != 0) {
        close(fd);
        return cause_set(cause, "%.100s: another gauntlet is using it", results->path);
    }
    results->file = fdopen(fd, "r+");
    if (results->file == NULL)
        close(fd);
    return results->file != NULL || fail_with_errno(results, cause);
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
        const char *word = text_line_word(&moves);
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
    char *note = text_line_cut_at(line, ";");
    long number, date;

    if (!read_number(text_line_word(&line), 2 * PAIRS_MAX - 1, &number) ||
        !read_number(text_line_word(&line), LONG_MAX, &date))
        return false;
    const char *outcome = text_line_word(&line), *ending = text_line_word(&line),
               *reason = text_line_word(&line);
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
static void keep_result(struct results *results, struct result_of_match result)
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
            keep_result(results, result);
        } else {
            free(result.moves);
            cause_set(cause, "%.100s: line %d is broken", results->path, number);
        }
    }
    free(line);
    if (!good)
        return false;
    if (ftruncate(fileno(results->file), end) != 0 || fseek(results->file, end, SEEK_SET) != 0)
        return fail_with_errno(results, cause);
    return true;
}

/* The length of the setting that begins here: at most two words, as in "seed 1". */
static int length_of_setting(const char *text)
{
    int end = (int)strcspn(text, "|;\n"), word = (int)strcspn(text, " ");
    int both = word + 1 + (word < end ? (int)strcspn(text + word + 1, " ") : 0);
    int length = both < end ? both : end;

    return length < 45 ? length : 45;
}

/* Says which setting was another one: the first that differs, with its name. */
static bool fail_as_other(const struct results *results, const char *was, const char *is,
                          struct cause *cause)
{
    size_t at = 0;

    while (was[at] == is[at] && was[at] != '\0')
        at++;
    bool between = strchr(" \n", was[at]) != NULL && strchr(" \n", is[at]) != NULL;
    while (at > 0 && was[at - 1] != ' ' && !between)
        at--;
    if (at > 1 && was[at] >= '0' && was[at] <= '9' && !between) /* a number's name is before it */
        for (at--; at > 0 && was[at - 1] != ' ';)
            at--;
    was += at + (was[at] == ' ');
    is += at + (is[at] == ' ');
    return cause_set(cause, "%.80s: begun with other options: '%.*s', not '%.*s'", results->path,
                     length_of_setting(was), was, length_of_setting(is), is);
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
        fail_as_other(results, line != NULL ? line : "", settings, cause);
    free(line);
    return is_same;
}

/* ---- Records in a file ---- */

static bool read_ending_of(const struct pgn_match *match, enum ending *ending)
{
    static const char adjudicated[] = "adjudication: ";
    const char *text = match->termination;
    char word[16];

    *ending = match->outcome.reason == REASON_RESIGN ? ENDING_RESIGNED : ENDING_RULES;
    if (text == NULL)
        return true;
    if (strncmp(text, adjudicated, sizeof adjudicated - 1) == 0)
        text += sizeof adjudicated - 1;
    snprintf(word, sizeof word, "%.*s", (int)strcspn(text, ":"), text);
    return read_ending(word, ending);
}

/* Takes a record. Those of other pairings are passed over. */
static bool take_record(struct results *results, const struct pgn_match *match)
{
    const struct plan *plan = results->plan;
    struct result_of_match result = {.plies = match->plies, .outcome = match->outcome};
    struct tm utc = {0};
    long number;

    if (match->fault != NULL || match->match == NULL || match->white == NULL ||
        match->black == NULL || match->date == NULL || !read_ending_of(match, &result.ending) ||
        !read_number(match->match, 2 * PAIRS_MAX, &number) || number == 0 ||
        strptime(match->date, "%Y-%m-%dT%H:%M:%SZ", &utc) == NULL)
        return false;
    result.number = (int)number - 1;
    result.date_s = timegm(&utc);
    int white = white_player(result.number);
    if (strcmp(match->white, plan->players[white].label) != 0 ||
        strcmp(match->black, plan->players[!white].label) != 0)
        return plan->player_count > 2;
    if (match->termination != NULL && result.ending >= ENDING_TIME &&
        strchr(match->termination, ':') != NULL)
        cause_set(&result.note, "%s", strchr(match->termination, ':') + 2);
    result.moves = xcalloc((size_t)match->plies + 1, sizeof result.moves[0]);
    memcpy(result.moves, match->moves, (size_t)match->plies * sizeof result.moves[0]);
    if (is_true(&result, plan)) {
        keep_result(results, result);
        return true;
    }
    free(result.moves);
    return false;
}

/* Where a line of the text begins, from 1. */
static size_t start_of_line(const struct buffer *text, int line)
{
    size_t at = 0;

    while (--line > 0 && at < text->length)
        at += strcspn(text->bytes + at, "\n") + 1;
    return at < text->length ? at : text->length;
}

/* Takes the records of the text, which begin at `head`. Sets *end to where the whole ones end. */
static bool take_records(struct results *results, const struct buffer *text, size_t head,
                         size_t *end, struct cause *cause)
{
    struct pgn_file file;
    struct cause why;
    bool good = true;
    const char *first = strstr(text->bytes + head, "\n[Event ");

    *end = text->length;
    if (!pgn_read(&file, text->bytes, text->length, &why)) {
        *end = head; /* at most one record, which is not whole */
        return first == NULL || strstr(first + 1, "\n[Event ") == NULL ||
               cause_set(cause, "%.100s: %.90s", results->path, why.text);
    }
    for (int i = 0; i < file.count && good; i++) {
        const struct pgn_match *match = &file.matches[i];
        if (match->fault != NULL && i == file.count - 1)
            *end = start_of_line(text, match->line);
        else if (!take_record(results, match))
            good = cause_set(cause, "%.100s: the match of line %d is broken", results->path,
                             match->line);
    }
    pgn_release(&file);
    return good;
}

/* Compares the settings of this pairing with those in the file, which *found tells. Returns false
 * with the cause if they differ. */
static bool check_settings(const struct results *results, const struct buffer *text,
                           const char *settings, bool *found, struct cause *cause)
{
    size_t mark = strcspn(settings + 1, " ") + 1, length = strlen(settings);

    mark += strcspn(settings + mark + 1, " ") + 1; /* behind "%ludus-gauntlet I-J" */
    *found = false;
    for (size_t at = 0; at < text->length; at += strcspn(text->bytes + at, "\n") + 1) {
        const char *line = text->bytes + at;
        if (strncmp(line, settings, mark + 1) != 0)
            continue;
        *found = true;
        return (strncmp(line, settings, length) == 0 && line[length] == '\n') ||
               fail_as_other(results, line + mark + 1, settings + mark + 1, cause);
    }
    return true;
}

static bool read_file(struct results *results, struct buffer *text, struct cause *cause)
{
    enum { PIECE = 1 << 16 };
    size_t count;

    rewind(results->file);
    do {
        count = fread(buffer_extend(text, PIECE), 1, PIECE, results->file);
        text->length -= PIECE - count;
    } while (count > 0);
    bool good = !ferror(results->file) || fail_with_errno(results, cause);
    buffer_add(text, "", 1);
    text->length--;
    return good;
}

/* Takes what the file of records has of this pairing, and makes it ready for more. */
static bool open_records(struct results *results, struct cause *cause)
{
    const struct plan *plan = results->plan;
    struct buffer text = {0}, settings = {0};
    size_t head = 0, end = 0;
    bool found = false;

    buffer_printf(&settings, "%%ludus-gauntlet %d-%d %s%c", plan->pairing[0] + 1,
                  plan->pairing[1] + 1, plan->settings.bytes, '\0');
    bool good = read_file(results, &text, cause);
    while (good && text.bytes[head] == '%' && strchr(text.bytes + head, '\n') != NULL)
        head += strcspn(text.bytes + head, "\n") + 1;
    if (good && head == 0 && strchr(text.bytes, '\n') != NULL)
        good = cause_set(cause, "%.100s: not the records of a gauntlet", results->path);
    good = good && check_settings(results, &text, settings.bytes, &found, cause);
    if (good && head > 0)
        good = take_records(results, &text, head, &end, cause);
    if (good)
        good = (ftruncate(fileno(results->file), (off_t)end) == 0 &&
                fseek(results->file, 0, SEEK_END) == 0 &&
                (found || fprintf(results->file, "%s\n\n", settings.bytes) > 0) &&
                fflush(results->file) == 0) ||
               fail_with_errno(results, cause);
    buffer_release(&text);
    buffer_release(&settings);
    return good;
}

bool results_open(struct results *results, const char *path, const struct plan *plan,
                  struct cause *cause)
{
    results->path = path;
    results->plan = plan;
    if (!open_file(results, cause))
        return false;
    if (plan_keeps_pgn(plan))
        return open_records(results, cause);
    if (fseek(results->file, 0, SEEK_END) != 0)
        return fail_with_errno(results, cause);
    if (ftell(results->file) == 0)
        return (fprintf(results->file, "%s\n%s\n", first_line, plan->settings.bytes) > 0 &&
                fflush(results->file) == 0) ||
               fail_with_errno(results, cause);
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
    if (plan_keeps_pgn(results->plan)) {
        char *text = result_pgn(result, results->plan);
        fprintf(results->file, "%s\n", text);
        free(text);
        return (fflush(results->file) == 0 && !ferror(results->file)) ||
               fail_with_errno(results, cause);
    }
    fprintf(results->file, "%d %lld %s %s %s", result->number, (long long)result->date_s,
            result_text(result->outcome.result), ending_text(result->ending),
            reason != NULL ? reason : "-");
    for (int i = 0; i < result->plies; i++)
        fprintf(results->file, " %s", result->moves[i].text);
    if (result->note.text[0] != '\0')
        fprintf(results->file, " ; %s", result->note.text);
    fputc('\n', results->file);
    /* fflush() also fails if the fprintf() above could not write. */
    return (fflush(results->file) == 0 && !ferror(results->file)) ||
           fail_with_errno(results, cause);
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
