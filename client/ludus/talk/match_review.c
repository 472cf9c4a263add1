#include "match_review.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "client/link/json_read.h"
#include "common/json_text.h"
#include "common/xmalloc.h"
#include "match_words.h"
#include "record.h"

enum { FEED_MS = 10000, WIN = 30000, CERTAIN = 29000 };

/* Writes the text to the bot, which reads all of it before it thinks, and ends its input. That it
 * has ended shows in its output. */
static bool feed_match(struct process *engine, const char *text)
{
    size_t length = strlen(text);
    int64_t end_ms = clock_ms() + FEED_MS;
    bool fed = true;

    while (fed && length > 0) {
        struct pollfd entry = {.fd = engine->in, .events = POLLOUT};
        ssize_t written = write(engine->in, text, length);
        if (written < 0 && errno == EPIPE)
            break;
        if (written < 0)
            fed = (errno == EAGAIN || errno == EINTR) && poll(&entry, 1, until_ms(end_ms)) > 0;
        text += written > 0 ? written : 0;
        length -= written > 0 ? (size_t)written : 0;
    }
    close(engine->in);
    engine->in = -1;
    return fed;
}

bool reviewer_start(struct reviewer *reviewer, const struct pgn_match *match, int movetime_ms)
{
    static char verb[] = "review", option[] = "--movetime";
    char path[PATH_MAX], number[16];
    char *const command[] = {path, verb, movetime_ms > 0 ? option : NULL, number, NULL};

    *reviewer = (struct reviewer){.count = match->plies + 1};
    TAILQ_INIT(&reviewer->engines);
    reviewer->plies = xcalloc((size_t)reviewer->count, sizeof *reviewer->plies);
    process_find("ludus-bot", path);
    snprintf(number, sizeof number, "%d", movetime_ms);
    reviewer->engine =
        process_start(&reviewer->engines,
                      &(struct process_setup){.command = command, .quiet = true}, &reviewer->cause);
    reviewer->missing = reviewer->engine == NULL;
    if (reviewer->missing)
        return false;
    char *text = pgn_write(match, false);
    bool fed = feed_match(reviewer->engine, text);
    free(text);
    if (!fed) {
        cause_set(&reviewer->cause, "%.120s does not read the match", path);
        reviewer_stop(reviewer);
    }
    return fed;
}

static void read_line_of(struct reviewed *ply, const cJSON *message)
{
    const cJSON *move;

    ply->line_plies = 0;
    cJSON_ArrayForEach (move, json_member(message, "pv")) {
        const char *text = cJSON_GetStringValue(move);
        if (text == NULL || ply->line_plies == REVIEW_LINE_MAX)
            return;
        snprintf(ply->line[ply->line_plies++], MOVE_TEXT_MAX, "%s", text);
    }
}

/* Reads what is said of a position. */
static void read_verdict(struct reviewed *ply, const cJSON *message)
{
    ply->known = true;
    ply->exact = json_true(message, "exact");
    json_int(message, "eval_cp", &ply->eval);
    json_int(message, "chance", &ply->chance);
    read_line_of(ply, message);
}

static void read_ply(struct reviewer *reviewer, const cJSON *message, const char *line)
{
    const char *mark = json_text_or(message, "mark", "");
    int number;

    if (!json_int(message, "ply", &number) || number < 0 || number >= reviewer->count)
        return;
    struct reviewed *ply = &reviewer->plies[number];
    reviewer->deep += !ply->deep && json_true(message, "deep");
    read_verdict(ply, message);
    ply->deep = ply->deep || json_true(message, "deep");
    ply->last_win = json_true(message, "last_win");
    ply->mark = strcmp(mark, "??") == 0  ? PLAYED_BLUNDER
                : strcmp(mark, "?") == 0 ? PLAYED_MISTAKE
                                         : PLAYED_WELL;
    free(ply->json);
    ply->json = xstrdup(line);
}

/* Takes the server's reply to `review`, after reviewer_start() has failed for this match. False
 * with reviewer->cause for a refusal, or when plies are missing. */
static bool reviewer_take_reply(struct reviewer *reviewer, const cJSON *reply)
{
    const cJSON *ply;
    bool refused = strcmp(json_text_or(reply, "type", ""), "review") != 0;

    if (refused)
        return cause_set(&reviewer->cause, "%.150s",
                         json_text_or(reply, "message", "the server does not review it"));
    cJSON_ArrayForEach (ply, json_member(reply, "plies")) {
        char *line = cJSON_PrintUnformatted(ply);
        read_ply(reviewer, ply, line);
        cJSON_free(line);
    }
    reviewer->done = true;
    for (int i = 0; i < reviewer->count; i++)
        reviewer->done = reviewer->done && reviewer->plies[i].known;
    return reviewer->done || cause_set(&reviewer->cause, "the server has left plies out");
}

bool reviewer_read(struct reviewer *reviewer)
{
    bool more = reviewer->engine != NULL && process_read(reviewer->engine);
    const char *line;

    while (more && (line = process_next_line(reviewer->engine)) != NULL) {
        cJSON *message = cJSON_Parse(line);
        reviewer->done = reviewer->done || json_true(message, "done");
        read_ply(reviewer, message, line);
        cJSON_Delete(message);
    }
    if (more && !reviewer->done)
        return true;
    if (!reviewer->done)
        cause_set(&reviewer->cause, "ludus-bot has ended early");
    reviewer_stop(reviewer);
    return false;
}

void reviewer_stop(struct reviewer *reviewer)
{
    struct process *engine = reviewer->engine;

    reviewer->engine = NULL;
    if (engine == NULL)
        return;
    process_kill(engine);
    while (!process_reap(&reviewer->engines, engine, clock_ms(), true))
        usleep(1000);
}

void reviewer_release(struct reviewer *reviewer)
{
    reviewer_stop(reviewer);
    for (int i = 0; i < reviewer->count; i++)
        free(reviewer->plies[i].json);
    free(reviewer->plies);
    *reviewer = (struct reviewer){.count = 0};
}

const char *review_mark(const struct reviewed *ply)
{
    static const char *const marks[] = {
        [PLAYED_WELL] = "", [PLAYED_MISTAKE] = "?", [PLAYED_BLUNDER] = "??"};

    return marks[ply->mark];
}

bool review_has_better(const struct pgn_match *match, const struct reviewed *plies, int ply)
{
    return ply < match->plies && plies[ply].mark != PLAYED_WELL && plies[ply].line_plies > 0 &&
           strcmp(plies[ply].line[0], match->moves[ply].text) != 0;
}

/* Writes the value of a position in the manner of [%eval]: 0.25, or #-3 for a win of black in three
 * moves at most. */
static void format_eval(int eval, char text[16])
{
    if (abs(eval) < CERTAIN)
        snprintf(text, 16, "%s%d.%02d", eval < 0 ? "-" : "", abs(eval) / 100, abs(eval) % 100);
    else
        snprintf(text, 16, "#%s%d", eval < 0 ? "-" : "", (WIN - abs(eval) + 1) / 2);
}

/* Adds the marks that the match has already, and that of the review where it is not among them. */
static void add_marks(const char *marks, const char *own, struct buffer *note)
{
    bool has_own = *own == '\0';

    while (marks != NULL && *marks != '\0') {
        int length = (int)strcspn(marks, "\n");
        has_own = has_own || strncmp(marks, own, (size_t)length) == 0;
        if (*marks == '$')
            buffer_printf(note, "%.*s\n", length, marks);
        marks += length + (marks[length] == '\n');
    }
    if (!has_own)
        buffer_printf(note, "%s\n", own);
}

/* Returns the words behind a move, for pgn.h; NULL for none. The caller frees them. */
static char *note_of(const struct pgn_match *match, const struct reviewed *plies, int ply)
{
    static const char *const marks[] = {
        [PLAYED_WELL] = "", [PLAYED_MISTAKE] = "$2", [PLAYED_BLUNDER] = "$4"};
    bool known = plies[ply].known && plies[ply + 1].known;
    struct buffer note = {.length = 0};
    char eval[16];

    add_marks(match->notes != NULL ? match->notes[ply] : NULL, known ? marks[plies[ply].mark] : "",
              &note);
    if (known) {
        format_eval(plies[ply + 1].eval, eval);
        buffer_printf(&note, "[%%eval %s]", eval);
    }
    if (review_has_better(match, plies, ply)) {
        for (int i = 0; i < plies[ply].line_plies; i++)
            buffer_printf(&note, "%s%s", i == 0 ? "\n(" : " ", plies[ply].line[i]);
    }
    buffer_add(&note, "", 1);
    return note.bytes;
}

char *review_pgn(const struct pgn_match *match, const struct reviewed *plies)
{
    struct pgn_match noted = *match;
    char **notes = xcalloc((size_t)match->plies + 1, sizeof *notes);

    for (int ply = 0; ply < match->plies; ply++)
        notes[ply] = note_of(match, plies, ply);
    noted.notes = (const char *const *)notes;
    char *text = pgn_write(&noted, match->times_ms != NULL);
    for (int ply = 0; ply < match->plies; ply++)
        free(notes[ply]);
    free(notes);
    return text;
}

void review_json(const struct pgn_match *match, const struct reviewed *plies, struct buffer *json)
{
    char variant[VARIANT_NAME_MAX];
    const char *before = "";

    match->game->variant_name(&match->start, variant);
    json_open(json, NULL, '{');
    json_word(json, "type", "review");
    json_string(json, "match", match->match);
    json_word(json, "game", match->game->name);
    json_word(json, "variant", variant);
    json_open(json, "plies", '[');
    for (int ply = 0; ply <= match->plies; ply++)
        if (plies[ply].json != NULL) {
            buffer_printf(json, "%s%s", before, plies[ply].json);
            before = ",";
        }
    json_close(json, ']');
    json_close(json, '}');
    buffer_puts(json, "\n");
}

enum { BAR_WIDTH = 20 };

/* Adds a move, and how white stands after it. */
static void add_ply(const struct pgn_match *match, const struct reviewed *plies, int ply,
                    struct buffer *text)
{
    int half = match->start.side + ply, chance = plies[ply + 1].chance;
    bool black = half % 2 == BLACK;
    char bar[BAR_WIDTH + 1], number[16] = "";

    for (int i = 0; i < BAR_WIDTH; i++)
        bar[i] = i * 100 < chance * BAR_WIDTH ? '#' : '.';
    bar[BAR_WIDTH] = '\0';
    if (!black || ply == 0)
        snprintf(number, sizeof number, "%d%s", half / 2 + 1, black ? "..." : ".");
    buffer_printf(text, "%5s %-6s %-2s %3d %% %s", number, match->moves[ply].text,
                  review_mark(&plies[ply]), chance, bar);
    if (review_has_better(match, plies, ply)) {
        buffer_printf(text, _("  better:"));
        for (int i = 0; i < plies[ply].line_plies; i++)
            buffer_printf(text, " %s", plies[ply].line[i]);
    }
    if (plies[ply].last_win)
        buffer_puts(text, _("; the last moment to win"));
    buffer_puts(text, "\n");
}

void review_words(const struct pgn_match *match, const struct reviewed *plies, struct buffer *text)
{
    const char *reason = reason_text(match->outcome.reason);
    char variant[VARIANT_NAME_MAX];
    match->game->variant_name(&match->start, variant);
    buffer_printf(text, "%s %s, %s - %s, %s%s%s\n\n", _(match->game->title), variant,
                  match->white != NULL ? match->white : "?",
                  match->black != NULL ? match->black : "?", result_text(match->outcome.result),
                  reason != NULL ? " " : "", reason_words(reason));
    buffer_printf(text, _("%13s   White's chance to win\n"), "");
    for (int ply = 0; ply < match->plies; ply++)
        add_ply(match, plies, ply, text);
    int counts[2][PLAYED_BLUNDER + 1] = {{0}};
    for (int ply = 0; ply < match->plies; ply++)
        counts[(match->start.side + ply) % 2][plies[ply].mark]++;
    buffer_printf(text,
                  _("\nMistakes (?): white %d, black %d. Blunders (\?\?): white %d, black %d.\n"),
                  counts[WHITE][PLAYED_MISTAKE], counts[BLACK][PLAYED_MISTAKE],
                  counts[WHITE][PLAYED_BLUNDER], counts[BLACK][PLAYED_BLUNDER]);
}

enum { SERVER_MS = 300000 };

bool review_give_by_server(struct client *client, const char *match, struct reviewer *reviewer)
{
    char line[MATCH_ID_MAX + 16];

    if (!match_id_is_valid(match))
        return cause_set(&reviewer->cause, "'%.40s' is not a match of the server", match);
    snprintf(line, sizeof line, "review %s", match);
    cJSON *reply = client_exchange(client, SERVER_MS, line);
    bool taken = reviewer_take_reply(reviewer, reply);
    cJSON_Delete(reply);
    return taken;
}

bool review_position_by_server(struct client *client, const struct game *game,
                               const struct position *position, struct reviewer *reviewer)
{
    char variant[VARIANT_NAME_MAX], text[POSITION_TEXT_MAX], line[POSITION_TEXT_MAX + 80];

    game->variant_name(position, variant);
    game->format(position, text);
    snprintf(line, sizeof line, "analyse %s:%s position=%s", game->name, variant, text);
    cJSON *reply = client_exchange(client, SERVER_MS, line);
    reviewer->done = strcmp(json_text_or(reply, "type", ""), "analysis") == 0;
    if (reviewer->done)
        read_verdict(&reviewer->plies[0], reply);
    else
        cause_set(&reviewer->cause, "%.150s",
                  json_text_or(reply, "message", "the server does not analyse it"));
    cJSON_Delete(reply);
    return reviewer->done;
}

bool review_fetch(struct client *client, const char *match, char id[MATCH_ID_MAX],
                  struct pgn_file *file, struct cause *cause)
{
    cJSON *reply = client_ask(client, "record %s", match);

    cause->text[0] = '\0';
    json_copy(id, MATCH_ID_MAX, reply, "match");
    bool read = reply != NULL && record_read_reply(reply, file, cause);
    cJSON_Delete(reply);
    if (!read || record_is_over(&file->matches[0]))
        return read;
    pgn_release(file);
    return cause_set(cause, "the game is still running");
}
