/*
 * A player's connection (client/link/uplink.c), on loopback sockets and with a simulated clock.
 */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "check.h"
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

static void accept_peer(struct wire *wire)
{
    if (wire->peer >= 0)
        close(wire->peer);
    wire->peer = accept(wire->listener, NULL, NULL);
}

/* Connects a player, or a guest if the name is "". */
static void open_wire(struct wire *wire, const char *name)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
    socklen_t length = sizeof address;

    *wire = (struct wire){.peer = -1, .now_ms = 1000};
    wire->listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    CHECK(bind(wire->listener, (struct sockaddr *)&address, sizeof address) == 0 &&
          listen(wire->listener, 1) == 0 &&
          getsockname(wire->listener, (struct sockaddr *)&address, &length) == 0);
    struct uplink *uplink = &wire->uplink;
    uplink->comes_back = true;
    uplink->retry_ms = 60000;
    uplink->hello.bot = true;
    snprintf(uplink->hello.name, sizeof uplink->hello.name, "%s", name);
    snprintf(uplink->address, sizeof uplink->address, "127.0.0.1:%d", ntohs(address.sin_port));
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

int main(void)
{
    test_welcome();
    test_guest();
    test_greetings();
    test_refusals();
    test_coming_back();
    test_giving_up();
    test_silence();
    return check_end("test_uplink");
}
