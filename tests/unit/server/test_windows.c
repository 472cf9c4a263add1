/* Several windows of a player: connections that come, go and change names beside each other. */
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "fixture.h"
#include "full_disk.h"
#include "server/play/dispatch.h"
#include "server/play/lifecycle.h"
#include "server/play/presence.h"
#include "test_limits.h"

static void open_new(struct fixture *fixture, struct peer *peer)
{
    memset(peer, 0, sizeof *peer);
    open_peer(&fixture->server, peer);
}

/* Sends a line that is answered, perhaps only once its changes are kept. */
static void send_line(struct fixture *fixture, struct peer *peer, const char *line)
{
    skip(peer);
    while (!say(peer, line))
        fixture_settle(fixture);
    fixture_settle(fixture);
}

/* Opens a window under a name by a token. */
static void open_window(struct fixture *fixture, struct peer *peer, const char *name,
                        const char *token)
{
    char line[96];

    open_new(fixture, peer);
    snprintf(line, sizeof line, "hello %s token=%s", name, token);
    send_line(fixture, peer, line);
    CHECK_THAT(count(peer, "\"type\":\"ok\"") == 1, "%s", peer->output);
}

/* What a shutdown writes of players it writes at once, however many windows they have. */
static void test_shutdown(void)
{
    enum { WINDOWS = 4 };
    static struct fixture fixture;
    static struct peer anna[WINDOWS], bob;

    check_about("a shutdown notes each player once");
    fixture_begin(&fixture, &test_limits, false);
    open_new(&fixture, &anna[0]);
    send_line(&fixture, &anna[0], "hello anna");
    for (int i = 1; i < WINDOWS; i++)
        open_window(&fixture, &anna[i], "anna", anna[0].session->token);
    unsigned slots = 0;
    for (int i = 0; i < WINDOWS; i++)
        slots |= 1u << anna[i].session->window.slot;
    CHECK_INT(slots, (1 << WINDOWS) - 1); /* each has its own */
    open_new(&fixture, &bob);
    send_line(&fixture, &bob, "hello bob");
    uint64_t commits = fixture.server.tally.commits;
    server_shutdown(&fixture.server);
    CHECK_INT((int64_t)(fixture.server.tally.commits - commits), 1);
    for (int i = 0; i < WINDOWS; i++)
        CHECK_INT(count(&anna[i], "\"reason\":\"shutdown\""), 1);
    fixture_end(&fixture);
}

enum { HELLO_LINE_MAX = 96 };

/* Makes a device code, and the line that uses it. */
static void offer_device(struct fixture *fixture, struct peer *from, char line[HELLO_LINE_MAX])
{
    char code[DEVICE_CODE_MAX] = "";

    send_line(fixture, from, "device");
    const char *at = strstr(from->output, "\"code\":\"");
    if (CHECK(at != NULL))
        snprintf(code, sizeof code, "%.9s", at + strlen("\"code\":\""));
    snprintf(line, HELLO_LINE_MAX, "hello %s device=%s", from->session->player->name, code);
}

/* Opens a window by a device code. */
static void open_device(struct fixture *fixture, struct peer *from, struct peer *peer)
{
    char line[HELLO_LINE_MAX];

    offer_device(fixture, from, line);
    open_new(fixture, peer);
    send_line(fixture, peer, line);
    CHECK_THAT(count(peer, "\"type\":\"ok\"") == 1, "%s", peer->output);
}

/* A guest takes a name in one of three windows. */
static void test_names(void)
{
    static struct fixture fixture;
    static struct peer guest, phone, pad;
    char event[128], phone_token[TOKEN_TEXT_MAX];

    fixture_begin(&fixture, &test_limits, false);
    open_new(&fixture, &guest);
    open_device(&fixture, &guest, &phone);
    open_device(&fixture, &guest, &pad);
    check_about("a name that cannot be kept closes no other window");
    skip(&guest);
    skip(&phone);
    skip(&pad);
    full_disk_set(true);
    send_line(&fixture, &phone, "hello anna only=yes");
    full_disk_set(false);
    CHECK_INT(count(&phone, "\"internal\""), 1);
    CHECK_INT(guest.closed + phone.closed + pad.closed, 0);
    CHECK_INT(count(&guest, "\n") + count(&pad, "\n"), 0);
    CHECK_INT(guest.session->player->window_count, 3);
    fixture_end(&fixture);

    check_about("nor does one whose window has closed before it is kept");
    fixture_begin(&fixture, &test_limits, true);
    open_new(&fixture, &guest);
    open_device(&fixture, &guest, &phone);
    open_device(&fixture, &guest, &pad);
    CHECK(say(&phone, "hello anna only=yes"));
    presence_free(phone.session);
    fixture_settle(&fixture);
    const struct player *player = guest.session->player;
    CHECK_TEXT(player->name, "anna");
    CHECK_INT(guest.closed + pad.closed, 0);
    check_about("the windows that are left have its token, and have been told");
    snprintf(event, sizeof event, "{\"type\":\"name\",\"name\":\"anna\",\"token\":\"%s\"}\n",
             guest.session->token);
    CHECK_INT(count(&guest, event), 1);
    CHECK_INT(count(&pad, event), 1);
    CHECK_INT(player_find_token(player, guest.session->token), 1);
    fixture_end(&fixture);

    check_about("one that is kept closes the others, once it is");
    fixture_begin(&fixture, &test_limits, false);
    open_new(&fixture, &guest);
    open_device(&fixture, &guest, &phone);
    open_device(&fixture, &guest, &pad);
    skip(&guest);
    skip(&phone);
    skip(&pad);
    CHECK(say(&phone, "hello anna only=yes"));
    CHECK_INT(guest.closed + pad.closed, 0);
    fixture_settle(&fixture);
    CHECK_INT(guest.closed + pad.closed, 2);
    CHECK_TEXT(guest.output, "{\"type\":\"bye\",\"reason\":\"replaced\"}\n");
    CHECK_TEXT(pad.output, guest.output);
    const char *ok = strstr(phone.output, "\"type\":\"ok\"");
    const char *windows = strstr(phone.output, "{\"type\":\"windows\",\"count\":1}\n");
    CHECK(ok != NULL && windows != NULL && ok < windows);
    check_about("also where the window goes in that turn");
    memcpy(phone_token, phone.session->token, sizeof phone_token);
    open_window(&fixture, &guest, "anna", phone_token);
    CHECK(say(&phone, "hello anna only=yes"));
    presence_free(phone.session);
    CHECK_INT(count(&guest, "{\"type\":\"bye\",\"reason\":\"replaced\"}\n"), 1);
    fixture_settle(&fixture);
    check_about("of two windows that are to be alone one is left");
    open_window(&fixture, &guest, "anna", phone_token);
    open_window(&fixture, &pad, "anna", phone_token);
    skip(&guest);
    skip(&pad);
    CHECK(say(&pad, "hello anna only=yes"));
    CHECK(say(&guest, "hello anna only=yes"));
    fixture_settle(&fixture);
    CHECK_INT(count(&guest, "\"type\":\"ok\"") + count(&pad, "\"type\":\"ok\""), 2);
    CHECK_INT(guest.closed + pad.closed, 1);
    fixture_end(&fixture);
}

/* Who takes a device code leaves before they are answered: nobody has the token. */
static void test_device_left(bool shared)
{
    static struct fixture fixture;
    static struct server other;
    static struct peer anna, phone;
    char line[HELLO_LINE_MAX];

    fixture_begin(&fixture, &test_limits, shared);
    open_new(&fixture, &anna);
    send_line(&fixture, &anna, "hello anna");
    const struct player *player = anna.session->player;
    for (int kept = 0; kept < 2; kept++) {
        check_about("a device leaves %s its token is kept", kept ? "once" : "before");
        offer_device(&fixture, &anna, line);
        open_new(&fixture, &phone);
        CHECK(!say(&phone, line));
        if (kept) {
            fixture_settle(&fixture);
            CHECK_INT(player_token_count(player), 2);
        }
        presence_free(phone.session);
        fixture_settle(&fixture);
        CHECK(player->lock.owner == NULL && player->device == NULL);
        CHECK_INT(player_token_count(player), 1);
        CHECK_INT(player_token_at(player, 0).number, 1);
    }
    check_about("a device that cannot come in leaves no token");
    offer_device(&fixture, &anna, line);
    open_new(&fixture, &phone);
    CHECK(say(&phone, "ping"));
    static struct peer beside;
    char beside_line[HELLO_LINE_MAX];
    offer_device(&fixture, &phone, beside_line);
    open_new(&fixture, &beside);
    send_line(&fixture, &beside,
              beside_line); /* another window of the guest, which opens a match */
    CHECK(!say(&phone, line));
    send_line(&fixture, &beside, "new clobber");
    skip(&phone);
    CHECK(say(&phone, line));
    CHECK_INT(count(&phone, "\"code\":\"not-allowed\""), 1);
    fixture_settle(&fixture);
    CHECK_INT(player_token_count(player), 1);
    check_about("one that comes in keeps its own");
    open_device(&fixture, &anna, &beside);
    CHECK_INT(player_token_count(player), 2);
    CHECK_INT(player_find_token(player, beside.session->token), 5);
    if (!shared) {
        fixture_restart(&fixture, &other);
        CHECK_INT(player_token_count(players_find(&other.players, "anna")), 2);
        server_release(&other);
    }
    fixture_end(&fixture);
}

int main(void)
{
    test_shutdown();
    test_device_left(false);
    test_device_left(true);
    test_names();
    return check_end("test_windows");
}
