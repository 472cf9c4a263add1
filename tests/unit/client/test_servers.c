/*
 * A player's connection to servers that share a lobby (client/link/uplink.c): which one it goes to
 * when another is lost. On loopback sockets and with a simulated clock.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "loopback.h"

/* A greeting that names the wire's own server and another one. */
static void greet_with(struct loopback *wire, int other_port)
{
    char line[512];

    snprintf(line, sizeof line,
             "{\"type\":\"hello\",\"proto\":1,\"node\":1,\"nodes\":[\"%s\",\"127.0.0.1:%d\"]}",
             wire->uplink.address, other_port);
    loopback_say(wire, line);
}

/* Goes to the other server: its listener becomes the wire's. */
static void swap_listeners(struct loopback *wire, int *other)
{
    int listener = wire->listener;

    wire->listener = *other;
    *other = listener;
}

static void begin_with_other(struct loopback *wire, int *other, int *port)
{
    *other = loopback_listen(port);
    loopback_open(wire, "gus");
    greet_with(wire, *port);
    loopback_say(wire, WELCOME);
    HEAR(wire, "hello gus bot=yes only=yes");
}

/* Loses the server and goes to the other one. */
static void change_server(struct loopback *wire, int *other)
{
    CHECK_INT(loopback_hang_up(wire), UPLINK_LOST);
    loopback_pass_time(wire);
    swap_listeners(wire, other);
    CHECK_INT(wire->uplink.stage, UPLINK_CONNECTED);
    loopback_accept(wire);
}

static void test_other_server(void)
{
    struct loopback wire;
    char address[32];
    int other, port;

    check_about("another server of the lobby is tried at once");
    begin_with_other(&wire, &other, &port);
    snprintf(address, sizeof address, "127.0.0.1:%d", port);
    wire.now_ms += BACKOFF_LASTED_MS;
    CHECK_INT(loopback_hang_up(&wire), UPLINK_LOST);
    CHECK_INT(uplink_due_ms(&wire.uplink) - wire.now_ms, 0);
    loopback_pass_time(&wire);
    swap_listeners(&wire, &other);
    loopback_accept(&wire);
    CHECK_TEXT(wire.uplink.servers.at, address);
    greet_with(&wire, port);
    HEAR(&wire, "hello gus token=t0k3n bot=yes only=yes");
    check_about("another token there is none for home");
    CHECK_INT(
        loopback_say(&wire, "{\"type\":\"ok\",\"cmd\":\"hello\",\"name\":\"gus\",\"token\":\"x\"}"),
        UPLINK_WELCOME);
    CHECK(!wire.uplink.new_token);
    CHECK_TEXT(wire.uplink.hello.token, "t0k3n");
    check_about("and back, if that one is lost soon: after a pause");
    CHECK_INT(loopback_hang_up(&wire), UPLINK_LOST);
    CHECK_INT(uplink_due_ms(&wire.uplink) - wire.now_ms, BACKOFF_FIRST_MS);
    loopback_pass_time(&wire);
    swap_listeners(&wire, &other);
    loopback_accept(&wire);
    CHECK_TEXT(wire.uplink.servers.at, wire.uplink.address);
    loopback_close(&wire);
    close(other);
}

/* Servers that say bye for such a reason are left for another one. */
static void test_farewells(void)
{
    static const char *const reasons[] = {"node-lost", "shutdown", "idle"};

    for (size_t i = 0; i < LENGTH(reasons); i++) {
        struct loopback wire;
        int other, port;
        char line[64];
        check_about("bye %s", reasons[i]);
        begin_with_other(&wire, &other, &port);
        snprintf(line, sizeof line, "{\"type\":\"bye\",\"reason\":\"%s\"}", reasons[i]);
        CHECK_INT(loopback_say(&wire, line), UPLINK_LOST);
        CHECK_INT(wire.uplink.stage, UPLINK_DOWN);
        loopback_pass_time(&wire);
        swap_listeners(&wire, &other);
        loopback_accept(&wire);
        greet_with(&wire, port);
        HEAR(&wire, "hello gus token=t0k3n bot=yes only=yes");
        loopback_close(&wire);
        close(other);
    }
}

/* Another server that refuses the token is none of the lobby: the token stays. */
static void test_refused_there(void)
{
    static const char *const codes[] = {"bad-token", "name-taken", "bad-code", "code-needed"};

    for (size_t i = 0; i < LENGTH(codes); i++) {
        struct loopback wire;
        int other, port;
        char line[128];
        check_about("another server refuses: %s", codes[i]);
        begin_with_other(&wire, &other, &port);
        change_server(&wire, &other);
        greet_with(&wire, port);
        HEAR(&wire, "hello gus token=t0k3n bot=yes only=yes");
        snprintf(line, sizeof line, "{\"type\":\"error\",\"cmd\":\"hello\",\"code\":\"%s\"}",
                 codes[i]);
        CHECK_INT(loopback_say(&wire, line), UPLINK_LOST);
        HEAR(&wire, "");
        CHECK_INT(wire.uplink.stage, UPLINK_DOWN);
        loopback_pass_time(&wire);
        swap_listeners(&wire, &other);
        loopback_accept(&wire);
        CHECK_TEXT(wire.uplink.servers.at, wire.uplink.address);
        greet_with(&wire, port);
        HEAR(&wire, "hello gus token=t0k3n bot=yes only=yes");
        loopback_close(&wire);
        close(other);
    }
}

/* A server that stands still is left within seconds, if there is another one. */
static void test_frozen_server(void)
{
    struct loopback wire;
    int other, port;

    check_about("a frozen server");
    begin_with_other(&wire, &other, &port);
    loopback_pass_time(&wire);
    HEAR(&wire, "ping");
    loopback_pass_time(&wire);
    CHECK_INT(loopback_next(&wire), UPLINK_LOST);
    CHECK_INT(wire.now_ms - LOOPBACK_START_MS, 8000);
    loopback_pass_time(&wire);
    swap_listeners(&wire, &other);
    loopback_accept(&wire);
    check_about("another one that does not greet");
    loopback_pass_time(&wire);
    CHECK_INT(loopback_next(&wire), UPLINK_LOST);
    CHECK(wire.now_ms - LOOPBACK_START_MS < 12000);
    CHECK_TEXT(wire.uplink.servers.at, wire.uplink.address);
    loopback_close(&wire);
    close(other);
}

/* A server that greets, but is cut off from the engine, cannot answer. */
static void test_no_answer(void)
{
    struct loopback wire;
    int other, port;

    check_about("another server that does not answer");
    begin_with_other(&wire, &other, &port);
    change_server(&wire, &other);
    greet_with(&wire, port);
    HEAR(&wire, "hello gus token=t0k3n bot=yes only=yes");
    int64_t since_ms = wire.now_ms;
    loopback_pass_time(&wire);
    CHECK_INT(loopback_next(&wire), UPLINK_LOST);
    CHECK_INT(wire.now_ms - since_ms, 3000);
    loopback_pass_time(&wire);
    CHECK_TEXT(wire.uplink.servers.at, wire.uplink.address);
    loopback_close(&wire);
    close(other);
}

/* Addresses from a server. */
static void test_addresses(void)
{
    static const char text[] =
        "{\"type\":\"nodes\",\"nodes\":[\"a:1\",7,\"home:7117\",\"[2001:db8::1]:2\",\"a:1\",\"b\","
        "\":3\",\"b:x\",\"b:\",\"tls://b:1\",\"b c:1\",null,\"b:2\"]}";
    struct servers servers = {.count = 0};
    cJSON *message = cJSON_Parse(text), *none = cJSON_Parse("{\"type\":\"hello\"}");
    char long_text[8192] = "{\"nodes\":[";

    check_about("addresses from a server");
    servers_init(&servers, "home:7117");
    servers_take(&servers, "home:7117", message);
    CHECK_INT(servers.count, 3);
    CHECK_TEXT(servers.others[0], "a:1");
    CHECK_TEXT(servers.others[1], "[2001:db8::1]:2");
    CHECK_TEXT(servers.others[2], "b:2");
    servers_take(&servers, "home:7117", none);
    CHECK_INT(servers.count, 3);
    check_about("they get TLS if home has it");
    servers_init(&servers, "tls://home:7117");
    servers_take(&servers, "tls://home:7117", message);
    CHECK_INT(servers.count, 3);
    CHECK_TEXT(servers.others[2], "tls://b:2");
    cJSON_Delete(message);
    cJSON_Delete(none);
    check_about("not too many, and each is tried in turn");
    for (int i = 0; i <= 2 * SERVERS_MAX; i++)
        snprintf(long_text + strlen(long_text), 32, "%s\"s%d:1\"", i > 0 ? "," : "", i);
    snprintf(long_text + strlen(long_text), 3, "]}");
    message = cJSON_Parse(long_text);
    servers_init(&servers, "home:7117");
    servers_take(&servers, "home:7117", message);
    cJSON_Delete(message);
    CHECK_INT(servers.count, SERVERS_MAX);
    for (unsigned seed = 0; seed < 2 * SERVERS_MAX; seed++) {
        servers_leave(&servers, "home:7117", seed);
        CHECK(!servers_is_home(&servers, "home:7117"));
        int tried = 1;
        while (!servers_next(&servers, "home:7117"))
            tried++;
        CHECK(servers_is_home(&servers, "home:7117") && tried <= SERVERS_MAX);
    }
}

int main(void)
{
    test_addresses();
    test_other_server();
    test_farewells();
    test_refused_there();
    test_frozen_server();
    test_no_answer();
    return check_end("test_servers");
}
