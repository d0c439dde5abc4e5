"""Attributes of functions, set outside and read inside."""

import functools
import math


def increased(n):
    return n + 1


increased.truth, increased.label = 2.5, "one"
increased.table, increased.options = [1, 2], {"a": 1}


def of_another(n):
    return (
        increased(n) * increased.truth,
        increased.label,
        increased.table[1],
        increased.options["a"],
    )


def scaled(n):
    return n * scaled.scale


scaled.scale = 3


def of_one_that_reads_its_own(n):
    return scaled(n)


def registered(truth):
    def decorate(function):
        @functools.wraps(function)
        def runner(n):
            return function(n) + 1

        runner.truth = truth
        return runner

    return decorate


@registered(math.pi)
def circle(n):
    return n * 2


def of_a_decorated_one(n):
    return circle(n), circle.truth, circle.__name__


def asked_for(n):
    return (
        getattr(increased, "truth"),
        getattr(increased, "missing", n),
        hasattr(increased, "label"),
        hasattr(increased, "no"),
    )


def missing(n):
    try:
        return increased.truth + increased.nothing
    except AttributeError as e:
        return str(e)


def memo(n):
    return memo.known[n] if n in memo.known else n * 2


memo.known = {1: 5, 2: 7}


def of_a_table(n):
    return [memo(k) for k in range(n)]


CASES = [
    (of_another, (2,)),
    (scaled, (2,)),
    (of_one_that_reads_its_own, (2,)),
    (of_a_decorated_one, (2,)),
    (asked_for, (2,)),
    (missing, (2,)),
    (of_a_table, (3,)),
]
