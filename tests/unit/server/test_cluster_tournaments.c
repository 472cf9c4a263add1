/* Tournaments at several servers that share a lobby. */
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "server/model/tournament.h"
#include "server/play/lifecycle.h"
#include "sites.h"

static struct tournament *latest_at(int site)
{
    return TAILQ_LAST(&sites[site].lobby.tournaments.list, tournament_list);
}

/* Lets a site go on with a tournament that it leaves to others, who do nothing. */
static void wait_for_step(int first, int last)
{
    for (int second = 0; second < 5; second++)
        for (int site = first; site <= last; site++) {
            sites[site].now_ms += 1000;
            server_tick(&sites[site]);
            sites_settle();
        }
}

/* Every site has the same entrants, pairings, matches and results; and these are what the rows of
 * the matches add up to. */
static void check_same(int first, int last)
{
    const struct tournament *one = latest_at(first);
    int points = 0, kept = sites_sql("SELECT coalesce(sum(CASE WHEN result = '1/2-1/2' THEN 2 WHEN "
                                     "result = '*' THEN 0 ELSE 2 END), 0)"
                                     " FROM match WHERE tournament = %lld AND status = 'over'",
                                     (long long)one->number);

    for (int i = 0; i < one->contest.pairings.count; i++)
        if (pairing_has_match(&one->contest.pairings.rows[i]))
            points += pairing_points2(&one->contest.pairings.rows[i],
                                      one->contest.pairings.rows[i].white) +
                      pairing_points2(&one->contest.pairings.rows[i],
                                      one->contest.pairings.rows[i].black);
    CHECK_INT(points, kept);
    for (int site = first + 1; site <= last; site++) {
        const struct tournament *other = latest_at(site);
        CHECK_INT(other->number, one->number);
        CHECK_INT(other->version, one->version);
        CHECK_INT(other->status, one->status);
        CHECK_INT(other->plan.openings, one->plan.openings);
        CHECK_INT(other->contest.entrant_count, one->contest.entrant_count);
        for (int i = 0; i < one->contest.entrant_count; i++)
            CHECK_INT(other->players[i]->id, one->players[i]->id);
        if (!CHECK_INT(other->contest.pairings.count, one->contest.pairings.count))
            continue;
        CHECK_INT(other->contest.open, one->contest.open);
        for (int i = 0; i < one->contest.pairings.count; i++) {
            CHECK_INT(other->matches[i], one->matches[i]);
            CHECK_INT(other->contest.pairings.rows[i].result, one->contest.pairings.rows[i].result);
        }
    }
    CHECK_INT(
        sites_sql("SELECT count(*) FROM match WHERE tournament = %lld", (long long)one->number),
        sites_sql("SELECT count(DISTINCT pairing) FROM match WHERE tournament = %lld",
                  (long long)one->number));
}

/* Whoever is named resigns all their matches of the tournament that run. */
static void resign_all(struct client *client, const char *name, int site)
{
    const struct tournament *tournament = latest_at(site);
    char line[64];

    for (int i = 0; i < tournament->contest.pairings.count; i++) {
        const struct contest_pairing *row = &tournament->contest.pairings.rows[i];
        if (row->result != PAIRING_OPEN || tournament->matches[i] == 0 ||
            (strcmp(tournament->players[row->white]->name, name) != 0 &&
             strcmp(tournament->players[row->black]->name, name) != 0))
            continue;
        snprintf(line, sizeof line, "resign %lld", (long long)tournament->matches[i]);
        ask(client, line);
    }
}

static void enter_all(void)
{
    enter(&anna, 1, "anna");
    enter(&bob, 2, "bob");
    enter(&carl, 3, "carl");
    enter(&dora, 3, "dora");
}

static void test_commands(void)
{
    sites_begin();
    enter_all();
    check_about("a tournament is open at all servers");
    ask(&anna, "tournament new Cup clobber:2x3 format=round-robin clock=60 code=pear");
    GETS(anna, "\"type\":\"ok\",\"cmd\":\"tournament\",\"tournament\":\"t1001\"");
    ask(&bob, "tournaments");
    GETS(bob, "\"tournament\":\"t1001\",\"name\":\"Cup\"");
    check_about("also before another server has heard of it");
    sites_sql("INSERT INTO tournament VALUES (500, 1)");
    sites_sql("INSERT INTO tournament_entry SELECT 500, 1, line, players FROM tournament_entry");
    skip_all();
    ask(&bob, "tournament show t500");
    GETS(bob, "\"tournament\":\"t500\",\"name\":\"Cup\"");
    ask(&carl, "watch tournament t500");
    GETS(carl, "\"type\":\"ok\"");
    check_about("and what nobody has told is found within seconds");
    CHECK(tournaments_find_number(&sites[1].lobby.tournaments, 500) == NULL);
    site_make_rounds(1);
    CHECK(tournaments_find_number(&sites[1].lobby.tournaments, 500) != NULL);
    check_about("its word is asked for everywhere");
    skip_all();
    ask(&bob, "tournament join t1001");
    GETS(bob, "\"code\":\"code-needed\"");
    ask(&bob, "watch tournament t1001");
    skip_all();
    ask(&bob, "tournament join t1001 code=pear");
    GETS(bob, "\"type\":\"ok\",\"cmd\":\"tournament\"");
    ask(&carl, "tournament join t1001 code=pear");
    GETS(bob, "\"what\":\"joined\",\"status\":\"open\",\"name\":\"carl\"");
    check_about("only the director directs it, and from any server");
    skip_all();
    ask(&carl, "tournament start t1001");
    GETS(carl, "\"code\":\"not-allowed\"");
    ask(&anna, "tournament kick t1001 dora");
    GETS(anna, "\"type\":\"ok\",\"cmd\":\"tournament\"");
    ask(&dora, "tournament join t1001 code=pear");
    GETS(dora, "\"code\":\"not-allowed\"");
    ask(&anna, "tournament kick t1001 nobody");
    GETS(anna, "\"code\":\"unknown-player\"");
    check_same(1, 3);
    check_about("two who join at once both take part");
    ask(&anna, "tournament new Both clobber:2x3 format=swiss clock=60 openings=random:1");
    skip_all();
    send_line(&bob, "tournament join t1002");
    send_line(&carl, "tournament join t1002");
    send_line(&anna, "tournament join t1002");
    sites_settle();
    GETS(bob, "\"type\":\"ok\"");
    GETS(carl, "\"type\":\"ok\"");
    GETS(anna, "\"type\":\"ok\"");
    CHECK_INT(latest_at(1)->contest.entrant_count, 3);
    CHECK_INT(latest_at(3)->plan.openings, 1);
    check_same(1, 3);
    check_about("one who leaves as it starts has left before or after");
    skip_all();
    send_line(&carl, "tournament leave t1002");
    send_line(&anna, "tournament start t1002");
    sites_settle();
    GETS(carl, "\"type\":\"ok\",\"cmd\":\"tournament\",\"tournament\":\"t1002\"");
    wait_for_step(1, 3);
    CHECK_INT(latest_at(3)->status, TOURNAMENT_RUNNING);
    check_same(1, 3);
    check_about("no result counts after it is aborted");
    ask(&anna, "tournament abort t1002");
    CHECK_INT(latest_at(2)->status, TOURNAMENT_ABORTED);
    int open = latest_at(2)->contest.open;
    resign_all(&anna, "anna", 1);
    resign_all(&bob, "bob", 2);
    wait_for_step(1, 3);
    for (int site = 1; site <= SITES; site++)
        CHECK_INT(latest_at(site)->contest.open, open);
    sites_end();
}

static void test_rounds(void)
{
    sites_begin();
    enter_all();
    check_about("players at three servers are paired");
    ask(&anna, "tournament new Cup clobber:2x3 format=round-robin clock=60");
    ask(&anna, "tournament join t1001");
    ask(&bob, "tournament join t1001");
    ask(&carl, "tournament join t1001");
    ask(&dora, "tournament join t1001");
    skip_all();
    ask(&anna, "tournament start t1001");
    wait_for_step(1, 3);
    CHECK_INT(latest_at(1)->contest.pairings.count, 2);
    GETS(anna, "\"type\":\"paired\"");
    GETS(bob, "\"type\":\"state\"");
    GETS(carl, "\"type\":\"state\"");
    GETS(dora, "\"type\":\"paired\"");
    check_same(1, 3);
    check_about("the next round follows when all results are there, once");
    resign_all(&anna, "anna", 1);
    check_same(1, 3);
    resign_all(&carl, "carl", 3);
    resign_all(&dora, "dora", 3);
    wait_for_step(1, 3);
    CHECK_INT(latest_at(2)->contest.pairings.count, 4);
    check_same(1, 3);
    check_about("the death of a server costs nothing");
    site_kill(1);
    anna.peer.session = NULL;
    come_back(&anna, 2, "anna");
    resign_all(&anna, "anna", 2);
    resign_all(&bob, "bob", 2);
    wait_for_step(2, 3);
    resign_all(&carl, "carl", 3);
    wait_for_step(2, 3);
    CHECK_INT(latest_at(2)->contest.pairings.count, 6);
    check_same(2, 3);
    check_about("one that starts reads all of it");
    site_start_again(1);
    check_same(1, 3);
    check_about("and so does the death of another one");
    site_kill(3);
    carl.peer.session = dora.peer.session = NULL;
    come_back(&carl, 1, "carl");
    come_back(&dora, 1, "dora");
    resign_all(&anna, "anna", 2);
    resign_all(&bob, "bob", 2);
    resign_all(&carl, "carl", 1);
    resign_all(&dora, "dora", 1);
    wait_for_step(1, 2);
    CHECK_INT(latest_at(1)->status, TOURNAMENT_OVER);
    CHECK_INT(sites_sql("SELECT count(*) FROM match WHERE tournament = 1001"), 6);
    check_same(1, 2);
    sites_end();
}

static void test_arena(void)
{
    sites_begin();
    enter_all();
    check_about("an arena pairs who is there, at any server");
    ask(&anna, "tournament new Arena clobber:2x3 format=arena minutes=10 clock=60");
    ask(&anna, "tournament join t1001");
    ask(&bob, "tournament join t1001");
    ask(&carl, "tournament join t1001");
    ask(&dora, "tournament join t1001");
    hang_up(&dora);
    ask(&anna, "tournament start t1001");
    wait_for_step(1, 3);
    CHECK_INT(latest_at(1)->contest.pairings.count, 1);
    check_same(1, 3);
    come_back(&dora, 2, "dora");
    wait_for_step(1, 3);
    CHECK_INT(latest_at(1)->contest.pairings.count, 2);
    check_same(1, 3);
    check_about("again and again, and ends");
    for (int round = 0; round < 3; round++) {
        resign_all(&anna, "anna", 1);
        resign_all(&bob, "bob", 2);
        resign_all(&carl, "carl", 3);
        wait_for_step(1, 3);
        check_same(1, 3);
    }
    CHECK(latest_at(1)->contest.pairings.count > 4);
    for (int site = 1; site <= SITES; site++)
        sites[site].wall_s += 601;
    wait_for_step(1, 3);
    resign_all(&anna, "anna", 1);
    resign_all(&bob, "bob", 2);
    resign_all(&carl, "carl", 3);
    resign_all(&dora, "dora", 2);
    wait_for_step(1, 3);
    CHECK_INT(latest_at(3)->status, TOURNAMENT_OVER);
    check_same(1, 3);
    sites_end();
}

static void test_series(void)
{
    sites_begin();
    enter_all();
    check_about("of two who begin a series at once one does");
    send_line(&anna, "tournament new Cup clobber:2x3 format=round-robin clock=60 series=Night");
    send_line(&bob, "tournament new Cup clobber:2x3 format=round-robin clock=60 series=night");
    sites_settle();
    bool annas = sites_sql("SELECT count(*) FROM series s JOIN player p ON p.id = s.director"
                           " WHERE s.name = 'night' AND p.name = 'anna'") == 1;
    struct client *first = annas ? &anna : &bob, *second = annas ? &bob : &anna;
    GETS(*first, "\"type\":\"ok\",\"cmd\":\"tournament\"");
    GETS(*second, "\"code\":\"not-allowed\"");
    CHECK_INT(sites_sql("SELECT count(*) FROM tournament"), 1);
    check_about("every server reads to which series a tournament belongs");
    for (int site = 1; site <= SITES; site++)
        CHECK_TEXT(latest_at(site)->plan.series, "night");
    check_about("a tournament counts once, and its series is the same everywhere");
    char line[64];
    for (int night = 1; night <= 2; night++) {
        snprintf(line, sizeof line, "tournament join %s", latest_at(1)->id);
        ask(&anna, line);
        ask(&carl, line);
        snprintf(line, sizeof line, "tournament start %s", latest_at(1)->id);
        ask(first, line);
        wait_for_step(1, 3);
        resign_all(&carl, "carl", 3);
        wait_for_step(1, 3);
        CHECK_INT(latest_at(2)->status, TOURNAMENT_OVER);
        skip_all();
        ask(&carl, "tournament series night");
        snprintf(line, sizeof line, "\"tournaments\":%d,\"players\":[{\"rank\":1,\"name\":\"anna\"",
                 night);
        GETS(carl, line);
        ask(&bob, "tournament series night players=2");
        snprintf(line, sizeof line,
                 "\"name\":\"carl\",\"bot\":false,\"tournaments\":%d,\"score\":0", night);
        GETS(bob, line);
        ask(second, "tournament new Cup clobber:2x3 format=swiss series=night");
        GETS(*second, "\"code\":\"not-allowed\"");
        ask(first, "tournament new Cup clobber:2x3 format=round-robin clock=60 series=night");
    }
    check_about("and another server reads it after it starts anew");
    site_kill(3);
    carl.peer.session = dora.peer.session = NULL;
    site_start_again(3);
    CHECK_TEXT(latest_at(3)->plan.series, "night");
    check_about("a series that is unknown");
    skip_all();
    ask(&anna, "tournament series day");
    GETS(anna, "\"code\":\"unknown-tournament\"");
    sites_end();
}

static void test_broken_log(void)
{
    sites_begin();
    enter_all();
    check_about("a tournament whose log goes on with what cannot be read stays as it is");
    ask(&anna, "tournament new Cup clobber:2x3 format=round-robin clock=60");
    ask(&anna, "tournament join t1001");
    ask(&bob, "tournament join t1001");
    const struct tournament *cup = latest_at(2);
    CHECK_INT(cup->version, 3);
    sites_sql("INSERT INTO tournament_entry SELECT tournament, 4, 'x', players"
              " FROM tournament_entry WHERE version = 3");
    sites_sql("UPDATE tournament SET version = 4");
    skip_all();
    ask(&bob, "tournament leave t1001"); /* whose server finds out by that */
    GETS(bob, "\"code\":\"not-allowed\",\"message\":\"it is damaged, and read-only\"");
    ask(&anna, "tournament start t1001");
    GETS(anna, "\"code\":\"not-allowed\",\"message\":\"it is damaged, and read-only\"");
    wait_for_step(1, 3);
    ask(&bob, "tournament show t1001");
    GETS(bob, "\"total_players\":2");
    CHECK_INT(cup->version, 3);
    sites_end();
}

int main(void)
{
    if (sites_open("test_cluster_tournaments")) {
        test_commands();
        test_rounds();
        test_arena();
        test_series();
        test_broken_log();
    }
    sites_close();
    return check_end("test_cluster_tournaments");
}
