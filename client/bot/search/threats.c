#include "threats.h"

enum { NODES_A_LOOK = 64 }; /* between two looks at the clock */

struct threat_search {
    const struct search_question *question;
    const struct game *game;
    const struct guide *guide;
    uint64_t nodes, most;
    struct move first; /* of the win, if one was found */
};

static bool is_exhausted(struct threat_search *s)
{
    if (s->nodes % NODES_A_LOOK == 0 && question_is_due(s->question, s->nodes))
        s->most = 0;
    return s->nodes >= s->most;
}

/* Whether the position occurred in the match: the side that likes a draw can go on repeating. */
static bool occurred(const struct threat_search *s, const struct position *position)
{
    return s->game->repetition_draws && s->question->history.count > 1 &&
           history_count(&s->question->history, s->game->key(position)) > 0;
}

static bool defends(struct threat_search *s, const struct position *position, int plies);

/* Returns whether the side to move wins within `plies` plies, each of its moves a win or a threat.
 * What is not found in time counts as no win. */
static bool attacks(struct threat_search *s, const struct position *position, int plies)
{
    struct move moves[MOVES_MAX];
    uint64_t vital = s->guide->vital(position);

    if (plies == 1 && (vital & (vital - 1)) != 0)
        return false; /* one move does not fill two gaps */
    int count = s->game->legal(position, moves);
    for (int i = 0; i < count && !is_exhausted(s); i++) {
        struct position next = *position;
        if (plies == 1 && !(vital >> moves[i].to & 1))
            continue;
        s->game->apply(&next, moves[i]);
        s->nodes++;
        bool wins = s->game->outcome(&next).result == result_win(position->side) ||
                    (plies > 1 && s->guide->threatened(&next) && !occurred(s, &next) &&
                     !defends(s, &next, plies - 1));
        if (wins) {
            s->first = moves[i];
            return true;
        }
    }
    return false;
}

/* Whether the side to move has a reply after which the other one is not known to win within the
 * plies that are left. */
static bool defends(struct threat_search *s, const struct position *position, int plies)
{
    struct move moves[MOVES_MAX];
    int count = s->game->legal(position, moves);

    for (int i = 0; i < count; i++) {
        struct position next = *position;
        if (is_exhausted(s))
            return true;
        s->game->apply(&next, moves[i]);
        s->nodes++;
        if (occurred(s, &next))
            return true;
        /* Most replies leave the threat as it is. */
        if (!attacks(s, &next, 1) && (plies <= 2 || !attacks(s, &next, plies - 1)))
            return true;
    }
    return count == 0;
}

int find_threats(const struct search_question *question, const struct guide *guide, uint64_t most,
                 uint64_t *nodes, struct move *move)
{
    struct threat_search s = {
        .question = question, .game = question->game, .guide = guide, .most = most};
    int found = 0;

    for (int plies = 1; plies <= THREAT_PLIES && found == 0 && s.nodes < s.most; plies += 2)
        found = attacks(&s, &question->position, plies) ? plies : 0;
    *nodes += s.nodes;
    *move = s.first;
    return found;
}
