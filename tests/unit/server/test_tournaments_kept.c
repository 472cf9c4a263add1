/* Which lines of a tournament's log on PostgreSQL a server takes, and which tournaments it has in
 * memory. */
#include <string.h>

#include "check.h"
#include "fixture.h"
#include "server/keep/postgres/postgres.h"
#include "server/play/session.h"
#include "test_limits.h"

/* @ and % are the ids of anna and bob. */
#define PLAN "o @ Cup clobber 2x2 swiss 3 1 0 300000 2000 yes 0 1790000000 0"

/* What a line makes of a tournament. */
struct line_case {
    const char *line;
    bool is_taken;
    enum tournament_status status;
    int entrants, pairings; /* afterwards */
};

/* First lines: the plan. */
static const struct line_case plans[] = {
    {PLAN, true, TOURNAMENT_OPEN, 0, 0},
    {PLAN " secret", true, TOURNAMENT_OPEN, 0, 0},
    {"S winter " PLAN, true, TOURNAMENT_OPEN, 0, 0},
    {"S winter", false, 0, 0, 0},
    {"S winter ", false, 0, 0, 0},
    {"S a-name-that-is-longer-than-any-name-of-a-series-may-be-in-a-log " PLAN, false, 0, 0, 0},
    {"O nonsense @ Cup clobber 2x2 swiss 3 1 0 300000 2000 yes 0 1790000000 0", false, 0, 0, 0},
    {"j @ 1500", false, 0, 0, 0},
    {"o 77 Cup clobber 2x2 swiss 3 1 0 300000 2000 yes 0 1790000000 0", false, 0, 0, 0},
    {"o @ Cup chess 2x2 swiss 3 1 0 300000 2000 yes 0 1790000000 0", false, 0, 0, 0},
    {"o @ Cup clobber 99x99 swiss 3 1 0 300000 2000 yes 0 1790000000 0", false, 0, 0, 0},
    {"o @ Cup clobber 2x2 ladder 3 1 0 300000 2000 yes 0 1790000000 0", false, 0, 0, 0},
    {"o @ Cup clobber 2x2 swiss 3 1 0 300000 2000 none 0 1790000000 0", false, 0, 0, 0},
    {"o @ Cup clobber 2x2 swiss 3 1 0 300000", false, 0, 0, 0},
    {"o @ Cup clobber 2x2 swiss three 1 0 300000 2000 yes 0 1790000000 0", false, 0, 0, 0},
    {"o", false, 0, 0, 0},
    {"", false, 0, 0, 0},
};

/* Lines after the plan, and of some after the two before. */
#define TWO_JOIN "j @ 1500|j % 1510.5"
#define STARTED  TWO_JOIN "|t 1790000001 1 @ 1500 % 1510.5"
static const struct {
    const char *before; /* lines, with | between them */
    struct line_case next;
} changes[] = {
    {"", {"j @ 1500", true, TOURNAMENT_OPEN, 1, 0}},
    {"", {"j @", false, TOURNAMENT_OPEN, 0, 0}},
    {"", {"j 77 1500", false, TOURNAMENT_OPEN, 0, 0}},
    {"", {"l @", false, TOURNAMENT_OPEN, 0, 0}},
    {"", {"b @", true, TOURNAMENT_OPEN, 0, 0}},
    {"j @ 1500", {"l @", true, TOURNAMENT_OPEN, 1, 0}},
    {"", {"x", false, TOURNAMENT_OPEN, 0, 0}},
    {"", {"", false, TOURNAMENT_OPEN, 0, 0}},
    {"", {PLAN, false, TOURNAMENT_OPEN, 0, 0}},
    {"", {"s aborted 1790000001", true, TOURNAMENT_ABORTED, 0, 0}},
    {"", {"s asleep 1790000001", false, TOURNAMENT_OPEN, 0, 0}},
    {"", {"s over", false, TOURNAMENT_OPEN, 0, 0}},
    {TWO_JOIN, {"t 1790000001 1 @ 1500 % 1510.5", true, TOURNAMENT_RUNNING, 2, 0}},
    {TWO_JOIN, {"t 1790000001 1 @ 1500 %", false, TOURNAMENT_OPEN, 2, 0}},
    {TWO_JOIN, {"t 1790000001 1 @ 1500x", false, TOURNAMENT_OPEN, 2, 0}},
    {STARTED, {"p 1 0 1 0 0", true, TOURNAMENT_RUNNING, 2, 1}},
    {STARTED, {"P 1001 1 0 1 0 0", true, TOURNAMENT_RUNNING, 2, 1}},
    {STARTED, {"p 1 0 -1 0 1", true, TOURNAMENT_RUNNING, 2, 1}}, /* a bye */
    {STARTED, {"p 1 0 1 0", false, TOURNAMENT_RUNNING, 2, 0}},
    {STARTED, {"p 1 -1 1 0 0", false, TOURNAMENT_RUNNING, 2, 0}},
    {STARTED, {"p 1 2 1 0 0", false, TOURNAMENT_RUNNING, 2, 0}},
    {STARTED, {"p 1 0 2 0 0", false, TOURNAMENT_RUNNING, 2, 0}},
    {STARTED, {"p 1 0 -2 0 0", false, TOURNAMENT_RUNNING, 2, 0}},
    {STARTED, {"p 1 0 1 0 99", false, TOURNAMENT_RUNNING, 2, 0}},
    {STARTED, {"p 1 0 1 1 0", false, TOURNAMENT_RUNNING, 2, 0}}, /* a walkover of nobody */
    {STARTED, {"p 1 0 0 0 0", false, TOURNAMENT_RUNNING, 2, 0}},
    {STARTED, {"p 1 0 -1 0 0", false, TOURNAMENT_RUNNING, 2, 0}},
    {STARTED, {"p 0 0 1 0 0", false, TOURNAMENT_RUNNING, 2, 0}},
    {STARTED, {"p 2 0 1 0 0", false, TOURNAMENT_RUNNING, 2, 0}},
    {STARTED "|p 1 0 1 0 1", {"p 3 1 0 0 0", false, TOURNAMENT_RUNNING, 2, 1}},
    {STARTED "|p 1 0 1 0 1", {"p 2 1 0 0 0", true, TOURNAMENT_RUNNING, 2, 2}},
};

static struct fixture fixture;
static struct peer anna, bob;

/* Takes a line into tournament 1. */
static bool take_line(const char *line)
{
    struct buffer text = {0};

    for (; *line != '\0'; line++)
        if (*line == '@' || *line == '%')
            buffer_printf(&text, "%lld",
                          (long long)(*line == '@' ? &anna : &bob)->session->player->id);
        else
            buffer_printf(&text, "%c", *line);
    buffer_printf(&text, "%c", '\0');
    bool taken = tournament_log_replay_line(&fixture.server.lobby.tournaments,
                                            &fixture.server.players, 1, text.bytes);
    buffer_release(&text);
    return taken;
}

static void take_lines(const char *lines)
{
    char line[100];

    while (*lines != '\0') {
        size_t length = strcspn(lines, "|");
        snprintf(line, sizeof line, "%.*s", (int)length, lines);
        CHECK(take_line(line));
        lines += length + (lines[length] == '|');
    }
}

static void begin_server(void)
{
    fixture_begin(&fixture, &test_limits, false);
    open_peer(&fixture.server, &anna);
    open_peer(&fixture.server, &bob);
    say(&anna, "hello anna");
    say(&bob, "hello bob");
    fixture_settle(&fixture);
}

static void check_line(const struct line_case *next)
{
    CHECK_INT(take_line(next->line), next->is_taken);
    const struct tournament *tournament =
        tournaments_find_number(&fixture.server.lobby.tournaments, 1);
    CHECK_INT(tournament->status, next->status);
    CHECK_INT(tournament->contest.entrant_count, next->entrants);
    CHECK_INT(tournament->contest.pairings.count, next->pairings);
}

static void test_plans(void)
{
    for (size_t i = 0; i < LENGTH(plans); i++) {
        check_about("a log that begins with '%s'", plans[i].line);
        begin_server();
        if (plans[i].is_taken)
            check_line(&plans[i]);
        else {
            CHECK(!take_line(plans[i].line));
            CHECK(tournaments_find_number(&fixture.server.lobby.tournaments, 1) == NULL);
        }
        fixture_end(&fixture);
    }
}

static void test_changes(void)
{
    for (size_t i = 0; i < LENGTH(changes); i++) {
        check_about("after %s: '%s'", changes[i].before, changes[i].next.line);
        begin_server();
        CHECK(take_line(PLAN));
        take_lines(changes[i].before);
        check_line(&changes[i].next);
        fixture_end(&fixture);
    }
}

/* What is read of the matches of pairings. */
static void test_matches(void)
{
    struct tournaments *tournaments = &fixture.server.lobby.tournaments;

    begin_server();
    CHECK(take_line(PLAN));
    take_lines(STARTED "|p 1 0 1 0 0");
    const struct tournament *cup = tournaments_find_number(tournaments, 1);
    const struct contest_pairing *pairing = &cup->contest.pairings.rows[0];
    tournament_log_replay_match(tournaments, 2, 0, 1001, NULL, NULL);
    tournament_log_replay_match(tournaments, 1, -1, 1001, NULL, NULL);
    tournament_log_replay_match(tournaments, 1, 1, 1001, NULL, NULL);
    CHECK_INT(cup->matches[0], 0);
    tournament_log_replay_match(tournaments, 1, 0, 1001, NULL, NULL);
    CHECK_INT(cup->matches[0], 1001);
    tournament_log_replay_match(tournaments, 1, 0, 1002, NULL, NULL); /* it has one */
    CHECK_INT(cup->matches[0], 1001);
    tournament_log_replay_match(tournaments, 1, 0, 1001, "2-0", "no-moves");
    CHECK_INT(pairing->result, PAIRING_OPEN);
    tournament_log_replay_match(tournaments, 1, 0, 1001, "0-1", "no-moves");
    CHECK_INT(pairing->result, PAIRING_BLACK_WINS);
    tournament_log_replay_match(tournaments, 1, 0, 1001, "1-0", "no-moves"); /* it has ended */
    CHECK_INT(pairing->result, PAIRING_BLACK_WINS);
    fixture_end(&fixture);
}

/* The oldest tournaments that are over are forgotten when others are opened. */
static void test_forgotten(void)
{
    char line[60];

    check_about("tournaments that are over");
    begin_server();
    CHECK(say(&bob, "tournament new Open clobber:2x2 format=swiss"));
    for (int i = 2; i <= TOURNAMENTS_OVER_MAX + 4; i++) {
        CHECK(say(&anna, "tournament new Cup clobber:2x2 format=swiss"));
        fixture_settle(&fixture);
        snprintf(line, sizeof line, "tournament abort t%d", i);
        CHECK(say(&anna, line));
        fixture_settle(&fixture);
    }
    skip(&anna);
    say(&anna, "tournament show t2");
    say(&anna, "tournament show t3");
    CHECK_INT(count(&anna, "unknown-tournament"), 2);
    say(&anna, "tournament show t4");
    say(&anna, "tournament show t1"); /* it is open */
    CHECK_INT(count(&anna, "unknown-tournament"), 2);
    fixture_end(&fixture);
}

int main(void)
{
    test_plans();
    test_changes();
    test_matches();
    test_forgotten();
    return check_end("test_tournaments_kept");
}
