"""`*` in calls, zip(*rows), conditions of while that change lists, members of enums outside."""

import enum

import numpy as np


def add_all(n):

    def add(a, b, c):
        return a + b * c

    x = []
    for i in range(n):
        x.append(i)
    return add(*x)


def areas(p):
    s = 0
    for row in p:
        s += area(*row)
    return s


def area(a, b, h=1):
    return a * b * h


class Point:
    def __init__(self, x, y):
        self.x = x
        self.y = y

    def move(self, dx, dy):
        self.x += dx
        self.y += dy


def made_and_moved(pts):
    out = []
    for p in pts:
        out.append(Point(*p))
    d = (1, 2)
    for o in out:
        o.move(*d)
    return [(o.x, o.y) for o in out]


def maxima(n):
    x = []
    for i in range(n):
        x.append([i, i + 1])
    return ([max(*r) for r in x], list(zip(*x)))


def columns(rows):
    return ([list(r) for r in zip(*rows)], list(map(sum, zip(*rows))))


def pop_in_condition(n):
    st = [1]
    c = 0
    while st and st.pop() > 0:
        c += 1
        if c < n:
            st.append(c)
    return c


class Err(Exception):
    def __init__(self, msg, code):
        super().__init__(msg)
        self.code = code


def rest_of_rows(rows):
    seen = 0
    for name, *rest in rows:
        seen += len(rest)
    return seen


def parts(n):
    x = []
    for i in range(n):
        x.append(i)
    a, b = x[:2]
    (c, d), e = (x[:2], x[2])
    return (a, b, c, d, e)


def sorted_pairs(n):
    x = []
    for i in range(n):
        x.append((i % 3, str(i)))
    x.sort()
    y = sorted(set(x))
    z = sorted(x, key=lambda t: (-t[0], t[1]))
    return (x, y, z, min(x), max(x))


def hull(pts):
    p = sorted(set(pts))
    lo = []
    for q in p:
        while len(lo) >= 2 and lo[-1][0] < q[0]:
            lo.pop()
        lo.append(q)
    return lo


class Board:
    def __init__(self, w):
        self.w = w
        self.seen = set()

    def nb(self, x, y):
        for d in (-1, 1):
            if 0 <= x + d < self.w:
                yield (x + d, y)

    def inc(self, x, y):
        return x + y + self.w

    def use(self, c):
        return self.inc(*c)

    def use2(self, c):
        return list(self.nb(*c))

    def use3(self, c):
        todo = []
        todo.extend((n for n in self.nb(*c) if n not in self.seen))
        return todo

    def use4(self, c):
        s = 0
        for x, y in self.nb(*c):
            s += x
        return s


def method(n):
    return Board(n).use((1, 2))


def generator(n):
    return Board(n).use2((1, 2))


def generator_expression(n):
    return Board(n).use3((1, 2))


def generator_in_for(n):
    return Board(n).use4((1, 2))


def generator_of_constants(n):
    b = Board(n)
    return (list(b.nb(*(1, 2))), [x for x, _ in b.nb(*(1, 2))])


class C(enum.Enum):
    A = 1
    B = 2
    C = 3


NXT = {C.A: C.B, C.B: C.C, C.C: C.A}
COST = {"x": C.A, "y": C.B}
LST = [C.A, C.B]


def default_member(n, c=C.B):
    return (c is C.B, c.name, n)


def next_members(n):
    s = C.A
    for i in range(n):
        s = NXT[s]
    return s


def members_outside(k):
    return (COST[k], LST[1], LST[0].value)


def transposed(n):
    rows = []
    for i in range(n):
        rows.append([i, i + 1, i + 2])
    return (
        list(zip(*rows)),
        [sum(c) for c in zip(*rows)],
        [list(c) for c in zip(*rows)],
        list(map(list, zip(*rows))),
    )


def columns_of_pairs(n):
    pts = []
    for i in range(n):
        pts.append((i, i * 0.5))
    for col in zip(*pts):
        print(col)
    xs, ys = map(list, zip(*pts))
    xs.append(1)
    return (xs, ys)


def rotated(g):
    g = [list(r) for r in zip(*g[::-1])]
    return g


def function_in_condition(n):

    def step(d):
        d.append(len(d))
        return len(d) < n

    d = []
    while step(d):
        pass
    return d


def halved(x):
    import numpy as np

    k = 0
    while np.abs(x).sum() > 0.001 and k < 100:
        x = x * 0.5
        k += 1
    return (k, x)


def condition_with_else(n):
    d = list(range(n))
    t = 0
    while d and d.pop() != 2:
        t += 1
    else:
        t += 10
    return t


def pairs(n):
    pts = []
    for i in range(n):
        pts.append((i, str(i)))
    return pts


def lists_of_columns(n):
    rows = []
    for i in range(n):
        rows.append([i, i + 1, i + 2])
    return list(map(list, zip(*rows)))


def tuples_of_columns(n):
    rows = []
    for i in range(n):
        rows.append([i, i + 1, i + 2])
    return list(zip(*rows))


def columns_in_a_comprehension(n):
    rows = []
    for i in range(n):
        rows.append([i, i + 1, i + 2])
    return [list(c) for c in zip(*rows)]


CASES = [
    (add_all, (3,)),
    (areas, ([[1, 2], [3, 4], [1, 2]],)),
    (made_and_moved, ([(1, 2), (3, 4)],)),
    (maxima, (4,)),
    (columns, ([[1, 2, 3], [3, 4, 5]],)),
    (pop_in_condition, (4,)),
    (rest_of_rows, ([("a", 1, 2), ("b",)],)),
    (parts, (4,)),
    (sorted_pairs, (5,)),
    (hull, ([(1, 2), (0, 1), (1, 2), (3, 3)] * 8,)),
    (method, (3,)),
    (generator, (3,)),
    (generator_expression, (3,)),
    (generator_in_for, (3,)),
    (generator_of_constants, (3,)),
    (default_member, (2,)),
    (next_members, (4,)),
    (members_outside, ("x",)),
    (transposed, (3,)),
    (columns_of_pairs, (3,)),
    (rotated, ([[1, 2], [3, 4], [5, 6]],)),
    (function_in_condition, (5,)),
    (halved, (np.ones(3),)),
    (condition_with_else, (6,)),
    (lists_of_columns, (3,)),
    (tuples_of_columns, (3,)),
    (columns_in_a_comprehension, (3,)),
]
