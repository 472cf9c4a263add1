/*
 * A bot as the client of a server: what ludus-bot and ludus-bridge share. It logs in and comes
 * back, accepts challenges or declines them, answers offers, follows its matches, and sends its
 * moves. It does not think: that is the affair of the program, whose struct bot_mind it calls.
 *
 * The server is not trusted: invalid messages are ignored.
 */
#ifndef LUDUS_BOT_CLIENT_H
#define LUDUS_BOT_CLIENT_H

#include <sys/queue.h>

#include "account.h"
#include "client/engine/course.h"
#include "client/link/match_state.h"
#include "engagement.h"

/* How far a match is. */
enum bot_stage {
    BOT_CHALLENGED, /* not accepted yet */
    BOT_JOINED,     /* accepted, or open: nobody can move */
    BOT_PLAYING,
    BOT_OVER /* to be removed */
};

/* Where the bot's move is. */
enum bot_turn {
    TURN_NONE, /* it is not the bot's turn, or it moves no more */
    TURN_OWED, /* the mind is to call bot_client_move() */
    TURN_SENT, /* the server has not answered yet */
    TURN_LATE  /* refused for now: it is sent again at resend_ms */
};

/* Bytes with the final NUL of " eval=-30000 pv=" and moves; moves of a line that a server keeps. */
enum { BOT_SAID_MAX = 80, BOT_PV_MAX = 6 };

struct bot_match {
    char id[MATCH_ID_MAX]; /* serves as #ID of commands, too */
    enum bot_stage stage;
    bool offered[2];   /* the sides for which the bot was challenged */
    int seats_offered; /* how many of these it has not joined yet */
    bool given_up;     /* surrendered, and the end has not come */
    const struct game *game;
    struct position start; /* of the variant */
    struct course course;  /* up to the last state */
    struct match_clock clock;
    bool mine[2];       /* the bot's colours */
    bool rated;         /* both players have a rating, which the result changes */
    bool awaits_record; /* for the moves before the first state */
    enum bot_turn turn;
    struct move move;             /* TURN_SENT, TURN_LATE: the bot's */
    char said[BOT_SAID_MAX];      /* what it thinks of it: options of the command, or "" */
    bool has_eval;                /* whether it has searched for its last move */
    int eval_cp;                  /* and what it found, for its own side */
    int64_t resend_ms;            /* TURN_LATE */
    char holder[PLAYER_NAME_MAX]; /* who made the bot play: the challenger, or else the opponent */
    int64_t abort_ms;             /* when to abort it, as there was no first move; 0: not */
    bool may_claim;               /* the opponent is gone, or has not moved for long */
    int64_t claim_ms;             /* when to claim the win for that; 0: not */
    int64_t stall_ms;             /* when it can be claimed though the opponent is here; 0: never */
    void *own;                    /* of the mind */
    TAILQ_ENTRY(bot_match) link;
};
TAILQ_HEAD(bot_match_list, bot_match);

/* What a bot thinks of its move, for the record of the match. */
struct bot_thought {
    bool has_eval;
    int eval_cp; /* for its own side */
    int pv_plies;
    struct move pv[BOT_PV_MAX]; /* the line that it expects, its move first */
};

/* What happens, for people. */
enum bot_event {
    BOT_NOT_CONNECTED, /* at the first attempt; the text says why */
    BOT_CONNECTED,     /* the text says why the token could not be kept, or is NULL */
    BOT_LOST_CONNECTION,
    BOT_WAITS,        /* --seek or --tournament is refused for now; why */
    BOT_REFUSED,      /* the server has refused the command; why */
    BOT_STATE_FAULTY, /* a state is ignored; why */
    /* Of a match: */
    BOT_DECLINES,         /* ... a challenge; why */
    BOT_DECLINES_REMATCH, /* why */
    BOT_BEGINS,           /* its first state has come */
    BOT_ENDS,             /* the result, a blank and the reason */
    BOT_SEAT_FREED,       /* it was kicked out */
    BOT_ABORTS,           /* the opponent has made no first move */
    BOT_CLAIMS,           /* the opponent is gone or silent */
    BOT_LOST_MATCH,       /* it cannot join or resign; why */
    BOT_TURNS_AWAY,       /* it leaves one that it cannot play at all by the command; why */
    BOT_GIVES_UP,         /* it leaves one that it plays by the command; why */
    BOT_MOVE_ILLEGAL      /* as BOT_GIVES_UP: the server and the bot differ about the rules */
};

/* Each text is NULL where there is none. It may be the server's, and has to be cleaned. */
struct bot_news {
    enum bot_event event;
    const char *match; /* its id */
    const char *command;
    const char *text;
};

struct bot_client;

/* Who thinks. */
struct bot_mind {
    const char *noun;     /* for people: "the bot" */
    bool asks_for_record; /* to know the moves before the first state */

    /* Gets ready for a match, and calls bot_client_accept() then. NULL with *cause set, or why a
     * challenge is declined; the match is dropped without end(). Without begin() it is ready. */
    const char *(*begin)(struct bot_client *bot, struct bot_match *match, struct cause *cause);

    /* The match was told anew; `changed`: the position is another one, or play has begun. NULL:
     * run() looks. */
    void (*update)(struct bot_client *bot, struct bot_match *match, bool changed);

    /* The match is over, or given up because the mind has failed; it may be called for both. */
    void (*end)(struct bot_client *bot, struct bot_match *match, bool failed);

    /* Whether it agrees to a draw; NULL: never. */
    bool (*accepts_draw)(const struct bot_match *match);

    /* Waits until fd (-1: none) is readable, there is something for run(), or due_ms. Returns
     * whether fd is readable. A mind that thinks beside the loop begins here, when all that was
     * told is known. */
    bool (*wait)(struct bot_client *bot, int fd, int64_t due_ms);

    /* Hears what was thought, in every turn of the loop. */
    void (*run)(struct bot_client *bot);

    /* Tells people what happens. */
    void (*report)(struct bot_client *bot, const struct bot_news *news);
};

struct bot_client {
    /* Set by the owner, with everything else zero. */
    const struct bot_mind *mind;
    void *context; /* of the mind */
    const struct account *account;
    const struct policy *policy;
    const char *join; /* the match of --join, or NULL */

    struct uplink uplink;
    struct engagement engagement;
    struct bot_match_list matches; /* the one that was told last comes last */
    int64_t now_ms;                /* when the last wait ended */
    int promised;                  /* joins and rematches without a reply: matches to come */
    bool joined;                   /* the match of --join */
    int listings;     /* of its matches, that it may begin, this one included; 0: none */
    int listed;       /* matches that came with this one before the present page */
    bool listed_news; /* and one of them was unknown */
    bool failed;      /* uplink.cause ends it, whatever has happened before */
};

/* Plays until a signal or a failure, or until its tournament is over. The owner has set `uplink` up
 * (account.h). False with the cause. */
bool bot_client_run(struct bot_client *bot, struct cause *cause);

/* Counts the matches that run, or will. */
int bot_client_count(const struct bot_client *bot);

/* Finds a match, or NULL. */
struct bot_match *bot_match_find(const struct bot_match_list *matches, const char *id);

/* Adds a match at this stage, from the start of its game and variant. The list owns it. */
struct bot_match *bot_match_add(struct bot_match_list *matches, const char *id,
                                enum bot_stage stage, const struct game *game,
                                const struct position *start);

/* Follows the match to a state that is not over. False with the cause if it is invalid; otherwise
 * *changed tells whether the position is another one, or play has begun. */
bool bot_match_follow(struct bot_match_list *matches, struct bot_match *match,
                      const struct match_state *state, bool *changed, struct cause *cause);

void bot_match_free(struct bot_match_list *matches, struct bot_match *match);

/* Returns whether the mind owes a move in the match and has what it needs. */
bool bot_match_waits(const struct bot_match *match);

/* Accepts a challenge, for the mind that is ready, unless the bot is about to end. */
void bot_client_accept(struct bot_client *bot, struct bot_match *match);

/* Sends a legal move in a match that waits. */
void bot_client_move(struct bot_client *bot, struct bot_match *match, struct move move,
                     const struct bot_thought *thought);

/* Surrenders: the mind gives no move, though it may go on. */
void bot_client_surrender(struct bot_client *bot, struct bot_match *match);

/* Surrenders a match in which the mind has failed, and ends it there. */
void bot_client_give_up(struct bot_client *bot, struct bot_match *match, const char *why);

#endif
