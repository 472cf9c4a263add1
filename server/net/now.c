#include "now.h"

void now_set(struct server *server)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    server->now_ms = (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
    server->wall_s = time(NULL);
}
