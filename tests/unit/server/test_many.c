/* Hundreds of matches, names and seeks at once: each is found, and none that is gone. */
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "server/model/lobby.h"
#include "server/model/seek.h"

enum { MANY = 700 };

static struct origins origins;
static struct players players;
static struct lobby lobby;
static struct player *anna, *bob;

static void test_names(void)
{
    struct identity identity;
    char name[NAME_TEXT_MAX];

    check_about("names, of which every other one changes");
    for (int i = 0; i < MANY; i++) {
        snprintf(name, sizeof name, "old%d", i);
        struct player *player = players_add_stored(&players, 1000 + i, PLAYER_NAMED, name);
        identity = player_identity(player);
        snprintf(identity.name, sizeof identity.name, "New%d", i);
        if (i % 2 == 0)
            player_settle(player, &identity);
    }
    for (int i = 0; i < MANY; i++) {
        struct player *player = players_find_id(&players, 1000 + i);
        snprintf(name, sizeof name, "OLD%d", i);
        CHECK(players_find(&players, name) == (i % 2 == 0 ? NULL : player));
        snprintf(name, sizeof name, "new%d", i);
        CHECK(players_find(&players, name) == (i % 2 == 0 ? player : NULL));
    }
}

static void test_matches(void)
{
    static struct table *tables[MANY];
    struct position start;
    struct cause cause;
    struct table_plan plan = {.start = &start, .creator = anna};
    char key[16];

    check_about("matches by their id and by the key of their opener");
    plan.game = game_open("clobber:2x2", &start, NULL, &cause);
    plan.once = key;
    for (int i = 0; i < MANY; i++) {
        snprintf(key, sizeof key, "k%d", i);
        tables[i] = lobby_draft(&lobby, &plan);
        lobby_add(&lobby, tables[i]);
    }
    for (int i = 0; i < MANY; i++) {
        snprintf(key, sizeof key, "k%d", i);
        CHECK(lobby_find(&lobby, tables[i]->id) == tables[i]);
        CHECK(lobby_find_once(&lobby, anna, key) == tables[i]);
        CHECK(lobby_find_once(&lobby, bob, key) == NULL);
        lobby_forget(&lobby, tables[i]);
        CHECK(lobby_find_once(&lobby, anna, key) == NULL);
    }
}

static void test_seeks(void)
{
    struct seek_list annas = TAILQ_HEAD_INITIALIZER(annas), bobs = TAILQ_HEAD_INITIALIZER(bobs);
    struct seek_wish wish = {.game = game_find("clobber", 7), .variant = "2x2", .color = -1};
    static struct seek *made[MANY];
    struct seeks seeks;

    check_about("seeks that all want another clock");
    seeks_init(&seeks);
    for (int i = 0; i < MANY; i++) {
        wish.clock.base_ms = 1000 * i;
        made[i] = seeks_add(&seeks, &annas, NULL, anna, NULL, &wish);
        CHECK(seek_partner(made[i]) == NULL);
    }
    for (int i = 0; i < MANY; i++) {
        wish.clock.base_ms = 1000 * i;
        CHECK(seek_partner(seeks_add(&seeks, &bobs, NULL, bob, NULL, &wish)) == made[i]);
    }
    CHECK_INT(seeks.waiting, 2 * MANY);
    seeks_drop_all(&seeks, &annas);
    seeks_drop_all(&seeks, &bobs);
    CHECK_INT(seeks.waiting, 0);
    seeks_release(&seeks);
}

int main(void)
{
    origins_init(&origins);
    players_init(&players, 10 * MANY);
    lobby_init(&lobby, &origins, 10);
    anna = players_add_stored(&players, 1, PLAYER_NAMED, "anna");
    bob = players_add_stored(&players, 2, PLAYER_NAMED, "bob");
    test_names();
    test_matches();
    test_seeks();
    lobby_release(&lobby);
    players_release(&players);
    origins_release(&origins);
    return check_end("test_many");
}
