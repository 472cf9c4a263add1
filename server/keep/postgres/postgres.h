/*
 * PostgreSQL as a keeper that many servers share: what its files have in common.
 *
 * keeper_postgres.c makes the keeper and passes time. postgres_write.c keeps batches, one at a
 * time, over the first connection. Over the second, postgres_look.c looks things up,
 * postgres_held.c reads the matches that are held, postgres_follow.c follows them by what
 * postgres_told.c reads, postgres_missed.c finds what was not told, postgres_seeks.c follows the
 * seeks, postgres_nodes.c the servers, and postgres_tell.c tells others. postgres_batch.c turns
 * units into values, postgres_row.c rows into matches, whose logs postgres_entries.c replays.
 *
 * The rules by which servers share it; test_engine_rules.py has a test for each:
 *
 * 1. A change is the insert of (match, version + 1) into the log. Take-backs are entries, too.
 * 2. Nobody is told before the batch is kept.
 * 3. One batch is in flight. Lines that need what is in it sleep, all others go on.
 * 4. A stale unit is dropped, what is kept is read, and its line runs again.
 * 5. After any trouble the server's own row tells what has become of the last batch. No call is
 *    ever cancelled by a server, and where somebody else cancels the wait for a standby, what was
 *    committed counts as trouble, too: visible, but not safe.
 * 6. What is visible after a connection came back may not be safe: a commit of this server comes
 *    before anything is told.
 * 7. A clock is charged by the server's own time since it learned of the turn, or, on loading, by
 *    an age by the engine's clock. Time in which the engine was away is charged to nobody.
 * 8. A server that was not heard of for a while is dead, says one that was heard of for twice as
 *    long. It changes nothing any more, and handles no line before it has read its row.
 */
#ifndef LUDUS_POSTGRES_H
#define LUDUS_POSTGRES_H

#include "common/buffer.h"
#include "link/postgres_link.h"
#include "postgres_words.h"
#include "server/base/hash_index.h"
#include "server/base/nodes.h"
#include "server/keep/keeper.h"

enum { MATCH_NUMBERS = 1000, PLAYER_IDS = 1000000 }; /* of a block */

/* A match in the lobby, of whose changes the engine tells this server. */
struct held {
    UT_hash_handle hh;
    int64_t number;
    struct table *table;
    int behind; /* the version that others have brought about; at most the table's: none is newer */
    int awaited;       /* `behind` when reading it was asked for */
    bool reading;      /* it is being read, or will be */
    bool due;          /* it was taken over because something is due there */
    int64_t unused_ms; /* since when nobody here needs it; 0: somebody does */
};

/* What the first connection does. */
enum writing {
    WRITE_AWAY, /* there is no connection, or it has just come */
    WRITE_JOIN, /* this server gets a row of its own */
    WRITE_OWN,  /* its row is read: it says what has become of the last batch */
    WRITE_IDLE,
    WRITE_CALL, /* a batch is being kept; an empty one is a sign of life */
    WRITE_READ  /* what is kept of stale units is read */
};

enum { CALL_VALUES = 18 };

STAILQ_HEAD(tells, tell); /* lines to tell other servers, in order */

/* The values of one call of keep(). */
struct call {
    struct buffer values[CALL_VALUES];
    struct buffer line; /* that others are told */
};

enum { TOTALS_MAX = 16 };

/* How many matches a filter of `list` takes. */
struct total {
    struct row_filter filter;
    int count;
    int64_t counted_ms; /* real time; 0: never */
    bool counting;      /* anew */
};

struct postgres {
    struct keeper keeper; /* first, to be found from it */
    struct engine_address *address;
    int poller;
    struct link *writer, *reader;
    struct nodes nodes; /* `own` and the list of those that are alive */
    int64_t epochs[NODES_MAX];
    char place[NODE_ADDRESS_MAX]; /* where clients find this server */
    int timeout_s;
    struct players *players; /* borrowed, like the lobby */
    struct lobby *lobby;
    int64_t now_ms; /* the server's time */
    int64_t epoch;  /* of this server's row; 0: it has not joined */
    int64_t number; /* of the last batch that is kept */
    char error[200];
    void (*on_settled)(struct postgres *postgres); /* a batch is settled */
    void (*on_barrier)(struct postgres *postgres); /* after postgres_want_barrier() */

    /* The first connection. */
    enum writing writing;
    struct batch *batch;     /* that is being kept, borrowed; NULL: none */
    struct unit *from, *to;  /* the units of the call, up to before `to` */
    bool alone;              /* units are kept one at a time, as one of them fails */
    struct call call;        /* the last one, or the one that runs */
    bool called;             /* it may have run: its outcome is not known yet */
    bool carries;            /* units wait for the outcome of a call */
    bool refused;            /* it has failed, perhaps after it had run */
    unsigned doubts;         /* link_doubts() when the call or the look at the row was sent */
    bool wants_barrier;      /* something waits for a commit that begins from now on */
    bool barrier;            /* the call that runs is one */
    int conflicts;           /* in a row */
    int silences;            /* in a row */
    int64_t asked_ms;        /* when the call was first sent, real time */
    int64_t heard_ms;        /* when the engine last answered a call, real time */
    int64_t silent_since_ms; /* real time; 0: the engine works */
    bool told_silent;
    char taken_by[NODE_ADDRESS_MAX]; /* "": nobody has this server's number */

    /* The second connection. */
    bool following;    /* it has caught up: all that changes is told */
    struct held *held; /* a hash table, by number */
    bool some_behind;
    bool opens_known;      /* others have told of a match that this server is opening */
    struct buffer to_read; /* the numbers of held matches that are to be read, "{1,2"; "": none */
    bool reading;          /* held matches are being read */
    int64_t *let_go;       /* owned: numbers of matches that are held no more, but registered */
    int let_go_count, let_go_room;
    bool numbers_asked, ids_asked;
    struct tells tells; /* that wait */
    bool urgent;        /* they do not wait for more */
    int64_t told_ms;    /* when others were last told, real time */
    bool telling;       /* others are being told */
    bool working;       /* what is to be told or read goes together at the end of this */
    int asked;          /* look-ups that wait */
    struct total totals[TOTALS_MAX];
    unsigned ticks;
};

/* Whether it waits for an answer of the engine: a batch, a look-up, what is told or read. */
bool postgres_is_busy(const struct postgres *postgres);

/* For postgres_write.c */

/* As keeper_kind.keep. */
void postgres_keep(struct keeper *keeper, struct batch *batch);

extern const struct link_calls postgres_writer_calls, postgres_reader_calls;

/* Sends an empty batch, unless the connection is busy. */
void postgres_sign_of_life(struct postgres *postgres);

/* Asks for a commit that begins from now on: then on_barrier() is called. */
void postgres_want_barrier(struct postgres *postgres);

/* Joins, if the connection is there and waits for that. */
void postgres_join(struct postgres *postgres);

/* How long after an answer of the engine this server may still rely on its memory. */
int64_t postgres_current_ms(const struct postgres *postgres);

/* For postgres_ask.c */

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

void postgres_log_broken(int64_t number, const struct cause *cause);

/* Asks for matches; `which` is a condition of the match `m`, and uses the value as $1. */
void postgres_ask_matches(struct postgres *postgres, const char *which, const char *value,
                          answer_taker *taker, void *context);

/* Likewise, and registers this server for the matches before they are read, so that no change falls
 * in between. */
void postgres_look_after(struct postgres *postgres, const char *which, const char *value,
                         answer_taker *taker, void *context);

/* Undoes the registration for matches that were let go, unless one of them may just be asked for
 * again. */
void postgres_unregister(struct postgres *postgres);

/* For postgres_look.c */

/* As keeper_kind.look_up. */
bool postgres_look_up(struct keeper *keeper, struct look_up *look_up);

/* Ends a look-up with this state. */
void postgres_answer(struct postgres *postgres, struct look_up *look_up, enum look_up_state state);

/* Ends a look-up as failed if that is the answer; whether it is. */
bool postgres_has_failed(struct postgres *postgres, struct look_up *look_up,
                         const struct answer *answer);

/* Asks for blocks of numbers that are needed soon. */
void postgres_ask_numbers(struct postgres *postgres);

/* For postgres_lists.c: LOOK_LIST, LOOK_WHO, LOOK_TOP, LOOK_HISTORY. */
void postgres_look_up_list(struct postgres *postgres, struct look_up *look_up);

/* For postgres_totals.c */

/* How to count what a filter of `list` takes: all borrowed. */
struct count_question {
    const struct row_filter *filter;
    const char *sql;
    const char *const *values;
    int value_count;
};

/* Count before the rows of a list are read if the total that is known will not do, or behind them
 * if it will, but is not fresh. */
void postgres_count_before(struct postgres *postgres, const struct count_question *question);
void postgres_count_behind(struct postgres *postgres, const struct count_question *question);

/* The total that is known; 0: none. */
int postgres_total(struct postgres *postgres, const struct row_filter *filter);

/* For postgres_nodes.c */

/* Reads which servers are alive. A player may only be read as connected to a server after that
 * server is known to be alive, or else they would be gone when it is. So the engine tells of one
 * that joins. */
void postgres_read_nodes(struct postgres *postgres);

/* For postgres_held.c */

/* The table of that number; NULL: it is not in the lobby. */
struct held *postgres_find_held(const struct postgres *postgres, int64_t number);

/* Begins and ends to hold tables, as the lobby's observer. */
void postgres_hold(void *context, struct table *table);
void postgres_let_go(void *context, struct table *table);

/* Brings the matches of an answer into the lobby, but those that this server is opening: others may
 * know of them, and play in them, before this server hears that they are kept. They come with their
 * batch. Returns the last one; NULL: there is none. */
struct table *postgres_take_tables(struct postgres *postgres, const struct answer *answer);

/* Likewise, as an answer_taker. */
void postgres_take_matches(void *postgres, const struct answer *answer);

/* Another server has brought about this version of a held match: has it read, if it is newer. */
void postgres_fall_behind(struct postgres *postgres, struct held *held, int version);

/* Reads the held matches that are to be read, unless some are being read. */
void postgres_read_held(struct postgres *postgres);

/* Has the matches read that others have changed while they were locked, and those whose row was
 * older than the news of them. */
void postgres_read_behind(struct postgres *postgres);

/* For postgres_seeks.c */

/* Reads all seeks. */
void postgres_read_seeks(struct postgres *postgres);

/* Takes a line of a notification: "2 17 TEXT", or "2 17". */
void postgres_take_seek(struct postgres *postgres, struct words *words);

/* For postgres_tell.c */

/* Set a line that goes to other servers with a batch, with the final NUL: the last move, how a unit
 * ends its match, that somebody has taken the last seat, and that a match is to be read. It needs
 * no escapes. A server that does not understand how a match starts or ends reads it. */
void news_of_move(struct buffer *line, const struct table *next);
void news_of_end(struct buffer *line, const struct unit *unit);
void news_of_start(struct buffer *line, const struct postgres *postgres, const struct table *next,
                   enum color color);
void news_to_read(struct buffer *line, const struct table *next);

/* What stands where the result of a match does that ends. */
#define NEWS_START "start"

/* As keeper_kind.tell. */
void postgres_tell(struct keeper *keeper, const struct table *table, const char *event);

/* As keeper_kind.offer_seek. */
void postgres_offer_seek(struct keeper *keeper, int64_t number, const char *text);

/* Tells what waits, unless others are being told. */
void postgres_tell_waiting(struct postgres *postgres);

/* Drops what is not told yet. */
void postgres_forget_tells(struct postgres *postgres);

/* For postgres_follow.c */

/* Reads on after a batch is settled: the matches that are behind, and what others have done with
 * the matches that it opened. */
void postgres_follow_batch(struct postgres *postgres);

/* For postgres_missed.c */

/* Registers all held matches, and reads what is newer. */
void postgres_register_held(struct postgres *postgres);

/* Likewise, and reads the matches for which others have registered this server, and where those are
 * who play in the matches that are held. */
void postgres_read_missed(struct postgres *postgres);

/* After the second connection came back, and a commit since: reads what was missed. */
void postgres_catch_up(struct postgres *postgres);

/* For postgres_told.c */

/* How a match goes on, as a line of a notification tells it. */
struct told {
    int64_t number;
    int version, ply;
    char move[MOVE_TEXT_MAX]; /* the last one */
    int64_t took_ms, left_ms[2];
    int offers;
    const char *note; /* borrowed: for entry_note() */
};

/* How a match has started: by whom, whose rating is told if it is one. */
struct told_start {
    struct told told;
    enum color color; /* of the seat that was taken */
    int64_t id;
    int node, login, kind;
    bool bot;
    char name[NAME_TEXT_MAX];
    struct glicko now;
    int matches; /* 0: there is no rating */
};

/* How a match has ended. */
struct told_end {
    struct told told;
    struct outcome outcome;
    double rated[2];
    struct glicko now[2]; /* the ratings of both, by colour, */
    int matches[2];       /* after so many matches; 0: they do not change */
};

/* Read a line from behind its first letter. False if it says something else. */
bool told_read(struct words *words, struct told *told);
bool told_read_start(struct words *words, struct told_start *start);
bool told_read_end(struct words *words, struct told_end *end);

/* For postgres_round.c: what happens once a second. */

/* The list of servers, those that are dead, matches where something is due, and matches that nobody
 * here needs. */
void postgres_make_round(struct postgres *postgres);

/* For postgres_batch.c */

void call_begin(struct call *call, const struct postgres *postgres, int64_t number);
void call_add(struct call *call, const struct postgres *postgres, struct unit *unit, int index);
void call_end(struct call *call);
void call_release(struct call *call);

/* Marks the units from `from` to before `to` that an outcome calls stale; returns how many. */
int call_mark_stale(const char *outcome, struct unit *from, const struct unit *to);

/* For postgres_entries.c */

/* An entry of the log. */
struct entry {
    char kind; /* m: a move, b: a take-back, s: a turn that begins otherwise, o: none of these */
    int ply;   /* after it */
    int64_t took_ms, left_ms[2];
    int offers;
    char move[MOVE_TEXT_MAX];
    const char *note; /* borrowed: for entry_note() */
};

/* The moves that count: those that were not taken back, and the state after the last entry. */
struct entries {
    struct entry *moves; /* owned */
    struct entry last;
    int plies;
};

/* Reads a log, a line for each entry: kind, ply, took, clocks, offers, move, note. It borrows the
 * text. False with the cause; it is to be released in any case. */
bool entries_read(struct entries *entries, const char *text, struct cause *cause);
void entries_release(struct entries *entries);

/* Plays the moves in a match that has none. False with the cause. */
bool entries_play(const struct entries *entries, struct match *match, struct cause *cause);

/* Reads "e-34 pa2a1,b2b1", either of which may be missing, and which a line's end may follow: what
 * the player of the next move thought of it. */
struct ply_note entry_note(const struct match *match, const char *text);

/* What the entry of a draft is: a letter as in struct entry. */
char entry_kind(const struct table_draft *draft);

/* The time that is left; -1: there is no clock. */
int64_t entry_left_ms(const struct match *match, enum color color);

/* Writes the last move of a match that has one. */
void entry_last_move(const struct match *match, char text[MOVE_TEXT_MAX]);

/* For postgres_row.c */

/* Selects the columns of a match `m`. What to put behind: "WHERE m.number = $1". */
extern const char postgres_match_sql[];

/* Brings a match into the lobby that is not there. Returns it; one that is broken with the cause,
 * or NULL if it cannot be shown. */
struct table *row_to_table(struct postgres *postgres, const struct answer *answer, int row,
                           struct cause *cause);

/* Makes a draft of a table as a row has it, or returns NULL with the cause if it is broken. */
struct table *row_to_draft(struct postgres *postgres, const struct answer *answer, int row,
                           struct table *table, struct cause *cause);

/* As a match to be shown; one that is broken with the cause, or NULL if it cannot be. */
struct stored_match *row_to_stored(const struct answer *answer, int row, struct cause *cause);

/* Writes a statement that makes the row of a match what its log leads to. False with the cause: it
 * is not only the row that is wrong. */
bool row_to_repair(const struct answer *answer, int row, struct buffer *sql, struct cause *cause);

/* The number, the version and the id of a row. */
int64_t row_number(const struct answer *answer, int row);
int row_version(const struct answer *answer, int row);
void row_id(const struct answer *answer, int row, char id[TABLE_ID_MAX]);

/* The seeks that the match of a row has ended: "2 17 3 4", node and number of each, or "". */
const char *row_seeks(const struct answer *answer, int row);

/* Takes over a rating, unless this server knows one after more matches. */
void row_take_rating(struct player *player, const struct rating *news);

/* The columns of a player `p`. */
extern const char postgres_player_sql[];

/* Adds a player to the registry, or brings the one who is there up to date. */
struct player *row_to_player(struct postgres *postgres, const struct answer *answer, int row);

#endif
