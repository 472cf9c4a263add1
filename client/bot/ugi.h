/* The command `go` of UGI, for its tests. */
#ifndef LUDUS_BOT_UGI_H
#define LUDUS_BOT_UGI_H

#include "client/bot/base/search_question.h"

struct go {
    struct search_limits limits;
    bool infinite;   /* keep the answer until `stop` */
    int perft_plies; /* >= 0: count move sequences instead */
};

/* Takes what was wrong with a word. */
typedef void go_remark(void *context, const char *text);

/* Reads the words after `go`, in any order, and changes them. The tightest limit counts; without
 * any, the search is infinite. Remarks on words that it does not know and passes over, on numbers
 * out of range, for which it takes the nearest one, and on what is no number, for which it takes
 * the least. A negative time is none left, without a remark. The last overhead_ms of a clock are
 * for the way of the move. */
void go_read(struct go *go, char *text, const struct game *game, const struct position *position,
             int64_t overhead_ms, go_remark *remark, void *context);

#endif
