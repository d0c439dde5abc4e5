"""What large arrays have, switched on for small ones: each program is tried in one of the modes."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass

import shapecast

NEVER = 1 << 60


@dataclass(frozen=True)
class Mode:
    strip_bytes: int = 1 << 18  # neighbouring loops take turns by strips of so many
    stream_from: int = NEVER  # loops that touch so many bytes store past the caches
    share_from: int = NEVER  # loops that take so long are shared by threads
    threads: int = 1


# Where threads share loops a strip is all there is: not both at once.
MODES = {
    "strips": Mode(strip_bytes=200),
    "threads": Mode(share_from=0, threads=3),
    "strips+streams": Mode(strip_bytes=200, stream_from=0),
    "threads+streams": Mode(share_from=0, threads=2, stream_from=0),
}


def mode_of(seed: int) -> str:
    """Seeds are shared out among the modes."""
    return list(MODES)[seed % len(MODES)]


def switch(name: str) -> Mode:
    """Gives what was on before."""
    return _set(MODES[name])


def _set(mode: Mode) -> Mode:
    core = shapecast._core
    before = Mode(
        core._strip_bytes(mode.strip_bytes),
        core._stream_from(mode.stream_from),
        core._share_from(mode.share_from),
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
