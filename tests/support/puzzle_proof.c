#include "puzzle_proof.h"

#include <stdlib.h>
#include <string.h>

#include "common/move.h"
#include "common/xmalloc.h"

enum {
    SLOTS = 1 << 18,
    SHORTEST_PLIES = 5,
    SHORTEST_CLOBBER_PLIES = 7,
    PROOF_PLIES_MAX = 100,
    ALL_PLIES = PROOF_PLIES_MAX - 1 /* to the end of the game */
};

/* A position that was looked at, whole, so that no two are taken for one. */
struct memory {
    struct position position;
    int won, not_won; /* the fewest plies known to win, the most known not to; 0: unknown */
};

struct proof {
    const struct game *game;
    enum color attacker;
    uint64_t nodes;
    struct memory *slots;
    struct move last[PROOF_PLIES_MAX + 1]; /* by the plies left: the move that decided the position
                                            * before; tried first */
};

static struct memory *find_memory(struct proof *proof, const struct position *position)
{
    unsigned char bytes[sizeof *position];
    uint64_t hash = UINT64_C(14695981039346656037); /* FNV-1a */

    memcpy(bytes, position, sizeof bytes);
    for (size_t i = 0; i < sizeof bytes; i++)
        hash = (hash ^ bytes[i]) * UINT64_C(1099511628211);
    struct memory *slot = &proof->slots[(hash ^ hash >> 32) % SLOTS];
    if (memcmp(&slot->position, position, sizeof *position) != 0)
        *slot = (struct memory){.position = *position};
    return slot;
}

static bool wins(struct proof *proof, const struct position *position, int plies);

/* Whether one move of the attacker wins, or all of the other side lose. */
static bool try_moves(struct proof *proof, const struct position *position, int plies)
{
    bool attacks = position->side == proof->attacker;
    struct move moves[MOVES_MAX];
    int count = proof->game->legal(position, moves);

    for (int i = 1; i < count; i++)
        if (move_equal(moves[i], proof->last[plies])) {
            moves[i] = moves[0];
            moves[0] = proof->last[plies];
        }
    for (int i = 0; i < count; i++) {
        struct position next = *position;
        proof->game->apply(&next, moves[i]);
        proof->nodes++;
        if (wins(proof, &next, plies - 1) == attacks) {
            proof->last[plies] = moves[i];
            return attacks;
        }
    }
    return !attacks;
}

static bool wins(struct proof *proof, const struct position *position, int plies)
{
    struct outcome outcome = proof->game->outcome(position);

    if (outcome.result != RESULT_NONE || plies == 0)
        return outcome.result == result_win(proof->attacker);
    if (plies == 1)
        return try_moves(proof, position, plies);
    struct memory *slot = find_memory(proof, position);
    if (slot->won > 0 && plies >= slot->won)
        return true;
    if (plies <= slot->not_won)
        return false;
    bool won = try_moves(proof, position, plies);
    slot = find_memory(proof, position); /* others may have taken it */
    if (won)
        slot->won = plies;
    else
        slot->not_won = plies;
    return won;
}

/* The plies left in a game of placements, as the pieces in hand; 0: other games. */
static int pieces_in_hand(const struct puzzle *puzzle)
{
    char text[POSITION_TEXT_MAX];

    puzzle->game->format(&puzzle->position, text);
    const char *hand = strchr(text, '[');
    return hand != NULL ? (int)strcspn(hand + 1, "]") : 0;
}

/* Whether a wrong move does not win after the reply to it. */
static bool is_refuted(struct proof *proof, const struct puzzle *puzzle, struct move wrong)
{
    struct position next = puzzle->position;
    struct move reply;

    bool answered = puzzle_refutation(puzzle, wrong, &reply);
    proof->game->apply(&next, wrong);
    if (!answered)
        return proof->game->legal(&next, NULL) == 0 && !wins(proof, &next, 0);
    proof->game->apply(&next, reply);
    return !wins(proof, &next, proof->game == &clobber ? ALL_PLIES : puzzle->plies - 2);
}

static bool prove_all(struct proof *proof, const struct puzzle *puzzle, struct cause *cause)
{
    int shortest = proof->game == &clobber ? SHORTEST_CLOBBER_PLIES : SHORTEST_PLIES;
    int in_hand = pieces_in_hand(puzzle);
    struct position next = puzzle->position;
    struct move moves[MOVES_MAX];

    if (puzzle->plies < shortest || (in_hand > 0 && in_hand != puzzle->plies))
        return cause_set(cause, "wins in %d plies", puzzle->plies);
    proof->game->apply(&next, puzzle->answer);
    if (!wins(proof, &next, puzzle->plies - 1))
        return cause_set(cause, "its move does not win");
    if (in_hand == 0 && wins(proof, &puzzle->position, puzzle->plies - 1))
        return cause_set(cause, "it wins in fewer plies");
    int count = proof->game->legal(&puzzle->position, moves);
    for (int i = 0; i < count; i++) {
        char text[MOVE_TEXT_MAX];
        if (move_equal(moves[i], puzzle->answer) || is_refuted(proof, puzzle, moves[i]))
            continue;
        move_format(&puzzle->position, moves[i], text);
        return cause_set(cause, "%s is not refuted", text);
    }
    return true;
}

bool puzzle_prove(const struct puzzle *puzzle, uint64_t *nodes, struct cause *cause)
{
    struct proof proof = {.game = puzzle->game, .attacker = puzzle->position.side};

    proof.slots = xcalloc(SLOTS, sizeof proof.slots[0]);
    bool proved = prove_all(&proof, puzzle, cause);
    *nodes += proof.nodes;
    free(proof.slots);
    return proved;
}
