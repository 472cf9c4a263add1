/* Tests matching.h against all matchings of small graphs. */
#include <stddef.h>
#include <stdint.h>

#include "check.h"
#include "server/tournament/matching.h"

enum { VERTICES_MAX = 12, ROUNDS = 6000, EDGES_MAX = VERTICES_MAX * VERTICES_MAX / 2 };

static uint32_t state = 7;

static int random_below(int limit)
{
    state = state * 1664525u + 1013904223u;
    return (int)((state >> 8) % (uint32_t)limit);
}

struct graph {
    int vertices, edges;
    struct matching_edge list[EDGES_MAX];
    int64_t costs[VERTICES_MAX][VERTICES_MAX]; /* -1: no edge */
};

static struct graph make_graph(void)
{
    struct graph graph = {.vertices = 2 * (1 + random_below(VERTICES_MAX / 2))};
    int density = 20 + random_below(81), range = random_below(2) ? 4 : 1000;

    for (int a = 0; a < graph.vertices; a++)
        for (int b = 0; b < a; b++) {
            bool there = random_below(100) < density;
            graph.costs[a][b] = graph.costs[b][a] = there ? random_below(range) : -1;
            if (there)
                graph.list[graph.edges++] = (struct matching_edge){a, b, graph.costs[a][b]};
        }
    return graph;
}

/* The least cost of matching the vertices of a set, or -1: best[set] by trying all mates of the
 * first one. */
static int64_t least_cost(const struct graph *graph)
{
    static int64_t best[1 << VERTICES_MAX];

    best[0] = 0;
    for (unsigned set = 1; set < 1u << graph->vertices; set++) {
        int first = __builtin_ctz(set);
        best[set] = -1;
        for (int mate = first + 1; mate < graph->vertices; mate++) {
            unsigned rest = set & ~(1u << first) & ~(1u << mate);
            if (!(set & 1u << mate) || graph->costs[first][mate] < 0 || best[rest] < 0)
                continue;
            int64_t cost = best[rest] + graph->costs[first][mate];
            if (best[set] < 0 || cost < best[set])
                best[set] = cost;
        }
    }
    return best[(1u << graph->vertices) - 1];
}

static int64_t cost_of(const struct graph *graph, const int *mates)
{
    int64_t cost = 0;

    for (int v = 0; v < graph->vertices; v++) {
        if (mates[v] < 0 || mates[mates[v]] != v || graph->costs[v][mates[v]] < 0)
            return -2;
        cost += v < mates[v] ? graph->costs[v][mates[v]] : 0;
    }
    return cost;
}

static void test_all_small(void)
{
    for (int round = 0; round < ROUNDS && check_failures() < 5; round++) {
        struct graph graph = make_graph();
        int mates[VERTICES_MAX];
        int64_t least = least_cost(&graph);
        bool found = matching_find(graph.vertices, graph.list, graph.edges, mates);
        check_about("graph %d", round);
        CHECK(found == (least >= 0));
        if (found)
            CHECK_INT(cost_of(&graph, mates), least);
    }
}

static void test_edges_of_the_range(void)
{
    const struct matching_edge square[] = {
        {0, 1, INT64_C(1) << 45}, {2, 3, 0}, {1, 2, 1}, {3, 0, 1}};
    int mates[4];

    check_about("ends of the range");
    CHECK(matching_find(0, NULL, 0, mates));
    CHECK(!matching_find(1, NULL, 0, mates));
    CHECK(!matching_find(2, NULL, 0, mates));
    CHECK(matching_find(4, square, 4, mates));
    CHECK_INT(mates[0], 3);
    CHECK(matching_find(4, square, 2, mates));
    CHECK_INT(mates[0], 1);
}

int main(void)
{
    test_all_small();
    test_edges_of_the_range();
    return check_end("test_matching");
}
