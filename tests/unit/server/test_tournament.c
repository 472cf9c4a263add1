/* Tests the pairing of tournaments: known tables, and invariants of random ones. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "server/tournament/rounds.h"
#include "server/tournament/standings.h"
#include "server/tournament/swiss.h"

enum { TOURNAMENTS = 200, PLAYERS_MAX = 40, MATCHES_MAX = 4000, LARGE = ENTRANTS_MAX };

static uint32_t state = 11;

static int random_below(int limit)
{
    state = state * 1664525u + 1013904223u;
    return (int)((state >> 8) % (uint32_t)limit);
}

/* A FIDE Berger table: the rounds of six players. */
static void test_berger_table(void)
{
    static const struct berger_pair table[5][3] = {
        {{1, 6}, {2, 5}, {3, 4}}, {{6, 4}, {5, 3}, {1, 2}}, {{2, 6}, {3, 1}, {4, 5}},
        {{6, 5}, {1, 4}, {2, 3}}, {{3, 6}, {4, 2}, {5, 1}},
    };

    for (int round = 0; round < 5; round++)
        for (int board = 0; board < 3; board++) {
            struct berger_pair pair = berger_pair(6, round, board);
            check_about("round %d, board %d", round + 1, board + 1);
            CHECK_INT(pair.white + 1, table[round][board].white);
            CHECK_INT(pair.black + 1, table[round][board].black);
        }
}

/* A random tournament being played. */
struct play {
    struct contest contest;
    bool people_leave, people_come, over;
    int rounds_done;
    int met[PLAYERS_MAX][PLAYERS_MAX], colors[PLAYERS_MAX], byes[PLAYERS_MAX];
    int last[PLAYERS_MAX]; /* opponent */
    int points2, given2;
};

static enum pairing_result random_result(void)
{
    static const enum pairing_result results[] = {PAIRING_WHITE_WINS, PAIRING_WHITE_WINS,
                                                  PAIRING_BLACK_WINS, PAIRING_BLACK_WINS,
                                                  PAIRING_DRAW};

    return results[random_below(LENGTH(results))];
}

static void begin_play(struct play *play, enum contest_format format, bool pairs)
{
    int players = 2 + random_below(PLAYERS_MAX - 9);

    memset(play, 0, sizeof *play);
    play->contest =
        (struct contest){.format = format,
                         .cycles = pairs ? 2 + 2 * random_below(2) : 1 + random_below(3),
                         .rounds = swiss_rounds(players),
                         .pairs = pairs};
    for (int i = 0; i < players; i++)
        contest_enter(&play->contest, 1000 + 10 * random_below(100));
    memset(play->last, -1, sizeof play->last);
}

/* The second match of two in a row has the opening of the first, and the colours swapped. */
static void check_return(const struct play *play, const struct contest_pairing *pairing)
{
    const struct contest *contest = &play->contest;
    struct contest after = *contest;
    struct meetings before =
        contest_meetings(contest, pairing->white, pairing->black, contest->pairings.count);

    if (!contest->pairs || before.count % 2 == 0)
        return;
    CHECK_INT(contest->pairings.rows[before.last].white, pairing->black);
    after.pairings = (struct pairing_list){0};
    for (int i = 0; i < contest->pairings.count; i++)
        pairing_list_add(&after.pairings, contest->pairings.rows[i]);
    pairing_list_add(&after.pairings, *pairing);
    CHECK_INT(contest_opening(&after, contest->pairings.count),
              contest_opening(contest, before.last));
    pairing_list_release(&after.pairings);
}

static void note_match(struct play *play, const struct contest_pairing *pairing)
{
    int white = pairing->white, black = pairing->black;
    bool returns = play->contest.pairs && play->met[white][black] % 2 == 1;

    CHECK(white != black);
    check_return(play, pairing);
    CHECK(!play->contest.entrants[white].left && !play->contest.entrants[black].left);
    play->met[white][black]++;
    play->met[black][white]++;
    play->colors[white]++;
    play->colors[black]--;
    if (play->contest.format == FORMAT_ARENA && contest_active(&play->contest) > 2 && !returns)
        CHECK(play->last[white] != black || play->last[black] != white);
    play->last[white] = black;
    play->last[black] = white;
}

static void note(struct play *play, const struct contest_pairing *pairing)
{
    if (pairing_has_match(pairing)) {
        note_match(play, pairing);
        return;
    }
    CHECK(pairing->result != PAIRING_OPEN);
    play->byes[pairing->white] += pairing->black == NOBODY;
    play->given2 += pairing->result == PAIRING_VOID ? 0 : 2;
}

static void find_states(const struct play *play, enum entrant_state states[])
{
    for (int i = 0; i < play->contest.entrant_count; i++)
        states[i] = ENTRANT_FREE;
    for (int i = 0; i < play->contest.pairings.count; i++) {
        const struct contest_pairing *pairing = &play->contest.pairings.rows[i];
        if (pairing->result == PAIRING_OPEN)
            states[pairing->white] = states[pairing->black] = ENTRANT_PLAYING;
    }
}

/* The same record gives the same pairings. */
static void check_reproduced(const struct play *play, const enum entrant_state states[],
                             const struct pairing_list *next)
{
    struct pairing_list again = {0};

    next_round(&play->contest, states, &again);
    CHECK_INT(again.count, next->count);
    for (int i = 0; i < again.count && i < next->count; i++)
        CHECK(again.rows[i].white == next->rows[i].white &&
              again.rows[i].black == next->rows[i].black);
    pairing_list_release(&again);
}

static bool is_here(const struct play *play, int entrant)
{
    return entrant != NOBODY && !play->contest.entrants[entrant].left;
}

/* In a Swiss everybody who has not left is paired in every round; those who come in the middle of
 * a round of two matches wait for the next one. */
static void check_all_paired(const struct play *play, const struct pairing_list *next)
{
    int paired = 0;

    for (int i = 0; i < next->count; i++)
        paired += is_here(play, next->rows[i].white) + is_here(play, next->rows[i].black);
    if (play->contest.format == FORMAT_SWISS && next->count > 0 &&
        !(play->contest.pairs && play->people_come))
        CHECK_INT(paired, contest_active(&play->contest));
}

static void pair(struct play *play)
{
    struct pairing_list next = {0};
    enum entrant_state states[PLAYERS_MAX];

    find_states(play, states);
    play->over = !next_round(&play->contest, states, &next);
    check_reproduced(play, states, &next);
    check_all_paired(play, &next);
    for (int i = 0; i < next.count; i++) {
        note(play, &next.rows[i]);
        contest_add(&play->contest, next.rows[i]);
    }
    pairing_list_release(&next);
}

/* Ends the open pairing that comes first after a random one. */
static void end_a_match(struct play *play)
{
    struct contest *contest = &play->contest;

    for (int i = 0, at = random_below(contest->pairings.count); i < contest->pairings.count; i++) {
        int pairing = (at + i) % contest->pairings.count;
        if (contest->pairings.rows[pairing].result != PAIRING_OPEN)
            continue;
        contest_score(contest, pairing, random_result());
        play->points2 += 2;
        return;
    }
}

static void come_and_leave(struct play *play)
{
    struct contest *contest = &play->contest;

    if (play->people_leave && random_below(20) == 0)
        contest->entrants[random_below(contest->entrant_count)].left = true;
    if (play->people_come && random_below(20) == 0 && contest->entrant_count < PLAYERS_MAX &&
        round_takes_late(contest->format))
        contest_enter(contest, 1000 + 10 * random_below(100));
}

static void check_scores(const struct play *play)
{
    struct standing *rows = standings_make(&play->contest, false);
    int sum2 = 0;

    for (int i = 0; i < play->contest.entrant_count; i++) {
        sum2 += rows[i].points2;
        CHECK(i == 0 || rows[i].rank >= rows[i - 1].rank);
        CHECK(rows[i].performance < 4000);
    }
    CHECK_INT(sum2, play->points2 + play->given2);
    free(rows);
}

static void check_end_of(const struct play *play)
{
    const struct contest *contest = &play->contest;
    bool stays = !play->people_leave;

    for (int i = 0; i < contest->entrant_count; i++) {
        CHECK(play->byes[i] <= 1 + contest->pairs);
        if (contest->format == FORMAT_ROUND_ROBIN && stays)
            CHECK(abs(play->colors[i]) <= contest->cycles % 2);
        if (contest->format == FORMAT_SWISS)
            CHECK_THAT(abs(play->colors[i]) <= 1 + (play->people_leave || play->people_come),
                       "colours of %d differ by %d", i, play->colors[i]);
        for (int j = 0; j < i; j++) {
            int least = contest->format == FORMAT_ROUND_ROBIN && stays ? contest->cycles : 0;
            if (contest->format == FORMAT_ROUND_ROBIN)
                CHECK(play->met[i][j] >= least && play->met[i][j] <= contest->cycles);
            if (contest->format == FORMAT_SWISS)
                CHECK(play->met[i][j] <= 1 + contest->pairs);
            if (contest->format == FORMAT_KNOCKOUT)
                CHECK(play->met[i][j] <= 20);
        }
    }
}

static void check_knockout(const struct contest *contest)
{
    struct standing *rows = standings_make(contest, false);
    int winners = 0, rounds = 0;

    while (1 << rounds < contest->entrant_count)
        rounds++;
    for (int i = 0; i < contest->entrant_count; i++)
        winners += rows[i].survived == rounds;
    CHECK_INT(winners, 1);
    CHECK_INT(contest_round(contest), rounds);
    free(rows);
}

static void play_one(enum contest_format format, int number, bool pairs)
{
    struct play play;
    int ended = 0;

    check_about("%s %d%s", contest_format_text(format), number, pairs ? ", in pairs" : "");
    begin_play(&play, format, pairs);
    play.people_leave = number % 3 == 1;
    play.people_come = number % 3 == 2;
    int last = format == FORMAT_ARENA ? 150 : MATCHES_MAX;
    for (pair(&play); !play.over && ended < last; ended++) {
        end_a_match(&play);
        come_and_leave(&play);
        pair(&play);
        if (format == FORMAT_ARENA && play.contest.open == 0)
            break; /* all others have left */
    }
    CHECK(format == FORMAT_ARENA || play.over);
    while (play.contest.open > 0)
        end_a_match(&play);
    check_scores(&play);
    check_end_of(&play);
    if (format == FORMAT_KNOCKOUT)
        check_knockout(&play.contest);
    contest_release(&play.contest);
}

static void test_invariants(enum contest_format format, bool pairs)
{
    for (int i = 0; i < TOURNAMENTS; i++)
        play_one(format, i, pairs);
}

/* In an arena in pairs both play each other again at once, though others are free. */
static void test_arena_in_pairs(void)
{
    struct contest contest = {.format = FORMAT_ARENA, .pairs = true};
    enum entrant_state states[] = {ENTRANT_FREE, ENTRANT_FREE, ENTRANT_FREE, ENTRANT_FREE};
    struct pairing_list next = {0};

    check_about("an arena in pairs");
    for (int i = 0; i < 4; i++)
        contest_enter(&contest, 1500);
    for (int turn = 0; turn < 4; turn++) {
        next_round(&contest, states, &next);
        CHECK_INT(next.count, 2);
        for (int i = 0; i < next.count; i++) {
            int pairing = contest_add(&contest, next.rows[i]), before = pairing - 2;
            contest_score(&contest, pairing, PAIRING_WHITE_WINS);
            if (turn % 2 == 1)
                CHECK_INT(contest.pairings.rows[before].white, next.rows[i].black);
            CHECK_INT(contest_opening(&contest, pairing), turn / 2 * 2);
        }
        pairing_list_release(&next);
    }
    check_about("who is away is not waited for, and owes the match");
    next_round(&contest, states, &next);
    int one = next.rows[0].white, other = next.rows[0].black;
    for (int i = 0; i < next.count; i++)
        contest_score(&contest, contest_add(&contest, next.rows[i]), PAIRING_DRAW);
    pairing_list_release(&next);
    states[one] = ENTRANT_AWAY;
    next_round(&contest, states, &next);
    CHECK_INT(next.count, 1);
    CHECK(next.rows[0].white != other && next.rows[0].black != other);
    pairing_list_release(&next);
    contest_release(&contest);
}

/* Two who are level to the end, after upsets: the better seed of the two goes on. */
static void test_level_final(void)
{
    struct contest contest = {.format = FORMAT_KNOCKOUT};
    struct pairing_list next = {0};
    int matches = 0;

    check_about("a final of draws");
    for (int i = 0; i < 4; i++)
        contest_enter(&contest, 2000 - 100 * i);
    while (next_round(&contest, NULL, &next) && matches++ < MATCHES_MAX) {
        for (int i = 0; i < next.count; i++) {
            const struct contest_pairing *row = &next.rows[i];
            bool loses = row->white == 0 || row->white == 2; /* those whom 3 and 1 meet */
            contest_score(&contest, contest_add(&contest, *row),
                          row->round == 2 ? PAIRING_DRAW
                          : loses         ? PAIRING_BLACK_WINS
                                          : PAIRING_WHITE_WINS);
        }
        pairing_list_release(&next);
    }
    struct standing *rows = standings_make(&contest, false);
    CHECK_INT(rows[0].entrant, 1);
    CHECK_INT(rows[1].entrant, 3);
    free(rows);
    contest_release(&contest);
}

/* Three are in an arena and one leaves: the other two play on, again and again. */
static void test_arena_with_one_away(void)
{
    struct contest contest = {.format = FORMAT_ARENA};
    enum entrant_state states[] = {ENTRANT_FREE, ENTRANT_FREE, ENTRANT_FREE};
    struct pairing_list next = {0};

    check_about("an arena of three, one of whom is away");
    for (int i = 0; i < 3; i++)
        contest_enter(&contest, 1500);
    for (int match = 0; match < 5; match++) {
        CHECK(next_round(&contest, states, &next));
        if (!CHECK_INT(next.count, 1))
            break;
        CHECK_INT(next.rows[0].white + next.rows[0].black, 1);
        states[0] = states[1] = ENTRANT_PLAYING;
        states[2] = ENTRANT_AWAY;
        int pairing = contest_add(&contest, next.rows[0]);
        pairing_list_release(&next);
        next_round(&contest, states, &next);
        CHECK_INT(next.count, 0);
        contest_score(&contest, pairing, PAIRING_WHITE_WINS);
        states[0] = states[1] = ENTRANT_FREE;
    }
    pairing_list_release(&next);
    check_about("who comes back is the next opponent");
    states[2] = ENTRANT_FREE;
    next_round(&contest, states, &next);
    CHECK(next.count == 1 && (next.rows[0].white == 2 || next.rows[0].black == 2));
    pairing_list_release(&next);
    check_about("nobody plays the same one again while a third is playing");
    contest_enter(&contest, 1500);
    states[2] = ENTRANT_PLAYING;
    const enum entrant_state four[] = {ENTRANT_FREE, ENTRANT_FREE, ENTRANT_PLAYING,
                                       ENTRANT_PLAYING};
    next_round(&contest, four, &next);
    CHECK_INT(next.count, 0);
    pairing_list_release(&next);
    contest_release(&contest);
}

/* Two who are away lose a match each; then the better seed goes on, and the record says so. */
static void test_absent_in_knockout(void)
{
    struct contest contest = {.format = FORMAT_KNOCKOUT};
    enum entrant_state states[] = {ENTRANT_AWAY, ENTRANT_AWAY};
    struct pairing_list next = {0};

    check_about("two absent players in a knockout");
    contest_enter(&contest, 1500);
    contest_enter(&contest, 1600);
    for (int match = 0; match < 2; match++) {
        CHECK(next_round(&contest, states, &next));
        if (!CHECK_INT(next.count, 1))
            break;
        CHECK_INT(next.rows[0].white, match == 0);
        contest_score(&contest, contest_add(&contest, next.rows[0]), PAIRING_BLACK_WINS);
        pairing_list_release(&next);
        states[match == 0] = ENTRANT_ABSENT;
    }
    CHECK(next_round(&contest, states, &next));
    if (CHECK_INT(next.count, 1)) {
        CHECK(next.rows[0].white == 1 && next.rows[0].walkover);
        CHECK_INT(next.rows[0].result, PAIRING_WHITE_WINS);
        contest_add(&contest, next.rows[0]);
    }
    pairing_list_release(&next);
    CHECK(!next_round(&contest, NULL, &next));
    check_about("one who is here again plays");
    contest.pairings.count--;
    states[0] = ENTRANT_FREE;
    CHECK(next_round(&contest, states, &next));
    CHECK(next.count == 1 && !next.rows[0].walkover);
    pairing_list_release(&next);
    contest_release(&contest);
}

/* Five players, the lower number always wins: in round 4 the leader has won all, player 1 has two
 * points and had no bye, and all others can be paired. */
static void test_bye_goes_down(void)
{
    struct contest contest = {.format = FORMAT_SWISS, .rounds = 4};
    int byes[5] = {0};

    check_about("the bye goes to the lowest score");
    for (int i = 0; i < 5; i++)
        contest_enter(&contest, 1500);
    for (int round = 1; round <= 4; round++) {
        struct pairing_list next = {0};
        CHECK(next_round(&contest, NULL, &next));
        CHECK_INT(next.count, 3);
        for (int i = 0; i < next.count; i++) {
            const struct contest_pairing *row = &next.rows[i];
            int number = contest_add(&contest, *row);
            if (row->black == NOBODY)
                byes[row->white]++;
            else
                contest_score(&contest, number,
                              row->white < row->black ? PAIRING_WHITE_WINS : PAIRING_BLACK_WINS);
        }
        pairing_list_release(&next);
    }
    CHECK_INT(byes[0], 0);
    for (int i = 1; i < 5; i++)
        CHECK_INT(byes[i], 1);
    contest_release(&contest);
}

/* Every round of a large Swiss has everybody. */
static void test_large_swiss(int players, int rounds)
{
    struct contest contest = {.format = FORMAT_SWISS, .rounds = rounds};

    check_about("Swiss of %d", players);
    for (int i = 0; i < players; i++)
        contest_enter(&contest, 1000 + random_below(1000));
    for (int round = 1; round <= contest.rounds; round++) {
        struct pairing_list next = {0};
        CHECK(next_round(&contest, NULL, &next));
        CHECK_INT(next.count, (players + 1) / 2);
        for (int i = 0; i < next.count; i++) {
            int number = contest_add(&contest, next.rows[i]);
            if (next.rows[i].result == PAIRING_OPEN)
                contest_score(&contest, number, random_result());
        }
        pairing_list_release(&next);
    }
    struct pairing_list next = {0};
    CHECK(!next_round(&contest, NULL, &next));
    contest_release(&contest);
}

/* Three players, worked out by hand: 0 beats 1 and draws with 2, who loses to 1. */
static void test_standings(void)
{
    struct contest contest = {.format = FORMAT_ROUND_ROBIN, .cycles = 1};
    const struct contest_pairing record[] = {{1, 0, 1, PAIRING_WHITE_WINS, false},
                                             {2, 0, 2, PAIRING_DRAW, false},
                                             {3, 2, 1, PAIRING_BLACK_WINS, false}};

    check_about("standings");
    for (int i = 0; i < 3; i++)
        contest_enter(&contest, 1500);
    for (int i = 0; i < 3; i++)
        contest_add(&contest, record[i]);
    struct standing *rows = standings_make(&contest, false);
    for (int i = 0; i < 3; i++)
        CHECK_INT(rows[i].entrant, i);
    CHECK_INT(rows[0].points2, 3);
    CHECK_INT(rows[0].buchholz2, 2 + 1);
    CHECK_INT(rows[0].sonneborn4, 2 * 2 + 1 * 1);
    CHECK_INT(rows[1].sonneborn4, 1 * 2);
    CHECK_INT(rows[0].wins, 1);
    CHECK_INT((int)rows[0].performance, 1690); /* 1500 + 400 log10(0.75 / 0.25) */
    CHECK_INT((int)rows[1].performance, 1500);
    CHECK_INT((int)rows[0].performance_error,
              281); /* 1.96 * 400 / ln 10 / sqrt(6 * 3.5/6 * 2.5/6) */
    CHECK_INT((int)rows[1].performance_error, 278);
    free(rows);
    contest_release(&contest);

    check_about("tie breaks of a league of many matches");
    contest = (struct contest){.format = FORMAT_ARENA};
    contest_enter(&contest, 1500);
    contest_enter(&contest, 1500);
    for (int i = 0; i < 34000; i++)
        contest_add(&contest, (struct contest_pairing){i + 1, 0, 1, PAIRING_DRAW, false});
    rows = standings_make(&contest, false);
    CHECK(rows[0].buchholz2 == INT64_C(34000) * 34000);
    CHECK(rows[0].sonneborn4 == INT64_C(34000) * 34000);
    free(rows);
    contest_release(&contest);
}

int main(void)
{
    test_berger_table();
    test_standings();
    test_level_final();
    test_bye_goes_down();
    test_arena_with_one_away();
    test_arena_in_pairs();
    test_absent_in_knockout();
    for (int format = FORMAT_ROUND_ROBIN; format <= FORMAT_ARENA; format++)
        test_invariants(format, false);
    for (int format = FORMAT_ROUND_ROBIN; format <= FORMAT_ARENA; format++)
        test_invariants(format, true);
    test_large_swiss(200, swiss_rounds(200));
    test_large_swiss(LARGE - 1, 2);
    return check_end("test_tournament");
}
