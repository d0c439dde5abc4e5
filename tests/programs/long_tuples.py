"""Tuples of a length known only at run time, as keys and in containers."""


def counted(n):
    d = {}
    for i in range(n):
        a = []
        for k in range(i % 3):
            a.append(k)
        d[tuple(a)] = d.get(tuple(a), 0) + 1
    return d


def anagrams(ws):
    d = {}
    for w in ws:
        d.setdefault(tuple(sorted(w)), []).append(w)
    return d


def boards(n):
    seen = set()
    board = [0] * n
    q = [tuple(board)]
    seen.add(tuple(board))
    c = 0
    while q:
        b = q.pop()
        c += 1
        for i in range(n):
            x = list(b)
            x[i] = 1 - x[i]
            t = tuple(x)
            if t not in seen:
                seen.add(t)
                q.append(t)
    return (c, len(seen), sorted(seen)[:3], (0,) * n in seen)


def cycle_of_boards(grid):
    seen = {}
    step = 0
    while True:
        key = tuple((tuple(r) for r in grid))
        if key in seen:
            return (step - seen[key], step)
        seen[key] = step
        step += 1
        grid = [
            [grid[(i + 1) % len(grid)][j] for j in range(len(grid[0]))] for i in range(len(grid))
        ]


def used_as_tuples(n):
    x = []
    for i in range(n):
        x.append(str(i))
    t = tuple(x)
    return (
        t,
        t[0],
        t[1:],
        len(t),
        "1" in t,
        t + ("a",),
        t == tuple(x),
        t < t + ("b",),
        hash(t) == hash(tuple(x)),
        f"{t}",
    )


def pairs_of_letters(s):
    c = {}
    for i in range(len(s) - 2):
        k = tuple(s[i : i + 2])
        c[k] = c.get(k, 0) + 1
    return c


def found_in_tuples(n):
    t = tuple([i * 7 % 5 for i in range(n)])
    try:
        missing = t.index(9)
    except ValueError as e:
        missing = str(e)
    return t.index(3), t.count(2), t.index(max(t), 1), missing


CASES = [
    (found_in_tuples, (7,)),
    (found_in_tuples, (1,)),
    (found_in_tuples, (12,)),
    (counted, (7,)),
    (anagrams, (["ab", "ba", "c", "abc" * 12],)),
    (boards, (4,)),
    (cycle_of_boards, ([[1, 0], [0, 1], [1, 1]],)),
    (used_as_tuples, (4,)),
    (pairs_of_letters, ("abcabcabc" * 6,)),
]
