/* The load generator: reading messages and its command line, percentiles, and measuring
 * processes. */
#include <unistd.h>

#include "check.h"
#include "load_options.h"
#include "load_process.h"
#include "load_samples.h"
#include "load_scan.h"

static const char state[] =
    "{\"type\":\"state\",\"match\":\"12\",\"players\":{\"white\":{\"name\":\"anna\",\"match\":"
    "\"13\","
    "\"x\":[{\"ply\":7}]},\"black\":null},\"ply\":41,\"text\":\"\\\"status\\\":\\\"over\\\"\\\\\","
    "\"status\":\"playing\",\"legal\":[\"a1b1\",\"pass\",\"Q@d4\"]}";

/* Returns a span as text, borrowed until the next call with this space. */
static const char *text(struct span span, char *space, size_t size)
{
    return span_copy(span, space, size) ? space : NULL;
}

static void test_fields(void)
{
    struct message_fields fields;
    char space[64];

    check_about("the fields of a state");
    if (!CHECK(scan_message(state, &fields)))
        return;
    CHECK(span_is(fields.type, "state"));
    CHECK(!span_is(fields.type, "stat") && !span_is(fields.type, "states"));
    CHECK_TEXT(text(fields.match, space, sizeof space), "12");
    CHECK_TEXT(text(fields.ply, space, sizeof space), "41");
    CHECK_TEXT(text(fields.status, space, sizeof space), "playing");
    CHECK_TEXT(text(fields.match, space, 2), NULL);
    CHECK(fields.cmd.start == NULL && !span_is(fields.cmd, ""));
    check_about("spaces between the words, and no fields");
    CHECK(scan_message(" { \"cmd\" : \"new\" , \"ply\" : 3 } ", &fields));
    CHECK_TEXT(text(fields.cmd, space, sizeof space), "new");
    CHECK_TEXT(text(fields.ply, space, sizeof space), "3");
    CHECK(scan_message("{}", &fields) && fields.type.start == NULL);
    check_about("an escape in a text that is wanted");
    CHECK(scan_message("{\"match\":\"\\u0031\"}", &fields));
    CHECK_TEXT(text(fields.match, space, sizeof space), NULL);
}

static void test_items(void)
{
    struct message_fields fields;
    char space[64];

    check_about("the legal moves");
    CHECK(scan_message(state, &fields));
    CHECK_INT(span_count(fields.legal), 3);
    CHECK_TEXT(text(span_item(fields.legal, 0), space, sizeof space), "a1b1");
    CHECK_TEXT(text(span_item(fields.legal, 1), space, sizeof space), "pass");
    CHECK_TEXT(text(span_item(fields.legal, 2), space, sizeof space), "Q@d4");
    CHECK(span_item(fields.legal, 3).start == NULL);
    CHECK(span_item(fields.legal, -1).start == NULL);
    check_about("no legal moves");
    CHECK(scan_message("{\"legal\":[]}", &fields));
    CHECK_INT(span_count(fields.legal), 0);
    CHECK_INT(span_count(fields.cmd), 0);
}

/* A truncated message is no object, and nothing past its end is read. */
static void test_broken(void)
{
    static const char *const broken[] = {
        "",         "null",  "[]",       "{",          "{\"a\"}",
        "{\"a\":}", "{a:1}", "{\"a\":1", "{\"a\":1}x", "{\"a\":1 \"b\":2}",
        "{\"a\\"};
    struct message_fields fields;

    for (size_t i = 0; i < LENGTH(broken); i++) {
        check_about("%s", broken[i]);
        CHECK(!scan_message(broken[i], &fields));
    }
    for (size_t length = 0; length < sizeof state - 1; length++) {
        char *cut = strndup(state, length); /* a copy, so that a sanitizer knows its end */
        check_about("the first %zu bytes of a state", length);
        CHECK(!scan_message(cut, &fields));
        free(cut);
    }
}

static void test_percentiles(void)
{
    struct samples samples = {0};

    check_about("percentiles");
    samples_sort(&samples);
    CHECK(samples_us(&samples, 0.5) == 0);
    for (int i = 1000; i > 0; i--)
        samples_add(&samples, i * INT64_C(1000));
    samples_sort(&samples);
    CHECK(samples_us(&samples, 0) == 1);
    CHECK(samples_us(&samples, 0.5) == 500);
    CHECK(samples_us(&samples, 0.99) == 990);
    CHECK(samples_us(&samples, 0.999) == 999);
    CHECK(samples_us(&samples, 1) == 1000);
    samples_release(&samples);
}

static void test_ids(void)
{
    struct message_fields fields;
    char space[64];

    check_about("a token");
    CHECK(scan_message("{\"type\":\"ok\",\"cmd\":\"hello\",\"token\":\"5f\"}", &fields));
    CHECK_TEXT(text(fields.token, space, sizeof space), "5f");
    check_about("the id of an answer");
    CHECK(scan_message("{\"type\":\"pong\",\"id\":\"q\"}", &fields));
    CHECK(span_is(fields.id, "q"));
    CHECK(scan_message(state, &fields) && fields.id.start == NULL);
    CHECK(scan_message("{\"x\":{\"id\":\"q\"},\"id\":\"qq\"}", &fields));
    CHECK_TEXT(text(fields.id, space, sizeof space), "qq");
    CHECK(!span_is(fields.id, "q"));
}

static void test_processor_time(void)
{
    int64_t cpu_ns = -1, before_ns = own_cpu_ns();

    check_about("processor time");
    CHECK(process_cpu_ns(1, &cpu_ns) && cpu_ns >= 0);
    CHECK(!process_cpu_ns(0, &cpu_ns));
    CHECK(!process_cpu_ns(PROCESS_MAX + 1L, &cpu_ns));
    CHECK(before_ns > 0);
    check_about("processor time of this process, asked for as another's");
    CHECK(process_cpu_ns(getpid(), &cpu_ns));
    CHECK(before_ns <= cpu_ns && cpu_ns <= own_cpu_ns());
}

static void test_memory(void)
{
    enum { SIZE = 16 << 20 };
    int64_t before = 0, after = 0;

    check_about("resident memory");
    CHECK(process_resident_bytes(getpid(), &before) && before > 0);
    volatile char *bytes = malloc(SIZE); /* volatile, so that the compiler does not remove the
                                          * allocation */
    if (!CHECK(bytes != NULL))
        return;
    for (size_t i = 0; i < SIZE; i += 1024)
        bytes[i] = 1;
    CHECK(process_resident_bytes(getpid(), &after));
    CHECK(after - before > SIZE - SIZE / 8 && after - before < SIZE + SIZE / 2);
    free((char *)bytes);
    CHECK(!process_resident_bytes(0, &after));
}

static void test_descriptors(void)
{
    struct cause cause;

    check_about("descriptors");
    CHECK(descriptors_reserve(1, &cause));
    if (CHECK(!descriptors_reserve(1L << 40, &cause)))
        CHECK(strstr(cause.text, "hard limit") != NULL);
}

/* Reads "load WORD…": words are separated by single spaces, and '_' stands for a space within a
 * word. */
static bool read_options(struct load_settings *settings, char line[])
{
    char *words[24] = {line};
    int count = 1;

    for (char *at = line; *at != '\0'; at++) {
        if (*at == ' ') {
            *at = '\0';
            words[count++] = at + 1;
        } else if (*at == '_') {
            *at = ' ';
        }
    }
    return load_options_read(settings, count, words);
}

static void test_options(void)
{
    struct load_settings settings;
    char play[] = "load --address h:1 --pipeline 3 --question state --seconds 2";
    char echo[] = "load --address h:1 --echo move_a1 --lines 7 --json";
    char windows[] = "load --address h:1 --windows 3";
    char idle_windows[] = "load --address h:1 --pid 5 --idle 9 --windows 2";
    char idle[] = "load --address h:1 --pid 5 --idle 9 --matches 4";

    check_about("play is what is done by itself");
    CHECK(read_options(&settings, play) && settings.mode == LOAD_PLAY && !settings.json);
    CHECK_INT(settings.play.pipeline, 3);
    CHECK(settings.play.ask_state);
    CHECK_INT(settings.play.matches, 100);
    CHECK_INT(settings.play.share, 1);
    CHECK_INT(settings.play.seconds, 2);
    CHECK_INT(settings.play.windows, 1);
    check_about("several windows of each player");
    CHECK(read_options(&settings, windows) && settings.mode == LOAD_PLAY);
    CHECK_INT(settings.play.windows, 3);
    CHECK(!read_options(&settings, idle_windows));
    check_about("lines and their answers");
    CHECK(read_options(&settings, echo) && settings.mode == LOAD_ECHO && settings.json);
    CHECK_TEXT(settings.echo.line, "move a1");
    CHECK_INT(settings.echo.pipeline, 1);
    CHECK_INT(settings.echo.connections, 100);
    CHECK_INT(settings.echo.lines, 7);
    CHECK_INT(settings.echo.seconds, 0);
    check_about("connections that do nothing");
    CHECK(read_options(&settings, idle) && settings.mode == LOAD_IDLE);
    CHECK_INT(settings.idle.connections, 9);
    CHECK_INT(settings.idle.matches, 4);
    CHECK_INT(settings.idle.seconds, 10);
    CHECK(!settings.idle.named);
}

int main(void)
{
    test_fields();
    test_items();
    test_ids();
    test_broken();
    test_percentiles();
    test_processor_time();
    test_memory();
    test_descriptors();
    test_options();
    return check_end("test_load");
}
