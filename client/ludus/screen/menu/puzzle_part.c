#include "puzzle_part.h"

#include <stdio.h>
#include <string.h>

#include "client/link/json_read.h"
#include "client/ludus/learn/attempt.h"
#include "client/ludus/screen/board/exercise.h"
#include "client/ludus/screen/match/analysis_part.h"
#include "client/ludus/screen/match/pace.h"
#include "client/ludus/screen/match/play_on.h"
#include "client/ludus/screen/stage/dialog.h"
#include "common/move.h"
#include "storm_part.h"

struct puzzle_part {
    struct stage *stage;
    struct part face; /* towards the stage */
    struct attempt attempt;
    bool refuted; /* what is shown is a wrong move and the reply to it */
    struct exercise exercise;
    /* What is played back: a wrong move and the reply to it, or the line that wins. */
    struct move moves[PUZZLE_PLIES_MAX];
    int count, shown;
    struct pace pace;
    bool is_rated;    /* the server rates the first attempt at the puzzle */
    char rating[160]; /* what it tells of the ratings; "": nothing */
};

/* Asks the server about a puzzle. The caller owns the answer; NULL: players without a name are not
 * rated, or the server has another one under its number. */
static cJSON *ask_puzzle(struct client *client, const struct attempt *attempt)
{
    const struct game *game = attempt->puzzle.game;
    char position[POSITION_TEXT_MAX];

    if (client->uplink.hello.name[0] == '\0')
        return NULL;
    cJSON *reply = client_request(client, "puzzle %s %d", game->name, attempt->number);
    game->format(&attempt->puzzle.position, position);
    if (json_member(reply, "solver") != NULL &&
        strcmp(position, json_text_or(reply, "position", "")) == 0)
        return reply;
    cJSON_Delete(reply);
    return NULL;
}

/* Finds out how the puzzle and the player are rated. */
static void find_rating(struct puzzle_part *part)
{
    cJSON *reply = ask_puzzle(part->stage->client, &part->attempt);
    bool tried = json_true(reply, "tried");
    int own = json_int_or(json_member(reply, "solver"), "rating", 0);

    part->is_rated = reply != NULL && !tried;
    part->rating[0] = '\0';
    if (tried)
        snprintf(part->rating, sizeof part->rating,
                 _("You have tried it before: it is not rated. Your rating: %d."), own);
    else if (reply != NULL)
        snprintf(part->rating, sizeof part->rating,
                 _("The puzzle is rated %d, you %d. Your first move here changes your rating: up "
                   "if it is right, down if not."),
                 json_int_or(reply, "rating", 0), own);
    cJSON_Delete(reply);
}

/* Tells the server of the first attempt, a move or `answer`, and adds what it comes to to what is
 * said. */
static void rate_attempt(struct puzzle_part *part, const char *word)
{
    const struct attempt *attempt = &part->attempt;
    size_t used = strlen(part->exercise.said);

    if (!part->is_rated)
        return;
    part->is_rated = false;
    cJSON *reply = client_request(part->stage->client, "puzzle %s %d %s",
                                  attempt->puzzle.game->name, attempt->number, word);
    const cJSON *solver = json_member(reply, "solver");
    if (json_true(reply, "rated"))
        snprintf(part->rating, sizeof part->rating, _("Your rating: %d (%+d)."),
                 json_int_or(solver, "rating", 0), json_int_or(solver, "change", 0));
    else
        snprintf(part->rating, sizeof part->rating, "%s",
                 _("Not rated: the server did not take it."));
    cJSON_Delete(reply);
    snprintf(part->exercise.said + used, sizeof part->exercise.said - used, " %s", part->rating);
}

static void show_puzzle(struct puzzle_part *part)
{
    part->refuted = false;
    part->count = part->shown = 0;
    part->exercise.game = part->face.game = part->attempt.puzzle.game;
    part->exercise.flip = part->attempt.puzzle.position.side == BLACK;
    exercise_begin(&part->exercise, &part->attempt.puzzle.position);
}

/* Shows a puzzle that is new to the player. */
static void begin_puzzle(struct puzzle_part *part)
{
    find_rating(part);
    show_puzzle(part);
}

/* Shows what the next of the moves leads to. */
static void play_next(struct puzzle_part *part)
{
    const struct game *game = part->attempt.puzzle.game;
    struct position position =
        part->shown == 0 ? part->attempt.puzzle.position : part->exercise.scene.position;
    char text[MOVE_TEXT_MAX];

    move_format(&position, part->moves[part->shown], text);
    game->apply(&position, part->moves[part->shown++]);
    exercise_show(&part->exercise, &position, text);
}

/* Begins to play moves back. */
static void play_back(struct puzzle_part *part, int count)
{
    part->count = count;
    part->shown = 0;
    part->pace = (struct pace){.runs = true};
    play_next(part);
}

static void try_move(struct puzzle_part *part, struct move move)
{
    struct attempt_answer answer;
    char text[MOVE_TEXT_MAX];

    attempt_try(&part->attempt, move, &answer);
    snprintf(part->exercise.said, sizeof part->exercise.said, "%s", answer.text);
    move_format(&part->attempt.puzzle.position, move, text);
    rate_attempt(part, text);
    part->refuted = !answer.right;
    part->moves[0] = move;
    part->moves[1] = answer.reply;
    if (answer.right)
        play_back(part, puzzle_line(&part->attempt.puzzle, part->moves));
    else
        play_back(part, answer.refuted ? 2 : 1);
}

static void show_answer(struct puzzle_part *part)
{
    char text[ATTEMPT_TEXT_MAX];

    attempt_show(&part->attempt, text);
    snprintf(part->exercise.said, sizeof part->exercise.said, "%s", text);
    rate_attempt(part, "answer");
    part->refuted = false;
    play_back(part, puzzle_line(&part->attempt.puzzle, part->moves));
}

/* Goes to the next puzzle or the one before; from the one of the day to those of its game. */
static void go_to_puzzle(struct puzzle_part *part, int step)
{
    const struct game *game = part->attempt.puzzle.game;
    int count = puzzle_count(game), number = 0;

    if (part->attempt.day == 0)
        number = (part->attempt.number - 1 + step + count) % count + 1;
    if (attempt_begin(&part->attempt, game, number))
        begin_puzzle(part);
}

static bool take_puzzle_press(struct stage *stage, void *context, struct press press)
{
    struct puzzle_part *part = context;
    struct move move;

    bool goes_on = press.action == ACTION_CHOOSE && part->exercise.done;
    if ((goes_on && part->refuted) || press.action == ACTION_UNDO)
        show_puzzle(part);
    else if (goes_on || press.action == ACTION_LATER)
        go_to_puzzle(part, 1);
    else if (press.action == ACTION_EARLIER)
        go_to_puzzle(part, -1);
    else if (press.action == ACTION_HINT && !part->attempt.solved)
        show_answer(part);
    else if (press.action == ACTION_ANALYSE)
        analysis_part_position(stage, part->face.game, &part->exercise.scene.position);
    else if (press.action == ACTION_PLAY_ON_TYPING)
        play_on_run(stage, part->face.game, &part->exercise.scene.position);
    else if (exercise_take(&part->exercise, press, &move))
        try_move(part, move);
    if (pace_is_due(&part->pace, stage, part->shown < part->count))
        play_next(part);
    return false;
}

static const char *puzzle_word(const struct stage *stage, const void *context, enum action action)
{
    const struct puzzle_part *part = context;

    switch (action) {
    case ACTION_CHOOSE:
        return !part->exercise.done ? _("choose") : part->refuted ? _("try again") : _("next");
    case ACTION_NEXT:
        return select_has_choice(&part->exercise.scene) ? _("piece") : NULL;
    case ACTION_HINT:
        return part->attempt.solved ? NULL : _("show me");
    case ACTION_UNDO:
        return part->exercise.done && !part->refuted ? _("again") : NULL;
    case ACTION_EARLIER:
        return part->attempt.day == 0 ? _("previous") : NULL;
    case ACTION_LATER:
        return part->exercise.done && !part->refuted ? NULL : _("next");
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

static void paint_puzzle(struct stage *stage, void *context)
{
    struct puzzle_part *part = context;
    char title[ATTEMPT_TEXT_MAX], task[PUZZLE_TASK_MAX], share[ATTEMPT_TEXT_MAX] = "";

    (void)stage;
    if (exercise_is_wide())
        attempt_title(&part->attempt, title);
    else if (part->attempt.day > 0)
        snprintf(title, sizeof title, "%s", _("Today"));
    else
        snprintf(title, sizeof title, _("%d of %d"), part->attempt.number,
                 puzzle_count(part->attempt.puzzle.game));
    puzzle_task(&part->attempt.puzzle, task);
    if (part->attempt.solved)
        attempt_share(&part->attempt, share);
    else if (part->exercise.said[0] == '\0')
        snprintf(share, sizeof share, "%s", part->rating);
    exercise_paint(&part->exercise, title, task, share);
}

/* Shows a puzzle that was begun, and those that the player goes on to. */
static void run_puzzles(struct puzzle_part *part)
{
    part->face = (struct part){.place = IN_LEARN,
                               .paint = paint_puzzle,
                               .take = take_puzzle_press,
                               .word = puzzle_word,
                               .context = part};
    part->exercise.face = &part->face;
    begin_puzzle(part);
    stage_run(part->stage, &part->face);
    part->stage->wake_ms = 0;
}

/* Adds the rows of the list: the puzzle of today (of no game), that of each game which comes next,
 * and a storm of each. Returns how many come before the storms. */
static int add_rows(struct pick *pick, const struct game *rows[PICK_MAX])
{
    char title[ATTEMPT_TEXT_MAX], aside[48] = "";
    struct attempt attempt;
    int streak;

    pick->count = 0;
    if (attempt_begin_daily(&attempt, NULL)) {
        attempt_title(&attempt, title);
        if (attempt_is_done_today(&streak))
            snprintf(aside, sizeof aside, _(" (solved, days in a row: %d)"), streak);
        rows[pick->count] = NULL;
        pick_add(pick, "Today: %.60s%s", title, aside);
    }
    for (int i = 0; games[i] != NULL && pick->count < PICK_MAX; i++)
        if (attempt_begin(&attempt, games[i], 0)) {
            attempt_title(&attempt, title);
            rows[pick->count] = games[i];
            pick_add(pick, "%s", title);
        }
    int before = pick->count;
    for (int i = 0; games[i] != NULL && pick->count < PICK_MAX; i++)
        if (puzzle_storm_number(games[i], 0, 0) > 0) {
            int best = attempt_best_storm(games[i]);
            aside[0] = '\0';
            if (best > 0)
                snprintf(aside, sizeof aside, _(" (your best: %d)"), best);
            rows[pick->count] = games[i];
            pick_add(pick, "Storm of %s, three minutes%s", _(games[i]->title), aside);
        }
    return before;
}

void puzzle_part_choose(struct stage *stage)
{
    struct pick pick = {.title = _("Puzzles"), .detail = _("One move wins: find it")};
    struct puzzle_part part;
    const struct game *rows[PICK_MAX];
    int at, storms;

    for (storms = add_rows(&pick, rows); (at = pick_run(stage, &pick)) >= 0;
         storms = add_rows(&pick, rows)) {
        if (at >= storms) {
            storm_part_run(stage, rows[at]);
            continue;
        }
        part = (struct puzzle_part){.stage = stage, .exercise = {.stage = stage}};
        bool begun = rows[at] == NULL ? attempt_begin_daily(&part.attempt, NULL)
                                      : attempt_begin(&part.attempt, rows[at], 0);
        if (begun)
            run_puzzles(&part);
    }
}
