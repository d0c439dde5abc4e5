"""Loops in a `try` over what runs code of the program for each item: generators, instances with
__next__ or __iter__. What that raises is caught, and no item is lost.
"""

import contextlib


def numbers(n):
    for i in range(n):
        if i == 3:
            raise ValueError(str(i))
        yield i + 1


def one_and_an_error(n):
    yield n
    raise ValueError("x")


class Steps:
    def __init__(self, n):
        self.n = n
        self.k = 0

    def __iter__(self):
        return self

    def __next__(self):
        if self.k == self.n:
            raise StopIteration
        self.k += 1
        if self.k == 4:
            raise ValueError("four")
        return self.k


class Both:
    def __init__(self, a, b):
        self.a, self.b = a, b

    def __iter__(self):
        yield self.a
        yield self.b


def summed(n):
    d = 0
    try:
        for x in numbers(n):
            d += x
    except ValueError:
        return -d
    return d


def after_one(n):
    d, log = 0, []
    try:
        for x in one_and_an_error(n):
            log.append(x)
            d += x
    except ValueError as e:
        log.append(str(e))
    return d, log


def over_a_name(n):
    d = 0
    g = numbers(n)
    try:
        for x in g:
            d += x
    except ValueError:
        return -d, next(g, None)
    return d, next(g, None)


def over_an_instance(n):
    d = 0
    try:
        for x in Steps(n):
            d += x
    except ValueError as e:
        return -d, str(e)
    return d, ""


def over_what_iter_gives(n):
    d = 0
    try:
        for x in Both(n, n + 1):
            d += x
            if d > 20:
                raise KeyError(d)
    except KeyError as e:
        return e.args
    return d


def in_the_body(n):
    d = 0
    try:
        for x in numbers(n):
            if x == 2:
                continue
            if x == 3:
                raise KeyError(x)
            d += x
        else:
            d += 100
    except KeyError:
        return -d
    return d


def left(n):
    d = 0
    try:
        for x in numbers(n):
            d += x
            if x == 2:
                break
        else:
            d += 100
    except ValueError:
        d = -d
    return d


def one_in_another(n):
    d = 0
    try:
        for x in numbers(n):
            for y in numbers(x):
                d += x * 10 + y
    except ValueError:
        return -d
    return d


def with_finally(n):
    d, log = 0, []
    try:
        for x in numbers(n):
            d += x
    finally:
        log.append(d)
    return log


def suppressed(n):
    d = 0
    with contextlib.suppress(ValueError):
        for x in numbers(n):
            d += x
    return d


def translated(n):
    d = 0
    try:
        for x in numbers(n):
            d += x
    except ValueError as e:
        raise KeyError("converted", d) from e
    return d


def plain_ones(n):
    d = 0
    try:
        for i, x in enumerate([n, 2, 3]):
            d += i * x
        for x, y in zip(range(n), [1, 2]):
            d += x * y
        for k in {"a": n, "b": 2}:
            d += len(k)
        for k in "abc":
            d += ord(k)
        for t in ((1, n), (2, 3)):
            d += t[1]
        d += "n" * n
    except TypeError:
        return -d
    return d


CASES = [
    (function, (n,))
    for function in (
        summed, after_one, over_a_name, over_an_instance, over_what_iter_gives, in_the_body, left,
        one_in_another, with_finally, suppressed, translated, plain_ones,
    )
    for n in (2, 5, 10)
]  # fmt: skip
