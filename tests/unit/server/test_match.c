/* A match at its limits, and for callers that check less than the server does. */
#include <stdlib.h>

#include "check.h"
#include "common/move.h"
#include "server/model/match.h"

static void test_most_plies(void)
{
    struct position start;
    struct cause cause;
    struct match match;

    CHECK(latrunculi.start(NULL, &start, &cause));
    match_init(&match, &latrunculi, &start);
    match_start(&match, 0);
    CHECK_INT(match_play_text(&match, SEATS_WHITE, "a1a2", 0, 5, &cause), STATUS_OK);

    check_about("a match has at most PLIES_MAX plies");
    match.plies = realloc(match.plies, PLIES_MAX * sizeof *match.plies);
    if (match.plies == NULL)
        abort();
    for (int i = 1; i < PLIES_MAX; i++)
        match.plies[i] = (struct ply){.key = (uint64_t)i};
    match.ply_count = match.ply_capacity = PLIES_MAX;
    CHECK_INT(match_play_text(&match, SEATS_BLACK, "a8a7", -1, 9, &cause), STATUS_LIMIT_REACHED);
    CHECK_TEXT(cause.text, "a match has at most 10000 plies: resign, or offer a draw");
    CHECK_INT(match.ply_count, PLIES_MAX);
    match.ply_count = PLIES_MAX - 1;
    CHECK_INT(match_play_text(&match, SEATS_BLACK, "a8a7", PLIES_MAX - 1, 9, &cause), STATUS_OK);
    CHECK_INT(match.plies[PLIES_MAX - 1].took_ms, 4);
    match_release(&match);
}

/* Starts a match of Clobber 2x2, with a clock unless base_ms is 0. */
static void begin_match(struct match *match, int64_t base_ms)
{
    struct position start;
    struct cause cause;

    CHECK(clobber.start("2x2", &start, &cause));
    match_init(match, &clobber, &start);
    match->clock = (struct clock){.base_ms = base_ms, .left_ms = {base_ms, base_ms}};
    match_start(match, 1000);
}

static void test_times(void)
{
    struct cause cause;
    struct match match;

    check_about("a clock that is set back costs no time, a very long turn the longest time");
    begin_match(&match, 0);
    CHECK_INT(match_play_text(&match, SEATS_WHITE, "a2a1", -1, 500, &cause), STATUS_OK);
    CHECK_INT(match.plies[0].took_ms, 0);
    CHECK_INT(match_play_text(&match, SEATS_BLACK, "b2b1", -1, 500 + INT64_C(5000000000), &cause),
              STATUS_OK);
    CHECK_INT(match.plies[1].took_ms, UINT32_MAX);

    check_about("without a clock nothing is charged, and no flag falls");
    uint64_t revision = match.revision;
    match_charge(&match, INT64_MAX / 2);
    CHECK_INT((long long)match.revision, (long long)revision);
    CHECK(!match_timeout(&match, INT64_MAX / 2));
    match_release(&match);

    check_about("what is charged is gone");
    begin_match(&match, 5000);
    CHECK(!match_timeout(&match, 1000000)); /* the clock starts with the first move */
    CHECK_INT(match_play_text(&match, SEATS_WHITE, "a2a1", -1, 2000, &cause), STATUS_OK);
    match_charge(&match, 4000);
    CHECK_INT(match.clock.left_ms[BLACK], 3000);
    CHECK_INT(match_play_text(&match, SEATS_BLACK, "b2b1", -1, 7001, &cause), STATUS_MATCH_OVER);
    CHECK(match_timeout(&match, 7001) && match.outcome.result == RESULT_WHITE &&
          match.outcome.reason == REASON_TIMEOUT);
    match_release(&match);
}

static void test_who_asks(void)
{
    struct cause cause;
    struct match match;
    unsigned refused;
    bool agreed;

    check_about("who does not play decides nothing");
    begin_match(&match, 0);
    CHECK_INT(match_play_text(&match, SEATS_NONE, "a2a1", -1, 0, &cause), STATUS_NOT_A_PLAYER);
    CHECK_INT(match_offer(&match, SEATS_NONE, OFFER_DRAW, 0, &agreed, &cause), STATUS_NOT_A_PLAYER);
    CHECK_INT(match_resign(&match, SEATS_NONE, 0), STATUS_NOT_A_PLAYER);
    CHECK_INT(match_offer(&match, SEATS_WHITE, OFFER_DRAW, 0, &agreed, &cause), STATUS_OK);
    CHECK_INT(match_refuse(&match, SEATS_NONE, &refused), STATUS_NOT_A_PLAYER);
    CHECK_INT(match_refuse(&match, SEATS_WHITE, &refused), STATUS_NOTHING_TO_ANSWER);
    CHECK_INT(match_refuse(&match, SEATS_BOTH, &refused), STATUS_NOTHING_TO_ANSWER);
    CHECK(match.offers[OFFER_DRAW][WHITE] && !agreed);
    CHECK_INT(match_refuse(&match, SEATS_BLACK, &refused), STATUS_OK);
    CHECK_INT(refused, 1 << OFFER_DRAW);

    check_about("the other side accepts an offer");
    CHECK_INT(match_offer(&match, SEATS_BLACK, OFFER_DRAW, 0, &agreed, &cause), STATUS_OK);
    CHECK(!agreed);
    CHECK_INT(match_offer(&match, SEATS_WHITE, OFFER_DRAW, 0, &agreed, &cause), STATUS_OK);
    CHECK(agreed && match.status == MATCH_OVER && match.outcome.result == RESULT_DRAW);
    CHECK_INT(match_resign(&match, SEATS_WHITE, 0), STATUS_MATCH_OVER);
    match_release(&match);
}

static void test_long_match(void)
{
    struct match match = {.game = NULL}, draft;
    struct position start;
    struct cause cause;
    char text[MOVE_TEXT_MAX];

    check_about("a draft shares any number of plies");
    CHECK(clobber.start("10x10", &start, &cause));
    match_init(&match, &clobber, &start);
    match_start(&match, 0);
    for (int i = 0; i < 40; i++) {
        struct move moves[MOVES_MAX];
        CHECK(match.game->legal(&match.position, moves) > 0);
        draft = match_draft(&match);
        bool room = draft.ply_count < draft.ply_capacity;
        match_play(&draft, moves[0], i);
        CHECK(room == (draft.plies == match.plies));
        CHECK_INT(match.ply_count, i);
        if (i % 3 == 0) { /* dropped, and played again */
            match_release(&draft);
            draft = match_draft(&match);
            match_play(&draft, moves[0], i);
        }
        match_settle(&match, &draft);
        CHECK_INT(match.ply_count, i + 1);
        move_format(&match.start, match.plies[i].move, text);
        CHECK(text[0] != '\0');
    }
    match_release(&match);
}

int main(void)
{
    test_most_plies();
    test_times();
    test_who_asks();
    test_long_match();
    return check_end("test_match");
}
