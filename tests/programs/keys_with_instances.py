"""Tuples as keys that hold what is compared by an __eq__: frozensets, flags, instances."""

from collections import deque
from enum import Flag, auto
from typing import NamedTuple


class Bits(Flag):
    SYN = auto()
    ACK = auto()


class State(NamedTuple):
    player: tuple
    boxes: frozenset


class Name:
    def __init__(self, text):
        self.text = text

    def __eq__(self, other):
        return self.text.lower() == other.text.lower()

    def __hash__(self):
        return hash(self.text.lower())


class NoHash:
    def __init__(self, n):
        self.n = n

    def __eq__(self, other):
        return self.n == other.n


def flags(n):
    seen = {}
    for k in range(n):
        seen[k % 2, Bits.SYN if k % 3 else Bits.SYN | Bits.ACK] = k
    return seen[0, Bits.SYN], len(seen), (1, Bits.ACK) in seen


def frozensets(n):
    seen = {(0, frozenset(range(n))): 1}
    for k in range(n):
        seen[k % 2, frozenset([k % 3, n])] = k
    return (
        seen[0, frozenset(range(n))],
        [seen.get((k % 2, frozenset([n, k % 3])), -1) for k in range(n + 1)],
        (5, frozenset([n])) in seen,
        len(seen),
    )


def in_a_set(n):
    seen = set()
    for k in range(n):
        seen.add((k % 2, frozenset([k % 2])))
    seen.discard((1, frozenset([1])))
    seen.discard((7, frozenset([1])))
    return len(seen), (0, frozenset([0])) in seen, (1, frozenset([1])) in seen


def removed(n):
    d = {(k, frozenset([k])): k for k in range(n)}
    del d[1, frozenset([1])]
    return d.pop((2, frozenset([2]))), d.pop((9, frozenset([2])), None), len(d)


def missing(n):
    d = {(k, frozenset([k])): k for k in range(n)}
    return d[n, frozenset([n])]


def missing_when_popped(n):
    d = {(k, frozenset([k])): k for k in range(n)}
    return d.pop((n, frozenset([n])))


def missing_when_removed(n):
    s = {(k, frozenset([k])) for k in range(n)}
    s.remove((n, frozenset([n])))
    return len(s)


def named_and_plain(n):
    d = {State((k, 0), frozenset([k])): k for k in range(n)}
    e = {((k, 0), frozenset([k])): k for k in range(n)}
    plain = ((1, 0), frozenset([1]))
    named = State((2, 0), frozenset([2]))
    return d[plain], plain in d, e[named], named in e, len(d), [s.player for s in d]


def own_classes(words):
    count = {}
    for k, word in enumerate(words):
        key = (Name(word), len(word))
        count[key] = count.get(key, 0) + k + 1
    return [(name.text, size, n) for (name, size), n in count.items()]


def nested(words):
    count = {}
    for word in words:
        key = (1, (Name(word), word[0].lower()))
        count[key] = count.get(key, 0) + 1
    return list(count.values())


def unhashable(n):
    d = {}
    d[n, NoHash(n)] = 1
    return len(d)


def maybe_none(n):
    player = None
    for k in range(n):
        if k == 2:
            player = (k, k)
    start = (player, frozenset([n]))
    d = {start: 1}
    for k in range(n):
        d[(k, 0), frozenset([n])] = k
    return d[start], start in d, [d[t] for t in d]


def hashed(n):
    a, b = (1, frozenset([n])), (1, frozenset([n]))
    inner = frozenset([a])
    return hash(a) == hash(b), hash(inner) == hash(frozenset([b])), a in inner, len(inner | {b})


def set_operators(n):
    a = {(i, frozenset([i])) for i in range(n)}
    b = {(i, frozenset([i])) for i in range(2, n + 2)}
    both = sorted(i for i, _ in a & b), sorted(i for i, _ in a ^ b)
    a |= b
    return len(a), both, len(a - b), a >= b, b.isdisjoint(a)


class Alike:
    def __init__(self, n):
        self.n = n

    def __eq__(self, other):
        return True

    def __hash__(self):
        return self.n


def asks_only_of_one_hash(n):
    return len({Alike(k) for k in range(n)}), len({(1, Alike(k)) for k in range(n)})


def searched(n):
    start = State((0, 0), frozenset([(2, 0), (5, 0)]))
    parents = {start: None}
    queue = deque([start])
    while queue and len(parents) < n:
        state = queue.popleft()
        for step in (1, 2):
            at = (state.player[0] + step, 0)
            boxes = state.boxes
            if at in boxes:
                boxes = boxes - {at} | {(at[0] + 3, 1)}
            found = State(at, boxes)
            if found not in parents:
                parents[found] = ("x" * step, state)
                queue.append(found)
    steps = []
    while parents[state] is not None:
        name, state = parents[state]
        steps.append(name)
    return steps, len(parents), sorted(state.boxes)


CASES = [
    (flags, (12,)),
    (frozensets, (5,)),
    (in_a_set, (5,)),
    (removed, (4,)),
    (missing, (4,)),
    (missing_when_popped, (4,)),
    (missing_when_removed, (4,)),
    (named_and_plain, (4,)),
    (own_classes, (["Ab", "cd", "aB", "CD", "ab", "x"],)),
    (nested, (["Ab", "cd", "aB", "CD", "ab", "x"],)),
    (unhashable, (3,)),
    (maybe_none, (2,)),
    (maybe_none, (5,)),
    (searched, (30,)),
    (hashed, (3,)),
    (asks_only_of_one_hash, (4,)),
    (set_operators, (4,)),
]
