#include "result.h"

#include <stdlib.h>

const char *ending_text(enum ending ending)
{
    static const char *const texts[ENDINGS] = {[ENDING_RULES] = "rules",
                                               [ENDING_PLIES] = "plies",
                                               [ENDING_TIME] = "time",
                                               [ENDING_ILLEGAL] = "illegal",
                                               [ENDING_CRASH] = "crash"};

    return texts[ending];
}

int white_player(int number)
{
    return number % 2;
}

int first_player_points(const struct result_of_match *result)
{
    enum result won = white_player(result->number) == 0 ? RESULT_WHITE : RESULT_BLACK;

    if (result->outcome.result == RESULT_DRAW)
        return 1;
    return result->outcome.result == won ? 2 : 0;
}

int player_at_fault(const struct result_of_match *result)
{
    if (result->ending < ENDING_TIME)
        return -1;
    return first_player_points(result) == 0 ? 0 : 1;
}

void result_free(struct result_of_match *result)
{
    if (result == NULL)
        return;
    free(result->moves);
    free(result);
}
