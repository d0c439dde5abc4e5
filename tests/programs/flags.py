"""Members of Flag and IntFlag, and what is combined of them at run time."""

import enum


class P(enum.Flag):
    R = enum.auto()
    W = enum.auto()
    X = enum.auto()


class Bits(enum.IntFlag):
    R = 4
    W = 2
    X = 1


class Rgb(enum.Flag):
    RED = 1
    GREEN = 2
    BLUE = 4
    WHITE = RED | GREEN | BLUE


class Own(enum.Flag):
    A = 1
    B = 2

    def both(self):
        return self | Own.A


def one(n):
    return P.R


def two(n):
    return P.R | P.W


def built(n):
    p = P.R
    if n > 1:
        p |= P.X
    return (
        p,
        P.R in p,
        P.W in p,
        bool(p & P.W),
        p.name,
        p.value,
        str(p),
        repr(p),
        f"{p}",
        p == P.R,
        p is P.R,
        len(p),
        ~p,
        p ^ P.R,
        p & P.R,
    )


def by_bits(n):
    p = P(0)
    for i in range(n):
        p |= P(1 << (i % 3))
    return (p, [m for m in P if m in p], [m for m in P], list(p), p == P.R | P.W | P.X, not p)


def given(p):
    return p, p | P.X, p.name, P.R in p, p is P.R


def given_as_int(p):
    if p & Bits.R:
        return (
            "r",
            p & Bits.R,
            p | 1,
            p + 1,
            int(p),
            p == 4,
            p > 2,
            p | Bits.W,
            1 | p,
            ~p,
            p << 1,
            bool(p),
        )
    return "no", p, -p, p ^ Bits.R


def by_value(n):
    return P(n)


def in_a_dict(n):
    d = {P.R: 1, P.W: 2}
    return d[P.R], d.get(P.X), P.R | P.W in d


def as_keys(n):
    d = {}
    for i in range(n):
        d[P(i % 4)] = i
    return d


def named(n):
    return (
        P["R"],
        P["R"] | P.W,
        Rgb.WHITE,
        Rgb.WHITE & Rgb.RED,
        Rgb.RED in Rgb.WHITE,
        Rgb(7) is Rgb.WHITE,
        ~Rgb.RED,
        Rgb.WHITE.name,
    )


def shown(n):
    p = P.R if n > 1 else P.W
    print(p, [p], p.name)
    return isinstance(p, P), isinstance(p, enum.Flag), type(p) is P, p


def of_a_number(n):
    return 1 in P.R


def with_a_method(n):
    return Own.A.both(), Own.B.both()


def as_a_filter(xs, p):
    return [x for x in xs if P(x) & p]


def as_a_default(n, p=P.R | P.W):
    return p, n


def matched(n):
    match P.R | P.W if n > 1 else P.R:
        case P.R:
            return "r"
        case P.W:
            return "w"
        case _:
            return "other"


def in_a_table(n):
    return TABLE[P.R], TABLE


def all_together(ps):
    t = P(0)
    for p in ps:
        t |= p
    return t


TABLE = {P.R: 1, P.W: 2}


BY_NUMBER = [one, two, built, by_bits, by_value, in_a_dict, as_keys, named, shown, of_a_number]
BY_NUMBER += [with_a_method, as_a_default, matched, in_a_table]
CASES = [(f, (n,)) for f in BY_NUMBER for n in (1, 2, 5, 9, -1)]
CASES += [(given, (p,)) for p in (P.R, P.R | P.W, P(0))]
CASES += [(given_as_int, (p,)) for p in (Bits.R, Bits(3), Bits(12), 0)]
CASES += [(as_a_filter, ([1, 2, 3], P.R)), (as_a_default, (1, P.X)), (all_together, ([P.R, P.W],))]
