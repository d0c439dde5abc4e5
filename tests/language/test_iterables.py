"""What `for` iterates over, comprehensions of known length, tuples and lists with run-time
indices.
"""

from __future__ import annotations

import numpy as np
import pytest
import shapecast
from support.compare import case_id, check, jitted, make

X = np.array([1.0, 2.0, 3.0, 4.0])
Y = np.arange(12.0).reshape(4, 3)

LOOPS = {
    "zip": ("for x, y in zip(a, b):\n        s += x * y", X, np.arange(5.0)),
    "zip of three": (
        "for x, y, i in zip(a, b, range(2, 90, 3)):\n        s += x * y * i",
        X,
        X + 1,
    ),
    "zip with a tuple": ("for x, y in zip((1.0, 2.0, 3.0), b):\n        s += x * y", X, X),
    "zip of nothing": ("for x, y in zip(a, b):\n        s += x * y", X[:0], X),
    "enumerate": ("for i, x in enumerate(a):\n        s += i * x", X, 0),
    "enumerate from": ("for i, x in enumerate(a, b):\n        s += i * x", X, 5),
    "enumerate zip": ("for i, (x, y) in enumerate(zip(a, b)):\n        s += i * x - y", X, X * 2),
    "enumerate rows": (
        "for i, row in enumerate(a):\n        row[:] = row * i\n        s += i",
        Y,
        0,
    ),
    "reversed": ("for x in reversed(a):\n        s = s * 2 + x", X, 0),
    "reversed range": ("for i in reversed(range(b)):\n        s = s * 2 + i", X, 9),
    "reversed range with step": (
        "for i in reversed(range(1, b, 3)):\n        s = s * 2 + i",
        X,
        15,
    ),
    "reversed enumerate items": (
        "for x, y in zip(reversed(a), b):\n        s = s * 2 + x - y",
        X,
        X,
    ),
    "shape": ("for n in a.shape:\n        s += n", Y, 0),
    "shape by index": ("for i in range(a.ndim):\n        s += a.shape[i] * (i + 1)", Y, 0),
    "kinds that differ": ("for v in (1, 2.0, a):\n        s = s + v", X, 0),
    "kinds by index": ("t = (1, 2.0, a)\n    for i in range(3):\n        s = s + t[i]", X, 0),
    "numbers by index": (
        "t = (1.0, 2.5, 7.0, -1.0)\n    for i in range(b):\n        s += t[i] + t[-i - 1]",
        X,
        4,
    ),
    "index out of range": ("t = (1.0, 2.0)\n    for i in range(b):\n        s += t[i]", X, 3),
    "arrays by index": (
        "t = (a, b)\n    for i in range(4):\n        t[i % 2][i] += 1\n    s = t[len(a) % 2]",
        X,
        X + 3,
    ),
    "break": (
        "for v in (1.0, 2.0, 3.0):\n        if v > b:\n            break\n        s += v",
        X,
        1.5,
    ),
    "return": ("for v in (1.0, 2.0, 3.0):\n        if v > b:\n            return v", X, 1.5),
    "else": (
        "for v in (1, 2):\n        if v > b:\n            break\n    else:\n        s = -1.0",
        X,
        5,
    ),
    "comprehension": ("s = [a[i] * 2 for i in range(3)]", X, 0),
    "nested comprehension": ("s = [i * j for i in range(3) for j in range(3) if i != j]", X, 0),
    "comprehension's own variable": ("s = [i + b for i in range(3)], b", X, 2),
    "comprehension over pairs": ("s = [p * q for p, q in ((1, 2), (3, b))]", X, 2.0),
    "array of a comprehension": ("s = np.array([a[i] * i for i in range(3)])", X, 0),
    "slice objects": (
        "low, high = slice(1), slice(b, None, 2)\n    s = a[low], a[high], a[slice(0, 3)]",
        X,
        1,
    ),
    "a dtype's class": ("s = a.dtype.type(0.1) + a * a.dtype.type(b)", X.astype(np.float32), 2),
    "starred target": ("p, *q, r = (1, b, 3, 4)\n    s = (p, q, r)", X, 2.0),
    "starred target of nothing": ("p, *q = (1,)\n    s = (p, q)", X, 2.0),
    "too few for a starred target": ("p, *q, r = (1,)\n    s = p", X, 2.0),
    "starred display": ("t = (b, 2)\n    s = (*t, 3, *t), [*range(3)]", X, 2.0),
    "enumerate from a float": ("for i, x in enumerate(a, b):\n        s += i", X, 1.5),
    "reversed zip": ("for x in reversed(zip(a, b)):\n        s += 1", X, X),
    "zip of a number": ("for x, y in zip(a, b):\n        s += 1", X, 3),
    "not iterable": ("for i, x in enumerate(b):\n        s += x", X, 3),
}


@pytest.mark.parametrize("name", LOOPS)
def test_loops_match_python(name: str) -> None:
    body, a, b = LOOPS[name]
    check(make(f"def f(a, b):\n    s = 0.0\n    {body}\n    return s"), a, b)


def test_enumerate_and_zip_are_counted_loops() -> None:
    f = make("def f(a, b):\n    for i, (x, y) in enumerate(zip(a, b)):\n        b[i] = x + y")
    check(f, X, X + 1)
    stages = shapecast.jit(f).stages(X, X + 1)
    assert "vector.body" in stages["llvm"]


def test_a_list_of_a_length_known_only_at_run_time() -> None:
    check(make("def f(a):\n    return [x * 2 for x in a]"), X)


def test_a_function_in_a_list_of_them_may_not_use_the_comprehensions_variable() -> None:
    f = make("def f(a):\n    return [lambda y: y * i for i in range(3)][0](a)")
    with pytest.raises(shapecast.UnsupportedError, match="bind the present value as a default"):
        jitted(f)(X)
    check(make("def f(a):\n    return [lambda y, i=i: y * i for i in range(3)][2](a)"), X)


def test_an_iterator_is_exhausted_after_one_loop() -> None:
    f = make("""
        def f(a, b):
            pairs = zip(a, b)
            s = 0.0
            for x, y in pairs:
                s += x * y
            for x, y in pairs:
                s += 1000.0
            return s
    """)
    with pytest.raises(shapecast.UnsupportedError, match="more than once"):
        jitted(f)(X, X)


@pytest.mark.parametrize("n", [6, 0])
def test_a_range_or_zip_from_one_arm_stays_one(n: int) -> None:
    """The other arm raises. (The join once gave a tuple of the bounds.)"""
    check(
        make("""
            def f(a, n):
                if n > 0:
                    indices, pairs, part = range(n), zip(a, a[1:]), slice(1, n)
                else:
                    raise ValueError("nothing")
                s = 0.0
                for k in indices:
                    s += k
                for x, y in pairs:
                    s += x * y
                return s, a[part]
        """),
        X,
        n,
    )


STRICT = """
    def f(x, y):
        total = 0.0
        for p, q, r in zip(x, y, range(len(x)), strict=True):
            total += p * q * r
        return total, [p - q for p, q in zip(x, y, strict=True)], dict(zip("ab", x, strict=True))
"""


def test_strict_zips_of_equal_lengths() -> None:
    for x, y in (([1.0, 2.0], [3.0, 4.0]), ((1, 2.5), (3, 4)), (np.arange(2.0), np.arange(2))):
        check(make(STRICT), x, y)
    check(make("def f(x):\n    return list(zip(x, x[1:], strict=False))"), [1, 2, 3])


@pytest.mark.parametrize("lengths", [(2, 3), (3, 2)], ids=case_id)
def test_strict_zips_of_different_lengths_are_refused(lengths: tuple[int, int]) -> None:
    """Python iterates over them up to the error."""
    f = jitted(make("def f(x, y):\n    return [p - q for p, q in zip(x, y, strict=True)]"))
    with pytest.raises(shapecast.UnsupportedError, match="argument 2 is found to be longer"):
        f(*map(np.arange, lengths))
    np.testing.assert_array_equal(f(np.arange(3), np.arange(3)), [0, 0, 0])
