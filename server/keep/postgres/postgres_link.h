/*
 * A connection to PostgreSQL that never blocks. It comes back by itself: a host where it broke is
 * tried first, one that fell silent last.
 *
 * Queries are sent as they come, but see link_lead(), and answered in order, once they are
 * committed. A query that was sent when the connection broke is sent again if it says so; otherwise
 * it is answered with ANSWER_LOST, and whether it took effect is not known.
 */
#ifndef LUDUS_POSTGRES_LINK_H
#define LUDUS_POSTGRES_LINK_H

#include <stdbool.h>
#include <stdint.h>

#include "common/buffer.h"
#include "postgres_connect.h"

typedef void answer_taker(void *context, const struct answer *answer);

struct link_calls {
    /* The connection is there, and `greeting` has run: what was asked before follows. */
    void (*up)(void *context);
    /* It has broken, or could not be made. */
    void (*down)(void *context, const char *why);
    /* A notification from a channel; the payload may be changed. */
    void (*notified)(void *context, char *payload);
};

struct postgres_link;

/* Makes a connection that is not there yet; link_tick() connects it. `poller` is an epoll
 * descriptor, from which its events come; `greeting` is run first after connecting, NULL: nothing.
 * All is borrowed but the greeting. */
struct postgres_link *link_new(const struct database_address *address, int poller,
                               const char *greeting, const struct link_calls *calls, void *context);

/* Closes and frees it. What was asked is not answered any more. NULL is allowed. */
void link_free(struct postgres_link *link);

bool link_is_up(const struct postgres_link *link);

/* Counts the commits whose wait for a standby was cancelled. A statement is safe if this is the
 * same when it is answered as it was when it was asked, and so is then all that was committed
 * before. */
unsigned link_doubts(const struct postgres_link *link);

/* Returns true when all that was asked is answered. */
bool link_is_idle(const struct postgres_link *link);

enum { LINK_VALUES_MAX = 18 };

/* Sends a statement with values for $1, $2 ..., copied; NULL is null. `taker` gets the answer
 * later, never from within this call. With `again` it is sent again after a break. */
void link_ask(struct postgres_link *link, const char *sql, const char *const *values, int count,
              bool again, answer_taker *taker, void *context);

/* Runs and commits a statement before the one that is asked next, which only reads. Both wait
 * for others that go in the same packet until link_send() or link_work() is called, or something
 * else is asked. They are sent again together. If the first fails, that is the answer, and the
 * connection breaks. */
void link_lead(struct postgres_link *link, const char *sql, const char *const *values, int count);

/* Sends what waits. */
void link_send(struct postgres_link *link);

/* Does what can be done now. */
void link_work(struct postgres_link *link, int64_t now_ms);

/* Connects if that is due, and gives up a connection that has not answered for so long. */
void link_tick(struct postgres_link *link, int64_t now_ms, int64_t silence_max_ms);

/* Schedules one call of link_work() in wait_ms, if the connection is up; 0: never. */
void link_wake(struct postgres_link *link, int64_t wait_ms);

/* Breaks the connection. It is made again from link_work() or link_tick(). */
void link_break(struct postgres_link *link, const char *why);

/* Waits until links of the poller can work, for so long at most, and has them do so. For use
 * without an event loop. */
void links_wait(int poller, int64_t now_ms, int wait_ms);

/* Opens or closes the gate: while it is closed, what is asked waits. */
void link_set_gate(struct postgres_link *link, bool open);

/* Makes an epoll descriptor for links; -1 with errno. */
int links_open(void);

/* Monotonic time in ms. */
int64_t postgres_real_ms(void);

/* A number as a text, for a value. */
struct number_text {
    char text[24];
};

struct number_text number_text(int64_t number);

/* Adds a number to the text of an array, "{1,2"; array_end() completes it, with the final NUL. */
void array_add(struct buffer *array, int64_t number);
const char *array_end(struct buffer *array);

/* An answer_taker for what needs no answer. */
void postgres_ignore(void *context, const struct answer *answer);

#endif
