#include "search_question.h"

bool question_is_due(const struct search_question *question, uint64_t nodes)
{
    const struct search_limits *limits = &question->limits;

    return atomic_load_explicit(question->stop, memory_order_relaxed) || nodes >= limits->nodes ||
           (limits->deadline_ms != INT64_MAX && clock_ms() >= limits->deadline_ms);
}

/* A hard move may take several shares. */
enum { HARD_MOVE = 3 };

/* A move gets a share of the time left and most of the increment. It never takes more than half of
 * the time left, or a third of the rest beyond its share, and never touches the reserve: the
 * overhead, or a twentieth of the time left if that is more. */
struct clock_share clock_share(int64_t left_ms, int64_t increment_ms, int moves,
                               int64_t overhead_ms)
{
    int64_t reserve_ms = left_ms / 20 > overhead_ms ? left_ms / 20 : overhead_ms;
    int64_t usable_ms = left_ms - reserve_ms < left_ms / 2 ? left_ms - reserve_ms : left_ms / 2;
    int64_t target_ms = left_ms / (moves > 1 ? moves : 1) + increment_ms * 3 / 4;

    if (usable_ms <= 0)
        return (struct clock_share){0, 0};
    if (target_ms > usable_ms)
        target_ms = usable_ms;
    int64_t more_ms = (HARD_MOVE - 1) * target_ms, rest_ms = (usable_ms - target_ms) / 3;
    return (struct clock_share){target_ms, target_ms + (more_ms < rest_ms ? more_ms : rest_ms)};
}
