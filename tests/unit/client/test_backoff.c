/* Delays between attempts to reconnect. */
#include "check.h"
#include "client/link/uplink.h"

static void test_pauses(void)
{
    static const int first[] = {100, 200, 400, 500, 500};
    struct backoff backoff = {0, 0};
    int64_t now_ms = 1000;

    check_about("the pauses of a long absence");
    backoff_begin(&backoff, now_ms, 0);
    for (size_t i = 0; i < LENGTH(first); i++) {
        int pause_ms = backoff_next_ms(&backoff, now_ms);
        CHECK_INT(pause_ms, first[i]);
        now_ms += pause_ms;
    }
    CHECK_INT(backoff_next_ms(&backoff, 1000 + BACKOFF_SHORT_FOR_MS - 1), 500);
    CHECK_INT(backoff_next_ms(&backoff, 1000 + BACKOFF_SHORT_FOR_MS), 1000);
    CHECK_INT(backoff_next_ms(&backoff, 1000 + BACKOFF_SHORT_FOR_MS), 2000);
    CHECK_INT(backoff_next_ms(&backoff, 1000 + BACKOFF_SHORT_FOR_MS), 4000);
    CHECK_INT(backoff_next_ms(&backoff, 1000 + BACKOFF_SHORT_FOR_MS), 5000);
    CHECK_INT(backoff_next_ms(&backoff, 1000000000), 5000);
}

/* A server that keeps hanging up is not tried ten times a second. */
static void test_short_connections(void)
{
    struct backoff backoff = {0, 0};

    check_about("connections that do not last");
    backoff_begin(&backoff, 0, 0);
    CHECK_INT(backoff_next_ms(&backoff, 0), 100);
    backoff_begin(&backoff, 0, BACKOFF_LASTED_MS - 1);
    CHECK_INT(backoff_next_ms(&backoff, 0), 200);
    backoff_begin(&backoff, 1000000, 1);
    CHECK_INT(backoff_next_ms(&backoff, 2000000), 400);
    CHECK_INT(backoff_next_ms(&backoff, 2000000), 800);
    backoff_begin(&backoff, 2000000, 1);
    CHECK_INT(backoff_next_ms(&backoff, 2000000), 500);
    backoff_begin(&backoff, 2000000, BACKOFF_LASTED_MS);
    CHECK_INT(backoff_next_ms(&backoff, 2000000), 100);
}

int main(void)
{
    test_pauses();
    test_short_connections();
    return check_end("test_backoff");
}
