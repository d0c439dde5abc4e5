"""Topological sort for build targets, reporting cycles."""

from collections import defaultdict, deque


class CycleError(Exception):
    def __init__(self, cycle):
        self.cycle = cycle
        super().__init__(" -> ".join(cycle))


def parse(rules):
    deps = {}
    for rule in rules.split(";"):
        rule = rule.strip()
        if not rule:
            continue
        target, _, rest = rule.partition(":")
        deps.setdefault(target.strip(), set()).update(rest.split())
    for needed in list(deps.values()):
        for name in needed:
            deps.setdefault(name, set())
    return deps


def find_cycle(deps):
    WHITE, GREY, BLACK = range(3)
    color = {n: WHITE for n in deps}
    path = []

    def visit(node):
        color[node] = GREY
        path.append(node)
        for nxt in sorted(deps[node]):
            if color[nxt] == GREY:
                return path[path.index(nxt) :] + [nxt]
            if color[nxt] == WHITE:
                found = visit(nxt)
                if found:
                    return found
        path.pop()
        color[node] = BLACK
        return None

    for n in sorted(deps):
        if color[n] == WHITE:
            cycle = visit(n)
            if cycle:
                return cycle
    return None


def topological(deps):
    indegree = {n: len(d) for n, d in deps.items()}
    users = defaultdict(list)
    for n, ds in deps.items():
        for d in ds:
            users[d].append(n)
    queue = deque(sorted(n for n, k in indegree.items() if k == 0))
    order = []
    while queue:
        n = queue.popleft()
        order.append(n)
        for u in sorted(users[n]):
            indegree[u] -= 1
            if indegree[u] == 0:
                queue.append(u)
    if len(order) < len(deps):
        raise CycleError(find_cycle(deps))
    return order


def levels(deps, order):
    level = {}
    for n in order:
        level[n] = 1 + max((level[d] for d in deps[n]), default=-1)
    out = defaultdict(list)
    for n, lv in level.items():
        out[lv].append(n)
    return [sorted(out[k]) for k in sorted(out)]


def affected(deps, changed):
    """Everything that must be rebuilt when `changed` changes."""
    result = {changed}
    grew = True
    while grew:
        grew = False
        for n, ds in deps.items():
            if n not in result and ds & result:
                result.add(n)
                grew = True
    return sorted(result - {changed})


def main(rules, changed):
    deps = parse(rules)
    try:
        order = topological(deps)
    except CycleError as e:
        print("cycle:", e)
        return {"cycle": e.cycle, "length": len(e.cycle) - 1}
    batches = levels(deps, order)
    for i, batch in enumerate(batches, 1):
        print(f"step {i}: {', '.join(batch)}")
    return {"order": order, "batches": batches, "rebuild": affected(deps, changed)}


ARGS = [
    (
        "app: main.o util.o; main.o: main.c util.h; util.o: util.c util.h; tests: app check.o; check.o: check.c",
        "util.h",
    ),
    (
        "dinner: rice curry; curry: spices onions; rice: water; onions: knife; spices:; table: dinner",
        "knife",
    ),
    ("a: b; b: c d; c: e; d: f; e: a", "a"),
]
