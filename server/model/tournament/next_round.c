#include "next_round.h"

#include "arena_pairing.h"
#include "berger.h"
#include "knockout.h"
#include "swiss.h"

bool next_round(const struct contest *contest, const bool idle[], struct pairing_list *next)
{
    switch (contest->format) {
    case FORMAT_ROUND_ROBIN:
        return berger_next(contest, next);
    case FORMAT_SWISS:
        return swiss_next(contest, next);
    case FORMAT_KNOCKOUT:
        return knockout_next(contest, next);
    default:
        return arena_next(contest, idle, next);
    }
}

bool next_round_takes_late(enum contest_format format)
{
    return format == FORMAT_SWISS || format == FORMAT_ARENA;
}
