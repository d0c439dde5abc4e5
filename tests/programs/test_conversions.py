"""Where compiled code gives up: Python's ints grow, those of compiled code have 64 bits."""

from __future__ import annotations

import pytest
from programs.conversions import of_bytes
from support.compare import jitted


@pytest.mark.parametrize("given", [b"\x80" + b"\0" * 7, b"\1" + b"\0" * 8, b"\xff" * 20])
def test_bytes_of_more_than_64_bits_are_an_overflow(given: bytes) -> None:
    with pytest.raises(OverflowError, match="does not fit in 64 bits"):
        jitted(of_bytes)(given)
