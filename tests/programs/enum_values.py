"""Members of IntEnum, StrEnum, (str, Enum) and of classes with attributes: they stay themselves
where they are kept, and are numbers and strings where those are asked for.
"""

import enum
import http
import math
from collections import Counter, defaultdict

import numpy as np


class C(enum.IntEnum):
    A = 1
    B = 2
    C = 3
    Z = 0
    N = -4
    ALIAS = 2


class Big(enum.IntEnum):
    A = 0
    B = 1
    C = 2
    D = 3
    E = 4
    F = 5
    G = 6
    H = 7
    I = 8
    J = 9


class D(enum.IntEnum):
    A = 1
    X = 10


class Planet(enum.Enum):
    EARTH = (5.97e24, 6.37e6)
    MARS = (6.4e23, 3.4e6)

    def __init__(self, mass, radius):
        self.mass = mass
        self.radius = radius

    @property
    def gravity(self):
        return 6.67e-11 * self.mass / self.radius**2


class Fl(float, enum.Enum):
    H = 0.5
    Q = 0.25


class St(enum.StrEnum):
    A = enum.auto()
    BE = enum.auto()
    SP = "a b"
    E = ""


class Tx(str, enum.Enum):
    X = "x"
    Y = "y"


class Shown(enum.IntEnum):
    A = 1
    B = 2

    def __str__(self):
        return "own " + self.name


X = np.arange(5.0)


def arithmetic(n):
    c = C.A if n > 1 else C.B
    return (
        c + 1,
        1 + c,
        c * 2.5,
        c - C.B,
        c // 2,
        c % 2,
        c**2,
        -c,
        +c,
        ~c,
        abs(c),
        c / 2,
        c << 1,
        c | 4,
        c & 1,
        c ^ 3,
        divmod(c, 2),
        C.B + C.A,
        C.A + 1,
    )


def compared(n):
    c = C.A if n > 1 else C.B
    return (
        c < C.C,
        c <= 1,
        c > 0.5,
        2 >= c,
        c == 1,
        1 == c,
        c != 2,
        c < C.B,
        C.A < C.B < C.C,
        c == 1.0,
        c == "A",
        c is None,
        c in (1, 5),
        c in [C.A],
        c is C.ALIAS,
        c == D.A,
        c is D.A,
    )


def called(n):
    c = C.A if n > 1 else C.B
    return (
        int(c),
        float(c),
        bool(c),
        bool(C.Z),
        list(range(c)),
        round(c),
        hash(c),
        bin(c),
        hex(c),
        chr(c + 64),
        abs(C.N),
        min(c, 5),
        max(c, C.C),
        max(C.A, 1),
        min(1, C.A),
        max(c, 1.5),
        pow(c, 2),
        math.sqrt(c),
        math.gcd(c, 4),
        sum([c, C.B]),
        sum([C.A]),
        str(c),
        len([c]),
        isinstance(c, bool),
        complex(c),
        divmod(7, c),
    )


def in_arrays(n):
    c = C.A if n > 1 else C.B
    return (
        np.zeros(c),
        np.array([c, C.B]),
        np.full(2, c),
        np.sqrt(c),
        X + c,
        X * C.B,
        np.int64(c),
        np.arange(c, C.C),
        np.maximum(X, c),
        np.array([C.A, C.B]),
        np.zeros((c, C.B)),
    )


def beside_numpys_numbers(n):
    c = C.A if n > 1 else C.B
    x = np.arange(3, dtype=np.int8)
    y = np.float32(n) + C.B, c + np.float32(1), x + C.B, x * c, np.maximum(x, c), x > c
    x += c
    return y, x, Fl.H + np.float32(1), np.where(x > 1, x, c)


def stored(n):
    c = C.A if n > 1 else C.B
    x = np.zeros(4)
    x[c] = c
    x[0] = C.C
    x += c
    y = np.arange(3)
    y[C.A] = C.B
    return x, y


def summed(n):
    c = C.A
    for i in range(n):
        c = c + 1
    t = 0
    for m in C:
        t += m
    return c, t, sum(C), sum(m.value for m in C), sum(C) / len(C)


def as_keys(n):
    c = C.A if n > 1 else C.B
    d = {1: "one", 2: "two"}
    e = {C.A: "x", C.B: "y"}
    return d[c], d[C.B], e[1], e[2], e[c], e.get(n), 1 in e, C.C in d, n in e, (n + 5) in e


def keys_that_grow(n):
    d = {}
    for i in range(n):
        d[C.A if i % 2 else C.B] = i
    return d, d.get(n), d.get(1), 2 in d, n in d, C.A in d, D.A in d


def members_among_ints(n):
    d = {}
    for i in range(n):
        d[i] = i * i
    c = C.A if n > 1 else C.B
    return d.get(c), C.A in d, d.get(C.C), d


def a_number_stays_the_key(n):
    d = {1: "a"}
    d[C.A] = "b"
    return d, list(d)


def a_member_stays_the_key(n):
    d = {C.A: "a"}
    d[1] = "b"
    d[n] = "c"
    return d


def members_of_two_classes(n):
    d = {C.A: 1, D.A: 2}
    return d, len(d)


def in_lists(n):
    l = []
    for i in range(n):
        l.append(C.A if i % 2 else C.B)
    return (
        l,
        l.count(1),
        l.index(C.A),
        2 in l,
        sorted(l),
        max(l),
        min(l),
        sum(l),
        l == [C.B, C.A],
        sorted(l, reverse=True),
    )


def sorted_members(n):
    l = [C.C, C.A, C.B, C.N]
    l.sort()
    return (
        l,
        sorted(C),
        sorted([2, C.A, C.C]),
        max(C),
        min(C),
        max(C, key=lambda c: -c),
        sorted(C, key=lambda c: c.name),
    )


def of_ten(n):
    c = Big(n)
    t = {Big.A: "a", Big.F: "f", Big.J: "j"}
    return (
        c,
        c.name,
        c.value,
        c + 1,
        c > Big.D,
        c in t,
        t.get(c),
        c == Big.F,
        c is Big.F,
        [m for m in Big if m > c],
        Big(9 - n),
        max(c, Big(9 - n)),
        c < Big(9 - n),
    )


def of_ten_in_a_list(n):
    out = []
    for i in range(n):
        out.append(Big((i * 7) % 10))
    return (
        sorted(out),
        Counter(out),
        [x.name for x in out],
        {b: out.count(b) for b in Big},
        max(out),
    )


def largest_pair(n):
    best = (Big.A, 0)
    for i in range(n):
        k = (Big((i * 7) % 10), i)
        if k > best:
            best = k
    return best


def with_attributes(n):
    q = Planet.EARTH if n > 1 else Planet.MARS
    return q.mass, q.gravity, q.value, q.name, Planet.MARS.gravity, q


def all_with_attributes(n):
    return (
        {q.name: q.gravity for q in Planet},
        max(Planet, key=lambda q: q.mass),
        [q.radius for q in Planet],
    )


def floats(n):
    q = Fl.H if n > 1 else Fl.Q
    return (q, q + 1, q * q, q.value, q < 0.4, q == 0.5, q is Fl.H, str(q), f"{q}", Fl(0.5), X * q)


def strings(n):
    s = St.A if n > 1 else St.SP
    return (
        s,
        s + "!",
        s.upper(),
        s == "a",
        "a" == s,
        len(s),
        s[0],
        [ch for ch in s],
        "a" in s,
        s in ("a", "b"),
        s.split(),
        ",".join([s, St.BE]),
        ",".join(St),
        bool(St.E),
        s * 2,
        f"{s:>4}|",
        str(s),
        repr(s),
        s.name,
        s.value,
        s < "b",
        sorted(St),
        s.startswith("a"),
        "%s" % s,
        s is St.A,
    )


def strings_as_keys(n):
    s = St.A if n > 1 else St.BE
    d = {"a": 1, "be": 2}
    e = {St.A: 5, St.BE: 6}
    return (
        d[s],
        e["a"],
        e["be"],
        e[s],
        s in d,
        "be" in e,
        list(s),
        max(s, "b"),
        s.join(["1", "2"]),
        s.replace("a", "b"),
        {s: 1},
        s.isalpha(),
        ord(St.A),
        int("1" + St.E),
        "x" + s,
        isinstance(s, str),
    )


def of_a_string(t):
    e = {St.A: 5, St.BE: 6}
    return St(t), e[t], t == St.A, t in St.__members__, t in e


def mixed_with_str(n):
    s = Tx.X if n > 1 else Tx.Y
    return (
        s,
        str(s),
        f"{s}",
        f"{s!s}",
        f"{s:>8}",
        "{}".format(s),
        s + "",
        s.upper(),
        s == "x",
        "%s" % s,
        repr(s),
        s.title(),
    )


def text_of_its_own(n):
    c = Shown.A if n > 1 else Shown.B
    return c, str(c), f"{c}", c + 1, "%s" % c


def of_the_standard_library(n):
    s = http.HTTPStatus.OK if n > 1 else http.HTTPStatus.NOT_FOUND
    return s, s.phrase, s == 200, s >= 400, s.name, http.HTTPStatus.OK.phrase


def by_number(n):
    return http.HTTPStatus(n)


def error_1(n):
    return C.A + "x"


def error_2(n):
    return "x" + C.A


def error_3(n):
    return C.A < "x"


def error_4(n):
    return St.A + 1


def error_5(n):
    return 1 + St.A


def error_6(n):
    return len(C.A)


def error_7(n):
    return C.A[0]


def error_8(n):
    return -St.A


def error_9(n):
    for x in C.A:
        pass


def as_argument(c, x):
    return x[c], x * c, c + 1, c


def in_an_object(o):
    return o.c, o.c + 1, o.c.name, o.c is C.A


class Holder:
    def __init__(self, c):
        self.c = c


def matched(n):
    c = C.A if n > 1 else C.B
    match c:
        case 1:
            return "one"
        case D.A:
            return "d"
        case int():
            return "int"


def values_matched(v):
    match v:
        case C.A:
            return "a"
        case C.B:
            return "b"
        case _:
            return "no"


def methods_of_ints(n):
    c = C.A if n > 1 else C.B
    return (
        c.bit_length(),
        c.real,
        c.imag,
        c.numerator,
        c.conjugate(),
        C.B.bit_length(),
        C.B.real,
        c.to_bytes(2, "big"),
    )


def formatted(n):
    c = C.A if n > 1 else C.B
    return (
        f"{c:03d}",
        f"{c:>5}",
        f"{c.name:<6}|",
        "%d %s %r" % (c, c, c),
        "{:x}".format(c),
        "{!r}".format(c),
        f"{c=}",
        format(c, "4"),
        str([c, (c,)]),
        f"{C.B} {C.B!r}",
    )


def swapped(n):
    a, b = C.A, C.B
    for i in range(n):
        a, b = b, a
    return a, b


def in_turn(n):
    m = list(C)
    c = C.A
    out = []
    for i in range(n):
        out.append(c)
        c = m[(m.index(c) + 1) % len(m)]
    return out


def next_one(n):
    c = Big.A
    while c < n:
        c = Big(c + 1)
    return c


def none_or_member(n):
    best = None
    for c in C:
        if c.value % 2 == n % 2 and (best is None or c > best):
            best = c
    return best


def in_defaultdict(n):
    d = defaultdict(list)
    for i in range(n):
        d[C.A if i % 3 else C.B].append(i)
    return dict(d), d[C.A]


def in_tuples_as_keys(n):
    d = {}
    for i in range(n):
        d[(C.A if i % 2 else C.B, i % 3)] = i
    return d, d.get((C.A, 1)), (C.B, 0) in d, d.get((1, 1))


def in_tuples(n):
    P = (C.A, n)
    a, _ = P
    return (
        P,
        a,
        a.name,
        (C.A, 1) == (1, 1),
        (C.A, 2) < (C.B, 1),
        [C.A] == [1],
        sorted([(C.B, 1), (C.A, 2)]),
    )


def iterated(n):
    return (
        list(map(int, C)),
        [*C],
        list(filter(lambda c: c > 1, C)),
        dict(enumerate(C)),
        list(map(lambda c: c.name, C)),
        any(C),
        all(C),
        list(zip(C, "abc")),
        sum(map(int, C)),
    )


def printed(n):
    c = C.A if n > 1 else C.B
    print(c, repr(c), [c], {c: c}, St.A, Tx.X, [Tx.X], (c, St.BE), sep="|")


def raised(n):
    c = C.A if n > 1 else C.B
    raise ValueError(c)


def as_condition(n):
    c = C.C
    k = 0
    while c:
        c = C(c - 1) if c > 1 else C.Z
        k += 1
    return k, c


def augmented(n):
    c = C.A
    c += 1
    d = C.B
    d -= C.A
    return c, d


BY_NUMBER = [
    arithmetic,
    compared,
    called,
    in_arrays,
    beside_numpys_numbers,
    stored,
    summed,
    as_keys,
    keys_that_grow,
    members_among_ints,
    a_number_stays_the_key,
    a_member_stays_the_key,
    members_of_two_classes,
    in_lists,
    sorted_members,
    of_ten,
    of_ten_in_a_list,
    largest_pair,
    with_attributes,
    all_with_attributes,
    floats,
    strings,
    strings_as_keys,
    mixed_with_str,
    text_of_its_own,
    of_the_standard_library,
    error_1,
    error_2,
    error_3,
    error_4,
    error_5,
    error_6,
    error_7,
    error_8,
    error_9,
    matched,
    methods_of_ints,
    formatted,
    swapped,
    in_turn,
    next_one,
    none_or_member,
    in_defaultdict,
    in_tuples_as_keys,
    in_tuples,
    iterated,
    printed,
    raised,
    as_condition,
    augmented,
]
CASES = [(f, (n,)) for f in BY_NUMBER for n in (1, 2, 5)]
CASES += [
    (as_argument, (C.A, X)),
    (as_argument, (C.B, X)),
    (in_an_object, (Holder(C.A),)),
    (in_an_object, (Holder(C.B),)),
    (of_a_string, ("a",)),
    (of_a_string, ("q",)),
    (by_number, (200,)),
    (by_number, (999,)),
    (values_matched, (1,)),
    (values_matched, (C.B,)),
    (values_matched, (2.0,)),
    (values_matched, ("s",)),
]
