/* Growing buffers, and writing JSON to them without a tree. */
#include <cjson/cJSON.h>

#include "check.h"
#include "common/json_text.h"

static void test_values(void)
{
    struct buffer json = {0};

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
    buffer_add(&json, "\n", sizeof "\n");
    CHECK_TEXT(json.bytes, "{\"a\":\"x\",\"none\":null,\"b\":\"x "
                           "y\",\"nothing\":null,\"zero\":0,\"least\":-9223372036854775808,"
                           "\"most\":9223372036854775807,\"empty\":[],"
                           "\"list\":[true,{},{\"no\":false},null]}\n");
    CHECK_INT((long)strlen(json.bytes) + 1, (long)json.length);
    buffer_release(&json);
}

static void test_hundredths(void)
{
    struct buffer json = {0};

    check_about("numbers in hundredths");
    json_open(&json, NULL, '[');
    for (int i = -150; i <= 150; i += 25)
        json_hundredths(&json, NULL, i);
    json_hundredths(&json, NULL, 100005);
    json_close(&json, ']');
    buffer_add(&json, "", 1);
    CHECK_TEXT(json.bytes, "[-1.5,-1.25,-1,-0.75,-0.5,-0.25,0,0.25,0.5,0.75,1,1.25,1.5,1000.05]");
    buffer_release(&json);
}

/* A reader gets back what was written, whatever the bytes. */
static void test_escapes(void)
{
    struct buffer json = {0};
    char text[256];

    check_about("every byte but NUL, in a text");
    for (int i = 1; i < 128; i++)
        text[i - 1] = (char)i;
    memcpy(text + 127, "\xc3\xa9{[", sizeof "\xc3\xa9{[");
    json_open(&json, NULL, '[');
    json_string(&json, NULL, text);
    json_string(&json, NULL, "after a bracket in a text");
    json_string(&json, NULL, "\\");
    json_close(&json, ']');
    buffer_add(&json, "", 1);
    CHECK(strchr(json.bytes, '\n') == NULL);
    cJSON *array = cJSON_Parse(json.bytes);
    CHECK_TEXT(cJSON_GetStringValue(cJSON_GetArrayItem(array, 0)), text);
    CHECK_TEXT(cJSON_GetStringValue(cJSON_GetArrayItem(array, 1)), "after a bracket in a text");
    CHECK_TEXT(cJSON_GetStringValue(cJSON_GetArrayItem(array, 2)), "\\");
    cJSON_Delete(array);
    buffer_release(&json);
}

/* Several messages in a buffer that grows and is reused. */
static void test_messages(void)
{
    struct buffer json = {0};

    check_about("commas begin anew behind a line end");
    for (int round = 0; round < 2; round++) {
        json.length = 0;
        for (int i = 0; i < 500; i++) {
            json_open(&json, NULL, '{');
            json_integer(&json, "i", i);
            json_close(&json, '}');
            buffer_add(&json, "\n", 1);
        }
        CHECK_INT((long)json.length, 10 * 8 + 90 * 9 + 400 * 10);
        CHECK(memcmp(json.bytes, "{\"i\":0}\n{\"i\":1}\n", 16) == 0);
        CHECK(memcmp(json.bytes + json.length - 10, "{\"i\":499}\n", 10) == 0);
    }
    buffer_release(&json);
    CHECK(json.bytes == NULL && json.length == 0 && json.capacity == 0);
}

/* Appends text of any length. */
static void test_printf(void)
{
    struct buffer buffer = {0};

    check_about("printed text");
    buffer_printf(&buffer, "%s", "");
    CHECK_INT((long)buffer.length, 0);
    buffer_puts(&buffer, "<");
    buffer_printf(&buffer, "%d%5000s%s", 7, "x", "y");
    buffer_puts(&buffer, ">");
    CHECK_INT((long)buffer.length, 5004);
    CHECK(memcmp(buffer.bytes, "<7 ", 3) == 0);
    CHECK(memcmp(buffer.bytes + buffer.length - 4, " xy>", 4) == 0);
    buffer_release(&buffer);
}

int main(void)
{
    test_values();
    test_hundredths();
    test_escapes();
    test_messages();
    test_printf();
    return check_end("test_json_text");
}
