/*
 * A player's connection (client/link/uplink.c) to one server, on loopback sockets and with a
 * simulated clock.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "client/link/identity.h"
#include "loopback.h"

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

static void test_welcome(void)
{
    struct loopback wire;

    check_about("welcome");
    loopback_open(&wire, "gus");
    CHECK_INT(wire.uplink.stage, UPLINK_CONNECTED);
    CHECK_INT(loopback_say(&wire, GREETING), UPLINK_NOTHING);
    HEAR(&wire, "hello gus bot=yes only=yes");
    CHECK_INT(loopback_say(&wire, "{\"type\":\"lobby\"}"), UPLINK_MESSAGE);
    CHECK_INT(loopback_say(&wire, WELCOME), UPLINK_WELCOME);
    CHECK_INT(wire.uplink.stage, UPLINK_IN);
    CHECK(wire.uplink.new_token && strcmp(wire.uplink.hello.token, "t0k3n") == 0);
    CHECK_INT(loopback_say(&wire, "{\"type\":\"ping\"}"), UPLINK_NOTHING);
    HEAR(&wire, "ping");
    CHECK_INT(loopback_say(&wire, WELCOME), UPLINK_MESSAGE); /* unasked */
    CHECK_INT(loopback_say(&wire, "no JSON\n[1]\n{}"), UPLINK_MESSAGE);
    CHECK_INT(loopback_say(&wire, "{\"type\":\"bye\",\"reason\":\"quit\"}"), UPLINK_LOST);
    CHECK(wire.uplink.stage == UPLINK_ENDED && wire.uplink.cause.text[0] == '\0');
    CHECK(uplink_due_ms(&wire.uplink) == INT64_MAX);
    loopback_close(&wire);
}

static void test_guest(void)
{
    struct loopback wire;

    check_about("guest");
    loopback_open(&wire, "");
    CHECK_INT(loopback_say(&wire, GREETING), UPLINK_WELCOME);
    CHECK_TEXT(wire.uplink.name, "guest-1");
    HEAR(&wire, "");
    check_about("a guest who is given a name in another window comes back under that");
    CHECK_INT(loopback_say(&wire, "{\"type\":\"name\",\"name\":\"gus\",\"token\":\"t0k3n\"}"),
              UPLINK_MESSAGE);
    CHECK(wire.uplink.new_token);
    CHECK_TEXT(wire.uplink.name, "gus");
    CHECK_TEXT(wire.uplink.hello.name, "gus");
    CHECK_TEXT(wire.uplink.hello.token, "t0k3n");
    loopback_close(&wire);
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
        struct loopback wire;
        check_about("greeting %s", rows[i].line);
        loopback_open(&wire, "gus");
        enum uplink_event event = loopback_say(&wire, rows[i].line);
        if (rows[i].words == NULL)
            event = loopback_hang_up(&wire);
        const char *words = rows[i].words != NULL ? rows[i].words : "no Ludus server answers there";
        CHECK_INT(event, UPLINK_LOST);
        CHECK_INT(wire.uplink.stage, UPLINK_ENDED);
        CHECK_THAT(strstr(wire.uplink.cause.text, words) != NULL, "%s", wire.uplink.cause.text);
        loopback_close(&wire);
    }
}

static void test_refusals(void)
{
    static const struct {
        const char *code;
        enum hello_answer answer;
        bool about_name;
    } rows[] = {
        {"name-taken", HELLO_TAKEN, true},     {"bad-code", HELLO_BAD_CODE, false},
        {"server-busy", HELLO_LATER, false},   {"rate-limited", HELLO_LATER, false},
        {"code-needed", HELLO_REFUSED, false}, {"bad-name", HELLO_REFUSED, true},
        {"not-allowed", HELLO_REFUSED, true},
    };
    struct loopback wire;
    char line[128], cause[LINK_ADDRESS_MAX + 8];

    for (size_t i = 0; i < LENGTH(rows); i++) {
        check_about("refused: %s", rows[i].code);
        loopback_open(&wire, "gus");
        loopback_say(&wire, GREETING);
        HEAR(&wire, "hello gus bot=yes only=yes");
        snprintf(line, sizeof line,
                 "{\"type\":\"error\",\"cmd\":\"hello\",\"code\":\"%s\",\"message\":\"no\"}",
                 rows[i].code);
        CHECK_INT(loopback_say(&wire, line), UPLINK_REFUSED);
        CHECK_INT(wire.uplink.answer, rows[i].answer);
        snprintf(cause, sizeof cause, "%s: no", rows[i].about_name ? "gus" : wire.uplink.address);
        CHECK_TEXT(wire.uplink.cause.text, cause);
        snprintf(wire.uplink.hello.name, sizeof wire.uplink.hello.name, "gus-2");
        uplink_hello(&wire.uplink, wire.now_ms);
        HEAR(&wire, "hello gus-2 bot=yes only=yes");
        CHECK_INT(loopback_say(&wire, WELCOME), UPLINK_WELCOME);
        loopback_close(&wire);
    }
}

static void test_coming_back(void)
{
    struct loopback wire;

    check_about("coming back");
    loopback_open(&wire, "gus");
    loopback_say(&wire, GREETING);
    loopback_say(&wire, WELCOME);
    HEAR(&wire, "hello gus bot=yes only=yes");
    CHECK_INT(loopback_hang_up(&wire), UPLINK_LOST);
    CHECK_INT(wire.uplink.stage, UPLINK_DOWN);
    CHECK_INT(uplink_due_ms(&wire.uplink) - wire.now_ms, BACKOFF_FIRST_MS);
    loopback_pass_time(&wire);
    loopback_accept(&wire);
    loopback_say(&wire, GREETING);
    HEAR(&wire, "hello gus token=t0k3n bot=yes only=yes");
    check_about("busy when it comes back");
    CHECK_INT(
        loopback_say(&wire, "{\"type\":\"error\",\"cmd\":\"hello\",\"code\":\"server-busy\"}"),
        UPLINK_LOST);
    CHECK_INT(wire.uplink.stage, UPLINK_DOWN);
    loopback_pass_time(&wire);
    loopback_accept(&wire);
    loopback_say(&wire, GREETING);
    HEAR(&wire, "hello gus token=t0k3n bot=yes only=yes");
    check_about("forgotten by the server");
    CHECK_INT(loopback_say(&wire, "{\"type\":\"error\",\"cmd\":\"hello\",\"code\":\"bad-token\"}"),
              UPLINK_NOTHING);
    HEAR(&wire, "hello gus bot=yes only=yes");
    CHECK_INT(loopback_say(&wire, WELCOME), UPLINK_WELCOME);
    check_about("revoked, and by the code of another device");
    CHECK_INT(loopback_say(&wire, "{\"type\":\"bye\",\"reason\":\"revoked\"}"), UPLINK_LOST);
    CHECK(wire.uplink.stage == UPLINK_ENDED && wire.uplink.cause.text[0] != '\0');
    loopback_close(&wire);
    loopback_open(&wire, "gus");
    snprintf(wire.uplink.hello.device, sizeof wire.uplink.hello.device, "ABCD-2345");
    loopback_say(&wire, GREETING);
    HEAR(&wire, "hello gus device=ABCD-2345 bot=yes only=yes");
    CHECK_INT(loopback_say(&wire, WELCOME), UPLINK_WELCOME);
    CHECK(wire.uplink.hello.device[0] == '\0' && wire.uplink.hello.token[0] != '\0');
    check_about("replaced");
    CHECK_INT(loopback_say(&wire, "{\"type\":\"bye\",\"reason\":\"replaced\"}"), UPLINK_LOST);
    CHECK(wire.uplink.stage == UPLINK_ENDED && wire.uplink.cause.text[0] != '\0');
    loopback_close(&wire);
}

/* The client gives up on an absent server when the time is over, and not before. */
static void test_giving_up(void)
{
    struct loopback wire;

    check_about("giving up");
    loopback_open(&wire, "gus");
    loopback_say(&wire, GREETING);
    loopback_say(&wire, WELCOME);
    int64_t lost_ms = wire.now_ms;
    close(wire.listener);
    wire.listener = -1;
    loopback_hang_up(&wire);
    for (int i = 0; i < 1000 && wire.uplink.stage == UPLINK_DOWN; i++)
        loopback_pass_time(&wire);
    CHECK_INT(wire.uplink.stage, UPLINK_ENDED);
    CHECK_INT(wire.now_ms - lost_ms, 60000);
    CHECK(wire.uplink.tries > 100 && strstr(wire.uplink.cause.text, "refused") != NULL);
    loopback_close(&wire);
}

static void test_silence(void)
{
    struct loopback wire;

    check_about("silence");
    loopback_open(&wire, "gus");
    loopback_say(&wire, GREETING);
    loopback_say(&wire, WELCOME);
    HEAR(&wire, "hello gus bot=yes only=yes");
    loopback_pass_time(&wire);
    HEAR(&wire, "ping");
    CHECK_INT(loopback_say(&wire, "{\"type\":\"pong\"}"), UPLINK_MESSAGE);
    loopback_pass_time(&wire);
    HEAR(&wire, "ping");
    CHECK_INT(loopback_next(&wire), UPLINK_NOTHING);
    loopback_pass_time(&wire);
    CHECK_INT(loopback_next(&wire), UPLINK_LOST);
    CHECK_INT(wire.uplink.stage, UPLINK_DOWN);
    loopback_close(&wire);
    check_about("silence that people notice");
    loopback_open(&wire, "gus");
    wire.uplink.quiet_ms = 15000;
    loopback_say(&wire, GREETING);
    loopback_say(&wire, WELCOME);
    CHECK_INT(uplink_due_ms(&wire.uplink), wire.uplink.heard_ms + 15000);
    loopback_close(&wire);
    check_about("no greeting");
    loopback_open(&wire, "gus");
    loopback_pass_time(&wire);
    CHECK_INT(loopback_next(&wire), UPLINK_LOST);
    CHECK_INT(wire.uplink.stage, UPLINK_ENDED);
    loopback_close(&wire);
}

int main(void)
{
    test_tokens();
    test_welcome();
    test_guest();
    test_greetings();
    test_refusals();
    test_coming_back();
    test_giving_up();
    test_silence();
    return check_end("test_uplink");
}
