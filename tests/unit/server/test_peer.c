/* Peers that proxies name: networks, the PROXY protocol, and the hops of a request. */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

#include "check.h"
#include "server/net/http.h"
#include "server/net/peer.h"

static void show(const struct peer_address *peer, char text[64])
{
    static const unsigned char mapped[] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};
    bool ipv4 = memcmp(peer->bytes, mapped, sizeof mapped) == 0;

    snprintf(text, 64, "-");
    if (peer->known)
        inet_ntop(ipv4 ? AF_INET : AF_INET6, peer->bytes + (ipv4 ? 12 : 0), text, 64);
}

static void test_networks(void)
{
    static const struct {
        const char *list, *address;
        int has; /* -1: no list of networks */
    } rows[] = {
        {"127.0.0.1", "127.0.0.1", 1},
        {"127.0.0.1", "127.0.0.2", 0},
        {"10.0.0.0/8", "10.255.3.4", 1},
        {"10.0.0.0/8", "11.0.0.0", 0},
        {"10.32.0.0/11", "10.63.255.255", 1},
        {"10.32.0.0/11", "10.64.0.0", 0},
        {"0.0.0.0/0", "203.0.113.9", 1},
        {"0.0.0.0/0", "2001:db8::1", 0},
        {"2001:db8::/33", "2001:db8:7fff::1", 1},
        {"2001:db8::/33", "2001:db8:8000::1", 0},
        {"::/0", "203.0.113.9", 1},
        {"192.0.2.1,::1", "::1", 1},
        {"", "127.0.0.1", 0},
        {"localhost", NULL, -1},
        {"127.0.0.1/33", NULL, -1},
        {"::1/129", NULL, -1},
        {"127.0.0.1/", NULL, -1},
        {"127.0.0.1 ", NULL, -1},
        {"[::1]", NULL, -1},
        {"127.0.0.1,,::1", NULL, -1},
    };

    for (size_t i = 0; i < LENGTH(rows); i++) {
        struct networks networks = {.count = 0};
        struct sockaddr_in in = {.sin_family = AF_INET};
        struct sockaddr_in6 in6 = {.sin6_family = AF_INET6};
        struct cause cause;

        check_about("%s in '%s'", rows[i].address != NULL ? rows[i].address : "nothing",
                    rows[i].list);
        if (!CHECK_INT(networks_add(&networks, rows[i].list, &cause), rows[i].has >= 0) ||
            rows[i].has < 0)
            continue;
        bool ipv4 = inet_pton(AF_INET, rows[i].address, &in.sin_addr) == 1;
        inet_pton(AF_INET6, rows[i].address, &in6.sin6_addr);
        CHECK_INT(networks_have(&networks, ipv4 ? (struct sockaddr *)&in : (struct sockaddr *)&in6),
                  rows[i].has);
    }
    check_about("none");
    CHECK(!networks_have(NULL, &(const struct sockaddr){.sa_family = AF_INET}));
}

#define SIGNATURE "\r\n\r\n\0\r\nQUIT\n"
#define V2(text)  SIGNATURE text, sizeof SIGNATURE text - 1

static void test_header(void)
{
    static const struct {
        const char *bytes;
        size_t length;
        enum proxy_header header;
        const char *peer;
        size_t left; /* bytes behind it */
    } rows[] = {
#define V1(text) text, sizeof text - 1
        {V1("PROXY TCP4 203.0.113.7 127.0.0.1 4711 7117\r\nhello"), PROXY_PEER, "203.0.113.7", 5},
        {V1("PROXY TCP6 2001:db8::7 ::1 4711 7117\r\n"), PROXY_PEER, "2001:db8::7", 0},
        {V1("PROXY UNKNOWN\r\n"), PROXY_ITSELF, NULL, 0},
        {V1("PROXY UNKNOWN ffff::1 ffff::2 1 2\r\nx"), PROXY_ITSELF, NULL, 1},
        {V1("PROXY UNKNOWNS\r\n"), PROXY_BROKEN, NULL, 0},
        {V1("PROXY TCP6 203.0.113.7 127.0.0.1 4711 7117\r\n"), PROXY_BROKEN, NULL, 0},
        {V1("PROXY TCP4 2001:db8::7 ::1 4711 7117\r\n"), PROXY_BROKEN, NULL, 0},
        {V1("PROXY TCP4 203.0.113.7 127.0.0.1 4711\r\n"), PROXY_BROKEN, NULL, 0},
        {V1("PROXY TCP4 203.0.113.7 127.0.0.1 4711 7117 x\r\n"), PROXY_BROKEN, NULL, 0},
        {V1("PROXY TCP4 203.0.113.7 127.0.0.1 4711 7117\n"), PROXY_BROKEN, NULL, 0},
        {V1("PROXY TCP4 203.0.113.7 127.0.0.1 4711 7117"), PROXY_PARTIAL, NULL, 0},
        {V1("PROXY TCP4 "
            "                                                                                      "
            "          "),
         PROXY_BROKEN, NULL, 0},
        {V1("PRO"), PROXY_PARTIAL, NULL, 0},
        {V1("PROXYING\n"), PROXY_ABSENT, NULL, 0},
        {V1("hello anna\n"), PROXY_ABSENT, NULL, 0},
        {V1("\n"), PROXY_ABSENT, NULL, 0},
        {V1("\r\n"), PROXY_PARTIAL, NULL, 0},
        {V1("\r\nhello"), PROXY_ABSENT, NULL, 0},
        {V2("\x21\x11\0\x0c\xcb\0\x71\x07\x7f\0\0\1\x12\x67\x1b\xcd!"), PROXY_PEER, "203.0.113.7",
         1},
        {V2("\x21\x21\0\x27\x20\x01\x0d\xb8\0\0\0\0\0\0\0\0\0\0\0\7\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\1"
            "\x12\x67\x1b\xcd\4\0\0"),
         PROXY_PEER, "2001:db8::7", 0},
        {V2("\x20\0\0\0x"), PROXY_ITSELF, NULL, 1},
        {V2("\x21\0\0\0"), PROXY_ITSELF, NULL, 0},
        {V2("\x21\x11\0\x0c\xcb\0\x71\x07"), PROXY_PARTIAL, NULL, 0},
        {V2("\x21"), PROXY_PARTIAL, NULL, 0},
        {V2("\x31\x11\0\x0c"), PROXY_BROKEN, NULL, 0},
        {V2("\x22\x11\0\x0c"), PROXY_BROKEN, NULL, 0},
        {V2("\x21\x11\0\x04\xcb\0\x71\x07"), PROXY_BROKEN, NULL, 0},
        {V2("\x21\x31\0\0"), PROXY_BROKEN, NULL, 0},
        {V2("\x21\x11\xff\xff"), PROXY_BROKEN, NULL, 0},
    };

    for (size_t i = 0; i < LENGTH(rows); i++) {
        struct peer_address peer = {.known = false};
        size_t size = 0;
        char text[64];

        check_about("header %zu", i);
        enum proxy_header header = proxy_read(rows[i].bytes, rows[i].length, &size, &peer);
        if (!CHECK_INT(header, rows[i].header) || header < PROXY_ITSELF)
            continue;
        CHECK_INT((int)(rows[i].length - size), (int)rows[i].left);
        show(&peer, text);
        if (header == PROXY_PEER)
            CHECK_TEXT(text, rows[i].peer);
    }
}

static void test_claims(void)
{
    static const struct {
        const char *headers;
        enum http_claim claim;
        const char *peer;
    } rows[] = {
        {"", HTTP_CLAIM_NONE, NULL},
        {"X-Forwarded-For: 203.0.113.7\n", HTTP_CLAIM_PEER, "203.0.113.7"},
        {"x-forwarded-for: 198.51.100.1, 203.0.113.7 \n", HTTP_CLAIM_PEER, "203.0.113.7"},
        {"X-Forwarded-For: 198.51.100.1, 203.0.113.7, 10.1.1.1\n", HTTP_CLAIM_PEER, "203.0.113.7"},
        {"X-Forwarded-For: 198.51.100.1\nX-Forwarded-For: 203.0.113.7\n", HTTP_CLAIM_PEER,
         "203.0.113.7"},
        {"X-Forwarded-For: 203.0.113.7:4711\n", HTTP_CLAIM_PEER, "203.0.113.7"},
        {"X-Forwarded-For: [2001:db8::7]:4711\n", HTTP_CLAIM_PEER, "2001:db8::7"},
        {"X-Forwarded-For: 2001:db8::7\n", HTTP_CLAIM_PEER, "2001:db8::7"},
        {"X-Forwarded-For: 10.2.2.2, 10.1.1.1\n", HTTP_CLAIM_PEER, "10.2.2.2"},
        {"X-Forwarded-For: 198.51.100.1, unknown\n", HTTP_CLAIM_NONE, NULL},
        {"X-Forwarded-For: 198.51.100.1, unknown, 10.1.1.1\n", HTTP_CLAIM_PEER, "10.1.1.1"},
        {"X-Forwarded-For: unknown, 203.0.113.7\n", HTTP_CLAIM_PEER, "203.0.113.7"},
        {"X-Forwarded-For:\n", HTTP_CLAIM_NONE, NULL},
        {"Forwarded: for=203.0.113.7;proto=https\n", HTTP_CLAIM_PEER, "203.0.113.7"},
        {"Forwarded: by=10.1.1.1; FOR=\"[2001:db8::7]:4711\"\n", HTTP_CLAIM_PEER, "2001:db8::7"},
        {"Forwarded: for=198.51.100.1, for=203.0.113.7, for=10.1.1.1\n", HTTP_CLAIM_PEER,
         "203.0.113.7"},
        {"Forwarded: for=_hidden, for=10.1.1.1\n", HTTP_CLAIM_PEER, "10.1.1.1"},
        {"Forwarded: for=198.51.100.1, proto=https\n", HTTP_CLAIM_NONE, NULL},
        {"Forwarded: for=\"198.51.100.1, for=203.0.113.7\n", HTTP_CLAIM_PEER, "203.0.113.7"},
        {"Forwarded: for=203.0.113.7\nX-Forwarded-For: 203.0.113.7\n", HTTP_CLAIM_PEER,
         "203.0.113.7"},
        {"Forwarded: for=198.51.100.1\nX-Forwarded-For: 203.0.113.7\n", HTTP_CLAIM_UNCLEAR, NULL},
        {"Forwarded: for=unknown\nX-Forwarded-For: 203.0.113.7\n", HTTP_CLAIM_UNCLEAR, NULL},
    };
    struct networks trusted = {.count = 0};
    struct cause cause;

    networks_add(&trusted, "10.0.0.0/8", &cause);
    for (size_t i = 0; i < LENGTH(rows); i++) {
        struct peer_address peer;
        char head[256], text[64];
        int length = snprintf(head, sizeof head, "GET / HTTP/1.1\n%s\n", rows[i].headers);

        check_about("%s", rows[i].headers);
        CHECK_INT(http_read_claim(head, (size_t)length, &trusted, &peer), rows[i].claim);
        show(&peer, text);
        if (rows[i].claim == HTTP_CLAIM_PEER)
            CHECK_TEXT(text, rows[i].peer);
        CHECK_INT(http_read_claim(head, (size_t)length, NULL, &peer),
                  rows[i].headers[0] == '\0' ? HTTP_CLAIM_NONE : HTTP_CLAIM_REFUSED);
    }
}

static void test_key(void)
{
    struct peer_address one = {.known = true}, other = {.known = true};

    check_about("hosts of an IPv6 network are one, of an IPv4 network each is one");
    inet_pton(AF_INET6, "2001:db8::1", one.bytes);
    inet_pton(AF_INET6, "2001:db8::2", other.bytes);
    struct origin_key first = peer_key(&one), second = peer_key(&other);
    CHECK(memcmp(&first, &second, sizeof first) == 0);
    inet_pton(AF_INET6, "::ffff:203.0.113.7", one.bytes);
    inet_pton(AF_INET6, "::ffff:203.0.113.8", other.bytes);
    first = peer_key(&one), second = peer_key(&other);
    CHECK(memcmp(&first, &second, sizeof first) != 0);
    struct sockaddr_in in = {.sin_family = AF_INET};
    inet_pton(AF_INET, "203.0.113.7", &in.sin_addr);
    second = address_key((const struct sockaddr *)&in, (const struct sockaddr *)&in);
    CHECK(memcmp(&first, &second, sizeof first) == 0);
}

int main(void)
{
    test_networks();
    test_header();
    test_claims();
    test_key();
    return check_end("test_peer");
}
