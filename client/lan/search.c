#include "search.h"

#include <avahi-common/simple-watch.h>
#include <stddef.h>
#include <time.h>

#include "asking.h"
#include "browsing.h"

static int64_t clock_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Answers come in any order: which of several is named first must not depend on it. */
static void sort(struct found_list *found)
{
    for (int i = 1; i < found->count; i++)
        for (int k = i; k > 0 && found_order(&found->list[k - 1], &found->list[k]) > 0; k--) {
            struct found entry = found->list[k];
            found->list[k] = found->list[k - 1];
            found->list[k - 1] = entry;
        }
}

bool lan_search(struct found_list *found, int duration_ms)
{
    int64_t end_ms = clock_ms() + duration_ms, left_ms;
    AvahiSimplePoll *loop = avahi_simple_poll_new();

    *found = (struct found_list){.count = 0};
    if (loop == NULL)
        return false;
    const AvahiPoll *api = avahi_simple_poll_get(loop);
    struct asking *asking = asking_open(api, found);
    struct browsing *browsing = browsing_open(api, found);
    while ((left_ms = end_ms - clock_ms()) > 0 &&
           avahi_simple_poll_iterate(loop, (int)left_ms) == 0)
        continue;
    bool asked = asking != NULL || browsing != NULL;
    browsing_close(browsing);
    asking_close(asking);
    avahi_simple_poll_free(loop);
    sort(found);
    return asked;
}
