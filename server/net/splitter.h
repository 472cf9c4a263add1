/*
 * Splits the bytes that a peer sends into lines. It looks at the front of a connection's input and
 * says what is there; the connection handles the bytes and removes them. It owns none, and knows
 * neither sockets nor sessions.
 */
#ifndef LUDUS_SPLITTER_H
#define LUDUS_SPLITTER_H

#include <stdbool.h>
#include <stddef.h>

/* All zero at the beginning of the input. */
struct splitter {
    size_t scanned;  /* bytes at the front without a line end */
    bool discarding; /* the rest of a line that is too long is at the front */
};

enum piece_kind {
    PIECE_NONE,     /* nothing to do before there is more input */
    PIECE_LINE,     /* a line of at most line_max bytes, with LF or CRLF at its end */
    PIECE_TOO_LONG, /* the beginning of a longer line, or all of it; reported once for each */
    PIECE_REST      /* more of that line, to be discarded */
};

struct piece {
    enum piece_kind kind;
    size_t size;   /* bytes at the front of the input, line end included */
    size_t length; /* of a line without its end */
    bool ended;    /* by an LF */
};

/* Looks at the first `count` > 0 bytes of the input: all of them, or at least `line_max`, or, while
 * discarding, any number. Another look before splitter_take() gives the same piece or, after
 * PIECE_NONE, continues with more input. */
struct piece splitter_look(struct splitter *splitter, const char *bytes, size_t count,
                           size_t line_max);

/* Goes on after a piece, other than PIECE_NONE, whose bytes the caller removes from the input. */
void splitter_take(struct splitter *splitter, const struct piece *piece);

#endif
