/* Ratings where transcripts hardly reach: rated matches, their effect, and the cost of `top` and
 * `record`. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "common/move.h"
#include "server/base/log.h"
#include "server/play/conclude.h"
#include "server/play/dispatch.h"
#include "server/play/lifecycle.h"
#include "server/play/presence.h"
#include "server/play/rate_limit.h"

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
static struct unit *play(struct lobby *lobby, struct player *white, struct player *black,
                         const char *position)
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
    const struct table *table = settle(lobby, play(lobby, anna, random, NULL), 2);
    const struct rating *white = rating_find(&anna->ratings, &clobber, "2x2");
    const struct rating *black = rating_find(&random->ratings, &clobber, "2x2");
    CHECK(white != NULL && black != NULL);
    CHECK_INT(white->matches, 1);
    CHECK(white->now.rating == table->rated[WHITE] && black->now.rating == table->rated[BLACK]);
    CHECK(table->rated[WHITE] > 1600 && table->rated[BLACK] < 1400);
    CHECK(white->now.deviation == black->now.deviation);

    check_about("house bots with each other");
    settle(lobby, play(lobby, greedy, random, NULL), 2);
    CHECK_INT(black->matches, 2);

    check_about("a house bot with itself");
    table = settle(lobby, play(lobby, greedy, greedy, NULL), 0);
    CHECK(table->rated[WHITE] == 0 && table->rated[BLACK] == 0);

    check_about("the start, given as a position");
    settle(lobby, play(lobby, greedy, random, "Pp/pP w"), 2);

    check_about("a match that is not kept is not rated");
    struct unit *unit = play(lobby, anna, random, NULL);
    CHECK(conclude(unit, lobby, 0, 0) == NULL);
    CHECK_INT(unit->rating_count, 2);

    check_about("players in an unsettled rating have to wait");
    struct unit *second = play(lobby, greedy, anna, NULL);
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
    test_log_of_address();
    test_muted_once();
    lobby_release(&lobby);
    players_release(&players);
    return check_end("test_rate");
}
