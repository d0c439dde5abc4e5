"""What the GPU's examples share: arrays there and back, the check, and what was measured."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import shapecast
from _common import difference, timed
from shapecast import jit

SLOW = ", which interprets the kernels: these times say nothing of a GPU"


def sender() -> tuple[str, Callable[[np.ndarray], Any]]:
    """What copies arrays to the GPU: CuPy or torch where one of them sees it, else shapecast.

    A jitted function takes the arrays of all three, and returns those that it was given.
    """
    try:
        import cupy

        if cupy.cuda.is_available():
            return "CuPy's arrays", cupy.asarray
    except ImportError:
        pass
    try:
        import torch

        if torch.cuda.is_available():
            return "torch's tensors", lambda array: torch.from_numpy(array).cuda()
    except ImportError:
        pass
    return "shapecast's arrays", shapecast.to_device


def missing() -> str:
    """Why nothing can run on a GPU here; empty where it can."""
    try:
        shapecast.to_device(np.zeros(1))
    except shapecast.DeviceError as problem:
        return str(problem)
    return ""


def to_host(result: Any) -> Any:
    """As NumPy arrays; waits for them."""
    if isinstance(result, tuple):
        return tuple(map(to_host, result))
    for copied in ("get", "cpu"):  # CuPy's name for it, and torch's
        if hasattr(result, copied):
            return np.asarray(getattr(result, copied)())
    return np.asarray(result)


def wait(result: Any) -> None:
    """Until the GPU is done, since a call may return before: one element is there after all are."""
    while isinstance(result, tuple):
        result = result[-1]
    result[(0,) * result.ndim].item()


def on_gpu(f: Callable[..., Any], *arguments: Any, tolerance: float = 0.0) -> Any:
    """Runs f, jitted, on NumPy arrays and on the GPU; compares, prints times, returns the result.

    The arguments are copied for each run, so that f may work in place. Where there is no GPU the
    result is that of NumPy arrays.
    """
    compiled = jit(f)

    def on_host() -> Any:
        return compiled(*(a.copy() if isinstance(a, np.ndarray) else a for a in arguments))

    on_host()  # compiles
    want, host = timed(on_host, ())
    print(f"{f.__name__}\n  {'NumPy arrays':26} {host * 1e3:9.2f} ms")
    if reason := missing():
        print(f"  the part on a GPU was left out: {reason}")
        return want
    library, copied = sender()

    def sent() -> list[Any]:
        return [copied(a) if isinstance(a, np.ndarray) else a for a in arguments]

    wait(compiled(*sent()))  # compiles
    got, whole = timed(lambda: to_host(compiled(*sent())), ())
    best = done, returned = np.inf, np.inf
    for _ in range(3):
        given = sent()
        wait(tuple(a for a in given if hasattr(a, "ndim")))
        result, until_return = timed(compiled, tuple(given))
        best = min(best, (until_return + timed(wait, (result,))[1], until_return))
    done, returned = best
    show("GPU, with the copies", whole, host)
    show("GPU, arrays already there", done, host, f"; returns after {returned / done:.0%} of it")
    by_host = [line for line in compiled.explain().splitlines() if "the host" in line]
    print("  on the way:", "; ".join(by_host) or "nothing for the host to do or to wait for")
    check(got, want, tolerance)
    device = shapecast.devices()[0].name
    print(f"  {library} on {device}{SLOW if 'test device' in device else ''}")
    return to_host(got)


def show(what: str, seconds: float, host: float, more: str = "") -> None:
    print(f"  {what:26} {seconds * 1e3:9.2f} ms, {host / seconds:.1f} x{more}")


def check(got: Any, want: Any, tolerance: float) -> None:
    """Exits with status 1 where the results differ too much."""
    off = difference(got, want)
    if not off <= tolerance:
        raise SystemExit(f"WRONG: largest difference {off:.1e}, allowed {tolerance:.1e}")
    print(f"  the same result{f' within {off:.1e}' if off else ', bit for bit'}")
