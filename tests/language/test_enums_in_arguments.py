"""Lists and dicts of members of enums as arguments, in memory: at any length, with members kept."""

from __future__ import annotations

import enum
from typing import Any

import pytest
import shapecast
from support.compare import check, jitted, make


class Card(enum.IntEnum):
    TWO = 2
    FIVE = 5
    ACE = 14

    @property
    def twice(self) -> int:
        return self.value * 2

    def plus(self, n: int) -> int:
        return self.value + n


class Word(enum.StrEnum):
    P = "p"
    Q = "q"


class Kind(enum.Enum):
    A = 1
    B = "text"


class Alone(enum.Enum):
    X = 3


ENUMS = {"Card": Card, "Word": Word, "Kind": Kind}
LISTS = [
    [Card.FIVE, Card.TWO, Card.ACE],
    [Card.TWO] * 40,
    [Word.Q, Word.P] * 20,
    [Kind.A, Kind.B],
    [Alone.X] * 3,
]


@pytest.mark.parametrize(
    "body",
    [
        "xs[i]",
        "xs[0]",
        "xs[i:]",
        "xs",
        "len(xs)",
        "[x.name for x in xs]",
        "xs[i].value",
        "xs[i] in xs",
        "(xs[i] is xs[0], xs[i] == xs[0])",
        "xs.count(xs[i])",
        "xs.index(xs[i])",
        "[xs[k] for k in range(len(xs)) if xs[k] != xs[0]]",
        "{x: k for k, x in enumerate(xs)}",
        "max(xs)",  # a TypeError of a plain Enum
        "sorted(xs)",
        "f'{xs[i]!r} {xs[i]}'",
    ],
)
def test_a_list_of_members(body: str) -> None:
    f = make(f"def f(xs, i):\n    return {body}\n")
    for xs in LISTS:
        check(f, xs, 1)


def test_members_of_an_int_enum_are_numbers() -> None:
    body = (
        "return [c + 1 for c in cards], sum(cards), cards[i] + 1, cards[i].twice, cards[i].plus(i)"
    )
    check(make(f"def f(cards, i):\n    {body}\n"), [Card.FIVE, Card.TWO] * 9, 3)


@pytest.mark.parametrize("member", [Card.TWO, Word.P, Kind.B, Alone.X])
def test_a_dict_with_members_as_keys_or_values(member: Any) -> None:
    for body in ("d[k]", "[key for key in d]", "list(d.items())", "len(d)", "k in d", "d"):
        f = make(f"def f(d, k):\n    return {body}\n")
        check(f, {member: 2}, member)
        check(f, {3: member, 4: member}, 3)
    check(make("def f(d, k):\n    d[k] = d.pop(k) + 5\n    return d\n"), {member: 2}, member)


def test_members_inside_tuples_and_lists_of_lists() -> None:
    pairs = "return sorted(ps), max(ps), [p for p in ps if p[0] is Card.TWO], {p: 1 for p in ps}"
    check(
        make(f"def f(ps):\n    {pairs}\n", **ENUMS), [(Card.TWO, 3), (Card.ACE, 1), (Card.TWO, 1)]
    )
    grid = "return [[c.name for c in row] for row in g], g[i]"
    check(make(f"def f(g, i):\n    {grid}\n"), [[Kind.A, Kind.B], [Kind.B]], 1)
    check(make("def f(d, k):\n    return d[k][0]\n"), {(1, 2): [Card.TWO]}, (1, 2))
    check(make("def f(xs, i):\n    return xs[i], xs\n"), [None, Kind.A], 1)


def test_the_callers_list_and_dict_are_changed() -> None:
    body = """
        def f(xs, d):
            xs[0] = Card.ACE
            xs.append(Card.TWO)
            xs.sort()
            d[Card.TWO] = xs[0]
            d.pop(Card.FIVE, None)
            return xs, d
        """
    f = make(body, Card=Card)
    for d in ({Card.FIVE: Card.TWO}, {Card.FIVE: Card.TWO, Card.ACE: Card.FIVE}):
        check(f, [Card.TWO, Card.FIVE], d)
    xs = [Card.FIVE, Card.ACE]
    found, _ = jitted(f)(xs, {})
    assert found is xs and all(type(one) is Card for one in xs)


def test_other_items_than_members_may_be_appended() -> None:
    f = make("def f(xs, i):\n    xs.append(3)\n    return xs[i], xs\n")
    for i in (1, 2):
        check(f, [Card.TWO, Card.FIVE], i)


def test_one_variant_is_for_lists_of_all_lengths() -> None:
    f = jitted(make("def f(xs, i):\n    return xs[i]\n"))
    for n in range(1, 30):
        assert f([Card.TWO, Card.ACE, Card.FIVE] * n, n) is [Card.TWO, Card.ACE, Card.FIVE][n % 3]
    assert f.explain().count("new key") == 1


def test_a_value_that_is_changed_is_seen_in_lists() -> None:
    class Number(enum.Enum):
        A = 1
        B = 2

    f = jitted(make("def f(xs, i):\n    return xs[i].value + 1\n"))
    assert f([Number.A, Number.B], 0) == 2
    Number.A._value_ = 5
    assert f([Number.A, Number.B], 0) == 6


def test_members_of_two_enums_in_one_list_are_refused() -> None:
    with pytest.raises(shapecast.UnsupportedError, match="iterate over them"):
        jitted(make("def f(xs, i):\n    return xs[i]\n"))([Card.TWO, Kind.A], 1)
