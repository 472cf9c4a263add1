/*
 * Terms: a blossom is an odd circle of vertices and smaller blossoms, which counts as one vertex of
 * the tree. Its ring lists them from the one that holds its base, the vertex that is matched
 * outside it. Vertices are numbered from 0, blossoms from the number of vertices on; a node is
 * either.
 *
 * Weights are the negative costs, so the sum of weights is maximal. Every edge keeps
 * slack = dual(a) + dual(b) - 2 * weight >= 0 as long as its ends lie in different outermost nodes,
 * and matched edges are tight (slack 0). The tree grows by tight edges from one free vertex; its
 * nodes are outer (even distance from the root) or inner. When no tight edge is left, the duals
 * change until there is one.
 */
#include "matching.h"

#include <stdlib.h>
#include <string.h>

#include "common/xmalloc.h"

enum { NONE = -1 };
enum label { UNLABELLED, OUTER, INNER };

/* The edge by which a node hangs in the tree, or one between neighbours in a ring. */
struct link {
    int from, to; /* vertices; `from` NONE: the root */
};

struct ring {
    int count;
    int *nodes;         /* owned */
    struct link *links; /* owned; from nodes[i] to the next one */
};

struct solver {
    int vertices, nodes;
    const struct matching_edge *edges;
    int *first, *incident; /* edges by vertex: incident[first[v] .. first[v + 1] - 1] */
    int *mates;
    int64_t *duals;     /* by node; those of blossoms are never negative */
    int *parents;       /* by node: the blossom that it lies in, or NONE */
    int *outermost;     /* by vertex: the node in no blossom that holds it */
    int *bases;         /* by node */
    struct ring *rings; /* by node; of blossoms */
    enum label *labels; /* by outermost node */
    struct link *links; /* by labelled node */
    int *unused, unused_count;
    int *queue, queued, scanned; /* outer vertices, and how many of them were scanned for edges */
};

static bool is_blossom(const struct solver *solver, int node)
{
    return node >= solver->vertices;
}

static int64_t slack_of(const struct solver *solver, const struct matching_edge *edge)
{
    return solver->duals[edge->a] + solver->duals[edge->b] + 2 * edge->cost;
}

static int other_end(const struct matching_edge *edge, int vertex)
{
    return edge->a == vertex ? edge->b : edge->a;
}

/* Moves all vertices of a node to the outermost node `outermost`, and queues them if they have just
 * become outer ones. */
static void claim_vertices(struct solver *solver, int node, int outermost, bool queue)
{
    if (!is_blossom(solver, node)) {
        solver->outermost[node] = outermost;
        if (queue)
            solver->queue[solver->queued++] = node;
        return;
    }
    for (int i = 0; i < solver->rings[node].count; i++)
        claim_vertices(solver, solver->rings[node].nodes[i], outermost, queue);
}

static void label_node(struct solver *solver, int node, enum label label, struct link link)
{
    solver->labels[node] = label;
    solver->links[node] = link;
    if (label == OUTER)
        claim_vertices(solver, node, node, true);
}

/* Returns the node in the ring of `blossom` that holds a vertex. */
static int place_in_ring(const struct solver *solver, int blossom, int vertex)
{
    int node = vertex, place = 0;

    while (solver->parents[node] != blossom)
        node = solver->parents[node];
    while (solver->rings[blossom].nodes[place] != node)
        place++;
    return place;
}

/* Turns a ring so that the node at `place` is the first. */
static void turn_ring(struct ring *ring, int place)
{
    struct ring old = *ring;

    ring->nodes = xcalloc((size_t)ring->count, sizeof *ring->nodes);
    ring->links = xcalloc((size_t)ring->count, sizeof *ring->links);
    for (int i = 0; i < ring->count; i++) {
        ring->nodes[i] = old.nodes[(i + place) % ring->count];
        ring->links[i] = old.links[(i + place) % ring->count];
    }
    free(old.nodes);
    free(old.links);
}

/* Returns the link from the node at `place` to the next one in a direction, 1 or -1. */
static struct link link_to_next(const struct ring *ring, int place, int direction)
{
    if (direction == 1)
        return ring->links[place];
    struct link link = ring->links[(place + ring->count - 1) % ring->count];
    return (struct link){link.to, link.from};
}

static void match_pair(struct solver *solver, int a, int b)
{
    solver->mates[a] = b;
    solver->mates[b] = a;
}

/* The way round a ring from a node to the first one that has an even number of steps. */
static int even_way(int place)
{
    return place % 2 == 0 ? -1 : 1;
}

/* Changes the matching inside a node so that `vertex` is its base. */
static void move_base(struct solver *solver, int node, int vertex)
{
    if (!is_blossom(solver, node))
        return;
    struct ring *ring = &solver->rings[node];
    int place = place_in_ring(solver, node, vertex), direction = even_way(place);

    move_base(solver, ring->nodes[place], vertex);
    for (int i = place; i % ring->count != 0;) {
        i = (i + direction) % ring->count;
        int next = (i + direction) % ring->count;
        struct link link = link_to_next(ring, i, direction);
        move_base(solver, ring->nodes[i], link.from);
        move_base(solver, ring->nodes[next], link.to);
        match_pair(solver, link.from, link.to);
        i = next;
    }
    turn_ring(ring, place);
    solver->bases[node] = vertex;
}

/* Matches along the tree from a tight edge to the free node that it leads to up to the root. */
static void augment_path(struct solver *solver, struct link edge)
{
    move_base(solver, solver->outermost[edge.to], edge.to);
    while (true) {
        int outer = solver->outermost[edge.from];
        move_base(solver, outer, edge.from);
        match_pair(solver, edge.from, edge.to);
        int inner_vertex = solver->links[outer].from;
        if (inner_vertex == NONE)
            return;
        edge = solver->links[solver->outermost[inner_vertex]];
        move_base(solver, solver->outermost[edge.to], edge.to);
    }
}

/* Returns the outer node two steps nearer to the root, or NONE. */
static int grandparent_of(const struct solver *solver, int outer)
{
    int inner_vertex = solver->links[outer].from;

    if (inner_vertex == NONE)
        return NONE;
    return solver->outermost[solver->links[solver->outermost[inner_vertex]].from];
}

static int depth_of(const struct solver *solver, int outer)
{
    int steps = 0;

    for (int node = outer; node != NONE; node = grandparent_of(solver, node))
        steps++;
    return steps;
}

/* Returns the outer node nearest to two outer nodes on their ways to the root. */
static int meeting_point(const struct solver *solver, int a, int b)
{
    int a_depth = depth_of(solver, a), b_depth = depth_of(solver, b);

    while (a != b) {
        bool from_a = a_depth >= b_depth;
        if (from_a)
            a = grandparent_of(solver, a), a_depth--;
        else
            b = grandparent_of(solver, b), b_depth--;
    }
    return a;
}

/* Lists the nodes from `outer` to before `end`, which is nearer to the root, and the links between
 * them. Returns how many. */
static int list_way(const struct solver *solver, int outer, int end, int *nodes, struct link *links)
{
    int count = 0;

    for (int node = outer; node != end;) {
        nodes[count] = node;
        links[count++] = solver->links[node];
        node = solver->outermost[solver->links[node].from];
    }
    return count;
}

static void add_to_ring(struct ring *ring, int node, struct link link)
{
    ring->nodes[ring->count] = node;
    ring->links[ring->count++] = link;
}

/* Makes the ring of a tight edge between two outer nodes and their ways to where they meet. */
static struct ring make_ring(const struct solver *solver, struct link edge, int meeting)
{
    int *nodes = xcalloc((size_t)solver->nodes, sizeof *nodes);
    struct link *links = xcalloc((size_t)solver->nodes, sizeof *links);
    struct ring ring = {.nodes = xcalloc((size_t)solver->nodes + 1, sizeof *ring.nodes),
                        .links = xcalloc((size_t)solver->nodes + 1, sizeof *ring.links)};

    int down = list_way(solver, solver->outermost[edge.from], meeting, nodes, links);
    add_to_ring(&ring, meeting, down > 0 ? links[down - 1] : edge);
    for (int i = down - 1; i >= 0; i--)
        add_to_ring(&ring, nodes[i], i > 0 ? links[i - 1] : edge);
    int up = list_way(solver, solver->outermost[edge.to], meeting, nodes, links);
    for (int i = 0; i < up; i++)
        add_to_ring(&ring, nodes[i], (struct link){links[i].to, links[i].from});
    free(nodes);
    free(links);
    ring.nodes = xreallocarray(ring.nodes, (size_t)ring.count, sizeof *ring.nodes);
    ring.links = xreallocarray(ring.links, (size_t)ring.count, sizeof *ring.links);
    return ring;
}

/* Shrinks the circle that a tight edge between two outer nodes closes into a blossom. */
static void shrink_blossom(struct solver *solver, struct link edge)
{
    int meeting = meeting_point(solver, solver->outermost[edge.from], solver->outermost[edge.to]);
    struct ring ring = make_ring(solver, edge, meeting);
    int blossom = solver->unused[--solver->unused_count];

    solver->rings[blossom] = ring;
    solver->duals[blossom] = 0;
    solver->parents[blossom] = NONE;
    solver->bases[blossom] = solver->bases[meeting];
    solver->labels[blossom] = OUTER;
    solver->links[blossom] = solver->links[meeting];
    for (int i = 0; i < ring.count; i++) {
        solver->parents[ring.nodes[i]] = blossom;
        claim_vertices(solver, ring.nodes[i], blossom, solver->labels[ring.nodes[i]] == INNER);
    }
}

/* Takes a blossom apart: its nodes become outermost, without labels. Returns its ring, which the
 * caller owns. */
static struct ring dissolve_blossom(struct solver *solver, int blossom)
{
    struct ring ring = solver->rings[blossom];

    for (int i = 0; i < ring.count; i++) {
        solver->parents[ring.nodes[i]] = NONE;
        solver->labels[ring.nodes[i]] = UNLABELLED;
        claim_vertices(solver, ring.nodes[i], ring.nodes[i], false);
    }
    solver->rings[blossom] = (struct ring){0};
    solver->unused[solver->unused_count++] = blossom;
    return ring;
}

static void free_ring(struct ring *ring)
{
    free(ring->nodes);
    free(ring->links);
}

/* Takes an inner blossom apart whose dual has become 0. The way through it that has an even number
 * of steps stays in the tree. */
static void expand_blossom(struct solver *solver, int blossom)
{
    struct link enters = solver->links[blossom];
    int place = place_in_ring(solver, blossom, enters.to), direction = even_way(place);
    struct ring ring = dissolve_blossom(solver, blossom);

    label_node(solver, ring.nodes[place], INNER, enters);
    for (int i = place; i % ring.count != 0;) {
        int outer = (i + direction) % ring.count, inner = (outer + direction) % ring.count;
        label_node(solver, ring.nodes[outer], OUTER, link_to_next(&ring, i, direction));
        label_node(solver, ring.nodes[inner], INNER, link_to_next(&ring, outer, direction));
        i = inner;
    }
    free_ring(&ring);
}

/* Takes a tight edge from an outer vertex to another node into the tree. True: the matching has
 * grown, and the tree is done. */
static bool take_edge(struct solver *solver, struct link edge)
{
    int node = solver->outermost[edge.to];

    if (node == solver->outermost[edge.from] || solver->labels[node] == INNER)
        return false;
    if (solver->labels[node] == OUTER) {
        shrink_blossom(solver, edge);
        return false;
    }
    int base = solver->bases[node], mate = solver->mates[base];
    if (mate == NONE) {
        augment_path(solver, edge);
        return true;
    }
    label_node(solver, node, INNER, edge);
    label_node(solver, solver->outermost[mate], OUTER, (struct link){base, mate});
    return false;
}

/* Grows the tree by all tight edges. True: the matching has grown. */
static bool grow_tree(struct solver *solver)
{
    while (solver->scanned < solver->queued) {
        int vertex = solver->queue[solver->scanned++];
        for (int i = solver->first[vertex]; i < solver->first[vertex + 1]; i++) {
            const struct matching_edge *edge = &solver->edges[solver->incident[i]];
            struct link link = {vertex, other_end(edge, vertex)};
            if (solver->outermost[link.from] != solver->outermost[link.to] &&
                slack_of(solver, edge) == 0 && take_edge(solver, link))
                return true;
        }
    }
    return false;
}

/* Returns how far the duals may change until the edge is tight; INT64_MAX: it does not limit them.
 */
static int64_t room_of_edge(const struct solver *solver, int vertex,
                            const struct matching_edge *edge)
{
    int node = solver->outermost[other_end(edge, vertex)];

    if (node == solver->outermost[vertex] || solver->labels[node] == INNER)
        return INT64_MAX;
    return solver->labels[node] == OUTER ? slack_of(solver, edge) / 2 : slack_of(solver, edge);
}

/* Returns how far the duals may change; INT64_MAX: for ever, so there is no perfect matching. */
static int64_t find_room(const struct solver *solver)
{
    int64_t room = INT64_MAX;

    for (int i = 0; i < solver->queued; i++) {
        int vertex = solver->queue[i];
        for (int j = solver->first[vertex]; j < solver->first[vertex + 1]; j++) {
            int64_t here = room_of_edge(solver, vertex, &solver->edges[solver->incident[j]]);
            room = here < room ? here : room;
        }
    }
    for (int node = solver->vertices; node < solver->nodes; node++)
        if (solver->rings[node].count > 0 && solver->parents[node] == NONE &&
            solver->labels[node] == INNER && solver->duals[node] / 2 < room)
            room = solver->duals[node] / 2;
    return room;
}

static void change_duals(struct solver *solver, int64_t by)
{
    static const int signs[] = {[UNLABELLED] = 0, [OUTER] = -1, [INNER] = 1};

    for (int v = 0; v < solver->vertices; v++)
        solver->duals[v] += signs[solver->labels[solver->outermost[v]]] * by;
    for (int node = solver->vertices; node < solver->nodes; node++)
        if (solver->rings[node].count > 0 && solver->parents[node] == NONE)
            solver->duals[node] -= signs[solver->labels[node]] * 2 * by;
}

/* Expands the inner blossoms whose dual is 0, and queues all outer vertices again. */
static void expand_all(struct solver *solver)
{
    for (int node = solver->vertices; node < solver->nodes; node++)
        if (solver->rings[node].count > 0 && solver->parents[node] == NONE &&
            solver->labels[node] == INNER && solver->duals[node] == 0)
            expand_blossom(solver, node);
    solver->scanned = 0;
}

/* Dissolves the outermost blossoms whose dual is 0, with those inside them. */
static void dissolve_all(struct solver *solver)
{
    for (int pass = 0, found = 1; found > 0 && pass < solver->vertices; pass++) {
        found = 0;
        for (int node = solver->vertices; node < solver->nodes; node++)
            if (solver->rings[node].count > 0 && solver->parents[node] == NONE &&
                solver->duals[node] == 0) {
                struct ring ring = dissolve_blossom(solver, node);
                free_ring(&ring);
                found++;
            }
    }
}

/* Finds a mate for a free vertex. False: there is no perfect matching. */
static bool find_mate(struct solver *solver, int root)
{
    for (int node = 0; node < solver->nodes; node++)
        solver->labels[node] = UNLABELLED;
    solver->queued = solver->scanned = 0;
    label_node(solver, solver->outermost[root], OUTER, (struct link){NONE, root});
    while (!grow_tree(solver)) {
        int64_t room = find_room(solver);
        if (room == INT64_MAX)
            return false;
        change_duals(solver, room);
        expand_all(solver);
    }
    dissolve_all(solver);
    return true;
}

static void index_edges(struct solver *solver, int edge_count)
{
    for (int i = 0; i < edge_count; i++) {
        solver->first[solver->edges[i].a + 1]++;
        solver->first[solver->edges[i].b + 1]++;
    }
    for (int v = 0; v < solver->vertices; v++)
        solver->first[v + 1] += solver->first[v];
    int *next = xcalloc((size_t)solver->vertices + 1, sizeof *next);
    memcpy(next, solver->first, (size_t)solver->vertices * sizeof *next);
    for (int i = 0; i < edge_count; i++) {
        solver->incident[next[solver->edges[i].a]++] = i;
        solver->incident[next[solver->edges[i].b]++] = i;
    }
    free(next);
}

/* Lowers the dual of a free vertex until an edge is tight, and takes that edge if its other end is
 * free. Most vertices find their mates so, without a tree. Duals stay even: then all slacks within
 * a tree are. */
static void begin_vertex(struct solver *solver, int vertex)
{
    int64_t least = INT64_MAX;
    int mate = NONE;

    for (int i = solver->first[vertex]; i < solver->first[vertex + 1]; i++) {
        const struct matching_edge *edge = &solver->edges[solver->incident[i]];
        int64_t here = slack_of(solver, edge);
        int end = other_end(edge, vertex);
        bool better = here == least && mate == NONE && solver->mates[end] == NONE;
        if (here < least || better) {
            least = here;
            mate = solver->mates[end] == NONE ? end : NONE;
        }
    }
    if (least == INT64_MAX)
        return;
    solver->duals[vertex] -= least;
    if (mate != NONE)
        match_pair(solver, vertex, mate);
}

static void solver_init(struct solver *solver, int edge_count)
{
    size_t vertices = (size_t)solver->vertices, nodes = 2 * vertices;

    solver->nodes = (int)nodes;
    solver->first = xcalloc(vertices + 1, sizeof *solver->first);
    solver->incident = xcalloc(2 * (size_t)edge_count + 1, sizeof *solver->incident);
    solver->duals = xcalloc(nodes, sizeof *solver->duals);
    solver->parents = xcalloc(nodes, sizeof *solver->parents);
    solver->outermost = xcalloc(vertices, sizeof *solver->outermost);
    solver->bases = xcalloc(nodes, sizeof *solver->bases);
    solver->rings = xcalloc(nodes, sizeof *solver->rings);
    solver->labels = xcalloc(nodes, sizeof *solver->labels);
    solver->links = xcalloc(nodes, sizeof *solver->links);
    solver->unused = xcalloc(vertices, sizeof *solver->unused);
    solver->queue = xcalloc(vertices, sizeof *solver->queue);
    for (int i = 0; i < solver->vertices; i++) {
        solver->mates[i] = NONE;
        solver->outermost[i] = solver->bases[i] = i;
        solver->unused[solver->unused_count++] = solver->nodes - 1 - i;
    }
    for (int i = 0; i < solver->nodes; i++)
        solver->parents[i] = NONE;
    index_edges(solver, edge_count);
}

static void solver_release(struct solver *solver)
{
    for (int i = 0; i < solver->nodes; i++)
        free_ring(&solver->rings[i]);
    free(solver->first);
    free(solver->incident);
    free(solver->duals);
    free(solver->parents);
    free(solver->outermost);
    free(solver->bases);
    free(solver->rings);
    free(solver->labels);
    free(solver->links);
    free(solver->unused);
    free(solver->queue);
}

bool matching_find(int vertices, const struct matching_edge *edges, int edge_count, int *mates)
{
    struct solver solver = {.vertices = vertices, .edges = edges, .mates = mates};
    bool perfect = vertices % 2 == 0;

    solver_init(&solver, edge_count);
    for (int v = 0; v < vertices; v++)
        if (mates[v] == NONE)
            begin_vertex(&solver, v);
    for (int v = 0; perfect && v < vertices; v++)
        if (mates[v] == NONE)
            perfect = find_mate(&solver, v);
    solver_release(&solver);
    return perfect;
}
