/*
 * Every message that the server sends. Each has one function, which takes plain values and writes
 * the message in the receiver's format: JSON (protocol.md) or text for people.
 */
#ifndef LUDUS_WIRE_H
#define LUDUS_WIRE_H

#include "common/json_text.h"
#include "server/base/limits.h"
#include "server/base/nodes.h"
#include "server/model/lobby.h"
#include "server/model/seek.h"
#include "server/tournament/standings.h"

struct wire {
    struct buffer *out; /* borrowed; messages are added at its end */
    bool text;          /* for people; else JSON */
    const char *id; /* of the command that is answered; NULL: it had none, or this is an event */
};

/* Replies about the server and the connection. */

/* The members of an `ok` beside its command; those that are NULL, 0 or false are left out. */
struct ok {
    const char *name, *token;
    const char *display; /* "": none */
    const char *match;
    const char *tournament;
    const char *color;
    int64_t seek;
    int ply;
    int matches;           /* of the player, if that is more than come now; 0 */
    bool is_offer, agreed; /* an offer was made, or agreed to */
};
void wire_ok(const struct wire *wire, const char *verb, const struct ok *ok);

/* `verb` may be NULL. The command may be tried again after retry_ms; -1 leaves that out. */
void wire_error(const struct wire *wire, const char *verb, const char *code, const char *message,
                int64_t retry_ms);

/* The text may be "". */
void wire_pong(const struct wire *wire, const char *text);

void wire_games(const struct wire *wire);

struct stat_row {
    const char *name;
    int64_t value;
};
void wire_stats(const struct wire *wire, const struct stat_row *rows, size_t count);

struct help_row {
    const char *verb, *usage, *summary;
};
void wire_help(const struct wire *wire, const struct help_row *rows, size_t count);

/* A code for another device, good for so long. */
void wire_device(const struct wire *wire, const struct player *player, const char *code,
                 int64_t expires_ms);

/* The tokens of a player. `own` is the number of the one that the session has shown; windows[i]
 * says how many have shown the one at place i. */
void wire_tokens(const struct wire *wire, const struct player *player, int own,
                 const int windows[]);

/* Events, which no command has asked for. */

/* `hello`, the first message of a connection, is JSON in any format. needs_code: a join code must
 * come first. */
void wire_greeting(const struct wire *wire, bool needs_code, const struct limits *limits,
                   const struct player *player, const struct nodes *nodes);

/* The servers that share the lobby have changed. */
void wire_nodes(const struct wire *wire, const struct nodes *nodes);

/* Another connection of the player has taken this name, which has this token. */
void wire_name(const struct wire *wire, const char *name, const char *token);

/* How many connections the player has, this one included. */
void wire_windows(const struct wire *wire, int count);

void wire_ping(const struct wire *wire);
void wire_bye(const struct wire *wire, const char *reason);

/* For the player who is asked to take a seat. */
void wire_challenge(const struct wire *wire, const struct seat *seat);

/* `from` does not want the match, for this reason. */
void wire_declined(const struct wire *wire, const struct table *table, const char *from,
                   const char *reason);

/* For a player whom the server has paired: by their seek with this number (0: none), or by a round
 * of a tournament ("": none). */
void wire_paired(const struct wire *wire, const struct seat *seat, struct seek_id seek,
                 const char *tournament, int round);

/* Tells whether the player in a seat is online. */
void wire_presence(const struct wire *wire, const struct instant *instant, const struct seat *seat);

/* News of an offer that `from` made. */
void wire_offer(const struct wire *wire, const struct table *table, enum offer what,
                enum color from, enum offer_news news);

/* A line of chat; `past`: it was said before the receiver came. */
void wire_chat(const struct wire *wire, const struct table *table, const struct talk_line *line,
               bool past);

/* `next` is the rematch of a match. */
void wire_rematch(const struct wire *wire, const struct table *table, const struct table *next);

/* Matches and people, in lists or alone (wire_list.c). */

/* Shows `count` matches of a total. */
void wire_list(const struct wire *wire, const struct list_row rows[], int count, int total);

/* News for watchers of the lobby: a match was "opened", "started" or is "over". */
void wire_lobby(const struct wire *wire, const char *what, const struct table *table);

/* Seeks that wait, of a total, as `seek` takes them. */
void wire_seeks(const struct wire *wire, const struct seek *const rows[], int count, int total);

void wire_who(const struct wire *wire, const struct who_row rows[], int count, int total);

void wire_top(const struct wire *wire, const struct top_row rows[], int count);

/* The finished matches of the player. */
void wire_history(const struct wire *wire, const struct player *player,
                  const struct history_row rows[], int count, int total, int archived);

/* A whole match, from the lobby or from a store; in JSON with `positions` of its positions, if that
 * is not 0, from ply `from` on. */
void wire_record(const struct wire *wire, const struct table *table, int from, int positions);

/* Several finished matches as wire_record() shows them, without positions. `next`: those that
 * follow come after this number; 0: there are none. */
void wire_records(const struct wire *wire, const struct table *const rows[], int count,
                  int64_t next);

/* The judgement of a ply: what a reviewer has said of the position, and of the move played. */
enum { REVIEW_LINE_MAX = 8 };
enum review_mark { REVIEW_WELL, REVIEW_MISTAKE, REVIEW_BLUNDER };
struct review_row {
    bool known;
    char move[MOVE_TEXT_MAX]; /* that was played; "": the match was over */
    int eval, chance;         /* of white: in hundredths, and to win in percent */
    int loss;                 /* in hundredths */
    enum review_mark mark;
    bool exact;    /* it is proven who wins */
    bool deep;     /* the reviewer's last word */
    bool last_win; /* with this move the loser let the last proven win go */
    int line_plies;
    char line[REVIEW_LINE_MAX][MOVE_TEXT_MAX]; /* best play; the first move is the best one */
};

/* The review of a match, from its first ply to its end. */
void wire_review(const struct wire *wire, const struct table *table, const struct review_row rows[],
                 int count);

/* The analysis of a position, and of the move there that the row names, if it names one. */
void wire_analysis(const struct wire *wire, const struct game *game,
                   const struct position *position, const struct review_row *row);

/* Tournaments (wire_tournament.c). */

/* News for its watchers. Members that are NULL or 0 are left out. */
struct tournament_news {
    const char *what;
    const char *player;
    int round;
    const struct contest_pairing *pairing;
    int64_t match; /* the number of the pairing's match */
    bool result;   /* the pairing has one */
};
void wire_tournament_news(const struct wire *wire, const struct tournament *tournament,
                          const struct tournament_news *news);

/* The rows of the standings and the pairings that a reply shows: the first, and their number. */
struct tournament_pages {
    int player, players;
    int pairing, pairings;
};

enum { CROSSTABLE_PLAYERS_MAX = 50, CROSSTABLE_CELLS_MAX = 100 };

/* Everything about one. The rows of standings are those of all entrants. */
void wire_tournament(const struct wire *wire, const struct tournament *tournament,
                     const struct standing rows[], const struct tournament_pages *pages);

/* The latest `count` of the tournaments, the newest first. */
void wire_tournaments(const struct wire *wire, const struct tournaments *tournaments, int count);

/* The standings of a series, from some row on. */
void wire_series(const struct wire *wire, const struct series *series,
                 const struct series_row rows[], int count);

/* A match as it stands (wire_state.c). `state` is the most frequent message, so the part that is
 * the same for all is written once. */

/* The state for the holder of `seats`; with_legal adds the legal moves if it is their turn. */
void wire_state(const struct wire *wire, const struct instant *instant, const struct table *table,
                unsigned seats, bool with_legal);

/* The state in two pieces: what everyone sees, and what the holder of `seats` sees. */
void wire_state_common(const struct wire *wire, const struct instant *instant,
                       const struct table *table);
void wire_state_own(const struct wire *wire, const struct instant *instant,
                    const struct table *table, unsigned seats, bool with_legal);

/* The legal moves, from one square or with -1 from all; none once the match is over. */
void wire_moves(const struct wire *wire, const struct table *table, int square);

/* The lessons of a game. */
void wire_lessons(const struct wire *wire, const struct game *game);

/* What the side to move can do in a position, and what stands on the board. */
void wire_advice(const struct wire *wire, const struct game *game, const struct position *position);

/* What a legal move leads to, and what can be played there; NULL: the reply is about a square, from
 * which there are moves. */
void wire_legal(const struct wire *wire, const struct game *game, const struct position *after);
/* Why the rules forbid something. */
void wire_illegal(const struct wire *wire, const char *why);
struct puzzle;

/* How a puzzle is rated, and who tries it. */
struct puzzle_score {
    struct glicko puzzle;
    int attempts;    /* first ones of players, that have rated it */
    bool has_solver; /* who asks can be rated: */
    struct glicko solver;
    int solver_attempts;
    bool tried;  /* they have tried it before */
    bool counts; /* this attempt has rated both, */
    long change; /* and the solver by so much */
};

/* A puzzle by its number; `daily`: it is the one of today. */
void wire_puzzle(const struct wire *wire, const struct puzzle *puzzle, int number, bool daily,
                 time_t wall_s, const struct puzzle_score *score);

/* The rules of a storm, and its puzzles with their answers. */
void wire_storm(const struct wire *wire, const struct game *game, uint64_t seed);

/* Whether a legal move is the answer, which may be `told` to those who give up, and if not, the
 * reply to it (NULL: it ends the game). */
void wire_attempt(const struct wire *wire, const struct puzzle *puzzle, int number,
                  struct move move, const struct move *reply, bool told,
                  const struct puzzle_score *score);

/* Parts of messages, for the files of this room. */

/* Begin and end a JSON object with its type; wire_begin() adds the id. It returns the buffer for
 * the members. */
struct buffer *wire_begin(const struct wire *wire, const char *type);
void wire_end(const struct wire *wire);

/* Begin and end a message that is a list of rows: its JSON, nothing in text. A negative total is
 * left out. */
void wire_begin_rows(const struct wire *wire, const char *type, const char *rows);
void wire_end_rows(const struct wire *wire, int total);

/* If the format is text, writes the message as with printf() and is true. */
#define WIRE_TEXT(wire, ...) ((wire)->text && (buffer_printf((wire)->out, __VA_ARGS__), true))

/* Adds the id, if there is one. */
void wire_id(const struct wire *wire);

/* JSON members that several messages have. */
void wire_game(struct buffer *json, const char *id, const struct game *game, const char *variant);
/* The number of a seek, of another server with its node: 17@2. */
void wire_seek_id(struct buffer *json, struct seek_id seek);
void wire_outcome(struct buffer *json, struct outcome outcome);
void wire_rating_after(struct buffer *json, const double rating_after[2]);

/* Writes the members "tournament" and "round" of a match that a tournament has paired. */
void wire_pairing(struct buffer *json, const struct table *table);
/* The time control; null without a clock. */
void wire_time_control(struct buffer *json, const struct clock *clock);

/* Adds a display name, unless there is none: NULL or "". */
void wire_display(struct buffer *json, const char *member, const char *display);

/* The time control as `new` takes it, such as 300+5, after `before`; nothing without a clock. */
void wire_time_control_text(struct buffer *text, const char *before, const struct clock *clock);
/* The time until the match may be claimed from a player who is away; nothing for claim_ms < 0. */
void wire_claim_text(struct buffer *text, int64_t claim_ms);
/* Names with the ratings after the match; a name may be NULL. */
void wire_rating_after_text(struct buffer *text, const char *const names[2],
                            const double rating_after[2]);

/* The date in UTC, as ISO 8601. */
struct wire_date {
    char text[32];
};
struct wire_date wire_date_text(time_t date);

#endif
