"""What a call costs where almost nothing is computed, by number and kind of arguments.

`python -m bench.calls quick|full` prints rows as JSON: nanoseconds, less those of calling nothing.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from bench.measure import interleaved, short


def nothing():
    return None


def same(a):
    return a


def plus_one(a):
    return a + 1


def add(a, b):
    return a + b


def add_4(a, b, c, d):
    return a + b + c + d


def add_8(a, b, c, d, e, f, g, h):
    return a + b + c + d + e + f + g + h


def add_to(a, b):
    a += b


def first_element(a):
    return a[0]


def out_of_bounds(a):
    return a[99]


def out_of_bounds_caught(a):
    try:
        return a[99]
    except IndexError:
        return 0.0


def line(x, slope, height):
    return slope * x + height


def add_pair(pair):
    return pair[0] + pair[1]


def chosen(a, how):
    return a + 1.0 if how == "up" else a - 1.0


class Holder:
    def __init__(self) -> None:
        self.a = np.arange(8.0)


def of_object(holder):
    return holder.a + 1.0


SMALL = np.arange(8.0)
# Name, function, arguments, and the target in nanoseconds (None: none).
CASES: list[tuple[str, Callable[..., Any], tuple, float | None]] = [
    ("no arguments", nothing, (), None),
    ("an array, given back", same, (SMALL,), None),
    ("an array of 8", plus_one, (SMALL,), 90),
    ("two arrays of 8", add, (SMALL, SMALL + 1), 90),
    ("two arrays of 8, in place", add_to, (np.zeros(8), SMALL), 90),
    ("four arrays of 8", add_4, (SMALL, SMALL, SMALL, SMALL), None),
    ("eight arrays of 8", add_8, (SMALL,) * 8, None),
    ("two arrays of 2x4", add, (SMALL.reshape(2, 4), SMALL.reshape(2, 4)), 90),
    ("two 0-d arrays", add, (np.array(1.5), np.array(2.5)), 60),
    ("one element", first_element, (SMALL,), 60),
    ("an IndexError to the caller", out_of_bounds, (SMALL,), 10_000),
    ("an IndexError that the function catches", out_of_bounds_caught, (SMALL,), 1_000),
    ("two floats", add, (1.5, 2.5), 60),
    ("two ints", add, (1, 2), 60),
    ("two float64", add, (np.float64(1.5), np.float64(2.5)), 60),
    ("two complex numbers", add, (1.5 + 1j, 2.5j), 60),
    ("an array and two floats", line, (SMALL, 2.0, 1.0), None),
    ("a tuple of two arrays", add_pair, ((SMALL, SMALL),), None),
    ("an array and a string", chosen, (SMALL, "up"), None),
    ("an object that holds an array", of_object, (Holder(),), None),
]


def timed_call(
    g: Callable[..., Any], arguments: tuple, raises: bool = False
) -> Callable[[], object]:
    """Arguments as defaults: no lookups in the timed call."""
    space: dict[str, Any] = {"g": g, "v": arguments}
    names = [f"a{k}" for k in range(len(arguments))]
    defaults = ", ".join(["g=g", *(f"{name}=v[{k}]" for k, name in enumerate(names))])
    call = f"    g({', '.join(names)})"
    if raises:
        call = f"    try:\n    {call}\n    except IndexError:\n        pass"
    exec(f"def call({defaults}):\n{call}", space)
    return space["call"]


def contestants(f: Callable[..., Any], with_numba: bool) -> dict[str, Callable[..., Any]]:
    import shapecast

    found: dict[str, Callable[..., Any]] = {"numpy": f, "shapecast": shapecast.jit(f)}
    if f is add:
        found["np.add"] = np.add
    if with_numba:
        try:
            from numba import njit

            found["numba"] = njit(f)
        except ImportError:
            pass
    return found


def measure(repeats: int) -> list[dict[str, Any]]:
    rows = []
    for name, f, arguments, aim in CASES:
        notes = []
        calls = {"empty call": timed_call(lambda: None, ())}
        for who, g in contestants(f, with_numba=True).items():
            if who == "np.add" and not isinstance(arguments[0], np.ndarray):
                continue
            try:
                g(*arguments)
            except IndexError:
                if f is not out_of_bounds:
                    raise
            except Exception as error:
                notes.append(f"{who}: {short(error)}")
                continue
            calls[who] = timed_call(g, arguments, raises=f is out_of_bounds)
        found = interleaved(calls, repeats, 0.01)
        floor = found.pop("empty call")["seconds"]
        ns = {who: (figures["seconds"] - floor) * 1e9 for who, figures in found.items()}
        rows.append({"name": name, "aim": aim, "ns": ns, "notes": notes})
    return rows


if __name__ == "__main__":
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    print(json.dumps(measure(7 if sys.argv[1] == "quick" else 25)))
