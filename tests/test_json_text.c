/* JSON that is written without a tree. */
#include <cjson/cJSON.h>

#include "check.h"
#include "common/json_text.h"

static void test_values(void)
{
    char space[512];
    struct json_text json = json_begin(space, sizeof space);

    check_about("every kind of value, in objects and arrays");
    json_open(&json, NULL, '{');
    json_string(&json, "a", "x");
    json_string(&json, "none", NULL);
    json_word(&json, "b", "x y");
    json_word(&json, "nothing", NULL);
    json_integer(&json, "zero", 0);
    json_integer(&json, "least", INT64_MIN);
    json_integer(&json, "most", INT64_MAX);
    json_open(&json, "empty", '[');
    json_close(&json, ']');
    json_open(&json, "list", '[');
    json_bool(&json, NULL, true);
    json_open(&json, NULL, '{');
    json_close(&json, '}');
    json_open(&json, NULL, '{');
    json_bool(&json, "no", false);
    json_close(&json, '}');
    json_null(&json, NULL);
    json_close(&json, ']');
    json_close(&json, '}');
    json_raw(&json, "\n", 1);
    CHECK(json_finish(&json));
    CHECK_TEXT(space, "{\"a\":\"x\",\"none\":null,\"b\":\"x "
                      "y\",\"nothing\":null,\"zero\":0,\"least\":-9223372036854775808,"
                      "\"most\":9223372036854775807,\"empty\":[],"
                      "\"list\":[true,{},{\"no\":false},null]}\n");
    CHECK_INT((long)strlen(space), (long)json.length);
}

/* What is written is what a reader gets back, whatever the bytes. */
static void test_escapes(void)
{
    char text[256], space[2048];

    check_about("every byte but NUL, in a text");
    for (int i = 1; i < 128; i++)
        text[i - 1] = (char)i;
    memcpy(text + 127, "\xc3\xa9{[", sizeof "\xc3\xa9{[");
    struct json_text json = json_begin(space, sizeof space);
    json_open(&json, NULL, '[');
    json_string(&json, NULL, text);
    json_string(&json, NULL, "after a bracket in a text");
    json_string(&json, NULL, "\\");
    json_close(&json, ']');
    CHECK(json_finish(&json) && strchr(space, '\n') == NULL);
    cJSON *array = cJSON_Parse(space);
    CHECK_TEXT(cJSON_GetStringValue(cJSON_GetArrayItem(array, 0)), text);
    CHECK_TEXT(cJSON_GetStringValue(cJSON_GetArrayItem(array, 1)), "after a bracket in a text");
    CHECK_TEXT(cJSON_GetStringValue(cJSON_GetArrayItem(array, 2)), "\\");
    cJSON_Delete(array);
}

/* Too little room: never a byte behind it, and it is told. */
static void test_overflow(void)
{
    const size_t needed = sizeof "{\"name\":\"some \\\"text\",\"word\":\"w\",\"n\":-12}";

    for (size_t size = 0; size <= needed; size++) {
        char *space = malloc(size > 0 ? size : 1); /* so that a sanitizer knows its end */
        if (!CHECK(space != NULL))
            return;
        struct json_text json = json_begin(space, size);
        check_about("%zu bytes of room", size);
        json_open(&json, NULL, '{');
        json_string(&json, "name", "some \"text");
        json_word(&json, "word", "w");
        json_integer(&json, "n", -12);
        json_close(&json, '}');
        CHECK(json_finish(&json) == (size == needed));
        CHECK(size == 0 || strlen(space) == json.length);
        free(space);
    }
}

int main(void)
{
    test_values();
    test_escapes();
    test_overflow();
    return check_end("test_json_text");
}
