#include "replay_part.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/ludus/screen/match/analysis_part.h"
#include "client/ludus/screen/match/pace.h"
#include "client/ludus/screen/match/panel.h"
#include "client/ludus/screen/match/play_on.h"
#include "client/ludus/screen/match/record_view.h"
#include "client/ludus/screen/match/review_part.h"
#include "client/ludus/screen/stage/paint.h"
#include "client/ludus/talk/client.h"
#include "client/ludus/talk/match_review.h"
#include "client/ludus/talk/match_words.h"
#include "client/ludus/talk/record.h"

enum { PANEL_WIDTH = 26, TITLE_MAX = 300 };

struct replay_part {
    struct part face; /* towards the stage */
    const struct pgn_file *file;
    const char *id; /* of the server's match; NULL for a file */
    int index;
    struct record_view record;
    struct pace pace;
    struct area moves; /* where the moves are; height 0: nowhere */
};

static void go_to_match(struct replay_part *part, int index)
{
    int count = part->file->count;

    part->index = (index + count) % count;
    record_view_begin(&part->record, &part->file->matches[part->index], 0);
    part->face.game = part->record.match->game;
}

static void paint_replay_words(const struct stage *stage, const struct replay_part *part)
{
    const struct pgn_match *match = part->record.match;
    attr_t ink = theme_text(&stage->theme);
    const char *reason = reason_text(match->outcome.reason);
    bool end = part->record.ply == match->plies;

    char whole[TITLE_MAX], players[TITLE_MAX], bare[TITLE_MAX];
    snprintf(bare, TITLE_MAX, _("%s, match %.40s (%d of %d)"), _(match->game->title),
             match->match != NULL ? match->match : "?", part->index + 1, part->file->count);
    snprintf(players, TITLE_MAX, _("%d of %d: %.80s - %.80s"), part->index + 1, part->file->count,
             match->white != NULL ? match->white : "?", match->black != NULL ? match->black : "?");
    snprintf(whole, TITLE_MAX, "%s%s", bare, strchr(players, ':'));
    paint_fitting(0, 1, COLS - 2, ink | A_BOLD, (const char *const[]){whole, players, bare}, 3);
    if (stage_paint_line(stage))
        return;
    if (part->record.ply == 0)
        paint_format(LINES - 2, 1, COLS - 2, ink | A_BOLD, "Start (0 of %d)", match->plies);
    else
        paint_format(LINES - 2, 1, COLS - 2, ink | A_BOLD,
                     !end             ? N_("Move %d of %d")
                     : reason == NULL ? N_("Move %d of %d: %s")
                                      : N_("Move %d of %d: %s %s"),
                     part->record.ply, match->plies, result_text(match->outcome.result),
                     reason_words(reason));
}

static struct panel moves_of(const struct replay_part *part)
{
    const struct pgn_match *match = part->record.match;

    return (struct panel){.moves = match->moves, .count = match->plies, .shown = part->record.ply};
}

static void paint_replay_panel(const struct stage *stage, struct replay_part *part)
{
    const struct board_view *view = &part->record.board;
    struct panel moves = moves_of(part);
    struct lines *lines = &(struct lines){.count = 0};
    int x = view->x + view->width + 3;
    struct area area = {view->y, x, COLS - x - 1, LINES - 4 - view->y};
    char facts[FACTS_MAX];

    guide_facts(part->record.guide, &part->record.scene, part->record.overlay, facts);
    lines_write(lines, facts);
    area_drop_rows(&area, panel_lines(stage, &area, lines) + 1);
    part->moves = area;
    panel_moves(stage, &area, &moves);
    lines_clear(lines);
}

static void paint_replay(struct stage *stage, void *context)
{
    struct replay_part *part = context;
    bool wide = COLS >= 3 + part->record.scene.board.width * 3 + 3 + PANEL_WIDTH;

    erase();
    part->moves.height = 0;
    record_view_paint(&part->record, &stage->theme, LINES - 5,
                      wide ? COLS - PANEL_WIDTH - 5 : COLS - 1);
    if (wide)
        paint_replay_panel(stage, part);
    paint_replay_words(stage, part);
}

static bool take_replay_press(struct stage *stage, void *context, struct press press)
{
    struct replay_part *part = context;
    bool ended = part->record.ply == part->record.match->plies;

    if (press.action == ACTION_PAUSE && !part->pace.runs && ended)
        record_view_go(&part->record, 0); /* from the start again */
    if (pace_take(&part->pace, stage, press.action)) {
        pace_is_due(&part->pace, stage, true);
        return false;
    }
    if (pace_is_due(&part->pace, stage, !ended))
        record_view_go(&part->record, part->record.ply + 1);
    part->pace.runs = part->pace.runs && part->record.ply < part->record.match->plies;
    if (press.key == NO_KEY)
        return false;
    int before = part->record.ply;
    if (record_view_take(&part->record, stage, press.action)) {
        part->pace.runs = part->pace.runs && part->record.ply == before;
        return false;
    }
    if (press.action == ACTION_NEXT || press.action == ACTION_PREVIOUS)
        go_to_match(part, part->index + (press.action == ACTION_NEXT ? 1 : -1));
    else if (press.action == ACTION_CLICK) {
        /* Go to the position after the move under the mouse. */
        struct panel moves = moves_of(part);
        int ply =
            panel_ply_at(&part->moves, &moves, stage->keyboard.mouse_y, stage->keyboard.mouse_x);

        if (ply >= 0)
            record_view_go(&part->record, ply);
    } else if (press.action == ACTION_REVIEW && part->id != NULL)
        review_part_match(stage, part->id);
    else if (press.action == ACTION_REVIEW)
        review_part_run(stage, part->record.match, REVIEW_STANDARD);
    else if (press.action == ACTION_ANALYSE)
        analysis_part_run(stage, part->record.match, part->record.ply);
    else if (press.action == ACTION_PLAY_ON)
        play_on_run(stage, part->record.match->game, &part->record.scene.position);
    else if (press.action == ACTION_SAVE) {
        char *text = pgn_write(part->record.match, part->record.match->times_ms != NULL);

        save_pgn(stage, part->record.match->match, "", text);
        free(text);
    }
    return false;
}

static const char *replay_word(const struct stage *stage, const void *context, enum action action)
{
    const struct replay_part *part = context;

    switch (action) {
    case ACTION_CHOOSE:
        return NULL;
    case ACTION_PLAY_ON:
        return play_on_word(stage);
    case ACTION_PAUSE:
        return part->pace.runs ? _("pause") : _("play");
    case ACTION_NEXT:
        return part->file->count > 1 ? _("next match") : NULL;
    case ACTION_OVERLAY:
        return part->record.guide != NULL ? part->record.guide->overlay : NULL;
    default:
        return key_rows[action].word;
    }
}

static void run_replay(struct stage *stage, const struct pgn_file *file, const char *id)
{
    struct replay_part part = {.file = file, .id = id};

    if (file->count == 0)
        return;
    part.face = (struct part){.place = IN_REPLAY,
                              .paint = paint_replay,
                              .take = take_replay_press,
                              .word = replay_word,
                              .context = &part};
    go_to_match(&part, 0);
    stage_run(stage, &part.face);
}

void replay_part_run(struct stage *stage, const struct pgn_file *file)
{
    run_replay(stage, file, NULL);
}

static bool check_all(const struct pgn_file *file, struct cause *cause)
{
    struct cause why;

    for (int i = 0; i < file->count; i++)
        if (!pgn_check(&file->matches[i], &why))
            return cause_set(cause, "match %d: %s", i + 1, why.text);
    return true;
}

/* Shows a file, or the server's match of that id, and releases it; says why not if a match is
 * invalid, or if it could not be read, for the cause. False then. */
static bool show_read(struct stage *stage, const char *name, const char *id, bool read,
                      struct pgn_file *file, struct cause *cause)
{
    bool good = read && check_all(file, cause);

    if (good)
        run_replay(stage, file, id);
    else
        console_say(&stage->client->console, "%.40s: %s", name, cause->text);
    if (read)
        pgn_release(file);
    return good;
}

bool replay_part_file(struct stage *stage, const char *path)
{
    const char *name = strrchr(path, '/') != NULL ? strrchr(path, '/') + 1 : path;
    struct pgn_file file;
    struct cause cause;

    /* The keys come from standard input. */
    bool read = record_read_file(strcmp(path, "-") == 0 ? "./-" : path, &file, &cause);
    return show_read(stage, name, NULL, read, &file, &cause);
}

void replay_part_match(struct stage *stage, const char *match)
{
    struct pgn_file file;
    struct cause cause;
    cJSON *reply = client_ask(stage->client, "record %s", match);

    if (reply == NULL)
        return;
    bool read = record_read_reply(reply, &file, &cause);
    cJSON_Delete(reply);
    show_read(stage, match, match, read, &file, &cause);
}
