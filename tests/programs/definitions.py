"""Classes, functions and imports inside functions; exceptions of one's own."""

import enum


class Mine(Exception):
    pass


class Coded(ValueError):
    def __init__(self, code):
        super().__init__(f"code {code}")
        self.code = code


def raises_own(n):
    if n > 3:
        raise Mine("too big")
    return n


def catches_own(n):
    try:
        raises_own(n)
    except Mine as e:
        return str(e)
    return "ok"


def raises_with_attribute(n):
    raise Coded(n)


def raises_class(n):
    try:
        if n > 2:
            raise Mine
        return 1
    except Mine:
        return 2


def imports_inside(n):
    import math
    from collections import deque as dq

    q = dq([n])
    return math.sqrt(n), q.popleft()


class Colour(enum.Enum):
    RED = 1
    BLUE = 2


def members(n):
    return Colour(n), [c.name for c in Colour], len(Colour), Colour["RED"]


def starred(n):
    x = list(range(n))
    return [*x, n], (*x, 1), {*x, 99}, [*range(n)]


def even_and_odd(n):
    def even(k):
        return True if k == 0 else odd(k - 1)

    def odd(k):
        return False if k == 0 else even(k - 1)

    return even(n)


def singletons(n):
    match n:
        case None:
            return 0
        case True:
            return 1
        case 3:
            return 3
        case _:
            return 9


COUNT = 0


def class_inside(n):
    class P:
        def __init__(s, x):
            s.x = x

        def dbl(s):
            return s.x * 2

    return P(n).dbl()


def default_list(n, acc=[]):
    return len(acc) + n


def printed(xs):
    print(*xs)
    print(*xs, sep=", ")
    return 0


class Plain:
    def __init__(s, v):
        s.v = v


def class_names(n):
    d = Plain(n)
    return type(d).__name__, type(n).__name__, type(d) is Plain, type(d) is Plain


def suppressed(n):
    import contextlib

    with contextlib.suppress(KeyError):
        d = {}
        d[n]
    return 5


def calls_around(n):
    def even(k):
        def odd(k):
            return False if k == 0 else even(k - 1)

        return True if k == 0 else odd(k - 1)

    def odd(k):
        def even(k):
            return True if k == 0 else odd(k - 1)

        return False if k == 0 else even(k - 1)

    return even(n), odd(n)


def parser(s):
    pos = [0]

    def expr():
        def term():
            def factor():
                if s[pos[0]] == "(":
                    pos[0] += 1
                    v = expr()
                    pos[0] += 1
                    return v
                v = int(s[pos[0]])
                pos[0] += 1
                return v

            v = factor()
            while pos[0] < len(s) and s[pos[0]] == "*":
                pos[0] += 1
                v *= factor()
            return v

        v = term()
        while pos[0] < len(s) and s[pos[0]] == "+":
            pos[0] += 1
            v += term()
        return v

    return expr()


CASES = [
    (raises_own, (5,)),
    (raises_own, (2,)),
    (catches_own, (5,)),
    (raises_with_attribute, (5,)),
    (raises_class, (5,)),
    (imports_inside, (4,)),
    (members, (1,)),
    (starred, (3,)),
    (even_and_odd, (5,)),
    (singletons, (3,)),
    (class_inside, (3,)),
    (default_list, (3,)),
    (printed, ([1, 2],)),
    (class_names, (2,)),
    (suppressed, (2,)),
    (calls_around, (5,)),
    (parser, ("2*(3+4)+1",)),
]
