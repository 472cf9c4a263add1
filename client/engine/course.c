#include "course.h"

#include <string.h>

#include "common/move.h"

static bool is_same(const struct position *a, const struct position *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

void course_begin(struct course *course, const struct game *game, const struct position *position,
                  int ply)
{
    *course =
        (struct course){.game = game, .start = *position, .position = *position, .start_ply = ply};
}

void course_play(struct course *course, struct move move)
{
    course->game->apply(&course->position, move);
    course->moves[course->count++] = move;
}

/* Adds the move if it leads to the position. */
static bool add_last(struct course *course, const struct position *position, const char *last)
{
    struct position next = course->position;
    struct cause cause;
    struct move move;

    if (course->count == COURSE_MOVES_MAX || last == NULL ||
        !move_parse(course->game, &next, last, &move, &cause))
        return false;
    course->game->apply(&next, move);
    if (!is_same(&next, position))
        return false;
    course->moves[course->count++] = move;
    course->position = next;
    return true;
}

/* Takes moves back if that leads to the position. */
static bool take_back_moves(struct course *course, const struct position *position, int count)
{
    struct position earlier = course->start;

    if (count < 0)
        return false;
    for (int i = 0; i < count; i++)
        course->game->apply(&earlier, course->moves[i]);
    if (!is_same(&earlier, position))
        return false;
    course->count = count;
    course->position = earlier;
    return true;
}

bool course_update(struct course *course, const struct game *game, const struct position *position,
                   int ply, const char *last)
{
    int count = ply - course->start_ply;

    if (course->game == NULL) {
        course_begin(course, game, position, ply);
        return true;
    }
    if (count == course->count && is_same(position, &course->position))
        return false;
    if (!(count == course->count + 1 && add_last(course, position, last)) &&
        !(count < course->count && take_back_moves(course, position, count)))
        course_begin(course, game, position, ply);
    return true;
}
