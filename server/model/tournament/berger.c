#include "berger.h"

/* With an odd number the one too many is nobody, and their opponent has no match in that round. */
static int even(int players)
{
    return players + players % 2;
}

long berger_pairings(int players, int cycles)
{
    return (long)cycles * players * (players - 1) / 2;
}

/* Round by round the table turns by half the number of players; the last player stays, and has the
 * colours in turn. */
struct berger_pair berger_pair(int players, int round, int board)
{
    int turning = players - 1, offset = round * (players / 2) % turning;

    if (board > 0)
        return (struct berger_pair){(offset + board) % turning,
                                    (offset - board + turning) % turning};
    return round % 2 == 0 ? (struct berger_pair){offset, turning}
                          : (struct berger_pair){turning, offset};
}

bool berger_next(const struct contest *contest, struct pairing_list *next)
{
    int players = even(contest->entrant_count), round = contest_round(contest);
    int rounds = players - 1; /* of a cycle */

    if (contest->open > 0)
        return true;
    if (players < 2 || round >= rounds * contest->cycles || contest_active(contest) < 2)
        return false;
    for (int board = 0; board < players / 2; board++) {
        struct berger_pair pair = berger_pair(players, round % rounds, board);
        bool swapped = round / rounds % 2 == 1;
        if (pair.white < contest->entrant_count && pair.black < contest->entrant_count)
            pairing_list_add(next,
                             contest_meet(contest, round + 1, swapped ? pair.black : pair.white,
                                          swapped ? pair.white : pair.black));
    }
    return true;
}
