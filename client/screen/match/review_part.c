#include "review_part.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "client/link/json_read.h"
#include "client/model/record.h"
#include "client/play/review_give.h"
#include "client/screen/stage/ticker.h"
#include "client/talk/client_request.h"
#include "common/xmalloc.h"
#include "curve.h"
#include "record_view.h"
#include "save.h"

enum { PANEL_MIN = 24, TALL = 20, CURVE_TALL = 3, CURVE_LOW = 1, TEXT_MAX = 200 };

struct review_part {
    struct part face; /* towards the stage */
    struct stage *stage;
    struct record_view record;
    struct reviewer reviewer;
    struct curve curve;
    bool done;
};

/* Goes to the next or previous position behind a move that was marked. */
static void go_to_mark(struct review_part *part, int step)
{
    for (int ply = part->record.ply + step; ply >= 1 && ply <= part->record.match->plies;
         ply += step)
        if (part->reviewer.plies[ply - 1].mark != PLAYED_WELL) {
            record_view_go(&part->record, ply);
            return;
        }
    stage_notice(part->stage,
                 step > 0 ? "No mistake after this move" : "No mistake before this move");
}

/* Writes "3. a4a3 ??" or "3... c3c4". */
static void name_move(const struct review_part *part, int ply, char text[TEXT_MAX])
{
    int half = part->record.match->start.side + ply;

    snprintf(text, TEXT_MAX, "%d%s %s %s", half / 2 + 1, half % 2 == BLACK ? "..." : ".",
             part->record.match->moves[ply].text, review_mark(&part->reviewer.plies[ply]));
}

static void tell_chance(const struct review_part *part, struct lines *lines)
{
    const struct reviewed *plies = part->reviewer.plies;
    const struct reviewed *now = &plies[part->record.ply];
    char text[TEXT_MAX];

    if (!now->known)
        snprintf(text, sizeof text, "Not reviewed yet");
    else if (now->exact)
        snprintf(text, sizeof text, "%s wins (proven)", now->chance > 50 ? "White" : "Black");
    else if (part->record.ply > 0 && plies[part->record.ply - 1].known)
        snprintf(text, sizeof text, "White's chances: %d%% -> %d%%",
                 plies[part->record.ply - 1].chance, now->chance);
    else
        snprintf(text, sizeof text, "White's chances: %d%%", now->chance);
    lines_add(lines, text);
}

/* Tells what would have been better than the last move. */
static void tell_better(const struct review_part *part, struct lines *lines)
{
    const struct reviewed *plies = part->reviewer.plies, *before = &plies[part->record.ply - 1];
    char text[TEXT_MAX];
    size_t used = (size_t)snprintf(text, sizeof text, "Better:");

    if (before->last_win)
        lines_add(lines, "This was the last moment to win.");
    if (!review_has_better(part->record.match, plies, part->record.ply - 1))
        return;
    for (int i = 0; i < before->line_plies && used < sizeof text; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, " %s", before->line[i]);
    lines_add(lines, text);
}

/* Tells the moves that lost most. */
static void tell_marks(const struct review_part *part, struct lines *lines)
{
    char text[TEXT_MAX];

    lines_add(lines, "");
    for (int ply = 0; ply < part->record.match->plies; ply++)
        if (part->reviewer.plies[ply].mark != PLAYED_WELL) {
            name_move(part, ply, text);
            lines_add(lines, text);
        }
}

/* Adds the lines of the panel: about this position, then all mistakes. */
static void tell(const struct review_part *part, struct lines *lines)
{
    char text[TEXT_MAX] = "Start of the game";

    if (part->record.ply > 0)
        name_move(part, part->record.ply - 1, text);
    lines_add(lines, text);
    tell_chance(part, lines);
    if (part->record.ply > 0)
        tell_better(part, lines);
    tell_marks(part, lines);
}

/* Writes "Reviewing [##..] 20 of 41", with a bar of a quarter of the screen. */
static void write_progress(int done, int count, const char *unit, char text[TEXT_MAX])
{
    char bar[64];
    int width = COLS / 4 < (int)sizeof bar ? COLS / 4 : (int)sizeof bar - 1;

    for (int i = 0; i < width; i++)
        bar[i] = i * count < done * width ? '#' : '.';
    bar[width] = '\0';
    snprintf(text, TEXT_MAX, "Reviewing [%s] %d of %d%s", bar, done, count, unit);
}

static int count_mistakes(const struct review_part *part, enum color color)
{
    const struct pgn_match *match = part->record.match;
    int count = 0;

    for (int ply = (match->start.side + color) % 2; ply < match->plies; ply += 2)
        count += part->reviewer.plies[ply].mark != PLAYED_WELL;
    return count;
}

/* Writes how many mistakes each side has made. */
static void write_totals(const struct review_part *part, char text[TEXT_MAX])
{
    snprintf(text, TEXT_MAX, "%s. Mistakes: White %d, Black %d",
             part->reviewer.done ? "Reviewed" : "Stopped", count_mistakes(part, WHITE),
             count_mistakes(part, BLACK));
}

static void paint_words(const struct review_part *part)
{
    const struct pgn_match *match = part->record.match;
    attr_t ink = theme_text(&part->stage->theme);
    char text[TEXT_MAX];

    paint_format(0, 1, COLS - 2, ink | A_BOLD, "Review of %s: %s - %s, %s", match->game->title,
                 match->white != NULL ? match->white : "?",
                 match->black != NULL ? match->black : "?", result_text(match->outcome.result));
    if (part->reviewer.engine != NULL)
        write_progress(part->reviewer.deep, part->reviewer.count, "", text);
    else
        write_totals(part, text);
    const char *said = stage_new_line(part->stage);
    paint_text(1, 1, COLS - 2, ink, said[0] != '\0' ? said : text);
}

static void paint_panel(const struct review_part *part, struct area area)
{
    struct lines *lines = &(struct lines){.count = 0};
    attr_t ink = theme_text(&part->stage->theme);

    tell(part, lines);
    for (int i = 0; i < lines->count && area.height > 0; i++) {
        int rows = lines->texts[i][0] == '\0'
                       ? 1
                       : paint_rows(area.y, area.x, area.width, area.height < 4 ? area.height : 4,
                                    i == 0 ? ink | A_BOLD : ink, lines->texts[i]);
        area_drop_rows(&area, rows);
    }
    lines_clear(lines);
}

static void paint(struct stage *stage, void *context)
{
    struct review_part *part = context;
    int high = LINES >= TALL ? CURVE_TALL : CURVE_LOW, rows = LINES - 4 - high;
    bool wide = COLS >= 3 + part->record.scene.board.width * 2 + 3 + PANEL_MIN;
    struct board_view view = {.y = 2, .x = 1};

    erase();
    part->curve = (struct curve){.area = {LINES - 2 - high, 1, COLS - 2, high},
                                 .plies = part->reviewer.plies,
                                 .count = part->reviewer.count,
                                 .shown = part->record.ply};
    record_view_paint(&part->record, &stage->theme, &view, wide ? rows : rows - 3,
                      wide ? COLS - PANEL_MIN - 4 : COLS - 1);
    int beside = view.x + view.width + 2, below = view.y + view.height;
    paint_panel(part, wide ? (struct area){2, beside, COLS - beside - 1, rows - 1}
                           : (struct area){below, 1, COLS - 2, LINES - 2 - high - below});
    curve_paint(&part->curve, &stage->theme);
    paint_words(part);
}

static void end_waiting(struct review_part *part)
{
    reviewer_stop(&part->reviewer);
    part->stage->client->waiting.fd = -1;
}

static void click(struct review_part *part)
{
    int ply = curve_ply(&part->curve, part->stage->keyboard.mouse_y, part->stage->keyboard.mouse_x);

    if (ply >= 0)
        record_view_go(&part->record, ply);
}

/* Saves the match with what was found out so far. */
static void save(const struct review_part *part)
{
    char *text = review_pgn(part->record.match, part->reviewer.plies);

    save_pgn(part->stage, part->record.match->match, "-review", text);
    free(text);
}

static void take(struct review_part *part, enum action action)
{
    if (record_view_take(&part->record, action))
        return;
    if (action == ACTION_NEXT || action == ACTION_PREVIOUS)
        go_to_mark(part, action == ACTION_NEXT ? 1 : -1);
    else if (action == ACTION_CLICK)
        click(part);
    else if (action == ACTION_SAVE)
        save(part);
    else if (action == ACTION_BACK && part->reviewer.engine != NULL)
        end_waiting(part);
    else if (action == ACTION_BACK)
        part->done = true;
}

static const char *word(const struct stage *stage, const void *context, enum action action)
{
    const struct review_part *part = context;

    (void)stage;
    switch (action) {
    case ACTION_BACK:
        return part->reviewer.engine != NULL ? "stop" : "back";
    case ACTION_CHOOSE:
        return NULL;
    case ACTION_NEXT:
        return count_mistakes(part, WHITE) + count_mistakes(part, BLACK) > 0 ? "next mistake"
                                                                             : NULL;
    case ACTION_OVERLAY:
        return part->record.special != NULL ? part->record.special->overlay : NULL;
    default:
        return key_rows[action].word;
    }
}

/* The bot has said something, or has ended. */
static void on_ready(void *context)
{
    struct review_part *part = context;

    if (reviewer_read(&part->reviewer))
        return;
    part->stage->client->waiting.fd = -1;
    if (!part->reviewer.done)
        stage_notice(part->stage, "No review: %s", part->reviewer.cause.text);
}

static void run(struct review_part *part)
{
    struct client *client = part->stage->client;

    if (part->reviewer.engine != NULL)
        client->waiting = (struct waiting){.fd = part->reviewer.engine->out,
                                           .due_ms = INT64_MAX,
                                           .ready = on_ready,
                                           .context = part};
    while (!part->done && !stage_is_over(part->stage))
        take(part, stage_key(part->stage).action);
    end_waiting(part);
}

/* A review by the server. */
struct server_wait {
    int64_t begun_ms;
    int count; /* positions */
};

/* Shows how far the server is: it does not say, but how long it thinks is known (protocol.md).
 * Others may be first. */
static void paint_wait(struct stage *stage, void *context)
{
    enum { FIRST_MS = 1000, EACH_MS = 500, MOST_MS = 8000 };
    const struct server_wait *wait = context;
    int think_ms = wait->count * EACH_MS < MOST_MS ? wait->count * EACH_MS : MOST_MS;
    int done_s = (int)(clock_ms() - wait->begun_ms) / 1000, all_s = (FIRST_MS + think_ms) / 1000;
    attr_t ink = theme_text(&stage->theme);
    char text[TEXT_MAX];

    stage_paint_frame(stage, "Review");
    paint_rows(2, 2, COLS - 4, 2, ink, "There is no ludus-bot here. The server reviews the match.");
    if (done_s <= all_s)
        write_progress(done_s, all_s, " seconds", text);
    else
        snprintf(text, sizeof text, "Reviewing. The server is busy: %d seconds so far", done_s);
    paint_rows(5, 2, COLS - 4, 2, ink, text);
}

/* Has the server review its match, and waits for it. */
static bool ask_server(struct stage *stage, const char *id, struct reviewer *reviewer)
{
    struct server_wait wait = {clock_ms(), reviewer->count};
    struct part part = {.paint = paint_wait, .context = &wait};

    stage_push(stage, &part);
    ticker_start(stage->client);
    bool done = review_give_by_server(stage->client, id, reviewer);
    ticker_stop(stage->client);
    stage_pop(stage);
    return done;
}

/* Reviews a match, which is the server's if it has an id. False with a notice. */
static bool review(struct stage *stage, const struct pgn_match *match, const char *id,
                   int movetime_ms)
{
    struct review_part *part = xcalloc(1, sizeof *part);

    part->stage = stage;
    part->face = (struct part){
        .place = IN_REVIEW, .paint = paint, .word = word, .context = part, .game = match->game};
    bool started = reviewer_start(&part->reviewer, match, movetime_ms);
    if (!started && part->reviewer.missing && id != NULL)
        started = ask_server(stage, id, &part->reviewer);
    if (started) {
        record_view_begin(&part->record, match, match->plies);
        stage_push(stage, &part->face);
        run(part);
        stage_pop(stage);
    } else {
        stage_notice(stage, "No review: %s", part->reviewer.cause.text);
    }
    reviewer_release(&part->reviewer);
    free(part);
    return started;
}

bool review_part_run(struct stage *stage, const struct pgn_match *match, int movetime_ms)
{
    return review(stage, match, NULL, movetime_ms);
}

void review_part_match(struct stage *stage, const char *match)
{
    char id[MATCH_ID_MAX];
    struct pgn_file file;
    struct cause cause;

    if (review_fetch(stage->client, match, id, &file, &cause)) {
        review(stage, &file.matches[0], id, REVIEW_MOVETIME_MS);
        pgn_release(&file);
    } else if (cause.text[0] != '\0') {
        stage_notice(stage, "No review: %s.", cause.text);
    }
}

bool review_part_typed(struct stage *stage, const char *line)
{
    enum { VERB = 6 };

    if (strncasecmp(line, "review", VERB) != 0 || strchr(" \t", line[VERB]) == NULL)
        return false;
    const char *match = line + VERB + strspn(line + VERB, " \t");
    if (match[0] == '\0')
        match = stage->client->view.match;
    if (match[0] == '\0')
        stage_notice(stage, "There is no match on the screen. Name one.");
    else
        review_part_match(stage, match);
    return true;
}
