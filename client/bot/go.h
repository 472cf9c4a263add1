/* What UGI's `go` asks for. */
#ifndef LUDUS_BOT_GO_H
#define LUDUS_BOT_GO_H

#include "client/bot/base/search_question.h"

struct go {
    struct limits limits;
    bool infinite;   /* the answer is to wait for `stop` */
    int perft_plies; /* >= 0: count move sequences instead */
};

/* Reads the words after `go` for the position, and changes them. Words in any order,
 * the tightest limit counts. False with the cause for an unknown word, a number out of range, and
 * when nothing is said that limits the search. */
bool go_parse(struct go *go, char *text, const struct game *game, const struct position *position,
              struct cause *cause);

#endif
