#include "analysis_part.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/games/guide.h"
#include "client/ludus/screen/board/exercise.h"
#include "client/ludus/screen/stage/dialog.h"
#include "client/ludus/talk/client.h"
#include "client/ludus/talk/match_words.h"
#include "client/ludus/talk/move_tree.h"
#include "commands.h"
#include "common/merit.h"
#include "common/move.h"
#include "common/xmalloc.h"
#include "editor_part.h"
#include "play_on.h"
#include "record_view.h"

enum { TITLE_MAX = 96, TEXT_MAX = 240 };

struct analysis_part {
    struct stage *stage;
    struct part face; /* towards the stage */
    struct move_tree *tree;
    struct exercise exercise;
    struct edit edit;
    struct area moves; /* where the notation is; height 0: nowhere */
    int first_row;     /* of the notation, that is in view */
    /* A question to a bot: the review of a match without moves. */
    struct reviewer reviewer;
    struct move_node *asked;
    bool done;
};

/* ---- What is shown ---- */

static void show_node(struct analysis_part *part)
{
    struct exercise *exercise = &part->exercise;
    const struct move_node *at = part->tree->at;

    if (at->outcome.result == RESULT_NONE)
        exercise_go_on(exercise, &at->position, at->move.text);
    else
        exercise_show(exercise, &at->position, at->move.text);
    exercise->side = (enum color)at->position.side;
}

/* Begins with a tree, which is taken. */
static void begin_tree(struct analysis_part *part, struct move_tree *tree)
{
    const struct guide *guide = guide_of(tree->game);
    struct exercise *exercise = &part->exercise;

    move_tree_free(part->tree);
    part->tree = tree;
    *exercise = (struct exercise){.stage = part->stage, .game = tree->game};
    exercise->flip = tree->at->position.side == BLACK;
    exercise->overlay = guide != NULL && guide->overlay_at_first;
    part->face.game = tree->game;
    exercise_begin(exercise, &tree->at->position);
    show_node(part);
}

static void go_to_node(struct analysis_part *part, struct move_node *node)
{
    if (node == NULL || node == part->tree->at)
        return;
    part->tree->at = node;
    show_node(part);
}

static void play_move(struct analysis_part *part, struct move move)
{
    move_tree_play(part->tree, move);
    show_node(part);
}

/* ---- The bot ---- */

static bool is_thinking(const struct analysis_part *part)
{
    return part->reviewer.engine != NULL;
}

static void stop_thinking(struct analysis_part *part)
{
    if (is_thinking(part))
        part->stage->client->waiting.fd = -1;
    reviewer_release(&part->reviewer);
    part->asked = NULL;
}

/* Chooses the best move on the board, so that Enter plays it, unless the player has begun to choose
 * another. */
static void choose_best(struct analysis_part *part)
{
    const struct move_node *at = part->tree->at;
    struct cause cause;
    struct move move;

    if (at->told.line_plies > 0 && part->exercise.selection.from < 0 &&
        part->edit.text[0] == '\0' &&
        move_parse(part->tree->game, &at->position, at->told.line[0], &move, &cause) &&
        move.kind != MOVE_PASS)
        exercise_choose(&part->exercise, move);
}

/* Keeps what was said so far. */
static void keep_told(struct analysis_part *part)
{
    if (!part->reviewer.plies[0].known)
        return;
    part->asked->told = part->reviewer.plies[0];
    part->asked->told.json = NULL; /* it is the reviewer's */
}

static void end_question(struct analysis_part *part)
{
    bool here = part->asked == part->tree->at;

    if (!part->reviewer.done)
        stage_notice(part->stage, "No analysis: %s.", part->reviewer.cause.text);
    stop_thinking(part);
    if (here)
        choose_best(part);
}

/* The bot has said something, or has ended. */
static void on_told(void *context)
{
    struct analysis_part *part = context;
    bool more = reviewer_read(&part->reviewer);

    keep_told(part);
    if (!more) {
        part->stage->client->waiting.fd = -1;
        end_question(part);
    }
}

/* Whether the player has this position before them in a match that counts. */
static bool stands_in_match(const struct analysis_part *part)
{
    const struct client *client = part->stage->client;
    char text[POSITION_TEXT_MAX];

    part->tree->game->format(&part->tree->at->position, text);
    for (int i = 0; i < SITTINGS_MAX; i++)
        if (client->sittings[i].match[0] != '\0' && strcmp(client->sittings[i].counts, text) == 0 &&
            strcmp(client->sittings[i].game, part->tree->game->name) == 0)
            return true;
    return false;
}

/* Asks a bot of this machine, or else of the server. */
static void ask_bot(struct analysis_part *part)
{
    struct client *client = part->stage->client;
    struct move_node *at = part->tree->at;
    const struct pgn_match question = {.game = part->tree->game, .start = at->position};

    if (at->outcome.result != RESULT_NONE) {
        stage_notice(part->stage, "The game is over here.");
        return;
    }
    if (stands_in_match(part)) {
        stage_notice(part->stage, "Your match stands here, and counts: ask when it is over.");
        return;
    }
    if (at->told.deep) {
        choose_best(part);
        return;
    }
    stop_thinking(part);
    part->asked = at;
    if (reviewer_start(&part->reviewer, &question, REVIEW_STANDARD)) {
        client->waiting = (struct waiting){.fd = part->reviewer.engine->out,
                                           .due_ms = INT64_MAX,
                                           .ready = on_told,
                                           .context = part};
        return;
    }
    if (part->reviewer.missing && uplink_is_up(&client->uplink)) {
        stage_notice(part->stage, "There is no ludus-bot here. Asking the server ...");
        part->stage->front.paint(part->stage);
        review_position_by_server(client, part->tree->game, &at->position, &part->reviewer);
        part->stage->notice[0] = '\0';
        keep_told(part);
        at->told.deep = part->reviewer.done;
    }
    end_question(part);
}

/* ---- What is typed ---- */

/* Begins anew with a position, unless the player would rather keep the moves. */
static void begin_position(struct analysis_part *part, const struct pgn_match *match)
{
    if (part->tree->is_changed &&
        !stage_confirm(part->stage, _("Begin anew there? The moves here are lost.")))
        return;
    stop_thinking(part);
    begin_tree(part, move_tree_begin(match, 0));
}

/* Lets the player change the position by hand. */
static void set_up_position(struct analysis_part *part)
{
    struct pgn_match match = {.game = part->tree->game, .start = part->tree->at->position};

    stop_thinking(part);
    if (editor_part_run(part->stage, match.game, &match.start))
        begin_position(part, &match);
}

/* Begins anew with a typed position, of this game or else of any. */
static void take_position(struct analysis_part *part, const char *text)
{
    const struct game *game = part->tree->game;
    struct pgn_match match = {.game = game};
    char variant[VARIANT_NAME_MAX], sentence[SENTENCE_MAX];
    struct cause cause, other;

    game->variant_name(&part->tree->root->position, variant);
    if (!game->parse(variant, text, &match.start, &cause) &&
        !game->parse(NULL, text, &match.start, &cause) &&
        (match.game = game_of_position(text, &match.start, &other)) == NULL) {
        stage_notice(part->stage, "%s", sentence_of(cause.text, sentence));
        return;
    }
    begin_position(part, &match);
}

static void run_line(struct analysis_part *part, const char *line)
{
    char sentence[SENTENCE_MAX];
    struct cause cause;
    struct move move;

    if (strchr(line, '/') != NULL)
        take_position(part, line);
    else if (part->tree->at->outcome.result != RESULT_NONE)
        stage_notice(part->stage, "The game is over here.");
    else if (!exercise_read(&part->exercise, line, &move, &cause))
        stage_notice(part->stage, "%s", sentence_of(cause.text, sentence));
    else
        play_move(part, move);
}

/* ---- Keys ---- */

/* Goes through the words of the notation as they stand in rows. */
struct flow {
    int width;
    int row, x; /* where the word is that was placed last */
    int end;    /* the column behind it */
};

/* A number stays with its move. */
static void place_word(struct flow *flow, const struct notation *notation, int i)
{
    const struct notation_word *word = &notation->words[i];
    int width = (int)strlen(word->text), x = flow->end + (flow->end > 0);
    int needed = word->node == NULL && i + 1 < notation->count
                     ? width + 1 + (int)strlen(word[1].text)
                     : width;

    if (flow->end > 0 && x + needed > flow->width) {
        flow->row++;
        x = 0;
    }
    flow->x = x;
    flow->end = x + width;
}

/* Takes a click on a move of the notation; false elsewhere. */
static bool click_notation(struct analysis_part *part)
{
    const struct keyboard *keyboard = &part->stage->keyboard;
    int row = keyboard->mouse_y - part->moves.y, x = keyboard->mouse_x - part->moves.x;
    struct flow flow = {.width = part->moves.width};
    struct notation notation = {.count = 0};
    struct move_node *clicked = NULL;

    if (row < 0 || row >= part->moves.height || x < 0 || x >= part->moves.width)
        return false;
    move_tree_notate(part->tree, &notation);
    for (int i = 0; i < notation.count && clicked == NULL; i++) {
        place_word(&flow, &notation, i);
        if (flow.row == row + part->first_row && x >= flow.x && x < flow.end)
            clicked = notation.words[i].node;
    }
    notation_release(&notation);
    go_to_node(part, clicked);
    return true;
}

static void remove_moves(struct analysis_part *part)
{
    stop_thinking(part);
    if (move_tree_remove(part->tree))
        show_node(part);
    else
        stage_notice(part->stage, "There is no move to delete.");
}

static void save_analysis(struct analysis_part *part)
{
    const char *match = part->tree->match;
    char *text = move_tree_pgn(part->tree);

    save_pgn(part->stage, match[0] != '\0' ? match : NULL, "-analysis", text);
    free(text);
}

/* Takes the actions that go through the moves or change them; false for others. */
static bool take_moves(struct analysis_part *part, enum action action)
{
    struct move_tree *tree = part->tree;

    switch (action) {
    case ACTION_EARLIER:
    case ACTION_WHEEL_UP:
        go_to_node(part, tree->at->parent);
        return true;
    case ACTION_LATER:
    case ACTION_WHEEL_DOWN:
        go_to_node(part, tree->at->first);
        return true;
    case ACTION_FIRST:
        go_to_node(part, tree->root);
        return true;
    case ACTION_LAST:
        go_to_node(part, move_tree_end(tree->at));
        return true;
    case ACTION_PAGE_UP:
    case ACTION_PAGE_DOWN:
        if (move_tree_switch(tree, action == ACTION_PAGE_DOWN ? 1 : -1))
            show_node(part);
        else
            stage_notice(part->stage, "No other move was tried here.");
        return true;
    case ACTION_UNDO:
        remove_moves(part);
        return true;
    case ACTION_PROMOTE:
        if (!move_tree_promote(tree))
            stage_notice(part->stage, "This is the main line.");
        return true;
    default:
        return false;
    }
}

/* Takes Enter: a typed line, a pass where there is nothing else, or the square of the cursor. */
static bool take_enter(struct analysis_part *part)
{
    struct move move = {.kind = MOVE_PASS};
    char line[EDIT_BYTES_MAX];

    if (part->edit.text[0] == '\0') {
        bool passes = select_must_pass(&part->exercise.scene, &move);
        if (passes)
            play_move(part, move);
        return passes;
    }
    run_line(part, edit_take_line(&part->edit, line));
    return true;
}

/* Drops one thing after the other; the analysis itself stays with the stage. */
static void go_back(struct analysis_part *part)
{
    if (is_thinking(part))
        stop_thinking(part);
    else if (part->edit.text[0] != '\0')
        part->edit.text[0] = '\0';
    else if (part->exercise.selection.from >= 0)
        exercise_drop(&part->exercise);
    else
        part->done = true;
}

static void take_press(struct analysis_part *part, struct press press)
{
    struct move move;

    if (take_moves(part, press.action))
        return;
    switch (press.action) {
    case ACTION_BACK:
        go_back(part);
        return;
    case ACTION_HINT:
        ask_bot(part);
        return;
    case ACTION_SAVE:
        save_analysis(part);
        return;
    case ACTION_SET_UP:
        set_up_position(part);
        return;
    case ACTION_PLAY_ON_TYPING:
        play_on_run(part->stage, part->tree->game, &part->tree->at->position);
        return;
    case ACTION_FLIP:
        part->exercise.flip = !part->exercise.flip;
        return;
    case ACTION_OVERLAY:
        part->exercise.overlay = !part->exercise.overlay;
        return;
    case ACTION_NONE:
        edit_take(&part->edit, press.key);
        return;
    default:
        break;
    }
    if ((press.action == ACTION_CHOOSE && take_enter(part)) ||
        (press.action == ACTION_CLICK && click_notation(part)))
        return;
    if (exercise_take(&part->exercise, press, &move))
        play_move(part, move);
    else if (part->exercise.said[0] != '\0')
        stage_notice(part->stage, "%s", part->exercise.said);
    part->exercise.said[0] = '\0';
}

static bool is_in_variation(const struct move_node *node)
{
    while (node->parent != NULL && node->parent->first == node)
        node = node->parent;
    return node->parent != NULL;
}

static const char *analysis_word(const struct stage *stage, const void *context, enum action action)
{
    const struct analysis_part *part = context;
    const struct move_node *at = part->tree->at;
    const struct guide *guide = guide_of(part->tree->game);

    switch (action) {
    case ACTION_BACK:
        return is_thinking(part) ? _("stop") : _("back");
    case ACTION_CHOOSE:
        return NULL;
    case ACTION_NEXT:
        return select_has_choice(&part->exercise.scene) ? _("piece") : NULL;
    case ACTION_HINT:
        return at->outcome.result == RESULT_NONE ? _("ask") : NULL;
    case ACTION_UNDO:
        return at->parent != NULL ? _("delete") : NULL;
    case ACTION_PROMOTE:
        return is_in_variation(at) ? key_rows[action].word : NULL;
    case ACTION_EARLIER:
        return at->parent != NULL ? key_rows[action].word : NULL;
    case ACTION_LATER:
        return at->first != NULL ? key_rows[action].word : NULL;
    case ACTION_PAGE_DOWN:
        return at->parent != NULL && at->parent->first->next != NULL ? _("variation") : NULL;
    case ACTION_PLAY_ON_TYPING:
        return play_on_word(stage);
    case ACTION_OVERLAY:
        return guide != NULL ? guide->overlay : NULL;
    default:
        return key_rows[action].word;
    }
}

/* ---- The screen ---- */

static void write_win(enum color winner, int plies, bool proven, char text[TEXT_MAX])
{
    unsigned long count = (unsigned long)plies;

    snprintf(
        text, TEXT_MAX,
        winner == WHITE ? proven ? text_counted("White wins in at most %d ply (proven)",
                                                "White wins in at most %d plies (proven)", count)
                                 : text_counted("White wins in at most %d ply",
                                                "White wins in at most %d plies", count)
        : proven
            ? text_counted("Black wins in at most %d ply (proven)",
                           "Black wins in at most %d plies (proven)", count)
            : text_counted("Black wins in at most %d ply", "Black wins in at most %d plies", count),
        plies);
}

/* Writes who stands better, by what the bot has said so far: "" for nothing yet. */
static void write_verdict(const struct analysis_part *part, char text[TEXT_MAX])
{
    const struct move_node *at = part->tree->at;
    const struct reviewed *told = &at->told;
    bool thinks = is_thinking(part) && part->asked == at;
    int plies = EVAL_WIN - abs(told->eval);

    text[0] = '\0';
    if (at->outcome.result != RESULT_NONE) {
        const char *reason = reason_words(reason_text(at->outcome.reason));
        snprintf(text, TEXT_MAX, _("The game is over: %s %s"), result_text(at->outcome.result),
                 reason);
    } else if (!told->known) {
        snprintf(text, TEXT_MAX, "%s", thinks ? _("Thinking ...") : "");
    } else if (abs(told->eval) >= EVAL_CERTAIN) {
        write_win(told->eval > 0 ? WHITE : BLACK, plies, told->exact, text);
    } else {
        snprintf(text, TEXT_MAX, _("White's chances: %d%%%s"), told->chance, thinks ? " ..." : "");
    }
}

/* Writes the best move, and why it is; "" if none is known. */
static void write_best(const struct analysis_part *part, char text[TEXT_MAX])
{
    const struct move_node *at = part->tree->at;
    const struct reviewed *told = &at->told;
    char why[MERIT_MAX];

    text[0] = '\0';
    if (told->line_plies == 0 || at->outcome.result != RESULT_NONE)
        return;
    merit_tell(part->tree->game, &at->position,
               &(struct best_line){.moves = told->line,
                                   .plies = told->line_plies,
                                   .eval = told->eval,
                                   .exact = told->exact},
               why);
    size_t used = (size_t)snprintf(text, TEXT_MAX, "%s", _("Best:"));
    for (int i = 0; i < told->line_plies && used < TEXT_MAX; i++)
        used += (size_t)snprintf(text + used, TEXT_MAX - used, " %s", told->line[i]);
    if (why[0] != '\0' && used < TEXT_MAX)
        snprintf(text + used, TEXT_MAX - used, _(", which %s"), why);
}

/* Paints the moves and variations, scrolled to the one that is shown. */
static void paint_notation(struct analysis_part *part, struct area area)
{
    attr_t ink = theme_text(&part->stage->theme), faint = theme_faint(&part->stage->theme);
    struct flow flow = {.width = area.width}, again = flow;
    struct notation notation = {.count = 0};
    int shown = 0;

    part->moves = area;
    move_tree_notate(part->tree, &notation);
    for (int i = 0; i < notation.count; i++) {
        place_word(&flow, &notation, i);
        if (notation.words[i].node == part->tree->at)
            shown = flow.row;
    }
    int last = flow.row + 1 - area.height;
    part->first_row = shown - area.height / 2;
    if (part->first_row > last)
        part->first_row = last;
    if (part->first_row < 0)
        part->first_row = 0;
    for (int i = 0; i < notation.count; i++) {
        const struct notation_word *word = &notation.words[i];
        place_word(&again, &notation, i);
        int row = again.row - part->first_row;
        if (row < 0 || row >= area.height)
            continue;
        int move = word->node != NULL ? (int)strcspn(word->text, ")") : 0;
        bool here = word->node == part->tree->at;
        paint_format(area.y + row, area.x + again.x, area.width - again.x,
                     here ? ink | A_REVERSE : ink, "%.*s", move, word->text);
        paint_text(area.y + row, area.x + again.x + move, area.width - again.x - move,
                   word->node != NULL ? ink : faint, word->text + move);
    }
    notation_release(&notation);
}

/* Paints a text, if there is one, at the top of the area. */
static void paint_top(const struct analysis_part *part, struct area *area, bool bold,
                      const char *text)
{
    attr_t ink = theme_text(&part->stage->theme);

    if (text[0] != '\0' && area->height > 0)
        area_drop_rows(area, paint_rows(area->y, area->x, area->width, area->height,
                                        bold ? ink | A_BOLD : ink, text));
}

/* Beside the board: facts, the verdict, the moves. Below it what is typed. */
static void paint_wide(struct analysis_part *part, struct area area)
{
    const struct theme *theme = &part->stage->theme;
    char facts[FACTS_MAX], text[TEXT_MAX];
    int top = area.y;

    guide_facts(guide_of(part->tree->game), &part->exercise.scene, part->exercise.overlay, facts);
    for (const char *line = facts; *line != '\0';) {
        snprintf(text, sizeof text, "%.*s", (int)strcspn(line, "\n"), line);
        paint_top(part, &area, false, text);
        line += strcspn(line, "\n");
        line += *line == '\n';
    }
    write_verdict(part, text);
    area_drop_rows(&area, area.y > top && text[0] != '\0');
    paint_top(part, &area, true, text);
    write_best(part, text);
    paint_top(part, &area, false, text);
    area_drop_rows(&area, area.y > top);
    paint_notation(part, area);
    paint_text(LINES - 2, 1, 2, theme_text(theme), ">");
    edit_paint(&part->edit, theme, LINES - 2, 3, COLS - 4);
    if (part->edit.text[0] == '\0')
        paint_text(LINES - 2, 5, COLS - 6, theme_faint(theme),
                   _("Arrows and Enter, or type a move or paste a position"));
}

/* Above the board: what is typed, or else the verdict; and the moves. */
static void paint_narrow(struct analysis_part *part, struct area area)
{
    char verdict[TEXT_MAX], best[TEXT_MAX], text[2 * TEXT_MAX + 8];

    if (part->edit.text[0] != '\0') {
        paint_text(area.y, area.x, 2, theme_text(&part->stage->theme), ">");
        edit_paint(&part->edit, &part->stage->theme, area.y, area.x + 2, area.width - 2);
        area_drop_rows(&area, 1);
    } else {
        write_verdict(part, verdict);
        write_best(part, best);
        snprintf(text, sizeof text, "%s%s%s", verdict, best[0] != '\0' ? ". " : "", best);
        struct area top = area;
        if (top.height > 1)
            top.height--; /* for the moves */
        paint_top(part, &top, false, text);
        area_drop_rows(&area, top.y - area.y);
    }
    paint_notation(part, area);
}

static void paint_analysis(struct stage *stage, void *context)
{
    struct analysis_part *part = context;
    const struct game *game = part->tree->game;
    char title[TITLE_MAX], label[GAME_LABEL_MAX], variant[VARIANT_NAME_MAX];

    game->variant_name(&part->tree->root->position, variant);
    game_label(game->name, variant, label);
    snprintf(title, sizeof title, exercise_is_wide() ? _("Analysis of %s") : "%s", label);
    struct area area = exercise_paint_board(&part->exercise, title);
    part->moves.height = 0;
    if (exercise_is_wide())
        paint_wide(part, area);
    else
        paint_narrow(part, area);
    stage_paint_line(stage);
}

/* ---- The way in ---- */

/* Analyses a tree, which is taken. */
static void run_tree(struct stage *stage, struct move_tree *tree)
{
    struct analysis_part part = {.stage = stage};

    part.face = (struct part){
        .place = IN_ANALYSIS, .paint = paint_analysis, .word = analysis_word, .context = &part};
    begin_tree(&part, tree);
    stage_push(stage, &part.face);
    while (!part.done && !stage_is_over(stage)) {
        part.face.typing = part.edit.text[0] != '\0';
        struct press press = stage_key(stage);
        if (press.key != NO_KEY)
            take_press(&part, press);
    }
    stage_pop(stage);
    stop_thinking(&part);
    if (part.tree->is_changed) {
        move_tree_free(stage->analysis);
        stage->analysis = part.tree;
    } else {
        move_tree_free(part.tree);
    }
}

void analysis_part_run(struct stage *stage, const struct pgn_match *match, int ply)
{
    run_tree(stage, move_tree_begin(match, ply));
}

void analysis_part_position(struct stage *stage, const struct game *game,
                            const struct position *position)
{
    analysis_part_run(stage, &(struct pgn_match){.game = game, .start = *position}, 0);
}

/* Goes on with what the stage has kept. */
static void run_kept(struct stage *stage)
{
    struct move_tree *tree = stage->analysis;

    stage->analysis = NULL;
    run_tree(stage, tree);
}

void analysis_part_choose(struct stage *stage)
{
    struct pick pick = {.title = _("Analysis board"),
                        .detail = _("Moves for both sides, variations, and what a bot thinks")};
    char label[GAME_LABEL_MAX], variant[VARIANT_NAME_MAX];
    struct position starts[PICK_MAX];
    const struct game *of[PICK_MAX];
    struct cause cause;
    int at;

    do {
        pick.count = 0;
        if (stage->analysis != NULL) {
            const struct move_tree *tree = stage->analysis;
            tree->game->variant_name(&tree->root->position, variant);
            pick_add(&pick, "Go on with the last one: %s",
                     game_label(tree->game->name, variant, label));
        }
        int kept = pick.count;
        for (int i = 0; games[i] != NULL; i++)
            for (int j = 0; games[i]->variants[j] != NULL && pick.count < PICK_MAX; j++) {
                of[pick.count] = games[i];
                if (games[i]->start(games[i]->variants[j], &starts[pick.count], &cause))
                    pick_add(&pick, "%s", game_label(games[i]->name, games[i]->variants[j], label));
            }
        pick.at = 0;
        at = pick_run(stage, &pick);
        if (at >= kept)
            analysis_part_position(stage, of[at], &starts[at]);
        else if (at >= 0)
            run_kept(stage);
    } while (at >= 0);
}
