"""Attributes and functions by names known at run time, tables outside, sorts by strings."""

import math
import operator
from collections import deque
from dataclasses import dataclass
from typing import NamedTuple


class ANamed:
    def __init__(self):
        self.x = 3

    def do_a(self):
        return "a"

    def do_b(self):
        return "b" + str(self.x)


def f_named(s):
    a = ANamed()
    out = []
    for w in s.split(","):
        m = getattr(a, "do_" + w, None)
        if m is None:
            out.append("?")
        else:
            out.append(m())
    return out


def g_named(s):
    return [hasattr(ANamed(), "do_" + w) for w in s.split(",")]


def h_named(s):
    a = ANamed()
    return [getattr(a, w) for w in s.split(",")]


def k_named(s):
    a = ANamed()
    for w in s.split(","):
        setattr(a, w, 5)
    return a.x


LONG_NAMED = ",".join(["a", "b", "c"] * 20)


class BNamed(ANamed):
    z = 7

    def __init__(self):
        super().__init__()
        self.y = 2.5

    @property
    def twice(self):
        return self.x * 2

    def do_c(self, k):
        return k + self.x


def f2_named(s):
    a = BNamed()
    return sum((getattr(a, w) for w in s.split(",")))


def f3_named(s):
    a = BNamed()
    return [getattr(a, w, -1) for w in s.split(",")]


def f4_named(s):
    a = BNamed()
    return [getattr(a, "do_" + w)(2) for w in s.split(",")]


def f5_named(s):
    a = BNamed()
    return [hasattr(a, w) for w in s.split(",")]


def sq_function(x):
    return x * x


def a_function(n):
    f = sq_function if n > 2 else abs
    return (f.__name__, (lambda x: x).__name__, sq_function.__qualname__)


def b_function(n):
    r = []
    for f in (sq_function, abs):
        r.append((f.__name__, f(n)))
    return r


def c_function(n):

    def inner(x):
        return x

    return inner.__name__ + inner.__qualname__


def d_function(n):
    f = sq_function
    if f:
        return 1
    return 0


def e_function(n):
    f = None
    if n > 2:
        f = sq_function
    return f(3) if f else -1


def g_function(n):
    return (int.__name__, ValueError.__name__, len.__name__)


class AFunction:
    def m(self):
        return 1

    @staticmethod
    def s(x):
        return x


def h_function(n):
    return (AFunction().m.__name__, AFunction.__name__, AFunction.s.__name__)


def timed_function(f, *args):
    print(f.__name__, *args)
    return f(*args)


def k_function(n):
    return timed_function(sq_function, n) + timed_function(abs, -n)


F1_TABLE = {"sqrt": math.sqrt, "max": max}


F2_TABLE = {"abs": abs, "max": max}


F3_TABLE = {"hyp": lambda a, b: a * b, "max": max}


F4_TABLE = {"hyp": lambda a, b: a * b, "one": lambda a: a}


F5_TABLE = {"a": max, "b": min, "c": lambda a, b: a}


F6_TABLE = {
    "a": math.sqrt,
    "b": abs,
    "c": math.sin,
    "d": math.cos,
    "e": math.exp,
    "f": math.log,
    "g": math.floor,
    "h": lambda x: x,
}


def a_table(s):
    return [F1_TABLE[w](3.0, 4.0) for w in s.split()]


def b_table(s):
    return [F2_TABLE[w](3.0, 4.0) for w in s.split()]


def c_table(s):
    return [F3_TABLE[w](3.0, 4.0) for w in s.split()]


def d_table(s):
    return [F4_TABLE[w](3.0, 4.0) for w in s.split()]


def e_table(s):
    args = [3.0, 4.0]
    return [F5_TABLE[w](*args) for w in s.split()]


def f_table(s):
    return [F6_TABLE[w](3.0) for w in s.split()]


@dataclass(frozen=True)
class FzTable:
    a: int
    b: tuple

    def area(self):
        return self.a * self.b[0]


class NTTable(NamedTuple):
    x: int
    y: float

    def s(self):
        return self.x + self.y


T_TABLE = {"p": FzTable(1, (2, 3)), "q": FzTable(4, (5, 6))}


L_TABLE = [NTTable(i, i * 0.5) for i in range(5)]


M_TABLE = {NTTable(1, 2.0): "a", (0, 1): "b"}


ONE_TABLE = FzTable(7, (8,))


def g_table(s):
    return [T_TABLE[w].area() + T_TABLE[w].b[1] for w in s.split()]


def h_table(n):
    return (
        sum((L_TABLE[i % 5].s() for i in range(n))),
        [t.x for t in L_TABLE],
        max(L_TABLE, key=lambda t: -t.y).x,
    )


def k_table(n):
    return (ONE_TABLE.area() + n, L_TABLE[2].y)


def l_table(n):
    out = []
    for k, v in T_TABLE.items():
        out.append((k, v.a))
    return out


def m_table(s):
    return ([T_TABLE[w] for w in s.split()], L_TABLE[1])


class WTable:
    table = {"x": NTTable(1, 2.0)}

    def get(self, k):
        return self.table[k].x


def o_table(s):
    return WTable().get(s)


OPS_OPERATORS = {"+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": operator.mul, "max": max}


FNS_OPERATORS = [lambda x: x + 1, lambda x: x * 2, abs]


class CalcOperators:
    table = {"a": 1, "b": 2}
    fns = {"sq": math.sqrt, "sum": lambda a, b: a + b, "abs": abs}

    def go(self, name, args):
        if name not in self.fns:
            raise ValueError("no " + name)
        return self.fns[name](*args)


def a_operators(s):
    out = []
    for w in s.split():
        out.append(OPS_OPERATORS[w](3, 4))
    return out


def b_operators(s):
    out = []
    for w in s.split():
        if w in OPS_OPERATORS:
            out.append(OPS_OPERATORS[w](3, 4))
        else:
            out.append(int(w))
    return out


def c_operators(n):
    return [FNS_OPERATORS[i % 3](i) for i in range(n)]


def d_operators(s):
    k = CalcOperators()
    return [k.go(w, [4]) for w in s.split()]


def d2_operators(s):
    k = CalcOperators()
    return [k.go(w, (4, 5)) for w in s.split()]


def e_operators(s):
    st = []
    for t in s.split():
        if t in OPS_OPERATORS:
            y = st.pop()
            x = st.pop()
            st.append(OPS_OPERATORS[t](x, y))
        else:
            st.append(float(t))
    return st


def f_operators(s):
    f = OPS_OPERATORS.get(s.split()[0])
    return f(1, 2) if f else None


def g_operators(n):
    fs = [abs, lambda x: x * 2]
    return [f(n) for f in fs]


def h_operators(n):

    def sq(x):
        return x * x

    ops = {"sq": sq, "dbl": lambda x: 2 * x}
    names = ["sq", "dbl", "sq"]
    return [ops[names[i % 3]](i) for i in range(n)]


LONG_OPERATORS = " ".join(["+", "-", "*", "max"] * 12)


def a_sorted(s):
    return sorted(range(len(s)), key=lambda i: s[i])


def b_sorted(s):
    t = "".join([c for c in s])
    return sorted(range(len(t)), key=lambda i: t[i])


def c_sorted(s):
    t = ""
    for x in s:
        t += x
    order = sorted(range(len(t)), key=lambda i: t[i])
    i = t.index("n")
    out = []
    for _ in range(len(t)):
        i = order[i]
        out.append(t[i])
    return "".join(out)


def d_sorted(xs):
    return (sorted(xs, key=lambda x: -x[1]), sorted(xs), max(xs, key=lambda x: x[1]))


def e_sorted(n):
    d = {}
    for i in range(n):
        d.setdefault(i % 3, []).append(i)
    return (sorted(d.items()), {k: len(v) for k, v in sorted(d.items())})


def f_sorted(n):
    d = {}
    for i in range(n):
        d.setdefault("k" + str(i % 3), []).append(i)
    return [k + str(len(v)) for k, v in sorted(d.items())]


def g_sorted(n):
    d = {}
    for i in range(n):
        d.setdefault("k" + str(i % 3), []).append({"a": i})
    return [k + str(len(v)) for k, v in sorted(d.items())]


def h_sorted(n):
    out = ["a"]
    syms = ["x", "y"]
    for k in range(n):
        ch = syms.pop(k % 2)
        out.append(ch)
        syms.insert(0, ch)
    t = "".join(out)
    return sorted(range(len(t)), key=lambda i: t[i])


def c_by_text(s):
    t = ""
    for x in s:
        t += x
    keys = [t[i] for i in range(len(t))]
    return sorted(keys)


def c1_by_text(s):
    t = ""
    for x in s:
        t += x
    keys = [t[i] for i in range(len(t))]
    xs = [i for i in range(len(t))]
    xs.sort(key=lambda i: t[i])
    return xs


def c2_by_text(s):
    t = ""
    for x in s:
        t += x
    xs = [i for i in range(len(t))]
    return sorted(xs, key=lambda i: t[i])


def c3_by_text(s):
    t = ""
    for x in s:
        t += x
    return sorted(range(len(t)), key=lambda i: t[i])


def c4_by_text(s):
    t = ""
    for x in s:
        t += x
    return sorted(range(len(t)), key=lambda i: (t[i], -i))


def c5_by_text(s):
    t = ""
    for x in s:
        t += x
    return (max(range(len(t)), key=lambda i: (t[i], -i)), min(range(len(t)), key=lambda i: t[i]))


L_BY_TEXT = "banana" * 9


def a_linked(words):
    parent = {words[0]: None}
    for k in range(1, len(words)):
        parent[words[k]] = words[k - 1]
    word = words[-1]
    path = []
    while word:
        path.append(word)
        word = parent[word]
    return path[::-1]


def b_linked(words):
    parent = {}
    for k in range(1, len(words)):
        parent[words[k]] = words[k - 1]
    word = words[-1]
    path = [word]
    while word in parent:
        word = parent[word]
        path.append(word)
    return path


def c_linked(words):
    q = deque([words[0]])
    parent = {words[0]: None}
    while q:
        w = q.popleft()
        if w == words[-1]:
            path = []
            while w:
                path.append(w)
                w = parent[w]
            return path
        for n in words:
            if n not in parent:
                parent[n] = w
                q.append(n)
    raise ValueError("no")


def d_linked(a, z, words):
    q = deque([a])
    parent = {a: None}
    while q:
        w = q.popleft()
        if w == z:
            path = []
            while w:
                path.append(w)
                w = parent[w]
            return path[::-1]
        for n in words:
            if n not in parent:
                parent[n] = w
                q.append(n)
    raise ValueError("no")


def e_linked(words):
    path = []
    w = words[0]
    while True:
        path.append(w)
        if w == words[-1]:
            break
        w = words[words.index(w) + 1]
    return path


def a_optional(n):
    parent = {"a": None, "b": "a"}
    if n:
        parent["c" + str(n)] = "b"
    w = "c" + str(n)
    path = []
    while w:
        path.append(w)
        w = parent[w]
    return path


def b_optional(n):
    parent = {"a": None, "b": "a"}
    if n:
        parent["c" + str(n)] = "b"
    w = "c" + str(n)
    path = []
    while w is not None:
        path.append(w)
        w = parent[w]
    return path


def c_optional(n):
    parent = {"a": None, "b": "a"}
    if n:
        parent["c" + str(n)] = "b"
    w = "c" + str(n)
    path = [w]
    while w is not None:
        path.append(w)
        w = parent[w]
    return path


CASES = [
    *[
        (f_named, ("a,b,c",)),
        (f_named, (LONG_NAMED,)),
        (g_named, ("a,b,c",)),
        (g_named, (LONG_NAMED,)),
        (h_named, ("x",)),
        (h_named, (",".join(["x"] * 40),)),
        (k_named, ("x,x",)),
        (k_named, (",".join(["x"] * 40),)),
    ],
    *[
        (f2_named, (",".join(["x", "y", "z", "twice"] * 15),)),
        (f2_named, ("x,z",)),
        (f2_named, (",".join(["x", "y", "q", "twice"] * 15),)),
        (f3_named, (",".join(["x", "y", "q", "twice"] * 15),)),
        (f4_named, ("c,c",)),
        (f4_named, (",".join(["c"] * 40),)),
        (f5_named, ("x,do_a,q",)),
        (f5_named, (",".join(["x", "do_a", "twice", "q"] * 15),)),
    ],
    *[
        (x, (q,))
        for x in (
            a_function,
            b_function,
            c_function,
            d_function,
            e_function,
            g_function,
            h_function,
            k_function,
        )
        for q in (2, 3)
    ],
    *[
        (a_table, ("max " * 20,)),
        (b_table, ("max " * 20,)),
        (c_table, ("max hyp " * 20,)),
        (d_table, ("hyp " * 20,)),
        (e_table, ("a b c " * 20,)),
    ],
    *[
        (g_table, ("p q",)),
        (g_table, ("p q " * 20,)),
        (h_table, (7,)),
        (k_table, (2,)),
        (l_table, (1,)),
        (m_table, ("p q",)),
        (o_table, ("x",)),
    ],
    *[
        (a_operators, ("+ - *",)),
        (a_operators, (LONG_OPERATORS,)),
        (b_operators, ("+ 3 *",)),
        (b_operators, (LONG_OPERATORS + " 33",)),
        (c_operators, (5,)),
        (d_operators, ("sq abs",)),
        (d2_operators, ("sum sum",)),
        (d_operators, ("sq " * 30,)),
        (e_operators, ("1 2 + 3 *",)),
        (e_operators, ("1 2 + 3 * " + "4 + " * 20,)),
        (f_operators, ("+ 2",)),
        (f_operators, (LONG_OPERATORS,)),
        (f_operators, ("zzz" * 20,)),
        (g_operators, (3,)),
        (h_operators, (4,)),
    ],
    *[
        (a_sorted, ("banana",)),
        (b_sorted, ("banana",)),
        (c_sorted, ("banana",)),
        (c_sorted, ("banana" * 9,)),
        (d_sorted, ([("a", 3), ("b", 2)],)),
        (e_sorted, (7,)),
        (f_sorted, (7,)),
        (g_sorted, (7,)),
        (h_sorted, (5,)),
    ],
    *[
        (x, (L_BY_TEXT,))
        for x in (c_by_text, c1_by_text, c2_by_text, c3_by_text, c4_by_text, c5_by_text)
    ],
    *[(x, (["cold", "cord", "card", "warm"],)) for x in (a_linked, b_linked, c_linked, e_linked)]
    + [(d_linked, ("cold", "warm", ["cord", "card", "warm"]))],
    *[(x, (3,)) for x in (a_optional, b_optional, c_optional)],
]
