/* Tests from which openings the matches of a tournament start, and that a newer
 * version changes none. */
#include <string.h>

#include "check.h"
#include "common/opening.h"
#include "server/model/tournament.h"

static struct players players;
static struct tournaments tournaments;

/* Makes a round robin of two players in pairs, from `known` balanced openings. */
static struct tournament *make_tournament(const char *variant, int known, int number)
{
    struct tournament_plan plan = {.game = game_find("clobber", 7),
                                   .format = FORMAT_ROUND_ROBIN,
                                   .cycles = 2,
                                   .openings = OPENINGS_BALANCED,
                                   .openings_known = known,
                                   .director =
                                       players_add_stored(&players, number, PLAYER_NAMED, "anna")};
    struct cause cause;

    CHECK(plan.game->start(variant, &plan.start, &cause));
    struct tournament *tournament = tournament_new(&tournaments, &plan, number);
    tournaments_add(&tournaments, tournament);
    for (int i = 0; i < 2; i++)
        tournament_add_entrant(tournament, plan.director, 1500, false);
    for (int round = 1; round <= 2; round++)
        tournament_add_pairing(
            tournament,
            (struct contest_pairing){.round = round, .white = round == 2, .black = round == 1}, 0);
    return tournament;
}

/* The number of the balanced opening of a pairing; -1: it begins elsewhere. */
static int opening_of(const struct tournament *tournament, int pairing)
{
    const struct tournament_plan *plan = &tournament->plan;
    struct position start, end;
    struct opening opening;

    tournament_opening(tournament, pairing, &start);
    for (int i = 0; opening_find(plan->game, &plan->start, i, &opening); i++)
        if (opening_play(plan->game, &opening, &end) && memcmp(&end, &start, sizeof end) == 0)
            return i;
    return -1;
}

static void test_known_ones(void)
{
    enum { BEFORE = 5, TRIES = 40 };
    bool found[BEFORE] = {false};

    check_about("a match starts from an opening that was known when the "
                "tournament was opened");
    for (int number = 1; number <= TRIES; number++) {
        const struct tournament *tournament = make_tournament("5x6", BEFORE, number);
        int opening = opening_of(tournament, 0);
        if (CHECK(opening >= 0 && opening < BEFORE))
            found[opening] = true;
        check_about("its return match starts there, too");
        CHECK_INT(opening_of(tournament, 1), opening);
    }
    check_about("each of these is used");
    for (int i = 0; i < BEFORE; i++)
        CHECK(found[i]);
    check_about("one that was opened before their number was kept");
    CHECK(opening_of(make_tournament("5x6", 0, TRIES + 1), 0) >= 0);
}

/* A version that knows fewer, or none, starts where the variant does. */
static void test_unknown_ones(void)
{
    struct position start;

    check_about("none is known of the variant");
    struct tournament *tournament = make_tournament("2x2", 0, 100);
    tournament_opening(tournament, 0, &start);
    CHECK(memcmp(&start, &tournament->plan.start, sizeof start) == 0);
    check_about("nor as many as a later version had");
    tournament = make_tournament("2x2", 7, 101);
    tournament_opening(tournament, 0, &start);
    CHECK(memcmp(&start, &tournament->plan.start, sizeof start) == 0);
}

static void test_texts(void)
{
    static const struct row {
        const char *text;
        int openings, known;
    } rows[] = {{"balanced", OPENINGS_BALANCED, 0},
                {"balanced:32", OPENINGS_BALANCED, 32},
                {"random:3", 3, 0}};
    char text[OPENINGS_TEXT_MAX];

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct tournament_plan plan = {.openings = OPENINGS_NONE};
        check_about("%s", rows[i].text);
        CHECK(openings_parse_kept(rows[i].text, &plan));
        CHECK_INT(plan.openings, rows[i].openings);
        CHECK_INT(plan.openings_known, rows[i].known);
        openings_format_kept(&plan, text);
        CHECK_TEXT(text, rows[i].text);
    }
    struct tournament_plan plan = {.openings = OPENINGS_NONE};
    check_about("what is none");
    CHECK(!openings_parse_kept("balanced:0", &plan));
    CHECK(!openings_parse_kept("balanced:", &plan));
    CHECK(!openings_parse_kept("balanced:x", &plan));
}

int main(void)
{
    players_init(&players, 1000);
    tournaments_init(&tournaments);
    test_known_ones();
    test_unknown_ones();
    test_texts();
    tournaments_release(&tournaments);
    players_release(&players);
    return check_end("test_tournament_openings");
}
