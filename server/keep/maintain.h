/* All that a keeper has, for maintenance: from a store or from PostgreSQL. */
#ifndef LUDUS_MAINTAIN_H
#define LUDUS_MAINTAIN_H

#include "server/model/tournament.h"
#include "stored.h"

/* Called with the columns of a player, and of one of their ratings; those are null for a player
 * without any. False ends the visit. */
typedef bool player_visit(void *context, const struct value player[], const struct value rating[]);

/* Called with a token of a player who has more than the one in their row. False ends the visit. */
typedef bool token_visit(void *context, int64_t player, const struct token *token);

/* Called with the review of a finished match, by its id. False ends the visit. */
typedef bool review_visit(void *context, const char *match, const char *text);

/* Called with a tournament as it stands, whose people have an id, a name and a kind; or with NULL,
 * and which one is broken and why. False ends the visit. */
typedef bool tournament_visit(void *context, const struct tournament *tournament,
                              const struct cause *broken);

/* Called with the columns of a puzzle that is rated, an attempt, a series, or a score in one. False
 * ends the visit. */
typedef bool row_visit(void *context, const struct value row[]);
enum { ROW_COLUMNS_MAX = SCORE_COLUMNS };

struct archive {
    void *source;
    /* Visits all matches by number. False with the cause. */
    bool (*matches)(void *source, match_visit *visit, void *context, struct cause *cause);
    /* Visits all players by id, each as often as they have ratings, or once. False with the cause.
     */
    bool (*players)(void *source, player_visit *visit, void *context, struct cause *cause);
    /* Visits their tokens, by number. False with the cause. */
    bool (*tokens)(void *source, token_visit *visit, void *context, struct cause *cause);
    /* Visits all reviews. False with the cause. */
    bool (*reviews)(void *source, review_visit *visit, void *context, struct cause *cause);
    /* Visit how the puzzles are rated, and who has tried which. False with the cause. */
    bool (*puzzles)(void *source, row_visit *visit, void *context, struct cause *cause);
    bool (*attempts)(void *source, row_visit *visit, void *context, struct cause *cause);
    /* Visits all tournaments by number. A pairing whose match is lost is void. False with the
     * cause. */
    bool (*tournaments)(void *source, tournament_visit *visit, void *context, struct cause *cause);
    /* Visit all series, and what players have scored in them. False with the cause. */
    bool (*series)(void *source, row_visit *visit, void *context, struct cause *cause);
    bool (*scores)(void *source, row_visit *visit, void *context, struct cause *cause);
    /* Counts the matches in the files of months. False with the cause. NULL: there are none. */
    bool (*count_retired)(void *source, int64_t *retired, struct cause *cause);
    /* Makes what is kept beside the moves of a broken match what they lead to; they stay as they
     * are. The match counts as over if they end it. False with the cause, and nothing is changed:
     * it is not only that which is wrong. */
    bool (*repair)(void *source, int64_t number, struct cause *cause);
    /* Visits what is wrong beside matches and players, the files of months included. */
    void (*verify)(void *source, text_visit *visit, void *context);
    /* Visits the pairings that a match contradicts. NULL: only matches say how pairings ended. */
    void (*verify_pairings)(void *source, text_visit *visit, void *context);

    /* Take all of another archive: from begin() on, which wants this one to have no matches and no
     * players but house bots, up to commit(). If either is not called, nothing has changed. False
     * with the cause, such as what cannot be kept here. */
    bool (*begin)(void *source, struct cause *cause);
    bool (*put_player)(void *source, const struct value player[], struct cause *cause);
    bool (*put_token)(void *source, int64_t player, const struct token *token, struct cause *cause);
    bool (*put_rating)(void *source, const struct value rating[], struct cause *cause);
    bool (*put_match)(void *source, const struct table *stored, struct cause *cause);
    bool (*put_review)(void *source, const char *match, const char *text, struct cause *cause);
    bool (*put_puzzle)(void *source, const struct value puzzle[], struct cause *cause);
    bool (*put_attempt)(void *source, const struct value attempt[], struct cause *cause);
    bool (*put_tournament)(void *source, const struct tournament *tournament, struct cause *cause);
    bool (*put_series)(void *source, const struct value series[], struct cause *cause);
    bool (*put_score)(void *source, const struct value score[], struct cause *cause);
    bool (*commit)(void *source, struct cause *cause);
};

/* These report on standard output and standard error, and return the exit status of the program. */

enum maintain_purpose {
    MAINTAIN_CHECK,
    MAINTAIN_REPAIR, /* mends matches, and counts only what is still wrong */
    MAINTAIN_RESTORE /* what is wrong with tournaments is reported, but does not count: a server
                      * starts without them, and nobody can repair them */
};

/* Verifies it and replays every match: the moves must be legal and lead to the stored result.
 * Reports each broken match, player, rating and tournament. */
int maintain_check(const struct archive *archive, enum maintain_purpose purpose);

/* Creates a directory and writes all matches into `matches.pgn` there (common/pgn.h), and named
 * players and house bots with their ratings into `players.jsonl`, a JSON object a line. */
int maintain_export(const struct archive *archive, const char *folder);

/* Copies all players, tokens, ratings, puzzles, tournaments, series, matches and reviews: as a
 * whole or not at all. Only the files of months stay where they are. */
int maintain_import(const struct archive *from, const struct archive *to);

#endif
