def strongly_connected_components(graph):
    index_counter = [0]
    stack = []
    lowlink = {}
    index = {}
    result = []

    def strongconnect(node):
        index[node] = index_counter[0]
        lowlink[node] = index_counter[0]
        index_counter[0] += 1
        stack.append(node)
        for succ in graph.get(node, []):
            if succ not in index:
                strongconnect(succ)
                lowlink[node] = min(lowlink[node], lowlink[succ])
            elif succ in stack:
                lowlink[node] = min(lowlink[node], index[succ])
        if lowlink[node] == index[node]:
            component = []
            while True:
                succ = stack.pop()
                component.append(succ)
                if succ == node:
                    break
            result.append(tuple(component))

    for node in graph:
        if node not in index:
            strongconnect(node)
    return result


def main(graph):
    sccs = strongly_connected_components(graph)
    for i, comp in enumerate(sccs, 1):
        print(f"{i}: {', '.join(sorted(comp))}")
    biggest = max(sccs, key=len)
    return sccs, sorted(biggest)


ARGS = [
    ({"a": ["b"], "b": ["c", "e"], "c": ["a", "d"], "d": ["e"], "e": ["f"], "f": ["d"], "g": []},),
    ({"x": ["y"], "y": ["x"]},),
]
