/*
 * Visitors: connections without a session. The first line of one tells whether it is a client,
 * which then gets a session, or a browser, which gets files of the page, views of matches and, on
 * request, a WebSocket. On the port for metrics all are collectors, which get one answer each.
 */
#ifndef LUDUS_VISITOR_H
#define LUDUS_VISITOR_H

#include "http.h"
#include "match_page.h"
#include "peer.h"
#include "stream.h"

/* The server waits so long for the first line of a client before it greets, or for half of the time
 * that a client has for that line: a browser, which often connects before it has anything to ask,
 * would take a greeting for an invalid answer. */
enum { GREETING_WAIT_MS = 3000 };

enum visitor_kind {
    VISITOR_NEW,      /* it may be anybody */
    VISITOR_BROWSER,  /* it has sent an HTTP request */
    VISITOR_COLLECTOR /* it has come for the metrics */
};

struct visitor {
    struct stream *stream; /* borrowed */
    struct origin *origin; /* of the client, perhaps behind a proxy; held. NULL: of a collector */
    struct origin_key key; /* of its own address */
    const struct networks *trusted; /* borrowed; NULL: its peer is no trusted proxy */
    bool introduced;                /* no header of the PROXY protocol can come any more */
    enum visitor_kind kind;
    bool answered; /* the latest request was answered */
    int requests;
    struct match_asker asker; /* of the request that is being answered */
    bool waits;               /* for what that looks up */
    int64_t opened_ms;
    int64_t due_ms; /* by when it has to do the next thing; a collector, everything */
};

enum visit {
    VISIT_GOES_ON,     /* or ends: the state of the stream says so */
    VISIT_IS_CLIENT,   /* its input is lines */
    VISIT_IS_WEBSOCKET /* the handshake is answered */
};

/* Begins to wait for the first line. Who has said by ALPN that it speaks HTTP is a browser. */
void visitor_begin(struct visitor *visitor);

/* Reads the header of the PROXY protocol at the front of what has arrived; *size is its length.
 * PROXY_BROKEN: it is refused, and the connection ends. */
enum proxy_header visitor_introduce(struct visitor *visitor, const char *bytes, size_t count,
                                    size_t *size);

/* Drops what is looked up for it. */
void visitor_end(struct visitor *visitor);

/* Handles the input that has arrived. Without names HTTP is not spoken. */
enum visit visitor_handle(struct visitor *visitor, const struct web_names *names);

/* Returns when a visitor that has sent no line yet is to be greeted. */
int64_t visitor_greeting_ms(const struct visitor *visitor);

/* Returns whether a visitor that has waited for its greeting is taken for a client. */
bool visitor_is_silent_client(struct visitor *visitor);

/* Ends the visit if it is overdue. Called every second. */
void visitor_tick(const struct visitor *visitor);

/*
 * Any web page can make a browser connect to this port and send a request whose body the page has
 * written, so nothing of that may be taken for commands.
 */
enum sniffed {
    SNIFFED_BLANK,   /* an empty line, which tells nothing */
    SNIFFED_LINE,    /* a line of the protocol, valid or not */
    SNIFFED_REQUEST, /* the first line of an HTTP request, of any method and version */
    SNIFFED_HEADER,  /* a header of such a request, such as Host: */
    SNIFFED_PROXY,   /* a header of the PROXY protocol */
    SNIFFED_TLS      /* a TLS handshake on a port without TLS */
};

/* Judges the first line of a connection, without its end. `cut`: it is only the beginning of a line
 * that is too long. */
enum sniffed sniff_first_line(const char *line, size_t length, bool cut);

#endif
