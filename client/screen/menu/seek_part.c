#include "seek_part.h"

#include "client/screen/stage/paint.h"
#include "client/screen/stage/ticker.h"

static void paint(struct stage *stage, void *context)
{
    const struct seeking *seeking = context;
    long long seconds = (clock_ms() - seeking->since_ms) / 1000;

    stage_paint_frame(stage, "Looking for an opponent ...");
    paint_text(2, 2, COLS - 4, theme_faint(&stage->theme), seeking->words);
    paint_format(4, 2, COLS - 4, theme_text(&stage->theme), "%lld:%02lld", seconds / 60,
                 seconds % 60);
    paint_rows(6, 2, COLS - 4, 2, theme_faint(&stage->theme),
               "The match begins as soon as somebody seeks the same. Esc stops.");
    paint_rows(LINES - 3, 2, COLS - 4, 2, theme_text(&stage->theme), stage_new_line(stage));
}

/* Ends the part when there is nothing to wait for. */
static bool take(struct stage *stage, void *context, struct press press)
{
    (void)press;
    return !seeking_keep(context, stage->client);
}

static const char *word(const struct stage *stage, const void *context, enum action action)
{
    (void)stage;
    (void)context;
    if (action == ACTION_BACK)
        return "stop";
    return action == ACTION_CHOOSE ? NULL : key_rows[action].word;
}

void seek_part_wait(struct stage *stage, struct seeking *seeking)
{
    struct part part = {
        .place = IN_PAGE, .paint = paint, .take = take, .word = word, .context = seeking};

    ticker_start(stage->client);
    stage_run(stage, &part);
    ticker_stop(stage->client);
    seeking_end(seeking, stage->client);
}
