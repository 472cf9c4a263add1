/* Network addresses, and the record that the server keeps of each peer's address. */
#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "check.h"
#include "server/net/listener.h"
#include "server/net/peer.h"

static void test_resolve(void)
{
    static const struct {
        const char *text, *error; /* "": valid */
    } rows[] = {
        {"127.0.0.1:7117", ""},
        {"127.0.0.1:0", ""},
        {"[::1]:7117", ""},
        {"::1:7117", ""}, /* the last colon counts */
        {"127.0.0.1", "127.0.0.1: invalid address: write ADDR:PORT, such as 127.0.0.1:7117"},
        {":7117", ":7117: invalid address: write ADDR:PORT, such as 127.0.0.1:7117"},
        {"127.0.0.1:", "127.0.0.1:: invalid address: write ADDR:PORT, such as 127.0.0.1:7117"},
        {"", ": invalid address: write ADDR:PORT, such as 127.0.0.1:7117"},
        {"127.0.0.1:http", "127.0.0.1:http: Name or service not known"},
    };
    char longest[200];
    struct addrinfo *list;
    struct cause cause;

    for (size_t i = 0; i < LENGTH(rows); i++) {
        check_about("the address '%s'", rows[i].text);
        cause.text[0] = '\0';
        if (CHECK_INT(address_resolve(rows[i].text, &list, &cause), rows[i].error[0] == '\0') &&
            rows[i].error[0] == '\0')
            freeaddrinfo(list);
        CHECK_TEXT(cause.text, rows[i].error);
    }
    check_about("an address that is too long");
    memset(longest, 'a', sizeof longest);
    memcpy(longest + sizeof longest - 3, ":1", 3);
    CHECK(!address_resolve(longest, &list, &cause));
}

/* Returns a socket of that family, bound to a free port on loopback. */
static int bound_socket(int family, int type)
{
    struct sockaddr_in in = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    struct sockaddr_in6 in6 = {.sin6_family = AF_INET6, .sin6_addr = IN6ADDR_LOOPBACK_INIT};
    int fd = socket(family, type, 0);

    if (family == AF_INET)
        bind(fd, (struct sockaddr *)&in, sizeof in);
    else if (family == AF_INET6)
        bind(fd, (struct sockaddr *)&in6, sizeof in6);
    return fd;
}

static void test_listening(void)
{
    static const struct {
        const char *what;
        int family, type;
        bool listen, listens;
    } rows[] = {
        {"TCP", AF_INET, SOCK_STREAM, true, true},
        {"TCP that does not listen", AF_INET, SOCK_STREAM, false, false},
        {"UDP", AF_INET, SOCK_DGRAM, false, false},
        {"a local socket", AF_UNIX, SOCK_STREAM, false, false},
        {"TCP over IPv6", AF_INET6, SOCK_STREAM, true, true},
    };
    char text[ADDRESS_TEXT_MAX];

    for (size_t i = 0; i < LENGTH(rows); i++) {
        check_about("%s", rows[i].what);
        int fd = bound_socket(rows[i].family, rows[i].type);
        if (fd < 0 && rows[i].family == AF_INET6)
            continue; /* this machine lacks the family */
        CHECK(fd >= 0 && (!rows[i].listen || listen(fd, 1) == 0));
        CHECK_INT(address_is_listening(fd), rows[i].listens);
        address_bound(fd, text);
        if (rows[i].family != AF_UNIX)
            CHECK_THAT(strncmp(text, rows[i].family == AF_INET ? "127.0.0.1:" : "[::1]:", 6) == 0,
                       "%s", text);
        close(fd);
    }
    check_about("no socket");
    CHECK(!address_is_listening(STDIN_FILENO) && !address_is_listening(-1));
    address_bound(-1, text);
    CHECK_TEXT(text, "?:?");
}

static void read_address(const char *text, struct sockaddr_storage *address)
{
    struct sockaddr_in *in = (void *)address;
    struct sockaddr_in6 *in6 = (void *)address;

    memset(address, 0, sizeof *address);
    if (text == NULL)
        return;
    address->ss_family = strchr(text, ':') != NULL ? AF_INET6 : AF_INET;
    CHECK(inet_pton(address->ss_family, text,
                    address->ss_family == AF_INET6 ? (void *)&in6->sin6_addr
                                                   : (void *)&in->sin_addr) == 1);
}

static struct origin_key key_of(const char *text, const char *own_text)
{
    struct sockaddr_storage address, own;

    read_address(text, &address);
    read_address(own_text, &own);
    return address_key((struct sockaddr *)&address, (struct sockaddr *)&own);
}

static void test_keys(void)
{
    static const struct {
        const char *a, *b, *own; /* NULL: of another family */
        bool same;
    } rows[] = {
        {"10.0.0.1", "10.0.0.1", "10.0.0.9", true},
        {"10.0.0.1", "10.0.0.2", "10.0.0.9", false},
        {"10.0.0.1", "::ffff:10.0.0.1", "10.0.0.9", true},
        {"::ffff:10.0.0.2", "::ffff:10.0.0.1", "::ffff:10.0.0.9", false},
        {"::1", "127.0.0.1", "::1", true},
        {"::1", "127.0.0.2", "::1", false},
        {"2001:db8:1::1", "2001:db8:1::2", "2001:db8:2::9", true},
        {"2001:db8:1::1", "2001:db8:3::1", "2001:db8:2::9", false},
        {"2001:db8:2::1", "2001:db8:2::2", "2001:db8:2::9", false},
        {"2001:db8:2::1", "2001:db8:2::2", NULL, true},
        {"2001:db8:2::1", "2001:db8:2::2", "10.0.0.9", true},
        {"::2", "127.0.0.1", "2001:db8:2::9", false},
        {"::ffff:0:1", "127.0.0.1", NULL, false},
        {"1::ffff:10.0.0.1", "10.0.0.1", NULL, false},
        {"0:1::ffff:10.0.0.1", "10.0.0.1", NULL, false},
        {NULL, NULL, NULL, true},
    };

    for (size_t i = 0; i < LENGTH(rows); i++) {
        check_about("%s and %s", rows[i].a, rows[i].b);
        struct origin_key a = key_of(rows[i].a, rows[i].own), b = key_of(rows[i].b, rows[i].own);
        CHECK_INT(memcmp(&a, &b, sizeof a) == 0, rows[i].same);
    }
}

static struct origin_key key_number(unsigned number)
{
    struct origin_key key = {.bytes = {10, 0, (unsigned char)(number >> 8), (unsigned char)number}};

    return key;
}

/* The server remembers a limited number of departed addresses, the latest ones. */
static void test_forgetting(void)
{
    struct origins origins;
    struct origin *origin;

    check_about("addresses without connections");
    origins_init(&origins);
    for (unsigned i = 0; i <= ORIGINS_IDLE_MAX; i++) {
        struct origin_key key = key_number(i);
        origin = origins_enter(&origins, &key);
        CHECK(origin != NULL && origin->wrong_codes == 0 && !origin->loopback);
        if (origin == NULL)
            break;
        origin->wrong_codes = 1;
        CHECK(origins_enter(&origins, &key) == origin);
        origins_leave(&origins, origin);
        origins_leave(&origins, origin);
    }
    CHECK_INT(origins.idle_count, ORIGINS_IDLE_MAX);
    for (unsigned i = 0; i < 2; i++) {
        struct origin_key key = key_number(1 - i);
        origin = origins_enter(&origins, &key);
        CHECK_INT(origin->wrong_codes, 1 - (int)i); /* the first one is forgotten */
        origins_leave(&origins, origin);
    }
    origins_release(&origins);
    CHECK_INT(origins.idle_count, 0);
}

static void test_wrong_codes(void)
{
    static const int waits_ms[] = {0, 0, 0, 1000, 2000, 4000, 8000, 16000, 32000, 60000, 60000};
    struct origin origin = {.connections = 1};
    const int64_t now_ms = 5000000;

    for (size_t i = 0; i < LENGTH(waits_ms); i++) {
        check_about("after %d wrong codes", (int)i);
        CHECK_INT(origin_code_wait_ms(&origin, now_ms), waits_ms[i]);
        CHECK_INT(origin_code_wait_ms(&origin, now_ms + 500),
                  waits_ms[i] > 0 ? waits_ms[i] - 500 : 0);
        CHECK_INT(origin_code_wait_ms(&origin, now_ms + waits_ms[i]), 0);
        origin_wrong_code(&origin, now_ms);
    }
    check_about("after a long time without one");
    origin_wrong_code(&origin, now_ms + CODE_FORGIVEN_MS);
    CHECK_INT(origin.wrong_codes, 1);
}

int main(void)
{
    test_resolve();
    test_listening();
    test_keys();
    test_forgetting();
    test_wrong_codes();
    return check_end("test_address");
}
