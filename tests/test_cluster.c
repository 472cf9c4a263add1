/* Servers that share a lobby: two or three of them in one process, on an engine in memory
 * (engine_fake.h). Sites are counted from 1, like their nodes. */
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "engine_fake.h"
#include "fixture.h"
#include "server/play/cluster.h"
#include "server/play/dispatch.h"
#include "server/play/lifecycle.h"
#include "server/play/presence.h"
#include "test_limits.h"

enum { SITES = 3, PEOPLE_MAX = 8 };

/* A client, with its line that sleeps. */
struct client {
    struct peer peer;
    char line[256];
    bool sleeps;
    int site;
};

static struct engine engine;
static struct server sites[SITES + 1];
static bool alive[SITES + 1];
static struct client anna, bob, carl, dora;
static struct client *const people[] = {&anna, &bob, &carl, &dora};

static void begin(void)
{
    struct limits limits = test_limits;
    struct cause cause;

    engine_init(&engine);
    for (int site = 1; site <= SITES; site++) {
        struct server *server = &sites[site];
        server_init(server, &limits);
        server->now_ms = 1000000;
        server->started_ms = 1000;
        server->wall_s = 1700000000;
        house_bots_add_levels(&server->house, "greedy");
        CHECK(server_take_up(server, engine_add(&engine, site), &cause));
        server_add_levels(server);
        alive[site] = true;
    }
    engine.now_ms = 1000000;
    for (size_t i = 0; i < LENGTH(people); i++)
        people[i]->peer.session = NULL;
}

/* Lets a client go on that was woken. Returns whether it was. */
static bool wake(struct client *client)
{
    if (client->peer.session == NULL || !client->peer.woken || !alive[client->site])
        return false;
    client->peer.woken = false;
    if (dispatch_resume(client->peer.session) && client->sleeps)
        client->sleeps = !say(&client->peer, client->line);
    return true;
}

/* Lets everything happen that is due. */
static void settle(void)
{
    bool goes_on = true;

    for (int turns = 0; goes_on && CHECK(turns < 200); turns++) {
        goes_on = false;
        for (int site = 1; site <= SITES; site++) {
            if (!alive[site])
                continue;
            server_end_turn(&sites[site]);
            goes_on = engine_work(&engine, site) || goes_on;
        }
        for (size_t i = 0; i < LENGTH(people); i++)
            goes_on = wake(people[i]) || goes_on;
    }
}

static void pass_time(int64_t ms)
{
    engine.now_ms += ms;
    for (int site = 1; site <= SITES; site++) {
        sites[site].now_ms += ms;
        if (alive[site])
            server_run_deadlines(&sites[site]);
    }
    settle();
}

/* Sends a line; more may follow before settle(). */
static void send_line(struct client *client, const char *line)
{
    snprintf(client->line, sizeof client->line, "%s", line);
    client->sleeps = !say(&client->peer, line);
}

static void ask(struct client *client, const char *line)
{
    send_line(client, line);
    settle();
    CHECK_THAT(!client->sleeps, "'%s' sleeps", line);
}

static void skip_all(void)
{
    for (size_t i = 0; i < LENGTH(people); i++)
        skip(&people[i]->peer);
}

/* Connects to a site. */
static void visit(struct client *client, int site)
{
    client->site = site;
    client->sleeps = false;
    open_peer(&sites[site], &client->peer);
}

/* The token in the output. */
static void read_token(const struct client *client, char token[TOKEN_TEXT_MAX])
{
    const char *at = strstr(client->peer.output, "\"token\":\"");

    token[0] = '\0';
    if (CHECK_THAT(at != NULL, "%s", client->peer.output))
        snprintf(token, TOKEN_TEXT_MAX, "%s", at + strlen("\"token\":\""));
    token[strcspn(token, "\"")] = '\0';
}

static char tokens[LENGTH(people)][TOKEN_TEXT_MAX];

/* Takes a name at a site. */
static void enter(struct client *client, int site, const char *name)
{
    char line[64];

    visit(client, site);
    snprintf(line, sizeof line, "hello %s", name);
    ask(client, line);
    for (size_t i = 0; i < LENGTH(people); i++)
        if (people[i] == client)
            read_token(client, tokens[i]);
    skip_all();
}

/* Comes back to the name at a site, with the output from the greeting on. */
static void come_back(struct client *client, int site, const char *name)
{
    char line[256];

    for (size_t i = 0; i < LENGTH(people); i++)
        if (people[i] == client)
            snprintf(line, sizeof line, "hello %.32s token=%s", name, tokens[i]);
    visit(client, site);
    skip(&client->peer);
    ask(client, line);
}

static void hang_up(struct client *client)
{
    presence_free(client->peer.session);
    client->peer.session = NULL;
    settle();
}

/* A site ends without a word, as after kill -9; the engine finds out. */
static void kill_site(int site)
{
    alive[site] = false;
    engine_bury(&engine, site);
    settle();
}

static void end(void)
{
    for (int site = 1; site <= SITES; site++) {
        struct server *server = &sites[site];
        while (!TAILQ_EMPTY(&server->sessions))
            presence_free(TAILQ_FIRST(&server->sessions));
        if (alive[site])
            settle();
    }
    for (int site = 1; site <= SITES; site++)
        server_release(&sites[site]);
    engine_release(&engine);
}

#define GETS(client, text)                                                                         \
    CHECK_THAT(count(&(client).peer, text) == 1, "%s: %s", text, (client).peer.output)
#define GETS_NOT(client, text)                                                                     \
    CHECK_THAT(count(&(client).peer, text) == 0, "%s: %s", text, (client).peer.output)

/* Anna at site 1 plays white against Bob at site 2. */
static void start_match(const char *opening)
{
    char line[64];

    begin();
    enter(&anna, 1, "anna");
    enter(&bob, 2, "bob");
    ask(&anna, opening);
    snprintf(line, sizeof line, "join %lld", (long long)sites[1].lobby.opened);
    ask(&bob, line);
    GETS(bob, "\"you\":\"black\"");
    skip_all();
}

static void test_challenge(void)
{
    check_about("a challenge reaches a player at another server");
    begin();
    enter(&anna, 1, "anna");
    enter(&bob, 2, "bob");
    ask(&anna, "new clobber:2x2 black=bob clock=60");
    GETS(anna, "\"cmd\":\"new\",\"match\":\"1001\"");
    GETS(bob, "{\"type\":\"challenge\",\"match\":\"1001\"");
    GETS(bob, "\"from\":\"anna\",\"color\":\"black\"");
    GETS_NOT(bob, "\"type\":\"state\"");
    skip_all();
    ask(&bob, "join 1001");
    GETS(bob, "\"cmd\":\"join\",\"match\":\"1001\",\"color\":\"black\"");
    GETS(bob, "\"you\":\"black\"");
    GETS(anna, "\"you\":\"white\"");
    GETS(anna, "\"online\":true,\"seated\":true},\"black\":{\"name\":\"bob\",\"bot\":false,"
               "\"rating\":1500,\"rating_deviation\":350,\"online\":true,\"seated\":true}");
    end();

    check_about("and can be declined there");
    begin();
    enter(&anna, 1, "anna");
    enter(&bob, 2, "bob");
    ask(&anna, "new clobber:2x2 black=bob");
    skip_all();
    ask(&bob, "decline 1001");
    GETS(bob, "{\"type\":\"ok\",\"cmd\":\"decline\",\"match\":\"1001\"}");
    GETS(anna, "\"type\":\"declined\",\"match\":\"1001\",\"from\":\"bob\",\"reason\":\"no\"");
    GETS(anna, "\"status\":\"over\"");
    check_about("nobody can challenge a name that nobody has");
    ask(&anna, "new clobber:2x2 black=nobody");
    GETS(anna, "\"code\":\"unknown-player\"");
    check_about("and nobody can open a tournament");
    ask(&anna, "tournament new Cup clobber format=swiss");
    GETS(anna, "\"cmd\":\"tournament\",\"code\":\"not-allowed\"");
    ask(&anna, "tournaments");
    GETS(anna, "\"cmd\":\"tournaments\",\"code\":\"not-allowed\"");
    end();
}

static void test_moves(void)
{
    start_match("new clobber:2x2");
    check_about("moves");
    ask(&anna, "move a2a1");
    GETS(anna, "\"cmd\":\"move\",\"match\":\"1001\",\"ply\":1");
    GETS(anna, "\"ply\":1,\"turn\":\"black\"");
    GETS(bob, "\"ply\":1,\"turn\":\"black\"");
    GETS(bob, "\"legal\":[\"b2b1\"]");
    skip_all();
    check_about("a move for another ply");
    ask(&bob, "move 1001 b2b1 ply=0");
    GETS(bob, "\"code\":\"stale-ply\"");
    check_about("take-backs");
    ask(&anna, "undo");
    GETS(bob, "{\"type\":\"offer\",\"match\":\"1001\",\"what\":\"undo\",\"from\":\"anna\","
              "\"color\":\"white\",\"open\":true}");
    GETS_NOT(bob, "\"type\":\"state\"");
    skip_all();
    ask(&bob, "undo");
    GETS(anna, "\"what\":\"undo\",\"from\":\"anna\",\"color\":\"white\",\"open\":false,"
               "\"accepted\":true");
    GETS(anna, "\"ply\":0,\"turn\":\"white\"");
    skip_all();
    ask(&anna, "move a2a1");
    ask(&bob, "move b2b1");
    check_about("an offer that is refused");
    skip_all();
    ask(&bob, "draw");
    GETS(anna, "\"what\":\"draw\",\"from\":\"bob\",\"color\":\"black\",\"open\":true");
    ask(&anna, "decline 1001");
    GETS(bob, "\"what\":\"draw\",\"from\":\"bob\",\"color\":\"black\",\"open\":false,"
              "\"accepted\":false");
    check_about("chat");
    skip_all();
    ask(&bob, "say 1001 well played\xe2\x80\xa6 \"bye\"");
    GETS(anna, "{\"type\":\"chat\",\"match\":\"1001\",\"from\":\"bob\",\"text\":\"well "
               "played\xe2\x80\xa6 \\\"bye\\\"\"}\n");
    GETS(bob, "\"type\":\"chat\"");
    check_about("the end, with ratings");
    skip_all();
    ask(&anna, "move a1b1");
    GETS(anna, "\"result\":\"1-0\",\"reason\":\"no-moves\"");
    GETS(bob, "\"result\":\"1-0\",\"reason\":\"no-moves\"");
    GETS(bob, "{\"name\":\"anna\",\"bot\":false,\"rating\":1662,\"rating_deviation\":290,");
    skip_all();
    ask(&bob, "history anna");
    GETS(bob, "\"match\":\"1001\"");
    GETS(bob, "\"white_rating\":1662,\"black_rating\":1338");
    check_about("the rematch");
    skip_all();
    ask(&bob, "rematch");
    GETS(anna, "\"what\":\"rematch\",\"from\":\"bob\",\"color\":\"black\",\"open\":true");
    skip_all();
    ask(&anna, "rematch");
    GETS(bob, "\"what\":\"rematch\",\"from\":\"bob\",\"color\":\"black\",\"open\":false,"
              "\"accepted\":true");
    GETS(bob, "\n{\"type\":\"rematch\",\"match\":\"1001\",\"new\":\"1002\"}\n{\"type\":\"state\",");
    ask(&bob, "move a2a1");
    GETS(anna, "\"ply\":1,\"turn\":\"black\"");
    end();
}

/* Two at once: the second to be kept runs again on what the first has done. */
static void test_races(void)
{
    begin();
    enter(&anna, 1, "anna");
    enter(&bob, 2, "bob");
    enter(&carl, 3, "carl");
    check_about("two join one seat");
    ask(&anna, "new clobber:2x2");
    skip_all();
    send_line(&bob, "join 1001");
    send_line(&carl, "join 1001");
    settle();
    CHECK_INT(count(&bob.peer, "\"cmd\":\"join\",\"match\":\"1001\"") +
                  count(&carl.peer, "\"cmd\":\"join\",\"match\":\"1001\""),
              1);
    CHECK_INT(count(&bob.peer, "seat-taken") + count(&carl.peer, "seat-taken"), 1);
    CHECK_INT(count(&anna.peer, "\"status\":\"playing\""), 1);
    end();

    start_match("new clobber:5x6");
    check_about("both offer a draw: they agree");
    send_line(&anna, "draw");
    send_line(&bob, "draw");
    settle();
    CHECK_INT(count(&anna.peer, "\"reason\":\"draw-agreed\""), 1);
    CHECK_INT(count(&bob.peer, "\"reason\":\"draw-agreed\""), 1);
    CHECK_INT(count(&anna.peer, "\"agreed\":true") + count(&bob.peer, "\"agreed\":true"), 1);
    end();

    check_about("two take one name");
    begin();
    visit(&anna, 1);
    visit(&bob, 2);
    send_line(&anna, "hello eve");
    send_line(&bob, "hello Eve");
    settle();
    CHECK_INT(count(&anna.peer, "\"token\"") + count(&bob.peer, "\"token\""), 1);
    CHECK_INT(count(&anna.peer, "name-taken") + count(&bob.peer, "name-taken"), 1);
    end();

    check_about("both end rated matches of one player: each counts");
    begin();
    enter(&anna, 1, "anna");
    enter(&bob, 2, "bob");
    enter(&carl, 3, "carl");
    ask(&anna, "new clobber:2x2 black=bob");
    ask(&bob, "join 1001");
    ask(&anna, "new clobber:2x2 black=carl");
    ask(&carl, "join 1002");
    ask(&anna, "move 1001 a2a1");
    ask(&anna, "move 1002 a2a1");
    ask(&bob, "move 1001 b2b1");
    ask(&carl, "move 1002 b2b1");
    skip_all();
    send_line(&bob, "resign");
    send_line(&carl, "resign");
    settle();
    GETS(bob, "\"reason\":\"resign\"");
    GETS(carl, "\"reason\":\"resign\"");
    const struct player *kept = players_find(&engine.players, "anna");
    CHECK_INT(rating_main(&kept->ratings)->matches, 2);
    end();
}

static void test_names(void)
{
    begin();
    enter(&anna, 1, "anna");
    check_about("a name holds everywhere");
    visit(&bob, 2);
    ask(&bob, "hello Anna");
    GETS(bob, "\"code\":\"name-taken\"");
    ask(&bob, "hello anna token=x");
    GETS(bob, "\"code\":\"bad-token\"");
    ask(&bob, "hello nobody token=x");
    CHECK_INT(count(&bob.peer, "\"code\":\"bad-token\""), 2);
    check_about("coming back elsewhere replaces");
    enter(&carl, 3, "carl");
    ask(&carl, "new clobber:2x2 black=anna");
    ask(&anna, "join 3001");
    skip_all();
    struct client before = anna;
    come_back(&dora, 2, "nobody"); /* no effect on others */
    skip_all();
    char line[64];
    snprintf(line, sizeof line, "hello anna token=%s", tokens[0]);
    ask(&bob, line);
    GETS(bob, "\"cmd\":\"hello\",\"name\":\"anna\"");
    GETS(bob, "\"match\":\"3001\"");
    GETS(anna, "{\"type\":\"bye\",\"reason\":\"replaced\"}\n");
    CHECK(anna.peer.closed > before.peer.closed);
    GETS_NOT(carl, "\"online\":false");
    ask(&carl, "move a2a1");
    GETS(bob, "\"ply\":1,\"turn\":\"black\"");
    check_about("a server that dies later takes only those with it who are there");
    skip_all();
    anna.peer.session = NULL;
    kill_site(1);
    GETS_NOT(carl, "presence");
    end();
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
    GETS(anna, "{\"type\":\"presence\",\"match\":\"1002\",\"name\":\"bob\",\"color\":\"white\","
               "\"online\":false,\"claim_ms\":120000}");
    pass_time(120000);
    skip_all();
    ask(&anna, "claim 1002");
    GETS(anna, "\"reason\":\"forfeit\"");
    end();
}

/* A client that leaves before it is told that it has come back is not there. */
static void test_claim_and_gone(void)
{
    char line[256];

    start_match("new clobber:2x2");
    check_about("gone while the keeper looks up");
    visit(&carl, 3);
    snprintf(line, sizeof line, "hello bob token=%s", tokens[1]);
    send_line(&carl, line);
    presence_free(carl.peer.session);
    carl.peer.session = NULL;
    settle();
    GETS(bob, "\"reason\":\"replaced\"");
    CHECK_INT(players_find(&engine.players, "bob")->node, 0);
    come_back(&bob, 2, "bob");
    GETS(bob, "\"match\":\"1001\"");
    CHECK_INT(players_find(&engine.players, "bob")->node, 2);
    end();
}

static void test_presence(void)
{
    start_match("new clobber:2x2");
    check_about("a player leaves and comes back at another server");
    hang_up(&bob);
    GETS(anna, "{\"type\":\"presence\",\"match\":\"1001\",\"name\":\"bob\",\"color\":\"black\","
               "\"online\":false,\"claim_ms\":120000}");
    skip_all();
    ask(&anna, "claim");
    GETS(anna, "\"code\":\"not-allowed\"");
    pass_time(60000);
    come_back(&bob, 3, "bob");
    GETS(bob, "\"match\":\"1001\"");
    GETS(anna, "\"name\":\"bob\",\"color\":\"black\",\"online\":true,\"claim_ms\":null");
    skip_all();
    ask(&anna, "move a2a1");
    GETS(bob, "\"ply\":1");
    check_about("whose server dies is gone, too");
    skip_all();
    bob.peer.session = NULL;
    kill_site(3);
    GETS(anna, "{\"type\":\"nodes\",\"node\":1,\"nodes\":[\"192.0.2.1:7117\",\"192.0.2.2:7117\"]}");
    GETS(anna, "\"name\":\"bob\",\"color\":\"black\",\"online\":false,\"claim_ms\":120000");
    pass_time(60000);
    come_back(&bob, 2, "bob");
    GETS(anna, "\"online\":true,\"claim_ms\":null");
    GETS(bob, "\"ply\":1,\"turn\":\"black\"");
    skip_all();
    ask(&bob, "move b2b1 ply=1");
    GETS(anna, "\"ply\":2");
    check_about("a claim");
    hang_up(&bob);
    pass_time(120000);
    skip_all();
    ask(&anna, "claim");
    GETS(anna, "\"reason\":\"forfeit\"");
    come_back(&bob, 1, "bob");
    ask(&bob, "record 1001");
    GETS(bob, "\"reason\":\"forfeit\"");
    end();
}

static void test_guests(void)
{
    begin();
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
    kill_site(3);
    server_tick(&sites[1]);
    settle();
    GETS(anna, "\"match\":\"1005\",\"game\":\"clobber\",\"variant\":\"2x2\",\"status\":\"over\"");
    end();
}

static void test_lists(void)
{
    begin();
    enter(&anna, 1, "anna");
    enter(&bob, 2, "bob");
    check_about("the lobby is one");
    ask(&bob, "watch lobby");
    visit(&carl, 3);
    ask(&carl, "watch lobby");
    ask(&carl, "set format=text");
    skip_all();
    ask(&anna, "new clobber:2x2 white=me black=me clock=60+1");
    GETS(bob, "\"type\":\"lobby\",\"what\":\"opened\",\"match\":\"1001\"");
    GETS(bob, "\"type\":\"lobby\",\"what\":\"started\"");
    GETS(carl, "opened: 1001 ");
    skip_all();
    ask(&bob, "list");
    GETS(bob, "\"match\":\"1001\"");
    GETS(bob,
         "\"white\":\"anna\",\"black\":\"anna\",\"status\":\"playing\",\"ply\":0,\"watchers\":0,"
         "\"clock\":{\"base_ms\":60000,\"increment_ms\":1000}");
    GETS(bob, "\"total\":1");
    skip_all();
    ask(&bob, "list clobber:2x2 status=playing bot=no");
    GETS(bob, "\"total\":1");
    skip_all();
    ask(&bob, "list status=open");
    GETS(bob, "\"total\":0");
    ask(&bob, "list from=1");
    GETS(bob, "\"matches\":[],\"total\":1");
    skip_all();
    ask(&carl, "set format=json");
    ask(&carl, "who playing=no from=1");
    GETS(carl, "\"players\":[{\"name\":\"guest-");
    GETS(carl, "\"total\":2");
    ask(&carl, "set format=text");
    check_about("who is there: guests only of this server");
    skip_all();
    ask(&bob, "who");
    GETS(bob, "\"name\":\"anna\"");
    GETS(bob, "\"name\":\"bob\"");
    GETS(bob, "\"total\":2");
    skip_all();
    ask(&carl, "who");
    GETS(carl, "guest-");
    check_about("watching a match elsewhere");
    skip_all();
    ask(&bob, "watch 1001");
    GETS(bob, "\"cmd\":\"watch\",\"match\":\"1001\"");
    GETS(bob, "\"you\":null");
    ask(&anna, "move a2a1");
    GETS(bob, "\"ply\":1");
    ask(&bob, "say 1001 hello");
    GETS(anna, "\"from\":\"bob\",\"text\":\"hello\"");
    ask(&bob, "watch 999");
    GETS(bob, "\"code\":\"unknown-match\"");
    ask(&bob, "moves 1001");
    GETS(bob, "\"type\":\"moves\"");
    ask(&carl, "state 1001");
    GETS(carl, "match 1001  clobber 2x2  ply 1");
    check_about("a private match");
    skip_all();
    ask(&anna, "new clobber:2x2 private=yes");
    GETS_NOT(bob, "lobby");
    char id[TABLE_ID_MAX], line[64];
    snprintf(id, sizeof id, "%s", strstr(anna.peer.output, "\"match\":\"x") + 9);
    id[strcspn(id, "\"")] = '\0';
    ask(&bob, "list");
    GETS(bob, "\"total\":1");
    snprintf(line, sizeof line, "join %s", id);
    ask(&bob, line);
    GETS(bob, "\"you\":\"black\"");
    end();
}

static void test_once(void)
{
    begin();
    enter(&anna, 1, "anna");
    check_about("once= at another server");
    ask(&anna, "new clobber:2x2 once=k");
    GETS(anna, "\"cmd\":\"new\",\"match\":\"1001\"");
    anna.peer.session = NULL;
    kill_site(1);
    come_back(&anna, 2, "anna");
    skip_all();
    ask(&anna, "new clobber:2x2 once=k");
    GETS(anna, "\"cmd\":\"new\",\"match\":\"1001\"");
    ask(&anna, "new clobber:2x2 once=l");
    GETS(anna, "\"cmd\":\"new\",\"match\":\"2001\"");
    end();
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
    begin();
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
    kill_site(1);
    skip_all();
    come_back(&anna, 2, "anna");
    CHECK_THAT(count(&dora.peer, "\"legal\":[\"b2b1\"]") > 0, "%s", dora.peer.output);
    skip_all();
    ask(&dora, "move 1001 b2b1 ply=1");
    GETS(anna, "\"ply\":2");
    end();
}

static const struct nodes two_nodes = {
    .own = 2, .count = 2, .list = {{1, "192.0.2.1:7117"}, {2, "[2001:db8::2]:7117"}}};

static void test_nodes(void)
{
    static struct fixture fixture;
    struct server *server = &fixture.server;
    struct nodes one = {.own = 2, .count = 1, .list = {{2, "[2001:db8::2]:7117"}}};

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
    cluster_set_nodes(server, &two_nodes);
    CHECK(anna.peer.length == 0);
    cluster_set_nodes(server, &one);
    CHECK_TEXT(anna.peer.output,
               "{\"type\":\"nodes\",\"node\":2,\"nodes\":[\"[2001:db8::2]:7117\"]}\n");
    CHECK_TEXT(bob.peer.output, "servers of this lobby: [2001:db8::2]:7117\n");
    skip(&anna.peer);
    say(&anna.peer, "stats");
    CHECK(count(&anna.peer, "\"node\":2,\"nodes\":1,\"engine_ms\":") == 1);

    check_about("a server that counts as dead lets everyone go");
    skip(&anna.peer);
    cluster_lost(server);
    CHECK(count(&anna.peer, "{\"type\":\"bye\",\"reason\":\"node-lost\"}\n") == 1);
    CHECK(anna.peer.closed == 1 && bob.peer.closed == 1);
    fixture_end(&fixture);
}

static void test_seeks(void)
{
    check_about("those who seek at two servers are paired");
    begin();
    enter(&anna, 1, "anna");
    enter(&bob, 2, "bob");
    visit(&carl, 3);
    ask(&anna, "seek clobber:2x2 clock=60+1 repeat=yes");
    skip_all();
    ask(&carl, "seeks");
    GETS(carl, "\"seek\":\"1@1\",\"name\":\"anna\"");
    ask(&carl, "seek clobber:2x2 clock=60+1 rating=1600-1700");
    ask(&carl, "seek shakti");
    ask(&bob, "seek clobber:2x2 clock=60+1 color=white");
    GETS(bob, "\"match\":\"2001\",\"game\":\"clobber\",\"variant\":\"2x2\",\"color\":\"white\"");
    GETS(bob, "\"you\":\"white\"");
    GETS(anna, "{\"type\":\"paired\",\"seek\":\"1\",\"match\":\"2001\"");
    GETS(anna, "\"color\":\"black\",\"opponent\":\"bob\"");
    GETS(anna, "\"you\":\"black\"");
    CHECK_INT(sites[1].seeks.waiting, 2);

    check_about("and again once the match is over, with a guest");
    skip_all();
    ask(&anna, "resign");
    CHECK_INT(sites[2].seeks.waiting, 3);
    ask(&carl, "seek clobber:2x2 clock=60+1");
    GETS(carl, "\"opponent\":\"anna\"");
    GETS(anna, "\"opponent\":\"guest-3002\"");

    check_about("a guest's new name is known elsewhere");
    skip_all();
    ask(&carl, "hello carl");
    ask(&bob, "seeks");
    CHECK_INT(count(&bob.peer, "\"name\":\"carl\""), 2);
    check_about("and who goes seeks no more");
    hang_up(&carl);
    CHECK_INT(sites[2].seeks.waiting, 0);
    CHECK(TAILQ_EMPTY(&engine.seeks));
    end();
}

/* Both servers look for partners before either hears of the other's seek. */
static void test_seeks_at_once(void)
{
    check_about("two who seek at the same moment are paired by one of their servers");
    begin();
    enter(&anna, 1, "anna");
    enter(&bob, 2, "bob");
    enter(&carl, 3, "carl");
    send_line(&anna, "seek shakti");
    send_line(&bob, "seek shakti");
    send_line(&carl, "seek shakti");
    for (int site = 1; site <= SITES; site++)
        server_end_turn(&sites[site]); /* all three are offered */
    settle();
    CHECK_INT(count(&anna.peer, "\"paired\"") + count(&bob.peer, "\"paired\"") +
                  count(&carl.peer, "\"paired\""),
              2);
    for (int site = 1; site <= SITES; site++) {
        server_tick(&sites[site]);
        settle();
        CHECK_INT(sites[site].seeks.waiting, 1);
    }

    check_about("what got lost is found again: an offer, and who has been paired");
    skip_all();
    TAILQ_FIRST(&engine.seeks)->number += 100;
    for (int site = 1; site <= SITES; site++)
        engine_tell_seeks(&engine, site);
    settle();
    for (int site = 1; site <= SITES; site++)
        CHECK_INT(sites[site].seeks.waiting, 1);
    enter(&dora, 1, "dora");
    ask(&dora, "seek shakti");
    CHECK_INT(count(&dora.peer, "\"paired\""), 1);
    CHECK(TAILQ_EMPTY(&engine.seeks));

    check_about("a server that is dead takes its seeks along");
    ask(&anna, "seek clobber");
    CHECK_INT(sites[2].seeks.waiting, 1);
    kill_site(1);
    CHECK_INT(sites[2].seeks.waiting, 0);
    end();
}

static unsigned storm_state;

/* A number from 0 to below `most`, the same in every run. */
static unsigned draw_number(unsigned most)
{
    storm_state = storm_state * 1103515245u + 12345u;
    return (storm_state >> 16) % most;
}

/* The id of a match of some server; mostly one of the latest. */
static long storm_match(void)
{
    int site = 1 + (int)draw_number(SITES);
    long latest = (long)(sites[site].lobby.opened - site * 1000);

    return site * 1000L + (latest > 3 ? latest - (long)draw_number(3) : latest);
}

/* Has a client say anything, or come and go. */
static void storm_step(int number)
{
    static const char *const lines[] = {
        "new clobber:2x2",
        "new clobber:2x2 clock=60",
        "new clobber:2x2 black=%s",
        "join %ld",
        "join %ld",
        "join %ld",
        "move %ld a2a1",
        "move %ld b2b1",
        "move %ld a1b1",
        "move %ld a2a1",
        "move %ld b2b1",
        "undo %ld",
        "undo %ld",
        "draw %ld",
        "draw %ld",
        "decline %ld",
        "resign %ld",
        "rematch %ld",
        "rematch %ld",
        "rematch %ld",
        "say %ld hello",
        "claim %ld",
        "abort %ld",
        "watch %ld",
        "leave %ld",
        "list",
        "who",
        "history %s",
        "state %ld",
        "new clobber:2x2 once=k white=%s",
        "seek clobber:2x2",
        "seek clobber:2x2 color=white repeat=yes",
        "unseek",
        "seeks",
    };
    static const char *const names[] = {"anna", "bob", "carl", "dora"};
    struct client *client = people[number];
    char line[64];

    if (client->peer.session == NULL || session_is_closing(client->peer.session) ||
        (!client->sleeps && draw_number(40) == 0)) {
        settle(); /* the peer is used again */
        if (client->peer.session != NULL)
            hang_up(client);
        come_back(client, 1 + (int)draw_number(SITES), names[number]);
        return;
    }
    if (client->sleeps)
        return;
    const char *format = lines[draw_number(LENGTH(lines))];
    if (strstr(format, "%s") != NULL)
        snprintf(line, sizeof line,
                 strstr(format, "history") != NULL ? "history %s"
                 : strstr(format, "once") != NULL  ? "new clobber:2x2 once=k white=%s"
                                                   : "new clobber:2x2 black=%s",
                 names[draw_number(LENGTH(names))]);
    else if (strstr(format, "%ld") != NULL)
        snprintf(line, sizeof line, "%.*s%ld%s", (int)strcspn(format, "%"), format, storm_match(),
                 strstr(format, "%ld") + 3);
    else
        snprintf(line, sizeof line, "%s", format);
    skip(&client->peer);
    send_line(client, line);
}

/* What every server has in memory is what is kept. */
static void check_memory(void)
{
    const struct table *table;
    int compared = 0;

    for (int site = 1; site <= SITES; site++)
        for (table = sites[site].lobby.by_id; table != NULL; table = table->by_id.next) {
            const struct table *kept = lobby_find(&engine.lobby, table->id);
            compared++;
            if (!CHECK_THAT(kept != NULL, "site %d: match %s", site, table->id))
                continue;
            CHECK_INT(table->version, kept->version);
            CHECK_INT(table->match.status, kept->match.status);
            CHECK_INT(table->match.ply_count, kept->match.ply_count);
            CHECK(memcmp(table->match.offers, kept->match.offers, sizeof kept->match.offers) == 0);
            for (int color = WHITE; color <= BLACK; color++)
                CHECK_TEXT(seat_name(&table->seats[color]), seat_name(&kept->seats[color]));
        }
    CHECK(compared > 100);
}

/* Every server knows the seeks that wait, and those of others that wait. */
static void check_seeks(void)
{
    const struct engine_seek *kept;
    const struct seek *seek;

    TAILQ_FOREACH (kept, &engine.seeks, link)
        CHECK_INT(kept->match, 0);
    for (int site = 1; site <= SITES; site++) {
        int known = 0, offered = 0;
        TAILQ_FOREACH (seek, &sites[site].seeks.all, link)
            known += seek->there.node != 0 || seek->offered;
        TAILQ_FOREACH (kept, &engine.seeks, link)
            offered++;
        CHECK_INT(known, offered);
    }
}

/* Everybody does anything at three servers, and much of it at once. */
static void test_storm(void)
{
    begin();
    enter(&anna, 1, "anna");
    enter(&bob, 2, "bob");
    enter(&carl, 3, "carl");
    enter(&dora, 1, "dora");
    storm_state = 1;
    for (int step = 0; step < 6000; step++) {
        check_about("step %d", step);
        storm_step((int)draw_number(LENGTH(people)));
        if (draw_number(3) == 0)
            settle();
    }
    settle();
    check_about("after the storm");
    for (size_t i = 0; i < LENGTH(people); i++)
        CHECK_THAT(!people[i]->sleeps, "'%s' sleeps", people[i]->line);
    check_memory();
    check_seeks();
    end();
}

int main(void)
{
    test_nodes();
    test_challenge();
    test_moves();
    test_races();
    test_names();
    test_presence();
    test_claim_and_gone();
    test_gone_unnoticed();
    test_guests();
    test_lists();
    test_once();
    test_seeks();
    test_seeks_at_once();
    test_house_bots();
    test_storm();
    return check_end("test_cluster");
}
