"""Variables and results that are one of several frozen dataclasses: of recursion, in loops."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Num:
    value: float

    def text(self):
        return f"{self.value:.1f}"


@dataclass(frozen=True)
class Name:
    id: str

    def text(self):
        return self.id


@dataclass(frozen=True)
class Pair:
    first: int
    second: float = 0.5

    def text(self):
        return f"{self.first}|{self.second}"


def parsed(kind, text):
    if kind == "num":
        left = Num(float(text))
    elif kind == "name":
        left = Name(text)
    else:
        left = parsed("num", text)
    return left


def kinds(rows):
    return [type(parsed(kind, text)).__name__ for kind, text in rows]


def nodes(rows):
    found = []
    for kind, text in rows:
        found.append(parsed(kind, text))
    return found, [one.text() for one in found]


def after(k, x):
    if k == 1:
        return Num(x)
    if k == 2:
        return Name(str(x))
    return after(k - 2, x)


def dispatched(n):
    total = 0.0
    names = []
    for k in range(1, n):
        one = after(k, k * 1.5)
        if isinstance(one, Num):
            total += one.value
        else:
            names.append(one.id)
    return total, names


def matched(n):
    out = []
    for k in range(1, n):
        match after(k, k * 1.5):
            case Num(value):
                out.append(value)
            case Name(id=name):
                out.append(len(name))
    return out


@dataclass
class Circle:
    x: float
    y: float
    r: float = 1.0


@dataclass
class Box:
    corner: tuple
    size: float


def area(shape):
    match shape:
        case Circle(0.0, 0.0, r):
            return r * 10
        case Circle(x, r=r) if x > 2:
            return -r
        case Circle(_, y) | Box((_, y), _):
            return y
        case Box():
            return -1.0
    return None


def positional(n):
    shapes = [Circle(0.0, 0.0, 2.5), Circle(3.0, 1.0, n), Circle(1.0, 4.0), Box((1.0, 7.0), 2.0)]
    return [area(shape) for shape in shapes]


def of_three(k):
    if k > 5:
        return of_three(k - 3)
    if k > 4:
        return Pair(k)
    if k > 3:
        return Num(k * 0.5)
    return Name("n" * k)


def three(n):
    return [of_three(k).text() for k in range(n)], of_three(n)


def maybe(k):
    if k == 0:
        return None
    if k % 3 == 0:
        return maybe(k - 3)
    return Num(float(k)) if k % 3 == 1 else Name(str(k))


def with_none(n):
    return [(one.text() if one is not None else "-") for one in [maybe(k) for k in range(n)]]


def carried(n):
    last = Name("none")
    seen = []
    for k in range(n):
        seen.append(last.text())
        if k % 2:
            last = Num(k / 2)
        elif k % 3:
            last = Name(str(k))
    return seen, last


def compared(n):
    a, b = after(n, 1.5), after(n + 1, 1.5)
    return a == b, a == after(n, 1.5), a != b, hash(a) == hash(after(n, 1.5))


def as_keys(n):
    count = {}
    for k in range(1, n):
        one = after(k % 4 + 1, 2.5)
        count[one] = count.get(one, 0) + 1
    return list(count.values()), len(count)


ROWS = [("num", "1"), ("name", "x"), ("-", "2")]
CASES = [
    (kinds, (ROWS,)),
    (nodes, (ROWS,)),
    (dispatched, (7,)),
    (matched, (7,)),
    (positional, (3.5,)),
    (three, (9,)),
    (with_none, (8,)),
    (carried, (8,)),
    (carried, (0,)),
    (compared, (3,)),
    (compared, (4,)),
    (as_keys, (9,)),
]
