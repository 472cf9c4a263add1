/*
 * The search: it finds forced wins (tests/tactics/), agrees with a plain minimax, keeps to its
 * limits, and beats what is weaker. Exhaustive search verifies the forced wins. Limits count nodes
 * and depth; the two tests of the clock allow far more than the search takes.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "client/bot/search/engine.h"
#include "client/bot/search/tree.h"
#include "client/games/guide.h"
#include "common/move.h"
#include "common/rng.h"

static uint64_t rng = 2027;
static atomic_bool stop;

static const char *const all_games[] = {"clobber:4x4",     "clobber:10x10", "xadrersi:touch",
                                        "xadrersi:attack", "latrunculi",    "shakti"};

static struct move told; /* the move of the latest report to keep() */

static void keep(void *context, const struct info *info)
{
    *(struct info *)context = *info;
    told = info->pv[0];
}

static void begin_question(struct search_question *question, const struct game *game,
                           struct info *info)
{
    *question = (struct search_question){.game = game,
                                         .limits = NO_LIMITS,
                                         .rng = &rng,
                                         .stop = &stop,
                                         .report = keep,
                                         .context = info};
}

static void play_move(struct search_question *question, struct move move)
{
    question->game->apply(&question->position, move);
    history_add(&question->history, question->game->key(&question->position));
}

/* Sets up the position after some random plies; the game is not over. */
static void begin_random(struct search_question *question, const char *name, int plies,
                         struct info *info)
{
    struct cause cause;
    struct position start;
    const struct game *game = game_open(name, &start, NULL, &cause);

    begin_question(question, game, info);
    for (int ply = -1; ply < plies; ply++) {
        struct move moves[MOVES_MAX];
        int count = ply < 0 ? 0 : game->legal(&question->position, moves);
        if (count > 0) {
            play_move(question, moves[rng_below(&rng, count)]);
            continue;
        }
        question->position = start;
        question->history.count = 0;
        history_add(&question->history, game->key(&start));
    }
    if (game->legal(&question->position, NULL) == 0) {
        history_release(&question->history);
        begin_random(question, name, plies - 1, info);
    }
}

static bool is_legal(const struct search_question *question, struct move move)
{
    struct move moves[MOVES_MAX];
    int count = question->game->legal(&question->position, moves);

    for (int i = 0; i < count; i++)
        if (move_equal(moves[i], move))
            return true;
    return false;
}

/* A plain minimax that adds the keys of its line to the history. */
static int minimax(const struct search_question *question, struct history *line,
                   const struct position *position, int depth, int ply)
{
    const struct game *game = question->game;
    struct move moves[MOVES_MAX];
    int count = game->legal(position, moves), best = -SCORE_WIN - 1;

    if (ply > 0 && game->repetition_draws && history_count(line, game->key(position)) > 0)
        return 0;
    if (count == 0) {
        enum result result = game->outcome(position).result;
        int won = result == RESULT_DRAW ? 0 : SCORE_WIN - ply;
        return result == result_win(position->side) ? won : -won;
    }
    if (depth == 0)
        return guide_of(game)->value(position);
    if (ply > 0)
        history_add(line, game->key(position));
    for (int i = 0; i < count; i++) {
        struct position next = *position;
        game->apply(&next, moves[i]);
        int value = -minimax(question, line, &next, depth - 1, ply + 1);
        best = value > best ? value : best;
    }
    line->count -= ply > 0;
    return best;
}

static void check_value(const char *game, int plies, int depth)
{
    struct tt tt = {.megabytes = 1};
    const struct skill skill = {.plain = true};
    struct history line = {0};
    struct search_question question;
    struct info info;
    char text[POSITION_TEXT_MAX];

    begin_random(&question, game, plies, &info);
    question.game->format(&question.position, text);
    check_about("%s %s, %d plies", game, text, depth);
    history_copy(&line, &question.history);
    int wanted = minimax(&question, &line, &question.position, depth, 0);
    question.limits.depth_plies = depth;
    for (int i = 0; i < 3; i++) {
        tt_resize(&tt, i);
        question.tt = &tt;
        CHECK(is_legal(&question, search_think(&question, &skill)));
        CHECK_THAT(info.score == wanted, "%d, not %d, with %d MB", info.score, wanted, i);
    }
    tt_clear(&tt);
    history_release(&line);
    history_release(&question.history);
}

/* With and without a table, the value is that of minimax. */
static void test_values(void)
{
    static const struct {
        const char *game;
        int plies_max, depth, positions;
    } rows[] = {
        {"clobber:4x4", 8, 5, 40},     {"clobber:5x6", 12, 3, 20},     {"clobber:10x10", 70, 2, 10},
        {"xadrersi:touch", 15, 2, 15}, {"xadrersi:attack", 15, 2, 15}, {"latrunculi", 60, 3, 12},
        {"latrunculi", 100, 2, 30},    {"shakti", 40, 3, 30},          {"shakti", 80, 4, 10},
    };

    for (size_t i = 0; i < LENGTH(rows); i++)
        for (int j = 0; j < rows[i].positions; j++)
            check_value(rows[i].game, rng_below(&rng, rows[i].plies_max), rows[i].depth);
}

/* The search plays the last plies of Xadrersi perfectly, with all its shortcuts on. */
static void test_endings(void)
{
    for (int i = 0; i < 24; i++) {
        const char *game = i % 2 == 0 ? "xadrersi:touch" : "xadrersi:attack";
        struct history line = {0};
        struct search_question question;
        struct info info;
        int plies = 14 - i % 4 / 3;
        check_about("%s with %d plies to go", game, 16 - plies);
        begin_random(&question, game, plies, &info);
        int wanted = minimax(&question, &line, &question.position, 16 - plies, 0);
        CHECK(is_legal(&question, search_think(&question, &(struct skill){0})));
        CHECK_INT(info.score, wanted);
        CHECK(info.depth_plies <= 16 - plies);
        history_release(&line);
        history_release(&question.history);
    }
}

/* Returns whether the side to move can force a win in that many plies, by trying everything. */
static bool wins_within(const struct game *game, const struct position *position, int plies)
{
    struct move moves[MOVES_MAX];
    int count = game->legal(position, moves);

    for (int i = 0; i < count && plies > 0; i++) {
        struct position next = *position;
        struct move replies[MOVES_MAX];
        game->apply(&next, moves[i]);
        int replies_count = game->legal(&next, replies), refuted = 0;
        if (replies_count == 0) {
            if (game->outcome(&next).result == result_win(position->side))
                return true;
            continue;
        }
        for (int j = 0; j < replies_count && refuted == j && plies > 2; j++) {
            struct position later = next;
            game->apply(&later, replies[j]);
            refuted += wins_within(game, &later, plies - 2);
        }
        if (plies > 2 && refuted == replies_count)
            return true;
    }
    return false;
}

/* The same by moves that win or threaten to win at once, where all moves are too many. */
static bool wins_by_threats(const struct game *game, const struct position *position, int plies)
{
    struct move moves[MOVES_MAX];
    int count = game->legal(position, moves);

    for (int i = 0; i < count; i++) {
        struct position next = *position;
        struct move replies[MOVES_MAX];
        game->apply(&next, moves[i]);
        int replies_count = game->legal(&next, replies), refuted = 0;
        if (replies_count == 0 && game->outcome(&next).result == result_win(position->side))
            return true;
        struct position again = next;
        again.side = position->side;
        if (plies == 1 || replies_count == 0 || !wins_within(game, &again, 1))
            continue;
        for (int j = 0; j < replies_count && refuted == j; j++) {
            struct position later = next;
            game->apply(&later, replies[j]);
            refuted += wins_by_threats(game, &later, plies - 2);
        }
        if (refuted == replies_count)
            return true;
    }
    return false;
}

/* Longer wins of Latrunculi are verified by threats only. */
static bool are_too_many(const struct game *game, int plies)
{
    return game == &latrunculi && plies > 5;
}

/* Returns whether the move keeps the win. */
static bool keeps_win(const struct search_question *question, struct move move, int plies)
{
    const struct game *game = question->game;
    struct position next = question->position;
    struct move replies[MOVES_MAX];

    game->apply(&next, move);
    int count = game->legal(&next, replies);
    if (count == 0)
        return game->outcome(&next).result == result_win(question->position.side);
    for (int i = 0; i < count; i++) {
        struct position later = next;
        game->apply(&later, replies[i]);
        if (!(are_too_many(game, plies) ? wins_by_threats : wins_within)(game, &later, plies - 2))
            return false;
    }
    return true;
}

/* One row: a win in exactly that many plies, and the nodes in which to find it. */
static void check_tactic(const char *name, int plies, int nodes, const char *text)
{
    struct tt tt = {.megabytes = 1};
    struct search_question question;
    struct info info = {0};
    struct cause cause;
    const struct game *game = game_open(name, &question.position, NULL, &cause);
    const char *variant = strchr(name, ':');

    check_about("%s %s", name, text);
    begin_question(&question, game, &info);
    if (!CHECK_THAT(
            game->parse(variant != NULL ? variant + 1 : NULL, text, &question.position, &cause),
            "%s", cause.text))
        return;
    history_add(&question.history, game->key(&question.position));
    if (!are_too_many(game, plies)) {
        CHECK(wins_within(game, &question.position, plies));
        CHECK(plies <= 2 || !wins_within(game, &question.position, plies - 2));
    }
    question.limits.nodes = (uint64_t)nodes;
    struct move move = search_think(&question, &(struct skill){0});
    /* Late moves are reduced, so the search may see a longer win first; that has to be a win as
     * well. */
    int seen_plies = SCORE_WIN - info.score;
    CHECK(seen_plies == plies || (game == &clobber && seen_plies == plies + 2));
    CHECK(keeps_win(&question, move, seen_plies < plies + 2 ? plies : plies + 2));
    question.limits.nodes = UINT64_MAX;
    question.threads = 3;
    question.tt = &tt;
    CHECK(is_legal(&question, search_think(&question, &(struct skill){0})));
    CHECK(info.score >= SCORE_WIN - plies - 4);
    tt_clear(&tt);
    history_release(&question.history);
}

/* Hard sees a win by threats that is longer than its nodes reach. */
static void test_threats(void)
{
    struct search_question question;
    struct info info = {0};
    struct cause cause;
    const struct game *game = game_open("latrunculi", &question.position, NULL, &cause);

    check_about("hard and a win by threats");
    begin_question(&question, game, &info);
    CHECK(
        game->parse(NULL, "ss3sss/2Dss3/1dS5/1S4S1/8/8/8/S2SSS1S b 2", &question.position, &cause));
    struct move move = engine_find("hard")->think(&question);
    CHECK_INT(info.score, SCORE_WIN - 7);
    CHECK(keeps_win(&question, move, 7));
    check_about("medium does not look for it");
    engine_find("medium")->think(&question);
    CHECK(info.score < SCORE_WIN - 7);
    /* Where the position after its first move occurred before, it may end in a draw. */
    check_about("a win by threats that repeats a position");
    history_add(&question.history, game->key(&question.position));
    struct position next = question.position;
    game->apply(&next, move);
    history_add(&question.history, game->key(&next));
    engine_find("hard")->think(&question);
    CHECK(info.score < SCORE_WIN - 7);
    history_release(&question.history);
}

/* Levels from hard on play the last six plies of Xadrersi as the search without limits does. */
static void test_exact_levels(void)
{
    static const char *const levels[] = {"hard", "expert", "master"};

    for (int i = 0; i < 6; i++) {
        struct search_question question;
        struct info info;
        check_about("%s in the last plies, %d", levels[i % 3], i);
        begin_random(&question, i % 2 == 0 ? "xadrersi:touch" : "xadrersi:attack", 10 + i % 2,
                     &info);
        search_think(&question, &(struct skill){0});
        int wanted = info.score;
        engine_find(levels[i % 3])->think(&question);
        CHECK_INT(info.score, wanted);
        history_release(&question.history);
    }
}

/* A loss that is proven is reported as one, however little the search itself sees. */
static void test_proven_loss(void)
{
    static const char *const lost[] = {"clobber:3x4", "clobber:2x6", "clobber:3x6"};

    for (size_t i = 0; i < LENGTH(lost); i++) {
        struct tt tt = {.megabytes = 1};
        struct search_question question;
        struct info info = {0};
        struct cause cause;
        struct position start;
        const struct game *game = game_open(lost[i], &start, NULL, &cause);
        check_about("%s is lost", lost[i]);
        begin_question(&question, game, &info);
        question.position = start;
        question.tt = &tt;
        question.limits.depth_plies = 2;
        engine_find("max")->think(&question);
        CHECK_INT(info.score, game->legal(&start, NULL) - SCORE_WIN);
        engine_find("master")->think(&question);
        CHECK_INT(info.score, game->legal(&start, NULL) - SCORE_WIN);
        tt_clear(&tt);
    }
}

/* Rows are GAME PLIES NODES POSITION; # begins a comment. */
static void test_tactics(const char *name)
{
    char path[64], line[256], game[32];
    int plies, nodes, start, rows = 0;

    snprintf(path, sizeof path, "tests/tactics/%s.txt", name);
    check_about("%s", path);
    FILE *file = fopen(path, "r");
    CHECK(file != NULL);
    if (file == NULL)
        return;
    while (fgets(line, sizeof line, file) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        if (line[0] == '#' || line[0] == '\0')
            continue;
        if (CHECK_THAT(sscanf(line, "%31s %d %d %n", game, &plies, &nodes, &start) == 3, "%s",
                       line)) {
            check_tactic(game, plies, nodes, line + start);
            rows++;
        }
    }
    fclose(file);
    check_about("%s", path);
    CHECK(rows >= 20);
}

static void test_node_limits(void)
{
    static const uint64_t limits[] = {1, 2, 100, 5000};
    struct search_question question;
    struct info info;

    for (size_t i = 0; i < LENGTH(all_games); i++) {
        for (size_t j = 0; j < LENGTH(limits); j++) {
            check_about("%s, %d nodes", all_games[i], (int)limits[j]);
            begin_random(&question, all_games[i], 5, &info);
            question.limits.nodes = limits[j];
            struct move move = search_think(&question, &(struct skill){0});
            CHECK(is_legal(&question, move));
            CHECK(info.nodes <= limits[j]);
            CHECK(info.pv_plies > 0 && move_equal(told, move));
            history_release(&question.history);
        }
    }
}

/* Plays the reported line while it is legal. info->pv is valid during the call only. */
static void check_line(void *context, const struct info *info)
{
    struct search_question line = *(const struct search_question *)context;

    line.history = (struct history){0};
    for (int i = 0; i < info->pv_plies; i++) {
        if (!CHECK_THAT(is_legal(&line, info->pv[i]), "move %d of depth %d", i, info->depth_plies))
            break;
        line.game->apply(&line.position, info->pv[i]);
    }
}

/* With several threads the answer is legal, the nodes of all are counted, and wins are found. */
static void test_threads(void)
{
    enum { SHARE = 256 }; /* nodes that a thread searches between looks at the others */
    struct tt tt = {.megabytes = 1};
    struct search_question question;
    struct info info;

    for (size_t i = 0; i < 3 * LENGTH(all_games); i++) {
        const char *game = all_games[i % LENGTH(all_games)];
        check_about("%s in threads", game);
        begin_random(&question, game, 5, &info);
        question.tt = &tt;
        question.threads = 2 + (int)i % 3;
        question.limits.nodes = 10000;
        struct move move = search_think(&question, &(struct skill){0});
        CHECK(is_legal(&question, move));
        CHECK(info.nodes <= question.limits.nodes + (uint64_t)question.threads * SHARE);
        CHECK(info.pv_plies > 0 && move_equal(told, move));
        history_release(&question.history);
    }
    tt_clear(&tt);
}

static void test_lines(void)
{
    struct search_question question;

    for (int i = 0; i < 60; i++) {
        const char *game = all_games[i % (int)LENGTH(all_games)];
        check_about("%s: the line that is reported", game);
        begin_random(&question, game, i / 3, NULL);
        question.limits.depth_plies = 3;
        question.limits.nodes = 30000;
        question.report = check_line;
        question.context = &question;
        CHECK(is_legal(&question, search_think(&question, &(struct skill){0})));
        history_release(&question.history);
    }
}

/* The reports of several lines at the last depth. */
struct several {
    int count, values[LINES_MAX];
    struct move moves[LINES_MAX];
};

static void keep_several(void *context, const struct info *info)
{
    struct several *several = context;

    several->count = info->line;
    several->values[info->line - 1] = info->score;
    several->moves[info->line - 1] = info->pv[0];
}

static int by_value(const void *a, const void *b)
{
    return *(const int *)b - *(const int *)a;
}

/* Several lines are about different moves and have the values of the best ones, in their order. */
static void check_several(const char *game, int plies, int lines)
{
    const struct skill skill = {.plain = true, .steady = true};
    struct search_question question;
    struct several several = {0};
    struct move moves[MOVES_MAX];
    int values[MOVES_MAX];

    begin_random(&question, game, plies, NULL);
    int count = question.game->legal(&question.position, moves);
    for (int i = 0; i < count; i++) {
        struct history line = {0};
        struct position next = question.position;
        history_copy(&line, &question.history);
        question.game->apply(&next, moves[i]);
        values[i] = -minimax(&question, &line, &next, 1, 1);
        history_release(&line);
    }
    qsort(values, (size_t)count, sizeof values[0], by_value);
    question.limits.depth_plies = 2;
    question.lines = lines;
    question.report = keep_several;
    question.context = &several;
    struct move best = search_think(&question, &skill);
    CHECK_INT(several.count, lines < count ? lines : count);
    CHECK(move_equal(best, several.moves[0]));
    for (int i = 0; i < several.count; i++) {
        CHECK_INT(several.values[i], values[i]);
        for (int j = 0; j < i; j++)
            CHECK(!move_equal(several.moves[i], several.moves[j]));
    }
    if (count > 1) { /* without the best move, the second best is found */
        struct info info;
        question.lines = 0;
        question.without = &several.moves[0];
        question.report = keep;
        question.context = &info;
        CHECK(!move_equal(search_think(&question, &skill), several.moves[0]));
        CHECK_INT(info.score, values[1]);
    }
    history_release(&question.history);
}

static void test_several_lines(void)
{
    for (int i = 0; i < 40; i++) {
        const char *game = all_games[i % (int)LENGTH(all_games)];
        check_about("%s: the best of several", game);
        check_several(game, i / 2, 2 + i % (LINES_MAX - 1));
    }
}

/* After a stop from outside or a deadline the answer comes soon, in every game. */
static void test_stop_and_deadline(void)
{
    enum { SLOW_MS = 300 }; /* of a processor; without sanitizers it is below 10 */
    struct search_question question;
    struct info info;

    for (size_t i = 0; i < LENGTH(all_games); i++) {
        check_about("%s: deadline", all_games[i]);
        begin_random(&question, all_games[i], 1, &info);
        int64_t begun_ms = check_cpu_ms();
        question.limits.deadline_ms = clock_ms() + 100;
        CHECK(is_legal(&question, search_think(&question, &(struct skill){0})));
        CHECK(check_cpu_ms() - begun_ms < 100 + SLOW_MS);
        check_about("%s: stop", all_games[i]);
        question.limits = NO_LIMITS;
        question.threads = (int)i % 3;
        atomic_store(&stop, true);
        begun_ms = check_cpu_ms();
        CHECK(is_legal(&question, search_think(&question, &(struct skill){0})));
        CHECK(check_cpu_ms() - begun_ms < SLOW_MS);
        atomic_store(&stop, false);
        history_release(&question.history);
    }
}

static void put_move(void *context, struct move move)
{
    *(struct move *)context = move;
}

static void test_stop_while_thinking(void)
{
    struct move move = {0};
    struct thinker thinker = {.done = put_move, .context = &move};
    struct search_question question;
    struct info info;

    check_about("a stop while it thinks");
    begin_random(&question, "shakti", 2, &info);
    question.report = NULL;
    thinker_start(&thinker, engine_find("max"), &question);
    thinker_stop(&thinker);
    thinker_wait(&thinker);
    CHECK(is_legal(&question, move));
    history_release(&question.history);
    thinker_release(&thinker);
}

/* Every level varies its openings and plays legal moves. */
static void test_levels(void)
{
    struct search_question question;
    struct info info;

    for (int level = 2; level < 6; level++) {
        int different = 0;
        check_about("%s", engines[level]->name);
        for (int i = 0; i < 12; i++) {
            static struct move first;
            begin_random(&question, "clobber:5x6", 0, &info);
            question.limits.nodes = 2000;
            struct move move = engines[level]->think(&question);
            CHECK(is_legal(&question, move));
            different += i > 0 && !move_equal(first, move);
            first = i == 0 ? move : first;
            history_release(&question.history);
        }
        CHECK(different > 0);
    }
}

/* The table returns what was stored, and keeps the newest. */
static void test_memory(void)
{
    struct tt tt = {.megabytes = 1};
    struct move move = {.from = 3, .to = 4};
    struct tt_entry entry;

    check_about("transposition table");
    CHECK(!tt_find(&tt, 7, &entry));
    tt_store(&tt, 7, move, 5, 3, BOUND_LOWER);
    CHECK(!tt_find(&tt, 7, &entry));
    tt_begin(&tt);
    for (uint64_t key = 1; key < 200000; key++)
        tt_store(&tt, key, move, (int)(key % 1000) - 500, 3, BOUND_LOWER);
    for (uint64_t key = 199000; key < 200000; key++) {
        if (!CHECK(tt_find(&tt, key, &entry)))
            break;
        CHECK(entry.value == (int)(key % 1000) - 500 && tt_bound(&entry) == BOUND_LOWER);
        CHECK(entry.depth_plies == 3 && move_equal(entry.move, move));
    }
    tt_begin(&tt);
    tt_store(&tt, 199999, move, -SCORE_WIN, 250, BOUND_EXACT);
    CHECK(tt_find(&tt, 199999, &entry) && entry.value == -SCORE_WIN);
    tt_clear(&tt);
    CHECK(!tt_find(&tt, 199999, &entry));
    tt_clear(&tt);
}

/* Returns twice the points that the stronger engine, playing `color`, makes in one match after two
 * random plies. */
static int half_points(const struct engine *strong, const struct engine *weak, const char *game,
                       int color)
{
    struct outcome outcome = {RESULT_NONE, REASON_NONE};
    struct search_question question;
    struct info info;

    begin_random(&question, game, 2, &info);
    for (int ply = 2; ply < 2000 && outcome.result == RESULT_NONE; ply++) {
        const struct engine *engine = question.position.side == color ? strong : weak;
        play_move(&question, engine->think(&question));
        outcome = history_outcome(&question.history, question.game, &question.position);
    }
    CHECK(outcome.result != RESULT_NONE);
    history_release(&question.history);
    return outcome.result == RESULT_DRAW ? 1 : outcome.result == result_win(color) ? 2 : 0;
}

/* Only notices a level that has become far too weak. tests/bench/STRENGTH.md measures their
 * strength. */
static void test_strength(const struct engine *strong, const struct engine *weak, int percent)
{
    enum { MATCHES = 40 };
    static const char *const played[] = {"clobber", "xadrersi:touch", "xadrersi:attack",
                                         "latrunculi", "shakti"};

    for (size_t i = 0; i < LENGTH(played); i++) {
        int points = 0;
        check_about("%s against %s in %s", strong->name, weak->name, played[i]);
        for (int match = 0; match < MATCHES; match++)
            points += half_points(strong, weak, played[i], match % 2);
        CHECK_THAT(points >= 2 * MATCHES * percent / 100, "%d half points of %d", points,
                   2 * MATCHES);
    }
}

int main(void)
{
    test_memory();
    test_values();
    test_endings();
    for (size_t i = 0; games[i] != NULL; i++)
        test_tactics(games[i]->name);
    test_threats();
    test_exact_levels();
    test_proven_loss();
    test_node_limits();
    test_threads();
    test_lines();
    test_several_lines();
    test_stop_and_deadline();
    test_stop_while_thinking();
    test_levels();
    test_strength(engine_find("greedy"), engine_find("random"), 80);
    test_strength(engine_find("easy"), engine_find("greedy"), 60);
    return check_end("test_search");
}
