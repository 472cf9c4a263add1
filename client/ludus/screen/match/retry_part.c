#include "retry_part.h"

#include <stdio.h>
#include <string.h>

#include "analysis_part.h"
#include "client/ludus/screen/board/exercise.h"
#include "client/ludus/talk/client.h"
#include "client/ludus/talk/match_words.h"
#include "client/ludus/talk/record.h"
#include "common/move.h"
#include "play_on.h"

enum { TASK_MAX = 240 };

struct retry_part {
    struct stage *stage;
    struct part face; /* towards the stage */
    struct exercise exercise;
    const struct pgn_match *match; /* borrowed, as is the ply of the review */
    const struct reviewed *reviewed;
    int ply;
    struct position position; /* before the move */
    bool solved;              /* or the answer was shown */
    /* The review of the move that was tried, as a match of its own. */
    struct reviewer reviewer;
    struct pgn_match question;
    struct move_text tried;
};

static void show_task(struct retry_part *part)
{
    part->solved = false;
    exercise_begin(&part->exercise, &part->position);
}

static void stop_judging(struct retry_part *part)
{
    reviewer_release(&part->reviewer);
    part->stage->client->waiting.fd = -1;
}

static bool is_judging(const struct retry_part *part)
{
    return part->reviewer.engine != NULL;
}

/* The line of the review, as "c1b1 a1b1 b4c4". */
static void write_line_of(const struct retry_part *part, char text[TASK_MAX])
{
    size_t used = 0;

    text[0] = '\0';
    for (int i = 0; i < part->reviewed->line_plies && used < TASK_MAX; i++)
        used += (size_t)snprintf(text + used, TASK_MAX - used, "%s%s", i > 0 ? " " : "",
                                 part->reviewed->line[i]);
}

/* Says that the move that was tried is good. */
static void accept_move(struct retry_part *part, bool is_best)
{
    char line[TASK_MAX];

    write_line_of(part, line);
    part->solved = true;
    if (is_best)
        snprintf(part->exercise.said, sizeof part->exercise.said, _("Right: %s"), line);
    else
        snprintf(part->exercise.said, sizeof part->exercise.said,
                 _("Right: %s is good, too. The review found %.160s"), part->tried.text, line);
}

/* The bot has said something of the move, or has ended. */
static void on_judged(void *context)
{
    struct retry_part *part = context;

    if (reviewer_read(&part->reviewer))
        return;
    if (!part->reviewer.done)
        snprintf(
            part->exercise.said, sizeof part->exercise.said,
            _("%s is not the move that the review found. Whether it is good is not known: %.80s"),
            part->tried.text, part->reviewer.cause.text);
    else if (part->reviewer.plies[0].mark == PLAYED_WELL)
        accept_move(part, false);
    else
        snprintf(part->exercise.said, sizeof part->exercise.said,
                 part->reviewer.plies[0].mark == PLAYED_BLUNDER
                     ? _("%s is a blunder, too. Try again.")
                     : _("%s is a mistake, too. Try again."),
                 part->tried.text);
    stop_judging(part);
}

/* Asks the bot about a move that the review does not name. */
static void judge_move(struct retry_part *part, const struct position *after)
{
    struct client *client = part->stage->client;

    part->question = (struct pgn_match){.game = part->match->game,
                                        .start = part->position,
                                        .plies = 1,
                                        .moves = &part->tried,
                                        .outcome = part->match->game->outcome(after)};
    snprintf(part->exercise.said, sizeof part->exercise.said, _("Thinking about %s ..."),
             part->tried.text);
    if (reviewer_start(&part->reviewer, &part->question, REVIEW_STANDARD)) {
        client->waiting = (struct waiting){.fd = part->reviewer.engine->out,
                                           .due_ms = INT64_MAX,
                                           .ready = on_judged,
                                           .context = part};
        return;
    }
    snprintf(
        part->exercise.said, sizeof part->exercise.said,
        _("%s is not the move that the review found. Whether it is good is not known: there is "
          "no bot here."),
        part->tried.text);
    stop_judging(part);
}

static void try_again_move(struct retry_part *part, struct move move)
{
    const struct game *game = part->match->game;
    const char *played = part->match->moves[part->ply].text;
    struct position after = part->position;

    move_format(&part->position, move, part->tried.text);
    game->apply(&after, move);
    exercise_show(&part->exercise, &after, part->tried.text);
    if (strcmp(part->tried.text, played) == 0)
        snprintf(part->exercise.said, sizeof part->exercise.said, _("%s is what was played."),
                 played);
    else if (part->reviewed->line_plies > 0 &&
             strcmp(part->tried.text, part->reviewed->line[0]) == 0)
        accept_move(part, true);
    else
        judge_move(part, &after);
}

static void show_better(struct retry_part *part)
{
    const struct game *game = part->match->game;
    struct position after = part->position;
    char line[TASK_MAX];
    struct cause cause;
    struct move move;

    write_line_of(part, line);
    if (part->reviewed->line_plies == 0 ||
        !move_parse(game, &part->position, part->reviewed->line[0], &move, &cause))
        return;
    game->apply(&after, move);
    exercise_show(&part->exercise, &after, part->reviewed->line[0]);
    snprintf(part->exercise.said, sizeof part->exercise.said, _("Better: %s"), line);
    part->solved = true;
}

static bool take_retry_press(struct stage *stage, void *context, struct press press)
{
    struct retry_part *part = context;
    struct move move;

    if (is_judging(part))
        return false;
    if (press.action == ACTION_CHOOSE && part->solved)
        return true;
    if (press.action == ACTION_UNDO || (press.action == ACTION_CHOOSE && part->exercise.done))
        show_task(part);
    else if (press.action == ACTION_HINT && !part->solved)
        show_better(part);
    else if (press.action == ACTION_ANALYSE)
        analysis_part_position(stage, part->match->game, &part->exercise.scene.position);
    else if (press.action == ACTION_PLAY_ON_TYPING)
        play_on_run(stage, part->match->game, &part->exercise.scene.position);
    else if (exercise_take(&part->exercise, press, &move))
        try_again_move(part, move);
    return false;
}

static const char *retry_word(const struct stage *stage, const void *context, enum action action)
{
    const struct retry_part *part = context;

    switch (action) {
    case ACTION_CHOOSE:
        return part->solved ? _("go on") : part->exercise.done ? _("try again") : _("choose");
    case ACTION_NEXT:
        return select_has_choice(&part->exercise.scene) ? _("piece") : NULL;
    case ACTION_HINT:
        return part->solved ? NULL : _("show me");
    case ACTION_UNDO:
        return part->solved ? _("again") : NULL;
    case ACTION_EARLIER:
    case ACTION_LATER:
    case ACTION_ANALYSE:
        return part->exercise.done ? key_rows[action].word : NULL;
    case ACTION_PLAY_ON_TYPING:
        return part->exercise.done ? play_on_word(stage) : NULL;
    case ACTION_OVERLAY:
    case ACTION_FLIP:
        return NULL;
    default:
        return key_rows[action].word;
    }
}

static void paint_retry(struct stage *stage, void *context)
{
    struct retry_part *part = context;
    const char *mark = review_mark(part->reviewed);
    char title[TASK_MAX], task[TASK_MAX];

    (void)stage;
    snprintf(title, sizeof title, exercise_is_wide() ? _("%s: find a better move") : _("Retry"),
             _(part->match->game->title));
    snprintf(task, sizeof task,
             part->exercise.side == WHITE ? _("White played %s%s: find a better move.")
                                          : _("Black played %s%s: find a better move."),
             part->match->moves[part->ply].text, mark);
    exercise_paint(&part->exercise, title, task, "");
}

void retry_part_run(struct stage *stage, const struct pgn_match *match,
                    const struct reviewed *plies, int ply)
{
    struct retry_part part = {.stage = stage,
                              .match = match,
                              .reviewed = &plies[ply],
                              .ply = ply,
                              .position = record_position(match, ply),
                              .exercise = {.stage = stage, .game = match->game}};

    part.face = (struct part){.place = IN_LEARN,
                              .paint = paint_retry,
                              .take = take_retry_press,
                              .word = retry_word,
                              .context = &part,
                              .game = match->game};
    part.exercise.flip = part.position.side == BLACK;
    part.exercise.face = &part.face;
    show_task(&part);
    stage_run(stage, &part.face);
    stop_judging(&part);
}
