#include "review_part.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "analysis_part.h"
#include "client/link/json_read.h"
#include "client/ludus/talk/client.h"
#include "client/ludus/talk/record.h"
#include "common/xmalloc.h"
#include "play_on.h"
#include "record_view.h"
#include "retry_part.h"

struct curve {
    struct area area; /* the curve, and below it a row for marks and the cursor */
    const struct reviewed *plies;
    int count; /* of plies, the end of the match included */
    int shown; /* the ply of the cursor */
};

enum { CURVE_LEVELS = 8, COLUMNS_EACH_MAX = 3 };

/* The columns of the curve: some for each ply where there is room, else one for several plies. */
static int columns_of(const struct curve *curve)
{
    int each = curve->area.width / curve->count;

    if (each == 0)
        return curve->area.width;
    return curve->count * (each < COLUMNS_EACH_MAX ? each : COLUMNS_EACH_MAX);
}

static int column_of(const struct curve *curve, int ply)
{
    return (int)((int64_t)ply * columns_of(curve) / curve->count);
}

/* The character of a cell that is filled up to `level`, 0 to CURVE_LEVELS. */
static const char *cell_text(const struct theme *theme, int level)
{
    static const char *const blocks[] = {" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};

    if (theme->unicode)
        return blocks[level];
    return level == 0 ? " " : level <= CURVE_LEVELS / 2 ? "." : "#";
}

/* The curve in a column, in units of CURVE_LEVELS a row; at least one where something is known. */
static int height_of(const struct curve *curve, int column)
{
    int columns = columns_of(curve);
    int ply = (int)(((int64_t)column * curve->count + columns - 1) / columns);

    if (columns_of(curve) >= curve->count)
        ply = (int)((int64_t)column * curve->count / columns_of(curve));
    if (ply >= curve->count || !curve->plies[ply].known)
        return 0;
    int height = curve->plies[ply].chance * curve->area.height * CURVE_LEVELS / 100;
    return height > 0 ? height : 1;
}

static void paint_curve_column(const struct curve *curve, const struct theme *theme, int column)
{
    int height = height_of(curve, column);

    for (int row = 0; row < curve->area.height; row++) {
        int level = height - (curve->area.height - 1 - row) * CURVE_LEVELS;
        level = level < 0 ? 0 : level > CURVE_LEVELS ? CURVE_LEVELS : level;
        paint_text(curve->area.y + row, curve->area.x + column, 1, theme_text(theme),
                   cell_text(theme, level));
    }
}

static void paint_curve_mark(const struct curve *curve, const struct theme *theme, int ply)
{
    bool blunder = curve->plies[ply].mark == PLAYED_BLUNDER;
    bool roomy = columns_of(curve) >= 2 * curve->count;

    paint_text(curve->area.y + curve->area.height, curve->area.x + column_of(curve, ply), 2,
               blunder ? theme_text(theme) | A_BOLD : theme_text(theme),
               blunder && roomy ? "\?\?" : "?");
}

/* The ply at a place on the screen, or -1. */
static int ply_at_curve(const struct curve *curve, int y, int x)
{
    int column = x - curve->area.x;

    if (y < curve->area.y || y > curve->area.y + curve->area.height || column < 0 ||
        column >= columns_of(curve))
        return -1;
    return (int)((int64_t)column * curve->count / columns_of(curve));
}

enum { PANEL_MIN = 24, TALL = 20, CURVE_TALL = 3, CURVE_LOW = 1, TEXT_MAX = 200 };

struct review_part {
    struct part face; /* towards the stage */
    struct stage *stage;
    struct record_view record;
    struct reviewer reviewer;
    struct curve curve;
    bool done;
};

/* Goes to the next or previous position behind a move that was marked, round the end. */
static void go_to_mark(struct review_part *part, int step)
{
    int plies = part->record.match->plies, ply = part->record.ply;

    if (ply == 0 && step < 0)
        ply = plies + 1;
    for (int tried = 0; tried < plies; tried++) {
        ply = (ply - 1 + step + plies) % plies + 1;
        if (part->reviewer.plies[ply - 1].mark != PLAYED_WELL) {
            bool round = step > 0 ? ply <= part->record.ply : ply >= part->record.ply;
            record_view_go(&part->record, ply);
            if (round)
                stage_notice(part->stage,
                             step > 0 ? N_("That was the last mistake. This is the first.")
                                      : N_("That was the first mistake. This is the last."));
            return;
        }
    }
    stage_notice(part->stage, "No mistakes were found.");
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
        snprintf(text, sizeof text, "%s", _("Not reviewed yet"));
    else if (now->exact)
        snprintf(text, sizeof text, "%s",
                 now->chance > 50 ? _("White wins (proven)") : _("Black wins (proven)"));
    else if (part->record.ply > 0 && plies[part->record.ply - 1].known)
        snprintf(text, sizeof text, _("White's chances: %d%% -> %d%%"),
                 plies[part->record.ply - 1].chance, now->chance);
    else
        snprintf(text, sizeof text, _("White's chances: %d%%"), now->chance);
    lines_add(lines, text);
}

/* Tells what would have been better than the last move. */
static void tell_better(const struct review_part *part, struct lines *lines)
{
    const struct reviewed *plies = part->reviewer.plies, *before = &plies[part->record.ply - 1];
    char text[TEXT_MAX];
    size_t used = (size_t)snprintf(text, sizeof text, "%s", _("Better:"));

    if (before->last_win)
        lines_add(lines, _("This was the last moment to win."));
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

/* Writes "Reviewing [##..] 20 of 41", counting positions or seconds. The bar takes a quarter of the
 * screen. */
static void write_progress(int done, int count, bool seconds, char text[TEXT_MAX])
{
    char bar[64];
    int width = COLS / 4 < (int)sizeof bar ? COLS / 4 : (int)sizeof bar - 1;

    for (int i = 0; i < width; i++)
        bar[i] = i * count < done * width ? '#' : '.';
    bar[width] = '\0';
    snprintf(text, TEXT_MAX,
             seconds ? _("Reviewing [%s] %d of %d seconds") : _("Reviewing [%s] %d of %d"), bar,
             done, count);
}

static int count_mistakes(const struct review_part *part, enum color color)
{
    const struct pgn_match *match = part->record.match;
    int count = 0;

    for (int ply = (match->start.side + color) % 2; ply < match->plies; ply += 2)
        count += part->reviewer.plies[ply].mark != PLAYED_WELL;
    return count;
}

static void paint_review_title(const struct pgn_match *match, attr_t ink)
{
    const char *white = match->white != NULL ? match->white : "?";
    const char *black = match->black != NULL ? match->black : "?";
    const char *result = result_text(match->outcome.result);
    char whole[TEXT_MAX], players[TEXT_MAX], bare[TEXT_MAX];

    snprintf(whole, TEXT_MAX, _("Review of %s: %.80s - %.80s, %s"), _(match->game->title), white,
             black, result);
    snprintf(players, TEXT_MAX, "%.80s - %.80s, %s", white, black, result);
    snprintf(bare, TEXT_MAX, _("Review of %s, %s"), _(match->game->title), result);
    paint_fitting(0, 1, COLS - 2, ink, (const char *const[]){whole, players, bare}, 3);
}

static void paint_review_words(const struct review_part *part)
{
    const struct pgn_match *match = part->record.match;
    attr_t ink = theme_text(&part->stage->theme);
    char text[TEXT_MAX];

    paint_review_title(match, ink | A_BOLD);
    if (part->reviewer.engine != NULL)
        write_progress(part->reviewer.deep, part->reviewer.count, false, text);
    else
        snprintf(text, TEXT_MAX,
                 part->reviewer.done ? _("Reviewed. Mistakes: White %d, Black %d")
                                     : _("Stopped. Mistakes: White %d, Black %d"),
                 count_mistakes(part, WHITE), count_mistakes(part, BLACK));
    const char *said = stage_new_line(part->stage);
    paint_text(1, 1, COLS - 2, ink, said[0] != '\0' ? said : text);
}

static void paint_review_panel(const struct review_part *part, struct area area)
{
    struct lines *lines = &(struct lines){.count = 0};
    attr_t ink = theme_text(&part->stage->theme);

    /* Add the lines of the panel: about this position, then all mistakes. */
    char text[TEXT_MAX];
    snprintf(text, sizeof text, "%s", _("Start of the game"));
    if (part->record.ply > 0)
        name_move(part, part->record.ply - 1, text);
    lines_add(lines, text);
    tell_chance(part, lines);
    if (part->record.ply > 0)
        tell_better(part, lines);
    tell_marks(part, lines);
    int i, right = area.x + area.width - 1;
    for (i = 0; i < lines->count && area.height > 0; i++) {
        int rows = lines->texts[i][0] == '\0'
                       ? 1
                       : paint_rows(area.y, area.x, area.width, area.height < 4 ? area.height : 4,
                                    i == 0 ? ink | A_BOLD : ink, lines->texts[i]);
        area_drop_rows(&area, rows);
    }
    if (i < lines->count)
        paint_text(area.y - 1, right, 1, ink, "~");
    lines_clear(lines);
}

static void paint_review(struct stage *stage, void *context)
{
    struct review_part *part = context;
    int high = LINES >= TALL ? CURVE_TALL : CURVE_LOW, rows = LINES - 4 - high;
    bool wide = COLS >= 3 + part->record.scene.board.width * 2 + 3 + PANEL_MIN;
    const struct board_view *view = &part->record.board;

    erase();
    part->curve = (struct curve){.area = {LINES - 2 - high, 1, COLS - 2, high},
                                 .plies = part->reviewer.plies,
                                 .count = part->reviewer.count,
                                 .shown = part->record.ply};
    record_view_paint(&part->record, &stage->theme, wide ? rows : rows - 3,
                      wide ? COLS - PANEL_MIN - 4 : COLS - 1);
    int beside = view->x + view->width + 2, below = view->y + view->height;
    paint_review_panel(part, wide ? (struct area){2, beside, COLS - beside - 1, rows - 1}
                                  : (struct area){below, 1, COLS - 2, LINES - 2 - high - below});
    /* Paint the curve: the higher, the better for white. */
    for (int column = 0; column < columns_of(&part->curve); column++)
        paint_curve_column(&part->curve, &stage->theme, column);
    for (int mark = PLAYED_MISTAKE; mark <= PLAYED_BLUNDER; mark++)
        for (int ply = 0; ply < part->curve.count; ply++)
            if ((int)part->curve.plies[ply].mark == mark)
                paint_curve_mark(&part->curve, &stage->theme, ply);
    paint_text(part->curve.area.y + part->curve.area.height,
               part->curve.area.x + column_of(&part->curve, part->curve.shown), 1,
               theme_text(&stage->theme) | A_REVERSE, "^");
    paint_review_words(part);
}

static void end_waiting(struct review_part *part)
{
    reviewer_stop(&part->reviewer);
    part->stage->client->waiting.fd = -1;
}

/* Whether the move that led here was a mistake for which a better move is known, and the bot has
 * time for another question. */
static bool can_retry(const struct review_part *part)
{
    return part->reviewer.engine == NULL && part->record.ply > 0 &&
           review_has_better(part->record.match, part->reviewer.plies, part->record.ply - 1);
}

static void take_review_action(struct review_part *part, enum action action)
{
    const struct keyboard *keyboard = &part->stage->keyboard;
    int clicked = ply_at_curve(&part->curve, keyboard->mouse_y, keyboard->mouse_x);

    if (record_view_take(&part->record, part->stage, action))
        return;
    if (action == ACTION_NEXT || action == ACTION_PREVIOUS)
        go_to_mark(part, action == ACTION_NEXT ? 1 : -1);
    else if (action == ACTION_CLICK && clicked >= 0)
        record_view_go(&part->record, clicked);
    else if (action == ACTION_RETRY && can_retry(part))
        retry_part_run(part->stage, part->record.match, part->reviewer.plies, part->record.ply - 1);
    else if (action == ACTION_RETRY)
        stage_notice(part->stage, "Tab leads to a mistake that you can try again.");
    else if (action == ACTION_ANALYSE && part->reviewer.engine != NULL)
        stage_notice(part->stage, "The review still runs. Esc stops it.");
    else if (action == ACTION_ANALYSE)
        analysis_part_run(part->stage, part->record.match, part->record.ply);
    else if (action == ACTION_PLAY_ON)
        play_on_run(part->stage, part->record.match->game, &part->record.scene.position);
    else if (action == ACTION_SAVE) {
        /* Save the match with what was found out so far. */
        char *text = review_pgn(part->record.match, part->reviewer.plies);

        save_pgn(part->stage, part->record.match->match, "-review", text);
        free(text);
    } else if (action == ACTION_BACK && part->reviewer.engine != NULL)
        end_waiting(part);
    else if (action == ACTION_BACK)
        part->done = true;
}

static const char *review_word(const struct stage *stage, const void *context, enum action action)
{
    const struct review_part *part = context;

    switch (action) {
    case ACTION_BACK:
        return part->reviewer.engine != NULL ? _("stop") : _("back");
    case ACTION_CHOOSE:
        return NULL;
    case ACTION_NEXT:
        return count_mistakes(part, WHITE) + count_mistakes(part, BLACK) > 0 ? _("next mistake")
                                                                             : NULL;
    case ACTION_ANALYSE:
        return part->reviewer.engine == NULL ? key_rows[action].word : NULL;
    case ACTION_PLAY_ON:
        return play_on_word(stage);
    case ACTION_RETRY:
        return can_retry(part) ? _("retry") : NULL;
    case ACTION_OVERLAY:
        return part->record.guide != NULL ? part->record.guide->overlay : NULL;
    default:
        return key_rows[action].word;
    }
}

/* Shows the first mistake, unless the player has begun to look at something else. */
static void open_at_mistake(struct review_part *part)
{
    int plies = part->record.match->plies;

    for (int ply = 1; ply <= plies && part->record.ply == plies; ply++)
        if (part->reviewer.plies[ply - 1].mark != PLAYED_WELL) {
            record_view_go(&part->record, ply);
            return;
        }
}

/* The bot has said something, or has ended. */
static void on_review_ready(void *context)
{
    struct review_part *part = context;

    if (reviewer_read(&part->reviewer))
        return;
    part->stage->client->waiting.fd = -1;
    if (part->reviewer.done)
        open_at_mistake(part);
    else
        stage_notice(part->stage, "No review: %s", part->reviewer.cause.text);
}

static void run_review(struct review_part *part)
{
    struct client *client = part->stage->client;

    if (part->reviewer.engine != NULL)
        client->waiting = (struct waiting){.fd = part->reviewer.engine->out,
                                           .due_ms = INT64_MAX,
                                           .ready = on_review_ready,
                                           .context = part};
    while (!part->done && !stage_is_over(part->stage))
        take_review_action(part, stage_key(part->stage).action);
    end_waiting(part);
}

/* A review by the server. */
struct server_wait {
    int64_t begun_ms;
    int count; /* positions */
};

/* Shows how far the server is: it does not say, but how long a review takes is about known. Others
 * may be first. */
static void paint_server_wait(struct stage *stage, void *context)
{
    enum { FIRST_MS = 1000, EACH_MS = 500, MOST_MS = 8000 };
    const struct server_wait *wait = context;
    int think_ms = wait->count * EACH_MS < MOST_MS ? wait->count * EACH_MS : MOST_MS;
    int done_s = (int)(clock_ms() - wait->begun_ms) / 1000, all_s = (FIRST_MS + think_ms) / 1000;
    attr_t ink = theme_text(&stage->theme);
    char text[TEXT_MAX];

    stage_paint_frame(stage, _("Review"));
    paint_rows(2, 2, COLS - 4, 2, ink,
               _("There is no ludus-bot here. The server reviews the match."));
    if (done_s <= all_s)
        write_progress(done_s, all_s, true, text);
    else
        snprintf(text, sizeof text, _("Reviewing. The server is busy: %d seconds so far"), done_s);
    paint_rows(5, 2, COLS - 4, 2, ink, text);
}

/* Asks the server for the review of its match, and waits for it. */
static bool ask_server_review(struct stage *stage, const char *id, struct reviewer *reviewer)
{
    struct server_wait wait = {clock_ms(), reviewer->count};
    struct part part = {.paint = paint_server_wait, .context = &wait};

    stage_push(stage, &part);
    ticker_start(stage->client);
    bool done = review_give_by_server(stage->client, id, reviewer);
    ticker_stop(stage->client);
    stage_pop(stage);
    return done;
}

/* Reviews a match, which is the server's if it has an id. False with a notice. */
static bool open_review(struct stage *stage, const struct pgn_match *match, const char *id,
                        int movetime_ms)
{
    struct review_part *part = xcalloc(1, sizeof *part);

    part->stage = stage;
    part->face = (struct part){.place = IN_REVIEW,
                               .paint = paint_review,
                               .word = review_word,
                               .context = part,
                               .game = match->game};
    bool started = reviewer_start(&part->reviewer, match, movetime_ms);
    if (!started && part->reviewer.missing && id != NULL)
        started = ask_server_review(stage, id, &part->reviewer);
    if (started) {
        record_view_begin(&part->record, match, match->plies);
        if (part->reviewer.done)
            open_at_mistake(part);
        stage_push(stage, &part->face);
        run_review(part);
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
    return open_review(stage, match, NULL, movetime_ms);
}

void review_part_match(struct stage *stage, const char *match)
{
    char id[MATCH_ID_MAX];
    struct pgn_file file;
    struct cause cause;

    if (review_fetch(stage->client, match, id, &file, &cause)) {
        open_review(stage, &file.matches[0], id, REVIEW_STANDARD);
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
