"""Defaults of methods that are members of Enums, functions, classes, sentinels, named tuples."""

from enum import Enum, Flag
from typing import NamedTuple

MISSING = object()


class C(Enum):
    R = 1
    G = 2


class F(Flag):
    A = 1
    B = 2


class P(NamedTuple):
    x: int
    y: int


def sq(x):
    return x * x


class A:
    def __init__(self, t, table=None):
        self.t = t
        self.d = {"a": 1}

    def e(self, c=C.R):
        return c is C.R, c.name

    def p(self, p=P(1, 2)):
        return p.x + p.y

    def f(self, f=sq):
        return f(self.t)

    def b(self, f=len):
        return f([1, 2])

    def k(self, kind=list):
        return kind((1, 2))

    def get(self, key, default=MISSING):
        if key in self.d:
            return self.d[key]
        if default is MISSING:
            raise KeyError(key)
        return default

    def fl(self, f=F.A | F.B):
        return F.A in f

    def kw(self, *, sep=MISSING, end="x"):
        return "none" if sep is MISSING else sep + end

    def __call__(self, x=MISSING):
        return x is MISSING

    @classmethod
    def cm(cls, x=MISSING):
        return x is MISSING

    @staticmethod
    def sm(x=MISSING, c=C.G):
        return x is MISSING, c.value


def members(n):
    return A(n).e(), A(n).e(C.G)


def named_tuples(n):
    return A(n).p(), A(n).p(P(n, n))


def functions(n):
    return A(n).f(), A(n).f(lambda x: x + 1)


def builtins_and_classes(n):
    return A(n).b(), A(n).k(), A(n).k(tuple)


def sentinels(n):
    a = A(n)
    try:
        a.get("zz")
    except KeyError as e:
        return a.get("a"), a.get("q", 5), a.get("q", None), str(e)


def flags(n):
    return A(n).fl(), A(n).fl(F.B)


def of_other_methods(n):
    return A(n).kw(), A(n).kw(sep="-"), A(n)(), A(n)(1), A.cm(), A.cm(2), A.sm(), A.sm(1, C.R)


CASES = [
    (f, (3,))
    for f in (
        members,
        named_tuples,
        functions,
        builtins_and_classes,
        sentinels,
        flags,
        of_other_methods,
    )
]
