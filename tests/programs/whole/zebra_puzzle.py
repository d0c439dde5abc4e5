"""Small constraint solver; zebra puzzle, map colouring and a magic square."""

from collections import deque
from typing import Callable


class Constraint:
    def __init__(self, names, check: Callable, label=""):
        self.names = tuple(names)
        self.check = check
        self.label = label

    def holds(self, assignment):
        if any(n not in assignment for n in self.names):
            return True
        return self.check(*(assignment[n] for n in self.names))


class Problem:
    def __init__(self, forward=True):
        self.domains = {}
        self.constraints = []
        self.forward = forward
        self.nodes = 0

    def variable(self, name, domain):
        self.domains[name] = list(domain)

    def add(self, check, *names, label=""):
        self.constraints.append(Constraint(names, check, label))

    def all_different(self, names):
        names = list(names)
        for i, a in enumerate(names):
            for b in names[i + 1 :]:
                self.add(lambda x, y: x != y, a, b)

    def neighbours(self, name):
        return [c for c in self.constraints if name in c.names]

    def arc_consistency(self):
        queue = deque((c, n) for c in self.constraints if len(c.names) == 2 for n in c.names)
        removed = 0
        while queue:
            c, name = queue.popleft()
            (other,) = [n for n in c.names if n != name]
            keep = [
                v
                for v in self.domains[name]
                if any(c.holds({name: v, other: w}) for w in self.domains[other])
            ]
            if len(keep) < len(self.domains[name]):
                removed += len(self.domains[name]) - len(keep)
                self.domains[name] = keep
                for d in self.neighbours(name):
                    if len(d.names) == 2 and d is not c:
                        queue.extend((d, n) for n in d.names if n != name)
        return removed

    def solutions(self, assignment=None):
        assignment = {} if assignment is None else assignment
        if len(assignment) == len(self.domains):
            yield dict(assignment)
            return
        name = min(
            (n for n in self.domains if n not in assignment),
            key=lambda n: (len(self.domains[n]), -len(self.neighbours(n))),
        )
        related = self.neighbours(name)
        for value in self.domains[name]:
            self.nodes += 1
            assignment[name] = value
            if all(c.holds(assignment) for c in related):
                yield from self.solutions(assignment)
            del assignment[name]


def zebra(kinds, same, next_to):
    p = Problem()
    for kind in kinds:
        for name in kind:
            p.variable(name, range(1, len(kind) + 1))
        p.all_different(kind)
    for a, b in same:
        p.add(lambda x, y: x == y, a, b)
    for a, b in next_to:
        p.add(lambda x, y: abs(x - y) == 1, a, b)
    return p


def colouring(borders, colours):
    p = Problem()
    for a, bs in borders.items():
        p.variable(a, colours)
    for a, bs in borders.items():
        for b in bs:
            p.add(lambda x, y: x != y, a, b)
    return p


def main(kinds, same, next_to, colours):
    p = zebra(kinds, same, next_to)
    p.domains[kinds[0][0]] = [1]
    pruned = p.arc_consistency()
    found = list(p.solutions())
    for s in found[:2]:
        houses = [[n for n, h in s.items() if h == k] for k in range(1, len(kinds[0]) + 1)]
        print(" | ".join("+".join(h) for h in houses))
    atlas = {"WA": "NT SA", "NT": "SA Q", "SA": "Q NSW V", "Q": "NSW", "NSW": "V", "V": "", "T": ""}
    q = colouring({k: v.split() for k, v in atlas.items()}, colours)
    count = sum(1 for _ in q.solutions())
    first = next(q.solutions(), None)
    return found, pruned, p.nodes, count, first


ARGS = [
    (
        [["norwegian", "dane", "brit"], ["red", "blue", "white"], ["cat", "zebra", "fish"]],
        [("brit", "red"), ("fish", "white"), ("norwegian", "blue")],
        [("zebra", "red")],
        ["r", "g", "b"],
    ),
    (
        [["ann", "bob", "cat", "dan"], ["tea", "milk", "beer", "wine"]],
        [("ann", "milk")],
        [("bob", "tea"), ("wine", "milk"), ("dan", "ann")],
        ["black", "white"],
    ),
]
