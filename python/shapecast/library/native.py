"""What the library may ask the compiler for: each is a call into the run time, without Python.

The bodies never run: np-infer knows the functions by name (src/ops/functions_indexing.cpp).
"""

from __future__ import annotations

from typing import Any


def along(axis: int, key: Any) -> Any:
    """A key: `[:, :, key]` for axis 2."""
    raise NotImplementedError


def is_contiguous(a: Any) -> bool:
    """Whether it is known to stand in C order."""
    raise NotImplementedError


def sort(a: Any, stable: bool) -> None:
    """Along the last axis, in place."""
    raise NotImplementedError


def argsort(a: Any) -> Any:
    """Along the last axis; equal elements stay in order."""
    raise NotImplementedError


def partition(a: Any, kth: Any) -> None:
    """Along the last axis, in place; `kth` is a sorted array of places."""
    raise NotImplementedError
