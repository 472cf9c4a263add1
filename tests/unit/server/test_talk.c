/* What is kept of the chat of a match: the latest lines, as many as the limits say. */
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "server/model/talk.h"

static void say(struct talk *talk, const char *text)
{
    struct talk_line line = {.room = ROOM_WATCHERS, .from = "anna", .text = text};

    talk_add(talk, &line);
}

static void test_lines(void)
{
    struct talk talk = {.count = 0};
    char text[32];

    for (int i = 1; i <= 60; i++) {
        snprintf(text, sizeof text, "line %d", i);
        say(&talk, text);
        CHECK(talk.count == (i < 50 ? i : 50));
        CHECK(strcmp(talk.lines[talk.count - 1].text, text) == 0);
    }
    CHECK(strcmp(talk.lines[0].text, "line 11") == 0);
    CHECK(strcmp(talk.lines[0].from, "anna") == 0 && talk.lines[0].room == ROOM_WATCHERS);
    talk_release(&talk);
    CHECK(talk.count == 0 && talk.lines == NULL);
}

static void test_bytes(void)
{
    struct talk talk = {.count = 0};
    char text[501];

    memset(text, 'x', 500);
    text[500] = '\0';
    for (int i = 0; i < 40; i++)
        say(&talk, text);
    CHECK(talk.count == 16 && talk.bytes == 8000);
    say(&talk, "a short one");
    CHECK(talk.count == 17 && talk.bytes == 8011);
    for (int i = 0; i < 10; i++)
        say(&talk, "");
    CHECK(talk.count == 27 && strcmp(talk.lines[16].text, "a short one") == 0);
    talk_release(&talk);
}

static void test_rooms(void)
{
    enum room room = ROOM_PLAYERS;

    CHECK(room_parse("watchers of it", 8, &room) && room == ROOM_WATCHERS);
    CHECK(room_parse("players", 7, &room) && room == ROOM_PLAYERS);
    CHECK(!room_parse("player", 6, &room) && !room_parse("", 0, &room));
    CHECK(strcmp(room_name(ROOM_WATCHERS), "watchers") == 0);
}

int main(void)
{
    test_lines();
    test_bytes();
    test_rooms();
    return check_end("test_talk");
}
