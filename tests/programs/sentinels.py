"""Plain objects that stand for "nothing", `MISSING = object()`, told from all others by `is`."""

MISSING_ONE = object()


DELETED_ONE = object()


def a_one(d, k):
    v = d.get(k, MISSING_ONE)
    if v is MISSING_ONE:
        return -1
    return v


def b_one(n):
    slots = [None] * 8
    slots[n % 8] = ("x", n)
    slots[(n + 1) % 8] = DELETED_ONE
    c = [0, 0, 0]
    for s in slots:
        if s is None:
            c[0] += 1
        elif s is DELETED_ONE:
            c[1] += 1
        else:
            c[2] += s[1]
    return c


def get_one(d, k, default=MISSING_ONE):
    if k in d:
        return d[k]
    if default is MISSING_ONE:
        raise KeyError(k)
    return default


def c1_one(d):
    return (get_one(d, "a"), get_one(d, "z", 5))


def c2_one(d):
    return get_one(d, "z")


def e_one(n):
    return (
        MISSING_ONE is MISSING_ONE,
        MISSING_ONE is DELETED_ONE,
        MISSING_ONE == DELETED_ONE,
        MISSING_ONE != None,  # noqa: E711
        MISSING_ONE is None,
    )


def first_one(xs, default=MISSING_ONE):
    for x in xs:
        if x > 3:
            return x
    return default


def g_one(xs):
    r = first_one(xs)
    return "none" if r is MISSING_ONE else r


def h_one(n):
    last = MISSING_ONE
    out = []
    for i in range(n):
        if last is not MISSING_ONE and last == i // 2:
            out.append(i)
        last = i // 2
    return out


class CacheOne:
    _none = object()

    def __init__(self):
        self.d = {}

    def get(self, k):
        v = self.d.get(k, CacheOne._none)
        if v is self._none:
            self.d[k] = v = k * k
        return v


def k_one(n):
    c = CacheOne()
    return [c.get(i % 3) for i in range(n)]


def l_one(n):
    return (
        bool(MISSING_ONE),
        isinstance(MISSING_ONE, object),
        type(MISSING_ONE) is object,
        isinstance(MISSING_ONE, int),
    )


def o_one(n):
    return [MISSING_ONE, n, MISSING_ONE][n] is MISSING_ONE


def it_one(xs):
    i = iter(xs)
    s = 0
    while (x := next(i, MISSING_ONE)) is not MISSING_ONE:
        s += x
    return s


def p_one(n):
    return MISSING_ONE + n


def r_one(n):
    return {MISSING_ONE: n}[MISSING_ONE]


MISSING_TWO = object()


def a_two(x, d=MISSING_TWO):
    return "none" if d is MISSING_TWO else d + x


def b_two(xs):
    t = [None] * 3
    for i, x in enumerate(xs):
        t[i % 3] = MISSING_TWO if x < 0 else (x, "k") if x else None
    return [0 if s is None else 1 if s is MISSING_TWO else s[0] for s in t]


def c_two(d, k):
    v = d.get(k, MISSING_TWO)
    return v is not MISSING_TWO and v == 3


CASES = [
    *[
        (a_one, ({"a": 1.5}, "a")),
        (a_one, ({"a": 1.5}, "b")),
        (b_one, (3,)),
        (c1_one, ({"a": 1},)),
        (c2_one, ({"a": 1},)),
        (e_one, (1,)),
        (g_one, ([1, 5],)),
        (g_one, ([1],)),
        (h_one, (6,)),
        (k_one, (7,)),
        (l_one, (1,)),
        (o_one, (1,)),
        (o_one, (2,)),
        (it_one, ([1, 2, 3],)),
        (p_one, (1,)),
        (r_one, (1,)),
    ],
    *[
        (a_two, (1,)),
        (a_two, (1, 2)),
        (a_two, (1, MISSING_TWO)),
        (b_two, ([1, -1, 0, 5],)),
        (c_two, ({"a": 3}, "a")),
        (c_two, ({"a": 3}, "b")),
        (c_two, ({"a": [1]}, "a")),
    ],
]
