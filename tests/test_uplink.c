/*
 * A player's connection (client/link/uplink.c), on loopback sockets and with a simulated clock.
 */
#include <arpa/inet.h>
#include <limits.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "check.h"
#include "client/link/identity.h"
#include "client/link/uplink.h"

#define GREETING "{\"type\":\"hello\",\"proto\":1,\"name\":\"guest-1\",\"code\":false}"
#define WELCOME  "{\"type\":\"ok\",\"cmd\":\"hello\",\"name\":\"gus\",\"token\":\"t0k3n\"}"

/* Both ends. */
struct wire {
    struct uplink uplink;
    int listener, peer; /* -1: none */
    int64_t now_ms;
    cJSON *message; /* of the last event, or NULL */
};

/* A name has one token at a server: the last one that it was given. */
static void test_tokens(void)
{
    char folder[] = "/tmp/ludus-state-XXXXXX", token[TOKEN_MAX], path[PATH_MAX];
    struct cause cause;

    check_about("tokens");
    CHECK(mkdtemp(folder) != NULL);
    setenv("XDG_STATE_HOME", folder, 1);
    CHECK(token_save("here:1", "gus", "first", &cause) &&
          token_save("here:1", "gust", "another", &cause) &&
          token_save("here:1", "gus", "second", &cause));
    CHECK(token_load("here:1", "gus", token));
    CHECK_TEXT(token, "second");
    CHECK(token_load("here:1", "gust", token));
    CHECK_TEXT(token, "another");
    CHECK(!token_load("here:1", "gu", token));
    static const char *const files[] = {"ludus/tokens", "ludus/tokens.lock", "ludus", "."};
    for (size_t i = 0; i < LENGTH(files); i++) {
        snprintf(path, sizeof path, "%s/%s", folder, files[i]);
        remove(path);
    }
    rmdir(folder);
    unsetenv("XDG_STATE_HOME");
}

/* Accepts the connection, which asks for the greeting by a blank line. */
static void accept_peer(struct wire *wire)
{
    char line = '\0';

    if (wire->peer >= 0)
        close(wire->peer);
    wire->peer = accept(wire->listener, NULL, NULL);
    CHECK(recv(wire->peer, &line, 1, 0) == 1 && line == '\n');
}

/* Listens on a free port. */
static int open_listener(int *port)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
    socklen_t length = sizeof address;
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

    CHECK(bind(listener, (struct sockaddr *)&address, sizeof address) == 0 &&
          listen(listener, 1) == 0 &&
          getsockname(listener, (struct sockaddr *)&address, &length) == 0);
    *port = ntohs(address.sin_port);
    return listener;
}

/* Connects a player, or a guest if the name is "". */
static void open_wire(struct wire *wire, const char *name)
{
    *wire = (struct wire){.peer = -1, .now_ms = 1000};
    int port;
    wire->listener = open_listener(&port);
    struct uplink *uplink = &wire->uplink;
    uplink->comes_back = true;
    uplink->retry_ms = 60000;
    uplink->hello.bot = true;
    snprintf(uplink->hello.name, sizeof uplink->hello.name, "%s", name);
    snprintf(uplink->address, sizeof uplink->address, "127.0.0.1:%d", port);
    uplink_open(uplink, wire->now_ms);
    uplink_tick(uplink, wire->now_ms);
    CHECK_INT(uplink->stage, UPLINK_CONNECTED);
    accept_peer(wire);
}

static void close_wire(struct wire *wire)
{
    cJSON_Delete(wire->message);
    uplink_close(&wire->uplink);
    if (wire->peer >= 0)
        close(wire->peer);
    if (wire->listener >= 0)
        close(wire->listener);
}

static enum uplink_event next(struct wire *wire)
{
    cJSON_Delete(wire->message);
    return uplink_next(&wire->uplink, wire->now_ms, &wire->message);
}

/* Sends a line from the server and returns the resulting event. */
static enum uplink_event say(struct wire *wire, const char *line)
{
    CHECK(send(wire->peer, line, strlen(line), 0) > 0 && send(wire->peer, "\n", 1, 0) == 1);
    /* When the newline has come, both pieces have. */
    do
        uplink_receive(&wire->uplink, wire->now_ms);
    while (wire->uplink.link.used > 0 &&
           wire->uplink.link.buffer[wire->uplink.link.used - 1] != '\n');
    return next(wire);
}

/* Checks the next line to the server. */
static void hear_at(int line_number, struct wire *wire, const char *want)
{
    char line[1100] = "";

    for (size_t i = 0; i < sizeof line - 1; i++) {
        if (recv(wire->peer, &line[i], 1, MSG_DONTWAIT) != 1 || line[i] == '\n') {
            line[i] = '\0';
            break;
        }
    }
    check_text_at(__FILE__, line_number, "line", line, want);
}
#define HEAR(wire, want) hear_at(__LINE__, wire, want)

static enum uplink_event hang_up(struct wire *wire)
{
    close(wire->peer);
    wire->peer = -1;
    uplink_receive(&wire->uplink, wire->now_ms);
    return next(wire);
}

/* Lets time pass until something is due. */
static void pass_time(struct wire *wire)
{
    wire->now_ms = uplink_due_ms(&wire->uplink);
    uplink_tick(&wire->uplink, wire->now_ms);
}

static void test_welcome(void)
{
    struct wire wire;

    check_about("welcome");
    open_wire(&wire, "gus");
    CHECK_INT(wire.uplink.stage, UPLINK_CONNECTED);
    CHECK_INT(say(&wire, GREETING), UPLINK_NOTHING);
    HEAR(&wire, "hello gus bot=yes");
    CHECK_INT(say(&wire, "{\"type\":\"lobby\"}"), UPLINK_MESSAGE);
    CHECK_INT(say(&wire, WELCOME), UPLINK_WELCOME);
    CHECK_INT(wire.uplink.stage, UPLINK_IN);
    CHECK(wire.uplink.new_token && strcmp(wire.uplink.hello.token, "t0k3n") == 0);
    CHECK_INT(say(&wire, "{\"type\":\"ping\"}"), UPLINK_NOTHING);
    HEAR(&wire, "ping");
    CHECK_INT(say(&wire, WELCOME), UPLINK_MESSAGE); /* unasked */
    CHECK_INT(say(&wire, "no JSON\n[1]\n{}"), UPLINK_MESSAGE);
    CHECK_INT(say(&wire, "{\"type\":\"bye\",\"reason\":\"quit\"}"), UPLINK_LOST);
    CHECK(wire.uplink.stage == UPLINK_ENDED && wire.uplink.cause.text[0] == '\0');
    CHECK(uplink_due_ms(&wire.uplink) == INT64_MAX);
    close_wire(&wire);
}

static void test_guest(void)
{
    struct wire wire;

    check_about("guest");
    open_wire(&wire, "");
    CHECK_INT(say(&wire, GREETING), UPLINK_WELCOME);
    CHECK_TEXT(wire.uplink.name, "guest-1");
    HEAR(&wire, "");
    close_wire(&wire);
}

/* First messages other than a greeting, and the errors for them. */
static void test_greetings(void)
{
    static const struct {
        const char *line, *words;
    } rows[] = {
        {"{}", "no Ludus server answers there"},
        {"{\"type\":\"state\"}", "no Ludus server answers there"},
        {"{\"type\":\"hello\"}", "no Ludus server answers there"},
        {"{\"type\":\"hello\",\"proto\":2}", "protocol 2"},
        {"{\"type\":\"bye\",\"reason\":\"limit\"}", "takes nobody in: limit"},
        {"{\"type\":\"error\",\"code\":\"server-busy\",\"message\":\"it is full\"}", "it is full"},
        {"SSH-2.0-OpenSSH_9\r", NULL},
    };

    for (size_t i = 0; i < LENGTH(rows); i++) {
        struct wire wire;
        check_about("greeting %s", rows[i].line);
        open_wire(&wire, "gus");
        enum uplink_event event = say(&wire, rows[i].line);
        if (rows[i].words == NULL)
            event = hang_up(&wire);
        const char *words = rows[i].words != NULL ? rows[i].words : "no Ludus server answers there";
        CHECK_INT(event, UPLINK_LOST);
        CHECK_INT(wire.uplink.stage, UPLINK_ENDED);
        CHECK_THAT(strstr(wire.uplink.cause.text, words) != NULL, "%s", wire.uplink.cause.text);
        close_wire(&wire);
    }
}

static void test_refusals(void)
{
    static const struct {
        const char *code;
        enum hello_answer answer;
    } rows[] = {
        {"name-taken", HELLO_TAKEN},    {"bad-code", HELLO_BAD_CODE}, {"server-busy", HELLO_LATER},
        {"code-needed", HELLO_REFUSED}, {"bad-name", HELLO_REFUSED},
    };
    struct wire wire;
    char line[128];

    for (size_t i = 0; i < LENGTH(rows); i++) {
        check_about("refused: %s", rows[i].code);
        open_wire(&wire, "gus");
        say(&wire, GREETING);
        HEAR(&wire, "hello gus bot=yes");
        snprintf(line, sizeof line,
                 "{\"type\":\"error\",\"cmd\":\"hello\",\"code\":\"%s\",\"message\":\"no\"}",
                 rows[i].code);
        CHECK_INT(say(&wire, line), UPLINK_REFUSED);
        CHECK_INT(wire.uplink.answer, rows[i].answer);
        CHECK_TEXT(wire.uplink.cause.text, "gus: no");
        snprintf(wire.uplink.hello.name, sizeof wire.uplink.hello.name, "gus-2");
        uplink_hello(&wire.uplink, wire.now_ms);
        HEAR(&wire, "hello gus-2 bot=yes");
        CHECK_INT(say(&wire, WELCOME), UPLINK_WELCOME);
        close_wire(&wire);
    }
}

static void test_coming_back(void)
{
    struct wire wire;

    check_about("coming back");
    open_wire(&wire, "gus");
    say(&wire, GREETING);
    say(&wire, WELCOME);
    HEAR(&wire, "hello gus bot=yes");
    CHECK_INT(hang_up(&wire), UPLINK_LOST);
    CHECK_INT(wire.uplink.stage, UPLINK_DOWN);
    CHECK_INT(uplink_due_ms(&wire.uplink) - wire.now_ms, BACKOFF_FIRST_MS);
    pass_time(&wire);
    accept_peer(&wire);
    say(&wire, GREETING);
    HEAR(&wire, "hello gus token=t0k3n bot=yes");
    check_about("busy when it comes back");
    CHECK_INT(say(&wire, "{\"type\":\"error\",\"cmd\":\"hello\",\"code\":\"server-busy\"}"),
              UPLINK_LOST);
    CHECK_INT(wire.uplink.stage, UPLINK_DOWN);
    pass_time(&wire);
    accept_peer(&wire);
    say(&wire, GREETING);
    HEAR(&wire, "hello gus token=t0k3n bot=yes");
    check_about("forgotten by the server");
    CHECK_INT(say(&wire, "{\"type\":\"error\",\"cmd\":\"hello\",\"code\":\"bad-token\"}"),
              UPLINK_NOTHING);
    HEAR(&wire, "hello gus bot=yes");
    CHECK_INT(say(&wire, WELCOME), UPLINK_WELCOME);
    check_about("replaced");
    CHECK_INT(say(&wire, "{\"type\":\"bye\",\"reason\":\"replaced\"}"), UPLINK_LOST);
    CHECK(wire.uplink.stage == UPLINK_ENDED && wire.uplink.cause.text[0] != '\0');
    close_wire(&wire);
}

/* The client gives up on an absent server when the time is over, and not before. */
static void test_giving_up(void)
{
    struct wire wire;

    check_about("giving up");
    open_wire(&wire, "gus");
    say(&wire, GREETING);
    say(&wire, WELCOME);
    int64_t lost_ms = wire.now_ms;
    close(wire.listener);
    wire.listener = -1;
    hang_up(&wire);
    for (int i = 0; i < 1000 && wire.uplink.stage == UPLINK_DOWN; i++)
        pass_time(&wire);
    CHECK_INT(wire.uplink.stage, UPLINK_ENDED);
    CHECK_INT(wire.now_ms - lost_ms, 60000);
    CHECK(wire.uplink.tries > 100 && strstr(wire.uplink.cause.text, "refused") != NULL);
    close_wire(&wire);
}

static void test_silence(void)
{
    struct wire wire;

    check_about("silence");
    open_wire(&wire, "gus");
    say(&wire, GREETING);
    say(&wire, WELCOME);
    HEAR(&wire, "hello gus bot=yes");
    pass_time(&wire);
    HEAR(&wire, "ping");
    CHECK_INT(say(&wire, "{\"type\":\"pong\"}"), UPLINK_MESSAGE);
    pass_time(&wire);
    HEAR(&wire, "ping");
    CHECK_INT(next(&wire), UPLINK_NOTHING);
    pass_time(&wire);
    CHECK_INT(next(&wire), UPLINK_LOST);
    CHECK_INT(wire.uplink.stage, UPLINK_DOWN);
    close_wire(&wire);
    check_about("no greeting");
    open_wire(&wire, "gus");
    pass_time(&wire);
    CHECK_INT(next(&wire), UPLINK_LOST);
    CHECK_INT(wire.uplink.stage, UPLINK_ENDED);
    close_wire(&wire);
}

/* A greeting that names the wire's own server and another one. */
static void greet_with(struct wire *wire, int other_port)
{
    char line[512];

    snprintf(line, sizeof line,
             "{\"type\":\"hello\",\"proto\":1,\"node\":1,\"nodes\":[\"%s\",\"127.0.0.1:%d\"]}",
             wire->uplink.address, other_port);
    say(wire, line);
}

/* Goes to the other server: its listener becomes the wire's. */
static void swap_listeners(struct wire *wire, int *other)
{
    int listener = wire->listener;

    wire->listener = *other;
    *other = listener;
}

static void begin_with_other(struct wire *wire, int *other, int *port)
{
    *other = open_listener(port);
    open_wire(wire, "gus");
    greet_with(wire, *port);
    say(wire, WELCOME);
    HEAR(wire, "hello gus bot=yes");
}

/* Loses the server and goes to the other one. */
static void change_server(struct wire *wire, int *other)
{
    CHECK_INT(hang_up(wire), UPLINK_LOST);
    pass_time(wire);
    swap_listeners(wire, other);
    CHECK_INT(wire->uplink.stage, UPLINK_CONNECTED);
    accept_peer(wire);
}

static void test_other_server(void)
{
    struct wire wire;
    char address[32];
    int other, port;

    check_about("another server of the lobby is tried at once");
    begin_with_other(&wire, &other, &port);
    snprintf(address, sizeof address, "127.0.0.1:%d", port);
    wire.now_ms += BACKOFF_LASTED_MS;
    CHECK_INT(hang_up(&wire), UPLINK_LOST);
    CHECK_INT(uplink_due_ms(&wire.uplink) - wire.now_ms, 0);
    pass_time(&wire);
    swap_listeners(&wire, &other);
    accept_peer(&wire);
    CHECK_TEXT(wire.uplink.servers.at, address);
    greet_with(&wire, port);
    HEAR(&wire, "hello gus token=t0k3n bot=yes");
    check_about("another token there is none for home");
    CHECK_INT(say(&wire, "{\"type\":\"ok\",\"cmd\":\"hello\",\"name\":\"gus\",\"token\":\"x\"}"),
              UPLINK_WELCOME);
    CHECK(!wire.uplink.new_token);
    CHECK_TEXT(wire.uplink.hello.token, "t0k3n");
    check_about("and back, if that one is lost soon: after a pause");
    CHECK_INT(hang_up(&wire), UPLINK_LOST);
    CHECK_INT(uplink_due_ms(&wire.uplink) - wire.now_ms, BACKOFF_FIRST_MS);
    pass_time(&wire);
    swap_listeners(&wire, &other);
    accept_peer(&wire);
    CHECK_TEXT(wire.uplink.servers.at, wire.uplink.address);
    close_wire(&wire);
    close(other);
}

/* Servers that say bye for such a reason are left for another one. */
static void test_farewells(void)
{
    static const char *const reasons[] = {"node-lost", "shutdown", "idle"};

    for (size_t i = 0; i < LENGTH(reasons); i++) {
        struct wire wire;
        int other, port;
        char line[64];
        check_about("bye %s", reasons[i]);
        begin_with_other(&wire, &other, &port);
        snprintf(line, sizeof line, "{\"type\":\"bye\",\"reason\":\"%s\"}", reasons[i]);
        CHECK_INT(say(&wire, line), UPLINK_LOST);
        CHECK_INT(wire.uplink.stage, UPLINK_DOWN);
        pass_time(&wire);
        swap_listeners(&wire, &other);
        accept_peer(&wire);
        greet_with(&wire, port);
        HEAR(&wire, "hello gus token=t0k3n bot=yes");
        close_wire(&wire);
        close(other);
    }
}

/* Another server that refuses the token is none of the lobby: the token stays. */
static void test_refused_there(void)
{
    static const char *const codes[] = {"bad-token", "name-taken", "bad-code", "code-needed"};

    for (size_t i = 0; i < LENGTH(codes); i++) {
        struct wire wire;
        int other, port;
        char line[128];
        check_about("another server refuses: %s", codes[i]);
        begin_with_other(&wire, &other, &port);
        change_server(&wire, &other);
        greet_with(&wire, port);
        HEAR(&wire, "hello gus token=t0k3n bot=yes");
        snprintf(line, sizeof line, "{\"type\":\"error\",\"cmd\":\"hello\",\"code\":\"%s\"}",
                 codes[i]);
        CHECK_INT(say(&wire, line), UPLINK_LOST);
        HEAR(&wire, "");
        CHECK_INT(wire.uplink.stage, UPLINK_DOWN);
        pass_time(&wire);
        swap_listeners(&wire, &other);
        accept_peer(&wire);
        CHECK_TEXT(wire.uplink.servers.at, wire.uplink.address);
        greet_with(&wire, port);
        HEAR(&wire, "hello gus token=t0k3n bot=yes");
        close_wire(&wire);
        close(other);
    }
}

/* A server that stands still is left within seconds, if there is another one. */
static void test_frozen_server(void)
{
    struct wire wire;
    int other, port;

    check_about("a frozen server");
    begin_with_other(&wire, &other, &port);
    pass_time(&wire);
    HEAR(&wire, "ping");
    pass_time(&wire);
    CHECK_INT(next(&wire), UPLINK_LOST);
    CHECK_INT(wire.now_ms - 1000, 8000);
    pass_time(&wire);
    swap_listeners(&wire, &other);
    accept_peer(&wire);
    check_about("another one that does not greet");
    pass_time(&wire);
    CHECK_INT(next(&wire), UPLINK_LOST);
    CHECK(wire.now_ms - 1000 < 12000);
    CHECK_TEXT(wire.uplink.servers.at, wire.uplink.address);
    close_wire(&wire);
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
    test_tokens();
    test_addresses();
    test_other_server();
    test_farewells();
    test_refused_there();
    test_frozen_server();
    test_welcome();
    test_guest();
    test_greetings();
    test_refusals();
    test_coming_back();
    test_giving_up();
    test_silence();
    return check_end("test_uplink");
}
