/* Replies about the server and the connection; those about matches and people are in wire_list.h,
 * wire_record.h and wire_state.h. */
#ifndef LUDUS_WIRE_REPLY_H
#define LUDUS_WIRE_REPLY_H

#include "wire.h"

/* What an `ok` tells beside its command; what is NULL, 0 or false is left out. */
struct ok {
    const char *name, *token;
    const char *match;
    const char *color;
    int ply;
    bool is_offer, agreed; /* an offer was made, or agreed to */
};
void wire_ok(const struct wire *wire, const char *verb, const struct ok *ok);

/* `verb` may be NULL. retry_ms: when to try again, or -1. */
void wire_error(const struct wire *wire, const char *verb, const char *code, const char *message,
                int64_t retry_ms);

/* The text may be "". */
void wire_pong(const struct wire *wire, const char *text);

void wire_games(const struct wire *wire);

struct stat_row {
    const char *name;
    int64_t value;
};
void wire_stats(const struct wire *wire, const struct stat_row *rows, size_t count);

struct help_row {
    const char *verb, *usage, *summary;
};
void wire_help(const struct wire *wire, const struct help_row *rows, size_t count);

#endif
