/*
 * A seek: a standing wish to be paired with anybody who fits; who fits whom, and with which
 * colours. seek_pool.h has all of them.
 */
#ifndef LUDUS_SEEK_H
#define LUDUS_SEEK_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/queue.h>

#include "bots_wanted.h"
#include "clock.h"
#include "origin.h"
#include "player.h"

enum { SEEKS_OF_SESSION_MAX = 10, SEEKS_OF_ORIGIN_MAX = 100 /* of networks more */ };

struct seek_wish {
    const struct game *game;
    char variant[VARIANT_NAME_MAX];
    struct clock clock; /* as clock_fresh() makes it */
    bool casual;        /* the match is not to be rated */
    int color;          /* WHITE, BLACK, or -1 for either */
    bool ranged;        /* the opponent has a rating, from `low` to `high` */
    int low, high;
    enum bots_wanted bots;
    bool repeat; /* seeks again when the match is over */
};

enum seek_stage {
    SEEK_WAITS,
    SEEK_IS_PAIRED, /* its match is in a unit that is not settled */
    SEEK_PLAYS      /* it is to be repeated, after its match */
};

struct seek_row;

/* A seek among those of all servers that share a keeper. */
struct seek_id {
    int node; /* the server where it began; 0: this one */
    int64_t number;
};

/* As people see it: 17, or 17@2 if it began at server 2. */
struct seek_label {
    char text[40];
};

struct seek_label seek_label(struct seek_id id);

/* What decides, beside wishes and ratings, who plays whom, and with which colours. */
struct seek_past {
    int64_t opponent; /* the id of the player's last one; 0: none is known */
    int lead;         /* how many more of the last matches they played as white than as black */
    int last;         /* of these: 1 with white, -1 with black, 0 with neither or both */
};

struct seek {
    int64_t number;          /* counts them; unique */
    struct seek_id there;    /* which it is at the server where it began */
    struct session *session; /* borrowed; NULL: it began elsewhere */
    struct player *player;   /* borrowed: the session's; held if it began elsewhere */
    struct seek_past past;   /* if it began elsewhere */
    struct origin *origin;   /* where it counts; NULL: nowhere */
    struct seek_wish wish;
    enum seek_stage stage;
    int rating;     /* as it was when the seek began to wait; guests stand at the initial one */
    bool is_guests; /* the player was a guest then */
    bool is_fresh;  /* it waits, and nobody has looked for a partner yet */
    bool blocked;   /* a match cannot be opened for it: to be looked at later */
    bool offered;   /* to other servers, which may pair it, too */
    bool changed;   /* since then, or they do not have it: it is to be offered again */
    int64_t match;  /* the number of the match that it plays, or has played last */
    char *text;     /* owned: what its server tells of it; NULL: it began here */
    struct seek_row *row;    /* in which it waits */
    TAILQ_ENTRY(seek) link;  /* in the pool */
    TAILQ_ENTRY(seek) fresh; /* in the pool while is_fresh */
    TAILQ_ENTRY(seek) by_session;
};
TAILQ_HEAD(seek_list, seek);

/* Finds one of a session's seeks by its number, or returns NULL. */
struct seek *seek_find(const struct seek_list *list, int64_t number);

/* Counts the seeks of a session. */
int seek_count(const struct seek_list *list);

/* What is known here of the past of a seek's player. */
struct seek_past seek_past(const struct seek *seek);

/* Returns which colour `seek` is to have against its partner: the one that either wishes, or the
 * one that leaves the colours of their last matches most balanced. */
enum color seek_color(const struct seek *seek, const struct seek *partner);

/* Seeks that wait, and are alike in game, variant, clock and kind of rating, sorted by rating:
 * looking for the nearest does not go through all. All zero: empty. */
struct seek_row {
    struct seek **seeks; /* owned array, borrowed seeks; by rating, then by number */
    int count, capacity;
};

void seek_row_add(struct seek_row *row, struct seek *seek);
void seek_row_remove(struct seek_row *row, const struct seek *seek);

/* Returns the seek of a row that fits one best, which may be in the row, too: the nearest rating,
 * of these the one that waits longest, but a player against whom neither has just played before one
 * against whom they have. Passes over those that are blocked. NULL: there is none. */
struct seek *seek_row_nearest(const struct seek_row *row, const struct seek *seek);

#endif
