/* First lines: which ones are the protocol's, and which ones a browser has sent. */
#include <string.h>

#include "check.h"
#include "server/net/visitor.h"

static void test_lines(void)
{
    static const struct {
        const char *line;
        enum sniffed sniffed;
    } rows[] = {
        {"", SNIFFED_BLANK},
        {"ping", SNIFFED_LINE},
        {"#7 hello player1 token=0a1b", SNIFFED_LINE},
        {"say 12 GET / HTTP/1.1 said the page: hello", SNIFFED_LINE},
        {"help Host: x", SNIFFED_LINE},
        {"\xff\xfe", SNIFFED_LINE},
        {" HTTP/1.1", SNIFFED_LINE}, /* a request has a method */
        {"HTTP/1.1", SNIFFED_LINE},
        {"ping HTTP/1", SNIFFED_LINE},
        {"ping HTTP/1x1", SNIFFED_LINE},
        {"ping HTTP/x.1", SNIFFED_LINE},
        {"ping HTTP/1.x", SNIFFED_LINE},
        {"     ", SNIFFED_LINE},
        {": x", SNIFFED_LINE},
        {"GET /", SNIFFED_LINE},
        {"\x16", SNIFFED_LINE},
        {"GET / HTTP/1.1", SNIFFED_REQUEST},
        {"POST / HTTP/1.1", SNIFFED_REQUEST},
        {"POST /new?clobber HTTP/1.0 ", SNIFFED_REQUEST},
        {"hello player1 HTTP/1.1", SNIFFED_REQUEST},
        {"PRI * HTTP/2.0", SNIFFED_REQUEST},
        {"OPTIONS * HTTP/1.1", SNIFFED_REQUEST},
        {"x HTTP/9.9", SNIFFED_REQUEST},
        {"Host: localhost:7117", SNIFFED_HEADER},
        {"x-y:z", SNIFFED_HEADER},
        {"ping:", SNIFFED_HEADER},
        {"PROXY TCP4 192.0.2.1 192.0.2.2 5000 7117", SNIFFED_PROXY},
        {"PROXY / HTTP/1.1", SNIFFED_PROXY}, /* broken, and refused as that */
        {"proxy TCP4", SNIFFED_LINE},
        {"\x16\x03\x01\x02", SNIFFED_TLS},
    };

    for (size_t i = 0; i < LENGTH(rows); i++) {
        check_about("%.40s", rows[i].line);
        CHECK_INT(sniff_first_line(rows[i].line, strlen(rows[i].line), false), rows[i].sniffed);
    }
}

/* Lines that are too long: the end is not there to be looked at. */
static void test_cut(void)
{
    static const struct {
        const char *line;
        enum sniffed sniffed;
    } rows[] = {
        {"POST /aaaaaaa", SNIFFED_REQUEST},
        {"GET http://localhost:7117/aa", SNIFFED_REQUEST},
        {"POST ", SNIFFED_LINE},
        {"ping aaaaaaaa", SNIFFED_LINE},
        {"zzzzzzzzzzzzzzz", SNIFFED_LINE},
        {" /aaaaaa", SNIFFED_LINE},
        {"Cookie: aaaaaaaaaa", SNIFFED_HEADER},
        {"\x16\x03\x03zzzzz", SNIFFED_TLS},
        {"ping HTTP/1.1", SNIFFED_REQUEST},
    };

    for (size_t i = 0; i < LENGTH(rows); i++) {
        check_about("%.40s", rows[i].line);
        CHECK_INT(sniff_first_line(rows[i].line, strlen(rows[i].line), true), rows[i].sniffed);
    }
}

int main(void)
{
    test_lines();
    test_cut();
    return check_end("test_sniff");
}
