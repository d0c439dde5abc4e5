"""What `print` stands for inside an expression, where capture knows no statement: functions with
None as their result, and `print` as a value.
"""

from __future__ import annotations

import sys
from typing import Any


def printed(*values: Any, sep: Any = " ", end: Any = "\n") -> Any:
    print(_line(values, sep, end), end="")


def printed_now(*values: Any, sep: Any = " ", end: Any = "\n") -> Any:
    """With flush=True."""
    print(_line(values, sep, end), end="", flush=True)


def complained(*values: Any, sep: Any = " ", end: Any = "\n") -> Any:
    """With file=sys.stderr, which has no buffer worth a flush."""
    print(_line(values, sep, end), end="", file=sys.stderr, flush=True)


def _line(values: Any, sep: Any, end: Any) -> Any:
    separator = " " if sep is None else sep
    return separator.join([str(one) for one in values]) + ("\n" if end is None else end)
