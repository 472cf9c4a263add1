/*
 * All seeks (seek.h). The server owns them; a session lists its own, and they end with it.
 * pairing/seeking.h decides when to look for partners.
 */
#ifndef LUDUS_SEEK_POOL_H
#define LUDUS_SEEK_POOL_H

#include "seek.h"

struct seek_group;

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

/* Has a seek offered anew to other servers, which do not have it, or not as it is now: once it
 * waits. */
void seeks_offer_again(struct seeks *seeks, struct seek *seek);

/* The player of these seeks has another name: other servers are to know it. */
void seeks_rename(struct seeks *seeks, struct seek_list *list);

/* Removes and frees a seek, or all of a session. */
void seeks_drop(struct seeks *seeks, struct seek_list *list, struct seek *seek);
void seeks_drop_all(struct seeks *seeks, struct seek_list *list);

/* Returns the next seek for which nobody has looked yet, and takes it for looked at; NULL: none. */
struct seek *seeks_next_fresh(struct seeks *seeks);

/* Returns the waiting seek that fits a waiting one best (seek_row_nearest()), or NULL. */
struct seek *seek_partner(const struct seek *seek);

/* A waiting seek has found a partner. */
void seeks_pair(struct seeks *seeks, struct seek *seek);

/* A seek that was paired plays this match. */
void seeks_play(struct seeks *seeks, struct seek *seek, int64_t match);

/* A seek waits again. `blocked`: not before seeks_unblock(). */
void seeks_wait(struct seeks *seeks, struct seek *seek, bool blocked);

/* Has a waiting seek passed over until seeks_unblock(). */
void seeks_block(struct seeks *seeks, struct seek *seek);

/* Has all blocked seeks looked at again. */
void seeks_unblock(struct seeks *seeks);

/* Has those of a session's seeks that play this match wait again. */
void seeks_match_over(struct seeks *seeks, struct seek_list *list, int64_t match);

#endif
