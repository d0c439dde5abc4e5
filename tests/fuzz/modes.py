"""Transformations for large arrays, switched on for small ones: each program has one mode."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass

import shapecast

NEVER = 1 << 60


@dataclass(frozen=True)
class Mode:
    strip_bytes: int = 1 << 18  # adjacent loops are interleaved by strips of so many
    non_temporal_bytes: int = NEVER  # loops over so many bytes use non-temporal stores
    min_parallel_work: int = NEVER  # loops of so much work are shared by threads
    threads: int = 1


# A loop that threads share is one strip: not both at once. "streams": non-temporal stores.
MODES = {
    "strips": Mode(strip_bytes=200),
    "threads": Mode(min_parallel_work=0, threads=3),
    "strips+streams": Mode(strip_bytes=200, non_temporal_bytes=0),
    "threads+streams": Mode(min_parallel_work=0, threads=2, non_temporal_bytes=0),
}


def mode_of(seed: int) -> str:
    """Seeds are distributed over the modes."""
    return list(MODES)[seed % len(MODES)]


def switch(name: str) -> Mode:
    """Returns the mode that was on before."""
    return _set(MODES[name])


def _set(mode: Mode) -> Mode:
    core = shapecast._core
    before = Mode(
        core._set_strip_bytes(mode.strip_bytes),
        core._set_non_temporal_bytes(mode.non_temporal_bytes),
        core._set_min_parallel_work(mode.min_parallel_work),
        shapecast.get_num_threads(),
    )
    shapecast.set_num_threads(mode.threads)
    return before


@contextlib.contextmanager
def switched(name: str) -> Iterator[None]:
    before = switch(name)
    try:
        yield
    finally:
        _set(before)
