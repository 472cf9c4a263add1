/* What a server on PostgreSQL makes of what it is told and of what it reads. */
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "postgres_stage.h"
#include "server/play/lifecycle.h"

/* What comes by notification, after a match of anna and bob was read, which is to move. */
static const struct {
    const char *line;
    int ply, version;  /* of the match then */
    const char *hears; /* anna */
} news[] = {
    {"t 1001 4 m 1 7 -1 -1 0 a2a1 e5 pb2b1", 1, 4, "\"ply\":1"},
    {"t 1001 4 m 1 7 -1", 1, 4, "\"ply\":1"}, /* read instead, as the following */
    {"t 1001 4 m", 1, 4, "\"ply\":1"},
    {"t 1001 4 m 1 7 -1 -1 0 ", 1, 4, "\"ply\":1"},
    {"t 1001 4 m 2 7 -1 -1 0 a2a1", 1, 4, "\"ply\":1"},
    {"t 1001 4 m 1 7 -1 -1 0 a1a2", 1, 4, "\"ply\":1"},
    {"t 1001 5 m 1 7 -1 -1 0 a2a1", 1, 4, "\"ply\":1"},
    {"t 1001 3 m 1 7 -1 -1 0 a2a1", 0, 3, NULL},
    {"m 1001 4 1 a2a1 7 -1 -1 0 e5 pb2b1", 1, 4, "\"ply\":1"}, /* of the version before */
    {"m 1001 3 1 a2a1 7 -1 -1 0", 0, 3, NULL},
    {"t 1001 4 0 - 0 -1 -1 0 1-0 resign 0 0 0 0", 1, 4, "\"ply\":1"}, /* of the version before */
    {"t 1001 4", 1, 4, "\"ply\":1"},
    {"t 1001 3", 0, 3, NULL},
    {"t 1001", 0, 3, NULL},
    {"t x", 0, 3, NULL},
    {"c 1001 w {\"type\":\"chat\",\"text\":\"hi\"}\tbob: hi", 0, 3, "\"text\":\"hi\""},
    {"c 1001 w no tab", 0, 3, NULL},
    {"c 1002 w {\"type\":\"chat\"}\tbob: hi", 0, 3, NULL},
    {"c 1001x w {\"type\":\"chat\"}\tbob: hi", 0, 3, NULL},
    {"c 0 r 1001 {}\t-", 0, 3, NULL},
    {"c 1001 r 1001 {\"type\":\"rematch\"}\trematch", 0, 3, "\"type\":\"rematch\""},
    {"c 1001 r 1077 {\"type\":\"rematch\"}\trematch", 0, 3, "\"type\":\"rematch\""},
    {"c 1001 r", 0, 3, NULL},
    {"h 2000007", 0, 3, "\"online\":false"},
    {"h 2000009", 0, 3, NULL},
    {"h x", 0, 3, NULL},
    {"c 1001 p 2000007 0 9 1 0 bob", 0, 3,
     "\"online\":false"}, /* by a server of the version before */
    {"c 1001 p 2000009 0 9 1 0 eve", 0, 3, NULL},
    {"c 1001 p nobody", 0, 3, NULL},
    {"v 1000001 7", 0, 3, NULL},
    {"v 1000001 1", 0, 3, "\"reason\":\"revoked\""},
    {"v 77 1", 0, 3, NULL},
    {"v 1000001", 0, 3, NULL},
    {"c 0 w no lobby\tnone", 0, 3, NULL},
    {"r 1000001 9 2", 0, 3, "\"type\":\"bye\""},
    {"r 1000001 -9 2", 0, 3, NULL},
    {"r 77 9 2", 0, 3, NULL},
    {"r 77 9", 0, 3, NULL},
    {"e 1000", 0, 3, NULL},
    {"e x", 0, 3, NULL},
    {"s 2", 0, 3, NULL},
    {"s 2 5 nonsense", 0, 3, NULL},
    {"", 0, 3, NULL},
    {"z", 0, 3, NULL}};

static void test_news(void)
{
    static const struct match_row moved = {1001, 4, "playing", MOVED_LOG, .bob = NULL};
    static struct stage stage;

    for (size_t i = 0; i < LENGTH(news); i++) {
        check_about("a server is told '%s'", news[i].line);
        stage_begin(&stage);
        meet_bob(&stage);
        libpq_answer("WHERE m.number = ANY", LIBPQ_ROWS, match_row_text(&moved));
        libpq_answer("WHERE p.id = ANY", LIBPQ_ROWS, "2000007 bob named f 0 1 - t 5;");
        int reads = libpq_sent_with("WHERE m.number = ANY", 0, "{1001}");
        libpq_notify(news[i].line);
        stage_work(&stage);
        reads = libpq_sent_with("WHERE m.number = ANY", 0, "{1001}") - reads;
        CHECK_INT(reads, news[i].version == 4 && i != 0); /* the first is played as it is told */
        const struct table *table = lobby_find(&stage.server.lobby, "1001");
        CHECK_INT(table->match.ply_count, news[i].ply);
        CHECK_INT(table->version, news[i].version);
        if (news[i].hears != NULL)
            GETS(stage.anna, news[i].hears);
        else
            CHECK_TEXT(stage.anna.output, "");
        stage_end(&stage);
    }
}

/* Writes a line of news; each # of its text becomes a rating as servers tell it: of 1580 and one
 * match, or after that of 1560 and 4. */
static void write_news(char *line, size_t size, const char *begin, const char *text)
{
    double reals[] = {1580, 80, 0.06};
    size_t length = (size_t)snprintf(line, size, "%s", begin);
    int matches = 1;
    int64_t bits[3];

    for (; *text != '\0'; text++) {
        if (*text != '#') {
            length += (size_t)snprintf(line + length, size - length, "%c", *text);
            continue;
        }
        memcpy(bits, reals, sizeof bits);
        length += (size_t)snprintf(line + length, size - length, "%d %lld %lld %lld", matches,
                                   (long long)bits[0], (long long)bits[1], (long long)bits[2]);
        matches = 4;
        reals[0] = 1560;
    }
}

/* What is told of the last move of a match. */
static const struct {
    const char *title, *text;
    bool is_played; /* without reading the match */
} ends[] = {
    {"a rated match ends", "x 1-0 no-moves 2 # # m 3 5 -1 -1 0 a1b1", true},
    {"a match ends that is not rated", "x 1-0 no-moves 0 m 3 5 -1 -1 0 a1b1", true},
    {"somebody else has won", "x 0-1 no-moves 0 m 3 5 -1 -1 0 a1b1", false},
    {"it has another reason", "x 1-0 resign 0 m 3 5 -1 -1 0 a1b1", false},
    {"the move is illegal", "x 1-0 no-moves 0 m 3 5 -1 -1 0 a1a2", false},
    {"it is another ply", "x 1-0 no-moves 0 m 4 5 -1 -1 0 a1b1", false},
    {"a rating is missing", "x 1-0 no-moves 2 # m 3 5 -1 -1 0 a1b1", false},
    {"there is no such result", "x 2-0 no-moves 0 m 3 5 -1 -1 0 a1b1", false},
    {"there is no move", "x 1-0 no-moves 0", false},
    {"there is nothing", "x", false},
};

static void test_ends(void)
{
    static const struct match_row over = {.number = 1001,
                                          .version = 6,
                                          .status = "over",
                                          .log = TWICE_LOG "\nm 3 5 -1 -1 0 a1b1",
                                          .result = "1-0",
                                          .reason = "no-moves"};
    static struct stage stage;
    char line[320];

    for (size_t i = 0; i < LENGTH(ends); i++) {
        check_about("%s", ends[i].title);
        stage_begin(&stage);
        meet_bob(&stage);
        libpq_notify("t 1001 4 m 1 7 -1 -1 0 a2a1\nt 1001 5 m 2 9 -1 -1 0 b2b1");
        stage_work(&stage);
        libpq_answer("WHERE m.number = ANY", LIBPQ_ROWS, match_row_text(&over));
        int reads = libpq_sent_with("WHERE m.number = ANY", 0, "{1001}");
        write_news(line, sizeof line, "t 1001 6 ", ends[i].text);
        libpq_notify(line);
        stage_work(&stage);
        CHECK_INT(libpq_sent_with("WHERE m.number = ANY", 0, "{1001}") - reads, !ends[i].is_played);
        const struct table *table = lobby_find(&stage.server.lobby, "1001");
        CHECK_INT(table->match.status, MATCH_OVER);
        CHECK_INT(table->match.outcome.result, RESULT_WHITE);
        CHECK_INT(table->version, 6);
        CHECK(table->ended > 0);
        CHECK_INT(table->match.plies[2].took_ms, 5);
        GETS(stage.anna, "\"result\":\"1-0\"");
        if (i == 0) {
            const struct rating *rating =
                rating_find(&table->seats[BLACK].player->ratings, &clobber, "2x2");
            CHECK_INT(rating->matches, 4);
            CHECK(rating->now.rating == 1560 && rating->now.deviation == 80);
            CHECK(table->rating_after[WHITE] == 1580 && table->rating_after[BLACK] == 1560);
        }
        stage_end(&stage);
    }
}

/* Bob takes the free seat in match 1002 of anna: what is told of it, and last, what servers of
 * versions before told. */
static const struct {
    const char *text;
    bool is_told; /* the whole: the match is not read */
} starts[] = {
    {"", false},
    {" j 1 1 1 # 2000007 bob named f 0 1 2:1 f 0", true},
    {" j 1 1 0 2000007 bob named f 0 1 2:1 f 0", true},
    {" j 0 1 0 2000007 bob named f 0 1 2:1 f 0", false}, /* anna has that seat */
    {" j 1 1 0 1000001 anna named f 0 1 2:1 f 0", false},
    {" j 1 1 0 2000009 eve named f 0 1 2:1 f 0", false},    /* who is not known here */
    {" j 1 1 0 2000007 guest-7 guest f 0 1 2:1 f 0", true}, /* old: bob has a name by now */
    {" j 1 1 0 ", false},
    {" j 1 1 1 #", false},
    {" j 1", false},
    {" 0 - 0 -1 -1 0 start 1 2000007 2 1 1 0 bob 1700 90 0.06 4", false},
    {" 0 - 0 -1 -1 0 start 1", false}};

static void test_starts(void)
{
    static const struct match_row joined = {1002, 2, "playing", PLAYING_LOG, .bob = NULL};
    static struct stage stage;
    char line[220];

    for (size_t i = 0; i < LENGTH(starts); i++) {
        check_about("a seat is taken elsewhere: 't 1002 2%s'", starts[i].text);
        stage_begin(&stage);
        libpq_answer("FROM node WHERE alive", LIBPQ_ROWS, "1|192.0.2.1:7117|7;2|192.0.2.2:7117|3;");
        libpq_notify("n");
        meet_bob(&stage);
        CHECK(stage_say(&stage, &stage.anna, "new clobber:2x2"));
        skip(&stage.anna);
        libpq_answer("WHERE m.number = ANY", LIBPQ_ROWS, match_row_text(&joined));
        int reads = libpq_sent_with("WHERE m.number = ANY", 0, "{1002}");
        write_news(line, sizeof line, "t 1002 2", starts[i].text);
        libpq_notify(line);
        stage_work(&stage);
        const struct table *table = lobby_find(&stage.server.lobby, "1002");
        CHECK_INT(libpq_sent_with("WHERE m.number = ANY", 0, "{1002}") - reads, !starts[i].is_told);
        CHECK_INT(table->match.status, MATCH_PLAYING);
        CHECK_INT(table->version, 2);
        CHECK(table->started && table->seats[BLACK].joined);
        CHECK_INT(table->seats[BLACK].player->kind, PLAYER_NAMED);
        CHECK_INT(table->seats[BLACK].player->elsewhere->list[0].node, 2);
        GETS(stage.anna, "\"name\":\"bob\"");
        CHECK_INT(count(&stage.anna, "\"rating\":1600"), 1);
        stage_end(&stage);
    }
    check_about("a seat is taken here");
    stage_begin(&stage);
    CHECK(stage_say(&stage, &stage.anna, "new clobber:2x2"));
    CHECK(stage_say(&stage, &stage.carl, "join 1001"));
    CHECK_TEXT(libpq_value("CALL keep", 16),
               "{\"t 1001 2 j 1 1 0 1000002 carl named f 1700000000 0 1:1 f 0\"}");

    check_about("... and played to the end");
    CHECK(stage_say(&stage, &stage.anna, "move 1001 a2a1"));
    CHECK(stage_say(&stage, &stage.carl, "move 1001 b2b1"));
    CHECK(stage_say(&stage, &stage.anna, "move 1001 a1b1"));
    const char *end = libpq_value("CALL keep", 16);
    CHECK_THAT(strncmp(end, "{\"t 1001 5 x 1-0 no-moves 2 1 ", 30) == 0, "%s", end);
    CHECK_THAT(strstr(end, " m 3 0 -1 -1 0 a1b1\"}") != NULL, "%s", end);
    stage_end(&stage);
}

/* News of a match that is locked, or that is being read. */
static void test_busy(void)
{
    static const struct match_row moved = {1001, 4, "playing", MOVED_LOG, .bob = NULL};
    static const struct match_row offered = {1001, 5, "playing", MOVED_LOG "\no 1 0 -1 -1 8 ",
                                             .bob = NULL};
    static const struct match_row refused = {
        1001, 6, "playing", MOVED_LOG "\no 1 0 -1 -1 8 \no 1 0 -1 -1 0 ", .bob = NULL};
    static const struct match_row offered_again = {
        1001, 7, "playing", MOVED_LOG "\no 1 0 -1 -1 8 \no 1 0 -1 -1 0 \no 1 0 -1 -1 8 ",
        .bob = NULL};
    static struct stage stage;

    check_about("a match changes elsewhere while a line changes it here");
    stage_begin(&stage);
    meet_bob(&stage);
    libpq_answer("WHERE m.number = ANY", LIBPQ_ROWS, match_row_text(&moved));
    libpq_answer_next("CALL keep", 1, LIBPQ_ROWS, "{1001};");
    own_row.number++;
    say(&stage.anna, "#m move a2a1 ply=0");
    server_end_turn(&stage.server);
    libpq_notify("t 1001 4 m 1 7 -1 -1 0 a2a1\nt 1001 4");
    stage_work(&stage);
    GETS(stage.anna, "\"code\":\"stale-ply\"");
    CHECK_INT(lobby_find(&stage.server.lobby, "1001")->version, 4);

    check_about("another change comes while it is read");
    libpq_answer_next("WHERE m.number = ANY", 1, LIBPQ_ROWS, match_row_text(&offered));
    libpq_notify("t 1001 5");
    stage.keeper->kind->work(stage.keeper, stage.server.now_ms);
    libpq_answer("WHERE m.number = ANY", LIBPQ_ROWS, match_row_text(&refused));
    libpq_notify("t 1001 6");
    stage_work(&stage);
    CHECK_INT(lobby_find(&stage.server.lobby, "1001")->version, 6);

    check_about("its row is older than the news: it is read again after a second");
    int reads = libpq_sent_with("WHERE m.number = ANY", 0, "{1001}");
    libpq_notify("t 1001 7");
    stage_work(&stage);
    CHECK_INT(libpq_sent_with("WHERE m.number = ANY", 0, "{1001}"), reads + 1);
    libpq_answer("WHERE m.number = ANY", LIBPQ_ROWS, match_row_text(&offered_again));
    stage_pass(&stage, 1000);
    stage_work(&stage);
    CHECK_INT(lobby_find(&stage.server.lobby, "1001")->version, 7);

    check_about("it cannot be read: the connection is made anew, and what is newer read");
    libpq_answer_next("WHERE m.number = ANY", 1, LIBPQ_ERROR, "XX000broken");
    libpq_answer("UNION SELECT number", LIBPQ_ROWS, "1001|8;1077|9;");
    libpq_notify("t 1001 8");
    int connects = libpq.connects;
    stage_work(&stage);
    stage_pass(&stage, 250);
    stage_pass(&stage, 250);
    CHECK(libpq.connects > connects);
    CHECK(libpq_sent("UNION SELECT number") >= 1);
    stage_end(&stage);
}

/* News of a match comes while a line that changes it is being kept. */
static void test_locked(void)
{
    static const struct match_row offered = {1001, 5, "playing", PLAYING_LOG "\no 0 0 -1 -1 2 ",
                                             .bob = NULL};
    static struct stage stage;

    check_about("a match that is locked is read once it is free");
    stage_begin(&stage);
    meet_bob(&stage);
    libpq_answer("WHERE m.number = ANY", LIBPQ_ROWS, match_row_text(&offered));
    int before = libpq_sent_with("WHERE m.number = ANY", 0, "{1001}");
    say(&stage.anna, "#d draw 1001");
    server_end_turn(&stage.server);
    libpq.partial = 6;
    libpq_notify("t 1001 5");
    stage_work(&stage);
    GETS(stage.anna, "\"type\":\"ok\",\"id\":\"d\"");
    CHECK_INT(libpq_sent_with("WHERE m.number = ANY", 0, "{1001}"), before + 1);
    CHECK_INT(lobby_find(&stage.server.lobby, "1001")->version, 5);
    stage_end(&stage);
}

/* A match that is not held is read twice at once, and changes in between. */
static void test_read_twice(void)
{
    static const char reads[] = "FROM match_row m";
    static const struct match_row before = {1001, 3, "playing", PLAYING_LOG, .bob = NULL};
    static const struct match_row after = {1001, 4, "playing", MOVED_LOG, .bob = NULL};
    static struct stage stage;

    check_about("the later of two readings counts");
    stage_begin(&stage);
    libpq_answer(reads, LIBPQ_ROWS, match_row_text(&after));
    libpq_answer_next(reads, 1, LIBPQ_ROWS, match_row_text(&before));
    libpq_notify("t 1001 3");
    libpq_notify("t 1001 4");
    stage_work(&stage);
    CHECK(lobby_find(&stage.server.lobby, "1001") != NULL);
    stage_pass(&stage, 1000);
    CHECK_INT(lobby_find(&stage.server.lobby, "1001")->version, 4);
    CHECK_INT(libpq_sent(reads), 3);
    stage_end(&stage);
}

/* Others play in a match before this server hears that it is open. */
static void test_opening(void)
{
    static const struct match_row joined = {1001, 3, "playing", PLAYING_LOG, .bob = NULL};
    static struct stage stage;

    check_about("news of a match that is being opened");
    stage_begin(&stage);
    libpq_answer("WHERE m.number =", LIBPQ_ROWS, match_row_text(&joined));
    libpq_answer("UNION SELECT number", LIBPQ_ROWS, "1001|3;");
    libpq_answer_next("CALL keep", 1, LIBPQ_BREAK, "");
    own_row.runs_late = true;
    say(&stage.anna, "#n new clobber:2x2");
    server_end_turn(&stage.server);
    libpq_notify("t 1001 3");
    CHECK(stage_say(&stage, &stage.carl, "state 1001"));
    GETS(stage.carl, "\"code\":\"internal\"");
    CHECK_INT(libpq_sent("WHERE m.number = $1"), 4); /* twice for the news, and for the look-up */
    CHECK_INT(stage.server.lobby.playing, 0);

    check_about("it is open");
    stage_pass(&stage, 250);
    stage_pass(&stage, 250);
    CHECK_INT(stage.server.lobby.opening, 0);
    CHECK_INT(stage.server.lobby.open, 0);
    CHECK_INT(stage.server.lobby.playing, 1);
    CHECK_INT(lobby_find(&stage.server.lobby, "1001")->version, 3);
    GETS(stage.anna, "\"type\":\"ok\",\"id\":\"n\"");
    GETS(stage.anna, "\"name\":\"bob\"");
    CHECK(stage_say(&stage, &stage.carl, "state 1001"));
    GETS(stage.carl, "\"type\":\"state\"");
    stage_end(&stage);
}

/* Where the database says that bob is, whom this server knows at server 2 under login 1. */
static const struct {
    const char *title, *row;
    bool online, told; /* anna is told whether he is */
} places[] = {{"he is there", "2000007 bob named f 0 1 2:1 f 0;", true, false},
              {"he has left", "2000007 bob named f 0 1 - t 5;", false, true},
              {"he has left and come back", "2000007 bob named f 0 2 2:1 f 0;", true, false},
              {"he has another window there", "2000007 bob named f 0 2 2:2 f 0;", true, false},
              {"he is at another server", "2000007 bob named f 0 2 3:1 f 0;", true, false},
              {"he is at another server, too", "2000007 bob named f 0 2 2:1,3:1 f 0;", true, false},
              {"he is about to come here", "2000007 bob named f 0 2 1:1 f 0;", true, false},
              {"somebody else", "2000009 eve named f 0 1 - t 5;", true, false},
              {"nothing", "", true, false}};

static void pass_30_s(struct stage *stage)
{
    for (int i = 0; i < 30; i++)
        stage_pass(stage, 1000);
    stage_work(stage);
}

/* A match that nobody has told of. */
static const struct match_row missed = {1077, 2, "playing", PLAYING_LOG, .bob = NULL};

/* What nobody has told is read in time. */
static void test_missed(void)
{
    static const struct match_row broken = {1078, 2, "playing", "", .game = "chess"};
    static struct stage stage;

    for (size_t i = 0; i < LENGTH(places); i++) {
        check_about("where a partner is: %s", places[i].title);
        stage_begin(&stage);
        libpq_answer("FROM node WHERE alive", LIBPQ_ROWS, "1|192.0.2.1:7117|7;2|192.0.2.2:7117|3;");
        libpq_notify("n");
        meet_bob(&stage);
        const struct seat *seat = &lobby_find(&stage.server.lobby, "1001")->seats[BLACK];
        CHECK(seat->player->here);
        libpq_answer("WHERE p.id = ANY", LIBPQ_ROWS, places[i].row);
        pass_30_s(&stage);
        CHECK(seat->player->here == places[i].online);
        CHECK_INT(count(&stage.anna, "\"type\":\"presence\""), places[i].told);
        stage_end(&stage);
    }
    stage_begin(&stage);
    meet_bob(&stage);
    check_about("a match that nobody has told of: it could not be read as it was told, or was not");
    libpq_answer_next("WHERE m.number = $1", 2, LIBPQ_ERROR, "XX000broken");
    libpq_notify("t 1077 2");
    stage_work(&stage);
    CHECK(lobby_find(&stage.server.lobby, "1077") == NULL);
    libpq_answer("UNION SELECT number", LIBPQ_ROWS, "1001|3;1077|2;");
    libpq_answer("WHERE m.number = ANY", LIBPQ_ROWS, match_row_text(&missed));
    libpq_answer_next("CALL keep", 1, LIBPQ_SILENCE, "");
    skip(&stage.anna);
    for (int slice = 0; slice < 4; slice++)
        stage_pass(&stage, 400); /* the second connection is new, and no call has run since */
    CHECK(lobby_find(&stage.server.lobby, "1077") == NULL);
    GETS_NOT(stage.anna, "1077");
    for (int i = 0; i < 9; i++) /* the first connection is made anew */
        stage_pass(&stage, 1000);
    CHECK(lobby_find(&stage.server.lobby, "1077") != NULL);
    GETS(stage.anna, "\"match\":\"1077\"");
    CHECK_INT(libpq_sent_with("WHERE m.number = ANY", 0, "{1077}"), 2); /* registered and read */

    check_about("a match that cannot be shown is not asked for again");
    libpq_answer("UNION SELECT number", LIBPQ_ROWS, "1078|2;");
    libpq_answer("WHERE m.number = ANY", LIBPQ_ROWS, match_row_text(&broken));
    pass_30_s(&stage);
    stage_pass(&stage, 1000);
    CHECK_INT(libpq_sent_with("WHERE m.number = ANY", 0, "{1078}"), 2);
    CHECK_INT(libpq_sent_with("DELETE FROM interest", 1, "{1078}"), 1);
    stage_end(&stage);
}

/* What differs may be a commit that no standby has. */
static void test_unsafe(void)
{
    static struct stage stage;

    check_about("what differs is read once a call has run that began later");
    stage_begin(&stage);
    meet_bob(&stage);
    libpq_answer("UNION SELECT number", LIBPQ_ROWS, "1001|3;1077|2;");
    libpq_answer("WHERE m.number = ANY", LIBPQ_ROWS, match_row_text(&missed));
    libpq_answer_next("CALL keep", 1, LIBPQ_SILENCE, "");
    libpq_forget_sent();
    for (int i = 0; i < 4; i++)
        stage_pass(&stage, 400);
    CHECK(libpq_sent("UNION SELECT number") > 0);
    CHECK(libpq_sent("CALL keep") == 1);
    CHECK(lobby_find(&stage.server.lobby, "1077") == NULL);
    pass_30_s(&stage); /* the first connection is made anew */
    CHECK(lobby_find(&stage.server.lobby, "1077") != NULL);
    stage_end(&stage);
}

/* Rows of a match that cannot be, or can. */
static const struct {
    const char *title;
    struct match_row row;
    const char *hears;
} rows[] = {
    {"a match", {77, 4, "playing", TWICE_LOG, .bob = NULL}, "\"ply\":2"},
    {"its clock runs",
     {77, 4, "playing", PLAYING_LOG "\nm 1 7 59993 60000 0 a2a1", .timed = true},
     "\"ply\":1"},
    {"a clock that is none", {77, 4, "playing", MOVED_LOG, .timed = true}, "\"broken\":\""},
    {"a date that is none", {77, 4, "playing", MOVED_LOG, .opened_s = "-1"}, "\"broken\":\""},
    {"one that is over",
     {77, 4, "over", MOVED_LOG, .result = "1-0", .reason = "resign"},
     "\"reason\":\"resign\""},
    {"one that is open", {77, 1, "open", OPEN_LOG, .alone = true}, "\"status\":\"open\""},
    {"a take-back", {77, 5, "playing", MOVED_LOG "\nb 0 0 -1 -1 0 ", .bob = NULL}, "\"ply\":0"},
    {"no game of ours", {77, 4, "playing", MOVED_LOG, .game = "chess"}, "unknown-match"},
    {"no position", {77, 4, "playing", MOVED_LOG, .start = "P"}, "unknown-match"},
    {"a row of other words", {77, 4, "playing", MOVED_LOG, .game = "a b"}, "unknown-match"},
    {"a move that is illegal",
     {77, 4, "playing", PLAYING_LOG "\nm 1 7 -1 -1 0 a1a2", .bob = NULL},
     "\"broken\":\""},
    {"a log that is none", {77, 4, "playing", "nonsense", .bob = NULL}, "\"broken\":\""},
    {"a log with a gap",
     {77, 4, "playing", PLAYING_LOG "\nm 2 7 -1 -1 0 a2a1", .bob = NULL},
     "\"broken\":\""},
    {"a log that goes ahead",
     {77, 4, "playing", PLAYING_LOG "\nb 3 0 -1 -1 0 ", .bob = NULL},
     "\"broken\":\""},
    {"a log that goes below",
     {77, 4, "playing", PLAYING_LOG "\nb -1 0 -1 -1 0 ", .bob = NULL},
     "\"broken\":\""},
    {"a log that is too long",
     {77, 4, "playing", PLAYING_LOG "\nm 99999 0 -1 -1 0 a2a1", .bob = NULL},
     "\"broken\":\""},
    {"a result that is none",
     {77, 4, "over", MOVED_LOG, .result = "1-0", .reason = "x"},
     "\"broken\":\""},
    {"a status that is none", {77, 4, "nonsense", MOVED_LOG, .bob = NULL}, "\"broken\":\""},
    {"a player who is nowhere", {77, 4, "playing", MOVED_LOG, .bob = "~"}, "\"broken\":\""},
    {"a kind that is none",
     {77, 4, "playing", MOVED_LOG, .bob = "2000007 bob x f 0 1 - t 5\nclobber 2x2"},
     "\"name\":\"bob\""}};

static void test_rows(void)
{
    static struct stage stage;
    char line[16];

    for (size_t i = 0; i < LENGTH(rows); i++)
        for (int record = 0; record < 2; record++) {
            check_about("%s: %s", record ? "record" : "state", rows[i].title);
            stage_begin(&stage);
            libpq_answer("WHERE m.number = $1::text", LIBPQ_ROWS, match_row_text(&rows[i].row));
            snprintf(line, sizeof line, "%s 77", record ? "record" : "state");
            CHECK(stage_say(&stage, &stage.carl, line));
            bool shown = strcmp(rows[i].hears, "unknown-match") != 0;
            bool broken = strstr(rows[i].hears, "broken") != NULL;
            if (!record || broken)
                GETS(stage.carl, rows[i].hears);
            else
                GETS(stage.carl, shown ? "\"type\":\"record\"" : "match 77 is damaged: ");
            CHECK_INT(stage.server.lobby.broken, broken && !record);
            if (broken) {
                CHECK(stage_say(&stage, &stage.anna, "resign 77"));
                GETS(stage.anna, "match 77 is damaged, and read-only");
            }
            stage_end(&stage);
        }
}

/* What a server tells of a seek of its own, with some of its fields; its player follows. */
#define OFFER_WITH(game, clock, color, bots, rating)                                               \
    game " " clock " casual=0 color=" color " ranged=0 low=0 high=0 bots=" bots                    \
         " repeat=0 rating=" rating " guests=0 opponent=0 lead=0 last=0 "
#define NO_CLOCK "base_ms=0 increment_ms=0"
#define OFFER    OFFER_WITH("clobber 5x6", NO_CLOCK, "-1", "0", "1500")

/* Seeks of both servers. */
static void test_seeks(void)
{
    static const struct match_row paired = {1002,        1,           "playing",
                                            PLAYING_LOG, "1 1 2 9 x", .bob = NULL};
    static const char seek[] = "s 2 9 " OFFER "p 2000007 2 1 1 0 bob";
    static struct stage stage;

    check_about("a seek of this server is offered, and paired by another");
    stage_begin(&stage);
    CHECK(stage_say(&stage, &stage.anna, "seek clobber:2x2"));
    CHECK_INT(libpq_sent("SELECT offer_seek"), 1);
    libpq_answer("WHERE m.number = $1", LIBPQ_ROWS, match_row_text(&paired));
    libpq_notify("t 1002 1");
    stage_work(&stage);
    GETS(stage.anna, "\"type\":\"paired\"");
    CHECK(libpq_sent("SELECT offer_seek") >= 2);

    check_about("a seek of another server is known here until it is gone");
    libpq_notify(seek);
    stage_work(&stage);
    CHECK(stage_say(&stage, &stage.carl, "seeks"));
    GETS(stage.carl, "\"seek\":\"9@2\"");
    skip(&stage.carl);
    libpq_notify("s 2 9");
    stage_work(&stage);
    CHECK(stage_say(&stage, &stage.carl, "seeks"));
    GETS_NOT(stage.carl, "\"seek\":\"9@2\"");

    check_about("all of them are read from time to time");
    libpq_answer("FROM seek ORDER BY", LIBPQ_ROWS,
                 "1|55|x|~;1|56|x|1003;2|9|" OFFER
                 "p 2000008 2 1 1 0 bert|~;2|10|x|1004;3|1|nonsense|~;");
    libpq_answer_next("FROM seek ORDER BY", 1, LIBPQ_ERROR, "XX000broken");
    for (int i = 0; i < 21; i++)
        stage_pass(&stage, 1000);
    skip(&stage.carl);
    CHECK(stage_say(&stage, &stage.carl, "seeks"));
    GETS(stage.carl, "\"seek\":\"9@2\"");
    CHECK_INT(libpq_sent_with("SELECT offer_seek", 2, "55"), 1);
    stage_end(&stage);
}

/* Seeks of server 2 that are none, or whose player is not theirs. */
static const char *const bad_seeks[] = {
    "",
    "clobber 5x6 0 0 0 -1 0 0 0 0 0 1500 0 0 0 0 p 2000007 2 1 1 0 bob",
    "clobber 5x6 " NO_CLOCK
    " casual=0 color=-1 ranged=0 low=0 high=0 bots=0 repeat=0 rating=1500 guests=0 "
    "opponent=0 lead=0 p 2000007 2 1 1 0 bob",
    OFFER "lead=0 p 2000007 2 1 1 0 bob",
    OFFER "unknown=0 p 2000007 2 1 1 0 bob",
    OFFER_WITH("chess 5x6", NO_CLOCK, "-1", "0", "1500") "p 2000007 2 1 1 0 bob",
    OFFER_WITH("clobber 99x99", NO_CLOCK, "-1", "0", "1500") "p 2000007 2 1 1 0 bob",
    OFFER_WITH("clobber 5x6", "base_ms=-1 increment_ms=0", "-1", "0",
               "1500") "p 2000007 2 1 1 0 bob",
    OFFER_WITH("clobber 5x6", "base_ms=0 increment_ms=-1", "-1", "0",
               "1500") "p 2000007 2 1 1 0 bob",
    OFFER_WITH("clobber 5x6", NO_CLOCK, "-2", "0", "1500") "p 2000007 2 1 1 0 bob",
    OFFER_WITH("clobber 5x6", NO_CLOCK, "2", "0", "1500") "p 2000007 2 1 1 0 bob",
    OFFER_WITH("clobber 5x6", NO_CLOCK, "-1", "-1", "1500") "p 2000007 2 1 1 0 bob",
    OFFER_WITH("clobber 5x6", NO_CLOCK, "-1", "3", "1500") "p 2000007 2 1 1 0 bob",
    OFFER_WITH("clobber 5x6", NO_CLOCK, "-1", "0", "99999") "p 2000007 2 1 1 0 bob",
    OFFER "q 2000007 2 1 1 0 bob",
    OFFER "p 2000008 2 1 1 0 carl"};
#define GOOD_SEEK OFFER "p 2000007 2 1 1 0 bob"

/* How many seeks carl sees. */
static void check_seeks(struct stage *stage, int want)
{
    skip(&stage->carl);
    CHECK(stage_say(stage, &stage->carl, "seeks"));
    CHECK_INT(count(&stage->carl, "\"seek\":"), want);
}

static void test_foreign_seeks(void)
{
    static struct stage stage;
    char line[300];

    stage_begin(&stage);
    libpq_answer("FROM node WHERE alive", LIBPQ_ROWS, "1|192.0.2.1:7117|7;2|192.0.2.2:7117|3;");
    stage_pass(&stage, 1000);
    for (size_t i = 0; i < LENGTH(bad_seeks); i++) {
        check_about("a seek of another server: '%s'", bad_seeks[i]);
        snprintf(line, sizeof line, "s 2 9 %s", bad_seeks[i]);
        libpq_notify(line);
        stage_work(&stage);
        check_seeks(&stage, 0);
    }
    check_about("one that is told twice is one");
    libpq_notify("s 2 9 " GOOD_SEEK);
    libpq_notify("s 2 9 " GOOD_SEEK);
    stage_work(&stage);
    check_seeks(&stage, 1);
    check_about("what is not in the list of all is gone, or is offered again");
    CHECK(stage_say(&stage, &stage.anna, "seek shakti"));
    int offered = libpq_sent("SELECT offer_seek");
    libpq_answer("FROM seek ORDER BY", LIBPQ_ROWS, "2|8|" GOOD_SEEK "|~;3|1|x|~;");
    for (int i = 0; i < 10; i++)
        stage_pass(&stage, 1000);
    check_seeks(&stage, 2);
    GETS(stage.carl, "\"seek\":\"8@2\"");
    GETS_NOT(stage.carl, "\"seek\":\"9@2\"");
    CHECK_INT(libpq_sent("SELECT offer_seek"), offered + 1);
    check_about("a seek that has its match waits no more");
    libpq_answer("FROM seek ORDER BY", LIBPQ_ROWS, "1|1|x|~;2|8|" GOOD_SEEK "|1003;");
    for (int i = 0; i < 10; i++)
        stage_pass(&stage, 1000);
    check_seeks(&stage, 1);
    check_about("seeks go with their server");
    libpq_notify("s 2 9 " GOOD_SEEK);
    stage_work(&stage);
    check_seeks(&stage, 2);
    libpq_answer("FROM node WHERE alive", LIBPQ_ROWS, "1|192.0.2.1:7117|7;");
    stage_pass(&stage, 1000);
    check_seeks(&stage, 1);
    stage_end(&stage);
}

/* Numbers are read as exactly as PostgreSQL writes them, and a line that is none is left out. */
static void test_ratings(void)
{
    static const double reals[] = {1500, 1612.5, 1500 + 1.0 / 3, 1499.9999999999998, 100.1};
    static const char *const broken[] = {"x", "0x", "1500x", "", "1500 ", "1500 90", "1500 90 "};
    static struct stage stage;
    struct match_row row = {77, 4, "playing", MOVED_LOG, .bob = NULL};
    char bob[200];

    for (size_t i = 0; i < LENGTH(reals); i++) {
        check_about("the rating %.17g", reals[i]);
        stage_begin(&stage);
        snprintf(bob, sizeof bob, "2000007 bob named f 0 1 2:1 f 0\nclobber 2x2 3 %.17g 100 0.06",
                 reals[i]);
        row.bob = bob;
        libpq_answer("WHERE m.number = $1::text", LIBPQ_ROWS, match_row_text(&row));
        CHECK(stage_say(&stage, &stage.carl, "state 77"));
        const struct player *player = lobby_find(&stage.server.lobby, "77")->seats[BLACK].player;
        const struct rating *rating = rating_find(&player->ratings, &clobber, "2x2");
        CHECK(rating != NULL && rating->now.rating == reals[i] && rating->matches == 3);
        stage_end(&stage);
    }
    for (size_t i = 0; i < LENGTH(broken); i++) {
        check_about("no rating: '%s'", broken[i]);
        stage_begin(&stage);
        snprintf(bob, sizeof bob, "2000007 bob named f 0 1 2:1 f 0\nclobber 2x2 3 %s", broken[i]);
        row.bob = bob;
        libpq_answer("WHERE m.number = $1::text", LIBPQ_ROWS, match_row_text(&row));
        CHECK(stage_say(&stage, &stage.carl, "state 77"));
        const struct player *player = lobby_find(&stage.server.lobby, "77")->seats[BLACK].player;
        CHECK(rating_find(&player->ratings, &clobber, "2x2") == NULL);
        stage_end(&stage);
    }
}

int main(void)
{
    test_ratings();
    test_news();
    test_ends();
    test_starts();
    test_busy();
    test_locked();
    test_read_twice();
    test_opening();
    test_missed();
    test_unsafe();
    test_rows();
    test_seeks();
    test_foreign_seeks();
    libpq_reset();
    return check_end("test_postgres_news");
}
