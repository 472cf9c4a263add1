/*
 * A seek: a standing wish to be paired with anybody who fits; who fits whom, and with which
 * colours. And all seeks: the server owns them; a session lists its own, and they end with it.
 * play/seeks.h decides when to look for partners.
 */
#ifndef LUDUS_SEEK_H
#define LUDUS_SEEK_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/queue.h>

#include "clock.h"
#include "origin.h"
#include "player.h"

enum {
    SEEKS_OF_PLAYER_MAX = 10,
    SEEKS_OF_ORIGIN_MAX = 100, /* of networks more */
    SEEK_RATING_MAX = 9999
};

struct seek_wish {
    const struct game *game;
    char variant[VARIANT_NAME_MAX];
    struct clock clock; /* as clock_fresh() makes it */
    bool casual;        /* the match is not to be rated */
    int color;          /* WHITE, BLACK, or -1 for either */
    bool ranged;        /* the opponent has a rating, from `low` to `high` */
    int low, high;
    enum bots_wanted bots;
    bool repeat;     /* seeks again when the match is over */
    int matches_max; /* it waits while the player is in this many; 0: it never does */
};

enum seek_stage {
    SEEK_WAITS,
    SEEK_IS_PAIRED, /* its match is in a unit that is not settled */
    SEEK_PLAYS      /* it is to be repeated, after its match */
};

struct seek_group;
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

/* The numbers of seeks. */
struct seek_numbers {
    int64_t *numbers; /* owned array */
    int count, capacity;
};

struct seeks {
    struct seek_group *groups;           /* a hash table (hash_index.h) */
    TAILQ_HEAD(all_seeks, seek) all;     /* oldest first */
    TAILQ_HEAD(fresh_seeks, seek) fresh; /* in the order in which they began to wait */
    int64_t last;                        /* the number of the latest one */
    int waiting, blocked;
    struct seek_numbers withdrawn; /* offered ones that do not wait any more */
};

/* A seek of another server, as that one tells it. */
struct foreign_seek {
    struct seek_id there;
    struct player *player; /* borrowed */
    struct seek_wish wish;
    struct seek_past past;
    int rating;
    bool is_guests;
    const char *text; /* borrowed: all that the server tells of it */
};

void seeks_init(struct seeks *seeks);
/* Frees the groups. All seeks must have been dropped. */
void seeks_release(struct seeks *seeks);

/* Adds a seek, which waits, to those of its session. */
struct seek *seeks_add(struct seeks *seeks, struct seek_list *list, struct session *session,
                       struct player *player, struct origin *origin, const struct seek_wish *wish);

/* Adds a seek of another server, which waits. It holds the player. */
void seeks_add_foreign(struct seeks *seeks, const struct foreign_seek *foreign);

/* Finds one of another server, or returns NULL. Removes and frees one. */
struct seek *seeks_find_foreign(const struct seeks *seeks, struct seek_id id);
void seeks_drop_foreign(struct seeks *seeks, struct seek *seek);

/* Finds one that began here, or returns NULL. */
struct seek *seeks_find_own(const struct seeks *seeks, int64_t number);

/* Offers a seek anew, once it waits, to other servers, which do not have it, or not as it is now.
 */
void seeks_offer_again(struct seeks *seeks, struct seek *seek);

/* The player of these seeks has another name: other servers are to know it. */
void seeks_rename(struct seeks *seeks, struct seek_list *list);

/* Removes and frees a seek, or all of a session. */
void seeks_drop(struct seeks *seeks, struct seek_list *list, struct seek *seek);
void seeks_drop_all(struct seeks *seeks, struct seek_list *list);

/* Returns the next seek for which nobody has looked yet, and takes it for looked at; NULL: none. */
struct seek *seeks_next_fresh(struct seeks *seeks);

/* Returns the waiting seek that fits a waiting one best: the nearest rating, of these the one that
 * waits longest, but a player against whom neither has just played before one against whom they
 * have. Passes over those that are blocked. NULL: there is none. */
struct seek *seek_partner(const struct seek *seek);

/* A waiting seek has found a partner. */
void seeks_pair(struct seeks *seeks, struct seek *seek);

/* A seek that was paired plays this match. */
void seeks_play(struct seeks *seeks, struct seek *seek, int64_t match);

/* A seek waits again. `blocked`: not before seeks_unblock(). */
void seeks_wait(struct seeks *seeks, struct seek *seek, bool blocked);

/* Passes over a waiting seek until seeks_unblock(). */
void seeks_block(struct seeks *seeks, struct seek *seek);

/* Marks all blocked seeks to be looked at again. */
void seeks_unblock(struct seeks *seeks);

/* Lets the seeks of a session that play this match wait again. */
void seeks_match_over(struct seeks *seeks, struct seek_list *list, int64_t match);

#endif
