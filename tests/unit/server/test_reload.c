/* What a running server takes from options that are read again, and what waits for a restart. */
#include <stdio.h>

#include "check.h"
#include "server/boot/reload.h"
#include "server/play/lifecycle.h"

static struct server server;
static struct server_options options; /* that it runs with */

/* Starts a server that takes in people with a code. */
static void start(const char *code)
{
    options_init(&options);
    snprintf(options.code, sizeof options.code, "%s", code);
    server_init(&server, &options.limits);
    snprintf(server.code, sizeof server.code, "%s", code);
}

static void test_changes(void)
{
    check_about("limits, code and level change; the rest waits for a restart");
    start("old");
    struct server_options wanted = options;
    wanted.limits.idle_s = 5;
    wanted.limits.names = 7;
    wanted.limits.finished = 8;
    wanted.log_level = LOG_ERROR;
    wanted.limits.limit_loopback = true;
    wanted.no_bots = true;
    snprintf(wanted.code, sizeof wanted.code, "new");
    snprintf(wanted.data, sizeof wanted.data, "elsewhere");
    reload_apply(&server, &options, &wanted);
    CHECK_INT(server.limits.idle_s, 5);
    CHECK_INT(server.players.named_max, 7);
    CHECK_INT(server.lobby.finished_max, 8);
    CHECK_TEXT(server.code, "new");
    CHECK_INT(options.limits.idle_s, 5);
    CHECK_INT(options.log_level, LOG_ERROR);
    CHECK_TEXT(options.data, "");
    CHECK(!options.no_bots && options.limits.limit_loopback && server.limits.limit_loopback);
    server_release(&server);
}

static void test_code_stays(void)
{
    check_about("a code is not taken away");
    start("new");
    struct server_options wanted = options;
    wanted.code[0] = '\0';
    reload_apply(&server, &options, &wanted);
    CHECK_TEXT(server.code, "new");
    CHECK_TEXT(options.code, "new");
    snprintf(wanted.code, sizeof wanted.code, "newer");
    wanted.open = true;
    reload_apply(&server, &options, &wanted);
    CHECK_TEXT(server.code, "new");
    server_release(&server);
}

static void test_open_stays(void)
{
    check_about("an open server stays open");
    start("new");
    options.open = true;
    server.code[0] = '\0';
    struct server_options wanted = options;
    snprintf(wanted.code, sizeof wanted.code, "newest");
    wanted.open = false;
    reload_apply(&server, &options, &wanted);
    CHECK_TEXT(server.code, "");
    CHECK_TEXT(options.code, "new");
    server_release(&server);
}

int main(void)
{
    log_set_level(LOG_ERROR);
    test_changes();
    test_code_stays();
    test_open_stays();
    return check_end("test_reload");
}
