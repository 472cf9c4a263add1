/* When a bot moves: its view of its matches on a server, and how long it thinks about each. */
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "client/bot/search/engine.h"
#include "client/bot/turns.h"
#include "client/bot/ugi.h"

static void test_clock(void)
{
    static const struct {
        int64_t left_ms, increment_ms;
        int moves;
        int64_t target_ms, most_ms;
    } rows[] = {{0, 0, 20, 0, 0},
                {10, 0, 20, 0, 0},
                {100, 1000, 20, 0, 0},
                {140, 1000, 20, 40, 40},
                {300, 60000, 20, 150, 150},
                {1000, 0, 20, 50, 150},
                {60000, 0, 20, 3000, 9000},
                {60000, 0, 4, 15000, 20000},
                {60000, 0, 1, 30000, 30000},
                {60000, 0, 0, 30000, 30000},
                {60000, 1000, 20, 3750, 11250},
                {1000000, 10000000, 20, 500000, 500000}};

    for (size_t i = 0; i < LENGTH(rows); i++) {
        check_about("%d ms, %d more a move, %d moves", (int)rows[i].left_ms,
                    (int)rows[i].increment_ms, rows[i].moves);
        struct clock_share share =
            clock_share(rows[i].left_ms, rows[i].increment_ms, rows[i].moves, SERVER_OVERHEAD_MS);
        CHECK_INT(share.target_ms, rows[i].target_ms);
        CHECK_INT(share.most_ms, rows[i].most_ms);
    }
}

/* With an increment there is time to think when little more than that is left. */
static void test_overhead(void)
{
    CHECK_INT(clock_share(100, 100, 20, SERVER_OVERHEAD_MS).target_ms, 0);
    CHECK_INT(clock_share(100, 100, 20, 30).target_ms, 50);
    CHECK_INT(clock_share(100, 100, 20, 90).target_ms, 10);
    CHECK_INT(clock_share(100, 0, 20, 0).target_ms, 5);
    CHECK_INT(clock_share(0, 1000, 20, 0).target_ms, 0);
}

static void count_remark(void *context, const char *text)
{
    (void)text;
    ++*(int *)context;
}

static struct go read_go(const char *text, const struct position *position, int remarks)
{
    char words[128];
    int counted = 0;
    struct go go;

    check_about("go %s", text);
    snprintf(words, sizeof words, "%s", text);
    go_read(&go, words, &shakti, position, SERVER_OVERHEAD_MS, count_remark, &counted);
    CHECK_INT(counted, remarks);
    return go;
}

static void test_go(void)
{
    struct position white, black;
    struct cause cause;
    struct go go;

    CHECK(game_open("shakti", &white, NULL, &cause) == &shakti);
    black = white;
    black.side = BLACK;
    go = read_go("nodes 50 movetime 100 depth 3 p2time 1000000", &black, 0);
    CHECK(go.limits.nodes == 50 && go.limits.depth_plies == 3 && !go.infinite);
    CHECK(go.perft_plies < 0);
    CHECK(go.limits.deadline_ms <= clock_ms() + 100);
    go = read_go("p1time 40000 movetime 600000", &white, 0);
    CHECK(go.limits.target_ms <= clock_ms() + 2000);
    CHECK(go.limits.deadline_ms <= clock_ms() + 6000);
    go = read_go("wtime 40000 movestogo 1", &white, 0);
    CHECK(go.limits.target_ms > clock_ms() + 10000);
    go = read_go("btime 40000", &white, 0); /* nothing is left to white */
    CHECK(!go.infinite && go.limits.deadline_ms <= clock_ms());
    go = read_go("p1time -40000", &white, 0);
    CHECK(!go.infinite && go.limits.deadline_ms <= clock_ms());
    go = read_go("infinite", &white, 0);
    CHECK(go.infinite && go.limits.deadline_ms == INT64_MAX);
    go = read_go("", &white, 0);
    CHECK(go.infinite);
    go = read_go("mate 3 depth x", &white, 3);
    CHECK(!go.infinite && go.limits.depth_plies == 1);
}

/* Follows match 7, in which the bot plays Clobber as white, to a state, which comes after the move
 * `last` (NULL: none). Adds the match. */
static struct bot_match *follow(struct bot_match_list *matches, const char *id, int ply,
                                const char *position, const char *last)
{
    struct match_state state = {.known = true,
                                .game = "clobber",
                                .status = STATE_PLAYING,
                                .ply = ply,
                                .seats[WHITE].mine = true};
    struct position start;
    struct cause cause;
    bool changed;

    snprintf(state.match, sizeof state.match, "%s", id);
    snprintf(state.position, sizeof state.position, "%s", position);
    snprintf(state.last, sizeof state.last, "%s", last != NULL ? last : "");
    state.clock.told_ms = clock_ms();
    struct bot_match *match = bot_match_find(matches, id);
    if (match == NULL && CHECK(clobber.start("5x6", &start, &cause)))
        match = bot_match_add(matches, id, BOT_JOINED, &clobber, &start);
    CHECK_THAT(bot_match_follow(matches, match, &state, &changed, &cause), "%s: %s", position,
               cause.text);
    return match;
}

static void free_matches(struct bot_match_list *matches)
{
    while (!TAILQ_EMPTY(matches))
        bot_match_free(matches, TAILQ_FIRST(matches));
}

static void test_matches(void)
{
    static const struct {
        const char *what;
        int ply;
        const char *position, *last;
        int known; /* the moves */
        enum bot_turn turn;
    } rows[] = {
        {"in mid-match", 2, "pPpPpP w", "a1b1", 0, TURN_OWED},
        {"after its move", 3, "p1PPpP b", "b1c1", 1, TURN_NONE},
        {"the same once more", 3, "p1PPpP b", "b1c1", 1, TURN_NONE},
        {"the other has moved", 4, "p1Pp1P w", "e1d1", 2, TURN_OWED},
        {"no move is left", 5, "p1P2P w", NULL, 0, TURN_NONE}, /* over: nothing to think */
        {"another course", 2, "pPpPpP w", NULL, 0, TURN_OWED},
        {"it moves", 3, "p1PPpP b", "b1c1", 1, TURN_NONE},
        {"an undo", 2, "pPpPpP w", NULL, 0, TURN_OWED},
        {"another move", 3, "P1pPpP b", "b1a1", 1, TURN_NONE},
        {"a gap", 6, "pPpPpP w", "a1b1", 0, TURN_OWED},
        {"an undo beyond what is known", 4, "pPpPpP w", NULL, 0, TURN_OWED},
    };
    struct bot_match_list matches = TAILQ_HEAD_INITIALIZER(matches);

    for (size_t i = 0; i < LENGTH(rows); i++) {
        check_about("a match: %s", rows[i].what);
        struct bot_match *match =
            follow(&matches, "7", rows[i].ply, rows[i].position, rows[i].last);
        CHECK(bot_match_find(&matches, "7") == match && bot_match_find(&matches, "8") == NULL);
        CHECK_INT(match->course.count, rows[i].known);
        CHECK_INT(match->turn, rows[i].turn);
        CHECK(bot_match_waits(match) == (rows[i].turn == TURN_OWED));
    }
    check_about("a match: a state that changes nothing leaves the move where it is");
    struct bot_match *match = follow(&matches, "7", 4, "pPpPpP w", NULL);
    match->turn = TURN_LATE;
    CHECK_INT(follow(&matches, "7", 4, "pPpPpP w", NULL)->turn, TURN_LATE);
    free_matches(&matches);
    CHECK(bot_match_find(&matches, "7") == NULL);
}

/* The result of thinking about a position is used for that position only. */
static void test_turns(void)
{
    struct bot_match_list matches = TAILQ_HEAD_INITIALIZER(matches);
    struct bot_match *match;
    struct turns turns;
    struct move move;

    check_about("turns");
    if (!CHECK(turns_init(&turns, engine_find("greedy"), 1, &matches)))
        return;
    match = follow(&matches, "7", 0, "pPpP w", NULL);
    turns_think(&turns);
    CHECK(turns_fetch(&turns, &move) == match);
    CHECK_INT(turns.thinker.question.history.count, 1);
    match->turn = TURN_SENT;
    turns_think(&turns);
    CHECK(!turns.thinker.busy && turns_due_ms(&turns) == INT64_MAX);

    match->turn = TURN_OWED;
    turns_think(&turns);
    follow(&matches, "7", 2, "PpPp w", NULL);
    turns_check(&turns);
    CHECK(turns_fetch(&turns, &move) == NULL && match->turn == TURN_OWED);
    turns_think(&turns);
    CHECK(turns_fetch(&turns, &move) == match);

    check_about("turns: the engine hears what has been played");
    follow(&matches, "7", 3, "1PPp b", "a1b1");
    follow(&matches, "7", 4, "1Pp1 w", "d1c1");
    turns_think(&turns);
    CHECK(turns_fetch(&turns, &move) == match);
    const struct history *history = &turns.thinker.question.history;
    CHECK_INT(history->count, 3);
    CHECK(history->keys[2] == clobber.key(&match->course.position));

    check_about("turns: a match that is gone");
    turns_think(&turns);
    CHECK(turns.thinker.busy);
    free_matches(&matches);
    turns_check(&turns);
    CHECK(turns_fetch(&turns, &move) == NULL && !turns.thinker.busy);
    turns_release(&turns);
}

/* Lets the bot think about the first of several matches whose states came `ago_ms` ago, with so
 * much time on their clocks (-1: none), and returns its deadline. *before_ms and *after_ms are the
 * times before and after the call. */
static int64_t think_deadline_ms(int64_t left_ms, int64_t increment_ms, int64_t ago_ms, int count,
                                 int64_t *before_ms, int64_t *after_ms)
{
    struct bot_match_list matches = TAILQ_HEAD_INITIALIZER(matches);
    struct turns turns;

    if (!CHECK(turns_init(&turns, engine_find("greedy"), 1, &matches)))
        return 0;
    *before_ms = clock_ms();
    for (; count > 0; count--) {
        const char id[] = {(char)('a' + count), '\0'};
        follow(&matches, id, 0, "pPpP w", NULL)->clock =
            (struct match_clock){.known = left_ms >= 0,
                                 .left_ms = {left_ms, left_ms},
                                 .increment_ms = increment_ms,
                                 .told_ms = *before_ms - ago_ms};
    }
    turns_think(&turns);
    *after_ms = clock_ms();
    int64_t deadline_ms = turns.thinker.question.limits.deadline_ms;
    free_matches(&matches);
    turns_release(&turns);
    return deadline_ms;
}

static void test_time_of_turns(void)
{
    static const struct {
        const char *what;
        int64_t left_ms, increment_ms, ago_ms;
        int matches;
        int64_t thought_ms;
    } rows[] = {
        {"no clock", -1, 0, 0, 1, 1000},
        {"no clock, four matches", -1, 0, 0, 4, 250},
        {"a minute", 60000, 0, 0, 1, 30000},
        {"a minute, half of it gone", 60000, 0, 30000, 1, 15000},
        {"a minute, half of it gone, three matches", 60000, 0, 30000, 3, 4973},
        {"all of it gone", 60000, 1000, 70000, 1, 0},
    };
    int64_t before_ms = 0, after_ms = 0;

    for (size_t i = 0; i < LENGTH(rows); i++) {
        check_about("time to think: %s", rows[i].what);
        int64_t deadline_ms =
            think_deadline_ms(rows[i].left_ms, rows[i].increment_ms, rows[i].ago_ms,
                              rows[i].matches, &before_ms, &after_ms);
        CHECK(deadline_ms <= after_ms + rows[i].thought_ms);
        CHECK(deadline_ms >= before_ms + rows[i].thought_ms - 1); /* rounded down */
    }
}

/* Adds a waiting match with that time on its clock. */
static void add_waiting(struct bot_match_list *matches, const char *id, int64_t left_ms,
                        int64_t ago_ms)
{
    follow(matches, id, 0, "pPpP w", NULL)->clock = (struct match_clock){
        .known = left_ms >= 0, .left_ms = {left_ms, left_ms}, .told_ms = clock_ms() - ago_ms};
}

/* The bot serves waiting matches in the order of their clocks, not of their arrival. */
static void test_plans(void)
{
    struct bot_match_list matches = TAILQ_HEAD_INITIALIZER(matches);
    struct turns turns;

    check_about("plans");
    if (!CHECK(turns_init(&turns, engine_find("max"), 1, &matches)))
        return;
    CHECK(plan_turns(&matches, NULL, 0, clock_ms()).match == NULL);
    add_waiting(&matches, "a", -1, 0);
    add_waiting(&matches, "b", 600000, 0);
    add_waiting(&matches, "c", 1000, 0);
    struct turn_plan plan = plan_turns(&matches, NULL, 0, clock_ms());
    CHECK(plan.match->id[0] == 'c' && plan.limits.deadline_ms <= clock_ms() + 420);
    bot_match_free(&matches, bot_match_find(&matches, "c"));
    CHECK(plan_turns(&matches, NULL, 0, clock_ms()).match->id[0] == 'a');
    add_waiting(&matches, "d", 600000, 400000);
    CHECK(plan_turns(&matches, NULL, 0, clock_ms()).match->id[0] == 'd');
    check_about("a thought is cut short when another cannot wait");
    bot_match_free(&matches, bot_match_find(&matches, "d"));
    int64_t now_ms = clock_ms();
    turns_think(&turns);
    CHECK(turns.match[0] == 'a' && turns_due_ms(&turns) > now_ms);
    CHECK(!atomic_load(&turns.thinker.stop));
    add_waiting(&matches, "e", 60, 0);
    turns_check(&turns);
    CHECK(atomic_load(&turns.thinker.stop));
    free_matches(&matches);
    turns_release(&turns);
}

int main(void)
{
    test_clock();
    test_overhead();
    test_go();
    test_matches();
    test_turns();
    test_time_of_turns();
    test_plans();
    return check_end("test_turns");
}
