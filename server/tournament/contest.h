/*
 * A contest: who takes part in a tournament, and all pairings so far with their results. That is
 * all that pairing and standings are made from, so both can be reproduced from the record.
 *
 * Pure and deterministic: it knows no players' names, matches, clocks or store. Entrants and
 * pairings are numbered from 0 in the order in which they came, and never go.
 */
#ifndef LUDUS_CONTEST_H
#define LUDUS_CONTEST_H

#include <stdbool.h>

enum contest_format { FORMAT_ROUND_ROBIN, FORMAT_SWISS, FORMAT_KNOCKOUT, FORMAT_ARENA };

enum {
    ENTRANTS_MAX = 1000,
    ROUNDS_MAX = 100,
    CYCLES_MAX = 10,
    PAIRINGS_MAX = 50000, /* then even an arena without end is over */
    NOBODY = -1
};

enum pairing_result {
    PAIRING_OPEN, /* the match is not over */
    PAIRING_WHITE_WINS,
    PAIRING_BLACK_WINS,
    PAIRING_DRAW,
    PAIRING_VOID /* no points for either */
};

struct contest_pairing {
    int round;        /* from 1 */
    int white, black; /* entrants; black NOBODY: white has a bye, which counts as a win */
    enum pairing_result result;
    bool walkover; /* there was no match, as a player had left */
};

struct pairing_list {
    struct contest_pairing *rows; /* owned */
    int count, capacity;
};

struct entrant {
    double rating; /* when they entered */
    bool left;     /* and is paired no more */
};

/* What an entrant does at the moment of a pairing. */
enum entrant_state {
    ENTRANT_FREE, /* here, and in no match of the contest */
    ENTRANT_PLAYING,
    ENTRANT_AWAY,
    ENTRANT_ABSENT /* away, and has lost a match of this round for it */
};

struct contest {
    enum contest_format format;
    int rounds;               /* of a Swiss */
    int cycles;               /* of a round robin */
    bool pairs;               /* whoever meets plays two matches, one with each colour */
    struct entrant *entrants; /* owned */
    int entrant_count, entrant_capacity;
    struct pairing_list pairings;
    int open; /* pairings without a result */
};

void contest_release(struct contest *contest);

/* Adds an entrant and returns their number. */
int contest_enter(struct contest *contest, double rating);

void pairing_list_add(struct pairing_list *list, struct contest_pairing pairing);
void pairing_list_release(struct pairing_list *list);

/* Adds a pairing and returns its number. */
int contest_add(struct contest *contest, struct contest_pairing pairing);

/* Sets the result of a pairing that has none. */
void contest_score(struct contest *contest, int pairing, enum pairing_result result);

/* The last round that has begun; 0: none. */
int contest_round(const struct contest *contest);

/* Whether a pairing is one of this contest: of its entrants, and with what its format makes.
 * `before` is the round of the pairing before it, 0 for the first one. */
bool contest_takes(const struct contest *contest, int before,
                   const struct contest_pairing *pairing);

/* Counts the entrants who have not left. */
int contest_active(const struct contest *contest);

/* Returns the half points of an entrant from a pairing of theirs. */
int pairing_points2(const struct contest_pairing *pairing, int entrant);

/* Returns the opponent of an entrant; NOBODY for a bye. */
int pairing_opponent(const struct contest_pairing *pairing, int entrant);

/* Returns whether it has two players, so that there is a match. */
bool pairing_has_match(const struct contest_pairing *pairing);

/* The pairing of two entrants in a round. Where one has left the other wins, where both have left
 * it is void. */
struct contest_pairing contest_meet(const struct contest *contest, int round, int white, int black);

/* How two entrants met before the pairing of some number: how often, and in which pairing last. */
struct meetings {
    int count, last; /* `last` NOBODY: they did not */
};
struct meetings contest_meetings(const struct contest *contest, int one, int other, int before);

/* Numbers pairings from 0, so that two matches of the same two with swapped colours have one
 * number, and other matches of a round have it, too. */
int contest_opening(const struct contest *contest, int pairing);

const char *contest_format_text(enum contest_format format);
/* False: there is no such format. */
bool contest_format_parse(const char *text, enum contest_format *format);
const char *pairing_result_text(enum pairing_result result);

#endif
