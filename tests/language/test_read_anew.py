"""What code knows of sets, functions and instances from outside is what they are at each call."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Any

import pytest
import shapecast
from shapecast import jit
from support.compare import make


class Colour(Enum):
    RED = 1
    GREEN = 2
    BLUE = 3


@dataclass
class Item:
    name: str
    price: int


def test_a_set_of_members() -> None:
    warm = {Colour.RED, Colour.BLUE}
    f = make("def f(n):\n    return list(Colour)[n] in warm", Colour=Colour, warm=warm)
    compiled = jit(f)
    assert [compiled(n) for n in range(3)] == [True, False, True]
    warm.discard(Colour.BLUE)
    warm.add(Colour.GREEN)
    assert [compiled(n) for n in range(3)] == [f(n) for n in range(3)] == [True, True, False]


@pytest.mark.parametrize(
    ("body", "is_refused"),
    [
        ("seen.add(Colour.BLUE)\n    return Colour.BLUE in seen", False),
        ("old = B in seen\n    seen.add(B)\n    return old, B in seen", False),
        ("seen.add(Colour.BLUE)\n    return list(Colour)[n] in seen", True),
    ],
    ids=["after", "before and after", "of run time"],
)
def test_a_set_of_members_that_the_function_changes(body: str, is_refused: bool) -> None:
    def outcome(wrap: Callable[[Any], Any]) -> Any:
        seen = {Colour.RED}
        f = make(f"def f(n):\n    {body}", Colour=Colour, B=Colour.BLUE, seen=seen)
        return wrap(f)(2), seen

    if is_refused:
        with pytest.raises(shapecast.UnsupportedError, match="calling Python with"):
            outcome(jit)
    else:
        assert outcome(jit) == outcome(lambda f: f)


def test_attributes_of_functions_in_tables() -> None:
    def double(n: int) -> int:
        """Twice."""
        return 2 * n

    made: Any = double
    f = jit(make("def f(k):\n    return T[k].order, T[k].__doc__", T={"double": double}))
    made.order = 1
    assert f("double") == (1, "Twice.")
    made.order = 2
    assert f("double") == (2, "Twice.")
    made.__doc__ = "Double."
    assert f("double") == (2, "Double.")
    made.__doc__ = None
    assert f("double") == (2, None)
    del made.__doc__
    assert f("double") == (2, None)


def test_instances() -> None:
    stock = [Item("pear", 2), Item("fig", 3)]
    f = jit(make("def f(n):\n    return max(S, key=lambda i: i.price).name, S[n].price", S=stock))
    assert f(0) == ("fig", 2)
    stock[0].price = 9
    assert f(0) == ("pear", 9)
    stock.append(Item("kiwi", 20))
    assert f(2) == ("kiwi", 20)
