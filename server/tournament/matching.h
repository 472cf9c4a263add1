/*
 * Minimum-weight perfect matching in a sparse graph: Edmonds' blossom algorithm, in its primal-dual
 * form (J. Edmonds, "Maximum matching and a polyhedron with 0,1-vertices", 1965), with one
 * alternating tree at a time as in C. Rolf's and H. Gabow's descriptions of it.
 *
 * It knows nothing of players: swiss.h turns them into vertices and the rules into costs.
 */
#ifndef LUDUS_MATCHING_H
#define LUDUS_MATCHING_H

#include <stdbool.h>
#include <stdint.h>

enum { MATCHING_COST_MAX_LOG2 = 45 }; /* sums of costs stay far from overflow */

/* Two vertices that may be matched. Each pair occurs once at most. */
struct matching_edge {
    int a, b;
    int64_t cost; /* from 0 to 2^MATCHING_COST_MAX_LOG2 */
};

/* Matches all vertices 0 .. vertices - 1 in pairs so that the sum of the costs is minimal: mates[v]
 * is who v is matched with. Equal input gives equal output. False: that is not possible. */
bool matching_find(int vertices, const struct matching_edge *edges, int edge_count, int *mates);

#endif
