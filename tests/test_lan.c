/* Finding servers on the network: the datagrams of the beacon, how often it answers, join codes. */
#include <sodium.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "common/beacon.h"
#include "server/beacon_limit.h"
#include "server/join_code.h"

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
        bool whole = length >= 20; /* the nonce itself may be cut: that is another one */
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
    memcpy(long_one, "ludus-find 1 nonce=ab", 21);
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

/* The longest answer that there can be fits a question; a shorter question gets none. */
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

/* Any bytes: nothing is read beyond them (which the sanitizers see), and what is taken is whole. */
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
    /* Borrowed addresses get no more than there is for all. */
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
    test_limit();
    test_join_code();
    return check_end("test_lan");
}
