#include "now.h"

#include "server/play/lifecycle.h"

void now_set(struct server *server)
{
    server_pass_time(server, tally_now_us() / 1000, time(NULL));
}
