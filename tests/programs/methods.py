"""What classes have: operators, conversions, constructors as functions, dataclasses."""

import functools
import operator
from dataclasses import InitVar, dataclass, field

import numpy as np


class V:
    def __init__(self, x, y):
        self.x = x
        self.y = y

    def __add__(self, o):
        return V(self.x + o.x, self.y + o.y)

    def __radd__(self, o):
        return self if o == 0 else NotImplemented

    def __lt__(self, o):
        return self.x < o.x

    def __repr__(self):
        return f"V({self.x},{self.y})"

    def __contains__(self, k):
        return k == self.x

    def __len__(self):
        return 2

    def __format__(self, s):
        return "V!" + s

    def __hash__(self):
        return 5

    def __floordiv__(self, k):
        return V(self.x // k, self.y // k)

    def __pow__(self, k):
        return self.x**k

    def __matmul__(self, o):
        return self.x * o.x + self.y * o.y

    def __invert__(self):
        return V(self.y, self.x)

    def __call__(self, a, b=2):
        return self.x * a + b

    def __int__(self):
        return int(self.x)

    def __float__(self):
        return float(self.y)

    def __round__(self, n=None):
        return round(self.x, n)

    def __enter__(self):
        return self

    def __exit__(self, *a):
        return False


def sums(n):
    return sum([V(1, n), V(2, 3)]).x, sum([V(1, n), V(2, 3)], V(0, 0)).y


def least_and_greatest(n):
    return (
        sorted([V(3, 1), V(n, 2), V(2, 3)])[0].x,
        min([V(3, 1), V(n, 2)]).y,
        max(V(3, 1), V(n, 2)).x,
    )


def reduced(n):
    return functools.reduce(operator.add, [V(1, n), V(2, 3), V(4, 4)]).x, functools.reduce(
        lambda a, b: a + b, [V(1, n), V(2, 3)]
    ).y


def constructors_as_functions(a):
    return [v.x for v in map(V, a, a)], [V(*p).y for p in [(1, 2), (3, 4)]]


def operators(n):
    v = V(7, n)
    return (
        v // 2,
        v**2,
        v @ v,
        (~v).x,
        v(3),
        v(3, b=1),
        int(v),
        float(v),
        round(v),
        7 in v,
        len(v),
        bool(v),
    )


def matched(n):
    v = V(n, 0)
    match v:
        case V(x=3, y=y):
            return y
        case V(x=x):
            return x


def shown(n):
    v = V(n, 1)
    return f"{v!r}", f"{v}", f"{v:>3}", str(v)


@dataclass(slots=True)
class S:
    a: int
    b: float = 1.5

    def t(self):
        return self.a + self.b


def with_slots(n):
    s = S(n)
    s.b += 1
    return s, s.t()


@dataclass(kw_only=True)
class K:
    a: int
    b: int = 2


def keyword_only(n):
    k = K(a=n)
    return k.a + k.b, k


@dataclass
class Scaled:
    a: int
    scale: InitVar[int] = 2
    c: int = field(init=False)

    def __post_init__(self, scale):
        self.c = self.a * scale


def init_variables(n):
    return Scaled(n).c, Scaled(n, 5).c, Scaled(n)


def sorted_vectors(n):
    vs = []
    for i in range(n):
        vs.append(V(i, n - i))
    vs.sort(reverse=True)
    return [v.x for v in vs], sum(v.y for v in vs), [v for v in vs if v.x > 1][0].y


def in_a_dict(n):
    d = {"a": V(1, 2), "b": V(n, 3)}
    d["a"].x += n
    for k, v in d.items():
        v.y *= 2
    return d["a"].x, d["b"].y, d


def of_arrays(n):
    a = np.array([1.0, 2.0, 3.0])
    class_ = V
    v = class_(a, a * 2)
    return (v + v).x, v @ v


def changed_by_a_closure(n):
    v = V(1, 2)

    def f(k):
        v.x += k

    for i in range(n):
        f(i)
    return v.x


def picked_from_a_tuple(n):
    objs = (V(1, 2), V(3, 4), V(5, n))
    return [o.x for o in objs if o.y > 2], objs[n % 3].x if n < 9 else 0


def first_of_an_iterator(n):
    it = iter([V(1, n), V(2, n)])
    a = next(it)
    return a.x


def greatest_so_far(n):
    best = None
    for i in range(n):
        v = V(i * 7 % 5, i)
        if best is None or best < v:
            best = v
    return best


def missing_attribute(n):
    try:
        v = V(1, n)
        v.foo
    except AttributeError as e:
        return str(e)


def slices_share_objects(n):
    q = [V(i, i) for i in range(n)]
    h = q[:2]
    h[0].x = 100
    return q[0].x, q[-1].y, [a.x for a in q[1:3]]


def a_grid(n):
    grid = [[V(i, j) for j in range(n)] for i in range(n)]
    for row in grid:
        for c in row:
            c.x += c.y
    return grid[1][2].x, sum(c.x for row in grid for c in row)


class Counted:
    def __init__(self, k):
        self.k = k
        self.asked = 0

    def __add__(self, o):
        return ("add", self.k)

    def __radd__(self, o):
        return ("radd", self.k)

    def __sub__(self, o):
        return NotImplemented

    def __rsub__(self, o):
        return 7

    def __lt__(self, o):
        return 5

    def __gt__(self, o):
        return 6


class Inherits(Counted):
    pass


class Asked(Counted):
    def __radd__(self, o):
        self.asked += 1
        return NotImplemented

    def __rmul__(self, o):
        self.asked += 1
        return NotImplemented


def a_subclass_that_inherits_answers_last(k):
    base, derived = Counted(k), Inherits(k)
    return base + derived, derived + base, base - derived, base < derived, derived > base


def a_subclass_of_its_own_answers_first(k):
    derived = Asked(k)
    return Counted(k) + derived, derived.asked


def asked_once(k):
    derived = Asked(k)
    try:
        return Counted(k) * derived
    except TypeError as error:
        return str(error), derived.asked


def one_class_is_asked_once(k):
    return Counted(k) - Counted(k)


class Empty:
    pass


def given_to_a_class_without_init(k):
    return Empty(k)


def named_to_a_class_without_init(k):
    return Empty(k=k)


CASES = [
    (a_subclass_that_inherits_answers_last, (1,)),
    (a_subclass_of_its_own_answers_first, (1,)),
    (asked_once, (1,)),
    (one_class_is_asked_once, (1,)),
    (given_to_a_class_without_init, (1,)),
    (named_to_a_class_without_init, (1,)),
    (sums, (4,)),
    (least_and_greatest, (1,)),
    (reduced, (4,)),
    (constructors_as_functions, ([1, 2, 3],)),
    (operators, (2,)),
    (matched, (3,)),
    (matched, (4,)),
    (shown, (2,)),
    (with_slots, (2,)),
    (keyword_only, (3,)),
    (init_variables, (3,)),
    (sorted_vectors, (6,)),
    (in_a_dict, (5,)),
    (of_arrays, (1,)),
    (changed_by_a_closure, (5,)),
    (picked_from_a_tuple, (7,)),
    (first_of_an_iterator, (2,)),
    (greatest_so_far, (9,)),
    (missing_attribute, (2,)),
    (slices_share_objects, (5,)),
    (a_grid, (4,)),
]
