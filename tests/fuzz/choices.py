"""Where a generator's choices come from: a seed (reproducible) or hypothesis (which shrinks)."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any, Protocol, TypeVar

from hypothesis import strategies as st

T = TypeVar("T")


class Choices(Protocol):
    def integer(self, low: int, high: int) -> int:
        """A number of low..high, both included; hypothesis shrinks towards low."""


class Seeded:
    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def integer(self, low: int, high: int) -> int:
        return self._random.randint(low, high)


class Drawn:
    def __init__(self, draw: st.DrawFn) -> None:
        self._draw = draw

    def integer(self, low: int, high: int) -> int:
        return self._draw(st.integers(low, high))


class Chooser:
    """The choices that generators make, each from one kind of draw."""

    def __init__(self, choices: Choices) -> None:
        self.integer = choices.integer

    def pick(self, items: Sequence[T]) -> T:
        return items[self.integer(0, len(items) - 1)]

    def weighted(self, items: Sequence[tuple[int, T]]) -> T:
        number = self.integer(1, sum(weight for weight, _ in items))
        for weight, item in items:
            number -= weight
            if number <= 0:
                return item
        raise AssertionError("weights must be positive")

    def percent(self, chance: float) -> bool:
        # The unlikely is the larger number: hypothesis shrinks away from it.
        return self.integer(1, 1000) > 1000 - 10 * chance

    def some(self, items: Sequence[Any], low: int, high: int) -> list[Any]:
        """Some of the items, each at most once, in a random order."""
        rest, chosen = list(items), []
        for _ in range(min(self.integer(low, high), len(rest))):
            chosen.append(rest.pop(self.integer(0, len(rest) - 1)))
        return chosen
