/*
 * PostgreSQL as a keeper that many servers share: what its files have in common.
 *
 * keeper_postgres.c makes the keeper and its schema, and passes time. Over the first connection,
 * postgres_write.c keeps batches, one at a time. Over the second, postgres_read.c looks things up,
 * postgres_follow.c follows what others do with the matches that are held, and tells them what they
 * cannot read, and postgres_members.c sees to the servers, and to what nobody has told. Lists and
 * histories, which may take long, come over the third, so that nobody who comes waits behind them.
 * postgres_tournaments.c writes and follows the logs of tournaments.
 * postgres_row.c turns rows into matches and players.
 *
 * The rules by which servers share it; test_engine_rules.py and test_engine_failures.py have a test
 * for each:
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
 *    an age by the database's clock. Time in which the database was away is charged to nobody.
 * 8. A server that was not heard of for a while is dead, says one that was heard of for twice as
 *    long. It changes nothing any more, and handles no line before it has read its row.
 * 9. A player is at each server that has a row of `here` for them, which says with which tokens
 *    they have come. A server writes its own rows only, and these go with it; only=yes deletes
 *    those of others, and these close the connections. Whoever hears that it has changed reads it.
 * 10. A token, and the code of a device, are added and end in one place: whoever is second finds it
 *    done. Connections of a token that has ended end at all servers.
 */
#ifndef LUDUS_POSTGRES_H
#define LUDUS_POSTGRES_H

#include "common/buffer.h"
#include "postgres_link.h"
#include "server/base/hash_index.h"
#include "server/base/nodes.h"
#include "server/keep/keeper.h"
#include "server/keep/stored.h"

enum { MATCH_NUMBERS = 1000, PLAYER_IDS = 1000000 }; /* of a block */

enum held_state {
    HELD_CURRENT, /* as far as this server was told */
    HELD_LATER,   /* others have changed it: it is read once it is free, or a second later */
    HELD_READING  /* it is being read, or goes with the next that are */
};

/* A match in the lobby, of whose changes the database tells this server. */
struct held {
    UT_hash_handle hh;
    int64_t number;
    struct table *table;
    enum held_state state;
    int behind; /* the version that others have brought about; at most the table's: none is newer */
    int awaited;           /* `behind` when reading it was asked for */
    bool due;              /* it was taken over because something is due there */
    int64_t unused_ms;     /* since when nobody here needs it; 0: somebody does */
    LIST_ENTRY(held) next; /* HELD_LATER: in `later` */
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

/* The batch that the server awaits. */
enum batch_state {
    BATCH_NONE,
    BATCH_WAITS, /* for the first connection */
    BATCH_WHOLE, /* its units are kept by one call */
    BATCH_SPLIT  /* each unit is kept by a call of its own, as one of them fails */
};

/* What is known of the last call of keep(). */
enum call_state {
    CALL_DONE,   /* its outcome */
    CALL_SENT,   /* nothing: it may have run */
    CALL_REFUSED /* it has failed, perhaps after it had run */
};

/* A commit that begins after the second connection has come back: what is read then is safe. */
enum barrier {
    BARRIER_NONE,
    BARRIER_WANTED,
    BARRIER_SENT /* the next call that has run is one */
};

/* How the second connection can be used. */
enum reading {
    READ_AWAY,   /* there is none */
    READ_WAITS,  /* for a barrier: what is visible may not be safe */
    READ_DOUBTS, /* for a commit that nobody cancels; all that changes is told */
    READ_FOLLOWS /* it has caught up: all that changes is told */
};

enum health {
    HEALTH_GOOD,
    HEALTH_SILENT, /* its connection has gone, and has not come back */
    HEALTH_AWAY    /* the server knows it */
};

/* A match of which the database has another version than this server has told of. */
struct difference {
    int64_t number;
    int version;
};

enum { HIDDEN_MAX = 64 };

/* What is asked over the second connection one at a time: a set of these. */
enum { ASKED_NUMBERS = 1, ASKED_IDS = 2, ASKED_HELD = 4, ASKED_TELLS = 8, ASKED_TOURNAMENTS = 16 };

enum { CALL_VALUES = 18 };

/* The values of one call of keep(). */
struct call {
    struct buffer values[CALL_VALUES];
    struct buffer line; /* that others are told */
};

STAILQ_HEAD(tells, tell); /* lines to tell other servers, in order */

/* A player whose places have changed. */
struct placed {
    int64_t id;
    struct places *before; /* owned */
    bool renamed;
};

/* A player who is kept as being here, and is not: perhaps they are about to come. */
struct stray {
    int64_t id;
    int login;
    unsigned ticks; /* when that was first seen */
};

struct postgres {
    struct keeper keeper; /* first, to be found from it */
    struct database_address *address;
    int poller;
    struct postgres_link *writer, *reader, *lists; /* the three connections */
    struct nodes nodes;                            /* `own` and the list of those that are alive */
    int64_t epochs[NODES_MAX];
    char place[NODE_ADDRESS_MAX]; /* where clients find this server */
    int timeout_s;
    struct players *players; /* borrowed, like the lobby */
    struct lobby *lobby;
    int64_t now_ms; /* the server's time */
    int64_t ran_ms; /* the real time of that, while it loads */
    int64_t epoch;  /* of this server's row; 0: it has not joined */
    int64_t number; /* of the last batch that is kept */
    char error[200];
    enum health health;
    void (*on_barrier)(struct postgres *postgres);

    /* The first connection. */
    enum writing writing;
    enum batch_state batch_state;
    struct batch *batch;    /* borrowed; BATCH_NONE: not set */
    struct unit *from, *to; /* the units of the call, up to before `to` */
    enum call_state call_state;
    struct call call; /* the last one, or the one that runs */
    enum barrier barrier;
    unsigned doubts;  /* link_doubts() when the call or the look at the row was sent */
    int conflicts;    /* in a row */
    int silences;     /* in a row */
    int64_t asked_ms; /* since when an answer is awaited, or there is none to ask; real time; 0:
                         none is */
    int64_t broken_tournament; /* the last one without a plan that can be read: logged once */
    int64_t heard_ms;          /* when the database last answered a call, real time; 0: never */
    bool wakes;                /* the first connection wakes the server for a sign of life */
    char taken_by[NODE_ADDRESS_MAX]; /* "": nobody has this server's number */

    /* The second connection. */
    enum reading reading;
    unsigned asked;          /* what was asked and is not answered */
    int look_ups;            /* that wait */
    struct held *held;       /* a hash table, by number */
    LIST_HEAD(, held) later; /* those that are HELD_LATER */
    struct buffer to_read;   /* the numbers of those that are to be read, "{1,2"; "": none */
    struct buffer to_place;  /* the ids of players who have come or gone elsewhere, "{1,2"; or "" */
    struct placed *placed;   /* owned; players who have moved, which the server is to be told */
    int placed_count, placed_room;
    struct stray *strays; /* owned */
    int stray_count, stray_room;
    bool opens_known; /* others have told of a match that this server is opening */
    bool compares; /* with all that is kept, at the end of the loop's turn: others have played there
                    */
    struct difference *differences; /* owned: they wait for a barrier */
    int difference_count, difference_room;
    int64_t hidden[HIDDEN_MAX]; /* numbers of the last matches that cannot be shown */
    unsigned hidden_count;      /* how many there were, also those forgotten */
    int64_t *let_go; /* owned: numbers of matches that are held no more, but registered */
    int let_go_count, let_go_room;
    bool tournaments_unread;  /* some of them are unread, or there are new ones */
    struct tells tells;       /* that wait */
    int64_t tell_ms, told_ms; /* when they are to go, and when others were last told, real time */
    unsigned ticks;
    unsigned unsafe; /* see struct keeper_report, like these: */
    int standbys;
    int64_t standby_lag_ms;
    bool says_silent; /* the log says that the database does not answer */
    bool closing;     /* the server has gone: news is for nobody */
};

/* Returns true while an answer is awaited: to a batch, a look-up, or what is told or read. */
bool postgres_is_busy(const struct postgres *postgres);

/* keeper_postgres.c */

enum { POSTGRES_SCHEMA_FIRST = 12 }; /* the version that the first step makes */

/* The steps of schema.sql, behind a comment; NULL ends them. And functions.sql: each function can
 * be made again. */
extern const char *const postgres_steps[];
extern const char postgres_functions[];

/* Makes the schema, or brings it to the newest version, by one server at a time. This blocks. False
 * with the cause: no connection, an error; a newer schema or one from before the first version,
 * which stay as they are. */
bool postgres_migrate(const struct database_address *address, struct cause *cause);

/* postgres_write.c */

void call_release(struct call *call);

/* As keeper_kind.keep. */
void postgres_keep(struct keeper *keeper, struct batch *batch);

extern const struct link_calls postgres_writer_calls;

/* Adds an entry of a match's log to an object of JSON that is open: of the move that makes this
 * ply, if it is one, with the clocks and the offers as they are now. */
void entry_put_json(struct buffer *json, const struct table *table, int version, char kind,
                    int ply);

/* Adds a token to an object of JSON that is open. */
void token_put_json(struct buffer *json, const struct token *token);

void postgres_set_health(struct postgres *postgres, enum health health);

/* As keeper_kind.is_stalled. */
bool postgres_is_stalled(const struct keeper *keeper);

/* Sends an empty batch if it is time, unless the connection is busy: what the database cannot keep
 * is noticed soon. */
void postgres_sign_of_life(struct postgres *postgres);

/* Asks for a commit that begins from now on: then on_barrier() is called. */
void postgres_want_barrier(struct postgres *postgres);

/* Joins, if the connection is there and waits for that. */
void postgres_join(struct postgres *postgres);

/* How long after an answer of the database this server may still rely on its memory. */
int64_t postgres_current_ms(const struct postgres *postgres);

/* postgres_read.c */

/* As keeper_kind.look_up. */
void postgres_keep_review(struct keeper *keeper, const char *match, const char *text);

bool postgres_look_up(struct keeper *keeper, struct look_up *look_up);

/* As keeper_kind.forgave. */
void postgres_forgave(struct keeper *keeper, const struct player *player);

/* Asks for blocks of numbers that are needed soon. */
void postgres_ask_numbers(struct postgres *postgres);

/* postgres_follow.c */

/* Opens and closes the gate of the second connection as it can be used. */
void postgres_set_reading(struct postgres *postgres, enum reading reading);

/* Returns true while the database tells this server of all changes. */
bool postgres_follows(const struct postgres *postgres);

/* Tells the server of the players whose places have changed. */
void postgres_tell_placed(struct postgres *postgres);

/* Asks where these players are, "{1,2"; ends the array. */
void postgres_ask_places(struct postgres *postgres, struct buffer *ids);

/* Asks for matches; `which` is a condition of the match_row `m`, and uses the value as $1. */
void postgres_ask_matches(struct postgres *postgres, const char *which, const char *value,
                          answer_taker *taker, void *context);

/* Likewise, and registers this server for the matches before they are read, so that no change falls
 * in between. */
void postgres_look_after(struct postgres *postgres, const char *which, const char *value,
                         answer_taker *taker, void *context);

/* The held match of that number; NULL: it is not in the lobby. */
struct held *postgres_find_held(const struct postgres *postgres, int64_t number);

/* Begins and ends to hold tables, as the lobby's observer. */
void postgres_hold(void *context, struct table *table);
void postgres_let_go(void *context, struct table *table);

/* Undoes the registration for matches that were let go, unless one of them may just be asked for
 * again. */
void postgres_unregister(struct postgres *postgres);

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

/* Reads the matches that others have changed while they were locked, and those whose row was older
 * than the news of them. */
void postgres_read_behind(struct postgres *postgres);

/* Reads on after a batch is settled: the matches that are behind, and what others have done with
 * the matches that it opened. */
void postgres_follow_batch(struct postgres *postgres);

/* Takes a notification. */
void postgres_take_news(struct postgres *postgres, char *payload);

/* A token has ended: its connections here end, too. */
void postgres_take_revoked(struct postgres *postgres, int64_t player, int token);

/* Reads which servers are alive. A player may only be read as connected to a server after that
 * server is known to be alive, or else they would be gone when it is. So the database tells of one
 * that joins. */
void postgres_read_nodes(struct postgres *postgres);

/* As keeper_kind.tell and keeper_kind.offer_seek. */
void postgres_tell(struct keeper *keeper, const struct table *table, const char *event);
void postgres_offer_seek(struct keeper *keeper, int64_t number, const char *text);

/* Tells what waits, unless others are being told. */
void postgres_tell_waiting(struct postgres *postgres);

/* Drops what is not told yet. */
void postgres_forget_tells(struct postgres *postgres);

/* postgres_members.c */

extern const struct link_calls postgres_reader_calls, postgres_lists_calls;

/* Does what a server does once a second: the list of servers, those that are dead, matches where
 * something is due, and matches that nobody here needs. */
void postgres_make_round(struct postgres *postgres);

/* Compares all matches that are held, and those of all who are here, with what is kept. */
void postgres_compare_all(struct postgres *postgres);

/* As on_barrier: reads what was missed while the second connection was away, or what differs from
 * what this server has told. */
void postgres_catch_up(struct postgres *postgres);

/* postgres_tournaments.c */

/* Adds the change of a tournament to an object of JSON that is open, if its log gets it. */
void change_put_json(struct buffer *json, const struct tournament_change *change);

/* Writes the log of a tournament as it stands, as rows of tournament_entry in an array of JSON that
 * is open. Returns how many. */
int tournament_log_put_json(struct buffer *json, const struct tournament *tournament);

/* Replay a log where no server does: the next line, of which the first adds the tournament; then
 * the matches of its pairings, with a result (NULL: none) if it counts. False: the line cannot be
 * read, or names a player who is not there. */
bool tournament_log_replay_line(struct tournaments *tournaments, const struct players *players,
                                int64_t number, const char *line);
void tournament_log_replay_match(struct tournaments *tournaments, int64_t number, int pairing,
                                 int64_t match, const char *result, const char *reason);

/* Another server has changed that tournament; number 0: perhaps any. */
void postgres_note_tournament(struct postgres *postgres, int64_t number);

/* Likewise of what a unit changes that is kept. */
void postgres_note_unit(struct postgres *postgres, const struct unit *unit);

/* Reads what there is to read, unless it is being read. */
void postgres_read_tournaments(struct postgres *postgres);

/* Reads the logs over this connection. */
void postgres_ask_tournaments(struct postgres *postgres, struct postgres_link *link);

/* Asks which of the players whom tournaments wait for have come or gone elsewhere. */
void postgres_ask_entrants(struct postgres *postgres);

/* postgres_row.c */

/* Reads the words of a line one after the other, each after a space or at the beginning. sscanf()
 * takes three times as long. */
struct words {
    const char *at; /* borrowed: behind the last word; NULL: one was not as expected */
};

/* Read the next word. If it is not as expected they return 0 or write "", and so do all that
 * follow. */
int64_t words_integer(struct words *words);
double words_real(struct words *words);
void words_text(struct words *words, char *text, size_t size);

/* Finds or adds the player of a text as in `person` of player_row; NULL: it is empty, or none. */
struct player *row_read_player(struct postgres *postgres, const char *text);

/* Takes over a rating, unless this server knows one after as many matches. */
void row_take_rating(struct player *player, const struct rating *told);

/* Selects players `p`. What to put behind: "WHERE p.id = $1". */
extern const char postgres_player_sql[];

/* Adds SQL that selects matches `m`, by a condition such as "m.number = $1", and its final NUL. */
void postgres_put_match_sql(struct buffer *sql, const char *which);

/* A column of a row as a value, which borrows the answer; bytes as a text. */
struct value row_value(const struct answer *answer, int row, int column, enum column_type type);

/* Brings a match into the lobby that is not there. Returns it; one that is broken with the cause,
 * or NULL if it cannot be shown. */
struct table *row_to_table(struct postgres *postgres, const struct answer *answer, int number,
                           struct cause *cause);

/* Makes a draft of a table as a row has it, or returns NULL with the cause if it is broken. */
struct table *row_to_draft(struct postgres *postgres, const struct answer *answer, int number,
                           struct table *table, struct cause *cause);

/* As a match to be shown; one that is broken with the cause, or NULL if it cannot be. */
struct stored_match *row_to_stored(const struct answer *answer, int number, struct cause *cause);

/* Writes a statement that makes the row of a match what its log leads to. False with the cause: it
 * is not only the row that is wrong. */
bool row_to_repair(const struct answer *answer, int number, struct buffer *sql,
                   struct cause *cause);

/* The number, the version and the id of a row. */
int64_t row_number(const struct answer *answer, int row);
int row_version(const struct answer *answer, int row);
const char *row_id(const struct answer *answer, int row);

/* The seeks that the match of a row has ended: "2 17 3 4", node and number of each, or "". */
const char *row_seeks(const struct answer *answer, int row);

/* Adds a player to the registry, or brings the one who is there up to date. */
struct player *row_to_player(struct postgres *postgres, const struct answer *answer, int row);

enum { PLACES_TEXT_MAX = 16 * NODES_MAX };

/* Reads places as player_row has them, without this server; *is_here: it is one of them. The caller
 * owns them. */
struct places *places_read(const char *text, int own, bool *is_here);

/* Notes at which other servers a player is, which it owns from then on. The server is told at the
 * end of the turn, if that has changed or they were renamed. */
void postgres_place(struct postgres *postgres, struct player *player, struct places *places,
                    bool renamed);

/* An entry of a match's log. */
struct entry {
    char kind; /* m: a move, b: a take-back, s: a turn that begins otherwise, o: none of these */
    int ply;   /* after it */
    int64_t took_ms, left_ms[2];
    int offers;
    char move[MOVE_TEXT_MAX];
    const char *note; /* borrowed: for note_read() */
};

/* Reads a line of a log, which has at least a letter. Returns what is behind it; NULL: it is none.
 */
const char *entry_read(const char *text, struct entry *entry);

/* Reads "e-34 pa2a1,b2b1", either of which may be missing, and which a line's end may follow: what
 * the player of the next move thought of it. */
struct ply_note note_read(const struct match *match, const char *text);

#endif
