/* The referee where transcripts do not reach: failed writes, a changed calendar, a suspended
 * server. */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "server/play/dispatch.h"
#include "server/play/due.h"
#include "server/play/lifecycle.h"
#include "server/play/presence.h"
#include "server/play/referee.h"

enum { START_S = 1767225600, DAY_S = 86400 };

static void ignore_write(void *context, const char *bytes, size_t length)
{
    (void)context, (void)bytes, (void)length;
}

static void ignore_close(void *context)
{
    (void)context;
}

static struct session *connect_as(struct server *server, const char *hello)
{
    struct session *session =
        presence_open(server, (struct sink){.write = ignore_write, .close = ignore_close}, NULL);

    dispatch_line(session, hello, strlen(hello));
    return session;
}

static void say(struct session *session, const char *line)
{
    dispatch_line(session, line, strlen(line));
}

static struct server *new_server(void)
{
    static const struct limits limits = {.unfinished = 1000,
                                         .watchers = 100,
                                         .first_line_s = 86400,
                                         .names = 10,
                                         .matches = 10,
                                         .finished = 10,
                                         .errors = 10,
                                         .idle_s = 60,
                                         .text_idle_s = 60,
                                         .grace_s = 120,
                                         .abandon_days = 14,
                                         .bot_stall_s = 600};
    struct server *server = malloc(sizeof *server);

    if (server == NULL)
        abort();
    server_init(server, &limits);
    server->now_ms = server->started_ms = 5000;
    server->wall_s = START_S;
    return server;
}

static void free_server(struct server *server, struct session *session)
{
    server_shutdown(server);
    if (session != NULL)
        presence_free(session);
    server_release(server);
    free(server);
}

static void test_retry(void)
{
    struct server *server = new_server();
    struct session *anna = connect_as(server, "hello anna");

    check_about("a failed write is retried a second later");
    CHECK_INT(server_next_deadline_ms(server), -1);
    say(anna, "new clobber white=me black=me clock=3");
    say(anna, "move 1 b1c1");
    struct table *table = lobby_find(&server->lobby, "1");
    CHECK_INT(server_next_deadline_ms(server), 8000);
    due_retry(server, table);
    CHECK_INT(server_next_deadline_ms(server), 8000);
    server->now_ms = 8000;
    due_retry(server, table);
    CHECK_INT(server_next_deadline_ms(server), 9000);
    server_run_deadlines(server);
    referee_enforce(server, table);
    CHECK_INT(table->match.status, MATCH_PLAYING);
    server->now_ms = 9000;
    server_run_deadlines(server);
    CHECK_INT(table->match.outcome.reason, REASON_TIMEOUT);
    CHECK_INT(server_next_deadline_ms(server), -1);
    due_retry(server, table);
    CHECK_INT(server_next_deadline_ms(server), -1);
    free_server(server, anna);
}

static void test_late_timer(void)
{
    struct server *server = new_server();
    struct session *anna = connect_as(server, "hello anna");

    check_about("a command finds a flag fallen, even before the timer has fired");
    say(anna, "new clobber white=me black=me clock=3");
    say(anna, "move 1 b1c1");
    server->now_ms = 8000;
    say(anna, "move a2a1");
    const struct match *match = &lobby_find(&server->lobby, "1")->match;
    CHECK_INT(match->ply_count, 1);
    CHECK_INT(match->outcome.reason, REASON_TIMEOUT);
    CHECK_INT(anna->errors_in_row, 1);
    free_server(server, anna);
}

static void test_other_limits(void)
{
    struct server *server = new_server();
    struct session *anna = connect_as(server, "hello anna bot=yes");
    struct limits limits = server->limits;

    check_about("new limits apply to running matches");
    say(anna, "new clobber white=me black=me");
    CHECK_INT(server_next_deadline_ms(server), 605000);
    limits.bot_stall_s = 10;
    server_set_limits(server, &limits);
    CHECK_INT(server_next_deadline_ms(server), 15000);
    say(anna, "new clobber white=me black=me clock=3");
    say(anna, "move 2 b1c1");
    limits.bot_stall_s = 20;
    server_set_limits(server, &limits);
    CHECK_INT(server_next_deadline_ms(server), 8000);
    free_server(server, anna);

    server = new_server();
    anna = connect_as(server, "hello anna");
    limits = server->limits;
    say(anna, "new clobber white=me black=me");
    presence_free(anna);
    limits.abandon_days = 1;
    server_set_limits(server, &limits);
    CHECK_INT(server_next_deadline_ms(server), 5000 + 1000LL * DAY_S);
    free_server(server, NULL);
}

static void test_calendar(void)
{
    struct server *server = new_server();
    struct session *anna = connect_as(server, "hello anna");

    check_about("days are counted by the calendar");
    say(anna, "new clobber white=me black=me");
    struct table *table = lobby_find(&server->lobby, "1");
    CHECK_INT(server_next_deadline_ms(server), -1);
    presence_free(anna);
    int64_t due_ms = 5000 + 14LL * DAY_S * 1000;
    CHECK_INT(server_next_deadline_ms(server), due_ms);
    server->now_ms = due_ms;
    server->wall_s = START_S + 13 * DAY_S; /* it was set back meanwhile */
    server_run_deadlines(server);
    CHECK_INT(table->match.status, MATCH_PLAYING);
    CHECK_INT(server_next_deadline_ms(server), due_ms + 1000LL * DAY_S);
    server->now_ms += 1000LL * DAY_S;
    server->wall_s = START_S + 14 * DAY_S;
    server_run_deadlines(server);
    CHECK_INT(table->match.outcome.reason, REASON_ABORTED);

    check_about("and continue on a new server");
    anna = connect_as(server, "hello bob");
    say(anna, "new clobber");
    table = lobby_find(&server->lobby, "2");
    presence_free(anna);
    table->changed_s = table->seats[WHITE].player->seen_s = server->wall_s - 13 * DAY_S;
    due_watch(server, table);
    CHECK_INT(server_next_deadline_ms(server), server->now_ms + 1000LL * DAY_S);
    table->changed_s = server->wall_s; /* such as a move of a present bot */
    due_watch(server, table);
    CHECK_INT(server_next_deadline_ms(server), server->now_ms + 14000LL * DAY_S);
    table->changed_s = table->seats[WHITE].player->seen_s = server->wall_s - 15 * DAY_S;
    due_watch(server, table);
    server_run_deadlines(server);
    CHECK_INT(table->match.outcome.reason, REASON_ABORTED);
    free_server(server, NULL);
}

static void test_house_bot(void)
{
    struct server *server = new_server();
    struct session *anna = connect_as(server, "hello anna");

    check_about("a house bot keeps no match");
    house_bots_add_levels(&server->house, "greedy");
    server_add_levels(server);
    players_find(&server->players, "bot:greedy")->here = true;
    say(anna, "new clobber white=me black=bot:greedy");
    CHECK_INT(server_next_deadline_ms(server), -1);
    presence_free(anna);
    CHECK_INT(server_next_deadline_ms(server), 5000 + 14000LL * DAY_S);
    free_server(server, NULL);
}

/* The process was suspended, or a disk blocked it. */
static void test_stopped(void)
{
    struct server *server = new_server();
    struct session *anna = connect_as(server, "hello anna");

    check_about("no peer is idle before a ping, however long the server slept");
    server->now_ms += 600 * 1000;
    server_tick(server);
    CHECK(!session_is_closing(anna) && anna->pinged);
    server->now_ms += 29999;
    server_tick(server);
    CHECK(!session_is_closing(anna));
    say(anna, "");
    CHECK(!anna->pinged);
    server->now_ms += 600 * 1000;
    server_tick(server);
    CHECK(!session_is_closing(anna) && anna->pinged);
    server->now_ms += 30000;
    server_tick(server);
    CHECK(session_is_closing(anna));
    free_server(server, anna);
}

static void test_stood_still(void)
{
    struct server *server = new_server();
    struct session *anna = connect_as(server, "hello anna");

    check_about("time in which the server stood still is charged to nobody");
    say(anna, "new clobber white=me black=me clock=10");
    say(anna, "move 1 b1c1");
    int64_t begun_ms = server->now_ms;
    server_pass_time(server, begun_ms + 1000, 0);
    CHECK_INT(server_next_deadline_ms(server), begun_ms + 10000);
    server_pass_time(server, begun_ms + 1000 + 15000, 0);
    server_run_deadlines(server);
    CHECK_INT(lobby_find(&server->lobby, "1")->match.status, MATCH_PLAYING);
    CHECK_INT(server_next_deadline_ms(server), begun_ms + 15000 + 10000);
    server_pass_time(server, begun_ms + 1000 + 15000 + 2999, 0);
    CHECK_INT(server_next_deadline_ms(server), begun_ms + 15000 + 10000);
    free_server(server, anna);
}

int main(void)
{
    test_retry();
    test_late_timer();
    test_other_limits();
    test_calendar();
    test_house_bot();
    test_stopped();
    test_stood_still();
    return check_end("test_referee");
}
