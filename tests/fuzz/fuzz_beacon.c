/*
 * Datagrams of the beacon: common/beacon.c. The first byte decides how the rest is read, as a
 * question or as an answer to the question with the nonce `abc123`.
 *
 * An accepted question gets a shorter answer or none; the answer matches its nonce and no other. An
 * accepted answer names a server that one can connect to, in text that is safe to show; written
 * again, it is unchanged.
 */
#include <ctype.h>
#include <string.h>

#include "common/beacon.h"
#include "fuzz.h"

static const char our_nonce[] = "abc123";

/* One word of printable ASCII. */
static void check_word(const char *what, const char *text, size_t size)
{
    size_t length = strnlen(text, size);

    REQUIRE(length > 0 && length < size, "%s has %zu bytes", what, length);
    for (size_t i = 0; i < length; i++)
        REQUIRE(text[i] > ' ' && text[i] <= '~', "%s is '%s'", what, text);
}

static void check_server(const struct beacon_server *server)
{
    check_word("id", server->id, sizeof server->id);
    check_word("name", server->name, sizeof server->name);
    check_word("version", server->version, sizeof server->version);
    check_word("games", server->games, sizeof server->games);
    REQUIRE(server->port >= 0 && server->port < 65536 && server->tls_port >= 0 &&
                server->tls_port < 65536 && server->port + server->tls_port > 0,
            "ports %d and %d", server->port, server->tls_port);
}

static void require_same(const struct beacon_server *a, const struct beacon_server *b)
{
    REQUIRE(strcmp(a->id, b->id) == 0 && strcmp(a->name, b->name) == 0 &&
                strcmp(a->version, b->version) == 0 && strcmp(a->games, b->games) == 0 &&
                a->port == b->port && a->tls_port == b->tls_port && a->code == b->code,
            "%s is read as %s", a->name, b->name);
}

/* Writing, reading and writing again changes nothing. */
static void check_answered(const struct beacon_server *server, const char *nonce,
                           size_t asked_bytes)
{
    char answer[BEACON_DATAGRAM_MAX];
    struct beacon_server read;
    size_t length = beacon_write_answer(server, nonce, asked_bytes, answer);

    REQUIRE(length <= asked_bytes, "%zu bytes are answered with %zu", asked_bytes, length);
    if (length == 0)
        return;
    REQUIRE(beacon_read_answer(answer, length, nonce, &read), "it cannot be read: %.*s",
            (int)length, answer);
    require_same(server, &read);
    REQUIRE(!beacon_read_answer(answer, length, "another", &read), "it answers another question");
}

static void check_question(const char *datagram, size_t length)
{
    static const struct beacon_server server = {.id = "0123456789abcdef",
                                                .name = "kitchen",
                                                .version = "0.1.0",
                                                .games = "clobber,shakti",
                                                .port = 7117,
                                                .code = true};
    char nonce[BEACON_NONCE_MAX];

    if (!beacon_read_question(datagram, length, nonce))
        return;
    REQUIRE(length <= BEACON_DATAGRAM_MAX, "a question of %zu bytes", length);
    check_word("nonce", nonce, sizeof nonce);
    for (const char *c = nonce; *c != '\0'; c++)
        REQUIRE(isalnum((unsigned char)*c), "the nonce is %s", nonce);
    check_answered(&server, nonce, length);
}

static void check_answer(const char *datagram, size_t length)
{
    struct beacon_server server;

    if (!beacon_read_answer(datagram, length, our_nonce, &server))
        return;
    REQUIRE(length <= BEACON_DATAGRAM_MAX, "an answer of %zu bytes", length);
    check_server(&server);
    check_answered(&server, our_nonce, BEACON_DATAGRAM_MAX);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0)
        return 0;
    if (data[0] == '?')
        check_question((const char *)data + 1, size - 1);
    else
        check_answer((const char *)data + 1, size - 1);
    return 0;
}
