#include "now.h"

void now_set(struct server *server)
{
    server->now_ms = tally_now_us() / 1000;
    server->wall_s = time(NULL);
}
