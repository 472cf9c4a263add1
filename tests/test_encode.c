/* Messages as bytes: into space that is there, into memory of their own, as text. */
#include <math.h>
#include <stdlib.h>
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
        bool owned; /* too long, or of a kind that messages do not have */
    } rows[] = {
        {"{\"type\":\"ok\"}", "{\"type\":\"ok\"}\n", false},
        {"{\"a\":[1,-2,{\"b\":true}],\"c\":null,\"d\":false,\"e\":\"\\\"\"}",
         "{\"a\":[1,-2,{\"b\":true}],\"c\":null,\"d\":false,\"e\":\"\\\"\"}\n", false},
        {"{\"a\":[]}", "{\"a\":[]}\n", false},
        {"{}", "{}\n", false},
        {"123456789012345", "123456789012345\n", false},
        {"0.5", "0.5\n", true},
        {"{\"a\":[1,0.5]}", "{\"a\":[1,0.5]}\n", true},
        {"1e300", "1e+300\n", true},
    };

    for (size_t i = 0; i < LENGTH(rows); i++) {
        size_t length = strlen(rows[i].line);
        check_encoded(rows[i].json, false, 512, rows[i].line, rows[i].owned);
        check_encoded(rows[i].json, false, length + 1, rows[i].line, rows[i].owned);
        check_encoded(rows[i].json, false, length, rows[i].line, true);
        check_encoded(rows[i].json, false, 0, rows[i].line, true);
    }
}

/* JSON has no such numbers: cJSON writes null. */
static void test_no_number(void)
{
    cJSON *message = cJSON_CreateNumber(NAN);
    char space[64];
    struct encoded encoded;

    check_encoded("9007199254740992", false, 512, "9007199254740992\n", false);
    check_about("no number");
    CHECK(encode(message, false, space, sizeof space, &encoded));
    CHECK_TEXT(encoded.bytes, "null\n");
    encoded_release(&encoded);
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
    test_no_number();
    test_text();
    return check_end("test_encode");
}
