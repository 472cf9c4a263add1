/* What a match does at its limits, which no transcript reaches. */
#include <stdlib.h>

#include "check.h"
#include "server/match.h"

int main(void)
{
    struct position start;
    struct cause cause;
    struct match match;

    CHECK(latrunculi.start(NULL, &start, &cause));
    match_init(&match, &latrunculi, &start);
    match_start(&match, 0);
    CHECK_INT(match_play(&match, SEATS_WHITE, "a1a2", 0, 5, &cause), STATUS_OK);

    check_about("a match has at most PLIES_MAX plies");
    match.plies = realloc(match.plies, PLIES_MAX * sizeof *match.plies);
    if (match.plies == NULL)
        abort();
    for (int i = 1; i < PLIES_MAX; i++)
        match.plies[i] = (struct ply){.key = (uint64_t)i};
    match.ply_count = match.ply_capacity = PLIES_MAX;
    CHECK_INT(match_play(&match, SEATS_BLACK, "a8a7", -1, 9, &cause), STATUS_LIMIT_REACHED);
    CHECK_TEXT(cause.text, "a match has at most 10000 plies: resign, or offer a draw");
    CHECK_INT(match.ply_count, PLIES_MAX);
    match.ply_count = PLIES_MAX - 1;
    CHECK_INT(match_play(&match, SEATS_BLACK, "a8a7", PLIES_MAX - 1, 9, &cause), STATUS_OK);
    CHECK_INT(match.plies[PLIES_MAX - 1].took_ms, 4);
    match_release(&match);
    return check_end("test_match");
}
