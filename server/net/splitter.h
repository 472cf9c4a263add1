/*
 * The splitter: where the bytes that a peer sends are cut into lines. It looks at the front of a
 * connection's input and says what is there; the connection hands it on and takes it out. It owns
 * no bytes and knows neither sockets nor sessions.
 */
#ifndef LUDUS_SPLITTER_H
#define LUDUS_SPLITTER_H

#include <stdbool.h>
#include <stddef.h>

/* All zero at the beginning of the input. */
struct splitter {
    size_t scanned;  /* bytes at the front that are known to hold no line end */
    bool discarding; /* the rest of an overlong line is at the front */
};

enum piece_kind {
    PIECE_NONE,     /* nothing to be done before there is more input */
    PIECE_LINE,     /* a line of at most line_max bytes with its end, LF or CRLF */
    PIECE_TOO_LONG, /* the beginning of a longer one, or all of it: told once for each */
    PIECE_REST      /* more of it: to be dropped */
};

struct piece {
    enum piece_kind kind;
    size_t size;   /* bytes at the front of the input, line end included */
    size_t length; /* of a line without its end */
    bool ended;    /* by an LF */
};

/* Looks at the first `count` > 0 bytes of the input: all there are, or at least `line_max`, or,
 * while discarding, any. Until splitter_take() it finds the same again, or, for PIECE_NONE, what
 * more input makes of it. */
struct piece splitter_look(struct splitter *splitter, const char *bytes, size_t count,
                           size_t line_max);

/* The piece, which is not PIECE_NONE, has been handled; its bytes leave the input. */
void splitter_take(struct splitter *splitter, const struct piece *piece);

#endif
