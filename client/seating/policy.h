/*
 * The matches that a bot plays, and its opponents: the options of ludus-bot and ludus-bridge, and
 * the challenges that they refuse. It reads the file of --opponents for each challenge, so that
 * changes count.
 */
#ifndef LUDUS_POLICY_H
#define LUDUS_POLICY_H

#include <cjson/cJSON.h>

#include "common/game.h"
#include "common/usage.h"

/* The games of an option: GAME or GAME:VARIANT, separated by commas. */
enum { GAME_LIST_MAX = 32 };

struct listed_game {
    const struct game *game;
    bool every_variant;    /* none was named */
    struct position start; /* of the variant, or of the default one */
};

struct game_list {
    struct listed_game items[GAME_LIST_MAX];
    int count;
};

/* Whether the list has the game in the variant that begins with this position. */
bool game_list_has(const struct game_list *list, const struct game *game,
                   const struct position *start);

/* Texts are NULL unless given, and borrowed. */
struct policy {
    const char *seek, *clock, *tournament;  /* what engagement.h asks the server for */
    const char *games, *clocks, *opponents; /* what challenges are accepted */
    bool only_games; /* it can play no others: `games` is --games rather than --accept-games */
    struct game_list game_list; /* `games`, after policy_check() */
    long matches_max;
    long first_move_s; /* how long it waits for an opponent and their first move; 0: for ever */
    bool is_house;     /* it waits for ever for players who are gone, too, a player may hold all its
                        * places, and no move of a rated match is taken back */
};

/* The rows of the options, for a struct with a member `policy`. */
#define POLICY_ROWS(type)                                                                          \
    {OPTION("seek", "GAME[:VARIANT]", "let the server find opponents, one after the other"),       \
     TO_WORD(type, policy.seek)},                                                                  \
        {OPTION("clock", "BASE+INC", "the clock of --seek, in seconds"),                           \
         TO_WORD(type, policy.clock)},                                                             \
        {OPTION("tournament", "ID", "play in a tournament, and leave when it is over"),            \
         TO_WORD(type, policy.tournament)},                                                        \
        {OPTION("accept-clocks", "CLOCKS",                                                         \
                "decline challenges with other clocks: none, BASE+INC or\n"                        \
                "BASE+INC..BASE+INC, separated by commas"),                                        \
         TO_WORD(type, policy.clocks)},                                                            \
        {OPTION("opponents", "allow:FILE|block:FILE",                                              \
                "decline challenges of others than, or of, the names in FILE"),                    \
         TO_WORD(type, policy.opponents)},                                                         \
    {                                                                                              \
        OPTION("first-move", "SECONDS",                                                            \
               "abort matches in which the opponent makes no first move for so\n"                  \
               "long; 0: wait for ever"),                                                          \
            TO_NUMBER(type, policy.first_move_s, 0, 1000000), .standard = "60"                     \
    }

/* Checks the options and reads the games. False with the cause, which names the option. */
bool policy_check(struct policy *policy, struct cause *cause);

/* Whether a message of the server, which is not trusted, is about a game and variant of the
 * options; without one, about a known one. */
bool policy_has_game(const struct policy *policy, const cJSON *message);

/* Whether a bot that plays `matches` now may play one more. False with the cause. */
bool policy_has_room(const struct policy *policy, int matches, struct cause *cause);

/* Returns why a challenge is refused, a word for `decline`, with the cause for the log; NULL: it is
 * not. The challenge is not trusted. `matches` is the number that the bot plays now, of which the
 * challenger holds `held`: a player can hold two at most. */
const char *policy_refusal(const struct policy *policy, const cJSON *challenge, int matches,
                           int held, struct cause *cause);

/* Whether an error says that the server knows no reasons: then `decline` without one will do. The
 * error has the id of its match. */
bool policy_decline_failed(const cJSON *error);

#endif
