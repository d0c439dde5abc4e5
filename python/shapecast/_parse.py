"""ast.parse for threads."""

from __future__ import annotations

import ast


def parse(text: str) -> ast.Module:
    """Python 3.11 to 3.13 count the depth of all threads' trees in one variable (CPython's issue
    106905): where two parse at once, one may find that it has changed, and parses again.
    """
    for _ in range(20):
        try:
            return ast.parse(text)
        except SystemError:
            continue
    return ast.parse(text)
