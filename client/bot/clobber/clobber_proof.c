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

enum { TRIAL_BYTES = 1 << 20 };

struct walk {
    struct proof *proof;
    struct solver *solver;
    struct solver *trial; /* forgets each position */
    struct keys seen;     /* of positions of either side */
    int effort;
};

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

static void append(struct proof *proof, const struct position *position)
{
    if (proof->count == proof->capacity) {
        proof->capacity = proof->capacity == 0 ? 64 : 2 * proof->capacity;
        proof->lost = xrealloc(proof->lost, proof->capacity * sizeof *proof->lost);
    }
    proof->lost[proof->count++] = *position;
}

/* Whether a solver that knows nothing is quick to win the position. */
static bool is_easy(struct walk *walk, const struct position *position)
{
    struct solve_request request = {.position = *position, .limits = NO_LIMITS};
    struct solve_answer answer;

    if (walk->effort >= EFFORT_EASY && clobber.legal(position, NULL) <= MOVES_EASY)
        return true;
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

bool proof_collect(struct proof *proof, struct solver *solver, const struct position *position,
                   int effort)
{
    struct walk walk = {.proof = proof, .solver = solver, .effort = effort};

    *proof = (struct proof){.count = 0};
    walk.trial = solver_new(TRIAL_BYTES, 1, false);
    if (walk.trial == NULL)
        return false;
    walk.seen.capacity = 1 << 16;
    walk.seen.slots = xcalloc(walk.seen.capacity, sizeof *walk.seen.slots);
    bool done = collect(&walk, position);
    free(walk.seen.slots);
    solver_free(walk.trial);
    return done;
}

void proof_release(struct proof *proof)
{
    free(proof->lost);
    *proof = (struct proof){.lost = NULL};
}
