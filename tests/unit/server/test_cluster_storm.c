/* Seeks at servers that share a lobby, and a storm: everybody does anything at three servers, and
 * much of it at once. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "server/keep/postgres/postgres_archive.h"
#include "server/play/lifecycle.h"
#include "server/play/seeks.h"
#include "server/play/session.h"
#include "sites.h"

static void test_seeks(void)
{
    check_about("those who seek at two servers are paired");
    sites_begin();
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
    skip_all();
    seeking_take(&sites[1], 1, lobby_find(&sites[1].lobby, "2001"));
    GETS_NOT(anna, "paired"); /* of the match before they know */
    ask(&carl, "seek clobber:2x2 clock=60+1");
    GETS(carl, "\"opponent\":\"anna\"");
    GETS(anna, "\"opponent\":\"guest-");

    check_about("a guest's new name is known elsewhere");
    skip_all();
    ask(&carl, "hello carl");
    ask(&bob, "seeks");
    CHECK_INT(count(&bob.peer, "\"name\":\"carl\""), 2);
    struct seek *seek = TAILQ_FIRST(&carl.peer.session->seeks);
    seeks_pair(&sites[3].seeks, seek);
    seeks_rename(&sites[3].seeks, &carl.peer.session->seeks);
    CHECK(!seek->is_fresh);
    seeks_wait(&sites[3].seeks, seek, false);
    CHECK(seek->changed);
    check_about("and who goes seeks no more");
    hang_up(&carl);
    CHECK_INT(sites[2].seeks.waiting, 0);
    CHECK_INT(sites_sql("SELECT count(*) FROM seek"), 0);
    sites_end();
}

/* Anna and Bob are both at sites 1 and 2; each seeks where the other one's first window is. */
static void test_seeks_of_windows(void)
{
    char line[80];

    sites_begin();
    enter(&anna, 1, "anna");
    enter(&bob, 2, "bob");
    visit(&carl, 2);
    snprintf(line, sizeof line, "hello anna token=%s", tokens[0]);
    ask(&carl, line);
    visit(&dora, 1);
    snprintf(line, sizeof line, "hello bob token=%s", tokens[1]);
    ask(&dora, line);
    check_about("a seek ends with its connection, though the player stays");
    ask(&carl, "seek shakti");
    skip_all();
    ask(&bob, "seeks");
    GETS(bob, "\"seek\":\"1\",\"name\":\"anna\"");
    ask(&dora, "seeks");
    GETS(dora, "\"seek\":\"1@2\",\"name\":\"anna\"");
    ask(&anna, "seek shakti");
    CHECK_INT(sites_sql("SELECT count(*) FROM match"), 0); /* nobody plays with themselves */
    ask(&anna, "unseek");
    hang_up(&carl);
    CHECK_INT(sites_sql("SELECT count(*) FROM seek"), 0);
    CHECK_INT(sites[1].seeks.waiting, 0);
    check_about("seeks of two who are at both servers");
    visit(&carl, 2);
    snprintf(line, sizeof line, "hello anna token=%s", tokens[0]);
    ask(&carl, line);
    skip_all();
    ask(&carl, "seek clobber:2x2");
    ask(&dora, "seek clobber:2x2");
    GETS(carl, "\"type\":\"paired\",\"seek\":\"");
    GETS(dora, "\"type\":\"paired\",\"seek\":\"");
    for (int i = 0; i < VISITORS; i++)
        GETS(*people[i], "\"status\":\"playing\",\"ply\":0");
    CHECK_INT(sites_sql("SELECT count(*) FROM match"), 1);
    CHECK_INT(sites_sql("SELECT count(*) FROM seek"), 0);
    sites_end();
}

/* The row of a seek says something else than other servers were told. */
static void test_lost_news(void)
{
    check_about("a name that a guest took unheard is read");
    sites_begin();
    visit(&anna, 1);
    enter(&bob, 2, "bob");
    ask(&anna, "seek shakti repeat=yes");
    sites_sql("UPDATE seek SET line = regexp_replace(line, '\\d 0 guest.*', '%d 0 eve')",
              PLAYER_NAMED);
    for (int round = 0; round < 2; round++) {
        site_make_rounds(2);
        skip_all();
        ask(&bob, "seeks");
        GETS(bob, "\"seek\":\"1@1\",\"name\":\"eve\"");
        GETS(bob, "\"total\":1");
    }
    sites_end();

    check_about("a seek is offered again whose row tells of the match before");
    sites_begin();
    enter(&anna, 1, "anna");
    enter(&bob, 2, "bob");
    ask(&anna, "seek shakti repeat=yes");
    ask(&bob, "seek shakti");
    ask(&bob, "resign");
    CHECK_INT(sites[2].seeks.waiting, 1);
    sites_sql("UPDATE seek SET match = %lld", (long long)TAILQ_FIRST(&sites[1].seeks.all)->match);
    skip_all();
    site_make_rounds(1);
    CHECK_INT(sites_sql("SELECT coalesce(match, 0) FROM seek"), 0);
    GETS_NOT(anna, "paired");
    check_about("and a row is taken back whose seek is gone");
    sites_sql("UPDATE seek SET match = 1, number = 100");
    site_make_rounds(1);
    CHECK_INT(sites_sql("SELECT count(*) FROM seek WHERE number = 100"), 0);
    sites_end();
}

/* Both servers look for partners before either hears of the other's seek. */
static void test_seeks_at_once(void)
{
    check_about("two who seek at the same moment are paired by one of their servers");
    sites_begin();
    enter(&anna, 1, "anna");
    enter(&bob, 2, "bob");
    enter(&carl, 3, "carl");
    send_line(&anna, "seek shakti");
    send_line(&bob, "seek shakti");
    send_line(&carl, "seek shakti");
    for (int site = 1; site <= SITES; site++)
        server_end_turn(&sites[site]); /* all three are offered */
    sites_settle();
    CHECK_INT(count(&anna.peer, "\"paired\"") + count(&bob.peer, "\"paired\"") +
                  count(&carl.peer, "\"paired\""),
              2);
    for (int site = 1; site <= SITES; site++) {
        server_tick(&sites[site]);
        sites_settle();
        CHECK_INT(sites[site].seeks.waiting, 1);
    }

    check_about("what got lost is found again: an offer, and who has been paired");
    skip_all();
    sites_sql("UPDATE seek SET number = number + 100");
    for (int site = 1; site <= SITES; site++)
        site_make_rounds(site);
    for (int site = 1; site <= SITES; site++)
        CHECK_INT(sites[site].seeks.waiting, 1);
    enter(&dora, 1, "dora");
    ask(&dora, "seek shakti");
    CHECK_INT(count(&dora.peer, "\"paired\""), 1);
    CHECK_INT(sites_sql("SELECT count(*) FROM seek"), 0);

    check_about("a server that is dead takes its seeks along");
    ask(&anna, "seek clobber");
    CHECK_INT(sites[2].seeks.waiting, 1);
    site_kill(1);
    CHECK_INT(sites[2].seeks.waiting, 0);
    sites_end();
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

static const char *const names[] = {"anna", "bob", "carl", "dora"};

/* Writes any line: %s is a name in it, %ld a match. */
static void storm_line(char *line, size_t size)
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
    const char *format = lines[draw_number(LENGTH(lines))];

    if (strstr(format, "%s") != NULL)
        snprintf(line, size,
                 strstr(format, "history") != NULL ? "history %s"
                 : strstr(format, "once") != NULL  ? "new clobber:2x2 once=k white=%s"
                                                   : "new clobber:2x2 black=%s",
                 names[draw_number(LENGTH(names))]);
    else if (strstr(format, "%ld") != NULL)
        snprintf(line, size, "%.*s%ld%s", (int)strcspn(format, "%"), format, storm_match(),
                 strstr(format, "%ld") + 3);
    else
        snprintf(line, size, "%s", format);
}

/* Lets a client say anything, or come and go. */
static void storm_step(int number)
{
    struct client *client = people[number];
    char line[64];

    if (client->peer.session == NULL || session_is_closing(client->peer.session) ||
        (!client->sleeps && draw_number(40) == 0)) {
        sites_settle(); /* the peer is used again */
        if (client->peer.session != NULL)
            hang_up(client);
        come_back(client, 1 + (int)draw_number(SITES), names[number]);
        return;
    }
    if (client->sleeps)
        return;
    storm_line(line, sizeof line);
    skip(&client->peer);
    send_line(client, line);
}

/* What every server has of a match in memory is what is kept. */
static bool compare_match(void *context, struct table *kept, const struct cause *broken)
{
    int *compared = context;

    CHECK(broken == NULL);
    for (int site = 1; site <= SITES; site++) {
        const struct table *table = lobby_find(&sites[site].lobby, kept->id);
        if (table == NULL)
            continue;
        ++*compared;
        check_about("site %d: match %s after the storm", site, table->id);
        CHECK_INT(table->version, kept->version);
        CHECK_INT(table->match.status, kept->match.status);
        CHECK_INT(table->match.ply_count, kept->match.ply_count);
        CHECK(memcmp(table->match.offers, kept->match.offers, sizeof kept->match.offers) == 0);
        for (int color = WHITE; color <= BLACK; color++)
            CHECK_TEXT(seat_name(&table->seats[color]), seat_name(&kept->seats[color]));
    }
    return true;
}

static void check_memory(void)
{
    struct cause cause;
    int compared = 0;

    struct postgres_archive *source = postgres_archive_open(sites_conninfo(), &cause);
    if (!CHECK(source != NULL))
        return;
    struct archive archive = postgres_archive(source);
    CHECK(archive.matches(archive.source, compare_match, &compared, &cause));
    CHECK(compared > 100);
    postgres_archive_close(source);
}

/* Every server knows the seeks that wait, and those of others that wait. */
static void check_seeks(void)
{
    const struct seek *seek;

    CHECK_INT(sites_sql("SELECT count(*) FROM seek WHERE match IS NOT NULL"), 0);
    for (int site = 1; site <= SITES; site++) {
        int known = 0;
        TAILQ_FOREACH (seek, &sites[site].seeks.all, link)
            known += seek->there.node != 0 || seek->offered;
        CHECK_INT(known, sites_sql("SELECT count(*) FROM seek"));
    }
}

/* Everybody does anything at three servers, and much of it at once. */
static void test_storm(void)
{
    sites_begin();
    enter(&anna, 1, "anna");
    enter(&bob, 2, "bob");
    enter(&carl, 3, "carl");
    enter(&dora, 1, "dora");
    storm_state = 1;
    for (int step = 0; step < 6000; step++) {
        check_about("step %d", step);
        storm_step((int)draw_number(LENGTH(people)));
        if (draw_number(3) == 0)
            sites_settle();
    }
    sites_settle();
    check_about("after the storm");
    for (size_t i = 0; i < LENGTH(people); i++)
        CHECK_THAT(!people[i]->sleeps, "'%s' sleeps", people[i]->line);
    check_memory();
    check_seeks();
    sites_end();
}

int main(void)
{
    if (sites_open("test_cluster_storm")) {
        test_seeks();
        test_seeks_of_windows();
        test_lost_news();
        test_seeks_at_once();
        test_storm();
    }
    sites_close();
    return check_end("test_cluster_storm");
}
