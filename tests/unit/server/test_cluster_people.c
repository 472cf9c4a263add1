/* Players who come, go and move between servers that share a lobby, and servers that go. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "check.h"
#include "server/play/lifecycle.h"
#include "server/play/presence.h"
#include "sites.h"
#include "test_limits.h"

static void test_names(void)
{
    sites_begin();
    enter(&anna, 1, "anna");
    check_about("a name holds everywhere");
    visit(&bob, 2);
    ask(&bob, "hello Anna");
    GETS(bob, "\"code\":\"name-taken\"");
    ask(&bob, "hello anna token=x");
    GETS(bob, "\"code\":\"bad-token\"");
    ask(&bob, "hello nobody token=x");
    CHECK_INT(count(&bob.peer, "\"code\":\"bad-token\""), 2);
    check_about("coming back elsewhere alone replaces");
    enter(&carl, 3, "carl");
    ask(&carl, "new clobber:2x2 black=anna");
    ask(&anna, "join 3001");
    skip_all();
    struct client before = anna;
    come_back(&dora, 2, "nobody"); /* no effect on others */
    skip_all();
    char line[64];
    snprintf(line, sizeof line, "hello anna only=yes token=%s", tokens[0]);
    ask(&bob, line);
    GETS(bob, "\"cmd\":\"hello\",\"name\":\"anna\"");
    GETS(bob, "\"match\":\"3001\"");
    GETS_NOT(bob, "windows");
    GETS(anna, "{\"type\":\"bye\",\"reason\":\"replaced\"}\n");
    GETS_NOT(anna, "windows");
    CHECK(anna.peer.closed > before.peer.closed);
    GETS_NOT(carl, "\"online\":false");
    ask(&carl, "move a2a1");
    GETS(bob, "\"ply\":1,\"turn\":\"black\"");
    check_about("a server that dies later takes only those with it who are there");
    skip_all();
    anna.peer.session = NULL;
    site_kill(1);
    GETS_NOT(carl, "presence");
    sites_end();
}

/* A name in one's own letters: set at one server, it is shown and kept from others at all. */
static void test_display_names(void)
{
    start_match("new clobber:2x2");
    check_about("a display name is shown elsewhere");
    ask(&anna, "set display=Jo\u00E3o");
    GETS(anna, "{\"type\":\"ok\",\"cmd\":\"set\",\"display\":\"Jo\u00E3o\"}");
    skip_all();
    ask(&bob, "who");
    GETS(bob, "\"name\":\"anna\",\"display\":\"Jo\u00E3o\"");
    skip_all();
    ask(&bob, "state 1001");
    GETS(bob, "\"white\":{\"name\":\"anna\",\"display\":\"Jo\u00E3o\"");
    ask(&bob, "list");
    GETS(bob, "\"white_display\":\"Jo\u00E3o\"");
    ask(&anna, "seek shakti");
    skip_all();
    ask(&bob, "seeks");
    GETS(bob, "\"name\":\"anna\",\"display\":\"Jo\u00E3o\"");
    check_about("nobody elsewhere can have one that looks so, nor such a name");
    skip_all();
    ask(&bob, "set display=J0\u00C3O");
    GETS(bob, "\"code\":\"name-taken\"");
    visit(&carl, 3);
    ask(&carl, "hello joao");
    GETS(carl, "\"code\":\"name-taken\"");
    ask(&carl, "hello dora");
    ask(&carl, "set display=Bob");
    CHECK_INT(count(&carl.peer, "\"code\":\"name-taken\""), 2);
    check_about("it outlives its server");
    site_kill(1);
    site_start_again(1);
    skip_all();
    ask(&bob, "history anna");
    GETS(bob, "\"name\":\"anna\",\"display\":\"Jo\u00E3o\"");
    anna.peer.session = NULL;
    come_back(&anna, 1, "anna");
    GETS(anna, "\"cmd\":\"hello\",\"name\":\"anna\",\"display\":\"Jo\u00E3o\"");
    ask(&bob, "set display=Joao");
    CHECK_INT(count(&bob.peer, "\"code\":\"name-taken\""), 1);
    check_about("once it is taken away, it is anybody's");
    ask(&anna, "set display=");
    skip_all();
    ask(&bob, "set display=Joao");
    GETS(bob, "\"display\":\"Joao\"");
    skip_all();
    ask(&carl, "who");
    GETS(carl, "\"name\":\"bob\",\"display\":\"Joao\"");
    GETS_NOT(carl, "Jo\u00E3o");
    sites_end();
}

/* A site compares all of its matches and players so often in a few seconds. */
static void compare(int site)
{
    for (int second = 0; second < 5; second++) {
        server_tick(&sites[site]);
        sites_settle();
    }
}

/* Several windows of a player at one server. */
static void test_windows(void)
{
    char line[64];

    start_match("new clobber:2x2");
    check_about("a second window at the same server");
    visit(&carl, 1);
    skip_all();
    snprintf(line, sizeof line, "hello anna token=%s", tokens[0]);
    ask(&carl, line);
    GETS(carl, "\"match\":\"1001\"");
    CHECK_TEXT(anna.peer.output, "{\"type\":\"windows\",\"count\":2}\n");
    CHECK_TEXT(bob.peer.output, "");
    check_about("both hear of moves there and elsewhere");
    ask(&carl, "move a2a1");
    GETS(anna, "\"ply\":1");
    GETS(carl, "\"ply\":1,\"turn\"");
    GETS(bob, "\"ply\":1");
    ask(&bob, "move b2b1");
    GETS(anna, "\"ply\":2");
    GETS(carl, "\"ply\":2");
    check_about("the first one goes: nobody has left");
    skip_all();
    hang_up(&anna);
    CHECK_TEXT(bob.peer.output, "");
    CHECK_INT(sites_sql("SELECT coalesce(node, 0) FROM player WHERE name = 'anna'"), 1);
    check_about("a server of theirs that is told of a third window, and of the end of all");
    visit(&dora, 1);
    ask(&dora, line);
    hang_up(&dora);
    GETS_NOT(bob, "presence");
    hang_up(&carl);
    GETS(bob, "\"name\":\"anna\",\"color\":\"white\",\"online\":false");
    CHECK_INT(sites_sql("SELECT coalesce(node, 0) FROM player WHERE name = 'anna'"), 0);
    sites_end();
}

/* Comes to a name at another site, where the player may be already; with the output from the
 * greeting on. */
static void add_window(struct client *client, int site, const char *name, int token)
{
    char line[80];

    visit(client, site);
    skip(&client->peer);
    snprintf(line, sizeof line, "hello %s token=%s", name, tokens[token]);
    ask(client, line);
}

static int rows_of(const char *name)
{
    return sites_sql("SELECT count(*) FROM here JOIN player p ON p.id = player WHERE name = '%s'",
                     name);
}

/* Windows of Anna at sites 1 and 3, where Carl is her. */
static void test_windows_elsewhere(void)
{
    start_match("new clobber:5x6");
    check_about("a window at another server");
    skip_all();
    add_window(&carl, 3, "anna", 0);
    GETS(carl, "\"match\":\"1001\"");
    GETS(carl, "{\"type\":\"windows\",\"count\":2}");
    CHECK_TEXT(anna.peer.output, "{\"type\":\"windows\",\"count\":2}\n");
    CHECK_TEXT(bob.peer.output, "");
    check_about("both get moves, chat and challenges");
    skip_all();
    ask(&carl, "move b1c1");
    ask(&bob, "move e1d1");
    ask(&anna, "say 1001 hello");
    ask(&bob, "new shakti black=anna");
    const struct client *both[] = {&anna, &carl};
    for (int i = 0; i < 2; i++) {
        GETS(*both[i], "\"ply\":1,");
        GETS(*both[i], "\"ply\":2,");
        GETS(*both[i], "\"type\":\"chat\"");
        GETS(*both[i], "\"type\":\"challenge\"");
    }
    check_about("two move at once: one is first");
    skip_all();
    send_line(&anna, "move 1001 a2b2 ply=2");
    send_line(&carl, "move 1001 a2b2 ply=2");
    sites_settle();
    CHECK_INT(count(&anna.peer, "\"cmd\":\"move\",\"match\"") +
                  count(&carl.peer, "\"cmd\":\"move\",\"match\""),
              1);
    CHECK_INT(count(&anna.peer, "\"code\":") + count(&carl.peer, "\"code\":"), 1);
    check_about("two come at once, at two servers: both are let in");
    char line[80];
    for (int i = 0; i < 10; i++) {
        hang_up(&carl);
        hang_up(&anna);
        visit(&anna, 1);
        visit(&carl, 3);
        skip_all();
        snprintf(line, sizeof line, "hello anna token=%s", tokens[0]);
        send_line(&anna, line);
        send_line(&carl, line);
        sites_settle();
        GETS(anna, "\"cmd\":\"hello\",\"name\"");
        GETS(carl, "\"cmd\":\"hello\",\"name\"");
    }
    check_about("who has one window left is here, and one who has none is not");
    skip_all();
    hang_up(&anna);
    CHECK_TEXT(carl.peer.output, "{\"type\":\"windows\",\"count\":1}\n");
    CHECK_TEXT(bob.peer.output, "");
    CHECK_INT(sites_sql("SELECT node FROM player WHERE name = 'anna' AND away IS NULL"), 3);
    sites_pass_time(200000);
    ask(&bob, "claim 1001");
    GETS(bob, "\"code\":\"not-allowed\"");
    skip_all();
    hang_up(&carl);
    GETS(bob, "\"name\":\"anna\",\"color\":\"white\",\"online\":false");
    CHECK_INT(rows_of("anna"), 0);
    CHECK_INT(
        sites_sql("SELECT 1 FROM player WHERE name = 'anna' AND node IS NULL AND away IS NOT NULL"),
        1);
    sites_end();
}

static void test_windows_and_dead_servers(void)
{
    start_match("new clobber:5x6");
    add_window(&carl, 3, "anna", 0);
    add_window(&dora, 3, "anna", 0);
    check_about("a server dies with two of three windows");
    skip_all();
    carl.peer.session = dora.peer.session = NULL;
    site_kill(3);
    GETS(anna, "{\"type\":\"windows\",\"count\":1}");
    GETS_NOT(bob, "presence");
    CHECK_INT(
        sites_sql("SELECT node FROM player WHERE name = 'anna' AND away IS NULL AND cut IS NULL"),
        1);
    skip_all();
    ask(&anna, "move b1c1");
    GETS(bob, "\"ply\":1");
    check_about("and another one with the last of them");
    anna.peer.session = NULL;
    site_kill(1);
    GETS(bob, "\"name\":\"anna\",\"color\":\"white\",\"online\":false");
    CHECK_INT(
        sites_sql("SELECT 1 FROM player WHERE name = 'anna' AND node IS NULL AND cut IS NOT NULL"),
        1);
    sites_end();
}

static void test_only(void)
{
    start_match("new clobber:5x6");
    check_about("a window that is to be the only one, when it comes");
    add_window(&carl, 3, "anna", 0);
    skip_all();
    char line[80];
    snprintf(line, sizeof line, "hello anna token=%s only=yes", tokens[0]);
    visit(&dora, 3);
    ask(&dora, line);
    GETS(anna, "{\"type\":\"bye\",\"reason\":\"replaced\"}");
    GETS(carl, "{\"type\":\"bye\",\"reason\":\"replaced\"}");
    GETS_NOT(dora, "windows");
    GETS_NOT(bob, "presence");
    CHECK_INT(rows_of("anna"), 1);
    check_about("or later");
    add_window(&anna, 1, "anna", 0);
    add_window(&carl, 1, "anna", 0);
    skip_all();
    ask(&anna, "hello anna only=yes");
    const char *reply = strstr(anna.peer.output, "\"cmd\":\"hello\"");
    CHECK(reply != NULL && strstr(reply, "\"windows\"") != NULL); /* in this order */
    GETS(anna, "\"count\":1}");
    GETS(carl, "replaced");
    GETS(dora, "replaced");
    GETS_NOT(bob, "presence");
    CHECK_INT(rows_of("anna"), 1);
    check_about("with a token that is wrong, or right");
    add_window(&carl, 3, "anna", 0);
    skip_all();
    ask(&anna, "hello anna only=yes token=x");
    GETS(anna, "\"code\":\"bad-token\"");
    GETS_NOT(carl, "replaced");
    ask(&anna, line);
    GETS(carl, "replaced");
    check_about("of two who are to be the only one at once, at two servers, one stays");
    add_window(&carl, 3, "anna", 0);
    skip_all();
    send_line(&anna, "hello anna only=yes");
    send_line(&carl, "hello anna only=yes");
    sites_settle();
    CHECK_INT(count(&anna.peer, "replaced") + count(&carl.peer, "replaced"), 1);
    CHECK_INT(rows_of("anna"), 1);
    GETS_NOT(bob, "presence");
    if (count(&anna.peer, "replaced") == 1) {
        add_window(&anna, 1, "anna", 0);
        hang_up(&carl);
    }
    check_about("nobody is told");
    add_window(&carl, 3, "anna", 0);
    skip_all();
    sites_sql(
        "CREATE OR REPLACE FUNCTION leave_others(me int, who bigint, new_login int) RETURNS void"
        " LANGUAGE sql AS 'DELETE FROM here WHERE player = who AND node <> me'");
    ask(&anna, line);
    GETS_NOT(carl, "bye");
    compare(3);
    GETS(carl, "replaced");
    GETS_NOT(bob, "presence");
    CHECK_INT(rows_of("anna"), 1);
    sites_end();
}

/* What is kept of windows is compared with what there is. */
static void test_counts(void)
{
    start_match("new clobber:5x6");
    add_window(&carl, 3, "anna", 0);
    check_about("a row that is lost, and one that is wrong");
    sites_sql("DELETE FROM here WHERE node = 1");
    sites_sql("UPDATE player SET login = (SELECT max(login) - 1 FROM here) WHERE name = 'anna'");
    sites_sql("UPDATE here SET windows = '{1,1,1}' WHERE node = 3");
    compare(3);
    compare(1);
    CHECK_INT(sites_sql("SELECT cardinality(windows) FROM here WHERE node = 3"), 1);
    CHECK_INT(rows_of("anna"), 2);
    GETS_NOT(anna, "bye");
    check_about("a row of somebody who is not there, or is about to come");
    sites_sql("INSERT INTO here SELECT id, 2, login, '{1}' FROM player WHERE name = 'anna'");
    compare(1);
    for (int second = 0; second < 4; second++) {
        server_tick(&sites[2]);
        sites_settle();
    }
    CHECK_INT(rows_of("anna"), 3);
    skip_all();
    compare(2);
    CHECK_INT(rows_of("anna"), 2);
    GETS(anna, "{\"type\":\"windows\",\"count\":2}");
    check_about("tokens tells of connections at all servers");
    skip_all();
    ask(&carl, "tokens");
    GETS(carl, "\"connections\":2,\"own\":true}");
    sites_end();
}

/* Offers a device code; returns it. */
static const char *offer(struct client *client)
{
    static char code[DEVICE_CODE_MAX];

    skip(&client->peer);
    ask(client, "device");
    const char *at = strstr(client->peer.output, "\"code\":\"");
    if (CHECK_THAT(at != NULL, "%s", client->peer.output))
        snprintf(code, sizeof code, "%.9s", at + strlen("\"code\":\""));
    return code;
}

/* Connects to a site, and says hello with a device code. */
static void use_code(struct client *client, int site, const char *name, const char *code)
{
    char line[100];

    visit(client, site);
    skip(&client->peer);
    snprintf(line, sizeof line, "hello %s device=%s client=phone", name, code);
    ask(client, line);
}

/* Reads the token from a reply to hello. */
static void read_token(const struct client *client, char token[TOKEN_TEXT_MAX])
{
    const char *at = strstr(client->peer.output, "\"token\":\"");

    if (CHECK_THAT(at != NULL, "%s", client->peer.output))
        snprintf(token, TOKEN_TEXT_MAX, "%.32s", at + strlen("\"token\":\""));
}

static void test_tokens(void)
{
    char code[DEVICE_CODE_MAX], phone[TOKEN_TEXT_MAX], line[100];

    start_match("new clobber:2x2");
    check_about("a code is taken at another server, once");
    snprintf(code, sizeof code, "%s", offer(&bob));
    use_code(&carl, 1, "bob", "ABCD-2345");
    GETS(carl, "\"code\":\"bad-code\"");
    use_code(&carl, 1, "anna", code);
    GETS(carl, "\"code\":\"bad-code\"");
    use_code(&carl, 3, "bob", code);
    GETS(carl, "{\"type\":\"ok\",\"cmd\":\"hello\",\"name\":\"bob\",\"token\":\"");
    GETS(carl, "\"match\":\"1001\"");
    read_token(&carl, phone);
    use_code(&dora, 3, "bob", code);
    GETS(dora, "\"code\":\"bad-code\"");
    check_about("all servers know both tokens");
    skip_all();
    ask(&carl, "tokens");
    GETS(carl, "{\"token\":1,\"label\":\"\"");
    GETS(carl, "{\"token\":2,\"label\":\"phone\"");
    GETS(carl, "\"connections\":1,\"own\":true}");
    hang_up(&carl);
    visit(&carl, 2);
    snprintf(line, sizeof line, "hello bob token=%s", phone);
    ask(&carl, line);
    GETS(carl, "\"match\":\"1001\"");
    check_about("a new code replaces an older one, and one is too old after five minutes");
    snprintf(code, sizeof code, "%s", offer(&carl));
    offer(&carl);
    use_code(&dora, 1, "bob", code);
    GETS(dora, "\"code\":\"bad-code\"");
    snprintf(code, sizeof code, "%s", offer(&carl));
    sites_sql("UPDATE device SET until = until - interval '5 min'");
    use_code(&dora, 1, "bob", code);
    GETS(dora, "\"code\":\"bad-code\"");
    check_about("whoever is first gets the code");
    snprintf(code, sizeof code, "%s", offer(&carl));
    hang_up(&bob);
    snprintf(line, sizeof line, "hello bob device=%s", code);
    visit(&bob, 1);
    visit(&dora, 2);
    skip_all();
    send_line(&bob, line);
    send_line(&dora, line);
    sites_settle();
    CHECK_INT(count(&bob.peer, "\"token\":") + count(&dora.peer, "\"token\":"), 1);
    CHECK_INT(count(&bob.peer, "bad-code") + count(&dora.peer, "bad-code"), 1);
    CHECK_INT(sites_sql("SELECT count(*) FROM token"), 4); /* of Bob, and Anna's first */
    sites_end();
}

static void test_revoked(void)
{
    char code[DEVICE_CODE_MAX], phone[TOKEN_TEXT_MAX], line[100];

    start_match("new clobber:2x2");
    check_about("a token that ends at one server ends at all");
    snprintf(code, sizeof code, "%s", offer(&anna));
    use_code(&carl, 1, "anna", code);
    read_token(&carl, phone);
    visit(&dora, 1);
    skip_all();
    ask(&anna, "revoke 2");
    GETS(anna, "{\"type\":\"ok\",\"cmd\":\"revoke\"");
    GETS(carl, "{\"type\":\"bye\",\"reason\":\"revoked\"}");
    visit(&carl, 2);
    skip_all();
    snprintf(line, sizeof line, "hello anna token=%s", phone);
    ask(&carl, line);
    GETS(carl, "\"code\":\"bad-token\"");
    GETS_NOT(anna, "bye");
    check_about("the last one stays, and no number is given twice");
    ask(&anna, "revoke 1");
    GETS(anna, "\"message\":\"that is your only token\"");
    ask(&anna, "revoke 7");
    GETS(anna, "you have no token 7");
    snprintf(code, sizeof code, "%s", offer(&anna));
    use_code(&carl, 1, "anna", code);
    skip_all();
    ask(&anna, "tokens");
    GETS(anna, "\"token\":3");
    check_about("of two who end each other's token one stays");
    use_code(&carl, 2, "anna", offer(&anna));
    skip_all();
    ask(&anna, "revoke 3");
    skip_all();
    send_line(&anna, "revoke 4");
    send_line(&carl, "revoke 1");
    sites_settle();
    CHECK_INT(count(&anna.peer, "\"cmd\":\"revoke\"}") + count(&carl.peer, "\"cmd\":\"revoke\"}"),
              1);
    CHECK_INT(
        sites_sql("SELECT count(*) FROM token JOIN player ON id = player WHERE name = 'anna'"), 1);
    check_about("what nobody tells is seen some seconds later");
    skip_all();
    sites_sql("INSERT INTO token SELECT id, 9, '\\x%064d', '', 0 FROM player WHERE name = 'bob'",
              7);
    sites_sql("DELETE FROM token WHERE number = 1 AND player = (SELECT id FROM player WHERE name = "
              "'bob')");
    CHECK_TEXT(bob.peer.output, "");
    compare(2);
    GETS(bob, "{\"type\":\"bye\",\"reason\":\"revoked\"}");
    check_about("the first token of a name that a server before has made");
    enter(&bob, 3, "boris");
    sites_sql("DELETE FROM token WHERE player = (SELECT id FROM player WHERE name = 'boris')");
    snprintf(code, sizeof code, "%s", offer(&bob));
    compare(3);
    GETS_NOT(bob, "bye");
    use_code(&dora, 1, "boris", code);
    GETS(dora, "\"token\":\"");
    skip_all();
    ask(&dora, "tokens");
    GETS(dora, "{\"token\":1,\"label\":\"\",\"date\":null");
    ask(&dora, "revoke 1");
    GETS(dora, "\"cmd\":\"revoke\"}");
    snprintf(line, sizeof line, "hello boris token=%s", tokens[1]);
    visit(&bob, 2);
    ask(&bob, line);
    GETS(bob, "\"code\":\"bad-token\"");
    sites_end();
}

/* A match that is opened with a player whom this server believes to be elsewhere. */
static void test_gone_unnoticed(void)
{
    start_match("new clobber:2x2");
    check_about("a rematch with a player who has gone since");
    ask(&anna, "resign");
    ask(&bob, "rematch");
    hang_up(&bob);
    skip_all();
    ask(&anna, "rematch");
    GETS(anna,
         "{\"type\":\"presence\",\"match\":\"1002\",\"name\":\"bob\",\"color\":\"white\","
         "\"online\":false,\"claim_ms\":1"); /* 2 minutes, but what has passed at the database */
    sites_pass_time(120000);
    skip_all();
    ask(&anna, "claim 1002");
    GETS(anna, "\"reason\":\"forfeit\"");
    sites_end();
}

/* Nobody registers site 2 for a match from now on, so that it is told nothing. */
static void keep_site_2_unregistered(void)
{
    sites_sql("CREATE OR REPLACE FUNCTION deaf() RETURNS trigger LANGUAGE plpgsql AS"
              " 'BEGIN RETURN NULL; END'");
    sites_sql("CREATE TRIGGER deaf BEFORE INSERT ON interest FOR EACH ROW WHEN (new.node = 2)"
              " EXECUTE FUNCTION deaf()");
}

/* Changes of which nobody tells. */
static void test_untold(void)
{
    sites_begin();
    enter(&anna, 1, "anna");
    enter(&bob, 2, "bob");
    keep_site_2_unregistered();
    check_about("a challenge of which nobody tells");
    ask(&anna, "new clobber:2x2 black=bob");
    CHECK_TEXT(bob.peer.output, "");
    compare(2);
    GETS(bob, "{\"type\":\"challenge\",\"match\":\"1001\"");
    check_about("and changes");
    skip_all();
    ask(&bob, "join 1001");
    skip_all();
    ask(&anna, "move 1001 a2a1");
    CHECK_TEXT(bob.peer.output, "");
    compare(2);
    GETS(bob, "\"match\":\"1001\"");
    GETS(bob, "\"ply\":1,\"turn\":\"black\"");
    check_about("the end, and a rematch that runs");
    skip_all();
    ask(&anna, "resign 1001");
    CHECK_TEXT(bob.peer.output, "");
    compare(2);
    GETS(bob, "\"reason\":\"resign\"");
    ask(&bob, "rematch 1001");
    skip_all();
    ask(&anna, "rematch 1001");
    GETS(anna, "\"new\":\"1002\"");
    GETS_NOT(bob, "\"match\":\"1002\"");
    compare(2);
    GETS(bob, "\"match\":\"1002\",\"game\":\"clobber\",\"variant\":\"2x2\",\"status\":\"playing\"");
    check_about("what was told is not told again");
    skip_all();
    compare(1);
    compare(2);
    CHECK_TEXT(anna.peer.output, "");
    CHECK_TEXT(bob.peer.output, "");
    sites_end();
}

static void pass_time_at_site_1(int64_t ms)
{
    sites[1].now_ms += ms;
    server_run_deadlines(&sites[1]);
    sites_settle();
}

/* Site 1 hears for how long the second server of its list has kept nothing. */
static void tell_silence(int64_t silent_ms)
{
    struct nodes nodes = sites[1].nodes;

    nodes.list[1].silent_ms = silent_ms;
    sites[1].keeper->calls->nodes(&sites[1], &nodes);
}

/* Nobody pays for time in which their own server could keep nothing, and said so to nobody. */
static void test_cut_off(void)
{
    start_match("new clobber:2x2 clock=10");
    ask(&anna, "move a2a1");
    check_about("the flag waits for a player whose server was taken for dead");
    bob.peer.session = NULL;
    site_kill(2);
    sites_pass_time(12000);
    GETS_NOT(anna, "timeout");
    CHECK_INT(sites_sql("SELECT count(*) FROM player WHERE cut IS NOT NULL AND name = 'bob'"), 1);
    check_about(
        "and who comes back is not charged until it sends them elsewhere, after 11 s at most");
    sites_sql("UPDATE player SET cut = clock_timestamp() - interval '12 s' WHERE name = 'bob'");
    skip_all();
    come_back(&bob, 1, "bob");
    GETS(bob, "\"black_ms\":9000");
    CHECK_INT(sites_sql("SELECT count(*) FROM player WHERE cut IS NOT NULL AND name = 'bob'"), 0);
    sites_pass_time(9000);
    GETS(anna, "\"reason\":\"timeout\"");
    sites_end();

    start_match("new clobber:2x2 clock=10");
    ask(&anna, "move a2a1");
    check_about("a player who stays away has lost some seconds later");
    bob.peer.session = NULL;
    site_kill(2);
    sites_pass_time(20000);
    GETS_NOT(anna, "timeout");
    sites_pass_time(1000);
    GETS(anna, "\"reason\":\"timeout\"");
    sites_end();

    start_match("new clobber:2x2 clock=10");
    ask(&anna, "move a2a1");
    check_about("nor earlier where the server was silent before it was taken for dead, as one that "
                "was killed is");
    tell_silence(4000);
    bob.peer.session = NULL;
    site_kill(2);
    sites_pass_time(20000);
    GETS_NOT(anna, "timeout");
    sites_pass_time(1000);
    GETS(anna, "\"reason\":\"timeout\"");
    sites_end();

    start_match("new clobber:2x2 clock=10");
    ask(&anna, "move a2a1");
    check_about("nor where another one that was silent keeps again meanwhile");
    bob.peer.session = NULL;
    site_kill(2);
    tell_silence(4000);
    tell_silence(0);
    sites_pass_time(20000);
    GETS_NOT(anna, "timeout");
    sites_pass_time(1000);
    GETS(anna, "\"reason\":\"timeout\"");
    sites_end();

    start_match("new clobber:2x2 clock=10");
    ask(&anna, "move a2a1");
    check_about("nor where it is told first that the player is at no server any more");
    tell_silence(4000);
    struct player *player = players_find(&sites[1].players, "bob");
    struct places *before = player->elsewhere;
    player->elsewhere = NULL;
    player_set_elsewhere(player, NULL);
    sites[1].keeper->calls->placed(&sites[1], player, before, false);
    free(before);
    pass_time_at_site_1(20000);
    GETS_NOT(anna, "timeout");
    pass_time_at_site_1(1000);
    GETS(anna, "\"reason\":\"timeout\"");
    sites_end();

    start_match("new clobber:2x2 clock=10");
    ask(&anna, "move a2a1");
    check_about("a server that keeps nothing, and is not taken for dead yet");
    tell_silence(4000);
    pass_time_at_site_1(26000); /* 10 s, the 4, and 13 in which the other server would tell of it */
    GETS_NOT(anna, "timeout");
    pass_time_at_site_1(1000);
    GETS(anna, "\"reason\":\"timeout\"");
    sites_end();

    start_match("new clobber:2x2 clock=10");
    ask(&anna, "move a2a1");
    check_about("and then keeps again: it forgives its player these 4 s, and so do the others");
    sites[1].now_ms += 5000;
    tell_silence(4000);
    tell_silence(0);
    pass_time_at_site_1(21900);
    GETS_NOT(anna, "timeout");
    pass_time_at_site_1(1000);
    GETS(anna, "\"reason\":\"timeout\"");
    sites_end();
}

/* The black clock in the last state that a client got. */
static long black_ms(const struct client *client)
{
    const char *at = client->peer.output, *last = NULL;

    while ((at = strstr(at, "\"black_ms\":")) != NULL)
        last = at += strlen("\"black_ms\":");
    return last != NULL ? strtol(last, NULL, 10) : -1;
}

/* What a server forgives who waited there while it kept nothing, no other server knows. */
static void test_waited_elsewhere(void)
{
    char line[64];

    start_match("new clobber:2x2 clock=10");
    ask(&anna, "move a2a1");
    hang_up(&bob);
    visit(&carl, 3);
    sites_pass_time(8000);
    sites_sql("WITH early AS (UPDATE entry SET at = at - interval '8 s' RETURNING 1)"
              " SELECT count(*) FROM early");
    sites[3].keeper->calls->health(&sites[3], true, "", 8000);
    snprintf(line, sizeof line, "hello bob token=%s", tokens[1]);
    ask(&carl, line);
    check_about("who has waited at a server loses there by time, and nowhere before");
    long left_ms = black_ms(&carl);
    CHECK_THAT(left_ms > 9000 && left_ms <= 10000, "%ld", left_ms);
    pass_time_at_site_1(9000);
    GETS_NOT(anna, "timeout");
    sites[3].now_ms += left_ms;
    server_run_deadlines(&sites[3]);
    sites_settle();
    GETS(anna, "\"reason\":\"timeout\"");
    sites_end();
}

/* All servers forgive as much, and none forgives its own players twice. */
static void test_cut_alike(void)
{
    char line[64];

    start_match("new clobber:2x2 clock=60");
    ask(&anna, "move a2a1");
    check_about("another window at the server that kept nothing");
    sites_pass_time(30000);
    visit(&carl, 2);
    skip_all();
    sites_sql("UPDATE node SET seen = clock_timestamp() - interval '5 s' WHERE id = 2");
    snprintf(line, sizeof line, "hello bob token=%s", tokens[1]);
    ask(&carl, line);
    long left_ms = black_ms(&carl); /* a slow database is forgiven, too */
    CHECK_THAT(left_ms >= 30000 && left_ms < 35000, "%ld", left_ms);
    hang_up(&carl);
    check_about("a player comes from a server that is not taken for dead yet");
    tell_silence(4000);
    sites_sql("UPDATE node SET seen = clock_timestamp() - interval '4 s' WHERE id = 2");
    come_back(&bob, 3, "bob");
    ask(&anna, "state 1001");
    CHECK_THAT(black_ms(&anna) >= left_ms + 4000, "%ld, then %ld", left_ms, black_ms(&anna));
    sites_end();
}

/* A match is opened, and a move made, while the server where Bob is can keep nothing, and is told
 * of nothing. */
static void test_opened_while_cut_off(void)
{
    char line[64];

    sites_begin();
    enter(&anna, 1, "anna");
    enter(&bob, 2, "bob");
    visit(&carl, 3);
    snprintf(line, sizeof line, "hello bob token=%s", tokens[1]);
    ask(&carl, line);
    keep_site_2_unregistered();
    ask(&anna, "new clobber:2x2 clock=20 black=bob");
    ask(&carl, "join 1001");
    ask(&anna, "move 1001 a2a1");
    hang_up(&carl);
    skip_all();
    sites_sql("WITH early AS (UPDATE entry SET at = at - interval '8 s' RETURNING 1)"
              " SELECT count(*) FROM early");
    sites[2].now_ms += 8000;
    sites[2].keeper->calls->health(&sites[2], true, "", 6000);
    check_about("whoever sits at that server is not charged");
    compare(2);
    GETS(bob, "\"match\":\"1001\"");
    long left_ms = black_ms(&bob); /* of 20 s, 2 were before the cut */
    CHECK_THAT(left_ms > 17000 && left_ms <= 18000, "%ld", left_ms);
    sites_end();
}

/* A match is read after no server could reach the database for a while. */
static void test_downtime(void)
{
    start_match("new clobber:2x2 clock=10");
    ask(&anna, "move a2a1");
    check_about("nobody pays for time in which no server could keep anything");
    sites_sql(
        "WITH late AS (UPDATE entry SET at = at - interval '30 s') UPDATE node SET seen = seen -"
        " interval '30 s'");
    ask(&anna, "new clobber:2x2"); /* whatever is kept next notes the gap */
    bob.peer.session = NULL;
    site_kill(2);
    come_back(&bob, 3, "bob");
    GETS(bob, "\"match\":\"1001\"");
    GETS_NOT(bob, "timeout");
    int down_s = sites_sql("SELECT extract(epoch FROM downtime)::int FROM service");
    /* The time that this takes on a slow machine counts, too. */
    CHECK_THAT(down_s >= 30 && down_s < 40, "%d", down_s);
    const struct clock *clock = &lobby_find(&sites[3].lobby, "1001")->match.clock;
    CHECK(clock_left_ms(clock, BLACK, sites[3].now_ms) > 5000);
    check_about("nor for a database that was started again in less than a second");
    static const char read_ms[] = "SELECT (1000 * extract(epoch FROM downtime))::int FROM service";
    int before_ms = sites_sql(read_ms);
    sites_sql("WITH n AS (UPDATE node SET seen = clock_timestamp() - interval '0.8 s' RETURNING 1)"
              " SELECT count(*) FROM n");
    sites_sql("SELECT count(*) FROM (SELECT note_gap()) AS noted");
    CHECK(sites_sql(read_ms) - before_ms >= 800);
    sites_end();
}

/* Carl's connection comes to Bob's name at another server, with these options, and ends before it
 * is told so. */
static void come_and_go(const char *options)
{
    char line[256];

    visit(&carl, 3);
    snprintf(line, sizeof line, "hello bob %stoken=%s", options, tokens[1]);
    send_line(&carl, line);
    presence_free(carl.peer.session);
    carl.peer.session = NULL;
    sites_settle();
}

/* A client that leaves before it is told that it has come back is not there. */
static void test_claim_and_gone(void)
{
    start_match("new clobber:2x2");
    check_about("gone while the keeper looks up");
    come_and_go("");
    GETS_NOT(bob, "bye");
    CHECK_INT(
        sites_sql("SELECT count(*) FROM here WHERE node <> 2 AND player = (SELECT id FROM player"
                  " WHERE name = 'bob')"),
        0);
    check_about("gone while the keeper looks up, and alone by then");
    come_and_go("only=yes ");
    GETS(bob, "\"reason\":\"replaced\"");
    CHECK_INT(sites_sql("SELECT coalesce(node, 0) FROM player WHERE name = 'bob'"), 0);
    come_back(&bob, 2, "bob");
    GETS(bob, "\"match\":\"1001\"");
    CHECK_INT(sites_sql("SELECT coalesce(node, 0) FROM player WHERE name = 'bob'"), 2);
    sites_end();
}

/* The time for a move is counted from the last move in the database; an offer is none. */
static void test_stall(void)
{
    check_about("who is here and does not move for long can be claimed from, whichever server has "
                "read the match");
    start_match("new clobber:2x2");
    for (int site = 1; site <= SITES; site++)
        sites[site].wall_s = time(NULL); /* as the database has it */
    sites_sql("UPDATE entry SET at = at - interval '13 days 20 hours'");
    ask(&anna, "draw 1001");
    hang_up(&bob);
    come_back(&bob, 3, "bob");
    GETS(bob, "\"stall_ms\":14");
    ask(&bob, "claim 1001");
    GETS(bob, "\"code\":\"not-allowed\"");
    for (int site = 1; site <= SITES; site++)
        sites[site].wall_s += 86400;
    ask(&bob, "claim 1001");
    GETS(bob, "\"result\":\"0-1\",\"reason\":\"forfeit\"");
    sites_end();
}

static void test_presence(void)
{
    start_match("new clobber:2x2");
    check_about("a player leaves and comes back at another server");
    hang_up(&bob);
    GETS(anna,
         "{\"type\":\"presence\",\"match\":\"1001\",\"name\":\"bob\",\"color\":\"black\","
         "\"online\":false,\"claim_ms\":1"); /* 2 minutes, but what has passed at the database */
    skip_all();
    ask(&anna, "claim");
    GETS(anna, "\"code\":\"not-allowed\"");
    sites_pass_time(60000);
    come_back(&bob, 3, "bob");
    GETS(bob, "\"match\":\"1001\"");
    GETS(anna, "\"name\":\"bob\",\"color\":\"black\",\"online\":true,\"claim_ms\":null");
    skip_all();
    ask(&anna, "move a2a1");
    GETS(bob, "\"ply\":1");
    check_about("whose server dies is gone, too");
    skip_all();
    bob.peer.session = NULL;
    site_kill(3);
    GETS(anna, "{\"type\":\"nodes\",\"node\":1,\"nodes\":[\"192.0.2.1:7117\",\"192.0.2.2:7117\"]}");
    GETS(anna, "\"name\":\"bob\",\"color\":\"black\",\"online\":false,\"claim_ms\":120000");
    sites_pass_time(60000);
    come_back(&bob, 2, "bob");
    GETS(anna, "\"online\":true,\"claim_ms\":null");
    GETS(bob, "\"ply\":1,\"turn\":\"black\"");
    skip_all();
    ask(&bob, "move b2b1 ply=1");
    GETS(anna, "\"ply\":2");
    check_about("a claim");
    hang_up(&bob);
    sites_pass_time(120000);
    skip_all();
    ask(&anna, "claim");
    GETS(anna, "\"reason\":\"forfeit\"");
    come_back(&bob, 1, "bob");
    ask(&bob, "record 1001");
    GETS(bob, "\"reason\":\"forfeit\"");
    sites_end();
}

static void test_guests(void)
{
    sites_begin();
    enter(&anna, 1, "anna");
    visit(&bob, 2);
    check_about("a guest from another server");
    ask(&anna, "new clobber:2x2");
    ask(&bob, "join 1001");
    ask(&anna, "move a2a1");
    check_about("a guest takes a name");
    skip_all();
    ask(&bob, "hello bob");
    GETS(anna, "\"type\":\"presence\",\"match\":\"1001\",\"name\":\"bob\"");
    ask(&bob, "move b2b1");
    GETS(anna, "\"black\":{\"name\":\"bob\"");
    check_about("a rematch with a guest");
    visit(&carl, 3);
    ask(&anna, "new clobber:5x6");
    ask(&carl, "join 1002");
    ask(&anna, "resign 1002");
    ask(&carl, "rematch 1002");
    skip_all();
    ask(&anna, "rematch 1002");
    GETS(carl, "{\"type\":\"rematch\",\"match\":\"1002\",\"new\":\"1003\"}");
    hang_up(&carl);
    check_about("the match of a guest ends with the guest");
    visit(&carl, 3);
    ask(&anna, "new clobber:2x2");
    ask(&carl, "join 1004");
    ask(&anna, "move 1004 a2a1");
    ask(&carl, "move 1004 b2b1");
    skip_all();
    hang_up(&carl);
    GETS(anna, "\"reason\":\"forfeit\"");
    check_about("and with their server");
    visit(&carl, 3);
    ask(&anna, "new clobber:2x2");
    ask(&carl, "join 1005");
    skip_all();
    carl.peer.session = NULL;
    site_kill(3);
    server_tick(&sites[1]);
    sites_settle();
    GETS(anna, "\"match\":\"1005\",\"game\":\"clobber\",\"variant\":\"2x2\",\"status\":\"over\"");
    sites_end();
}

/* The house bot of a site says hello with its secret. */
static void enter_house(struct client *client, int site)
{
    char line[256];

    snprintf(sites[site].house.bots[0].secret, SECRET_TEXT_MAX, "%032d", site);
    snprintf(line, sizeof line, "hello bot:greedy token=%032d bot=yes", site);
    visit(client, site);
    ask(client, line);
    GETS(*client, "\"name\":\"bot:greedy\"");
    skip(&client->peer);
}

static void test_house_bots(void)
{
    sites_begin();
    enter_house(&carl, 1);
    enter_house(&dora, 2);
    enter(&anna, 1, "anna");
    enter(&bob, 2, "bob");
    check_about("the house bot of a player's server plays");
    ask(&anna, "new clobber:2x2 black=bot:greedy");
    GETS(carl, "\"you\":\"black\"");
    ask(&bob, "watch 1001");
    skip_all();
    ask(&anna, "move a2a1");
    GETS(carl, "\"legal\":[\"b2b1\"]");
    GETS(bob, "\"ply\":1");
    CHECK_TEXT(dora.peer.output, "");
    check_about("when the player goes elsewhere, the bot there goes on");
    anna.peer.session = NULL;
    carl.peer.session = NULL;
    site_kill(1);
    skip_all();
    come_back(&anna, 2, "anna");
    CHECK_THAT(count(&dora.peer, "\"legal\":[\"b2b1\"]") > 0, "%s", dora.peer.output);
    skip_all();
    ask(&dora, "move 1001 b2b1 ply=1");
    GETS(anna, "\"ply\":2");
    sites_end();
}

/* Anna at both sites, of which the first has Carl as house bot, the second Dora. */
static void test_one_house_bot(void)
{
    sites_begin();
    enter_house(&carl, 1);
    enter_house(&dora, 2);
    enter(&anna, 1, "anna");
    add_window(&bob, 2, "anna", 0);
    check_about("of two house bots the one of the lower server plays");
    skip_all();
    ask(&bob, "new clobber:2x2 black=bot:greedy");
    ask(&bob, "move a2a1");
    GETS(carl, "\"legal\":[\"b2b1\"]");
    CHECK_TEXT(dora.peer.output, "");
    check_about("until the player is only at the other");
    skip_all();
    hang_up(&anna);
    GETS(dora, "\"legal\":[\"b2b1\"]");
    skip_all();
    ask(&dora, "move 2001 b2b1 ply=1");
    GETS(bob, "\"ply\":2");
    check_about("and from when they are at the lower one again");
    skip_all();
    add_window(&anna, 1, "anna", 0);
    GETS(anna, "\"ply\":2");
    ask(&bob, "resign");
    ask(&bob, "new clobber:2x2 black=bot:greedy");
    GETS(carl, "\"match\":\"2002\"");
    GETS_NOT(dora, "\"match\":\"2002\"");
    sites_end();
}

/* The flag waits for windows at another server as for the slowest one here. */
static void test_flag_elsewhere(void)
{
    start_match("new clobber:2x2 clock=10");
    ask(&anna, "move a2a1");
    add_window(&carl, 3, "bob", 1);
    check_about("a player whose clock runs is at two servers");
    const struct clock *clock = &lobby_find(&sites[2].lobby, "1001")->match.clock;
    CHECK_INT(clock->lag_ms, CLOCK_LAG_MAX_MS);
    hang_up(&carl);
    CHECK_INT(clock->lag_ms, 0);
    check_about("the server where they are acts in time");
    add_window(&carl, 3, "bob", 1);
    hang_up(&bob);
    skip_all();
    sites[3].now_ms += 15000;
    server_run_deadlines(&sites[3]);
    sites_settle();
    GETS(carl, "\"reason\":\"timeout\"");
    sites_end();
}

static const struct nodes two_nodes = {
    .own = 2,
    .count = 2,
    .list = {{.id = 1, .address = "192.0.2.1:7117"}, {.id = 2, .address = "[2001:db8::2]:7117"}}};

static void test_nodes(void)
{
    static struct fixture fixture;
    struct server *server = &fixture.server;
    struct nodes one = {.own = 2, .count = 1, .list = {{.id = 2, .address = "[2001:db8::2]:7117"}}};

    check_about("a server that shares its lobby with nobody does not speak of others");
    fixture_begin(&fixture, &test_limits, true);
    open_peer(server, &carl.peer);
    CHECK(count(&carl.peer, "node") == 0);
    say(&carl.peer, "stats");
    CHECK(count(&carl.peer, "node") == 0 && count(&carl.peer, "engine_ms") == 0);

    check_about("the greeting and an event tell of the others");
    server->nodes = two_nodes;
    open_peer(server, &anna.peer);
    open_peer(server, &bob.peer);
    CHECK(count(&bob.peer, "\"node\":2,\"nodes\":[\"192.0.2.1:7117\",\"[2001:db8::2]:7117\"]}\n") ==
          1);
    say(&bob.peer, "set format=text");
    skip(&anna.peer);
    skip(&bob.peer);
    server->keeper->calls->nodes(server, &two_nodes);
    CHECK(anna.peer.length == 0);
    server->keeper->calls->nodes(server, &one);
    CHECK_TEXT(anna.peer.output,
               "{\"type\":\"nodes\",\"node\":2,\"nodes\":[\"[2001:db8::2]:7117\"]}\n");
    CHECK_TEXT(bob.peer.output, "servers of this lobby: [2001:db8::2]:7117\n");
    skip(&anna.peer);
    say(&anna.peer, "stats");
    CHECK(count(&anna.peer, "\"node\":2,\"nodes\":1,\"engine_ms\":") == 1);

    check_about("a server that counts as dead lets everyone go");
    skip(&anna.peer);
    server->keeper->calls->lost(server);
    CHECK(count(&anna.peer, "{\"type\":\"bye\",\"reason\":\"node-lost\"}\n") == 1);
    CHECK(anna.peer.closed == 1 && bob.peer.closed == 1);
    fixture_end(&fixture);
}

/* Anna at two servers, and Bob at a third: one first attempt of each counts, whoever is first. */
static void test_solvers(void)
{
    char line[64];

    sites_begin();
    enter(&anna, 1, "anna");
    enter(&bob, 2, "bob");
    visit(&carl, 3);
    snprintf(line, sizeof line, "hello anna token=%s", tokens[0]);
    ask(&carl, line);
    skip_all();

    check_about("what one server has rated is known at the others");
    ask(&anna, "puzzle clobber 1 c5c6");
    GETS(anna, "\"rated\":true,\"rating\":1030,\"attempts\":1");
    ask(&carl, "puzzle clobber 1");
    GETS(carl, "\"attempts\":1,\"solver\":{\"rating\":1553,");
    GETS(carl, "\"tried\":true");
    ask(&carl, "puzzle clobber 1 c5c6");
    GETS(carl, "\"rated\":false");
    ask(&bob, "puzzle clobber 1 c5c6");
    GETS(bob, "\"attempts\":2");

    check_about("a player tries a puzzle at two servers at a time");
    skip_all();
    send_line(&anna, "puzzle clobber 2 answer");
    send_line(&carl, "puzzle clobber 2 answer");
    sites_settle();
    CHECK_INT(count(&anna.peer, "\"rated\":true") + count(&carl.peer, "\"rated\":true"), 1);
    CHECK_INT(count(&anna.peer, "\"rated\":false") + count(&carl.peer, "\"rated\":false"), 1);

    check_about("and different ones: both count");
    skip_all();
    send_line(&anna, "puzzle clobber 3 answer");
    send_line(&carl, "puzzle clobber 4 answer");
    sites_settle();
    GETS(anna, "\"rated\":true");
    GETS(carl, "\"rated\":true");
    CHECK_INT(sites_sql("SELECT matches FROM rating WHERE variant = 'puzzles' AND player ="
                        " (SELECT id FROM player WHERE name = 'anna')"),
              4);

    check_about("two players try the same one at a time: both count");
    skip_all();
    send_line(&anna, "puzzle shakti 1 answer");
    send_line(&bob, "puzzle shakti 1 answer");
    sites_settle();
    GETS(anna, "\"rated\":true");
    GETS(bob, "\"rated\":true");
    CHECK_INT(sites_sql("SELECT attempts FROM puzzle WHERE game = 'shakti'"), 2);
    CHECK_INT(sites_sql("SELECT count(*) FROM attempt"), 7);

    check_about("it outlives its servers, and lists of the best do without");
    site_kill(1);
    site_start_again(1);
    anna.peer.session = NULL;
    come_back(&anna, 1, "anna");
    skip_all();
    ask(&anna, "puzzle shakti 1");
    GETS(anna, "\"attempts\":2,\"solver\":{");
    GETS(anna, "\"tried\":true");
    ask(&anna, "top");
    GETS(anna, "\"players\":[]");
    skip_all();
    ask(&bob, "who");
    GETS_NOT(bob, "puzzles");
    sites_end();
}

int main(void)
{
    if (sites_open("test_cluster_people")) {
        test_nodes();
        test_names();
        test_display_names();
        test_solvers();
        test_presence();
        test_windows();
        test_windows_elsewhere();
        test_windows_and_dead_servers();
        test_only();
        test_counts();
        test_tokens();
        test_revoked();
        test_untold();
        test_cut_off();
        test_waited_elsewhere();
        test_cut_alike();
        test_opened_while_cut_off();
        test_downtime();
        test_claim_and_gone();
        test_gone_unnoticed();
        test_stall();
        test_guests();
        test_house_bots();
        test_one_house_bot();
        test_flag_elsewhere();
    }
    sites_close();
    return check_end("test_cluster_people");
}
