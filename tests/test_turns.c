/* When a bot moves: its view of its matches on a server, and how long it thinks about each. */
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "client/bot/go.h"
#include "client/bot/player/turns.h"
#include "client/bot/search/engine.h"

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
            clock_share(rows[i].left_ms, rows[i].increment_ms, rows[i].moves);
        CHECK_INT(share.target_ms, rows[i].target_ms);
        CHECK_INT(share.most_ms, rows[i].most_ms);
    }
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
    go_read(&go, words, &shakti, position, count_remark, &counted);
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

/* Reads a state of match 7, in which the bot plays Clobber as white. */
static bool read_state(struct seat *seat, int ply, const char *position)
{
    struct match_state state = {.match = "7",
                                .known = true,
                                .game = "clobber",
                                .variant = "4x1",
                                .status = STATE_PLAYING,
                                .ply = ply,
                                .seats[WHITE].mine = true};
    struct cause cause;

    snprintf(state.position, sizeof state.position, "%s", position);
    state.clock.told_ms = clock_ms();
    return CHECK_THAT(seat_read(seat, &state, &cause), "%s: %s", position, cause.text);
}

static void test_seats(void)
{
    static const struct {
        const char *what;
        int ply;
        const char *position;
        int known;
        bool owes_move;
    } rows[] = {
        {"in mid-match", 2, "pPpP w", 1, true},
        {"after its move", 3, "p1PP b", 2, false},
        {"the same once more", 3, "p1PP b", 2, false},
        {"the other has moved", 4, "p1PP w", 3, false}, /* over by itself: nothing to think */
        {"an undo", 2, "pPpP w", 1, true},
        {"another move", 3, "P1pP b", 2, false},
        {"a gap", 6, "pPpP w", 1, true},
        {"an undo beyond what is known", 4, "pPpP w", 1, true},
    };
    struct seats seats = TAILQ_HEAD_INITIALIZER(seats);
    struct seat read, *seat = NULL;

    for (size_t i = 0; i < LENGTH(rows); i++) {
        check_about("seat: %s", rows[i].what);
        if (!read_state(&read, rows[i].ply, rows[i].position))
            continue;
        seat = seats_update(&seats, &read);
        CHECK(seats_find(&seats, "7") == seat && seats_find(&seats, "8") == NULL);
        CHECK_INT(seat->history.count, rows[i].known);
        CHECK_INT(seat->owes_move, rows[i].owes_move);
        CHECK(seat->history.keys[seat->history.count - 1] == clobber.key(&seat->position));
    }
    if (seat != NULL)
        seats_remove(&seats, seat);
    CHECK(seats_find(&seats, "7") == NULL);
}

/* The result of thinking about a position is used for that position only. */
static void test_turns(void)
{
    struct seat read, *seat;
    struct turns turns;
    struct move move;

    check_about("turns");
    if (!CHECK(turns_init(&turns, &greedy_engine, 1)) || !read_state(&read, 0, "pPpP w"))
        return;
    seat = seats_update(&turns.seats, &read);
    turns_think(&turns);
    CHECK(turns_take(&turns, &move) == seat && !seat->owes_move);
    turns_think(&turns);
    CHECK(!turns.thinker.busy);

    seats_update(&turns.seats, &read);
    turns_think(&turns);
    read_state(&read, 2, "PpPp w");
    seats_update(&turns.seats, &read);
    turns_check(&turns);
    CHECK(turns_take(&turns, &move) == NULL && seat->owes_move);
    turns_think(&turns);
    CHECK(turns_take(&turns, &move) == seat);

    seat->owes_move = true;
    seat->not_before_ms = clock_ms() + 100000;
    turns_think(&turns);
    CHECK(!turns.thinker.busy);
    CHECK(turns_wake_ms(&turns) == seat->not_before_ms);
    seat->not_before_ms = clock_ms();
    turns_think(&turns);
    CHECK(turns.thinker.busy);
    turns_clear(&turns);
    CHECK(TAILQ_EMPTY(&turns.seats) && !turns.thinker.busy);
    turns_release(&turns);
}

/* Lets the bot think about the first of several seats whose states came `ago_ms` ago, and returns
 * its deadline. *before_ms and *after_ms are the times before and after the call. */
static int64_t think_deadline_ms(const struct seat *seat, int64_t ago_ms, int seats,
                                 int64_t *before_ms, int64_t *after_ms)
{
    struct seat read = *seat;
    struct turns turns;

    if (!CHECK(turns_init(&turns, &greedy_engine, 1)))
        return 0;
    *before_ms = clock_ms();
    read.told_ms = *before_ms - ago_ms;
    for (; seats > 0; seats--) {
        seats_update(&turns.seats, &read);
        read.match[0]++;
    }
    turns_think(&turns);
    *after_ms = clock_ms();
    int64_t deadline_ms = turns.thinker.question.limits.deadline_ms;
    turns_clear(&turns);
    turns_release(&turns);
    return deadline_ms;
}

static void test_time_of_turns(void)
{
    static const struct {
        const char *what;
        int64_t left_ms, increment_ms, ago_ms;
        int seats;
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
    struct seat seat;

    if (!read_state(&seat, 0, "pPpP w"))
        return;
    for (size_t i = 0; i < LENGTH(rows); i++) {
        check_about("time to think: %s", rows[i].what);
        seat.left_ms = rows[i].left_ms;
        seat.increment_ms = rows[i].increment_ms;
        int64_t deadline_ms =
            think_deadline_ms(&seat, rows[i].ago_ms, rows[i].seats, &before_ms, &after_ms);
        CHECK(deadline_ms <= after_ms + rows[i].thought_ms);
        CHECK(deadline_ms >= before_ms + rows[i].thought_ms - 1); /* rounded down */
    }
}

/* Adds a waiting seat with that time on its clock. */
static void add_waiting(struct turns *turns, struct seat *seat, char match, int64_t left_ms,
                        int64_t ago_ms)
{
    seat->match[0] = match;
    seat->left_ms = left_ms;
    seat->told_ms = clock_ms() - ago_ms;
    seats_update(&turns->seats, seat);
}

/* The bot serves waiting seats in the order of their clocks, not of their arrival. */
static void test_plans(void)
{
    struct turns turns;
    struct seat seat;

    check_about("plans");
    if (!CHECK(turns_init(&turns, &max_engine, 1)) || !read_state(&seat, 0, "pPpP w"))
        return;
    CHECK(plan_turns(&turns.seats, NULL, 0, clock_ms()).seat == NULL);
    add_waiting(&turns, &seat, 'a', -1, 0);
    add_waiting(&turns, &seat, 'b', 600000, 0);
    add_waiting(&turns, &seat, 'c', 1000, 0);
    struct plan plan = plan_turns(&turns.seats, NULL, 0, clock_ms());
    CHECK(plan.seat->match[0] == 'c' && plan.limits.deadline_ms <= clock_ms() + 420);
    seats_remove(&turns.seats, seats_find(&turns.seats, plan.seat->match));
    CHECK(plan_turns(&turns.seats, NULL, 0, clock_ms()).seat->match[0] == 'a');
    add_waiting(&turns, &seat, 'd', 600000, 400000);
    CHECK(plan_turns(&turns.seats, NULL, 0, clock_ms()).seat->match[0] == 'd');
    check_about("a thought is cut short when another cannot wait");
    seats_remove(&turns.seats, seats_find(&turns.seats, "d"));
    int64_t now_ms = clock_ms();
    turns_think(&turns);
    CHECK(turns.match[0] == 'a' && turns_wake_ms(&turns) > now_ms);
    CHECK(!atomic_load(&turns.thinker.stop));
    add_waiting(&turns, &seat, 'e', 60, 0);
    turns_check(&turns);
    CHECK(atomic_load(&turns.thinker.stop));
    turns_clear(&turns);
    turns_release(&turns);
}

int main(void)
{
    test_clock();
    test_go();
    test_seats();
    test_turns();
    test_time_of_turns();
    test_plans();
    return check_end("test_turns");
}
