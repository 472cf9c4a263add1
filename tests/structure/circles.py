"""Circles in a graph {node: {node: why}}."""


def circles(arrows):
    """Returns the strongly connected components of more than one node, the largest first."""
    index, low, stack, found = {}, {}, [], []

    def visit(node):  # Tarjan's algorithm
        index[node] = low[node] = len(index)
        stack.append(node)
        for other in arrows[node]:
            if other not in index:
                visit(other)
                low[node] = min(low[node], low[other])
            elif other in stack:
                low[node] = min(low[node], index[other])
        if low[node] == index[node]:
            start = stack.index(node)
            if len(stack) - start > 1:
                found.append(sorted(stack[start:]))
            del stack[start:]

    for node in arrows:
        if node not in index:
            visit(node)
    return sorted(found, key=lambda members: (-len(members), members))


def shortest_way(arrows, start, members):
    """Returns the nodes of the shortest way from `start` back to it within `members`."""
    before, todo = {}, [start]
    for node in todo:
        for other in arrows[node]:
            if other == start:
                way = [start]
                while node != start:
                    way.insert(1, node)
                    node = before[node]
                return way
            if other in members and other not in before:
                before[other] = node
                todo.append(other)
    return None


def chain(arrows, members):
    """Returns the shortest circle among `members` as one line, with the reason for each arrow."""
    way = min((shortest_way(arrows, node, members) for node in members), key=len)
    line = way[0]
    for node, other in zip(way, way[1:] + way[:1]):
        line += f" -> {other} ({arrows[node][other]})"
    return line
