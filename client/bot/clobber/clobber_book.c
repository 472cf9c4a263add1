#include "clobber_book.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "common/xmalloc.h"
#include "common/zobrist.h"

/* One of the eight ways to lay a board down. */
struct image {
    bool turned, flips_files, flips_ranks;
};

/* The contents of a square: 0 empty, 1 the side to move, 2 the other side. */
static unsigned content(const struct position *position, int square)
{
    bool white = position->bits[0] >> square & 1, black = position->bits[2] >> square & 1;

    if (!white && !black)
        return 0;
    return white == (position->side == WHITE) ? 1 : 2;
}

/* The squares of an image as ternary digits, the first one highest. */
static uint64_t key_of_image(const struct position *position, const struct image *image)
{
    int width = position->width, height = position->height;
    int squares = width * height, files = image->turned ? height : width;
    uint64_t key = 0;

    for (int i = 0; i < squares; i++) {
        int file = image->turned ? i / files : i % files,
            rank = image->turned ? i % files : i / files;
        file = image->flips_files ? width - 1 - file : file;
        rank = image->flips_ranks ? height - 1 - rank : rank;
        key = 3 * key + content(position, rank * width + file);
    }
    return key;
}

uint64_t book_key(const struct position *position)
{
    uint64_t least = UINT64_MAX;

    for (int i = 0; i < 8; i++) {
        struct image image = {(i & 4) != 0, (i & 1) != 0, (i & 2) != 0};
        int files = image.turned ? position->height : position->width;
        if (2 * files > position->width + position->height)
            continue; /* the longer side is to be upright */
        uint64_t key = key_of_image(position, &image);
        least = key < least ? key : least;
    }
    return least;
}

void book_key_format(uint64_t key, char digits[BOOK_DIGITS])
{
    static const char all[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~";

    for (int i = BOOK_DIGITS - 1; i >= 0; i--, key /= 64)
        digits[i] = all[key % 64];
}

static int compare_digits(const void *a, const void *b)
{
    return memcmp(a, b, BOOK_DIGITS);
}

static bool holds(const struct book *book, const struct position *position)
{
    char digits[BOOK_DIGITS];

    book_key_format(book_key(position), digits);
    return bsearch(digits, book->keys, (size_t)book->count, BOOK_DIGITS, compare_digits) != NULL;
}

/* The book of a board, or NULL. */
static const struct book *book_of(const struct position *position)
{
    int width = position->width, height = position->height;

    for (const struct book *book = books; book->width != 0; book++)
        if ((book->width == width && book->height == height) ||
            (book->width == height && book->height == width))
            return book;
    return NULL;
}

bool book_reply(const struct position *position, struct move *move)
{
    const struct book *book = book_of(position);
    struct move moves[MOVES_MAX];

    if (book == NULL)
        return false;
    int count = clobber.legal(position, moves);
    for (int i = 0; i < count; i++) {
        struct position next = *position;
        clobber.apply(&next, moves[i]);
        if (holds(book, &next)) {
            *move = moves[i];
            return true;
        }
    }
    return false;
}

/* The proofs that a book is made of. */

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
    enum proof_status status;
    struct position *refuted;
};

static struct keys keys_new(void)
{
    struct keys keys = {.capacity = 1 << 16};

    keys.slots = xcalloc(keys.capacity, sizeof *keys.slots);
    return keys;
}

static uint64_t *key_slot(const struct keys *keys, uint64_t key)
{
    size_t i = splitmix64(key) & (keys->capacity - 1);

    while (keys->slots[i] != 0 && keys->slots[i] != key)
        i = (i + 1) & (keys->capacity - 1);
    return &keys->slots[i];
}

static void grow_keys(struct keys *keys)
{
    struct keys larger = {.count = keys->count, .capacity = keys->capacity * 2};

    larger.slots = xcalloc(larger.capacity, sizeof *larger.slots);
    for (size_t i = 0; i < keys->capacity; i++)
        if (keys->slots[i] != 0)
            *key_slot(&larger, keys->slots[i]) = keys->slots[i];
    free(keys->slots);
    *keys = larger;
}

/* The key of a position that somebody can move in, which is never 0. */
static bool has_key(const struct keys *keys, const struct position *position)
{
    return *key_slot(keys, book_key(position)) != 0;
}

/* Returns false if the position was there before. */
static bool add_key(struct keys *keys, const struct position *position)
{
    uint64_t key = book_key(position), *slot = key_slot(keys, key);

    if (*slot != 0)
        return false;
    *slot = key;
    if (++keys->count * 2 > keys->capacity)
        grow_keys(keys);
    return true;
}

static void append_position(struct positions *list, const struct position *position)
{
    if (list->count == list->capacity) {
        list->capacity = list->capacity == 0 ? 64 : 2 * list->capacity;
        list->at = xrealloc(list->at, list->capacity * sizeof *list->at);
    }
    list->at[list->count++] = *position;
}

/* Lets the solver decide a position. Returns false, with the status, if it cannot. */
static bool decide(struct walk *walk, struct solver *solver, const struct solve_request *request,
                   struct solve_answer *answer)
{
    if (solver_solve(solver, request, answer) == SOLVE_DONE)
        return true;
    walk->status = PROOF_TOO_DEEP;
    return false;
}

static bool refute_proof(struct walk *walk, const struct position *position)
{
    walk->status = PROOF_FALSE;
    *walk->refuted = *position;
    return false;
}

/* Whether the position is left out because a solver that knows nothing is quick to win it. That
 * solver has to win all that is left out: what the other one knows may be wrong. */
static bool is_easy(struct walk *walk, const struct position *position)
{
    struct solve_request request = {.position = *position, .limits = NO_LIMITS};
    struct solve_answer answer;
    bool is_small = walk->effort >= EFFORT_EASY && clobber.legal(position, NULL) <= MOVES_EASY;

    if (!is_small) {
        if (solver_look(walk->solver, position, 0).effort > walk->effort - EFFORT_GAP)
            return false;
        request.limits.nodes = (uint64_t)1 << walk->effort;
        solver_forget(walk->trial);
    }
    enum solve_status status = solver_solve(walk->trial, &request, &answer);
    if (status == SOLVE_DONE && !answer.wins)
        return refute_proof(walk, position);
    if (status != SOLVE_DONE && is_small)
        walk->status = PROOF_TOO_DEEP;
    return status == SOLVE_DONE;
}

/* Solves the position for a winning reply. Returns false, with the status, if there is none. */
static bool solve_reply(struct walk *walk, const struct position *position, struct position *reply)
{
    struct solve_request request = {.position = *position, .limits = NO_LIMITS};
    struct solve_answer answer;

    if (!decide(walk, walk->solver, &request, &answer))
        return false;
    if (!answer.wins)
        return refute_proof(walk, position);
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
        if (has_key(&walk->seen, &next))
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

    if (!add_key(&walk->seen, position))
        return true;
    append_position(walk->proof, position);
    for (int i = 0; i < count; i++) {
        struct position next = *position;
        struct position reply;
        clobber.apply(&next, moves[i]);
        if (!add_key(&walk->seen, &next) || is_easy(walk, &next))
            continue;
        if (walk->status != PROOF_DONE || !find_reply(walk, &next, &reply) ||
            !add_lost(walk, &reply))
            return false;
    }
    return true;
}

/* Walks down from the position, or from what the winner makes of it. */
static bool collect_positions(struct walk *walk, const struct position *position)
{
    struct solve_request request = {.position = *position, .limits = NO_LIMITS};
    struct solve_answer answer;
    struct position lost = *position;

    if (!decide(walk, walk->solver, &request, &answer))
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
            if (add_key(&reached, &position))
                append_position(next, &position);
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
        if (!decide(walk, walk->solver, &request, &answer))
            return false;
        if (!answer.wins || is_easy(walk, &request.position))
            continue;
        if (walk->status != PROOF_DONE || !find_reply(walk, &request.position, &reply))
            return false;
        if (add_key(&walk->seen, &reply))
            append_position(walk->proof, &reply);
    }
    return true;
}

/* Adds a winning reply to each won position of the first plies. Earlier positions come first: they
 * prove much of the later ones. */
static bool add_openings(struct walk *walk, const struct position *position, int plies)
{
    struct positions now = {.count = 0};
    bool done = true;

    append_position(&now, position);
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

enum proof_status proof_collect(struct positions *proof, struct solver *solver,
                                const struct position *position, int plies, int effort,
                                struct position *refuted)
{
    struct walk walk = {.proof = proof, .solver = solver, .effort = effort, .refuted = refuted};

    *proof = (struct positions){.count = 0};
    walk.trial = solver_new(TRIAL_BYTES, false);
    if (walk.trial == NULL)
        return PROOF_NO_MEMORY;
    walk.seen = keys_new();
    if (collect_positions(&walk, position) && plies > 0)
        add_openings(&walk, position, plies);
    free(walk.seen.slots);
    solver_free(walk.trial);
    return walk.status;
}

void positions_release(struct positions *positions)
{
    free(positions->at);
    *positions = (struct positions){.at = NULL};
}
