"""frozenset: made, compared, as key and item."""


def made(n):
    return frozenset([1, 2, n])


def items(n):
    s = set()
    for i in range(n):
        s.add(frozenset([i % 3, i % 2]))
    return len(s)


def operators(n):
    a = frozenset(range(n))
    b = frozenset([1, 2, 99])
    return (
        sorted(a | b),
        sorted(a & b),
        sorted(a - b),
        sorted(a ^ b),
        a <= b,
        a.issubset(b),
        3 in a,
        len(a),
        a == b,
        a == {1, 2},
        hash(frozenset([1, 2, n])) == hash(frozenset([n, 2, 1])),
    )


def hashes(n):
    return hash(frozenset([1, 2, n])), hash(frozenset()), hash(frozenset(["a", "b"]))


def anagrams(words):
    d = {}
    for w in words:
        d.setdefault(frozenset(w), []).append(w)
    return sorted(d.values())


def subsets(n):
    seen = {frozenset()}
    queue = [frozenset()]
    for s in queue:
        for i in range(n):
            t = s | {i}
            if t not in seen:
                seen.add(t)
                queue.append(t)
    return len(queue)


def keys(n):
    return {frozenset([i, i + 1]): i for i in range(n)}


def kinds(n):
    return (
        isinstance(frozenset([n]), frozenset),
        isinstance(frozenset([n]), set),
        [x * 2 for x in frozenset([n])],
    )


def given(s):
    return 3 in s, len(s), sorted(s)


def with_sets(n):
    return n in frozenset((1, 2, 3)), {1, 2} | frozenset([n]), {1, n} == frozenset([1, n])


CASES = [
    (made, (4,)),
    (items, (9,)),
    (operators, (5,)),
    (hashes, (7,)),
    (anagrams, (["abc", "cab", "xy", "yx", "a"],)),
    (subsets, (4,)),
    (keys, (3,)),
    (kinds, (3,)),
    (given, (frozenset([1, 2, 3]),)),
    (with_sets, (3,)),
]
