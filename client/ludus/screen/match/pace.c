#include "pace.h"

#include "client/link/clock_ms.h"

enum { PACE_MIN_MS = 125, PACE_MAX_MS = 8000 };

/* Sets the pace for all that is played back from now on. */
static void change_pace(struct pace *pace, struct stage *stage, bool faster)
{
    int pace_ms = faster ? stage->pace_ms / 2 : stage->pace_ms * 2;

    if (pace_ms >= PACE_MIN_MS && pace_ms <= PACE_MAX_MS)
        stage->pace_ms = pace_ms;
    pace->due_ms = 0;
    if (stage->pace_ms <= 1000)
        stage_notice(stage,
                     text_counted("%d move a second", "%d moves a second",
                                  (unsigned long)(1000 / stage->pace_ms)),
                     1000 / stage->pace_ms);
    else
        stage_notice(stage, "A move every %d seconds", stage->pace_ms / 1000);
}

bool pace_take(struct pace *pace, struct stage *stage, enum action action)
{
    if (action == ACTION_PAUSE) {
        pace->runs = !pace->runs;
        pace->due_ms = 0;
    } else if (action == ACTION_FASTER || action == ACTION_SLOWER) {
        change_pace(pace, stage, action == ACTION_FASTER);
    } else {
        return false;
    }
    return true;
}

bool pace_is_due(struct pace *pace, struct stage *stage, bool more)
{
    int64_t now_ms = clock_ms();

    if (!pace->runs || !more) {
        pace->due_ms = 0;
        return false;
    }
    bool due = pace->due_ms != 0 && pace->due_ms <= now_ms;
    if (due || pace->due_ms == 0)
        pace->due_ms = now_ms + stage->pace_ms;
    stage->wake_ms = pace->due_ms;
    return due;
}
