/*
 * libpq without PostgreSQL: a test says how each statement is answered and when connections break,
 * and passes time. It takes the place of libpq's functions but those that read a conninfo.
 */
#ifndef LUDUS_LIBPQ_FAKE_H
#define LUDUS_LIBPQ_FAKE_H

#include <stdbool.h>
#include <stdint.h>

/* How a statement is answered. The text: */
enum libpq_how {
    LIBPQ_ROWS,      /* cells end in '|', rows in ';', and "~" is null; "": no rows */
    LIBPQ_IN_DOUBT,  /* such rows, and a warning that the wait for a standby was cancelled */
    LIBPQ_LATE,      /* no rows, then an error as its transaction is committed: */
    LIBPQ_ERROR,     /* five bytes of SQLSTATE, then the message */
    LIBPQ_UNKNOWN,   /* such an error, before it runs: the database cannot prepare it */
    LIBPQ_BREAK,     /* the connection breaks instead */
    LIBPQ_SILENCE,   /* nothing comes any more over this connection */
    LIBPQ_UNSENT,    /* it cannot even be sent */
    LIBPQ_UNFLUSHED, /* the connection breaks as it is sent */
    LIBPQ_UNSYNCED   /* its end cannot be sent */
};

/* What happens to connections; a test may change it at any time. */
struct libpq_fake {
    bool refuses;     /* no connection begins */
    bool blocks;      /* none stops to block */
    bool fails;       /* none is made */
    int reads;        /* so often the database wants to be read from before one is made */
    bool no_pipeline; /* none enters pipeline mode */
    int left;         /* so often a socket does not take everything */
    int partial;      /* so often an answer is not there as a whole */
    bool holds;       /* answers are on their way until it ends */
    bool unreadable;  /* sockets cannot be read from */
    bool no_socket;   /* connections have no socket */
    int64_t now_us;   /* the time of tally_now_us() */
    int64_t step_us;  /* by which it goes on whenever it is asked for */
    int connects;     /* attempts so far */
    int syncs;        /* of pipelines so far */
};
extern struct libpq_fake libpq;

/* Forgets all answers. Statements without one have no rows. */
void libpq_reset(void);

/* Statements that contain `part` are answered so from now on, or only the next `times`. Of several
 * answers that fit, the last one counts. All is borrowed. */
void libpq_answer(const char *part, enum libpq_how how, const char *text);
void libpq_answer_next(const char *part, int times, enum libpq_how how, const char *text);

/* As LIBPQ_ROWS with a text that the function makes of the values of the statement. */
typedef const char *libpq_maker(const char *const *values);
void libpq_answer_by(const char *part, libpq_maker *make);

/* Breaks all connections, as is noticed when they are read from. */
void libpq_break_all(void);

/* Sends a notification to connections that listen. */
void libpq_notify(const char *payload);

/* Forgets what was sent. */
void libpq_forget_sent(void);

/* How many statements with this part were sent since then, or since libpq_reset(). */
int libpq_sent(const char *part);

/* How many of those had this value at that place, from 0. */
int libpq_sent_with(const char *part, int number, const char *value);

/* The value of that number, from 0, of the last such statement; NULL: null, or none was sent. */
const char *libpq_value(const char *part, int number);

#endif
