"""What the examples share: a check and one line of times, and a writer of pictures."""

from __future__ import annotations

import os
import struct
import sys
import time
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

# One thread for both sides; must be set before NumPy is imported.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
from shapecast import jit

OUT = Path(__file__).parent / "out"


def size(default: int) -> int:
    """The first argument of the command line, where there is one."""
    return int(sys.argv[1]) if len(sys.argv) > 1 else default


def difference(got: Any, want: Any) -> float:
    """The largest one; numbers that are equal, infinities too, differ by 0. Of strings: 0 or 1."""
    if isinstance(want, tuple):
        return max(difference(g, w) for g, w in zip(got, want, strict=True))
    got, want = np.asarray(got), np.asarray(want)
    if want.dtype.kind == "U":
        return float(got.tolist() != want.tolist())
    return float(np.max(np.abs(np.subtract(got, want, where=got != want, out=np.zeros(got.shape)))))


def timed(f: Callable[..., Any], arguments: tuple) -> tuple[Any, float]:
    start = time.perf_counter()
    result = f(*arguments)
    return result, time.perf_counter() - start


def compare(
    f: Callable[..., Any],
    arguments: Callable[[], tuple],
    reference: Callable[..., Any] | None = None,
    tolerance: float = 0.0,
) -> Any:
    """Runs f as it is (or a reference in its place) and compiled, prints one line of times, and
    returns the compiled one's result. Exits with status 1 where results differ too much.

    Each run gets fresh arguments, so functions may work in place.
    """
    compiled, plain = jit(f), reference or f
    got, first = timed(compiled, arguments())
    want, slow = timed(plain, arguments())
    fast = timed(compiled, arguments())[1]
    # Interleaved, so that other load on the machine affects both; a slow one runs once.
    for _ in range(3 if slow < 1 else 0):
        slow = min(slow, timed(plain, arguments())[1])
        fast = min(fast, timed(compiled, arguments())[1])
    off = difference(got, want)
    verdict = "equal" if off == 0 else f"within {off:.1e}" if off <= tolerance else "WRONG"
    print(
        f"{f.__name__}: {plain.__name__ if reference else 'plain'} {slow * 1e3:.1f} ms, "
        f"jit {fast * 1e3:.2f} ms (first call {first * 1e3:.0f} ms), {slow / fast:.1f} x, {verdict}"
    )
    if verdict == "WRONG":
        raise SystemExit(f"largest difference {off:.1e}, allowed {tolerance:.1e}")
    return got


def write_png(name: str, rgb: np.ndarray) -> Path:
    """A picture of bytes (height, width, 3) as examples/out/<name>.png, with no other package."""
    height, width, _ = rgb.shape
    lines = np.zeros((height, 1 + 3 * width), np.uint8)  # each line begins with its filter: none
    lines[:, 1:] = rgb.reshape(height, -1)
    chunks = (
        (b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)),
        (b"IDAT", zlib.compress(lines.tobytes())),
        (b"IEND", b""),
    )
    data = b"\x89PNG\r\n\x1a\n"
    for kind, body in chunks:
        check = zlib.crc32(kind + body)
        data += struct.pack(">I", len(body)) + kind + body + struct.pack(">I", check)
    OUT.mkdir(exist_ok=True)
    path = OUT / f"{name}.png"
    path.write_bytes(data)
    return path
