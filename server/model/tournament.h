/*
 * A tournament with its people and matches, and the registry of all in memory. A contest
 * (contest.h) has its pairings and scores; this adds who the entrants are, which matches they play,
 * when it starts, and who directs it.
 *
 * A tournament changes by a struct tournament_change only: a unit carries it, the keeper writes it,
 * and tournament_apply() does it once it is kept. Changes that others must not overtake lock the
 * tournament; those of one pairing do not, as each only touches that pairing.
 */
#ifndef LUDUS_TOURNAMENT_H
#define LUDUS_TOURNAMENT_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/queue.h>
#include <time.h>

#include "clock.h"
#include "common/game.h"
#include "origin.h"
#include "player.h"
#include "server/base/lock.h"
#include "server/tournament/contest.h"

enum {
    TOURNAMENT_ID_MAX = 24,   /* bytes with the final NUL: "t" and its number */
    TOURNAMENT_NAME_MAX = 33, /* bytes with the final NUL */
    TOURNAMENTS_MAX = 100,    /* that are not over */
    TOURNAMENTS_OVER_MAX = 100,
    TOURNAMENT_MINUTES_MAX = 10080,
    TOURNAMENT_CODE_MAX = 33, /* bytes with the final NUL */
    OPENINGS_TEXT_MAX = 24,   /* bytes with the final NUL */
    RANDOM_PLIES_MAX = 20,
    BARRED_MAX = 1000 /* players of one */
};

enum tournament_status {
    TOURNAMENT_OPEN, /* takes players, and has not started */
    TOURNAMENT_RUNNING,
    TOURNAMENT_PAUSED, /* matches go on, but nobody is paired */
    TOURNAMENT_OVER,
    TOURNAMENT_ABORTED
};

/* From where the matches of a tournament start. A number from 1 to RANDOM_PLIES_MAX means random
 * plies. With openings, whoever meets plays two matches, of one opening. */
enum openings { OPENINGS_NONE, OPENINGS_BALANCED = -1 };

struct tournament_plan {
    char name[TOURNAMENT_NAME_MAX];
    const struct game *game;
    struct position start;
    struct clock clock; /* as clock_fresh() makes it */
    enum contest_format format;
    int rounds;  /* of a Swiss; 0: as many as its players need */
    int cycles;  /* of a round robin */
    int minutes; /* of an arena; 0: without end */
    int openings;
    int openings_known; /* of balanced ones, when it was opened; 0: as many as are known now */
    enum bots_wanted bots;
    bool casual;
    char series[TOURNAMENT_NAME_MAX]; /* that it belongs to, in lower case; "": none */
    char code[TOURNAMENT_CODE_MAX];   /* the word that lets players join; "": they need none */
    struct player *director;          /* held while the tournament is in memory */
    struct origin_key address;        /* where they opened it, if that is limited */
    bool has_address;
    time_t created_s;
    time_t starts_s; /* 0: when the director says so */
};

/* A session watches a tournament. */
struct tournament_watch {
    struct tournament *tournament;
    struct session *session;
    LIST_ENTRY(tournament_watch) by_tournament;
    LIST_ENTRY(tournament_watch) by_session;
};
LIST_HEAD(tournament_watch_list, tournament_watch);

struct tournament {
    char id[TOURNAMENT_ID_MAX];
    int64_t number; /* counts tournaments as they open */
    struct tournament_plan plan;
    enum tournament_status status;
    time_t started_s, ended_s; /* 0: not yet */
    struct contest contest;
    struct player **players; /* owned; by entrant, held */
    int player_capacity;
    int64_t *barred; /* owned; the ids of players whom the director has removed */
    int barred_count;
    int64_t *matches; /* owned; by pairing: the number of its match, 0: none yet */
    bool *forfeits;   /* owned; by pairing: somebody has lost its match by being away. Only with
                         `derived`, as is the next: */
    int version;      /* how many changes there were, but of pairings */
    int match_capacity;

    /* Not kept. */
    bool is_unread;  /* other servers may have changed it, or its matches */
    bool broken;     /* what they have changed cannot be read: nobody changes it here */
    int64_t left_ms; /* since when its next step is left to another server; 0: it is not */
    struct lock lock;
    int pending;    /* changes that are not settled */
    bool due;       /* something has changed that may allow the next step */
    bool retry;     /* that could not be done now, or not be kept */
    int first_open; /* no pairing before it lacks a match */
    struct tournament_watch_list watches;
    int watcher_count;
    struct log_share log; /* of its matches */
    TAILQ_ENTRY(tournament) link;
};

struct tournaments {
    TAILQ_HEAD(tournament_list, tournament) list; /* oldest first */
    struct tournament_list opening;               /* that a unit opens, which is not settled */
    int64_t last;                                 /* number */
    int unfinished, over;                         /* of `list` */
    bool due;                                     /* some tournament is */
    bool derived; /* the keeper is shared, and says how matches have ended: a unit need not */
};

/* A series joins tournaments of one director, game and variant: those of its first one. It is only
 * in the keeper, which adds up those that are over. */
struct series {
    char name[TOURNAMENT_NAME_MAX];
    const struct game *game; /* NULL: there is no such series */
    char variant[VARIANT_NAME_MAX];
    char director[NAME_TEXT_MAX];
    int64_t director_id;
    int tournaments; /* that are over */
    int players;
};

/* What somebody has scored in it. */
struct series_score {
    int64_t player;
    int tournaments;
    int points2, matches, played2; /* as in a standing (standings.h), as is */
    double opponents;
};

/* A row of its standings. */
struct series_row {
    int rank; /* from 1; equal where points are */
    char name[NAME_TEXT_MAX];
    char display[DISPLAY_TEXT_MAX]; /* "": none */
    bool bot;
    struct series_score score;
};

struct tournament_entry {
    struct player *player;
    double rating;
};

enum tournament_change_kind {
    CHANGE_OPENED,
    CHANGE_JOINED, /* or has come back */
    CHANGE_LEFT,
    CHANGE_BARRED, /* cannot join, and has left if they take part */
    CHANGE_STATUS,
    CHANGE_STARTED, /* with the entrants that have not left, numbered anew */
    CHANGE_PAIRED,
    CHANGE_PAIRING /* one has got its match, or its result, or both */
};

struct tournament_change {
    enum tournament_change_kind kind;
    struct tournament *tournament; /* borrowed; owned as long as it is not opened yet */
    bool applied;                  /* by tournament_apply() */
    /* JOINED, LEFT, BARRED: */
    int entrant;                   /* of BARRED, NOBODY: they do not take part */
    struct tournament_entry entry; /* held */
    /* STATUS, STARTED: */
    enum tournament_status status;
    time_t at_s;
    int rounds;
    struct tournament_entry *entries; /* owned; held */
    int entry_count;
    /* PAIRED: */
    struct pairing_list pairings; /* owned */
    int64_t *matches;             /* owned; as in a tournament; NULL: they have none yet */
    /* PAIRING: */
    int pairing;
    int64_t match;              /* 0: not in this change */
    bool forfeit;               /* it was lost by being away */
    enum pairing_result result; /* PAIRING_OPEN: not in this change */
};

void tournaments_init(struct tournaments *tournaments);
void tournaments_release(struct tournaments *tournaments);

/* Finds a tournament by its id, in any case, or by its number. NULL: there is none in memory;
 * number 0 is none. */
struct tournament *tournaments_find(const struct tournaments *tournaments, const char *id);
struct tournament *tournaments_find_number(const struct tournaments *tournaments, int64_t number);

/* Copies the name of a tournament. False: it is invalid. */
bool tournament_name_read(const char *text, char name[TOURNAMENT_NAME_MAX]);

/* The same for a series, whose name is in lower case. */
bool series_name_read(const char *text, char name[TOURNAMENT_NAME_MAX]);

/* Makes a tournament that nobody can find yet. `number` is that of a tournament read from a store;
 * 0: a unit opens it, and it gets the next number. */
struct tournament *tournament_new(struct tournaments *tournaments,
                                  const struct tournament_plan *plan, int64_t number);

/* Frees a tournament whose opening failed, and reuses its number if that is the latest. */
void tournaments_discard(struct tournaments *tournaments, struct tournament *tournament);

/* Whether a unit that is not settled opens a tournament with that number. */
bool tournaments_is_opening(const struct tournaments *tournaments, int64_t number);

/* The first tournament of a series that such a unit opens; NULL: there is none. */
const struct tournament *tournaments_find_opening(const struct tournaments *tournaments,
                                                  const char *series);

/* Adds it in the order of numbers, and forgets the oldest ones that are over beyond
 * TOURNAMENTS_OVER_MAX. */
void tournaments_add(struct tournaments *tournaments, struct tournament *tournament);

/* Takes one out again that was read from a store, and frees it. Its number is not given again. */
void tournaments_remove(struct tournaments *tournaments, struct tournament *tournament);

/* Finds the entrant that a player is, or returns NOBODY. */
int tournament_entrant(const struct tournament *tournament, const struct player *player);

/* Whether the director has removed a player. */
bool tournament_bars(const struct tournament *tournament, const struct player *player);

/* Notes that a player is barred. */
void tournament_bar(struct tournament *tournament, int64_t player);

bool tournament_is_over(const struct tournament *tournament);

/* Makes a change, which the caller owns. */
struct tournament_change *tournament_change_new(struct tournament *tournament,
                                                enum tournament_change_kind kind);

/* Gives a change its player, whom it holds. */
void tournament_change_set_player(struct tournament_change *change, struct player *player);

/* Makes the change that starts a tournament, with those who have not left. */
struct tournament_change *tournament_start(struct tournament *tournament, time_t now_s);

/* Does a change that is kept. */
void tournament_apply(struct tournaments *tournaments, struct tournament_change *change);

/* Frees a change, and with it a tournament that it should have opened and did not. */
void tournament_change_free(struct tournament_change *change);

/* For keepers, which read a tournament from their store. */
void tournament_add_entrant(struct tournament *tournament, struct player *player, double rating,
                            bool left);
void tournament_add_pairing(struct tournament *tournament, struct contest_pairing pairing,
                            int64_t match);

void tournament_watch(struct tournament *tournament, struct session *session,
                      struct tournament_watch_list *list);
struct tournament_watch *tournament_find_watch(const struct tournament *tournament,
                                               const struct tournament_watch_list *list);
int tournament_watch_count(const struct tournament_watch_list *list);
void tournament_unwatch(struct tournament_watch *watch);

/* Finds where the match of a pairing starts, which follows from the record. */
void tournament_opening(const struct tournament *tournament, int pairing, struct position *start);

/* Writes "balanced", "random:PLIES", or "" for OPENINGS_NONE. */
void openings_format(int openings, char text[OPENINGS_TEXT_MAX]);
/* Reads that. False: it is neither. */
bool openings_parse(const char *text, int *openings);

/* The same for keepers, with how many balanced ones are known: "balanced:32". */
void openings_format_kept(const struct tournament_plan *plan, char text[OPENINGS_TEXT_MAX]);
bool openings_parse_kept(const char *text, struct tournament_plan *plan);

const char *tournament_status_text(enum tournament_status status);
/* False: there is no such status. */
bool tournament_status_parse(const char *text, enum tournament_status *status);

#endif
