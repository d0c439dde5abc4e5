"""Frozen dataclasses as keys and values of dicts that are attributes."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Named:
    s: str
    x: float


@dataclass(frozen=True)
class Number:
    x: float


class Made:
    def __init__(self, f):
        self.f = f
        self.d = {}

    def get(self, key):
        if key not in self.d:
            self.d[key] = self.f()
        return self.d[key]


class Plain:
    def __init__(self):
        self.d = {}

    def get(self, key):
        if key not in self.d:
            self.d[key] = Named("a", 2.5)
        return self.d[key]


def by_a_factory(n):
    return ([], Made(lambda: Named("a", 2.5)).get(Named("b", 1.5)).x)


def in_a_method(n):
    return ([], Plain().get(Named("b", 1.5)).x)


def attribute_of_it(n):
    return Plain().get(Named("b", 1.5)).x


def by_pairs(n):
    return ([], Plain().get((1, n)).x)


def by_numbers(n):
    return ([], Plain().get(n).x)


def numbers_by_names(n):
    return ([], Made(lambda: Number(2.5)).get(Named("b", 1.5)).x)


def numbers_by_numbers(n):
    return ([], Made(lambda: Number(2.5)).get(Number(1.5)).x)


def pairs_by_pairs(n):
    return ([], Made(lambda: ("a", 2.5)).get(("b", 1.5))[1])


def pairs_by_texts(n):
    return ([], Made(lambda: ("a", 2.5)).get("b")[1])


def numbers_by_texts(n):
    return ([], Made(lambda: Number(2.5)).get("b").x)


CASES = [
    (by_a_factory, (3,)),
    (in_a_method, (3,)),
    (attribute_of_it, (3,)),
    (by_pairs, (3,)),
    (by_numbers, (3,)),
    (numbers_by_names, (3,)),
    (numbers_by_numbers, (3,)),
    (pairs_by_pairs, (3,)),
    (pairs_by_texts, (3,)),
    (numbers_by_texts, (3,)),
]
