/* The command `go` of UGI. */
#ifndef LUDUS_BOT_GO_H
#define LUDUS_BOT_GO_H

#include "client/bot/base/search_question.h"

struct go {
    struct limits limits;
    bool infinite;   /* keep the answer until `stop` */
    int perft_plies; /* >= 0: count move sequences instead */
};

/* Reads the words after `go`, in any order, and changes them. The tightest limit counts. Returns
 * false with the cause for an unknown word, a number out of range, or a search without limits that
 * is not `infinite`. */
bool go_parse(struct go *go, char *text, const struct game *game, const struct position *position,
              struct cause *cause);

#endif
