/* Seeks at servers that share a lobby, and a storm: everybody does anything at three servers, and
 * much of it at once. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "common/xmalloc.h"
#include "engine_fake_parts.h"
#include "server/play/lifecycle.h"
#include "server/play/pairing/seeking.h"
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
    GETS(anna, "\"opponent\":\"guest-3002\"");

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
    CHECK(TAILQ_EMPTY(&engine.seeks));
    sites_end();
}

/* The row of a seek says something else than other servers were told. */
static void test_lost_news(void)
{
    char text[600];

    check_about("a name that a guest took unheard is read");
    sites_begin();
    visit(&anna, 1);
    enter(&bob, 2, "bob");
    ask(&anna, "seek shakti repeat=yes");
    struct engine_seek *row = TAILQ_FIRST(&engine.seeks);
    snprintf(text, sizeof text, "%.*s%d 0 eve",
             (int)(strstr(row->text, " 0 guest") - row->text) - 1, row->text, PLAYER_NAMED);
    free(row->text);
    row->text = xstrdup(text);
    for (int round = 0; round < 2; round++) {
        engine_tell_seeks(&engine, 2);
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
    TAILQ_FIRST(&engine.seeks)->match = TAILQ_FIRST(&sites[1].seeks.all)->match;
    skip_all();
    engine_tell_seeks(&engine, 1);
    sites_settle();
    CHECK_INT(TAILQ_FIRST(&engine.seeks)->match, 0);
    GETS_NOT(anna, "paired");
    check_about("and a row is taken back whose seek is gone");
    TAILQ_FIRST(&engine.seeks)->match = 1;
    TAILQ_FIRST(&engine.seeks)->number = 100;
    engine_tell_seeks(&engine, 1);
    CHECK(fake_find_seek(&engine, 1, 100) == NULL);
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
    TAILQ_FIRST(&engine.seeks)->number += 100;
    for (int site = 1; site <= SITES; site++)
        engine_tell_seeks(&engine, site);
    sites_settle();
    for (int site = 1; site <= SITES; site++)
        CHECK_INT(sites[site].seeks.waiting, 1);
    enter(&dora, 1, "dora");
    ask(&dora, "seek shakti");
    CHECK_INT(count(&dora.peer, "\"paired\""), 1);
    CHECK(TAILQ_EMPTY(&engine.seeks));

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

/* Has a client say anything, or come and go. */
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
    test_seeks();
    test_lost_news();
    test_seeks_at_once();
    test_storm();
    return check_end("test_cluster_storm");
}
