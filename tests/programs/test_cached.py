"""Caches of functions outside: compiled code has no use of them, and does not read them."""

from __future__ import annotations

import pytest
import shapecast
from programs.cached import cleared_outside, triple
from support.compare import jitted


def test_cache_clear_empties_the_cache_of_a_function_outside() -> None:
    triple(5)
    assert jitted(cleared_outside)(6) == (18, 13)
    assert triple.cache_info().currsize == 0


def test_cache_info_of_a_function_outside_is_refused() -> None:
    def asked(n: int) -> object:
        return triple(n), triple.cache_info()

    with pytest.raises(shapecast.UnsupportedError, match="'cache_info' of function triple"):
        shapecast.jit(asked)(3)
