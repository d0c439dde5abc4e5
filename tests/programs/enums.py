"""Enums by value and name, iterated over; dicts of constants."""

import enum


class Colour(enum.Enum):
    RED = 1
    BLUE = 2


class Number(enum.IntEnum):
    A = 1
    B = 5


class Text(str, enum.Enum):
    X = "x"
    Y = "y"


def by_value(n):
    return Colour(n)


def all_members(n):
    return [c.name for c in Colour], len(Colour), Colour["RED"], Colour.RED in Colour


def compared(n):
    return Colour(n) == Colour.RED, Colour(n).name, Colour(n).value


def counted(n):
    d = {c: 0 for c in Colour}
    for i in range(n):
        d[Colour(i % 2 + 1)] += i
    return d


def searched(n):
    for c in Colour:
        if c.value == n:
            return c


SCORES = {1: 10, 2: 20, (3): 30}
MOVES = {(0, 1): "R", (1, 0): "D"}


def tables(n):
    return SCORES[n], SCORES.get(n + 9, 0), MOVES[(0, n)], {v: k for k, v in MOVES.items()}


def looked_up(xs):
    s = 0
    for x in xs:
        s += SCORES.get(x, -1)
    return s, 2 in SCORES


def by_text(s):
    return Text(s)


def wrong_value(n):
    try:
        return Colour(n)
    except ValueError as e:
        return str(e)


CASES = [
    (by_value, (1,)),
    (by_value, (3,)),
    (all_members, (1,)),
    (compared, (2,)),
    (counted, (5,)),
    (searched, (2,)),
    (tables, (1,)),
    (looked_up, ([1, 2, 5, 2],)),
    (by_text, ("x",)),
    (wrong_value, (7,)),
]
