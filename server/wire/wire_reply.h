/* Replies about the server and the connection; those about matches and people are in wire_list.h,
 * wire_record.h and wire_state.h. */
#ifndef LUDUS_WIRE_REPLY_H
#define LUDUS_WIRE_REPLY_H

#include "wire.h"

/* The members of an `ok` beside its command; those that are NULL, 0 or false are left out. */
struct ok {
    const char *name, *token;
    const char *match;
    const char *color;
    int ply;
    bool is_offer, agreed; /* an offer was made, or agreed to */
};
void wire_ok(const struct wire *wire, const char *verb, const struct ok *ok);

/* `verb` may be NULL. The command may be tried again after retry_ms; -1 leaves that out. */
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
