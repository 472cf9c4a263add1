#include "clobber_proof.h"

#include <limits.h>
#include <stdlib.h>

#include "clobber_book.h"
#include "common/xmalloc.h"
#include "common/zobrist.h"

/* A set of keys. */
struct keys {
    uint64_t *slots; /* open addressing; 0: empty */
    size_t count, capacity;
};

/* With so few moves of a side left, a position takes some 1000 nodes. */
enum { MOVES_EASY = 18, EFFORT_EASY = 10 };

/* What takes a solver that knows much 2^n nodes takes one that knows nothing far more. */
enum { EFFORT_GAP = 3 };

enum { TRIAL_BYTES = 1 << 20 };

struct walk {
    struct positions *proof;
    struct solver *solver;
    struct solver *trial; /* forgets each position */
    struct keys seen;     /* of positions of either side */
    int effort;
};

static struct keys keys_new(void)
{
    struct keys keys = {.capacity = 1 << 16};

    keys.slots = xcalloc(keys.capacity, sizeof *keys.slots);
    return keys;
}

static uint64_t *slot_of(const struct keys *keys, uint64_t key)
{
    size_t i = splitmix64(key) & (keys->capacity - 1);

    while (keys->slots[i] != 0 && keys->slots[i] != key)
        i = (i + 1) & (keys->capacity - 1);
    return &keys->slots[i];
}

static void grow(struct keys *keys)
{
    struct keys larger = {.count = keys->count, .capacity = keys->capacity * 2};

    larger.slots = xcalloc(larger.capacity, sizeof *larger.slots);
    for (size_t i = 0; i < keys->capacity; i++)
        if (keys->slots[i] != 0)
            *slot_of(&larger, keys->slots[i]) = keys->slots[i];
    free(keys->slots);
    *keys = larger;
}

/* The key of a position that somebody can move in, which is never 0. */
static bool has(const struct keys *keys, const struct position *position)
{
    return *slot_of(keys, book_key(position)) != 0;
}

/* Returns false if the position was there before. */
static bool add(struct keys *keys, const struct position *position)
{
    uint64_t key = book_key(position), *slot = slot_of(keys, key);

    if (*slot != 0)
        return false;
    *slot = key;
    if (++keys->count * 2 > keys->capacity)
        grow(keys);
    return true;
}

static void append(struct positions *list, const struct position *position)
{
    if (list->count == list->capacity) {
        list->capacity = list->capacity == 0 ? 64 : 2 * list->capacity;
        list->at = xrealloc(list->at, list->capacity * sizeof *list->at);
    }
    list->at[list->count++] = *position;
}

/* Whether a solver that knows nothing is quick to win the position. */
static bool is_easy(struct walk *walk, const struct position *position)
{
    struct solve_request request = {.position = *position, .limits = NO_LIMITS};
    struct solve_answer answer;

    if (walk->effort >= EFFORT_EASY && clobber.legal(position, NULL) <= MOVES_EASY)
        return true;
    if (solver_look(walk->solver, position, 0).effort > walk->effort - EFFORT_GAP)
        return false;
    request.limits.nodes = (uint64_t)1 << walk->effort;
    solver_forget(walk->trial);
    return solver_solve(walk->trial, &request, &answer) == SOLVE_DONE;
}

/* Solves the position for a winning reply. Returns false if there is none. */
static bool solve_reply(struct walk *walk, const struct position *position, struct position *reply)
{
    struct solve_request request = {.position = *position, .limits = NO_LIMITS};
    struct solve_answer answer;

    if (solver_solve(walk->solver, &request, &answer) != SOLVE_DONE || !answer.wins)
        return false;
    *reply = *position;
    clobber.apply(reply, answer.move);
    return true;
}

/* Finds a winning reply: one that was seen before, or else the one that was easiest to prove.
 * Returns false if the position is not won. */
static bool find_reply(struct walk *walk, const struct position *position, struct position *reply)
{
    struct move moves[MOVES_MAX];
    int count = clobber.legal(position, moves), least = INT_MAX;

    for (int i = 0; i < count && least >= 0; i++) {
        struct position next = *position;
        clobber.apply(&next, moves[i]);
        struct solve_look look = solver_look(walk->solver, &next, 0);
        if (look.known != SOLVE_LOST)
            continue;
        int effort = look.effort;
        if (has(&walk->seen, &next))
            effort = -1;
        if (effort < least) {
            least = effort;
            *reply = next;
        }
    }
    return least < INT_MAX || solve_reply(walk, position, reply);
}

/* Adds a position that is lost for the side to move, and what it can lead to. */
static bool add_lost(struct walk *walk, const struct position *position)
{
    struct move moves[MOVES_MAX];
    int count = clobber.legal(position, moves);

    if (!add(&walk->seen, position))
        return true;
    append(walk->proof, position);
    for (int i = 0; i < count; i++) {
        struct position next = *position;
        struct position reply;
        clobber.apply(&next, moves[i]);
        if (!add(&walk->seen, &next) || is_easy(walk, &next))
            continue;
        if (!find_reply(walk, &next, &reply) || !add_lost(walk, &reply))
            return false;
    }
    return true;
}

/* Walks down from the position, or from what the winner makes of it. */
static bool collect(struct walk *walk, const struct position *position)
{
    struct solve_request request = {.position = *position, .limits = NO_LIMITS};
    struct solve_answer answer;
    struct position lost = *position;

    if (solver_solve(walk->solver, &request, &answer) != SOLVE_DONE)
        return false;
    if (answer.wins)
        clobber.apply(&lost, answer.move);
    return add_lost(walk, &lost);
}

/* Appends what the moves in the positions lead to, each once. */
static void append_next(struct positions *next, const struct positions *positions)
{
    struct keys reached = keys_new();
    struct move moves[MOVES_MAX];

    for (size_t i = 0; i < positions->count; i++)
        for (int j = clobber.legal(&positions->at[i], moves); j-- > 0;) {
            struct position position = positions->at[i];
            clobber.apply(&position, moves[j]);
            if (add(&reached, &position))
                append(next, &position);
        }
    free(reached.slots);
}

/* Adds a winning reply to each position that is won and not easy. */
static bool add_replies(struct walk *walk, const struct positions *positions)
{
    for (size_t i = 0; i < positions->count; i++) {
        struct solve_request request = {.position = positions->at[i], .limits = NO_LIMITS};
        struct solve_answer answer;
        struct position reply;
        if (solver_solve(walk->solver, &request, &answer) != SOLVE_DONE)
            return false;
        if (!answer.wins || is_easy(walk, &request.position))
            continue;
        if (!find_reply(walk, &request.position, &reply))
            return false;
        if (add(&walk->seen, &reply))
            append(walk->proof, &reply);
    }
    return true;
}

/* Adds a winning reply to each won position of the first plies. Earlier positions come first: they
 * prove much of the later ones. */
static bool add_openings(struct walk *walk, const struct position *position, int plies)
{
    struct positions now = {.count = 0};
    bool done = true;

    append(&now, position);
    for (int ply = 0; done && ply <= plies; ply++) {
        struct positions next = {.count = 0};
        done = add_replies(walk, &now);
        if (ply < plies)
            append_next(&next, &now);
        positions_release(&now);
        now = next;
    }
    positions_release(&now);
    return done;
}

bool proof_collect(struct positions *proof, struct solver *solver, const struct position *position,
                   int plies, int effort)
{
    struct walk walk = {.proof = proof, .solver = solver, .effort = effort};

    *proof = (struct positions){.count = 0};
    walk.trial = solver_new(TRIAL_BYTES, 1, false);
    if (walk.trial == NULL)
        return false;
    walk.seen = keys_new();
    bool done = collect(&walk, position) && (plies == 0 || add_openings(&walk, position, plies));
    free(walk.seen.slots);
    solver_free(walk.trial);
    return done;
}

void positions_release(struct positions *positions)
{
    free(positions->at);
    *positions = (struct positions){.at = NULL};
}
