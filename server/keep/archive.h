/* All that a keeper has, for maintenance: from a store or an engine. */
#ifndef LUDUS_ARCHIVE_H
#define LUDUS_ARCHIVE_H

#include <stdbool.h>

#include "common/cause.h"
#include "server/model/table.h"

/* Called with a match, in a table that is in no lobby and ends with the call, of which it may take
 * `match` and leave an empty one. Its people have only an id, a name and a kind, and are borrowed.
 * `broken` is NULL, or the reason why only its id and number are reliable: then `match` is as far
 * as its moves go, without a game if it cannot be shown. False ends the visit. */
typedef bool match_visit(void *context, struct table *stored, const struct cause *broken);

typedef void text_visit(void *context, const char *text);

struct archive {
    void *source;
    /* Visits all matches by number. False with the cause. */
    bool (*matches)(void *source, match_visit *visit, void *context, struct cause *cause);
    /* Visits named players and house bots with their ratings, as JSON. False with the cause. */
    bool (*players)(void *source, text_visit *visit, void *context, struct cause *cause);
    /* Makes what is kept beside the moves of a broken match what they lead to; they stay as they
     * are. The match counts as over if they end it. False with the cause, and nothing is changed:
     * it is not only that which is wrong. */
    bool (*repair)(void *source, int64_t number, struct cause *cause);
    /* Visits what is wrong beside the matches, those in the files of their months included. */
    void (*verify)(void *source, text_visit *visit, void *context);
};

/* Both report on standard output and standard error, and return the exit status of the program. */

/* Verifies it and replays every match: the moves must be legal and lead to the stored result.
 * Reports each broken match, player and rating. With `repair`, mends matches, and counts only what
 * is still wrong. */
int maintain_check(const struct archive *archive, bool repair);

/* Creates a directory and writes all matches into `matches.pgn` there (common/pgn.h), and named
 * players and house bots with their ratings into `players.jsonl`, a JSON object a line. */
int maintain_export(const struct archive *archive, const char *folder);

#endif
