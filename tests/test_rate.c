/* Which matches are rated, what that changes, and what it costs to ask for the best, where no
 * conversation gets easily. */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "server/rate.h"
#include "server/server.h"
#include "server/session.h"

static struct player *named(struct players *players, const char *name)
{
    struct player *player = players_add_guest(players);
    char token[TOKEN_TEXT_MAX];

    CHECK(player != NULL && player_take_name(players, player, name, false, token));
    return player;
}

/* Plays a match of three plies that white wins, from `position` or the start. */
static struct table *play(struct lobby *lobby, struct player *white, struct player *black,
                          const char *position)
{
    static const char *const moves[] = {"a2a1", "b2b1", "a1b1"};
    struct position start;
    struct cause cause;

    CHECK(clobber.start("2x2", &start, &cause));
    if (position != NULL)
        CHECK(clobber.parse("2x2", position, &start, &cause));
    struct table *table = lobby_open(lobby, &clobber, &start, false, white, NULL, 0);
    table_give_seat(table, WHITE, white, true);
    table_give_seat(table, BLACK, black, true);
    CHECK(lobby_start_if_full(lobby, table, 0));
    for (int i = 0; i < 3; i++)
        CHECK_INT(match_play(&table->match, SEATS_BOTH, moves[i], -1, 0, &cause), STATUS_OK);
    CHECK_INT(table->match.status, MATCH_OVER);
    return table;
}

static void test_house_bots(struct players *players, struct lobby *lobby)
{
    struct player *anna = named(players, "anna");
    struct player *random = players_add_house(players, "random");
    struct player *greedy = players_add_house(players, "greedy");
    struct rating_change changes[2];

    check_about("a person and a house bot");
    struct table *table = play(lobby, anna, random, NULL);
    CHECK(rate_match(table, changes));
    CHECK(changes[WHITE].player == anna && changes[BLACK].player == random);
    CHECK(changes[WHITE].rating == rating_find(&anna->ratings, &clobber, "2x2"));
    CHECK_INT(changes[WHITE].rating->matches, 1);
    CHECK(changes[WHITE].glicko_before.rating == 1500);
    CHECK(changes[WHITE].rating->now.rating == table->rated[WHITE]);
    CHECK(table->rated[WHITE] > 1600 && table->rated[BLACK] < 1400);
    CHECK(changes[WHITE].rating->now.deviation == changes[BLACK].rating->now.deviation);

    check_about("a match is rated once");
    CHECK(!rate_match(table, changes));
    CHECK_INT(rating_find(&anna->ratings, &clobber, "2x2")->matches, 1);
    lobby_finish(lobby, table);

    check_about("house bots with each other");
    table = play(lobby, greedy, random, NULL);
    CHECK(rate_match(table, changes));
    CHECK_INT(changes[BLACK].rating->matches, 2);
    lobby_finish(lobby, table);

    check_about("a house bot with itself");
    table = play(lobby, greedy, greedy, NULL);
    CHECK(!rate_match(table, changes));
    CHECK(table->rated[WHITE] == 0 && table->rated[BLACK] == 0);
    lobby_finish(lobby, table);

    check_about("the start, given as a position");
    table = play(lobby, greedy, random, "Pp/pP w");
    CHECK(rate_match(table, changes));
    lobby_finish(lobby, table);
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

/* What a line counts like. */
static int cost_of(struct session *session, const char *line)
{
    int64_t before = session->spent;

    CHECK(session_line(session, line, strlen(line)));
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
        session_open(server, (struct sink){NULL, ignore_write, ignore_close}, NULL);
    check_about("who asks for the best pays for looking at all");
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
    session_free(session);
    server_release(server);
    free(server);
}

int main(void)
{
    struct players players;
    struct lobby lobby;

    players_init(&players, 10);
    lobby_init(&lobby, &players, NULL, 10);
    test_house_bots(&players, &lobby);
    test_main_rating();
    test_cost_of_top();
    lobby_release(&lobby);
    players_release(&players);
    return check_end("test_rate");
}
