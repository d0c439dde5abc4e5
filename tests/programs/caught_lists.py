"""Attributes of exceptions that are caught: lists made at run time, None, several kinds."""

import enum


class Problem(Exception):
    def __init__(self, what, data=None, count=0):
        super().__init__(what)
        self.data, self.count = data, count


class Worse(Problem):
    pass


class Cycle(Exception):
    def __init__(self, path):
        self.path, self.length = list(path), len(path)
        super().__init__(" > ".join(path))


class Colour(enum.Enum):
    RED = 1
    BLUE = 2


def numbers(n):
    try:
        raise Problem("bad", [i * i for i in range(n)])
    except Problem as e:
        return e.data, str(e), len(e.data)


def texts(n):
    path = []
    for i in range(n):
        path.append("p" + str(i))
    try:
        raise Problem(" -> ".join(path), path)
    except Problem as e:
        return e.data, str(e)


def number_or_none(n):
    try:
        if n > 2:
            raise Problem("a", 1.5)
        raise Worse("b")
    except Problem as e:
        best = None if e.data is None else round(e.data, 1)
        return e.data is None, best, e.count, type(e).__name__


def number_or_text(n):
    try:
        if n > 2:
            raise Problem("a", "text")
        raise Problem("b", 3)
    except Problem as e:
        return e.data, str(e)


def counted_below(n):
    count = 0

    def go(k):
        nonlocal count
        count += 1
        if k == 0:
            raise Problem("deep", count)
        go(k - 1)

    try:
        go(n)
    except Problem as e:
        return e.data, count


def found_or_none(n):
    found = None
    for i in range(n):
        if i == 3:
            found = [i, i + 1]
    try:
        raise Problem("c", found)
    except Problem as e:
        return e.data


def first_path(n):
    path = []
    for i in range(n):
        path.append(str(i))
        if i == 3:
            return [*path[path.index("1") :], "z"]
    return None


def joined_or_none(n):
    try:
        raise Problem(" ".join(first_path(n)), first_path(n))
    except Problem as e:
        return e.data, str(e)


def copied_by_the_constructor(n):
    try:
        raise Cycle(["a" * i for i in range(n)])
    except Cycle as e:
        return e.path, e.length, str(e)


def tuples(n):
    try:
        raise Problem("x", [(i, str(i)) for i in range(n)])
    except Problem as e:
        return e.data, [a for a, b in e.data]


def in_turn(n):
    out = []
    for k in range(n):
        try:
            if k % 2:
                raise Problem("odd", [str(j) for j in range(k)])
            raise Worse("even", None)
        except Problem as e:
            if e.data is not None:
                out.append(e.data)
    return out


def below_calls(n):
    def deep(k):
        if k == 0:
            raise Problem("deep", [k] * n)
        deep(k - 1)

    try:
        deep(n)
    except Problem as e:
        return e.data, len(e.data)


def beside_the_list(n):
    made = []
    try:
        for i in range(n):
            made.append(i)
            if i == 2:
                raise Problem("x", made)
    except Problem as e:
        return len(e.data), e.data == [0, 1, 2], made
    return made


def member(n):
    try:
        raise Problem("c", Colour.RED if n > 1 else Colour.BLUE)
    except Problem as e:
        return str(e), e.count


CASES = [
    (f, (n,))
    for f in (
        numbers,
        texts,
        number_or_none,
        number_or_text,
        counted_below,
        found_or_none,
        joined_or_none,
        copied_by_the_constructor,
        tuples,
        in_turn,
        below_calls,
        beside_the_list,
        member,
    )
    for n in (0, 1, 4, 6)
]
