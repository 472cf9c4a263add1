/* Reading states, offers and their parts, well-formed or not: client/link/. */
#include <string.h>

#include "check.h"
#include "client/link/match_state.h"

/* A state with all members. */
static const char whole[] =
    "{\"type\":\"state\",\"match\":\"12\",\"game\":\"clobber\",\"variant\":\"3x2\","
    "\"status\":\"playing\",\"you\":\"black\",\"ply\":1,\"turn\":\"black\","
    "\"position\":\"1pP/PPp b\",\"board\":[\".pP\",\"PPp\"],\"last\":\"a2a1\","
    "\"players\":{\"white\":{\"name\":\"anna\",\"bot\":false,\"online\":false,\"claim_ms\":900,"
    "\"stall_ms\":86400000},"
    "\"black\":{\"name\":\"bob\",\"bot\":true,\"online\":true,\"seated\":false}},"
    "\"clock\":{\"white_ms\":305000,\"black_ms\":300000,\"increment_ms\":5000,"
    "\"running\":\"black\"},\"offers\":[{\"what\":\"undo\",\"from\":\"anna\","
    "\"color\":\"white\"}],\"score\":{\"white\":3,\"black\":-4},\"check\":true,\"result\":\"*\","
    "\"reason\":null,\"legal\":[\"b2c2\",\"c1c2\"]}";

static bool read_text(struct match_state *state, const char *text, struct cause *cause)
{
    cJSON *message = cJSON_Parse(text);
    bool good = match_state_read(state, message, 1000, cause);

    cJSON_Delete(message);
    return good;
}

/* Reads the whole state with one member replaced by a value, or removed if it is NULL. */
static bool read_changed(struct match_state *state, const char *name, const char *value)
{
    cJSON *message = cJSON_Parse(whole);
    struct cause cause = {""};

    cJSON_DeleteItemFromObjectCaseSensitive(message, name);
    if (value != NULL)
        cJSON_AddItemToObject(message, name, cJSON_Parse(value));
    bool good = match_state_read(state, message, 1000, &cause);
    cJSON_Delete(message);
    CHECK(good == (cause.text[0] == '\0'));
    return good;
}

static void test_whole(void)
{
    struct match_state state;
    struct position position;
    const struct game *game;
    struct cause cause = {""};
    enum color mine;

    if (!CHECK_THAT(read_text(&state, whole, &cause), "%s", cause.text))
        return;
    CHECK(state.known && state.status == STATE_PLAYING && state.ply == 1 && state.turn == BLACK);
    CHECK_TEXT(state.match, "12");
    CHECK_INT(state.board.height, 2);
    CHECK_INT(state.board.width, 3);
    CHECK(memcmp(state.board.cell + 3, ".pP", 3) == 0);
    CHECK_TEXT(state.last, "a2a1");
    CHECK_TEXT(state.seats[WHITE].name, "anna");
    CHECK_INT(state.seats[WHITE].claim_ms, 900);
    CHECK(state.seats[WHITE].stall_ms == 86400000 && state.seats[BLACK].stall_ms == -1);
    CHECK(state.seats[WHITE].seated && !state.seats[BLACK].seated && state.seats[BLACK].bot);
    CHECK(match_state_my_color(&state, &mine) && mine == BLACK && match_state_my_turn(&state));
    CHECK(match_state_asked(&state, OFFER_UNDO) && !match_state_asked(&state, OFFER_DRAW));
    CHECK(state.has_score && state.score[BLACK] == -4 && state.check);
    CHECK_INT(state.legal_count, 2);
    CHECK_INT(match_clock_left_ms(&state.clock, BLACK, 3000), 298000);
    CHECK_INT(match_clock_left_ms(&state.clock, WHITE, 3000), 305000);
    CHECK_INT(match_clock_left_ms(&state.clock, BLACK, 1000000), 0);
    CHECK(match_state_parse(&state, &game, &position, &cause) && game == &clobber &&
          position.side == BLACK);
}

/* A state without a required member is refused and changes nothing. */
static void test_refused(void)
{
    static const struct {
        const char *name, *value;
    } rows[] = {
        {"match", NULL},
        {"match", "12"},
        {"match", "\"\""},
        {"match", "\"1 2\""},
        {"match", "\"7\\nquit\""},
        {"match", "\"1234567890123456789012345678901234567890\""},
        {"status", NULL},
        {"status", "\"paused\""},
        {"status", "1"},
        {"ply", NULL},
        {"ply", "-1"},
        {"ply", "1e300"},
        {"ply", "\"1\""},
        {"turn", NULL},
        {"turn", "\"red\""},
        {"board", NULL},
        {"board", "[]"},
        {"board", "{}"},
        {"board", "[1]"},
        {"board", "[\"\"]"},
        {"board", "[\"pP\",\"p\"]"},
        {"board", "[\"p\\u001b\"]"},
        {"board", "[\"pPpPpPpPpPp\"]"},
        {"board", "[\"p\",\"p\",\"p\",\"p\",\"p\",\"p\",\"p\",\"p\",\"p\",\"p\",\"p\"]"},
    };

    for (size_t i = 0; i < LENGTH(rows); i++) {
        struct match_state state = {.ply = 77};
        check_about("%s: %s", rows[i].name, rows[i].value != NULL ? rows[i].value : "missing");
        CHECK(!read_changed(&state, rows[i].name, rows[i].value));
        CHECK(state.ply == 77 && !state.known);
    }
    struct match_state state;
    struct cause cause;
    check_about("no object");
    CHECK(!read_text(&state, "[]", &cause) && !read_text(&state, "{", &cause));
}

/* Optional or meaningless members have a value that says so. */
static void test_optional(void)
{
    static const char *const names[] = {"game",    "variant", "position", "you",   "last",
                                        "players", "clock",   "offers",   "score", "check",
                                        "result",  "reason",  "legal"};
    static const char *const values[] = {
        NULL,    "null", "true", "-1",          "1e300",
        "\"x\"", "[]",   "{}",   "[null,1,{}]", "{\"white\":7,\"black\":[]}"};
    struct match_state state;

    for (size_t i = 0; i < LENGTH(names); i++)
        for (size_t j = 0; j < LENGTH(values); j++) {
            check_about("%s: %s", names[i], values[j] != NULL ? values[j] : "missing");
            CHECK(read_changed(&state, names[i], values[j]));
        }
    check_about("parts");
    CHECK(read_changed(&state, "you", "\"both\"") && state.seats[WHITE].mine &&
          state.seats[BLACK].mine);
    CHECK(read_changed(&state, "you", NULL) && !match_state_seated(&state));
    CHECK(read_changed(&state, "clock", "{\"white_ms\":-1,\"black_ms\":5}") && !state.clock.known);
    CHECK(read_changed(&state, "score", "{\"white\":1}") && !state.has_score);
    CHECK(read_changed(&state, "legal", "[\"a1a2\",\"a1a2a1a2\",7]") && state.legal_count == 1);
    CHECK(read_changed(&state, "offers",
                       "[{\"what\":\"draw\"},{\"what\":\"x\",\"color\":\"white\"}]") &&
          !state.offers[OFFER_DRAW][WHITE] && !state.offers[OFFER_DRAW][BLACK]);
    CHECK(read_changed(&state, "result", "\"a very long result\"") && strlen(state.result) == 7);
}

/* More legal moves than any position has are cut off. */
static void test_many_moves(void)
{
    cJSON *message = cJSON_Parse(whole), *legal = cJSON_CreateArray();
    struct match_state state;
    struct cause cause;

    for (int i = 0; i < 2 * MOVES_MAX; i++)
        cJSON_AddItemToArray(legal, cJSON_CreateString("a1a2"));
    cJSON_ReplaceItemInObjectCaseSensitive(message, "legal", legal);
    check_about("legal moves without end");
    CHECK(match_state_read(&state, message, 0, &cause) && state.legal_count == MOVES_MAX);
    cJSON_Delete(message);
}

/* Playing programs refuse matches that they cannot play. */
static void test_positions(void)
{
    static const struct {
        const char *name, *value;
    } rows[] = {
        {"game", "\"chess\""},
        {"game", NULL},
        {"position", NULL},
        {"position", "\"9/9 w\""},
        {"position", "\"1pP b\""},
        {"position", "7"},
        {"variant", "\"no such one\""},
    };

    for (size_t i = 0; i < LENGTH(rows); i++) {
        struct match_state state;
        struct position position;
        const struct game *game;
        struct cause cause = {""};
        check_about("%s: %s", rows[i].name, rows[i].value != NULL ? rows[i].value : "missing");
        CHECK(read_changed(&state, rows[i].name, rows[i].value));
        CHECK(!match_state_parse(&state, &game, &position, &cause) && cause.text[0] != '\0');
    }
}

static void test_offers(void)
{
    static const struct {
        const char *text;
        bool good;
    } rows[] = {
        {"{\"match\":\"7\",\"what\":\"draw\",\"color\":\"white\",\"open\":true}", true},
        {"{\"match\":\"7\",\"what\":\"rematch\",\"color\":\"black\"}", true},
        {"{\"match\":\"7\",\"what\":\"draw\"}", false},
        {"{\"match\":\"7\",\"what\":\"bribe\",\"color\":\"white\"}", false},
        {"{\"match\":\"7 8\",\"what\":\"draw\",\"color\":\"white\"}", false},
        {"{\"what\":\"draw\",\"color\":\"white\"}", false},
        {"[]", false},
    };

    for (size_t i = 0; i < LENGTH(rows); i++) {
        struct match_offer offer;
        cJSON *message = cJSON_Parse(rows[i].text);
        check_about("%s", rows[i].text);
        CHECK_INT(match_offer_read(&offer, message), rows[i].good);
        cJSON_Delete(message);
    }
}

int main(void)
{
    test_whole();
    test_refused();
    test_optional();
    test_many_moves();
    test_positions();
    test_offers();
    return check_end("test_match_state");
}
