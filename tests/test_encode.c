/* Messages as bytes: into space that is there, into memory of their own, as text. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "server/encode.h"

/* Encodes a message that is given as JSON, and frees it. */
static void check_encoded(const char *json, bool text, size_t size, const char *want, bool owned)
{
    char space[512];
    cJSON *message = cJSON_Parse(json);
    struct encoded encoded;

    check_about("%s into %d bytes", json, (int)size);
    if (!CHECK(message != NULL))
        return;
    if (CHECK(encode(message, text, space, size, &encoded))) {
        CHECK_THAT(encoded.length == strlen(want) &&
                       memcmp(encoded.bytes, want, encoded.length) == 0,
                   "got %.*s", (int)encoded.length, encoded.bytes);
        CHECK_INT(encoded.owned, owned);
        encoded_release(&encoded);
        CHECK(encoded.bytes == NULL);
    }
    cJSON_Delete(message);
}

static void test_json(void)
{
    static const struct {
        const char *json, *line;
    } rows[] = {
        {"{\"type\":\"ok\"}", "{\"type\":\"ok\"}\n"},
        {"{\"a\":[1,-2,{\"b\":true}],\"c\":null,\"d\":false,\"e\":\"\\\"\"}",
         "{\"a\":[1,-2,{\"b\":true}],\"c\":null,\"d\":false,\"e\":\"\\\"\"}\n"},
        {"{\"a\":[]}", "{\"a\":[]}\n"},
        {"{}", "{}\n"},
        {"123456789012345", "123456789012345\n"},
    };

    for (size_t i = 0; i < LENGTH(rows); i++) {
        size_t length = strlen(rows[i].line);
        check_encoded(rows[i].json, false, 512, rows[i].line, false);
        check_encoded(rows[i].json, false, length + 1, rows[i].line, false);
        check_encoded(rows[i].json, false, length, rows[i].line, true);
        check_encoded(rows[i].json, false, 0, rows[i].line, true);
    }
}

/* Longer than what is tried first. */
static void test_long(void)
{
    char json[9000], line[9001];

    memset(json, 'x', sizeof json);
    json[0] = '[';
    json[1] = '"';
    memcpy(json + sizeof json - 3, "\"]", 3);
    snprintf(line, sizeof line, "%s\n", json);
    check_encoded(json, false, 512, line, true);
}

/* Whatever is no message: it is not sent, with room for it or without. */
static void test_no_message(void)
{
    static const char *const rows[] = {"0.5", "{\"a\":[1,0.5]}", "1e300", "9007199254740994"};
    char space[64];
    struct encoded encoded;
    cJSON *message;

    check_encoded("9007199254740992", false, 512, "9007199254740992\n", false);
    for (size_t i = 0; i < LENGTH(rows); i++) {
        check_about("%s", rows[i]);
        message = cJSON_Parse(rows[i]);
        CHECK(message != NULL && !encode(message, false, space, sizeof space, &encoded));
        CHECK(!encode(message, false, space, 2, &encoded));
        cJSON_Delete(message);
    }
    check_about("no number, and no kind of value");
    message = cJSON_CreateNumber(NAN);
    CHECK(!encode(message, false, space, sizeof space, &encoded));
    message->type = cJSON_Raw;
    CHECK(!encode(message, false, space, sizeof space, &encoded));
    cJSON_Delete(message);
}

static void test_text(void)
{
    check_encoded("{\"type\":\"pong\",\"text\":\"hm\"}", true, 0, "pong hm\n", true);
    check_encoded("{\"type\":\"pong\"}", true, 512, "pong\n", true);
    check_encoded("{\"type\":\"something new\"}", true, 512, "something new\n", true);
    check_encoded("{\"type\":\"chat\",\"match\":7}", true, 512, "[] : \n", true);
    check_encoded("{\"type\":\"lobby\",\"what\":\"over\",\"ply\":\"x\"}", true, 512,
                  "over:                 :  (open) - (open)  ply 0, 0 watching\n", true);
}

int main(void)
{
    test_json();
    test_long();
    test_no_message();
    test_text();
    return check_end("test_encode");
}
