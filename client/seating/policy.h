/*
 * The matches that a bot plays, and its opponents: the options of ludus-bot and ludus-bridge, and
 * the challenges that they refuse. It reads the file of --opponents for each challenge, so that
 * changes count.
 */
#ifndef LUDUS_POLICY_H
#define LUDUS_POLICY_H

#include <cjson/cJSON.h>

#include "common/usage.h"
#include "game_list.h"

/* Texts are NULL unless given, and borrowed. */
struct policy {
    const char *seek, *clock, *tournament;  /* what engagement.h asks the server for */
    const char *games, *clocks, *opponents; /* what challenges are accepted */
    bool only_games; /* it can play no others: `games` is --games rather than --accept-games */
    struct game_list game_list; /* `games`, after policy_check() */
    long matches_max;
};

/* The rows of the options, for a struct with a member `policy`. */
#define POLICY_ROWS(type)                                                                          \
    {OPTION("seek", "GAME[:VARIANT]", "let the server find opponents, one after the other"),       \
     TO_TEXT(type, policy.seek)},                                                                  \
        {OPTION("clock", "BASE+INC", "the clock of --seek, in seconds"),                           \
         TO_TEXT(type, policy.clock)},                                                             \
        {OPTION("tournament", "ID", "play in a tournament, and leave when it is over"),            \
         TO_TEXT(type, policy.tournament)},                                                        \
        {OPTION("accept-clocks", "CLOCKS",                                                         \
                "decline challenges with other clocks: none, BASE+INC or\n"                        \
                "BASE+INC..BASE+INC, separated by commas"),                                        \
         TO_TEXT(type, policy.clocks)},                                                            \
    {                                                                                              \
        OPTION("opponents", "allow:FILE|block:FILE",                                               \
               "decline challenges of others than, or of, the names in FILE"),                     \
            TO_TEXT(type, policy.opponents)                                                        \
    }

/* Checks the options and reads the games. False with the cause, which names the option. */
bool policy_check(struct policy *policy, struct cause *cause);

/* Whether a message of the server, which is not trusted, is about a game and variant of the
 * options; without one, about a known one. */
bool policy_has_game(const struct policy *policy, const cJSON *message);

/* Whether a bot that plays `matches` now may play one more. False with the cause. */
bool policy_has_room(const struct policy *policy, int matches, struct cause *cause);

/* Returns why a challenge is refused, a word for `decline`, with the cause for the log; NULL: it is
 * not. The challenge is not trusted. `matches` is the number that the bot plays now. */
const char *policy_refusal(const struct policy *policy, const cJSON *challenge, int matches,
                           struct cause *cause);

/* Whether an error says that the server knows no reasons: then `decline` without one will do. The
 * error has the id of its match. */
bool policy_decline_failed(const cJSON *error);

#endif
