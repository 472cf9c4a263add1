/* Ratings where transcripts hardly reach: rated matches, their effect, and the cost of `top` and
 * `record`. */
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "check.h"
#include "common/move.h"
#include "server/base/log.h"
#include "server/play/dispatch.h"
#include "server/play/lifecycle.h"
#include "server/play/presence.h"
#include "server/play/rate_limit.h"
#include "server/play/settle.h"
#include "server/play/tournaments.h"

static struct player *named(struct players *players, const char *name)
{
    struct player *player = players_add_guest(players);
    char token[TOKEN_TEXT_MAX];
    struct identity identity = player_named(player, name, false, token);

    player_settle(player, &identity);
    CHECK(player->kind == PLAYER_NAMED && players_find(players, name) == player);
    return player;
}

/* Returns a unit with a match of three plies that white wins, from `position` or the start. */
static struct unit *play_short_match(struct lobby *lobby, struct player *white,
                                     struct player *black, const char *position)
{
    static const char *const moves[] = {"a2a1", "b2b1", "a1b1"};
    struct position start;
    struct cause cause;

    CHECK(clobber.start("2x2", &start, &cause));
    if (position != NULL)
        CHECK(clobber.parse("2x2", position, &start, &cause));
    struct unit *unit = unit_new();
    const struct table_plan plan = {.game = &clobber, .start = &start, .creator = white};
    struct table *next = unit_open(unit, lobby, &plan);
    table_give_seat(next, WHITE, white, true);
    table_give_seat(next, BLACK, black, true);
    CHECK(conclude(unit, lobby, 0, 0) == NULL);
    CHECK_INT(next->match.status, MATCH_PLAYING);
    for (int i = 0; i < 3; i++)
        CHECK_INT(match_play_text(&next->match, SEATS_BOTH, moves[i], -1, 0, &cause), STATUS_OK);
    CHECK_INT(next->match.status, MATCH_OVER);
    return unit;
}

/* Keeps the match and its ratings. Returns the table. */
static const struct table *settle(struct lobby *lobby, struct unit *unit, int rated)
{
    CHECK(conclude(unit, lobby, 0, 0) == NULL);
    CHECK_INT(unit->rating_count, rated);
    unit_settle(unit, lobby);
    const struct table *table = unit->tables[0].table;
    unit_free(unit, lobby);
    return table;
}

static void test_house_bots(struct players *players, struct lobby *lobby)
{
    struct player *anna = named(players, "anna");
    struct player *random = players_add_house(players, "random");
    struct player *greedy = players_add_house(players, "greedy");

    check_about("a person and a house bot");
    const struct table *table = settle(lobby, play_short_match(lobby, anna, random, NULL), 2);
    const struct rating *white = rating_find(&anna->ratings, &clobber, "2x2");
    const struct rating *black = rating_find(&random->ratings, &clobber, "2x2");
    CHECK(white != NULL && black != NULL);
    CHECK_INT(white->matches, 1);
    CHECK(white->now.rating == table->rating_after[WHITE] &&
          black->now.rating == table->rating_after[BLACK]);
    CHECK(table->rating_after[WHITE] > 1600 && table->rating_after[BLACK] < 1400);
    CHECK(white->now.deviation == black->now.deviation);

    check_about("house bots with each other");
    settle(lobby, play_short_match(lobby, greedy, random, NULL), 2);
    CHECK_INT(black->matches, 2);

    check_about("a house bot with itself");
    table = settle(lobby, play_short_match(lobby, greedy, greedy, NULL), 0);
    CHECK(table->rating_after[WHITE] == 0 && table->rating_after[BLACK] == 0);

    check_about("the start, given as a position");
    settle(lobby, play_short_match(lobby, greedy, random, "Pp/pP w"), 2);

    check_about("a match that is not kept is not rated");
    struct unit *unit = play_short_match(lobby, anna, random, NULL);
    CHECK(conclude(unit, lobby, 0, 0) == NULL);
    CHECK_INT(unit->rating_count, 2);

    check_about("players in an unsettled rating have to wait");
    struct unit *second = play_short_match(lobby, greedy, anna, NULL);
    CHECK(conclude(second, lobby, 0, 0) == &anna->lock);
    unit_free(second, lobby);
    unit_free(unit, lobby);
    CHECK_INT(white->matches, 1);
    CHECK(anna->lock.owner == NULL && random->lock.owner == NULL && greedy->lock.owner == NULL);
    CHECK_INT(lobby->opened, 4);
    CHECK_INT(lobby->ended, 4);
}

static void test_main_rating(void)
{
    struct rating_list list = {0};

    check_about("the rating of most matches");
    CHECK(rating_main(&list) == NULL);
    struct rating *first = rating_find_or_add(&list, &clobber, "2x2");
    struct rating *second = rating_find_or_add(&list, &clobber, "5x6");
    struct rating *third = rating_find_or_add(&list, &shakti, "standard");
    CHECK(rating_find_or_add(&list, &clobber, "5x6") == second);
    CHECK(rating_find(&list, &latrunculi, "standard") == NULL);
    CHECK(rating_main(&list) == NULL);
    first->matches = second->matches = 1;
    CHECK(rating_main(&list) == first);
    third->matches = 2;
    CHECK(rating_main(&list) == third);
    ratings_release(&list);
    CHECK(rating_main(&list) == NULL);
}

static void ignore_write(void *context, const char *bytes, size_t length)
{
    (void)context, (void)bytes, (void)length;
}

static void ignore_close(void *context)
{
    (void)context;
}

/* Returns the cost of a line, in commands. */
static int cost_of(struct session *session, const char *line)
{
    int64_t before = session->spent;

    CHECK(dispatch_line(session, line, strlen(line)));
    return (int)(session->spent - before);
}

static void test_cost_of_top(void)
{
    static const struct limits limits = {.names = 2000, .errors = 1};
    struct server *server = malloc(sizeof *server);
    char name[NAME_TEXT_MAX];

    if (server == NULL)
        abort();
    server_init(server, &limits);
    struct session *session =
        presence_open(server, (struct sink){.write = ignore_write, .close = ignore_close}, NULL);
    check_about("`top` costs as much as all players that it looks at");
    CHECK_INT(cost_of(session, "top"), 2);
    for (int i = 1; i < 1000; i++) {
        snprintf(name, sizeof name, "p%d", i);
        struct player *player = players_add_stored(&server->players, i + 1, PLAYER_NAMED, name);
        rating_find_or_add(&player->ratings, &clobber, "5x6")->matches = 1;
        rating_find_or_add(&player->ratings, &shakti, "standard")->matches = 1;
    }
    CHECK_INT(cost_of(session, "top"), 2 + (20 + 1000 / 20 + 1998 / 2) / 10);
    CHECK_INT(cost_of(session, "top shakti"), 2 + (10 + 1000 / 20 + 999 / 2) / 10);
    CHECK_INT(cost_of(session, "top clobber:5x6"), 2 + (200 + 1000 / 20 + 999 / 2) / 10);
    CHECK_INT(cost_of(session, "top latrunculi"), 2 + 1000 / 20 / 10);
    presence_free(session);
    server_release(server);
    free(server);
}

static void test_cost_of_record(void)
{
    static const struct limits limits = {.matches = 1, .unfinished = 1, .names = 1, .errors = 1};
    struct server *server = malloc(sizeof *server);
    struct cause cause;
    struct move move;

    if (server == NULL)
        abort();
    server_init(server, &limits);
    struct session *session =
        presence_open(server, (struct sink){.write = ignore_write, .close = ignore_close}, NULL);
    check_about("`record` costs as much as it is long");
    cost_of(session, "new latrunculi white=me black=me");
    struct match *match = &lobby_find(&server->lobby, "1")->match;
    CHECK_INT(cost_of(session, "record 1"), 2);
    CHECK(move_parse(match->game, &match->start, "a1a3", &move, &cause));
    match->plies = calloc(PLIES_MAX, sizeof *match->plies);
    if (match->plies == NULL)
        abort();
    match->ply_count = PLIES_MAX;
    for (int i = 0; i < PLIES_MAX; i++)
        match->plies[i].move = move;
    CHECK(cost_of(session, "record 1") >= 2 + PLIES_MAX * (int)strlen("\"a1a3\",0,") / 500);
    presence_free(session);
    server_release(server);
    free(server);
}

static bool turn_is_used(const struct session *session)
{
    return rate_limit_turn_is_used(session->server, session->origin);
}

static void test_time_of_lines(void)
{
    static const struct limits limits = {
        .rate = 10000, .address_rate = 10000, .names = 1, .errors = 1};
    struct server *server = malloc(sizeof *server);
    const struct sink sink = {.write = ignore_write, .close = ignore_close};

    if (server == NULL)
        abort();
    server_init(server, &limits);
    server->now_ms = 1;
    struct origin *origin =
        origins_enter(&server->origins, &(struct origin_key){.bytes = {0xfd, 1}});
    struct origin *neighbour =
        origins_enter(&server->origins, &(struct origin_key){.bytes = {0xfd, 1, 0, 0, 0, 0, 0, 1}});
    struct origin *other =
        origins_enter(&server->origins, &(struct origin_key){.bytes = {0xfd, 2}});
    struct session *session = presence_open(server, sink, origin);
    struct session *beside = presence_open(server, sink, neighbour);
    struct session *elsewhere = presence_open(server, sink, other);

    check_about("the time of a line counts, beyond what it was charged as a command");
    rate_limit_count_time(session, 0, 20, 1);
    CHECK_INT(rate_limit_take_commands(session, 19999), 0);
    CHECK_INT(rate_limit_take_commands(session, 2), 1);
    server->now_ms += 10000;
    rate_limit_count_time(session, 0, 500000, 1);
    CHECK_INT(rate_limit_take_commands(session, 1), 0);
    CHECK_INT(rate_limit_take_commands(session, 1), 1);

    check_about("the runs of a line that sleeps in between count together");
    server->now_ms += 10000;
    int64_t now_us = server->now_ms * 1000;
    for (int run = 0; run < 3; run++)
        rate_limit_count_time(session, 20 * run, 20, 1); /* 240 in all, of which 100 are paid */
    CHECK_INT(session->commands.full_us - now_us, 140);
    CHECK_INT(origin->commands.full_us - now_us, 140);

    check_about("nobody owes more than a full bucket");
    server->now_ms += 10000;
    for (int i = 0; i < 100; i++)
        rate_limit_count_time(session, 0, 1000000, 1);
    CHECK_INT(rate_limit_take_commands(session, 1), 2001);
    server->now_ms += 2001;
    CHECK_INT(rate_limit_take_commands(session, 1), 0);

    check_about("a network has its share of a turn");
    server->turn++;
    CHECK(!turn_is_used(session));
    rate_limit_count_time(session, 0, 499, 1);
    CHECK(!turn_is_used(session));
    rate_limit_count_time(beside, 0, 1, 1);
    CHECK(turn_is_used(session) && turn_is_used(beside));
    CHECK(!turn_is_used(elsewhere));
    server->turn++;
    CHECK(!turn_is_used(session));
    presence_free(session);
    presence_free(beside);
    presence_free(elsewhere);
    server_release(server);
    free(server);
}

/* Opens tournaments from an address of a network, by a player of its own each. Returns how many it
 * could. */
static int open_tournaments(struct server *server, int network, int address, int count)
{
    const struct origin_key key = {
        .bytes = {0xfd, (unsigned char)network, [6] = (unsigned char)address}};
    char line[80];
    int before = server->lobby.tournaments.unfinished;

    for (int i = 0; i < count; i++) {
        struct session *session =
            presence_open(server, (struct sink){.write = ignore_write, .close = ignore_close},
                          origins_enter(&server->origins, &key));
        snprintf(line, sizeof line, "hello p%d-%d-%d", network, address, i);
        cost_of(session, line);
        settle_ready(server);
        snprintf(line, sizeof line, "tournament new T clobber:2x2 format=swiss");
        cost_of(session, line);
        settle_ready(server);
        presence_free(session);
    }
    return server->lobby.tournaments.unfinished - before;
}

static void test_tournaments_of_networks(void)
{
    static const struct limits limits = {.names = 1000, .errors = 100, .abandon_days = 14};
    struct server *server = malloc(sizeof *server);

    if (server == NULL)
        abort();
    server_init(server, &limits);
    server->wall_s = 1000000;
    server->now_ms = 1;
    log_set_level(LOG_ERROR);
    check_about("five tournaments from an address, twenty from a network of 48 bits");
    CHECK_INT(open_tournaments(server, 1, 1, 6), 5);

    check_about("a director removes many players");
    struct session *chief =
        presence_open(server, (struct sink){.write = ignore_write, .close = ignore_close}, NULL);
    cost_of(chief, "hello chief");
    settle_ready(server);
    cost_of(chief, "tournament new T clobber:2x2 format=swiss");
    settle_ready(server);
    struct tournament *first = tournaments_find_number(&server->lobby.tournaments, 6);
    for (int i = 1; i < BARRED_MAX; i++)
        tournament_bar(first, 100000 + i);
    cost_of(chief, "tournament kick t6 p1-1-0");
    settle_ready(server);
    CHECK_INT(first->barred_count, BARRED_MAX);
    cost_of(chief, "tournament kick t6 p1-1-1");
    settle_ready(server);
    CHECK_INT(first->barred_count, BARRED_MAX);
    cost_of(chief, "tournament abort t6");
    settle_ready(server);
    presence_free(chief);

    check_about("the matches of a tournament share the log's limit");
    first = tournaments_find_number(&server->lobby.tournaments, 1);
    const struct table table = {.tournament = first->number};
    int lines = 0;
    for (int i = 0; i < 20000; i++)
        lines += rate_limit_log_match(server, &table, LOG_OPENED);
    CHECK_INT(lines, 10000);

    check_about("five tournaments from an address, twenty from a network of 48 bits");
    for (int i = 2; i < 8; i++)
        open_tournaments(server, 1, i, 5);
    CHECK_INT(server->lobby.tournaments.unfinished, 20);

    check_about("the last ten are for those who have none");
    for (int i = 2; i <= 15; i++)
        CHECK_INT(open_tournaments(server, i, 0, 5), 5);
    CHECK_INT(server->lobby.tournaments.unfinished, 90);
    CHECK_INT(open_tournaments(server, 2, 1, 1), 0);
    CHECK_INT(open_tournaments(server, 16, 0, 5), 1);
    for (int i = 17; i <= 30; i++)
        open_tournaments(server, i, 0, 1);
    CHECK_INT(server->lobby.tournaments.unfinished, 100);

    check_about("a tournament whose director has been away for two weeks is over");
    server->wall_s += 14 * 86400 - 1;
    tournament_tick(server);
    server_end_turn(server);
    CHECK_INT(server->lobby.tournaments.unfinished, 100);
    server->wall_s++;
    tournament_tick(server);
    server_end_turn(server);
    CHECK_INT(server->lobby.tournaments.unfinished, 0);
    log_set_level(LOG_INFO);
    server_release(server);
    free(server);
}

/* Lets a server whose pairings a thread makes go on until the thread is done. */
static void wait_for_pairing(struct server *server)
{
    for (int i = 0; i < 6000 && server->pairing != NULL; i++) {
        usleep(10000);
        tournament_tick(server);
        server_end_turn(server);
    }
    CHECK(server->pairing == NULL);
}

/* Lets the matches of pairings be opened, some in each turn. */
static void open_paired(struct server *server)
{
    struct pollfd woken = {.fd = server->woken_fd, .events = POLLIN};

    for (int turns = 0; turns < 1000 && poll(&woken, 1, 0) == 1; turns++) {
        tournament_wake(server);
        server_end_turn(server);
    }
}

/* A thread pairs them. One leaves meanwhile, and loses; a tournament that is aborted meanwhile is
 * in nobody's way. */
static void test_many_are_paired(void)
{
    enum { PLAYERS = 120 };
    static const struct limits limits = {
        .names = 1000, .errors = 100, .abandon_days = 14, .unfinished = 1000, .matches = 1000};
    const struct sink sink = {.write = ignore_write, .close = ignore_close};
    struct session *sessions[PLAYERS];
    struct server *server = malloc(sizeof *server);
    char line[80];

    if (server == NULL)
        abort();
    log_set_level(LOG_ERROR);
    server_init(server, &limits);
    server->now_ms = 1;
    check_about("a tournament of many players is paired beside the loop");
    for (int i = 0; i < PLAYERS; i++) {
        sessions[i] = presence_open(server, sink, NULL);
        snprintf(line, sizeof line, "hello p%d", i);
        cost_of(sessions[i], line);
        settle_ready(server);
        for (int t = 1; t <= 2; t++) {
            snprintf(line, sizeof line,
                     i == 0 ? "tournament new T clobber:2x2 format=swiss" : "tournament join t%d",
                     t);
            cost_of(sessions[i], line);
            settle_ready(server);
        }
    }
    cost_of(sessions[0], "tournament join t1");
    settle_ready(server);
    cost_of(sessions[0], "tournament start t2");
    settle_ready(server);
    server_end_turn(server);
    CHECK(server->pairing != NULL);
    cost_of(sessions[0], "tournament abort t2");
    settle_ready(server);
    wait_for_pairing(server);
    CHECK_INT(server->lobby.playing, 0);

    cost_of(sessions[0], "tournament start t1");
    settle_ready(server);
    server_end_turn(server);
    CHECK(server->pairing != NULL && server->lobby.playing == 0);
    cost_of(sessions[7], "tournament leave t1");
    settle_ready(server);
    wait_for_pairing(server);
    const struct tournament *tournament = tournaments_find(&server->lobby.tournaments, "t1");
    CHECK_INT(tournament->contest.pairings.count, PLAYERS / 2);
    CHECK(server->lobby.playing < PLAYERS / 4); /* others have their turn meanwhile */
    open_paired(server);
    CHECK_INT(server->lobby.playing, PLAYERS / 2 - 1);
    int walkovers = 0;
    for (int i = 0; i < tournament->contest.pairings.count; i++)
        walkovers += tournament->contest.pairings.rows[i].walkover;
    CHECK_INT(walkovers, 1);

    check_about("what a thread paired is dropped if the round was paired without it meanwhile");
    cost_of(sessions[0], "tournament abort t1");
    settle_ready(server);
    cost_of(sessions[0], "tournament new T clobber:2x2 format=arena start=manual minutes=10");
    settle_ready(server);
    for (int i = 0; i <= 100; i++) {
        cost_of(sessions[i], "tournament join t3");
        settle_ready(server);
    }
    cost_of(sessions[0], "tournament start t3");
    settle_ready(server);
    server_end_turn(server);
    CHECK(server->pairing != NULL);
    cost_of(sessions[100], "tournament leave t3");
    settle_ready(server);
    wait_for_pairing(server);
    cost_of(sessions[100], "tournament join t3");
    settle_ready(server);
    tournament_tick(server);
    server_end_turn(server);
    wait_for_pairing(server);
    tournament = tournaments_find(&server->lobby.tournaments, "t3");
    CHECK_INT(tournament->contest.pairings.count, 50);

    check_about(
        "who has gone from an arena meanwhile is not paired, and the thread wakes the loop");
    cost_of(sessions[0], "tournament abort t3");
    settle_ready(server);
    cost_of(sessions[0], "tournament new T clobber:2x2 format=arena start=manual minutes=10");
    settle_ready(server);
    for (int i = 0; i <= 101; i++) {
        cost_of(sessions[i], "tournament join t4");
        settle_ready(server);
    }
    while (eventfd_read(server->woken_fd, &(eventfd_t){0}) == 0)
        ; /* of the pairings before */
    cost_of(sessions[0], "tournament start t4");
    settle_ready(server);
    server_end_turn(server);
    CHECK(server->pairing != NULL);
    presence_free(sessions[101]);
    struct pollfd woken = {.fd = server->woken_fd, .events = POLLIN};
    CHECK_INT(poll(&woken, 1, 60000), 1);
    tournament_wake(server);
    server_end_turn(server);
    tournament = tournaments_find(&server->lobby.tournaments, "t4");
    CHECK_INT(tournament->contest.pairings.count, 50);
    open_paired(server);

    check_about("nor are those who have as many matches meanwhile as max= allows");
    cost_of(sessions[0], "tournament abort t4");
    settle_ready(server);
    cost_of(sessions[0], "tournament new T clobber:2x2 format=arena start=manual minutes=10");
    settle_ready(server);
    for (int i = 0; i <= 102; i++)
        if (i != 101) {
            cost_of(sessions[i], "tournament join t5");
            settle_ready(server);
        }
    wait_for_pairing(server); /* of the tournament before */
    cost_of(sessions[0], "tournament start t5");
    settle_ready(server);
    server_end_turn(server);
    CHECK(server->pairing != NULL);
    for (int i = 0; i <= 102; i++)
        if (i != 101) {
            snprintf(line, sizeof line, "hello p%d max=1", i);
            cost_of(sessions[i], line);
        }
    settle_ready(server);
    wait_for_pairing(server);
    tournament = tournaments_find(&server->lobby.tournaments, "t5");
    CHECK_INT(tournament->contest.pairings.count, 0);
    for (int i = 0; i < PLAYERS; i++)
        if (i != 101)
            presence_free(sessions[i]);
    server_release(server);
    free(server);
    log_set_level(LOG_INFO);
}

static void test_log_of_address(void)
{
    struct server server = {.now_ms = 1};
    struct origin origin = {.loopback = false}, other = origin, loopback = {.loopback = true};
    int lines = 0;

    check_about("the log tells so much of an address and an event in a day");
    log_set_level(LOG_ERROR);
    for (int i = 0; i < 20000; i++)
        lines += rate_limit_log(&server, &origin, LOG_OPENED);
    CHECK_INT(lines, 10000);
    CHECK(rate_limit_log(&server, &origin, LOG_OVER));
    CHECK(rate_limit_log(&server, &other, LOG_OPENED));
    for (int i = 0; i < 20000; i++)
        lines += rate_limit_log(&server, &loopback, LOG_OPENED);
    CHECK_INT(lines, 30000);
    server.now_ms += 86400000 / 2;
    for (int i = 0; i < 20000; i++)
        lines += rate_limit_log(&server, &origin, LOG_OPENED);
    CHECK_INT(lines, 35000);
    log_set_level(LOG_INFO);
}

/* Returns how often a text occurs in a file. */
static int count_in(const char *path, const char *text)
{
    FILE *file = fopen(path, "r");
    char line[1024];
    int count = 0;

    while (CHECK(file != NULL) && fgets(line, sizeof line, file) != NULL)
        count += strstr(line, text) != NULL;
    if (file != NULL)
        fclose(file);
    return count;
}

/* The networks around an address have twice and four times as much. */
static void test_wider_networks(void)
{
    static const struct limits limits = {.names = 100, .address_kept = 1, .address_rate = 10};
    static const struct origin_key keys[] = {{.bytes = {0xfd, [7] = 1}},
                                             {.bytes = {0xfd, [7] = 2}},
                                             {.bytes = {0xfd, [7] = 3}},
                                             {.bytes = {0xfd, [6] = 1}},
                                             {.bytes = {0xfd, [6] = 2}}};
    struct session *sessions[LENGTH(keys)];
    struct server *server = malloc(sizeof *server);

    if (server == NULL)
        abort();
    server_init(server, &limits);
    server->now_ms = 1;
    for (size_t i = 0; i < LENGTH(keys); i++)
        sessions[i] =
            presence_open(server, (struct sink){.write = ignore_write, .close = ignore_close},
                          origins_enter(&server->origins, &keys[i]));
    check_about("a network of 56 bits keeps twice as much as an address, one of 48 four times");
    rate_limit_keep(sessions[0], 1000000);
    CHECK(rate_limit_keep_wait_ms(sessions[0]) > 0);
    CHECK_INT(rate_limit_keep_wait_ms(sessions[1]), 0);
    rate_limit_keep(sessions[1], 1000000);
    CHECK(rate_limit_keep_wait_ms(sessions[2]) > 0);
    CHECK_INT(rate_limit_keep_wait_ms(sessions[3]), 0);
    rate_limit_keep(sessions[3], 2000000);
    CHECK(rate_limit_keep_wait_ms(sessions[4]) > 0);

    check_about("so does it command");
    CHECK_INT(rate_limit_take_commands(sessions[0], 20), 0);
    CHECK(rate_limit_take_commands(sessions[0], 1) > 0);
    CHECK_INT(rate_limit_take_commands(sessions[1], 20), 0);
    CHECK(rate_limit_take_commands(sessions[2], 1) > 0);
    CHECK(!rate_limit_may_connect(server, sessions[2]->origin));
    CHECK_INT(rate_limit_take_commands(sessions[3], 20), 0);
    CHECK_INT(rate_limit_take_commands(sessions[4], 20), 0);
    CHECK(rate_limit_take_commands(sessions[4], 1) > 0);

    check_about("seeks count for the networks, too");
    origin_count_seeks(sessions[0]->origin, 3);
    origin_count_seeks(sessions[3]->origin, 2);
    CHECK_INT(sessions[1]->origin->wider->seeks, 3);
    CHECK_INT(origin_widest(sessions[4]->origin)->seeks, 5);
    for (size_t i = 0; i < LENGTH(keys); i++)
        presence_free(sessions[i]);
    server_release(server);
    free(server);
}

static void test_muted_once(void)
{
    struct server server = {.now_ms = 1};
    struct origin origin = {.loopback = false};
    char path[] = "/tmp/ludus-log-XXXXXX";
    struct cause cause;

    check_about("that some lines are missing is said once");
    close(mkstemp(path));
    CHECK(log_to_file(path, &cause));
    for (int day = 0; day < 2; day++, server.now_ms += 86400000)
        for (int i = 0; i < 10100; i++)
            rate_limit_log(&server, &origin, LOG_OPENED);
    log_close();
    CHECK_INT(count_in(path, "event=muted of=opened"), 2);
    unlink(path);
}

int main(void)
{
    struct players players;
    struct lobby lobby;

    players_init(&players, 10);
    lobby_init(&lobby, NULL, 10);
    test_house_bots(&players, &lobby);
    test_main_rating();
    test_cost_of_top();
    test_cost_of_record();
    test_time_of_lines();
    test_tournaments_of_networks();
    test_many_are_paired();
    test_log_of_address();
    test_wider_networks();
    test_muted_once();
    lobby_release(&lobby);
    players_release(&players);
    return check_end("test_rate");
}
