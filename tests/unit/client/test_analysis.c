/*
 * The analysis of a match: proofs in Clobber, compared with a search that knows only the rules;
 * marks; forced moves; what is told before all is known. It has no time limits here.
 */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "client/bot/analysis.h"
#include "client/games/guide.h"
#include "common/move.h"
#include "common/rng.h"

static const struct effort first = {.time_ms = INT64_MAX, .nodes = 300};
static const struct effort deep = {
    .time_ms = INT64_MAX, .nodes = 30000, .proof_nodes = 30000, .deep = true};
static atomic_bool stop;

static void open_text(struct analysis *analysis, const char *text)
{
    struct pgn_file file;
    struct cause cause = {.text = ""};

    bool good = pgn_read(&file, text, strlen(text), &cause);
    CHECK_THAT(good && pgn_check(&file.matches[0], &cause), "%s", cause.text);
    analysis_open(analysis, &file.matches[0]);
    pgn_release(&file);
}

static void judge_all(struct analysis *analysis, const struct effort *effort)
{
    struct judge judge = {.rng = 1};

    analysis_prove(analysis, effort, &stop, NULL, NULL);
    for (int ply = analysis->plies; ply >= 0; ply--)
        analysis_judge(analysis, &judge, ply, effort, &stop);
    if (effort->deep)
        analysis_settle(analysis, effort, &stop);
    judge_release(&judge);
}

/* Whether the side to move wins in Clobber, by trying all moves. */
static bool wins(const struct position *position)
{
    struct move moves[MOVES_MAX];
    int count = clobber.legal(position, moves);
    bool won = false;

    for (int i = 0; i < count && !won; i++) {
        struct position next = *position;
        clobber.apply(&next, moves[i]);
        won = !wins(&next);
    }
    return won;
}

/* The line must be legal, and lead the winner of a proven position from win to win. */
static void check_line(const struct analysis *analysis, int ply, const struct verdict *verdict)
{
    struct position position = analysis->positions[ply];
    bool proven = verdict->exact && wins(&position);

    for (int i = 0; i < verdict->line_plies; i++) {
        char text[MOVE_TEXT_MAX];
        struct cause cause;
        struct move move;
        move_format(&position, verdict->line[i], text);
        if (!CHECK_THAT(move_parse(analysis->game, &position, text, &move, &cause), "%s", text))
            return;
        analysis->game->apply(&position, move);
        CHECK_THAT(!proven || wins(&position) == (i % 2 == 1), "move %d of the line", i);
    }
}

/* White and black give the win away in turn. */
static const char see_saw[] = "[Game \"clobber\"]\n[Variant \"3x4\"]\n\n"
                              "1. c2c3 b2b3 2. a2a1 b3c3 3. a4a3 c3c4 4. b1c1 1-0\n";

static void test_proofs(void)
{
    struct analysis analysis;
    struct ply_review review;
    int gave_away = 0;

    open_text(&analysis, see_saw);
    judge_all(&analysis, &deep);
    for (int ply = 0; ply <= analysis.plies; ply++) {
        const struct position *position = &analysis.positions[ply];
        check_about("ply %d", ply);
        analysis_tell(&analysis, ply, &review);
        CHECK(review.judged && review.verdict.exact && review.verdict.deep);
        CHECK_INT(review.verdict.eval > 0, wins(position) == (position->side == WHITE));
        CHECK_INT(review.chance, review.verdict.eval > 0 ? 100 : 0);
        check_line(&analysis, ply, &review.verdict);
        if (ply == analysis.plies)
            break;
        bool gives_away = wins(position) && wins(&analysis.positions[ply + 1]);
        gave_away += gives_away;
        CHECK_INT((int)review.mark, gives_away ? MARK_BLUNDER : MARK_NONE);
        CHECK_INT(review.loss > SCORE_WIN, gives_away);
        CHECK_INT(review.loss == 0, !gives_away);
    }
    check_about("the whole match");
    CHECK_INT(gave_away, 3);
    CHECK_INT(analysis_last_win(&analysis), 5);
    analysis_close(&analysis);
}

/* The last move but one is the only legal one. */
static void test_forced(void)
{
    struct analysis analysis;
    struct ply_review review, next;

    open_text(&analysis, see_saw);
    check_about("a forced move");
    CHECK(analysis.forced[6] && !analysis.forced[5]);
    analysis_tell(&analysis, 6, &review);
    analysis_tell(&analysis, 7, &next);
    CHECK(review.judged);
    CHECK_INT(next.verdict.eval, SCORE_WIN);
    CHECK_INT(review.verdict.eval, SCORE_WIN - 1);
    CHECK_INT(review.verdict.line_plies, 1);
    CHECK(move_equal(review.verdict.line[0], analysis.moves[6]));
    analysis_tell(&analysis, 5, &review);
    CHECK(!review.judged);
    analysis_close(&analysis);
}

/* White to move wins in three plies, and plays a move that wins later. */
static const char slower_win[] =
    "[Game \"shakti\"]\n[Start \"*2*W1*/1*1**2/2**1*1/2*K1*1/2***2/2****1/*k1*2* w 0\"]\n\n"
    "1. d4b4 1/2-1/2\n";

static void test_slower_win(void)
{
    struct analysis analysis;
    struct ply_review review;

    open_text(&analysis, slower_win);
    judge_all(&analysis, &deep);
    check_about("a slower win");
    analysis_tell(&analysis, 0, &review);
    CHECK_INT(review.verdict.eval, SCORE_WIN - 3);
    CHECK(!review.verdict.exact);
    CHECK(review.loss > 0 && review.mark == MARK_NONE);
    CHECK_INT(analysis_last_win(&analysis), -1);
    check_line(&analysis, 0, &review.verdict);
    analysis_close(&analysis);
}

/* Plays a match at random. */
static void open_random(struct analysis *analysis, const char *name, uint64_t *rng)
{
    struct cause cause;
    struct move moves[MOVES_MAX];
    struct pgn_match match = {.plies = 0};
    struct move_text texts[60];
    int count;

    match.game = game_open(name, &match.start, NULL, &cause);
    match.moves = texts;
    struct position position = match.start;
    while (match.plies < 60 && (count = match.game->legal(&position, moves)) > 0) {
        struct move move = moves[rng_below(rng, count)];
        move_format(&position, move, texts[match.plies++].text);
        match.game->apply(&position, move);
    }
    analysis_open(analysis, &match);
}

/* No position is worth less to its side than what the move played made of it, and where a move is
 * the best one, it is worth the same; a proof goes on along its line, whatever the other side
 * plays.
 */
static void check_neighbours(struct analysis *analysis)
{
    for (int ply = 0; ply < analysis->plies; ply++) {
        const struct position *position = &analysis->positions[ply];
        struct ply_review here, next;
        analysis_tell(analysis, ply, &here);
        analysis_tell(analysis, ply + 1, &next);
        int sign = position->side == WHITE ? 1 : -1;
        int before = sign * here.verdict.eval, after = sign * next.verdict.eval;
        if (abs(after) > SCORE_WIN / 2)
            after -= after > 0 ? 1 : -1; /* a ply further from the end */
        CHECK_THAT(before >= after, "ply %d: %d, then %d", ply, before, after);
        bool is_best = move_equal(here.verdict.line[0], analysis->moves[ply]);
        CHECK_THAT(!is_best || abs(before) > SCORE_WIN / 2 || before == after,
                   "ply %d: %d, and by its best move %d", ply, before, after);
        CHECK_THAT(!here.verdict.exact || before > 0 || next.verdict.exact, "ply %d is lost", ply);
        CHECK_THAT(!(here.verdict.exact && is_best) || next.verdict.exact || here.verdict.guessed,
                   "ply %d is won by its move", ply);
        CHECK(here.loss == 0 || !is_best);
    }
}

static void test_neighbours(void)
{
    static const char *const names[] = {"clobber:4x5", "clobber:5x6", "xadrersi", "latrunculi",
                                        "shakti"};
    const struct effort little = {
        .time_ms = INT64_MAX, .nodes = 1500, .proof_nodes = 1500, .deep = true};
    uint64_t rng = 7;

    for (int i = 0; i < 15; i++) {
        struct analysis analysis;
        const char *name = names[i % (int)LENGTH(names)];
        check_about("match %d, of %s", i, name);
        open_random(&analysis, name, &rng);
        judge_all(&analysis, &little);
        check_neighbours(&analysis);
        analysis_close(&analysis);
    }
}

/* Marks go by the chance to win, and near its ends by the value. */
static void test_marks(void)
{
    static const struct {
        int before, after, mark;
    } rows[] = {{0, -60, MARK_NONE},       {0, -70, MARK_MISTAKE},      {70, -70, MARK_BLUNDER},
                {700, 500, MARK_NONE},     {700, 400, MARK_MISTAKE},    {2000, 600, MARK_NONE},
                {2000, 100, MARK_BLUNDER}, {-300, -2000, MARK_MISTAKE}, {-600, -29990, MARK_NONE},
                {29990, 700, MARK_NONE},   {10, 90, MARK_NONE}};

    for (size_t i = 0; i < LENGTH(rows); i++) {
        struct analysis analysis;
        struct ply_review review;
        open_text(&analysis, slower_win);
        for (int ply = 0; ply <= 1; ply++) {
            analysis.verdicts[ply].eval = ply == 0 ? rows[i].before : rows[i].after;
            analysis.verdicts[ply].line_plies = 1; /* any other move */
            analysis.verdicts[ply].deep = true;
        }
        analysis_tell(&analysis, 0, &review);
        check_about("from %d to %d", rows[i].before, rows[i].after);
        CHECK_INT((int)review.mark, rows[i].mark);
        analysis_close(&analysis);
    }
}

/* A move that looked best and lost is called a mistake only where a search of eight times the nodes
 * finds a better one; in the first row one of four times does not. */
static void test_doubts(void)
{
    static const struct {
        const char *game, *start, *moves, *best; /* best: by the longer search */
        int mark;
    } rows[] = {
        {"xadrersi", "8/6R1/5q2/5R2/5b2/4QK1n/4b1n1/7N[BBNkrr] w - e2", "1. N@d3", "N@e5",
         MARK_BLUNDER},
        {"shakti", "*1k3*/4*2/3**2/3*3/3ww2/2*2*1/*2WKW* w 0", "1. e1g3", "e1g3", MARK_NONE},
        {"latrunculi", "1ss3s1/5S2/s7/1s3S2/4sS1s/8/2SdD3/2SS3S b 2", "1... g8g4", "g8g4",
         MARK_NONE},
    };
    const struct effort little = {.time_ms = INT64_MAX, .nodes = 1500, .deep = true};

    for (size_t i = 0; i < LENGTH(rows); i++) {
        char text[300], best[MOVE_TEXT_MAX];
        struct analysis analysis;
        struct ply_review review;
        struct judge judge = {.rng = 1};

        check_about("%s %s", rows[i].game, rows[i].moves);
        snprintf(text, sizeof text, "[Game \"%s\"]\n[Start \"%s\"]\n\n%s *\n", rows[i].game,
                 rows[i].start, rows[i].moves);
        open_text(&analysis, text);
        for (int ply = 0; ply <= 1; ply++)
            analysis_judge(&analysis, &judge, ply, &little, &stop);
        CHECK(move_equal(analysis.verdicts[0].line[0], analysis.moves[0]));
        int lost = abs(analysis.verdicts[0].eval - analysis.verdicts[1].eval);
        CHECK_THAT(lost > 500, "%d", lost);
        analysis_settle(&analysis, &little, &stop);
        analysis_tell(&analysis, 0, &review);
        CHECK_INT((int)review.mark, rows[i].mark);
        move_format(&analysis.positions[0], review.verdict.line[0], best);
        CHECK_TEXT(best, rows[i].best);
        judge_release(&judge);
        analysis_close(&analysis);
    }
}

/* A first look says something about every ply; a deep one replaces it, and is never replaced. */
static void test_first_look(void)
{
    struct analysis analysis;
    struct ply_review look, last, again;

    open_text(&analysis, "[Game \"xadrersi\"]\n\n1. K@d4 Q@d5 2. Q@e5 R@c4 *\n");
    for (int ply = 0; ply <= analysis.plies; ply++) {
        check_about("ply %d", ply);
        analysis_tell(&analysis, ply, &look);
        CHECK(!look.judged);
    }
    judge_all(&analysis, &first);
    analysis_tell(&analysis, 1, &look);
    judge_all(&analysis, &deep);
    analysis_tell(&analysis, 1, &last);
    judge_all(&analysis, &first);
    analysis_tell(&analysis, 1, &again);
    check_about("a first look");
    CHECK(look.judged && !look.verdict.deep && look.verdict.line_plies > 0);
    CHECK(last.judged && last.verdict.deep && last.verdict.depth_plies >= look.verdict.depth_plies);
    CHECK_INT(again.verdict.eval, last.verdict.eval);
    CHECK(again.verdict.deep);
    analysis_close(&analysis);
}

int main(void)
{
    test_proofs();
    test_forced();
    test_slower_win();
    test_first_look();
    test_neighbours();
    test_marks();
    test_doubts();
    return check_end("test_analysis");
}
