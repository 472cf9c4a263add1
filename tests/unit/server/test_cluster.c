/* Matches between players at several servers that share a lobby. */
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "sites.h"

static void test_challenge(void)
{
    check_about("a challenge reaches a player at another server");
    sites_begin();
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
    sites_end();

    check_about("and can be declined there");
    sites_begin();
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
    sites_end();
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
               "played\xe2\x80\xa6 \\\"bye\\\"\",\"to\":\"players\"}\n");
    GETS(bob, "\"type\":\"chat\"");
    sites_end();
}

static void test_casual(void)
{
    start_match("new clobber:2x3");
    check_about("a hint makes a match casual at both servers");
    skip_all();
    ask(&bob, "hint");
    GETS(bob, "\"cmd\":\"hint\",\"match\":\"1001\"");
    GETS(bob, "\"rated\":false");
    GETS(anna, "\"ply\":0,\"turn\":\"white\"");
    skip_all();
    ask(&anna, "state");
    GETS(anna, "\"rated\":false");
    check_about("for good");
    ask(&anna, "move a2a1");
    GETS(bob, "\"rated\":false");
    skip_all();
    ask(&anna, "resign");
    skip_all();
    ask(&bob, "record 1001");
    GETS(bob, "\"rated\":false");
    sites_end();
}

static void test_end(void)
{
    start_match("new clobber:2x2");
    ask(&anna, "move a2a1");
    ask(&bob, "move b2b1");
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
    sites_end();
}

/* Two at once: the second to be kept runs again on what the first has done. */
static void test_races(void)
{
    sites_begin();
    enter(&anna, 1, "anna");
    enter(&bob, 2, "bob");
    enter(&carl, 3, "carl");
    check_about("two join one seat");
    ask(&anna, "new clobber:2x2");
    skip_all();
    send_line(&bob, "join 1001");
    send_line(&carl, "join 1001");
    sites_settle();
    CHECK_INT(count(&bob.peer, "\"cmd\":\"join\",\"match\":\"1001\"") +
                  count(&carl.peer, "\"cmd\":\"join\",\"match\":\"1001\""),
              1);
    CHECK_INT(count(&bob.peer, "seat-taken") + count(&carl.peer, "seat-taken"), 1);
    CHECK_INT(count(&anna.peer, "\"status\":\"playing\""), 1);
    sites_end();

    start_match("new clobber:5x6");
    check_about("both offer a draw: they agree");
    send_line(&anna, "draw");
    send_line(&bob, "draw");
    sites_settle();
    CHECK_INT(count(&anna.peer, "\"reason\":\"draw-agreed\""), 1);
    CHECK_INT(count(&bob.peer, "\"reason\":\"draw-agreed\""), 1);
    CHECK_INT(count(&anna.peer, "\"agreed\":true") + count(&bob.peer, "\"agreed\":true"), 1);
    sites_end();

    check_about("two take one name");
    sites_begin();
    visit(&anna, 1);
    visit(&bob, 2);
    send_line(&anna, "hello eve");
    send_line(&bob, "hello Eve");
    sites_settle();
    CHECK_INT(count(&anna.peer, "\"token\"") + count(&bob.peer, "\"token\""), 1);
    CHECK_INT(count(&anna.peer, "name-taken") + count(&bob.peer, "name-taken"), 1);
    sites_end();
}

static void test_rating_race(void)
{
    check_about("both end rated matches of one player: each counts");
    sites_begin();
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
    sites_settle();
    GETS(bob, "\"reason\":\"resign\"");
    GETS(carl, "\"reason\":\"resign\"");
    CHECK_INT(
        sites_sql("SELECT matches FROM rating JOIN player ON id = player WHERE name = 'anna'"), 2);
    sites_end();
}

/* Site 1 writes a move of match 1001 in a batch with this number beyond its last one. Returns how
 * many changes are kept. */
static int keep_move(int beyond)
{
    sites_sql("DO $$ DECLARE stale bigint[]; own node; BEGIN "
              "SELECT * INTO own FROM node WHERE id = 1; "
              "CALL keep(1, own.epoch, own.batch + %d, '{1001}', '{99}', '{2}', '{b2b1}', '{7}', "
              "'{-1}', '{-1}', '{0}', '{NULL}', '{NULL}', '[]', '{1001}', '{}', '{}', stale); "
              "END $$",
              beyond);
    return sites_sql("SELECT count(*) FROM entry");
}

static void test_batches(void)
{
    check_about("a batch that comes twice, or ahead of another one, is not kept");
    start_match("new clobber:2x2");
    ask(&anna, "move a2a1");
    int kept = sites_sql("SELECT count(*) FROM entry");
    CHECK_INT(keep_move(0), kept);
    CHECK_INT(keep_move(2), kept);
    CHECK_INT(keep_move(1), kept + 1);
    sites_end();
}

static void test_lists(void)
{
    sites_begin();
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
    sites_end();
}

static void test_who(void)
{
    sites_begin();
    enter(&anna, 1, "anna");
    enter(&bob, 2, "bob");
    visit(&carl, 3);
    ask(&anna, "new clobber:2x2 white=me black=me");
    check_about("who is there: guests only of this server");
    skip_all();
    ask(&bob, "who");
    GETS(bob, "\"name\":\"anna\"");
    GETS(bob, "\"name\":\"bob\"");
    GETS(bob, "\"total\":2");
    skip_all();
    ask(&carl, "who");
    GETS(carl, "guest-");
    skip_all();
    ask(&carl, "who playing=no from=1");
    GETS(carl, "\"players\":[{\"name\":\"guest-");
    GETS(carl, "\"total\":2");
    sites_end();
}

static void test_watching(void)
{
    sites_begin();
    enter(&anna, 1, "anna");
    enter(&bob, 2, "bob");
    visit(&carl, 3);
    ask(&carl, "set format=text");
    ask(&anna, "new clobber:2x2 white=me black=me");
    check_about("watching a match elsewhere");
    skip_all();
    ask(&bob, "watch 1001");
    GETS(bob, "\"cmd\":\"watch\",\"match\":\"1001\"");
    GETS(bob, "\"you\":null");
    ask(&anna, "move a2a1");
    GETS(bob, "\"ply\":1");
    ask(&anna, "say 1001 hello");
    GETS(bob, "\"from\":\"anna\",\"text\":\"hello\"");
    ask(&anna, "say 1001 to=watchers and you");
    GETS(bob, "\"from\":\"anna\",\"text\":\"and you\",\"to\":\"watchers\"");
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
    sites_end();
}

static void test_open_seats(void)
{
    sites_begin();
    enter(&anna, 1, "anna");
    enter(&bob, 2, "bob");
    visit(&carl, 3);
    check_about("who took an open seat at another server can lose it, and not take it again");
    ask(&anna, "new clobber:2x2");
    ask(&carl, "join 1001");
    skip_all();
    ask(&anna, "kick 1001");
    GETS(anna, "\"status\":\"open\"");
    GETS(carl, "\"status\":\"open\"");
    GETS(carl, "\"you\":null");
    ask(&carl, "join 1001");
    GETS(carl, "\"code\":\"not-allowed\"");
    ask(&bob, "join 1001");
    GETS(bob, "\"you\":\"black\"");
    skip_all();
    ask(&anna, "kick 1001");
    ask(&bob, "join 1001");
    GETS(bob, "\"code\":\"not-allowed\"");
    CHECK_INT(sites_sql("SELECT was_open FROM match WHERE number = 1001"), 0);
    check_about("a seat with a word");
    ask(&anna, "new clobber:2x2 code=sesame");
    skip_all();
    ask(&bob, "list");
    GETS(bob, "\"code\":true");
    ask(&bob, "join 1002");
    GETS(bob, "\"code\":\"code-needed\"");
    ask(&bob, "join 1002 code=sesame");
    GETS(bob, "\"match\":\"1002\",\"color\":\"black\"");
    sites_end();
}

static void test_once(void)
{
    sites_begin();
    enter(&anna, 1, "anna");
    check_about("once= at another server");
    ask(&anna, "new clobber:2x2 once=k");
    GETS(anna, "\"cmd\":\"new\",\"match\":\"1001\"");
    anna.peer.session = NULL;
    site_kill(1);
    come_back(&anna, 2, "anna");
    skip_all();
    ask(&anna, "new clobber:2x2 once=k");
    GETS(anna, "\"cmd\":\"new\",\"match\":\"1001\"");
    ask(&anna, "new clobber:2x2 once=l");
    GETS(anna, "\"cmd\":\"new\",\"match\":\"2001\"");
    sites_end();
}

int main(void)
{
    if (sites_open("test_cluster")) {
        test_challenge();
        test_moves();
        test_casual();
        test_end();
        test_races();
        test_rating_race();
        test_batches();
        test_lists();
        test_who();
        test_watching();
        test_open_seats();
        test_once();
    }
    sites_close();
    return check_end("test_cluster");
}
