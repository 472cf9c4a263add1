#include "reviews.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/move.h"
#include "common/pgn.h"
#include "common/text.h"
#include "common/xmalloc.h"
#include "house.h"
#include "server/base/log.h"

enum {
    FORGET_FAILED_MS = 5000, /* until then nobody tries again */
    OUTPUT_BYTES = 1 << 20,  /* of the pipe: it is emptied once a second */
    LINE_BYTES_MAX = 320,
    SCORE_MAX = 1000000, /* more than any value or loss */
    CHUNK_BYTES = 1 << 16,
    NICE = 10
};

void review_jobs_init(struct review_jobs *jobs)
{
    *jobs = (struct review_jobs){.counts = {0}};
    TAILQ_INIT(&jobs->jobs);
}

struct review_job *review_jobs_find(const struct review_jobs *jobs, const char *subject)
{
    struct review_job *job;

    TAILQ_FOREACH (job, &jobs->jobs, link)
        if (strcmp(job->subject, subject) == 0)
            return job;
    return NULL;
}

bool review_jobs_have_room(const struct review_jobs *jobs)
{
    return jobs->counts[REVIEW_ASKED] + jobs->counts[REVIEW_WAITS] + jobs->counts[REVIEW_RUNS] <
           REVIEWS_AT_ONCE + REVIEWS_WAITING;
}

/* Writes the match as PGN: its start and moves, not its people. The caller frees it. */
static char *match_text(const struct match *match)
{
    struct move_text *moves = xcalloc((size_t)match->ply_count, sizeof *moves);

    for (int i = 0; i < match->ply_count; i++)
        move_format(&match->start, match->plies[i].move, moves[i].text);
    char *text = pgn_write(&(struct pgn_match){.game = match->game,
                                               .start = match->start,
                                               .plies = match->ply_count,
                                               .moves = moves,
                                               .outcome = match->outcome},
                           false);
    free(moves);
    return text;
}

bool review_jobs_have_share(const struct review_jobs *jobs, const struct origin *origin)
{
    const struct review_job *job;
    int count = 0;

    TAILQ_FOREACH (job, &jobs->jobs, link)
        count += job->state < REVIEW_DONE && origin != NULL &&
                 memcmp(&job->asker, &origin_widest(origin)->key, sizeof job->asker) == 0;
    return count < REVIEWS_OF_ORIGIN;
}

/* Adds a job in that state; takes the text over. */
static struct review_job *add_job(struct review_jobs *jobs, char *pgn, int plies,
                                  const struct origin *origin, enum review_state state)
{
    struct review_job *job = xcalloc(1, sizeof *job);

    if (origin != NULL)
        job->asker = origin_widest(origin)->key;
    lock_init(&job->lock);
    lock_take(&job->lock, job);
    job->jobs = jobs;
    job->state = state;
    job->pgn = pgn;
    job->count = plies + 1;
    job->rows = xcalloc((size_t)job->count, sizeof *job->rows);
    job->output = -1;
    TAILQ_INSERT_TAIL(&jobs->jobs, job, link);
    jobs->counts[state]++;
    return job;
}

void review_subject(const struct game *game, const struct position *position,
                    const struct move *move, char subject[REVIEW_SUBJECT_MAX])
{
    char text[POSITION_TEXT_MAX], variant[VARIANT_NAME_MAX], played[MOVE_TEXT_MAX] = "";

    game->format(position, text);
    game->variant_name(position, variant);
    if (move != NULL)
        move_format(position, *move, played);
    snprintf(subject, REVIEW_SUBJECT_MAX, "%s:%s %s %s", game->name, variant, text, played);
}

struct review_job *review_jobs_add_position(struct review_jobs *jobs, const struct game *game,
                                            const struct position *position,
                                            const struct move *move, const struct origin *origin)
{
    struct position last = *position;
    struct move_text played = {.text = ""};

    if (move != NULL) {
        move_format(position, *move, played.text);
        game->apply(&last, *move);
    }
    const struct pgn_match match = {.game = game,
                                    .start = *position,
                                    .plies = move != NULL,
                                    .moves = &played,
                                    .outcome = game->outcome(&last)};
    struct review_job *job =
        add_job(jobs, pgn_write(&match, false), match.plies, origin, REVIEW_WAITS);

    job->is_analysis = true;
    review_subject(game, position, move, job->subject);
    return job;
}

/* The one place where the state of a job changes. The end wakes all lines that sleep. */
static void change_job(struct review_jobs *jobs, struct review_job *job, enum review_state state)
{
    jobs->counts[job->state]--;
    jobs->counts[state]++;
    jobs->kept[job->is_analysis] += state == REVIEW_DONE;
    job->state = state;
    if (state < REVIEW_DONE)
        return;
    lock_destroy(&job->lock);
    lock_init(&job->lock);
}

static void fail_job(struct review_jobs *jobs, struct review_job *job, const char *why,
                     int64_t now_ms)
{
    log_line(LOG_WARN, "event=review-failed plies=%d error=%s", job->count - 1,
             log_quote(why).text);
    job->end_ms = now_ms + FORGET_FAILED_MS;
    change_job(jobs, job, REVIEW_FAILED);
}

/* Starts the child with both pipes, and hands it the match, which the pipe holds at once. */
static int start_with(struct review_job *job, const char *program, const int in[2],
                      const int out[2])
{
    size_t length = strlen(job->pgn);
    char *arguments[] = {(char *)program, "review", "--words", "--threads", "1", NULL};

    fcntl(in[1], F_SETFL, O_NONBLOCK);
    fcntl(out[0], F_SETFL, O_NONBLOCK);
    fcntl(out[0], F_SETPIPE_SZ, OUTPUT_BYTES); /* a smaller one takes it longer */
    if (write(in[1], job->pgn, length) != (ssize_t)length)
        return EIO;
    return bot_process_start(&job->pid, arguments, in[0], out[1]);
}

static int open_and_start(struct review_job *job, const char *program)
{
    int in[2], out[2];

    if (pipe2(in, O_CLOEXEC) != 0)
        return errno;
    if (pipe2(out, O_CLOEXEC) != 0) {
        int error = errno;
        close(in[0]);
        close(in[1]);
        return error;
    }
    int error = start_with(job, program, in, out);
    close(in[0]);
    close(in[1]);
    close(out[1]);
    if (error == 0)
        job->output = out[0];
    else
        close(out[0]);
    return error;
}

static void start_job(struct review_jobs *jobs, struct review_job *job, const char *program,
                      int64_t now_ms)
{
    if (program == NULL) {
        job->has_no_bot = true;
        fail_job(jobs, job, "there is no bot", now_ms);
        return;
    }
    int error = open_and_start(job, program);

    free(job->pgn);
    job->pgn = NULL;
    if (error != 0) {
        fail_job(jobs, job, strerror(error), now_ms);
        return;
    }
    /* Matches must not feel it. */
    setpriority(PRIO_PROCESS, (id_t)job->pid, NICE);
    job->end_ms = now_ms + REVIEW_MOST_MS;
    change_job(jobs, job, REVIEW_RUNS);
}

static const char *const row_marks[] = {
    [REVIEW_WELL] = "-", [REVIEW_MISTAKE] = "?", [REVIEW_BLUNDER] = "??"};

/* Reads the words of a line about a ply, in the order in which `ludus-bot review --words` prints
 * them: PLY MOVE EVAL CHANCE LOSS MARK exact|- deep|- last|- [MOVE...]. False: it is none. */
static bool parse_ply(char *line, int count, int *ply, struct review_row *row)
{
    enum { PLY, MOVE, EVAL, CHANCE, LOSS, MARK, EXACT, DEEP, LAST, LINE };
    enum { WORDS = LINE + REVIEW_LINE_MAX };
    char *words[WORDS + 1];
    long number[LOSS + 1] = {0};
    int found = 0;

    while (found <= WORDS && (words[found] = strsep(&line, " ")) != NULL)
        found++;
    if (found < LINE || found > WORDS)
        return false;
    bool negative = words[EVAL][0] == '-';
    words[EVAL] += negative;
    for (int i = PLY; i <= LOSS; i++)
        if (i != MOVE && !number_parse(words[i], strlen(words[i]), 0,
                                       i == PLY ? count - 1 : SCORE_MAX, &number[i]))
            return false;
    *ply = (int)number[PLY];
    *row = (struct review_row){.known = true,
                               .eval = (int)(negative ? -number[EVAL] : number[EVAL]),
                               .chance = (int)number[CHANCE],
                               .loss = (int)number[LOSS],
                               .exact = strcmp(words[EXACT], "exact") == 0,
                               .deep = strcmp(words[DEEP], "deep") == 0,
                               .last_win = strcmp(words[LAST], "last") == 0};
    while (row->mark < REVIEW_BLUNDER && strcmp(words[MARK], row_marks[row->mark]) != 0)
        row->mark++;
    if (strcmp(words[MOVE], "-") != 0)
        snprintf(row->move, sizeof row->move, "%s", words[MOVE]);
    for (int i = LINE; i < found; i++)
        snprintf(row->line[row->line_plies++], MOVE_TEXT_MAX, "%s", words[i]);
    return true;
}

/* Keeps what a line says about a ply. Others count for nothing. */
static void keep_line(struct review_job *job, const char *line, size_t length)
{
    struct review_row row;
    int ply;

    if (length > LINE_BYTES_MAX || !utf8_is_clean(line, length))
        return;
    char *text = xstrndup(line, length);
    if (parse_ply(text, job->count, &ply, &row))
        job->rows[ply] = row;
    free(text);
}

/* Keeps what each line of a text says. */
static void keep_text(struct review_job *job, const char *text)
{
    while (*text != '\0') {
        size_t length = strcspn(text, "\n");
        keep_line(job, text, length);
        text += length + (text[length] == '\n');
    }
}

/* Adds a row as keep_line() reads it. */
static void write_row(struct buffer *text, int ply, const struct review_row *row)
{
    buffer_printf(text, "%d %s %d %d %d %s %s %s %s", ply, row->move[0] != '\0' ? row->move : "-",
                  row->eval, row->chance, row->loss, row_marks[row->mark],
                  row->exact ? "exact" : "-", row->deep ? "deep" : "-",
                  row->last_win ? "last" : "-");
    for (int i = 0; i < row->line_plies; i++)
        buffer_printf(text, " %s", row->line[i]);
    buffer_puts(text, "\n");
}

static void keep_lines(struct review_job *job)
{
    struct buffer *unread = &job->unread;
    size_t taken = 0;
    const char *end;

    while (unread->length > taken &&
           (end = memchr(unread->bytes + taken, '\n', unread->length - taken)) != NULL) {
        size_t length = (size_t)(end - unread->bytes) - taken;
        keep_line(job, unread->bytes + taken, length);
        taken += length + 1;
    }
    if (taken > 0)
        memmove(unread->bytes, unread->bytes + taken, unread->length - taken);
    unread->length -= taken;
    if (unread->length > LINE_BYTES_MAX)
        unread->length = 0; /* nothing of ours */
}

/* Takes what is there, as much as the pipe holds. */
static void read_output(struct review_job *job)
{
    ssize_t count;

    for (int chunks = OUTPUT_BYTES / CHUNK_BYTES; chunks >= 0; chunks--) {
        char *space = buffer_extend(&job->unread, CHUNK_BYTES);
        count = read(job->output, space, CHUNK_BYTES);
        job->unread.length -= (size_t)(CHUNK_BYTES - (count > 0 ? count : 0));
        keep_lines(job);
        if (count <= 0)
            return;
    }
}

static void close_output(struct review_job *job)
{
    if (job->output >= 0)
        close(job->output);
    job->output = -1;
    buffer_release(&job->unread);
}

static bool job_is_complete(const struct review_job *job)
{
    for (int ply = 0; ply < job->count; ply++)
        if (!job->rows[ply].known)
            return false;
    return true;
}

/* Hands the keeper a review that is new to it. */
static void hand_over(const struct review_job *job, struct keeper *keeper)
{
    struct buffer text = {.length = 0};

    if (!job->is_new || keeper->kind->keep_review == NULL)
        return;
    for (int ply = 0; ply < job->count; ply++)
        write_row(&text, ply, &job->rows[ply]);
    buffer_add(&text, "", 1);
    keeper->kind->keep_review(keeper, job->subject, text.bytes);
    buffer_release(&text);
}

/* Takes the keeper's answer: its review, if it has one and that is whole. */
static void take_kept(struct review_jobs *jobs, struct review_job *job)
{
    struct look_up *look_up = job->look_up;

    job->look_up = NULL;
    if (look_up->state == LOOK_FOUND)
        keep_text(job, look_up->review);
    else if (look_up->state == LOOK_FAILED)
        log_line(LOG_ERROR, "event=store-error error=%s", log_quote(look_up->cause.text).text);
    look_up_free(look_up);
    change_job(jobs, job, job_is_complete(job) ? REVIEW_DONE : REVIEW_WAITS);
}

/* The keeper has answered later. */
static void wake_job(void *context)
{
    struct review_job *job = context;

    take_kept(job->jobs, job);
}

struct review_job *review_jobs_add(struct review_jobs *jobs, struct keeper *keeper,
                                   const struct table *table, const struct origin *origin,
                                   bool keeps)
{
    struct question question = {.kind = LOOK_REVIEW};
    struct review_job *job =
        add_job(jobs, match_text(&table->match), table->match.ply_count, origin, REVIEW_ASKED);

    snprintf(job->subject, sizeof job->subject, "%s", table->id);
    job->is_new = keeps;
    if (keeper->kind->look_up == NULL) {
        change_job(jobs, job, REVIEW_WAITS);
        return job;
    }
    snprintf(question.key, sizeof question.key, "%s", table->id);
    job->look_up = look_up_new(&question);
    job->look_up->asker = job;
    job->look_up->wake = wake_job;
    if (keeper->kind->look_up(keeper, job->look_up))
        take_kept(jobs, job);
    return job;
}

/* Reads what a child has to say, and ends the job with it. */
static void attend_job(struct review_jobs *jobs, struct review_job *job, struct keeper *keeper,
                       int64_t now_ms)
{
    int status;

    if (now_ms >= job->end_ms)
        kill(job->pid, SIGKILL);
    bool ended = waitpid(job->pid, &status, WNOHANG) == job->pid;
    read_output(job);
    if (!ended)
        return;
    job->pid = 0;
    close_output(job);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0 && job_is_complete(job)) {
        hand_over(job, keeper);
        change_job(jobs, job, REVIEW_DONE);
    } else {
        fail_job(jobs, job, now_ms >= job->end_ms ? "it takes too long" : "the bot has failed",
                 now_ms);
    }
}

static void free_job(struct review_jobs *jobs, struct review_job *job)
{
    TAILQ_REMOVE(&jobs->jobs, job, link);
    jobs->counts[job->state]--;
    jobs->kept[job->is_analysis] -= job->state == REVIEW_DONE;
    lock_destroy(&job->lock);
    close_output(job);
    if (job->look_up != NULL)
        job->look_up->asker = NULL; /* the keeper has it until it answers */
    free(job->rows);
    free(job->pgn);
    free(job);
}

void review_jobs_work(struct review_jobs *jobs, struct keeper *keeper, const char *program,
                      int64_t now_ms)
{
    static const int most[] = {[false] = REVIEWS_HERE, [true] = ANALYSES_HERE};
    struct review_job *job, *next;

    for (job = TAILQ_FIRST(&jobs->jobs); job != NULL; job = next) {
        next = TAILQ_NEXT(job, link);
        if (job->state == REVIEW_RUNS)
            attend_job(jobs, job, keeper, now_ms);
        else if ((job->state == REVIEW_FAILED && now_ms >= job->end_ms) ||
                 (job->state == REVIEW_DONE &&
                  jobs->kept[job->is_analysis] > most[job->is_analysis]))
            free_job(jobs, job);
    }
    TAILQ_FOREACH (job, &jobs->jobs, link)
        if (job->state == REVIEW_WAITS && jobs->counts[REVIEW_RUNS] < REVIEWS_AT_ONCE)
            start_job(jobs, job, program, now_ms);
}

void review_jobs_release(struct review_jobs *jobs)
{
    struct review_job *job;

    while ((job = TAILQ_FIRST(&jobs->jobs)) != NULL) {
        if (job->pid != 0) {
            kill(job->pid, SIGKILL);
            waitpid(job->pid, NULL, 0);
        }
        free_job(jobs, job);
    }
}
