/*
 * Tells lines of the protocol from what a browser sends. Any web page can make a browser connect to
 * this port and send a request whose body the page has written, so nothing of that may be taken for
 * commands. Pure text processing.
 */
#ifndef LUDUS_SNIFF_H
#define LUDUS_SNIFF_H

#include <stdbool.h>
#include <stddef.h>

enum sniffed {
    SNIFFED_BLANK,   /* an empty line, which tells nothing */
    SNIFFED_LINE,    /* a line of the protocol, valid or not */
    SNIFFED_REQUEST, /* the first line of an HTTP request, of any method and version */
    SNIFFED_HEADER,  /* a header of such a request, such as Host: */
    SNIFFED_TLS      /* a TLS handshake on a port without TLS */
};

/* Judges the first line of a connection, without its end. `cut`: it is only the beginning of a line
 * that is too long. */
enum sniffed sniff_first_line(const char *line, size_t length, bool cut);

#endif
