"""Scalars made of arrays on a device: what stays there, what is waited for, what calls give."""

from __future__ import annotations

import copy
import math
import operator
from dataclasses import dataclass

import numpy as np
import pytest
import shapecast
from shapecast import DeviceArray, jit, to_device
from support.compare import make

from support import cuda


@pytest.fixture(autouse=True)
def device():
    cuda.start()


def in_host(value):
    return value.copy_to_host() if isinstance(value, DeviceArray) else value


def normalised(x):
    return (x - x.mean()) / x.std()


def conjugate_gradients(a, b, count):
    x = np.zeros_like(b)
    r = b.copy()
    p = r.copy()
    rr = r @ r
    for _ in range(count):
        ap = a @ p
        alpha = rr / (p @ ap)
        x += alpha * p
        r -= alpha * ap
        new = r @ r
        p = r + (new / rr) * p
        rr = new
    return x, rr


def power_iteration(a, count):
    v = np.ones(len(a))
    largest = 0.0
    for _ in range(count):
        w = a @ v
        largest = np.sqrt((w * w).sum())
        v = w / largest
    return largest, v


def decayed_average(x, count):
    average = np.float64(1.0)
    for k in range(count):
        average = 0.9 * average + 0.1 * x[k].sum()
        x[k] -= average
    return average


def sums_of_rows(x):
    out = np.empty(len(x))
    for k in range(len(x)):
        out[k] = np.exp(x[k].max()) + x[k, 0]
    return out


def ends(x, k):
    first, last, one = x[0], x[-1], x[k]
    x += 1
    return first, last, one, last - first, x[k]


chain = make("def f(x):\n    s = x.sum()\n" + "    s = s + s * 0.5\n" * 28 + "    return s, x * s")


def swapped(x, count):
    low, high = x.min(), x.max()
    for _ in range(count):
        low, high = high, low
        x *= 1 + low - high
    return low, high


def nested(x, count):
    total = x.sum()
    for _ in range(count):
        for _ in range(2):
            x /= total
            total = x.sum() + 1
        total = total * 2
    return total


def all_kinds(x):
    return x.sum(), x.max(), (x > 1).any(), (x > 1).all(), np.argmin(x), np.prod(x), np.ptp(x)


def matrix(n):
    a = np.random.default_rng(3).random((n, n))
    return a @ a.T + n * np.eye(n)


@pytest.mark.parametrize(
    ("f", "args"),
    [
        (normalised, lambda: (np.arange(10.0) ** 2,)),
        (conjugate_gradients, lambda: (matrix(12), np.arange(12.0), 8)),
        (power_iteration, lambda: (matrix(9), 6)),
        (decayed_average, lambda: (np.arange(24.0).reshape(6, 4), 6)),
        (sums_of_rows, lambda: (np.linspace(0, 1, 12).reshape(3, 4),)),
        (ends, lambda: (np.arange(5.0), 2)),
        (chain, lambda: (np.linspace(0, 1, 5),)),  # 2 ** 28 if each use were followed by itself
        (swapped, lambda: (np.linspace(0.1, 0.5, 4), 3)),
        (nested, lambda: (np.arange(1.0, 9), 3)),
        (all_kinds, lambda: (np.arange(1.0, 5),)),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_nothing_is_waited_for(f, args):
    host, on_device = args(), [to_device(a) if np.ndim(a) else a for a in args()]
    want = f(*host)
    jitted = jit(f)
    got = jitted(*on_device)
    assert "the host waits" not in str(jitted.explain()), str(jitted.explain())
    wants, gots = (v if isinstance(v, tuple) else (v,) for v in (want, got))
    for a, b in zip(gots, wants, strict=True):
        assert isinstance(a, DeviceArray)
        assert (a.shape, a.dtype) == (np.shape(b), b.dtype)
        np.testing.assert_allclose(in_host(a), b, rtol=1e-12, atol=1e-13)
    for a, b in zip(on_device, host, strict=True):
        np.testing.assert_allclose(in_host(a), b, rtol=1e-12, atol=1e-13)
    # Again, with what is in the queue still to be done.
    again = jitted(*(to_device(a) if np.ndim(a) else a for a in args()))
    for a, b in zip(again if isinstance(again, tuple) else (again,), wants, strict=True):
        np.testing.assert_allclose(in_host(a), b, rtol=1e-12, atol=1e-13)


BRANCHES = {
    "if": "def f(x):\n    s = x.sum()\n    if s > 3:\n        x -= s\n    return s, x",
    "while": "def f(x):\n    while (x * x).sum() > 1:\n        x *= 0.5\n    return x.sum()",
    "index": "def f(x):\n    return x[np.argmax(x)], x[: int(x[0])]",
    "float": "def f(x):\n    return float(x.sum()), x.sum()",
    "until": "def f(x):\n    s = x.sum()\n    for k in range(9):\n        x *= 0.5\n"
    "        s = x.sum()\n        if s < 2:\n            break\n    return s, k",
    "sometimes": "def f(x):\n    s = 0.0\n    for k in range(4):\n        if k % 2:\n"
    "            s = x.sum()\n        x -= s\n    return x, s",
    "choice": "def f(x):\n    s = x.sum() if x[0] > 0 else x.max()\n    return s * 2, x * s",
    "size": "def f(x):\n    return np.zeros(int(x.max())) + x.min()",
    "text": "def f(x):\n    return f'{x.sum():.2f}', x.sum()",
    "list": "def f(x):\n    r = []\n    for k in range(len(x)):\n"
    "        r.append(x[k:].sum())\n    return r",
    "element loop": "def f(x):\n    s = x.max()\n    for k in range(len(x)):\n"
    "        x[k] = x[k] * s\n    return s",
}


@pytest.mark.parametrize("source", BRANCHES.values(), ids=BRANCHES)
def test_what_the_host_needs_is_read(source):
    f = make(source)
    host, on_device = np.arange(1.0, 5), to_device(np.arange(1.0, 5))
    want, got = f(host), jit(f)(on_device)
    for a, b in zip(
        *((v if isinstance(v, (tuple, list)) else (v,)) for v in (got, want)), strict=True
    ):
        if isinstance(b, np.generic) and not isinstance(got, list):
            assert isinstance(a, DeviceArray) and a.shape == ()
        elif not isinstance(b, (np.ndarray, np.generic)):
            assert type(a) is type(b)
        if isinstance(b, str):
            assert a == b
        else:
            np.testing.assert_allclose(in_host(a), b, rtol=1e-14)
    np.testing.assert_allclose(in_host(on_device), host, rtol=1e-14)


@pytest.mark.parametrize("dtype", list("?bhilqBHILQfdFD"))
def test_of_each_dtype(dtype):
    x = np.array([3, 1, 2]).astype(dtype)
    f = jit(make("def f(x, s):\n    return x.max(), x[1], x.sum() + x[0], x * s"))
    want = (x.max(), x[1], x.sum() + x[0], x * x[2])
    scalar = to_device(np.array(x[2]))
    for a, b in zip(f(to_device(x), scalar), want, strict=True):
        assert (a.shape, a.dtype) == (b.shape, b.dtype)
        np.testing.assert_array_equal(in_host(a), b)
    for a, b in zip(f.on("cuda:0")(x, x[2]), want, strict=True):
        assert isinstance(a, type(b)) or dtype in "qQ"  # which are int64 and uint64 here
        np.testing.assert_array_equal(a, b)


@dataclass
class Moments:
    mean: float
    spread: float


def moments(x):
    return Moments(x.mean(), x.max() - x.min())


def in_containers(x):
    return {"sum": x.sum(), "all": [x.max(), (x.min(), x)]}


def test_in_containers_and_objects():
    x = np.arange(4.0)
    got = jit(moments)(to_device(x))
    assert isinstance(got.mean, DeviceArray) and float(got.mean) == 1.5
    assert got.spread.item() == 3.0
    given = to_device(x)
    got = jit(in_containers)(given)
    assert got["sum"].item() == 6.0 and got["all"][0].item() == 3.0
    assert got["all"][1][0].item() == 0.0 and got["all"][1][1] is given
    on = jit(moments).on("cuda:0")(x)
    assert (type(on.mean), on) == (np.float64, Moments(1.5, 3.0))
    on = jit(in_containers).on("cuda:0")(x)
    assert type(on["sum"]) is np.float64 and type(on["all"][1][0]) is np.float64
    assert on["all"][1][1] is x


def test_texts_are_made_of_numpys_scalars():
    f = make("def f(x):\n    s = x.sum()\n    return f'{s!r} {x[0]:.2f}', str(s), [s], s")
    text, shown, kept, value = jit(f)(to_device(np.ones(3)))
    assert (text, shown) == ("np.float64(3.0) 1.00", "3.0")
    assert kept[0] is value and value.item() == 3.0


def test_the_same_scalar_is_one_object():
    first, second = jit(make("def f(x):\n    s = x.sum()\n    return s, s"))(to_device(np.ones(3)))
    assert first is second


class Counter:
    def __init__(self):
        self.total = 0.0
        self.seen = []

    def add(self, x):
        s = x.sum()
        self.total += s
        self.seen.append(s)
        return s


def test_what_objects_keep_is_of_the_host():
    class Jitted(Counter):
        add = jit(Counter.add)

    counter = Jitted()
    for _ in range(2):
        got = counter.add(to_device(np.ones(3)))
    assert got.item() == 3.0
    assert (type(counter.total), counter.total) == (np.float64, 6.0)
    assert counter.seen == [3.0, 3.0]


def fibonacci(x, n):
    if n < 2:
        return x[n]
    return fibonacci(x, n - 1) + fibonacci(x, n - 2)


def test_recursive_functions_have_scalars_of_the_host():
    got = jit(fibonacci)(to_device(np.array([1.0, 2.0])), 6)
    assert got.item() == fibonacci(np.array([1.0, 2.0]), 6)


def test_a_result_is_used_like_a_number():
    s = jit(make("def f(x):\n    return x.sum()"))(to_device(np.array([1.25, 2.5])))
    n = jit(make("def f(x):\n    return x.argmax()"))(to_device(np.array([1.25, 2.5])))
    assert (float(s), int(s), bool(s), complex(s)) == (3.75, 3, True, 3.75 + 0j)
    assert f"{s:.3f} {s}" == "3.750 3.75" and "%.1f" % s == "3.8"
    assert round(s, 1) == 3.8 and round(s) == 4 and math.floor(float(s)) == 3
    assert list(range(n)) == [0] and [10, 20][n] == 20
    assert s > 3 and s >= 3.75 and not s == 4 and s != np.float64(4) and max(s, 2.0) is s
    assert math.sqrt(s) == math.sqrt(3.75)
    assert (s.item(), s.tolist()) == (3.75, 3.75)
    assert (s == "text") is False and s != None  # noqa: E711
    for value in (s / 2, 2 * s, s + np.float64(1), np.float64(1) + s, -s, s**2, abs(s), np.exp(s)):
        assert isinstance(value, DeviceArray) and value.shape == () and value.dtype == np.float64
    assert (s / 2).item() == 1.875 and (2 - s).item() == -1.75 and np.exp(s).item() == np.exp(3.75)
    assert sum([s, s]).item() == 7.5
    kept = s
    s += 1
    assert kept is s and s.item() == 4.75


def test_copies_are_apart():
    x = to_device(np.arange(6.0).reshape(2, 3)[:, ::2])
    for copied in (lambda: x.copy(), lambda: copy.copy(x), lambda: copy.deepcopy([x])[0]):
        y = copied()
        x += 1
        assert isinstance(y, DeviceArray)
        np.testing.assert_array_equal(in_host(y) + 1, in_host(x))
    with pytest.raises(TypeError, match="unhashable"):
        hash(x)


OPERATORS = "add sub mul truediv floordiv mod pow lt le eq ne gt ge".split()


@pytest.mark.parametrize("name", OPERATORS)
@pytest.mark.parametrize("other", [3, 2.5, np.float32(2), np.arange(1, 4, dtype=np.int32)], ids=str)
def test_operators_outside_of_functions(name, other):
    x = np.array([[1.5, 2, 3], [4, 5.25, 6]], np.float32)
    run = getattr(operator, name)
    for got, want in (
        (run(to_device(x), other), run(x, other)),
        (run(other, to_device(x)), run(other, x)),
    ):
        assert isinstance(got, DeviceArray) and got.dtype == want.dtype
        np.testing.assert_allclose(in_host(got), want, rtol=1e-6)


def test_ufuncs_outside_of_functions():
    x = np.array([[1.5, 2, 3], [4, 5.25, 6]])
    d, out = to_device(x), to_device(np.empty((2, 3)))
    np.testing.assert_allclose(in_host(np.hypot(d, 2.0)), np.hypot(x, 2.0))
    np.testing.assert_allclose(in_host(np.add.reduce(d, axis=0)), x.sum(axis=0))
    np.testing.assert_allclose(in_host(d @ d[0]), x @ x[0])
    for got, want in zip(np.modf(d), np.modf(x), strict=True):
        np.testing.assert_array_equal(in_host(got), want)
    assert np.sqrt(d, out=out) is out
    np.testing.assert_allclose(in_host(out), np.sqrt(x))
    d *= 2
    np.testing.assert_array_equal(in_host(d), x * 2)
    for run in (operator.eq, operator.ne, operator.sub):  # lists are arrays, as in NumPy
        np.testing.assert_array_equal(in_host(run(d, [3, 4.0, 5])), run(x * 2, [3, 4.0, 5]))
        np.testing.assert_array_equal(in_host(run([3, 4.0, 5], d)), run([3, 4.0, 5], x * 2))
    np.add.at(d, [0, 0], [1.0, 2, 3])
    np.testing.assert_array_equal(in_host(d), x * 2 + [[2, 4, 6], [0, 0, 0]])
    assert (d == None) is False and (d != "text") is True  # noqa: E711
    with pytest.raises(TypeError):
        d + "text"
    with pytest.raises(ValueError, match="could not be broadcast"):
        d + np.ones(5)
    with pytest.raises(TypeError, match="at most 65536 bytes"):
        d + np.ones((20000, 2, 3))
    assert isinstance(np.asarray(d), np.ndarray) and shapecast.devices()
