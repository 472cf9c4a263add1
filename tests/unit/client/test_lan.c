/* Finding servers on the network: the beacon's datagrams and rate limit, join codes. */
#include <arpa/inet.h>
#include <sodium.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "client/ludus/lan/search.h"
#include "common/beacon.h"
#include "server/boot/service.h"
#include "server/net/lan.h"

static const struct beacon_server kitchen = {.id = "00112233445566778899aabbccddeeff",
                                             .name = "kitchen",
                                             .version = "0.1.0",
                                             .games = "clobber,xadrersi,latrunculi,shakti",
                                             .port = 7117,
                                             .tls_port = 7118,
                                             .code = true};

static void test_question(void)
{
    char question[BEACON_QUESTION_BYTES], nonce[BEACON_NONCE_MAX];

    beacon_write_question("0123456789abcdef", question);
    CHECK(memcmp(question, "ludus-find 1 nonce=0123456789abcdef   ", 38) == 0);
    CHECK(question[BEACON_QUESTION_BYTES - 1] == '\n');
    CHECK(beacon_read_question(question, sizeof question, nonce));
    CHECK_TEXT(nonce, "0123456789abcdef");
    for (size_t length = 0; length < sizeof question; length++) {
        bool whole = length >= 20; /* a shortened nonce is another nonce */
        CHECK_INT(beacon_read_question(question, length, nonce), whole);
    }
}

static void test_bad_questions(void)
{
    static const char *const rows[] = {"",
                                       "\n",
                                       "ludus-find 1",
                                       "ludus-find 1 ",
                                       "ludus-find 1 nonce=",
                                       "ludus-find 1 nonce= x",
                                       "ludus-find 2 nonce=ab",
                                       "ludus-find 10 nonce=ab",
                                       "LUDUS-FIND 1 nonce=ab",
                                       " ludus-find 1 nonce=ab",
                                       "ludus-find 1 nonce=a-b",
                                       "ludus-find 1 nonce=a\nnonce=b",
                                       "ludus-find 1 nonce=a\r\n",
                                       "ludus-find 1 nonce=\xc3\xa9",
                                       "ludus-find 1 nonces=ab",
                                       "ludus-find 1 nonce=012345678901234567890123456789012",
                                       "ludus-here 1 nonce=ab"};
    char nonce[BEACON_NONCE_MAX], long_one[BEACON_DATAGRAM_MAX + 1];

    for (size_t i = 0; i < LENGTH(rows); i++) {
        check_about("question '%s'", rows[i]);
        CHECK(!beacon_read_question(rows[i], strlen(rows[i]), nonce));
    }
    check_about("a question");
    memset(long_one, ' ', sizeof long_one);
    long_one[snprintf(long_one, sizeof long_one, "ludus-find 1 nonce=ab")] = ' ';
    CHECK(beacon_read_question(long_one, sizeof long_one - 1, nonce));
    CHECK(!beacon_read_question(long_one, sizeof long_one, nonce));
    CHECK(!beacon_read_question("ludus-find 1 nonce=a\0b", 22, nonce));
    CHECK(beacon_read_question("ludus-find 1 later=x nonce=ab new", 33, nonce));
    CHECK_TEXT(nonce, "ab");
}

static void test_answer(void)
{
    char answer[BEACON_DATAGRAM_MAX];
    struct beacon_server read;

    check_about("the answer");
    size_t length = beacon_write_answer(&kitchen, "ab12", BEACON_QUESTION_BYTES, answer);
    CHECK(length > 0 && length <= BEACON_QUESTION_BYTES);
    CHECK(beacon_read_answer(answer, length, "ab12", &read));
    CHECK_TEXT(read.id, kitchen.id);
    CHECK_TEXT(read.name, "kitchen");
    CHECK_TEXT(read.version, "0.1.0");
    CHECK_TEXT(read.games, kitchen.games);
    CHECK_INT(read.port, 7117);
    CHECK_INT(read.tls_port, 7118);
    CHECK(read.code);
    CHECK(!beacon_read_answer(answer, length, "ab13", &read));
    for (size_t cut = 0; cut < length - strlen(kitchen.games); cut++)
        CHECK(!beacon_read_answer(answer, cut, "ab12", &read));
}

/* The longest possible answer is no longer than a question; a shorter question gets none. */
static void test_size(void)
{
    struct beacon_server longest = kitchen;
    char answer[BEACON_DATAGRAM_MAX], nonce[BEACON_NONCE_MAX];

    check_about("the longest answer");
    memset(nonce, 'n', sizeof nonce - 1);
    nonce[sizeof nonce - 1] = '\0';
    memset(longest.name, 'x', sizeof longest.name - 1);
    memset(longest.version, '9', sizeof longest.version - 1);
    memset(longest.games, 'g', sizeof longest.games - 1);
    longest.port = longest.tls_port = 65535;
    size_t length = beacon_write_answer(&longest, nonce, BEACON_QUESTION_BYTES, answer);
    CHECK(length > 0 && length <= BEACON_QUESTION_BYTES);
    for (size_t asked = 0; asked < length; asked++)
        CHECK_INT(beacon_write_answer(&longest, nonce, asked, answer), 0);
    CHECK_INT(beacon_write_answer(&longest, nonce, length, answer), length);
}

static void test_bad_answers(void)
{
    static const char *const rows[] = {
        "ludus-here 1 nonce=ab id=1 port=0 tls=0 code=no version=1 name=x games=clobber",
        "ludus-here 1 nonce=ab id=1 port=65536 tls=0 code=no version=1 name=x games=clobber",
        "ludus-here 1 nonce=ab id=1 port=-1 tls=1 code=no version=1 name=x games=clobber",
        "ludus-here 1 nonce=ab id=1 tls=0 code=no version=1 name=x games=clobber",
        "ludus-here 1 nonce=ab id=1;2 port=1 tls=0 code=no version=1 name=x games=clobber",
        "ludus-here 1 nonce=ab port=1 tls=0 code=no version=1 name=x games=clobber",
        "ludus-here 1 nonce=ab id=1 port=1 tls=0 code=no version=1 name=\x1b[2J games=clobber",
        "ludus-here 1 nonce=ab id=1 port=1 tls=0 code=perhaps version=1 name=x games=clobber",
        "ludus-here 1 nonce=ab id=1 port=1 tls=0 code=no version=1 name= games=clobber",
        "ludus-here 1 nonce=ab id=1 port=1 tls=0 code=no version=1 name=x\ngames=clobber",
        "ludus-find 1 nonce=ab id=1 port=1 tls=0 code=no version=1 name=x games=clobber"};
    static const char good[] =
        "ludus-here 1 nonce=ab later=1 id=1 port=1 tls=0 code=no version=1 name=x games=c more";
    struct beacon_server read;

    for (size_t i = 0; i < LENGTH(rows); i++) {
        check_about("answer %zu", i);
        CHECK(!beacon_read_answer(rows[i], strlen(rows[i]), "ab", &read));
    }
    check_about("an answer with words of later versions");
    CHECK(beacon_read_answer(good, sizeof good - 1, "ab", &read));
    CHECK(!read.code);
}

/* Random bytes: the parser reads nothing beyond them (the sanitizers see to that), and what it
 * accepts is complete. */
static void test_noise(void)
{
    char answer[BEACON_DATAGRAM_MAX], nonce[BEACON_NONCE_MAX];
    struct beacon_server read;
    uint32_t random = 12345;

    check_about("noise");
    for (int round = 0; round < 20000; round++) {
        size_t length = beacon_write_answer(&kitchen, "ab12", BEACON_QUESTION_BYTES, answer);
        for (int changes = 0; changes < 1 + round % 4; changes++) {
            random = random * 1664525u + 1013904223u;
            answer[(random >> 8) % length] = (char)(random >> 24);
        }
        length -= (random >> 4) % 8 == 0 ? (random >> 12) % length : 0;
        char *copy = malloc(length + 1);
        if (copy == NULL)
            abort();
        memcpy(copy, answer, length);
        char *exact = realloc(copy, length > 0 ? length : 1);
        if (exact == NULL)
            exact = copy;
        if (beacon_read_answer(exact, length, "ab12", &read))
            CHECK(strlen(read.name) < sizeof read.name && read.port <= 65535 &&
                  strpbrk(read.games, "\n\x1b ") == NULL);
        beacon_read_question(exact, length, nonce);
        free(exact);
    }
}

static void test_pasted(void)
{
    static const struct {
        const char *line, *address, *code;
    } rows[] = {
        {"ludus join 192.168.1.5 --code kdhmrtwx", "192.168.1.5", "kdhmrtwx"},
        {"  Ludus: type  build/ludus join  --code=kdhmrtwx  tls://a.example:7 ",
         "tls://a.example:7", "kdhmrtwx"},
        {"192.168.1.5:7 --code kdhmrtwx", "192.168.1.5:7", "kdhmrtwx"},
        {"http://192.168.1.5:7117/#code=kd%20x%C3%a9", "192.168.1.5:7117", "kd x\xc3\xa9"},
        {"https://a.example:7118/#code=kd", "tls://a.example:7118", "kd"},
        {"or in a browser: http://192.168.1.5:7117/#code=kd", "or", "or"},
        {"http://192.168.1.5:7117/", "192.168.1.5:7117", "192.168.1.5:7117"},
        {"ludus join 192.168.1.5", "192.168.1.5", "192.168.1.5"},
        {"ludus join 192.168.1.5 --code", "192.168.1.5", "192.168.1.5"},
        {"KDHMRTWX", "KDHMRTWX", "KDHMRTWX"},
        {" kdhmrtwx\t", "kdhmrtwx", "kdhmrtwx"},
        {"50%", "50%", "50%"},
        {"http://x/#code=50%4", "x", "50%4"},
        {"", "", ""},
        {" \t ", "", ""},
    };
    struct pasted pasted;

    for (size_t i = 0; i < LENGTH(rows); i++) {
        check_about("the line '%s'", rows[i].line);
        pasted_read(rows[i].line, &pasted);
        CHECK_TEXT(pasted.address, rows[i].address);
        CHECK_TEXT(pasted.code, rows[i].code);
    }
}

/* Words longer than any address or code are cut. */
static void test_pasted_long(void)
{
    static const char *const starts[] = {"",        "ludus join ",     "ludus join x --code ",
                                         "http://", "http://x/#code=", "x --code="};
    char line[2000];
    struct pasted pasted;

    for (size_t i = 0; i < LENGTH(starts); i++) {
        check_about("a long line '%s'", starts[i]);
        size_t length = (size_t)snprintf(line, sizeof line, "%s", starts[i]);
        memset(line + length, 'a', sizeof line - length - 1);
        line[sizeof line - 1] = '\0';
        pasted_read(line, &pasted);
        CHECK(strlen(pasted.address) < sizeof pasted.address);
        CHECK(strlen(pasted.code) < sizeof pasted.code);
    }
}

static int count_answers(struct beacon_limit *limit, uint32_t first, uint32_t addresses, int asked,
                         int64_t now_ms)
{
    int answered = 0;

    for (int i = 0; i < asked; i++)
        answered += beacon_may_answer(limit, first + (uint32_t)i % addresses, now_ms);
    return answered;
}

static void test_limit(void)
{
    struct beacon_limit limit = {.all = {0}};

    check_about("the limit");
    CHECK_INT(count_answers(&limit, 0x0a000001, 1, 1000, 1000), BEACON_ADDRESS_BURST);
    CHECK_INT(count_answers(&limit, 0x0a000002, 1, 1000, 1000), BEACON_ADDRESS_BURST);
    CHECK_INT(count_answers(&limit, 0x0a000001, 1, 1000, 2000), BEACON_ADDRESS_RATE);
    CHECK_INT(count_answers(&limit, 0x0a000001, 1, 1000, 60000), BEACON_ADDRESS_BURST);
    /* Spoofed addresses share one limit. */
    CHECK_INT(count_answers(&limit, 0xc0a80000, 65536, 65536, 120000), BEACON_ALL_BURST);
    int more = 0;
    for (int64_t now_ms = 120001; now_ms <= 130000; now_ms++)
        more += count_answers(&limit, 0xc0a80000, 65536, 200, now_ms);
    CHECK_INT(more, 10 * BEACON_ALL_RATE);
}

static void test_join_code(void)
{
    static const char letters[] = "abcdefghjkmnpqrstuvwxyz23456789";
    char code[JOIN_CODE_LETTERS + 1], seen[sizeof letters] = "";

    check_about("join codes");
    for (int i = 0; i < 200; i++) {
        join_code_make(code);
        CHECK_INT(strlen(code), JOIN_CODE_LETTERS);
        CHECK_INT(strspn(code, letters), JOIN_CODE_LETTERS);
        for (const char *c = code; *c != '\0'; c++)
            seen[strchr(letters, *c) - letters] = 1;
    }
    for (size_t i = 0; i < sizeof letters - 1; i++)
        CHECK_THAT(seen[i] != 0, "%c does not occur", letters[i]);
}

/* Returns an address in network byte order. */
static uint32_t ipv4(const char *text)
{
    struct in_addr address = {0};

    CHECK(inet_pton(AF_INET, text, &address) == 1);
    return address.s_addr;
}

static void listen_at(struct listen_addresses *places, const char *bound, bool tls)
{
    snprintf(places->list[places->count].bound, ADDRESS_TEXT_MAX, "%s", bound);
    places->list[places->count++].tls = tls;
}

/* Each address of the machine comes with the ports that can be reached under it. */
static void test_advert(void)
{
    static const struct server server = {.code = "sesame"};
    struct listen_addresses places = {.count = 0};
    struct advert advert, other;
    struct beacon_server about;
    char names[sizeof about.games];
    int used = 0;

    check_about("an advert");
    listen_at(&places, "127.0.0.1:1111", false);
    listen_at(&places, "[::1]:1111", false);
    advert_make(&advert, &places, &server);
    CHECK_INT(advert.place_count, 0);
    CHECK(!advert_at(&advert, ipv4("127.0.0.1"), &about));
    CHECK(!advert_at(&advert, ipv4("192.168.1.5"), &about));
    listen_at(&places, "192.168.1.5:2222", false);
    listen_at(&places, "0.0.0.0:3333", true);
    listen_at(&places, "[::]:3333", true);
    advert_make(&advert, &places, &server);
    CHECK_INT(advert.place_count, 2);
    CHECK(advert_at(&advert, ipv4("192.168.1.5"), &about));
    CHECK(about.port == 2222 && about.tls_port == 3333);
    CHECK(advert_at(&advert, ipv4("10.0.0.1"), &about));
    CHECK(about.port == 0 && about.tls_port == 3333);
    CHECK(about.code && strlen(about.name) > 0 && strpbrk(about.name, " .") == NULL);
    for (int i = 0; games[i] != NULL; i++)
        used += snprintf(names + used, sizeof names - (size_t)used, "%s%s", i > 0 ? "," : "",
                         games[i]->name);
    CHECK_TEXT(about.games, names);
    advert_make(&other, &places, &server);
    CHECK(strcmp(other.about.id, advert.about.id) != 0);
}

static void test_attached(void)
{
    const struct attached_list attached = {.list = {{1, ipv4("127.0.0.1"), ipv4("255.0.0.0")},
                                                    {2, ipv4("192.168.1.5"), ipv4("255.255.255.0")},
                                                    {2, ipv4("10.1.2.3"), ipv4("255.255.255.252")},
                                                    {3, ipv4("10.8.0.1"), ipv4("255.255.255.255")}},
                                           .count = 4};
    const struct {
        int interface;
        const char *peer;
        const char *own; /* NULL: on no network of the interface */
    } rows[] = {{1, "127.9.9.9", "127.0.0.1"}, {2, "192.168.1.77", "192.168.1.5"},
                {2, "192.168.2.77", NULL},     {2, "10.1.2.2", "10.1.2.3"},
                {2, "10.1.2.4", NULL},         {3, "192.168.1.77", NULL},
                {3, "10.8.0.1", "10.8.0.1"},   {3, "10.8.0.2", NULL},
                {0, "127.0.0.1", NULL},        {9, "192.168.1.77", NULL}};

    for (size_t i = 0; i < LENGTH(rows); i++) {
        check_about("%s by interface %d", rows[i].peer, rows[i].interface);
        const struct attached *own =
            attached_find(&attached, rows[i].interface, ipv4(rows[i].peer));
        CHECK((own != NULL) == (rows[i].own != NULL));
        if (own != NULL && rows[i].own != NULL)
            CHECK(own->address == ipv4(rows[i].own));
    }
}

static void test_attached_here(void)
{
    struct attached_list attached = {.count = 0};
    bool loopback = false;

    check_about("the networks of this machine");
    attached_read(&attached);
    for (int i = 0; i < attached.count; i++)
        loopback = loopback || attached.list[i].address == ipv4("127.0.0.1");
    CHECK_INT(attached.count == 0 || loopback, true);
}

static struct beacon_server server_named(const char *id, const char *name, int port)
{
    struct beacon_server about = {.port = port, .code = true};

    snprintf(about.id, sizeof about.id, "%s", id);
    snprintf(about.name, sizeof about.name, "%s", name);
    snprintf(about.games, sizeof about.games, "clobber");
    return about;
}

/* A server is listed once, under its most useful address. */
static void test_found(void)
{
    const struct beacon_server one = server_named("1", "one", 7117),
                               two = server_named("2", "two", 7200);
    struct found_list found = {.count = 0};
    char address[LINK_ADDRESS_MAX], line[FOUND_LINE_MAX];

    check_about("found");
    found_add(&found, &one, "127.0.0.1");
    found_add(&found, &one, "192.0.2.1");
    found_add(&found, &one, "192.0.2.2");
    found_add(&found, &one, "127.0.0.1");
    CHECK_INT(found.count, 1);
    CHECK_TEXT(found.list[0].host, "192.0.2.1");
    found_add(&found, &two, "192.0.2.1");
    CHECK_INT(found.count, 2);
    found_address(&found.list[0], address);
    CHECK_TEXT(address, "192.0.2.1");
    found_address(&found.list[1], address);
    CHECK_TEXT(address, "192.0.2.1:7200");
    found_describe(&found.list[1], line);
    CHECK_TEXT(line, "192.0.2.1:7200  two  with a join code  clobber");
    for (int i = 0; i < 2 * FOUND_MAX; i++) {
        snprintf(line, sizeof line, "x%d", i);
        const struct beacon_server about = server_named(line, line, 1);
        found_add(&found, &about, "192.0.2.9");
    }
    CHECK_INT(found.count, FOUND_MAX);
}

static void test_found_hostile(void)
{
    struct beacon_server about = server_named("1", "a\x1b[2Jb\xff", 7117);
    struct found_list found = {.count = 0};
    char address[LINK_ADDRESS_MAX];

    check_about("found, what others say");
    about.tls_port = 7118;
    snprintf(about.games, sizeof about.games, "x\ny");
    found_add(&found, &about, "192.0.2.1");
    CHECK_TEXT(found.list[0].about.name, "a?[2Jb?");
    CHECK_TEXT(found.list[0].about.games, "x?y");
    found_address(&found.list[0], address);
    CHECK_TEXT(address, "tls://192.0.2.1");
    found.list[0].about.tls_port = 443;
    found_address(&found.list[0], address);
    CHECK_TEXT(address, "tls://192.0.2.1:443");
}

static void test_rank(void)
{
    check_about("interfaces");
    CHECK_INT(invitation_rank("eth0") + invitation_rank("wlan0") + invitation_rank("enp3s0"), 0);
    CHECK_INT(invitation_rank("docker0"), 1);
    CHECK_INT(invitation_rank("br-5f0c9a1e77d2"), 1);
    CHECK_INT(invitation_rank("wg0"), 1);
    CHECK_INT(invitation_rank("br0"), 0);
}

int main(void)
{
    if (!CHECK(sodium_init() >= 0))
        return check_end("test_lan");
    test_question();
    test_bad_questions();
    test_answer();
    test_size();
    test_bad_answers();
    test_noise();
    test_pasted();
    test_pasted_long();
    test_limit();
    test_join_code();
    test_advert();
    test_attached();
    test_attached_here();
    test_found();
    test_found_hostile();
    test_rank();
    return check_end("test_lan");
}
